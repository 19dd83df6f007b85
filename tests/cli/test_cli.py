"""The installed command, in processes of its own: exit codes, files written, and what it says on bad input."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import porter

KERNEL = """#include <cuda_runtime.h>
__global__ void k(int *p) { *p = __any_sync(0xffffffff, *p); }
int main() {
  int *p;
  cudaMalloc(&p, sizeof(int));
  k<<<1, 32>>>(p);
  return cudaDeviceSynchronize() != cudaSuccess;
}
"""
HOST = "#include <cuda_runtime.h>\nint free_all(int *p) { return cudaFree(p); }\n"
LEFT = "#include <cuda_runtime.h>\nvoid f() { cudaFrobnicate(1); }\n"


class Done:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


Run = Callable[..., Done]


@pytest.fixture
def run(cache: Path, tmp_path: Path) -> Run:
    """Runs porter in tmp_path; whatever happens, a traceback is a failure."""

    def go(*arguments: object, cwd: Path = tmp_path, **more: object) -> Done:
        environment = {k: v for k, v in os.environ.items() if k not in ("PORTER_DEBUG", "FORCE_COLOR", "COLUMNS")}
        environment |= {"PORTER_CACHE": str(cache), "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
        environment |= more.pop("env", {})  # type: ignore[arg-type, operator]
        if more:
            command = [sys.executable, "-m", "porter", *map(str, arguments)]
            how = {"cwd": cwd, "env": environment, "capture_output": True, "text": True, "timeout": 120} | more
            done = subprocess.run(command, check=False, **how)  # type: ignore[call-overload]
        else:
            done = porter(*arguments, cwd=cwd, env=environment, timeout=120)
        result = Done(done.returncode, done.stdout, done.stderr)
        assert "Traceback" not in result.err and "Traceback" not in result.out, result.err
        assert "internal error" not in result.err, result.err
        return result

    return go


@pytest.fixture
def private(cache: Path, tmp_path: Path) -> dict[str, str]:
    """A cache of the test's own that holds no ports yet, only the session's precompiled headers."""
    folder = tmp_path / "private-cache"
    folder.mkdir()
    for path in cache.glob("headers-*"):
        (folder / path.name).symlink_to(path)
    return {"PORTER_CACHE": str(folder)}


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_DOT_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def files_in(folder: Path) -> list[str]:
    """All but what porter remembers of its ports."""
    paths = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
    return sorted(path.as_posix() for path in paths if ".porter" not in path.parts)


def one_line_for(result: Done, *words: str) -> None:
    """Every problem is one line that names the file, and at most one more that names the fix."""
    lines = [line for line in result.err.splitlines() if line.startswith("porter: ")]
    assert len(lines) == 1, result.err
    for word in words:
        assert word in result.err, result.err


# --- what is written where -------------------------------------------------------------------------


def test_file_gives_hip_beside_it(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(KERNEL)
    result = run("convert", "a.cu")
    assert result.code == 0, result.err
    port = (tmp_path / "a.hip").read_text()
    assert "hipMalloc(&p" in port and "cuda" not in port
    assert "porter::any_sync" in port
    assert (tmp_path / "porter" / "warp.h").is_file()
    assert (tmp_path / "a.cu").read_text() == KERNEL


def test_out_names_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(HOST)
    assert run("convert", "a.cu", "-o", "deep/er/b.hip").code == 0
    assert "hipFree" in (tmp_path / "deep/er/b.hip").read_text()
    assert not (tmp_path / "a.hip").exists()


@pytest.mark.parametrize(
    "out",
    [
        "existing",
        "new/",
        "new",
    ],
)
def test_out_names_a_folder(run: Run, tmp_path: Path, out: str) -> None:
    (tmp_path / "existing").mkdir()
    (tmp_path / "a.cu").write_text(HOST)
    assert run("convert", "a.cu", "-o", out).code == 0
    assert (tmp_path / out / "a.hip").is_file()


def test_several_inputs_go_into_one_folder(run: Run, tmp_path: Path) -> None:
    write(tmp_path, a_DOT_cu=HOST, tree__b_DOT_cu=HOST, tree__sub__c_DOT_cuh="#pragma once\ncudaError_t e();\n")
    assert run("convert", "a.cu", "tree", "-o", "out").code == 0
    assert files_in(tmp_path / "out") == ["a.hip", "tree/b.hip", "tree/sub/c.cuh"]


def test_two_inputs_with_one_output_are_refused(run: Run, tmp_path: Path) -> None:
    write(tmp_path, x__a_DOT_cu=HOST, y__a_DOT_cu=HOST)
    result = run("convert", "x/a.cu", "y/a.cu", "-o", "out")
    assert result.code == 2
    one_line_for(result, "y/a.cu", "x/a.cu")


def test_an_input_that_is_given_twice_is_ported_once(run: Run, tmp_path: Path) -> None:
    write(tmp_path, a_DOT_cu=HOST)
    result = run("convert", "a.cu", "./a.cu", tmp_path / "a.cu")
    assert (result.code, result.err) == (0, "")
    assert "1 file: 1 ported" in result.out


def test_folder_gives_a_sister_folder(run: Run, tmp_path: Path) -> None:
    write(
        tmp_path,
        src__main_DOT_cu='#include "lib/k.cuh"\n#include "part.cu"\n' + HOST,
        src__part_DOT_cu="__device__ int part() { return warpSize; }\n",
        src__lib__k_DOT_cuh="#pragma once\n__device__ inline int v(int p) { return __ballot_sync(~0u, p); }\n",
        src__notes_DOT_md="cudaMalloc is mentioned here\n",
    )
    (tmp_path / "src" / "run.sh").write_text("#!/bin/sh\n")
    (tmp_path / "src" / "run.sh").chmod(0o755)
    assert run("convert", "src").code == 0
    out = tmp_path / "src-hip"
    assert '#include "part.hip"' in (out / "main.hip").read_text()
    assert '#include "lib/k.cuh"' in (out / "main.hip").read_text()
    assert '#include "../porter/warp.h"' in (out / "lib/k.cuh").read_text()
    assert (out / "porter/warp.h").is_file()
    assert (out / "notes.md").read_text() == "cudaMalloc is mentioned here\n"
    assert os.access(out / "run.sh", os.X_OK)
    assert not (out / "main.cu").exists()


def test_out_inside_the_tree_is_not_ported_again(run: Run, tmp_path: Path) -> None:
    write(tmp_path, a_DOT_cu=HOST, sub__b_DOT_cu=HOST)
    for _ in range(2):
        assert run("convert", ".", "-o", "hip").code == 0
        files = files_in(tmp_path)
        assert files == ["a.cu", "hip/a.hip", "hip/sub/b.hip", "sub/b.cu"]


def test_current_folder_by_its_dot(run: Run, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    write(tree, a_DOT_cu=HOST)
    assert run("convert", ".", cwd=tree).code == 0
    assert (tmp_path / "tree-hip" / "a.hip").is_file()


def test_in_place(run: Run, tmp_path: Path) -> None:
    write(tmp_path, tree__a_DOT_cu=HOST, tree__b_DOT_h="#pragma once\nvoid f(cudaStream_t s);\n")
    assert run("convert", "--in-place", "tree").code == 0
    assert "hipFree" in (tmp_path / "tree/a.cu").read_text()
    assert "hipStream_t" in (tmp_path / "tree/b.h").read_text()
    assert sorted(p.name for p in (tmp_path / "tree").iterdir()) == ["a.cu", "b.h"]
    write(tmp_path, c_DOT_cu=HOST)
    assert run("convert", "--in-place", "c.cu").code == 0
    assert "hipFree" in (tmp_path / "c.cu").read_text()


def test_headers_of_a_tree_that_are_also_behind_an_option(run: Run, tmp_path: Path) -> None:
    header = "#pragma once\n__device__ inline int one(int x) { return __shfl_sync(-1, x, 0); }\n"
    write(
        tmp_path,
        tree__inc__a_DOT_cuh=header,
        tree__src__k_DOT_cu='#include "a.cuh"\n__global__ void k(int *p) { *p = one(1); }\n',
    )
    result = run("convert", "tree", "-I", "tree/inc")
    assert result.code == 0, result.out + result.err
    assert "tree/src/k.cu: " in result.out
    assert sorted(p.name for p in (tmp_path / "tree-hip").iterdir() if p.name != "porter") == ["inc", "src"]


def test_header_alone_needs_an_output(run: Run, tmp_path: Path) -> None:
    write(tmp_path, a_DOT_cuh="#pragma once\nvoid f(cudaStream_t s);\n")
    result = run("convert", "a.cuh")
    assert result.code == 2
    one_line_for(result, "a.cuh", "-o OUT", "--in-place")
    assert run("convert", "a.cuh", "-o", "b.cuh").code == 0


def test_twice_changes_nothing(run: Run, tmp_path: Path) -> None:
    write(tmp_path, tree__a_DOT_cu=KERNEL, tree__b_DOT_h="#pragma once\nvoid f(cudaStream_t s);\n")
    assert run("convert", "tree").code == 0
    out = tmp_path / "tree-hip"
    first = {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in out.rglob("*") if p.is_file()}
    assert run("convert", "tree").code == 0  # the same input again
    assert {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in out.rglob("*") if p.is_file()} == first
    assert run("convert", "--in-place", "tree-hip").code == 0  # the port itself
    assert {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in out.rglob("*") if p.is_file()} == first


def test_hip_file_is_left_alone(run: Run, tmp_path: Path) -> None:
    text = (
        "#include <hip/hip_runtime.h>\n__global__ void k() {}\nvoid f() { hipDeviceSynchronize(); /* cudaMalloc */ }\n"
    )
    write(tmp_path, a_DOT_cu=text)
    result = run("convert", "a.cu")
    assert result.code == 0
    assert (tmp_path / "a.hip").read_text() == text
    assert "100%" not in result.out
    assert "HIP" in result.out


@pytest.mark.parametrize("option", ["--diff", "--check"])
def test_diff_and_check_write_nothing(run: Run, tmp_path: Path, option: str) -> None:
    write(tmp_path, tree__a_DOT_cu=KERNEL, tree__b_DOT_cu=HOST)
    before = sorted(tmp_path.rglob("*"))
    result = run("convert", option, "tree")
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "tree/a.cu").read_text() == KERNEL
    if option == "--diff":
        assert "-  cudaMalloc(&p, sizeof(int));" in result.out
        assert "+  hipMalloc(&p, sizeof(int));" in result.out
        assert result.code == 0
    else:
        assert result.code == 1


def test_check_passes_what_is_ported(run: Run, tmp_path: Path) -> None:
    write(tmp_path, a_DOT_cu=HOST)
    assert run("convert", "a.cu").code == 0
    assert run("convert", "--check", "a.hip").code == 0
    assert run("convert", "--check", "a.cu").code == 1


def test_diff_can_be_applied(run: Run, tmp_path: Path) -> None:
    if shutil.which("patch") is None:
        pytest.skip("NOT RUN: no patch program")
    (tmp_path / "a.cu").write_bytes(KERNEL.rstrip("\n").encode())
    result = run("convert", "--diff", "a.cu", "-q")
    subprocess.run(["patch", "-s", "-p0", "a.cu"], input=result.out.encode(), cwd=tmp_path, check=True)
    patched = (tmp_path / "a.cu").read_bytes()
    (tmp_path / "a.cu").write_bytes(KERNEL.rstrip("\n").encode())
    assert run("convert", "a.cu").code == 0
    assert patched == (tmp_path / "a.hip").read_bytes()


# --- exit codes and bad input ----------------------------------------------------------------------


def test_exit_code_of_what_is_left(run: Run, tmp_path: Path) -> None:
    write(tmp_path, a_DOT_cu=LEFT)
    result = run("convert", "a.cu")
    assert result.code == 1
    assert "unknown-name" in result.out
    assert "porter[unknown-name]" in (tmp_path / "a.hip").read_text()


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("defined(_WIN32)", 0),
        ("defined(__aarch64__) && defined(OWN)", 0),
        ("0", 0),
        ("CUDA_VERSION < 9000", 0),
        ("__CUDA_ARCH__ >= 1000", 0),
        ("defined(OWN)", 1),
        ("!defined(_WIN32)", 1),
        ("CUDA_VERSION >= 9000", 1),
    ],
)
def test_exit_code_of_what_nobody_compiles(run: Run, tmp_path: Path, condition: str, code: int) -> None:
    write(tmp_path, a_DOT_cu=f"#if {condition}\n{LEFT}\n#endif\n")
    result = run("convert", "a.cu")
    assert result.code == code
    assert "porter[unknown-name]" in (tmp_path / "a.hip").read_text()
    assert ("1 left (1 in code that is not compiled)" in result.out) == (code == 0)


def test_missing_file(run: Run) -> None:
    result = run("convert", "nowhere.cu")
    assert result.code == 2
    one_line_for(result, "nowhere.cu", "no such file")


def test_missing_file_does_not_stop_the_others(run: Run, tmp_path: Path) -> None:
    write(tmp_path, a_DOT_cu=HOST)
    result = run("convert", "nowhere.cu", "a.cu", "-o", "out")
    assert result.code == 2
    one_line_for(result, "nowhere.cu")
    assert (tmp_path / "out/a.hip").is_file()


@pytest.mark.parametrize("content", ["", "readme"])
def test_folder_without_cuda(run: Run, tmp_path: Path, content: str) -> None:
    (tmp_path / "empty").mkdir()
    if content:
        (tmp_path / "empty" / "README.md").write_text("nothing here\n")
    result = run("convert", "empty")
    assert result.code == 2
    one_line_for(result, "empty", "no C++ or CUDA source")
    assert not (tmp_path / "empty-hip").exists()


def test_binary_and_utf16_files(run: Run, tmp_path: Path) -> None:
    write(tmp_path, tree__good_DOT_cu=HOST)
    (tmp_path / "tree/elf.cu").write_bytes(b"\x7fELF\x02\x01\x01\0\0\0cudaMalloc")
    (tmp_path / "tree/wide.cu").write_text(HOST, "utf-16")
    result = run("convert", "tree")
    assert result.code == 2
    complaints = [line for line in result.err.splitlines() if line.startswith("porter: ")]
    assert len(complaints) == 2
    assert "elf.cu" in complaints[0] and "wide.cu" in complaints[1]
    assert "binary" in result.err and "UTF-16" in result.err
    assert "hipFree" in (tmp_path / "tree-hip/good.hip").read_text()
    assert not (tmp_path / "tree-hip/elf.hip").exists()


def test_folder_named_like_a_source(run: Run, tmp_path: Path) -> None:
    write(tmp_path, tree__a_DOT_cu=HOST)
    (tmp_path / "tree/odd.cu").mkdir()
    assert run("convert", "tree").code == 0
    result = run("convert", "tree/odd.cu")
    assert result.code == 2
    one_line_for(result, "odd.cu")


def test_special_file(run: Run, tmp_path: Path) -> None:
    result = run("convert", "/dev/null")
    assert result.code == 2
    one_line_for(result, "/dev/null")


@pytest.mark.parametrize("name", ["empty.cu", "blank.cu"])
def test_empty_file(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("" if name == "empty.cu" else "\n\n")
    result = run("convert", name)
    assert result.code == 0
    assert (tmp_path / name).with_suffix(".hip").read_bytes() == (tmp_path / name).read_bytes()
    assert "100%" not in result.out


def test_names_with_spaces_and_letters_of_all_kinds(run: Run, tmp_path: Path) -> None:
    name = "my kernel [1] über ядро.cu"
    (tmp_path / name).write_text(HOST)
    result = run("convert", name)
    assert result.code == 0
    assert "my kernel [1]" in result.out
    assert (tmp_path / name).with_suffix(".hip").is_file()


def test_include_cycle(run: Run, tmp_path: Path) -> None:
    write(
        tmp_path,
        tree__a_DOT_cu='#include "b.h"\n' + HOST,
        tree__b_DOT_h='#include "c.h"\nvoid b(cudaStream_t);\n',
        tree__c_DOT_h='#include "b.h"\n#include "c.h"\nvoid c(cudaEvent_t);\n',
    )
    assert run("convert", "tree").code == 0
    assert "hipEvent_t" in (tmp_path / "tree-hip/c.h").read_text()


def test_links_out_of_the_tree_and_in_circles(run: Run, tmp_path: Path) -> None:
    write(
        tmp_path,
        tree__a_DOT_cu=HOST,
        tree__sub__real_DOT_cuh="#pragma once\nvoid f(cudaStream_t);\n",
        outside__x_DOT_cu=HOST,
    )
    (tmp_path / "tree/out.cu").symlink_to(tmp_path / "outside/x.cu")
    (tmp_path / "tree/outdir").symlink_to(tmp_path / "outside")
    (tmp_path / "tree/loop").symlink_to(tmp_path / "tree")
    (tmp_path / "tree/self.cu").symlink_to("self.cu")
    (tmp_path / "tree/nowhere.cu").symlink_to("gone.cu")
    (tmp_path / "tree/inner.cuh").symlink_to("sub/real.cuh")
    result = run("convert", "tree")
    assert result.code == 0, result.err
    assert (tmp_path / "outside/x.cu").read_text() == HOST
    files = sorted(p.relative_to(tmp_path / "tree-hip").as_posix() for p in (tmp_path / "tree-hip").rglob("*"))
    assert [f for f in files if "loop" in f or "outdir" in f or f.startswith(("self", "nowhere", "out."))] == []
    for name, why in (
        ("out.cu", "a link out of the tree"), ("outdir", "a link to a folder"), ("loop", "a link to a folder"),
        ("self.cu", "a link that leads nowhere"), ("nowhere.cu", "a link that leads nowhere"),
    ):  # fmt: skip
        assert re.search(rf"tree/{name}.*neither ported nor copied: {why}", result.out), result.out
    assert "5 passed over" in result.out
    assert "a.hip" in files and "inner.cuh" in files


def test_in_place_never_writes_through_a_link(run: Run, tmp_path: Path) -> None:
    write(tmp_path, tree__a_DOT_cu=HOST, outside__x_DOT_cu=HOST)
    (tmp_path / "tree/x.cu").symlink_to(tmp_path / "outside/x.cu")
    assert run("convert", "--in-place", "tree").code == 0
    assert (tmp_path / "outside/x.cu").read_text() == HOST


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--in-place", "--diff"], ["exclude"]),
        (["--in-place", "-o", "x"], ["exclude"]),
        (["--target", "gfx90a"], ["gfx90a", "gfx942"]),
        (["--warp", "48"], ["48"]),
        (["--warp", "many"], ["--warp", "integer"]),
        (["--report", "x.pdf"], ["x.pdf", ".md"]),
        (["--rules", "nowhere"], ["nowhere"]),
        (["--rules", "."], ["holds no rule"]),
        (["-std", "c++99"], ["c++99", "c++17"]),
        (["-j", "-3"], ["-j -3"]),
        (["--format", "xml"], ["--format xml", "github"]),
        (["-D", "3x"], ["3x", "NAME=VALUE"]),
        (["-p", "nowhere"], ["nowhere"]),
        (["--cuda-path", "nowhere"], ["nowhere"]),
        (["--runtime", "link"], ["link"]),
        (["--inline"], ["--inline", "no effect", "--schedule native"]),
        (["--inline", "--schedule", "faithful"], ["--inline", "no effect", "--schedule native"]),
        (["--board", "MI300A"], ["--board", "no effect", "--schedule native"]),
        (["--board", "MI350X", "--schedule", "native"], ["--board MI350X", "gfx942", "MI300X, MI325X, MI300A"]),
        (["--no-such-option"], ["--no-such-option"]),
    ],
)
def test_options_that_make_no_sense(run: Run, tmp_path: Path, arguments: list[str], words: list[str]) -> None:
    write(tmp_path, a_DOT_cu=HOST)
    result = run("convert", "a.cu", *arguments)
    assert result.code == 2
    for word in words:
        assert word in result.err
    assert not (tmp_path / "a.hip").exists()


def test_folder_onto_a_file(run: Run, tmp_path: Path) -> None:
    write(tmp_path, tree__a_DOT_cu=HOST, taken="mine\n")
    result = run("convert", "tree", "-o", "taken")
    assert result.code == 2
    one_line_for(result, "taken")
    assert (tmp_path / "taken").read_text() == "mine\n"


def test_output_below_a_file(run: Run, tmp_path: Path) -> None:
    write(tmp_path, a_DOT_cu=HOST, taken="mine\n")
    result = run("convert", "a.cu", "-o", "taken/b.hip")
    assert result.code == 2
    one_line_for(result, "taken")


def test_full_disk_leaves_nothing_half_written(run: Run, tmp_path: Path) -> None:
    write(tmp_path, big_DOT_cu=HOST + "// filler\n" * 100_000)
    (tmp_path / "big.hip").write_text("an older port\n")

    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    result = run("convert", "big.cu", "--force", preexec_fn=small_files)
    assert result.code == 2
    one_line_for(result, "big.hip", "cannot be written", "-o OUT")
    assert (tmp_path / "big.hip").read_text() == "an older port\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["big.cu", "big.hip"]


def test_report_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    write(tmp_path, a_DOT_cu=HOST)
    result = run("convert", "a.cu", "--report", "nowhere/deep/r.md")
    if result.code == 0:  # the folder was made
        assert (tmp_path / "nowhere/deep/r.md").is_file()
    else:
        assert result.code == 2
        one_line_for(result, "r.md")
    (tmp_path / "taken").write_text("")
    result = run("convert", "a.cu", "--report", "taken/r.md")
    assert result.code == 2
    one_line_for(result, "taken")


@pytest.mark.parametrize("define", ["SMALL", "LONG=" + "1" * 100_000])
def test_ctrl_c(cache: Path, tmp_path: Path, define: str) -> None:
    """Also with options that are longer than a pipe: nothing of them may wait for a worker that has ended."""
    body = "".join(f"__global__ void k{i}(int *p) {{ *p = __any_sync(0xffffffff, *p + {i}); }}\n" for i in range(300))
    for i in range(30):
        (tmp_path / f"f{i}.cu").write_text(f"#include <cuda_runtime.h>\n// file {i}, {os.getpid()}\n{body}")
    environment = {**os.environ, "PORTER_CACHE": str(cache), "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    process = subprocess.Popen(
        [sys.executable, "-m", "porter", "convert", ".", "-o", "out", "-D", define],
        cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    deadline = time.perf_counter() + 30
    while not children.read_text() and time.perf_counter() < deadline:
        time.sleep(0.05)
    time.sleep(1.5)  # so that its workers are at work
    assert process.poll() is None, "too fast to interrupt"
    os.killpg(process.pid, signal.SIGINT)  # what a terminal does: the whole group gets it
    begin = time.perf_counter()
    out, err = process.communicate(timeout=30)
    assert time.perf_counter() - begin < 3, "went on with the files that were still to come"
    assert process.returncode == 130
    assert b"Traceback" not in err and b"Traceback" not in out, err.decode()
    assert b"interrupted" in err
    assert len(err.splitlines()) == 1, err.decode()
    assert all(b"\0" not in p.read_bytes() and p.stat().st_size for p in tmp_path.glob("out/**/*.hip"))


def test_sigterm_leaves_no_temporary_folder(tmp_path: Path) -> None:
    """What `timeout` and schedulers send ends a run as Ctrl-C does; a worker of its own just ends."""
    code = (
        "import os, signal, sys, tempfile, time\n"
        "from porter.cli import app\n"
        "def work(standalone_mode):\n"
        "    with tempfile.TemporaryDirectory(dir='.') as folder:\n"
        "        child = os.fork()\n"
        "        if not child:\n"
        "            time.sleep(60)\n"
        "            os._exit(0)\n"
        "        os.kill(child, signal.SIGTERM)\n"
        "        print(os.WTERMSIG(os.waitpid(child, 0)[1]), flush=True)\n"
        "        time.sleep(60)\n"
        "app.app = work\n"
        "app.main()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert int(process.stdout.readline()) == signal.SIGTERM
    assert [*tmp_path.iterdir()]
    process.terminate()
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err == b"porter: interrupted; files written so far are whole\n"
    assert not [*tmp_path.iterdir()]


def test_what_multiprocessing_keeps_for_a_run_goes_with_it(tmp_path: Path) -> None:
    """Its folder is not removed at an exit by os._exit, which ends what is interrupted."""
    code = (
        "import os; from multiprocessing.util import get_temp_dir; from porter.cli.app import _remove_folder_of_processes\n"
        "made = get_temp_dir(); assert os.path.isdir(made)\n"
        "_remove_folder_of_processes(); print(os.path.exists(made), flush=True); os._exit(0)\n"
    )
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    assert done.stdout == "False\n" and not list(tmp_path.glob("pymp-*")), done.stderr


@pytest.mark.parametrize(("arguments", "first"), [("convert a.cu --diff | head -1", b"--- "), ("explain | true", b"")])
def test_closed_pipe(cache: Path, tmp_path: Path, arguments: str, first: bytes) -> None:
    (tmp_path / "a.cu").write_text(
        HOST + "".join(f"void f{i}(cudaStream_t s) {{ cudaStreamSynchronize(s); }}\n" for i in range(5000))
    )
    environment = {**os.environ, "PORTER_CACHE": str(cache), "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    command = f"{sys.executable} -m porter {arguments}"
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, env=environment, capture_output=True, timeout=60, check=False
    )
    assert done.stdout.startswith(first)
    assert b"Traceback" not in done.stderr and b"BrokenPipe" not in done.stderr


# --- options ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        ["-I", "inc", "-D", "MODE=2", "-std", "c++20"],
        ["-Iinc", "-DMODE=2", "-std=c++20"],
        ["-Iinc", "-DMODE=2", "--std=c++20"],
    ],
)
def test_compiler_options_in_all_their_forms(run: Run, tmp_path: Path, options: list[str]) -> None:
    # both names are CUDA's unless the parser sees inc/shapes.h, in C++20, with MODE defined
    header = """#pragma once
