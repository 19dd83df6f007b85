// Lane-wise instructions that look at other lanes or write two registers, and f64 ones that no vector code serves.
#include "image.h"
#include "ops.h"

static u32 lane_value(Wave *w, const Ins *I, int j, u32 lane) {
  return I->s[j] >= 0 ? w->R[I->s[j] + (i32)lane] : scalar32(w, I->s[j]);
}
// The lane that an operand names: a scalar or a constant
static u32 lane_number(Wave *w, const Ins *I, int j) { return lane_value(w, I, j, 0) & 63; }

#define NATIVE_readfirstlane(NAME)                                           \
  const Ins *NAME(Wave *w, const Ins *I) {                                   \
    const u32 lane = EXEC ? (u32)__builtin_ctzll(EXEC) : 0;                  \
    set_scalar32(w, I->d, lane_value(w, I, 0, lane));                        \
    NEXT;                                                                    \
  }

#define NATIVE_readlane(NAME)                                                \
  const Ins *NAME(Wave *w, const Ins *I) {                                   \
    set_scalar32(w, I->d, lane_value(w, I, 0, lane_number(w, I, 1)));        \
    NEXT;                                                                    \
  }

#define NATIVE_writelane(NAME)                                               \
  const Ins *NAME(Wave *w, const Ins *I) {                                   \
    w->R[I->d + (i32)lane_number(w, I, 1)] = scalar32(w, I->s[0]);           \
    NEXT;                                                                    \
  }

#define NATIVE_swap(NAME)                                                    \
  const Ins *NAME(Wave *w, const Ins *I) {                                   \
    u32 *a = w->R + I->d, *b = w->R + I->s[0];                               \
    u32 M[LANE_COUNT];                                                       \
    expand(EXEC, M);                                                         \
    for (int l = 0; l < LANE_COUNT; l++) {                                   \
      const u32 change = (a[l] ^ b[l]) & M[l];                               \
      a[l] ^= change, b[l] ^= change;                                        \
    }                                                                        \
    NEXT;                                                                    \
  }

static void masked_sads(Wave *w, const Ins *I, bool clamp) {
  const u32 *a = source(w, I, 0, T_B64), *b = source(w, I, 1, T_B32), *c = w->R + I->s[2];
  u32 *d = w->R + I->d;
  for (int l = 0; l < LANE_COUNT; l++) {
    if (!(EXEC >> l & 1)) continue;
    u32 sums[4];
    for (int n = 0; n < 4; n++) {
      const u64 sum = (u64)c[LANE_COUNT * n + l] + msad8((u32)(GET64(a, l) >> 8 * n), b[l]);
      sums[n] = clamp ? to_u32((i64)sum) : (u32)sum;
    }
    for (int n = 0; n < 4; n++) d[LANE_COUNT * n + l] = sums[n];
  }
}
#define MASKED_SADS(NAME, CLAMP)                                             \
  const Ins *NAME(Wave *w, const Ins *I) {                                   \
    masked_sads(w, I, CLAMP);                                                \
    NEXT;                                                                    \
  }
#define NATIVE_mqsad(NAME) MASKED_SADS(NAME, false)
#define NATIVE_mqsad_clamp(NAME) MASKED_SADS(NAME, true)

// The quotient moves back to where v_div_scale took it from, with one rounding. To larger numbers the move is exact;
// to smaller ones the sum is rounded to odd before it.
static f64 div_fmas64_scaled(f64 a, f64 b, f64 c) {
  if ((of_f64(c) >> 52 & 2047) > 1023) return __builtin_fma(a, b, c) * 0x1p128;
  typedef unsigned __int128 Bits;
  const __float128 p = (__float128)a * b, s = p + c, t = s - p, lost = (p - (s - t)) + (c - t);
  Bits bits = __builtin_bit_cast(Bits, s);
  if ((lost > 0 || lost < 0) && !(bits & 1)) bits += (lost > 0) == (s > 0) ? 1 : ~(Bits)0;
  return (f64)(__builtin_bit_cast(__float128, bits) * 0x1p-128);
}
static void div_fmas64(Wave *w, const Ins *I, u32 *out) {
  const u32 *a = source(w, I, 0, T_F64), *b = source(w, I, 1, T_F64), *c = source(w, I, 2, T_F64);
  const u64 flags = VCC;
  LANES {
    const u64 r = of_f64(__builtin_fma(as_f64(GET64(a, l)), as_f64(GET64(b, l)), as_f64(GET64(c, l))));
    PUT64(out, l, r);
  }
  for (u64 left = flags & EXEC; left; left &= left - 1) {
    const int l = __builtin_ctzll(left);
    const u64 r = of_f64(div_fmas64_scaled(as_f64(GET64(a, l)), as_f64(GET64(b, l)), as_f64(GET64(c, l))));
    PUT64(out, l, r);
  }
}

// 53 bits of 2/pi from bit 53 * segment on, further for large x, scaled to where they stand
static const u64 TWO_OVER_PI[] = {
  0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
  0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
  0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
  0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d,
};
#define TWO_OVER_PI_BITS 1201  // that the hardware holds
static f64 trig_preop(f64 x, u32 segment) {
  const u32 e = of_f64(x) >> 52 & 2047;
  const u32 shift = 53 * (segment & 31) + (e > 1077 ? e - 1077 : 0);
  u64 bits = 0;
  for (u32 n = 0; n < 53; n++) {
    const u32 at = shift + n;
    bits = bits << 1 | (at < TWO_OVER_PI_BITS ? TWO_OVER_PI[at / 64] >> (63 - at % 64) & 1 : 0);
  }
  return ldexp64((f64)bits, -53 - (i32)shift + (e >= 1968 ? 128 : 0));
}
static void trig_preops(Wave *w, const Ins *I, u32 *out) {
  const u32 *a = source(w, I, 0, T_F64), *b = source(w, I, 1, T_B32);
  for (u64 left = EXEC; left; left &= left - 1) {
    const int l = __builtin_ctzll(left);
    const u64 r = of_f64(trig_preop(as_f64(GET64(a, l)), b[l]));
    PUT64(out, l, r);
  }
}

// A native that makes a row of f64 in a temporary and stores the lanes that are on
#define NATIVE_F64(NAME, MAKE)                                               \
  const Ins *NAME(Wave *w, const Ins *I) {                                   \
    const bool mixed = unlikely(MIXED_MODE(w));                              \
    if (mixed) _mm_setcsr(mxcsr_of_mode(w->mode >> 2));                      \
    MAKE(w, I, w->tmp[4]);                                                   \
    if (unlikely(I->flags & F_POST)) finish(w, I, T_F64, w->tmp[4]);         \
    else store64(w, I, w->tmp[4]);                                           \
    if (mixed) _mm_setcsr(w->mxcsr);                                         \
    NEXT;                                                                    \
  }
static void store64(Wave *w, const Ins *I, const u32 *row) {
  u32 M[LANE_COUNT], *d = w->R + I->d;
  expand(EXEC, M);
  for (int l = 0; l < LANE_COUNT; l++) {
    d[l] = (M[l] & row[l]) | (~M[l] & d[l]);
    d[LANE_COUNT + l] = (M[l] & row[LANE_COUNT + l]) | (~M[l] & d[LANE_COUNT + l]);
  }
}
#define NATIVE_div_fmas64(NAME) NATIVE_F64(NAME, div_fmas64)
#define NATIVE_trig_preop(NAME) NATIVE_F64(NAME, trig_preops)

#include "natives.h"
