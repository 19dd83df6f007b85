// porter runtime: PTX's floating-point instructions. f16, bf16, tf32 and fp8 values travel as their
// bits, as they do in PTX's registers. fp8 is OCP's (the format of the source), never gfx942's FNUZ.
#ifndef PORTER_PTX_FLOAT_H
#define PORTER_PTX_FLOAT_H

#include "fp8.h"
#include "ptx_bits.h"

#include <cmath>

namespace porter {

template <class To, class From>
PORTER_FN To bits_as(From value) {
  static_assert(sizeof(To) == sizeof(From), "same size");
  To out;
  __builtin_memcpy(&out, &value, sizeof(To));
  return out;
}

PORTER_FN bool is_nan(float x) { return (bits_as<uint32_t>(x) & 0x7fffffffu) > 0x7f800000u; }
PORTER_FN bool is_nan(double x) { return (bits_as<uint64_t>(x) & ~(uint64_t(1) << 63)) > uint64_t(0x7ff) << 52; }

// .ftz: a subnormal becomes a zero of the same sign.
PORTER_FN float ftz(float x) {
  uint32_t u = bits_as<uint32_t>(x);
  return (u & 0x7f800000u) == 0 ? bits_as<float>(u & 0x80000000u) : x;
}
// .sat: clamped to [0, 1], NaN becomes 0.
PORTER_FN float saturate(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
PORTER_FN double saturate(double x) { return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0; }

// Between floating-point formats

// Rounds a finite float to a format with `Mantissa` bits, exponent bias `Bias` and subnormals;
// gives exponent and mantissa as the format stores them, overflow not yet looked at.
template <int Mantissa, int Bias>
PORTER_FN uint32_t round_magnitude(float x, bool toward_zero) {
  uint32_t u = bits_as<uint32_t>(x) & 0x7fffffffu;
  int exponent = int(u >> 23) - 127;
  uint32_t mantissa = (u & 0x7fffffu) | (u >> 23 ? 0x800000u : 0u);
  if ((u >> 23) == 0) exponent = -126;
  int shift = 23 - Mantissa;
  if (exponent < 1 - Bias) shift += 1 - Bias - exponent;
  if (shift > 25) shift = 25;
  uint32_t kept = mantissa >> shift, rest = mantissa & ((1u << shift) - 1), half = 1u << (shift - 1);
  if (!toward_zero && (rest > half || (rest == half && (kept & 1u)))) ++kept;
  // A carry out of the mantissa moves on into the exponent by itself.
  return exponent < 1 - Bias ? kept : (uint32_t(exponent + Bias - 1) << Mantissa) + kept;
}

PORTER_FN uint32_t cvt_rn_satfinite_e4m3(float x) {
  uint32_t sign = bits_as<uint32_t>(x) >> 24 & 0x80u;
  if (is_nan(x)) return 0x7f;
  if (!(x < 448.0f && x > -448.0f)) return sign | 0x7e;
  uint32_t v = round_magnitude<3, 7>(x, false);
  return sign | (v > 0x7e ? 0x7e : v);
}
PORTER_FN uint32_t cvt_rn_satfinite_e5m2(float x) {
  uint32_t sign = bits_as<uint32_t>(x) >> 24 & 0x80u;
  if (is_nan(x)) return 0x7f;
  if (!(x < 57344.0f && x > -57344.0f)) return sign | 0x7b;
  uint32_t v = round_magnitude<2, 15>(x, false);
  return sign | (v > 0x7b ? 0x7b : v);
}
// max(x, 0), NaN stays.
PORTER_FN float relu(float x) { return is_nan(x) || x > 0.0f ? x : 0.0f; }

PORTER_FN uint16_t cvt_rn_satfinite_e4m3x2(float high, float low) {
#ifdef PORTER_FP8_BY_FNUZ
  return uint16_t(fp8::encode_e4m3x2<true, false>(low, high));
#endif
  return uint16_t(cvt_rn_satfinite_e4m3(high) << 8 | cvt_rn_satfinite_e4m3(low));
}
PORTER_FN uint16_t cvt_rn_satfinite_e5m2x2(float high, float low) {
#ifdef PORTER_FP8_BY_FNUZ
  return uint16_t(fp8::encode_e5m2x2<true, false>(low, high));
#endif
  return uint16_t(cvt_rn_satfinite_e5m2(high) << 8 | cvt_rn_satfinite_e5m2(low));
}

PORTER_FN float cvt_f32_bf16(uint16_t a) { return bits_as<float>(uint32_t(a) << 16); }
PORTER_FN uint16_t cvt_rn_bf16_f32(float x) {
  uint32_t u = bits_as<uint32_t>(x);
  return is_nan(x) ? 0x7fff : uint16_t((u + 0x7fffu + (u >> 16 & 1u)) >> 16);
}
PORTER_FN uint16_t cvt_rz_bf16_f32(float x) { return is_nan(x) ? 0x7fff : uint16_t(bits_as<uint32_t>(x) >> 16); }
PORTER_FN uint32_t cvt_rn_bf16x2(float high, float low) { return uint32_t(cvt_rn_bf16_f32(high)) << 16 | cvt_rn_bf16_f32(low); }
PORTER_FN uint32_t cvt_rz_bf16x2(float high, float low) { return uint32_t(cvt_rz_bf16_f32(high)) << 16 | cvt_rz_bf16_f32(low); }

// Half precision by integer arithmetic where rounding is not to nearest.
PORTER_FN uint16_t cvt_rz_f16_f32(float x) {
  uint32_t u = bits_as<uint32_t>(x), sign = u >> 16 & 0x8000u;
  if (is_nan(x)) return 0x7fff;
  if ((u & 0x7fffffffu) == 0x7f800000u) return uint16_t(sign | 0x7c00);
  uint32_t v = (u >> 23 & 0xff) >= 143 ? 0x7bffu : round_magnitude<10, 15>(x, true);
  return uint16_t(sign | v);
}
PORTER_FN uint16_t cvt_rn_f16_f32(float x) { return bits_as<uint16_t>(_Float16(x)); }
PORTER_FN uint16_t cvt_rn_f16_f64(double x) { return bits_as<uint16_t>(_Float16(x)); }
PORTER_FN float cvt_f32_f16(uint16_t a) { return float(bits_as<_Float16>(a)); }
PORTER_FN double cvt_f64_f16(uint16_t a) { return double(bits_as<_Float16>(a)); }
PORTER_FN uint32_t cvt_rn_f16x2(float high, float low) { return uint32_t(cvt_rn_f16_f32(high)) << 16 | cvt_rn_f16_f32(low); }
PORTER_FN uint32_t cvt_rz_f16x2(float high, float low) { return uint32_t(cvt_rz_f16_f32(high)) << 16 | cvt_rz_f16_f32(low); }
PORTER_FN uint16_t relu_f16(uint16_t a) { return (a & 0x7fffu) > 0x7c00u ? 0x7fff : a & 0x8000u ? 0 : a; }
PORTER_FN uint16_t relu_bf16(uint16_t a) { return (a & 0x7fffu) > 0x7f80u ? 0x7fff : a & 0x8000u ? 0 : a; }
PORTER_FN uint32_t relu_f16x2(uint32_t a) { return uint32_t(relu_f16(uint16_t(a >> 16))) << 16 | relu_f16(uint16_t(a)); }
PORTER_FN uint32_t relu_bf16x2(uint32_t a) { return uint32_t(relu_bf16(uint16_t(a >> 16))) << 16 | relu_bf16(uint16_t(a)); }

PORTER_FN uint16_t cvt_rn_satfinite_e4m3x2_f16x2(uint32_t a) {
  return cvt_rn_satfinite_e4m3x2(cvt_f32_f16(uint16_t(a >> 16)), cvt_f32_f16(uint16_t(a)));
}
PORTER_FN uint16_t cvt_rn_satfinite_e5m2x2_f16x2(uint32_t a) {
  return cvt_rn_satfinite_e5m2x2(cvt_f32_f16(uint16_t(a >> 16)), cvt_f32_f16(uint16_t(a)));
}
// Both formats are exact in f16.
PORTER_FN uint16_t cvt_f16_e4m3(uint32_t a) {
  uint32_t magnitude = a & 0x7fu, sign = (a & 0x80u) << 8;
  if (magnitude == 0x7f) return 0x7fff;
  if (magnitude >= 8) return uint16_t(sign | ((magnitude << 7) + (8u << 10)));  // bias 15 for bias 7
  return uint16_t(sign | bits_as<uint16_t>(_Float16(float(magnitude) * 0x1p-9f)));
}
PORTER_FN uint32_t cvt_rn_f16x2_e4m3x2(uint16_t a) {
#ifdef PORTER_FP8_BY_FNUZ
  return fp8::decode_e4m3x2(a);
#endif
  return uint32_t(cvt_f16_e4m3(a >> 8)) << 16 | cvt_f16_e4m3(a & 0xffu);
}
PORTER_FN uint16_t cvt_f16_e5m2(uint32_t a) { return (a & 0x7fu) > 0x7cu ? 0x7fff : uint16_t(a << 8); }
PORTER_FN uint32_t cvt_rn_f16x2_e5m2x2(uint16_t a) {
#ifdef PORTER_FP8_BY_FNUZ
  return fp8::decode_e5m2x2(a);
#endif
  return uint32_t(cvt_f16_e5m2(a >> 8)) << 16 | cvt_f16_e5m2(a & 0xffu);
}

// tf32 is an f32 whose last 13 bits are zero. Away from zero NVIDIA's chips round numbers alone: of NaN they cut those bits off,
// and a NaN with nothing else set becomes infinite.
PORTER_FN uint32_t cvt_rna_tf32_f32(float x) {
  uint32_t u = bits_as<uint32_t>(x);
  return ((u & 0x7f800000u) == 0x7f800000u ? u : u + 0x1000u) & ~0x1fffu;
}
PORTER_FN uint32_t cvt_rn_tf32_f32(float x) {
  uint32_t u = bits_as<uint32_t>(x);
  return is_nan(x) ? 0x7fffe000u : (u + 0xfffu + (u >> 13 & 1u)) & ~0x1fffu;
}
PORTER_FN uint32_t cvt_rz_tf32_f32(float x) { return is_nan(x) ? 0x7fffe000u : bits_as<uint32_t>(x) & ~0x1fffu; }

// Between integers and floating point

// To an integer type: rounded by the caller, clamped to D's range. NaN gives 0, or the lowest
// integer with only the top bit set where f64 or 64-bit integers take part (PTX ISA, cvt).
template <class D, class F>
PORTER_FN D clamp_to(F x) {
  constexpr bool is_signed = D(-1) < D(0);
  constexpr int bits = int(sizeof(D)) * 8;
#if defined(__HIP_DEVICE_COMPILE__)
  if constexpr (bits == 32 && sizeof(F) == 4) {  // the instruction clamps, and gives 0 for NaN
    D d;
    if constexpr (is_signed)
      asm("v_cvt_i32_f32 %0, %1" : "=v"(d) : "v"(x));
    else
      asm("v_cvt_u32_f32 %0, %1" : "=v"(d) : "v"(x));
    return d;
  }
#endif
  constexpr D top = is_signed ? D(~uint64_t(0) >> (65 - bits)) : D(~uint64_t(0) >> (64 - bits));
  constexpr D bottom = is_signed ? D(-top - 1) : D(0);
  if (x != x) return bits == 64 || sizeof(F) == 8 ? D(uint64_t(1) << (bits - 1)) : D(0);
  const F limit = is_signed ? F(uint64_t(1) << (bits - 1)) : F(uint64_t(1) << (bits - 1)) * F(2);
  if (x >= limit) return top;
  if (is_signed ? x <= -limit : x <= F(0)) return bottom;
  return D(x);
}
template <class D>
PORTER_FN D cvt_rni(float x) { return clamp_to<D>(std::rint(x)); }
template <class D>
PORTER_FN D cvt_rzi(float x) { return clamp_to<D>(std::trunc(x)); }
template <class D>
PORTER_FN D cvt_rmi(float x) { return clamp_to<D>(std::floor(x)); }
template <class D>
PORTER_FN D cvt_rpi(float x) { return clamp_to<D>(std::ceil(x)); }
template <class D>
PORTER_FN D cvt_rni(double x) { return clamp_to<D>(std::rint(x)); }
template <class D>
PORTER_FN D cvt_rzi(double x) { return clamp_to<D>(std::trunc(x)); }
template <class D>
PORTER_FN D cvt_rmi(double x) { return clamp_to<D>(std::floor(x)); }
template <class D>
PORTER_FN D cvt_rpi(double x) { return clamp_to<D>(std::ceil(x)); }

// From an integer with a rounding that C++ does not offer.
enum class rounding { rn, rz, rm, rp };

template <rounding R, int Bits>  // the magnitude, rounded to Bits significant bits
PORTER_FN uint64_t round_integer(uint64_t magnitude, bool negative, bool& carried) {
  carried = false;
  int spare = 64 - Bits - (magnitude == 0 ? 63 : int(clz_b64(magnitude)));
  if (spare <= 0) return magnitude;
  uint64_t rest = magnitude & ((uint64_t(1) << spare) - 1), kept = magnitude >> spare, half = uint64_t(1) << (spare - 1);
  bool up = false;
  if (R == rounding::rn) up = rest > half || (rest == half && (kept & 1));
  if (R == rounding::rm) up = negative && rest != 0;
  if (R == rounding::rp) up = !negative && rest != 0;
  kept += up;
  carried = spare + Bits == 64 && kept == uint64_t(1) << Bits;  // 2^64
  return carried ? 0 : kept << spare;
}
template <rounding R, class F, class A>
PORTER_FN F cvt_from_int(A a) {
  bool negative = A(-1) < A(0) && a < A(0), carried;
  uint64_t magnitude = negative ? uint64_t(0) - uint64_t(int64_t(a)) : uint64_t(a);
  uint64_t rounded = round_integer<R, sizeof(F) == 4 ? 24 : 53>(magnitude, negative, carried);
  F x = carried ? F(0x1p64) : F(rounded);  // exact: no more than 24 or 53 bits are left
  return negative ? -x : x;
}
template <class A>
PORTER_FN float cvt_rz_f32(A a) { return cvt_from_int<rounding::rz, float>(a); }
template <class A>
PORTER_FN float cvt_rm_f32(A a) { return cvt_from_int<rounding::rm, float>(a); }
template <class A>
PORTER_FN float cvt_rp_f32(A a) { return cvt_from_int<rounding::rp, float>(a); }
template <class A>
PORTER_FN double cvt_rz_f64(A a) { return cvt_from_int<rounding::rz, double>(a); }
template <class A>
PORTER_FN double cvt_rm_f64(A a) { return cvt_from_int<rounding::rm, double>(a); }
template <class A>
PORTER_FN double cvt_rp_f64(A a) { return cvt_from_int<rounding::rp, double>(a); }
// Every integer that f16 can hold or round to is exact in f64, larger ones are infinite anyway.
template <class A>
PORTER_FN uint16_t cvt_rn_f16(A a) { return cvt_rn_f16_f64(double(a)); }
template <class A>
PORTER_FN uint16_t cvt_rn_bf16(A a) {  // f32 rounded to odd keeps what the second rounding must know
  bool negative = A(-1) < A(0) && a < A(0), carried;
  uint64_t magnitude = negative ? uint64_t(0) - uint64_t(int64_t(a)) : uint64_t(a);
  uint64_t rounded = round_integer<rounding::rn, 8>(magnitude, negative, carried);
  float x = carried ? 0x1p64f : float(rounded);
  return cvt_rn_bf16_f32(negative ? -x : x);
}

// Minimum, maximum, comparisons

// One NaN loses against a number; -0 is less than +0.
PORTER_FN float min_f32(float a, float b) {
  if (is_nan(a)) return b;
  if (is_nan(b)) return a;
  if (a == b) return bits_as<float>(bits_as<uint32_t>(a) | bits_as<uint32_t>(b));
  return a < b ? a : b;
}
PORTER_FN float max_f32(float a, float b) {
  if (is_nan(a)) return b;
  if (is_nan(b)) return a;
  if (a == b) return bits_as<float>(bits_as<uint32_t>(a) & bits_as<uint32_t>(b));
  return a > b ? a : b;
}
// .NaN: a NaN wins.
PORTER_FN float nan_f32() { return bits_as<float>(0x7fffffffu); }
PORTER_FN float min_nan_f32(float a, float b) { return is_nan(a) || is_nan(b) ? nan_f32() : min_f32(a, b); }
PORTER_FN float max_nan_f32(float a, float b) { return is_nan(a) || is_nan(b) ? nan_f32() : max_f32(a, b); }
PORTER_FN float sign_of_product(float magnitude, float a, float b) {
  uint32_t sign = (bits_as<uint32_t>(a) ^ bits_as<uint32_t>(b)) & 0x80000000u;
  return bits_as<float>((bits_as<uint32_t>(magnitude) & 0x7fffffffu) | sign);
}
PORTER_FN float absolute(float a) { return bits_as<float>(bits_as<uint32_t>(a) & 0x7fffffffu); }
PORTER_FN float min_xorsign_abs_f32(float a, float b) { return sign_of_product(min_f32(absolute(a), absolute(b)), a, b); }
PORTER_FN float max_xorsign_abs_f32(float a, float b) { return sign_of_product(max_f32(absolute(a), absolute(b)), a, b); }

// testp
PORTER_FN bool is_normal(float x) {
  uint32_t e = bits_as<uint32_t>(x) >> 23 & 0xff;
  return e != 0 && e != 0xff;
}
PORTER_FN bool is_normal(double x) {
  uint64_t e = bits_as<uint64_t>(x) >> 52 & 0x7ff;
  return e != 0 && e != 0x7ff;
}
PORTER_FN bool is_subnormal(float x) { return (bits_as<uint32_t>(x) >> 23 & 0xff) == 0 && x != 0.0f; }
PORTER_FN bool is_subnormal(double x) { return (bits_as<uint64_t>(x) >> 52 & 0x7ff) == 0 && x != 0.0; }
PORTER_FN bool is_infinite(float x) { return (bits_as<uint32_t>(x) & 0x7fffffffu) == 0x7f800000u; }
PORTER_FN bool is_infinite(double x) { return (bits_as<uint64_t>(x) << 1) == uint64_t(0x7ff) << 53; }

// Half precision. The arithmetic rounds once: f16 by the hardware's own instructions, bf16 in f32,
// which has more than twice the bits, so that the second rounding cannot go wrong for + and -.
PORTER_FN uint16_t f16_bits(_Float16 x) { return bits_as<uint16_t>(x); }
PORTER_FN _Float16 f16(uint16_t a) { return bits_as<_Float16>(a); }

PORTER_FN uint16_t fma_bf16(uint16_t a, uint16_t b, uint16_t c) {
  float x = cvt_f32_bf16(a), y = cvt_f32_bf16(b), z = cvt_f32_bf16(c);
  float s = __builtin_fmaf(x, y, z);
  uint32_t u = bits_as<uint32_t>(s);
  // Only on the middle between two bf16 numbers does it matter what the first rounding cut off.
  if ((u & 0xffffu) == 0x8000u && !is_nan(s) && !is_infinite(s)) {
    double product = double(x) * double(y);  // exact
    double sum = product + double(z);
    double part = sum - product;
    double error = (product - (sum - part)) + (double(z) - part);
    double excess = (sum - double(s)) + error;
    if (excess != 0.0) u += (excess > 0.0) == (s > 0.0f) ? 1 : -1;
    s = bits_as<float>(u);
  }
  return cvt_rn_bf16_f32(s);
}

#define PORTER_HALF_OP(name, f16_expression, bf16_expression)                                             \
  PORTER_FN uint16_t name##_f16(uint16_t a, uint16_t b) {                                                 \
    _Float16 x = f16(a), y = f16(b);                                                                      \
    return f16_bits(f16_expression);                                                                      \
  }                                                                                                       \
  PORTER_FN uint16_t name##_bf16(uint16_t a, uint16_t b) {                                                \
    float x = cvt_f32_bf16(a), y = cvt_f32_bf16(b);                                                       \
    return cvt_rn_bf16_f32(bf16_expression);                                                              \
  }
