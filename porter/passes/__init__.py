"""The passes, in the order in which they look at a file. Each is `run(unit, rules) -> findings`."""

from __future__ import annotations

from collections.abc import Callable

from porter.frontend.unit import Unit
from porter.model import Finding
from porter.passes import calls
from porter.passes.device import device, programmatic_launch, redefinitions, shared_initializer
from porter.passes.hopper import block_over_16_warps, cluster, shared_headers, shared_memory_budget, warp_roles
from porter.passes.host import include_project, kernel_text, libcudacxx, names, narrowing, unknown_name
from porter.passes.ptx import asm_registers, inline_ptx
from porter.passes.warp import lane_index, warp_size, warp_widen
from porter.rules import RuleSet

__all__ = ["PASSES", "Pass"]

Pass = Callable[[Unit, RuleSet], list[Finding]]

PASSES: tuple[Pass, ...] = (
    inline_ptx.run,
    asm_registers.run,
    warp_roles.run,
    cluster.run,
    shared_headers.run,
    programmatic_launch.run,
    block_over_16_warps.run,
    shared_memory_budget.run,
    include_project.run,
    redefinitions.run,
    warp_widen.run,
    lane_index.run,
    calls.run,
    warp_size.run,
    device.run,
    shared_initializer.run,
    kernel_text.run,
    narrowing.run,
    names.run,
    libcudacxx.run,
    unknown_name.run,
)
