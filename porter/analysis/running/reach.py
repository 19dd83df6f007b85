"""Which functions of a translation unit run: what its kernels and host code call, and what other units may call.

Asked of libclang. Every function of the project gets an attribute and a pragma. The attribute makes each use a
diagnostic, in instances of templates too; the pragma shows whether the preprocessor keeps the function. So a header's
function without a calling kernel, or a template without an instance, does not count.

What is not compiled here may be compiled elsewhere: a kernel template without instances, and, where no macro is given
(-D), what the preprocessor leaves out. There, whoever names a function counts as its caller.
"""

from __future__ import annotations

import bisect
import contextlib
import hashlib
import itertools
import json
import os
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import clang.cindex as ci

from porter.analysis.running import constexpr_branches, owners, unreached
from porter.analysis.running.constexpr_branches import DECLARED, NOT_TAKEN, TAKEN, Choice, choices_of
from porter.analysis.running.owners import Owners, words_of
from porter.analysis.running.unreached import (
    Doubt,
    Names,
    classes_of,
    heads_of,
    own_mentions,
    specialised_for,
    text_between,
)
from porter.cache_folder import cache_dir, write_atomically
from porter.frontend import branches, compilations, lexer, scopes
from porter.frontend import left_out as preprocessed
from porter.frontend.ast import ParseOptions, translation_unit
from porter.frontend.branches import branches_of
from porter.frontend.cpp.empty_initializers import empty_initializers
from porter.frontend.cpp.reference_constants import reference_constants
from porter.frontend.left_out import WITH_LEFT_OUT, Spans, left_out, never_compiled
from porter.frontend.lexer import TokenFile, template_begin, template_end
from porter.frontend.parsed import is_ported
from porter.frontend.scopes import Function
from porter.frontend.source_file import SourceFile

__all__ = ["EVERYTHING", "Reach", "reach"]

_FLAGS = ("-W#pragma-messages",)
_WITHOUT_KEYWORD = (
    "missing 'template' keyword",
    "reference to non-static member function must be called",
    "reference to overloaded function could not be resolved",
    "no member named",  # as a value: `Type::template name<...>()` where it is a class
)
_OF_A_NAME = frozenset({".", "->", "::"})
_SEEN, _USED = "porter seen ", "porter used "
_SPECIFIERS = frozenset(
    {"__device__", "__host__", "__global__", "static", "inline", "constexpr", "__forceinline__", "__noinline__", "virtual",
     "explicit", "void", "auto", "__inline__", "__inline"}
)  # fmt: skip
# Of a function that no other unit can call: it is this one's own, or the other has its own.
_INLINE = frozenset({"static", "inline", "__inline__", "__inline", "constexpr", "__forceinline__"})
_OF_ONE_UNIT = _INLINE | {"template", "class"}
_TYPES = frozenset({"bool", "char", "short", "int", "long", "unsigned", "signed", "float", "double"})
_NOBODY = -1


@dataclass(frozen=True, slots=True)
class Reach:
    """By file: the tokens (first, last) of what does not run; the text of functions that certainly have no caller
    (porter.analysis.running.unreached), without its preprocessor lines; and, where macros are given, the text that no compilation
    sees (porter.frontend.left_out)."""

    idle: Mapping[Path, Sequence[tuple[int, int]]] = field(default_factory=dict)
    uncalled: Mapping[Path, Spans] = field(default_factory=dict)
    left_out: Mapping[Path, Spans] = field(default_factory=dict)

    def runs(self, source: SourceFile, index: int, members: Sequence[SourceFile] = ()) -> bool:
        """Whether what stands at tokens[index] is, for all that is known, compiled into something that runs: in a macro,
        where one of the members uses it."""
        if not self.idle:
            return True
        directive = source.tokens.tokens[index].directive
        if directive >= 0 and members:
            name = source.tokens.tokens[source.tokens.directives[directive].first].text
            return any(self._uses(member, name) for member in members)
        return not any(first <= index <= last for first, last in self.idle.get(source.path, ()))

    def _uses(self, source: SourceFile, macro: str) -> bool:
        tokens = source.tokens.tokens
        own = {d.first for d in source.tokens.directives if d.name == "define"}
        places = (index for index in source.tokens.places(macro) if index not in own)
        return any(tokens[index].directive >= 0 or self.runs(source, index) for index in places)


EVERYTHING = Reach()


