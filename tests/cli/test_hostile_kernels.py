"""`porter run` of kernels that do what no kernel may, without any option: one message each, and the run has failed."""

from __future__ import annotations

import re
from pathlib import Path

import commands
import pytest

PROGRAM = Path(__file__).parents[1] / "emu" / "host" / "programs" / "hostile.hip"

# Argument of the program, what the message's first line says, what the lines below it say.
KERNELS = [
    ("endless", "stopped: no wave can go on", ""),
    ("recursion", "stopped: access past the lane's private memory", "the kernel recurses"),
    ("wild", "stopped: access to memory that is not allocated", "no allocation is near"),
    ("host", "stopped: access to memory that is not allocated", "ordinary memory of the host"),
    ("hungry", "stopped: access to memory that is not allocated", "in this kernel gave null"),
    ("misaligned", "stopped: misaligned access", ""),
    ("constant", "stopped: write to constant memory", "variables of the program"),
    ("argument", "stopped: write to constant memory", "arguments of the kernel"),
    ("code", "stopped: access to memory that is not allocated", "code of the program"),
    ("barriers", "runs on, but: waves of a workgroup wait at different barriers", ""),
    ("freed", "stopped: access to memory that is not allocated", "into a freed 256-byte allocation (hipMalloc"),
    (
        "again",
        "stopped: a kernel frees what the device heap did not give it, or has back already",
        "into a freed 40-byte",
    ),
]


@pytest.mark.parametrize(("kernel", "said", "more"), KERNELS, ids=[row[0] for row in KERNELS])
def test_hostile_kernels_fail_the_run(kernel: str, said: str, more: str) -> None:
    done = commands.porter("run", PROGRAM, "--", kernel)
    assert done.returncode == 1, done.stdout + done.stderr
    [first] = re.findall(r"porter: kernel .*", done.stderr)
    assert said in first
    assert more in done.stderr and re.search(r"\n    at \S+hostile\.hip:\d+", done.stderr)
    assert "porter: 1 finding: " in done.stderr
