// porter stub headers: PTX wrappers, asynchronous copies and tensor maps
#pragma once
#include "tags.h"
#ifdef __CUDACC__
namespace cuda {
namespace ptx {
__device__ void cp_async_bulk(space_cluster_t, space_global_t, void *, const void *, const uint32_t &, uint64_t *);
__device__ void cp_async_bulk(space_cluster_t, space_global_t, void *, const void *, const uint32_t &, uint64_t *,
    const uint16_t &);
__device__ void cp_async_bulk(space_cluster_t, space_shared_t, void *, const void *, const uint32_t &, uint64_t *);
__device__ void cp_async_bulk(space_global_t, space_shared_t, void *, const void *, const uint32_t &);
__device__ void cp_async_bulk(space_shared_t, space_global_t, void *, const void *, const uint32_t &, uint64_t *);
__device__ void cp_async_bulk_commit_group();
__device__ void cp_async_bulk_cp_mask(space_global_t, space_shared_t, void *, const void *, const uint32_t &,
    const uint16_t &);
__device__ void cp_async_bulk_tensor(space_cluster_t, space_global_t, void *, const void *, const int32_t (&)[1],
    uint64_t *);
__device__ void cp_async_bulk_tensor(space_cluster_t, space_global_t, void *, const void *, const int32_t (&)[1],
    uint64_t *, const uint16_t &);
__device__ void cp_async_bulk_tensor(space_cluster_t, space_global_t, void *, const void *, const int32_t (&)[2],
    uint64_t *);
__device__ void cp_async_bulk_tensor(space_cluster_t, space_global_t, void *, const void *, const int32_t (&)[2],
    uint64_t *, const uint16_t &);
__device__ void cp_async_bulk_tensor(space_cluster_t, space_global_t, void *, const void *, const int32_t (&)[3],
    uint64_t *);
__device__ void cp_async_bulk_tensor(space_cluster_t, space_global_t, void *, const void *, const int32_t (&)[3],
    uint64_t *, const uint16_t &);
__device__ void cp_async_bulk_tensor(space_cluster_t, space_global_t, void *, const void *, const int32_t (&)[4],
    uint64_t *);
__device__ void cp_async_bulk_tensor(space_cluster_t, space_global_t, void *, const void *, const int32_t (&)[4],
    uint64_t *, const uint16_t &);
__device__ void cp_async_bulk_tensor(space_cluster_t, space_global_t, void *, const void *, const int32_t (&)[5],
    uint64_t *);
__device__ void cp_async_bulk_tensor(space_cluster_t, space_global_t, void *, const void *, const int32_t (&)[5],
    uint64_t *, const uint16_t &);
__device__ void cp_async_bulk_tensor(space_global_t, space_shared_t, const void *, const int32_t (&)[1], const void *);
__device__ void cp_async_bulk_tensor(space_global_t, space_shared_t, const void *, const int32_t (&)[2], const void *);
__device__ void cp_async_bulk_tensor(space_global_t, space_shared_t, const void *, const int32_t (&)[3], const void *);
__device__ void cp_async_bulk_tensor(space_global_t, space_shared_t, const void *, const int32_t (&)[4], const void *);
__device__ void cp_async_bulk_tensor(space_global_t, space_shared_t, const void *, const int32_t (&)[5], const void *);
__device__ void cp_async_bulk_tensor(space_shared_t, space_global_t, void *, const void *, const int32_t (&)[1],
    uint64_t *);
__device__ void cp_async_bulk_tensor(space_shared_t, space_global_t, void *, const void *, const int32_t (&)[2],
    uint64_t *);
__device__ void cp_async_bulk_tensor(space_shared_t, space_global_t, void *, const void *, const int32_t (&)[3],
    uint64_t *);
__device__ void cp_async_bulk_tensor(space_shared_t, space_global_t, void *, const void *, const int32_t (&)[4],
    uint64_t *);
__device__ void cp_async_bulk_tensor(space_shared_t, space_global_t, void *, const void *, const int32_t (&)[5],
    uint64_t *);
template <dot_cta_group Cta_Group>
__device__ void cp_async_bulk_tensor(space_cluster_t, space_global_t, cta_group_t<Cta_Group>, void *, const void *,
    const int32_t (&)[1], uint64_t *, const uint16_t &) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void cp_async_bulk_tensor(space_cluster_t, space_global_t, cta_group_t<Cta_Group>, void *, const void *,
    const int32_t (&)[2], uint64_t *, const uint16_t &) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void cp_async_bulk_tensor(space_cluster_t, space_global_t, cta_group_t<Cta_Group>, void *, const void *,
    const int32_t (&)[3], uint64_t *, const uint16_t &) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void cp_async_bulk_tensor(space_cluster_t, space_global_t, cta_group_t<Cta_Group>, void *, const void *,
    const int32_t (&)[4], uint64_t *, const uint16_t &) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void cp_async_bulk_tensor(space_cluster_t, space_global_t, cta_group_t<Cta_Group>, void *, const void *,
    const int32_t (&)[5], uint64_t *, const uint16_t &) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void cp_async_bulk_tensor(space_shared_t, space_global_t, cta_group_t<Cta_Group>, void *, const void *,
    const int32_t (&)[1], uint64_t *) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void cp_async_bulk_tensor(space_shared_t, space_global_t, cta_group_t<Cta_Group>, void *, const void *,
    const int32_t (&)[2], uint64_t *) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void cp_async_bulk_tensor(space_shared_t, space_global_t, cta_group_t<Cta_Group>, void *, const void *,
    const int32_t (&)[3], uint64_t *) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void cp_async_bulk_tensor(space_shared_t, space_global_t, cta_group_t<Cta_Group>, void *, const void *,
    const int32_t (&)[4], uint64_t *) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void cp_async_bulk_tensor(space_shared_t, space_global_t, cta_group_t<Cta_Group>, void *, const void *,
    const int32_t (&)[5], uint64_t *) PORTER_STUB_BODY
__device__ void cp_async_bulk_tensor_tile_gather4(space_cluster_t, space_global_t, void *, const void *,
    const int32_t (&)[5], uint64_t *, const uint16_t &);
__device__ void cp_async_bulk_tensor_tile_gather4(space_shared_t, space_global_t, void *, const void *,
    const int32_t (&)[5], uint64_t *);
template <dot_cta_group Cta_Group>
__device__ void cp_async_bulk_tensor_tile_gather4(space_cluster_t, space_global_t, cta_group_t<Cta_Group>, void *,
    const void *, const int32_t (&)[5], uint64_t *, const uint16_t &) PORTER_STUB_BODY
template <dot_cta_group Cta_Group>
__device__ void cp_async_bulk_tensor_tile_gather4(space_shared_t, space_global_t, cta_group_t<Cta_Group>, void *,
    const void *, const int32_t (&)[5], uint64_t *) PORTER_STUB_BODY
__device__ void cp_async_bulk_tensor_tile_scatter4(space_global_t, space_shared_t, const void *, const int32_t (&)[5],
    const void *);
template <int N32> __device__ void cp_async_bulk_wait_group(n32_t<N32>) PORTER_STUB_BODY
template <int N32> __device__ void cp_async_bulk_wait_group_read(n32_t<N32>) PORTER_STUB_BODY
__device__ void cp_async_mbarrier_arrive(uint64_t *);
__device__ void cp_async_mbarrier_arrive_noinc(uint64_t *);
__device__ void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_add_t, int32_t *, const int32_t *, uint32_t,
    uint64_t *);
__device__ void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_add_t, int64_t *, const int64_t *, uint32_t,
    uint64_t *);
