// porter runtime: PTX's loads, stores, atomics, fences and address spaces.
//
// An address is a pointer, a 64-bit integer that holds one, or the result of global() or lds().
// PTX's 32-bit shared addresses are offsets into LDS: what cvta_generic_to_shared gives.
#ifndef PORTER_PTX_MEMORY_H
#define PORTER_PTX_MEMORY_H

#include <hip/hip_runtime.h>

#include <cstdint>
#include <type_traits>

#include "mirror_lanes.h"
#include "ptx_float.h"
#ifdef PORTER_DEVICE_SHARED
#include "device_shared.h"
#endif

namespace porter {

enum scope : int {
  cta = __HIP_MEMORY_SCOPE_WORKGROUP,
  gpu = __HIP_MEMORY_SCOPE_AGENT,
  sys = __HIP_MEMORY_SCOPE_SYSTEM
};
enum order : int {
  relaxed = __ATOMIC_RELAXED,
  acquire = __ATOMIC_ACQUIRE,
  release = __ATOMIC_RELEASE,
  acq_rel = __ATOMIC_ACQ_REL,
  seq_cst = __ATOMIC_SEQ_CST
};

#define PORTER_GLOBAL __attribute__((address_space(1)))
#define PORTER_LDS __attribute__((address_space(3)))
#ifdef PORTER_DEVICE_SHARED
#define PORTER_SHARED  // in LDS or in device memory (device_shared.h)
#else
#define PORTER_SHARED PORTER_LDS
#endif

// Address spaces

template <class P>
__device__ inline uint64_t address(P p) {
  if constexpr (std::is_pointer_v<P>)
    return reinterpret_cast<uint64_t>(p);
  else
    return uint64_t(p);
}
template <class P>
__device__ inline char* generic(P p) {
  return reinterpret_cast<char*>(address(p));
}
template <class P>
__device__ inline PORTER_GLOBAL char* global(P p) {
  if constexpr (std::is_pointer_v<P>)
    return (PORTER_GLOBAL char*)(p);
  else
    return (PORTER_GLOBAL char*)(uint64_t(p));
}
template <class P>
__device__ inline bool is_shared(P p) {
#ifdef PORTER_DEVICE_SHARED
  if (detail::in_slot(address(p))) return true;
#endif
  return __builtin_amdgcn_is_shared(reinterpret_cast<const void*>(address(p)));
}
// CUDA's __cvta_generic_to_shared: the LDS offset of a generic pointer into shared memory.
// A null pointer gives 0: descriptors are made of it, and addresses added later. LDS's own null is ~0u.
template <class P>
__device__ inline uint32_t cvta_generic_to_shared(P p) {
  if constexpr (std::is_pointer_v<P>)
    if (p == nullptr) return 0;
#ifdef PORTER_CLUSTERS_SHADOW
  if constexpr (std::is_pointer_v<P> && sizeof(P) == 8)
    if (!is_shared(p)) __builtin_trap();  // a relocated variable (cluster.h) is not in LDS
#endif
#ifdef PORTER_DEVICE_SHARED
  if constexpr (sizeof(P) == 8)
    return std::is_pointer_v<P> || address(p) >> 32 != 0 ? detail::shared_place(address(p)) : uint32_t(address(p));
#endif
  if constexpr (std::is_pointer_v<P>)
    return uint32_t(reinterpret_cast<uintptr_t>((PORTER_LDS char*)(p)));
  else
    return uint32_t(p);  // the low half of a flat address into LDS is the offset
}
template <class P>
__device__ inline PORTER_SHARED char* lds(P offset) {
  if constexpr (std::is_pointer_v<P>)
    return (PORTER_SHARED char*)(offset);
  else
#ifdef PORTER_DEVICE_SHARED
    return detail::shared_generic(cvta_generic_to_shared(offset));
#else
    return (PORTER_SHARED char*)(uintptr_t(uint32_t(offset)));
#endif
}
// cvta.shared: the generic address of an LDS offset.
__device__ inline uint64_t cvta_shared(uint64_t offset) {
#ifdef PORTER_DEVICE_SHARED
  return reinterpret_cast<uint64_t>(lds(uint32_t(offset)));
#else
  return reinterpret_cast<uint64_t>((char*)(PORTER_SHARED char*)(uintptr_t(uint32_t(offset))));
#endif
}
template <class P>
__device__ inline bool is_local(P p) {
  return __builtin_amdgcn_is_private(reinterpret_cast<const void*>(address(p)));
}
template <class P>
__device__ inline bool is_global(P p) {
  return !is_shared(p) && !is_local(p);
}

namespace ptx_detail {

// T at an address, in the address space that the address names.
template <class T, class P>
__device__ inline T* at(P p) {
  return reinterpret_cast<T*>(address(p));
}
template <class T, class E>
__device__ inline PORTER_GLOBAL T* at(PORTER_GLOBAL E* p) {
  return (PORTER_GLOBAL T*)(p);
}
template <class T, class E>
__device__ inline PORTER_LDS T* at(PORTER_LDS E* p) {
  return (PORTER_LDS T*)(p);
}

// The bits of T as a type that the GPU loads at once, and as words that are loaded one by one.
template <int Bytes>
struct bits;
template <>
struct bits<1> { using whole = uint8_t; using word = uint8_t; };
template <>
struct bits<2> { using whole = uint16_t; using word = uint16_t; };
template <>
struct bits<4> { using whole = uint32_t; using word = uint32_t; };
template <>
struct bits<8> { using whole = uint64_t; using word = uint64_t; };
template <>
struct bits<16> {
  typedef uint32_t whole __attribute__((ext_vector_type(4)));
  using word = uint64_t;
};
template <>
struct bits<32> {
  typedef uint64_t whole __attribute__((ext_vector_type(4)));
  using word = uint64_t;
};

template <class T>
using whole_t = typename bits<sizeof(T)>::whole;
template <class T>
using word_t = typename bits<sizeof(T)>::word;

template <class To, class From>
__device__ inline To copy_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "same size");
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}

