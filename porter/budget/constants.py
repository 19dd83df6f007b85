"""The constants of a source that decide how much shared memory it wants, and what may be done to each of them.

A constant is a literal with a name: `constexpr int kStages = 4;`, `#define STAGES 4`, a template's default, a member of an
object that is a constant, or a literal template argument (`gemm<128, 128, 64, 4>`), which is called what the template
calls it. It may be changed where the source itself says that everything follows from it: see Constant.free.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from porter.analysis.shared_members import bodies
from porter.budget.names import Names, Template, closure, origins, read_names, template_arguments
from porter.budget.whole_unit import whole
from porter.frontend.lexer import Kind
from porter.frontend.unit import Unit
from porter.model import Edit

__all__ = ["Constant", "Constants", "constants"]

_STAGES = re.compile(r"stage|pipe|depth|buffer|slot|q_?size|(?:^|_|^[kn])(?:ring|bufs?)", re.IGNORECASE)
_TILES = re.compile(
    r"^k?(?:[BT][MNKQRC]|[BT][rcq]|(?:cta)?_?(?:block|tile|blk|cta)_?(?:shape)?_?(?:size)?_?(?:[mnkqxy]|kv|rows?|cols?|columns?|seq)?"
    r"|[mnk]_?(?:block|tile)(?:_?size)?)$",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"^k?_?[MNK]$")  # of a template: of a tile, or of the whole problem
_COUNTS = re.compile(r"^k?(?:blocks?|block_?size|blk|cta|threads?)$|per|num|warp|thread|group", re.IGNORECASE)
_OF_M = re.compile(r"(?:[mMqQ]|[rR]ows?)_?$")
_OF_K = re.compile(r"(?:_[kK]|[a-z]K|[BT]K)$")
_SWIZZLE = re.compile(r"swizzle", re.IGNORECASE)
_WIDTH = re.compile(r"\bwgmma\.mma_async\S*\.m64n(\d+)k")
# PTX: an arrival at a numbered barrier of those that do not wait.
_TURNS = re.compile(r"\bbar(?:rier)?(?:\.cta)?\.arrive\b")


@dataclass(frozen=True, slots=True)
class Constant:
    name: str
    value: int
    places: tuple[tuple[int, int], ...]  # of the literal, the same everywhere
    stages: bool  # counts stages; else the length of a tile
    of_k: bool  # a tile's, along k
    free: bool  # everything follows from it, as far as the source tells
    sized: bool  # ... because sizes in device code seem to depend on it: which has to be seen
    lower_bound: bool  # a static_assert says how few there may be
    plain: bool = False  # its name says nothing: something has to be divided by it
    fewest: int = 1  # of stages, as far as the source's arithmetic tells
    turns: bool = False  # there are as many warps as it says, and some of them pass turns by numbered barriers

    def edits(self, value: int) -> list[Edit]:
        return [Edit(start, end, str(value)) for start, end in self.places]


@dataclass(frozen=True, slots=True)
class Constants:
    found: tuple[Constant, ...]
    in_device: frozenset[str]  # names of which device code has something
    sizes: tuple[
        tuple[Path | None, int, int], ...
    ]  # of arrays and blocks in device code: file (None: this), start, end


def constants(unit: Unit) -> Constants:
    """Of the file itself; what follows from them may be in its headers."""
    every = whole(unit)
    unit = every.unit
    names = read_names(unit)
    functions = {f.name for f in unit.scopes.functions}
    variable = set(_variable(unit, names))
    places: dict[tuple[str, int, int], list[tuple[int, int]]] = {}
    meanings: dict[tuple[str, int, int], set[str]] = {}
    labels: dict[tuple[str, int, int], set[str]] = {}
    reaching: set[tuple[str, int, int]] = set()
    for name, index, template in _literals(unit, names):
        if index < every.first:
            continue
        literal = unit.tokens[index]
        meaning = template.own(name) if template else _meaning(unit, names, name, index)
        # Template arguments of one name and value are one constant, declarations are each their own.
        key = (name, int(literal.text.rstrip("uUlL")), -1 if template else index)
        places.setdefault(key, []).append((literal.start - every.start, literal.end - every.start))
        meanings.setdefault(key, set()).add(meaning)
        labels.setdefault(key, set()).update(_labels(name, template, names.called.get(meaning, ())))
        # What a class is given here has to be all that it is given: else a kernel's own would not follow.
        if template is None or template.name in functions or meaning not in variable:
            reaching.add(key)
    found = []
    widths = {int(n) for n in _WIDTH.findall(unit.file.text)}
    turning = _TURNS.search(unit.file.text) is not None
    for key, where in places.items():
        name, value, _ = key
        itself = closure(meanings[key], names.alike)
        named = any(map(_STAGES.search, (n for n in labels[key] if "::" not in n)))
        stages = value > 1 and (named or bool(itself & names.rings))
        tiles = [n.replace("::", "_") for n in labels[key]]
        tiles = sorted(n for n in tiles if _TILES.search(n) and not _COUNTS.search(n)) if not stages else []
        plain_name = not (stages or tiles) and key[2] < 0 and _PLAIN.search(name.strip("_")) is not None
        tiles = [name] if plain_name else tiles
        used = closure(meanings[key], names.depends)
        if (stages or tiles) and value > 1 and key in reaching and used & names.device:
            plain = closure(meanings[key], names.plain)
            of_k = any(map(_OF_K.search, tiles)) or (plain_name and name.rstrip("_").endswith("K"))
            free = stages or (_follows(of_k, plain, names) and _made(of_k, tiles, value, widths))
            sized = free and not (stages or of_k or plain & names.asserted)
            below = bool(plain & names.bounded_below)
            turns = turning and bool(plain & names.threads)
            fewest = max((names.least.get(n, 1) for n in used), default=1) if stages else 1
            found.append(
                Constant(name, value, tuple(where), stages, of_k, free, sized, below, plain_name, fewest, turns)
            )
    sizes = ((unit.tokens[first].start, unit.tokens[last - 1].end) for first, last in names.sizes if first < last)
    placed = ((*every.origin(start), end - start) for start, end in sizes)
    # what is halved first is last
    return Constants(
        tuple(sorted(found, key=lambda c: c.of_k)),
        frozenset(n.rpartition("::")[2] for n in origins(names)),
        tuple((path, at, at + length) for path, at, length in placed),
    )


def _labels(name: str, template: Template | None, called: Iterable[str]) -> Iterator[str]:
    """What a constant is called: as it is, as a parameter of its template (Tile::M), and by constants that are just it."""
    yield name.strip("_")
    if template:
        yield f"{template.name}::{name.strip('_')}"
    for other in called:
        yield other.rpartition("::")[2].strip("_")


def _follows(of_k: bool, plain: set[str], names: Names) -> bool:
    """A tile whose rows are as long as a swizzle has the swizzle follow; otherwise the arrays of device code, or, along
    k, its loops do; or there are as many threads as it wants; or a static_assert says what it may be."""
    asserted = bool(plain & names.asserted)
    if of_k:
        if names.swizzled:
            return asserted or any(_SWIZZLE.search(n) for n in plain)
        return asserted or bool(plain & (names.bounds | names.extents))
    return asserted or bool(plain & (names.extents | names.threads))


def _made(of_k: bool, tiles: Iterable[str], value: int, widths: set[int]) -> bool:
    """Whether there is a matrix instruction of half the tile's columns, where there is one of all of them."""
    of_m = any(map(_OF_M.search, tiles))
    return of_k or of_m or value not in widths or value // 2 in widths


