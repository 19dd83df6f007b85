// porter's stand-in for HIP's hip_fp8.h; HIP's own is taken where it is found.
//
// gfx942 converts the FNUZ formats (bias 8 and 16, no infinity, no negative zero, 0x80 is NaN) in hardware; the host does
// all in integer arithmetic. As in HIP the types of the OCP formats are the host's alone on gfx942, and conversions to and
// from those formats trap there: ports have porter/fp8_types.h.
#ifndef PORTER_HIP_FP8_H  // no #pragma once: the next one may be this file again, by another folder
#pragma clang system_header

#if __has_include_next(<hip/hip_fp8.h>)
#include_next <hip/hip_fp8.h>
#else
#define PORTER_HIP_FP8_H

#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

#include "../porter/round_to_odd.h"

#define PORTER_HD __host__ __device__ inline

#define HIP_FP8_TYPE_FNUZ 1
#if defined(__HIP_DEVICE_COMPILE__)
#define HIP_FP8_TYPE_OCP 0
#define HIP_FP8_CVT_FAST_PATH 1
#else
#define HIP_FP8_TYPE_OCP 1
#define HIP_FP8_CVT_FAST_PATH 0
#endif

typedef unsigned char __hip_fp8_storage_t;
typedef unsigned short int __hip_fp8x2_storage_t;
typedef unsigned int __hip_fp8x4_storage_t;

enum __hip_saturation_t { __HIP_NOSAT = 0, __HIP_SATFINITE = 1 };
enum __hip_fp8_interpretation_t { __HIP_E4M3 = 0, __HIP_E5M2 = 1, __HIP_E4M3_FNUZ = 2, __HIP_E5M2_FNUZ = 3 };

namespace porter_fp8 {

using kind = __hip_fp8_interpretation_t;

// What the four formats differ in.
PORTER_HD constexpr bool fnuz(kind k) { return k == __HIP_E4M3_FNUZ || k == __HIP_E5M2_FNUZ; }
PORTER_HD constexpr bool e4m3(kind k) { return k == __HIP_E4M3 || k == __HIP_E4M3_FNUZ; }
PORTER_HD constexpr int mantissa(kind k) { return e4m3(k) ? 3 : 2; }
PORTER_HD constexpr int bias(kind k) { return (e4m3(k) ? 7 : 15) + (fnuz(k) ? 1 : 0); }
PORTER_HD constexpr unsigned largest(kind k) { return fnuz(k) ? 0x7f : e4m3(k) ? 0x7e : 0x7b; }
PORTER_HD constexpr unsigned overflow(kind k, unsigned sign) { return fnuz(k) ? 0x80 : sign | (e4m3(k) ? 0x7f : 0x7c); }

// Nearest even. Of the FNUZ formats infinity is NaN, saturated or not, which is what the instructions do.
PORTER_HD constexpr unsigned char encode(float a, bool saturate, kind k) {
  unsigned b = __builtin_bit_cast(unsigned, a), sign = b >> 24 & 0x80, m = b & 0x7fffff;
  int e = static_cast<int>(b >> 23 & 0xff) - 127, bits = mantissa(k), least = 1 - bias(k);
  if (e == 128) {
    if (fnuz(k)) return 0x80;
    if (m != 0) return static_cast<unsigned char>(sign | 0x7f);
    return static_cast<unsigned char>(saturate ? sign | largest(k) : overflow(k, sign));
  }
  m |= e == -127 ? 0 : 0x800000;
  int shift = 23 - bits + (e < least ? least - e : 0);
  if (shift > 25) shift = 25;
  unsigned kept = m >> shift, rest = m & ((1u << shift) - 1), half = 1u << (shift - 1);
  if (rest > half || (rest == half && (kept & 1))) ++kept;
  unsigned code = e < least ? kept : kept + (static_cast<unsigned>(e - least) << bits);
  if (code > largest(k)) return static_cast<unsigned char>(saturate ? sign | largest(k) : overflow(k, sign));
  return static_cast<unsigned char>(code == 0 && fnuz(k) ? 0 : sign | code);
}

PORTER_HD constexpr float decode(unsigned char c, kind k) {
  int bits = mantissa(k), e = (c & 0x7f) >> bits, top = e4m3(k) ? 15 : 31;
  unsigned m = c & ((1u << bits) - 1), sign = (c & 0x80u) << 24;
  if (fnuz(k) ? c == 0x80 : e4m3(k) ? (c & 0x7f) == 0x7f : e == top && m != 0) {
    // e4m3 has one NaN, which CUDA makes the half 0x7fff; those of e5m2 are the upper halves of some of half's
    return __builtin_bit_cast(float, fnuz(k) ? 0x7fc00000u : e4m3(k) ? 0x7fffe000u : sign | 0x7fc00000u | m << 21);
  }
  if (k == __HIP_E5M2 && e == top) return __builtin_bit_cast(float, sign | 0x7f800000u);
  if (e != 0) return __builtin_bit_cast(float, sign | static_cast<unsigned>(e - bias(k) + 127) << 23 | m << (23 - bits));
  float unit = __builtin_bit_cast(float, static_cast<unsigned>(1 - bias(k) - bits + 127) << 23);
  return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, static_cast<float>(m) * unit) | sign);
}

