"""Single passes, on the token view of short sources."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from porting import port

from porter.findings import FileStatus, Safety
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.passes.host import unknown_name as leftover
from porter.port.pipeline import Conversion, port_source


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#if(CUDART_VERSION < 11000)", "#if 0 // CUDA: (CUDART_VERSION < 11000)\n"),
        ("#if(__CUDA_ARCH__ && A)", "#if(__HIP_DEVICE_COMPILE__ && A)\n"),
        ("#if CUDART_VERSION >= 11000", "#if 1 // CUDA: CUDART_VERSION >= 11000\n"),
        ("#if 12050 <= CUDA_VERSION", "#if 0 // CUDA: 12050 <= CUDA_VERSION\n"),
        ("#if 800 <= __CUDA_ARCH__", "#if __HIP_DEVICE_COMPILE__ // CUDA: 800 <= __CUDA_ARCH__\n"),
        ("#if __CUDA_ARCH__ < 0x320u", "#if !__HIP_DEVICE_COMPILE__ // CUDA: __CUDA_ARCH__ < 0x320u\n"),
        (
            "#if __CUDA_ARCH__ >= LEAST // why",
            "#if (__HIP_DEVICE_COMPILE__ * 900) >= LEAST // why\n",
        ),
        ("#ifdef __CUDA_ARCH_FEAT_SM90_ALL", "#ifdef __HIP_DEVICE_COMPILE__\n"),
        ("#if defined(__CUDA_ARCH_FEAT_SM90_ALL)", "#if defined(__HIP_DEVICE_COMPILE__)\n"),
        ("#if __CUDA_ARCH_SPECIFIC__ == 1200", "#if 0 // CUDA: __CUDA_ARCH_SPECIFIC__ == 1200\n"),
        ("#if __CUDA_ARCH_FAMILY_SPECIFIC__ >= 900", "#if __HIP_DEVICE_COMPILE__ // CUDA: "),
        ("#if __CUDA_ARCH_HAS_FEATURE__(SM90_ALL)", "#if __HIP_DEVICE_COMPILE__ // CUDA: "),
        ("#if __CUDA_ARCH_HAS_FEATURE__(SM100_ALL)", "#if 0 // CUDA: __CUDA_ARCH_HAS_FEATURE__(SM100_ALL)\n"),
        ("#ifdef __CUDA_ARCH_FEAT_SM100_ALL", "#ifdef __CUDA_ARCH_FEAT_SM100_ALL\n"),
        ("#define NEW (__CUDA_ARCH__ >= 800)\n#if NEW", "#define NEW ((__HIP_DEVICE_COMPILE__ * 900) >= 800)"),
        ("#define NEW defined(__CUDA_ARCH__)\n#if NEW", "#define NEW defined(__HIP_DEVICE_COMPILE__)"),
        (
            "#if (__CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1204)",
            "#if defined(__HIPCC__) // CUDA: (__CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1204)\n",
        ),
        ("#if CUDA_VERSION / 1000 >= 12 && OWN", "#if OWN // CUDA: CUDA_VERSION / 1000 >= 12 && OWN\n"),
        ("#if CUDART_VERSION >= LEAST", "#if 12040 /* CUDART_VERSION */ >= LEAST\n"),
        ("#define RELEASE __CUDACC_VER_MAJOR__\n#if RELEASE > 11", "#define RELEASE 12 /* __CUDACC_VER_MAJOR__ */\n"),
        ("#if 10 + __CUDA_ARCH__ >= 900", "#if __HIP_DEVICE_COMPILE__ // CUDA: 10 + __CUDA_ARCH__ >= 900\n"),
        ("#if !(__CUDA_ARCH__ >= 700)", "#if !__HIP_DEVICE_COMPILE__ // CUDA: !(__CUDA_ARCH__ >= 700)\n"),
        ("#if !(__CUDA_ARCH__ >= 700 && OWN)", "#if !(__HIP_DEVICE_COMPILE__ && OWN) // CUDA: "),
        ("#if (A || CUDA_VERSION < 9000) && B", "#if A && B // CUDA: (A || CUDA_VERSION < 9000) && B\n"),
        ("#if (A || B || CUDA_VERSION < 9000) && C", "#if (A || B) && C // CUDA: "),
        ("#if A && \\\n    CUDA_VERSION >= 9000", "#if A // CUDA: A && CUDA_VERSION >= 9000\n"),
        ("#if CUDA_VERSION >= 9000 /* and\n more */", "#if 1 /* CUDA: CUDA_VERSION >= 9000 */ /* and\n more */\n"),
        ("#if defined(__CUDACC__) && !defined(__NVCC__)", "#if 0 // CUDA: defined(__CUDACC__) && !defined(__NVCC__)\n"),
        (
            "#if defined(__CUDACC__) && __CUDA_ARCH__ >= 700",
            "#if defined(__HIPCC__) && __HIP_DEVICE_COMPILE__ // CUDA: ",
        ),
        (
            "#if defined __NVCC__ && !defined __CUDA_ARCH__",
            "#if defined __HIPCC__ && !defined __HIP_DEVICE_COMPILE__\n",
        ),
        ("#if A ? __CUDA_ARCH__ >= 700 : 0", "#if A ? (__HIP_DEVICE_COMPILE__ * 900) >= 700 : 0\n"),
        ("#ifdef __CUDACC_RTC__", "#ifdef __HIPCC_RTC__\n"),
        ("#if !defined(__CUDACC_RTC__) && CUDART_VERSION >= 9000", "#if !defined(__HIPCC_RTC__) // CUDA: "),
        # what an #elif asks that no compilation comes to
        ("#if defined(__CUDACC__)\n#elif defined(__NVCC__)", "#elif defined(__HIPCC__)\n"),
        ("#if __CUDA_ARCH__ >= 800\n#elif __CUDA_ARCH__ >= 700", "#elif 0 // CUDA: __CUDA_ARCH__ >= 700\n"),
        ("#if OWN\n#elif defined(__NVCC__)", "#elif defined(__HIPCC__)\n"),
        # the source speaks of HIP itself
        (
            "#if __CUDA_ARCH__ >= 700 || defined(__HIP_DEVICE_COMPILE__)",
            "#if __CUDA_ARCH__ >= 700 || defined(__HIP_DEVICE_",
        ),
        ("#if CUDA_VERSION < 9000 && !defined(__HIP__)", "#if CUDA_VERSION < 9000 && !defined(__HIP__)\n"),
        # what stands in the line before has no part in the comparison
        ("#define BELOW 3 <\n#ifdef CUDA_VERSION", "#define BELOW 3 <\n#ifdef HIP_VERSION"),
        ("#define BELOW 3 <\n#ifdef __CUDA_ARCH__", "#define BELOW 3 <\n#ifdef __HIP_DEVICE_COMPILE__"),
    ],
)
def test_conditions(before: str, after: str, tmp_path: Path) -> None:
    assert after in port(f"{before}\n#endif\n", tmp_path).port


BOTH = """#include "any.h"
#if defined(__CUDACC__)
__device__ int sum(int v) { return __shfl_down_sync(~0u, v, 1) + cudaSuccess; }
#elif defined(__HIPCC__)
__device__ int sum(int v) { return __shfl_down(v, 1) + hipSuccess; }
#else
int sum(int v) { return v + cudaSuccess; }
#endif
__device__ int other(int v) { return __shfl_down_sync(~0u, v, 1); }
"""


def test_branches_that_the_source_has_for_each_platform_stay(tmp_path: Path) -> None:
    result = port(BOTH, tmp_path)
    branches = BOTH.partition("\n")[2].partition("#else")[0]
    assert branches in result.port  # neither is CUDA's ported nor HIP's taken for CUDA's
    assert "return v + hipSuccess; }" in result.port and "__shfl_down(v, 1, 32)" in result.port
    assert result.notes == ("the source has branches of its own for HIP: the 1 for CUDA alone stays as it is",)


@pytest.mark.parametrize("macro", ["USE_ROCM", "USE_HIP"])
def test_a_projects_own_branch_for_hip_stays_and_the_other_is_ported(macro: str, tmp_path: Path) -> None:
    hips = "typedef __hip_bfloat16 __nv_bfloat16;\n__device__ int f(int v) { return __shfl_xor(v, 1); }\n"
    source = (
        f"#ifndef {macro}\n#include <cuda_bf16.h>\n__device__ int f(int v) {{ return __shfl_xor_sync(~0u, v, 1); }}\n"
    )
    result = port(f"{source}#else\n{hips}#endif\n__device__ __nv_bfloat16 g();\n", tmp_path)
    assert hips in result.port
    assert "return __shfl_xor(v, 1, 32)" in result.port and "__hip_bfloat16 g();" in result.port


def test_everything_that_is_left_in_a_line_is_said(tmp_path: Path) -> None:
    result = port("void f() { cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, cudaErrorStubLibrary); }\n", tmp_path)
    for name in ("cudaDeviceSetLimit", "cudaLimitDevRuntimeSyncDepth", "cudaErrorStubLibrary"):
        assert f"]: {name} " in result.port


def test_headers_come_above_the_comment_of_the_first_declaration(tmp_path: Path) -> None:
    begin, comment = "/* A licence. */\n", "// Fills.\n// Twice.\n"
    kernel, include = "__global__ void fill(int *p) { *p = 1; }\n", "#include <hip/hip_runtime.h>\n"
    assert port(f"{begin}\n{comment}{kernel}", tmp_path).port == f"{begin}\n{include}{comment}{kernel}"
    for alone in (comment, f"{begin}{comment}"):  # about the file, perhaps
        assert port(f"{alone}{kernel}", tmp_path).port == f"{alone}{include}{kernel}"


@pytest.mark.parametrize("macro", ["__CUDACC__", "__NVCC__", "__CUDACC_VER_MAJOR__"])
def test_what_a_guard_hides_from_host_compilers_is_ported_and_not_hidden_from_hips(macro: str, tmp_path: Path) -> None:
    source = f"#ifdef {macro}\n__device__ int f(int v) {{ return __shfl_down_sync(~0u, v, 1); }}\n#endif\n"
    result = port(source, tmp_path, "a.h")
    assert "#ifdef __HIPCC__\n" in result.port and "__shfl_down(v, 1, 32)" in result.port


API = """#ifndef API_H
#define API_H
#include <stddef.h>
#ifdef __CUDACC__
__device__ inline int next(int v, cudaError_t e) { return __shfl_down_sync(~0u, v, 1); }
#endif
#ifdef __NVCC__
__device__ inline int any(int v) { return __any_sync(~0u, v); }
#endif
void host(float *p, size_t n);
#endif
"""


def test_headers_that_c_files_read_have_hips_for_kernels_alone(tmp_path: Path) -> None:
    text = port(API, tmp_path, "api.h").port
    added = '#ifdef __HIPCC__\n#include <hip/hip_runtime.h>\n#include "porter/warp.h"\n#endif\n#include <stddef.h>\n'
    assert added in text

    opens = "#pragma once\n#ifdef __CUDACC__\n#define NEXT(v) __shfl_down_sync(~0u, v, 1)\n#else\n#define NEXT(v) v\n#endif\n"
    text = port(opens, tmp_path, "opens.h").port
    assert text.startswith("#pragma once\n#ifdef __HIPCC__\n#include <hip/hip_runtime.h>\n#define NEXT(v) __shfl_down(")

    asks = "#ifdef __CUDACC__\n#define DEVICE __device__\n#else\n#define DEVICE\n#endif\n"
    assert "#include" not in port(asks, tmp_path, "asks.h").port

    text = port(API.replace("void host(float *p", "void host(cudaStream_t s"), tmp_path, "api.h").port
    assert "#define API_H\n#include <hip/hip_runtime.h>\n" in text


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("a.cu", "hipHostMalloc(p, 8)"),
        ("a.cpp", "hipHostMalloc(p, 8)"),
        ("a.c", "hipHostMalloc(p, 8, hipHostMallocDefault)"),
    ],
)
def test_c_has_no_default_arguments(name: str, call: str, tmp_path: Path) -> None:
    assert call in port("#include <cuda_runtime.h>\nvoid f(void **p) { cudaMallocHost(p, 8); }\n", tmp_path, name).port


def test_a_header_that_hips_runtime_brings_is_not_included_again(tmp_path: Path) -> None:
    text = "#include <cuda.h>\n#include <cuda_runtime_api.h>\n#include <driver_types.h>\nint a;\n"
    assert port(text, tmp_path).port == "#include <hip/hip_runtime.h>\nint a;\n"
    text = "#include <cuda_runtime_api.h>\n#include <cuda.h>\nint a;\n"
    assert "#include <hip/hip_runtime_api.h>\n#include <hip/hip_runtime.h>\n" in port(text, tmp_path).port


@pytest.mark.parametrize(
    ("before", "above"),
    [
        ("template <class T>\n__global__ void k(T *x) { x[blockIdx.x] = 1; }\n", ""),
        ("int a;\n__device__ int b;\n", "int a;\n"),
        ("int a;\n", None),
        ("#define AT threadIdx.x\n", None),
    ],
)
def test_hips_header_stands_above_device_code_that_comes_before_all_includes(
    before: str, above: str | None, tmp_path: Path
) -> None:
    """nvcc includes its own before the first line."""
    own = '#include <cstdlib>\nextern "C" void f() { cudaDeviceSynchronize(); exit(3); }\n'
    result = port(before + own, tmp_path).port
    assert result.startswith(f"{before if above is None else above}#include <hip/hip_runtime.h>\n")


def test_headers_whose_port_is_plain_c_get_none_of_hips(tmp_path: Path) -> None:
    text = "#pragma once\n/* CUDA */ inline int f(int x) { register int y = x; return y; }\n"
    assert port(text, tmp_path, "a.h").port == text.replace("register ", "")


ROLES = """#include "own.h"
__device__ int helper(int x) { return x; }
__global__ void roles(float *p) {
  if (threadIdx.x / 32 == 0) asm volatile("bar.sync 1, 64;");
  else asm volatile("bar.arrive 1, 64;");
  p[threadIdx.x] = helper(1);
}
"""


def test_what_a_unit_gets_for_its_kernels_is_reported_at_a_kernel(tmp_path: Path) -> None:
    """And written before what it includes."""
    result = port(ROLES, tmp_path, parse=True)
    (switch,) = (f for f in result.findings if f.edits and "#define PORTER_MIRRORED" in f.edits[0].text)
    assert result.port.index("#define PORTER_MIRRORED") < result.port.index("#include")  # HIP's, too
    assert ROLES[: switch.start].endswith("__global__ void roles")


MASKED = "#include <cuda_runtime.h>\n{}__global__ void k(int *x) {{ *x = MASK1; }}\n"


@pytest.mark.parametrize("own", ["constexpr int MASK1 = 1;\n", "#ifndef MASK1\n#define MASK1 1\n#endif\n"])
def test_a_name_of_the_project_that_is_a_macro_of_hip(own: str, tmp_path: Path) -> None:
    result = port(MASKED.format(own), tmp_path)
    assert result.port.startswith("#include <hip/hip_runtime.h>\n#undef MASK1\n" + own.split("\n")[0])
    assert "MASK1 is a macro of HIP's, too" in [f.message for f in result.findings]


def test_names_that_another_platform_gives_a_meaning(tmp_path: Path) -> None:
    """`#define cudaSuccess hipSuccess` for builds without CUDA does not make the name the project's."""
    (tmp_path / "hip.h").write_text(
        "#define cudaEventDisableTiming hipEventDisableTiming\n#define cudaMemcpyKind ourKind\nenum ourKind { DOWN };\n"
        "using nv_bfloat16 = __hip_bfloat16;\ntypedef __hip_bfloat162 nv_bfloat162;\n"
    )
    source = (
        '#ifdef USE_HIP\n#include "hip.h"\n#else\n#include <cuda_runtime.h>\n#endif\n'
        "#define CHECK(x) (void)(x)\n"
        "void f(cudaEvent_t *e) { CHECK(cudaEventCreateWithFlags(e, cudaEventDisableTiming)); }\n"
        "#define KIND cudaMemcpyKind\n"
        "#include <cuda_bf16.h>\ntemplate <class T> bool f() { return std::is_same_v<T, nv_bfloat162> || std::is_same_v<T, nv_bfloat16>; }\n"
    )
    text = port(source, tmp_path).port
    assert "CHECK(hipEventCreateWithFlags(e, hipEventDisableTiming))" in text
    assert "nv_bfloat" not in text
    assert "#define KIND cudaMemcpyKind" in text  # a name for what the project declares
    header = port((tmp_path / "hip.h").read_text(), tmp_path, "b.h").port
    assert "#define cudaEventDisableTiming hipEventDisableTiming" in header


