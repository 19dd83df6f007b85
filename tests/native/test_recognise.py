"""Matrix products are recognised by what kernels do; kernels that do something else are not, and the reason is said."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import remember

from porter.findings import FilePort, FileStatus, Safety
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.pipeline import port_source

ROOT = Path(__file__).resolve().parent.parent.parent
BASIC = ROOT / "reference_kernels" / "hopper_gemm_basic" / "hopper_gemm_basic.cu"
FP8 = ROOT / "reference_kernels" / "hopper_gemm_fp8" / "hopper_gemm_fp8.cu"


def native(source: Path, folder: Path, *changes: tuple[str, str]) -> FilePort:
    """The port with native schedules of a source with some of its text changed."""
    text = source.read_text()
    for old, new in changes:
        assert text.count(old) >= 1, old
        text = text.replace(old, new)
    path = folder / source.name
    path.write_text(text)
    port = port_source(Project(folder), path, "x.hip", Options(schedule="native", runtime="include"), {})
    assert port.status is FileStatus.PORTED, port.problem
    return port


def reason(port: FilePort) -> str:
    (finding,) = (f for f in port.findings if f.rule == "native-schedule")
    assert finding.safety is Safety.SLOWER
    assert "#define PORTER_MIRRORED " in port.port  # the faithful port stands
    return finding.message


def written(port: FilePort) -> str:
    (finding,) = (f for f in port.findings if f.rule == "native-schedule")
    assert finding.safety is Safety.REVIEW
    assert "PORTER_MIRRORED" not in port.port
    assert "porter::wgmma" not in port.port
    assert "porter::mbarrier" not in port.port
    return finding.message


def test_a_product_of_two_matrices(tmp_path: Path) -> None:
    port = native(BASIC, tmp_path)
    assert "gemm multiplies map_a and map_b (bf16 x bf16) and stores the sum as bf16 to c" in written(port)
    assert "gemm<<<gemm_native::grid(map_a, map_b), gemm_native::kThreads, 0, stream>>>" in port.port
    for gone in ("kStages", "struct alignas(1024) Shared", "barrier_wait", "const dim3 grid(", "kMmaK"):
        assert gone not in port.port
    for kept in ("bool encode(CUtensorMap* map", "kBlockM", 'extern "C" hipError_t hopper_gemm_basic'):
        assert kept in port.port


def test_roles_stages_and_scales(tmp_path: Path) -> None:
    message = written(native(FP8, tmp_path))
    assert "(e4m3 x e4m3) and stores sum * (scale_a[0] * scale_b[0]) as bf16 to c" in message


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("floats2bfloat162_rn(left, right)", "floats2bfloat162_rn(fmaxf(left, 0.0f), fmaxf(right, 0.0f))"), "fmaxf(sum, 0.0f)"),
        (("const int row0 = blockIdx.y * kBlockM;", "const int row0 = (gridDim.y - 1 - blockIdx.y) * kBlockM;"), "the sum"),
        (("float sum[64] = {};", "float sum[64]; for (float& one : sum) one = 0.0f;"), "the sum"),
        (("float sum[64] = {};", "float sum[64]; for (float& one : sum) one = 1.0f;"), "1.0f + sum"),
    ],
)  # fmt: skip
@pytest.mark.sample(2)
def test_other_ways_to_say_it(change: tuple[str, str], told: str, tmp_path: Path) -> None:
    assert f"stores {told} as bf16" in written(native(BASIC, tmp_path, change))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        # B's tiles come from the rows of A
        (("step * kBlockK, column0)", "step * kBlockK, row0)"), "of the rows and columns where they are stored"),
        # the last step is left out
        (("step < steps; ++step", "step < steps - 1; ++step"), "the whole of k"),
        # a step is multiplied twice
        (("const int stage = step % kStages;\n    barrier_wait", "const int stage = 0;\n    barrier_wait"), "overwritten by the next copy"),
        # what C held before takes part in every second element
        (("floats2bfloat162_rn(left, right)", "floats2bfloat162_rn(left + __bfloat162float(to[column]), right)"), "alike"),
        # neighbours are exchanged
        (("floats2bfloat162_rn(left, right)", "floats2bfloat162_rn(right, left)"), "rows and columns"),
        # the first warp exchanges them, which goes another way than the others
        (("floats2bfloat162_rn(left, right)", "floats2bfloat162_rn(threadIdx.x < 32 ? __shfl_xor_sync(0xffffffffu, 2.0f * left, 1) : 2.0f * left, 2.0f * right)"), "rows and columns"),
        # only half of the columns are stored
        (("if (pairs && column < n)", "if (pairs && column < n && column % 128 < 64)"), ""),
        # B's tiles come from other columns from some row on; sums begin anew after as many steps; half of the rows differ
        (("step * kBlockK, column0)", "step * kBlockK, row0 >= 1280 ? column0 ^ kBlockN : column0)"), "but not of 4096 x 8192 x 128"),
        (("const int stage = step % kStages;\n    barrier_wait", "const int stage = step % kStages;\n    if (step == 7) for (float& one : sum) one = 0.0f;\n    barrier_wait"), "but not of 768 x 1280 x 1024"),
        (("floats2bfloat162_rn(left, right)", "floats2bfloat162_rn(row < m / 2 ? left : -left, right)"), "alike"),
        # control by data
        (("const int steps = (k", "const int steps = c[0] == c[1] ? 1 : (k"), "depends on data"),
        # something behind the product
        (("if (row >= m) continue;", "if (row >= m) continue; if (threadIdx.x == 0) c[0] = 1;"), "something else"),
        # atomics
        (("if (row >= m) continue;", "if (row >= m) continue; atomicAdd((float*)c, 1.0f);"), ""),
    ],
)  # fmt: skip
@pytest.mark.sample(5)
def test_what_is_no_product_keeps_the_faithful_port(change: tuple[str, str], told: str, tmp_path: Path) -> None:
    assert told in reason(native(BASIC, tmp_path, change))


def test_kernels_without_products(tmp_path: Path) -> None:
    source = ROOT / "reference_kernels" / "bulk_copy_pipeline" / "bulk_copy_pipeline.cu"
    messages = [f.message for f in native(source, tmp_path).findings if f.rule == "native-schedule"]
    assert messages
    assert all("bulk copies" in message or "no matrix product" in message for message in messages)


SIZES = [
    ("CUtensorMap map_b,\n", "CUtensorMap map_b, const Problem of,\n"),
    ("         __nv_bfloat16* __restrict__ c, int m, int n, int k) {", "         const __nv_bfloat16* bias) {\n  const int m = of.shape.m, n = of.shape.n, k = of.shape.k;\n  __nv_bfloat16* const c = of.c;"),
    ("struct alignas(1024) Shared", "struct Shape {\n  int m, n, k;\n};\nstruct Problem {\n  float scale;\n  __nv_bfloat16* c;\n  Shape shape;\n};\n\nstruct alignas(1024) Shared"),
    ("(map_a, map_b, C, m, n, k)", "(map_a, map_b, Problem{1.0f, C, {m, n, k}}, C)"),
]  # fmt: skip
EPILOGUE = (
    "floats2bfloat162_rn(left, right)",
    "floats2bfloat162_rn(left * of.scale + (bias ? __bfloat162float(bias[column]) : 0.0f), "
    "right * of.scale + (bias ? __bfloat162float(bias[column + 1]) : 0.0f))",
)


def test_structures_and_pointers_that_may_be_null(tmp_path: Path) -> None:
    port = native(BASIC, tmp_path, *SIZES, EPILOGUE, ("if (pairs && column < n)", "if (column < n)"))
    made = "bias != nullptr ? (sum * of.scale) + float(bias[column]) : sum * of.scale"
    assert f"stores {made} as bf16 to of.c" in written(port)
    assert "porter::view<gemm_native::Result>(of.c, of.shape.n, of.shape.m, of.shape.n)" in port.port


def with_number(name: str, given: str) -> list[tuple[str, str]]:
    """One more parameter of the kernel, and what the launch gives for it."""
    return [
        ("int m, int n, int k) {\n  extern", f"int m, int n, int k, int {name}) {{\n  extern"),
        ("(map_a, map_b, C, m, n, k)", f"(map_a, map_b, C, m, n, k, {given})"),
    ]


ONE_OF_Z = ("const int row0 =", "if (blockIdx.z > 0) return;\n  const int row0 =")
PART_OF_K = [
    ("kBlockK - 1) / kBlockK;", "kBlockK - 1) / kBlockK / gridDim.z;"),
    ("step * kBlockK, row0", "(step + steps * blockIdx.z) * kBlockK, row0"),
    ("step * kBlockK, column0", "(step + steps * blockIdx.z) * kBlockK, column0"),
]
LOAD_B = "tma_load(shared.b[stage], &map_b, &shared.full[stage], step * kBlockK, column0);"
OTHER_BOX = (
    LOAD_B,
    f"{LOAD_B}\n    {LOAD_B.replace('shared.b[stage]', 'shared.b[stage] + 64 * kBlockK').replace('column0', 'column0 + 96')}",
)
FLAG = [
    *with_number("relu", "1"),
    ("const float left = sum[4", "float left = sum[4"),
    ("2 * half + 1];", "2 * half + 1];\n      if (relu) left = fmaxf(left, 0.0f), right = fmaxf(right, 0.0f);"),
]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ([ONE_OF_Z], "blockIdx.z"),
        (PART_OF_K, "whole of k"),
        (FLAG, "depends on relu"),
        ([("const int row0 =", "if (blockIdx.y > blockIdx.x) return;\n  const int row0 =")], "no matrix product"),
        ([OTHER_BOX], "rows and columns"),
        ([("static_cast<uint64_t>(1024 >> 4) << 32", "static_cast<uint64_t>(2048 >> 4) << 32")], "tile"),
    ],
    ids=["one of several", "a part of k", "a flag", "a triangle", "a second box", "gaps"],
)
@pytest.mark.sample(3)
def test_what_two_problems_alone_would_not_show(changes: list[tuple[str, str]], told: str, tmp_path: Path) -> None:
    assert told in reason(native(BASIC, tmp_path, *changes))


@pytest.mark.parametrize(
    ("changes", "result"),
    [
        ([], "(c, n, m, n)"),
        (with_number("unused", "0"), "(c, n, m, n)"),
        ([*with_number("ldc", "n"), ("(row) * n;", "(row) * ldc;")], "(c, ldc, m, n)"),
        ([("if (row >= m) continue;", "")], "(c, n, ~0u, n)"),
    ],
    ids=["sizes", "one unused", "a pitch", "no edge"],
)
@pytest.mark.sample(2)
def test_what_sizes_are_for(changes: list[tuple[str, str]], result: str, tmp_path: Path) -> None:
    """C's pitch may be another number than its columns, and tensor maps may be larger than C."""
    port = native(BASIC, tmp_path, *changes)
    written(port)
    assert f"porter::view<gemm_native::Result>{result}" in port.port


