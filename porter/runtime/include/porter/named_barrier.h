// porter runtime: PTX's numbered barriers (bar.sync id, n), by counters in LDS.
//
// Warps come as wholes, as for .aligned barriers. begin_block() must run first: no instruction sets these barriers up.
#ifndef PORTER_NAMED_BARRIER_H
#define PORTER_NAMED_BARRIER_H

#include <hip/hip_runtime.h>

#include <cstdint>

#include "dynamic_shared.h"
#include "mbarrier.h"

namespace porter {
namespace detail {

// words: bits 0-15 threads that are here, 16-31 how many of them said yes, 32- how often the barrier was complete
struct numbered_barriers {
  uint64_t words[16];
  uint32_t counts[16][2];  // of the last two times
};
__device__ inline PORTER_LDS numbered_barriers* numbered() {
  __shared__ numbered_barriers barriers;
  return (PORTER_LDS numbered_barriers*)(&barriers);
}

// The threads of the wave's warps; a warp counts as a whole.
__device__ inline uint32_t warp_threads(uint64_t lanes) {
  if (first_mirrors != ~0ull) return 32;
  return (uint32_t(lanes) != 0 ? 32u : 0u) + (lanes >> 32 != 0 ? 32u : 0u);
}
__device__ inline uint32_t block_threads() {
  const auto block = block_dim();
  return block.x * block.y * block.z;
}

template <bool Waits>
__device__ inline uint32_t numbered_barrier(uint32_t id, uint32_t threads, bool yes) {
  ptx_detail::fence_release<cta>();
  const auto all = numbered();
  const uint32_t number = uniform(id) & 15u, wanted = uniform(threads);
  const shared_barrier bar = (shared_barrier)(&all->words[number]);
  const uint32_t here = warp_threads(active_lanes());
  const uint64_t change = here | uint64_t(__popcll(__builtin_amdgcn_ballot_w64(yes) & first_mirrors)) << 16;
  uint64_t old = 0;
  if (first_active_lane()) old = bar_fetch_add(bar, change);
  old = uniform64(old);
  const uint32_t times = uint32_t(old >> 32);
  const uint64_t now = old + change;
  if ((now & 0xffffu) == wanted) {
    if (first_active_lane()) {
      all->counts[number][times & 1u] = uint32_t(now) >> 16;
      ptx_detail::fence_release<cta>();
      bar_fetch_add(bar, (uint64_t(1) << 32) - (now & 0xffffffffu));
    }
  } else if (Waits) {
    uint32_t place = uint32_t(reinterpret_cast<uintptr_t>(bar));
    asm("" : "+v"(place));  // the loop has nothing to do but to look
    while (uint32_t(bar_look(barrier_at(place)) >> 32) == times) __builtin_amdgcn_s_sleep(1);
  }
  ptx_detail::fence_acquire<cta>();
  return Waits ? all->counts[number][times & 1u] : 0;
}

}  // namespace detail

// Before anything else in a kernel that uses numbered barriers.
__device__ inline void begin_block() {
  detail::keep_dynamic_shared();
  const auto all = detail::numbered();
  const auto thread = threadIdx;
  if (thread.x == 0 && thread.y == 0 && thread.z == 0)
    for (int i = 0; i < 16; ++i) all->words[i] = 0;
  __syncthreads();
}

__device__ inline void named_barrier_sync(uint32_t id, uint32_t threads) { detail::numbered_barrier<true>(id, threads, false); }
__device__ inline void named_barrier_sync(uint32_t id) { named_barrier_sync(id, detail::block_threads()); }
__device__ inline void named_barrier_arrive(uint32_t id, uint32_t threads) { detail::numbered_barrier<false>(id, threads, false); }
__device__ inline uint32_t named_barrier_popc(uint32_t id, uint32_t threads, bool yes) {
  return detail::numbered_barrier<true>(id, threads, yes);
}
__device__ inline uint32_t named_barrier_popc(uint32_t id, bool yes) { return named_barrier_popc(id, detail::block_threads(), yes); }
__device__ inline bool named_barrier_and(uint32_t id, uint32_t threads, bool yes) { return named_barrier_popc(id, threads, !yes) == 0; }
__device__ inline bool named_barrier_and(uint32_t id, bool yes) { return named_barrier_popc(id, !yes) == 0; }
__device__ inline bool named_barrier_or(uint32_t id, uint32_t threads, bool yes) { return named_barrier_popc(id, threads, yes) != 0; }
__device__ inline bool named_barrier_or(uint32_t id, bool yes) { return named_barrier_popc(id, yes) != 0; }

}  // namespace porter

#endif  // PORTER_NAMED_BARRIER_H
