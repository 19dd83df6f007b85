"""Translation units as libclang has parsed them: each once for all of its files."""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import clang.cindex as ci

from porter.frontend.ambiguous import consts_of_candidates, is_ambiguous, without
from porter.frontend.answers import Answers
from porter.frontend.braces import Braces
from porter.frontend.cursors import by_file, children
from porter.frontend.libclang import KEEP_GOING, ParseOptions, arguments, index, resource_headers
from porter.frontend.spaced_launches import joined_texts

__all__ = [
    "ARRAY_IN_PARENTHESES",
    "MISSING_CLASS_TEMPLATE",
    "MISSING_TEMPLATE",
    "MISSING_TYPENAME",
    "NARROWING",
    "SHARED_VALUE",
    "VARIABLE_ARRAY",
    "Parsed",
    "full_name",
    "is_ported",
    "parsed_unit",
    "stamp",
]

NARROWING = "-Wc++11-narrowing"  # a value that does not fit in braces: nvcc warns, clang refuses
MISSING_TYPENAME = "missing 'typename' prior to dependent type name"  # nvcc finds the type itself
MISSING_TEMPLATE = "use 'template' keyword to treat '"  # likewise the template
MISSING_CLASS_TEMPLATE = "template argument for template template parameter must be a class template"  # likewise
ARRAY_IN_PARENTHESES = "array initializer must be an initializer list"
_OF_REFERENCE = "static assertion expression is not an integral constant expression"  # it is of a reference's class
VARIABLE_ARRAY = "variable-sized object may not be initialized"  # g++, to which nvcc leaves host code, does it
SHARED_VALUE = "initialization is not supported for __shared__ variables."
_UNDEFINED = "because its type does not have linkage"  # extern __shared__, of a type in a namespace without a name
# Of PTX in functions for both sides that host code calls: the parse is the host's, but has __CUDA_ARCH__. The statement
# is in the AST all the same.
_PTX_ON_HOST = re.compile(
    r"(?:invalid (?:in|out)put (?:constraint|size)|unknown register name|value '.*' out of range) .*"
)
_AMBIGUOUS_NAME = re.compile(r"reference to '.*' is ambiguous")
_NARROW = re.compile(r"'(?:const )?(?:__)?(?:nv_)?(?:half|bfloat16)2?\b")
_ENDLESS = ("unterminated ", "raw string missing terminating delimiter")


def is_ported(error: ci.Diagnostic) -> bool:
    """Whether passes port what clang refuses there, or nvcc takes it."""
    message = error.spelling
    return bool(
        error.option == NARROWING
        or message in (SHARED_VALUE, ARRAY_IN_PARENTHESES, VARIABLE_ARRAY, _OF_REFERENCE)
        or message.endswith(_UNDEFINED)
        or message.startswith((MISSING_TYPENAME, MISSING_TEMPLATE, MISSING_CLASS_TEMPLATE))
        or _PTX_ON_HOST.match(message)
    )


@lru_cache(maxsize=1 << 10)
def _is_of_clang(file: str) -> bool:
    """Whether it is a header of clang's own: libclang may be older than those, and take none of their newest builtins."""
    headers = resource_headers()
    return headers is not None and Path(file).is_relative_to(headers)


def _of_grammar(error: ci.Diagnostic) -> Iterator[ci.SourceLocation]:
    """Where it is if it is one of grammar: there, and where the bracket opens that it wants a partner for."""
    if error.category_name == "Parse Issue":
        opened = (note.location for note in error.children if note.spelling.startswith("to match this"))
        yield from (place for place in (error.location, *opened) if place.file is not None)


