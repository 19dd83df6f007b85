"""The folders that a build file names for headers, as far as its text says which they are."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from porter.buildfiles.cmake_lexer import lex_cmake
from porter.buildfiles.make_facts import expand
from porter.buildfiles.make_lexer import lex_make
from porter.findings import decode

__all__ = ["folders_of_build_files", "include_folders", "is_system", "is_toolkit"]

_FLAG = re.compile(
    r"(?<![\w-])(?:-I|-isystem|-iquote|--?include-path(?=[ \t=]))[ \t=]*(?:\"([^\"]+)\"|'([^']+)'|([^\s\"',;|&]+))"
)
_PREFIXED = re.compile(  # a list whose words get the -I in front
    r"\$[({](\w+):%=-I%[)}]|\$\((?:addprefix -I|patsubst %,-I%),[ \t]*((?:[^()]|\([^()]*\))+)\)|\$\(foreach \w+,([^,]+),[ \t]*-I"
)
_HERE = re.compile(r"\$[({](?:CURDIR|PWD|CMAKE_CURRENT_(?:SOURCE|LIST)_DIR)[)}]|\$\(shell pwd\)|`pwd`")
_INSTALLED = re.compile(r"/usr/(?:local/)?(?:include|lib|cuda)|/opt/(?:rocm|cuda|nvidia)")
_TOP = re.compile(r"\$\{(?:CMAKE_SOURCE_DIR|PROJECT_SOURCE_DIR|\w+_SOURCE_DIR)\}")
_COMMANDS = frozenset({"include_directories", "target_include_directories", "cuda_include_directories"})
_WORDS = frozenset({"PUBLIC", "PRIVATE", "INTERFACE", "SYSTEM", "BEFORE", "AFTER"})
_BUILD = re.compile(r"\$<BUILD_INTERFACE:([^>]*)>")


def folders_of_build_files(files: Iterable[Path]) -> dict[Path, tuple[Path, ...]]:
    """The folders that the Makefiles and CMake files among these name for headers, and where the files lie that name each."""
    by_folder: dict[Path, tuple[Path, ...]] = {}
    for path in files:
        if path.name.lower() != "cmakelists.txt" and path.suffix not in (".cmake", ".mk") and not _is_makefile(path):
            continue
        try:
            text = decode(path.read_bytes())
        except OSError:
            continue
        for folder in include_folders(path, text):
            by_folder[folder] = (*by_folder.get(folder, ()), path.parent)
    return by_folder


def _is_makefile(path: Path) -> bool:
    return path.name.removeprefix("GNU").lower().split(".")[0] == "makefile"


def include_folders(path: Path, text: str) -> list[Path]:
    """The existing folders that one Makefile or CMake file names for headers."""
    is_cmake = path.suffix == ".cmake" or path.name.lower() == "cmakelists.txt"
    text = _HERE.sub(".", text)
    written = _of_cmake(path, text) if is_cmake else _of_makefile(text)
    folders: dict[Path, None] = {}
    for words in written:
        for word in re.split(r"[\s;]+", words):
            if not word or "$" in word or os.path.isabs(word):  # of a machine, not of the project
                continue
            folder = Path(os.path.normpath(path.parent / word))
            if folder.is_dir() and not is_toolkit(folder):
                folders[folder] = None
    return list(folders)


def is_toolkit(folder: Path) -> bool:
    """Are these CUDA's own headers? porter reads its stubs in their place."""
    return (folder / "cuda_runtime.h").is_file() and (folder / "cuda.h").is_file()


def is_system(folder: Path) -> bool:
    """Do its headers belong to CUDA, the machine or an installed package, and not to a project?"""
    packages = not {"site-packages", "dist-packages"}.isdisjoint(folder.parts)
    return packages or _INSTALLED.match(str(folder)) is not None or is_toolkit(folder)


def _of_makefile(text: str) -> Iterator[str]:
    values: dict[str, list[str]] = {}
    for line in lex_make(text):
        if line.kind == "assign":
            values.setdefault(text[slice(*line.name)], []).append(text[slice(*line.value)])
    for one in [text, *(value for held in values.values() for value in held)]:
        for listed in _PREFIXED.finditer(one):
            name = listed[1]
            yield expand(f"$({name})" if name else listed[2] or listed[3], values)
        yield from _flags(expand(one, values))


def _flags(text: str) -> Iterator[str]:
    for flag in _FLAG.finditer(text):
        yield flag[1] or flag[2] or flag[3]


def _of_cmake(path: Path, text: str) -> Iterator[str]:
    values: dict[str, str] = {}
    top = os.path.relpath(_top(path.parent), path.parent)
    for command in lex_cmake(text):
        words = [_TOP.sub(top, _BUILD.sub(r"\1", _expanded(word, values))) for word in command.values]
        if command.name == "set" and len(words) > 1:
            values[words[0]] = ";".join(words[1:])
        elif command.name in _COMMANDS:
            yield from (word for word in words[command.name.startswith("target") :] if word not in _WORDS)
        for word in words:
            yield from _flags(word)


def _expanded(word: str, values: dict[str, str]) -> str:
    return re.sub(r"\$\{(\w+)\}", lambda variable: values.get(variable[1], variable[0]), word)


def _top(folder: Path) -> Path:
    """The outermost folder of the project: where the chain of CMakeLists.txt above begins."""
    while (folder.parent / "CMakeLists.txt").is_file() and folder.parent != folder:
        folder = folder.parent
    return folder
