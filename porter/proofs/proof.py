"""Do a kernel on 32-lane warps and its widened version on 64-lane waves do the same to memory?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from porter.cache_folder import cache_dir, write_atomically
from porter.errors import CompileError, PorterError
from porter.findings import encode
from porter.frontend.libclang import ParseOptions, device_arguments
from porter.frontend.scopes import Function
from porter.native.ir.module import Function as DeviceFunction
from porter.native.ir.module import Instruction, Module, Unread, parse
from porter.native.machine.collector import without_collector
from porter.native.machine.runtime_calls import named
from porter.native.machine.values import Refused as Stopped
from porter.proofs.algebra import Algebra
from porter.proofs.instructions import INSTRUCTIONS
from porter.proofs.launches import Launch
from porter.proofs.machine import Facts, Guarded
from porter.proofs.memory import shown_name
from porter.proofs.program import SHUFFLES, WARP, Program, Refused
from porter.toolchain import build
from porter.toolchain.store import digest

__all__ = ["Compiled", "compiled", "show_same"]

_TRIES = 12
_WORDS = {
    "store": "what is stored here would differ",
    "atomic": "what is added here would differ",
    "loop": "this loop would run more or less often",
    "left": "threads would leave this loop at other times",
    "call": "this call would see other values",
}


@dataclass(frozen=True)
class Compiled:
    """A version of the file: its text, and what clang makes of it for the device."""

    program: Program
    module: Module
    name: str  # of the file

    def token(self, one: Instruction) -> int:
        """Where an instruction comes from; -1 for another file."""
        name, line, column = self.module.spot(one)
        if Path(name).name != self.name:
            return -1
        return self.program.file.token_at(self.program.file.line_starts()[line - 1] + column - 1)

    def lanes(self, edited: Sequence[Function], instruction: Instruction) -> int:
        """The token of a shuffle, or of warpSize: only in edited functions are they the wave's."""
        token = self.token(instruction)
        name = named(str(instruction.detail))[1] if instruction.op == "call" else "warpSize"
        text = self.program.text(token) or name
        width = name == "warpSize" and text in SHUFFLES  # by default
        if token < 0 or (text != name and not width):
            raise Stopped(f"{text} is defined in another file or is a macro")
        if not any(function.body[0] < token < function.body[1] for function in edited):
            raise Stopped(f"{text} is in a function that is not called by its name")
        return token

    def instances(self, kernel: Function, launch: Launch) -> list[DeviceFunction]:
        """Of a kernel, as far as the launch may be theirs."""
        line = self.program.file.position(self.program.file.tokens[kernel.name_index].start)[0]
        wanted = dict(launch.integers)
        names = [parameter.name for parameter in self.program.template(kernel)]
        candidates = []
        for function in self.module.functions.values():
            title = self.module.title(function.name)
            if not function.kernel or title.partition("<")[0] != kernel.name:
                continue
            if f"line: {line}," not in self.module.metadata.get(function.debug, ""):
                continue
            given = (re.fullmatch(r"(?:\(.*\))?(\d+)\w*", one) for one in _arguments(title))
            values = {name: int(one[1]) for name, one in zip(names, given) if one}
            if all(wanted.get(name, value) == value for name, value in values.items()):
                candidates.append(function)
        return candidates


def _arguments(title: str) -> list[str]:
    """Of a template, from the name of an instance."""
    inner = title.partition("<")[2].rpartition(">")[0]
    return [part.strip() for part in re.split(r",(?![^<(]*[>)])", inner)]


def compiled(program: Program, path: Path, options: ParseOptions) -> Compiled:
    """The program's text as the file `path`. Raises Refused, at no token, where it does not compile."""
    text = encode(program.file.text)
    source = cache_dir() / "widened" / digest(str(path), text) / path.name
    try:
        source.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(source, text)
        ir = build.cuda_ir(source, ["-iquote", str(path.parent), *device_arguments(options)])
    except CompileError as error:
        raise Refused(-1, f"it does not compile ({error.problem.rpartition('error: ')[2]})") from None
    except PorterError:
        fix = "pip install 'porter[compiler]'"
        raise Refused(-1, f"there is no compiler to prove it with ({fix})") from None
    except OSError as error:
        raise Refused(-1, f"it cannot be compiled ({error.strerror})") from None
    return Compiled(program, parse(ir.read_text("utf-8", errors="replace")), path.name)


