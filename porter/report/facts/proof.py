"""What `porter verify` found, derived once from its verdicts: cases, failures with their places, times.

Runs that fail in the same way are one failure. Every number says what it is: measured on a GPU, counted in the
emulator, or not there and why.
"""

from __future__ import annotations

import contextlib
import json
import math
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from porter.chip import EMULATED
from porter.findings import FilePort
from porter.harness.verdict import OutputResult, Status, Verdict, shape_text
from porter.perf.isa import LOST_WAIT, LOST_WAIT_FIX, KernelFacts
from porter.report.facts.causes import FINDINGS, RULES, cause_of
from porter.report.facts.places import COMPILER, Place, Sources, relative
from porter.report.facts.predicted import PredictedTime, predicted_times
from porter.report.facts.source import prose
from porter.toolchain.demangle import brief_name, short_name

__all__ = [
    "CaseProof",
    "CompiledKernel",
    "Failure",
    "FindingPlace",
    "Proof",
    "Session",
    "Timed",
    "Times",
    "clean",
    "count_words",
    "label",
    "output_words",
    "proof_of",
    "where",
]

_NUMBER = re.compile(r"-?\d[\d.]*(e[-+]?\d+)?|\bnan\b|\binf\b|\[[^\]]*\]")


@dataclass(frozen=True, slots=True)
class CompiledKernel:
    """What the compiler for AMD made of one kernel."""

    source: str
    kernel: str
    facts: KernelFacts

    @property
    def warning(self) -> str:
        """Empty where all values have registers. Scalar ones that are kept in lanes of vector registers are no loss."""
        facts = self.facts
        if not facts.vgpr_spills and not facts.scratch:
            return ""
        held = f"{facts.vgprs} VGPRs and {facts.agprs} AGPRs of the {facts.chip.registers_for(facts.max_threads)} that a lane can have"
        what = f"{brief_name(self.kernel)} of {self.source}: {facts.scratch} bytes of scratch memory a lane"
        if not facts.vgpr_spills:
            return f"{what}, for arrays indexed at run time or copies that put registers aside; no register is spilled ({held})"
        return (
            f"{what}: {facts.vgpr_spills} vector registers are spilled, at {held}; smaller tiles or fewer threads help"
        )

    @property
    def wait_warning(self) -> str:
        """Empty where clang lost no wait in front of a barrier."""
        lost = ", ".join(prose(place) for place in map(_short_place, self.facts.lost_waits))
        return f"{self.kernel} of {self.source}: {LOST_WAIT} {lost}; {LOST_WAIT_FIX}" if lost else ""


def _short_place(place: str) -> str:
    path, _, line = place.rpartition(":")
    return f"{relative(path)}:{line}"


@dataclass(frozen=True, slots=True)
class Session:
    """What is true of all runs of one `porter verify`."""

    seed: int
    backend: str = "emulator"
    extra: tuple[str, ...] = ()  # options that a repeat needs, beside the run's name and the seed
    shapes: bool = False  # the shapes were given on the command line
    values: bool = False
    edited: tuple[str, ...] = ()  # ports that are not what porter makes of their source now
    interrupted: bool = False
    seconds: float = 0.0
    kernels: tuple[CompiledKernel, ...] = ()  # of the ports that were run

    @property
    def warnings(self) -> tuple[str, ...]:
        texts = (text for kernel in self.kernels for text in (kernel.warning, kernel.wait_warning))
        return tuple(dict.fromkeys(text for text in texts if text))


@dataclass(frozen=True, slots=True)
class FindingPlace:
    """A finding of the emulator's checks, once for each line and each second one that it names."""

    kind: str
    kernel: str  # the first that has it
    place: Place
    other: Place | None
    instruction: str
    count: int = 0  # how often it was seen, in all runs; 0: nobody counted
    touched: str = ""  # by whom and what, the first time

    @property
    def words(self) -> str:
        return FINDINGS.get(self.kind, ("", ""))[0] or self.kind

    def text(self, named: bool = True) -> str:
        """With what the kind means, where the failure's title does not say it."""
        places = sorted({self.place, self.other} if self.other else {self.place}, key=lambda p: (p.path, p.line))
        both = " and ".join(map(str, places))
        kernel = f" in {self.kernel}" if self.kernel else ""
        times = f", {self.count:,} times" if self.count > 1 else ""
        first = f"{'; first ' if self.count > 1 else '; '}{self.touched}" if self.touched else ""
        return f"{self.kind} at {both}{kernel}{times}" + (f": {self.words}" if named else "") + first


