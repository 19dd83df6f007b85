"""What timelines add up to, how they are drawn and compared, and the command that does it."""

from __future__ import annotations

import base64
import gzip
import io
import json
import re
import zlib
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from commands import porter
from made_trace import pair, write_sample
from rich.console import Console

from porter.chip import GFX942
from porter.perf.timeline.compare import compare
from porter.perf.timeline.html import page
from porter.perf.timeline.kinds import Kind, kind_of, matrix_cycles, matrix_intervals
from porter.perf.timeline.measures import measure, window
from porter.perf.timeline.perfetto import trace_events
from porter.perf.timeline.summary import print_comparison, print_summary
from porter.perf.timeline.timeline import Instruction, Timeline
from porter.perf.timeline.viewer_files import read


@pytest.mark.parametrize(
    ("text", "cycles"),
    [
        ("v_mfma_f32_16x16x16_bf16 a[0:3], v[4:5], v[6:7], a[0:3]", 16),
        ("v_mfma_f32_16x16x16_bf16_1k v[0:3], v[4:5], v[6:7], 0", 16),
        ("v_mfma_f32_32x32x8_f16 v[0:15], v[4:5], v[6:7], v[0:15]", 32),
        ("v_mfma_f32_32x32x4_2b_f16 a[0:31], v[4:5], v[6:7], a[0:31]", 64),
        ("v_mfma_f32_16x16x32_fp8_bf8 v[0:3], v[4:5], v[6:7], 0", 16),
        ("v_mfma_f32_16x16x4_f32 v[0:3], v4, v6, 0", 32),
        ("v_mfma_f64_16x16x4_f64 v[0:7], v[4:5], v[6:7], 0", 32),
        ("v_smfmac_f32_16x16x32_f16 v[0:3], v[4:5], v[6:9], v10", 16),
        ("v_add_f32_e32 v0, v1, v2", 0),
        ("s_barrier", 0),
    ],
)
def test_cycles_of_the_matrix_pipe(text, cycles):
    assert matrix_cycles(Instruction(text)) == cycles


def test_kinds():
    texts = {
        "v_mfma_f32_16x16x16_f16 v[0:3]": Kind.MFMA,
        "v_exp_f32_e32 v0, v1": Kind.VALU,
        "ds_read2_b64 v[0:3], v4": Kind.LDS_READ,
        "ds_write_b128 v0, v[1:4]": Kind.LDS_WRITE,
        "ds_add_u32 v0, v1": Kind.LDS_WRITE,
        "buffer_load_dwordx4 v[0:3], v4, s[0:3], 0 offen": Kind.LOAD,
        "global_atomic_add_f32 v0, v1, s[0:1]": Kind.STORE,
        "flat_store_dword v[0:1], v2": Kind.STORE,
        "s_load_dwordx2 s[0:1], s[2:3], 0x0": Kind.SCALAR,
        "s_cbranch_scc1 12": Kind.SCALAR,
        "s_setprio 1": Kind.OTHER,
        "s_waitcnt vmcnt(0)": Kind.WAITCNT,
        "s_barrier": Kind.BARRIER,
    }
    assert {text: kind_of(Instruction(text)) for text in texts} == texts


def test_products_queue_for_the_pipe():
    """Both waves issue at once: the second's product begins where the first's ends."""
    timeline = pair(together=True, steps=1)
    late = [replace(wave, events=wave.events[:1] * [1, 1, 0, 1, 1]) for wave in timeline.waves]
    begins, ends, slots = matrix_intervals(timeline, late)
    assert (begins.tolist(), ends.tolist(), slots.tolist()) == ([100, 116], [116, 132], [0, 1])


def test_waves_that_take_turns():
    apart, together = measure(pair(together=False)), measure(pair(together=True))
    (simd,) = apart.simds
    # 8 steps of 2 turns of 4 products of 16 cycles
    assert (simd.products, simd.matrix_cycles, simd.turns, simd.within) == (64, 1024, 16, 0)
    assert simd.share == pytest.approx(1024 / simd.span)
    assert apart.share > together.share
    assert apart.steps is not None and apart.steps.cycles.tolist() == [148] * 14
    assert apart.steps.head == 1 and apart.steps.tail == 8


