"""The project's headers that files include from elsewhere: ported into FOLDER-hip beside the port, once for all that use them.

A port of a header follows from the units that include it. The folder remembers them (units.json), so that a later run
ports the header for all of them, and the ports that are there already stay right.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from porter.cache_folder import write_atomically
from porter.findings import FilePort, FileStatus
from porter.frontend.libclang import NEXT_STANDARD
from porter.passes.hopper.oversized_plan import OF_OTHERS
from porter.port.jobs import Home, Job, Plan
from porter.port.pipeline import Conversion

__all__ = ["include_folders", "is_included_as", "remember", "sharing_works", "with_compile_commands", "with_headers"]

_MEMORY = "units.json"


def with_headers(
    jobs: Sequence[Job], folder: Path, conversion: Conversion, apart: bool = False
) -> tuple[list[Job], tuple[Home, ...]]:
    """The jobs of one output folder, with jobs for the headers that they include from elsewhere; `apart`: not into folders
    of headers that files of earlier runs include."""
    users_of: dict[Path, list[Job]] = {}
    own = frozenset(Path(os.path.abspath(job.path)) for job in jobs)
    for job in jobs:
        if job.kind == "source" and job.includer is None:
            for header in _elsewhere(job, own, conversion):
                users_of.setdefault(header, []).append(job)
    homes = _homes(users_of, folder, conversion, apart)
    if not homes:
        return list(jobs), ()
    outputs = {header: place for header in users_of if (place := _place(header, homes)) is not None}
    remembered = tuple(path for home in homes for path in home.units if path.is_file())
    places = {job.path: job.output for job in jobs} | outputs
    sources = [job.path for job in jobs if job.kind == "source"]
    given = tuple(dict.fromkeys(Path(os.path.abspath(path)) for path in (*sources, *outputs, *remembered)))
    added = [_job(header, users_of[header], outputs[header], folder, remembered, conversion) for header in outputs]
    given_jobs = [replace(job, given=given) if job.kind == "source" else job for job in (*jobs, *added)]
    used = tuple(replace(h, units=_units(h, users_of)) for h in homes)
    return [_with_renames(job, places, conversion) for job in given_jobs], used


def _elsewhere(job: Job, own: Collection[Path], conversion: Conversion) -> list[Path]:
    closure = conversion.of_job(job).project.closure(job.path)[1:]
    return [path for path in closure if path not in own and Path(os.path.abspath(path)) not in own]


def _homes(
    users_of: Mapping[Path, Sequence[Job]], folder: Path, conversion: Conversion, apart: bool
) -> tuple[Home, ...]:
    """The folders that headers have to be ported from, and where their ports go."""
    by_home: dict[Path, list[Path]] = {}
    for header, users in users_of.items():
        by_home.setdefault(_home(header, users[0], conversion), []).append(header)
    ported = {
        home
        for home, headers in by_home.items()
        if any(_to_port(header, users_of[header][0], users_of, conversion) for header in headers)
    }
    while more := {home for home in by_home.keys() - ported if _leads_to(by_home[home], ported, users_of, conversion)}:
        ported |= more
    mains = frozenset(Path(os.path.abspath(job.path)) for users in users_of.values() for job in users)
    homes: list[Home] = []
    for home in sorted(ported):
        homes.append(_placed(home, folder, [h.output for h in homes], mains, apart))
    return tuple(homes)


def _leads_to(
    headers: Sequence[Path], homes: Collection[Path], users_of: Mapping[Path, Sequence[Job]], conversion: Conversion
) -> bool:
    """Whether one of the headers includes one of those folders."""
    for header in headers:
        project = conversion.of_job(users_of[header][0]).project
        source = project.file(header)
        meant = (project.resolve(include, header) for include in (source.includes if source is not None else ()))
        if any(p is not None and any(p.is_relative_to(home) for home in homes) for p in meant):
            return True
    return False


def _home(header: Path, user: Job, conversion: Conversion) -> Path:
    """The outermost of the folders for headers that it is in, or its own."""
    folders = map(Path, conversion.of_job(user).options.project_includes)
    around = [folder for folder in folders if header.is_relative_to(folder)]
    return min(around, key=lambda folder: len(folder.parts), default=header.parent)


def _to_port(header: Path, user: Job, headers: Iterable[Path], conversion: Conversion) -> bool:
    """Whether a header has something to port itself, its includes apart."""
    every = dict.fromkeys(Path(os.path.abspath(path)) for path in (*(user.given or (user.path,)), *headers))
    asking = user if user.whole else replace(user, given=tuple(every))
    return conversion.of_job(asking).units.not_ported(header, {}, user.path) is None


def _placed(home: Path, folder: Path, taken: Sequence[Path], mains: frozenset[Path], apart: bool) -> Home:
    """FOLDER-hip, or with a number where that is another folder's; the one that earlier runs made for these files alone,
    if there is one."""
    shared: Home | None = None
    name = f"{home.resolve().name}-hip"
    for place in (folder / (name if number == 1 else f"{name}-{number}") for number in count(1)):
        if place in taken:
            continue
        if not place.exists():
            break
        origin, units = _remembered(place)
        if origin != home.resolve():
            continue
        if mains.issuperset(units):
            return Home(home, place, units)
        shared = shared or Home(home, place, units)
    return Home(home, place) if apart or shared is None else shared


def _remembered(place: Path) -> tuple[Path | None, tuple[Path, ...]]:
    """The folder whose ports are there, and the units that they were made for."""
    try:
        data = json.loads((place / _MEMORY).read_text("utf-8"))
        origin, *units = (Path(os.path.normpath(place.resolve() / path)) for path in (data["of"], *data["units"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None, ()
    return origin, tuple(units)


def remember(home: Home) -> None:
    """Writes down of what folder, and for which units, the ports in a folder are."""
    place = home.output.resolve()
    data = {
        "of": os.path.relpath(home.folder.resolve(), place),
        "units": [os.path.relpath(one, place) for one in home.units],
    }
    write_atomically(home.output / _MEMORY, (json.dumps(data, indent=1) + "\n").encode())


def _units(home: Home, users_of: Mapping[Path, Sequence[Job]]) -> tuple[Path, ...]:
    users = (job.path for header, jobs in users_of.items() if header.is_relative_to(home.folder) for job in jobs)
    return tuple(dict.fromkeys((*home.units, *(Path(os.path.abspath(path)) for path in users))))


def _place(header: Path, homes: Iterable[Home]) -> Path | None:
    around = [home for home in homes if header.is_relative_to(home.folder)]
    if not around:
        return None
    home = max(around, key=lambda one: len(one.folder.parts))
    place = home.output / header.relative_to(home.folder)
    return place.with_suffix(".hip") if header.suffix == ".cu" else place


def _job(
    header: Path, users: Sequence[Job], output: Path, folder: Path, remembered: Sequence[Path], conversion: Conversion
) -> Job:
    """In the context of the unit that asks most of it."""
    user = users[0]
    ports = conversion.of_job(user)
    mains = [job.path for job in users] + [path for path in remembered if header in ports.project.closure(path)]
    includer = max(mains, key=lambda main: ports.facts.unit(main).kind) if mains[1:] else mains[0]
    flags = next((job.flags for job in users if job.path == includer), user.flags)
    prefix = "../" * (len(output.relative_to(folder).parts) - 1)
    return Job(
        header, output, str(header), "source", user.root, (), includer, prefix, flags, user.whole, users=tuple(mains)
    )


def _with_renames(job: Job, places: Mapping[Path, Path], conversion: Conversion) -> Job:
    """With the spellings of includes that lead elsewhere in the port."""
    if job.kind != "source":
        return job
    project = conversion.of_job(job).project
    source = project.file(job.path)
    renames = dict(job.renames)
    for include in source.includes if source else ():
        target = project.resolve(include, job.path)
        if target is None or include in renames:
            continue
        place = places.get(target)
        by_place = Path(os.path.normpath(job.path.parent / include)) == target  # and not through -I
        if by_place or (place is not None and ".." in Path(include).parts):
            meant = Path(os.path.relpath(place or target, job.output.parent)).as_posix()
            if meant != os.path.normpath(include):
                renames[include] = meant
        elif place is not None and place.name != target.name:
            renames[include] = Path(include).with_name(place.name).as_posix()
    return replace(job, renames=tuple(sorted(renames.items())))


def sharing_works(plan: Plan, ports: Iterable[FilePort]) -> bool:
    """Whether one port of the headers does for the files of a run and for those of earlier runs."""
    mains = {Path(os.path.abspath(job.path)) for job in plan.jobs}
    if all(mains.issuperset(home.units) for home in plan.homes):
        return True
    return not any(OF_OTHERS in finding.message for port in ports for finding in port.findings)


def include_folders(homes: Iterable[Home], includes: Iterable[str]) -> list[str]:
    """The folders for headers; for ported folders, the folders of their ports."""
    known = tuple(homes)
    return list(dict.fromkeys(str(_place(Path(folder), known) or folder) for folder in includes))


def with_compile_commands(plan: Plan, ports: Sequence[FilePort], conversion: Conversion) -> list[FilePort]:
    """The ports, with the command that compiles each file whose headers are ported elsewhere."""
    return [_with_compile_command(job, port, plan, conversion) for job, port in zip(plan.jobs, ports)]


def _with_compile_command(job: Job, port: FilePort, plan: Plan, conversion: Conversion) -> FilePort:
    own = Path(os.path.abspath(job.path))
    homes = [home for home in plan.homes if own in home.units]
    if port.status is FileStatus.FAILED:
        return port
    port = replace(port, notes=(*port.notes, *_of_makefile(job)))
    if not homes:
        return port
    options = conversion.of_job(job).options
    newer = any(note.startswith(f"read as {NEXT_STANDARD}") for note in port.notes)
    words = ["hipcc", f"--offload-arch={options.target}", f"-std={NEXT_STANDARD if newer else options.standard}"]
    words += [f"-D{define}" for define in options.defines]
    words += [f"-I{folder}" for folder in include_folders([*homes, *_tree(job)], options.project_includes)]
    words += [word for folder in options.systems for word in ("-isystem", folder)]
    command = shlex.join([*words, "-c", str(job.output)])
    note = f"the port of its headers is in {_named(homes)}; compile with {command}"
    return replace(port, notes=(*port.notes, note))


def _of_makefile(job: Job) -> Sequence[str]:
    """A note on the macros and the standard that nobody gave but the Makefile beside a source."""
    flags = job.flags
    if flags is None or not flags.makefile or job.kind != "source" or job.includer is not None:
        return ()
    words = [f"-D {define}" for define in flags.defines] + ([f"-std {flags.standard}"] if flags.standard else [])
    listed = " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part) if words else ""
    are = "are those" if len(words) > 1 else "is that"
    return [f"{listed} {are} of its Makefile; give -D to port it for others"] if words else ()


def _tree(job: Job) -> list[Home]:
    """The tree that a file is ported with, and where its port is."""
    if not job.whole:
        return []
    own, root = Path(os.path.abspath(job.path)), Path(os.path.abspath(job.root))
    return [Home(root, job.output.parents[len(own.relative_to(root).parts) - 1])]


def _named(homes: Sequence[Home]) -> str:
    return ", ".join(str(home.output) for home in homes)


def is_included_as(path: Path, name: str) -> bool:
    """Whether an include of that name may mean a file: not one of another folder that has its last name."""
    parts = [part for part in name.split("/") if part not in ("", ".", "..")]
    return bool(parts) and list(path.parts[-len(parts) :]) == parts
