"""The history of timings, and what counts as a change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from porter.cli.app import app
from porter.errors import InputError
from porter.harness.sweeps.sweep import Results
from porter.harness.timing.history import append, compare_rows, predicted_rows, read_history, rows_of, runs_to_compare
from porter.harness.verdict import Status, Timing, Verdict
from porter.perf.model.identity import model_digest

SOURCE = "kernel.cu"


def verdict(source: Path, median: float = 0.2, spread: float = 0.01, **more: Any) -> Verdict:
    timings = (
        Timing("original", median, median * (1 - spread), median * (1 + spread), 500, "warm"),
        Timing("torch eager", 0.4, 0.39, 0.41, 400, "warm"),
        Timing("original", 2 * median, 2 * median * (1 - spread), 2 * median * (1 + spread), 300, "cold"),
    )
    facts = {"device": {"device": "NVIDIA H200", "driver": "580", "torch": "2.11"}, "dtype": "bfloat16"}
    return Verdict(
        "gemm", "", "original", "NVIDIA H200", {"m": 4096}, "normal", 0, Status.PASS, source=str(source),
        timings=timings, flops=2 * 4096**3, bytes=1e8, bench=facts, **more,
    )  # fmt: skip


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / SOURCE
    file.write_text("// a kernel\n")
    return file


def test_rows_say_all_that_a_comparison_needs(source: Path, tmp_path: Path) -> None:
    warm, cold = rows_of([verdict(source)], tmp_path)
    assert (warm["mode"], cold["mode"]) == ("warm", "cold")
    assert warm["kind"] == "measured"
    assert warm["device"] == "NVIDIA H200"
    assert warm["versions"] == {"driver": "580", "torch": "2.11"}
    assert warm["tflops"] == pytest.approx(687.195)
    assert warm["gbs"] == pytest.approx(500.0)  # 1e8 bytes in 0.2 ms
    assert warm["beside"] == {"torch eager": {"median_ms": 0.4, "low_ms": 0.39, "high_ms": 0.41}}
    assert cold["beside"] == {}
    assert len(warm["source_sha256"]) == 64
    assert warm["run"] == cold["run"] and warm["time"].endswith("Z")


def predicted(source: Path, us: float, board: str = "MI300X") -> Verdict:
    said = {
        "board": board, "inputs": "memory", "microseconds": [0.9 * us, us, 1.11 * us], "flops": 2 * 4096**3, "bytes": 1e8,
        "dtype": "bfloat16", "published": [{"by": "hipBLASLt", "microseconds": 209.2}],
    }  # fmt: skip
    return Verdict(
        "gemm", "", "port", "emulator", {"m": 4096}, "normal", 0, Status.PASS, source=str(source), predicted=said
    )


def test_predictions_are_kept_with_their_board_and_model(source: Path, tmp_path: Path) -> None:
    (row,) = predicted_rows([predicted(source, 200)], tmp_path)
    assert (row["kind"], row["mode"], row["device"]) == ("predicted", "predicted", "MI300X, inputs in memory")
    assert (row["low_ms"], row["median_ms"], row["high_ms"]) == pytest.approx((0.18, 0.2, 0.222))
    assert row["tflops"] == pytest.approx(687.195)
    assert row["beside"] == {"hipBLASLt": {"median_ms": pytest.approx(0.2092)}}
    assert row["model"] == model_digest()


def test_predictions_differ_by_their_likely_times_whatever_their_ranges(source: Path, tmp_path: Path) -> None:
    """The same launch has one prediction, and the clock's range is the same for both."""
    before, after, near = (predicted_rows([predicted(source, us)], tmp_path) for us in (200, 190, 203))
    (change,) = compare_rows(before, after)
    assert (change.verdict, change.why) == ("faster", "same source")
    assert compare_rows(after, before)[0].verdict == "slower"
    assert compare_rows(before, near)[0].verdict == "same"
    other = [{**after[0], "model": "of before"}]
    assert compare_rows(before, other)[0].why == "another model of time"
    assert {change.verdict for change in compare_rows(before, rows_of([verdict(source)], tmp_path))} == {
        "only in A",
        "only in B",
    }


def test_verdicts_without_times_leave_no_rows(source: Path, tmp_path: Path) -> None:
    counted = Verdict("gemm", "", "port", "emulator", {}, "normal", 0, Status.PASS, counts={"instructions": 9})
    assert rows_of([counted], tmp_path) == []