def test_sums():
    measures = measure(pair(together=False))
    assert {k.label: s.executions for k, s in measures.kinds.items()} == {
        "MFMA": 64, "LDS read": 16, "scalar": 16, "nop, setprio": 2, "waitcnt": 16, "barrier": 16, "idle": 0,
    }  # fmt: skip
    assert measures.instructions[6].stall == measures.kinds[Kind.WAITCNT].cycles == 16 * 60
    assert sum(sums.cycles for sums in measures.kinds.values()) == measures.wave_cycles
    assert measures.lines["tile.hip", 11].cycles == 16 * 68
    # No product is stalled while the pipe is idle, and every wait is partly
    assert measures.kinds[Kind.MFMA].pipe_idle == 0
    assert 0 < measures.kinds[Kind.WAITCNT].pipe_idle < measures.kinds[Kind.WAITCNT].cycles


def test_cycles_with_the_pipe_idle_by_counting_cycles():
    timeline = pair(together=False, steps=2)
    busy = np.zeros(timeline.end, bool)
    for begin, end in zip(*matrix_intervals(timeline, list(timeline.waves))[:2]):
        busy[begin:end] = True
    for kind, number in ((Kind.WAITCNT, 6), (Kind.BARRIER, 7)):
        events = np.concatenate([wave.events[wave.numbers == number] for wave in timeline.waves])
        counted = sum(int((~busy[time : time + duration]).sum()) for time, _, _, duration, _ in events.tolist())
        assert measure(timeline).kinds[kind].pipe_idle == counted


def test_the_inner_loop_is_the_main_one():
    """A loop of 3 around a loop of 4: 12 steps of 8 cycles, 9 of which come from behind."""
    rows, time = [], 0
    for _ in range(3):
        for number in [1, *[2, 3] * 4, 4]:
            rows.append([time, 6, 0, 4, number])
            time += 4
    timeline = pair(together=True)
    wave = replace(timeline.waves[0], events=np.array(rows), begin=0, end=time)
    steps = measure(replace(timeline, waves=(wave,))).steps
    assert steps is not None
    assert (steps.head, steps.tail, steps.cycles.tolist()) == (2, 3, [8] * 9)


def test_nothing_repeats():
    timeline = pair(together=True, steps=1)
    straight = replace(timeline, waves=tuple(replace(w, events=w.events[3:]) for w in timeline.waves))
    assert measure(straight).steps is None


def test_a_window():
    timeline = pair(together=False)
    part = window(timeline, 200, 300, None)
    assert all(wave.begin >= timeline.begin + 100 for wave in part.waves)
    assert all(
        (wave.ends > timeline.begin + 200).all() and (wave.times < timeline.begin + 300).all() for wave in part.waves
    )
    assert sum(len(wave.events) for wave in part.waves) < sum(len(wave.events) for wave in timeline.waves)
    assert window(timeline, None, None, 0) == timeline
    assert not window(timeline, None, None, 7).waves


def test_differences():
    a, b = pair(together=False), pair(together=True)
    other = tuple(
        replace(row, text=row.text.replace("v[6:7]", "v[10:11]").replace("s_endpgm", "s_nop 0"))
        for row in b.instructions
    )
    b = replace(b, instructions=other)
    comparison = compare((a, measure(a)), (b, measure(b)))
    # Registers differ: matched by the mnemonic. What one alone has stands alone
    assert [pair.numbers for pair in comparison.instructions] == [*((n, n) for n in range(1, 9)), (9, None), (None, 9)]
    kinds = {pair.kind: pair for pair in comparison.kinds}
    assert kinds[Kind.WAITCNT].difference == 0
    barrier = next(pair for pair in comparison.instructions if pair.texts[0] == "s_barrier")
    assert (barrier.each(0), barrier.each(1)) == ((24, 24), (52, 52))
    assert comparison.for_a_wave(barrier) == 8 * 28 == kinds[Kind.BARRIER].difference
    same = compare((a, measure(a)), (a, measure(a)))
    assert all(pair.difference == 0 and pair.numbers[0] == pair.numbers[1] for pair in same.instructions)


