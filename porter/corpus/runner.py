"""Converts and checks every program of a folder; what did not change since the last run is not checked again."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import re
import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from porter.cache_folder import cache_dir, write_atomically
from porter.corpus.causes import LIBRARY_HEADER, classify, first_error
from porter.corpus.converters import Conversion, Converter, copy_tree
from porter.corpus.program import BuildUnit, Program, build_units, count_lines, source_files
from porter.paths import RUNTIME_INCLUDE
from porter.port.files.headers import is_included_as
from porter.toolchain import Diagnostic, find_toolchain, syntax_check

__all__ = ["Failure", "Mirror", "Outcome", "ProgramResult", "Run", "measure", "neighbours"]


@dataclass(frozen=True, slots=True)
class Failure:
    """One translation unit that did not pass, by its first error."""

    source: str
    cause: str
    detail: str
    message: str
    file: str = ""
    line: int = 0
    errors: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    units: int
    failures: tuple[Failure, ...]

    @property
    def passed(self) -> bool:
        return self.units > 0 and not self.failures

    @property
    def first(self) -> Failure | None:
        """The failure that names the program's cause; a missing library outranks the others."""
        missing = (failure for failure in self.failures if failure.cause == LIBRARY_HEADER)
        return next(missing, self.failures[0] if self.failures else None)

    @property
    def lacks_library(self) -> bool:
        return any(failure.cause == LIBRARY_HEADER for failure in self.failures)


@dataclass(frozen=True, slots=True)
class ProgramResult:
    name: str
    lines: int
    seconds: float  # the converter's
    outcome: Outcome
    twin: Outcome | None

    @property
    def assessable(self) -> bool:
        """Whether a failure says something about the converter, and not about this machine.

        The twin tells, which every converter shares; without one only the port itself can.
        """
        return not (self.twin or self.outcome).lacks_library


@dataclass(frozen=True, slots=True)
class Run:
    converter: str
    checker: str
    date: str
    programs: tuple[ProgramResult, ...]

    @property
    def assessable(self) -> tuple[ProgramResult, ...]:
        return tuple(program for program in self.programs if program.assessable)

    @property
    def passed(self) -> int:
        return sum(program.outcome.passed for program in self.assessable)

    @property
    def twins_passed(self) -> int:
        return sum(program.twin is not None and program.twin.passed for program in self.assessable)

    @property
    def seconds_per_kloc(self) -> float:
        lines = sum(program.lines for program in self.programs)
        return sum(program.seconds for program in self.programs) / lines * 1000 if lines else 0.0


def measure(
    programs: Sequence[Program],
    converter: Converter,
    work: Path,
    *,
    base: Path,
    siblings: Sequence[Program] = (),
    jobs: int = 1,
    only_assessable: bool = False,
    runtime: bool = False,
    progress: Callable[[ProgramResult], None] = lambda result: None,
) -> Run:
    """Run the converter over the programs, under `work`.

    `siblings` are programs that may be converted too when one refers to them. `runtime` lends porter's
    runtime headers to every check, the twins' included; otherwise only porter's own ports have them.
    """
    chain = find_toolchain()
    plain = Mirror(base, work / "plain", None, {})
    ported = Mirror(base, work / converter.name, converter, {p.name: p for p in (*siblings, *programs)})

    def one(program: Program) -> ProgramResult:
        units = build_units(plain.place(program.folder))
        twin = None
        if program.twin is not None:
            folder = plain.place(program.twin)
            twin = _check(folder, folder, build_units(folder), {}, Conversion(0.0), runtime=runtime)
        lines = count_lines(source_files(program.folder))
        if only_assessable and twin is not None and twin.lacks_library:
            result = ProgramResult(program.name, 0, 0.0, Outcome(0, ()), twin)
        else:
            folder = ported.place(program.folder)
            done = ported.conversions[program.name]
            outcome = _check(program.folder, folder, units, done.moved, done, runtime=runtime or converter.runtime)
            result = ProgramResult(program.name, lines, done.seconds, outcome, twin)
        progress(result)
        return result

    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        results = tuple(pool.map(one, programs))
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    return Run(converter.name, chain.version, today, results)


# ---------------------------------------------------------------- the work folder

_SIBLING = re.compile(rb"\.\./([A-Za-z0-9_][\w.+-]*)(?=/|[\s\"')]|$)")


class Mirror:
    """A folder that looks like the corpus: links to everything, and copies or ports of what is measured.

    Programs refer to their neighbours by relative paths, in includes and in Makefiles; these must
    lead to the neighbour's port where it is a program, and to the neighbour itself otherwise.
    """

    def __init__(self, base: Path, root: Path, converter: Converter | None, programs: Mapping[str, Program]) -> None:
        self.base, self.root, self.converter, self.programs = base.resolve(), root, converter, programs
        self.conversions: dict[str, Conversion] = {}
        self.lock = threading.RLock()
        root.mkdir(parents=True, exist_ok=True)
        for entry in self.base.iterdir():
            link = root / entry.name
            if not link.is_symlink() and not link.exists():
                link.symlink_to(entry)

    def place(self, folder: Path) -> Path:
        """The copy or port of one program, made now unless this run has already made it."""
        name = folder.name
        target = self.root / name
        # Converters with global state (torch's) and neighbours shared by two programs: one at a time.
        with self.lock:
            if name in self.conversions:
                return target
            if target.is_symlink():
                target.unlink()
            else:
                shutil.rmtree(target, ignore_errors=True)
            self.conversions[name] = Conversion(0.0)  # neighbours may refer to each other
            if self.converter is None:
                copy_tree(folder, target)
                return target
            self.conversions[name] = self.converter.convert(folder, target)
            for other in neighbours(folder):
                if other in self.programs and other not in self.conversions:
                    self.place(self.programs[other].folder)
        return target


