"""Whether a value that is only close to the chip's may decide a branch or an address, from a kernel's instructions.

    reaches(code)  -> by kernel of some programs: the lines of such branches and addresses

Nothing is executed: what follows holds for any run of the kernel, and says "may". A register holds a close value where
one way through the code leads there from an instruction below `@near` in the tables (emu/table.py). LDS, private and
global memory hold one each, anywhere, once one is stored; global memory also for the other kernels. A lane that is
switched off keeps its registers and goes on where the mask of lanes is made of what was saved before.

Two kinds of close values do no harm, whatever their last bits are, since the code around them corrects them. These are
quotients of v_div_fixup, rounded by IEEE 754, and v_rcp_iflag, which begins a division of integers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from porter.chip import EMULATED
from porter.emu.assembly import Program
from porter.emu.decode import decode
from porter.emu.encoding import Pool
from porter.emu.places import place_of
from porter.emu.registers import Role, record

__all__ = ["Reach", "reaches"]

_SCALARS = 2 * EMULATED.vgprs  # the bit of s0 in a set of registers, behind VGPRs and AGPRs
_EXEC = 0b11 << (_SCALARS + 126)
_SCC = 1 << (_SCALARS + 125)
_VCC = 0b11 << (_SCALARS + 106)
LDS, PRIVATE, GLOBAL = (1 << (_SCALARS + 128 + n) for n in range(3))
_CHANGED = 256  # a scalar's bit that far on: it is no longer what the launch gave, as the address of the arguments is
_SOME_SCALAR = ((1 << 128) - 1 << _SCALARS) & ~_EXEC & ~_SCC
_ALL_SCALARS = ((1 << 106) - 1) << _SCALARS
_NARROWS = ("s_and_saveexec", "s_andn2_saveexec", "s_and_b64", "s_andn2_b64", "v_cmpx")
_COPIES = ("s_mov_b32", "s_mov_b64", "s_add_u32", "s_addc_u32")
_CONDITIONS = {"scc": _SCC, "vcc": _VCC, "exe": _EXEC}
_BETWEEN_LANES = ("ds_bpermute", "ds_permute", "ds_swizzle")


@dataclass(frozen=True, slots=True)
class Reach:
    """Places as FILE:LINE, in the order of the code. `unknown`: why nothing can be said; empty where it can."""

    branches: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    by_memory: bool = False  # by way of what a kernel left in global memory
    unknown: str = ""


class _Step(NamedTuple):
    """What an instruction does with sets of registers and memories, as bits."""

    next: tuple[int, ...]
    reads: int = 0
    address: int = 0  # of what it reads, what an address is made of
    writes: int = 0
    keeps: bool = False  # some of what it writes to stays
    near: bool = False
    harmless: int = 0  # of what it reads, what does not matter
    loads: int = 0
    stores: int = 0
    condition: int = 0
    copies: bool = False  # what it reads, to a place of the same kind
    narrows: bool = False  # the mask of lanes, if it writes that, and never widens it
    widens: bool = False  # and never narrows it
    spilled: bool = False  # scalars that come out of lanes of a vector register


def reaches(code: Iterable[tuple[Program, Iterable[str]]]) -> dict[str, Reach]:
    """Of the kernels of one program, by their names in the assembly."""
    by_kernel, left = {}, False
    kernels = [(name, program, _steps(program, name)) for program, names in code for name in names]
    for name, program, steps in kernels:
        by_kernel[name], ends = _follow(program, steps, 0)
        left |= bool(ends & GLOBAL)
    if left:
        for name, program, steps in kernels:
            if not (by_kernel[name].branches or by_kernel[name].addresses or by_kernel[name].unknown):
                again, _ = _follow(program, steps, GLOBAL, others=True)
                if again.branches or again.addresses:
                    by_kernel[name] = Reach(again.branches, again.addresses, by_memory=True)
    return by_kernel


def _steps(program: Program, name: str) -> dict[int, _Step] | str:
    """By index, what can be reached from the kernel's first instruction; text: why that is not known."""
    if name not in program.labels:
        return "its code is not here"
    pool, steps, todo = Pool(), dict[int, _Step](), [program.labels[name]]
    while todo:
        index = todo.pop()
        if index in steps or index >= len(program.lines):
            continue
        step = _step(program, index, pool)
        if isinstance(step, str):
            return step
        steps[index] = step
        todo += step.next
    return steps


