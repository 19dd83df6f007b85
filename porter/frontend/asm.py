"""Finds asm statements in a file's tokens: the text with its escapes read, the operands, the clobbers.

Works on tokens, so a statement in an inactive `#if` branch or in the body of a macro is found like
any other. Pieces of the text that only the preprocessor can know (`"ld." #type`) are kept as an
OPAQUE character; a macro that this file defines as a plain string is read through.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from porter.frontend.lexer import Kind, Token, TokenFile
from porter.frontend.ptx import OPAQUE

__all__ = ["AsmOperand", "AsmStatement", "find_asm"]

_KEYWORDS = ("asm", "__asm__", "__asm")
_QUALIFIERS = ("volatile", "__volatile__", "__volatile", "inline", "__inline__", "goto")


@dataclass(frozen=True, slots=True)
class AsmOperand:
    constraint: str  # as written: "=r", "+f", "n", "0"
    name: str  # of [name] "r"(x), else ""
    first: int  # tokens[first:last] are the C expression
    last: int
    expression: str  # its source text

    @property
    def kind(self) -> str:
        """The constraint without its modifiers: "r"; digits for a matching constraint."""
        return self.constraint.lstrip("=+&%")

    @property
    def is_read(self) -> bool:
        return not self.constraint.startswith("=")


@dataclass(frozen=True, slots=True)
class AsmStatement:
    first: int  # tokens[first:last], from the keyword to the ')' and, where there is one, the ';'
    last: int
    start: int  # byte span of the same, the ';' included
    end: int
    text: str  # escapes read; `%%` and `%0` stand as they were
    origins: tuple[int, ...]  # source offset of each character of `text`
    opaque: tuple[str, ...]  # pieces of the text that are not string literals, in order
    others: tuple[str, ...]  # the text in the other branches of an #if inside it, or of a macro defined twice
    outputs: tuple[AsmOperand, ...]
    inputs: tuple[AsmOperand, ...]
    clobbers: tuple[str, ...]
    volatile: bool
    goto: bool
    directive: int  # of the #define whose body it stands in, -1 elsewhere
    ended: bool  # a ';' follows
    problem: str = ""  # why the operands could not be read

    @property
    def operands(self) -> tuple[AsmOperand, ...]:
        return self.outputs + self.inputs

    def origin(self, offset: int) -> int:
        """Source offset of a position in `text`."""
        if not self.origins:
            return self.start
        return self.origins[min(max(offset, 0), len(self.origins) - 1)]


def find_asm(file: TokenFile) -> Iterator[AsmStatement]:
    strings, aliases = _macros(file)
    tokens = file.tokens
    index = 0
    while index < len(tokens):
        token = tokens[index]
        found = None
        if token.kind == Kind.IDENT and (token.text in _KEYWORDS or token.text in aliases):
            found = _statement(file, index, strings, aliases)
        if found is None:
            index += 1
        else:
            yield found
            index = found.last


_Strings = Mapping[str, Sequence[Sequence[Token]]]  # by macro name: the string literals of each definition

_MOST_VARIANTS = 8


def _macros(file: TokenFile) -> tuple[_Strings, Mapping[str, bool]]:
    """Object-like macros whose body is string literals; and those that stand for `asm [volatile]`."""
    strings: dict[str, list[Sequence[Token]]] = {}
    aliases: dict[str, bool] = {}
    unknown: set[str] = set()
    tokens = file.tokens
    for directive in file.directives:
        if directive.name == "undef" and directive.last > directive.first:
            continue
        if directive.name != "define" or directive.last <= directive.first:
            continue
        if directive.last - directive.first == 1:  # defined as nothing
            strings.setdefault(tokens[directive.first].text, []).append([])
            continue
        name, body = tokens[directive.first], tokens[directive.first + 1 : directive.last]
        function_like = body[0].text == "(" and body[0].start == name.end
        if not function_like and all(t.kind == Kind.STRING for t in body):
            strings.setdefault(name.text, []).append(body)
        else:
            unknown.add(name.text)
        if not function_like and body[0].text in _KEYWORDS:
            if all(t.text in _QUALIFIERS for t in body[1:]):
                aliases[name.text] = len(body) > 1
    return {name: bodies for name, bodies in strings.items() if name not in unknown}, aliases


def _statement(file: TokenFile, index: int, strings: _Strings, aliases: Mapping[str, bool]) -> AsmStatement | None:
    tokens = file.tokens
    volatile = aliases.get(tokens[index].text, False)
    goto = False
    at = index + 1
    while at < len(tokens) and tokens[at].text in _QUALIFIERS:
        volatile = volatile or "volatile" in tokens[at].text
        goto = goto or tokens[at].text == "goto"
        at += 1
    if at >= len(tokens) or tokens[at].text != "(" or tokens[at].directive != tokens[index].directive:
        return None
    close = file.partner(at)
    if close < 0:
        return None
    sections = _sections(file, at + 1, close)
    variants = _variants(file, *sections[0], strings)
    (text, origins), opaque = _text(file, variants[0]), _opaque(file, *sections[0], strings)
    others = tuple(dict.fromkeys(_text(file, v)[0] for v in variants[1:]))
    problem = ""
    outputs: list[AsmOperand] = []
    inputs: list[AsmOperand] = []
    clobbers: list[str] = []
    try:
        if len(sections) > 1:
            outputs = _operands(file, *sections[1], strings)
        if len(sections) > 2:
            inputs = _operands(file, *sections[2], strings)
        if len(sections) > 3:
            clobbers = [
                piece
                for first, last in _parts(file, *sections[3])
                if (piece := "".join(_unescape(t.text) for t in tokens[first:last] if t.kind == Kind.STRING))
            ]
    except _Unreadable as unreadable:
        problem = str(unreadable)
    ended = (
        close + 1 < len(tokens)
        and tokens[close + 1].text == ";"
        and tokens[close + 1].directive == tokens[index].directive
    )
    last = close + 2 if ended else close + 1
    return AsmStatement(
        index,
        last,
        tokens[index].start,
        tokens[last - 1].end,
        text,
        origins,
        opaque,
        tuple(o for o in others if o != text),
        tuple(outputs),
        tuple(inputs),
        tuple(clobbers),
        volatile,
        goto,
        tokens[index].directive,
        ended,
        problem,
    )


class _Unreadable(Exception):
    pass


def _sections(file: TokenFile, first: int, last: int) -> list[tuple[int, int]]:
    """Token ranges between the top-level colons; `::` is two of them."""
    tokens = file.tokens
    sections: list[tuple[int, int]] = []
    begin = index = first
    while index < last:
        text = tokens[index].text
        if text in ("(", "[", "{") and tokens[index].kind == Kind.PUNCT:
            partner = file.partner(index)
            index = partner if index < partner < last else index
        elif text in (":", "::") and tokens[index].kind == Kind.PUNCT:
            sections.append((begin, index))
            if text == "::":
                sections.append((index, index))
            begin = index + 1
        index += 1
    sections.append((begin, last))
    return sections


def _parts(file: TokenFile, first: int, last: int) -> list[tuple[int, int]]:
    """Split at top-level commas (brackets only: an operand's expression is in parentheses)."""
    tokens = file.tokens
    parts: list[tuple[int, int]] = []
    begin = index = first
    while index < last:
        if tokens[index].kind == Kind.PUNCT:
            if tokens[index].text in ("(", "[", "{"):
                partner = file.partner(index)
                index = partner if index < partner < last else index
            elif tokens[index].text == ",":
                parts.append((begin, index))
                begin = index + 1
        index += 1
    if begin < last:
        parts.append((begin, last))
    return parts


def _operands(file: TokenFile, first: int, last: int, strings: _Strings) -> list[AsmOperand]:
    tokens = file.tokens
    operands: list[AsmOperand] = []
    for begin, end in _parts(file, first, last):
        at, name = begin, ""
        if tokens[at].text == "[":
            if end - at < 4 or tokens[at + 2].text != "]":
                raise _Unreadable(f"the operand name in '{file.source(begin, end)}' cannot be read")
            name, at = tokens[at + 1].text, at + 3
        constraint = ""
        while at < end and tokens[at].text != "(":
            token = tokens[at]
            if token.kind == Kind.STRING:
                constraint += _unescape(token.text)
            elif len(strings.get(token.text, ())) == 1:
                constraint += "".join(_unescape(t.text) for t in strings[token.text][0])
            else:
                raise _Unreadable(f"the constraint '{token.text}' is no string literal")
            at += 1
        close = file.partner(at) if at < end else -1
        if at >= end or close != end - 1:
            raise _Unreadable(f"the operand '{file.source(begin, end)}' cannot be read")
        operands.append(AsmOperand(constraint, name, at + 1, close, file.source(at + 1, close)))
    return operands


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of the text: string literals at a place in the source, or something opaque."""

    literals: tuple[str, ...]
    start: int
    own: bool  # written here, not in a macro: offsets inside the literal are offsets in the file


_CONDITIONS = ("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif")


def _variants(file: TokenFile, first: int, last: int, strings: _Strings) -> list[list[_Piece]]:
    """The pieces of the text; one list for each way the preprocessor may choose among branches."""
    tokens = file.tokens
    home = tokens[first - 1].directive if first else -1
    # Each open #if: the texts before it, and those that its branches so far have made of them.
    stack: list[tuple[list[list[_Piece]], list[list[_Piece]], bool]] = []
    current: list[list[_Piece]] = [[]]
    previous = tokens[first - 1].end if first else 0
    begin = bisect.bisect_left(file.directives, previous, key=lambda d: d.start) if home < 0 else 0
    stop = tokens[last].start if last < len(tokens) else len(file.text)
    inside = [
        d
        for d in itertools.takewhile(lambda d: d.start < stop, itertools.islice(file.directives, begin, None))
        if d.name in _CONDITIONS
    ]
    inside = inside if home < 0 else []
    index = first
    while index <= last:
        until = tokens[index].start if index < len(tokens) else len(file.text)
        for directive in inside:
            if not previous <= directive.start < until:
                continue
            if directive.name.startswith("if"):
                stack.append((current, [], False))
                current = [list(v) for v in current]
            elif stack:
                before, done, has_else = stack.pop()
                done = done + current
                if directive.name == "endif":
                    current = done if has_else else done + before
                    current = current[:_MOST_VARIANTS]
                else:
                    stack.append((before, done, directive.name == "else"))
                    current = [list(v) for v in before]
        if index >= last:
            break
        token = tokens[index]
        previous = token.end
        if token.directive != home:
            index += 1
            continue
        if token.kind == Kind.STRING:
            for variant in current:
                variant.append(_Piece((token.text,), token.start, True))
        elif token.text in strings:
            bodies = strings[token.text]
            current = [
                [*variant, _Piece(tuple(t.text for t in body), token.start, False)]
                for body in bodies
                for variant in current
            ][:_MOST_VARIANTS]
        else:
            for variant in current:
                if not variant or variant[-1].literals or variant[-1].own:
                    variant.append(_Piece((), token.start, False))
        index += 1
    return current


def _text(file: TokenFile, pieces: Sequence[_Piece]) -> tuple[str, tuple[int, ...]]:
    chars: list[str] = []
    origins: list[int] = []
    for piece in pieces:
        if not piece.literals and not piece.own and not _is_empty_macro(file, piece):
            chars.append(OPAQUE)
            origins.append(piece.start)
        for literal in piece.literals:
            for char, offset in _decode(literal):
                chars.append(char)
                origins.append(piece.start + offset if piece.own else piece.start)
    return "".join(chars), tuple(origins)


def _is_empty_macro(file: TokenFile, piece: _Piece) -> bool:
    """An empty macro has no literals either; only what stands in the file can tell the two apart."""
    token = file.tokens[file.token_at(piece.start)]
    return any(
        d.name == "define" and d.last - d.first == 1 and file.tokens[d.first].text == token.text
        for d in file.directives
    )


def _opaque(file: TokenFile, first: int, last: int, strings: _Strings) -> tuple[str, ...]:
    """What in the text is no string: the source of each run of such tokens."""
    tokens = file.tokens
    home = tokens[first - 1].directive if first else -1
    found: list[str] = []
    run = -1
    for index in range(first, last + 1):
        token = tokens[index] if index < last else None
        plain = token is None or token.kind == Kind.STRING or token.text in strings or token.directive != home
        if plain and run >= 0:
            found.append(file.source(run, index))
            run = -1
        elif not plain and run < 0:
            run = index
    return tuple(found)


_RAW = re.compile(r'(?:u8|u|U|L)?R"([^()\\\s"]{0,16})\((.*?)(?:\)\1"|\Z)', re.DOTALL)
_PLAIN = re.compile(r'(?:u8|u|U|L)?"')
_ESCAPE = re.compile(r"\\(?:[ \t]*(?:\r\n|\n|\r)|x[0-9A-Fa-f]+|[0-7]{1,3}|.)", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "v": "\v", "f": "\f", "a": "\a", "b": "\b"}


def _decode(literal: str) -> Iterator[tuple[str, int]]:
    """The characters of a string literal, each with its offset in the literal's source."""
    raw = _RAW.match(literal)
    if raw is not None:
        for offset, char in enumerate(raw[2], raw.start(2)):
            yield char, offset
        return
    opening = _PLAIN.match(literal)
    at = opening.end() if opening else 0
    end = len(literal) - 1 if literal.endswith('"') and len(literal) > at else len(literal)
    while at < end:
        escape = _ESCAPE.match(literal, at) if literal[at] == "\\" else None
        if escape is None:
            yield literal[at], at
            at += 1
            continue
        body = escape.group()[1:]
        if body[0] == "x" and len(body) > 1:
            yield chr(int(body[1:], 16) & 0xFF), at
        elif body[0] in "01234567":
            yield chr(int(body, 8) & 0xFF), at
        elif not body.strip(" \t\r\n"):
            if body[0] in " \t" and body.strip(" \t") == "":
                yield body[0], at
        else:
            yield _SIMPLE.get(body[0], body[0]), at
        at = escape.end()


def _unescape(literal: str) -> str:
    return "".join(char for char, _ in _decode(literal))
