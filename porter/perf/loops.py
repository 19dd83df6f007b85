"""Innermost loops of compiled kernels: which instructions an iteration passes, and what they are.

A block that goes on at a block which every way to it has passed ends a loop. The loop is what lies on ways from the one to
the other, wherever the compiler put it. (Of two blocks of a loop the later one may be its begin: clang turns loops
round.) A loop that multiplies matrices also counts as innermost where its inner loops do not multiply: they wait for a
barrier in memory.
"""

from __future__ import annotations

import bisect
from collections import Counter
from dataclasses import dataclass

from porter.emu.assembly import Line, Program
from porter.emu.places import place_of
from porter.perf.isa import instruction_class, kernel_range

__all__ = ["Loop", "innermost_loops", "mnemonic_of"]

_ENDS = ("s_endpgm", "s_setpc", "s_trap")


@dataclass(frozen=True, slots=True)
class Loop:
    """One innermost loop. Counts are of its text: what an iteration passes if no branch inside skips anything."""

    place: str  # file:line of the branch back
    instructions: int
    mix: Counter[str]  # by class
    mnemonics: Counter[str]
    waits: Counter[str]  # operands of its s_waitcnt


def mnemonic_of(line: Line) -> str:
    """The instruction's name without its encoding. A load whose data goes to LDS is named so."""
    name, operands = _parts(line.text)
    name = name.removesuffix("_e32").removesuffix("_e64")
    return f"{name} lds" if name.startswith("buffer_load") and operands.split()[-1:] == ["lds"] else name


def innermost_loops(program: Program, symbol: str) -> list[Loop]:
    """The innermost loops of a kernel, in the order of the assembly. Loops with one label are one loop."""
    flow = _Flow(program, kernel_range(program, symbol))
    bodies: dict[int, set[int]] = {}
    latches: dict[int, int] = {}
    for latch, head in flow.ways_back():
        bodies[head] = bodies.get(head, set()) | flow.between(head, latch)
        latches[head] = latch
    loops = {head: _loop(program, flow.lines(body), flow.last(latches[head])) for head, body in sorted(bodies.items())}

    def innermost(head: int) -> bool:
        within = [loops[other] for other in bodies if other != head and other in bodies[head]]
        return not within or (loops[head].mix["mfma"] > 0 and not any(loop.mix["mfma"] for loop in within))

    return [loop for head, loop in loops.items() if innermost(head)]


def _loop(program: Program, lines: list[Line], latch: Line) -> Loop:
    names = Counter(map(mnemonic_of, lines))
    waits = Counter(_parts(line.text)[1] for line in lines if line.text.startswith("s_waitcnt"))
    mix: Counter[str] = Counter()
    for name, count in names.items():
        mix[instruction_class(name)] += count
    place = place_of(program.files[latch.file], latch.line, program.callers[latch.callers])
    where = f"{place.file.rpartition('/')[2]}:{place.line}" if place.line else ""
    return Loop(where, len(lines), mix, names, waits)


class _Flow:
    """Blocks of a function, by the index of their first instruction, and the ways between them."""

    def __init__(self, program: Program, own: range) -> None:
        self._program = program
        starts = {own.start, *(index for index in program.labels.values() if index in own)}
        starts |= {index + 1 for index in own if _branches(program.lines[index].text)} & set(own)
        self._starts, self._stop = sorted(starts), own.stop
        self._before: dict[int, list[int]] = {start: [] for start in self._starts}
        self._later = {start: self._after(start) for start in self._starts}
        for start, after in self._later.items():
            for block in after:
                self._before[block].append(start)

    def ways_back(self) -> list[tuple[int, int]]:
        """Blocks that may go on at a block which every way to them has passed, with that block."""
        above = self._dominators()
        edges = []
        for start in above:
            for head in self._later[start]:
                block = start
                while block not in (head, self._starts[0]):
                    block = above[block]
                if block == head:
                    edges.append((start, head))
        return sorted(edges)

    def _dominators(self) -> dict[int, int]:
        """For each block that can be reached, the last one that every way to it passes (Cooper, Harvey and Kennedy)."""
        order = self._order()
        place = {block: number for number, block in enumerate(order)}
        above = {order[0]: order[0]}
        changed = True
        while changed:
            changed = False
            for block in order[1:]:
                known = [one for one in self._before[block] if one in above]
                last = known[0]
                for other in known[1:]:
                    while other != last:
                        if place[other] > place[last]:
                            other = above[other]
                        else:
                            last = above[last]
                changed |= above.get(block) != last
                above[block] = last
        return above

    def _order(self) -> list[int]:
        """The reachable blocks, each before the blocks that only it leads to."""
        done: list[int] = []
        seen = {self._starts[0]}
        waiting = [(self._starts[0], iter(self._later[self._starts[0]]))]
        while waiting:
            block, after = waiting[-1]
            new = next((one for one in after if one not in seen), None)
            if new is None:
                done.append(block)
                waiting.pop()
            else:
                seen.add(new)
                waiting.append((new, iter(self._later[new])))
        return done[::-1]

    def between(self, head: int, latch: int) -> set[int]:
        """The blocks on ways from the head to the latch."""
        blocks, waiting = {head, latch}, [latch] if latch != head else []
        while waiting:
            new = [one for one in self._before[waiting.pop()] if one not in blocks]
            blocks.update(new)
            waiting += new
        return blocks

    def lines(self, blocks: set[int]) -> list[Line]:
        return [self._program.lines[index] for block in sorted(blocks) for index in range(block, self._end(block))]

    def last(self, block: int) -> Line:
        return self._program.lines[self._end(block) - 1]

    def _end(self, start: int) -> int:
        at = bisect.bisect_right(self._starts, start)
        return self._starts[at] if at < len(self._starts) else self._stop

    def _after(self, start: int) -> list[int]:
        end = self._end(start)
        text = self.last(start).text
        name, operand = _parts(text)
        after = []
        if _branches(text):
            target = self._program.labels.get(operand, -1)
            after += [target] if target in self._before else []
        if end in self._before and not name.startswith((*_ENDS, "s_branch")):
            after.append(end)
        return after


def _branches(text: str) -> bool:
    return text.startswith(("s_branch", "s_cbranch", *_ENDS))


def _parts(text: str) -> tuple[str, str]:
    """The name and the operands."""
    name, *operands = text.split(None, 1)
    return name, operands[0] if operands else ""
