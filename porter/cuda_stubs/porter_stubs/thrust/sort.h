// porter stub headers: Thrust algorithms, sorting, merging and sets.
// Every algorithm comes with and without an execution policy.
#pragma once
#include "execution.h"
#include "tuple.h"

namespace thrust {
template <class It> __host__ __device__ void sort(It, It) PORTER_STUB_BODY
template <class Policy, class It>
__host__ __device__ void sort(const execution_policy_base<Policy> &, It, It) PORTER_STUB_BODY
template <class It, class P> __host__ __device__ void sort(It, It, P) PORTER_STUB_BODY
template <class Policy, class It, class P>
__host__ __device__ void sort(const execution_policy_base<Policy> &, It, It, P) PORTER_STUB_BODY
template <class It> __host__ __device__ void stable_sort(It, It) PORTER_STUB_BODY
template <class Policy, class It>
__host__ __device__ void stable_sort(const execution_policy_base<Policy> &, It, It) PORTER_STUB_BODY
template <class It, class P> __host__ __device__ void stable_sort(It, It, P) PORTER_STUB_BODY
template <class Policy, class It, class P>
__host__ __device__ void stable_sort(const execution_policy_base<Policy> &, It, It, P) PORTER_STUB_BODY
template <class K, class W> __host__ __device__ void sort_by_key(K, K, W) PORTER_STUB_BODY
template <class Policy, class K, class W>
__host__ __device__ void sort_by_key(const execution_policy_base<Policy> &, K, K, W) PORTER_STUB_BODY
template <class K, class W, class P> __host__ __device__ void sort_by_key(K, K, W, P) PORTER_STUB_BODY
template <class Policy, class K, class W, class P>
__host__ __device__ void sort_by_key(const execution_policy_base<Policy> &, K, K, W, P) PORTER_STUB_BODY
template <class K, class W> __host__ __device__ void stable_sort_by_key(K, K, W) PORTER_STUB_BODY
template <class Policy, class K, class W>
__host__ __device__ void stable_sort_by_key(const execution_policy_base<Policy> &, K, K, W) PORTER_STUB_BODY
template <class K, class W, class P> __host__ __device__ void stable_sort_by_key(K, K, W, P) PORTER_STUB_BODY
template <class Policy, class K, class W, class P>
__host__ __device__ void stable_sort_by_key(const execution_policy_base<Policy> &, K, K, W, P) PORTER_STUB_BODY
template <class It> __host__ __device__ bool is_sorted(It, It) PORTER_STUB_BODY
template <class Policy, class It>
__host__ __device__ bool is_sorted(const execution_policy_base<Policy> &, It, It) PORTER_STUB_BODY
template <class It, class P> __host__ __device__ bool is_sorted(It, It, P) PORTER_STUB_BODY
template <class Policy, class It, class P>
__host__ __device__ bool is_sorted(const execution_policy_base<Policy> &, It, It, P) PORTER_STUB_BODY
template <class It> __host__ __device__ It is_sorted_until(It, It) PORTER_STUB_BODY
template <class Policy, class It>
__host__ __device__ It is_sorted_until(const execution_policy_base<Policy> &, It, It) PORTER_STUB_BODY
template <class It, class P> __host__ __device__ It is_sorted_until(It, It, P) PORTER_STUB_BODY
template <class Policy, class It, class P>
__host__ __device__ It is_sorted_until(const execution_policy_base<Policy> &, It, It, P) PORTER_STUB_BODY
template <class It1, class It2, class Out> __host__ __device__ Out merge(It1, It1, It2, It2, Out) PORTER_STUB_BODY
template <class Policy, class It1, class It2, class Out>
__host__ __device__ Out merge(const execution_policy_base<Policy> &, It1, It1, It2, It2, Out) PORTER_STUB_BODY
template <class It1, class It2, class Out, class P>
__host__ __device__ Out merge(It1, It1, It2, It2, Out, P) PORTER_STUB_BODY
template <class Policy, class It1, class It2, class Out, class P>
__host__ __device__ Out merge(const execution_policy_base<Policy> &, It1, It1, It2, It2, Out, P) PORTER_STUB_BODY
template <class K1, class K2, class W1, class W2, class KO, class WO>
__host__ __device__ pair<KO, WO> merge_by_key(K1, K1, K2, K2, W1, W2, KO, WO) PORTER_STUB_BODY
template <class Policy, class K1, class K2, class W1, class W2, class KO, class WO>
__host__ __device__ pair<KO, WO> merge_by_key(const execution_policy_base<Policy> &, K1, K1, K2, K2, W1, W2, KO,
    WO) PORTER_STUB_BODY
template <class K1, class K2, class W1, class W2, class KO, class WO, class P>
__host__ __device__ pair<KO, WO> merge_by_key(K1, K1, K2, K2, W1, W2, KO, WO, P) PORTER_STUB_BODY
template <class Policy, class K1, class K2, class W1, class W2, class KO, class WO, class P>
__host__ __device__ pair<KO, WO> merge_by_key(const execution_policy_base<Policy> &, K1, K1, K2, K2, W1, W2, KO, WO,
    P) PORTER_STUB_BODY
template <class It1, class It2, class Out> __host__ __device__ Out set_union(It1, It1, It2, It2, Out) PORTER_STUB_BODY
template <class Policy, class It1, class It2, class Out>
__host__ __device__ Out set_union(const execution_policy_base<Policy> &, It1, It1, It2, It2, Out) PORTER_STUB_BODY
template <class It1, class It2, class Out, class P>
__host__ __device__ Out set_union(It1, It1, It2, It2, Out, P) PORTER_STUB_BODY
template <class Policy, class It1, class It2, class Out, class P>
__host__ __device__ Out set_union(const execution_policy_base<Policy> &, It1, It1, It2, It2, Out, P) PORTER_STUB_BODY
template <class It1, class It2, class Out>
__host__ __device__ Out set_intersection(It1, It1, It2, It2, Out) PORTER_STUB_BODY
template <class Policy, class It1, class It2, class Out>
__host__ __device__ Out set_intersection(const execution_policy_base<Policy> &, It1, It1, It2, It2,
    Out) PORTER_STUB_BODY
template <class It1, class It2, class Out, class P>
__host__ __device__ Out set_intersection(It1, It1, It2, It2, Out, P) PORTER_STUB_BODY
template <class Policy, class It1, class It2, class Out, class P>
__host__ __device__ Out set_intersection(const execution_policy_base<Policy> &, It1, It1, It2, It2, Out,
    P) PORTER_STUB_BODY
template <class It1, class It2, class Out>
__host__ __device__ Out set_difference(It1, It1, It2, It2, Out) PORTER_STUB_BODY
template <class Policy, class It1, class It2, class Out>
__host__ __device__ Out set_difference(const execution_policy_base<Policy> &, It1, It1, It2, It2, Out) PORTER_STUB_BODY
template <class It1, class It2, class Out, class P>
__host__ __device__ Out set_difference(It1, It1, It2, It2, Out, P) PORTER_STUB_BODY
template <class Policy, class It1, class It2, class Out, class P>
__host__ __device__ Out set_difference(const execution_policy_base<Policy> &, It1, It1, It2, It2, Out,
    P) PORTER_STUB_BODY
template <class It1, class It2, class Out>
__host__ __device__ Out set_symmetric_difference(It1, It1, It2, It2, Out) PORTER_STUB_BODY
template <class Policy, class It1, class It2, class Out>
__host__ __device__ Out set_symmetric_difference(const execution_policy_base<Policy> &, It1, It1, It2, It2,
    Out) PORTER_STUB_BODY
template <class It1, class It2, class Out, class P>
__host__ __device__ Out set_symmetric_difference(It1, It1, It2, It2, Out, P) PORTER_STUB_BODY
template <class Policy, class It1, class It2, class Out, class P>
__host__ __device__ Out set_symmetric_difference(const execution_policy_base<Policy> &, It1, It1, It2, It2, Out,
    P) PORTER_STUB_BODY
template <class K1, class K2, class W1, class W2, class KO, class WO>
__host__ __device__ pair<KO, WO> set_union_by_key(K1, K1, K2, K2, W1, W2, KO, WO) PORTER_STUB_BODY
template <class Policy, class K1, class K2, class W1, class W2, class KO, class WO>
__host__ __device__ pair<KO, WO> set_union_by_key(const execution_policy_base<Policy> &, K1, K1, K2, K2, W1, W2, KO,
    WO) PORTER_STUB_BODY
template <class K1, class K2, class W1, class W2, class KO, class WO>
__host__ __device__ pair<KO, WO> set_difference_by_key(K1, K1, K2, K2, W1, W2, KO, WO) PORTER_STUB_BODY
template <class Policy, class K1, class K2, class W1, class W2, class KO, class WO>
__host__ __device__ pair<KO, WO> set_difference_by_key(const execution_policy_base<Policy> &, K1, K1, K2, K2, W1, W2,
    KO, WO) PORTER_STUB_BODY
template <class K1, class K2, class W1, class W2, class KO, class WO>
__host__ __device__ pair<KO, WO> set_symmetric_difference_by_key(K1, K1, K2, K2, W1, W2, KO, WO) PORTER_STUB_BODY
template <class Policy, class K1, class K2, class W1, class W2, class KO, class WO>
__host__ __device__ pair<KO, WO> set_symmetric_difference_by_key(const execution_policy_base<Policy> &, K1, K1, K2, K2,
    W1, W2, KO, WO) PORTER_STUB_BODY
template <class K1, class K2, class W, class KO, class WO>
__host__ __device__ pair<KO, WO> set_intersection_by_key(K1, K1, K2, K2, W, KO, WO) PORTER_STUB_BODY
template <class Policy, class K1, class K2, class W, class KO, class WO>
__host__ __device__ pair<KO, WO> set_intersection_by_key(const execution_policy_base<Policy> &, K1, K1, K2, K2, W, KO,
    WO) PORTER_STUB_BODY
}  // namespace thrust
