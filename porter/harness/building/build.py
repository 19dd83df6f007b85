"""From a case to a library that can be called: convert where there is no port yet, write the shim, compile."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from porter.cache_folder import cache_dir, write_atomically
from porter.configuration import configuration
from porter.errors import CompileError, NotHere, PorterError
from porter.execute import Compiled, gpu_present
from porter.findings import FilePort, Safety
from porter.frontend.ast import ParseOptions
from porter.frontend.project import Project
from porter.harness.building.python_functions import BOUND, bound_entry, python_entry
from porter.harness.building.shim import shim_text
from porter.harness.building.signature import read_entry
from porter.harness.building.torch_sources import nvcc_words, torch_source, uses_torch
from porter.harness.cases.case import Case
from porter.harness.cases.entry import Entry, SignatureError
from porter.native.emit.gemm_text import INLINED
from porter.paths import RUNTIME_INCLUDE
from porter.perf.isa import KernelFacts, compiled_kernels
from porter.port.files.headers import include_folders
from porter.port.files.write import write_ports
from porter.port.pipeline import Conversion
from porter.port.runs.configured import configured_options, with_includes
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs
from porter.rules import NameRow, load_rules
from porter.toolchain import (
    Built,
    Options,
    find_rocm,
    find_toolchain,
    require_python_headers,
    shared_library,
    torch_headers,
)
from porter.toolchain.rocm_headers import rocm_header_flags

__all__ = [
    "BACKENDS",
    "BuildFailed",
    "Library",
    "backend_for",
    "build_library",
    "entry_of",
    "find_nvcc",
    "header_of_cuda",
    "port_of",
    "python_headers",
]

BACKENDS = ("emulator", "amd", "nvidia")
_MISSING_HEADER = re.compile(
    r"^(?P<file>[^\s:][^:\n]*):\d+:\d+: fatal error: '(?P<header>[^']+)' file not found", re.MULTILINE
)
NATIVE_MARK = b"porter[native-schedule]"  # the comment of a port made with --schedule native


class BuildFailed(CompileError):
    """A port that the compiler refuses, with the report of its conversion."""

    def __init__(self, problem: str, error: CompileError, report: tuple[FilePort, ...]) -> None:
        super().__init__(problem, error.text, error.command, error.fix)
        self.report = report


@dataclass(frozen=True, slots=True)
class Library:
    path: Path
    entry: Entry
    source: Path  # what was compiled: a port or an original
    report: tuple[FilePort, ...]  # of the conversion, where there was one
    edited: bool  # a port beside the source that is not what porter makes of it now
    kernels: tuple[KernelFacts, ...] = ()  # what the compiler for AMD gave each
    homes: tuple[Path, ...] = ()  # of each kernel: what was compiled to it, the source or one of its units
    torch_device: Path | None = None  # for an entry of tensors: what makes the emulator a device of torch's
    compiled: tuple[Compiled, ...] = ()  # what the emulator runs, and which compilers made it


_PYTHON = re.compile(r"\w*:\w+")  # one colon: module:function


def backend_for(wanted: str) -> str:
    """The backend to use: the one named, or an AMD GPU, an NVIDIA GPU (for originals), the emulator."""
    if wanted != "auto":
        return wanted
    if gpu_present():
        return "amd"
    return "nvidia" if os.path.exists("/dev/nvidiactl") and find_nvcc() else "emulator"


@lru_cache(maxsize=1)
def find_nvcc() -> str | None:
    """The path of nvcc, from CUDA_HOME, PATH or the usual folder; None where there is none."""
    home = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    for place in (f"{home}/bin/nvcc" if home else "", shutil.which("nvcc") or "", "/usr/local/cuda/bin/nvcc"):
        if place and os.access(place, os.X_OK):
            return place
    return None


def build_library(
    case: Case,
    side: str,
    backend: str,
    fix_waits: bool = False,
    defines: tuple[str, ...] = (),
    flags: tuple[str, ...] = (),
    code_objects: tuple[Path, ...] = (),
) -> Library:
    """`side` is "port", "original" or the name of one of the case's variants. `defines` and `flags` are for the compiler
    alone, beside the case's own: the port is the same with and without them."""
    _need_headers(case)
    original = case.source if case.source.suffix != ".hip" else None
    reports: tuple[FilePort, ...] = ()
    edited, headers = False, case.includes
    if side == "original":
        source = case.source
    elif side == "port":
        source, reports, edited, headers = port_of(case)
    else:
        source = case.variants[side]
    # A port has the signature of its original, and CUDA's names are the ones that porter's parser knows best.
    if _PYTHON.fullmatch(case.entry):
        entry = python_entry(original or source, case.entry, case.arguments)
    elif case.arguments and case.entry and uses_torch(original or source, case.includes):
        entry = bound_entry(case.entry, case.arguments)
    else:
        entry = _entry(case, original, source, headers)
    case = replace(case, defines=(*case.defines, *defines), flags=(*case.flags, *flags))
    try:
        compiler = Options(fix_waits=fix_waits, code_objects=code_objects)
        built: Built | None = None
        compiled: tuple[Compiled, ...] = ()
        if side != "original":
            built, compiled = _hip(case, source, entry, headers, backend, compiler)
        path = _nvidia(case, source, entry) if built is None else built.path
    except CompileError as error:
        left = [f for port in reports for f in port.findings if f.safety is Safety.LEFT and f.compiled and f.called]
        several = "s" if len(left) > 1 else ""
        words = f"; porter left {len(left)} site{several} of it to a person: {left[0].message}" if left else ""
        words += header_of_cuda(error.text, case.includes)
        raise BuildFailed(error.problem + words, error, reports) from None
    homed = tuple(_homed(case, source, built.assembly)) if built else ()
    homes, kernels = tuple(home for home, _ in homed), tuple(fact for _, fact in homed)
    device = None
    if backend == "emulator" and entry.module and uses_torch(source, case.includes):
        from porter.harness.building.torch_device import device_library

        device = device_library()
    return Library(path, entry, source, reports, edited, kernels, homes, device, compiled)


