"""`porter convert --build`: the translation units of a port are compiled as they were written, and errors come to their sites."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from porter.errors import CompileError, PorterError, UnfinishedError
from porter.findings import BUILDS, FilePort, FileStatus, Finding, Safety, decode
from porter.frontend.folders import in_order
from porter.frontend.lexer import lex
from porter.frontend.libclang import NEXT_STANDARD
from porter.frontend.project import MAIN_SUFFIXES
from porter.port.building.torch_builder import Extensions, extensions, pybind11_folders, uses_torch
from porter.port.edits.accept import accept
from porter.port.edits.origins import line_origins
from porter.port.files.headers import include_folders, is_included_as
from porter.port.jobs import Job, Plan
from porter.port.pipeline import Conversion
from porter.port.runs.unreached_sites import without_unreached
from porter.settings import FileFlags
from porter.toolchain import build, find_toolchain, torch_rocm
from porter.toolchain.rocm_headers import flags_without_a_link

__all__ = ["RULE", "translation_units", "with_build"]

RULE = "does-not-compile"
COMPILES, REFUSED, LACKING, NOT_BUILT, UNFINISHED = BUILDS

_ERROR = re.compile(r"^(?:(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:\d+:)? )?(?:fatal )?error: (?P<text>.*)$")
_OTHER = re.compile(r"^(?:In file included from |)(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:\d+: note: .*)?$")
_HEADER = re.compile(r"'([^']+)' file not found")
_UNKNOWN = re.compile(r"(?:use of undeclared identifier|unknown type name|no (?:type|member) named) '(\w+)'")
_DEVICE = re.compile(r"__global__|__device__|<<<")
_OF_TORCH = re.compile(
    r"(?:torch|ATen|c10)/|cuda(?:_runtime|_runtime_api)?\.h$"
)  # and what its headers for CUDA include
_LIBRARIES = (
    "hipblaslt",
    "hipblas",
    "hipfft",
    "hiprand",
    "hipsolver",
    "hipsparse",
)  # whose functions porter declares some of
_MOST = 20  # errors of one file
_AS_HIP = (
    "compiles as HIP only: a header of HIP's that it includes has device code. hipcc takes it as it is; "
    "other compilers want -x hip, CMake wants LANGUAGE HIP for it"
)


@dataclass(frozen=True, slots=True)
class _Error:
    """One error, and the places that lead to it: its own first, then includes and instantiations."""

    text: str
    places: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class _Verdict:
    word: str  # of BUILDS
    errors: tuple[_Error, ...] = ()
    lacking: str = ""  # what is missing, and where it comes from, or how long was waited
    as_hip: bool = False  # a C++ source that only a HIP compiler takes


def translation_units(
    plan: Plan, ports: Sequence[FilePort], conversion: Conversion, commands: Mapping[Path, FileFlags]
) -> tuple[list[Job], list[Job]]:
    """The jobs whose ports are compiled, and the jobs that compile_commands.json does not name. Without one, a
    host source in which nothing was ported, nor in its headers, is not compiled: who knows with what; and one that another
    source includes is compiled as part of that."""
    ported = {os.path.abspath(job.path) for job, port in zip(plan.jobs, ports) if port.status is FileStatus.PORTED}
    units: list[Job] = []
    others: list[Job] = []
    sources = [job for job in plan.jobs if job.kind == "source"]
    parts = {os.path.abspath(f) for job in sources for f in _closure(job, conversion)[1:]} if not commands else set()
    for job, port in zip(plan.jobs, ports):
        if job.kind != "source" or job.output.suffix not in MAIN_SUFFIXES | {".cu"} or port.status is FileStatus.FAILED:
            continue
        if commands:
            (units if Path(os.path.abspath(job.path)) in commands else others).append(job)
        elif os.path.abspath(job.path) in parts:
            continue
        elif job.output.suffix in (".cu", ".hip") or any(
            os.path.abspath(f) in ported for f in _closure(job, conversion)
        ):
            units.append(job)
    return units, others


def with_build(
    plan: Plan,
    ports: Sequence[FilePort],
    conversion: Conversion,
    commands: Mapping[Path, FileFlags],
    workers: int,
    progress: Callable[[], None] = lambda: None,
) -> list[FilePort]:
    """The ports with the compiler's results: a word for each translation unit, and a finding for each error, at the
    original's site."""
    units, others = translation_units(plan, ports, conversion, commands)
    texts = dict(zip(plan.jobs, ports))
    outputs = {os.path.realpath(job.output): number for number, job in enumerate(plan.jobs)}
    files = {path for job in plan.jobs for path in (job.path, job.output)}

    def headers(job: Job) -> tuple[str, ...]:
        return _folders(job, plan, conversion)

    with extensions([job for job in units if uses_torch(job, conversion)], plan, headers) as of_torch:

        def verdict(job: Job) -> _Verdict:
            """What the compiler says of one unit; it runs in a process of its own."""
            unit_verdict = _verdict(job, texts[job], plan, conversion, files, of_torch)
            progress()
            return unit_verdict

        with ThreadPoolExecutor(max(1, workers)) as pool:
            verdicts = dict(zip(units, pool.map(verdict, units)))
    numbers = {job: number for number, job in enumerate(plan.jobs)}
    built = list(ports)
    for job in others:
        built[numbers[job]] = replace(built[numbers[job]], build=NOT_BUILT)
    by_place: dict[tuple[int, int, str], Finding] = {}
    for job, result in verdicts.items():
        number = numbers[job]
        notes = (*built[number].notes, *((_AS_HIP,) if result.as_hip else ()))
        if job in of_torch.sources:
            notes = (*notes, of_torch.note)
        built[number] = replace(built[number], build=result.word, problem=result.lacking, notes=notes)
        for error in result.errors[:_MOST]:
            where, line, text = _site(error, number, outputs)
            by_place.setdefault((where, line, text), _finding(plan.jobs[where], ports[where], line, text))
    for (where, _, _), finding in by_place.items():
        job = plan.jobs[where]
        accepted = accept(lex(ports[where].source), job.path, [finding], conversion.of_job(job).options)
        built[where] = replace(built[where], findings=(*built[where].findings, *accepted))
    taken = {os.path.realpath(job.path) for job, result in verdicts.items() if result.word == COMPILES}
    return without_unreached(plan.jobs, built, taken)


