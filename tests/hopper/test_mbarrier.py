"""mbarriers of mirrored units: phases, counts, states, and that the emulator's checks find nothing to say about them."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from porter.emu.device import Check, FaultKind, Launch, Module, allow, forbid
from porter.emu.image import build_image
from porter.toolchain import device_assembly

KERNELS = Path(__file__).parent / "kernels"
CHECKS = (Check.LDS_RACE, Check.GLOBAL_RACE, Check.WAIT, Check.UNINIT, Check.BARRIER)


@pytest.fixture(scope="module")
def module() -> Iterator[Module]:
    with Module(build_image(device_assembly(KERNELS / "mbarrier.hip").read_text())) as loaded:
        yield loaded


@pytest.fixture
def memory() -> Iterator[np.ndarray]:
    words = np.full(1 << 14, 0xEEEEEEEE, dtype=np.uint32)
    allow(words.ctypes.data, words.nbytes)
    yield words
    forbid(words.ctypes.data)


@pytest.fixture
def run(module: Module, memory: np.ndarray) -> Callable[..., Launch]:
    def of(name: str, threads: int, *numbers: int, blocks: int = 1, seed: int = 0) -> Launch:
        arguments = struct.pack(f"<Q{len(numbers)}i", memory.ctypes.data, *numbers)
        return module.launch(name, blocks, 2 * threads, arguments, seed=seed, checks=CHECKS)

    return of


def test_states_are_those_of_an_h200(run, memory):
    assert run("states", 32).findings == ()
    line = (Path(__file__).parent / "h200" / "tensor_images.txt").read_text().splitlines()[-1].split()
    assert memory[:7].tolist() == [int(word, 16) for word in line[2:9]]


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(("stages", "rounds", "elected"), [(1, 5, 0), (2, 9, 0), (4, 13, 1), (3, 8, 1)])
def test_a_ring_of_buffers(run, memory, stages, rounds, elected, seed):
    done = run("ring", 128, stages, rounds, elected, blocks=2, seed=seed)
    assert done.findings == ()
    rows = memory[:256].reshape(2, 4, 32)
    for warp in range(4):
        k = (np.arange(32)[:, None] * 8 + np.arange(8) + warp) % 256
        expected = sum(i * 8000 + k.sum(axis=1) for i in range(rounds)) if warp else np.zeros(32)
        assert (rows[:, warp] == expected).all()


@pytest.mark.parametrize("seed", [0, 1])
def test_bytes_that_arrive(run, memory, seed):
    assert run("bytes", 64, seed=seed).findings == ()
    assert (memory[:64].reshape(2, 32) == 7 * np.arange(31, -1, -1)).all()


@pytest.mark.parametrize("seed", [0, 1])
def test_warps_that_leave(run, memory, seed):
    assert run("drops", 128, seed=seed).findings == ()
    assert (memory[96:128] >= 32 * (3 + 2 + 1)).all() and memory[:96].tolist() == [0] * 96
    assert memory[127] == 32 * (3 + 2 + 1)


@pytest.mark.parametrize("seed", [0, 1])
def test_a_barrier_for_each_lane(run, memory, seed):
    assert run("apart", 64, seed=seed).findings == ()


def test_a_barrier_that_nobody_completes_is_a_deadlock(run, memory):
    done = run("forgotten", 64)
    assert {finding.kind for finding in done.findings} == {FaultKind.DEADLOCK}
    assert (memory == 0xEEEEEEEE).all()
