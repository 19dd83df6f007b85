"""The tables of rules/names: every row is well formed, and its HIP name exists where that can be checked."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from stub_declarations import stub_functions

from porter.errors import RuleError
from porter.frontend.ast import resource_headers
from porter.rules import SHORTEST_BEGINNING, load_rules

NAMES = Path(__file__).resolve().parents[2] / "rules" / "names"
TABLES = sorted(NAMES.glob("*.tbl"))
OVERLAYS = sorted(NAMES.glob("*/*.tbl"))
KINDS = {"func", "type", "enum", "macro", "header", "device", "namespace", "var"}
STATUSES = {"exact", "hint", "slower", "review", "left"}
# Tables whose HIP names are declared by the headers of the HIP runtime itself.
RUNTIME_TABLES = {"runtime_functions", "runtime_types", "runtime_enums", "errors"}
RUNTIME_TABLES |= {"driver_functions", "driver_types", "driver_enums", "interop"}
COMPILER_NAMES = {"__HIPCC__", "__HIPCC_RTC__", "__CLANG_RDC__"}  # predefined by the compiler, in no header


class Row(NamedTuple):
    cuda: str
    hip: str
    kind: str
    status: str
    note: str
    table: str
    line: int


def rows_of(path: Path) -> Iterator[Row]:
    for number, line in enumerate(path.read_text(encoding="ascii").splitlines(), 1):
        if not line.strip() or line.startswith(("#", "@")):
            continue
        fields = line.split(None, 4)
        assert len(fields) >= 4, f"{path.name}:{number}: a row has at least four columns"
        cuda, hip, kind, status = fields[:4]
        yield Row(cuda, hip, kind, status, fields[4] if len(fields) > 4 else "", path.stem, number)


ROWS = [row for path in TABLES for row in rows_of(path)]
BY_NAME = {row.cuda: row for row in ROWS}


@pytest.mark.parametrize("path", TABLES + OVERLAYS, ids=lambda p: p.stem)
def test_head(path: Path) -> None:
    """A table names its rule and its library, once each; a known word follows every `@`."""
    heads = [line.split(None, 1) for line in path.read_text().splitlines() if line.startswith("@")]
    words = [head[0] for head in heads]
    assert all(len(head) == 2 for head in heads)
    assert words.count("@rule") == 1 and words.count("@library") == 1 and words.count("@include") <= 1
    assert set(words) <= {"@rule", "@library", "@include"}
    assert re.fullmatch(r"name(-[a-z0-9]+)+", dict(heads)["@rule"])


@pytest.mark.parametrize("path", TABLES + OVERLAYS, ids=lambda p: p.stem)
def test_rows(path: Path) -> None:
    text = path.read_text(encoding="ascii")
    assert "\t" not in text and text.endswith("\n") and not re.search(r"[ ]+$", text, re.M)
    rows = list(rows_of(path))
    assert rows
    for row in rows:
        where = f"{path.name}:{row.line}: {row.cuda}"
        assert row.kind in KINDS, where
        assert row.status in STATUSES, where
        assert row.note or row.status == "exact", f"{where}: only an exact row may lack a note"
        assert (row.hip == "-") == (row.status == "left"), f"{where}: a row without a HIP name is left"
        assert not row.note.endswith("."), where
        if row.kind == "header":
            assert "::" not in row.cuda, where
        else:
            beginning = r"\*?" if row.status == "left" else ""  # for all names that begin so
            assert re.fullmatch(rf"[A-Za-z_]\w*(::[A-Za-z_]\w*)*{beginning}", row.cuda), where
            assert re.fullmatch(r"-|-?\d+|void\*|[A-Za-z_]\w*(::[A-Za-z_]\w*)*", row.hip), where


@pytest.mark.parametrize("path", TABLES + OVERLAYS, ids=lambda p: p.stem)
def test_rows_are_grouped_by_kind_and_sorted(path: Path) -> None:
    rows = list(rows_of(path))
    kinds = [row.kind for n, row in enumerate(rows) if n == 0 or rows[n - 1].kind != row.kind]
    assert len(kinds) == len(set(kinds)), "each kind is one block"
    for kind in kinds:
        names = [row.cuda for row in rows if row.kind == kind]
        assert names == sorted(names, key=lambda n: (n.lower(), n)), kind


def test_a_name_has_one_row() -> None:
    twice = [f"{row.table}:{row.line} {row.cuda}" for row in ROWS if BY_NAME[row.cuda] is not row]
    assert not twice


def test_an_overlay_replaces_rows_that_exist() -> None:
    for path in OVERLAYS:
        names = [row.cuda for row in rows_of(path)]
        assert len(names) == len(set(names))
        for row in rows_of(path):
            assert row.cuda in BY_NAME and BY_NAME[row.cuda].hip != row.hip, row.cuda


BEGINNINGS = [row for row in ROWS if row.cuda.endswith("*") and "::" not in row.cuda]


def test_a_row_for_a_beginning_has_no_row_beside_it_that_says_the_same() -> None:
    kept = [row for row in ROWS if row.kind != "header" and "::" not in row.cuda and not row.cuda.endswith("*")]
    for row in BEGINNINGS:
        assert len(row.cuda) > SHORTEST_BEGINNING, row.cuda
        under = [one for one in kept if one.cuda.startswith(row.cuda[:-1])]
        same = [one.cuda for one in under if (one.hip, one.kind, one.note) == (row.hip, row.kind, row.note)]
        assert not same, row.cuda
        assert all(one.status == "left" for one in under), f"{row.cuda}: some names that begin so are ported"


def test_a_name_without_a_row_has_that_of_the_longest_beginning(tmp_path: Path) -> None:
    lines = ("ourSparse* - func left none", "ourSparseOld* - type left gone", "ourSparseNew oursNew func exact")
    (tmp_path / "ours.tbl").write_text("@rule name-ours\n@library ours\n" + "\n".join(lines) + "\n")
    names = load_rules((tmp_path,)).names
    assert [names[name].note for name in ("ourSparseX", "ourSparseOldX")] == ["none", "gone"]
    assert names["ourSparseX"].cuda == "ourSparseX" and names["ourSparseNew"].hip == "oursNew"
    assert "ourSparseX" in names and "ourSpars" not in names and names.get("ourOther") is None
    assert names["CUDNN_ATTR_TENSOR_DIMENSIONS"].note == names["CUDNN_ATTR_*"].note


@pytest.mark.parametrize("row", ["our* - func left none", "ourSparse* oursSparse func exact"])
def test_a_beginning_is_long_enough_and_has_no_hip_name(row: str, tmp_path: Path) -> None:
    (tmp_path / "ours.tbl").write_text(f"@rule name-ours\n@library ours\n{row}\n")
    with pytest.raises(RuleError, match="cannot be used"):
        load_rules((tmp_path,))


def test_names_that_the_stub_headers_declare_under_a_beginning_stay_known() -> None:
    names = load_rules().names
    for name in (
        "CUBLASLT_MATMUL_TILE_8x16",
        "CUBLASLT_CLUSTER_SHAPE_2x1x1",
        "cudnnBackendExecute",
        "CU_EGL_COLOR_FORMAT_RGB",
    ):
        assert name in names and name not in list(names), name


def test_no_hip_name_is_ported_again() -> None:
    """A second run over a port must find nothing: no target is itself a row with another target."""
    loops = [row.cuda for row in ROWS if row.hip in BY_NAME and row.hip != row.cuda and BY_NAME[row.hip].hip != row.hip]
    assert not loops


def hip_headers() -> Path | None:
    places = [Path(os.environ.get("ROCM_PATH", "/opt/rocm")) / "include" / "hip"]
    spec = importlib.util.find_spec("triton")
    if spec is not None and spec.origin is not None:
        places.append(Path(spec.origin).parent / "backends" / "amd" / "include" / "hip")
    return next((p for p in places if (p / "hip_runtime_api.h").is_file()), None)


@pytest.fixture(scope="module")
def declared() -> set[str]:
    folder = hip_headers()
    if folder is None:
        pytest.skip("no HIP headers: neither ROCm nor the triton package is installed")
    names: set[str] = set()
    for path in folder.rglob("*.h"):
        text = path.read_text(encoding="utf-8", errors="replace")
        text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
        names.update(re.findall(r"[A-Za-z_]\w*", text))
    return names


@pytest.mark.parametrize("table", sorted(RUNTIME_TABLES))
def test_hip_declares_the_target(table: str, declared: set[str]) -> None:
    def is_name(hip: str) -> bool:
        return hip != "-" and hip != "void*" and not re.fullmatch(r"-?\d+", hip)

    rows = [row for row in ROWS if row.table == table and is_name(row.hip)]
    assert rows
    missing = [f"{r.cuda} -> {r.hip}" for r in rows if r.hip not in declared | COMPILER_NAMES]
    assert not missing


# The headers that programs include of ROCm 6 and 7, below its include folder. HIP's own are those of the HIP package.
ROCM = set(
    """
    hip/channel_descriptor.h hip/device_functions.h hip/driver_types.h hip/hip_bf16.h hip/hip_complex.h
    hip/hip_fp16.h hip/hip_fp8.h hip/hip_gl_interop.h hip/hip_math_constants.h hip/hip_runtime.h
    hip/hip_runtime_api.h hip/hip_texture_types.h hip/hip_vector_types.h hip/hiprtc.h hip/library_types.h
    hip/math_functions.h hip/surface_types.h hip/texture_types.h
    hipblas/hipblas.h hipblaslt/hipblaslt.h hipfft/hipfft.h hipfft/hipfftXt.h hipfft/hipfftw.h hipfft/hiplibxt.h
    hiprand/hiprand.h hiprand/hiprand_kernel.h hiprand/hiprand_mtgp32_host.h hipsolver/hipsolver.h
    hipsparse/hipsparse.h rccl/rccl.h rocrand/rocrand_mtgp32_11213.h roctracer/roctx.h
    """.split()
)
NO_PART_OF_ROCM = ("caffe2/", "hipDNN.h", "porter/", "hipcub/", "thrust/")  # the last two are CUB's and Thrust's layout


def test_headers_lie_where_rocm_has_them() -> None:
    """Since ROCm 6 a library's headers are in its folder alone: <hipblas.h> is found nowhere."""
    targets = {row.hip for row in ROWS if row.kind == "header" and row.hip != "-"}
    standard = {name for name in targets if re.fullmatch(r"[a-z_]+", name)}  # C++'s own
    assert sorted(t for t in targets - standard - ROCM if not t.startswith(NO_PART_OF_ROCM)) == []
    for path in TABLES:
        include = re.search(r"^@include\s+(\S+)$", path.read_text(), re.M)
        assert include is None or include[1] in ROCM or include[1].startswith(NO_PART_OF_ROCM), path.name