def test_a_kernel_that_does_not_compile_is_said(tmp_path: Path) -> None:
    port = native(BASIC, tmp_path, ("const int steps = ", "const int steps = unknown + "))
    assert "does not compile" in reason(port)


@pytest.mark.parametrize(
    "variable", ["auto* const kernel = gemm;", "const auto kernel = &gemm;", "auto kernel = m > 4 ? gemm : gemm;"]
)
@pytest.mark.sample(1)
def test_launches_through_a_variable(variable: str, tmp_path: Path) -> None:
    changes = (
        ("gemm<<<grid", f"{variable}\n  kernel<<<grid"),
        ("cudaFuncSetAttribute(gemm,", "cudaFuncSetAttribute(&gemm,"),
    )
    port = native(BASIC, tmp_path, *changes)
    written(port)
    assert "kernel<<<gemm_native::grid(map_a, map_b), gemm_native::kThreads, 0, stream>>>" in port.port


def test_a_launch_that_may_be_another_kernels(tmp_path: Path) -> None:
    other = (
        "// The driver's function",
        "__global__ void other(CUtensorMap, CUtensorMap, __nv_bfloat16*, int, int, int) {}\n\n//",
    )
    port = native(BASIC, tmp_path, other, ("gemm<<<grid", "auto kernel = m > 4 ? gemm : other;\n  kernel<<<grid"))
    messages = [f.message for f in port.findings if f.rule == "native-schedule"]
    assert any("may choose another kernel" in message for message in messages)
    assert "PORTER_MIRRORED" in port.port


