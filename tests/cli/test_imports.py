"""Commands that need no tensors start without torch, numpy and triton, which take a second and more to import."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = "#include <hip/hip_runtime.h>\n__global__ void k(int *p) { *p = 1; }\nint main() { return hipDeviceSynchronize(); }\n"
COMMANDS = (
    "convert --help", "asm --help", "run --help", "trace --help", "rules", "explain warp-vote", "doctor --json",
    f"convert -j 1 {ROOT}/reference_kernels/softmax/softmax.cu -o out.hip", "run a.hip", "asm a.hip",
)  # fmt: skip
CODE = """
import runpy, sys
sys.argv = ["porter", *sys.argv[1:]]
try:
    runpy.run_module("porter", run_name="__main__")
except SystemExit as end:
    assert not end.code, end.code
heavy = sorted({"torch", "numpy", "triton", "safetensors"} & set(sys.modules))
assert not heavy, heavy
"""


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command.split()[:2]))
def test_a_command_imports_no_library_of_tensors(command: str, tmp_path: Path) -> None:
    (tmp_path / "a.hip").write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "-c", CODE, *command.split()],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