class Parsed:
    """A translation unit, and what is worked out of all of it."""

    def __init__(
        self, unit: ci.TranslationUnit, left_out: Mapping[str, frozenset[tuple[int, int]]] | None = None
    ) -> None:
        """`left_out`: what stands in its files and was not shown to the parser."""
        self.unit = unit
        self.consts_left_out = {full_name(name): spans for name, spans in (left_out or {}).items()}
        self.errors: Counter[str] = Counter()  # by file, "" where there is none
        self.first_error: dict[str, tuple[str, int, str]] = {}  # by file: its name, the line, and what clang says
        self.missing_headers: dict[str, dict[str, None]] = {}  # by file
        self.missing_typename: dict[str, set[int]] = {}  # by file, offsets
        self.missing_template: dict[str, set[int]] = {}  # likewise
        self.missing_class_template: dict[str, set[int]] = {}  # likewise
        self.warned: dict[tuple[str, str], set[int]] = {}  # by file and what was said, offsets
        self.syntax: dict[
            str, set[int]
        ] = {}  # by file: offsets of errors of grammar, and of the brackets that they name
        self.endless: dict[
            str, set[int]
        ] = {}  # by file: offsets of comments, #if, macros' arguments, raw strings without end
        self.optional: dict[tuple[str, str], list[int]] = {}  # by file and the option that asks: numbers of diagnostics
        for number, diagnostic in enumerate(unit.diagnostics):
            place = diagnostic.location
            text, file = diagnostic.spelling, place.file
            name = full_name(file.name) if file is not None else ""
            self.warned.setdefault((name, text), set()).add(place.offset)
            self.optional.setdefault((name, diagnostic.option), []).append(number)
            if diagnostic.severity < ci.Diagnostic.Error:
                continue
            if text.endswith("file not found"):
                self.missing_headers.setdefault(name, {})[text.split("'")[1]] = None
            elif text.startswith(MISSING_TYPENAME):
                self.missing_typename.setdefault(name, set()).add(place.offset)
            elif text.startswith(MISSING_TEMPLATE):
                self.missing_template.setdefault(name, set()).add(place.offset)
            elif text.startswith(MISSING_CLASS_TEMPLATE):
                self.missing_class_template.setdefault(name, set()).add(place.offset)
            elif not is_ported(diagnostic) and not _is_of_clang(name):
                self.errors[name] += 1
                self.first_error.setdefault(name, (os.path.basename(name), place.line, text))
                if text.startswith(_ENDLESS):
                    self.endless.setdefault(name, set()).add(place.offset)
                for location in _of_grammar(diagnostic):
                    self.syntax.setdefault(full_name(location.file.name), set()).add(location.offset)
        self.braced: dict[str, list[Braces]] = {}  # by the name of a file, as Ast says
        self.probed = Answers(lambda: self.digest)  # of porter.frontend.probes

    @cached_property
    def project_files(self) -> Sequence[Path]:
        """What is included that is not the system's, headers of headers too."""
        files: dict[str, None] = {}
        for inclusion in self.unit.get_includes():
            name = inclusion.include.name
            start = ci.SourceLocation.from_position(self.unit, inclusion.include, 1, 1)
            if name not in files and not start.is_in_system_header:
                files[name] = None
        return [Path(name) for name in files]

    @cached_property
    def digest(self) -> str:
        """Another one where a file of the unit has changed, a system's by its time and size; or porter's parser."""
        digest = hashlib.sha256(repr((ci.__file__, _own_sources())).encode())
        project = set(map(str, self.project_files))
        for name in sorted({self.unit.spelling, *(inclusion.include.name for inclusion in self.unit.get_includes())}):
            own = name in project or name == self.unit.spelling
            digest.update(
                f"{name} {_digest_of(Path(name)) if own else stamp(Path(name))}\n".encode("utf-8", "surrogateescape")
            )
        return digest.hexdigest()

    @cached_property
    def files(self) -> frozenset[str]:
        """The full names of those."""
        return frozenset(full_name(str(path)) for path in self.project_files)

    @cached_property
    def declarations(self) -> Mapping[str, Sequence[Any]]:
        """By the name of the file: the cursors at the top of the unit that stand in it."""
        of_files: dict[str, list[Any]] = {}
        for name, cursors in by_file(children(self.unit.cursor)).items():
            of_files.setdefault(full_name(name), []).extend(cursors)
        return of_files

    @cached_property
    def global_types(self) -> frozenset[str]:
        """Names that types have outside of all namespaces and classes, the system's among them."""
        return frozenset(cursor.spelling for cursor in children(self.unit.cursor) if cursor.kind in _TYPES)

    @cached_property
    def member_templates(self) -> frozenset[str]:
        """Names that only member templates of the project's classes have, no other member of them."""
        of_templates, others = set[str](), set[str]()
        for cursor in _members(self.unit.cursor):
            (of_templates if cursor.kind == ci.CursorKind.FUNCTION_TEMPLATE else others).add(cursor.spelling)
        return frozenset(of_templates - others)

    @cached_property
    def member_class_templates(self) -> frozenset[str]:
        """Names that only class templates have that are members of the project's classes, no other member of them."""
        of_templates, others = set[str](), set[str]()
        for cursor in _members(self.unit.cursor):
            (of_templates if cursor.kind in _CLASS_TEMPLATES else others).add(cursor.spelling)
        return frozenset(of_templates - others)

    @cached_property
    def member_types(self) -> frozenset[str]:
        """Names that only types have that are members of the project's classes, no other member of them."""
        return frozenset(self._member_types - {cursor.spelling for cursor in self._other_members})

    @cached_property
    def sized_types(self) -> frozenset[str]:
        """The same, where other members may be numbers too: nobody asks for the size of a constant."""
        others = {cursor.spelling for cursor in self._other_members if not _is_number(cursor)}
        return frozenset(self._member_types - others)

    @cached_property
    def _member_types(self) -> frozenset[str]:
        return frozenset(cursor.spelling for cursor in _members(self.unit.cursor) if cursor.kind in _TYPES)

    @cached_property
    def _other_members(self) -> Sequence[Any]:
        """The members of the project's classes that are no types."""
        none = _TYPES | _PARAMETERS
        return [one for one in _members(self.unit.cursor) if one.kind not in none and not one.kind.is_reference()]


