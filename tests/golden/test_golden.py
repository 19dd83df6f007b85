"""Whole programs and their ports, byte for byte; see golden/regenerate.py.

The programs check themselves: built with nvcc and run on an NVIDIA GPU each prints PASS.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from porter.findings import decode
from porter.frontend.asm.statements import find_asm
from porter.frontend.lexer import Kind, TokenFile, lex
from porter.toolchain import find_pip_clang, syntax_check

GOLDEN = Path(__file__).resolve().parent


def _regenerate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("golden_regenerate", GOLDEN / "regenerate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["golden_regenerate"] = module
    spec.loader.exec_module(module)
    return module


golden = _regenerate()
PROGRAMS: list[str] = golden.programs()

# Units that clang refuses although they should pass: each is a defect of a rule or a table. One that passes
# again makes its test fail, so that it is taken out of this list.
OPEN: dict[str, str] = {}
INCLUDES = {"nbody_tree": ["include"]}
STANDARD = {"launch_api": "c++17"}


def units(side: str, suffixes: tuple[str, ...]) -> list[str]:
    paths = (p for name in PROGRAMS for p in sorted((GOLDEN / name / side).rglob("*")) if p.suffix in suffixes)
    return [p.relative_to(GOLDEN).as_posix() for p in paths]


@pytest.fixture(scope="module")
def ported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, str]]:
    """Every program, ported anew once: its folder and the list of its findings."""
    root = tmp_path_factory.mktemp("golden")
    made: dict[str, tuple[Path, str]] = {}
    for name in PROGRAMS:
        ports = golden.port(name, root / name)
        made[name] = root / name, golden.findings(name, ports)
    return made


@pytest.mark.parametrize("name", PROGRAMS)
def test_port(name: str, ported: dict[str, tuple[Path, str]]) -> None:
    folder, listing = ported[name]
    made, kept = golden.files(folder), golden.files(GOLDEN / name / "out")
    assert sorted(made) == sorted(kept)
    for path, data in kept.items():
        # as text, so that pytest shows the lines that differ
        assert decode(made[path]).splitlines() == decode(data).splitlines(), path
        assert made[path] == data, f"{path}: the line ends differ"
    assert listing.splitlines() == (GOLDEN / name / "findings.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("name", PROGRAMS)
def test_porting_the_port_changes_nothing(name: str, ported: dict[str, tuple[Path, str]], tmp_path: Path) -> None:
    shutil.copytree(ported[name][0], tmp_path / "again")
    before = golden.files(tmp_path / "again")
    conversion = golden.Conversion(golden.Options())
    todo = golden.plan([tmp_path / "again"], None, True, conversion)
    golden.write_ports(todo.jobs, golden.run_jobs(todo.jobs, conversion, 1), "copy", todo.runtime_dirs)
    assert golden.files(tmp_path / "again") == before


@pytest.mark.parametrize("name", PROGRAMS)
def test_comments_and_strings_come_through(name: str) -> None:
    """Whatever the source says to people, the port says too; only porter's own comments are added."""
    for unit in units("in", (".cu", ".cuh", ".cpp", ".h", ".hpp")):
        if not unit.startswith(f"{name}/"):
            continue
        before = GOLDEN / unit
        after = GOLDEN / name / "out" / before.relative_to(GOLDEN / name / "in")
        after = after.with_suffix(".hip") if after.suffix == ".cu" else after
        old, new = (lex(decode(p.read_bytes())) for p in (before, after))

        assert strings(new) == strings(old)
        kept = iter(comments(new))  # the port may add some
        assert all(comment in kept for comment in comments(old))


def strings(file: TokenFile) -> list[str]:
    """All but what is code: inline PTX, kernels for NVRTC, and its options."""
    asm = [(statement.start, statement.end) for statement in find_asm(file)]
    return [
        t.text
        for t in file.tokens
        if t.kind == Kind.STRING
        and not any(start <= t.start < end for start, end in asm)
        and "__global__" not in t.text
        and not t.text.startswith('"-')
    ]


def comments(file: TokenFile) -> list[str]:
    return [file.text[start:end] for start, end in file.comments]


needs_clang = pytest.mark.skipif(
    not find_pip_clang().complete, reason=f"NOT RUN: no HIP compiler; {find_pip_clang().fix}"
)


@needs_clang
@pytest.mark.parametrize("unit", units("out", (".hip", ".cpp")))
@pytest.mark.sample(8)
def test_port_passes_clang(unit: str, cache: Path, request: pytest.FixtureRequest) -> None:
    if unit in OPEN:
        request.applymarker(pytest.mark.xfail(strict=True, reason=OPEN[unit]))
    name = unit.split("/")[0]
    result = syntax_check(
        GOLDEN / unit,
        includes=[GOLDEN / name / "out" / folder for folder in INCLUDES.get(name, [])],
        std=STANDARD.get(name, "c++17"),
        runtime=True,
        toolchain=find_pip_clang(),
        precompiled=True,
    )
    assert [e.message for e in result.errors] == []


_NVCC_ABSENT = ("cublas_v2.h", "curand.h", "nvrtc.h")  # libraries that a toolkit may lack


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="NOT RUN: no nvcc")
@pytest.mark.parametrize("unit", units("in", (".cu", ".cpp")))
def test_program_is_valid_cuda(unit: str, tmp_path: Path) -> None:
    name = unit.split("/")[0]
    if unit.startswith("nbody_tree/in/kernels/"):
        pytest.skip("is included by another unit")
    folders = [f"-I{GOLDEN / name / 'in' / folder}" for folder in INCLUDES.get(name, [])]
    command = [
        "nvcc",
        "-arch=sm_90",
        "-std=c++17",
        "--extended-lambda",
        "-w",
        *folders,
        "-c",
        "-o",
        str(tmp_path / "a.o"),
    ]
    done = subprocess.run([*command, str(GOLDEN / unit)], capture_output=True, text=True, check=False)
    absent = [h for h in _NVCC_ABSENT if f"{h}: No such file" in done.stderr]
    if absent:
        pytest.skip(f"NOT RUN: this toolkit has no {absent[0]}")
    assert done.returncode == 0, done.stderr
