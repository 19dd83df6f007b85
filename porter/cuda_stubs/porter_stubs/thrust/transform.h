// porter stub headers: Thrust algorithms, element by element.
// Every algorithm comes with and without an execution policy.
#pragma once
#include "execution.h"
#include "tuple.h"

namespace thrust {
template <class It, class F> __host__ __device__ It for_each(It, It, F) PORTER_STUB_BODY
template <class Policy, class It, class F>
__host__ __device__ It for_each(const execution_policy_base<Policy> &, It, It, F) PORTER_STUB_BODY
template <class It, class N, class F> __host__ __device__ It for_each_n(It, N, F) PORTER_STUB_BODY
template <class Policy, class It, class N, class F>
__host__ __device__ It for_each_n(const execution_policy_base<Policy> &, It, N, F) PORTER_STUB_BODY
template <class It, class Out, class F> __host__ __device__ Out transform(It, It, Out, F) PORTER_STUB_BODY
template <class Policy, class It, class Out, class F>
__host__ __device__ Out transform(const execution_policy_base<Policy> &, It, It, Out, F) PORTER_STUB_BODY
template <class It1, class It2, class Out, class F>
__host__ __device__ Out transform(It1, It1, It2, Out, F) PORTER_STUB_BODY
template <class Policy, class It1, class It2, class Out, class F>
__host__ __device__ Out transform(const execution_policy_base<Policy> &, It1, It1, It2, Out, F) PORTER_STUB_BODY
template <class It, class Out, class F, class P>
__host__ __device__ Out transform_if(It, It, Out, F, P) PORTER_STUB_BODY
template <class Policy, class It, class Out, class F, class P>
__host__ __device__ Out transform_if(const execution_policy_base<Policy> &, It, It, Out, F, P) PORTER_STUB_BODY
template <class It1, class It2, class Out, class F, class P>
__host__ __device__ Out transform_if(It1, It1, It2, Out, F, P) PORTER_STUB_BODY
template <class Policy, class It1, class It2, class Out, class F, class P>
__host__ __device__ Out transform_if(const execution_policy_base<Policy> &, It1, It1, It2, Out, F, P) PORTER_STUB_BODY
template <class It1, class It2, class It3, class Out, class F, class P>
__host__ __device__ Out transform_if(It1, It1, It2, It3, Out, F, P) PORTER_STUB_BODY
template <class Policy, class It1, class It2, class It3, class Out, class F, class P>
__host__ __device__ Out transform_if(const execution_policy_base<Policy> &, It1, It1, It2, It3, Out, F,
    P) PORTER_STUB_BODY
template <class It, class F> __host__ __device__ void generate(It, It, F) PORTER_STUB_BODY
template <class Policy, class It, class F>
__host__ __device__ void generate(const execution_policy_base<Policy> &, It, It, F) PORTER_STUB_BODY
template <class It, class N, class F> __host__ __device__ It generate_n(It, N, F) PORTER_STUB_BODY
template <class Policy, class It, class N, class F>
__host__ __device__ It generate_n(const execution_policy_base<Policy> &, It, N, F) PORTER_STUB_BODY
template <class It, class F> __host__ __device__ void tabulate(It, It, F) PORTER_STUB_BODY
template <class Policy, class It, class F>
__host__ __device__ void tabulate(const execution_policy_base<Policy> &, It, It, F) PORTER_STUB_BODY
template <class It> __host__ __device__ void sequence(It, It) PORTER_STUB_BODY
template <class Policy, class It>
__host__ __device__ void sequence(const execution_policy_base<Policy> &, It, It) PORTER_STUB_BODY
template <class It, class T> __host__ __device__ void sequence(It, It, T) PORTER_STUB_BODY
template <class Policy, class It, class T>
__host__ __device__ void sequence(const execution_policy_base<Policy> &, It, It, T) PORTER_STUB_BODY
template <class It, class T> __host__ __device__ void sequence(It, It, T, T) PORTER_STUB_BODY
template <class Policy, class It, class T>
__host__ __device__ void sequence(const execution_policy_base<Policy> &, It, It, T, T) PORTER_STUB_BODY
template <class It, class T> __host__ __device__ void fill(It, It, const T &) PORTER_STUB_BODY
template <class Policy, class It, class T>
__host__ __device__ void fill(const execution_policy_base<Policy> &, It, It, const T &) PORTER_STUB_BODY
template <class It, class N, class T> __host__ __device__ It fill_n(It, N, const T &) PORTER_STUB_BODY
template <class Policy, class It, class N, class T>
__host__ __device__ It fill_n(const execution_policy_base<Policy> &, It, N, const T &) PORTER_STUB_BODY
template <class It, class T> __host__ __device__ void uninitialized_fill(It, It, const T &) PORTER_STUB_BODY
template <class Policy, class It, class T>
__host__ __device__ void uninitialized_fill(const execution_policy_base<Policy> &, It, It, const T &) PORTER_STUB_BODY
template <class It, class N, class T> __host__ __device__ It uninitialized_fill_n(It, N, const T &) PORTER_STUB_BODY
template <class Policy, class It, class N, class T>
__host__ __device__ It uninitialized_fill_n(const execution_policy_base<Policy> &, It, N, const T &) PORTER_STUB_BODY
template <class It, class T> __host__ __device__ void replace(It, It, const T &, const T &) PORTER_STUB_BODY
template <class Policy, class It, class T>
__host__ __device__ void replace(const execution_policy_base<Policy> &, It, It, const T &, const T &) PORTER_STUB_BODY
template <class It, class P, class T> __host__ __device__ void replace_if(It, It, P, const T &) PORTER_STUB_BODY
template <class Policy, class It, class P, class T>
__host__ __device__ void replace_if(const execution_policy_base<Policy> &, It, It, P, const T &) PORTER_STUB_BODY
template <class It, class It2, class P, class T>
__host__ __device__ void replace_if(It, It, It2, P, const T &) PORTER_STUB_BODY
template <class Policy, class It, class It2, class P, class T>
__host__ __device__ void replace_if(const execution_policy_base<Policy> &, It, It, It2, P, const T &) PORTER_STUB_BODY
template <class It, class Out, class T>
__host__ __device__ Out replace_copy(It, It, Out, const T &, const T &) PORTER_STUB_BODY
template <class Policy, class It, class Out, class T>
__host__ __device__ Out replace_copy(const execution_policy_base<Policy> &, It, It, Out, const T &,
    const T &) PORTER_STUB_BODY
template <class It, class Out, class P, class T>
__host__ __device__ Out replace_copy_if(It, It, Out, P, const T &) PORTER_STUB_BODY
template <class Policy, class It, class Out, class P, class T>
__host__ __device__ Out replace_copy_if(const execution_policy_base<Policy> &, It, It, Out, P,
    const T &) PORTER_STUB_BODY
template <class It, class Out> __host__ __device__ Out adjacent_difference(It, It, Out) PORTER_STUB_BODY
template <class Policy, class It, class Out>
__host__ __device__ Out adjacent_difference(const execution_policy_base<Policy> &, It, It, Out) PORTER_STUB_BODY
template <class It, class Out, class F> __host__ __device__ Out adjacent_difference(It, It, Out, F) PORTER_STUB_BODY
template <class Policy, class It, class Out, class F>
__host__ __device__ Out adjacent_difference(const execution_policy_base<Policy> &, It, It, Out, F) PORTER_STUB_BODY
}  // namespace thrust
