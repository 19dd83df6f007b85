"""The stub CUDA headers: each parses alone, together they parse sources as the toolkit's headers would."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import clang.cindex as ci
import pytest

from porter.frontend.cuda_stubs import forwards, stub_folders, stub_of
from porter.frontend.libclang import standard_headers
from porter.paths import CUDA_STUBS, stub_headers

STUBS = CUDA_STUBS
FILES = [str(path.relative_to(STUBS)) for path in stub_headers() if path.suffix != ".tbl"]
HEADERS = sorted([name for name in FILES if not name.endswith(".inc")] + list(forwards()))
# What programs include most; the others are checked alone by the slow test and together by the fast one.
COMMON = """
cuda_runtime.h cuda_runtime_api.h cuda.h cuda_fp16.h cuda_fp8.h cooperative_groups.h mma.h cuComplex.h vector_types.h
cooperative_groups/reduce.h cuda/barrier cuda/pipeline cuda/ptx cuda/std/complex cub/cub.cuh thrust/device_vector.h
curand_kernel.h cublas.h cublas_v2.h cusolverDn.h cufftXt.h cudnn.h nccl.h nvml.h driver_types.h
""".split()
STANDARDS = ("c++14", "c++17", "c++20")
# The legacy interface has the names of the current one and cannot meet it in one source.
EXCLUSIVE = {"cublas.h"}
FOR_PCH = 0x2 | 0x10
LIBRARY = """
algorithm array atomic chrono cmath complex cstddef cstdint cstdlib cstring functional initializer_list iostream iterator
limits map memory mutex new set sstream stdexcept string system_error tuple type_traits utility vector
assert.h limits.h math.h stddef.h stdint.h stdio.h stdlib.h string.h time.h wchar.h
""".split()


def arguments(standard: str) -> list[str]:
    flags = ["-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-nobuiltininc", "-w", "-ferror-limit=0"]
    headers = standard_headers()
    if not headers:
        pytest.skip("no compiler headers (stddef.h and friends) on this machine")
    folders = [word for folder in stub_folders() for word in ("-isystem", str(folder))]
    return [*flags, f"-std={standard}", *folders, *headers]


def parse(source: str, flags: list[str]) -> ci.TranslationUnit:
    return ci.Index.create().parse("sample.cu", args=flags, unsaved_files=[("sample.cu", source)], options=0x200)


def errors(unit: ci.TranslationUnit) -> list[str]:
    return [f"{d.location}: {d.spelling}" for d in unit.diagnostics if d.severity >= ci.Diagnostic.Error]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Flags with the C++ library precompiled, so that one stub header parses in milliseconds."""
    folder = tmp_path_factory.mktemp("pch")
    source = folder / "library.h"
    source.write_text(
        '#include "porter_stubs/attributes.h"\n#include "porter_stubs/host_math.h"\n'
        + "".join(f"#include <{h}>\n" for h in LIBRARY)
    )
    flags = arguments("c++17")
    unit = ci.Index.create().parse(str(source), args=flags, options=FOR_PCH)
    assert errors(unit) == []
    unit.save(str(folder / "library.pch"))
    return [*flags, "-include-pch", str(folder / "library.pch")]


def test_every_file_is_a_header_but_the_readme() -> None:
    files = {str(path.relative_to(STUBS)) for path in STUBS.rglob("*") if path.is_file()}
    assert files - set(FILES) == {"README.md", "forwards.tbl"}
    assert all((STUBS / name).read_text().startswith("// porter stub headers: ") for name in FILES)


def test_a_path_that_has_no_file_forwards_to_one_that_has() -> None:
    assert not set(forwards()) & set(FILES)
    assert set(forwards().values()) <= set(FILES)
    assert stub_of("cub/block/block_load.cuh") == STUBS / "porter_stubs" / "cub" / "block.h"
    assert stub_of("cuda.h") == STUBS / "cuda.h" and stub_of("no/such.h") is None


@pytest.mark.parametrize("header", COMMON)
@pytest.mark.sample(8)
def test_a_common_header_parses_alone(library: list[str], header: str) -> None:
    assert header in HEADERS
    assert errors(parse(f'#include "{header}"\n', library)) == []


@pytest.mark.parametrize("standard", STANDARDS)
@pytest.mark.sample(1)
def test_all_headers_parse_together(standard: str) -> None:
    source = "".join(f'#include "{h}"\n' for h in HEADERS if h not in EXCLUSIVE)
    assert errors(parse(source, arguments(standard))) == []


@pytest.mark.slow
@pytest.mark.parametrize("standard", STANDARDS)
def test_every_header_parses_alone_with_nothing_before_it(standard: str) -> None:
    flags = arguments(standard)
    failing = {h: e for h in HEADERS if (e := errors(parse(f'#include "{h}"\n', flags)))}
    assert failing == {}


SAMPLES = sorted((Path(__file__).parent / "cuda_stub_samples").glob("*.cu"))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda p: p.stem)
def test_a_source_with_the_main_constructs_parses(library: list[str], sample: Path) -> None:
    assert errors(parse(sample.read_text(), [*library, "-include", "cuda_runtime.h"])) == []


def test_samples_are_there() -> None:
    assert len(SAMPLES) >= 6