// What HIP asserts. It does so unless NDEBUG is defined; then its results are the other format's.
PORTER_HD void only_fnuz_on_the_device(kind k) {
#if defined(__HIP_DEVICE_COMPILE__)
  if (!fnuz(k)) __builtin_trap();
#endif
}
PORTER_HD unsigned pair_from_floats(float low, float high, bool saturate, kind k) {
  only_fnuz_on_the_device(k);
#if defined(__HIP_DEVICE_COMPILE__)
  float limit = k == __HIP_E4M3_FNUZ ? 240.0f : 57344.0f;
  bool finite[2] = {(__builtin_bit_cast(unsigned, low) & 0x7f800000u) != 0x7f800000u,
                    (__builtin_bit_cast(unsigned, high) & 0x7f800000u) != 0x7f800000u};
  if (saturate && finite[0]) low = __builtin_amdgcn_fmed3f(low, limit, -limit);
  if (saturate && finite[1]) high = __builtin_amdgcn_fmed3f(high, limit, -limit);
  return static_cast<unsigned>(k == __HIP_E4M3_FNUZ ? __builtin_amdgcn_cvt_pk_fp8_f32(low, high, 0, false)
                                                    : __builtin_amdgcn_cvt_pk_bf8_f32(low, high, 0, false));
#else
  return encode(low, saturate, k) | static_cast<unsigned>(encode(high, saturate, k)) << 8;
#endif
}
PORTER_HD unsigned char from_float(float a, bool saturate, kind k) {
#if defined(__HIP_DEVICE_COMPILE__)
  return static_cast<unsigned char>(pair_from_floats(a, a, saturate, k));
#endif
  return encode(a, saturate, k);
}
PORTER_HD float to_float(unsigned char c, kind k) {
  only_fnuz_on_the_device(k);
#if defined(__HIP_DEVICE_COMPILE__)
  return k == __HIP_E4M3_FNUZ ? __builtin_amdgcn_cvt_f32_fp8(c, 0) : __builtin_amdgcn_cvt_f32_bf8(c, 0);
#else
  return decode(c, k);
#endif
}
PORTER_HD _Float16 to_half(unsigned char c, kind k) { return static_cast<_Float16>(to_float(c, k)); }
PORTER_HD porter_half2_data pair_to_halves(unsigned short c, kind k) {
  return porter_half2_data{to_half(static_cast<unsigned char>(c), k), to_half(static_cast<unsigned char>(c >> 8), k)};
}
PORTER_HD float2 pair_to_floats(unsigned short c, kind k) {
  return make_float2(to_float(static_cast<unsigned char>(c), k), to_float(static_cast<unsigned char>(c >> 8), k));
}

}  // namespace porter_fp8

