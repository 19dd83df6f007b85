"""HIP sources to assembly of a chip, code objects, shared libraries and executables, with ROCm or from pip packages.

    device_assembly(source, options)              -> the assembly, a path in the cache
    device_ir(source, options)                    -> the unoptimised IR that porter.native reads
    device_bitcode(source, options)               -> the device half as LLVM bitcode, for linked_bitcode
    linked_bitcode(files, flags)                  -> the assembly of several of those together
    host_object(source, options)                  -> the host half as an object
    assemble(assembly)                            -> its object; CompileError where the assembler refuses a line
    code_object(assembly)                         -> the loadable code object (.co)
    shared_library(sources, out, options, ...)    -> a whole host and device program as .so
    executable(sources, out, options, ...)        -> ... as a program
    c_library(sources, ...)                       -> a host .so from C or C++ (porter.toolchain.native)

Every step is kept in the cache by content (porter.toolchain.store): results of the first five are files
there, to be read and not changed. Each step is one process; independent steps run at the same time. The host half of a
source does not wait for the device half. Without a device binary, clang leaves the symbol `__hip_fatbin_<id>` open, and
a small object with the bundle defines it.

What goes into the bundle for the chip is the code object, or, where `image` is given, what that function
makes of the device assembly; porter's emulator puts its own image there. Emulator builds also get
porter/device_printf.h, which says how printf and assert reach the emulator.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import shutil
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from porter.chip import DEFAULT_CHIP
from porter.errors import CompileError, InputError, OutputError
from porter.toolchain import barrier_waits
from porter.toolchain.barrier_waits import lost_waits, with_waits
from porter.toolchain.compilers import Compilers, amdgcn, compilers, hip_device
from porter.toolchain.device_objects import DeviceObject, device_objects
from porter.toolchain.pip_clang import Toolchain, zig_environment
from porter.toolchain.precompiled import header_flags
from porter.toolchain.process import in_parallel, run
from porter.toolchain.store import digest, environment, file_digest, keep, keep_compiled, log_of, stamp

__all__ = [
    "Built",
    "Image",
    "Options",
    "assemble",
    "bundle",
    "code_object",
    "cuda_ir",
    "device_assembly",
    "device_bitcode",
    "device_ir",
    "executable",
    "host_object",
    "linked_bitcode",
    "shared_library",
]

Image = Callable[[Path], bytes]  # device assembly to the bytes for the fat binary

LINKED = (".o", ".a", ".so")  # given to the linker as they are
_HOST = "x86_64-unknown-linux-gnu"
_HOST_ENTRY = f"host-{_HOST}-"
_RDC = "-fgpu-rdc"
_HANDLE = re.compile(rb"\0(__hip_gpubin_handle_\w+)\0")
_FATBIN = re.compile(rb"\0(__hip_fatbin(?:_(?!wrapper\0)\w+)?)\0")


@dataclass(frozen=True, slots=True)
class Options:
    """How to compile. Device and host halves get the same, as hipcc has it."""

    std: str = "gnu++17"
    level: str = "3"  # the letter after -O
    defines: tuple[str, ...] = ()  # NAME or NAME=VALUE
    includes: tuple[str | Path, ...] = ()  # folders
    fast_math: bool = False
    line_tables: bool = True  # .loc directives that name the source lines
    emulator: bool = False  # __PORTER_EMULATOR__ and its printf; set by the builds that are given an image
    fix_waits: bool = False  # the waits that clang loses in front of barriers are put back (barrier_waits.py)
    flags: tuple[str, ...] = ()  # anything else for the compiler
    link: tuple[str, ...] = ()  # anything else for the linker
    target: str = DEFAULT_CHIP.target  # the chip that the device half is for
    code_objects: tuple[Path, ...] = ()  # whose kernels an emulated program runs in place of those compiled here

    def arguments(self) -> tuple[str, ...]:
        """The compiler's arguments, without the line tables, which only the device half has by default."""
        words = [f"-std={self.std}", f"-O{self.level}"]
        words += [f"-D{name}" for name in self.defines]
        words += [f"-I{os.path.abspath(folder)}" for folder in self.includes]
        if self.fast_math:
            words.append("-ffast-math")
        if self.emulator:
            words += ["-D__PORTER_EMULATOR__=1", "-include", "porter/device_printf.h"]
            if "-mprintf-kind=buffered" in self.flags:  # it returns no number of characters
                words.append("-DPORTER_PRINTF_BUFFERED=1")
        return (*words, *self.flags)


