"""`porter convert`: from paths to written ports. Reads everything first, writes each file whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from multiprocessing import active_children
from pathlib import Path, PurePosixPath

from porter import __version__, buildfiles
from porter.cache import cache_dir, write_atomically
from porter.errors import InputError, OutputError, PorterError
from porter.frontend.ast import precompiled_headers, stub_headers
from porter.frontend.project import HEADER_SUFFIXES, MAIN_SUFFIXES, Project, find_include_dirs, walk
from porter.frontend.unit import Options
from porter.model import Edit, FilePort, FileStatus, Finding, PortReport, Safety, decode, encode
from porter.passes.elsewhere import defined_elsewhere
from porter.passes.kinds import kind_of, kinds_matter
from porter.pipeline import port_source
from porter.rewrite import rewrite
from porter.rules import RuleSet, load_rules
from porter.settings import FileFlags

__all__ = ["Job", "plan", "run_jobs", "runtime_files", "write_ports"]


@dataclass(frozen=True, slots=True)
class Job:
    """One file to port, or to copy as it is."""

    path: Path
    output: Path
    shown: str
    kind: str  # "source", "build", "copy"
    root: Path
    renames: tuple[
        tuple[str, str], ...
    ] = ()  # include spelling -> ported spelling; for build files: tree path -> tree path
    includer: Path | None = None
    runtime_prefix: str = ""
    flags: FileFlags | None = None  # from compile_commands.json
    whole: bool = False  # with all other files of its tree


@dataclass(frozen=True, slots=True)
class Plan:
    jobs: tuple[Job, ...]
    failed: tuple[FilePort, ...]
    runtime_dirs: tuple[Path, ...]  # where porter/*.h go, one for each output tree


def plan(
    paths: Sequence[Path],
    out: Path | None,
    in_place: bool,
    options: Options,
    commands: Mapping[Path, FileFlags] | None = None,
    dry: bool = False,
    out_is_folder: bool = False,
) -> Plan:
    """Decide for every input what is ported to where. Raises InputError only where nothing can be done."""
    jobs: list[Job] = []
    failed: list[FilePort] = []
    runtime_dirs: list[Path] = []
    several = len(paths) > 1 or out_is_folder
    for path in paths:
        if path.is_dir():
            target = path if in_place else _tree_target(path, out, len(paths) > 1)
            tree, problems = _plan_tree(path, target, options)
            jobs += tree
            failed += problems
            runtime_dirs.append(target)
        elif path.exists():
            target = path if in_place else _file_target(path, out, several, dry)
            prefix = ""
            jobs.append(Job(path, target, str(path), "source", path.parent, (), None, prefix))
            runtime_dirs.append(target.parent)
        else:
            failed.append(_failure(path, "no such file or folder", "check the path"))
    outputs: dict[Path, Job] = {}
    kept: list[Job] = []
    for job in jobs:
        other = outputs.setdefault(job.output, job)
        if other is not job:
            problem = f"would be written to {job.output}, which {other.shown} is written to as well"
            failed.append(_failure(job.path, problem, "rename one of the two"))
        else:
            flags = commands.get(Path(os.path.abspath(job.path))) if commands else None
            kept.append(replace(job, flags=flags, whole=False) if flags is not None else job)
    return Plan(tuple(kept), tuple(failed), tuple(dict.fromkeys(runtime_dirs)))


def _failure(path: Path, problem: str, mend: str) -> FilePort:
    return FilePort(str(path), "", FileStatus.FAILED, problem=problem, mend=mend)


def _file_target(path: Path, out: Path | None, several: bool, dry: bool) -> Path:
    renamed = path.with_suffix(".hip") if path.suffix == ".cu" else path
    if out is None:
        if renamed == path and not dry:
            raise InputError(
                f"{path}: the port of a {path.suffix or 'file without suffix'} keeps its name",
                "say where it goes with -o OUT, or overwrite it with --in-place",
            )
        return renamed
    if several or out.is_dir():
        return out / renamed.name
    return out


def _tree_target(path: Path, out: Path | None, several: bool) -> Path:
    if out is None:
        resolved = path.resolve()
        return resolved.with_name(resolved.name + "-hip")
    if out.is_file():
        raise InputError(f"{out}: is a file, the port of a folder needs a folder", "give another -o OUT")
    return out / path.resolve().name if several else out


def _plan_tree(root: Path, target: Path, options: Options) -> tuple[list[Job], list[FilePort]]:
    files = [f for f in walk(root) if not _inside(f, target, root)]
    sources = [f for f in files if f.suffix in MAIN_SUFFIXES | HEADER_SUFFIXES]
    if not sources:
        return [], [_failure(root, "holds no C++ or CUDA source", "give a folder with .cu, .cuh, .cpp or .h files")]
    in_place = target == root
    found = tuple(map(str, find_include_dirs(Project(root, options.includes), sources)))
    project = Project(root, (*options.includes, *found))
    flags = FileFlags(found, (), "") if found else None
    renamed = {f: f.with_suffix(".hip") for f in sources if f.suffix == ".cu" and not in_place}
    for old, new in list(renamed.items()):
        if new in sources:  # x.cu and x.hip side by side: x.hip is somebody's own
            renamed[old] = old.with_name(old.name + ".hip")
    includers = _includers(project, sources, load_rules(options.rules))
    # Build files must know every CUDA source, those that keep their names too: CMake needs LANGUAGE HIP for them.
    tree_renames = tuple(
        (old.relative_to(root).as_posix(), renamed.get(old, old).relative_to(root).as_posix())
        for old in sources
        if old.suffix == ".cu"
    )
    jobs: list[Job] = []
    for file in files:
        new = renamed.get(file, file)
        relative = new.relative_to(root)
        output = target / relative
        shown = str(file)
        prefix = "../" * (len(relative.parts) - 1)
        if file.suffix in MAIN_SUFFIXES | HEADER_SUFFIXES:
            source = project.file(file)
            renames: dict[str, str] = {}
            for include in source.includes if source else ():
                meant = project.resolve(include, file)
                if meant in renamed:
                    renames[include] = str(PurePosixPath(include).with_name(renamed[meant].name))
            includer = includers.get(file)
            jobs.append(
                Job(file, output, shown, "source", root, tuple(sorted(renames.items())), includer, prefix, flags, True)
            )
        elif _is_build_file(file):
            jobs.append(Job(file, output, shown, "build", root, tree_renames))
        elif not in_place:
            jobs.append(Job(file, output, shown, "copy", root))
    return jobs, []


def _inside(file: Path, target: Path, root: Path) -> bool:
    """Is `file` part of an earlier port that was written below the tree itself?"""
    return target != root and target in file.parents and root in target.parents


def _is_build_file(path: Path) -> bool:
    return path.suffix in (".cmake", ".mk", ".py", ".txt", "") or path.name.startswith("Makefile.")


def _includers(project: Project, sources: Sequence[Path], rules: RuleSet) -> dict[Path, Path]:
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
            first.sort(key=lambda f: kind_of(project, f, rules), reverse=True)
        result[header] = first[0]
    return result


# --- running ---------------------------------------------------------------------------------------


def run_jobs(
    jobs: Sequence[Job],
    options: Options,
    workers: int,
    progress: Callable[[Job, FilePort], None] = lambda job, port: None,
) -> list[FilePort]:
    """Port every job, several at a time; one file's failure is that file's alone."""
    load_rules(options.rules)  # a mistake in the user's rules is reported once, before any work
    sources = [j for j in jobs if j.kind == "source"]
    results: dict[Job, FilePort] = {}
    pending: list[Job] = []
    keys = _CacheKeys(options)
    for job in jobs:
        port = _cached(keys, job) if job.kind == "source" else _port_other(job)
        if port is None:
            pending.append(job)
        else:
            results[job] = port
            progress(job, port)
    if pending:
        if options.parse and sources:
            precompiled_headers(options.standard, options.cuda_path)
        for job, port in _run_pending(pending, options, workers):
            results[job] = port
            if port.status is not FileStatus.FAILED:
                _store(keys, job, port)
            progress(job, port)
    return [results[job] for job in jobs]


def _with_flags(options: Options, flags: FileFlags | None) -> Options:
    if flags is None:
        return options
    return replace(
        options,
        includes=(*options.includes, *flags.includes),
        defines=(*options.defines, *flags.defines),
        standard=flags.standard or options.standard,
    )


def _run_pending(pending: Sequence[Job], options: Options, workers: int) -> Iterator[tuple[Job, FilePort]]:
    if workers <= 1 or len(pending) < 4:
        projects: dict[tuple[Path, tuple[str, ...], bool], Project] = {}
        for job in pending:
            yield job, _port_one(job, options, projects)
        return
    # Big files first, so that the last worker does not end long after the others.
    order = sorted(pending, key=_size, reverse=True)
    left = set(order)
    others = set(active_children())
    pool = ProcessPoolExecutor(workers, initializer=_begin_work, initargs=(options,))
    try:
        futures = {pool.submit(_port_in_worker, job): job for job in order}
        for future in as_completed(futures):
            job = futures[future]
            yield job, future.result()
            left.discard(job)
        pool.shutdown()
    except BaseException as error:
        # Ctrl-C, or a crash of a worker: what is still queued must not be worked off first
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(active_children()) - others:
            process.terminate()
        if not isinstance(error, BrokenProcessPool):
            raise
        for job in sorted(left, key=lambda j: str(j.path)):
            yield job, _port_alone(job, options)


_worker_options: list[Options] = []


def _begin_work(options: Options) -> None:
    """What all jobs share comes once: jobs that fit in a pipe leave nobody waiting for a worker that has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers
    _worker_options.append(options)


