"""Which kernels of a unit have their dynamic shared memory in device memory, and why others that would need it do not.

Kernels that may share a launch go together. Where only the running program knows how much they ask for, each launch
decides. All files of a unit get the same plan.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from porter.analysis.launch_requests import direct_requests, may_launch
from porter.analysis.static_shared import leading
from porter.budget.limits import limits
from porter.budget.whole_unit import as_file
from porter.frontend.scopes import Function, macros_for_kernels, scopes_with
from porter.frontend.source_file import SourceFile
from porter.frontend.unit import Unit
from porter.passes.hopper import shared_memory_budget
from porter.passes.hopper.run_time_sizes import run_time_sizes
from porter.passes.hopper.shared_arrays import SharedArray, UnreadUse, shared_arrays, users
from porter.paths import PACKAGE

__all__ = ["OF_OTHERS", "Plan", "plan_of"]

OF_OTHERS = "which has kernels, launches or limits, belongs to other units, too"  # said of a header

_ADDRESSES = re.compile(
    rb"\b(?:__)?asm\b|__cvta_|\bcuda/(?:barrier|pipeline|ptx)\b|\bmma\.h\b"
)  # what makes shared ones
_MOST_STATIC = 28 << 10  # bytes beside it: as much of LDS goes to the launch (porter/device_shared.h)


@dataclass(frozen=True, slots=True)
class Plan:
    moved: frozenset[str] = frozenset()  # kernels whose dynamic shared memory lies in device memory
    most: Mapping[str, int] = field(default_factory=dict)  # of those whose launches decide: the bytes that stay in LDS
    kept: Mapping[str, str] = field(default_factory=dict)  # others that it is too much for: why it stays in LDS
    limits_stay: bool = False  # the unit's limits of what a block has are Hopper's: it does not compile with others
    outside: frozenset[str] = frozenset()  # names of arrays that no function declares
    # Functions with arrays that these kernels lead to; whether kernels do that have theirs in LDS.
    called: Mapping[str, bool] = field(default_factory=dict)

    def may_stay(self, function: Function) -> bool:
        """Whether arrays that a moved kernel, or a function that it leads to, names may lie in LDS all the same."""
        return function.name in self.most if function.kernel else self.called[function.name]


@dataclass(slots=True)
class _Last:
    """The last unit's plan: the passes of each of its files ask for it."""

    key: tuple[object, ...] = ()
    plan: Plan = field(default_factory=Plan)


_last = _Last()


def plan_of(unit: Unit) -> Plan:
    """The same in all files of a unit."""
    if unit.ast is None or unit.options.oversize != "device-memory":
        return Plan()
    key = (unit.options, unit.facts, unit.alone, *((source.path, source.digest) for source in unit.members))
    if key != _last.key or not unit.members:
        _last.key, _last.plan = key, _Planning(unit).plan()
    return _last.plan


def _files(unit: Unit) -> list[Unit]:
    """The file, and the others of its unit."""
    macros = macros_for_kernels(source.tokens for source in unit.members if b"__global__" in source.data)
    files = [unit]
    for source in unit.members:
        if source.path != unit.path and _matters(source, macros):
            other = replace(as_file(unit, source), is_main=source.path == unit.members[0].path)
            files.append(replace(other, scopes=scopes_with(source.tokens, macros)))
    return files


def _matters(source: SourceFile, macros: Iterable[str]) -> bool:
    return may_launch(source) or any(word.encode() in source.data for word in ("__global__", "__shared__", *macros))


