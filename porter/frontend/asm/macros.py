"""Macros that pieces of asm statements come from: `"+f"` operands by the dozen, and the registers' numbers in the text.

A small preprocessor over the file's own `#define`s: arguments, `#`, `##`, `__VA_ARGS__` and macros within macros. It is
asked only for what stands in an asm statement; a macro with several definitions is expanded only where CUDA's device
code sees a single one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from porter.frontend.branches import branches_of
from porter.frontend.compilations import DEVICE
from porter.frontend.lexer import Directive, Kind, Token, TokenFile
from porter.frontend.once import once_per_file

__all__ = [
    "Known", "Macro", "Strings", "Word", "definition", "definitions", "expand", "filled", "joined", "macros", "parameters_of", "split", "used_in", "uses", "words",
]  # fmt: skip

_MOST_WORDS = 50_000


@dataclass(frozen=True, slots=True)
class Word:
    kind: str
    text: str
    index: int  # of the file's token, -1 where a macro's body has it
    spaced: bool = False  # white space before it
    origin: tuple[TokenFile, int] | None = field(default=None, compare=False)  # the token of the macro's body


@dataclass(frozen=True, slots=True)
class Macro:
    parameters: tuple[str, ...] | None  # None: it takes no arguments
    body: tuple[Word, ...]


def words(file: TokenFile, first: int, last: int) -> list[Word]:
    tokens = file.tokens
    return [
        Word(t.kind, t.text, i, i > first and tokens[i - 1].end < t.start)
        for i, t in enumerate(tokens[first:last], first)
    ]


def macros(file: TokenFile, beside: Sequence[TokenFile] = ()) -> Mapping[str, Macro]:
    """Those with one meaning, in the file and in the other files of its translation unit."""
    return _of_unit(frozenset((file, *beside))).known


@once_per_file
def definitions(file: TokenFile) -> tuple[tuple[str, Macro], ...]:
    """A file's own macros, by name, in order."""
    return tuple(_defined(file))


def _defined(file: TokenFile) -> Iterator[tuple[str, Macro]]:
    branches = branches_of(file)
    for directive in file.directives:
        if directive.name != "define" or directive.last <= directive.first:
            continue
        if branches.at(directive.start).cuda[DEVICE] is False:
            continue
        macro = definition(file, directive)
        if macro is not None:
            yield file.tokens[directive.first].text, macro


def definition(file: TokenFile, directive: Directive) -> Macro | None:
    """The macro of a #define; None where its brackets do not match."""
    name = file.tokens[directive.first]
    at, parameters = directive.first + 1, None
    if at < directive.last and file.tokens[at].text == "(" and file.tokens[at].start == name.end:
        closing = file.partner(at)
        if closing < 0:
            return None
        listed = (t.text for t in file.tokens[at + 1 : closing] if t.text != ",")
        parameters = tuple("__VA_ARGS__" if text == "..." else text for text in listed)
        at = closing + 1
    body = words(file, at, directive.last)
    return Macro(parameters, tuple(Word(w.kind, w.text, -1, w.spaced, (file, w.index)) for w in body))


Strings = Mapping[str, Sequence[Sequence[Token]]]  # by macro name: the string literals of each definition


@dataclass(frozen=True, slots=True)
class Known:
    strings: Strings
    macros: Mapping[str, Macro]

    def literals(self, file: TokenFile, index: int) -> tuple[tuple[str, ...], int] | None:
        """The string literals that a macro's use makes, and where it ends; None: something else, or nobody can say."""
        macro = self.macros.get(file.tokens[index].text)
        if macro is None:
            return None
        last = index + 1
        if macro.parameters is not None:
            closing = file.partner(last) if last < len(file.tokens) and file.tokens[last].text == "(" else -1
            if closing < 0:
                return None
            last = closing + 1
        made = expand(words(file, index, last), self.macros, parameters_of(file, index), inside=True)
        if made is None or any(word.kind != Kind.STRING for word in made):
            return None
        return tuple(word.text for word in made), last


