"""Timing on a GPU: the port or the original, and torch beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from porter.harness.case import Case
from porter.harness.devices import Call, Gpu, Placed
from porter.harness.model import Verdict

__all__ = ["BenchOptions", "timed"]


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """How to time."""

    modes: tuple[str, ...] = ("warm",)


def timed(
    verdict: Verdict,
    case: Case,
    job: Any,
    run: Any,
    inputs: Mapping[str, Any],
    placed: Mapping[str, Placed],
    bind: Callable[..., Call],
    device: Gpu,
) -> Verdict:
    """The verdict with its timings."""
    return verdict