@dataclass(frozen=True, slots=True)
class Built:
    """A finished build: the file, the device assembly of each source, warnings, and every command behind it."""

    path: Path
    assembly: tuple[Path, ...]
    warnings: str
    commands: tuple[tuple[str, ...], ...]


def device_assembly(source: Path | str, options: Options = Options(), *, toolchain: Toolchain | None = None) -> Path:
    """The device half of one source as assembly text. The same source and options give the same path.

    `porter asm` and the emulator read it; `assemble` says whether inline assembly in it is any good.
    """
    tools = compilers(toolchain)
    return _device_assembly(_source(source), _placed(options, tools), tools, [])


def device_ir(source: Path | str, options: Options = Options(), *, toolchain: Toolchain | None = None) -> Path:
    """The device half of one source as LLVM's textual IR, unoptimised: every call is still a call.

    With debug information: what structures are made of, those too whose constructors run on the host alone."""
    tools = compilers(toolchain)
    plain = _placed(replace(options, level="0"), tools)
    command = (
        *tools.hip, *hip_device(plain.target), *plain.arguments(), "-g", "-Xclang", "-fno-use-ctor-homing", "-emit-llvm", "-S",
    )  # fmt: skip
    return _compile(command, _source(source), ".ll", plain, tools, [])


def cuda_ir(source: Path | str, arguments: Sequence[str], *, toolchain: Toolchain | None = None) -> Path:
    """The device half of a CUDA source as LLVM's textual IR, unoptimised, as clang compiles it with these arguments."""
    tools = compilers(toolchain)
    command = (*tools.assembler, f"--target={_HOST}", *arguments, "-O0", "-g", "-emit-llvm", "-S")
    return _compile(command, _source(source), ".ll", Options(), tools, [])


def device_bitcode(source: Path | str, options: Options = Options(), *, toolchain: Toolchain | None = None) -> Path:
    """The device half of one source as LLVM bitcode, whose functions other bitcode may call."""
    tools = compilers(toolchain)
    return _device_bitcode(_source(source), _placed(options, tools), tools)


def _device_bitcode(source: Path, options: Options, tools: Compilers) -> Path:
    command = (
        *tools.hip, *hip_device(options.target), *_device_arguments(options), _cuid(source, options), _RDC, "-emit-llvm", "-c",
    )  # fmt: skip
    return _compile(command, source, ".bc", options, tools, [])


def linked_bitcode(
    files: Sequence[Path],
    flags: Sequence[str] = (),
    *,
    target: str = DEFAULT_CHIP.target,
    toolchain: Toolchain | None = None,
) -> Path:
    """The assembly of bitcode files that may call each other's functions."""
    return _linked_bitcode(files, flags, target, compilers(toolchain))


def _linked_bitcode(files: Sequence[Path], flags: Sequence[str], target: str, tools: Compilers) -> Path:
    others = [word for file in files[1:] for word in ("-Xclang", "-mlink-bitcode-file", "-Xclang", str(file))]
    command = (*tools.assembler, *amdgcn(target), "-nogpulib", "-O3", *flags, "-x", "ir")

    def make(out: Path) -> str:
        return run((*command, "-S", str(files[0]), *others, "-o", str(out)), "the link")

    return keep(digest("linked", tools.identity, *command, *map(file_digest, files)), ".s", make)


