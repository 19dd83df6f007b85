"""`porter convert --resources`: kernels with spilled vector registers, and what was compiled that has none."""

from __future__ import annotations

import re
from pathlib import Path

from porter.findings import FilePort, Finding, Safety
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.perf.spills import Spills, spills
from porter.port.pipeline import port_source

PRODUCT = """
template <int N> __global__ void BOUNDS product(const uint32_t *x, float *y, int n) {
  float sum[N / 8][4] = {};
  for (int k = 0; k < n; ++k) {
    uint32_t a[4];
    for (int i = 0; i < 4; ++i) a[i] = x[k * 256 + i * 32 + threadIdx.x];
#pragma unroll
    for (int j = 0; j < N / 8; ++j) {
      float (&d)[4] = sum[j];
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                   : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(x[j * 64]), "r"(x[j * 64 + 32]));
    }
  }
#pragma unroll
  for (int j = 0; j < N / 8; ++j)
    for (int i = 0; i < 4; ++i) y[(j * 4 + i) * 128 + threadIdx.x] = sum[j][i];
}
"""
HEAD = "#include <cuda_runtime.h>\n#include <cstdint>\n"
RUN = "constexpr int kBlockN = 256;\nvoid run(const uint32_t *x, float *y, int n) { product<kBlockN><<<1, 128>>>(x, y, n); }\n"


def port(folder: Path, source: str) -> FilePort:
    path = folder / "kernel.cu"
    path.write_text(source)
    return port_source(Project(folder), path, "kernel.hip", Options(runtime="include", resources=True), {})


def only(result: FilePort) -> Finding:
    (finding,) = (f for f in result.findings if f.rule == "register-budget")
    assert finding.safety is Safety.SLOWER
    assert not finding.edits
    return finding


def test_what_would_fit_is_compiled_and_proposed(tmp_path: Path) -> None:
    source = HEAD + PRODUCT.replace("BOUNDS", "") + RUN
    result = port(tmp_path, source)
    finding = only(result)
    assert source[finding.start : finding.end] == "product"
    assert finding.message.startswith(
        "product<256> (lines 4 to 20) needs more than the 128 vector registers that blocks of 16 waves leave each: "
    )
    assert re.search(r", [1-9]\d* of them in loops", finding.message)
    assert re.search(r"right: __launch_bounds__\(128\) \(\d+ registers of 512\)", finding.message)
    assert re.search(r"; kBlockN = 128 \(\d+ registers of 128\)", finding.message)
    assert "__launch_bounds__" not in result.port
    assert "kBlockN = 256;" in result.port


def test_configurations_that_the_source_refuses_are_not_proposed(tmp_path: Path) -> None:
    source = HEAD + PRODUCT.replace("BOUNDS", "__launch_bounds__(512)") + "static_assert(256 == BN);\n" + RUN
    finding = only(port(tmp_path, source.replace("BN", "kBlockN").replace("static", "constexpr int kBlockN = 256;\nstatic", 1)
                      .replace("constexpr int kBlockN = 256;\nvoid", "void")))  # fmt: skip
    assert "proposal" not in finding.message
    assert "blocks of 16 waves" in finding.message


def test_kernels_of_headers_are_named_where_they_are_launched(tmp_path: Path) -> None:
    (tmp_path / "product.cuh").write_text("#pragma once\n" + PRODUCT.replace("BOUNDS", "__launch_bounds__(512)"))
    source = HEAD + '#include "product.cuh"\n' + RUN
    finding = only(port(tmp_path, source))
    assert source[finding.start : finding.end] == "product"
    assert finding.message.startswith("product<256> needs more than the 128")
    assert re.search(r"right: kBlockN = 128 \(\d+ registers of 128\)$", finding.message)


def test_kernels_that_fit_and_ports_that_do_not_compile(tmp_path: Path) -> None:
    fits = HEAD + PRODUCT.replace("BOUNDS", "__launch_bounds__(128)") + RUN
    result = port(tmp_path, fits)
    assert not [f for f in result.findings if f.rule == "register-budget"]
    assert result.notes[-1] == "compiled for gfx942: 1 kernel; no vector registers are spilled"
    finding = only(port(tmp_path, fits + "int broken = nothing;\n"))
    assert "the port does not compile (use of undeclared identifier 'nothing')" in finding.message


ASSEMBLY = """k:                                      ; @k
; %bb.0:
	scratch_store_dword off, v1, off        ; 4-byte Folded Spill
	v_writelane_b32 v2, s3, 1               ; 4-byte Folded Spill
.LBB0_1:                                ; =>This Loop Header: Depth=1
                                        ;     Child Loop BB0_2 Depth 2
	scratch_load_dword v1, off, off         ; 4-byte Folded Reload
.LBB0_2:                                ;   Parent Loop BB0_1 Depth=1
                                        ; =>  This Inner Loop Header: Depth=2
	scratch_load_dwordx2 v[1:2], off, off offset:4 ; 8-byte Folded Reload
	scratch_load_dword v1, v2, off
; %bb.3:                                ;   in Loop: Header=BB0_1 Depth=1
	scratch_store_dword off, v1, off        ; 4-byte Folded Spill
.LBB0_4:
	scratch_load_dword v1, off, off         ; 4-byte Folded Reload
.Lfunc_end0:
other:                                  ; @other
	s_endpgm
"""


def test_spills_are_counted_by_where_they_are() -> None:
    assert spills(ASSEMBLY) == {"k": Spills(total=5, in_loops=3)}