def test_differences_with_other_registers():
    """One product was taken out and all others have other registers: the barrier still meets the barrier."""
    a, b = pair(together=False), pair(together=True)
    other = [replace(row, text=re.sub(r"\d+:\d+", "90:91", row.text)) for row in b.instructions]
    waves = tuple(replace(w, events=w.events[w.numbers != 2]) for w in b.waves)
    b = replace(b, instructions=tuple(other), waves=waves)
    comparison = compare((a, measure(a)), (b, measure(b)))
    numbers = [pair.numbers for pair in comparison.instructions]
    assert (7, 7) in numbers and (5, 5) in numbers
    assert sum(None in both for both in numbers) == 1


def test_what_two_kernels_share_is_said_and_their_instructions_have_numbers():
    """A long name is one line; instructions of one text can be told apart."""
    a, b = pair(together=False), pair(together=True)
    console = Console(width=100, record=True, file=io.StringIO())
    names = ["/" + "a" * 200, "b"]
    print_comparison(compare((a, measure(a)), (b, measure(b))), names, 12, console)
    said = console.export_text()
    assert f"A {names[0]}\nB b\n" in said and "look" not in said
    (barrier,) = (number for number, row in enumerate(a.instructions) if row.mnemonic == "s_barrier")
    assert re.search(rf"^{barrier} +{barrier} +both +s_barrier +24\.0 +52\.0 ", said, re.MULTILINE)
    others = tuple(replace(row, text="v_nop" if n % 4 else row.text) for n, row in enumerate(b.instructions))
    b = replace(b, instructions=others)
    print_comparison(compare((a, measure(a)), (b, measure(b))), names, 12, console)
    assert re.search(r"look: \d+ of \d+ instructions that ran are in both: two kernels", console.export_text())


def test_perfetto():
    timeline = pair(together=False, steps=2)
    events = list(trace_events(timeline))
    names = [event["args"]["name"] for event in events if event["ph"] == "M" and "name" in event["args"]]
    assert names == ["SIMD 0", "slot 0", "slot 1"]
    slices = [event for event in events if event["ph"] == "X" and event["tid"] == 1]
    assert [event["name"] for event in slices[:6]] == [
        "workgroup 0",
        "MFMA",
        "LDS read",
        "waitcnt",
        "barrier",
        "scalar",
    ]
    assert slices[1]["args"]["instructions"] == 4 and slices[1]["dur"] == pytest.approx(0.052)
    assert slices[3]["args"] == {
        "first": "s_waitcnt lgkmcnt(0)",
        "instructions": 1,
        "stall": 60,
        "source": "tile.hip:11",
    }
    busy = [event["args"]["percent"] for event in events if event["ph"] == "C"]
    width = 64
    assert sum(busy) / 100 * width == pytest.approx(measure(timeline).simds[0].matrix_cycles, rel=0.01)


def test_slices_of_perfetto_do_not_overlap():
    """An event that begins before the last one ends, and one that ends after its wave."""
    timeline = pair(together=False, steps=2)
    wave = timeline.waves[0]
    events = wave.events.copy()
    events[4:, 0] -= 4
    wave = replace(wave, events=events, end=wave.end - 8)
    slices = [event for event in trace_events(replace(timeline, waves=(wave,))) if event["ph"] == "X"]
    bounds = [(event["ts"], event["ts"] + event["dur"]) for event in slices]
    assert all(b - a > -1e-9 for (_, a), (b, _) in pairwise(bounds[1:]))
    assert max(end for _, end in bounds[1:]) <= bounds[0][1] + 1e-9


def unpacked(timeline: Timeline, text: str) -> np.ndarray:
    """Gap, stall, duration and number of all events, from the text in a page."""
    data = np.frombuffer(zlib.decompress(base64.b64decode(text)), np.uint8)
    return data.reshape(4, 4, -1).transpose(0, 2, 1).copy().view("<i4")[..., 0]


def page_data(text: str) -> dict:
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1])


