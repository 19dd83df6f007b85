"""What a session gives its workers to do. Nothing here needs torch, which only they import."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter.harness.cases.entry import Entry
from porter.harness.timing.bench_options import BenchOptions
from porter.harness.verdict import Status, Verdict
from porter.perf.model.boards import Inputs

__all__ = ["Job", "Run", "run_seed"]


@dataclass(frozen=True, slots=True)
class Run:
    shape: Mapping[str, Any]
    values: str
    seed: int
    golden: str = ""  # the run's name in the golden file, which then gives inputs and outputs
    bench: bool = False  # timed, on a GPU
    kept: bool = True  # part of a recording; shapes that are only timed are too large for it


@dataclass(frozen=True, slots=True)
class Job:
    """One built library and everything that is run with it."""

    case: Path
    named: Path | None
    name: str
    title: str
    side: str
    backend: str  # "emulator", "amd", "nvidia"
    library: Path
    entry: Entry
    source: str
    runs: tuple[Run, ...]
    host_library: Path | None = None
    torch_device: Path | None = None  # porter.harness.building.torch_device, for an entry of tensors
    settings: tuple[tuple[str, str], ...] = ()  # environment variables for the emulator
    launches: Path | None = None  # where the emulator reports to
    golden: Path | None = None
    record: Path | None = None  # where inputs and outputs are to be stored
    bench: BenchOptions | None = None
    board: str = ""  # times are predicted for it, and nothing is proven
    inputs: Inputs = Inputs.MEMORY  # of predictions
    recordings: Path | None = None  # where the emulator writes what waves do, for predictions
    kept: bool = False  # the recordings are
    compiled: tuple[dict[str, Any], ...] = ()  # porter.execute.Compiled: what runs, and which compilers made it

    def verdict(self, run: Run, status: Status, reason: str = "", **more: Any) -> Verdict:
        return Verdict(
            self.name, self.title, self.side, more.pop("device", self.backend), dict(run.shape), run.values, run.seed,
            status, reason, source=self.source, file=str(self.case), **more,
        )  # fmt: skip


def run_seed(seed: int, case: str, shape: Mapping[str, Any], values: str) -> int:
    """A seed for one run: the same for the same run of the same case, whatever else is run."""
    text = repr((seed, case, sorted(shape.items()), values))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "little") & 0x7FFFFFFF
