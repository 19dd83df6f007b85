"""Finds asm statements in a file's tokens: the text with its escapes read, the operands, the clobbers.

Works on tokens, so a statement in an inactive `#if` branch or in the body of a macro is found like
any other. Pieces of the text that only the preprocessor can know (`"ld." #type`) are kept as an
OPAQUE character; a macro that this file defines as a plain string is read through.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from porter.frontend.asm.directives import CONDITIONS, Positions, cases_of, inside, text_of
from porter.frontend.asm.literals import unescape
from porter.frontend.asm.macros import Known, Strings, macros
from porter.frontend.asm.operands import AsmOperand, Unreadable, operand_parts, read_operands
from porter.frontend.lexer import Directive, Kind, Token, TokenFile
from porter.frontend.once import once_per_file
from porter.frontend.ptx import OPAQUE

__all__ = ["AsmOperand", "AsmStatement", "asm_words", "find_asm", "has_asm"]

_KEYWORDS = ("asm", "__asm__", "__asm")
_QUALIFIERS = ("volatile", "__volatile__", "__volatile", "inline", "__inline__", "goto")


@dataclass(frozen=True, slots=True)
class AsmStatement:
    first: int  # tokens[first:last], from the keyword to the ')' and, where there is one, the ';'
    last: int
    start: int  # byte span of the same, the ';' included
    end: int
    text: str  # escapes read; `%%` and `%0` stand as they were
    opaque: tuple[str, ...]  # pieces of the text that are not string literals, in order
    others: tuple[str, ...]  # the text in the other branches of an #if inside it, or of a macro defined twice
    outputs: tuple[AsmOperand, ...]
    inputs: tuple[AsmOperand, ...]
    clobbers: tuple[str, ...]
    volatile: bool
    goto: bool
    directive: int  # of the #define whose body it stands in, -1 elsewhere
    ended: bool  # a ';' follows
    problem: str = ""  # why the operands could not be read
    # Each way in which #if lines inside may be taken: the condition, "" for the last. The first that holds is meant.
    cases: tuple[tuple[str, AsmStatement], ...] = ()
    defines: tuple[str, ...] = ()  # the #define lines inside
    undefines: tuple[str, ...] = ()  # and the #undef lines

    @property
    def operands(self) -> tuple[AsmOperand, ...]:
        return self.outputs + self.inputs


def find_asm(file: TokenFile, beside: Sequence[TokenFile] = ()) -> Iterator[AsmStatement]:
    """A file's asm statements; `beside` are the other files of its translation unit, whose macros they may use."""
    kept = file.answers.get(find_asm)  # of the last unit: several passes ask for the same
    if kept is None or kept[0] != tuple(beside):
        kept = file.answers[find_asm] = tuple(beside), tuple(_statements(file, beside))
    return iter(kept[1])


def _statements(file: TokenFile, beside: Sequence[TokenFile]) -> Iterator[AsmStatement]:
    aliases = _aliases(file, beside)
    positions: Positions | None = None
    last = 0
    for index in _places(file, aliases):
        if index < last or file.tokens[index].kind != Kind.IDENT:
            continue
        positions = positions or Positions(file, beside, Known(_macros(file)[0], macros(file, beside)))
        statement = _statement(file, index, positions, aliases)
        if statement is not None:
            yield statement
            last = statement.last


def has_asm(file: TokenFile, beside: Sequence[TokenFile] = ()) -> bool:
    """Whether find_asm may find anything."""
    return len(_places(file, _aliases(file, beside))) > 0


def asm_words(files: Iterable[TokenFile]) -> frozenset[str]:
    """What asm statements begin with in the files of a translation unit: none of these, no statement."""
    return frozenset(_KEYWORDS).union(*(_macros(one)[1] for one in files))


def _places(file: TokenFile, aliases: Mapping[str, bool]) -> Sequence[int]:
    return file.places(*_KEYWORDS, *(name for name in aliases if name not in _KEYWORDS))


def _aliases(file: TokenFile, beside: Sequence[TokenFile]) -> Mapping[str, bool]:
    """Macros of the unit that stand for `asm [volatile]`; the file's own count before others of the name."""
    aliases: dict[str, bool] = {}
    for one in (file, *beside):
        for name, volatile in _macros(one)[1].items():
            aliases.setdefault(name, volatile)
    return aliases


