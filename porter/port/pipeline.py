"""The order of the stages; the only file that knows it.

bytes -> tokens, scopes -> AST -> passes -> comments, includes -> rewrite -> FilePort
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from porter.analysis.clusters import has_clusters, has_shadows
from porter.analysis.elsewhere import kernels_elsewhere
from porter.analysis.launch_requests import asks
from porter.analysis.plain_kernels import plain_kernels
from porter.analysis.roles import roles
from porter.analysis.told_apart import told_apart
from porter.frontend.ast import Ast, ParseOptions, parse
from porter.frontend.lexer import Kind, TokenFile
from porter.frontend.project import MAIN_SUFFIXES, Project, SourceFile
from porter.frontend.unit import Options, Unit
from porter.model import Edit, FilePort, FileStatus, Finding, Safety, decode
from porter.passes import PASSES
from porter.passes.hopper import shared_memory_budget as budget
from porter.passes.host.runtime_header import add_includes
from porter.port.comments import comment_edits
from porter.port.rewrite import Rewritten, breaks_structure, rewrite, same_structure
from porter.rules import RuleSet, load_rules

if TYPE_CHECKING:
    from porter.native.schedule import Schedule
    from porter.toolchain.port_sources import Sources

__all__ = ["port_source", "port_unit"]

_QUICK = re.compile(
    rb"cuda|CUDA|__[a-z]{2}|<<<|\bcu[A-Z][A-Za-z]+|\bCU_|asm|__shfl|__ballot|__any|__all|nccl|nvrtc|nvtx|nvToolsExt"
    rb"|cub|thrust|cooperative_groups|warpSize|__half|half2|bfloat16|curand|__ld[a-z]{2}\b|__st[a-z]{2}\b|__launch_bounds__"
)

_QUICK_KERNELS = re.compile(r"__global__|<<<|LaunchKernel")  # defined here, or a template that is instantiated


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
    """Port one source file of a project. Never raises for what the file contains."""
    shown = shown or str(path)
    source = project.file(path)
    if source is None:
        return FilePort(shown, output, FileStatus.FAILED, problem="cannot be read", mend="check its permissions")
    data = source.data
    if b"\0" in data:
        return FilePort(
            shown, output, FileStatus.FAILED, problem="is a binary file or UTF-16 text", mend="convert it to UTF-8"
        )
    text = decode(data)
    main = includer or path
    if not renames and not _QUICK.search(data) and not _its_unit_asks(project, path, main, options):
        return FilePort(shown, output, FileStatus.UNCHANGED, text, text, parser="")
    rules = load_rules(options.rules)
    file = source.tokens
    if already_hip(file, rules):
        return FilePort(shown, output, FileStatus.ALREADY_HIP, text, text, parser="")
    unit = _unit(project, path, includer, options, renames, runtime_prefix)
    port = port_unit(unit, rules, runtime_prefix)
    if options.schedule == "native" and port.status in (FileStatus.PORTED, FileStatus.UNCHANGED):
        if not renames:
            project.ported.setdefault((path, includer, options.lower), port.port)
        port = _with_native_schedules(project, unit, port, main, runtime_prefix)
    if options.resources and unit.is_main and port.status is FileStatus.PORTED and _QUICK_KERNELS.search(port.port):
        from porter.port.register_budget import (
            register_findings,  # the compiler behind it is not needed for other ports
        )

        sources = _faithful_sources(project, path, port.port, includer, options)
        port = replace(port, findings=(*port.findings, *register_findings(unit, port, sources)))
    parser = "tokens" if unit.ast is None else "libclang with errors" if unit.ast.errors else "libclang"
    return replace(port, path=shown, output=output, notes=unit.notes, parser=parser)


def _unit(
    project: Project,
    path: Path,
    includer: Path | None,
    options: Options,
    renames: Mapping[str, str] | None = None,
    runtime_prefix: str = "",
) -> Unit:
    source = project.file(path)
    assert source is not None
    main = includer or path
    rules = load_rules(options.rules)
    ast, options, newer = _ast(project, path, includer, options)
    missing = tuple(f"header not found, parsed as empty: {name}" for name in ast.missing_headers) if ast else ()
    members = _members(project, main)
    found = roles(members, rules)
    unit = Unit(
        path=path,
        file=source.tokens,
        scopes=source.scopes,
        ast=ast,
        options=options,
        is_main=path.suffix in MAIN_SUFFIXES,
        renames=renames or {},
        notes=(*newer, *missing),
        includes=project.all_includes(path) | (project.all_includes(includer) if includer else frozenset()),
        runtime_prefix=runtime_prefix,
        aliases=project.aliases(path),
        opened=project.opened(path),
        project_names=project.declared_names(path),
        mirrored=found.mirrored,
        named_barriers=found.named_barriers,
        clusters=any(map(has_clusters, members)),
        cluster_shadows=any(map(has_shadows, members)),
        warpgroups=found.warpgroups,
        told_apart=told_apart(project, path, rules) if includer else frozenset(),
        elsewhere=kernels_elsewhere(project, members, rules),
    )
    return replace(unit, plain=plain_kernels(unit, members, project))


def _members(project: Project, main: Path) -> list[SourceFile]:
    """The project's files in a translation unit. Asm statements may use the macros of all of them."""
    members = project.members(main)
    if any(b"asm" in member.data for member in members):
        for member in members:
            member.tokens.outside = tuple(m.tokens for m in members if m is not member)
    return members


