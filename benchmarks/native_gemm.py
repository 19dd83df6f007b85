"""What an emitted matrix product costs each unit of a compute unit: counted in the emulator, not measured.

    python benchmarks/native_gemm.py [--shape M,N,K] [--blocks N] [--element bf16] [--result bf16] [--columns-of-b] [JSON...]

JSON: what `porter run --counters --check banks,coalescing --json` wrote of other kernels, for rows beside. Only the
first --blocks workgroups run, all without it. Cycles are those of one compute unit that does everything in a row:
matrix instructions by AMD's table, over its four SIMDs; four cycles a vector instruction, over four SIMDs; LDS as its
banks allow; memory at the 64 bytes a clock of the vector cache. "mfma" is the share of matrix cycles in those of the
busiest unit. --columns-of-b: B lies as a K x N matrix, as in C = A B of row-major matrices.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from porter.chip import GFX942 as CHIP
from porter.native.emit.gemm import emit
from porter.native.recognise.problem import Gemm, Operand, Result
from porter.perf.isa import instruction_class, mfma_flops

__all__ = ["main", "row"]

TYPES = {
    "bf16": ("__hip_bfloat16", "BFLOAT16", 2),
    "f16": ("__half", "FLOAT16", 2),
    "e4m3": ("uint8_t", "UINT8", 1),
    "f32": ("float", "FLOAT32", 4),
}
FLOPS_A_CLOCK = {kind: CHIP.flops_a_clock[kind] // CHIP.simds for kind in ("fp8", "i8", "f16", "bf16", "xf32")}

PROGRAM = """
#include <cstdlib>

