// porter stub headers: Thrust algorithms, binary searches.
// Every algorithm comes with and without an execution policy.
#pragma once
#include "execution.h"
#include "tuple.h"

namespace thrust {
template <class It, class T> __host__ __device__ It lower_bound(It, It, const T &) PORTER_STUB_BODY
template <class Policy, class It, class T>
__host__ __device__ It lower_bound(const execution_policy_base<Policy> &, It, It, const T &) PORTER_STUB_BODY
template <class It, class T, class P> __host__ __device__ It lower_bound(It, It, const T &, P) PORTER_STUB_BODY
template <class Policy, class It, class T, class P>
__host__ __device__ It lower_bound(const execution_policy_base<Policy> &, It, It, const T &, P) PORTER_STUB_BODY
template <class It, class Q, class Out> __host__ __device__ Out lower_bound(It, It, Q, Q, Out) PORTER_STUB_BODY
template <class Policy, class It, class Q, class Out>
__host__ __device__ Out lower_bound(const execution_policy_base<Policy> &, It, It, Q, Q, Out) PORTER_STUB_BODY
template <class It, class Q, class Out, class P>
__host__ __device__ Out lower_bound(It, It, Q, Q, Out, P) PORTER_STUB_BODY
template <class Policy, class It, class Q, class Out, class P>
__host__ __device__ Out lower_bound(const execution_policy_base<Policy> &, It, It, Q, Q, Out, P) PORTER_STUB_BODY
template <class It, class T> __host__ __device__ It upper_bound(It, It, const T &) PORTER_STUB_BODY
template <class Policy, class It, class T>
__host__ __device__ It upper_bound(const execution_policy_base<Policy> &, It, It, const T &) PORTER_STUB_BODY
template <class It, class T, class P> __host__ __device__ It upper_bound(It, It, const T &, P) PORTER_STUB_BODY
template <class Policy, class It, class T, class P>
__host__ __device__ It upper_bound(const execution_policy_base<Policy> &, It, It, const T &, P) PORTER_STUB_BODY
template <class It, class Q, class Out> __host__ __device__ Out upper_bound(It, It, Q, Q, Out) PORTER_STUB_BODY
template <class Policy, class It, class Q, class Out>
__host__ __device__ Out upper_bound(const execution_policy_base<Policy> &, It, It, Q, Q, Out) PORTER_STUB_BODY
template <class It, class Q, class Out, class P>
__host__ __device__ Out upper_bound(It, It, Q, Q, Out, P) PORTER_STUB_BODY
template <class Policy, class It, class Q, class Out, class P>
__host__ __device__ Out upper_bound(const execution_policy_base<Policy> &, It, It, Q, Q, Out, P) PORTER_STUB_BODY
template <class It, class T> __host__ __device__ bool binary_search(It, It, const T &) PORTER_STUB_BODY
template <class Policy, class It, class T>
__host__ __device__ bool binary_search(const execution_policy_base<Policy> &, It, It, const T &) PORTER_STUB_BODY
template <class It, class T, class P> __host__ __device__ bool binary_search(It, It, const T &, P) PORTER_STUB_BODY
template <class Policy, class It, class T, class P>
__host__ __device__ bool binary_search(const execution_policy_base<Policy> &, It, It, const T &, P) PORTER_STUB_BODY
template <class It, class Q, class Out> __host__ __device__ Out binary_search(It, It, Q, Q, Out) PORTER_STUB_BODY
template <class Policy, class It, class Q, class Out>
__host__ __device__ Out binary_search(const execution_policy_base<Policy> &, It, It, Q, Q, Out) PORTER_STUB_BODY
template <class It, class Q, class Out, class P>
__host__ __device__ Out binary_search(It, It, Q, Q, Out, P) PORTER_STUB_BODY
template <class Policy, class It, class Q, class Out, class P>
__host__ __device__ Out binary_search(const execution_policy_base<Policy> &, It, It, Q, Q, Out, P) PORTER_STUB_BODY
template <class It, class T> __host__ __device__ pair<It, It> equal_range(It, It, const T &) PORTER_STUB_BODY
template <class Policy, class It, class T>
__host__ __device__ pair<It, It> equal_range(const execution_policy_base<Policy> &, It, It, const T &) PORTER_STUB_BODY
template <class It, class T, class P>
__host__ __device__ pair<It, It> equal_range(It, It, const T &, P) PORTER_STUB_BODY
template <class Policy, class It, class T, class P>
__host__ __device__ pair<It, It> equal_range(const execution_policy_base<Policy> &, It, It, const T &,
    P) PORTER_STUB_BODY
}  // namespace thrust