def test_a_macro_of_another_file_stays(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text("#define MASK1 1\n")
    assert "#undef" not in port(MASKED.format('#include "own.h"\n'), tmp_path).port


@pytest.mark.parametrize("name", ["a.cu", "a.cuh"])
def test_names_that_stay_bring_their_header(name: str, tmp_path: Path) -> None:
    result = port("#include <cuda.h>\nstruct Arguments { CUtensorMap map; };\n", tmp_path, name).port
    assert '#include "porter/tensor_map.h"\n' in result
    assert "porter/" not in port("#include <cuda.h>\nstruct Arguments { CUstream map; };\n", tmp_path, name).port


def test_types_are_known_in_branches_that_only_device_code_takes(tmp_path: Path) -> None:
    source = """#include <cuda_runtime.h>
__global__ void f(float* p, float2 v) {
#if __CUDA_ARCH__ >= 900
  atomicAdd(reinterpret_cast<float2*>(p), v);
#else
  atomicAdd(p, v.x);
#endif
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  atomicAdd((float4*)p, make_float4(v.x, v.y, v.x, v.y));
#endif
}
"""
    result = port(source, tmp_path, parse=True).port
    assert result.count("porter::atomicAdd(") == 2 and "\n  atomicAdd(p, v.x);" in result


def test_variables_are_looked_for_only_where_a_name_is_doubtful(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    real = leftover.declared_in_unit
    monkeypatch.setattr(leftover, "declared_in_unit", lambda unit: asked.append(unit) or real(unit))
    port("void f() { cudaDeviceSynchronize(); }\n", tmp_path)
    assert asked == []
    result = port("void f() { int cudaThing = 1; cudaOther(cudaThing); cudaAnother(); }\n", tmp_path)
    assert [f.message.split()[0] for f in result.findings if f.rule == "unknown-name"] == ["cudaOther", "cudaAnother"]
    assert len(asked) == 1


def test_names_of_the_unit_are_no_unknown_cuda_names(tmp_path: Path) -> None:
    """A header uses a macro of the file that includes it; variables are told by their types."""
    (tmp_path / "h.cuh").write_text("inline void g() { cudaCheckHere(0); cudaNowhere(); }\n")
    main = tmp_path / "a.cu"
    main.write_text(
        "#define cudaCheckHere(e) (void)(e)\nstatic void* cudnn_workspace = nullptr;\nunsigned long *cudnn_sizes;\n"
        '#include "h.cuh"\nvoid f() { use(cudnn_workspace, cudnn_sizes); return cudnn_more * cudnn_other; }\n'
    )
    ports = Conversion(Options()).ports(tmp_path, True, None)
    of_header = ports.port(tmp_path / "h.cuh", "h.cuh", {}, main).findings
    own = ports.port(main, "a.hip", {}).findings
    assert [f.message.split()[0] for f in of_header if f.rule == "unknown-name"] == ["cudaNowhere"]
    assert [f.message.split()[0] for f in own if f.rule == "unknown-name"] == ["cudnn_more", "cudnn_other"]


@pytest.mark.parametrize(
    ("includes", "expected"),
    [
        ("#include <cuda.h>\n#include <cuda_runtime.h>\n", "#include <hip/hip_runtime.h>\n"),
        ("#include <cuda.h>\n#include <cuda_runtime.h>  // why\n", "#include <hip/hip_runtime.h>\n// why\n"),
        (
            "#ifdef X\n#include <cuda.h>\n#else\n#include <cuda_runtime.h>\n#endif\n",
            "#ifdef X\n#include <hip/hip_runtime.h>\n#else\n#include <hip/hip_runtime.h>\n#endif\n",
        ),
        (
            "#ifdef X\n#include <cuda.h>\n#endif\n#include <cuda_runtime.h>\n",
            "#ifdef X\n#include <hip/hip_runtime.h>\n#endif\n#include <hip/hip_runtime.h>\n",
        ),
    ],
)
def test_a_header_is_included_once(includes: str, expected: str, tmp_path: Path) -> None:
    assert port(f"{includes}void f();\n", tmp_path).port == f"{expected}void f();\n"


@pytest.mark.parametrize(
    ("name", "body", "needed"),
    [
        ("a.h", "inline void check(cudaError_t);", False),
        ("a.cpp", "void check() { cudaDeviceSynchronize(); }", False),
        ("a.h", "__device__ void check(cudaError_t);", True),
        ("a.h", "#define LAUNCH(k, s) k<<<1, 1, 0, (cudaStream_t)s>>>()", True),
        ("a.cuh", "inline void check(cudaError_t);", True),
        ("a.cu", "void check(cudaError_t);", True),
    ],
)
def test_host_only_files_keep_to_the_host_api(name: str, body: str, needed: bool, tmp_path: Path) -> None:
    result = port(f"#include <cuda_runtime_api.h>\n{body}\n", tmp_path, name).port
    assert "#include <hip/hip_runtime_api.h>" in result
    assert ("#include <hip/hip_runtime.h>" in result) == needed


@pytest.mark.parametrize(
    ("kernel", "ported"),
    [
        ("k", "reinterpret_cast<const void*>(k)"),
        ("(void*)k", "(void*)k"),
        ("(const void *) k<3>", "(const void *) k<3>"),
        ("reinterpret_cast<void*>(k)", "reinterpret_cast<void*>(k)"),
        ("(Kernel)k", "reinterpret_cast<const void*>((Kernel)k)"),
    ],
)
def test_a_kernel_is_cast_once(kernel: str, ported: str, tmp_path: Path) -> None:
    source = f"void f() {{ cudaLaunchKernel({kernel}, g, b, a, 0, s); }}\n"
    assert f"hipLaunchKernel({ported}, g, b, a, 0, s);" in port(source, tmp_path).port


@pytest.mark.parametrize(
    "site",
    [
        "__shfl_sync(m[0, v, 1)",  # the mask, which the port drops, opens a bracket
        "__shfl_sync(\n#ifdef WIDE\n m,\n#else\n n,\n#endif\n v, 1)",
        "__shfl_sync(m, v, 1",
    ],
)
def test_a_site_that_cannot_be_read_costs_only_itself(site: str, tmp_path: Path) -> None:
    source = f"void f() {{ cudaDeviceSynchronize(); }}\n__device__ int g(int v) {{ return {site}; }}\n"
    result = port(source, tmp_path)
    assert result.status is FileStatus.PORTED, result.problem
    assert "hipDeviceSynchronize()" in result.port
    assert site in result.port.replace("/* porter", "// porter")
    left = [f for f in result.findings if f.rule == "warp-shuffle"]
    assert [f.safety for f in left] == [Safety.LEFT]
    assert f"porter[warp-shuffle]: {left[0].message}" in result.port


@pytest.mark.parametrize(
    ("includes", "kind", "ported"),
    [
        ("#include <cuda_bf16.h>", "__nv_bfloat162", "porter::shfl_xor_sync(~0u, v, 1)"),
        ("#include <cuda_fp16.h>", "half", "porter::shfl_xor_sync(~0u, v, 1)"),
        ("#include <cuda_fp16.h>", "const float", "__shfl_xor(v, 1, 32)"),
        ("#include <cuda_fp16.h>\ntemplate <class X>", "X", "porter::shfl_xor_sync(~0u, v, 1)"),
        ("template <class X>", "X", "__shfl_xor(v, 1, 32)"),
    ],
)
def test_shuffles_of_types_that_hip_does_not_shuffle(includes: str, kind: str, ported: str, tmp_path: Path) -> None:
    source = f"{includes}\n__device__ void f({kind} v) {{ v + __shfl_xor_sync(~0u, v, 1); }}\n"
    assert f"v + {ported};" in port(source, tmp_path, parse=True).port


@pytest.mark.parametrize(
    ("head", "ported"),
    [
        ("#include <cuda_fp16.h>", "porter::load(p)"),
        ("__constant__ ushort4 table[2];", "porter::load(p)"),
        ("__constant__ float4 table[2];", "__ldg(p)"),
    ],
)
def test_loads_of_a_templates_type(head: str, ported: str, tmp_path: Path) -> None:
    """HIP lacks three of the types; a file that has none of them keeps HIP's function."""
    source = f"{head}\ntemplate <class X> __device__ X f(const X *p) {{ return __ldg(p); }}\n"
    assert f"return {ported};" in port(source, tmp_path, parse=True).port


@pytest.mark.parametrize(
    ("kind", "ported"),
    [
        ("const ushort4 *__restrict__", "porter::load(p)"),
        ("const __nv_bfloat16 *const", "porter::load(p)"),
        ("__half2 *", "porter::load(p)"),
        ("const ushort2 *", "__ldg(p)"),
        ("const float4 *__restrict__", "__ldg(p)"),
    ],
)
def test_loads_of_types_that_hip_does_not_load(kind: str, ported: str, tmp_path: Path) -> None:
    source = f"#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n__device__ void f({kind} p) {{ auto v = __ldg(p); }}\n"
    assert f"auto v = {ported};" in port(source, tmp_path, parse=True).port


def test_what_several_lines_have_to_say_is_said_once(tmp_path: Path) -> None:
    """With the number of the others; what nobody compiles is another matter."""
    call, other = "  cudaFrobnicate(1);\n", "  cudaFlubber(1);\n"
    source = f"#include <cuda.h>\n#ifdef _WIN32\nint w = cudaFrobnicate(2);\n#endif\nvoid f() {{\n{call}{other}{call}{call}}}\n"
    text = port(source, tmp_path).port
    said = "// porter[unknown-name]: cudaFrobnicate looks like a CUDA name that porter does not know"
    assert f"#ifdef _WIN32\n{said}\nint w" in text
    assert f"void f() {{\n  {said} (and 2 more below)\n{call}  // porter[unknown-name]: cudaFlubber" in text
    assert text.endswith(f"{other}{call}{call}}}\n")
    assert len([f for f in port(source, tmp_path).findings if f.safety is Safety.LEFT]) == 5


def test_a_comment_inside_a_rewritten_call_stands_beside_its_site(tmp_path: Path) -> None:
    """The line above it is part of what the call's port replaces: the comment must not cost the site its port."""
    source = """#include <cuda_runtime.h>
template <int A> __global__ void k(float *x) {}
template <int A> cudaError_t f(int bytes) {
  const cudaError_t error = cudaFuncSetAttribute(
      k<A>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  return error;
}
"""
    text = port(source, tmp_path, parse=True).port
    assert "hipFuncAttributeMaxDynamicSharedMemorySize, bytes)" in text
    assert "cudaFuncAttribute" not in text
    assert text.count("porter[oversized-shared-memory]") == 1


def test_result_types_behind_an_arrow(tmp_path: Path) -> None:
    source = """#include <cuda_runtime.h>
auto f(cudaStream_t s) -> cudaError_t;
struct A { auto g() const -> cudaStream_t { return nullptr; } cudaError_t *cudaError_t_; };
auto h(A *a) { return [a]() -> cudaError_t { return f(a->g()); }(); }
"""
    text = port(source, tmp_path).port
    assert "-> hipError_t;" in text
    assert "-> hipStream_t { return nullptr; }" in text
    assert "[a]() -> hipError_t {" in text


def test_members_behind_an_arrow_are_not_types(tmp_path: Path) -> None:
    source = """#include <cuda_runtime.h>
struct P { int cudaSuccess; };
P *get();
int f() { return get()->cudaSuccess; }
"""
    assert "get()->cudaSuccess;" in port(source, tmp_path).port


@pytest.fixture(scope="module")
def cuda() -> str:
    """NVIDIA's own headers; triton brings most of them."""
    spec = importlib.util.find_spec("triton")
    folder = (
        Path(spec.origin).parent / "backends" / "nvidia" if spec is not None and spec.origin is not None else Path()
    )
    if not (folder / "include" / "cuda_runtime.h").is_file():
        pytest.skip("no CUDA headers: the triton package is not installed")
    return str(folder)


def test_with_cudas_own_headers_atomics_are_told_by_their_types(cuda: str, tmp_path: Path) -> None:
    """They declare device code's functions for nvcc alone."""
    path = tmp_path / "a.cu"
    path.write_text("""#include <cuda_fp16.h>
__global__ void k(float2 *p, float4 *q, __half2 *h, int *i) {
#if __CUDA_ARCH__ >= 900
  atomicAdd(p, make_float2(1, 2));
  atomicAdd(q, make_float4(1, 2, 3, 4));
#endif
  atomicAdd(h, __half2{});
  atomicAdd(i, __popc(__shfl_sync(~0u, *i, 0)));
}
""")
    how = Options(runtime="include", cuda_path=cuda)
    result = port_source(Project(tmp_path), path, "a.hip", how, {})
    assert result.parser == "libclang"
    for name in "pqh":
        assert f"porter::atomicAdd({name}, " in result.port
    assert "  atomicAdd(i, " in result.port


@pytest.mark.parametrize(
    ("header", "becomes"),
    [
        ("cuda/std/bit", "#include <bit>"),
        ("cuda/std/optional", "#include <optional>"),
        ("cuda/std/concepts", "#include <concepts>"),
    ],
)
def test_headers_of_the_standard_library_by_another_name(header: str, becomes: str, tmp_path: Path) -> None:
    result = port(f"#include <{header}>\n", tmp_path)
    assert becomes in result.port
    assert not [f for f in result.findings if f.safety is Safety.LEFT]


def test_a_header_of_libcudacxx_that_is_in_no_table_is_left(tmp_path: Path) -> None:
    (finding,) = (f for f in port("#include <cuda/std/something_new>\n", tmp_path).findings if f.safety is Safety.LEFT)
    assert (finding.safety, finding.rule) == (Safety.LEFT, "unknown-name")
    assert finding.message == "cuda/std/something_new is a header of libcu++ that porter does not know"


@pytest.mark.parametrize(
    ("condition", "left"),
    [
        ("#if __has_include(<cuda/std/some_new>)", False),
        ("#if defined(A) && __has_include(<cuda/std/some_new>)", False),
        ("#if A\n#elif __has_include( <cuda/std/some_new> )", False),
        ("#if __has_include(<cuda/std/some_new>)\n#else", True),
        ("#if !__has_include(<cuda/std/some_new>)", True),
        ("#if !(A && __has_include(<cuda/std/some_new>))", True),
        ("#if A || __has_include(<cuda/std/some_new>)", True),
        ("#if __has_include(<cuda/std/some_newer>)", True),
    ],
)
def test_a_header_that_is_included_only_where_it_is(condition: str, left: bool, tmp_path: Path) -> None:
    findings = port(f"{condition}\n#include <cuda/std/some_new>\n#endif\n", tmp_path).findings
    assert any(f.safety is Safety.LEFT for f in findings) == left


LIBRARY = """#include <cuda/annotated_ptr>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
namespace c = cuda;
namespace dev = cuda::device;
namespace exp = dev::experimental;
namespace ptx = cuda::ptx;
__global__ void k(int *x, uint64_t *b) {
BODY
}
"""


@pytest.mark.parametrize(
    ("body", "becomes"),
    [
        ("__shared__ c::barrier<c::thread_scope_block> b;", "porter::barrier<porter::thread_scope_block> b;"),
        ("using namespace cuda; pipeline<thread_scope_thread> p;", " porter::pipeline<porter::thread_scope_thread> p;"),
        (
            "using namespace cuda; annotated_ptr<int, access_property> p(x, access_property());",
            "p(x, porter::access_property())",
        ),
        ("using namespace cuda; int pipeline = 3;", "int pipeline = 3;"),
        ("dev::memcpy_async_tx(x, x, cuda::aligned_size_t<16>(16), *b);", "dev::memcpy_async_tx(x, x, porter::aligned"),
        ("exp::cp_async_bulk_commit_group();", "exp::cp_async_bulk_commit_group();"),
        ("*x = ptx::bfind(*x);", "*x = ptx::bfind(*x);"),
        ("using namespace cuda::ptx; *x = bfind(*x);", "using namespace porter::ptx; *x = bfind(*x);"),
        ("using cuda::ptx::bfind; *x = bfind(*x);", "using porter::ptx::bfind; *x = bfind(*x);"),
    ],
)
def test_names_of_libcudacxx_however_they_are_reached(body: str, becomes: str, tmp_path: Path) -> None:
    result = port(LIBRARY.replace("BODY", body), tmp_path, parse=True)
    assert becomes in result.port
    assert "cuda" not in result.port.replace("porter/cuda_ptx.h", "")
    assert not [f.message for f in result.findings if f.safety is Safety.LEFT]


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("cuda::something_new(x);", "cuda::something_new"),
        ("c::something_new(x);", "cuda::something_new"),
        ("__shared__ c::latch done;", "cuda::latch"),
        (
            "ptx::tensormap_replace_swizzle_mode(ptx::space_global, x, ptx::n32_t<3>());",
            "tensormap_replace_swizzle_mode",
        ),
        ("using namespace cuda::ptx; get_sreg_gridid();", "cuda::ptx::get_sreg_gridid"),
        ("cuda::ptx::get_sreg_gridid();", "cuda::ptx::get_sreg_gridid"),
        ("using namespace cuda; atomic_signal_fence(memory_order_relaxed);", "cuda::atomic_signal_fence"),
    ],
)
def test_names_of_libcudacxx_that_porter_lacks_are_left(body: str, name: str, tmp_path: Path) -> None:
    result = port(LIBRARY.replace("BODY", body), tmp_path, parse=True)
    (finding,) = (f for f in result.findings if f.safety is Safety.LEFT)
    assert finding.rule == "name-libcudacxx" and name in finding.message


