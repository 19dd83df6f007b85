// porter stub headers: Thrust algorithms, reductions and comparisons.
// Every algorithm comes with and without an execution policy.
#pragma once
#include "execution.h"
#include "tuple.h"

namespace thrust {
template <class It> __host__ __device__ iterator_value_t<It> reduce(It, It) PORTER_STUB_BODY
template <class Policy, class It>
__host__ __device__ iterator_value_t<It> reduce(const execution_policy_base<Policy> &, It, It) PORTER_STUB_BODY
template <class It, class T> __host__ __device__ T reduce(It, It, T) PORTER_STUB_BODY
template <class Policy, class It, class T>
__host__ __device__ T reduce(const execution_policy_base<Policy> &, It, It, T) PORTER_STUB_BODY
template <class It, class T, class F> __host__ __device__ T reduce(It, It, T, F) PORTER_STUB_BODY
template <class Policy, class It, class T, class F>
__host__ __device__ T reduce(const execution_policy_base<Policy> &, It, It, T, F) PORTER_STUB_BODY
template <class K, class W, class KO, class WO>
__host__ __device__ pair<KO, WO> reduce_by_key(K, K, W, KO, WO) PORTER_STUB_BODY
template <class Policy, class K, class W, class KO, class WO>
__host__ __device__ pair<KO, WO> reduce_by_key(const execution_policy_base<Policy> &, K, K, W, KO, WO) PORTER_STUB_BODY
template <class K, class W, class KO, class WO, class P>
__host__ __device__ pair<KO, WO> reduce_by_key(K, K, W, KO, WO, P) PORTER_STUB_BODY
template <class Policy, class K, class W, class KO, class WO, class P>
__host__ __device__ pair<KO, WO> reduce_by_key(const execution_policy_base<Policy> &, K, K, W, KO, WO,
    P) PORTER_STUB_BODY
template <class K, class W, class KO, class WO, class P, class F>
__host__ __device__ pair<KO, WO> reduce_by_key(K, K, W, KO, WO, P, F) PORTER_STUB_BODY
template <class Policy, class K, class W, class KO, class WO, class P, class F>
__host__ __device__ pair<KO, WO> reduce_by_key(const execution_policy_base<Policy> &, K, K, W, KO, WO, P,
    F) PORTER_STUB_BODY
template <class It, class U, class T, class F> __host__ __device__ T transform_reduce(It, It, U, T, F) PORTER_STUB_BODY
template <class Policy, class It, class U, class T, class F>
__host__ __device__ T transform_reduce(const execution_policy_base<Policy> &, It, It, U, T, F) PORTER_STUB_BODY
template <class It1, class It2, class T> __host__ __device__ T inner_product(It1, It1, It2, T) PORTER_STUB_BODY
template <class Policy, class It1, class It2, class T>
__host__ __device__ T inner_product(const execution_policy_base<Policy> &, It1, It1, It2, T) PORTER_STUB_BODY
template <class It1, class It2, class T, class F, class G>
__host__ __device__ T inner_product(It1, It1, It2, T, F, G) PORTER_STUB_BODY
template <class Policy, class It1, class It2, class T, class F, class G>
__host__ __device__ T inner_product(const execution_policy_base<Policy> &, It1, It1, It2, T, F, G) PORTER_STUB_BODY
template <class It, class T> __host__ __device__ iterator_difference_t<It> count(It, It, const T &) PORTER_STUB_BODY
template <class Policy, class It, class T>
__host__ __device__ iterator_difference_t<It> count(const execution_policy_base<Policy> &, It, It,
    const T &) PORTER_STUB_BODY
template <class It, class P> __host__ __device__ iterator_difference_t<It> count_if(It, It, P) PORTER_STUB_BODY
template <class Policy, class It, class P>
__host__ __device__ iterator_difference_t<It> count_if(const execution_policy_base<Policy> &, It, It,
    P) PORTER_STUB_BODY
template <class It> __host__ __device__ It min_element(It, It) PORTER_STUB_BODY
template <class Policy, class It>
__host__ __device__ It min_element(const execution_policy_base<Policy> &, It, It) PORTER_STUB_BODY
template <class It, class P> __host__ __device__ It min_element(It, It, P) PORTER_STUB_BODY
template <class Policy, class It, class P>
__host__ __device__ It min_element(const execution_policy_base<Policy> &, It, It, P) PORTER_STUB_BODY
template <class It> __host__ __device__ It max_element(It, It) PORTER_STUB_BODY
template <class Policy, class It>
__host__ __device__ It max_element(const execution_policy_base<Policy> &, It, It) PORTER_STUB_BODY
template <class It, class P> __host__ __device__ It max_element(It, It, P) PORTER_STUB_BODY
template <class Policy, class It, class P>
__host__ __device__ It max_element(const execution_policy_base<Policy> &, It, It, P) PORTER_STUB_BODY
template <class It> __host__ __device__ pair<It, It> minmax_element(It, It) PORTER_STUB_BODY
template <class Policy, class It>
__host__ __device__ pair<It, It> minmax_element(const execution_policy_base<Policy> &, It, It) PORTER_STUB_BODY
template <class It, class P> __host__ __device__ pair<It, It> minmax_element(It, It, P) PORTER_STUB_BODY
template <class Policy, class It, class P>
__host__ __device__ pair<It, It> minmax_element(const execution_policy_base<Policy> &, It, It, P) PORTER_STUB_BODY
template <class It, class P> __host__ __device__ bool all_of(It, It, P) PORTER_STUB_BODY
template <class Policy, class It, class P>
__host__ __device__ bool all_of(const execution_policy_base<Policy> &, It, It, P) PORTER_STUB_BODY
template <class It, class P> __host__ __device__ bool any_of(It, It, P) PORTER_STUB_BODY
template <class Policy, class It, class P>
__host__ __device__ bool any_of(const execution_policy_base<Policy> &, It, It, P) PORTER_STUB_BODY
template <class It, class P> __host__ __device__ bool none_of(It, It, P) PORTER_STUB_BODY
template <class Policy, class It, class P>
__host__ __device__ bool none_of(const execution_policy_base<Policy> &, It, It, P) PORTER_STUB_BODY
template <class It1, class It2> __host__ __device__ bool equal(It1, It1, It2) PORTER_STUB_BODY
template <class Policy, class It1, class It2>
__host__ __device__ bool equal(const execution_policy_base<Policy> &, It1, It1, It2) PORTER_STUB_BODY
template <class It1, class It2, class P> __host__ __device__ bool equal(It1, It1, It2, P) PORTER_STUB_BODY
template <class Policy, class It1, class It2, class P>
__host__ __device__ bool equal(const execution_policy_base<Policy> &, It1, It1, It2, P) PORTER_STUB_BODY
template <class It1, class It2> __host__ __device__ pair<It1, It2> mismatch(It1, It1, It2) PORTER_STUB_BODY
template <class Policy, class It1, class It2>
__host__ __device__ pair<It1, It2> mismatch(const execution_policy_base<Policy> &, It1, It1, It2) PORTER_STUB_BODY
template <class It1, class It2, class P> __host__ __device__ pair<It1, It2> mismatch(It1, It1, It2, P) PORTER_STUB_BODY
template <class Policy, class It1, class It2, class P>
__host__ __device__ pair<It1, It2> mismatch(const execution_policy_base<Policy> &, It1, It1, It2, P) PORTER_STUB_BODY
template <class It, class T> __host__ __device__ It find(It, It, const T &) PORTER_STUB_BODY
template <class Policy, class It, class T>
__host__ __device__ It find(const execution_policy_base<Policy> &, It, It, const T &) PORTER_STUB_BODY
template <class It, class P> __host__ __device__ It find_if(It, It, P) PORTER_STUB_BODY
template <class Policy, class It, class P>
__host__ __device__ It find_if(const execution_policy_base<Policy> &, It, It, P) PORTER_STUB_BODY
template <class It, class P> __host__ __device__ It find_if_not(It, It, P) PORTER_STUB_BODY
template <class Policy, class It, class P>
__host__ __device__ It find_if_not(const execution_policy_base<Policy> &, It, It, P) PORTER_STUB_BODY
}  // namespace thrust
