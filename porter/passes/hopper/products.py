"""Asm statements that are matrix products whose accumulators are elements of one array, in order."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from porter.frontend.asm.statements import AsmOperand, AsmStatement, find_asm
from porter.frontend.lexer import TokenFile
from porter.frontend.ptx import Instruction, Operand, Placeholder, Vector, instructions, leaves, parse_ptx
from porter.ptx.match import likely_row
from porter.ptx.table import PtxTable

__all__ = ["Product", "find_products"]

_SUM = re.compile(r"\(*\d+\)*(?:\+\(*\d+\)*)*")


@dataclass(frozen=True, slots=True)
class Product:
    asm: AsmStatement
    array: str
    before: int  # subscripts that all the elements share
    extents: tuple[int, ...]  # of the other dimensions, as the elements show them
    uses: frozenset[int]  # the tokens that name the array as accumulators
    warp: bool  # mma.sync, which one warp does

    def fits(self, dimensions: Sequence[str]) -> bool:
        """Are the elements a whole number of rows of an array (or of what a pointer points to)?"""
        if not dimensions:
            return self.before == 0 and len(self.extents) == 1
        if len(dimensions) != self.before + len(self.extents):
            return False
        skipped = 0 if self.before else 1  # of the first dimension it may be the first rows
        return tuple(dimensions[self.before + skipped :]) == tuple(map(str, self.extents[skipped:]))


def find_products(file: TokenFile, table: PtxTable, beside: Sequence[TokenFile] = ()) -> Iterator[Product]:
    for asm in find_asm(file, beside):
        if asm.directive >= 0 or asm.opaque or asm.others or asm.problem or asm.goto or "mma" not in asm.text:
            continue
        ptx = parse_ptx(asm.text)
        all_instructions = list(instructions(ptx.statements))
        mine = [i for i in all_instructions if _may_keep(i, table)]
        if ptx.problems or len(mine) != 1:
            continue
        product = _product(asm, mine[0], [i for i in all_instructions if i is not mine[0]])
        if product is not None:
            yield product


def _may_keep(instruction: Instruction, table: PtxTable) -> bool:
    """Has the instruction a form with accumulators as the MFMAs have them?"""
    row = likely_row(instruction, table) if instruction.opcode in ("wgmma", "mma") else None
    return row is not None and row.kept != ""


class _NoProduct(Exception):
    """A product whose accumulators are not known to be elements of one array."""


@dataclass(frozen=True, slots=True)
class _Element:
    array: str
    subscripts: tuple[str, ...]


def _product(asm: AsmStatement, instruction: Instruction, others: Sequence[Instruction]) -> Product | None:
    try:
        sums = _sums(asm, instruction, others)
        warp = instruction.opcode == "mma"  # the addends have operands of their own, which must be the same elements
        added = _added(asm, instruction, sums) if warp else sums
        elements = [_element(asm.operands[i]) for i in sums]
        before, extents = _shape(elements)
    except _NoProduct:
        return None
    # a matching constraint names the element that its output names
    uses = {asm.operands[i].first for i in (*sums, *added)}
    uses |= {o.first for o in asm.inputs if o.kind.isdigit() and int(o.kind) in sums}
    return Product(asm, elements[0].array, before, extents, frozenset(uses), warp)


def _sums(asm: AsmStatement, instruction: Instruction, others: Sequence[Instruction]) -> list[int]:
    """The asm operands that are the accumulators: outputs that no other instruction names."""
    target = instruction.operands[0] if instruction.operands else None
    sums = _places(asm, target)
    if not sums or len(sums) % 4 != 0 or not all(0 <= i < len(asm.outputs) for i in sums):
        raise _NoProduct
    elsewhere = {i for other in others for o in (other.guard, *other.operands) for i in _named(asm, leaves(o))}
    if elsewhere.intersection(sums):
        raise _NoProduct
    return sums


def _added(asm: AsmStatement, instruction: Instruction, sums: Sequence[int]) -> list[int]:
    """The asm operands that mma.sync adds to: the same elements, one by one."""
    added = _places(asm, instruction.operands[3]) if len(instruction.operands) == 4 else []
    if len(added) != len(sums) or not all(0 <= i < len(asm.operands) for i in added):
        raise _NoProduct
    for i, j in zip(sums, added):
        if i != j and asm.operands[j].kind != str(i) and _element(asm.operands[j]) != _element(asm.operands[i]):
            raise _NoProduct
    return added


def _places(asm: AsmStatement, operand: Operand | None) -> list[int]:
    """Numbers of the asm operands that a vector is made of, and of nothing else."""
    parts = operand.parts if isinstance(operand, Vector) else ()
    places = list(_named(asm, parts))
    return places if len(places) == len(parts) else []


def _named(asm: AsmStatement, parts: Iterable[Operand]) -> Iterator[int]:
    names = {o.name: i for i, o in enumerate(asm.operands) if o.name}
    for part in parts:
        if isinstance(part, Placeholder):
            yield names.get(part.name, -1) if part.name else part.index


def _shape(elements: Sequence[_Element]) -> tuple[int, tuple[int, ...]]:
    """How many subscripts the elements share, and the extents of the others, which count through all of them in order."""
    array, rows = elements[0].array, [element.subscripts for element in elements]
    if any(e.array != array or len(e.subscripts) != len(rows[0]) for e in elements):
        raise _NoProduct
    before = next((n for n, column in enumerate(zip(*rows)) if len(set(column)) > 1), len(rows[0]))
    if not all(text.isdigit() for row in rows for text in row[before:]):
        raise _NoProduct
    numbers = [tuple(map(int, row[before:])) for row in rows]
    extents = tuple(max(column) + 1 for column in zip(*numbers))
    if not extents or numbers != list(itertools.product(*map(range, extents))):
        raise _NoProduct
    return before, extents


def _element(operand: AsmOperand) -> _Element:
    """`sum[i][0]` is of "sum", with the subscripts "i" and "0"."""
    words = operand.words
    at = 1
    subscripts = []
    while at < len(words) and words[at] == "[":
        close = at + 1
        depth = 1
        while close < len(words) and depth:
            depth += (words[close] == "[") - (words[close] == "]")
            close += 1
        subscripts.append(_number("".join(words[at + 1 : close - 1])))
        at = close
    if at != len(words) or not subscripts or not words[0].isidentifier():
        raise _NoProduct
    return _Element(words[0], tuple(subscripts))


def _number(subscript: str) -> str:
    """Macros add what they were given: `(16)+3` is 19."""
    return str(sum(map(int, re.findall(r"\d+", subscript)))) if _SUM.fullmatch(subscript) else subscript