def _verdict(
    job: Job, port: FilePort, plan: Plan, conversion: Conversion, files: Collection[Path], of_torch: Extensions
) -> _Verdict:
    """What the compiler says of one port, with the places that it names in the ports."""
    if job in of_torch.refused:
        return _Verdict(REFUSED, (_Error(of_torch.refused[job], ()),))
    options = conversion.of_job(job).options
    newer = any(note.startswith(f"read as {NEXT_STANDARD}") for note in port.notes)
    source = of_torch.sources.get(job, job.output)
    text = decode(source.read_bytes())
    with_device_code = job.output.suffix in (".hip", ".cu") or _DEVICE.search(text) is not None
    real = () if find_toolchain().kind == "rocm" else flags_without_a_link()
    how = build.Options(
        target=options.target,
        std=NEXT_STANDARD if newer else options.standard,
        defines=options.defines,
        includes=(*_folders(job, plan, conversion), *pybind11_folders(job, conversion)),
        flags=("-w", *real),
    )
    if job in of_torch.sources:
        how = _as_torch(how, of_torch, job, with_device_code)
    try:
        if with_device_code:
            _compile_both(source, how)
        elif job.output.suffix == ".c":
            build.host_object(source, how, language="c")
        else:
            return _Verdict(COMPILES, as_hip=not _compiles_as_cpp(source, how, port.status is FileStatus.PORTED))
    except UnfinishedError as error:
        return _Verdict(UNFINISHED, lacking=error.problem)
    except CompileError as error:
        errors = tuple(_errors(error.text)) or (_Error(error.problem, ()),)
        missing = [header for one in errors if (header := _missing(one, files))]
        if missing:
            return _Verdict(LACKING, lacking=_lacking(missing[0], job, conversion))
        libraries = _stand_ins(conversion, map(str, (*how.includes, *real)))
        beyond = [_beyond_a_stand_in(one, libraries) for one in errors]
        if all(beyond):
            return _Verdict(LACKING, lacking=f"{beyond[0]}: compile with ROCm's headers: -isystem DIR")
        placed = tuple(replace(one, places=tuple(of_torch.origin(*place) for place in one.places)) for one in errors)
        return _Verdict(REFUSED, placed)
    except PorterError as error:
        return _Verdict(REFUSED, (_Error(error.problem, ()),))
    return _Verdict(COMPILES)


def _as_torch(how: build.Options, of_torch: Extensions, job: Job, with_device_code: bool) -> build.Options:
    """With what torch's builder adds, and the port's own folder for what hipify was not shown."""
    assert of_torch.torch is not None
    extra = (*of_torch.torch.defines, *(of_torch.torch.hip_defines if with_device_code else ()))
    folders = of_torch.folders([*map(str, how.includes), os.path.abspath(job.output.parent)])
    return replace(how, std=of_torch.torch.newer_standard(how.std), defines=(*how.defines, *extra), includes=folders)


def _compile_both(source: Path, how: build.Options) -> None:
    build.assemble(build.device_assembly(source, how), target=how.target)
    build.host_object(source, how)


def _compiles_as_cpp(source: Path, how: build.Options, or_hip: bool) -> bool:
    """Whether a C++ compiler takes a host source; False where only a HIP compiler does. CompileError where neither does: of
    the two refusals the shorter."""
    try:
        build.host_object(source, how, language="c++")
    except CompileError as refused:
        if not or_hip:
            raise
        try:
            _compile_both(source, how)
        except CompileError as error:
            raise min(refused, error, key=lambda one: sum(1 for _ in _errors(one.text))) from None
        return False
    return True


