"""LLVM's types, and what its instructions are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Union

__all__ = ["Block", "Constant", "Global", "Instruction", "Operand", "Register", "Type", "Unread"]


class Unread(Exception):
    """Something that this reader does not know."""


@dataclass(frozen=True)
class Type:
    kind: str  # "int", "float", "ptr", "array", "vector", "struct", "void", "label", "opaque"
    bits: int = 0
    count: int = 0
    space: int = 0
    fields: tuple[Type, ...] = ()
    packed: bool = False

    @cached_property
    def size(self) -> int:
        if self.kind in ("int", "float"):
            return 1 << max(0, ((self.bits + 7) // 8 - 1).bit_length())
        if self.kind == "ptr":
            return 4 if self.space in (3, 5) else 8
        if self.kind == "array":
            return self.count * self.fields[0].size
        if self.kind == "vector":
            return 1 << (self.count * self.fields[0].size - 1).bit_length()
        if self.kind == "struct":
            end = self._offsets[-1]
            return end if self.packed else -(-end // self.align) * self.align
        raise Unread(f"the size of {self.kind}")

    @cached_property
    def mask(self) -> int:
        """Of a whole number's bits."""
        return (1 << self.bits) - 1

    @cached_property
    def align(self) -> int:
        if self.kind == "array":
            return self.fields[0].align
        if self.kind == "struct":
            return 1 if self.packed else max((f.align for f in self.fields), default=1)
        return min(self.size, 16)

    @cached_property
    def _offsets(self) -> tuple[int, ...]:
        """Where the fields begin, and the last one ends."""
        offsets, at = [], 0
        for one in self.fields:
            if not self.packed:
                at = -(-at // one.align) * one.align
            offsets.append(at)
            at += one.size
        return (*offsets, at)

    def offset(self, index: int) -> int:
        """Of a struct's field; of an array's or vector's element."""
        return index * self.fields[0].size if self.kind in ("array", "vector") else self._offsets[index]

    def member(self, index: int) -> Type:
        return self.fields[0] if self.kind in ("array", "vector") else self.fields[index]


@dataclass(frozen=True, slots=True)
class Register:
    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """kind: "int", "float", "global", "null", "undef", "zero", "cast", "arithmetic", "element", "list"."""

    kind: str
    value: Any = None
    parts: tuple[tuple[Type, Operand], ...] = ()


Operand = Union[Register, Constant]


@dataclass(slots=True)
class Instruction:
    op: str
    result: str  # "" without
    type: Type  # of the result; of what is stored
    operands: tuple[tuple[Type, Operand], ...]
    detail: Any = None  # a predicate, a callee, labels, indices
    line: int = 0  # of the debug information's node, 0 without


@dataclass(slots=True)
class Block:
    name: str
    instructions: list[Instruction] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Global:
    name: str
    type: Type
    space: int
    value: str  # text of its initialiser, "" without
