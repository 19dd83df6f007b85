"""The parts of the kernel's source that depend on the elements of A and B, and on how these lie in memory."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["BEFORES", "FORMATS", "RESULTS", "Format", "formats", "loader"]


@dataclass(frozen=True, slots=True)
class Format:
    """What elements mean to the matrix instruction.

    `convert`: a function that makes a lane's loads what LDS holds; `stored`: the same for one load, as an expression;
    `scale`: what sums are multiplied by where the factors in LDS are not the source's.
    """

    text: str
    convert: str = ""
    stored: str = "next[i]"
    scale: str = ""
    load_bits: int = 128
    headers: tuple[str, ...] = ()


def _text(about: str, element: int, operand: str, instruction: str, sum_: str = "float", loaded: str = "quad",
          functions: str = "") -> str:  # fmt: skip
    return f"""// {about}
constexpr int kElementBytes = {element};{_PAIR if loaded == "pair" else ""}
using Loaded = {loaded};  // a lane's part of a row
typedef {operand};
typedef {sum_} Sums __attribute__((ext_vector_type(4)));
__device__ inline Sums mma(Operand a, Operand b, Sums c) {{
  return __builtin_amdgcn_mfma_{instruction}(a, b, c, 0, 0, 0);
}}{functions}"""


_WORDS = "short Operand __attribute__((ext_vector_type(4)))"
_HALVES = "_Float16 Operand __attribute__((ext_vector_type(4)))"
_FLOATS = "float Operand __attribute__((ext_vector_type(2)))"

_CUT = """
// Hopper does not look at the lower bits.
template <int N>
__device__ inline void cut(quad (&loaded)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i) loaded[i] &= 0xffffe000u;
}"""

_FNUZ = """
// OCP's codes as codes of FNUZ, the chip's own, that mean half, so that sums are a quarter: only -0 and the NaNs have
// other codes there. In assembly, since the compiler spills sums when it orders these instructions.
__device__ inline uint32_t fnuz(uint32_t codes) {
  uint32_t magnitudes, nans, signs;
  asm("v_and_b32 %1, 0x7f7f7f7f, %0\\n\\t"
      "v_add_u32 %2, 0x01010101, %1\\n\\t"  // the upper bit of a byte: NaN
      "v_add_u32 %3, 0x7f7f7f7f, %1\\n\\t"  // the upper bit: not 0
      "v_and_b32 %2, 0x80808080, %2\\n\\t"
      "v_xor_b32 %3, %3, %2\\n\\t"
      "v_and_or_b32 %0, %0, %3, %1\\n\\t"  // no signs of zeros and NaNs
      "v_lshrrev_b32 %2, 7, %2\\n\\t"
      "v_add_u32 %0, %0, %2"  // 0x7f becomes 0x80
      : "+v"(codes), "=&v"(magnitudes), "=&v"(nans), "=&v"(signs));
  return codes;
}
template <int N>
__device__ inline void make_fnuz(quad (&loaded)[N]) {
#pragma unroll
  for (int i = 0; i < 4 * N; ++i) loaded[i / 4][i % 4] = fnuz(loaded[i / 4][i % 4]);
}"""

_PAIR = "\ntypedef uint32_t pair __attribute__((ext_vector_type(2)));"
_WIDEN = {
    "e4m3": """
__device__ inline quad widen_e4m3(pair codes) {
  using porter::cvt_rn_f16x2_e4m3x2;
  return quad{cvt_rn_f16x2_e4m3x2(uint16_t(codes.x)), cvt_rn_f16x2_e4m3x2(uint16_t(codes.x >> 16)),
              cvt_rn_f16x2_e4m3x2(uint16_t(codes.y)), cvt_rn_f16x2_e4m3x2(uint16_t(codes.y >> 16))};
}""",
    "e5m2": """
