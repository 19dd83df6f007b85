"""Attributes that allow a kernel as much dynamic shared memory as only the running program knows.

A launch may ask for more than 48 KiB only where an attribute allows it, so that no other size can be too large.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from porter.analysis.launch_requests import Request, direct_requests
from porter.analysis.static_shared import statics
from porter.budget.whole_unit import beside
from porter.findings import Safety
from porter.frontend.unit import Unit
from porter.passes.hopper import shared_memory_budget

__all__ = ["RunTimeSize", "run_time_sizes"]

_SETTINGS = ("cudaFuncSetAttribute", "cuFuncSetAttribute")
_BLOCK = (
    1 << 10
)  # what a block keeps in LDS of where its shared memory is, and what that moves (porter/device_shared.h)


@dataclass(frozen=True, slots=True)
class RunTimeSize:
    request: Request
    most: int  # bytes that fit into LDS beside what is static
    static: int


def run_time_sizes(unit: Unit) -> list[RunTimeSize]:
    """Of this file, where kernels of the unit are known that they are for."""
    if not any(unit.file.places(*_SETTINGS)):
        return []
    own = shared_memory_budget.own_findings(unit)
    settled = {finding.start for finding in own if finding.safety is not Safety.REVIEW}  # lowered, whatever is launched
    wanted = [
        request
        for request in direct_requests(unit)
        if request.setting >= 0 and request.kernels and _places(unit, request).isdisjoint(settled)
    ]
    static = _static(unit, wanted)
    runtime = shared_memory_budget.runtime_bytes(unit)
    return [
        RunTimeSize(request, unit.chip.lds_bytes - _BLOCK - _in_blocks(runtime + own), own)
        for request, own in zip(wanted, static)
    ]


def _places(unit: Unit, request: Request) -> set[int]:
    return {unit.tokens[request.setting].start, unit.tokens[request.first].start}


def _static(unit: Unit, wanted: list[Request]) -> Iterable[int]:
    """Bytes of static shared memory that blocks of each request's kernels have."""
    kernels = frozenset[str]().union(*(request.kernels for request in wanted))
    if not any(static.kernels & kernels for static in statics(unit, beside(unit).values())):
        return [0] * len(wanted)
    problem = shared_memory_budget.problem_of(unit, wanted)
    return [problem.static(problem.now, number) for number in range(len(wanted))]


def _in_blocks(size: int) -> int:
    return -(-size // _BLOCK) * _BLOCK
