"""A few mutants of each kind in every run, thousands in a slow one; tests/fuzz.py is the command for more."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).parent / "fuzz.py"


def fuzz(count: int) -> None:
    # a process of its own: it forks, which one with threads should not
    command = [sys.executable, str(FUZZ), "--seed", "2", "--count", str(count)]
    environment = {**os.environ, "PYTHONPATH": str(FUZZ.parent.parent)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.usefixtures("cache")
def test_some_mutants() -> None:
    fuzz(20)


@pytest.mark.slow
@pytest.mark.usefixtures("cache")
def test_5000_mutants() -> None:
    fuzz(5000)