def neighbours(folder: Path) -> list[str]:
    """The folders beside this one that its sources and build files refer to."""
    texts = source_files(folder)
    texts += [path for name in ("Makefile", "CMakeLists.txt", "*.mk") for path in folder.rglob(name)]
    names: set[str] = set()
    for path in texts:
        if path.is_file():
            names.update(name.decode("latin-1") for name in _SIBLING.findall(path.read_bytes()))
    return sorted(name for name in names if (folder.parent / name).is_dir() and name != folder.name)


# ---------------------------------------------------------------- checking


def _check(
    source: Path,
    folder: Path,
    units: Sequence[BuildUnit],
    moved: Mapping[Path, Path],
    conversion: Conversion,
    *,
    runtime: bool,
) -> Outcome:
    """Every unit of the build, in the converted tree."""
    units = [replace(unit, source=moved.get(unit.source, unit.source)) for unit in units]
    failures: list[Failure] = []
    if not units:
        return Outcome(0, (Failure("", "no translation unit found", "", "no translation unit found"),))
    present = [unit for unit in units if (folder / unit.source).is_file()]
    for unit in units:
        if unit not in present:
            message = f"converter: {conversion.problem or 'wrote no such file'}"
            cause = classify([Diagnostic(message)])
            failures.append(Failure(str(unit.source), cause.name, cause.detail, message))
    beside = [folder.parent / name for name in neighbours(folder)]
    known = [file for place in (folder, *beside) for file in source_files(place)]
    for unit, errors in zip(present, _compiled(folder, present, beside, runtime), strict=True):
        if errors:
            cause = classify(errors, lambda name: any(is_included_as(file, name) for file in known))
            error = first_error(errors)
            inside = error.file.startswith(str(folder))
            place = os.path.relpath(error.file, folder) if inside else error.file
            failures.append(
                Failure(str(unit.source), cause.name, cause.detail, error.message, place, error.line, len(errors))
            )
    return Outcome(len(units), tuple(failures))


_HERE = "<work>"


def _compiled(
    folder: Path, units: Sequence[BuildUnit], beside: Sequence[Path], runtime: bool
) -> list[list[Diagnostic]]:
    """The errors of every unit: remembered, or the compiler's."""
    root = str(folder.parent)  # may be a temporary folder, so it is not part of what is remembered
    memory = cache_dir() / "corpus" / f"{_key([folder, *beside], units, runtime)}.json"
    try:
        rows = json.loads(memory.read_text())
        return [[Diagnostic(**{**e, "file": e["file"].replace(_HERE, root)}) for e in unit] for unit in rows]
    except (OSError, ValueError, TypeError, KeyError):
        pass
    errors_of_units = []
    for unit in units:
        cwd = folder / unit.cwd
        checked = syntax_check(
            folder / unit.source,
            # The build's own folder comes last: a library that a program brings along stands in
            # for the installed one that its <...> includes mean.
            includes=[*(os.path.normpath(cwd / name) for name in unit.includes), os.path.normpath(cwd)],
            defines=unit.defines,
            forced=[str(cwd / name) if (cwd / name).is_file() else name for name in unit.forced],
            std=unit.std,
            runtime=runtime,
        )
        errors_of_units.append(list(checked.errors))
    memory.parent.mkdir(parents=True, exist_ok=True)
    memory_rows = [[{**asdict(e), "file": e.file.replace(root, _HERE)} for e in errors] for errors in errors_of_units]
    write_atomically(memory, json.dumps(memory_rows).encode())
    return errors_of_units


def _key(folders: Sequence[Path], units: Sequence[BuildUnit], runtime: bool) -> str:
    """A name for everything that the verdict depends on."""
    chain = find_toolchain()
    digest = hashlib.sha256(repr((chain, chain.version, units, runtime)).encode())
    included: set[bytes] = set()
    for folder in folders:
        for file in source_files(folder):
            data = file.read_bytes()
            included.update(_INCLUDED.findall(data))
            digest.update(f"{file.relative_to(folder)}\0{len(data)}\0".encode())
            digest.update(data)
    if runtime:
        for data in _reachable(RUNTIME_INCLUDE, included):
            digest.update(data)
    return digest.hexdigest()[:32]


_INCLUDED = re.compile(rb'#[ \t]*include[ \t]*[<"](?:[^>"\n]*/)?([^/>"\n]+)[>"]')


def _reachable(folder: Path, names: set[bytes]) -> list[bytes]:
    """The headers of the folder that the names lead to, by file name: porter's runtime grows often."""
    texts = {file: file.read_bytes() for file in source_files(folder)}
    contents: list[bytes] = []
    while True:
        more = [file for file in texts if os.fsencode(file.name) in names]
        if not more:
            return contents
        for file in more:
            data = texts.pop(file)
            names = names | set(_INCLUDED.findall(data))
            contents += [os.fsencode(file.relative_to(folder)), data]
