"""Kernels that are launched as their set describes: compiled, run in the emulator, predicted beside what was measured."""

from __future__ import annotations

import re
import struct
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from porter.chip import EMULATED
from porter.emu.assembly import Kernel, Program, parse
from porter.emu.elf.given import given_code
from porter.errors import PorterError, UsageError
from porter.harness.building.build import python_headers
from porter.perf.model.predict import predict
from porter.perf.model.timeline import predicted_timeline
from porter.perf.timeline.steps import main_loop
from porter.toolchain import Options, device_assembly
from porter.toolchain.demangle import demangle, short_name
from porter.validation.assembly_launch import AssembledLaunch, record
from porter.validation.counters import counter_figures
from porter.validation.description import Case, Described
from porter.validation.goals import Figure
from porter.validation.triton_assembly import triton_assembly

__all__ = ["assembled_launch", "launch_figures"]

_MOST_WORDS = 32 << 20  # as porter run has it
_FIELDS = {"i32": ("<i", 4), "i64": ("<q", 8), "buffer": ("<Q", 8)}
_PAD = "pad"
_COMPILE = {"std", "defines", "includes", "flags", "python"}


def launch_figures(described: Described, case: Case, root: Path, triton: Path | None = None) -> Iterator[Figure]:
    """What was measured of a launch, each beside its prediction: times and speeds as they were timed."""
    assembled, dies = assembled_launch(case, root, triton), EMULATED.dies_of(described.board)
    if case.counters:
        yield from counter_figures(case, root / case.counters, assembled, dies)
    if not case.measured:
        return
    launch = record(assembled, dies, _MOST_WORDS)
    inputs = case.inputs_of(described)
    if case.published("tflops") or case.published("us"):
        prediction = predict(launch, board=described.board, inputs=inputs)
        if case.timed not in ("events", "kernel"):
            raise UsageError(f"{case.name}: timed by {case.timed}: neither events nor kernel")
        low, likely, high = prediction.between_events if case.timed == "events" else prediction.microseconds
        if measured := case.published("us"):
            yield Figure(case.name, "us", measured, likely, low, high)
        if measured := case.published("tflops"):
            slow, middle, fast = (case.number(case.flop) / us / 1e6 for us in (high, likely, low))
            yield Figure(case.name, "TFLOP/s", measured, middle, slow, fast)
    if measured := case.published("step"):
        steps = main_loop(predicted_timeline(launch, described.board, inputs=inputs))
        if steps is None:
            raise PorterError(f"{case.name}: its kernel has no loop")
        yield Figure(case.name, "cycles a step", measured, float(steps.cycles.mean()))


def assembled_launch(case: Case, root: Path, triton: Path | None = None) -> AssembledLaunch:
    """The launch that a case describes."""
    program = given_code(root / case.object).program if case.object else parse(_assembly(case, root, triton))
    entry = _entry(case, program)
    names = list(case.buffers or {})
    sizes = [case.number(size) for size in (case.buffers or {}).values()]
    wanted = sum(one.size for one in entry.arguments if not one.kind.startswith("hidden_"))

    def packed(addresses: Sequence[int]) -> bytes:
        at = dict(zip(names, addresses, strict=True))
        arguments = b"".join(_argument(case, words, at, done) for words, done in _with_offsets(case.arguments))
        if len(arguments) != wanted:
            raise UsageError(f"{case.name}: its arguments have {len(arguments)} bytes, those of the kernel {wanted}")
        return arguments

    grid = [case.number(size) for size in case.grid]
    return AssembledLaunch(program, entry, grid, case.number(case.block), case.number(case.lds), sizes, packed)


def _with_offsets(arguments: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Each argument with its offset: each begins at a multiple of its size."""
    done = 0
    for words in arguments:
        kind, _, value = words.partition(" ")
        size = int(value) if kind == _PAD else _FIELDS.get(kind, ("", 8))[1]
        done = done if kind == _PAD else -(-done // size) * size
        yield words, done
        done += size


def _argument(case: Case, words: str, at: Mapping[str, int], offset: int) -> bytes:
    kind, _, value = words.partition(" ")
    if kind == _PAD:
        return bytes(int(value))
    if kind not in _FIELDS or (kind == "buffer" and value not in at):
        raise UsageError(f'{case.name}: "{words}" is no argument')
    number = at[value] if kind == "buffer" else case.number(value)
    return struct.pack(_FIELDS[kind][0], number)


def _entry(case: Case, program: Program) -> Kernel:
    """The one kernel of that name, or the only one."""
    kernels = {short_name(demangle(kernel.name)): kernel for kernel in program.kernels.values()}
    if case.kernel in kernels:
        return kernels[case.kernel]
    if not case.kernel and len(kernels) == 1:
        return next(iter(kernels.values()))
    raise PorterError(f"{case.name}: no kernel {case.kernel} among {', '.join(kernels) or 'none'}")


def _assembly(case: Case, root: Path, triton: Path | None) -> str:
    if case.source:
        return _compiled(case, root)
    if case.assembly:
        return (root / case.assembly).read_text("utf-8")
    if case.triton:
        return triton_assembly(root, case.triton, triton)
    raise UsageError(f"{case.name}: no source, assembly or module of Triton's is described")


def _compiled(case: Case, root: Path) -> str:
    how = dict(case.compile or {})
    if unknown := set(how) - _COMPILE:
        raise UsageError(f"{case.name}: unknown keys of compile: {', '.join(sorted(unknown))}")
    includes = [str(root / folder) if not folder.startswith("/") else folder for folder in how.get("includes", ())]
    if how.get("python"):
        includes += python_headers()
    options = Options(
        std=how.get("std", "gnu++17"), defines=tuple(how.get("defines", ())), includes=tuple(includes),
        flags=tuple(how.get("flags", ())),
    )  # fmt: skip
    source = root / case.source
    if not source.is_file():
        raise PorterError(f"{case.name}: {source} is not there")
    if not case.prelude:
        return device_assembly(source, options).read_text("utf-8")
    with tempfile.TemporaryDirectory(prefix="porter-validation-") as folder:
        wrapper = Path(folder) / f"{re.sub(r'[^A-Za-z0-9]', '_', case.name)}.hip"
        wrapper.write_text(f'{case.prelude}\n#include "{source.resolve()}"\n')
        return device_assembly(wrapper, options).read_text("utf-8")
