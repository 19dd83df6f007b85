"""The words of the command by which a Makefile compiles a source, as far as its text alone says them.

Nothing is run: `$(shell ...)`, and each function of make that is not one of a few, stands for nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from porter.buildfiles.make_facts import NVCC_WORD, commands
from porter.buildfiles.make_lexer import Line, lex_make, top_level
from porter.buildfiles.words import closing, shell_words
from porter.findings import decode

__all__ = ["make_words", "make_words_of_another"]

_NAMES = ("GNUmakefile", "makefile", "Makefile")  # in make's order
_OTHER = re.compile(r"(?i:makefile)[._-].+|.+\.mk")  # given to make with -f
_DEEPEST, _MOST_STEPS = 50, 50_000  # a variable may stand in its own value
_FUNCTION = re.compile(r"([a-z-]+)[ \t]+")
_FUNCTIONS: Mapping[str, Callable[[Sequence[str]], Iterator[str]]] = {
    "abspath": lambda words: map(os.path.abspath, words),
    "realpath": lambda words: map(os.path.realpath, words),
    "dir": lambda words: (os.path.join(os.path.dirname(word) or ".", "") for word in words),
    "notdir": lambda words: map(os.path.basename, words),
    "firstword": lambda words: iter(words[:1]),
    "lastword": lambda words: iter(words[-1:]),
    "strip": iter,
}


def make_words(source: Path) -> Sequence[str] | None:
    """The words of the first command by which nvcc compiles a source, by the Makefile beside it, or by another one there
    that names it (Makefile.tests, tests.mk); None without one."""
    for number, makefile in enumerate(_beside(source)):
        for pattern in (False, True) if number == 0 else (False,):
            for sources, command in makefile.nvcc():
                named = [os.path.basename(word) for word in (*sources, *command)]
                if f"%{source.suffix}" in named if pattern else source.name in named:
                    return command
    return None


def make_words_of_another(source: Path) -> Sequence[str] | None:
    """The words of the first command by which nvcc compiles some other source of the same folder (`make SRC=mine.cu`)."""
    commands_beside = (command for makefile in _beside(source) for _, command in makefile.nvcc())
    of_folder = {path.name for path in source.parent.iterdir() if path.suffix == source.suffix}
    return next((one for one in commands_beside if not of_folder.isdisjoint(map(os.path.basename, one))), None)


def _beside(source: Path) -> Iterator[_Makefile]:
    """The Makefiles beside a source: first the one that make takes without being told."""
    folder = source.parent
    usual = next((folder / name for name in _NAMES if (folder / name).is_file()), None)
    others = (path for path in sorted(folder.iterdir()) if _OTHER.fullmatch(path.name) and path.is_file())
    for path in (*([usual] if usual else ()), *others):
        makefile = _Makefile(folder)
        makefile.read(path)
        yield makefile


class _Makefile:
    """What make knows once it has read its files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._values: dict[str, str] = {"CURDIR": str(folder)}
        self.recipes: list[tuple[Sequence[str], str]] = []  # what each is made of, and the text
        self._read: list[Path] = []
        self._steps = 0

    def read(self, path: Path) -> None:
        if path in self._read or not path.is_file():
            return
        self._read.append(path)
        self._values["MAKEFILE_LIST"] = " ".join(map(str, self._read))
        text = decode(path.read_bytes())
        open_: list[tuple[bool, bool]] = []  # of each condition: is its branch taken, was one before
        sources: Sequence[str] = ()
        for line in lex_make(text):
            body = text[line.start : line.end].strip()
            if line.kind == "conditional":
                self._condition(body, open_)
            elif not all(taken for taken, _ in open_):
                continue
            elif line.kind == "assign" and ":" not in text[line.start : line.name[0]]:  # not for one target alone
                self._assign(text[slice(*line.name)], line.op, _value(text, line))
            elif line.kind == "include":
                for word in self.expanded(body.partition(" ")[2]).split():
                    self.read(Path(os.path.normpath(self._folder / word)))
            elif line.kind == "rule":
                sources = self.expanded(text[slice(*line.value)]).split()
            elif line.kind == "recipe":
                self.recipes.append((sources, text[line.start : line.end]))

    def nvcc(self) -> Iterator[tuple[Sequence[str], list[str]]]:
        """Each command that runs nvcc, with what its rule is made of."""
        return ((sources, command) for sources, recipe in self.recipes for command in self.commands(recipe))

    def commands(self, recipe: str) -> Iterator[list[str]]:
        """The words of those that run nvcc, its name left out."""
        text = self.expanded(recipe)
        for name, *words in commands(text, 0, len(text)):
            if NVCC_WORD.match(name.value.lstrip("@-+")):
                yield [re.sub(r"\A(-\w)[\"'](.*)[\"']\Z", r"\1\2", word.value) for word in words]

    def _condition(self, body: str, open_: list[tuple[bool, bool]]) -> None:
        word, rest = _split(body)
        if word == "endif":
            del open_[-1:]
        elif word == "else" and open_:
            before = open_[-1][1]
            holds = not before and (not rest or self._holds(*_split(rest)))
            open_[-1] = holds, before or holds
        elif word != "else":
            holds = self._holds(word, rest)
            open_.append((holds, holds))

    def _holds(self, word: str, rest: str) -> bool:
        if word in ("ifdef", "ifndef"):
            return bool(self._values.get(self.expanded(rest), "").strip()) == (word == "ifdef")
        sides = [self.expanded(side).strip() for side in _sides(rest)]
        return len(sides) == 2 and (sides[0] == sides[1]) == (word == "ifeq")

    def _assign(self, name: str, op: str, value: str) -> None:
        if op == "!=" or (op == "?=" and name in self._values):
            return
        if op == "+=":
            self._values[name] = f"{self._values.get(name, '')} {value}"
        else:
            self._values[name] = self.expanded(value) if op.startswith(":") else value

    def expanded(self, text: str, depth: int = 0) -> str:
        """The text with what its variables hold now; automatic ones stay."""
        self._steps += 1
        if depth > _DEEPEST or self._steps > _MOST_STEPS:
            return ""
        done, at = "", 0
        while (dollar := text.find("$", at)) >= 0 and dollar + 1 < len(text):
            done += text[at:dollar]
            if text[dollar + 1] not in "({":
                done, at = done + text[dollar : dollar + 2], dollar + 2
                continue
            at = closing(text, dollar + 1, len(text))
            done += self._held(text[dollar + 2 : at - 1], depth + 1)
        return done + text[at:]

    def _held(self, inner: str, depth: int) -> str:
        function = _FUNCTION.match(inner)
        if function is None:
            name = self.expanded(inner, depth)
            return self.expanded(self._values.get(name, ""), depth)
        given = self.expanded(inner[function.end() :], depth)
        if function[1] == "addprefix":
            prefix, _, words = given.partition(",")
            return " ".join(prefix + word for word in words.split())
        return " ".join(_FUNCTIONS[function[1]](given.split())) if function[1] in _FUNCTIONS else ""


def _split(body: str) -> tuple[str, str]:
    """The first word of a conditional line, and the rest."""
    word = re.match(r"\w*", body)
    return (word[0], body[word.end() :].strip()) if word else ("", body)


def _sides(rest: str) -> Sequence[str]:
    """What `(a,b)` or `"a" "b"` compares."""
    if not rest.startswith("("):
        return [word.value for word in shell_words(rest, 0, len(rest), False)]
    comma = top_level(rest, 1, len(rest) - 1, ",")
    return (rest[1:comma], rest[comma + 1 : -1]) if comma > 0 else ()


def _value(text: str, line: Line) -> str:
    return re.sub(r"[ \t]*\\\r?\n[ \t]*", " ", text[slice(*line.value)]).strip()
