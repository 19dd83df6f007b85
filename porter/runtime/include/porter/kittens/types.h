// porter kittens: element types, their packs, constants and operations.
#ifndef PORTER_KITTENS_TYPES_H
#define PORTER_KITTENS_TYPES_H

#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "../fp8_types.h"

#ifndef KITTENS_HOPPER
#define KITTENS_HOPPER
#endif

namespace kittens {

using bf16 = __hip_bfloat16;
using half = __half;
using bf16_2 = __hip_bfloat162;
using half_2 = __half2;
using fp8e4m3 = porter::fp8_e4m3;
using fp8e5m2 = porter::fp8_e5m2;
using fp8e4m3_2 = porter::fp8x2_e4m3;
using fp8e5m2_2 = porter::fp8x2_e5m2;
using fp8e4m3_4 = porter::fp8x4_e4m3;
using fp8e5m2_4 = porter::fp8x4_e5m2;

namespace detail {

template <class T, class... Us>
concept one_of = (std::is_same_v<T, Us> || ...);
template <class T>
concept fp8 = one_of<T, fp8e4m3, fp8e5m2>;
template <class T>
concept half_like = one_of<T, bf16, half>;

template <class To, class From>
__host__ __device__ inline To bits_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace detail

namespace ducks {
struct default_type {};
namespace base_types {
template <class T>
concept T1 = kittens::detail::one_of<T, float, bf16, half, fp8e4m3, fp8e5m2>;
template <class T>
concept T2 = kittens::detail::one_of<T, float2, bf16_2, half_2, fp8e4m3_4, fp8e5m2_4>;
}  // namespace base_types
}  // namespace ducks

namespace base_types {

// How elements are packed into words.
template <class T>
struct packing;
#define PORTER_KITTENS_PACKING(T, P, N)                                               \
  template <>                                                                         \
  struct packing<T> {                                                                 \
    __host__ __device__ static constexpr int num() { return 1; }                      \
    using unpacked_type = T;                                                          \
    using packed_type = P;                                                            \
    __host__ __device__ static P pack(const T& x) {                                   \
      T all[N];                                                                       \
      for (int i = 0; i < N; ++i) all[i] = x;                                         \
      return kittens::detail::bits_as<P>(all);                                        \
    }                                                                                 \
  };                                                                                  \
  template <>                                                                         \
  struct packing<P> : packing<T> {                                                    \
    __host__ __device__ static constexpr int num() { return N; }                      \
  };
struct bool_2 { bool x, y; };
struct int64_2 { int64_t x, y; };
struct uint64_2 { uint64_t x, y; };
PORTER_KITTENS_PACKING(float, float2, 2)
PORTER_KITTENS_PACKING(bf16, bf16_2, 2)
PORTER_KITTENS_PACKING(half, half_2, 2)
PORTER_KITTENS_PACKING(fp8e4m3, fp8e4m3_4, 4)
PORTER_KITTENS_PACKING(fp8e5m2, fp8e5m2_4, 4)
PORTER_KITTENS_PACKING(double, double2, 2)
PORTER_KITTENS_PACKING(bool, bool_2, 2)
PORTER_KITTENS_PACKING(char, char2, 2)
PORTER_KITTENS_PACKING(unsigned char, uchar2, 2)
PORTER_KITTENS_PACKING(short, short2, 2)
PORTER_KITTENS_PACKING(unsigned short, ushort2, 2)
PORTER_KITTENS_PACKING(int, int2, 2)
PORTER_KITTENS_PACKING(unsigned, uint2, 2)
PORTER_KITTENS_PACKING(int64_t, int64_2, 2)
PORTER_KITTENS_PACKING(uint64_t, uint64_2, 2)
#undef PORTER_KITTENS_PACKING
template <>
struct packing<signed char> : packing<char> {
  __host__ __device__ static constexpr int num() { return 1; }
};
template <>
struct packing<float4> { __host__ __device__ static constexpr int num() { return 4; } };
template <>
struct packing<int4> { __host__ __device__ static constexpr int num() { return 4; } };

}  // namespace base_types

namespace detail {

template <class P>
using element = typename base_types::packing<P>::unpacked_type;
template <class P>
constexpr bool is_pack = base_types::packing<P>::num() > 1;

// f of each element of packs.
template <class R, class F, class... P>
__host__ __device__ inline R each(F f, const P&... packs) {
  constexpr int count = base_types::packing<R>::num();
  element<R> results[count];
#pragma unroll
  for (int i = 0; i < count; ++i) results[i] = f(reinterpret_cast<const element<P>*>(&packs)[i]...);
  return kittens::detail::bits_as<R>(results);
}

__host__ __device__ inline float to_float(float x) { return x; }
__host__ __device__ inline float to_float(bf16 x) { return std::bit_cast<float>(uint32_t(bits_as<uint16_t>(x)) << 16); }
__host__ __device__ inline float to_float(half x) { return float(bits_as<_Float16>(x)); }
__host__ __device__ inline float to_float(fp8e4m3 x) { return float(x); }
__host__ __device__ inline float to_float(fp8e5m2 x) { return float(x); }
template <class T>
__host__ __device__ inline T from_float(float x) {
  if constexpr (std::is_same_v<T, bf16>) return bits_as<bf16>(static_cast<__bf16>(x));
  else if constexpr (std::is_same_v<T, half>) return bits_as<half>(static_cast<_Float16>(x));
  else return T(x);
}

}  // namespace detail

namespace base_types {

template <class T, class U>
struct convertor {
  __host__ __device__ static T convert(const U& u) {
    if constexpr (std::is_same_v<T, U>) return u;
    else if constexpr (kittens::detail::is_pack<T>) {
      // Packs of another number of elements: those that both have, the others 0.
      constexpr int from = packing<U>::num(), to = packing<T>::num();
      using A = kittens::detail::element<T>;
      using B = kittens::detail::element<U>;
      A results[to] = {};
#pragma unroll
      for (int i = 0; i < to && i < from; ++i) results[i] = convertor<A, B>::convert(reinterpret_cast<const B*>(&u)[i]);
      return kittens::detail::bits_as<T>(results);
    } else if constexpr (ducks::base_types::T1<T> && ducks::base_types::T1<U>) {
      return kittens::detail::from_float<T>(kittens::detail::to_float(u));
    } else {
      return T(u);
    }
  }
};

template <class T>
struct constants {
  __host__ __device__ static T zero() { return of(0.0f); }
  __host__ __device__ static T one() { return of(1.0f); }
  __host__ __device__ static T pos_infty() { return of(__builtin_inff()); }
  __host__ __device__ static T neg_infty() { return of(-__builtin_inff()); }

