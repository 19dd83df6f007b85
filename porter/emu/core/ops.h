// What the generated handlers of lane-wise and scalar operations are made of, and the arithmetic that C lacks.
// Everything here is free of branches, so that the loops over lanes become vector code.
#pragma once
#include <xmmintrin.h>

#include "emu.h"

// A loop calls these for each lane: they must become part of it.
#define EACH static inline __attribute__((always_inline))

#define GET64(p, l) ((p)[l] | (u64)(p)[64 + (l)] << 32)
#define PUT64(p, l, x) ((p)[l] = (u32)(x), (p)[64 + (l)] = (u32)((u64)(x) >> 32))

EACH f32 as_f32(u32 x) { return __builtin_bit_cast(f32, x); }
EACH u32 of_f32(f32 x) { return __builtin_bit_cast(u32, x); }
EACH f64 as_f64(u64 x) { return __builtin_bit_cast(f64, x); }
EACH u64 of_f64(f64 x) { return __builtin_bit_cast(u64, x); }
EACH f16 as_f16(u32 x) { return __builtin_bit_cast(f16, (u16)x); }
EACH u32 of_f16(f16 x) { return __builtin_bit_cast(u16, x); }
EACH u32 pack16(u32 low, u32 high) { return (low & 0xffff) | high << 16; }
EACH f16 low16(u32 x) { return as_f16(x); }
EACH f16 high16(u32 x) { return as_f16(x >> 16); }

// ---- MODE ---------------------------------------------------------------------------------------------------------
#define IEEE (w->mode >> 9 & 1)
#define DX10_CLAMP (w->mode >> 8 & 1)
#define FP16_OVERFLOW (w->mode >> 23 & 1)
// Bits 0-1 and 4-5 are rounding and denormals of f32, bits 2-3 and 6-7 of f64 and f16.
#define MIXED_MODE(w) ((((w)->mode ^ (w)->mode >> 2) & 0x33) != 0)
#define KEEPS_DENORM32 (w->mode >> 5 & 1)
#define KEEPS_DENORM64 (w->mode >> 7 & 1)
u32 mxcsr_of_mode(u32 mode);
// The processor never flushes f16: where MODE wants zeros in place of denormals, these make them.
#define HALF_DENORMALS 0xc0
const u32 *half_inputs(const Wave *w, const u32 *row, u32 *out);  // both halves of each word
void half_results(const Wave *w, u32 *row, u64 lanes, bool upper);

// A byte of 0 or 1 for each lane as a mask of lanes
EACH u64 bits_of(const u8 *lanes) {
  typedef u8 Bytes __attribute__((ext_vector_type(64), aligned(1)));
  typedef bool Bools __attribute__((ext_vector_type(64)));
  return __builtin_bit_cast(u64, __builtin_convertvector(*(const Bytes *)lanes, Bools));
}

