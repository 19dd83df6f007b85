"""Several processes of one program, as `porter run --ranks` starts them."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from porter.execute import RunOptions, run_program
from porter.toolchain import Options, find_toolchain

pytestmark = pytest.mark.skipif(
    not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}"
)
SOURCE = Path(__file__).parent / "programs" / "ranks.hip"


def test_ranks_meet_and_add_up(tmp_path, capfd):
    done = run_program([SOURCE], [str(tmp_path / "id")], Options(), RunOptions(emulate=True, devices=3, ranks=3))
    assert done.code == 0
    lines = sorted(line for line in capfd.readouterr().out.splitlines() if line.startswith("rank"))
    assert lines == [f"rank {rank} of 3 has 6" for rank in range(3)]
    assert sorted(launch["rank"] for launch in done.launches if launch["kernel"].startswith("fill")) == [0, 1, 2]


def test_a_rank_that_fails_ends_the_others(tmp_path):
    began = time.monotonic()
    how = RunOptions(emulate=True, devices=2, ranks=2)
    assert run_program([SOURCE], [str(tmp_path / "id"), "fails"], Options(), how).code == 3
    assert time.monotonic() - began < 100
