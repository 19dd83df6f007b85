"""The constants of a source that decide how much shared memory it wants, and what may be done to each of them.

A constant is a literal with a name: `constexpr int kStages = 4;`, `#define STAGES 4`, a template's default, a member of an
object that is a constant, or a literal template argument (`gemm<128, 128, 64, 4>`), which is called what the template
calls it. It may be changed where the source itself says that everything follows from it: see Constant.free.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from porter.analysis.called import named_functions
from porter.analysis.shared_members import bodies
from porter.budget.names import Names, closure, origins, read_names
from porter.budget.templates import Template, template_arguments
from porter.budget.whole_unit import Whole, beside, whole
from porter.frontend.lexer import Kind, TokenFile
from porter.frontend.unit import Unit
from porter.model import Edit

__all__ = ["Constant", "Constants", "constants"]

_STAGES = re.compile(r"stage|pipe|depth|buffer|slot|q_?size|(?:^|_|^[kn])(?:ring|bufs?)|^bP$", re.IGNORECASE)
_TILES = re.compile(
    r"^k?(?:[BT][MNKQRC]|[BT][rcq]|(?:cta)?_?(?:block|tile|blk|cta)_?(?:shape)?_?(?:size)?_?(?:[mnkqxy]|kv|rows?|cols?|columns?|seq)?"
    r"|[mnk]_?(?:block|tile)(?:_?size)?|(?:[qkvo]|qo|kv)_?(?:height|rows)|keys)$",
    re.IGNORECASE,
)
_MOST_GROUPS = 4
_GROUPS = re.compile(r"consumers?(?:_?(?:warp_?groups?|wgs?))?_?$", re.IGNORECASE)
_CAUSAL = re.compile(r"causal", re.IGNORECASE)
_KEYS = re.compile(
    r"^k?(?:Bc|T[cN]|(?:cta)?_?(?:block|tile|blk)_?(?:n|kv|keys?)|kv_?(?:height|rows)|keys|[nN]_?(?:block|tile))_?$",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"^k?_?[MNK]$")  # of a template: of a tile, or of the whole problem
_COUNTS = re.compile(r"^k?(?:blocks?|block_?size|blk|cta|threads?)$|per|num|warp|thread|group", re.IGNORECASE)
_OF_M = re.compile(r"(?:[mMqQ]|[rR]ows?)_?$")
_OF_K = re.compile(r"(?:_[kK]|[a-z]K|[BT]K)$")
_OPERATIONS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul
}  # fmt: skip
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
    groups: bool = False  # counts the warpgroups that consume, in place of a tile's length
    keys: bool = False  # a tile's, of which the last ones of a row of blocks are masked
    rows: bool = False  # ... and the rows of such a block come with it

    def edits(self, value: int) -> list[Edit]:
        return [Edit(start, end, str(value)) for start, end in self.places]

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
        while values[-1] % 2 == 0:
            values.append(values[-1] // 2)
        return values[1:]


@dataclass(frozen=True, slots=True)
class Constants:
    found: tuple[Constant, ...]
    in_device: frozenset[str]  # names of which device code has something
    sizes: tuple[
        tuple[Path | None, int, int], ...
    ]  # of arrays and blocks in device code: file (None: this), start, end


@dataclass(frozen=True, slots=True)
class _Literal:
    """A place where a constant has its value."""

    name: str
    index: int  # of the number's token, or of the first of `(8 * 16)`
    template: Template | None = None  # whose argument it is
    last: int = 0  # past the last token; 0: it is one
    said: int = 0  # the value of several tokens
    named: int = -1  # the token that names it, where it is not just before


@dataclass(frozen=True, slots=True)
class _Gathered:
    """A constant with all of its places."""

    name: str
    value: int
    argument: bool  # of templates
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
    def of(text: str) -> _Instructions:
        return _Instructions(frozenset(map(int, _WIDTH.findall(text))), _TURNS.search(text) is not None)


@dataclass(frozen=True, slots=True)
class _Asked:
    files: tuple[TokenFile, ...]  # all that the answer follows from
    unit: Unit = field(compare=False)


def constants(unit: Unit) -> Constants:
    """Of the file itself; what follows from them may be in its headers."""
    files = (unit.file, *(source.tokens for source in beside(unit).values()))
    return _constants(_Asked(files, replace(unit, ast=None)))


@lru_cache(maxsize=4)  # a unit's main file is asked for each of its headers that launch
def _constants(asked: _Asked) -> Constants:
    every = whole(asked.unit)
    unit = every.unit
    names = read_names(unit)
    instructions = _Instructions.of(unit.file.text)
    causal = _masked(unit, names)
    judged = (_judged(gathered, names, instructions, causal) for gathered in _gathered(every, names))
    found = [constant for constant in judged if constant is not None]
    sizes = ((unit.tokens[first].start, unit.tokens[last - 1].end) for first, last in names.sizes if first < last)
    placed = ((*every.origin(start), end - start) for start, end in sizes)
    # what is halved first is last
    return Constants(
        tuple(sorted(found, key=lambda c: c.of_k)),
        frozenset(n.rpartition("::")[2] for n in origins(names)),
        tuple((path, at, at + length) for path, at, length in placed),
    )


def _gathered(every: Whole, names: Names) -> Iterable[_Gathered]:
    """Template arguments of one name and value are one constant, declarations are each their own."""
    unit = every.unit
    functions = {f.name for f in unit.scopes.functions}
    variable = set(_variable(unit, names))
    found: dict[tuple[str, int, int], _Gathered] = {}
    for literal in _literals(unit, names, every.first):
        if literal.index < every.first:
            continue
        name, template, token = literal.name, literal.template, unit.tokens[literal.index]
        end = unit.tokens[(literal.last or literal.index + 1) - 1].end
        meaning = template.own(name) if template else _meaning(unit, names, literal)
        value = literal.said if literal.last else int(token.text.rstrip("uUlL"))
        key = (name, value, -1 if template else literal.index)
        one = found.setdefault(key, _Gathered(name, value, template is not None))
        one.places.append((token.start - every.start, end - every.start))
        one.meanings.add(meaning)
        one.labels.update(_labels(name, template, names.called.get(meaning, ())))
        one.reaching.append(template is None or template.name in functions or meaning not in variable)
    return found.values()


def _masked(unit: Unit, names: Names) -> bool:
    """Whether there is a causal mask in device code that the unit leads to: libraries have functions for one."""
    words = [name for name in names.device if _CAUSAL.search(name)]
    reached = named_functions([unit.members]) if words and unit.members else frozenset(words)
    return any(word.rpartition("::")[2] in reached or word in reached for word in words)


def _judged(one: _Gathered, names: Names, instructions: _Instructions, causal: bool) -> Constant | None:
    """What may be done to a constant; None if it counts no stages and is no tile's, or reaches no device code."""
    named = any(map(_STAGES.search, (label for label in one.labels if "::" not in label)))
    stages = one.value > 1 and (named or bool(closure(one.meanings, names.alike) & names.rings))
    tiles = [] if stages else _tiles(one.labels)
    plain_name = not stages and not tiles and one.argument and _PLAIN.search(one.name.strip("_")) is not None
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
        fewest = max((names.least.get(n, 1) for n in used), default=1) if stages else 1
    of_k = any(map(_OF_K.search, tiles)) or (plain_name and one.name.rstrip("_").endswith("K"))
    made = groups or _made(of_k, tiles, one.value, instructions.widths)
    free = stages or (_follows(of_k, plain, names) and made and (not groups or bool(plain & names.threads)))
    return Constant(
        one.name,
        one.value,
        tuple(one.places),
        stages=stages,
        of_k=of_k,
        free=free,
        sized=free and not (stages or of_k or plain & names.asserted),
        lower_bound=bool(plain & names.bounded_below),
        plain=plain_name,
        fewest=fewest,
        turns=instructions.turning and bool(plain & names.threads),
        groups=groups,
        keys=keys,
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


def _follows(of_k: bool, plain: set[str], names: Names) -> bool:
    """A tile whose rows are as long as a swizzle has the swizzle follow; otherwise the arrays of device code, or, along
    k, its loops do; or there are as many threads as it wants; or a static_assert says what it may be."""
    asserted = bool(plain & names.asserted)
    if of_k:
        if names.swizzled:
            return asserted or any(_SWIZZLE.search(n) for n in plain)
        return asserted or bool(plain & (names.bounds | names.extents))
    return asserted or bool(plain & (names.extents | names.threads))


def _made(of_k: bool, tiles: Iterable[str], value: int, widths: frozenset[int]) -> bool:
    """Whether there is a matrix instruction of half the tile's columns, where there is one of all of them."""
    of_m = any(map(_OF_M.search, tiles))
    return of_k or of_m or value not in widths or value // 2 in widths


def _variable(unit: Unit, names: Names) -> Iterator[str]:
    """Parameters of templates that are somewhere given something else than a number."""
    for index in unit.file.places("<"):
        for number, (first, last) in enumerate(template_arguments(unit, names.templates, index)):
            if last != first + 1 or not _is_integer(unit, first):
                for template in names.templates[unit.text(index - 1)]:
                    yield from map(template.own, template.parameters[number : number + 1])


def _literals(unit: Unit, names: Names, first: int) -> Iterator[_Literal]:
    """Those in tokens[first:] among them."""
    yield from _of_objects(unit)
    numbers = (i for i in range(first, len(unit.tokens)) if unit.tokens[i].kind == Kind.NUMBER)
    for index in sorted((*unit.file.places("<", "="), *numbers)):
        if not 0 < index < len(unit.tokens) - 1:
            continue
        yield from _arguments(unit, names, index)
        if _is_integer(unit, index) and (name := _declared_as(unit, index)):
            yield _Literal(name, index)
        elif (
            unit.text(index) == "="
            and (last := _sum_end(unit, index + 1))
            and (name := _declared_as(unit, index + 1, last))
        ):
            yield _Literal(name, index + 1, None, last, _value(unit, index + 1, last))
        elif unit.text(index) == "=" and (number := _of_type(unit, index)):
            yield _Literal(unit.text(index - 1), number, named=index - 1)


def _arguments(unit: Unit, names: Names, index: int) -> Iterator[_Literal]:
    """Numbers that the template whose `<` is tokens[index] is given."""
    for number, (first, last) in enumerate(template_arguments(unit, names.templates, index)):
        if last == first + 1 and _is_integer(unit, first):
            for template in names.templates[unit.text(index - 1)][:1]:
                for name in template.parameters[number : number + 1]:
                    yield _Literal(name, first, template)


def _sum_end(unit: Unit, first: int) -> int:
    """Past a plain constant expression of several tokens, `(2)` or `8 * 16`; 0 if there is none."""
    last = first
    while last < len(unit.tokens) and (_is_integer(unit, last) or unit.text(last) in ("(", ")", "*", "+", "-")):
        if unit.text(last) == ")" and unit.file.partner(last) < first:
            break
        last += 1
    return last if last > first + 1 and unit.text(last) in (";", ",", "}") and _value(unit, first, last) > 0 else 0


def _value(unit: Unit, first: int, last: int) -> int:
    """Of a plain constant expression; 0 if it is none."""
    text = " ".join(unit.text(k).rstrip("uUlL") for k in range(first, last))
    try:
        return _of_node(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError):
        return 0


def _of_node(node: ast.expr) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.BinOp) and (operation := _OPERATIONS.get(type(node.op))) is not None:
        return operation(_of_node(node.left), _of_node(node.right))
    raise ValueError(node)


