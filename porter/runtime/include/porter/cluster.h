// porter runtime: thread-block clusters.
//
// The blocks of a cluster are consecutive blocks of the grid. gfx942 begins blocks in order, so those of the lowest
// cluster that has not ended are all there or will be: blocks may wait for each other. Each block has a part of a piece
// of global memory that the launch brings (cluster_launch.h). There lie the cluster's barrier, a box of messages to the
// block, and a shadow of its LDS for shared variables that other blocks reach by ordinary pointers (`relocated`).
//
// What has to happen in another block's LDS is sent to it as a message: arrivals at its mbarriers, stores, atomics, loads
// with an answer, copies. Waves that wait for an mbarrier, the cluster's barrier, an answer or a free place in a box
// carry out what came for their own block. Messages of one wave are carried out in the order in which it sent them.
//
// Addresses within the cluster are CUDA's: an LDS offset, with rank + 1 in bits 24-31. A unit without PORTER_CLUSTERS has
// clusters of one block.
#ifndef PORTER_CLUSTER_H
#define PORTER_CLUSTER_H

#include <hip/hip_runtime.h>

#include <cstdint>
#include <type_traits>

#include "mbarrier.h"
#ifdef PORTER_CLUSTERS
#include "cluster_messages.h"
#endif

namespace porter {

#ifndef PORTER_CLUSTERS

__device__ inline uint32_t cluster_rank() { return 0; }
__device__ inline uint32_t cluster_blocks() { return 1; }
__device__ inline dim3 cluster_dims() { return dim3(1, 1, 1); }
__device__ inline dim3 cluster_block() { return dim3(0, 0, 0); }
__device__ inline dim3 cluster_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
__device__ inline void cluster_arrive() { ptx_detail::fence_release<cta>(); }
__device__ inline void cluster_arrive_relaxed() {}
struct cluster_member {  // of kernels in headers that units with clusters include, too
  __device__ explicit cluster_member(uint32_t = 0, uint32_t = 1, uint32_t = 1) {}
};
__device__ inline void cluster_wait() { __syncthreads(); }
template <class P>
__device__ inline P mapa(P place, uint32_t) {
  return place;
}
template <class P>
__device__ inline uint32_t rank_of(P) {
  return 0;
}

#else

__device__ inline uint32_t cluster_rank() { return detail::uniform(detail::cluster()->rank); }
__device__ inline uint32_t cluster_blocks() { return detail::uniform(detail::cluster()->blocks); }
namespace detail {
__device__ inline dim3 three(PORTER_LDS uint32_t* words) { return dim3(uniform(words[0]), uniform(words[1]), uniform(words[2])); }
}  // namespace detail
__device__ inline dim3 cluster_dims() { return detail::three(detail::cluster()->dims); }
__device__ inline dim3 cluster_block() { return detail::three(detail::cluster()->block); }
__device__ inline dim3 cluster_index() { return detail::three(detail::cluster()->index); }

// The blocks of a cluster, or nothing where the launch says how many.
__device__ inline void begin_cluster(uint32_t x = 0, uint32_t y = 1, uint32_t z = 1) {
  using namespace detail;
  const auto state = cluster();
  const uint32_t thread = (__builtin_amdgcn_workitem_id_z() * blockDim.y + __builtin_amdgcn_workitem_id_y()) * blockDim.x +
                          __builtin_amdgcn_workitem_id_x();
  const uint32_t dx = x ? x : launched_cluster.dims[0], dy = x ? y : launched_cluster.dims[1], dz = x ? z : launched_cluster.dims[2];
  const uint32_t gx = gridDim.x / dx, gy = gridDim.y / dy, gz = gridDim.z / dz, blocks = dx * dy * dz;
  if (gx * dx != gridDim.x || gy * dy != gridDim.y || gz * dz != gridDim.z) __builtin_trap();  // CUDA refuses such a launch
  const uint32_t number = (__builtin_amdgcn_workgroup_id_z() * gridDim.y + __builtin_amdgcn_workgroup_id_y()) * gridDim.x +
                          __builtin_amdgcn_workgroup_id_x();
  const uint32_t index = number / blocks, rank = number - index * blocks, stride = launched_cluster.stride;
  const uint64_t first = launched_cluster.parts + uint64_t(index) * blocks * stride;
  if (thread < 16) state->odd[thread] = 0;
  if (thread == 0) {
    state->barrier = launched_cluster.barriers + uint64_t(index) * 64, state->first = first;
    state->stride = stride, state->rank = rank, state->blocks = blocks;
    state->dims[0] = dx, state->dims[1] = dy, state->dims[2] = dz;
    state->block[0] = rank % dx, state->block[1] = rank / dx % dy, state->block[2] = rank / dx / dy;
    state->index[0] = index % gx, state->index[1] = index / gx % gy, state->index[2] = index / gx / gy;
    state->arrived = state->taken = state->taking = 0;
  }
  __syncthreads();
}

// CUDA's blockIdx, where a cluster's blocks are not neighbours in x.
__device__ inline detail::Index block_index() {
  const dim3 dims = cluster_dims(), block = cluster_block(), index = cluster_index();
  return {index.x * dims.x + block.x, index.y * dims.y + block.y, index.z * dims.z + block.z};
}

// The cluster's barrier. The last thread of a block arrives for the block; threads and blocks that are gone count.
namespace detail {
__device__ inline void block_arrives(uint32_t change, bool leaves) {
  const auto barrier = (PORTER_GLOBAL uint64_t*)(cluster()->barrier);
  const uint64_t now = __hip_atomic_fetch_add(barrier, uint64_t(change), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) + change;
  const uint64_t arrived = now & 0xffffu, gone = now >> 16 & 0xffffu;
  if (arrived != 0 && arrived + gone == cluster()->blocks)
    __hip_atomic_fetch_add(barrier, (uint64_t(1) << 32) - arrived, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  if (!leaves) asm volatile("s_waitcnt vmcnt(0)" ::: "memory");  // it is there before a barrier of the block, after which others look
}
// By one lane, for those of its wave.
__device__ inline void threads_arrive(uint32_t change) {
  const auto block = block_dim();
  const uint32_t threads = block.x * block.y * block.z;
  const uint32_t now = add(&cluster()->arrived, change) + change, arrived = now & 0xffffu, gone = now >> 16;
  if (arrived + gone != threads) return;
  if (arrived != 0) add(&cluster()->arrived, 0 - arrived);
  ptx_detail::fence_release<cta>();
  block_arrives(arrived != 0 ? 1u : 1u << 16, arrived == 0);
}
}  // namespace detail

__device__ inline void cluster_arrive_relaxed() {
  using namespace detail;
  const uint64_t lanes = active_lanes();
  const uint32_t wave = wave_of_block();
  if (!first_active_lane()) return;
  cluster()->odd[wave] ^= lanes;
  threads_arrive(uint32_t(__popcll(lanes & first_mirrors)));
}
__device__ inline void cluster_arrive() {
  ptx_detail::fence_release<gpu>();
  cluster_arrive_relaxed();
}
namespace detail {
// Until the phase is complete at which this thread arrived last.
template <class Kind>
__device__ inline void wait_for_phase() {
  uint64_t place = cluster()->barrier;
  asm("" : "+v"(place));  // the loop has nothing to do but to look
  const uint32_t odd = uint32_t(cluster()->odd[wave_of_block()] >> hardware_lane()) & 1u;
  for (bool waits = true; __builtin_amdgcn_ballot_w64(waits) != 0;) {
#pragma clang loop unroll(disable)
    for (int turn = 0; turn < 8; ++turn) {
      const uint64_t word = __hip_atomic_load((PORTER_GLOBAL uint64_t*)(place), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
      waits = (uint32_t(word >> 32) & 1u) != odd;
      if (__builtin_amdgcn_ballot_w64(waits) == 0) break;
      __builtin_amdgcn_s_sleep(4);
    }
    if (__builtin_amdgcn_ballot_w64(waits) != 0) take_messages<Kind>();
  }
}
}  // namespace detail
template <class Kind = detail::copies>
__device__ inline void cluster_wait() {
  using namespace detail;
  const auto state = cluster();
  wait_for_phase<Kind>();
  ptx_detail::fence_acquire<gpu>();
  // What was sent before the others arrived is carried out.
  uint32_t sent = 0;
  if (first_active_lane()) sent = look(&part_of(uniform(state->rank))->sent);
  sent = uniform(sent);
  while (true) {
    uint32_t taken = 0;
    if (first_active_lane()) taken = look(&state->taken);
    if (int32_t(sent - uniform(taken)) <= 0) break;
    take_messages<Kind>();
  }
  meet_the_block();
  ptx_detail::fence_acquire<cta>();
}

// What a kernel begins with. Threads that end are not waited for by the cluster's barrier from then on.
class cluster_member {
 public:
  __device__ explicit cluster_member(uint32_t x = 0, uint32_t y = 1, uint32_t z = 1) { begin_cluster(x, y, z); }
  cluster_member(const cluster_member&) = delete;
  __device__ ~cluster_member() {
    using namespace detail;
    wait_for_phase<copies>();  // who has arrived counts once
    const uint32_t count = uint32_t(__popcll(active_lanes() & first_mirrors));
    if (first_active_lane()) threads_arrive(count << 16);
  }
};

// The generic address of LDS that a pointer into the block's shared memory stands for, wherever it lies: messages say it.
namespace detail {
__device__ inline uint64_t as_lds(uint64_t at) {
#ifdef PORTER_DEVICE_SHARED
  if (in_slot(at)) return reinterpret_cast<uint64_t>((char*)(PORTER_LDS char*)(uintptr_t(shared_place(at))));
#endif
  return at;
}
}  // namespace detail
// Addresses in another block: of LDS, or of a relocated variable.
template <class P>
__device__ inline P mapa(P place, uint32_t rank) {
  if constexpr (sizeof(P) == 4) {
    return (place & 0xffffffu) | (rank + 1) << 24;
  } else {
    const uint64_t from = detail::as_lds(address(place));
    const uint64_t to = is_shared(from) ? (from & ~0xff000000ull) | uint64_t(rank + 1) << 24
                                        : from + (int64_t(rank) - int64_t(cluster_rank())) * detail::uniform(detail::cluster()->stride);
    if constexpr (std::is_pointer_v<P>) return reinterpret_cast<P>(to);
    else return P(to);
  }
}
template <class P>
__device__ inline uint32_t rank_of(P place) {
  const uint64_t at = sizeof(P) == 4 ? address(place) : detail::as_lds(address(place));
  if (sizeof(P) == 4 || is_shared(at)) return uint32_t(at) >> 24 ? (uint32_t(at) >> 24) - 1 : cluster_rank();
  return uint32_t((at - detail::uniform64(detail::cluster()->first)) / detail::uniform(detail::cluster()->stride));
}

// The same variable in the shadow of LDS, which the other blocks can reach.
namespace detail {
template <class T>
__device__ inline T* relocate(T* variable) {
  static_assert(shadows || sizeof(T) == 0, "define PORTER_CLUSTERS_SHADOW");
  const uint32_t offset = cvta_generic_to_shared(variable);
  return (T*)((PORTER_GLOBAL T*)(uint64_t(part_of(uniform(cluster()->rank))) + sizeof(cluster_part) + offset));
}
}  // namespace detail
template <class T>
__device__ inline T& relocated(T& variable) {
  return *detail::relocate(&variable);
}
template <class T>
__device__ inline T* relocated(T (&variable)[]) {
  return detail::relocate(&variable[0]);
}
// A member of a structure in LDS, of this block or (map_shared_rank) of another one. Elsewhere members are where they are.
template <class T>
__device__ inline T& relocated_member(T& member) {
  static_assert(detail::shadows || sizeof(T) == 0, "define PORTER_CLUSTERS_SHADOW");
  const uint64_t at = address(&member);
  if (!is_shared(at)) return member;
  const auto part = detail::part_of(rank_of(at));
  return *(T*)((PORTER_GLOBAL T*)(uint64_t(part) + sizeof(detail::cluster_part) + (at & 0xffffffu)));
}

#endif  // PORTER_CLUSTERS

}  // namespace porter

#include "cluster_memory.h"

#if defined(PORTER_CLUSTERS) && defined(PORTER_CLUSTERS_IN_Y_OR_Z)
#define blockIdx (::porter::block_index())
#endif

#endif  // PORTER_CLUSTER_H
