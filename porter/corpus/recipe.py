"""How the build of a program makes it and starts it, read from what `make -n run` would do.

A recipe has the sources behind the program that the `run` target starts, the flags for the compiler that matter
here, and the arguments of the first start. `reduced` makes small arguments of large ones, by a rule.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from porter.corpus.program import DEVICE_SUFFIXES, HOST_SUFFIXES, build_units, make_commands

__all__ = ["Recipe", "find_recipe", "reduced"]

_COMPILER = re.compile(r"(?:.*/)?(?:hipcc|nvcc|mpicxx|mpicc|(?:amd)?clang(?:\+\+)?|g\+\+|gcc|c\+\+|cc)(?:-[\d.]+)?$")
# Flags that change what the code does. Warnings, the target and OpenMP, which there is no library for, stay behind.
_KEPT = re.compile(r"-f(?!openmp|gpu-rdc|PIC|pic)[\w=-]+$|-m(?!arch|tune|cpu)[\w=-]+$|-pthread$")
_LIBRARIES = frozenset({"m", "z", "dl", "rt", "pthread", "stdc++fs"})


@dataclass(frozen=True, slots=True)
class Recipe:
    """Paths are relative to the program's folder."""

    sources: tuple[Path, ...]
    cwd: Path = Path(".")  # where it is started
    arguments: tuple[str, ...] = ()
    std: str = "gnu++17"
    level: str = "3"
    includes: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    command: str = ""  # what the run target starts where that is no program of the build


@dataclass(slots=True)
class _Compile:
    """One command of the compiler, its paths absolute."""

    inputs: list[Path] = field(default_factory=list)
    output: Path | None = None
    only_compiles: bool = False
    std: str = ""
    level: str = ""
    includes: list[Path] = field(default_factory=list)
    defines: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    link: list[str] = field(default_factory=list)


def find_recipe(folder: Path) -> Recipe:
    """The recipe of a program; without a Makefile every translation unit in its folder, and no arguments."""
    compiles: list[_Compile] = []
    archives: dict[Path, list[Path]] = {}
    starts: list[tuple[Path, list[str]]] = []
    for cwd, words in make_commands(folder, "run"):
        name = words[0].lstrip("@-")
        if _COMPILER.match(name):
            compiles.append(_read(cwd, words[1:]))
        elif name == "ar" and len(words) > 3:
            archives[_place(cwd, words[2])] = [_place(cwd, word) for word in words[3:]]
        elif "/" in name and _place(cwd, name).is_relative_to(folder.resolve()):
            starts.append((cwd, words))
    if not compiles:
        units = build_units(folder)
        first = units[0] if units else None
        return Recipe(
            tuple(unit.source for unit in units),
            includes=tuple(first.cwd / name for name in first.includes) if first else (),
            defines=first.defines if first else (),
        )
    links = [one for one in compiles if not one.only_compiles]
    made = {one.output: one for one in links if one.output}
    start = next((item for item in starts if _place(item[0], item[1][0]) in made), starts[0] if starts else None)
    program = made.get(_place(start[0], start[1][0])) if start else None
    program = program or (links[-1] if links else None)
    parts = _parts(program, compiles, archives) if program else compiles
    sources = dict.fromkeys(path for part in parts for path in part.inputs if path.suffix in _SOURCES)

    def union(name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(str(item) for part in parts for item in getattr(part, name)))

    standards = [part.std for part in parts if part.std]
    return Recipe(
        sources=tuple(_inside(path, folder) for path in sources if path.is_file()),
        cwd=_inside(start[0], folder) if start else Path("."),
        arguments=tuple(start[1][1:]) if start else (),
        std=max(standards, key=lambda std: std.replace("gnu", "c")) if standards else "gnu++17",
        level=next((part.level for part in parts if part.level), "3"),
        includes=tuple(_inside(Path(path), folder) for path in union("includes")),
        defines=union("defines"),
        flags=union("flags"),
        link=union("link"),
        command="" if not start or _place(start[0], start[1][0]) in made else " ".join(start[1]),
    )


_SOURCES = DEVICE_SUFFIXES | HOST_SUFFIXES


def _read(cwd: Path, words: Sequence[str]) -> _Compile:
    command = _Compile()
    rest = iter(words)
    for word in rest:
        if word in ("-I", "-isystem"):
            command.includes.append(_place(cwd, next(rest, ".")))
        elif word.startswith("-I"):
            command.includes.append(_place(cwd, word[2:]))
        elif word == "-D":
            command.defines.append(next(rest, "_"))
        elif word.startswith("-D"):
            command.defines.append(word[2:])
        elif word == "-include":
            command.flags += ["-include", str(_place(cwd, next(rest, "")))]
        elif re.match(r"--?std=\S", word):
            command.std = word.split("=", 1)[1]
        elif word == "-o":
            command.output = _place(cwd, next(rest, ""))
        elif word in ("-x", "-MF", "-MT", "-Xcompiler", "-Xptxas", "-Xlinker", "-L"):
            next(rest, None)
        elif word in ("-c", "-dc", "-E", "-S", "-M", "-MM"):
            command.only_compiles = True
        elif re.match(r"-O[0-3s]$|-Ofast$", word):
            command.level = word[2:].replace("fast", "3")
            command.flags += ["-ffast-math"] if word == "-Ofast" else []
        elif word.startswith("-l"):
            command.link += [word] if word[2:] in _LIBRARIES else []
        elif _KEPT.match(word):
            command.flags.append(word)
        elif not word.startswith("-"):
            command.inputs.append(_place(cwd, word))
    if command.only_compiles and command.output is None:
        command.output = cwd / f"{command.inputs[0].stem}.o" if command.inputs else None
    return command


def _parts(program: _Compile, compiles: Sequence[_Compile], archives: dict[Path, list[Path]]) -> list[_Compile]:
    """The commands behind the program: itself, and what compiled the objects that it links."""
    made = {one.output: one for one in compiles if one.only_compiles}
    parts: list[_Compile] = []
    todo = list(program.inputs)
    while todo:
        path = todo.pop(0)
        todo += archives.pop(path, [])
        if path in made and made[path] not in parts:
            parts.append(made[path])
    return [*parts, program]


def _place(cwd: Path, name: str) -> Path:
    """By the names alone: a folder beside the program may be a link to elsewhere."""
    return Path(os.path.normpath(os.path.abspath(cwd) + os.sep + name if not os.path.isabs(name) else name))


def _inside(path: Path, folder: Path) -> Path:
    return Path(os.path.relpath(path, folder.resolve()))


_SMALL = 64  # sizes up to this stay
_PLANE = 256  # the side of what has several large sizes
_ROW = 16384  # what has only one
_REPEATS = re.compile(r"[1-9]0+$")


def reduced(arguments: Sequence[str]) -> tuple[str, ...]:
    """The arguments with a last round number, which counts repetitions, set to 1 and large sizes set to powers of 2."""
    words = list(arguments)
    numbers = [index for index, word in enumerate(words) if word.isdigit()]
    if numbers and _REPEATS.match(words[numbers[-1]]):
        words[numbers.pop()] = "1"
    large = [index for index in numbers if int(words[index]) > _SMALL]
    limit = _PLANE if len(large) > 1 else _ROW
    for index in large:
        words[index] = str(min(int(words[index]), limit))
    return tuple(words)