def host_object(
    source: Path | str, options: Options = Options(), *, language: str = "hip", toolchain: Toolchain | None = None
) -> Path:
    """The host half of one source as an object file; `language` "c++" or "c": of a source that has no other half."""
    tools = compilers(toolchain)
    if language == "hip":
        return _host_object(_source(source), _placed(options, tools), tools, [])
    placed = _placed(options, tools)
    if language == "c":
        placed = replace(placed, std=placed.std if "++" not in placed.std else "gnu17")
    command = (*tools.host[language], *placed.arguments(), "-fPIC", "-c")
    return _compile(command, _source(source), ".o", placed, tools, [])


def assemble(assembly: Path | str, *, target: str = DEFAULT_CHIP.target, toolchain: Toolchain | None = None) -> Path:
    """The object file of an assembly file. A line that the chip has no encoding for is a CompileError,
    which names the line of the source where the assembly has line tables."""
    return _assemble(Path(assembly), target, compilers(toolchain), [])


def code_object(assembly: Path | str, *, target: str = DEFAULT_CHIP.target, toolchain: Toolchain | None = None) -> Path:
    """The code object that HIP's module loader takes, from an assembly file."""
    return _code_object(Path(assembly), target, compilers(toolchain), [])


def shared_library(
    sources: Sequence[Path | str],
    out: Path | str | None = None,
    options: Options = Options(),
    *,
    image: Image | None = None,
    image_key: str = "",
    library: Path | str | None = None,
    toolchain: Toolchain | None = None,
) -> Built:
    """Host and device code of all sources as one .so, at `out` or, without it, in the cache.

    image      makes the device part of the fat binary from the device assembly; a code object without it
    image_key  names the version of `image`: with it the images are kept in the cache as well
    library    the libamdhip64 to link with and find at run time; ROCm's own without it

    Sources that end in .c are C, .o, .a and .so go to the linker, all others are HIP.
    """
    return _build(sources, out, options, image, image_key, library, compilers(toolchain), shared=True)


def executable(
    sources: Sequence[Path | str],
    out: Path | str | None = None,
    options: Options = Options(),
    *,
    image: Image | None = None,
    image_key: str = "",
    library: Path | str | None = None,
    toolchain: Toolchain | None = None,
) -> Built:
    """As `shared_library`, for a program with a main function."""
    return _build(sources, out, options, image, image_key, library, compilers(toolchain), shared=False)


def bundle(payload: bytes, target: str = DEFAULT_CHIP.target) -> bytes:
    """One device binary in the container that __hipRegisterFatBinary reads."""
    align = 4096
    entries = {_HOST_ENTRY: 0, f"hipv4-amdgcn-amd-amdhsa--{target}": len(payload)}
    head = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(entries))
    for name, size in entries.items():
        head += struct.pack("<QQQ", align, size, len(name)) + name.encode()
    return head.ljust(align, b"\0") + payload


# The steps, each a cached file. `log` collects the commands, in the order in which they would be typed.

_Log = list[tuple[str, ...]]


def _device_assembly(source: Path, options: Options, tools: Compilers, log: _Log) -> Path:
    arguments = _device_arguments(options)
    command = (*tools.hip, *hip_device(options.target), *arguments, _cuid(source, options), "-S")
    made = _compile(command, source, ".s", options, tools, log)
    return _with_waits(made) if options.fix_waits else made


def _device_arguments(options: Options) -> tuple[str, ...]:
    arguments = options.arguments()
    if options.line_tables:
        # Without a folder in common with the sources clang writes their whole paths, behind .loc as well.
        arguments += ("-gline-tables-only", "-fdebug-compilation-dir=/")
    if options.emulator:
        arguments += ("-fno-builtin-printf",)  # else a printf that has no arguments is lowered by clang itself
    return arguments


def _with_waits(assembly: Path) -> Path:
    """The same file where no wait is lost."""
    text = assembly.read_text()
    if not lost_waits(text):
        return assembly

    def make(out: Path) -> str:
        out.write_text(with_waits(text))
        return log_of(assembly)

    return keep(digest("kept waits", file_digest(assembly), file_digest(Path(barrier_waits.__file__))), ".s", make)