def test_functions_of_device_code_are_ported_or_hips_or_left(declared: set[str]) -> None:
    """Those that begin with two underscores: what no table has must be declared by HIP's or clang's headers."""
    names = {name for name in stub_functions("cuda_runtime.h", "device/") if re.match("__[A-Za-z]", name)}
    assert len(names) > 300
    headers = resource_headers()
    if headers is None:
        pytest.skip("no headers of clang")
    clangs = "".join(path.read_text() for path in headers.glob("__clang_hip_*.h"))
    known = set(load_rules().calls) | set(BY_NAME) | declared | set(re.findall(r"\w+", clangs))
    assert sorted(name for name in names - known if not name.startswith("__nv_")) == []  # those are left: unknown-name


@pytest.mark.parametrize(
    ("cuda", "hip", "status"),
    [
        ("cudaMalloc", "hipMalloc", "exact"),
        ("cudaMallocHost", "hipHostMalloc", "exact"),
        ("cudaError_t", "hipError_t", "exact"),
        ("cudaErrorUnknown", "hipErrorUnknown", "exact"),
        ("cudaDeviceProp", "hipDeviceProp_t", "exact"),
        ("cudaDeviceProp::warpSize", "hipDeviceProp_t::warpSize", "review"),
        ("cudaDeviceSetLimit", "hipDeviceSetLimit", "review"),
        ("cudaDeviceSetCacheConfig", "hipDeviceSetCacheConfig", "exact"),
        (
            "cudaFuncAttributeMaxDynamicSharedMemorySize",
            "hipFuncAttributeMaxDynamicSharedMemorySize",
            "review",
        ),
        ("cudaLaunchAttributeClusterDimension", "-", "left"),
        ("cuTensorMapEncodeTiled", "cuTensorMapEncodeTiled", "exact"),
        ("cuMemcpyHtoD_v2", "hipMemcpyHtoD", "exact"),
        ("cuLaunchKernel", "hipModuleLaunchKernel", "exact"),
        ("cuLinkCreate", "hipLinkCreate", "exact"),
        ("cuCmulf", "hipCmulf", "exact"),
        ("__nv_bfloat16", "__hip_bfloat16", "exact"),
        ("nv_bfloat162", "__hip_bfloat162", "exact"),
        ("__nv_fp8_e4m3", "porter::fp8_e4m3", "slower"),
        ("cub", "hipcub", "exact"),
        ("cub::LaneId", "porter::lane_id", "exact"),
        ("CubDebugExit", "CubDebugExit", "exact"),
        ("cub::WarpMask", "porter::warp_mask", "exact"),
        ("thrust::cuda", "thrust::hip", "exact"),
        ("cublasCgemm_v2", "hipblasCgemm_v2", "exact"),
        ("cublasDataType_t", "hipDataType", "exact"),
        ("CUBLAS_GEMM_DEFAULT_TENSOR_OP", "HIPBLAS_GEMM_DEFAULT", "exact"),
        ("curand_init", "hiprand_init", "review"),
        ("cufftExecC2C", "hipfftExecC2C", "exact"),
        ("cusparseSpMV", "hipsparseSpMV", "exact"),
        ("cusolverDnSgetrf", "hipsolverDnSgetrf", "exact"),
        ("cudnnCreate", "hipdnnCreate", "exact"),
        ("ncclAllReduce", "ncclAllReduce", "exact"),
        ("nvrtcCompileProgram", "hiprtcCompileProgram", "review"),
        ("nvtxRangePushA", "roctxRangePushA", "exact"),
        ("CUDART_PI_F", "HIP_PI_F", "exact"),
        ("CUDART_VERSION", "-", "left"),
        ("__CUDA_RUNTIME_H__", "HIP_INCLUDE_HIP_HIP_RUNTIME_H", "exact"),
        ("cuda_runtime.h", "hip/hip_runtime.h", "exact"),
        ("cublas_v2.h", "hipblas/hipblas.h", "exact"),
        ("cub/cub.cuh", "hipcub/hipcub.hpp", "exact"),
        ("nccl.h", "rccl/rccl.h", "exact"),
        ("mma.h", "porter/wmma.h", "slower"),
    ],
)
def test_fact(cuda: str, hip: str, status: str) -> None:
    row = BY_NAME[cuda]
    assert (row.hip, row.status) == (hip, status)
