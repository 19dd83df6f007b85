"""The words of a line of LLVM's textual IR: types and operands; the instruction that a line is."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable

from porter.native.ir.types import Constant, Instruction, Operand, Register, Type, Unread

__all__ = ["Reader", "instruction"]

_WORDS = re.compile(
    r"\s*(c\"[^\"]*\"|[%@]\"[^\"]*\"|[%@][\w.$-]+|\"[^\"]*\"|![\w.]*|#\d+|0x[KLMHR]?[0-9A-Fa-f]+|-?\d+\.\d+e[+-]?\d+|-?\d+(?:\.\d+)?|"
    r"<\{|\}>|\.\.\.|[A-Za-z_][\w.]*|.)"
)
_FLOATS = {"half": 16, "bfloat": 16, "float": 32, "double": 64}
_ATTRIBUTES = frozenset(
    "noundef nonnull noalias nocapture readonly writeonly readnone returned signext zeroext inreg immarg nofree dead_on_unwind "
    "writable local_unnamed_addr captures dead_on_return nocreateundeforpoison".split()
)
_FLAGS = frozenset(
    "nsw nuw exact inbounds nusw fast nnan ninf nsz arcp contract afn reassoc disjoint nneg samesign volatile tail musttail "
    "notail".split()
)


_ARITHMETIC = frozenset("add sub mul shl lshr ashr and or xor udiv sdiv urem srem".split())


class Reader:
    """The words of one line."""

    def __init__(self, type_named: Callable[[str], Type], text: str) -> None:
        self.type_named = type_named
        self.words = [m[1] for m in _WORDS.finditer(text) if m[1].strip()]
        self.at = 0

    def peek(self, ahead: int = 0) -> str:
        return self.words[self.at + ahead] if self.at + ahead < len(self.words) else ""

    def take(self, expected: str = "") -> str:
        word = self.peek()
        if expected and word != expected:
            raise Unread(f"{expected} expected, not {word}: {' '.join(self.words)[:120]}")
        self.at += 1
        return word

    def skip(self, word: str) -> bool:
        if self.peek() != word:
            return False
        self.at += 1
        return True

    def type(self) -> Type:
        word = self.take()
        if word[0] == "i" and word[1:].isdigit():
            return Type("int", int(word[1:]))
        if word in _FLOATS:
            return Type("float", _FLOATS[word], space=int(word == "bfloat"))
        if word == "ptr":
            if self.skip("addrspace"):
                self.take("(")
                space = int(self.take())
                self.take(")")
                return Type("ptr", space=space)
            return Type("ptr")
        if word in ("void", "label", "metadata", "token"):
            return Type(word)
        if word == "[":
            count = int(self.take())
            self.take("x")
            one = self.type()
            self.take("]")
            return Type("array", count=count, fields=(one,))
        if word == "<" and self.peek().isdigit():
            count = int(self.take())
            self.take("x")
            one = self.type()
            self.take(">")
            return Type("vector", count=count, fields=(one,))
        if word in ("{", "<{"):
            close = "}" if word == "{" else "}>"
            fields = []
            while not self.skip(close):
                fields.append(self.type())
                self.skip(",")
            return Type("struct", fields=tuple(fields), packed=word == "<{")
        if word[0] == "%":
            return self.type_named(word)
        raise Unread(f"type {word}: {' '.join(self.words)[:120]}")

    def attributes(self) -> Type | None:
        """Skips a parameter's attributes; the type of one that is passed by value."""
        by_value: Type | None = None
        while True:
            word = self.peek()
            if word in _ATTRIBUTES:
                self.take()
                if self.peek() == "(":
                    self.balanced()
            elif word in ("byref", "byval", "sret", "elementtype"):
                self.take()
                self.take("(")
                by_value = self.type()
                self.take(")")
                if word == "sret":
                    by_value = None
            elif word == "align":
                self.take()
                if self.peek() == "(":
                    self.balanced()
                else:
                    self.take()
            elif word in ("dereferenceable", "dereferenceable_or_null", "range", "nofpclass", "initializes"):
                self.take()
                self.balanced()
            else:
                return by_value

    def balanced(self) -> None:
        depth = 0
        while True:
            word = self.take()
            depth += (word == "(") - (word == ")")
            if depth == 0 or not word:
                return

    def value(self, type: Type) -> Operand:
        word = self.take()
        if word[0] == "%":
            return Register(word)
        if (simple := _simple(word, type)) is not None:
            return simple
        if word in ("[", "<", "{", "<{"):
            close = {"[": "]", "<": ">", "{": "}", "<{": "}>"}[word]
            parts = []
            while not self.skip(close):
                parts.append(self._part())
                self.skip(",")
            return Constant("list", None, tuple(parts))
        if word == "splat":
            self.take("(")
            part = self._part()
            self.take(")")
            return Constant("list", None, (part,) * type.count)
        return self._expression(word)

    def _expression(self, word: str) -> Constant:
        """The constant expression that begins with this word."""
        if word in ("addrspacecast", "bitcast", "ptrtoint", "inttoptr", "trunc", "zext", "sext"):
            self.take("(")
            inner = self._part()
            self.take("to")
            target = self.type()
            self.take(")")
            return Constant("cast", (word, target), (inner,))
        if word in _ARITHMETIC:
            while self.peek() in _FLAGS:
                self.take()
            self.take("(")
            first = self.typed()
            self.take(",")
            second = self.typed()
            self.take(")")
            return Constant("arithmetic", word, (first, second))
        if word == "getelementptr":
            while self.peek() in _FLAGS:
                self.take()
            self.take("(")
            base = self.type()
            parts = []
            while self.skip(","):
                parts.append(self._part())
            self.take(")")
            return Constant("element", base, tuple(parts))
        raise Unread(f"value {word}: {' '.join(self.words)[:120]}")

    def _part(self) -> tuple[Type, Operand]:
        """A type and its value."""
        type = self.type()
        return type, self.value(type)

    def typed(self) -> tuple[Type, Operand]:
        type = self.type()
        self.attributes()
        if type.kind == "metadata":
            self.take()
            while self.peek() not in (",", ")", ""):
                self.take()
            return type, Constant("undef")
        return type, self.value(type)


