"""Values that are only close to the chip: where they may decide a branch or an address, by the code of a kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.emu.assembly import parse
from porter.perf.fidelity import fidelity
from porter.perf.near_reach import Reach, reaches
from porter.toolchain import Options, device_assembly, find_toolchain

KERNELS = """#include <hip/hip_runtime.h>
#define I threadIdx.x
extern "C" {
__global__ void stores(float *x, int n) { if (I < n) x[I] = expf(x[I]) / x[I + n]; }
__global__ void branches(float *x, int n) { if (I < n) { float y = __sinf(x[I]); if (y > 0.5f) x[I] = x[2 * I] + 1; } }
__global__ void indexes(float *x, int n) { x[I] = x[(int)(__expf(x[I]) * n)]; }
__global__ void shares(float *x) {
  __shared__ float s[64];
  s[I] = __expf(x[I]);
  __syncthreads();
  for (float t = s[63 - I]; t > 1; t *= .5f) x[I] += 1;
}
__global__ void divides(float *x, int m) { x[I / m] = x[I % m]; }
__global__ void reads(float *x) { if (x[I] > 2) x[I + 64] = x[I * 2]; }
__global__ void selects(float *x) { float y = __expf(x[I]); x[I] = y > 2 ? 2 : y; }
__global__ void after(float *x, int n) {
  float y = __expf(x[I]);
  if (I < n) { x[I + n] = y; y = n; }
  x[(int)y] = 1;
}
__global__ void calls(float *x, float (*f)(float)) { x[I] = f(x[I]); }
}
"""
LINES = {word: number for number, line in enumerate(KERNELS.splitlines(), 1) for word in line.split("(")[:1]}

pytestmark = pytest.mark.skipif(
    not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}"
)


@pytest.fixture(scope="module", params=["1", "3"])
def by_kernel(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, tuple[Path, Reach]]:
    source = tmp_path_factory.mktemp("near") / "k.hip"
    source.write_text(KERNELS)
    path = device_assembly(source, Options(level=request.param, emulator=True))
    program = parse(path.read_text())
    alone = {name: reaches([(program, [name])])[name] for name in program.kernels}
    both = reaches([(program, ["stores", "reads", "divides"])])
    return {
        name: (path, reach)
        for name, reach in {**alone, **{f"{name} with stores": one for name, one in both.items()}}.items()
    }


def lines(places: tuple[str, ...]) -> list[str]:
    return [KERNELS.splitlines()[int(place.split("k.hip:")[1].split()[0]) - 1].strip() for place in places]


@pytest.mark.parametrize("name", ["stores", "divides", "selects", "reads", "stores with stores", "divides with stores"])
def test_values_that_are_stored_selected_or_fixed_decide_nothing(by_kernel, name):
    assert by_kernel[name][1] == Reach()


def test_a_branch_and_an_address_are_named(by_kernel):
    for name in ("branches", "indexes"):
        reach = by_kernel[name][1]
        places = reach.branches if name == "branches" else reach.addresses
        assert [line.split("(")[0] for line in lines(places)] == [f"__global__ void {name}"]
    assert not by_kernel["branches"][1].addresses and not by_kernel["indexes"][1].branches


def test_values_go_through_lds_and_decide_how_often_a_loop_turns(by_kernel):
    reach = by_kernel["shares"][1]
    assert (
        set(lines(reach.branches)) == {"for (float t = s[63 - I]; t > 1; t *= .5f) x[I] += 1;"} and not reach.addresses
    )


def test_lanes_that_were_switched_off_keep_what_they_hold(by_kernel):
    assert lines(by_kernel["after"][1].addresses) == ["x[(int)y] = 1;"]


def test_what_a_kernel_stores_another_reads(by_kernel):
    reach = by_kernel["reads with stores"][1]
    assert reach.by_memory and reach.branches and not by_kernel["reads"][1].branches


def test_the_sentence_says_it(by_kernel):
    path, _ = by_kernel["stores"]
    counts = {"counts": [["v_exp_f32_e32 v1, v2", "k.hip", 3, 5]]}
    said = {
        name: fidelity([{"kernel": name, **counts}], [path]).sentence()
        for name in ("stores", "branches", "calls", "other")
    }
    assert said["stores"].endswith("; such values decide no branch and no address")
    assert said["branches"].endswith(f"; such values may decide a branch (k.hip:{LINES['__global__ void branches']})")
    assert said["calls"].endswith("; whether they do is not known of calls: it calls functions")
    assert said["other"].endswith("; whether they do is not known of other: its code is not of these sources")
    assert fidelity([{"kernel": "branches", **counts}], [path]).as_json()["reach"]["branches"]["branches"]
