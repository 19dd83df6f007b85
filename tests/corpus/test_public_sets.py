"""The command that holds the model to what is public: made-up sets, whose measured figures follow from the prediction."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from porter.errors import UsageError
from porter.perf.model.boards import Inputs, board_named
from porter.toolchain import device_assembly
from porter.validation import launches
from porter.validation.__main__ import main
from porter.validation.description import Case, Described, described_sets, find_root
from porter.validation.goals import GOALS, Figure, verdicts

KERNEL = """#include <hip/hip_runtime.h>
template <int STEPS> __global__ void sums(const float *in, char *, float *out, int n) {
  extern __shared__ float tile[];
  float sum = 0;
  for (int i = 0; i < STEPS * n; i++) {
    tile[threadIdx.x] = in[i * 64 + threadIdx.x];
    __syncthreads();
    sum += tile[threadIdx.x ^ 1];
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum * FACTOR;
}
template __global__ void sums<1>(const float *, char *, float *, int);
template __global__ void sums<8>(const float *, char *, float *, int);
"""
SET = """
title = "Sums"
kind = "launches"
repository = "https://example.org/sums"
holds = "kernels/sums.hip"
figures = "its README"
board = "MI300X"
inputs = "cache"
goals = ["range", "order"]

[common]
source = "kernels/sums.hip"
grid = ["blocks / 2", 2]
block = 64
lds = "4 * 64"
arguments = ["buffer in", "i64 0", "buffer out", "i32 rounds"]
flop = "64 * blocks"
compile = { defines = ["FACTOR=3"] }
values = { blocks = 16, rounds = 20 }

[common.buffers]
in = "4 * 64 * rounds * 8"
out = "4 * 64 * blocks"

[[case]]
name = "one"
kernel = "sums<1>"
measured.us = %s

[[case]]
name = "eight"
kernel = "sums<8>"
values = { blocks = 32 }
measured.us = %s
"""


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds a made-up public repository, somewhere inside."""
    folder = tmp_path_factory.mktemp("public")
    (folder / "clones" / "sums" / "kernels").mkdir(parents=True)
    (folder / "clones" / "sums" / "kernels" / "sums.hip").write_text(KERNEL)
    return folder


def described(folder: Path, one: object, eight: object, text: str = SET) -> Path:
    """A folder with the description of the set, with these measured figures."""
    sets = folder / "sets"
    sets.mkdir(exist_ok=True)
    (sets / "sums.toml").write_text(text % (one, eight))
    return sets


def found(public: Path, sets: Path, out: Path, *more: str) -> tuple[int, dict[str, object]]:
    code = main([str(public), "--sets", str(sets), "--json", str(out), *more])
    return code, json.loads(out.read_text())["sets"][0]


def test_a_set_is_found_run_and_held_to_its_goals(
    public: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, first = found(public, described(tmp_path, 1, 1000), tmp_path / "first.json")
    assert code == 1  # no kernel takes 1 us between two events, nor these a millisecond
    assert [one["met"] for one in first["goals"]] == [False, False, True]  # two ranges, and the order
    assert "goal: what was measured is in the predicted range: 0 of 2; missed: one: 1" in capsys.readouterr().out
    one, eight = (figure["predicted"] for figure in first["figures"])
    assert 5.65 <= one < eight  # eight times as many steps

    code, again = found(public, described(tmp_path, [one, one], eight), tmp_path / "again.json")
    assert code == 0
    assert [figure["predicted"] for figure in again["figures"]] == [one, eight]
    assert all(figure["off"] == pytest.approx(0) for figure in again["figures"])
    assert again["found"] == str(public / "clones" / "sums")

    # measured the other way round: the rank order is wrong
    code, turned = found(public, described(tmp_path, eight, one), tmp_path / "turned.json")
    assert code == 1
    order = next(one for one in turned["goals"] if one["goal"] == "order")
    assert order["text"] == "measured one > eight; predicted eight > one"


def test_speed_and_cycles_of_a_step(public: Path, tmp_path: Path) -> None:
    text = SET.replace("measured.us = %s", "measured = { tflops = 0.0001, step = %s }")
    _, outcome = found(public, described(tmp_path, 500, 500, text), tmp_path / "out.json")
    figures = {(one["case"], one["figure"]): one for one in outcome["figures"]}
    # what follows the loads costs as much in every step
    steps = [figures[case, "cycles a step"]["predicted"] for case in ("one", "eight")]
    assert steps[0] == pytest.approx(steps[1], rel=0.2)
    speed = figures["eight", "TFLOP/s"]
    assert speed["range"][0] < speed["predicted"] < speed["range"][1]
    assert 0 < speed["predicted"] * 1e6 * 5.65 <= 64 * 32  # of its operations, in no less than 5.65 us


def test_a_kernels_own_time_is_shorter_than_that_between_events(public: Path, tmp_path: Path) -> None:
    sets = described(tmp_path, [1, 1e6], 1)
    code, between = found(public, sets, tmp_path / "1.json")
    ranges = [one["met"] for one in between["goals"] if one["about"] == "one"]
    assert (code, ranges) == (1, [False, False])  # each value that was measured counts
    _, own = found(
        public,
        described(tmp_path, 1, 1, SET.replace("block = 64", 'block = 64\ntimed = "kernel"')),
        tmp_path / "2.json",
    )
    for longer, shorter in zip(between["figures"], own["figures"], strict=True):
        assert 1.5 < shorter["predicted"] < longer["predicted"]  # it costs that much to launch


def test_assembly_that_is_there_runs_as_compiled_source_does(public: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(public, copy)
    home = copy / "clones" / "sums" / "kernels"
    (home / "sums.hip").write_text(KERNEL.replace("FACTOR", "3"))
    shutil.copy(device_assembly(home / "sums.hip"), home / "sums.s")
    assembled = SET.replace('source = "kernels/sums.hip"', 'assembly = "kernels/sums.s"')
    _, compiled = found(copy, described(tmp_path, 9, 9), tmp_path / "1.json")
    _, read = found(copy, described(tmp_path, 9, 9, assembled), tmp_path / "2.json")
    assert read["figures"] == compiled["figures"]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('"sums<8>"', '"sums<9>"', "no kernel sums<9> among sums<1>, sums<8>"),
        (', "i32 rounds"]', "]", "24 bytes, those of the kernel 28"),
        ('"i32 rounds"', '"f16 rounds"', "is no argument"),
        ('"4 * 64"', '"4 * lanes"', "4 * lanes is no whole number"),
        ('"4 * 64 * rounds * 8"', '"4 * 64"', "in the emulator"),  # a buffer that is too small
        ("{ defines =", "{ define =", "unknown keys of compile: define"),
        ('["FACTOR=3"]', "[]", "FACTOR"),  # it does not compile
        ("block = 64", 'block = 64\ntimed = "clock"', "timed by clock"),
    ],
)
def test_what_does_not_run_is_named(
    public: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, why: str
) -> None:
    text = SET.replace(old, new)
    assert text != SET
    code, outcome = found(public, described(tmp_path, 9, 9, text), tmp_path / "out.json")
    assert code == 1
    assert any(why in one["reason"] for one in outcome["not_run"])
    out = capsys.readouterr().out
    assert "NOT RUN" in out and why in out
    # an order is not told where something is missing
    assert next(one for one in outcome["goals"] if one["goal"] == "order")["met"] is None


def test_counters_stand_beside_what_the_emulator_counts(public: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(public, copy)
    table = copy / "clones" / "sums" / "pmc_perf.csv"
    waves = (
        32 // 2 * 2
    )  # a workgroup each, which loads, writes and reads once in each of 160 steps, and stores at the end
    kernel = '"void sums<8>(float const*, char*, float*, int) [clone .kd]"'
    rows = [
        "Kernel_Name,SQ_INSTS_LDS,SQ_INSTS_VMEM_RD,SQ_INSTS_VMEM_WR,SQ_INSTS_MFMA,SQ_LDS_IDX_ACTIVE,SQ_BUSY_CYCLES",
        f"{kernel},{waves * 160 * 2},{waves * 160},{waves},0,1,5",
        f"{kernel},{waves * 160 * 2},{waves * 160 + 9},{waves},0,1,5",
        '"others(int)",1,1,1,1,1,1',
    ]
    table.write_text("\n".join(rows) + "\n")
    text = SET.replace('goals = ["range", "order"]', 'goals = ["counters"]')
    text = text.replace('kernel = "sums<8>"', 'kernel = "sums<8>"\ncounters = "pmc_perf.csv"')
    code, outcome = found(copy, described(tmp_path, 9, 9, text), tmp_path / "out.json")
    counted = {one["figure"]: one for one in outcome["figures"] if one["group"] == "counters"}
    assert counted["SQ_INSTS_LDS"]["off"] == counted["SQ_INSTS_VMEM_WR"]["off"] == counted["SQ_INSTS_MFMA"]["off"] == 0
    assert counted["SQ_INSTS_VMEM_RD"]["measured"] == [waves * 160, waves * 160 + 9]
    assert counted["SQ_INSTS_VMEM_RD"]["predicted"] == waves * 160
    assert "SQ_BUSY_CYCLES" not in counted  # the emulator does not count it
    missed = [one["about"] for one in outcome["goals"] if not one["met"]]
    assert (code, missed) == (1, ["SQ_LDS_IDX_ACTIVE"])
    table.write_text(rows[0] + "\n")
    code, outcome = found(copy, described(tmp_path, 9, 9, text), tmp_path / "out.json")
    assert "has no launch of sums<8>" in outcome["not_run"][0]["reason"]


TRITON = """
import os
import triton
import triton.language as tl

FACTOR = tl.constexpr(int(os.environ["FACTOR"]))


@triton.jit
def scaled(given, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK], tl.float32)
    for step in range(n):
        total += tl.load(given + step * BLOCK + at)
    tl.store(out + at, total * FACTOR)
"""


def test_modules_of_tritons_are_compiled_for_the_chip(
    public: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(public, copy)
    (copy / "clones" / "sums" / "kernels" / "scaled.py").write_text(TRITON)
    how = """{ module = "kernels/scaled.py", function = "scaled", signature = "*fp32:16, *fp32:16, i32, 64",
      options = { num_warps = 1 }, environment = { FACTOR = "3" } }"""
    text = SET.replace('source = "kernels/sums.hip"', f"triton = {how.replace(chr(10), ' ')}")
    text = text.replace('kernel = "sums<1>"', 'kernel = "scaled"').replace('kernel = "sums<8>"', 'kernel = "scaled"')
    text = text.replace('"buffer in", "i64 0", ', '"buffer in", ').replace(
        '"i32 rounds"', '"i32 rounds", "i64 0", "i64 0"'
    )
    code, outcome = found(copy, described(tmp_path, 1, 1000, text), tmp_path / "out.json")
    assert not outcome["not_run"]
    assert [one["figure"] for one in outcome["figures"]] == ["us", "us"]
    assert all(one["predicted"] >= 5.65 for one in outcome["figures"])

    other = text.replace("FACTOR = ", "UNKNOWN = ")
    code, outcome = found(copy, described(tmp_path, 1, 1000, other), tmp_path / "out.json")
    assert code == 1 and all("KeyError: 'FACTOR'" in one["reason"] for one in outcome["not_run"])
    more = text.replace('function = "scaled"', 'function = "scaled", requires = ["PORTER_TEST_PLUGIN"]')
    code, outcome = found(copy, described(tmp_path, 1, 1000, more), tmp_path / "out.json")
    assert code == 1 and all("PORTER_TEST_PLUGIN is not set" in one["reason"] for one in outcome["not_run"])
    older = text.replace('function = "scaled"', 'function = "scaled", version = "2.0"')
    code, outcome = found(copy, described(tmp_path, 1, 1000, older), tmp_path / "out.json")
    assert code == 1 and all("it is for Triton 2.0" in one["reason"] for one in outcome["not_run"])


def test_what_is_not_there_says_what_to_clone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sets = described(tmp_path, 1, 1)
    assert main([str(tmp_path), "--sets", str(sets)]) == 1
    assert "NOT FOUND: Sums: clone https://example.org/sums (kernels/sums.hip)" in capsys.readouterr().out
    assert main([str(tmp_path), "--sets", str(sets), "--set", "others"]) == 2
    assert "unknown set others; one of sums" in capsys.readouterr().err
    assert main(["--sets", str(sets)]) == 2
    capsys.readouterr()
    assert main([str(tmp_path / "nowhere"), "--sets", str(sets)]) == 2
    assert "nowhere: no such folder" in capsys.readouterr().err
    assert main(["--sets", str(sets), "--list"]) == 0
    assert "https://example.org/sums" in capsys.readouterr().out


def test_a_set_that_is_not_there_is_a_failure_where_it_was_asked_for(public: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    _, first = found(public, described(tmp_path, 1, 1000), out)
    one, eight = (figure["predicted"] for figure in first["figures"])
    sets = described(tmp_path, one, eight)
    (sets / "zeros.toml").write_text(SET.replace("kernels/sums.hip", "kernels/zeros.hip") % (1, 1))
    assert main([str(public), "--sets", str(sets)]) == 0
    assert main([str(public), "--sets", str(sets), "--set", "sums", "--set", "zeros"]) == 1


def test_tables_have_every_figure_and_goal(public: Path, tmp_path: Path) -> None:
    sets = described(tmp_path, 1, 1000)
    (sets / "zeros.toml").write_text(SET.replace("kernels/sums.hip", "kernels/zeros.hip") % (1, 1))
    main([str(public), "--sets", str(sets), "--markdown", str(tmp_path / "tables.md")])
    lines = (tmp_path / "tables.md").read_text().splitlines()
    assert sum(line.startswith(("| one | us | 1 |", "| eight | us | 1,000 |")) for line in lines) == 2
    assert sum(line.startswith("- goal: ") for line in lines) == 2
    assert any("NOT FOUND" in line for line in lines)


def test_rows_of_a_table_are_cases_and_odd_ones_are_for_checking(tmp_path: Path) -> None:
    table = """
[[table]]
name = "{blocks} blocks"
kernel = "sums<1>"
first = 4
columns = ["blocks", "us"]
rows = [[2, 7.5], [4, 9.0]]
"""
    (tmp_path / "own.toml").write_text(SET.split("[[case]]")[0] + table)
    first, second = described_sets(tmp_path)[0].cases
    assert (first.name, first.number("blocks"), first.number("rounds")) == ("2 blocks", 2, 20)
    assert first.published("us") == (7.5,)
    assert (first.checking, second.checking) == (False, True)


def test_goals_of_cases_for_checking_are_about_their_mean_and_each() -> None:
    cases = tuple(Case(str(n), checking=n > 1) for n in range(4))
    described = Described("x", "", "launches", "", "", "", board_named("MI300X"), Inputs.CACHE, ("checking",), cases)
    figures = [Figure(case.name, "us", (10.0,), 10 + 0.8 * int(case.name)) for case in cases]
    told = verdicts(described, figures)
    assert [(one.about, one.met, one.text) for one in told] == [
        ("mean of 2", False, "20.0%"), ("2", False, "+16.0%"), ("3", False, "+24.0%"),
    ]  # fmt: skip


def test_bytes_between_arguments_are_skipped() -> None:
    case = Case("x", arguments=("i32 1", "pad 12", "i64 2"), values={})
    assert [offset for _, offset in launches._with_offsets(case.arguments)] == [0, 4, 16]
    assert launches._argument(case, "pad 12", {}, 4) == bytes(12)


def test_the_sets_that_porter_comes_with_can_be_read() -> None:
    sets = described_sets()
    assert {"hipkittens", "learn-cuda", "mgpusim", "thread-traces"} <= {one.name for one in sets}
    for one in sets:
        assert one.cases and one.repository.startswith("https://github.com/")
        assert one.goals and set(one.goals) <= set(GOALS)
        names = [case.name for case in one.cases]
        assert len(set(names)) == len(names)
        assert {name for order in one.orders for name in order} <= set(names)
        for case in one.cases:
            assert case.measured or case.counters or one.kind in ("traces", "programs")
            for number in (*case.grid, case.block, case.lds, case.flop, *(case.buffers or {}).values()):
                assert case.number(number) >= 0


def test_a_description_with_unknown_keys_is_refused(tmp_path: Path) -> None:
    described(tmp_path, 1, 1, SET.replace("block = 64", "blok = 64"))
    with pytest.raises(UsageError, match="unknown keys: blok"):
        described_sets(tmp_path / "sets")


def test_a_root_is_where_the_whole_path_is(tmp_path: Path) -> None:
    (tmp_path / "a" / "other").mkdir(parents=True)
    (tmp_path / "b" / "c" / "kernels").mkdir(parents=True)
    (tmp_path / "a" / "other" / "x.hip").touch()
    (tmp_path / "b" / "c" / "kernels" / "x.hip").touch()
    assert find_root([tmp_path], "kernels/x.hip") == tmp_path / "b" / "c"
    assert find_root([tmp_path / "a"], "kernels/x.hip") is None
    assert find_root([tmp_path / "b" / "c"], "kernels/x.hip") == tmp_path / "b" / "c"


def _described(goals: tuple[str, ...], *cases: Case) -> Described:
    one = described_sets()[0]
    return Described("made", "Made up", "launches", "", "", "", one.board, one.inputs, goals, cases)


@pytest.mark.parametrize(("off", "met"), [(0.049, True), (-0.049, True), (0.051, False), (-0.051, False)])
def test_goals_of_spans_and_shares(off: float, met: bool) -> None:
    figures = [Figure("a", "cycles", (1000.0,), 1000 * (1 + off)), Figure("a", "MFMA share", (0.6,), 0.6 + off)]
    assert [one.met for one in verdicts(_described(("span", "share")), figures)] == [met, met]


def test_goals_of_programs_are_about_means() -> None:
    runs = [("copy", 1.1), ("copy", 0.85), ("sum", 1.2), ("sum", 1.1)]
    figures = [Figure(f"{name} {n}", "us", (1.0,), value, group=name) for n, (name, value) in enumerate(runs)]
    made = _described(("memory", "mean"), Case("table", memory=("copy", "gone")))
    assert [(one.about, one.met) for one in verdicts(made, figures)] == [("copy", True), ("2 benchmarks", True)]
    slow = [*figures, Figure("copy 9", "us", (1.0,), 1.3, group="copy")]
    # 18% of copy, 15% of sum
    assert [(one.about, one.met) for one in verdicts(made, slow)] == [("copy", False), ("2 benchmarks", False)]


def test_kinds_are_ordered_within_each_case() -> None:
    def kinds(case: str, *values: tuple[float, float]) -> list[Figure]:
        return [
            Figure(case, name, (real,), predicted, group="kinds")
            for name, (real, predicted) in zip("xyz", values, strict=True)
        ]

    figures = [*kinds("a", (0.5, 0.4), (0.3, 0.35), (0.0, 0.1)), *kinds("b", (0.5, 0.2), (0.3, 0.35), (0.1, 0.1))]
    first, second = verdicts(_described(("kinds",)), figures)
    assert (first.met, second.met) == (True, False)
    assert second.text == "measured x > y > z; predicted y > x > z"
