// porter runtime: the rarer of PTX's instructions on f16 and bf16: comparisons that give masks or numbers, .ftz, .satfinite,
// .xorsign.abs, conversions past f32. One or two values travel as their bits.
#ifndef PORTER_PTX_HALVES_H
#define PORTER_PTX_HALVES_H

#include "ptx_float.h"

namespace porter {

// Each half of a word on its own.
template <class One>
PORTER_FN uint32_t each_half(uint32_t a, One one) {
  return uint32_t(one(uint16_t(a >> 16))) << 16 | one(uint16_t(a));
}
template <class One>
PORTER_FN uint32_t each_half(uint32_t a, uint32_t b, One one) {
  return uint32_t(one(uint16_t(a >> 16), uint16_t(b >> 16))) << 16 | one(uint16_t(a), uint16_t(b));
}

PORTER_FN uint16_t ftz_f16(uint16_t a) { return (a & 0x7c00u) == 0 ? uint16_t(a & 0x8000u) : a; }
PORTER_FN uint32_t ftz_f16x2(uint32_t a) { return each_half(a, ftz_f16); }

// PTX's comparisons: those that end in u are true where a NaN takes part; equ's and neu's names have it twice.
namespace compare {
#define PORTER_COMPARE(name, expression)                                               \
  struct name {                                                                       \
    template <class T>                                                                \
    __host__ __device__ static inline bool of(T a, T b) { return expression; }        \
  };
PORTER_COMPARE(eq, a == b)
PORTER_COMPARE(ne, a < b || a > b)
PORTER_COMPARE(lt, a < b)
PORTER_COMPARE(le, a <= b)
PORTER_COMPARE(gt, a > b)
PORTER_COMPARE(ge, a >= b)
PORTER_COMPARE(equ, !(a < b || a > b))
PORTER_COMPARE(neu, !(a == b))
PORTER_COMPARE(ltu, !(a >= b))
PORTER_COMPARE(leu, !(a > b))
PORTER_COMPARE(gtu, !(a <= b))
PORTER_COMPARE(geu, !(a < b))
PORTER_COMPARE(num, a == a && b == b)
PORTER_COMPARE(nan, !(a == a && b == b))
#undef PORTER_COMPARE
}  // namespace compare

template <class C>
PORTER_FN bool compare_f16(uint16_t a, uint16_t b) { return C::of(cvt_f32_f16(a), cvt_f32_f16(b)); }
template <class C>
PORTER_FN bool compare_bf16(uint16_t a, uint16_t b) { return C::of(cvt_f32_bf16(a), cvt_f32_bf16(b)); }
template <class C>
PORTER_FN bool compare_low_f16x2(uint32_t a, uint32_t b) { return compare_f16<C>(uint16_t(a), uint16_t(b)); }
template <class C>
PORTER_FN bool compare_high_f16x2(uint32_t a, uint32_t b) { return compare_f16<C>(uint16_t(a >> 16), uint16_t(b >> 16)); }
template <class C>
PORTER_FN bool compare_low_bf16x2(uint32_t a, uint32_t b) { return compare_bf16<C>(uint16_t(a), uint16_t(b)); }
template <class C>
PORTER_FN bool compare_high_bf16x2(uint32_t a, uint32_t b) { return compare_bf16<C>(uint16_t(a >> 16), uint16_t(b >> 16)); }

// set of two: all ones, or 1.0, in each half.
template <class C>
PORTER_FN uint32_t set_u32_f16x2(uint32_t a, uint32_t b) {
  return each_half(a, b, [](uint16_t x, uint16_t y) { return uint16_t(compare_f16<C>(x, y) ? 0xffff : 0); });
}
template <class C>
PORTER_FN uint32_t set_u32_bf16x2(uint32_t a, uint32_t b) {
  return each_half(a, b, [](uint16_t x, uint16_t y) { return uint16_t(compare_bf16<C>(x, y) ? 0xffff : 0); });
}
template <class C>
PORTER_FN uint32_t set_f16x2_f16x2(uint32_t a, uint32_t b) { return set_u32_f16x2<C>(a, b) & 0x3c003c00u; }
template <class C>
PORTER_FN uint32_t set_bf16x2_bf16x2(uint32_t a, uint32_t b) { return set_u32_bf16x2<C>(a, b) & 0x3f803f80u; }

// .xorsign.abs: the magnitude of the smaller or larger, the sign of the product.
PORTER_FN float min_nan_xorsign_abs_f32(float a, float b) {
  return is_nan(a) || is_nan(b) ? nan_f32() : min_xorsign_abs_f32(a, b);
}
PORTER_FN float max_nan_xorsign_abs_f32(float a, float b) {
  return is_nan(a) || is_nan(b) ? nan_f32() : max_xorsign_abs_f32(a, b);
}
#define PORTER_HALVES(name)                                                                                                  \
  PORTER_FN uint16_t name##_f16(uint16_t a, uint16_t b) { return cvt_rn_f16_f32(name##_f32(cvt_f32_f16(a), cvt_f32_f16(b))); } \
  PORTER_FN uint16_t name##_bf16(uint16_t a, uint16_t b) {                                                                   \
    return cvt_rn_bf16_f32(name##_f32(cvt_f32_bf16(a), cvt_f32_bf16(b)));                                                    \
  }                                                                                                                          \
  PORTER_FN uint32_t name##_f16x2(uint32_t a, uint32_t b) { return each_half(a, b, name##_f16); }                            \
  PORTER_FN uint32_t name##_bf16x2(uint32_t a, uint32_t b) { return each_half(a, b, name##_bf16); }
PORTER_HALVES(min_xorsign_abs)
PORTER_HALVES(max_xorsign_abs)
PORTER_HALVES(min_nan_xorsign_abs)
PORTER_HALVES(max_nan_xorsign_abs)
#undef PORTER_HALVES

// .satfinite: what would be infinite is the largest number.
PORTER_FN uint16_t satfinite_f16(uint16_t a) { return (a & 0x7fffu) == 0x7c00u ? a - 1 : a; }
PORTER_FN uint16_t satfinite_bf16(uint16_t a) { return (a & 0x7fffu) == 0x7f80u ? a - 1 : a; }
PORTER_FN uint32_t satfinite_f16x2(uint32_t a) { return each_half(a, satfinite_f16); }
PORTER_FN uint32_t satfinite_bf16x2(uint32_t a) { return each_half(a, satfinite_bf16); }
PORTER_FN uint32_t satfinite_tf32(uint32_t a) { return (a & 0x7fffffffu) == 0x7f800000u ? a - 0x2000u : a; }
PORTER_FN uint32_t cvt_rna_satfinite_tf32_f32(float x) {  // one less than infinity, and so than each NaN
  uint32_t u = cvt_rna_tf32_f32(x);
  return (u & 0x7f800000u) == 0x7f800000u ? u - 0x2000u : u;
}
PORTER_FN uint32_t relu_tf32(uint32_t a) { return (a & 0x7fffffffu) <= 0x7f800000u && a >> 31 ? 0 : a; }

// From f64 past f32: rounded to odd there, so that the second rounding sees what the first cut off.
PORTER_FN float odd_f32(double x) {
  float f = float(x);
  if (x != x || double(f) == x) return f;
  uint32_t u = bits_as<uint32_t>(f);
  const double size = x < 0 ? -x : x, rounded = x < 0 ? -double(f) : double(f);
  if (rounded > size) u -= 1;  // toward zero, from infinity too
  return bits_as<float>(u | 1u);
}
PORTER_FN uint16_t cvt_rn_bf16_f64(double x) { return cvt_rn_bf16_f32(odd_f32(x)); }
PORTER_FN uint16_t cvt_rz_bf16_f64(double x) { return cvt_rz_bf16_f32(odd_f32(x)); }
PORTER_FN uint16_t cvt_rz_f16_f64(double x) { return cvt_rz_f16_f32(odd_f32(x)); }
// Toward minus and plus infinity: what is cut off moves the code away from zero on one side.
PORTER_FN uint16_t away(uint16_t code, bool moves) { return uint16_t(code + (moves ? 1 : 0)); }
PORTER_FN uint16_t cvt_rm_f16_f32(float x) {
  uint16_t code = cvt_rz_f16_f32(x);
  return away(code, x < cvt_f32_f16(code));
}
PORTER_FN uint16_t cvt_rp_f16_f32(float x) {
  uint16_t code = cvt_rz_f16_f32(x);
  return away(code, x > cvt_f32_f16(code));
}
PORTER_FN uint16_t cvt_rm_bf16_f32(float x) {
  uint16_t code = cvt_rz_bf16_f32(x);
  return away(code, x < cvt_f32_bf16(code));
}
PORTER_FN uint16_t cvt_rp_bf16_f32(float x) {
  uint16_t code = cvt_rz_bf16_f32(x);
  return away(code, x > cvt_f32_bf16(code));
}
PORTER_FN uint16_t cvt_rm_f16_f64(double x) { return cvt_rm_f16_f32(odd_f32(x)); }
PORTER_FN uint16_t cvt_rp_f16_f64(double x) { return cvt_rp_f16_f32(odd_f32(x)); }
PORTER_FN uint16_t cvt_rm_bf16_f64(double x) { return cvt_rm_bf16_f32(odd_f32(x)); }
PORTER_FN uint16_t cvt_rp_bf16_f64(double x) { return cvt_rp_bf16_f32(odd_f32(x)); }
template <class A>
PORTER_FN uint16_t cvt_rz_f16(A a) { return cvt_rz_f16_f32(cvt_rz_f32(a)); }
template <class A>
PORTER_FN uint16_t cvt_rz_bf16(A a) { return cvt_rz_bf16_f32(cvt_rz_f32(a)); }
// fp8 numbers are exact in bf16 as they are in f16.
PORTER_FN uint32_t cvt_rn_bf16x2_f16x2(uint32_t a) {
  return each_half(a, [](uint16_t x) { return cvt_rn_bf16_f32(cvt_f32_f16(x)); });
}

// cvt.pack into 2 and 4 bits: the first operand above the second, what c holds above both.
template <int Bits, bool Signed>
PORTER_FN uint32_t pack_sat(int32_t a, int32_t b, uint32_t c) {
  constexpr int32_t low = Signed ? -(1 << (Bits - 1)) : 0, high = (1 << (Bits - Signed)) - 1;
  const auto clamped = [](int32_t x) { return uint32_t(x < low ? low : x > high ? high : x) & ((1u << Bits) - 1); };
  return c << 2 * Bits | clamped(a) << Bits | clamped(b);
}
PORTER_FN uint32_t cvt_pack_sat_s4(int32_t a, int32_t b, uint32_t c) { return pack_sat<4, true>(a, b, c); }
PORTER_FN uint32_t cvt_pack_sat_u4(int32_t a, int32_t b, uint32_t c) { return pack_sat<4, false>(a, b, c); }
PORTER_FN uint32_t cvt_pack_sat_s2(int32_t a, int32_t b, uint32_t c) { return pack_sat<2, true>(a, b, c); }
PORTER_FN uint32_t cvt_pack_sat_u2(int32_t a, int32_t b, uint32_t c) { return pack_sat<2, false>(a, b, c); }

#if defined(__HIP__)
// Two f32 in 64 bits with a directed rounding.
#define PORTER_PAIRS(suffix)                                                                                  \
  __device__ inline uint64_t add_##suffix##_f32x2(uint64_t a, uint64_t b) {                                   \
    return pair_f32(add_##suffix(low_f32(a), low_f32(b)), add_##suffix(high_f32(a), high_f32(b)));            \
  }                                                                                                           \
  __device__ inline uint64_t sub_##suffix##_f32x2(uint64_t a, uint64_t b) {                                   \
    return pair_f32(sub_##suffix(low_f32(a), low_f32(b)), sub_##suffix(high_f32(a), high_f32(b)));            \
  }                                                                                                           \
  __device__ inline uint64_t mul_##suffix##_f32x2(uint64_t a, uint64_t b) {                                   \
    return pair_f32(mul_##suffix(low_f32(a), low_f32(b)), mul_##suffix(high_f32(a), high_f32(b)));            \
  }                                                                                                           \
  __device__ inline uint64_t fma_##suffix##_f32x2(uint64_t a, uint64_t b, uint64_t c) {                       \
    return pair_f32(fma_##suffix(low_f32(a), low_f32(b), low_f32(c)), fma_##suffix(high_f32(a), high_f32(b), high_f32(c))); \
  }
PORTER_PAIRS(rz)
PORTER_PAIRS(rm)
PORTER_PAIRS(rp)
#undef PORTER_PAIRS
#endif

}  // namespace porter

#endif  // PORTER_PTX_HALVES_H