@dataclass(frozen=True, slots=True)
class Failure:
    """Runs of a case that fail, or are not run, in the same way."""

    status: Status
    rule: str
    lines: tuple[str, ...]  # what is wrong in the first of them
    fix: str
    runs: tuple[Verdict, ...]
    findings: tuple[FindingPlace, ...]
    place: Place
    command: str  # repeats the first run

    @property
    def title(self) -> str:
        return RULES[self.rule][0] if self.rule in RULES else FINDINGS[self.rule][0]

    @property
    def text(self) -> str:
        return "; ".join(self.lines)


@dataclass(frozen=True, slots=True)
class Timed:
    """One kernel's time on one device, and the faster of torch's there."""

    device: str
    ms: float
    torch_ms: float = 0.0  # 0: not run
    torch: str = ""  # which of torch's
    recorded: bool = False  # by porter record, at another time


@dataclass(frozen=True, slots=True)
class Times:
    """Of one shape in one mode."""

    shape: str
    mode: str
    original: Timed | None
    port: Timed | None


@dataclass(frozen=True)
class CaseProof:
    """One case with one source."""

    name: str
    side: str
    title: str
    file: str  # the case's
    source: str  # what was built, as a reader knows it
    runs: tuple[Verdict, ...]
    failures: tuple[Failure, ...]
    times: tuple[Times, ...]
    notes: tuple[str, ...] = ()  # what was found and is harmless

    @property
    def shown(self) -> str:
        return self.name if self.side == "port" else f"{self.name} ({self.side})"

    @property
    def status(self) -> Status:
        statuses = {run.status for run in self.runs}
        return next(status for status in (Status.FAIL, Status.NOT_RUN, Status.PASS) if status in statuses)

    def count(self, status: Status) -> int:
        return sum(run.status is status for run in self.runs)

    @cached_property
    def worst(self) -> OutputResult | None:
        """Of all outputs that were compared: the one nearest to what is allowed, or furthest beyond."""
        outputs = [output for run in self.runs for output in run.outputs]
        return max(outputs, key=_share, default=None)

    @property
    def error(self) -> tuple[str, str]:
        """The worst error and what is allowed, as a table shows them."""
        worst = self.worst
        if worst is None:
            return "-", "-"
        if not worst.right and worst.norm_error <= worst.norm_limit:  # the norm is over finite values
            count = worst.wrong + worst.unwritten
            return f"{count:,} element{'s' if count > 1 else ''}", "none"
        return f"{worst.norm_error:.1e}", f"{worst.norm_limit:.1e}"

    @property
    def backend(self) -> str:
        return ", ".join(dict.fromkeys(run.backend for run in self.runs))


