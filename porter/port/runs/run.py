"""Carries jobs out: several at a time, from the cache where nothing changed; a crash costs only its own file."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from multiprocessing import active_children, get_start_method
from pathlib import Path, PurePosixPath

from porter import __version__, buildfiles
from porter.errors import PorterError
from porter.findings import FilePort, FileStatus, PortReport, decode
from porter.frontend.unit import Options
from porter.port.edits.accept import accept_in_build_file
from porter.port.edits.rewrite import rewrite
from porter.port.jobs import Job, failure
from porter.port.pipeline import Conversion
from porter.port.runs.cache import CacheKeys, cached, store
from porter.port.runs.parsed_edits import with_parsed_edits
from porter.port.runs.unreached_sites import with_calls

__all__ = ["make_report", "run_jobs"]


def run_jobs(
    jobs: Sequence[Job],
    conversion: Conversion,
    workers: int,
    progress: Callable[[Job, FilePort], None] = lambda job, port: None,
) -> list[FilePort]:
    """Port every job, several at a time; one file's failure is that file's alone."""
    sources = [job for job in jobs if job.kind == "source"]
    guests = {job: guests_of_job for job in sources if (guests_of_job := conversion.guests(job))}
    results = _run_jobs([job for job in jobs if job not in guests], conversion, workers, progress)
    hoisted = {job.path: port.hoisted for job, port in results.items()}
    original = {
        replace(job, guests=tuple(sorted({h for path in guests_of_job for h in hoisted.get(path, ())}))): job
        for job, guests_of_job in guests.items()
    }
    results |= {original[job]: port for job, port in _run_jobs([*original], conversion, workers, progress).items()}
    ports = with_parsed_edits(jobs, [results[job] for job in jobs], conversion)
    return with_calls(jobs, ports, conversion)


def _run_jobs(
    jobs: Sequence[Job], conversion: Conversion, workers: int, progress: Callable[[Job, FilePort], None]
) -> dict[Job, FilePort]:
    options = conversion.options
    results: dict[Job, FilePort] = {}
    pending: list[Job] = []
    keys = CacheKeys(conversion)
    for job in jobs:
        port = cached(keys, job) if job.kind == "source" else _port_other(job, options)
        if port is None:
            pending.append(job)
        else:
            results[job] = port
            progress(job, port)
    if pending:
        for job, port in _run_pending(pending, conversion, workers):
            results[job] = port
            if port.status is not FileStatus.FAILED:
                store(keys, job, port)
            progress(job, port)
    return results


def _run_pending(pending: Sequence[Job], conversion: Conversion, workers: int) -> Iterator[tuple[Job, FilePort]]:
    if workers <= 1 or len(pending) < 4:
        for job in pending:
            yield job, _port_one(conversion, job)
        return
    if (first := _for_all_workers(pending, conversion)) is not None:
        pending = [job for job in pending if job is not first]
        yield first, _port_one(conversion, first)
    batches = _batches(pending, workers)
    left = set(pending)
    others = set(active_children())
    pool = ProcessPoolExecutor(workers, initializer=_begin_work, initargs=(conversion.options,))
    try:
        futures = {pool.submit(_port_in_worker, batch): batch for batch in batches}
        for future in as_completed(futures):
            for job, port in zip(futures[future], future.result()):
                yield job, port
                left.discard(job)
        pool.shutdown()
    except BaseException as error:
        # Ctrl-C, or a crash of a worker: what is still queued must not be worked off first
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(active_children()) - others:
            process.terminate()
        if not isinstance(error, BrokenProcessPool):
            raise
        for job in sorted(left, key=lambda j: str(j.path)):
            yield job, _port_alone(job, conversion.options)


_of_worker: list[Conversion] = []


def _for_all_workers(pending: Sequence[Job], conversion: Conversion) -> Job | None:
    """A unit's own file, where all files are of that unit: workers that are forked behind its port have what it worked out
    of the unit."""
    units = {job.includer or job.path for job in pending}
    if len(units) > 1 or get_start_method() != "fork":
        return None
    conversion.of_job(pending[0]).units.read(units.pop())
    _of_worker[:] = [conversion]
    return next((job for job in pending if job.includer is None), None)


def _begin_work(options: Options) -> None:
    """What all jobs share comes once: jobs that fit in a pipe leave nobody waiting for a worker that has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers
    if not _of_worker or _of_worker[-1].options != options:
        _of_worker.append(Conversion(options))


