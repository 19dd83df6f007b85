"""Which sources `porter run` takes: HIP in whatever suffix, never CUDA."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.cli.run import is_cuda


@pytest.mark.parametrize(
    ("text", "cuda"),
    [
        ("#include <hip/hip_runtime.h>\nvoid f() { k<<<1, 64>>>(); }\n", False),
        ('#include "project.h"\nvoid f() { hipMalloc(&p, 4); k<<<1, 64>>>(p); }\n', False),
        ('#include "project.h"\nint main() { return start(); }\n', False),
        ("#include <cuda_runtime.h>\nvoid f();\n", True),
        ('#include "project.h"\nvoid f() { cudaMalloc(&p, 4); k<<<1, 32>>>(p); }\n', True),
    ],
)
def test_a_cu_fileis_cuda_by_what_it_says(tmp_path: Path, text: str, cuda: bool) -> None:
    source = tmp_path / "a.cu"
    source.write_text(text)
    assert is_cuda(source) is cuda