 private:
  __host__ __device__ static T of(float x) {
    if constexpr (kittens::detail::is_pack<T>) return packing<T>::pack(constants<kittens::detail::element<T>>::of(x));
    else if constexpr (ducks::base_types::T1<T>) return kittens::detail::from_float<T>(x);
    else return T(x);
  }
  template <class>
  friend struct constants;
};
template <>
struct constants<float> {
  __host__ __device__ static constexpr float zero() { return 0.0f; }
  __host__ __device__ static constexpr float one() { return 1.0f; }
  __host__ __device__ static constexpr float pos_infty() { return __builtin_inff(); }
  __host__ __device__ static constexpr float neg_infty() { return -__builtin_inff(); }

 private:
  __host__ __device__ static float of(float x) { return x; }
  template <class>
  friend struct constants;
};
template <>
struct constants<int> {
  __host__ __device__ static constexpr int zero() { return 0; }
  __host__ __device__ static constexpr int one() { return 1; }

 private:
  __host__ __device__ static int of(float x) { return int(x); }
  template <class>
  friend struct constants;
};

}  // namespace base_types

namespace detail {

typedef float float_pair __attribute__((ext_vector_type(2)));

// Rounds once, after an operation in f32.
template <class F, class... T>
__device__ inline auto in_float(F f, T... x) {
  using R = std::common_type_t<T...>;
  return from_float<R>(f(to_float(x)...));
}

}  // namespace detail

// Operations, of elements and of packs.
namespace base_ops {

#define PORTER_KITTENS_CONSTANT(name)                                 \
  struct name {                                                       \
    template <class T, class... A>                                    \
    __device__ static T op(A...) { return base_types::constants<T>::name(); } \
  };
PORTER_KITTENS_CONSTANT(zero)
PORTER_KITTENS_CONSTANT(one)
PORTER_KITTENS_CONSTANT(pos_infty)
PORTER_KITTENS_CONSTANT(neg_infty)
#undef PORTER_KITTENS_CONSTANT

// The hardware's exponential and logarithm, as CUDA's fast mathematics have them.
#define PORTER_KITTENS_UNARY(name, expression)                                                            \
  struct name {                                                                                           \
    template <class T>                                                                                    \
    __device__ static T op(const T& a) {                                                                  \
      if constexpr (detail::is_pack<T>) return detail::each<T>([](auto e) { return op(e); }, a);          \
      else return detail::in_float([](float x) -> float { return expression; }, a);                       \
    }                                                                                                     \
  };
PORTER_KITTENS_UNARY(exp, __builtin_amdgcn_exp2f(x * 1.44269504f))
PORTER_KITTENS_UNARY(exp2, __builtin_amdgcn_exp2f(x))
PORTER_KITTENS_UNARY(log, __builtin_amdgcn_logf(x) * 0.693147181f)
PORTER_KITTENS_UNARY(log2, __builtin_amdgcn_logf(x))
PORTER_KITTENS_UNARY(abs, __builtin_fabsf(x))
PORTER_KITTENS_UNARY(relu, __builtin_fmaxf(x, 0.0f))
#undef PORTER_KITTENS_UNARY
struct copy {
  template <class T>
  __device__ static T op(const T& a) { return a; }
};
struct copy2 {
  template <class T>
  __device__ static T op(const T&, const T& b) { return b; }
};

// Two floats at a time where gfx942 has it.
#define PORTER_KITTENS_BINARY(name, expression, pairs)                                                    \
  struct name {                                                                                           \
    template <class T>                                                                                    \
    __device__ static T op(const T& left, const T& right) {                                               \
      if constexpr (std::is_same_v<T, float2> && pairs) {                                                 \
        const auto a = detail::bits_as<detail::float_pair>(left), b = detail::bits_as<detail::float_pair>(right); \
        return detail::bits_as<T>(expression);                                                            \
      } else if constexpr (ducks::base_types::T1<T>) {                                                    \
        return detail::in_float([](float a, float b) -> float { return expression; }, left, right);       \
      } else if constexpr (detail::is_pack<T>) {                                                          \
        return detail::each<T>([](auto l, auto r) { return op<decltype(l)>(l, r); }, left, right);        \
      } else {                                                                                            \
        const T a = left, b = right;                                                                      \
        return T(expression);                                                                             \
      }                                                                                                   \
    }                                                                                                     \
  };
PORTER_KITTENS_BINARY(sum, a + b, true)
PORTER_KITTENS_BINARY(sub, a - b, true)
PORTER_KITTENS_BINARY(mul, a * b, true)
#undef PORTER_KITTENS_BINARY
#define PORTER_KITTENS_BINARY(name, of_floats, of_others)                                                 \
  struct name {                                                                                           \
    template <class T>                                                                                    \
    __device__ static T op(const T& left, const T& right) {                                               \
      if constexpr (ducks::base_types::T1<T>)                                                             \
        return detail::in_float([](float a, float b) -> float { return of_floats; }, left, right);        \
      else if constexpr (detail::is_pack<T>)                                                              \
        return detail::each<T>([](auto l, auto r) { return op<decltype(l)>(l, r); }, left, right);        \
      else                                                                                                \
        return [](T a, T b) -> T { return of_others; }(left, right);                                      \
    }                                                                                                     \
  };
PORTER_KITTENS_BINARY(div, a * __builtin_amdgcn_rcpf(b), a / b)
PORTER_KITTENS_BINARY(max, __builtin_fmaxf(a, b), a < b ? b : a)
PORTER_KITTENS_BINARY(min, __builtin_fminf(a, b), b < a ? b : a)
#undef PORTER_KITTENS_BINARY

struct fma_AxBtC {
  template <class T>
  __device__ static T op(const T& a, const T& b, const T& c) { return sum::op<T>(mul::op<T>(a, b), c); }
};
struct fma_AxCtB {
  template <class T>
  __device__ static T op(const T& a, const T& b, const T& c) { return sum::op<T>(mul::op<T>(a, c), b); }
};

}  // namespace base_ops
}  // namespace kittens

#endif  // PORTER_KITTENS_TYPES_H