@dataclass(frozen=True, slots=True)
class _Kept:
    parsed: Parsed
    stamps: Mapping[Path, tuple[int, int]]  # of its files


# The last unit by two standards, and headers that are parsed together: templates of one file may take ten seconds.
_kept: dict[tuple[str, ...], _Kept] = {}
_MOST_KEPT = 4

Texts = Sequence[tuple[str, str | bytes]] | None  # contents of files that stand for those on disk


def parsed_unit(mains: Sequence[Path], options: ParseOptions) -> Parsed | None:
    """The translation unit of one file, or one that includes several headers; None where libclang gives up."""
    given = tuple(arguments(options))
    key = (*map(str, mains), *given)
    known = _kept.pop(key, None)
    if known is None or any(stamp(path) != then for path, then in known.stamps.items()):
        text = "".join(f'#include "{os.path.abspath(main)}"\n' for main in mains)
        file = str(mains[0]) if len(mains) == 1 else _TOGETHER
        texts: Texts = [(_TOGETHER, text)] if file == _TOGETHER else None
        unit = _parse(file, given, texts) or _parse(file, arguments(options, precompiled=False), texts)
        if unit is None:
            return None
        parsed, texts = _with_joined_launches(Parsed(unit), file, given, texts)
        parsed = _with_its_own_headers(parsed, file, options, texts)
        parsed = _without_its_defines(parsed, file, options, texts)
        parsed = _without_consts(parsed, file, given, texts)
        known = _Kept(parsed, {path: stamp(path) for path in (*mains, *parsed.project_files)})
    _kept[key] = known
    while len(_kept) > _MOST_KEPT:
        del _kept[next(iter(_kept))]
    return known.parsed


def _with_joined_launches(parsed: Parsed, file: str, given: Sequence[str], texts: Texts) -> tuple[Parsed, Texts]:
    """The unit without the blanks in brackets of launches, and the texts that it was made of."""
    joined = joined_texts(parsed.syntax)
    unit = _parse(file, given, [*(texts or ()), *joined]) if joined else None
    other = Parsed(unit) if unit is not None else parsed
    return (other, [*(texts or ()), *joined]) if other.errors.total() < parsed.errors.total() else (parsed, texts)


def _with_its_own_headers(parsed: Parsed, file: str, options: ParseOptions, texts: Texts) -> Parsed:
    """The unit without precompiled standard headers that it does not include itself. It serves where `using namespace
    std` makes a name of theirs and a name of the project ambiguous."""
    if options.library is not None or not any(_AMBIGUOUS_NAME.fullmatch(message) for _, message in parsed.warned):
        return parsed
    unit = _parse(file, arguments(options, precompiled=False), texts)
    other = Parsed(unit) if unit is not None else parsed
    return other if other.errors.total() < parsed.errors.total() else parsed


