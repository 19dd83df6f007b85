"""Copies by cp.async in loops that the compiler unrolls: they are loaded to registers and stored behind the loop
(porter/late_copies.h).

That is right where nothing in the loop waits for copies. Elsewhere, and where the number of rounds is no constant, a copy is
made where it is issued.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace

from porter.findings import Edit, Finding
from porter.frontend.asm.statements import AsmStatement, find_asm
from porter.frontend.lexer import Kind, TokenFile, newline_of
from porter.frontend.unit import Unit
from porter.passes.ptx.named_uses import Words, using, with_asm, words_by_name

__all__ = ["waiting_functions", "with_late_copies"]

HEADER = "porter/late_copies.h"
_COPY = re.compile(r"porter::cp_async(_unless)?<(\w+)>\(")
_IS_COPY = re.compile(r"\s*cp\.async\.c[ag]\.[^;]*;?\s*")
_WAITS = re.compile(r"\bcp\.async\.(?:commit_group|wait_group|wait_all|mbarrier)\b")
_ASM = frozenset({"asm", "__asm__", "__asm"})
_WAITING = _ASM | frozenset(
    {"__pipeline_commit", "__pipeline_wait_prior", "__pipeline_arrive_on", "producer_commit", "consumer_wait", "wait_prior",
     "cp_async_mbarrier_arrive", "cp_async_mbarrier_arrive_noinc", "memcpy_async",
     "cp_async_fence", "cp_async_wait", "cp_async_wait_all", "cp_async_wait_group", "cp_async_commit_group"}
)  # fmt: skip
_BEFORE_LAMBDA = frozenset({"{", "}", ";", "(", ",", "=", "[", "return"})
_LOOPS = frozenset({"for", "while", "do", "goto", "switch"})


@dataclass(frozen=True, slots=True)
class _Loop:
    start: int  # offset of its pragma
    head: int  # of its `for`
    rounds: str
    body: tuple[int, int]  # its brackets


def with_late_copies(unit: Unit, findings: Sequence[Finding], held: Container[int] = ()) -> list[Finding]:
    """The findings of a file's asm statements; in such loops, copies are made later. `held`: statements that are made late by
    another way (held_copies.py)."""
    file = unit.file
    sites = {
        asm.start: asm for asm in find_asm(file, unit.beside) if _IS_COPY.fullmatch(asm.text) and asm.start not in held
    }
    loops = [loop for loop in _unrolled(file) if any(_within(loop, asm) for asm in sites.values())] if sites else []
    waiting: frozenset[str] | None = None
    by_start = {finding.start: finding for finding in findings}
    for number, loop in enumerate(loops, start=1):
        inside = [asm for asm in sites.values() if _within(loop, asm)]
        waiting = waiting or waiting_functions(unit, words_by_name(unit))
        if _is_plain(unit, loop, inside, waiting) and all(_copies(by_start.get(asm.start)) for asm in inside):
            by_start |= _later(file, loop, [by_start[asm.start] for asm in inside], f"porter_copies_{number}")
    return [by_start[finding.start] for finding in findings]


def _within(loop: _Loop, asm: AsmStatement) -> bool:
    return loop.body[0] < asm.first < loop.body[1]


def _unrolled(file: TokenFile) -> Iterator[_Loop]:
    """`#pragma unroll` and `for (int i = 0; i < rounds; ++i) {`, as a statement of a block."""
    tokens = file.tokens
    for directive in file.directives:
        at = directive.last
        words = [token.text for token in tokens[directive.first : directive.last]]
        if directive.name != "pragma" or words != ["unroll"] or at + 1 >= len(tokens) or tokens[at].text != "for":
            continue
        if directive.first == 0 or tokens[directive.first - 1].text not in (";", "{", "}") or tokens[at].directive >= 0:
            continue
        closing = file.partner(at + 1)
        opening = closing + 1
        if closing < 0 or opening >= len(tokens) or tokens[opening].text != "{" or file.partner(opening) < 0:
            continue
        rounds = _rounds(file, at + 2, closing)
        if rounds:
            yield _Loop(directive.start, tokens[at].start, rounds, (opening, file.partner(opening)))


def _rounds(file: TokenFile, first: int, last: int) -> str:
    """How often a loop runs that counts from 0; "" where its head is another one."""
    head = " ".join(token.text for token in file.tokens[first:last])
    match = _HEAD.fullmatch(head)
    return match["rounds"] if match is not None else ""


_HEAD = re.compile(
    r"(?:int|unsigned|unsigned int|uint32_t|int32_t|size_t|auto) (?P<name>\w+) = 0 ; (?P=name) < (?P<rounds>[\w :]+?) ; "
    r"(?:\+\+ (?P=name)|(?P=name) \+\+)"
)


def _is_plain(unit: Unit, loop: _Loop, inside: Sequence[AsmStatement], waiting: frozenset[str]) -> bool:
    """Whether the loop has no loop in it, no function of its own, and nothing that may wait for copies."""
    tokens, (first, last) = unit.file.tokens, loop.body
    spans = [range(asm.first, asm.last) for asm in inside]
    words = {
        token.text
        for k, token in enumerate(tokens[first:last], start=first)
        if token.kind == Kind.IDENT and not any(k in span for span in spans)
    }
    if any(
        t.text == "[" and tokens[k].text in _BEFORE_LAMBDA for k, t in enumerate(tokens[first + 1 : last], start=first)
    ):
        return False
    functions = {unit.scopes.at(asm.first).function for asm in inside} | {unit.scopes.at(first).function}
    return words.isdisjoint(_LOOPS) and words.isdisjoint(waiting) and len(functions) == 1


def waiting_functions(unit: Unit, words: Words) -> frozenset[str]:
    """Names of functions and macros that wait for copies or commit them, or use some that do, in any file of the unit."""
    return frozenset(using(with_asm(unit, _WAITS) | _WAITING, words, passed_over=_ASM))


def _copies(finding: Finding | None) -> bool:
    """Whether a statement's port is one copy, of a number of bytes that is written there."""
    return finding is not None and len(finding.edits) == 1 and len(_COPY.findall(finding.edits[0].text)) == 1


