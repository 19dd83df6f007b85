"""The facts of rules/build/*.tbl: flags, libraries, tools, CMake's names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from porter.errors import RuleError
from porter.findings import Safety
from porter.rules import builtin_rules_dir

__all__ = ["FlagRow", "LibraryRow", "Tables", "VariableRow", "tables"]

_FLAG_KINDS = frozenset({"switch", "value", "apart", "arch", "host", "linker", "ptxas", "ptxas-word"})
_VARIABLE_KINDS = frozenset({"var", "prop", "gone", "rdc", "flags", "version", "genex"})


@dataclass(frozen=True, slots=True)
class FlagRow:
    nvcc: str  # without leading dashes when it is longer than one letter
    hipcc: tuple[str, ...] | None  # None: stays
    kind: str
    anywhere: bool
    safety: Safety
    note: str


@dataclass(frozen=True, slots=True)
class LibraryRow:
    cuda: str
    hip: str  # "" nothing to link
    target: str
    package: str
    safety: Safety
    note: str


@dataclass(frozen=True, slots=True)
class VariableRow:
    cuda: str
    hip: str
    kind: str
    safety: Safety
    note: str


@dataclass(frozen=True)
class Tables:
    flags: dict[str, FlagRow]
    ptxas: dict[str, FlagRow]
    libraries: dict[str, LibraryRow]
    tools: dict[str, str]
    variables: dict[str, VariableRow]
    endings: tuple[VariableRow, ...]  # rows that end in `*`

    def library(self, name: str) -> LibraryRow | None:
        """The row of a library by any of its names: `cublas`, `cublas_static`."""
        return self.libraries.get(name) or self.libraries.get(re.sub(r"_static$|_shared$", "", name))

    def variable(self, name: str) -> VariableRow | None:
        row = self.variables.get(name)
        if row is not None:
            return row
        for ending in self.endings:
            stem = ending.cuda[:-1]
            if name.startswith(stem):
                return VariableRow(name, ending.hip[:-1] + name[len(stem) :], ending.kind, ending.safety, ending.note)
        return None


def canonical(flag: str) -> str:
    """nvcc takes its long options with one dash or two."""
    bare = flag.lstrip("-")
    return bare if len(bare.partition("=")[0]) > 1 else flag


def _rows(name: str, columns: int) -> list[tuple[str, list[str]]]:
    path = builtin_rules_dir() / "build" / name
    if not path.is_file():
        raise RuleError(f"{path}: missing", "reinstall porter: pip install --force-reinstall porter")
    rows = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = [p.strip() for p in line.split(" | ")]
        if len(parts) != columns:
            raise RuleError(f"{path}:{number}: {len(parts)} columns, not {columns}", "separate columns with ' | '")
        rows.append((f"{path}:{number}", parts))
    return rows


def _safety(text: str, where: str) -> Safety:
    try:
        return Safety(text)
    except ValueError:
        raise RuleError(f"{where}: unknown status '{text}'", "exact, slower, review or left") from None


def _check(value: str, known: frozenset[str], where: str) -> str:
    if value not in known:
        raise RuleError(f"{where}: unknown kind '{value}'", f"one of {', '.join(sorted(known))}")
    return value


@lru_cache(maxsize=1)
def tables() -> Tables:
    """All tables of rules/build, checked; a mistake in one raises RuleError."""
    flags: dict[str, FlagRow] = {}
    ptxas: dict[str, FlagRow] = {}
    for where, (nvcc, hipcc, kind, scope, status, note) in _rows("flags.tbl", 6):
        _check(kind, _FLAG_KINDS, where)
        words = None if hipcc == "?" else () if hipcc == "-" else tuple(hipcc.split())
        for name in nvcc.split(","):
            bare = canonical(name.strip())
            row = FlagRow(bare, words, kind, scope == "any", _safety(status, where), note)
            (ptxas if kind == "ptxas-word" else flags)[bare] = row
    libraries: dict[str, LibraryRow] = {}
    for where, (cuda, hip, target, package, status, note) in _rows("libraries.tbl", 6):
        empty = {"-": "", "?": ""}
        libraries[cuda] = LibraryRow(
            cuda,
            empty.get(hip, hip),
            empty.get(target, target),
            empty.get(package, package),
            _safety(status, where),
            note,
        )
    variables: dict[str, VariableRow] = {}
    for where, (cuda, hip, kind, status, note) in _rows("cmake.tbl", 5):
        variables[cuda] = VariableRow(cuda, hip, _check(kind, _VARIABLE_KINDS, where), _safety(status, where), note)
    return Tables(
        flags=flags,
        ptxas=ptxas,
        libraries=libraries,
        tools={cuda: amd for _, (cuda, amd) in _rows("tools.tbl", 2)},
        variables={k: v for k, v in variables.items() if not k.endswith("*")},
        endings=tuple(v for k, v in variables.items() if k.endswith("*")),
    )
