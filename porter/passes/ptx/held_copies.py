"""Copies by cp.async, in PTX or by __pipeline_memcpy_async, that stay in registers from where they are issued to where they are waited for (porter/held_copies.h).

A kernel has an object for them, which it hands on to the functions and macros that copy, commit and wait. That is right where
all that waits for copies gets it. Elsewhere a copy is made where it is issued.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from porter.findings import Edit, Finding, Safety
from porter.frontend.asm.statements import AsmStatement, find_asm
from porter.frontend.asm.uses import asm_texts
from porter.frontend.lexer import Kind
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit
from porter.passes.insertions import first_in_body
from porter.passes.ptx.handed_on import Handed, first_in_brackets, handed_on
from porter.passes.ptx.late_copies import waiting_functions
from porter.passes.ptx.named_uses import Words, reached_from, with_asm, words_by_name
from porter.passes.ptx.own_files import own_files

__all__ = ["Held", "held_copies"]

RULE = "held-copies"
HEADER = "porter/held_copies.h"
NAME = "porter_copies"
_COPY = re.compile(r"\bcp\.async\.c[ag]\.")
_WAIT = re.compile(r"\bcp\.async\.(?:wait_group|wait_all|mbarrier\.arrive)\b")
_SITE = re.compile(r"\bcp\.async\.(?:c[ag]\.|commit_group\b|wait_group\b|wait_all\b|mbarrier\.arrive\b)")
_OF_WARPS = re.compile(r"\b(?:ldmatrix|stmatrix|movmatrix|mma|wmma|wgmma)\b[\w.:]*\.sync\.aligned\b")
_WMMA = frozenset({"mma_sync", "load_matrix_sync", "store_matrix_sync"})
_PIPELINE = ("__pipeline_memcpy_async", "__pipeline_commit", "__pipeline_wait_prior")
_PIPELINE_WAITS = frozenset(_PIPELINE[2:])
_NAMED = re.compile(rb"cp\.async\.c|__pipeline_memcpy_async")
_SIZE = re.compile(r"\bcp\.async\.ca\.[\w.:]*\s*\[[^\]]*\]\s*,\s*\[[^\]]*\]\s*,\s*(%?\w+)")
_ONLY_16 = re.compile(r"\bcp\.async\.cg\.")
_ALL_SIZES = ("4", "8", "16")
_AT_ONCE = "the copy is made at once"


@dataclass(frozen=True, slots=True)
class Held:
    statements: frozenset[int] = frozenset()  # where asm statements start that are handed the kernel's object
    edits: tuple[Edit, ...] = ()  # around them

    def findings(self, ported: Sequence[Finding]) -> list[Finding]:
        """The ports of the file's asm statements, and the edits around them."""
        findings = [_said(finding) if finding.start in self.statements else finding for finding in ported]
        if self.edits:
            first = min(self.edits, key=lambda edit: edit.start)
            message = "copies of cp.async are loaded where they are issued, and stored where they are waited for"
            findings.append(Finding(RULE, first.start, first.end, Safety.EXACT, message, self.edits, (HEADER,)))
        return findings


def held_copies(unit: Unit) -> Held:
    """What holds the copies of a file; nothing where they are made at once."""
    files = own_files(unit, _NAMED)
    if files is None:
        return Held()
    starts, edits = _of_text(files.unit)
    mine = (start - files.start for start in starts if files.start <= start < files.stop)
    return Held(frozenset(mine), tuple(files.own(edits)))


def _of_text(unit: Unit) -> tuple[tuple[int, ...], tuple[Edit, ...]]:
    """Where the statements start, and the edits: worked out once for all files of a text."""
    key = (held_copies, unit.facts.mirrored, unit.facts.plain, unit.beside)
    if key not in unit.file.answers:
        unit.file.answers[key] = _found(unit) or ((), ())
    answer: tuple[tuple[int, ...], tuple[Edit, ...]] = unit.file.answers[key]
    return answer


def _found(unit: Unit) -> tuple[tuple[int, ...], tuple[Edit, ...]] | None:
    sites = [asm for asm in find_asm(unit.file, unit.beside) if _is_site(asm)]
    calls = [k for k in unit.file.places(*_PIPELINE) if unit.text(k + 1) == "("]
    copies = any(_COPY.search(asm.text) for asm in sites) or any(unit.text(k) == _PIPELINE[0] for k in calls)
    if not copies or _hidden(unit, sites):
        return None
    handed = handed_on(unit, [*(asm.first for asm in sites), *calls])
    if handed is None or not handed.kernels:
        return None
    words = words_by_name(unit)
    if not _all_wait(unit, handed, words) or _waits_elsewhere(unit, handed, calls, words):
        return None
    edits = (*_around(unit, handed, sites, words), *(first_in_brackets(unit, k + 1, NAME) for k in calls))
    return tuple(asm.start for asm in sites), edits


