"""`porter run --profile`: stand-ins write files as AMD documents those of rocprofv3 and rocprof-compute. No GPU is used."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from porter.perf.profiler import TIME, Profile, emulated_counters, print_profile, profile

# Two launches of one kernel, the columns of rocprofv3's own files
ROCPROFV3 = """#!{python}
import pathlib, subprocess, sys
words = sys.argv[1:]
own, program = words[: words.index("--")], words[words.index("--") + 1 :]
folder = pathlib.Path(own[own.index("-d") + 1]) / "host"
folder.mkdir(parents=True)
head = '"Kind","Agent_Id","Queue_Id","Stream_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name","Correlation_Id","Start_Timestamp","End_Timestamp"'
if "--kernel-trace" in own:
    rows = ['"KERNEL_DISPATCH","Agent 4",1,0,7,%d,1,"void add<float>(float*, int)",%d,%d,%d' % (n, n, 1000 * n, 1000 * n + 2500) for n in (1, 2)]
    (folder / "7_kernel_trace.csv").write_text("\\n".join([head, *rows]) + "\\n")
elif "--pmc" in own:
    names = own[own.index("--pmc") + 1 : own.index("-f")]
    head = '"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size","LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"'
    rows = ['%d,%d,"Agent 4",1,7,7,256,1,"void add<float>(float*, int) [clone .kd]",256,0,0,8,0,16,"%s",%f,1,2' % (n, n, name, 10 * k) for n in (1, 2) for k, name in enumerate(names)]
    (folder / "7_counter_collection.csv").write_text("\\n".join([head, *rows]) + "\\n")
else:
    sys.exit("rocprofv3: the decoder of thread traces is not installed")
sys.exit(subprocess.run(program).returncode)
"""
COMPUTE = """#!{python}
import pathlib, sys
folder = pathlib.Path(sys.argv[sys.argv.index("--path") + 1]) / "MI300X_A1"
folder.mkdir(parents=True)
(folder / "pmc_perf.csv").write_text('Dispatch_ID,Kernel_Name,Start_Timestamp,End_Timestamp,SQ_INSTS_VALU\\n0,"other(int)",0,4000,77\\n')
"""


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for tools, the only one on PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def install(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text.replace("{python}", sys.executable))
    (folder / name).chmod(0o755)


def test_missing_tools_are_not_run(tools: Path, tmp_path: Path) -> None:
    result = profile(["/bin/true"], tmp_path / "out")
    assert not result.whole
    reasons = {step.what: step.reason for step in result.steps}
    assert reasons["counters"] == "rocprofv3 is not installed"
    assert reasons["rocprof-compute"] == "rocprof-compute is not installed"
    assert {step.reason for step in profile([], tmp_path / "out", "no AMD GPU").steps} == {"no AMD GPU"}


def test_what_the_tools_write_is_summed_by_kernel(tools: Path, tmp_path: Path) -> None:
    install(tools, "rocprofv3", ROCPROFV3)
    install(tools, "rocprof-compute", COMPUTE)
    result = profile([sys.executable, "-c", ""], tmp_path / "out")
    assert result.kernels["add<float>"] | {TIME: 5.0} == result.kernels["add<float>"]
    assert result.kernels["add<float>"]["SQ_INSTS_MFMA"] == 20.0
    assert result.kernels["other"] == {"SQ_INSTS_VALU": 77.0, TIME: 4.0}
    (trace,) = (step for step in result.steps if step.what == "thread trace")
    assert "decoder of thread traces is not installed" in trace.reason


def test_a_program_that_fails_is_no_measurement(tools: Path, tmp_path: Path) -> None:
    install(tools, "rocprofv3", ROCPROFV3)
    steps = profile([sys.executable, "-c", "raise SystemExit(3)"], tmp_path / "out").steps
    assert [step.reason for step in steps if step.what == "times"] == ["exit code 3"]


def test_the_emulators_counts_stand_beside() -> None:
    about = {"kernel": "void add<float>(float*, int)", "symbol": "add", "grid": [1], "block": [64], "dynamic_lds": 0}
    rows = [
        ["v_add_f32 v0, v0, v0", "a.hip", 1, 30, 0, 0, 0, 0, 0, 0, 0],
        ["ds_read_b32 v0, v1", "a.hip", 2, 8, 8, 512, 2048, 32, 16, 0, 0],
    ]
    launches = [{**about, "counts": rows, "predicted": {"microseconds": [1, 2, 3]}}, {**about, "counts": rows}]
    ours = emulated_counters(launches)["add<float>"]
    assert (ours["SQ_INSTS_VALU"], ours["SQ_INSTS_LDS"], ours["SQ_LDS_BANK_CONFLICT"], ours[TIME]) == (60, 16, 32, 4)
    text = io.StringIO()
    measured = Profile({"add<float>": {"SQ_INSTS_VALU": 120.0}}, (), ())
    print_profile(measured, {"add<float>": ours}, Console(file=text, width=120))
    (row,) = (line for line in text.getvalue().splitlines() if "SQ_INSTS_VALU" in line)
    assert row.split() == ["add<float>", "SQ_INSTS_VALU", "120", "60", "0.50"]


@pytest.mark.skipif(os.access("/dev/kfd", os.R_OK), reason="a machine with an AMD GPU")
def test_without_a_gpu_the_command_says_not_run(tmp_path: Path) -> None:
    text = "#include <hip/hip_runtime.h>\n__global__ void k() {}\nint main() { k<<<1, 64>>>(); return hipDeviceSynchronize(); }\n"
    (tmp_path / "k.hip").write_text(text)
    command = [sys.executable, "-m", "porter", "run", "k.hip", "--profile", "out"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "counters: NOT RUN: no AMD GPU" in done.stderr
    assert "microseconds (predicted)" in done.stderr
