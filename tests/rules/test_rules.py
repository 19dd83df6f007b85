"""Every rule file is a test: its examples before and after, and the sources it must leave alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from porter.findings import FilePort, FileStatus, Safety, encode
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.building.compiled import with_build
from porter.port.jobs import Job, Plan
from porter.port.pipeline import Conversion, port_source
from porter.rules import Example, Rule, load_rules

RULES = load_rules()
CUDA_RULES = [r for r in RULES.rules.values() if r.language == "cuda" and r.group != "names"]
EXAMPLES = [pytest.param(r, e, id=f"{r.id}-{i}") for r in CUDA_RULES for i, e in enumerate(r.examples)]
UNCHANGED = [pytest.param(r, e, id=f"{r.id}-{i}") for r in CUDA_RULES for i, e in enumerate(r.unchanged)]

_INSERTED = re.compile(r'#include (?:<hip/hip_runtime\.h>|"porter/[a-z_0-9/]+\.h")\n')


def port(example: Example, folder: Path) -> FilePort:
    path = folder / "example.cu"
    path.write_bytes(example.before.encode("latin-1"))
    # a fragment is no translation unit: only its tokens mean anything
    whole = "{" in example.before or example.before.startswith("#")
    options = Options(
        warp=int(example.options.get("warp", 32)),
        schedule=str(example.options.get("schedule", "faithful")),
        kittens=str(example.options.get("kittens", "faithful")),
        oversize=str(example.options.get("oversize", "device-memory")),
        standard=str(example.options.get("standard", "c++17")),
        runtime="include",
        parse=whole,
    )
    result = port_source(Project(folder), path, "example.hip", options, dict(example.options.get("renames", {})))
    assert result.status in (FileStatus.PORTED, FileStatus.UNCHANGED), result.problem
    return compiled(result, path, options) if example.options.get("build") else result


def compiled(result: FilePort, path: Path, options: Options) -> FilePort:
    """The port with what the compiler says of it."""
    job = Job(path, path.with_suffix(".hip"), path.name, "source", path.parent)
    job.output.write_bytes(encode(result.port))
    return with_build(Plan((job,), (), ()), [result], Conversion(options), {}, 1)[0]


def shown(result: FilePort, example: Example) -> str:
    # Examples are about one site; the headers that a port gains are the business of one rule.
    return result.port if example.options.get("includes") else _INSERTED.sub("", result.port)


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_example(rule: Rule, example: Example, tmp_path: Path) -> None:
    assert shown(port(example, tmp_path), example) == example.after


@pytest.mark.parametrize(("rule", "example"), UNCHANGED)
def test_unchanged(rule: Rule, example: Example, tmp_path: Path) -> None:
    assert [f for f in port(example, tmp_path).findings if f.rule == rule.id] == []


def test_unchanged_sources_are_ported_with_their_options(tmp_path: Path) -> None:
    rule = RULES.rules["warp-widen"]
    widened = rule.examples[0]
    assert widened.options == {"warp": 64}
    with pytest.raises(AssertionError):
        test_unchanged(rule, Example(widened.before, widened.before, widened.options), tmp_path)


@pytest.mark.parametrize("rule", CUDA_RULES, ids=lambda r: r.id)
def test_every_rule_shows_where_it_fires_and_where_not(rule: Rule) -> None:
    assert rule.retired or (rule.examples and rule.unchanged)
    assert len(rule.why) > 60


def test_a_table_of_names_has_no_reason_but_those_of_its_rows() -> None:
    """A sentence that is true of every name of a library says nothing of one."""
    tables = [rule for rule in RULES.rules.values() if rule.rows and not rule.examples]
    assert tables and not any(rule.why for rule in tables)
    assert all(row.note for rule in tables for row in rule.rows if row.safety is not Safety.EXACT)
