"""`porter verify` from paths to verdicts: collects, builds, and runs each case in processes of its own."""

from __future__ import annotations

import itertools
import multiprocessing.connection
import os
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from porter.errors import NotHere, PorterError, UsageError
from porter.execute import RunOptions, emulator_settings
from porter.findings import FilePort
from porter.harness.building.build import BuildFailed, Library, build_library
from porter.harness.cases.apart import death, last_words, load_apart, processes
from porter.harness.cases.case import Case, collect
from porter.harness.sessions.jobs import Job, Run, run_seed
from porter.harness.timing.bench_options import BenchOptions
from porter.harness.verdict import Status, Verdict, gpus_of
from porter.perf.isa import KernelFacts
from porter.perf.model.boards import Inputs, board_named

__all__ = ["Outcome", "Task", "VerifyOptions", "plan_tasks", "predict", "prove", "verify"]
APART = 64 << 20  # bytes between two tensors in the emulator: an index that leaves one of them does not land in another


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    backend: str = "emulator"  # "emulator", "amd", "nvidia"; porter.harness.building.build.backend_for chooses
    seed: int = 0
    select: str = ""  # part of a run's name, as -k
    shapes: tuple[dict[str, Any], ...] = ()  # in place of the case's own
    values: tuple[str, ...] = ()  # in place of the case's own
    checks: tuple[str, ...] = ("all",)  # of the emulator
    timeout: float = 600.0  # seconds for one run
    max_instructions: int = 0  # of a wave in the emulator; 0: its own limit
    jobs: int = 0  # processes at a time; 0: as many as processors on the emulator, one on a GPU
    golden: Path | None = None
    record: Path | None = None
    counted: bool = False  # --bench in the emulator: counts
    bench: BenchOptions | None = None  # on a GPU
    board: str = ""  # --bench in the emulator: times are predicted for this board
    inputs: Inputs = Inputs.MEMORY  # where they are taken to be in predictions
    variants: bool = True
    fix_waits: bool = False  # porter.toolchain.Options has it
    code_objects: tuple[Path, ...] = ()  # and these, for ports

    @property
    def where(self) -> str:
        """What times are of: a backend, or a board and what predictions assume of it."""
        if self.board and self.inputs is not Inputs.MEMORY:
            return f"{self.board}, {self.inputs.text}"
        return self.board or self.backend


@dataclass(frozen=True, slots=True)
class Task:
    """One case with one source: what a worker gets, once it is built."""

    case: Case
    named: Path | None
    side: str
    runs: tuple[Run, ...]
    library: Library | None = None  # where it was built already


@dataclass
class Outcome:
    verdicts: list[Verdict] = field(default_factory=list)
    ports: list[FilePort] = field(default_factory=list)  # reports of the conversions
    kernels: list[tuple[Path, KernelFacts]] = field(default_factory=list)  # by the source that holds them
    predicted: list[Verdict] = field(default_factory=list)  # runs whose time was predicted; they prove nothing
    edited: list[Path] = field(default_factory=list)  # ports that are not what porter makes of their source now
    interrupted: bool = False

    def count(self, status: Status) -> int:
        return sum(verdict.status is status for verdict in self.verdicts)


def plan_tasks(paths: Sequence[Path], options: VerifyOptions) -> tuple[list[Task], list[Verdict]]:
    """The work, and a failed verdict for each case's file that cannot be used."""
    tasks: list[Task] = []
    broken: list[Verdict] = []
    for path, named in collect(paths):
        try:
            case = load_apart(path, named, options.timeout)
            for side in _sides(case, named, options):
                runs = tuple(run for run in _runs(case, options) if _selected(case, side, run, options))
                if runs:
                    tasks.append(Task(case, named, side, runs))
        except PorterError as error:
            reason = error.line
            broken.append(
                Verdict(str(path), "", "port", options.backend, {}, "normal", 0, Status.FAIL, reason, file=str(path))
            )
    if not tasks and not broken:
        raise UsageError(f"-k {options.select}: no run has such a name", "porter verify -v shows the names of the runs")
    return tasks, broken


def _sides(case: Case, named: Path | None, options: VerifyOptions) -> Iterator[str]:
    if options.backend == "nvidia":
        yield "original"
        return
    yield "port"
    if options.variants and named is None and not options.golden:
        yield from case.variants


