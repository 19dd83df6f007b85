"""Functions that may have a caller, though no call of them is seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from porter.frontend.lexer import Kind, TokenFile, template_end
from porter.frontend.once import once_per_file
from porter.frontend.scopes import Function
from porter.frontend.source_file import SourceFile

__all__ = ["Doubt", "Names", "class_heads", "classes_of", "heads_of", "own_mentions", "specialised_for", "text_between"]

_TABLES = frozenset({"virtual", "override", "final"})  # called through a table of functions
# Of functions that the linker or the loader knows.
_LINKED = frozenset({"constructor", "destructor", "used", "__used__", "weak", "__weak__", "alias", "ifunc", "section", "dllexport"})  # fmt: skip
# By what names libraries of templates (thrust, cub) call what is given to them, besides operators: their text is not there.
_BY_LIBRARIES = frozenset(
    {"swap", "iter_swap", "get", "begin", "end", "size", "data", "get_temporary_buffer", "return_temporary_buffer",
     "dereference", "advance", "increment", "decrement", "equal", "distance_to"}
)  # fmt: skip
_ALLOCATORS = frozenset({"allocate", "deallocate", "construct", "destroy"})  # theirs are of the host
_BEFORE_NAME = frozenset({"[", "(", "__attribute__", "alignas", "__align__"})  # a class's
_OF_PARAMETER = frozenset({",", ">", "=", ">>"})  # template <class T, class U = T>
_ENDS_HEAD = frozenset({"{", ";", ")", "=", ":"})
_DEPENDENT = frozenset({".", "->", "::"})  # x.template f<int>()
_CLASS_KEYS = frozenset({"struct", "class", "union"})
_WITH_BRACKETS = frozenset({"__attribute__", "__launch_bounds__", "__declspec", "decltype", "noexcept", "alignas"})
_SEVERAL = frozenset({";", "{", "}", "##"})  # of a macro that may declare more than one thing


class Doubt:
    """Of one translation unit's files."""

    def __init__(self, members: Sequence[SourceFile]) -> None:
        self._members = members

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
            or (name in _ALLOCATORS and function.marks != {"__device__"})
            or (name in self._types and _may_construct(source, function))
            or not (head | _around(source, function)).isdisjoint(self._made_for_others)
        )

    def is_given(self, source: SourceFile, function: Function) -> bool:
        """Whether the main file names the class that a function is of."""
        return not _around(source, function).isdisjoint(self._in_main)

    @cached_property
    def _in_main(self) -> set[str]:
        return _words_in(self._members[0], 0, len(self._members[0].tokens.tokens))

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
        return frozenset(name for source in self._members for name, _ in classes_of(source.tokens))

    @cached_property
    def _made_for_others(self) -> frozenset[str]:
        """What explicit instantiations make, `template void f<int>(int);` and `template class C<int>;`: other units may call it."""
        words: set[str] = set()
        for source in self._members:
            tokens = source.tokens.tokens
            for index in source.tokens.places("template"):
                if (
                    index + 1 < len(tokens)
                    and tokens[index + 1].kind == Kind.IDENT
                    and tokens[index - 1].text not in _DEPENDENT
                ):
                    last = next((k for k in range(index, len(tokens)) if tokens[k].text in (";", "{")), len(tokens))
                    names = _instantiated(source.tokens, index + 1, last)
                    made = {names[-1], *self._types.intersection(names)} if names else set[str]()
                    words |= made or _words_in(source, index + 1, last)
        return frozenset(words)

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


def _instantiated(file: TokenFile, first: int, last: int) -> list[str]:
    """The name of the function, or of the class, that an explicit instantiation is of, behind what it is in; none where that
    is not clear."""
    tokens, at, names = file.tokens, first, list[str]()
    is_class = tokens[first].text in _CLASS_KEYS
    while at < last:
        text = tokens[at].text
        if text == "(" and not is_class and names and names[-1] not in _WITH_BRACKETS:
            return names
        if text in ("(", "["):
            at = max(file.partner(at), at)
        elif text == "<":
            end = template_end(file, at, last, known=True)
            if end < 0:
                break
            at = end - 1
        elif tokens[at].kind == Kind.IDENT:
            names = [*names, text] if tokens[at - 1].text == "::" else [text]
        at += 1
    return names if is_class and at >= last else []