def _host_object(source: Path, options: Options, tools: Compilers, log: _Log) -> Path:
    if source.suffix == ".c":
        plain = replace(options, emulator=False, std=options.std if "++" not in options.std else "gnu17")
        return _compile((*tools.host["c"], *plain.arguments(), "-fPIC", "-c"), source, ".o", options, tools, log)
    command = (*tools.hip, "--cuda-host-only", *options.arguments(), _cuid(source, options), "-fPIC", "-c")
    return _compile(command, source, ".o", options, tools, log)


def _compile(
    command: tuple[str, ...], source: Path, suffix: str, options: Options, tools: Compilers, log: _Log
) -> Path:
    log.append((*command, str(source), "-o", f"{source.stem}{suffix}"))

    def make(out: Path, dependencies: Path) -> str:
        rule = ("-dependency-file", str(dependencies), "-MT", "out", "-sys-header-deps")
        words = [word for part in rule for word in ("-Xclang", part)]
        hip = tools.kind == "pip" and command[: len(tools.hip)] == tools.hip
        quick = header_flags(command, source, options.defines, options.flags, tools.identity) if hip else ()
        if quick:
            with contextlib.suppress(CompileError):  # a mistake of the source is told without them
                return run((*command, *quick, *words, str(source), "-o", str(out)), source.name)
        return run((*command, *words, str(source), "-o", str(out)), source.name)

    where = os.getcwd() if options.flags else ""
    key = digest(suffix, tools.identity, where, environment(), str(source), file_digest(source), *command)
    return keep_compiled(key, suffix, make)


def _assemble(assembly: Path, target: str, tools: Compilers, log: _Log) -> Path:
    command = (*tools.assembler, *amdgcn(target), "-c")
    log.append((*command, str(assembly), "-o", f"{assembly.stem}.o"))

    def make(out: Path) -> str:
        try:
            return run((*command, str(assembly), "-o", str(out)), assembly.name)
        except CompileError as error:
            raise _with_source_line(error, assembly) from None

    return keep(digest(tools.identity, file_digest(assembly), *command), ".o", make)


def _code_object(assembly: Path, target: str, tools: Compilers, log: _Log) -> Path:
    part = _assemble(assembly, target, tools, log)
    command = (*tools.lld, "-shared")
    log.append((*command, str(part), "-o", f"{assembly.stem}.co"))

    def make(out: Path) -> str:
        try:
            return run((*command, str(part), "-o", str(out)), assembly.name)
        except CompileError as error:
            raise _with_reference(error) from None

    return keep(digest(tools.identity, file_digest(part), *command), ".co", make)


def _fat_binary(
    payload: bytes, target: str, symbols: Sequence[str], tools: Compilers, log: _Log, handles: Sequence[str] = ()
) -> Path:
    """The object that defines the symbols which the host halves left open. `handles`: where those of -fgpu-rdc keep what the
    runtime gave for it, one place for all, so that it is loaded once."""
    command = (*tools.host_assembler, "-c")
    log.append((*command, f"{symbols[0]}.s", "-o", f"{symbols[0]}.o"))
    named = "".join(f".globl {symbol}\n.hidden {symbol}\n{symbol}:\n" for symbol in symbols)
    kept = "".join(f".globl {handle}\n.hidden {handle}\n{handle}:\n" for handle in handles)
    place = f'.section .hip_gpubin_handle,"aw",@progbits\n.p2align 3\n{kept}.zero 8\n' if handles else ""

    def make(out: Path) -> str:
        data, text = out.with_name("bundle"), out.with_name("bundle.s")
        data.write_bytes(bundle(payload, target))
        text.write_text(
            f'.section .hip_fatbin,"a",@progbits\n.p2align 12\n{named}.incbin "bundle"\n'
            f'{place}.section .note.GNU-stack,"",@progbits\n'
        )
        return run((*command, text.name, "-o", str(out)), "the fat binary", cwd=out.parent)

    return keep(digest(tools.identity, payload, target, *symbols, *handles, *command), ".o", make)


