// porter runtime: cuda::ptx (<cuda/ptx>): PTX instructions as functions, with the meanings that rules/ptx gives them.
#ifndef PORTER_CUDA_PTX_H
#define PORTER_CUDA_PTX_H

#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "cluster_copy.h"
#include "cuda_ptx_values.h"
#include "cuda_ptx_words.h"
#include "multimem.h"
#include "ptx.h"
#include "tensor_map.h"

namespace porter {
namespace ptx {

#define PORTER_PTX __device__ inline

// mbarrier

PORTER_PTX void mbarrier_init(uint64_t* bar, uint32_t count) { porter::mbarrier_init(bar, count); }
PORTER_PTX void mbarrier_inval(uint64_t*) {}
PORTER_PTX uint64_t mbarrier_arrive(uint64_t* bar, uint32_t count = 1) { return porter::mbarrier_arrive(bar, count); }
PORTER_PTX uint64_t mbarrier_arrive_no_complete(uint64_t* bar, uint32_t count) {
  return porter::mbarrier_arrive_no_complete(bar, count);
}
template <dot_sem Sem, dot_scope Scope>
PORTER_PTX uint64_t mbarrier_arrive(sem_t<Sem>, scope_t<Scope>, space_shared_t, uint64_t* bar, uint32_t count = 1) {
  return porter::mbarrier_arrive(bar, count);
}
template <dot_sem Sem, dot_scope Scope>
PORTER_PTX void mbarrier_arrive(sem_t<Sem>, scope_t<Scope>, space_cluster_t, uint64_t* bar, uint32_t count = 1) {
  cluster_mbarrier_arrive(bar, count);
}
template <dot_sem Sem, dot_scope Scope>
PORTER_PTX uint64_t mbarrier_arrive_expect_tx(sem_t<Sem>, scope_t<Scope>, space_shared_t, uint64_t* bar, uint32_t bytes) {
  return porter::mbarrier_arrive_expect_tx(bar, bytes);
}
template <dot_sem Sem, dot_scope Scope>
PORTER_PTX void mbarrier_arrive_expect_tx(sem_t<Sem>, scope_t<Scope>, space_cluster_t, uint64_t* bar, uint32_t bytes) {
  cluster_mbarrier_arrive_expect_tx(bar, bytes);
}
template <dot_scope Scope>
PORTER_PTX void mbarrier_expect_tx(sem_relaxed_t, scope_t<Scope>, space_shared_t, uint64_t* bar, uint32_t bytes) {
  porter::mbarrier_expect_tx(bar, bytes);
}
template <dot_scope Scope>
PORTER_PTX void mbarrier_expect_tx(sem_relaxed_t, scope_t<Scope>, space_cluster_t, uint64_t* bar, uint32_t bytes) {
  cluster_mbarrier_expect_tx(bar, bytes);
}

// State or parity; the time that it may sleep, if there is one, is a hint.
#define PORTER_WAIT(name, Phase)                                                                                    \
  template <class... Hint>                                                                                          \
  PORTER_PTX bool name(uint64_t* bar, Phase phase, Hint...) {                                                       \
    return porter::name(bar, phase);                                                                                \
  }                                                                                                                 \
  template <dot_sem Sem, dot_scope Scope, class... Hint>                                                            \
  PORTER_PTX bool name(sem_t<Sem>, scope_t<Scope>, uint64_t* bar, Phase phase, Hint...) {                           \
    return porter::name(bar, phase);                                                                                \
  }
PORTER_WAIT(mbarrier_test_wait, uint64_t)
PORTER_WAIT(mbarrier_test_wait_parity, uint32_t)
PORTER_WAIT(mbarrier_try_wait, uint64_t)
PORTER_WAIT(mbarrier_try_wait_parity, uint32_t)
#undef PORTER_WAIT

// Bulk and tensor copies

template <dot_space Space>
PORTER_PTX void cp_async_bulk(space_t<Space>, space_global_t, void* to, const void* from, uint32_t bytes, uint64_t* bar) {
  bulk_load(to, from, bytes, bar);
}
PORTER_PTX void cp_async_bulk(space_cluster_t, space_global_t, void* to, const void* from, uint32_t bytes, uint64_t* bar,
                              uint16_t blocks) {
  bulk_multicast(to, from, bytes, bar, blocks);
}
template <class To>
PORTER_PTX void cp_async_bulk(space_cluster_t, space_shared_t, To* to, const void* from, uint32_t bytes, uint64_t* bar) {
  cluster_bulk_share(to, from, bytes, bar);
}
PORTER_PTX void cp_async_bulk(space_global_t, space_shared_t, void* to, const void* from, uint32_t bytes) {
  bulk_store(to, from, bytes);
}

namespace detail {
template <class F, size_t... I>
PORTER_PTX void spread_over(F f, std::index_sequence<I...>, const int32_t* at) {
  f(at[I]...);
}
template <size_t N, class F>
PORTER_PTX void spread(const int32_t (&at)[N], F f) {
  spread_over(f, std::make_index_sequence<N>(), at);
}

template <class Op>
struct reduction;
#define PORTER_OP(word, name)                  \
  template <>                                  \
  struct reduction<op_##word##_t> {            \
    using type = porter::reduce::name;         \
  };
PORTER_OP(add, add)
PORTER_OP(inc, inc)
PORTER_OP(dec, dec)
PORTER_OP(min, min)
PORTER_OP(max, max)
PORTER_OP(and_op, bit_and)
PORTER_OP(or_op, bit_or)
PORTER_OP(xor_op, bit_xor)
#undef PORTER_OP
}  // namespace detail

template <dot_space Space, size_t N>
PORTER_PTX void cp_async_bulk_tensor(space_t<Space>, space_global_t, void* to, const void* map, const int32_t (&at)[N],
                                     uint64_t* bar) {
  detail::spread(at, [=](auto... x) { tensor_load(to, map, bar, x...); });
}
template <size_t N>
PORTER_PTX void cp_async_bulk_tensor(space_cluster_t, space_global_t, void* to, const void* map, const int32_t (&at)[N],
                                     uint64_t* bar, uint16_t blocks) {
  detail::spread(at, [=](auto... x) { tensor_multicast(to, map, bar, blocks, x...); });
}
template <size_t N>
PORTER_PTX void cp_async_bulk_tensor(space_global_t, space_shared_t, const void* map, const int32_t (&at)[N],
                                     const void* from) {
  detail::spread(at, [=](auto... x) { tensor_store(map, from, x...); });
}
template <dot_op Op, class T>
PORTER_PTX void cp_reduce_async_bulk(space_global_t, space_shared_t, op_t<Op>, T* to, const T* from, uint32_t bytes) {
  bulk_reduce<typename detail::reduction<op_t<Op>>::type, T>(to, from, bytes);
}
template <dot_op Op, size_t N>
PORTER_PTX void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_t<Op>, const void* map, const int32_t (&at)[N],
                                            const void* from) {
  detail::spread(at, [=](auto... x) { tensor_reduce<typename detail::reduction<op_t<Op>>::type>(map, from, x...); });
}
// Copies to global memory are done when they are issued.
template <int N>
PORTER_PTX void st_bulk(void* to, uint64_t bytes, n32_t<N>) {
  static_assert(N == 0, "st.bulk stores zeros");
  porter::st_bulk(to, bytes);
}
PORTER_PTX void cp_async_bulk_commit_group() {}
template <int N>
PORTER_PTX void cp_async_bulk_wait_group(n32_t<N>) {}
template <int N>
PORTER_PTX void cp_async_bulk_wait_group_read(n32_t<N>) {}
PORTER_PTX void cp_async_mbarrier_arrive(uint64_t* bar) { cp_async_arrive(bar); }
PORTER_PTX void cp_async_mbarrier_arrive_noinc(uint64_t* bar) { cp_async_arrive_noinc(bar); }

