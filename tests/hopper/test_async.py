"""Bulk copies and numbered barriers of mirrored units, with what the emulator's checks say about them: nothing."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from porter.emu.device import Check, Launch, Module, allow, forbid
from porter.emu.image import build_image
from porter.toolchain import device_assembly

KERNELS = Path(__file__).parent / "kernels"
CHECKS = (Check.LDS_RACE, Check.GLOBAL_RACE, Check.WAIT, Check.UNINIT, Check.BARRIER)


@pytest.fixture(scope="module")
def module() -> Iterator[Module]:
    with Module(build_image(device_assembly(KERNELS / "async.hip").read_text())) as loaded:
        yield loaded


@pytest.fixture
def memory() -> Iterator[np.ndarray]:
    raw = np.zeros((1 << 16) + 16, dtype=np.uint32)
    words = raw[-raw.ctypes.data % 64 // 4 :][: 1 << 16]
    words[1 << 15 :] = np.random.default_rng(5).integers(0, 1 << 32, 1 << 15, dtype=np.uint32)
    allow(raw.ctypes.data, raw.nbytes)
    yield words
    forbid(raw.ctypes.data)


@pytest.fixture
def run(module: Module, memory: np.ndarray) -> Callable[..., Launch]:
    def of(name: str, threads: int, arguments: bytes, blocks: int = 1, seed: int = 0) -> Launch:
        out = struct.pack("<Q", memory.ctypes.data)
        return module.launch(
            name, blocks, 2 * threads, out + arguments, seed=seed, checks=CHECKS, max_instructions=10**7
        )

    return of


def source(memory: np.ndarray) -> bytes:
    return struct.pack("<Q", memory[1 << 15 :].ctypes.data)


@pytest.mark.parametrize("words", [4, 60, 256, 1300, 2048])
def test_a_copy_is_made_when_it_is_issued(run, memory, words):
    done = run("landed", 64, source(memory) + struct.pack("<i", words))
    assert done.findings == ()
    source_words = memory[1 << 15 :]
    assert memory[:words].tolist() == source_words[:words].tolist()
    kept = source_words[: 64 * 8].reshape(64, 8).astype(np.uint64) * np.arange(1, 9, dtype=np.uint64)
    assert memory[2048 : 2048 + 64].tolist() == (kept.sum(axis=1) & 0xFFFFFFFF).tolist()


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(("words", "rounds", "threads"), [(2048, 5, 160), (1540, 4, 64), (4, 7, 96), (20, 3, 128)])
def test_a_ring_that_one_lane_fills(run, memory, words, rounds, threads, seed):
    done = run("bulk_ring", threads, source(memory) + struct.pack("<ii", words, rounds), blocks=2, seed=seed)
    assert done.findings == ()
    rows = memory[1 << 15 :][: words * rounds].reshape(rounds, words).astype(np.uint64)
    expected = int((rows.sum(axis=1) * np.arange(1, rounds + 1, dtype=np.uint64)).sum()) & 0xFFFFFFFF
    assert memory[:2].tolist() == [expected] * 2


@pytest.mark.parametrize("seed", [0, 1])
def test_a_copy_for_each_lane(run, memory, seed):
    assert run("each_lane", 64, source(memory), seed=seed).findings == ()
    rows = memory[1 << 15 :][:1024].reshape(64, 16)
    assert np.array_equal(memory[:1024].reshape(64, 16), rows[::-1])
    sums = rows[::-1, :4].reshape(32, 2, 4).sum(axis=0, dtype=np.uint32)
    assert np.array_equal(memory[1024:1032].reshape(2, 4), sums)


@pytest.mark.parametrize(("words", "rounds"), [(4096, 3), (2048, 1), (1252, 2), (32, 2), (4, 1)])
def test_a_store_by_one_lane_leaves_the_registers_of_the_others(run, memory, words, rounds):
    assert run("one_stores", 64, source(memory) + struct.pack("<ii", words, rounds)).findings == ()
    given = memory[1 << 15 :]
    own, thread = given[: 64 * 24].reshape(64, 24).copy(), np.arange(64, dtype=np.uint32)
    for _ in range(rounds):
        other = np.where(thread % 32 == 5, own[:, 3] * 2, own[:, 7] + thread)
        own = own * 3 + other[:, None]
    assert np.array_equal(memory[: 64 * 24].reshape(64, 24), own)
    stored = given[:words] + np.arange(rounds, dtype=np.uint32)[:, None]
    assert np.array_equal(memory[2048 : 2048 + rounds * words], stored.reshape(-1))
    assert not memory[2048 + rounds * words : 1 << 15].any()


def test_a_store_to_where_each_lane_says(run, memory):
    """What asm takes in scalar registers is made scalar: clang would hand it vector registers, which nothing assembles."""
    memory[4096:4128], memory[4128:4160] = 64, 2048
    offsets = struct.pack("<Q", memory[4096:].ctypes.data)
    assert run("each_knows_where", 32, source(memory) + offsets).findings == ()
    assert np.array_equal(memory[64 : 64 + 2048], memory[1 << 15 :][:2048])


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_numbered_barriers(run, memory, seed):
    rounds = 5
    assert run("numbered", 160, struct.pack("<i", rounds), seed=seed).findings == ()
    for warp in range(4):
        seen = sum(i * 10 + (warp ^ 1) for i in range(rounds))
        votes = rounds * (2 * 3 + 4 * (warp // 2) + 1) << 16
        assert set(memory[32 * warp : 32 * warp + 32].tolist()) == {seen + votes + 77 * (warp == 3)}, warp


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", ["products_waited_for", "products_pending"])
def test_one_thread_says_that_its_warpgroup_is_done(run, memory, name, seed):
    rounds = 7
    assert run(name, 160, struct.pack("<i", rounds), seed=seed).findings == ()
    assert set(memory[:512].view(np.float32).tolist()) == {16.0 * rounds * (rounds + 1) / 2}
