"""Shared memory over 64 KiB: how public kernels say their sizes, and what porter may change of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.findings import FilePort, Safety
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.pipeline import port_source

# A kernel that follows from its parameters: accumulators, loops, and a ring of stages.
GEMM = """
template <int BM, int BN, int BK, int QSIZE>
struct SMem {
  alignas(128) float A[BM * BK * QSIZE];
  alignas(128) float B[BK * BN * QSIZE];
};
template <int BM, int BN, int BK, int THREADS, int QSIZE>
__global__ void __launch_bounds__(THREADS) gemm(float *x) {
  extern __shared__ char memory[];
  auto &s = *reinterpret_cast<SMem<BM, BN, BK, QSIZE> *>(memory);
  __shared__ long full[QSIZE];
  float d[BM / 64][BN / 16] = {};
  for (int k = 0; k < BK; k += 8) d[0][0] += s.A[k] + s.B[k] + full[0];
  *x = d[0][0];
}
"""


def port(folder: Path, source: str, **headers: str) -> FilePort:
    for name, text in headers.items():
        (folder / f"{name}.h").write_text(text)
    path = folder / "kernel.cu"
    path.write_text(source)
    return port_source(Project(folder), path, "kernel.hip", Options(runtime="include", oversize="refuse"), {})


def said(result: FilePort, safety: Safety) -> list[str]:
    of_budget = [f for f in result.findings if f.rule == "shared-memory-budget" and f.safety is safety]
    return [f.message.partition(" instead")[0] for f in of_budget]


LAUNCHES = {
    "constants of the function, a kernel in a variable, a size that is no constant": """
void run(float *x) {
  constexpr int BM = 128, BN = 128;
  const int BK = 64;
  constexpr int QSIZE = 4;
  auto *kernel = gemm<BM, BN, BK, 384, QSIZE>;
  size_t bytes = sizeof(SMem<BM, BN, BK, QSIZE>);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  kernel<<<1, 384, bytes>>>(x);
}""",
    "literals at the launch": """
void run(float *x) {
  cudaFuncSetAttribute(gemm<128, 128, 64, 384, 4>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       sizeof(SMem<128, 128, 64, 4>));
  gemm<128, 128, 64, 384, 4><<<1, 384, sizeof(SMem<128, 128, 64, 4>)>>>(x);
}""",
    "a launching template": """
template <int BM, int BN, int BK, int QSIZE = 4>
void launch(float *x) {
  int elements = (BM + BN) * BK * QSIZE;
  int bytes = elements * sizeof(float);
  gemm<BM, BN, BK, 384, QSIZE><<<1, 384, bytes>>>(x);
}
void run(float *x) { launch<128, 128, 64>(x); }""",
    "a class of constants": """
struct Config {
  static constexpr int BM = 128;
  static constexpr int BN = 128;
  static constexpr int BK = 64;
  static constexpr int kStages = 4;
  using Shared = SMem<BM, BN, BK, kStages>;
};
void run(float *x) {
  cudaLaunchConfig_t config = {};
  config.dynamicSmemBytes = sizeof(Config::Shared);
  cudaLaunchKernelEx(&config, gemm<Config::BM, Config::BN, Config::BK, 384, Config::kStages>, x);
}""",
    "members without their names": """
struct Config {
  static constexpr int BM = 128;
  static constexpr int BN = 128;
  static constexpr int BK = 64;
  static constexpr int kStages = 4;
  using Shared = SMem<BM, BN, BK, kStages>;
};
void run(float *x) {
  constexpr int bytes = sizeof(Config::Shared);
  auto kernel = &gemm<Config::BM, Config::BN, Config::BK, 384, Config::kStages>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  cudaLaunchConfig_t config = {dim3(1), dim3(384, 1, 1), bytes, nullptr, nullptr, 0};
  cudaLaunchKernelEx(&config, kernel, x);
}""",
    "traits": """
