"""Kernels with thread traces: what is read off their sources, and that the comparison runs from a folder alone."""

from __future__ import annotations

import ctypes
import mmap
import re
import shutil
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from porter.chip import DEFAULT_CHIP
from porter.emu.device import ARGUMENT_BYTES
from porter.perf.model.recorded import Recorded
from porter.perf.model.timeline import predicted_timeline
from porter.perf.timeline import viewer_files
from porter.toolchain import device_assembly
from porter.validation.assembly_launch import separate_buffers
from porter.validation.traces import __main__ as command
from porter.validation.traces import traced
from porter.validation.traces.traced import TracedKernel, find_kernels, recorded, timelines

KERNEL = """#include <hip/hip_runtime.h>
constexpr int TILE = 64;
constexpr int STEPS = TILE / 16;
#define M 512
#define N 1024
#define K 256
struct matrix { float *at; size_t batch, depth, rows, columns; int nothing; };
struct globals {
  matrix a, b, c;
  // dim3 grid() { return dim3(304); }
  /* size_t dynamic_shared_memory() { return 49152; } */
  dim3 grid() { return dim3((N / TILE), ceil_div(M, TILE)); }
  size_t dynamic_shared_memory() { return STEPS * TILE * sizeof_float; }
};
"""
BODY = """
__global__ __launch_bounds__(256) void add(const globals g) {
  extern __shared__ float tile[];
  const size_t at = (blockIdx.y * 64 + threadIdx.x / 16) * g.c.columns + blockIdx.x * 64 + threadIdx.x % 16 * 4;
  float sum = 0;
  #pragma unroll 1
  for (int i = 0; i < g.a.columns / 64; i++) {
    tile[threadIdx.x] = g.a.at[threadIdx.x * 4 + i] + g.b.at[threadIdx.x * 4 + i];
    __syncthreads();
    sum += tile[threadIdx.x ^ 1];
    __syncthreads();
  }
  g.c.at[at] = sum;
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kernel whose trace is the model's own prediction."""
    home = tmp_path_factory.mktemp("public") / "kernels" / "add"
    home.mkdir(parents=True)
    source = home / "add.hip"
    plain = KERNEL.replace("sizeof_float", "4")
    source.write_text("inline int ceil_div(int a, int b) { return (a + b - 1) / b; }\n" + plain + BODY)
    shutil.copy(device_assembly(source), home / "add-gfx942.s")
    trace = home / "ui_output_agent_1_dispatch_2"
    trace.mkdir()
    viewer = TracedKernel("add", home / "add-gfx942.s", source, trace)
    viewer_files.write(predicted_timeline(recorded(viewer), DEFAULT_CHIP.boards[-1]), trace, {})
    return home.parent.parent


def test_what_the_source_says_is_launched(folder: Path) -> None:
    (kernel,) = find_kernels(folder)
    (beside,) = timelines(kernel, DEFAULT_CHIP.boards[-1])
    measured, predicted, last = beside.measured, beside.alike, beside.last
    assert kernel.name == "kernels/add"
    # 16 x 8 workgroups of 4 waves: one compute unit of a die's 38 has one
    assert len(predicted.waves) == len(last.waves) == 4
    assert {instruction.mnemonic for instruction in predicted.instructions} >= {"s_barrier", "ds_write_b32"}
    assert measured.end - measured.begin == predicted.end - predicted.begin


def test_branches_are_of_the_type_that_thread_traces_give_them(folder: Path) -> None:
    (kernel,) = find_kernels(folder)
    timeline = next(timelines(kernel, DEFAULT_CHIP.boards[-1])).measured  # as it was written and read
    behind: dict[bool, list[int]] = {}  # cycles to the next instruction's issue
    for wave in timeline.waves:
        numbers, issues = wave.numbers, wave.issues
        for at, event in enumerate(wave.events[:-1]):
            if timeline.instructions[event[4]].mnemonic.startswith(("s_branch", "s_cbranch")):
                taken = numbers[at + 1] != numbers[at] + 1
                assert event[1] == (7 if taken else 8)
                behind.setdefault(bool(taken), []).append(int(issues[at + 1] - issues[at]))
    assert min(behind[False]) == 4 and min(behind[True]) in (20, 36)  # as measured: 36 across 32 bytes of code


