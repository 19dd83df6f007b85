"""Builds the HIP programs of a folder for the emulator, runs each at a reduced size, and reads what it says of itself.

The programs are copied to a work folder first, so that what they write does not end up among their sources.
A TOML file may say of a program, by its name, what the rules cannot know:

    [some-program]
    arguments = "256 1"              # instead of the reduced arguments of its Makefile
    pass = "RMS error: 0\\\\."         # its verdict, where it has words of its own for it
    replace = [["#define N 4096", "#define N 64"]]   # in its sources: sizes that are constants
    sources = ["wave64.cu"]          # instead of its Makefile's
    defines = ["VERIFY"]             # more macros
    checks = false                   # its words of success or failure are about something else
    seconds = 120
    cause = "reads data that is not in the repository"   # what a person found out about the failure
    skip = true                      # not run; the cause says why
"""

from __future__ import annotations

import datetime
import json
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from porter.corpus.causes import classify
from porter.corpus.program import Program, source_files
from porter.corpus.recipe import Recipe, find_recipe, reduced
from porter.corpus.runner import neighbours
from porter.errors import CompileError, InputError, PorterError
from porter.execute import RunOptions, emulated, emulator_settings, read_launches
from porter.toolchain import Diagnostic, Options

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = [
    "Executed",
    "Verdict",
    "build_and_run",
    "copy_with_sizes",
    "execute",
    "executed_json",
    "executed_markdown",
    "judge",
    "link_neighbours",
    "load_executed",
    "load_sizes",
]

Verdict = str  # one of VERDICTS
VERDICTS: dict[Verdict, str] = {
    "pass": "prints its success",
    "fail": "prints that its results are wrong",
    "fault": "a kernel was stopped by the emulator",
    "error": "ends with an error of its own or a signal",
    "timeout": "not finished in time",
    "silent": "ends well, but does not say whether its results are right",
    "build": "does not build",
    "data": "its input is not there",
    "skipped": "not run",
}


EMULATED = RunOptions(emulate=True)


@dataclass(frozen=True, slots=True)
class Executed:
    name: str
    verdict: Verdict
    checks_itself: bool  # its sources hold words of success or failure
    arguments: str = ""
    cause: str = ""
    detail: str = ""  # the first error, as it was printed
    build_seconds: float = 0.0
    run_seconds: float = 0.0
    kernel_seconds: float = 0.0
    launches: int = 0
    instructions: int = 0


def execute(
    programs: Sequence[Program],
    work: Path,
    *,
    sizes: Mapping[str, Mapping[str, Any]],
    seconds: float = 60.0,
    jobs: int = 1,
    how: RunOptions = EMULATED,
    only_build: bool = False,
    only_checked: bool = False,
    progress: Callable[[Executed], None] = lambda result: None,
) -> list[Executed]:
    """Every program in turn, or `jobs` at a time; a failure is a row of the result and never ends the run."""

    def one(program: Program) -> Executed:
        size = sizes.get(program.name, {})
        try:
            if only_checked and not _checks(program, size):
                result = Executed(program.name, "skipped", False, cause="has no words of a verdict")
            else:
                result = _one(program, work, size, seconds, how, only_build)
        except PorterError as error:
            result = Executed(program.name, "build", _checks(program, size), "", error.problem, error.problem)
        progress(result)
        return result

    for parent in {program.folder.parent for program in programs}:
        link_neighbours(parent, work)
    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        return list(pool.map(one, programs))


def _one(
    program: Program, work: Path, size: Mapping[str, Any], seconds: float, how: RunOptions, only_build: bool
) -> Executed:
    if size.get("skip"):
        return Executed(program.name, "skipped", _checks(program, size), cause=str(size.get("cause", "")))
    folder = copy_with_sizes(program.folder, work, size)
    return build_and_run(program, folder, work, size, seconds=seconds, how=how, only_build=only_build)


