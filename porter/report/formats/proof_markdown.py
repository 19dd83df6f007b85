"""The proof in a comment on a pull request: a table of cases, what failed, the runs folded."""

from __future__ import annotations

from collections.abc import Iterator

from porter.harness.timing.throughput import milliseconds
from porter.harness.verdict import Status, Verdict, shape_text
from porter.report.facts.predicted import PredictedTime, compilers, limit_words, slowest
from porter.report.facts.proof import CaseProof, Failure, Proof, Timed, count_words, where
from porter.report.facts.summary import Choices, uri_of
from porter.report.formats.markdown_text import ELSEWHERE, Page, code, plain

__all__ = ["add_proof"]

# Budgets in bytes from the start of the comment.
CASES_END, FAILURES_END, PREDICTED_END, TIMES_END, RUNS_END = 8_000, 20_000, 24_000, 29_000, 38_000
RUNS_NAMED = 6  # of one failure
LINES_SHOWN = 8


def add_proof(page: Page, proof: Proof, choices: Choices) -> None:
    """Adds the section about the proof to a page; returns nothing."""
    page.add("### Proof\n")
    page.add(_intro(proof))
    if not proof.cases:
        return
    page.add("| Case | Runs | Passed | Worst error | Allowed | On | Verdict |")
    page.add("|---|--:|--:|--:|--:|---|---|")
    ranked = sorted(proof.cases, key=lambda case: list(Status).index(case.status) if case.status is Status.PASS else -1)
    shown = page.add_all((_row(case) for case in ranked), CASES_END)
    _rest(page, len(ranked) - shown, "case", "| | | | | | |")
    page.add("")
    failures = [(case, failure) for case, failure in proof.failures]
    shown = page.add_all((_failure(case, failure, choices) for case, failure in failures), FAILURES_END)
    if shown < len(failures):
        page.add(f"*{len(failures) - shown:,} more kinds of failure not shown here: {ELSEWHERE}.*\n")
    _predicted(page, proof)
    _times(page, proof)
    _runs(page, proof)
    _kernels(page, proof)
    for path in proof.session.edited:
        page.add(f"{code(path)} is not what porter makes of its source now; it was verified as it is.\n")
    for text in proof.notes:
        page.add(f"Note: {plain(text)}.\n")


def _kernels(page: Page, proof: Proof) -> None:
    """What the compiler gave each kernel, once a kernel."""
    rows = {
        f"| {code(k.kernel)} | {k.facts.vgprs} | {k.facts.agprs} | {k.facts.vgpr_spills} | {k.facts.scratch} | {k.facts.lds} "
        f"| {k.facts.waves_per_simd} | {plain(k.facts.limit)} |": None
        for k in proof.session.kernels
    }
    if not rows:
        return
    page.add("### Registers\n")
    page.add(
        "| Kernel | VGPRs | AGPRs | Spilled | Scratch bytes a lane | Static LDS | Waves a SIMD, of 8 | Limited by |"
    )
    page.add("|---|--:|--:|--:|--:|--:|--:|---|")
    shown = page.add_all(iter(rows), CASES_END)
    _rest(page, len(rows) - shown, "kernel", "| | | | | | | |")
    page.add("")
    for warning in proof.session.warnings:
        page.add(f"**Warning**: {plain(warning)}.\n")


def _intro(proof: Proof) -> str:
    kinds = where(proof.runs)
    inputs = (
        f"Each run draws inputs of its own and is held to a reference in PyTorch ({plain(kinds)})." if kinds else ""
    )
    return f"{inputs} Seed {proof.session.seed}, {proof.session.seconds:.1f} s.\n".lstrip()


def _rest(page: Page, count: int, word: str, cells: str) -> None:
    if count > 0:
        page.add(f"| *{count:,} more {word}{'' if count == 1 else 's'} not shown: {ELSEWHERE}* {cells}")


def _row(case: CaseProof) -> str:
    error = " | ".join(case.error)
    verdict = case.status.value if case.status is Status.PASS else f"**{case.status.value}**"
    name = code(case.shown) + (f"<br>{plain(case.title)}" if case.title else "")
    counts = f"{len(case.runs):,} | {case.count(Status.PASS):,}"
    return f"| {name} | {counts} | {error} | {plain(case.backend)} | {verdict} |"


def _failure(case: CaseProof, failure: Failure, choices: Choices) -> str:
    named = ", ".join(code(_run_name(run)) for run in failure.runs[:RUNS_NAMED])
    more = f" and {len(failure.runs) - RUNS_NAMED:,} more" if len(failure.runs) > RUNS_NAMED else ""
    out = [f"**{failure.status.value}** {code(case.shown)}: {plain(failure.title)}\n"]
    out += [f"- {plain(line)}" for line in failure.lines[:LINES_SHOWN]]
    hidden = len(failure.lines) - LINES_SHOWN
    out += [f"- *and {hidden:,} more*"] if hidden > 0 else []
    place = failure.place
    if place.text:
        link = choices.link(uri_of(place.path), place.line)
        named = f"[{code(str(place))}]({link})" if link else code(str(place))
        out.append(f"- {named}: {code(place.text.strip(), 160)}")
    if failure.fix:
        out.append(f"- fix: {plain(failure.fix)}")
    out.append(f"- {len(failure.runs):,} of {len(case.runs):,} runs: {named}{more}")
    out.append(f"- repeat: {code(failure.command)}\n")
    return "\n".join(out)


