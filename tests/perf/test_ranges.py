"""How wide ranges are: the widths, their table and what makes them from measured times say the same."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from porter.perf.model.error_classes import WIDTHS, ErrorClass
from porter.validation.ranges import COLUMNS, Errors, class_width, range_rows, read_errors, share_in_range

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"


def test_the_widths_are_those_that_measured_times_give() -> None:
    programs = read_errors(RESULTS)
    assert {of: class_width([one for one in programs if one.of is of]) for of in ErrorClass} == dict(WIDTHS)


def test_the_table_is_what_the_command_prints() -> None:
    lines = [line for line in (RESULTS / "ranges.csv").read_text().splitlines() if not line.startswith("# ")]
    assert [tuple(row) for row in csv.reader(lines)] == [COLUMNS, *range_rows(read_errors(RESULTS))]


def test_a_range_holds_the_share_of_runs_within_it() -> None:
    each = Errors("one", ErrorClass.MATRIX, each=(-0.1, 0.0, 0.1, 0.5))
    assert share_in_range(each, 0.2) == 0.75
    spread = Errors("two", ErrorClass.MATRIX, mean=0.1, bias=0.0)
    assert share_in_range(spread, 0.16) == pytest.approx(0.78, abs=0.03)  # 1.28 deviations, a bit less below
    biased = Errors("three", ErrorClass.MATRIX, mean=0.2, bias=0.2)  # every run is as far off
    assert share_in_range(biased, 0.19) < 0.01 < 0.99 < share_in_range(biased, 0.21)


def test_a_width_holds_most_of_each_program_alike() -> None:
    near, far = Errors("near", ErrorClass.TINY, each=(0.01,) * 90), Errors("far", ErrorClass.TINY, each=(0.3,))
    assert class_width([near] * 9 + [far]) == 0.01
    assert class_width([near, far]) == 0.3