def _step(program: Program, index: int, pool: Pool) -> _Step | str:
    decoded = decode(program.lines[index].text, pool)
    row, name = decoded.row, decoded.row.name
    if name.startswith(("s_swappc", "s_setpc", "s_call", "s_cbranch_g", "s_cbranch_i", "s_cbranch_join")):
        return "it calls functions"
    if name.startswith(("s_set_gpr_idx", "v_movrel")):
        return "it takes registers by a number"
    target = (program.labels[decoded.label],) if decoded.label else ()
    after = () if name in ("s_endpgm", "s_branch") else (index + 1,)
    if name.startswith("s_cbranch"):
        return _Step((*after, *target), condition=_CONDITIONS[name[10:13]])
    numbers = struct.unpack("<5H5B4B4B2B2BBHH", record(decoded))
    v_at, v_count, s_at, s_count, d_at, d_count = (
        numbers[:5],
        numbers[5:10],
        numbers[10:14],
        numbers[14:18],
        numbers[18:20],
        numbers[20:22],
    )
    what = Role(numbers[23])
    sources = [_bits(v_at[j], v_count[j]) | _bits(_SCALARS + s_at[j], s_count[j]) for j in range(4)]
    reads = sources[0] | sources[1] | sources[2] | sources[3]
    writes = _bits(v_at[4], v_count[4]) | _bits(_SCALARS + d_at[0], d_count[0]) | _bits(_SCALARS + d_at[1], d_count[1])
    if "saveexec" in name or "wrexec" in name or "exec" in row.outs:
        writes |= _EXEC
    in_memory = bool(what & (Role.VMEM | Role.SMEM | Role.LDS)) and not name.startswith(_BETWEEN_LANES)
    address = 0
    if in_memory:
        for j, kind in enumerate(row.ins[:4]):
            if (
                kind in ("vaddr", "saddr", "rsrc", "soffset")
                or (what & Role.LDS and j == 0)
                or (kind == "u32" and "rsrc" in row.ins)
            ):
                address |= sources[j]
    memory = LDS if what & Role.LDS else PRIVATE if what & Role.PRIVATE else GLOBAL
    if what & Role.FLAT:
        memory = LDS | PRIVATE | GLOBAL
    text = program.lines[index].text
    keeps = any(kind.endswith("+") for kind in row.outs) or any(
        part in text for part in ("_sdwa", "_dpp", " row_", "writelane", "_d16")
    )
    return _Step(
        (*after, *target),
        reads,
        address,
        writes,
        keeps,
        bool(row.near) and not name.startswith("v_rcp_iflag"),
        sources[0] if name.startswith("v_div_fixup") else 0,
        memory if in_memory and what & (Role.LOAD | Role.ATOMIC) else 0,
        memory if in_memory and what & (Role.STORE | Role.ATOMIC) else 0,
        copies=name in _COPIES,
        narrows=name.startswith(_NARROWS),
        widens=name in ("s_or_b64", "s_or_saveexec_b64"),
        spilled=name.startswith("v_readlane"),
    )


def _bits(first: int, count: int) -> int:
    return ((1 << count) - 1) << first if count else 0


def _follow(program: Program, steps: dict[int, _Step] | str, at_first: int, others: bool = False) -> tuple[Reach, int]:
    """Goes round until nothing changes; also what memory may hold at the end. `others`: loads take from global memory what
    kernels have stored there."""
    if isinstance(steps, str):
        return Reach(unknown=steps), 0
    before = dict.fromkeys(steps, 0)
    memory = at_first
    lands = _lands(steps)
    todo = set(steps)
    while todo:
        index = todo.pop()
        step = steps[index]
        after, stored = _through(step, before[index], memory if others else memory & ~GLOBAL)
        if stored & ~memory:
            memory |= stored
            todo |= set(steps)
        for target in (*step.next, *lands.get(index, ())):
            if target in steps and after & ~before[target]:
                before[target] |= after
                todo.add(target)
    branches, addresses = [], []
    for index in sorted(steps):
        step, held = steps[index], before[index]
        after, _ = _through(step, held, memory if others else memory & ~GLOBAL)
        if step.condition & held or step.writes & _EXEC & after:
            branches.append(_place(program, steps, index))
        if step.address & held:
            addresses.append(_place(program, steps, index))
    return Reach(tuple(dict.fromkeys(branches)), tuple(dict.fromkeys(addresses))), memory


def _lands(steps: Mapping[int, _Step]) -> dict[int, list[int]]:
    """By instruction that switches lanes off: the instructions that may switch them on again. From each of these back
    to where the
    masks that it is made of were saved: what lies between has switched lanes off that are in them."""
    before: dict[int, list[int]] = {}
    for index, step in steps.items():
        for target in step.next:
            before.setdefault(target, []).append(index)
    switched_on: dict[int, list[int]] = {}
    for index, step in steps.items():
        if step.writes & _EXEC and not step.narrows:
            for off in _saved(steps, before, index, step.reads & _SOME_SCALAR or _SOME_SCALAR):
                switched_on.setdefault(off, []).append(index)
    return switched_on


def _saved(steps: Mapping[int, _Step], before: Mapping[int, list[int]], index: int, masks: int) -> list[int]:
    looked: dict[int, int] = {}
    todo = [(at, masks) for at in before.get(index, ())]
    while todo:
        at, masks = todo.pop()
        masks |= looked.get(at, 0)
        if looked.get(at) == masks:
            continue
        looked[at] = masks
        step = steps[at]
        if step.writes & masks:
            masks &= ~step.writes
            if step.spilled:
                masks |= _SOME_SCALAR
            elif not step.writes & _EXEC:
                masks |= step.reads & _SOME_SCALAR
        if masks:
            todo += [(one, masks) for one in before.get(at, ())]
    return [at for at in looked if steps[at].writes & _EXEC and not steps[at].widens]


def _through(step: _Step, held: int, memory: int) -> tuple[int, int]:
    """The registers that hold close values behind an instruction, and the memories that it stores one to."""
    arguments = step.address & _ALL_SCALARS and not step.address & held >> _CHANGED
    close = step.near or bool(step.reads & ~step.harmless & held) or bool(step.loads & memory and not arguments)
    after = held | step.writes if close else held if step.keeps else held & ~step.writes
    if not step.copies or step.reads & _ALL_SCALARS & held >> _CHANGED:
        after |= (step.writes & _ALL_SCALARS) << _CHANGED
    return after, step.stores if step.stores and step.reads & ~step.address & held else 0


def _place(program: Program, steps: Mapping[int, _Step], index: int) -> str:
    """Of an instruction that the compiler gives no line the line of the one before it."""
    for at in range(index, -1, -1):
        line = program.lines[at]
        if at not in steps:
            break
        if place := str(place_of(program.files[line.file], line.line, program.callers[line.callers])):
            return place
    return f"assembly line {program.lines[index].number}"
