"""How close to the chip a run in the emulator was: the executed instructions with the chip's bits, and whether other
results may decide a branch or an address."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from porter.emu.assembly import parse
from porter.emu.table import instructions
from porter.perf.near_reach import Reach, reaches
from porter.toolchain.demangle import brief_name, demangle

__all__ = ["Fidelity", "fidelity"]


@dataclass(frozen=True, slots=True)
class Fidelity:
    """`near`: executions of instructions that are only close to the chip, by the table's words for it and by mnemonic."""

    executed: int
    near: Mapping[str, Mapping[str, int]]
    reach: Mapping[str, Reach] | None = None  # by kernel; None: not looked at

    def sentence(self) -> str:
        """One line for the terminal."""
        total = sum(sum(of.values()) for of in self.near.values())
        exact = (
            f"fidelity: {self.executed - total:,} of {self.executed:,} instructions are exact to the bit by their tests"
        )
        if not total:
            return exact
        parts = (f"{sum(of.values()):,} {words} ({', '.join(sorted(of))})" for words, of in self.near.items())
        return f"{exact}; close to the chip: {'; '.join(parts)}{self._reached()}"

    def _reached(self) -> str:
        """By the code of the kernels, not by what was executed: so it says "may"."""
        if self.reach is None:
            return ""
        known = [reach for reach in self.reach.values() if not reach.unknown]
        words = [
            f"{what}{' by way of global memory' if all(reach.by_memory for reach in of) else ''} ({_some(places)})"
            for what, of, places in (
                ("a branch", [r for r in known if r.branches], [place for r in known for place in r.branches]),
                ("an address", [r for r in known if r.addresses], [place for r in known for place in r.addresses]),
            )
            if of
        ]
        parts = (
            [
                f"such values may decide {' and '.join(words)}"
                if words
                else "such values decide no branch and no address"
            ]
            if known
            else []
        )
        parts += [
            f"whether they do is not known of {brief_name(name)}: {reach.unknown}"
            for name, reach in self.reach.items()
            if reach.unknown
        ]
        return "".join(f"; {part}" for part in parts)

    def as_json(self) -> dict[str, object]:
        return {
            "executed": self.executed,
            "near": [{"what": words, "executed": dict(of)} for words, of in self.near.items()],
            **({} if self.reach is None else {"reach": {name: asdict(reach) for name, reach in self.reach.items()}}),
        }


def _some(places: Iterable[str]) -> str:
    """The first few, as the last part of a path and the line."""
    short = list(
        dict.fromkeys(
            place.rpartition("/")[2] if "(in " not in place else re.sub(r"\S*/", "", place) for place in places
        )
    )
    return ", ".join(short[:3]) + (f" and {len(short) - 3} more" if len(short) > 3 else "")


def fidelity(launches: Sequence[Mapping[str, Any]], assembly: Sequence[Path] | None = None) -> Fidelity:
    """Of launches that were counted; `assembly`: the device code of the program's sources. A mnemonic that the assembler has suffixes for (_e32, _sdwa) is the table's without."""
    table = instructions()
    executed, near = 0, dict[str, Counter[str]]()
    for launch in launches:
        for text, _, _, count, *_ in launch.get("counts", ()):
            executed += count
            name = _plain(text.split(None, 1)[0])
            if name in table and table[name].near:
                near.setdefault(table[name].near, Counter())[name] += count
    return Fidelity(executed, near, None if assembly is None or not near else _reach(launches, assembly))


def _reach(launches: Iterable[Mapping[str, Any]], assembly: Iterable[Path]) -> dict[str, Reach]:
    launched = dict.fromkeys(launch["kernel"] for launch in launches if launch.get("counts"))
    programs = [parse(path.read_text()) for path in assembly]
    reached = {
        demangle(name): reach
        for name, reach in reaches(
            (program, [name for name in program.kernels if demangle(name) in launched]) for program in programs
        ).items()
    }
    return {name: reached.get(name, Reach(unknown="its code is not of these sources")) for name in launched}


def _plain(mnemonic: str) -> str:
    for suffix in ("_e64_dpp", "_e32", "_e64", "_dpp", "_sdwa"):
        if mnemonic.endswith(suffix):
            return mnemonic.removesuffix(suffix)
    return mnemonic