// ---- integers -----------------------------------------------------------------------------------------------------
EACH i32 sext24(u32 x) { return (i32)(x << 8) >> 8; }
EACH u32 min_u32(u32 a, u32 b) { return a < b ? a : b; }
EACH u32 max_u32(u32 a, u32 b) { return a > b ? a : b; }
EACH i32 min_i32(i32 a, i32 b) { return a < b ? a : b; }
EACH i32 max_i32(i32 a, i32 b) { return a > b ? a : b; }
EACH u32 med_u32(u32 a, u32 b, u32 c) { return max_u32(min_u32(a, b), min_u32(max_u32(a, b), c)); }
EACH i32 med_i32(i32 a, i32 b, i32 c) { return max_i32(min_i32(a, b), min_i32(max_i32(a, b), c)); }
EACH i64 min_i64(i64 a, i64 b) { return a < b ? a : b; }
EACH i64 max_i64(i64 a, i64 b) { return a > b ? a : b; }
EACH i64 limit(i64 x, i64 low, i64 high) { return max_i64(min_i64(x, high), low); }
EACH i32 to_i32(i64 x) { return (i32)limit(x, INT32_MIN, INT32_MAX); }
EACH u32 to_u32(i64 x) { return (u32)limit(x, 0, UINT32_MAX); }
EACH i32 to_i16(i32 x) { return max_i32(min_i32(x, 32767), -32768); }
EACH u32 cap_u16(u32 x) { return min_u32(x, 0xffff); }
EACH u32 to_u16(i32 x) { return (u32)max_i32(min_i32(x, 65535), 0); }
EACH u32 bfe_u32(u32 a, u32 at, u32 n) { return a >> (at & 31) & ((1u << (n & 31)) - 1); }
EACH i32 bfe_i32(u32 a, u32 at, u32 n) {
  const u32 x = (u32)((i32)a >> (at & 31)) & ((1u << (n & 31)) - 1), sign = (1u << (n & 31)) >> 1;
  return (i32)((x ^ sign) - sign);
}
EACH u64 field64(u64 x, u32 n, bool extend) {  // the low n bits, n to 127
  const u64 low = n >= 64 ? x : x & ((1ull << (n & 63)) - 1), sign = n && n < 64 ? 1ull << (n - 1) : 0;
  return extend ? (low ^ sign) - sign : low;
}
EACH u32 reverse32(u32 x) {
  x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1, x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(x);
}
// Counted from the top or the bottom; all ones when there is none
EACH u32 first_high(u32 x) { return x ? (u32)__builtin_clz(x) : ~0u; }
EACH u32 first_low(u32 x) { return x ? (u32)__builtin_ctz(x) : ~0u; }
EACH u32 sign_run(u32 x) { return first_high(x ^ (u32)((i32)x >> 31)); }
EACH u32 first_high64(u64 x) { return x ? (u32)__builtin_clzll(x) : ~0u; }
EACH u32 first_low64(u64 x) { return x ? (u32)__builtin_ctzll(x) : ~0u; }
EACH u32 byte(u32 x, u32 n) { return x >> 8 * n & 0xff; }
EACH u32 difference(u32 a, u32 b) { return a > b ? a - b : b - a; }
EACH u32 sad8(u32 a, u32 b) {
  return difference(byte(a, 0), byte(b, 0)) + difference(byte(a, 1), byte(b, 1)) +
         difference(byte(a, 2), byte(b, 2)) + difference(byte(a, 3), byte(b, 3));
}
EACH u32 masked8(u32 a, u32 b) { return b ? difference(a, b) : 0; }
EACH u32 msad8(u32 a, u32 b) {  // bytes of b that are zero do not count
  return masked8(byte(a, 0), byte(b, 0)) + masked8(byte(a, 1), byte(b, 1)) + masked8(byte(a, 2), byte(b, 2)) +
         masked8(byte(a, 3), byte(b, 3));
}
EACH u32 lerp8(u32 a, u32 b, u32 c, u32 n) { return (byte(a, n) + byte(b, n) + (c >> 8 * n & 1)) >> 1 << 8 * n; }
// One byte of v_perm_b32: 0-3 of the low source, 4-7 of the high one, 8-11 the sign of a half, 12 zero, above 0xff
EACH u32 permute8(u32 high, u32 low, u32 selector) {
  const u32 picked = (selector & 4 ? high : low) >> 8 * (selector & 3) & 0xff;
  const u32 sign = (selector & 2 ? high : low) >> (16 * (selector & 1) + 15) & 1 ? 0xff : 0;
  return selector < 8 ? picked : selector < 12 ? sign : selector == 12 ? 0 : 0xff;
}
EACH u32 perm_b32(u32 a, u32 b, u32 c) {
  return permute8(a, b, byte(c, 0)) | permute8(a, b, byte(c, 1)) << 8 | permute8(a, b, byte(c, 2)) << 16 |
         permute8(a, b, byte(c, 3)) << 24;
}
// Four windows of `a`, a byte apart, against `b`; the sums go to the halves of c
#define SAD_WINDOW(SAD, n) ((c >> 16 * n & 0xffff) + SAD((u32)(a >> 8 * n), b))
#define SAD_PLACE(SAD, n) ((u64)(u16)SAD_WINDOW(SAD, n) << 16 * n)
#define SAD_LIMIT(SAD, n) ((u64)min_u32((u32)SAD_WINDOW(SAD, n), 0xffff) << 16 * n)
#define SAD_PK(SAD) (SAD_PLACE(SAD, 0) | SAD_PLACE(SAD, 1) | SAD_PLACE(SAD, 2) | SAD_PLACE(SAD, 3))
#define SAD_PK_CLAMP(SAD) (SAD_LIMIT(SAD, 0) | SAD_LIMIT(SAD, 1) | SAD_LIMIT(SAD, 2) | SAD_LIMIT(SAD, 3))
EACH i32 signed4(u32 x, u32 n) { return (i32)(x << (28 - 4 * n)) >> 28; }
EACH u32 unsigned4(u32 x, u32 n) { return x >> 4 * n & 15; }
#define PRODUCT_I8(n) ((i8)byte(a, n) * (i8)byte(b, n))
#define PRODUCT_U8(n) (byte(a, n) * byte(b, n))
#define PRODUCT_I4(n) (signed4(a, n) * signed4(b, n))
#define PRODUCT_U4(n) (unsigned4(a, n) * unsigned4(b, n))
#define SUM4(P, n) (P(n) + P(n + 1) + P(n + 2) + P(n + 3))
EACH i64 dot4_i8(u32 a, u32 b, i64 sum) { return sum + SUM4(PRODUCT_I8, 0); }
EACH i64 dot4_u8(u32 a, u32 b, i64 sum) { return sum + SUM4(PRODUCT_U8, 0); }
EACH i64 dot8_i4(u32 a, u32 b, i64 sum) { return sum + SUM4(PRODUCT_I4, 0) + SUM4(PRODUCT_I4, 4); }
EACH i64 dot8_u4(u32 a, u32 b, i64 sum) { return sum + SUM4(PRODUCT_U4, 0) + SUM4(PRODUCT_U4, 4); }
EACH i64 dot2_i16(u32 a, u32 b, i64 sum) {
  return sum + (i64)(i16)a * (i16)b + (i64)(i16)(a >> 16) * (i16)(b >> 16);
}
EACH i64 dot2_u16(u32 a, u32 b, i64 sum) {
  return sum + (i64)((u64)(u16)a * (u16)b) + (i64)((u64)(a >> 16) * (b >> 16));
}
EACH u64 spread2(u32 x) {  // every bit twice
  u64 r = x;
  r = (r | r << 16) & 0x0000ffff0000ffffull, r = (r | r << 8) & 0x00ff00ff00ff00ffull;
  r = (r | r << 4) & 0x0f0f0f0f0f0f0f0full, r = (r | r << 2) & 0x3333333333333333ull;
  r = (r | r << 1) & 0x5555555555555555ull;
  return r | r << 1;
}
EACH u64 quads(u64 x) {  // bit 4n: whether any of the bits 4n to 4n+3 is set
  x |= x >> 2, x |= x >> 1;
  return x & 0x1111111111111111ull;
}
EACH u64 gather4(u64 x) {  // bits 0, 4, 8 ... side by side
  u64 r = 0;
  for (int n = 0; n < 16; n++) r |= (x >> 4 * n & 1) << n;
  return r;
}

