"""ROCm's libraries that are headers alone, from an installation or from clones of their repositories.

    rocm_headers(folder)        -> which libraries are in it, with their versions; UsageError where none is
    found_rocm_headers()        -> those of PORTER_ROCM_HEADERS, ROCM_PATH, /opt/rocm or pip's rocm-sdk-devel
    rocm_header_flags(folder)   -> what the compiler needs to take them, of the folder or of those that are found
    flags_without_a_link()      -> the same for what is compiled and not linked: with headers that only declare

The compiler gets one folder with links to each library, so that nothing else of an installation is taken. A clone lacks
the header with its version, which its CMake writes from a template; it is written here from the same template. What is
not headers alone (hipBLAS, hipFFT, RCCL) stays porter's stand-in in a program that runs in the emulator.
"""

from __future__ import annotations

import importlib.util
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from porter.cache_folder import cache_dir
from porter.errors import UsageError
from porter.paths import RUNTIME_INCLUDE
from porter.toolchain.store import digest

__all__ = ["Library", "flags_without_a_link", "found_rocm_headers", "rocm_header_flags", "rocm_headers"]

ENVIRONMENT = "PORTER_ROCM_HEADERS"
# A library by the folder that is included, and a header that no other folder of that name has.
MARKS = {"rocprim": "rocprim.hpp", "hipcub": "hipcub.hpp", "thrust": "system/hip/config.h", "rocwmma": "rocwmma.hpp"}
# Libraries with code of their own, and those that their headers include: folders of an installation's headers.
_DECLARED = (
    "hipblas", "hipblas-common", "hipblaslt", "hipfft", "hiprand", "hipsolver", "hipsparse", "rccl", "rocblas", "rocm-core",
    "rocrand", "rocsolver", "rocsparse",
)  # fmt: skip
_PLACES = ("", "include", "*", "*/include", "*/*", "*/*/include")
_VERSION = re.compile(r"(?m)^#define \w+_VERSION +(\d+)(?: \* 100000 \+ (\d+) \* 100 \+ (\d+))?$")

_SET_VERSION = re.compile(r'(?:VERSION_STRING|rocm_setup_version\(VERSION) "?(\d+)\.(\d+)\.(\d+)')


@dataclass(frozen=True, slots=True)
class Library:
    name: str
    folder: Path
    version: tuple[int, int, int] | None  # None: no header says it

    def __str__(self) -> str:
        return f"{self.name} {'.'.join(map(str, self.version))}" if self.version else self.name


def rocm_headers(folder: Path) -> tuple[Library, ...]:
    """In the order of MARKS. An installation, its folder of headers, or a folder of clones."""
    libraries = tuple(_libraries(folder))
    if not libraries:
        raise UsageError(
            f"{folder}: no library of ROCm that is headers alone",
            "name an installation, or a folder with clones of rocPRIM, hipCUB and rocThrust",
        )
    return libraries


def found_rocm_headers() -> tuple[Library, ...]:
    if given := os.environ.get(ENVIRONMENT):
        return rocm_headers(Path(given))
    return next((libraries for root in _installations() if (libraries := tuple(_libraries(root, ("include",))))), ())


def _installations() -> Iterator[Path]:
    spec = importlib.util.find_spec("_rocm_sdk_devel")
    roots = [os.environ.get("ROCM_PATH"), "/opt/rocm", *(spec.submodule_search_locations or () if spec else ())]
    return (Path(root) for root in roots if root)


def rocm_header_flags(folder: Path | None = None) -> tuple[str, ...]:
    return _flags(rocm_headers(folder) if folder else found_rocm_headers())


def flags_without_a_link() -> tuple[str, ...]:
    declared = ([path for name in _DECLARED if (path := root / "include" / name).is_dir()] for root in _installations())
    folders = [] if os.environ.get(ENVIRONMENT) else next(filter(None, declared), [])
    return _flags((*found_rocm_headers(), *(Library(path.name, path.resolve(), None) for path in folders)))


def _flags(libraries: tuple[Library, ...]) -> tuple[str, ...]:
    if not libraries:
        return ()
    flags = ["-isystem", str(_tree(libraries))]
    if any(library.version and library.version < (4, 0, 0) for library in libraries):
        flags += ["-include", "chrono"]  # rocThrust counts on it, and HIP's headers brought it until ROCm 6
    return tuple(flags)


def _libraries(folder: Path, places: tuple[str, ...] = _PLACES) -> Iterator[Library]:
    for name, mark in MARKS.items():
        folders = (
            path
            for place in places
            for path in sorted(folder.glob(f"{place}/{name}" if place else name))
            if (path / mark).is_file() and not path.resolve().is_relative_to(RUNTIME_INCLUDE.resolve())
        )
        if at := next(folders, None):
            yield Library(name, at.resolve(), _version(at))


def _version(folder: Path) -> tuple[int, int, int] | None:
    for path in sorted(folder.glob("*version.h*")):
        hit = _VERSION.search(path.read_text(errors="replace") if path.suffix != ".in" else _filled(path))
        if hit and hit[2]:
            return int(hit[1]), int(hit[2]), int(hit[3])
        if hit:
            return int(hit[1]) // 100000, int(hit[1]) // 100 % 1000, int(hit[1]) % 100
    return None


def _filled(template: Path) -> str:
    """The header that CMake makes of a template, with the version that the clone's CMakeLists.txt sets."""
    text = template.read_text(errors="replace")
    for folder in template.parents:
        lists = folder / "CMakeLists.txt"
        if lists.is_file() and (hit := _SET_VERSION.search(lists.read_text(errors="replace"))):
            for part, number in zip(("MAJOR", "MINOR", "PATCH"), hit.groups()):
                text = re.sub(rf"@\w+_VERSION_{part}@", number, text)
            break
    return text


def _tree(libraries: tuple[Library, ...]) -> Path:
    """A folder of links to the libraries; in a library with templates, links to its parts and the headers beside them."""
    contents: dict[str, Path | str] = {}
    for library in libraries:
        templates = [path for path in library.folder.glob("*version.h*.in") if not path.with_suffix("").is_file()]
        if not templates:
            contents[library.name] = library.folder
            continue
        contents |= {f"{library.name}/{path.name}": path for path in library.folder.iterdir()}
        contents |= {f"{library.name}/{path.stem}": _filled(path) for path in templates}
    target = cache_dir() / f"rocm-headers-{digest(*(f'{name} {what}' for name, what in sorted(contents.items())))[:16]}"
    if target.is_dir():
        return target
    with tempfile.TemporaryDirectory(prefix=".rocm-headers-", dir=cache_dir()) as folder:
        draft = Path(folder) / "tree"
        for name, what in contents.items():
            place = draft / name
            place.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(what, Path):
                place.symlink_to(what)
            else:
                place.write_text(what)
        try:
            draft.rename(target)
        except OSError:  # another process was first
            if not target.is_dir():
                raise
    return target
