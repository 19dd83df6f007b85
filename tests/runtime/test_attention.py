"""porter/attention.h in the emulator, beside torch: the schedule that native ports of attention are made of."""

from __future__ import annotations

import itertools
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest

from porter.harness.sessions.session import VerifyOptions, plan_tasks, verify
from porter.harness.verdict import Status
from porter.paths import RUNTIME_INCLUDE
from porter.toolchain import build

TYPES = {"bf16": "__hip_bfloat16", "f16": "__half"}

_SOURCE = """
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include "porter/attention.h"

struct problem : porter::attention::Problem {
  using Element = porter::attention::@ELEMENT@;
  static constexpr int kHead = @HEAD@, kHeadV = @HEAD_V@;
  static constexpr bool kMasked = @MASKED@, kWindow = @WINDOW@, kCapped = @CAPPED@;
};
using schedule = porter::attention::Schedule<problem>;

// Rows of Q and O are those of all heads, one behind the other.
__global__ void __launch_bounds__(schedule::kThreads, 2)
    attention(const @TYPE@* q, const @TYPE@* k, const @TYPE@* v, @TYPE@* out, float* lse, int heads, int kv_heads,
              int queries, int keys, float scale, int window, float cap) {
  schedule::run(
      {.queries = queries, .keys = keys, .scale = scale, .offset = keys - queries, .window = window, .cap = cap},
      [&](unsigned y, unsigned z) {
        const size_t head = (size_t(z) * queries * heads + y), kv = size_t(z) * kv_heads + y / (heads / kv_heads);
        return porter::attention::head(q + head * @HEAD@, heads * @HEAD@, k + kv * keys * @HEAD@, @HEAD@,
                                       v + kv * keys * @HEAD_V@, @HEAD_V@, out + head * @HEAD_V@, heads * @HEAD_V@);
      },
      [&](int row, unsigned y, unsigned z, float log2_sum) {
        lse[(size_t(z) * heads + y) * queries + row] = log2_sum * 0.69314718f;
      });
}

extern "C" hipError_t attend(const @TYPE@* q, const @TYPE@* k, const @TYPE@* v, @TYPE@* out, float* lse, int batch,
                             int heads, int kv_heads, int queries, int keys, float scale, int window, float cap,
                             hipStream_t stream) {
  attention<<<schedule::grid(queries, dim3(1, heads, batch)), schedule::kThreads, 0, stream>>>(
      q, k, v, out, lse, heads, kv_heads, queries, keys, scale, window, cap);
  return hipGetLastError();
}
"""

_CASE = '''
"""The schedule of attention."""

import math

import torch

ENTRY = "attend"
HEAD, HEAD_V, MASKED, WINDOW, CAPPED = {facts!r}
VALUES = {values!r}
SHAPES = [dict(zip(("batch", "heads", "kv_heads", "queries", "keys"), sizes)) for sizes in {shapes!r}]
TOLERANCE = {{"out": dict(rtol=2.0**-6, atol=2.0**-4, norm=0.75 * 2.0**-7)}}


def inputs(batch, heads, kv_heads, queries, keys):
    return {{
        "q": torch.randn(batch, queries, heads, HEAD) * {size},
        "k": torch.randn(batch, kv_heads, keys, HEAD),
        "v": torch.randn(batch, kv_heads, keys, HEAD_V),
        "scale": {sign} / math.sqrt(HEAD),
        "window": {window},
        "cap": {cap},
    }}


def reference(q, k, v, scale, window, cap):
    q = q.transpose(1, 2)
    groups = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1)
    scores = q @ k.mT * scale
    if CAPPED:
        scores = cap * torch.tanh(scores / cap)
    last = torch.arange(q.shape[2], device=q.device)[:, None] + k.shape[2] - q.shape[2]
    key = torch.arange(k.shape[2], device=q.device)[None, :]
    hidden = torch.zeros_like(scores[0, 0], dtype=torch.bool)
    if MASKED:
        hidden |= key > last
    if WINDOW:
        hidden |= key <= last - window
    scores = scores.masked_fill(hidden, -math.inf)
    weights = scores.softmax(-1).masked_fill(hidden.all(-1, keepdim=True), 0)
    return {{"out": (weights @ v).transpose(1, 2).contiguous(), "lse": scores.logsumexp(-1)}}
'''


