"""Asm statements that are matrix products whose accumulators are elements of one array, in order."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from porter.frontend.asm.statements import AsmOperand, AsmStatement, find_asm
from porter.frontend.lexer import TokenFile
from porter.frontend.ptx import Instruction, Placeholder, Vector, instructions, leaves, parse_ptx
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
        found = list(instructions(ptx.statements))
        mine = [i for i in found if _may_keep(i, table)]
        if ptx.problems or len(mine) != 1:
            continue
        product = _product(asm, mine[0], [i for i in found if i is not mine[0]])
        if product is not None:
            yield product


def _may_keep(instruction: Instruction, table: PtxTable) -> bool:
    """Has the instruction a form with accumulators as the MFMAs have them?"""
    row = likely_row(instruction, table) if instruction.opcode in ("wgmma", "mma") else None
    return row is not None and row.kept != ""


def _product(asm: AsmStatement, instruction: Instruction, others: Sequence[Instruction]) -> Product | None:
    names = {o.name: i for i, o in enumerate(asm.operands) if o.name}

    def places(operand: object) -> list[int]:
        """Numbers of the asm operands that a vector is made of."""
        parts = operand.parts if isinstance(operand, Vector) else ()
        return [names.get(p.name, -1) if p.name else p.index for p in parts if isinstance(p, Placeholder)]

    warp = instruction.opcode == "mma"
    sums = places(instruction.operands[0]) if instruction.operands else []
    target = instruction.operands[0] if instruction.operands else None
    if not sums or not isinstance(target, Vector) or len(sums) != len(target.parts) or len(sums) % 4 != 0:
        return None
    if not all(0 <= i < len(asm.outputs) for i in sums):
        return None
    elsewhere = {names.get(leaf.name, -1) if leaf.name else leaf.index for i in others for o in (i.guard, *i.operands)
                 for leaf in leaves(o) if isinstance(leaf, Placeholder)}  # fmt: skip
    elements = [_element(asm.operands[i]) for i in sums]
    if elsewhere.intersection(sums) or any(e is None for e in elements):
        return None
    added = sums
    if warp:  # the addends have operands of their own, which must be the same elements
        added = places(instruction.operands[3]) if len(instruction.operands) == 4 else []
        if len(added) != len(sums) or not all(0 <= i < len(asm.operands) for i in added):
            return None
        for i, j in zip(sums, added):
            other = asm.operands[j]
            if i != j and other.kind != str(i) and _element(other) != _element(asm.operands[i]):
                return None
    found = [e for e in elements if e is not None]
    array, rows = found[0][0], [subscripts for _, subscripts in found]
    if any(name != array or len(subscripts) != len(rows[0]) for name, subscripts in found):
        return None
    before = next((n for n, column in enumerate(zip(*rows)) if len(set(column)) > 1), len(rows[0]))
    if not all(text.isdigit() for row in rows for text in row[before:]):
        return None
    numbers = [tuple(map(int, row[before:])) for row in rows]
    extents = tuple(max(column) + 1 for column in zip(*numbers))
    if not extents or numbers != list(itertools.product(*map(range, extents))):
        return None
    # a matching constraint names the element that its output names
    uses = {asm.operands[i].first for i in (*sums, *added)}
    uses |= {o.first for o in asm.inputs if o.kind.isdigit() and int(o.kind) in sums}
    return Product(asm, array, before, extents, frozenset(uses), warp)


def _element(operand: AsmOperand) -> tuple[str, tuple[str, ...]] | None:
    """`sum[i][0]` as ("sum", ("i", "0"))."""
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
    plain = at == len(words) and bool(subscripts) and words[0].isidentifier()
    return (words[0], tuple(subscripts)) if plain else None


def _number(subscript: str) -> str:
    """Macros add what they were given: `(16)+3` is 19."""
    return str(sum(map(int, re.findall(r"\d+", subscript)))) if _SUM.fullmatch(subscript) else subscript
