"""The files of one run: which are sources, how they include each other, and what they declare."""

from __future__ import annotations

import hashlib
import itertools
import os
import re
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from porter.frontend.asm.statements import has_asm
from porter.frontend.asm.uses import asm_context, asm_texts
from porter.frontend.lexer import Kind, TokenFile, lex
from porter.frontend.ptx import Ptx, parse_ptx
from porter.frontend.scopes import Scopes, find_scopes
from porter.model import decode

__all__ = [
    "HEADER_SUFFIXES",
    "MAIN_SUFFIXES",
    "Embeddings",
    "Guessed",
    "Project",
    "SourceFile",
    "beside",
    "beside_each",
    "declared_names",
    "declared_variables",
    "find_include_dirs",
    "in_order",
    "walk",
]

MAIN_SUFFIXES = frozenset({".cu", ".cpp", ".cc", ".cxx", ".c", ".hip"})
HEADER_SUFFIXES = frozenset(
    {".cuh", ".h", ".hpp", ".hh", ".hxx", ".inl", ".inc", ".ipp", ".tpp", ".tcc", ".impl", ".cui"}
)
_OF_THE_SYSTEM = frozenset(  # headers of C and POSIX
    f"{name}.h"
    for name in (
        "aio arpa/inet assert complex cpio ctype dirent dlfcn errno fcntl fenv float fmtmsg fnmatch ftw glob grp iconv "
        "inttypes iso646 langinfo libgen limits locale math monetary mqueue ndbm net/if netdb netinet/in netinet/tcp nl_types "
        "poll pthread pwd regex sched search semaphore setjmp signal spawn stdalign stdarg stdatomic stdbool stddef stdint "
        "stdio stdlib stdnoreturn string strings stropts sys/ipc sys/mman sys/msg sys/resource sys/select sys/sem sys/shm "
        "sys/socket sys/stat sys/statvfs sys/time sys/times sys/types sys/uio sys/un sys/utsname sys/wait syslog tar termios "
        "tgmath threads time trace uchar ulimit unistd utime utmpx wchar wctype wordexp getopt alloca malloc"
    ).split()
)
_SKIPPED_FOLDERS = frozenset({".git", ".hg", ".svn", "__pycache__", "node_modules", ".venv", "CMakeFiles", ".porter"})
_DEFINE = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)", re.MULTILINE)
_INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include(?:_next)?[ \t]*([<\"])([^>\"\r\n]+)[>\"]", re.MULTILINE)

_CUDAS = re.compile(
    r"(?:__)?(?:cu[A-Z]|CU_|cuda|CUDA|cublas|CUBLAS|curand|CURAND|cufft|CUFFT|cusparse|CUSPARSE|nccl|nv_)"
)
_ASM_OR_PASTE = re.compile(rb"asm|##")
_ALIAS = re.compile(rb"\bnamespace\s+(\w+)\s*=\s*(?:::)?((?:\w+::)*\w+)\s*;")
_CONCEPT, _STANDARD = re.compile(rb"\bconcept\s+\w+\s*="), re.compile(rb"__cplusplus|__cpp_")
_OPENED = re.compile(rb"\busing\s+namespace\s+(?:::)?((?:\w+::)*\w+)\s*;")


@dataclass
class SourceFile:
    path: Path
    data: bytes
    _has: dict[re.Pattern[bytes], bool] = field(default_factory=dict, repr=False)
    _asm: dict[Hashable, tuple[tuple[int, str, Ptx], ...]] = field(default_factory=dict, repr=False)

    def has(self, pattern: re.Pattern[bytes]) -> bool:
        """Whether the pattern matches anywhere in the file: searched for once for all units that ask."""
        if pattern not in self._has:
            self._has[pattern] = pattern.search(self.data) is not None
        return self._has[pattern]

    @cached_property
    def digest(self) -> bytes:
        return hashlib.sha256(self.data).digest()

    @cached_property
    def includes(self) -> tuple[str, ...]:
        return tuple(decode(m[2]) for m in _INCLUDE.finditer(self.data))

    @cached_property
    def macros(self) -> frozenset[str]:
        """The macros that it defines."""
        return frozenset(decode(m[1]) for m in _DEFINE.finditer(self.data))

    @cached_property
    def macros_before_includes(self) -> frozenset[str]:
        """Those that are defined before some #include."""
        last = max((m.start() for m in _INCLUDE.finditer(self.data)), default=0)
        return frozenset(decode(m[1]) for m in _DEFINE.finditer(self.data, 0, last))

    @cached_property
    def quoted(self) -> tuple[str, ...]:
        """Those of the includes that are in quotes."""
        return tuple(decode(m[2]) for m in _INCLUDE.finditer(self.data) if m[1] == b'"')

    @cached_property
    def braced(self) -> frozenset[str]:
        """Those of the includes that stand within braces: in a class, a namespace, a function, `extern "C"`."""
        places = [m.start() for m in _INCLUDE.finditer(self.data)]
        if all(self.data.count(b"{", 0, at) == self.data.count(b"}", 0, at) for at in places):
            return frozenset()
        file = self.tokens
        opened = [k for k, t in enumerate(file.tokens) if t.text == "{" and t.directive < 0 and file.partner(k) >= 0]
        spans = [(file.tokens[k].start, file.tokens[file.partner(k)].start) for k in opened]
        included = (d for d in file.directives if d.name == "include" and d.first < d.last)
        inside = (d for d in included if any(start < d.start < end for start, end in spans))
        return frozenset(file.tokens[d.first].text[1:-1] for d in inside)

    @cached_property
    def has_concepts(self) -> bool:
        """Whether it defines a concept, whatever the standard: C++17 has none."""
        if not self.has(_CONCEPT) or self.has(_STANDARD):
            return False
        tokens = self.tokens.tokens
        return any(tokens[at + 2].text == "=" for at in self.tokens.places("concept") if at + 2 < len(tokens))

    @cached_property
    def text(self) -> str:
        return decode(self.data)

    @cached_property
    def tokens(self) -> TokenFile:
        return lex(self.text)

    def asm(self, around: Sequence[TokenFile]) -> tuple[tuple[int, str, Ptx], ...]:
        """The asm statements: where each begins, its text, and the same as PTX; `around` are the other files of the translation unit.

        Read once for all units whose other files mean the same to this one.
        """
        if not has_asm(self.tokens, around):
            return ()
        key = asm_context(self.tokens, around)
        if key not in self._asm:
            self._asm[key] = tuple((at, text, parse_ptx(text)) for at, text in asm_texts(self.tokens, around))
        return self._asm[key]

    @cached_property
    def namespaces(self) -> tuple[Mapping[str, str], frozenset[str]]:
        """Those that it gives another name, and those that it opens: `using namespace`."""
        renamed = {decode(m[1]): decode(m[2]) for m in _ALIAS.finditer(self.data)}
        return renamed, frozenset(decode(m[1]) for m in _OPENED.finditer(self.data))

    @cached_property
    def scopes(self) -> Scopes:
        return find_scopes(self.tokens)

    @cached_property
    def declared(self) -> frozenset[str]:
        return declared_names(self.tokens, self.scopes)

    @cached_property
    def variables(self) -> frozenset[str]:
        return declared_variables(self.tokens)

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        """Macros and types that are another name, and no more."""
        tokens, found = self.tokens.tokens, {}
        for index, token in enumerate(tokens):
            if token.text == "typedef" and [t.kind == Kind.IDENT for t in tokens[index + 1 : index + 4]] == [
                True,
                True,
                False,
            ]:
                if tokens[index + 3].text == ";":
                    found[tokens[index + 2].text] = tokens[index + 1].text
            elif token.text == "using" and [t.text for t in tokens[index + 2 : index + 5 : 2]] == ["=", ";"]:
                found[tokens[index + 1].text] = tokens[index + 3].text
        for directive in self.tokens.directives:
            if directive.name == "define" and directive.last - directive.first == 2:
                name, body = tokens[directive.first : directive.last]
                if body.kind == Kind.IDENT:
                    found[name.text] = body.text
        return found


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Files that are included within braces, where no header of porter's or HIP's can be."""

    hosts: Mapping[Path, frozenset[Path]]  # by such a file: the files around it that may include headers for it

    def guests(self, host: Path) -> tuple[Path, ...]:
        """The files for which this one includes headers."""
        return tuple(guest for guest, hosts in self.hosts.items() if host in hosts)


@dataclass
class Project:
    """Reads lazily and at most once; `root` is None for a single file."""

    root: Path | None
    include_dirs: tuple[str, ...] = ()
    files: dict[Path, SourceFile | None] = field(default_factory=dict)  # those that were read; projects may share them
    _closures: dict[Path, tuple[Path, ...]] = field(default_factory=dict)
    _targets: dict[Path, tuple[Path, ...]] = field(default_factory=dict)
    _members: dict[Path, list[SourceFile]] = field(default_factory=dict)
    _all_includes: dict[Path, frozenset[str]] = field(default_factory=dict)
    _embeddings: dict[Path | frozenset[Path], Embeddings] = field(default_factory=dict)
    whole: bool = False  # all of its files are ported together
    given: tuple[Path, ...] | None = None  # or these alone; besides all of its files, these from elsewhere
    apart: frozenset[str] = frozenset()  # headers by these names are no files of the project
    guessed: Guessed = ()  # those of the folders that nobody named for a file
    _folders: dict[Path, tuple[Path, ...]] = field(default_factory=dict)  # by the folder of a file, in its order

    def without(self, headers: frozenset[str]) -> Project:
        """The project where headers by these names are no files of it: what is known of who includes whom does not hold."""
        return replace(self, apart=headers, _closures={}, _targets={}, _members={}, _all_includes={}, _embeddings={})

    @cached_property
    def kernels(self) -> Mapping[str, Path]:
        """Where the project's .cu files define kernels."""
        found: dict[str, Path] = {}
        for path in walk(self.root) if self.root is not None else []:
            source = self.file(path) if path.suffix == ".cu" else None
            if source is not None and b"__global__" in source.data:
                found.update({f.name: path for f in source.scopes.functions if f.kernel and f.body[0] >= 0})
        return found

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
        found: list[Path] = []
        for header in sorted(loose, key=lambda f: -len(self.closure(f))):
            if header not in covered:
                found.append(header)
                covered.update(self.closure(header))
        return tuple(sorted(found))

    def is_loose(self, path: Path) -> bool:
        """Whether a file is a header of the tree that no main file of it includes."""
        return path.suffix in HEADER_SUFFIXES and path in self._covered

    @cached_property
    def _covered(self) -> frozenset[Path]:
        return frozenset(f for header in self.loose_headers for f in self.closure(header) if f not in self.includers)

    @cached_property
    def includers(self) -> Mapping[Path, tuple[Path, ...]]:
        """By header: the main files that include it."""
        found: dict[Path, tuple[Path, ...]] = {}
        for main in self.mains:
            for member in self.closure(main)[1:]:
                found[member] = (*found.get(member, ()), main)
        return found

    def alone(self, main: Path) -> frozenset[Path]:
        """The files that a main file includes and no other unit does; a main file in it is no unit of its own then."""
        members = self.closure(main)
        return frozenset(path for path in members[1:] if {main, *members}.issuperset(self.includers.get(path, (main,))))

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
        if include.rpartition("/")[2] in self.apart:
            return None
        for folder in self._searched(source.parent):
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
        """Namespaces of which a file, or one that it includes, says `using namespace`."""
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
    """The files that include one, or include those that do, and are in nobody's braces themselves."""
    found: set[Path] = set()
    seen, queue = {path}, [path]
    while queue:
        for includer in includers.get(queue.pop(), ()):
            if includer not in embedded:
                found.add(includer)
            elif includer not in seen:
                seen.add(includer)
                queue.append(includer)
    return frozenset(found)


def beside(members: Sequence[SourceFile], one: SourceFile) -> tuple[TokenFile, ...]:
    """The other files of a translation unit, whose macros a file's asm statements may use, or that use a macro of its own
    that pastes names; none in units without either."""
    if not any(member.has(_ASM_OR_PASTE) for member in members):
        return ()
    return tuple(member.tokens for member in members if member.path != one.path)


def beside_each(members: Sequence[SourceFile]) -> Iterator[tuple[TokenFile, ...]]:
    """beside() of each of the files of a translation unit."""
    if not any(member.has(_ASM_OR_PASTE) for member in members):
        return itertools.repeat((), len(members))
    files = tuple(member.tokens for member in members)
    return (files[:number] + files[number + 1 :] for number in range(len(files)))


def walk(root: Path, passed: list[tuple[Path, str]] | None = None) -> list[Path]:
    """Every file below root, sorted; links that lead out of the tree, and version control, left out. `passed` gets what was
    passed over with the reason; an OSError's text begins with "cannot be read"."""
    found: list[Path] = []
    over = [] if passed is None else passed
    real_root = root.resolve()

    def unreadable(error: OSError) -> None:
        over.append((Path(error.filename), f"cannot be read: {error.strerror}"))

    for folder, subfolders, files in os.walk(root, onerror=unreadable):
        subfolders[:] = sorted(d for d in subfolders if d not in _SKIPPED_FOLDERS)
        over += ((Path(folder, d), "a link to a folder") for d in subfolders if Path(folder, d).is_symlink())
        for name in sorted(files):
            path = Path(folder, name)
            why = _why_not(path, real_root)
            if why:
                over.append((path, why))
            else:
                found.append(path)
    return found


def _why_not(path: Path, real_root: Path) -> str:
    """Why a name in a tree is no file of it; "" where it is one."""
    if path.is_symlink():
        try:
            target = path.resolve(strict=True)
        except (OSError, RuntimeError):
            return "a link that leads nowhere"
        if real_root not in target.parents:
            return "a link out of the tree"
        if target.is_dir():
            return "a link to a folder"
    return "" if path.is_file() else "no file, but a device, a pipe or a socket"


# Folders in which a file's headers may be, and where the build files lie that name them: they mean what is below them.
Guessed = tuple[tuple[str, tuple[str, ...]], ...]


def find_include_dirs(
    project: Project, sources: Sequence[Path], named: Mapping[Path, Sequence[Path]] | None = None
) -> Guessed:
    """Folders that the #includes of these files need and no -I names: of those that the build files name the first by
    in_order() that has the header, or of the tree's whose path ends with what is included. `named`: where the build files
    lie that name a folder."""
    given = named or {}
    by_name: dict[str, list[Path]] = {}
    for path in sources:
        by_name.setdefault(path.name, []).append(path)
    found: dict[str, tuple[str, ...]] = {}
    queue, seen = list(sources), set(sources)
    while queue:
        path = queue.pop(0)
        source = project.file(path)
        for include in source.includes if source else ():
            if project.resolve(include, path) is not None:
                continue
            if include in _OF_THE_SYSTEM:  # a project's own is for systems that have none
                continue
            folders = [*(f for f in given if (f / include).is_file()), *_ending_with(include, by_name)]
            guesses = {str(f): tuple(map(str, given.get(f, ()))) for f in folders}
            if not guesses:
                continue
            folder = in_order([*guesses], tuple(guesses.items()), path.parent)[0]
            found[folder] = guesses[folder]
            header = Path(os.path.normpath(Path(folder, include)))
            if header not in seen:  # outside of the tree, perhaps
                seen.add(header)
                queue.append(header)
    return tuple(found.items())


def _ending_with(include: str, by_name: Mapping[str, Sequence[Path]]) -> list[Path]:
    """The folders below which a file of the tree has this path."""
    parts = Path(os.path.normpath(include)).parts
    if not parts or ".." in parts:
        return []
    return [c.parents[len(parts) - 1] for c in by_name.get(parts[-1], ()) if c.parts[-len(parts) :] == parts]


def in_order(folders: Sequence[str], guessed: Guessed, where: Path) -> tuple[str, ...]:
    """The folders as files in `where` search them: those that somebody named, those that a build file above `where` names,
    and others; of the guessed ones the nearest first."""
    if len(guessed) < 2:
        return tuple(folders)
    builds = dict(guessed)

    def order(folder: str) -> tuple[int, int]:
        if folder not in builds:
            return 0, 0
        above = any(where.is_relative_to(build) for build in builds[folder])
        return 1 if above else 2, -_shared(folder, where)

    return tuple(sorted(folders, key=order))


def _shared(folder: str, where: Path) -> int:
    """How much of their paths is the same."""
    try:
        return len(os.path.commonpath([folder, where]))
    except ValueError:  # one of them is relative
        return 0


_BEHIND_A_NAME = frozenset({";", ",", "=", ")", "[", "{"})
_BEFORE_A_TYPE = frozenset({"(", ",", ";", "{", "}"})
_NOT_TYPES = frozenset({"return", "else", "do", "case", "goto", "throw", "new", "delete", "co_return", "co_yield"})


def declared_names(file: TokenFile, scopes: Scopes) -> frozenset[str]:
    """Functions, types, aliases, enumerators and macros that a file introduces itself, read off its tokens."""
    names = {f.name for f in scopes.functions if f.name}
    tokens = file.tokens
    for index, token in enumerate(tokens):
        if token.kind != Kind.IDENT:
            continue
        before = tokens[index - 1].text if index else ""
        after = tokens[index + 1].text if index + 1 < len(tokens) else ""
        declares_type = before in ("struct", "class", "union", "enum") and after in ("{", ":", "final")
        if declares_type or (before == "using" and after == "="):
            names.add(token.text)
        elif after == ";" and before not in (".", "->", "return", "=") and _ends_typedef(file, index):
            names.add(token.text)
    for directive in file.directives:
        if directive.name == "define" and directive.first < directive.last:
            names.add(tokens[directive.first].text)
    return frozenset(names)


def declared_variables(file: TokenFile) -> frozenset[str]:
    """Names that follow a type, as in `cudaError_t cudaStatus = ...` or `static void *cudnn_workspace;`."""
    tokens = file.tokens
    texts = ["", *(token.text for token in tokens), ""]  # of tokens[k] at k + 1

    def may_be_type(at: int) -> bool:
        return at >= 0 and tokens[at].kind == Kind.IDENT and tokens[at].text not in _NOT_TYPES

    found: set[str] = set()
    for index, token in enumerate(tokens):
        if token.kind != Kind.IDENT or texts[index + 2] not in _BEHIND_A_NAME:
            continue
        at = index - 1
        while at >= 0 and tokens[at].text in ("*", "&", "const"):
            at -= 1
        if may_be_type(at) and (at == index - 1 or texts[at] in _BEFORE_A_TYPE or may_be_type(at - 1)):
            found.add(token.text)
    return frozenset(found)


def _ends_typedef(file: TokenFile, index: int) -> bool:
    at = index - 1
    while at >= 0 and index - at < 400:
        text = file.tokens[at].text
        if text == "typedef":
            return True
        if text == "}":
            at = file.partner(at)
            if at < 0:
                return False
        elif text in (";", "{"):
            return False
        at -= 1
    return False
