"""README and docs: links and paths lead somewhere, commands have their options, the example is real, tables are today's."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from porter.cli.app import app
from porter.paths import PACKAGE

ROOT = PACKAGE.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
KERNEL = ROOT / "reference_kernels" / "hopper_gemm_basic"


def anchors(page: Path) -> set[str]:
    """The headings of a page, as GitHub names them in links."""
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)", page.read_text("utf-8"), re.MULTILINE)
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#\s]*(?:#[^)\s]*)?)\)", page.read_text("utf-8")):
        if not link.startswith(("https://", "http://")):
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), link
            assert not anchor or anchor in anchors(target), link


def test_pages_that_sources_name_exist() -> None:
    listed = subprocess.run(
        ["git", "grep", "-hoIE", r"docs/[a-z][a-z/-]*\.(md|png|svg|toml)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    missing = {name for name in listed.stdout.split() if not (ROOT / name).is_file()}
    assert not missing


def commands(text: str) -> set[str]:
    """What pages tell their readers to type: lines of code blocks, and inline code, that begin with porter."""
    blocks = "\n".join(re.findall(r"^```\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    inline = re.findall(r"`(porter [^`]*)`", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))
    return {
        line
        for line in (*blocks.splitlines(), *(" ".join(code.split()) for code in inline))
        if line.startswith("porter ")
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_options_of_commands_exist(page: Path) -> None:
    root: Any = typer.main.get_command(app)
    for line in commands(page.read_text("utf-8")):
        words = shlex.split(line, comments=True)[1:]
        command = root
        while words and getattr(command, "commands", None) and not words[0].startswith("-") and words[0].islower():
            assert words[0] in command.commands, line
            command = command.commands[words.pop(0)]
        known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
        given = {
            word.partition("=")[0]
            for word in words[: words.index("--") if "--" in words else None]
            if word.startswith("-")
        }
        assert given <= known | {"-h", "--help"}, line


def test_readme_shows_a_real_port() -> None:
    diff = re.findall(r"^```diff\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)[0]
    for sign, source in (("-", "hopper_gemm_basic.cu"), ("+", "hopper_gemm_basic.hip")):
        lines = "".join(line[1:] for line in diff.splitlines(keepends=True) if line.startswith(sign))
        assert lines in (KERNEL / source).read_text("utf-8")


def test_readme_has_the_words_of_the_report() -> None:
    quoted = " ".join(
        line[2:] for line in (ROOT / "README.md").read_text("utf-8").splitlines() if line.startswith("> ")
    )
    reason = re.findall(r"\((.*?)\)", quoted)[0]
    assert reason in (ROOT / "rules" / "ptx" / "async.tbl").read_text("utf-8")


def test_pages_stay_short() -> None:
    words = {page: len(page.read_text("utf-8").split()) for page in PAGES}
    assert words[ROOT / "README.md"] <= 900
    assert sum(number for page, number in words.items() if "docs" in page.parts[len(ROOT.parts) :]) <= 25_000


def test_tables_are_those_of_the_results() -> None:
    ran = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "tables.py", "--check"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, f"python benchmarks/tables.py draws them anew\n{ran.stdout}{ran.stderr}"