PORTER_HALF_OP(add, x + y, x + y)
PORTER_HALF_OP(sub, x - y, x - y)
#undef PORTER_HALF_OP
PORTER_FN uint16_t mul_f16(uint16_t a, uint16_t b) { return f16_bits(f16(a) * f16(b)); }
PORTER_FN uint16_t mul_bf16(uint16_t a, uint16_t b) { return fma_bf16(a, b, 0x8000); }
PORTER_FN uint16_t min_f16(uint16_t a, uint16_t b) { return cvt_rn_f16_f32(min_f32(cvt_f32_f16(a), cvt_f32_f16(b))); }
PORTER_FN uint16_t max_f16(uint16_t a, uint16_t b) { return cvt_rn_f16_f32(max_f32(cvt_f32_f16(a), cvt_f32_f16(b))); }
PORTER_FN uint16_t min_bf16(uint16_t a, uint16_t b) { return cvt_rn_bf16_f32(min_f32(cvt_f32_bf16(a), cvt_f32_bf16(b))); }
PORTER_FN uint16_t max_bf16(uint16_t a, uint16_t b) { return cvt_rn_bf16_f32(max_f32(cvt_f32_bf16(a), cvt_f32_bf16(b))); }
PORTER_FN uint16_t min_nan_f16(uint16_t a, uint16_t b) { return cvt_rn_f16_f32(min_nan_f32(cvt_f32_f16(a), cvt_f32_f16(b))); }
PORTER_FN uint16_t max_nan_f16(uint16_t a, uint16_t b) { return cvt_rn_f16_f32(max_nan_f32(cvt_f32_f16(a), cvt_f32_f16(b))); }
PORTER_FN uint16_t min_nan_bf16(uint16_t a, uint16_t b) { return cvt_rn_bf16_f32(min_nan_f32(cvt_f32_bf16(a), cvt_f32_bf16(b))); }
PORTER_FN uint16_t max_nan_bf16(uint16_t a, uint16_t b) { return cvt_rn_bf16_f32(max_nan_f32(cvt_f32_bf16(a), cvt_f32_bf16(b))); }
PORTER_FN uint16_t sat_f16(uint16_t a) { return cvt_rn_f16_f32(saturate(cvt_f32_f16(a))); }
PORTER_FN uint16_t fma_f16(uint16_t a, uint16_t b, uint16_t c) {
#if defined(__HIP_DEVICE_COMPILE__)
  return f16_bits(__builtin_elementwise_fma(f16(a), f16(b), f16(c)));
#else
  return cvt_rn_f16_f64(__builtin_fma(cvt_f64_f16(a), cvt_f64_f16(b), cvt_f64_f16(c)));
#endif
}