def reach(members: Sequence[SourceFile], options: ParseOptions) -> Reach | None:
    """Of a translation unit, its main file first; None if the parse has errors, so that it is not known."""
    path = cache_dir() / "reach" / f"{_digest(members, options)}.json"
    with contextlib.suppress(OSError, ValueError, TypeError, IndexError):
        kept = json.loads(path.read_bytes())
        return None if kept is None else Reach(*({members[n].path: [(a, b) for a, b in r] for n, r in x} for x in kept))
    reached = _reach_of(members, options)
    numbers = {member.path: number for number, member in enumerate(members)}
    parts = () if reached is None else (reached.idle, reached.uncalled, reached.left_out)
    data = [[(numbers[path], ranges) for path, ranges in one.items()] for one in parts] or None
    with contextlib.suppress(OSError):  # which costs time, nothing else
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(data).encode())
    return reached


_WORKED_OUT_BY = (constexpr_branches, owners, unreached, branches, compilations, lexer, preprocessed, scopes)


def _digest(members: Sequence[SourceFile], options: ParseOptions) -> str:
    digest = hashlib.sha256(repr((ci.__file__, options, [str(member.path) for member in members])).encode())
    for module in (__file__, *(str(one.__file__) for one in _WORKED_OUT_BY)):
        digest.update(Path(module).read_bytes())
    for member in members:
        digest.update(hashlib.sha256(member.data).digest())
    return digest.hexdigest()[:40]


def _reach_of(members: Sequence[SourceFile], options: ParseOptions) -> Reach | None:
    files = _files(members)
    unit = _parsed(files, options)
    names = frozenset[str]()
    while unit is not None and (more := _without_keyword(unit, files) - names):
        names |= more
        files = [
            replace(file, keywords=_calls_of(file.source, names), types=_types_of(file.source, names)) for file in files
        ]
        unit = _parsed(files, options)
    if unit is None:
        return None
    unseen = never_compiled(members, options) if options.defines else {}
    graph = _Graph(files, unseen)
    return Reach(graph.idle(), graph.uncalled(), unseen) if graph.read(unit) else None


def _parsed(files: Sequence[_File], options: ParseOptions) -> ci.TranslationUnit | None:
    texts = {file.source.path: file.marked for file in files}
    return translation_unit(files[0].source.path, texts, options, DECLARED, _FLAGS, WITH_LEFT_OUT)


def _without_keyword(unit: ci.TranslationUnit, files: Sequence[_File]) -> frozenset[str]:
    """The names of member templates before which `template` is missing, or `typename` before all of the qualified name: nvcc
    does without."""
    known = {os.path.realpath(file.source.path): file for file in files}
    names = set()
    for error in unit.diagnostics:
        if not error.spelling.startswith(_WITHOUT_KEYWORD):
            continue
        place = error.location
        file = known.get(os.path.realpath(place.file.name)) if place.file is not None else None
        if file is None:
            continue
        tokens, at = file.source.tokens, file.token_at(place.offset)
        while tokens.word(at + 1) in _OF_A_NAME:
            at += 2
        if tokens.word(at + 1) == "<":
            names.add(tokens.word(at))
    return frozenset(names)


def _calls_of(source: SourceFile, names: frozenset[str]) -> frozenset[int]:
    """The tokens of these names as members of something, where template arguments and a call follow."""
    tokens, last = source.tokens, len(source.tokens.tokens)
    places = (at for at in tokens.places(*names) if tokens.word(at - 1) in _OF_A_NAME and tokens.word(at + 1) == "<")
    ends = ((at, template_end(tokens, at + 1, last, known=True)) for at in places)
    return frozenset(at for at, end in ends if end > 0 and tokens.word(end) == "(")


def _types_of(source: SourceFile, names: frozenset[str]) -> frozenset[int]:
    """Where `Type::template name<...>(` begins, which makes an object of a class of one of these names."""
    tokens, last = source.tokens, len(source.tokens.tokens)
    starts = set()
    for at in tokens.places(*names):
        end = template_end(tokens, at + 1, last, known=True) if tokens.word(at + 1) == "<" else -1
        if end < 0 or (tokens.word(end), tokens.word(at - 1), tokens.word(at - 2)) != ("(", "template", "::"):
            continue
        first = template_begin(tokens, at - 3)
        while tokens.word(first - 1) == "::":
            first = template_begin(tokens, first - 2)
        if tokens.word(first - 1) in ("{", "}", ";", "=", "(", "return", ")"):  # no base of a class
            starts.add(first)
    return frozenset(starts)


