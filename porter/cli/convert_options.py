"""What `porter convert` takes: values that an option does not have are named before anything is done."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from porter.chip import CHIPS
from porter.errors import UsageError
from porter.frontend.unit import Options

if TYPE_CHECKING:
    from porter.port.pipeline import Conversion

__all__ = ["baseline_of", "check_options", "check_rules", "given_options"]

_STANDARD = re.compile(r"(?:c|gnu)\+\+(?:98|03|0x|11|1y|14|1z|17|2a|20|2b|23|2c|26)")
_MACRO = re.compile(r"[A-Za-z_]\w*(?:=|\(|$)")


def given_options(context: typer.Context) -> frozenset[str]:
    """The parameters that the command line names."""
    sources = ((name, context.get_parameter_source(name)) for name in context.params)
    return frozenset(name for name, source in sources if source is not None and source.name == "COMMANDLINE")


def baseline_of(given: Path | str | None, update: bool) -> tuple[Path, Mapping[str, str]] | None:
    """The place of the baseline, and what it lists; None without one."""
    from porter.report.facts.baseline import read_baseline

    if given is None:
        if update:
            raise UsageError("--update-baseline names no file", "add --baseline FILE")
        return None
    return Path(given), {} if update else read_baseline(Path(given))


def check_options(options: Options, jobs: int) -> None:
    """Raises UsageError for values that no option has, and says what a wanted compiler lacks."""
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
        ("oversize", options.oversize, ("device-memory", "left"), "unknown"),
        ("runtime", options.runtime, ("copy", "include"), "unknown"),
    )
    for name, value, known, problem in choices:
        if value not in known:
            mend = " or ".join(f"--{name} {one}" for one in known)
            raise UsageError(f"--{name} {value}: {problem}", f"give {mend}")
    if options.inline and options.schedule != "native":
        raise UsageError(
            "--inline has no effect without --schedule native", "give --schedule native, or leave --inline out"
        )
    if options.resources:
        from porter.toolchain.compilers import compilers

        compilers()  # says what is missing


def check_rules(conversion: Conversion) -> None:
    """Raises UsageError for the id of a rule that there is not."""
    options, known = conversion.options, conversion.rules.rules
    listed = (rule for _, rules in options.per_file_ignores for rule in rules)
    for rule in (*options.select, *options.ignore, *listed):
        if rule not in known:
            near = difflib.get_close_matches(rule, known, 3)
            mend = f"did you mean {' or '.join(near)}?" if near else "porter rules lists all of them"
            raise UsageError(f"no rule '{rule}' to select or ignore", mend)