#define PORTER_PAIR(name, one)                                                                            \
  PORTER_FN uint32_t name##x2(uint32_t a, uint32_t b) {                                                   \
    return uint32_t(one(uint16_t(a >> 16), uint16_t(b >> 16))) << 16 | one(uint16_t(a), uint16_t(b));     \
  }
PORTER_PAIR(add_bf16, add_bf16)
PORTER_PAIR(sub_bf16, sub_bf16)
PORTER_PAIR(mul_bf16, mul_bf16)
PORTER_PAIR(min_bf16, min_bf16)
PORTER_PAIR(max_bf16, max_bf16)
PORTER_PAIR(min_nan_bf16, min_nan_bf16)
PORTER_PAIR(max_nan_bf16, max_nan_bf16)
PORTER_PAIR(min_f16, min_f16)
PORTER_PAIR(max_f16, max_f16)
PORTER_PAIR(min_nan_f16, min_nan_f16)
PORTER_PAIR(max_nan_f16, max_nan_f16)
#if !defined(__clang__)
PORTER_PAIR(add_f16, add_f16)
PORTER_PAIR(sub_f16, sub_f16)
PORTER_PAIR(mul_f16, mul_f16)
#else
typedef _Float16 f16_pair __attribute__((ext_vector_type(2)));
PORTER_FN uint32_t add_f16x2(uint32_t a, uint32_t b) { return bits_as<uint32_t>(bits_as<f16_pair>(a) + bits_as<f16_pair>(b)); }
PORTER_FN uint32_t sub_f16x2(uint32_t a, uint32_t b) { return bits_as<uint32_t>(bits_as<f16_pair>(a) - bits_as<f16_pair>(b)); }
PORTER_FN uint32_t mul_f16x2(uint32_t a, uint32_t b) { return bits_as<uint32_t>(bits_as<f16_pair>(a) * bits_as<f16_pair>(b)); }
#endif
#undef PORTER_PAIR
PORTER_FN uint32_t sat_f16x2(uint32_t a) { return uint32_t(sat_f16(uint16_t(a >> 16))) << 16 | sat_f16(uint16_t(a)); }
PORTER_FN uint32_t fma_f16x2(uint32_t a, uint32_t b, uint32_t c) {
#if defined(__HIP_DEVICE_COMPILE__)
  return bits_as<uint32_t>(__builtin_elementwise_fma(bits_as<f16_pair>(a), bits_as<f16_pair>(b), bits_as<f16_pair>(c)));
#else
  return uint32_t(fma_f16(uint16_t(a >> 16), uint16_t(b >> 16), uint16_t(c >> 16))) << 16 | fma_f16(uint16_t(a), uint16_t(b), uint16_t(c));
#endif
}
PORTER_FN uint32_t fma_bf16x2(uint32_t a, uint32_t b, uint32_t c) {
  return uint32_t(fma_bf16(uint16_t(a >> 16), uint16_t(b >> 16), uint16_t(c >> 16))) << 16 | fma_bf16(uint16_t(a), uint16_t(b), uint16_t(c));
}