def _later(file: TokenFile, loop: _Loop, findings: Sequence[Finding], name: str) -> dict[int, Finding]:
    names = [name if k == 0 else f"{name}_{k + 1}" for k in range(len(findings))]
    begin = file.text.rfind("\n", 0, loop.start) + 1
    head = file.text[file.text.rfind("\n", 0, loop.head) + 1 : loop.head]
    indent, newline = head[: len(head) - len(head.lstrip())], newline_of(file.text)
    opening, closing = (file.tokens[index].end for index in loop.body)
    by_start, declared = {}, []
    for one, finding in zip(names, findings, strict=True):
        edit = finding.edits[0]
        match = _COPY.search(edit.text)
        assert match is not None
        text = f"{edit.text[: match.start()]}{one}.copy{match[1] or ''}({edit.text[match.end() :]}"
        rounds = f"__builtin_constant_p({loop.rounds}) ? int({loop.rounds}) : 0"
        declared.append(f"porter::late_copies<{match[2]}, {rounds}> {one};")
        message = finding.message.replace("the copy is made at once", "the copy is stored behind the loop")
        includes = (*finding.includes, HEADER)
        by_start[finding.start] = replace(
            finding, edits=(replace(edit, text=text),), includes=includes, message=message
        )
    first = findings[0].start
    around = (
        Edit(begin, begin, "".join(f"{indent}{line}{newline}" for line in declared)),
        Edit(opening, opening, "".join(f" {one}.round();" for one in names)),
        Edit(closing, closing, "".join(f" {one}.land();" for one in names)),
    )
    by_start[first] = replace(by_start[first], edits=(*by_start[first].edits, *around))
    return by_start
