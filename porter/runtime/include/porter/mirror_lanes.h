// porter runtime: mirrored warps. A unit that defines PORTER_MIRRORED plays one CUDA warp of 32 lanes in each
// 64-lane wave, so that warps with different roles never share one.
//
// Every lane of the CUDA warp is played by two lanes of the wave, its mirrors, which compute the same: blocks are
// launched with twice the threads (`mirrored`); thread_index() and block_dim() are CUDA's. What must happen once (atomics)
// happens in the first mirror. What a warp does together (matrix products, copies) has all 64 lanes.
//
// Which lanes are mirrors follows from MFMA 16x16, so that a matrix product's fragments need no lane exchange.
// Bits of the wave's lane:  p1 p0 R2 R1 h R0.  CUDA's lane is 4 R + p, h tells the mirrors apart: they lie two lanes
// apart. With the operands of the MFMA exchanged, lane l holds row l % 16 of A: row R + 8 h of PTX's fragments; and of
// its four results, columns 2 p and 2 p + 1 of two neighbouring tiles of eight columns: as in PTX's fragments again.
#ifndef PORTER_MIRROR_LANES_H
#define PORTER_MIRROR_LANES_H

#include <hip/hip_runtime.h>

#include <type_traits>

namespace porter {

__host__ __device__ constexpr unsigned logical_lane(unsigned wave_lane) {
  return ((wave_lane >> 1 & 6u) | (wave_lane & 1u)) * 4u + (wave_lane >> 4);
}

namespace detail {
__device__ inline unsigned hardware_lane() { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u)); }
}  // namespace detail

// 0 or 1: which of the two lanes of the wave that play one lane of the warp this is. A unit without mirrors may have
// functions of its headers that ask, as long as it calls none of them.
#ifdef PORTER_MIRRORED
__device__ inline unsigned mirror() { return detail::hardware_lane() >> 1 & 1u; }
#else
__attribute__((error("warps have no mirrors here: the unit must define PORTER_MIRRORED before its first #include, as porter "
                     "convert does"))) __device__ unsigned mirror();
#endif

// The lane of the wave that plays a lane of the warp, among the caller's own mirrors.
__device__ inline unsigned wave_lane_of(unsigned lane) {
  const unsigned row = lane >> 2 & 7u;
  return ((lane & 3u) << 4) | ((row & 6u) << 1) | (row & 1u) | (detail::hardware_lane() & 2u);
}

// What the other mirror holds in the same register.
__device__ inline int from_mirror(int word) {
  return __builtin_amdgcn_update_dpp(0, word, 2 | 3 << 2 | 0 << 4 | 1 << 6, 0xf, 0xf, true);  // quad_perm: 2 3 0 1
}

// What the first mirror holds, in both.
__device__ inline int from_first_mirror(int word) {
  return __builtin_amdgcn_update_dpp(0, word, 0 | 1 << 2 | 0 << 4 | 1 << 6, 0xf, 0xf, true);  // quad_perm: 0 1 0 1
}

// A 64-bit mask of the wave's lanes as a mask of the warp's: of the first mirrors' bits, in the order of the warp.
__device__ inline unsigned logical_mask(unsigned long long wave_mask) {
  unsigned result = 0;
#pragma unroll
  for (unsigned p = 0; p < 4; ++p) {
    unsigned rows = unsigned(wave_mask >> (16 * p)) & 0x3333u;  // bits R2 R1 0 R0
    rows = (rows | rows >> 2) & 0x0f0fu;
    rows = (rows | rows >> 4) & 0x00ffu;
    rows = (rows | rows << 12) & 0x000f000fu;  // bit R to bit 4 R
    rows = (rows | rows << 6) & 0x03030303u;
    rows = (rows | rows << 3) & 0x11111111u;
    result |= rows << p;
  }
  return result;
}

// Calls f in the first mirror alone; both get what it returns. On the host it is a call.
template <class F>
__host__ __device__ inline auto once(F f) -> decltype(f()) {
#ifdef __HIP_DEVICE_COMPILE__
  using T = decltype(f());
  if constexpr (std::is_void_v<T>) {
    if (mirror() == 0) f();
  } else {
    constexpr int words = (sizeof(T) + 3) / 4;
    int word[words] = {};
    if (mirror() == 0) {
      const T value = f();
      __builtin_memcpy(word, &value, sizeof(T));
    }
#pragma unroll
    for (int i = 0; i < words; ++i) word[i] = from_first_mirror(word[i]);
    T result;
    __builtin_memcpy(&result, word, sizeof(T));
    return result;
  }
#else
  return f();
#endif
}

