"""Sweeps: the best configuration by shape, on the terminal, as Markdown, as JSON and as a C header."""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from porter.errors import UsageError
from porter.harness.sweeps.sweep import Point, Results, ranked
from porter.harness.sweeps.sweep_file import Configuration
from porter.harness.timing.throughput import milliseconds
from porter.harness.verdict import shape_text
from porter.report.formats.markdown_text import plain
from porter.report.tables.bench_table import print_table

__all__ = ["MADE", "SUFFIXES", "Best", "best_of", "best_text", "check_best", "done_rows", "print_best"]

MADE = "By porter verify, from a sweep"
SUFFIXES = (".md", ".json", ".h")
_NAMED = 3  # configurations beside a reason
_COLUMNS = ("case", "shape", "side", "constants", "flags", "time", "range", "TFLOP/s", "GB/s", "next one", "proven")


@dataclass(frozen=True, slots=True)
class Best:
    """The fastest configuration of a case for a shape; `row` is None where no configuration has a time."""

    case: str
    shape: Mapping[str, Any]
    row: Mapping[str, Any] | None
    second: float  # time of the next configuration over its own; 0 where there is none
    proven: str  # "yes", or why not

    def cells(self) -> tuple[str, ...]:
        """As texts under `_COLUMNS`."""
        row = self.row
        if row is None:
            return (self.case, shape_text(self.shape), "none has a time", *[""] * (len(_COLUMNS) - 3))
        low, likely, high = (milliseconds(us / 1000) for us in row["microseconds"])
        return (
            self.case, shape_text(self.shape), row["side"], shape_text(row["constants"]), _flags(row), likely,
            f"{low} to {high}", f"{row['tflops']:.1f}" if row["flops"] else "", f"{row['gbs']:,.0f}" if row["bytes"] else "",
            f"+{100 * (self.second - 1):.1f}%" if self.second else "", self.proven,
        )  # fmt: skip


def _flags(row: Mapping[str, Any]) -> str:
    """The name of the set and what is in it."""
    return ": ".join(text for text in (str(row["flags"]), " ".join(row["words"])) if text)


def best_of(points: Sequence[Point], results: Results) -> list[Best]:
    """One for each case and shape."""
    best_points = []
    for (case, shape), own in ranked(points, results).items():
        rows = [results.rows[point.key] for point in own]
        second = rows[1]["microseconds"][1] / rows[0]["microseconds"][1] if len(rows) > 1 else 0.0
        proof = results.rows.get(own[0].proof, {}) if own else {}
        proven = "yes" if proof or (rows and rows[0]["kind"] == "measured") else "no"
        best_points.append(Best(case, json.loads(shape), rows[0] if rows else None, second, proven if rows else ""))
    return best_points


def _headline(points: Sequence[Point], results: Results) -> str:
    """How many points there are, and what became of them."""
    rows = [results.rows[point.key] for point in points if point.key in results.rows]
    counts = Counter(str(row["kind"]) if row["status"] == "done" else str(row["status"]) for row in rows)
    counts["not done"] += len(points) - len(rows)
    parts = [f"{count:,} {name}" for name, count in sorted(counts.items()) if count]
    where = ", ".join(sorted({str(row.get("gpu") or row["device"]) for row in rows}))
    return f"{len(points):,} points{f' for {where}' if where else ''}: {', '.join(parts)}"


def print_best(points: Sequence[Point], results: Results, console: Console) -> None:
    """The table, then why points were skipped or failed, and configurations that were found wrong. Returns nothing."""
    console.print(f"\n[bold]{escape(_headline(points, results))}[/bold]", soft_wrap=True)
    best = [one.cells() for one in best_of(points, results)]
    used = [n for n in range(len(_COLUMNS)) if any(cells[n] for cells in best)]
    table = Table(box=None, pad_edge=False)
    for n in used:
        table.add_column(_COLUMNS[n], justify="left" if n < 5 else "right", no_wrap=True)
    for cells in best:
        table.add_row(*(escape(cells[n]) for n in used))
    print_table(table, console)
    for line in _notes(points, results):
        console.print(escape(line), soft_wrap=True)


def _notes(points: Sequence[Point], results: Results) -> list[str]:
    """Each reason once, with the number of points and their constants."""
    reasons: Counter[tuple[str, str]] = Counter()
    configurations: dict[tuple[str, str], dict[str, None]] = {}
    for point in points:
        row = results.rows.get(point.key, {})
        if row.get("status") in ("skipped", "failed"):
            reason = str(row["status"]), str(row["reason"])
            reasons[reason] += 1
            configurations.setdefault(reason, {})[shape_text(row.get("constants", {}))] = None
    lines = [
        f"{reason[0]}: {count:,} points{_named(configurations[reason])}: {reason[1]}"
        for reason, count in reasons.most_common()
    ]
    wrong = {point.proof: results.rows[point.proof] for point in points if point.proof in results.rows}
    lines += [
        f"wrong, not taken: {row['case']} {row['side']} {shape_text(row['constants'])} {_flags(row)}: {row['reason']}"
        for row in wrong.values()
        if row["status"] == "failed"
    ]
    return lines


