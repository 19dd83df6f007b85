"""Runs and scores as JSON, Markdown and terminal tables. Every number is derived from the JSON's rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from porter.corpus.runner import Failure, Outcome, ProgramResult, Run
from porter.corpus.scoring import CheckScore
from porter.errors import InputError

__all__ = ["load_run", "markdown_rows", "run_json", "runs_markdown", "runs_table", "score_json", "score_markdown"]

SCHEMA = 1


def run_json(run: Run) -> str:
    """The run as a JSON document, with its totals."""
    return json.dumps(
        {
            "schema": SCHEMA,
            "converter": run.converter,
            "checker": run.checker,
            "date": run.date,
            "totals": {
                "programs": len(run.programs),
                "assessable": len(run.assessable),
                "passed": run.passed,
                "twins_passed": run.twins_passed,
                "seconds_per_kloc": round(run.seconds_per_kloc, 4),
                "by_cause": dict(_by_cause([p.outcome for p in run.assessable])),
            },
            "programs": [asdict(program) for program in run.programs],
        },
        indent=1,
    )


def load_run(path: Path) -> Run:
    """The run that `run_json` wrote to a file."""
    try:
        data = json.loads(path.read_text())
        programs = tuple(
            ProgramResult(
                row["name"],
                row["lines"],
                row["seconds"],
                _outcome(row["outcome"]),
                _outcome(row["twin"]) if row["twin"] else None,
            )
            for row in data["programs"]
        )
        return Run(data["converter"], data["checker"], data["date"], programs)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is no result of this runner: {error}", "make it with --json") from error


def _outcome(row: dict[str, list[dict[str, object]]]) -> Outcome:
    return Outcome(int(str(row["units"])), tuple(Failure(**f) for f in row["failures"]))  # type: ignore[arg-type]


def _by_cause(outcomes: Sequence[Outcome]) -> list[tuple[str, int]]:
    counts = Counter(o.first.cause for o in outcomes if o.first is not None)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _rows(runs: Sequence[Run]) -> tuple[list[str], list[list[str]]]:
    """One column a run, and the twins' beside them: totals first, then programs stopped by each cause."""
    heads = ["", "twins", *(run.converter for run in runs)]
    first = runs[0]
    twins = [p.twin for p in first.assessable if p.twin is not None]
    count = "programs assessable"
    rows = [
        ["programs", str(len(first.programs)), *(str(len(run.programs)) for run in runs)],
        [count, str(len(twins)), *(str(len(run.assessable)) for run in runs)],
        ["passed", str(sum(t.passed for t in twins)), *(str(run.passed) for run in runs)],
        ["seconds per 1000 lines", "", *(f"{run.seconds_per_kloc:.3f}" for run in runs)],
    ]
    tables = [dict(_by_cause(twins)), *(dict(_by_cause([p.outcome for p in r.assessable])) for r in runs)]
    most = {cause: max(t.get(cause, 0) for t in tables) for table in tables for cause in table}
    causes = sorted(most, key=lambda cause: (-most[cause], cause))
    rows += [[cause, *(str(table.get(cause, 0)) for table in tables)] for cause in causes]
    return heads, rows


def runs_table(runs: Sequence[Run]) -> str:
    """The runs side by side as a table for the terminal."""
    heads, rows = _rows(runs)
    return _plain(heads, rows)


def runs_markdown(runs: Sequence[Run], *, details: bool = True) -> str:
    """The runs side by side as a Markdown table; with `details`, also each run's programs that fail."""
    heads, rows = _rows(runs)
    out = [f"Measured on {runs[0].date} with {runs[0].checker}.", "", *markdown_rows(heads, rows)]
    for run in runs if details else ():
        failed = [(p.name, p.outcome.first) for p in run.assessable if p.outcome.first is not None]
        out += ["", f"<details><summary>{run.converter}: {len(failed)} programs that fail</summary>", ""]
        lines = [[name, f.cause, f"`{f.file or f.source}:{f.line}`", f.message] for name, f in failed if f]
        out += [*markdown_rows(["program", "cause", "place", "first error"], lines), "", "</details>"]
    return "\n".join(out) + "\n"


def score_json(score: CheckScore) -> str:
    """The score as a JSON document."""
    return json.dumps(
        {
            "schema": SCHEMA,
            "converter": score.converter,
            "total": score.total,
            "hits": score.hits,
            "percent": round(score.percent, 2),
            "by_cause": score.by_cause,
            "by_option": score.by_option,
            "files": [asdict(file) for file in score.files],
        },
        indent=1,
    )


def score_markdown(score: CheckScore) -> str:
    """The score as a Markdown table."""
    heads = ["", score.converter]
    rows = [
        ["test files", str(len(score.files))],
        ["CHECK lines", str(score.total)],
        ["hit", f"{score.hits} ({score.percent:.1f}%)"],
        *([f"missed: {cause}", str(count)] for cause, count in score.by_cause.items()),
        [
            "CHECK-NOT lines whose text is there",
            f"{sum(len(f.present) for f in score.files)} of {sum(f.forbidden for f in score.files)}",
        ],
    ]
    out = markdown_rows(heads, rows)
    options = [[name, str(total), str(missed)] for name, (total, missed) in score.by_option.items()]
    if options:
        out += ["", *markdown_rows(["option on the RUN line", "CHECK lines", "missed"], options)]
    worst = sorted((f for f in score.files if f.misses), key=lambda f: -len(f.misses))
    files = [[f.path, str(f.total), str(len(f.misses)), f"`{f.misses[0].text}`"] for f in worst]
    if files:
        out += ["", *markdown_rows(["file", "CHECK lines", "missed", "first miss"], files)]
    return "\n".join(out) + "\n"


def markdown_rows(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a Markdown table."""

    def cells(row: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |"

    return [cells(heads), "|" + "---|" * len(heads), *map(cells, rows)]


def _plain(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    table = [list(heads), *map(list, rows)]
    widths = [max(len(row[i]) for row in table) for i in range(len(heads))]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in table]
    return "\n".join(line.rstrip() for line in lines) + "\n"
