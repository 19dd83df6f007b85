"""What a validation found, as lines of text, as Markdown and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from porter.report.formats.markdown_text import plain
from porter.validation.description import Described
from porter.validation.goals import GOALS, Figure, Verdict, program_errors
from porter.validation.running import Outcome

__all__ = ["as_json", "figure_lines", "goal_lines", "head", "markdown", "not_found"]


def head(described: Described) -> str:
    """What a set is, in a line."""
    return f"{described.name}: {described.title} ({described.board.name}, {described.inputs.text})"


def not_found(described: Described) -> str:
    """What to clone for a set."""
    more = f"; {described.needs}" if described.needs else ""
    return f"{described.name}: NOT FOUND: {described.title}: clone {described.repository} ({described.holds}){more}"


def figure_lines(case: str, figures: Sequence[Figure]) -> list[str]:
    """Measured and predicted, one line for each figure; kinds of instructions are one line together."""
    lines = [f"  {case}: {_words(one)}" for one in figures if one.group != "kinds"]
    kinds = [
        f"{figure.what} {figure.real:.1%}, {figure.predicted:.1%}" for figure in figures if figure.group == "kinds"
    ]
    return [*lines, *([f"  {case}: of the waves' time: " + "; ".join(kinds)] if kinds else [])]


def _words(figure: Figure) -> str:
    measured = ", ".join(_number(value) for value in figure.measured)
    if figure.what == "MFMA share":
        return f"{figure.what}: measured {measured}, predicted {_number(figure.predicted)} ({figure.predicted - figure.real:+.3f})"
    around = (
        f" ({_number(figure.low)} to {_number(figure.high)})"
        if figure.low is not None and figure.high is not None
        else ""
    )
    word = "emulated and counted" if figure.group == "counters" else "predicted"
    return f"{figure.what}: measured {measured}, {word} {_number(figure.predicted)}{around}, {figure.off:+.1%}"


def _number(value: float) -> str:
    digits = 0 if value == int(value) else 3 if value < 1 else 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:,.{digits}f}"


def goal_lines(outcome: Outcome) -> list[str]:
    """Each goal: how many figures meet it, and the figures that miss it."""
    lines = [f"  {name}: {error:.1%} off on average" for name, error in program_errors(outcome.figures).items()]
    for name in outcome.described.goals:
        own = [one for one in outcome.verdicts if one.goal == name]
        judged = [one for one in own if one.met is not None]
        missed = [f"{verdict.about}: {verdict.text}" for verdict in own if not verdict.met]
        words = f"{sum(bool(one.met) for one in judged)} of {len(judged)}" if judged else "not judged"
        lines.append(f"  goal: {GOALS[name][0]}: {words}" + (f"; missed: {'; '.join(missed)}" if missed else ""))
    return [*lines, *(f"  NOT RUN: {name}: {why}" for name, why in outcome.left)]


def markdown(outcomes: Iterable[Outcome]) -> str:
    """A table for each set, with its goals below it."""
    parts = []
    for outcome in outcomes:
        described = outcome.described
        if outcome.root is None:
            parts.append(f"{plain(not_found(described))}\n")
            continue
        rows = [
            f"| {plain(figure.case)} | {plain(figure.what)} | {', '.join(map(_number, figure.measured))} | {_number(figure.predicted)} | {_off(figure)} |"
            for figure in outcome.figures
        ]
        lines = [line.strip() for line in goal_lines(outcome)]
        table = (
            "| case | figure | measured | predicted, or emulated and counted | off |",
            "|---|---|---|---|---|",
            *rows,
        )
        about = f"{plain(head(described))}; measured: {plain(described.figures)}"
        parts.append("\n".join([about, "", *table, "", *(f"- {plain(line)}" for line in lines), ""]))
    return "\n".join(parts)


def _off(figure: Figure) -> str:
    if figure.what == "MFMA share" or figure.group == "kinds":
        return f"{figure.predicted - figure.real:+.3f}"
    return f"{figure.off:+.1%}"


def as_json(outcomes: Iterable[Outcome], model: str) -> dict[str, Any]:
    """Everything that was found, and by which model."""
    return {"model": model, "sets": [_json(outcome) for outcome in outcomes]}


def _json(outcome: Outcome) -> dict[str, Any]:
    described = outcome.described
    return {
        "set": described.name,
        "title": described.title,
        "repository": described.repository,
        "found": str(outcome.root) if outcome.root else None,
        "board": described.board.name,
        "inputs": described.inputs.value,
        "measured_by": described.figures,
        "figures": [_figure(one) for one in outcome.figures],
        "goals": [_verdict(one) for one in outcome.verdicts],
        "not_run": [{"case": name, "reason": why} for name, why in outcome.left],
    }


def _figure(figure: Figure) -> dict[str, Any]:
    return {
        "case": figure.case,
        "figure": figure.what,
        "group": figure.group,
        "measured": list(figure.measured),
        "predicted": figure.predicted,
        "range": None if figure.low is None else [figure.low, figure.high],
        "off": figure.off,
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {"goal": verdict.goal, "about": verdict.about, "met": verdict.met, "text": verdict.text}
