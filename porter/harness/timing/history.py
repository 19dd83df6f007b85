"""The history of timings: a file of JSON lines, one a case, side, shape and mode; and what changed between two runs."""

from __future__ import annotations

import contextlib
import hashlib
import json
import subprocess
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from porter import __version__
from porter.errors import InputError
from porter.harness.timing.sweep_history import SweepTimings, timings_of
from porter.harness.timing.throughput import gigabytes_per_second, teraflops
from porter.harness.verdict import Timing, Verdict
from porter.perf.model.boards import Inputs
from porter.perf.model.identity import model_digest

__all__ = [
    "DEFAULT_FILE",
    "SCHEMA",
    "Change",
    "History",
    "append",
    "compare_rows",
    "own_timings",
    "predicted_rows",
    "read_history",
    "rows_of",
    "runs_to_compare",
]

SCHEMA = "porter-bench/1"
DEFAULT_FILE = Path("porter-bench.jsonl")
NOISE = 0.02  # medians that differ by less say nothing, however narrow their spreads: clocks drift as much
_KEY = ("case", "side", "shape", "mode", "device")
_MADE_BY = "porter verify --bench writes them on a GPU, and with --history FILE or --sweep FILE without one"


def own_timings(verdict: Verdict) -> tuple[Timing, ...]:
    """Those of the port or the original itself, one a mode."""
    name = "original" if verdict.side == "original" else verdict.side
    return tuple(timing for timing in verdict.timings if timing.name == name)


def rows_of(verdicts: Iterable[Verdict], folder: Path) -> list[dict[str, Any]]:
    """The rows of one run of `porter verify --bench` or `porter record`."""
    common, rows = _common("measured", folder), []
    for verdict in verdicts:
        for timing in own_timings(verdict):
            beside = {
                other.name: {"median_ms": other.median_ms, "low_ms": other.low_ms, "high_ms": other.high_ms}
                for other in verdict.timings
                if other.mode == timing.mode and other is not timing
            }
            facts = dict(verdict.bench.get("device", {}))
            rows.append(
                {
                    **common,
                    "case": verdict.case, "side": verdict.side, "shape": dict(verdict.shape), "mode": timing.mode,
                    "device": facts.pop("device", verdict.backend), "status": verdict.status.value,
                    "median_ms": timing.median_ms, "low_ms": timing.low_ms, "high_ms": timing.high_ms,
                    "iterations": timing.iterations, "note": timing.note, "beside": beside,
                    "flops": verdict.flops, "bytes": verdict.bytes, "dtype": verdict.bench.get("dtype", ""),
                    "tflops": round(teraflops(verdict.flops, timing.median_ms), 3),
                    "gbs": round(gigabytes_per_second(verdict.bytes, timing.median_ms), 3),
                    "ceiling": dict(verdict.bench.get("ceiling", {})), "versions": facts,
                    "source": _short(Path(verdict.source), folder), "source_sha256": _hash(Path(verdict.source)),
                }
            )  # fmt: skip
    return rows


def predicted_rows(verdicts: Iterable[Verdict], folder: Path) -> list[dict[str, Any]]:
    """The rows of what one run of `porter verify --bench` predicted: the likely time and its range."""
    common = _common("predicted", folder)
    return [_predicted_row(verdict, common, folder) for verdict in verdicts if verdict.predicted]


def _predicted_row(verdict: Verdict, common: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    predicted = verdict.predicted
    low, likely, high = (us / 1e3 for us in predicted["microseconds"])
    return {
        **common,
        "case": verdict.case, "side": verdict.side, "shape": dict(verdict.shape), "mode": "predicted",
        "device": f"{predicted['board']}, {Inputs(predicted['inputs']).text}", "status": verdict.status.value,
        "median_ms": likely, "low_ms": low, "high_ms": high, "model": model_digest(),
        "beside": {one["by"]: {"median_ms": one["microseconds"] / 1e3} for one in predicted["published"]},
        "flops": predicted["flops"], "bytes": predicted["bytes"], "dtype": predicted["dtype"],
        "tflops": round(teraflops(predicted["flops"], likely), 3), "gbs": round(gigabytes_per_second(predicted["bytes"], likely), 3),
        "source": _short(Path(verdict.source), folder), "source_sha256": _hash(Path(verdict.source)),
    }  # fmt: skip


def _common(kind: str, folder: Path) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "kind": kind,
        "run": uuid.uuid4().hex[:12],
        "time": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "porter": __version__,
        "commit": _commit(folder),
    }


