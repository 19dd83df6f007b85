"""`porter asm`: the facts of a kernel, its listing, and what bad input gets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import porter

from porter.perf.isa import instruction_class, mfma_flops

SOURCE = """
#include <hip/hip_runtime.h>
__global__ void scale(float *p, float by) { p[blockIdx.x * 64 + threadIdx.x] *= by; }
__global__ void __launch_bounds__(256) tile(float *p) {
  __shared__ float s[8192];
  s[threadIdx.x * 7 % 8192] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[threadIdx.x * 3];
}
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("asm") / "two.hip"
    path.write_text(SOURCE)
    return path


def test_facts(source):
    done = porter("asm", source, "--json")
    assert done.returncode == 0, done.stderr
    scale, tile = json.loads(done.stdout)
    assert scale["name"] == "scale(float*, float)"
    assert (scale["lds_bytes"], scale["waves_per_simd"], scale["scratch_bytes"]) == (0, 8, 0)
    assert tile["lds_bytes"] == 32768
    assert tile["max_threads"] == 256
    # Two workgroups of four waves fit into 64 KiB: two waves a SIMD.
    assert (tile["waves_per_simd"], tile["limited_by"]) == (2, "LDS")
    assert tile["mix"]["barrier"] == 1
    assert sum(tile["mix"].values()) == tile["instructions"] == sum(tile["mnemonics"].values())


def test_listing_names_source_lines(source):
    done = porter("asm", source, "--kernel", "tile")
    assert done.returncode == 0, done.stderr
    assert "; two.hip:6" in done.stdout
    assert "s_barrier" in done.stdout
    assert "scale" not in done.stdout


def test_summary_leaves_the_assembly_out(source):
    done = porter("asm", source, "--summary")
    assert done.returncode == 0
    assert "occupancy" in done.stdout
    assert "s_endpgm\n" not in done.stdout


def test_unknown_kernel(source):
    done = porter("asm", source, "--kernel", "nosuch")
    assert done.returncode == 2
    assert "nosuch" in done.stderr and "there are: scale, tile" in done.stderr


def test_compile_error(tmp_path):
    bad = tmp_path / "bad.hip"
    bad.write_text("#include <hip/hip_runtime.h>\n__global__ void k(float *p) { *p = undeclared; }\n")
    done = porter("asm", bad)
    assert done.returncode == 2
    assert "bad.hip:2" in done.stderr and "undeclared" in done.stderr
    assert "Traceback" not in done.stderr


def test_no_kernel(tmp_path):
    host = tmp_path / "host.hip"
    host.write_text("int main() { return 0; }\n")
    done = porter("asm", host)
    assert done.returncode == 2
    assert "no kernel" in done.stderr


@pytest.mark.parametrize(
    ("mnemonic", "flops"),
    [
        ("v_mfma_f32_32x32x8_bf16", 2 * 32 * 32 * 8),
        ("v_mfma_f32_16x16x16_f16", 2 * 16 * 16 * 16),
        ("v_mfma_f32_32x32x4_2b_bf16", 2 * 32 * 32 * 4 * 2),
        ("v_mfma_f32_4x4x4_16b_f16", 2 * 4 * 4 * 4 * 16),
        ("v_mfma_f64_4x4x4_4b_f64", 2 * 4 * 4 * 4 * 4),
        ("v_smfmac_f32_16x16x64_fp8_fp8", 16 * 16 * 64),
        ("v_add_f32", 0),
    ],
)
def test_flops(mnemonic, flops):
    assert mfma_flops(mnemonic) == flops


def test_classes():
    assert instruction_class("v_mfma_f32_32x32x8_bf16") == "mfma"
    assert instruction_class("s_cbranch_scc0") == "branch"
    assert instruction_class("s_load_dwordx4") == "smem"
    assert instruction_class("ds_read_b64") == "lds"
    assert instruction_class("global_atomic_add_f32") == "vmem"