#if defined(__HIP__)

// No fused multiply-add may be made out of these: .rn says so.
__device__ inline float add_rn(float a, float b) {
#pragma clang fp contract(off)
  return a + b;
}
__device__ inline float sub_rn(float a, float b) {
#pragma clang fp contract(off)
  return a - b;
}
__device__ inline float mul_rn(float a, float b) {
#pragma clang fp contract(off)
  return a * b;
}
__device__ inline double add_rn(double a, double b) {
#pragma clang fp contract(off)
  return a + b;
}
__device__ inline double sub_rn(double a, double b) {
#pragma clang fp contract(off)
  return a - b;
}
__device__ inline double mul_rn(double a, double b) {
#pragma clang fp contract(off)
  return a * b;
}

// Two f32 in 64 bits, each rounded on its own and never fused unless it is an fma.
PORTER_FN uint64_t pair_f32(float low, float high) { return bits_as<uint32_t>(low) | uint64_t(bits_as<uint32_t>(high)) << 32; }
PORTER_FN float low_f32(uint64_t a) { return bits_as<float>(uint32_t(a)); }
PORTER_FN float high_f32(uint64_t a) { return bits_as<float>(uint32_t(a >> 32)); }
PORTER_FN uint64_t ftz_f32x2(uint64_t a) { return pair_f32(ftz(low_f32(a)), ftz(high_f32(a))); }
__device__ inline uint64_t add_f32x2(uint64_t a, uint64_t b) { return pair_f32(add_rn(low_f32(a), low_f32(b)), add_rn(high_f32(a), high_f32(b))); }
__device__ inline uint64_t sub_f32x2(uint64_t a, uint64_t b) { return pair_f32(sub_rn(low_f32(a), low_f32(b)), sub_rn(high_f32(a), high_f32(b))); }
__device__ inline uint64_t mul_f32x2(uint64_t a, uint64_t b) { return pair_f32(mul_rn(low_f32(a), low_f32(b)), mul_rn(high_f32(a), high_f32(b))); }
__device__ inline uint64_t fma_f32x2(uint64_t a, uint64_t b, uint64_t c) {
  return pair_f32(fmaf(low_f32(a), low_f32(b), low_f32(c)), fmaf(high_f32(a), high_f32(b), high_f32(c)));
}