@dataclass(frozen=True)
class Proof:
    session: Session
    cases: tuple[CaseProof, ...]
    predicted: tuple[PredictedTime, ...] = ()  # of the shapes that a GPU would be timed on

    @cached_property
    def runs(self) -> tuple[Verdict, ...]:
        return tuple(run for case in self.cases for run in case.runs)

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(note for case in self.cases for note in case.notes))

    @cached_property
    def failures(self) -> tuple[tuple[CaseProof, Failure], ...]:
        """Failures first, then what was not run."""
        pairs = [(case, failure) for case in self.cases for failure in case.failures]
        return tuple(sorted(pairs, key=lambda pair: pair[1].status is not Status.FAIL))

    def count(self, status: Status) -> int:
        return sum(case.count(status) for case in self.cases)

    @property
    def headline(self) -> str:
        """What failed first; nothing is called proven by not being run."""
        failed, missing, passed = (self.count(s) for s in (Status.FAIL, Status.NOT_RUN, Status.PASS))
        runs = f"{len(self.runs):,} run{'' if len(self.runs) == 1 else 's'}"
        ended = "interrupted: " if self.session.interrupted else ""
        if not self.runs:
            return f"{ended}no run, so nothing is proven"
        parts = [f"{failed:,} of {runs} failed"] if failed else []
        parts += [f"{missing:,} of {runs} not run" if not parts else f"{missing:,} not run"] if missing else []
        every = f"all {runs} passed" if len(self.runs) > 1 else "1 run passed"
        parts += [f"{passed:,} passed" if parts else every] if passed or parts else []
        return ended + ", ".join(parts)

    @cached_property
    def not_timed(self) -> tuple[str, ...]:
        """Why there is no time, for each of the columns that is empty in all rows."""
        rows = [times for case in self.cases for times in case.times]
        emulated = "not timed: an emulator's time says nothing of a GPU's; porter verify --bench on an AMD GPU times it"
        here = emulated if self.session.backend == "emulator" else "not timed: --bench was not given"
        words = []
        if not any(row.original for row in rows):
            there = self.session.backend == "nvidia"
            words.append(
                f"Original on NVIDIA: {here if there else 'not run: porter record on an NVIDIA GPU times it'}."
            )
        if not any(row.port for row in rows) and self.session.backend == "nvidia":
            words.append("Port: not run: on an NVIDIA GPU it is the original that runs.")
        elif not any(row.port for row in rows):
            words.append(f"Port: {here}.")
        if not any(timed and timed.torch_ms for row in rows for timed in (row.original, row.port)):
            words.append("torch: not timed: it is timed beside a kernel that is.")
        return tuple(words)

    @property
    def sides(self) -> str:
        original = all(case.side == "original" for case in self.cases)
        return "CUDA originals" if self.cases and original else f"HIP ports for {EMULATED.target}"


def proof_of(
    verdicts: Iterable[Verdict],
    session: Session,
    ports: Sequence[FilePort] = (),
    predicted: Iterable[Verdict] = (),
) -> Proof:
    """The proof that the verdicts give: a case for each name and side, with its failures grouped; beside it the times that
    `predicted` has."""
    sources = Sources(ports)
    key = lambda v: (v.case, v.side)  # noqa: E731
    cases = []
    for (_, side), group in groupby(sorted(verdicts, key=key), key):
        # What a user's names and messages hold must not break a format.
        given = tuple(group)
        shown = map(sources.with_places, given)
        runs = tuple(replace(v, case=prose(v.case), reason=prose(v.reason), title=prose(v.title)) for v in shown)
        first = runs[0]
        name = first.case
        failures = _failures(runs, session, sources)
        cases.append(
            CaseProof(
                relative(name) if relative(name) == first.file else name, side, prose(first.title), first.file,
                first.source, runs, failures, _times(runs, given[0].file, name, side),
                _notes(runs, sources),
            )
        )  # fmt: skip
    return Proof(session, tuple(cases), predicted_times(predicted))


def where(runs: Iterable[Verdict]) -> str:
    """On what these were run."""
    devices = dict.fromkeys(run.backend for run in runs if run.status is not Status.NOT_RUN)
    return "; ".join("run in the emulator" if name == "emulator" else f"run on {name}" for name in devices)


def label(verdict: Verdict) -> str:
    """What kind of numbers a run's are."""
    return "counted in the emulator" if verdict.backend == "emulator" else f"measured on {verdict.backend}"


def count_words(counts: Mapping[str, Any]) -> str:
    """The emulator's counts of one run; empty where it did not count."""
    names = (
        ("instructions", "instructions"), ("mfma_flops", "MFMA FLOPs"), ("global_bytes", "bytes of global memory"),
        ("lines", "128-byte lines"), ("lds_cycles", "LDS cycles"),
    )  # fmt: skip
    return ", ".join(f"{counts[key]:,.0f} {words}" for key, words in names if counts.get(key))