// A code is the upper byte of a half.
__device__ inline quad widen_e5m2(pair codes) {
  const auto first = [](uint32_t word) { return __builtin_amdgcn_perm(word, word, 0x010c000cu); };
  const auto second = [](uint32_t word) { return __builtin_amdgcn_perm(word, word, 0x030c020cu); };
  return quad{first(codes.x), second(codes.x), first(codes.y), second(codes.y)};
}""",
}


def _widened(a: str, b: str) -> Format:
    names = a if a == b else f"{a} and {b}"
    return Format(
        _text(f"{names}: FNUZ, the chip's own fp8, has no infinities, so LDS holds halves: 64 of k in a row.", 1, _HALVES,
              "f32_16x16x16f16", loaded="pair", functions="".join(_WIDEN[element] for element in sorted({a, b}))),
        stored=f"widen_{a}(next[i])" if a == b else f"of_a ? widen_{a}(next[i]) : widen_{b}(next[i])",
        load_bits=64,
        headers=("porter/ptx_float.h",),
    )  # fmt: skip


FORMATS = {
    ("bf16", "bf16"): Format(_text("bf16: 64 of k in a row of LDS.", 2, _WORDS, "f32_16x16x16bf16_1k")),
    ("f16", "f16"): Format(_text("f16: 64 of k in a row of LDS.", 2, _HALVES, "f32_16x16x16f16")),
    ("tf32", "tf32"): Format(
        _text("tf32: 32 of k in a row of LDS.", 4, _FLOATS, "f32_16x16x8_xf32", functions=_CUT), convert="cut"
    ),
    ("s8", "s8"): Format(_text("Bytes: 128 of k in a row of LDS.", 1, "long Operand", "i32_16x16x32_i8", sum_="int")),
    ("e4m3", "e4m3"): Format(
        _text("e4m3: 128 of k in a row of LDS.", 1, "long Operand", "f32_16x16x32_fp8_fp8", functions=_FNUZ),
        convert="make_fnuz",
        scale="4",
    ),
    ("e4m3", "e5m2"): _widened("e4m3", "e5m2"),
    ("e5m2", "e4m3"): _widened("e5m2", "e4m3"),
    ("e5m2", "e5m2"): _widened("e5m2", "e5m2"),
}

RESULTS = {
    "bf16": """using Result = uint16_t;
