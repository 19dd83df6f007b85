"""Sites that somebody has accepted: by a comment, by rule, by rule in some files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from porter.findings import FilePort, PortReport, Safety
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.leave_out import matches
from porter.port.pipeline import port_source
from porter.report.facts.counts import ACCEPTED
from porter.report.facts.summary import summarize


def port(folder: Path, text: str, options: Options | None = None, name: str = "a.cu") -> FilePort:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    options = replace(options or Options(), parse=False, runtime="include")
    return port_source(Project(folder), path, "a.hip", options, {})


def reasons(result: FilePort) -> list[str]:
    return [f.accepted for f in result.findings if f.rule == "unknown-name"]


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("", "  // porter: ignore[unknown-name] wrapped in compat.h", "wrapped in compat.h"),
        ("", "  /* porter: ignore[unknown-name] wrapped */", "wrapped"),
        ("// porter: ignore[unknown-name]\n\n", "", "a comment in the source"),
        ("/* porter: ignore[warp-vote, unknown-name] seen by us */\n// more\n", "", "seen by us"),
    ],
)
def test_a_comment_accepts_the_sites_of_a_line(before: str, after: str, reason: str, tmp_path: Path) -> None:
    result = port(tmp_path, f"{before}void f() {{ cudaFrobnicate(1); }}{after}\nvoid g() {{ cudaFrobnicate(2); }}\n")
    assert reasons(result) == [reason, ""]
    assert [f.needs_person for f in result.findings if f.rule == "unknown-name"] == [False, True]
    lines = result.port.splitlines()
    (comment,) = (n for n, line in enumerate(lines) if line.startswith("// porter[unknown-name]"))
    assert lines[comment + 1] == "void g() { cudaFrobnicate(2); }"  # the accepted one has none
    assert any("ignore[warp-vote]" in note for note in result.notes) == ("warp-vote" in before)


@pytest.mark.parametrize(
    "comment", ["// porter: ignore", "// porter: ignore[warp-vote]", '"porter: ignore[unknown-name]"']
)
def test_what_accepts_nothing(comment: str, tmp_path: Path) -> None:
    assert reasons(port(tmp_path, f"void f() {{ cudaFrobnicate(1); {comment}\n}}\n")) == [""]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (Options(ignore=("unknown-name",)), "the rule is ignored"),
        (Options(ignore=("warp-vote",)), ""),
        (Options(select=("warp-vote",)), "the rule is not selected"),
        (Options(select=("unknown-name",)), ""),
        (Options(per_file_ignores=(("a.*", ("unknown-name",)),)), "the rule is ignored in a.*"),
        (Options(per_file_ignores=(("deep", ("unknown-name",)),)), "the rule is ignored in deep"),
        (Options(per_file_ignores=(("b.cu", ("unknown-name",)),)), ""),
    ],
)
def test_options_accept_the_sites_of_a_rule(options: Options, reason: str, tmp_path: Path) -> None:
    assert reasons(port(tmp_path, "void f() { cudaFrobnicate(1); }\n", options, "deep/a.cu")) == [reason]


def test_patterns() -> None:
    path = Path("/x/src/deep/a.cu")
    assert matches(path, ["/x/src"]) and matches(path, ["/x/*/a.cu"]) and matches(path, ["de*p"])
    assert not matches(path, ["/x/sr", "ee", "*.cuh", "src/deep"])


def test_accepted_sites_are_counted_apart(tmp_path: Path) -> None:
    result = port(tmp_path, "void f() { cudaFrobnicate(1);  // porter: ignore[unknown-name]\ncudaFrobnicate(2); }\n")
    summary = summarize(PortReport((result,)), {})
    counts = summary.counts
    assert (counts.of(Safety.LEFT), counts.aside(ACCEPTED, Safety.LEFT), counts.open) == (2, 1, 1)
    assert "2 left (1 accepted)" in counts.headline
    first, second = summary.sites(*[f.safety for f in result.findings if f.rule == "unknown-name"][:1])
    assert (first.aside, second.verdict) == ("", "left, accepted: a comment in the source")