template <class T>
PORTER_PTX void st_async(T* to, const T& value, uint64_t* bar) {
  porter::st_async<T>(to, value, bar);
}
template <class T, size_t N>
PORTER_PTX void st_async(T* to, const T (&values)[N], uint64_t* bar) {
  static_assert(N * sizeof(T) == 8 || N * sizeof(T) == 16, "two or four values, of 16 bytes at most");
  using word = std::conditional_t<N * sizeof(T) == 8, uint2, uint4>;
  word value;
  __builtin_memcpy(&value, values, sizeof(word));
  porter::st_async<word>(to, value, bar);
}
template <dot_op Op, class T, class Bar>
PORTER_PTX void red_async(op_t<Op>, T* to, const T& value, Bar* bar) {
  if constexpr (Op == dot_op::add) red_async_add<T>(to, value, bar);
  else if constexpr (Op == dot_op::min) red_async_min<T>(to, value, bar);
  else if constexpr (Op == dot_op::max) red_async_max<T>(to, value, bar);
  else if constexpr (Op == dot_op::inc) red_async_inc<T>(to, value, bar);
  else if constexpr (Op == dot_op::dec) red_async_dec<T>(to, value, bar);
  else if constexpr (Op == dot_op::and_op) red_async_and<T>(to, value, bar);
  else if constexpr (Op == dot_op::or_op) red_async_or<T>(to, value, bar);
  else red_async_xor<T>(to, value, bar);
}

