"""`porter build --genco`: module files, and what `porter asm` reads in them."""

from __future__ import annotations

from commands import porter

SOURCE = """
#include <hip/hip_runtime.h>
extern "C" __global__ void scale(float *p, float by) { p[blockIdx.x * 64 + threadIdx.x] *= by; }
"""


def test_a_module_file_is_made_and_read_back(tmp_path):
    source, made = tmp_path / "scale.hip", tmp_path / "scale.co"
    source.write_text(SOURCE)
    done = porter("build", "--genco", str(source), "-o", str(made))
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"wrote {made}: 1 kernel (scale) for gfx942\n"
    listing = porter("asm", str(made))
    assert listing.returncode == 0 and "scale" in listing.stdout and "v_mul_f32" in listing.stdout
    assert porter("build", "--genco", str(source), "-o", str(made), "--elf").returncode == 0  # its own file may go
    assert made.read_bytes().startswith(b"\x7fELF")
    assert "v_mul_f32" in porter("asm", str(made)).stdout


def test_a_module_file_without_a_kernel_says_so(tmp_path):
    source = tmp_path / "none.hip"
    source.write_text("#include <hip/hip_runtime.h>\n__device__ float twice(float x) { return x + x; }\n")
    done = porter("build", "--genco", str(source), "-o", str(tmp_path / "none.co"))
    assert (done.returncode, done.stdout) == (0, f"wrote {tmp_path / 'none.co'}: no kernel for gfx942\n")


def test_what_it_refuses(tmp_path):
    source = tmp_path / "scale.hip"
    source.write_text(SOURCE)
    done = porter("build", str(source))
    assert done.returncode == 2 and "--genco" in done.stderr
    done = porter("build", "--genco", str(source), "-o", str(source))
    assert done.returncode == 2 and "is no module file" in done.stderr
    assert source.read_text() == SOURCE
    damaged = tmp_path / "damaged.co"
    damaged.write_bytes(b"__CLANG_OFFLOAD_BUNDLE__" + bytes(8))
    done = porter("asm", str(damaged))
    assert done.returncode == 2 and "no code for gfx942" in done.stderr
