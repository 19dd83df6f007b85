"""Where a kernel that was written anew is launched: grid, block and shared memory of its launches, as changes of text.

A part of a launch's configuration may be a parameter of the function that launches: it is changed where that is called then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from string import Formatter
from typing import NoReturn

from porter.native.emit.gemm import Emitted
from porter.native.emit.token_edits import Change
from porter.native.launches.launch_config import Configured, Range, configured
from porter.native.launches.sites import LAUNCHES, SETTING, Frame, Site, Sites, lambda_variable
from porter.native.machine.values import Refused
from porter.native.unit_files import Text, parameter_name

__all__ = ["Rewritten", "other_calls", "rewritten"]

_MAXIMUM = "cudaFuncAttributeMaxDynamicSharedMemorySize"
_CLUSTER_SIZE = "cudaFuncAttributeNonPortableClusterSizeAllowed"
_WHOLE = frozenset("int unsigned long short size_t int32_t uint32_t int64_t uint64_t uint".split())
_PASSED_ON = re.compile(r"std\s*::\s*(?:forward\s*<[^<>]*>|move)\s*\(\s*(\w+)\s*\)|(\w+)")
_EFFECTS = frozenset({"=", "++", "--", "+=", "-=", "*=", "/="})


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a configuration, or an argument: where it is written, and in which function that is given the kernel."""

    text: Text
    first: int
    last: int
    frame: Frame | None
    whole: bool = False  # a whole number on its way: a parameter that is no dim3


@dataclass(slots=True)
class Rewritten:
    changes: dict[Text, list[Change]] = field(default_factory=dict)
    launches: dict[Text, list[Range]] = field(default_factory=dict)  # <<<...>>>(
    by_calls: list[tuple[Frame, Range]] = field(default_factory=list)  # launches whose block is a parameter


def rewritten(sites: Sites, emitted: Emitted, texts: Sequence[Text], earlier: Set[Path]) -> Rewritten:
    """earlier: files that come before the kernel's own."""
    return _Rewriter(sites, emitted, texts, earlier).run()