// ---- what kind of number ------------------------------------------------------------------------------------------
EACH bool is_nan32(u32 x) { return (x & 0x7fffffff) > 0x7f800000; }
EACH bool is_nan64(u64 x) { return (x & ~(1ull << 63)) > 0x7ff0000000000000ull; }
EACH bool is_nan16(u32 x) { return (x & 0x7fff) > 0x7c00; }
EACH bool is_signal32(u32 x) { return is_nan32(x) & !(x & 0x400000); }
EACH bool is_signal64(u64 x) { return is_nan64(x) & !(x & 0x8000000000000ull); }
EACH bool is_signal16(u32 x) { return is_nan16(x) & !(x & 0x200); }
// Bit of v_cmp_class: 0 signalling NaN, 1 quiet NaN, 2-5 negative infinity to zero, 6-9 positive zero to infinity
EACH u32 class_bit(bool negative, bool signal, bool nan, bool infinite, bool normal, bool zero) {
  const u32 size = infinite ? 3 : normal ? 2 : zero ? 0 : 1;
  return nan ? (signal ? 0 : 1) : negative ? 5 - size : 6 + size;
}
EACH u32 class32(u32 x) {
  const u32 e = x >> 23 & 255;
  return class_bit(x >> 31, is_signal32(x), is_nan32(x), e == 255, e > 0, !(x << 1));
}
EACH u32 class64(u64 x) {
  const u32 e = x >> 52 & 2047;
  return class_bit(x >> 63, is_signal64(x), is_nan64(x), e == 2047, e > 0, !(x << 1));
}
EACH u32 class16(u32 x) {
  const u32 e = x >> 10 & 31;
  return class_bit(x >> 15 & 1, is_signal16(x), is_nan16(x), e == 31, e > 0, !(x & 0x7fff));
}
EACH f32 flushed32(f32 x) {  // v_rcp_f32 and its kin know no denormals, whatever MODE says
  const u32 b = of_f32(x);
  return as_f32(b & 0x7f800000 ? b : b & 0x80000000);
}
EACH u32 flush_unless(u32 b, u32 keep) { return keep | (b & 0x7f800000) ? b : b & 0x80000000; }
EACH u64 flush_unless64(u64 b, u64 keep) {
  return keep | (b & 0x7ff0000000000000ull) ? b : b & (1ull << 63);
}

// ---- minimum, maximum ---------------------------------------------------------------------------------------------
// A number wins over a quiet NaN; a signalling NaN wins, quieted, in IEEE mode; -0 is less than +0; denormals follow
// MODE. Smaller and larger are decided on the bits, as two's complement after folding the sign.
#define MIN_MAX(NAME, T, S, BITS, OF, SIGN, QUIET, NAN, SIGNAL, FLUSH)                                  \
  EACH T min_bits_##NAME(T a, T b, bool max, u32 ieee, u32 keep) {                             \
    a = FLUSH(a, keep), b = FLUSH(b, keep);                                                             \
    const S x = (S)(a ^ ((T)((S)a >> (BITS - 1)) >> 1)), y = (S)(b ^ ((T)((S)b >> (BITS - 1)) >> 1));   \
    T r = (x < y) != max ? a : b;                                                                       \
    r = NAN(b) ? a : r;                                                                                 \
    r = NAN(a) ? b : r;                                                                                 \
    r = ieee & SIGNAL(b) ? b | QUIET : r;                                                               \
    r = ieee & SIGNAL(a) ? a | QUIET : r;                                                               \
    return r;                                                                                           \
  }
