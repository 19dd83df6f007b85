"""What a launch says of its configuration: between <<< and >>>, in a call of cudaLaunchKernel, or in a cudaLaunchConfig_t."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from porter.frontend.cpp.constants import Constants
from porter.frontend.lexer import launch_arguments
from porter.native.launches.sites import Site
from porter.native.machine.values import Refused

__all__ = ["Configured", "Range", "configured"]

Range = tuple[int, int]  # tokens, the last one exclusive
_FIELDS = ("gridDim", "blockDim", "dynamicSmemBytes", "stream", "attrs", "numAttrs")
_CLUSTER = "cudaLaunchAttributeClusterDimension"
# What means nothing to a kernel without clusters that begins when those before it have ended.
_NEEDLESS = frozenset(
    (
        _CLUSTER,
        "cudaLaunchAttributeClusterSchedulingPolicyPreference",
        "cudaLaunchAttributeProgrammaticStreamSerialization",
    )
)
_ATTRIBUTES = "gives a launch attributes that are not followed"
ONE = (1, 1, 1)


@dataclass(slots=True)
class Configured:
    arguments: list[Range]
    grid: list[Range]
    block: list[Range]
    shared: list[Range]
    launch: Range  # the whole of it: between what is around it and its arguments, or a call
    gone: list[Range] = field(default_factory=list)  # statements that only clusters are for
    known: list[Range] = field(default_factory=list)  # where the arguments are named beside the launch
    clusters: list[tuple[int, int, int]] = field(default_factory=lambda: [ONE])  # sizes that may be


def configured(site: Site, seen_from: Path) -> Configured:
    """Refused where it is not understood."""
    if site.kind == "<<<":
        return _chevrons(site)
    parts = site.text.file.arguments(site.index)
    span = (site.index - 1, site.text.file.partner(site.index) + 1)
    if site.kind == "cudaLaunchKernel":
        if len(parts) < 4:
            _refuse(site, seen_from, "launches it with a configuration that is not followed")
        known, arguments = _pointers(site, parts[3], seen_from)
        return Configured(arguments, [parts[1]], [parts[2]], parts[4:5], span, known=[known])
    if site.kind == "cudaLaunchKernelExC":
        known, arguments = _pointers(site, parts[2], seen_from)
        result = Configured(arguments, [], [], [], span, known=[known])
    else:
        result = Configured(parts[2:], [], [], [], span)
    _Variable(site, parts[0], seen_from).read(result)
    return result


def _refuse(site: Site, seen_from: Path, why: str, index: int = -1) -> None:
    raise Refused(f"{site.text.where(index if index >= 0 else site.index, seen_from)} {why}")


def _chevrons(site: Site) -> Configured:
    file = site.text.file
    parts = launch_arguments(file, site.index)
    closing = next((k for k in range(site.index, len(file.tokens)) if file.tokens[k].text == ">>>"), -1)
    if len(parts) < 2 or closing < 0 or site.text.text(closing + 1) != "(":
        return Configured([], [], [], [], (site.index, site.index + 1))
    span = (site.index, closing + 2)
    return Configured(file.arguments(closing + 1), [parts[0]], [parts[1]], parts[2:3], span)


def _pointers(site: Site, part: Range, seen_from: Path) -> tuple[Range, list[Range]]:
    """void* args[] = {&a, &b}: where that is said, and what it points at."""
    text = site.text
    function = text.outermost(site.index)
    name = text.text(part[0])
    if part[1] == part[0] + 1 and function is not None:
        places = list(text.mentions(name, *function.body))
        opening = next((k for k in range(places[0] + 1, places[0] + 7) if text.text(k) == "{"), -1) if places else -1
        if len(places) == 2 and opening > 0 and text.text(places[0] + 1) == "[" and places[0] < site.index:
            pointers = []
            for first, last in text.file.arguments(opening):
                while first < last and text.text(first) == "(" and text.text(text.file.partner(first) - 1) == "*":
                    first = text.file.partner(first) + 1  # (void*)
                if text.text(first) != "&" or last != first + 2:
                    break
                pointers.append((first + 1, last))
            else:
                return (opening, text.file.partner(opening) + 1), pointers
    _refuse(site, seen_from, "launches it with arguments that are not followed")
    raise AssertionError


class _Variable:
    """A launch's cudaLaunchConfig_t, which is filled in the function that launches."""

    def __init__(self, site: Site, part: Range, seen_from: Path) -> None:
        self.site, self.text, self.seen_from = site, site.text, seen_from
        self.function = self.text.outermost(site.index)
        self.constants = Constants(self.text.file)
        first = part[0] + (self.text.text(part[0]) == "&")
        self.name = self.text.text(first) if part[1] == first + 1 and self.text.is_name(first) else ""

    def refuse(self, index: int, why: str) -> None:
        _refuse(self.site, self.seen_from, why, index)

    def read(self, into: Configured) -> None:
        places = list(self.text.mentions(self.name, *self.function.body)) if self.name and self.function else []
        if not places or "cudaLaunchConfig_t" not in (self.text.text(places[0] - 1), self.text.text(places[0] - 2)):
            self.refuse(self.site.index, "launches it with a configuration that is not filled there")
        fields: dict[str, list[Range]] = {name: [] for name in _FIELDS}
        self._declared(places[0], fields)
        statements: list[Range] = []  # that say attributes
        for index in places[1:]:
            if self.site.index < index < self.text.file.partner(self.site.index) and self.text.text(index - 1) == "&":
                continue
            member, after = self.text.text(index + 2), self.text.text(index + 3)
            if self.text.text(index + 1) != "." or member not in fields or after != "=":
                self.refuse(index, f"uses {self.name} in a way that is not followed")
            end = self._end(index + 4)
            fields[member].append((index + 4, end))
            if member in ("attrs", "numAttrs"):
                statements.append((index, end))
        into.grid, into.block, into.shared = (fields[name] for name in _FIELDS[:3])
        if fields["attrs"]:
            self._attributes(into, fields, statements)

    def _end(self, index: int) -> int:
        """Of an expression in a statement, or in one of several that commas separate."""
        while self.text.text(index) not in (";", ",", ""):
            index = self.text.file.partner(index) + 1 if self.text.text(index) in ("(", "{", "[") else index + 1
        return index

    def _declared(self, name: int, fields: dict[str, list[Range]]) -> None:
        opening = name + 1 + (self.text.text(name + 1) == "=")
        if self.text.text(opening) == ";":
            return
        if self.text.text(opening) != "{":
            self.refuse(name, f"begins {self.name} in a way that is not followed")
        parts = self.text.file.arguments(opening)
        if [self.text.file.source(*part) for part in parts] == ["0"]:
            return
        for number, (first, last) in enumerate(parts):
            member = _FIELDS[min(number, len(_FIELDS) - 1)]
            if self.text.text(first) == ".":
                member = self.text.text(first + 1)
                first += 3 if self.text.text(first + 2) == "=" else 2
            if member not in fields:
                self.refuse(name, f"begins {self.name} in a way that is not followed")
            fields[member].append((first, last))

    def _attributes(self, into: Configured, fields: dict[str, list[Range]], statements: list[Range]) -> None:
        """Attributes for clusters go, with the array that they are in."""
        text, function = self.text, self.function
        words = {text.text(k) for part in fields["attrs"] for k in range(*part)} - {"&", "nullptr"}
        if len(words) != 1 or function is None:
            self.refuse(fields["attrs"][0][0], _ATTRIBUTES)
        name = words.pop()
        kinds: list[str] = []
        sizes = [1, 1, 1]
        gone = list(statements)
        for number, index in enumerate(text.mentions(name, *function.body) if function else ()):
            if any(first <= index < last for part in (statements, fields["attrs"]) for first, last in part):
                continue
            if number == 0:
                self._declares_attributes(index)
            else:
                self._sets_attribute(index, kinds, sizes)
            gone.append(text.statement(index))
        if any(not kind.startswith("cudaLaunchAttribute") for kind in kinds):
            self.refuse(fields["attrs"][0][0], _ATTRIBUTES)
        if _CLUSTER not in kinds:
            return
        if not set(kinds) <= _NEEDLESS or any(text.text(last) != ";" for _, last in gone):
            self.refuse(fields["attrs"][0][0], "gives a launch other attributes beside its clusters")
        into.gone = [(first, last + 1) for first, last in gone]
        into.clusters = [(sizes[0], sizes[1], sizes[2])]
        if any(self.constants.value(*part) != len(kinds) for part in fields["numAttrs"]):
            into.clusters.append(ONE)  # not always

    def _declares_attributes(self, index: int) -> None:
        text = self.text
        first, last = text.statement(index)
        inside = [text.text(k) for k in range(first, last)]
        size = text.file.partner(index + 1) if text.text(index + 1) == "[" else index
        typed = inside[0] in ("cudaLaunchAttribute", "static", "const") and last - index <= 8
        if not typed or (last > size + 1 and inside[-2:] != ["{", "}"] and inside[-3:] != ["{", "0", "}"]):
            self.refuse(index, _ATTRIBUTES)

    def _sets_attribute(self, index: int, kinds: list[str], sizes: list[int]) -> None:
        """Adds the attribute's kind, or the size of the clusters that it says."""
        first, last = self.text.statement(index)
        inside = [self.text.text(k) for k in range(first, last)]
        if first != index:
            self.refuse(index, _ATTRIBUTES)
        elif inside[-3:-1] == ["id", "="]:
            kinds.append(inside[-1])
        elif "clusterDim" in inside:
            self._size(index, last, sizes)
        elif "val" not in inside or "=" not in inside:
            self.refuse(index, _ATTRIBUTES)

    def _size(self, index: int, last: int, sizes: list[int]) -> None:
        text = self.text
        equals = next((k for k in range(index, last) if text.text(k) == "="), last)
        axis = text.text(equals - 1)
        values: Sequence[Range] = [(equals + 1, last)]
        numbers = range("xyz".index(axis), 3) if axis in ("x", "y", "z") else range(3)
        if axis == "clusterDim":
            opening = next((k for k in range(equals, last) if text.text(k) in ("{", "(")), last)
            values = text.file.arguments(opening)
        for number, part in zip(numbers, values):
            value = self.constants.value(*part)
            if value is None or not 1 <= value <= 16:
                self.refuse(part[0], "gives clusters a size that is no constant")
            sizes[number] = value or 1