def test_page_has_all_events_and_needs_nothing_else():
    timeline = pair(together=False)
    text = page([(timeline, measure(timeline))], ["made"])
    assert not re.search(r"(?:src|href)=|https?://|@import|/\*(?:STYLE|SCRIPT)|<!--[A-Z]", text)
    (trace,) = page_data(text)["traces"]
    gap, stall, duration, number = unpacked(timeline, trace["events"])
    events = np.concatenate([wave.events for wave in timeline.waves])
    assert np.array_equal(np.stack([stall, duration, number], axis=1), events[:, 2:])
    first = len(timeline.waves[0].events)
    times = timeline.waves[0].begin + np.cumsum(gap[:first] + duration[:first]) - duration[:first]
    assert np.array_equal(times, timeline.waves[0].times)
    assert (trace["source"], trace["step"], [wave["count"] for wave in trace["waves"]]) == (
        "predicted",
        148,
        [first, first],
    )


def test_page_takes_any_name():
    timeline = replace(pair(together=True), kernel="f<int>(</script><b>&)")
    text = page([(timeline, measure(timeline))], ["a</script>"])
    assert page_data(text)["traces"][0]["kernel"] == timeline.kernel
    assert "<title>Timeline: f&lt;int>(&lt;/script>&lt;b>&amp;)</title>" in text


def test_page_shows_source_lines(tmp_path):
    (tmp_path / "tile.hip").write_text("\n" * 9 + "acc = mfma(a, b, acc);\n")
    timeline = pair(together=True)
    timeline = replace(
        timeline, instructions=tuple(replace(r, file=str(tmp_path / r.file)) for r in timeline.instructions)
    )
    (trace,) = page_data(page([(timeline, measure(timeline))], [""]))["traces"]
    assert trace["lines"] == {f"{tmp_path}/tile.hip:10": "acc = mfma(a, b, acc);"}


def test_page_shows_lines_of_kept_sources(tmp_path):
    (tmp_path / "copy").write_text("\n" * 9 + "kept;\n")
    timeline = pair(together=True)
    kept = {"tile.hip": tmp_path / "copy"}
    (trace,) = page_data(page([(timeline, measure(timeline))], [""], sources=kept))["traces"]
    assert trace["lines"] == {"tile.hip:10": "kept;"}


def test_two_on_a_page_meet_at_a_step():
    a, b = pair(together=False), pair(together=True)
    sides = [(a, measure(a)), (b, measure(b))]
    data = page_data(page(sides, ["a", "b"], compare(*sides)))
    assert [trace["label"] for trace in data["traces"]] == ["A", "B"]
    assert [table["title"] for table in data["tables"]] == ["differences by instruction", "differences by kind"]
    for trace, (timeline, measures) in zip(data["traces"], sides):
        assert data["home"][0] + trace["shift"] + timeline.begin in measures.steps.rows[:, 1]


def test_command(tmp_path):
    trace = write_sample(tmp_path / "ui_output_agent_1_dispatch_2")
    files = ["--html", tmp_path / "t.html", "--perfetto", tmp_path / "t.json.gz", "--viewer", tmp_path / "again"]
    done = porter("trace", trace, *files)
    assert done.returncode == 0, done.stderr
    for words in (
        "tile(float*)",
        "measured: 2 waves of 1 workgroups",
        "waitcnt",
        "s_waitcnt vmcnt(0)",
        "tile.hip:4",
        "main loop",
    ):
        assert words in done.stdout, words
    assert "tile(float*)" in (tmp_path / "t.html").read_text()
    assert json.loads(gzip.decompress((tmp_path / "t.json.gz").read_bytes()))["otherData"]["source"] == "measured"
    assert read(tmp_path / "again") == read(trace)


def test_command_on_one_workgroup(tmp_path):
    trace = write_sample(tmp_path / "ui_output_agent_1_dispatch_2")
    done = porter("trace", tmp_path, "--workgroup", 0, "--from", 0, "--to", 100000, "--html", tmp_path / "t.html")
    assert done.returncode == 0, done.stderr
    assert "of workgroup 0 alone" in done.stdout
    assert page_data((tmp_path / "t.html").read_text())["traces"][0]["name"] == f"{trace.parent}, workgroup 0"