def _run_name(run: Verdict) -> str:
    return ", ".join(word for word in (shape_text(run.shape), run.values) if word) or run.case


def _predicted(page: Page, proof: Proof) -> None:
    """The times that the model of time says, as shares of what could be reached."""
    said = [one for one in proof.predicted if not one.reason]
    if said:
        page.add(f"**Predicted times** on an {said[0].board}, {said[0].inputs}; not measured.\n")
        page.add("| Case | Shape | Time | Range | TFLOP/s | GB/s | Of its limit | Of the best published | Bound by |")
        page.add("|---|---|--:|--:|--:|--:|--:|--:|---|")
        shown = page.add_all(map(_predicted_row, said), PREDICTED_END)
        _rest(page, len(said) - shown, "shape", "| | | | | | | | |")
        page.add("")
    for line in compilers(said):
        page.add(f"{plain(line)}.\n")
    for one in slowest(said):
        page.add(f"What to do in {code(one.shown)}, {plain(one.shape)}:\n")
        page.add("\n".join(f"- {plain(line)}" for line in one.what_to_do) + "\n")
    looks = [f"Look: {code(one.shown)}, {plain(one.shape)}: {plain(doubt)}.\n" for one in said for doubt in one.doubts]
    missing = [one for one in proof.predicted if one.reason]
    looks += [f"Not predicted: {code(one.shown)}, {plain(one.shape)}: {plain(one.reason)}.\n" for one in missing]
    shown = page.add_all(dict.fromkeys(looks), PREDICTED_END)
    if shown < len(dict.fromkeys(looks)):
        page.add(f"*{len(dict.fromkeys(looks)) - shown:,} more not shown here: {ELSEWHERE}.*\n")


def _predicted_row(one: PredictedTime) -> str:
    cells = (
        code(one.shown), plain(one.shape), milliseconds(one.ms), one.range, f"{one.tflops:.1f}" if one.tflops else "-",
        f"{one.gbs:,.0f}" if one.gbs else "-", limit_words(one.limit) or "-",
        plain(one.published.words) if one.published else "-", plain(one.bound),
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


def _times(page: Page, proof: Proof) -> None:
    rows = [(case, times) for case in proof.cases for times in case.times]
    if rows:
        page.add("**Times**, measured on the GPU that is named; above 1 x torch the kernel is faster.\n")
        page.add("| Case | Shape | Mode | Original on NVIDIA | x torch there | Port | x torch there |")
        page.add("|---|---|---|--:|--:|--:|--:|")
        cells = (
            f"| {code(case.shown)} | {plain(times.shape)} | {times.mode} | {_time(times.original)} | "
            f"{_time(times.port)} |"
            for case, times in rows
        )
        shown = page.add_all(cells, TIMES_END)
        _rest(page, len(rows) - shown, "row", "| | | | | | |")
        page.add("")
    page.add(" ".join(map(plain, proof.not_timed)) + "\n" if proof.not_timed else "")


def _time(timed: Timed | None) -> str:
    if timed is None:
        return "- | -"
    device = f"{timed.device}, recorded" if timed.recorded else timed.device
    ratio = f"{timed.torch_ms / timed.ms:.2f} ({plain(timed.torch)})" if timed.torch_ms and timed.ms else "-"
    return f"{milliseconds(timed.ms)} ({plain(device)}) | {ratio}"


def _runs(page: Page, proof: Proof) -> None:
    counted = any(run.counts for run in proof.runs)
    total = len(proof.runs)
    page.add(f"<details>\n<summary>Every run: {total:,}, with the error of each output</summary>\n")
    extra = " Counted in the emulator |" if counted else ""
    page.add(f"| Case | Shape | Values | Output: error of allowed | Verdict |{extra}")
    page.add("|---|---|---|---|---|" + ("---|" if counted else ""))
    shown = page.add_all(_run_rows(proof, counted), RUNS_END)
    _rest(page, total - shown, "run", "| | | | |" + (" |" if counted else ""))
    page.add("\n</details>\n")


def _run_rows(proof: Proof, counted: bool) -> Iterator[str]:
    for case in proof.cases:
        for run in case.runs:
            outputs = "<br>".join(
                f"{plain(o.name)}: {o.norm_error:.1e} of {o.norm_limit:.1e}"
                + (f", {o.wrong:,} wrong" if o.wrong else "")
                + (f", {o.unwritten:,} not written" if o.unwritten else "")
                for o in run.outputs
            )
            verdict = run.status.value if run.status is Status.PASS else f"**{run.status.value}**"
            cells = [code(case.shown), plain(shape_text(run.shape)), run.values, outputs or "-", verdict]
            cells += [count_words(run.counts) or "-"] if counted else []
            yield f"| {' | '.join(cells)} |"
