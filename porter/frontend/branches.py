"""Which compilations of the CUDA program and of its port see which lines of a file."""

from __future__ import annotations

import bisect
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from porter.chip import CHIPS
from porter.frontend.compilations import COMPILATIONS, DEVICE, HIP_NAMES, PROJECTS_HIP, values_of
from porter.frontend.conditions import CONDITIONS, value
from porter.frontend.lexer import Directive, TokenFile
from porter.frontend.once import once_per_file

__all__ = ["Branches", "Lines", "branches_of"]

Seen = tuple[bool | None, ...]  # by each of COMPILATIONS: yes, no, or (None) nobody knows
_ALL: Seen = (None,) * len(COMPILATIONS)


@dataclass(frozen=True, slots=True)
class Lines:
    """What is known of the lines of one branch."""

    cuda: Seen = _ALL
    port: Seen = _ALL

    @property
    def for_cuda_alone(self) -> bool:
        """The source has another branch for HIP."""
        return not _may(self.port) and _may(self.cuda)

    @property
    def for_hip_alone(self) -> bool:
        """No compiler of CUDA sees them."""
        return _may(self.port) and not _may(self.cuda)

    @property
    def kernels_alone(self) -> bool:
        """Do compilers of kernels see them, in both passes, and no others?"""
        return [one is not False for one in self.port] == [True, True, False]

    @property
    def device_alone(self) -> bool:
        """Do only compilations of device code see them?"""
        return [one is not False for one in self.cuda] == [True, False, False]

    def compiled(self, device: bool) -> bool:
        """May the port's compiler see them; `device`: and make device code of them?"""
        return self.port[DEVICE] is not False if device else _may(self.port)


@dataclass
class Branches:
    """The branches of one file."""

    names: Sequence[Mapping[str, int | None]]  # that CUDA's compilations know, each
    hips_own: set[int] = field(default_factory=set)  # directives of an #if in which the source names HIP itself
    never: set[int] = field(default_factory=set)  # an #elif that no compilation of CUDA takes, for those before it
    _starts: list[int] = field(default_factory=list)
    _lines: list[Lines] = field(default_factory=list)
    _opened: list[int] = field(default_factory=list)  # those of _lines with which a branch of such an #if begins

    @property
    def for_cuda_alone(self) -> int:
        """How many branches the port's compiler skips, since the source has others for HIP."""
        return sum(self._lines[k].for_cuda_alone for k in self._opened)

    def at(self, offset: int) -> Lines:
        """Of the lines around an offset."""
        index = bisect.bisect_right(self._starts, offset) - 1
        return self._lines[index] if index >= 0 else Lines()

    def add(self, start: int, lines: Lines, own: bool = False) -> None:
        """The lines from there to the next; `own`: the branch of an #if that names HIP."""
        if own:
            self._opened.append(len(self._lines))
        self._starts.append(start)
        self._lines.append(lines)


@dataclass
class _Open:
    """An #if whose #endif is to come."""

    around: Lines
    own: bool
    before: list[Seen] = field(default_factory=lambda: [_never(), _never()])  # took one of it: of CUDA's, of the port's


@once_per_file
def branches_of(file: TokenFile) -> Branches:
    redefined = {
        file.tokens[d.first].text for d in file.directives if d.name in ("define", "undef") and d.first < d.last
    }
    if len(CHIPS) > 1:  # a file may be ported to any of them
        redefined |= {f"__{target}__" for target in CHIPS}
    cudas, hips = ([_without(values_of(c, hip), redefined) for c in range(len(COMPILATIONS))] for hip in (False, True))
    ports = [_without(names, PROJECTS_HIP) for names in cudas]
    branches = Branches(cudas)
    own = _hips_own(file)
    stack: list[_Open] = []
    for number, directive in enumerate(file.directives):
        opens = directive.name in ("if", "ifdef", "ifndef")
        if opens:
            stack.append(_Open(branches.at(directive.start), number in own))
        if not stack or not (opens or directive.name in (*CONDITIONS, "else", "endif")):
            continue
        top = stack[-1]
        if directive.name == "endif":
            branches.add(directive.end, stack.pop().around)
            continue
        if top.own:
            branches.hips_own.add(number)
        seen = []
        for build, names in enumerate((cudas, hips if top.own else ports)):
            holds = tuple(_holds(file, directive, one) for one in names)
            alone = tuple(_and(_not(b), h) for b, h in zip(top.before[build], holds, strict=True))
            top.before[build] = tuple(_or(b, h) for b, h in zip(top.before[build], holds, strict=True))
            outer = (top.around.cuda, top.around.port)[build]
            seen.append(tuple(_and(o, a) for o, a in zip(outer, alone, strict=True)))
            if build == 0 and not opens and not _may(alone) and _may(holds):
                branches.never.add(number)
        branches.add(directive.end, Lines(*seen), top.own)
    return branches


def _hips_own(file: TokenFile) -> set[int]:
    """The numbers of the directives that open an #if one of whose conditions names HIP."""
    own: set[int] = set()
    stack: list[int] = []
    for number, directive in enumerate(file.directives):
        if directive.name in ("if", "ifdef", "ifndef"):
            stack.append(number)
        if directive.name in CONDITIONS and stack:
            words = (t.text for t in file.tokens[directive.first : directive.last])
            if any(w in HIP_NAMES or w.startswith("__HIP_ARCH_") for w in words):
                own.add(stack[-1])
        elif directive.name == "endif" and stack:
            stack.pop()
    return own


def _holds(file: TokenFile, directive: Directive, names: Mapping[str, int | None]) -> bool | None:
    if directive.name == "else":
        return True
    if directive.name in ("if", "elif"):
        result = value(file, directive.first, directive.last, names)
        return None if result is None else bool(result)
    name = file.tokens[directive.first].text if directive.first < directive.last else ""
    if name not in names:
        return None
    return (names[name] is not None) == directive.name.endswith("ifdef")


def _without(names: Mapping[str, int | None], redefined: Set[str]) -> Mapping[str, int | None]:
    return {name: one for name, one in names.items() if name not in redefined} if redefined & names.keys() else names


def _never() -> Seen:
    return (False,) * len(COMPILATIONS)


def _may(seen: Sequence[bool | None]) -> bool:
    return any(one is not False for one in seen)


def _not(a: bool | None) -> bool | None:
    return None if a is None else not a


def _and(a: bool | None, b: bool | None) -> bool | None:
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


def _or(a: bool | None, b: bool | None) -> bool | None:
    return _not(_and(_not(a), _not(b)))
