"""Random kernels do the same in the emulator as on the CPU; what differs is made small."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from random_source import Statement, functions, random_kernel, source, variants
from random_sweep import LEVELS, Outcome, make_batch, run_batch, run_kernels, smaller, sweep


@pytest.mark.parametrize("batch", range(len(LEVELS)), ids=[f"O{level}" for level in LEVELS])
@pytest.mark.sample(2)
def test_same_results(batch):
    outcome = Outcome()
    run_batch(1, batch, 60, outcome)
    assert not outcome.unknown
    assert outcome.kernels == 60 and outcome.instructions > 10_000
    assert not outcome.differences, "\n".join(report for _, report, *_ in outcome.differences)


def _explained() -> tuple[set[str], set[int]]:
    """The kernels of seed 1 that differ by clang's doing, and the batches on which clang crashes, of the last sweep's results."""
    text = (Path(__file__).parents[3] / "benchmarks" / "results" / "random-kernels.csv").read_text()
    crashes = re.search(r"in batches (\d+) and (\d+) clang 22 itself crashes", text)
    assert crashes
    return set(re.findall(r"k1_\d+_\d+", text)), {int(batch) for batch in crashes.groups()}


@pytest.mark.slow
def test_same_results_of_ten_thousand():
    kernels, batches = _explained()
    outcome = sweep(seed=1, count=10_000, size=100, reduce=False, checks=())
    assert not outcome.unknown
    assert outcome.crashes <= batches
    assert outcome.kernels == 10_000 - 100 * len(outcome.crashes)
    others = [report for one, report, *_ in outcome.differences if one.kernel.name not in kernels]
    assert not others, "\n".join(others)


def test_a_seed_is_a_kernel():
    texts = [source(*make_batch(3, 0, 5)[:2], "both_sides.h") for _ in range(2)]
    assert texts[0] == texts[1]
    assert texts[0] != source(*make_batch(4, 0, 5)[:2], "both_sides.h")


@pytest.mark.parametrize("chunk", [16, 1])
def test_variants_are_smaller(chunk):
    kernel = random_kernel(Random(5), "k")
    length = len(source([kernel], "", ""))
    lengths = [len(source([k], "", "")) for k in variants(kernel, chunk)]
    assert len(lengths) >= 2
    assert all(size < length for size in lengths)


def test_simpler_expressions_come_to_an_end():
    kernel = random_kernel(Random(5), "k")
    assert len(list(variants(kernel, 0))) > 10
    rounds = 0
    smallest = kernel
    while following := next(variants(smallest, 0), None):
        smallest, rounds = following, rounds + 1
        assert rounds < 100
    assert len(source([smallest], "", "")) < len(source([kernel], "", ""))


@pytest.mark.slow
def test_a_difference_is_found_and_made_small():
    kernel = random_kernel(Random(7), "k_planted")
    last = kernel.phases[-1]
    planted = Statement("s.u32_0 += ON_GPU * (c.tid == 5);")
    kernel = replace(kernel, phases=(*kernel.phases[:-1], replace(last, body=(*last.body, planted))))
    shared = functions(Random(7))
    differences, _, _ = run_kernels([kernel], shared, "planted", "1", Outcome())
    assert [d.kernel.name for d in differences] == ["k_planted"]
    difference, path, assembly = smaller(kernel, shared, "1", "planted")
    assert difference is not None
    statements = [s for phase in difference.kernel.phases[1:] for s in phase.body if not s.keep]
    assert planted in statements and len(statements) <= 2
    assert path.is_file() and assembly.is_file()