template <int Scope>
__device__ inline void fence_acquire() {
  if constexpr (Scope == cta) __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  if constexpr (Scope == gpu) __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
  if constexpr (Scope == sys) __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "");
}
template <int Scope>
__device__ inline void fence_release() {
  if constexpr (Scope == cta) __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  if constexpr (Scope == gpu) __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
  if constexpr (Scope == sys) __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
}

}  // namespace ptx_detail

// Loads and stores

#ifdef PORTER_CLUSTERS
template <class T, class P>
__device__ T cluster_ld(P from);
template <class T, class P>
__device__ void cluster_st(P to, T value);
#endif
namespace ptx_detail {
// Is it a generic address in another block's shared memory, which mapa made (cluster.h)?
template <class P>
__device__ inline bool in_another_block([[maybe_unused]] P p) {
#ifdef PORTER_CLUSTERS
  if constexpr (std::is_same_v<decltype(at<char>(p)), char*>)
    return uint32_t(address(p)) >> 24 != 0 && __builtin_amdgcn_is_shared(reinterpret_cast<const void*>(address(p)));
#endif
  return false;
}
}  // namespace ptx_detail
#ifdef PORTER_CLUSTERS
#define PORTER_REMOTE_LD(T, p) \
  if (ptx_detail::in_another_block(p)) return cluster_ld<T>(address(p))
#define PORTER_REMOTE_ST(T, p, value) \
  if (ptx_detail::in_another_block(p)) return cluster_st<T>(address(p), value)
#else
#define PORTER_REMOTE_LD(T, p)
#define PORTER_REMOTE_ST(T, p, value)
#endif

template <class T, class P>
__device__ inline T ld(P p) {
  PORTER_REMOTE_LD(T, p);
  return ptx_detail::copy_as<T>(*ptx_detail::at<ptx_detail::whole_t<T>>(p));
}
template <class T, class P>
__device__ inline void st(P p, T value) {
  PORTER_REMOTE_ST(T, p, value);
  *ptx_detail::at<ptx_detail::whole_t<T>>(p) = ptx_detail::copy_as<ptx_detail::whole_t<T>>(value);
}
// .cs, .lu, L1::no_allocate: used once.
template <class T, class P>
__device__ inline T ld_stream(P p) {
  return ptx_detail::copy_as<T>(__builtin_nontemporal_load(ptx_detail::at<ptx_detail::whole_t<T>>(p)));
}
template <class T, class P>
__device__ inline void st_stream(P p, T value) {
  __builtin_nontemporal_store(ptx_detail::copy_as<ptx_detail::whole_t<T>>(value), ptx_detail::at<ptx_detail::whole_t<T>>(p));
}
template <class T, class P>
__device__ inline T ld_volatile(P p) {
  PORTER_REMOTE_LD(T, p);
  using whole = ptx_detail::whole_t<T>;
  return ptx_detail::copy_as<T>(whole(*ptx_detail::at<volatile whole>(p)));
}
template <class T, class P>
__device__ inline void st_volatile(P p, T value) {
  PORTER_REMOTE_ST(T, p, value);
  using whole = ptx_detail::whole_t<T>;
  *ptx_detail::at<volatile whole>(p) = ptx_detail::copy_as<whole>(value);
}

