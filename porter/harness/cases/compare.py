"""Is an output right? By the norm of its error, by each element, and by whether each element was written at all."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import torch

from porter.harness.cases.inputs import FLOAT8, is_float
from porter.harness.verdict import Mismatch, OutputResult

__all__ = ["POISON", "Tolerance", "compare", "default_tolerance", "poison"]

# What an output holds before the call, again and again: NaN in every floating-point type of 16 bits or more, and a word that
# hardly any kernel computes.
POISON = bytes((0xFF, 0x7F, 0xFF, 0xFF))
SHOWN = 5  # first mismatches that are kept


@dataclass(frozen=True, slots=True)
class Tolerance:
    """An element may be off by rtol * |want| + atol * (root of the mean square of want); the whole by `norm`."""

    rtol: float
    atol: float
    norm: float


def default_tolerance(dtype: torch.dtype) -> Tolerance:
    """From the output's element type alone: a few roundings to it, and float32 sums behind it.

    One rounding costs eps/2. Kernels round intermediate values as well (bf16 products, fp16 residuals), so an
    element may be off by four such roundings, and by one of the typical element where sums cancel. A random
    error of that size has a norm of a fraction of it; a systematic one (a missing term, a wrong scale) has not.
    """
    if not is_float(dtype):
        return Tolerance(0.0, 0.0, 0.0)
    eps = epsilon(dtype)
    if dtype == torch.float64:
        return Tolerance(2.0**-40, 2.0**-40, 2.0**-42)
    if dtype == torch.float32:  # sums of thousands of float32 products, and fast exp and rsqrt
        return Tolerance(2.0**-16, 2.0**-16, 2.0**-18)
    if dtype in FLOAT8:  # nothing is computed in fp8: one rounding, and a little for what decides a tie
        return Tolerance(0.6 * eps, 0.05 * eps, 0.55 * eps)
    return Tolerance(2 * eps, eps / 2, 0.75 * eps)


def epsilon(dtype: torch.dtype) -> float:
    """The step from 1 to the next number; torch's own is half of it for e5m2fnuz, which has two bits after the 1."""
    return 0.25 if dtype == torch.float8_e5m2fnuz else float(torch.finfo(dtype).eps)


def tolerance_of(name: str, dtype: torch.dtype, given: Mapping[str, Mapping[str, float]]) -> Tolerance:
    default = default_tolerance(dtype)
    own = given.get(name, {})
    norm = own.get("norm", max(default.norm, own["rtol"] / 2) if "rtol" in own else default.norm)
    return Tolerance(own.get("rtol", default.rtol), own.get("atol", default.atol), norm)


def compare(name: str, got: torch.Tensor, want: torch.Tensor, allowed: Tolerance) -> OutputResult:
    """`got` in the output's own type, `want` in the reference's precision and the same shape.

    Where the reference is beyond what the type holds, the right answer is what rounding gives: infinity, or the
    largest number for the fp8 types, which saturate. NaN is right only where the reference has NaN.
    """
    written = (
        got.contiguous().flatten().view(torch.uint8).view(got.numel(), got.dtype.itemsize) if got.numel() else None
    )
    dtype = got.dtype
    poisoned = (
        (written == poison(written.numel(), got.device).view(written.shape)).all(dim=1).view(got.shape)
        if written is not None
        else torch.zeros(got.shape, dtype=torch.bool, device=got.device)
    )
    if not is_float(dtype):
        return _exact(name, got, want, poisoned)
    given = got.float().double() if dtype in FLOAT8 else got.double()
    wanted = want.double()
    limit = float(torch.finfo(dtype).max)
    if dtype in FLOAT8:
        wanted = torch.where(wanted.isnan(), wanted, wanted.clamp(-limit, limit))
    finite = wanted.isfinite() & (wanted.abs() <= limit)
    scale = _rms(wanted[finite])
    # Half of the smallest denormal is what rounding to the type costs near zero.
    room = allowed.rtol * wanted.abs() + allowed.atol * scale + torch.finfo(dtype).smallest_normal * epsilon(dtype)
    error = (given - wanted).abs()
    right = torch.where(finite, error <= room, torch.zeros_like(finite))
    right |= wanted.isnan() & given.isnan()
    beyond = ~finite & ~wanted.isnan()  # overflows: infinite, or so close to the limit that both are right
    right |= beyond & (given == torch.sign(wanted) * math.inf)
    right |= finite & (wanted.abs() + room > limit) & (given == torch.sign(wanted) * math.inf)
    both = finite & given.isfinite()
    norm = _norm(given[both] - wanted[both]) / (_norm(wanted[both]) or 1.0)
    element = float((error[both] / room[both]).max()) if bool(both.any()) else 0.0
    # A NaN of the reference's own has not these bits, unless there are few of them.
    unwritten = poisoned if dtype.itemsize >= 4 else poisoned & ~right
    return OutputResult(
        name=name, dtype=_short(dtype), shape=tuple(got.shape), norm_error=norm if wanted.isfinite().any() else 0.0,
        norm_limit=allowed.norm + _floor(dtype, wanted[both]), element_error=element,
        wrong=int((~right & ~unwritten).sum()), unwritten=int(unwritten.sum()),
        first=_first(~right & ~unwritten, given, wanted), first_unwritten=_indices(unwritten),
    )  # fmt: skip


def poison(size: int, device: torch.device | str = "cpu") -> torch.Tensor:
    """So many bytes of what outputs hold before they are written."""
    word = torch.tensor(list(POISON), dtype=torch.uint8, device=device)
    return word.repeat(-(-size // len(POISON)))[:size]


def _exact(name: str, got: torch.Tensor, want: torch.Tensor, poisoned: torch.Tensor) -> OutputResult:
    wanted = want.round().to(torch.int64) if is_float(want.dtype) else want.to(torch.int64)
    given = got.to(torch.int64)
    wrong = given != wanted
    unwritten = wrong & poisoned
    wrong = wrong & ~unwritten
    total = max(1, got.numel())
    return OutputResult(
        name=name, dtype=_short(got.dtype), shape=tuple(got.shape), norm_error=float((wrong | unwritten).sum()) / total,
        norm_limit=0.0, element_error=float(wrong.any()), wrong=int(wrong.sum()), unwritten=int(unwritten.sum()),
        first=_first(wrong, given, wanted), first_unwritten=_indices(unwritten),
    )  # fmt: skip


def _floor(dtype: torch.dtype, want: torch.Tensor) -> float:
    """What rounding denormal results costs, as a share of the norm: all there is where every value is tiny."""
    if not want.numel():
        return 0.0
    step = torch.finfo(dtype).smallest_normal * epsilon(dtype)
    return min(1.0, step * math.sqrt(want.numel()) / _norm(want)) if _norm(want) else 1.0


def _rms(values: torch.Tensor) -> float:
    return _norm(values) / math.sqrt(values.numel()) if values.numel() else 0.0


def _norm(values: torch.Tensor) -> float:
    """Without overflow: elements may be as large as float32 allows and more."""
    if not values.numel():
        return 0.0
    top = float(values.abs().max())
    return top * float((values / top).norm()) if top else 0.0


def _indices(mask: torch.Tensor) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(part) for part in index) for index in mask.nonzero()[:SHOWN])


def _first(mask: torch.Tensor, got: torch.Tensor, want: torch.Tensor) -> tuple[Mismatch, ...]:
    return tuple(Mismatch(index, float(got[index]), float(want[index])) for index in _indices(mask))


def _short(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
