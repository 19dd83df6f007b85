"""String literals that NVRTC compiles: the literals of a file that reach nvrtcCreateProgram, and the calls with text
from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from porter.frontend.lexer import Kind, TokenFile, split_commas
from porter.frontend.scopes import Function, Scopes

__all__ = ["CREATE", "RuntimeText", "RuntimeTexts", "Unreached", "runtime_texts"]

CREATE = "nvrtcCreateProgram"
# A definition, not a message that names the keyword.
_KERNEL = re.compile(r"__global__\b[^;{}]*?\bvoid\b[^;{}]*?\b\w+\s*\(|\bvoid\s+__global__\s+\w+\s*\(")
_CASTS = frozenset({"static_cast", "reinterpret_cast", "const_cast"})
_READS = frozenset({"c_str", "data"})
_DEPTH = 8


@dataclass(frozen=True, slots=True)
class RuntimeText:
    """tokens[first:last] are literals that make one text; `traced`: it is seen how they come to NVRTC."""

    first: int
    last: int
    traced: bool


@dataclass(frozen=True, slots=True)
class Unreached:
    """An expression whose text is not known."""

    first: int
    last: int
    why: str


@dataclass(frozen=True, slots=True)
class RuntimeTexts:
    texts: tuple[RuntimeText, ...]
    unreached: tuple[Unreached, ...]


def runtime_texts(file: TokenFile, scopes: Scopes) -> RuntimeTexts:
    """The literals of a file that NVRTC compiles, in their order."""
    tracing = _Tracing(file, scopes)
    for at in file.places(CREATE):
        if at + 1 >= len(file.tokens) or file.tokens[at + 1].text != "(":
            continue
        arguments = file.arguments(at + 1)
        if len(arguments) >= 6:
            tracing.text(*arguments[1], 0)
            tracing.headers(*arguments[4])
    by_start = {first: RuntimeText(first, last, True) for first, last in tracing.literals.items()}
    for first, last in _literals(file) if "__global__" in file.text else ():
        text = file.source(first, last)
        if first not in by_start and "__global__" in text and _KERNEL.search(text):
            by_start[first] = RuntimeText(first, last, False)
    return RuntimeTexts(tuple(by_start[first] for first in sorted(by_start)), tuple(tracing.unreached.values()))


def _literals(file: TokenFile) -> Iterator[tuple[int, int]]:
    """The runs of string literals."""
    index = 0
    while index < len(file.tokens):
        last = _run(file, index)
        if last > index:
            yield index, last
        index = max(last, index + 1)


def _run(file: TokenFile, index: int) -> int:
    while index < len(file.tokens) and file.tokens[index].kind == Kind.STRING:
        index += 1
    return index


class _Tracing:
    """Follows expressions back to literals: through names, parameters of functions, arrays, std::string."""

    def __init__(self, file: TokenFile, scopes: Scopes) -> None:
        self.file, self.scopes = file, scopes
        self.literals: dict[int, int] = {}
        self.unreached: dict[int, Unreached] = {}
        self.seen: set[tuple[str, int]] = set()

    def headers(self, first: int, last: int) -> None:
        """The texts of headers that are given to the program; none where there is a null pointer."""
        if self.file.source(first, last) not in ("0", "NULL", "nullptr", "{}"):
            self.text(first, last, 0)

    def text(self, first: int, last: int, depth: int) -> None:
        """What tokens[first:last] stand for: notes the literals, or why they are not known."""
        first, last = self._bare(first, last)
        tokens = self.file.tokens
        if first >= last:
            return
        if tokens[first].kind == Kind.STRING and _run(self.file, first) >= last:
            self.literals[first] = last
        elif tokens[first].text == "{" and self.file.partner(first) == last - 1:
            for part in split_commas(self.file, first + 1, last - 1):
                self.text(*part, depth)
        elif any(tokens[k].text == "+" for k in range(first, last)):
            self._not(first, last, "the text is put together at run time")
        elif tokens[first].kind == Kind.IDENT and (last == first + 1 or tokens[first + 1].text == "["):
            self._name(first, last, depth)
        else:
            self._not(first, last, "where the text comes from cannot be followed")

    def _bare(self, first: int, last: int) -> tuple[int, int]:
        """Without casts, parentheses, `&`, `std::string(...)`, `.c_str()` and `.data()`."""
        tokens, partner = self.file.tokens, self.file.partner
        while first < last:
            text = tokens[first].text
            if last - first > 4 and tokens[last - 3].text in _READS and tokens[last - 4].text in (".", "->"):
                last -= 4
            elif text == "(" and partner(first) == last - 1:
                first, last = first + 1, last - 1
            elif text == "(" and 0 <= partner(first) < last - 1:
                first = partner(first) + 1  # a cast
            elif text == "&" or (text == "std" and last - first > 3 and tokens[first + 1].text == "::"):
                first += 1 if text == "&" else 2
            elif (text in _CASTS or text == "string" or text == "string_view") and tokens[last - 1].text in (")", "}"):
                opening = partner(last - 1)
                if opening <= first:
                    break
                first, last = opening + 1, last - 1
            else:
                break
        return first, last

    def _name(self, first: int, last: int, depth: int) -> None:
        name = self.file.tokens[first].text
        function = self.scopes.at(first).function
        if (name, depth) in self.seen and function is None:
            return
        if depth > _DEPTH:
            self._not(first, last, "where the text comes from cannot be followed")
            return
        self.seen.add((name, depth))
        position = _parameter(self.file, function, name) if function is not None else -1
        if function is not None and position >= 0:
            known = self._arguments(function, position, depth)
        else:
            known = self._initialisers(name, depth)
        if not known:
            self._not(first, last, f"where the text of {name} comes from cannot be followed")

    def _arguments(self, function: Function, position: int, depth: int) -> bool:
        """Follows what calls of a function give to one of its parameters."""
        known = False
        for at in self.file.places(function.name):
            if at == function.name_index or at + 1 >= len(self.file.tokens) or self.file.tokens[at + 1].text != "(":
                continue
            arguments = self.file.arguments(at + 1)
            if position < len(arguments) and not any(f.name_index == at for f in self.scopes.functions):
                self.text(*arguments[position], depth + 1)
                known = True
        return known

    def _initialisers(self, name: str, depth: int) -> bool:
        """Follows what a variable or a macro of this name is set to."""
        tokens = self.file.tokens
        known = False
        for directive in self.file.directives:
            if (
                directive.name == "define"
                and directive.last - directive.first > 1
                and tokens[directive.first].text == name
            ):
                self.text(directive.first + 1, directive.last, depth + 1)
                known = True
        for at in self.file.places(name):
            behind = at + 1
            while behind < len(tokens) and tokens[behind].text == "[" and self.file.partner(behind) > 0:
                behind = self.file.partner(behind) + 1
            if behind >= len(tokens) or tokens[at].directive >= 0:
                continue
            text = tokens[behind].text
            if text == "+=" or (
                text == "." and tokens[behind + 1].text in ("append", "insert", "replace", "push_back")
            ):
                self._not(at, at + 1, "the text is put together at run time")
                known = True
            elif text == "=":
                self.text(behind + 1, _end(self.file, behind + 1), depth + 1)
                known = True
            elif text in ("(", "{") and behind == at + 1 and at and _declares(tokens[at - 1].text, tokens[at - 1].kind):
                last = self.file.partner(behind)
                if last > 0 and tokens[behind + 1].kind == Kind.STRING:
                    self.text(behind + 1, last, depth + 1)
                    known = True
        return known

    def _not(self, first: int, last: int, why: str) -> None:
        self.unreached.setdefault(first, Unreached(first, last, why))


def _declares(before: str, kind: str) -> bool:
    return (kind == Kind.IDENT and before not in ("return", "else")) or before in ("*", "&", ">")


def _end(file: TokenFile, first: int) -> int:
    """The end of an initialiser: before its `;`, or the comma or bracket that is not its own."""
    index = first
    while index < len(file.tokens):
        text = file.tokens[index].text
        if text in ("(", "[", "{") and file.partner(index) > index:
            index = file.partner(index)
        elif text in (";", ",", ")", "]", "}"):
            break
        index += 1
    return index


def _parameter(file: TokenFile, function: Function, name: str) -> int:
    """The position of a parameter of a function, -1 if it has none by this name."""
    for position, (first, last) in enumerate(split_commas(file, function.params[0] + 1, function.params[1])):
        named = [k for k in range(first, last) if file.tokens[k].kind == Kind.IDENT]
        end = next((k for k in range(first, last) if file.tokens[k].text == "="), last)
        if any(file.tokens[k].text == name and k < end for k in named[1:]):
            return position
    return -1
