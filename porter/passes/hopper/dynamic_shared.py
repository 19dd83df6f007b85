"""Dynamic shared memory in units in which porter's runtime keeps shared variables of its own.

A source without static shared memory may count on its dynamic memory to begin on a multiple of 1,024: a Hopper block's
shared memory does. Swizzled tiles of 128-byte rows need that where a kernel computes the swizzle from offsets, since
tensor copies and matrix products find theirs from addresses. porter's barriers and counts would come first.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.passes.hopper.oversized_shared import moved_arrays
from porter.rules import RuleSet

__all__ = ["ALIGNMENT", "is_array", "run", "runtime_comes_first"]

RULE = "dynamic-shared-start"
ALIGNMENT = "__align__(1024)"
_NAMES = frozenset({"__align__", "alignas", "aligned", "__aligned__"})
_GROUPS = frozenset({"__align__", "alignas", "__attribute__"})


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    return list(_findings(unit)) if runtime_comes_first(unit) else []


def runtime_comes_first(unit: Unit) -> bool:
    """Whether kernels of the unit have shared variables that the source does not have (porter/named_barrier.h,
    porter/warpgroup.h, porter/cluster_messages.h)."""
    return unit.facts.named_barriers or unit.facts.warpgroups or unit.facts.clusters


def is_array(unit: Unit, index: int) -> bool:
    """Does `__shared__` at the token begin, with `extern`, a declaration of arrays? In a macro: may it?"""
    if not _extern(unit, index):
        return False
    end = index
    while end < len(unit.tokens) and unit.text(end) not in (";", "{", "}"):
        if unit.text(end) == "[":
            return True
        end += 1
    return unit.tokens[index].directive >= 0


def _findings(unit: Unit) -> Iterator[Finding]:
    message = (
        "starts on a multiple of 1,024, as on Hopper, where swizzles look at addresses: porter's barriers come first"
    )
    moved = moved_arrays(unit)
    for index in unit.file.places("__shared__"):
        if index not in moved and is_array(unit, index) and not _aligned(unit, index):
            token = unit.tokens[index]
            edit = Edit(token.start, token.start, f"{ALIGNMENT} ")
            yield Finding(RULE, token.start, token.start, Safety.EXACT, message, (edit,))


def _aligned(unit: Unit, index: int) -> bool:
    """Whether the declaration says a multiple of 1,024 itself."""
    first, last = index, index
    while first > 0 and unit.text(first - 1) not in (";", "{", "}"):
        first -= 1
    while last < len(unit.tokens) and unit.text(last) not in (";", "{", "}"):
        last += 1
    arguments = (unit.text(k + 2) for k in range(first, last) if unit.text(k) in _NAMES and unit.text(k + 1) == "(")
    return any(text.isdigit() and int(text) % 1024 == 0 for text in arguments)


def _extern(unit: Unit, index: int) -> bool:
    """`extern` among the specifiers around the token."""
    if unit.text(index + 1) == "extern":
        return True
    before = index - 1
    while before >= 0 and unit.tokens[before].directive == unit.tokens[index].directive:
        if unit.text(before) == "extern":
            return True
        if unit.text(before) == ")" and unit.text(unit.file.partner(before) - 1) in _GROUPS:
            before = unit.file.partner(before)
        elif unit.tokens[before].kind != Kind.IDENT:
            return False
        before -= 1
    return False
