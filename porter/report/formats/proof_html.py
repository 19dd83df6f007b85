"""The proof in the HTML report: charts of errors and times as inline SVG, a table of cases, failures, every run."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from porter.harness.timing.throughput import milliseconds
from porter.harness.verdict import OutputResult, Status, Verdict, shape_text
from porter.report.facts.predicted import PredictedTime, compilers, limit_words, slowest
from porter.report.facts.proof import CaseProof, Failure, Proof, Timed, count_words, where
from porter.report.facts.summary import Choices, uri_of

__all__ = ["PROOF_STYLE", "proof_html"]

BARS_SHOWN = 40
RUNS_NAMED = 30  # of one failure
_COLOURS = {Status.PASS: "exact", Status.FAIL: "left", Status.NOT_RUN: "review"}
LEAST = 1e-6  # of what is allowed: where the error's bar begins
LEFT, WIDTH = 300.0, 560.0  # of a chart, of 1,000

PROOF_STYLE = """
.fill-torch { fill: var(--soft) } line.limit { stroke: var(--left); stroke-width: 1.5 }
line.even { stroke: var(--text); stroke-dasharray: 4 3 }
.verdict { color: var(--mark); font-weight: 600 }
.site ul { margin: .2rem 0; padding-left: 1.2rem; overflow-wrap: anywhere }
"""


def proof_html(proof: Proof, choices: Choices) -> Iterator[str]:
    """The lines of the HTML report's section about the proof."""
    yield "<h2>Proof</h2>"
    kinds = where(proof.runs)
    inputs = f"Each run draws inputs of its own and is held to a reference in PyTorch ({kinds}). " if kinds else ""
    yield f'<p class="soft">{escape(inputs)}Seed {proof.session.seed}, {proof.session.seconds:.1f} s.</p>'
    if proof.cases:
        yield from _cases(proof)
    yield from _error_chart(proof)
    if proof.failures:
        yield "<h2>What did not pass</h2>"
        for case, failure in proof.failures:
            yield _failure(case, failure, choices)
    yield from _predicted(proof)
    yield from _times(proof)
    if proof.cases:
        yield "<h2>Every run</h2>"
        for case in proof.cases:
            yield from _runs(case)
    for text in proof.notes:
        yield f"<p>Note: {escape(text)}.</p>"
    for warning in proof.session.warnings:
        yield f"<p><strong>Warning</strong>: {escape(warning)}.</p>"
    for path in proof.session.edited:
        yield f"<p><code>{escape(path)}</code> is not what porter makes of its source now; it was verified as it is.</p>"


def _verdict(status: Status) -> str:
    return f'<span class="verdict {_COLOURS[status]}">{status.value}</span>'


def _cases(proof: Proof) -> Iterator[str]:
    yield '<div class="scroll"><table><thead><tr><th>Case</th><th></th><th class="n">Runs</th><th class="n">Passed</th>'
    yield '<th class="n">Worst error</th><th class="n">Allowed</th><th>On</th><th>Verdict</th></tr></thead><tbody>'
    for case in proof.cases:
        error, allowed = case.error
        yield f'<tr><td><code>{escape(case.shown)}</code></td><td class="text">{escape(case.title)}</td>'
        yield f'<td class="n">{len(case.runs):,}</td><td class="n">{case.count(Status.PASS):,}</td>'
        yield f'<td class="n">{error}</td><td class="n">{allowed}</td><td>{escape(case.backend)}</td>'
        yield f"<td>{_verdict(case.status)}</td></tr>"
    yield "</tbody></table></div>"


