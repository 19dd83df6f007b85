"""What becomes of the paths that `porter convert` is given: one job a file, with its output and its context."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from porter.analysis.project_facts import ProjectFacts, kinds_matter
from porter.buildfiles.include_folders import folders_of_build_files, is_system, is_toolkit
from porter.buildfiles.make_flags import make_words, make_words_of_another
from porter.errors import InputError
from porter.findings import FilePort, FileStatus
from porter.frontend.folders import Guessed, walk
from porter.frontend.include_dirs import find_include_dirs
from porter.frontend.libclang import USUAL_STANDARD
from porter.frontend.project import HEADER_SUFFIXES, MAIN_SUFFIXES, Project
from porter.port.files.headers import with_headers
from porter.port.files.keep import MEMORY
from porter.port.jobs import Home, Job, Plan, failure
from porter.port.leave_out import ignored_by_git, matches
from porter.port.pipeline import Conversion
from porter.settings import FileFlags, flags_of_command

__all__ = ["plan"]

_MOST_ABOVE = 3  # folders, a file's own among them


def plan(
    paths: Sequence[Path],
    out: Path | None,
    in_place: bool,
    conversion: Conversion,
    commands: Mapping[Path, FileFlags] | None = None,
    dry: bool = False,
    out_is_folder: bool = False,
    apart: bool = False,
) -> Plan:
    """Decide for every input what is ported to where. Raises InputError only where nothing can be done. `apart`: headers
    from elsewhere are not shared with files of earlier runs."""
    jobs: list[Job] = []
    failed: list[FilePort] = []
    runtime_dirs: list[Path] = []
    paths = list({os.path.abspath(path): path for path in paths}.values())
    several = len(paths) > 1 or out_is_folder
    files = tuple(sorted(Path(os.path.abspath(path)) for path in paths if path.is_file()))
    homes: list[Home] = []
    left_out: list[Path] = []
    for path in paths:
        if path.is_dir():
            target = path if in_place else _tree_target(path, out, len(paths) > 1)
            tree, problems = _plan_tree(path, target, conversion, commands or {}, left_out)
            jobs += tree
            failed += problems
            runtime_dirs.append(target)
        elif path.exists():
            target = path if in_place else _file_target(path, out, several, dry)
            prefix = ""
            flags = _flags_of_neighbours(path, conversion)
            own = Path(os.path.abspath(path))
            jobs.append(Job(own, target, str(path), "source", own.parent, (), None, prefix, flags, given=files))
            runtime_dirs.append(target.parent)
        else:
            failed.append(failure(path, "no such file or folder", "check the path"))
    outputs: dict[Path, Job] = {}
    kept: list[Job] = []
    inputs = {} if in_place or dry else _identities(jobs)
    for job in jobs:
        other = outputs.setdefault(job.output, job)
        if (input_ := _input_at(job.output, inputs)) is not None:
            problem = f"would be written to {job.output}, which is {_which(input_, job)}"
            failed.append(failure(job.path, problem, "give another -o OUT, or overwrite the inputs with --in-place"))
        elif other is not job:
            problem = f"would be written to {job.output}, which {other.shown} is written to as well"
            failed.append(
                failure(job.path, problem, "rename one of the two, or port it in a run of its own with another -o")
            )
        else:
            flags = _flags_in(commands, job.path) or _flags_in(commands, job.includer)
            kept.append(replace(job, flags=flags, whole=False) if flags is not None else job)
    for folder in dict.fromkeys(runtime_dirs):
        here = [job for job in kept if job.output.is_relative_to(folder)]
        added, homes_of_headers = with_headers(here, folder, conversion, apart)
        kept = [*(job for job in kept if job not in here), *added]
        homes += homes_of_headers
    return Plan(tuple(kept), tuple(failed), tuple(dict.fromkeys(runtime_dirs)), tuple(homes), tuple(left_out))


def _identities(jobs: Sequence[Job]) -> dict[tuple[int, int], Job]:
    """The inputs by what they are for the file system, whatever the names and links that lead there."""
    by_file: dict[tuple[int, int], Job] = {}
    for job in jobs:
        with contextlib.suppress(OSError):
            status = job.path.stat()
            by_file.setdefault((status.st_dev, status.st_ino), job)
    return by_file


def _input_at(output: Path, inputs: Mapping[tuple[int, int], Job]) -> Job | None:
    try:
        status = output.stat()
    except OSError:
        return None
    return inputs.get((status.st_dev, status.st_ino))


def _which(input_: Job, job: Job) -> str:
    return "the input itself" if input_ is job else f"the input {input_.shown}"


def _flags_in(commands: Mapping[Path, FileFlags] | None, path: Path | None) -> FileFlags | None:
    """The flags that compile_commands.json has for a file."""
    return commands.get(Path(os.path.abspath(path))) if commands and path is not None else None


def _flags_of_neighbours(path: Path, conversion: Conversion) -> FileFlags | None:
    """The folders for headers that a single file needs and the build files beside it name, or its own; and the macros that
    its Makefile gives it, where the user gives none. Of a Makefile that does not know the file, the folders alone."""
    named = _folders_named_above(path)
    made = None if conversion.options.defines else make_words(path)
    given = flags_of_command(made, os.path.abspath(path.parent)) if made else None
    another = None if made else make_words_of_another(path)
    beside = flags_of_command(another, os.path.abspath(path.parent)) if another else given
    for folder in map(Path, beside.includes if beside else ()):
        if folder.is_dir() and not is_system(folder):
            named.setdefault(folder, (path.parent,))
    project = conversion.project(path.parent, conversion.options.project_includes, whole=False)
    flags = _guessed(find_include_dirs(project, [path], named))
    if given is None:
        return flags
    standard = given.standard if conversion.options.standard == USUAL_STANDARD else ""
    return replace(flags or FileFlags((), (), ""), defines=given.defines, standard=standard, makefile=True)


def _folders_named_above(path: Path) -> dict[Path, tuple[Path, ...]]:
    """The folders for headers by the build files of the nearest folder that has some, a few above the file at most."""
    for folder in Path(os.path.abspath(path)).parents[:_MOST_ABOVE]:
        with contextlib.suppress(OSError):
            if named := folders_of_build_files(sorted(f for f in folder.iterdir() if f.is_file())):
                return named
    return {}


def _guessed(folders: Guessed) -> FileFlags | None:
    return FileFlags(tuple(folder for folder, _ in folders), (), "", guessed=folders) if folders else None


def _file_target(path: Path, out: Path | None, several: bool, dry: bool) -> Path:
    renamed = path.with_suffix(".hip") if path.suffix == ".cu" else path
    if out is None:
        if renamed == path and not dry:
            raise InputError(
                f"{path}: the port of a {path.suffix or 'file without suffix'} keeps its name",
                "say where it goes with -o OUT, or overwrite it with --in-place",
            )
        return renamed
    is_folder = several or out.is_dir() or (renamed.suffix and not out.suffix and not out.exists())
    return out / renamed.name if is_folder else out


def _tree_target(path: Path, out: Path | None, several: bool) -> Path:
    if out is None:
        resolved = path.resolve()
        return resolved.with_name(resolved.name + "-hip")
    if out.is_file():
        raise InputError(f"{out}: is a file, the port of a folder needs a folder", "give another -o OUT")
    target = out / path.resolve().name if several else out
    if target.resolve() == path.resolve():
        raise InputError(
            f"{path}: the port would overwrite the inputs", "give another -o OUT, or overwrite them with --in-place"
        )
    if path.resolve() in target.resolve().parents and target.is_dir() and not _written_before(target):
        raise InputError(
            f"{target}: holds sources that porter did not write, and is part of {path}",
            "give a new folder with -o OUT, or one beside the input",
        )
    return target


def _written_before(target: Path) -> bool:
    """Whether porter has written into the folder, or there is nothing that it could be confused with."""
    sources = [file for file in walk(target) if file.suffix in MAIN_SUFFIXES | HEADER_SUFFIXES]
    return not sources or any((file.parent / MEMORY).is_dir() for file in sources)


def _plan_tree(
    given: Path, target: Path, conversion: Conversion, commands: Mapping[Path, FileFlags], left_out: list[Path]
) -> tuple[list[Job], list[FilePort]]:
    """The jobs of a tree and what is wrong with it, shown as the tree was given; files that git ignores go to `left_out`.

    Paths are absolute, as those of -I are: a header that lies in the tree and behind -I is one file.
    """
    root, written = Path(os.path.abspath(given)), Path(os.path.abspath(target))
    over: list[tuple[Path, str]] = []
    files = [f for f in walk(root, over) if not _inside(f, written, root)]
    problems = [_passed_over(given / f.relative_to(root), why) for f, why in over if not _inside(f, written, root)]
    if conversion.options.gitignore:
        ignored = ignored_by_git(root, files)
        left_out += [f for f in files if f in ignored]
        files = [f for f in files if f not in ignored]
    excluded = {f for f in files if matches(f, conversion.options.exclude)}
    sources = [f for f in files if f.suffix in MAIN_SUFFIXES | HEADER_SUFFIXES and f not in excluded]
    if not sources:
        empty = failure(given, "holds no C++ or CUDA source", "give a folder with .cu, .cuh, .cpp or .h files")
        return [], [*problems, empty]
    in_place = written == root
    bare = conversion.project(root, conversion.options.project_includes, whole=True)
    named = {**dict.fromkeys(_folders_of_commands(commands), (root,)), **folders_of_build_files(files)}
    flags = _guessed(find_include_dirs(bare, sources, named))
    ports = conversion.ports(root, True, flags)
    renamed = {} if in_place else _renamed(sources)
    includers = _includers(ports.project, sources, ports.facts)
    # Build files must know every CUDA source, unrenamed ones too: CMake needs LANGUAGE HIP for them.
    tree_renames = tuple(
        (old.relative_to(root).as_posix(), renamed.get(old, old).relative_to(root).as_posix())
        for old in sources
        if old.suffix == ".cu"
    )
    jobs: list[Job] = []
    for file in files:
        relative = renamed.get(file, file).relative_to(root)
        job = Job(file, target / relative, str(given / file.relative_to(root)), "copy", root)
        if file.suffix in MAIN_SUFFIXES | HEADER_SUFFIXES and file not in excluded:
            renames = _include_renames(ports.project, file, renamed)
            prefix = "../" * (len(relative.parts) - 1)
            includer = includers.get(file)
            job = replace(job, kind="source", renames=renames, includer=includer, runtime_prefix=prefix, flags=flags)
            jobs.append(replace(job, whole=True))
        elif _is_build_file(file) and file not in excluded:
            jobs.append(replace(job, kind="build", renames=tree_renames))
        elif not in_place:
            jobs.append(job)
    return jobs, problems


def _renamed(sources: Sequence[Path]) -> dict[Path, Path]:
    """The names of the ports of CUDA sources."""
    renamed = {file: file.with_suffix(".hip") for file in sources if file.suffix == ".cu"}
    for old, new in list(renamed.items()):
        if new in sources:  # x.cu and x.hip side by side: x.hip is somebody's own
            renamed[old] = old.with_name(old.name + ".hip")
    return renamed


def _include_renames(project: Project, file: Path, renamed: Mapping[Path, Path]) -> tuple[tuple[str, str], ...]:
    """The spellings of a file's #include lines that change, and what they become."""
    source = project.file(file)
    spellings: dict[str, str] = {}
    for include in source.includes if source else ():
        meant = project.resolve(include, file)
        if meant is not None and meant in renamed:
            spellings[include] = str(PurePosixPath(include).with_name(renamed[meant].name))
    return tuple(sorted(spellings.items()))


