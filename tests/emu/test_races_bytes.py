"""Races by byte, against a model that knows every access."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from itertools import combinations
from pathlib import Path
from random import Random

import numpy as np
import pytest

from porter.emu.device import Check, FaultKind, Launch, Module, allow, forbid
from porter.emu.image import build_image
from porter.toolchain import device_assembly

RACES = (Check.LDS_RACE, Check.GLOBAL_RACE)
GROUPS, WAVES, PLACES = 3, 3, 256


@dataclass(frozen=True, slots=True)
class Step:
    """What the lanes of one wave do, or (wave -1) a barrier; in the order of races_bytes.hip."""

    group: int = 0
    wave: int = -1
    write: bool = False
    size: int = 4
    start: int = 0
    stride: int = 0
    lanes: int = 0

    def bytes(self) -> set[int]:
        return {self.start + lane * self.stride + i for lane in range(self.lanes) for i in range(self.size)}


def races(plan: list[Step], lds: bool) -> set[int]:
    """The bytes that two waves meet in, unordered, one of them writing; each workgroup has LDS of its own."""
    accesses: dict[tuple[int, int], set[tuple[int, int, int, bool]]] = {}
    epoch = 0
    for step in plan:
        epoch += step.wave < 0
        for place in step.bytes():
            users = accesses.setdefault((step.group if lds else -1, place), set())
            users.add((step.group, step.wave, epoch, step.write))
    shared_bytes: set[int] = set()
    for (_, place), users in accesses.items():
        for a, b in combinations(users, 2):
            apart = a[0] != b[0] or (a[1] != b[1] and a[2] == b[2])
            if apart and (a[3] or b[3]):
                shared_bytes.add(place)
    return shared_bytes


@pytest.fixture(scope="module")
def module() -> Iterator[Module]:
    assembly = device_assembly(Path(__file__).parent / "kernels" / "races_bytes.hip")
    with Module(build_image(assembly.read_text())) as loaded:
        yield loaded


@pytest.fixture(scope="module")
def memory() -> Iterator[np.ndarray]:
    raw = np.zeros(1 << 15, dtype=np.uint8)
    start = -raw.ctypes.data % 4096
    allow(raw.ctypes.data, raw.nbytes)
    yield raw[start : start + 16384]
    forbid(raw.ctypes.data)


@pytest.fixture
def run(module, memory):
    def of(lds: bool, plan: list[Step], threads: int = 1, seed: int = 0) -> Launch:
        memory[:PLACES] = 0xEE  # what no step writes: storing what is there already is no race
        words = np.array([astuple(step) for step in plan], dtype=np.int32).reshape(-1).view(np.uint8)
        memory[4096 : 4096 + len(words)] = words
        x = memory.ctypes.data
        arguments = struct.pack("<QQi", x, x + 4096, len(plan))
        kernel = f"steps_in_{'lds' if lds else 'global'}"
        done = module.launch(kernel, GROUPS, 64 * WAVES, arguments, checks=RACES, threads=threads, seed=seed)
        expected = races(plan, lds)
        assert bool(done.findings) == bool(expected), plan
        for finding in done.findings:
            assert finding.kind is (FaultKind.LDS_RACE if lds else FaultKind.GLOBAL_RACE)
            first = finding.address - (0 if lds else x)
            assert expected & set(range(first, first + finding.size)), (finding, plan)
        return done

    return of


WHERE = {"waves": (0, False), "workgroups": (1, False), "lds": (0, True)}


@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("first", [False, True], ids=["read", "write"])
@pytest.mark.parametrize("second", [False, True], ids=["read", "write"])
@pytest.mark.parametrize("apart", [0, 1, 2, 3])
@pytest.mark.parametrize("threads", [1, 2])
def test_neighbours(run, where, size, first, second, apart, threads):
    group, lds = WHERE[where]
    if apart * size >= 4:
        apart = -1  # of halves, the other way round
    plan = [Step(0, 0, first, size, 64 + size * (apart < 0), 0, 1)]
    plan.append(Step(group, 1, second, size, 64 + size * max(apart, 0), 0, 1))
    assert bool(run(lds, plan, threads).findings) == (apart == 0 and (first or second))


@pytest.mark.parametrize("where", WHERE)
def test_a_part_of_what_was_used_whole(run, where):
    group, lds = WHERE[where]
    for write in (False, True):
        for start, met in ((80, True), (95, True), (79, False), (96, False)):
            wide, part = Step(0, 0, not write, 16, 80, 0, 1), Step(group, 1, write, 1, start, 0, 1)
            for plan in ([wide, part], [part, wide]):
                assert bool(run(lds, plan).findings) is met


def test_readers_of_other_bytes_hide_nobody(run):
    """Each wave reads its byte of a word, then writes it; one of them another's."""
    for lds in (False, True):
        waves = [Step(0, wave, write, 1, 32 + wave, 4, 16) for write in (False, True) for wave in range(WAVES)]
        assert run(lds, waves).findings == ()
        for wave in range(WAVES):
            assert run(lds, [*waves, Step(0, wave, True, 1, 32 + (wave + 1) % WAVES + 60, 0, 1)]).findings


def random_plan(random: Random) -> tuple[bool, list[Step]]:
    plan = []
    lds, groups = random.choice([(False, 1), (False, GROUPS), (True, 1), (True, GROUPS)])
    small = random.random() < 0.7
    for _ in range(random.randint(2, 9)):
        if random.random() < 0.15:
            plan.append(Step())
            continue
        size = random.choice((1, 1, 2, 2, 4) if small else (1, 2, 4, 4, 16))
        lanes = random.choice((1, 1, 2, 3, 5, 16, 64))
        stride = size * random.choice((0, 1, 1, 1, 2, 3, 4))
        while (lanes - 1) * stride + size > PLACES:
            lanes //= 2
        spare = PLACES - (lanes - 1) * stride - size
        start = random.randint(0, min(spare, 48) // size) * size
        write = random.random() < 0.4
        plan.append(Step(random.randrange(groups), random.randrange(WAVES), write, size, start, stride, lanes))
    return lds, plan


@pytest.mark.parametrize("threads", [1, 2])
def test_random_accesses(run, threads):
    counts = {True: 0, False: 0}
    for seed in range(1500):
        lds, plan = random_plan(Random(seed))
        counts[bool(run(lds, plan, threads, seed % 3).findings)] += 1
    assert min(counts.values()) > 200


@pytest.mark.parametrize("threads", [1, 2])
def test_halves_of_workgroups_that_share_a_word(module, memory, threads):
    done = module.launch("bump", 15, 512, struct.pack("<Qi", memory.ctypes.data, 0), checks=RACES, threads=threads)
    assert done.findings == ()


@pytest.mark.parametrize(
    ("kernel", "race"), [("raise_byte", 0), ("raise_half", 0), ("raise_high_half", 0), ("number_bytes", 1)]
)
def test_a_small_flag_that_everybody_raises(module, memory, kernel, race):
    memory[:4] = 0
    done = module.launch(kernel, 4, 256, struct.pack("<Qi", memory.ctypes.data, 1), checks=RACES)
    assert [finding.kind for finding in done.findings] == [FaultKind.GLOBAL_RACE] * race


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_hide_nothing_of_each_other(module, threads):
    pieces = 20_000
    words = np.zeros(4 * pieces, dtype=np.int32)
    allow(words.ctypes.data, words.nbytes)
    arguments = struct.pack("<Qi", words.ctypes.data, pieces)
    done = module.launch("side_by_side", 2, 64, arguments, checks=RACES, threads=threads)
    forbid(words.ctypes.data)
    assert sum(finding.count for finding in done.findings) == pieces
