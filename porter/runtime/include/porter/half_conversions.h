// porter runtime: half and integers, and float to half, rounded as the name says. HIP's functions with these names
// truncate to integers and round to nearest from them, whatever the name; its host ones from float round to nearest.
#ifndef PORTER_HALF_CONVERSIONS_H
#define PORTER_HALF_CONVERSIONS_H

#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>

#include <type_traits>

#include "half_bits.h"

namespace porter {

namespace half_detail {

// To nearest by the hardware; for the other directions one step back where that went the wrong way.
template <rounding R, class T>
__host__ __device__ inline __half rounded(T a) {
  uint16_t bits = bits_as<uint16_t>(static_cast<_Float16>(a));
  if constexpr (R != rounding::rn) {
    T back = static_cast<T>(bits_as<_Float16>(bits));
    bool above = back > a, below = back < a;
    if (R == rounding::rz ? (a < 0 ? below : above) : R == rounding::rm ? above : below) {
      bool up = R == rounding::rp || (R == rounding::rz && a < 0), negative = (bits & 0x8000) != 0;
      if ((bits & 0x7fff) == 0) {
        bits = up ? 0x0001 : 0x8001;
      } else {
        bits = static_cast<uint16_t>(up == negative ? bits - 1 : bits + 1);
      }
    }
  }
  return half_from<__half>(bits);
}

// Beyond 2^17 all are infinite (or the largest number); within, f32 is exact.
template <rounding R, class T>
__host__ __device__ inline __half from_integer(T a) {
  if constexpr (sizeof(T) > 2) {
    if (a > T(131072)) a = T(131072);
    if constexpr (std::is_signed<T>::value) {
      if (a < T(-131072)) a = T(-131072);
    }
  }
  return rounded<R>(static_cast<float>(a));
}

}  // namespace half_detail

__host__ __device__ inline __half float2half_rz(float a) { return half_detail::rounded<rounding::rz>(a); }
__host__ __device__ inline __half float2half_rd(float a) { return half_detail::rounded<rounding::rm>(a); }
__host__ __device__ inline __half float2half_ru(float a) { return half_detail::rounded<rounding::rp>(a); }

// Out of range is clamped; NaN is 0, or the lowest number in 64 bits.
#define PORTER_HALF_BY(name, type, suffix, mode, by)                                                                 \
  __host__ __device__ inline type half2##name##_##suffix(__half a) { return by<type>(cvt_f32_f16(bits_as<uint16_t>(a))); } \
  __host__ __device__ inline __half name##2half_##suffix(type a) { return half_detail::from_integer<rounding::mode>(a); }
#define PORTER_HALF(name, type)               \
  PORTER_HALF_BY(name, type, rn, rn, cvt_rni) \
  PORTER_HALF_BY(name, type, rz, rz, cvt_rzi) \
  PORTER_HALF_BY(name, type, rd, rm, cvt_rmi) \
  PORTER_HALF_BY(name, type, ru, rp, cvt_rpi)
PORTER_HALF(int, int)
PORTER_HALF(uint, unsigned int)
PORTER_HALF(short, short)
PORTER_HALF(ushort, unsigned short)
PORTER_HALF(ll, long long)
PORTER_HALF(ull, unsigned long long)
#undef PORTER_HALF
#undef PORTER_HALF_BY

}  // namespace porter

#endif  // PORTER_HALF_CONVERSIONS_H