template <int BM_, int BN_, int BK_, int STAGES_>
struct Traits {
  static constexpr int kBlockM = BM_, kBlockN = BN_, kBlockK = BK_, kStages = STAGES_;
  static constexpr int kBytes = sizeof(SMem<kBlockM, kBlockN, kBlockK, kStages>);
};
template <typename T> __global__ void caller(float *x) {
  extern __shared__ char memory[];
  __shared__ long full[T::kStages];
  float d[T::kBlockM / 64][T::kBlockN / 16] = {};
  for (int k = 0; k < T::kBlockK; k += 8) d[0][0] += memory[k * T::kStages] + full[0];
  *x = d[0][0];
}
void run(float *x) {
  using T = Traits<128, 128, 64, 4>;
  caller<T><<<1, 384, T::kBytes>>>(x);
}""",
    "members of an object": """
struct Shape {
  int block_m = 128, block_n = 128;
  int block_k = 64;
  int stages = 4;
  constexpr int bytes() const { return sizeof(float) * stages * block_k * (block_m + block_n); }
};
constexpr Shape kShape{};
void run(float *x) {
  gemm<kShape.block_m, kShape.block_n, kShape.block_k, 384, kShape.stages><<<1, 384, kShape.bytes() + 128>>>(x);
}""",
    "an object": """
struct Shape { int block_m, block_n, block_k, stages; };
static constexpr Shape kShape = {128, 128, 64, 4};
using Shared = SMem<kShape.block_m, kShape.block_n, kShape.block_k, kShape.stages>;
void run(float *x) {
  gemm<kShape.block_m, kShape.block_n, kShape.block_k, 384, kShape.stages><<<1, 384, sizeof(Shared)>>>(x);
}""",
    "an object with names": """
struct Shape { int block_m = 64, block_n = 64, block_k = 64, stages = 2; };
template <Shape kShape> void launch(float *x) {
  using Shared = SMem<kShape.block_m, kShape.block_n, kShape.block_k, kShape.stages>;
  gemm<kShape.block_m, kShape.block_n, kShape.block_k, 384, kShape.stages><<<1, 384, sizeof(Shared)>>>(x);
}
constexpr Shape kLarge{.block_m = 128, .block_n = 128, .stages = 4};
void run(float *x) { launch<kLarge>(x); }""",
    "enumerators": """
enum : int { kBlockM = 128, kBlockN = 128, kBlockK = 64, kStages = 4 };
void run(float *x) {
  gemm<kBlockM, kBlockN, kBlockK, 384, kStages><<<1, 384, sizeof(SMem<kBlockM, kBlockN, kBlockK, kStages>)>>>(x);
}""",
    "macros": """
#define STAGES 4
#define BLOCK_M 128
#define BLOCK_N 128
#define BLOCK_K 64
#define BYTES sizeof(SMem<BLOCK_M, BLOCK_N, BLOCK_K, STAGES>)
void run(float *x) { gemm<BLOCK_M, BLOCK_N, BLOCK_K, 384, STAGES><<<1, 384, BYTES>>>(x); }""",
    "a function that launches": """
template <typename K, typename... Args>
void launch(K *kernel, int grid, int block, int bytes, Args... args) {
  if (bytes > 48000) cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  kernel<<<grid, block, bytes>>>(args...);
}
void run(float *x) {
  const int BM = 128, BN = 128, BK = 64, kStages = 4;
  const int bytes = sizeof(SMem<BM, BN, BK, kStages>);
  launch(gemm<BM, BN, BK, 384, kStages>, 1, 384, bytes, x);
}""",
}


@pytest.mark.parametrize("launch", LAUNCHES.values(), ids=LAUNCHES)
@pytest.mark.sample(4)
def test_half_the_stages_and_a_quarter_of_the_tile(launch: str, tmp_path: Path) -> None:
    # 4 stages of 64 KiB. With two a tile of 128 x 128 x 16 would take all of it, but there are the barriers.
    result = port(tmp_path, GEMM + launch)
    changed = said(result, Safety.SLOWER)
    assert said(result, Safety.LEFT) == said(result, Safety.REVIEW) == []
    assert {text.rpartition(" is ")[2] for text in changed} <= {"2", "3", "4", "8", "16", "32", "64"}
    assert len(changed) == len(set(changed)) == 2
    again = port(tmp_path, result.port.replace("hip", "cuda"))  # what it became fits
    assert {f.safety for f in again.findings if f.rule == "shared-memory-budget"} <= {Safety.EXACT}


@pytest.mark.slow
def test_an_attribute_may_allow_more_than_anybody_asks_for(tmp_path: Path) -> None:
    source = """
