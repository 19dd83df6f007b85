"""The operands of asm statements: constraints and expressions, written there or in macros."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from porter.frontend.asm.directives import Positions
from porter.frontend.asm.literals import unescape
from porter.frontend.asm.macros import Known, Strings, Word, expand, joined, parameters_of, split, words
from porter.frontend.lexer import Kind, TokenFile

__all__ = ["AsmOperand", "Unreadable", "operand_parts", "read_operands"]


@dataclass(frozen=True, slots=True)
class AsmOperand:
    constraint: str  # as written: "=r", "+f", "n", "0"
    name: str  # of [name] "r"(x), else ""
    first: int  # tokens[first:last] are the C expression
    last: int
    expression: str  # its source text
    words: tuple[str, ...] = ()  # its tokens
    macro: tuple[int, int] = (-1, -1)  # the tokens of the macro's use that has it; tokens[first] is an argument then

    @property
    def kind(self) -> str:
        """The constraint without its modifiers: "r"; digits for a matching constraint."""
        return self.constraint.lstrip("=+&%")

    @property
    def expanded(self) -> bool:
        return self.macro[0] >= 0


class Unreadable(Exception):
    pass


def operand_parts(file: TokenFile, first: int, last: int, skipped: frozenset[int]) -> list[tuple[int, int]]:
    """Split at top-level commas (brackets only: an operand's expression is in parentheses). `skipped`: tokens that the
    preprocessor leaves out."""
    tokens = file.tokens
    parts: list[tuple[int, int]] = []
    begin = index = first
    while index < last:
        if tokens[index].kind == Kind.PUNCT and index not in skipped:
            if tokens[index].text in ("(", "[", "{"):
                partner = file.partner(index)
                index = partner if index < partner < last else index
                bare = tokens[index].text == ")" and index + 1 < last and tokens[index + 1].kind == Kind.STRING
                if bare:  # nvcc's parser does without the comma
                    parts.append((begin, index + 1))
                    begin = index + 1
            elif tokens[index].text == ",":
                parts.append((begin, index))
                begin = index + 1
        index += 1
    if any(index not in skipped for index in range(begin, last)):
        parts.append((begin, last))
    return parts


def read_operands(
    file: TokenFile, first: int, last: int, positions: Positions, skipped: frozenset[int]
) -> list[AsmOperand]:
    operands: list[AsmOperand] = []
    for begin, end in operand_parts(file, first, last, skipped):
        part = [word for word in words(file, begin, end) if word.index not in skipped]
        known = positions.at(file.tokens[part[0].index].start if part else 0)
        if not part:
            raise Unreadable("an operand is empty")
        parts = [part] if _is_operand(part) else _expanded(file, part, known)
        for one in parts:
            operands += [_operand(file, one, known.strings, (-1, -1) if one is part else (begin, end))] if one else []
    return operands


def _is_operand(part: Sequence[Word]) -> bool:
    """Without a macro before the expression."""
    at = 3 if part[0].text == "[" else 0
    return len(part) > at and part[at].kind == Kind.STRING


def _expanded(file: TokenFile, part: list[Word], known: Known) -> list[list[Word]]:
    made = expand(part, known.macros, parameters_of(file, part[0].index), inside=False)
    if made is None or [w.text for w in made] == [w.text for w in part]:
        return [part]
    if not any(w.index >= 0 for w in made):  # then the macro itself is where it stands
        made = [Word(w.kind, w.text, part[0].index if n == 0 else -1, w.spaced) for n, w in enumerate(made)]
    return split(made)


def _operand(file: TokenFile, part: Sequence[Word], strings: Strings, macro: tuple[int, int]) -> AsmOperand:
    at, name = 0, ""
    shown = joined(part)
    if part[at].text == "[":
        if len(part) < 4 or part[at + 2].text != "]":
            raise Unreadable(f"the operand name in '{shown}' cannot be read")
        name, at = part[at + 1].text, at + 3
    constraint = ""
    while at < len(part) and part[at].text != "(":
        word = part[at]
        if word.kind == Kind.STRING:
            constraint += unescape(word.text)
        elif len(strings.get(word.text, ())) == 1:
            constraint += "".join(unescape(t.text) for t in strings[word.text][0])
        else:
            raise Unreadable(f"the constraint '{word.text}' is no string literal")
        at += 1
    if at >= len(part) - 2 or part[-1].text != ")" or not _one_bracket(part[at:]):
        raise Unreadable(f"the operand '{shown}' cannot be read")
    inner = part[at + 1 : -1]
    texts = tuple(w.text for w in inner)
    if macro[0] < 0:
        first, last = part[at].index + 1, part[-1].index
        if last - first != len(inner):
            raise Unreadable(f"the preprocessor has a line of its own in the operand '{shown}'")
        return AsmOperand(constraint, name, first, last, file.source(first, last), texts)
    first = next((w.index for w in inner if w.index >= 0), next((w.index for w in part if w.index >= 0), -1))
    return AsmOperand(constraint, name, first, first + 1, joined(inner), texts, macro)


def _one_bracket(part: Sequence[Word]) -> bool:
    """Does the bracket that opens first close last?"""
    depth = 0
    for number, word in enumerate(part):
        if word.kind == Kind.PUNCT:
            depth += (word.text in ("(", "[", "{")) - (word.text in (")", "]", "}"))
        if depth == 0:
            return number == len(part) - 1
    return False