#define KEEP(x, keep) (x)
MIN_MAX(32, u32, i32, 32, of_f32, 0x80000000u, 0x400000u, is_nan32, is_signal32, flush_unless)
MIN_MAX(64, u64, i64, 64, of_f64, 1ull << 63, 0x8000000000000ull, is_nan64, is_signal64, flush_unless64)
MIN_MAX(16, u16, i16, 16, of_f16, 0x8000u, 0x200u, is_nan16, is_signal16, KEEP)
#define MIN32(a, b) as_f32(min_bits_32(of_f32(a), of_f32(b), false, IEEE, KEEPS_DENORM32))
#define MAX32(a, b) as_f32(min_bits_32(of_f32(a), of_f32(b), true, IEEE, KEEPS_DENORM32))
#define MIN64(a, b) as_f64(min_bits_64(of_f64(a), of_f64(b), false, IEEE, KEEPS_DENORM64))
#define MAX64(a, b) as_f64(min_bits_64(of_f64(a), of_f64(b), true, IEEE, KEEPS_DENORM64))
#define MIN16(a, b) as_f16(min_bits_16((u16)of_f16(a), (u16)of_f16(b), false, IEEE, 1))
#define MAX16(a, b) as_f16(min_bits_16((u16)of_f16(a), (u16)of_f16(b), true, IEEE, 1))
// The middle one; with a NaN among them the smallest of the numbers
#define ANY_NAN(a, b, c) ((a) != (a) || (b) != (b) || (c) != (c))
#define MED3(a, b, c, MIN, MAX) (ANY_NAN(a, b, c) ? MIN(MIN(a, b), c) : MAX(MIN(a, b), MIN(MAX(a, b), c)))

// ---- 16-bit fused multiply-add ------------------------------------------------------------------------------------
// The sum is rounded to odd from 53 bits to 24, so that the rounding to 11 bits sees what was cut off.
EACH f32 odd_f32(f64 x) {
  const u64 b = of_f64(x), cut = b & 0x1fffffff;
  return (f32)as_f64((b ^ cut) | (u64)(cut != 0) << 29);
}
EACH f16 fma16(f16 a, f16 b, f16 c) {  // the product is exact in 24 bits, and so is what the sum loses
  const f32 p = (f32)a * (f32)b, s = p + (f32)c, t = s - p, lost = (p - (s - t)) + ((f32)c - t);
  const u32 bits = of_f32(s), step = (lost > 0.0f) == (s > 0.0f) ? 1 : ~0u;
  const bool inexact = lost > 0.0f || lost < 0.0f;
  return (f16)as_f32(inexact && !(bits & 1) ? bits + step : bits);
}
EACH u32 f16_toward_zero(f32 x) {
  const f16 h = (f16)x;
  return of_f16(h) - (__builtin_fabsf((f32)h) > __builtin_fabsf(x));
}

// ---- packed operations --------------------------------------------------------------------------------------------
// x, y, z stand for the low parts of a, b, c, then for the high parts.
#define BOTH16(LOW, HIGH, E, OF) \
  ({ u32 low_, high_; { LOW; low_ = (u32)OF(E) & 0xffff; } { HIGH; high_ = (u32)OF(E) << 16; } low_ | high_; })
#define BOTH32(LOW, HIGH, E) ({ u32 low_, high_; { LOW; low_ = of_f32(E); } { HIGH; high_ = of_f32(E); } low_ | (u64)high_ << 32; })
#define PK_U16(E) BOTH16(const u32 x = (u16)a; const u32 y = (u16)b, const u32 x = a >> 16; const u32 y = b >> 16, E, )
#define PK_I16(E) \
  BOTH16(const i32 x = (i16)a; const i32 y = (i16)b, const i32 x = (i32)a >> 16; const i32 y = (i32)b >> 16, E, )
#define PK_F16(E) \
  BOTH16(const f16 x = low16(a); const f16 y = low16(b), const f16 x = high16(a); const f16 y = high16(b), E, of_f16)
#define PK3_U16(E)                                                                  \
  BOTH16(const u32 x = (u16)a; const u32 y = (u16)b; const u32 z = (u16)c,          \
         const u32 x = a >> 16; const u32 y = b >> 16; const u32 z = c >> 16, E, )
#define PK3_I16(E)                                                                  \
  BOTH16(const i32 x = (i16)a; const i32 y = (i16)b; const i32 z = (i16)c,          \
         const i32 x = (i32)a >> 16; const i32 y = (i32)b >> 16; const i32 z = (i32)c >> 16, E, )
#define PK3_F16(E)                                                                  \
  BOTH16(const f16 x = low16(a); const f16 y = low16(b); const f16 z = low16(c),    \
         const f16 x = high16(a); const f16 y = high16(b); const f16 z = high16(c), E, of_f16)