@pytest.mark.parametrize(("waves", "unit"), [({0: 3, 37: 3, 1: 3, 2: 4}, 2), ({0: 3, 37: 4}, 37), ({0: 4}, 0), ({}, 0)])
def test_the_measured_unit_stands_beside_one_with_as_many_waves(
    folder: Path, monkeypatch: pytest.MonkeyPatch, waves: dict[int, int], unit: int
) -> None:
    (kernel,) = find_kernels(folder)
    whole = next(timelines(kernel, DEFAULT_CHIP.boards[-1])).first
    launch = replace(recorded(kernel), groups=38)
    monkeypatch.setattr(traced, "recorded", lambda kernel: launch)
    monkeypatch.setattr(
        traced, "predicted_timeline",
        lambda launch, board, unit=0, place=0: replace(whole, kernel=str(unit), waves=whole.waves[: waves.get(unit, 2)]),
    )  # fmt: skip
    assert next(timelines(kernel, DEFAULT_CHIP.boards[-1])).alike.kernel == str(unit)


def test_the_command_prints_and_writes_the_table(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["validation", str(folder), "--markdown", str(tmp_path / "table.md")])
    assert command.main() == 0
    out = capsys.readouterr().out
    assert "(+0.0%) of 4, 4 waves" in out
    assert "mean duration of a wave" in out and "last" in out
    apart, same = re.search(r"apart, 10%, 50%, 90%; .*: (.*) / (.*)", out).groups()  # type: ignore[union-attr]
    assert apart == same and not apart.startswith("none")
    assert "| kernels/add |" in (tmp_path / "table.md").read_text()


def test_a_source_without_sizes_is_not_run(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(folder, tmp_path / "copy")
    source = tmp_path / "copy" / "kernels" / "add" / "add.hip"
    source.write_text(source.read_text().replace("#define K 256", ""))
    monkeypatch.setattr("sys.argv", ["validation", str(tmp_path / "copy")])
    assert command.main() == 1
    assert "NOT RUN" in capsys.readouterr().out


def test_matrices_are_so_far_apart_that_their_distances_are_not_the_systems_choice() -> None:
    region = 65_536 * 4096  # core/places.c: what lies nearer keeps its distance
    sizes = [1 << 20, 1 << 21, 1 << 20]
    with separate_buffers(sizes) as addresses:
        between = [b - a - size for a, b, size in zip(addresses, addresses[1:], sizes, strict=False)]
    assert all(one > region for one in between)


def test_a_launch_has_one_prediction_wherever_the_system_puts_its_arguments(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (kernel,) = find_kernels(folder)

    def regions(launch: Recorded) -> list[int]:
        """Pages of the accesses to global memory, in the order of addresses, with the distance to the first one."""
        lines = set()
        for wave in launch._waves:
            words = iter(wave.words[: wave.length])
            for word in words:
                if word >> 60 in (0b1000, 0b1100):  # core/record.h: so many lines follow
                    lines |= {next(words) >> 2 for _ in range(word >> 32 & 0xFFFF)}
        pages = sorted({line // 32 for line in lines})
        return [page - pages[0] for page in pages]

    plain = regions(recorded(kernel))
    made, above = ctypes.create_string_buffer, mmap.mmap(-1, 1 << 20)  # it lies above what is mapped after it

    def elsewhere(size: int | bytes, *more: int) -> ctypes.Array[ctypes.c_char]:
        return (ctypes.c_char * size).from_buffer(above) if size == ARGUMENT_BYTES + 4096 else made(size, *more)

    monkeypatch.setattr(ctypes, "create_string_buffer", elsewhere)
    assert regions(recorded(kernel)) == plain
    assert sum(b - a > 65_536 for a, b in pairwise(plain)) == 3  # arguments, a, b, c
