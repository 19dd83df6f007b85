"""The harness itself on trial: every seeded bug is caught with a reason that fits, and no right port is failed."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from porter.harness.sessions.jobs import run_seed
from porter.harness.sessions.session import VerifyOptions, plan_tasks, verify
from porter.harness.verdict import Status, Verdict

KERNELS = Path(__file__).parent / "kernels"

# kernel, what is wrong, the line, the line with the bug, a part of the reason
BUGS = [
    ("gemm", "wrong index", "C[(size_t)row * n + column]", "C[(size_t)row * n + (column ^ 1) % n]", "C"),
    ("gemm", "transposed operand", "B[(size_t)other * k + depth]", "B[(size_t)depth * n + other]", "C"),
    ("gemm", "missing tail in k", "from < k;", "from + TILE <= k;", "C"),
    ("gemm", "missing bound in k", "row < m && depth < k ?", "row < m ?", "out-of-bounds"),
    ("gemm", "missing bound in n", "row < m && column < n) C", "row < m) C", ""),
    ("gemm", "dropped first sync", "__syncthreads();\n    for (int part", "\n    for (int part", "lds-race"),
    ("gemm", "dropped second sync", "b_tile[x][i];\n    __syncthreads();", "b_tile[x][i];", "lds-race"),
    ("gemm", "dropped last sync", "__syncthreads();\n  if (y == 0", "if (y == 0", "lds-race"),
    ("gemm", "wrong scale", "alpha * sum[part]", "alpha * alpha * sum[part]", "C"),
    ("gemm", "scale is left out", "alpha * sum[part]", "sum[part]", "C"),
    ("gemm", "stale output is added to", "= __float2bfloat16(value);",
     "= __float2bfloat16(value + 0.0f * __bfloat162float(C[(size_t)row * n + column]));", "C"),
    ("gemm", "last row not written", "if (row < m && column < n) C", "if (row < m - 1 && column < n) C", "not written"),
    ("gemm", "tail of a tile not cleared", "a_tile[r][x] = row < m && depth < k ?", "if (row < m && depth < k) a_tile[r][x] = true ?",
     "uninitialised"),
    ("gemm", "one term too few", "i < TILE; i++) sum", "i < TILE - 1; i++) sum", "C"),
    ("gemm", "rounded to bf16 after each step", "sum[part] += a_tile[y + part * ROWS][i] * b_tile[x][i];",
     "sum[part] = __bfloat162float(__float2bfloat16(sum[part] + a_tile[y + part * ROWS][i] * b_tile[x][i]));", "C"),
    ("gemm", "second output of the wrong tile", "row_max[(size_t)blockIdx.x * m", "row_max[(size_t)blockIdx.y * m", "row_max"),
    ("quantize", "fp8 of the other encoding", "porter::fp8_e4m3(value * factor",
     "*(const porter::fp8_e4m3 *)&(const __hip_fp8_e4m3_fnuz &)__hip_fp8_e4m3_fnuz(value * factor", "out"),
    ("quantize", "half of the lanes", "offset = 32;", "offset = 16;", "out"),
    ("quantize", "no epsilon", "/ columns + eps)", "/ columns)", "out"),
    ("quantize", "residual not kept", "residual[start + c] = __float2half(value);", "", "residual"),
    ("quantize", "an input is changed", "residual[start + c] = __float2half(value);",
     "residual[start + c] = __float2half(value); ((__half *)x)[start + c] = __float2half(value);", "input x"),
    ("quantize", "sum of squares in fp16", "squares += value * value;",
     "squares = __half2float(__float2half(squares + value * value));", ""),
    ("quantize", "dropped sync", "= value;\n  __syncthreads();", "= value;", "lds-race"),
    ("quantize", "never ends", "i < THREADS / 64; i++", "i < THREADS / 64; i += 0", ""),
]  # fmt: skip


def mutant(folder: Path, kernel: str, old: str, new: str) -> Path:
    target = folder / kernel
    shutil.copytree(KERNELS / kernel, target)
    source = target / f"{kernel}.hip"
    text = source.read_text()
    assert text.count(old) == 1, f"{old!r} is not once in {source.name}"
    source.write_text(text.replace(old, new))
    return target


@pytest.mark.parametrize(
    ("kernel", "bug", "old", "new", "reason"), BUGS, ids=[row[1].replace(" ", "-") for row in BUGS]
)
@pytest.mark.sample(8)
def test_every_bug_is_caught(tmp_path: Path, kernel: str, bug: str, old: str, new: str, reason: str) -> None:
    options = VerifyOptions(seed=5, timeout=20, max_instructions=2_000_000)
    tasks, broken = plan_tasks([mutant(tmp_path, kernel, old, new)], options)
    outcome = verify(tasks, options)
    failed = [verdict for verdict in outcome.verdicts if verdict.status is Status.FAIL]
    assert failed and not broken
    assert any(reason in verdict.reason for verdict in failed), [verdict.reason for verdict in failed]


def run_many(kernel: str, times: int) -> list[Verdict]:
    options = VerifyOptions()
    (task,), _ = plan_tasks([KERNELS / kernel], options)
    runs = tuple(
        replace(run, seed=run_seed(number, task.case.name, run.shape, run.values))
        for number in range(times)
        for run in task.runs
    )
    return verify([replace(task, runs=runs)], options).verdicts


@pytest.mark.parametrize("kernel", ["gemm", "quantize"])
@pytest.mark.parametrize("times", [5, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.sample(1)
def test_a_right_port_is_never_failed(kernel: str, times: int) -> None:
    verdicts = run_many(kernel, times)
    assert len(verdicts) >= 7 * times
    assert [verdict.reason for verdict in verdicts if verdict.status is not Status.PASS] == []