def build_and_run(
    program: Program,
    folder: Path,
    work: Path,
    size: Mapping[str, Any],
    *,
    seconds: float,
    how: RunOptions = EMULATED,
    only_build: bool = False,
) -> Executed:
    """What the program says of itself, built from its copy in `folder` and run there."""
    checks = _checks(program, size)
    recipe = find_recipe(folder)
    arguments = str(size["arguments"]).split() if "arguments" in size else list(reduced(recipe.arguments))
    row: dict[str, Any] = {"name": program.name, "checks_itself": checks, "arguments": " ".join(arguments)}
    known_cause = str(size.get("cause", ""))
    sources = size.get("sources", recipe.sources)
    if not sources:
        return Executed(verdict="build", cause=known_cause or "no translation unit found", **row)
    missing = [str(recipe.cwd)] if not (folder / recipe.cwd).is_dir() else []
    missing += [word for word in arguments if _is_missing_file(word, folder / recipe.cwd)]
    if missing:
        return Executed(verdict="data", cause=known_cause or f"{missing[0]} is not there", **row)
    began = time.perf_counter()
    try:
        built = emulated([folder / source for source in sources], _options(recipe, folder, size))
    except CompileError as error:
        row["build_seconds"] = round(time.perf_counter() - began, 1)
        sort = classify([Diagnostic(re.sub(r"^.*?error: ", "", error.problem))])
        text = f"{sort.name}: {sort.detail}" if sort.detail else sort.name
        return Executed(verdict="build", cause=known_cause or text, detail=_without_folder(error.problem, work), **row)
    row["build_seconds"] = round(time.perf_counter() - began, 1)
    if only_build:
        return Executed(verdict="skipped", cause="only built", **row)
    limit = float(size.get("seconds", seconds))
    code, output, spent, launches = _run(built.path, arguments, folder / recipe.cwd, limit, how)
    (folder / "porter-output.txt").write_text(output)
    row["run_seconds"] = round(spent, 1)
    row["launches"] = len(launches)
    row["kernel_seconds"] = round(sum(launch.get("seconds", 0.0) for launch in launches), 1)
    row["instructions"] = sum(launch.get("instructions", 0) for launch in launches)
    verdict, cause, detail = judge(code, output, launches, str(size.get("pass", "")))
    if verdict != "pass":
        cause = known_cause or cause
    return Executed(verdict=verdict, cause=cause, detail=_without_folder(detail, work), **row)


def _options(recipe: Recipe, folder: Path, size: Mapping[str, Any]) -> Options:
    return Options(
        std=recipe.std,
        level=recipe.level,
        defines=(*recipe.defines, *size.get("defines", ())),
        includes=tuple(os.path.normpath(folder / path) for path in recipe.includes),
        flags=("-w", *recipe.flags),
        link=recipe.link,
    )


# ---------------------------------------------------------------- the work folder

_COPIED = 1 << 20  # larger files are linked


def link_neighbours(folder: Path, work: Path) -> None:
    """Relative paths of a program lead to folders beside it."""
    work.mkdir(parents=True, exist_ok=True)
    for entry in folder.iterdir():
        link = work / entry.name
        if not link.is_symlink() and not link.exists():
            link.symlink_to(entry)


def copy_with_sizes(folder: Path, work: Path, size: Mapping[str, Any]) -> Path:
    """A copy of the program's folder, changed as its sizes say."""
    replace = size.get("replace", ())
    target = _copy(folder, work)
    elsewhere = [old for old, _ in replace if not _holds(folder, old)]
    beside = [folder.with_name(name) for name in neighbours(folder)] if elsewhere else []
    places = [target, *(_copy(place, work) for place in beside if any(_holds(place, old) for old in elsewhere))]
    for old, new in replace:
        if not sum(_replace(place, old, new) for place in places):
            raise PorterError(f"{folder.name}: no source holds {old!r}")
    return target


def _copy(folder: Path, work: Path) -> Path:
    target = work / folder.name
    if target.is_symlink():
        target.unlink()
    shutil.rmtree(target, ignore_errors=True)

    def copy(source: str, copied: str) -> str:
        if os.path.getsize(source) <= _COPIED:
            return str(shutil.copy2(source, copied))
        os.symlink(source, copied)
        return copied

    shutil.copytree(folder, target, copy_function=copy, ignore_dangling_symlinks=True)
    return target


def _holds(folder: Path, text: str) -> bool:
    return any(text.encode() in path.read_bytes() for path in source_files(folder))


def _replace(folder: Path, old: str, new: str) -> bool:
    containing = [path for path in source_files(folder) if old.encode() in path.read_bytes()]
    for path in containing:
        path.write_bytes(path.read_bytes().replace(old.encode(), new.encode()))
    return bool(containing)