def _runs(case: Case, options: VerifyOptions) -> Iterator[Run]:
    """Every shape as drawn; the adversarial values on the first shape, or on all where the user named them. Shapes
    that are timed come after them, with values as drawn."""
    if options.golden:
        from porter.harness.running.golden import read_golden

        for name, golden in read_golden(options.golden).items():
            yield Run(golden.shape, golden.values, golden.seed, golden=name)
        return
    shapes = options.shapes or case.shapes
    timed = (options.shapes or case.bench) if options.bench else ()
    for number, shape in enumerate(shapes):
        for values in options.values or case.values:
            if values == "normal" or options.values or number == 0:
                seed = run_seed(options.seed, case.name, shape, values)
                yield Run(shape, values, seed, bench=values == "normal" and shape in timed)
    for shape in () if options.board else timed:
        if shape not in shapes:
            yield Run(shape, "normal", run_seed(options.seed, case.name, shape, "normal"), bench=True, kept=False)


def _predicted_runs(case: Case, options: VerifyOptions) -> tuple[Run, ...]:
    return tuple(
        Run(shape, "normal", run_seed(options.seed, case.name, shape, "normal"), bench=True, kept=False)
        for shape in options.shapes or case.bench
    )


def _selected(case: Case, side: str, run: Run, options: VerifyOptions) -> bool:
    name = Verdict(case.name, "", side, "", run.shape, run.values, 0, Status.NOT_RUN).name
    return matches(options.select, f"{case.path} {name}")


def matches(expression: str, name: str) -> bool:
    """As pytest's -k without its brackets: all words must be in the name; `not`; alternatives with `or`."""
    for part in re.split(r"\bor\b", expression):
        words = re.sub(r"\band\b", " ", part).split()
        unwanted = {word for before, word in itertools.pairwise(words) if before == "not"}
        if all(word == "not" or (word in name) is (word not in unwanted) for word in words):
            return True
    return False


def verify(
    tasks: Sequence[Task],
    options: VerifyOptions,
    progress: Callable[[Verdict], None] = lambda verdict: None,
    building: Callable[[Task], None] = lambda task: None,
) -> Outcome:
    """Run everything. Ctrl-C ends it early, with the verdicts so far."""
    outcome = Outcome()

    def settle(verdict: Verdict) -> None:
        outcome.verdicts.append(verdict)
        progress(verdict)

    def settle_any(job: Job) -> Callable[[Verdict], None]:
        return outcome.predicted.append if job.board else settle

    wide = (1 if options.bench else options.jobs) or (1 if options.backend != "emulator" else os.cpu_count() or 1)
    wide = max(1, min(wide, len(tasks)))
    context = processes()
    # On a GPU one case runs at a time, but compilers need not wait for it.
    builders = wide if options.backend == "emulator" else os.cpu_count() or 1
    with tempfile.TemporaryDirectory(prefix="porter-verify-") as folder, ThreadPoolExecutor(builders) as pool:
        builds: dict[Future[Library], Task] = {}
        workers: list[_Worker] = []
        try:
            for task in tasks:
                builds[pool.submit(_built, task, options, building)] = task
            waiting: list[Job] = []
            while builds or waiting or workers:
                for future in [one for one in builds if one.done()]:
                    task = builds.pop(future)
                    job = _job(task, future, options, Path(folder), wide, outcome, settle)
                    if job is not None:
                        waiting += [job, *_prediction(job, task, options, Path(folder))]
                while waiting and len(workers) < wide:
                    workers.append(_Worker(context, waiting.pop(0), options.timeout, Path(folder)))
                if workers:
                    multiprocessing.connection.wait([w.pipe for w in workers], timeout=0.05 if builds else 0.5)
                else:
                    time.sleep(0.02)
                workers = [w for w in workers if not w.advance(settle_any(w.job))]
        except KeyboardInterrupt:
            outcome.interrupted = True
            for future in builds:
                future.cancel()
        finally:
            for worker in workers:
                worker.end()
    if not outcome.interrupted:
        outcome.verdicts += _without_verdict(tasks, outcome, options)
    order = {id_: number for number, id_ in enumerate((t.case.name, t.side) for t in tasks)}
    outcome.verdicts.sort(key=lambda v: order.get((v.case, v.side), -1))
    outcome.predicted.sort(key=lambda v: order.get((v.case, v.side), -1))
    return outcome


def _without_verdict(tasks: Sequence[Task], outcome: Outcome, options: VerifyOptions) -> Iterator[Verdict]:
    """A failure for each announced run without a verdict: what did not run must not pass."""
    came = Counter(map(_key, outcome.verdicts))
    for task in tasks:
        for run in task.runs:
            verdict = _base(task, options).verdict(run, Status.FAIL, "no verdict came of this run")
            if not came[_key(verdict)]:
                yield verdict
            came[_key(verdict)] -= 1