template <int N> __global__ void k(float *x) { __shared__ float tail[256]; extern __shared__ float s[]; *x = s[N] + tail[0]; }
template <int N> void launch(float *x) {
  const int bytes = N * sizeof(float);
  cudaFuncSetAttribute(k<N>, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304);
  k<N><<<1, 128, bytes>>>(x);
}
void run(float *x) { launch<4096>(x); launch<BIG>(x); }
"""
    fits = port(tmp_path, source.replace("BIG", "8192"))
    assert "hipFuncAttributeMaxDynamicSharedMemorySize, 64512 /* 98304 */" in fits.port
    assert said(fits, Safety.LEFT) == said(fits, Safety.REVIEW) == [] and len(said(fits, Safety.EXACT)) == 1
    source = source.replace("bytes = N", "bytes = max(N, 1024)")
    large = port(tmp_path, source.replace("BIG", "16384"))  # what fits still runs
    assert "64512 /* 98304 */" in large.port and len(said(large, Safety.REVIEW)) == len(said(large, Safety.LEFT)) == 1
    same = port(tmp_path, source.replace("BIG", "16384").replace("98304", "bytes"))
    assert "/* bytes */" not in same.port and len(said(same, Safety.LEFT)) == 2
    source = source.replace("const int", "int").replace("  k<N>", "  bytes += *x;  k<N>")
    for most in ("constexpr int MOST = 96 * 1024;", "#define MOST (96 << 10)", ""):
        unknown = port(tmp_path, f"{most}\n{source.replace('98304', 'MOST') if most else source}")
        assert f"64512 /* {'MOST' if most else '98304'} */" in unknown.port and len(said(unknown, Safety.REVIEW)) == 1


def test_branches_that_launch_kernels_of_their_own(tmp_path: Path) -> None:
    """Each launch and attribute is of the kernel that it names, and each branch has variables of its own."""
    source = """
template <int ROWS> __global__ void fixed(float *x) { __shared__ float own[ROWS * 64]; *x = own[1]; }
template <int ROWS> __global__ void dynamic(float *x) { extern __shared__ float memory[]; *x = memory[ROWS]; }
void run(int way, float *x) {
  if (way == 0) {
    fixed<192><<<1, 128>>>(x);
  } else if (way == 1) {
    const int ROWS = 128;
    cudaFuncSetAttribute(dynamic<ROWS>, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304);
    unsigned bytes = ROWS * 64 * sizeof(float);
    dynamic<ROWS><<<1, 128, bytes>>>(x);
  } else {
    const int ROWS = 224;
    cudaFuncSetAttribute(dynamic<ROWS>, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304);
    unsigned bytes = ROWS * 64 * sizeof(float);
    dynamic<ROWS><<<1, 128, bytes>>>(x);
  }
}
"""
    result = port(tmp_path, source)
    assert result.port.count("65536 /* 98304 */") == 2  # and not what `fixed` would leave
    assert said(result, Safety.REVIEW) == said(result, Safety.LEFT) == []
    changed = port(tmp_path, source.replace("unsigned bytes = ROWS", "unsigned bytes = 0; bytes = ROWS"))
    assert changed.port.count("65536 /* 98304 */") == len(said(changed, Safety.REVIEW)) == 2


def test_a_launching_function_of_a_header(tmp_path: Path) -> None:
    head, _, tail = LAUNCHES["a function that launches"].partition("void run")
    result = port(tmp_path, '#include "launch.h"\n' + GEMM + "void run" + tail, launch="#pragma once" + head)
    assert len(said(result, Safety.SLOWER)) == 2


def test_a_header_that_launches(tmp_path: Path) -> None:
    main, header = tmp_path / "main.cu", tmp_path / "gemm.cuh"
    header.write_text(GEMM.replace("float", "real") + LAUNCHES["macros"].replace("float", "real"))
    main.write_text('typedef float real;\n#include "gemm.cuh"\n')
    result = port_source(
        Project(tmp_path), header, "gemm.cuh", Options(runtime="include", oversize="refuse"), {}, includer=main
    )
    assert len(said(result, Safety.SLOWER)) == 2


def test_every_instantiation_has_to_fit(tmp_path: Path) -> None:
    source = """