__device__ void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_add_t, uint32_t *, const uint32_t *, uint32_t,
    uint64_t *);
__device__ void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_add_t, uint64_t *, const uint64_t *, uint32_t,
    uint64_t *);
__device__ void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_dec_t, uint32_t *, const uint32_t *, uint32_t,
    uint64_t *);
__device__ void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_inc_t, uint32_t *, const uint32_t *, uint32_t,
    uint64_t *);
__device__ void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_max_t, int32_t *, const int32_t *, uint32_t,
    uint64_t *);
__device__ void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_max_t, uint32_t *, const uint32_t *, uint32_t,
    uint64_t *);
__device__ void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_min_t, int32_t *, const int32_t *, uint32_t,
    uint64_t *);
__device__ void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_min_t, uint32_t *, const uint32_t *, uint32_t,
    uint64_t *);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_add_t, __half *, const __half *, uint32_t);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_add_t, __nv_bfloat16 *, const __nv_bfloat16 *,
    uint32_t);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_add_t, double *, const double *, uint32_t);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_add_t, float *, const float *, uint32_t);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_add_t, int32_t *, const int32_t *, uint32_t);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_add_t, int64_t *, const int64_t *, uint32_t);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_add_t, uint32_t *, const uint32_t *, uint32_t);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_add_t, uint64_t *, const uint64_t *, uint32_t);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_dec_t, uint32_t *, const uint32_t *, uint32_t);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_inc_t, uint32_t *, const uint32_t *, uint32_t);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_max_t, __half *, const __half *, uint32_t);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_max_t, __nv_bfloat16 *, const __nv_bfloat16 *,
    uint32_t);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_max_t, int32_t *, const int32_t *, uint32_t);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_max_t, int64_t *, const int64_t *, uint32_t);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_max_t, uint32_t *, const uint32_t *, uint32_t);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_max_t, uint64_t *, const uint64_t *, uint32_t);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_min_t, __half *, const __half *, uint32_t);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_min_t, __nv_bfloat16 *, const __nv_bfloat16 *,
    uint32_t);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_min_t, int32_t *, const int32_t *, uint32_t);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_min_t, int64_t *, const int64_t *, uint32_t);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_min_t, uint32_t *, const uint32_t *, uint32_t);
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_min_t, uint64_t *, const uint64_t *, uint32_t);
template <class T>
__device__ void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_and_op_t, T *, const T *, uint32_t,
    uint64_t *) PORTER_STUB_BODY
