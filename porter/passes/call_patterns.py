"""Calls whose arguments change: the [[call]] patterns of the rule files, applied."""

from __future__ import annotations

from collections.abc import Sequence

from porter.findings import Edit, Finding, Safety, hole
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.rules import CallRule, RuleSet

__all__ = ["apply_call", "run"]


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings: list[Finding] = []
    for index in unit.file.places(*(rules.calls.keys() & unit.file.texts())):
        token = unit.tokens[index]
        if token.kind != Kind.IDENT:
            continue
        if unit.is_member(index) or unit.is_user_symbol(index):
            continue
        if unit.text(index - 1) == "::" and unit.text(index - 2) not in ("", ";", "{", "}", "(", ",", "=", "return"):
            qualifier = unit.tokens[index - 2]
            if qualifier.kind == Kind.IDENT and qualifier.text != "return":
                continue
        opening = index + 1
        if unit.text(opening) != "(":
            continue
        finding = apply_call(unit, index, opening, rules.calls[token.text])
        if finding is not None:
            findings.append(finding)
    return findings


def apply_call(unit: Unit, index: int, opening: int, candidates: tuple[CallRule, ...]) -> Finding | None:
    close = unit.file.partner(opening)
    if close < 0:
        message = "the brackets of this call do not close: not ported"
        return Finding(candidates[0].rule, unit.tokens[index].start, unit.tokens[opening].end, Safety.LEFT, message)
    arguments = unit.file.arguments(opening)
    matching = [
        rule for rule in candidates
        if len(arguments) == len(rule.params) or (rule.rest and len(arguments) >= len(rule.params))
    ]  # fmt: skip
    for rule in matching:
        if not _excused(unit, rule, index):
            return None if rule.known else _finding(unit, rule, index, opening, close, arguments)
    if matching:
        return None
    rule = candidates[0]
    if _is_declaration(unit, index, close):
        return None
    start, end = unit.tokens[index].start, unit.tokens[close].end
    message = f"{rule.message}: a call with {len(arguments)} arguments is not one that porter knows"
    return Finding(rule.rule, start, end, Safety.LEFT, message)


def _excused(unit: Unit, rule: CallRule, index: int) -> bool:
    """Do the types of the arguments make the rewrite needless? Types that nobody knows do not, unless the rule asks."""
    if rule.when:
        known = unit.ast is not None and unit.tokens[index].directive < 0
        start = unit.tokens[index].start
        return not (
            known and unit.ast and all(_may_be(unit, unit.ast.argument_type(start, n), types) for n, types in rule.when)
        )
    if not rule.unless or unit.ast is None or unit.tokens[index].directive >= 0:
        return False
    start = unit.tokens[index].start
    return all(unit.ast.argument_type(start, number) in types for number, types in rule.unless)


_SIXTEEN_BITS = frozenset({"cuda_fp16.h", "cuda_bf16.h"})


def _may_be(unit: Unit, kind: str, types: frozenset[str]) -> bool:
    """A template's parameter, "T" or "T *", can be one of these types only where somebody names it, or includes those of
    16 bits."""
    if kind not in types or kind.partition(" ")[0] != "T":
        return kind in types
    named = {one.partition(" ")[0] for one in types} - {"T"}
    return bool(unit.includes & _SIXTEEN_BITS) or not named.isdisjoint(unit.file.texts())


def _is_declaration(unit: Unit, index: int, close: int) -> bool:
    before = unit.tokens[index - 1] if index else None
    return unit.text(close + 1) in ("{", ";") and before is not None and before.kind == Kind.IDENT and before.text not in (
        "return", "else", "do"
    )  # fmt: skip


