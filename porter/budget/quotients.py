"""Numbers in device code that stand for a quotient of a tile: `i / 8` beside `i / (kTile / 16)`.

With a shorter tile the quotient is another one, and the number is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from porter.budget.lengths import operand
from porter.findings import Edit
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit

__all__ = ["Part", "parts", "standing", "unexplained", "unseen"]

# What counts lanes and warps is divided by what warps and instructions have, whatever tiles are.
_OF_WARPS = re.compile(r"lane|warp|thread|tid|group", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    """What something is divided by or multiplied with."""

    function: int
    sign: str
    whole: str  # what is
    place: tuple[int, int]  # offsets
    text: str
    plain: bool  # a number


def parts(unit: Unit) -> Iterator[Part]:
    for index in unit.file.places("/", "%", "*"):
        scope = unit.scope(index)
        whole = _whole(unit, index)
        if scope.function is None or not scope.device or unit.tokens[index].directive >= 0 or not whole:
            continue
        for first, last in operand(unit, index + 1):
            place = unit.tokens[first].start, unit.tokens[last - 1].end
            plain = last == first + 1 and unit.tokens[first].kind == Kind.NUMBER
            yield Part(scope.function.body[0], unit.text(index), whole, place, unit.file.text[slice(*place)], plain)


def _whole(unit: Unit, index: int) -> str:
    """The name or the bracket before a sign."""
    first = index - 1
    if unit.text(first) == ")":
        first = unit.file.partner(first)
    elif unit.tokens[first].kind != Kind.IDENT:
        return ""
    while unit.text(first - 1) in (".", "->", "::"):
        first -= 2
    return unit.file.source(first, index) if first > 0 else ""


_Values = Sequence[int]


def standing(answers: Sequence[tuple[Part, _Values, _Values]]) -> list[Edit]:
    """Numbers that stand in divisions for a name of the same value: the name for each. `answers` has what each part comes
    to before and after a change."""
    edits = {}
    for number, value in _numbers(answers):
        for part, now, then in answers:
            if _follows(now, then) and now == (value,) and _where(part) == _where(number):
                edits[number.place] = Edit(*number.place, part.text if part.text.startswith("(") else f"({part.text})")
    return list(edits.values())


def unexplained(answers: Sequence[tuple[Part, _Values, _Values]]) -> Iterator[tuple[Part, Part]]:
    """Numbers that may stand for what follows, and that: something else is divided by them."""
    explained = {edit.start for edit in standing(answers)}
    for number, value in _numbers(answers):
        if number.sign == "*" or _OF_WARPS.search(number.whole) or number.place[0] in explained:
            continue
        for part, now, then in answers:
            if _follows(now, then) and value in now and part.function == number.function:
                yield number, part


def unseen(answers: Sequence[tuple[Part, _Values, _Values]], name: str) -> Iterator[tuple[Part, Part]]:
    """Numbers by which the same is divided as by what names a constant, in code that no instance has: whether they are as
    much is not known."""
    names = re.compile(rf"\b{re.escape(name)}\b")
    by = [part for part, now, _ in answers if not now and not part.plain and names.search(part.text)]
    for number, *_ in answers:
        if number.plain:
            yield from ((number, part) for part in by if _where(part) == _where(number))


def _numbers(answers: Sequence[tuple[Part, _Values, _Values]]) -> Iterator[tuple[Part, int]]:
    for part, now, then in answers:
        if part.plain and now == then and len(now) == 1 and now[0] > 1:
            yield part, now[0]


def _follows(now: _Values, then: _Values) -> bool:
    return bool(now) and bool(then) and tuple(now) != tuple(then)


def _where(part: Part) -> tuple[int, str, str]:
    return part.function, part.sign, part.whole
