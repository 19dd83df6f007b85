"""How fast is porter's emulator of gfx942? A staged bf16 matrix product, in instructions and operations a second.

    python benchmarks/emulator.py [--size 512] [--tile 32|16] [--rounds 100] [--checks] [--tinygrad CHECKOUT] [--json FILE]

The kernel below (128 x 128 x 32 tiles in LDS, four waves, MFMA) is compiled for gfx942 by porter's toolchain and run
on one thread and on two. Beside it: numpy's float32 matmul on one thread, the most this CPU can do, and tinygrad's
emulator, which is in its repository only (test/mockgpu), on the same machine code, in its own process, at --tinygrad-size.
A wave's instruction counts once. Times are of the launch alone, the best of the rounds. --checks says instead how
much more of the processor's time each check takes, and all together; the median of the rounds.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads spin, and the second is porter's to use
import numpy as np

from porter.emu.device import Check, Launch, Module, allow, forbid
from porter.emu.image import build_image
from porter.toolchain import Options, code_object, device_assembly, find_pip_clang

__all__ = ["main"]

KERNEL = r"""
#include <hip/hip_runtime.h>

// C = A * B^T: A is m x k, B is n x k, bf16; C is f32. Four waves, each 64 x 64 of the 128 x 128 tile.
#ifndef TILE
#define TILE 32
#endif
constexpr int BLOCK = 128, DEPTH = 32, PITCH = DEPTH + 8, PARTS = 64 / TILE, STEP = TILE == 32 ? 8 : 16;
constexpr int ROWS = TILE * TILE / 64;
typedef short short4_ __attribute__((ext_vector_type(4)));
typedef int int4_ __attribute__((ext_vector_type(4)));
typedef float rows_ __attribute__((ext_vector_type(ROWS)));