class Names:
    """What the text of a unit names that may be compiled by some build: all but the functions that do not run. Of a function
    that the parse has not seen nobody can tell who calls it, but whoever does names it, or its class."""

    def __init__(self, members: Sequence[SourceFile], idle: Mapping[Path, Sequence[Function]]) -> None:
        self._members, self._idle = members, idle
        templates = _pasted_templates(members)
        self.pasted = {source.path: list(_made_by(source, templates)) for source in members[1:]}

    def may_call(self, source: SourceFile, function: Function) -> bool:
        if source is self._members[0] or source.tokens.tokens[function.name_index - 1].text == "::":
            return True
        return not _keys(source, function).isdisjoint(self._named)

    def may_call_made(self, part: str) -> bool:
        """Whether anything has such a part in its name: so do macros that make the whole name of it."""
        return any(part in name for name in self._named)

    @cached_property
    def _named(self) -> frozenset[str]:
        names: set[str] = set()
        waiting: list[tuple[frozenset[str], set[str]]] = []
        for source in self._members:
            functions = self._idle[source.path] if source is not self._members[0] else ()
            spans = [(one.first, one.body[1] + 1) for one in functions]
            made = [(first, last + 1) for first, last, _ in self.pasted.get(source.path, ())]
            names |= _words(source, [*spans, *made, *heads_of(source.tokens)])
            waiting += [(_keys(source, one), _words_in(source, one.first, one.body[1])) for one in functions]
        more = True
        while more:  # functions that may be called by name: the names in them, too
            called = [one for one in waiting if not one[0].isdisjoint(names)]
            waiting = [one for one in waiting if one[0].isdisjoint(names)]
            more = bool(called)
            names.update(*(words for _, words in called))
        return frozenset(names)


def _pasted_templates(members: Sequence[SourceFile]) -> Mapping[str, int]:
    """Macros that make a function template whose name has one of their parameters pasted in, and which one that is."""
    by_name: dict[str, int] = {}
    for source in members:
        tokens = source.tokens.tokens
        for one in (one for one in source.tokens.directives if one.name == "define" and one.last > one.first + 4):
            name, begin = tokens[one.first].text, source.tokens.partner(one.first + 1) + 1
            parameters = [tokens[first].text for first, _ in source.tokens.arguments(one.first + 1)]
            head = next((k for k in range(begin, one.last) if tokens[k].text == "("), begin)
            pasted = [tokens[k].text for k in (head - 1, head - 3) if tokens[head - 2].text == "##"]
            numbers = [parameters.index(text) for text in pasted if text in parameters]
            opening = next((k for k in range(head, one.last) if tokens[k].text == "{"), begin)
            is_template = tokens[begin].text == "template" and source.tokens.partner(opening) == one.last - 1
            by_name[name] = (
                numbers[0] if is_template and len(numbers) == 1 and by_name.get(name, numbers[0]) == numbers[0] else -1
            )
    return {name: number for name, number in by_name.items() if number >= 0}


def _made_by(source: SourceFile, templates: Mapping[str, int]) -> Iterator[tuple[int, int, str]]:
    """The first and last tokens of each use of such macros outside of directives, and the word that is pasted in."""
    tokens = source.tokens.tokens
    for index in source.tokens.places(*templates):
        given = source.tokens.arguments(index + 1) if source.tokens.word(index + 1) == "(" else []
        number = templates[tokens[index].text]
        if tokens[index].directive < 0 and number < len(given) and given[number][1] == given[number][0] + 1:
            yield index, source.tokens.partner(index + 1), tokens[given[number][0]].text


def _keys(source: SourceFile, function: Function) -> frozenset[str]:
    return _around(source, function) or frozenset({function.name})


def _words(source: SourceFile, without: Sequence[tuple[int, int]]) -> set[str]:
    words: set[str] = set()
    at = 0
    for first, last in sorted(without):
        words |= _words_in(source, at, first)
        at = max(at, last)
    return words | _words_in(source, at, len(source.tokens.tokens))


def _words_in(source: SourceFile, first: int, last: int) -> set[str]:
    return {token.text for token in source.tokens.tokens[first:last] if token.kind == Kind.IDENT}