@dataclass(frozen=True, slots=True)
class _Node:
    """A function, or a declaration of one."""

    number: int
    function: Function
    words: frozenset[str]  # of the declaration, "class" where it is a member
    mark: int  # offset where the mark goes; -1: it has none

    @property
    def span(self) -> tuple[int, int]:
        return self.function.first, self.function.body[1]


@dataclass
class _File:
    source: SourceFile
    nodes: list[_Node]
    keywords: frozenset[int] = frozenset()  # the tokens before which `template` is missing
    types: frozenset[int] = frozenset()  # likewise `typename`

    @property
    def own(self) -> list[_Node]:
        """The marked functions that have a body."""
        return [node for node in self.nodes if node.mark >= 0 and node.function.body[0] >= 0]

    @cached_property
    def _inserted(self) -> list[tuple[int, str]]:
        marks = [(node.mark, _mark(node.number)) for node in self.nodes if node.mark >= 0]
        choices = (mark for one in self.choices for mark in one.marks(self.source.tokens))
        return sorted([*marks, *choices, *self._accepted()])

    def _accepted(self) -> Iterator[tuple[int, str]]:
        """What makes clang take expressions of marked functions that nvcc takes."""
        file = self.source.tokens
        for at in reference_constants(file):
            if self.around[at] != _NOBODY:
                yield from _by_type(file, at)
        for one in empty_initializers(file):
            if self.around[one.name] != _NOBODY:
                yield from ((file.tokens[one.first].start, "/*"), (file.tokens[one.last].end, "*/"))
        yield from ((file.tokens[index].start, "template ") for index in self.keywords)
        yield from ((file.tokens[index].start, "typename ") for index in self.types)

    @cached_property
    def choices(self) -> list[Choice]:
        """The `if constexpr` in marked functions."""
        return [one for one in choices_of(self.source.tokens) if self.around[one.then[0]] != _NOBODY]

    @property
    def marked(self) -> str:
        text, parts, last = self.source.tokens.text, [], 0
        for offset, mark in self._inserted:
            parts += [text[last:offset], mark]
            last = offset
        return "".join([*parts, text[last:]])

    @cached_property
    def _places(self) -> list[tuple[int, int]]:
        """Offsets in the marked text past each mark, and how much was inserted until there."""
        shifts, shift = [], 0
        for offset, mark in self._inserted:
            shift += len(mark)
            shifts.append((offset + shift, shift))
        return shifts

    def token_at(self, offset: int) -> int:
        """Of a place in the marked text."""
        at = bisect.bisect_right(self._places, (offset, 1 << 60)) - 1
        return self.source.tokens.token_at(offset - (self._places[at][1] if at >= 0 else 0))

    def owner(self, offset: int) -> int:
        """The innermost named function around a place of the marked text."""
        index = self.token_at(offset)
        around = [node for node in self.nodes if node.function.first <= index <= node.function.body[1]]
        return max(around, key=lambda node: node.function.first).number if around else _NOBODY

    @cached_property
    def around(self) -> array[int]:
        """By token: the number of the outermost marked function around it, or -1."""
        owners = array("i", [_NOBODY]) * len(self.source.tokens.tokens)
        for node in sorted(self.own, key=lambda node: -node.function.first):
            first, last = node.span
            owners[first : last + 1] = array("i", [node.number]) * (last + 1 - first)
        return owners

    def classes_around(self, at: int) -> list[str]:
        """The classes whose brackets a token stands in, the innermost last."""
        return [name for _, name in self._around(at)]

    def arguments_around(self, at: int) -> frozenset[str]:
        """The names that the head of the innermost class around a token gives a template as arguments."""
        return self._specialised.get(self._around(at)[-1][0], frozenset())

    def _around(self, at: int) -> list[tuple[int, str]]:
        last = bisect.bisect_left(self._classes, (at, ""))
        return [one for one in self._classes[:last] if at < self.source.tokens.partner(one[0])]

    @cached_property
    def _classes(self) -> list[tuple[int, str]]:
        return sorted((first, name) for name, (first, _) in classes_of(self.source.tokens) if first >= 0)

    @cached_property
    def _specialised(self) -> Mapping[int, frozenset[str]]:
        return dict(specialised_for(self.source.tokens))


