// porter runtime: the integer functions of <cuda/cmath>. Numbers are not negative, divisors positive.
#ifndef PORTER_INTEGERS_H
#define PORTER_INTEGERS_H

#include <hip/hip_runtime.h>

#include <type_traits>

namespace porter {
namespace detail {

template <class T, bool = std::is_enum_v<T>>
struct number {
  using type = T;
};
template <class T>
struct number<T, true> {
  using type = std::underlying_type_t<T>;
};
template <class T, class U>
using common = std::common_type_t<typename number<T>::type, typename number<U>::type>;

}  // namespace detail

template <class T, class U>
[[nodiscard]] __host__ __device__ constexpr detail::common<T, U> ceil_div(T a, U b) noexcept {
  using R = detail::common<T, U>;
  return R(R(a) / R(b) + (R(a) % R(b) != 0));
}
template <class T, class U>
[[nodiscard]] __host__ __device__ constexpr detail::common<T, U> round_up(T a, U b) noexcept {
  using R = detail::common<T, U>;
  return R(ceil_div(a, b) * R(b));
}
template <class T, class U>
[[nodiscard]] __host__ __device__ constexpr detail::common<T, U> round_down(T a, U b) noexcept {
  using R = detail::common<T, U>;
  return R(R(a) / R(b) * R(b));
}
template <class T>
[[nodiscard]] __host__ __device__ constexpr int ilog2(T a) noexcept {
  int result = -1;
  for (auto rest = std::make_unsigned_t<T>(a); rest != 0; rest = decltype(rest)(rest >> 1)) ++result;
  return result;
}
template <class T>
[[nodiscard]] __host__ __device__ constexpr int ilog10(T a) noexcept {
  int result = -1;
  for (auto rest = std::make_unsigned_t<T>(a); rest != 0; rest = decltype(rest)(rest / 10)) ++result;
  return result;
}

}  // namespace porter

#endif  // PORTER_INTEGERS_H
