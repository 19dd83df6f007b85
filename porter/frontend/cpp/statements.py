"""Statements of a function body as trees, read off tokens. What cannot be read is an Opaque statement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Union

from porter.frontend.cpp.declarations import Declaration, Variable, read_declaration
from porter.frontend.cpp.expressions import Expr, Unreadable, parse
from porter.frontend.lexer import TokenFile

__all__ = [
    "Block", "Declaration", "Do", "For", "If", "Jump", "Opaque", "Return", "Simple", "Statement", "Variable", "While",
    "children", "read_body",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Simple:
    expression: Expr
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Block:
    statements: tuple[Statement, ...]
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class If:
    condition: Expr
    yes: Statement
    no: Statement | None
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class For:
    start: Statement | None
    condition: Expr | None
    step: Expr | None
    body: Statement
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class While:
    condition: Expr
    body: Statement
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Do:
    body: Statement
    condition: Expr
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Return:
    value: Expr | None
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Jump:
    word: str  # "break" or "continue"
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Opaque:
    why: str
    first: int
    last: int


Statement = Union[Declaration, Simple, Block, If, For, While, Do, Return, Jump, Opaque]

_UNREAD = frozenset("switch goto asm try case default using typedef struct class static_assert enum".split())


def read_body(file: TokenFile, body: tuple[int, int], types: frozenset[str] = frozenset()) -> Block:
    """The statements between the braces tokens[body[0]] and tokens[body[1]]."""
    reader = _Reader(file, types)
    return Block(tuple(reader.statements(body[0] + 1, body[1])), body[0], body[1] + 1)


def children(node: Statement) -> Iterator[Statement]:
    if isinstance(node, Block):
        yield from node.statements
    elif isinstance(node, If):
        yield node.yes
        if node.no is not None:
            yield node.no
    elif isinstance(node, For):
        if node.start is not None:
            yield node.start
        yield node.body
    elif isinstance(node, (While, Do)):
        yield node.body


class _Reader:
    def __init__(self, file: TokenFile, types: frozenset[str]) -> None:
        self.file, self.types = file, types

    def text(self, index: int) -> str:
        return self.file.tokens[index].text if 0 <= index < len(self.file.tokens) else ""

    def statements(self, first: int, last: int) -> Iterator[Statement]:
        at = first
        while at < last:
            at = self.skip(at, last)
            if at >= last:
                return
            statement, at = self.statement(at, last)
            yield statement

    def skip(self, at: int, last: int) -> int:
        """Past #pragma lines and empty statements."""
        while at < last:
            directive = self.file.tokens[at].directive
            if directive >= 0:
                at = max(self.file.directives[directive].last, at + 1)
            elif self.text(at) == ";":
                at += 1
            else:
                break
        return at

    def statement(self, at: int, last: int) -> tuple[Statement, int]:
        text = self.text(at)
        try:
            if text == "{":
                close = self.partner(at)
                return Block(tuple(self.statements(at + 1, close)), at, close + 1), close + 1
            if text == "if":
                return self.branch(at, last)
            if text in ("for", "while"):
                return self.loop(at, last)
            if text == "do":
                return self.do(at, last)
            end = self.end(at, last)
            if text == "return":
                value = None if end == at + 1 else parse(self.file, at + 1, end, self.types)
                return Return(value, at, end + 1), end + 1
            if text in ("break", "continue"):
                return Jump(text, at, end + 1), end + 1
            if text in _UNREAD:
                return self.opaque(at, last, text)
            return self.simple(at, end), end + 1
        except Unreadable as problem:
            return self.opaque(at, last, problem.what)

    def opaque(self, at: int, last: int, why: str) -> tuple[Statement, int]:
        """Up to the `;` or the closing brace that ends the statement."""
        k = at
        while k < last:
            text = self.text(k)
            if text == ";":
                return Opaque(why, at, k + 1), k + 1
            if text in ("(", "["):
                k = max(self.file.partner(k), k)
            elif text == "{":
                k = max(self.file.partner(k), k)
                after = self.text(k + 1)
                if after not in (";", ",", ")", "else", "while", "("):
                    return Opaque(why, at, k + 1), k + 1
            k += 1
        return Opaque(why, at, last), last

    def partner(self, index: int) -> int:
        close = self.file.partner(index)
        if close < 0:
            raise Unreadable(index, "unbalanced bracket")
        return close

    def end(self, at: int, last: int) -> int:
        """The `;` that ends the statement at `at`."""
        while at < last:
            text = self.text(at)
            if text in ("(", "[", "{"):
                at = self.partner(at)
            elif text == ";":
                return at
            at += 1
        raise Unreadable(last - 1, "';' expected")

    def inner(self, at: int, last: int) -> tuple[Statement, int]:
        at = self.skip_directives(at, last)
        if self.text(at) == ";":
            return Block((), at, at + 1), at + 1
        return self.statement(at, last)

    def skip_directives(self, at: int, last: int) -> int:
        while at < last and self.file.tokens[at].directive >= 0:
            at = max(self.file.directives[self.file.tokens[at].directive].last, at + 1)
        return at

    def branch(self, at: int, last: int) -> tuple[Statement, int]:
        opening = at + 2 if self.text(at + 1) == "constexpr" else at + 1
        if self.text(opening) != "(":
            raise Unreadable(opening, "'(' expected")
        close = self.partner(opening)
        condition = parse(self.file, opening + 1, close, self.types)
        yes, after = self.inner(close + 1, last)
        no = None
        look = self.skip_directives(after, last)
        if look < last and self.text(look) == "else":
            no, after = self.inner(look + 1, last)
        return If(condition, yes, no, at, after), after

    def loop(self, at: int, last: int) -> tuple[Statement, int]:
        if self.text(at + 1) != "(":
            raise Unreadable(at + 1, "'(' expected")
        close = self.partner(at + 1)
        if self.text(at) == "while":
            condition = parse(self.file, at + 2, close, self.types)
            body, after = self.inner(close + 1, last)
            return While(condition, body, at, after), after
        first = self.end(at + 2, close)
        second = self.end(first + 1, close)
        start = self.simple(at + 2, first) if first > at + 2 else None
        test = parse(self.file, first + 1, second, self.types) if second > first + 1 else None
        step = parse(self.file, second + 1, close, self.types) if close > second + 1 else None
        body, after = self.inner(close + 1, last)
        return For(start, test, step, body, at, after), after

    def do(self, at: int, last: int) -> tuple[Statement, int]:
        body, after = self.inner(at + 1, last)
        if self.text(after) != "while" or self.text(after + 1) != "(":
            raise Unreadable(after, "'while' expected")
        close = self.partner(after + 1)
        condition = parse(self.file, after + 2, close, self.types)
        return Do(body, condition, at, close + 2), close + 2

    def simple(self, first: int, end: int) -> Statement:
        """A declaration or an expression; tokens[end] is the `;`."""
        declared = read_declaration(self.file, first, end, self.types)
        if declared is not None:
            return declared
        return Simple(parse(self.file, first, end, self.types), first, end + 1)