def test_a_torn_line_costs_itself_alone(source: Path, tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    append(file, rows_of([verdict(source)], tmp_path))
    with file.open("a") as out:
        out.write('{"schema": "porter-ben')
    append(file, rows_of([verdict(source)], tmp_path))
    history = read_history(file)
    assert len(history.rows) == 4
    assert len(history.runs) == 2
    assert history.unread == (3,)


def test_rows_of_others_are_not_read(tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    file.write_text('{"schema": "porter-bench/9", "case": "gemm"}\n[1, 2]\n"text"\n')
    with pytest.raises(InputError, match="holds no timings"):
        read_history(file)


def test_files_runs_and_the_latest_two(source: Path, tmp_path: Path) -> None:
    file, other = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    for median in (0.1, 0.2, 0.3):
        append(file, rows_of([verdict(source, median)], tmp_path))
    append(other, rows_of([verdict(source, 0.4)], tmp_path))

    def medians(first: str, second: str | None) -> list[float]:
        return [float(history.rows[0]["median_ms"]) for history in runs_to_compare(first, second)]

    assert medians(str(file), None) == [0.2, 0.3]
    assert medians(str(file), str(other)) == [0.3, 0.4]
    assert medians(f"{file}#1", f"{file}#-1") == [0.1, 0.3]
    for text in (f"{file}#4", f"{file}#0", f"{file}#first"):
        with pytest.raises(InputError, match="no such run"):
            runs_to_compare(text, str(other))
    with pytest.raises(InputError, match="holds one run"):
        runs_to_compare(str(other), None)


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ((0.200, 0.01), (0.300, 0.01), "slower"),
        ((0.300, 0.01), (0.200, 0.01), "faster"),
        ((0.200, 0.01), (0.203, 0.001), "same"),  # 1.5%: less than clocks drift
        ((0.200, 0.10), (0.230, 0.10), "within noise"),  # the spreads meet
        ((0.200, 0.001), (0.210, 0.001), "slower"),
    ],
)
def test_changes(source: Path, tmp_path: Path, old: tuple[float, float], new: tuple[float, float], word: str) -> None:
    before, after = (rows_of([verdict(source, *times)], tmp_path) for times in (old, new))
    changes = compare_rows(before, after)
    assert [change.verdict for change in changes] == [word, word]
    assert changes[0].ratio == pytest.approx(new[0] / old[0])
    assert changes[0].same_source


def test_rows_of_another_device_shape_or_mode_are_not_compared(source: Path, tmp_path: Path) -> None:
    before = rows_of([verdict(source)], tmp_path)
    after = [dict(row, device="NVIDIA H100") for row in before]
    assert [change.verdict for change in compare_rows(before, after)] == ["only in A"] * 2 + ["only in B"] * 2