def _variable(unit: Unit, names: Names) -> Iterator[str]:
    """Parameters of templates that are somewhere given something else than a number."""
    for index in range(1, len(unit.tokens)):
        for number, (first, last) in enumerate(template_arguments(unit, names.templates, index)):
            if last != first + 1 or not _is_integer(unit, first):
                for template in names.templates[unit.text(index - 1)]:
                    yield from map(template.own, template.parameters[number : number + 1])


def _literals(unit: Unit, names: Names) -> Iterator[tuple[str, int, Template | None]]:
    """Names, the token of the literal, and the template whose argument it is."""
    tokens = unit.tokens
    yield from ((name, index, None) for name, index in _of_objects(unit))
    for index in range(1, len(tokens) - 1):
        token = tokens[index]
        for number, (first, last) in enumerate(template_arguments(unit, names.templates, index)):
            if last == first + 1 and _is_integer(unit, first):
                for template in names.templates[unit.text(index - 1)][:1]:
                    for name in template.parameters[number : number + 1]:
                        yield name, first, template
        if not _is_integer(unit, index):
            continue
        if token.directive >= 0:
            directive = unit.file.directives[token.directive]
            if directive.name == "define" and index == directive.first + 1 == directive.last - 1:
                yield tokens[index - 1].text, index, None
        elif unit.text(index - 1) == "=" and tokens[index - 2].kind == Kind.IDENT:
            after = unit.text(index + 1)
            words = _declaration(unit, index)
            if (after in (";", ",", "}") and words & {"constexpr", "const"}) or (
                after in (",", ">") and "template" in words
            ):
                yield tokens[index - 2].text, index, None


