"""Lane and warp numbers that a kernel works out for itself: `threadIdx.x & 31`, `tid / WARP_SIZE`.

The port keeps logical warps of 32 lanes, so these numbers stay as they are. They are reported all
the same: whoever widens the kernel to 64 lanes later must know every one of them.
"""

from __future__ import annotations

from porter.analysis.lanes import Threads, lane_sites
from porter.findings import Finding, Safety
from porter.frontend.cpp.constants import Constants
from porter.frontend.unit import Unit
from porter.passes.warp.warp_branches import meetings
from porter.passes.warp.warp_synchronous import spins, unsynchronised
from porter.rules import RuleSet

__all__ = ["run"]

_MESSAGES = {
    "lane": "a lane number within 32: unchanged, the port keeps CUDA's logical warps",
    "warp": "a warp number, 32 lanes to a warp: unchanged, the port keeps CUDA's logical warps",
    "warps": "a number of 32-lane warps: unchanged, the port keeps CUDA's logical warps",
    "array": "an array with one element for each 32-lane warp: keeps its size",
}


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    constants = Constants(unit.file, unit.options.defines)
    threads = Threads(unit)
    sites = lane_sites(unit, constants, threads)
    findings = [
        Finding("lane-index", unit.tokens[s.first].start, unit.tokens[s.last - 1].end, Safety.EXACT, _MESSAGES[s.kind])
        for s in sites
    ]
    findings += spins(unit, threads, constants)
    findings += unsynchronised(unit, threads, constants, sites)
    findings += meetings(unit, threads, constants, sites)
    return findings
