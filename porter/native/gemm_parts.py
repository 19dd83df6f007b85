"""The parts of the kernel's source that depend on the elements of A and B, and on how these lie in memory."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["EITHER", "FORMATS", "K_MAJOR", "MN_MAJOR", "Format"]


@dataclass(frozen=True, slots=True)
class Format:
    """`scale`: what sums are multiplied by where the factors in LDS are not the source's."""

    text: str
    scale: str = ""
    headers: tuple[str, ...] = ()


def _format(about: str, element: int, operand: str, instruction: str, sums: str = "float", loaded: str = "quad",
            stored: str = "return loaded;", before: str = "") -> str:  # fmt: skip
    return f"""// {about}
constexpr int kElementBytes = {element};
using Loaded = {loaded};
typedef {operand};
typedef {sums} Sums __attribute__((ext_vector_type(4)));
{before}__device__ inline quad stored(Loaded loaded{", bool of_a" if "of_a" in stored else ", bool"}) {{
  {stored}
}}
__device__ inline Sums mma(Operand a, Operand b, Sums c) {{
  return __builtin_amdgcn_mfma_{instruction}(a, b, c, 0, 0, 0);
}}"""


_WORDS = "short Operand __attribute__((ext_vector_type(4)))"
_HALVES = "_Float16 Operand __attribute__((ext_vector_type(4)))"

_FNUZ = """// OCP's codes as codes of FNUZ, the chip's own, that mean half: only -0 and the NaNs have other codes there.
__device__ inline uint32_t fnuz_half(uint32_t codes) {
  const uint32_t magnitude = codes & 0x7f7f7f7fu;
  const uint32_t nan = (magnitude + 0x01010101u) & 0x80808080u;
  const uint32_t sign = codes & (magnitude + 0x7f7f7f7fu) & 0x80808080u;  // none where the magnitude is 0
  return (magnitude & ~(nan - (nan >> 7))) | sign | nan;
}
"""

_WIDEN = {
    "e4m3": """// Widened to halves, exactly.
__device__ inline pair widen_e4m3(uint32_t codes) {
  return pair{porter::cvt_rn_f16x2_e4m3x2(uint16_t(codes)), porter::cvt_rn_f16x2_e4m3x2(uint16_t(codes >> 16))};
}
""",
    "e5m2": """// A code is the upper byte of a half.
__device__ inline pair widen_e5m2(uint32_t codes) {
  return pair{__builtin_amdgcn_perm(codes, codes, 0x010c000cu), __builtin_amdgcn_perm(codes, codes, 0x030c020cu)};
}
""",
}


def _widened(a: str, b: str) -> Format:
    def quad(element: str) -> str:
        return f"__builtin_shufflevector(widen_{element}(loaded.x), widen_{element}(loaded.y), 0, 1, 2, 3)"

    stored = f"return {quad(a)};" if a == b else f"return of_a ? {quad(a)} : {quad(b)};"
    names = a if a == b else f"{a} and {b}"
    text = _format(f"{names}: the chip's own e5m2 has no infinities, so LDS holds halves: 64 of k in a row.", 1, _HALVES,
                   "f32_16x16x16f16", loaded="pair", stored=stored,
                   before="".join(_WIDEN[element] for element in sorted({a, b})))  # fmt: skip
    return Format(text, headers=("porter/ptx_float.h",))


FORMATS = {
    ("bf16", "bf16"): Format(_format("bf16: 64 of k in a row of LDS.", 2, _WORDS, "f32_16x16x16bf16_1k")),
    ("f16", "f16"): Format(_format("f16: 64 of k in a row of LDS.", 2, _HALVES, "f32_16x16x16f16")),
    ("tf32", "tf32"): Format(
        _format("tf32: 32 of k in a row of LDS.", 4, "float Operand __attribute__((ext_vector_type(2)))",
                "f32_16x16x8_xf32", stored="return loaded & 0xffffe000u;  // Hopper does not look at the other bits")
    ),
    ("s8", "s8"): Format(_format("Bytes: 128 of k in a row of LDS.", 1, "long Operand", "i32_16x16x32_i8", sums="int")),
    ("e4m3", "e4m3"): Format(
        _format("e4m3: 128 of k in a row of LDS.", 1, "long Operand", "f32_16x16x32_fp8_fp8", before=_FNUZ,
                stored="return quad{fnuz_half(loaded.x), fnuz_half(loaded.y), fnuz_half(loaded.z), fnuz_half(loaded.w)};"),
        scale="4",
    ),
    ("e4m3", "e5m2"): _widened("e4m3", "e5m2"),
    ("e5m2", "e4m3"): _widened("e5m2", "e4m3"),
    ("e5m2", "e5m2"): _widened("e5m2", "e5m2"),
}  # fmt: skip