def _homed(case: Case, source: Path, assembly: Sequence[Path]) -> Iterator[tuple[Path, KernelFacts]]:
    """The kernels of a build, each with the file that was compiled to it."""
    compiled = [source, *_ported_units(case, source)]
    homes = compiled if len(compiled) == len(assembly) else [source] * len(assembly)  # linked to one otherwise
    for home, text in zip(homes, assembly, strict=True):
        yield from ((home, fact) for fact in compiled_kernels(text))


def header_of_cuda(messages: str, includes: Sequence[str]) -> str:
    """A header of the case's folders that asks for one of CUDA's, in words: a port takes the ports of those folders."""
    headers = load_rules().headers
    for missing in _MISSING_HEADER.finditer(messages):
        folder = next((folder for folder in includes if Path(missing["file"]).is_relative_to(folder)), None)
        if folder is not None and missing["header"] in headers:
            return (
                f"; INCLUDES names {os.path.relpath(folder)}, where {Path(missing['file']).name} is CUDA: "
                "let it name the folder of the ports, which porter convert -I writes beside the port (NAME-hip)"
            )
    return ""


def _need_headers(case: Case) -> None:
    for folder in case.includes:
        if folder.startswith("$"):
            name, _, rest = folder[1:].partition("/")
            raise NotHere(
                f"{folder}, which {case.path.name} takes headers from, is not here",
                f"set {name} to the folder that holds {rest or 'them'}",
            )


def entry_of(source: Path, name: str, includes: tuple[str, ...] = (), defines: tuple[str, ...] = ()) -> Entry:
    """The signature of a function in a CUDA or a HIP source."""
    headers: tuple[str, ...] = ()
    if source.suffix == ".hip":
        chain = find_toolchain()
        if chain.hip_headers is None:
            raise NotHere("no HIP headers to read the signature with", chain.fix)
        headers = (str(chain.hip_headers), str(RUNTIME_INCLUDE))
    folders = (str(source.parent), *includes)
    torch = torch_headers.library() if not headers and uses_torch(source, includes) else None
    options = ParseOptions(includes=folders, defines=defines, hip_headers=headers, library=torch)
    return read_entry(source, name, options)


def _entry(case: Case, original: Path | None, source: Path, headers: tuple[str, ...]) -> Entry:
    """The signature as the original has it; or as the port has it, which may not need the original's headers."""
    try:
        return entry_of(original or source, case.entry, case.includes, case.defines)
    except SignatureError:
        if original in (None, source):
            raise
        with suppress(PorterError):
            return entry_of(source, case.entry, headers, case.defines)
        raise