def test_the_command(source: Path, tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    append(file, rows_of([verdict(source, 0.2)], tmp_path))
    source.write_text("// a slower kernel\n")
    append(file, rows_of([verdict(source, 0.3)], tmp_path))
    runner = CliRunner()
    result = runner.invoke(app, ["bench", "compare", str(file)], standalone_mode=False)
    assert result.return_value == 0
    assert "measured" in result.output
    assert "1.500" in result.output
    assert "2 slower" in result.output
    assert "same source" not in result.output
    result = runner.invoke(app, ["bench", "compare", str(file), "--fail-on-regression"], standalone_mode=False)
    assert result.return_value == 1
    swapped = ["bench", "compare", f"{file}#2", f"{file}#1", "--fail-on-regression"]
    assert runner.invoke(app, swapped, standalone_mode=False).return_value == 0


def test_the_command_says_of_predictions_that_they_are(source: Path, tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    for us in (200, 190):
        append(file, predicted_rows([predicted(source, us)], tmp_path))
    result = CliRunner().invoke(app, ["bench", "compare", str(file)], standalone_mode=False)
    assert result.return_value == 0
    assert "predicted on MI300X, inputs in memory" in result.output
    assert "measured" not in result.output
    assert "0.950  faster (same source)" in result.output


def test_rows_are_plain_json(source: Path, tmp_path: Path) -> None:
    file = tmp_path / "history.jsonl"
    append(file, rows_of([verdict(source)], tmp_path))
    assert [json.loads(line)["schema"] for line in file.read_text().splitlines()] == ["porter-bench/1"] * 2


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no/history"):
        append(tmp_path / "no" / "history.jsonl", [{"a": 1}])


def swept(file: Path, us: dict[tuple[int, str], float], sources: str = "1", **more: Any) -> Path:
    """Results of a sweep: times by a constant and a set of flags; 0 for a configuration that was skipped."""
    results = Results(file)
    for (tile, words), likely in us.items():
        about = {
            "case": "gemm", "side": "port", "constants": {"TILE": tile, "PREFETCH": False}, "flags": "any name",
            "words": words.split(), "sources": sources,
        }  # fmt: skip
        timed = {"status": "done", "microseconds": [0.9 * likely, likely, 1.1 * likely]}
        row = {
            **about,
            "key": f"{tile}{words}{sources}",
            "shape": {"m": 64},
            "kind": "predicted",
            "device": "MI300X",
            "model": "a",
        }
        results.add({**row, **(timed if likely else {"status": "skipped", "reason": "LDS"}), **more})
    return file


def compare(*names: object) -> str:
    return CliRunner().invoke(app, ["bench", "compare", *map(str, names)], standalone_mode=False).output


def test_sweeps_are_compared_point_by_point(tmp_path: Path) -> None:
    """By shape, constants and flags, whatever the set of flags is called; what has a time on one side alone is said."""
    before = swept(tmp_path / "a.jsonl", {(128, ""): 100, (128, "-ffast-math"): 90, (256, ""): 70, (512, ""): 50})
    after = swept(tmp_path / "b.jsonl", {(128, ""): 100, (128, "-ffast-math"): 45, (256, ""): 140, (512, ""): 0}, "2")
    Results(after).add(
        {"key": "proof", "kind": "proof", "status": "failed", "reason": "off", "case": "gemm", "side": "port", "sources": "2",
         "constants": {"TILE": 128, "PREFETCH": False}, "words": ["-ffast-math"]}
    )  # fmt: skip
    said = compare(before, after)
    rows = {tuple(line.split()[2:4]): line for line in said.splitlines() if line.startswith("gemm")}
    assert rows["TILE=128", "predicted"].split()[-2:] == ["1.000", "same"]
    assert "0.500  faster (wrong in B)" in rows["TILE=128", "-ffast-math"]
    assert "2.000" in rows["TILE=256", "predicted"] and "slower" in rows["TILE=256", "predicted"]
    assert rows["TILE=512", "predicted"].endswith("only in A")
    assert "predicted on MI300X" in said
    assert "1 faster and 1 slower beyond the noise, 1 not, 1 only in A" in said
    assert "points without a time in B: 1 skipped" in said
    failing = CliRunner().invoke(
        app, ["bench", "compare", str(before), str(after), "--fail-on-regression"], standalone_mode=False
    )
    assert failing.return_value == 1


def test_one_file_of_a_sweep_has_each_points_last_two_results(tmp_path: Path) -> None:
    file = swept(tmp_path / "a.jsonl", {(128, ""): 100, (256, ""): 70})
    with pytest.raises(InputError, match="holds one result of each point"):
        runs_to_compare(str(file), None)
    swept(file, {(128, ""): 100, (256, ""): 0}, "2")
    swept(file, {(128, ""): 80}, "2")  # the same point again: what it was before counts no more
    old, new = runs_to_compare(str(file), None)
    assert [(row["configuration"], row["median_ms"]) for row in old.rows] == [("TILE=128", 0.1), ("TILE=256", 0.07)]
    assert [row["median_ms"] for row in new.rows] == [0.08] and new.without == {"skipped": 1}


def test_a_sweep_is_not_held_to_a_history(source: Path, tmp_path: Path) -> None:
    sweep, history = swept(tmp_path / "a.jsonl", {(128, ""): 100}), tmp_path / "b.jsonl"
    append(history, rows_of([verdict(source)], tmp_path))
    with pytest.raises(InputError, match="no results of a sweep, as the other file has"):
        runs_to_compare(str(sweep), str(history))
    with pytest.raises(InputError, match="a sweep's results have no runs"):
        runs_to_compare(f"{sweep}#1", str(sweep))


def test_of_many_timings_the_largest_changes_are_shown(tmp_path: Path) -> None:
    before = swept(tmp_path / "a.jsonl", {(tile, ""): 100 for tile in range(100)})
    after = swept(tmp_path / "b.jsonl", {(tile, ""): {7: 300, 9: 50}.get(tile, 100) for tile in range(100)})
    lines = compare(before, after).splitlines()
    assert [line.split()[2] for line in lines if line.startswith("gemm")] == ["TILE=7", "TILE=9"]
    assert "98 of 100 are not shown: those that changed least" in lines
    assert "1 faster and 1 slower beyond the noise, 98 not" in lines


def test_sides_that_have_nothing_in_common_are_said(tmp_path: Path) -> None:
    before, after = (swept(tmp_path / f"{case}.jsonl", {(1, ""): 5}, case=case) for case in ("gemm", "mmeg"))
    said = compare(before, after)
    assert "nothing is in both: A has gemm (port, predicted, MI300X), B has mmeg (port, predicted, MI300X)" in said
