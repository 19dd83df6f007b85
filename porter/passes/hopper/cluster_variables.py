"""Shared variables, and members of their structures, that other blocks of a cluster reach by ordinary pointers. In the
port they lie in global memory (porter/cluster.h); mbarriers are reached by messages."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from porter.analysis.clusters import only_messages
from porter.analysis.shared_members import (
    declaration,
    flat_use,
    of_elements,
    peer_members,
    renamed,
    statement_start,
    uses,
)
from porter.analysis.shared_pointers import shared_variable, whole_variables
from porter.findings import Edit, Finding, Safety
from porter.frontend.lexer import Kind
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit

__all__ = ["mapped", "with_members"]

RULE, DEVICE = "cluster", "porter/cluster.h"

_BARRIERS = re.compile(
    r"\b(?:u?int64_t|unsigned long long|__mbarrier_t|barrier|ClusterBarrier|ClusterTransactionBarrier)\b"
)


def mapped(unit: Unit, index: int, number: int, variables: dict[int, list[Finding]]) -> list[Finding]:
    """A shared variable whose address in other blocks is asked for."""
    if only_messages(unit.file, index):
        return []
    arguments = unit.file.arguments(index + 1)
    token = unit.tokens[index]
    shared: Sequence[int] | None = shared_variable(unit, *arguments[number]) if number < len(arguments) else None
    if not shared:
        message = "which shared variable other blocks reach here is not known, so it was not moved to global memory"
        return [Finding(RULE, token.start, token.end, Safety.LEFT, message)]
    members = peer_members(unit, _call_start(unit, index), index + 1)
    declared = [declaration(unit, member) for member in sorted(members or ())]
    if declared and all(name > 0 and not problem for name, problem in declared):
        shared = [name for name, _ in declared]
    if not all(_is_variable(unit, name) for name in shared):
        whole = [
            name
            for name in whole_variables(unit, *arguments[number])
            if _is_variable(unit, name) and not of_elements(unit, name)
        ]
        if any(_assigned_whole(unit, name) for name in whole):
            shared = whole  # its members together are what is written
    findings: list[Finding] = []
    for name in shared:
        if not _is_variable(unit, name):
            flat = [flat_use(unit, whole) for whole in whole_variables(unit, *arguments[number])]
            if any(use >= 0 for use in flat):
                line = bisect_right(unit.file.line_starts(), unit.tokens[max(flat)].start)
                message = (
                    f"{unit.text(name)} cannot be moved to global memory: line {line} reaches the bytes of its structure as "
                    "plain elements"
                )
                findings.append(Finding(RULE, token.start, token.end, Safety.LEFT, message))
                continue
        if name not in variables:
            move = _relocated if _is_variable(unit, name) else _moved_member
            problem, finding = move(unit, name, _dereferenced(unit, index))
            variables[name] = [finding] if finding is not None else []
            if problem:
                findings.append(Finding(RULE, token.start, token.end, Safety.LEFT, problem))
    return findings


def _call_start(unit: Unit, index: int) -> int:
    """First token of the call whose function's last name is tokens[index]."""
    first = index
    while unit.text(first - 1) in (".", "->", "::"):
        first -= 2
        if unit.text(first) == ")" and unit.file.partner(first) > 0:
            first = unit.file.partner(first) - 1
    return first


def _dereferenced(unit: Unit, index: int) -> bool:
    """Is what the call gives used as a pointer to data at once?"""
    first = _call_start(unit, index)
    following = unit.text(unit.file.partner(index + 1) + 1)
    return unit.text(first - 1) == "*" or following in ("[", "->") or unit.text(first - 2).startswith("atomic")


def _relocated(unit: Unit, name: int, data: bool) -> tuple[str, Finding | None]:
    """The declaration with a reference to the variable's shadow in global memory; or why it stays."""
    tokens = unit.tokens
    first = name
    while first > 0 and unit.text(first - 1) not in (";", "{", "}"):
        first -= 1
    end = name + 1
    while end < len(tokens) and unit.text(end) != ";":
        end = (
            unit.file.partner(end) + 1 if unit.text(end) in ("[", "(", "{") and unit.file.partner(end) > 0 else end + 1
        )
    word = tokens[name].text
    kind = unit.file.text[tokens[first].start : tokens[name].start]
    data = data or _is_data(unit, name)
    if _BARRIERS.search(kind) and not data and "barrier" in unit.file.text:
        return "", None  # reached by messages
    if unit.scope(name).function is None:
        return f"{word} is declared outside of functions, where it cannot be moved to global memory", None
    asm = _in_asm(unit, word, unit.scope(name).function)
    if asm:
        return f"{word} is reached by pointers from other blocks and by {asm}: it can be in one memory only", None
    pointer = unit.text(name + 1) == "[" and unit.text(name + 2) == "]"
    storage = f"{word}_lds"
    taken = {token.text for token in tokens if token.kind == Kind.IDENT}
    while storage in taken:
        storage += "_"
    reference = f" auto {'*const ' if pointer else '&'}{word} = porter::relocated({storage});"
    edits = (Edit(tokens[name].start, tokens[name].end, storage), Edit(tokens[end].end, tokens[end].end, reference))
    message = f"{word} is in global memory: other blocks of the cluster reach it by pointers"
    return "", Finding(RULE, tokens[name].start, tokens[name].end, Safety.SLOWER, message, edits, (DEVICE,))


