"""Empty asm statements that hold values in registers: compiler barriers, whose constraints name NVIDIA's registers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from porter.findings import Edit, Finding, Safety
from porter.frontend.asm.statements import AsmOperand, find_asm
from porter.frontend.branches import branches_of
from porter.frontend.unit import Unit
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "asm-registers"
_NVIDIA = frozenset("hrlfdq")  # 16, 32 and 64 bits, f32, f64, 128 bits
_ANY_MACHINE = frozenset("r")  # means something to a host compiler as well


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings: list[Finding] = []
    for asm in find_asm(unit.file, unit.beside):
        if asm.text.strip(" \t\r\n;") or asm.opaque or asm.others or asm.problem:
            continue
        scope = unit.scope(asm.first)
        marks = scope.function.marks if scope.function else frozenset()
        device_alone = branches_of(unit.file).at(asm.start).device_alone
        known = device_alone or (scope.device and "__host__" not in marks)
        operands = (*asm.outputs, *asm.inputs)
        kinds = {o.kind for o in operands} & _NVIDIA
        if not kinds or not (known or kinds - _ANY_MACHINE):
            continue
        own = (edit for o in operands if o.kind in _NVIDIA and not o.expanded for edit in _edit(unit, o))
        edits = (*own, *_expanded(unit, operands))
        message = f"{', '.join(sorted(kinds))}: on AMD a value of any type and lane is in vector registers, v"
        findings.append(Finding(RULE, asm.start, asm.end, Safety.EXACT, message, edits))
    return findings


def _edit(unit: Unit, operand: AsmOperand) -> list[Edit]:
    """Of the literal before the operand's parenthesis."""
    token = unit.tokens[operand.first - 2]
    if operand.constraint not in token.text:
        return []
    text = token.text.replace(operand.constraint, operand.constraint.replace(operand.kind, "v"))
    return [Edit(token.start, token.end, text)]


def _expanded(unit: Unit, operands: Sequence[AsmOperand]) -> Iterator[Edit]:
    """Macros that have operands, written out where one of them is in a register of NVIDIA's."""
    uses = dict.fromkeys(o.macro for o in operands if o.expanded and o.kind in _NVIDIA)
    for first, last in uses:
        texts = [
            f'"{o.constraint.replace(o.kind, "v") if o.kind in _NVIDIA else o.constraint}"({o.expression})'
            for o in operands
            if o.macro == (first, last)
        ]
        yield Edit(unit.tokens[first].start, unit.tokens[last - 1].end, ", ".join(texts))
