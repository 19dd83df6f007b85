"""Mirrored warps: what a warp of 32 lanes sees of itself when each lane is played by two of a wave."""

from __future__ import annotations

from pathlib import Path

import pytest
from porting import port

from porter.analysis import roles as analysis
from porter.analysis.roles import Roles
from porter.execute import RunOptions, run_program
from porter.findings import Safety
from porter.frontend.project import Project
from porter.frontend.source_file import SourceFile
from porter.frontend.unit import Options as PortOptions
from porter.paths import RUNTIME_INCLUDE
from porter.perf.isa import compiled_kernels
from porter.port.pipeline import port_source
from porter.ptx.table import PtxTable
from porter.toolchain import Options
from porter.toolchain.build import device_assembly

KERNELS = Path(__file__).parent / "kernels"


def test_a_mirrored_warp_is_a_warp() -> None:
    how = RunOptions(emulate=True, checks=("bounds", "all"))
    outcome = run_program([KERNELS / "mirrored_warps.hip"], [], Options(), how)
    assert outcome.code == 0
    assert outcome.findings == []


@pytest.mark.parametrize("dimensions", ["1", "2"])
@pytest.mark.sample(1)
def test_a_block_of_one_thread_has_no_mirror(dimensions: str) -> None:
    how = RunOptions(emulate=True, checks=("bounds", "all"))
    outcome = run_program([KERNELS / "one_thread.hip"], [], Options(defines=(f"PORTER_MIRRORED={dimensions}",)), how)
    assert outcome.code == 0
    assert outcome.findings == []


@pytest.mark.parametrize("defines", [(), ("PORTER_MIRRORED=1",)])
def test_lanes_find_their_equals_and_blocks_count(defines: tuple[str, ...]) -> None:
    how = RunOptions(emulate=True, checks=("bounds", "all"))
    outcome = run_program([KERNELS / "equal_lanes.hip"], [], Options(defines=defines), how)
    assert outcome.code == 0
    assert outcome.findings == []


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.sample(1)
def test_lanes_wait_for_those_of_a_mask(mirrored: bool, tmp_path: Path) -> None:
    other = (
        "#include <mma.h>\n__global__ void other() { nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> c;"
        " nvcuda::wmma::fill_fragment(c, 0.0f); }"
    )
    text = (KERNELS / "masked_sync.cu").read_text().replace("MIRRORING", other if mirrored else "")
    source = tmp_path / "masked_sync.cu"
    source.write_text(text)
    made = port_source(Project(None), source, "masked_sync.hip", PortOptions(runtime="include"), {})
    assert ("PORTER_MIRRORED" in made.port) == mirrored
    assert made.port.count("porter::syncwarp(") >= 8 and "porter::syncwarp(equal)" in made.port
    assert not [one for one in made.findings if one.rule == "warp-branches"]
    out = tmp_path / "masked_sync.hip"
    out.write_text(made.port)
    how = RunOptions(emulate=True, checks=("bounds", "all"))
    outcome = run_program([out], [], Options(includes=(RUNTIME_INCLUDE,)), how)
    assert outcome.code == 0
    assert outcome.findings == []


@pytest.mark.parametrize(
    "name", ["dynamic_shared", "products_of_copies", "late_copies", "held_copies", "held_pipeline"]
)
@pytest.mark.sample(1)
def test_programs_whose_ports_end_well(name: str, tmp_path: Path) -> None:
    """Where swizzles want it, dynamic shared memory begins; products begin when their four warps have come; copies come late,
    or when they are waited for."""
    ends_well(name, tmp_path)


def test_reductions_and_scans_of_cub_take_two_lanes_for_one_thread(tmp_path: Path) -> None:
    ends_well("collectives", tmp_path)


def ends_well(name: str, tmp_path: Path) -> None:
    source = KERNELS / f"{name}.cu"
    made = port_source(Project(None), source, f"{name}.hip", PortOptions(runtime="include"), {})
    out = tmp_path / f"{name}.hip"
    out.write_text(made.port)
    how = RunOptions(emulate=True, checks=("bounds", "all"))
    outcome = run_program([out], [], Options(includes=(RUNTIME_INCLUDE,)), how)
    assert outcome.code == 0
    assert outcome.findings == []


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ('#define MAKE(name) __global__ void name() { asm volatile("bar.sync 1, 64;"); }\nMAKE(k)', True),
        ('#define KERNEL __global__ void\nKERNEL k() { asm volatile("bar.sync 1, 64;"); }', False),
        ('__global__ void k();\n__global__ void k() { asm volatile("bar.sync 1, 64;"); }', False),
    ],
)
def test_kernels_whose_barriers_nobody_clears(source: str, said: bool, tmp_path: Path) -> None:
    made = port(source, tmp_path)
    assert any("porter::begin_block()" in one.message for one in made.findings if one.safety is Safety.LEFT) is said
    assert ("porter::begin_block();" in made.port) is not said


