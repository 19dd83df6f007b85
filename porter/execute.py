"""Builds a HIP program and runs it: on the GPU where there is one, in the emulator everywhere else."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from porter.checks import CHECKS, DEFAULT_CHECKS
from porter.errors import UsageError
from porter.perf.launch_report import findings_by_line
from porter.toolchain import Built, Options, executable, find_rocm, find_toolchain, shared_library

__all__ = [
    "Compiled",
    "Outcome",
    "RunOptions",
    "check_bits",
    "compiled_by",
    "emulated",
    "emulated_library",
    "emulator_settings",
    "gpu_present",
    "read_launches",
    "run_program",
]


@dataclass(frozen=True, slots=True)
class RunOptions:
    emulate: bool = False
    checks: tuple[str, ...] = DEFAULT_CHECKS
    seed: int = 0
    threads: int = 0  # 0: as many as processors
    max_instructions: int = 0  # a wave's; 0: the emulator's own limit
    patience: int = -1  # seconds for which kernels wait for the host in vain; -1: the emulator's own
    synchronous: bool = False  # launches return when their kernels have ended
    devices: int = 1
    counters: bool = False
    recordings: Path | None = None  # folder for what waves do, for the model of time
    apart: int = 0  # bytes of address space between two allocations; 0: as they come
    dies: int = 0  # that workgroups go round, where they are recorded; 0: as many as the chip has
    ranks: int = 0  # processes, which learn their ranks from the environment; 0: the program itself
    recorded_alone: bool = False  # run no more workgroups than the model follows: results are not whole


@dataclass(frozen=True, slots=True)
class Compiled:
    """Device code that ran: its kernels by symbol, and which compiler made it. `file`: empty where porter compiled it."""

    file: str
    compiler: str
    flags: str
    kernels: tuple[str, ...]

    def sentence(self) -> str:
        """One line for the terminal."""
        who = self.compiler or "a compiler that it does not name"
        flags = f"with {self.flags}" if self.flags else "flags not recorded"
        return f"code of {self.file or 'this run'}: {who}, {flags}"

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Outcome:
    """`code` is the program's own exit code; `launches` what the emulator reported of each kernel, in order."""

    code: int
    backend: str  # "gpu" or "emulator"
    build_seconds: float
    run_seconds: float
    launches: list[dict[str, Any]] = field(default_factory=list)
    assembly: tuple[Path, ...] = ()  # the device code of the sources, of an emulated run
    compiled: tuple[Compiled, ...] = ()  # the same

    @property
    def findings(self) -> list[dict[str, Any]]:
        return findings_by_line(self.launches)


def check_bits(names: Sequence[str]) -> int:
    """The sum of the checks' bits; `all` stands for every one, `none` for no more than what is always on."""
    known = {check.name: check.bit for check in CHECKS}
    bits = 0
    for name in names:
        if name == "all":
            bits |= sum(known.values())
        elif name in known:
            bits |= known[name]
        elif name != "none":
            raise UsageError(f"--check {name}: unknown check", "one of all, none, " + ", ".join(known))
    return bits


def gpu_present() -> bool:
    """Whether this process may use an AMD GPU, and ROCm is there to build for it."""
    return os.access("/dev/kfd", os.R_OK | os.W_OK) and find_rocm().complete


def run_program(sources: Sequence[Path], arguments: Sequence[str], options: Options, how: RunOptions) -> Outcome:
    """Compiles, runs, and waits. The program keeps this process's terminal, input and output."""
    check_bits(how.checks)  # a name that is not one, before anything is compiled
    began = time.perf_counter()
    if gpu_present() and not how.emulate:
        if options.code_objects:
            raise UsageError("--code-object: its kernels run in the emulator alone", "add --emulate")
        built = executable(sources, None, options, toolchain=find_rocm())
        middle = time.perf_counter()
        code = _start([str(built.path), *arguments], [dict(os.environ)] * max(how.ranks, 1), how.ranks)
        return Outcome(code, "gpu", middle - began, time.perf_counter() - middle)

    if check_bits(how.checks) & check_bits(["streams"]):  # findings name lines of the host's code
        options = replace(options, flags=(*options.flags, "-gline-tables-only"))
    built = emulated(sources, options)
    middle = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="porter-run-") as folder:
        reports = [Path(folder) / f"launches-{rank}.jsonl" for rank in range(max(how.ranks, 1))]
        environments = [{**os.environ, **emulator_settings(how, report)} for report in reports]
        code = _start([str(built.path), *arguments], environments, how.ranks)
        seconds = time.perf_counter() - middle
        launches = [
            {**launch, "rank": rank} if how.ranks else launch
            for rank, report in enumerate(reports)
            for launch in read_launches(report)
        ]
        compiled = compiled_by(built, options) if how.recordings or options.code_objects else ()
        return Outcome(code, "emulator", middle - began, seconds, launches, built.assembly, compiled)


