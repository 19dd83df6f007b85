// porter runtime: PTX's multimem, one address for the memory of several GPUs.
//
// gfx942 has no such addresses. Where porter::multicast_map (multicast.h) maps a multicast object, each page says where the
// memory of each GPU lies for this process, and the lane that asks goes to all of them, one after the other.
#ifndef PORTER_MULTIMEM_H
#define PORTER_MULTIMEM_H

#include "ptx_memory.h"

namespace porter {
namespace multimem {

constexpr uint64_t page_bytes = 4096, complete = 0x6d756c7469636173;
constexpr unsigned most_devices = 64;

struct page {
  uint64_t mark;  // `complete` once all devices have bound memory
  uint64_t begin;  // of the object's addresses
  uint64_t devices;
  uint64_t memory[most_devices];  // what lies behind `begin` on each
};

// What a lane does with one device's element after the other: numbers as they are, halves in f32 and rounded once.
template <class T>
struct number {
  using word = T;
  using sum = T;
  __device__ static sum widen(word a) { return a; }
  __device__ static word narrow(sum a) { return a; }
};
#define PORTER_HALF(name)                                                                      \
  struct name {                                                                                \
    using word = uint16_t;                                                                     \
    using sum = float;                                                                         \
    __device__ static sum widen(word a) { return cvt_f32_##name(a); }                          \
    __device__ static word narrow(sum a) { return cvt_rn_##name##_f32(a); }                    \
  };
PORTER_HALF(f16)
PORTER_HALF(bf16)
#undef PORTER_HALF
template <class Half>
struct pair {
  struct sum {
    float low, high;
  };
  using word = uint32_t;
  __device__ static sum widen(word a) { return {Half::widen(uint16_t(a)), Half::widen(uint16_t(a >> 16))}; }
  __device__ static word narrow(sum a) { return Half::narrow(a.low) | uint32_t(Half::narrow(a.high)) << 16; }
};
using f16x2 = pair<f16>;
using bf16x2 = pair<bf16>;
using u32 = number<uint32_t>;
using s32 = number<int32_t>;
using b32 = number<uint32_t>;
using u64 = number<uint64_t>;
using s64 = number<int64_t>;
using b64 = number<uint64_t>;
using f32 = number<float>;
using f64 = number<double>;

#define PORTER_OPERATION(name, both)                                                           \
  struct name##_t {                                                                            \
    template <class T>                                                                         \
    __device__ static T of(T a, T b) {                                                         \
      if constexpr (std::is_class_v<T>)                                                        \
        return {of(a.low, b.low), of(a.high, b.high)};                                         \
      else                                                                                     \
        return both;                                                                           \
    }                                                                                          \
    template <class T, class P>                                                                \
    __device__ static void at(P p, T b) { atom_##name<T, sys, relaxed>(p, b); }                \
  };
PORTER_OPERATION(add, a + b)
PORTER_OPERATION(min, b < a || a != a ? b : a)
PORTER_OPERATION(max, b > a || a != a ? b : a)
#undef PORTER_OPERATION
#define PORTER_OPERATION(name, sign)                                                           \
  struct name##_t {                                                                            \
    template <class T>                                                                         \
    __device__ static T of(T a, T b) { return a sign b; }                                      \
    template <class T, class P>                                                                \
    __device__ static void at(P p, T b) { atom_##name<T, sys, relaxed>(p, b); }                \
  };
PORTER_OPERATION(and, &)
PORTER_OPERATION(or, |)
PORTER_OPERATION(xor, ^)
#undef PORTER_OPERATION

template <class P>
__device__ inline const page& page_of(P p) {
  const page& one = *reinterpret_cast<const page*>(address(p) & ~(page_bytes - 1));
  if (one.mark != complete) __builtin_trap();  // no multicast object, or one to which a device has bound no memory yet
  return one;
}

template <class Element, class Op, class T>
__device__ inline void atomic(uint64_t to, T value) {
  if constexpr (std::is_same_v<Element, f16>)
    atom_add_f16<T, sys, relaxed>(to, value);
  else if constexpr (std::is_same_v<Element, bf16>)
    atom_add_bf16<T, sys, relaxed>(to, value);
  else if constexpr (std::is_same_v<Element, f16x2>)
    atom_add_f16x2<T, sys, relaxed>(to, value);
  else if constexpr (std::is_same_v<Element, bf16x2>)
    atom_add_bf16x2<T, sys, relaxed>(to, value);
  else
    Op::at(to, value);
}

}  // namespace multimem

// multimem.ld_reduce: of each element of T the sum, least, ... over all devices.
template <class T, class Element, class Op, scope Scope = gpu, order Order = relaxed, class P>
__device__ inline T multimem_ld_reduce(P p) {
  using word = typename Element::word;
  constexpr unsigned count = sizeof(T) / sizeof(word);
  const multimem::page& all = multimem::page_of(p);
  typename Element::sum sums[count];
  word words[count];
  for (unsigned device = 0; device < all.devices; ++device) {
    const T value = ld_relaxed<T, sys>(all.memory[device] + (address(p) - all.begin));
    __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
    for (unsigned i = 0; i < count; ++i)
      sums[i] = device ? Op::of(sums[i], Element::widen(words[i])) : Element::widen(words[i]);
  }
#pragma unroll
  for (unsigned i = 0; i < count; ++i) words[i] = Element::narrow(sums[i]);
  if constexpr (Order == acquire) ptx_detail::fence_acquire<Scope>();
  T result;
  __builtin_memcpy(&result, words, sizeof(T));
  return result;
}

// multimem.st: the value on all devices.
template <class T, scope Scope = gpu, order Order = relaxed, class P>
__device__ inline void multimem_st(P p, T value) {
  const multimem::page& all = multimem::page_of(p);
  if constexpr (Order == release) ptx_detail::fence_release<Scope>();
  for (unsigned device = 0; device < all.devices; ++device)
    st_relaxed<T, sys>(all.memory[device] + (address(p) - all.begin), value);
}

// multimem.red: an atomic on each device, for each element.
template <class T, class Element, class Op, scope Scope = gpu, order Order = relaxed, class P>
__device__ inline void multimem_red(P p, T value) {
  using word = typename Element::word;
  constexpr unsigned count = sizeof(T) / sizeof(word);
  const multimem::page& all = multimem::page_of(p);
  word words[count];
  __builtin_memcpy(words, &value, sizeof(T));
  if constexpr (Order == release) ptx_detail::fence_release<Scope>();
  for (unsigned device = 0; device < all.devices; ++device) {
    const uint64_t to = all.memory[device] + (address(p) - all.begin);
#pragma unroll
    for (unsigned i = 0; i < count; ++i) multimem::atomic<Element, Op>(to + i * sizeof(word), words[i]);
  }
}

}  // namespace porter

#endif  // PORTER_MULTIMEM_H
