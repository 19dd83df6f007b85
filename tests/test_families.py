"""A family fails where one of its cases fails, and says which."""

from __future__ import annotations

import pytest
from families import family


@pytest.fixture
def limit() -> int:
    return 3


@family("number, square", [(1, 1), (2, 4), (3, 9)])
def test_cases_and_fixtures(limit: int, number: int, square: int) -> None:
    assert number * number == square
    assert number <= limit


def test_each_failure_is_named() -> None:
    @family("number", range(30), ids=lambda number: f"case {number}")
    def even(number: int) -> None:
        assert number % 3, "a multiple of 3"

    with pytest.raises(AssertionError, match="10 of 30 cases failed") as caught:
        even()
    assert "case 27: AssertionError: a multiple of 3" in str(caught.value)


def test_no_cases_is_a_failure() -> None:
    @family("number", [])
    def nothing(number: int) -> None: ...

    with pytest.raises(AssertionError, match="no cases"):
        nothing()
