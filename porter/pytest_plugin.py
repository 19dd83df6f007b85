"""Cases as pytest's tests: `pytest --porter path/` runs every case.py and NAME_case.py below it, an item a run.

Without --porter the plugin does nothing and imports nothing of porter's.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

import pytest

if TYPE_CHECKING:
    from porter.harness.sessions.jobs import Run
    from porter.harness.sessions.session import Task, VerifyOptions
    from porter.harness.verdict import Verdict

__all__ = ["CaseFile", "RunItem"]


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("porter", "porter: kernels against PyTorch")
    group.addoption("--porter", action="store_true", help="Collect porter's cases: case.py and NAME_case.py.")
    group.addoption("--porter-seed", type=int, default=None, help="Draws the same inputs again. Default: new ones.")
    group.addoption("--porter-check", action="append", help="The emulator's checks: all (the default), none, or names.")
    group.addoption("--porter-backend", default="auto", help="auto, emulator, amd (ports) or nvidia (originals).")
    group.addoption("--porter-timeout", type=float, default=600.0, help="Seconds for one run.")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("porter"):
        config.stash[_OPTIONS] = _options(config)
        config.stash[_RUNNERS] = []
        config.stash[_VERDICTS] = []


def pytest_report_header(config: pytest.Config) -> Optional[str]:
    options = config.stash.get(_OPTIONS, None)
    return f"porter: {options.backend}, --porter-seed {options.seed}" if options else None


def pytest_unconfigure(config: pytest.Config) -> None:
    for runner in config.stash.get(_RUNNERS, []):
        runner.end()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """What was not run is no proof: pytest's own summary calls it skipped."""
    verdicts = config.stash.get(_VERDICTS, [])
    if verdicts:
        from porter.report.facts.proof import Session, proof_of

        options = config.stash[_OPTIONS]
        proof = proof_of(verdicts, Session(options.seed, options.backend))
        terminalreporter.write_line(f"porter: {proof.headline} (--porter-seed {options.seed})")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Optional[CaseFile]:
    return CaseFile.from_parent(parent, path=file_path) if _is_case(file_path, parent.config) else None


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> Optional[pytest.Collector]:
    """A case that is named on the command line is no module with tests as well."""
    return _Nothing.from_parent(parent, path=module_path) if _is_case(module_path, parent.config) else None


def _is_case(path: Path, config: pytest.Config) -> bool:
    if not config.getoption("porter"):
        return False
    from porter.harness.cases.case import is_case_file

    return is_case_file(path)


def _options(config: pytest.Config) -> VerifyOptions:
    import secrets

    from porter.checks import DEFAULT_CHECKS
    from porter.errors import PorterError
    from porter.execute import check_bits
    from porter.harness.building.build import BACKENDS, backend_for
    from porter.harness.sessions.session import VerifyOptions

    backend, seed = config.getoption("porter_backend"), config.getoption("porter_seed")
    if backend not in ("auto", *BACKENDS):
        raise pytest.UsageError(f"--porter-backend {backend}: one of auto, {', '.join(BACKENDS)}")
    given = config.getoption("porter_check") or ["all"]
    checks = tuple(name for part in given for name in part.split(",") if name)
    try:
        check_bits(checks)
    except PorterError as error:
        raise pytest.UsageError(f"--porter-check: {error.problem}; {error.fix}") from None
    return VerifyOptions(
        backend=backend_for(backend), seed=secrets.randbelow(2**31) if seed is None else seed,
        checks=(*DEFAULT_CHECKS, *checks), timeout=config.getoption("porter_timeout"),
    )  # fmt: skip


