"""Lanes of one wave that store to one place at once: with different values a race, with the same one none."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from porter.emu.device import Check, FaultKind, Module, allow, forbid
from porter.emu.image import build_image
from porter.toolchain import device_assembly

KERNELS = {
    "to_lds": FaultKind.LDS_LANE_RACE, "to_memory": FaultKind.GLOBAL_LANE_RACE, "bytes": FaultKind.GLOBAL_LANE_RACE,
    "overlapping": FaultKind.GLOBAL_LANE_RACE, "some": FaultKind.GLOBAL_LANE_RACE,
    "two_places": FaultKind.LDS_LANE_RACE,
}  # fmt: skip


@pytest.fixture(scope="module")
def module():
    source = Path(__file__).parent / "kernels" / "races_lanes.hip"
    with Module(build_image(device_assembly(source).read_text())) as loaded:
        yield loaded


def launch(module, kernel, spread, same, checks=(Check.LDS_RACE, Check.GLOBAL_RACE)):
    words = np.full(256, -1, dtype=np.int32)
    allow(words.ctypes.data, words.nbytes)
    arguments = struct.pack("<Qii", words.ctypes.data, spread, same)
    done = module.launch(kernel, 1, 64, arguments, checks=checks, threads=1)
    forbid(words.ctypes.data)
    return done


@pytest.mark.parametrize("kernel", KERNELS)
def test_different_values_at_one_place(module, kernel):
    (finding,) = launch(module, kernel, 0, 0).findings
    assert finding.kind is KERNELS[kernel]
    assert finding.file.endswith("races_lanes.hip") and finding.line
    assert finding.lane >= 0 and finding.count == 1


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("spread", "same"), [(0, 1), (1, 0), (1, 1)])
def test_the_same_value_or_places_apart(module, kernel, spread, same):
    assert launch(module, kernel, spread, same).findings == ()


def test_atomics_are_ordered(module):
    assert launch(module, "counted", 0, 0).findings == ()


@pytest.mark.parametrize(("kernel", "check"), [("to_lds", Check.GLOBAL_RACE), ("to_memory", Check.LDS_RACE)])
def test_the_check_of_the_other_memory_is_silent(module, kernel, check):
    assert launch(module, kernel, 0, 0, checks=(check,)).findings == ()
