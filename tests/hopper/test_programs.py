"""Programs for Hopper that check themselves: ported by the plain command, with nothing left, they are right."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from commands import porter

PROGRAMS = Path(__file__).parent / "programs"


def check(name: str, folder: Path) -> None:
    shutil.copy(PROGRAMS / f"{name}.cu", folder)
    converted = porter("convert", folder / f"{name}.cu")
    assert converted.returncode == 0, converted.stdout
    done = porter("run", folder / f"{name}.hip", "--emulate", "--check", "all")
    assert (done.stderr, done.returncode) == ("", 0), done.stdout
    assert done.stdout.endswith(": PASS\n")


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.stem for path in PROGRAMS.glob("*.cu")))
def test_each(name: str, tmp_path: Path) -> None:
    check(name, tmp_path)


def test_decoding(tmp_path: Path) -> None:
    check("mla_decode", tmp_path)