def _passed_over(path: Path, why: str) -> FilePort:
    """A failure for a folder that cannot be read, and a word about what is no file of the tree."""
    if why.startswith("cannot be read"):
        return failure(path, why, "check its permissions")
    return FilePort(str(path), "", FileStatus.PASSED_OVER, problem=why, parser="")


def _folders_of_commands(commands: Mapping[Path, FileFlags]) -> list[Path]:
    """The folders for headers of all commands."""
    folders = dict.fromkeys(os.path.abspath(folder) for flags in commands.values() for folder in flags.includes)
    return [Path(folder) for folder in folders if not is_toolkit(Path(folder))]


def _inside(file: Path, target: Path, root: Path) -> bool:
    """Is `file` part of an earlier port that was written below the tree itself?"""
    return target != root and target in file.parents and root in target.parents


def _is_build_file(path: Path) -> bool:
    return path.suffix in (".cmake", ".mk", ".py", ".txt", "") or path.name.startswith("Makefile.")


def _includers(project: Project, sources: Sequence[Path], facts: ProjectFacts) -> dict[Path, Path]:
    """For each included file, a translation unit that includes it and so gives it its context: of several the one that
    asks most of it."""
    mains = [f for f in sources if f.suffix in MAIN_SUFFIXES]
    included = {member for f in sources for member in project.closure(f)[1:]}
    by_header: dict[Path, list[Path]] = {}
    for file in sorted(mains, key=lambda f: (f in included, f.suffix != ".cu")):
        for member in project.closure(file)[1:]:
            by_header.setdefault(member, []).append(file)
    result: dict[Path, Path] = {}
    for header, users in by_header.items():
        source = project.file(header)
        first = [f for f in users if f.suffix == users[0].suffix]
        if len(first) > 1 and source is not None and kinds_matter(source):
            first.sort(key=lambda f: facts.unit(f).kind, reverse=True)
        result[header] = first[0]
    return result
