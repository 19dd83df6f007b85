"""Whether warps have roles in a translation unit, so that each CUDA warp needs a wave of its own (porter/mirror.h)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from porter.analysis.running.reach import EVERYTHING, Reach
from porter.analysis.waits import asm_waits_apart, waits_apart
from porter.frontend.asm.statements import asm_words, find_asm
from porter.frontend.lexer import Kind, TokenFile
from porter.frontend.ptx import OPAQUE, Instruction, instructions, parse_ptx
from porter.frontend.source_file import SourceFile, beside_each
from porter.ptx.match import likely_row
from porter.ptx.rows import Mirrored, PtxRow
from porter.ptx.table import PtxTable, ptx_table
from porter.rules import RuleSet

__all__ = ["Roles", "roles"]

_HEADERS = ("<mma.h>", "<crt/mma.h>")  # nvcuda::wmma
_WMMA_CALLS = re.compile(rb"\b(?:(?:load|store)_matrix_sync|b?mma_sync|fill_fragment)\b")
# What libcu++ has for instructions that the table calls mirrored.
_LIBRARY = frozenset({"cuda/barrier", "cuda/ptx"})
_LIBRARY_CALLS = re.compile(
    rb"\b(?:mbarrier_(?:arrive|expect_tx|test_wait|try_wait)\w*|cp_(?:reduce_)?async_(?:bulk|mbarrier)\w*|(?:st|red)_async"
    rb"|barrier_(?:arrive|expect)_tx|memcpy_async_tx)\b"
)
_INDICES = re.compile(rb"\bthreadIdx\s*\.\s*[yz]\b|%tid\.[yz]\b|\bget_sreg_tid_[yz]\b|\bthis_thread_block\b")
_COPY = re.compile(r"\bcp\.async\.c[ag]\b")
_CUT_OFF = re.compile(rf"\b([a-z]\w*\.[\w.:]*){OPAQUE}")  # a mnemonic that the preprocessor completes


@dataclass(frozen=True, slots=True)
class Roles:
    mirrored: int = 0  # warps need waves of their own; 2: and threads may have more than one index
    named_barriers: bool = False  # memory of the block, which each kernel has to clear first
    warpgroups: bool = False  # likewise: how far their warps are with wgmma
    meeting: bool = False  # threads bring operands of wgmma by cp.async


def roles(members: Sequence[SourceFile], rules: RuleSet | None = None, reach: Reach = EVERYTHING) -> Roles:
    """Of a translation unit, by its files: the rows of PTX tables that they use, the libraries and what they do there; as
    far as it runs."""
    around_each = zip(members, beside_each(members))
    others = [(source, around, _running(source, members, reach)) for source, around in around_each]
    words = asm_words(source.tokens for source in members) if any(around for _, around, _ in others) else None
    asking = [one for one in others if words is None or not one[0].tokens.texts().isdisjoint(words)]
    rows = [row for source, around, runs in asking for row in _mirrored_rows(source, around, rules, runs)]
    apart = any(row.needs.mirrored is Mirrored.YES for row in rows) or (
        bool(rows) and any(_waits_apart(source, around, rules, runs) for source, around, runs in others)
    )
    mirrored = (
        apart
        or _uses_wmma(members, reach)
        or _uses_library(members, reach)
        or any(waits_apart(source, around, runs) for source, around, runs in others)
    )
    warpgroups = any(row.needs.warpgroups for row in rows)
    flat = not any(source.has(_INDICES) for source in members)
    return Roles(
        (1 if flat else 2) if mirrored else 0,
        any(row.needs.named_barriers for row in rows),
        warpgroups,
        warpgroups and any(_copies(source, around, runs) for source, around, runs in asking),
    )


def _running(source: SourceFile, members: Sequence[SourceFile], reach: Reach) -> Callable[[int], bool]:
    return lambda index: reach.runs(source, index, members)


def _mirrored_rows(
    source: SourceFile, around: Sequence[TokenFile], rules: RuleSet | None, runs: Callable[[int], bool]
) -> Iterator[PtxRow]:
    if b"asm" not in source.data and not around:
        return  # before the table, which takes longer to load than a small file to port
    table: PtxTable | None = None
    for at, text, ptx in source.asm(around):
        if not runs(at):
            continue
        table = table or ptx_table(rules)
        if text not in table.mirrored:
            rows = [_row(instruction, table) for instruction in instructions(ptx.statements)]
            rows += [_meant(cut[1], table) for cut in _CUT_OFF.finditer(text)]
            table.mirrored[text] = [row for row in rows if row is not None and row.mirrored]
        yield from table.mirrored[text]


def _copies(source: SourceFile, around: Sequence[TokenFile], runs: Callable[[int], bool]) -> bool:
    """Whether threads copy to shared memory by cp.async."""
    if b"asm" not in source.data:
        return False
    return any(_is_copy(text) and runs(at) for at, text, _ in source.asm(around))


@lru_cache(maxsize=1 << 14)  # headers have the same texts in each unit
def _is_copy(text: str) -> bool:
    return _COPY.search(text) is not None


def _waits_apart(
    source: SourceFile, around: Sequence[TokenFile], rules: RuleSet | None, runs: Callable[[int], bool]
) -> bool:
    """Of a file whose asm does no more than copy and wait: whether warps may have to wait for their neighbours."""
    table = ptx_table(rules)
    waits = []
    for asm in (one for one in find_asm(source.tokens, around) if runs(one.first)):
        rows = [_row(i, table) for i in instructions(parse_ptx(asm.text).statements)]
        if asm.opaque or asm.others or (asm.directive >= 0 and any(row and row.mirrored for row in rows)):
            return True  # what the preprocessor makes of it
        if any(row and row.needs.waits for row in rows):
            waits.append(asm)
    return asm_waits_apart(source, waits, around)


def _row(instruction: Instruction, table: PtxTable) -> PtxRow | None:
    return likely_row(instruction, table) or _meant(instruction.mnemonic, table)


def _meant(mnemonic: str, table: PtxTable) -> PtxRow | None:
    """For an instruction that fits no row, or that the preprocessor completes: one of the possible rows, if all of them
    need mirrors."""
    rows = table.rows.get(mnemonic.partition(".")[0], ())
    alike = [r for r in rows if any(mnemonic.startswith(h) or h.startswith(mnemonic) for h in r.heads)] or list(rows)
    return alike[0] if alike and all(r.mirrored for r in alike) else None


def _uses_wmma(members: Sequence[SourceFile], reach: Reach) -> bool:
    return any(map(_includes_wmma, members)) and _runs_one_of(_WMMA_CALLS, members, reach)


def _includes_wmma(source: SourceFile) -> bool:
    return b"mma.h>" in source.data and any(t.kind == Kind.HEADER and t.text in _HEADERS for t in source.tokens.tokens)


def _uses_library(members: Sequence[SourceFile], reach: Reach) -> bool:
    if not any(_LIBRARY.intersection(source.includes) for source in members):
        return False
    return _runs_one_of(_LIBRARY_CALLS, members, reach)


def _runs_one_of(named: re.Pattern[bytes], members: Sequence[SourceFile], reach: Reach) -> bool:
    """Whether a name of these stands in what runs."""
    for source in members:
        names = {m[0].decode() for m in named.finditer(source.data)}
        places = source.tokens.places(*names) if names else ()
        if any(source.tokens.tokens[k].kind == Kind.IDENT and reach.runs(source, k, members) for k in places):
            return True
    return False
