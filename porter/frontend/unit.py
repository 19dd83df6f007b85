"""What a pass sees of one source file: its tokens, and what libclang knows about them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from porter.chip import CHIPS, DEFAULT_CHIP, Board, Chip
from porter.findings import encode
from porter.frontend.ast import Ast, ParseOptions
from porter.frontend.folders import Guessed, in_order
from porter.frontend.lexer import Kind, Token, TokenFile, template_begin
from porter.frontend.libclang import Library
from porter.frontend.scopes import Scope, Scopes

if TYPE_CHECKING:
    from porter.frontend.source_file import SourceFile

__all__ = ["Elsewhere", "Facts", "Options", "Unit"]


@dataclass(frozen=True, slots=True)
class Options:
    """What the user asked for; the same for all files of one run."""

    includes: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()  # those of them whose headers are read and never ported
    guessed: Guessed = ()  # those of them that nobody named for a file
    defines: tuple[str, ...] = ()
    standard: str = "c++17"
    cuda_path: str = ""
    target: str = DEFAULT_CHIP.target
    warp: int = 32
    schedule: str = "faithful"  # "native": kernels whose loops are recognised are written anew for CDNA
    kittens: str = "faithful"  # "native": ThunderKittens' warps are wavefronts, by porter's own library
    oversize: str = "device-memory"  # where dynamic shared memory lies that nothing makes fit; "refuse": it is left
    board: str = ""  # that native schedules are tuned for; "": the chip's first
    inline: bool = False  # a native kernel's schedule is a text of the port; False: a header of porter's
    resources: bool = False  # ports are compiled, and kernels with spilled registers named
    rules: tuple[Path, ...] = ()
    runtime: str = "copy"  # "copy": porter's headers are put beside the port; "include": -I is left to the user
    select: tuple[str, ...] = ()  # rules whose sites are looked at; none: all
    ignore: tuple[str, ...] = ()  # rules whose sites are accepted
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()  # likewise in the files of a pattern
    exclude: tuple[str, ...] = ()  # patterns of files of a tree that stay as they are
    gitignore: bool = False  # files of a tree that git ignores are left out
    parse: bool = True  # False: tokens only (tests of the token view)
    library: Library | None = None  # torch, for units that include its headers or pybind11's

    @property
    def project_includes(self) -> tuple[str, ...]:
        """The folders whose headers are the project's."""
        return tuple(folder for folder in self.includes if folder not in self.systems)

    @property
    def of_parse(self) -> ParseOptions:
        """What of them libclang is told."""
        return ParseOptions(self.includes, self.defines, self.standard, self.cuda_path, library=self.library)

    def of_unit(self, main: Path, includes: Iterable[str]) -> Options:
        """The options of one translation unit with what its files include: folders in its order. The library is left
        out where the unit does not need it, or where the user's folders have it."""
        names = list(includes)
        library = self.library
        while library is not None and not library.is_included(names):
            library = library.brings
        if library is not None:
            theirs = (Path(folder, name) for folder in self.includes for name in library.headers)
            library = None if any(header.is_file() for header in theirs) else library
        return replace(self, includes=in_order(self.includes, self.guessed, main.parent), library=library)


_BEFORE_RESULT = frozenset({")", "const", "noexcept", "mutable"})
_TYPE = re.compile(r"cuda\w+_t|CU\w+|__nv_\w+|__half2?")


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A kernel of another translation unit."""

    path: Path  # of the file that defines the kernel
    mirrored: int  # as in Facts
    clusters: bool


@dataclass(frozen=True, slots=True)
class Facts:
    """What a file's translation unit, and the project around it, say of the file. porter.analysis works it out."""

    mirrored: int = 0  # each CUDA warp has a wave of its own; 2: and threads may have more than one index
    named_barriers: bool = False  # the unit has barriers with a number, so kernels clear them first
    warpgroups: bool = False  # the unit waits for wgmma: kernels clear the counts of who is how far
    counts_in_headers: bool = False  # kernels of its headers have such barriers or counts: other units need them
    meeting: bool = False  # a product of a warpgroup begins when its four warps have come
    clusters: bool = False  # its kernels run in thread-block clusters
    cluster_shadows: bool = False  # whose blocks reach each other's shared memory by pointers
    plain: frozenset[str] = frozenset()  # kernels of a mirrored unit whose threads have no mirrors nevertheless
    kind_dependent: frozenset[str] = frozenset()  # functions of a header that differ between the units that include it
    elsewhere: Mapping[str, Elsewhere] = field(default_factory=dict)  # kernels that another unit defines
    unclear_asm: Mapping[int, tuple[str, ...]] = field(default_factory=dict)  # by offset: texts that units give one asm
    idle_clusters: bool = False  # its files have clusters, in functions that do not run
    named_elsewhere: frozenset[str] = frozenset()  # for --warp 64: its functions and constants that other files name
    early_launches: bool = False  # a file of it lets kernels begin before the one in front of them has ended
    mentioned: bool = False  # roles and clusters are those of all that the unit's files have, whether or not it runs

    def without_mirrors(self) -> Facts:
        """These facts for a unit whose kernels no longer need mirrored warps or clusters."""
        return replace(
            self,
            mirrored=0,
            named_barriers=False,
            warpgroups=False,
            meeting=False,
            clusters=False,
            cluster_shadows=False,
        )