def _error_chart(proof: Proof) -> Iterator[str]:
    """Error over what is allowed, on a log scale: the line is where a run fails."""
    rows = [(case, case.worst) for case in proof.cases if case.worst is not None]
    if not rows:
        return
    shares = [_share(worst) for _, worst in rows]
    top = max([10.0, *(share for share in shares if math.isfinite(share))])
    top = 10.0 ** math.ceil(math.log10(min(top, 1e6)))

    def x(share: float) -> float:
        part = math.log10(min(max(share, LEAST), top) / LEAST) / math.log10(top / LEAST)
        return LEFT + WIDTH * part

    parts = []
    for number, ((case, worst), share) in enumerate(zip(rows[:BARS_SHOWN], shares, strict=False)):
        y = number * 20
        right = worst.right
        words = f"{worst.norm_error:.1e} of {worst.norm_limit:.1e}" if right else f"wrong: {worst.norm_error:.1e}"
        width = max(2.0, x(share) - LEFT)
        parts.append(f'<text x="{LEFT - 10}" y="{y + 13}" text-anchor="end">{_short(case.shown)}</text>')
        parts.append(
            f'<rect class="fill-{"exact" if right else "left"}" x="{LEFT}" y="{y + 3}" width="{width:.1f}" height="13">'
            f"<title>{escape(case.shown)}: {escape(worst.name)}: {words}</title></rect>"
        )
        parts.append(f'<text x="{max(LEFT + width, x(1.0)) + 6:.1f}" y="{y + 13}">{words}</text>')
    height = len(rows[:BARS_SHOWN]) * 20
    limit = f'<line class="limit" x1="{x(1.0):.1f}" x2="{x(1.0):.1f}" y1="0" y2="{height}"/>'
    yield "<h2>Worst error of each case</h2>"
    yield f'<p class="soft">Over what is allowed, on a log scale from {LEAST:g}; the red line is 1, all that is allowed.</p>'
    yield _svg(height + 4, "Worst error of each case over what is allowed", limit + "".join(parts))
    yield from _more(len(rows))


def _share(worst: OutputResult) -> float:
    share = worst.norm_error / worst.norm_limit if worst.norm_limit else (math.inf if worst.norm_error else 0.0)
    if math.isnan(share):
        return math.inf
    return share if worst.right else max(share, 10.0)  # a single wrong element fails whatever the norm says


def _predicted(proof: Proof) -> Iterator[str]:
    """The times that the model of time says, as shares of what could be reached."""
    if not proof.predicted:
        return
    said = [one for one in proof.predicted if not one.reason]
    yield "<h2>Predicted times</h2>"
    if said:
        yield f'<p class="soft">On an {escape(said[0].board)}, {escape(said[0].inputs)}; not measured.</p>'
        numbers = ("Time", "Range", "TFLOP/s", "GB/s", "Of its limit", "Of the best published")
        heads = "".join(f'<th class="n">{word}</th>' for word in numbers)
        yield f'<div class="scroll"><table><thead><tr><th>Case</th><th>Shape</th>{heads}<th>Bound by</th></tr></thead><tbody>'
        yield from map(_predicted_row, said)
        yield "</tbody></table></div>"
    for line in compilers(said):
        yield f"<p>{escape(line)}.</p>"
    for one in slowest(said):
        lines = "".join(f"<li>{escape(line)}</li>" for line in one.what_to_do)
        yield f"<p>What to do in <code>{escape(one.shown)}</code>, {escape(one.shape)}:</p><ul>{lines}</ul>"
    looks = [f"Look: {one.shown}, {one.shape}: {doubt}." for one in said for doubt in one.doubts]
    looks += [f"Not predicted: {one.shown}, {one.shape}: {one.reason}." for one in proof.predicted if one.reason]
    for line in dict.fromkeys(looks):
        yield f"<p>{escape(line)}</p>"


def _predicted_row(one: PredictedTime) -> str:
    numbers = (
        milliseconds(one.ms), one.range, f"{one.tflops:.1f}" if one.tflops else "-", f"{one.gbs:,.0f}" if one.gbs else "-",
        limit_words(one.limit) or "-", one.published.words if one.published else "-",
    )  # fmt: skip
    cells = "".join(f'<td class="n">{escape(number)}</td>' for number in numbers)
    return f"<tr><td><code>{escape(one.shown)}</code></td><td>{_shape(one.shape)}</td>{cells}<td>{escape(one.bound)}</td></tr>"


