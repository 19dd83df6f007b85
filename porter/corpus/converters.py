"""The converters that can be measured, behind one call: a tree in, a tree out, and where each file went.

Each works on a copy of the program; what a converter writes beside or over its input stays there.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from porter.corpus.program import DEVICE_SUFFIXES, HEADER_SUFFIXES, source_files
from porter.errors import UsageError

__all__ = ["Conversion", "Converter", "find_converter"]

TIMEOUT = 3600.0
LARGE = 1 << 20  # bytes; data files of this size are linked, not copied


@dataclass(frozen=True, slots=True)
class Conversion:
    """What one run of a converter did. `moved` holds the sources whose port has another name."""

    seconds: float
    moved: Mapping[Path, Path] = field(default_factory=dict)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Converter:
    name: str
    convert: Callable[[Path, Path], Conversion]  # source folder, folder to make
    runtime: bool = False  # whether its output relies on porter's runtime headers


def find_converter(spec: str) -> Converter:
    """`none`, `torch`, `porter`, or `hipify-perl[:PATH]`."""
    name, _, path = spec.partition(":")
    if name == "none":
        return Converter("none", _none)
    if name == "porter":
        return Converter("porter", _porter, runtime=True)
    if name == "torch":
        if importlib.util.find_spec("torch") is None:
            raise UsageError("torch is not installed, so its hipify cannot be measured", "pip install torch")
        return Converter("torch", _torch)
    if name == "hipify-perl":
        script = path or shutil.which("hipify-perl") or ""
        if not Path(script).is_file():
            raise UsageError(f"hipify-perl not found ({script or 'not on PATH'})", "hipify-perl:/path/to/hipify-perl")
        return Converter("hipify-perl", lambda source, target: _perl(script, source, target))
    raise UsageError(f"unknown converter {spec!r}", "porter, torch, hipify-perl[:PATH] or none")


def copy_tree(source: Path, target: Path) -> None:
    def copy(origin: str, place: str) -> None:
        if os.path.getsize(origin) > LARGE and Path(origin).suffix not in HEADER_SUFFIXES | DEVICE_SUFFIXES:
            os.symlink(os.path.abspath(origin), place)
        else:
            shutil.copyfile(origin, place)

    ignore = shutil.ignore_patterns(".git", "__pycache__")
    shutil.copytree(source, target, copy_function=copy, ignore_dangling_symlinks=True, ignore=ignore)


def _none(source: Path, target: Path) -> Conversion:
    copy_tree(source, target)
    return Conversion(0.0)


def _porter(source: Path, target: Path) -> Conversion:
    began = time.perf_counter()
    command = [sys.executable, "-m", "porter", "convert", str(source), "-o", str(target)]
    done = subprocess.run(command, capture_output=True, timeout=TIMEOUT, check=False)
    seconds = time.perf_counter() - began
    problem = ""
    if done.returncode not in (0, 1):
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        problem = lines[-1] if lines else f"exit status {done.returncode}"
    _fill(source, target)
    return Conversion(seconds, _renamed(source, target), problem)


def _fill(source: Path, target: Path) -> None:
    """Bring the files that a converter does not write: data, and sources without anything to port."""
    for place, folders, files in os.walk(source):
        folders[:] = [name for name in folders if name not in (".git", "__pycache__")]
        for name in files:
            origin = Path(place, name)
            copy = target / origin.relative_to(source)
            ported = copy.with_suffix(".hip")
            if copy.exists() or (origin.suffix in DEVICE_SUFFIXES and ported.exists()) or not origin.is_file():
                continue
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.symlink_to(origin.resolve())


def _renamed(source: Path, target: Path) -> dict[Path, Path]:
    moved = {}
    for file in source_files(source):
        old = file.relative_to(source)
        for new in (old.with_suffix(".hip"), old.with_name(old.name + ".hip")):
            if new != old and (target / new).is_file() and not (source / new).is_file():
                moved[old] = new
                break
    return moved


def _torch(source: Path, target: Path) -> Conversion:
    copy_tree(source, target)
    began = time.perf_counter()
    problems = []
    try:
        moved = _torch_once(target, "*")
    except Exception:  # one file it cannot read ends its run, so the files are given one by one
        moved = {}
        for file in source_files(target):
            try:
                moved.update(_torch_once(target, str(file)))
            except Exception as error:
                problems.append(f"{file.relative_to(target)}: {type(error).__name__}: {error}")
    return Conversion(time.perf_counter() - began, moved, "; ".join(problems))


def _torch_once(target: Path, includes: str) -> dict[Path, Path]:
    from torch.utils.hipify import hipify_python

    hipify_python.HIPIFY_FINAL_RESULT.clear()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        results = hipify_python.hipify(
            project_directory=str(target),
            output_directory=str(target),
            includes=[includes],
            extensions=(".cu", ".cuh", ".c", ".cc", ".cpp", ".cxx", ".h", ".in", ".hpp"),
            show_progress=False,
            hip_clang_launch=True,
            is_pytorch_extension=True,  # a project of its own, not a part of PyTorch
        )
    moved = {}
    for old, result in results.items():
        new = result.hipified_path
        if new and new != old:
            moved[Path(os.path.relpath(old, target))] = Path(os.path.relpath(new, target))
    return moved


# hipify-perl is slow (10 to 50 seconds for a thousand lines) and leaves a file without these as it is.
_WORTH_IT = re.compile(
    rb"\b(?:cu|CU|nv|NV|nccl|NCCL|tex|surf|thrust|cub|warp)|<<<"
    rb"|__(?:global|device|shared|constant)__|__[a-z]+_sync"
)


def _perl(script: str, source: Path, target: Path) -> Conversion:
    copy_tree(source, target)
    began = time.perf_counter()
    files = [file for file in source_files(target) if _WORTH_IT.search(file.read_bytes())]
    problem = ""
    if files:
        try:
            # One process for all files: the patterns are compiled once.
            command = ["perl", script, "-quiet-warnings", "-inplace", *map(str, files)]
            done = subprocess.run(command, capture_output=True, timeout=TIMEOUT, check=False)
            problem = f"exit status {done.returncode}" if done.returncode else ""
        except subprocess.TimeoutExpired:
            problem = f"no result in {TIMEOUT:.0f} s"
    seconds = time.perf_counter() - began
    for file in files:
        file.with_name(file.name + ".prehip").unlink(missing_ok=True)
    return Conversion(seconds, {}, problem)
