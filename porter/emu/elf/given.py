"""Device code that a user gives in place of what porter compiles: code objects, bundles of them, assembly text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.chip import EMULATED
from porter.emu.assembly import Kernel, Program, parse
from porter.emu.elf.compiler import Compiler, compiler_of
from porter.emu.elf.container import is_code_object, unbundled
from porter.emu.elf.heap_calls import serve_heap
from porter.emu.elf.program import program_of
from porter.emu.image import build_image, pack
from porter.errors import InputError, PorterError

__all__ = ["GivenCode", "check_used", "given_code", "image_with", "kernel_names"]

_KERNEL = re.compile(r"^\s*\.amdhsa_kernel\s+(\S+)", re.MULTILINE)
_GLOBAL = re.compile(r"^\s*\.(?:globl|weak)\s+(\S+)", re.MULTILINE)
_COMPILATION = "__hip_cuid_"  # names the compilation, and no variable of the program
_MOST = 8  # names that a message shows


@dataclass(frozen=True, slots=True)
class GivenCode:
    path: Path
    program: Program
    compiler: Compiler


def given_code(path: Path) -> GivenCode:
    """The device code in a file. InputError where it has none for the emulated chip."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", "check the path") from None
    try:
        if is_code_object(data):
            return GivenCode(path, program_of(data), compiler_of(unbundled(data)))
        if b".amdgcn_target" not in data:
            raise InputError(
                "neither a code object, a bundle of them, nor assembly for an AMD GPU",
                "hipcc --genco writes a code object; of --save-temps, take the .s of the device",
            )
        program = parse(data.decode("utf-8", "replace"))
        serve_heap(program)
    except PorterError as error:
        raise InputError(f"{path}: {error.problem}", error.fix) from error
    if program.target != EMULATED.target:
        raise InputError(f"{path}: it is for {program.target}; the emulator's GPU is {EMULATED.target}")
    return GivenCode(path, program, compiler_of(data))


def kernel_names(assembly: Path) -> tuple[str, ...]:
    """The symbols of the kernels in assembly that porter compiled."""
    return tuple(_KERNEL.findall(assembly.read_text()))


def image_with(assembly: Path, given: Sequence[GivenCode]) -> bytes:
    """The image for one source: of the given code that has its kernels, else of its own assembly."""
    text = assembly.read_text()
    own = parse(text)
    having = [code for code in given if own.kernels.keys() & code.program.kernels.keys()]
    if not having:
        return build_image(text)
    code, *others = having
    if others:
        raise InputError(
            f"{others[0].path} and {code.path} both have kernels of one source", "give one file with all of its kernels"
        )
    _compare(own, code, frozenset(_GLOBAL.findall(text)))
    try:
        return pack(code.program)
    except PorterError as error:
        raise InputError(f"{code.path}: {error.problem}", error.fix) from error


def check_used(given: Sequence[GivenCode], kernels: Iterable[str]) -> None:
    """Raises InputError for a file that has no kernel of the program."""
    own = sorted(kernels)
    for code in given:
        if not code.program.kernels.keys() & set(own):
            raise InputError(
                f"{code.path}: it has no kernel of this program, but {_listed(code.program.kernels)}",
                f"kernels are matched by symbol; the program's: {_listed(own)}",
            )


def _compare(own: Program, code: GivenCode, visible: frozenset[str]) -> None:
    """Raises InputError where the program's host code does not fit the given code."""
    program = code.program
    if missing := sorted(own.kernels.keys() - program.kernels.keys()):
        raise InputError(
            f"{code.path}: it lacks {_listed(missing)} of the same source; it has {_listed(program.kernels)}",
            "give the code of the whole source: kernels of one source share its variables",
        )
    for name, kernel in own.kernels.items():
        _compare_kernels(code, kernel, program.kernels[name])
    for name in sorted(visible & own.objects.keys()):
        if name.startswith(_COMPILATION):
            continue
        if name not in program.objects:
            raise InputError(f"{code.path}: it lacks the variable {name}", "compile it from the same source")
        if own.sizes.get(name) != program.sizes.get(name):
            raise InputError(
                f"{code.path}: its variable {name} has {program.sizes.get(name)} bytes, the program's "
                f"{own.sizes.get(name)}",
                "compile it from the same source",
            )


def _compare_kernels(code: GivenCode, own: Kernel, other: Kernel) -> None:
    passed, taken = _layout(own), _layout(other)
    if passed != taken:
        at = next((n for n, (a, b) in enumerate(zip(passed, taken)) if a != b), min(len(passed), len(taken)))
        raise InputError(
            f"{code.path}: kernel {own.name} takes other arguments than the program passes: argument {at + 1} is "
            f"{_argument(taken, at)}, the program's {_argument(passed, at)}",
            "compile both from the same source",
        )
    lds = code.program.evaluate(other.descriptor.get("group_segment_fixed_size", "0"))
    if lds > EMULATED.lds_bytes:
        raise InputError(f"{code.path}: kernel {own.name} needs {lds:,} bytes of LDS; there are {EMULATED.lds_bytes:,}")


_Layout = list[tuple[int, int, str]]  # offset, size and kind of each argument that a launch passes


def _layout(kernel: Kernel) -> _Layout:
    explicit = [argument for argument in kernel.arguments if not argument.kind.startswith("hidden")]
    return [(argument.offset, argument.size, argument.kind) for argument in explicit]


def _argument(layout: _Layout, at: int) -> str:
    if at >= len(layout):
        return "missing"
    offset, size, kind = layout[at]
    return f"{size} bytes at {offset} ({kind})"


def _listed(names: Iterable[str]) -> str:
    every = list(names)
    return ", ".join(every[:_MOST]) + (", ..." if len(every) > _MOST else "") or "none"
