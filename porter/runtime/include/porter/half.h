// porter runtime: functions that cuda_fp16.h and cuda_bf16.h have under one name, and HIP does not.
//
// Both types are computed in f32 and rounded once: f32 has more than twice their bits, so the result of
// +, - and * is the one that the exact value rounds to.
#ifndef PORTER_HALF_H
#define PORTER_HALF_H

#include <hip/hip_runtime.h>

#include "half_bits.h"

#if __has_include(<hip/hip_fp16.h>)
#include <hip/hip_fp16.h>
#define PORTER_HAS_FP16 1
#endif
#if __has_include(<hip/hip_bf16.h>)
#include <hip/hip_bf16.h>
#define PORTER_HAS_BF16 1
#endif

namespace porter {

namespace half_detail {

// What the functions below have to know of a type: its bits, f32 and back, and the relu of its bits.
#if PORTER_HAS_FP16
struct fp16 {
  using one = __half;
  using two = __half2;
  __host__ __device__ static float widen(uint16_t a) { return cvt_f32_f16(a); }
  __host__ __device__ static uint16_t narrow(float a) { return cvt_rn_f16_f32(a); }
  __host__ __device__ static uint16_t relu(uint16_t a) { return relu_f16(a); }
  __host__ __device__ static uint16_t fma(uint16_t a, uint16_t b, uint16_t c) { return fma_f16(a, b, c); }
};
__host__ __device__ fp16 traits(__half);
__host__ __device__ fp16 traits(__half2);
#endif
#if PORTER_HAS_BF16
struct bf16 {
  using one = __hip_bfloat16;
  using two = __hip_bfloat162;
  __host__ __device__ static float widen(uint16_t a) { return cvt_f32_bf16(a); }
  __host__ __device__ static uint16_t narrow(float a) { return cvt_rn_bf16_f32(a); }
  __host__ __device__ static uint16_t relu(uint16_t a) { return relu_bf16(a); }
  __host__ __device__ static uint16_t fma(uint16_t a, uint16_t b, uint16_t c) { return fma_bf16(a, b, c); }
};
__host__ __device__ bf16 traits(__hip_bfloat16);
__host__ __device__ bf16 traits(__hip_bfloat162);
#endif

template <class H>
using traits_of = decltype(traits(H()));

template <class H, class F>
__host__ __device__ inline H each(H a, H b, H c, F f) {
  if constexpr (sizeof(H) == 2) {
    return half_from<H>(f(bits_as<uint16_t>(a), bits_as<uint16_t>(b), bits_as<uint16_t>(c)));
  } else {
    uint32_t x = bits_as<uint32_t>(a), y = bits_as<uint32_t>(b), z = bits_as<uint32_t>(c);
    uint16_t low = f(uint16_t(x), uint16_t(y), uint16_t(z));
    uint16_t high = f(uint16_t(x >> 16), uint16_t(y >> 16), uint16_t(z >> 16));
    return half_from<H>(uint32_t(high) << 16 | low);
  }
}
template <class T, class H, class F>
__host__ __device__ inline unsigned mask(H a, H b, F f) {
  uint32_t x = bits_as<uint32_t>(a), y = bits_as<uint32_t>(b);
  unsigned low = f(T::widen(uint16_t(x)), T::widen(uint16_t(y))) ? 0xffffu : 0u;
  unsigned high = f(T::widen(uint16_t(x >> 16)), T::widen(uint16_t(y >> 16))) ? 0xffff0000u : 0u;
  return high | low;
}

__host__ __device__ inline float saturated(float x) { return x > 0 ? x < 1 ? x : 1 : 0; }

}  // namespace half_detail

#define PORTER_HALF(name, expression)                                                                       \
  template <class H, class T = half_detail::traits_of<H>>                                                   \
  __host__ __device__ inline H name(H a, H b) {                                                             \
    return half_detail::each(a, b, b, [](uint16_t p, uint16_t q, uint16_t) {                                \
      _Pragma("clang fp contract(off) reassociate(off)") float x = T::widen(p), y = T::widen(q);            \
      return T::narrow(expression);                                                                         \
    });                                                                                                     \
  }
// Never fused into a multiply-add.
PORTER_HALF(hadd_rn, x + y)
PORTER_HALF(hsub_rn, x - y)
PORTER_HALF(hmul_rn, x * y)
PORTER_HALF(hadd2_rn, x + y)
PORTER_HALF(hsub2_rn, x - y)
PORTER_HALF(hmul2_rn, x * y)
// A NaN loses.
PORTER_HALF(hmax2, max_f32(x, y))
PORTER_HALF(hmin2, min_f32(x, y))
// To [0, 1]; NaN is 0.
PORTER_HALF(hadd_sat, half_detail::saturated(T::widen(T::narrow(x + y))))
PORTER_HALF(hsub_sat, half_detail::saturated(T::widen(T::narrow(x - y))))
PORTER_HALF(hmul_sat, half_detail::saturated(T::widen(T::narrow(x * y))))
PORTER_HALF(hadd2_sat, half_detail::saturated(T::widen(T::narrow(x + y))))
PORTER_HALF(hsub2_sat, half_detail::saturated(T::widen(T::narrow(x - y))))
PORTER_HALF(hmul2_sat, half_detail::saturated(T::widen(T::narrow(x * y))))
// 1 where the comparison holds, else 0. The u forms hold for NaN.
PORTER_HALF(hgt2, x > y ? 1.0f : 0.0f)
PORTER_HALF(hne2, x < y || x > y ? 1.0f : 0.0f)
PORTER_HALF(hequ2, x < y || x > y ? 0.0f : 1.0f)
PORTER_HALF(hneu2, x != y ? 1.0f : 0.0f)
PORTER_HALF(hltu2, x >= y ? 0.0f : 1.0f)
PORTER_HALF(hleu2, x > y ? 0.0f : 1.0f)
PORTER_HALF(hgtu2, x <= y ? 0.0f : 1.0f)
PORTER_HALF(hgeu2, x < y ? 0.0f : 1.0f)
// A NaN wins.
PORTER_HALF(hmax_nan, max_nan_f32(x, y))
PORTER_HALF(hmin_nan, min_nan_f32(x, y))
PORTER_HALF(hmax2_nan, max_nan_f32(x, y))
PORTER_HALF(hmin2_nan, min_nan_f32(x, y))
#undef PORTER_HALF

// a * b + c with one rounding, in host code, too.
template <class H, class T = half_detail::traits_of<H>>
__host__ __device__ inline H hfma(H a, H b, H c) {
  return half_detail::each(a, b, c, [](uint16_t p, uint16_t q, uint16_t r) { return T::fma(p, q, r); });
}
template <class H>
__host__ __device__ inline H hfma2(H a, H b, H c) {
  return hfma(a, b, c);
}

// max(a * b + c, 0) with one rounding; NaN stays.
template <class H, class T = half_detail::traits_of<H>>
__host__ __device__ inline H hfma_relu(H a, H b, H c) {
  return half_detail::each(a, b, c, [](uint16_t p, uint16_t q, uint16_t r) { return T::relu(T::fma(p, q, r)); });
}
template <class H>
__host__ __device__ inline H hfma2_relu(H a, H b, H c) {
  return hfma_relu(a, b, c);
}

// a * b + c with one rounding, to [0, 1]; NaN is 0.
template <class H, class T = half_detail::traits_of<H>>
__host__ __device__ inline H hfma_sat(H a, H b, H c) {
  return half_detail::each(a, b, c, [](uint16_t p, uint16_t q, uint16_t r) {
    return T::narrow(half_detail::saturated(T::widen(T::fma(p, q, r))));
  });
}
template <class H>
__host__ __device__ inline H hfma2_sat(H a, H b, H c) {
  return hfma_sat(a, b, c);
}

// 1 or -1 for an infinity, else 0.
template <class H, class T = half_detail::traits_of<H>>
__host__ __device__ inline int hisinf(H a) {
  float x = T::widen(bits_as<uint16_t>(a));
  return __builtin_isinf(x) ? x > 0 ? 1 : -1 : 0;
}
template <class H, class T = half_detail::traits_of<H>>
__host__ __device__ inline H hisnan2(H a) {
  return half_detail::each(a, a, a, [](uint16_t p, uint16_t, uint16_t) {
    float x = T::widen(p);
    return T::narrow(x != x ? 1.0f : 0.0f);
  });
}
// One answer for both numbers. The u forms hold for NaN, the others do not.
template <class H, class T = half_detail::traits_of<H>>
__host__ __device__ inline bool hne(H a, H b) {
  float x = T::widen(bits_as<uint16_t>(a)), y = T::widen(bits_as<uint16_t>(b));
  return x < y || x > y;
}
#define PORTER_HALF_BOTH(name, expression)                                                              \
  template <class H, class T = half_detail::traits_of<H>>                                               \
  __host__ __device__ inline bool name(H a, H b) {                                                      \
    return half_detail::mask<T>(a, b, [](float x, float y) { return expression; }) == 0xffffffffu;      \
  }
PORTER_HALF_BOTH(hbne2, x < y || x > y)
PORTER_HALF_BOTH(hbequ2, !(x < y || x > y))
PORTER_HALF_BOTH(hbneu2, x != y)
PORTER_HALF_BOTH(hbltu2, !(x >= y))
PORTER_HALF_BOTH(hbleu2, !(x > y))
PORTER_HALF_BOTH(hbgtu2, !(x <= y))
PORTER_HALF_BOTH(hbgeu2, !(x < y))
#undef PORTER_HALF_BOTH

// 0xffff in each half where the comparison holds. The u forms hold for NaN, the others do not.
#define PORTER_HALF_MASK(name, expression)                                            \
  template <class H, class T = half_detail::traits_of<H>>                             \
  __host__ __device__ inline unsigned name##_mask(H a, H b) {                         \
    return half_detail::mask<T>(a, b, [](float x, float y) { return expression; });   \
  }