def _port_in_worker(job: Job) -> FilePort:
    return _port_one(job, _worker_options[-1], None)


def _size(job: Job) -> int:
    try:
        return job.path.stat().st_size
    except OSError:
        return 0


def _port_alone(job: Job, options: Options) -> FilePort:
    """In a process of its own, so that a crash inside libclang costs only the AST of this file."""
    for attempt in (options, replace(options, parse=False)):
        try:
            with ProcessPoolExecutor(1) as pool:
                return pool.submit(_port_one, job, attempt, None).result()
        except BrokenProcessPool:
            continue
    return _failure(job.path, "could not be ported: the worker process died", "please report this file")


_worker_projects: dict[tuple[Path, tuple[str, ...], bool], Project] = {}


def _port_one(
    job: Job, options: Options, projects: dict[tuple[Path, tuple[str, ...], bool], Project] | None
) -> FilePort:
    projects = _worker_projects if projects is None else projects
    options = _with_flags(options, job.flags)
    project = projects.setdefault(
        (job.root, options.includes, job.whole), Project(job.root, options.includes, whole=job.whole)
    )
    prefix = job.runtime_prefix if options.runtime == "copy" else ""
    try:
        return port_source(
            project, job.path, str(job.output), options, dict(job.renames), job.includer, job.shown, prefix
        )
    except PorterError:
        raise
    except Exception as error:  # one file must not cost the others their ports
        if os.environ.get("PORTER_DEBUG"):
            raise
        return _failure(
            job.path,
            f"porter failed on it: {type(error).__name__}: {error}",
            "please report the file; PORTER_DEBUG=1 shows where",
        )


