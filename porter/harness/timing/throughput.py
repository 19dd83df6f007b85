"""From work and milliseconds to TFLOP/s and GB/s, and what a GPU could do at most.

A millisecond is 1e-3 s, a TFLOP 1e12 and a GB 1e9: work / (ms x 1e9) is TFLOP/s, bytes / (ms x 1e6) is GB/s.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from porter.chip import CHIPS, Board, Chip

__all__ = ["Peak", "Share", "gigabytes_per_second", "last_level_cache", "milliseconds", "peak_of", "share", "teraflops"]

MIB = 1 << 20


def teraflops(flops: float, ms: float) -> float:
    """4096^3 multiply-adds, 2 x 4096^3 operations, in 0.2 ms are 687.19 TFLOP/s."""
    return flops / (ms * 1e9) if ms > 0 else 0.0


def gigabytes_per_second(size: float, ms: float) -> float:
    """2 GB in 0.5 ms are 4,000 GB/s."""
    return size / (ms * 1e6) if ms > 0 else 0.0


def milliseconds(ms: float) -> str:
    """With the unit that reads best: 12.3 us, 0.456 ms, 1.23 s."""
    if ms < 0.1:
        return f"{ms * 1e3:.2f} us" if ms < 0.01 else f"{ms * 1e3:.1f} us"
    if ms < 1000:
        return f"{ms:.3f} ms" if ms < 10 else f"{ms:.1f} ms"
    return f"{ms / 1e3:.2f} s"


@dataclass(frozen=True, slots=True)
class Peak:
    """What a data sheet promises: dense, no sparsity, no boost beyond it."""

    name: str  # part of the device's name as torch gives it
    gbs: float  # of its memory
    tflops: Mapping[str, float]  # by torch's name of the element type
    cache: int  # bytes of the last level of cache
    source: str


def _types(half: float, fp8: float, single: float, double: float) -> dict[str, float]:
    eights = dict.fromkeys(("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"), fp8)
    return {"bfloat16": half, "float16": half, **eights, "float32": single, "float64": double}


def _types_of(chip: Chip, board: Board) -> dict[str, float]:
    return _types(*(chip.tflops(kind, board) for kind in ("f16", "fp8", "f32", "f64")))


# float32 is that of the vector units, where torch multiplies unless TF32 is asked for; float64 that of the matrix
# units. NVIDIA prints tensor figures with sparsity; these are half of them. The first row that fits a name counts.
_HOPPER_SXM = _types(989.4, 1978.9, 66.9, 66.9)
_HOPPER_NVL = _types(835.5, 1671.0, 60.0, 60.0)
_PEAKS = (
    *(
        Peak(
            board.name,
            board.memory_gbs,
            _types_of(chip, board),
            chip.cache_bytes,
            f"AMD Instinct {board.name} data sheet",
        )
        for chip in CHIPS.values()
        for board in chip.boards
    ),
    Peak("H200 NVL", 4800, _HOPPER_NVL, 60 * MIB, "NVIDIA H200 data sheet (NVL)"),
    Peak("H200", 4800, _HOPPER_SXM, 60 * MIB, "NVIDIA H200 data sheet (SXM)"),
    Peak("H100 NVL", 3900, _HOPPER_NVL, 60 * MIB, "NVIDIA H100 data sheet (NVL)"),
    Peak("H100 PCIe", 2000, _types(756.0, 1513.0, 51.0, 51.0), 50 * MIB, "NVIDIA H100 data sheet (PCIe)"),
    Peak("H100", 3350, _HOPPER_SXM, 50 * MIB, "NVIDIA H100 data sheet (SXM)"),
)


def peak_of(device: str) -> Peak | None:
    """The data sheet's row for a device's name, or None."""
    return next((peak for peak in _PEAKS if peak.name.lower() in device.lower()), None)


def last_level_cache(device: str, reported: int) -> int:
    """Bytes that a cold run must exceed. `told` is the L2 that torch knows of: AMD's last level is behind it."""
    peak = peak_of(device)
    return max(reported, peak.cache if peak else 0) or 256 * MIB


@dataclass(frozen=True, slots=True)
class Share:
    """How much of a limit was reached, for the limit that is nearest."""

    of: str  # "bfloat16" or "memory"
    part: float  # 1.0 is all of it


def share(flops: float, size: float, ms: float, dtype: str, tflops: Mapping[str, float], gbs: float) -> Share | None:
    """The nearer of the two limits: arithmetic in `dtype`, where it has a limit, and memory."""
    parts = []
    if flops and tflops.get(dtype):
        parts.append(Share(dtype, teraflops(flops, ms) / tflops[dtype]))
    if size and gbs:
        parts.append(Share("memory", gigabytes_per_second(size, ms) / gbs))
    return max(parts, key=lambda one: one.part, default=None)