def _number(word: str, type: Type) -> float:
    if word.startswith("0x"):
        digits = word[2:]
        if digits[0] in "HR":  # half, bfloat
            bits = int(digits[1:], 16)
            if digits[0] == "R":
                return float(struct.unpack("<f", struct.pack("<I", bits << 16))[0])
            return float(struct.unpack("<e", struct.pack("<H", bits))[0])
        return float(struct.unpack("<d", struct.pack("<Q", int(digits, 16)))[0])
    return float(word)


def instruction(type_named: Callable[[str], Type], line: str) -> Instruction:
    reader = Reader(type_named, line)
    result = ""
    if reader.peek().startswith("%") and reader.peek(1) == "=":
        result = reader.take()
        reader.take("=")
    op = reader.take()
    while op in ("tail", "musttail", "notail"):
        op = reader.take()
    one = _READERS.get(op)
    if one is None:
        raise Unread(f"instruction {op}")
    return one(reader, op, result)


def _flags(reader: Reader) -> None:
    while reader.peek() in _FLAGS:
        reader.take()


def _binary(reader: Reader, op: str, result: str) -> Instruction:
    _flags(reader)
    type = reader.type()
    left = reader.value(type)
    reader.take(",")
    return Instruction(op, result, type, ((type, left), (type, reader.value(type))))


def _compare(reader: Reader, op: str, result: str) -> Instruction:
    _flags(reader)
    predicate = reader.take()
    type = reader.type()
    left = reader.value(type)
    reader.take(",")
    return Instruction(op, result, Type("int", 1), ((type, left), (type, reader.value(type))), predicate)


def _cast(reader: Reader, op: str, result: str) -> Instruction:
    _flags(reader)
    source = reader.typed()
    reader.take("to")
    return Instruction(op, result, reader.type(), (source,))


def _alloca(reader: Reader, op: str, result: str) -> Instruction:
    return Instruction(op, result, reader.type(), ())


def _load(reader: Reader, op: str, result: str) -> Instruction:
    reader.skip("atomic")
    _flags(reader)
    type = reader.type()
    reader.take(",")
    return Instruction(op, result, type, (reader.typed(),))


def _store(reader: Reader, op: str, result: str) -> Instruction:
    reader.skip("atomic")
    _flags(reader)
    value = reader.typed()
    reader.take(",")
    return Instruction(op, result, value[0], (value, reader.typed()))


def _element(reader: Reader, op: str, result: str) -> Instruction:
    _flags(reader)
    base = reader.type()
    parts = []
    while reader.skip(","):
        if reader.peek().startswith("!"):
            break
        parts.append(reader.typed())
    return Instruction(op, result, Type("ptr"), tuple(parts), base)


def _branch(reader: Reader, op: str, result: str) -> Instruction:
    if reader.skip("label"):
        return Instruction(op, "", Type("void"), (), (reader.take(),))
    condition = reader.typed()
    reader.take(",")
    reader.take("label")
    first = reader.take()
    reader.take(",")
    reader.take("label")
    return Instruction(op, "", Type("void"), (condition,), (first, reader.take()))


def _switch(reader: Reader, op: str, result: str) -> Instruction:
    value = reader.typed()
    reader.take(",")
    reader.take("label")
    default = reader.take()
    reader.take("[")
    cases: dict[int, str] = {}
    while not reader.skip("]"):
        reader.type()
        number = int(reader.take())
        reader.take(",")
        reader.take("label")
        cases[number] = reader.take()
    return Instruction(op, "", Type("void"), (value,), (default, cases))