def _without_its_defines(parsed: Parsed, file: str, options: ParseOptions, texts: Texts) -> Parsed:
    """The unit without the macros of its library's builder, where it counts on what they take away: torch's extensions do
    (`-U__CUDA_NO_HALF_OPERATORS__`) that have operators of CUDA's narrow types."""
    library = options.library
    if (
        library is None
        or not library.defines
        or not parsed.errors
        or not any(_NARROW.search(message) for _, message in parsed.warned)
    ):
        return parsed
    unit = _parse(file, arguments(replace(options, library=replace(library, defines=()))), texts)
    other = Parsed(unit) if unit is not None else parsed
    return other if other.errors.total() < parsed.errors.total() else parsed


def _without_consts(parsed: Parsed, file: str, given: Sequence[str], texts: Texts) -> Parsed:
    """The unit without the `const` of parameters by which calls in it are ambiguous; itself where there are none."""
    if not any(is_ambiguous(message) for _, message in parsed.warned):
        return parsed
    spans = consts_of_candidates(parsed.unit)
    unit = _parse(file, given, [*(texts or ()), *without(spans)]) if spans else None
    other = Parsed(unit, spans) if unit is not None else parsed
    return other if other.errors.total() < parsed.errors.total() else parsed


def _parse(file: str, given: Sequence[str], texts: Texts) -> ci.TranslationUnit | None:
    """The unit; None where libclang gives up, as it does on a precompiled header that is not whole."""
    try:
        return index().parse(file, list(given), texts, KEEP_GOING)
    except ci.TranslationUnitLoadError:
        return None


_TOGETHER = "/porter-headers.cu"  # in memory only


@lru_cache(maxsize=1 << 14)
def full_name(file: str) -> str:
    """The same for all spellings of a path: libclang keeps the first spelling that it was given."""
    return os.path.abspath(file)


@lru_cache(maxsize=1)
def _own_sources() -> str:
    """What answers are worked out by."""
    folder = Path(__file__).parent
    return "".join(
        _digest_of(folder / name)
        for name in (
            "parsed.py",
            "ambiguous.py",
            "spaced_launches.py",
            "probes.py",
            "reparsed.py",
            "libclang.py",
            "ast.py",
            "cursors.py",
        )
    )


def _digest_of(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def stamp(path: Path) -> tuple[int, int]:
    """Size and time of a file; another if it changes."""
    try:
        status = path.stat()
    except OSError:
        return (-1, -1)
    return status.st_size, status.st_mtime_ns


_CLASS_TEMPLATES = frozenset({ci.CursorKind.CLASS_TEMPLATE, ci.CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION})
_CLASSES = _CLASS_TEMPLATES | {ci.CursorKind.CLASS_DECL, ci.CursorKind.STRUCT_DECL}

_TYPES = frozenset(
    {
        ci.CursorKind.TYPEDEF_DECL,
        ci.CursorKind.TYPE_ALIAS_DECL,
        ci.CursorKind.CLASS_DECL,
        ci.CursorKind.STRUCT_DECL,
        ci.CursorKind.ENUM_DECL,
    }
)

_PARAMETERS = frozenset(
    {
        ci.CursorKind.TEMPLATE_TYPE_PARAMETER,
        ci.CursorKind.TEMPLATE_NON_TYPE_PARAMETER,
        ci.CursorKind.TEMPLATE_TEMPLATE_PARAMETER,
    }
)


def _is_number(cursor: Any) -> bool:
    """Is a member a constant of a number's type?"""
    if cursor.kind != ci.CursorKind.VAR_DECL or not cursor.type.is_const_qualified():
        return False
    return bool(ci.TypeKind.BOOL.value <= cursor.type.get_canonical().kind.value <= ci.TypeKind.LONGDOUBLE.value)


def _members(scope: Any) -> Iterator[Any]:
    """The members of the project's classes in this scope, those of classes in them too."""
    for cursor in children(scope):
        if cursor.location.is_in_system_header:
            continue
        if scope.kind in _CLASSES:
            yield cursor
        if cursor.kind in _CLASSES or cursor.kind in (ci.CursorKind.NAMESPACE, ci.CursorKind.LINKAGE_SPEC):
            yield from _members(cursor)