K_MAJOR = """// Tiles of an operand whose k are neighbours in memory: eight lanes read a row, a group of waves 32 rows at once.
template <int kTile>
struct KMajor {
  static constexpr int kRows = kGroup / kChunks, kLoads = kTile / kRows;
  int chunk;
  bool of_a;
  quad* to;
  uint64_t from[kLoads];
  Loaded next[kLoads];

  // Rows behind the last one repeat it: they end in parts of C that nobody stores.
  __device__ KMajor(porter::matrix_view matrix, int first, quad* tile, bool a) : of_a(a) {
    const int thread = __builtin_amdgcn_workitem_id_x() % kGroup, row = thread / kChunks;
    chunk = thread % kChunks;
    to = tile + slot(a ? row : in_runs(row), chunk);
#pragma unroll
    for (int i = 0; i < kLoads; ++i)
      from[i] = matrix.base + min(uint32_t(first + i * kRows + row), matrix.rows - 1) * matrix.pitch + chunk * kLoadBytes;
  }
  __device__ void fetch(int step) {
#pragma unroll
    for (int i = 0; i < kLoads; ++i) next[i] = load<Loaded>(from[i] + int64_t(step) * kStepBytes);
  }
  // Chunks behind the end of k are 0; instead of them the row's first one is read.
  __device__ void fetch_last(int step, int k) {
    const int left = (k - step * kStep) * kElementBytes - chunk * kLoadBytes;
    const int64_t at = left > 0 ? int64_t(step) * kStepBytes : -chunk * kLoadBytes;
#pragma unroll
    for (int i = 0; i < kLoads; ++i) next[i] = porter::first_bytes(load<Loaded>(from[i] + at), left);
  }
  __device__ void put() {
#pragma unroll
    for (int i = 0; i < kLoads; ++i) to[i * kRows * kChunks] = stored(next[i], of_a);
  }
};"""

MN_MAJOR = """// Tiles of an operand whose k are a pitch apart in memory: a lane reads 8 x 8 elements, eight lanes 64 of k, and
// transposes them in registers. Of the small tile, half of a group's waves have nothing to read.
template <int kTile>
struct MnMajor {
  static constexpr int kBlock = 8;
  int chunk, block;
  bool of_a;
  quad* to;
  uint64_t from, pitch;
  Loaded next[kBlock];

  __device__ MnMajor(porter::matrix_view matrix, int first, quad* tile, bool a) : of_a(a), to(tile), pitch(matrix.pitch) {
    const int thread = __builtin_amdgcn_workitem_id_x() % kGroup;
    chunk = thread % kChunks, block = thread / kChunks;
    const uint32_t column = min(uint32_t(first + block * kBlock), (matrix.columns - 1) / kBlock * kBlock);
    from = matrix.base + chunk * kBlock * pitch + column * kElementBytes;
  }
  __device__ bool busy() const { return block < kTile / kBlock; }
  __device__ void fetch(int step) {
    if (!busy()) return;
#pragma unroll
    for (int i = 0; i < kBlock; ++i) next[i] = load<Loaded>(from + (int64_t(step) * kStep + i) * pitch);
  }
  // Rows behind the end of k are 0; instead of them the first one is read.
  __device__ void fetch_last(int step, int k) {
    if (!busy()) return;
#pragma unroll
    for (int i = 0; i < kBlock; ++i) {
      const bool there = step * kStep + chunk * kBlock + i < k;
      const Loaded loaded = load<Loaded>(from + (there ? int64_t(step) * kStep + i : -chunk * kBlock) * pitch);
      next[i] = there ? loaded : Loaded(0);
    }
  }
  __device__ void put() {
    if (!busy()) return;
#pragma unroll
    for (int j = 0; j < kBlock; ++j) {
      const uint32_t low_or_high = j % 2 ? 0x07060302u : 0x05040100u;
      quad column;
#pragma unroll
      for (int w = 0; w < 4; ++w) column[w] = __builtin_amdgcn_perm(next[2 * w + 1][j / 2], next[2 * w][j / 2], low_or_high);
      const int row = block * kBlock + j;
      to[slot(of_a ? row : in_runs(row), chunk)] = column;
    }
  }
};"""

EITHER = """// A and B lie differently: a group has one of the two loaders.
template <int kTile>
struct Either {
  bool first;
  @A@<kTile> a;
  @B@<kTile> b;
  __device__ void fetch(int step) { first ? a.fetch(step) : b.fetch(step); }
  __device__ void fetch_last(int step, int k) { first ? a.fetch_last(step, k) : b.fetch_last(step, k); }
  __device__ void put() { first ? a.put() : b.put(); }
};"""
