// porter runtime: cuda::atomic, cuda::atomic_ref and cuda::atomic_thread_fence with their scopes.
#ifndef PORTER_ATOMIC_REF_H
#define PORTER_ATOMIC_REF_H

#include <hip/hip_runtime.h>

#include <atomic>
#include <cstddef>
#include <type_traits>

#include "mirror_lanes.h"

namespace porter {

enum thread_scope {
  thread_scope_system = __HIP_MEMORY_SCOPE_SYSTEM,
  thread_scope_device = __HIP_MEMORY_SCOPE_AGENT,
  thread_scope_block = __HIP_MEMORY_SCOPE_WORKGROUP,
  thread_scope_thread = __HIP_MEMORY_SCOPE_SINGLETHREAD
};

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

namespace atomic_ref_detail {

// The order as a constant wherever the compiler can see it; __hip_atomic_* take nothing else.
template <class F>
__host__ __device__ inline auto with_order(memory_order order, F f) {
  switch (order) {
    case memory_order_relaxed: return f(std::integral_constant<int, __ATOMIC_RELAXED>());
    case memory_order_acquire:
    case std::memory_order_consume: return f(std::integral_constant<int, __ATOMIC_ACQUIRE>());
    case memory_order_release: return f(std::integral_constant<int, __ATOMIC_RELEASE>());
    case memory_order_acq_rel: return f(std::integral_constant<int, __ATOMIC_ACQ_REL>());
    default: return f(std::integral_constant<int, __ATOMIC_SEQ_CST>());
  }
}
__host__ __device__ constexpr int load_order(int order) {
  return order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : order;
}
__host__ __device__ constexpr int store_order(int order) {
  return order == __ATOMIC_ACQUIRE ? __ATOMIC_RELAXED : order == __ATOMIC_ACQ_REL ? __ATOMIC_RELEASE : order;
}

// Everything that cuda::atomic and cuda::atomic_ref share, on the address that Self gives.
template <class Self, class T, thread_scope Scope>
struct operations {
  using value_type = T;

  __host__ __device__ T load(memory_order order = memory_order_seq_cst) const {
    return with_order(order, [this](auto o) { return __hip_atomic_load(at(), load_order(o), Scope); });
  }
  __host__ __device__ void store(T value, memory_order order = memory_order_seq_cst) const {
    with_order(order, [this, value](auto o) {
      __hip_atomic_store(at(), value, store_order(o), Scope);
      return 0;
    });
  }
  __host__ __device__ T exchange(T value, memory_order order = memory_order_seq_cst) const {
    return with_order(order, [this, value](auto o) { return PORTER_ONCE(__hip_atomic_exchange(at(), value, o.value, Scope)); });
  }
  __host__ __device__ bool compare_exchange_strong(T& expected, T desired, memory_order order, memory_order) const {
    struct outcome {
      T found;
      bool done;
    };
    const outcome result = with_order(order, [this, wanted = expected, desired](auto o) {
      const auto change = [&] {
        outcome now = {wanted, false};
        now.done = __hip_atomic_compare_exchange_strong(at(), &now.found, desired, o.value, load_order(o), Scope);
        return now;
      };
      return PORTER_ONCE(change());
    });
    expected = result.found;
    return result.done;
  }
  __host__ __device__ bool compare_exchange_strong(T& expected, T desired,
                                                   memory_order order = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, desired, order, order);
  }
  __host__ __device__ bool compare_exchange_weak(T& expected, T desired, memory_order order,
                                                 memory_order failure) const {
    return compare_exchange_strong(expected, desired, order, failure);
  }
  __host__ __device__ bool compare_exchange_weak(T& expected, T desired,
                                                 memory_order order = memory_order_seq_cst) const {
    return compare_exchange_strong(expected, desired, order, order);
  }

#define PORTER_FETCH(name, builtin)                                                                       \
  __host__ __device__ T name(T value, memory_order order = memory_order_seq_cst) const {                  \
    return with_order(order, [this, value](auto o) { return PORTER_ONCE(builtin(at(), value, o.value, Scope)); }); \
  }
  PORTER_FETCH(fetch_add, __hip_atomic_fetch_add)
  PORTER_FETCH(fetch_and, __hip_atomic_fetch_and)
  PORTER_FETCH(fetch_or, __hip_atomic_fetch_or)
  PORTER_FETCH(fetch_xor, __hip_atomic_fetch_xor)
  PORTER_FETCH(fetch_min, __hip_atomic_fetch_min)
  PORTER_FETCH(fetch_max, __hip_atomic_fetch_max)
#undef PORTER_FETCH
  __host__ __device__ T fetch_sub(T value, memory_order order = memory_order_seq_cst) const {
    return fetch_add(T(0 - value), order);
  }

  __host__ __device__ operator T() const { return load(); }
  __host__ __device__ T operator++() const { return T(fetch_add(T(1)) + T(1)); }
  __host__ __device__ T operator--() const { return T(fetch_sub(T(1)) - T(1)); }
  __host__ __device__ T operator++(int) const { return fetch_add(T(1)); }
  __host__ __device__ T operator--(int) const { return fetch_sub(T(1)); }
  __host__ __device__ T operator+=(T value) const { return T(fetch_add(value) + value); }
  __host__ __device__ T operator-=(T value) const { return T(fetch_sub(value) - value); }
  __host__ __device__ T operator&=(T value) const { return T(fetch_and(value) & value); }
  __host__ __device__ T operator|=(T value) const { return T(fetch_or(value) | value); }
  __host__ __device__ T operator^=(T value) const { return T(fetch_xor(value) ^ value); }
  __host__ __device__ bool is_lock_free() const { return sizeof(T) <= 8; }

  // Waiting is polling: nobody has to be notified.
  __host__ __device__ void wait(T old, memory_order order = memory_order_seq_cst) const {
    while (load(order) == old) {
#if defined(__HIP_DEVICE_COMPILE__)
      __builtin_amdgcn_s_sleep(1);
#endif
    }
  }
  __host__ __device__ void notify_one() const {}
  __host__ __device__ void notify_all() const {}

 private:
  __host__ __device__ T* at() const { return static_cast<const Self*>(this)->address(); }
};

}  // namespace atomic_ref_detail

template <class T, thread_scope Scope = thread_scope_system>
struct atomic_ref : atomic_ref_detail::operations<atomic_ref<T, Scope>, T, Scope> {
  __host__ __device__ explicit atomic_ref(T& value) : value_(&value) {}
  atomic_ref(const atomic_ref&) = default;
  __host__ __device__ T operator=(T value) const {
    this->store(value);
    return value;
  }
  __host__ __device__ T* address() const { return value_; }

 private:
  T* value_;
};

template <class T, thread_scope Scope = thread_scope_system>
struct atomic : atomic_ref_detail::operations<atomic<T, Scope>, T, Scope> {
  atomic() = default;
  __host__ __device__ constexpr atomic(T value) : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  __host__ __device__ T operator=(T value) {
    this->store(value);
    return value;
  }
  __host__ __device__ T* address() const { return &value_; }

 private:
  alignas(sizeof(T)) mutable T value_;
};

// A fence of constant order and scope, or of the strongest order that may be asked for.
__device__ inline void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
  if (order == memory_order_relaxed) return;
  if (scope == thread_scope_system)
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
  else if (scope == thread_scope_device)
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
  else if (scope == thread_scope_block)
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}

}  // namespace porter

#endif  // PORTER_ATOMIC_REF_H