def _times(proof: Proof) -> Iterator[str]:
    rows = [(case, times) for case in proof.cases for times in case.times]
    yield "<h2>Times</h2>"
    if rows:
        bars = [
            (case.shown, f"{times.shape} {times.mode}", kind, timed)
            for case, times in rows
            for kind, timed in (("original", times.original), ("port", times.port))
            if timed is not None and timed.torch_ms and timed.ms
        ]
        yield from _time_chart(bars)
        heads = "<th>Original on NVIDIA</th><th>x torch there</th><th>Port</th><th>x torch there</th>"
        yield f'<div class="scroll"><table><thead><tr><th>Case</th><th>Shape</th><th>Mode</th>{heads}</tr></thead><tbody>'
        for case, times in rows:
            yield f"<tr><td><code>{escape(case.shown)}</code></td><td>{_shape(times.shape)}</td><td>{times.mode}</td>"
            yield f"{_time(times.original)}{_time(times.port)}</tr>"
        yield "</tbody></table></div>"
    if proof.not_timed:
        yield f"<p>{escape(' '.join(proof.not_timed))}</p>"


def _time(timed: Timed | None) -> str:
    if timed is None:
        return "<td>-</td><td>-</td>"
    device = f"{timed.device}, recorded" if timed.recorded else timed.device
    ratio = f"{timed.torch_ms / timed.ms:.2f} ({timed.torch})" if timed.torch_ms and timed.ms else "-"
    return f"<td>{milliseconds(timed.ms)} ({escape(device)})</td><td>{escape(ratio)}</td>"


def _time_chart(bars: Sequence[tuple[str, str, str, Timed]]) -> Iterator[str]:
    """Torch's time over the kernel's, below the name of each case: past the dashed line the kernel is faster."""
    if not bars:
        return
    shown = bars[:BARS_SHOWN]
    top = max(1.25, *(timed.torch_ms / timed.ms for *_, timed in shown))
    parts = []
    y = 0
    for case, group in groupby(shown, key=lambda bar: bar[0]):
        parts.append(f'<text x="{LEFT - 10}" y="{y + 13}" text-anchor="end" font-weight="600">{_short(case)}</text>')
        for _, name, kind, timed in group:
            y += 20
            parts.extend(_time_bar(y, top, case, name, kind, timed))
        y += 26
    one = LEFT + WIDTH / top
    even = f'<line class="even" x1="{one:.1f}" x2="{one:.1f}" y1="0" y2="{y}"/>'
    yield "<p class=\"soft\">Torch's time over the kernel's on the same GPU: past the dashed line the kernel is faster.</p>"
    yield _svg(y + 4, "Speed of each kernel against torch", "".join(parts) + even)
    yield from _more(len(bars))


def _time_bar(y: int, top: float, case: str, name: str, kind: str, timed: Timed) -> Iterator[str]:
    ratio = timed.torch_ms / timed.ms
    width = max(2.0, WIDTH * ratio / top)
    words = escape(f"{ratio:.2f} x {timed.torch}: {kind} {milliseconds(timed.ms)}")
    anchor, at = ("end", LEFT + width - 6) if width > 0.6 * WIDTH else ("start", LEFT + width + 6)
    yield f'<text x="{LEFT - 10}" y="{y + 13}" text-anchor="end">{_short(name)}</text>'
    yield f'<rect class="fill-{"exact" if ratio >= 1 else "review"}" x="{LEFT}" y="{y + 3}" width="{width:.1f}" height="13">'
    yield f"<title>{escape(case)} {escape(name)}: {words} on {escape(timed.device)}</title></rect>"
    yield f'<text x="{at:.1f}" y="{y + 13}" text-anchor="{anchor}">{words}</text>'


