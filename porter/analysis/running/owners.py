"""Which class a function is of, and whether a name in one function can mean another.

A member is called by its bare name in its class and in classes derived from it alone; elsewhere `.`, `->` or `::` stand
before the name. A declaration in a class is defined behind the class's name and `::`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from porter.analysis.running.unreached import class_heads, classes_of
from porter.frontend.lexer import Kind, TokenFile, template_begin
from porter.frontend.scopes import Function
from porter.frontend.source_file import SourceFile

__all__ = ["Owners", "words_of"]

_OF_A_MEMBER = frozenset({".", "->", "::"})
_BEFORE_BASES = frozenset({"public", "private", "protected", "virtual", "typename"})


class Owners:
    """Of the functions of one translation unit's files."""

    def __init__(self, members: Sequence[SourceFile]) -> None:
        self._members = members
        self._known: dict[tuple[int, int], str] = {}
        self._families: dict[tuple[int, int], frozenset[str] | None] = {}

    @cached_property
    def macros(self) -> frozenset[str]:
        """The macros with arguments."""
        names: set[str] = set()
        for source in self._members:
            tokens = source.tokens.tokens
            for one in source.tokens.directives:
                if one.name == "define" and one.last > one.first + 1 and tokens[one.first + 1].text == "(":
                    if tokens[one.first].end == tokens[one.first + 1].start:
                        names.add(tokens[one.first].text)
        return frozenset(names)

    def of(self, source: SourceFile, function: Function) -> str:
        """The innermost class that a function is a member of; "" for none, and for friends."""
        key = id(source), function.first
        if key not in self._known:
            self._known[key] = self._of(source, function)
        return self._known[key]

    def _of(self, source: SourceFile, function: Function) -> str:
        tokens = source.tokens.tokens
        if any(token.text == "friend" for token in tokens[function.first : function.name_index]):
            return ""
        around = [(first, name) for name, (first, last) in classes_of(source.tokens) if first < function.first < last]
        qualifier = _qualifier(source.tokens, function)
        return qualifier if qualifier in self._bases else max(around)[1] if around else ""

    def may_mean(self, naming: tuple[SourceFile, Function], named: tuple[SourceFile, Function]) -> bool:
        """Whether the bare name of the one function can be a call of it in the other."""
        owner = self.of(*named)
        if owner in ("", named[1].name):  # constructors are called by the name of their class
            return True
        family = self._family(*naming)
        return family is None or owner in family

    def may_define(self, declared: tuple[SourceFile, Function], other: tuple[SourceFile, Function]) -> bool:
        """Whether the other function, of the same name, can be what a declaration declares."""
        source, function = other
        qualifier = _qualifier(source.tokens, function)
        owner = self.of(*declared)
        if qualifier in self._bases:
            return owner == qualifier
        inside = any(first < function.first < last for _, (first, last) in classes_of(source.tokens))
        if inside and self.of(source, function):
            return False
        return owner == "" or qualifier != ""  # a macro or another name of the class

    def _family(self, source: SourceFile, function: Function) -> frozenset[str] | None:
        """The classes whose members a function may call by their bare names; None where a base is not known."""
        key = id(source), function.first
        if key not in self._families:
            self._families[key] = self._family_of(source, function)
        return self._families[key]

    def _family_of(self, source: SourceFile, function: Function) -> frozenset[str] | None:
        own = {name for name, (first, last) in classes_of(source.tokens) if first < function.first < last}
        own.add(_qualifier(source.tokens, function))
        family: set[str] = set()
        todo = [name for name in own if name in self._bases]
        while todo:
            name = todo.pop()
            if name not in self._bases:
                return None
            if name not in family:
                family.add(name)
                todo += self._bases[name]
        return frozenset(family)

    @cached_property
    def _bases(self) -> dict[str, set[str]]:
        """By the name of a class: what its definitions derive from."""
        by_class: dict[str, set[str]] = {}
        for source in self._members:
            for name, end in class_heads(source.tokens):
                bases = by_class.setdefault(source.tokens.tokens[name].text, set())
                if source.tokens.tokens[end].text == ":":
                    bases.update(_base_names(source.tokens, end + 1))
        return by_class


def words_of(file: TokenFile, first: int, last: int, macros: frozenset[str]) -> tuple[set[str], set[str]]:
    """The names in tokens[first:last]; and those of them that may be any class's members: behind `.`, `->` or `::`, and in
    the arguments of these macros."""
    tokens = file.tokens
    words, qualified, of_macro = set[str](), set[str](), -1
    for index in range(first, last):
        text = tokens[index].text
        if tokens[index].kind != Kind.IDENT:
            continue
        words.add(text)
        if index < of_macro or tokens[index - 1].text in _OF_A_MEMBER or tokens[index - 1].text == "template":
            qualified.add(text)
        if text in macros and tokens[index + 1].text == "(":
            of_macro = max(of_macro, file.partner(index + 1))
    return words, qualified


def _qualifier(file: TokenFile, function: Function) -> str:
    """The name before the `::` of a function's own name."""
    at = function.name_index - 1
    if at < 1 or file.tokens[at].text != "::":
        return ""
    return file.tokens[template_begin(file, at - 1)].text


def _base_names(file: TokenFile, at: int) -> Iterator[str]:
    """Of the clause that begins at a token: the last name of each base, without template arguments."""
    depth, name = 0, ""
    while at < len(file.tokens):
        text = file.tokens[at].text
        if depth == 0 and text in ("{", ",", ";"):
            if name:
                yield name
            if text != ",":
                return
            name = ""
        elif text in ("<", "("):
            depth += 1
        elif text in (">", ">>", ")"):
            depth -= len(text)
        elif depth == 0 and file.tokens[at].kind == Kind.IDENT and text not in _BEFORE_BASES:
            name = text
        at += 1
