"""Headers that others include within braces: what their ports need is included above the braces."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.pipeline import Conversion, port_source
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs
from porter.toolchain.check import syntax_check

FILES = {
    "lib.cuh": "#pragma once\n#include <cuda_runtime.h>\nnamespace lib {\ntemplate <int N> struct group {\n"
    '#include "body.cuh"\n};\n}\n',
    "body.cuh": '__device__ static inline int sum(int x) {\n#include "more.cuh"\n  return __shfl_sync(-1, x, 0);\n}\n',
    "more.cuh": "  x += __popc(__activemask());\n",
    "k.cu": '#include "lib.cuh"\n__global__ void k(int *p) { p[threadIdx.x] = lib::group<2>::sum(p[threadIdx.x]); }\n',
}


def project(folder: Path, **more: str) -> Path:
    for name, text in {**FILES, **more}.items():
        (folder / name.replace("_", ".")).write_text(text)
    return folder


def ports(folder: Path, out: Path) -> dict[str, str]:
    conversion = Conversion(Options(runtime="include"))
    done = run_jobs(plan([folder], out, False, conversion).jobs, conversion, 1)
    for port in done:
        Path(port.output).parent.mkdir(exist_ok=True)
        Path(port.output).write_text(port.port)
    return {Path(port.output).name: port.port for port in done}


def includes(text: str) -> list[str]:
    return re.findall(r"#include [<\"](\S+)[>\"]", text)


def test_what_is_in_braces_gets_its_headers_from_the_file_around_them(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    by_name = ports(project(tmp_path / "in"), tmp_path / "out")
    assert includes(by_name["body.cuh"]) == ["more.cuh"] and includes(by_name["more.cuh"]) == []
    assert includes(by_name["lib.cuh"]) == ["hip/hip_runtime.h", "porter/warp.h", "body.cuh"]
    assert syntax_check(tmp_path / "out" / "k.hip", runtime=True).passed


def test_a_file_that_is_in_nobodys_braces_as_well(tmp_path: Path) -> None:
    """The other includer has to have its headers, too, and the file has none."""
    (tmp_path / "in").mkdir()
    shared = {
        "body_cuh": "__device__ static inline int sum(int x) { return __shfl_sync(-1, x, 0) + __activemask(); }\n"
    }
    text = '#include "body.cuh"\n__global__ void j(int *p) { *p = sum(*p); }\n'
    by_name = ports(project(tmp_path / "in", j_cu=text, **shared), tmp_path / "out")
    assert includes(by_name["body.cuh"]) == []
    assert "porter/warp.h" in includes(by_name["j.hip"]) and "porter/warp.h" in includes(by_name["lib.cuh"])
    assert syntax_check(tmp_path / "out" / "j.hip", runtime=True).passed


def test_c_linkage_is_braces(tmp_path: Path) -> None:
    (tmp_path / "c.h").write_text(
        '#ifdef __cplusplus\nextern "C" {\n#endif\n#include "d.h"\n#ifdef __cplusplus\n}\n#endif\n'
    )
    (tmp_path / "d.h").write_text("cudaError_t start(cudaStream_t);\n")
    project_of = Project(tmp_path)
    (tmp_path / "a.cu").write_text('#include "c.h"\n')
    options = Options(runtime="include")
    guest = port_source(project_of, tmp_path / "d.h", "d.h", options, {}, tmp_path / "a.cu")
    host = port_source(project_of, tmp_path / "c.h", "c.h", options, {}, tmp_path / "a.cu")
    assert includes(guest.port) == []
    assert includes(host.port) == ["hip/hip_runtime.h", "d.h"]


@pytest.mark.parametrize("braces", ["// {\n", '#define A "{"\n'])
def test_braces_that_are_none(braces: str, tmp_path: Path) -> None:
    (tmp_path / "d.h").write_text("inline cudaStream_t none() { return nullptr; }\n")
    (tmp_path / "a.cu").write_text(f'{braces}#include "d.h"\n')
    guest = port_source(Project(tmp_path), tmp_path / "d.h", "d.h", Options(runtime="include"), {}, tmp_path / "a.cu")
    assert includes(guest.port) == ["hip/hip_runtime.h"]
