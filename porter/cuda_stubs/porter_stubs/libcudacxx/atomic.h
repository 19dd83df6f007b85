// porter stub headers: libcu++, atomics with a scope.
#pragma once
#include "thread_scope.h"
#include <atomic>

namespace cuda {
namespace std {
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;
}  // namespace std
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

namespace porter_stubs {
// What atomic and atomic_ref have in common.
template <class T>
struct atomic_operations {
  typedef T value_type;
  __host__ __device__ bool is_lock_free() const PORTER_STUB_BODY
  __host__ __device__ void store(T, memory_order = memory_order_seq_cst) const PORTER_STUB_BODY
  __host__ __device__ T load(memory_order = memory_order_seq_cst) const PORTER_STUB_BODY
  __host__ __device__ operator T() const PORTER_STUB_BODY
  __host__ __device__ T exchange(T, memory_order = memory_order_seq_cst) const PORTER_STUB_BODY
  __host__ __device__ bool compare_exchange_weak(T &, T, memory_order, memory_order) const PORTER_STUB_BODY
  __host__ __device__ bool compare_exchange_weak(T &, T,
      memory_order = memory_order_seq_cst) const PORTER_STUB_BODY
  __host__ __device__ bool compare_exchange_strong(T &, T, memory_order, memory_order) const PORTER_STUB_BODY
  __host__ __device__ bool compare_exchange_strong(T &, T,
      memory_order = memory_order_seq_cst) const PORTER_STUB_BODY
  __host__ __device__ void wait(T, memory_order = memory_order_seq_cst) const PORTER_STUB_BODY
  __host__ __device__ void notify_one() const PORTER_STUB_BODY
  __host__ __device__ void notify_all() const PORTER_STUB_BODY
  template <class U>
  __host__ __device__ T fetch_add(U, memory_order = memory_order_seq_cst) const PORTER_STUB_BODY
  template <class U>
  __host__ __device__ T fetch_sub(U, memory_order = memory_order_seq_cst) const PORTER_STUB_BODY
  __host__ __device__ T fetch_and(T, memory_order = memory_order_seq_cst) const PORTER_STUB_BODY
  __host__ __device__ T fetch_or(T, memory_order = memory_order_seq_cst) const PORTER_STUB_BODY
  __host__ __device__ T fetch_xor(T, memory_order = memory_order_seq_cst) const PORTER_STUB_BODY
  __host__ __device__ T fetch_max(T, memory_order = memory_order_seq_cst) const PORTER_STUB_BODY
  __host__ __device__ T fetch_min(T, memory_order = memory_order_seq_cst) const PORTER_STUB_BODY
  __host__ __device__ T operator++(int) const PORTER_STUB_BODY
  __host__ __device__ T operator--(int) const PORTER_STUB_BODY
  __host__ __device__ T operator++() const PORTER_STUB_BODY
  __host__ __device__ T operator--() const PORTER_STUB_BODY
  template <class U>
  __host__ __device__ T operator+=(U) const PORTER_STUB_BODY
  template <class U>
  __host__ __device__ T operator-=(U) const PORTER_STUB_BODY
  __host__ __device__ T operator&=(T) const PORTER_STUB_BODY
  __host__ __device__ T operator|=(T) const PORTER_STUB_BODY
  __host__ __device__ T operator^=(T) const PORTER_STUB_BODY
  T value;
};
}  // namespace porter_stubs

template <class T, thread_scope Scope = thread_scope_system>
struct atomic : public porter_stubs::atomic_operations<T> {
  atomic() = default;
  __host__ __device__ constexpr atomic(T v) : porter_stubs::atomic_operations<T>{v} {}
  atomic(const atomic &) = delete;
  __host__ __device__ T operator=(T) PORTER_STUB_BODY
};

template <class T, thread_scope Scope = thread_scope_system>
struct atomic_ref : public porter_stubs::atomic_operations<T> {
  __host__ __device__ explicit atomic_ref(T &) PORTER_STUB_BODY
  __host__ __device__ T operator=(T) const PORTER_STUB_BODY
};

template <thread_scope Scope = thread_scope_system>
struct atomic_flag_scoped {
  __host__ __device__ bool test_and_set(memory_order = memory_order_seq_cst) PORTER_STUB_BODY
  __host__ __device__ void clear(memory_order = memory_order_seq_cst) PORTER_STUB_BODY
  __host__ __device__ bool test(memory_order = memory_order_seq_cst) const PORTER_STUB_BODY
};
typedef atomic_flag_scoped<> atomic_flag;

__host__ __device__ void atomic_thread_fence(memory_order, thread_scope = thread_scope_system);
__host__ __device__ void atomic_signal_fence(memory_order);

namespace std {
template <class T> using atomic = ::cuda::atomic<T, thread_scope_system>;
template <class T> using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;
using ::cuda::atomic_flag;
typedef atomic<bool> atomic_bool;
typedef atomic<int> atomic_int;
typedef atomic<unsigned int> atomic_uint;
typedef atomic<long> atomic_long;
typedef atomic<unsigned long> atomic_ulong;
typedef atomic<long long> atomic_llong;
typedef atomic<unsigned long long> atomic_ullong;
typedef atomic<size_t> atomic_size_t;
}  // namespace std
}  // namespace cuda
