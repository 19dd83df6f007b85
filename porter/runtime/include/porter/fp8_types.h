// porter runtime: CUDA's fp8 types and their conversions, on both sides, with OCP's encoding.
//
// HIP has types of that encoding too (__hip_fp8_e4m3, __hip_fp8_e5m2), but for gfx942 they are of the host alone: device
// code that names a constructor or a conversion of one does not compile. Its conversions of single numbers
// (__hip_cvt_float_to_fp8) compile there and trap, or give FNUZ's codes.
#ifndef PORTER_FP8_TYPES_H
#define PORTER_FP8_TYPES_H

#include <hip/hip_runtime.h>
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_fp8.h>  // the storage types and the enumerations

#include <type_traits>

#include "half_bits.h"
#include "round_to_odd.h"

namespace porter {
namespace fp8 {

using kind = __hip_fp8_interpretation_t;

// Where the result is not clamped, what is too large becomes infinity, and NaN in e4m3.
template <int Mantissa, int Bias>
PORTER_FN unsigned char unclamped(float x, unsigned beyond) {
  unsigned sign = bits_as<uint32_t>(x) >> 24 & 0x80u;
  if (is_nan(x)) return 0x7f;
  unsigned code = (bits_as<uint32_t>(x) & 0x7fffffffu) == 0x7f800000u ? beyond : round_magnitude<Mantissa, Bias>(x, false);
  return static_cast<unsigned char>(sign | (code < beyond ? code : beyond));
}
// Two numbers' codes, the low one in the low byte. A NaN's is 0x7f, whatever its sign.
PORTER_FN __hip_fp8x2_storage_t pair_of(float low, float high, bool clamped, kind k) {
  if (clamped) return k == __HIP_E5M2 ? cvt_rn_satfinite_e5m2x2(high, low) : cvt_rn_satfinite_e4m3x2(high, low);
#ifdef PORTER_FP8_BY_FNUZ
  return static_cast<__hip_fp8x2_storage_t>(k == __HIP_E5M2 ? encode_e5m2x2<false, false>(low, high)
                                                            : encode_e4m3x2<false, false>(low, high));
#endif
  if (k == __HIP_E5M2)
    return static_cast<__hip_fp8x2_storage_t>(unclamped<2, 15>(low, 0x7c) | unclamped<2, 15>(high, 0x7c) << 8);
  return static_cast<__hip_fp8x2_storage_t>(unclamped<3, 7>(low, 0x7f) | unclamped<3, 7>(high, 0x7f) << 8);
}
PORTER_FN __hip_fp8_storage_t code_of(float x, bool clamped, kind k) {
  return static_cast<__hip_fp8_storage_t>(pair_of(x, x, clamped, k));
}
// CUDA takes doubles by another way, which keeps a NaN's sign and, in e5m2, its first bits.
PORTER_FN __hip_fp8_storage_t code_of(double x, bool clamped, kind k) {
  if (!is_nan(x)) return code_of(round_to_odd(x), clamped, k);
  uint64_t bits = bits_as<uint64_t>(x);
  unsigned sign = static_cast<unsigned>(bits >> 56) & 0x80u;
  return static_cast<__hip_fp8_storage_t>(sign | (k == __HIP_E5M2 ? 0x7eu | (static_cast<unsigned>(bits >> 50) & 3u) : 0x7fu));
}
PORTER_FN uint32_t halves_of(__hip_fp8x2_storage_t codes, kind k) {
  return k == __HIP_E5M2 ? cvt_rn_f16x2_e5m2x2(codes) : cvt_rn_f16x2_e4m3x2(codes);
}
PORTER_FN float2 floats_of(__hip_fp8x2_storage_t codes, kind k) {
  uint32_t halves = halves_of(codes, k);
  return make_float2(cvt_f32_f16(uint16_t(halves)), cvt_f32_f16(uint16_t(halves >> 16)));
}
PORTER_FN float float_of(__hip_fp8_storage_t code, kind k) { return cvt_f32_f16(uint16_t(halves_of(code, k))); }

// Toward zero, and clamped; NaN becomes 0, and the least integer where there are 64 bits.
template <class T>
PORTER_FN T integer_of(float x) {
  constexpr T low = std::is_signed<T>::value ? T(T(1) << (sizeof(T) * 8 - 1)) : T(0), high = T(~low);
  if (is_nan(x)) return sizeof(T) == 8 ? T(T(1) << 63) : T(0);
  if (x <= static_cast<float>(low)) return low;
  if (x >= static_cast<float>(high)) return high;
  return static_cast<T>(x);
}

template <kind K>
struct one {
  __hip_fp8_storage_t __x;
  one() = default;
  explicit PORTER_FN one(float x) : __x(code_of(x, true, K)) {}
  explicit PORTER_FN one(double x) : __x(code_of(x, true, K)) {}
  explicit PORTER_FN one(__half x) : one(cvt_f32_f16(half_from<uint16_t>(x))) {}
  explicit PORTER_FN one(__hip_bfloat16 x) : one(cvt_f32_bf16(half_from<uint16_t>(x))) {}
  template <class T, std::enable_if_t<std::is_integral<T>::value> * = nullptr>
  explicit PORTER_FN one(T x) : one(round_to_odd(x)) {}
  explicit PORTER_FN operator float() const { return float_of(__x, K); }
  explicit PORTER_FN operator double() const { return float_of(__x, K); }
  explicit PORTER_FN operator __half() const { return half_from<__half>(uint16_t(halves_of(__x, K))); }
  explicit PORTER_FN operator __hip_bfloat16() const {
    return half_from<__hip_bfloat16>(cvt_rz_bf16_f32(float_of(__x, K)));
  }
  explicit PORTER_FN operator bool() const { return (__x & 0x7f) != 0; }
  template <class T, std::enable_if_t<std::is_integral<T>::value && !std::is_same<T, bool>::value> * = nullptr>
  explicit PORTER_FN operator T() const {
    return integer_of<T>(float_of(__x, K));
  }
};

template <kind K>
struct two {
  union {  // what is in a union may be read as another type, float4 say
    __hip_fp8x2_storage_t __x;
  };
  two() = default;
  explicit PORTER_FN two(float2 x) : __x(pair_of(x.x, x.y, true, K)) {}
  explicit PORTER_FN two(double2 x)
      : __x(static_cast<__hip_fp8x2_storage_t>(code_of(x.x, true, K) | code_of(x.y, true, K) << 8)) {}
  explicit PORTER_FN two(__half2 x) : two(make_float2(cvt_f32_f16(low(x)), cvt_f32_f16(high(x)))) {}
  explicit PORTER_FN two(__hip_bfloat162 x) : two(make_float2(cvt_f32_bf16(low(x)), cvt_f32_bf16(high(x)))) {}
  explicit PORTER_FN operator float2() const { return floats_of(__x, K); }
  explicit PORTER_FN operator __half2() const { return half_from<__half2>(halves_of(__x, K)); }