def text_between(source: SourceFile, first: int, last: int) -> Iterator[tuple[int, int]]:
    """The text of tokens first to last between the preprocessor's lines, which hold behind it, too."""
    begin, end = source.tokens.tokens[first].start, source.tokens.tokens[last].end
    for directive in source.tokens.directives:
        if begin < directive.start < end:
            yield begin, directive.start
            begin = directive.end
    yield begin, end


def _may_construct(source: SourceFile, function: Function) -> bool:
    """Of a function that has the name of a class: whether it is in a class of that name, or behind one's name and `::`."""
    return function.name in _around(source, function) or source.tokens.tokens[function.name_index - 1].text == "::"


def _around(source: SourceFile, function: Function) -> frozenset[str]:
    """The classes that a function stands in."""
    return frozenset(name for name, (first, last) in classes_of(source.tokens) if first < function.first < last)


@once_per_file
def classes_of(file: TokenFile) -> Sequence[tuple[str, tuple[int, int]]]:
    """The classes of a file by their names, with the brackets that they are in; (-1, -1) where one is only declared or named."""
    return [(file.tokens[name].text, _brackets(file, end)) for _, name, end in _named_classes(file)]


def _brackets(file: TokenFile, end: int) -> tuple[int, int]:
    """Of the class whose head ends there."""
    opening = end
    if file.tokens[end].text == ":":
        opening = next((k for k in range(end, len(file.tokens)) if file.tokens[k].text in "{;"), end)
    return (opening, file.partner(opening)) if file.tokens[opening].text == "{" else (-1, -1)


@once_per_file
def specialised_for(file: TokenFile) -> list[tuple[int, frozenset[str]]]:
    """The brackets in which classes begin, and the names that their heads give a template as arguments."""
    heads = ((_brackets(file, end)[0], file.tokens[own + 1 : end]) for _, own, end in _named_classes(file))
    return [(first, frozenset(t.text for t in tokens if t.kind == Kind.IDENT)) for first, tokens in heads if first >= 0]


def class_heads(file: TokenFile) -> Iterator[tuple[int, int]]:
    """Of each definition of a class: the tokens of its name, and of the `{` or `:` that ends its head."""
    yield from ((name, end) for _, name, end in _named_classes(file) if file.tokens[end].text in ("{", ":"))


@once_per_file
def heads_of(file: TokenFile) -> list[tuple[int, int]]:
    """The tokens that name a class where it is defined or declared: who specialises a template for a class does not use it."""
    heads = []
    for first, name, end in _named_classes(file):
        what = file.tokens[end].text
        if what in ("{", ":") or (what == ";" and end == name + 1):  # `struct S;` and not `struct S s;`
            heads.append((first, end))
    return heads


def own_mentions(file: TokenFile, name: str) -> list[tuple[int, int]]:
    """The tokens in which a class is named for itself: between its name and its bracket, and the classes whose heads give a
    template this one as an argument."""
    tokens, spans = file.tokens, list[tuple[int, int]]()
    for _, own, end in _named_classes(file):
        is_it = tokens[own].text == name
        if is_it or any(token.text == name for token in tokens[own + 1 : end]):
            first, last = _brackets(file, end)
            spans.append((own, first) if is_it else (end, last))
    return [span for span in spans if span[0] < span[1]]


@once_per_file
def _named_classes(file: TokenFile) -> Sequence[tuple[int, int, int]]:
    """Of each `struct NAME`: the tokens of the keyword, of the name, and the one that ends its head."""
    return list(_read_classes(file))


def _read_classes(file: TokenFile) -> Iterator[tuple[int, int, int]]:
    tokens = file.tokens
    for index in file.places(*_CLASS_KEYS):
        name = index + 1
        while 0 < name < len(tokens) and tokens[name].text in _BEFORE_NAME:
            name = file.partner(name) + 1 if tokens[name].text in ("(", "[") else name + 1
        if not 0 < name < len(tokens) - 1 or tokens[name].kind != Kind.IDENT or tokens[name + 1].text in _OF_PARAMETER:
            continue
        end = next((k for k in range(name, len(tokens)) if tokens[k].text in _ENDS_HEAD), -1)
        if end >= 0:
            yield index, name, end