_MOST_VARIANTS = 8


@once_per_file
def _macros(file: TokenFile) -> tuple[Strings, Mapping[str, bool]]:
    """Object-like macros whose body is string literals; and the macros that stand for `asm [volatile]`."""
    strings: dict[str, list[Sequence[Token]]] = {}
    aliases: dict[str, bool] = {}
    unknown: set[str] = set()
    tokens = file.tokens
    for directive in file.directives:
        if directive.name == "undef" and directive.last > directive.first:
            continue
        if directive.name != "define" or directive.last <= directive.first:
            continue
        if directive.last - directive.first == 1:  # defined as nothing
            strings.setdefault(tokens[directive.first].text, []).append([])
            continue
        name, body = tokens[directive.first], tokens[directive.first + 1 : directive.last]
        function_like = body[0].text == "(" and body[0].start == name.end
        if not function_like and all(t.kind == Kind.STRING for t in body):
            strings.setdefault(name.text, []).append(body)
        else:
            unknown.add(name.text)
        if not function_like and body[0].text in _KEYWORDS:
            if all(t.text in _QUALIFIERS for t in body[1:]):
                aliases[name.text] = len(body) > 1
    return {name: bodies for name, bodies in strings.items() if name not in unknown}, aliases


def _statement(file: TokenFile, index: int, positions: Positions, aliases: Mapping[str, bool]) -> AsmStatement | None:
    tokens = file.tokens
    home = tokens[index].directive
    at = index + 1
    while at < len(tokens) and tokens[at].text in _QUALIFIERS:
        at += 1
    qualifiers = [token.text for token in tokens[index + 1 : at]]
    if at >= len(tokens) or tokens[at].text != "(" or tokens[at].directive != home:
        return None
    close = file.partner(at)
    if close < 0:
        return None
    ended = close + 1 < len(tokens) and tokens[close + 1].text == ";" and tokens[close + 1].directive == home
    last = close + 2 if ended else close + 1
    empty = AsmStatement(
        first=index,
        last=last,
        start=tokens[index].start,
        end=tokens[last - 1].end,
        text="",
        opaque=(),
        others=(),
        outputs=(),
        inputs=(),
        clobbers=(),
        volatile=aliases.get(tokens[index].text, False) or any("volatile" in word for word in qualifiers),
        goto="goto" in qualifiers,
        directive=home,
        ended=ended,
    )
    directives = inside(file, tokens[at].start, tokens[close].start) if home < 0 else ()
    reading = _Reading(file, positions, at, close, directives)
    statement = reading.statement(empty)
    ways = cases_of(file, directives) if any(d.name in CONDITIONS for d in directives) else ()
    cases = tuple((way.condition, reading.statement(empty, way.left_out)) for way in ways)
    return replace(statement, cases=cases) if cases else statement


@dataclass(frozen=True, slots=True)
class _Reading:
    """What stands in the brackets of a statement."""

    file: TokenFile
    positions: Positions
    opening: int
    close: int
    directives: Sequence[Directive]  # inside

    def statement(self, empty: AsmStatement, left_out: frozenset[int] | None = None) -> AsmStatement:
        """`left_out`: the tokens of branches that are not taken; None: any may be."""
        file, tokens = self.file, self.file.tokens
        first, branches = _branches(file, self.opening + 1, self.close) if left_out is None else (self.opening + 1, [])
        lines = (range(d.first, d.last) for d in self.directives)
        skipped = frozenset[int]().union(left_out or (), *lines)
        sections = _sections(file, first, self.close, skipped)
        variants = _variants(file, *sections[0], self.positions, skipped, left_out is None)
        text = _text(file, variants[0])
        opaque = _opaque(file, *sections[0], self.positions, skipped)
        problem = ""
        for own, operands in branches:
            variants.append(tuple(_Piece((literal.text,), literal.start, True) for literal in own))
            if [t.text for t in operands] != [t.text for t in tokens[sections[0][1] : self.close]]:
                problem = _DIFFERENT
        colon = tokens[sections[0][1]].start
        if left_out is None and not branches and any(d.name in CONDITIONS and d.start > colon for d in self.directives):
            problem = _DIFFERENT
        others = dict.fromkeys(_text(file, variant) for variant in variants[1:])
        outputs, inputs, clobbers, unreadable = _operands(file, sections, self.positions, skipped)
        taken = [d for d in self.directives if left_out is None or d.first not in left_out]
        return replace(
            empty,
            text=text,
            opaque=opaque,
            others=tuple(other for other in others if other != text),
            outputs=outputs,
            inputs=inputs,
            clobbers=clobbers,
            problem=problem or unreadable,
            defines=tuple(text_of(file, d) for d in taken if d.name == "define"),
            undefines=tuple(text_of(file, d) for d in taken if d.name == "undef"),
        )


