"""The parts of the kernel's source that depend on the elements of A and B, and on how these lie in memory."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["FORMATS", "Format", "loader"]


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
__device__ inline uint32_t unsigned_zeros(uint32_t codes, uint32_t& nans) {
  const uint32_t magnitude = codes & 0x7f7f7f7fu;
  nans |= magnitude + 0x01010101u;  // bit 7 of its byte
  return (codes & (magnitude + 0x7f7f7f7fu)) | magnitude;
}
__device__ inline uint32_t fnuz_nans(uint32_t codes) {
  const uint32_t nan = (codes & 0x7f7f7f7fu) + 0x01010101u & 0x80808080u;
  return (codes & ~(nan - (nan >> 7))) | nan;
}
"""
_STORED_FNUZ = """uint32_t nans = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) loaded[i] = unsigned_zeros(loaded[i], nans);
  if (__builtin_amdgcn_ballot_w64(nans & 0x80808080u) != 0) {  // rarely
#pragma unroll
    for (int i = 0; i < 4; ++i) loaded[i] = fnuz_nans(loaded[i]);
  }
  return loaded;"""

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
                stored=_STORED_FNUZ),
        scale="4",
    ),
    ("e4m3", "e5m2"): _widened("e4m3", "e5m2"),
    ("e5m2", "e4m3"): _widened("e5m2", "e4m3"),
    ("e5m2", "e5m2"): _widened("e5m2", "e5m2"),
}  # fmt: skip

_LOADER = """// Loads the tiles of one operand. @ABOUT@
// What is outside of the matrix in m or n repeats what is inside: it ends in parts of C that nobody stores.
template <int kTile>
struct Loader {
  static constexpr int kLoads = @LOADS@;  // a lane's for one step
@CONSTANTS@  bool of_a;
  int chunk, @PART@;
  quad* tile;
  uint64_t base;
  uint32_t from[kLoads];
  int64_t stride;  // from step to step

  __device__ Loader(porter::matrix_view matrix, int first, quad* shared_tile, bool is_a)
      : of_a(is_a), tile(shared_tile), base(matrix.base) {
    const int thread = __builtin_amdgcn_workitem_id_x() % kGroup;
    chunk = thread % kChunks, @PART@ = thread / kChunks;
@SETUP@  }
  __device__ void fetch(Loaded (&next)[kLoads], int step) const {
@IDLE@#pragma unroll
    for (int i = 0; i < kLoads; ++i) next[i] = load<Loaded>(base + step * stride, from[i]);
  }
  // What is behind the end of k becomes 0; in its place the matrix's first elements are read.
  __device__ void fetch_last(Loaded (&next)[kLoads], int step, int k) const {
@IDLE@@LAST@  }
  __device__ void put(const Loaded (&next)[kLoads]) const {
@IDLE@@PUT@  }
};"""

_ABOUT = {
    "k": "Its k are neighbours in memory: eight lanes read a row's part.",
    "mn": "Its k are a pitch apart: a lane reads 8 x 8 elements, eight\n// lanes 64 of k, and transposes them in registers.",
}
_SETUP = {
    "k": """    stride = kStepBytes;
    base += first * matrix.pitch;
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const uint32_t at = min(uint32_t(i * kRows + part), matrix.rows - 1 - first);
      from[i] = at * uint32_t(matrix.pitch) + chunk * kLoadBytes;
    }
""",
    "mn": """    stride = kStep * matrix.pitch;
    const uint32_t column = min(uint32_t(first + part * kLoads), (matrix.columns - 1) / kLoads * kLoads);
#pragma unroll
    for (int i = 0; i < kLoads; ++i) from[i] = (chunk * kLoads + i) * uint32_t(matrix.pitch) + column * kElementBytes;
""",
}
_LAST = {
    "k": """    const int left = (k - step * kStep) * kElementBytes - chunk * kLoadBytes;
#pragma unroll
    for (int i = 0; i < kLoads; ++i)
      next[i] = porter::first_bytes(load<Loaded>(base, left > 0 ? from[i] + uint32_t(step * stride) : 0), left);
""",
    "mn": """#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const bool there = step * kStep + chunk * kLoads + i < k;
      const Loaded loaded = load<Loaded>(base, there ? from[i] + uint32_t(step * stride) : 0);
      next[i] = there ? loaded : Loaded(0);
    }
""",
}
_PUT = {
    "k": """    quad* const to = tile + slot(of_a ? part : in_runs(part), chunk);
#pragma unroll
    for (int i = 0; i < kLoads; ++i) to[i * kRows * kChunks] = stored(next[i], of_a);
""",
    "mn": """#pragma unroll
    for (int j = 0; j < kLoads; ++j) {
      const uint32_t low_or_high = j % 2 ? 0x07060302u : 0x05040100u;
      quad column;
#pragma unroll
      for (int w = 0; w < 4; ++w) column[w] = __builtin_amdgcn_perm(next[2 * w + 1][j / 2], next[2 * w][j / 2], low_or_high);
      tile[slot(of_a ? part * kLoads + j : in_runs(part * kLoads + j), chunk)] = column;
    }
""",
}
_ROWS = "  static constexpr int kRows = kTile / kLoads;  // at once\n"
_IDLE = "    if (part >= kTile / kLoads) return;  // half of the waves, where the tile is the small one\n"


def loader(a_k_major: bool, b_k_major: bool) -> str:
    """The source of the structure that loads both operands."""
    kinds = ["k" if a_k_major else "mn", "k" if b_k_major else "mn"]
    whole = a_k_major and b_k_major

    def both(pieces: dict[str, str]) -> str:
        first, second = (pieces[kind] for kind in kinds)
        if first == second:
            return first
        inner = [re.sub(r"^(?=[^#\n])", "  ", piece, flags=re.M) for piece in (first, second)]
        return f"    if (of_a) {{\n{inner[0]}    }} else {{\n{inner[1]}    }}\n"

    about = _ABOUT[kinds[0]]
    if kinds[0] != kinds[1]:
        about = f"Of A: {_ABOUT[kinds[0]]}\n// Of B: {_ABOUT[kinds[1]]}"
    text = _LOADER
    for name, part in {
        "ABOUT": about,
        "LOADS": "kTile * kChunks / kGroup" if whole else "8",
        "CONSTANTS": _ROWS if "k" in kinds else "",
        "PART": "part",
        "SETUP": both(_SETUP),
        "IDLE": "" if whole else _IDLE,
        "LAST": both(_LAST),
        "PUT": both(_PUT),
    }.items():
        text = text.replace(f"@{name}@", part)
    return text
