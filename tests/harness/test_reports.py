"""The proof in every format of the report, from verdicts made by hand; and end to end from the command."""

from __future__ import annotations

import html.parser
import importlib.resources
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from commands import porter
from rich.console import Console

from porter.errors import UsageError
from porter.findings import Edit, FilePort, FileStatus, Finding, PortReport, Safety
from porter.harness.verdict import Mismatch, OutputResult, Status, Timing, Verdict
from porter.perf.isa import KernelFacts
from porter.report import FORMATS, PROOF_FORMATS, check_suffix
from porter.report.facts.causes import FINDINGS, cause_of
from porter.report.facts.places import Sources
from porter.report.facts.proof import CompiledKernel, Proof, Session, clean, output_words, proof_of
from porter.report.facts.summary import Choices, Summary, summarize
from porter.report.tables.verdicts import print_proof

SOURCE = "#include <cuda_runtime.h>\n__global__ void f(float *x) {\n  x[0] = x[1];\n}\n"
PORT = "// ported\n#include <hip/hip_runtime.h>\n__global__ void f(float *x) {\n  x[0] = x[1];\n}\n"
NASTY = 'a|b <script>alert(1)</script> & "q" `c` ]]> \x1b[31m \x00 \udcff @bob #7 --> end'


def output(name: str = "out", **more: Any) -> OutputResult:
    facts: dict[str, Any] = {
        "dtype": "float32", "shape": (4, 25), "norm_error": 1e-7, "norm_limit": 3.8e-6, "element_error": 0.1,
    }  # fmt: skip
    return OutputResult(name, **{**facts, **more})


def verdict(case: str = "softmax", status: Status = Status.PASS, **more: Any) -> Verdict:
    facts: dict[str, Any] = {
        "title": f"The {case}", "side": "port", "backend": "emulator", "shape": {"rows": 4, "columns": 25},
        "values": "normal", "seed": 7, "outputs": (output(),), "source": f"k/{case}.hip", "file": f"k/{case}/case.py",
    }  # fmt: skip
    return Verdict(case=case, status=status, **{**facts, **more})