// Directed rounding is a mode of the wave: MODE bits 0-1 for f32, 2-3 for f64 and f16; 0 to nearest,
// 1 up, 2 down, 3 toward zero. It is set for one instruction and set back (CDNA3 ISA, MODE register).
#define PORTER_IN_MODE(mode, instruction)                                       \
  "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), " mode "\n\t" instruction      \
  "\n\ts_nop 1\n\ts_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0"
#define PORTER_DIRECTED(suffix, mode)                                                                      \
  __device__ inline float add_##suffix(float a, float b) {                                                \
    float d;                                                                                              \
    asm(PORTER_IN_MODE(mode, "v_add_f32 %0, %1, %2") : "=&v"(d) : "v"(a), "v"(b));                         \
    return d;                                                                                             \
  }                                                                                                       \
  __device__ inline float sub_##suffix(float a, float b) { return add_##suffix(a, -b); }                   \
  __device__ inline float mul_##suffix(float a, float b) {                                                \
    float d;                                                                                              \
    asm(PORTER_IN_MODE(mode, "v_mul_f32 %0, %1, %2") : "=&v"(d) : "v"(a), "v"(b));                         \
    return d;                                                                                             \
  }                                                                                                       \
  __device__ inline float fma_##suffix(float a, float b, float c) {                                       \
    float d;                                                                                              \
    asm(PORTER_IN_MODE(mode, "v_fma_f32 %0, %1, %2, %3") : "=&v"(d) : "v"(a), "v"(b), "v"(c));             \
    return d;                                                                                             \
  }                                                                                                       \
  __device__ inline double add_##suffix(double a, double b) {                                             \
    double d;                                                                                             \
    asm(PORTER_IN_MODE(mode, "v_add_f64 %0, %1, %2") : "=&v"(d) : "v"(a), "v"(b));                         \
    return d;                                                                                             \
  }                                                                                                       \
  __device__ inline double sub_##suffix(double a, double b) { return add_##suffix(a, -b); }                \
  __device__ inline double mul_##suffix(double a, double b) {                                             \
    double d;                                                                                             \
    asm(PORTER_IN_MODE(mode, "v_mul_f64 %0, %1, %2") : "=&v"(d) : "v"(a), "v"(b));                         \
    return d;                                                                                             \
  }                                                                                                       \
  __device__ inline double fma_##suffix(double a, double b, double c) {                                   \
    double d;                                                                                             \
    asm(PORTER_IN_MODE(mode, "v_fma_f64 %0, %1, %2, %3") : "=&v"(d) : "v"(a), "v"(b), "v"(c));             \
    return d;                                                                                             \
  }                                                                                                       \
  __device__ inline float cvt_##suffix##_f32_f64(double a) {                                              \
    float d;                                                                                              \
    asm(PORTER_IN_MODE(mode, "v_cvt_f32_f64 %0, %1") : "=&v"(d) : "v"(a));                                 \
    return d;                                                                                             \
  }                                                                                                       \
  /* A quotient or root of f32 numbers in f64 lies on the side of every f32 number that the exact one */  \
  /* lies on, so the directed rounding of it is exact. */                                                 \
  __device__ inline float div_##suffix(float a, float b) { return cvt_##suffix##_f32_f64(double(a) / b); } \
  __device__ inline float sqrt_##suffix(float a) { return cvt_##suffix##_f32_f64(::sqrt(double(a))); }
