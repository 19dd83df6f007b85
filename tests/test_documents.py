"""README and docs: links and paths lead somewhere, commands have their options, the example is real, tables are today's."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import typer

from porter.cli.app import app
from porter.paths import PACKAGE

ROOT = PACKAGE.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
SUFFIXES = {".py", ".md", ".toml", ".tbl", ".isa", ".h", ".c", ".cpp", ".csv", ".json"}
KERNEL = ROOT / "reference_kernels" / "hopper_gemm_basic"


def anchors(page: Path) -> set[str]:
    """The headings of a page, as GitHub names them in links."""
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)", page.read_text("utf-8"), re.MULTILINE)
    }


def broken_links(page: Path) -> list[str]:
    broken = []
    for link in re.findall(r"\]\(([^)#\s]*(?:#[^)\s]*)?)\)", page.read_text("utf-8")):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not link.startswith("https://") and not (target.exists() and (not anchor or anchor in anchors(target))):
            broken.append(f"{page.relative_to(ROOT)}: {link}")
    return broken


def test_links_lead_somewhere() -> None:
    assert not [link for page in PAGES for link in broken_links(page)]


def test_pages_that_sources_name_exist() -> None:
    folders = ("porter", "rules", "tests", "docs", "benchmarks", "reference_kernels", ".ci")
    sources = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
    missing = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in (*sources, *ROOT.glob("*.md"), ROOT / "action.yml", ROOT / "pyproject.toml")
        for name in re.findall(
            r"\bdocs/[a-z][a-z/-]*\.(?:md|png|svg|toml)\b", path.read_text("utf-8", errors="replace")
        )
        if not (ROOT / name).is_file()
    }
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


def unknown_options(line: str) -> set[str]:
    """What a command of a page gives that porter has not: options, or a command."""
    words = shlex.split(line, comments=True)[1:]
    command: Any = typer.main.get_command(app)
    while words and getattr(command, "commands", None) and not words[0].startswith("-") and words[0].islower():
        if words[0] not in command.commands:
            return {words[0]}
        command = command.commands[words.pop(0)]
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    own = words[: words.index("--")] if "--" in words else words
    return {word.partition("=")[0] for word in own if word.startswith("-")} - known - {"-h", "--help"}


def test_options_of_commands_exist() -> None:
    lines = {line: page for page in PAGES for line in commands(page.read_text("utf-8"))}
    wrong = {f"{page.relative_to(ROOT)}: {line}": unknown_options(line) for line, page in lines.items()}
    assert len(lines) > 100
    assert not {line: options for line, options in wrong.items() if options}


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
