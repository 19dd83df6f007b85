"""Finds barriers in gfx942 assembly text whose wait for LDS clang has lost, and puts the waits back.

    lost_waits(text)  -> the lines of such barriers
    with_waits(text)      -> the text with `s_waitcnt lgkmcnt(0)` in front of each
    loses_waits()     -> whether this machine's compiler does it

__syncthreads() is a fence and an s_barrier. The fence becomes an s_waitcnt that a later pass of clang may take away
again where nothing is under way. That pass decides when it meets a block for the first time, before it knows what the
loop around it leaves under way (LLVM 22.1.8 does, and development versions of 23 and 24; llvm-project#220357 fixes it,
September 2026). So a barrier in a loop that begins with nothing under way has no wait. LDS accesses of the round before
may still be under way when the other waves go on.

A barrier is named if LDS operations can be under way at it only by way of a loop. The pass knew of operations from
above; where it left them under way, the code meant to. Schedules that keep LDS reads under way across a bare
__builtin_amdgcn_s_barrier() in a loop look the same, so a wait is added only where somebody asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from porter.toolchain.compilers import amdgcn, compilers
from porter.toolchain.pip_clang import Toolchain
from porter.toolchain.process import run
from porter.toolchain.store import digest, keep

__all__ = ["loses_waits", "lost_waits", "with_waits"]

# How many LDS operations were issued, at least, after the last one that may be under way: s_waitcnt lgkmcnt(n) with n
# up to that waits for it too. LDS answers in order. IN_ANY_ORDER: only lgkmcnt(0) waits for it.
_IN_ANY_ORDER = -1
_Pending = int | None  # None: nothing is under way

_LABEL = re.compile(r"([.$\w]+):")
_COUNT = re.compile(r"lgkmcnt\((\d+)\)")
_NUMBER = re.compile(r"s_waitcnt\s+(0x[0-9a-fA-F]+|\d+)\b")
# They go through LDS's queue and touch none of it.
_NO_MEMORY = ("ds_nop", "ds_swizzle", "ds_permute", "ds_bpermute")
_ENDS = ("s_endpgm", "s_setpc", "s_branch")
_MOST = 15  # what lgkmcnt can count


@dataclass(slots=True)
class _Block:
    lines: list[int] = field(default_factory=list)
    label: str = ""
    target: str = ""  # of the branch that ends it
    falls: bool = True  # into the next block
    order: int = -1  # in reverse postorder; -1: not reached


def lost_waits(text: str) -> tuple[int, ...]:
    """The numbers, from 1, of the s_barrier lines that lack a wait."""
    if "s_barrier" not in text:
        return ()
    lines = text.splitlines()
    blocks = _blocks(lines)
    after = _successors(blocks)
    _number(blocks, after)
    known = _flow(lines, blocks, after, loops=False)
    whole = _flow(lines, blocks, after, loops=True)
    return tuple(
        number + 1
        for at, block in enumerate(blocks)
        for number in _waitless(lines, block, whole.get(at)) - _waitless(lines, block, known.get(at))
    )


def with_waits(text: str) -> str:
    """The text with those waits; itself where none is lost."""
    lost = set(lost_waits(text))
    if not lost:
        return text
    wait = "\ts_waitcnt lgkmcnt(0)\n"
    return "".join(
        (wait if number in lost else "") + line for number, line in enumerate(text.splitlines(keepends=True), 1)
    )


# The smallest kernel: the fence and the barrier of __syncthreads(), and a store that the next round's have to wait for.
_KERNEL = """
extern __attribute__((address_space(3))) int s[];
__attribute__((amdgpu_kernel)) void k(__attribute__((address_space(1))) int *d, int n) {
  const int t = __builtin_amdgcn_workitem_id_x();
  for (int i = 0; i < n; i++) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    s[t] = d[t + i];
  }
}
"""


def loses_waits(target: str, toolchain: Toolchain | None = None) -> bool:
    """Whether the compiler leaves the wait out of a small kernel that needs it."""
    tools = compilers(toolchain)
    clang = tools.c[: tools.c.index("-x")]
    command = (*clang, "-x", "c", *amdgcn(target), "-nogpulib", "-O2", "-S")

    def make(out: Path) -> str:
        source = out.with_name("waits.c")
        source.write_text(_KERNEL)
        return run((*command, str(source), "-o", str(out)), source.name)

    return bool(lost_waits(keep(digest(tools.identity, _KERNEL, *command), ".s", make).read_text()))


def _instruction(line: str) -> str:
    words = line.partition(";")[0].strip()
    return "" if words.startswith((".", "#")) or words.endswith(":") else words


def _blocks(lines: list[str]) -> list[_Block]:
    blocks = [_Block(falls=False)]
    for number, line in enumerate(lines):
        label = _LABEL.match(line.lstrip())
        if label and not label[1].startswith((".Ltmp", ".Lfunc")):
            blocks.append(_Block(label=label[1]))
            continue
        words = _instruction(line)
        if not words:
            continue
        blocks[-1].lines.append(number)
        branches = words.startswith(("s_branch", "s_cbranch"))
        if branches:
            blocks[-1].target = words.split()[-1]
        if branches or words.startswith(_ENDS):
            blocks[-1].falls = not words.startswith(_ENDS)
            blocks.append(_Block())
    return blocks


def _successors(blocks: list[_Block]) -> list[list[int]]:
    places = {block.label: at for at, block in enumerate(blocks) if block.label}
    falls = [[at + 1] if block.falls and at + 1 < len(blocks) else [] for at, block in enumerate(blocks)]
    jumps = [[places[block.target]] if block.target in places else [] for block in blocks]
    return [below + jump for below, jump in zip(falls, jumps, strict=True)]


def _number(blocks: list[_Block], after: list[list[int]]) -> None:
    """Numbers the blocks in reverse postorder: an edge to a number that is not larger closes a loop."""
    done: list[int] = []
    seen: set[int] = set()
    for start in range(len(blocks)):
        if start in seen or not (blocks[start].label and not blocks[start].label.startswith(".L")):
            continue
        seen.add(start)
        stack = [(start, iter(after[start]))]
        while stack:
            at, rest = stack[-1]
            to = next((to for to in rest if to not in seen), None)
            if to is None:
                done.append(at)
                stack.pop()
            else:
                seen.add(to)
                stack.append((to, iter(after[to])))
    for order, at in enumerate(reversed(done)):
        blocks[at].order = order


def _flow(lines: list[str], blocks: list[_Block], after: list[list[int]], loops: bool) -> dict[int, _Pending]:
    """What may be under way where each block begins; without `loops` what comes along edges that close one is left out."""
    at_start: dict[int, _Pending] = {}
    todo = sorted((at for at, block in enumerate(blocks) if block.order >= 0), key=lambda at: blocks[at].order)
    while todo:
        again = set()
        for at in todo:
            pending = _through(lines, blocks[at].lines, at_start.get(at))
            if pending is None:
                continue
            for to in after[at]:
                if blocks[to].order <= blocks[at].order and not loops:
                    continue
                before = at_start.get(to)
                at_start[to] = pending if before is None else min(before, pending)
                if at_start[to] != before:
                    again.add(to)
        todo = sorted(again, key=lambda at: blocks[at].order)
    return at_start


def _through(lines: list[str], numbers: Iterable[int], pending: _Pending) -> _Pending:
    for number in numbers:
        pending = _step(_instruction(lines[number]), pending)
    return pending


def _waitless(lines: list[str], block: _Block, pending: _Pending) -> set[int]:
    """The barriers of a block at which something may be under way."""
    barriers = set()
    for number in block.lines:
        words = _instruction(lines[number])
        if words.startswith("s_barrier") and pending is not None:
            barriers.add(number)
            pending = None
        pending = _step(words, pending)
    return barriers


def _step(words: str, pending: _Pending) -> _Pending:
    if words.startswith("ds_"):
        if not words.startswith(_NO_MEMORY):
            return 0
        return pending if pending in (None, _IN_ANY_ORDER) else min(pending + 1, _MOST)
    if words.startswith("flat_"):
        return _IN_ANY_ORDER
    if words.startswith("s_waitcnt"):
        return None if _waits(words, pending) else pending
    # What is called waits for everything first, and so does clang's code before it returns.
    return None if words.startswith(("s_swappc", "s_setpc", "s_call")) else pending


def _waits(words: str, pending: _Pending) -> bool:
    count = _COUNT.search(words)
    number = _NUMBER.match(words)
    if count is None and number is None:
        return False
    most = int(count[1]) if count else int(number[1], 0) >> 8 & 15 if number else _MOST
    return pending is None or most <= max(pending, 0)