def output_words(result: OutputResult, poisoned: bool = False) -> str:
    """One line about an output that is not right, with its first wrong elements and the step between them. `poisoned`: values
    that nobody wrote were read, so what looks unwritten may be computed from them."""
    total = math.prod(result.shape)
    parts = []
    if result.unwritten:
        where = ", ".join(_element(result.name, index) for index in result.first_unwritten[:3])
        more = ", ..." if result.unwritten > 3 else ""
        what = "hold poison, unwritten or computed from what nobody wrote" if poisoned else "were not written"
        parts.append(f"{result.unwritten:,} of {total:,} elements of {result.name} {what}: {where}{more}")
    if result.wrong:
        shown = [f"{_element(result.name, m.index)} = {m.got:.6g} instead of {m.want:.6g}" for m in result.first[:3]]
        more = ", ..." if result.wrong > 3 else ""
        step = _step([m.index for m in result.first], result.shape)
        parts.append(
            f"{result.wrong:,} of {total:,} elements of {result.name} are wrong{step}: {', '.join(shown)}{more}"
        )
    if not parts:
        parts.append(f"{result.name} is off by {result.norm_error:.1e} of its norm; {result.norm_limit:.1e} is allowed")
    return "; ".join(parts)


def _element(name: str, index: Sequence[int]) -> str:
    return f"{name}[{', '.join(map(str, index))}]"


def _step(indices: Sequence[Sequence[int]], shape: Sequence[int]) -> str:
    """ ", every 7th" where the first wrong elements lie at equal distances: a pattern names its cause."""
    flat = []
    for index in indices:
        at = 0
        for part, size in zip(index, shape, strict=True):
            at = at * size + part
        flat.append(at)
    steps = {b - a for a, b in pairwise(flat)}
    if len(flat) < 4 or len(steps) != 1:
        return ""
    (step,) = steps
    ending = {1: "st", 2: "nd", 3: "rd"}.get(step % 10 if step % 100 not in (11, 12, 13) else 0, "th")
    return ", in a row" if step == 1 else f", every {step:,}{ending}"


def _share(output: OutputResult) -> float:
    if not output.right:
        return math.inf
    return output.norm_error / output.norm_limit if output.norm_limit else 0.0


def _failures(runs: Sequence[Verdict], session: Session, sources: Sources) -> tuple[Failure, ...]:
    groups: dict[tuple[object, ...], list[Verdict]] = {}
    for run in runs:
        if run.status is not Status.PASS:
            kinds = frozenset(str(finding.get("kind")) for finding in _faults(run))
            alike = "" if kinds else _NUMBER.sub("#", run.reason)
            groups.setdefault((run.status, kinds, alike), []).append(run)
    return tuple(_failure(tuple(alike), session, sources) for alike in groups.values())


def _failure(runs: tuple[Verdict, ...], session: Session, sources: Sources) -> Failure:
    first = runs[0]
    findings = _by_place(_finding(finding, sources) for run in runs for finding in _faults(run))
    wrong = [output for output in first.outputs if not output.right]
    known = {str(finding.get("text", "")) for finding in first.findings}
    lines = list(dict.fromkeys(one.text(named=one.kind != findings[0].kind) for one in findings))
    poisoned = any(one.kind == "uninitialised" for one in findings)
    lines += [output_words(output, poisoned) for output in wrong]
    rest = [part for part in first.reason.split("; ") if part not in known]
    if wrong:
        rest = [part for part in rest if " elements of " not in part and " of its norm; " not in part]
        rest = [part for part in rest if not part.endswith(" is allowed")]
    lines += [sources.reason(prose(part)) for part in ["; ".join(rest)] if part]
    place = Place(relative(first.file) or sources.known(first.source))
    located = COMPILER.search(first.reason)
    if findings and findings[0].place.line:
        place = findings[0].place
    elif located:
        place = sources.place(located["file"], int(located["line"]))
    rule, fix = cause_of(first, bool(located))
    return Failure(
        first.status, rule, tuple(lines) or ("no reason was given",), fix, runs, findings, place,
        _command(first, session),
    )  # fmt: skip


def _faults(run: Verdict) -> list[Mapping[str, Any]]:
    return [finding for finding in run.findings if not finding.get("harmless")]