@pytest.mark.parametrize(
    "source",
    [
        "#include <cuda/std/array>\nnamespace mine { namespace cuda { void f(); } void g() { cuda::f(); } }\n",
        "#include <cuda/std/array>\nnamespace cuda { void f(); }\nvoid g() { cuda::f(); }\n",
        "#include <cuda/std/array>\n#include <ATen/x.h>\nvoid g() { at::cuda::f(); }\n",
        "#include <cuda/std/array>\n#include <ATen/x.h>\nusing namespace at;\nvoid g() { cuda::f(); }\n",
    ],
)
def test_another_namespace_of_that_name(source: str, tmp_path: Path) -> None:
    result = port(source, tmp_path, parse=True)
    assert not [f for f in result.findings if "that porter does not know" in f.message]
    assert source.splitlines()[-1] in result.port


def test_the_names_of_an_enumeration_of_cuda(tmp_path: Path) -> None:
    source = "#include <cuda_runtime.h>\nenum cudaError f() { using enum cudaError; return cudaSuccess; }\n"
    assert (
        "enum hipError_t f() { using enum hipError_t; return hipSuccess; }" in port(source, tmp_path, parse=True).port
    )


MACRO = "#define STD(header) <cuda/std/header>\n#include STD({})\n"


def test_headers_of_libcudacxx_that_a_macro_makes(tmp_path: Path) -> None:
    assert "#define STD(header) <header>\n" in port(MACRO.format("tuple"), tmp_path).port
    (left,) = (f for f in port(MACRO.format("atomic"), tmp_path).findings if f.safety is Safety.LEFT)
    assert "cuda/std/atomic" in left.message