 private:
  template <class H>
  static PORTER_FN uint16_t low(H pair) { return uint16_t(half_from<uint32_t>(pair)); }
  template <class H>
  static PORTER_FN uint16_t high(H pair) { return uint16_t(half_from<uint32_t>(pair) >> 16); }
};

template <kind K>
struct four {
  union {
    __hip_fp8x4_storage_t __x;
  };
  four() = default;
  explicit PORTER_FN four(float4 x) : four(two<K>(make_float2(x.x, x.y)), two<K>(make_float2(x.z, x.w))) {}
  explicit PORTER_FN four(double4 x) : four(two<K>(make_double2(x.x, x.y)), two<K>(make_double2(x.z, x.w))) {}
  explicit PORTER_FN four(__half2 low, __half2 high) : four(two<K>(low), two<K>(high)) {}
  explicit PORTER_FN four(__hip_bfloat162 low, __hip_bfloat162 high) : four(two<K>(low), two<K>(high)) {}
  explicit PORTER_FN operator float4() const {
    float2 low = floats_of(__hip_fp8x2_storage_t(__x), K), high = floats_of(__hip_fp8x2_storage_t(__x >> 16), K);
    return make_float4(low.x, low.y, high.x, high.y);
  }

 private:
  PORTER_FN four(two<K> low, two<K> high) : __x(low.__x | static_cast<unsigned>(high.__x) << 16) {}
};

}  // namespace fp8

struct fp8_e4m3 : fp8::one<__HIP_E4M3> { using fp8::one<__HIP_E4M3>::one; };
struct fp8_e5m2 : fp8::one<__HIP_E5M2> { using fp8::one<__HIP_E5M2>::one; };
struct fp8x2_e4m3 : fp8::two<__HIP_E4M3> { using fp8::two<__HIP_E4M3>::two; };
struct fp8x2_e5m2 : fp8::two<__HIP_E5M2> { using fp8::two<__HIP_E5M2>::two; };
struct fp8x4_e4m3 : fp8::four<__HIP_E4M3> { using fp8::four<__HIP_E4M3>::four; };
struct fp8x4_e5m2 : fp8::four<__HIP_E5M2> { using fp8::four<__HIP_E5M2>::four; };
static_assert(sizeof(fp8_e4m3) == 1 && sizeof(fp8x2_e4m3) == 2 && sizeof(fp8x4_e4m3) == 4, "no more than their codes");
static_assert(std::is_trivially_copyable<fp8x4_e5m2>::value && std::is_standard_layout<fp8x4_e5m2>::value, "as plain data");

PORTER_FN __hip_fp8_storage_t cvt_float_to_fp8(float x, __hip_saturation_t s, fp8::kind k) {
  return fp8::code_of(x, s == __HIP_SATFINITE, k);
}
PORTER_FN __hip_fp8_storage_t cvt_double_to_fp8(double x, __hip_saturation_t s, fp8::kind k) {
  return fp8::code_of(x, s == __HIP_SATFINITE, k);
}
PORTER_FN __hip_fp8_storage_t cvt_halfraw_to_fp8(__half_raw x, __hip_saturation_t s, fp8::kind k) {
  return fp8::code_of(cvt_f32_f16(x.x), s == __HIP_SATFINITE, k);
}
PORTER_FN __hip_fp8_storage_t cvt_bfloat16raw_to_fp8(__hip_bfloat16_raw x, __hip_saturation_t s, fp8::kind k) {
  return fp8::code_of(cvt_f32_bf16(x.x), s == __HIP_SATFINITE, k);
}
PORTER_FN __hip_fp8x2_storage_t cvt_float2_to_fp8x2(float2 x, __hip_saturation_t s, fp8::kind k) {
  return fp8::pair_of(x.x, x.y, s == __HIP_SATFINITE, k);
}
PORTER_FN __hip_fp8x2_storage_t cvt_double2_to_fp8x2(double2 x, __hip_saturation_t s, fp8::kind k) {
  return static_cast<__hip_fp8x2_storage_t>(cvt_double_to_fp8(x.x, s, k) | cvt_double_to_fp8(x.y, s, k) << 8);
}
PORTER_FN __hip_fp8x2_storage_t cvt_halfraw2_to_fp8x2(__half2_raw x, __hip_saturation_t s, fp8::kind k) {
  uint32_t bits = half_from<uint32_t>(x);
  return fp8::pair_of(cvt_f32_f16(uint16_t(bits)), cvt_f32_f16(uint16_t(bits >> 16)), s == __HIP_SATFINITE, k);
}
PORTER_FN __hip_fp8x2_storage_t cvt_bfloat16raw2_to_fp8x2(__hip_bfloat162_raw x, __hip_saturation_t s, fp8::kind k) {
  return fp8::pair_of(cvt_f32_bf16(x.x), cvt_f32_bf16(x.y), s == __HIP_SATFINITE, k);
}
PORTER_FN __half_raw cvt_fp8_to_halfraw(__hip_fp8_storage_t x, fp8::kind k) {
  return half_from<__half_raw>(uint16_t(fp8::halves_of(x, k)));
}
PORTER_FN __half2_raw cvt_fp8x2_to_halfraw2(__hip_fp8x2_storage_t x, fp8::kind k) {
  return half_from<__half2_raw>(fp8::halves_of(x, k));
}

}  // namespace porter

#endif  // PORTER_FP8_TYPES_H
