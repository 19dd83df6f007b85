"""A plain read whose value only guesses what a compare-and-swap then checks is told apart from other races."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from porter.emu.device import Check, FaultKind, Module, allow, forbid
from porter.emu.image import build_image
from porter.toolchain import device_assembly

SOURCE = Path(__file__).parent / "kernels" / "races_guesses.hip"
LINES = SOURCE.read_text().splitlines()
RACES = {FaultKind.GLOBAL_RACE, FaultKind.LDS_RACE}


@pytest.fixture(scope="module", params=["3", "1", "0"], ids=lambda level: f"O{level}")
def module(request):
    from porter.toolchain import Options

    with Module(build_image(device_assembly(SOURCE, Options(level=request.param)).read_text())) as loaded:
        loaded.level = request.param
        yield loaded


def findings(module, kernel, seed):
    words, out = np.zeros(64, dtype=np.int64), np.zeros(4096, dtype=np.int32)
    for array in (words, out):
        allow(array.ctypes.data, array.nbytes)
    arguments = struct.pack("<QQ", words.ctypes.data, out.ctypes.data)
    done = module.launch(
        kernel, 2, 256, arguments, checks=(Check.LDS_RACE, Check.GLOBAL_RACE), seed=seed, threads=1
    )  # fmt: skip
    for array in (words, out):
        forbid(array.ctypes.data)
    return done.findings


def line_of(kernel: str, text: str) -> int:
    """Of the first line with the text behind the kernel's own."""
    start = next(n for n, line in enumerate(LINES) if f" {kernel}(" in line)
    return next(n for n, line in enumerate(LINES[start:], start + 1) if text in line)


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("kernel", ["product", "add_doubles", "largest", "in_lds", "halves", "counts_besides"])
def test_a_guess(module, kernel, seed):
    races = findings(module, kernel, seed)
    if module.level == "0":  # everything goes by way of private memory: what becomes of a value is not followed there
        assert {one.kind for one in races} <= RACES
        return
    assert {one.kind for one in races} == {FaultKind.LDS_GUESS if kernel == "in_lds" else FaultKind.GLOBAL_GUESS}
    assert {one.line for one in races} == {line_of(kernel, "old =")}  # at the read, whichever came first


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("kernel", ["gives_up", "tells", "follows", "stubborn", "once", "stores"])
def test_more_than_a_guess(module, kernel, seed):
    assert FaultKind.GLOBAL_RACE in {one.kind for one in findings(module, kernel, seed)}


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_an_atomic_read(module, seed):
    assert not findings(module, "reads_atomically", seed)
    assert FaultKind.GLOBAL_RACE in {one.kind for one in findings(module, "stores_plainly", seed)}
