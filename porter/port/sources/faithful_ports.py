"""A project's files as passes see them, and their faithful ports, each made once."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from porter.analysis.launch_requests import may_launch
from porter.analysis.project_facts import ProjectFacts
from porter.analysis.running.called import named_functions
from porter.budget.limits import limits, may_limit
from porter.findings import FilePort, FileStatus, Finding, decode
from porter.frontend.ast import Ast, parse
from porter.frontend.branches import branches_of
from porter.frontend.lexer import Kind, TokenFile
from porter.frontend.libclang import NEXT_STANDARD, USUAL_STANDARD
from porter.frontend.project import MAIN_SUFFIXES, Project
from porter.frontend.scopes import Scopes, macros_for_kernels, scopes_with
from porter.frontend.source_file import SourceFile, beside
from porter.frontend.unit import Options, Unit
from porter.passes import PASSES
from porter.passes.device.math_overload import CALLED
from porter.passes.hopper import oversized_shared, shared_memory_budget
from porter.passes.host.copied_header import has_copies, is_once
from porter.passes.host.runtime_header import CALLS_OF_C, lacks_headers
from porter.port.edits.assemble import assembled
from porter.port.sources.kernel_strings import with_kernel_strings
from porter.port.sources.uncalled import keeps_cudas_names, without_uncalled
from porter.rules import RuleSet
from porter.toolchain.port_sources import Sources

__all__ = ["Units"]

_QUICK = re.compile(
    rb"cuda|CUDA|__NVCC__|__[a-z]{2}|<< *<|\bcu[A-Z][A-Za-z]+|\bCU_|asm|__shfl|__ballot|__any|__all|nccl|nvrtc|nvtx|nvToolsExt"
    rb"|cub|thrust|cooperative_groups|warpSize|__half|half2|bfloat16|curand|__ld[a-z]{2}\b|__st[a-z]{2}\b|__launch_bounds__"
    rb"|\b(?:make_)?uint3\b|\b(?:thread|block)Idx\b"
)
_MENTIONED = (
    "roles of warps and clusters are those of all that its headers have: which functions run is not known, since the parse "
    "has errors"
)


_Reading = tuple[Ast | None, Options, tuple[str, ...]]


class Units:
    """The files of one project under one set of options."""

    def __init__(self, project: Project, options: Options, rules: RuleSet, facts: ProjectFacts | None = None) -> None:
        self.project, self.options, self.rules = project, options, rules
        self.facts = facts or ProjectFacts(project, rules, options)
        self._faithful: dict[tuple[Path, Path | None, bool], str] = {}
        self._named_in: dict[frozenset[Path], frozenset[str]] = {}
        self._texts: dict[Path, tuple[Unit, list[Finding]]] = {}
        self._options: dict[tuple[Path, ...], Options] = {}
        self._concepts: dict[tuple[Path, ...], bool] = {}
        self._copies: dict[Path, bool] = {}  # by main file: whether torch's hipify makes second copies of its headers
        self._in_question: set[Path] = (
            set()
        )  # whether they need a port is being found out: headers may lead to each other

    def not_ported(self, path: Path, renames: Mapping[str, str], includer: Path | None) -> FilePort | None:
        """The result for a file that passes need not see: it cannot be read, has nothing of CUDA in it, or is HIP."""
        source = self.project.file(path)
        if source is None:
            return FilePort(str(path), "", FileStatus.FAILED, problem="cannot be read", fix="check its permissions")
        if b"\0" in source.data:
            problem = "is a binary file or UTF-16 text"
            return FilePort(str(path), "", FileStatus.FAILED, problem=problem, fix="convert it to UTF-8")
        text = decode(source.data)
        main = includer or path
        quick = self._may_hold_cuda(source, main) or self._guests(path, main)
        if not renames and not quick and not self._unit_needs_port(path, main):
            return FilePort(str(path), "", FileStatus.UNCHANGED, text, text, parser="")
        if _already_hip(source.tokens, self.rules):
            return FilePort(str(path), "", FileStatus.ALREADY_HIP, text, text, parser="")
        return None

    def _may_hold_cuda(self, source: SourceFile, main: Path) -> bool:
        """Whether there may be something for passes in a file: its own words, or what its includes lead to."""
        if is_once(source.data) and self._has_copies(main):
            return True
        if _QUICK.search(source.data) or not self.rules.headers.keys().isdisjoint(source.includes):
            return True
        if main.suffix == ".cu" and (self._means_nvccs(source.data, main) or _has_limits(source)):
            return True
        return bool(self._outside(source.path, source.includes, main))

    def _has_copies(self, main: Path) -> bool:
        if main not in self._copies:
            self._copies[main] = has_copies(self.project.members(main))
        return self._copies[main]

    def _means_nvccs(self, source: bytes, main: Path) -> bool:
        """Whether a file without CUDA, in a unit of nvcc's, may call functions that nvcc declares or overloads by itself."""
        return CALLED.search(source) is not None or (
            CALLS_OF_C.search(source) is not None and lacks_headers(self.project.all_includes(main))
        )

    def _unit_needs_port(self, path: Path, main: Path) -> bool:
        """Whether a file with nothing to port itself must define something before its headers, or may launch kernels whose
        launches change."""
        if path.suffix != ".cu":
            return False
        if any(may_launch(member) for member in self.project.members(main)):
            return True
        return self.facts.unit(main).kind != (0, False)

    def _guests(self, path: Path, main: Path) -> tuple[Path, ...]:
        """The files that have to be ported for which this one includes headers."""
        guests = self.project.embeddings(main).guests(path)
        return tuple(one for one in guests if self.not_ported(one, {}, main) is None)

    def _headers_of_guests(self, path: Path, main: Path) -> tuple[str, ...]:
        ports = (self._faithful_port(guest, main) for guest in self._guests(path, main))
        return tuple(sorted({header for port in ports for header in port.hoisted}))

    def unit(
        self,
        path: Path,
        includer: Path | None,
        renames: Mapping[str, str] | None = None,
        runtime_prefix: str = "",
        guests: tuple[str, ...] | None = None,
    ) -> Unit:
        """What passes see of a file: parsed, and with the facts of its translation unit. `guests`: the headers that it
        includes for files in its braces, which are ported for that where nobody says."""
        source = self.project.file(path)
        assert source is not None
        main = includer or path
        ast, options, newer = self._ast(path, includer)
        missing = tuple(f"header not found, parsed as empty: {name}" for name in ast.missing_headers) if ast else ()
        included = self.project.all_includes(includer) if includer else frozenset()
        unit = Unit(
            path=path,
            file=source.tokens,
            scopes=self._scopes(source, main),
            ast=ast,
            options=options,
            is_main=path.suffix in MAIN_SUFFIXES,
            renames=renames or {},
            own_includes=self._own_includes(path, source),
            outside=self._outside(path, source.includes, main),
            notes=(*newer, *missing, *_own_branches(source.tokens)),
            includes=self.project.all_includes(path) | included,
            runtime_prefix=runtime_prefix,
            aliases=self.project.aliases(path),
            opened=self.project.opened(path),
            included=self.project.members(path)[1:],
            members=[one for one in self.project.members(main) if one.path == main or (ast and ast.includes(one.path))],
            alone=self.project.alone(main),
            project_names=self.project.declared_names(path),
            of_nvcc=main.suffix == ".cu",
            beside=beside(self.project.members(main), source),
            embedded=path in self.project.embeddings(main).hosts,
            guests=self._headers_of_guests(path, main) if guests is None else guests,
        )
        facts = self.facts.of(unit, main)
        notes = (_MENTIONED,) if facts.mentioned and unit.is_main else ()
        return replace(unit, facts=facts, notes=(*unit.notes, *notes))

    def read(self, main: Path) -> None:
        """Lexes and parses a translation unit, for all of its files."""
        self._ast(main, None)
        for member in self.project.members(main):
            member.tokens.texts()

    def _scopes(self, source: SourceFile, main: Path) -> Scopes:
        """The functions of a file that macros of the unit's other files may make kernels."""
        others = (one for one in self.project.members(main) if one is not source and one.tokens.places("__global__"))
        macros = macros_for_kernels(one.tokens for one in others)
        return scopes_with(source.tokens, macros) if macros else source.scopes

    def _ast(self, path: Path, includer: Path | None) -> _Reading:
        """Headers that no unit includes are parsed together, and alone where they do not go with the others."""
        if not self.options.parse:
            return None, self.options, ()
        loose = self.project.loose_headers if includer is None and self.project.is_loose(path) else ()
        if len(loose) > 1:
            reading = _read(path, path, self._options_of(loose), self._has_concepts(loose), loose)
            if reading[0] is not None and reading[0].includes(path) and not reading[0].errors:
                return reading
        main = includer or path
        return _read(path, main, self._options_of((main,)), self._has_concepts((main,)))

    def _has_concepts(self, mains: tuple[Path, ...]) -> bool:
        if mains not in self._concepts:
            members = (source for main in mains for source in self.project.members(main))
            self._concepts[mains] = any(source.has_concepts for source in members)
        return self._concepts[mains]

    def _options_of(self, mains: tuple[Path, ...]) -> Options:
        if mains not in self._options:
            includes = (name for main in mains for name in self.project.all_includes(main))
            self._options[mains] = self.options.of_unit(mains[0], includes)
        return self._options[mains]

    def _own_includes(self, path: Path, source: SourceFile) -> frozenset[str]:
        """In quotes a file of the project comes before CUDA's, in angle brackets what HIP has in the place of CUDA's does."""
        known = self.rules.headers
        candidates = {*source.quoted, *(i for i in source.includes if i not in known or not known[i].hip)}
        return frozenset(i for i in candidates if self.project.resolve(i, path) is not None)

    def _outside(self, path: Path, includes: Iterable[str], main: Path) -> dict[str, Path]:
        """Includes that need a port and are not in this run: they lie beyond the ported folder, or beside a file that
        is ported alone."""
        root = self.project.root
        meant = {i: p for i in includes if (p := self.project.resolve(i, path)) is not None}
        if not self.project.whole:
            if self.project.given is None:
                return {}
            return {i: left for i, p in meant.items() if (left := self._left_out(p, main)) is not None}
        if root is None or not path.is_relative_to(root):
            return {}
        given = set(self.project.given or ())
        beyond = {
            i: p for i, p in meant.items() if not p.is_relative_to(root) and Path(os.path.abspath(p)) not in given
        }
        return {i: p for i, p in beyond.items() if self._needs_port(p, main)}

    def _left_out(self, header: Path, main: Path) -> Path | None:
        """The first file that a header leads to, or it itself, that would have to be ported and is not given."""
        given = set(self.project.given or ())
        members = (path for path in self.project.closure(header) if Path(os.path.abspath(path)) not in given)
        return next((path for path in members if path != main and self._needs_port(path, main)), None)

    def _needs_port(self, path: Path, main: Path) -> bool:
        source = self.project.file(path)
        if source is None or path in self._in_question:
            return False
        self._in_question.add(path)
        try:
            return self.faithful(path, main) != decode(source.data)
        finally:
            self._in_question.discard(path)

    def keep(self, path: Path, includer: Path | None, text: str) -> None:
        """Remembers a faithful port that was made already."""
        self._faithful.setdefault((path, includer, True), text)

    def faithful(self, path: Path, includer: Path | None, lower: bool = True) -> str:
        """The text of a file's faithful port; `lower`: with stages and tiles that fit into shared memory."""
        key = path, includer, lower
        if key not in self._faithful:
            self._faithful[key] = self._faithful_port(path, includer, lower).port
        return self._faithful[key]

    def _faithful_port(self, path: Path, includer: Path | None, lower: bool = True) -> FilePort:
        port = self.not_ported(path, {}, includer)
        if port is None:
            unit = self.unit(path, includer)
            unit = replace(unit, options=replace(unit.options, schedule="faithful"))
            port = assembled(unit, self.findings(unit, includer or path, lower))
        return port

    def findings(self, unit: Unit, main: Path, lower: bool = True) -> list[Finding]:
        """What there is to say of a file; `lower`: also the constants that have to be smaller for a block to fit into
        shared memory."""
        all_findings = with_kernel_strings(unit, _findings_of(unit, self.rules, lower), self._unit_of_text)
        if any(map(keeps_cudas_names, all_findings)):
            mains = self._mains(unit.path, main)
            reaches = [self.facts.reach(one) if self.options.defines else None for one in mains]
            uncalled = [one.uncalled.get(unit.path, ()) if one is not None else () for one in reaches]
            all_findings += without_uncalled(unit, all_findings, self._named(mains), uncalled)
        return all_findings

    def _unit_of_text(self, project: Project) -> tuple[Unit, list[Finding]]:
        """What passes see of a text that is compiled at run time, and find in it; each once."""
        (path,) = project.given or ()
        if path not in self._texts:
            options = replace(self.options, defines=(), schedule="faithful", kittens="faithful", resources=False)
            units = Units(project, options, self.rules)
            unit = units.unit(path, None)
            self._texts[path] = unit, units.findings(unit, path)
        return self._texts[path]

    def _mains(self, path: Path, main: Path) -> frozenset[Path]:
        """The units that have the file."""
        return frozenset({main, *(self.project.includers.get(path, ()) if self.project.together else ())})

    def _named(self, mains: frozenset[Path]) -> frozenset[str]:
        """What all of these units lead to."""
        if mains not in self._named_in:
            self._named_in[mains] = named_functions(map(self._compiled, mains))
        return self._named_in[mains]

    def _compiled(self, main: Path) -> Sequence[SourceFile]:
        """The files of a unit; with macros given (-D), only the ones that the preprocessor keeps."""
        members = self.project.members(main)
        ast = self._ast(main, None)[0] if self.options.defines else None
        return members if ast is None else [members[0], *(m for m in members[1:] if ast.includes(m.path))]

    def ported_unit(self, main: Path, root: Path, known: Mapping[Path, str], lower: bool = True) -> Sources:
        """A translation unit with all of the project's files in it ported; `known`: ports that there are already."""
        given = frozenset(self.project.given or ())
        members = [path for path in self.project.closure(main) if path.is_relative_to(root) or path in given]
        root = Path(os.path.commonpath([root, *(path.parent for path in members)])) if given else root
        texts = {
            path: known[path] if path in known else self.faithful(path, None if path == main else main, lower)
            for path in members
        }
        return Sources(main, root, texts)


