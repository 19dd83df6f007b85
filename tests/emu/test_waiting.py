"""Waves and workgroups that wait for one another: they make progress, or the deadlock is named."""

from __future__ import annotations

import struct
import time
from pathlib import Path

import numpy as np
import pytest

from porter.chip import GFX942
from porter.emu.device import Check, FaultKind, Module, allow, forbid
from porter.emu.image import build_image
from porter.toolchain import device_assembly


@pytest.fixture(scope="module")
def module():
    assembly = device_assembly(Path(__file__).parent / "kernels" / "waiting.hip")
    with Module(build_image(assembly.read_text())) as loaded:
        yield loaded


@pytest.fixture
def memory():
    words = np.zeros(1 << 16, dtype=np.int32)
    allow(words.ctypes.data, words.nbytes)
    yield words
    forbid(words.ctypes.data)


@pytest.mark.parametrize("seed", [0, 3])
def test_a_cross_wait_is_a_deadlock(module, memory, seed):
    done = module.launch("cross_wait", 1, 128, struct.pack("<Qi", memory.ctypes.data, 0), seed=seed)
    assert done.faulted
    assert {finding.kind for finding in done.findings} == {FaultKind.DEADLOCK}
    assert all(finding.file.endswith("waiting.hip") and finding.line == 11 for finding in done.findings)
    assert not memory.any()


@pytest.mark.parametrize("seed", [0, 3])
def test_a_flag_in_lds_is_waited_for(module, memory, seed):
    done = module.launch("cross_wait", 1, 128, struct.pack("<Qi", memory.ctypes.data, 1), seed=seed)
    assert done.findings == ()
    assert memory[:128].all()


@pytest.mark.parametrize("threads", [1, 2])
def test_later_workgroups_run_while_earlier_ones_wait(module, memory, threads):
    groups = 200
    flags, out = memory[:groups], memory[1024 : 1024 + 64 * groups]
    arguments = struct.pack("<QQ", flags.ctypes.data, out.ctypes.data)
    done = module.launch("chain", groups, 64, arguments, threads=threads)
    assert done.findings == ()
    assert out.all()


def test_a_long_computation_is_no_deadlock(module, memory):
    """The register flips between two values for long: its counter tells that it gets on."""
    done = module.launch("counts", 1, 64, struct.pack("<Qi", memory.ctypes.data, 2_000_001))
    assert done.findings == ()
    np.testing.assert_array_equal(memory[:64], np.arange(64) ^ 1)


def test_the_limit_of_instructions_ends_a_wave(module, memory):
    done = module.launch(
        "counts", 1, 64, struct.pack("<Qi", memory.ctypes.data, 2_000_000_000), max_instructions=100_000
    )
    assert [finding.kind for finding in done.findings] == [FaultKind.TOO_MANY_INSTRUCTIONS]


@pytest.mark.parametrize(
    ("kernel", "second", "after"),
    [("waits_by_the_clock", GFX942.clock_mhz * 10**6, struct.pack("<I", 1)), ("waits_by_the_timer", 10**8, b"")],
)
def test_waits_by_a_clock_hardly_count_towards_the_limit(module, memory, kernel, second, after):
    """A tenth of a second is some millions of instructions; a wait without an end is stopped all the same."""
    ticks, limit = second // 10, 1_000_000
    done = module.launch(kernel, 1, 64, struct.pack("<QQ", memory.ctypes.data, ticks) + after, max_instructions=limit)
    assert done.findings == () and memory.view(np.uint64)[0] >= ticks
    done = module.launch(
        kernel, 1, 64, struct.pack("<QQ", memory.ctypes.data, 1 << 62) + after, max_instructions=50_000
    )
    assert [finding.kind for finding in done.findings] == [FaultKind.TOO_MANY_INSTRUCTIONS]