extern "C" __global__ __launch_bounds__(256) void gemm(const short *A, const short *B, float *C, int n, int k) {
  __shared__ __attribute__((aligned(16))) short a_tile[BLOCK * PITCH], b_tile[BLOCK * PITCH];
  const int thread = threadIdx.x, wave = thread / 64, lane = thread % 64;
  const int row = wave / 2 * 64, column = wave % 2 * 64;
  const int line = thread / 4, piece = thread % 4 * 8;
  const short *a_from = A + (size_t)(blockIdx.y * BLOCK + line) * k + piece;
  const short *b_from = B + (size_t)(blockIdx.x * BLOCK + line) * k + piece;
  const size_t half = (size_t)(BLOCK / 2) * k;
  short *a_to = a_tile + line * PITCH + piece, *b_to = b_tile + line * PITCH + piece;
  rows_ sum[PARTS][PARTS] = {};
  int4_ next[4] = {*(const int4_ *)a_from, *(const int4_ *)(a_from + half), *(const int4_ *)b_from,
                   *(const int4_ *)(b_from + half)};
  for (int done = 0; done < k; done += DEPTH) {
    *(int4_ *)a_to = next[0], *(int4_ *)(a_to + BLOCK / 2 * PITCH) = next[1];
    *(int4_ *)b_to = next[2], *(int4_ *)(b_to + BLOCK / 2 * PITCH) = next[3];
    __syncthreads();
    if (done + DEPTH < k) {  // the next tile is on its way while this one is multiplied
      a_from += DEPTH, b_from += DEPTH;
      next[0] = *(const int4_ *)a_from, next[1] = *(const int4_ *)(a_from + half);
      next[2] = *(const int4_ *)b_from, next[3] = *(const int4_ *)(b_from + half);
    }
#pragma unroll
    for (int at = 0; at < DEPTH; at += STEP) {
      const int place = lane % TILE * PITCH + at + lane / TILE * 4;
      short4_ a[PARTS], b[PARTS];
#pragma unroll
      for (int i = 0; i < PARTS; i++) {
        a[i] = *(const short4_ *)(a_tile + (row + i * TILE) * PITCH + place);
        b[i] = *(const short4_ *)(b_tile + (column + i * TILE) * PITCH + place);
      }
#pragma unroll
      for (int i = 0; i < PARTS; i++)
#pragma unroll
        for (int j = 0; j < PARTS; j++)
#if TILE == 32
          sum[i][j] = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(a[i], b[j], sum[i][j], 0, 0, 0);
#else
          sum[i][j] = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a[i], b[j], sum[i][j], 0, 0, 0);
#endif
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < PARTS; i++)
#pragma unroll
    for (int j = 0; j < PARTS; j++)
#pragma unroll
      for (int r = 0; r < ROWS; r++) {
        const int y = blockIdx.y * BLOCK + row + i * TILE + r / 4 * 8 + lane / TILE * 4 + r % 4;
        C[(size_t)y * n + blockIdx.x * BLOCK + column + j * TILE + lane % TILE] = sum[i][j][r];
      }
}
"""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=512, help="rows, columns and depth; a multiple of 128")
    parser.add_argument("--tile", type=int, choices=(32, 16), default=32, help="MFMA 32x32x8 or 16x16x16")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--checks", action="store_true", help="what the checks cost")
    parser.add_argument("--tinygrad", type=Path, metavar="CHECKOUT", help="tinygrad's repository")
    parser.add_argument("--tinygrad-size", type=int, default=512)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    assembly = compiled(options.tile)
    with Module(build_image(assembly.read_text())) as module:
        if options.checks:
            rows = costs(module, options.size, options.rounds)
            print_costs(rows, options.tile)
            if options.json:
                options.json.write_text(json.dumps(rows, indent=1) + "\n")
            return 0
        rows = ours(module, options.size, (1, 2), options.rounds)
    rows.append(numpy_row(options.size, options.rounds))
    if options.tinygrad:
        with Module(build_image(assembly.read_text())) as module:
            count = ours(module, options.tinygrad_size, (1,), 1)[0]["instructions"]
        rows.append(tinygrad_row(options.tinygrad.resolve(), assembly, options.tinygrad_size, count))
    print(f"bf16 product, MFMA {options.tile}x{options.tile}, {platform.processor() or platform.machine()}, "
          f"{os.cpu_count()} CPUs")  # fmt: skip
    print(f"{'':28}{'size':>6}{'seconds':>12}{'M instr/s':>12}{'GFLOP/s':>10}")
    for row in rows:
        rate = f"{row['instructions'] / row['seconds'] / 1e6:12.3f}" if row["instructions"] else f"{'':12}"
        flops = 2 * row["size"] ** 3 / row["seconds"] / 1e9
        print(f"{row['name']:28}{row['size']:>6}{row['seconds']:>12.6f}{rate}{flops:>10.3f}")
    print(f"two threads over one: {rows[0]['seconds'] / rows[1]['seconds']:.2f}")
    if options.tinygrad:
        speed = [row["instructions"] / row["seconds"] for row in (rows[0], rows[-1])]
        print(f"one thread over tinygrad, instructions a second: {speed[0] / speed[1]:.0f}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 0


def compiled(tile: int) -> Path:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "gemm.hip"
        source.write_text(KERNEL)
        return device_assembly(source, Options(defines=(f"TILE={tile}",)))


def operands(size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A and B in bf16, and their product."""
    random = np.random.default_rng(size)
    halves = [(random.normal(size=(size, size)).astype(np.float32).view(np.uint32) >> 16) for _ in range(2)]
    a, b = ((half << 16).view(np.float32) for half in halves)
    return *(half.astype(np.uint16) for half in halves), a @ b.T


def ours(module: Module, size: int, threads: tuple[int, ...], rounds: int) -> list[dict]:
    """A row for each number of threads; they take turns, so that a busy machine disturbs all."""
    best = dict.fromkeys(threads, float("inf"))
    with product(module, size) as launch:
        for _ in range(rounds):
            for number in threads:
                run = launch(threads=number)
                best[number] = min(best[number], run.seconds)
    return [row(f"porter, {n} thread{'s' * (n > 1)}", size, best[n], run.instructions) for n in threads]


