"""A device's shared memory as a constant in a file that has nothing else of CUDA."""

from commands import porter


def test_a_file_with_the_limit_alone_is_ported(tmp_path):
    (tmp_path / "capacity.inl").write_text("constexpr int sm90_smem_capacity_bytes = 232448;\n")
    (tmp_path / "a.cu").write_text(
        '#include "capacity.inl"\n#include <cuda_runtime.h>\n'
        "__global__ void k() { extern __shared__ float x[]; x[threadIdx.x] = 0; }\n"
        "void launch() { k<<<1, 32, sm90_smem_capacity_bytes / 4>>>(); }\n"
    )
    porter("convert", tmp_path, "-o", tmp_path.parent / "out")
    assert "63488 /* 232448 */" in (tmp_path.parent / "out" / "capacity.inl").read_text()
