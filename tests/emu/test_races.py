"""Races and what orders accesses; LDS conflicts and lines of global memory, counted."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from porter.emu.device import Check, FaultKind, Launch, Module, allow, forbid
from porter.emu.image import build_image
from porter.toolchain import Options, device_assembly

RACES = (Check.LDS_RACE, Check.GLOBAL_RACE)
COUNTS = (Check.BANKS, Check.COALESCING)


@pytest.fixture(scope="module")
def module():
    assembly = device_assembly(Path(__file__).parent / "kernels" / "races.hip")
    with Module(build_image(assembly.read_text())) as loaded:
        yield loaded


@pytest.fixture(scope="module")
def lds_module():
    assembly = device_assembly(Path(__file__).parent / "kernels" / "races_lds.hip")
    with Module(build_image(assembly.read_text())) as loaded:
        yield loaded


@pytest.fixture(scope="module")
def signals_module():
    assembly = device_assembly(Path(__file__).parent / "kernels" / "races_signals.hip")
    with Module(build_image(assembly.read_text())) as loaded:
        yield loaded


@pytest.fixture
def launch(module):
    words = np.zeros(1 << 18, dtype=np.int32)
    allow(words.ctypes.data, words.nbytes)

    def run(kernel: str, choice: int, grid: int = 8, block: int = 256, **options) -> Launch:
        # Storing what is there already is no race, so what moves has to differ.
        words[:] = np.arange(len(words)) if kernel == "shift_left" else 0
        return module.launch(kernel, grid, block, struct.pack("<Qi", words.ctypes.data, choice), **options)

    yield run
    forbid(words.ctypes.data)


def kinds(done: Launch) -> set[FaultKind]:
    return {finding.kind for finding in done.findings}


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("kernel", "ordered"),
    [
        ("swap_waves", 1),
        ("shift_left", 1),
        ("add_up", 1),
        ("raise_flag", 0),
        ("own_bytes", 0),
        ("last_block", 1),
        ("relay", 1),
        ("count_in_lds", 1),
        ("flag_in_lds", 1),
        ("low_halves", 1),
        ("wide_and_narrow", 1),
        ("relay_scalar", 1),
    ],
)
def test_what_is_ordered_is_no_race(launch, kernel, ordered, threads, seed):
    grid = 1 if kernel == "own_bytes" else 8
    done = launch(kernel, ordered, grid, checks=(*RACES, Check.WAIT), threads=threads, seed=seed)
    assert done.findings == ()


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(
    ("kernel", "kind", "line"),
    [
        ("swap_waves", FaultKind.GLOBAL_RACE, 11),
        ("shift_left", FaultKind.GLOBAL_RACE, 0),
        ("add_up", FaultKind.GLOBAL_RACE, 24),
        ("last_block", FaultKind.GLOBAL_RACE, 42),
        ("relay", FaultKind.GLOBAL_RACE, 53),
        ("count_in_lds", FaultKind.LDS_RACE, 66),
        ("flag_in_lds", FaultKind.LDS_RACE, 81),
        ("low_halves", FaultKind.GLOBAL_RACE, 104),
        ("wide_and_narrow", FaultKind.GLOBAL_RACE, 112),
        ("relay_scalar", FaultKind.GLOBAL_RACE, 127),
    ],
)
def test_what_is_not_ordered_is_a_race(launch, kernel, kind, line, seed):
    done = launch(kernel, 0, checks=RACES, threads=1, seed=seed)
    assert kind in kinds(done)
    assert not done.faulted  # the kernel goes on
    races = [finding for finding in done.findings if finding.kind is kind]
    # An atomic's own line is in HIP's header.
    assert all(finding.file.endswith(("races.hip", "amd_hip_atomic.h")) and finding.other for finding in races)
    assert not line or line in {n for finding in races for n in (finding.line, finding.other_line)}


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_first_try_of_a_scalar_poll_in_code_without_lines(seed):
    source = Path(__file__).parent / "kernels" / "races.hip"
    words = np.zeros(1 << 12, dtype=np.int32)
    allow(words.ctypes.data, words.nbytes)
    with Module(build_image(device_assembly(source, Options(line_tables=False)).read_text())) as loaded:
        arguments = struct.pack("<Qi", words.ctypes.data, 1)
        done = loaded.launch("relay_peeled", 8, 256, arguments, checks=RACES, threads=1, seed=seed)
    forbid(words.ctypes.data)
    assert done.findings == ()
    assert list(words[1024:1032]) == list(range(1, 9))


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(("kernel", "line"), [("long_alone", 18), ("in_turn", 27), ("pairs", 34)])
def test_lds_without_signals(lds_module, kernel, line, seed):
    words = np.zeros(1 << 12, dtype=np.int32)
    allow(words.ctypes.data, words.nbytes)
    for ordered in (0, 1):
        arguments = struct.pack("<Qi", words.ctypes.data, ordered)
        done = lds_module.launch(kernel, 8, 256, arguments, checks=RACES, threads=1, seed=seed)
        assert kinds(done) == (set() if ordered else {FaultKind.LDS_RACE})
        assert ordered or line in {n for finding in done.findings for n in (finding.line, finding.other_line)}
    forbid(words.ctypes.data)


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
@pytest.mark.parametrize("kernel", ["last_of_many", "signal_before", "often"])
def test_lds_with_signals(signals_module, kernel, seed):
    words = np.zeros(1 << 10, dtype=np.int32)
    allow(words.ctypes.data, words.nbytes)
    for ordered in (0, 1):
        arguments = struct.pack("<Qi", words.ctypes.data, ordered)
        done = signals_module.launch(kernel, 1, 256, arguments, checks=RACES, threads=1, seed=seed)
        assert kinds(done) == (set() if ordered else {FaultKind.LDS_RACE})
    forbid(words.ctypes.data)


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_global_memory_with_signals_of_all_who_read_it(signals_module, seed):
    words = np.zeros(1 << 10, dtype=np.int32)
    allow(words.ctypes.data, words.nbytes)
    for ordered in (0, 1):
        arguments = struct.pack("<Qi", words.ctypes.data, ordered)
        done = signals_module.launch("all_read", 1, 256, arguments, checks=RACES, threads=1, seed=seed)
        assert kinds(done) == (set() if ordered else {FaultKind.GLOBAL_RACE})
    forbid(words.ctypes.data)


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
@pytest.mark.parametrize("kernel", ["last_of_many_global", "signal_before_global", "flag_global"])
def test_global_memory_with_signals_there(signals_module, kernel, seed):
    words = np.zeros(1 << 10, dtype=np.int32)
    allow(words.ctypes.data, words.nbytes)
    for ordered in (0, 1):
        words[:] = 0
        arguments = struct.pack("<Qi", words.ctypes.data, ordered)
        done = signals_module.launch(kernel, 1, 256, arguments, checks=RACES, threads=1, seed=seed)
        assert kinds(done) == (set() if ordered else {FaultKind.GLOBAL_RACE})
    forbid(words.ctypes.data)


def lds_factor(done: Launch, mnemonic: str) -> float:
    (count,) = [count for count in done.counts if count.text.startswith(mnemonic)]
    return count.lds_cycles / count.lds_ideal


# 32 banks of 4 bytes; lanes of one half of the wave meet.
@pytest.mark.parametrize(("stride", "factor"), [(0, 1), (1, 1), (2, 2), (3, 1), (4, 4), (16, 16), (32, 32), (33, 1)])
def test_bank_conflicts_of_words(launch, stride, factor):
    done = launch("lds_stride", stride, 1, 64, checks=COUNTS, count=True)
    assert lds_factor(done, "ds_read_b32") == factor


def test_bank_conflicts_of_a_load_that_changes(lds_module):
    words = np.zeros(64, dtype=np.int32)
    allow(words.ctypes.data, words.nbytes)
    arguments = struct.pack("<Qi", words.ctypes.data, 0)
    done = lds_module.launch("growing_stride", 1, 64, arguments, checks=COUNTS, count=True)
    forbid(words.ctypes.data)
    assert lds_factor(done, "ds_read_b32") == (1 + 2 + 4 + 8 + 16 + 32) / 6


# Eight lanes of 16 bytes a phase: lanes 0 to 3 meet 20 to 23.
@pytest.mark.parametrize(("stride", "factor"), [(0, 1), (1, 1), (2, 2), (4, 4), (8, 8)])
def test_bank_conflicts_of_four_words(launch, stride, factor):
    done = launch("lds_wide", stride, 1, 64, checks=COUNTS, count=True)
    assert lds_factor(done, "ds_read_b128") == factor


@pytest.mark.parametrize(("stride", "lines"), [(0, 1), (1, 2), (2, 4), (16, 32), (32, 64), (100, 64)])
def test_lines_of_global_memory(launch, stride, lines):
    done = launch("global_stride", stride, 1, 64, checks=COUNTS, count=True)
    (count,) = [count for count in done.counts if count.text.startswith("global_load_dword")]
    # Memory that starts inside a line touches one more.
    assert count.lines in (lines, lines + 1)
    assert count.lines_ideal == 2
    assert (count.executed, count.lanes, count.bytes) == (1, 64, 256)
