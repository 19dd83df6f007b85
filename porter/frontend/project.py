"""The files of one run: which are sources, how they include each other, and what they declare."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from porter.frontend.folders import Guessed, in_order, walk
from porter.frontend.source_file import SourceFile

__all__ = ["HEADER_SUFFIXES", "MAIN_SUFFIXES", "Embeddings", "Place", "Project"]

MAIN_SUFFIXES = frozenset({".cu", ".cpp", ".cc", ".cxx", ".c", ".hip"})
HEADER_SUFFIXES = frozenset(
    {".cuh", ".h", ".hpp", ".hh", ".hxx", ".inl", ".inc", ".ipp", ".tpp", ".tcc", ".impl", ".cui"}
)
_CUDAS = re.compile(
    r"(?:__)?(?:cu[A-Z]|CU_|cuda|CUDA|cublas|CUBLAS|curand|CURAND|cufft|CUFFT|cusparse|CUSPARSE|nccl|nv_)"
)


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Files that are included within braces, where no header of porter's or HIP's can be."""

    hosts: Mapping[Path, frozenset[Path]]  # by such a file: the files around it that may include headers for it

    def guests(self, host: Path) -> tuple[Path, ...]:
        """The files for which this one includes headers."""
        return tuple(guest for guest, hosts in self.hosts.items() if host in hosts)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file stands in a unit of its project."""

    own: tuple[Path, ...]  # the file and what it includes
    unit: tuple[Path, ...]  # the same of the unit's main file
    includers: tuple[Path, ...]  # the main files of the tree that include it
    embedded: bool  # some file includes it within braces
    loose: bool  # it is a header of the tree that no main file includes


@dataclass
class Project:
    """Reads lazily and at most once; `root` is None for a single file."""

    root: Path | None
    include_dirs: tuple[str, ...] = ()
    files: dict[Path, SourceFile | None] = field(default_factory=dict)  # files read so far; projects may share them
    _closures: dict[Path, tuple[Path, ...]] = field(default_factory=dict)
    _targets: dict[Path, tuple[Path, ...]] = field(default_factory=dict)
    _meant: dict[tuple[Path, str], Path | None] = field(default_factory=dict)  # by folder and include
    _members: dict[Path, list[SourceFile]] = field(default_factory=dict)
    _all_includes: dict[Path, frozenset[str]] = field(default_factory=dict)
    _embeddings: dict[Path | frozenset[Path], Embeddings] = field(default_factory=dict)
    _alone: dict[Path, frozenset[Path]] = field(default_factory=dict)
    whole: bool = False  # all of its files are ported together
    given: tuple[Path, ...] | None = None  # or these alone; besides all of its files, these from elsewhere
    apart: frozenset[str] = frozenset()  # headers by these names are no files of the project
    guessed: Guessed = ()  # those of the folders that nobody named for a file
    _folders: dict[Path, tuple[Path, ...]] = field(default_factory=dict)  # by the folder of a file, in its order

    def without(self, headers: frozenset[str]) -> Project:
        """The project where headers by these names are no files of it: what is known of who includes whom does not hold."""
        fresh = replace(self, apart=headers, _closures={}, _targets={}, _meant={})
        return replace(fresh, _members={}, _all_includes={}, _embeddings={}, _alone={})

    @cached_property
    def kernels(self) -> Mapping[str, Path]:
        """Where the project's .cu files define kernels."""
        by_name: dict[str, Path] = {}
        for path in walk(self.root) if self.root is not None else []:
            source = self.file(path) if path.suffix == ".cu" else None
            if source is not None and b"__global__" in source.data:
                by_name.update({f.name: path for f in source.scopes.functions if f.kernel and f.body[0] >= 0})
        return by_name

    @property
    def together(self) -> bool:
        """Are several units ported together, or a header for several?"""
        return self.whole or len(self.given or ()) > 1

    @cached_property
    def mains(self) -> tuple[Path, ...]:
        if self.given is not None and not self.whole:
            units = [path for path in self.given if path.suffix in MAIN_SUFFIXES]
            included = {member for one in units for member in self.closure(one)[1:]}
            return tuple(one for one in units if one not in included)
        return tuple(f for f in walk(self.root) if f.suffix in MAIN_SUFFIXES) if self.root is not None else ()

    @cached_property
    def loose_headers(self) -> tuple[Path, ...]:
        """Of the headers that no main file of the tree includes: as many as include all others of them."""
        if not self.whole or self.root is None:
            return ()
        loose = [f for f in walk(self.root) if f.suffix in HEADER_SUFFIXES and f not in self.includers]
        covered: set[Path] = set()
        headers: list[Path] = []
        for header in sorted(loose, key=lambda f: -len(self.closure(f))):
            if header not in covered:
                headers.append(header)
                covered.update(self.closure(header))
        return tuple(sorted(headers))

    def is_loose(self, path: Path) -> bool:
        """Whether a file is a header of the tree that no main file of it includes."""
        return path.suffix in HEADER_SUFFIXES and path in self._covered

    @cached_property
    def _covered(self) -> frozenset[Path]:
        return frozenset(f for header in self.loose_headers for f in self.closure(header) if f not in self.includers)

    @cached_property
    def includers(self) -> Mapping[Path, tuple[Path, ...]]:
        """By header: the main files that include it."""
        including: dict[Path, tuple[Path, ...]] = {}
        for main in self.mains:
            for member in self.closure(main)[1:]:
                including[member] = (*including.get(member, ()), main)
        return including

    def units_of(self, path: Path) -> tuple[Path, ...]:
        """The main files of the run whose units have the file; itself, where it is one."""
        includers = self.includers.get(path, ())
        return (path, *includers) if path.suffix in MAIN_SUFFIXES else includers

    def alone(self, main: Path) -> frozenset[Path]:
        """The files that a main file includes and no other unit does; a main file in it is no unit of its own then."""
        if main not in self._alone:
            members, own = self.closure(main), {main, *self.closure(main)}
            self._alone[main] = frozenset(f for f in members[1:] if own.issuperset(self.includers.get(f, (main,))))
        return self._alone[main]

    def file(self, path: Path) -> SourceFile | None:
        if path not in self.files:
            try:
                self.files[path] = SourceFile(path, path.read_bytes())
            except OSError:
                self.files[path] = None
        return self.files[path]

    def digest(self, path: Path) -> bytes:
        """Of a file's contents; the same for all that cannot be read."""
        source = self.file(path)
        return source.digest if source is not None else b""

    def resolve(self, include: str, source: Path) -> Path | None:
        """The project file that `#include "include"` in `source` means."""
        key = source.parent, include
        if key not in self._meant:
            self._meant[key] = self._find_include(include, source.parent)
        return self._meant[key]

    def _find_include(self, include: str, where: Path) -> Path | None:
        if include.rpartition("/")[2] in self.apart:
            return None
        for folder in self._searched(where):
            candidate = Path(os.path.normpath(folder / include))
            if candidate.is_file():
                return candidate
        return None

    def _searched(self, where: Path) -> tuple[Path, ...]:
        if where not in self._folders:
            self._folders[where] = (where, *map(Path, in_order(self.include_dirs, self.guessed, where)))
        return self._folders[where]

    def targets(self, path: Path) -> tuple[Path, ...]:
        """The project files that a file itself includes."""
        if path not in self._targets:
            source = self.file(path)
            meant = (self.resolve(include, path) for include in (source.includes if source else ()))
            self._targets[path] = tuple(target for target in meant if target is not None)
        return self._targets[path]

    def closure(self, path: Path) -> tuple[Path, ...]:
        """`path` and every project file that it includes, directly or not, in the order in which a compiler would first
        read them; cycles are harmless."""
        known = self._closures.get(path)
        if known is not None:
            return known
        seen: dict[Path, None] = {}
        waiting = [path]
        while waiting:
            current = waiting.pop()
            if current not in seen:
                seen[current] = None
                waiting += reversed(self.targets(current))
        self._closures[path] = tuple(seen)
        return self._closures[path]

    def embeddings(self, main: Path) -> Embeddings:
        """The files of the run that some file includes within braces; of a unit, where no others are known."""
        whole = self.root if self.whole else None
        key = whole or frozenset((*(self.given or ()), main))
        if key not in self._embeddings:
            self._embeddings[key] = _embeddings(self, walk(whole) if whole else (*(self.given or ()), main))
        return self._embeddings[key]

    def place(self, path: Path, main: Path) -> Place:
        """Of a file in the unit of a main file."""
        return Place(
            self.closure(path),
            self.closure(main),
            self.includers.get(path, ()) if self.together else (),
            path in self.embeddings(main).hosts,
            self.is_loose(path),
        )

    def members(self, main: Path) -> list[SourceFile]:
        """The project's files in a translation unit, itself first."""
        if main not in self._members:
            self._members[main] = [file for one in self.closure(main) if (file := self.file(one))]
        return self._members[main]

    def all_includes(self, path: Path) -> frozenset[str]:
        """What the file and the project's headers below it include, as spelled."""
        if path not in self._all_includes:
            self._all_includes[path] = frozenset(i for member in self.members(path) for i in member.includes)
        return self._all_includes[path]

    def aliases(self, path: Path) -> dict[str, str]:
        """Namespace aliases that hold in a file: `namespace cg = cooperative_groups;`."""
        return {name: meant for source in self.members(path) for name, meant in source.namespaces[0].items()}

    def opened(self, path: Path) -> frozenset[str]:
        """Namespaces that a file or one of its includes opens by `using namespace`."""
        return frozenset[str]().union(*(source.namespaces[1] for source in self.members(path)))

    def declared_names(self, path: Path) -> frozenset[str]:
        """Not CUDA's names that stand for another platform's, `#define cudaSuccess hipSuccess`: those are for builds without
        CUDA, and the port is made of what a build with it means."""
        sources = self.members(path)
        names = {name for source in sources for name in source.declared if name not in source.aliases}
        for source in sources:
            for name, body in source.aliases.items():
                if not _CUDAS.match(name) or _CUDAS.match(body) or body in names:
                    names.add(name)
        return frozenset(names)


