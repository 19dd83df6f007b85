"""How kernels are timed, as a command was asked to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from porter.harness.timing.measure import SECONDS, Limits

__all__ = ["MODES", "BenchOptions"]

MODES = ("warm", "cold", "graph")
_GRAPH = Limits(warmups=500, iterations=2000)


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """How to time."""

    modes: tuple[str, ...] = ()  # none named: warm and cold, and graph for small kernels
    seconds: float = SECONDS  # of measured time for each contender and mode
    warmups: int = 0  # instead of until stable
    iterations: int = 0  # instead of `seconds`
    compile: bool = True  # torch.compile beside torch eager
    ceilings: Path | None = None  # where the session keeps what the device was measured to reach

    def limits(self, mode: str) -> Limits:
        usual = _GRAPH if mode == "graph" else Limits(seconds=self.seconds)
        given = {name: number for name in ("warmups", "iterations") if (number := getattr(self, name))}
        return replace(usual, **given)
