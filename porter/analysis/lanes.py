"""Where a kernel works out lane and warp numbers for itself, and which of its variables hold thread numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from porter.frontend.cpp.constants import Constants
from porter.frontend.cpp.expressions import number
from porter.frontend.lexer import Kind
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit

__all__ = ["LaneSite", "Threads", "lane_sites"]

_WANTED = {"%": 32, "&": 31, "/": 32, ">>": 5}
_KNOWN_NAMES = re.compile(
    r"(?:k|c10_|cuda_|gpu_|num_threads_per_|threads_per_)?warp_?s(?:ize|z)_?|(?:threads|lanes)_per_warp", re.I
)
_KNOWN_VALUES = {"warpSize": 32}
_TILE = re.compile(r"tile|tpb|block|bdim|bsize|^b[mnk]$", re.I)
_THREAD_NAME = re.compile(r"(?:thread_?(?:id|idx|index|rank)|tid|tidx|tx)_?", re.I)
_TYPE_WORDS = frozenset("int unsigned long short char size_t uint uint32_t int32_t uint64_t int64_t auto const".split())


@dataclass(frozen=True, slots=True)
class LaneSite:
    kind: str  # "lane", "warp", "warps", "array"
    first: int  # token range of the expression
    operator: int
    last: int


class Threads:
    """Which local variables hold a thread's number."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self._by_function: dict[int, frozenset[str]] = {}

    def of(self, function: Function | None) -> frozenset[str]:
        if function is None or function.body[0] < 0:
            return frozenset()
        known = self._by_function.get(function.name_index)
        if known is None:
            known = self._by_function[function.name_index] = self._find(function)
        return known

    def _find(self, function: Function) -> frozenset[str]:
        unit = self.unit
        names: set[str] = set()
        for k in range(function.params[0] + 1, function.params[1]):
            if unit.text(k + 1) in (",", ")") and _THREAD_NAME.fullmatch(unit.text(k)):
                names.add(unit.text(k))
        for k in range(function.body[0] + 1, function.body[1]):
            token = unit.tokens[k]
            if token.kind != Kind.IDENT or unit.text(k + 1) not in ("=", "(", "{"):
                continue
            before = unit.tokens[k - 1]
            if before.text != "," and (before.kind != Kind.IDENT or before.text in ("return", "else", "case")):
                continue
            if before.text == "," and unit.text(k + 1) != "=":
                continue
            end = self._end(k + 2, function.body[1])
            if self.is_thread_number(k + 2, end, frozenset(names)) and not self._counts(k, function):
                names.add(token.text)
        return frozenset(names)

    def _end(self, first: int, last: int) -> int:
        at = first
        while at < last:
            text = self.unit.text(at)
            if text in ("(", "[", "{"):
                at = max(self.unit.file.partner(at), at)
            elif text in (",", ";", ")", "}"):
                break
            at += 1
        return at

    def _counts(self, index: int, function: Function) -> bool:
        """A loop variable, or one that is added to: an index of data, not the thread's number."""
        unit, name = self.unit, self.unit.text(index)
        for k in range(index, index - 8, -1):
            if unit.text(k) in (";", "{", "}"):
                break
            if unit.text(k) == "(" and unit.text(k - 1) == "for":
                return True
        return any(
            unit.text(k) == name
            and (
                unit.text(k + 1) in ("+=", "-=", "++", "--", "*=", "/=", ">>=", "<<=")
                or unit.text(k - 1) in ("++", "--")
            )
            for k in range(index + 1, function.body[1])
        )

    def is_thread_number(self, first: int, last: int, names: frozenset[str]) -> bool:
        """Arithmetic on the thread's number, without a load or a call."""
        unit, thread = self.unit, False
        for k in range(first, last):
            token = unit.tokens[k]
            if token.text in ("[", "?", "%", "&", ">>", "/", "<", "==", "&&", "{", "*=", "="):
                return False
            if token.kind == Kind.IDENT:
                if token.text in ("threadIdx", "thread_rank", "thread_index") or (
                    token.text in names and unit.text(k - 1) not in (".", "->")
                ):
                    if unit.text(k - 1) == "-":
                        return False  # what is left beyond this thread: the length of a tile
                    thread = True
                elif unit.text(k + 1) == "(" and token.text not in _TYPE_WORDS and token.text not in (
                    "this_thread_block", "this_grid"
                ):  # fmt: skip
                    return False
        return thread


def lane_sites(unit: Unit, constants: Constants, threads: Threads) -> list[LaneSite]:
    by_start: dict[int, LaneSite] = {}
    for index, token in enumerate(unit.tokens):
        if token.text in _WANTED and token.kind == Kind.PUNCT:
            site = _site(unit, constants, threads, index)
            if site is not None:
                by_start.setdefault(site.first, site)
    for site in _arrays(unit, constants, list(by_start.values())):
        by_start.setdefault(site.first, site)
    return sorted(by_start.values(), key=lambda s: s.first)