def show_same(
    before: Compiled, after: Compiled, kernel: Function, launch: Launch, wave: int
) -> Mapping[int, frozenset[str]]:
    """Shuffles of the original by token: the kinds of values that they move. Raises Refused, with a token of the original,
    where it on warps and the other version on waves of so many lanes differ."""
    names = [function.name for function in before.instances(kernel, launch)]
    if not names:
        raise Refused(kernel.name_index, "the file does not use it")
    exchanged: dict[int, frozenset[str]] = {}
    for name in names:
        with without_collector():
            shown = _of_instance(before, after, name, kernel, launch.threads, wave)
        for token, kinds in shown.items():
            exchanged[token] = exchanged.get(token, frozenset()) | kinds
    return exchanged


def _of_instance(
    before: Compiled, after: Compiled, name: str, kernel: Function, threads: int, lanes: int
) -> Mapping[int, frozenset[str]]:
    facts, algebra = Facts(), Algebra()
    for _ in range(_TRIES):
        narrow = _executed(before, name, WARP, threads, algebra, facts, kernel)
        revision = facts.revision
        try:
            wide = _executed(after, name, lanes, threads, algebra, facts, kernel)
        except Refused as refusal:
            refusal.after = True
            raise
        if facts.revision == revision and not _differ(before, kernel, narrow, wide, facts):
            _reach(kernel, narrow, wide)
            return {token: frozenset(kinds) for token, kinds in narrow.exchanged.items()}
    raise Refused(kernel.name_index, "what its loops change could not be settled")


def _executed(
    version: Compiled, name: str, wave: int, threads: int, algebra: Algebra, facts: Facts, kernel: Function
) -> Guarded:
    module = version.module
    machine = Guarded(
        INSTRUCTIONS,
        module,
        module.functions[name],
        wave,
        threads,
        algebra,
        facts,
        version.program.foreign,
        partial(version.lanes, version.program.callees(version.program.functions[kernel.name][0])),
    )
    try:
        machine.execute()
    except Stopped as why:
        tokens = (version.token(module.functions[one].instructions[number]) for one, number in why.at)
        raise Refused(next((token for token in tokens if token >= 0), kernel.name_index), str(why)) from None
    except Unread as why:
        raise Refused(kernel.name_index, f"clang makes of it what is not understood ({why})") from None
    return machine


def _reach(kernel: Function, narrow: Guarded, wide: Guarded) -> None:
    """Arrays whose length only the launch knows must not be used further than before."""
    for name, region in wide.memory.regions.items():
        old = narrow.memory.regions.get(name)
        if not region.size and region.top > (old.top if old is not None else 0):
            raise Refused(kernel.name_index, f"it would use more of {shown_name(name)} than before")


def _differ(before: Compiled, kernel: Function, narrow: Guarded, wide: Guarded, facts: Facts) -> bool:
    """False if everything is the same; True if a wrong assumption about a loop was found; raises otherwise."""
    corrected = False
    old, new = narrow.memory.effects, wide.memory.effects
    for (at, was), (_, became) in zip(old, new):
        if was == became:
            continue
        if was[0] in ("before", "after") and became[:3] == was[:3]:
            facts.set_kind(was[1], was[2], "junk")
            corrected = True
        elif corrected:
            return True  # may follow from the assumption
        else:
            raise Refused(_token(before, at, kernel), _WORDS.get(was[0], "the loop would change other variables"))
    if not corrected and len(old) != len(new):
        last = old[min(len(new), len(old) - 1)][0] if old else None
        raise Refused(_token(before, last, kernel), "it would write to memory more or less often")
    return corrected


def _token(version: Compiled, at: object, kernel: Function) -> int:
    token = version.token(at[1]) if isinstance(at, tuple) else -1
    return token if token >= 0 else kernel.name_index
