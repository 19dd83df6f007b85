// porter runtime: cuda::barrier and cuda::memcpy_async (<cuda/barrier>), and what cuda::device has for them.
//
// A barrier of a block lies in LDS and is PTX's mbarrier (mbarrier.h); others count in their own 8 bytes of memory.
// Copies are made at once by the threads that ask for them, before these arrive; bulk copies (barrier_tx.h) are not.
#ifndef PORTER_BARRIER_H
#define PORTER_BARRIER_H

#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstdint>

#include "atomic_ref.h"
#include "group_copy.h"
#include "mbarrier.h"

namespace porter {

// A number of bytes; places and number are multiples of Alignment.
template <size_t Alignment>
struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  __host__ __device__ constexpr explicit aligned_size_t(size_t bytes) : value(bytes) {}
  __host__ __device__ constexpr operator size_t() const { return value; }
};
enum class async_contract_fulfillment { none, async };

namespace detail {

struct no_completion {};

// In any memory: bits 0-19 arrivals that are pending, 20-39 expected, 40- number of the phase.
template <thread_scope Scope>
struct counted_barrier {
  static constexpr uint64_t count = (1u << 20) - 1, phase = 1ull << 40;
  __device__ static uint64_t add(uint64_t* word, uint64_t change) {
    return PORTER_ONCE(__hip_atomic_fetch_add(word, change, __ATOMIC_ACQ_REL, Scope));
  }
  __device__ static uint64_t arrive(uint64_t* word, uint64_t arrivals, uint64_t departures) {
    const uint64_t change = 0 - arrivals - (departures << 20), old = add(word, change), now = old + change;
    if ((now & count) == 0) add(word, phase + (now >> 20 & count));
    return old;
  }
  __device__ static bool passed(uint64_t* word, uint64_t token) {
    return __hip_atomic_load(word, __ATOMIC_ACQUIRE, Scope) >> 40 != token >> 40;
  }
  __device__ static bool passed_parity(uint64_t* word, bool parity) {
    return (__hip_atomic_load(word, __ATOMIC_ACQUIRE, Scope) >> 40 & 1u) != parity;
  }
};

}  // namespace detail

template <thread_scope Scope, class Completion = detail::no_completion>
class barrier;

namespace device {
__device__ uint64_t* barrier_native_handle(barrier<thread_scope_block>& bar);
}

template <thread_scope Scope>
class barrier<Scope, detail::no_completion> {
  using counted = detail::counted_barrier<Scope>;

 public:
  using arrival_token = uint64_t;

  barrier() = default;  // LDS has no constructors: init() makes it a barrier
  __device__ explicit barrier(ptrdiff_t expected) { init(this, expected); }
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  __device__ friend inline void init(barrier* bar, ptrdiff_t expected, detail::no_completion = {}) {
    if (bar->in_lds()) mbarrier_init(&bar->word_, uint32_t(expected));
    else bar->word_ = uint64_t(expected) | uint64_t(expected) << 20;
  }

  [[nodiscard]] __device__ arrival_token arrive(ptrdiff_t arrivals = 1) {
    return in_lds() ? mbarrier_arrive(&word_, uint32_t(arrivals)) : counted::arrive(&word_, uint64_t(arrivals), 0);
  }
  __device__ void wait(arrival_token&& token) const {
    if (in_lds()) while (!mbarrier_try_wait(word(), token)) {}
    else while (!counted::passed(word(), token)) __builtin_amdgcn_s_sleep(1);
  }
  __device__ void wait_parity(bool parity) const {
    if (in_lds()) while (!mbarrier_try_wait_parity(word(), parity)) {}
    else while (!counted::passed_parity(word(), parity)) __builtin_amdgcn_s_sleep(1);
  }
  // One look, or a few: the time is a hint.
  template <class Time>
  [[nodiscard]] __device__ bool try_wait_for(arrival_token&& token, const Time&) const {
    return in_lds() ? mbarrier_try_wait(word(), token) : counted::passed(word(), token);
  }
  template <class Time>
  [[nodiscard]] __device__ bool try_wait_parity_for(bool parity, const Time&) const {
    return in_lds() ? mbarrier_try_wait_parity(word(), parity) : counted::passed_parity(word(), parity);
  }
  __device__ void arrive_and_wait() { wait(arrive()); }
  __device__ void arrive_and_drop() {
    if (in_lds()) mbarrier_arrive_drop(&word_);
    else counted::arrive(&word_, 1, 1);
  }
  __host__ __device__ static constexpr ptrdiff_t max() noexcept { return Scope == thread_scope_block ? (1 << 14) - 1 : (1 << 20) - 1; }

 private:
  __device__ bool in_lds() const { return Scope == thread_scope_block && is_shared(&word_); }
  __device__ uint64_t* word() const { return const_cast<uint64_t*>(&word_); }
  alignas(8) uint64_t word_;

  friend __device__ uint64_t* device::barrier_native_handle(barrier<thread_scope_block>&);
};

// By all threads of a group, or by one. Whoever waits for the barrier has the bytes once the threads have arrived.
template <class Group, class T, class U, class Size, thread_scope Scope>
__device__ inline async_contract_fulfillment memcpy_async(const Group& group, T* to, const U* from, const Size& bytes,
                                                          barrier<Scope>&) {
  detail::group_copy(group, to, from, size_t(bytes));
  return async_contract_fulfillment::none;
}
template <class T, class U, class Size, thread_scope Scope>
__device__ inline async_contract_fulfillment memcpy_async(T* to, const U* from, const Size& bytes, barrier<Scope>&) {
  detail::thread_copy(to, from, size_t(bytes));
  return async_contract_fulfillment::none;
}

namespace device {

// For PTX: the mbarrier of a barrier.
__device__ inline uint64_t* barrier_native_handle(barrier<thread_scope_block>& bar) { return &bar.word_; }

}  // namespace device
// Named by aliases in units that use nothing of it.
namespace device {
namespace experimental {}
}  // namespace device

}  // namespace porter

#ifdef PORTER_MIRRORED
#include "barrier_tx.h"
#endif

#endif  // PORTER_BARRIER_H