def _port_in_worker(batch: Sequence[Job]) -> list[FilePort]:
    return [_port_one(_of_worker[-1], job) for job in batch]


_BATCH = 200_000  # bytes


def _batches(jobs: Sequence[Job], workers: int) -> list[list[Job]]:
    """Files of one translation unit together, since a worker parses it once for all that it gets in a row. Big ones come
    first, so that the last worker does not end long after the others."""
    sizes = {job: _size(job) for job in jobs}
    units: dict[Path, list[Job]] = {}
    for job in sorted(jobs, key=sizes.__getitem__, reverse=True):
        units.setdefault(job.includer or job.path, []).append(job)
    most = min(_BATCH, sum(sizes.values()) // (2 * workers))
    batches: list[list[Job]] = []
    for unit in sorted(units.values(), key=lambda unit: sum(map(sizes.__getitem__, unit)), reverse=True):
        room = 0
        for job in unit:
            if room < sizes[job]:
                batches.append([])
                room = most
            batches[-1].append(job)
            room -= sizes[job]
    return batches


def _size(job: Job) -> int:
    try:
        return job.path.stat().st_size
    except OSError:
        return 0


def _port_alone(job: Job, options: Options) -> FilePort:
    """In a process of its own, so that a crash inside libclang costs only the AST of this file."""
    for attempt in (options, replace(options, parse=False)):
        try:
            with ProcessPoolExecutor(1, initializer=_begin_work, initargs=(attempt,)) as pool:
                return pool.submit(_port_in_worker, [job]).result()[0]
        except BrokenProcessPool:
            continue
    return failure(job.path, "could not be ported: the worker process died", "please report this file")


def _port_one(conversion: Conversion, job: Job) -> FilePort:
    try:
        return conversion.port(job)
    except PorterError:
        raise
    except Exception as error:  # one file must not cost the others their ports
        if os.environ.get("PORTER_DEBUG"):
            raise
        return failure(
            job.path,
            f"porter failed on it: {type(error).__name__}: {error}",
            "please report the file; PORTER_DEBUG=1 shows where",
        )


def _port_other(job: Job, options: Options) -> FilePort:
    try:
        data = job.path.read_bytes()
    except OSError as error:
        return failure(job.path, f"cannot be read: {error.strerror}", "check its permissions")
    text = decode(data)
    if job.kind == "copy":
        return FilePort(job.shown, str(job.output), FileStatus.UNCHANGED, text, text, parser="copied")
    relative = PurePosixPath(job.path.relative_to(job.root).as_posix())
    porter = buildfiles.recognise(relative, text)
    if porter is None:  # a text file that only looked like a build file by its name
        return FilePort(job.shown, str(job.output), FileStatus.UNCHANGED, text, text, parser="copied")
    folder = "" if str(relative.parent) == "." else str(relative.parent)
    findings = porter(text, buildfiles.Renames(options.target, dict(job.renames), folder))
    result = rewrite(text, findings)
    accepted, notes = accept_in_build_file(text, job.path, result.findings, options)
    status = FileStatus.PORTED if findings else FileStatus.UNCHANGED
    return FilePort(job.shown, str(job.output), status, text, result.text, tuple(accepted), parser="text", notes=notes)


def make_report(ports: Sequence[FilePort], failed: Sequence[FilePort], options: Options, started: float) -> PortReport:
    """The report of a run that began at `started` (time.perf_counter)."""
    # copied files are no part of the port; they were only taken along
    files = tuple(p for p in ports if p.parser != "copied") + tuple(failed)
    return PortReport(files, options.target, options.warp, time.perf_counter() - started, __version__)
