// porter kittens: sizes, who a thread is, and memory of the block.
#ifndef PORTER_KITTENS_BASE_H
#define PORTER_KITTENS_BASE_H

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <thread>
#include <vector>

#include "../ptx_bits.h"
#include "../ptx_memory.h"
#include "types.h"

namespace kittens {

// A warp is a wavefront of 64 lanes.
constexpr int BASE_TILE_DIM = 16;
template <class T>
constexpr int TILE_ROW_DIM = BASE_TILE_DIM;
template <class T>
constexpr int TILE_COL_DIM = sizeof(T) == 1 ? 2 * BASE_TILE_DIM : BASE_TILE_DIM;
template <class T>
constexpr int TILE_ELEMENTS = TILE_ROW_DIM<T> * TILE_COL_DIM<T>;
constexpr int WARP_THREADS = 64;
constexpr int WARPGROUP_WARPS = 4;
constexpr int WARPGROUP_THREADS = WARPGROUP_WARPS * WARP_THREADS;
constexpr int MAX_SHARED_MEMORY = 64 * 1024;
static constexpr uint64_t MASK_ALL = ~uint64_t(0);

__device__ inline int warpid() { return __builtin_amdgcn_readfirstlane(int(threadIdx.x)) / WARP_THREADS; }
__device__ inline int warpgroupid() { return warpid() / WARPGROUP_WARPS; }
__device__ inline int laneid() { return int(threadIdx.x) % WARP_THREADS; }
// CUDA's: both halves of a wavefront do the same.
__device__ inline int cuda_laneid() { return laneid() % 32; }

struct transpose {
  static constexpr int N = 0, T = 1;
};
struct axis {
  static constexpr int ROW = 0, COL = 1;
};

#define KITTENS_ALIGN_AS(n) alignas(n)
#define KITTENS_DEFAULT_ALIGN alignas(128)

template <class T>
__host__ __device__ constexpr T cdiv(T a, T b) {
  return (a + b - 1) / b;
}

struct KITTENS_DEFAULT_ALIGN alignment_dummy {
  int dummy;
};

namespace detail {

template <class A, size_t... Dims>
struct array_of { using type = A; };
template <class A, size_t First, size_t... Rest>
struct array_of<A, First, Rest...> { using type = typename array_of<A, Rest...>::type[First]; };

// What all lanes of a wave wrote before is what they read afterwards.
__device__ inline void wave_order() { __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront"); }

// The 32-bit shared address of what a generic pointer points to, and what is there.
__device__ inline uint32_t shared_offset(const void* p) {
#ifdef PORTER_DEVICE_SHARED
  return porter::detail::shared_place(reinterpret_cast<uint64_t>(p));
#else
  return uint32_t(reinterpret_cast<uintptr_t>(p));
#endif
}
template <class T>
__device__ inline PORTER_SHARED T* shared_at(uint32_t at) { return (PORTER_SHARED T*)(porter::lds(at)); }

template <int Bytes>
struct chunk_of;
template <> struct chunk_of<1> { typedef uint8_t type __attribute__((may_alias)); };
template <> struct chunk_of<2> { typedef uint16_t type __attribute__((may_alias)); };
template <> struct chunk_of<4> { typedef uint32_t type __attribute__((may_alias)); };
template <> struct chunk_of<8> { typedef uint32_t type __attribute__((ext_vector_type(2), may_alias)); };
template <> struct chunk_of<16> { typedef uint32_t type __attribute__((ext_vector_type(4), may_alias)); };

// `Count` elements that lie together in LDS, or in global memory.
template <class T, int Count>
struct elements {
  using chunk = typename chunk_of<sizeof(T) * Count>::type;
  T values[Count];
  __device__ static elements of(chunk bits) { return kittens::detail::bits_as<elements>(bits); }
  __device__ static elements from_shared(uint32_t at) { return of(*shared_at<chunk>(at)); }
  __device__ static elements from_global(const T* at) { return of(*(PORTER_GLOBAL const chunk*)(at)); }
  __device__ void to_shared(uint32_t at) const { *shared_at<chunk>(at) = kittens::detail::bits_as<chunk>(*this); }
  __device__ void to_global(T* at) const { *(PORTER_GLOBAL chunk*)(at) = kittens::detail::bits_as<chunk>(*this); }
  template <class U>
  __device__ elements<U, Count> as() const {
    elements<U, Count> result;
#pragma unroll
    for (int i = 0; i < Count; ++i) result.values[i] = base_types::convertor<U, T>::convert(values[i]);
    return result;
  }
};

}  // namespace detail

// Hands out a block's shared memory, piece after piece.
template <int DefaultAlignment = 1024>
struct shared_allocator {
  int* ptr;