def _port_other(job: Job) -> FilePort:
    try:
        data = job.path.read_bytes()
    except OSError as error:
        return _failure(job.path, f"cannot be read: {error.strerror}", "check its permissions")
    text = decode(data)
    if job.kind == "copy":
        return FilePort(job.shown, str(job.output), FileStatus.UNCHANGED, text, text, parser="copied")
    relative = PurePosixPath(job.path.relative_to(job.root).as_posix())
    porter = buildfiles.recognise(relative, text)
    if porter is None:  # a text file that only looked like a build file by its name
        return FilePort(job.shown, str(job.output), FileStatus.UNCHANGED, text, text, parser="copied")
    folder = "" if str(relative.parent) == "." else str(relative.parent)
    findings = porter(text, buildfiles.Renames(dict(job.renames), folder))
    if not findings:
        return FilePort(job.shown, str(job.output), FileStatus.UNCHANGED, text, text, parser="text")
    result = rewrite(text, findings)
    return FilePort(
        job.shown, str(job.output), FileStatus.PORTED, text, result.text, tuple(result.findings), parser="text"
    )


# --- cache -----------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _program_stamp() -> str:
    """Changes whenever porter's own code, rules or stub headers do."""
    digest = hashlib.sha256(__version__.encode())
    package = Path(__file__).resolve().parent
    for folder, pattern in ((package, "**/*.py"), (package, "**/*.in"), (stub_headers(), "**/*")):
        for path in sorted(folder.glob(pattern)):
            if path.is_file():
                status = path.stat()
                digest.update(f"{path.name}{status.st_size}{status.st_mtime_ns}".encode())
    return digest.hexdigest()


