// porter runtime: the blocks of a cluster (cluster.h): what each knows of it, and the messages that they send each other.
#ifndef PORTER_CLUSTER_MESSAGES_H
#define PORTER_CLUSTER_MESSAGES_H

#include <hip/hip_runtime.h>

#include <cstdint>

#include "mbarrier.h"

namespace porter {
namespace detail {

// A unit that needs shadows of LDS says so: they are as large as the LDS of all blocks.
#ifdef PORTER_CLUSTERS_SHADOW
constexpr bool shadows = true;
#else
constexpr bool shadows = false;
#endif

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
__device__ inline PORTER_LDS cluster_state* cluster() {
  __shared__ cluster_state state;
  return (PORTER_LDS cluster_state*)(&state);
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
__device__ inline uint32_t look(PORTER_LDS uint32_t* at) {
  uint32_t nothing = 0;
  asm volatile("" : "+v"(nothing));
  return __hip_atomic_fetch_or(at, nothing, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
__device__ inline uint32_t add(PORTER_LDS uint32_t* at, uint32_t value) {
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
    default:  // of 32 bits alone
      if constexpr (sizeof(U) == 4)
        return op == op_inc ? __builtin_amdgcn_atomic_inc32(at, value, __ATOMIC_RELAXED, "workgroup")
                            : __builtin_amdgcn_atomic_dec32(at, value, __ATOMIC_RELAXED, "workgroup");
      return 0;
  }
}

__device__ inline uint64_t value_of(const message& m, int at) { return m.words[at] | uint64_t(m.words[at + 1]) << 32; }

// One lane's message; answers go back into it. Copies are made by the wave: mail_copier.
__device__ inline void carry_out(message& m) {
  const uint32_t kind = m.words[1] & 0xffu, bytes = m.words[1] >> 8 & 0xffu, op = m.words[1] >> 16 & 0xffu;
  const uint32_t place = m.words[2];
  const auto at = (PORTER_SHARED uint32_t*)lds(place);
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
  if ((kind == store_message || kind == atomic_message) && m.words[3] != no_barrier) {
    ptx_detail::fence_release<cta>();
    bar_change(barrier_at(m.words[3]), 0 - (uint64_t(bytes) << bar_bytes));
  }
}
__device__ inline bool answers(uint32_t kind) { return (kind & 0xffu) == load_message || (kind & 1u << 30) != 0; }
constexpr uint32_t wants_answer = 1u << 30;

// Copies that were sent (cluster_copy.h), by all active lanes; the message is the same in all.
template <class Kind>
struct mail_copier {
  __device__ static inline void copy(const message&) {}
};

// Carries out what came for this block, one wave at a time. By all active lanes. The code stands once in a kernel.
template <class Kind>
__device__ __attribute__((noinline)) void take_what_came(uint32_t sent) {
  const auto state = cluster();
  const auto part = part_of(uniform(state->rank));
  uint32_t taken = 0, taking = 0;
  sent = uniform(sent);
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

template <class Kind = copies>
__device__ inline void take_messages() {
  const auto state = cluster();
  uint32_t sent = 0, taken = 0;
  if (first_active_lane()) sent = look(&part_of(uniform(state->rank))->sent), taken = look(&state->taken);
  sent = uniform(sent), taken = uniform(taken);
  if (sent != taken) take_what_came<Kind>(sent);
}

#ifdef PORTER_CLUSTERS  // without them nobody sends, and a kernel does not know where messages would lie
template <>
struct mail<copies> {
  static constexpr bool used = true;
  template <class Kind = copies>  // so that cluster_copy.h may still come
  __device__ static inline void take() {
    take_messages<Kind>();
  }
};
#endif

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
}  // namespace porter

#endif  // PORTER_CLUSTER_MESSAGES_H