def _key(verdict: Verdict) -> tuple[str, str, str, int]:
    return verdict.file, verdict.side, f"{dict(verdict.shape)} {verdict.values}", verdict.seed


def predict(tasks: Sequence[Task], options: VerifyOptions, folder: Path) -> Iterator[Verdict]:
    """The predictions of the tasks' shapes, one after the other; what the waves did stays in `folder`, under the name
    that each launch of a verdict's `predicted` has. Nothing is proven."""
    for task in tasks:
        came: list[Verdict] = []
        build: Future[Library] = Future()
        try:
            build.set_result(_built(task, options, lambda task: None))
        except PorterError as error:
            build.set_exception(error)
        job = _job(task, build, options, folder, 1, Outcome(), came.append)
        yield from came
        if job is None:
            continue
        for one in _prediction(job, task, options, folder):
            yield from _verdicts(_Worker(processes(), replace(one, kept=True), options.timeout, folder))


def _verdicts(worker: _Worker) -> Iterator[Verdict]:
    came: list[Verdict] = []
    try:
        done = False
        while not done:
            multiprocessing.connection.wait([worker.pipe], timeout=0.5)
            done = worker.advance(came.append)
            while came:
                yield came.pop(0)
    finally:
        worker.end()


def prove(task: Task, options: VerifyOptions, outcome: Outcome) -> Iterator[Verdict]:
    """The verdicts of one task, one for each run, as they are asked for. Its process ends with the generator."""
    context = processes()
    came: list[Verdict] = []
    with tempfile.TemporaryDirectory(prefix="porter-verify-") as folder:
        build: Future[Library] = Future()
        try:
            build.set_result(_built(task, options, lambda task: None))
        except PorterError as error:
            build.set_exception(error)
        job = _job(task, build, options, Path(folder), 1, outcome, came.append)
        yield from came
        if job is not None:
            yield from _verdicts(_Worker(context, job, options.timeout, Path(folder)))


def _built(task: Task, options: VerifyOptions, building: Callable[[Task], None]) -> Library:
    if task.library is not None:
        return task.library
    building(task)
    code_objects = options.code_objects if task.side == "port" else ()
    return build_library(task.case, task.side, options.backend, options.fix_waits, code_objects=code_objects)


def _base(task: Task, options: VerifyOptions) -> Job:
    """The job of a task as it is before anything is built."""
    case = task.case
    return Job(
        case=case.path, named=task.named, name=case.name, title=case.title, side=task.side, backend=options.backend,
        library=Path(), entry=None, source=str(case.source), runs=task.runs,  # type: ignore[arg-type]
    )  # fmt: skip