template <class T>
static T* filled(size_t count) {
  T* device;
  uint8_t* const bytes = static_cast<uint8_t*>(calloc(count, sizeof(T)));
  for (size_t i = 0; i < count * sizeof(T); i++) bytes[i] = i % sizeof(T) == sizeof(T) - 1 ? 0x30 + i * 7919 % 13 : i;
  if (hipMalloc(&device, count * sizeof(T)) != hipSuccess) abort();
  if (hipMemcpy(device, bytes, count * sizeof(T), hipMemcpyHostToDevice) != hipSuccess) abort();
  free(bytes);
  return device;
}
static CUtensorMap matrix(void* base, size_t rows, size_t columns) {
  CUtensorMap map;
  const uint64_t sizes[2] = {columns, rows}, strides[1] = {columns * BYTES};
  const uint32_t box[2] = {128 / BYTES, 64}, steps[2] = {1, 1};
  if (cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_@MAP@, 2, base, sizes, strides, box, steps,
                             CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != hipSuccess)
    abort();
  return map;
}
int main() {
  const CUtensorMap a = matrix(filled<@ELEMENT@>(size_t(@M@) * @K@), @M@, @K@);
  const CUtensorMap b = matrix(filled<@ELEMENT@>(size_t(@N@) * @K@), @OF_B@);
  @RESULT@* c;
  if (hipMalloc(&c, size_t(@M@) * @N@ * sizeof(@RESULT@)) != hipSuccess) return 1;
  dim3 grid = @GRID@;
  if (@BLOCKS@ != 0 && grid.x > @BLOCKS@) grid.x = @BLOCKS@;
  gemm<<<grid, @BLOCK@>>>(a, b, c, @N@);
  return hipDeviceSynchronize() != hipSuccess;
}
"""


def run_emitted(
    folder: Path, shape: tuple[int, int, int], blocks: int, element: str, result: str, columns_of_b: bool = False
) -> list[dict[str, Any]]:
    """Its launches, as porter run writes them."""
    (name, type_, size), out = TYPES[element], TYPES[result][0]
    emitted = emit(
        Gemm(
            "gemm",
            f"const CUtensorMap map_a, const CUtensorMap map_b, {out}* c, int pitch",
            Operand("map_a", element),
            Operand("map_b", element, k_major=not columns_of_b),
            Result("c", False, result, pitch="pitch"),
        ),
        CHIP,
        CHIP.boards[0],
    )
    text = (
        "".join(f"#include <{header}>\n" for header in emitted.headers)
        + f"#include <hip/hip_bf16.h>\n#include <hip/hip_fp16.h>\n#define BYTES {size}\n"
    )
    text += emitted.kernel + PROGRAM
    m, n, k = shape
    for key, value in {
        "OF_B": "@K@, @N@" if columns_of_b else "@N@, @K@", "M": m, "N": n, "K": k, "MAP": type_, "ELEMENT": name, "RESULT": out, "BLOCKS": blocks, "BLOCK": emitted.block,
        "GRID": emitted.grid.format(map_a="a", map_b="b"),
    }.items():  # fmt: skip
        text = text.replace(f"@{key}@", str(value))
    source, report = folder / "gemm.hip", folder / "gemm.json"
    source.write_text(text)
    include = Path(__file__).resolve().parent.parent / "porter" / "runtime" / "include"
    command = [
        sys.executable,
        "-m",
        "porter",
        "run",
        str(source),
        "--emulate",
        "--counters",
        "--check",
        "banks,coalescing",
    ]
    subprocess.run([*command, "-I", str(include), "--json", str(report)], check=True, stdout=subprocess.DEVNULL)
    launches: list[dict[str, Any]] = json.loads(report.read_text())["launches"]
    return launches


def row(launch: dict[str, Any]) -> dict[str, Any]:
    """What one launch costs, in cycles of a compute unit and bytes."""
    mfma = valu = lds = ideal = read = written = 0
    for text, _, _, executed, _, _, moved, lds_cycles, lds_ideal, *_ in launch["counts"]:
        mnemonic = text.split(None, 1)[0]
        kind = instruction_class(mnemonic)
        if kind == "mfma":
            rate = next(rate for name, rate in FLOPS_A_CLOCK.items() if name in mnemonic.split("x")[-1])
            mfma += executed * mfma_flops(mnemonic) // rate
        elif kind == "valu":
            valu += 4 * executed
        elif kind == "lds":
            lds, ideal = lds + lds_cycles, ideal + lds_ideal
        elif kind == "vmem":
            if "store" in mnemonic:
                written += moved
            else:
                read += moved
    groups = launch["grid"][0] * launch["grid"][1] * launch["grid"][2]
    waves = launch["block"][0] // CHIP.wave
    memory = (read + written) / 64
    units = {"mfma": mfma / CHIP.simds, "valu": valu / CHIP.simds, "lds": lds, "memory": memory}
    by_lds = CHIP.lds_bytes // max(1, launch["lds"] + launch["dynamic_lds"])
    by_registers = CHIP.waves_per_simd(launch["vgprs"], launch["agprs"])
    return {
        "kernel": launch["kernel"].split("(")[0],
        "workgroups": groups,
        **{name: cycles / groups for name, cycles in units.items()},
        "share": units["mfma"] / max(units.values()),
        "conflicts": lds - ideal,
        "read": read / groups,
        "written": written / groups,
        "registers": launch["vgprs"] + launch["agprs"],
        "scratch": launch["scratch"],
        "waves": min(by_registers, by_lds * waves / CHIP.simds),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", default="1024,1024,1024")
    parser.add_argument("--blocks", type=int, default=0)
    parser.add_argument("--element", default="bf16", choices=["bf16", "f16", "e4m3"])
    parser.add_argument("--result", default="bf16", choices=["bf16", "f16", "f32", "e4m3"])
    parser.add_argument("--columns-of-b", action="store_true")
    parser.add_argument("beside", nargs="*", type=Path)
    arguments = parser.parse_args()
    m, n, k = (int(x) for x in arguments.shape.split(","))
    types = arguments.element, arguments.result, arguments.columns_of_b
    with tempfile.TemporaryDirectory() as folder:
        launches = run_emitted(Path(folder), (m, n, k), arguments.blocks, *types)
    for path in arguments.beside:
        launches += json.loads(path.read_text())["launches"]
    print(
        "| kernel | workgroups | mfma | valu | lds | memory | mfma / busiest | LDS conflicts | KB read | KB written | registers | scratch | waves a SIMD |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for launch in launches:
        r = row(launch)
        print(
            f"| {r['kernel']} | {r['workgroups']} | {r['mfma']:,.0f} | {r['valu']:,.0f} | {r['lds']:,.0f} "
            f"| {r['memory']:,.0f} | {r['share']:.2f} | {r['conflicts']} | {r['read'] / 1024:,.0f} "
            f"| {r['written'] / 1024:,.0f} | {r['registers']} | {r['scratch']} | {r['waves']:g} |"
        )


if __name__ == "__main__":
    main()
