"""Copies by cp.async that stay in registers from where they are issued to where they are waited for (porter/held_copies.h).

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
from porter.passes.ptx.handed_on import Handed, handed_on
from porter.passes.ptx.late_copies import waiting_functions
from porter.passes.ptx.named_uses import reached_from, with_asm, words_by_name

__all__ = ["NOTHING_HELD", "Held", "held_copies"]

RULE = "held-copies"
HEADER = "porter/held_copies.h"
NAME = "porter_copies"
_COPY = re.compile(r"\bcp\.async\.c[ag]\.")
_WAIT = re.compile(r"\bcp\.async\.(?:wait_group|wait_all|mbarrier\.arrive)\b")
_SITE = re.compile(r"\bcp\.async\.(?:c[ag]\.|commit_group\b|wait_group\b|wait_all\b|mbarrier\.arrive\b)")
_OF_WARPS = re.compile(r"\b(?:ldmatrix|stmatrix|movmatrix|mma|wmma|wgmma)\b[\w.:]*\.sync\.aligned\b")
_WMMA = frozenset({"mma_sync", "load_matrix_sync", "store_matrix_sync"})
_SIZE = re.compile(rf"porter::cp_async(?:_unless)?<([^<>]*?)>\({NAME}, ")
_ONLY_16 = re.compile(r"\bcp\.async\.cg\.")
_HOLE = re.compile("\u27e6(\\d+):(\\d+)\u27e7")
_ALL_SIZES = ("4", "8", "16")
_AT_ONCE = "the copy is made at once"


@dataclass(frozen=True, slots=True)
class Held:
    statements: frozenset[int] = frozenset()  # where asm statements start that are handed the kernel's object
    handed: Handed | None = None

    def findings(self, unit: Unit, ported: Sequence[Finding]) -> list[Finding]:
        """The ports of the file's asm statements, and the edits around them."""
        if self.handed is None:
            return list(ported)
        mine = {f.start: _said(f) for f in ported if f.start in self.statements}
        type_name = f"porter::HeldCopies<{_sizes(unit, list(mine.values()))}>"
        return [*(mine.get(f.start, f) for f in ported), *self._around(unit, self.handed, type_name)]

    def _around(self, unit: Unit, handed: Handed, type_name: str) -> Iterator[Finding]:
        edits: list[Edit] = []
        for kernel in handed.kernels:
            how = "(porter::copying::by_turns)" if _by_turns(unit, kernel) else ""
            one = replace(handed, kernels=(kernel,))
            edits += one.edits(unit, NAME, type_name, f"{type_name} {NAME}{how};")
        edits = list(dict.fromkeys(edits))
        first = min(edits, key=lambda edit: edit.start)
        message = "copies of cp.async are loaded where they are issued, and stored where they are waited for"
        yield Finding(RULE, first.start, first.end, Safety.EXACT, message, tuple(edits), (HEADER,))


NOTHING_HELD = Held()


def held_copies(unit: Unit) -> Held:
    """What holds the copies of a file; NOTHING_HELD where they are made at once."""
    sites = [asm for asm in find_asm(unit.file, unit.beside) if _is_site(asm)]
    texts = "\n".join(asm.text for asm in sites)
    if not _COPY.search(texts) or not _WAIT.search(texts) or _hidden(unit, sites):
        return NOTHING_HELD
    handed = handed_on(unit, (asm.first for asm in sites))
    if handed is None or not handed.kernels or not _all_wait(unit, handed) or _waits_elsewhere(unit, handed):
        return NOTHING_HELD
    return Held(frozenset(asm.start for asm in sites), handed)


def _is_site(asm: AsmStatement) -> bool:
    texts = (asm.text, *asm.others, *(one.text for _, one in asm.cases))
    return any(map(_SITE.search, texts))


def _hidden(unit: Unit, sites: Sequence[AsmStatement]) -> bool:
    """Whether a statement may have such instructions that it does not name, or a site cannot be read."""
    known = {asm.first for asm in sites}
    if any(asm.start in unit.facts.unclear_asm for asm in sites):
        return True
    return any(at not in known and _SITE.search(text) for at, text in asm_texts(unit.file, unit.beside))


def _all_wait(unit: Unit, handed: Handed) -> bool:
    """Whether each kernel waits for its copies: what is held and not waited for is never stored."""
    waiting, words = with_asm(unit, _WAIT), words_by_name(unit)
    return not any(waiting.isdisjoint(reached_from(kernel.name, words)) for kernel in handed.kernels)


def _waits_elsewhere(unit: Unit, handed: Handed) -> bool:
    """Whether a function that has copies, or hands them on, may wait for them in another way."""
    waiting = waiting_functions(unit) - handed.names
    spans = [range(asm.first, asm.last) for asm in find_asm(unit.file, unit.beside)]
    of_asm = {k for span in spans for k in span}
    bodies = [f.body for f in (*handed.kernels, *handed.functions) if f.body[0] >= 0]
    macros = [(d.first, d.last) for d in unit.file.directives if unit.text(d.first) in handed.names]
    return any(
        unit.text(k) in waiting and unit.tokens[k].kind == Kind.IDENT and k not in of_asm
        for first, last in (*bodies, *macros)
        for k in range(first, last)
    )


def _by_turns(unit: Unit, kernel: Function) -> bool:
    """Whether a kernel's threads have mirrors for sure: its warps work as one, so that its blocks are whole warps."""
    if not unit.facts.mirrored or kernel.name in unit.facts.plain:
        return False
    together = with_asm(unit, _OF_WARPS) | _WMMA
    return not together.isdisjoint(reached_from(kernel.name, words_by_name(unit)))


def _sizes(unit: Unit, ported: Sequence[Finding]) -> str:
    """The sizes of the copies that are used; all that there are where one is no number."""
    texts = {finding.start: finding.edits[0].text for finding in ported if finding.edits}
    sizes = set[str]()
    for asm in (asm for asm in find_asm(unit.file, unit.beside) if asm.start in texts and _is_used(unit, asm)):
        text = _HOLE.sub(lambda match: unit.file.text[int(match[1]) : int(match[2])], texts[asm.start])
        sizes |= {"16"} if _ONLY_16.search(asm.text) else {size.strip("() ") for size in _SIZE.findall(text)}
    return ", ".join(size for size in _ALL_SIZES if size in sizes or not sizes.issubset(_ALL_SIZES))


def _is_used(unit: Unit, asm: AsmStatement) -> bool:
    """Not in a macro that the file defines and does not use."""
    return asm.directive < 0 or len(unit.file.places(unit.text(unit.file.directives[asm.directive].first))) > 1


def _said(finding: Finding) -> Finding:
    return replace(finding, message=finding.message.replace(_AT_ONCE, "loaded at once, stored where it is waited for"))