def _svg(height: float, title: str, body: str) -> str:
    svg = f'<svg viewBox="0 0 1000 {height}" role="img" aria-label="{escape(title)}">{body}</svg>'
    return f'<div class="scroll">{svg}</div>'


def _more(count: int) -> Iterator[str]:
    if count > BARS_SHOWN:
        yield f'<p class="soft">{count - BARS_SHOWN:,} more in the table only.</p>'


def _short(name: str) -> str:
    return escape(name if len(name) <= 40 else "\u2026" + name[-39:])


def _shape(shape: str) -> str:
    return escape(shape).replace(",", ",<wbr>")


def _failure(case: CaseProof, failure: Failure, choices: Choices) -> str:
    names = ", ".join(_run_name(run) for run in failure.runs[:RUNS_NAMED])
    more = f" and {len(failure.runs) - RUNS_NAMED:,} more" if len(failure.runs) > RUNS_NAMED else ""
    lines = "".join(f"<li>{escape(line)}</li>" for line in failure.lines)
    place = failure.place
    code = f": <code>{escape(place.text.strip())}</code>" if place.text else ""
    named, link = f"<code>{escape(str(place))}</code>", choices.link(uri_of(place.path), place.line)
    named = f'<a href="{escape(link)}">{named}</a>' if link else named
    fix = f"<p>Fix: {escape(failure.fix)}</p>" if failure.fix else ""
    return (
        f'<section class="site {_COLOURS[failure.status]}"><p><code>{escape(case.shown)}</code> '
        f'<span class="tag">{failure.status.value}</span> {escape(failure.title)} <code>{failure.rule}</code></p>'
        f"<ul>{lines}</ul><p>{named}{code}</p>{fix}"
        f"<p>{len(failure.runs):,} of {len(case.runs):,} runs: {escape(names)}{more}</p>"
        f"<p>Repeat: <code>{escape(failure.command)}</code></p></section>"
    )


def _run_name(run: Verdict) -> str:
    return " ".join(word for word in (shape_text(run.shape), run.values) if word) or run.case


def _runs(case: CaseProof) -> Iterator[str]:
    opened = "" if case.status is Status.PASS else " open"
    counted = any(run.counts for run in case.runs)
    yield f"<details{opened}><summary><code>{escape(case.shown)}</code>: {len(case.runs):,} runs, "
    yield f"{_verdict(case.status)} <code>{escape(case.source)}</code></summary>"
    extra = "<th>Counted in the emulator</th>" if counted else ""
    heads = "<th>Shape</th><th>Values</th><th>Output</th><th>Error of allowed</th><th>First wrong</th><th>Verdict</th>"
    yield f'<div class="scroll"><table><thead><tr>{heads}{extra}</tr></thead><tbody>'
    for run in case.runs:
        counts = f"<td>{escape(count_words(run.counts) or '-')}</td>" if counted else ""
        outputs: Sequence[OutputResult | None] = run.outputs or (None,)
        for output in outputs:
            name = f"{output.name} {output.dtype} {list(output.shape)}" if output else "-"
            error = f"{output.norm_error:.1e} of {output.norm_limit:.1e}" if output else "-"
            first = _first(output) if output else escape(run.reason)
            yield f"<tr><td>{_shape(shape_text(run.shape))}</td><td>{escape(run.values)}</td><td>{escape(name)}</td>"
            yield f"<td>{error}</td><td>{first}</td><td>{_verdict(run.status)}</td>{counts}</tr>"
    yield "</tbody></table></div></details>"


def _first(output: OutputResult) -> str:
    if output.first:
        one = output.first[0]
        return escape(f"{output.name}{list(one.index)} = {one.got:.6g} instead of {one.want:.6g}")
    if output.first_unwritten:
        return escape(f"{output.name}{list(output.first_unwritten[0])} was not written")
    return "-"