def _has_limits(source: SourceFile) -> bool:
    """Whether a file has a constant that is what a block of NVIDIA's has: others count their stages by it."""
    return may_limit(source) and any(True for _ in limits(source.tokens))


def _findings_of(unit: Unit, rules: RuleSet, lower: bool = True) -> list[Finding]:
    """What the passes find."""
    findings: list[Finding] = []
    claimed: set[int] = set()  # an earlier pass knows more of a site than a later one; there is room for insertions
    for run in PASSES:
        if run in (oversized_shared.run, shared_memory_budget.run) and not lower:
            continue
        findings += [f for f in run(unit, rules) if f.start == f.end or f.start not in claimed]
        claimed.update(f.start for f in findings)
    return [f for finding in findings for f in _placed(unit, finding)]


def _placed(unit: Unit, finding: Finding) -> list[Finding]:
    """The finding; none in branches for CUDA alone, where the source has others for HIP, and in those for HIP alone."""
    if finding.start == finding.end:
        return [finding]
    branches, index = branches_of(unit.file), unit.file.token_at(finding.start)
    lines = branches.at(finding.start)
    directive = unit.tokens[index].directive if index < len(unit.tokens) else -1
    if lines.for_cuda_alone or lines.for_hip_alone or directive in branches.hips_own:
        return []
    if not finding.safety.needs_person:
        return [finding]
    return [replace(finding, compiled=lines.compiled(unit.in_device_code(index)))]


