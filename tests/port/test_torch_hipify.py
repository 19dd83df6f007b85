"""torch's extension builder runs its own hipify over a port: what it makes of it still has every file that it includes."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
from pathlib import Path

import pytest

from porter.frontend.lexer import lex
from porter.paths import RUNTIME_INCLUDE
from porter.port.building.torch_builder import uses_torch
from porter.port.files.write import write_ports
from porter.port.pipeline import Conversion, Options
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs

SOURCES = {
    "k.cu": """#include <torch/extension.h>
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include "k.cuh"
namespace cg = cooperative_groups;
__global__ void k(float *p) {
  auto t = cg::tiled_partition<32>(cg::this_thread_block());
  p[threadIdx.x] = t.shfl(p[threadIdx.x], 0) + one();
}
void run(torch::Tensor t) { k<<<1, 64>>>(t.data_ptr<float>()); }
""",
    "k.cuh": "#pragma once\n__device__ inline float one() { return __shfl_sync(~0u, 1.f, 0); }\n",
}


def hipified(folder: Path, *sources: Path) -> dict[Path, Path]:
    """The files that torch's builder would compile: it calls this for the sources of a CUDAExtension."""
    from torch.utils.hipify import hipify_python

    with contextlib.redirect_stdout(io.StringIO()):
        result = hipify_python.hipify(
            project_directory=str(folder), output_directory=str(folder), includes=[str(folder / "*")],
            extra_files=list(map(str, sources)), is_pytorch_extension=True, hipify_extra_files_only=True,
        )  # fmt: skip
    made = {source: result.get(str(source)) for source in sources}
    return {source: Path((one.hipified_path if one else None) or source) for source, one in made.items()}


def included(path: Path) -> list[str]:
    return re.findall(r'#include "([^"]+)"', path.read_text())


@pytest.mark.parametrize(
    ("first", "uses"),
    [
        ('#include "bindings.h"', True),
        ('#ifdef BINDINGS\n#include "bindings.h"\n#endif', False),
        ("#ifdef BINDINGS\n#include <torch/extension.h>\n#endif", False),
    ],
)
def test_an_extension_includes_torch_in_code_that_is_compiled(first: str, uses: bool, tmp_path: Path) -> None:
    (tmp_path / "bindings.h").write_text("#include <torch/extension.h>\n")
    (tmp_path / "a.cu").write_text(f"{first}\n__global__ void k() {{}}\n")
    conversion = Conversion(Options())
    todo = plan([tmp_path / "a.cu"], tmp_path / "a.hip", False, conversion)
    assert uses_torch(next(job for job in todo.jobs if job.path.name == "a.cu"), conversion) == uses


def test_each_header_of_porters_keeps_its_name(tmp_path: Path) -> None:
    names = sorted(path.relative_to(RUNTIME_INCLUDE).as_posix() for path in (RUNTIME_INCLUDE / "porter").rglob("*.h"))
    source = tmp_path / "all.hip"
    source.write_text("".join(f'#include "{name}"\n' for name in names) + "void f() { cudaFree(0); }\n")
    assert included(hipified(tmp_path, source)[source]) == names


def tokens_behind_hipify(text: str) -> list[str]:
    """The tokens that a header has behind hipify where that changes what it must: launches and names of headers."""
    tokens = [token.text for token in lex(text).tokens]
    while "<<<" in tokens:
        at = tokens.index("<<<")
        end = tokens.index(">>>", at)
        opening = max(k for k in range(at) if tokens[k] == "<") if tokens[at - 1] == ">" else at
        first = opening - 1
        configuration = split(tokens[at + 1 : end])
        assert 2 <= len(configuration) <= 4
        grid, block, *more = configuration
        plain = [*more, ["0"], ["0"]][:2]
        parts = [["(", *tokens[first:at], ")"], ["dim3", "(", *grid, ")"], ["dim3", "(", *block, ")"], *plain]
        assert tokens[end + 1] == "(" and tokens[end + 2] != ")"
        launch = [token for part in parts for token in (*part, ",")]
        tokens[first : end + 2] = ["hipLaunchKernelGGL", "(", *launch]
    return tokens


def split(tokens: list[str]) -> list[list[str]]:
    """Tokens between the commas outside of brackets."""
    parts: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
        if token == "," and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def test_no_header_of_porters_means_another_thing_behind_it(tmp_path: Path) -> None:
    folder = tmp_path / "include"
    shutil.copytree(RUNTIME_INCLUDE, folder)
    headers = sorted(path for path in folder.rglob("*") if path.is_file())
    changed = []
    for header, made in hipified(folder, *headers).items():
        text = re.sub(r"^#include \"hip/hip_runtime.h\"\n", "", made.read_text(), flags=re.MULTILINE)
        text = re.sub(r'(#include "[^"]*)_hip(\.\w+")', r"\1\2", text)
        before = re.sub(r"^#include \"hip/hip_runtime.h\"\n", "", header.read_text(), flags=re.MULTILINE)
        if [token.text for token in lex(text).tokens] != tokens_behind_hipify(before):
            changed.append(header.relative_to(folder).as_posix())
    assert changed == []


def test_an_extension_has_all_that_it_includes(tmp_path: Path) -> None:
    folder = tmp_path / "ext"
    folder.mkdir()
    for name, text in SOURCES.items():
        (folder / name).write_text(text)
    conversion = Conversion(Options())
    todo = plan([folder], tmp_path / "port", False, conversion)
    write_ports(todo.jobs, run_jobs(todo.jobs, conversion, 1), "copy", todo.runtime_dirs)
    source = tmp_path / "port" / "k.hip"
    queue, seen = [hipified(tmp_path / "port", source)[source]], set[Path]()
    while queue:
        path = queue.pop()
        seen.add(path)
        for name in included(path):
            header = next((one for one in (path.parent / name, tmp_path / "port" / name) if one.is_file()), None)
            assert header is not None, f"{path} includes {name}"
            if header not in seen:
                queue.append(header)
    assert {"k.cuh", "groups.h", "warp.h"} <= {path.name for path in seen}
