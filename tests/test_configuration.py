"""[tool.porter] of pyproject.toml: where it is found, what it may hold, and what is said of anything else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from porter.configuration import KEYS, configuration
from porter.errors import UsageError
from porter.paths import PACKAGE


def wrong(folder: Path, text: str | bytes) -> UsageError:
    (folder / "pyproject.toml").write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(UsageError) as raised:
        configuration(folder / "a.cu")
    assert str(folder / "pyproject.toml") in raised.value.problem
    assert raised.value.fix
    return raised.value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tool = 3", "[tool] is no table"),
        ("[tool]\nporter = 3", "[tool.porter] is no table"),
        ("[tool.porter]\nrules = [1]", "rules is not a list of strings"),
        ("[tool.porter]\nrules = {a = 1}", "rules is not a list of strings"),
        ("[tool.porter]\nrulez = ['x']", "no key 'rulez'"),
        ("[tool.porter]\nwarp = '64'", "warp is not an integer"),
        ("[tool.porter]\nwarp = true", "warp is not an integer"),
        ("[tool.porter]\ninline = 1", "inline is not true or false"),
        ("[tool.porter]\nstd = ['c++17']", "std is not a string"),
        ('[tool.porter]\nrules = "\\u0000"', "rules has a NUL"),
        ('[tool.porter]\nper-file-ignores = {"a\\u0000.cu" = ["x"]}', "per-file-ignores has a NUL"),
        ("[tool.porter", "pyproject.toml"),
        (b"\xff\xfe", "pyproject.toml"),
    ],
)
def test_what_it_may_not_hold(text: str | bytes, words: str, tmp_path: Path) -> None:
    assert words in wrong(tmp_path, text).problem


def test_unknown_keys_are_answered_with_the_known_ones(tmp_path: Path) -> None:
    assert wrong(tmp_path, "[tool.porter]\nrulez = 'x'").fix == f"known keys: {', '.join(KEYS)}"


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        "[tool.porter]\nrules = 'own'\ninclude = ['a', '/b']\nbuild-dir = 'build'\n"
    )
    settings = configuration(tmp_path / "src" / "deep" / "a.cu")
    assert settings.rules == (tmp_path / "own",)
    assert settings.of("include", ()) == [str(tmp_path / "a"), "/b"]
    assert settings.of("build-dir", "") == str(tmp_path / "build")


def test_a_file_without_the_table_hides_nothing(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.porter]\nwarp = 64\n")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert configuration(tmp_path / "package").of("warp", 32) == 64


def test_a_link_to_itself(tmp_path: Path) -> None:
    (tmp_path / "loop.cu").symlink_to("loop.cu")
    (tmp_path / "pyproject.toml").write_text("[tool.porter]\nwarp = 64\n")
    assert configuration(tmp_path / "loop.cu").of("warp", 32) == 64


def test_every_key_is_in_the_docs() -> None:
    page = (PACKAGE.parent / "docs" / "guides" / "configuration.md").read_text("utf-8")
    assert tuple(re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE)) == KEYS