@dataclass
class Unit:
    path: Path
    file: TokenFile
    scopes: Scopes
    ast: Ast | None
    options: Options
    is_main: bool = True  # a translation unit of its own, not a header
    renames: Mapping[str, str] = field(default_factory=dict)  # include spelling -> ported spelling
    own_includes: frozenset[str] = frozenset()  # include spellings that mean files of the project
    outside: Mapping[str, Path] = field(default_factory=dict)  # includes of CUDA files outside this run
    notes: tuple[str, ...] = ()
    runtime_prefix: str = ""  # leads from the file to the folder that holds porter/*.h
    aliases: Mapping[str, str] = field(default_factory=dict)  # namespace aliases: ptx -> cuda::ptx
    opened: frozenset[str] = frozenset()  # namespaces whose names are used without them
    includes: frozenset[str] = frozenset()  # every #include of the file and of the project's headers it includes
    facts: Facts = field(default_factory=Facts)
    of_nvcc: bool = False  # its translation unit is a .cu file, which nvcc compiles with headers of its own
    beside: tuple[TokenFile, ...] = ()  # the unit's other files, where what they say is asked for
    included: Sequence[SourceFile] = ()  # the project's files that it includes, headers of headers too
    members: Sequence[SourceFile] = ()  # the project's files that its translation unit reads, the main file first
    alone: frozenset[Path] = frozenset()  # those of them that no other unit includes
    project_names: frozenset[str] = frozenset()  # functions, types and macros that the project defines itself
    embedded: bool = False  # some file includes it within braces: what it needs is included above them
    guests: tuple[str, ...] = ()  # the headers, `<name>` or `porter/name`, that the files in this one's braces need

    @property
    def chip(self) -> Chip:
        """The chip that it is ported to."""
        return CHIPS[self.options.target]

    @property
    def board(self) -> Board:
        """The board that it is ported to."""
        board = self.chip.board(self.options.board)
        assert board is not None
        return board

    @property
    def tokens(self) -> Sequence[Token]:
        return self.file.tokens

    def has(self, pattern: re.Pattern[bytes]) -> bool:
        """Whether the pattern matches anywhere in the file."""
        return pattern.search(encode(self.file.text)) is not None

    def text(self, index: int) -> str:
        """Token text, or "" outside of the file: lets passes look around without bounds checks."""
        return self.file.word(index)

    def launched(self, launch: int) -> str:
        """The kernel's name before the `<<<`, over a template's arguments."""
        return self.text(template_begin(self.file, launch - 1))

    def scope(self, index: int) -> Scope:
        return self.scopes.at(index)

    def is_user_symbol(self, index: int) -> bool:
        """Is tokens[index] a name that the project itself declares (and not CUDA's)?

        The AST decides where it resolved the name; elsewhere (inactive branches, macro bodies,
        dependent names) a name that the project defines anywhere is taken to be the project's.
        """
        token = self.file.tokens[index]
        if token.directive >= 0 and self.file.directives[token.directive].first == index:
            if self.file.directives[token.directive].name == "define":
                return True
        named = self.text(index - 1) in ("enum", "namespace") and self.text(index - 2) == "using"  # declared elsewhere
        if self.ast is not None and token.directive < 0 and not named:
            owner = self.ast.owner(token.start, token.text)
            if owner:
                return owner == "project"
        return token.text in self.project_names

    def is_member(self, index: int) -> bool:
        """Behind `.` or `->`; not the type of `auto f() -> T {`."""
        if self.text(index - 1) != "->":
            return self.text(index - 1) == "."
        after = ("{", ";", "*", "&") if _TYPE.fullmatch(self.text(index)) else ("{",)
        return not (self.text(index - 2) in _BEFORE_RESULT and self.text(index + 1) in after)

    def is_call(self, index: int) -> bool:
        return self.text(index + 1) == "(" and self.file.tokens[index].kind == Kind.IDENT

    def in_device_code(self, index: int) -> bool:
        """Inside a __global__ or __device__ function, or where tokens alone cannot tell: a macro body."""
        scope = self.scopes.at(index)
        return scope.device or (scope.unknown and self.file.tokens[index].directive >= 0)