def _job(
    task: Task,
    future: Future[Library],
    options: VerifyOptions,
    folder: Path,
    wide: int,
    outcome: Outcome,
    settle: Callable[[Verdict], None],
) -> Job | None:
    """What a worker needs, or None and verdicts where the build failed."""
    case = task.case
    base = _base(task, options)
    try:
        library = future.result()
    except PorterError as error:
        status = Status.NOT_RUN if isinstance(error, NotHere) else Status.FAIL
        reason = error.line
        if isinstance(error, BuildFailed):
            outcome.ports += [port for port in error.report if port not in outcome.ports]
        for run in task.runs:
            settle(base.verdict(run, status, reason))
        return None
    outcome.ports += [port for port in library.report if port not in outcome.ports]
    if library.edited:
        outcome.edited.append(library.source)
    outcome.kernels += zip(library.homes, library.kernels, strict=True)
    job = replace(
        base, library=library.path, entry=library.entry, source=str(library.source), golden=options.golden,
        record=options.record / case.file_name if options.record else None, bench=options.bench,
        torch_device=library.torch_device,
        compiled=tuple(one.as_json() for one in library.compiled),
    )  # fmt: skip
    if options.backend != "emulator":
        return job
    from porter.emu.hostlib import host_library

    launches = folder / f"launches-{id(task)}.jsonl"
    how = RunOptions(
        emulate=True, checks=options.checks, seed=options.seed, threads=max(1, (os.cpu_count() or 1) // wide),
        counters=options.counted, max_instructions=options.max_instructions, apart=APART,
        devices=max((gpus_of(run.shape) for run in task.runs), default=1),
    )  # fmt: skip
    settings = tuple(emulator_settings(how, launches).items())
    return replace(job, host_library=host_library(), settings=settings, launches=launches)


def _prediction(job: Job, task: Task, options: VerifyOptions, folder: Path) -> list[Job]:
    """The job that predicts times for the shapes that would be timed on a GPU."""
    runs = tuple(run for run in _predicted_runs(task.case, options) if _selected(task.case, task.side, run, options))
    if not options.board or not runs:
        return []
    recordings = folder / f"recordings-{id(task)}"
    recordings.mkdir()
    launches = recordings / "launches.jsonl"
    dies = board_named(options.board).xcds
    how = RunOptions(emulate=True, checks=("none",), recordings=recordings, dies=dies, recorded_alone=True)
    how = replace(how, devices=max(gpus_of(run.shape) for run in runs))
    settings = tuple(emulator_settings(how, launches).items())
    job = replace(job, board=options.board, inputs=options.inputs)
    return [replace(job, runs=runs, settings=settings, launches=launches, recordings=recordings)]


def _work(job: Job, connection: Any, output: str) -> None:
    """A worker's main function, in a process that has imported torch."""
    from porter.harness.sessions.worker import work

    work(job, connection, output)


class _Worker:
    """A process that goes through a job, and another for the rest of it where that one dies."""

    def __init__(self, context: Any, job: Job, timeout: float, folder: Path) -> None:
        self._context, self.job, self._timeout = context, job, timeout
        self._output = folder / f"output-{id(self)}"
        self._start()

    def _start(self) -> None:
        self.pipe, theirs = self._context.Pipe(duplex=False)
        self._process = self._context.Process(target=_work, args=(self.job, theirs, str(self._output)), daemon=True)
        self._process.start()
        theirs.close()
        self._done = 0  # verdicts of this process
        self._begun = False  # it has loaded the case and the library
        self._stopped = False  # it said that another process should go on
        self._began = time.monotonic()

    def advance(self, settle: Callable[[Verdict], None]) -> bool:
        """Take what the process has to say. True: the job is done, and each of its runs has had one verdict."""
        ended = self._listen(settle)
        if self._done == len(self.job.runs):
            self.end()
            return True
        late = time.monotonic() - self._began > self._timeout
        if not ended and not late and (self._process.is_alive() or self.pipe.poll()):
            return False  # poll: its last words, or their end, came between the two looks
        if not ended and not late:  # a process that the case has started may hold the pipe open
            self._listen(settle)
        if not self._stopped and self._done < len(self.job.runs):
            self._give_up(late, settle)
        self.end()
        left = self.job.runs[self._done :]
        if not left:
            return True
        self.job = _with_fresh_report(replace(self.job, runs=left))
        self._start()
        return False

    def _listen(self, settle: Callable[[Verdict], None]) -> bool:
        """Takes the messages that are there. True: there are no more to come."""
        try:
            while not self._stopped and self.pipe.poll():
                kind, index, verdict = self.pipe.recv()
                self._began = time.monotonic()
                self._begun = True
                self._stopped = kind == "stop"
                if kind == "verdict" and index == self._done:
                    settle(verdict)
                    self._done += 1
        except (EOFError, OSError):
            return True
        return self._stopped

    def _give_up(self, late: bool, settle: Callable[[Verdict], None]) -> None:
        """The verdict of the run that has none; of all that are left where the process did not even begin one."""
        self._process.join(0 if late else 5)
        code = self._process.exitcode
        if late:
            reason = f"did not end within {self._timeout:g} s"
        elif code == 0:
            reason = f"the process ended itself with exit code 0 before there was a verdict{last_words(self._output)}"
        else:
            reason = f"the process died: {death(code)}{last_words(self._output)}"
        for run in self.job.runs[self._done :][: 1 if self._begun else None]:
            settle(self.job.verdict(run, Status.FAIL, reason))
            self._done += 1

    def end(self) -> None:
        if self._process.is_alive():
            self._process.join(0.2)
        if self._process.is_alive():
            self._process.kill()
        self._process.join(5)
        self.pipe.close()


def _with_fresh_report(job: Job) -> Job:
    """A new file for the emulator's report: the old one has the launches of the process that is gone."""
    if job.launches is None:
        return job
    fresh = job.launches.with_name(f"{len(job.runs)}-{job.launches.name}")
    settings = {**dict(job.settings), "PORTER_EMU_REPORT": str(fresh)}
    return replace(job, launches=fresh, settings=tuple(settings.items()))
