// Two bf16 products in one instruction of the CPU, where it has that.
//
// VDPBF16PS is two fused multiply-adds one after the other, the upper half first (Intel's manual has it so, and a test
// of 48 million values on a Zen 4 agrees), so with the even k above it is the chain over k. But it takes denormals for
// zeros. None can occur where no element of A or B but 0 is under 2^-40 and no C is denormal: then every product is a
// multiple of 2^-94, and so small a C is either left as it is or lost in a sum of at least 2^-81.
// 8-bit floats are bf16 exactly, and never that small.
#pragma once
#include "mfma.h"

#include <immintrin.h>

#if defined(__AVX512BF16__) && defined(__AVX512VBMI__)
#define PAIRED
enum { PAIRS_f32 = 0, PAIRS_xf32 = 0, PAIRS_f16 = 0, PAIRS_bf16 = 1, PAIRS_fp8 = 1, PAIRS_bf8 = 1 };
#define ADD_PAIR(acc, x, y) (F16V)_mm512_dpbf16_ps((__m512)(acc), (__m512bh)(y), (__m512bh)(x))

INLINE bool pairs_bf16(const u32 *source, int registers, WordRow *out) {
  const __m512i magnitude = _mm512_set1_epi16(0x7fff), one = _mm512_set1_epi16(1);
  const __m512i least = _mm512_set1_epi16((87 << 7) - 1);
  __mmask32 small = 0;
  for (int q = 0; q < registers; q++)
    for (int l = 0; l < LANE_COUNT; l += 16) {
      const __m512i x = _mm512_load_si512(source + LANE_COUNT * q + l);
      _mm512_store_si512(&out[q][l], _mm512_rol_epi32(x, 16));
      small |= _mm512_cmplt_epu16_mask(_mm512_sub_epi16(_mm512_and_si512(x, magnitude), one), least);
    }
  return !small;
}

// The halves of the bf16 of every magnitude of an 8-bit float.
typedef struct { u8 low[128], high[128]; } __attribute__((aligned(64))) Bytes;
static Bytes fp8_bytes, bf8_bytes;
__attribute__((constructor)) static void fill_tables(void) {
  for (u32 i = 0; i < 128; i++) {
    const u32 fp8 = of_f32(fp8_element(i, 0)) >> 16, bf8 = of_f32(bf8_element(i, 0)) >> 16;
    fp8_bytes.low[i] = (u8)fp8, fp8_bytes.high[i] = (u8)(fp8 >> 8);
    bf8_bytes.low[i] = (u8)bf8, bf8_bytes.high[i] = (u8)(bf8 >> 8);
  }
}

INLINE bool pairs_of_bytes(const Bytes *table, const u32 *source, int registers, WordRow *out) {
  const __m512i low0 = _mm512_load_si512(table->low), low1 = _mm512_load_si512(table->low + 64);
  const __m512i high0 = _mm512_load_si512(table->high), high1 = _mm512_load_si512(table->high + 64);
  // Bytes of a register of low and one of high halves that make up each pair: element 1 below element 0
  const __m512i step = _mm512_slli_epi32(_mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), 2);
  const __m512i steps = _mm512_mullo_epi32(step, _mm512_set1_epi32(0x01010101));
  const __m512i first = _mm512_add_epi32(steps, _mm512_set1_epi32(0x40004101));
  const __m512i second = _mm512_add_epi32(first, _mm512_set1_epi32(0x02020202));
  const __m512i sign = _mm512_set1_epi8((char)0x80);
  for (int q = 0; q < registers; q++)
    for (int l = 0; l < LANE_COUNT; l += 16) {
      const __m512i x = _mm512_load_si512(source + LANE_COUNT * q + l);
      const __mmask64 nan = _mm512_cmpeq_epi8_mask(x, sign);
      __m512i low = _mm512_permutex2var_epi8(low0, x, low1);
      __m512i high = _mm512_or_si512(_mm512_permutex2var_epi8(high0, x, high1), _mm512_and_si512(x, sign));
      low = _mm512_mask_blend_epi8(nan, low, _mm512_set1_epi8((char)0xc0));
      high = _mm512_mask_blend_epi8(nan, high, _mm512_set1_epi8(0x7f));
      _mm512_store_si512(&out[2 * q][l], _mm512_permutex2var_epi8(low, first, high));
      _mm512_store_si512(&out[2 * q + 1][l], _mm512_permutex2var_epi8(low, second, high));
    }
  return true;
}
INLINE bool pairs_fp8(const u32 *source, int registers, WordRow *out) {
  return pairs_of_bytes(&fp8_bytes, source, registers, out);
}
INLINE bool pairs_bf8(const u32 *source, int registers, WordRow *out) {
  return pairs_of_bytes(&bf8_bytes, source, registers, out);
}
#else
enum { PAIRS_f32 = 0, PAIRS_xf32 = 0, PAIRS_f16 = 0, PAIRS_bf16 = 0, PAIRS_fp8 = 0, PAIRS_bf8 = 0 };
#define ADD_PAIR(acc, x, y) (acc)
#define pairs_bf16(source, registers, out) false
#define pairs_fp8(source, registers, out) false
#define pairs_bf8(source, registers, out) false
#endif
#define pairs_f32(source, registers, out) false
#define pairs_xf32(source, registers, out) false
#define pairs_f16(source, registers, out) false
