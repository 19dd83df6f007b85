"""Labels and branches of PTX as structure: `if`, loops and `break`, where they form any.

A forward branch over some statements is an `if`, a backward branch a loop, a branch out of a loop to
right behind it a `break`. Anything else is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Union

from porter.frontend.ptx import Instruction, Label, Name, Operand, RegisterDecl, Scope, Statement
from porter.ptx.match import Refusal

__all__ = ["Break", "If", "Loop", "Node", "Refused", "refuse", "structure"]


class Refused(Exception):
    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


def refuse(construct: str, reason: str, known: bool = True) -> Refused:
    return Refused(Refusal(construct, reason, known))


@dataclass(frozen=True)
class If:
    guard: Operand
    negated: bool
    body: tuple[Node, ...]


@dataclass(frozen=True)
class Loop:
    body: tuple[Node, ...]
    guard: Operand | None  # repeats while it holds; None: for ever
    negated: bool


@dataclass(frozen=True)
class Break:
    guard: Operand | None
    negated: bool


Node = Union[Instruction, RegisterDecl, Scope, If, Loop, Break]


def structure(statements: Sequence[Statement]) -> tuple[Node, ...]:
    """Labels and branches of one statement list as structure; raises Refused where there is none."""
    items: list[Statement | Node] = list(statements)
    labels = {s.name: i for i, s in enumerate(items) if isinstance(s, Label)}
    for name, start in sorted(labels.items(), key=lambda item: -item[1]):  # inner loops first
        start = next(i for i, s in enumerate(items) if isinstance(s, Label) and s.name == name)
        ends = [i for i, s in enumerate(items) if i > start and _branch(s) == name]
        if not ends:
            continue
        end = ends[-1]
        last = items[end]
        assert isinstance(last, Instruction)
        after = items[end + 1].name if end + 1 < len(items) and isinstance(items[end + 1], Label) else ""  # type: ignore[union-attr]
        body: list[Statement | Node] = []
        for inner in items[start + 1 : end]:
            target = _branch(inner)
            if target == name:
                raise refuse("bra", f"two branches back to the label {name}")
            if target and target == after:
                assert isinstance(inner, Instruction)
                body.append(Break(inner.guard, inner.negated))
            else:
                body.append(inner)
        items[start : end + 1] = [Loop(_forward(body), last.guard, last.negated)]
    return _forward(items)


def _forward(items: Sequence[Statement | Node]) -> tuple[Node, ...]:
    nodes: list[Node] = []
    index = 0
    while index < len(items):
        item = items[index]
        target = _branch(item)
        if target:
            assert isinstance(item, Instruction)
            end = next(
                (i for i in range(index + 1, len(items)) if isinstance(s := items[i], Label) and s.name == target), -1
            )
            if end < 0:
                raise refuse("bra", f"the branch to {target} is neither a loop nor a jump ahead in the same scope")
            skipped = items[index + 1 : end]
            if any(isinstance(s, Label) for s in skipped):
                raise refuse("bra", f"the branch to {target} jumps over another label")
            body = _forward(skipped)
            if any(isinstance(node, RegisterDecl) for node in body):
                raise refuse("bra", f"the branch to {target} jumps over a declaration")
            if item.guard is not None:
                nodes.append(If(item.guard, not item.negated, body))
            index = end + 1
            continue
        if isinstance(item, Label):
            index += 1
            continue
        if isinstance(item, (Instruction, RegisterDecl, Scope, If, Loop, Break)):
            nodes.append(item)
        else:
            raise refuse(f".{item.space}", f"the declaration '{item.text}' has no counterpart")
        index += 1
    return tuple(nodes)


def _branch(item: object) -> str:
    if isinstance(item, Instruction) and item.opcode == "bra" and len(item.operands) == 1:
        target = item.operands[0]
        return target.text if isinstance(target, Name) else "?"
    return ""
