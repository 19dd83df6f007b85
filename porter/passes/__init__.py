"""The passes, in the order in which they look at a file. Each is `run(unit, rules) -> findings`."""

from __future__ import annotations

from collections.abc import Callable

from porter.frontend.unit import Unit
from porter.model import Finding
from porter.passes import (
    asm_registers,
    block_size,
    budget,
    calls,
    clusters,
    device,
    includes,
    inline_ptx,
    kernel_text,
    lanes,
    leftover,
    libcudacxx,
    mirror,
    names,
    narrowing,
    programmatic,
    redefinitions,
    shared_headers,
    shared_memory,
    warps,
    widen,
)
from porter.rules import RuleSet

__all__ = ["PASSES", "Pass"]

Pass = Callable[[Unit, RuleSet], list[Finding]]

PASSES: tuple[Pass, ...] = (
    inline_ptx.run,
    asm_registers.run,
    mirror.run,
    clusters.run,
    shared_headers.run,
    programmatic.run,
    block_size.run,
    budget.run,
    includes.run,
    redefinitions.run,
    widen.run,
    lanes.run,
    calls.run,
    warps.run,
    device.run,
    shared_memory.run,
    kernel_text.run,
    narrowing.run,
    names.run,
    libcudacxx.run,
    leftover.run,
)
