"""Lanes of one warp that meet from two branches: `if (lane < 16) { ...; __syncwarp(); ... } else { ...; __syncwarp(); ... }`.

Since Volta a masked function waits for all lanes that its mask names, wherever each of them calls it. The lanes of a wave
share one program counter: one branch is done before the other begins, and what they exchange is not there yet. A call
whose mask names lanes of its own branch alone has nobody to wait for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from porter.analysis.lanes import LaneSite, Threads
from porter.findings import Finding, Safety
from porter.frontend.cpp.constants import Constants
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit

__all__ = ["meetings"]

_MASKED = re.compile(
    r"__syncwarp|__shfl(?:_up|_down|_xor)?_sync|__(?:ballot|any|all|match_any|match_all|reduce_\w+)_sync"
)
_LANE_NAME = re.compile(r"lane_?(?:id|idx|index)?_?|__laneid", re.I)
_COMPARES = {"<": 0, ">=": 0, "<=": 1, ">": 1}  # what is added to the number that parts the threads
_ALL = 0xFFFFFFFF
_THIRTY_TWO = ["<", "32", ">"]
_TILE_METHODS = frozenset(
    {"sync", "shfl", "shfl_up", "shfl_down", "shfl_xor", "any", "all", "ballot", "match_any", "match_all"}
)


@dataclass(frozen=True, slots=True)
class _Call:
    name: str
    mask: str  # its tokens; "" is all lanes
    value: int | None  # where it is a constant


def meetings(unit: Unit, threads: Threads, constants: Constants, sites: Sequence[LaneSite]) -> Iterator[Finding]:
    """A finding at each `if` that parts a warp and whose two ways have one masked function for lanes of both."""
    for index, token in enumerate(unit.tokens):
        if token.text != "if" or token.directive >= 0 or not unit.in_device_code(index):
            continue
        function = unit.scope(index).function
        first = index + 2 if unit.text(index + 1) == "constexpr" else index + 1
        close = unit.file.partner(first) if unit.text(first) == "(" else -1
        if function is None or close < 0 or not _parts_a_warp(unit, threads, constants, sites, function, first, close):
            continue
        name = _met(unit, constants, *_ways(unit, function, close))
        if name:
            yield Finding("warp-branches", token.start, unit.tokens[close].end, Safety.REVIEW, _message(name))


def _message(name: str) -> str:
    return (
        f"the lanes of a warp part here, and {name} has to bring those of both ways together: on AMD one way is done "
        "before the other begins; end the branches before the call, and make it once for all lanes"
    )


def _parts_a_warp(
    unit: Unit,
    threads: Threads,
    constants: Constants,
    sites: Sequence[LaneSite],
    function: Function,
    first: int,
    last: int,
) -> bool:
    """Whether the condition certainly differs among the lanes of some warp: it tests the lane, or the thread against a
    bound that is no multiple of 32."""
    lanes = {unit.text(s.first - 2) for s in sites if s.kind == "lane" and unit.text(s.first - 1) == "="}
    inside = [s for s in sites if first < s.first and s.last <= last]
    if any(s.kind == "lane" for s in inside):
        return True
    numbers = threads.of(function)
    for k in range(first + 1, last):
        text, member = unit.text(k), unit.text(k - 1) in (".", "->")
        if not member and (text in lanes or _LANE_NAME.fullmatch(text)):
            return True
        if not member and (text in numbers or (text == "threadIdx" and unit.text(k + 2) == "x")):
            after = k + 3 if text == "threadIdx" else k + 1
            if _bound_parts(unit, constants, after, last):
                return True
    return False


def _bound_parts(unit: Unit, constants: Constants, at: int, last: int) -> bool:
    """`< 16`, `% 2`, `& 1` behind a thread's number."""
    operator, end = unit.text(at), at + 1
    while end < last and unit.text(end) not in ("&&", "||", "==", "!=", *_COMPARES):
        end = max(unit.file.partner(end), end) + 1 if unit.text(end) == "(" else end + 1
    value = constants.value(at + 1, end, {})
    if value is None:
        return False
    if operator in _COMPARES:
        return (value + _COMPARES[operator]) % 32 != 0
    return (operator == "%" and value % 32 != 0) or (operator == "&" and value & 31 != 0)


