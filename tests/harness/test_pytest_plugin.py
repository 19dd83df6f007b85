"""The pytest plugin: nothing without --porter; with it, cases are items."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
from pathlib import Path

import pytest

import porter.harness.sessions.session  # noqa: F401 - pytester forgets what is imported in it, and torch cannot be imported twice

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]

CASE = '''"""{title}."""
import torch
SHAPES = [dict(n=70), dict(n=3)]
VALUES = ("normal", "large")
def inputs(n): return {{"x": torch.randn(n)}}
def reference(x): return {{"out": 2 * x}}
'''
KERNEL = """#include <cuda_runtime.h>
__global__ void twice(const float *x, float *out, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = {factor} * x[i];
}}
extern "C" int go(const float *x, float *out, int n, cudaStream_t s) {{
  twice<<<(n + 63) / 64, 64, 0, s>>>(x, out, n);
  return cudaGetLastError();
}}
"""


@pytest.fixture
def cases(pytester: pytest.Pytester, cache: Path) -> Path:
    """One case that passes, and one that fails where n is 3."""
    for name, factor in (("good", "2.0f"), ("bad", "(n == 3 ? 3.0f : 2.0f)")):
        folder = pytester.mkdir(name)
        (folder / "case.py").write_text(CASE.format(title=name))
        (folder / f"{name}.cu").write_text(KERNEL.format(factor=factor))
    return pytester.path


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)


def _words(*words: str) -> list[str]:
    """By the entry point where porter is installed, by name elsewhere."""
    points = importlib.metadata.entry_points(group="pytest11")
    named = [] if any(p.value == "porter.pytest_plugin" for p in points) else ["-p", "porter.pytest_plugin"]
    return [*named, "-W", "error", *words]


def run(pytester: pytest.Pytester, *words: str) -> pytest.RunResult:
    """In this process, which has imported torch."""
    return pytester.runpytest_inprocess(*_words(*words))


def run_apart(pytester: pytest.Pytester, *words: str) -> pytest.RunResult:
    """In a process of its own."""
    return pytester.runpytest_subprocess(*_words(*words))


def test_cases_are_items_and_a_failure_is_its_reason(pytester: pytest.Pytester, cases: Path) -> None:
    result = run_apart(pytester, "--porter", "--porter-seed", "5", "-v")
    result.assert_outcomes(passed=5, failed=1)
    result.stdout.fnmatch_lines(
        [
            "porter: emulator, --porter-seed 5",
            "bad/case.py::bad[[]n=70[]] PASSED*",
            "bad/case.py::bad[[]n=70,large[]] PASSED*",
            "bad/case.py::bad[[]n=3[]] FAILED*",
            "good/case.py::good[[]n=70,large[]] PASSED*",
            "an output differs from the reference",
            "  3 of 3 elements of out are wrong: out[[]0[]] = *",
            "fix: *",
            "repeat: pytest --porter --porter-seed 5 'bad/case.py::bad[[]n=3[]]'",
            "porter: 1 of 6 runs failed, 5 passed (--porter-seed 5)",
        ],
        consecutive=False,
    )
    assert "Traceback" not in result.stdout.str()
    assert "pytest_plugin.py" not in result.stdout.str()
    again = run(pytester, "--porter", "--porter-seed", "5", "bad/case.py::bad[n=3]")  # as the report says
    again.assert_outcomes(failed=1)
    reasons = [next(line for line in r.outlines if "3 of 3 elements" in line) for r in (result, again)]
    assert reasons[0] == reasons[1]  # the same inputs


def test_options_of_pytest_work(pytester: pytest.Pytester, cases: Path) -> None:
    result = run(pytester, "--porter", "-k", "bad", "-x")
    result.assert_outcomes(passed=2, failed=1, deselected=3)
    result = run(pytester, "--porter", "-k", "large and not bad", "--porter-check", "none", "--collect-only", "-q")
    assert [line for line in result.outlines if "::" in line] == [
        "good/case.py::good[n=70,large]",
    ]  # fmt: skip


def test_a_case_that_cannot_run_here_is_skipped_with_its_reason(
    pytester: pytest.Pytester, cases: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("porter.harness.building.build.find_nvcc", lambda: None)
    result = run(pytester, "--porter", "--porter-backend", "nvidia", "-rs", "good")
    result.assert_outcomes(skipped=3)
    result.stdout.fnmatch_lines(
        ["porter: 3 of 3 runs not run, 0 passed (*",
         "SKIPPED * good/case.py:1: no nvcc to compile the original with; install CUDA*"]
    )  # fmt: skip


def test_a_case_that_cannot_be_used_fails_and_the_others_go_on(pytester: pytest.Pytester, cases: Path) -> None:
    (cases / "bad" / "case.py").write_text("import torch\nSHAPES = 3\ndef inputs(n): return {}\n")
    result = run(pytester, "--porter", "-k", "not large")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["  bad/case.py: SHAPES is not a list of dicts*"])


def test_a_wrong_option_is_said_before_anything_runs(pytester: pytest.Pytester, cases: Path) -> None:
    result = run(pytester, "--porter", "--porter-check", "everything")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --porter-check: *everything*"])


def test_without_porter_nothing_is_collected_or_imported(pytester: pytest.Pytester, cases: Path) -> None:
    pytester.makepyfile(
        test_own="def test_own():\n    import sys\n    assert not {'torch', 'clang', 'porter.harness.cases.case'} & set(sys.modules)\n"
    )
    run_apart(pytester).assert_outcomes(passed=1)


def test_the_plugin_is_cheap_to_import_and_has_its_entry_point() -> None:
    code = (
        "import sys, pytest; before = set(sys.modules); import porter.pytest_plugin; "
        "print(sorted(name for name in set(sys.modules) - before))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "['porter', 'porter.pytest_plugin']"
    project = (ROOT / "pyproject.toml").read_text()
    assert '[project.entry-points.pytest11]\nporter = "porter.pytest_plugin"\n' in project
