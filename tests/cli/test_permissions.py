"""A user who is not root: closed folders and files, a home that cannot be written, none at all, a cache that is everybody's.

Root does as others where it has no capabilities: tests that run as root give them away before porter starts.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from commands import give_up_privileges, porter
from test_cli import Done, files_in, one_line_for, write

if not hasattr(os, "geteuid"):
    pytest.skip("NOT RUN: permissions of POSIX", allow_module_level=True)

KERNEL = """__global__ void k(float *y, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
extern "C" void scale(float *y, const float *x, int n) { k<<<(n + 127) / 128, 128>>>(y, x, n); }
"""
CASE = """import torch
SHAPES = [dict(n=64)]
VALUES = ("normal",)
def inputs(n): return {"x": torch.randn(n)}
def reference(x): return {"y": 2 * x}
"""
PROGRAM = "#include <hip/hip_runtime.h>\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); return hipDeviceSynchronize(); }\n"


def run(*words: object, cwd: Path, **environment: str) -> Done:
    """What porter says to a user without privileges; variables that are "" are not set."""
    own = {name: text for name, text in os.environ.items() if name not in ("PORTER_DEBUG", "FORCE_COLOR", "COLUMNS")}
    own |= {"PYTHONPATH": str(Path(__file__).resolve().parents[2]), **environment}
    own = {name: text for name, text in own.items() if text}
    if words[0] == "verify":
        command = [sys.executable, "-m", "porter", *map(str, words)]
        done = subprocess.run(
            command, cwd=cwd, env=own, capture_output=True, text=True, preexec_fn=give_up_privileges, check=False
        )
    else:
        done = porter(*words, cwd=cwd, env=own, privileged=False)
    assert "Traceback" not in done.stdout + done.stderr and "internal error" not in done.stderr, done.stderr
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def closed(tmp_path: Path) -> Iterator[Path]:
    """A folder that its owner cannot open, with a source in it."""
    folder = tmp_path / "tree" / "closed"
    write(folder, a_DOT_cu=KERNEL, a_DOT_hip=PROGRAM, case_DOT_py=CASE)
    folder.chmod(0)
    test = subprocess.run(["ls", str(folder)], preexec_fn=give_up_privileges, capture_output=True, check=False)
    if test.returncode == 0:
        pytest.skip("NOT RUN: this system does not let root give its capabilities away")
    yield folder
    folder.chmod(0o700)


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "read-only"
    folder.mkdir(mode=0o500)
    yield folder
    folder.chmod(0o700)


def test_what_cannot_be_read_in_a_tree_is_named_and_the_rest_is_ported(closed: Path, tmp_path: Path) -> None:
    write(tmp_path, tree__good_DOT_cu=KERNEL, tree__unread_DOT_cu=KERNEL)
    tree = closed.parent
    (tree / "unread.cu").chmod(0)
    for name, target in (("dangling.cu", "nowhere.cu"), ("out", "/etc"), ("outfile.h", "/etc/hostname")):
        (tree / name).symlink_to(target)
    result = run("convert", "tree", cwd=tmp_path)
    assert result.code == 2
    assert "porter: tree/closed: cannot be read: Permission denied" in result.err
    assert "porter: tree/unread.cu: cannot be read" in result.err
    for said in (
        "dangling.cu: neither ported nor copied: a link that leads nowhere",
        "out: neither ported",
        "outfile.h: neither",
    ):
        assert said in result.out
    assert files_in(tmp_path / "tree-hip") == ["good.hip"]


COMMANDS = [
    ("convert", "a.cu"), ("convert", "a.cu", "--check"), ("verify", "a.cu"), ("run", "a.hip"), ("asm", "a.hip"),
    ("build", "--genco", "a.hip"), ("explain", "a.cu:1"), ("trace", "a.hip"), ("convert", ""),
]  # fmt: skip


@pytest.mark.slow
def test_paths_behind_a_closed_folder(closed: Path, tmp_path: Path) -> None:
    write(tmp_path, b_DOT_cu=KERNEL)
    for command, *options, name in COMMANDS:
        result = run(command, *options, closed / name, cwd=tmp_path)
        assert result.code == 2, (command, result.out, result.err)
        assert str(closed) in result.err.replace("\n", "") or "closed" in result.err, (command, result.err)
    for option in ("-I", "--rules", "-p", "--baseline"):
        result = run("convert", "b.cu", "--check", option, closed / "x", cwd=tmp_path)
        assert result.code == 2 and "closed/x" in result.err, (option, result.out, result.err)


def test_a_closed_folder_of_headers_is_named(closed: Path, tmp_path: Path) -> None:
    write(tmp_path, b_DOT_cu=KERNEL)
    result = run("convert", "b.cu", "-I", closed, cwd=tmp_path)
    assert result.code == 2
    one_line_for(result, "tree/closed", "Permission denied")
    assert not (tmp_path / "b.hip").exists()


def test_a_closed_configuration_is_named(closed: Path, tmp_path: Path) -> None:
    write(tmp_path, b_DOT_cu=KERNEL, pyproject_DOT_toml="[tool.porter]\nwarp = 64\n")
    (tmp_path / "pyproject.toml").chmod(0)
    result = run("convert", "b.cu", cwd=tmp_path)
    assert result.code == 2
    one_line_for(result, "pyproject.toml: cannot be read: Permission denied", "check its permissions")


def test_cases_that_cannot_be_read_fail_a_verification(closed: Path, tmp_path: Path) -> None:
    write(tmp_path, tree__good__a_DOT_cu=KERNEL, tree__good__case_DOT_py=CASE, tree__unread__a_DOT_cu=KERNEL)
    write(tmp_path, tree__unread__case_DOT_py=CASE, tree__source__a_DOT_cu=KERNEL, tree__source__case_DOT_py=CASE)
    (tmp_path / "tree/unread/case.py").chmod(0)
    (tmp_path / "tree/source/a.cu").chmod(0)
    result = run("verify", "tree", cwd=tmp_path)
    assert result.code == 1
    assert "tree/closed: cannot be read: Permission denied; check its permissions" in result.out
    assert "tree/unread/case.py: cannot be read: Permission denied; check its permissions" in result.out
    assert "tree/source/a.cu: cannot be read; check its permissions" in result.out
    assert "3 of 4 runs failed, 1 passed" in result.out


def test_nothing_half_written_where_nothing_can_be_written(read_only: Path, closed: Path, tmp_path: Path) -> None:
    write(tmp_path, a_DOT_cu=KERNEL, case_DOT_py=CASE, p_DOT_hip=PROGRAM)
    for command in (
        ("convert", "a.cu", "-o", read_only / "a.hip"), ("convert", "a.cu", "--check", "--report", read_only / "r.md"),
        ("verify", "a.cu", "--report", read_only / "r.md"), ("run", "p.hip", "--json", read_only / "r.json"),
        ("build", "--genco", "p.hip", "-o", read_only / "p.co"), ("convert", "a.cu", "--baseline", read_only / "b.json", "--update-baseline"),
    ):  # fmt: skip
        result = run(*command, cwd=tmp_path)
        assert result.code == 2 and "Permission denied" in result.err, (command, result.out, result.err)
        assert [*read_only.iterdir()] == []
    source = read_only / "b.cu"
    read_only.chmod(0o700)
    source.write_text(KERNEL)
    read_only.chmod(0o500)
    result = run("convert", source, cwd=tmp_path)
    assert result.code == 2 and "b.hip: cannot be written: Permission denied" in result.err
    assert files_in(read_only) == ["b.cu"]


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose name leaves room for a socket's."""
    with tempfile.TemporaryDirectory(prefix="porter-", dir="/tmp") as folder:
        yield Path(folder)


def test_a_folder_for_temporary_files_with_a_long_name(tmp_path: Path) -> None:
    write(tmp_path, a_DOT_cu=KERNEL, case_DOT_py=CASE)
    long = tmp_path / ("long" * 20)
    long.mkdir()
    result = run("verify", "a.cu", cwd=tmp_path, TMPDIR=str(long))
    assert result.code == 2 and "too long a name for a socket" in result.err and "TMPDIR=/tmp" in result.err


@pytest.mark.slow
def test_homes_that_are_no_place_for_a_cache(read_only: Path, cache: Path, short: Path, tmp_path: Path) -> None:
    """One that cannot be written, one that does not exist, and none."""
    write(tmp_path, a_DOT_cu=KERNEL, case_DOT_py=CASE, p_DOT_hip=PROGRAM)
    folder = short / f"porter-{os.geteuid()}"
    folder.mkdir(mode=0o700, parents=True)
    for path in cache.iterdir():  # what the session has made already
        if path.suffix != ".lock":
            (folder / path.name).symlink_to(path)
    where = {"HOME": str(read_only), "TMPDIR": str(folder.parent), "PORTER_CACHE": "", "XDG_CACHE_HOME": ""}
    for command in (("convert", "a.cu"), ("verify", "a.cu")):
        result = run(*command, cwd=tmp_path, **where)
        assert result.code == 0, (command, result.out, result.err)
    homes = [str(read_only), str(read_only / "none")] + [""] * (not os.access(Path.home(), os.W_OK))
    for home in homes:
        result = run("run", "p.hip", cwd=tmp_path, **where | {"HOME": home})
        assert result.code == 0, (home, result.out, result.err)
    said = run("doctor", cwd=tmp_path, **where).out
    assert f"{folder} ({read_only}/.cache/porter cannot be written)" in said
    assert [*read_only.iterdir()] == []


def test_a_cache_that_others_can_write_is_used_by_no_command(tmp_path: Path) -> None:
    write(tmp_path, a_DOT_cu=KERNEL, case_DOT_py=CASE, p_DOT_hip=PROGRAM)
    everybodys = tmp_path / "everybodys"
    everybodys.mkdir()
    everybodys.chmod(0o777)
    for command in (("convert", "a.cu"), ("run", "p.hip"), ("doctor",), ("verify", "a.cu")):
        result = run(*command, cwd=tmp_path, PORTER_CACHE=str(everybodys))
        assert result.code != 0 and "can be written by others" in result.out + result.err, (command, result.err)
    assert [*everybodys.iterdir()] == []