def test_a_library_of_the_project_itself_comes_before_one_that_hip_lacks(tmp_path: Path) -> None:
    source = "#include <cutlass/cutlass.h>\n__global__ void k() {}\n"
    assert any("CUTLASS" in f.message for f in port(source, tmp_path).findings)
    (tmp_path / "cutlass").mkdir()
    (tmp_path / "cutlass/cutlass.h").write_text("#define CUTLASS 1\n")
    assert not any("CUTLASS" in f.message for f in port(source, tmp_path).findings)


def test_maps_for_im2col_compile_and_are_for_review(tmp_path: Path) -> None:
    source = "#include <cudaTypedefs.h>\nPFN_cuTensorMapEncodeIm2col encode = cuTensorMapEncodeIm2col;\n"
    result = port(source, tmp_path, parse=True)
    assert [f.safety for f in result.findings if "im2col" in f.message] == [Safety.REVIEW]
    assert "porter/tensor_map.h" in result.port and result.parser == "libclang"


def test_a_beginning_takes_no_name_that_the_project_declares(tmp_path: Path) -> None:
    source = """
        #define CU_TARGET_OURS 90
        static int CUDNN_HEUR_OURS = 1;
        int f() { return CU_TARGET_OURS + CUDNN_HEUR_OURS + CUDNN_HEUR_NEW; }
    """
    left = [finding for finding in port(source, tmp_path).findings if finding.safety is Safety.LEFT]
    assert [(finding.rule, source[finding.start : finding.end]) for finding in left] == [
        ("name-cudnn", "CUDNN_HEUR_NEW")
    ]