def _its_unit_asks(project: Project, path: Path, main: Path, options: Options) -> bool:
    """Whether the unit's headers need to be told something before they are read, in a file that has nothing to port; or
    launch what it may have to give other numbers."""
    if path.suffix != ".cu":
        return False
    members = _members(project, main)
    if any(asks(decode(member.data)) for member in members):
        return True
    return roles(members, load_rules(options.rules)).mirrored != 0 or any(map(has_clusters, members))


def _ast(
    project: Project, path: Path, includer: Path | None, options: Options
) -> tuple[Ast | None, Options, tuple[str, ...]]:
    """With the standard that it is written in, and what there is to say of that. Of a C++20 file that is read as C++17
    the parse knows little: neither what shared memory it wants nor which products it makes."""
    if not options.parse:
        return None, options, ()
    main = includer or path
    settings = ParseOptions(options.includes, options.defines, options.standard, options.cuda_path)
    ast = parse(main, path, settings)
    if ast is None or not ast.errors or options.standard != _USUAL:
        return ast, options, ()
    newer = parse(main, path, replace(settings, standard=_NEXT))
    if newer is None or newer.errors >= ast.errors:
        return ast, options, ()
    note = f"read as {_NEXT}, since it has errors as {_USUAL}: compile the port with -std={_NEXT}"
    return newer, replace(options, standard=_NEXT), (note,)


_USUAL, _NEXT = "c++17", "c++20"  # nvcc's standard where none is given, and the one after


def already_hip(file: TokenFile, rules: RuleSet) -> bool:
    """Includes HIP's or porter's headers and none of CUDA's: a port, to be left alone."""
    hip = False
    for directive in file.directives:
        if directive.name != "include" or directive.last <= directive.first:
            continue
        token = file.tokens[directive.first]
        if token.kind != Kind.HEADER:
            continue
        name = token.text[1:-1]
        if name.startswith("porter/") or "/porter/" in name:
            return True
        if name.startswith(("hip/", "hipblas", "hipcub", "hiprand", "rocblas", "rocprim")):
            hip = True
        elif name in rules.headers and rules.headers[name].hip not in ("", name):
            return False
    return hip


def port_unit(unit: Unit, rules: RuleSet, runtime_prefix: str = "") -> FilePort:
    """The passes, the comments and the rewrite, on a unit that is already parsed."""
    return _assembled(unit, _findings(unit, rules), runtime_prefix)


def _findings(unit: Unit, rules: RuleSet) -> list[Finding]:
    findings: list[Finding] = []
    claimed: set[int] = set()  # an earlier pass knows more of a site than a later one; there is room for insertions
    for run in PASSES:
        if run is budget.run and not unit.options.lower:
            continue
        findings += [f for f in run(unit, rules) if f.start == f.end or f.start not in claimed]
        claimed.update(f.start for f in findings)
    return findings


def _faithful_sources(project: Project, path: Path, text: str, includer: Path | None, options: Options) -> Sources:
    """The translation unit that a file belongs to, with all of the project's files in it ported."""
    from porter.toolchain.port_sources import Sources

    main = includer or path
    root = project.root or main.parent
    texts = {path: text}
    for member in project.closure(main):
        if member != path and member.is_relative_to(root):
            texts[member] = _faithful(project, member, None if member == main else main, options)
    if main not in texts or not path.is_relative_to(root):
        return Sources(path, path.parent, {path: text})
    return Sources(main, root, texts)


def _faithful(project: Project, path: Path, includer: Path | None, options: Options) -> str:
    key = path, includer, options.lower
    if key not in project.ported:
        faithful = replace(options, schedule="faithful", resources=False)
        project.ported[key] = port_source(project, path, str(path), faithful, {}, includer).port
    return project.ported[key]


def _with_native_schedules(
    project: Project, unit: Unit, faithful: FilePort, main: Path, runtime_prefix: str
) -> FilePort:
    """The port with the kernels written anew that porter.native recognises; the faithful one with the reasons why not."""
    from porter.native.schedule import Schedule  # the compiler behind it is not needed for other ports

    rules = load_rules(unit.options.rules)
    schedule = _native_schedules(project, unit, main, rules).get(unit.path, Schedule())
    if not schedule.plain and not schedule.spans:
        return replace(faithful, findings=(*faithful.findings, *schedule.findings))
    if schedule.plain:
        unit = replace(unit, mirrored=0, named_barriers=False, warpgroups=False, clusters=False, cluster_shadows=False)
    if schedule.whole:
        unit = replace(unit, options=replace(unit.options, lower=False))
    others = [
        f
        for f in _findings(unit, rules)
        if (f.start, f.end) not in schedule.exact and not any(a <= f.start and f.end <= b for a, b in schedule.spans)
    ]
    return _assembled(unit, [*others, *schedule.findings], runtime_prefix)


