"""The conditions on data under which a thread comes to a place: a disjunction of conjunctions of literals.

A literal is the fingerprint of a condition, negative for its opposite. A thread that comes to a place on several ways is
there under the ways' disjunction: where both ways of a branch meet again it is the guard from before the branch.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import ClassVar
from weakref import WeakValueDictionary

__all__ = ["ALWAYS", "Guard", "both", "either", "within"]

_MOST_CLAUSES = 12

_Clauses = frozenset[frozenset[int]]


class Guard:
    """One object for each condition: guards are the same where they are equal."""

    __slots__ = ("__weakref__", "clauses")
    clauses: _Clauses
    _known: ClassVar[WeakValueDictionary[_Clauses, Guard]] = WeakValueDictionary()

    def __new__(cls, clauses: _Clauses) -> Guard:
        guard = cls._known.get(clauses)
        if guard is None:
            guard = cls._known[clauses] = super().__new__(cls)
            guard.clauses = clauses
        return guard

    @property
    def literal(self) -> int:
        """The one condition that it consists of; 0 for any other guard."""
        if len(self.clauses) == 1:
            (clause,) = self.clauses
            if len(clause) == 1:
                return next(iter(clause))
        return 0


ALWAYS = Guard(frozenset((frozenset(),)))


@lru_cache(maxsize=1 << 16)
def both(guard: Guard, literal: int) -> Guard | None:
    """The guard and a condition; None where they exclude each other."""
    clauses = [clause | {literal} for clause in guard.clauses if -literal not in clause]
    return _simplified(clauses) if clauses else None


@lru_cache(maxsize=1 << 16)
def either(left: Guard, right: Guard) -> Guard:
    return left if left is right else _simplified([*left.clauses, *right.clauses])


@lru_cache(maxsize=1 << 16)
def within(condition: Guard, guard: Guard) -> Guard | None:
    """What the condition still says where the guard holds; None where it cannot hold."""
    certain = frozenset.intersection(*guard.clauses)
    clauses = [clause - certain for clause in condition.clauses if not any(-literal in certain for literal in clause)]
    return _simplified(clauses) if clauses else None


def _simplified(given: Iterable[frozenset[int]]) -> Guard:
    clauses = set(given)
    while True:
        shorter = next((pair for one in clauses for other in clauses if (pair := _shortened(one, other))), None)
        if shorter is None:
            break
        longer, rest = shorter
        clauses.remove(longer)
        clauses |= rest
    if len(clauses) > _MOST_CLAUSES:  # one condition of its own
        clauses = {frozenset((1 + hash(frozenset(clauses)) % ((1 << 61) - 1),))}
    return Guard(frozenset(clauses))


def _shortened(one: frozenset[int], other: frozenset[int]) -> tuple[frozenset[int], set[frozenset[int]]] | None:
    """`a or (a and b)` is a, `(a and b) or (not a and b and c)` is (a and b) or (b and c): what goes, and what comes."""
    if one is other or one == other:
        return None
    if one < other:
        return other, set()
    apart = [literal for literal in one if -literal in other]
    if len(apart) == 1 and one - {apart[0]} <= other:
        return other, {other - {-apart[0]}}
    return None