// multimem. A scope may be wider than the one that is asked for.

template <dot_op Op>
using multimem_op = std::conditional_t<
    Op == dot_op::add, multimem::add_t,
    std::conditional_t<
        Op == dot_op::min, multimem::min_t,
        std::conditional_t<Op == dot_op::max, multimem::max_t,
                           std::conditional_t<Op == dot_op::and_op, multimem::and_t,
                                              std::conditional_t<Op == dot_op::or_op, multimem::or_t, multimem::xor_t>>>>>;
template <dot_op Op, class T>
PORTER_PTX T multimem_ld_reduce(sem_weak_t, op_t<Op>, const T* from) {
  return porter::multimem_ld_reduce<T, multimem::number<T>, multimem_op<Op>>(from);
}
template <dot_sem Sem, dot_scope Scope, dot_op Op, class T>
PORTER_PTX T multimem_ld_reduce(sem_t<Sem>, scope_t<Scope>, op_t<Op>, const T* from) {
  return porter::multimem_ld_reduce<T, multimem::number<T>, multimem_op<Op>, sys, Sem == dot_sem::acquire ? acquire : relaxed>(from);
}
template <dot_sem Sem, dot_scope Scope, dot_op Op, class T>
PORTER_PTX void multimem_red(sem_t<Sem>, scope_t<Scope>, op_t<Op>, T* to, T value) {
  porter::multimem_red<T, multimem::number<T>, multimem_op<Op>, sys, Sem == dot_sem::release ? release : relaxed>(to, value);
}
template <class T>
PORTER_PTX void multimem_st(sem_weak_t, T* to, T value) {
  porter::multimem_st<T>(to, value);
}
template <dot_sem Sem, dot_scope Scope, class T>
PORTER_PTX void multimem_st(sem_t<Sem>, scope_t<Scope>, T* to, T value) {
  porter::multimem_st<T, sys, Sem == dot_sem::release ? release : relaxed>(to, value);
}

// Fences. Asynchronous copies go the way of all memory.

template <dot_sem Sem, dot_scope Scope>
PORTER_PTX void fence(sem_t<Sem>, scope_t<Scope>) {
  if constexpr (Scope == dot_scope::sys) __threadfence_system();
  else if constexpr (Scope == dot_scope::gpu) __threadfence();
  else __threadfence_block();
}
PORTER_PTX void fence_mbarrier_init(sem_release_t, scope_cluster_t) { __threadfence_block(); }
PORTER_PTX void fence_proxy_alias() { __threadfence_block(); }
PORTER_PTX void fence_proxy_async() { __threadfence_block(); }
template <dot_space Space>
PORTER_PTX void fence_proxy_async(space_t<Space>) {
  __threadfence_block();
}
template <dot_sem Sem, dot_scope Scope, class... Map>
PORTER_PTX void fence_proxy_tensormap_generic(sem_t<Sem>, scope_t<Scope>, Map...) {
  __threadfence();
}

template <dot_sem Sem, dot_space Space>
PORTER_PTX void fence_sync_restrict(sem_t<Sem>, space_t<Space>, scope_cluster_t) {
  __threadfence_block();
}
template <dot_sem Sem, dot_space Space>
PORTER_PTX void fence_proxy_async_generic_sync_restrict(sem_t<Sem>, space_t<Space>, scope_cluster_t) {
  __threadfence_block();
}

// Clusters

PORTER_PTX void barrier_cluster_arrive(sem_release_t = {}) { cluster_arrive(); }
PORTER_PTX void barrier_cluster_arrive(sem_relaxed_t) { cluster_arrive_relaxed(); }
PORTER_PTX void barrier_cluster_wait(sem_acquire_t = {}) { cluster_wait(); }
template <class T>
PORTER_PTX T* mapa(space_cluster_t, T* place, uint32_t rank) {
  return porter::mapa(place, rank);
}
PORTER_PTX uint32_t getctarank(space_cluster_t, const void* place) { return rank_of(place); }