class _Planning:
    """One unit's kernels, their launches and their arrays."""

    def __init__(self, unit: Unit) -> None:
        self.unit, self.files = unit, _files(unit)
        self.stuck = [stuck for file in self.files for stuck in shared_memory_budget.left(file)]
        self.unknown = [size for file in self.files for size in run_time_sizes(file)]
        self.limited = any(stuck.limited for stuck in self.stuck)

    def plan(self) -> Plan:
        if not self.stuck and not self.unknown:
            return Plan()
        self.direct = [(file, request) for file in self.files for request in direct_requests(file)]
        self.defined = {
            f.name: file for file in self.files for f in file.scopes.functions if f.kernel and f.body[0] >= 0
        }
        self.arrays = [(file, array) for file in self.files for array in shared_arrays(file)]
        outside = frozenset(file.text(a.name) for file, a in self.arrays if a.function is None and a.name >= 0)
        self.uses = [(file, name, use) for name in outside for file in self.files for use in users(file, name)]
        self.called = {f.name: file for file, _, f in self.uses if isinstance(f, Function) and not f.kernel}
        self.called |= {a.function.name: file for file, a in self.arrays if a.function and not a.function.kernel}
        sources = [(file.path, file.file, file.scopes) for file in self.files]
        self.leading = leading(sources, set(self.called)) if self.called else {}
        moved: set[str] = set()
        most: dict[str, int] = {}
        kept: dict[str, str] = {}
        for kernels in self._groups():
            if why := self._why_kept(kernels):
                kept.update(dict.fromkeys(kernels, why))
            else:
                using = frozenset(kernel for kernel in kernels if self._has_array(kernel))
                moved |= using
                most.update(dict.fromkeys(using if self._decides(kernels) else (), self._most(kernels)))
        if any(not stuck.request.kernels for stuck in self.stuck):
            kept[""] = "no kernel of this unit is seen to be launched with it"
        always = moved - most.keys()
        called = {name: not of <= always for name, of in self.leading.items() if of & moved}
        return Plan(frozenset(moved), most, kept, self.limited and bool(moved), outside, called)

    def _groups(self) -> list[frozenset[str]]:
        """The kernels that are too large, each with those that may share its launches; or all that ask for shared memory,
        as with a limit that does not change any of them may ask for too much."""
        if self.limited:
            return [frozenset[str]().union(*(request.kernels for _, request in self.direct))]
        groups: list[frozenset[str]] = []
        for request in (*(stuck.request for stuck in self.stuck), *(size.request for size in self.unknown)):
            if request.kernels:
                group = self._with_launches_of(request.kernels)
                for other in [g for g in groups if g & group]:
                    groups.remove(other)
                    group |= other
                groups.append(group)
        return groups

    def _decides(self, kernels: frozenset[str]) -> bool:
        """Whether nothing that is known of their launches is too much."""
        return not self.limited and not any(stuck.request.kernels & kernels for stuck in self.stuck)

    def _most(self, kernels: frozenset[str]) -> int:
        return min((size.most for size in self.unknown if size.request.kernels & kernels), default=0)

    def _with_launches_of(self, kernels: frozenset[str]) -> frozenset[str]:
        shared = [request.kernels for _, request in self.direct]
        while fresh := frozenset[str]().union(*(own for own in shared if own & kernels)) - kernels:
            kernels |= fresh
        return kernels

    def _why_kept(self, kernels: frozenset[str]) -> str:
        """Why these kernels cannot be moved; empty if they can."""
        if missing := sorted(kernels - self.defined.keys()):
            return f"{missing[0]} is not defined in this unit"
        if _made_by_macros(self.files):
            return "a macro of this unit makes kernels, which would not begin as the others do"
        if self.unit.facts.cluster_shadows:
            return "blocks of a cluster reach each other's shared memory by pointers"
        if self._decides(kernels) and self.unit.options.kittens == "native":
            return "launches do not decide in units with kernels at wave width"
        known = [(s.request, s.static) for s in self.stuck] + [(s.request, s.static) for s in self.unknown]
        static = max((static for request, static in known if request.kernels & kernels), default=0)
        if static > _MOST_STATIC:
            return f"{static:,} bytes of static shared memory beside it leave no room for the launch"
        return self._shared_file(kernels) or self._unread_array(kernels)

    def _shared_file(self, kernels: frozenset[str]) -> str:
        """A header that would change for this unit, and that other units include."""
        main = self.unit.members[0].path if self.unit.members else self.unit.path
        files = [self.defined[kernel] for kernel in kernels]
        files += [file for file, request in self.direct if request.kernels & kernels]
        files += [file for name, file in self.called.items() if self.leading[name] & kernels]
        files += [file for file in self.files if self.limited and any(limits(file.file))]
        headers = [source for source in self.unit.members[1:] if PACKAGE not in source.path.parents]
        if any(source.has(_ADDRESSES) for source in headers):  # then kernels that stay in LDS say so first
            files += [file for name, file in self.defined.items() if self._is_named_again(name)]
        for file in files:
            if file.path != main and file.path not in self.unit.alone:
                return f"{file.path.name}, {OF_OTHERS}"
        return ""

    def _is_named_again(self, kernel: str) -> bool:
        """Whether something may launch a kernel of the project's."""
        named = sum(len(file.file.places(kernel)) for file in self.files)
        return named > 1 and PACKAGE not in self.defined[kernel].path.parents

    def _unread_array(self, kernels: frozenset[str]) -> str:
        arrays = [(file, array) for file, array in self.arrays if self._is_of(file, array, kernels)]
        if not arrays:
            return "its array is not found"
        for file, array in arrays:
            if array.name < 0:
                return f"the declaration in line {_line(file, array.index)} of {file.path.name} is none of one array"
        names = {file.text(array.name) for file, array in arrays if array.function is None}
        for file, name, use in self.uses:
            if name in names and isinstance(use, UnreadUse):
                return f"line {_line(file, use.index)} of {file.path.name} names its array, and is no plain use in a function"
        return ""

    def _has_array(self, kernel: str) -> bool:
        """Whether a kernel has dynamic shared memory: launches that may start it do not say that."""
        return any(self._is_of(file, array, frozenset((kernel,))) for file, array in self.arrays)

    def _is_of(self, file: Unit, array: SharedArray, kernels: frozenset[str]) -> bool:
        """Whether one of the kernels may use an array."""
        function = array.function
        if function is not None:
            return self._leads_to(function, kernels)
        uses = [use for _, name, use in self.uses if array.name >= 0 and name == file.text(array.name)]
        return array.name < 0 or any(isinstance(f, UnreadUse) or self._leads_to(f, kernels) for f in uses)

    def _leads_to(self, function: Function, kernels: frozenset[str]) -> bool:
        return function.name in kernels if function.kernel else bool(self.leading[function.name] & kernels)


def _line(unit: Unit, index: int) -> int:
    return unit.file.text.count("\n", 0, unit.tokens[index].start) + 1


def _made_by_macros(files: Sequence[Unit]) -> bool:
    """Whether a macro makes a kernel that is not seen as a function; `#define KERNEL __global__ static` only marks one."""
    macros = frozenset(macros_for_kernels(file.file for file in files))
    uses = ((file, index) for file in files for word in ("__global__", *macros) for index in file.file.places(word))
    return any(not _only_marks(file, index, macros) for file, index in uses)


def _only_marks(unit: Unit, index: int, macros: frozenset[str]) -> bool:
    """Whether a `__global__`, or a macro for it, marks a function that is read, defines such a macro, or is asked for."""
    token = unit.tokens[index]
    if token.directive < 0:
        kernels = (f for f in unit.scopes.functions if f.kernel)
        return token.text == "__global__" or any(f.first <= index < f.params[0] for f in kernels)
    directive = unit.file.directives[token.directive]
    if directive.name != "define":
        return directive.name != "undef" or token.text != "__global__"
    name, after = unit.tokens[directive.first], unit.tokens[directive.first + 1]
    return name.text in macros and not (after.text == "(" and after.start == name.end)