def _own_branches(file: TokenFile) -> tuple[str, ...]:
    """What there is to say of lines that stay CUDA's."""
    count = branches_of(file).for_cuda_alone
    if not count:
        return ()
    stay = "stays as it is" if count == 1 else "stay as they are"
    return (f"the source has branches of its own for HIP: the {count} for CUDA alone {stay}",)


def _read(path: Path, main: Path, options: Options, concepts: bool, together: Sequence[Path] = ()) -> _Reading:
    """With the standard that it is written in, and what there is to say of that. Of a C++20 file that is read as C++17
    the parse knows little: neither what shared memory it wants nor which products it makes. `concepts`: it has some, so
    C++17 certainly gives errors, and C++20 without errors settles it."""
    settings, changes = options.of_parse, options.standard == USUAL_STANDARD
    newer = parse(main, path, replace(settings, standard=NEXT_STANDARD), together) if changes and concepts else None
    if newer is None or newer.errors_of_unit:
        ast = parse(main, path, settings, together)
        if ast is None or not ast.errors_of_unit or not changes:
            return ast, options, ()
        newer = newer or parse(main, path, replace(settings, standard=NEXT_STANDARD), together)
        if newer is None or newer.errors_of_unit >= ast.errors_of_unit:
            return ast, options, ()
    fix = f"compile the port with -std={NEXT_STANDARD}"
    note = f"read as {NEXT_STANDARD}, since it has errors as {USUAL_STANDARD}: {fix}"
    return newer, replace(options, standard=NEXT_STANDARD), (note,)


_OF_ROCM = ("hip/", *(f"hip{of}" for of in ("blas", "cub", "fft", "rand", "solver", "sparse")),
            *(f"roc{of}" for of in ("blas", "fft", "prim", "rand", "solver", "sparse")))  # fmt: skip


def _already_hip(file: TokenFile, rules: RuleSet) -> bool:
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
        if name.startswith(_OF_ROCM):
            hip = True
        elif name in rules.headers and rules.headers[name].hip not in ("", name):
            return False
    return hip