def test_launches_with_attributes_that_hip_lacks() -> None:
    how = RunOptions(emulate=True, checks=("bounds", "all"))
    outcome = run_program([KERNELS / "in_order.hip"], [], Options(), how)
    assert outcome.code == 0
    assert outcome.findings == []


def roles(text: str) -> Roles:
    return analysis.roles([SourceFile(Path("x.cu"), text.encode())])


def needs(text: str) -> bool:
    return roles(text).mirrored > 0


def test_units_in_which_warps_have_roles() -> None:
    assert needs('asm volatile("wgmma.fence.sync.aligned;");')
    assert needs('asm("bar.sync %0, %1;" :: "r"(id), "r"(n));')
    assert needs('asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; }" :: "r"(b));')
    assert needs("#include <mma.h>\nusing namespace nvcuda;\n__device__ void f() { wmma::fill_fragment(a, 0); }\n")
    assert not needs("#include <mma.h>\nusing namespace nvcuda;\n// wmma::mma_sync is not used\n")
    assert not needs('// wgmma.mma_async is not used here\nasm volatile("bar.sync 0;");')
    assert not needs("__global__ void k() { __syncthreads(); }")


def test_the_table_says_which_instructions_need_mirrors() -> None:
    assert needs('asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" :: "n"(N));')
    assert not needs('asm volatile("cp.async.bulk.commit_group;");')
    assert not needs('asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(d), "l"(s));')
    assert not needs('asm volatile("st.shared.b32 [%0], %1;" :: "r"(d), "r"(s));')
    assert not needs('asm volatile("bar.sync %0;" :: "r"(id));')


def test_instructions_that_the_preprocessor_puts_together() -> None:
    """Where a part is missing, all rows that may be meant have to agree."""
    assert needs('#define M(T) asm volatile("mma.sync.aligned.m16n8k16.row.col." #T ";")\n')
    assert needs('#define C(D) asm volatile("cp.async.bulk.tensor." #D ".global.shared::cta;")\n')
    assert not needs('#define S(T) asm volatile("st." #T " [%0], %1;" :: "l"(p), "r"(v))\n')


def test_the_table_is_read_where_there_is_assembly_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(rules: object) -> PtxTable:
        raise AssertionError("reads the table")

    monkeypatch.setattr(analysis, "ptx_table", refuse)
    assert not needs("#include <cuda_fp16.h>\n__global__ void k(int *p) { p[threadIdx.x] = __shfl_sync(~0u, 1, 0); }")
    assert not needs('// asm is not used here\nvoid f() { puts("mbarrier.init.b64"); }')
    with pytest.raises(AssertionError, match="reads the table"):
        needs('asm("mbarrier.init.shared.b64 [%0], %1;" :: "r"(b), "r"(n));')


def test_named_barriers() -> None:
    assert roles('asm("bar.sync %0, %1;" :: "r"(id), "r"(n));').named_barriers
    assert not roles('asm volatile("setmaxnreg.inc.sync.aligned.u32 40;");').named_barriers


def test_products_of_operands_that_threads_copy() -> None:
    waits = 'asm volatile("wgmma.wait_group.sync.aligned 0;");'
    copies = 'asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(a), "l"(b));'
    assert roles(waits + copies).meeting
    assert not roles(waits).meeting
    assert not roles('asm volatile("wgmma.fence.sync.aligned;");' + copies).meeting
    assert not roles(waits + 'asm volatile("cp.async.bulk.commit_group;");').meeting


def test_warpgroups() -> None:
    assert roles('asm volatile("wgmma.wait_group.sync.aligned 0;");').warpgroups
    assert not roles('asm volatile("wgmma.commit_group.sync.aligned;");').warpgroups


