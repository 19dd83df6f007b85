"""Values converted between half and bf16 in every spelling: ported, compiled and run."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from porter.execute import RunOptions, emulated, emulator_settings
from porter.toolchain import Options
from porter.toolchain.pip_clang import find_pip_clang
from tests.porting import port

CLANG = find_pip_clang()
pytestmark = pytest.mark.skipif(not CLANG.complete, reason=f"no compiler here: {CLANG.fix}")

EACH = """{{ out[0] = static_cast<{0}>(in[0]); out[1] = ({0})in[1]; out[2] = {0}(in[2]);
  {0} made(in[3]), other{{in[4]}}; out[3] = made; out[4] = other; out[5] = {0}{{in[5]}}; }}
"""
SOURCE = (
    "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <cstdio>\n"
    + "template <class D, class S> __global__ void any(D *out, const S *in) "
    + EACH.format("D")
    + "__global__ void to_half(__half *out, const __nv_bfloat16 *in) "
    + EACH.format("__half")
    + "__global__ void to_bf16(nv_bfloat16 *out, const half *in) "
    + EACH.format("nv_bfloat16")
    + r"""
template <class D, class S> void shown(void (*kernel)(D *, const S *)) {
  D *out;
  S *in;
  cudaMallocManaged(&out, 6 * sizeof(D));
  cudaMallocManaged(&in, 6 * sizeof(S));
  for (int i = 0; i < 6; i++) in[i] = S(1.0f + 0.1f * i);
  kernel<<<1, 1>>>(out, in);
  cudaDeviceSynchronize();
  for (int i = 0; i < 6; i++) printf("%.9g ", float(out[i]));
  printf("\n");
}
int main() {
  shown<__half, __nv_bfloat16>(any<__half, __nv_bfloat16>);
  shown<__half, __nv_bfloat16>(to_half);
  shown<__nv_bfloat16, __half>(any<__nv_bfloat16, __half>);
  shown<__nv_bfloat16, __half>(to_bf16);
  shown<float, __half>(any<float, __half>);
}
"""
)
BF16 = "1 1.1015625 1.203125 1.296875 1.3984375 1.5 "  # the nearest to 1, 1.1, ... 1.5; each is a half
HALF = "1 1.09960938 1.20019531 1.29980469 1.40039062 1.5 "


def test_every_spelling_rounds_once(tmp_path: Path) -> None:
    result = port(SOURCE, tmp_path, parse=True)
    assert [f.rule for f in result.findings].count("half-from-bf16") == 18
    ported = tmp_path / "a.hip"
    ported.write_text(result.port)
    built = emulated([ported], Options())
    settings = emulator_settings(RunOptions(emulate=True), tmp_path / "report")
    done = subprocess.run([str(built.path)], env=settings, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [BF16, BF16, BF16, BF16, HALF]


def test_what_a_macro_hides_is_left(tmp_path: Path) -> None:
    source = (
        "#include <cuda_bf16.h>\n#define HALF(x) __half(x)\n__device__ __half f(__nv_bfloat16 x) { return HALF(x); }\n"
    )
    of_rule = [f for f in port(source, tmp_path, parse=True).findings if f.rule == "half-from-bf16"]
    assert [f.safety.name for f in of_rule] == ["LEFT"]
