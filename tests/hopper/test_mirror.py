"""Mirrored warps: what a warp of 32 lanes sees of itself when each lane is played by two of a wave."""

from __future__ import annotations

from pathlib import Path

from porter.execute import RunOptions, run_program
from porter.frontend.project import SourceFile
from porter.passes.mirror import needs_mirrors
from porter.toolchain import Options

KERNELS = Path(__file__).parent / "kernels"


def test_a_mirrored_warp_is_a_warp() -> None:
    how = RunOptions(emulate=True, checks=("bounds", "all"))
    outcome = run_program([KERNELS / "mirrored_warps.hip"], [], Options(), how)
    assert outcome.code == 0
    assert outcome.findings == []


def needs(text: str) -> bool:
    return needs_mirrors(SourceFile(Path("x.cu"), text.encode()))


def test_units_in_which_warps_have_roles() -> None:
    assert needs('asm volatile("wgmma.fence.sync.aligned;");')
    assert needs('asm("bar.sync %0, %1;" :: "r"(id), "r"(n));')
    assert needs('asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; }" :: "r"(b));')
    assert needs("#include <mma.h>\n")
    assert not needs('// wgmma.mma_async is not used here\nasm volatile("bar.sync 0;");')
    assert not needs("__global__ void k() { __syncthreads(); }")
