"""C++ expressions of device code as trees, read off tokens.

Enough of the language for kernels: what cannot be read raises Unreadable, and the caller must then
assume nothing about the place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Union

from porter.frontend.lexer import Kind, TokenFile, split_commas, template_end

__all__ = [
    "Assign", "Binary", "Call", "Cast", "Choice", "Comma", "Expr", "Index", "Init", "Member", "Name", "Number", "Text",
    "Unary", "Unreadable", "number", "parse", "walk",
]  # fmt: skip


class Unreadable(Exception):
    """These tokens are no expression that this reader knows; `index` is the token where it gave up."""

    def __init__(self, index: int, what: str) -> None:
        super().__init__(what)
        self.index = index
        self.what = what


@dataclass(frozen=True, slots=True)
class Number:
    value: int | str  # text for a floating-point literal
    index: int


@dataclass(frozen=True, slots=True)
class Text:  # a string or character literal
    text: str
    index: int


@dataclass(frozen=True, slots=True)
class Name:
    name: str  # a::b as one word
    index: int


@dataclass(frozen=True, slots=True)
class Unary:
    op: str  # "post++" and "post--" for the postfix forms
    operand: Expr
    index: int


@dataclass(frozen=True, slots=True)
class Binary:
    op: str
    left: Expr
    right: Expr
    index: int


@dataclass(frozen=True, slots=True)
class Assign:
    op: str  # "=", "+=", ...
    target: Expr
    value: Expr
    index: int


@dataclass(frozen=True, slots=True)
class Choice:
    condition: Expr
    yes: Expr
    no: Expr
    index: int


@dataclass(frozen=True, slots=True)
class Comma:
    left: Expr
    right: Expr
    index: int


@dataclass(frozen=True, slots=True)
class Call:
    function: Expr
    template: tuple[int, int] | None  # token range inside < >
    arguments: tuple[Expr, ...]
    index: int  # of the function's name
    close: int  # of the closing parenthesis


@dataclass(frozen=True, slots=True)
class Index:
    base: Expr
    subscript: Expr
    index: int


@dataclass(frozen=True, slots=True)
class Member:
    base: Expr
    name: str
    arrow: bool
    index: int


@dataclass(frozen=True, slots=True)
class Cast:
    type: str
    operand: Expr
    index: int


@dataclass(frozen=True, slots=True)
class Init:
    parts: tuple[Expr, ...]
    index: int


Expr = Union[Number, Text, Name, Unary, Binary, Assign, Choice, Comma, Call, Index, Member, Cast, Init]

_LEVELS = {
    "*": 10, "/": 10, "%": 10, "+": 9, "-": 9, "<<": 8, ">>": 8, "<": 7, ">": 7, "<=": 7, ">=": 7, "==": 6, "!=": 6,
    "&": 5, "^": 4, "|": 3, "&&": 2, "||": 1,
}  # fmt: skip
_ASSIGN = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
_TYPE_WORDS = frozenset(
    "void bool char short int long float double signed unsigned auto size_t ptrdiff_t uint uchar ushort ulong half "
    "__half half2 __half2 __nv_bfloat16 nv_bfloat16 __nv_bfloat162 nv_bfloat162 bfloat16 uintptr_t intptr_t".split()
)
_TYPE = re.compile(
    r"u?int(?:8|16|32|64)_t|(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]|(?:std|cuda::std)::\w+_t"
)
_QUALIFIERS = frozenset({"const", "volatile", "struct", "typename", "__restrict__", "__restrict"})
_NAMED_CASTS = frozenset({"static_cast", "reinterpret_cast", "const_cast"})
_NUMBER = re.compile(r"(0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9']*)([uUlLzZ]*)")


def number(text: str) -> int | None:
    """The value of an integer literal; None for a floating-point one."""
    literal = _NUMBER.fullmatch(text)
    if not literal:
        return None
    digits = literal[1].replace("'", "")
    if digits[:2] in ("0x", "0X"):
        return int(digits, 16)
    if digits[:2] in ("0b", "0B"):
        return int(digits, 2)
    return int(digits, 8) if len(digits) > 1 and digits[0] == "0" else int(digits)


def parse(file: TokenFile, first: int, last: int, types: frozenset[str] = frozenset()) -> Expr:
    """The expression that tokens[first:last] spell. `types` are type names of the project."""
    reader = _Reader(file, first, last, types)
    result = reader.comma()
    if reader.at != last:
        raise Unreadable(reader.at, f"unexpected '{reader.text()}'")
    return result


def walk(node: Expr) -> Iterator[Expr]:
    yield node
    for child in _children(node):
        yield from walk(child)


def _children(node: Expr) -> tuple[Expr, ...]:
    if isinstance(node, (Unary, Cast)):
        return (node.operand,)
    if isinstance(node, (Binary, Comma)):
        return (node.left, node.right)
    if isinstance(node, Assign):
        return (node.target, node.value)
    if isinstance(node, Choice):
        return (node.condition, node.yes, node.no)
    if isinstance(node, Call):
        return (node.function, *node.arguments)
    if isinstance(node, Index):
        return (node.base, node.subscript)
    if isinstance(node, Member):
        return (node.base,)
    if isinstance(node, Init):
        return node.parts
    return ()


class _Reader:
    def __init__(self, file: TokenFile, first: int, last: int, types: frozenset[str]) -> None:
        self.file, self.at, self.last, self.types = file, first, last, types

    def text(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.file.tokens[at].text if at < self.last else ""

    def expect(self, text: str) -> None:
        if self.text() != text:
            raise Unreadable(min(self.at, self.last - 1), f"'{text}' expected")
        self.at += 1

    def comma(self) -> Expr:
        left = self.assignment()
        while self.text() == ",":
            index = self.at
            self.at += 1
            left = Comma(left, self.assignment(), index)
        return left

    def assignment(self) -> Expr:
        left = self.choice()
        if self.text() in _ASSIGN:
            op, index = self.text(), self.at
            self.at += 1
            value = self.braces() if self.text() == "{" else self.assignment()
            return Assign(op, left, value, index)
        return left

    def choice(self) -> Expr:
        condition = self.binary(1)
        if self.text() != "?":
            return condition
        index = self.at
        self.at += 1
        yes = self.assignment()
        self.expect(":")
        return Choice(condition, yes, self.assignment(), index)

    def binary(self, level: int) -> Expr:
        left = self.unary()
        while True:
            op = self.text()
            rank = _LEVELS.get(op, 0)
            if rank < level:
                return left
            index = self.at
            self.at += 1
            left = Binary(op, left, self.binary(rank + 1), index)

    def unary(self) -> Expr:
        op, index = self.text(), self.at
        if op in ("+", "-", "!", "~", "*", "&", "++", "--"):
            self.at += 1
            return Unary(op, self.unary(), index)
        if op == "(":
            close = self.file.partner(index)
            if close < 0 or close >= self.last:
                raise Unreadable(index, "unbalanced '('")
            if self.is_cast(index, close):
                self.at = close + 1
                operand = self.braces() if self.text() == "{" else self.unary()
                return Cast(self.spelled(index + 1, close), operand, index)
        if op == "sizeof":
            self.at += 1
            if self.text() == "(" and self.file.partner(self.at) > 0:
                text = self.spelled(self.at + 1, self.file.partner(self.at))
                self.at = self.file.partner(self.at) + 1
                return Text(f"sizeof({text})", index)
            raise Unreadable(index, "sizeof")
        return self.postfix(self.primary())

    def is_cast(self, opening: int, close: int) -> bool:
        if close + 1 >= self.last or close == opening + 1:
            return False
        words = [self.file.tokens[k].text for k in range(opening + 1, close)]
        if not all(re.fullmatch(r"[A-Za-z_]\w*|\*|&|::|<|>|,|[0-9]+", w) for w in words):
            return False
        after = self.file.tokens[close + 1]
        follows = after.kind in (Kind.IDENT, Kind.NUMBER, Kind.STRING, Kind.CHAR) or after.text in (
            "(", "{", "*", "&", "-", "+", "~", "!"
        )  # fmt: skip
        if not follows:
            return False
        if words[-1] in ("*", "&"):
            return True
        names = [w for w in words if w not in _QUALIFIERS]
        whole = "".join(names)
        if not names:
            return False
        known = all(w in _TYPE_WORDS for w in names) or _TYPE.fullmatch(whole) or whole in self.types
        if after.text == "{":
            return True
        return bool(known) or "<" in names or (after.kind in (Kind.IDENT, Kind.NUMBER) and len(names) == 1)

    def spelled(self, first: int, last: int) -> str:
        return " ".join(self.file.tokens[k].text for k in range(first, last))

    def primary(self) -> Expr:
        if self.at >= self.last:
            raise Unreadable(self.last - 1, "expression expected")
        token, index = self.file.tokens[self.at], self.at
        if token.kind == Kind.NUMBER:
            self.at += 1
            value = number(token.text)
            return Number(token.text if value is None else value, index)
        if token.kind in (Kind.STRING, Kind.CHAR):
            self.at += 1
            while self.at < self.last and self.file.tokens[self.at].kind == Kind.STRING:
                self.at += 1
            return Text(token.text, index)
        if token.text == "(":
            self.at += 1
            inner = self.comma()
            self.expect(")")
            return inner
        if token.text == "::" or token.kind == Kind.IDENT:
            return self.name()
        raise Unreadable(index, f"unexpected '{token.text}'")

    def name(self) -> Expr:
        index = self.at
        if self.text() in _NAMED_CASTS and self.text(1) == "<":
            end = template_end(self.file, self.at + 1, self.last)
            if end < 0:
                raise Unreadable(index, "a cast without its type")
            kind = self.spelled(self.at + 2, end - 1)
            self.at = end
            self.expect("(")
            inner = self.comma()
            self.expect(")")
            return Cast(kind, inner, index)
        if self.text() == "::":
            self.at += 1
        parts: list[str] = []
        while True:
            token = self.file.tokens[self.at] if self.at < self.last else None
            if token is None or token.kind != Kind.IDENT:
                raise Unreadable(min(self.at, self.last - 1), "name expected")
            if token.text in ("new", "delete", "throw", "operator", "asm", "__asm__"):
                raise Unreadable(self.at, token.text)
            parts.append(token.text)
            last_name = self.at
            self.at += 1
            if self.text() == "<":
                end = template_end(self.file, self.at, self.last)
                after = self.file.tokens[end].text if 0 < end < self.last else ""
                if end > 0 and after == "::":
                    parts[-1] += self.spelled(self.at, end).replace(" ", "")
                    self.at = end
                elif end > 0 and after in ("(", "{"):
                    template = (self.at + 1, end - 1)
                    self.at = end
                    return self.call(Name("::".join(parts), last_name), template, last_name)
            if self.text() == "::":
                self.at += 1
                continue
            return self.words(parts, last_name)

    def words(self, parts: list[str], index: int) -> Expr:
        """A name, or a type in several words that is called: `unsigned int(x)`, `float{0}`."""
        name = "::".join(parts)
        while name.split()[-1] in _TYPE_WORDS and self.text() in _TYPE_WORDS:
            name += " " + self.text()
            self.at += 1
        if self.text() == "{" and (name.split()[-1] in _TYPE_WORDS or _TYPE.fullmatch(name) or name in self.types):
            value = self.braces()
            if isinstance(value, Init) and len(value.parts) == 1:
                return Cast(name, value.parts[0], index)
            return Call(
                Name(name, index), None, value.parts if isinstance(value, Init) else (value,), index, self.at - 1
            )
        return Name(name, index)

    def call(self, function: Expr, template: tuple[int, int] | None, index: int) -> Expr:
        opening = self.at
        close = self.file.partner(opening)
        if close < 0 or close >= self.last:
            raise Unreadable(opening, "unbalanced bracket")
        arguments: list[Expr] = []
        for begin, end in split_commas(self.file, opening + 1, close):
            if end <= begin:
                raise Unreadable(begin, "empty argument")
            arguments.append(parse(self.file, begin, end, self.types))
        self.at = close + 1
        name = function.name if isinstance(function, Name) else ""
        if len(arguments) == 1 and name and template is None:
            last_word = name.split()[-1]
            if last_word in _TYPE_WORDS or _TYPE.fullmatch(name) or name in self.types:
                return Cast(name, arguments[0], index)
        return Call(function, template, tuple(arguments), index, close)

    def braces(self) -> Expr:
        opening = self.at
        close = self.file.partner(opening)
        if close < 0 or close >= self.last:
            raise Unreadable(opening, "unbalanced '{'")
        parts: list[Expr] = []
        for begin, end in split_commas(self.file, opening + 1, close):
            if end > begin:
                inner = _Reader(self.file, begin, end, self.types)
                parts.append(inner.braces() if inner.text() == "{" else inner.assignment())
                if inner.at != end:
                    raise Unreadable(inner.at, f"unexpected '{inner.text()}'")
        self.at = close + 1
        return Init(tuple(parts), opening)

    def postfix(self, node: Expr) -> Expr:
        while True:
            text, index = self.text(), self.at
            if text == "[":
                self.at += 1
                subscript = self.comma()
                self.expect("]")
                node = Index(node, subscript, index)
            elif text == "(":
                named = node.index if isinstance(node, (Name, Member)) else index
                node = self.call(node, None, named)
            elif text in (".", "->"):
                self.at += 1
                if self.text() == "template":
                    self.at += 1
                token = self.file.tokens[self.at] if self.at < self.last else None
                if token is None or token.kind != Kind.IDENT:
                    raise Unreadable(index, "member expected")
                node = Member(node, token.text, text == "->", self.at)
                self.at += 1
                if self.text() == "<":
                    end = template_end(self.file, self.at, self.last)
                    if end > 0 and end < self.last and self.file.tokens[end].text == "(":
                        template = (self.at + 1, end - 1)
                        self.at = end
                        node = self.call(node, template, node.index)
            elif text in ("++", "--"):
                self.at += 1
                node = Unary("post" + text, node, index)
            else:
                return node
