// porter kittens: semaphores (mbarriers), numbered barriers, and how far a warpgroup's products are.
#ifndef PORTER_KITTENS_SYNC_H
#define PORTER_KITTENS_SYNC_H

#include "../mbarrier.h"
#include "../named_barrier.h"
#include "base.h"
#include "global.h"

#ifdef PORTER_MIRRORED
#error "porter/kittens: a warp is a wavefront here; the unit must not define PORTER_MIRRORED"
#endif

namespace kittens {

struct semaphore {
 private:
  uint64_t value;
};
template <int Warps>
struct barrier {
  int barrier_id;
  __device__ barrier(int id) : barrier_id(id) {}
  __device__ barrier operator[](int i) const { return barrier(barrier_id + i); }
};

namespace detail {

using warp_counts = uint32_t __attribute__((ext_vector_type(4)));  // of the warps of a warpgroup
__device__ inline PORTER_LDS warp_counts* product_counts() {
  __shared__ warp_counts counts[4];
  return (PORTER_LDS warp_counts*)(&counts[0]);
}
// One more group of products is done: what it read may be written once the others are as far.
__device__ inline void commit_products() {
  const int warp = warpid();
  const auto own = (PORTER_LDS uint32_t*)(product_counts() + warp / 4) + warp % 4;
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  if (laneid() == 0) __hip_atomic_fetch_add(own, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
template <int Pending>
__device__ inline void await_products() {
  const int warp = warpid();
  uint32_t place = uint32_t(reinterpret_cast<uintptr_t>(product_counts() + warp / 4));
  asm("" : "+v"(place));  // the loop has nothing to do but to look
  while (true) {
    const warp_counts counts = *(const volatile PORTER_LDS warp_counts*)(uintptr_t(place));
    const uint32_t own = warp % 4 == 0 ? counts[0] : warp % 4 == 1 ? counts[1] : warp % 4 == 2 ? counts[2] : counts[3];
    bool behind = false;
#pragma unroll
    for (int i = 0; i < 4; ++i) behind |= int32_t(own - counts[i]) > Pending;
    if (__builtin_amdgcn_readfirstlane(behind) == 0) break;
    __builtin_amdgcn_s_sleep(1);
  }
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

}  // namespace detail

// The block to launch for one that is counted in CUDA's threads.
inline dim3 twice(dim3 block) { return dim3(2 * block.x, block.y, block.z); }

// Before anything else in a kernel: numbered barriers and counts of products are 0.
__device__ inline void begin() {
  if (warpid() == 0 && laneid() < 16) ((PORTER_LDS uint32_t*)detail::product_counts())[laneid()] = 0;
  porter::begin_block();
}

__device__ inline void init_semaphore(semaphore& s, int threads, int transactions = 0) {
  porter::mbarrier_init(&s, uint32_t(threads + transactions));
}
__device__ inline void invalidate_semaphore(semaphore&) {}
__device__ inline void arrive(semaphore& s, uint32_t count = 1) { porter::mbarrier_arrive(&s, count); }
__device__ inline bool test_wait(semaphore& s, int phase) { return porter::mbarrier_test_wait_parity(&s, uint32_t(phase)); }
__device__ inline bool try_wait(semaphore& s, int phase) { return porter::mbarrier_try_wait_parity(&s, uint32_t(phase)); }
__device__ inline void wait(semaphore& s, int phase) {
  while (!try_wait(s, phase)) {}
}
__device__ inline void careful_wait(semaphore& s, int phase) { wait(s, phase); }
__device__ inline void arrive_and_wait(semaphore& s, int phase) {
  arrive(s);
  wait(s, phase);
}
template <int Warps>
__device__ inline void arrive(barrier<Warps> b) { porter::named_barrier_arrive(b.barrier_id, Warps * WARP_THREADS); }
template <int Warps>
__device__ inline void arrive_and_wait(barrier<Warps> b) { porter::named_barrier_sync(b.barrier_id, Warps * WARP_THREADS); }
template <int Pending = 0>
__device__ inline void load_async_wait() { detail::wave_order(); }

namespace detail {
template <class T>
struct size_info { static constexpr uint32_t bytes = sizeof(std::remove_reference_t<T>); };
template <ducks::st::all T>
struct size_info<T> { static constexpr uint32_t bytes = T::num_elements * sizeof(typename T::dtype); };
template <ducks::sv::all T>
struct size_info<T> { static constexpr uint32_t bytes = T::length * sizeof(typename T::dtype); };
}  // namespace detail
template <class... T>
inline constexpr uint32_t size_bytes = (detail::size_info<T>::bytes + ... + 0u);

}  // namespace kittens

#endif  // PORTER_KITTENS_SYNC_H
