"""What a program is made of: its folder, its twin, and the translation units that its build compiles.

Where there is a Makefile, `make -n` prints every command without running it. So sources, include paths and macros are
the build's own. Without
make or a Makefile, every CUDA or HIP source that no other file includes is a translation unit.
"""

from __future__ import annotations

import fnmatch
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["BuildUnit", "Program", "build_units", "count_lines", "find_programs", "make_commands", "source_files"]

DEVICE_SUFFIXES = frozenset({".cu", ".hip"})
HOST_SUFFIXES = frozenset({".cpp", ".cc", ".cxx", ".c++", ".C", ".c"})
HEADER_SUFFIXES = frozenset({".h", ".hpp", ".hh", ".hxx", ".cuh", ".inl", ".inc"})
SOURCE_SUFFIXES = DEVICE_SUFFIXES | HOST_SUFFIXES | HEADER_SUFFIXES
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
DEFAULT_STD = "c++17"


@dataclass(frozen=True, slots=True)
class Program:
    name: str
    folder: Path
    twin: Path | None = None  # the same program, ported by hand


@dataclass(frozen=True, slots=True)
class BuildUnit:
    """One file that the build hands to the device compiler, and how. Paths are as the build has them."""

    source: Path  # relative to the program's folder
    cwd: Path = Path(".")  # likewise: where the build stands, and what its -I paths start from
    includes: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    forced: tuple[str, ...] = ()
    std: str = DEFAULT_STD


@dataclass(slots=True)
class _Flags:
    includes: list[str] = field(default_factory=list)
    defines: list[str] = field(default_factory=list)
    forced: list[str] = field(default_factory=list)
    std: str = DEFAULT_STD
    language: str = ""
    sources: list[str] = field(default_factory=list)


def find_programs(folder: Path, *, match: str = "*", source_suffix: str = "", twin_suffix: str = "") -> list[Program]:
    """The programs of a corpus: sub-folders with a CUDA file in them, or the folder if it is one itself."""

    def make(path: Path) -> Program:
        twin = None
        if source_suffix and twin_suffix and path.name.endswith(source_suffix):
            beside = path.with_name(path.name[: -len(source_suffix)] + twin_suffix)
            twin = beside if beside.is_dir() else None
        return Program(path.name, path, twin)

    def holds_device_code(path: Path) -> bool:
        return next((True for file in source_files(path) if file.suffix in DEVICE_SUFFIXES | {".cuh"}), False)

    own = [path for path in folder.iterdir() if path.is_file() and path.suffix in DEVICE_SUFFIXES]
    if own or any((folder / name).is_file() for name in MAKEFILES):
        return [make(folder)]
    named = [
        path
        for path in sorted(folder.iterdir())
        if path.is_dir() and path.name.endswith(source_suffix) and fnmatch.fnmatchcase(path.name, match)
    ]
    return [make(path) for path in named if source_suffix or holds_device_code(path)]


def source_files(folder: Path) -> list[Path]:
    """Every C++, CUDA and HIP file below the folder, in a stable order; links out of it are not followed."""
    sources = []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        named = (Path(place, name) for name in sorted(files) if Path(name).suffix in SOURCE_SUFFIXES)
        sources += [path for path in named if path.is_file()]
    return sources


def count_lines(files: Iterable[Path]) -> int:
    """How many lines the files have together; files that are missing count as empty."""
    return sum(file.read_bytes().count(b"\n") for file in files if file.is_file())


def build_units(folder: Path) -> list[BuildUnit]:
    """The translation units with device code or with calls of the CUDA or HIP runtime."""
    units = _from_make(folder)
    if not any(_is_device_source(folder, unit) for unit in units):
        units = _from_tree(folder)
    seen: dict[Path, BuildUnit] = {}
    for unit in units:
        seen.setdefault(unit.source, unit)
    return [unit for unit in seen.values() if _is_device_source(folder, unit)]


# ---------------------------------------------------------------- asking make

_COMMAND_ENDS = re.compile(r"&&|\|\||;|\|")
_ENTERING = re.compile(r"^make(?:\[\d+\])?: (Entering|Leaving) directory [`'\"](.*)['\"]$")
_NO_COMPILERS = frozenset({"echo", "rm", "cp", "mv", "ar", "ld", "ranlib", "mkdir", "printf", "touch", "cat", "ln"})


def _from_make(folder: Path) -> list[BuildUnit]:
    units = []
    for cwd, words in make_commands(folder):
        if words[0].lstrip("@-") not in _NO_COMPILERS:
            units += _units_of(folder, cwd, words)
    return units


