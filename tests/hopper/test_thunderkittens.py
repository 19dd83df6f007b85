"""ThunderKittens' own kernels and ours in it, where $THUNDERKITTENS is its folder: pytest -m thunderkittens."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from commands import porter

from porter.paths import PACKAGE

pytestmark = pytest.mark.thunderkittens

REFERENCE = PACKAGE.parent / "reference_kernels"
CASE = """
import torch

ENTRY = "matmul"
INCLUDES = ("$THUNDERKITTENS/include",)
DEFINES = ("KITTENS_HOPPER",)
FLAGS = ("-std=c++20",)
SHAPES = [dict(N=64), dict(N=192)]


def inputs(N):
    return {"A": torch.randn(N, N), "B": torch.randn(N, N)}


def reference(A, B):
    return {"C": A @ B}
"""


@pytest.fixture
def kittens() -> Path:
    folder = os.environ.get("THUNDERKITTENS")
    if not folder:
        pytest.skip("NOT RUN: $THUNDERKITTENS is not set")
    return Path(folder)


def test_layernorm(kittens: Path) -> None:
    done = porter("verify", REFERENCE / "tk_layernorm", timeout=1200)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "NOT RUN" not in done.stdout


def test_educational_level(kittens: Path, tmp_path: Path) -> None:
    folder = kittens / "kernels/gemm/educational_h100"
    for name in ("level_01.cu", "launch.cu"):
        shutil.copy(folder / name, tmp_path)
    (tmp_path / "case.py").write_text(CASE)
    done = porter("verify", "level_01.cu", cwd=tmp_path, timeout=1200)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "NOT RUN" not in done.stdout