def port_of(case: Case) -> tuple[Path, tuple[FilePort, ...], bool, tuple[str, ...]]:
    """The port to verify: the one beside the source, or a fresh one in the cache. Also the conversion's report, and the
    port's folders of headers."""
    if case.source.suffix == ".hip":
        return case.port or case.source, (), False, case.includes
    text = case.port.read_bytes() if case.port is not None else b""
    native = NATIVE_MARK in text
    schedule = "" if case.port is None else "native" if native else "faithful"  # "": the configured one
    made, reports, headers = convert(case, schedule, native and INLINED.encode() in text)
    if case.port is not None:
        same = made.is_file() and case.port.read_bytes() == made.read_bytes()
        return case.port, reports, not same, headers
    for report in reports:
        if report.problem:
            raise PorterError(f"{report.path}: {report.problem}", report.fix)
    return made, reports, False, headers


def convert(case: Case, schedule: str = "", inline: bool = False) -> tuple[Path, tuple[FilePort, ...], tuple[str, ...]]:
    """porter convert, into the cache. A source that includes headers of its own project comes with the project's folder."""
    source = case.source
    options = configured_options(configuration(source))
    options = replace(with_includes(options, case.includes, ()), defines=(*options.defines, *case.defines))
    options = replace(options, schedule=schedule or options.schedule, inline=inline, resources=False)
    standards = [flag.partition("=")[2] for flag in case.flags if flag.startswith(("-std=", "--std="))]
    options = replace(options, standard=standards[-1]) if standards else options
    root = _project_folder(case)
    project = Project(root, options.includes)
    folder = cache_dir() / "verify" / hashlib.sha256(str(source).encode()).hexdigest()[:16]
    tree = bool(case.units) or any(root in member.parents for member in project.closure(source)[1:])
    conversion = Conversion(options)
    todo = plan([root if tree else source], folder / root.name, False, conversion, out_is_folder=not tree)
    ports = run_jobs(todo.jobs, conversion, 1)
    write_ports(todo.jobs, ports, "copy", todo.runtime_dirs, todo.homes)
    job = next(job for job in todo.jobs if job.path == source)
    headers = tuple(include_folders(todo.homes, case.includes))
    return job.output, tuple(port for port in ports if port.parser != "copied"), headers


def _project_folder(case: Case) -> Path:
    """The folder of the source, or the one above it that holds the case's folders of headers as well."""
    top, own = case.path.parent.resolve(), case.source.parent
    headers = [folder for folder in map(_resolved, case.includes) if folder.is_relative_to(top)]
    headers += [unit.resolve() for unit in case.units]
    while own.resolve() != top and own.resolve().is_relative_to(top):
        if all(folder.is_relative_to(own.resolve()) for folder in headers):
            break
        own = own.parent
    return own


def _resolved(folder: str) -> Path:
    return Path(folder).resolve()


def python_headers() -> tuple[str, ...]:
    """Python's own headers, and pybind11's, which torch brings."""
    import torch

    require_python_headers()
    return sysconfig.get_path("include"), str(Path(torch.__file__).parent / "include")


def _hip_name(word: str, names: Mapping[str, NameRow]) -> str:
    row = names.get(word)
    return row.hip if row is not None and row.hip and row.kind == "type" else word


def _shim(case: Case, source: Path, entry: Entry, api: str, more: str = "") -> Path:
    if api == "hip" and not _has_module(entry):  # the case names types as the original does
        names = load_rules().names
        entry = replace(entry, name=re.sub(r"\w+", lambda word: _hip_name(word[0], names), entry.name))
    text = shim_text(source, entry, api) + more
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    suffix = ".hip" if api == "hip" else ".cu"
    path = cache_dir() / "verify" / "entries" / f"{case.source.stem}-{digest}{suffix}"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text.encode())
    return path