  __device__ shared_allocator(int* start) : ptr(start) {}
  template <int Alignment, class A, size_t... Dims>
  __device__ typename detail::array_of<A, Dims...>::type& allocate() {
    using type = typename detail::array_of<A, Dims...>::type;
    if constexpr (Alignment > 0)
      ptr = reinterpret_cast<int*>(reinterpret_cast<char*>(ptr) + (-detail::shared_offset(ptr) & (Alignment - 1)));
    auto* const result = reinterpret_cast<type*>(ptr);
    ptr += sizeof(type) / sizeof(int);
    return *result;
  }
  template <class A, size_t... Dims>
  __device__ typename detail::array_of<A, Dims...>::type& allocate() {
    return allocate<DefaultAlignment, A, Dims...>();
  }
};
using tma_allocator = shared_allocator<1024>;
using tma_swizzle_allocator = tma_allocator;

// Where the task of an index lies if groups of SupergroupSize columns (or rows) are walked there and back.
template <int SupergroupSize, bool RowMajor = true>
__device__ inline int2 get_swizzled_2d_idx(int rows, int cols, int task) {
  static_assert(SupergroupSize > 0);
  const int along = RowMajor ? rows : cols, across = RowMajor ? cols : rows;
  const int group = task / (along * SupergroupSize), first = group * SupergroupSize;
  const int width = first + SupergroupSize <= across ? SupergroupSize : across - first;
  const int inside = task - group * along * SupergroupSize;
  const int step = inside / width, other = first + inside % width;
  const int place = group & 1 ? along - step - 1 : step;
  return RowMajor ? int2{place, other} : int2{other, place};
}
template <int Half>
__device__ inline int get_phasebit(uint32_t bits, int stage) {
  static_assert(Half == 0 || Half == 1);
  return bits >> (stage + 16 * Half) & 1;
}
template <int Half>
__device__ inline void update_phasebit(uint32_t& bits, int stage) {
  static_assert(Half == 0 || Half == 1);
  bits ^= 1u << (stage + 16 * Half);
}
template <int N>
__device__ inline int ring_advance(int stage, int distance = 1) { return (stage + distance) % N; }
template <int N>
__device__ inline int ring_retreat(int stage, int distance = 1) { return (stage + 16 * N - distance) % N; }

template <class T>
__device__ inline T packed_shfl_sync(uint64_t, const T& value, int lane) {
  constexpr int words = (sizeof(T) + 3) / 4;
  int word[words] = {};
  __builtin_memcpy(word, &value, sizeof(T));
  for (int& w : word) w = __builtin_amdgcn_ds_bpermute(lane * 4, w);
  T result;
  __builtin_memcpy(&result, word, sizeof(T));
  return result;
}
template <class T>
__device__ inline T packed_shfl_down_sync(uint64_t mask, const T& value, int delta) {
  const int lane = laneid() + delta;
  return packed_shfl_sync(mask, value, lane < WARP_THREADS ? lane : laneid());
}

// ---- the host ----

inline int num_sms(int device = -1) {
  if (device < 0 && hipGetDevice(&device) != hipSuccess) std::abort();
  int count;
  if (hipDeviceGetAttribute(&count, hipDeviceAttributeMultiprocessorCount, device) != hipSuccess) std::abort();
  return count;
}
template <class T>
void check(T error, const char* function, const char* file, int line) {
  if (error == hipSuccess) return;
  std::cerr << file << ":" << line << ": " << function << ": " << hipGetErrorString(error) << std::endl;
  std::exit(EXIT_FAILURE);
}
#ifndef CHECK_CUDA_ERROR
#define CHECK_CUDA_ERROR(value) ::kittens::check((value), #value, __FILE__, __LINE__)
#endif
#ifndef CUDACHECK
#define CUDACHECK(command) ::kittens::check((command), #command, __FILE__, __LINE__)
#endif
#ifndef CUCHECK
#define CUCHECK(command) ::kittens::check((command), #command, __FILE__, __LINE__)
#endif

}  // namespace kittens

#endif  // PORTER_KITTENS_BASE_H