def test_a_wait_that_warps_come_to_together_needs_none() -> None:
    wait = 'asm("mbarrier.test_wait.parity.shared::cta.b64 p, [%0], %1;" :: "r"(b), "r"(n));'
    arrive = 'asm("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(b));'
    kernel = "__global__ void k(unsigned b, int n) { if (threadIdx.x < 32) { %s } %s }"
    assert needs(kernel % (wait, arrive))
    assert not needs(kernel % (arrive, wait))


def test_what_the_library_has_for_such_instructions() -> None:
    assert needs("#include <cuda/ptx>\nvoid f() { cuda::ptx::mbarrier_try_wait_parity(b, 0); }")
    assert needs("#include <cuda/barrier>\nvoid f() { cuda::device::memcpy_async_tx(a, b, n, bar); }")
    assert not needs("#include <cuda/ptx>\nunsigned f() { return cuda::ptx::get_sreg_laneid(); }")
    assert not needs("void mbarrier_arrive(int);")


@pytest.mark.parametrize("header", ["cuda/ptx", "cuda/barrier", "cuda/pipeline"])
def test_headers_that_bring_ptx_as_functions(header: str, tmp_path: Path) -> None:
    source = "namespace ptx = cuda::ptx;\n__global__ void k() { ptx::fence_proxy_async(ptx::space_shared); }\n"
    (tmp_path / "x.cu").write_text(f"#include <{header}>\n{source}")
    result = port_source(Project(None), tmp_path / "x.cu", "x.hip", PortOptions(runtime="include"), {})
    assert result.parser == "libclang"
    assert result.port.count("porter/cuda_ptx.h") == 1 and "namespace ptx = porter::ptx;" in result.port


PRINTS = """#include <cuda/ptx>
__device__ void wait(unsigned long long *b) { while (!cuda::ptx::mbarrier_try_wait_parity(b, 0)) printf("waits"); }
int main() { printf("ends"); }
"""


SIZES = """#include <cuda/ptx>
__global__ void k(unsigned long long *b) { while (!cuda::ptx::mbarrier_try_wait_parity(b, 0)) {} }
int f(int *blocks, int *threads) {
  cudaOccupancyMaxPotentialBlockSize(blocks, threads, k, 0, 256);
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, k, *threads, 0);
}
"""


def test_occupancy_is_asked_for_waves_and_answered_in_threads(tmp_path: Path) -> None:
    (tmp_path / "x.cu").write_text(SIZES)
    text = port_source(Project(None), tmp_path / "x.cu", "x.hip", PortOptions(runtime="include"), {}).port
    assert "porter::max_potential_block_size(blocks, threads, k, 0, 256);" in text
    assert "hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, k, 2 * (*threads), 0);" in text


LAUNCHES = """#include <cuda/ptx>
__global__ void k(unsigned long long *b) { while (!cuda::ptx::mbarrier_try_wait_parity(b, 0)) {} }
void f(dim3 grid, dim3 block, cudaStream_t stream, unsigned long long *b) {
  cudaLaunchConfig_t first = {grid, block, 0, stream};
  cudaLaunchConfig_t second{grid, dim3(64, 2)};
  cudaLaunchConfig_t third = {.gridDim = grid, .blockDim = block};
  cudaLaunchConfig_t fourth = {0};
  fourth.blockDim = 128;
  cudaLaunchKernelEx(&first, k, b);
}
"""


def test_blocks_of_configurations(tmp_path: Path) -> None:
    (tmp_path / "x.cu").write_text(LAUNCHES)
    text = port_source(Project(None), tmp_path / "x.cu", "x.hip", PortOptions(runtime="include"), {}).port
    assert "first = {grid, porter::mirrored(block), 0, stream};" in text
    assert "second{grid, porter::mirrored(dim3(64, 2))};" in text
    assert "third = {.gridDim = grid, .blockDim = porter::mirrored(block)};" in text
    assert "fourth = {0};" in text
    assert "fourth.blockDim = porter::mirrored(128);" in text