// PTX promises atomicity for each element of a vector, so 16 bytes may be two loads.
template <class T, scope Scope = gpu, class P>
__device__ inline T ld_relaxed(P p) {
  PORTER_REMOTE_LD(T, p);
  using word = ptx_detail::word_t<T>;
  auto from = ptx_detail::at<word>(p);
  word words[sizeof(T) / sizeof(word)];
#pragma unroll
  for (unsigned i = 0; i < sizeof(T) / sizeof(word); ++i) words[i] = __hip_atomic_load(from + i, __ATOMIC_RELAXED, Scope);
  T value;
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}
template <class T, scope Scope = gpu, class P>
__device__ inline T ld_acquire(P p) {
  T value = ld_relaxed<T, Scope>(p);
  ptx_detail::fence_acquire<Scope>();
  return value;
}
template <class T, scope Scope = gpu, class P>
__device__ inline void st_relaxed(P p, T value) {
  PORTER_REMOTE_ST(T, p, value);
  using word = ptx_detail::word_t<T>;
  auto to = ptx_detail::at<word>(p);
  word words[sizeof(T) / sizeof(word)];
  __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
  for (unsigned i = 0; i < sizeof(T) / sizeof(word); ++i) __hip_atomic_store(to + i, words[i], __ATOMIC_RELAXED, Scope);
}
template <class T, scope Scope = gpu, class P>
__device__ inline void st_release(P p, T value) {
  ptx_detail::fence_release<Scope>();
  st_relaxed<T, Scope>(p, value);
}
// .cg: past the L1 cache, so that what other units wrote is seen. .cv, .wt: from and to memory.
template <class T, class P>
__device__ inline T ld_cg(P p) {
  return ld_relaxed<T, gpu>(p);
}
template <class T, class P>
__device__ inline void st_cg(P p, T value) {
  st_relaxed<T, gpu>(p, value);
}
template <class T, class P>
__device__ inline void st_wt(P p, T value) {
  st_relaxed<T, sys>(p, value);
}

#undef PORTER_REMOTE_LD
#undef PORTER_REMOTE_ST

// Atomics; there is no message for those of generic addresses in another block.

namespace ptx_detail {
template <class T, class P>
__device__ inline auto atomic_at(P p) {
  if (in_another_block(p)) __builtin_trap();
  return at<T>(p);
}
}  // namespace ptx_detail

#define PORTER_ATOMIC(name, call)                                                    \
  template <class T, scope Scope = gpu, order Order = relaxed, class P>             \
  __device__ inline T atom_##name(P p, T b) {                                       \
    auto to = ptx_detail::atomic_at<T>(p);                                                 \
    return PORTER_ONCE(call(to, b, Order, Scope));                                  \
  }
PORTER_ATOMIC(add, __hip_atomic_fetch_add)
PORTER_ATOMIC(min, __hip_atomic_fetch_min)
PORTER_ATOMIC(max, __hip_atomic_fetch_max)
PORTER_ATOMIC(and, __hip_atomic_fetch_and)
PORTER_ATOMIC(or, __hip_atomic_fetch_or)
PORTER_ATOMIC(xor, __hip_atomic_fetch_xor)
PORTER_ATOMIC(exch, __hip_atomic_exchange)
#undef PORTER_ATOMIC

// Replaces old by next(old), in a loop until nobody came in between; gives old.
template <class T, scope Scope, order Order, class P, class Next>
__device__ inline T atom_update(P p, Next next) {
  auto to = ptx_detail::atomic_at<T>(p);
  T old = __hip_atomic_load(to, __ATOMIC_RELAXED, Scope);
  while (!__hip_atomic_compare_exchange_weak(to, &old, next(old), Order, __ATOMIC_RELAXED, Scope)) {
  }
  return old;
}
// inc wraps to 0 past b, dec to b past 0: the GPU has both.
#define PORTER_WRAPPING(name, builtin)                                                                    \
  template <class T, scope Scope = gpu, order Order = relaxed, class P>                                  \
  __device__ inline T atom_##name(P p, T b) {                                                            \
    auto to = ptx_detail::atomic_at<T>(p);                                                                      \
    if constexpr (Scope == cta) return PORTER_ONCE(builtin(to, b, Order, "workgroup"));                  \
    if constexpr (Scope == gpu) return PORTER_ONCE(builtin(to, b, Order, "agent"));                      \
    if constexpr (Scope == sys) return PORTER_ONCE(builtin(to, b, Order, ""));                           \
  }
PORTER_WRAPPING(inc, __builtin_amdgcn_atomic_inc32)
PORTER_WRAPPING(dec, __builtin_amdgcn_atomic_dec32)
#undef PORTER_WRAPPING
template <class T, scope Scope = gpu, order Order = relaxed, class P>
__device__ inline T atom_cas(P p, T expected, T desired) {
  constexpr int failed = Order == release ? relaxed : Order == acq_rel ? acquire : Order;
  auto to = ptx_detail::atomic_at<T>(p);
  return PORTER_ONCE((__hip_atomic_compare_exchange_strong(to, &expected, desired, Order, failed, Scope), expected));
}
#define PORTER_PACKED_ATOMIC(name, next)                                                       \
  template <class T, scope Scope = gpu, order Order = relaxed, class P>                       \
  __device__ inline T atom_##name(P p, T b) {                                                 \
    return PORTER_ONCE((atom_update<T, Scope, Order>(p, [=](T old) { return next(old, b); }))); \
  }
