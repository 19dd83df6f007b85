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
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>
#include <type_traits>

#include "mbarrier.h"

namespace porter {

#ifndef PORTER_CLUSTERS

__device__ inline uint32_t cluster_rank() { return 0; }
__device__ inline uint32_t cluster_blocks() { return 1; }
__device__ inline dim3 cluster_dims() { return dim3(1, 1, 1); }
__device__ inline dim3 cluster_block() { return dim3(0, 0, 0); }
__device__ inline dim3 cluster_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
__device__ inline void cluster_arrive() { ptx_detail::fence_release<cta>(); }
__device__ inline void cluster_arrive_relaxed() {}
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

namespace detail {

// What a launch says to the kernels of this unit (cluster_launch.h). It clears barriers, marks and counts of messages.
struct cluster_launch {
  uint64_t barriers;  // of the clusters, one in 64 bytes: bits 0-15 blocks that arrived, 16-31 that are gone, 32- phases
  uint64_t parts;     // of the blocks, in the order of clusters
  uint32_t stride;
  uint32_t dims[3];  // blocks of a cluster, where the kernel does not say it
};
static __device__ __attribute__((used)) cluster_launch launched_cluster = {0, 0, 0, {1, 1, 1}};

// A message: 0 mark, 1 kind, 2 place in LDS, 3 mbarrier, 4... as the kind says. A mark is four times how often the slot
// was used, plus: 0 free, 1 filled, 2 answered.
constexpr uint32_t message_words = 16, slots = 64;
struct message {
  uint32_t words[message_words];
};
enum message_kind : uint32_t { arrive_message, store_message, load_message, atomic_message, bulk_message, tensor_message };
constexpr uint32_t message_begins = 1u << 31, no_barrier = ~0u;  // bits 8-15 of the kind: bytes, 16-23: operation

struct cluster_part {
  uint32_t sent, apart[31];
  uint32_t messages[slots][message_words];
};

struct cluster_state {
  uint64_t barrier, first;  // of the cluster; part of its first block
  uint32_t stride, rank, blocks;
  uint32_t dims[3], block[3], index[3];
  uint32_t arrived;        // threads: bits 0-15 those at the cluster's barrier, 16-31 those that are gone
  uint32_t taken, taking;  // messages; a wave is at it
  uint64_t odd[16];        // for each wave: lanes that arrived at the barrier an odd number of times
};
__device__ inline PORTER_SHARED cluster_state* cluster() {
  __shared__ cluster_state state;
  return (PORTER_SHARED cluster_state*)(&state);
}
__device__ inline PORTER_GLOBAL cluster_part* part_of(uint32_t rank) {
  return (PORTER_GLOBAL cluster_part*)(uniform64(cluster()->first) + uint64_t(rank) * uniform(cluster()->stride));
}

__device__ inline uint32_t wave_of_block() {
  const uint32_t x = __builtin_amdgcn_workitem_id_x(), y = __builtin_amdgcn_workitem_id_y(), z = __builtin_amdgcn_workitem_id_z();
  return uniform(((z * blockDim.y + y) * blockDim.x + x) / 64);
}

// Atomics that change nothing, for the reason that bar_look (mbarrier.h) gives.
template <class T>
__device__ inline T look(PORTER_GLOBAL T* at) {
  T nothing = 0;
  asm volatile("" : "+v"(nothing));
  return __hip_atomic_fetch_or(at, nothing, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
__device__ inline uint32_t look(PORTER_SHARED uint32_t* at) {
  uint32_t nothing = 0;
  asm volatile("" : "+v"(nothing));
  return __hip_atomic_fetch_or(at, nothing, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
__device__ inline uint32_t add(PORTER_SHARED uint32_t* at, uint32_t value) {
  return __hip_atomic_fetch_add(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
// What other waves did to LDS before they told other blocks of it comes before what these answer.
__device__ inline void meet_the_block() {
  if (first_active_lane()) look(&cluster()->arrived);
}

__device__ inline uint32_t mark(uint32_t ticket, uint32_t state) { return (ticket / slots * 4 + state) & 0xfffffffu; }

// Marks are set and looked at by atomics alone, as who looks does not wait for anything else.
__device__ inline void set_mark(PORTER_GLOBAL uint32_t* slot, uint32_t value) {
  __hip_atomic_exchange(slot, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}

template <int First, int Last>
__device__ inline void read_words(message& m, PORTER_GLOBAL uint32_t* from) {
#pragma unroll
  for (int w = First; w < Last; w += 4) {
    const auto part = *(PORTER_GLOBAL ptx_detail::bits<16>::whole*)(from + w);
    for (int i = 0; i < 4; ++i) m.words[w + i] = part[i];
  }
}

// 32- and 64-bit atomics in LDS by number. `other`: what a compare-and-swap writes.
enum operation : uint32_t { op_add, op_min, op_max, op_umin, op_umax, op_and, op_or, op_xor, op_exch, op_cas, op_inc, op_dec, op_fadd };
template <class U, class S, class F>
__device__ inline U apply(uint32_t op, PORTER_SHARED U* at, U value, U other) {
  const auto i = (PORTER_SHARED S*)(at);
  const auto f = (PORTER_SHARED F*)(at);
  switch (op) {
    case op_add: return __hip_atomic_fetch_add(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    case op_min: return U(__hip_atomic_fetch_min(i, S(value), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP));
    case op_max: return U(__hip_atomic_fetch_max(i, S(value), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP));
    case op_umin: return __hip_atomic_fetch_min(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    case op_umax: return __hip_atomic_fetch_max(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    case op_and: return __hip_atomic_fetch_and(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    case op_or: return __hip_atomic_fetch_or(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    case op_xor: return __hip_atomic_fetch_xor(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    case op_exch: return __hip_atomic_exchange(at, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    case op_fadd: {
      F x;
      __builtin_memcpy(&x, &value, sizeof x);
      x = __hip_atomic_fetch_add(f, x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
      __builtin_memcpy(&value, &x, sizeof x);
      return value;
    }
    case op_cas:
      __hip_atomic_compare_exchange_strong(at, &value, other, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
      return value;
    default: {  // inc, dec
      U old = *at;
      U next;
      do next = op == op_inc ? (old >= value ? 0 : old + 1) : (old == 0 || old > value ? value : old - 1);
      while (!__hip_atomic_compare_exchange_weak(at, &old, next, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP));
      return old;
    }
  }
}

__device__ inline uint64_t value_of(const message& m, int at) { return m.words[at] | uint64_t(m.words[at + 1]) << 32; }

// One lane's message; answers go back into it. Copies are made by the wave: mail_copier.
__device__ inline void carry_out(message& m) {
  const uint32_t kind = m.words[1] & 0xffu, bytes = m.words[1] >> 8 & 0xffu, op = m.words[1] >> 16 & 0xffu;
  const uint32_t place = m.words[2];
  const auto at = (PORTER_SHARED uint32_t*)(uintptr_t(place));
  if (kind == arrive_message) {
    const uint64_t arrivals = m.words[4];
    uint64_t change = (uint64_t(int64_t(int32_t(m.words[5]))) << bar_bytes) - arrivals;
    if (m.words[6] != 0) change -= arrivals << bar_expected;
    bar_change(barrier_at(place), change);
  } else if (kind == store_message) {
    if (bytes == 1) *(PORTER_SHARED uint8_t*)(at) = uint8_t(m.words[4]);
    else if (bytes == 2) *(PORTER_SHARED uint16_t*)(at) = uint16_t(m.words[4]);
    else
      for (uint32_t i = 0; i < 4; ++i)
        if (4 * i < bytes) at[i] = m.words[4 + i];
    if (m.words[3] != no_barrier) {
      ptx_detail::fence_release<cta>();
      bar_change(barrier_at(m.words[3]), 0 - (uint64_t(bytes) << bar_bytes));
    }
  } else if (kind == load_message) {
    if (bytes == 1) m.words[4] = *(PORTER_SHARED uint8_t*)(at);
    else if (bytes == 2) m.words[4] = *(PORTER_SHARED uint16_t*)(at);
    else
      for (uint32_t i = 0; i < 4; ++i)
        if (4 * i < bytes) m.words[4 + i] = at[i];
  } else if (kind == atomic_message) {
    const uint64_t a = value_of(m, 4), b = value_of(m, 6);
    const uint64_t old = bytes == 8 ? apply<uint64_t, int64_t, double>(op, (PORTER_SHARED uint64_t*)(at), a, b)
                                    : apply<uint32_t, int32_t, float>(op, at, uint32_t(a), uint32_t(b));
    m.words[4] = uint32_t(old), m.words[5] = uint32_t(old >> 32);
  }
}
__device__ inline bool answers(uint32_t kind) { return (kind & 0xffu) == load_message || (kind & 1u << 30) != 0; }
constexpr uint32_t wants_answer = 1u << 30;

// Copies that were sent (cluster_copy.h), by all active lanes; the message is the same in all.
template <class Kind>
struct mail_copier {
  __device__ static inline void copy(const message&) {}
};

// Carries out what came for this block, one wave at a time. By all active lanes.
template <class Kind = copies>
__device__ inline void take_messages() {
  const auto state = cluster();
  const auto part = part_of(uniform(state->rank));
  uint32_t sent = 0, taken = 0, taking = 0;
  if (first_active_lane()) sent = look(&part->sent), taken = look(&state->taken);
  sent = uniform(sent), taken = uniform(taken);
  if (sent == taken) return;
  if (first_active_lane()) taking = __hip_atomic_exchange(&state->taking, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  if (uniform(taking) != 0) return;
  ptx_detail::fence_acquire<cta>();
  if (first_active_lane()) taken = look(&state->taken);
  taken = uniform(taken);
  while (int32_t(sent - taken) > 0) {
    meet_the_block();
    const uint32_t ticket = taken + lanes_before(active_lanes());
    const auto slot = part->messages[ticket % slots];
    message m = {};
    // Not all that have their place are there yet. Nobody waits for them here: who sends may wait for this very wave.
    const bool there = int32_t(sent - ticket) > 0 && look(slot) == mark(ticket, 1);
    const uint64_t missing = __builtin_amdgcn_ballot_w64(!there);
    bool mine = missing == 0 || hardware_lane() < unsigned(__builtin_ctzll(missing));
    if (mine) {
      ptx_detail::fence_acquire<gpu>();
#pragma unroll
      for (int w = 1; w < 4; ++w) m.words[w] = slot[w];
      read_words<4, 8>(m, slot);
      if ((m.words[1] & 0xffu) >= bulk_message) read_words<8, message_words>(m, slot);
    }
    // What was sent by one instruction is carried out at once.
    const uint64_t begins = __builtin_amdgcn_ballot_w64(mine && ticket != taken && (m.words[1] & message_begins) != 0);
    mine = mine && (begins == 0 || hardware_lane() < unsigned(__builtin_ctzll(begins)));
    if (__builtin_amdgcn_ballot_w64(mine) == 0) break;
    if (mine) carry_out(m);
    for (uint64_t lanes = __builtin_amdgcn_ballot_w64(mine && (m.words[1] & 0xffu) >= bulk_message); lanes != 0; lanes &= lanes - 1) {
      message one;
#pragma unroll
      for (uint32_t w = 0; w < message_words; ++w) one.words[w] = of_lane(m.words[w], unsigned(__builtin_ctzll(lanes)));
      mail_copier<Kind>::copy(one);
    }
    ptx_detail::fence_release<cta>();
    if (mine) {
      const bool answered = answers(m.words[1]);
      if (answered) *(PORTER_GLOBAL ptx_detail::bits<16>::whole*)(slot + 4) = {m.words[4], m.words[5], m.words[6], m.words[7]};
      set_mark(slot, mark(ticket, answered ? 2 : 4));
    }
    const uint32_t count = uint32_t(__popcll(__builtin_amdgcn_ballot_w64(mine)));
    taken += count;
    if (first_active_lane()) add(&state->taken, count);
  }
  ptx_detail::fence_release<cta>();
  if (first_active_lane()) __hip_atomic_exchange(&state->taking, 0u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}

template <>
struct mail<copies> {
  static constexpr bool used = true;
  template <class Kind = copies>  // so that cluster_copy.h may still come
  __device__ static inline void take() {
    take_messages<Kind>();
  }
};

// A message of each active lane to the block of a rank. With an answer it comes back with that in words 4-7. Answers are
// waited for before the next block gets its messages: nobody holds a slot of one box while waiting for one of another.
template <int Words = 8, bool Answered = false, class Kind = copies>
__device__ inline message send(uint32_t rank, message m) {
  ptx_detail::fence_release<gpu>();
  meet_the_block();
  // One turn for each block. The loop is the wave's: of a loop that lanes leave one by one, compilers move the end out.
  for (uint64_t left = active_lanes(); left != 0;) {
    const uint32_t to = of_lane(rank, unsigned(__builtin_ctzll(left)));
    if (rank == to) {
      const auto part = part_of(to);
      const uint64_t lanes = active_lanes() & first_mirrors;
      uint32_t ticket = 0;
      if (first_active_lane())
        ticket = __hip_atomic_fetch_add(&part->sent, uint32_t(__popcll(lanes)), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
      const unsigned first = first_mirrors == ~0ull ? hardware_lane() : hardware_lane() & ~2u;
      const uint32_t before = uint32_t(__popcll(lanes & ((1ull << first) - 1)));
      ticket = uniform(ticket) + before;
      if (before == 0) m.words[1] |= message_begins;
      const auto slot = part->messages[ticket % slots];
      bool waits = true;
      while (__builtin_amdgcn_ballot_w64(waits) != 0) {
        if (waits && PORTER_ONCE(look(slot)) == mark(ticket, 0)) {
          meet_the_block();
          ptx_detail::fence_acquire<gpu>();
#pragma unroll
          for (int w = 1; w < 4; ++w) slot[w] = m.words[w];
#pragma unroll
          for (int w = 4; w < Words; w += 4)
            *(PORTER_GLOBAL ptx_detail::bits<16>::whole*)(slot + w) = {m.words[w], m.words[w + 1], m.words[w + 2], m.words[w + 3]};
          PORTER_ONCE(set_mark(slot, mark(ticket, 1)));
          waits = false;
        }
        if (__builtin_amdgcn_ballot_w64(waits) != 0) take_messages<Kind>();
      }
      if constexpr (Answered) {
        waits = true;
        while (__builtin_amdgcn_ballot_w64(waits) != 0) {
          if (waits && PORTER_ONCE(look(slot)) == mark(ticket, 2)) waits = false;
          if (__builtin_amdgcn_ballot_w64(waits) != 0) take_messages<Kind>();
        }
        ptx_detail::fence_acquire<gpu>();
        read_words<4, 8>(m, slot);
        meet_the_block();
        PORTER_ONCE(set_mark(slot, mark(ticket, 4)));
      }
    }
    left &= ~__builtin_amdgcn_ballot_w64(rank == to);
  }
  return m;
}

}  // namespace detail

__device__ inline uint32_t cluster_rank() { return detail::uniform(detail::cluster()->rank); }
__device__ inline uint32_t cluster_blocks() { return detail::uniform(detail::cluster()->blocks); }
namespace detail {
__device__ inline dim3 three(PORTER_SHARED uint32_t* words) { return dim3(uniform(words[0]), uniform(words[1]), uniform(words[2])); }
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

// Addresses in another block: of LDS, or of a relocated variable.
template <class P>
__device__ inline P mapa(P place, uint32_t rank) {
  if constexpr (sizeof(P) == 4) {
    return (place & 0xffffffu) | (rank + 1) << 24;
  } else {
    const uint64_t from = address(place);
    const uint64_t to = is_shared(from) ? (from & ~0xff000000ull) | uint64_t(rank + 1) << 24
                                        : from + (int64_t(rank) - int64_t(cluster_rank())) * detail::uniform(detail::cluster()->stride);
    if constexpr (std::is_pointer_v<P>) return reinterpret_cast<P>(to);
    else return P(to);
  }
}
template <class P>
__device__ inline uint32_t rank_of(P place) {
  const uint64_t at = address(place);
  if (sizeof(P) == 4 || is_shared(at)) return uint32_t(at) >> 24 ? (uint32_t(at) >> 24) - 1 : cluster_rank();
  return uint32_t((at - detail::uniform64(detail::cluster()->first)) / detail::uniform(detail::cluster()->stride));
}

// The same variable in the shadow of LDS, which the other blocks can reach. A unit that needs shadows says so: they are
// as large as the LDS of all blocks.
namespace detail {
#ifdef PORTER_CLUSTERS_SHADOW
constexpr bool shadows = true;
#else
constexpr bool shadows = false;
#endif

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

#endif  // PORTER_CLUSTERS

// ---- what PTX does at addresses of the cluster ------------------------------------------------------------------------

namespace detail {
#ifdef PORTER_CLUSTERS
__device__ inline bool elsewhere(uint32_t place) { return place >> 24 != 0 && (place >> 24) - 1 != cluster_rank(); }
#else
__device__ constexpr bool elsewhere(uint32_t) { return false; }
#endif
__device__ inline uint32_t here(uint32_t place) { return place & 0xffffffu; }

#ifdef PORTER_CLUSTERS
__device__ inline uint64_t send_arrival(uint32_t place, uint32_t arrivals, uint32_t bytes, bool drops = false) {
  message m = {};
  m.words[1] = arrive_message, m.words[2] = here(place), m.words[4] = arrivals, m.words[5] = bytes, m.words[6] = drops;
  send(rank_of(place), m);
  return 0;  // no state comes back from another block
}
template <class T>
__device__ inline message value_message(uint32_t kind, uint32_t place, T value) {
  message m = {};
  m.words[1] = kind | uint32_t(sizeof(T)) << 8, m.words[2] = here(place), m.words[3] = no_barrier;
  __builtin_memcpy(&m.words[4], &value, sizeof(T));
  return m;
}
template <class T>
__device__ inline T value_in(const message& m) {
  T value;
  __builtin_memcpy(&value, &m.words[4], sizeof(T));
  return value;
}
#endif
}  // namespace detail

template <class P>
__device__ inline uint64_t cluster_mbarrier_arrive(P bar, uint32_t count = 1) {
  const uint32_t place = cvta_generic_to_shared(bar);
#ifdef PORTER_CLUSTERS
  if (detail::elsewhere(place)) return detail::send_arrival(place, count, 0);
#endif
  return mbarrier_arrive(detail::here(place), count);
}
template <class P>
__device__ inline uint64_t cluster_mbarrier_arrive_expect_tx(P bar, uint32_t bytes) {
  const uint32_t place = cvta_generic_to_shared(bar);
#ifdef PORTER_CLUSTERS
  if (detail::elsewhere(place)) return detail::send_arrival(place, 1, bytes);
#endif
  return mbarrier_arrive_expect_tx(detail::here(place), bytes);
}
template <class P>
__device__ inline uint64_t cluster_mbarrier_arrive_drop(P bar, uint32_t count = 1) {
  const uint32_t place = cvta_generic_to_shared(bar);
#ifdef PORTER_CLUSTERS
  if (detail::elsewhere(place)) return detail::send_arrival(place, count, 0, true);
#endif
  return mbarrier_arrive_drop(detail::here(place), count);
}
template <class P>
__device__ inline uint64_t cluster_mbarrier_arrive_drop_expect_tx(P bar, uint32_t bytes) {
  const uint32_t place = cvta_generic_to_shared(bar);
#ifdef PORTER_CLUSTERS
  if (detail::elsewhere(place)) return detail::send_arrival(place, 1, bytes, true);
#endif
  return mbarrier_arrive_drop_expect_tx(detail::here(place), bytes);
}
template <class P>
__device__ inline void cluster_mbarrier_expect_tx(P bar, uint32_t bytes) {
  const uint32_t place = cvta_generic_to_shared(bar);
#ifdef PORTER_CLUSTERS
  if (detail::elsewhere(place)) {
    detail::send_arrival(place, 0, bytes);
    return;
  }
#endif
  mbarrier_expect_tx(detail::here(place), bytes);
}
template <class P>
__device__ inline void cluster_mbarrier_complete_tx(P bar, uint32_t bytes) {
  const uint32_t place = cvta_generic_to_shared(bar);
#ifdef PORTER_CLUSTERS
  if (detail::elsewhere(place)) {
    detail::send_arrival(place, 0, 0 - bytes);
    return;
  }
#endif
  mbarrier_complete_tx(detail::here(place), bytes);
}

// ld, st .shared::cluster; `to` holds the offset within the instruction.
template <class T, class P>
__device__ inline T cluster_ld(P from) {
  const uint32_t place = cvta_generic_to_shared(from);
#ifdef PORTER_CLUSTERS
  if (detail::elsewhere(place))
    return detail::value_in<T>(detail::send<8, true>(rank_of(place), detail::value_message(detail::load_message, place, T{})));
#endif
  return ld<T>(lds(detail::here(place)));
}
template <class T, class P>
__device__ inline void cluster_st(P to, T value) {
  const uint32_t place = cvta_generic_to_shared(to);
#ifdef PORTER_CLUSTERS
  if (detail::elsewhere(place)) {
    detail::send(rank_of(place), detail::value_message(detail::store_message, place, value));
    return;
  }
#endif
  st<T>(lds(detail::here(place)), value);
}
// st.async: the mbarrier is in the block of the variable, which may have been relocated.
template <class T, class P, class B>
__device__ inline void st_async(P to, T value, B bar) {
#ifdef PORTER_CLUSTERS
  if constexpr (std::is_pointer_v<P> && sizeof(P) == 8) {
    if (!is_shared(to)) {
      st<T>(to, value);
      return cluster_mbarrier_complete_tx(bar, sizeof(T));
    }
  }
#endif
  const uint32_t place = cvta_generic_to_shared(to);
#ifdef PORTER_CLUSTERS
  if (detail::elsewhere(place)) {
    detail::message m = detail::value_message(detail::store_message, place, value);
    m.words[3] = detail::here(cvta_generic_to_shared(bar));
    detail::send(rank_of(place), m);
    return;
  }
#endif
  st<T>(lds(detail::here(place)), value);
  ptx_detail::fence_release<cta>();
  mbarrier_complete_tx(detail::here(cvta_generic_to_shared(bar)), sizeof(T));
}

// Atomics: remote ones have an answer, reductions none.
#ifdef PORTER_CLUSTERS
#define PORTER_CLUSTER_ATOMIC(name, op)                                                                       \
  template <class T, class P>                                                                                \
  __device__ inline T cluster_atom_##name(P p, T b) {                                                        \
    const uint32_t place = cvta_generic_to_shared(p);                                                        \
    if (detail::elsewhere(place)) {                                                                          \
      detail::message m = detail::value_message(detail::atomic_message | detail::wants_answer, place, b);    \
      m.words[1] |= uint32_t(op) << 16;                                                                      \
      return detail::value_in<T>(detail::send<8, true>(rank_of(place), m));                           \
    }                                                                                                        \
    return atom_##name<T, cta>(lds(detail::here(place)), b);                                                 \
  }                                                                                                          \
  template <class T, class P>                                                                                \
  __device__ inline void cluster_red_##name(P p, T b) {                                                      \
    const uint32_t place = cvta_generic_to_shared(p);                                                        \
    if (detail::elsewhere(place)) {                                                                          \
      detail::message m = detail::value_message(detail::atomic_message, place, b);                           \
      m.words[1] |= uint32_t(op) << 16;                                                                      \
      detail::send(rank_of(place), m);                                                                       \
    } else {                                                                                                 \
      atom_##name<T, cta>(lds(detail::here(place)), b);                                                      \
    }                                                                                                        \
  }
#else
#define PORTER_CLUSTER_ATOMIC(name, op)                         \
  template <class T, class P>                                  \
  __device__ inline T cluster_atom_##name(P p, T b) {          \
    return atom_##name<T, cta>(lds(p), b);                     \
  }                                                            \
  template <class T, class P>                                  \
  __device__ inline void cluster_red_##name(P p, T b) {        \
    atom_##name<T, cta>(lds(p), b);                            \
  }
#endif
PORTER_CLUSTER_ATOMIC(add, std::is_floating_point_v<T> ? detail::op_fadd : detail::op_add)
PORTER_CLUSTER_ATOMIC(min, std::is_signed_v<T> ? detail::op_min : detail::op_umin)
PORTER_CLUSTER_ATOMIC(max, std::is_signed_v<T> ? detail::op_max : detail::op_umax)
PORTER_CLUSTER_ATOMIC(and, detail::op_and)
PORTER_CLUSTER_ATOMIC(or, detail::op_or)
PORTER_CLUSTER_ATOMIC(xor, detail::op_xor)
PORTER_CLUSTER_ATOMIC(exch, detail::op_exch)
PORTER_CLUSTER_ATOMIC(inc, detail::op_inc)
PORTER_CLUSTER_ATOMIC(dec, detail::op_dec)
#undef PORTER_CLUSTER_ATOMIC
template <class T, class P>
__device__ inline T cluster_atom_cas(P p, T expected, T desired) {
  const uint32_t place = cvta_generic_to_shared(p);
#ifdef PORTER_CLUSTERS
  if (detail::elsewhere(place)) {
    detail::message m = detail::value_message(detail::atomic_message | detail::wants_answer, place, expected);
    m.words[1] |= uint32_t(detail::op_cas) << 16;
    __builtin_memcpy(&m.words[6], &desired, sizeof(T));
    return detail::value_in<T>(detail::send<8, true>(rank_of(place), m));
  }
#endif
  return atom_cas<T, cta>(lds(detail::here(place)), expected, desired);
}

}  // namespace porter

#if defined(PORTER_CLUSTERS) && defined(PORTER_CLUSTERS_IN_Y_OR_Z)
#define blockIdx (::porter::block_index())
#endif