def _named(configurations: Iterable[str]) -> str:
    """The first constants, and how many others there are."""
    names = [name for name in configurations if name]
    more = f" and {len(names) - _NAMED:,} others" if len(names) > _NAMED else ""
    return f" ({'; '.join(names[:_NAMED])}{more})" if names else ""


def check_best(path: Path) -> None:
    """Fail on a name that no format belongs to, before a long run."""
    if path.suffix not in SUFFIXES:
        raise UsageError(f"--best {path}: no format has such a name", f"end it in one of {', '.join(SUFFIXES)}")


def best_text(points: Sequence[Point], results: Results, path: Path) -> str:
    """What belongs into a file, in the format that its suffix names."""
    check_best(path)
    texts = {".md": _markdown, ".json": _json, ".h": _header}
    return texts[path.suffix](points, results)


def _markdown(points: Sequence[Point], results: Results) -> str:
    best = [one.cells() for one in best_of(points, results)]
    used = [n for n in range(len(_COLUMNS)) if any(cells[n] for cells in best)]
    lines = [f"<!-- {MADE} -->", "", _headline(points, results) + ".", ""]
    lines.append("| " + " | ".join(_COLUMNS[n] for n in used) + " |")
    lines.append("|" + "|".join("---" if n < 5 else "---:" for n in used) + "|")
    lines += ["| " + " | ".join(plain(cells[n]) for n in used) + " |" for cells in best]
    notes = _notes(points, results)
    return "\n".join([*lines, *(["", *(f"- {line}" for line in notes)] if notes else [])]) + "\n"


def _json(points: Sequence[Point], results: Results) -> str:
    data = {
        "schema": "porter-sweep-best/1",
        "summary": _headline(points, results),
        "best": [
            {
                "case": best.case,
                "shape": best.shape,
                "proven": best.proven,
                "next_over_best": best.second,
                "arguments": _arguments(best.row) if best.row else None,
                "row": best.row,
            }
            for best in best_of(points, results)
        ],
        "notes": _notes(points, results),
    }
    return json.dumps(data, indent=1) + "\n"


def _arguments(row: Mapping[str, Any]) -> list[str]:
    """What the compiler gets: the constants, then the flags."""
    configuration = Configuration(row["side"], row["constants"], row["flags"], tuple(row["words"]))
    return [*(f"-D{define}" for define in configuration.defines), *configuration.words]


def _flag_lines(rows: Sequence[tuple[Best, Mapping[str, Any]]]) -> list[str]:
    """Comments: the flags that a header cannot set. A build that reads "porter-flags" has those of every shape."""
    shapes: dict[str, list[str]] = {}
    for one, row in rows:
        shapes.setdefault(shlex.join(row["words"]), []).append(shape_text(one.shape))
    if len(shapes) == 1:
        (words,) = shapes
        return [f"// porter-flags: {words}"] if words else []
    lines = ["// The compiler's flags differ by shape: a build for each, and only its shapes from it."]
    return lines + [f"// porter-flags[{'; '.join(own)}]: {words}".rstrip() for words, own in shapes.items()]


def _header(points: Sequence[Point], results: Results) -> str:
    """A macro for each case, whose argument is called once a shape: its values, then the constants. Flags are comments."""
    lines = [f"// {_headline(points, results)}.", f"// {MADE}; do not edit.", "#pragma once"]
    cases: dict[str, list[Best]] = {}
    for best_point in best_of(points, results):
        cases.setdefault(best_point.case, []).append(best_point)
    for case, best in cases.items():
        rows = [(best_point, best_point.row) for best_point in best if best_point.row is not None]
        if not rows:
            continue
        names = [*rows[0][0].shape, *rows[0][1]["constants"]]
        lines += ["", *_flag_lines(rows), f"// X({', '.join(names)})"]
        texts = []
        for best_point, row in rows:
            values = ", ".join(_literal(value) for value in (*best_point.shape.values(), *row["constants"].values()))
            how = " ".join(word for word in (row["side"], *row["words"]) if word)
            texts.append(f"  X({values}) /* {how}: {milliseconds(row['microseconds'][1] / 1000)} {row['kind']} */")
        macro = re.sub(r"\W", "_", f"PORTER_BEST_{case}").upper()
        lines += [f"#define {macro}(X) \\", *(f"{text} \\" for text in texts[:-1]), texts[-1]]
    return "\n".join(lines) + "\n"


def _literal(value: Any) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def done_rows(points: Sequence[Point], results: Results) -> list[Mapping[str, Any]]:
    """The rows of the points that have a time."""
    return [results.rows[point.key] for point in points if results.rows.get(point.key, {}).get("status") == "done"]
