// porter runtime: PTX's mbarrier, in one 8-byte word of LDS.
//
// A phase is complete when no arrival and no byte is pending; the lane whose atomic makes it so sets the next phase up.
// Lanes of a wave that do the same to one barrier do it with one atomic. In mirrored units a lane of the warp counts once.
//
// Where shared memory may lie in device memory, the word also holds what asynchronous copies wait to be done for this
// barrier (async_copy.h): whoever waits for the barrier does them. Bits, from the lowest:
//   14 pending arrivals, 1 parity of the phase, 14 arrivals expected, 1 lock of the list of copies,
//   13 first copy of the list (its place in LDS / 16, plus 1), 21 pending bytes, signed
// With shared memory in device memory (device_shared.h) arrivals have 13 bits, and the list 15.
// An addition to one field leaves the others alone: bytes are highest, and arrivals never fall below 0.
#ifndef PORTER_MBARRIER_H
#define PORTER_MBARRIER_H

#include <hip/hip_runtime.h>

#include <cstdint>

#include "mirror_lanes.h"
#include "ptx_bits.h"
#include "ptx_float.h"
#include "ptx_memory.h"

namespace porter {

using shared_barrier = PORTER_SHARED uint64_t*;

namespace detail {

#ifdef PORTER_MIRRORED
constexpr uint64_t first_mirrors = 0x3333333333333333ull;
#else
constexpr uint64_t first_mirrors = ~0ull;
#endif

#ifdef PORTER_DEVICE_SHARED
constexpr int bar_arrivals = 13;
#else
constexpr int bar_arrivals = 14;
#endif
constexpr uint64_t bar_count = (1u << bar_arrivals) - 1, bar_parity = 1u << bar_arrivals;
constexpr int bar_expected = bar_arrivals + 1, bar_head = 2 * bar_arrivals + 2, bar_bytes = 43;
constexpr uint64_t bar_lock = 1ull << (bar_head - 1);
constexpr uint32_t bar_heads = (1u << (bar_bytes - bar_head)) - 1;

__device__ inline uint64_t active_lanes() { return __builtin_amdgcn_ballot_w64(true); }
// How many lanes of a mask come before this one.
__device__ inline unsigned lanes_before(uint64_t mask) {
  return __builtin_amdgcn_mbcnt_hi(unsigned(mask >> 32), __builtin_amdgcn_mbcnt_lo(unsigned(mask), 0u));
}
__device__ inline bool first_active_lane() { return lanes_before(active_lanes()) == 0; }
__device__ inline uint32_t uniform(uint32_t value) { return uint32_t(__builtin_amdgcn_readfirstlane(int(value))); }
__device__ inline uint64_t uniform64(uint64_t value) {
  return uniform(uint32_t(value)) | uint64_t(uniform(uint32_t(value >> 32))) << 32;
}
__device__ inline uint32_t of_lane(uint32_t value, unsigned lane) {
  return uint32_t(__builtin_amdgcn_readlane(int(value), int(lane)));
}

#ifdef PORTER_DEVICE_SHARED
__device__ inline bool elsewhere_in_cluster(uint32_t place) { return place >> 24 != 0; }
#else
__device__ inline bool elsewhere_in_cluster(uint32_t place) { return place >> 16 != 0; }
#endif
// Its atomics are one lane's. The compiler would choose one lane for them once more where it sees that the place is the same
// in all lanes: it does not see it.
__device__ inline shared_barrier barrier_at(uint32_t place) {
#ifdef PORTER_CLUSTERS
  if (elsewhere_in_cluster(place)) __builtin_trap();  // another block's, where only messages reach (cluster.h)
#endif
  asm("" : "+v"(place));
#ifdef PORTER_DEVICE_SHARED
  return (shared_barrier)lds(place);
#else
  return (shared_barrier)(uintptr_t(place));
#endif
}
// An atomic that changes nothing: an atomic load is a plain ds_read, of which nobody can tell that it synchronises.
__device__ inline uint64_t bar_look(shared_barrier bar) {
  uint64_t nothing = 0;
  asm volatile("" : "+v"(nothing));  // or the compiler makes a load of it
  return __hip_atomic_fetch_or(bar, nothing, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
__device__ inline uint64_t bar_fetch_add(shared_barrier bar, uint64_t change) {
  return __hip_atomic_fetch_add(bar, change, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
__device__ inline bool bar_of_parity(uint64_t word, uint32_t parity) { return ((word & bar_parity) != 0) == (parity & 1u); }

// By one lane. Nobody else changes counts or parity between the change that completes a phase and the next phase.
__device__ inline uint64_t bar_change(shared_barrier bar, uint64_t change) {
  const uint64_t old = bar_fetch_add(bar, change), now = old + change;
  if ((now & bar_count) == 0 && now >> bar_bytes == 0)
    bar_fetch_add(bar, (now >> bar_expected & bar_count) + (now & bar_parity ? 0 - bar_parity : bar_parity));
  return old;
}

// By all active lanes, each with arrivals, bytes and departures of its own; gives the word before the lane's own change.
template <bool Drops, bool Completes = true>
__device__ inline uint64_t bar_arrive(uint32_t place, uint32_t arrivals, uint32_t bytes) {
  const auto change_by = [](uint32_t one, uint32_t size, uint64_t n) {
    const uint64_t all = n * one, change = (uint64_t(int64_t(int32_t(size))) * n << bar_bytes) - all;
    return Drops ? change - (all << bar_expected) : change;
  };
  const auto carry_out = [](uint32_t bar, uint64_t change) {
    uint64_t old = 0;
    if (first_active_lane()) old = Completes ? bar_change(barrier_at(bar), change) : bar_fetch_add(barrier_at(bar), change);
    return uniform64(old);
  };
  if (__popcll(active_lanes() & first_mirrors) == 1) return carry_out(place, change_by(arrivals, bytes, 1));
  uint64_t state = 0;
  // One turn for each distinct request of the wave, so nearly always one. The loop is the wave's: of a loop that lanes
  // leave one by one, the compiler would move the end out and let them do it together.
  for (uint64_t left = active_lanes(); left != 0;) {
    const unsigned lane = unsigned(__builtin_ctzll(left));
    const uint32_t bar = of_lane(place, lane), one = of_lane(arrivals, lane), size = of_lane(bytes, lane);
    const bool alike = place == bar && arrivals == one && bytes == size;
    if (alike) {
      const uint64_t lanes = active_lanes() & first_mirrors;
      const uint64_t old = carry_out(bar, change_by(one, size, uint64_t(__popcll(lanes))));
      const unsigned first = first_mirrors == ~0ull ? hardware_lane() : hardware_lane() & ~2u;
      state = old - uint64_t(__popcll(lanes & ((1ull << first) - 1))) * one;
    }
    left &= ~__builtin_amdgcn_ballot_w64(alike);
  }
  return state;
}

// What async_copy.h and tensor_map.h put here: the copies that wait to be done for a barrier, done by all active lanes.
#ifdef PORTER_DEVICE_SHARED
constexpr bool requests = true;
#else
constexpr bool requests = false;
#endif
struct copies {};
template <class Kind>
struct copier {
  __device__ static inline void serve(uint32_t) {}
};

// What came from other blocks of the cluster is carried out by whoever waits (cluster.h).
template <class Kind>
struct mail {
  static constexpr bool used = false;
};

// Is the phase of this parity complete? Looks up to `Turns` times, asleep in between. All lanes at one barrier.
template <int Turns, class Kind>
__device__ inline bool bar_wait_together(uint32_t bar, uint32_t parity) {
  const auto look = [bar] {
    uint64_t word = 0;
    if (first_active_lane()) word = bar_look(barrier_at(bar));
    return uniform64(word);
  };
  if constexpr (mail<Kind>::used)
    if (bar_of_parity(look(), parity)) mail<Kind>::take();
  uint64_t word;
  for (int turn = 0;;) {
    word = look();
    if (!bar_of_parity(word, parity) || (requests && (word >> bar_head & bar_heads) != 0) || ++turn >= Turns) break;
    __builtin_amdgcn_s_sleep(1);
  }
  if (!bar_of_parity(word, parity)) return true;
  if (!requests || (word >> bar_head & bar_heads) == 0) return false;
  copier<Kind>::serve(bar);
  return !bar_of_parity(look(), parity);
}
template <int Turns, class Kind = copies>
__device__ inline bool bar_wait(uint32_t place, uint32_t parity) {
  bool complete = false;
  for (bool done = false; !done;) {  // one turn for each barrier and parity, so nearly always one
    const uint32_t bar = uniform(place), phase = uniform(parity & 1u);
    if (place == bar && (parity & 1u) == phase) {
      complete = bar_wait_together<Turns, Kind>(bar, phase);
      done = true;
    }
  }
  return complete;
}

}  // namespace detail

// Addresses are 32-bit shared addresses or pointers, generic or shared.

template <class P>
__device__ inline void mbarrier_init(P bar, uint32_t count) {
  const uint64_t n = count & detail::bar_count;
  *(shared_barrier)lds(bar) = n | n << detail::bar_expected;
}
template <class P>
__device__ inline void mbarrier_inval(P) {}  // the word may be used for anything: nothing to tell anybody

template <class P>
__device__ inline uint64_t mbarrier_arrive(P bar, uint32_t count = 1) {
  ptx_detail::fence_release<cta>();
  return detail::bar_arrive<false>(cvta_generic_to_shared(bar), count, 0);
}
template <class P>
__device__ inline uint64_t mbarrier_arrive_relaxed(P bar, uint32_t count = 1) {
  return detail::bar_arrive<false>(cvta_generic_to_shared(bar), count, 0);
}
template <class P>
__device__ inline uint64_t mbarrier_arrive_no_complete(P bar, uint32_t count) {
  ptx_detail::fence_release<cta>();
  return detail::bar_arrive<false, false>(cvta_generic_to_shared(bar), count, 0);
}
template <class P>
__device__ inline uint64_t mbarrier_arrive_expect_tx(P bar, uint32_t bytes) {
  ptx_detail::fence_release<cta>();
  return detail::bar_arrive<false>(cvta_generic_to_shared(bar), 1, bytes);
}
template <class P>
__device__ inline uint64_t mbarrier_arrive_drop(P bar, uint32_t count = 1) {
  ptx_detail::fence_release<cta>();
  return detail::bar_arrive<true>(cvta_generic_to_shared(bar), count, 0);
}
template <class P>
__device__ inline uint64_t mbarrier_arrive_drop_no_complete(P bar, uint32_t count) {
  ptx_detail::fence_release<cta>();
  return detail::bar_arrive<true, false>(cvta_generic_to_shared(bar), count, 0);
}
template <class P>
__device__ inline uint64_t mbarrier_arrive_drop_expect_tx(P bar, uint32_t bytes) {
  ptx_detail::fence_release<cta>();
  return detail::bar_arrive<true>(cvta_generic_to_shared(bar), 1, bytes);
}
template <class P>
__device__ inline void mbarrier_expect_tx(P bar, uint32_t bytes) {
  detail::bar_arrive<false, false>(cvta_generic_to_shared(bar), 0, bytes);
}
template <class P>
__device__ inline void mbarrier_complete_tx(P bar, uint32_t bytes) {
  detail::bar_arrive<false>(cvta_generic_to_shared(bar), 0, 0u - bytes);
}
// Arrivals that were pending before the one that gave this state.
__device__ inline uint32_t mbarrier_pending_count(uint64_t state) { return uint32_t(state & detail::bar_count); }

template <class P>
__device__ inline bool mbarrier_test_wait_parity(P bar, uint32_t parity) {
  const bool done = detail::bar_wait<1>(cvta_generic_to_shared(bar), parity);
  ptx_detail::fence_acquire<cta>();
  return done;
}
template <class P>
__device__ inline bool mbarrier_try_wait_parity(P bar, uint32_t parity) {
  const bool done = detail::bar_wait<8>(cvta_generic_to_shared(bar), parity);
  ptx_detail::fence_acquire<cta>();
  return done;
}
template <class P>
__device__ inline bool mbarrier_test_wait(P bar, uint64_t state) {
  return mbarrier_test_wait_parity(bar, (state & detail::bar_parity) != 0);
}
template <class P>
__device__ inline bool mbarrier_try_wait(P bar, uint64_t state) {
  return mbarrier_try_wait_parity(bar, (state & detail::bar_parity) != 0);
}

}  // namespace porter

#endif  // PORTER_MBARRIER_H
