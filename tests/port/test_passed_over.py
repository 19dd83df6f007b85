"""Nothing of a tree vanishes without a word: what is no file of it is named, and a folder that cannot be read is a failure."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from porter.findings import FileStatus
from porter.port.pipeline import Conversion, Options
from porter.port.runs.plan import plan


def test_each_name_is_ported_or_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = tmp_path / "tree"
    (tree / "sub").mkdir(parents=True)
    (tree / "locked").mkdir()
    (tmp_path / "outside.cuh").write_text("")
    (tree / "a.cu").write_text("int x;\n")
    for name, target in (("inner.cu", "a.cu"), ("gone.cu", "no"), ("out.cuh", "../outside.cuh"), ("dir.cu", "sub")):
        (tree / name).symlink_to(target)
    os.mkfifo(tree / "pipe.cu")
    scan = os.scandir

    def refusing(path: Any) -> Any:
        if Path(path).name == "locked":
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refusing)
    todo = plan([tree], tmp_path / "out", False, Conversion(Options()))
    assert [job.path.name for job in todo.jobs] == ["a.cu", "inner.cu"]
    assert {(Path(one.path).name, one.status, one.problem) for one in todo.failed} == {
        ("gone.cu", FileStatus.PASSED_OVER, "a link that leads nowhere"),
        ("out.cuh", FileStatus.PASSED_OVER, "a link out of the tree"),
        ("dir.cu", FileStatus.PASSED_OVER, "a link to a folder"),
        ("pipe.cu", FileStatus.PASSED_OVER, "no file, but a device, a pipe or a socket"),
        ("locked", FileStatus.FAILED, "cannot be read: Permission denied"),
    }
