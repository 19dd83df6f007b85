"""torch's extension builder runs its own hipify over a port: what it makes of it still has every file that it includes."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

from porter.paths import RUNTIME_INCLUDE
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


def hipified(folder: Path, source: Path) -> Path:
    """The file that torch's builder would compile: it calls this for each source of a CUDAExtension."""
    from torch.utils.hipify import hipify_python

    with contextlib.redirect_stdout(io.StringIO()):
        result = hipify_python.hipify(
            project_directory=str(folder), output_directory=str(folder), includes=[str(folder / "*")],
            extra_files=[str(source)], is_pytorch_extension=True, hipify_extra_files_only=True,
        )  # fmt: skip
    return Path(result[str(source)].hipified_path or source)


def included(path: Path) -> list[str]:
    return re.findall(r'#include "([^"]+)"', path.read_text())


def test_each_header_of_porters_keeps_its_name(tmp_path: Path) -> None:
    names = sorted(path.relative_to(RUNTIME_INCLUDE).as_posix() for path in (RUNTIME_INCLUDE / "porter").rglob("*.h"))
    source = tmp_path / "all.hip"
    source.write_text("".join(f'#include "{name}"\n' for name in names) + "void f() { cudaFree(0); }\n")
    assert included(hipified(tmp_path, source)) == names


def test_an_extension_has_all_that_it_includes(tmp_path: Path) -> None:
    folder = tmp_path / "ext"
    folder.mkdir()
    for name, text in SOURCES.items():
        (folder / name).write_text(text)
    conversion = Conversion(Options())
    todo = plan([folder], tmp_path / "port", False, conversion)
    write_ports(todo.jobs, run_jobs(todo.jobs, conversion, 1), "copy", todo.runtime_dirs)
    made = hipified(tmp_path / "port", tmp_path / "port" / "k.hip")
    queue, seen = [made], set[Path]()
    while queue:
        path = queue.pop()
        seen.add(path)
        for name in included(path):
            found = next((one for one in (path.parent / name, tmp_path / "port" / name) if one.is_file()), None)
            assert found is not None, f"{path} includes {name}"
            if found not in seen:
                queue.append(found)
    assert {"k.cuh", "groups.h", "warp.h"} <= {path.name for path in seen}