constexpr int kBlockKv = 64;
template <int kDim> constexpr int kBytes = 2 * kBlockKv * kDim * sizeof(float);
template <int kDim> __global__ void k(float *x) { float score[kBlockKv / 8] = {}; *x = score[0]; }
template <int kDim> void launch(float *x) { k<kDim><<<1, 128, kBytes<kDim>>>>(x); }
void (*const launches[])(float *) = {launch<64>, launch<128>, launch<256>};
"""
    result = port(tmp_path, source.replace("kDim>>>>", "kDim>, 0>>>"))
    assert said(result, Safety.SLOWER) == ["kBlockKv is 32"]


SPECIALISED = (
    "template <int N> struct Copy; template <> struct Copy<256> { static constexpr int threads = 128; }; "
    "template <int N, int = Copy<N>::threads> __device__ float picked() { return N; }"
)


@pytest.mark.parametrize(
    ("kernel", "why"),
    [
        (
            "float d[64]; *x = d[0] + BLOCK_N;",
            "BLOCK_N: no array, loop, static_assert or block size of device code is seen to follow from it; device code of "
            "kernel.cu has it in line 4",
        ),
        (
            "float d[BLOCK_N / 8]; if constexpr (BLOCK_N == 256) *x = d[0];",
            "BLOCK_N == 256 in line 4 of kernel.cu would not be true any more, which is one of the cases that the source has",
        ),
        ("float d[BLOCK_N / 8 / 32]; *x = d[0];", "BLOCK_N / 8 / 32 in line 4 of kernel.cu leaves a remainder"),
        (
            "float d[BLOCK_N / 8]; for (int i = 0; i < BLOCK_N; i += 256) *x = d[0];",
            "i < BLOCK_N in line 4 of kernel.cu is no whole number of steps of 256",
        ),
        (
            "static_assert(BLOCK_N == 256); float d[BLOCK_N / 8]; *x = d[0];",
            "line 4 of kernel.cu does not compile with it (static assertion failed due to requirement 'BLOCK_N == 256')",
        ),
        (
            "float d[BLOCK_N / 8]; *x = d[0] + Copy<BLOCK_N>::threads;",
            "line 4 of kernel.cu does not compile with it (implicit instantiation of undefined template 'Copy<128>')",
        ),
        (
            "float d[BLOCK_N / 8]; *x = d[blockIdx.x * 256];",
            "BLOCK_N: 256 in line 4 of kernel.cu is as much, and would stay 256",
        ),
        (
            "float d[BLOCK_N / 8]; d[0] = picked<BLOCK_N>(); *x = d[0];",
            "line 4 of kernel.cu does not compile with it (no matching function for call to 'picked')",
        ),
        ("float d[BLOCK_N / 8]; *x = d[0] + bytes[BLOCK_N * 256 - 1];", ""),
    ],
    ids=lambda text: text[:24],
)
@pytest.mark.sample(4)
def test_tiles_that_do_not_follow_are_left_and_what_forbids_it_is_named(kernel: str, why: str, tmp_path: Path) -> None:
    source = f"""