@contextlib.contextmanager
def product(module: Module, size: int) -> Iterator[Callable[..., Launch]]:
    """Launches the kernel, with the options that it is given; in the end the product has to be right."""
    a, b, wanted = operands(size)
    c = np.zeros((size, size), dtype=np.float32)
    arguments = struct.pack("<3Q2i", a.ctypes.data, b.ctypes.data, c.ctypes.data, size, size)
    blocks = size // 128

    def launch(**options: object) -> Launch:
        run = module.launch("gemm", (blocks, blocks), 256, arguments, **options)
        if run.findings:
            raise SystemExit(f"the kernel has findings: {run.findings}")
        return run

    for array in (a, b, c):
        allow(array.ctypes.data, array.nbytes)
    try:
        yield launch
    finally:
        for array in (a, b, c):
            forbid(array.ctypes.data)
    np.testing.assert_allclose(c, wanted, rtol=1e-4, atol=1e-3)


def costs(module: Module, size: int, rounds: int) -> list[dict]:
    """The processor's time with each check and with all, on one thread and on two; they take turns.

    Banks and lines are counted by instruction. What Python does with those numbers is taken off.
    """
    kinds = {"none": (), **{check.name.lower(): (check,) for check in Check}, "all": tuple(Check)}
    times: dict[tuple[str, int, bool], list[float]] = {}
    with product(module, size) as launch:
        for _ in range(rounds):
            for threads in (1, 2):
                for name, checks in kinds.items():
                    counts = bool({Check.BANKS, Check.COALESCING}.intersection(checks))
                    for count in (False, True) if name == "none" else (counts,):
                        launch(threads=threads, checks=checks, count=count)  # what went before is in the caches
                        began = time.process_time()
                        launch(threads=threads, checks=checks, count=count)
                        times.setdefault((name, threads, count), []).append(time.process_time() - began)
    middle = {key: statistics.median(taken) for key, taken in times.items()}
    rows: list[dict] = [{"checks": name, "seconds": [], "over none": []} for name in kinds]
    for entry in rows:
        for threads in (1, 2):
            none = middle["none", threads, False]
            seconds = middle.get((entry["checks"], threads, False))
            if seconds is None:
                seconds = middle[entry["checks"], threads, True] - (middle["none", threads, True] - none)
            entry["seconds"].append(seconds)
            entry["over none"].append(seconds / none)
    return rows


def print_costs(rows: list[dict], tile: int) -> None:
    print(f"bf16 product, MFMA {tile}x{tile}: milliseconds of the processor, and times those without checks")
    print(f"{'checks':16}{'1 thread':>12}{'':8}{'2 threads':>12}")
    for entry in rows:
        parts = [f"{1e3 * t:12.2f}{r:8.2f}" for t, r in zip(entry["seconds"], entry["over none"], strict=True)]
        print(f"{entry['checks']:16}{''.join(parts)}")


def row(name: str, size: int, seconds: float, instructions: int = 0) -> dict:
    return {"name": name, "size": size, "seconds": seconds, "instructions": instructions}


def numpy_row(size: int, rounds: int) -> dict:
    """In a process of its own, because the number of threads is read when numpy is imported."""
    code = (
        "import numpy, time\n"
        f"a = numpy.random.default_rng(0).normal(size=({size}, {size})).astype(numpy.float32)\n"
        "def once():\n    began = time.perf_counter(); a @ a; return time.perf_counter() - began\n"
        f"print(min(once() for _ in range({rounds})))"
    )
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **dict.fromkeys(names, "1")}, capture_output=True, check=True
    )
    return row("numpy matmul, f32, 1 thread", size, float(done.stdout))


# ---- tinygrad -------------------------------------------------------------------------------------------------------