_Unit = tuple[list[Path], Path | None, str, _Log]  # objects for the linker, device assembly, warnings, commands


def _together(
    sources: Sequence[Path], given: Sequence[DeviceObject], options: Options, image: Image | None, image_key: str,
    tools: Compilers,
) -> _Unit:  # fmt: skip
    """All sources of a program whose device code is linked (-fgpu-rdc), and the objects with such code that were given to it:
    one program for the device."""
    logs: list[_Log] = [[] for _ in sources]
    hosts = in_parallel(
        [functools.partial(_host_object, source, options, tools, log) for source, log in zip(sources, logs)]
    )
    log = [command for part in logs for command in part]
    warnings = "".join(log_of(host) for host in hosts)
    objects = [*(host.read_bytes() for host in hosts), *(one.host for one in given)]
    symbols = [handle[1].decode() for data in objects if (handle := _FATBIN.search(data))]
    if not symbols:
        return hosts, None, warnings, log
    handles = [handle[1].decode() for data in objects if (handle := _HANDLE.search(data))]
    hip = [source for source in sources if source.suffix != ".c"]
    pieces = in_parallel([functools.partial(_device_bitcode, source, options, tools) for source in hip])
    pieces += [_kept_bitcode(one) for one in given]
    assembly = _linked_bitcode(pieces, (f"-O{options.level}",), options.target, tools)
    assembly = _with_waits(assembly) if options.fix_waits else assembly
    code = _code_object(assembly, options.target, tools, log)  # what does not link is told here
    payload = code.read_bytes() if image is None else _image(assembly, image, image_key)
    return [*hosts, _fat_binary(payload, options.target, symbols, tools, log, handles)], assembly, warnings, log


def _kept_bitcode(one: DeviceObject) -> Path:
    def make(out: Path) -> str:
        out.write_bytes(one.bitcode)
        return ""

    return keep(digest("bitcode", one.bitcode), ".bc", make)


def _unit(source: Path, options: Options, image: Image | None, image_key: str, tools: Compilers) -> _Unit:
    """One source's objects for the linker, its device assembly, warnings and commands."""
    logs: tuple[_Log, _Log] = ([], [])
    if source.suffix == ".c":
        host = _host_object(source, options, tools, logs[0])
        return [host], None, log_of(host), logs[0]

    def device() -> tuple[Path, bytes]:
        assembly = _device_assembly(source, options, tools, logs[0])
        if image is None:
            return assembly, _code_object(assembly, options.target, tools, logs[0]).read_bytes()
        made, _ = in_parallel(
            [
                lambda: _image(assembly, image, image_key),
                lambda: _code_object(
                    assembly, options.target, tools, logs[0]
                ).read_bytes(),  # what does not link is told here
            ]
        )
        return assembly, made

    results: list[tuple[Path, bytes]] = in_parallel(
        [device, lambda: (_host_object(source, options, tools, logs[1]), b"")]
    )
    (assembly, payload), (host, _) = results
    objects = [host]
    symbol = _FATBIN.search(host.read_bytes())
    if symbol:
        objects.append(_fat_binary(payload, options.target, [symbol[1].decode()], tools, logs[1]))
    return objects, assembly, log_of(host), logs[0] + logs[1]


def _image(assembly: Path, image: Image, image_key: str) -> bytes:
    if not image_key:
        return image(assembly)

    def make(out: Path) -> str:
        out.write_bytes(image(assembly))
        return ""

    return keep(digest("image", image_key, str(assembly), file_digest(assembly)), ".image", make).read_bytes()


