"""Facts of compiled kernels, read off the assembly: registers, LDS, scratch, occupancy, instruction mix."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from porter.chip import CHIPS, Chip
from porter.emu.assembly import Kernel, Line, Program, parse
from porter.emu.places import place_of
from porter.errors import InputError
from porter.toolchain import lost_waits
from porter.toolchain.demangle import demangle

__all__ = [
    "CLASSES",
    "LOST_WAIT",
    "LOST_WAIT_FIX",
    "KernelFacts",
    "compiled_kernels",
    "instruction_class",
    "kernel_facts",
    "kernel_range",
    "mfma_flops",
]

CLASSES = ("mfma", "valu", "salu", "vmem", "lds", "smem", "branch", "wait", "barrier", "other")

LOST_WAIT = "clang lost the wait for LDS in front of the barrier of a loop at"
LOST_WAIT_FIX = "--fix-waits puts it back, __builtin_amdgcn_s_waitcnt(0xc07f) in front of __syncthreads() keeps it"

_SHAPE = re.compile(r"_(\d+)x(\d+)x(\d+)(?:_?(\d+)b(?=_))?")
_BRANCHES = ("s_branch", "s_cbranch", "s_setpc", "s_swappc", "s_call", "s_endpgm")


def instruction_class(mnemonic: str) -> str:
    """The class of an instruction, one of `CLASSES`."""
    if mnemonic.startswith(("v_mfma", "v_smfmac")):
        return "mfma"
    if mnemonic.startswith("v_"):
        return "valu"
    if mnemonic.startswith(("global_", "flat_", "buffer_", "scratch_", "tbuffer_")):
        return "vmem"
    if mnemonic.startswith("ds_"):
        return "lds"
    if mnemonic.startswith(("s_load", "s_buffer_load", "s_store", "s_mem", "s_dcache")):
        return "smem"
    if mnemonic.startswith(("s_waitcnt", "s_nop", "s_sleep")):
        return "wait"
    if mnemonic.startswith("s_barrier"):
        return "barrier"
    if mnemonic.startswith(_BRANCHES):
        return "branch"
    return "salu" if mnemonic.startswith("s_") else "other"


def mfma_flops(mnemonic: str) -> int:
    """Floating-point (or integer) operations of one matrix instruction: two a multiply-add.

    A sparse instruction counts what its dense half does: the zeros are not work.
    """
    shape = _SHAPE.search(mnemonic)
    if not shape:
        return 0
    m, n, k = (int(shape[i]) for i in (1, 2, 3))
    blocks = int(shape[4] or _implied_blocks(m, n, k, mnemonic))
    total = 2 * m * n * k * blocks
    return total // 2 if mnemonic.startswith("v_smfmac") else total


def _implied_blocks(m: int, n: int, k: int, mnemonic: str) -> int:
    """Names without a block count come from before it was part of the name: 4x4 forms work on 16 blocks."""
    if (m, n) == (4, 4):
        return 4 if "f64" in mnemonic else 16
    return 1


@dataclass(frozen=True, slots=True)
class KernelFacts:
    """What the compiler gave one kernel. `limit` says what keeps the occupancy down."""

    symbol: str
    name: str
    vgprs: int
    agprs: int
    sgprs: int
    lds: int  # static
    scratch: int  # bytes a lane
    vgpr_spills: int
    sgpr_spills: int
    max_threads: int  # of a workgroup, by the launch bounds
    waves_per_simd: int
    limit: str
    instructions: int
    mix: dict[str, int]
    mnemonics: Counter[str]
    lost_waits: tuple[str, ...] = ()  # barriers that lost their wait for LDS in clang
    target: str = field(kw_only=True)

    @property
    def chip(self) -> Chip:
        return CHIPS[self.target]


def kernel_range(program: Program, symbol: str) -> range:
    """The instructions of one function: from its label to the next function's."""
    first = program.labels[symbol]
    later = (index for name, index in program.labels.items() if index > first and not name.startswith(".L"))
    return range(first, min(later, default=len(program.lines)))


def compiled_kernels(assembly: Path) -> list[KernelFacts]:
    """Of a file of device assembly."""
    text = assembly.read_text()
    return kernel_facts(parse(text), text)


def kernel_facts(program: Program, text: str) -> list[KernelFacts]:
    """In the order of the assembly. The mix is of the kernel's own text, functions that it calls not included."""
    if program.target not in CHIPS:
        raise InputError(f"the assembly is for {program.target}", f"porter knows {' and '.join(CHIPS)}")
    facts = []
    lost = set(lost_waits(text))
    for kernel in program.kernels.values():
        if kernel.name not in program.labels:
            continue
        own = kernel_range(program, kernel.name)
        names = Counter(line.text.split(None, 1)[0] for line in program.lines[own.start : own.stop])
        waits = _barriers(program, [line for line in program.lines[own.start : own.stop] if line.number in lost])
        facts.append(replace(_facts(program, kernel, names), lost_waits=waits))
    return facts


def _barriers(program: Program, lines: list[Line]) -> tuple[str, ...]:
    """Where barriers of headers were called. A bare s_barrier of the user's own promises nothing about memory."""
    places = (place_of(program.files[line.file], line.line, program.callers[line.callers]) for line in lines)
    return tuple(dict.fromkeys(f"{place.file}:{place.line}" for place in places if place.inner_line))


def _facts(program: Program, kernel: Kernel, names: Counter[str]) -> KernelFacts:
    def about(key: str) -> int:
        text = kernel.metadata.get(key, "0")
        return int(text) if text.isdigit() else 0

    agprs = about(".agpr_count")
    total = about(".vgpr_count")
    symbol = f"{kernel.name}.num_vgpr"
    vgprs = program.evaluate(symbol) if symbol in program.values else total - agprs
    lds = about(".group_segment_fixed_size")
    chip = CHIPS[program.target]
    threads = about(".max_flat_workgroup_size") or chip.max_threads
    by_registers = chip.waves_per_simd(vgprs, agprs)
    waves = by_registers
    limit = "registers" if by_registers < chip.max_waves else f"the hardware's {chip.max_waves} waves"
    if lds:
        groups = chip.lds_bytes // lds
        by_lds = groups * chip.waves_of(threads) / chip.simds
        if by_lds < waves:
            waves, limit = max(1, int(by_lds)), "LDS"
    mix = dict.fromkeys(CLASSES, 0)
    for name, count in names.items():
        mix[instruction_class(name)] += count
    return KernelFacts(
        symbol=kernel.name,
        name=demangle(kernel.name),
        vgprs=vgprs,
        agprs=agprs,
        sgprs=about(".sgpr_count"),
        lds=lds,
        scratch=about(".private_segment_fixed_size"),
        vgpr_spills=about(".vgpr_spill_count"),
        sgpr_spills=about(".sgpr_spill_count"),
        max_threads=threads,
        waves_per_simd=waves,
        limit=limit,
        instructions=sum(names.values()),
        mix=mix,
        mnemonics=names,
        target=program.target,
    )
