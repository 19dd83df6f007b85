"""Ports that include torch's headers, as they are built for a case: after torch's own hipify, with torch's flags.

What an extension asks of torch's libraries for AMD's GPUs is not here: where torch is built without ROCm, its check of HIP's
errors is stated in `CHECKS`, and anything else of them is missing when the library is loaded.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from porter.cache_folder import cache_dir, one_at_a_time
from porter.frontend.project import Project
from porter.toolchain import Options, torch_rocm
from porter.toolchain.torch_rocm import Torch

__all__ = ["TorchSource", "torch_source"]

_TORCH = re.compile(rb'#[ \t]*include[ \t]*[<"](?:torch|ATen|c10)/')
_CHECK = re.compile(r"c10::(\w+)::(c10_\w+_check_implementation)\(")
_DONE = "hipified"
_LIBRARIES = ("c10", "torch_cpu", "c10_hip", "torch_hip")  # those that are there
CHECKS = """
// torch's check of HIP's errors, whose library is of torch for ROCm alone; releases differ in the type of the line.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
namespace c10::{space} {{
static void failed(int error, const char *file, const char *function, unsigned line) {{
  if (error == 0) return;
  std::fprintf(stderr, "%s:%u: %s: HIP error %d\\n", file, line, function, error);
  std::abort();
}}
__attribute__((visibility("default"))) void {name}(
    const int32_t error, const char *file, const char *function, const uint32_t line, const bool) {{
  failed(error, file, function, line);
}}
__attribute__((visibility("default"))) void {name}(
    const int32_t error, const char *file, const char *function, const int line, const bool) {{
  failed(error, file, function, unsigned(line));
}}
}}  // namespace c10::{space}
"""


@dataclass(frozen=True, slots=True)
class TorchSource:
    """What is compiled for a port that asks torch."""

    torch: Torch
    path: Path
    folders: tuple[str, ...]  # for headers: what hipify made of the port's first, torch's last
    places: tuple[
        tuple[Path, Path], ...
    ]  # hipify keeps lines: what stands for a file or a folder of the port, and that

    def options(self, given: Options) -> Options:
        torch = self.torch
        libraries = torch.folder / "lib"
        link = tuple(str(one) for name in _LIBRARIES if (one := libraries / f"lib{name}.so").is_file())
        return replace(
            given,
            std=max(given.std, torch.standard),
            defines=(*given.defines, *torch.defines, *torch.hip_defines),
            includes=self.folders,
            flags=(*given.flags, *(f"-fdebug-prefix-map={made}={port}" for made, port in self.places)),
            link=(*given.link, *link, f"-Wl,-rpath,{libraries}"),
        )

    def checks(self) -> str:
        """C++ that stands for what torch for ROCm has in a library; "" where that is here."""
        if self.torch.for_rocm:
            return ""
        header = next((one for f in self.folders if (one := Path(f, "c10/hip/HIPException.h")).is_file()), None)
        found = _CHECK.search(header.read_text("utf-8", "replace")) if header else None
        return CHECKS.format(space=found[1], name=found[2]) if found else ""


def torch_source(source: Path, folders: Sequence[str]) -> TorchSource | None:
    """The port as torch's builder compiles it; None where it does not ask torch, or there is none."""
    files = [Path(os.path.realpath(one)) for one in Project(source.parent, tuple(folders)).closure(source)]
    torch = torch_rocm.installed()
    if torch is None or not any(_TORCH.search(file.read_bytes()) for file in files):
        return None
    top = Path(os.path.commonpath([file.parent for file in files]))
    said = repr([torch.folder, torch.version, *((str(file), file.read_bytes()) for file in files)])
    stage = cache_dir() / "verify" / "torch" / hashlib.sha256(said.encode()).hexdigest()[:16]
    with one_at_a_time("torch-sources"):
        if not (stage / _DONE).is_file():
            shutil.rmtree(stage, ignore_errors=True)
            for file in files:
                (stage / file.relative_to(top)).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, stage / file.relative_to(top))
            seen = stage / Path(os.path.realpath(source)).relative_to(top)
            made = torch_rocm.hipified(torch, stage, [seen], ())[seen]
            (stage / _DONE).write_text(str(made.relative_to(stage)))
        headers = () if torch.for_rocm else (str(_headers(torch)),)
    own = [stage / Path(folder).relative_to(top) for folder in map(os.path.realpath, folders) if _below(folder, top)]
    places = (*map(str, own), *folders, *headers, *torch.includes)
    made = stage / (stage / _DONE).read_text()
    return TorchSource(torch, made, places, ((stage, top), (made, Path(os.path.realpath(source)))))


def _below(folder: str, top: Path) -> bool:
    return Path(folder).is_relative_to(top)


def _headers(torch: Torch) -> Path:
    """torch's headers for AMD's GPUs, made once."""
    what = f"{torch.folder} {torch.version}".encode()
    place = cache_dir() / "verify" / "torch" / f"headers-{hashlib.sha256(what).hexdigest()[:16]}"
    if not (place / _DONE).is_file():
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        torch_rocm.make_headers(torch, place)
        (place / _DONE).touch()
    return place