def parameters_of(file: TokenFile, index: int) -> frozenset[str]:
    """The parameters of the macro around the token: their text is known only where the macro is used."""
    home = file.tokens[index].directive
    if home < 0:
        return frozenset()
    directive = file.directives[home]
    opening = directive.first + 1
    closing = file.partner(opening) if file.tokens[opening].text == "(" else -1
    return (
        frozenset(t.text for t in file.tokens[opening + 1 : closing] if t.kind == Kind.IDENT)
        if closing > 0
        else frozenset()
    )


def expand(given: Sequence[Word], known: Mapping[str, Macro], fixed: Iterable[str], inside: bool) -> list[Word] | None:
    """`fixed`: names that stand for something else here, which may neither be read as text nor be pasted. `inside`: in
    brackets, too; an operand's expression is left to the compiler. None where that cannot be said."""
    try:
        return _Expansion(known, frozenset(fixed), inside).run(list(given), frozenset())
    except _Unknown:
        return None


def uses(
    file: TokenFile, name: str, beside: Sequence[TokenFile] = (), of: Sequence[TokenFile] | None = None
) -> list[dict[str, list[Word]]]:
    """What the macro is given where it is used, in other macros' bodies too, in all files or in those of `of`; nothing
    where that cannot be said."""
    unit = _of_unit(frozenset((file, *beside)))
    given_words: list[dict[str, list[Word]]] = []
    for one in dict.fromkeys((file, *beside) if of is None else of):
        given = unit.given(one)
        if given is None:
            return []
        given_words += given.get(name, ())
    return given_words


def used_in(file: TokenFile, beside: Sequence[TokenFile] = ()) -> Collection[str]:
    """The macros that uses() can tell about from the file alone."""
    return _of_unit(frozenset((file, *beside))).given(file) or ()


class _UnitMacros:
    """The macros of a translation unit, and what they are given where its files use them."""

    def __init__(self, files: Iterable[TokenFile]) -> None:
        by_name: dict[str, Macro | None] = {}
        for one in files:
            for name, macro in definitions(one):
                by_name[name] = macro if by_name.get(name, macro) == macro else None
        self.known = {name: macro for name, macro in by_name.items() if macro is not None}
        self._given: dict[TokenFile, Mapping[str, Sequence[dict[str, list[Word]]]] | None] = {}

    def given(self, file: TokenFile) -> Mapping[str, Sequence[dict[str, list[Word]]]] | None:
        """By macro, at each use in the file; None where that cannot be said."""
        if file not in self._given:
            expansion = _Expansion(self.known, frozenset(), inside=True)
            try:
                for first, last in self._used(file):
                    expansion.run(words(file, first, last), frozenset())
                self._given[file] = expansion.seen
            except _Unknown:
                self._given[file] = None
        return self._given[file]

    def _used(self, file: TokenFile) -> Iterator[tuple[int, int]]:
        """Tokens of the uses outside of directives, with what is in brackets behind them."""
        end = 0
        for index, token in enumerate(file.tokens):
            if index < end or token.kind != Kind.IDENT or token.directive >= 0 or token.text not in self.known:
                continue
            behind = file.tokens[index + 1].text if index + 1 < len(file.tokens) else ""
            called = behind == "(" and self.known[token.text].parameters is not None
            end = max(file.partner(index + 1), index) + 1 if called else index + 1
            yield index, end


@lru_cache(maxsize=2)
def _of_unit(files: frozenset[TokenFile]) -> _UnitMacros:
    return _UnitMacros(files)


def filled(body: Sequence[Word], values: Mapping[str, list[Word]], known: Mapping[str, Macro]) -> list[Word] | None:
    """A part of a macro's body with what some of its parameters stand for, and with the macros in it."""
    expansion = _Expansion(known, frozenset(), inside=True)
    try:
        return expansion.run(expansion.filled(body, values), frozenset())
    except _Unknown:
        return None


class _Unknown(Exception):
    pass


