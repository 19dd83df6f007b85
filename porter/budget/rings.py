"""Rings of stages: whether one stage will do, as each round uses one stage alone and gives it back before the next.

That is shown for rings of mbarriers whose stage is a counter: a variable, or a member that a method counts up.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Set

from porter.analysis.launch_requests import parameters
from porter.analysis.running.called import named_functions
from porter.frontend.lexer import Kind, template_begin
from porter.frontend.scopes import Function
from porter.frontend.unit import Unit

__all__ = ["one_will_do"]

# Groups of copies are waited for by how many may be on their way, which is another number.
_GROUPS = re.compile(r"cp\.async\.(?:bulk\.)?wait_group|cp\.async\.wait_all|__pipeline_wait_prior|cp_async_wait")
_LOOPS = frozenset({"for", "while", "do"})
_COUNTED = frozenset({"0", "1", "+", "%", "==", "?", ":", "(", ")", "::", "-"})  # of `(stage + 1) % kStages`


def one_will_do(unit: Unit, stages: Set[str]) -> bool:
    """`stages`: the names of the number of stages."""
    rings = set(_arrays(unit, stages))
    if not rings or _waits_for_groups(unit):
        return False
    has_rounds = False
    for function in unit.scopes.functions:
        if function.device and function.body[0] >= 0:
            uses = [i for name in rings for i in _uses(unit, function, name, stages)]
            rounds = [i for i in uses if not _counts_all(unit, function, i, stages)]
            has_rounds = has_rounds or bool(rounds)
            if rounds and not _Rounds(unit, function, rounds, stages).are_apart():
                return False
    return has_rounds


def _waits_for_groups(unit: Unit) -> bool:
    """Whether a function that the unit leads to waits for groups of copies: libraries have functions for that."""
    if not _GROUPS.search(unit.file.text):
        return False
    reached = named_functions([unit.members]) if unit.members else None
    for match in _GROUPS.finditer(unit.file.text):
        function = unit.scope(unit.file.token_at(match.start())).function
        if function is None or function.kernel or reached is None or function.name in reached:
            return True
    return False


def _arrays(unit: Unit, stages: Set[str]) -> Iterator[str]:
    """Arrays with as many elements: `uint64_t full[C::stages];`."""
    for name in stages:
        for index in unit.file.places(name):
            opening = index - 1
            while unit.text(opening) in ("::", ".") and unit.tokens[opening - 1].kind == Kind.IDENT:
                opening -= 2
            if unit.text(opening) == "[" and unit.text(index + 1) == "]" and _is_declared(unit, opening - 1):
                yield unit.text(opening - 1)


def _is_declared(unit: Unit, name: int) -> bool:
    if unit.tokens[name].kind != Kind.IDENT:
        return False
    before = unit.text(name - 1)
    return (
        unit.tokens[name - 1].kind == Kind.IDENT or before in (">", "*") or (before == "," and _is_listed(unit, name))
    )


def _is_listed(unit: Unit, name: int) -> bool:
    """Is it one of several names of a declaration, and no argument?"""
    index = name - 1
    while index > 0 and unit.text(index) not in (";", "{", "(", "["):
        index = (unit.file.partner(index) if unit.text(index) in (")", "]") else index) - 1
    return unit.text(index) in (";", "{")


def _uses(unit: Unit, function: Function, name: str, stages: Set[str]) -> Iterator[int]:
    """The opening brackets behind the array's name in a function, not behind other variables of that name."""
    own = [i for i in unit.file.places(name) if function.body[0] < i < function.body[1]]
    arrays = [i for i in own if _is_declared(unit, i) and unit.text(i + 1) == "[" and _is_extent(unit, i + 1, stages)]
    parameter = name in (one for one, _ in parameters(unit.file, *function.params))
    other = parameter or any(_is_declared(unit, i) and i not in arrays for i in own)
    return (i + 1 for i in own if i not in arrays and (unit.is_member(i) or not other))


def _is_extent(unit: Unit, opening: int, stages: Set[str]) -> bool:
    return unit.text(unit.file.partner(opening) - 1) in stages


