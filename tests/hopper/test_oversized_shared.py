"""Dynamic shared memory over 64 KiB in device memory: programs that check themselves, with every check of the emulator."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from porter.execute import RunOptions, run_program
from porter.findings import FilePort, Safety
from porter.frontend.project import Project
from porter.frontend.unit import Options as PortOptions
from porter.port.pipeline import port_source
from porter.toolchain import Options, device_assembly

PROGRAMS = Path(__file__).parent / "oversized"


def port(path: Path, oversize: str = "device-memory") -> FilePort:
    return port_source(
        Project(path.parent), path, f"{path.stem}.hip", PortOptions(runtime="include", oversize=oversize), {}
    )


KNOWN = ["transpose", "multiply", "warpgroup", "low_bits", "ring", "outside", "peers"]
KNOWN_WHEN_IT_RUNS = ["captured", "member", "helper", "larger", "optin", "shapes", "stages"]


@pytest.mark.parametrize("name", [*KNOWN, *KNOWN_WHEN_IT_RUNS])
@pytest.mark.sample(3)
def test_the_port_is_right(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"{name}.cu"
    path.write_bytes((PROGRAMS / path.name).read_bytes())
    made = port(path)
    assert [f.message for f in made.findings if f.needs_person] == []
    program = tmp_path / f"{name}.hip"
    program.write_text(made.port)
    outcome = run_program([program], [], Options(), RunOptions(emulate=True, checks=("bounds", "all"), seed=3))
    printed = capfd.readouterr().out
    assert (outcome.code, outcome.findings) == (0, []), printed
    assert "PASSED: 0 wrong" in printed


def test_tiles_at_wave_width(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tiles.cu"
    path.write_bytes((PROGRAMS / path.name).read_bytes())
    options = PortOptions(runtime="include", kittens="native", standard="gnu++20")
    made = port_source(Project(path.parent), path, "tiles.hip", options, {})
    assert '"porter/kittens/kittens.h"' in made.port and "porter::dynamic_shared" in made.port
    program = tmp_path / "tiles.hip"
    program.write_text(made.port)
    outcome = run_program(
        [program], [], Options(std="gnu++20"), RunOptions(emulate=True, checks=("bounds", "all"), seed=3)
    )
    printed = capfd.readouterr().out
    assert (outcome.code, outcome.findings) == (0, []), printed
    assert "PASSED: 0 wrong" in printed


def test_it_stays_left_where_nobody_asks_for_it(tmp_path: Path) -> None:
    path = tmp_path / "transpose.cu"
    path.write_bytes((PROGRAMS / path.name).read_bytes())
    made = port(path, "refuse")
    assert {f.rule for f in made.findings if f.safety is Safety.LEFT} >= {"shared-memory-budget"}
    assert "PORTER_DEVICE_SHARED" not in made.port


REFUSED = {
    "an array outside of functions, in a macro": (
        "extern __shared__ float memory[];\n#define FIRST memory[0]\n__global__ void k(float *x) { FIRST = *x; }\n",
        "line 2 of a.cu names its array",
    ),
    "a pointer into another block's": (
        "#include <cooperative_groups.h>\n"
        "__global__ void __cluster_dims__(2, 1, 1) k(float *x) {\n  extern __shared__ float memory[];\n"
        "  *x = *cooperative_groups::this_cluster().map_shared_rank(memory + 1, 1);\n}\n",
        "reach each other's shared memory by pointers",
    ),
    "more static shared memory than a launch leaves": (
        "__global__ void k(float *x) {\n  __shared__ float own[8192];\n  extern __shared__ float memory[];\n"
        "  memory[threadIdx.x] = own[0] = *x;\n}\n",
        "32,768 bytes of static shared memory beside it",
    ),
    "a kernel of another unit": ("__global__ void k(float *x);\n", "k is not defined in this unit"),
    "a macro that makes kernels": (
        "#define KERNEL(name) __global__ void name(float *x)\n"
        'KERNEL(other) { asm volatile("st.shared.f32 [%0], %1;" :: "r"(0), "f"(*x)); }\n'
        "__global__ void k(float *x) { extern __shared__ float memory[]; memory[0] = *x; }\n",
        "a macro of this unit makes kernels",
    ),
    "a macro that makes kernels with another macro's mark": (
        "#define GLOBAL __global__ static\n#define KERNEL(name) GLOBAL void name(float *x)\nKERNEL(other) { *x = 1; }\n"
        "__global__ void k(float *x) { extern __shared__ float memory[]; memory[0] = *x; }\n",
        "a macro of this unit makes kernels",
    ),
    "a macro that is a kernel's whole head": (
        "#define OTHER __global__ void other(float *x)\n#undef NOTHING\n#define AGAIN OTHER\nAGAIN { *x = 1; }\n"
        "__global__ void k(float *x) { extern __shared__ float memory[]; memory[0] = *x; }\n",
        "a macro of this unit makes kernels",
    ),
    "no array": ("__global__ void k(float *x) { *x = 0; }\n", "its array is not found"),
}


@pytest.mark.parametrize("why", REFUSED)
def test_it_is_left_with_the_reason(why: str, tmp_path: Path) -> None:
    source, reason = REFUSED[why]
    path = tmp_path / "a.cu"
    path.write_text(f"{source}void run(float *x) {{ k<<<1, 128, 100000>>>(x); }}\n")
    made = port(path)
    left = [f.message for f in made.findings if f.safety is Safety.LEFT]
    assert len(left) == 1 and reason in left[0], left
    assert "PORTER_DEVICE_SHARED" not in made.port
    assert "device_shared" not in made.port


def test_each_kernel_is_moved_or_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(
        "__global__ void other(float *x);\n"
        "__global__ void k(float *x) { extern __shared__ float memory[]; memory[0] = *x; }\n"
        "void run(float *x) { k<<<1, 128, 100000>>>(x); }\n"
        "void more(float *x) { other<<<1, 128, 90000>>>(x); }\n"
    )
    made = port(path)
    left = [f.message for f in made.findings if f.safety is Safety.LEFT]
    assert len(left) == 1 and "90,000" in left[0] and "other is not defined in this unit" in left[0], left
    assert "k<<<1, 128, porter::device_shared(100000)>>>" in made.port
    assert "other<<<1, 128, 90000>>>" in made.port


def test_a_function_of_both_kinds_of_kernels(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(
        "__device__ float *all() { extern __shared__ float memory[]; return memory; }\n"
        "__global__ void large(float *x) { all()[threadIdx.x] = *x; }\n"
        "__global__ void small(float *x) { all()[threadIdx.x] = *x; }\n"
        "void run(float *x) { large<<<1, 64, 100000>>>(x); }\n"
        "void again(float *x) { small<<<1, 64, 1000>>>(x); }\n"
    )
    made = port(path).port
    assert "auto& memory = porter::dynamic_shared_of_block<float[]>();" in made
    assert "large<<<1, 64, porter::device_shared(100000)>>>" in made
    assert "small<<<1, 64, 1000>>>" in made


def test_a_kernel_that_fits_stays_in_lds(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(
        "__global__ void large(float *x) { extern __shared__ float memory[]; memory[0] = *x; }\n"
        "__global__ void small(float *x) { extern __shared__ float memory[]; memory[0] = *x; }\n"
        "void run(float *x) { large<<<1, 64, 100000>>>(x); }\n"
        "void again(float *x) { small<<<1, 64, 1000>>>(x); }\n"
    )
    made = port(path).port
    assert "large<<<1, 64, porter::device_shared(100000)>>>" in made
    assert "small<<<1, 64, 1000>>>" in made
    assert made.count("porter::dynamic_shared<float[]>()") == 1
    assert "porter::block_in_lds porter_block; extern __shared__ float memory[]" in made


def test_a_kernel_without_shared_memory_stays_as_it_is(tmp_path: Path) -> None:
    """Its own launch asks for none: there is no piece of device memory for its blocks."""
    path = tmp_path / "a.cu"
    path.write_text(
        "#include <cuda_runtime.h>\n"
        "__global__ void fill(float *x) { x[threadIdx.x] = 1; }\n"
        "__global__ void sum(float *x) { extern __shared__ float memory[]; memory[threadIdx.x] = *x; *x = memory[0]; }\n"
        "template <class K> void start(K kernel, float *x) {\n"
        "  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10);\n"
        "  kernel<<<1, 64, 100 << 10>>>(x);\n}\n"
        "void run(float *x) { fill<<<1, 64>>>(x); start(sum, x); }\n"
    )
    text = port(path).port
    fill, sum_of = (next(line for line in text.splitlines() if f"void {name}(" in line) for name in ("fill", "sum"))
    assert "porter::block_in_device_memory" not in fill
    assert "porter::block_in_device_memory" in sum_of
    assert "kernel<<<1, 64, porter::device_shared(100 << 10)>>>(x)" in text


def test_a_kernel_of_a_header_that_a_macro_marks(tmp_path: Path) -> None:
    """The launch names a variable; what the function around it names is the kernel."""
    (tmp_path / "marks.h").write_text("#define GLOBAL __global__ static\n")
    body = "{ extern __shared__ float memory[]; memory[0] = *x; }"
    (tmp_path / "large.h").write_text(f'#include "marks.h"\ntemplate <class T>\nGLOBAL void large(T *x) {body}\n')
    path = tmp_path / "a.cu"
    path.write_text(
        '#include "large.h"\nvoid run(float *x) { auto kernel = &large<float>; kernel<<<1, 64, 100000>>>(x); }\n'
    )
    made = port(path)
    assert [f.message for f in made.findings if f.safety is Safety.LEFT] == []
    assert "kernel<<<1, 64, porter::device_shared(100000)>>>" in made.port


def test_a_macro_that_only_marks_kernels(tmp_path: Path) -> None:
    """CUTLASS_GLOBAL: what it marks in any file of the unit begins as other kernels do."""
    (tmp_path / "marks.h").write_text("#ifndef GLOBAL\n#define GLOBAL __global__ static\n#endif\n")
    (tmp_path / "small.h").write_text('#include "marks.h"\ntemplate <class T>\nGLOBAL void small(T *x) { *x = 0; }\n')
    path = tmp_path / "a.cu"
    path.write_text(
        '#include "small.h"\n'
        "GLOBAL void large(float *x) { extern __shared__ float memory[]; memory[0] = *x; }\n"
        "void run(float *x) { large<<<1, 64, 100000>>>(x); small<<<1, 64>>>(x); }\n"
    )
    made = port(path)
    assert [f.message for f in made.findings if f.safety is Safety.LEFT] == []
    assert "large<<<1, 64, porter::device_shared(100000)>>>" in made.port
    assert "{ const porter::block_in_device_memory porter_block; auto& memory" in made.port


BODY = "{ extern __shared__ float memory[]; memory[threadIdx.x] = *x; __syncthreads(); *x = memory[0]; }"
SETTING = "cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)"


def test_in_a_launch_that_decides_for_lds_no_access_is_a_flat_one(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(
        f"__global__ void k(float *x) {BODY}\nvoid run(float *x, int bytes) {{ {SETTING}; k<<<1, 64, bytes>>>(x); }}\n"
    )
    made = port(path)
    assert [f.message for f in made.findings if f.needs_person] == []
    (tmp_path / "a.hip").write_text(made.port)
    assembly = device_assembly(tmp_path / "a.hip").read_text()
    accesses = set(re.findall(r"(flat|ds)_(?:load|store|read|write)_\w+", assembly))
    assert accesses == {"ds"}


APART = """#include <cuda_runtime.h>
__device__ float at(const float *p) {
  float v;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"((unsigned)__cvta_generic_to_shared(p)));
  return v;
}
__device__ __noinline__ float sum(const float *p, int n) {
  float s = 0;
#pragma unroll 4
  for (int i = 0; i < n; i++) s += at(p + (threadIdx.x + i) % 64) + at(p + i);
  return s;
}
__global__ void k(float *x, int n) {
  extern __shared__ float memory[];
  memory[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x >= 64) x[threadIdx.x] = sum(memory, n) + sum(memory + n, n);
}
int main(int n, char **) {
  float *x;
  cudaMalloc(&x, 512);
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024 * n);
  k<<<2, 128, 1024 * n>>>(x, 5);
  return cudaDeviceSynchronize();
}
"""


def test_in_such_a_launch_functions_apart_read_nothing_of_a_slot(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(APART)
    (tmp_path / "a.hip").write_text(port(path).port)
    outcome = run_program([tmp_path / "a.hip"], [], Options(), RunOptions(emulate=True, checks=("bounds", "all")))
    assert (outcome.code, outcome.findings) == (0, [])


def test_a_launch_that_no_attribute_allows_more_stays(tmp_path: Path) -> None:
    """Without one CUDA gives 48 KiB at most."""
    path = tmp_path / "a.cu"
    path.write_text(f"__global__ void k(float *x) {BODY}\nvoid run(float *x, int n) {{ k<<<1, 64, n>>>(x); }}\n")
    assert "k<<<1, 64, n>>>" in port(path).port


def test_a_run_time_size_is_for_review_where_the_kernel_cannot_be_moved(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(
        f"__global__ void k(float *x);\nvoid run(float *x, int bytes) {{ {SETTING}; k<<<1, 64, bytes>>>(x); }}\n"
    )
    made = port(path)
    found = [f.message for f in made.findings if f.safety is Safety.REVIEW]
    assert len(found) == 1 and "more than 64,512 bytes are refused" in found[0], found
    assert "k is not defined in this unit" in found[0]


def test_an_attribute_over_all_that_a_block_has_with_launches_of_run_time_sizes(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(
        f"__global__ void k(float *x) {BODY}\nvoid run(float *x, int bytes) {{\n"
        "  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448);\n  k<<<1, 64, bytes>>>(x);\n}\n"
    )
    made = port(path)
    assert [f.message for f in made.findings if f.needs_person] == []
    assert "porter::most_shared<64512>(232448)" in made.port
    assert "k<<<1, 64, porter::device_shared_over<64512>(bytes)>>>" in made.port


def test_kernels_of_headers_that_other_units_include_keep_a_unit_in_lds(tmp_path: Path) -> None:
    """The header's one port may be another unit's, in which its kernels do not say that they are in LDS."""
    address = (
        'asm volatile("st.shared.u32 [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(&box[threadIdx.x])), "r"(1));'
    )
    (tmp_path / "common.h").write_text(f"static __global__ void small() {{ __shared__ int box[64]; {address} }}\n")
    (tmp_path / "b.cu").write_text('#include "common.h"\nvoid b() { small<<<1, 64>>>(); }\n')
    path = tmp_path / "z.cu"
    path.write_text(
        f'#include "common.h"\n__global__ void k(float *x) {BODY}\nvoid run(float *x) {{ small<<<1, 64>>>(); k<<<1, 64, 100000>>>(x); }}\n'
    )
    project = Project(tmp_path, [path, tmp_path / "b.cu", tmp_path / "common.h"])
    made = port_source(project, path, "z.hip", PortOptions(runtime="include", oversize="device-memory"), {})
    left = [f.message for f in made.findings if f.safety is Safety.LEFT]
    assert len(left) == 1 and "belongs to other units" in left[0]
