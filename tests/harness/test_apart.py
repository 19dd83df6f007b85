"""Cases that end, hang, kill or copy the process they run in: each costs itself, is named, and nothing comes out green."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from porter.harness.cases.apart import load_apart
from porter.harness.cases.case import CaseError
from porter.harness.sessions.jobs import Run
from porter.harness.sessions.session import VerifyOptions, _without_verdict, plan_tasks, verify
from porter.harness.verdict import Status
from tests.commands import porter

SOURCE = """
__global__ void kernel(const float *x, float *y, int n) { if (threadIdx.x < n) y[threadIdx.x] = x[threadIdx.x]; }
extern "C" int copy(const float *x, float *y, int n) { kernel<<<1, 64>>>(x, y, n); return 0; }
"""
CASE = """
import ctypes, os, signal, sys, time
import torch
{at_import}
SHAPES, VALUES = [dict(n=3), dict(n=5)], ("normal",)
def inputs(n): {in_inputs}return {{"x": torch.randn(n)}}
def reference(x, n): {in_reference}return {{"y": x}}
"""
AT_IMPORT = {
    "sys.exit()": "SystemExit",
    "sys.exit(0)": "SystemExit: 0",
    "os._exit(0)": "ends the process that loads it (exit code 0)",
    "print('goodbye'); sys.stdout.flush(); os._exit(0)": "(exit code 0 (goodbye))",
    "os.abort()": "(SIGABRT",
    "ctypes.string_at(0)": "(SIGSEGV",
    "raise KeyboardInterrupt": "KeyboardInterrupt",
    "raise RuntimeError('no')": "RuntimeError: no",
    "while True: time.sleep(1)": "could not be loaded within 2 s",
    "if os.fork() == 0: time.sleep(3); os._exit(0)\nelse: os._exit(0)": "(exit code 0)",
}


def write(folder: Path, name: str, at_import: str = "", in_inputs: str = "", in_reference: str = "") -> Path:
    place = folder / name
    place.mkdir()
    (place / "copy.cu").write_text(textwrap.dedent(SOURCE))
    text = CASE.format(at_import=at_import, in_inputs=in_inputs, in_reference=in_reference)
    (place / "case.py").write_text(text)
    return place / "case.py"


@pytest.mark.parametrize("at_import", AT_IMPORT)
def test_a_file_that_does_not_load_is_an_error(tmp_path: Path, at_import: str) -> None:
    with pytest.raises(CaseError) as caught:
        load_apart(write(tmp_path, "bad", at_import), None, 2 if "while" in at_import else 60)
    assert AT_IMPORT[at_import] in caught.value.problem


def test_a_file_that_forks_is_loaded_once(tmp_path: Path) -> None:
    case = load_apart(write(tmp_path, "forks", "os.fork()"), None, 60)
    assert case.shapes == ({"n": 3}, {"n": 5})
    with pytest.raises(TypeError, match="where the case is run"):
        case.inputs(n=3)


def test_no_way_out_of_a_case_is_green(tmp_path: Path) -> None:
    """Those that end at their import, in inputs() or in reference(): the others run, and the command exits with 1."""
    write(tmp_path, "gone", "sys.exit(0)")
    write(tmp_path, "quiet", "os._exit(0)")
    write(tmp_path, "leaves", "", "sys.exit(0) if n == 3 else None; ")
    write(tmp_path, "vanishes", in_reference="os._exit(0) if n == 3 else None; ")
    write(tmp_path, "forks", in_reference="os.fork() if n == 3 else None; ")
    divides = write(tmp_path, "divides", in_reference="n == 3 and n // 0; ")
    write(tmp_path, "good")
    done = porter("verify", "--emulate", tmp_path, "--json", tmp_path / "out.json", "--report", tmp_path / "r.md")
    assert done.returncode == 1, done.stderr
    report = json.loads((tmp_path / "out.json").read_text())
    said = [(Path(v["file"]).parent.name, v["shape"].get("n"), v["status"], v["reason"]) for v in report["verdicts"]]
    wrong = {(case, n): reason for case, n, status, reason in said if status != "PASS"}
    assert sorted((case, n) for case, n, status, _ in said if status == "PASS") == [
        ("divides", 5), ("forks", 3), ("forks", 5), ("good", 3), ("good", 5), ("leaves", 5), ("vanishes", 5),
    ]  # fmt: skip
    assert "sys.exit(0)" in wrong["leaves", 3] and "exit code 0" in wrong["vanishes", 3]
    line = next(number for number, text in enumerate(divides.read_text().splitlines(), 1) if "//" in text)
    assert wrong["divides", 3] == f"{divides}:{line}: ZeroDivisionError: integer division or modulo by zero"
    assert len(wrong) == 5 and "5 of 12 runs failed, 7 passed" in done.stdout
    assert (tmp_path / "r.md").is_file()


def test_a_case_that_ends_its_worker_while_it_is_loaded_there(tmp_path: Path) -> None:
    """It loads once, for the session, and not again: no run of it is left without a verdict, and none is tried for ever."""
    mark = tmp_path / "mark"
    at_import = f"os._exit(0) if os.path.exists({str(mark)!r}) else open({str(mark)!r}, 'w').close()"
    write(tmp_path, "once", at_import)
    options = VerifyOptions(timeout=60)
    tasks, broken = plan_tasks([tmp_path], options)
    outcome = verify(tasks, options)
    assert broken == [] and [v.status for v in outcome.verdicts] == [Status.FAIL] * 2
    assert all("ended itself with exit code 0" in v.reason for v in outcome.verdicts)


def test_a_run_without_a_verdict_fails(tmp_path: Path) -> None:
    options = VerifyOptions(timeout=60)
    tasks, _ = plan_tasks([write(tmp_path, "good")], options)
    missing = list(_without_verdict(tasks, verify([], options), options))
    assert [(v.status, v.shape["n"]) for v in missing] == [(Status.FAIL, 3), (Status.FAIL, 5)]
    assert isinstance(tasks[0].runs[0], Run)


def test_a_session_leaves_torch_to_its_workers(tmp_path: Path) -> None:
    """Importing torch takes longer than all else that comes before the first sign of life."""
    (tmp_path / "case.py").write_text("SHAPES = [dict(n=1)]\ndef inputs(n): return {}\ndef reference(): return {}\n")
    (tmp_path / "k.cu").write_text('extern "C" int f(int n) { return 0; }\n')
    code = (
        "import sys\nfrom porter.cli.app import main\n"
        "if __name__ == '__main__':\n    try: main()\n"
        "    except SystemExit: pass\n"
        "    print('torch' in sys.modules, 'porter.harness.sessions.session' in sys.modules)\n"
    )
    (tmp_path / "start.py").write_text(code)
    command = [sys.executable, "start.py", "verify", "--emulate", "--bench", "--no-history", "-k", "no such", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "no such: no run has such a name" in done.stderr, done.stdout + done.stderr
    assert done.stdout.split() == ["False", "True"]