def emulated(sources: Sequence[Path], options: Options) -> Built:
    """The program, built for the emulator and kept in the cache."""
    return _emulated(executable, sources, options)


def emulated_library(sources: Sequence[Path], options: Options) -> Built:
    """The same as a shared library. Its runtime is porter.emu.hostlib.host_library()."""
    return _emulated(shared_library, sources, options)


def _emulated(make: Callable[..., Built], sources: Sequence[Path], options: Options) -> Built:
    from porter.emu.elf.given import check_used, given_code, image_with, kernel_names
    from porter.emu.hostlib import host_library
    from porter.emu.image import build_image, image_key
    from porter.toolchain.store import digest, file_digest

    given = [given_code(path) for path in options.code_objects]
    key = digest(image_key(), *map(file_digest, options.code_objects)) if given else image_key()

    def image(assembly: Path) -> bytes:
        return image_with(assembly, given) if given else build_image(assembly.read_text())

    built = make(sources, None, options, image=image, image_key=key, library=host_library(), toolchain=find_toolchain())
    if not given:
        return built
    kernels = {path: kernel_names(path) for path in built.assembly}
    check_used(given, (name for own in kernels.values() for name in own))
    replaced = {name for code in given for name in code.program.kernels}
    return replace(built, assembly=tuple(path for path, own in kernels.items() if not replaced & set(own)))


def compiled_by(built: Built, options: Options) -> tuple[Compiled, ...]:
    """Which compilers made the kernels of an emulated program: of its code objects, and of what porter compiled."""
    from porter.emu.elf.compiler import compiler_of
    from porter.emu.elf.given import given_code, kernel_names

    made = [
        Compiled(str(code.path), code.compiler.version, code.compiler.flags, tuple(code.program.kernels))
        for code in map(given_code, options.code_objects)
    ]
    flags = " ".join(options.arguments())
    for path in built.assembly:
        if own := kernel_names(path):
            made.append(Compiled("", compiler_of(path.read_bytes()).version, flags, own))
    return tuple(made)


def emulator_settings(how: RunOptions, report: Path) -> dict[str, str]:
    """The environment variables that tell the emulator in a program what to do."""
    settings = {
        "PORTER_EMU_CHECKS": str(check_bits(how.checks)),
        "PORTER_EMU_REPORT": str(report),
        "PORTER_EMU_SEED": str(how.seed),
        "PORTER_EMU_DEVICES": str(how.devices),
        "PORTER_EMU_COUNT": str(int(how.counters)),
    }
    if how.recordings:
        settings["PORTER_EMU_RECORDINGS"] = str(how.recordings)
        settings["PORTER_EMU_RECORDED_ALONE"] = str(int(how.recorded_alone))
        if how.dies:
            settings["PORTER_EMU_RECORDED_DIES"] = str(how.dies)
    if how.apart:
        settings["PORTER_EMU_APART"] = str(how.apart)
    if how.threads:
        settings["PORTER_EMU_THREADS"] = str(how.threads)
    if how.max_instructions:
        settings["PORTER_EMU_MAX_INSTRUCTIONS"] = str(how.max_instructions)
    if how.patience >= 0:
        settings["PORTER_EMU_PATIENCE"] = str(how.patience)
    if how.synchronous:
        settings["PORTER_EMU_SYNCHRONOUS"] = "1"
    return settings


def _start(command: Sequence[str], environments: Sequence[dict[str, str]], ranks: int) -> int:
    """The program once, or once for each rank."""
    if not ranks:
        return _wait(command, environments[0])
    from porter.emu.ranks import run_ranks

    return run_ranks(command, environments)


def _wait(command: Sequence[str], environment: dict[str, str]) -> int:
    """The exit code as a shell gives it: 128 and the signal's number for a program that a signal ended."""
    process = subprocess.Popen(command, env=environment)
    try:
        code = process.wait()
    except KeyboardInterrupt:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=2)
        process.kill()
        raise
    return 128 - code if code < 0 else code


def read_launches(report: Path, start: int = 0) -> list[dict[str, Any]]:
    """The launches of a report, from a place in the file on."""
    if not report.is_file():
        return []
    launches = []
    with report.open("rb") as file:
        file.seek(start)
        text = file.read().decode("utf-8", "replace")
    for line in text.splitlines():
        with contextlib.suppress(json.JSONDecodeError):  # the last line of a program that was killed
            launches.append(json.loads(line))
    return launches
