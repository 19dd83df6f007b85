"""What `porter convert` does: the command line's options over those of pyproject.toml, checked before anything is done."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from porter.chip import CHIPS, SCHEDULED
from porter.cli.convert_request import ConvertRequest
from porter.configuration import Configuration, configuration
from porter.errors import UsageError
from porter.frontend.unit import Options
from porter.port.runs.configured import FIELDS, configured_options, with_includes
from porter.settings import FileFlags, compile_commands, cuda_path
from porter.toolchain.compilers import compilers

if TYPE_CHECKING:
    from porter.port.pipeline import Conversion
    from porter.report import Choices

__all__ = ["Settings", "check_rules", "settings_of"]

_STANDARD = re.compile(r"(?:c|gnu)\+\+(?:98|03|0x|11|1y|14|1z|17|2a|20|2b|23|2c|26)")
_MACRO = re.compile(r"[A-Za-z_]\w*(?:=|\(|$)")


@dataclass(frozen=True, slots=True)
class Settings:
    """What a conversion does beside its `options`: the command line's word, pyproject.toml's where it says nothing."""

    options: Options
    workers: int
    form: str
    docs_base: str
    choices: Choices
    reports: tuple[Path, ...]
    baseline: tuple[Path, Mapping[str, str]] | None  # its place, and what it lists
    commands: Mapping[Path, FileFlags]  # of compile_commands.json
    strict: bool


def settings_of(request: ConvertRequest) -> Settings:
    """The settings of a request. Raises UsageError for values that exclude each other or that no option has."""
    from porter.report import Choices

    output, checks, reports = request.output, request.checks, request.reports
    if checks.build and reports.diff:
        raise UsageError("--diff compiles nothing", "give --check --build, or leave --diff out")
    if sum((output.in_place, reports.diff, checks.check)) > 1 or (output.in_place and output.out):
        raise UsageError("--in-place, --diff, --check and -o exclude each other", "give one of them")
    team = configuration(request.paths[0])
    options = _options(request, team)
    workers = request.given.get("jobs", team.of("jobs", 0))
    links = reports.links.link_base or team.of("link-base", "")
    settings = Settings(
        options=options,
        workers=workers or os.cpu_count() or 1,
        form=request.given.get("form", team.of("format", reports.form)),
        docs_base=reports.links.docs_base or team.of("docs-base", ""),
        choices=Choices(reports.links.sarif_exact or team.of("sarif-exact", False), links),
        reports=tuple(reports.report or map(Path, team.of("report", ()))),
        baseline=None,
        commands={},
        strict=checks.strict or team.of("strict", False),
    )
    _check_reports(settings, output.force)
    _check_options(options, workers)
    baseline = _baseline(checks.baseline or team.of("baseline", None), checks.update_baseline, output.force)
    build_dir = request.headers.build_dir or team.of("build-dir", None)
    commands = compile_commands(Path(build_dir)) if build_dir else {}
    if checks.build:
        compilers()  # says what is missing
    return replace(settings, baseline=baseline, commands=commands)


def _options(request: ConvertRequest, team: Configuration) -> Options:
    headers, given = request.headers, request.given
    options = replace(
        with_includes(configured_options(team), headers.include, headers.isystem),
        **{field: given[name] for name, field in FIELDS.items() if name in given},
    )
    return replace(
        options,
        defines=(*options.defines, *headers.define),
        cuda_path=cuda_path(headers.cuda_path) if headers.cuda_path else options.cuda_path,
        rules=(*options.rules, *(folder.resolve() for folder in request.checks.rules)),
        exclude=(*options.exclude, *request.output.exclude),
        gitignore=given.get("gitignore", team.of("gitignore", True)),
        select=tuple(request.checks.select or options.select),
        ignore=(*options.ignore, *request.checks.ignore),
    )


def _check_reports(settings: Settings, force: bool) -> None:
    from porter.report import TERMINAL_FORMATS, check_addresses, check_place, check_suffix

    check_addresses(settings.docs_base, settings.choices.link_base)
    if settings.form not in TERMINAL_FORMATS:
        raise UsageError(f"--format {settings.form}: unknown", f"one of {', '.join(TERMINAL_FORMATS)}")
    for path in settings.reports:
        check_suffix(path)
        check_place(path, force)


def _baseline(given: Path | str | None, update: bool, force: bool) -> tuple[Path, Mapping[str, str]] | None:
    """The place of the baseline, and what it lists; None without one."""
    from porter.report import check_place
    from porter.report.facts.baseline import read_baseline

    if given is None:
        if update:
            raise UsageError("--update-baseline names no file", "add --baseline FILE")
        return None
    if not update:
        return Path(given), read_baseline(Path(given))
    check_place(Path(given), force)
    return Path(given), {}


def _check_options(options: Options, jobs: int) -> None:
    """Raises UsageError for a value that its option does not take, and names what a needed compiler lacks."""
    if jobs < 0:
        raise UsageError(f"-j {jobs}: fewer than no files at a time", "give -j 1 or more")
    if not _STANDARD.fullmatch(options.standard):
        raise UsageError(f"--std {options.standard}: no C++ standard", "give --std c++17 or --std c++20")
    for define in options.defines:
        if not _MACRO.match(define):
            raise UsageError(f"-D {define}: no name of a macro", "give -D NAME or -D NAME=VALUE")
    choices = (
        ("target", options.target, tuple(CHIPS), f"porter ports to {' and '.join(CHIPS)} only"),
        ("warp", options.warp, (32, 64), "a warp has 32 or 64 lanes"),
        ("schedule", options.schedule, ("faithful", "native"), "unknown"),
        ("kittens", options.kittens, ("faithful", "native"), "unknown"),
        ("oversize", options.oversize, ("device-memory", "refuse"), "unknown"),
        ("runtime", options.runtime, ("copy", "include"), "unknown"),
    )
    for name, value, known, problem in choices:
        if value not in known:
            fix = " or ".join(f"--{name} {one}" for one in known)
            raise UsageError(f"--{name} {value}: {problem}", f"give {fix}")
    if options.schedule == "native" and options.target not in (tuned := [chip.target for chip in SCHEDULED]):
        raise UsageError(
            f"--schedule native: its kernels are tuned for {' and '.join(tuned)}, not for {options.target}",
            f"leave --schedule native out, or give --target {tuned[0]}",
        )
    for name, given in (("inline", options.inline), ("board", options.board)):
        if given and options.schedule != "native":
            raise UsageError(
                f"--{name} has no effect without --schedule native", f"give --schedule native, or leave --{name} out"
            )
    chip = CHIPS[options.target]
    if chip.board(options.board) is None:
        names = ", ".join(board.name for board in chip.boards)
        raise UsageError(f"--board {options.board}: {chip.target} is on no board of this name", f"give one of {names}")
    if options.resources:
        compilers()  # says what is missing


def check_rules(conversion: Conversion) -> None:
    """Raises UsageError for a rule id that is unknown."""
    options, known = conversion.options, conversion.rules.rules
    listed = (rule for _, rules in options.per_file_ignores for rule in rules)
    for rule in (*options.select, *options.ignore, *listed):
        if rule not in known:
            near = difflib.get_close_matches(rule, known, 3)
            fix = f"did you mean {' or '.join(near)}?" if near else "porter rules lists all of them"
            raise UsageError(f"no rule '{rule}' to select or ignore", fix)