_DIFFERENT = "the branches of the preprocessor have different operands"


def _operands(
    file: TokenFile, sections: Sequence[tuple[int, int]], positions: Positions, skipped: frozenset[int]
) -> tuple[tuple[AsmOperand, ...], tuple[AsmOperand, ...], tuple[str, ...], str]:
    """Outputs, inputs, clobbers, and why the rest of them cannot be read."""
    operands: list[tuple[AsmOperand, ...]] = [(), ()]
    clobbers: list[str] = []
    try:
        for kind, section in enumerate(sections[1:3]):
            operands[kind] = tuple(read_operands(file, *section, positions, skipped))
        for first, last in operand_parts(file, *sections[3], skipped) if len(sections) > 3 else ():
            own = (t for k, t in enumerate(file.tokens[first:last], first) if k not in skipped)
            piece = "".join(unescape(t.text) for t in own if t.kind == Kind.STRING)
            clobbers += [piece] if piece else []
    except Unreadable as unreadable:
        return operands[0], operands[1], (), str(unreadable)
    return operands[0], operands[1], tuple(clobbers), ""


def _sections(file: TokenFile, first: int, last: int, skipped: frozenset[int]) -> list[tuple[int, int]]:
    """Token ranges between the top-level colons; `::` is two of them."""
    tokens = file.tokens
    sections: list[tuple[int, int]] = []
    begin = index = first
    while index < last:
        text = tokens[index].text
        if index in skipped:
            pass
        elif text in ("(", "[", "{") and tokens[index].kind == Kind.PUNCT:
            partner = file.partner(index)
            index = partner if index < partner < last else index
        elif text in (":", "::") and tokens[index].kind == Kind.PUNCT:
            sections.append((begin, index))
            if text == "::":
                sections.append((index, index))
            begin = index + 1
        index += 1
    sections.append((begin, last))
    return sections


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of the text: string literals at a place in the source, or something opaque."""

    literals: tuple[str, ...]
    start: int
    own: bool  # written here, not in a macro

    @property
    def opaque(self) -> bool:
        """Only the preprocessor knows it; or a macro that is defined as nothing."""
        return not self.literals and not self.own


_Pieces = tuple[_Piece, ...]


def _branches(file: TokenFile, first: int, last: int) -> tuple[int, list[tuple[list[Token], list[Token]]]]:
    """Where an #if right behind the opening parenthesis chooses text and operands: the first token of its last branch,
    and the text and operands of the other branches. Else `first`, and nothing."""
    tokens = file.tokens
    own = [t for t in tokens[first:last] if t.directive < 0]
    if tokens[first - 1].directive >= 0 or not own:
        return first, []
    lines = [d for d in inside(file, tokens[first - 1].start, tokens[last].start) if d.name in CONDITIONS]
    names = [d.name for d in lines]
    if (
        len(lines) < 3
        or names[-2:] != ["else", "endif"]
        or any(n.startswith("if") or n == "endif" for n in names[1:-1])
    ):
        return first, []
    if lines[0].start > own[0].start:
        return first, []
    tail = [t for t in own if t.start > lines[-1].start]
    bodies = [[t for t in own if above.start < t.start < below.start] for above, below in itertools.pairwise(lines)]
    cases = []
    for body in bodies[:-1]:
        colon = next((i for i, t in enumerate(body) if t.text in (":", "::")), 0)
        if colon == 0 or any(t.kind != Kind.STRING for t in body[:colon]):
            return first, []
        cases.append((body[:colon], [*body[colon:], *tail]))
    return tokens.index(bodies[-1][0], first) if bodies[-1] else first, cases


def _variants(
    file: TokenFile, first: int, last: int, positions: Positions, skipped: frozenset[int], choose: bool
) -> list[_Pieces]:
    """The pieces of the text; one for each way the preprocessor may choose among branches, unless `skipped` does."""
    tokens = file.tokens
    home = tokens[first - 1].directive if first else -1
    variants = _Variants()
    conditions = iter(_conditions(file, first, last) if choose and home < 0 else ())
    condition = next(conditions, None)
    index = first
    while index <= last:
        until = tokens[index].start if index < len(tokens) else len(file.text)
        while condition is not None and condition.start < until:
            variants.choose(condition.name)
            condition = next(conditions, None)
        if index == last:
            break
        token, after = tokens[index], index + 1
        known = positions.at(token.start)
        if token.directive != home or index in skipped:
            pass
        elif token.kind == Kind.STRING:
            variants.add(_Piece((token.text,), token.start, True))
        elif token.text in known.strings:
            bodies = known.strings[token.text]
            variants.add(*(_Piece(tuple(t.text for t in body), token.start, False) for body in bodies))
        elif (made := known.literals(file, index)) is not None:
            literals, after = made
            if literals:  # a macro may be empty
                variants.add(_Piece(literals, token.start, False))
        else:
            variants.add_opaque(token.start)
        index = after
    return variants.texts


def _conditions(file: TokenFile, first: int, last: int) -> Iterator[Directive]:
    """The #if and its like before or among these tokens, from the end of the token before them."""
    tokens = file.tokens
    before = tokens[first - 1].end if first else -1
    stop = tokens[last].start if last < len(tokens) else len(file.text)
    return (directive for directive in inside(file, before, stop) if directive.name in CONDITIONS)


