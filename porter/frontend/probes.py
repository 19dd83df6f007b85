"""What constant expressions of a source come to, in place: in every instantiation that the file makes.

An expression is wrapped in a function template whose static_assert fails and says the number. Around it everything stays
as it was, so a probe sees the constants of its function, template parameters and deduced types; and what no longer
compiles with other constants is counted in the same parse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import clang.cindex as ci

from porter.findings import Edit
from porter.frontend.answers import Answers
from porter.frontend.ast import ParseOptions, precompiled_headers
from porter.frontend.cursors import children, walk
from porter.frontend.reparsed import reparsed

__all__ = ["Operation", "Outcome", "Probed", "Probes", "Source", "evaluate", "operations", "outcome"]

# Functions, not classes: a class whose static_assert fails loses the expression, and with it the launch.
_SIZE = (
    "template <int K, unsigned long long N> constexpr unsigned long long porter_probe() { "
    'static_assert(N + 1 < 1 && K < 0, "porter probe"); return N; }'
)
_EVEN = (
    "template <int K, long long A, long long B> constexpr long long porter_even() { "
    'static_assert(B == 0 || (A % B == 0 && A != 0), "porter probe"); return B == 0 ? 0 : A / (B == 0 ? 1 : B); }'
)
_EQUAL = (
    "template <int K, long long A, long long B> constexpr bool porter_equal() { "
    'static_assert(A != B, "porter probe"); return A == B; }'
)
_BOUND = (
    "template <int K, long long A, long long B> constexpr long long porter_bound() { "
    'static_assert(B == 0 || A % (B == 0 ? 1 : B) == 0, "porter probe"); return A; }'
)
_MOST_REFUSED = 50  # errors that are kept with their text
_PROBE = re.compile(r"\(porter_probe<\d+, \(unsigned long long\)\((.*?)\)>\(\)\)")  # around what the source says
_INSTANCE = re.compile(r"'porter_(?:probe|even|equal|bound)<(\d+), (-?\d+)")


@dataclass(frozen=True, slots=True)
class Source:
    """One file, as a part of a translation unit."""

    main: Path
    path: Path
    text: str
    options: ParseOptions
    others: Mapping[Path, str] = field(default_factory=dict)  # files whose operations matter, too
    known: Answers = field(default_factory=Answers, compare=False)  # passes ask the same again

    def question(self, what: str, *more: object) -> tuple[object, ...]:
        """All that an answer follows from, apart from the files that are not said here."""
        options = self.options
        precompiled = precompiled_headers(options.standard, options.cuda_path, options.library)
        return (what, self.main, self.path, self.text, options, precompiled, *more)

    def parsed(
        self, edits: Sequence[Edit], before: str, elsewhere: Mapping[Path, Sequence[Edit]] | None = None
    ) -> ci.TranslationUnit | None:
        """Good until somebody asks for the next."""
        texts = {path: _edited(self.others[path], more) for path, more in (elsewhere or {}).items()}
        return reparsed(self.main, {**texts, self.path: _edited(self.text, edits)}, self.options, before)

    def text_of(self, path: Path) -> str:
        return self.text if path == self.path else self.others.get(path, "")


@dataclass(frozen=True, slots=True)
class Probes:
    """Expressions (start, end), and names after whose declarations (the place) a sizeof is asked for."""

    expressions: tuple[tuple[int, int], ...] = ()
    sizes: tuple[tuple[int, str], ...] = ()
    elsewhere: tuple[tuple[Path, int, int], ...] = ()  # expressions in any file
    sizes_elsewhere: tuple[tuple[Path, int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Probed:
    expressions: tuple[tuple[int, ...], ...]  # of each, the values it has in its instantiations; empty: not constant
    sizes: tuple[tuple[int, ...], ...]
    elsewhere: tuple[tuple[int, ...], ...]
    sizes_elsewhere: tuple[tuple[int, ...], ...]
    errors: int
    failed_values: frozenset[str] = frozenset()  # with the errors: numbers of a static_assert that fails
    refused: tuple[tuple[str, int, str], ...] = ()  # the first errors: file, line, what clang says

    def to_data(self) -> object:
        values = (self.expressions, self.sizes, self.elsewhere, self.sizes_elsewhere)
        return [*values, self.errors, sorted(self.failed_values), self.refused]

    @staticmethod
    def from_data(data: Any) -> Probed:
        *values, errors, failed_values, refused = data
        parts = [tuple(map(tuple, part)) for part in values]
        first = tuple((file, line, text) for file, line, text in refused)
        return Probed(parts[0], parts[1], parts[2], parts[3], int(errors), frozenset(failed_values), first)


def evaluate(
    source: Source, probes: Probes, edits: Sequence[Edit], more: Mapping[Path, Sequence[Edit]] | None = None
) -> Probed:
    """With `edits` made to the text, and `more` to other files; probes may hold edits, not the other way round."""
    others = {path: tuple(own) for path, own in (more or {}).items() if own}
    question = source.question("evaluate", probes, tuple(edits), tuple(others.items()))
    return source.known.of(
        question, lambda: _evaluated(source, probes, edits, others), Probed.to_data, Probed.from_data
    )


def _evaluated(source: Source, probes: Probes, edits: Sequence[Edit], more: Mapping[Path, Sequence[Edit]]) -> Probed:
    inserted = list(edits)
    for number, (start, end) in enumerate(probes.expressions):
        inserted.append(Edit(start, start, f"(porter_probe<{number}, (unsigned long long)("))
        inserted.append(Edit(end, end, ")>())"))
    first = len(probes.expressions)
    for number, (place, name) in enumerate(probes.sizes, first):
        inserted.append(_size_of(number, place, name))
    second = first + len(probes.sizes)
    others: dict[Path, list[Edit]] = {path: list(own) for path, own in more.items()}
    for number, (path, start, end) in enumerate(probes.elsewhere, second):
        of_file = inserted if path == source.path else others.setdefault(path, [])
        of_file.append(Edit(start, start, f"(porter_probe<{number}, (unsigned long long)("))
        of_file.append(Edit(end, end, ")>())"))
    third = second + len(probes.elsewhere)
    for number, (path, place, name) in enumerate(probes.sizes_elsewhere, third):
        (inserted if path == source.path else others.setdefault(path, [])).append(_size_of(number, place, name))
    unit = source.parsed(inserted, _SIZE, others)
    seen: list[set[int]] = [set() for _ in range(third + len(probes.sizes_elsewhere))]
    errors = 0 if unit else 1 << 30
    failed_values: set[str] = set()
    refused: list[tuple[str, int, str]] = []
    for diagnostic in unit.diagnostics if unit else ():
        instance = _instance(diagnostic)
        if instance is not None:
            seen[int(instance[1])].add(int(instance[2]))
        elif diagnostic.severity >= ci.Diagnostic.Error:
            errors += 1
            failed_values |= {note.spelling for note in diagnostic.children}
            if len(refused) < _MOST_REFUSED and (file := diagnostic.location.file) is not None:
                refused.append((file.name, diagnostic.location.line, _PROBE.sub(r"\1", diagnostic.spelling)))
    values = tuple(tuple(sorted(s)) for s in seen)
    parts = (values[:first], values[first:second], values[second:third], values[third:])
    return Probed(*parts, errors, frozenset(failed_values), tuple(refused))


def _size_of(number: int, place: int, name: str) -> Edit:
    return Edit(place, place, f' static_assert(porter_probe<{number}, sizeof({name})>() + 1 > 0, "");')


@dataclass(frozen=True, slots=True)
class Operation:
    left: tuple[int, int]  # offsets of the operands
    right: tuple[int, int]
    choice: tuple[int, str] | None = None  # of a comparison: its function and the left operand
    step: str = ""  # of a loop that counts up to its right operand
    path: Path | None = None  # one of the other files

    def to_data(self) -> object:
        return [self.left, self.right, self.choice, self.step, None if self.path is None else str(self.path)]

    @staticmethod
    def from_data(data: Any) -> Operation:
        left, right, choice, step, path = data
        of = None if choice is None else (int(choice[0]), str(choice[1]))
        return Operation((left[0], left[1]), (right[0], right[1]), of, str(step), None if path is None else Path(path))


def operations(source: Source) -> Sequence[Operation]:
    """Divisions, loops with steps, and comparisons for equality that alone decide about a statement; outer ones first.

    Of the file itself and the others, and not in macros.
    """
    return source.known.of(
        source.question("operations", tuple(sorted(map(str, source.others)))),
        lambda: _all_operations(source),
        lambda operations: [operation.to_data() for operation in operations],
        lambda data: [Operation.from_data(one) for one in data],
    )


def _all_operations(source: Source) -> Sequence[Operation]:
    unit = source.parsed((), "")
    operations: list[Operation] = []
    paths: dict[str, Path] = {}  # most declarations are of a few headers
    for top in children(unit.cursor) if unit else ():
        if top.location.file is None:
            continue
        name = top.location.file.name
        path = paths.get(name) or paths.setdefault(name, Path(name))
        text = source.text_of(path)
        if text:
            elsewhere = None if path == source.path else path
            operations += [replace(o, path=elsewhere) for o in _operations(text, top)]
    return operations


def _operations(text: str, top: ci.Cursor) -> Iterator[Operation]:
    function = top.extent.start.offset
    for cursor in walk(top, _ASKED):
        if cursor.kind in _FUNCTIONS:
            function = cursor.extent.start.offset
        elif cursor.kind in _BINARY:
            yield from _operation(text, cursor, "/", None)
        elif cursor.kind == ci.CursorKind.FOR_STMT:
            yield from _loop(text, children(cursor))
        elif cursor.kind == ci.CursorKind.IF_STMT:
            parts = children(cursor)
            if len(parts) == 2 or (len(parts) == 3 and parts[2].kind == ci.CursorKind.IF_STMT):
                yield from _operation(text, parts[0], "==", function)


_FUNCTIONS = frozenset({ci.CursorKind.FUNCTION_DECL, ci.CursorKind.FUNCTION_TEMPLATE, ci.CursorKind.CXX_METHOD})
# Where types depend on a template and some operator is overloaded (of half, say), `Tile::M / 64` is a call until then.
_BINARY = frozenset({ci.CursorKind.BINARY_OPERATOR, ci.CursorKind.CALL_EXPR})
_ASKED = _FUNCTIONS | _BINARY | {ci.CursorKind.FOR_STMT, ci.CursorKind.IF_STMT}


def _operands(cursor: ci.Cursor) -> list[ci.Cursor]:
    """Of an operation, or of what may be one: what stands between them is for the caller to look at."""
    parts = children(cursor)
    if cursor.kind == ci.CursorKind.CALL_EXPR and len(parts) == 3:
        del parts[1]  # the operator
    return parts if len(parts) == 2 else []


def _operation(text: str, cursor: ci.Cursor, sign: str, function: int | None) -> Iterator[Operation]:
    parts = _operands(cursor) if cursor.kind in _BINARY else []
    if not parts:
        return
    left = (parts[0].extent.start.offset, parts[0].extent.end.offset)
    right = (parts[1].extent.start.offset, parts[1].extent.end.offset)
    if left[0] < left[1] <= right[0] < right[1] and text[left[1] : right[0]].strip() == sign:
        yield Operation(left, right, None if function is None else (function, text[slice(*left)]))


def _loop(text: str, parts: Sequence[ci.Cursor]) -> Iterator[Operation]:
    kinds = (ci.CursorKind.COMPOUND_ASSIGNMENT_OPERATOR, ci.CursorKind.CALL_EXPR)
    steps = [(p, both) for p in parts[:-1] if p.kind in kinds and (both := _operands(p))]
    limits = [o for p in parts[:-1] for o in _operation(text, p, "<", None)]
    for (step, both), limit in zip(steps, limits):
        (name, by) = (text[c.extent.start.offset : c.extent.end.offset] for c in both)
        if name == text[slice(*limit.left)] and text[: step.extent.end.offset].endswith(f"+= {by}"):
            yield Operation(limit.left, limit.right, step=by)


@dataclass(frozen=True, slots=True)
class Outcome:
    uneven: frozenset[int]  # numbers of constant divisions and loops that leave a remainder in some instantiation
    chosen: frozenset[tuple[int, str]]  # what is equal to one of the constants that it is compared with

    def to_data(self) -> object:
        return [sorted(self.uneven), sorted(self.chosen)]

    @staticmethod
    def from_data(data: Any) -> Outcome:
        uneven, chosen = data
        return Outcome(frozenset(uneven), frozenset((int(function), str(left)) for function, left in chosen))

    def keeps(self, before: Outcome) -> bool:
        """Whether what came out even still does, and what was one of several cases still is."""
        return self.uneven <= before.uneven and self.chosen >= before.chosen

    def first_broken(self, before: Outcome, at: Sequence[Operation]) -> int | None:
        """The number of the first operation that is not as it was; None where all are."""
        lost = before.chosen - self.chosen
        broken = (n for n, o in enumerate(at) if n in self.uneven - before.uneven or (o.choice and o.choice in lost))
        return next(broken, None)


def outcome(
    source: Source, at: Sequence[Operation], edits: Sequence[Edit], more: Mapping[Path, Sequence[Edit]] | None = None
) -> Outcome:
    others = {path: tuple(changed) for path, changed in (more or {}).items() if changed}
    question = source.question("outcome", tuple(at), tuple(edits), tuple(others.items()))
    return source.known.of(question, lambda: _outcome(source, at, edits, others), Outcome.to_data, Outcome.from_data)


def _outcome(
    source: Source, at: Sequence[Operation], edits: Sequence[Edit], more: Mapping[Path, Sequence[Edit]]
) -> Outcome:
    own = list(edits)
    elsewhere: dict[Path, list[Edit]] = {path: list(changed) for path, changed in more.items()}
    for number, o in enumerate(at):
        inserted = own if o.path is None else elsewhere.setdefault(o.path, [])
        if o.step:
            inserted.append(Edit(o.right[0], o.right[0], f"(porter_bound<{number}, (long long)("))
            inserted.append(Edit(o.right[1], o.right[1], f"), (long long)({o.step})>())"))
            continue
        name = "porter_equal" if o.choice else "porter_even"
        inserted.append(Edit(o.left[0], o.left[0], f"({name}<{number}, (long long)("))
        inserted.append(Edit(o.left[1], o.right[0], "), (long long)("))
        inserted.append(Edit(o.right[1], o.right[1], ")>())"))
    unit = source.parsed(own, _EVEN + _EQUAL + _BOUND, elsewhere)
    numbers = {int(f[1]) for d in unit.diagnostics if (f := _instance(d))} if unit else set(range(len(at)))
    chosen = (at[number].choice for number in numbers)
    return Outcome(frozenset(n for n in numbers if not at[n].choice), frozenset(c for c in chosen if c))


def _instance(diagnostic: ci.Diagnostic) -> re.Match[str] | None:
    if not diagnostic.spelling.endswith(": porter probe"):
        return None
    return next((m for m in (_INSTANCE.search(note.spelling) for note in diagnostic.children) if m), None)


def _edited(text: str, edits: Sequence[Edit]) -> str:
    """What is inserted at one place stands in the order given, before what replaces what follows there."""
    parts: list[str] = []
    last = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.start != e.end)):
        parts += [text[last : edit.start], edit.text]
        last = max(last, edit.end)
    return "".join([*parts, text[last:]])
