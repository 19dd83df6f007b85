// porter runtime: libcu++'s function objects (<cuda/functional>).
#ifndef PORTER_FUNCTIONAL_H
#define PORTER_FUNCTIONAL_H

#include <hip/hip_runtime.h>

#include <type_traits>
#include <utility>

namespace porter {

template <class T = void>
struct maximum {
  __host__ __device__ constexpr T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <>
struct maximum<void> {
  template <class A, class B>
  __host__ __device__ constexpr std::common_type_t<A, B> operator()(const A& a, const B& b) const {
    return a < b ? b : a;
  }
};
template <class T = void>
struct minimum {
  __host__ __device__ constexpr T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <>
struct minimum<void> {
  template <class A, class B>
  __host__ __device__ constexpr std::common_type_t<A, B> operator()(const A& a, const B& b) const {
    return b < a ? b : a;
  }
};

// What nvcc has to be told about an extended lambda, clang knows.
template <class Result, class F>
__host__ __device__ constexpr std::decay_t<F> proclaim_return_type(F&& f) {
  return std::forward<F>(f);
}
template <class F>
__host__ __device__ constexpr std::decay_t<F> proclaim_copyable_arguments(F&& f) {
  return std::forward<F>(f);
}

}  // namespace porter

#endif  // PORTER_FUNCTIONAL_H
