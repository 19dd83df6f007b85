// porter runtime: what PTX does at addresses of the cluster (cluster.h): here at once, in other blocks by messages.
#ifndef PORTER_CLUSTER_MEMORY_H
#define PORTER_CLUSTER_MEMORY_H

#include <hip/hip_runtime.h>

#include <cstdint>
#include <type_traits>

#include "cluster.h"

namespace porter {

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

// What an order that other memory takes part in adds to a message and its answer.
namespace detail {
template <scope Scope, order Order>
struct ordered {
  __device__ ordered() {
    if constexpr (Order == release || Order == acq_rel || Order == seq_cst) ptx_detail::fence_release<Scope>();
  }
  __device__ ~ordered() {
    if constexpr (Order == acquire || Order == acq_rel || Order == seq_cst) ptx_detail::fence_acquire<Scope>();
  }
};
}  // namespace detail

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
template <class T, scope Scope = gpu, class P>
__device__ inline T cluster_ld_acquire(P from) {
  const detail::ordered<Scope, acquire> order;
  return cluster_ld<T>(from);
}
template <class T, scope Scope = gpu, class P>
__device__ inline void cluster_st_release(P to, T value) {
  const detail::ordered<Scope, release> order;
  cluster_st<T>(to, value);
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

// Atomics: remote ones have an answer, reductions none. red.async tells an mbarrier of the variable's block.
#ifdef PORTER_CLUSTERS
#define PORTER_CLUSTER_ATOMIC(name, op)                                                                       \
  template <class T, scope Scope = gpu, order Order = relaxed, class P>                                      \
  __device__ inline T cluster_atom_##name(P p, T b) {                                                        \
    const detail::ordered<Scope, Order> order;                                                               \
    const uint32_t place = cvta_generic_to_shared(p);                                                        \
    if (detail::elsewhere(place)) {                                                                          \
      detail::message m = detail::value_message(detail::atomic_message | detail::wants_answer, place, b);    \
      m.words[1] |= uint32_t(op) << 16;                                                                      \
      return detail::value_in<T>(detail::send<8, true>(rank_of(place), m));                           \
    }                                                                                                        \
    return atom_##name<T, cta>(lds(detail::here(place)), b);                                                 \
  }                                                                                                          \
  template <class T, scope Scope = gpu, order Order = relaxed, class P>                                      \
  __device__ inline void cluster_red_##name(P p, T b) {                                                      \
    const detail::ordered<Scope, Order> order;                                                               \
    const uint32_t place = cvta_generic_to_shared(p);                                                        \
    if (detail::elsewhere(place)) {                                                                          \
      detail::message m = detail::value_message(detail::atomic_message, place, b);                           \
      m.words[1] |= uint32_t(op) << 16;                                                                      \
      detail::send(rank_of(place), m);                                                                       \
    } else {                                                                                                 \
      atom_##name<T, cta>(lds(detail::here(place)), b);                                                      \
    }                                                                                                        \
  }                                                                                                          \
  template <class T, class P, class B>                                                                       \
  __device__ inline void red_async_##name(P p, T b, B bar) {                                                 \
    if constexpr (std::is_pointer_v<P> && sizeof(P) == 8) {                                                 \
      if (!is_shared(p)) {                                                                                   \
        atom_##name<T, gpu>(p, b);                                                                           \
        return cluster_mbarrier_complete_tx(bar, sizeof(T));                                                 \
      }                                                                                                      \
    }                                                                                                        \
    const uint32_t place = cvta_generic_to_shared(p);                                                        \
    if (detail::elsewhere(place)) {                                                                          \
      detail::message m = detail::value_message(detail::atomic_message, place, b);                           \
      m.words[1] |= uint32_t(op) << 16, m.words[3] = detail::here(cvta_generic_to_shared(bar));              \
      detail::send(rank_of(place), m);                                                                       \
    } else {                                                                                                 \
      atom_##name<T, cta>(lds(detail::here(place)), b);                                                      \
      ptx_detail::fence_release<cta>();                                                                      \
      mbarrier_complete_tx(detail::here(cvta_generic_to_shared(bar)), sizeof(T));                            \
    }                                                                                                        \
  }
#else
#define PORTER_CLUSTER_ATOMIC(name, op)                         \
  template <class T, scope Scope = gpu, order Order = relaxed, class P>                                      \
  __device__ inline T cluster_atom_##name(P p, T b) {          \
    const detail::ordered<Scope, Order> order;                                                               \
    return atom_##name<T, cta>(lds(p), b);                     \
  }                                                            \
  template <class T, scope Scope = gpu, order Order = relaxed, class P>                                      \
  __device__ inline void cluster_red_##name(P p, T b) {        \
    const detail::ordered<Scope, Order> order;                                                               \
    atom_##name<T, cta>(lds(p), b);                            \
  }                                                            \
  template <class T, class P, class B>                         \
  __device__ inline void red_async_##name(P p, T b, B bar) {   \
    atom_##name<T, cta>(lds(detail::here(cvta_generic_to_shared(p))), b); \
    ptx_detail::fence_release<cta>();                          \
    mbarrier_complete_tx(detail::here(cvta_generic_to_shared(bar)), sizeof(T)); \
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
template <class T, scope Scope = gpu, order Order = relaxed, class P>
__device__ inline T cluster_atom_cas(P p, T expected, T desired) {
  const detail::ordered<Scope, Order> order;
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

#endif  // PORTER_CLUSTER_MEMORY_H
