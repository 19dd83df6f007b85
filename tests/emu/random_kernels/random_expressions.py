"""Random typed expressions over what a kernel's thread has at hand, each with one meaning on the GPU and on the CPU."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

__all__ = [
    "FLOATS",
    "INTS",
    "LEAF_COUNTS",
    "SCALARS",
    "VECTORS",
    "Expression",
    "Scope",
    "Variable",
    "random_expression",
]

INTS = {"i8": 8, "u8": 8, "i16": 16, "u16": 16, "i32": 32, "u32": 32, "i64": 64, "u64": 64}
FLOATS = {"f16": 16, "f32": 32, "f64": 64}
SCALARS = (*INTS, *FLOATS)
VECTORS = {  # name: (element, count)
    "v2f": ("f32", 2), "v4f": ("f32", 4), "v2d": ("f64", 2), "v2h": ("f16", 2), "v4h": ("f16", 4), "v2s": ("i16", 2),
    "v4s": ("i16", 4), "v2t": ("u16", 2), "v2u": ("u32", 2), "v4u": ("u32", 4), "v2i": ("i32", 2), "v4b": ("u8", 4),
}  # fmt: skip
LEAF_COUNTS = 256  # elements of each input array
_PLUS_ZERO = " + (f32)0"  # clang makes v_fma_mixlo_f16 with an addend of +0 of a product: -0 would become +0
_ARRAYS = {"i8": "b", "i16": "w", "i32": "i", "i64": "q", "f16": "h", "f32": "f", "f64": "d"}
_UNIFORM = {"i32": "c.in.n", "i64": "c.in.m", "f32": "c.in.x", "f64": "c.in.y", "u8": "c.in.c", "i16": "c.in.e"}
_LOCAL = {
    "u32": ("a32", "s.a32[{0} & 7]"), "u64": ("a64", "s.a64[{0} & 3]"), "u8": ("a8", "s.a8[{0} & 15]"),
    "f32": ("af", "s.af[{0} & 7]"), "v4f": ("av", "s.av[{0} & 3]"), "i16": ("st", "s.st[{0} & 3].a"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Expression:
    """A type, a text with a place for each operand, and the operands."""

    kind: str
    form: str
    parts: tuple[Expression, ...] = ()

    def __str__(self) -> str:
        return self.form.format(*self.parts)

    def smaller(self) -> Iterator[Expression]:
        """This expression with one part replaced by something simpler of the same type."""
        if self != _one(self.kind):
            yield from (part for part in self.parts if part.kind == self.kind)
            yield _one(self.kind)
        for n, part in enumerate(self.parts):
            for other in part.smaller():
                yield Expression(self.kind, self.form, (*self.parts[:n], other, *self.parts[n + 1 :]))


def _one(kind: str) -> Expression:
    return Expression(kind, "1" if kind == "bool" else f"({kind})1")


@dataclass(frozen=True, slots=True)
class Variable:
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Scope:
    """What an expression may name: variables, functions (result, name, arguments), LDS bytes that may be read."""

    variables: Sequence[Variable]
    functions: Sequence[tuple[str, str, tuple[str, ...]]] = ()
    arrays: frozenset[str] = frozenset()  # the thread's local arrays
    shared: int = 0  # LDS slots of 16 bytes that nobody writes now
    uniform: bool = False  # only what is the same in all lanes
    memory: bool = True  # the context c is at hand


def random_expression(rng: Random, kind: str, scope: Scope, depth: int = 3) -> Expression:
    if depth <= 0 or rng.random() < 0.1:
        return _leaf(rng, kind, scope)

    def sub(other: str, less: int = 1) -> Expression:
        return random_expression(rng, other, scope, depth - less)

    if kind == "bool":
        return _bool(rng, sub)
    calls = [f for f in scope.functions if f[0] == kind]
    if calls and rng.random() < 0.12:
        _, name, arguments = rng.choice(calls)
        places = ", ".join(f"{{{n}}}" for n in range(len(arguments)))
        return Expression(kind, f"{name}({places})", tuple(sub(argument) for argument in arguments))
    if rng.random() < 0.08:
        return Expression(kind, "({0} ? {1} : {2})", (sub("bool"), sub(kind), sub(kind)))
    if kind in VECTORS:
        return _vector(rng, kind, sub)
    return _integer(rng, kind, sub) if kind in INTS else _float(rng, kind, sub)


def _leaf(rng: Random, kind: str, scope: Scope) -> Expression:
    if kind == "bool":
        word = _leaf(rng, "u32", scope)
        return Expression("bool", f"(({{0}} >> {rng.randrange(32)} & 1) != 0)", (word,))
    named = [v for v in scope.variables if v.kind == kind]
    roll = rng.random()
    if named and roll < 0.55:
        return Expression(kind, rng.choice(named).text)
    if roll < 0.8 and scope.memory:
        place = _place(rng, kind, scope)
        if place:
            return place
    if kind in VECTORS:
        element, count = VECTORS[kind]
        values = ", ".join(_constant(rng, element) for _ in range(count))
        return Expression(kind, f"(({kind}){{{{{values}}}}})")
    if named and roll < 0.9:
        return Expression(kind, rng.choice(named).text)
    return Expression(kind, f"(({kind}){_constant(rng, kind)})")


def _place(rng: Random, kind: str, scope: Scope) -> Expression | None:
    """Something in memory: an input array, an argument, LDS, a local array, an identity of the thread."""
    index = _index(rng, scope)
    choices: list[str] = []
    element, count = VECTORS.get(kind, (kind, 1))
    unsigned = element.replace("u", "i") if element.startswith("u") else element
    array = _ARRAYS[unsigned]
    mask = LEAF_COUNTS - count
    cast = f"*(const {kind} *)" if kind != unsigned else "*"
    choices += [f"({cast}(c.in.{array} + ({{0}} & {mask})))"] * 2
    if kind in _UNIFORM:
        choices += [_UNIFORM[kind]] * 2
    if kind == "u32":
        choices += ["c.bid"] if scope.uniform else ["c.tid", "c.gid", "c.bid"]
    if element in INTS:
        size = INTS[element] * count // 8
        choices.append(f"load<{kind}>(c.in.b + ({{0}} & 127))")
        if scope.shared and not scope.uniform:
            slot = 16 * scope.shared // size
            choices += [f"((const {kind} *)c.sh)[{{0}} % {slot}u]"] * 6
            if count == 1 and scope.shared > 1:
                choices.append(f"load<{kind}>((const u8 *)c.sh + ({{0}} % {16 * scope.shared - 16}u))")
    if kind in _LOCAL and _LOCAL[kind][0] in scope.arrays and not scope.uniform:
        choices += [_LOCAL[kind][1]] * 4
    form = rng.choice(choices)
    return Expression(kind, form, (index,) if "{0}" in form else ())


def _index(rng: Random, scope: Scope) -> Expression:
    named = [v.text for v in scope.variables if v.kind == "u32"]
    if not scope.uniform and rng.random() < 0.5:
        return Expression("u32", f"(c.tid * {rng.choice((1, 1, 2, 3, 5, 17))}u + {rng.randrange(64)}u)")
    if scope.uniform and rng.random() < 0.5:
        return Expression("u32", f"(c.bid + {rng.randrange(64)}u)")
    return Expression("u32", rng.choice(named) if named else f"{rng.randrange(256)}u")


def _constant(rng: Random, kind: str) -> str:
    if kind in FLOATS:
        if rng.random() < 0.6:
            return rng.choice(("0.0", "0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "3.0", "10.0"))
        limit = {"f16": 1e3, "f32": 1e9, "f64": 1e20}[kind]
        return repr(rng.uniform(-1, 1) * rng.choice((1.0, 100.0, limit, 1 / limit)))
    bits = INTS[kind]
    roll = rng.random()
    if roll < 0.4:
        value = rng.randrange(-16, 65)
    elif roll < 0.6:
        value = (1 << rng.randrange(bits)) - rng.randrange(2)
    elif roll < 0.8:
        value = rng.choice((0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF))
    else:
        value = rng.getrandbits(bits)
    value &= (1 << bits) - 1
    if kind.startswith("i") and value >> (bits - 1):
        value -= 1 << bits
        return f"({value + 1}ll - 1)"
    return f"{value}{'ull' if kind.startswith('u') else 'll'}"


def _bool(rng: Random, sub) -> Expression:
    roll = rng.random()
    if roll < 0.2:
        form = rng.choice(("({0} && {1})", "({0} || {1})", "({0} ^ {1})", "(!{0})"))
        return Expression("bool", form, (sub("bool"), sub("bool"))[: 1 if "{1}" not in form else 2])
    if roll < 0.6:
        kind = rng.choice((*INTS, "i32", "u32", "u32"))
        return Expression(
            "bool", f"({{0}} {rng.choice(('<', '<=', '==', '!=', '>', '>='))} {{1}})", (sub(kind), sub(kind))
        )
    kind = rng.choice(tuple(FLOATS))
    if roll < 0.7:
        test = rng.choice(("__builtin_isnan({0})", "__builtin_isinf({0})", "__builtin_isfinite({0})",
                           "__builtin_isnormal({0})", f"__builtin_isfpclass({{0}}, {rng.randrange(1, 1024) & ~3})"))  # fmt: skip
        return Expression("bool", f"({test} != 0)", (sub(kind),))
    negated = "!" if rng.random() < 0.3 else ""
    return Expression(
        "bool", f"({negated}({{0}} {rng.choice(('<', '<=', '==', '!=', '>', '>='))} {{1}}))", (sub(kind), sub(kind))
    )


_WORDS = (  # 32-bit operations: result, form, operands
    ("u32", "popc_({0})", ("u32",)), ("u32", "popc_({0})", ("u64",)), ("u32", "clz_({0})", ("u32",)),
    ("u32", "clz_({0})", ("u64",)), ("u32", "ctz_({0})", ("u32",)), ("u32", "ctz_({0})", ("u64",)),
    ("u32", "ffs_({0})", ("u32",)), ("u32", "ffs_({0})", ("u64",)), ("u32", "__builtin_bitreverse32({0})", ("u32",)),
    ("u64", "(u64)__builtin_bitreverse64({0})", ("u64",)), ("u32", "__builtin_bswap32({0})", ("u32",)),
    ("u64", "(u64)__builtin_bswap64({0})", ("u64",)), ("u16", "__builtin_bswap16({0})", ("u16",)),
    ("u32", "__builtin_rotateleft32({0}, {1})", ("u32", "u32")),
    ("u64", "(u64)__builtin_rotateleft64({0}, {1})", ("u64", "u64")), ("u32", "mulhi({0}, {1})", ("u32", "u32")),
    ("i32", "mulhi({0}, {1})", ("i32", "i32")), ("u64", "mulhi({0}, {1})", ("u64", "u64")),
    ("i64", "mulhi({0}, {1})", ("i64", "i64")), ("u32", "mul24({0}, {1})", ("u32", "u32")),
    ("i32", "mul24({0}, {1})", ("i32", "i32")), ("u32", "(mul24({0}, {1}) + {2})", ("u32", "u32", "u32")),
    ("i32", "(mul24({0}, {1}) + {2})", ("i32", "i32", "i32")), ("u32", "bfe({0}, {1}, {2})", ("u32", "u32", "u32")),
    ("i32", "sext({0}, {1})", ("u32", "u32")), ("u32", "bfi({0}, {1}, {2})", ("u32", "u32", "u32")),
    ("u32", "sad({0}, {1}, {2})", ("u32", "u32", "u32")), ("u32", "perm({0}, {1}, {2})", ("u32", "u32", "u32")),
    ("u32", "alignbit({0}, {1}, {2})", ("u32", "u32", "u32")),
    ("u32", "alignbyte({0}, {1}, {2})", ("u32", "u32", "u32")), ("u32", "sad_u8({0}, {1}, {2})", ("u32", "u32", "u32")),
    ("u32", "sad_u16({0}, {1}, {2})", ("u32", "u32", "u32")), ("u32", "lerp_u8({0}, {1}, {2})", ("u32", "u32", "u32")),
    ("u32", "ubfe({0}, {1}, {2})", ("u32", "u32", "u32")), ("i32", "sbfe({0}, {1}, {2})", ("i32", "u32", "u32")),
    ("i32", "dot4({0}, {1}, {2})", ("u32", "u32", "i32")), ("u32", "udot4({0}, {1}, {2})", ("u32", "u32", "u32")),
    ("i32", "dot8({0}, {1}, {2})", ("u32", "u32", "i32")), ("i32", "frexp_exp({0})", ("f32",)),
    ("i32", "frexp_exp({0})", ("f64",)), ("u32", "pkrtz(canon({0}), canon({1}))", ("f32", "f32")),
    ("u32", "({0} << 8 | {1} >> 24)", ("u32", "u32")), ("u32", "(({0} << 3) + {1})", ("u32", "u32")),
    ("u32", "({0} ^ {1} ^ {2})", ("u32", "u32", "u32")), ("u32", "({0} + {1} + {2})", ("u32", "u32", "u32")),
    ("u64", "((u64){0} * {1} + {2})", ("u32", "u32", "u64")), ("i64", "((i64){0} * {1} + {2})", ("i32", "i32", "i64")),
    ("u64", "((u64){0} << 32 | {1})", ("u32", "u32")), ("u32", "(u32)({0} >> 32)", ("u64",)),
)  # fmt: skip


def _integer(rng: Random, kind: str, sub) -> Expression:
    bits = INTS[kind]
    unsigned = kind.startswith("u")
    roll = rng.random()
    if roll < 0.3:
        form = f"({kind})({{0}} {rng.choice('+-*&|^')} {{1}})"
        return Expression(kind, f"({form})", (sub(kind), sub(kind)))
    if roll < 0.4:
        mask = bits - 1
        return Expression(
            kind, f"(({kind})({{0}} {rng.choice(('<<', '>>'))} ({{1}} & {mask})))", (sub(kind), sub("u32"))
        )
    if roll < 0.47:
        how = rng.randrange(4)
        name = rng.choice(("div_", "mod_"))
        if how == 0:
            return Expression(kind, f"{name}<{kind}>({{0}}, {{1}})", (sub(kind), sub(kind)))
        name = rng.choice(("quotient", "remainder"))
        if how == 1:
            return Expression(kind, f"{name}<{kind}>({{0}}, ({kind})(({{1}} & 63) + 1))", (sub(kind), sub(kind)))
        divisor = rng.choice((3, 5, 7, 10, 16, 100, rng.randrange(1, min(1 << (bits - 1), 1 << 31))))
        divisor = min(divisor, 127) if bits == 8 else divisor
        return Expression(kind, f"{name}<{kind}>({{0}}, ({kind}){divisor})", (sub(kind),))
    if roll < 0.62:
        other = rng.choice([name for name in INTS if name != kind])
        return Expression(kind, "((" + kind + "){0})", (sub(other),))
    if roll < 0.68:
        other = rng.choice(tuple(FLOATS))
        return Expression(kind, f"to_{kind}({{0}})", (sub(other),))
    if roll < 0.72:
        other = rng.choice(tuple(FLOATS))
        return Expression(kind, f"(({kind})bits({{0}}))", (sub(other),))
    if roll < 0.80:
        form, count = rng.choice(
            (("min_<{k}>({{0}}, {{1}})", 2), ("max_<{k}>({{0}}, {{1}})", 2), ("med3_<{k}>({{0}}, {{1}}, {{2}})", 3),
             ("abs_<{k}>({{0}})", 1), ("(({k})~{{0}})", 1), ("(({k})-{{0}})", 1), ("carry<{k}>({{0}}, {{1}})", 2),
             ("over<{k}>({{0}}, {{1}})", 2), ("__builtin_elementwise_add_sat({{0}}, {{1}})", 2),
             ("__builtin_elementwise_sub_sat({{0}}, {{1}})", 2), ("(({k})({{0}} * {{1}} + {{2}}))", 3))
        )  # fmt: skip
        if form.startswith("over<{k}>") and bits == 64 and not unsigned:
            form = "carry<{k}>({{0}}, {{1}})"  # the signed one would call a library
        return Expression(kind, form.format(k=kind), tuple(sub(kind) for _ in range(count)))
    if roll < 0.83:
        return Expression(kind, f"(({kind}){{0}})", (sub("bool"),))
    if roll < 0.88:
        vector = rng.choice([v for v, (element, _) in VECTORS.items() if element in INTS])
        _, count = VECTORS[vector]
        if rng.random() < 0.7:
            return Expression(kind, f"(({kind}){{0}}.{rng.choice('xyzw'[:count])})", (sub(vector),))
        return Expression(kind, f"(({kind}){{0}}[{{1}} & {count - 1}])", (sub(vector), sub("u32")))
    matching = [row for row in _WORDS if row[0] == kind] or _WORDS
    result, form, operands = rng.choice(matching)
    inner = Expression(result, form, tuple(sub(operand) for operand in operands))
    return inner if result == kind else Expression(kind, f"(({kind}){{0}})", (inner,))


def _float(rng: Random, kind: str, sub) -> Expression:
    roll = rng.random()
    if roll < 0.4:
        sign, left, right = rng.choice("+-**/"), sub(kind), sub(kind)
        if sign == "-" and str(left).startswith("((f") and "0.0)" in str(left):  # clang makes -x of 0.0 - x
            sign = "+"
        return Expression(kind, f"({{0}} {sign} {{1}})", (left, right))
    if roll < 0.52:
        form = rng.choice(("fma_({0}, {1}, {2})", "fma_(-{0}, {1}, {2})", "({0} * {1} + {2})", "fma_({0}, {1}, -{2})"))
        return Expression(kind, form, (sub(kind), sub(kind), sub(kind)))
    if roll < 0.66:
        form = rng.choice(("(-{0})", "fabs_({0})", "(-fabs_({0}))", "sqrt_({0})", "floor_({0})", "ceil_({0})",
                           "trunc_({0})", "rint_({0})", "clamp01({0})", "({0} * 2)", "({0} - floor_({0}))"))  # fmt: skip
        return Expression(kind, form, (sub(kind),))
    if roll < 0.72:
        name = rng.choice(("fmin_", "fmax_", "copysign_"))
        return Expression(kind, f"{name}<{kind}>({{0}}, {{1}})", (sub(kind), sub(kind)))
    if roll < 0.76:
        return Expression(kind, "ldexp_({0}, (i32)({1} & 63) - 32)", (sub(kind), sub("u32")))
    if roll < 0.84:
        return Expression(kind, f"(({kind}){{0}})", (sub(rng.choice(tuple(INTS))),))
    if roll < 0.91:
        other = rng.choice([name for name in FLOATS if name != kind])
        plus = _PLUS_ZERO if (kind, other) == ("f16", "f32") else ""
        return Expression(kind, f"(({kind})({{0}}{plus}))", (sub(other),))
    if roll < 0.94:
        return Expression(kind, "from_bits({0})", (sub(f"u{FLOATS[kind]}"),))
    if roll < 0.96 and kind != "f16":
        return Expression(kind, "frexp_mant({0})", (sub(kind),))
    vectors = [v for v, (element, _) in VECTORS.items() if element == kind]
    vector = rng.choice(vectors)
    count = VECTORS[vector][1]
    if rng.random() < 0.7:
        return Expression(kind, f"{{0}}.{rng.choice('xyzw'[:count])}", (sub(vector),))
    return Expression(kind, f"{{0}}[{{1}} & {count - 1}]", (sub(vector), sub("u32")))


def _vector(rng: Random, kind: str, sub) -> Expression:
    element, count = VECTORS[kind]
    roll = rng.random()
    floats = element in FLOATS
    if roll < 0.35:
        return Expression(kind, f"({{0}} {rng.choice('+-*' if floats else '+-*&|^')} {{1}})", (sub(kind), sub(kind)))
    if roll < 0.5:
        if floats:
            return Expression(kind, f"fmav<{kind}>({{0}}, {{1}}, {{2}})", (sub(kind), sub(kind), sub(kind)))
        form = rng.choice(("({0} * {1} + {2})", "__builtin_elementwise_add_sat({0}, {1})",
                           "__builtin_elementwise_sub_sat({0}, {1})"))  # fmt: skip
        return Expression(kind, form, (sub(kind), sub(kind), sub(kind))[: 3 if "{2}" in form else 2])
    if roll < 0.6:
        if floats:
            return Expression(kind, f"{rng.choice(('fmin_', 'fmax_'))}<{kind}>({{0}}, {{1}})", (sub(kind), sub(kind)))
        name = rng.choice(("min", "max"))
        return Expression(kind, f"__builtin_elementwise_{name}({{0}}, {{1}})", (sub(kind), sub(kind)))
    if roll < 0.66 and not floats:
        return Expression(
            kind, f"({{0}} {rng.choice(('<<', '>>'))} ({{1}} & ({element}){INTS[element] - 1}))", (sub(kind), sub(kind))
        )
    if roll < 0.7:
        return Expression(kind, "(-{0})", (sub(kind),))
    if roll < 0.85:
        places = ", ".join(f"{{{n}}}" for n in range(count))
        return Expression(kind, f"(({kind}){{{{{places}}}}})", tuple(sub(element) for _ in range(count)))
    if roll < 0.92:
        order = "".join(rng.choice("xyzw"[:count]) for _ in range(count))
        return Expression(kind, f"{{0}}.{order}", (sub(kind),))
    same = [v for v, (e, n) in VECTORS.items() if n == count and v != kind and (floats or e in INTS)]
    if not same or (floats and rng.random() < 0.3):
        return Expression(kind, f"(({kind})({element}){{0}})", (sub(element),))
    other = rng.choice(same)
    plus = _PLUS_ZERO if (element, VECTORS[other][0]) == ("f16", "f32") else ""
    return Expression(kind, f"__builtin_convertvector({{0}}{plus}, {kind})", (sub(other),))
