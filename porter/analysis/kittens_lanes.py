"""Code of a ThunderKittens unit that counts CUDA's lanes: which elements of a register tile a lane holds, and lane numbers.

At wave width a lane holds a quarter of the elements that two of CUDA's lanes hold. Statements that look into a tile are
executed once for each of these two, and an element is worked out by the lane that has it (`kittens::cuda_lane`). Other
statements keep CUDA's lane numbers: the two halves of a wavefront do the same, as mirrored warps do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from porter.frontend.cpp.expressions import Assign, Call, Expr, Index, Member, Name, Unary, walk
from porter.frontend.cpp.statements import (
    Block,
    Declaration,
    For,
    If,
    Jump,
    Opaque,
    Return,
    Simple,
    Statement,
    While,
    children,
    read_body,
)
from porter.frontend.lexer import Kind, TokenFile, template_end
from porter.frontend.scopes import Function

__all__ = ["COUNTS", "Element", "Guard", "LaneCode", "Region"]

COUNTS = frozenset({"packed_per_tile", "packed_per_thread", "elements_per_thread"})  # of a lane's elements
_GROUPS = frozenset({"warp", "warpgroup", "group", "tma", "everyone"})
_NUMBERS = frozenset({"laneid", "warpid", "groupid"})
_ONCE = re.compile(
    r"atomic\w*|\w*(?:printf|arrive|wait|sync|shfl|expect|load|store|async|trap|assert|clock|semaphore)\w*"
)
_ASSIGNED = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})


@dataclass(frozen=True, slots=True)
class Element:
    """`.data[k]` behind `tiles[i][j]`."""

    dot: int  # tokens
    close: int
    key: str  # k


@dataclass(frozen=True, slots=True)
class Guard:
    """A statement that only the lane with element `key` may execute."""

    first: int
    last: int
    key: str
    alone: bool  # in no braces: an `else` may follow


@dataclass(frozen=True, slots=True)
class Region:
    """Statements of one block that look into tiles."""

    first: int
    last: int
    guards: tuple[Guard, ...]


@dataclass
class _Inside:
    """What is known of a region's statements so far."""

    names: set[str] = field(default_factory=set)  # declared in it
    all_names: set[str] = field(default_factory=set)  # those of inner blocks, too
    keyed: dict[str, str] = field(default_factory=dict)  # names of what is made of an element, with its key
    guards: list[Guard] = field(default_factory=list)
    loops: int = 0

    def block(self, loops: int = 0) -> _Inside:
        return _Inside(set(self.names), self.all_names, dict(self.keyed), self.guards, self.loops + loops)


