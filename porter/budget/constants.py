"""The constants of a source that decide how much shared memory it wants, and what may be done to each of them.

A constant is a literal with a name: `constexpr int kStages = 4;`, `#define STAGES 4`, a template's default, or a member
of a constant object. A literal template argument (`gemm<128, 128, 64, 4>`) has the name of the template's parameter. It
may be changed where the source itself says that everything follows from it: see Constant.forbidden.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from porter.analysis.running.called import named_functions
from porter.analysis.templates import Template, template_arguments
from porter.budget.literals import STAGES, is_integer, literals, meaning_of
from porter.budget.masks import hold_by_places
from porter.budget.names import Names, closure, origins, read_names
from porter.budget.rings import one_will_do
from porter.budget.shapes import lengths_of_shapes
from porter.budget.whole_unit import Whole, beside, whole
from porter.findings import Edit
from porter.frontend.asm.statements import find_asm
from porter.frontend.lexer import TokenFile
from porter.frontend.unit import Unit

__all__ = ["Constant", "Constants", "constants"]

_TILES = re.compile(
    r"^k?(?:[BT][MNKQRC]|[BT][rcq]|(?:cta)?_?(?:block|tile|blk|cta)_?(?:shape)?_?(?:size)?_?(?:[mnkqxy]|kv|rows?|cols?|columns?|seq)?"
    r"|[mnk]_?(?:block|tile)(?:_?size)?|(?:[qkvo]|qo|kv)_?(?:height|rows)|keys)$",
    re.IGNORECASE,
)
_MOST_STAGES = 16  # of a `depth` of 64 it is the elements along k
_MOST_GROUPS = 4
_GROUPS = re.compile(r"consumers?(?:_?(?:warp_?groups?|wgs?))?_?$", re.IGNORECASE)
_CAUSAL = re.compile(r"causal", re.IGNORECASE)
_KEYS = re.compile(
    r"^k?(?:Bc|T[cN]|(?:cta)?_?(?:block|tile|blk)_?(?:n|kv|keys?)|kv_?(?:height|rows)|keys|[nN]_?(?:block|tile))_?$",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"^k?_?[MNK]$")  # of a template or a class: of a tile, or of the whole problem
_COUNTS = re.compile(r"^k?(?:blocks?|block_?size|blk|cta|threads?)$|per|num|warp|thread|group", re.IGNORECASE)
_OF_M = re.compile(r"(?:[mMqQ]|[rR]ows?)_?$")
_OF_K = re.compile(r"(?:_[kK]|[a-z]K|[BT]K)$")
_SWIZZLE = re.compile(r"swizzle", re.IGNORECASE)
_WIDTH = re.compile(r"\bwgmma\.mma_async\S*\.m64n(\d+)k")
_OPERAND = re.compile(r"%(\d+)")
# PTX: an arrival at a numbered barrier, without a wait.
_TURNS = re.compile(r"\bbar(?:rier)?(?:\.cta)?\.arrive\b")


@dataclass(frozen=True, slots=True)
class Constant:
    name: str
    value: int
    places: tuple[tuple[int, int], ...]  # of the literal, the same everywhere
    stages: bool  # counts stages; else the length of a tile
    of_k: bool  # a tile's, along k
    forbidden: str  # why it may not change; "": everything follows from it, as far as the source tells
    sized: bool  # ... because sizes in device code seem to depend on it: which has to be seen
    lower_bound: bool  # a static_assert says how few there may be
    single: bool = False  # one stage will do: no round has a part of the one before
    plain: bool = False  # its name says nothing: something has to be divided by it
    fewest: int = 1  # of stages, as far as the source's arithmetic tells; of columns, for which it has instructions
    turns: bool = False  # there are as many warps as it says, and some of them pass turns by numbered barriers
    groups: bool = False  # counts the warpgroups that consume, in place of a tile's length
    keys: bool = False  # of a tile whose last keys in a row of blocks are masked
    rows: bool = False  # ... and the rows of such a block come with it
    threads: bool = False  # the size of a block follows from it
    form: str = "{}"  # how a place says a number
    typed: bool = False  # a type, from which a library derives everything else

    def edits(self, value: int) -> list[Edit]:
        return [Edit(start, end, self.form.format(value)) for start, end in self.places]

    @property
    def free(self) -> bool:
        return not self.forbidden

    @property
    def half(self) -> int:
        """Another value, to see what follows."""
        return max(self.value // 2, 1)

    @property
    def smaller(self) -> list[int]:
        """What a length or a count may become, the largest first."""
        if self.groups:
            return list(range(self.value - 1, self.fewest - 1, -1))
        values = [self.value]
        while values[-1] % 2 == 0 and values[-1] // 2 >= self.fewest:
            values.append(values[-1] // 2)
        return values[1:]


@dataclass(frozen=True, slots=True)
class Constants:
    constants: tuple[Constant, ...]
    in_device: frozenset[str]  # names in device code
    sizes: tuple[
        tuple[Path | None, int, int], ...
    ]  # of arrays and blocks in device code: file (None: this), start, end


@dataclass(frozen=True, slots=True)
class _Gathered:
    """A constant with all of its places."""

    name: str
    value: int
    scoped: bool  # an argument of templates, or a member of a class
    places: list[tuple[int, int]] = field(default_factory=list)
    meanings: set[str] = field(default_factory=set)
    labels: set[str] = field(default_factory=set)
    # What a class is given here has to be all that it is given: else a kernel's own would not follow.
    reaching: list[bool] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Instructions:
    """What inline assembly says of the constants."""

    widths: frozenset[int]  # of matrix instructions
    turning: bool

    @staticmethod
    def of(file: TokenFile) -> _Instructions:
        widths = frozenset(map(int, _WIDTH.findall(file.text)))
        whole, wanting = set[int](), set[int]()  # without an operand that the text asks for, no instruction is made
        for asm in find_asm(file):
            asked = max(map(int, _OPERAND.findall(asm.text)), default=-1)
            (whole if asked < len(asm.operands) else wanting).update(map(int, _WIDTH.findall(asm.text)))
        return _Instructions(widths - (wanting - whole), _TURNS.search(file.text) is not None)


@dataclass(frozen=True, slots=True)
class _Question:
    files: tuple[TokenFile, ...]  # all that the answer follows from
    unit: Unit = field(compare=False)


def constants(unit: Unit) -> Constants:
    """Of the file itself; what follows from them may be in its headers."""
    files = (unit.file, *(source.tokens for source in beside(unit).values()))
    return _constants(_Question(files, replace(unit, ast=None)))


@lru_cache(maxsize=4)  # a unit's main file is asked for each of its headers that launch
def _constants(question: _Question) -> Constants:
    every = whole(question.unit)
    unit = every.unit
    reading = _read(_Question((unit.file,), unit))
    names, instructions, causal = reading.names, reading.instructions, reading.causal
    gathered = list(_gathered(every, reading))
    judged = [c for one in gathered if (c := _judged(unit, one, names, instructions, causal)) is not None]
    if causal and hold_by_places(unit, {c.name for c in judged if c.rows}, {c.name for c in judged if c.keys}):
        judged = [c for one in gathered if (c := _judged(unit, one, names, instructions, False)) is not None]
    judged += _typed(question.unit)
    sizes = ((unit.tokens[first].start, unit.tokens[last - 1].end) for first, last in names.sizes if first < last)
    placed = ((*every.origin(start), end - start) for start, end in sizes)
    # what is halved first is last
    return Constants(
        tuple(sorted(judged, key=lambda c: c.of_k)),
        frozenset(n.rpartition("::")[2] for n in origins(names)),
        tuple((path, at, at + length) for path, at, length in placed),
    )


@dataclass(frozen=True, slots=True)
class _Reading:
    """What is read of a unit for the constants of each of its files."""

    names: Names
    instructions: _Instructions
    causal: bool
    variable: frozenset[str]


@lru_cache(maxsize=1)
def _read(question: _Question) -> _Reading:
    unit = question.unit
    names = read_names(unit)
    variable = frozenset(_variable(unit, names))
    return _Reading(names, _Instructions.of(unit.file), _masked(unit, names), variable)


def _gathered(every: Whole, reading: _Reading) -> Iterable[_Gathered]:
    """Template arguments of one name and value are one constant, declarations are each their own."""
    unit, names = every.unit, reading.names
    functions = {f.name for f in unit.scopes.functions}
    by_place: dict[tuple[str, int, int], _Gathered] = {}
    for literal in literals(unit, names, every.first, every.last):
        if not every.first <= literal.index < every.last:
            continue
        name, template, token = literal.name, literal.template, unit.tokens[literal.index]
        end = unit.tokens[(literal.last or literal.index + 1) - 1].end
        meaning = template.own(name) if template else meaning_of(unit, names, literal)
        value = literal.value if literal.last else int(token.text.rstrip("uUlL"))
        key = (name, value, -1 if template else literal.index)
        one = by_place.setdefault(key, _Gathered(name, value, template is not None or literal.member))
        one.places.append((token.start - every.start, end - every.start))
        one.meanings.add(meaning)
        one.labels.update(_labels(name, template, names.called.get(meaning, ())))
        one.reaching.append(template is None or template.name in functions or meaning not in reading.variable)
    return by_place.values()


def _typed(unit: Unit) -> Iterator[Constant]:
    """Lengths of tiles that are types, of the file alone."""
    for length in lengths_of_shapes(unit):
        token = unit.tokens[length.index]
        yield Constant(
            length.name,
            length.value,
            ((token.start, token.end),),
            stages=False,
            of_k=length.of_k,
            forbidden="",
            sized=False,
            lower_bound=False,
            form=length.form,
            typed=True,
        )


def _masked(unit: Unit, names: Names) -> bool:
    """Whether there is a causal mask in device code that the unit leads to: libraries have functions for one."""
    words = [name for name in names.device if _CAUSAL.search(name)]
    reached = named_functions([unit.members]) if words and unit.members else frozenset(words)
    return any(word.rpartition("::")[2] in reached or word in reached for word in words)


def _texts(meanings: Iterable[str]) -> frozenset[str]:
    return frozenset(meaning.rpartition("::")[2] for meaning in meanings)


def _judged(unit: Unit, one: _Gathered, names: Names, instructions: _Instructions, causal: bool) -> Constant | None:
    """What may be done to a constant; None if it counts no stages and is no tile's, or reaches no device code."""
    named = any(map(STAGES.search, (label for label in one.labels if "::" not in label)))
    stages = 1 < one.value <= _MOST_STAGES and (named or bool(closure(one.meanings, names.alike) & names.rings))
    tiles = [] if stages else _tiles(one.labels)
    plain_name = not stages and not tiles and one.scoped and _PLAIN.search(one.name.strip("_")) is not None
    tiles = [one.name] if plain_name else tiles
    groups = not (stages or tiles) and 1 < one.value <= _MOST_GROUPS and any(map(_GROUPS.search, one.labels))
    used = closure(one.meanings, names.depends)
    if not (stages or tiles or groups) or one.value <= 1 or not any(one.reaching) or not used & names.device:
        return None
    plain = closure(one.meanings, names.plain)
    keys = causal and any(map(_KEYS.search, tiles))
    if groups:
        fewest = max((names.indexed.get(n, 1) for n in closure(one.meanings, names.alike)), default=1)
    else:
        columns = _fewest_columns(one.value, instructions.widths)
        fewest = max((names.least.get(n, 1) for n in used), default=1) if stages else columns
    of_k = any(map(_OF_K.search, tiles)) or (plain_name and one.name.rstrip("_").endswith("K"))
    forbidden = "" if stages else _forbidden(of_k, plain, names)
    of_columns = not (stages or groups or of_k or any(map(_OF_M.search, tiles)))
    if of_columns and fewest == one.value:
        forbidden = forbidden or f"there is no matrix instruction of {one.value // 2} columns in its place"
    if groups and not plain & names.threads:
        forbidden = forbidden or "the number of a block's threads is not seen to follow from it"
    return Constant(
        one.name,
        one.value,
        tuple(one.places),
        stages=stages,
        of_k=of_k,
        forbidden=forbidden,
        sized=not (forbidden or stages or of_k or plain & names.asserted),
        lower_bound=bool(plain & names.bounded_below),
        single=stages and fewest == 1 and one_will_do(unit, _texts(closure(one.meanings, names.alike))),
        plain=plain_name,
        fewest=fewest if stages or groups or of_columns else 1,
        turns=instructions.turning and bool(plain & names.threads),
        groups=groups,
        keys=keys,
        threads=bool(plain & names.threads),
        rows=causal and not keys and (groups or any(map(_OF_M.search, tiles)) or bool(plain & names.threads)),
    )


