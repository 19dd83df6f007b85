// porter runtime: CUDA's atomic functions that HIP lacks.
#ifndef PORTER_ATOMIC_H
#define PORTER_ATOMIC_H

#include <hip/hip_runtime.h>

#include "half_bits.h"
#include "ptx_memory.h"

#if __has_include(<hip/hip_fp16.h>)
#include <hip/hip_fp16.h>
#endif
#if __has_include(<hip/hip_bf16.h>)
#include <hip/hip_bf16.h>
#endif

namespace porter {

namespace atomic_detail {

template <class T>
struct same { using type = T; };  // keeps a parameter out of deduction, so that 1 goes with a float*

// A 16-bit number within its 32-bit word, in a loop until nobody came in between.
template <class Next>
__device__ inline uint16_t update_half(void* p, Next next) {
  uintptr_t at = reinterpret_cast<uintptr_t>(p);
  unsigned shift = unsigned(at & 2) * 8;
  unsigned* word = reinterpret_cast<unsigned*>(at & ~uintptr_t(3));
  unsigned old = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT), changed;
  do {
    changed = (old & ~(0xffffu << shift)) | unsigned(next(uint16_t(old >> shift))) << shift;
  } while (!__hip_atomic_compare_exchange_weak(word, &old, changed, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                               __HIP_MEMORY_SCOPE_AGENT));
  return uint16_t(old >> shift);
}

template <class T>
using of = typename same<T>::type;

}  // namespace atomic_detail

// atomicAdd_block and its kin: other blocks need not see the update at once.
#define PORTER_BLOCK_ATOMIC(name, builtin)                                           \
  template <class T>                                                                 \
  __device__ inline T name##_block(T* p, atomic_detail::of<T> value) {               \
    return builtin(p, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);        \
  }
PORTER_BLOCK_ATOMIC(atomicAdd, __hip_atomic_fetch_add)
PORTER_BLOCK_ATOMIC(atomicExch, __hip_atomic_exchange)
PORTER_BLOCK_ATOMIC(atomicMin, __hip_atomic_fetch_min)
PORTER_BLOCK_ATOMIC(atomicMax, __hip_atomic_fetch_max)
PORTER_BLOCK_ATOMIC(atomicAnd, __hip_atomic_fetch_and)
PORTER_BLOCK_ATOMIC(atomicOr, __hip_atomic_fetch_or)
PORTER_BLOCK_ATOMIC(atomicXor, __hip_atomic_fetch_xor)
#undef PORTER_BLOCK_ATOMIC
template <class T>
__device__ inline T atomicSub_block(T* p, atomic_detail::of<T> value) {
  return __hip_atomic_fetch_add(p, T(0 - value), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <class T>
__device__ inline T atomicCAS_block(T* p, atomic_detail::of<T> expected, atomic_detail::of<T> desired) {
  __hip_atomic_compare_exchange_strong(p, &expected, desired, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_WORKGROUP);
  return expected;
}
__device__ inline unsigned atomicInc_block(unsigned* p, unsigned last) {
  return __builtin_amdgcn_atomic_inc32(p, last, __ATOMIC_RELAXED, "workgroup");
}
__device__ inline unsigned atomicDec_block(unsigned* p, unsigned last) {
  return __builtin_amdgcn_atomic_dec32(p, last, __ATOMIC_RELAXED, "workgroup");
}
// The builtins' scope for the whole system is the empty string.
__device__ inline unsigned atomicInc_system(unsigned* p, unsigned last) {
  return __builtin_amdgcn_atomic_inc32(p, last, __ATOMIC_RELAXED, "");
}
__device__ inline unsigned atomicDec_system(unsigned* p, unsigned last) {
  return __builtin_amdgcn_atomic_dec32(p, last, __ATOMIC_RELAXED, "");
}

// CUDA promises atomicity for each element of these, not for the whole.
__device__ inline float2 atomicAdd(float2* p, float2 v) {
  return make_float2(::atomicAdd(&p->x, v.x), ::atomicAdd(&p->y, v.y));
}
__device__ inline float4 atomicAdd(float4* p, float4 v) {
  float2 low = make_float2(::atomicAdd(&p->x, v.x), ::atomicAdd(&p->y, v.y));
  return make_float4(low.x, low.y, ::atomicAdd(&p->z, v.z), ::atomicAdd(&p->w, v.w));
}

#define PORTER_SIGNED_ATOMIC(name, builtin)                                              \
  __device__ inline long long name(long long* p, long long v) {                          \
    return builtin(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);                    \
  }
PORTER_SIGNED_ATOMIC(atomicAnd, __hip_atomic_fetch_and)
PORTER_SIGNED_ATOMIC(atomicOr, __hip_atomic_fetch_or)
PORTER_SIGNED_ATOMIC(atomicXor, __hip_atomic_fetch_xor)
#undef PORTER_SIGNED_ATOMIC

#if __has_include(<hip/hip_fp16.h>)
__device__ inline __half atomicAdd(__half* p, __half v) {
  uint16_t b = bits_as<uint16_t>(v);
  return half_from<__half>(
      atomic_detail::update_half(p, [=](uint16_t old) { return add_f16(old, b); }));
}
__device__ inline __half2 atomicAdd(__half2* p, __half2 v) {
  return half_from<__half2>(
      atom_add_f16x2<uint32_t>(reinterpret_cast<uint32_t*>(p), bits_as<uint32_t>(v)));
}
#endif
#if __has_include(<hip/hip_bf16.h>)
__device__ inline __hip_bfloat16 atomicAdd(__hip_bfloat16* p, __hip_bfloat16 v) {
  uint16_t b = bits_as<uint16_t>(v);
  return half_from<__hip_bfloat16>(
      atomic_detail::update_half(p, [=](uint16_t old) { return add_bf16(old, b); }));
}
__device__ inline __hip_bfloat162 atomicAdd(__hip_bfloat162* p, __hip_bfloat162 v) {
  return half_from<__hip_bfloat162>(
      atom_add_bf16x2<uint32_t>(reinterpret_cast<uint32_t*>(p), bits_as<uint32_t>(v)));
}
#endif

}  // namespace porter

#endif  // PORTER_ATOMIC_H