def _native_schedules(project: Project, unit: Unit, main: Path, rules: RuleSet) -> Mapping[Path, Schedule]:
    from porter.native.launches.groups import declared, editable, together
    from porter.native.schedule import Group, native_schedules

    mains = together(project, main)
    key = mains if project.whole else (*mains, unit.path)
    if key in project.natives:
        return project.natives[key]
    members = {one: _members(project, one) for one in mains}
    project.natives[key] = {}
    if any(roles(own, rules).mirrored for own in members.values()):
        root = project.root if project.root is not None and main.is_relative_to(project.root) else main.parent
        changeable = editable(project, unit.path, mains)
        units: dict[Path, Unit] = {}
        closures: dict[Path, tuple[Path, ...]] = {}
        for one, own in members.items():
            closures.update({m.path: project.closure(m.path) for m in own})
            for member in own:
                kernels = any(f.kernel and f.body[0] >= 0 for f in member.scopes.functions)
                if kernels and member.path in changeable | {unit.path} and member.path not in units:
                    includer = None if member.path == one else one
                    same = member.path == unit.path
                    units[member.path] = unit if same else _unit(project, member.path, includer, unit.options)
        for lower in (False, True):  # where the source's own tiles do not help, those that fit
            sources = _ported_units(project, members, root, replace(unit.options, lower=lower))
            group = Group(units, members, sources, closures, changeable, declared(project, unit.path), lower)
            found = native_schedules(group, rules)
            if found is not None:
                project.natives[key] = found
                break
    return project.natives[key]


def _ported_units(
    project: Project, members: Mapping[Path, Sequence[SourceFile]], root: Path, options: Options
) -> dict[Path, Sources]:
    """By main file: the faithful ports of all of its files."""
    from porter.toolchain.port_sources import Sources

    return {
        main: Sources(
            main,
            root,
            {
                m.path: _faithful(project, m.path, None if m.path == main else main, options)
                for m in own
                if m.path.is_relative_to(root)
            },
        )
        for main, own in members.items()
    }


def _assembled(unit: Unit, findings: list[Finding], runtime_prefix: str) -> FilePort:
    result = _rewritten(unit, findings, runtime_prefix)
    broken = same_structure(unit.file, result.text)
    if broken:  # the sites that break it stay, the others are ported
        findings = [_left(f) if breaks_structure(unit.file.text, f) else f for f in findings]
        result = _rewritten(unit, findings, runtime_prefix)
        broken = same_structure(unit.file, result.text)
    if broken:
        return FilePort(
            str(unit.path),
            str(unit.path),
            FileStatus.FAILED,
            unit.file.text,
            unit.file.text,
            tuple(replace(f, edits=(), safety=Safety.LEFT) for f in result.findings if f.safety is not Safety.LEFT)
            + tuple(f for f in result.findings if f.safety is Safety.LEFT),
            problem=f"the port would not be well-formed: {broken}",
            mend="please report this file; it was left as it is",
        )
    status = FileStatus.PORTED if result.findings else FileStatus.UNCHANGED
    return FilePort(
        str(unit.path), str(unit.path), status, unit.file.text, result.text, tuple(result.findings), unit.notes
    )


def _rewritten(unit: Unit, findings: list[Finding], runtime_prefix: str) -> Rewritten:
    """The edits, the includes they need and the comments for what a person must look at."""
    result = rewrite(unit.file.text, [*findings, *add_includes(unit, findings, runtime_prefix)])
    comments = comment_edits(unit.file, result.findings)
    if not comments:
        return result
    marked = {id(finding): edit for finding, edit in comments}
    commented = _marked(unit, result.findings, marked)
    if len(commented.findings) == len(result.findings):
        return commented
    # The line above lies within what another port rewrites: there the comment stands beside its site.
    applied = {(f.rule, f.start, f.end) for f in commented.findings if f.edits}
    for finding, edit in comments:
        if (finding.rule, finding.start, finding.end) not in applied:
            text = edit.text.strip().removeprefix("//").removeprefix("/*").removesuffix("*/").strip()
            marked[id(finding)] = Edit(finding.start, finding.start, f"/* {text} */ ")
    return _marked(unit, result.findings, marked)


def _marked(unit: Unit, findings: list[Finding], marked: Mapping[int, Edit]) -> Rewritten:
    """The rewrite with a comment added to the edits of some findings, which are known by their id()."""
    return rewrite(
        unit.file.text, [replace(f, edits=(*f.edits, marked[id(f)])) if id(f) in marked else f for f in findings]
    )


def _left(finding: Finding) -> Finding:
    message = f"{finding.message} (not applied: the brackets or the #if lines in it have no partner there)"
    return replace(finding, safety=Safety.LEFT, edits=(), message=message)


def clock() -> float:
    return time.perf_counter()
