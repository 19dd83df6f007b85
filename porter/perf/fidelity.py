"""How close to the chip a run in the emulator was: which of the executed instructions give the chip's bits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from porter.emu.table import instructions

__all__ = ["Fidelity", "fidelity"]


@dataclass(frozen=True, slots=True)
class Fidelity:
    """`near`: executions of instructions that are only close to the chip, by the table's words for it and by mnemonic."""

    executed: int
    near: Mapping[str, Mapping[str, int]]

    def sentence(self) -> str:
        """One line for the terminal."""
        total = sum(sum(of.values()) for of in self.near.values())
        exact = (
            f"fidelity: {self.executed - total:,} of {self.executed:,} instructions are exact to the bit by their tests"
        )
        if not total:
            return exact
        parts = (f"{sum(of.values()):,} {words} ({', '.join(sorted(of))})" for words, of in self.near.items())
        return f"{exact}; close to the chip: {'; '.join(parts)}"

    def as_json(self) -> dict[str, object]:
        return {
            "executed": self.executed,
            "near": [{"what": words, "executed": dict(of)} for words, of in self.near.items()],
        }


def fidelity(launches: Iterable[Mapping[str, Any]]) -> Fidelity:
    """Of launches that were counted. A mnemonic that the assembler has suffixes for (_e32, _sdwa) is the table's without."""
    table = instructions()
    executed, near = 0, dict[str, Counter[str]]()
    for launch in launches:
        for text, _, _, count, *_ in launch.get("counts", ()):
            executed += count
            name = _plain(text.split(None, 1)[0])
            if name in table and table[name].near:
                near.setdefault(table[name].near, Counter())[name] += count
    return Fidelity(executed, near)


def _plain(mnemonic: str) -> str:
    for suffix in ("_e64_dpp", "_e32", "_e64", "_dpp", "_sdwa"):
        if mnemonic.endswith(suffix):
            return mnemonic.removesuffix(suffix)
    return mnemonic