template <class T>
__device__ void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_or_op_t, T *, const T *, uint32_t,
    uint64_t *) PORTER_STUB_BODY
template <class T>
__device__ void cp_reduce_async_bulk(space_cluster_t, space_shared_t, op_xor_op_t, T *, const T *, uint32_t,
    uint64_t *) PORTER_STUB_BODY
template <class T>
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_and_op_t, T *, const T *,
    uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_or_op_t, T *, const T *,
    uint32_t) PORTER_STUB_BODY
template <class T>
__device__ void cp_reduce_async_bulk(space_global_t, space_shared_t, op_xor_op_t, T *, const T *,
    uint32_t) PORTER_STUB_BODY
template <dot_op Op>
__device__ void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_t<Op>, const void *,
    const int32_t (&)[1], const void *) PORTER_STUB_BODY
template <dot_op Op>
__device__ void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_t<Op>, const void *,
    const int32_t (&)[2], const void *) PORTER_STUB_BODY
template <dot_op Op>
__device__ void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_t<Op>, const void *,
    const int32_t (&)[3], const void *) PORTER_STUB_BODY
template <dot_op Op>
__device__ void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_t<Op>, const void *,
    const int32_t (&)[4], const void *) PORTER_STUB_BODY
template <dot_op Op>
__device__ void cp_reduce_async_bulk_tensor(space_global_t, space_shared_t, op_t<Op>, const void *,
    const int32_t (&)[5], const void *) PORTER_STUB_BODY