def _counts_all(unit: Unit, function: Function, opening: int, stages: Set[str]) -> bool:
    """Whether the index is the variable of a loop over all stages, as where barriers are made."""
    closing = unit.file.partner(opening)
    if unit.text(opening) != "[" or closing != opening + 2:
        return False
    for loop in unit.file.places("for"):
        end = unit.file.partner(loop + 1)
        if function.body[0] < loop < opening <= _statement_end(unit, end + 1):
            head = [unit.text(i) for i in range(loop + 2, end)]
            if unit.text(opening + 1) in head and "<" in head and not stages.isdisjoint(head):
                return True
    return False


def _statement_end(unit: Unit, index: int) -> int:
    while index < len(unit.tokens) and unit.text(index) not in (";", "{"):
        index = max(unit.file.partner(index), index) + 1
    return unit.file.partner(index) if unit.text(index) == "{" else index


class _Rounds:
    """The places of one function that use a stage."""

    def __init__(self, unit: Unit, function: Function, uses: list[int], stages: Set[str]) -> None:
        self.unit, self.function, self.uses, self.stages = unit, function, uses, stages

    def are_apart(self) -> bool:
        """Whether they all use the stage that one counter says, and it counts where nothing of a round is left."""
        unit = self.unit
        texts = {unit.file.source(i + 1, unit.file.partner(i)) if unit.text(i) == "[" else "" for i in self.uses}
        if len(texts) != 1:
            return False
        first = self.uses[0] + 1
        tokens = range(first, unit.file.partner(self.uses[0]))
        if unit.text(first + 1) == "%":
            return self._counts(tokens, "")
        if not all(
            unit.tokens[i].kind == Kind.IDENT if n % 2 == 0 else unit.text(i) == "." for n, i in enumerate(tokens)
        ):
            return False
        steps = (
            self._of_variable(unit.text(first)) if len(tokens) == 1 else self._of_member(unit.text(first), len(tokens))
        )
        return steps is not None and all(map(self._ends_a_round, steps))

    def _of_variable(self, name: str, function: Function | None = None) -> list[int] | None:
        """Where a variable counts; None if it is used for anything but that and the index."""
        unit, function = self.unit, function or self.function
        steps, index = [], function.body[0]
        indexes = {i + 1 for i in self.uses}
        while index < function.body[1]:
            index += 1
            if unit.text(index) != name or index in indexes or unit.is_member(index):
                continue
            before, after = unit.text(index - 1), unit.text(index + 1)
            if "++" in (before, after) or (after == "+=" and unit.text(index + 2) == "1"):
                steps.append(index)
            elif after == "=":
                end = self._end(index + 2)
                if not self._counts(range(index + 2, end), name):
                    return None
                steps += [] if unit.tokens[index - 1].kind == Kind.IDENT or end == index + 3 else [index]
                index = end
            elif before in ("(", ",") and after in (",", ")"):
                steps += [index] if self._may_change(index) else []
            elif after != "==":
                return None
        return steps

    def _may_change(self, argument: int) -> bool:
        """Whether a function that gets the variable may count it up: it is not known, or gets a reference or a pointer."""
        unit, opening = self.unit, argument - 1
        while opening > 0 and unit.text(opening) != "(":
            opening = (unit.file.partner(opening) if unit.text(opening) in (")", "]", "}") else opening) - 1
        number = next((n for n, (a, b) in enumerate(unit.file.arguments(opening)) if a <= argument < b), 0)
        name = template_begin(unit.file, opening - 1) if unit.text(opening - 1) == ">" else opening - 1
        called = [f for f in unit.scopes.functions if f.name == unit.text(name)]
        lists = [parameters(unit.file, *f.params)[number : number + 1] for f in called]
        return not called or any(not {"&", "*", "&&"}.isdisjoint(self._texts(part)) for one in lists for _, part in one)

    def _texts(self, part: tuple[int, int]) -> list[str]:
        return [self.unit.text(i) for i in range(*part)]

    def _of_member(self, name: str, length: int) -> list[int] | None:
        """The same of an object's member, which the object's own methods count up."""
        unit, steps = self.unit, list[int]()
        member = unit.text(self.uses[0] + 3)
        indexes = {i + 1 for i in self.uses}
        for index in unit.file.places(name):
            if not self.function.body[0] < index < self.function.body[1] or index in indexes or unit.is_member(index):
                continue
            if unit.text(index + 1) == "." and unit.text(index + 3) == "(":
                if not self._method_counts(unit.text(index + 2), member):
                    return None
                steps.append(index)
            elif unit.text(index + 1) == "." and unit.text(index + 2) == member:
                return None
            elif unit.text(index + 1) != "." and not _is_declared(unit, index):
                return None
        return steps if length == 3 else None

    def _method_counts(self, method: str, member: str) -> bool:
        methods = [f for f in self.unit.scopes.functions if f.name == method and f.device and f.body[0] >= 0]
        return bool(methods) and all(self._of_variable(member, f) is not None for f in methods)

    def _counts(self, part: range, name: str) -> bool:
        """`0`, `(stage + 1) % kStages`, or a loop's variable modulo the stages, `i % kStages`."""
        unit = self.unit
        texts = [unit.text(i) for i in part]
        if texts[-3:] == ["(", name, ")"] and self._advances(texts[0]):
            return not self.stages.isdisjoint(texts)
        names = {unit.text(i) for i in part if unit.tokens[i].kind == Kind.IDENT} - {name}
        last = {text for text, after in zip(texts, [*texts[1:], ""]) if after != "::" and text in names}
        others = last - self.stages
        if not others:
            return all(text in _COUNTED or text in names | {name} for text in texts)
        plain = len(others) == 1 and texts[1:2] == ["%"] and texts[0] in others
        return plain and name not in texts and self._is_of_loop(texts[0])

    def _advances(self, function: str) -> bool:
        """`template <int N> int next(int stage, int distance = 1) { return (stage + distance) % N; }`"""
        called = [f for f in self.unit.scopes.functions if f.name == function and f.body[0] >= 0]
        for one in called:
            texts, more = self._texts((one.body[0] + 1, one.body[1])), parameters(self.unit.file, *one.params)[1:]
            calls = any(b == "(" and a.isidentifier() and a != "return" for a, b in itertools.pairwise(texts))
            if texts[:1] != ["return"] or texts.count(";") != 1 or "%" not in texts or calls:
                return False
            if any(self._texts(part)[-2:] != ["=", "1"] for _, part in more):
                return False
        return bool(called)

    def _is_of_loop(self, name: str) -> bool:
        """Whether a variable is changed by `++` in the head of a loop alone."""
        unit = self.unit
        own = [i for i in unit.file.places(name) if self.function.body[0] < i < self.function.body[1]]
        changed = [i for i in own if "++" in (unit.text(i - 1), unit.text(i + 1))]
        assigned = [i for i in own if unit.text(i + 1) in ("=", "+=", "-=") or unit.text(i - 1) == "--"]
        in_heads = all(any(a < i < b for a, b in self._heads()) for i in (*changed, *assigned))
        return bool(changed) and in_heads and all(unit.text(i + 1) == "=" for i in assigned)

    def _heads(self) -> Iterator[tuple[int, int]]:
        for loop in self.unit.file.places("for"):
            if self.function.body[0] < loop < self.function.body[1]:
                yield loop, self.unit.file.partner(loop + 1)

    def _ends_a_round(self, step: int) -> bool:
        """Whether a count stands in a loop's head, or has all of the loop's uses on one side."""
        loops = [(a, b, _statement_end(self.unit, b + 1)) for a, b in self._loops() if a < step]
        around = [one for one in loops if step <= one[2]]
        if not around:
            return False
        first, head, end = max(around)
        own = [use for use in self.uses if first < use < end]
        return step < head or all(use < step for use in own) or all(use > step for use in own)

    def _loops(self) -> Iterator[tuple[int, int]]:
        """Their first tokens, and the last ones of their heads."""
        for loop in self.unit.file.places(*_LOOPS):
            if self.function.body[0] < loop < self.function.body[1]:
                yield loop, self.unit.file.partner(loop + 1) if self.unit.text(loop + 1) == "(" else loop

    def _end(self, index: int) -> int:
        while index < self.function.body[1] and self.unit.text(index) not in (";", ",", ")"):
            index = max(self.unit.file.partner(index), index) + 1
        return index
