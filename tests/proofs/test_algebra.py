"""What the proofs of widening take as the same: conditions of threads, and values."""

from __future__ import annotations

import math

from porter.native.machine.values import Term
from porter.proofs.algebra import Algebra
from porter.proofs.guards import ALWAYS, both, either, within

X, Y, Z = (Term("parameter", (number,)) for number in range(3))


def test_ways_that_meet_again_have_no_condition() -> None:
    first, second = both(ALWAYS, 5), both(ALWAYS, -5)
    assert first is not None and second is not None
    assert both(first, -5) is None
    assert either(first, second) == ALWAYS
    third, fourth = both(second, 7), both(second, -7)  # `a || b`
    assert third is not None and fourth is not None
    assert either(either(fourth, first), third) == ALWAYS
    assert within(third, second) == both(ALWAYS, 7)
    assert within(third, first) is None


def test_sums_have_no_order_and_differences_have() -> None:
    algebra = Algebra()
    left = Term("fadd", (Term("fadd", (X, Y)), Z))
    assert algebra.print(left) == algebra.print(Term("fadd", (X, Term("fadd", (Z, Y)))))
    assert algebra.print(Term("fadd", (X, 0.0))) == algebra.print(X)
    assert algebra.print(Term("fsub", (X, Y))) != algebra.print(Term("fsub", (Y, X)))
    assert algebra.print(Term("fadd", (X, X))) != algebra.print(X)
    assert algebra.print(Term("zext", (X,))) != algebra.print(Term("sext", (X,)))


def test_maxima_are_sets_and_a_comparison_may_be_one() -> None:
    algebra = Algebra()
    largest = Term(
        "max",
        (
            X,
            Term(
                "max",
                (
                    Y,
                    X,
                ),
                "o",
            ),
        ),
        "o",
    )
    chosen = Term("select", (Term("compare", (X, Y), "olt"), Y, X))
    assert algebra.print(largest) == algebra.print(chosen)
    assert algebra.print(Term("max", (-math.inf, X), "o")) == algebra.print(X)
    assert algebra.print(largest) != algebra.print(Term("max", (X, Y), "s"))
    smallest = Term("select", (Term("compare", (X, Y), "olt"), X, Y))
    assert algebra.print(smallest) == algebra.print(Term("min", (Y, X), "o"))


def test_comparisons_and_their_opposites() -> None:
    algebra = Algebra()
    less = algebra.literal(Term("compare", (X, Y), "slt"))
    assert algebra.literal(Term("compare", (Y, X), "sgt")) == less
    assert algebra.literal(Term("compare", (X, Y), "sge")) == -less
    assert algebra.literal(Term("xor", (Term("compare", (X, Y), "slt"), 1))) == -less
    byte = Term("zext", (Term("compare", (X, Y), "slt"),))
    assert algebra.literal(Term("compare", (byte, 0), "ne")) == less
    assert algebra.literal(Term("trunc", (byte, 1))) == less
    assert algebra.literal(Term("compare", (X, Y), "ult")) not in (less, -less)
    # of floats, where one may be a NaN
    ordered = algebra.literal(Term("compare", (X, Y), "olt"))
    assert algebra.literal(Term("fcompare", (X, Y), "uge")) == -ordered
    assert algebra.literal(Term("fcompare", (Y, X), "ult")) not in (ordered, -ordered)


def test_a_choice_is_decided_where_its_condition_is_known() -> None:
    algebra = Algebra()
    condition = algebra.literal(Term("compare", (X, Y), "slt"))
    there, elsewhere = both(ALWAYS, condition), both(ALWAYS, -condition)
    assert there is not None and elsewhere is not None
    value = algebra.chosen(there, X, Z)
    assert algebra.under(value, there) is X
    assert algebra.under(value, elsewhere) is Z
    assert algebra.under(value, ALWAYS) is value