__device__ void red_async(op_add_t, int32_t *, const int32_t &, uint64_t *);
__device__ void red_async(op_add_t, int64_t *, const int64_t &, int64_t *);
__device__ void red_async(op_add_t, uint32_t *, const uint32_t &, uint64_t *);
__device__ void red_async(op_add_t, uint64_t *, const uint64_t &, uint64_t *);
__device__ void red_async(op_dec_t, uint32_t *, const uint32_t &, uint64_t *);
__device__ void red_async(op_inc_t, uint32_t *, const uint32_t &, uint64_t *);
__device__ void red_async(op_max_t, int32_t *, const int32_t &, uint64_t *);
__device__ void red_async(op_max_t, uint32_t *, const uint32_t &, uint64_t *);
__device__ void red_async(op_min_t, int32_t *, const int32_t &, uint64_t *);
__device__ void red_async(op_min_t, uint32_t *, const uint32_t &, uint64_t *);
template <class T> __device__ void red_async(op_and_op_t, T *, const T &, uint64_t *) PORTER_STUB_BODY
template <class T> __device__ void red_async(op_or_op_t, T *, const T &, uint64_t *) PORTER_STUB_BODY
template <class T> __device__ void red_async(op_xor_op_t, T *, const T &, uint64_t *) PORTER_STUB_BODY
template <class T> __device__ void st_async(T *, const T &, uint64_t *) PORTER_STUB_BODY
template <class T> __device__ void st_async(T *, const T (&)[2], uint64_t *) PORTER_STUB_BODY
template <class T> __device__ void st_async(T *, const T (&)[4], uint64_t *) PORTER_STUB_BODY
template <int N32> __device__ void st_bulk(void *, uint64_t, n32_t<N32>) PORTER_STUB_BODY
template <int N32, dot_scope Scope>
__device__ void tensormap_cp_fenceproxy(sem_release_t, scope_t<Scope>, void *, const void *,
    n32_t<N32>) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tensormap_replace_box_dim(space_global_t, void *, n32_t<N32>, T) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tensormap_replace_box_dim(space_shared_t, void *, n32_t<N32>, T) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tensormap_replace_element_size(space_global_t, void *, n32_t<N32>, T) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tensormap_replace_element_size(space_shared_t, void *, n32_t<N32>, T) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tensormap_replace_element_stride(space_global_t, void *, n32_t<N32>, T) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tensormap_replace_element_stride(space_shared_t, void *, n32_t<N32>, T) PORTER_STUB_BODY
template <int N32> __device__ void tensormap_replace_elemtype(space_global_t, void *, n32_t<N32>) PORTER_STUB_BODY
template <int N32> __device__ void tensormap_replace_elemtype(space_shared_t, void *, n32_t<N32>) PORTER_STUB_BODY
template <int N32> __device__ void tensormap_replace_fill_mode(space_global_t, void *, n32_t<N32>) PORTER_STUB_BODY
template <int N32> __device__ void tensormap_replace_fill_mode(space_shared_t, void *, n32_t<N32>) PORTER_STUB_BODY
template <class T> __device__ void tensormap_replace_global_address(space_global_t, void *, T) PORTER_STUB_BODY
template <class T> __device__ void tensormap_replace_global_address(space_shared_t, void *, T) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tensormap_replace_global_dim(space_global_t, void *, n32_t<N32>, T) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tensormap_replace_global_dim(space_shared_t, void *, n32_t<N32>, T) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tensormap_replace_global_stride(space_global_t, void *, n32_t<N32>, T) PORTER_STUB_BODY
template <int N32, class T>
__device__ void tensormap_replace_global_stride(space_shared_t, void *, n32_t<N32>, T) PORTER_STUB_BODY
template <int N32>
__device__ void tensormap_replace_interleave_layout(space_global_t, void *, n32_t<N32>) PORTER_STUB_BODY
template <int N32>
__device__ void tensormap_replace_interleave_layout(space_shared_t, void *, n32_t<N32>) PORTER_STUB_BODY
template <class T> __device__ void tensormap_replace_rank(space_global_t, void *, T) PORTER_STUB_BODY
template <class T> __device__ void tensormap_replace_rank(space_shared_t, void *, T) PORTER_STUB_BODY
template <int N32>
__device__ void tensormap_replace_swizzle_atomicity(space_global_t, void *, n32_t<N32>) PORTER_STUB_BODY
template <int N32>
__device__ void tensormap_replace_swizzle_atomicity(space_shared_t, void *, n32_t<N32>) PORTER_STUB_BODY
template <int N32> __device__ void tensormap_replace_swizzle_mode(space_global_t, void *, n32_t<N32>) PORTER_STUB_BODY
template <int N32> __device__ void tensormap_replace_swizzle_mode(space_shared_t, void *, n32_t<N32>) PORTER_STUB_BODY
}  // namespace ptx
}  // namespace cuda
#endif