def _of_type(unit: Unit, index: int) -> int:
    """The number in `auto stages = Int<3>{};`, whose `=` is tokens[index]: an object whose type is the constant; else 0.
    Only of stages: types that are lengths of tiles shape copies and instructions, of which nothing is seen to follow."""
    if not _STAGES.search(unit.text(index - 1).strip("_")):
        return 0
    at = index + 1
    while unit.text(at + 1) == "::":
        at += 2
    alone = unit.text(at + 1) == "<" and _is_integer(unit, at + 2) and unit.text(at + 3) == ">"
    made = alone and (unit.text(at + 4), unit.text(at + 5)) in (("{", "}"), ("(", ")"))
    if not made or unit.text(at + 6) not in (";", ",") or unit.tokens[index - 1].kind != Kind.IDENT:
        return 0
    return at + 2 if _declaration(unit, index) & {"auto", "const", "constexpr"} else 0


def _declared_as(unit: Unit, index: int, last: int = 0) -> str:
    """The macro, the constant or the template's parameter whose value is tokens[index], or all up to `last`; "" if it is
    none's."""
    tokens, directive = unit.tokens, unit.tokens[index].directive
    if directive >= 0:
        macro = unit.file.directives[directive]
        alone = macro.name == "define" and index == macro.first + 1 == macro.last - 1
        return tokens[index - 1].text if alone else ""
    if unit.text(index - 1) != "=" or tokens[index - 2].kind != Kind.IDENT:
        return ""
    after, words = unit.text(last or index + 1), _declaration(unit, index)
    constant = after in (";", ",", "}") and words & {"constexpr", "const"}
    default = after in (",", ">") and "template" in words
    return tokens[index - 2].text if constant or default else ""