class _Expansion:
    def __init__(self, known: Mapping[str, Macro], fixed: frozenset[str], inside: bool) -> None:
        self.known, self.fixed, self.inside = known, fixed, inside
        self.seen: dict[str, list[dict[str, list[Word]]]] = {}  # by macro, what it is given
        self.made = 0

    def run(self, given: list[Word], hidden: frozenset[str]) -> list[Word]:
        done: list[Word] = []
        at = depth = 0
        while at < len(given):
            word = given[at]
            macro = self.known.get(word.text) if word.kind == Kind.IDENT and word.text not in hidden else None
            called = at + 1 < len(given) and given[at + 1].text == "("
            if macro is None or word.text in self.fixed or (depth and not self.inside):
                depth += (word.text in ("(", "[", "{")) - (word.text in (")", "]", "}"))
            elif macro.parameters is None or called:
                last = at + 1
                arguments: list[list[Word]] = []
                if macro.parameters is not None:
                    last = _closing(given, at + 1) + 1
                    arguments = split(given[at + 2 : last - 1])
                values = self.values(macro, arguments)
                self.seen.setdefault(word.text, []).append(values)
                made = self.run(self.filled(macro.body, values), hidden | {word.text})
                self.made += len(made)
                if self.made > _MOST_WORDS:
                    raise _Unknown
                done += made
                at = last
                continue
            done.append(word)
            at += 1
        return done

    def values(self, macro: Macro, arguments: list[list[Word]]) -> dict[str, list[Word]]:
        """By the names of parameters."""
        names = macro.parameters or ()
        if names and names[-1] == "__VA_ARGS__":
            rest = [w for n, part in enumerate(arguments[len(names) - 1 :]) for w in ([_COMMA] if n else []) + part]
            arguments = [*arguments[: len(names) - 1], rest]
        if len(names) == 1 and not arguments:
            arguments = [[]]
        if len(arguments) != len(names):
            raise _Unknown
        return dict(zip(names, arguments))

    def filled(self, body: Sequence[Word], values: Mapping[str, list[Word]]) -> list[Word]:
        filled_words: list[Word] = []
        at = 0
        while at < len(body):
            word = body[at]
            following = body[at + 1] if at + 1 < len(body) else None
            if word.text == "#" and following is not None and following.text in values:
                filled_words.append(self.quoted(values[following.text]))
                at += 2
                continue
            if word.text == "##" and filled_words and following is not None:
                right = values.get(following.text, [following]) if following.kind == Kind.IDENT else [following]
                filled_words += self.pasted(filled_words.pop(), right)
                at += 2
                continue
            pasted = following is not None and following.text == "##"
            if word.kind == Kind.IDENT and word.text in values:
                value = values[word.text]
                value = list(value) if pasted else self.run(list(value), frozenset())
                filled_words += [replace(w, spaced=word.spaced) if n == 0 else w for n, w in enumerate(value)]
            else:
                filled_words.append(word)
            at += 1
        return filled_words

    def quoted(self, value: Sequence[Word]) -> Word:
        if any(w.text in self.fixed for w in value):
            raise _Unknown
        text = "".join((" " if w.spaced and n else "") + _escaped(w) for n, w in enumerate(value))
        return Word(Kind.STRING, f'"{text}"', -1)

    def pasted(self, left: Word, right: Sequence[Word]) -> list[Word]:
        if not right:
            return [left]
        if left.text in self.fixed or right[0].text in self.fixed or left.text == ",":
            raise _Unknown
        return [Word(left.kind, left.text + right[0].text, -1, left.spaced), *right[1:]]


_COMMA = Word(Kind.PUNCT, ",", -1)


def _escaped(word: Word) -> str:
    text = word.text
    return text.replace("\\", "\\\\").replace('"', '\\"') if word.kind in (Kind.STRING, Kind.CHAR) else text


def _closing(given: Sequence[Word], opening: int) -> int:
    depth = 0
    for index in range(opening, len(given)):
        text = given[index].text
        depth += (text == "(") - (text == ")")
        if depth == 0:
            return index
    raise _Unknown


def split(given: Sequence[Word]) -> list[list[Word]]:
    """At commas outside of brackets."""
    parts: list[list[Word]] = [[]]
    depth = 0
    for word in given:
        if word.kind == Kind.PUNCT:
            depth += (word.text in ("(", "[", "{")) - (word.text in (")", "]", "}"))
        if word.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts if given else []


def joined(part: Sequence[Word]) -> str:
    return "".join((" " if w.spaced and n else "") + w.text for n, w in enumerate(part))