def _around(unit: Unit, handed: Handed, sites: Sequence[AsmStatement], words: Words) -> Iterator[Edit]:
    """The object in the kernels, and how the functions on the way get it."""
    type_name = f"porter::HeldCopies<{_sizes(unit, sites)}>"
    together = with_asm(unit, _OF_WARPS) | _WMMA
    for kernel in handed.kernels:
        by_turns = _has_mirrors(unit, kernel) and not together.isdisjoint(reached_from(kernel.name, words))
        how = "(porter::copying::by_turns)" if by_turns else ""
        yield first_in_body(unit.file, kernel.body[0], f"{type_name} {NAME}{how};")
    yield from handed.edits(unit, NAME, type_name)


def _has_mirrors(unit: Unit, kernel: Function) -> bool:
    """Whether its threads have mirrors where its warps work as one: their blocks are whole warps then."""
    return unit.facts.mirrored > 0 and kernel.name not in unit.facts.plain


def _is_site(asm: AsmStatement) -> bool:
    texts = (asm.text, *asm.others, *(one.text for _, one in asm.cases))
    return any(map(_SITE.search, texts))


def _hidden(unit: Unit, sites: Sequence[AsmStatement]) -> bool:
    """Whether a statement may have such instructions that it does not name."""
    known = {asm.first for asm in sites}
    return any(at not in known and _SITE.search(text) for at, text in asm_texts(unit.file, unit.beside))


def _all_wait(unit: Unit, handed: Handed, words: Words) -> bool:
    """Whether each kernel waits for its copies: what is held and not waited for is never stored."""
    waiting = with_asm(unit, _WAIT) | _PIPELINE_WAITS
    return not any(waiting.isdisjoint(reached_from(kernel.name, words)) for kernel in handed.kernels)


def _waits_elsewhere(unit: Unit, handed: Handed, calls: Sequence[int], words: Words) -> bool:
    """Whether a function that has copies, or hands them on, may wait for them in another way."""
    waiting = waiting_functions(unit, words) - handed.names
    spans = [range(asm.first, asm.last) for asm in find_asm(unit.file, unit.beside)]
    known = {*calls, *(k for span in spans for k in span)}
    bodies = [f.body for f in (*handed.kernels, *handed.functions) if f.body[0] >= 0]
    macros = [(d.first, d.last) for d in unit.file.directives if unit.text(d.first) in handed.names]
    return any(
        unit.text(k) in waiting and unit.tokens[k].kind == Kind.IDENT and k not in known
        for first, last in (*bodies, *macros)
        for k in range(first, last)
    )


def _sizes(unit: Unit, sites: Sequence[AsmStatement]) -> str:
    """The sizes of the copies that are used; all that there are where one is no number."""
    if unit.file.places(_PIPELINE[0]):
        return ", ".join(_ALL_SIZES)
    sizes = {_size(asm) for asm in sites if _COPY.search(asm.text) and _is_used(unit, asm)}
    return ", ".join(size for size in _ALL_SIZES if size in sizes or not sizes.issubset(_ALL_SIZES))


def _size(asm: AsmStatement) -> str:
    """How many bytes a statement copies; "" where that is not plain."""
    if asm.others or asm.cases:
        return ""
    if _ONLY_16.search(asm.text):
        return "16"
    match = _SIZE.search(asm.text)
    operand = match[1] if match else ""
    if operand.startswith("%") and operand[1:].isdigit() and int(operand[1:]) < len(asm.operands):
        operand = asm.operands[int(operand[1:])].expression.strip("() ")
    return operand


def _is_used(unit: Unit, asm: AsmStatement) -> bool:
    """Not in a macro that the file defines and does not use."""
    return asm.directive < 0 or len(unit.file.places(unit.text(unit.file.directives[asm.directive].first))) > 1


def _said(finding: Finding) -> Finding:
    return replace(finding, message=finding.message.replace(_AT_ONCE, "loaded at once, stored where it is waited for"))