PORTER_HALF_MASK(heq2, x == y)
PORTER_HALF_MASK(hne2, x < y || x > y)
PORTER_HALF_MASK(hlt2, x < y)
PORTER_HALF_MASK(hle2, x <= y)
PORTER_HALF_MASK(hgt2, x > y)
PORTER_HALF_MASK(hge2, x >= y)
PORTER_HALF_MASK(hequ2, !(x < y || x > y))
PORTER_HALF_MASK(hneu2, x != y)
PORTER_HALF_MASK(hltu2, !(x >= y))
PORTER_HALF_MASK(hleu2, !(x > y))
PORTER_HALF_MASK(hgtu2, !(x <= y))
PORTER_HALF_MASK(hgeu2, !(x < y))
#undef PORTER_HALF_MASK

// a * b + c on complex numbers, x the real part: four fused multiply-adds, as CUDA's.
template <class H, class T = half_detail::traits_of<H>>
__host__ __device__ inline H hcmadd(H a, H b, H c) {
  uint32_t x = bits_as<uint32_t>(a), y = bits_as<uint32_t>(b), z = bits_as<uint32_t>(c);
  uint16_t ar = uint16_t(x), ai = uint16_t(x >> 16), br = uint16_t(y), bi = uint16_t(y >> 16);
  uint16_t real = T::fma(uint16_t(ai ^ 0x8000u), bi, T::fma(ar, br, uint16_t(z)));
  uint16_t imaginary = T::fma(ai, br, T::fma(ar, bi, uint16_t(z >> 16)));
  return half_from<H>(uint32_t(imaginary) << 16 | real);
}

template <class H, class T = half_detail::traits_of<H>>
__device__ inline H htanh(H a) {
  return half_detail::each(a, a, a, [](uint16_t p, uint16_t, uint16_t) { return T::narrow(::tanhf(T::widen(p))); });
}

#if PORTER_HAS_FP16
__host__ __device__ inline __half double2half(double x) { return half_from<__half>(cvt_rn_f16_f64(x)); }
__host__ __device__ inline signed char half2char_rz(__half h) {
  return cvt_rzi<signed char>(cvt_f32_f16(bits_as<uint16_t>(h)));
}
__host__ __device__ inline unsigned char half2uchar_rz(__half h) {
  return cvt_rzi<unsigned char>(cvt_f32_f16(bits_as<uint16_t>(h)));
}
#endif

}  // namespace porter

#endif  // PORTER_HALF_H
