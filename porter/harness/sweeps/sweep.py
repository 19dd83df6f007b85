"""`porter verify --bench --sweep`: builds each configuration once, predicts or times it on each shape, keeps every result.

Results are lines of a JSON file. A point's identity is what it was made from: the case, its sources, constants, flags,
shape and the model. So a sweep that is started again goes on where it stopped.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from porter import __version__
from porter.errors import CompileError, PorterError, UsageError
from porter.frontend.project import Project
from porter.harness.building.build import Library, build_library
from porter.harness.cases.apart import called_apart
from porter.harness.sessions.jobs import Run
from porter.harness.sessions.session import Outcome, Task, VerifyOptions, predict, prove
from porter.harness.sweeps.sweep_file import Configuration, Sweep
from porter.harness.timing.history import append, own_timings
from porter.harness.timing.sweep_history import SCHEMA
from porter.harness.timing.throughput import gigabytes_per_second, teraflops
from porter.harness.verdict import Status, Verdict
from porter.paths import RUNTIME_INCLUDE
from porter.perf.isa import KernelFacts
from porter.perf.model.identity import model_digest
from porter.toolchain.demangle import short_name
from porter.toolchain.store import digest, file_digest

__all__ = [
    "Point",
    "Results",
    "Row",
    "groups_to_do",
    "is_done",
    "misfit",
    "points_of",
    "prove_best",
    "ranked",
    "run_points",
]

_TOP = 3  # stalls, and costs, of the longest launch that a row keeps
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Point:
    """A configuration of a case, and a shape."""

    task: Task
    configuration: Configuration
    shape: Mapping[str, Any]
    key: str  # what its result is made from
    proof: str  # ... and the proof of its configuration
    sources: str = ""  # a digest of the case and of what its build reads

    def failed(self, options: VerifyOptions, reason: str) -> Row:
        """A result without a time, of a point that could not be tried."""
        return {**_about(self, self.key), **_kind(options), "status": "failed", "reason": reason}


@dataclass
class Results:
    """The rows of a results file by their keys, and where new ones go."""

    file: Path
    rows: dict[str, Row] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def read(cls, file: Path) -> Results:
        """Those of a file, if there is one. A line that was cut short is no result: its point is done again."""
        results = cls(file)
        for line in file.read_text("utf-8", "replace").splitlines() if file.is_file() else ():
            with contextlib.suppress(ValueError, KeyError, TypeError):
                row = json.loads(line)
                if row["schema"] == SCHEMA:
                    results.rows[row["key"]] = row
        return results

    def add(self, row: Row) -> None:
        row = {
            "schema": SCHEMA,
            **row,
            "porter": __version__,
            "time": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
        with self._lock:
            self.rows[row["key"]] = row
            append(self.file, [row])


def is_done(point: Point, results: Results) -> bool:
    """Whether the point need not be tried: it has a time, or cannot have one."""
    return results.rows.get(point.key, {}).get("status") in ("done", "skipped")


def points_of(sweep: Sweep, tasks: Sequence[Task], options: VerifyOptions) -> list[Point]:
    """Every point of the sweep for the cases and sides of the tasks."""
    there = dict.fromkeys(task.side for task in tasks)
    for side in sweep.sides:
        if side not in there:
            raise UsageError(f"{sweep.path}: no case has the side {side}", f"one of {', '.join(there)}")
    where = options.where
    points = []
    for task in tasks:
        if sweep.sides and task.side not in sweep.sides:
            continue
        sources = _sources(task)
        made = digest(sources, model_digest() if options.board else "measured")
        for configuration in sweep.configurations(task.side):
            parts = (task.case.name, configuration.side, repr(configuration.defines), repr(configuration.words))
            for shape in sweep.shapes or task.case.bench:
                key = digest("point", made, where, *parts, repr(sorted(shape.items())))
                points.append(
                    Point(task, configuration, shape, key, digest("proof", sources, options.backend, *parts), sources)
                )
    return points


def _sources(task: Task) -> str:
    """A digest of the case and of all that its build reads of the project and of porter's headers."""
    case = task.case
    sources = {case.source, case.port or case.source, case.variants.get(task.side, case.source)}
    files = {case.path}
    for source in sources:
        files.update(Project(source.parent, (*case.includes, str(RUNTIME_INCLUDE))).closure(source))
    return digest(*(file_digest(file) for file in sorted(files)))


def groups_to_do(points: Iterable[Point], results: Results) -> list[list[Point]]:
    """The points that have no result, or that failed, by their configurations."""
    groups: dict[str, list[Point]] = {}
    for point in points:
        if not is_done(point, results):
            groups.setdefault(point.proof, []).append(point)
    return list(groups.values())