// The lowest lane of the mask is the leader.
PORTER_PTX bool elect_sync(uint32_t mask) {
  bool leader;
  (void)porter::elect_sync(mask, leader);
  return leader;
}
PORTER_PTX void trap() { __builtin_trap(); }
PORTER_PTX void exit() { __builtin_amdgcn_endpgm(); }

// Special registers

#define PORTER_REGISTER(name, type, value) \
  PORTER_PTX type get_sreg_##name() { return value; }
PORTER_REGISTER(tid_x, uint32_t, thread_index().x)
PORTER_REGISTER(tid_y, uint32_t, thread_index().y)
PORTER_REGISTER(tid_z, uint32_t, thread_index().z)
PORTER_REGISTER(ntid_x, uint32_t, block_dim().x)
PORTER_REGISTER(ntid_y, uint32_t, block_dim().y)
PORTER_REGISTER(ntid_z, uint32_t, block_dim().z)
PORTER_REGISTER(ctaid_x, uint32_t, blockIdx.x)
PORTER_REGISTER(ctaid_y, uint32_t, blockIdx.y)
PORTER_REGISTER(ctaid_z, uint32_t, blockIdx.z)
PORTER_REGISTER(nctaid_x, uint32_t, gridDim.x)
PORTER_REGISTER(nctaid_y, uint32_t, gridDim.y)
PORTER_REGISTER(nctaid_z, uint32_t, gridDim.z)
PORTER_REGISTER(clusterid_x, uint32_t, cluster_index().x)
PORTER_REGISTER(clusterid_y, uint32_t, cluster_index().y)
PORTER_REGISTER(clusterid_z, uint32_t, cluster_index().z)
PORTER_REGISTER(nclusterid_x, uint32_t, gridDim.x / cluster_dims().x)
PORTER_REGISTER(nclusterid_y, uint32_t, gridDim.y / cluster_dims().y)
PORTER_REGISTER(nclusterid_z, uint32_t, gridDim.z / cluster_dims().z)
PORTER_REGISTER(cluster_ctaid_x, uint32_t, cluster_block().x)
PORTER_REGISTER(cluster_ctaid_y, uint32_t, cluster_block().y)
PORTER_REGISTER(cluster_ctaid_z, uint32_t, cluster_block().z)
PORTER_REGISTER(cluster_nctaid_x, uint32_t, cluster_dims().x)
PORTER_REGISTER(cluster_nctaid_y, uint32_t, cluster_dims().y)
PORTER_REGISTER(cluster_nctaid_z, uint32_t, cluster_dims().z)
PORTER_REGISTER(cluster_ctarank, uint32_t, cluster_rank())
PORTER_REGISTER(cluster_nctarank, uint32_t, cluster_blocks())
PORTER_REGISTER(is_explicit_cluster, bool, cluster_blocks() > 1)
PORTER_REGISTER(laneid, uint32_t, lane_id())
PORTER_REGISTER(warpid, uint32_t, porter::warpid())
PORTER_REGISTER(nwarpid, uint32_t, porter::nwarpid())
PORTER_REGISTER(lanemask_eq, uint32_t, lanemask_eq())
PORTER_REGISTER(lanemask_lt, uint32_t, lanemask_lt())
PORTER_REGISTER(lanemask_le, uint32_t, lanemask_le())
PORTER_REGISTER(lanemask_gt, uint32_t, lanemask_gt())
PORTER_REGISTER(lanemask_ge, uint32_t, lanemask_ge())
PORTER_REGISTER(smid, uint32_t, porter::smid())
PORTER_REGISTER(nsmid, uint32_t, porter::nsmid())
PORTER_REGISTER(clock, uint32_t, uint32_t(clock64_ptx()))
PORTER_REGISTER(clock_hi, uint32_t, uint32_t(clock64_ptx() >> 32))
PORTER_REGISTER(clock64, uint64_t, clock64_ptx())
PORTER_REGISTER(globaltimer, uint64_t, porter::globaltimer())
PORTER_REGISTER(globaltimer_lo, uint32_t, uint32_t(porter::globaltimer()))
PORTER_REGISTER(globaltimer_hi, uint32_t, uint32_t(porter::globaltimer() >> 32))
PORTER_REGISTER(dynamic_smem_size, uint32_t, porter::dynamic_smem_size())
PORTER_REGISTER(total_smem_size, uint32_t, porter::total_smem_size())
#undef PORTER_REGISTER
#undef PORTER_PTX

}  // namespace ptx
}  // namespace porter

#endif  // PORTER_CUDA_PTX_H