def test_a_wish_for_blocks_is_dropped_where_threads_have_two_lanes(tmp_path: Path) -> None:
    kernel = "__global__ void __launch_bounds__(128, 4) k() {{ {} }}\n"
    for name, body, bounds in (
        ("roles", 'asm volatile("bar.sync 1, 64;");', "__launch_bounds__(128) k"),
        ("plain", "", "__launch_bounds__(128, 2) k"),
    ):
        (tmp_path / f"{name}.cu").write_text(kernel.format(body))
        result = port_source(Project(None), tmp_path / f"{name}.cu", "x.hip", PortOptions(runtime="include"), {})
        assert bounds in result.port
        messages = [f.message for f in result.findings if f.rule == "launch-bounds"]
        assert ("dropped" in messages[0]) is (name == "roles")
        assert (
            ("bound of threadIdx" in messages[-1])
            is ("porter::threads_at_most(128);" in result.port)
            is (name == "roles")
        )


def test_launches_of_kernels_of_another_file(tmp_path: Path) -> None:
    """The block is what the kernel's unit wants, whatever the launching one does."""
    wait = 'asm volatile("bar.sync 1, 64;");'
    (tmp_path / "a.cu").write_text(f"__global__ void flat(int *x) {{ {wait} }}\n")
    (tmp_path / "b.cu").write_text(f"__global__ void deep(int *x) {{ {wait} x[threadIdx.y] = 1; }}\n")
    (tmp_path / "c.cu").write_text("__global__ void plain(int *x) { x[0] = 1; }\n")
    declared = "".join(f"__global__ void {name}(int *x);\n" for name in ("flat", "deep", "plain", "unknown"))
    launches = "".join(f"  {name}<<<1, 64>>>(x);\n" for name in ("flat", "deep", "plain", "unknown"))
    (tmp_path / "d.cu").write_text(f"{declared}void f(int *x) {{\n{launches}}}\n")
    (tmp_path / "e.cu").write_text(f"{declared}__global__ void own() {{ {wait} }}\nvoid f(int *x) {{\n{launches}}}\n")
    project, how = Project(tmp_path), PortOptions(runtime="include")
    port = port_source(project, tmp_path / "d.cu", "d.hip", how, {}).port
    for line in (
        "flat<<<1, porter::mirrored<1>(64)",
        "deep<<<1, porter::mirrored<2>(64)",
        "plain<<<1, 64>",
        "unknown<<<1, 64>",
    ):
        assert line in port
    assert '#include "porter/mirror_lanes.h"' in port
    port = port_source(project, tmp_path / "e.cu", "e.hip", how, {}).port
    for line in (
        "flat<<<1, porter::mirrored(64)",
        "deep<<<1, porter::mirrored<2>(64)",
        "plain<<<1, 64>",
        "unknown<<<1, porter::mirrored(64)",
    ):
        assert line in port


@pytest.mark.parametrize(("block", "threads"), [("48", 48), ("dim3(1, 16)", 16), ("64", 0), ("n", 0), ("1", 0)])
def test_blocks_with_a_part_of_a_warp_are_left(block: str, threads: int, tmp_path: Path) -> None:
    kernel = '__global__ void k() { asm volatile("bar.sync 1, 64;"); }\n'
    (tmp_path / "x.cu").write_text(f"{kernel}void f(int n) {{ k<<<1, {block}>>>(); }}\n")
    result = port_source(Project(None), tmp_path / "x.cu", "x.hip", PortOptions(runtime="include"), {})
    messages = [f.message.partition(" have ")[0] for f in result.findings if f.safety is Safety.LEFT]
    assert messages == ([f"blocks of {threads} threads"] if threads else [])


def test_device_code_prints_once_a_thread(tmp_path: Path) -> None:
    (tmp_path / "x.cu").write_text(PRINTS)
    text = port_source(Project(None), tmp_path / "x.cu", "x.hip", PortOptions(runtime="include"), {}).port
    assert 'PORTER_ONCE(printf("waits"));' in text
    assert 'int main() { printf("ends"); }' in text


ERRORS = """#include <cstdio>
#define REPORT(text) printf("%s", text)
#define CHECK(call) if ((call) != cudaSuccess) { printf("fails"); REPORT("here"); }
#define TRACE(text) printf("%s", text)
#define UNUSED(text) printf("%s", text)
__global__ void k() { asm volatile("bar.sync 1, 64;"); TRACE("waits"); }
int main() { CHECK(cudaDeviceSynchronize()); TRACE("ends"); }
"""