def _of_objects(unit: Unit) -> Iterator[_Literal]:
    """Members of objects that are constants: `struct Config { int stages = 4; }; constexpr Config config{.block_k = 64};`."""
    for first, last in bodies(unit):
        objects = _constant_objects(unit, first)
        if not objects:
            continue
        members = list(_members(unit, first, last))
        for index in members:
            if unit.text(index + 1) == "=" and _is_integer(unit, index + 2) and unit.text(index + 3) in (";", ","):
                yield _Literal(unit.text(index), index + 2)
        for name in objects:
            yield from _initialised(unit, name, [unit.text(index) for index in members])


def _constant_objects(unit: Unit, first: int) -> list[int]:
    """The names of constants whose class has its body at tokens[first]."""
    owner = next((i + 1 for i in range(first, 0, -1) if unit.text(i) in ("struct", "class")), -1)
    return [
        index + 1
        for index in unit.file.places(unit.text(owner))
        if index != owner
        and index + 1 < len(unit.tokens)
        and unit.tokens[index + 1].kind == Kind.IDENT
        and _declaration(unit, index) & {"constexpr", "template"}
    ]


def _members(unit: Unit, first: int, last: int) -> Iterator[int]:
    """The names of a class's data members that an object has of its own."""
    inner = [(k, unit.file.partner(k)) for k in range(first + 1, last) if unit.text(k) == "{"]
    for index in range(first + 1, last):
        if unit.text(index) not in ("=", ";", ",") or unit.tokens[index - 1].kind != Kind.IDENT:
            continue
        begin = max(k for k in range(first, index) if unit.text(k) in ("{", "}", ";", ")"))
        plain = all(unit.file.partner(k) < 0 for k in range(begin + 1, index)) and unit.text(begin) != ")"
        if not plain or "static" in (unit.text(k) for k in range(begin, index)) or index - 1 == begin:
            continue
        if not any(opening < index < closing for opening, closing in inner):  # else it is a function's
            yield index - 1


def _initialised(unit: Unit, name: int, members: Sequence[str]) -> Iterator[_Literal]:
    """What the object whose name is tokens[name] is given in braces, in the members' order or by their names."""
    opening = name + 2 if unit.text(name + 1) == "=" else name + 1
    if unit.text(opening) != "{" or unit.file.partner(opening) < 0:
        return
    for number, (begin, end) in enumerate(unit.file.arguments(opening)):
        if end - begin == 4 and unit.text(begin) == "." and unit.text(begin + 2) == "=":
            begin += 3
            member = unit.text(begin - 2)
        else:
            member = members[number] if number < len(members) else ""
        if member and end - begin == 1 and _is_integer(unit, begin):
            yield _Literal(member, begin)


def _meaning(unit: Unit, names: Names, literal: _Literal) -> str:
    if unit.tokens[literal.index].directive >= 0:
        return names.meanings[literal.index - 1]
    named = literal.named if literal.named >= 0 else literal.index - 2
    return names.meanings[named] if unit.text(named) == literal.name else literal.name


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
