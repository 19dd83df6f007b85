"""What is true of a project's translation units, each worked out once: what the passes read as `unit.facts`."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from porter.analysis.clusters import has_clusters, has_shadows
from porter.analysis.elsewhere import defined_elsewhere
from porter.analysis.kind_dependent import kind_dependent
from porter.analysis.open_conditions import are_settled, asked_around
from porter.analysis.plain_kernels import named_in, plain_kernels
from porter.analysis.roles import Roles, roles
from porter.analysis.running.reach import EVERYTHING, Reach, reach
from porter.cache_folder import cache_dir, write_atomically
from porter.frontend.asm.statements import find_asm
from porter.frontend.asm.uses import asm_context
from porter.frontend.cpp.constants import Constants
from porter.frontend.left_out import Spans, never_compiled
from porter.frontend.libclang import NEXT_STANDARD, USUAL_STANDARD, ParseOptions
from porter.frontend.project import MAIN_SUFFIXES, Project
from porter.frontend.source_file import SourceFile, beside
from porter.frontend.unit import Elsewhere, Facts, Options, Unit
from porter.rules import RuleSet

__all__ = ["ProjectFacts", "UnitFacts", "kinds_matter"]

_DEPENDS = re.compile(rb"<< *<|__global__|__device__|\bcudaLaunch|\bblockDim\b")
_KERNEL = re.compile(rb"__global__")
# What neither roles() nor has_clusters() can find anything without.
_MAY_ASK = re.compile(
    rb"\basm\b|__asm|mma\.h|cuda/|cuda_pipeline|cuda_awbarrier|__mbarrier_|[cC]luster|map_shared_rank"
)
_EARLY = re.compile(rb"ProgrammaticStreamSerialization|programmaticStreamSerializationAllowed")


def kinds_matter(source: SourceFile) -> bool:
    """Whether the port of a header depends on the unit that includes it."""
    return source.has(_DEPENDS)


@dataclass(frozen=True, slots=True)
class UnitFacts:
    """What a translation unit asks of all of its files."""

    roles: Roles = field(default_factory=Roles)
    clusters: bool = False
    cluster_shadows: bool = False
    idle_clusters: bool = False  # its files have clusters, but not where anything runs
    mentioned: bool = False  # which of its functions run is not known: the facts are those of all that are there

    @property
    def kind(self) -> tuple[int, bool]:
        """What its headers have to be ported for: mirrored warps, and launches with clusters. Orders units by demand."""
        return self.roles.mirrored, self.clusters


class ProjectFacts:
    """Asked by path; lexes no more files than the question needs, and none of a unit that was the same in an earlier run
    with the same stamp: "" keeps nothing."""

    def __init__(self, project: Project, rules: RuleSet, options: Options, stamp: str = "") -> None:
        self._project, self._rules, self._options, self._stamp = project, rules, options, stamp
        self._units: dict[Path, UnitFacts] = {}
        self._defined_elsewhere: dict[Path, Mapping[str, Elsewhere]] = {}
        self._named: dict[Path, frozenset[str]] = {}
        self._counts: dict[Path, bool] = {}  # by main file
        self._reached: dict[Path, Reach | None] = {}  # likewise
        self._left_out: dict[Path, Mapping[Path, Spans]] = {}  # likewise

    def unit(self, main: Path) -> UnitFacts:
        """The facts of the translation unit that `main` makes."""
        if main not in self._units:
            self._units[main] = self._unit(self._project.members(main))
        return self._units[main]

    def _unit(self, members: Sequence[SourceFile]) -> UnitFacts:
        asking = [member for member in members if member.has(_MAY_ASK)]
        if not asking:
            return UnitFacts()
        if not self._stamp:
            return self._facts_of(members, asking)
        path = self._kept_at(members)
        with contextlib.suppress(OSError, ValueError, TypeError, LookupError):
            data = json.loads(path.read_bytes())
            return UnitFacts(**{**data, "roles": Roles(**data["roles"])})
        facts = self._facts_of(members, asking)
        with contextlib.suppress(OSError):  # which costs time, nothing else
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, json.dumps(asdict(facts)).encode())
        return facts

    def _kept_at(self, members: Sequence[SourceFile]) -> Path:
        digest = hashlib.sha256(self._stamp.encode())
        for member in members:
            digest.update(str(member.path.absolute()).encode("utf-8", "surrogateescape") + b"\0" + member.digest)
        name = digest.hexdigest()[:40]
        return cache_dir() / "facts" / name[:2] / f"{name[2:]}.json"

    def _facts_of(self, members: Sequence[SourceFile], asking: Sequence[SourceFile]) -> UnitFacts:
        facts = _unit_facts(members, self._rules, EVERYTHING)
        alone = asking == members[:1]  # the unit's own file: what is in it runs, in branches that macros leave open
        if facts == UnitFacts() or (alone and not self._options.defines):
            return facts
        if not self._options.parse or _is_loose(members[0]):
            return facts
        reach_of_unit = self.reach(members[0].path)
        if reach_of_unit is None:
            return replace(facts, mentioned=not alone)
        running = _unit_facts(members, self._rules, reach_of_unit)
        return replace(running, idle_clusters=facts.clusters and not running.clusters)

    def reach(self, main: Path) -> Reach | None:
        """Which functions of the unit run; None where it is not known."""
        if main not in self._reached:
            self._reached[main] = self._reach_of_members(self._project.members(main))
        return self._reached[main]

    def left_out(self, main: Path) -> Mapping[Path, Spans]:
        """By file of a unit: the text that no compilation sees, by the macros that are given (-D) and those of its files."""
        if main not in self._left_out:
            reached = self.reach(main) if self._options.defines else None
            members = self._project.members(main)
            settings = self._settings(members) if reached is None else []
            never_seen = (
                never_compiled(members, settings[0]) if settings else {}
            )  # errors of the parse change nothing in it
            self._left_out[main] = reached.left_out if reached is not None else never_seen
        return self._left_out[main]

    def is_settled(self, main: Path, path: Path, offset: int) -> bool:
        """Whether the conditions around a place ask for what is known: what the user gives (-D), or the unit's files and
        compilers decide."""
        if self._options.defines:
            return True
        file = self._project.file(path)
        names = asked_around(file.tokens, offset) if file is not None else frozenset()
        return bool(names) and are_settled(self._project.members(main), names)

    def _reach_of_members(self, members: Sequence[SourceFile]) -> Reach | None:
        """By the first standard that the source is written in: C++20 is asked first where it has concepts."""
        return next((reached for one in self._settings(members) if (reached := reach(members, one)) is not None), None)

    def _settings(self, members: Sequence[SourceFile]) -> Sequence[ParseOptions]:
        """For each standard to try; none where there is no unit to parse."""
        given = self._options
        if not members or not given.parse or _is_loose(members[0]):
            return []
        given = given.of_unit(members[0].path, self._project.all_includes(members[0].path))
        standards = [given.standard, *([NEXT_STANDARD] if given.standard == USUAL_STANDARD else ())]
        if any(member.has_concepts for member in members):
            standards.reverse()
        return [replace(given, standard=one).of_parse for one in standards]

    def of(self, unit: Unit, main: Path) -> Facts:
        """Everything that passes are told of a file, as a part of the unit that `main` makes."""
        whole = self.unit(main)
        differs = main != unit.path and self._differ(unit.path)
        facts = Facts(
            mirrored=whole.roles.mirrored,
            named_barriers=whole.roles.named_barriers,
            warpgroups=whole.roles.warpgroups,
            counts_in_headers=self._counts_in_headers(main),
            meeting=whole.roles.meeting,
            clusters=whole.clusters,
            cluster_shadows=whole.cluster_shadows,
            kind_dependent=kind_dependent(self._project, unit.path) if differs else frozenset(),
            elsewhere=self._elsewhere(main),
            unclear_asm=self._unclear_asm(unit.path),
            idle_clusters=whole.idle_clusters,
            named_elsewhere=self._named_elsewhere(unit.path, main),
            mentioned=whole.mentioned,
            early_launches=any(member.has(_EARLY) for member in self._project.members(main)),
        )
        if not whole.roles.mirrored:
            return facts
        named = named_in(self._kernels(unit.path), self._others(unit.path, main))
        return replace(facts, plain=plain_kernels(replace(unit, facts=facts), self._project.members(main), named))

    def digest(self, path: Path, main: Path) -> str:
        """Changes whenever other units of the project give a file other facts; its own files' contents are not in it."""
        elsewhere = [(name, one.path.name, one.mirrored, one.clusters) for name, one in self._elsewhere(main).items()]
        mirrored = path == main and self.unit(main).roles.mirrored
        named = named_in(self._kernels(path), self._others(path, main)) if mirrored else frozenset()
        counts = self._counts_in_headers(main)
        others = sorted(self._named_elsewhere(path, main))
        return repr((main != path and self._differ(path), sorted(elsewhere), sorted(named), counts, others))

    def _unclear_asm(self, header: Path) -> Mapping[int, tuple[str, ...]]:
        """By where they begin: asm statements of a header that differ between the units that include it, with the texts."""
        source = self._project.file(header)
        if source is None or not self.asm_may_differ(header):
            return {}
        texts_by_start: dict[int, dict[tuple[object, ...], str]] = {}
        contexts = set()
        for main in self._project.includers[header]:
            around = beside(self._project.members(main), source)
            context = asm_context(source.tokens, around)
            if context not in contexts:
                contexts.add(context)
                # What stays open in a unit is no meaning of its own: it may not use the statement.
                for asm in (one for one in find_asm(source.tokens, around) if not one.opaque):
                    texts_by_start.setdefault(asm.start, {})[asm.text, asm.outputs, asm.inputs] = asm.text
        return {start: tuple(dict.fromkeys(one.values())) for start, one in texts_by_start.items() if len(one) > 1}

    def asm_may_differ(self, path: Path) -> bool:
        """Whether several units, each with its own macros, give a header's asm statements their text."""
        source = self._project.file(path)
        if not self._project.together or source is None or b"asm" not in source.data:
            return False
        return len(self._project.includers.get(path, ())) > 1

    def _differ(self, header: Path) -> bool:
        """Whether units of different kinds include a header, which is a part of its port then."""
        source = self._project.file(header)
        if not self._project.together or source is None or not kinds_matter(source):
            return False
        mains = [main for main in self._project.includers.get(header, ()) if main.suffix == ".cu"]
        return len({self.unit(main).kind for main in mains}) > 1

    def _counts_in_headers(self, main: Path) -> bool:
        """Whether a header of the unit has kernels and is ported for another unit, with memory for barriers or counts."""
        if main not in self._counts:
            self._counts[main] = self._project.together and self._headers_count(main)
        return self._counts[main]

    def _headers_count(self, main: Path) -> bool:
        headers = [member.path for member in self._project.members(main)[1:] if member.has(_KERNEL)]
        others = {one for path in headers for one in self._project.includers.get(path, ()) if one.suffix == ".cu"}
        roles_of_others = (self.unit(other).roles for other in others - {main})
        return any(roles.named_barriers or roles.warpgroups for roles in roles_of_others)

    def _elsewhere(self, main: Path) -> Mapping[str, Elsewhere]:
        """By name: kernels that the unit's files declare, and a file that is not of them defines."""
        if main not in self._defined_elsewhere:
            others_kernels = defined_elsewhere(self._project, self._project.members(main))
            self._defined_elsewhere[main] = {
                name: Elsewhere(p, *self.unit(p).kind) for name, p in others_kernels.items()
            }
        return self._defined_elsewhere[main]

    def _kernels(self, path: Path) -> frozenset[str]:
        source = self._project.file(path)
        if source is None or b"__global__" not in source.data:
            return frozenset()
        return frozenset(f.name for f in source.scopes.functions if f.kernel and f.body[0] >= 0)

    def _named_elsewhere(self, path: Path, main: Path) -> frozenset[str]:
        """What a file that is widened defines and other files name: the unit's, and others that do not define it."""
        source = self._project.file(path)
        if self._options.warp == 32 or source is None or path != main or not source.has(_KERNEL):
            return frozenset()
        if path not in self._named:
            functions = {f.name for f in source.scopes.functions if f.device and f.body[0] >= 0}
            known = Constants(source.tokens).definitions.values()
            constants = {one.name for several in known for one in several if one.scope[0] == 0}
            names: set[str] = set()
            for other in self._project.members(path)[1:]:
                names |= (functions | constants) & other.words
            units = self._project.mains if self._project.together else self._beside(path)
            for other in (file for one in units if one != path and (file := self._project.file(one)) is not None):
                if named := functions & other.words:
                    names |= named - {f.name for f in other.scopes.functions if f.body[0] >= 0}
            self._named[path] = frozenset(names)
        return self._named[path]

    @staticmethod
    def _beside(path: Path) -> list[Path]:
        """The main files in a file's folder."""
        return sorted(one for one in path.parent.iterdir() if one.suffix in MAIN_SUFFIXES)

    def _others(self, path: Path, main: Path) -> list[SourceFile]:
        """Every file in which a kernel of `path` may be named, itself left out."""
        others = [member for member in self._project.members(main) if member.path != path]
        if self._project.together:
            mains = (self._project.file(one) for one in self._project.mains if one != path)
            others += [file for file in mains if file is not None]
        return others


def _is_loose(main: SourceFile) -> bool:
    """A header without a unit: whoever includes it may call all of its functions, and those of its headers."""
    return main.path.suffix not in MAIN_SUFFIXES


def _unit_facts(members: Sequence[SourceFile], rules: RuleSet, reach: Reach) -> UnitFacts:
    clusters = any(has_clusters(member, members, reach) for member in members)
    return UnitFacts(roles(members, rules, reach), clusters, clusters and any(map(has_shadows, members)))
