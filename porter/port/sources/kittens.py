"""`--kittens native`: which units take ThunderKittens' operations at wave width, and their ports.

A unit is taken whole or not at all. Its own files may not use CUDA's warps (porter.analysis.kittens), and the port must
compile with porter's library. The compiler's errors say what the library lacks. Every other unit keeps its faithful
port.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from porter.analysis.kittens import HEADERS, View, included_at
from porter.findings import Edit, FilePort, Finding, Safety
from porter.frontend.lexer import Kind, Token, TokenFile, newline_of
from porter.frontend.libclang import NEXT_STANDARD, USUAL_STANDARD
from porter.frontend.source_file import SourceFile
from porter.frontend.unit import Options, Unit
from porter.passes.hopper.kittens import RULE
from porter.passes.insertions import before_includes
from porter.paths import KITTENS_STUBS, RUNTIME_INCLUDE
from porter.port.edits.assemble import assembled
from porter.port.sources.faithful_ports import Units
from porter.toolchain.check import syntax_check
from porter.toolchain.port_sources import Sources, placed

__all__ = ["Kittens"]

_NAMED = re.compile(r"'(?:[^']*\W)?(\w+)[^'\w]*'")
_OVER = re.compile(r"\blds_for<(.+), (\d+), (\d+)>::fits'")  # porter/kittens/prototype.h
_OVERSIZED = "oversized-shared-memory"
_LIBRARY = (str(KITTENS_STUBS), str(RUNTIME_INCLUDE))  # what tiles take, and may be, is what porter's library says
_KEPT = "ThunderKittens' headers are ported as they are, 32 lanes to a warp"


class Kittens:
    """The units of one project that include ThunderKittens' header."""

    def __init__(self, units: Units, options: Options) -> None:
        read = replace(options, includes=(*_LIBRARY, *options.includes), systems=(*_LIBRARY, *options.systems))
        self._project = units.project
        self._units = Units(units.project.without(frozenset(HEADERS)), read, units.rules)
        self._files: dict[Path, Mapping[Path, SourceFile]] = {}
        self._known: dict[Path, dict[Path, list[Finding]]] = {}
        self._moved: dict[tuple[Path, Path], list[Finding]] = {}  # by unit and file: of prototypes in device memory

    def port(self, path: Path, includer: Path | None, renames: Mapping[str, str], prefix: str) -> FilePort | None:
        """The native port of a file; None if its unit keeps the faithful one."""
        main = includer or path
        if path not in self._members(main) or self._reasons(main):
            return None
        return self._ported(path, includer, renames, prefix)

    def leaves(self, path: Path, includer: Path) -> bool:
        """Whether a header is none of the native unit that includes it, and of no other: ThunderKittens' own is not."""
        members = self._members(includer)
        native = bool(members) and path not in members and not self._reasons(includer)
        return native and path in self._project.alone(includer)

    def reasons(self, path: Path, main: Path) -> list[Finding]:
        """Why the file's unit keeps its faithful port, as far as the file itself is the reason."""
        return self._reasons(main).get(path, []) if self._members(main) else []

    def _members(self, main: Path) -> Mapping[Path, SourceFile]:
        """The unit's own files; none if it does not include ThunderKittens itself. With `-D` conditions are decided: what
        only other branches include is no part of it."""
        source = self._units.project.file(main)
        if source is None or not included_at(source.tokens):
            return {}
        if main not in self._files:
            ast = self._units.unit(main, None, {}, "").ast if self._units.options.defines else None
            members = self._units.project.members(main)
            self._files[main] = {m.path: m for m in members if ast is None or m.path == main or ast.includes(m.path)}
        return self._files[main]

    def _beside(self, path: Path, main: Path) -> tuple[TokenFile, ...]:
        return tuple(member.tokens for other, member in self._members(main).items() if other != path)

    def _reasons(self, main: Path) -> dict[Path, list[Finding]]:
        if main not in self._known:
            obstacles = self._obstacles(main)
            lacking = [] if obstacles else self._lacking(main)
            if lacking and self._moves(main, lacking):
                lacking = self._lacking(main)
            self._known[main] = obstacles or self._kept_by(lacking, main)
        return self._known[main]

    def _obstacles(self, main: Path) -> dict[Path, list[Finding]]:
        obstacles: dict[Path, list[Finding]] = {}
        alone = self._units.unit(main, None, {}, "").alone
        facts = self._units.facts
        unseen = {
            path: [span for span in spans if facts.is_settled(main, path, span[0])]
            for path, spans in facts.left_out(main).items()
        }
        for path, member in self._members(main).items():
            for obstacle in View(member.tokens, member.scopes, self._beside(path, main)).obstacles():
                if any(first <= obstacle.start < last for first, last in unseen.get(path, ())):
                    continue
                obstacles.setdefault(path, []).append(_kept(obstacle.start, obstacle.end, obstacle.why))
            for again in included_at(member.tokens) if path != main and path not in alone else ():
                token = member.tokens.tokens[again]
                obstacles.setdefault(path, []).append(
                    _kept(token.start, token.end, "other files may include this one without the library")
                )
        return obstacles

    def _lacking(self, main: Path) -> Sequence[str]:
        """What the compiler says of the port."""
        members = self._members(main)
        root = Path(os.path.commonpath([self._units.project.root or main.parent, *(path.parent for path in members)]))
        texts = {path: self._ported(path, None if path == main else main, {}, "").port for path in members}
        source, how = placed(Sources(main, root, texts), self._unit(main, None, {}, "").options)
        defines = tuple(d for d in how.defines if d.partition("=")[0] != "KITTENS_HOPPER")
        includes = tuple(folder for folder in how.includes if folder not in _LIBRARY)
        result = syntax_check(
            source, includes=includes, defines=defines, std=_newer(how.std), runtime=True, target=how.target
        )
        return [error.message for error in result.errors]

    def _kept_by(self, lacking: Sequence[str], main: Path) -> dict[Path, list[Finding]]:
        """The compiler's first complaint, where the source names what it is about."""
        if not lacking:
            return {}
        path, at = self._named_by(_NAMED.findall(lacking[0]), main)
        return {path: [_kept(at.start, at.end, f"the library at wave width does not compile this: {lacking[0]}")]}

    def _moves(self, main: Path, lacking: Sequence[str]) -> bool:
        """Whether prototypes that LDS is too small for are all that the compiler complains about; they are moved then."""
        over = [oversized for message in lacking if (oversized := _OVER.search(message))]
        if len(over) < len(lacking) or self._units.options.oversize != "device-memory":
            return False
        files = {path: member.tokens for path, member in self._members(main).items()}
        place = before_includes(files[main])
        switch = Edit(place, place, f"#define PORTER_DEVICE_SHARED 1{newline_of(files[main].text)}")
        for oversized in over:
            path, at = self._named_by([oversized[1].partition("<")[0].rpartition("::")[2]], main)
            message = (
                f"{oversized[1]} wants {int(oversized[2]):,} bytes of shared memory with one stage, of the {int(oversized[3]):,} that a "
                "block has. Some of its blocks lie in device memory: the kernel is right, and slower. Choose smaller tiles "
                "or fewer warps for speed"
            )
            self._moved.setdefault((main, path), []).append(
                Finding(_OVERSIZED, at.start, at.end, Safety.SLOWER, message)
            )
        token = files[main].tokens[included_at(files[main])[0]]
        message = "the unit's shared addresses may lead to device memory"
        moved = self._moved.setdefault((main, main), [])
        moved.append(Finding(_OVERSIZED, token.start, token.start, Safety.SLOWER, message, (switch,)))
        return True

    def _named_by(self, names: Sequence[str], main: Path) -> tuple[Path, Token]:
        """The file and the token that a compiler's message is about: of its names the first that the source has."""
        files = {path: member.tokens for path, member in self._members(main).items()}
        for name in names:
            for path, file in files.items():
                for index in file.places(name):
                    if file.tokens[index].kind == Kind.IDENT:
                        return path, file.tokens[index]
        return main, files[main].tokens[included_at(files[main])[0]]

    def _unit(self, path: Path, includer: Path | None, renames: Mapping[str, str], prefix: str) -> Unit:
        unit = self._units.unit(path, includer, renames, prefix)
        notes = tuple(note for note in unit.notes if not note.endswith(tuple(f": {name}" for name in HEADERS)))
        members = [*unit.members[:1], *self._library, *unit.members[1:]]
        facts, beside = unit.facts.without_mirrors(), self._beside(path, includer or path)
        return replace(unit, notes=notes, beside=beside, members=members, facts=facts)

    @cached_property
    def _library(self) -> list[SourceFile]:
        """The library's files. Kernels of prototypes see to their shared memory themselves."""
        folder = RUNTIME_INCLUDE / "porter/kittens"
        files = (self._units.project.file(path) for path in sorted(folder.glob("*.h")) if path.name != "prototype.h")
        return [file for file in files if file is not None]

    def _ported(self, path: Path, includer: Path | None, renames: Mapping[str, str], prefix: str) -> FilePort:
        unit = self._unit(path, includer, renames, prefix)
        moved = self._moved.get((includer or path, path), ())
        port = assembled(unit, [*self._units.findings(unit, includer or path), *moved])
        return replace(port, notes=unit.notes, parser="tokens" if unit.ast is None else "libclang")


def _kept(start: int, end: int, why: str) -> Finding:
    return Finding(RULE, start, end, Safety.SLOWER, f"{_KEPT}: {why}")


def _newer(standard: str) -> str:
    return NEXT_STANDARD if standard in (USUAL_STANDARD, "gnu++17") else standard