def _is_missing_file(word: str, cwd: Path) -> bool:
    """Whether an argument names an input that is absent: a path through another folder, which an output never is."""
    return "/" in word and not (cwd / word).exists() and word.startswith("../")


def _without_folder(text: str, work: Path) -> str:
    return text.replace(f"{work}{os.sep}", "")


# ---------------------------------------------------------------- running


def _run(
    program: Path, arguments: Sequence[str], cwd: Path, seconds: float, how: RunOptions
) -> tuple[int | None, str, float, list[dict[str, Any]]]:
    """Exit code (None: out of time), what it printed, seconds, launches.

    The limit is of processor seconds, which other work on the machine does not use up, and four times as many others.
    """
    with tempfile.TemporaryDirectory(prefix="porter-run-") as folder:
        report = Path(folder) / "launches.jsonl"
        printed = Path(folder) / "output"
        began = time.perf_counter()
        with printed.open("wb") as sink:
            process = subprocess.Popen(
                [str(program), *arguments],
                cwd=cwd,
                env={**os.environ, **emulator_settings(how, report)},
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            code: int | None
            try:
                resource.prlimit(process.pid, resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 1))
                code = process.wait(timeout=4 * seconds)
                code = None if code in (-signal.SIGXCPU, -signal.SIGKILL) else code
            except subprocess.TimeoutExpired:
                code = None
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
        spent = time.perf_counter() - began
        with printed.open("rb") as file:
            output = file.read(4 << 20).decode("utf-8", "replace")
        return code, output, spent, read_launches(report)


# ---------------------------------------------------------------- what it says

# As a verdict: in capitals, first in its line, behind punctuation or what was tried. A program may have a backward pass.
_PASS = r"(?-i:\bPASS\b)|(?:^|[:=\[(>!.\"'-]\s*|\b(?:tests?|checks?|verification|validation|results?|all)\s+)pass\b(?!\s*#?\d)"
_SUCCESS = re.compile(
    rf"{_PASS}|\bpassed\b|\bsuccess\w*|\bcorrect(?:ly)?\b|\bverified\b|\bresults? (?:match|agree)|\bno errors?\b"
    r"|\bOK\b|\b(?:are|is) (?:the )?same\b",
    re.IGNORECASE,
)
_FAILURE = re.compile(
    r"\bfail(?:ed|ure|s)?\b(?!\w*:? *0\b)|(?<!\b0 )(?<!no )\bmismatch|\bincorrect\b(?![^:]*: *0\b)|\bwrong\b|n[o']t (?:match|correct|pass)"
    r"|verification error|\bunsuccess",
    re.IGNORECASE,
)
_OTHER_FAILURE = re.compile(r"\bfailed (?:to|at|with)\b|\busage\b|%s.*%d|alloc|memory|file|in line", re.IGNORECASE)
_NO_INPUT = re.compile(
    r"(?:cannot|could not|can't|unable to|fail(?:ed|ure)? (?:to|on|in)|error) ?(?:be )?(?:open|read|load|find|found)|no such file"
    r"|open(?:ing)? (?:the )?(?:file)?.*fail|cannot be opened",
    re.IGNORECASE,
)
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')


def checks_itself(folder: Path) -> bool:
    """Whether a string in the program's sources, or in a neighbour's header that it includes, is a verdict."""
    files = source_files(folder)
    files += [path for path in (folder / source for source in find_recipe(folder).sources) if path not in files]
    texts = [path.read_text(errors="replace") for path in files]
    for path, text in list(zip(files, texts, strict=True)):
        for name in re.findall(r'#[ \t]*include[ \t]*"([^"\n]*)"', text):
            header = path.parent / name
            beside = folder.with_name(folder.name.rsplit("-", 1)[0] + "-cuda") / name
            texts += [place.read_text(errors="replace") for place in (header, beside) if place.is_file()]
    return any(
        (_SUCCESS.search(word) or _FAILURE.search(word)) and not _OTHER_FAILURE.search(word)
        for text in texts
        for line in text.splitlines()
        if '"' in line and not line.lstrip().startswith("#")
        for word in _STRING.findall(line)
    )


