"""The order of the stages; the only file that knows it.

bytes -> tokens, scopes -> AST -> facts -> passes -> comments, includes -> rewrite -> FilePort
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from porter.analysis.project_facts import ProjectFacts
from porter.findings import FilePort, FileStatus, Finding, decode
from porter.frontend.folders import Guessed
from porter.frontend.project import Project
from porter.frontend.unit import Options, Unit
from porter.port.edits.accept import accept, unused_comments
from porter.port.jobs import Job
from porter.port.stamps import stamp
from porter.rules import RuleSet, load_rules
from porter.settings import FileFlags
from porter.toolchain.port_sources import Sources

if TYPE_CHECKING:
    from porter.port.sources.faithful_ports import Units
    from porter.port.sources.kittens import Kittens
    from porter.port.sources.native_schedules import NativeSchedules

__all__ = ["Conversion", "Ports", "port_source"]

Given = tuple[Path, ...] | None  # the files of a run that ports no tree
_QUICK_KERNELS = re.compile(r"__global__|<< *<|LaunchKernel")  # defined here, or a template that is instantiated


def port_source(
    project: Project,
    path: Path,
    output: str,
    options: Options,
    renames: Mapping[str, str],
    includer: Path | None = None,
    shown: str = "",
    runtime_prefix: str = "",
) -> FilePort:
    """The port of one source file of a project. For several files make one `Ports`, which works facts out once."""
    return Ports(project, options).port(path, output, renames, includer, shown, runtime_prefix)


def _errors(unit: Unit, findings: Sequence[Finding]) -> tuple[str, ...]:
    """What a person has to fix, or to give an option for, before the parse tells everything; nothing where the line has a
    finding that says it."""
    if unit.ast is None or not unit.ast.errors or unit.ast.first_error is None:
        return ()
    file, line, text = unit.ast.first_error
    if file == unit.path.name and line in {unit.file.text.count("\n", 0, one.start) + 1 for one in findings}:
        return ()
    which = "an error" if unit.ast.errors == 1 else f"the first of {unit.ast.errors} errors"
    return (f"{which} of its parse: {f'{file}:{line}: ' if file else ''}{text}",)


class Conversion:
    """The projects and options of one run: what is worked out for one job is there for the others."""

    def __init__(self, options: Options) -> None:
        self.options, self.rules = options, load_rules(options.rules)
        self._projects: dict[tuple[Path, tuple[str, ...], bool, Given, Guessed], Project] = {}
        self._ports: dict[tuple[Path, bool, Options, Given], Ports] = {}

    def project(
        self, root: Path, include_dirs: tuple[str, ...], whole: bool, given: Given = None, guessed: Guessed = ()
    ) -> Project:
        """The files below a folder; `whole`: all of them are ported together; `given`: these alone."""
        key = root, include_dirs, whole, given, guessed
        if key not in self._projects:
            known = next((p for (other, *_), p in self._projects.items() if other == root), None)
            files = known.files if known else {}
            self._projects[key] = Project(root, include_dirs, files, whole=whole, given=given, guessed=guessed)
        return self._projects[key]

    def ports(self, root: Path, whole: bool, flags: FileFlags | None, given: Given = None) -> Ports:
        """The ports of a project, under the run's options and a file's own flags."""
        options = _with_flags(self.options, flags)
        key = root, whole, options, given
        if key not in self._ports:
            project = self.project(root, options.project_includes, whole, given, options.guessed)
            self._ports[key] = Ports(project, options, self.rules)
        return self._ports[key]

    def of_job(self, job: Job) -> Ports:
        """The ports that the job's is one of."""
        return self.ports(job.root, job.whole, job.flags, job.given)

    def port(self, job: Job) -> FilePort:
        """The port of the job's file."""
        prefix = job.runtime_prefix if self.options.runtime == "copy" else ""
        port = self.of_job(job).port
        return port(job.path, str(job.output), dict(job.renames), job.includer, job.shown, prefix, job.guests)

    def guests(self, job: Job) -> tuple[Path, ...]:
        """The files for which the job's includes headers, since they are included in its braces."""
        return self.of_job(job).project.embeddings(job.includer or job.path).guests(job.path)


_OLDER = frozenset(f"{letters}++{year}" for letters in ("c", "gnu") for year in ("98", "03", "0x", "11", "1y", "14"))