class _CacheKeys:
    def __init__(self, options: Options) -> None:
        digest = hashlib.sha256(_program_stamp().encode())
        digest.update(repr(options).encode())
        for folder in load_rules(options.rules).folders:
            for path in sorted(folder.rglob("*.t*")):
                status = path.stat()
                digest.update(f"{path}{status.st_size}{status.st_mtime_ns}".encode())
        self._base = digest.digest()
        self._projects: dict[Path, Project] = {}
        self._hashes: dict[Path, bytes] = {}
        self.options = options

    def key(self, job: Job) -> str:
        project = self._projects.setdefault(job.root, Project(job.root, self.options.includes))
        digest = hashlib.sha256(self._base)
        digest.update(repr((job.renames, str(job.includer), job.runtime_prefix, job.path.name, job.flags)).encode())
        members = project.closure(job.path)
        if job.includer is not None:
            members += project.closure(job.includer)
        members = (*members, *_others(project, job))
        if self.options.schedule == "native" and job.whole:  # what launches a kernel may be in any of them
            members = (*members, *(p for p in walk(job.root) if p.suffix in MAIN_SUFFIXES | HEADER_SUFFIXES))
        for path in members:
            known = self._hashes.get(path)
            if known is None:
                source = project.file(path)
                known = self._hashes[path] = hashlib.sha256(source.data if source else b"").digest()
            digest.update(known)
        return digest.hexdigest()


def _others(project: Project, job: Job) -> Iterator[Path]:
    """Files of other units that say how launches in this file, or what a header is told apart by, are ported."""
    source = project.file(job.path)
    if not job.whole or source is None or not kinds_matter(source):
        return
    elsewhere = defined_elsewhere(project, project.members(job.path))
    for main in (*project.includers.get(job.path, ()), *elsewhere.values()):
        yield from project.closure(main)


def _cache_path(key: str) -> Path:
    return cache_dir() / "ports" / key[:2] / f"{key[2:]}.json"


def _cached(keys: _CacheKeys, job: Job) -> FilePort | None:
    try:
        data = json.loads(_cache_path(keys.key(job)).read_bytes())
        findings = tuple(
            Finding(r, s, e, Safety(safety), m, tuple(Edit(*edit) for edit in edits), tuple(includes))
            for r, s, e, safety, m, edits, includes in data["findings"]
        )
        source = decode(job.path.read_bytes())
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return FilePort(
        job.shown,
        str(job.output),
        FileStatus(data["status"]),
        source,
        source if data["port"] is None else data["port"],
        findings,
        tuple(data["notes"]),
        data["parser"],
    )


