"""Ports of extensions as torch's builder compiles them: after torch's own hipify, with torch's flags.

All that the run has written is copied into a temporary folder, since hipify writes beside what it reads.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clang.cindex import TranslationUnit

from porter.findings import decode
from porter.frontend.ast import translation_unit
from porter.frontend.left_out import WITH_LEFT_OUT, left_out
from porter.frontend.source_file import SourceFile
from porter.port.edits.origins import line_origins
from porter.port.jobs import Job, Plan
from porter.port.pipeline import Conversion
from porter.toolchain import torch_rocm
from porter.toolchain.torch_rocm import Torch

__all__ = ["Extensions", "extensions", "pybind11_folders", "uses_torch"]

_TORCH = re.compile(rb'#[ \t]*include[ \t]*[<"](?:torch|ATen|c10)/')
_PYBIND11 = re.compile(rb'#[ \t]*include[ \t]*[<"]pybind11/')


@dataclass(frozen=True, slots=True)
class Extensions:
    """What is compiled for the jobs that ask torch."""

    torch: Torch | None = None
    sources: Mapping[Job, Path] = field(default_factory=dict)
    refused: Mapping[Job, str] = field(default_factory=dict)  # what hipify says of them
    places: Mapping[str, Path] = field(default_factory=dict)  # a port's path -> where hipify saw it
    headers: tuple[str, ...] = ()
    made_of: Mapping[str, Path] = field(default_factory=dict)  # a file of hipify's -> the port

    @property
    def note(self) -> str:
        """What was compiled; "" where no port asks torch."""
        if self.torch is None or not self.sources:
            return ""
        made = ""
        if not self.torch.for_rocm:
            made = "; its headers for AMD's GPUs were made by the same hipify, as this torch is built without ROCm"
        return f"compiled as torch {self.torch.version}'s extension builder does, after its hipify{made}"

    def folders(self, given: Sequence[str]) -> tuple[str, ...]:
        """Folders for headers: what hipify made of them first, torch's last."""
        seen = [str(self.places[one]) for folder in given if (one := os.path.realpath(folder)) in self.places]
        return (*seen, *given, *self.headers, *(self.torch.includes if self.torch else ()))

    def origin(self, file: str, line: int) -> tuple[str, int]:
        """The place in the port that one in hipify's file stands for."""
        port = self.made_of.get(os.path.realpath(file))
        if port is None:
            return file, line
        origins = line_origins(decode(port.read_bytes()), decode(Path(file).read_bytes()))
        return str(port), origins[min(max(line, 1), len(origins)) - 1]


def uses_torch(job: Job, conversion: Conversion) -> bool:
    """Whether the code of a unit that is compiled includes torch's headers: its macros may leave them out."""
    ports = conversion.of_job(job)
    files = [file for path in ports.project.closure(job.path) if (file := ports.project.file(path)) is not None]
    files = [file for file in files if file.has(_TORCH)]
    unit = translation_unit(job.path, {}, ports.options.of_parse, wanted=WITH_LEFT_OUT) if files else None
    return unit is not None and any(_is_taken(unit, file) for file in files)


def pybind11_folders(job: Job, conversion: Conversion) -> tuple[str, ...]:
    """The folders of the pybind11 that torch brings, and of Python's headers, for a unit that includes it. Without torch
    such a unit is a module that its own build file compiles: torch's hipify is not for it."""
    project = conversion.of_job(job).project
    files = (project.file(path) for path in project.closure(job.path))
    torch = torch_rocm.installed() if any(file is not None and file.has(_PYBIND11) for file in files) else None
    return torch.includes if torch is not None else ()


def _is_taken(unit: TranslationUnit, file: SourceFile) -> bool:
    """Whether the preprocessor comes to an include of torch's headers in a file."""
    spans = left_out(unit, [file.path]).get(file.path)
    places = (include.start() for include in _TORCH.finditer(file.data))
    return spans is not None and any(not any(start <= place < end for start, end in spans) for place in places)


