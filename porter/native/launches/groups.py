"""Translation units that share files with kernels or launches are decided on together."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from porter.frontend.project import MAIN_SUFFIXES, Project
from porter.frontend.source_file import SourceFile

__all__ = ["MOST_UNITS", "declared", "editable", "together"]

_LAUNCHES = re.compile(rb"<< *<|__global__|\bcudaLaunch(?:Cooperative)?Kernel")
MOST_UNITS = 8


def together(project: Project, main: Path) -> tuple[Path, ...]:
    """The main files of a unit's group, itself among them; alone where its project is not ported as a whole."""
    if not project.whole or project.root is None:
        return (main,)
    shares = {one: _shared(project, one) for one in project.mains}
    shares.setdefault(main, _shared(project, main))
    group, files = {main}, set(shares[main])
    while True:
        more = {one for one, own in shares.items() if one not in group and not files.isdisjoint(own)}
        if not more:
            break
        group |= more
        files |= {file for one in more for file in shares[one]}
    return tuple(sorted(group)) if len(group) <= MOST_UNITS else (main,)


def editable(project: Project, path: Path, mains: Sequence[Path]) -> frozenset[Path]:
    """Files of a group that no other unit includes; the file that is ported, where no group is ported together."""
    if not project.whole or project.root is None:
        alone = _own(project, mains[0])
        return alone if path in alone else frozenset((path,))
    root = project.root
    own = {file for main in mains for file in project.closure(main) if file.is_relative_to(root)}
    others = {file for main in project.mains if main not in mains for file in project.closure(main)}
    return frozenset(own - others)


def _own(project: Project, main: Path) -> frozenset[Path]:
    """A unit's files that are ported in this run for it alone; what is behind -I is for others, too."""
    given, whose = frozenset(project.given or ()), _absolute(main)
    shared = [folder for folder in map(_absolute, project.include_dirs) if not whose.is_relative_to(folder)]
    own = [main]
    for path in project.closure(main)[1:]:
        place = _absolute(path)
        alone = place in given and project.includers.get(place, ()) == (whose,)
        if alone and not any(place.is_relative_to(folder) for folder in shared):
            own.append(path)
    return frozenset(own)


def _absolute(path: Path | str) -> Path:
    return Path(os.path.abspath(path))


def declared(project: Project, path: Path) -> Mapping[str, str]:
    """Kernels that a unit declares which does not define them, and where: it may launch them."""
    if project.root is None:
        return {}
    mains = project.mains if project.whole else sorted(f for f in path.parent.iterdir() if f.suffix in MAIN_SUFFIXES)
    declarations: dict[str, str] = {}
    for main in mains:
        members = project.members(main)
        kernels = [(name, body, where) for member in members for name, body, where in _kernels(member)]
        defined = {name for name, body, _ in kernels if body}
        declarations.update({name: where for name, body, where in kernels if not body and name not in defined})
    return declarations


def _kernels(source: SourceFile) -> Iterator[tuple[str, bool, str]]:
    if b"__global__" in source.data:
        for function in source.scopes.functions:
            if function.kernel:
                line = source.tokens.position(source.tokens.tokens[function.name_index].start)[0]
                yield function.name, function.body[0] >= 0, f"{source.path.name}:{line}"


def _shared(project: Project, main: Path) -> set[Path]:
    """Files with kernels or launches: a unit may be a part of another one."""
    return {one for one in project.closure(main) if (file := project.file(one)) and _LAUNCHES.search(file.data)}