def _phi(reader: Reader, op: str, result: str) -> Instruction:
    _flags(reader)
    type = reader.type()
    incoming = []
    while reader.skip("["):
        value = reader.value(type)
        reader.take(",")
        incoming.append((value, reader.take()))
        reader.take("]")
        if not reader.skip(","):
            break
    return Instruction(op, result, type, (), tuple(incoming))


def _select(reader: Reader, op: str, result: str) -> Instruction:
    _flags(reader)
    condition = reader.typed()
    reader.take(",")
    first = reader.typed()
    reader.take(",")
    return Instruction(op, result, first[0], (condition, first, reader.typed()))


def _return(reader: Reader, op: str, result: str) -> Instruction:
    if reader.skip("void"):
        return Instruction(op, "", Type("void"), ())
    value = reader.typed()
    return Instruction(op, "", value[0], (value,))


def _extract(reader: Reader, op: str, result: str) -> Instruction:
    value = reader.typed()
    indices = []
    while reader.skip(",") and reader.peek().isdigit():
        indices.append(int(reader.take()))
    type = value[0]
    for index in indices:
        type = type.member(index)
    return Instruction(op, result, type, (value,), tuple(indices))


def _insert(reader: Reader, op: str, result: str) -> Instruction:
    value = reader.typed()
    reader.take(",")
    new = reader.typed()
    indices = []
    while reader.skip(",") and reader.peek().isdigit():
        indices.append(int(reader.take()))
    return Instruction(op, result, value[0], (value, new), tuple(indices))


def _vector(reader: Reader, op: str, result: str) -> Instruction:
    operands = [reader.typed()]
    while reader.skip(",") and not reader.peek().startswith("!"):
        operands.append(reader.typed())
    type = operands[0][0].fields[0] if op == "extractelement" else operands[0][0]
    if op == "shufflevector":
        type = Type("vector", count=operands[2][0].count, fields=operands[0][0].fields)
    return Instruction(op, result, type, tuple(operands))


def _call(reader: Reader, op: str, result: str) -> Instruction:
    _flags(reader)
    while reader.peek() in ("fastcc", "ccc", "amdgpu_kernel"):
        reader.take()
    reader.attributes()
    if reader.skip("addrspace"):
        reader.balanced()
    type = reader.type()
    if reader.peek() == "(":  # a function type
        reader.balanced()
    if reader.peek() == "asm":
        while not reader.peek().startswith('"'):
            reader.take()
        text = reader.take()
        reader.take(",")
        reader.take()
        reader.take("(")
        arguments = []
        while not reader.skip(")"):
            arguments.append(reader.typed())
            reader.skip(",")
        return Instruction("asm", result, type, tuple(arguments), text)
    callee = reader.take()
    arguments = []
    reader.take("(")
    while not reader.skip(")"):
        arguments.append(reader.typed())
        reader.skip(",")
    return Instruction(op, result, type, tuple(arguments), callee)


def _atomic(reader: Reader, op: str, result: str) -> Instruction:
    _flags(reader)
    kind = reader.take() if op == "atomicrmw" else ""
    operands = [reader.typed()]
    while reader.skip(",") and reader.peek() != "!":
        operands.append(reader.typed())
        if len(operands) == (2 if op == "atomicrmw" else 3):
            break
    return Instruction(op, result, operands[-1][0], tuple(operands), kind)


def _plain(reader: Reader, op: str, result: str) -> Instruction:
    return Instruction(op, "", Type("void"), ())


def _unary(reader: Reader, op: str, result: str) -> Instruction:
    _flags(reader)
    operand = reader.typed()
    return Instruction(op, result, operand[0], (operand,))


_READERS = {
    **dict.fromkeys("add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem".split(), _binary),
    **dict.fromkeys(("icmp", "fcmp"), _compare),
    **dict.fromkeys(
        "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast addrspacecast".split(), _cast
    ),
    **dict.fromkeys(("extractelement", "insertelement", "shufflevector"), _vector),
    **dict.fromkeys(("atomicrmw", "cmpxchg"), _atomic),
    **dict.fromkeys(("fence", "unreachable"), _plain),
    **dict.fromkeys(("fneg", "freeze"), _unary),
    "alloca": _alloca, "load": _load, "store": _store, "getelementptr": _element, "br": _branch, "switch": _switch,
    "phi": _phi, "select": _select, "ret": _return, "extractvalue": _extract, "insertvalue": _insert, "call": _call,
}  # fmt: skip


def _simple(word: str, type: Type) -> Constant | None:
    """The constant that is one word; None where the word begins a longer one."""
    if word[0] == "@":
        return Constant("global", word)
    if word in ("true", "false"):
        return Constant("int", int(word == "true"))
    if word in ("null", "zeroinitializer", "none"):
        return Constant("zero")
    if word in ("undef", "poison") or word.startswith('c"'):
        return Constant("undef")
    if type.kind == "float":
        return Constant("float", _number(word, type))
    return Constant("int", int(word)) if word.lstrip("-").isdigit() else None