@dataclass(frozen=True)
class LaneCode:
    """One function."""

    file: TokenFile
    function: Function
    counted: Callable[[int], bool]  # whether the `laneid` of a token stands for CUDA's number
    wide: Callable[[int], bool]  # whether a token is a number of lanes of the library's
    own: frozenset[str]  # the unit's functions

    def text(self, index: int) -> str:
        return self.file.tokens[index].text if 0 <= index < len(self.file.tokens) else ""

    @cached_property
    def body(self) -> Block:
        return read_body(self.file, self.function.body)

    @cached_property
    def elements(self) -> Sequence[Element]:
        elements = []
        for index in self.file.places("tiles"):
            element = element_at(self.file, index)
            if element is not None and self.function.body[0] < index < self.function.body[1]:
                elements.append(element)
        return elements

    # ---- elements of tiles ----

    @cached_property
    def regions(self) -> Sequence[Region]:
        """The statements that look into tiles and can be executed for each of a lane's two."""
        return list(self._regions(self.body)) if self.elements else []

    def in_region(self, index: int) -> bool:
        """Whether a token is in one of them."""
        return any(region.first <= index < region.last for region in self.regions)

    def _regions(self, block: Statement) -> Iterator[Region]:
        if not isinstance(block, Block):
            body = block.yes if isinstance(block, If) else block.body if isinstance(block, (For, While)) else None
            lanes = {"laneid", *self._set_by_lanes(0, 0)}
            if body is None or any(self.text(i) in lanes for i in range(block.first, body.first)):
                return  # only some lanes come there
            for child in children(block):
                yield from self._regions(
                    child if isinstance(child, Block) else Block((child,), child.first, child.last)
                )
            return
        at, statements = 0, block.statements
        while at < len(statements):
            inside, end = _Inside(), at
            while end < len(statements) and self._looks(statements[at]) and self._fits(statements[end], inside):
                end += 1
            while end > at and not self._elements_in(statements[end - 1]):
                end -= 1
            last = statements[max(end - 1, at)].last
            if end > at and self._alone(statements[at].first, last, inside, block.last):
                guards = tuple(guard for guard in inside.guards if guard.last <= last)
                yield Region(statements[at].first, last, guards)
                at = end
            else:
                yield from self._regions(statements[at]) if self._elements_in(statements[at]) else ()
                at += 1

    def _elements_in(self, statement: Statement) -> Sequence[Element]:
        return [e for e in self.elements if statement.first <= e.dot < statement.last]

    def _looks(self, statement: Statement) -> bool:
        words = (self.text(i) for i in range(statement.first, statement.last))
        return bool(self._elements_in(statement)) or "laneid" in words

    def _alone(self, first: int, last: int, inside: _Inside, behind: int) -> bool:
        """Whether nothing behind it uses its variables, no preprocessor line divides it, and no lane's number comes from
        outside."""
        start, end = self.file.tokens[first].start, self.file.tokens[last - 1].end
        if any(start < line.start < end and line.name != "pragma" for line in self.file.directives):
            return False
        outside = self._set_by_lanes(first, last) - inside.all_names
        used = (self.text(i) for i in range(first, last))
        return outside.isdisjoint(used) and not any(self.text(i) in inside.names for i in range(last, behind))

    def _set_by_lanes(self, first: int, last: int) -> set[str]:
        """Variables that get a lane's number, or something made of it, outside of tokens[first:last]."""
        names, known = {"laneid"}, set[str]()
        while names != known:
            known = set(names)
            places = (i for i in self.file.places(*known) if not first <= i < last and not self._is_member(i))
            names |= {self._set_from(i) for i in places if self.function.body[0] < i < self.function.body[1]}
            names.discard("")
        return names - {"laneid"}

    def _set_from(self, index: int) -> str:
        """The variable that a statement gives a value with the token."""
        at = index
        while at > self.function.body[0] and self.text(at) not in (";", "{", "}", *_ASSIGNED):
            at -= 1
        named = self.text(at) in _ASSIGNED and self.text(at - 1).isidentifier() and not self._is_member(at - 1)
        return self.text(at - 1) if named else ""

    def _is_member(self, index: int) -> bool:
        return self.text(index - 1) in (".", "->")

    def _keys(self, first: int, last: int, inside: _Inside) -> set[str]:
        keys = {element.key for element in self.elements if first <= element.dot < last}
        skipped = {i for e in self.elements if first <= e.dot < last for i in range(e.dot, e.close + 1)}
        names = (self.text(i) for i in range(first, last) if i not in skipped and not self._is_member(i))
        return keys | {inside.keyed[name] for name in names if name in inside.keyed}

    def _fits(self, statement: Statement, inside: _Inside, alone: bool = False) -> bool:
        """Whether it can be executed for each of a lane's two, element by element. Adds what it says to `inside`."""
        first, last = statement.first, statement.last
        if isinstance(statement, Block):
            block = inside.block()
            return all(self._fits(child, block) for child in statement.statements)
        if isinstance(statement, (Declaration, Simple)):
            keys = self._keys(first, last, inside)
            if len(keys) > 1 or self._of_groups(first, last):
                return False
            key = keys.pop() if keys else ""
            if isinstance(statement, Declaration):
                return self._declares(statement, key, inside)
            if key and self._writes_elsewhere(statement.expression, key, inside):
                return False
            if key:
                inside.guards.append(Guard(first, last, key, alone))
            return bool(key) or self._stays(statement.expression, inside)
        if isinstance(statement, Jump):
            return inside.loops > 0
        if isinstance(statement, (If, For, While)):
            body = statement.yes if isinstance(statement, If) else statement.body
            block = inside.block(not isinstance(statement, If))
            if self._keys(first, body.first, inside) or self._of_groups(first, body.first):
                return False
            if isinstance(statement, For) and statement.start is not None and not self._fits(statement.start, block):
                return False
            rest = [
                child for child in children(statement) if not (isinstance(statement, For) and child is statement.start)
            ]
            return all(self._fits(child, block, not isinstance(child, Block)) for child in rest)
        return False

    def _declares(self, statement: Declaration, key: str, inside: _Inside) -> bool:
        if statement.shared or statement.static:
            return False
        for variable in statement.variables:
            inside.names.add(variable.name)
            inside.all_names.add(variable.name)
            inside.keyed.pop(variable.name, None)
            if key:
                inside.keyed[variable.name] = key
        return True

    def _writes_elsewhere(self, expression: Expr, key: str, inside: _Inside) -> bool:
        """Whether a local variable that is not this element's gets something of it: a sum over a lane's elements."""
        for target in _targets(expression):
            root, indexed = _root(target)
            if not indexed and inside.keyed.get(root) != key:
                return True
        return False

    def _stays(self, expression: Expr, inside: _Inside) -> bool:
        """Whether it changes nothing but variables of the region."""
        if isinstance(expression, Call):
            return isinstance(expression.function, Name) and expression.function.name == "__syncwarp"
        roots = [_root(target) for target in _targets(expression)]
        return bool(roots) and all(root in inside.names and not indexed for root, indexed in roots)

    def _of_groups(self, first: int, last: int) -> bool:
        """Whether warps do something together."""
        for index in range(first, last):
            if self.text(index) in _GROUPS:
                at = max(template_end(self.file, index + 1, last), index + 1)
                if self.text(at) == "::" and self.text(at + 1) not in _NUMBERS:
                    return True
        return False

    # ---- lane numbers ----

    @cached_property
    def numbers(self) -> Sequence[int]:
        """The `laneid` tokens outside of regions that stand for CUDA's lane."""
        first, last = self.function.body
        lane_ids = (i for i in self.file.places("laneid") if first < i < last and not self.in_region(i))
        return [i for i in lane_ids if self.counted(i)]

    @cached_property
    def obstacle(self) -> str:
        """Why these cannot be CUDA's numbers in both halves of a wavefront; "" if they can, or are not there."""
        if not self.numbers:
            return ""
        follower = _Follower(self, set())
        for _ in range(2):
            follower.why = ""
            follower.visit(self.body, False)
        return follower.why


