"""What is said about one run of one case; frozen, and plain enough to cross a process boundary and become JSON."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["Mismatch", "OutputResult", "Status", "Timing", "Verdict", "gpus_of", "shape_text"]


class Status(enum.Enum):
    PASS = "PASS"
    FAIL = "FAIL"
    NOT_RUN = "NOT RUN"  # never counted as passed; the reason says what is missing


@dataclass(frozen=True, slots=True)
class Mismatch:
    index: tuple[int, ...]
    got: float
    want: float


@dataclass(frozen=True, slots=True)
class OutputResult:
    """One output against its reference. Errors are relative to the reference's norm and to what is allowed."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    norm_error: float  # |got - want| / |want|, over all elements with finite values
    norm_limit: float
    element_error: float  # the largest error of one element as a multiple of what is allowed there
    wrong: int = 0
    unwritten: int = 0  # elements that still hold the poison they were filled with
    first: tuple[Mismatch, ...] = ()
    first_unwritten: tuple[tuple[int, ...], ...] = ()

    @property
    def right(self) -> bool:
        return not self.wrong and not self.unwritten and self.norm_error <= self.norm_limit


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds an iteration, measured on a GPU with its events."""

    name: str  # "port", "original", "torch eager", "torch.compile"
    median_ms: float
    low_ms: float  # the 10th percentile
    high_ms: float  # the 90th
    iterations: int
    mode: str  # "warm", "cold", "graph"
    note: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    case: str  # path of the case's file, and its name where a file holds several sources
    title: str
    side: str  # "port", "original", or the name of a variant
    backend: str  # "emulator", or the name of the GPU
    shape: Mapping[str, Any]
    values: str
    seed: int
    status: Status
    reason: str = ""
    outputs: tuple[OutputResult, ...] = ()
    unchecked: tuple[str, ...] = ()  # results that the reference leaves out
    findings: tuple[Mapping[str, Any], ...] = ()  # of the emulator's checks
    seconds: float = 0.0  # wall time of the call; in the emulator it says nothing about a GPU
    counts: Mapping[str, Any] = field(default_factory=dict)  # counted in the emulator
    timings: tuple[Timing, ...] = ()  # measured on a GPU
    flops: float = 0.0
    bytes: float = 0.0
    bench: Mapping[str, Any] = field(default_factory=dict)  # device, element type, ceiling and notes of the timings
    predicted: Mapping[str, Any] = field(default_factory=dict)  # by the model of time; such a verdict proves nothing
    source: str = ""  # what was built: the port or the original
    file: str = ""  # the case's file

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "status": self.status.value}

    @property
    def name(self) -> str:
        """As pytest would name it: case[m=128,n=64,large]."""
        words = [shape_text(self.shape), *([self.values] if self.values != "normal" else [])]
        side = "" if self.side == "port" else f"-{self.side}"
        return f"{self.case}{side}[{','.join(word for word in words if word)}]"


def gpus_of(shape: Mapping[str, Any]) -> int:
    """How many GPUs a run of this shape goes over."""
    count = shape.get("gpus", 1)
    return count if isinstance(count, int) and count > 0 else 1


def shape_text(shape: Mapping[str, Any]) -> str:
    """The shape as it is shown: m=128,n=64."""
    return ",".join(f"{name}={value}" for name, value in shape.items())