#define LOW32(v) as_f32((u32)(v))
#define HIGH32(v) as_f32((u32)((v) >> 32))
#define PK_F32(E) \
  BOTH32(const f32 x = LOW32(a); const f32 y = LOW32(b), const f32 x = HIGH32(a); const f32 y = HIGH32(b), E)
#define PK3_F32(E)                                                                  \
  BOTH32(const f32 x = LOW32(a); const f32 y = LOW32(b); const f32 z = LOW32(c),    \
         const f32 x = HIGH32(a); const f32 y = HIGH32(b); const f32 z = HIGH32(c), E)

// ---- conversions --------------------------------------------------------------------------------------------------
EACH i32 i32_of_f64(f64 x) {
  const f64 y = x >= 2147483647.0 ? 2147483647.0 : x <= -2147483648.0 ? -2147483648.0 : x == x ? x : 0.0;
  return (i32)y;
}
EACH u32 u32_of_f64(f64 x) {
  const f64 y = x >= 4294967295.0 ? 4294967295.0 : x > 0.0 ? x : 0.0;
  return (u32)(i64)y;
}
EACH i32 i32_of_f32(f32 x) {
  const bool high = x >= 2147483648.0f;
  const f32 y = high ? 0.0f : x <= -2147483648.0f ? -2147483648.0f : x == x ? x : 0.0f;
  return high ? INT32_MAX : (i32)y;
}
EACH u32 u32_of_f32(f32 x) {
  const bool high = x >= 4294967296.0f;
  const f32 y = high ? 0.0f : x > 0.0f ? x : 0.0f;
  return high ? UINT32_MAX : (u32)y;
}
EACH i32 snorm16(f64 x) {  // [-1, 1] as +-32767
  const f64 y = x >= 1.0 ? 1.0 : x <= -1.0 ? -1.0 : x == x ? x : 0.0;
  return (i32)__builtin_roundeven(y * 32767.0);
}
EACH u32 unorm16(f64 x) {
  const f64 y = x >= 1.0 ? 1.0 : x > 0.0 ? x : 0.0;
  return (u32)(i32)__builtin_roundeven(y * 65535.0);
}
EACH f32 f32_of_fp8(u32 x) {  // FNUZ: 0x80 is the one NaN
  const u32 e = x >> 3 & 15, m = x & 7;
  const f32 size = e ? as_f32((e + 127 - CHIP_FP8_BIAS) << 23 | m << 20) : (f32)m * as_f32((127 - CHIP_FP8_BIAS - 2) << 23);
  return x == 0x80 ? as_f32(0x7fc00000) : as_f32(of_f32(size) | x >> 7 << 31);
}
EACH f32 f32_of_bf8(u32 x) {
  const u32 e = x >> 2 & 31, m = x & 3;
  const f32 size = e ? as_f32((e + 127 - CHIP_BF8_BIAS) << 23 | m << 21) : (f32)m * as_f32((127 - CHIP_BF8_BIAS - 1) << 23);
  return x == 0x80 ? as_f32(0x7fc00000) : as_f32(of_f32(size) | x >> 7 << 31);
}
// An f32 with `BITS` bits of mantissa and exponents from `LOW` (of the smallest normal number); `noise` is added below
// the last bit, or, where `nearest`, half of one to even. Above the largest finite number: NaN, or that number.
EACH u32 small_float(u32 x, int bits, int low, u32 largest, u32 noise, bool nearest, u32 saturate) {
  const u32 e = x >> 23 & 255, sign = x >> 31;
  const u32 mantissa = (x & 0x7fffff) | (e ? 0x800000 : 0);
  const i32 under = low + 127 - (i32)e;  // how far below the normal numbers
  const u32 shift = under > 0 ? (under > 25 ? 25 : (u32)under) : 0;
  const u32 cut = 23 - (u32)bits;
  // Nearest: shifted once with all its bits. Noise: shifted first, as the noise lies below the last bit kept.
  const u64 wide = (u64)mantissa << 32 >> shift;
  const u64 half = (1ull << (cut + 31)) - 1 + (wide >> (cut + 32) & 1);
  const u32 kept = nearest ? (u32)((wide + half) >> (cut + 32)) : ((mantissa >> shift) + noise) >> cut;
  const u32 code = under > 0 ? kept : kept + (((u32)-under) << bits);
  const bool special = e == 255;
  const bool over = special | (code > largest);
  const bool nan = special | (over & !saturate);
  const u32 size = over ? largest : code;
  return nan ? 0x80 : size ? size | sign << 7 : 0;
}
#define FP8_OF(x) small_float(of_f32(x), 3, 1 - CHIP_FP8_BIAS, 0x7f, 0, true, FP16_OVERFLOW)
#define BF8_OF(x) small_float(of_f32(x), 2, 1 - CHIP_BF8_BIAS, 0x7f, 0, true, FP16_OVERFLOW)
#define FP8_STOCHASTIC(x, r) small_float(of_f32(x), 3, 1 - CHIP_FP8_BIAS, 0x7f, (r) >> 12, false, FP16_OVERFLOW)
#define BF8_STOCHASTIC(x, r) small_float(of_f32(x), 2, 1 - CHIP_BF8_BIAS, 0x7f, (r) >> 11, false, FP16_OVERFLOW)