@contextlib.contextmanager
def extensions(jobs: Sequence[Job], plan: Plan, headers: Callable[[Job], Iterable[str]]) -> Iterator[Extensions]:
    """What torch's builder makes of the jobs' ports; its files are gone afterwards. `headers` gives the folders that a
    job's port is compiled with, which setup.py names to the builder."""
    torch = torch_rocm.installed()
    if torch is None or not jobs:
        yield Extensions(torch)
        return
    with tempfile.TemporaryDirectory(prefix="porter-torch-") as name:
        yield _made(torch, jobs, plan, headers, Path(os.path.realpath(name)))


def _made(
    torch: Torch, jobs: Sequence[Job], plan: Plan, headers: Callable[[Job], Iterable[str]], work: Path
) -> Extensions:
    outputs = [Path(os.path.realpath(job.output)) for job in plan.jobs if job.output.is_file()]
    beside = [Path(os.path.realpath(place)) for place in plan.runtime_dirs if (place / "porter").is_dir()]
    top = Path(os.path.commonpath([*(output.parent for output in outputs), *beside]))
    stage = work / "extension"
    copies: dict[Path, Path] = {}  # where hipify sees it -> the port
    for output in (*outputs, *_headers(plan)):
        if not output.is_relative_to(top):
            continue
        copy = stage / output.relative_to(top)
        if not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(output, copy)
            copies[copy] = output
    places = {str(port): copy for copy, port in copies.items()}
    for above in {folder for copy in copies for folder in copy.parents if folder.is_relative_to(stage)}:
        places[str(top / above.relative_to(stage))] = above
    staged = {job: places[os.path.realpath(job.output)] for job in jobs}
    sources: dict[Job, Path] = {}
    refused: dict[Job, str] = {}
    for folder in dict.fromkeys(_built_in(stage, copy) for copy in staged.values()):
        own = {job: copy for job, copy in staged.items() if _built_in(stage, copy) == folder}
        named = dict.fromkeys(os.path.realpath(one) for job in own for one in headers(job))
        try:
            made = torch_rocm.hipified(
                torch, folder, list(own.values()), [str(places[one]) for one in named if one in places]
            )
        except (Exception, SystemExit) as error:  # it has no errors of its own
            refused.update(dict.fromkeys(own, f"torch's hipify fails: {type(error).__name__}: {error}"))
        else:
            sources.update((job, made[copy]) for job, copy in own.items())
    own_headers: tuple[str, ...] = ()
    if not torch.for_rocm:
        torch_rocm.make_headers(torch, work / "torch")
        own_headers = (str(work / "torch"),)
    return Extensions(torch, sources, refused, places, own_headers, _made_of(copies, sources, stage))


def _headers(plan: Plan) -> Iterator[Path]:
    """porter's own headers beside the ports, and the ports of headers that lie elsewhere."""
    for folder in (*(place / "porter" for place in plan.runtime_dirs), *(home.output for home in plan.homes)):
        yield from (Path(os.path.realpath(path)) for path in folder.rglob("*") if path.is_file())


def _built_in(stage: Path, copy: Path) -> Path:
    """The folder in which the builder runs: that of the nearest setup.py, or of the whole port."""
    above = [folder for folder in copy.parents if folder.is_relative_to(stage)]
    return next((folder for folder in above if (folder / "setup.py").is_file()), stage)


def _made_of(copies: Mapping[Path, Path], sources: Mapping[Job, Path], stage: Path) -> dict[str, Path]:
    """The port of each file in hipify's folder. What hipify wrote has the name of what it read, with hip in it."""
    made_of = {str(copy): port for copy, port in copies.items()}
    made_of.update((str(made), Path(os.path.realpath(job.output))) for job, made in sources.items())
    for path in stage.rglob("*_hip.*"):
        read = path.with_name(path.name.replace("_hip.", ".", 1))
        if str(path) not in made_of and read in copies:
            made_of[str(path)] = copies[read]
    return made_of