constexpr int BLOCK_N = 256;
{SPECIALISED}
template <int T> __global__ void k(float *x) {{ extern __shared__ char bytes[]; {kernel} }}
void run(float *x) {{ k<0><<<1, 128, BLOCK_N * 512>>>(x); }}
"""
    result = port(tmp_path, source)
    assert said(result, Safety.SLOWER) == ([] if why else ["BLOCK_N is 128"])
    left = [f.message for f in result.findings if f.safety is Safety.LEFT]
    compiles = "" if "does not compile" in why else ", and compiles"
    words = "131,072 bytes of shared memory; a compute unit has 65,536. It would fit with BLOCK_N = 128 (65,536)"
    assert left == ([f"{words}{compiles}. Not applied: {why}"] if why else [])


@pytest.mark.parametrize(
    ("written", "becomes"),
    [
        ("constexpr int kStages = (4);", "constexpr int kStages = 2;"),
        ("constexpr int kStages = 2 * (1 + 1);", "constexpr int kStages = 2;"),
        ("const int kOther = 3, kStages = (2*2);", "const int kOther = 3, kStages = 2;"),
        ("auto kStages = Int<4>{};", "auto kStages = Int<2>{};"),
        ("constexpr auto bP = lib::Int<4>();", "constexpr auto bP = lib::Int<2>();"),
        ("constexpr int kStages = 4 | 0;", ""),
        ("constexpr int kStages = (kOther) * (2);", ""),
    ],
)
def test_constants_that_are_plain_expressions_or_types(written: str, becomes: str, tmp_path: Path) -> None:
    name = "bP" if "bP" in written else "kStages"
    count = f"decltype({name}){{}}" if "auto" in written else name
    source = f"""
namespace lib {{ template <int N> struct Int {{ __host__ __device__ constexpr operator int() const {{ return N; }} }}; }}
using namespace lib;
constexpr int kOther = 2;
template <int N> struct Tiles {{ char a[N][32768]; }};
template <class T> __global__ void k(float *x) {{
  extern __shared__ char bytes[];
  *x = reinterpret_cast<T *>(bytes)->a[0][0];
}}
void run(float *x) {{
  {written}
  using T = Tiles<{count}>;
  k<T><<<1, 128, sizeof(T)>>>(x);
}}
"""
    result = port(tmp_path, source)
    assert (becomes in result.port) if becomes else written in result.port
    assert len(said(result, Safety.LEFT)) == (not becomes)


UNSEEN = {
    "a local of the host": """
__global__ void k(float *x) { extern __shared__ float memory[]; *x = memory[4 * 8191]; }
void run(float *x) { const int kStages = 4; k<<<1, 128, kStages * 32768>>>(x); }""",
    "an argument of the size alone": """
template <int Q> struct SMem { float a[Q][8192]; };
template <int QSIZE> __global__ void k(float *x) {
  extern __shared__ char memory[];
  *x = reinterpret_cast<SMem<QSIZE> *>(memory)->a[QSIZE - 1][0];
}
void run(float *x) { k<4><<<1, 128, sizeof(SMem<4>)>>>(x); }""",
}


@pytest.mark.parametrize("source", UNSEEN.values(), ids=UNSEEN)
def test_a_constant_that_the_kernel_does_not_see_is_left(source: str, tmp_path: Path) -> None:
    result = port(tmp_path, source)
    assert len(said(result, Safety.LEFT)) == 1
    assert said(result, Safety.SLOWER) == said(result, Safety.REVIEW) == []


@pytest.mark.parametrize(
    ("assertion", "safety"), [("", Safety.REVIEW), ("static_assert(kStages >= 1);", Safety.SLOWER)]
)
def test_one_stage_is_for_review_unless_the_source_allows_it(assertion: str, safety: Safety, tmp_path: Path) -> None:
    source = f"""