def _store(keys: _CacheKeys, job: Job, port: FilePort) -> None:
    data = {
        "status": port.status.value,
        "port": None if port.port == port.source else port.port,
        "parser": port.parser,
        "notes": port.notes,
        "findings": [
            (
                f.rule,
                f.start,
                f.end,
                f.safety.value,
                f.message,
                [tuple(asdict(e).values()) for e in f.edits],
                f.includes,
            )
            for f in port.findings
        ],
    }
    path = _cache_path(keys.key(job))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(data).encode())
    except OSError:
        pass  # a cache that cannot be written costs time, nothing else


# --- writing ---------------------------------------------------------------------------------------


def runtime_files(ports: Sequence[FilePort]) -> list[str]:
    """The names of porter's headers that these ports include, with what those include in turn."""
    folder = Path(__file__).resolve().parent / "runtime" / "include"
    wanted = [h for port in ports for f in port.findings if f.edits or f.safety is Safety.EXACT for h in f.includes]
    found: dict[str, None] = {}
    while wanted:
        header = wanted.pop()
        if header in found:
            continue
        found[header] = None
        path = folder / header
        if path.is_file():
            text = path.read_text("utf-8")
            wanted += [line.split('"')[1] for line in text.splitlines() if line.startswith('#include "porter/')]
            wanted += [
                "porter/" + line.split('"')[1]
                for line in text.splitlines()
                if line.startswith('#include "') and not line.startswith('#include "porter/')
            ]
    return sorted(found)


def write_ports(
    jobs: Sequence[Job], ports: Sequence[FilePort], runtime: str, runtime_dirs: Sequence[Path]
) -> list[Path]:
    """Write every port; returns what was written. A full disk leaves no half file behind."""
    written: list[Path] = []
    for job, port in zip(jobs, ports):
        if port.status is FileStatus.FAILED:
            continue
        try:
            job.output.parent.mkdir(parents=True, exist_ok=True)
            if port.parser == "copied":
                if job.output != job.path and not _same_bytes(job.path, job.output):
                    shutil.copy2(job.path, job.output)
                continue
            data = encode(port.port)
            if job.output.is_file() and job.output.read_bytes() == data:
                continue
            write_atomically(job.output, data)
            if job.output != job.path:
                shutil.copymode(job.path, job.output)
            written.append(job.output)
        except OSError as error:
            raise OutputError(
                f"{job.output}: cannot be written: {error.strerror or error}", "free space or give another -o OUT"
            ) from None
    if runtime == "copy":
        written += _write_runtime(jobs, ports, runtime_dirs)
    return written


def _same_bytes(a: Path, b: Path) -> bool:
    try:
        return b.is_file() and a.stat().st_size == b.stat().st_size and a.read_bytes() == b.read_bytes()
    except OSError:
        return False


def _write_runtime(jobs: Sequence[Job], ports: Sequence[FilePort], runtime_dirs: Sequence[Path]) -> list[Path]:
    written: list[Path] = []
    source = Path(__file__).resolve().parent / "runtime" / "include"
    for folder in runtime_dirs:
        mine = [p for j, p in zip(jobs, ports) if folder == j.output.parent or folder in j.output.parents]
        for header in runtime_files(mine):
            data = (source / header).read_bytes()
            target = folder / header
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                if not target.is_file() or target.read_bytes() != data:
                    write_atomically(target, data)
                    written.append(target)
            except OSError as error:
                raise OutputError(
                    f"{target}: cannot be written: {error.strerror}", "free space or give another -o OUT"
                ) from None
    return written


def make_report(ports: Sequence[FilePort], failed: Sequence[FilePort], options: Options, started: float) -> PortReport:
    # copied files are no part of the port; they were only taken along
    files = tuple(p for p in ports if p.parser != "copied") + tuple(failed)
    return PortReport(files, options.target, options.warp, time.perf_counter() - started, __version__)