class _Rewriter:
    def __init__(self, sites: Sites, emitted: Emitted, texts: Sequence[Text], earlier: Set[Path]) -> None:
        self.sites = sites
        self.emitted = emitted
        self.texts = texts
        self.earlier = earlier
        self.result = Rewritten()
        home = sites.home
        parts = home.file.arguments(sites.kernel.params[0])
        self.parameters = [parameter_name(home.file, *part) for part in parts]

    def run(self) -> Rewritten:
        if not self.sites.launches:
            raise Refused("it is launched nowhere in this file and what it includes")
        for site in self.sites.uses:
            if site.kind == SETTING:
                self._setting(site)
            else:
                self._launch(site)
        for text, changes in self.result.changes.items():
            self.result.changes[text] = list(dict.fromkeys(changes))
        return self.result

    def _refuse(self, text: Text, index: int, why: str) -> NoReturn:
        raise Refused(f"{text.where(index, self.sites.home.path)} {why}")

    def _change(self, part: _Part, new: str) -> None:
        self.result.changes.setdefault(part.text, []).append(Change(part.first, part.last - 1, new))

    def _setting(self, site: Site) -> None:
        text = site.text
        parts = text.file.arguments(site.index)
        about = text.file.source(*parts[1]) if len(parts) == 3 else ""
        if about.endswith(_MAXIMUM):
            part = self._lifted(_Part(text, *parts[2], site.frame), settings=True)
            self._alone(part)
            if part.frame is site.frame:  # the setting, too: nothing is left to say of its limit
                setting = _Part(text, parts[1][1] - 1, part.last, part.frame)
                self._change(setting, f"{_MAXIMUM.replace('cuda', 'hip')}, {self.emitted.shared}")
            else:
                self._change(part, self.emitted.shared)
        elif about.endswith(_CLUSTER_SIZE):
            first = site.index - 1
            while text.text(first - 1) == "::":
                first -= 1
            self._change(_Part(text, first, text.file.partner(site.index) + 1, None), "hipSuccess")

    def _launch(self, site: Site) -> None:
        launch = configured(site, self.sites.home.path)
        text, frame = site.text, site.frame
        for first, last in launch.gone:
            self.result.changes.setdefault(text, []).append(Change(first, last - 1, ""))
        if site.kind == "<<<":
            self.result.launches.setdefault(text, []).append(launch.launch)
        arguments = [_Part(text, *part, frame) for part in launch.arguments]
        for number, ranges in enumerate((launch.grid, launch.block, launch.shared)):
            if not ranges and number < 2:
                self._refuse(text, site.index, "launches it with a configuration that is not followed")
            for one in ranges:
                part = self._lifted(_Part(text, *one, frame), settings=number == 2)
                self._alone(part)
                if number == 0:
                    new = self._grid(part, arguments, site, launch)
                elif number == 1:
                    new = self._scope(part, site) + self.emitted.block
                    if part.frame is not frame and frame is not None:
                        self.result.by_calls.append((frame, one))
                else:
                    new = self.emitted.shared
                self._change(part, new)

    def _lifted(self, part: _Part, settings: bool = False) -> _Part:
        """The argument of the call that brings it, where it is a parameter and nothing else."""
        while part.frame is not None and part.last == part.first + 1:
            frame, name = part.frame, part.text.text(part.first)
            parameters = frame.text.file.arguments(frame.function.params[0])
            number = next((n for n, p in enumerate(parameters) if parameter_name(frame.text.file, *p) == name), -1)
            if number < 0 or part.text is not frame.text:
                break
            self._used_for_launches(frame, name, settings)
            words = {frame.text.text(k) for k in range(*parameters[number])}
            given = frame.caller.file.arguments(frame.call)
            if number >= len(given) or words & {"...", "*"} or not words & (_WHOLE | {"dim3", "auto"}):
                self._refuse(frame.caller, frame.call, f"leaves it open what {name} is")
            part = _Part(frame.caller, *given[number], frame.outer, part.whole or bool(words & _WHOLE))
        return part

    def _used_for_launches(self, frame: Frame, name: str, settings: bool) -> None:
        """A parameter that changes its meaning may be used for nothing else."""
        text = frame.text
        for index in text.mentions(name, *frame.function.body):
            opening = text.block(index)[0]
            around = text.text(text.before_template(opening - 1))
            if around in (*LAUNCHES, SETTING) or (settings and around == "if") or _configures(text, index):
                continue
            if any((text, opening) in calls for calls in self.sites.calls.values()):
                continue  # it is given on
            self._refuse(text, index, f"uses {name} for something else than a launch")

    def _alone(self, part: _Part) -> None:
        """A change in a function that is given the kernel is for all kernels that it is given."""
        frame = part.frame
        while frame is not None:
            for text, index in other_calls(
                frame, self.texts, self.sites.calls.get((frame.text, frame.function), set())
            ):
                name = text.text(index)
                self._refuse(text, index, f"names {name}, whose launch would change, for another kernel")
            frame = frame.outer

    def _grid(self, part: _Part, arguments: Sequence[_Part], site: Site, launch: Configured) -> str:
        given = {}
        for _, name, _, _ in Formatter().parse(self.emitted.grid):
            if name and name != "0":
                given[name] = self._argument(self.parameters.index(name), arguments, site, part.frame)
                self._unchanged(part, given[name], site, launch)
        text = self._scope(part, site) + self.emitted.grid.format(
            part.text.file.source(part.first, part.last),
            **{name: one.text.file.source(one.first, one.last) for name, one in given.items()},
        )
        if part.whole and "dim3(1, " in self.emitted.grid:  # the new grid's y counts what its x did
            self._refuse(part.text, part.first, "gives a grid of one number, and the new one has several")
        return f"{text}.x" if part.whole else text

    def _argument(self, number: int, arguments: Sequence[_Part], site: Site, frame: Frame | None) -> _Part:
        """What the kernel is given for a parameter, as the function says it that says the grid."""
        part, at = _nth(arguments, number)
        while part is not None and part.frame is not frame and part.frame is not None:
            inner = part.frame
            is_pack = _is_pack(part)
            name = _PASSED_ON.fullmatch(part.text.file.source(part.first, part.last - is_pack).strip())
            if name is None:
                part = None
                break
            called = name[1] or name[2]
            parameters = inner.text.file.arguments(inner.function.params[0])
            index = next((n for n, p in enumerate(parameters) if parameter_name(inner.text.file, *p) == called), -1)
            if index < 0 or _changes(inner, called):
                part = None
                break
            given = [_Part(inner.caller, *one, inner.outer) for one in inner.caller.file.arguments(inner.call)]
            part, at = _nth(given, index + at)
        if part is None or _is_pack(part) or _EFFECTS & {part.text.text(k) for k in range(part.first, part.last)}:
            what = self.parameters[number]
            self._refuse(site.text, site.index, f"launches it with an argument for {what} that is not followed")
        return part

    def _unchanged(self, part: _Part, given: _Part, site: Site, launch: Configured) -> None:
        """Where the grid is said before the launch, its arguments must be there and stay what they are."""
        if part.frame is not site.frame or part.text is not site.text or part.last >= launch.launch[0]:
            return
        text, last = part.text, launch.launch[0]
        allowed = (*launch.known, *launch.gone, *launch.block, *launch.shared, *launch.grid, *launch.arguments)
        opening, closing = text.block(last)
        while opening > part.last:  # a loop around the launch may change them for its next turn
            last = closing
            opening, closing = text.block(opening)
        for name in {text.text(k) for k in range(given.first, given.last) if text.is_name(k)}:
            for index in text.mentions(name, part.last, last):
                if not any(begin <= index < end for begin, end in allowed):
                    self._refuse(text, index, f"names {name} between a launch's grid and the launch")

    def _scope(self, part: _Part, site: Site) -> str:
        """The namespaces before a name: what is written beside the kernel has them too."""
        text, index = site.mention
        home = self.sites.home
        if (part.text is home and part.first < self.sites.kernel.first) or part.text.path in self.earlier:
            self._refuse(part.text, part.first, "launches it before its definition")
        if part.text is text and text.outermost(index) is text.outermost(part.first):
            first = index
            while text.text(first - 1) == "::":
                first -= 2 if text.is_name(first - 2) else 1
            return text.file.source(first, index)
        there = part.text.namespaces(part.first)
        own = home.namespaces(self.sites.kernel.first)
        return "" if there[: len(own)] == own else "".join(f"{name}::" for name in own)


