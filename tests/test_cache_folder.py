"""The cache holds programs that are run and parses that are believed: no folder is used that somebody else can write to."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from porter import cache_folder
from porter.cache_folder import cache_dir, distrusted, one_at_a_time
from porter.errors import UsageError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of the test's own, with a folder for temporary files, and no PORTER_CACHE."""
    (tmp_path / "home").mkdir(mode=0o700)
    (tmp_path / "tmp").mkdir(mode=0o700)
    monkeypatch.setenv("PORTER_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home/.cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    monkeypatch.setattr("sys.platform", "linux")
    cache_dir.cache_clear()
    yield tmp_path / "home"
    cache_dir.cache_clear()


def fallback(home: Path) -> Path:
    return home.parent / "tmp" / f"porter-{os.geteuid()}"


def test_the_usual_folder_is_the_users_alone(home: Path) -> None:
    assert cache_dir() == home / ".cache/porter"
    assert cache_dir().stat().st_mode & 0o777 == 0o700 and not distrusted()


@pytest.mark.parametrize("which", ["", ".cache", ".cache/porter"])
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o1777])
def test_a_folder_at_home_that_others_can_write_is_not_used(home: Path, which: str, mode: int) -> None:
    (home / ".cache/porter").mkdir(parents=True)
    (home / which).chmod(mode)
    assert "can be written by others" in distrusted()
    assert cache_dir() == fallback(home) and cache_dir().stat().st_mode & 0o777 == 0o700
    (home / which).chmod(0o755)
    cache_dir.cache_clear()
    assert cache_dir() == home / ".cache/porter"


@pytest.mark.parametrize("mode", [0o777, 0o755])
def test_a_temporary_folder_that_is_not_the_users_alone(home: Path, mode: int) -> None:
    home.chmod(0o777)
    fallback(home).mkdir()
    fallback(home).chmod(mode)
    made = cache_dir()
    assert made != fallback(home) and made.parent == home.parent / "tmp"
    assert made.stat().st_mode & 0o777 == 0o700 and os.environ["PORTER_CACHE"] == str(made)


def test_a_temporary_folder_that_is_a_link(home: Path) -> None:
    home.chmod(0o777)
    (home.parent / "elsewhere").mkdir(mode=0o700)
    fallback(home).symlink_to(home.parent / "elsewhere")
    assert cache_dir() not in (fallback(home), home.parent / "elsewhere")


def test_folders_of_another_user(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / ".cache/porter").mkdir(parents=True)
    uid = os.geteuid()
    if uid == 0:  # what is root's is trusted
        os.chown(home / ".cache/porter", 12345, -1)
        os.mkdir(fallback(home), 0o700)
        os.chown(fallback(home), 12345, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: uid + 1)
    assert "belongs to another user" in distrusted()
    assert cache_dir().parent == home.parent / "tmp" and cache_dir().name != f"porter-{uid}"


def test_a_folder_that_the_user_names_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = home / "named"
    monkeypatch.setenv("PORTER_CACHE", str(named))
    assert cache_dir() == named and named.stat().st_mode & 0o777 == 0o700
    named.chmod(0o777)
    cache_dir.cache_clear()
    with pytest.raises(UsageError, match="can be written by others") as caught:
        cache_dir()
    assert f"chmod go-w {named}" in caught.value.fix


def test_a_lock_goes_through_no_link_and_leaves_what_is_there(home: Path) -> None:
    victim = home / "victim"
    victim.write_text("precious")
    (cache_dir() / "headers.lock").symlink_to(victim)
    (cache_dir() / "own.lock").write_text("kept")
    for name in ("headers", "own", "new"):
        with one_at_a_time(name):
            pass
    assert victim.read_text() == "precious" and (cache_dir() / "own.lock").read_text() == "kept"
    assert (cache_dir() / "new.lock").stat().st_mode & 0o777 == 0o600


def test_the_temporary_folder_goes_with_its_process(tmp_path: Path) -> None:
    for owner, stays in ((os.getpid() + 1, True), (os.getpid(), False)):
        folder = tmp_path / "made"
        folder.mkdir(exist_ok=True)
        cache_folder._removed(folder, owner)
        assert folder.exists() == stays


def test_the_emulators_compiler_keeps_nothing_in_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """zig would, and ends where the home is read-only."""
    from porter.emu.build import _run

    monkeypatch.delenv("ZIG_GLOBAL_CACHE_DIR", raising=False)
    code = "import os, pathlib; pathlib.Path('said').write_text(os.environ['ZIG_GLOBAL_CACHE_DIR'])"
    _run([sys.executable, "-c", code], tmp_path)
    assert Path((tmp_path / "said").read_text()).is_relative_to(cache_dir())
