// porter runtime: numbers as floats that any narrower format rounds as it would round the number itself.
//
// Two roundings in a row go wrong where the first ends on a tie. Rounded to odd first (down, and the last bit set where
// anything was lost), a float never does.
#ifndef PORTER_ROUND_TO_ODD_H
#define PORTER_ROUND_TO_ODD_H

#include <hip/hip_runtime.h>

#include <type_traits>

namespace porter {

template <class T, std::enable_if_t<std::is_integral<T>::value> * = nullptr>
__host__ __device__ inline float round_to_odd(T a) {
  bool negative = a < T(0);
  unsigned long long m = negative ? 0ull - static_cast<unsigned long long>(a) : static_cast<unsigned long long>(a);
  int shift = 0;
  while ((m >> shift) >> 24) ++shift;
  unsigned long long kept = m >> shift;
  if (kept << shift != m) kept |= 1;
  float f = static_cast<float>(kept) * static_cast<float>(1ull << shift);
  return negative ? -f : f;
}
__host__ __device__ inline float round_to_odd(double a) {
  float f = static_cast<float>(a);
  if (static_cast<double>(f) == a || a != a || __builtin_isinf(a)) return f;
  unsigned b = __builtin_bit_cast(unsigned, f);
  if (__builtin_fabs(static_cast<double>(f)) > __builtin_fabs(a)) b -= 1;
  return __builtin_bit_cast(float, b | 1u);
}

}  // namespace porter

#endif  // PORTER_ROUND_TO_ODD_H
