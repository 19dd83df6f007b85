"""Instructions whose mnemonics are completed by constants that the compiler knows: strings ("C") and numbers ("n").

    asm("mma.sync.aligned.m16n8k%3.row.col.f32.%4.%4.f32 ..." : ... : "n"(K), "C"(type_name<T>));

What a string may be stands where the variable is defined, what a number may be in the table. The port asks the
instantiation which of them it is.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from porter.findings import Safety, hole
from porter.frontend.asm.literals import unescape
from porter.frontend.asm.statements import AsmOperand, AsmStatement
from porter.frontend.lexer import Kind, TokenFile, template_end
from porter.frontend.ptx import instructions, parse_ptx
from porter.ptx.cpp import Block
from porter.ptx.match import fitting
from porter.ptx.operands import translate_asm
from porter.ptx.table import PtxTable

__all__ = ["by_constants", "of_several"]

_MOST_CHOICES, _MOST_TEXTS = 4096, 32
_PLACE = re.compile(r"%(?:(\d+)|\[(\w+)\])")


@dataclass(frozen=True, slots=True)
class _Place:
    start: int  # in the text
    end: int
    operand: int


def by_constants(file: TokenFile, asm: AsmStatement, table: PtxTable, beside: Sequence[TokenFile]) -> Block | None:
    """The port of such a statement; None where it is none, or no choice of its constants makes an instruction."""
    places = list(_places(asm)) if not (asm.problem or asm.opaque or asm.others) else []
    if not places:
        return None
    blocks: list[tuple[str, Block]] = []
    for values in _choices(asm, places, table, (file, *beside)):
        text = _filled(asm.text, places, values)
        block = translate_asm(file, asm, parse_ptx(text), table) if _is_known(text, table) else None
        if isinstance(block, Block):
            tests = [_test(file, asm.operands[number], value) for number, value in values.items()]
            blocks.append((" && ".join(tests), block))
    if not blocks or len(blocks) > _MOST_TEXTS:
        return None
    shown = json.dumps(" ".join(asm.text.split()), ensure_ascii=True)
    return of_several(blocks, (f'porter::unsupported_ptx({shown}, "no port for these constants");',))


def of_several(ports: Sequence[tuple[str, Block]], otherwise: Sequence[str], last: Block | None = None) -> Block:
    """One block that asks, as the compiler may, which of several is meant: conditions in C++, each with its block; the lines
    for none of them, which `last` is made of if it has a port."""
    lines: list[str] = []
    for test, block in ports:
        lines += [f"{'} else ' if lines else ''}if constexpr ({test}) {{", *(f"\t{line}" for line in block.lines)]
    lines += ["} else {", *(f"\t{line}" for line in otherwise), "}"]
    every = [*([last] if last else []), *(block for _, block in ports)]
    return Block(
        tuple(lines),
        True,
        max((one.safety for one in every), key=list(Safety).index),
        tuple(dict.fromkeys(note for one in every for note in one.notes)),
        tuple(dict.fromkeys(name for one in every for name in one.constructs)),
        tuple(dict.fromkeys(header for one in every for header in one.headers)),
    )


def _places(asm: AsmStatement) -> Iterator[_Place]:
    """Where constants stand in the text, other than as operands of instructions."""
    names = {operand.name: number for number, operand in enumerate(asm.operands) if operand.name}
    for place in _PLACE.finditer(asm.text):
        number = int(place[1]) if place[1] else names.get(place[2], -1)
        operand = asm.operands[number] if 0 <= number < len(asm.operands) else None
        glued = re.match(r"[\w.]", asm.text[place.start() - 1 : place.start()]) is not None
        if (
            operand is not None
            and not operand.expanded
            and (operand.kind == "C" or (operand.kind in ("n", "i") and glued))
        ):
            yield _Place(place.start(), place.end(), number)


def _choices(
    asm: AsmStatement, places: Sequence[_Place], table: PtxTable, files: Sequence[TokenFile]
) -> Iterator[Mapping[int, str]]:
    """What the constants may be together, by the operand's number; nothing where that is too much."""
    numbers = list(dict.fromkeys(place.operand for place in places))
    values = [
        list(_strings(asm.operands[number], files))
        if asm.operands[number].kind == "C"
        else _numbers(asm, number, places, table)
        for number in numbers
    ]
    if math.prod(map(len, values)) <= _MOST_CHOICES:
        yield from (dict(zip(numbers, chosen)) for chosen in itertools.product(*values))


def _strings(operand: AsmOperand, files: Sequence[TokenFile]) -> Mapping[str, None]:
    """The strings that variables of this name are defined as: `name[] = "f32"`, `name<T>[4] = {"f32"}`."""
    depth, name = 0, ""
    for word in operand.words:
        depth += (word == "<") - (word == ">")
        name = word if depth == 0 and word.isidentifier() else name
    strings: dict[str, None] = {}
    for file in files:
        for at in file.places(name):
            end = at + 1
            if file.word(end) == "<":
                end = max(template_end(file, end, len(file.tokens)), end)
            if file.word(end) == "[":
                end = max(file.partner(end), end) + 1
            value = [token for token in file.tokens[end : end + 4] if token.text != "{"]
            if [token.text for token in value[:1]] == ["="] and value[1:2] and value[1].kind == Kind.STRING:
                strings[unescape(value[1].text)] = None
    return strings


def _numbers(asm: AsmStatement, number: int, places: Sequence[_Place], table: PtxTable) -> list[str]:
    """The numbers that words of the table have in the places of an operand."""
    numbers: dict[str, None] = {}
    for place in (place for place in places if place.operand == number):
        word = re.search(r"[\w%]*\Z", asm.text[: place.start])
        rest = re.match(r"[\w%]*", asm.text[place.end :])
        around = [_PLACE.sub(r"\\w+", re.escape(part[0]).replace(r"\%", "%")) for part in (word, rest) if part]
        pattern = re.compile(rf"{around[0]}(\d+){around[1]}")
        numbers.update((match[1], None) for one in table.words if (match := pattern.fullmatch(one)))
    return list(numbers)


def _filled(text: str, places: Sequence[_Place], values: Mapping[int, str]) -> str:
    pieces, at = [], 0
    for place in places:
        pieces += [text[at : place.start], values[place.operand]]
        at = place.end
    return "".join([*pieces, text[at:]])


def _is_known(text: str, table: PtxTable) -> bool:
    ptx = parse_ptx(text)
    return not ptx.problems and all(fitting(one, table)[0] for one in instructions(ptx.statements))


def _test(file: TokenFile, operand: AsmOperand, value: str) -> str:
    source = hole(file.tokens[operand.first].start, file.tokens[operand.last - 1].end)
    return f"porter::same_text({source}, {json.dumps(value)})" if operand.kind == "C" else f"({source}) == {value}"