PORTER_DIRECTED(rp, "5")
PORTER_DIRECTED(rm, "10")
PORTER_DIRECTED(rz, "15")
#undef PORTER_DIRECTED
#undef PORTER_IN_MODE

// Approximations: the GPU's own, of 1 ulp. They flush subnormals, as .ftz asks; the forms without
// .ftz move subnormal arguments and results through the normal range.
__device__ inline float rcp_approx_ftz(float x) { return __builtin_amdgcn_rcpf(x); }
__device__ inline float rcp_approx(float x) {
  float size = absolute(x);
  float scale = size < 0x1p-126f ? 0x1p24f : size > 0x1p126f && !is_infinite(x) ? 0x1p-24f : 1.0f;
  return __builtin_amdgcn_rcpf(x * scale) * scale;
}
__device__ inline double rcp_approx_ftz(double x) {
  uint64_t u = bits_as<uint64_t>(__builtin_amdgcn_rcp(is_subnormal(x) ? x * 0.0 : x));
  double d = bits_as<double>(u & ~uint64_t(0xffffffffu));
  return is_subnormal(d) ? d * 0.0 : d;
}
__device__ inline float rsqrt_approx_ftz(float x) { return __builtin_amdgcn_rsqf(x); }
__device__ inline float rsqrt_approx(float x) {
  return is_subnormal(x) ? __builtin_amdgcn_rsqf(x * 0x1p24f) * 0x1p12f : __builtin_amdgcn_rsqf(x);
}
__device__ inline double rsqrt_approx_f64(double x) { return __builtin_amdgcn_rsq(x); }
__device__ inline float sqrt_approx_ftz(float x) { return __builtin_amdgcn_sqrtf(ftz(x)); }
__device__ inline float sqrt_approx(float x) {
  return is_subnormal(x) ? __builtin_amdgcn_sqrtf(x * 0x1p24f) * 0x1p-12f : __builtin_amdgcn_sqrtf(x);
}
__device__ inline float ex2_approx_ftz(float x) { return __builtin_amdgcn_exp2f(x); }
__device__ inline float ex2_approx(float x) {
  return x < -126.0f ? __builtin_amdgcn_exp2f(x + 64.0f) * 0x1p-64f : __builtin_amdgcn_exp2f(x);
}
__device__ inline float lg2_approx_ftz(float x) { return __builtin_amdgcn_logf(x); }
__device__ inline float lg2_approx(float x) {
  return is_subnormal(x) ? __builtin_amdgcn_logf(x * 0x1p32f) - 32.0f : __builtin_amdgcn_logf(x);
}
// The GPU counts in turns and takes up to 256 of them.
__device__ inline float turns(float x) {
  float t = x * 0.15915494309189535f;
  return absolute(t) < 256.0f ? t : __builtin_amdgcn_fractf(t);
}
__device__ inline float sin_approx(float x) { return __builtin_amdgcn_sinf(turns(x)); }
__device__ inline float cos_approx(float x) { return __builtin_amdgcn_cosf(turns(x)); }
__device__ inline float div_approx(float a, float b) { return a * __builtin_amdgcn_rcpf(b); }
// Within 2^-11 of tanh, in relative terms: a polynomial near 0, where the exponential form cancels.
__device__ inline float tanh_approx(float x) {
  float y = absolute(x), square = x * x;
  float far = 1.0f - 2.0f * __builtin_amdgcn_rcpf(__builtin_amdgcn_exp2f(y * 2.885390081777927f) + 1.0f);
  float near = y * (1.0f + square * (-0.333333333f + square * (0.133333333f - square * 0.053968254f)));
  return bits_as<float>((bits_as<uint32_t>(y < 0.25f ? near : far) & 0x7fffffffu) | (bits_as<uint32_t>(x) & 0x80000000u));
}
__device__ inline uint16_t ex2_approx_f16(uint16_t a) { return cvt_rn_f16_f32(ex2_approx_ftz(cvt_f32_f16(a))); }
__device__ inline uint16_t ex2_approx_bf16(uint16_t a) { return cvt_rn_bf16_f32(ex2_approx_ftz(ftz(cvt_f32_bf16(a)))); }
__device__ inline uint16_t tanh_approx_f16(uint16_t a) { return cvt_rn_f16_f32(tanh_approx(cvt_f32_f16(a))); }
__device__ inline uint16_t tanh_approx_bf16(uint16_t a) { return cvt_rn_bf16_f32(tanh_approx(cvt_f32_bf16(a))); }
#define PORTER_BOTH(name) \
  __device__ inline uint32_t name##x2(uint32_t a) { return uint32_t(name(uint16_t(a >> 16))) << 16 | name(uint16_t(a)); }
PORTER_BOTH(ex2_approx_f16)
PORTER_BOTH(ex2_approx_bf16)
PORTER_BOTH(tanh_approx_f16)
PORTER_BOTH(tanh_approx_bf16)
#undef PORTER_BOTH

#endif  // __HIP__

}  // namespace porter

#endif  // PORTER_PTX_FLOAT_H