# Its emulator compiles each instruction when it first meets it: the second of two runs is timed.
TINYGRAD = """
import ctypes, json, sys, time
import numpy as np
from test.mockgpu.amd.emu import run_asm
about = json.loads(sys.argv[1])
code = open(about["code"], "rb").read() + bytes(64)
buffer = ctypes.create_string_buffer(code, len(code))
size = about["size"]
a, b = (np.load(path) for path in about["inputs"])
c = np.zeros((size, size), dtype=np.float32)
segment = ctypes.create_string_buffer(256)
for at, array in zip((0, 8, 16), (a, b, c)):
    ctypes.c_uint64.from_buffer(segment, at).value = array.ctypes.data
for at in (24, 28):
    ctypes.c_int32.from_buffer(segment, at).value = size
for _ in range(2):
    began = time.perf_counter()
    run_asm(ctypes.addressof(buffer) + about["entry"], len(code), size // 128, size // 128, 1, 256, 1, 1,
            ctypes.addressof(segment), about["rsrc2"], 0, "cdna")
    seconds = time.perf_counter() - began
np.save(about["result"], c)
print(seconds)
"""


def tinygrad_row(checkout: Path, assembly: Path, size: int, instructions: int) -> dict:
    a, b, wanted = operands(size)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        code, entry, rsrc2 = kernel_code(code_object(assembly).read_bytes())
        (folder / "code").write_bytes(code)
        for letter, array in (("a", a), ("b", b)):
            np.save(folder / f"{letter}.npy", array)
        # It wants a program named clang.
        clang = folder / "clang"
        clang.write_text(f'#!/bin/sh\nexec {" ".join(find_pip_clang().command)} "$@"\n')
        clang.chmod(0o755)
        about = {
            "code": str(folder / "code"), "entry": entry, "rsrc2": rsrc2, "size": size,
            "inputs": [str(folder / "a.npy"), str(folder / "b.npy")], "result": str(folder / "c.npy"),
        }  # fmt: skip
        environment = {
            **os.environ, "PYTHONPATH": str(checkout), "CC": str(clang), "DEV": "CPU", "CPU_LLVM": "0",
            "PATH": f"{folder}:{os.environ['PATH']}", "CACHEDB": str(folder / "cache.db"),
        }  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-c", TINYGRAD, json.dumps(about)],
            cwd=checkout,
            env=environment,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise SystemExit(f"tinygrad's emulator did not run the kernel:\n{done.stderr[-3000:]}")
        good = np.allclose(np.load(folder / "c.npy"), wanted, rtol=1e-4, atol=1e-3)
    return row("tinygrad's emulator" + ("" if good else ", WRONG"), size, float(done.stdout), instructions)


def kernel_code(elf: bytes) -> tuple[bytes, int, int]:
    """The code of a code object, where `gemm` begins in it, and its COMPUTE_PGM_RSRC2 with the LDS it wants."""
    start, count = struct.unpack_from("<Q", elf, 40)[0], struct.unpack_from("<H", elf, 60)[0]
    sections = [struct.unpack_from("<IIQQQQIIQQ", elf, start + 64 * n) for n in range(count)]
    table = next(section for section in sections if section[1] == 2)  # SHT_SYMTAB
    names = sections[table[6]][4]
    found = {}
    for at in range(table[4], table[4] + table[5], 24):
        name, _, _, section, value, _ = struct.unpack_from("<IBBHQQ", elf, at)
        text = elf[names + name : elf.index(b"\0", names + name)].decode()
        if 0 < section < count:
            found[text] = section, value - sections[section][3] + sections[section][4]
    section, entry = found["gemm"]
    text = sections[section]
    lds = struct.unpack_from("<I", elf, found["gemm.kd"][1])[0]
    rsrc2 = struct.unpack_from("<I", elf, found["gemm.kd"][1] + 52)[0]
    return elf[text[4] : text[4] + text[5]], entry - text[4], rsrc2 | -(-lds // 512) << 15


if __name__ == "__main__":
    sys.exit(main())
