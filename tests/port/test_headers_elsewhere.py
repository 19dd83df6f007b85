"""Headers behind -I: ported beside the port, once for all files that include them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from commands import porter

from porter.findings import FilePort
from porter.frontend.unit import Options
from porter.port.files.headers import with_compile_commands
from porter.port.files.write import write_ports
from porter.port.pipeline import Conversion
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs
from porter.toolchain.check import syntax_check

LIBRARY = {
    "lib/common/all.cuh": '#pragma once\n#include "part.cuh"\n#include <lib/other.cuh>\n',
    "lib/common/part.cuh": "#pragma once\n__device__ inline int part(int x) { return __shfl_sync(-1, x, 0); }\n"
    "template <class F> cudaError_t start(F f, int *p) { f<<<1, 64>>>(p); return cudaGetLastError(); }\n",
    "lib/other.cuh": "#pragma once\ninline int other() { return 1; }\n",
}
PLAIN = "#include <lib/common/all.cuh>\n__global__ void k(int *p) { p[threadIdx.x] = part(1); }\nvoid f(int *p) { start(k, p); }\n"
ROLES = (
    PLAIN.replace("p[", 'asm volatile("bar.sync 1, 64;"); p[')
    .replace("void k(", "void j(")
    .replace("start(k", "start(j")
)


def project(folder: Path, **units: str) -> Path:
    files = {**{f"top/{name}": text for name, text in LIBRARY.items()}, **{f"src/{n}.cu": t for n, t in units.items()}}
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def convert(
    folder: Path, *units: str, includes: tuple[str, ...] = ("top",), systems: tuple[str, ...] = ()
) -> list[FilePort]:
    folders = tuple(str(folder / one) for one in (*includes, *systems))
    conversion = Conversion(Options(includes=folders, systems=tuple(str(folder / one) for one in systems)))
    paths = [folder / f"src/{name}.cu" for name in units]
    todo = plan(paths, folder / "out", False, conversion, out_is_folder=True)
    ports = run_jobs(todo.jobs, conversion, 1)
    write_ports(todo.jobs, ports, "copy", todo.runtime_dirs, todo.homes)
    return with_compile_commands(todo, ports, conversion)


def compiles(folder: Path, name: str, include: str = "top-hip") -> bool:
    return syntax_check(folder / f"out/{name}.hip", includes=[folder / "out" / include], runtime=True).passed


def test_a_file_and_what_it_includes_compile_with_the_command_that_is_told(tmp_path: Path) -> None:
    ports = convert(project(tmp_path, a=PLAIN), "a")
    assert {Path(p.output).relative_to(tmp_path / "out").as_posix() for p in ports} == {
        "a.hip", "top-hip/lib/common/all.cuh", "top-hip/lib/common/part.cuh", "top-hip/lib/other.cuh"
    }  # fmt: skip
    (note,) = (note for port in ports for note in port.notes)
    assert re.search(rf"-I{tmp_path}/out/top-hip -c {tmp_path}/out/a.hip$", note)
    assert compiles(tmp_path, "a")


def test_a_folder_within_another_is_one_with_it(tmp_path: Path) -> None:
    project(tmp_path, a=PLAIN.replace("<lib/", "<"))
    ports = convert(tmp_path, "a", includes=("top", "top/lib"))
    (note,) = (note for port in ports for note in port.notes)
    assert f"-I{tmp_path}/out/top-hip -I{tmp_path}/out/top-hip/lib" in note


def test_a_folder_of_the_tree_is_told_as_the_port_has_it(tmp_path: Path) -> None:
    """Which folders a file gets its headers from a build file of its tree says."""
    project(tmp_path, a='#include "common.cuh"\n' + PLAIN)
    (tmp_path / "src/common").mkdir()
    (tmp_path / "src/common/common.cuh").write_text("inline cudaError_t last() { return cudaGetLastError(); }\n")
    (tmp_path / "src/Makefile").write_text("all:\n\tnvcc -Icommon -c a.cu\n")
    conversion = Conversion(Options(includes=(str(tmp_path / "top"),)))
    todo = plan([tmp_path / "src"], tmp_path / "out", False, conversion)
    notes = [
        note
        for port in with_compile_commands(todo, run_jobs(todo.jobs, conversion, 1), conversion)
        for note in port.notes
    ]
    (note,) = (note for note in notes if "port of its headers" in note)
    assert f"-I{tmp_path}/out/common " in note and f"{tmp_path}/src" not in note


def test_system_folders_stay(tmp_path: Path) -> None:
    (port,) = convert(project(tmp_path, a=PLAIN), "a", includes=(), systems=("top",))
    assert port.output.endswith("a.hip") and not (tmp_path / "out/top-hip").exists()


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")], ids=str)
def test_files_of_several_runs_share_a_port_that_is_right_for_all(order: tuple[str, str], tmp_path: Path) -> None:
    """One has mirrored warps, and the header launches: its port has to be that of both, whichever came last."""
    project(tmp_path, a=PLAIN, b=ROLES)
    for name in order:
        convert(tmp_path, name)
    header = (tmp_path / "out/top-hip/lib/common/part.cuh").read_text()
    assert "PORTER_UNIT" in header and "porter::mirrored(" in header
    assert compiles(tmp_path, "a") and compiles(tmp_path, "b")
    units = json.loads((tmp_path / "out/top-hip/units.json").read_text())["units"]
    assert sorted(units) == ["../../src/a.cu", "../../src/b.cu"]
    project(tmp_path / "one", a=PLAIN, b=ROLES)
    convert(tmp_path / "one", "a", "b")
    assert (tmp_path / "one/out/top-hip/lib/common/part.cuh").read_text() == header


def test_another_folder_of_the_name_gets_another_place(tmp_path: Path) -> None:
    project(tmp_path, a=PLAIN)
    convert(tmp_path, "a")
    project(tmp_path / "second", b=PLAIN)
    (tmp_path / "src/b.cu").write_text(PLAIN)
    convert(tmp_path, "b", includes=("second/top",))
    assert compiles(tmp_path, "b", "top-hip-2") and compiles(tmp_path, "a")


def test_what_porter_compiles_itself_finds_them(tmp_path: Path) -> None:
    """--resources: the registers of the port are known."""
    text = PLAIN + '#include "../near/near.cuh"\n'
    project(tmp_path, a=text)
    (tmp_path / "near").mkdir()
    (tmp_path / "near/near.cuh").write_text("#pragma once\ninline cudaError_t near() { return cudaGetLastError(); }\n")
    conversion = Conversion(Options(includes=(str(tmp_path / "top"),), resources=True))
    todo = plan([tmp_path / "src/a.cu"], tmp_path / "out", False, conversion, out_is_folder=True)
    (port,) = (port for port in run_jobs(todo.jobs, conversion, 1) if port.path.endswith("a.cu"))
    assert '"near-hip/near.cuh"' in port.port
    assert not [f.message for f in port.findings if f.rule == "register-budget"]


def test_a_header_that_is_found_by_a_way_out_of_a_folder(tmp_path: Path) -> None:
    """`../top/...` of a file in `more/deep`, which only -I more leads to."""
    project(tmp_path, a=PLAIN.replace("<lib/common/all.cuh>", '"deep/deep.cuh"'))
    (tmp_path / "more/deep").mkdir(parents=True)
    (tmp_path / "more/deep/deep.cuh").write_text('#pragma once\n#include "../top/lib/common/all.cuh"\n')
    convert(tmp_path, "a", includes=("more", "top"))
    folders = [tmp_path / "out" / name for name in ("more-hip", "top-hip")]
    assert syntax_check(tmp_path / "out/a.hip", includes=folders, runtime=True).passed


TOO_LARGE = """#include <lib/kernel.cuh>
__global__ void {name}_only(int *p) {{ *p = 1; }}
void {name}(int *p) {{
  cudaFuncSetAttribute(sum<{number}>, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
  sum<{number}><<<1, 64, 100000>>>(p);
}}
"""


def test_what_one_port_of_a_header_cannot_do_for_two_files_gets_a_folder_of_its_own(tmp_path: Path) -> None:
    """Both files launch the header's kernel with more shared memory than there is."""
    project(tmp_path, a=TOO_LARGE.format(name="a", number=1), b=TOO_LARGE.format(name="b", number=2))
    (tmp_path / "top/lib/kernel.cuh").write_text(
        "#pragma once\ntemplate <int N> __global__ void sum(int *p) { extern __shared__ int memory[]; p[N] = memory[N]; }\n"
    )
    for name in ("a", "b", "a", "b"):
        source = str(tmp_path / f"src/{name}.cu")
        done = porter("convert", source, "-I", str(tmp_path / "top"), "-o", str(tmp_path / "out") + "/")
        assert done.returncode == 0, done.stdout
        assert ("/out/top-hip-2;" in done.stdout) == (name == "b"), done.stdout
    assert compiles(tmp_path, "a") and compiles(tmp_path, "b", "top-hip-2")
    assert not (tmp_path / "out/top-hip-3").exists()