// ---- parts of numbers ---------------------------------------------------------------------------------------------
EACH f64 power2(i32 n) { return as_f64((u64)(u32)(n + 1023) << 52); }  // -1022 to 1023
EACH f32 ldexp32(f32 x, i32 n) {
  const i32 m = max_i32(min_i32(n, 400), -400);
  return (f32)((f64)x * power2(m));
}
EACH f64 ldexp64(f64 x, i32 n) {
  const bool tiny = !(of_f64(x) >> 52 & 2047);
  const u64 b = of_f64(tiny ? x * 0x1p54 : x);
  const i32 e = (i32)(b >> 52 & 2047) - (tiny ? 54 : 0);
  const i32 to = e + max_i32(min_i32(n, 5000), -5000);
  // Within the normal numbers the exponent is exchanged; outside a last multiplication rounds once.
  const i32 safe = to > 2046 ? 2046 : to < 1 ? max_i32(to, -60) + 200 : to;
  const f64 y = as_f64((b & 0x800fffffffffffffull) | (u64)(u32)safe << 52);
  const f64 last = to > 2046 ? 2.0 : to < 1 ? 0x1p-200 : 1.0;
  return x == 0.0 || e >= 2047 ? x + x : y * last;
}
EACH f16 ldexp16(f16 x, i32 n) { return (f16)odd_f32((f64)(f32)x * power2(max_i32(min_i32(n, 80), -80))); }
EACH f32 frexp_mant32(f32 x) {
  const u32 b = of_f32(x), e = b >> 23 & 255;
  const u32 n = of_f32(e ? x : x * 0x1p32f);
  const f32 m = as_f32((n & 0x807fffff) | 0x3f000000);
  return e == 255 ? x + x : x == 0.0f ? x : m;
}
EACH i32 frexp_exp32(f32 x) {
  const u32 e = of_f32(x) >> 23 & 255;
  const i32 n = (i32)(of_f32(e ? x : x * 0x1p32f) >> 23 & 255) - (e ? 0 : 32) - 126;
  return e == 255 || x == 0.0f ? 0 : n;
}
EACH f64 frexp_mant64(f64 x) {
  const u64 b = of_f64(x);
  const u32 e = b >> 52 & 2047;
  const u64 n = of_f64(e ? x : x * 0x1p64);
  const f64 m = as_f64((n & 0x800fffffffffffffull) | 0x3fe0000000000000ull);
  return e == 2047 ? x + x : x == 0.0 ? x : m;
}
EACH i32 frexp_exp64(f64 x) {
  const u32 e = of_f64(x) >> 52 & 2047;
  const i32 n = (i32)(of_f64(e ? x : x * 0x1p64) >> 52 & 2047) - (e ? 0 : 64) - 1022;
  return e == 2047 || x == 0.0 ? 0 : n;
}
// x - floor(x) stays below 1, however small the negative x
EACH f32 fract32(f32 x) {
  const f32 r = x - __builtin_floorf(x);
  return r >= 1.0f ? 0x1.fffffep-1f : r;
}
EACH f64 fract64(f64 x) {
  const f64 r = x - __builtin_floor(x);
  return r >= 1.0 ? 0x1.fffffffffffffp-1 : r;
}
EACH f16 fract16(f16 x) {
  const f16 r = (f16)((f32)x - __builtin_floorf((f32)x));
  return (f32)r >= 1.0f ? (f16)0.99951171875f : r;
}

