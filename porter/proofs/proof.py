"""Do a kernel on 32-lane warps and its widened version on 64-lane waves do the same to memory?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from porter.frontend.scopes import Function
from porter.proofs.machine import Again, Facts, Machine
from porter.proofs.program import Program, Refused
from porter.proofs.state import Unknown

__all__ = ["Shown", "show_same"]

_TRIES = 12


@dataclass(frozen=True, slots=True)
class Shown:
    exchanged: Mapping[int, frozenset[str]]  # shuffles of the original by token: the types that they move


def show_same(
    before: Program,
    old: Function,
    after: Program,
    new: Function,
    threads: int,
    integers: Mapping[str, int],
    types: Mapping[str, str],
) -> Shown:
    """Execute both versions on symbols. Raises Refused, with a token of the original, where they differ."""
    facts = Facts()
    for _ in range(_TRIES):
        started = False
        try:
            narrow = _execute(before, old, 32, threads, integers, types, facts)
            started = True
            wide = _execute(after, new, 64, threads, integers, types, facts)
        except Refused as refusal:
            refusal.after = started
            raise
        except Again:
            continue
        if not _compare(narrow, wide, facts):
            _reach(old, narrow, wide)
            return Shown({k: frozenset(v) for k, v in narrow.exchanged.items()})
    raise Refused(old.name_index, "what its loops change could not be settled")


def _execute(
    program: Program,
    function: Function,
    wave: int,
    threads: int,
    integers: Mapping[str, int],
    types: Mapping[str, str],
    facts: Facts,
) -> Machine:
    machine = Machine(program, wave, threads, facts)
    try:
        machine.kernel(program.routine(function), integers, types)
    except Unknown as problem:
        raise Refused(problem.index, problem.why) from None
    return machine


def _reach(old: Function, narrow: Machine, wide: Machine) -> None:
    """Arrays whose length only the launch knows must not be used further than before."""
    before = {region.name: region.top for region in narrow.shared.values()}
    for region in wide.shared.values():
        if region.size is None and region.top > before.get(region.name, -1):
            raise Refused(old.name_index, f"it would use more of {region.name.rpartition('.')[2]} than before")


def _compare(narrow: Machine, wide: Machine, facts: Facts) -> bool:
    """False if everything is the same; True if a wrong assumption about a loop was found; raises otherwise."""
    corrected = False
    for (index, was), (_, became) in zip(narrow.effects, wide.effects):
        if was == became:
            continue
        kind = was[0]
        if kind in ("before", "after") and became[:3] == was[:3]:
            facts.kinds[(was[1], was[2])] = "junk"
            corrected = True
        elif corrected:
            return True  # may follow from the assumption
        elif kind in ("before", "after"):
            raise Refused(index, "the loop changes other variables than before")
        else:
            raise Refused(index, _WORDS.get(kind, "what this does would differ"))
    if not corrected and len(narrow.effects) != len(wide.effects):
        longer = max(narrow.effects, wide.effects, key=len)
        index = longer[min(len(narrow.effects), len(wide.effects))][0]
        if longer is wide.effects:
            index = narrow.effects[-1][0] if narrow.effects else 0
        raise Refused(index, "it would write to memory more or less often")
    return corrected


_WORDS = {
    "store": "what is stored here would differ",
    "atomic": "what is added here would differ",
    "loop": "this loop would see or write other values",
    "call": "this call would see other values",
}
