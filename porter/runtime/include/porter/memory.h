// porter runtime: loads and stores with CUDA's cache hints, and __nanosleep.
#ifndef PORTER_MEMORY_H
#define PORTER_MEMORY_H

#include <hip/hip_runtime.h>

#include <type_traits>

namespace porter {

namespace detail {

template <int Bytes>
struct raw;
template <>
struct raw<1> { using type = unsigned char; };
template <>
struct raw<2> { using type = unsigned short; };
template <>
struct raw<4> { using type = unsigned; };
template <>
struct raw<8> { typedef unsigned type __attribute__((ext_vector_type(2))); };
template <>
struct raw<16> { typedef unsigned type __attribute__((ext_vector_type(4))); };

template <class T>
using raw_t = typename raw<sizeof(T)>::type;

}  // namespace detail

template <class T>
__device__ inline T load(const T* p) {
  return *p;
}

template <class T>
__device__ inline T load_streaming(const T* p) {
  auto bits = __builtin_nontemporal_load(reinterpret_cast<const detail::raw_t<T>*>(p));
  T value;
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

// __ldcg reads what other compute units wrote: a load that the L1 cache does not answer. In C++ that is an atomic
// load, of 64 bits at most; CUDA promises no wider atomicity.
template <class T>
__device__ inline T load_bypassing_l1(const T* p) {
  if constexpr (sizeof(T) % 4 == 0) {
    using part = std::conditional_t<sizeof(T) % 8 == 0 && alignof(T) % 8 == 0, unsigned long long, unsigned>;
    part word[sizeof(T) / sizeof(part)];
#pragma unroll
    for (unsigned i = 0; i < sizeof(T) / sizeof(part); ++i)
      word[i] = __hip_atomic_load(reinterpret_cast<const part*>(p) + i, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    T value;
    __builtin_memcpy(&value, word, sizeof(T));
    return value;
  } else {
    return load_streaming(p);
  }
}

template <class T>
__device__ inline T load_volatile(const T* p) {
  auto bits = *reinterpret_cast<const volatile detail::raw_t<T>*>(p);
  T value;
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

template <class T, class V>
__device__ inline void store(T* p, V given) {  // CUDA converts what is given
  const T value = given;
  *p = value;
}

template <class T, class V>
__device__ inline void store_streaming(T* p, V given) {  // CUDA converts what is given
  const T value = given;
  detail::raw_t<T> bits;
  __builtin_memcpy(&bits, &value, sizeof(T));
  __builtin_nontemporal_store(bits, reinterpret_cast<detail::raw_t<T>*>(p));
}

template <class T, class V>
__device__ inline void store_volatile(T* p, V given) {  // CUDA converts what is given
  const T value = given;
  detail::raw_t<T> bits;
  __builtin_memcpy(&bits, &value, sizeof(T));
  *reinterpret_cast<volatile detail::raw_t<T>*>(p) = bits;
}

// s_sleep n waits about 64 n clocks, some 30 n ns at gfx942's 2.1 GHz.
__device__ inline void nanosleep(unsigned ns) {
  for (unsigned left = ns / 32 + 1; left != 0; left -= left < 16 ? left : 16) {
    if (left >= 16)
      __builtin_amdgcn_s_sleep(16);
    else
      __builtin_amdgcn_s_sleep(1);
  }
}

}  // namespace porter

#endif  // PORTER_MEMORY_H