// ---- transcendental functions -------------------------------------------------------------------------------------
// Through f64 polynomials: the results are the correctly rounded ones but for a few in a million.
EACH f64 exp2_wide(f64 x) {
  const f64 y = x > 1100.0 ? 1100.0 : x > -1100.0 ? x : -1100.0;
  const f64 n = __builtin_roundeven(y), r = y - n;
  f64 p = 1.3215486790144309e-6;  // ln(2)^k / k!
  p = p * r + 1.5252733804059841e-5;
  p = p * r + 1.5403530393381608e-4;
  p = p * r + 1.3333558146428443e-3;
  p = p * r + 9.6181291076284772e-3;
  p = p * r + 5.5504108664821580e-2;
  p = p * r + 2.4022650695910071e-1;
  p = p * r + 6.9314718055994531e-1;
  p = p * r + 1.0;
  const i32 k = (i32)n, half = k / 2;
  return p * power2(half) * power2(k - half);
}
EACH f32 exp2_f32(f32 x) {
  const f32 r = (f32)exp2_wide((f64)flushed32(x));
  return x == x ? flushed32(r) : x + x;
}
EACH f64 log2_wide(f64 x) {  // of a positive normal number
  const u64 b = of_f64(x);
  const i64 shift = (i64)(b - 0x3fe6a09e667f3bcdull) >> 52;  // to [sqrt(1/2), sqrt(2))
  const f64 m = as_f64(b - ((u64)shift << 52)), s = (m - 1.0) / (m + 1.0), z = s * s;
  f64 p = 0.15384615384615385 + z * 0.13333333333333333;
  p = p * z + 0.18181818181818182;
  p = p * z + 0.22222222222222222;
  p = p * z + 0.28571428571428571;
  p = p * z + 0.4;
  p = p * z + 0.66666666666666667;
  p = p * z + 2.0;
  return (f64)(i32)shift + p * s * 1.4426950408889634;
}
EACH f32 log2_f32(f32 x) {
  const f32 y = flushed32(x), r = (f32)log2_wide((f64)(y > 0.0f ? y : 1.0f));
  const f32 other = y != y ? x + x : y == 0.0f ? -__builtin_inff() : y < 0.0f ? as_f32(0x7fc00000) : y;
  return y > 0.0f && y < __builtin_inff() ? r : other;
}
EACH f64 quarter_sine(f64 r, bool cosine) {  // r in turns, within an eighth
  const f64 a = r * 6.283185307179586, z = a * a;
  f64 s = 1.6059043836821613e-10;
  s = s * z - 2.5052108385441720e-8, s = s * z + 2.7557319223985893e-6, s = s * z - 1.9841269841269841e-4;
  s = s * z + 8.3333333333333333e-3, s = s * z - 1.6666666666666667e-1;
  s = a + a * z * s;
  f64 c = 2.0876756987868099e-9;
  c = c * z - 2.7557319223985888e-7, c = c * z + 2.4801587301587302e-5, c = c * z - 1.3888888888888889e-3;
  c = c * z + 4.1666666666666667e-2, c = c * z - 0.5;
  c = 1.0 + z * c;
  return cosine ? c : s;
}
// The sine of x turns, `ahead` quarters on. Beyond 256 turns the hardware gives the value at 0.
EACH f32 sine_turns(f32 x, i32 ahead) {
  const f32 y = __builtin_fabsf(x) > 256.0f ? 0.0f : x == x ? x : 0.0f;
  const f64 n = __builtin_roundeven((f64)y * 4.0), r = (f64)y - n * 0.25;
  const i32 k = (i32)n + ahead;
  const f64 v = quarter_sine(r, k & 1);
  const f32 out = (f32)(k & 2 ? -v : v);
  const bool bad = !(__builtin_fabsf(x) < __builtin_inff());
  return bad ? as_f32(0x7fc00000) : ahead || out != 0.0f || y != 0.0f ? out : y;
}
EACH f32 rcp32(f32 x) { return flushed32(1.0f / flushed32(x)); }
EACH f32 rsq32(f32 x) { return 1.0f / __builtin_sqrtf(flushed32(x)); }
EACH f32 sqrt32(f32 x) { return __builtin_sqrtf(flushed32(x)); }
EACH f16 rcp16(f16 x) { return (f16)(1.0f / (f32)x); }
EACH f16 rsq16(f16 x) { return (f16)(f32)(1.0 / __builtin_sqrt((f64)(f32)x)); }
EACH f16 sqrt16(f16 x) { return (f16)__builtin_sqrtf((f32)x); }
EACH f16 exp16(f16 x) {
  const f32 r = (f32)exp2_wide((f64)(f32)x);
  return (f32)x == (f32)x ? (f16)r : x;
}
EACH f16 log16(f16 x) { return (f16)log2_f32((f32)x); }