def test_launches_from_another_namespace(tmp_path: Path) -> None:
    changes = ("namespace {", "namespace kernels {"), ("}  // namespace", "}\nusing namespace kernels;\n//")
    port = native(BASIC, tmp_path, *changes, ("gemm<<<grid", "kernels::gemm<<<grid"))
    written(port)
    assert "kernels::gemm<<<kernels::gemm_native::grid(map_a, map_b), kernels::gemm_native::kThreads, 0," in port.port


def test_tensor_maps_in_global_memory(tmp_path: Path) -> None:
    """The host cannot read them: the grid follows from the sizes that the kernel is given."""
    changes = [(f"const __grid_constant__ CUtensorMap map_{x}", f"const CUtensorMap* map_{x}") for x in "ab"]
    changes += [(f"&map_{x}, &shared", f"map_{x}, &shared") for x in "ab"]
    declared = "const CUtensorMap *device_a = nullptr, *device_b = nullptr;\n  const int rows = m, columns = n;"
    changes += [("gemm<<<grid", f"{declared}\n  gemm<<<grid")]
    changes += [("(map_a, map_b, C, m, n, k)", "(device_a, device_b, C, rows, columns, k)")]
    port = native(BASIC, tmp_path, *changes)
    written(port)
    assert "gemm<<<gemm_native::grid(rows, columns), gemm_native::kThreads, 0, stream>>>" in port.port