// The block to launch for CUDA's block. Warps must be whole, or the launch fails as an invalid one does: x is a multiple of
// 32, or x y z is where the unit says by PORTER_MIRRORED 2 that its threads may have more than one index. One thread alone
// has no mirror: small kernels that set counters are launched so.
#ifdef PORTER_MIRRORED
constexpr int mirrored_indices = PORTER_MIRRORED;
#else
constexpr int mirrored_indices = 0;  // a header's launch in a unit whose warps have no roles
#endif
constexpr int lanes_per_thread = mirrored_indices ? 2 : 1;
template <int Indices = mirrored_indices>  // of the unit that defines the kernel
static inline __host__ __device__ dim3 mirrored(dim3 block) {
  if (Indices == 0 || (block.x == 1u && block.y == 1u && block.z == 1u)) return block;
  const bool whole = (Indices > 1 ? block.x * block.y * block.z : block.x) % 32u == 0;
  return dim3(whole ? 2u * block.x : 0u, block.y, block.z);
}

namespace detail {
struct Index {
  unsigned x, y, z;
  __device__ operator uint3() const { return uint3{x, y, z}; }
  __device__ operator dim3() const { return dim3(x, y, z); }
};
}  // namespace detail

// CUDA's threadIdx.
__device__ inline detail::Index thread_index() {
#ifdef PORTER_MIRRORED
  const unsigned x = threadIdx.x;
#if PORTER_MIRRORED > 1
  if (blockDim.x % 64u != 0) {  // a warp has threads of several rows
    const unsigned width = (blockDim.x + 1u) / 2u, place = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + x;
    const unsigned thread = place / 64u * 32u + logical_lane(place % 64u), row = thread / width;
    return {thread % width, row % blockDim.y, row / blockDim.y};
  }
#endif
  return {x / 64u * 32u + logical_lane(x % 64u), threadIdx.y, threadIdx.z};
#else
  return {threadIdx.x, threadIdx.y, threadIdx.z};
#endif
}

// A block of the kernel has at most so many of CUDA's threads: what __launch_bounds__ says.
__device__ inline void threads_at_most([[maybe_unused]] unsigned threads) {
#ifdef PORTER_MIRRORED
  threads *= 2;
#endif
  __builtin_assume(__builtin_amdgcn_workitem_id_x() < threads);
}

// In a kernel whose threads have no mirrors, though those of others of its unit have.
__device__ inline detail::Index plain_thread_index() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }

// CUDA's blockDim. No macro: configurations of launches have a member of that name.
__device__ inline detail::Index block_dim() {
#ifdef PORTER_MIRRORED
  return {(blockDim.x + 1u) / 2u, blockDim.y, blockDim.z};  // 1 of 1
#else
  return {blockDim.x, blockDim.y, blockDim.z};
#endif
}

}  // namespace porter

// Functions of a header whose code follows from the unit have other names in units of other kinds.
#if defined(PORTER_MIRRORED) && defined(PORTER_CLUSTERS)
#if PORTER_MIRRORED > 1
#define PORTER_UNIT __attribute__((abi_tag("mirrored_2_clusters")))
#else
#define PORTER_UNIT __attribute__((abi_tag("mirrored_clusters")))
#endif
#elif defined(PORTER_MIRRORED)
#if PORTER_MIRRORED > 1
#define PORTER_UNIT __attribute__((abi_tag("mirrored_2")))
#else
#define PORTER_UNIT __attribute__((abi_tag("mirrored")))
#endif
#elif defined(PORTER_CLUSTERS)
#define PORTER_UNIT __attribute__((abi_tag("clusters")))
#else
#define PORTER_UNIT
#endif

#ifdef PORTER_MIRRORED
#define PORTER_ONCE(call) (::porter::once([&] { return call; }))
#else
#define PORTER_ONCE(call) (call)
#endif

#endif  // PORTER_MIRROR_LANES_H