// ---- division -----------------------------------------------------------------------------------------------------
// v_div_scale: a is whichever of b (denominator) and c (numerator) is to be scaled. The document scales a denominator
// whose reciprocal and quotient are both denormal up, which overflows; down is what gives right quotients.
EACH bool denormal32(f32 x) { return x != 0.0f && !(of_f32(x) & 0x7f800000); }
EACH bool denormal64(f64 x) { return x != 0.0 && !(of_f64(x) & 0x7ff0000000000000ull); }
EACH f32 div_scale32(f32 a, f32 b, f32 c, u32 *flag) {
  const i32 eb = of_f32(b) >> 23 & 255, ec = of_f32(c) >> 23 & 255;
  const f64 quotient = __builtin_fabs((f64)c / (f64)b);
  const bool zero = b == 0.0f || c == 0.0f, huge = ec - eb >= 96, tiny_b = denormal32(b);
  const bool tiny_r = __builtin_fabsf(b) > 0x1p126f && eb != 255;
  const bool tiny_q = quotient < 0x1p-126 && quotient > 0.0;
  const bool is_b = of_f32(a) == of_f32(b), is_c = of_f32(a) == of_f32(c);
  const f32 up = a * 0x1p64f, down = a * 0x1p-64f;
  *flag = !zero & (huge | (!tiny_b & tiny_q));
  f32 d = a;
  d = ec <= 23 ? up : d;
  d = tiny_q ? (is_c ? up : a) : d;
  d = tiny_r ? (tiny_q ? (is_b ? down : a) : down) : d;
  d = tiny_b ? up : d;
  d = huge ? (is_b ? up : a) : d;
  return zero ? as_f32(0x7fc00000) : d;
}
EACH f64 div_scale64(f64 a, f64 b, f64 c, u32 *flag) {
  const i32 eb = of_f64(b) >> 52 & 2047, ec = of_f64(c) >> 52 & 2047;
  const f64 quotient = __builtin_fabs(c / b);
  const bool zero = b == 0.0 || c == 0.0, huge = ec - eb >= 768, tiny_b = denormal64(b);
  const bool tiny_r = __builtin_fabs(b) > 0x1p1022 && eb != 2047;
  const bool tiny_q = quotient < 0x1p-1022 && c == c && b == b && eb != 2047;
  const bool is_b = of_f64(a) == of_f64(b), is_c = of_f64(a) == of_f64(c);
  const f64 up = a * 0x1p128, down = a * 0x1p-128;
  *flag = !zero & (huge | (!tiny_b & tiny_q));
  f64 d = a;
  d = ec <= 53 ? up : d;
  d = tiny_q ? (is_c ? up : a) : d;
  d = tiny_r ? (tiny_q ? (is_b ? down : a) : down) : d;
  d = tiny_b ? up : d;
  d = huge ? (is_b ? up : a) : d;
  return zero ? as_f64(0x7ff8000000000000ull) : d;
}
// v_div_fmas: where the flag is set the quotient goes back by what v_div_scale moved it, which its size tells. The sum
// is rounded to odd first, so that there is one rounding to nearest.
EACH f32 div_fmas32(f32 a, f32 b, f32 c, u32 flag) {
  const f64 p = (f64)a * (f64)b, s = p + (f64)c, t = s - p, lost = (p - (s - t)) + ((f64)c - t);
  const u64 bits = of_f64(s), step = (lost > 0.0) == (s > 0.0) ? 1 : ~0ull;
  const bool inexact = lost > 0.0 || lost < 0.0;
  const f64 odd = as_f64(inexact && !(bits & 1) ? bits + step : bits);
  return flag ? (f32)(odd * ((of_f32(c) >> 23 & 255) > 127 ? 0x1p64 : 0x1p-64)) : __builtin_fmaf(a, b, c);
}
#define DIV_FIXUP(NAME, T, U, AS, OF, BITS, FRACTION, EXPONENT, QNAN, UNDER)                             \
  EACH T div_fixup##NAME(T a, T b, T c) {                                                       \
    const U top = (U)1 << (BITS - 1), inf = (U)EXPONENT << FRACTION, quiet = (U)1 << (FRACTION - 1);     \
    const U x = OF(b), y = OF(c), sign = (x ^ y) & top, mx = x & ~top, my = y & ~top;                    \
    const i32 ex = (i32)(mx >> FRACTION), ey = (i32)(my >> FRACTION);                                    \
    U r = (OF(a) & ~top) | sign;                                                                         \
    r = UNDER && (r & ~top) > inf ? sign | inf : r; /* a quotient that overflowed on its way */            \
    r = UNDER && ey - ex < -UNDER ? sign : r;                                                            \
    r = (mx == inf) | (my == 0) ? sign : r;                                                              \
    r = (mx == 0) | (my == inf) ? sign | inf : r;                                                        \
    r = ((mx == 0) & (my == 0)) | ((mx == inf) & (my == inf)) ? (U)QNAN : r;                             \
    r = mx > inf ? x | quiet : r;                                                                        \
    r = my > inf ? y | quiet : r;                                                                        \
    return AS(r);                                                                                        \
  }
DIV_FIXUP(32, f32, u32, as_f32, of_f32, 32, 23, 255, 0xffc00000u, 150)
DIV_FIXUP(64, f64, u64, as_f64, of_f64, 64, 52, 2047, 0xfff8000000000000ull, 1075)
DIV_FIXUP(16, f16, u32, as_f16, of_f16, 16, 10, 31, 0xfe00u, 0)

// ---- cube maps ----------------------------------------------------------------------------------------------------
EACH u32 cube_axis(f32 x, f32 y, f32 z) {
  x = __builtin_fabsf(x), y = __builtin_fabsf(y), z = __builtin_fabsf(z);
  return z >= x && z >= y ? 2 : y >= x ? 1 : 0;
}

// Values that move between lanes: which lanes of the result come from lanes of `defined`. Lanes that get a constant
// count as defined; `written` loses the lanes that the instruction leaves alone.
u64 lds_moved(Wave *w, const Ins *I, u64 defined);                // lds.c
u64 dpp_moved(Wave *w, const Ins *I, u64 defined, u64 *written);  // operand.c
