"""Runs the sets whose repositories are there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from porter.errors import PorterError
from porter.validation.description import Case, Described, find_root
from porter.validation.goals import Figure, Verdict, verdicts
from porter.validation.launches import launch_figures
from porter.validation.programs import program_runs, run_figure
from porter.validation.traces.trace_set import trace_figures

__all__ = ["How", "Outcome", "run_set"]


@dataclass(slots=True)
class Outcome:
    """What came of a set. `root` is where its repository was found, None where it was not."""

    described: Described
    root: Path | None
    figures: list[Figure] = field(default_factory=list)
    left: list[tuple[str, str]] = field(default_factory=list)  # what did not run, and why
    verdicts: list[Verdict] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether everything ran and met its goals."""
        return self.root is not None and not self.left and all(one.met for one in self.verdicts)


@dataclass(frozen=True, slots=True)
class How:
    """`runs`: of each benchmark of a table. `triton`: a folder with the Triton for modules of its. `objects`: one with device
    code of a table's programs."""

    runs: int = 5
    triton: Path | None = None
    objects: Path | None = None


def run_set(
    described: Described, folders: Sequence[Path], how: How, tell: Callable[[str, Sequence[Figure] | str], None]
) -> Outcome:
    """Runs a set, or says that it was not found. `tell` gets each case's name, and its figures or why it has none."""
    outcome = Outcome(described, find_root(folders, described.holds))
    if outcome.root is None:
        return outcome
    for name, figures in _parts(described, outcome.root, how):
        try:
            figures_now = list(figures())
        except PorterError as error:
            outcome.left.append((name, error.line))
            tell(name, error.line)
        else:
            outcome.figures += figures_now
            tell(name, figures_now)
    outcome.verdicts = verdicts(described, outcome.figures)
    return outcome


def _parts(described: Described, root: Path, how: How) -> Iterable[tuple[str, Callable[[], Iterable[Figure]]]]:
    """The name of each case, or of each run of a table, and what makes its figures."""
    for case in described.cases:
        if described.kind != "programs":
            yield case.name, lambda case=case: _figures(described, case, root, how)  # type: ignore[misc]
            continue
        try:
            chosen = list(program_runs(case, root, how.runs, how.objects))
        except PorterError as error:
            yield case.name, lambda error=error: _raised(error)  # type: ignore[misc]
            continue
        for run in chosen:
            yield f"{run.benchmark} {run.label}", lambda run=run: [run_figure(described, run)]  # type: ignore[misc]


def _figures(described: Described, case: Case, root: Path, how: How) -> Iterable[Figure]:
    if described.kind == "traces":
        return trace_figures(described, case, root)
    return launch_figures(described, case, root, how.triton)


def _raised(error: PorterError) -> list[Figure]:
    raise error