def _folders(job: Job, plan: Plan, conversion: Conversion) -> tuple[str, ...]:
    """The folders that a port is compiled with, for headers."""
    options = conversion.of_job(job).options
    main = job.includer or job.path
    return tuple(_placed(in_order(options.includes, options.guessed, main.parent), job, plan))


def _placed(folders: Iterable[str], job: Job, plan: Plan) -> Iterator[str]:
    """The folders for headers as the port has them: those of ported headers first."""
    below = Path(os.path.abspath(job.path)), Path(os.path.abspath(job.root))
    target = None
    if below[0].is_relative_to(below[1]):
        depth = len(below[0].relative_to(below[1]).parts)
        target = Path(os.path.abspath(job.output)).parents[depth - 1]
    given = list(folders)
    for folder, place in zip(given, (include_folders(plan.homes, [folder])[0] for folder in given)):
        if place != folder:
            yield place
        elif target is not None and (own := Path(os.path.abspath(folder))).is_relative_to(below[1]):
            yield str(target / own.relative_to(below[1]))
        yield folder


def _closure(job: Job, conversion: Conversion) -> Sequence[Path]:
    """The unit's file and the project's headers that it includes."""
    return conversion.of_job(job).project.closure(job.path)


def _lacking(header: str, job: Job, conversion: Conversion) -> str:
    """Which header is missing, and where it comes from."""
    if uses_torch(job, conversion) and torch_rocm.installed() is None and _OF_TORCH.match(header):
        return f"{header} is not found: there is no torch in porter's environment; install torch in it"
    return f"{header} is not found: give its folder with -I or -isystem"


def _beyond_a_stand_in(error: _Error, libraries: Mapping[str, str]) -> str:
    """A name of a ROCm library that porter's stand-in for the library's header lacks, in words; "" for any other error."""
    unknown = _UNKNOWN.match(error.text)
    library = libraries.get(unknown[1]) if unknown else None
    return f"{unknown[1]} is not in porter's stand-in for {library}" if unknown and library else ""


def _stand_ins(conversion: Conversion, folders: Iterable[str]) -> Mapping[str, str]:
    """The names of ROCm's libraries that ports have, each with its library: of those whose headers are porter's stand-ins."""
    if find_toolchain().kind == "rocm":
        return {}
    given = [Path(folder) for folder in folders]
    kept = [library for library in _LIBRARIES if not any((folder / library).is_dir() for folder in given)]
    libraries: dict[str, str] = {}
    for row in conversion.rules.names.values():
        library = next((library for library in kept if row.hip.lower().startswith(library)), "")
        if library:
            libraries[row.hip] = libraries[row.hip.removesuffix("_v2")] = library  # HIPBLAS_V2 gives the plain name
    return libraries


def _missing(error: _Error, files: Collection[Path]) -> str:
    """The header that an error is about and that no port of this run is: the user's folders do not hold it."""
    header = _HEADER.search(error.text)
    return header[1] if header and not any(is_included_as(path, header[1]) for path in files) else ""


def _errors(text: str) -> Iterator[_Error]:
    """What a compiler wrote, error by error, each with the lines before it that include it and the notes behind."""
    before: list[tuple[str, int]] = []
    message = ""
    places: list[tuple[str, int]] = []
    for line in text.splitlines():
        error, other = _ERROR.match(line), _OTHER.match(line)
        if error:
            if message:
                yield _Error(message, tuple(places))
            own = [(error["file"], int(error["line"]))] if error["file"] else []
            message, places, before = error["text"], [*own, *reversed(before)], []
            if message.startswith("too many errors"):
                message = ""
        elif other:
            place = other["file"], int(other["line"])
            (before if line.startswith("In file included") else places).append(place)
    if message:
        yield _Error(message, tuple(places))


def _site(error: _Error, unit: int, outputs: Mapping[str, int]) -> tuple[int, int, str]:
    """The port that an error is shown in, its line there (0: none), and the message."""
    for number, (file, line) in enumerate(error.places):
        where = outputs.get(os.path.realpath(file))
        if where is not None:
            inside = f" (in {Path(error.places[0][0]).name}:{error.places[0][1]})" if number else ""
            return where, line, f"{error.text}{inside}"
    return unit, 0, error.text


def _finding(job: Job, port: FilePort, line: int, text: str) -> Finding:
    """The error at the line of the original that the port's line comes from."""
    by_hand = line_origins(port.port, decode(job.output.read_bytes()))
    origins = line_origins(port.source, port.port)
    start = end = 0
    if 0 < line <= len(by_hand):
        lines = port.source.split("\n")
        number = min(origins[by_hand[line - 1] - 1], len(lines)) - 1
        own = lines[number]
        start = sum(len(before) + 1 for before in lines[:number]) + len(own) - len(own.lstrip())
        end = max(start, start + len(own.strip()))
    return Finding(RULE, start, end, Safety.ERROR, text)