def test_macros_of_the_host_print_as_they_did(tmp_path: Path) -> None:
    (tmp_path / "x.cu").write_text(ERRORS)
    text = port_source(Project(None), tmp_path / "x.cu", "x.hip", PortOptions(runtime="include"), {}).port
    assert '#define REPORT(text) printf("%s", text)' in text and '{ printf("fails"); REPORT("here"); }' in text
    assert '#define TRACE(text) PORTER_ONCE(printf("%s", text))' in text
    assert '#define UNUSED(text) PORTER_ONCE(printf("%s", text))' in text


BOUNDS = """#pragma once
#include <cuda_runtime.h>
__global__ void __launch_bounds__(128) plain(int *x) { x[threadIdx.x] = threadIdx.x; }
"""
BOUNDED = """#include "k.cuh"
#include <cstdio>
#include <cstdlib>
#define BOUNDS(...) __launch_bounds__(__VA_ARGS__)
template <int T> __global__ void BOUNDS(T, 1) own(int *x) {
  asm volatile("bar.sync 1, %0;" ::"n"(T));
  x[threadIdx.x] += threadIdx.x;
}
int main() {
  int *x, sum = 0;
  cudaMallocManaged(&x, 128 * sizeof(int));
  plain<<<1, 128>>>(x);
  own<128><<<1, 128>>>(x);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  for (int i = 0; i < 128; ++i) sum += x[i] != 2 * i;
  return sum ? 1 : 0;
}
"""


def test_bounds_and_threads_of_headers_with_nothing_else_to_port(tmp_path: Path) -> None:
    """They are read before the unit's own include of the names that mirrors change."""
    (tmp_path / "k.cuh").write_text(BOUNDS)
    (tmp_path / "x.cu").write_text(BOUNDED)
    project, how = Project(tmp_path), PortOptions(runtime="include")
    out = tmp_path / "port"
    out.mkdir()
    main, header = tmp_path / "x.cu", tmp_path / "k.cuh"
    (out / "x.hip").write_text(port_source(project, main, "x.hip", how, {}).port)
    (out / "k.cuh").write_text(port_source(project, header, "k.cuh", how, {}, main).port)
    kernels = compiled_kernels(device_assembly(out / "x.hip", Options(includes=(RUNTIME_INCLUDE,))))
    assert [k.max_threads for k in kernels] == [256, 256]
    outcome = run_program([out / "x.hip"], [], Options(), RunOptions(emulate=True, checks=("bounds", "all")))
    assert (outcome.code, outcome.findings) == (0, [])


@pytest.mark.parametrize(
    ("body", "use", "plain"),
    [
        ("x[threadIdx.x] = blockDim.x;", "k<<<1, 1024>>>(x);", True),
        ("x[threadIdx.x] = square(blockDim.x);", "k<<<1, dim3(32, 32)>>>(x);", True),
        ("x[threadIdx.x] = 1;", "k<<<1, 40>>>(x); cudaFuncSetAttribute((void *)k, cudaFuncAttributePreferredSharedMemoryCarveout, 9);", True),
        ("x[threadIdx.x] = 1;", "k<<<1, 256>>>(x);", False),  # nothing speaks against mirrors
        ("x[threadIdx.x] = __shfl_xor_sync(~0u, x[0], 1);", "k<<<1, 1024>>>(x);", False),
        ("x[thread()] = 1;", "k<<<1, 1024>>>(x);", False),
        ("x[TID] = 1;", "k<<<1, 1024>>>(x);", False),
        ("x[threadIdx.x] = 1;", "k<<<1, 1024>>>(x); launch(k, x);", False),
    ],
)  # fmt: skip
def test_kernels_without_mirrors(body: str, use: str, plain: bool, tmp_path: Path) -> None:
    path = tmp_path / "x.cu"
    path.write_text(
        "#include <cuda_runtime.h>\n#define TID threadIdx.x\n__device__ int square(int a) { return a * a; }\n"
        "__device__ int thread() { return threadIdx.x; }\ntemplate <class K> void launch(K, int *);\n"
        '__global__ void roles() { asm volatile("bar.sync 1, 64;"); }\n'
        f"__global__ void k(int *x) {{ {body} }}\nvoid run(int *x) {{ roles<<<1, 64>>>(); {use} }}\n"
    )
    result = port_source(Project(None), path, "x.hip", PortOptions(runtime="include"), {})
    assert "roles<<<1, porter::mirrored(64)>>>" in result.port
    assert ("k<<<1, porter::mirrored(" not in result.port) == plain
    assert ("porter::plain_thread_index()" in result.port) == plain
