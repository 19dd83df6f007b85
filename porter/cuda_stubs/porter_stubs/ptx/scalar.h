// porter stub headers: PTX wrappers, special registers, shuffles and bit operations
#pragma once
#include "tags.h"
#ifdef __CUDACC__
namespace cuda {
namespace ptx {
__device__ uint32_t bfind(int32_t);
__device__ uint32_t bfind(int64_t);
__device__ uint32_t bfind(uint32_t);
__device__ uint32_t bfind(uint64_t);
__device__ uint32_t bfind_shiftamt(int32_t);
__device__ uint32_t bfind_shiftamt(int64_t);
__device__ uint32_t bfind_shiftamt(uint32_t);
__device__ uint32_t bfind_shiftamt(uint64_t);
__device__ uint32_t bmsk_clamp(uint32_t, uint32_t);
__device__ uint32_t bmsk_wrap(uint32_t, uint32_t);
__device__ uint32_t get_sreg_aggr_smem_size();
__device__ uint32_t get_sreg_clock();
__device__ uint64_t get_sreg_clock64();
__device__ uint32_t get_sreg_clock_hi();
__device__ uint32_t get_sreg_cluster_ctaid_x();
__device__ uint32_t get_sreg_cluster_ctaid_y();
__device__ uint32_t get_sreg_cluster_ctaid_z();
__device__ uint32_t get_sreg_cluster_ctarank();
__device__ uint32_t get_sreg_cluster_nctaid_x();
__device__ uint32_t get_sreg_cluster_nctaid_y();
__device__ uint32_t get_sreg_cluster_nctaid_z();
__device__ uint32_t get_sreg_cluster_nctarank();
__device__ uint32_t get_sreg_clusterid_x();
__device__ uint32_t get_sreg_clusterid_y();
__device__ uint32_t get_sreg_clusterid_z();
__device__ uint32_t get_sreg_ctaid_x();
__device__ uint32_t get_sreg_ctaid_y();
__device__ uint32_t get_sreg_ctaid_z();
__device__ uint64_t get_sreg_current_graph_exec();
__device__ uint32_t get_sreg_dynamic_smem_size();
__device__ uint64_t get_sreg_globaltimer();
__device__ uint32_t get_sreg_globaltimer_hi();
__device__ uint32_t get_sreg_globaltimer_lo();
__device__ uint64_t get_sreg_gridid();
__device__ bool get_sreg_is_explicit_cluster();
__device__ uint32_t get_sreg_laneid();
__device__ uint32_t get_sreg_lanemask_eq();
__device__ uint32_t get_sreg_lanemask_ge();
__device__ uint32_t get_sreg_lanemask_gt();
__device__ uint32_t get_sreg_lanemask_le();
__device__ uint32_t get_sreg_lanemask_lt();
__device__ uint32_t get_sreg_nclusterid_x();
__device__ uint32_t get_sreg_nclusterid_y();
__device__ uint32_t get_sreg_nclusterid_z();
__device__ uint32_t get_sreg_nctaid_x();
__device__ uint32_t get_sreg_nctaid_y();
__device__ uint32_t get_sreg_nctaid_z();
__device__ uint32_t get_sreg_nsmid();
__device__ uint32_t get_sreg_ntid_x();
__device__ uint32_t get_sreg_ntid_y();
__device__ uint32_t get_sreg_ntid_z();
__device__ uint32_t get_sreg_nwarpid();
__device__ uint32_t get_sreg_smid();
__device__ uint32_t get_sreg_tid_x();
__device__ uint32_t get_sreg_tid_y();
__device__ uint32_t get_sreg_tid_z();
__device__ uint32_t get_sreg_total_smem_size();
__device__ uint32_t get_sreg_warpid();
__device__ uint32_t getctarank(space_cluster_t, const void *);
template <class T> __device__ uint32_t prmt(T, T, uint32_t) PORTER_STUB_BODY
template <class T> __device__ uint32_t prmt_b4e(T, T, uint32_t) PORTER_STUB_BODY
template <class T> __device__ uint32_t prmt_ecl(T, T, uint32_t) PORTER_STUB_BODY
template <class T> __device__ uint32_t prmt_ecr(T, T, uint32_t) PORTER_STUB_BODY
template <class T> __device__ uint32_t prmt_f4e(T, T, uint32_t) PORTER_STUB_BODY
template <class T> __device__ uint32_t prmt_rc16(T, T, uint32_t) PORTER_STUB_BODY
template <class T> __device__ uint32_t prmt_rc8(T, T, uint32_t) PORTER_STUB_BODY
template <class T> __device__ T shfl_sync_bfly(T, bool &, uint32_t, uint32_t, uint32_t) PORTER_STUB_BODY
template <class T> __device__ T shfl_sync_bfly(T, uint32_t, uint32_t, uint32_t) PORTER_STUB_BODY
template <class T> __device__ T shfl_sync_down(T, bool &, uint32_t, uint32_t, uint32_t) PORTER_STUB_BODY
template <class T> __device__ T shfl_sync_down(T, uint32_t, uint32_t, uint32_t) PORTER_STUB_BODY
template <class T> __device__ T shfl_sync_idx(T, bool &, uint32_t, uint32_t, uint32_t) PORTER_STUB_BODY
template <class T> __device__ T shfl_sync_idx(T, uint32_t, uint32_t, uint32_t) PORTER_STUB_BODY
template <class T> __device__ T shfl_sync_up(T, bool &, uint32_t, uint32_t, uint32_t) PORTER_STUB_BODY
template <class T> __device__ T shfl_sync_up(T, uint32_t, uint32_t, uint32_t) PORTER_STUB_BODY
template <class T> __device__ T shl(T, uint32_t) PORTER_STUB_BODY
__device__ int16_t shr(int16_t, uint32_t);
__device__ int32_t shr(int32_t, uint32_t);
__device__ int64_t shr(int64_t, uint32_t);
template <class T> __device__ T shr(T, uint32_t) PORTER_STUB_BODY
__device__ void trap();
}  // namespace ptx
}  // namespace cuda
#endif