PORTER_HD __hip_fp8_storage_t __hip_cvt_float_to_fp8(const float a, const __hip_saturation_t s, const __hip_fp8_interpretation_t k) {
  return porter_fp8::from_float(a, s == __HIP_SATFINITE, k);
}
PORTER_HD __hip_fp8x2_storage_t __hip_cvt_float2_to_fp8x2(const float2 a, const __hip_saturation_t s, const __hip_fp8_interpretation_t k) {
  return static_cast<__hip_fp8x2_storage_t>(porter_fp8::pair_from_floats(a.x, a.y, s == __HIP_SATFINITE, k));
}
PORTER_HD __hip_fp8_storage_t __hip_cvt_double_to_fp8(const double a, const __hip_saturation_t s, const __hip_fp8_interpretation_t k) {
  return __hip_cvt_float_to_fp8(porter::round_to_odd(a), s, k);
}
PORTER_HD __hip_fp8x2_storage_t __hip_cvt_double2_to_fp8x2(const double2 a, const __hip_saturation_t s, const __hip_fp8_interpretation_t k) {
  return __hip_cvt_float2_to_fp8x2(make_float2(porter::round_to_odd(a.x), porter::round_to_odd(a.y)), s, k);
}
PORTER_HD __hip_fp8_storage_t __hip_cvt_halfraw_to_fp8(const __half_raw a, const __hip_saturation_t s, const __hip_fp8_interpretation_t k) {
  return __hip_cvt_float_to_fp8(static_cast<float>(a.data), s, k);
}
PORTER_HD __hip_fp8x2_storage_t __hip_cvt_halfraw2_to_fp8x2(const __half2_raw a, const __hip_saturation_t s, const __hip_fp8_interpretation_t k) {
  return __hip_cvt_float2_to_fp8x2(make_float2(a.data.x, a.data.y), s, k);
}
PORTER_HD __hip_fp8_storage_t __hip_cvt_bfloat16raw_to_fp8(const __hip_bfloat16_raw a, const __hip_saturation_t s, const __hip_fp8_interpretation_t k) {
  return __hip_cvt_float_to_fp8(porter_bf16::widen(a.x), s, k);
}
PORTER_HD __hip_fp8x2_storage_t __hip_cvt_bfloat16raw2_to_fp8x2(const __hip_bfloat162_raw a, const __hip_saturation_t s, const __hip_fp8_interpretation_t k) {
  return __hip_cvt_float2_to_fp8x2(make_float2(porter_bf16::widen(a.x), porter_bf16::widen(a.y)), s, k);
}
PORTER_HD __half_raw __hip_cvt_fp8_to_halfraw(const __hip_fp8_storage_t a, const __hip_fp8_interpretation_t k) {
  __half_raw r;
  r.data = porter_fp8::to_half(a, k);
  return r;
}
PORTER_HD __half2_raw __hip_cvt_fp8x2_to_halfraw2(const __hip_fp8x2_storage_t a, const __hip_fp8_interpretation_t k) {
  __half2_raw r;
  r.data = porter_fp8::pair_to_halves(a, k);
  return r;
}

