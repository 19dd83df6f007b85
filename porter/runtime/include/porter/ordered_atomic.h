// porter runtime: CUDA's built-in atomics with a memory order and a scope (`__nv_atomic_fetch_add` and its kin).
//
// Orders are those of C++, which both compilers number alike; scopes are HIP's. A cluster's scope is the device's.
#ifndef PORTER_ORDERED_ATOMIC_H
#define PORTER_ORDERED_ATOMIC_H

#include <hip/hip_runtime.h>

#include "atomic_ref.h"

namespace porter {

namespace ordered_detail {

// f(atomic_ref) with the scope as a constant.
template <class T, class F>
__device__ inline auto at(T* p, int scope, F f) {
  switch (scope) {
    case thread_scope_thread: return f(atomic_ref<T, thread_scope_thread>(*p));
    case thread_scope_block: return f(atomic_ref<T, thread_scope_block>(*p));
    case thread_scope_device: return f(atomic_ref<T, thread_scope_device>(*p));
    default: return f(atomic_ref<T, thread_scope_system>(*p));
  }
}
template <class T>
struct same { using type = T; };
template <class T>
using of = typename same<T>::type;

}  // namespace ordered_detail

template <class T>
__device__ inline T atomic_load_n(const T* p, int order, int scope = thread_scope_system) {
  return ordered_detail::at(const_cast<T*>(p), scope, [&](auto ref) { return ref.load(memory_order(order)); });
}
template <class T>
__device__ inline void atomic_load(const T* p, T* result, int order, int scope = thread_scope_system) {
  *result = atomic_load_n(p, order, scope);
}
template <class T>
__device__ inline void atomic_store_n(T* p, ordered_detail::of<T> value, int order, int scope = thread_scope_system) {
  ordered_detail::at(p, scope, [&](auto ref) { ref.store(value, memory_order(order)); });
}
template <class T>
__device__ inline void atomic_store(T* p, const T* value, int order, int scope = thread_scope_system) {
  atomic_store_n(p, *value, order, scope);
}
template <class T>
__device__ inline T atomic_exchange_n(T* p, ordered_detail::of<T> value, int order, int scope = thread_scope_system) {
  return ordered_detail::at(p, scope, [&](auto ref) { return ref.exchange(value, memory_order(order)); });
}
template <class T>
__device__ inline void atomic_exchange(T* p, const T* value, T* result, int order, int scope = thread_scope_system) {
  *result = atomic_exchange_n(p, *value, order, scope);
}
template <class T>
__device__ inline bool atomic_compare_exchange_n(T* p, T* expected, ordered_detail::of<T> desired, bool, int order,
                                                 int failure, int scope = thread_scope_system) {
  return ordered_detail::at(p, scope, [&](auto ref) {
    return ref.compare_exchange_strong(*expected, desired, memory_order(order), memory_order(failure));
  });
}
template <class T>
__device__ inline bool atomic_compare_exchange(T* p, T* expected, const T* desired, bool weak, int order, int failure,
                                               int scope = thread_scope_system) {
  return atomic_compare_exchange_n(p, expected, *desired, weak, order, failure, scope);
}

// What was there; and without it.
#define PORTER_ORDERED(name)                                                                                            \
  template <class T>                                                                                                    \
  __device__ inline T atomic_fetch_##name(T* p, ordered_detail::of<T> value, int order, int scope = thread_scope_system) { \
    return ordered_detail::at(p, scope, [&](auto ref) { return ref.fetch_##name(value, memory_order(order)); });        \
  }                                                                                                                     \
  template <class T>                                                                                                    \
  __device__ inline void atomic_##name(T* p, ordered_detail::of<T> value, int order, int scope = thread_scope_system) { \
    atomic_fetch_##name(p, value, order, scope);                                                                        \
  }
PORTER_ORDERED(add)
PORTER_ORDERED(sub)
PORTER_ORDERED(and)
PORTER_ORDERED(or)
PORTER_ORDERED(xor)
PORTER_ORDERED(min)
PORTER_ORDERED(max)
#undef PORTER_ORDERED

__device__ inline void ordered_fence(int order, int scope = thread_scope_system) {
  atomic_thread_fence(memory_order(order), thread_scope(scope));
}

}  // namespace porter

#endif  // PORTER_ORDERED_ATOMIC_H
