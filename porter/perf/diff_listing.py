"""`porter asm --diff` on the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from porter.perf.asm_diff import KernelDiff, Pair, changes, widths
from porter.perf.isa import CLASSES, KernelFacts
from porter.perf.loops import Loop

__all__ = ["print_diff"]

_BRIEF = ("valu", "salu", "branch", "other")  # classes with only their largest changes shown
_SHOWN = 5


def print_diff(
    pairs: Sequence[KernelDiff], only_a: Sequence[KernelFacts], only_b: Sequence[KernelFacts], console: Console
) -> None:
    """For each kernel of both sides what changed: facts, instructions, innermost loops. Returns nothing."""
    for pair in pairs:
        names = dict.fromkeys((pair.before.facts.name, pair.after.facts.name))
        console.print(f"[bold]{escape('  ->  '.join(names))}[/bold]")
        if pair.before.mnemonics == pair.after.mnemonics and all(a == b for a, b in pair.facts.values()):
            console.print("  the same facts and the same instructions, by their counts")
            continue
        _print_both([(name, *both) for name, both in pair.facts.items()], "  ", console)
        _print_changes(pair.before.mnemonics, pair.after.mnemonics, "  ", console)
        for number, loops in enumerate(pair.loops, 1):
            _print_loop(number, loops, console)
    for side, kernels in (("A", only_a), ("B", only_b)):
        for kernel in kernels:
            console.print(f"only in {side}: {escape(kernel.name)}")


def _print_loop(number: int, pair: Pair, console: Console) -> None:
    one = pair.before or pair.after
    assert one is not None
    places = dict.fromkeys(loop.place for loop in (pair.before, pair.after) if loop and loop.place)
    title = f"  innermost loop {number}" + (f", {' -> '.join(places)}" if places else "")
    if pair.before is None or pair.after is None:
        console.print(
            f"{escape(title)}: only in {'A' if pair.before else 'B'}, {one.instructions} instructions an iteration"
        )
        return
    if pair.before.mnemonics == pair.after.mnemonics and pair.before.waits == pair.after.waits:
        console.print(f"{escape(title)}: the same {one.instructions} instructions an iteration")
        return
    console.print(f"{escape(title)}, an iteration:")
    _print_both(_loop_rows(pair.before, pair.after), "    ", console)
    _print_changes(pair.before.mnemonics, pair.after.mnemonics, "    ", console)


def _loop_rows(before: Loop, after: Loop) -> list[tuple[str, Any, Any]]:
    rows: list[tuple[str, Any, Any]] = [("instructions", before.instructions, after.instructions)]
    rows += [(name, before.mix[name], after.mix[name]) for name in CLASSES]
    rows += [(f"waits for {name}", before.waits[name], after.waits[name]) for name in _waits(before, after)]
    ours, theirs = widths(before.mnemonics), widths(after.mnemonics)
    for name in dict.fromkeys((*ours, *theirs)):
        rows.append((f"widths of {name}", _widths_text(ours.get(name, {})), _widths_text(theirs.get(name, {}))))
    return rows


def _waits(before: Loop, after: Loop) -> list[str]:
    """Waits until nothing is under way: the ones that cost."""
    return [name for name in dict.fromkeys((*before.waits, *after.waits)) if "(0)" in name]


def _widths_text(counts: dict[int, int]) -> str:
    return ", ".join(f"{count} x {size} B" for size, count in counts.items()) or "none"


def _print_both(rows: Sequence[tuple[str, Any, Any]], indent: str, console: Console) -> None:
    """A table of what differs, and a line of what does not."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    for _ in "AB":
        table.add_column(justify="right", no_wrap=True)
    for name, before, after in rows:
        if before != after:
            table.add_row(f"{indent}{escape(name)}", escape(str(before)), f"-> {escape(str(after))}")
    if table.row_count:
        console.print(table)
    same = ", ".join(
        f"{name} {before}" for name, before, after in rows if before == after and before not in (0, "none")
    )
    if same:
        console.print(f"{indent}[dim]the same: {escape(same)}[/dim]")


def _print_changes(before: Counter[str], after: Counter[str], indent: str, console: Console) -> None:
    shown: Counter[str] = Counter()
    changed = changes(before, after)
    for kind, text in changed:
        shown[kind] += 1
        if kind not in _BRIEF or shown[kind] <= _SHOWN:
            console.print(f"{indent}{escape(text)}")
    left = sum(max(0, shown[kind] - _SHOWN) for kind in _BRIEF)
    if left:
        console.print(
            f"{indent}[dim]and {left} smaller changes of vector and scalar instructions: --json has all[/dim]"
        )