def test_command_as_json_and_compared(tmp_path):
    trace = write_sample(tmp_path / "ui_output_agent_1_dispatch_2")
    done = porter("trace", trace, "--compare", trace, "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["schema"] == "porter-trace/1"
    assert data["traces"][0]["mfma_share"] == round(4 * 16 / (720 + 716), 6)
    assert data["traces"][0]["steps"]["cycles_by_percent"]["50"] == 8 + 8
    assert {row["cycles_more_a_wave"] for row in data["comparison"]["instructions"]} == {0}
    done = porter("trace", trace, "--compare", trace)
    assert "kind, for a wave" in done.stdout and "both" in done.stdout


def test_command_says_what_is_wrong(tmp_path):
    trace = write_sample(tmp_path / "ui_output_agent_1_dispatch_2")
    for words, problem in (
        ((tmp_path / "none",), "does not exist"),
        ((trace, "--from", 9, "--to", 9), "--from 9 is not before --to 9"),
        ((trace, "--from", 100000), "workgroups 0 to 0"),
        ((trace, "--workgroup", 3), "has no wave there"),
        ((trace, "--html", tmp_path / "no" / "t.html"), "cannot write"),
        ((trace, "--perfetto", tmp_path / "no" / "t.json"), "cannot write"),
    ):
        done = porter("trace", *words)
        assert (done.returncode, done.stdout) == (2, ""), words
        assert problem in done.stderr and "Traceback" not in done.stderr


def test_what_cannot_be_traced_says_what_can_be(tmp_path):
    """Whether it is no source at all, a part of a trace, a kernel or a folder without a case, or CUDA."""
    trace = write_sample(tmp_path / "ui_output_agent_1_dispatch_2")
    (tmp_path / "empty").mkdir()
    for name, text in (
        ("page.html", "<html></html>"),
        ("kernel.hip", '#include <hip/hip_runtime.h>\nextern "C" __global__ void k() {}\n'),
        ("program.cu", "#include <cuda_runtime.h>\nint main() { k<<<1, 1>>>(); }\n"),
    ):
        (tmp_path / name).write_text(text)
    takes = "porter trace takes a HIP program, a kernel with a case"
    for what, problem, fix in (
        (tmp_path / "page.html", "is neither a HIP source nor a case nor a thread trace", takes),
        (tmp_path / "none", "does not exist", takes),
        (trace / "code.json", "is a file of a thread trace", f"porter trace {trace}"),
        (tmp_path / "kernel.hip", "has no main(), and no case is beside it", "porter verify"),
        (tmp_path / "empty", "holds neither a thread trace nor a case", takes),
        (tmp_path / "program.cu", "a CUDA source", "porter convert"),
    ):
        done = porter("trace", what)
        assert (done.returncode, done.stdout) == (2, ""), what
        assert problem in done.stderr and fix in done.stderr and "Traceback" not in done.stderr


def test_passes_are_those_of_the_chip():
    assert (
        matrix_cycles(Instruction("v_mfma_f32_16x16x16_f16 v[0:3], v[4:5], v[6:7], 0"))
        == 4 * GFX942.passes["xdl"][16, 4]
    )


def test_numbers_are_whole_on_a_narrow_terminal():
    timeline = pair(together=False)
    out = io.StringIO()
    print_summary(timeline, measure(timeline), 5, Console(file=out, width=60))
    rows = [line for line in out.getvalue().splitlines() if line.startswith(("MFMA", "LDS", "waitcnt", "barrier"))]
    assert rows and not any("…" in line for line in rows)
    for line in out.getvalue().splitlines():
        assert not re.search(r"(^|\s)[\d,.%]+…", line), line


def test_numbers_of_a_comparison_are_whole_on_a_narrow_terminal():
    """Where they lack room the table is wider than the terminal."""
    a, b = pair(together=False), pair(together=True)
    longer = tuple(replace(wave, events=wave.events * [1, 1, 1000, 1000, 1], end=wave.end * 1000) for wave in b.waves)
    b = replace(b, waves=longer)
    console = Console(width=50, record=True, file=io.StringIO())
    comparison = compare((a, measure(a)), (b, measure(b)))
    print_comparison(comparison, ["a", "b"], 5, console)
    said = console.export_text()
    for both in comparison.largest()[:5]:
        assert f" {comparison.for_a_wave(both):+,.0f}\n" in said
