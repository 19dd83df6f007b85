// porter stub headers: PTX wrappers, loads, stores and fences
#pragma once
#include "tags.h"
#ifdef __CUDACC__
namespace cuda {
namespace ptx {
__device__ void fence(sem_acq_rel_t, scope_cluster_t);
__device__ void fence(sem_sc_t, scope_cluster_t);
template <dot_scope Scope> __device__ void fence(sem_acq_rel_t, scope_t<Scope>) PORTER_STUB_BODY
template <dot_scope Scope> __device__ void fence(sem_acquire_t, scope_t<Scope>) PORTER_STUB_BODY
template <dot_scope Scope> __device__ void fence(sem_release_t, scope_t<Scope>) PORTER_STUB_BODY
template <dot_scope Scope> __device__ void fence(sem_sc_t, scope_t<Scope>) PORTER_STUB_BODY
__device__ void fence_mbarrier_init(sem_release_t, scope_cluster_t);
__device__ void fence_proxy_alias();
__device__ void fence_proxy_async();
template <dot_space Space> __device__ void fence_proxy_async(space_t<Space>) PORTER_STUB_BODY
__device__ void fence_proxy_async_generic_sync_restrict(sem_acquire_t, space_cluster_t, scope_cluster_t);
__device__ void fence_proxy_async_generic_sync_restrict(sem_release_t, space_shared_t, scope_cluster_t);
template <dot_scope Scope> __device__ void fence_proxy_tensormap_generic(sem_release_t, scope_t<Scope>) PORTER_STUB_BODY
template <int N32, dot_scope Scope>
__device__ void fence_proxy_tensormap_generic(sem_acquire_t, scope_t<Scope>, const void *, n32_t<N32>) PORTER_STUB_BODY
__device__ void fence_sync_restrict(sem_acquire_t, space_cluster_t, scope_cluster_t);
__device__ void fence_sync_restrict(sem_release_t, space_shared_t, scope_cluster_t);
template <class T> __device__ T ld(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_evict_first(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_evict_first_L2_128B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_evict_first_L2_256B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_evict_first_L2_64B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_evict_first_L2_cache_hint(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_L1_evict_first_L2_cache_hint_L2_128B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_L1_evict_first_L2_cache_hint_L2_256B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_L1_evict_first_L2_cache_hint_L2_64B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_evict_last(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_evict_last_L2_128B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_evict_last_L2_256B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_evict_last_L2_64B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_evict_last_L2_cache_hint(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_L1_evict_last_L2_cache_hint_L2_128B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_L1_evict_last_L2_cache_hint_L2_256B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_L1_evict_last_L2_cache_hint_L2_64B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_evict_normal(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_evict_normal_L2_128B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_evict_normal_L2_256B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_evict_normal_L2_64B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_evict_normal_L2_cache_hint(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_L1_evict_normal_L2_cache_hint_L2_128B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_L1_evict_normal_L2_cache_hint_L2_256B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_L1_evict_normal_L2_cache_hint_L2_64B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_evict_unchanged(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_evict_unchanged_L2_128B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_evict_unchanged_L2_256B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_evict_unchanged_L2_64B(space_global_t, const T *) PORTER_STUB_BODY
template <class T>
__device__ T ld_L1_evict_unchanged_L2_cache_hint(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_L1_evict_unchanged_L2_cache_hint_L2_128B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_L1_evict_unchanged_L2_cache_hint_L2_256B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_L1_evict_unchanged_L2_cache_hint_L2_64B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_no_allocate(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_no_allocate_L2_128B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_no_allocate_L2_256B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_no_allocate_L2_64B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L1_no_allocate_L2_cache_hint(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_L1_no_allocate_L2_cache_hint_L2_128B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_L1_no_allocate_L2_cache_hint_L2_256B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_L1_no_allocate_L2_cache_hint_L2_64B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T> __device__ T ld_L2_128B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L2_256B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L2_64B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_L2_cache_hint(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T> __device__ T ld_L2_cache_hint_L2_128B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T> __device__ T ld_L2_cache_hint_L2_256B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T> __device__ T ld_L2_cache_hint_L2_64B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T> __device__ T ld_nc(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_evict_first(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_evict_first_L2_128B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_evict_first_L2_256B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_evict_first_L2_64B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_evict_first_L2_cache_hint(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_nc_L1_evict_first_L2_cache_hint_L2_128B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_nc_L1_evict_first_L2_cache_hint_L2_256B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_nc_L1_evict_first_L2_cache_hint_L2_64B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_evict_last(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_evict_last_L2_128B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_evict_last_L2_256B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_evict_last_L2_64B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_evict_last_L2_cache_hint(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_nc_L1_evict_last_L2_cache_hint_L2_128B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_nc_L1_evict_last_L2_cache_hint_L2_256B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_nc_L1_evict_last_L2_cache_hint_L2_64B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_evict_normal(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_evict_normal_L2_128B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_evict_normal_L2_256B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_evict_normal_L2_64B(space_global_t, const T *) PORTER_STUB_BODY
template <class T>
__device__ T ld_nc_L1_evict_normal_L2_cache_hint(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_nc_L1_evict_normal_L2_cache_hint_L2_128B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_nc_L1_evict_normal_L2_cache_hint_L2_256B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_nc_L1_evict_normal_L2_cache_hint_L2_64B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_evict_unchanged(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_evict_unchanged_L2_128B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_evict_unchanged_L2_256B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_evict_unchanged_L2_64B(space_global_t, const T *) PORTER_STUB_BODY
template <class T>
__device__ T ld_nc_L1_evict_unchanged_L2_cache_hint(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_nc_L1_evict_unchanged_L2_cache_hint_L2_128B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_nc_L1_evict_unchanged_L2_cache_hint_L2_256B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_nc_L1_evict_unchanged_L2_cache_hint_L2_64B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_no_allocate(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_no_allocate_L2_128B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_no_allocate_L2_256B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_no_allocate_L2_64B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L1_no_allocate_L2_cache_hint(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_nc_L1_no_allocate_L2_cache_hint_L2_128B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_nc_L1_no_allocate_L2_cache_hint_L2_256B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T>
__device__ T ld_nc_L1_no_allocate_L2_cache_hint_L2_64B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L2_128B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L2_256B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L2_64B(space_global_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L2_cache_hint(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L2_cache_hint_L2_128B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L2_cache_hint_L2_256B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
template <class T> __device__ T ld_nc_L2_cache_hint_L2_64B(space_global_t, const T *, uint64_t) PORTER_STUB_BODY
__device__ int32_t multimem_ld_reduce(sem_weak_t, op_add_t, const int32_t *);
__device__ int64_t multimem_ld_reduce(sem_weak_t, op_add_t, const int64_t *);
__device__ uint32_t multimem_ld_reduce(sem_weak_t, op_add_t, const uint32_t *);
__device__ uint64_t multimem_ld_reduce(sem_weak_t, op_add_t, const uint64_t *);
__device__ int32_t multimem_ld_reduce(sem_weak_t, op_max_t, const int32_t *);
__device__ int64_t multimem_ld_reduce(sem_weak_t, op_max_t, const int64_t *);
__device__ uint32_t multimem_ld_reduce(sem_weak_t, op_max_t, const uint32_t *);
__device__ uint64_t multimem_ld_reduce(sem_weak_t, op_max_t, const uint64_t *);
__device__ int32_t multimem_ld_reduce(sem_weak_t, op_min_t, const int32_t *);
__device__ int64_t multimem_ld_reduce(sem_weak_t, op_min_t, const int64_t *);
__device__ uint32_t multimem_ld_reduce(sem_weak_t, op_min_t, const uint32_t *);
__device__ uint64_t multimem_ld_reduce(sem_weak_t, op_min_t, const uint64_t *);
template <class T> __device__ T multimem_ld_reduce(sem_weak_t, op_and_op_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T multimem_ld_reduce(sem_weak_t, op_or_op_t, const T *) PORTER_STUB_BODY
template <class T> __device__ T multimem_ld_reduce(sem_weak_t, op_xor_op_t, const T *) PORTER_STUB_BODY
template <class T, dot_sem Sem, dot_scope Scope>
__device__ T multimem_ld_reduce(sem_t<Sem>, scope_t<Scope>, op_and_op_t, const T *) PORTER_STUB_BODY
template <class T, dot_sem Sem, dot_scope Scope>
__device__ T multimem_ld_reduce(sem_t<Sem>, scope_t<Scope>, op_or_op_t, const T *) PORTER_STUB_BODY
template <class T, dot_sem Sem, dot_scope Scope>
__device__ T multimem_ld_reduce(sem_t<Sem>, scope_t<Scope>, op_xor_op_t, const T *) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ int32_t multimem_ld_reduce(sem_t<Sem>, scope_t<Scope>, op_add_t, const int32_t *) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ int64_t multimem_ld_reduce(sem_t<Sem>, scope_t<Scope>, op_add_t, const int64_t *) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ uint32_t multimem_ld_reduce(sem_t<Sem>, scope_t<Scope>, op_add_t, const uint32_t *) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ uint64_t multimem_ld_reduce(sem_t<Sem>, scope_t<Scope>, op_add_t, const uint64_t *) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ int32_t multimem_ld_reduce(sem_t<Sem>, scope_t<Scope>, op_max_t, const int32_t *) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ int64_t multimem_ld_reduce(sem_t<Sem>, scope_t<Scope>, op_max_t, const int64_t *) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ uint32_t multimem_ld_reduce(sem_t<Sem>, scope_t<Scope>, op_max_t, const uint32_t *) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ uint64_t multimem_ld_reduce(sem_t<Sem>, scope_t<Scope>, op_max_t, const uint64_t *) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ int32_t multimem_ld_reduce(sem_t<Sem>, scope_t<Scope>, op_min_t, const int32_t *) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ int64_t multimem_ld_reduce(sem_t<Sem>, scope_t<Scope>, op_min_t, const int64_t *) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ uint32_t multimem_ld_reduce(sem_t<Sem>, scope_t<Scope>, op_min_t, const uint32_t *) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ uint64_t multimem_ld_reduce(sem_t<Sem>, scope_t<Scope>, op_min_t, const uint64_t *) PORTER_STUB_BODY
template <class T, dot_sem Sem, dot_scope Scope>
__device__ void multimem_red(sem_t<Sem>, scope_t<Scope>, op_and_op_t, T *, T) PORTER_STUB_BODY
template <class T, dot_sem Sem, dot_scope Scope>
__device__ void multimem_red(sem_t<Sem>, scope_t<Scope>, op_or_op_t, T *, T) PORTER_STUB_BODY
template <class T, dot_sem Sem, dot_scope Scope>
__device__ void multimem_red(sem_t<Sem>, scope_t<Scope>, op_xor_op_t, T *, T) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ void multimem_red(sem_t<Sem>, scope_t<Scope>, op_add_t, int32_t *, int32_t) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ void multimem_red(sem_t<Sem>, scope_t<Scope>, op_add_t, int64_t *, int64_t) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ void multimem_red(sem_t<Sem>, scope_t<Scope>, op_add_t, uint32_t *, uint32_t) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ void multimem_red(sem_t<Sem>, scope_t<Scope>, op_add_t, uint64_t *, uint64_t) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ void multimem_red(sem_t<Sem>, scope_t<Scope>, op_max_t, int32_t *, int32_t) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ void multimem_red(sem_t<Sem>, scope_t<Scope>, op_max_t, int64_t *, int64_t) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ void multimem_red(sem_t<Sem>, scope_t<Scope>, op_max_t, uint32_t *, uint32_t) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ void multimem_red(sem_t<Sem>, scope_t<Scope>, op_max_t, uint64_t *, uint64_t) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ void multimem_red(sem_t<Sem>, scope_t<Scope>, op_min_t, int32_t *, int32_t) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ void multimem_red(sem_t<Sem>, scope_t<Scope>, op_min_t, int64_t *, int64_t) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ void multimem_red(sem_t<Sem>, scope_t<Scope>, op_min_t, uint32_t *, uint32_t) PORTER_STUB_BODY
template <dot_sem Sem, dot_scope Scope>
__device__ void multimem_red(sem_t<Sem>, scope_t<Scope>, op_min_t, uint64_t *, uint64_t) PORTER_STUB_BODY
template <class T> __device__ void multimem_st(sem_weak_t, T *, T) PORTER_STUB_BODY
template <class T, dot_sem Sem, dot_scope Scope>
__device__ void multimem_st(sem_t<Sem>, scope_t<Scope>, T *, T) PORTER_STUB_BODY
template <class T> __device__ void st(space_global_t, T *, T) PORTER_STUB_BODY
template <class T> __device__ void st_L1_evict_first(space_global_t, T *, T) PORTER_STUB_BODY
template <class T> __device__ void st_L1_evict_first_L2_cache_hint(space_global_t, T *, T, uint64_t) PORTER_STUB_BODY
template <class T> __device__ void st_L1_evict_last(space_global_t, T *, T) PORTER_STUB_BODY
template <class T> __device__ void st_L1_evict_last_L2_cache_hint(space_global_t, T *, T, uint64_t) PORTER_STUB_BODY
template <class T> __device__ void st_L1_evict_normal(space_global_t, T *, T) PORTER_STUB_BODY
template <class T> __device__ void st_L1_evict_normal_L2_cache_hint(space_global_t, T *, T, uint64_t) PORTER_STUB_BODY
template <class T> __device__ void st_L1_evict_unchanged(space_global_t, T *, T) PORTER_STUB_BODY
template <class T>
__device__ void st_L1_evict_unchanged_L2_cache_hint(space_global_t, T *, T, uint64_t) PORTER_STUB_BODY
template <class T> __device__ void st_L1_no_allocate(space_global_t, T *, T) PORTER_STUB_BODY
template <class T> __device__ void st_L1_no_allocate_L2_cache_hint(space_global_t, T *, T, uint64_t) PORTER_STUB_BODY
template <class T> __device__ void st_L2_cache_hint(space_global_t, T *, T, uint64_t) PORTER_STUB_BODY
}  // namespace ptx
}  // namespace cuda
#endif
