"""A sweep's configurations on the nodes of a cluster, through submitit: Slurm queues and runs them, porter schedules nothing.

A job is one configuration of a case, with all of its shapes. It reads the sources and porter from a folder that all nodes
see; its results come back to the process that has submitted it, which keeps them as those of any sweep.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from porter.errors import PorterError, UsageError
from porter.harness.sessions.session import VerifyOptions
from porter.harness.sweeps.sweep import Point, Results, Row, groups_to_do, run_points

__all__ = ["check_engine", "rows_of_group", "run_on_engine"]

_VISIBLE = ("HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES")  # which GPUs a process may use, for the emulator too


def check_engine() -> None:
    """Fail before anything is built where submitit is missing."""
    try:
        import submitit  # noqa: F401
    except ImportError:
        raise PorterError(
            "the sweep's engine is submitit, which is not installed", "pip install 'porter[cluster]'"
        ) from None


def rows_of_group(points: Sequence[Point], options: VerifyOptions) -> list[Row]:
    """What a job does: the results of points of one configuration."""
    if options.board:  # the scheduler gave the job no GPU, and says so to the emulator too
        for name in _VISIBLE:
            os.environ.pop(name, None)
    with tempfile.TemporaryDirectory(prefix="porter-job-") as folder:
        results = Results(Path(folder) / "rows.jsonl")
        run_points(points, replace(options, jobs=1), results)
        return list(results.rows.values())


def run_on_engine(
    points: Iterable[Point],
    options: VerifyOptions,
    results: Results,
    engine: Mapping[str, Any],
    done: Callable[[Point], None] = lambda point: None,
) -> bool:
    """As run_points. `engine` has the parameters of submitit's executor; `cluster` is slurm, or local for all jobs at once on
    this machine. Jobs are cancelled with Ctrl-C; points of a job that was lost have failed, so the next run does them again."""
    import submitit
    from submitit.helpers import as_completed

    given = dict(engine)
    cluster = str(given.pop("cluster", "slurm"))
    folder = results.file.with_suffix(".jobs")
    try:
        executor = submitit.AutoExecutor(folder=folder, cluster=cluster)
        executor.update_parameters(**given)
    except (RuntimeError, ValueError, NameError, TypeError) as error:
        raise UsageError(f"submitit: {error}", "fix [engine] in the sweep's file") from error
    groups = groups_to_do(points, results)
    with executor.batch():
        jobs = [executor.submit(rows_of_group, group, options) for group in groups]
    of = dict(zip((job.job_id for job in jobs), groups, strict=True))
    try:
        for job in as_completed(jobs, poll_frequency=1):
            _collect(job, of[job.job_id], options, results)
            for point in of[job.job_id]:
                done(point)
    except KeyboardInterrupt:
        for job in jobs:
            job.cancel()
        return False
    return True


def _collect(job: Any, group: Sequence[Point], options: VerifyOptions, results: Results) -> None:
    error = job.exception()
    if error is not None:
        reason = str(error).strip().splitlines()[-1:] or [type(error).__name__]
        for point in group:
            results.add(point.failed(options, f"job {job.job_id}: {reason[0]}"))
        return
    for row in job.result():
        results.add(row)