class _Nothing(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        return iter(())


class CaseFile(pytest.File):
    """One case's file."""

    def collect(self) -> Iterator[pytest.Item]:
        from porter.harness.sessions.session import plan_tasks

        tasks, broken = plan_tasks([self.path], self.config.stash[_OPTIONS])
        for verdict in broken:
            yield RunItem.from_parent(self, name=self.path.stem, runner=None, run=None, verdict=verdict)
        for task in tasks:
            runner = _Runner(task, self.config.stash[_OPTIONS])
            self.config.stash[_RUNNERS].append(runner)
            for run in task.runs:
                yield RunItem.from_parent(self, name=runner.name_of(run), runner=runner, run=run, verdict=None)


class RunItem(pytest.Item):
    """One run of a case; `verdict` is there already where the case cannot be used."""

    def __init__(self, *, runner: Optional[_Runner], run: Optional[Run], verdict: Optional[Verdict], **more: Any):
        super().__init__(**more)
        self._runner, self._run, self._verdict = runner, run, verdict

    def runtest(self) -> None:
        from porter.harness.verdict import Status

        verdict = self._verdict
        if verdict is None and self._runner is not None and self._run is not None:
            items = self.session.items
            wanted = [i._run for i in items if isinstance(i, RunItem) and i._runner is self._runner and i._run]
            verdict = self._runner.verdict(self._run, wanted)
        assert verdict is not None
        self.config.stash[_VERDICTS].append(verdict)
        if verdict.status is Status.NOT_RUN:
            raise pytest.skip.Exception(verdict.reason, _use_item_location=True)
        if verdict.status is Status.FAIL:
            raise _RunFailed(verdict)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *more: Any) -> Any:
        """The reason, with its place and fix: a traceback through porter would say nothing of a kernel."""
        if isinstance(excinfo.value, _RunFailed):
            return self._text(excinfo.value.verdict)
        return super().repr_failure(excinfo, *more)

    def _text(self, verdict: Verdict) -> str:
        import shlex

        from porter.report.facts.places import relative
        from porter.report.facts.proof import Session, proof_of

        seed = self.config.stash[_OPTIONS].seed
        node = f"{relative(str(self.path))}::{self.name}"
        ports = self._runner.outcome.ports if self._runner else []
        ((_, failure),) = proof_of([verdict], Session(seed), ports).failures
        lines = [failure.title, *(f"  {line}" for line in failure.lines)]
        lines += [f"  {failure.place}: {failure.place.text.strip()}"] if failure.place.text else []
        lines += [f"fix: {failure.fix}"] if failure.fix else []
        return "\n".join([*lines, f"repeat: pytest --porter --porter-seed {seed} {shlex.quote(node)}"])

    def reportinfo(self) -> tuple[Path, Optional[int], str]:
        return self.path, 0, self.name


class _RunFailed(Exception):
    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.reason)
        self.verdict = verdict


class _Runner:
    """Builds a task when its first run is asked for, and keeps its process until its last one."""

    def __init__(self, task: Task, options: VerifyOptions) -> None:
        from porter.harness.sessions.session import Outcome

        self._task, self._options = task, options
        self._coming: Optional[Iterator[Verdict]] = None
        self._waiting: list[Run] = []
        self._came: dict[int, Verdict] = {}
        self.outcome = Outcome()

    def name_of(self, run: Run) -> str:
        from porter.harness.verdict import Status, Verdict

        return Verdict(self._task.case.name, "", self._task.side, "", run.shape, run.values, 0, Status.NOT_RUN).name

    def verdict(self, run: Run, wanted: list[Run]) -> Verdict:
        """`wanted` are the task's runs without the deselected ones."""
        if id(run) not in self._came and all(run is not one for one in self._waiting):
            self._start(wanted if any(run is one for one in wanted) else [run])
        while id(run) not in self._came:
            assert self._coming is not None
            verdict = next(self._coming)
            self._came[id(self._waiting.pop(0))] = verdict
        if not self._waiting:
            self.end()
        return self._came.pop(id(run))  # asked again (pytest --count and the like), it runs again

    def _start(self, runs: list[Run]) -> None:
        from dataclasses import replace

        from porter.harness.sessions.session import prove

        self.end()
        self._waiting = list(runs)
        self._coming = prove(replace(self._task, runs=tuple(runs)), self._options, self.outcome)

    def end(self) -> None:
        if self._coming is not None:
            self._coming.close()  # type: ignore[attr-defined]  # a generator, whose process ends with it
            self._coming = None


_OPTIONS: pytest.StashKey[Any] = pytest.StashKey()
_RUNNERS: pytest.StashKey[list[_Runner]] = pytest.StashKey()
_VERDICTS: pytest.StashKey[list[Any]] = pytest.StashKey()
