"""Shared memory over the 64 KiB of a compute unit: fewer stages, where the source's own constants decide them.

Hopper has 227 KiB a block. What a launch asks for is evaluated by libclang; where it is too much, constants that count
stages are lowered one by one, and each proposal is evaluated again: it stands if it fits and nothing else in the file
stops compiling (static_asserts among it). Other constants shape tiles, and instructions with them: what would fit is
said, and left to a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from porter.frontend.ast import ParseOptions, constants
from porter.frontend.lexer import Kind, launch_arguments
from porter.frontend.unit import Unit
from porter.model import Edit, Finding, Safety
from porter.rules import RuleSet

__all__ = ["run"]

RULE = "shared-memory-budget"
LDS = 64 << 10
RUNTIME = 2 << 10  # what porter's own runtime keeps there in units with asynchronous copies
_STAGES = re.compile(r"stage|pipe|depth|buffer|slot", re.IGNORECASE)
_SETTING = "cudaFuncAttributeMaxDynamicSharedMemorySize"


@dataclass(frozen=True, slots=True)
class _Constant:
    """`constexpr int kStages = 4;` or `#define STAGES 4`."""

    name: str
    value: int
    start: int  # of the literal
    end: int


def run(unit: Unit, rules: RuleSet) -> list[Finding]:
    if unit.ast is None or not unit.is_main:
        return []
    places = list(_requests(unit))
    if not places:
        return []
    options = ParseOptions(unit.options.includes, unit.options.defines, unit.options.standard, unit.options.cuda_path)
    limit = LDS - (RUNTIME if unit.mirrored else 0)
    texts = [_inlined(unit, unit.file.source(first, last), first) for first, last in places]
    sizes, errors = constants(unit.path, unit.file.text, texts, options)
    over = [(place, text, size) for place, text, size in zip(places, texts, sizes) if size is not None and size > limit]
    if not over:
        return []
    wanted = [text for _, text, _ in over]
    known = list(_constants(unit))
    lowered = _lowered(unit, wanted, [c for c in known if _STAGES.search(c.name)], limit, errors, options)
    if lowered is None:
        return [_left(unit, place, size, limit, _table(unit, text, known, limit, errors, options))
                for place, text, size in over]  # fmt: skip
    constant, value, fits = lowered
    before = max(size for _, _, size in over)
    message = (
        f"{constant.name} is {value} instead of {constant.value}: {before:,} bytes of shared memory become "
        f"{max(fits):,} of the {LDS:,} that a compute unit has"
    )
    edit = Edit(constant.start, constant.end, str(value))
    return [Finding(RULE, constant.start, constant.end, Safety.SLOWER, message, (edit,))]


def _requests(unit: Unit) -> Iterator[tuple[int, int]]:
    """Token ranges of the sizes that launches and attributes ask for."""
    for index, token in enumerate(unit.tokens):
        if token.text == "<<<":
            parts = launch_arguments(unit.file, index)
            if len(parts) > 2 and unit.file.source(*parts[2]) != "0":  # most launches: nothing to evaluate
                yield parts[2]
        elif token.text == "cudaFuncSetAttribute" and unit.is_call(index):
            parts = unit.file.arguments(index + 1)
            if len(parts) == 3 and unit.file.source(*parts[1]).endswith(_SETTING):
                yield parts[2]
        elif token.text == "dynamicSmemBytes" and unit.text(index + 1) == "=":
            last = next(i for i in range(index + 2, len(unit.tokens) + 1) if unit.text(i) in (";", ",", "}", ""))
            yield index + 2, last


def _inlined(unit: Unit, text: str, index: int) -> str:
    """A constant of the function itself is not known after it: its initialiser stands for it."""
    for _ in range(4):
        if not re.fullmatch(r"\w+", text) or text.isdigit():
            break
        before = unit.file.text[: unit.tokens[index].start]
        found = re.findall(rf"\b(?:const|constexpr)\b[^;=(){{}}]*\b{text}\s*=\s*([^;{{}}]+);", before)
        if not found:
            break
        text = found[-1].strip()
    return " ".join(text.split())


def _constants(unit: Unit) -> Iterator[_Constant]:
    tokens = unit.tokens
    for index in range(1, len(tokens) - 1):
        literal = tokens[index]
        if literal.kind != Kind.NUMBER or not literal.text.rstrip("uUlL").isdigit():
            continue
        value = int(literal.text.rstrip("uUlL"))
        if tokens[index - 1].text == "=" and unit.text(index + 1) == ";" and "constexpr" in _declaration(unit, index):
            yield _Constant(tokens[index - 2].text, value, literal.start, literal.end)
        elif literal.directive >= 0:
            directive = unit.file.directives[literal.directive]
            if directive.name == "define" and index == directive.first + 1 == directive.last - 1:
                yield _Constant(tokens[index - 1].text, value, literal.start, literal.end)


def _declaration(unit: Unit, index: int) -> list[str]:
    first = index
    while first > 0 and unit.text(first - 1) not in (";", "{", "}", ")") and index - first < 12:
        first -= 1
    return [unit.text(i) for i in range(first, index)]


def _lowered(
    unit: Unit, wanted: list[str], known: list[_Constant], limit: int, errors: int, options: ParseOptions
) -> tuple[_Constant, int, list[int]] | None:
    """The constant and the largest value of it with which everything fits."""
    for constant in known:
        for value in range(constant.value - 1, 0, -1):
            sizes, now = constants(unit.path, _with(unit, {constant: value}), wanted, options)
            fits = [size for size in sizes if size is not None]
            if now <= errors and len(fits) == len(wanted) and max(fits) <= limit:
                return constant, value, fits
    return None


def _table(
    unit: Unit, wanted: str, known: list[_Constant], limit: int, errors: int, options: ParseOptions
) -> list[str]:
    """What each constant would have to be, halved until it fits; alone, or beside one stage of everything."""
    stages = {c: 1 for c in known if _STAGES.search(c.name) and c.value > 1}
    rows = []
    for others in ({}, stages) if stages else ({},):
        for constant in [c for c in known if c not in stages][:16]:
            value = constant.value // 2
            while value:
                changed = {**others, constant: value}
                (size,), now = constants(unit.path, _with(unit, changed), [wanted], options)
                if size is not None and size <= limit and now <= errors:
                    rows.append(" and ".join(f"{c.name} = {v}" for c, v in changed.items()) + f" ({size:,})")
                    break
                value //= 2
    return rows


def _with(unit: Unit, values: Mapping[_Constant, int]) -> str:
    text = unit.file.text
    for constant in sorted(values, key=lambda c: -c.start):
        text = text[: constant.start] + str(values[constant]) + text[constant.end :]
    return text


def _left(unit: Unit, place: tuple[int, int], size: int, limit: int, table: list[str]) -> Finding:
    first, last = place
    message = f"{size:,} bytes of shared memory; a compute unit has {LDS:,}"
    message += f". It would fit with {' or '.join(table)}" if table else ", and no single constant makes it fit"
    return Finding(RULE, unit.tokens[first].start, unit.tokens[last - 1].end, Safety.LEFT, message)