def other_calls(frame: Frame, texts: Sequence[Text], given: Set[tuple[Text, int]]) -> Iterator[tuple[Text, int]]:
    """Where else the function is named than in these calls."""
    variable = -1 if frame.function.name else lambda_variable(frame.text, frame.function)
    name = frame.function.name or frame.text.text(variable)
    for text in texts if variable < 0 else [frame.text]:
        around = text.outermost(variable) if variable >= 0 else None
        declared = {f.name_index for f in text.scopes.functions if f.name == name} | (
            {variable} if variable >= 0 else set()
        )
        for index in text.mentions(name, *(around.body if around is not None else (0, -1))):
            if index not in declared and (text, text.after_template(index + 1)) not in given:
                yield text, index


def _nth(parts: Sequence[_Part], number: int) -> tuple[_Part | None, int]:
    """An argument, and which one of a pack it is."""
    if parts and _is_pack(parts[-1]) and number >= len(parts) - 1:
        return parts[-1], number - (len(parts) - 1)
    return (parts[number], 0) if number < len(parts) else (None, 0)


def _is_pack(part: _Part) -> bool:
    return part.text.text(part.last - 1) == "..."


def _changes(frame: Frame, name: str) -> bool:
    """May a function change its parameter?"""
    text = frame.text
    return any(
        text.text(k + 1) in _EFFECTS or text.text(k - 1) in ("++", "--")
        for k in text.mentions(name, *frame.function.body)
    )


def _configures(text: Text, index: int) -> bool:
    """Is this a part of a launch's configuration, as it is?"""
    before, after = text.text(index - 1), text.text(index + 1)
    if before == "=" and text.text(index - 3) == ".":
        return after in (";", ",")
    first = index
    while text.text(first) not in ("<<<", ">>>", ";", "{", "}", ""):
        first -= 1
    return text.text(first) == "<<<"