def _with_flags(options: Options, flags: FileFlags | None) -> Options:
    if flags is None:
        return options
    return replace(
        options,
        includes=(*options.includes, *flags.includes),
        systems=(*options.systems, *flags.systems),
        guessed=(*options.guessed, *flags.guessed),
        defines=(*options.defines, *flags.defines),
        standard=options.standard if flags.standard in _OLDER else flags.standard or options.standard,
    )


class Ports:
    """The ports of one project's files under one set of options."""

    def __init__(self, project: Project, options: Options, rules: RuleSet | None = None) -> None:
        self.project, self.options = project, options
        self._rules = rules or load_rules(options.rules)
        self._faithful = replace(options, kittens="faithful")
        self.facts = ProjectFacts(project, self._rules, self._faithful, stamp(self._rules.folders, self._faithful))

    @cached_property
    def units(self) -> Units:
        """Its files as passes see them."""
        from porter.port.sources.faithful_ports import (
            Units,  # and with them the passes: not for ports that are kept from an earlier run
        )

        return Units(self.project, self._faithful, self._rules, self.facts)

    def port(
        self,
        path: Path,
        output: str,
        renames: Mapping[str, str],
        includer: Path | None = None,
        shown: str = "",
        runtime_prefix: str = "",
        guests: tuple[str, ...] | None = None,
    ) -> FilePort:
        """The port of one file; `includer` is the unit that gives a header its context. Never raises for what is in it."""
        shown = shown or str(path)
        port = self.units.not_ported(path, renames, includer)
        if port is not None:
            return replace(port, path=shown, output=output)
        if self.options.kittens == "native":
            port = self._kittens.port(path, includer, renames, runtime_prefix)
            if port is not None:
                return replace(port, path=shown, output=output)
            source = self.project.file(path)
            if includer is not None and source is not None and self._kittens.leaves(path, includer):
                text = decode(source.data)
                return FilePort(shown, output, FileStatus.UNCHANGED, text, text, parser="")
        from porter.port.edits.assemble import assembled  # likewise

        unit = self.units.unit(path, includer, renames, runtime_prefix, guests)
        port = assembled(unit, self.units.findings(unit, includer or path))
        if self.options.kittens == "native":
            port = replace(port, findings=(*port.findings, *self._kittens.reasons(path, includer or path)))
        if self.options.schedule == "native" and port.status in (FileStatus.PORTED, FileStatus.UNCHANGED):
            if not renames:
                self.units.keep(path, includer, port.port)
            port = self._natively.port(unit, port, includer or path)
        if self.options.resources and unit.is_main and port.status is FileStatus.PORTED:
            port = self._with_registers(unit, port, includer or path, renames)
        parser = "tokens" if unit.ast is None else "libclang with errors" if unit.ast.errors else "libclang"
        accepted = tuple(accept(unit.file, path, port.findings, self.options))
        notes = tuple(
            dict.fromkeys((*unit.notes, *port.notes, *_errors(unit, accepted), *unused_comments(unit.file, accepted)))
        )
        return replace(port, path=shown, output=output, findings=accepted, notes=notes, parser=parser)

    @cached_property
    def _kittens(self) -> Kittens:
        from porter.port.sources.kittens import Kittens  # likewise

        return Kittens(self.units, self.options)

    @cached_property
    def _natively(self) -> NativeSchedules:
        from porter.port.sources.native_schedules import (
            NativeSchedules,  # the compiler behind it is not needed for other ports
        )

        return NativeSchedules(self.units)

    def _with_registers(self, unit: Unit, port: FilePort, main: Path, renames: Mapping[str, str]) -> FilePort:
        """With findings for kernels whose registers are spilled."""
        if not _QUICK_KERNELS.search(port.port):
            return port
        from porter.port.sources.register_budget import with_registers  # likewise

        root = self.units.project.root or main.parent
        text = port.port
        for name, place in renames.items():  # what is compiled lies as the originals do
            text = text.replace(f'"{place}"', f'"{name}"')
        sources = self.units.ported_unit(main, root, {unit.path: text})
        if main not in sources.texts or not unit.path.is_relative_to(root):
            sources = Sources(unit.path, unit.path.parent, {unit.path: port.port})
        return with_registers(unit, port, sources)
