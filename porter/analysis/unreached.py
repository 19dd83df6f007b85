"""Of which functions it cannot be told that nobody calls them, though no call of theirs is seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from porter.frontend.lexer import Kind
from porter.frontend.project import SourceFile
from porter.frontend.scopes import Function

__all__ = ["Doubt"]

_TABLES = frozenset({"virtual", "override", "final"})  # called through a table of functions
# Of functions that the linker or the loader knows.
_LINKED = frozenset({"constructor", "destructor", "used", "__used__", "weak", "__weak__", "alias", "ifunc", "section", "dllexport"})  # fmt: skip
# By what names libraries of templates (thrust, cub) call what is given to them, besides operators: their text is not there.
_BY_LIBRARIES = frozenset(
    {"swap", "iter_swap", "get", "begin", "end", "size", "data", "allocate", "deallocate", "construct", "destroy",
     "get_temporary_buffer", "return_temporary_buffer", "dereference", "advance", "increment", "decrement", "equal", "distance_to"}
)  # fmt: skip
_BEFORE_NAME = frozenset({"[", "(", "__attribute__", "alignas", "__align__"})  # a class's
_DEPENDENT = frozenset({".", "->", "::"})  # x.template f<int>()
_SEVERAL = frozenset({";", "{", "}", "##"})  # of a macro that may declare more than one thing


class Doubt:
    """Of one translation unit's files."""

    def __init__(self, members: Sequence[SourceFile]) -> None:
        self._members = members
        self._classes_of: dict[Path, list[tuple[str, tuple[int, int]]]] = {}

    def of(self, source: SourceFile, function: Function) -> bool:
        """Whether somebody may call it without its name, from libraries whose text is not there, or whether what a macro makes
        of it is not known."""
        tokens, name = source.tokens.tokens, function.name
        head = {token.text for token in tokens[function.first : function.body[0]]}
        return (
            "operator" in head
            or "~" in head
            or not head.isdisjoint(_TABLES)
            or not head.isdisjoint(_LINKED)
            or not head.isdisjoint(self._several)
            or name in self._macros
            or name in self._virtual
            or name in _BY_LIBRARIES
            or name in self._types
            or not (head | self._around(source, function)).isdisjoint(self._made_for_others)
        )

    def text(self, source: SourceFile, function: Function) -> Iterator[tuple[int, int]]:
        """Its text between the preprocessor's lines, which hold behind it, too."""
        tokens = source.tokens.tokens
        first, last = tokens[function.first].start, tokens[function.body[1]].end
        for directive in source.tokens.directives:
            if first < directive.start < last:
                yield first, directive.start
                first = directive.end
        yield first, last

    @cached_property
    def _macros(self) -> frozenset[str]:
        return frozenset(name for name, _ in self._defined())

    @cached_property
    def _several(self) -> frozenset[str]:
        return frozenset(name for name, body in self._defined() if not body.isdisjoint(_SEVERAL | _TABLES | _LINKED))

    def _defined(self) -> Iterator[tuple[str, frozenset[str]]]:
        """Macros with the words of their bodies."""
        for source in self._members:
            tokens = source.tokens.tokens
            for directive in source.tokens.directives:
                if directive.name == "define" and directive.first < directive.last:
                    body = frozenset(token.text for token in tokens[directive.first + 1 : directive.last])
                    yield tokens[directive.first].text, body

    @cached_property
    def _types(self) -> frozenset[str]:
        """Names of classes: so are their constructors called."""
        return frozenset(name for source in self._members for name, _ in self._classes(source))

    def _around(self, source: SourceFile, function: Function) -> frozenset[str]:
        """The classes that a function stands in."""
        return frozenset(name for name, (first, last) in self._classes(source) if first < function.first < last)

    def _classes(self, source: SourceFile) -> Sequence[tuple[str, tuple[int, int]]]:
        """The classes of a file by their names, with the brackets that they are in."""
        if source.path not in self._classes_of:
            self._classes_of[source.path] = list(_classes(source))
        return self._classes_of[source.path]

    @cached_property
    def _made_for_others(self) -> frozenset[str]:
        """What explicit instantiations name, `template void f<int>(int);`: other units may call it."""
        found: set[str] = set()
        for source in self._members:
            tokens = source.tokens.tokens
            for index in source.tokens.places("template"):
                if (
                    index + 1 < len(tokens)
                    and tokens[index + 1].kind == Kind.IDENT
                    and tokens[index - 1].text not in _DEPENDENT
                ):
                    last = next((k for k in range(index, len(tokens)) if tokens[k].text in (";", "{")), len(tokens))
                    found.update(token.text for token in tokens[index + 1 : last] if token.kind == Kind.IDENT)
        return frozenset(found)

    @cached_property
    def _virtual(self) -> frozenset[str]:
        """Names of functions that some class has as virtual ones: who overrides them need not say so."""
        return frozenset(
            function.name
            for source in self._members
            for function in source.scopes.functions
            if any(
                token.text in _TABLES
                for token in source.tokens.tokens[function.first : max(function.body[0], function.params[1] + 4)]
            )
        )


def _classes(source: SourceFile) -> Iterator[tuple[str, tuple[int, int]]]:
    file, tokens = source.tokens, source.tokens.tokens
    for index in file.places("struct", "class", "union"):
        at = index + 1
        while 0 < at < len(tokens) and tokens[at].text in _BEFORE_NAME:
            at = file.partner(at) + 1 if tokens[at].text in ("(", "[") else at + 1
        if 0 < at < len(tokens) and tokens[at].kind == Kind.IDENT:
            end = next((k for k in range(at, len(tokens)) if tokens[k].text in ("{", ";", ")", "=")), -1)
            inside = (end, file.partner(end)) if end >= 0 and tokens[end].text == "{" else (-1, -1)
            yield tokens[at].text, inside
