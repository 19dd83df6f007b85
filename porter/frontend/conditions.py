"""Conditions of the preprocessor: their parts, and their value as far as the names in them are known."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from porter.frontend.lexer import Kind, TokenFile

__all__ = ["CONDITIONS", "Part", "condition", "number", "value"]

CONDITIONS = ("if", "elif", "ifdef", "ifndef", "elifdef", "elifndef")
_SPELLED = {
    "and": "&&", "or": "||", "not": "!", "not_eq": "!=", "bitand": "&", "bitor": "|", "xor": "^", "compl": "~"
}  # fmt: skip
Names = Mapping[str, int | None]  # None: not defined; absent: nobody knows


@dataclass(frozen=True, slots=True)
class Part:
    kind: str  # "or", "and", "not", "group" (in brackets), "test" (anything else: a comparison, `defined(X)`)
    first: int  # tokens
    last: int
    parts: tuple[Part, ...] = ()


def condition(file: TokenFile, first: int, last: int) -> Part:
    """The parts of the condition tokens[first:last]."""
    for kind, sign in (("or", "||"), ("and", "&&")):
        cuts = _outside_brackets(file, first, last, sign)
        if kind == "or" and _outside_brackets(file, first, last, "?"):
            return Part("test", first, last)
        if cuts:
            ends = [*cuts, last]
            begins = [first, *(cut + 1 for cut in cuts)]
            parts = tuple(condition(file, a, b) for a, b in zip(begins, ends, strict=True))
            return Part(kind, first, last, parts)
    if last - first >= 2 and _sign(file, first) == "!" and _is_one(file, first + 1, last):
        return Part("not", first, last, (condition(file, first + 1, last),))
    if last - first >= 3 and file.tokens[first].text == "(" and file.partner(first) == last - 1:
        return Part("group", first, last, (condition(file, first + 1, last - 1),))
    return Part("test", first, last)


def _sign(file: TokenFile, at: int) -> str:
    """The token's text; of an operator that is spelled as a word, its sign."""
    text = file.tokens[at].text
    return _SPELLED.get(text, text)


def _outside_brackets(file: TokenFile, first: int, last: int, sign: str) -> list[int]:
    questions, at = [], first
    while at < last:
        text = file.tokens[at].text
        if text == "(":
            partner = file.partner(at)
            at = partner if at < partner < last else at
        elif _sign(file, at) == sign:
            questions.append(at)
        at += 1
    return questions


def _is_one(file: TokenFile, first: int, last: int) -> bool:
    """Is it what a `!` before it negates as a whole: a name, brackets, defined(X), or such a thing negated?"""
    text = _sign(file, first)
    if text == "!":
        return _is_one(file, first + 1, last)
    if text == "(":
        return file.partner(first) == last - 1
    if text == "defined" and last - first > 1:
        return last - first == 2 or file.partner(first + 1) == last - 1
    return last - first == 1 or (file.tokens[first + 1].text == "(" and file.partner(first + 1) == last - 1)


def value(file: TokenFile, first: int, last: int, names: Names) -> int | None:
    """Of the expression tokens[first:last]; None if it depends on what is not known."""
    reader = _Reader(file, first, last, names)
    try:
        result = reader.ternary()
    except _Unread:
        return None
    return result if reader.at == last else None


def number(text: str) -> int | None:
    """The value of an integer literal."""
    literal = re.fullmatch(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)[uUlL]*", text)
    if not literal:
        return None
    digits = literal[1]
    if digits[:2] in ("0x", "0X", "0b", "0B"):
        return int(digits, 0)
    return int(digits, 8) if digits[0] == "0" and re.fullmatch("[0-7]+", digits) else int(digits)


class _Unread(Exception):
    """No expression that conditions have."""


_LEVELS: tuple[Mapping[str, Callable[[int, int], int]], ...] = (
    {"|": operator.or_},
    {"^": operator.xor},
    {"&": operator.and_},
    {"==": operator.eq, "!=": operator.ne},
    {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge},
    {"<<": lambda a, b: a << min(b, 64) if b >= 0 else 0, ">>": lambda a, b: a >> b if b >= 0 else 0},
    {"+": operator.add, "-": operator.sub},
    {"*": operator.mul, "/": lambda a, b: int(a / b), "%": lambda a, b: a - b * int(a / b)},
)


class _Reader:
    """Reads one expression from left to right; a value is None where it is not known."""

    def __init__(self, file: TokenFile, first: int, last: int, names: Names) -> None:
        self.file, self.at, self.last, self.names = file, first, last, names

    def ternary(self) -> int | None:
        condition = self._either()
        if not self._take("?"):
            return condition
        yes = self.ternary()
        self._expect(":")
        no = self.ternary()
        if condition is None:
            return yes if yes == no else None
        return yes if condition else no

    def _either(self) -> int | None:
        left = self._both()
        while self._take("||"):
            other = self._both()
            left = 1 if left or other else None if left is None or other is None else 0
        return left

    def _both(self) -> int | None:
        left = self._binary(0)
        while self._take("&&"):
            other = self._binary(0)
            zero = left == 0 or other == 0
            left = 0 if zero else None if left is None or other is None else 1
        return left

    def _binary(self, level: int) -> int | None:
        if level == len(_LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while self._text() in _LEVELS[level]:
            sign = _LEVELS[level][self._next()]
            other = self._binary(level + 1)
            try:
                left = None if left is None or other is None else int(sign(left, other))
            except ZeroDivisionError:
                left = None
        return left

    def _unary(self) -> int | None:
        if self._text() in ("!", "-", "+", "~"):
            sign = self._next()
            operand = self._unary()
            if operand is None:
                return None
            return {"!": int(not operand), "-": -operand, "+": operand, "~": ~operand}[sign]
        return self._primary()

    def _primary(self) -> int | None:
        token = self.file.tokens[self.at] if self.at < self.last else None
        if token is None:
            raise _Unread
        if self._take("("):
            result = self.ternary()
            self._expect(")")
            return result
        self.at += 1
        if token.kind == Kind.NUMBER:
            return number(token.text)
        if token.kind != Kind.IDENT:
            raise _Unread
        if token.text == "defined":
            return self._defined()
        if self._text() == "(":  # a macro with arguments
            partner = self.file.partner(self.at)
            if not self.at < partner < self.last:
                raise _Unread
            version = self.file.tokens[partner - 1].text
            self.at = partner + 1
            feature = f"__CUDA_ARCH_FEAT_{version}"
            known = token.text == "__CUDA_ARCH_HAS_FEATURE__" and feature in self.names
            return self.names[feature] or 0 if known else None
        if token.text not in self.names:
            return {"true": 1, "false": 0}.get(token.text)
        return self.names[token.text] or 0

    def _defined(self) -> int | None:
        bracket = self._take("(")
        name = self._next()
        if bracket:
            self._expect(")")
        return int(self.names[name] is not None) if name in self.names else None

    def _text(self) -> str:
        return _sign(self.file, self.at) if self.at < self.last else ""

    def _next(self) -> str:
        if self.at >= self.last:
            raise _Unread
        self.at += 1
        return _sign(self.file, self.at - 1)

    def _take(self, text: str) -> bool:
        if self._text() != text:
            return False
        self.at += 1
        return True

    def _expect(self, text: str) -> None:
        if not self._take(text):
            raise _Unread