def _of_objects(unit: Unit) -> Iterator[tuple[str, int]]:
    """Members of objects that are constants: `struct Config { int stages = 4; }; constexpr Config config{.block_k = 64};`.
    The member's name, and the token of the literal."""
    tokens = unit.tokens
    for first, last in bodies(unit):
        owner = next((i + 1 for i in range(first, 0, -1) if unit.text(i) in ("struct", "class")), -1)
        objects = [
            index + 1
            for index in unit.file.places(unit.text(owner))
            if index + 1 < len(tokens)
            and index != owner
            and tokens[index + 1].kind == Kind.IDENT
            and _declaration(unit, index) & {"constexpr", "template"}
        ]
        members: list[str] = []
        for index in range(first + 1, last):
            if unit.text(index) not in ("=", ";", ",") or tokens[index - 1].kind != Kind.IDENT or not objects:
                continue
            begin = max(k for k in range(first, index) if unit.text(k) in ("{", "}", ";", ")"))
            plain = all(unit.file.partner(k) < 0 for k in range(begin + 1, index)) and unit.text(begin) != ")"
            if not plain or "static" in (unit.text(k) for k in range(begin, index)) or index - 1 == begin:
                continue
            if max((a for a, b in _brackets(unit, first, last) if a < index < b), default=first) != first:
                continue  # within a function of the class
            members.append(unit.text(index - 1))
            if unit.text(index) == "=" and _is_integer(unit, index + 1) and unit.text(index + 2) in (";", ","):
                yield unit.text(index - 1), index + 1
        for name in objects:
            opening = name + 2 if unit.text(name + 1) == "=" else name + 1
            if unit.text(opening) != "{" or unit.file.partner(opening) < 0:
                continue
            for number, (begin, end) in enumerate(unit.file.arguments(opening)):
                if end - begin == 4 and unit.text(begin) == "." and unit.text(begin + 2) == "=":
                    begin += 3
                    member = unit.text(begin - 2)
                else:
                    member = members[number] if number < len(members) else ""
                if member and end - begin == 1 and _is_integer(unit, begin):
                    yield member, begin


def _brackets(unit: Unit, first: int, last: int) -> list[tuple[int, int]]:
    return [(k, unit.file.partner(k)) for k in range(first + 1, last) if unit.text(k) == "{"]


def _meaning(unit: Unit, names: Names, name: str, literal: int) -> str:
    if unit.tokens[literal].directive >= 0:
        return names.meanings[literal - 1]
    return names.meanings[literal - 2] if unit.text(literal - 2) == name else name


def _is_integer(unit: Unit, index: int) -> bool:
    token = unit.tokens[index]
    return token.kind == Kind.NUMBER and token.text.rstrip("uUlL").isdigit()


def _declaration(unit: Unit, index: int) -> set[str]:
    """The words of the declaration so far; none inside of a function's parameters."""
    first = index
    while first > 0 and unit.text(first - 1) not in (";", "{", "}", ")", "(") and index - first < 60:
        first -= 1
    if unit.text(first - 1) == "(":
        return set()
    enumerator = unit.text(first - 1) == "{" and "enum" in {unit.text(i) for i in range(first - 6, first - 1)}
    return {unit.text(i) for i in range(first, index)} | ({"constexpr"} if enumerator else set())
