// Elements of matrix instructions: whole registers of packed elements become rows of 64 floats or integers, one row
// for each element of a lane. Narrow floats become f32 exactly.
#pragma once
#include "ops.h"

// How many elements of the type are in a register.
enum { PER_f32 = 1, PER_xf32 = 1, PER_f16 = 2, PER_bf16 = 2, PER_fp8 = 4, PER_bf8 = 4, PER_i8 = 4 };

typedef f32 FloatRow[LANE_COUNT] __attribute__((aligned(64)));
typedef u32 WordRow[LANE_COUNT] __attribute__((aligned(64)));

#define INLINE static inline __attribute__((always_inline))

INLINE f32 f32_element(u32 word, int at) { return as_f32(word); }

// MI300's xf32 has 10 bits of fraction: the other 13 are cut off, not rounded (MMA-Sim, see mfma.c). A NaN stays one.
INLINE f32 xf32_element(u32 word, int at) {
  const u32 cut = word & 0xffffe000u;
  return as_f32((word & 0x7fffffffu) > 0x7f800000u ? cut | 0x400000u : cut);
}

INLINE f32 f16_element(u32 word, int at) { return (f32)as_f16(word >> 16 * at); }

INLINE f32 bf16_element(u32 word, int at) { return as_f32(at ? word & 0xffff0000u : word << 16); }

// The chip's 8-bit floats are the FNUZ kinds: one zero, no infinity, 0x80 is NaN. fp8 has four bits of exponent and
// three of fraction, bf8 five and two.
_Static_assert(CHIP_FP8_FNUZ, "fp8 of another kind");
INLINE f32 fnuz(u32 word, int at, int fraction, int bias) {
  const u32 byte = word >> 8 * at & 0xff, magnitude = byte & 0x7f;
  const f32 normal = as_f32((magnitude << (23 - fraction)) + ((127u - bias) << 23));
  const f32 small = (f32)(i32)magnitude * as_f32((127u + 1 - bias - fraction) << 23);
  const f32 value = magnitude >> fraction ? normal : small;
  return as_f32(byte == 0x80 ? 0x7fc00000u : of_f32(value) | (byte & 0x80) << 24);
}
INLINE f32 fp8_element(u32 word, int at) { return fnuz(word, at, 3, CHIP_FP8_BIAS); }
INLINE f32 bf8_element(u32 word, int at) { return fnuz(word, at, 2, CHIP_BF8_BIAS); }

#define UNPACK(TYPE)                                                                \
  INLINE void unpack_##TYPE(const u32 *source, int registers, FloatRow *out) {      \
    for (int q = 0; q < registers; q++, source += LANE_COUNT)                       \
      for (int e = 0; e < PER_##TYPE; e++) {                                        \
        f32 *row = out[q * PER_##TYPE + e];                                         \
        LANES row[l] = TYPE##_element(source[l], e);                                \
      }                                                                             \
  }
UNPACK(f32)
UNPACK(xf32)
UNPACK(f16)
UNPACK(bf16)
UNPACK(fp8)
UNPACK(bf8)