constexpr int kStages = 3;
{assertion}
__global__ void k(float *x) {{ extern __shared__ float memory[]; *x = memory[(kStages - 1) * 12288]; }}
void run(float *x) {{ k<<<1, 128, kStages * 49152>>>(x); }}
"""
    assert said(port(tmp_path, source), safety) == ["kStages is 1"]


RINGS = """
template <int STAGES> __global__ void k(float *x) {
  extern __shared__ float memory[];
  for (int stage = threadIdx.x / 32 % 4; stage < STAGES / 4 * 4; stage += 4) *x += memory[stage * 3072];
}
template <int STAGES> void launch(float *x) { k<STAGES><<<1, 128, STAGES * BYTES>>>(x); }
void run(float *x, bool large) {
  if (large) launch<16>(x);
  else launch<4>(x);
}
"""


def test_stages_that_come_in_fours(tmp_path: Path) -> None:
    result = port(tmp_path, RINGS.replace("BYTES", "12288"))
    assert said(result, Safety.SLOWER) == ["STAGES is 4"]
    assert said(result, Safety.LEFT) == []
    (left,) = [f for f in port(tmp_path, RINGS.replace("BYTES", "32768")).findings if f.safety is Safety.LEFT]
    assert "It would fit with STAGES = 1 (32,768)" in left.message


def test_parameters_of_one_name_are_not_one(tmp_path: Path) -> None:
    source = """
template <int N> __device__ void clear(float (&d)[N]) { d[0] = 0; }
template <int N> void make_map(float *x) {}
constexpr int BLOCK_N = 256;
__global__ void k(float *x) { extern __shared__ char bytes[]; float d[64]; clear(d); *x = d[0] + bytes[BLOCK_N]; }
void run(float *x) { make_map<BLOCK_N>(x); k<<<1, 128, BLOCK_N * 512>>>(x); }
"""
    result = port(tmp_path, source)
    assert len(said(result, Safety.LEFT)) == 1


def test_the_swizzle_follows_the_length_of_a_row_or_the_row_stays(tmp_path: Path) -> None:
    source = """
#include <cuda.h>
constexpr int kBlockK = 64, kBlockM = 256;
constexpr CUtensorMapSwizzle kSwizzle = FOLLOWS;
__global__ void k(float *x) {
  extern __shared__ float memory[];
  float d[kBlockM / 64] = {};
  for (int i = 0; i < kBlockK; i += 16) d[0] += memory[i];
  *x = d[0];
}
void run(float *x) { k<<<1, 128, 2 * kBlockM * kBlockK * 4>>>(x); }
"""
    fixed = source.replace("FOLLOWS", "CU_TENSOR_MAP_SWIZZLE_128B")
    assert said(port(tmp_path, fixed), Safety.SLOWER) == ["kBlockM is 128"]
    asserted = fixed.replace("  float d", "  static_assert(kBlockK >= 16);\n  float d")
    assert said(port(tmp_path, asserted), Safety.SLOWER) == ["kBlockM is 128"]
    follows = "kBlockK == 64 ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_64B"
    assert said(port(tmp_path, source.replace("FOLLOWS", follows)), Safety.SLOWER) == ["kBlockK is 32"]


@pytest.mark.parametrize(
    ("storage", "launch", "most"),
    [
        ("", "k<<<1, 128, n * 4>>>(x)", 65536),  # what the host works out may fit
        ("__shared__ typename Scan::TempStorage scan;", "k<<<1, 128, n * 4>>>(x)", 62464),
        ("", "const int bytes = sizeof(Keys); k<<<1, 128, bytes>>>(x)", 0),
    ],
)
def test_limits_above_what_a_launch_works_out(storage: str, launch: str, most: int, tmp_path: Path) -> None:
    result = port(
        tmp_path,
        f"""#include <cub/cub.cuh>
