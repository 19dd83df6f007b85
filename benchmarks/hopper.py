"""What the ports of Hopper's matrix kernels execute: counted in porter's emulator, not timed.

    python benchmarks/hopper.py [KERNEL ...] [--ports FOLDER] [--include FOLDER] [--json FILE]

Each kernel of reference_kernels runs one block of its grid at two depths; the difference is its main loop alone, without
what comes before and after. A unit's cycles are a compute unit's: MFMA and vector instructions are shared by its four
SIMDs (a vector instruction takes 4 cycles, a quarter-rate one 16), LDS moves 128 bytes a cycle, the cache 64, one scalar
instruction starts a cycle. Instructions of different kinds overlap, so the busiest unit is the least that the loop can take,
and MFMA's share of it the most that the matrix cores can be used; latencies are not in it.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter.chip import DEFAULT_CHIP as CHIP
from porter.emu.device import InstructionCount
from porter.execute import RunOptions, run_program
from porter.perf.counters import Totals, total
from porter.perf.isa import compiled_kernels
from porter.perf.launch_report import sum_launches
from porter.toolchain import Options, device_assembly

__all__ = ["main"]

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Kernel:
    """One entry, called with A, B, C, m, n, k; `m` and `n` are one block's."""

    name: str
    call: str
    m: int
    n: int
    depths: tuple[int, int]
    size: int = 2  # bytes of an element of A and B


KERNELS = (
    Kernel("hopper_gemm_basic", "hopper_gemm_basic((const __hip_bfloat16*)a, (const __hip_bfloat16*)b, "
           "(__hip_bfloat16*)c, m, n, k, 0)", 64, 128, (1024, 2048)),
    Kernel("hopper_gemm_fp8", "hopper_gemm_fp8((const __hip_fp8_e4m3*)a, (const __hip_fp8_e4m3*)b, (const float*)s, "
           "(const float*)s, (__hip_bfloat16*)c, m, n, k, 0)", 128, 128, (2048, 4096), 1),
    Kernel("ampere_gemm_mma_sync", "ampere_gemm_f16((const __half*)a, (const __half*)b, (__half*)c, m, n, k, 0)",
           128, 128, (512, 1024)),
)  # fmt: skip

MAIN = r"""
#include "PORT"
#include <cstdlib>
#include <vector>

int main(int, char** arguments) {
  const int m = ROWS, n = COLUMNS, k = atoi(arguments[1]);
  const auto filled = [](size_t bytes) {
    std::vector<uint8_t> host(bytes);
    for (auto& byte : host) byte = uint8_t(0x30 + rand() % 8);  // small numbers in every type
    void* device = nullptr;
    if (hipMalloc(&device, bytes) != hipSuccess) exit(2);
    if (hipMemcpy(device, host.data(), bytes, hipMemcpyHostToDevice) != hipSuccess) exit(2);
    return device;
  };
  void *a = filled(size_t(m) * k * SIZE), *b = filled(size_t(n) * k * SIZE), *c = filled(size_t(m) * n * 4), *s = filled(4);
  (void)s;
  if (int(CALL) != 0) return 3;
  return hipDeviceSynchronize() != hipSuccess;
}
"""

_QUARTER = re.compile(r"v_(mul_(lo|hi)_[ui]32|mad_[ui]64|exp|log|rcp|rsq|sqrt|sin|cos)")


def mfma_cycles(mnemonic: str) -> int:
    """By the matrix instruction calculator, for the shapes that porter's headers use."""
    if "32x32" in mnemonic:
        return 64 if "x2f32" in mnemonic else 32
    return 32 if "f64" in mnemonic or "x4f32" in mnemonic else 16


def unit_cycles(rows: Sequence[InstructionCount], sums: Totals) -> dict[str, float]:
    mfma = valu = 0
    for row in rows:
        mnemonic = row.text.split(None, 1)[0]
        if mnemonic.startswith("v_mfma"):
            mfma += row.executed * mfma_cycles(mnemonic)
        elif mnemonic.startswith("v_"):
            valu += row.executed * (16 if _QUARTER.match(mnemonic) else 4)
    return {
        "mfma": mfma / CHIP.simds,
        "valu": valu / CHIP.simds,
        "lds": float(sums.lds_cycles),
        "vmem": sums.lines * CHIP.line_bytes / 64,
        "salu": float(sum(sums.by_class[name] for name in ("salu", "branch", "smem"))),
    }


