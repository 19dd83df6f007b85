"""Tensor maps and the copies they describe: against a model, and the model against what an H200 did."""

from __future__ import annotations

import functools
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from tensor_cases import CASES, EXTREMES, GLOBAL_BYTES, SHARED_BYTES, crc, image, outcomes

from porter.emu.device import Check
from porter.emu.hostlib import host_library
from porter.emu.image import build_image, image_key
from porter.toolchain import Options, executable

HERE = Path(__file__).parent
RECORD = (HERE / "h200" / "tensor_images.txt").read_text().splitlines()
CHECKS = (Check.LDS_RACE, Check.GLOBAL_RACE, Check.WAIT, Check.UNINIT, Check.BARRIER)
LEGAL = [case for case in CASES if case.legal]


@functools.cache
def program() -> Path:
    return executable(
        [HERE / "kernels" / "tensor_copies.hip"],
        None,
        Options(emulator=True, level="1"),  # which clang needs a quarter less time for
        image=lambda path: build_image(path.read_text()),
        image_key=image_key(),
        library=host_library(),
    ).path


def run(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PORTER_EMU_CHECKS": str(sum(CHECKS))}
    return subprocess.run(
        [str(program()), *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=environment,
    )


def test_the_model_is_an_h200():
    recorded = outcomes(RECORD)
    assert len(recorded) == len(CASES)
    for case, outcome in zip(CASES, recorded):
        assert outcome.encoded == 0
        assert outcome.completed == (1 if case.legal else -1), case
        if case.legal:
            assert outcome.crc == crc(image(case, whole=True)), case


def test_encoding_gives_an_h200s_results():
    """But for interleaved layouts and filling with NaN, which are not ported."""
    ours = [line for line in run().stdout.splitlines() if line.startswith("encode ")]
    theirs = [line for line in RECORD if line.startswith("encode ")]
    assert len(ours) > 60
    for our, their in zip(ours, theirs, strict=True):
        known = "interleave =" in their or "fill =" in their
        assert our == (their.replace("encode 0", "encode 801") if known else their)


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], np.ndarray]:
    path = tmp_path_factory.mktemp("copies") / "images"
    done = run(str(path), text="".join(case.line() + "\n" for case in LEGAL))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    return done.stdout.splitlines(), np.fromfile(path, dtype=np.uint8)


def test_every_copy_is_complete_after_the_bytes_of_its_box(copied):
    assert copied[0] == ["image 0 1"] * len(LEGAL)


def test_copies_leave_what_the_model_says(copied):
    at = 0
    for case in LEGAL:
        size = GLOBAL_BYTES if case.op else SHARED_BYTES
        copy, expected = copied[1][at : at + size], image(case)
        at += size
        assert np.array_equal(copy, expected), (case, np.flatnonzero(copy != expected)[:20])
    assert at == len(copied[1])


@pytest.mark.parametrize("case", EXTREMES, ids=lambda c: f"{c.type}-{c.op}")
def test_the_lower_and_the_higher_of_two(case, tmp_path):
    done = run(str(tmp_path / "images"), text=case.line() + "\n")
    assert (done.returncode, done.stderr) == (0, "")
    copy, expected = np.fromfile(tmp_path / "images", dtype=np.uint8), image(case)
    assert np.array_equal(copy, expected), np.flatnonzero(copy != expected)[:20]


@pytest.mark.parametrize("case", [c for c in CASES if not c.legal][::3], ids=lambda c: f"{c.name}-{c.op}-{c.at}")
def test_a_box_that_begins_off_16_bytes_is_an_illegal_instruction(case, tmp_path):
    """Of a load or a store, before the first element of a row or after it."""
    done = run(str(tmp_path / "images"), text=case.line() + "\n")
    assert done.returncode != 0
    assert "trap" in done.stdout + done.stderr
