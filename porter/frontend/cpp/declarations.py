"""Declarations of variables, read off tokens: `const float *a = x, b[4] = {};`."""

from __future__ import annotations

from dataclasses import dataclass

from porter.frontend.cpp.expressions import Expr, Init, Unreadable, parse
from porter.frontend.lexer import Kind, TokenFile, template_end

__all__ = ["Declaration", "Variable", "read_declaration"]


@dataclass(frozen=True, slots=True)
class Variable:
    name: str
    index: int
    type: str  # with qualifiers, without the declarator's * and &
    pointer: bool
    reference: bool
    dimensions: tuple[Expr | None, ...]
    value: Expr | None


@dataclass(frozen=True, slots=True)
class Declaration:
    variables: tuple[Variable, ...]
    shared: bool
    static: bool
    first: int
    last: int


_TYPE_START = frozenset(
    "void bool char short int long float double signed unsigned auto const constexpr static volatile extern register "
    "__shared__ __constant__ typename struct union __restrict__ size_t uint half __half half2 __half2 __nv_bfloat16".split()
)
_QUALIFIERS = frozenset(
    "const constexpr static volatile extern register __shared__ __restrict__ __restrict typename struct inline".split()
)
_BASIC = frozenset("void bool char short int long float double signed unsigned auto".split())


_DECLARATOR = frozenset({"*", "&", "&&", "const", "__restrict__", "volatile", "__restrict"})
_NO_TYPE = frozenset({"static", "extern", "__shared__", "register", "constexpr", "typename", "inline"})
_AFTER_NAME = frozenset({"=", ";", ",", "[", "(", "{"})


def read_declaration(file: TokenFile, first: int, end: int, types: frozenset[str]) -> Declaration | None:
    """What tokens[first:end], a statement up to its `;`, declares; None if it declares nothing."""
    return _Reader(file, end, types).declaration(first)


@dataclass(frozen=True, slots=True)
class _Specifiers:
    words: tuple[str, ...]
    after: int  # the token behind them


@dataclass(frozen=True, slots=True)
class _Reader:
    file: TokenFile
    end: int
    types: frozenset[str]

    def text(self, index: int) -> str:
        return self.file.tokens[index].text if 0 <= index < len(self.file.tokens) else ""

    def declaration(self, first: int) -> Declaration | None:
        specifiers = self.specifiers(first)
        if specifiers is None or not self.declares(first, specifiers.after):
            return None
        kind = " ".join(word for word in specifiers.words if word not in _NO_TYPE)
        variables: list[Variable] = []
        at = specifiers.after
        while at < self.end:
            variable, at = self.variable(at, kind)
            variables.append(variable)
            if at < self.end:
                if self.text(at) != ",":
                    raise Unreadable(at, f"unexpected '{self.text(at)}'")
                at += 1
        words = specifiers.words
        return Declaration(tuple(variables), "__shared__" in words, "static" in words, first, self.end + 1)

    def specifiers(self, first: int) -> _Specifiers | None:
        """Qualifiers and a type's name; None where there is no such name, or nothing after it."""
        at = first
        words: list[str] = []
        named = False  # a type's name was read
        while at < self.end:
            token = self.file.tokens[at]
            if token.text in _QUALIFIERS or token.text in _BASIC:
                words.append(token.text)
                named = named or token.text in _BASIC
            elif token.text in ("__align__", "alignas", "__attribute__") and self.text(at + 1) == "(":
                at = self.partner(at + 1)
            elif token.kind == Kind.IDENT and not named:
                last = self.type_name(at)
                if last < 0:
                    return None
                words.append("".join(self.text(k) for k in range(at, last + 1)))
                at, named = last, True
            else:
                break
            at += 1
        return _Specifiers(tuple(words), at) if named and at < self.end else None

    def type_name(self, at: int) -> int:
        """The last token of `a::b<c>::d`; -1 where its template's arguments do not end."""
        at = self.qualified(at)
        if self.text(at + 1) != "<":
            return at
        close = template_end(self.file, at + 1, self.end)
        return self.qualified(close - 1) if close >= 0 else -1

    def qualified(self, at: int) -> int:
        while self.text(at + 1) == "::":
            at += 2
        return at

    def declares(self, first: int, at: int) -> bool:
        """Does a variable's name follow the type? `a * b;` is a product only where nobody would write it."""
        after = at
        while after < self.end and self.text(after) in _DECLARATOR:
            after += 1
        if after >= self.end or self.file.tokens[after].kind != Kind.IDENT or self.text(after + 1) not in _AFTER_NAME:
            return False
        maybe_product = self.text(first) not in _TYPE_START and after > at and self.text(at) in ("*", "&", "&&")
        return not maybe_product or self.text(after + 1) in ("=", ";", ",")

    def variable(self, at: int, kind: str) -> tuple[Variable, int]:
        """The one that begins at tokens[at], and the token behind it."""
        signs: set[str] = set()
        while self.text(at) in _DECLARATOR:
            signs.add(self.text(at))
            at += 1
        if self.file.tokens[at].kind != Kind.IDENT:
            raise Unreadable(at, "name expected")
        index = at
        at += 1
        dimensions: list[Expr | None] = []
        while self.text(at) == "[":
            close = self.partner(at)
            dimensions.append(parse(self.file, at + 1, close, self.types) if close > at + 1 else None)
            at = close + 1
        value: Expr | None = None
        if self.text(at) == "=":
            stop = self.item_end(at + 1)
            braces = self.text(at + 1) == "{"
            value = self.braces(at + 1) if braces else parse(self.file, at + 1, stop, self.types)
            at = stop
        elif self.text(at) in ("(", "{"):
            value = self.braces(at)
            at = self.partner(at) + 1
        pointer, reference = "*" in signs, bool(signs & {"&", "&&"})
        return Variable(self.text(index), index, kind, pointer, reference, tuple(dimensions), value), at

    def partner(self, index: int) -> int:
        close = self.file.partner(index)
        if close < 0:
            raise Unreadable(index, "unbalanced bracket")
        return close

    def item_end(self, at: int) -> int:
        while at < self.end:
            text = self.text(at)
            if text in ("(", "[", "{"):
                at = self.partner(at)
            elif text == "<" and self.file.tokens[at - 1].kind == Kind.IDENT:
                close = template_end(self.file, at, self.end)
                if close > 0 and self.text(close) in ("(", "::", "{"):
                    at = close - 1
            elif text == ",":
                return at
            at += 1
        return self.end

    def braces(self, opening: int) -> Expr:
        """`(a, b)` or `{a, b}` after a variable's name."""
        close = self.partner(opening)
        parts = [parse(self.file, a, b, self.types) for a, b in self.file.arguments(opening) if b > a]
        if len(parts) == 1:
            return parts[0]
        assert close > opening
        return Init(tuple(parts), opening)