// A float's upper half, rounded to nearest even; what is NaN stays NaN.
__device__ inline Result result(float value) {
  const uint32_t bits = __builtin_bit_cast(uint32_t, value);
  return (value != value ? bits | 0x400000u : bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
}""",
    "f16": """using Result = uint16_t;
__device__ inline Result result(float value) { return __builtin_bit_cast(Result, _Float16(value)); }""",
    "f32": """using Result = uint32_t;
__device__ inline Result result(float value) { return __builtin_bit_cast(Result, value); }""",
    "s32": """using Result = uint32_t;
__device__ inline Result result(int value) { return value; }""",
}

# What an element of C was.
BEFORES = {
    "bf16": "\n__device__ inline float before(Result bits) { return __builtin_bit_cast(float, uint32_t(bits) << 16); }",
    "f16": "\n__device__ inline float before(Result bits) { return __builtin_bit_cast(_Float16, bits); }",
    "f32": "\n__device__ inline float before(Result bits) { return __builtin_bit_cast(float, bits); }",
    "s32": "\n__device__ inline int before(Result bits) { return bits; }",
}

_SEVERAL = """// The template's elements: 64 of k in a row of LDS.
constexpr int kElementBytes = 2;
using Loaded = quad;  // a lane's part of a row
typedef uint32_t Operand __attribute__((ext_vector_type(2)));
typedef float Sums __attribute__((ext_vector_type(4)));
using Result = uint@BITS@_t;"""
_ONE = """
struct @NAME@ {
  typedef @FOUR@ __attribute__((ext_vector_type(4)));
  __device__ static Sums mma(Operand a, Operand b, Sums c) {
    return __builtin_amdgcn_mfma_@INSTRUCTION@(__builtin_bit_cast(Four, a), __builtin_bit_cast(Four, b), c, 0, 0, 0);
  }
@RESULT@};"""
_FOURS = {"bf16": ("short Four", "f32_16x16x16bf16_1k"), "f16": ("_Float16 Four", "f32_16x16x16f16")}


def formats(elements: Sequence[tuple[str, str]], result: str, before: bool) -> str:
    """Of a template whose instantiations differ in their 16-bit elements. result: C's, "" where it has those, too."""
    text = _SEVERAL.replace("@BITS@", "32" if result else "16")
    for name in dict.fromkeys(element for _, element in elements):
        stored = result or name
        functions = RESULTS[stored].split("\n", 1)[1] + (BEFORES[stored] if before else "") + "\n"
        functions = re.sub(r"^(?=.)", "  ", functions, flags=re.M).replace("__device__ inline", "__device__ static")
        four, instruction = _FOURS[name]
        parts = {"NAME": name, "FOUR": four, "INSTRUCTION": instruction, "RESULT": functions}
        one = _ONE
        for part, value in parts.items():
            one = one.replace(f"@{part}@", value)
        text += one
    return text


_LOADER = """// Loads the tiles of one operand. @ABOUT@
// What would be outside of the matrix comes as 0: buffer loads check their range, so that there is nothing to branch on
// and one register has the places of all loads. Places are 32 bits: rows may be kLongestRow bytes apart.
template <@PARTS@int kTile>
struct Loader {
  static constexpr int kLoads = @LOADS@;  // a lane's for one step
@CONSTANTS@  int chunk, part, rows;
  uint32_t place, row_bytes, pitch;
  uint64_t base;
  quad* tile;

  __device__ Loader(porter::matrix_view matrix, int first, quad* shared_tile, bool is_a)
      : of_a(is_a), @TRANSPOSES@pitch(matrix.pitch), tile(shared_tile) {
    row_bytes = @ROW_BYTES@;
    const int thread = __builtin_amdgcn_workitem_id_x() % kGroup;
    chunk = thread % kChunks, part = thread / kChunks;
@SETUP@  }
  // From a row on, and from a byte of it on.
  __device__ Loaded load(int row, int64_t byte, uint32_t at) const {
    const uint32_t bytes = row < rows ? (min(rows - row, kReach) - 1) * pitch + row_bytes@LESS@ : 0;
    void* const from = reinterpret_cast<void*>(base + uint64_t(row) * pitch + byte);
    const auto part_of_matrix = __builtin_amdgcn_make_buffer_rsrc(from, 0, bytes, kBufferFlags);
@BY_ELEMENT@    return @BUFFER_LOAD@(part_of_matrix, at, 0, 0);
  }
  __device__ void fetch(Loaded (&next)[kLoads], int step) const {
@IDLE@#pragma unroll
    for (int i = 0; i < kLoads; ++i)
      next[i] = load(@WHERE@, place);
  }
  // The step that k ends in.
  __device__ void fetch_last(Loaded (&next)[kLoads], int step, int k) const {
@IDLE@@LAST@  }
  __device__ void put(const Loaded (&next)[kLoads]) const {
@IDLE@@PUT@  }
};"""

_ABOUT = {
    "k": "{} k are neighbours in memory: eight lanes read a row's part.",
    "mn": "{} k are a pitch apart: a lane reads 8 x 8 elements, eight lanes 64 of k, and\n// transposes them in registers.",
}
_CONSTANTS = {
    "k": """  static constexpr int kRows = kTile / kLoads;  // of one load
  bool of_a;
""",
    "mn": "  bool of_a;\n",
    "either": """  static constexpr int kRows = kTile / kLoads;  // of one load, where k are neighbours
  bool of_a, transposes;
""",
}
_WHERE = {
    "k": "i * kRows, int64_t(step) * kStepBytes",
    "mn": "step * kStep + i, 0",
    "either": "transposes ? step * kStep + i : i * kRows, transposes ? 0 : int64_t(step) * kStepBytes",
}
_SETUP = {
    "k": """    rows = matrix.rows - first, base = matrix.base + first * matrix.pitch;
    place = part * pitch + chunk * kLoadBytes;
""",
    "mn": """    rows = matrix.rows, base = matrix.base;
    place = chunk * kLoads * pitch + (first + part * kLoads) * kElementBytes;
""",
}
_LAST = {
    "k": """    const int left = (k - step * kStep) * kElementBytes - chunk * kLoadBytes;
#pragma unroll
    for (int i = 0; i < kLoads; ++i)
      next[i] = porter::first_bytes(load(@K_WHERE@, left > 0 ? place : kNowhere), left);
""",
    "mn": """    fetch(next, step);
""",
}
_PUT = {
    "k": """    quad* const to = tile + slot(of_a ? part : in_runs(part), chunk);
#pragma unroll
    for (int i = 0; i < kLoads; ++i) to[i * kRows * kChunks] = @STORED@;
""",
    "mn": """#pragma unroll
    for (int j = 0; j < kLoads; ++j) {
      const uint32_t low_or_high = j % 2 ? 0x07060302u : 0x05040100u;
      quad column;
#pragma unroll
      for (int w = 0; w < 4; ++w)
        column[w] = __builtin_amdgcn_perm(next[2 * w + 1][j / 2], next[2 * w][j / 2], low_or_high);
      tile[slot(of_a ? part * kLoads + j : in_runs(part * kLoads + j), chunk)] = column;
    }
""",
    # Without a branch: the compiler spills sums where there is one in the loop.
    "either": """#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const uint32_t low_or_high = i % 2 ? 0x07060302u : 0x05040100u;
      quad column;
#pragma unroll
      for (int w = 0; w < 4; ++w)
        column[w] = __builtin_amdgcn_perm(next[2 * w + 1][i / 2], next[2 * w][i / 2], low_or_high);
      const int row = transposes ? part * kLoads + i : i * kRows + part;
      tile[slot(of_a ? row : in_runs(row), chunk)] = transposes ? column : next[i];
    }
""",
}
_IDLE = "    if (part >= kTile / kLoads) return;  // half of the waves, where the tile is the small one\n"


_BY_ELEMENT = """\
    if constexpr (!kWhole) {  // rows begin and end anywhere
      constexpr int kCount = kLoadBytes / kElementBytes;
      struct alignas(Loaded) {
        @WORD@ at[kCount];
      } elements;
#pragma unroll
      for (int i = 0; i < kCount; ++i) {
        const uint32_t place_of = at == kNowhere ? at : at + i * kElementBytes;
        elements.at[i] = __builtin_amdgcn_raw_buffer_load_b@BITS@(part_of_matrix, place_of, 0, 0);
      }
      return __builtin_bit_cast(Loaded, elements);
    }
"""


def loader(a_k_major: bool, b_k_major: bool, form: Format, element_bytes: int, in_chunks: bool = True) -> str:
    """The source of the structure that loads both operands. in_chunks: rows of the source begin at multiples of 16 bytes."""
    first, second = "k" if a_k_major else "mn", "k" if b_k_major else "mn"

    def both(pieces: dict[str, str]) -> str:
        if first == second:
            return pieces[first]
        inner = [re.sub(r"^(?=[^#\n])", "  ", pieces[kind], flags=re.M) for kind in (first, second)]
        return f"    if (of_a) {{\n{inner[0]}    }} else {{\n{inner[1]}    }}\n"

    about, whole = _ABOUT[first].format("Its"), a_k_major and b_k_major
    kind = first if first == second else "either"
    if first != second:
        about = _ABOUT[first].format("A's") + "\n// " + _ABOUT[second].format("B's")
    text = _LOADER
    for name, part in {
        "ABOUT": about,
        "PARTS": "" if in_chunks else "bool kWhole, ",
        "ROW_BYTES": "(matrix.columns * kElementBytes + 15) & ~15u" if in_chunks else "matrix.columns * kElementBytes",
        "LESS": "" if in_chunks else " - uint32_t(byte)",
        "BY_ELEMENT": "" if in_chunks else _BY_ELEMENT,
        "WORD": f"uint{8 * element_bytes}_t",
        "BITS": str(8 * element_bytes),
        "LOADS": "kTile * kChunks / kGroup" if whole else "8",
        "CONSTANTS": _CONSTANTS[kind],
        "WHERE": _WHERE[kind],
        "TRANSPOSES": "" if first == second else f"transposes({'!' if a_k_major else ''}is_a), ",
        "SETUP": both(_SETUP),
        "IDLE": "" if whole else _IDLE,
        "LAST": both(_LAST),
        "K_WHERE": _WHERE["k"],
        "PUT": _PUT[kind],
        "STORED": form.stored,
        "BUFFER_LOAD": f"__builtin_amdgcn_raw_buffer_load_b{form.load_bits}",
    }.items():
        text = text.replace(f"@{name}@", part)
    return text