struct Keys {{ unsigned keys[24576]; }};
using Scan = cub::BlockScan<unsigned, 128>;
__global__ void k(float *x) {{
  extern __shared__ unsigned memory[];
  {storage}
  x[0] = memory[0];
}}
void run(float *x, int n) {{
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Keys));
  {launch};
}}
""",
    )
    assert bool(said(result, Safety.LEFT)) == (most == 0)
    assert (f"{most} /* sizeof(Keys) */" in result.port) == (most > 0)


LIBRARY = """#pragma once
namespace lib {
template <int N> struct Int { static constexpr int value = N; };
using _128 = Int<128>;
using _64 = Int<64>;
template <class M, class N, class K> struct Shape { static constexpr int rows = M::value + N::value, k = K::value; };
constexpr int sm90_smem_capacity_bytes = 232448;
template <class Tile> struct Gemm {
  static constexpr int bytes = Tile::rows * Tile::k * 4, stages = sm90_smem_capacity_bytes / bytes;
  static_assert(stages >= 2, "two stages");
  struct Storage { char tiles[stages * bytes]; };
};
template <class G> __global__ void kernel(float *x) {
  extern __shared__ char memory[];
  *x = reinterpret_cast<typename G::Storage *>(memory)->tiles[0];
}
template <class G> void nobody(float *x) { kernel<G><<<1, 128, sizeof(typename G::Storage)>>>(x); }
template <class G> void launch(float *x) { kernel<G><<<1, 128, sizeof(typename G::Storage)>>>(x); }
}
"""


@pytest.mark.parametrize("most", [2 << 20, 1])  # bytes of a unit of which all files are looked at
@pytest.mark.sample(1)
def test_a_tile_of_types_follows_the_limit_of_a_library(
    most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("porter.budget.whole_unit._MOST_BYTES", most)
    source = '#include "lib.h"\nusing namespace lib;\nusing TileShape = Shape<_128, lib::_128, Int<32>>;\n'
    source += "void run(float *x) { launch<Gemm<TileShape>>(x); }\n"
    result = port(tmp_path, source, lib=LIBRARY)
    assert "using TileShape = Shape<_128, lib::_128, Int<16>>;" in result.port
    assert said(result, Safety.REVIEW) == ["TileShape's K is 16"]
    other = port(tmp_path, source.replace("Int<32>>", "Int<32 + 1>>"), lib=LIBRARY)
    assert "Shape<_128, lib::_128, Int<32 + 1>>" in other.port


def test_a_configuration_whose_block_cannot_fit_is_left(tmp_path: Path) -> None:
    """Nothing sets the tile: the launch asks for what the attribute allows, and is refused."""
    text = """#include <cuda_runtime.h>
struct Plan { float q[64][576], k[2][64][576]; };
__global__ void attend(float *x) { extern __shared__ char memory[]; *x = memory[0]; }
void run(float *x) {
  constexpr int bytes = sizeof(Plan);
  cudaFuncSetAttribute(&attend, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  cudaLaunchConfig_t config = {dim3(1), dim3(256, 1, 1), bytes, nullptr, nullptr, 0};
  cudaLaunchKernelEx(&config, attend, x);
}
"""
    (tmp_path / "a.cu").write_text(text)
    findings = port_source(Project(tmp_path), tmp_path / "a.cu", "a.hip", Options(oversize="refuse"), {}).findings
    left = [f for f in findings if f.rule == "shared-memory-budget" and f.safety is Safety.LEFT]
    assert left and all("442,368 bytes" in f.message for f in left)


def test_a_depth_of_elements_counts_no_stages(tmp_path: Path) -> None:
    """Fewer would leave the copies' rows and the swizzle as they are."""
    source = """
    constexpr int depth = 64, slots = 2;
    struct Tiles { char rows[slots][2 * 192 * depth], columns[slots][2 * 192 * depth]; };
    __global__ void k(float *x) {
      extern __shared__ char memory[];
      for (int i = 0; i < depth; i += 16) *x += reinterpret_cast<Tiles *>(memory)->rows[slots - 1][i * 128];
    }
    void run(float *x) { k<<<1, 128, sizeof(Tiles)>>>(x); }
    """
    assert "depth = 64, slots = 1" in port(tmp_path, source).port