def measured(kernel: Kernel, ports: Path, include: Path) -> dict[str, Any]:
    port = ports / kernel.name / f"{kernel.name}.hip"
    text = MAIN.replace("PORT", str(port)).replace("CALL", kernel.call).replace("SIZE", str(kernel.size))
    text = text.replace("ROWS", str(kernel.m)).replace("COLUMNS", str(kernel.n))
    options = Options(includes=(include,))
    how = RunOptions(emulate=True, checks=("bounds", "banks", "coalescing"), counters=True, threads=1)
    runs: list[tuple[Totals, dict[str, float]]] = []
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / f"{kernel.name}.hip"
        source.write_text(text)
        for k in kernel.depths:
            outcome = run_program([source], [str(k)], options, how)
            if outcome.code:
                raise SystemExit(f"{kernel.name} ended with {outcome.code}")
            ((_, rows),) = sum_launches(outcome.launches).values()
            sums = total(rows)
            runs.append((sums, unit_cycles(rows, sums)))
        launch = outcome.launches[0]
        facts = next(f for f in compiled_kernels(device_assembly(source, options)) if f.symbol == launch["symbol"])
    (short, short_units), (long, long_units) = runs
    units = {name: long_units[name] - short_units[name] for name in long_units}
    mfma = long.by_class["mfma"] - short.by_class["mfma"]
    waves = launch["block"][0] // CHIP.wave
    groups = CHIP.lds_bytes // max(1, launch["lds"] + launch["dynamic_lds"])
    steps = kernel.depths[1] - kernel.depths[0]
    return {
        "kernel": kernel.name,
        "busiest": max(units, key=lambda name: units[name]),
        "mfma_share": units["mfma"] / max(units.values()),
        "cycles_per_mfma": {name: cycles / mfma for name, cycles in units.items()},
        "valu_per_mfma": (long.by_class["valu"] - short.by_class["valu"]) / mfma,
        "salu_per_mfma": (long.by_class["salu"] - short.by_class["salu"]) / mfma,
        "lds_cycles": long.lds_cycles - short.lds_cycles,
        "lds_conflict_cycles": long.lds_cycles - short.lds_cycles - long.lds_ideal + short.lds_ideal,
        "global_bytes": long.global_bytes - short.global_bytes,
        "least_bytes": (kernel.m + kernel.n) * steps * kernel.size,
        "mfma": mfma,
        "least_mfma": 2 * kernel.m * kernel.n * steps // (16384 if kernel.size == 1 else 8192),
        "vgprs": facts.vgprs,
        "agprs": facts.agprs,
        "spills": facts.vgpr_spills + facts.sgpr_spills,
        "scratch": facts.scratch,
        "waves_per_simd": min(facts.waves_per_simd, max(1, groups * waves // CHIP.simds)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*", metavar="KERNEL")
    parser.add_argument("--ports", type=Path, default=ROOT / "reference_kernels")
    parser.add_argument("--include", type=Path, default=ROOT / "porter/runtime/include")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    found = [measured(k, asked.ports, asked.include) for k in KERNELS if not asked.kernels or k.name in asked.kernels]
    if asked.json:
        asked.json.write_text(json.dumps(found, indent=1) + "\n")
    for one in found:
        cycles = "  ".join(f"{name} {number:.1f}" for name, number in one["cycles_per_mfma"].items())
        print(f"{one['kernel']}: MFMA at most {100 * one['mfma_share']:.0f}% of the busiest unit, {one['busiest']}")
        print(f"  cycles of a unit per MFMA: {cycles}")
        print(f"  per MFMA: {one['valu_per_mfma']:.1f} vector, {one['salu_per_mfma']:.1f} scalar instructions; "
              f"{one['mfma']} MFMAs, {one['least_mfma']} needed")  # fmt: skip
        print(f"  LDS: {one['lds_conflict_cycles']} of {one['lds_cycles']} cycles are conflicts; "
              f"global: {one['global_bytes']} bytes, {one['least_bytes']} needed")  # fmt: skip
        print(f"  {one['vgprs']} VGPR + {one['agprs']} AGPR, {one['spills']} spilled, {one['scratch']} B of scratch, "
              f"{one['waves_per_simd']} waves a SIMD")  # fmt: skip


if __name__ == "__main__":
    main()