def _finding(
    unit: Unit, rule: CallRule, index: int, opening: int, close: int, arguments: list[tuple[int, int]]
) -> Finding:
    tokens = unit.tokens
    spans: list[tuple[int, int]] = []
    for number in range(len(rule.params)):
        first, last = arguments[number]
        if rule.rest and number == len(rule.params) - 1:
            last = arguments[-1][1]
        if last <= first:  # an empty argument, e.g. in a macro
            at = tokens[first - 1].end
            spans.append((at, at))
        else:
            spans.append((tokens[first].start, tokens[last - 1].end))
    start, end = tokens[index].start, tokens[close].end
    written = rule.in_c if rule.in_c and unit.path.suffix == ".c" else rule.pieces
    pieces = _without_second_cast(unit, written, arguments)
    used = [piece for piece in pieces if isinstance(piece, int)]
    if used == sorted(set(used)):
        comments = [c for c in unit.file.comments if start <= c[0] < end] if unit.file.comments else []
        edits = _in_place(unit.file.text, pieces, start, end, spans, comments)
    else:
        text = "".join(hole(*spans[p]) if isinstance(p, int) else p for p in pieces)
        edits = (Edit(start, end, text),)
    reach = max((e.end for e in edits), default=start)
    if any(start < d.start < reach and d.name in _CONDITIONALS for d in unit.file.directives):
        message = f"{rule.message}: the preprocessor chooses among the arguments: not ported"
        return Finding(rule.rule, start, end, Safety.LEFT, message)
    return Finding(rule.rule, start, end, rule.safety, rule.message, edits, rule.includes)


# Between two of these the tokens hold more arguments than any one compilation sees.
_CONDITIONALS = frozenset({"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"})

_TO_POINTER = "reinterpret_cast<const void*>("
_POINTER_CASTS = tuple(
    cast for qualified in ("void", "const void", "void const")
    for cast in (f"( {qualified} * )", *(f"{word} < {qualified} * > (" for word in ("reinterpret_cast", "static_cast")))
)  # fmt: skip


def _without_second_cast(
    unit: Unit, pieces: Sequence[str | int], arguments: Sequence[tuple[int, int]]
) -> list[str | int]:
    """A rule's cast to a pointer goes where the author wrote one: `(void*)kernel`."""
    result = list(pieces)
    for at, piece in enumerate(pieces):
        before, after = (result[at - 1], result[at + 1]) if 0 < at < len(pieces) - 1 else ("", "")
        if not isinstance(piece, int) or not isinstance(before, str) or not isinstance(after, str):
            continue
        first, last = arguments[piece]
        written = " ".join(unit.text(k) for k in range(first, min(last, first + 7)))
        if before.endswith(_TO_POINTER) and after.startswith(")") and written.startswith(_POINTER_CASTS):
            result[at - 1], result[at + 1] = before.removesuffix(_TO_POINTER), after[1:]
    return result


def _in_place(
    text: str,
    pieces: Sequence[str | int],
    start: int,
    end: int,
    spans: list[tuple[int, int]],
    comments: list[tuple[int, int]],
) -> tuple[Edit, ...]:
    """Edits for the text between the arguments only, so that the arguments keep their own; comments stay."""
    edits: list[Edit] = []
    position = start
    pending = ""

    def gap(upto: int, wanted: str) -> None:
        present = text[position:upto]
        if " ".join(present.split()) == " ".join(wanted.split()):
            return  # the same but for white space: leave the author's
        kept = [text[a:b] for a, b in comments if position <= a and b <= upto]
        if kept:
            wanted += " " + "".join(c + ("\n" if c.startswith("//") else " ") for c in kept)
        head = 0
        while head < min(len(present), len(wanted)) and present[head] == wanted[head]:
            head += 1
        # never split a word: an edit replaces whole names
        while head and (present[head - 1].isalnum() or present[head - 1] == "_"):
            head -= 1
        edits.append(Edit(position + head, upto, wanted[head:]))

    for piece in pieces:
        if isinstance(piece, int):
            begin, finish = spans[piece]
            gap(begin, pending)
            pending, position = "", finish
        else:
            pending += piece
    gap(end, pending)
    return tuple(edits)