@dataclass(frozen=True)
class Program:
    head: int = 128
    masked: bool = False
    head_v: int = 0
    element: str = "bf16"
    window: int = 0
    cap: float = 0.0
    sign: float = 1.0
    size: float = 1.0  # of Q's elements

    def source(self) -> str:
        text = _SOURCE
        for name, value in {
            "ELEMENT": self.element, "TYPE": TYPES[self.element], "HEAD": self.head, "HEAD_V": self.head_v or self.head,
            "MASKED": self.masked, "WINDOW": self.window > 0, "CAPPED": self.cap > 0,
        }.items():  # fmt: skip
            text = text.replace(f"@{name}@", str(value).lower() if isinstance(value, bool) else str(value))
        return text

    def write(self, folder: Path, shapes: list[tuple[int, ...]], values: tuple[str, ...] = ("normal",)) -> Path:
        """Puts attention.hip and case.py there."""
        (folder / "attention.hip").write_text(self.source())
        facts = (self.head, self.head_v or self.head, self.masked, self.window > 0, self.cap > 0)
        case = folder / "case.py"
        case.write_text(
            textwrap.dedent(_CASE).lstrip().format(
                facts=facts, values=values, shapes=shapes, size=self.size, sign=self.sign, window=self.window, cap=self.cap
            )
        )  # fmt: skip
        return case


def check(program: Program, folder: Path, shapes: list[tuple[int, ...]], values: tuple[str, ...] = ("normal",)) -> None:
    options = VerifyOptions(jobs=1)
    tasks, failed = plan_tasks([program.write(folder, shapes, values)], options)
    assert not failed
    verdicts = verify(tasks, options).verdicts
    assert len(verdicts) == len(shapes) * len(values)
    assert [verdict for verdict in verdicts if verdict.status is not Status.PASS] == []


SHORT = [(1, 2, 1, 77, 77), (2, 1, 1, 300, 300)]
LONG = [(1, 2, 1, 128, 128), (1, 2, 2, 257, 257), (1, 1, 1, 77, 300), (1, 8, 2, 40, 600), (1, 1, 1, 300, 77)]
HEADS = (64, 96, 128, 192, 256)
PROGRAMS = {f"{d}{', masked' * m}": Program(head=d, masked=m) for d, m in itertools.product(HEADS, (False, True))} | {
    "f16": Program(element="f16"),
    "f16 of 64, masked": Program(head=64, element="f16", masked=True),
    "window": Program(masked=True, window=100),
    "window of 256": Program(head=256, masked=True, window=33),
    "capped": Program(cap=2.0),
    "capped of 64, window": Program(head=64, cap=30.0, masked=True, window=150),
    "other columns of V": Program(head=192, head_v=128, masked=True),
    "more columns of V": Program(head=64, head_v=96),
    "negative scale": Program(sign=-1.0, masked=True),
    "far scores": Program(size=3000.0, masked=True),
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.sample(2)
def test_results(name: str, tmp_path: Path, cache: Path) -> None:
    check(PROGRAMS[name], tmp_path, SHORT)


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_more_lengths(name: str, tmp_path: Path, cache: Path) -> None:
    check(PROGRAMS[name], tmp_path, LONG, ("normal", "large", "zeros"))


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.sample(1)
def test_registers_suffice(name: str, tmp_path: Path, cache: Path) -> None:
    source = tmp_path / "attention.hip"
    source.write_text(PROGRAMS[name].source())
    assembly = build.device_assembly(source, build.Options(includes=(RUNTIME_INCLUDE,), line_tables=False)).read_text()
    assert ".vgpr_spill_count: 0" in assembly and ".private_segment_fixed_size: 0" in assembly
