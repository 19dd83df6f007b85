"""`porter asm`: a kernel's resources, its mix of instructions, and the assembly itself."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from porter.emu.assembly import Program
from porter.errors import InputError
from porter.perf.isa import CLASSES, LOST_WAIT, LOST_WAIT_FIX, KernelFacts, kernel_facts, kernel_range
from porter.toolchain.demangle import brief_name

__all__ = ["facts_as_json", "print_facts", "print_listing", "select"]


def select(program: Program, text: str, pattern: str) -> list[KernelFacts]:
    """The kernels of an assembly text whose name holds `pattern`, all of them without one."""
    facts = kernel_facts(program, text)
    if not facts:
        raise InputError("the source has no kernel for the device", "only __global__ functions that are used count")
    chosen = [kernel for kernel in facts if pattern in kernel.name or pattern == kernel.symbol]
    if not chosen:
        names = ", ".join(brief_name(kernel.name) for kernel in facts[:8])
        raise InputError(f"no kernel's name holds {pattern!r}", f"there are: {names}")
    return chosen


def print_facts(facts: list[KernelFacts], console: Console) -> None:
    """Prints each kernel's registers, LDS, occupancy and instruction mix; returns nothing."""
    for kernel in facts:
        console.print(f"[bold]{escape(kernel.name)}[/bold]")
        spills = f", {kernel.vgpr_spills + kernel.sgpr_spills} registers spilled"
        console.print(
            f"  registers  {kernel.vgprs} VGPR + {kernel.agprs} AGPR, {kernel.sgprs} SGPR"
            + (spills if kernel.vgpr_spills + kernel.sgpr_spills else "")
        )
        console.print(f"  LDS        {kernel.lds} B static; scratch {kernel.scratch} B a lane")
        console.print(
            f"  occupancy  {kernel.waves_per_simd} of {kernel.chip.max_waves} waves a SIMD at {kernel.max_threads} threads a workgroup, "
            f"limited by {kernel.limit}"
        )
        if kernel.lost_waits:
            places = ", ".join(escape(place) for place in kernel.lost_waits)
            console.print(f"  [bold yellow]waits[/bold yellow]      {LOST_WAIT} {places}: {LOST_WAIT_FIX}")
        mix = "  ".join(f"{name} {kernel.mix[name]}" for name in CLASSES if kernel.mix[name])
        console.print(f"  {kernel.instructions} instructions: {mix}")
        table = Table(box=None, pad_edge=False, show_header=False)
        table.add_column(style="dim")
        for name, count in kernel.mnemonics.most_common(10):
            table.add_row(f"    {name}", str(count))
        console.print(table)


def print_listing(program: Program, facts: list[KernelFacts]) -> None:
    """The instructions of the chosen kernels with their labels, and the source line where it changes."""
    labels: dict[int, list[str]] = {}
    for name, index in program.labels.items():
        if not name.startswith((".Ltmp", ".Lfunc")):
            labels.setdefault(index, []).append(name)
    for kernel in facts:
        place = (0, 0)
        for index in kernel_range(program, kernel.symbol):
            for name in labels.get(index, ()):
                print(f"{name}:")
            line = program.lines[index]
            if (line.file, line.line) != place and line.line:
                place = line.file, line.line
                print(f"  ; {Path(program.files[line.file]).name}:{line.line}")
            print(f"    {line.text}")
        print()


def facts_as_json(facts: list[KernelFacts]) -> list[dict[str, object]]:
    """The kernels' facts as data for JSON."""
    return [
        {
            "name": kernel.name,
            "symbol": kernel.symbol,
            "vgprs": kernel.vgprs,
            "agprs": kernel.agprs,
            "sgprs": kernel.sgprs,
            "lds_bytes": kernel.lds,
            "scratch_bytes": kernel.scratch,
            "vgpr_spills": kernel.vgpr_spills,
            "sgpr_spills": kernel.sgpr_spills,
            "max_threads": kernel.max_threads,
            "waves_per_simd": kernel.waves_per_simd,
            "limited_by": kernel.limit,
            "instructions": kernel.instructions,
            "lost_waits": list(kernel.lost_waits),
            "mix": kernel.mix,
            "mnemonics": dict(kernel.mnemonics.most_common()),
        }
        for kernel in facts
    ]