def _files(members: Sequence[SourceFile]) -> list[_File]:
    numbers = itertools.count()
    files = []
    inline = _inline_macros(members)
    for source in members:
        plain = _is_utf8(source.data)
        functions = [function for function in source.scopes.functions if function.name]
        nodes = [
            _Node(next(numbers), f, _words(source, f, inline), _place(source, f) if plain else -1) for f in functions
        ]
        files.append(_File(source, nodes))
    return files


def _is_utf8(data: bytes) -> bool:
    with contextlib.suppress(UnicodeDecodeError):
        return bool(data.decode("utf-8"))
    return False


def _mark(number: int) -> str:
    return (
        f'_Pragma("message(\\"{_SEEN}{number}\\")") __attribute__((diagnose_if(true, "{_USED}{number}", "warning"))) '
    )


def _by_type(file: TokenFile, name: int) -> list[tuple[int, str]]:
    """What makes `reference.member` a member of the type, the point in a comment."""
    first, dot = file.tokens[name], file.tokens[name + 1]
    return [(first.start, "std::remove_reference_t<decltype("), (dot.start, ")>:: /*"), (dot.end, "*/")]


def _place(source: SourceFile, function: Function) -> int:
    """Where the declaration's own specifiers begin."""
    tokens = source.tokens.tokens
    own = (k for k in range(function.first, function.name_index) if tokens[k].text in _SPECIFIERS)
    first = next((k for k in own if tokens[k - 1].text != "("), -1)  # decltype(auto)
    if first < 0:
        first = function.first
        while tokens[first].text == "template" and first < function.name_index:
            first = template_end(source.tokens, first + 1, function.name_index, parameters=True)
        while 0 <= first < function.name_index and tokens[first].directive >= 0:  # a condition around an attribute
            first += 1
        if first < 0 or tokens[first].text in ("requires", "friend", "extern", "[", "using", "typedef"):
            return -1
    return tokens[first].start


def _words(source: SourceFile, function: Function, inline: frozenset[str]) -> frozenset[str]:
    words = {token.text for token in source.tokens.tokens[function.first : function.name_index]}
    if not words.isdisjoint(inline):
        words.add("inline")
    member = any(first < function.first < last for _, (first, last) in classes_of(source.tokens))
    return frozenset(words | {"class"}) if member else frozenset(words - {"class"})


def _inline_macros(members: Sequence[SourceFile]) -> frozenset[str]:
    """Macros that make a function one of the unit's own, by each of their definitions: `#define DEVICE __forceinline__ ...`."""
    by_name: dict[str, bool] = {}
    for source in members:
        tokens = source.tokens.tokens
        for directive in source.tokens.directives:
            if directive.name == "define" and directive.first < directive.last:
                name = tokens[directive.first].text
                words = (token.text for token in tokens[directive.first + 1 : directive.last])
                by_name[name] = by_name.get(name, True) and not _INLINE.isdisjoint(words)
    return frozenset(name for name, inline in by_name.items() if inline)


def _other_name(file: TokenFile, at: int) -> str | bool:
    """The name that a `using` which names a class gives it; False where that is its own, in another namespace; True for all
    else."""
    first = at
    while first > 0 and file.word(first - 1) not in (";", "{", "}"):
        first -= 1
    if file.word(first) != "using":
        return True
    return file.word(first + 1) if file.word(first + 2) == "=" else file.word(first + 1) == "namespace"


def _of_static(file: TokenFile, at: int) -> bool:
    """Whether a member's declaration begins with `static`: it is there without an object."""
    while at > 0 and file.word(at - 1) not in (";", "{", "}", ":"):
        at -= 1
    return file.word(at) == "static"


def _may_be_compiled(source: SourceFile, first: int, last: int) -> bool:
    branches, tokens = branches_of(source.tokens), source.tokens.tokens
    places = (token.start for token in tokens[first:last] if token.directive < 0)
    return any(one is not False for place in places for one in branches.at(place).port)


def _tokens(source: SourceFile, spans: Mapping[Path, Spans]) -> list[tuple[int, int]]:
    """The first and last tokens of what a file's spans hold."""
    tokens_of_spans = (
        (source.tokens.token_at(a), source.tokens.token_at(b) - 1) for a, b in spans.get(source.path, ())
    )
    return [(first, last) for first, last in tokens_of_spans if first <= last]