def _short(source: Path, folder: Path) -> str:
    """From the working folder, where the source lies below it: a history is shared, a machine's folders are not."""
    path = source.absolute()
    return path.relative_to(folder.absolute()).as_posix() if folder.absolute() in path.parents else source.name


def _hash(source: Path) -> str:
    return hashlib.sha256(source.read_bytes()).hexdigest() if source.is_file() else ""


def _commit(folder: Path) -> str:
    """Of the working folder, with + where files differ from it; empty where there is no git."""
    words = []
    for command in (("rev-parse", "HEAD"), ("status", "--porcelain", "--untracked-files=no")):
        try:
            result = subprocess.run(["git", "-C", str(folder), *command], capture_output=True, text=True, timeout=20)
        except (OSError, subprocess.TimeoutExpired):
            return ""
        if result.returncode:
            return ""
        words.append(result.stdout.strip())
    return words[0] + ("+" if words[1] else "")


def append(file: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """In one write, after whatever is there; a line that an interrupted run left half stays a line of its own."""
    text = "".join(json.dumps(row) + "\n" for row in rows)
    if not text:
        return
    try:
        with file.open("a+b") as out:
            end = out.seek(0, 2)
            if end:
                out.seek(end - 1)
                text = text if out.read(1) == b"\n" else "\n" + text
            out.write(text.encode())
    except OSError as error:
        raise InputError(f"{file}: {error.strerror or error}", "name another with --history FILE") from error


@dataclass(frozen=True, slots=True)
class History:
    rows: tuple[Mapping[str, Any], ...]
    unread: tuple[int, ...]  # numbers of lines that are no rows
    without: Mapping[str, int] = field(default_factory=dict)  # points of a sweep that have no time, by their status

    @property
    def runs(self) -> list[str]:
        """In the order in which they were made."""
        return list(dict.fromkeys(str(row["run"]) for row in self.rows))


def read_history(file: Path) -> History:
    """The runs of a history file, and the numbers of the lines that are no timings."""
    return _history(file, _lines(file))


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise InputError(f"{file}: {error.strerror or error}", _MADE_BY) from error


def _history(file: Path, lines: Sequence[str]) -> History:
    rows, unread = [], []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        row = _row(line)
        if row is None:
            unread.append(number)
        else:
            rows.append(row)
    if not rows:
        raise InputError(f"{file}: holds no timings", _MADE_BY)
    return History(tuple(rows), tuple(unread))


def _sweep(lines: Iterable[str]) -> SweepTimings | None:
    """What a sweep's results file says; None where the lines are no sweep's."""
    rows = []
    for line in lines:
        with contextlib.suppress(ValueError):
            rows.append(json.loads(line))
    timings = timings_of(rows)
    return timings if timings.last or timings.without else None


def _row(line: str) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
        if row["schema"] != SCHEMA or not isinstance(row["shape"], dict) or not row["run"]:
            return None
        if not all(isinstance(row[name], (int, float)) for name in ("median_ms", "low_ms", "high_ms")):
            return None
        return row if all(name in row for name in (*_KEY, "source_sha256")) else None
    except (ValueError, KeyError, TypeError):
        return None


def runs_to_compare(first: str, second: str | None) -> tuple[History, History]:
    """FILE and FILE: the latest run of each; FILE#2, FILE#-1: that run of it; one FILE: its latest two runs. Of a sweep's
    results: the last one of each point; of one FILE, that and the one before it."""
    names = [first] if second is None else [first, second]
    read = [_named(name) for name in names]
    sweeps = [_sweep(lines) for _, lines, _ in read]
    if not any(sweeps):
        return _two_runs(names, read)
    for name, sweep in zip(names, sweeps, strict=True):
        if sweep is None:
            raise InputError(
                f"{name}: no results of a sweep, as the other file has", "compare two sweeps, or two histories"
            )
    for name, (file, _, number) in zip(names, read, strict=True):
        if number:
            raise InputError(
                f"{name}: a sweep's results have no runs", f"name {file}: the last result of each point counts"
            )
    sides = [sweep for sweep in sweeps if sweep is not None]
    if len(sides) == 2:
        before, after = (History(one.last, (), one.without) for one in sides)
        return before, after
    (side,) = sides
    if not side.before:
        raise InputError(
            f"{first}: holds one result of each point",
            "name another sweep's results, or run the sweep again after a change of sources",
        )
    return History(side.before, ()), History(side.last, (), side.without)


def _named(text: str) -> tuple[Path, list[str], str]:
    """The file that FILE or FILE#2 names, its lines, and the number."""
    name, mark, number = text.rpartition("#")
    if not mark or Path(text).is_file():
        return Path(text), _lines(Path(text)), ""
    return Path(name), _lines(Path(name)), number or "#"


def _two_runs(names: Sequence[str], read: Sequence[tuple[Path, list[str], str]]) -> tuple[History, History]:
    histories = [_history(file, lines) for file, lines, _ in read]
    if len(names) == 2:
        before, after = (
            _one_run(name, file, history, number)
            for name, history, (file, _, number) in zip(names, histories, read, strict=True)
        )
        return before, after
    (history,) = histories
    if len(history.runs) < 2:
        raise InputError(f"{names[0]}: holds one run", "name another file, or run porter verify --bench again")
    old, new = history.runs[-2:]
    return _only(history, old), _only(history, new)


def _one_run(text: str, file: Path, history: History, number: str) -> History:
    if not number:
        return _only(history, history.runs[-1])
    try:
        index = int(number)
        run = history.runs[index - 1 if index > 0 else index if index < 0 else len(history.runs)]
    except (ValueError, IndexError):
        there = len(history.runs)
        raise InputError(f"{text}: no such run", f"{file} has {there}: #1 to #{there}, or #-1 for the latest") from None
    return _only(history, run)


def _only(history: History, run: str) -> History:
    return History(tuple(row for row in history.rows if row["run"] == run), history.unread)


@dataclass(frozen=True, slots=True)
class Change:
    """A row of both runs, or of one (the other's is None)."""

    key: tuple[str, ...]  # case, side, shape, mode, device, configuration of a sweep
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None

    @property
    def ratio(self) -> float:
        """Time after over time before: 0.5 is twice as fast."""
        if self.before is None or self.after is None or not self.before["median_ms"]:
            return 0.0
        return float(self.after["median_ms"] / self.before["median_ms"])

    @property
    def verdict(self) -> str:
        """Beyond the noise: the 10th to 90th percentiles do not meet, and the medians differ by more than 2%. Predictions
        are the same each time, and what their ranges allow for is the same for both: 2% is enough."""
        if self.before is None:
            return "only in B"
        if self.after is None:
            return "only in A"
        if abs(self.ratio - 1) <= NOISE:
            return "same"
        if self.before.get("kind") == self.after.get("kind") == "predicted":
            return "slower" if self.ratio > 1 else "faster"
        if self.after["low_ms"] > self.before["high_ms"]:
            return "slower"
        if self.after["high_ms"] < self.before["low_ms"]:
            return "faster"
        return "within noise"

    @property
    def same_source(self) -> bool:
        """The code is the same: what changed is the machine, its software, or nothing."""
        if self.before is None or self.after is None or not self.before["source_sha256"]:
            return False
        return bool(self.before["source_sha256"] == self.after["source_sha256"])

    @property
    def why(self) -> str:
        """What is not the code's: another model of time, or all of it, where the code is the same. And whose results were
        found wrong."""
        notes = [
            f"wrong in {name}" for name, row in (("A", self.before), ("B", self.after)) if row and row.get("wrong")
        ]
        models = [row.get("model") for row in (self.before, self.after) if row]
        if len(set(models)) > 1 and all(models):
            notes.append("another model of time")
        elif self.same_source:
            notes.append("same source")
        return ", ".join(notes)


def compare_rows(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> list[Change]:
    """A change for each timing of either side: timings of `before` first, then timings of `after` alone."""
    old, new = ({_key(row): row for row in rows} for rows in (before, after))
    return [Change(key, old.get(key), new.get(key)) for key in dict.fromkeys((*old, *new))]


def _key(row: Mapping[str, Any]) -> tuple[str, ...]:
    shape = ",".join(f"{name}={value}" for name, value in sorted(row["shape"].items()))
    return *(shape if name == "shape" else str(row[name]) for name in _KEY), str(row.get("configuration", ""))
