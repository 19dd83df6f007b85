"""Where the lines of a recorded launch lie: the same place in every run (porter/perf/model/core/places.c)."""

from __future__ import annotations

import ctypes

from porter.emu.device import RecordedWave
from porter.perf.model.core import placed

FIRST = (0, 4096, 4096 + 128, 3 << 20)  # bytes from the begin of a region
SECOND = (128, 64 << 20)


def words_of(first: int, second: int) -> list[int]:
    """A block, a store of half a line, cycles of LDS, and a load of whole lines of two regions that begin at these addresses."""
    lines = [
        (base + offset) // 128 << 2 | 3 for base, offsets in ((first, FIRST), (second, SECOND)) for offset in offsets
    ]
    return [3 << 32, 1 << 63 | 1 << 62 | 1 << 32 | 1, lines[0] & ~1, 1 << 63 | 1 << 60 | 8 << 32 | 2,
            1 << 63 | len(lines) << 32 | 2, *lines]  # fmt: skip


def moved(words: list[int], place: int = 0) -> list[int]:
    kept = (ctypes.c_uint64 * len(words))(*words)
    waves = (RecordedWave * 1)()
    waves[0].words, waves[0].length = ctypes.cast(kept, ctypes.POINTER(ctypes.c_uint64)), len(words)
    for _ in range(2):  # a launch is followed more than once
        placed(ctypes.addressof(waves), 1, place)
    return list(kept)


def test_lines_lie_where_they_always_do_and_keep_their_distances() -> None:
    one = moved(words_of(0x7F31_2345_6000, 0x7F3F_0000_1000))
    assert one == moved(words_of(0x5555_0000_2000, 0x7F00_4321_0000))
    assert one[:2] == words_of(0, 0)[:2] and one[3:5] == words_of(0, 0)[3:5]
    places = [word >> 2 for word in one[5:]]
    assert places[:4] == [offset // 128 for offset in FIRST] and one[2] == 2
    assert places[5] - places[4] == (SECOND[1] - SECOND[0]) // 128
    assert places[4] - places[3] >= (256 << 20) // 128  # regions stay apart
    shifted = [word >> 2 for word in moved(words_of(0, 1 << 40), 7)[5:]]
    assert [line - shifted[0] for line in shifted[:4]] == places[:4] and shifted[0] == 7 * 4096 // 128
