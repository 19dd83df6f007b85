// porter runtime: how far the warps of a warpgroup are with their products. On Hopper a product is one operation of four
// warps: who has waited for it knows that all four have read their operands, and one thread may tell the producer so.
//
// Here each warp computes its own part at once, and counts the groups that it committed in a word of LDS; a wait compares
// the four. begin_warpgroups() must run first.
//
// Where threads bring operands by cp.async, a unit defines PORTER_WARPGROUPS_MEET: on Hopper a product begins when all four
// warps have come, so each may read what the others have waited for.
#ifndef PORTER_WARPGROUP_H
#define PORTER_WARPGROUP_H

#include <hip/hip_runtime.h>

#include <cstdint>

#include "dynamic_shared.h"
#include "mirror_lanes.h"
#include "ptx_memory.h"

namespace porter {
namespace detail {

using group_counts = uint32_t __attribute__((ext_vector_type(4)));  // of the warps of a warpgroup

// A block has at most 512 of CUDA's threads where warps are mirrored.
__device__ inline PORTER_LDS group_counts* warpgroup_counts() {
  __shared__ group_counts counts[8];  // groups of products; how often warps came to a product
  return (PORTER_LDS group_counts*)(&counts[0]);
}
__device__ inline unsigned block_warp() {
  const auto thread = thread_index();
  const auto block = block_dim();
  const unsigned linear = thread.x + block.x * (thread.y + block.y * thread.z);
  return unsigned(__builtin_amdgcn_readfirstlane(int(linear / 32u)));
}

}  // namespace detail

// Before anything else in a kernel that waits for wgmma.
__device__ inline void begin_warpgroups() {
  detail::keep_dynamic_shared();
  if (detail::block_warp() == 0 && detail::hardware_lane() < 8) detail::warpgroup_counts()[detail::hardware_lane()] = 0;
  __syncthreads();
}

// One more group is done: what it read may be written once the others are as far.
__device__ inline void warpgroup_commit() {
  const unsigned warp = detail::block_warp();
  const auto own = (PORTER_LDS uint32_t*)(detail::warpgroup_counts() + warp / 4) + warp % 4;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  if (detail::hardware_lane() == 0) __hip_atomic_fetch_add(own, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}

namespace detail {

// Until no warp of the warpgroup is more than `pending` behind in the count at `place`.
__device__ inline void wait_for_warps(uint32_t place, unsigned warp, int32_t pending) {
  asm("" : "+v"(place));  // the loop has nothing to do but to look
  while (true) {
    const group_counts counts = *(const volatile PORTER_LDS group_counts*)(uintptr_t(place));
    const uint32_t own = warp % 4 == 0 ? counts[0] : warp % 4 == 1 ? counts[1] : warp % 4 == 2 ? counts[2] : counts[3];
    bool behind = false;
#pragma unroll
    for (int i = 0; i < 4; ++i) behind |= int32_t(own - counts[i]) > pending;
    if (__builtin_amdgcn_readfirstlane(behind) == 0) break;
    __builtin_amdgcn_s_sleep(1);
  }
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

}  // namespace detail

// Until no warp of the warpgroup is more than `Pending` groups behind.
template <int Pending>
__device__ inline void warpgroup_wait() {
  const unsigned warp = detail::block_warp();
  detail::wait_for_warps(uint32_t(reinterpret_cast<uintptr_t>(detail::warpgroup_counts() + warp / 4)), warp, Pending);
}

// Until the four warps have all come here as often.
__device__ inline void warpgroup_meet() {
  const unsigned warp = detail::block_warp();
  const auto counts = detail::warpgroup_counts() + 4 + warp / 4;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  if (detail::hardware_lane() == 0)
    __hip_atomic_fetch_add((PORTER_LDS uint32_t*)counts + warp % 4, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  detail::wait_for_warps(uint32_t(reinterpret_cast<uintptr_t>(counts)), warp, 0);
}

}  // namespace porter

#endif  // PORTER_WARPGROUP_H
