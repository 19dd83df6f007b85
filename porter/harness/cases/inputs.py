"""What goes into a run: a case's inputs in the element types of the entry, as drawn or made adversarial."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import torch

from porter.harness.cases.case import Case, CaseError, call_by_name
from porter.harness.cases.entry import Entry

__all__ = ["FLOAT8", "draw", "is_float", "to_dtype", "to_reference"]

FLOAT8 = (torch.float8_e4m3fn, torch.float8_e4m3fnuz, torch.float8_e5m2, torch.float8_e5m2fnuz)


def is_float(dtype: torch.dtype) -> bool:
    """Whether the type is a floating-point type."""
    return dtype.is_floating_point


def draw(case: Case, entry: Entry, shape: Mapping[str, Any], values: str, seed: int) -> dict[str, Any]:
    """The inputs by name: tensors on the CPU, contiguous, in the element types that the entry takes."""
    torch.manual_seed(seed)
    given = call_by_name(case.path, "inputs", case.inputs, {**shape, "seed": seed})
    if case.positional:
        given = _named(case, entry, given)
    if not isinstance(given, Mapping):
        raise CaseError(f"{case.path}: inputs returned {type(given).__name__}", "return a dict of tensors and numbers")
    types = {p.name: p.dtype for p in entry.pointers}
    made: dict[str, Any] = {}
    for name, value in given.items():
        if not isinstance(value, torch.Tensor):
            made[name] = value
            continue
        wanted = case.dtypes.get(name) or (getattr(torch, types[name]) if types.get(name) else value.dtype)
        value = value.detach().cpu()
        if is_float(value.dtype) and name not in case.fixed and values != "normal":
            value = changed(value, wanted, values)
        made[name] = to_dtype(value, wanted, f"{case.path}: input {name}").contiguous()
    return made


def _named(case: Case, entry: Entry, given: Any) -> dict[str, Any]:
    """Tensors in order, by the names of the entry's const pointers (or of all, where those are too few)."""
    tensors = given if isinstance(given, (tuple, list)) else (given,)
    names = [p.name for p in entry.pointers if p.constant]
    if len(names) < len(tensors):
        names = [p.name for p in entry.pointers]
    if len(names) < len(tensors):
        raise CaseError(
            f"{case.path}: {len(tensors)} inputs for {len(names)} pointers of {entry.name}",
            "give the entry all of them",
        )
    return dict(zip(names, tensors))


def to_dtype(tensor: torch.Tensor, dtype: torch.dtype, what: str = "a tensor") -> torch.Tensor:
    """The same values in another element type; a float that would have to become a whole number is a mistake."""
    if tensor.dtype == dtype:
        return tensor
    if (is_float(tensor.dtype) and not is_float(dtype)) or tensor.is_complex():
        if dtype.itemsize == tensor.dtype.itemsize and not tensor.is_complex():
            return tensor.view(dtype)  # bit patterns, as for a parameter of type unsigned short *
        raise CaseError(f"{what} is {tensor.dtype}, the entry takes {dtype}", "make it of that type in inputs()")
    if dtype in FLOAT8:
        tensor = tensor.float()
        limit = torch.finfo(dtype).max
        return tensor.clamp(-limit, limit).to(dtype)
    return tensor.to(dtype)


def to_reference(tensor: Any, precision: torch.dtype) -> Any:
    """As the reference sees it: the value that the kernel gets, computed with in more digits.

    NaN loses its sign: torch's casts to bf16 may set it, and its sort on a GPU then takes it for the smallest value.
    """
    if not isinstance(tensor, torch.Tensor) or not is_float(tensor.dtype):
        return tensor
    if tensor.is_meta:  # torch's own way to convert these imports a thousand modules first
        return torch.empty(tensor.shape, dtype=precision, device="meta")
    wide = tensor.float().to(precision) if tensor.dtype in FLOAT8 else tensor.to(precision)
    return torch.where(wide.isnan(), math.nan, wide)


def changed(tensor: torch.Tensor, dtype: torch.dtype, values: str) -> torch.Tensor:
    """A tensor of the same shape whose values look for a kernel's weak places, within what `dtype` holds.

    large     all values times a power of two, so that squares of the largest stay just finite in float32 and
              sums of a few thousand of them too; for the 16-bit types and fp8 up to a quarter of their largest
    tiny      all values small, but normal
    denormal  one in eight is below the smallest normal number of the type
    zeros     all are zero
    nan       one in a hundred (one at least) is NaN, another infinite
    """
    facts = torch.finfo(dtype if is_float(dtype) else tensor.dtype)
    tensor = tensor.double()
    if not tensor.numel():
        return tensor
    top = float(tensor.nan_to_num(0.0, 0.0, 0.0).abs().max()) or 1.0  # of the finite ones: a mask is -inf
    if values == "large":
        wanted = min(facts.max / 4, 2.0**40)
        return tensor * 2.0 ** math.floor(math.log2(wanted / top))
    if values == "tiny":
        wanted = max(facts.tiny * 2**6, 2.0**-40)
        return tensor * 2.0 ** math.floor(math.log2(wanted / top))
    if values == "denormal":
        small = torch.randn(tensor.shape, dtype=torch.float64) * facts.tiny / 4
        return torch.where(torch.rand(tensor.shape) < 0.125, small, tensor)
    if values == "zeros":
        return torch.zeros_like(tensor)
    flat = tensor.flatten().clone()
    count = max(1, flat.numel() // 100)
    places = torch.randperm(flat.numel())[: 2 * count]
    flat[places[:count]] = math.nan
    if dtype not in FLOAT8:
        flat[places[count:]] = math.inf
    return flat.view(tensor.shape)