def _is_variable(unit: Unit, name: int) -> bool:
    first = statement_start(unit, name)
    return first < 0 or any(unit.text(k) == "__shared__" for k in range(first, name))


def _assigned_whole(unit: Unit, name: int) -> bool:
    """Is the variable of a structure, or an element of it, assigned or copied with all of its members?"""
    function = unit.scope(name).function
    for index in range(name + 1, function.body[1] if function is not None else 0):
        if unit.text(index) != unit.text(name) or unit.text(index - 1) in (".", "->", "::", "&"):
            continue
        after = index + 1
        while unit.text(after) == "[" and unit.file.partner(after) > 0:
            after = unit.file.partner(after) + 1
        copied = (
            unit.text(index - 1) == "=" and unit.text(after) in (";", ",") and unit.text(index - 3) not in ("&", "*")
        )
        if unit.text(after) == "=" or copied:
            return True
    return False


def _moved_member(unit: Unit, name: int, data: bool) -> tuple[str, Finding | None]:
    """The same for a member of a structure alone; or why it stays."""
    word = unit.text(name)
    kind = unit.file.text[unit.tokens[statement_start(unit, name)].start : unit.tokens[name].start]
    places_used = uses(unit, name)
    if places_used is None:
        return f"{word} is used in ways that are not followed, so it was not moved to global memory", None
    if (
        _BARRIERS.search(kind)
        and "barrier" in unit.file.text
        and not any(_changed(unit, use) for use, _ in places_used)
    ):
        return "", None  # reached by messages
    functions = {id(f): f for f in (unit.scope(use).function for use, _ in places_used) if f is not None}
    asm = next(filter(None, (_in_asm(unit, word, function) for function in functions.values())), "")
    if asm:
        return f"{word} is reached by pointers from other blocks and by {asm}: it can be in one memory only", None
    message = f"{word} is in global memory: other blocks of the cluster reach it by pointers"
    token = unit.tokens[name]
    return "", Finding(RULE, token.start, token.end, Safety.SLOWER, message, (), (DEVICE,))  # edits: with_members


_ASSIGNING = frozenset({"=", "+=", "-=", "*=", "|=", "&=", "^=", "++", "--"})


def _is_data(unit: Unit, name: int) -> bool:
    """Is the variable written, or changed by an atomic, in its function? An mbarrier never is: only instructions reach it."""
    function, word = unit.scope(name).function, unit.text(name)
    for index in range(name + 1, function.body[1] if function is not None else 0):
        if unit.text(index) != word or unit.text(index - 1) in (".", "->", "::"):
            continue
        if _changed(unit, index):
            return True
    return False


def _changed(unit: Unit, use: int) -> bool:
    after = use + 1
    while unit.text(after) == "[" and unit.file.partner(after) > 0:
        after = unit.file.partner(after) + 1
    first = use
    while unit.text(first - 1) in (".", "->") and first > 1:
        first -= 2
        while unit.text(first) == "]" and unit.file.partner(first) > 0:
            first = unit.file.partner(first) - 1
    before = first - 2 if unit.text(first - 1) == "&" else first - 1
    if unit.text(after) in _ASSIGNING or unit.text(before) in ("++", "--"):
        return True
    return unit.text(before) == "(" and unit.text(before - 1).startswith("atomic")


def _in_asm(unit: Unit, word: str, function: Function | None) -> str:
    """Where else the variable goes in its function that wants an address in LDS; "" if nowhere."""
    if function is None:
        return ""
    for index in range(function.body[0], function.body[1]):
        if unit.text(index) in ("__cvta_generic_to_shared", "asm", "__asm__", "load_matrix_sync", "store_matrix_sync"):
            opening = next((k for k in range(index + 1, index + 4) if unit.text(k) == "("), -1)
            closing = unit.file.partner(opening) if opening > 0 else -1
            if any(unit.text(k) == word for k in range(opening + 1, max(closing, opening + 1))):
                return str(unit.text(index))
    return ""


def with_members(unit: Unit, findings: list[Finding]) -> list[Finding]:
    """Members that are moved have their edits together, as one may be within the other."""
    members = [f for f in findings if not f.edits]
    if not members:
        return findings
    names = [next(k for k, token in enumerate(unit.tokens) if token.start == f.start) for f in members]
    taken = {token.text for token in unit.tokens if token.kind == Kind.IDENT}
    moved = {}
    for name in names:
        moved[name] = f"{unit.text(name)}_lds"
        while moved[name] in taken:
            moved[name] += "_"
    members[0] = replace(members[0], edits=renamed(unit, moved))
    return [*(f for f in findings if f.edits), *members]
