// porter stub headers: Thrust algorithms, removal, uniqueness and partitions.
// Every algorithm comes with and without an execution policy.
#pragma once
#include "execution.h"
#include "tuple.h"

namespace thrust {
template <class It, class T> __host__ __device__ It remove(It, It, const T &) PORTER_STUB_BODY
template <class Policy, class It, class T>
__host__ __device__ It remove(const execution_policy_base<Policy> &, It, It, const T &) PORTER_STUB_BODY
template <class It, class P> __host__ __device__ It remove_if(It, It, P) PORTER_STUB_BODY
template <class Policy, class It, class P>
__host__ __device__ It remove_if(const execution_policy_base<Policy> &, It, It, P) PORTER_STUB_BODY
template <class It, class Stencil, class P> __host__ __device__ It remove_if(It, It, Stencil, P) PORTER_STUB_BODY
template <class Policy, class It, class Stencil, class P>
__host__ __device__ It remove_if(const execution_policy_base<Policy> &, It, It, Stencil, P) PORTER_STUB_BODY
template <class It, class Out, class T> __host__ __device__ Out remove_copy(It, It, Out, const T &) PORTER_STUB_BODY
template <class Policy, class It, class Out, class T>
__host__ __device__ Out remove_copy(const execution_policy_base<Policy> &, It, It, Out, const T &) PORTER_STUB_BODY
template <class It, class Out, class P> __host__ __device__ Out remove_copy_if(It, It, Out, P) PORTER_STUB_BODY
template <class Policy, class It, class Out, class P>
__host__ __device__ Out remove_copy_if(const execution_policy_base<Policy> &, It, It, Out, P) PORTER_STUB_BODY
template <class It, class Stencil, class Out, class P>
__host__ __device__ Out remove_copy_if(It, It, Stencil, Out, P) PORTER_STUB_BODY
template <class Policy, class It, class Stencil, class Out, class P>
__host__ __device__ Out remove_copy_if(const execution_policy_base<Policy> &, It, It, Stencil, Out, P) PORTER_STUB_BODY
template <class It> __host__ __device__ It unique(It, It) PORTER_STUB_BODY
template <class Policy, class It>
__host__ __device__ It unique(const execution_policy_base<Policy> &, It, It) PORTER_STUB_BODY
template <class It, class P> __host__ __device__ It unique(It, It, P) PORTER_STUB_BODY
template <class Policy, class It, class P>
__host__ __device__ It unique(const execution_policy_base<Policy> &, It, It, P) PORTER_STUB_BODY
template <class It, class Out> __host__ __device__ Out unique_copy(It, It, Out) PORTER_STUB_BODY
template <class Policy, class It, class Out>
__host__ __device__ Out unique_copy(const execution_policy_base<Policy> &, It, It, Out) PORTER_STUB_BODY
template <class It, class Out, class P> __host__ __device__ Out unique_copy(It, It, Out, P) PORTER_STUB_BODY
template <class Policy, class It, class Out, class P>
__host__ __device__ Out unique_copy(const execution_policy_base<Policy> &, It, It, Out, P) PORTER_STUB_BODY
template <class It> __host__ __device__ iterator_difference_t<It> unique_count(It, It) PORTER_STUB_BODY
template <class Policy, class It>
__host__ __device__ iterator_difference_t<It> unique_count(const execution_policy_base<Policy> &, It,
    It) PORTER_STUB_BODY
template <class It, class P> __host__ __device__ iterator_difference_t<It> unique_count(It, It, P) PORTER_STUB_BODY
template <class Policy, class It, class P>
__host__ __device__ iterator_difference_t<It> unique_count(const execution_policy_base<Policy> &, It, It,
    P) PORTER_STUB_BODY
template <class K, class W> __host__ __device__ pair<K, W> unique_by_key(K, K, W) PORTER_STUB_BODY
template <class Policy, class K, class W>
__host__ __device__ pair<K, W> unique_by_key(const execution_policy_base<Policy> &, K, K, W) PORTER_STUB_BODY
template <class K, class W, class P> __host__ __device__ pair<K, W> unique_by_key(K, K, W, P) PORTER_STUB_BODY
template <class Policy, class K, class W, class P>
__host__ __device__ pair<K, W> unique_by_key(const execution_policy_base<Policy> &, K, K, W, P) PORTER_STUB_BODY
template <class K, class W, class KO, class WO>
__host__ __device__ pair<KO, WO> unique_by_key_copy(K, K, W, KO, WO) PORTER_STUB_BODY
template <class Policy, class K, class W, class KO, class WO>
__host__ __device__ pair<KO, WO> unique_by_key_copy(const execution_policy_base<Policy> &, K, K, W, KO,
    WO) PORTER_STUB_BODY
template <class K, class W, class KO, class WO, class P>
__host__ __device__ pair<KO, WO> unique_by_key_copy(K, K, W, KO, WO, P) PORTER_STUB_BODY
template <class Policy, class K, class W, class KO, class WO, class P>
__host__ __device__ pair<KO, WO> unique_by_key_copy(const execution_policy_base<Policy> &, K, K, W, KO, WO,
    P) PORTER_STUB_BODY
template <class It, class P> __host__ __device__ It partition(It, It, P) PORTER_STUB_BODY
template <class Policy, class It, class P>
__host__ __device__ It partition(const execution_policy_base<Policy> &, It, It, P) PORTER_STUB_BODY
template <class It, class S, class P> __host__ __device__ It partition(It, It, S, P) PORTER_STUB_BODY
template <class Policy, class It, class S, class P>
__host__ __device__ It partition(const execution_policy_base<Policy> &, It, It, S, P) PORTER_STUB_BODY
template <class It, class P> __host__ __device__ It stable_partition(It, It, P) PORTER_STUB_BODY
template <class Policy, class It, class P>
__host__ __device__ It stable_partition(const execution_policy_base<Policy> &, It, It, P) PORTER_STUB_BODY
template <class It, class S, class P> __host__ __device__ It stable_partition(It, It, S, P) PORTER_STUB_BODY
template <class Policy, class It, class S, class P>
__host__ __device__ It stable_partition(const execution_policy_base<Policy> &, It, It, S, P) PORTER_STUB_BODY
template <class It, class O1, class O2, class P>
__host__ __device__ pair<O1, O2> partition_copy(It, It, O1, O2, P) PORTER_STUB_BODY
template <class Policy, class It, class O1, class O2, class P>
__host__ __device__ pair<O1, O2> partition_copy(const execution_policy_base<Policy> &, It, It, O1, O2,
    P) PORTER_STUB_BODY
template <class It, class S, class O1, class O2, class P>
__host__ __device__ pair<O1, O2> partition_copy(It, It, S, O1, O2, P) PORTER_STUB_BODY
template <class Policy, class It, class S, class O1, class O2, class P>
__host__ __device__ pair<O1, O2> partition_copy(const execution_policy_base<Policy> &, It, It, S, O1, O2,
    P) PORTER_STUB_BODY
template <class It, class O1, class O2, class P>
__host__ __device__ pair<O1, O2> stable_partition_copy(It, It, O1, O2, P) PORTER_STUB_BODY
template <class Policy, class It, class O1, class O2, class P>
__host__ __device__ pair<O1, O2> stable_partition_copy(const execution_policy_base<Policy> &, It, It, O1, O2,
    P) PORTER_STUB_BODY
template <class It, class P> __host__ __device__ It partition_point(It, It, P) PORTER_STUB_BODY
template <class Policy, class It, class P>
__host__ __device__ It partition_point(const execution_policy_base<Policy> &, It, It, P) PORTER_STUB_BODY
template <class It, class P> __host__ __device__ bool is_partitioned(It, It, P) PORTER_STUB_BODY
template <class Policy, class It, class P>
__host__ __device__ bool is_partitioned(const execution_policy_base<Policy> &, It, It, P) PORTER_STUB_BODY
}  // namespace thrust