@dataclass
class _Follower:
    """Follows a lane's number through a function."""

    code: LaneCode
    names: set[str]
    why: str = ""

    def visit(self, statement: Statement, controlled: bool) -> None:
        first, last = statement.first, statement.last
        if isinstance(statement, Block):
            for child in statement.statements:
                self.visit(child, controlled)
        elif self.code.in_region(first):
            return
        elif isinstance(statement, (If, For, While)):
            body = statement.yes if isinstance(statement, If) else statement.body
            if isinstance(statement, For) and statement.start is not None:
                self.visit(statement.start, controlled)
            depends = controlled or self._depends(first, body.first)
            if depends:
                self._check(first, body.first)
            for child in children(statement):
                if not (isinstance(statement, For) and child is statement.start):
                    self.visit(child, depends)
        elif controlled or self._depends(first, last):
            self._lane_wise(statement)

    def _depends(self, first: int, last: int) -> bool:
        numbers = self.code.numbers
        return any(
            i in numbers or (self.code.text(i) in self.names and self.code.text(i - 1) not in (".", "->"))
            for i in range(first, last)
        )

    def _lane_wise(self, statement: Statement) -> None:
        """A statement that lanes execute with values of their own."""
        if isinstance(statement, Declaration):
            self.names.update(variable.name for variable in statement.variables)
        elif isinstance(statement, Simple):
            for target in _targets(statement.expression):
                root, indexed = _root(target)
                if not indexed and (not root or root in self._given):
                    self.why = "the number goes where it cannot be followed"
                elif not indexed:
                    self.names.add(root)
        elif isinstance(statement, Return) and statement.value is None and self.code.regions:
            self.why = "lanes leave before statements that look into tiles"
        elif not isinstance(statement, Jump) and not (isinstance(statement, Return) and statement.value is None):
            self.why = statement.why if isinstance(statement, Opaque) else "the number is given to the caller"
        self._check(statement.first, statement.last)

    @cached_property
    def _given(self) -> frozenset[str]:
        first, last = self.code.function.params
        return frozenset(self.code.text(i) for i in range(first, last))

    def _check(self, first: int, last: int) -> None:
        code = self.code
        if code._of_groups(first, last):
            self.why = "warps work together under a lane's condition"
        for i in range(first, last):
            name = code.text(i)
            if code.file.tokens[i].kind == Kind.IDENT and code.wide(i):
                self.why = f"{name} counts the lanes of a wavefront"
            elif name == "blockDim":
                self.why = "a block has twice CUDA's threads"
            elif name == "data" and code.text(i + 1) == "[" and code.text(code.file.partner(i + 1) + 1) == "[":
                self.why = "which elements of a vector a lane holds is the layout's"
            elif code.text(i + 1) == "(" and (_ONCE.fullmatch(name) or name in code.own):
                self.why = f"{name} would be called by both halves of a wavefront"


def element_at(file: TokenFile, index: int) -> Element | None:
    """What `tiles[i][j].data[k]` at the token of `tiles` names."""
    at = index + 1
    while file.tokens[at].text == "[":
        at = file.partner(at) + 1
    if at == index + 1 or [token.text for token in file.tokens[at : at + 3]] != [".", "data", "["]:
        return None
    close = file.partner(at + 2)
    return Element(at, close, file.source(at + 3, close))


def _targets(expression: Expr) -> Iterator[Expr]:
    """What an expression changes."""
    for part in walk(expression):
        if isinstance(part, Assign):
            yield part.target
        elif isinstance(part, Unary) and part.op.removeprefix("post") in ("++", "--"):
            yield part.operand


def _root(target: Expr) -> tuple[str, bool]:
    """The variable that it is, or is a part of, and whether it lies behind a subscript, a call or a pointer."""
    indexed = False
    while isinstance(target, (Member, Index)):
        indexed = indexed or isinstance(target, Index) or target.arrow
        target = target.base
    if isinstance(target, Name):
        return target.name, indexed
    return "", True
