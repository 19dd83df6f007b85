"""torch as a port's extension finds it on ROCm: its own hipify, its builder's flags, and its headers for AMD's GPUs.

A build of torch for ROCm makes those headers from the ones for CUDA by the same hipify. Each torch has both, so that where it
is built without ROCm porter makes them as torch's build does; two small ones that CMake writes are stated here.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

from porter.toolchain.torch_headers import include_folders, place_and_version

__all__ = ["EXTENSION", "EXTENSION_DEFINES", "Torch", "hipified", "installed", "make_headers"]

_FOR_CUDA = ("c10/cuda", "ATen/cuda")
_BY_CMAKE = {
    "c10/hip/impl/hip_cmake_macros.h": "#pragma once\n#define C10_HIP_BUILD_SHARED_LIBS\n",
    "ATen/hip/HIPConfig.h": "#pragma once\n#define AT_CUDNN_ENABLED() 0\n#define AT_CUSPARSELT_ENABLED() 0\n"
    "#define AT_HIPSPARSELT_ENABLED() 0\n#define AT_ROCM_ENABLED() 1\n#define AT_MAGMA_ENABLED() 0\n",
}
EXTENSION = "extension"  # what TORCH_EXTENSION_NAME is, which torch's builder sets to the extension's own name
EXTENSION_DEFINES = ("TORCH_API_INCLUDE_EXTENSION_H", f"TORCH_EXTENSION_NAME={EXTENSION}")
_STANDARD = re.compile(r"-std=(c\+\+\d\d)")


@dataclass(frozen=True, slots=True)
class Torch:
    """The torch of porter's environment, and what its builder gives the compiler for an extension on ROCm."""

    folder: Path
    version: str
    for_rocm: bool  # it has the headers for AMD's GPUs
    standard: str  # "" where its builder names none
    defines: tuple[str, ...]
    hip_defines: tuple[str, ...]  # of sources with device code, besides

    @property
    def includes(self) -> tuple[str, ...]:
        """The folders with torch's headers and Python's own."""
        return tuple(map(str, include_folders(self.folder)))

    def newer_standard(self, given: str) -> str:
        """The standard of C++ that its builder names, or the one given, `c++17` or `gnu++17`, if that is as new."""
        return max(given, self.standard, key=lambda one: one.partition("++")[2])


@cache
def installed() -> Torch | None:
    """The torch that porter runs beside; None where there is none."""
    place = place_and_version()
    if place is None:
        return None
    folder, number = place
    try:
        builder = (folder / "utils/cpp_extension.py").read_text("utf-8")
    except OSError:
        builder = ""
    flags = _lists_of_flags(builder)
    return Torch(
        folder,
        number,
        (folder / "include/c10/hip").is_dir(),
        max(_STANDARD.findall(builder), default=""),
        (*EXTENSION_DEFINES, *_defines(flags.get("COMMON_HIP_FLAGS", ()))),
        _defines(flags.get("COMMON_HIPCC_FLAGS", ())),
    )


def _lists_of_flags(source: str) -> Mapping[str, Sequence[object]]:
    """The lists that a module binds to names, where they are written out."""
    lists: dict[str, Sequence[object]] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List):
            with contextlib.suppress(ValueError):
                lists.update(
                    (target.id, ast.literal_eval(node.value)) for target in node.targets if isinstance(target, ast.Name)
                )
    return lists


def _defines(flags: Sequence[object]) -> tuple[str, ...]:
    return tuple(flag[2:] for flag in flags if isinstance(flag, str) and flag.startswith("-D"))


def make_headers(torch: Torch, folder: Path) -> None:
    """Writes torch's headers for AMD's GPUs into a folder, which goes before torch's own."""
    for name in _FOR_CUDA:
        if (torch.folder / "include" / name).is_dir():
            shutil.copytree(torch.folder / "include" / name, folder / name)
    _run(torch, folder, extra_files=(), is_pytorch_extension=False)
    for name, text in _BY_CMAKE.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    for name in _FOR_CUDA:  # those for CUDA are torch's own, and not to be found here first
        shutil.rmtree(folder / name, ignore_errors=True)


def hipified(torch: Torch, folder: Path, sources: Sequence[Path], includes: Sequence[str]) -> dict[Path, Path]:
    """What torch's builder compiles for each source of an extension in a folder, after its hipify has run there."""
    result = _run(
        torch, folder, extra_files=[str(source) for source in sources], is_pytorch_extension=True,
        hipify_extra_files_only=True, header_include_dirs=list(includes),
    )  # fmt: skip
    made: dict[Path, Path] = {}
    for source in sources:
        hipified_source = result.get(str(source))
        made[source] = (
            Path(hipified_source.hipified_path)
            if hipified_source is not None and hipified_source.hipified_path
            else source
        )
    return made


def _run(torch: Torch, folder: Path, **options: object) -> Mapping[str, ModuleType]:
    """hipify's own result, by file."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        result: Mapping[str, ModuleType] = _module(torch).hipify(
            project_directory=str(folder),
            output_directory=str(folder),
            includes=[f"{folder}/*"],
            **options,
        )
    return result


def _module(torch: Torch) -> ModuleType:
    """hipify_python, without torch: loading all of it takes seconds. Anew each time, since it keeps what it has done."""
    name = "porter_torch_hipify"
    package = torch.folder / "utils/hipify"
    for known in [known for known in sys.modules if known.partition(".")[0] == name]:
        del sys.modules[known]
    spec = importlib.util.spec_from_file_location(
        name, package / "__init__.py", submodule_search_locations=[str(package)]
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return importlib.import_module(f"{name}.hipify_python")
