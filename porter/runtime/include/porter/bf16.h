// porter runtime: the functions of cuda_bf16.h that hip_bf16.h lacks.
#ifndef PORTER_BF16_H
#define PORTER_BF16_H

#include <hip/hip_runtime.h>
#include <hip/hip_bf16.h>

#include "half_bits.h"
#include "round_to_odd.h"

namespace porter {

// To integers: bf16 is exact in f32; too large values are clamped, NaN is 0 (64 bits: the lowest).
#define PORTER_BF16_TO_BY(name, type, mode, by) \
  __host__ __device__ inline type bfloat162##name##_##mode(__hip_bfloat16 h) { return by<type>(__bfloat162float(h)); }
#define PORTER_BF16_TO(name, type)             \
  PORTER_BF16_TO_BY(name, type, rn, cvt_rni)   \
  PORTER_BF16_TO_BY(name, type, rd, cvt_rmi)   \
  PORTER_BF16_TO_BY(name, type, ru, cvt_rpi)   \
  PORTER_BF16_TO_BY(name, type, rz, cvt_rzi)
PORTER_BF16_TO(int, int)
PORTER_BF16_TO(uint, unsigned)
PORTER_BF16_TO(short, short)
PORTER_BF16_TO(ushort, unsigned short)
PORTER_BF16_TO(ll, long long)
PORTER_BF16_TO(ull, unsigned long long)
PORTER_BF16_TO(char, signed char)
PORTER_BF16_TO(uchar, unsigned char)
#undef PORTER_BF16_TO
#undef PORTER_BF16_TO_BY

namespace bf16_detail {

// An integer rounded once, to the 8 significant bits of bf16.
template <rounding R, class A>
__host__ __device__ inline __hip_bfloat16 from_int(A a) {
  bool negative = A(-1) < A(0) && a < A(0), carried;
  uint64_t magnitude = negative ? uint64_t(0) - uint64_t(int64_t(a)) : uint64_t(a);
  uint64_t rounded = round_integer<R, 8>(magnitude, negative, carried);
  float x = carried ? 0x1p64f : float(rounded);  // exact: 8 bits are left
  uint16_t bits = uint16_t(bits_as<uint32_t>(negative ? -x : x) >> 16);
  return half_from<__hip_bfloat16>(bits);
}

// A float rounded downwards (away = it is negative) or upwards (away = it is positive).
__host__ __device__ inline __hip_bfloat16 from_float(float x, bool down) {
  uint32_t u = bits_as<uint32_t>(x);
  if (is_nan(x)) return half_from<__hip_bfloat16>(uint16_t(0x7fff));
  bool away = (u >> 31 != 0) == down && (u & 0xffffu) != 0;
  return half_from<__hip_bfloat16>(uint16_t((u >> 16) + away));
}

}  // namespace bf16_detail

#define PORTER_BF16_FROM(name, type)                                                                  \
  __host__ __device__ inline __hip_bfloat16 name##2bfloat16_rn(type a) {                              \
    return bf16_detail::from_int<rounding::rn>(a);                                                    \
  }                                                                                                   \
  __host__ __device__ inline __hip_bfloat16 name##2bfloat16_rd(type a) {                              \
    return bf16_detail::from_int<rounding::rm>(a);                                                    \
  }                                                                                                   \
  __host__ __device__ inline __hip_bfloat16 name##2bfloat16_ru(type a) {                              \
    return bf16_detail::from_int<rounding::rp>(a);                                                    \
  }                                                                                                   \
  __host__ __device__ inline __hip_bfloat16 name##2bfloat16_rz(type a) {                              \
    return bf16_detail::from_int<rounding::rz>(a);                                                    \
  }
PORTER_BF16_FROM(int, int)
PORTER_BF16_FROM(uint, unsigned)
PORTER_BF16_FROM(short, short)
PORTER_BF16_FROM(ushort, unsigned short)
PORTER_BF16_FROM(ll, long long)
PORTER_BF16_FROM(ull, unsigned long long)
#undef PORTER_BF16_FROM

__host__ __device__ inline __hip_bfloat16 float2bfloat16_rd(float x) { return bf16_detail::from_float(x, true); }
__host__ __device__ inline __hip_bfloat16 float2bfloat16_ru(float x) { return bf16_detail::from_float(x, false); }
__host__ __device__ inline __hip_bfloat16 double2bfloat16(double x) {
  return half_from<__hip_bfloat16>(cvt_rn_bf16_f32(round_to_odd(x)));
}
__host__ __device__ inline __hip_bfloat16 float2bfloat16_rz(float x) {
  return half_from<__hip_bfloat16>(cvt_rz_bf16_f32(x));
}
__host__ __device__ inline __hip_bfloat162 floats2bfloat162_rn(float low, float high) {
  return half_from<__hip_bfloat162>(cvt_rn_bf16x2(high, low));
}

}  // namespace porter

#endif  // PORTER_BF16_H