def _ways(unit: Unit, function: Function, close: int) -> tuple[range, range]:
    """The tokens of both branches; behind one that returns, the rest of the block is the other."""
    end = _statement_end(unit, close + 1)
    if unit.text(end) == "else":
        return range(close + 1, end), range(end + 1, _statement_end(unit, end + 1))
    if not _returns(unit, close + 1, end):
        return range(0), range(0)
    rest = end
    while rest < function.body[1] and unit.text(rest) != "}":
        rest = max(unit.file.partner(rest), rest) + 1 if unit.text(rest) in ("(", "[", "{") else rest + 1
    return range(close + 1, end), range(end, rest)


def _returns(unit: Unit, first: int, end: int) -> bool:
    """Whether the last statement of a branch is a return."""
    at = end - 1
    while at > first and unit.text(at) in ("}", ";"):
        at -= 1
    while at > first and unit.text(at - 1) not in (";", "{", "}"):
        at -= 1
    return unit.text(at) == "return"


def _statement_end(unit: Unit, at: int) -> int:
    """The token behind the statement that begins at tokens[at]."""
    text = unit.text(at)
    if text == "{":
        return unit.file.partner(at) + 1
    if text in ("if", "for", "while", "switch"):
        opening = at + 2 if unit.text(at + 1) == "constexpr" else at + 1
        end = _statement_end(unit, max(unit.file.partner(opening), opening) + 1)
        return _statement_end(unit, end + 1) if text == "if" and unit.text(end) == "else" else end
    while at < len(unit.tokens) and unit.text(at) not in (";", "}", ""):
        at = max(unit.file.partner(at), at) + 1 if unit.text(at) in ("(", "[", "{") else at + 1
    return at + 1


def _calls(unit: Unit, constants: Constants, tokens: range) -> list[_Call]:
    """The masked functions of a branch, except where the branch made the mask itself and so knows its lanes."""
    calls = []
    made = {unit.text(k - 1) for k in tokens if unit.text(k) == "="}
    warps = _tiles_of_a_warp(unit, unit.scope(tokens.start).function) if tokens else frozenset()
    for k in tokens:
        if unit.text(k) in warps and unit.text(k + 1) == "." and unit.text(k + 2) in _TILE_METHODS:
            calls.append(_Call(f"{unit.text(k)}.{unit.text(k + 2)}", "", _ALL))
        if not _MASKED.fullmatch(unit.text(k)) or unit.text(k + 1) != "(" or unit.file.partner(k + 1) < 0:
            continue
        arguments = unit.file.arguments(k + 1)
        begin, end = arguments[0] if arguments else (k + 2, k + 2)
        mask = "".join(unit.text(j) for j in range(begin, end))
        value = constants.value(begin, end, {}) if mask else _ALL
        if mask not in made and "__activemask" not in mask:
            calls.append(_Call(unit.text(k), mask, None if value is None else value & _ALL))
    return calls


def _tiles_of_a_warp(unit: Unit, function: Function | None) -> frozenset[str]:
    """Variables of the function that are cooperative groups of a warp's 32 threads: `auto warp = tiled_partition<32>(...)`."""
    if function is None:
        return frozenset()
    body = range(*function.body)
    made = (
        k for k in body if unit.text(k) == "tiled_partition" and [unit.text(k + n) for n in (1, 2, 3)] == _THIRTY_TWO
    )
    names = set()
    for k in made:
        while unit.text(k) not in ("=", ";", "{", "}", "("):
            k -= 1
        names |= {unit.text(k - 1)} if unit.text(k) == "=" else set()
    return frozenset(names)


def _met(unit: Unit, constants: Constants, one: range, other: range) -> str:
    theirs = _calls(unit, constants, other)
    for call in _calls(unit, constants, one):
        if any(call.name == their.name and _common(call, their) for their in theirs):
            return call.name
    return ""


def _common(a: _Call, b: _Call) -> bool:
    """Whether one mask certainly names lanes that the other names as well."""
    if a.value is not None and b.value is not None:
        return a.value & b.value != 0
    return a.mask == b.mask or _ALL in (a.value, b.value)