def _site(unit: Unit, constants: Constants, threads: Threads, index: int) -> LaneSite | None:
    operator = unit.text(index)
    scope = unit.scope(index)
    names = threads.of(scope.function)
    close = index - 1
    end = unit.text(close)
    of_thread = end in names and unit.text(index - 2) not in (".", "->", "::")
    member = end in ("x", "y", "z") and unit.text(index - 2) == "."
    if operator in ("%", "&") and not (end == ")" or member or of_thread):
        return None  # most are references
    last = _right_operand(unit, constants, index, _WANTED[operator])
    if last < 0:
        return None
    first = close
    if end == ")":
        first = unit.file.partner(close)
        if first < 0:
            return None
        before = unit.tokens[first - 1] if first else None
        if before is not None and before.kind == Kind.IDENT:
            if before.text in ("thread_rank", "thread_index"):
                return LaneSite("lane" if operator in "%&" else "warp", index, index, last)
            if before.text not in _TYPE_WORDS and before.text not in ("return", "case"):
                return None
        inside = (first + 1, close)
    elif member:
        first, inside = index - 3, (index - 3, index)
    elif of_thread:
        inside = (index - 1, index)
    else:
        return _constant_count(unit, index, last)
    texts = {unit.text(k) for k in range(*inside)}
    if threads.is_thread_number(*inside, names):
        if "threadIdx" not in texts and not scope.device:
            return None
        kind = "lane" if operator in ("%", "&") else "warp"
    elif "blockDim" in texts and operator in ("/", ">>") and not texts & {"blockIdx", "gridDim", "["}:
        kind = "warps"
    else:
        return _constant_count(unit, index, last)
    return LaneSite(kind, first, index, last)


def _constant_count(unit: Unit, index: int, last: int) -> LaneSite | None:
    """`constexpr int kWarps = kThreads / 32`, known by its name."""
    if unit.text(index) not in ("/", ">>"):
        return None
    directive = unit.tokens[index].directive
    if directive >= 0:
        entry = unit.file.directives[directive]
        name = unit.text(entry.first) if entry.name == "define" else ""
        first = entry.first + 1
    else:
        at = index - 1
        while at > 0 and index - at < 16 and unit.text(at) not in ("=", ";", "{", "}", "(", ","):
            at -= 1
        if unit.text(at) == "(" and unit.text(at + 1) not in ("(", "=") and unit.text(at - 1) == "=":
            at -= 1
        name = unit.text(at - 1) if unit.text(at) == "=" else ""
        first = at + 1
    if not re.search(r"warps|n_?warp|warp_?(?:num|count)|num_?warp", name, re.I) or first >= index:
        return None
    return LaneSite("warps", first, index, last)


def _right_operand(unit: Unit, constants: Constants, index: int, wanted: int) -> int:
    """The token past the operand right of tokens[index] if its value is `wanted`, else -1."""
    first = index + 1
    token = unit.tokens[first] if first < len(unit.tokens) else None
    if token is None or token.directive != unit.tokens[index].directive:
        return -1
    if token.kind == Kind.NUMBER:
        return first + 1 if number(token.text) == wanted else -1
    if token.text == "(":
        close = unit.file.partner(first)
        if close < 0 or close - first > 12 or any(unit.text(k) == "/" for k in range(first, close)):
            return -1
        known = {**_KNOWN_VALUES}
        for k in range(first, close):
            if _KNOWN_NAMES.fullmatch(unit.text(k)) and constants.named(unit.text(k), k) is None:
                known[unit.text(k)] = 32
        return close + 1 if constants.value(first + 1, close, known) == wanted else -1
    if token.kind != Kind.IDENT:
        return -1
    while unit.text(first + 1) == "::":
        first += 2
    name = unit.text(first)
    if unit.text(first + 1) in ("(", "[", ".", "->", "<"):
        return -1
    if _TILE.search(name) and "warp" not in name.lower():
        return -1
    value = _KNOWN_VALUES.get(name)
    if value is None:
        value = constants.named(name, first)
    if value is None and wanted == 32 and _KNOWN_NAMES.fullmatch(name):
        value = 32
    return first + 1 if value == wanted else -1


def _arrays(unit: Unit, constants: Constants, sites: list[LaneSite]) -> Iterator[LaneSite]:
    """Shared arrays with an element for each warp: by their size, or by what indexes them."""
    warp_names: dict[tuple[int, str], None] = {}
    warp_starts = {s.first for s in sites if s.kind == "warp"}
    for site in sites:
        function = unit.scope(site.first).function
        if site.kind == "warp" and function is not None and unit.text(site.first - 1) in ("=", "("):
            warp_names[(function.name_index, unit.text(site.first - 2))] = None
    for index, token in enumerate(unit.tokens):
        if token.text != "__shared__" or token.directive >= 0:
            continue
        function = unit.scope(index).function
        at = index + 1
        while at < len(unit.tokens) and unit.text(at) not in (";", "{", "}", "="):
            close = unit.file.partner(at) if unit.text(at) == "[" else -1
            if unit.text(at) == "(":
                at = max(unit.file.partner(at), at)
            elif close > at + 1 and unit.tokens[at - 1].kind == Kind.IDENT and function is not None:
                size, name = (at + 1, close), unit.text(at - 1)
                divides = any(
                    unit.text(k) in ("/", ">>") and _right_operand(unit, constants, k, _WANTED[unit.text(k)]) > 0
                    for k in range(*size)
                )
                value = constants.value(*size, {**_KNOWN_VALUES})
                if value is None and close == at + 2 and _KNOWN_NAMES.fullmatch(unit.text(at + 1)):
                    value = 32
                if divides or (value == 32 and _indexed_by_warp(unit, function, name, warp_names, warp_starts)):
                    yield LaneSite("array", size[0], size[0], size[1])
                at = close
            at += 1


def _indexed_by_warp(
    unit: Unit, function: Function, name: str, warp_names: dict[tuple[int, str], None], warp_starts: set[int]
) -> bool:
    for k in range(*function.body):
        if unit.text(k) == name and unit.text(k + 1) == "[":
            close = unit.file.partner(k + 1)
            if k + 2 in warp_starts or any(
                (function.name_index, unit.text(j)) in warp_names for j in range(k + 2, close)
            ):
                return True
    return False
