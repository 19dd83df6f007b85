"""Runs random kernels on the CPU and in the emulator and compares every byte that they write.

    python tests/emu/random_kernels/random_sweep.py --count 10000 --seed 1

A kernel that differs is made smaller while it still differs, and printed with its seed, both results and the paths of
its source and assembly. The exit code is 1 when there is one.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import numpy as np
from random_source import FIRST_SLOT, Kernel, functions, random_kernel, source, variants

from porter.cache_folder import cache_dir
from porter.emu.assembly import parse
from porter.emu.decode import decode
from porter.emu.device import Check, Module, allow, forbid
from porter.emu.encoding import Pool, UnknownInstruction
from porter.emu.image import pack
from porter.errors import CompileError
from porter.toolchain import Options, c_library, device_assembly

__all__ = ["Difference", "Outcome", "run_batch", "run_kernels", "sweep"]

HERE = Path(__file__).resolve().parent
LEVELS = ("3", "0", "1", "2", "s")
_COMMON = ("-fwrapv", "-ffp-contract=off", "-fno-strict-aliasing", "-Wno-c++11-narrowing", "-w")
_GPU = (*_COMMON, "-fno-color-diagnostics")
_CPU = (*_COMMON, "-std=gnu++17", "-O0", "-fno-math-errno", "-Xclang", "-ffloat16-excess-precision=none")
_SLOTS = 128
_GUARD = 0xA5


@dataclass(frozen=True, slots=True)
class Difference:
    kernel: Kernel
    where: str  # which result
    cpu: int
    gpu: int
    text: str = ""  # of a fault


@dataclass(slots=True)
class Outcome:
    kernels: int = 0
    instructions: int = 0
    levels: Counter[str] = field(default_factory=Counter)
    differences: list[tuple[Difference, str, Path, Path]] = field(default_factory=list)  # with report and files
    unknown: Counter[str] = field(default_factory=Counter)
    crashes: set[int] = field(default_factory=set)  # batches on which clang itself crashed
    blocked: int = 0
    findings: Counter[str] = field(default_factory=Counter)  # of the checks
    mnemonics: Counter[str] = field(default_factory=Counter)


class _In(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_void_p) for name in ("b", "w", "i", "q", "h", "f", "d", "out", "acc", "wide")),
        ("n", ctypes.c_int32), ("m", ctypes.c_int64), ("x", ctypes.c_float), ("y", ctypes.c_double),
        ("c", ctypes.c_uint8), ("e", ctypes.c_int16),
    ]  # fmt: skip


def inputs(seed: int) -> dict[str, np.ndarray]:
    """256 elements of each type: ordinary values, edges, and for floats NaN, infinities, denormals, both zeros."""
    rng = np.random.default_rng(seed)
    by_type: dict[str, np.ndarray] = {}
    for name, kind in (("b", np.int8), ("w", np.int16), ("i", np.int32), ("q", np.int64)):
        about = np.iinfo(kind)
        values = rng.integers(about.min, about.max, 256, dtype=kind, endpoint=True)
        small = rng.integers(-20, 20, 256, dtype=kind)
        by_type[name] = np.where(rng.random(256) < 0.4, small, values)
        by_type[name][:6] = about.min, about.max, 0, -1, 1, about.min + 1
        rng.shuffle(by_type[name])
    for name, real in (("h", np.float16), ("f", np.float32), ("d", np.float64)):
        limits = np.finfo(real)
        with np.errstate(over="ignore"):
            by_type[name] = (rng.normal(0, 1, 256) * 10.0 ** rng.integers(-3, 4, 256)).astype(real)
        edges = [np.nan, np.inf, -np.inf, -0.0, 0.0, limits.max, -limits.max, limits.tiny, limits.smallest_subnormal,
                 -limits.smallest_subnormal * 77, limits.tiny * 0.6, 1 + limits.eps, 0.5, 2.5, -3.5, 1e4]  # fmt: skip
        by_type[name][:16] = edges
        rng.shuffle(by_type[name])
    return by_type


@dataclass(frozen=True, slots=True)
class _Memory:
    arrays: dict[str, np.ndarray]
    packed: _In
    all: list[np.ndarray]


def _memory(kernel: Kernel, seed: int) -> _Memory:
    arrays = inputs(seed)
    rng = Random(seed)
    out = np.full(kernel.groups * kernel.threads * _SLOTS * 8, _GUARD, np.uint8)
    acc = np.arange(256, dtype=np.uint32) * np.uint32(0x01010101)
    wide = np.arange(128, dtype=np.uint64) * np.uint64(0x0123456789ABCDEF)
    arrays |= {"out": out, "acc": acc, "wide": wide}
    # 16 bytes before the end of what may be read: rows for vector loads are taken modulo the array
    packed = _In(
        **{name: array.ctypes.data for name, array in arrays.items()}, n=rng.randrange(-100, 100),
        m=rng.randrange(-(1 << 40), 1 << 40), x=rng.uniform(-4, 4), y=rng.uniform(-400, 400), c=rng.randrange(256),
        e=rng.randrange(-3000, 3000),
    )  # fmt: skip
    return _Memory(arrays, packed, list(arrays.values()))


def _compare(kernel: Kernel, cpu: _Memory, gpu: _Memory) -> Difference | None:
    for name in ("out", "acc", "wide"):
        a, b = (side.arrays[name].view(np.uint64) for side in (cpu, gpu))
        wrong = np.flatnonzero(a != b)
        if len(wrong):
            at = int(wrong[0])
            where = f"{name}[{at}]"
            if name == "out":
                thread, slot = divmod(at, _SLOTS)
                slots = kernel.slots()
                what = slots[slot - FIRST_SLOT] if 0 <= slot - FIRST_SLOT < len(slots) else f"slot {slot}"
                threads = len({int(n) // _SLOTS for n in wrong})
                where = f"{what} of thread {thread} ({threads} threads differ)"
            return Difference(kernel, where, int(a[at]), int(b[at]))
    return None


def _run(
    kernel: Kernel, module: Module, library: ctypes.CDLL, checks: Sequence[Check], outcome: Outcome
) -> Difference | None:
    seed = sum(kernel.name.encode()) + len(kernel.name)
    cpu, gpu = _memory(kernel, seed), _memory(kernel, seed)
    getattr(library, kernel.name)(ctypes.byref(cpu.packed), kernel.groups)
    for array in gpu.all:
        allow(array.ctypes.data, array.nbytes)
    try:
        done = module.launch(
            kernel.name, kernel.grid, kernel.shape, bytes(gpu.packed), threads=1, checks=checks,
            max_instructions=20_000_000,
        )  # fmt: skip
    finally:
        for array in gpu.all:
            forbid(array.ctypes.data)
    outcome.instructions += done.instructions
    for finding in done.findings:
        outcome.findings[f"{finding.kind.name} {finding.instruction}"] += 1
    if done.faulted:
        first = done.findings[0] if done.findings else None
        text = (
            f"{first.kind.name} at {first.instruction!r}, lane {first.lane}, address {first.address:#x}"
            if first
            else "?"
        )
        return Difference(kernel, "fault", 0, 0, text)
    return _compare(kernel, cpu, gpu)


def _files(text: str, folder: Path, name: str, level: str) -> tuple[Path, Path, Path]:
    path = folder / f"{name}.hip"
    path.write_text(text)
    assembly = device_assembly(path, Options(level=level, line_tables=False, flags=_GPU))
    return path, assembly, c_library([path], _CPU, native=True)


def run_kernels(
    kernels: Sequence[Kernel], shared: str, name: str, level: str, outcome: Outcome, checks: Sequence[Check] = ()
) -> tuple[list[Difference], Path, Path]:
    """Compiles the kernels as one source for both sides, runs all; those that differ, with the source and assembly."""
    folder = cache_dir() / "random-kernels"
    folder.mkdir(parents=True, exist_ok=True)
    path, assembly, library_path = _files(source(kernels, shared, str(HERE / "both_sides.h")), folder, name, level)
    program = parse(assembly.read_text())
    pool = Pool()
    blocked = False
    seen: set[str] = set()
    for n, line in enumerate(program.lines):
        outcome.mnemonics[line.text.split(None, 1)[0]] += 1
        if line.text in seen:
            continue
        try:
            decode(line.text, pool)
            seen.add(line.text)
        except (UnknownInstruction, ValueError, KeyError, IndexError) as error:
            outcome.unknown[f"{line.text.split(None, 1)[0]}  ({error})"[:100]] += 1
            program.lines[n] = replace(line, text="s_endpgm")
            blocked = True
    library = ctypes.CDLL(str(library_path))
    differences = []
    with Module(pack(program)) as module:
        for kernel in kernels:
            difference = _run(kernel, module, library, checks, outcome)
            if difference and blocked:
                outcome.blocked += 1
            elif difference:
                differences.append(difference)
    return differences, path, assembly


def smaller(kernel: Kernel, shared: str, level: str, name: str) -> tuple[Difference | None, Path, Path]:
    """Drops statements, then parts of expressions, as long as the kernel still differs. One compile tries many.

    A kernel may differ in the company of others alone: the smallest that differs by itself is returned.
    """
    outcome = Outcome()
    best = kernel
    known = [kernel]  # each smaller than the one before it
    chunk = 16
    while chunk >= 0:
        tries = [replace(k, name=f"{kernel.name}v{n}") for n, k in enumerate(variants(best, chunk))][:60]
        worse = run_kernels(tries, shared, f"{name}-tries", level, outcome)[0] if tries else []
        if worse:
            best = min((d.kernel for d in worse), key=lambda k: len(source([k], "", "")))
            known.append(best)
            continue
        chunk = chunk // 2 if chunk > 1 else chunk - 1
    while True:
        differing, path, assembly = run_kernels([known.pop()], shared, f"{name}-small", level, outcome)
        if differing or not known:
            return (differing[0] if differing else None), path, assembly


def _report(difference: Difference, seed: int, batch: int, level: str, path: Path, assembly: Path) -> str:
    kernel = difference.kernel
    values = difference.text or f"CPU {difference.cpu:#018x}, emulator {difference.gpu:#018x}"
    body = path.read_text().partition(f"struct State_{kernel.name} ")
    return (
        f"--- {kernel.name}: seed {seed}, batch {batch}, -O{level}, grid {kernel.grid}, block {kernel.shape}\n"
        f"{difference.where}: {values}\nsource {path}\nassembly {assembly}\n{body[1]}{body[2].split('struct State_')[0]}"
    )


def make_batch(seed: int, batch: int, size: int) -> tuple[list[Kernel], str, str]:
    """The kernels, the functions that they call, and the optimisation level of one source."""
    kernels = [random_kernel(Random(f"{seed}/{batch}/{n}"), f"k{seed}_{batch}_{n}") for n in range(size)]
    return kernels, functions(Random(f"{seed}/{batch}")), LEVELS[batch % len(LEVELS)]


def run_batch(
    seed: int, batch: int, size: int, outcome: Outcome, reduce: bool = True, checks: Sequence[Check] = ()
) -> None:
    kernels, shared, level = make_batch(seed, batch, size)
    name = f"random_{seed}_{batch}"
    differences, path, assembly = run_kernels(kernels, shared, name, level, outcome, checks)
    outcome.kernels += len(kernels)
    outcome.levels[level] += len(kernels)
    for difference in differences:
        where = path, assembly
        if reduce:
            small, *paths = smaller(difference.kernel, shared, level, f"{name}_{difference.kernel.name}")
            if small:
                difference, where = small, (paths[0], paths[1])
        report = _report(difference, seed, batch, level, *where)
        outcome.differences.append((difference, report, *where))


def run_one(name: str, size: int, outcome: Outcome) -> None:
    """One kernel by its name, made smaller if it differs."""
    seed, batch, number = (int(part) for part in name.removeprefix("k").split("_"))
    kernels, shared, level = make_batch(seed, batch, size)
    difference, path, assembly = smaller(kernels[number], shared, level, f"random_{name}")
    outcome.kernels += 1
    if difference:
        report = _report(difference, seed, batch, level, path, assembly)
        outcome.differences.append((difference, report, path, assembly))


def sweep(seed: int, count: int, size: int, reduce: bool, checks: Sequence[Check], first: int = 0) -> Outcome:
    outcome = Outcome()
    reported = 0
    batches = range(first, first + -(-count // size))

    def prepare(batch: int) -> tuple[int, bool]:  # both compilers, ahead of the runs; the results are kept in the cache
        kernels, shared, level = make_batch(seed, batch, size)
        folder = cache_dir() / "random-kernels"
        folder.mkdir(parents=True, exist_ok=True)
        try:
            _files(source(kernels, shared, str(HERE / "both_sides.h")), folder, f"random_{seed}_{batch}", level)
        except CompileError as error:
            if not re.search("PLEASE submit a bug report|clang frontend command failed", str(error.text)):
                raise
            return batch, False
        return batch, True

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for batch, compiles in pool.map(prepare, batches):
            if not compiles:
                outcome.crashes.add(batch)
                continue
            run_batch(seed, batch, size, outcome, reduce, checks)
            for _, report, *_ in outcome.differences[reported:]:
                print(report, flush=True)
            reported = len(outcome.differences)
            print(f"batch {batch}: {outcome.kernels} kernels, {reported} differ", file=sys.stderr, flush=True)
    return outcome


def _print(outcome: Outcome, seconds: float) -> Iterator[str]:
    levels = ", ".join(f"-O{level}: {count}" for level, count in sorted(outcome.levels.items()))
    yield (
        f"{outcome.kernels} kernels ({levels}), {outcome.instructions:,} wave-instructions, {seconds:.0f} s: "
        f"{len(outcome.differences)} differ, {outcome.blocked} stopped by unknown instructions; "
        f"{len(outcome.mnemonics)} mnemonics"
    )
    for name, count in outcome.unknown.most_common():
        yield f"unknown: {name} ({count})"
    for name, count in outcome.findings.most_common(40):
        yield f"finding: {name} ({count})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=100, help="kernels in one source")
    parser.add_argument("--first", type=int, default=0, help="number of the first batch")
    parser.add_argument("--only", default="", help="the name of the one kernel to run")
    parser.add_argument("--no-reduce", action="store_true")
    parser.add_argument("--check", action="append", default=[], help="a check of the emulator, or all")
    options = parser.parse_args()
    checks = list(Check) if "all" in options.check else [Check[name.upper()] for name in options.check]
    begin = time.time()
    if options.only:
        outcome = Outcome()
        run_one(options.only, options.batch, outcome)
        for _, report, *_ in outcome.differences:
            print(report)
    else:
        outcome = sweep(options.seed, options.count, options.batch, not options.no_reduce, checks, options.first)
    for line in _print(outcome, time.time() - begin):
        print(line)
    return 1 if outcome.differences or outcome.unknown else 0


if __name__ == "__main__":
    sys.exit(main())