def _build(
    sources: Sequence[Path | str],
    out: Path | str | None,
    options: Options,
    image: Image | None,
    image_key: str,
    library: Path | str | None,
    tools: Compilers,
    shared: bool,
) -> Built:
    if not sources:
        raise InputError("no source to build")
    paths = [_source(source) for source in sources]
    options = _placed(options, tools)
    if image is not None:
        options = replace(options, emulator=True)
    runtime = tools.runtime_library(Path(library) if library else None)
    compiled = [path for path in paths if path.suffix not in LINKED]
    if _RDC in options.flags:
        given = [one for path in paths if path.suffix in (".o", ".a") for one in device_objects(path, options.target)]
        units = [_together(compiled, given, options, image, image_key, tools)] if compiled or given else []
    else:
        units = in_parallel([functools.partial(_unit, path, options, image, image_key, tools) for path in compiled])
    objects = [str(part) for parts, _, _, _ in units for part in parts]
    objects += [str(path) for path in paths if path.suffix in LINKED]
    log = [command for _, _, _, commands in units for command in commands]
    name = Path(out).name if out else "a.so" if shared else "a.out"
    command = (*tools.linking(options.flags), *(("-shared",) if shared else ()), *objects, *runtime, *options.link)
    log.append((*command, "-o", str(out or name)))
    linked = keep(
        digest(tools.identity, *command, *(file_digest(Path(part)) for part in objects), *map(_file_stamp, runtime)),
        ".so" if shared else ".exe",
        lambda target: run((*command, "-o", str(target)), name, env=zig_environment()),
    )
    assembly = tuple(path for _, path, _, _ in units if path)
    warnings = "".join(text for _, _, text, _ in units)
    return Built(_copy(linked, Path(out)) if out else linked, assembly, warnings, tuple(log))


def _file_stamp(argument: str) -> str:
    return stamp(argument) if os.path.isabs(argument) else ""


def _copy(made: Path, out: Path) -> Path:
    """Beside, then renamed: a process may be running the old one."""
    draft = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        shutil.copy(made, draft)
        os.replace(draft, out)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise OutputError(f"{out} cannot be written: {error.strerror}") from error
    return out


def _placed(options: Options, tools: Compilers) -> Options:
    return replace(options, includes=tuple(tools.include(folder) for folder in options.includes))


def _source(source: Path | str) -> Path:
    path = Path(os.path.abspath(source))
    if not path.is_file():
        raise InputError(f"{source} does not exist" if not path.exists() else f"{source} is not a file")
    return path


def _cuid(source: Path, options: Options) -> str:
    """The same id for both halves: names of static variables that the host copies to depend on it."""
    return f"-cuid={digest(str(source), *options.arguments())[:16]}"


_PLACE = re.compile(r"\.s:(\d+):\d+: error: (.*)")
_LOC = re.compile(r"\s*\.loc\s+(\d+) (\d+)")
_FILE = re.compile(r'\s*\.file\s+(\d+) (?:"([^"]*)" )?"([^"]*)"')


_UNDEFINED = re.compile(
    r"error: (undefined (?:\w+ )?symbol: .*)\n>>> referenced by .*?(?:\((.*:\d+)\))?$", re.MULTILINE
)


def _with_reference(error: CompileError) -> CompileError:
    """The linker's first complaint, with the place that needs the symbol."""
    hit = _UNDEFINED.search(error.text)
    if hit is None:
        return error
    place = f"{hit[2]}: " if hit[2] else ""
    return CompileError(f"{place}error: device code does not link: {hit[1]}", error.text, error.command)


def _with_source_line(error: CompileError, assembly: Path) -> CompileError:
    """The assembler's first complaint, with the line of the source that the assembly's line tables give it."""
    hit = _PLACE.search(error.text)
    if hit is None:
        return error
    files: dict[str, str] = {}
    place = ""
    for number, line in enumerate(assembly.read_text(errors="replace").splitlines(), 1):
        if number > int(hit[1]):
            break
        if loc := _LOC.match(line):
            place = f"{files.get(loc[1], '?')}:{loc[2]}: "
        elif file := _FILE.match(line):
            files[file[1]] = os.path.join(file[2] or "", file[3])
    return CompileError(f"{place}error: {hit[2]}", f"{place}error: {hit[2]}\n{error.text}", error.command)