def run_points(
    points: Iterable[Point],
    options: VerifyOptions,
    results: Results,
    done: Callable[[Point], None] = lambda point: None,
) -> bool:
    """Brings the results of all points that have none, or that failed. False where Ctrl-C ended it: points under way are
    finished."""
    groups = groups_to_do(points, results)
    wide = (options.jobs or os.cpu_count() or 1) if options.board else 1
    with ThreadPoolExecutor(max(1, wide)) as pool:
        waiting = [pool.submit(_configuration, group, options, results, done) for group in groups]
        try:
            for future in as_completed(waiting):
                future.result()
        except KeyboardInterrupt:
            return False
        finally:
            for future in waiting:
                future.cancel()
    return True


def _configuration(
    points: Sequence[Point], options: VerifyOptions, results: Results, done: Callable[[Point], None]
) -> None:
    """Builds one configuration and goes through its shapes."""

    def settle(point: Point, status: str, **more: Any) -> None:
        results.add({**_about(point, point.key), **_kind(options), "status": status, **more})
        done(point)

    try:
        library = _build(points[0], options)
    except CompileError as error:
        for point in points:
            settle(point, "skipped", reason=error.line)
        return
    left = []
    for point in points:
        try:
            reason = misfit(library, _launch(point, library, options))
        except PorterError as error:
            settle(point, "failed", reason=error.line)
            continue
        if reason:
            settle(point, "skipped", reason=reason)
        else:
            left.append(point)
    verdicts = _predicted(left, library, options) if options.board else _measured(left, library, options)
    for point, verdict in zip(left, verdicts):  # fewer, where a process could not even begin
        row = _row_of(verdict, library)
        settle(point, "done" if row else "failed", reason=verdict.reason, **row)


def _build(point: Point, options: VerifyOptions) -> Library:
    configuration = point.configuration
    return build_library(
        point.task.case,
        configuration.side,
        options.backend,
        options.fix_waits,
        configuration.defines,
        configuration.words,
    )


def _launch(point: Point, library: Library, options: VerifyOptions) -> Mapping[str, Any] | None:
    """What the case's function says of the launch of a kernel; None where the entry launches its kernels itself."""
    task, names = point.task, {**point.shape, **point.configuration.constants}
    if not library.entry.kernel or task.case.launch is None:
        return None
    launch: Mapping[str, Any] = called_apart(task.case, task.named, "launch", names, options.timeout)
    return launch


def misfit(library: Library, launch: Mapping[str, Any] | None) -> str:
    """Why a kernel of the library cannot run on a compute unit, as far as it is known before the launch; or ""."""
    shared, threads = 0, 0
    kernels = library.kernels
    if launch is not None:
        kernels = tuple(one for one in kernels if short_name(one.name) == library.entry.name) or kernels
        shared, threads = int(launch.get("shared", 0)), _size(launch.get("block", 1))
    for kernel in kernels:
        chip = kernel.chip
        if kernel.lds + shared > chip.lds_bytes:
            return f"{_name(kernel)}: {kernel.lds + shared:,} bytes of LDS, a workgroup has {chip.lds_bytes:,}"
        if threads > kernel.max_threads:
            return f"{_name(kernel)}: {threads} threads, it was compiled for {kernel.max_threads}"
        most = chip.registers_for(kernel.max_threads)
        if kernel.vgprs + kernel.agprs > most:
            used = kernel.vgprs + kernel.agprs
            return f"{_name(kernel)}: {used} registers a lane, {kernel.max_threads} threads have {most} each"
    return ""


def _name(kernel: KernelFacts) -> str:
    return short_name(kernel.name)


def _size(block: Any) -> int:
    total = 1
    for part in block if isinstance(block, (tuple, list)) else (block,):
        total *= int(part)
    return total


def _predicted(points: Sequence[Point], library: Library, options: VerifyOptions) -> Iterator[Verdict]:
    if not points:
        return
    task, shapes = _prepared(points, library, ())
    with tempfile.TemporaryDirectory(prefix="porter-sweep-") as folder:
        for verdict in predict([task], replace(options, shapes=shapes, select=""), Path(folder)):
            yield verdict
            for launch in verdict.predicted.get("launches", ()):
                for file in Path(folder).glob(f"recordings-*/{launch['recording'] or 'none'}"):
                    file.unlink(missing_ok=True)


def _measured(points: Sequence[Point], library: Library, options: VerifyOptions) -> Iterator[Verdict]:
    if not points:
        return
    task, shapes = _prepared(points, library, ())
    runs = tuple(Run(shape, "normal", options.seed, bench=True, kept=False) for shape in shapes)
    yield from prove(replace(task, runs=runs), options, Outcome())


def _prepared(
    points: Sequence[Point], library: Library, runs: tuple[Run, ...]
) -> tuple[Task, tuple[dict[str, Any], ...]]:
    """A task with the library as it was built, and the shapes with the constants: a case's functions may ask for them."""
    shapes = tuple({**point.shape, **point.configuration.constants} for point in points)
    return replace(points[0].task, library=library, runs=runs), shapes