PORTER_PACKED_ATOMIC(add_f16x2, add_f16x2)
PORTER_PACKED_ATOMIC(add_bf16x2, add_bf16x2)
PORTER_PACKED_ATOMIC(add_f16, add_f16)
PORTER_PACKED_ATOMIC(add_bf16, add_bf16)
#undef PORTER_PACKED_ATOMIC

// Vector reductions: each element on its own.
#define PORTER_EACH(name, element, one)                                              \
  template <class T, scope Scope = gpu, order Order = relaxed, class P>             \
  __device__ inline void name(P p, T values) {                                      \
    auto to = ptx_detail::at<element>(p);                                           \
    element each[sizeof(T) / sizeof(element)];                                      \
    __builtin_memcpy(each, &values, sizeof(T));                                     \
    for (unsigned i = 0; i < sizeof(T) / sizeof(element); ++i) one;                 \
  }
PORTER_EACH(red_add_each, float, PORTER_ONCE(__hip_atomic_fetch_add(to + i, each[i], Order, Scope)))
PORTER_EACH(red_add_each_f16x2, uint32_t, (atom_add_f16x2<uint32_t, Scope, Order>(to + i, each[i])))
PORTER_EACH(red_add_each_f16, uint16_t, (atom_add_f16<uint16_t, Scope, Order>(to + i, each[i])))
PORTER_EACH(red_add_each_bf16, uint16_t, (atom_add_bf16<uint16_t, Scope, Order>(to + i, each[i])))
PORTER_EACH(red_add_each_bf16x2, uint32_t, (atom_add_bf16x2<uint32_t, Scope, Order>(to + i, each[i])))
#undef PORTER_EACH

// atom.v2 and .v4 of f32: each element on its own, and all that were there.
template <class T, scope Scope = gpu, order Order = relaxed, class P>
__device__ inline T atom_add_each(P p, T values) {
  auto to = ptx_detail::at<float>(p);
  float each[sizeof(T) / sizeof(float)];
  __builtin_memcpy(each, &values, sizeof(T));
  for (unsigned i = 0; i < sizeof(T) / sizeof(float); ++i) each[i] = atom_add<float, Scope, Order>(to + i, each[i]);
  __builtin_memcpy(&values, each, sizeof(T));
  return values;
}

// st.bulk: zeros, by the lane that asks for them; sizes and places are multiples of 8 bytes.
template <class P>
__device__ inline void st_bulk(P to, uint64_t bytes) {
  auto words = ptx_detail::at<uint64_t>(to);
  for (uint32_t i = 0; i < uint32_t(bytes) / 8; ++i) words[i] = 0;
}

// cp.async: the copy is done at once, which is one of the times at which it may be done. A source
// shorter than the copy is filled up with zeros.
template <int Bytes, class D, class S>
__device__ inline void cp_async(D to, S from) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "cp.async copies 4, 8 or 16 bytes");
  using whole = typename ptx_detail::bits<Bytes>::whole;
  *ptx_detail::at<whole>(lds(to)) = *ptx_detail::at<whole>(global(from));
}
namespace ptx_detail {
static __device__ const uint32_t no_bytes[4] = {};
// All of them or none without a branch: the copies of an unrolled loop are loaded together.
template <int Bytes, class S>
__device__ inline typename bits<Bytes>::whole first_bytes(S from, uint32_t size) {
  using whole = typename bits<Bytes>::whole;
#ifdef PORTER_RECOGNISED  // the recogniser follows branches, and no choice between addresses
  whole value = {};
  if (size >= Bytes) value = *at<whole>(global(from));
#else
  whole value = *at<whole>(size >= Bytes ? global(from) : global(&no_bytes));
#endif
  if (size - 1 < Bytes - 1u) {
    uint8_t bytes[Bytes] = {};
    for (uint32_t i = 0; i < size; ++i) bytes[i] = uint8_t(global(from)[i]);
    __builtin_memcpy(&value, bytes, Bytes);
  }
  return value;
}
}  // namespace ptx_detail
template <int Bytes, class D, class S>
__device__ inline void cp_async(D to, S from, uint32_t size) {
  *ptx_detail::at<typename ptx_detail::bits<Bytes>::whole>(lds(to)) = ptx_detail::first_bytes<Bytes>(from, size);
}
template <int Bytes, class D, class S>
__device__ inline void cp_async_unless(bool ignore, D to, S from) {
  cp_async<Bytes>(to, from, ignore ? 0u : uint32_t(Bytes));
}

}  // namespace porter

#endif  // PORTER_PTX_MEMORY_H
