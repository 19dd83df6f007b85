"""Functions with names that HIP lacks, in units that do not call them: the port's body ends the program, so that the
unit compiles."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from porter.analysis.running.called import is_called_by_name
from porter.findings import Edit, Finding, Safety
from porter.frontend.left_out import Spans
from porter.frontend.lexer import newline_of
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit
from porter.passes.insertions import first_in_body

__all__ = ["keeps_cudas_names", "without_uncalled"]

RULE = "uncalled-function"
HEADER = "porter/not_ported.h"


def without_uncalled(
    unit: Unit, findings: Sequence[Finding], named: Collection[str], uncalled: Sequence[Spans]
) -> list[Finding]:
    """One finding for each function with sites that stay CUDA's whose name is none of `named`, or that each of the units
    has in the text of its functions without a caller."""
    left: dict[Function, list[str]] = {}
    for index in (unit.file.token_at(f.start) for f in findings if keeps_cudas_names(f)):
        function = _outermost(unit, index) if _is_compiled(unit, index) else None
        if function is not None and _may_end(unit, function) and not _is_called(unit, function, named, uncalled):
            left.setdefault(function, []).append(unit.text(index))
    return [_ended(unit, function, dict.fromkeys(names)) for function, names in left.items()]


def _is_called(unit: Unit, function: Function, named: Collection[str], uncalled: Sequence[Spans]) -> bool:
    at = unit.tokens[function.name_index].start
    return function.name in named and not all(any(first <= at < last for first, last in one) for one in uncalled)


def keeps_cudas_names(finding: Finding) -> bool:
    """Is it about a name that HIP lacks?"""
    return finding.rule.startswith("name-") and finding.safety is Safety.LEFT and not finding.edits


def _is_compiled(unit: Unit, index: int) -> bool:
    """Does the preprocessor let it through, so that the parser knows whose name it is?"""
    token = unit.tokens[index]
    return unit.ast is not None and token.directive < 0 and unit.ast.owner(token.start, token.text) != ""


def _outermost(unit: Unit, index: int) -> Function | None:
    around = (f for f in unit.scopes.functions if f.name and f.body[0] < index < f.body[1])
    return min(around, key=lambda f: f.body[0], default=None)


def _may_end(unit: Unit, function: Function) -> bool:
    """A body that may be left out: nothing has to be known of it before the program runs."""
    words = {token.text for token in unit.tokens[function.first : function.body[0]]}
    first, last = (unit.tokens[index] for index in function.body)
    inside = [d.name for d in unit.file.directives if first.start < d.start < last.start]
    whole = sum(name in ("if", "ifdef", "ifndef") for name in inside) == inside.count("endif")
    return (
        whole
        and words.isdisjoint({"constexpr", "consteval", "auto"})
        and is_called_by_name(unit.tokens, function, unit.is_main)
    )


def _ended(unit: Unit, function: Function, names: Iterable[str]) -> Finding:
    left_names, text, newline = ", ".join(names), unit.file.text, newline_of(unit.file.text)
    opening, closing, name = (unit.tokens[index] for index in (*function.body, function.name_index))
    line = len(text[: closing.start].rstrip(" \t"))
    own_line = text[line - 1] in "\r\n"
    call = first_in_body(unit.file, function.body[0], f'porter::not_ported("{function.name}: {left_names}");').text
    begin = f"{call}{newline}#if 0" + ("" if _ends_line(text, opening.end) else newline)
    edits = (
        Edit(opening.end, opening.end, begin),
        Edit(line, line, f"#endif{newline}" if own_line else f"{newline}#endif{newline}"),
    )
    nobody = "nobody calls" if unit.is_main else "not every unit calls"
    message = f"{nobody} {function.name}, which stays CUDA's in {left_names}: it ends the program of those that do"
    return Finding(RULE, name.start, name.start, Safety.REVIEW, message, edits, (HEADER,))


def _ends_line(text: str, offset: int) -> bool:
    return text[offset:].lstrip(" \t")[:1] in ("\r", "\n")
