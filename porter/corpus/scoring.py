"""Scores a converter on test files in FileCheck style: `// CHECK: text` lines that the output must hold.

A line is hit when its text, without comments and with white space normalised, is contained in one
line of the output, treated likewise. The order that FileCheck demands is not asked for: the score
counts names and forms that come out right, line by line, so that one slip costs one line. What
CHECK-NOT forbids is counted apart: an empty output would fulfil it.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.corpus.converters import Conversion, Converter
from porter.findings import decode
from porter.frontend.lexer import lex

__all__ = ["CheckFile", "CheckScore", "Miss", "score_checks"]

SUFFIXES = frozenset({".cu", ".cpp", ".h", ".cuh", ".hpp", ".cc"})
_CHECK = re.compile(r"//[ \t]*CHECK(?P<kind>-NEXT|-NOT|-SAME|-DAG|-LABEL)?:(?P<text>.*)")
_OPTION = re.compile(r"(?<=\s)(--?[A-Za-z][\w-]*)")


@dataclass(frozen=True, slots=True)
class Miss:
    line: int
    text: str
    cause: str


@dataclass(frozen=True, slots=True)
class CheckFile:
    path: str
    options: tuple[str, ...]  # of the RUN line: what the expected output may depend on
    total: int
    misses: tuple[Miss, ...]
    forbidden: int = 0  # CHECK-NOT lines
    present: tuple[Miss, ...] = ()  # those whose text is there all the same
    problem: str = ""


@dataclass(frozen=True, slots=True)
class CheckScore:
    converter: str
    files: tuple[CheckFile, ...]
    excluded: tuple[str, ...]

    @property
    def total(self) -> int:
        return sum(file.total for file in self.files)

    @property
    def hits(self) -> int:
        return self.total - sum(len(file.misses) for file in self.files)

    @property
    def percent(self) -> float:
        return 100.0 * self.hits / self.total if self.total else 0.0

    @property
    def by_cause(self) -> dict[str, int]:
        return dict(Counter(miss.cause for file in self.files for miss in file.misses).most_common())

    @property
    def by_option(self) -> dict[str, tuple[int, int]]:
        """For every option of a RUN line: the CHECK lines of its files, and how many were missed."""
        totals: Counter[str] = Counter()
        misses: Counter[str] = Counter()
        for file in self.files:
            for option in file.options:
                totals[option] += file.total
                misses[option] += len(file.misses)
        return {name: (count, misses[name]) for name, count in totals.most_common()}


def score_checks(folder: Path, converter: Converter, work: Path, *, excluded: Sequence[str] = ()) -> CheckScore:
    """Convert every test file below the folder with CHECK lines in it, in one run, and score the output.

    `excluded` are options: a test whose RUN line has one of them (with one or two dashes) is left out.
    """
    stage, target = work / "checks-in", work / f"checks-{converter.name}"
    for place in (stage, target):
        shutil.rmtree(place, ignore_errors=True)
    tests: list[tuple[Path, str, tuple[str, ...]]] = []
    left_out = []
    barred = {name.lstrip("-") for name in excluded}
    for path in sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file()):
        text = decode(path.read_bytes())
        if not _CHECK.search(text):
            continue
        options = _run_options(text)
        if barred & {name.lstrip("-") for name in options}:
            left_out.append(str(path.relative_to(folder)))
            continue
        tests.append((path.relative_to(folder), text, options))
        copy = stage / path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    stage.mkdir(parents=True, exist_ok=True)
    conversion = converter.convert(stage, target)
    files = tuple(_score(target, conversion, *test) for test in tests)
    return CheckScore(converter.name, files, tuple(left_out))


def _run_options(text: str) -> tuple[str, ...]:
    run = re.search(r"//[ \t]*RUN:(.*)", text)
    return tuple(dict.fromkeys(_OPTION.findall(run[1]))) if run else ()


def _score(target: Path, conversion: Conversion, path: Path, text: str, options: tuple[str, ...]) -> CheckFile:
    output = target / conversion.moved.get(path, path)
    converted = _without_comments(decode(output.read_bytes())) if output.is_file() else ""
    lines = [line for line in (_normal(line) for line in converted.splitlines()) if line]
    whole = "\n".join(lines)
    names = set(_NAME.findall(whole))
    total = 0
    misses: list[Miss] = []
    bars: list[Miss] = []
    expected: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        check = _CHECK.search(line)
        if check is None:
            continue
        wanted = _normal(_strip_tail(check["text"]))
        if check["kind"] == "-NOT":
            bars.append(Miss(number, wanted, "text that must be absent is there"))
            continue
        total += 1
        expected.append(wanted)
        if not _is_written(wanted, lines, whole):
            misses.append(Miss(number, wanted, _cause(wanted, names, bool(converted))))
    # A text may be asked for once and forbidden a second time: "this header, and not again".
    present = [bar for bar in bars if _count(bar.text, lines) > _count(bar.text, expected)]
    problem = "" if converted else "no output"
    return CheckFile(str(path), options, total, tuple(misses), len(bars), tuple(present), problem)


def _count(text: str, lines: Sequence[str]) -> int:
    return sum(text in line for line in lines)


def _is_written(wanted: str, lines: Sequence[str], whole: str) -> bool:
    if "{{" not in wanted and "[[" not in wanted:
        return wanted in whole  # no line break can be inside: both are normalised
    pattern = ""
    for part in re.split(r"(\{\{.*?\}\}|\[\[\w+(?::.*?)?\]\])", wanted):
        if part.startswith("{{") and part.endswith("}}"):
            pattern += f"(?:{part[2:-2]})"
        elif re.fullmatch(r"\[\[\w+:.*\]\]", part):
            pattern += f"(?:{part[2:-2].split(':', 1)[1]})"
        else:
            pattern += re.escape(part)
    try:
        compiled = re.compile(pattern)
    except re.error:
        return wanted in whole
    return any(compiled.search(line) for line in lines)


def _without_comments(text: str) -> str:
    out, last = [], 0
    for start, end in lex(text).comments:
        out += [text[last:start], " " + "\n" * text.count("\n", start, end)]
        last = end
    out.append(text[last:])
    return "".join(out)


def _strip_tail(text: str) -> str:
    return _without_comments(text) if "//" in text or "/*" in text else text


def _normal(text: str) -> str:
    return " ".join(text.split())


_NAME = re.compile(r"[A-Za-z_]\w*")
_FAMILIES = (
    ("header", r"#\s*include"),
    ("kernel launch as hipLaunchKernelGGL", r".*hipLaunchKernelGGL"),
)
_NAME_FAMILIES = (
    ("BLAS", r"hipblas|HIPBLAS"),
    ("SPARSE", r"hipsparse|HIPSPARSE|hipDataType|HIP_[RC]_"),
    ("RAND", r"hiprand|HIPRAND"),
    ("FFT", r"hipfft|HIPFFT"),
    ("SOLVER", r"hipsolver|HIPSOLVER"),
    ("DNN", r"hipdnn|HIPDNN|miopen"),
    ("TENSOR", r"hiptensor|HIPTENSOR"),
    ("RTC", r"hiprtc|HIPRTC"),
    ("CUB", r"hipcub"),
    ("roc libraries", r"roc[a-z]+|ROC"),
    ("device code", r"__"),
    ("runtime and driver", r"hip|HIP"),
)


def _cause(wanted: str, names: set[str], has_output: bool) -> str:
    """What a missed line lacks: the first name of it that the output never uses tells the library."""
    if not has_output:
        return "no output"
    for cause, pattern in _FAMILIES:
        if re.match(pattern, wanted):
            return cause
    absent = next((name for name in _NAME.findall(wanted) if name not in names), None)
    if absent is None:
        return "right names in another form"
    family = next((cause for cause, pattern in _NAME_FAMILIES if re.match(pattern, absent)), None)
    return f"name not produced: {family}" if family else "other text"
