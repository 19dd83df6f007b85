"""What the rows on floats do (f16, f32, f64), by exact arithmetic with one rounding, or in a wider format."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from exact_floats import F16, F32, F64, Format, each, fma, join, scale, split

__all__ = ["ROWS", "ULPS"]

Array = np.ndarray
FORMS = {"f16": F16, "f32": F32, "f64": F64}

# How far a result may be from the correctly rounded one; rows that are not here are exact. The ISA document promises
# one for these, and more for sine and cosine.
ULPS = {
    **dict.fromkeys(
        "v_exp_f32 v_exp_legacy_f32 v_log_f32 v_log_legacy_f32 v_rcp_f32 v_rcp_iflag_f32 v_rsq_f32 v_sqrt_f32 v_rcp_f64 v_rsq_f64 "
        "v_sqrt_f64 v_rcp_f16 v_rsq_f16 v_sqrt_f16 v_exp_f16 v_log_f16 v_sin_f32 v_cos_f32 v_sin_f16 v_cos_f16".split(),
        1,
    )
}


def flushed(a: Array) -> Array:
    """v_rcp_f32 and its kin take denormals for zeros, and give zeros for denormals."""
    return np.where(np.abs(a) < np.float32(2.0**-126), np.copysign(np.float32(0), a), a)


def wide(a: Array) -> Array:
    return a.astype(np.float64)


def single(a: Array) -> Array:
    return a.astype(np.float32)


def smaller(a: Array, b: Array, form: Format, largest: bool) -> Array:
    """v_min and v_max in IEEE mode."""

    def one(x: int, y: int) -> int:
        signalling = [v for v in (x, y) if v & ~form.sign > form.infinity and not v & 1 << (form.fraction - 1)]
        if signalling:
            return signalling[0] | 1 << (form.fraction - 1)
        if x & ~form.sign > form.infinity:
            return y
        if y & ~form.sign > form.infinity:
            return x
        # Ordered as integers once the negative ones are turned round: -0 is below +0.
        key = lambda v: -(v & ~form.sign) - 1 if v & form.sign else v  # noqa: E731
        return max(x, y, key=key) if largest else min(x, y, key=key)

    return each(one, form, a, b)


def middle(a: Array, b: Array, c: Array, form: Format) -> Array:
    lowest = smaller(smaller(a, b, form, False), c, form, False)
    ordered = np.sort(np.stack([wide(a), wide(b), wide(c)]), axis=0)[1].astype(a.dtype)
    nan = np.isnan(a) | np.isnan(b) | np.isnan(c)
    # Zeros of both signs are equal to the sort: the middle one by sign
    small = sum(((v < 0) | ((v == 0) & np.signbit(v))).astype(int) for v in (a, b, c))
    zero = np.where(small >= 2, np.copysign(ordered, -1), np.copysign(ordered, 1))
    return np.where(nan, lowest, np.where(ordered == 0, zero, ordered))


def fused(form: Format) -> Callable[[Array, Array, Array], Array]:
    return lambda a, b, c: each(lambda x, y, z: fma(x, y, z, form), form, a, b, c)


def unfused16(a: Array, b: Array, c: Array) -> Array:
    return (a * b) + c  # numpy rounds each half operation to half


def fraction_of(a: Array, form: Format) -> Array:
    def one(x: int) -> int:
        number = split(x, form)
        if number is None:
            return form.nan
        value = (-1) ** number[0] * number[1] * Fraction(2) ** number[2]
        rest = value - value.__floor__()
        if not rest:
            return 0
        down = rest.denominator.bit_length() - 1
        bits = join((0, rest.numerator, -down), form)
        one_ = join((0, 1, 0), form)
        return min(bits, one_ - 1)

    return each(one, form, a)


def mantissa(a: Array) -> Array:
    return np.where(np.isfinite(a), np.frexp(a)[0], a).astype(a.dtype)


def exponent(kind: type) -> Callable[[Array], Array]:
    return lambda a: np.where(np.isfinite(a), np.frexp(wide(a))[1], 0).astype(kind)


def loaded(form: Format) -> Callable[[Array, Array], Array]:
    return lambda a, b: each(lambda x, n: scale(x, max(min(n, 9000), -9000), form), form, a, b)


def log2(a: Array) -> Array:
    return np.log2(wide(a))


def turns(a: Array, function: Callable[[Array], Array], at_zero: float) -> Array:
    x = wide(a)
    near = np.abs(x) <= 256
    rest = np.where(near, x - np.round(x), 0.0)
    # Quarter turns give exact zeros and ones.
    exact = {np.sin: {0.0: 0.0, 0.25: 1.0, -0.25: -1.0, 0.5: 0.0, -0.5: 0.0}, np.cos: {0.0: 1.0, 0.25: 0.0, -0.25: 0.0, 0.5: -1.0, -0.5: -1.0}}[function]  # fmt: skip
    out = function(2 * np.pi * rest)
    for place, value in exact.items():
        out = np.where(rest == place, value, out)
    out = np.where(near, out, at_zero)
    return np.where(np.isfinite(x), out, np.nan)


def div_scale(a: Array, b: Array, c: Array, form: Format) -> tuple[Array, Array]:
    """As the document has it, but that a denominator beyond the reciprocals is scaled down where it says up."""
    step, near, few = (64, 96, 23) if form is F32 else (128, 768, 53)
    smallest = Fraction(2) ** (form.smallest + form.fraction)
    flags = []

    def value(x: int) -> Fraction | None:
        number = split(x, form)
        return None if number is None else number[1] * Fraction(2) ** number[2]

    def one(x: int, y: int, z: int) -> int:
        ey, ez = y >> form.fraction & (1 << form.exponent) - 1, z >> form.fraction & (1 << form.exponent) - 1
        vy, vz = value(y), value(z)
        flags.append(False)
        if vy == 0 or vz == 0:
            return form.nan
        if ez - ey >= near:
            flags[-1] = True
            return scale(x, step, form) if x == y else x
        if vy is not None and vy < smallest:
            return scale(x, step, form)
        reciprocal = vy is not None and 1 / vy < smallest
        quotient = vy is not None and vz is not None and vz / vy < smallest
        if quotient and rounds_up(vz / vy, smallest, form):
            quotient = False
        if quotient:
            flags[-1] = True
            if reciprocal:
                return scale(x, -step, form) if x == y else x
            return scale(x, step, form) if x == z else x
        if reciprocal:
            return scale(x, -step, form)
        return scale(x, step, form) if ez <= few else x

    out = each(one, form, a, b, c)
    return out, np.array(flags)


def rounds_up(value: Fraction, limit: Fraction, form: Format) -> bool:
    """Whether a quotient just below the normal numbers rounds to one."""
    return value >= limit * (1 - Fraction(1, 1 << (form.fraction + 2)))


def div_fmas(form: Format) -> Callable[..., Array]:
    step = 64 if form is F32 else 128
    middle_ = (1 << (form.exponent - 1)) - 1

    def one(x: int, y: int, z: int, flag: int) -> int:
        if not flag:
            return fma(x, y, z, form)
        numbers = split(x, form), split(y, form), split(z, form)
        if None in numbers:
            return fma(x, y, z, form)
        up = (z >> form.fraction & (1 << form.exponent) - 1) > middle_
        # Scaled before the one rounding: the product and the sum take the power of two along.
        a, b, c = (number for number in numbers if number is not None)
        power = step if up else -step
        low = min(a[2] + b[2], c[2])
        total = (-1) ** (a[0] ^ b[0]) * (a[1] * b[1] << (a[2] + b[2] - low)) + (-1) ** c[0] * (c[1] << (c[2] - low))
        if not total:
            return fma(x, y, z, form)
        return join((int(total < 0), abs(total), low + power), form)

    return lambda a, b, c, flag: each(one, form, a, b, c, flag.astype(np.uint8))


def div_fixup(form: Format) -> Callable[..., Array]:
    least = {5: 10**6, 8: 150, 11: 1075}[form.exponent]

    def one(x: int, y: int, z: int) -> int:
        sign = (y ^ z) & form.sign
        sy, sz = y & ~form.sign, z & ~form.sign
        for nan in (z, y):
            if nan & ~form.sign > form.infinity:
                return nan | 1 << (form.fraction - 1)
        if (sy == 0 and sz == 0) or (sy == form.infinity and sz == form.infinity):
            return form.nan | form.sign
        if sy == 0 or sz == form.infinity:
            return form.infinity | sign
        if sy == form.infinity or sz == 0:
            return sign
        if (sz >> form.fraction) - (sy >> form.fraction) < -least:
            return sign
        if form is not F16 and x & ~form.sign > form.infinity:  # it overflowed on its way, as hardware tests show
            return form.infinity | sign
        return x & ~form.sign | sign

    return lambda a, b, c: each(one, form, a, b, c)


def cube(choose: Callable[[float, float, float, int], float]) -> Callable[[Array, Array, Array], Array]:
    def one(x: float, y: float, z: float) -> float:
        axis = 2 if abs(z) >= abs(x) and abs(z) >= abs(y) else 1 if abs(y) >= abs(x) else 0
        return choose(x, y, z, axis)

    return lambda a, b, c: single(np.array([one(*(np.float32(v) for v in values)) for values in zip(a, b, c)]))


def legacy_multiply(a: Array, b: Array) -> Array:
    return np.where((a == 0) | (b == 0), np.float32(0), a * b)


ROWS: dict[str, Callable[..., object]] = {
    **{f"v_add_{kind}": np.add for kind in FORMS},
    **{f"v_mul_{kind}": np.multiply for kind in FORMS},
    **{f"v_sub_{kind}": np.subtract for kind in ("f16", "f32")},
    **{f"v_subrev_{kind}": lambda a, b: b - a for kind in ("f16", "f32")},
    "v_mul_legacy_f32": legacy_multiply,
    **{
        f"v_{name}": fused(form)
        for name, form in {
            "fma_f16": F16,
            "fma_legacy_f16": F16,
            "fma_f32": F32,
            "fmac_f32": F32,
            "fmamk_f32": F32,
            "fmaak_f32": F32,
            "fma_f64": F64,
            "fmac_f64": F64,
            "fma_mix_f32": F32,
        }.items()
    },
    **{f"v_{name}": unfused16 for name in ("mac_f16", "madmk_f16", "madak_f16", "mad_f16", "mad_legacy_f16")},
    # The half takes what the fused operation rounded to single.
    **{name: lambda a, b, c: fused(F32)(a, b, c).astype(np.float16) for name in ("v_fma_mixlo_f16", "v_fma_mixhi_f16")},
    **{f"v_min_{kind}": (lambda f: lambda a, b: smaller(a, b, f, False))(form) for kind, form in FORMS.items()},
    **{f"v_max_{kind}": (lambda f: lambda a, b: smaller(a, b, f, True))(form) for kind, form in FORMS.items()},
    **{
        f"v_{name}3_{kind}": (lambda f, m: lambda a, b, c: smaller(smaller(a, b, f, m), c, f, m))(
            FORMS[kind], name == "max"
        )
        for name in ("min", "max")
        for kind in ("f16", "f32")
    },
    **{f"v_med3_{kind}": (lambda f: lambda a, b, c: middle(a, b, c, f))(FORMS[kind]) for kind in ("f16", "f32")},
    **{f"v_floor_{kind}": np.floor for kind in FORMS},
    **{f"v_ceil_{kind}": np.ceil for kind in FORMS},
    **{f"v_trunc_{kind}": np.trunc for kind in FORMS},
    **{f"v_rndne_{kind}": np.rint for kind in FORMS},
    **{f"v_fract_{kind}": (lambda f: lambda a: fraction_of(a, f))(form) for kind, form in FORMS.items()},
    **{f"v_frexp_mant_{kind}": mantissa for kind in FORMS},
    "v_frexp_exp_i16_f16": exponent(np.int16),
    "v_frexp_exp_i32_f32": exponent(np.int32),
    "v_frexp_exp_i32_f64": exponent(np.int32),
    **{f"v_ldexp_{kind}": loaded(form) for kind, form in FORMS.items()},
    # transcendental functions: the correctly rounded value, to which ULPS applies
    **{name: lambda a: flushed(single(np.exp2(wide(flushed(a))))) for name in ("v_exp_f32", "v_exp_legacy_f32")},
    **{name: lambda a: single(log2(flushed(a))) for name in ("v_log_f32", "v_log_legacy_f32")},
    **{name: lambda a: flushed(single(1 / wide(flushed(a)))) for name in ("v_rcp_f32", "v_rcp_iflag_f32")},
    "v_rsq_f32": lambda a: single(1 / np.sqrt(wide(flushed(a)))),
    "v_sqrt_f32": lambda a: single(np.sqrt(wide(flushed(a)))),
    "v_sin_f32": lambda a: single(turns(a, np.sin, 0.0)),
    "v_cos_f32": lambda a: single(turns(a, np.cos, 1.0)),
    "v_rcp_f64": lambda a: 1 / a,
    "v_rsq_f64": lambda a: (1 / np.sqrt(a.astype(np.longdouble))).astype(np.float64),
    "v_sqrt_f64": np.sqrt,
    "v_rcp_f16": lambda a: (1 / wide(a)).astype(np.float16),
    "v_rsq_f16": lambda a: (1 / np.sqrt(wide(a))).astype(np.float16),
    "v_sqrt_f16": lambda a: np.sqrt(wide(a)).astype(np.float16),
    "v_exp_f16": lambda a: np.exp2(wide(a)).astype(np.float16),
    "v_log_f16": lambda a: log2(a).astype(np.float16),
    "v_sin_f16": lambda a: turns(a, np.sin, 0.0).astype(np.float16),
    "v_cos_f16": lambda a: turns(a, np.cos, 1.0).astype(np.float16),
    # division
    "v_div_scale_f32": lambda a, b, c: div_scale(a, b, c, F32),
    "v_div_scale_f64": lambda a, b, c: div_scale(a, b, c, F64),
    "v_div_fmas_f32": div_fmas(F32),
    "v_div_fmas_f64": div_fmas(F64),
    "v_div_fixup_f16": div_fixup(F16),
    "v_div_fixup_legacy_f16": div_fixup(F16),
    "v_div_fixup_f32": div_fixup(F32),
    "v_div_fixup_f64": div_fixup(F64),
    # cube maps
    "v_cubeid_f32": cube(lambda x, y, z, k: 2 * k + (bool((x, y, z)[k] < 0))),
    "v_cubesc_f32": cube(lambda x, y, z, k: (z if x < 0 else -z) if k == 0 else x if k == 1 else -x if z < 0 else x),
    "v_cubetc_f32": cube(lambda x, y, z, k: (-z if y < 0 else z) if k == 1 else -y),
    "v_cubema_f32": cube(lambda x, y, z, k: np.float32(2) * (x, y, z)[k]),
}