def _without(part: tuple[int, int], others: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """What of tokens (first, last) is in none of the others."""
    left = [part]
    for first, last in others:
        cut = (((a, b),) if last < a or b < first else ((a, first - 1), (last + 1, b)) for a, b in left)
        left = [one for parts in cut for one in parts if one[0] <= one[1]]
    return left


class _Graph:
    """Who uses whom. `left_out` is no part of the program."""

    def __init__(self, files: Sequence[_File], left_out: Mapping[Path, Spans]) -> None:
        self._main, self._strict = files[0], False
        self._files = {os.path.realpath(file.source.path): file for file in files}
        self._home = {node.number: (file, node) for file in files for node in file.nodes}
        self._owners = Owners([file.source for file in files])
        self._named: dict[str, list[int]] = {}
        for number, (_, node) in self._home.items():
            self._named.setdefault(node.function.name, []).append(number)
        self._seen: set[int] = set()
        self._uses: dict[int, set[int]] = {}
        self._leads: dict[tuple[int, bool, bool], Sequence[tuple[int, bool]]] = {}
        self._taken: dict[tuple[Path, int], set[bool]] = {}  # what conditions come to, by their first tokens
        self._unclear: set[int] = set()  # what runs as far as its name goes: in which instances is not known
        self._by_name: set[int] = set()  # those of them that nothing else leads to
        self._left_out = {file.source.path: _tokens(file.source, left_out) for file in files}
        self._maybe: dict[Path, list[tuple[int, int]]] = {}  # tokens that the parse left out, and others may compile
        self._unseen = {number for number, (file, node) in self._home.items() if self._is_left_out(file, node)}

    def _is_left_out(self, file: _File, node: _Node) -> bool:
        return any(first <= node.function.name_index <= last for first, last in self._left_out[file.source.path])

    def read(self, unit: ci.TranslationUnit) -> bool:
        """What libclang says; False if the source has errors for it."""
        files: dict[str, _File | None] = {}
        for diagnostic in unit.diagnostics:
            spelling = diagnostic.spelling
            if spelling.startswith(_SEEN):
                self._seen.add(int(spelling.removeprefix(_SEEN)))
            elif spelling.startswith((_USED, TAKEN, NOT_TAKEN)):
                place = diagnostic.location
                name = place.file.name if place.file is not None else ""
                if name not in files:
                    files[name] = self._files.get(os.path.realpath(name))
                self._add(spelling, files[name], place.offset)
            elif diagnostic.severity >= ci.Diagnostic.Error and not is_ported(diagnostic):
                if not self._is_library_missing(diagnostic):
                    return False
        skipped = left_out(unit, [file.source.path for file in self._files.values()])
        for file in self._files.values():
            path = file.source.path
            ranges = ((file.token_at(a), file.token_at(b)) for a, b in skipped.get(path, ()))
            maybe = (one for part in ranges for one in _without(part, self._left_out[path]))
            self._maybe[path] = [one for one in maybe if _may_be_compiled(file.source, *one)]
        return True

    def _is_library_missing(self, error: ci.Diagnostic) -> bool:
        """Is it `#include <omp.h>` of what is not here? Where code needs it, there are other errors."""
        place = error.location
        file = self._files.get(os.path.realpath(place.file.name)) if place.file is not None else None
        return error.spelling.endswith("file not found") and file is not None and file.marked[place.offset] == "<"

    def _add(self, spelling: str, file: _File | None, offset: int) -> None:
        """A diagnostic of a use, or of a condition's value."""
        if spelling.startswith(_USED):
            owner = file.owner(offset) if file is not None else _NOBODY
            self._uses.setdefault(owner, set()).add(int(spelling.removeprefix(_USED)))
        elif file is not None:
            place = file.source.path, file.token_at(offset)
            self._taken.setdefault(place, set()).add(spelling == TAKEN)

    def _never_taken(self, file: _File, doubt: Doubt) -> Iterator[tuple[int, int]]:
        """The tokens of branches that no instance takes, where all instances are known."""
        for one in file.choices:
            number = file.around[one.then[0]]
            taken = self._taken.get((file.source.path, one.condition[0]), set())
            if len(taken) != 1 or number in self._unclear or doubt.of(*self._function(number)):
                continue
            branch = one.otherwise if True in taken else one.then
            if branch is not None:
                yield branch

    def idle(self) -> dict[Path, list[tuple[int, int]]]:
        """By file: the tokens of what does not run."""
        running = self._running()
        doubt = Doubt([file.source for file in self._files.values()])
        by_path = {}
        for file in self._files.values():
            path = file.source.path
            spans = [one.span for one in file.own if one.number not in running]
            by_path[path] = [*spans, *self._left_out[path], *self._never_taken(file, doubt)]
        return by_path

    def uncalled(self) -> dict[Path, list[tuple[int, int]]]:
        """By file: the text of functions that certainly have no caller, whatever the build defines."""
        sources = [file.source for file in self._files.values()]
        doubt = Doubt(sources)
        self._strict = True
        running, unmade = self._running_with_doubts(doubt)
        idle = {
            file.source.path: [
                node
                for node in file.own
                if node.number in unmade or (node.number not in running and not doubt.of(file.source, node.function))
            ]
            for file in self._files.values()
        }
        names = Names(sources, {path: [node.function for node in nodes] for path, nodes in idle.items()})
        by_path = {}
        for file in self._files.values():
            source = file.source
            functions = (
                node.span
                for node in idle[source.path]
                if node.number in self._seen or not names.may_call(source, node.function)
            )
            pasted = (one[:2] for one in names.pasted.get(source.path, ()) if not names.may_call_made(one[2]))
            spans = [
                part
                for one in (*functions, *pasted, *self._never_taken(file, doubt))
                for part in text_between(source, *one)
            ]
            if spans:
                by_path[source.path] = spans
        return by_path

    def _running_with_doubts(self, doubt: Doubt) -> tuple[set[int], set[int]]:
        """With what functions use that may have unseen callers, once something that runs names their class. Such a
        function itself counts where the main file names its class: libraries may call what it gives them. And those of
        classes that nothing which runs names, so that there are no objects."""
        waiting = [
            (number, file, node)
            for number, (file, node) in self._home.items()
            if node.function.body[0] >= 0 and number in self._seen and doubt.of(file.source, node.function)
        ]
        more: list[int] = []
        while True:
            running = self._running(more)
            known: dict[str, bool] = {}
            reached = [one for one in waiting if self._may_be_made(one[1].source, one[2].function, running, known)]
            for number, file, node in reached:
                more += [*self._uses.get(number, ()), *([number] if doubt.is_given(file.source, node.function) else [])]
            waiting = [one for one in waiting if one not in reached]
            if not reached:
                called = ((number, *self._home[number]) for number in running)  # as any template's instance does
                return running, {
                    number
                    for number, file, node in (*waiting, *called)
                    if not self._may_be_made(file.source, node.function, running, known)
                }

    def _may_be_made(self, source: SourceFile, function: Function, running: set[int], known: dict[str, bool]) -> bool:
        """Whether a function is of no class, or what runs names its class, so that there may be objects of it."""
        owner = self._owners.of(source, function)
        return owner == "" or self._is_named(owner, running, known)

    def _is_named(self, name: str, running: set[int], known: dict[str, bool]) -> bool:
        """Whether a class or macro is named in what runs, or outside of functions and of the class itself."""
        seen, todo = {name}, [name]
        while todo and name not in known:
            one = todo.pop()
            for by in (self._named_by(file, at, one, running) for file, at in self._mentions(one)):
                if by is True or (by and known.get(by)):
                    known[name] = True
                    break
                if by and by not in seen and by not in known:
                    seen.add(by)
                    todo.append(by)
        if name not in known:
            known.update(dict.fromkeys(seen, False))
        return known[name]

    def _mentions(self, name: str) -> Iterator[tuple[_File, int]]:
        """The tokens that name a class or macro, without the class's own text between its functions, the heads of its
        declarations, and templates' specialisations for it, which are used by who names it elsewhere."""
        for file in self._files.values():
            tokens = file.source.tokens
            places = tokens.places(name)
            heads = [*heads_of(tokens), *own_mentions(tokens, name)] if places else []
            for at in places:
                inside = file.around[at] == _NOBODY and name in file.classes_around(at)
                opens = tokens.word(at - 1) == "namespace"
                if not inside and not opens and not any(first <= at < last for first, last in heads):
                    yield file, at

    def _named_by(self, file: _File, at: int, name: str, running: set[int]) -> bool | str:
        """Whether what stands there names a class or macro for something that runs; or the macro or the class whose own text it
        stands in, which decides."""
        tokens = file.source.tokens
        directive = tokens.directives[tokens.tokens[at].directive] if tokens.tokens[at].directive >= 0 else None
        if directive is not None:
            macro = tokens.tokens[directive.first].text
            return macro if directive.name == "define" and macro != name else False
        number = file.around[at]
        if number == _NOBODY:
            if any(first <= at <= last for first, last in self._left_out[file.source.path]):
                return False
            around = file.classes_around(at)
            if around and not _of_static(tokens, at):
                return min(file.arguments_around(at) & self._classes, default=around[-1])
            return True if around else _other_name(tokens, at)
        if self._owners.of(*self._function(number)) == name or name in file.classes_around(at):
            return False  # a member of it or a friend, which runs where there are objects
        unseen = number not in self._seen and number not in self._unseen
        return number in running or (unseen and file.source.path not in self._absent)

    @cached_property
    def _classes(self) -> frozenset[str]:
        """The names of all classes."""
        return frozenset(name for file in self._files.values() for name, _ in classes_of(file.source.tokens))

    @cached_property
    def _absent(self) -> frozenset[Path]:
        """Files without kernels that the parse does not include: their functions run where others that it has not seen do."""
        files = (file for file in self._files.values() if not any(node.function.kernel for node in file.nodes))
        return frozenset(f.source.path for f in files if f.own and not any(one.number in self._seen for one in f.own))

    def _running(self, more: Iterable[int] = ()) -> set[int]:
        """Everything that the roots lead to."""
        reached: set[tuple[int, bool]] = set()
        todo = [(number, False) for number, (file, node) in self._home.items() if self._is_root(file, node)]
        todo += [(number, False) for number in (*self._uses.get(_NOBODY, ()), *more)]
        while todo:
            number, unclear = one = todo.pop()
            if one not in reached and number not in self._unseen:
                reached.add(one)
                todo += self._led_to(number, unclear)
        self._unclear = {number for number, unclear in reached if unclear}
        self._by_name = self._unclear - {number for number, unclear in reached if not unclear}
        return {number for number, _ in reached}

    def _is_root(self, file: _File, node: _Node) -> bool:
        """What somebody else may call, and what nobody has to name."""
        function, words = node.function, node.words
        if function.body[0] < 0:
            return False
        if node.mark < 0:
            return True
        if function.kernel:
            return file is self._main or "template" not in words or node.number in self._used
        if node.number not in self._seen:
            return False
        destroys = "~" in words and not self._strict  # else it runs where something names its class
        return (file is self._main and not function.device) or destroys or words.isdisjoint(_OF_ONE_UNIT)

    @cached_property
    def _used(self) -> set[int]:
        return {number for used in self._uses.values() for number in used}

    def _led_to(self, number: int, unclear: bool) -> Iterable[tuple[int, bool]]:
        """Functions that one leads to, and whether that is only for the name. `unclear`: so was it itself."""
        key = number, unclear, self._strict
        if key not in self._leads:
            self._leads[key] = self._leads_of(number, unclear)
        return self._leads[key]

    def _leads_of(self, number: int, unclear: bool) -> Sequence[tuple[int, bool]]:
        file, node = self._home[number]
        if node.function.body[0] < 0:  # declared here: defined under that name
            declared = file.source, node.function
            return [
                (other, unclear)
                for other in self._named[node.function.name]
                if self._owners.may_define(declared, self._function(other))
            ]
        first, last = node.span
        no_instance = number not in self._used and not node.words.isdisjoint({"template", "class"})
        hidden = self._maybe[file.source.path]
        if unclear or no_instance or number not in self._seen:
            hidden = [node.span]
        named = self._named_in(
            file.source, node, [(max(a, first), min(b, last)) for a, b in hidden if a < last and first < b]
        )
        return [*((other, unclear) for other in self._uses.get(number, ())), *((other, True) for other in named)]

    def _function(self, number: int) -> tuple[SourceFile, Function]:
        file, node = self._home[number]
        return file.source, node.function

    def _named_in(self, source: SourceFile, node: _Node, spans: Iterable[tuple[int, int]]) -> Iterator[int]:
        """The functions whose names these tokens of a function may mean."""
        for first, last in spans:
            words, qualified = words_of(source.tokens, first, last, self._owners.macros)
            if self._strict:  # a conversion is in doubt by itself, whoever writes its type
                words -= _TYPES
            for word in words:
                for other in self._named.get(word, ()):
                    named = self._function(other)
                    if word in qualified or self._owners.may_mean((source, node.function), named):
                        yield other
