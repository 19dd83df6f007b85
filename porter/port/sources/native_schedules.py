"""Native schedules in ports: the units that are decided on together, and the files around kernels that are written anew."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from porter.findings import FilePort, Finding
from porter.frontend.lexer import Kind
from porter.frontend.project import Project
from porter.frontend.source_file import SourceFile
from porter.frontend.unit import Unit
from porter.native.launches.groups import declared, editable, together
from porter.native.schedule import Group, Schedule, native_schedules
from porter.port.edits.assemble import assembled
from porter.port.sources.faithful_ports import Units

__all__ = ["NativeSchedules"]


class NativeSchedules:
    """The schedules of one project's files, worked out a group of units at a time."""

    def __init__(self, units: Units) -> None:
        self._units = units
        self._known: dict[object, Mapping[Path, Schedule]] = {}  # by main files, and what may change without a tree

    def port(self, unit: Unit, faithful: FilePort, main: Path) -> FilePort:
        """The port with the kernels written anew that porter.native recognises; the faithful one with the reasons why not."""
        schedule = self._of_group(unit, main).get(unit.path, Schedule())
        if not schedule.plain and not schedule.spans:
            return replace(faithful, findings=(*faithful.findings, *schedule.findings))
        if schedule.plain:
            unit = replace(unit, facts=unit.facts.without_mirrors())
        others = [
            f
            for f in self._units.findings(unit, main, lower=not schedule.whole)
            if (f.start, f.end) not in schedule.exact and not _replaced(f, schedule.spans)
        ]
        return assembled(unit, [*others, *schedule.findings])

    def _of_group(self, unit: Unit, main: Path) -> Mapping[Path, Schedule]:
        mains = together(self._units.project, main)
        key = mains if self._units.project.whole else (mains, editable(self._units.project, unit.path, mains))
        if key not in self._known:
            self._known[key] = {}
            if any(self._units.facts.unit(one).roles.mirrored for one in mains):
                self._known[key] = self._decided(unit, main, mains)
        return self._known[key]

    def _decided(self, unit: Unit, main: Path, mains: tuple[Path, ...]) -> Mapping[Path, Schedule]:
        project = self._units.project
        members = {one: project.members(one) for one in mains}
        root = project.root if project.root is not None and main.is_relative_to(project.root) else main.parent
        changeable = editable(project, unit.path, mains)
        borrowed = frozenset(
            member.path for one in mains if unit.path in mains for member in _borrowed(members[one], changeable)
        )
        units: dict[Path, Unit] = {}
        closures: dict[Path, Mapping[str, Sequence[Path]]] = {}
        for one, own in members.items():
            closures.update({m.path: _closures(project, m) for m in own})
            for member in own:
                kernels = any(f.kernel and f.body[0] >= 0 for f in member.scopes.functions)
                if kernels and member.path in changeable | borrowed | {unit.path} and member.path not in units:
                    includer = None if member.path == one else one
                    same = member.path == unit.path
                    units[member.path] = unit if same else self._units.unit(member.path, includer)
        for lower in (False, True):  # the source's own tiles first, then tiles that fit
            sources = {one: self._units.ported_unit(one, root, {}, lower) for one in mains}
            group = Group(units, members, sources, closures, changeable, declared(project, unit.path), borrowed, lower)
            schedules = native_schedules(group, self._units.rules)
            if schedules is not None:
                return schedules
        return {}


def _borrowed(members: Sequence[SourceFile], changeable: Collection[Path]) -> Iterator[SourceFile]:
    """Files that stay as they are, and whose kernels a file names that may change."""
    named = {
        token.text
        for member in members
        if member.path in changeable
        for token in member.tokens.tokens
        if token.kind == Kind.IDENT
    }
    for member in members:
        kernels = {f.name for f in member.scopes.functions if f.kernel and f.body[0] >= 0}
        if member.path not in changeable and not named.isdisjoint(kernels):
            yield member


def _closures(project: Project, source: SourceFile) -> Mapping[str, Sequence[Path]]:
    """The files that come with each of a file's includes."""
    meant = ((include, project.resolve(include, source.path)) for include in source.includes)
    return {include: project.closure(target) for include, target in meant if target is not None}


def _replaced(finding: Finding, spans: Sequence[tuple[int, int]]) -> bool:
    """Is all that the finding changes within text that has been written anew? What a kernel needs elsewhere stays."""
    places = [(edit.start, edit.end) for edit in finding.edits] or [(finding.start, finding.end)]
    return all(any(a <= start and end <= b for a, b in spans) for start, end in places)
