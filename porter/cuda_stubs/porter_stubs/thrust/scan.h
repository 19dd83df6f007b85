// porter stub headers: Thrust algorithms, prefix sums.
// Every algorithm comes with and without an execution policy.
#pragma once
#include "execution.h"
#include "tuple.h"

namespace thrust {
template <class It, class Out> __host__ __device__ Out inclusive_scan(It, It, Out) PORTER_STUB_BODY
template <class Policy, class It, class Out>
__host__ __device__ Out inclusive_scan(const execution_policy_base<Policy> &, It, It, Out) PORTER_STUB_BODY
template <class It, class Out> __host__ __device__ Out exclusive_scan(It, It, Out) PORTER_STUB_BODY
template <class Policy, class It, class Out>
__host__ __device__ Out exclusive_scan(const execution_policy_base<Policy> &, It, It, Out) PORTER_STUB_BODY
template <class It, class Out, class F> __host__ __device__ Out inclusive_scan(It, It, Out, F) PORTER_STUB_BODY
template <class Policy, class It, class Out, class F>
__host__ __device__ Out inclusive_scan(const execution_policy_base<Policy> &, It, It, Out, F) PORTER_STUB_BODY
template <class It, class Out, class T, class F>
__host__ __device__ Out inclusive_scan(It, It, Out, T, F) PORTER_STUB_BODY
template <class Policy, class It, class Out, class T, class F>
__host__ __device__ Out inclusive_scan(const execution_policy_base<Policy> &, It, It, Out, T, F) PORTER_STUB_BODY
template <class It, class Out, class T> __host__ __device__ Out exclusive_scan(It, It, Out, T) PORTER_STUB_BODY
template <class Policy, class It, class Out, class T>
__host__ __device__ Out exclusive_scan(const execution_policy_base<Policy> &, It, It, Out, T) PORTER_STUB_BODY
template <class It, class Out, class T, class F>
__host__ __device__ Out exclusive_scan(It, It, Out, T, F) PORTER_STUB_BODY
template <class Policy, class It, class Out, class T, class F>
__host__ __device__ Out exclusive_scan(const execution_policy_base<Policy> &, It, It, Out, T, F) PORTER_STUB_BODY
template <class It, class Out, class U, class F>
__host__ __device__ Out transform_inclusive_scan(It, It, Out, U, F) PORTER_STUB_BODY
template <class Policy, class It, class Out, class U, class F>
__host__ __device__ Out transform_inclusive_scan(const execution_policy_base<Policy> &, It, It, Out, U,
    F) PORTER_STUB_BODY
template <class It, class Out, class U, class T, class F>
__host__ __device__ Out transform_inclusive_scan(It, It, Out, U, T, F) PORTER_STUB_BODY
template <class Policy, class It, class Out, class U, class T, class F>
__host__ __device__ Out transform_inclusive_scan(const execution_policy_base<Policy> &, It, It, Out, U, T,
    F) PORTER_STUB_BODY
template <class It, class Out, class U, class T, class F>
__host__ __device__ Out transform_exclusive_scan(It, It, Out, U, T, F) PORTER_STUB_BODY
template <class Policy, class It, class Out, class U, class T, class F>
__host__ __device__ Out transform_exclusive_scan(const execution_policy_base<Policy> &, It, It, Out, U, T,
    F) PORTER_STUB_BODY
template <class K, class W, class Out> __host__ __device__ Out inclusive_scan_by_key(K, K, W, Out) PORTER_STUB_BODY
template <class Policy, class K, class W, class Out>
__host__ __device__ Out inclusive_scan_by_key(const execution_policy_base<Policy> &, K, K, W, Out) PORTER_STUB_BODY
template <class K, class W, class Out, class P>
__host__ __device__ Out inclusive_scan_by_key(K, K, W, Out, P) PORTER_STUB_BODY
template <class Policy, class K, class W, class Out, class P>
__host__ __device__ Out inclusive_scan_by_key(const execution_policy_base<Policy> &, K, K, W, Out, P) PORTER_STUB_BODY
template <class K, class W, class Out, class P, class F>
__host__ __device__ Out inclusive_scan_by_key(K, K, W, Out, P, F) PORTER_STUB_BODY
template <class Policy, class K, class W, class Out, class P, class F>
__host__ __device__ Out inclusive_scan_by_key(const execution_policy_base<Policy> &, K, K, W, Out, P,
    F) PORTER_STUB_BODY
template <class K, class W, class Out> __host__ __device__ Out exclusive_scan_by_key(K, K, W, Out) PORTER_STUB_BODY
template <class Policy, class K, class W, class Out>
__host__ __device__ Out exclusive_scan_by_key(const execution_policy_base<Policy> &, K, K, W, Out) PORTER_STUB_BODY
template <class K, class W, class Out, class T>
__host__ __device__ Out exclusive_scan_by_key(K, K, W, Out, T) PORTER_STUB_BODY
template <class Policy, class K, class W, class Out, class T>
__host__ __device__ Out exclusive_scan_by_key(const execution_policy_base<Policy> &, K, K, W, Out, T) PORTER_STUB_BODY
template <class K, class W, class Out, class T, class P>
__host__ __device__ Out exclusive_scan_by_key(K, K, W, Out, T, P) PORTER_STUB_BODY
template <class Policy, class K, class W, class Out, class T, class P>
__host__ __device__ Out exclusive_scan_by_key(const execution_policy_base<Policy> &, K, K, W, Out, T,
    P) PORTER_STUB_BODY
template <class K, class W, class Out, class T, class P, class F>
__host__ __device__ Out exclusive_scan_by_key(K, K, W, Out, T, P, F) PORTER_STUB_BODY
template <class Policy, class K, class W, class Out, class T, class P, class F>
__host__ __device__ Out exclusive_scan_by_key(const execution_policy_base<Policy> &, K, K, W, Out, T, P,
    F) PORTER_STUB_BODY
}  // namespace thrust