template <class T> concept Any = true;
#if MODE == 2 && __cplusplus >= 202002L
struct Own { int warpSize; };
#endif
"""
    source = '#include "shapes.h"\n__global__ void k(int *p, Own o) { *p = o.warpSize; }\n'
    write(tmp_path, inc__shapes_DOT_h=header, a_DOT_cu=source)
    result = run("convert", "a.cu", *options)
    assert result.code == 0, result.err
    assert "= o.warpSize" in (tmp_path / "a.hip").read_text()
    assert "with errors" not in result.out and "not found" not in result.out


def test_compile_commands(run: Run, tmp_path: Path) -> None:
    write(
        tmp_path,
        hidden__own_DOT_h="#pragma once\n#ifdef WITH_OWN\nstruct Own { int warpSize; };\n#endif\n",
        src__a_DOT_cu='#include "own.h"\n__global__ void k(int *p, Own o) { *p = o.warpSize; }\n',
    )
    build = tmp_path / "build"
    build.mkdir()
    entry = {
        "directory": str(build),
        "file": "../src/a.cu",
        "command": "nvcc -I../hidden -DWITH_OWN -std=c++17 -c ../src/a.cu",
    }
    (build / "compile_commands.json").write_text(json.dumps([entry]))
    result = run("convert", "src/a.cu", "-p", "build")
    assert result.code == 0, result.err
    assert "= o.warpSize" in (tmp_path / "src/a.hip").read_text()
    assert "with errors" not in result.out
    nul = '[{"directory": "/", "file": "a.cu", "command": "nvcc -I\\u0000 a.cu"}]'
    for text in ("[{", "0", "null", '{"a": 1}', "[3]", '[{"directory": "", "file": "", "arguments": 3}]', nul):
        (build / "compile_commands.json").write_text(text)
        broken = run("convert", "src/a.cu", "-p", "build")
        assert broken.code == 2
        one_line_for(broken, "compile_commands.json")


def test_compile_commands_reach_the_headers_that_units_include(run: Run, tmp_path: Path) -> None:
    write(
        tmp_path,
        tree__hidden__own_DOT_h="#pragma once\nstruct Own { int warpSize; };\n",
        tree__src__b_DOT_cuh="#include <own.h>\n#ifdef B\n__device__ inline int f(Own o) { return o.warpSize; }\n#endif\n",
        tree__src__a_DOT_cu='#include "b.cuh"\n__global__ void k(int *p, Own o) { *p = f(o); }\n',
        tree__other__own_DOT_h="#error not this one\n",
    )
    command = {
        "directory": str(tmp_path),
        "file": "tree/src/a.cu",
        "command": "nvcc -Itree/hidden -DB -c tree/src/a.cu",
    }
    (tmp_path / "compile_commands.json").write_text(json.dumps([command]))
    result = run("convert", "tree", "-p", ".", "-o", "out")
    assert result.code == 0, result.out
    assert "o.warpSize" in (tmp_path / "out/src/b.cuh").read_text() and "with errors" not in result.out


OWN = "#pragma once\nstruct Own { int warpSize; };\n"
USES = '#include "own.h"\n__global__ void k(int *p, Own o) { *p = o.warpSize; }\n'


def test_folders_for_headers_are_read_from_build_files(run: Run, tmp_path: Path) -> None:
    """For a folder and for a single file; a header beyond the folder counts for the parse."""
    write(tmp_path, app__src__a_DOT_cu=USES, common__own_DOT_h=OWN, app__Makefile="all:\n\tnvcc -I../common src/a.cu\n")
    write(tmp_path, app__src__Makefile="all:\n\tnvcc -I../../common a.cu\n")
    for source in ("app", "app/src/a.cu"):
        result = run("convert", source, "-o", "out")
        assert result.code == 0, result.out
        assert "with errors" not in result.out and "not found" not in result.out
    assert "own.h" in (tmp_path / "out/src/a.hip").read_text()


@pytest.mark.parametrize("built", [False, True])
def test_a_single_file_finds_what_the_build_above_names_and_what_lies_beside_it(
    built: bool, run: Run, tmp_path: Path
) -> None:
    """From a header in a folder below, too."""
    write(tmp_path, app__src__a_DOT_cu='#include "kernels/k.cuh"\n', app__src__kernels__k_DOT_cuh=USES)
    write(tmp_path, **{f"app__{'common' if built else 'src'}__own_DOT_h": OWN})
    if built:
        write(tmp_path, app__CMakeLists_DOT_txt="target_include_directories(app PRIVATE ${CMAKE_SOURCE_DIR}/common)\n")
    result = run("convert", "app/src/a.cu", "-o", "out", "--build")
    assert result.code == 0 and "with errors" not in result.out and "not found" not in result.out, result.out


def test_a_cuda_header_beyond_the_folder_is_ported_beside_the_tree(run: Run, tmp_path: Path) -> None:
    source = '#include "lib.cuh"\n#include "plain.h"\n__global__ void k() {}\n'
    write(tmp_path, app__a_DOT_cu=source, app__Makefile="all:\n\tnvcc -I../lib a.cu\n")
    write(tmp_path, lib__lib_DOT_cuh="#include <cuda_runtime.h>\n", lib__plain_DOT_h="int plain();\n")
    result = run("convert", "app", "-o", "out")
    assert result.code == 0, result.out
    assert "-Iout/lib-hip -c out/a.hip" in result.out
    assert (tmp_path / "out/lib-hip/lib.cuh").read_text() == "#include <hip/hip_runtime.h>\n"
    assert (tmp_path / "out/lib-hip/plain.h").read_text() == "int plain();\n"


def test_the_headers_of_a_single_file_are_ported_beside_it(run: Run, tmp_path: Path) -> None:
    """One that a header without CUDA includes, too; one that is HIP already comes along."""
    write(
        tmp_path,
        a_DOT_cu='#include "plain.h"\n#include "own.cuh"\n#include "hips.h"\n__global__ void k(int *p) { *p = f(); }\n',
        plain_DOT_h='#include "deep/deep.cuh"\nint plain();\n',
        deep__deep_DOT_cuh="#ifdef __NVCC__\n__device__ inline int g() { return __ballot_sync(~0u, 1); }\n#endif\n",
        own_DOT_cuh="__device__ inline int f() { return __shfl_sync(~0u, 1, 0); }\n",
        hips_DOT_h="#include <hip/hip_runtime.h>\n__device__ inline int h() { return 1; }\n",
    )
    name = f"{tmp_path.name}-hip"
    for _ in range(2):  # the second time from the cache
        result = run("convert", "a.cu")
        port = (tmp_path / "a.hip").read_text()
        assert result.code == 0 and f'"{name}/plain.h"' in port and f'"{name}/own.cuh"' in port
        assert '"../deep-hip/deep.cuh"' in (tmp_path / name / "plain.h").read_text()
        assert "__shfl(1, 0, 32)" in (tmp_path / name / "own.cuh").read_text()
    run("convert", "a.cu", "own.cuh", "deep/deep.cuh", "-o", "out")
    assert '#include "own.cuh"' in (tmp_path / "out/a.hip").read_text()
    assert not (tmp_path / "out/deep-hip").exists()


def test_headers_that_include_each_other_are_ported(run: Run, tmp_path: Path) -> None:
    held = '#pragma once\n#include "OTHER.cuh"\n__device__ inline int NAME() { return __shfl_sync(~0u, 1, 0); }\n'
    write(tmp_path, a_DOT_cu='#include "x.cuh"\n__global__ void k(int *p) { *p = f(); }\n')
    write(tmp_path, x_DOT_cuh=held.replace("OTHER", "y").replace("NAME", "f"))
    write(tmp_path, y_DOT_cuh=held.replace("OTHER", "x").replace("NAME", "g"))
    assert run("convert", "a.cu").code == 0
    assert '#include "y.cuh"' in (tmp_path / f"{tmp_path.name}-hip" / "x.cuh").read_text()


def test_a_file_without_cuda_that_includes_cuda_beyond_the_folder(run: Run, tmp_path: Path) -> None:
    write(
        tmp_path, app__main_DOT_cpp='#include "../lib/lib.h"\n#include "../lib/plain.h"\nint main() { return f(); }\n'
    )
    write(tmp_path, lib__lib_DOT_h="#include <cuda_runtime.h>\nint f();\n", lib__plain_DOT_h="int plain();\n")
    assert run("convert", "app", "-o", "out").code == 0
    assert '#include "lib-hip/lib.h"\n#include "lib-hip/plain.h"\n' in (tmp_path / "out/main.cpp").read_text()


@pytest.mark.parametrize("header", ["vector_types.h", "driver_types.h", "mma.h", "library_types.h"])
def test_a_header_of_cuda_is_enough_to_look_at_a_file(header: str, run: Run, tmp_path: Path) -> None:
    """Such a header has no CUDA word in its name."""
    write(tmp_path, app__a_DOT_h=f"#pragma once\n#include <{header}>\nint f();\n")
    run("convert", "app", "-o", "out")
    assert f"<{header}>" not in (tmp_path / "out/a.h").read_text()


def test_a_header_without_cuda_may_mean_what_nvcc_includes(run: Run, tmp_path: Path) -> None:
    """The header is ported where a .cu file includes it and no header of the unit declares the function."""
    write(
        tmp_path,
        app__own_DOT_h="void clear(int *p) { memset(p, 0, 4); }\n",
        app__a_DOT_cu='#include "own.h"\n' + KERNEL,
    )
    write(tmp_path, app__b_DOT_cpp='#include <cstring>\n#include "other.h"\n')
    write(tmp_path, app__other_DOT_h="void clean(int *p) { memset(p, 0, 4); }\n")
    assert run("convert", "app", "-o", "out").code == 0
    assert (tmp_path / "out/own.h").read_text() == "#include <cstring>\nvoid clear(int *p) { memset(p, 0, 4); }\n"
    assert (tmp_path / "out/other.h").read_text() == (tmp_path / "app/other.h").read_text()


def test_what_is_never_compiled_is_told_apart_again(run: Run, tmp_path: Path) -> None:
    """By what is kept of a port, as by the port."""
    write(tmp_path, a_DOT_cu="#ifdef _WIN32\nint w = cudaFrobnicate(2);\n#endif\n__global__ void k() {}\n")
    first, again = run("convert", "a.cu"), run("convert", "a.cu")
    assert "in code that is not compiled" in first.out and again.out == first.out


def test_a_projects_own_file_comes_before_cudas_header_of_that_name(run: Run, tmp_path: Path) -> None:
    write(
        tmp_path,
        tree__a_DOT_cu='#include "cuda/x.cuh"\n#include "mma.h"\n#include <cuda/y.cuh>\n__global__ void k(int *p) { *p = xx(); }\n',
        tree__mma_DOT_h="#pragma once\n__device__ inline int mm() { return 1; }\n",
        tree__cuda__x_DOT_cuh="#pragma once\n__device__ inline int xx() { return __shfl_sync(0xffffffffu, 1, 0); }\n",
        tree__inc__cuda__y_DOT_cuh="#pragma once\n",
        tree__Makefile="all:\n\tnvcc -Iinc a.cu\n",
    )
    result = run("convert", "tree", "-o", "out")
    assert result.code == 0, result.out
    port = (tmp_path / "out/a.hip").read_text()
    assert '#include "cuda/x.cuh"\n#include "mma.h"\n#include <cuda/y.cuh>\n' in port
    assert "__shfl(1, 0, 32)" in (tmp_path / "out/cuda/x.cuh").read_text()


def test_header_that_is_not_found_is_named(run: Run, tmp_path: Path) -> None:
    write(tmp_path, a_DOT_cu='#include "no_such_header.h"\n' + KERNEL)
    result = run("convert", "a.cu", "--report", "r.json")
    assert result.code == 0
    assert "hipMalloc(&p" in (tmp_path / "a.hip").read_text()
    assert "no_such_header.h" in (tmp_path / "r.json").read_text()


def test_reports_in_all_four_formats(run: Run, tmp_path: Path) -> None:
    write(tmp_path, tree__a_DOT_cu=KERNEL, tree__b_DOT_cu=LEFT)
    names = ["r.md", "r.html", "r.json", "r.sarif"]
    result = run("convert", "tree", *(part for n in names for part in ("--report", n)))
    assert result.code == 1
    for name in names:
        text = (tmp_path / name).read_text("utf-8")
        assert "unknown-name" in text and ("warp-vote" in text) == (name != "r.sarif"), name
    sarif = json.loads((tmp_path / "r.sarif").read_text("utf-8"))
    assert sarif["version"] == "2.1.0" and sarif["runs"][0]["results"]
    run("convert", "tree", "--check", "--sarif-exact", "--report", "r.sarif")
    assert "warp-vote" in (tmp_path / "r.sarif").read_text("utf-8")
    assert json.loads((tmp_path / "r.json").read_text("utf-8"))["schema"]
    assert "100%" not in (tmp_path / "r.md").read_text("utf-8")


RULE = """id = "my-frobnicate"
title = "our own wrapper"
safety = "exact"
why = "The team's wrapper of last year is called differently in the HIP code base, with the arguments swapped."
[[call]]
match = "cudaFrobnicate($a)"
replace = "hipFrobnicate($a)"
[[example]]
before = "cudaFrobnicate(1);"
after = "hipFrobnicate(1);"
[[unchanged]]
source = "frobnicate(1);"
"""


@pytest.mark.parametrize("how", ["option", "pyproject"])
def test_rules_of_ones_own(run: Run, tmp_path: Path, how: str) -> None:
    write(tmp_path, mine__my_DOT_toml=RULE, a_DOT_cu=LEFT)
    options = ["--rules", "mine"]
    if how == "pyproject":
        (tmp_path / "pyproject.toml").write_text('[tool.porter]\nrules = ["mine"]\n')
        options = []
    result = run("convert", "a.cu", *options)
    assert result.code == 0, result.err
    assert "hipFrobnicate(1)" in (tmp_path / "a.hip").read_text()


def test_table_of_ones_own(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/own.tbl").write_text("@rule name-own\ncudaFrobnicate hipFrobnicate func exact\n")
    write(tmp_path, a_DOT_cu=LEFT)
    assert run("convert", "a.cu", "--rules", "mine").code == 0
    (tmp_path / "mine/own.tbl").write_text("cudaFrobnicate hipFrobnicate\n")
    result = run("convert", "a.cu", "--rules", "mine")
    assert result.code == 2
    one_line_for(result, "own.tbl:1")


def test_options_of_pyproject(run: Run, tmp_path: Path) -> None:
    """Each is as if the command line gave it, which goes first."""
    text = (
        '[tool.porter]\nwarp = 48\nstd = "c++20"\ndefine = ["ON"]\nruntime = "include"\n'
        'report = "r.json"\ninclude = "inc"\njobs = 1\n'
    )
    write(
        tmp_path,
        pyproject_DOT_toml=text,
        src__a_DOT_cu='#include "t.h"\n#if defined(ON) && __cplusplus >= 202002L\nint left() { return cudaFrobnicate(1); }\n#endif\n'
        + KERNEL,
        inc__t_DOT_h="struct T {};\n",
    )
    assert "--warp 48" in run("convert", "src/a.cu").err
    result = run("convert", "src/a.cu", "--warp", "32")
    assert (result.code, result.err) == (1, "")
    assert "hipMalloc" in (tmp_path / "src/a.hip").read_text()
    assert not (tmp_path / "src/porter").exists()
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["not_compiled"] == {"review": 0, "left": 0}  # the condition holds
    assert report["files"][0]["notes"] == []  # the header is found


def test_accepted_sites_do_not_fail_a_run(run: Run, tmp_path: Path) -> None:
    write(tmp_path, a_DOT_cu=LEFT, pyproject_DOT_toml='[tool.porter.per-file-ignores]\n"b.cu" = ["unknown-name"]\n')
    assert run("convert", "a.cu", "-q").code == 1
    result = run("convert", "a.cu", "--ignore", "unknown-name", "--report", "r.sarif", "--report", "r.json")
    assert (result.code, "1 left (1 accepted)" in result.out, "cudaFrobnicate" in result.out) == (0, True, False)
    (left,) = (r for r in json.loads((tmp_path / "r.sarif").read_text())["runs"][0]["results"] if r["level"] == "error")
    assert left["suppressions"] == [{"kind": "external", "justification": "the rule is ignored"}]
    assert json.loads((tmp_path / "r.json").read_text())["accepted"] == {"review": 0, "left": 1, "error": 0}
    (tmp_path / "a.cu").rename(tmp_path / "b.cu")
    assert run("convert", "b.cu", "-q").code == 0
    wrong = run("convert", "b.cu", "--ignore", "unknown-nam")
    assert wrong.code == 2
    one_line_for(wrong, "unknown-nam", "did you mean unknown-name")


def test_a_baseline_fails_on_new_sites_only(run: Run, tmp_path: Path) -> None:
    write(tmp_path, src__a_DOT_cu=LEFT)
    check = ("convert", "src", "--check", "--baseline", "b.json")
    one_line_for(run(*check), "b.json", "--update-baseline")
    assert run(*check, "--update-baseline").code == 0
    assert run(*check).code == 0
    write(tmp_path, src__a_DOT_cu="\n" + LEFT.replace("(1)", "( 1 )"))  # moved, and formatted anew
    assert run("convert", ".", "--check", "--baseline", "../b.json", cwd=tmp_path / "src").code == 0
    write(tmp_path, src__a_DOT_cu=LEFT + LEFT)
    result = run(*check)
    assert (result.code, "2 left (1 accepted)" in result.out) == (1, True)
    write(tmp_path, b_DOT_json="[]")
    one_line_for(run(*check), "no baseline")
    one_line_for(run("convert", "src", "--update-baseline"), "--baseline FILE")


def test_excluded_files_stay_and_ignored_ones_are_left_out(run: Run, tmp_path: Path) -> None:
    git = shutil.which("git")
    if git is None:
        pytest.skip("NOT RUN: git is not installed")
    write(
        tmp_path,
        src__a_DOT_cu=HOST,
        src__old__b_DOT_cu=HOST,
        src__old__CMakeLists_DOT_txt="find_package(CUDA)\n",
        src__build__c_DOT_cu=HOST,
        src__d_DOT_cu=HOST,
    )
    subprocess.run([git, "init", "-q", tmp_path], check=True)
    (tmp_path / "src/.gitignore").write_text("build/\n/d.*\n")
    subprocess.run([git, "-C", tmp_path, "add", "-f", "src/d.cu"], check=True)  # the repository holds it all the same
    result = run("convert", "src", "-o", "out", "--exclude", "src/o*")
    assert (result.code, "src/build/c.cu" in result.err) == (0, True)
    made = sorted(p.relative_to(tmp_path / "out").as_posix() for p in (tmp_path / "out").rglob("*.*") if p.is_file())
    assert [p for p in made if "porter" not in p] == [".gitignore", "a.hip", "d.hip", "old/CMakeLists.txt", "old/b.cu"]
    assert (tmp_path / "out/old/b.cu").read_text() == HOST
    assert run("convert", "src", "-o", "all", "--no-gitignore", "-q").code == 0
    assert (tmp_path / "all/build/c.hip").is_file() and (tmp_path / "all/old/b.hip").is_file()
    assert run("convert", "src/build", "-o", "whole", "-q").code == 0
    assert (tmp_path / "whole/c.hip").is_file()


def test_a_link_to_itself_is_an_input_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "loop.cu").symlink_to("loop.cu")
    result = run("convert", "loop.cu")
    assert result.code == 2
    one_line_for(result, "loop.cu")


def test_runtime_include_copies_nothing(run: Run, tmp_path: Path) -> None:
    write(tmp_path, a_DOT_cu=KERNEL)
    assert run("convert", "a.cu", "--runtime", "include").code == 0
    assert not (tmp_path / "porter").exists()
    assert '#include "porter/warp.h"' in (tmp_path / "a.hip").read_text()


def test_jobs_give_the_same_result(run: Run, tmp_path: Path, private: dict[str, str]) -> None:
    for i in range(6):
        write(tmp_path, **{f"tree__f{i}_DOT_cu": KERNEL.replace("k(", f"k{i}(").replace("k<", f"k{i}<") + f"// {i}\n"})
    assert run("convert", "tree", "-o", "one", "-j", "1", env=private).code == 0
    assert run("convert", "tree", "-o", "two", "-j", "2", env=private).code == 0  # from the cache
    shutil.rmtree(Path(private["PORTER_CACHE"]) / "ports")
    assert run("convert", "tree", "-o", "three", "-j", "2", env=private).code == 0
    for other in ("two", "three"):
        for path in (tmp_path / "one").rglob("*.hip"):
            assert path.read_bytes() == (tmp_path / other / path.relative_to(tmp_path / "one")).read_bytes()


def test_quiet_when_not_a_terminal(run: Run, tmp_path: Path) -> None:
    for i in range(6):
        write(tmp_path, **{f"tree__f{i}_DOT_cu": HOST})
    result = run("convert", "tree")
    assert result.err == ""
    assert "\x1b" not in result.out and "\r" not in result.out
    quiet = run("convert", "tree", "-q")
    assert quiet.out == "" and quiet.err == ""


def test_cache_that_cannot_be_written(run: Run, tmp_path: Path, private: dict[str, str]) -> None:
    write(tmp_path, a_DOT_cu=HOST, cache="a file, no folder\n")
    (tmp_path / "private-cache").chmod(0o700)
    (tmp_path / "private-cache").rename(tmp_path / f"porter-{os.getuid()}")  # the temporary folder's place for it
    assert run("convert", "a.cu", env={"PORTER_CACHE": str(tmp_path / "cache"), "TMPDIR": str(tmp_path)}).code == 0
    assert (tmp_path / f"porter-{os.getuid()}" / "ports").is_dir()
    assert (tmp_path / "a.hip").is_file()


def test_damaged_cache_is_made_anew(run: Run, tmp_path: Path, private: dict[str, str]) -> None:
    write(tmp_path, a_DOT_cu=KERNEL)
    assert run("convert", "a.cu", env=private).code == 0
    first = (tmp_path / "a.hip").read_text()
    for path in Path(private["PORTER_CACHE"], "ports").rglob("*.json"):
        path.write_text("{")
    assert run("convert", "a.cu", "-o", "b.hip", env=private).code == 0
    assert (tmp_path / "b.hip").read_text() == first


def generated(lines: int) -> str:
    parts = ["#include <cuda_runtime.h>\n"]
    for i in range(lines // 10):
        parts.append(
            f"// kernel {i}\n__global__ void kernel{i}(const float *in, float *out, int n)\n{{\n"
            f"    int t = blockIdx.x * blockDim.x + threadIdx.x;\n    float v = t < n ? in[t] * {i}.0f : 0.0f;\n"
            f"    v += __shfl_down_sync(0xffffffff, v, {1 << i % 5});\n    if (t % warpSize == 0) out[t / warpSize] = v;\n}}\n"
            f"void run{i}(float *a, float *b, int n, cudaStream_t s) {{ kernel{i}<<<n / 256, 256, 0, s>>>(a, b, n); cudaStreamSynchronize(s); }}\n\n"
        )
    return "".join(parts)


@pytest.mark.parametrize("lines", [5_000, pytest.param(50_000, marks=pytest.mark.slow)])
def test_a_very_long_file(run: Run, tmp_path: Path, private: dict[str, str], lines: int) -> None:
    (tmp_path / "long.cu").write_text(generated(lines))
    begin = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime  # other tests may be on the cores as well
    result = run("convert", "long.cu", "-q", env=private)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begin
    assert result.code == 0, result.err
    port = (tmp_path / "long.hip").read_text()
    assert "cuda" not in port and "_sync" not in port and "warpSize" not in port
    assert len(port.splitlines()) == lines + 1
    # 12 s for 50,000 on an idle core; a quadratic step would take minutes
    assert seconds < 10 + lines / 1000 * 1.5, f"{seconds:.1f} s for {lines} lines"


# --- the other commands ----------------------------------------------------------------------------


def test_version_and_help(run: Run) -> None:
    assert run("--version").out.startswith("porter ")
    for command in ("convert", "explain", "rules", "doctor"):
        result = run(command, "--help")
        assert result.code == 0
        assert "porter" in result.out and "xample" in result.out
    assert "convert" in run("--help").out
    described = " ".join(run("convert", "--help").out.split())
    for code in ("0 ported in full", "1 ported, with places left", "2 could not"):
        assert code in described


COMMANDS = (
    "convert",
    "verify",
    "run",
    "record",
    "asm",
    "build",
    "trace",
    "explain",
    "rules",
    "doctor",
    "bench compare",
)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_a_terminal_of_80_columns(run: Run, command: str) -> None:
    result = run(*command.split(), "--help", env={"COLUMNS": "80"})
    assert result.code == 0
    assert [line for line in result.out.splitlines() if len(line) > 80] == []


def test_unknown_command(run: Run) -> None:
    result = run("transmogrify")
    assert result.code == 2
    assert "transmogrify" in result.err


def test_explain(run: Run) -> None:
    result = run("explain", "warp-vote")
    assert result.code == 0
    assert "warp-vote" in result.out and "porter::ballot_sync" in result.out and "\x1b" not in result.out
    result = run("explain", "cudaMalloc")
    assert result.code == 0
    assert "hipMalloc" in result.out
    for name, words in (
        ("CUDAMALLOC", "hipMalloc"),
        ("cuda::atomic_ref", "porter::atomic_ref"),
        ("mma.sync.aligned.m16n8k16", "porter::mma_f32"),
        ("mma.sync.m16n8k16", "porter::mma_f32"),
        ("cp.async.bulk.commit_group;", "already done"),
        ("%laneid", "porter::lane_id()"),
        ("tcgen05.mma", "Blackwell"),
    ):
        result = run("explain", name)
        assert (result.code, words in result.out) == (0, True), name
    for name in ("thrust::plus", "std::min"):
        assert "stays as it is" in run("explain", name).out
    result = run("explain", "warp-vot")
    assert result.code == 2
    one_line_for(result, "warp-vot", "warp-vote")


def test_explain_of_a_place_tells_what_was_found_last(run: Run, tmp_path: Path) -> None:
    source = "#include <cuda_runtime.h>\n\n__global__ void k(int *x) {\n  x[0] = __any_sync(~0u, x[1]);\n  cudaFrobnicate();\n}\n"
    (tmp_path / "a.cu").write_text(source)
    one_line_for(run("explain", "other.cu:4"), "no conversion of it is kept", "porter convert other.cu")
    assert run("convert", "a.cu").code == 1
    port = (tmp_path / "a.hip").read_text().splitlines()
    for place in (
        "a.cu:4",
        "a.cu:4:10",
        f"{tmp_path}/a.cu:4",
        f"a.hip:{port.index('  x[0] = porter::any_sync(~0u, x[1]);') + 1}",
    ):
        result = run("explain", place)
        assert result.code == 0, result.err
        assert "a.cu:4:10: exact: " in result.out and "[warp-vote]" in result.out
        assert "porter::any_sync(~0u, x[1])" in result.out and "HIP's __ballot returns" in result.out
        assert "Frobnicate" not in result.out
    assert "left: " in run("explain", "a.cu:5").out
    one_line_for(run("explain", "a.cu:6"), "no site at a.cu:6", "a.cu:5")
    (tmp_path / "a.cu").write_text("\n" + source)
    one_line_for(run("explain", "a.cu:5"), "has changed since", "porter convert a.cu")
    run("convert", "a.cu", "--check")
    assert "any_sync" in run("explain", "a.cu:5").out


def test_rules_lists_every_rule(run: Run) -> None:
    result = run("rules", env={"COLUMNS": "200"})
    assert result.code == 0
    for rule in ("warp-vote", "cuda-arch", "name-runtime", "launch-bounds"):
        assert rule in result.out
    narrow = run("rules", env={"COLUMNS": "40"})
    assert narrow.code == 0 and "warp-vote" in narrow.out


def test_rules_writes_pages_of_the_users_own_too(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/ours.tbl").write_text("@rule name-ours\n@library ours\nourCuda - func left say how\n")
    result = run("rules", "--pages", "pages", "--rules", "mine")
    assert result.code == 0 and "a page each" in result.out
    assert "| left | say how | `ourCuda` |" in (tmp_path / "pages/name-ours.md").read_text()
    assert (tmp_path / "pages/warp-vote.md").is_file() and (tmp_path / "pages/README.md").is_file()


def test_reports_overwrite_nothing_that_porter_did_not_write(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("void f() { cudaFrobnicate(); }\n")
    (tmp_path / "README.md").write_text("# Ours\n")
    refused = run("convert", "a.cu", "--report", "README.md")
    assert refused.code == 2 and not (tmp_path / "a.hip").exists()
    one_line_for(refused, "README.md: exists", "--force")
    (tmp_path / "b.json").write_text("{}")
    one_line_for(run("convert", "a.cu", "--baseline", "b.json", "--update-baseline"), "b.json: exists")
    assert (tmp_path / "README.md").read_text() == "# Ours\n"
    for options in (["--force"], []):  # what porter wrote is written again
        assert run("convert", "a.cu", "--check", "--report", "README.md", *options).code == 1
    assert "porter" in (tmp_path / "README.md").read_text()


def test_reports_link_to_the_pages_of_rules(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("void f() { cudaFrobnicate(); }\n")
    (tmp_path / "pyproject.toml").write_text('[tool.porter]\ndocs-base = "https://a.example/rules"\n')
    for options, address in (
        ([], "https://a.example/rules"),
        (["--docs-base", "https://b.example"], "https://b.example"),
    ):
        assert run("convert", "a.cu", "--check", "--report", "r.md", *options).code == 1
        assert f"]({address}/unknown-name.md)" in (tmp_path / "r.md").read_text()


def test_doctor(run: Run) -> None:
    result = run("doctor", "--json")
    assert result.code in (0, 1)
    data = json.loads(result.out)
    assert data["schema"].startswith("porter-doctor/")
    names = {c["name"] for c in data["checks"]}
    assert {"porter", "Python", "libclang", "rules"} <= names
    missing = [c for c in data["checks"] if c["required"] and not c["found"]]
    assert result.code == (1 if missing else 0)
    assert all(c["fix"] for c in missing)
    text = run("doctor")
    assert text.code == result.code
    assert "libclang" in text.out and "\x1b" not in text.out


def test_installed_script(tmp_path: Path) -> None:
    script = shutil.which("porter", path=sysconfig.get_path("scripts"))
    if script is None:
        pytest.skip("NOT RUN: porter is not installed here")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0 and done.stdout.startswith("porter ")