def _about(point: Point, key: str) -> Row:
    configuration = point.configuration
    return {
        "key": key, "case": point.task.case.name, "side": configuration.side, "shape": dict(point.shape),
        "constants": dict(configuration.constants), "flags": configuration.flags, "words": list(configuration.words), "sources": point.sources,
    }  # fmt: skip


def _kind(options: VerifyOptions) -> Row:
    """What times are, and of what."""
    if options.board:
        return {"kind": "predicted", "device": options.where, "model": model_digest()}
    return {"kind": "measured", "device": options.where}


def _row_of(verdict: Verdict, library: Library) -> Row:
    """What is kept of a verdict; nothing where it has no time."""
    if verdict.predicted:
        predicted = verdict.predicted
        longest = max(predicted["launches"], key=lambda launch: launch["microseconds"][1])
        facts = next((one for one in library.kernels if one.symbol == longest["symbol"]), None)
        work = {key: predicted[key] for key in ("flops", "bytes", "dtype")}
        more = {
            "bound": longest["bound"],
            "matrix_share": longest["matrix_share"],
            "memory_bytes": longest["memory_bytes"],
            "groups": longest.get("groups", 0),
            "resident": longest.get("resident", 0),
            "stalls": dict(list(longest.get("stalls", {}).items())[:_TOP]),
            "gains": dict(list(longest.get("gains", {}).items())[:_TOP]),
            "launches": len(predicted["launches"]),
            "doubt": longest.get("doubt", ""),
            "published": list(predicted.get("published", ())),
        }
        return {
            "microseconds": list(predicted["microseconds"]),
            **work,
            **_rates(work, predicted["microseconds"][1]),
            **more,
            **_facts(facts),
        }
    if verdict.status is not Status.PASS or not own_timings(verdict):
        return {}
    own = own_timings(verdict)[0]
    times = [1000 * ms for ms in (own.low_ms, own.median_ms, own.high_ms)]
    work = {"flops": verdict.flops, "bytes": verdict.bytes, "dtype": verdict.bench.get("dtype", "")}
    facts = library.kernels[0] if len(library.kernels) == 1 else None
    return {
        "microseconds": times,
        "mode": own.mode,
        "gpu": verdict.backend,
        **work,
        **_rates(work, times[1]),
        **_facts(facts),
    }


def _rates(work: Mapping[str, Any], us: float) -> Row:
    return {
        "tflops": float(f"{teraflops(work['flops'], us / 1000):.6g}"),
        "gbs": float(f"{gigabytes_per_second(work['bytes'], us / 1000):.6g}"),
    }


def _facts(kernel: KernelFacts | None) -> Row:
    if kernel is None:
        return {}
    return {
        "kernel": _name(kernel), "vgprs": kernel.vgprs, "agprs": kernel.agprs, "lds_bytes": kernel.lds,
        "scratch_bytes": kernel.scratch, "waves_per_simd": kernel.waves_per_simd,
    }  # fmt: skip


def ranked(points: Sequence[Point], results: Results) -> dict[tuple[str, str], list[Point]]:
    """The points that have a time, fastest first, by case and shape; none whose configuration was found wrong."""
    ranking: dict[tuple[str, str], list[Point]] = {}
    for point in points:
        named = ranking.setdefault((point.task.case.name, json.dumps(dict(point.shape))), [])
        row = results.rows.get(point.key, {})
        if row.get("status") == "done" and results.rows.get(point.proof, {}).get("status") != "failed":
            named.append(point)
    return {name: sorted(own, key=lambda p: results.rows[p.key]["microseconds"][1]) for name, own in ranking.items()}


def prove_best(
    points: Sequence[Point], options: VerifyOptions, results: Results, say: Callable[[str], None] = lambda text: None
) -> None:
    """Verifies the fastest configuration of each shape on the case's SHAPES; where it is wrong, the next one."""
    while True:
        first = [own[0] for own in ranked(points, results).values() if own]
        todo = {point.proof: point for point in first if point.proof not in results.rows}
        if not todo:
            return
        for point in todo.values():
            say(f"verifying {point.task.case.name} {point.configuration.side} {' '.join(point.configuration.defines)}")
            results.add(_proof(point, options))


def _proof(point: Point, options: VerifyOptions) -> Row:
    constants = point.configuration.constants
    runs = tuple(replace(run, shape={**run.shape, **constants}) for run in point.task.runs)
    task = replace(point.task, library=_build(point, options), runs=runs)
    verdicts = list(prove(task, replace(options, board=""), Outcome()))
    wrong = [verdict for verdict in verdicts if verdict.status is not Status.PASS]
    passed = not wrong and len(verdicts) == len(runs)
    reason = f"{wrong[0].name}: {wrong[0].reason}" if wrong else "" if passed else "not every run had a verdict"
    status = "passed" if passed else "failed"
    return {**_about(point, point.proof), "kind": "proof", "status": status, "reason": reason, "runs": len(verdicts)}