def test_in_a_tree_whose_headers_lie_in_its_root(tmp_path: Path) -> None:
    """The port includes "../porter/...", which is not there yet."""
    folder = tmp_path / "kernels" / "gemm"
    folder.mkdir(parents=True)
    path = folder / BASIC.name
    path.write_text(BASIC.read_text())
    options = Options(schedule="native")
    port = port_source(Project(tmp_path), path, "x.hip", options, {}, runtime_prefix="../../")
    written(port)
    assert '#include "../../porter/gemm.h"' in port.port


def test_a_kernel_in_a_header(tmp_path: Path) -> None:
    """It is compiled with the file that includes it; neither is ported yet, and what both include is CUDA still."""
    (tmp_path / "types.cuh").write_text("#pragma once\n#include <cuda_bf16.h>\nusing element = __nv_bfloat16;\n")
    header = tmp_path / "gemm.cuh"
    header.write_text(BASIC.read_text().replace("__nv_bfloat16* __restrict__ c", "element* __restrict__ c"))
    main = tmp_path / "main.cu"
    main.write_text('#include "types.cuh"\n#include "gemm.cuh"\nint main() {}\n')
    options = Options(schedule="native", runtime="include")
    port = port_source(Project(tmp_path), header, "gemm.cuh", options, {}, includer=main)
    assert "gemm multiplies map_a and map_b" in written(port)
    assert "element* __restrict__ c" in port.port


def test_shared_memory_that_is_aligned_by_hand(tmp_path: Path) -> None:
    """The address of `extern __shared__` plus a number is one constant of the compiler's."""
    changes = [
        ("extern __shared__ __align__(1024) uint8_t memory[];", "extern __shared__ uint8_t unaligned[];\n"
         "  uint8_t* memory = reinterpret_cast<uint8_t*>((reinterpret_cast<uintptr_t>(unaligned) + 1023) & ~uintptr_t(1023));"),
        ("sizeof(Shared), stream>>>", "sizeof(Shared) + 1024, stream>>>"),
    ]  # fmt: skip
    assert "gemm multiplies map_a and map_b" in written(native(BASIC, tmp_path, *changes))


def test_a_number_of_the_warp_that_is_shuffled(tmp_path: Path) -> None:
    """What tells the compiler that all lanes have the same."""
    change = (
        "const int warp = threadIdx.x / 32,",
        "const int warp = __shfl_sync(0xffffffff, threadIdx.x / 32, 0),",
    )
    assert "gemm_e4m3 multiplies map_a and map_b" in written(native(FP8, tmp_path, change))


@pytest.mark.slow
def test_what_is_remembered_is_found_anew(tmp_path: Path) -> None:
    environment = {**os.environ, "PORTER_CACHE": str(tmp_path), "PORTER_TESTS_ANEW": "1"}
    environment.pop("PORTER_TESTS_KEPT", None)
    done = subprocess.run([sys.executable, "-m", "pytest", "tests/native"], cwd=ROOT, env=environment, check=False)
    assert done.returncode == 0
    kept, anew = json.loads(remember.KEPT.read_text()), remember.recognised(tmp_path)
    assert {name for name in kept.keys() & anew.keys() if kept[name] != anew[name]} == set()
