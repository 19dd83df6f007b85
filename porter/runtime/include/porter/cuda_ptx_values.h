// porter runtime: cuda::ptx's loads and stores with hints, bits, shuffles, and tensor maps that a kernel changes.
#ifndef PORTER_CUDA_PTX_VALUES_H
#define PORTER_CUDA_PTX_VALUES_H

#include "cuda_ptx_words.h"
#include "memory.h"
#include "ptx.h"
#include "tensor_map.h"

namespace porter {
namespace ptx {

// Loads and stores. How much of a line L2 fetches, and a cache policy, are hints that gfx942 does not take.
#define PORTER_LOAD(name, load, ...)                                 \
  template <class Space, class T>                                    \
  __device__ inline T name(Space, const T* p __VA_ARGS__) {          \
    return load(p);                                                  \
  }
#define PORTER_LOADS_OF_LINES(name, load, ...)     \
  PORTER_LOAD(name, load, __VA_ARGS__)             \
  PORTER_LOAD(name##_L2_64B, load, __VA_ARGS__)    \
  PORTER_LOAD(name##_L2_128B, load, __VA_ARGS__)   \
  PORTER_LOAD(name##_L2_256B, load, __VA_ARGS__)
#define PORTER_COMMA ,
#define PORTER_HINTED_LOADS(name, load)   \
  PORTER_LOADS_OF_LINES(name, load)       \
  PORTER_LOADS_OF_LINES(name##_L2_cache_hint, load, PORTER_COMMA uint64_t)
#define PORTER_LOADS(name)                                      \
  PORTER_HINTED_LOADS(name, porter::load)                       \
  PORTER_HINTED_LOADS(name##_L1_evict_normal, porter::load)     \
  PORTER_HINTED_LOADS(name##_L1_evict_unchanged, porter::load)  \
  PORTER_HINTED_LOADS(name##_L1_evict_last, porter::load)       \
  PORTER_HINTED_LOADS(name##_L1_evict_first, detail::load_once) \
  PORTER_HINTED_LOADS(name##_L1_no_allocate, detail::load_once)
#define PORTER_STORE(name, store)                                       \
  template <class Space, class T>                                       \
  __device__ inline void name(Space, T* p, T value) {                   \
    store(p, value);                                                    \
  }                                                                     \
  template <class Space, class T>                                       \
  __device__ inline void name##_L2_cache_hint(Space, T* p, T value, uint64_t) { \
    store(p, value);                                                    \
  }

namespace detail {
template <class T>
constexpr bool streams = sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0;
template <class T>
__device__ inline T load_once(const T* p) {
  if constexpr (streams<T>) return load_streaming(p);
  else return load(p);
}
template <class T>
__device__ inline void store_once(T* p, T value) {
  if constexpr (streams<T>) store_streaming(p, value);
  else store(p, value);
}
}  // namespace detail

PORTER_LOADS(ld)
PORTER_LOADS(ld_nc)
PORTER_STORE(st, porter::store)
PORTER_STORE(st_L1_evict_normal, porter::store)
PORTER_STORE(st_L1_evict_unchanged, porter::store)
PORTER_STORE(st_L1_evict_last, porter::store)
PORTER_STORE(st_L1_evict_first, detail::store_once)
PORTER_STORE(st_L1_no_allocate, detail::store_once)
#undef PORTER_STORE
#undef PORTER_LOADS
#undef PORTER_HINTED_LOADS
#undef PORTER_COMMA
#undef PORTER_LOADS_OF_LINES
#undef PORTER_LOAD

// Bits

#define PORTER_FOUND(name)                                                          \
  __device__ inline uint32_t name(uint32_t a) { return porter::name##_u32(a); }     \
  __device__ inline uint32_t name(int32_t a) { return porter::name##_s32(a); }      \
  __device__ inline uint32_t name(uint64_t a) { return porter::name##_u64(a); }     \
  __device__ inline uint32_t name(int64_t a) { return porter::name##_s64(a); }
PORTER_FOUND(bfind)
PORTER_FOUND(bfind_shiftamt)
#undef PORTER_FOUND
__device__ inline uint32_t bmsk_clamp(uint32_t at, uint32_t bits) { return porter::bmsk_clamp(at, bits); }
__device__ inline uint32_t bmsk_wrap(uint32_t at, uint32_t bits) { return porter::bmsk_wrap(at, bits); }

#define PORTER_PERMUTED(name)                                                       \
  template <class T>                                                                \
  __device__ inline uint32_t name(T a, T b, uint32_t selector) {                    \
    static_assert(sizeof(T) == 4, "prmt permutes the bytes of two 32-bit values");  \
    return porter::name(__builtin_bit_cast(uint32_t, a), __builtin_bit_cast(uint32_t, b), selector); \
  }
PORTER_PERMUTED(prmt)
PORTER_PERMUTED(prmt_f4e)
PORTER_PERMUTED(prmt_b4e)
PORTER_PERMUTED(prmt_rc8)
PORTER_PERMUTED(prmt_ecl)
PORTER_PERMUTED(prmt_ecr)
PORTER_PERMUTED(prmt_rc16)
#undef PORTER_PERMUTED

// Shifts by as many bits as there are, or more, leave nothing but the sign.
template <class T>
__device__ inline T shl(T value, uint32_t bits) {
  return bits < 8 * sizeof(T) ? T(value << bits) : T(0);
}
template <class T>
__device__ inline T shr(T value, uint32_t bits) {
  constexpr uint32_t last = 8 * sizeof(T) - 1;
  return bits <= last ? T(value >> bits) : value < T(0) ? T(-1) : T(0);
}

// Shuffles: the operands are in PTX's order.
#define PORTER_SHUFFLE(name)                                                                                       \
  template <class T>                                                                                               \
  __device__ inline T shfl_sync_##name(T value, bool& valid, uint32_t from, uint32_t clamp, uint32_t mask) {       \
    return porter::shfl_##name(mask, value, from, clamp, valid);                                                   \
  }                                                                                                                \
  template <class T>                                                                                               \
  __device__ inline T shfl_sync_##name(T value, uint32_t from, uint32_t clamp, uint32_t mask) {                    \
    return porter::shfl_##name(mask, value, from, clamp);                                                          \
  }
PORTER_SHUFFLE(up)
PORTER_SHUFFLE(down)
PORTER_SHUFFLE(bfly)
PORTER_SHUFFLE(idx)
#undef PORTER_SHUFFLE

// Tensor maps that the kernel changes, in global or in shared memory.

#define PORTER_REPLACE(name, field)                                                \
  template <class Space, class T>                                                  \
  __device__ inline void tensormap_replace_##name(Space, void* map, T value) {     \
    tensormap_replace<porter::detail::field>(map, uint64_t(value));                \
  }
#define PORTER_REPLACE_ONE(name, field)                                                           \
  template <class Space, int N, class T>                                                          \
  __device__ inline void tensormap_replace_##name(Space, void* map, n32_t<N>, T value) {          \
    tensormap_replace<porter::detail::field>(map, uint64_t(value), N);                            \
  }
PORTER_REPLACE(rank, map_rank)
PORTER_REPLACE_ONE(box_dim, map_box)
PORTER_REPLACE_ONE(global_dim, map_dim)
PORTER_REPLACE_ONE(global_stride, map_stride)
#undef PORTER_REPLACE
#undef PORTER_REPLACE_ONE
template <class Space, class T>
__device__ inline void tensormap_replace_global_address(Space, void* map, T address) {
  tensormap_replace<porter::detail::map_address>(map, __builtin_bit_cast(uint64_t, address));
}
template <class Scope, class Size>
__device__ inline void tensormap_cp_fenceproxy(sem_release_t, Scope, void* to, const void* from, Size) {
  tensormap_copy(to, from);
}

}  // namespace ptx
}  // namespace porter

#endif  // PORTER_CUDA_PTX_VALUES_H
