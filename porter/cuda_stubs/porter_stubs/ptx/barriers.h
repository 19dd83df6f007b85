// porter stub headers: PTX wrappers, barriers
#pragma once
#include "tags.h"
#ifdef __CUDACC__
namespace cuda {
namespace ptx {
__device__ void barrier_cluster_arrive();
__device__ void barrier_cluster_arrive(sem_relaxed_t);
__device__ void barrier_cluster_arrive(sem_release_t);
__device__ void barrier_cluster_wait();
__device__ void barrier_cluster_wait(sem_acquire_t);
template <class T, class U>
__device__ void clusterlaunchcontrol_query_cancel_get_first_ctaid(T (&)[4], U) PORTER_STUB_BODY
template <class T, class U> __device__ T clusterlaunchcontrol_query_cancel_get_first_ctaid_x(U) PORTER_STUB_BODY
template <class T, class U> __device__ T clusterlaunchcontrol_query_cancel_get_first_ctaid_y(U) PORTER_STUB_BODY
template <class T, class U> __device__ T clusterlaunchcontrol_query_cancel_get_first_ctaid_z(U) PORTER_STUB_BODY
template <class T> __device__ bool clusterlaunchcontrol_query_cancel_is_canceled(T) PORTER_STUB_BODY
__device__ void clusterlaunchcontrol_try_cancel(void *, uint64_t *);
__device__ void clusterlaunchcontrol_try_cancel_multicast(void *, uint64_t *);
__device__ void mbarrier_arrive(sem_relaxed_t, scope_cluster_t, space_cluster_t, uint64_t *);
__device__ void mbarrier_arrive(sem_relaxed_t, scope_cluster_t, space_cluster_t, uint64_t *, const uint32_t &);
__device__ void mbarrier_arrive(sem_release_t, scope_cluster_t, space_cluster_t, uint64_t *);
__device__ void mbarrier_arrive(sem_release_t, scope_cluster_t, space_cluster_t, uint64_t *, const uint32_t &);
__device__ uint64_t mbarrier_arrive(uint64_t *);
__device__ uint64_t mbarrier_arrive(uint64_t *, const uint32_t &);
template <dot_scope Scope>
__device__ uint64_t mbarrier_arrive(sem_relaxed_t, scope_t<Scope>, space_shared_t, uint64_t *) PORTER_STUB_BODY
template <dot_scope Scope>
__device__ uint64_t mbarrier_arrive(sem_relaxed_t, scope_t<Scope>, space_shared_t, uint64_t *,
    const uint32_t &) PORTER_STUB_BODY
template <dot_scope Scope>
__device__ uint64_t mbarrier_arrive(sem_release_t, scope_t<Scope>, space_shared_t, uint64_t *) PORTER_STUB_BODY
template <dot_scope Scope>
__device__ uint64_t mbarrier_arrive(sem_release_t, scope_t<Scope>, space_shared_t, uint64_t *,
    const uint32_t &) PORTER_STUB_BODY
__device__ void mbarrier_arrive_expect_tx(sem_relaxed_t, scope_cluster_t, space_cluster_t, uint64_t *,
    const uint32_t &);
__device__ void mbarrier_arrive_expect_tx(sem_release_t, scope_cluster_t, space_cluster_t, uint64_t *,
    const uint32_t &);
template <dot_scope Scope>
__device__ uint64_t mbarrier_arrive_expect_tx(sem_relaxed_t, scope_t<Scope>, space_shared_t, uint64_t *,
    const uint32_t &) PORTER_STUB_BODY
template <dot_scope Scope>
__device__ uint64_t mbarrier_arrive_expect_tx(sem_release_t, scope_t<Scope>, space_shared_t, uint64_t *,
    const uint32_t &) PORTER_STUB_BODY
__device__ uint64_t mbarrier_arrive_no_complete(uint64_t *, const uint32_t &);
template <dot_scope Scope>
__device__ void mbarrier_expect_tx(sem_relaxed_t, scope_t<Scope>, space_cluster_t, uint64_t *,
    uint32_t) PORTER_STUB_BODY
template <dot_scope Scope>
__device__ void mbarrier_expect_tx(sem_relaxed_t, scope_t<Scope>, space_shared_t, uint64_t *, uint32_t) PORTER_STUB_BODY
__device__ void mbarrier_init(uint64_t *, const uint32_t &);
__device__ bool mbarrier_test_wait(uint64_t *, const uint64_t &);
template <dot_scope Scope>
__device__ bool mbarrier_test_wait(sem_acquire_t, scope_t<Scope>, uint64_t *, const uint64_t &) PORTER_STUB_BODY
template <dot_scope Scope>
__device__ bool mbarrier_test_wait(sem_relaxed_t, scope_t<Scope>, uint64_t *, const uint64_t &) PORTER_STUB_BODY
__device__ bool mbarrier_test_wait_parity(uint64_t *, const uint32_t &);
template <dot_scope Scope>
__device__ bool mbarrier_test_wait_parity(sem_acquire_t, scope_t<Scope>, uint64_t *, const uint32_t &) PORTER_STUB_BODY
template <dot_scope Scope>
__device__ bool mbarrier_test_wait_parity(sem_relaxed_t, scope_t<Scope>, uint64_t *, const uint32_t &) PORTER_STUB_BODY
__device__ bool mbarrier_try_wait(uint64_t *, const uint64_t &);
__device__ bool mbarrier_try_wait(uint64_t *, const uint64_t &, const uint32_t &);
template <dot_scope Scope>
__device__ bool mbarrier_try_wait(sem_acquire_t, scope_t<Scope>, uint64_t *, const uint64_t &) PORTER_STUB_BODY
template <dot_scope Scope>
__device__ bool mbarrier_try_wait(sem_acquire_t, scope_t<Scope>, uint64_t *, const uint64_t &,
    const uint32_t &) PORTER_STUB_BODY
template <dot_scope Scope>
__device__ bool mbarrier_try_wait(sem_relaxed_t, scope_t<Scope>, uint64_t *, const uint64_t &) PORTER_STUB_BODY
template <dot_scope Scope>
__device__ bool mbarrier_try_wait(sem_relaxed_t, scope_t<Scope>, uint64_t *, const uint64_t &,
    const uint32_t &) PORTER_STUB_BODY
__device__ bool mbarrier_try_wait_parity(uint64_t *, const uint32_t &);
__device__ bool mbarrier_try_wait_parity(uint64_t *, const uint32_t &, const uint32_t &);
template <dot_scope Scope>
__device__ bool mbarrier_try_wait_parity(sem_acquire_t, scope_t<Scope>, uint64_t *, const uint32_t &) PORTER_STUB_BODY
template <dot_scope Scope>
__device__ bool mbarrier_try_wait_parity(sem_acquire_t, scope_t<Scope>, uint64_t *, const uint32_t &,
    const uint32_t &) PORTER_STUB_BODY
template <dot_scope Scope>
__device__ bool mbarrier_try_wait_parity(sem_relaxed_t, scope_t<Scope>, uint64_t *, const uint32_t &) PORTER_STUB_BODY
template <dot_scope Scope>
__device__ bool mbarrier_try_wait_parity(sem_relaxed_t, scope_t<Scope>, uint64_t *, const uint32_t &,
    const uint32_t &) PORTER_STUB_BODY
}  // namespace ptx
}  // namespace cuda
#endif