def _by_place(findings: Iterable[FindingPlace]) -> tuple[FindingPlace, ...]:
    """One for each kind and line: the first of them with the count of all. Without a line, as they are."""
    places: dict[object, FindingPlace] = {}
    for finding in findings:
        key = (finding.kind, finding.place) if finding.place.line else replace(finding, count=0)
        known = places.get(key)
        places[key] = finding if known is None else replace(known, count=known.count + finding.count)
    return tuple(places.values())


def _notes(runs: Sequence[Verdict], sources: Sources) -> tuple[str, ...]:
    """What is not compared, and what was found and is harmless: a sentence each."""
    harmless = _by_place(_finding(one, sources) for run in runs for one in run.findings if one.get("harmless"))
    left = {name: run.case for run in runs for name in run.unchecked}
    uncompared = [
        f"{case}: the result {name} is not compared: the reference has None for it" for name, case in left.items()
    ]
    return tuple(uncompared) + tuple(
        f"{finding.text()}; {FINDINGS[finding.kind][1]}" for finding in harmless if finding.kind in FINDINGS
    )


def _finding(given: Mapping[str, Any], sources: Sources) -> FindingPlace:
    inner = given.get("other")
    other = sources.place(str(inner["file"]), int(inner["line"])) if inner and inner.get("file") else None
    place = sources.place(str(given["file"]), int(given["line"])) if given.get("file") else Place("unknown place")
    kernel = short_name(str(given.get("kernel", "")))
    instruction, count = prose(str(given.get("instruction", ""))), int(given.get("count", 0))
    touched = prose(str(given.get("touched", "")))
    return FindingPlace(str(given.get("kind")), kernel, place, other, instruction, count, touched)


def _command(run: Verdict, session: Session) -> str:
    """What repeats the run, and it alone."""
    words = ["porter", "verify", relative(run.file or run.source)]
    words += ["-k", run.name] if run.source else []  # a case that cannot be used has no runs
    words += ["--seed", str(session.seed), *session.extra]
    words += ["--shapes", shape_text(run.shape)] if session.shapes else []
    words += ["--values", run.values] if session.values else []
    return shlex.join(words)


def _times(runs: Sequence[Verdict], file: str, name: str, side: str) -> tuple[Times, ...]:
    """By shape and mode: what was measured now, and beside it the original's recorded times."""
    both_times: dict[tuple[str, str], dict[str, Timed]] = {}
    for row in _recorded(file):
        with contextlib.suppress(KeyError, TypeError, AttributeError):
            if row["case"] == name and row["side"] == "original":
                beside = {title: float(other["median_ms"]) for title, other in row["beside"].items()}
                timed = _timed(str(row["device"]), float(row["median_ms"]), beside, recorded=True)
                both_times.setdefault((shape_text(row["shape"]), str(row["mode"])), {})["original"] = timed
    for run in runs:
        for timing in run.timings:
            if timing.name == side:
                beside = {t.name: t.median_ms for t in run.timings if t.mode == timing.mode and t is not timing}
                kind = "original" if side == "original" else "port"
                timed = _timed(run.backend, timing.median_ms, beside)
                both_times.setdefault((shape_text(run.shape), timing.mode), {})[kind] = timed
    return tuple(Times(*key, both.get("original"), both.get("port")) for key, both in both_times.items())


def _timed(device: str, ms: float, beside: Mapping[str, float], recorded: bool = False) -> Timed:
    fastest = min(beside, key=lambda title: beside[title], default="")
    return Timed(device, ms, beside.get(fastest, 0.0), fastest, recorded)


def _recorded(file: str) -> list[Any]:
    """The timings that `porter record` left beside the case."""
    path = Path(file)
    golden = path.with_name("golden.json" if path.stem == "case" else f"{path.stem[:-5]}_golden.json")
    if path.suffix != ".py" or not golden.is_file():
        return []
    with contextlib.suppress(OSError, ValueError, AttributeError):
        return list(json.loads(golden.read_text()).get("timings", ()))
    return []


def clean(value: Any) -> Any:
    """As JSON: numbers that it has no form for become words, and so does whatever it does not know."""
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, str):  # a file name that is not UTF-8 holds surrogates
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if isinstance(value, Mapping):
        return {str(key): clean(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [clean(item) for item in value]
    return value if value is None or isinstance(value, (int, bool)) else str(value)
