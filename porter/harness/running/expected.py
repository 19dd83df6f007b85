"""What a run's outputs are held to: names, values and element types, by the case's reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from porter.errors import PorterError
from porter.harness.cases.case import Case, call_by_name
from porter.harness.cases.entry import Entry
from porter.harness.cases.inputs import is_float, to_reference
from porter.harness.running.devices import Device

__all__ = ["Expected", "Reference"]


@dataclass(frozen=True, slots=True)
class Expected:
    """What a run is to give."""

    outputs: Mapping[str, torch.Tensor]
    types: Mapping[str, torch.dtype]
    unchecked: tuple[str, ...] = ()  # results that the reference has as None: they are not compared
    order: tuple[str, ...] = ()  # what the entry returns, in order, with outputs that are not compared


def _is_result(entry: Entry, name: str) -> bool:
    """Whether an output is what a function of Python returns; others are written through a parameter."""
    return bool(entry.module) and all(name != one.name for one in entry.parameters)


class Reference:
    """The reference of a case, and what the entry says of the outputs."""

    def __init__(self, case: Case, entry: Entry, device: Device, record: bool) -> None:
        self._case, self._entry, self._device, self._record = case, entry, device, record

    def expected(self, inputs: Mapping[str, Any], shape: Mapping[str, Any]) -> Expected:
        """What the reference says of these inputs."""
        if self._case.reference is None:
            return self.of_outputs(inputs, self._outputs_given(inputs))
        return self.of_outputs(inputs, self._called(inputs, shape))

    def shapes(self, inputs: Mapping[str, Any], shape: Mapping[str, Any]) -> Expected:
        """The same, without values where it can be had so: large shapes take long."""
        place = self._device.compute
        try:
            self._device.compute = torch.device("meta")
            meta = {k: v.to("meta") if isinstance(v, torch.Tensor) else v for k, v in inputs.items()}
            return self.expected(meta, shape)
        except Exception:
            self._device.compute = place
            return self.expected(inputs, shape)
        finally:
            self._device.compute = place

    def of_outputs(
        self, inputs: Mapping[str, Any], named: Mapping[str, torch.Tensor | None], order: tuple[str, ...] = ()
    ) -> Expected:
        """Outputs with their element types. `order`: of results, where `named` has not all of them or another one."""
        outputs = {name: value for name, value in named.items() if value is not None}
        types = {name: self._dtype(name, inputs, value) for name, value in outputs.items()}
        order = order or tuple(name for name in named if _is_result(self._entry, name))
        return Expected(outputs, types, tuple(name for name in order if name not in outputs), order)

    def _called(self, inputs: Mapping[str, Any], shape: Mapping[str, Any]) -> dict[str, torch.Tensor | None]:
        case = self._case
        assert case.reference is not None
        precision = case.precision or torch.float64
        # A copy: a reference that changes its arguments in place must not change the kernel's inputs.
        values = {name: self._copied(to_reference(value, precision)) for name, value in inputs.items()}
        # What the reference makes itself (a mask, an index) comes to where its inputs are. It may be a backward pass.
        with torch.enable_grad(), torch.device(self._device.compute):
            if case.positional:
                result = case.reference(*values.values())
            else:
                result = call_by_name(case.path, "reference", case.reference, {**shape, **values})
            named = dict(result) if isinstance(result, Mapping) else self._named(inputs, result)
            return {name: self._tensor(name, value) for name, value in named.items()}

    def _named(self, inputs: Mapping[str, Any], result: Any) -> dict[str, Any]:
        parts = result if isinstance(result, (tuple, list)) else (result,)
        names = self._unnamed(inputs, len(parts))
        names = names or [p.name for p in self._entry.pointers if not p.constant and p.name not in inputs]
        if len(names) != len(parts):
            raise PorterError(
                f"{self._case.path}: reference returns {len(parts)} tensors, the entry writes {', '.join(names) or 'none'}",
                "return a dict with the outputs' names",
            )
        return dict(zip(names, parts, strict=True))

    def _tensor(self, name: str, value: Any) -> torch.Tensor | None:
        """What a named output is compared with; None where it is not."""
        if _is_result(self._entry, name) and (value is None or isinstance(value, (bool, int, float))):
            kind = torch.float64 if isinstance(value, float) else None
            return None if value is None else torch.tensor(value, dtype=kind)
        known = {p.name: p for p in self._entry.pointers}
        written = name in known and not known[name].constant
        python = bool(self._entry.module) and (name in known or _is_result(self._entry, name))
        if not (written or python) or not isinstance(value, torch.Tensor):
            there = ", ".join(p.name for p in known.values() if not p.constant)
            raise PorterError(f"{self._case.path}: reference returns {name}", f"the entry writes {there or 'nothing'}")
        return value.detach().contiguous()

    def _unnamed(self, inputs: Mapping[str, Any], count: int) -> list[str]:
        """Names for what a function of Python returns, where its reference has none; empty where it may write them all
        through its arguments."""
        written = [p.name for p in self._entry.pointers if not p.constant and p.name not in inputs]
        if not self._entry.module or len(written) == count:
            return []
        return ["result"] if count == 1 else [f"result{number}" for number in range(count)]

    def _copied(self, value: Any) -> Any:
        """Where the reference is computed: for large shapes a GPU is the better place."""
        return value.to(self._device.compute, copy=True) if isinstance(value, torch.Tensor) else value

    def _outputs_given(self, inputs: Mapping[str, Any]) -> dict[str, torch.Tensor]:
        """Without a reference the original is the oracle: what it may write among the inputs are the outputs."""
        path = self._case.path
        if not self._record:
            raise PorterError(f"{path}: no reference", "write one, or replay a recorded run with --golden FILE")
        writable = {p.name for p in self._entry.pointers if not p.constant}
        outputs = {k: v for k, v in inputs.items() if k in writable and isinstance(v, torch.Tensor)}
        if not outputs:
            raise PorterError(
                f"{path}: no reference, and no output among the inputs", "give the outputs' tensors in inputs()"
            )
        return outputs

    def _dtype(self, name: str, inputs: Mapping[str, Any], want: torch.Tensor) -> torch.dtype:
        if name in self._case.dtypes:
            dtype: torch.dtype = self._case.dtypes[name]
            return dtype
        written = next((p.dtype for p in self._entry.pointers if p.name == name), "")
        if written:
            return getattr(torch, written)  # type: ignore[no-any-return]
        if isinstance(inputs.get(name), torch.Tensor):
            return inputs[name].dtype  # type: ignore[no-any-return]
        if self._entry.module and is_float(want.dtype):  # a signature of tensors does not say
            given = (one for one in inputs.values() if isinstance(one, torch.Tensor) and is_float(one.dtype))
            return next((one.dtype for one in given), torch.float32)
        if is_float(want.dtype) and want.dtype == (self._case.precision or torch.float64):
            raise PorterError(
                f"the element type of {name} is not known from the entry's signature",
                f'say DTYPES = {{"{name}": torch.bfloat16}} in {self._case.path}',
            )
        return want.dtype
