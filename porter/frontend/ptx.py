"""PTX text to statements: instructions, declarations, labels and scopes, each with its position.

The parser knows PTX's grammar and nothing about single instructions: those are in the tables
(porter/ptx/table.py). It never raises on bad input: what it cannot read becomes a Problem with a position, and it goes on
after the next semicolon.

Inline assembly adds three things to PTX (PTX in inline assembly, CUDA documentation): operands `%0`
and `%[name]` stand for C++ expressions, and `%%` is one percent sign; `%=` in a name is a number of
the statement's own, which keeps labels apart and is left out. All are read here, on the decoded but
not yet substituted text, so that positions stay those of the source.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Union

__all__ = [
    "OPAQUE",
    "Group",
    "Immediate",
    "Instruction",
    "Label",
    "Memory",
    "Name",
    "Not",
    "Operand",
    "Pair",
    "Placeholder",
    "Problem",
    "Ptx",
    "RegisterDecl",
    "Scope",
    "Statement",
    "VariableDecl",
    "Vector",
    "instructions",
    "leaves",
    "parse_ptx",
]

# Stands in asm text for a piece that only the preprocessor knows (`#type`, an unknown macro).
OPAQUE = "\x01"


@dataclass(frozen=True)
class Name:
    """A register, label, function or special register: `p`, `%laneid`, `%tid.x`."""

    text: str


@dataclass(frozen=True)
class Placeholder:
    """An asm operand: `%0` has index 0, `%[sum]` has name "sum"."""

    index: int
    name: str = ""


@dataclass(frozen=True)
class Immediate:
    """A literal. `kind` is "int", "f32", "f64" (exact bits, 0f.../0d...) or "float" (decimal)."""

    text: str
    kind: str
    value: int | float


@dataclass(frozen=True)
class Vector:
    """`{a, b, c, d}`"""

    parts: tuple[Operand, ...]


@dataclass(frozen=True)
class Memory:
    """`[base]`, `[base+16]`, `[base, {x, y}]` (tensor coordinates in `extra`)."""

    base: Operand
    offset: Operand | None = None
    extra: tuple[Operand, ...] = ()


@dataclass(frozen=True)
class Pair:
    """`a|b`: two destinations."""

    first: Operand
    second: Operand


@dataclass(frozen=True)
class Not:
    """`!p`, and `-x` on an operand that is no literal."""

    operand: Operand
    sign: str = "!"


@dataclass(frozen=True)
class Group:
    """`(a, b)`: the arguments and results of `call`."""

    parts: tuple[Operand, ...]


Operand = Union[Name, Placeholder, Immediate, Vector, Memory, Pair, Not, Group]


@dataclass(frozen=True)
class Instruction:
    opcode: str  # "ld"
    modifiers: tuple[str, ...]  # ("global", "v4", "u32")
    operands: tuple[Operand, ...]
    guard: Operand | None  # of @p
    negated: bool  # @!p
    start: int
    end: int

    @property
    def mnemonic(self) -> str:
        return ".".join((self.opcode, *self.modifiers))


@dataclass(frozen=True)
class RegisterDecl:
    """`.reg .b32 t0, t1;`; `.reg .f32 f<4>;` gives f0 to f3."""

    type: str
    names: tuple[str, ...]
    vector: int
    start: int
    end: int


@dataclass(frozen=True)
class VariableDecl:
    """`.shared .align 16 .b8 buffer[1024];` and its like in .local, .const, .global and .param."""

    space: str
    text: str
    names: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True)
class Label:
    name: str
    start: int
    end: int


@dataclass(frozen=True)
class Scope:
    body: tuple[Statement, ...]
    start: int
    end: int


Statement = Union[Instruction, RegisterDecl, VariableDecl, Label, Scope]


@dataclass(frozen=True)
class Problem:
    message: str
    start: int
    end: int


@dataclass(frozen=True)
class Ptx:
    statements: tuple[Statement, ...]
    problems: tuple[Problem, ...]


def instructions(statements: tuple[Statement, ...]) -> Iterator[Instruction]:
    """All instructions, in the order of the text, those in inner scopes included."""
    for statement in statements:
        if isinstance(statement, Instruction):
            yield statement
        elif isinstance(statement, Scope):
            yield from instructions(statement.body)


def leaves(operand: Operand | None) -> Iterator[Name | Placeholder | Immediate]:
    """What an operand is made of, in the order of the text."""
    if isinstance(operand, (Name, Placeholder, Immediate)):
        yield operand
    elif isinstance(operand, Memory):
        for part in (operand.base, operand.offset, *operand.extra):
            yield from leaves(part)
    elif isinstance(operand, (Vector, Group)):
        for part in operand.parts:
            yield from leaves(part)
    elif isinstance(operand, Pair):
        yield from leaves(operand.first)
        yield from leaves(operand.second)
    elif isinstance(operand, Not):
        yield from leaves(operand.operand)


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


_TOKENS = re.compile(
    r"""
    (?P<space>[ \t\r\n\f\v]+|//[^\n]*|/\*.*?(?:\*/|\Z))
  | (?P<operand>%[0-9]+|%\[[A-Za-z_]\w*\])
  | (?P<special>%%?[A-Za-z_$](?:[\w$]|%=)*(?:\.(?:x|y|z|w)\b)?)
  | (?P<float>0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}|[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)
  | (?P<int>0[xX][0-9a-fA-F]+U?|0[bB][01]+U?|[0-9]+U?)
  | (?P<modifier>\.(?:\w|%[0-9])+(?:::(?:\w|%[0-9])+)*)
  | (?P<name>[A-Za-z_$](?:[\w$]|%=)*)
  | (?P<opaque>\x01)
  | (?P<punct>.)
    """,
    re.VERBOSE | re.DOTALL,
)

_SPACES = ("shared", "local", "const", "global", "param")


def parse_ptx(text: str) -> Ptx:
    parser = _Parser(text)
    statements = parser.block(inner=False)
    return Ptx(statements, tuple(parser.problems))


class _Failure(Exception):
    """Leaves one statement; caught by _Parser.block, never seen by callers."""

    def __init__(self, message: str, token: _Token) -> None:
        super().__init__(message)
        self.message = message
        self.token = token


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens = [
            _Token(m.lastgroup or "punct", m.group().replace("%=", ""), m.start(), m.end())
            for m in _TOKENS.finditer(text)
            if m.lastgroup != "space"
        ]
        self.tokens.append(_Token("end", "", len(text), len(text)))
        self.at = 0
        self.problems: list[Problem] = []

    @property
    def token(self) -> _Token:
        return self.tokens[self.at]

    def next(self) -> _Token:
        token = self.tokens[self.at]
        if token.kind != "end":
            self.at += 1
        return token

    def accept(self, text: str) -> bool:
        if self.token.text == text and self.token.kind != "end":
            self.at += 1
            return True
        return False

    def expect(self, text: str) -> _Token:
        if self.token.text != text:
            raise self.failure(f"expected '{text}'")
        return self.next()

    def failure(self, message: str) -> _Failure:
        token = self.token
        if token.text == "." and self.tokens[self.at + 1].kind == "opaque":
            token = self.tokens[self.at + 1]
        if token.kind == "opaque":
            return _Failure("this part of the text is put together by the preprocessor", token)
        met = f"'{token.text}'" if token.text else "the end of the text"
        return _Failure(f"{message}, found {met}", token)

    def block(self, inner: bool) -> tuple[Statement, ...]:
        body: list[Statement] = []
        while True:
            token = self.token
            if token.kind == "end":
                if inner:
                    self.problems.append(Problem("a '{' is never closed", token.start, token.end))
                return tuple(body)
            if token.text == "}":
                if inner:
                    return tuple(body)
                self.problems.append(Problem("a '}' that closes nothing", token.start, token.end))
                self.next()
                continue
            if self.accept(";"):
                continue
            begin = self.at
            try:
                body.append(self.statement())
            except _Failure as failure:
                self.problems.append(Problem(failure.message, failure.token.start, failure.token.end))
                self.at = begin
                self.skip_statement()

    def skip_statement(self) -> None:
        """Past the next semicolon, or to the brace that ends the scope; vectors are skipped whole."""
        depth = 0
        while self.token.kind != "end":
            text = self.token.text
            if text == "}" and depth == 0:
                return
            self.next()
            if text == ";" and depth == 0:
                return
            depth += {"{": 1, "}": -1}.get(text, 0)

    def statement(self) -> Statement:
        token = self.token
        if token.text == "{":
            self.next()
            body = self.block(inner=True)
            end = self.token.end
            self.accept("}")
            return Scope(body, token.start, end)
        if token.kind == "modifier":
            return self.declaration()
        after = self.tokens[self.at + 1]
        if token.kind in ("name", "special") and after.text == ":":
            self.at += 2
            return Label(token.text, token.start, after.end)
        return self.instruction()

    def declaration(self) -> Statement:
        start = self.next()
        keyword = start.text[1:]
        if keyword == "reg":
            vector, kind = 1, ""
            while self.token.kind == "modifier":
                word = self.next().text[1:]
                if re.fullmatch(r"v[248]", word):
                    vector = int(word[1:])
                else:
                    kind = word
            if not kind:
                raise self.failure("expected a register type such as .b32")
            names: list[str] = []
            while True:
                name = self.next()
                if name.kind not in ("name", "special"):
                    self.at -= 1 if name.kind != "end" else 0
                    raise self.failure("expected a register name")
                text = _register_name(name)
                if self.accept("<"):
                    count = self.next()
                    if count.kind != "int":
                        raise self.failure("expected a number of registers")
                    self.expect(">")
                    names.extend(f"{text}{i}" for i in range(min(_int(count.text), 4096)))
                else:
                    names.append(text)
                if not self.accept(","):
                    break
            end = self.expect(";")
            return RegisterDecl(kind, tuple(names), vector, start.start, end.end)
        if keyword.split("::")[0] in _SPACES:
            words = [start.text]
            names = []
            while self.token.kind != "end" and self.token.text != ";":
                if self.token.kind in ("name", "special"):
                    names.append(self.token.text)
                words.append(self.next().text)
            end = self.expect(";")
            return VariableDecl(keyword, " ".join(words), tuple(names), start.start, end.end)
        if keyword == "pragma":
            while self.token.kind != "end" and self.token.text != ";":
                self.next()
            return Instruction(keyword, (), (), None, False, start.start, self.expect(";").end)
        raise _Failure(f"the directive '{start.text}' is not read inside inline PTX", start)

    def instruction(self) -> Instruction:
        first = self.token
        guard: Operand | None = None
        negated = False
        if self.accept("@"):
            negated = self.accept("!")
            guard = self.primary()
        opcode = self.token
        if opcode.kind != "name":
            raise self.failure("expected an instruction")
        self.next()
        modifiers: list[str] = []
        while self.token.kind == "modifier":
            modifiers.append(self.next().text[1:])
        if self.token.kind == "opaque":
            raise self.failure("expected operands")
        operands: list[Operand] = []
        if self.token.text not in (";", "}") and self.token.kind != "end":
            operands.append(self.operand())
            while self.accept(","):
                operands.append(self.operand())
        end = self.tokens[self.at - 1].end
        if self.token.text == ";":
            end = self.next().end
        elif self.token.kind != "end" and self.token.text != "}":
            raise self.failure("expected ',' or ';'")
        return Instruction(opcode.text, tuple(modifiers), tuple(operands), guard, negated, first.start, end)

    def operand(self) -> Operand:
        first = self.primary()
        if self.accept("|"):
            return Pair(first, self.primary())
        return first

    def primary(self) -> Operand:
        token = self.token
        if token.text == "{":
            self.next()
            return Vector(self.list_until("}"))
        if token.text == "(":
            self.next()
            return Group(self.list_until(")"))
        if token.text == "[":
            self.next()
            base = self.primary()
            offset: Operand | None = None
            extra: list[Operand] = []
            if self.accept("+"):
                offset = self.primary()
            elif self.token.text == "-":
                offset = self.primary()
            while self.accept(","):
                extra.append(self.primary())
            self.expect("]")
            return Memory(base, offset, tuple(extra))
        if token.text == "!":
            self.next()
            return Not(self.primary())
        if token.text in ("-", "~"):
            self.next()
            inner = self.primary()
            if isinstance(inner, Immediate) and token.text == "-":
                kind = inner.kind if inner.kind in ("int", "float") else "float"
                return Immediate("-" + inner.text, kind, -inner.value)
            if isinstance(inner, Immediate) and isinstance(inner.value, int):
                return Immediate("~" + inner.text, "int", ~inner.value)
            return Not(inner, token.text)
        if token.text == "+":
            self.next()
            return self.primary()
        if token.kind == "operand":
            self.next()
            if token.text.startswith("%["):
                return Placeholder(-1, token.text[2:-1])
            return Placeholder(int(token.text[1:]))
        if token.kind in ("special", "name"):
            self.next()
            name = _register_name(token)
            if self.token.text in (".x", ".y", ".z", ".w") and self.token.start == token.end:
                name += self.next().text
            return Name(name)
        if token.kind == "int":
            self.next()
            return Immediate(token.text, "int", _int(token.text))
        if token.kind == "float":
            self.next()
            return _float(token.text)
        raise self.failure("expected an operand")

    def list_until(self, closing: str) -> tuple[Operand, ...]:
        parts: list[Operand] = []
        while not self.accept(closing):
            parts.append(self.operand())
            if not self.accept(","):
                self.expect(closing)
                break
        return tuple(parts)


def _register_name(token: _Token) -> str:
    return token.text[1:] if token.text.startswith("%%") else token.text


def _int(text: str) -> int:
    digits = text.rstrip("U")
    if digits[:2] in ("0x", "0X", "0b", "0B"):
        return int(digits, 0)
    return int(digits, 8) if len(digits) > 1 and digits[0] == "0" and set(digits) <= set("01234567") else int(digits)


def _float(text: str) -> Immediate:
    head = text[:2].lower()
    if head == "0f" and len(text) == 10:
        return Immediate(text, "f32", struct.unpack(">f", bytes.fromhex(text[2:]))[0])
    if head == "0d" and len(text) == 18:
        return Immediate(text, "f64", struct.unpack(">d", bytes.fromhex(text[2:]))[0])
    return Immediate(text, "float", float(text))
