"""What a run in the emulator found and counted, for the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from porter.emu.device import InstructionCount
from porter.perf.counters import Totals, by_line, total
from porter.perf.fidelity import fidelity
from porter.toolchain.demangle import brief_name

__all__ = ["fails", "findings_by_line", "print_counters", "sum_launches", "summarize_findings"]


def findings_by_line(launches: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The findings of all launches, one for each kind and source line, with the kernel of its first and the count of all.

    Without a line, one for each instruction of a kernel. `others` are further places that it names beside `other`."""
    merged: dict[tuple[Any, ...], dict[str, Any]] = {}
    for launch in launches:
        for finding in launch.get("findings", ()):
            line = finding.get("line")
            place = (finding["file"], line) if line else (launch["kernel"], finding.get("instruction"))
            key = (finding["kind"], place)
            known = merged.get(key)
            if known is None:
                merged[key] = {"kernel": launch["kernel"], "block": launch.get("block"), **finding}
                continue
            known["count"] = known.get("count", 1) + finding.get("count", 1)
            _add_others(known, finding)
    return list(merged.values())


def _add_others(known: dict[str, Any], finding: Mapping[str, Any]) -> None:
    def at(place: Mapping[str, Any]) -> tuple[Any, ...]:
        return place.get("file"), place.get("line")

    theirs = [*([finding["other"]] if "other" in finding else []), *finding.get("others", ())]
    for place in theirs:
        ours = [*([known["other"]] if "other" in known else []), *known.get("others", ())]
        if at(place) in map(at, ours):
            continue
        if ours:
            known["others"] = [*known.get("others", ()), place]
        else:
            known["other"] = place


def summarize_findings(launches: Iterable[dict[str, Any]]) -> str:
    """One line: how many places of each kind, the harmless ones last. The runtime has printed each finding where it
    happened."""
    findings = findings_by_line(launches)
    harmless = Counter(str(finding["kind"]) for finding in findings if finding.get("harmless"))
    kinds = Counter(str(finding["kind"]) for finding in findings) - harmless
    parts = [_kinds(kinds, "finding")] if kinds else []
    parts += [_kinds(harmless, "harmless finding")] if harmless else []
    return "; ".join(parts)


def fails(launches: Iterable[dict[str, Any]]) -> bool:
    """Whether there is a finding to fix."""
    return any(not finding.get("harmless") for finding in findings_by_line(launches))


def _kinds(kinds: Counter[str], what: str) -> str:
    plural = "" if kinds.total() == 1 else "s"
    counts = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
    return f"{kinds.total()} {what}{plural}: {counts}"


def sum_launches(launches: Iterable[dict[str, Any]]) -> dict[str, tuple[int, list[InstructionCount]]]:
    """By kernel: how often it was launched, and the counts of its instructions added up."""
    sums: dict[str, tuple[int, dict[tuple[str, str, int, int], list[int]]]] = {}
    for launch in launches:
        if not launch.get("instructions", 1):  # a finding between two operations
            continue
        times, counts = sums.get(launch["kernel"], (0, {}))
        for index, row in enumerate(launch.get("counts", ())):
            text, file, line, *numbers = row
            known = counts.setdefault((text, file, line, index), [0] * len(numbers))
            for at, number in enumerate(numbers):
                known[at] += number
        sums[launch["kernel"]] = times + 1, counts
    return {
        kernel: (
            times,
            [InstructionCount(text, file, line, *numbers) for (text, file, line, _), numbers in counts.items()],
        )
        for kernel, (times, counts) in sums.items()
    }


def print_counters(launches: list[dict[str, Any]], console: Console, assembly: Sequence[Path] | None = None) -> None:
    """By kernel, then by source line: active lanes, LDS cycles and their ratio to the fewest, global bytes, 128-byte
    lines and the share of the lines in use. All of it counted, nothing measured on a GPU."""
    sums = sum_launches(launches)
    table = Table(box=None, pad_edge=False, title="counted in the emulator", title_justify="left")
    table.add_column("kernel", overflow="fold")  # and no number is cut off
    for column in ("launches", "instr", "mfma", "valu", "salu", "vmem", "lds", "smem", "wait", "GFLOP"):
        table.add_column(column, justify="right", no_wrap=True)
    for kernel, (times, counts) in sums.items():
        sum_ = total(counts)
        mix = [_short(sum_.by_class[name]) for name in ("mfma", "valu", "salu", "vmem", "lds", "smem", "wait")]
        table.add_row(
            escape(brief_name(kernel)), str(times), _short(sum_.instructions), *mix, f"{sum_.mfma_flops / 1e9:.3f}"
        )
    console.print(table)
    for kernel, (_, counts) in sums.items():
        _print_lines(kernel, counts, console)
    if sums:
        console.print(fidelity(launches, assembly).sentence(), markup=False)


def _print_lines(kernel: str, counts: list[InstructionCount], console: Console) -> None:
    lines = [(place, sum_) for place, sum_ in by_line(counts).items() if sum_.global_bytes or sum_.lds_ideal]
    if not lines:
        return
    table = Table(box=None, pad_edge=False, title=f"memory of {escape(brief_name(kernel))}, by source line")
    table.title_justify = "left"
    table.add_column("line", overflow="fold")
    for column in ("accesses", "lanes", "LDS cycles", "conflicts", "bytes", "lines", "best"):
        table.add_column(column, justify="right", no_wrap=True)
    for (file, line), sum_ in sorted(lines, key=lambda item: -_weight(item[1]))[:20]:
        table.add_row(
            f"{Path(file).name}:{line}",
            _short(sum_.accesses),
            f"{100 * sum_.active_lanes:.0f}%",
            _short(sum_.lds_cycles) if sum_.lds_ideal else "",
            f"{sum_.lds_conflict_factor:.2f}x" if sum_.lds_ideal else "",
            _short(sum_.global_bytes) if sum_.global_bytes else "",
            _short(sum_.lines) if sum_.lines else "",
            f"{100 * sum_.coalescing:.0f}%" if sum_.lines else "",
        )
    console.print(table)


def _weight(sum_: Totals) -> int:
    return sum_.lds_cycles + 4 * sum_.lines


def _short(number: int) -> str:
    for limit, letter in ((10**9, "G"), (10**6, "M"), (10**4, "k")):
        if number >= limit:
            return f"{number / (1000 if letter == 'k' else limit):.1f}{letter}"
    return str(number)
