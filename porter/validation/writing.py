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
    kinds = [f"{one.what} {one.real:.1%}, {one.predicted:.1%}" for one in figures if one.group == "kinds"]
    return [*lines, *([f"  {case}: of the waves' time: " + "; ".join(kinds)] if kinds else [])]


def _words(one: Figure) -> str:
    measured = ", ".join(_number(value) for value in one.measured)
    if one.what == "MFMA share":
        return f"{one.what}: measured {measured}, predicted {_number(one.predicted)} ({one.predicted - one.real:+.3f})"
    around = f" ({_number(one.low)} to {_number(one.high)})" if one.low is not None and one.high is not None else ""
    word = "emulated and counted" if one.group == "counters" else "predicted"
    return f"{one.what}: measured {measured}, {word} {_number(one.predicted)}{around}, {one.off:+.1%}"


def _number(value: float) -> str:
    digits = 0 if value == int(value) else 3 if value < 1 else 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:,.{digits}f}"


def goal_lines(outcome: Outcome) -> list[str]:
    """Each goal: how many figures meet it, and the figures that miss it."""
    lines = [f"  {name}: {error:.1%} off on average" for name, error in program_errors(outcome.figures).items()]
    for name in outcome.described.goals:
        own = [one for one in outcome.verdicts if one.goal == name]
        judged = [one for one in own if one.met is not None]
        missed = [f"{one.about}: {one.text}" for one in own if not one.met]
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
            f"| {plain(one.case)} | {plain(one.what)} | {', '.join(map(_number, one.measured))} | {_number(one.predicted)} | {_off(one)} |"
            for one in outcome.figures
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


def _off(one: Figure) -> str:
    if one.what == "MFMA share" or one.group == "kinds":
        return f"{one.predicted - one.real:+.3f}"
    return f"{one.off:+.1%}"


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


def _figure(one: Figure) -> dict[str, Any]:
    return {
        "case": one.case,
        "figure": one.what,
        "group": one.group,
        "measured": list(one.measured),
        "predicted": one.predicted,
        "range": None if one.low is None else [one.low, one.high],
        "off": one.off,
    }


def _verdict(one: Verdict) -> dict[str, Any]:
    return {"goal": one.goal, "about": one.about, "met": one.met, "text": one.text}