def _hip(
    case: Case, source: Path, entry: Entry, folders: tuple[str, ...], backend: str, compiler: Options
) -> tuple[Built, tuple[Compiled, ...]]:
    """The library, and which compilers made what the emulator runs of it."""
    headers = python_headers() if entry.module else ()
    includes = (str(source.parent), str(case.source.parent), *_ported(case, source), *folders, *headers)
    flags = (*(() if backend == "amd" else rocm_header_flags()), *case.flags)
    options = replace(compiler, defines=case.defines, includes=includes, flags=flags)
    units = _ported_units(case, source)
    with_torch = torch_source([source, *units], [folder for folder in includes if os.path.isdir(folder)])
    if with_torch is not None:
        (source, *units), options = with_torch.paths, with_torch.options(options)
    more = with_torch.checks() if with_torch is not None else ""
    shim = source if not more and _has_module(entry) else _shim(case, source, entry, "hip", more)
    if backend == "amd":
        return shared_library([shim, *units], None, options, toolchain=find_rocm()), ()
    from porter.execute import compiled_by, emulated_library

    built = emulated_library([shim, *units], options)
    return built, compiled_by(built, options)


def _has_module(entry: Entry) -> bool:
    """Whether the source makes the Python module that the entry is a function of."""
    return bool(entry.module) and entry.module != BOUND


def _ported_units(case: Case, source: Path) -> list[Path]:
    """The ports of the case's other sources, which lie beside the port as those lie beside the original."""
    ports = []
    for unit in case.units:
        port = source.parent / os.path.relpath(unit, case.source.parent)
        port = port.with_suffix(source.suffix) if port.suffix in (".cu", ".hip") else port
        if not port.is_file():
            raise PorterError(f"{port}: no such port, and UNITS names {unit.name}", f"porter convert {unit}")
        ports.append(port)
    return ports


def _ported(case: Case, source: Path) -> list[str]:
    """The case's folders of headers, where they were ported with the project's folder."""
    root = _project_folder(case).resolve()
    here = source.parent
    for _ in case.source.parent.resolve().relative_to(root).parts:
        here = here.parent
    return [
        str(here / folder.relative_to(root)) for folder in map(_resolved, case.includes) if folder.is_relative_to(root)
    ]


@lru_cache(1)
def _sm() -> str:
    """The first GPU's architecture, with all that it has: 90a."""
    words = ["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"]
    try:
        output = subprocess.run(words, capture_output=True, text=True, timeout=60).stdout.split()
    except (OSError, subprocess.TimeoutExpired):
        output = []
    number = output[0].replace(".", "") if output else ""
    if not number.isdecimal():
        return "90a"
    return f"{number}a" if int(number) >= 90 else number


def _nvidia(case: Case, source: Path, entry: Entry) -> Path:
    nvcc = find_nvcc()
    if nvcc is None:
        raise NotHere("no nvcc to compile the original with", "install CUDA, or set CUDA_HOME")
    shim = source if _has_module(entry) else _shim(case, source, entry, "cuda")
    headers = (str(case.source.parent), *case.includes, *(python_headers() if entry.module else ()))
    words = [
        nvcc, "-O3", "-std=c++17", "-shared", "-Xcompiler", "-fPIC", "-lineinfo",
        "--expt-relaxed-constexpr", "--expt-extended-lambda",  # as PyTorch compiles its extensions
        "-gencode", "arch=compute_{0},code=sm_{0}".format(_sm()),
        *(f"-D{name}" for name in case.defines), *(f"-I{folder}" for folder in headers),
        *nvcc_words(source, case.includes), *case.flags, str(shim), *map(str, case.units), "-lcuda",
    ]  # fmt: skip
    digest = hashlib.sha256(repr(words).encode())
    project = Project(case.source.parent, case.includes)
    for member in (shim, *(member for unit in (source, *case.units) for member in project.closure(unit))):
        digest.update(member.read_bytes())
    out = cache_dir() / "verify" / "nvidia" / f"{case.source.stem}-{digest.hexdigest()[:16]}.so"
    if out.is_file():
        return out
    out.parent.mkdir(parents=True, exist_ok=True)
    draft = out.with_suffix(f".{os.getpid()}.so")
    result = subprocess.run([*words, "-o", str(draft)], capture_output=True, text=True)
    if result.returncode:
        text = result.stderr + result.stdout
        if "cannot find -lcuda" in text:
            raise NotHere("no libcuda to link the original with", "an NVIDIA driver brings it")
        lines = [line for line in text.splitlines() if "error" in line and "collect2" not in line]
        first = lines[0] if lines else text.strip().splitlines()[0] if text.strip() else "nvcc failed"
        raise CompileError(first, text, words)
    os.replace(draft, out)
    return out