@pytest.mark.parametrize("kernel", ["two_barriers", "two_barriers_on_a_line"])
def test_different_barriers(module, memory, kernel):
    arguments = struct.pack("<Q", memory.ctypes.data)
    assert module.launch(kernel, 1, 128, arguments).findings == ()
    done = module.launch(kernel, 1, 128, arguments, checks=(Check.BARRIER,))
    assert [finding.kind for finding in done.findings] == [FaultKind.BARRIER_DIVERGENCE]
    assert not done.faulted


def test_one_barrier_of_the_source_in_several_places(module, memory):
    arguments = struct.pack("<Q", memory.ctypes.data)
    assert module.launch("one_barrier_apart", 1, 128, arguments, checks=(Check.BARRIER,)).findings == ()


@pytest.mark.parametrize("early", [0, 1])
def test_what_is_loaded_lands_after_what_is_at_hand(module, memory, early):
    """Two waves race for a place in LDS: who loads first comes later, as on the chip, and the race is found."""
    memory[:128] = np.arange(1, 129)
    arguments = struct.pack("<QQi", memory.ctypes.data, memory[256:].ctypes.data, early)
    done = module.launch("late_and_early", 1, 128, arguments, checks=[Check.LDS_RACE])
    assert {finding.kind for finding in done.findings} == {FaultKind.LDS_RACE}
    expected = memory[:64] if early else memory[64:128]
    assert memory[256:320].tolist() == expected.tolist()


def test_seeds_try_both_orders_of_a_race_with_a_load(module, memory):
    memory[:128] = np.arange(1, 129)
    arguments = struct.pack("<QQi", memory.ctypes.data, memory[256:].ctypes.data, 1)
    seen = set()
    for seed in range(1, 17):
        module.launch("late_and_early", 1, 128, arguments, seed=seed)
        seen.add(int(memory[256]))
    assert seen == {1, -1}


@pytest.mark.parametrize("waves", [1, 2])
def test_what_stands_around_a_wait_is_counted_once(module, memory, waves):
    """A wave alone does not stop at its waits, two do."""
    arguments = struct.pack("<QQi", memory.ctypes.data, memory[256:].ctypes.data, 0)
    done = module.launch("late_and_early", 1, 64 * waves, arguments, count=True)
    assert sum(one.executed for one in done.counts) == done.instructions
    loads = [one.executed for one in done.counts if one.text.startswith("global_load")]
    assert loads == [waves]


@pytest.mark.parametrize("where", ["private", "lds", "global"])
def test_counting_in_memory_is_no_deadlock(module, memory, where):
    done = module.launch(f"counts_in_{where}", 1, 64, struct.pack("<Qi", memory.ctypes.data, 100_000))
    assert done.findings == ()
    assert (memory[:64] == 7).all()


@pytest.mark.parametrize("unit", [1, 1000])
def test_a_wait_by_the_clock_takes_as_long_as_on_the_chip(module, memory, unit):
    """All waves of sixteen workgroups wait for a fifth of a second of the chip, beside each other."""
    cycles = GFX942.clock_mhz * 200_000
    begin = time.monotonic()
    done = module.launch(
        "waits_by_the_clock", 16, 256, struct.pack("<QQI", memory.ctypes.data, cycles, unit), threads=2
    )
    passed = time.monotonic() - begin
    assert done.findings == ()
    assert 0.19 < passed < 3
    seen = memory.view(np.uint64)[: 16 * 256]
    assert (seen >= cycles - unit).all() and (seen < 4 * cycles).all()


def test_a_measured_stretch_takes_its_instructions(module, memory):
    """The same each time, and the clock never goes back, from launch to launch either."""
    last = 0
    for _ in range(2):
        assert module.launch("measures", 1, 64, struct.pack("<Q", memory.ctypes.data)).findings == ()
        begins, ends = memory.view(np.uint64)[:8:2], memory.view(np.uint64)[1:8:2]
        assert len(set((ends - begins).tolist())) == 1 and 400 <= int(ends[0] - begins[0]) < 1000
        assert (begins[1:] > ends[:-1]).all() and int(begins[0]) > last
        last = int(ends[-1])
