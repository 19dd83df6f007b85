"""The copy of the checkout that CI runs in with a kept cache."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / ".ci" / "checkout.py"


def test_the_copy_has_what_git_has_and_the_old_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clone, copy = tmp_path / "clone", tmp_path / "cache" / "checkout"
    texts = {
        ".ci/checkout.py": SCRIPT.read_text(),
        ".gitignore": "built/\n",
        "a.h": "1",
        "b/b.h": "2",
        "built/x.o": "3",
    }
    for name, text in texts.items():
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        (clone / name).write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=clone, check=True)
    monkeypatch.setattr(sys, "argv", ["checkout.py", str(copy)])

    def run() -> dict[str, str]:
        runpy.run_path(str(clone / ".ci/checkout.py"), run_name="__main__")
        return {str(p.relative_to(copy)): p.read_text() for p in copy.rglob("*.h")}

    assert run() == {"a.h": "1", "b/b.h": "2"}
    assert not (copy / "built").exists()
    times = {name: (copy / name).stat().st_mtime_ns for name in ("a.h", "b/b.h")}
    os.utime(clone / "a.h")
    (clone / "b/b.h").write_text("4")
    (clone / "c.h").write_text("5")
    assert run() == {"a.h": "1", "b/b.h": "4", "c.h": "5"}
    assert (copy / "a.h").stat().st_mtime_ns == times["a.h"]
    (clone / "b/b.h").unlink()
    assert run() == {"a.h": "1", "c.h": "5"}