@dataclass(frozen=True, slots=True)
class _OpenIf:
    before: list[_Pieces]  # the texts before it
    done: list[_Pieces]  # what its branches so far have made of them
    has_else: bool


class _Variants:
    """The texts that the preprocessor may make."""

    def __init__(self) -> None:
        self.texts: list[_Pieces] = [()]
        self.open: list[_OpenIf] = []

    def add(self, *choices: _Piece) -> None:
        """Each text goes on with each of these."""
        self.texts = [(*text, piece) for piece in choices for text in self.texts][:_MOST_VARIANTS]

    def add_opaque(self, start: int) -> None:
        """A run of what is no string is one piece."""
        piece = _Piece((), start, False)
        self.texts = [text if text and text[-1].opaque else (*text, piece) for text in self.texts]

    def choose(self, directive: str) -> None:
        if directive.startswith("if"):
            self.open.append(_OpenIf(self.texts, [], False))
        elif self.open:
            outer = self.open.pop()
            done = outer.done + self.texts
            if directive == "endif":
                self.texts = (done if outer.has_else else done + outer.before)[:_MOST_VARIANTS]
            else:
                self.open.append(_OpenIf(outer.before, done, directive == "else"))
                self.texts = outer.before


def _text(file: TokenFile, pieces: Sequence[_Piece]) -> str:
    text = ""
    for piece in pieces:
        if piece.opaque and not _is_empty_macro(file, piece):
            text += OPAQUE
        text += "".join(map(unescape, piece.literals))
    return text


def _is_empty_macro(file: TokenFile, piece: _Piece) -> bool:
    """An empty macro has no literals either; only what stands in the file can tell the two apart."""
    token = file.tokens[file.token_at(piece.start)]
    return any(
        d.name == "define" and d.last - d.first == 1 and file.tokens[d.first].text == token.text
        for d in file.directives
    )


def _opaque(file: TokenFile, first: int, last: int, positions: Positions, skipped: frozenset[int]) -> tuple[str, ...]:
    """What in the text is no string: the source of each run of such tokens."""
    tokens = file.tokens
    home = tokens[first - 1].directive if first else -1
    texts: list[str] = []
    run = -1
    index = first
    while index <= last:
        token = tokens[index] if index < last else None
        plain = token is None or token.kind == Kind.STRING or token.directive != home or index in skipped
        known = positions.at(file.tokens[min(index, last - 1)].start)
        plain = plain or (token is not None and token.text in known.strings)
        after = index + 1
        if not plain and (made := known.literals(file, index)) is not None:
            plain, after = True, made[1]
        if plain and run >= 0:
            texts.append(file.source(run, index))
            run = -1
        elif not plain and run < 0:
            run = index
        index = after
    return tuple(texts)