def test_what_does_not_exist_is_an_error(library: list[str]) -> None:
    """The headers must not be so tolerant that a wrong call goes unnoticed."""
    source = """
        __global__ void k(float *p) { p[0] = __shfl_down_sync(0xffffffff, p[0]); }
        int main() { cudaMalloc(3); cudaDeviceProp p; p.notAField = 1; cudaNoSuchCall(); dim3 d; d.w = 1; }
    """
    unit = parse(source, [*library, "-include", "cuda_runtime.h"])
    assert len(errors(unit)) == 5


def test_launches_and_references_resolve(library: list[str]) -> None:
    source = """
        __global__ void k(float *p, int n) { p[threadIdx.x] = n; }
        int main() { float *p; cudaMalloc(&p, 4); k<<<1, 32>>>(p, 1); cudaStream_t s; cudaStreamCreate(&s); }
    """
    unit = parse(source, [*library, "-include", "cuda_runtime.h"])
    assert errors(unit) == []
    kinds: dict[str, str] = {}

    def walk(cursor: Any) -> None:
        for child in cursor.get_children():
            if str(child.location.file) == "sample.cu" or child.kind == ci.CursorKind.COMPOUND_STMT:
                if child.kind == ci.CursorKind.CALL_EXPR and child.referenced is not None:
                    kinds[child.spelling] = Path(str(child.referenced.location.file)).name
                walk(child)

    for child in unit.cursor.get_children():
        if str(child.location.file) == "sample.cu":
            walk(child)
    assert kinds["cudaMalloc"] == "templates.h"
    assert kinds["cudaStreamCreate"] == "stream.h"
    assert kinds["k"] == "sample.cu"  # the launch is a call of the kernel


# Facts of the interface, one per header family.
VALUES = {
    "cuda_runtime.h": {
        "cudaSuccess": 0,
        "cudaErrorMemoryAllocation": 2,
        "cudaErrorNotReady": 600,
        "cudaErrorUnknown": 999,
        "cudaMemcpyHostToDevice": 1,
        "cudaMemcpyDefault": 4,
        "cudaDevAttrMultiProcessorCount": 16,
        "cudaFuncAttributeMaxDynamicSharedMemorySize": 8,
        "cudaLaunchAttributeClusterDimension": 4,
        "cudaStreamCaptureModeRelaxed": 2,
        "cudaAddressModeBorder": 3,
        "CUDA_R_16BF": 14,
    },
    "cuda.h": {
        "CUDA_ERROR_INVALID_VALUE": 1,
        "CUDA_ERROR_NOT_FOUND": 500,
        "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR": 75,
        "CU_TENSOR_MAP_DATA_TYPE_BFLOAT16": 9,
        "CU_TENSOR_MAP_SWIZZLE_128B": 3,
    },
    "cublas_v2.h": {"CUBLAS_OP_T": 1, "CUBLAS_COMPUTE_32F": 68, "CUBLAS_GEMM_DEFAULT_TENSOR_OP": 99},
    "cublasLt.h": {"CUBLASLT_MATMUL_DESC_EPILOGUE": 7, "CUBLASLT_EPILOGUE_GELU_BIAS": 36},
    "cusparse.h": {"CUSPARSE_INDEX_32I": 2, "CUSPARSE_SPMV_CSR_ALG2": 3},
    "cusolverDn.h": {"CUSOLVER_EIG_MODE_VECTOR": 1},
    "curand.h": {"CURAND_RNG_PSEUDO_PHILOX4_32_10": 161, "CURAND_STATUS_LAUNCH_FAILURE": 201},
    "cufft.h": {"CUFFT_C2C": 0x29, "CUFFT_Z2Z": 0x69},
    "cudnn.h": {"CUDNN_DATA_HALF": 2, "CUDNN_TENSOR_NHWC": 1},
    "nccl.h": {"ncclFloat16": 6, "ncclMax": 2},
    "nvrtc.h": {"NVRTC_ERROR_COMPILATION": 6},
    "nvml.h": {"NVML_CLOCK_MEM": 2},
}


def test_enumerators_have_their_values(library: list[str]) -> None:
    includes = "".join(f"#include <{header}>\n" for header in VALUES)
    facts = {name: value for values in VALUES.values() for name, value in values.items()}
    checks = "".join(f'static_assert(int({n}) == {v}, "{n}");\n' for n, v in facts.items())
    assert errors(parse(includes + checks, library)) == []


def test_types_have_their_layout(library: list[str]) -> None:
    source = """
        #include <cuda.h>
        #include <cuda_fp16.h>
        #include <cuda_bf16.h>
        #include <cuda_fp8.h>
        #include <cuda_runtime.h>
        static_assert(sizeof(float4) == 16 && alignof(float4) == 16, "");
        static_assert(sizeof(double3) == 24 && alignof(double3) == 8, "");
        static_assert(sizeof(dim3) == 12, "");
        static_assert(sizeof(__half) == 2 && sizeof(__half2) == 4 && alignof(__half2) == 4, "");
        static_assert(sizeof(__nv_bfloat162) == 4 && sizeof(__nv_fp8x4_e4m3) == 4, "");
        static_assert(sizeof(CUtensorMap) == 128 && alignof(CUtensorMap) == 64, "");
        static_assert(sizeof(cudaIpcMemHandle_t) == 64 && sizeof(cudaUUID_t) == 16, "");
    """
    assert errors(parse(source, library)) == []
