// porter's stand-ins for HIP's headers: bf16 as the upper half of a float's bits.
#ifndef PORTER_STANDIN_BF16_H
#define PORTER_STANDIN_BF16_H

#include <hip/hip_runtime.h>

#include <type_traits>

#include "round_to_odd.h"

#define PORTER_HD __host__ __device__ inline

namespace porter_bf16 {

enum class mode { nearest, zero };

PORTER_HD constexpr float widen(unsigned short a) { return __builtin_bit_cast(float, static_cast<unsigned>(a) << 16); }

template <mode M = mode::nearest>
PORTER_HD constexpr unsigned short narrow(float a) {
  unsigned b = __builtin_bit_cast(unsigned, a);
  if ((b & 0x7fffffffu) > 0x7f800000u) return static_cast<unsigned short>(b >> 16 | 0x40);  // quiet
  if constexpr (M == mode::nearest) b += 0x7fffu + (b >> 16 & 1u);
  return static_cast<unsigned short>(b >> 16);
}
template <mode M, class T>
PORTER_HD T to_integer(float a) {
  a = M == mode::nearest ? __builtin_rintf(a) : __builtin_truncf(a);
  constexpr T low = std::is_signed<T>::value ? T(T(1) << (sizeof(T) * 8 - 1)) : T(0), high = T(~low);
  if (a != a) return sizeof(T) == 8 ? T(T(1) << 63) : T(0);
  if (a <= static_cast<float>(low)) return low;
  if (a >= static_cast<float>(high)) return high;
  return static_cast<T>(a);
}

}  // namespace porter_bf16

#undef PORTER_HD

#endif  // PORTER_STANDIN_BF16_H