def _checks(program: Program, size: Mapping[str, Any]) -> bool:
    return bool(size.get("checks", "pass" in size or checks_itself(program.folder)))


def judge(
    code: int | None, output: str, launches: Sequence[Mapping[str, Any]], own: str = ""
) -> tuple[Verdict, str, str]:
    """The verdict, its cause in a few words, and the line behind it."""
    stopped = [launch for launch in launches if launch.get("faulted")]
    findings = [finding for launch in stopped for finding in launch.get("findings", ())]
    # An assertion is the program's own affair: some mean it to fail.
    if findings and not (code == 0 and findings[-1].get("kind") == "assert"):
        last = findings[-1]
        instruction = str(last.get("instruction", "")).split("//")[0].split()
        what = f": {instruction[0]}" if instruction and last.get("kind") == "unknown-instruction" else ""
        place = f"{last.get('file', '')}:{last.get('line', 0)}"
        return "fault", f"{last.get('text', 'fault')}{what}", f"{place} {last.get('instruction', '')}"
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    missing = next((line for line in lines if line.startswith("porter: ")), "")
    if code is None:
        return "timeout", "not finished in time", missing or (lines[-1] if lines else "")
    wrong = next((line for line in lines if _FAILURE.search(line)), "")
    right = next((line for line in lines if _SUCCESS.search(line) and not _FAILURE.search(line)), "")
    if own:
        right = next((line for line in lines if re.search(own, line)), "")
        wrong = next((line for line in lines if _FAILURE.search(line) and not re.search(own, line)), "")
        wrong = wrong or ("" if right else "the words of success are not there")
    if code == 0 and right and not wrong:
        return "pass", "", right[:200]
    absent = next((line for line in lines if _NO_INPUT.search(line)), "")
    if code and absent:
        return "data", "its input is not there", absent[:200]
    if code:
        name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return "error", missing or f"ends with {name}", missing or wrong or (lines[-1][:200] if lines else "")
    if missing:
        return "error", missing, missing
    if wrong:
        return "fail", "wrong results", wrong[:200]
    return "silent", "no verdict printed", lines[-1][:200] if lines else ""


# ---------------------------------------------------------------- tables


def load_sizes(path: Path) -> dict[str, dict[str, Any]]:
    """The tables of a TOML file with problem sizes, by name."""
    try:
        data: dict[str, dict[str, Any]] = tomllib.loads(path.read_text())
        return data
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}", "") from error


def load_executed(path: Path) -> list[Executed]:
    """The results that `executed_json` wrote to a file."""
    try:
        return [Executed(**row) for row in json.loads(path.read_text())["programs"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is no result of this runner: {error}", "make it with --json") from error


def executed_json(results: Sequence[Executed]) -> str:
    """The results as a JSON document, with today's date."""
    return json.dumps({"schema": 1, "date": _today(), "programs": [asdict(result) for result in results]}, indent=1)


def _today() -> str:
    return datetime.datetime.now(datetime.timezone.utc).date().isoformat()


def executed_markdown(results: Sequence[Executed]) -> str:
    """Counts, and one row for each program that checks itself and does not pass."""
    counted = [result for result in results if result.checks_itself]
    able = [result for result in counted if result.verdict not in ("build", "data", "skipped")]
    passed = sum(result.verdict == "pass" for result in counted)
    share = f"{100 * passed / len(able):.1f}%" if able else "none"
    out = [
        f"{_today()}: of {len(results)} programs {len(counted)} check themselves, {len(able)} of these build and have"
    ]
    out += [
        f"their input, {passed} print their success ({share}).",
        "",
        "| verdict | meaning | programs |",
        "|---|---|--:|",
    ]
    counts = Counter(result.verdict for result in counted)
    out += [f"| {name} | {VERDICTS[name]} | {counts[name]} |" for name in VERDICTS if counts[name]]
    out += ["", "| program | verdict | arguments | cause | first error | s |", "|---|---|---|---|---|--:|"]
    for program in counted:
        if program.verdict != "pass":
            cells = (
                program.name,
                program.verdict,
                program.arguments,
                program.cause,
                program.detail[:120],
                f"{program.run_seconds:.1f}",
            )
            out.append("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |")
    return "\n".join(out) + "\n"
