"""Device addresses and texture objects used as numbers: the ports compile."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.toolchain import find_toolchain, syntax_check
from tests.porting import port

pytestmark = pytest.mark.skipif(not find_toolchain().complete, reason=f"no compiler here: {find_toolchain().fix}")

HEAD = """#include <cuda.h>
#include <cuda_runtime.h>
struct Place { CUdeviceptr p; };
void take(size_t);
template <class T> T rounded(T value) { return value / 16 * 16; }
#define AFTER(p, n) ((p) + (n))
void f(CUdeviceptr p, CUdeviceptr *all, Place *place, cudaTextureObject_t t, void *to, size_t n, unsigned u, bool b) {
"""
USES = (
    "CUdeviceptr q = p + n, r = 0; r = q - n; q = r = p;",
    "cuMemcpyDtoH(to, p + 4 * n, n); cuMemcpyDtoH(to, n, 4); take(p); take(p + n);",
    "p += 16; p -= n; place->p |= n & 15; all[1] += 4 * n; place->p = p + (n & ~15);",
    "size_t d = all[1] - all[0], e = p; unsigned long long g = (unsigned long long)p; g = p; g += p;",
    "if (p % 16 == 0 && p != 0 && p == *all && p < all[1] && !p && p != n && ~p) take(1);",
    "float *x = (float *)(p + n), *y = reinterpret_cast<float *>(p); CUdeviceptr v[2] = {p + 1, (CUdeviceptr)x};",
    "CUdeviceptr s = (CUdeviceptr)to + n, w = reinterpret_cast<CUdeviceptr>(to), c = b ? p : p + 4;",
    "uint2 o = make_uint2((unsigned)(t & 0xffffffff), (unsigned)(t >> 32)); t = (cudaTextureObject_t)o.x << 32 | o.y;",
    "int low = (int)p; float near = (float)p; long many = static_cast<long>(p); p = static_cast<CUdeviceptr>(u);",
    "p = rounded(p); auto add = [&](int k) { return p + k; }; take(add(1));",
)


@pytest.mark.parametrize("use", USES)
@pytest.mark.sample(3)
def test_the_port_of_a_use_compiles(use: str, tmp_path: Path) -> None:
    result = port(f"{HEAD}  {use}\n}}\n", tmp_path, parse=True)
    assert any(finding.rule == "handle-as-number" for finding in result.findings)
    (tmp_path / "a.hip").write_text(result.port)
    assert syntax_check(tmp_path / "a.hip", runtime=True).errors == (), result.port


@pytest.mark.parametrize("use", ["p++;", "take(AFTER(p, n));"])
def test_a_use_that_is_not_ported_is_left(use: str, tmp_path: Path) -> None:
    result = port(f"{HEAD}  {use}\n}}\n", tmp_path, parse=True)
    assert "porter[handle-as-number]" in result.port