def _embeddings(project: Project, mains: Sequence[Path]) -> Embeddings:
    files = dict.fromkeys(
        f for one in mains if one.suffix in MAIN_SUFFIXES | HEADER_SUFFIXES for f in project.closure(one)
    )
    includers: dict[Path, set[Path]] = {}
    braced: dict[Path, None] = {}
    for path in files:
        source = project.file(path)
        for include in source.includes if source else ():
            target = project.resolve(include, path)
            if source is not None and target is not None and target != path:
                includers.setdefault(target, set()).add(path)
                if include in source.braced:
                    braced[target] = None
    embedded = dict(braced)
    queue = list(braced)
    while queue:  # what only such files include is within the same braces
        for target in project.closure(queue.pop())[1:]:
            if target not in embedded and includers.get(target, set()) <= embedded.keys():
                embedded[target] = None
                queue.append(target)
    return Embeddings({path: _around(path, includers, embedded) for path in embedded})


def _around(path: Path, includers: Mapping[Path, Collection[Path]], embedded: Collection[Path]) -> frozenset[Path]:
    """The files that include a file, directly or not, and that no file includes within braces."""
    around: set[Path] = set()
    seen, queue = {path}, [path]
    while queue:
        for includer in includers.get(queue.pop(), ()):
            if includer not in embedded:
                around.add(includer)
            elif includer not in seen:
                seen.add(includer)
                queue.append(includer)
    return frozenset(around)