def _tiles(labels: Iterable[str]) -> list[str]:
    """Of what a constant is called, what is the length of a tile."""
    plain = (label.replace("::", "_") for label in labels)
    return sorted(label for label in plain if _TILES.search(label) and not _COUNTS.search(label))


def _labels(name: str, template: Template | None, called: Iterable[str]) -> Iterator[str]:
    """What a constant is called: as it is, as a parameter of its template (Tile::M), and by constants that are just it."""
    yield name.strip("_")
    if template:
        yield f"{template.name}::{name.strip('_')}"
    for other in called:
        yield other.rpartition("::")[2].strip("_")


def _forbidden(of_k: bool, plain: set[str], names: Names) -> str:
    """A tile whose rows are as long as a swizzle has the swizzle follow; otherwise a static_assert says what it may be; or
    the arrays of device code, or, along k, its loops follow; or there are as many threads as it wants."""
    if of_k and names.swizzled:
        follows = any(_SWIZZLE.search(n) for n in plain)
        return "" if follows else "rows as long as it are swizzled, and no swizzle is seen to follow from it"
    if plain & (names.asserted | names.extents | (names.bounds if of_k else names.threads)):
        return ""
    return "no array, loop, static_assert or block size of device code is seen to follow from it"


def _fewest_columns(value: int, widths: frozenset[int]) -> int:
    """To how few a tile's columns may be halved with a matrix instruction for each step; 1 where there is none of all."""
    if value not in widths:
        return 1
    while value % 2 == 0 and value // 2 in widths:
        value //= 2
    return value


def _variable(unit: Unit, names: Names) -> Iterator[str]:
    """Parameters of templates that are somewhere given something else than a number."""
    for index in unit.file.places("<"):
        for number, (first, last) in enumerate(template_arguments(unit, names.templates, index)):
            if last != first + 1 or not is_integer(unit, first):
                for template in names.templates[unit.text(index - 1)]:
                    yield from map(template.own, template.parameters[number : number + 1])
