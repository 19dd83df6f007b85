"""Every command's help has examples, and each of them is a command that works."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from commands import porter

from porter.cli.app import app
from porter.paths import PACKAGE

CATALOGUE = PACKAGE.parent / "docs" / "guides" / "commands.md"
SOURCE = (
    "\n" * 40 + "__global__ void k(int *x) {\n  x[0] = __any_sync(~0u, x[1]);\n}\n"
)  # explain has an example for line 42


def commands(command: Any, name: str = "porter") -> Iterator[tuple[str, Any]]:
    yield name, command
    for inner, sub in getattr(command, "commands", {}).items():
        yield from commands(sub, f"{name} {inner}")


COMMANDS = dict(commands(typer.main.get_command(app)))


def examples(command: Any) -> list[str]:
    """The command lines in an epilog, without the comments beside them."""
    lines = (command.epilog or "").splitlines()
    return [re.split(r"\s{2,}", line.strip())[0] for line in lines if line.startswith("  porter ")]


EXAMPLES = sorted({line for command in COMMANDS.values() for line in examples(command)})


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "porter bench"])
def test_help_has_an_example(name: str) -> None:
    assert any(line.startswith(name) for line in examples(COMMANDS[name]))


@pytest.mark.parametrize("name", [name for name, command in COMMANDS.items() if not hasattr(command, "commands")])
def test_options_of_long_commands_are_in_panels(name: str) -> None:
    panels = [getattr(parameter, "rich_help_panel", None) for parameter in COMMANDS[name].params]
    assert len(panels) < 12 or panels.count(None) < 6


def test_examples_are_commands_with_options_that_exist() -> None:
    catalogue = [line.partition(" #")[0] for line in CATALOGUE.read_text("utf-8").splitlines()]
    for line in [*EXAMPLES, *(line for line in catalogue if line.startswith("porter "))]:
        words = shlex.split(line)
        name = next(" ".join(words[:count]) for count in (3, 2, 1) if " ".join(words[:count]) in COMMANDS)
        try:
            COMMANDS[name].make_context(name, words[len(name.split()) :]).close()
        except typer.TyperException as error:
            pytest.fail(f"{line}: {error}")


def test_cheap_examples_run(tmp_path: Path) -> None:
    (tmp_path / "kernel.cu").write_text(SOURCE)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "kernel.cu").write_text(SOURCE)
    cheap = ("porter explain", "porter rules", "porter doctor", "porter convert kernel.cu", "porter convert src/ -o")
    lines = [line for line in EXAMPLES if line.startswith(cheap)]
    assert len(lines) > 8
    for line in lines:
        result = porter(*shlex.split(line)[1:], cwd=tmp_path)
        assert result.returncode == 0, f"{line}: {result.stderr}"