// The classes: one, two and four numbers, and where they may be used. Construction saturates.
#define PORTER_FP8(one, two, four, format, WHERE)                                                                      \
  struct one {                                                                                                         \
    __hip_fp8_storage_t __x;                                                                                           \
    static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;                                        \
    static constexpr __hip_fp8_interpretation_t __default_interpret = format;                                          \
    WHERE one() = default;                                                                                             \
    WHERE one(float a) : __x(porter_fp8::from_float(a, true, format)) {}                                               \
    WHERE one(double a) : __x(__hip_cvt_double_to_fp8(a, __HIP_SATFINITE, format)) {}                                  \
    WHERE one(const __half a) : one(static_cast<float>(a.data)) {}                                                     \
    WHERE one(const __hip_bfloat16 a) : one(porter_bf16::widen(a.__x)) {}                                              \
    template <class T, std::enable_if_t<std::is_integral<T>::value> * = nullptr>                                       \
    WHERE one(T a) : one(porter::round_to_odd(a)) {}                                                                   \
    WHERE operator float() const { return porter_fp8::to_float(__x, format); }                                         \
    WHERE operator double() const { return porter_fp8::to_float(__x, format); }                                        \
    WHERE operator __half() const { return __half(porter_fp8::to_half(__x, format)); }                                 \
    WHERE operator __hip_bfloat16() const { return __hip_bfloat16(porter_fp8::to_float(__x, format)); }                \
    WHERE operator bool() const { return (__x & 0x7f) != 0 || (porter_fp8::fnuz(format) && __x == 0x80); }             \
    template <class T, std::enable_if_t<std::is_integral<T>::value && !std::is_same<T, bool>::value> * = nullptr>      \
    WHERE operator T() const {                                                                                         \
      return porter_bf16::to_integer<porter_bf16::mode::zero, T>(porter_fp8::to_float(__x, format));                   \
    }                                                                                                                  \
  };                                                                                                                   \
  struct two {                                                                                                         \
    __hip_fp8x2_storage_t __x;                                                                                         \
    static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;                                        \
    static constexpr __hip_fp8_interpretation_t __default_interpret = format;                                          \
    WHERE two() = default;                                                                                             \
    WHERE two(const float2 a) : __x(__hip_cvt_float2_to_fp8x2(a, __HIP_SATFINITE, format)) {}                          \
    WHERE two(const double2 a) : __x(__hip_cvt_double2_to_fp8x2(a, __HIP_SATFINITE, format)) {}                        \
    WHERE two(const __half2 a) : __x(__hip_cvt_halfraw2_to_fp8x2(a, __HIP_SATFINITE, format)) {}                       \
    WHERE two(const __hip_bfloat162 a) : __x(__hip_cvt_bfloat16raw2_to_fp8x2(a, __HIP_SATFINITE, format)) {}           \
    WHERE operator float2() const { return porter_fp8::pair_to_floats(__x, format); }                                  \
    WHERE operator __half2() const { return __half2(__hip_cvt_fp8x2_to_halfraw2(__x, format)); }                       \
  };                                                                                                                   \
  struct four {                                                                                                        \
    __hip_fp8x4_storage_t __x;                                                                                         \
    static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;                                        \
    static constexpr __hip_fp8_interpretation_t __default_interpret = format;                                          \
    WHERE four() = default;                                                                                            \
    WHERE four(const two a, const two b) : __x(a.__x | static_cast<unsigned>(b.__x) << 16) {}                          \
    WHERE four(const float4 a) : four(two(make_float2(a.x, a.y)), two(make_float2(a.z, a.w))) {}                       \
    WHERE four(const double4 a) : four(two(make_double2(a.x, a.y)), two(make_double2(a.z, a.w))) {}                    \
    WHERE four(const __half2 a, const __half2 b) : four(two(a), two(b)) {}                                             \
    WHERE four(const __hip_bfloat162 a, const __hip_bfloat162 b) : four(two(a), two(b)) {}                             \
    WHERE operator float4() const {                                                                                    \
      float2 low = porter_fp8::pair_to_floats(static_cast<unsigned short>(__x), format);                               \
      float2 high = porter_fp8::pair_to_floats(static_cast<unsigned short>(__x >> 16), format);                        \
      return make_float4(low.x, low.y, high.x, high.y);                                                                \
    }                                                                                                                  \
  };
PORTER_FP8(__hip_fp8_e4m3_fnuz, __hip_fp8x2_e4m3_fnuz, __hip_fp8x4_e4m3_fnuz, __HIP_E4M3_FNUZ, PORTER_HD)
PORTER_FP8(__hip_fp8_e5m2_fnuz, __hip_fp8x2_e5m2_fnuz, __hip_fp8x4_e5m2_fnuz, __HIP_E5M2_FNUZ, PORTER_HD)
#if defined(__HIP_DEVICE_COMPILE__)
#define PORTER_OCP __host__ inline
#else
#define PORTER_OCP PORTER_HD
#endif
PORTER_FP8(__hip_fp8_e4m3, __hip_fp8x2_e4m3, __hip_fp8x4_e4m3, __HIP_E4M3, PORTER_OCP)
PORTER_FP8(__hip_fp8_e5m2, __hip_fp8x2_e5m2, __hip_fp8x4_e5m2, __HIP_E5M2, PORTER_OCP)
#undef PORTER_OCP
#undef PORTER_FP8
static_assert(sizeof(__hip_fp8_e4m3) == 1 && sizeof(__hip_fp8x2_e4m3) == 2 && sizeof(__hip_fp8x4_e4m3) == 4);

#undef PORTER_HD
#endif
#endif