def make_commands(folder: Path, *targets: str) -> list[tuple[Path, list[str]]]:
    """Every command that make would run for the targets, and the folder it would run it in."""
    make = shutil.which("make") or shutil.which("gmake")
    if make is None:
        return []
    commands = []
    for place in _make_folders(folder):
        try:
            # -B: as if nothing had been built; -k: a missing input stops one target, not the rest.
            done = subprocess.run(
                [make, "-n", "-B", "-k", "-w", "-C", str(place), *targets],
                capture_output=True,
                timeout=60,
                check=False,
                env={**os.environ, "LC_ALL": "C", "MAKEFLAGS": ""},
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        commands += _read_make(place, done.stdout.decode("utf-8", "replace"))
    return commands


def _make_folders(folder: Path) -> list[Path]:
    """The folders whose Makefile nobody above them would call: the top one, or the highest below it."""
    level = [folder]
    for _ in range(3):
        calling = [path for path in level if any((path / name).is_file() for name in MAKEFILES)]
        if calling:
            return calling
        level = sorted(child for path in level for child in path.iterdir() if child.is_dir())
    return []


def _read_make(place: Path, output: str) -> list[tuple[Path, list[str]]]:
    commands: list[tuple[Path, list[str]]] = []
    stack = [place]
    for line in output.replace("\\\n", " ").splitlines():
        moved = _ENTERING.match(line)
        if moved:
            if moved[1] == "Entering":
                stack.append(Path(moved[2]))
            elif len(stack) > 1:
                stack.pop()
            continue
        cwd = stack[-1]
        for command in _COMMAND_ENDS.split(line):
            try:
                words = shlex.split(command)
            except ValueError:
                words = command.split()
            if len(words) == 2 and words[0] == "cd":
                cwd = cwd / words[1]
            elif words:
                commands.append((cwd, words))
    return commands


def _units_of(folder: Path, cwd: Path, words: Sequence[str]) -> list[BuildUnit]:
    flags = _read_flags(words)
    if flags.language in ("c", "c++"):
        return []  # the build says itself that this is host code
    units = []
    for name in flags.sources:
        path = Path(os.path.normpath(cwd / name))
        if path.is_file():
            units.append(
                BuildUnit(
                    source=Path(os.path.relpath(path, folder)),
                    cwd=Path(os.path.relpath(cwd, folder)),
                    # the tree is about to be copied elsewhere: a full path into it must move along
                    includes=tuple(_relative(place, folder, cwd) for place in flags.includes),
                    defines=tuple(flags.defines),
                    forced=tuple(flags.forced),
                    std=flags.std,
                )
            )
    return units


def _relative(place: str, folder: Path, cwd: Path) -> str:
    inside = os.path.isabs(place) and Path(os.path.normpath(place)).is_relative_to(folder)
    return os.path.relpath(place, cwd) if inside else place


def _read_flags(words: Sequence[str]) -> _Flags:
    flags = _Flags()
    rest = iter(words[1:])
    for word in rest:
        if word in ("-I", "-isystem", "--include-path"):
            flags.includes.append(next(rest, "."))
        elif word.startswith("-I"):
            flags.includes.append(word[2:])
        elif word in ("-D", "--define-macro"):
            flags.defines.append(next(rest, "_"))
        elif word.startswith("-D"):
            flags.defines.append(word[2:])
        elif word in ("-include", "--pre-include"):
            flags.forced.append(next(rest, ""))
        elif word in ("-x", "--x"):
            flags.language = next(rest, "")
        elif word in ("-std", "--std"):
            flags.std = next(rest, DEFAULT_STD)
        elif word.startswith(("-std=", "--std=")):
            flags.std = word.split("=", 1)[1]
        elif word in ("-o", "-MF", "-MT", "-Xcompiler", "-Xptxas", "-Xlinker", "-arch", "-gencode"):
            next(rest, None)
        elif not word.startswith("-") and Path(word).suffix in DEVICE_SUFFIXES | HOST_SUFFIXES:
            flags.sources.append(word)
    return flags


# ---------------------------------------------------------------- without a build

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.MULTILINE)
_GPU_HEADER = re.compile(
    rb"(?:.*/)?(?:cuda\w*|cu[a-z]+(?:_v2|Lt|XT)?|curand_kernel|cooperative_groups|device_launch_parameters|nvrtc)\.h$"
    rb"|(?:hip|rocrand|rocblas|hip[a-z]+)/|cub/|thrust/|porter/"
)
_TEXT_I = re.compile(r"(?:^|[\s\"'(])-I[ \t]*([^\s\"')]+)")
_TEXT_D = re.compile(r"(?:^|[\s\"'(])-D[ \t]*([A-Za-z_]\w*(?:=[\w.+-]*)?)")


def _from_tree(folder: Path) -> list[BuildUnit]:
    files = source_files(folder)
    included: set[Path] = set()
    for file in files:
        for quoted, _ in _INCLUDE.findall(file.read_bytes()):
            included.add(Path(os.path.normpath(file.parent / os.fsdecode(quoted))))
    text = "\n".join(
        path.read_text("latin-1")
        for name in ("Makefile", "CMakeLists.txt")
        for path in sorted(folder.rglob(name))
        if path.is_file()
    )
    own = sorted({str(file.parent.relative_to(folder)) for file in files if file.suffix in HEADER_SUFFIXES})
    includes = (".", *(name for name in dict.fromkeys(_TEXT_I.findall(text)) if "$" not in name), *own)
    defines = tuple(dict.fromkeys(_TEXT_D.findall(re.sub(r"#.*", "", text))))
    return [
        BuildUnit(file.relative_to(folder), Path("."), includes, defines)
        for file in files
        if file.suffix in DEVICE_SUFFIXES | HOST_SUFFIXES and file not in included
    ]


def _is_device_source(folder: Path, unit: BuildUnit) -> bool:
    if unit.source.suffix in DEVICE_SUFFIXES:
        return True
    base = folder / unit.cwd
    places = [Path(os.path.normpath(base / name)) for name in unit.includes]
    return _uses_gpu(folder / unit.source, places, set())


def _uses_gpu(file: Path, places: Sequence[Path], seen: set[Path]) -> bool:
    """Whether the file, or a header of the project that it includes, includes a CUDA or HIP header."""
    seen.add(file)
    try:
        text = file.read_bytes()
    except OSError:
        return False
    for quoted, angled in _INCLUDE.findall(text):
        name = quoted or angled
        if _GPU_HEADER.match(name):
            return True
        for place in ([file.parent] if quoted else []) + list(places):
            path = Path(os.path.normpath(place / os.fsdecode(name)))
            if path.is_file():
                if path not in seen and _uses_gpu(path, places, seen):
                    return True
                break
    return False