WRONG = output(
    norm_error=float("nan"), wrong=15,
    first=tuple(Mismatch((at // 25, at % 25), float("nan"), float(at)) for at in (0, 7, 14, 21, 28)),
)  # fmt: skip
RACE: dict[str, Any] = {
    "kind": "lds-race", "text": "lds-race at race.hip:4", "file": "/made/race.hip", "line": 4, "kernel": "f(float*)",
    "instruction": "ds_read_b32 v0, v1", "lane": 3, "other": {"file": "/made/race.hip", "line": 3, "instruction": "x"},
}  # fmt: skip


def test_a_race_comes_before_what_it_leaves_unwritten() -> None:
    unwritten = {"kind": "uninitialised", "text": "uninitialised at race.hip:4"}
    both = verdict(status=Status.FAIL, findings=(unwritten, RACE))
    assert cause_of(both, False) == ("lds-race", FINDINGS["lds-race"][1])
    assert cause_of(verdict(status=Status.FAIL, findings=(unwritten,)), False)[0] == "uninitialised"


def test_a_process_that_ends_itself_is_told_from_one_that_crashes() -> None:
    ended = verdict(status=Status.FAIL, reason="the process died: exit code 3", outputs=())
    assert cause_of(ended, False) == ("crash", "the entry, or what it calls, ends the process: let it return an error")
    assert "reads or writes" in cause_of(replace(ended, reason="the process died: SIGSEGV"), False)[1]


def test_a_tensor_that_the_case_makes_too_small_is_thought_of() -> None:
    beyond = {"kind": "out-of-bounds", "text": "out-of-bounds at a.hip:4"}
    rule, fix = cause_of(verdict(status=Status.FAIL, findings=(beyond,)), False)
    assert rule == "out-of-bounds" and "an output has the shape that reference returns" in fix


def verdicts() -> list[Verdict]:
    """Everything that a proof can hold."""
    wrong = verdict("wrong", Status.FAIL, reason="15 of 100 elements of out are wrong, ...", outputs=(WRONG,))
    missing = verdict(
        "gemm", Status.NOT_RUN, outputs=(), reason="no nvcc to compile the original with; install CUDA", side="original"
    )
    hidden = output(unwritten=1, first_unwritten=((3, 24),))
    times = tuple(
        Timing(name, ms, ms * 0.9, ms * 1.1, 100, "warm")
        for name, ms in (("port", 0.25), ("torch eager", 0.5), ("torch.compile", 0.4))
    )
    return [
        verdict(),
        verdict(values="large", counts={"instructions": 1234567, "global_bytes": 800}),
        wrong,
        replace(wrong, values="tiny", reason="16 of 100 elements of out are wrong, ..."),
        verdict("wrong", values="zeros"),
        verdict(
            "race", Status.FAIL, reason="lds-race at race.hip:4", findings=(RACE, RACE), outputs=(), source="/made/race.hip",
        ),
        verdict("tail", Status.FAIL, reason="1 of 100 elements of out were not written", outputs=(hidden,)),
        verdict("crash", Status.FAIL, reason="the process died: SIGSEGV", outputs=()),
        verdict("slow", Status.FAIL, reason="did not end within 600 s", outputs=()),
        verdict("nasty", Status.FAIL, reason=NASTY, outputs=(), title=NASTY),
        verdict("compile", Status.FAIL, reason="/made/race.hip:4:9: error: no x", outputs=()),
        missing,
        verdict("fast", backend="AMD Instinct MI300X", timings=times),
    ]  # fmt: skip


def race_port() -> FilePort:
    at = SOURCE.index("cuda_runtime.h")
    edit = Edit(at, at + 14, "hip/hip_runtime.h")
    finding = Finding("rename", at, at + 14, Safety.EXACT, "cuda_runtime.h -> hip/hip_runtime.h", (edit,))
    return FilePort("k/race.cu", "/made/race.hip", FileStatus.PORTED, SOURCE, PORT, (finding,))


def predicted(us: float, side: str = "port", **more: Any) -> Verdict:
    """Of a product of 2e12 operations and 96 MB."""
    launch = {
        "kernel": "gemm(float*)",
        "microseconds": [us * 0.9, us, us * 1.1],
        "bound": "memory latency",
        "doubt": "one queue",
        "what_to_do": ["k.hip:3 waits | for memory, -40%"],
    }
    rows = [{"by": "others", "microseconds": 5000.0}, {"by": "a|library", "microseconds": 2000.0}]
    facts = {
        "board": "MI300X", "inputs": "memory", "microseconds": launch["microseconds"], "flops": 2e12, "bytes": 96e6,
        "dtype": "bfloat16", "published": rows, "launches": [launch],
        "compiled": [{"file": "", "compiler": "clang 22.1", "flags": "-O3", "kernels": ["gemm"]}], **more,
    }  # fmt: skip
    return verdict("gemm", side=side, shape={"m": 10000}, predicted=facts, outputs=())


def summary_of(given: list[Verdict], *ports: FilePort, said: tuple[Verdict, ...] = (), **session: Any) -> Summary:
    facts = Session(7, **{"extra": ("--emulate",), "seconds": 1.5, **session})
    return summarize(PortReport(ports, version="0.1.0"), {}, proof_of(given, facts, ports, said))


def proof(given: list[Verdict], *ports: FilePort) -> Proof:
    whole = summary_of(given, *ports).proof
    assert whole is not None
    return whole


def compiled(name: str, spills: int, scratch: int) -> CompiledKernel:
    facts = KernelFacts(
        symbol=name, name=name, vgprs=256, agprs=128, sgprs=40, lds=512, scratch=scratch, vgpr_spills=spills, sgpr_spills=3,
        max_threads=256, waves_per_simd=1, limit="registers", instructions=9, mix={}, mnemonics=Counter(), target="gfx942",
    )  # fmt: skip
    return CompiledKernel("k/race.hip", name, facts)


KERNELS = (compiled("tight", 0, 0), compiled("large", 17, 72))


@pytest.fixture(scope="module")
def full() -> Summary:
    missing = verdict("spin", Status.NOT_RUN, reason="its workgroups wait for one another", outputs=())
    said = (predicted(200000), predicted(4000, "native"), missing)
    return summary_of(verdicts(), race_port(), said=said, kernels=KERNELS)


def terminal(shown: Proof) -> str:
    out = io.StringIO()
    print_proof(shown, Console(file=out, width=200))
    return out.getvalue()


@pytest.mark.parametrize(("threads", "registers"), [(64, 512), (256, 512), (512, 256), (768, 168), (1024, 128)])
def test_a_warning_counts_the_registers_that_the_launch_bounds_leave(threads: int, registers: int) -> None:
    kernel = compiled("indexed", 0, 112)
    said = replace(kernel, facts=replace(kernel.facts, max_threads=threads)).warning
    assert f"of the {registers} that a lane can have" in said
    assert "no register is spilled" in said
    assert "help" not in said


# --- what is derived -----------------------------------------------------------------------------


def test_the_headline_names_failures_first_and_counts_nothing_as_passed_that_was_not_run() -> None:
    assert proof(verdicts()).headline == "8 of 13 runs failed, 1 not run, 4 passed"
    assert proof([verdict()]).headline == "1 run passed"
    assert proof([verdict(status=Status.NOT_RUN)]).headline == "1 of 1 run not run, 0 passed"
    assert proof([]).headline == "no run, so nothing is proven"
    interrupted = summary_of([verdict()], interrupted=True)
    assert interrupted.headline == "interrupted: 1 run passed"


def test_runs_that_fail_alike_are_one_failure() -> None:
    cases = {case.name: case for case in proof(verdicts()).cases}
    (failure,) = cases["wrong"].failures
    assert [run.values for run in failure.runs] == ["normal", "tiny"]
    assert failure.command == "porter verify k/wrong/case.py -k 'wrong[rows=4,columns=25]' --seed 7 --emulate"
    assert failure.text == (
        "15 of 100 elements of out are wrong, every 7th: "
        "out[0, 0] = nan instead of 0, out[0, 7] = nan instead of 7, out[0, 14] = nan instead of 14, ..."
    )


def test_a_case_that_cannot_be_used_is_a_failure_of_the_case() -> None:
    broken = Verdict(
        "k/case.py",
        "",
        "port",
        "emulator",
        {},
        "normal",
        0,
        Status.FAIL,
        "k/case.py: SHAPES is no list",
        file="k/case.py",
    )
    ((case, failure),) = proof([broken]).failures
    assert (case.shown, failure.rule, str(failure.place)) == ("k/case.py", "case-failed", "k/case.py")
    assert failure.command == "porter verify k/case.py --seed 7 --emulate"
    for suffix in PROOF_FORMATS:
        assert "SHAPES is no list" in PROOF_FORMATS[suffix](summary_of([broken]))


def test_each_kind_of_failure_has_its_rule_and_what_fixes_it() -> None:
    rules = {case.name: failure.rule for case, failure in proof(verdicts(), race_port()).failures}
    assert rules == {
        "wrong": "wrong-output", "race": "lds-race", "tail": "unwritten-output", "crash": "crash", "slow": "timeout",
        "nasty": "run-failed", "compile": "build-failed", "gemm": "not-run",
    }  # fmt: skip
    fixes = {case.name: failure.fix for case, failure in proof(verdicts()).failures}
    assert "__syncthreads()" in fixes["race"]
    assert all(fixes[name] for name in ("wrong", "race", "tail", "crash", "slow", "compile"))


def test_places_in_a_port_made_for_the_run_are_told_in_the_original() -> None:
    cases = {case.name: case for case in proof(verdicts(), race_port()).cases}
    (race,) = cases["race"].failures
    assert (str(race.place), race.place.text.strip()) == ("k/race.cu:3", "x[0] = x[1];")
    assert race.lines == ("lds-race at k/race.cu:2 and k/race.cu:3 in f",)
    assert cases["race"].source == "k/race.cu"
    (broken,) = cases["compile"].failures
    assert broken.lines == ("k/race.cu:3:9: error: no x",)
    assert str(Sources([race_port()]).place("/made/race.hip", 999)) == "k/race.cu:4"


def test_a_port_beside_its_original_is_its_own_place(tmp_path: Path) -> None:
    port = tmp_path / "race.hip"
    port.write_text(PORT)
    place = Sources([race_port()]).place(str(port), 3)
    assert (place.path, place.line, place.text) == (str(port), 3, "__global__ void f(float *x) {")


@pytest.mark.parametrize(
    ("indices", "words"),
    [((0, 1, 2, 3), ", in a row"), ((0, 2, 4, 6), ", every 2nd"), ((5, 37, 69, 101), ", every 32nd"),
     ((0, 11, 22, 33), ", every 11th"), ((0, 1, 3, 4), ""), ((0, 1), "")],
)  # fmt: skip
def test_a_step_between_wrong_elements_is_named(indices: tuple[int, ...], words: str) -> None:
    first = tuple(Mismatch((at,), 1.0, 2.0) for at in indices)
    text = output_words(output(shape=(128,), wrong=len(indices), first=first))
    assert text.startswith(f"{len(indices)} of 128 elements of out are wrong{words}: out[{indices[0]}] = 1 instead")


def test_why_there_are_no_times() -> None:
    words = " ".join(proof([verdict()]).not_timed)
    assert "Original on NVIDIA: not run" in words
    assert "Port: not timed: an emulator's time says nothing" in words
    assert "torch: not timed" in words
    assert not any("Port" in text or "torch" in text for text in proof(verdicts()).not_timed)


def test_recorded_times_of_the_original_stand_beside_the_port(tmp_path: Path) -> None:
    row = {
        "case": "gemm", "side": "original", "shape": {"m": 4}, "mode": "warm", "device": "NVIDIA H200",
        "median_ms": 0.1, "beside": {"torch eager": {"median_ms": 0.2}},
    }  # fmt: skip
    (tmp_path / "golden.json").write_text(json.dumps({"timings": [row, {"case": "gemm", "side": "original"}]}))
    (case,) = proof([verdict("gemm", file=str(tmp_path / "case.py"))]).cases
    ((times),) = case.times
    assert times.original is not None
    assert (times.original.device, times.original.ms, times.original.torch_ms) == ("NVIDIA H200", 0.1, 0.2)
    assert times.original.recorded
    page = FORMATS[".md"](summary_of([verdict("gemm", file=str(tmp_path / "case.py"))]))
    assert "0.100 ms (NVIDIA H200, recorded) | 2.00 (torch eager)" in page
    (tmp_path / "golden.json").write_text("not JSON")
    assert proof([verdict("gemm", file=str(tmp_path / "case.py"))]).cases[0].times == ()


def test_a_right_port_that_is_slow_says_so_in_every_format() -> None:
    summary = summary_of([verdict("gemm")], race_port(), said=(predicted(200000), predicted(4000, "native")))
    speed = "Predicted on an MI300X: at 0.8% to 38% of its limits and at 1% to 50% of the best published speeds"
    assert summary.headline == f"1 run passed. {speed}. Port: 1 site: 1 exact"
    for suffix in FORMATS:
        assert speed in FORMATS[suffix](summary), suffix
    row = "200.0 ms | 180.0 ms to 220.0 ms | 10.0 | 0 | 0.8% bf16 | 1% of a\\|library (2.000 ms) | memory latency |"
    assert row in FORMATS[".md"](summary)
    for suffix in (".md", ".html"):
        text = FORMATS[suffix](summary).replace("\\", "")
        assert "clang 22.1, with -O3" in text and "gemm: one queue" in text, suffix
        assert "gemm: k.hip:3 waits | for memory, -40%" in text, suffix
    slow, native = json.loads(FORMATS[".json"](summary))["proof"]["predicted"]
    assert (slow["side"], slow["ms"], slow["limit"]["of"]) == ("port", 200.0, "bfloat16")
    assert native["published"] == {"by": "a|library", "ms": 2.0, "part": 0.5}
    assert native["tflops"] == 500.0
    assert native["what_to_do"] == ["gemm: k.hip:3 waits | for memory, -40%"]


def test_no_share_is_said_of_a_limit_that_does_not_hold() -> None:
    beyond = summary_of([verdict()], said=(predicted(1000, dtype="float32", published=[]),))
    assert beyond.headline == "1 run passed. Predicted on an MI300X: up to 1.000 ms"
    assert json.loads(FORMATS[".json"](beyond))["proof"]["predicted"][0]["limit"] is None


def test_numbers_that_json_lacks_become_words() -> None:
    assert clean({"a": (float("nan"), float("inf"), 1.5), 2: Path("x")}) == {"a": ["nan", "inf", 1.5], "2": "x"}


# --- the formats ---------------------------------------------------------------------------------


def test_headline_and_every_failure_are_in_every_format(full: Summary) -> None:
    assert full.headline.startswith("8 of 13 runs failed, 1 not run, 4 passed. Predicted on an MI300X: at ")
    assert full.headline.endswith(". Port: 1 site: 1 exact")
    for suffix in FORMATS:
        text = FORMATS[suffix](full)
        assert "8 of 13 runs failed, 1 not run, 4 passed" in text, suffix
        assert suffix == ".sarif" or "its workgroups wait for one another" in text, suffix
        for place in ("k/race.cu", "k/crash/case.py", "k/slow/case.py", "SIGSEGV", "no nvcc"):
            assert place in text, (suffix, place)
        for name in ("wrong", "race", "tail", "crash", "slow", "nasty", "compile"):
            assert f"{name}[rows=4,columns=25]" in re.sub(r"\\|&#x27;", "", text), (suffix, name)
    shown = terminal(full.proof) if full.proof else ""
    assert shown.splitlines()[-1].startswith("8 of 13 runs failed, 1 not run, 4 passed")
    assert "repeat: porter verify k/race/case.py -k 'race[rows=4,columns=25]' --seed 7 --emulate" in shown
    assert "k/race.cu:3: x[0] = x[1];" in shown


def test_kernels_that_spill_are_warned_of(full: Summary) -> None:
    warning = "large of k/race.hip: 72 bytes of scratch memory a lane: 17 vector registers are spilled, at 256 VGPRs"
    for text in (FORMATS[".md"](full), FORMATS[".html"](full), terminal(full.proof) if full.proof else ""):
        assert warning in text.replace("\\", "")
        assert "tight of" not in text
    assert "| `tight` | 256 | 128 | 0 | 0 | 512 | 1 | registers |" in FORMATS[".md"](full)
    kernels = json.loads(FORMATS[".json"](full))["proof"]["kernels"]
    assert [(k["kernel"], k["vgpr_spills"], k["sgpr_spills"], k["scratch"]) for k in kernels] == [
        ("tight", 0, 3, 0),
        ("large", 17, 3, 72),
    ]


def test_a_lost_wait_is_warned_of() -> None:
    kernel = compiled("merge", 0, 0)
    kernel = replace(kernel, facts=replace(kernel.facts, lost_waits=("k/race.hip:9", "k/race.hip:12")))
    summary = summary_of([verdict()], kernels=(kernel,))
    for text in (FORMATS[".md"](summary), FORMATS[".html"](summary), terminal(proof_in(summary))):
        plain = text.replace("\\", "")
        assert "merge of k/race.hip: clang lost the wait for LDS in front of the barrier of a loop at" in plain
        assert "k/race.hip:9, k/race.hip:12" in plain and "--fix-waits" in plain


def test_harmless_findings_are_notes_and_no_failures() -> None:
    guess = {**RACE, "kind": "global-guess", "harmless": True, "count": 30}
    wrong = verdict("wrong", Status.FAIL, findings=(guess,), outputs=(WRONG,))
    summary = summary_of([verdict(findings=(guess,)), verdict(values="tiny", findings=(guess,)), wrong], race_port())
    read = proof_in(summary)
    ((_, failure),) = read.failures
    assert (failure.rule, failure.findings) == ("wrong-output", ())
    (note,) = {note.replace("60 times", "30 times") for note in read.notes}
    assert note.startswith("global-guess at k/race.cu:2 and k/race.cu:3 in f, 30 times: a plain read")
    for text in (FORMATS[".md"](summary), FORMATS[".html"](summary), terminal(read)):
        assert "harmless as compiled" in text


def test_findings_of_one_line_are_one_with_their_count() -> None:
    copies = [
        {**RACE, "kernel": f"g<{n}>(float*)", "instruction": f"ds_read_b32 v{n}, v1", "count": n} for n in (1, 2, 3)
    ]
    runs = [verdict("race", Status.FAIL, findings=tuple(copies), outputs=(), source="/made/race.hip", values=v)
            for v in ("normal", "tiny")]  # fmt: skip
    ((_, failure),) = proof(runs, race_port()).failures
    (one,) = failure.findings
    assert one.count == 12 and one.kernel.startswith("g<1>")
    assert len(failure.lines) == 1 and ", 12 times" in failure.lines[0]


def proof_in(summary: Summary) -> Proof:
    assert summary.proof is not None
    return summary.proof


def test_a_report_without_a_conversion_is_the_proof_alone() -> None:
    page = FORMATS[".md"](summary_of([verdict()]))
    assert page.startswith("## porter: proof of HIP ports for gfx942\n\n**1 run passed**")
    assert "site" not in page.split("<sub>")[0]
    original = summary_of([verdict(side="original", backend="NVIDIA H200")], backend="nvidia")
    assert FORMATS[".md"](original).startswith("## porter: proof of CUDA originals")
    assert "<h1>porter: proof of CUDA originals</h1>" in FORMATS[".html"](original)


def test_markdown_fits_a_comment_and_its_tables_are_whole(full: Summary) -> None:
    page = FORMATS[".md"](full)
    assert "<script>" not in page
    assert "@bob" not in page
    shapes = [verdict(f"case{i}", shape={"m": i}, values=v) for i in range(300) for v in ("normal", "large")]
    failed = [verdict(f"bad{i}", Status.FAIL, reason=f"{'x' * 300} <&> {i}", outputs=()) for i in range(100)]
    lines = "".join(f"  cudaCall{i}();\n" for i in range(3000))
    safeties = (Safety.EXACT, Safety.SLOWER, Safety.REVIEW, Safety.LEFT)
    sites = [
        Finding(f"rule{i % 40}", m.start(), m.end(), safeties[i % 4], "found " * 20)
        for i, m in enumerate(re.finditer(r"cudaCall\d+", lines))
    ]
    port = FilePort("big.cu", "big.hip", FileStatus.PORTED, lines, lines, tuple(sites))
    page = FORMATS[".md"](summary_of(shapes + failed, port))
    assert len(page) <= len(page.encode()) <= 60_000
    assert "more cases not shown" in page
    assert "more kinds of failure not shown" in page
    assert "more runs not shown" in page
    assert "Needs a person: 1,500 sites" in page  # the proof leaves room for the port
    assert page.index("`bad0`") < page.index("`case0`")
    assert page.count("<details>") == page.count("</details>")
    cells = 0
    for line in page.splitlines():
        count = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
        assert cells in (0, count) or not count, line
        cells = count


class Page(html.parser.HTMLParser):
    VOID = frozenset({"meta", "input", "br", "wbr"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_one_file_with_charts(full: Summary) -> None:
    text = FORMATS[".html"](full)
    page = Page(text)
    assert not {tag for tag, _ in page.tags} & {"script", "link", "img", "iframe"}
    assert all(a["href"].startswith("#site-") for tag, a in page.tags if tag == "a")
    assert not any(name == "src" or name.startswith("on") for _, a in page.tags for name in a)
    labels = [a.get("aria-label") for tag, a in page.tags if tag == "svg"]
    assert "Worst error of each case over what is allowed" in labels
    assert "Speed of each kernel against torch" in labels
    bars = [a for tag, a in page.tags if tag == "rect"]
    assert all(float(a["width"] or 0) >= 0 and float(a["x"] or 0) + float(a["width"] or 0) <= 1000 for a in bars)
    assert "prefers-color-scheme: dark" in text
    assert "1.60 x torch.compile: port 0.250 ms" in text


def test_an_error_beyond_what_is_allowed_passes_the_line_and_one_within_does_not() -> None:
    def ends(error: float, wrong: int) -> tuple[float, float]:
        one = verdict(status=Status.FAIL if wrong else Status.PASS, outputs=(output(norm_error=error, wrong=wrong),))
        page = Page(FORMATS[".html"](summary_of([one])))
        ((bar),) = [a for tag, a in page.tags if tag == "rect"]
        ((line),) = [a for tag, a in page.tags if tag == "line"]
        return float(bar["x"] or 0) + float(bar["width"] or 0), float(line["x1"] or 0)

    bar, line = ends(1e-7, 0)
    assert bar < line
    for error, wrong in ((1e-2, 3), (1e-7, 1), (float("nan"), 2)):
        bar, line = ends(error, wrong)
        assert bar > line


def test_json_follows_the_schema_and_the_schema_names_every_field(full: Summary) -> None:
    folder = importlib.resources.files("porter.report") / "schema"
    schema = json.loads((folder / "porter-report-1.json").read_text("utf-8"))

    def closed(node: Any) -> Any:
        if isinstance(node, list):
            return [closed(item) for item in node]
        if not isinstance(node, dict):
            return node
        extra = {} if "properties" not in node else {"additionalProperties": False}
        return {key: closed(value) for key, value in node.items()} | extra

    document = json.loads(FORMATS[".json"](full), parse_constant=lambda name: pytest.fail(name))
    jsonschema.Draft202012Validator(closed(schema)).validate(document)
    assert document["schema"] == "porter-report/1"
    assert (document["proof"]["failed"], document["proof"]["not_run"], document["proof"]["passed"]) == (8, 1, 4)
    runs = {run["name"]: run for case in document["proof"]["cases"] for run in case["runs"]}
    assert runs["softmax[rows=4,columns=25,large]"]["numbers"] == "counted in the emulator"
    assert runs["fast[rows=4,columns=25]"]["numbers"] == "measured on AMD Instinct MI300X"


def test_places_of_failures_link_to_an_address(full: Summary) -> None:
    linked = replace(full, choices=Choices(link_base="https://a.example/blob/1f2e"))
    assert "](https://a.example/blob/1f2e/k/race.cu#L3)" in FORMATS[".md"](linked)
    assert 'href="https://a.example/blob/1f2e/k/race.cu#L3"' in FORMATS[".html"](linked)


def test_sarif_has_failures_as_results_at_their_places(full: Summary) -> None:
    run = json.loads(FORMATS[".sarif"](full))["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules))
    results = {r["ruleId"]: r for r in run["results"]}
    assert all(rules[r["ruleIndex"]] == r["ruleId"] for r in run["results"])
    place = results["proof-lds-race"]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "k/race.cu"
    assert place["region"]["startLine"] == 3
    assert results["proof-lds-race"]["level"] == "error"
    crash = results["proof-crash"]["locations"][0]["physicalLocation"]
    assert crash == {"artifactLocation": {"uri": "k/crash/case.py"}}
    assert "proof-not-run" not in results
    told = run["invocations"][0]["toolExecutionNotifications"]
    assert any("not run: 1 runs of gemm (original): no nvcc" in n["message"]["text"] for n in told)
    marks = [r["partialFingerprints"]["porterProof/v1"] for r in run["results"] if r["ruleId"].startswith("proof-")]
    assert len(marks) == len(set(marks)) == 7


# Attributes and children that Jenkins' schema (junit-10.xsd) allows, of the elements that are written.
JUNIT = {
    "testsuites": ({"name", "time", "tests", "failures", "errors", "disabled"}, {"testsuite"}),
    "testsuite": (
        {
            "name",
            "tests",
            "failures",
            "errors",
            "time",
            "disabled",
            "skipped",
            "timestamp",
            "hostname",
            "id",
            "package",
        },
        {"properties", "testcase", "system-out", "system-err"},
    ),
    "properties": (set(), {"property"}),
    "property": ({"name", "value"}, set()),
    "testcase": (
        {"name", "classname", "time", "assertions", "status", "file"},
        {"skipped", "error", "failure", "system-out", "system-err"},
    ),
    "failure": ({"type", "message"}, set()),
    "skipped": ({"type", "message"}, set()),
}


def test_junit_counts_agree_and_nothing_is_outside_the_schema(full: Summary) -> None:
    root = ElementTree.fromstring(PROOF_FORMATS[".xml"](full))
    for element in root.iter():
        attributes, children = JUNIT[element.tag]
        assert set(element.attrib) <= attributes, element.tag
        assert {child.tag for child in element} <= children, element.tag
    assert (root.attrib["tests"], root.attrib["failures"]) == ("13", "8")
    for suite in root:
        cases = suite.findall("testcase")
        assert int(suite.attrib["tests"]) == len(cases)
        assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure"))
        assert int(suite.attrib["skipped"]) == len(suite.findall("testcase/skipped"))
    (skipped,) = root.iter("skipped")
    assert skipped.attrib["message"] == "no nvcc to compile the original with; install CUDA"
    failures = {f.attrib["type"]: f for f in root.iter("failure")}
    assert "k/race.cu:3" in (failures["lds-race"].text or "")
    assert "<script>alert(1)</script>" in failures["run-failed"].attrib["message"]
    names = [(c.attrib["classname"], c.attrib["name"]) for c in root.iter("testcase")]
    assert len(names) == len(set(names)) == 13


def test_junit_is_for_runs_only() -> None:
    check_suffix(Path("a.xml"), proof=True)
    with pytest.raises(UsageError, match="nothing was run") as caught:
        check_suffix(Path("a.xml"))
    assert "porter verify --report a.xml" in caught.value.fix
    with pytest.raises(UsageError, match="no format"):
        check_suffix(Path("a.txt"), proof=True)


# --- end to end ----------------------------------------------------------------------------------


def test_porter_verify_writes_every_format(tmp_path: Path, cache: Path) -> None:
    folder = tmp_path / "twice"
    folder.mkdir()
    (folder / "twice.cu").write_text(
        "#include <cuda_runtime.h>\n"
        "__global__ void twice(const float *x, float *out, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) out[i] = 2.0f * x[i + (n == 3)];\n"
        "}\n"
        'extern "C" int go(const float *x, float *out, int n, cudaStream_t s) {\n'
        "  twice<<<(n + 63) / 64, 64, 0, s>>>(x, out, n);\n"
        "  return cudaGetLastError();\n"
        "}\n"
    )
    (folder / "case.py").write_text(
        '"""Twice."""\nimport torch\nSHAPES = [dict(n=70), dict(n=3)]\nVALUES = ("normal",)\n'
        'def inputs(n): return {"x": torch.randn(n)}\ndef reference(x): return {"out": 2 * x}\n'
    )
    reports = [tmp_path / f"out{suffix}" for suffix in PROOF_FORMATS]
    words = [word for path in reports for word in ("--report", str(path))]
    (tmp_path / "README.md").write_text("# Ours\n")
    for option in ("--report", "--json"):
        refused = porter("verify", folder, option, "README.md", cwd=tmp_path)
        assert refused.returncode == 2 and "README.md: exists, and is no report of porter's" in refused.stderr
    verdicts = tmp_path / "verdicts.json"
    result = porter("verify", "twice", "--emulate", "--seed", "5", "--json", verdicts, *words, cwd=tmp_path)
    assert result.returncode == 1, result.stdout + result.stderr
    for path in (verdicts, tmp_path / "out.json", tmp_path / "out.sarif"):
        text = path.read_text("utf-8")
        assert str(tmp_path) not in text and str(cache) not in text and str(Path.home()) not in text, path
    (failed,) = [v for v in json.loads(verdicts.read_text("utf-8"))["verdicts"] if v["status"] == "FAIL"]
    assert (failed["source"], failed["file"]) == ("twice/twice.cu", "twice/case.py")
    assert {(f["file"], f["line"]) for f in failed["findings"]} == {("twice/twice.cu", 4)}
    assert (tmp_path / "README.md").read_text() == "# Ours\n"
    piped = porter("verify", "twice", "--emulate", "--seed", "5", "--json", "-", cwd=tmp_path)
    assert json.loads(piped.stdout)["verdicts"] and "1 of 2 runs failed" in piped.stderr
    assert not (tmp_path / "-").exists()
    texts = {path.suffix: path.read_text("utf-8") for path in reports}
    assert "**1 of 2 runs failed, 1 passed. Port:" in texts[".md"]
    assert "x[i + (n == 3)]" in texts[".md"]  # the line of the original: the port was made for this run
    (failure,) = json.loads(texts[".json"])["proof"]["cases"][0]["failures"]
    assert failure["rule"] == "out-of-bounds"
    assert failure["place"]["path"].endswith("twice.cu")
    assert failure["place"]["line"] == 4
    assert json.loads(texts[".json"])["counts"]["sites"] > 0
    (bounds_result,) = [
        r for r in json.loads(texts[".sarif"])["runs"][0]["results"] if r["ruleId"] == "proof-out-of-bounds"
    ]
    assert bounds_result["locations"][0]["physicalLocation"]["region"]["startLine"] == 4
    assert ElementTree.fromstring(texts[".xml"]).attrib["failures"] == "1"
    Page(texts[".html"])
