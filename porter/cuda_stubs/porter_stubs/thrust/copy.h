// porter stub headers: Thrust algorithms, copies, gathers and scatters.
// Every algorithm comes with and without an execution policy.
#pragma once
#include "execution.h"
#include "tuple.h"

namespace thrust {
template <class It, class Out> __host__ __device__ Out copy(It, It, Out) PORTER_STUB_BODY
template <class Policy, class It, class Out>
__host__ __device__ Out copy(const execution_policy_base<Policy> &, It, It, Out) PORTER_STUB_BODY
template <class It, class N, class Out> __host__ __device__ Out copy_n(It, N, Out) PORTER_STUB_BODY
template <class Policy, class It, class N, class Out>
__host__ __device__ Out copy_n(const execution_policy_base<Policy> &, It, N, Out) PORTER_STUB_BODY
template <class It, class Out, class P> __host__ __device__ Out copy_if(It, It, Out, P) PORTER_STUB_BODY
template <class Policy, class It, class Out, class P>
__host__ __device__ Out copy_if(const execution_policy_base<Policy> &, It, It, Out, P) PORTER_STUB_BODY
template <class It, class Stencil, class Out, class P>
__host__ __device__ Out copy_if(It, It, Stencil, Out, P) PORTER_STUB_BODY
template <class Policy, class It, class Stencil, class Out, class P>
__host__ __device__ Out copy_if(const execution_policy_base<Policy> &, It, It, Stencil, Out, P) PORTER_STUB_BODY
template <class It, class Out> __host__ __device__ Out uninitialized_copy(It, It, Out) PORTER_STUB_BODY
template <class Policy, class It, class Out>
__host__ __device__ Out uninitialized_copy(const execution_policy_base<Policy> &, It, It, Out) PORTER_STUB_BODY
template <class It, class N, class Out> __host__ __device__ Out uninitialized_copy_n(It, N, Out) PORTER_STUB_BODY
template <class Policy, class It, class N, class Out>
__host__ __device__ Out uninitialized_copy_n(const execution_policy_base<Policy> &, It, N, Out) PORTER_STUB_BODY
template <class It1, class It2> __host__ __device__ It2 swap_ranges(It1, It1, It2) PORTER_STUB_BODY
template <class Policy, class It1, class It2>
__host__ __device__ It2 swap_ranges(const execution_policy_base<Policy> &, It1, It1, It2) PORTER_STUB_BODY
template <class It> __host__ __device__ void reverse(It, It) PORTER_STUB_BODY
template <class Policy, class It>
__host__ __device__ void reverse(const execution_policy_base<Policy> &, It, It) PORTER_STUB_BODY
template <class It, class Out> __host__ __device__ Out reverse_copy(It, It, Out) PORTER_STUB_BODY
template <class Policy, class It, class Out>
__host__ __device__ Out reverse_copy(const execution_policy_base<Policy> &, It, It, Out) PORTER_STUB_BODY
template <class Map, class It, class Out> __host__ __device__ Out gather(Map, Map, It, Out) PORTER_STUB_BODY
template <class Policy, class Map, class It, class Out>
__host__ __device__ Out gather(const execution_policy_base<Policy> &, Map, Map, It, Out) PORTER_STUB_BODY
template <class Map, class Stencil, class It, class Out>
__host__ __device__ Out gather_if(Map, Map, Stencil, It, Out) PORTER_STUB_BODY
template <class Policy, class Map, class Stencil, class It, class Out>
__host__ __device__ Out gather_if(const execution_policy_base<Policy> &, Map, Map, Stencil, It, Out) PORTER_STUB_BODY
template <class Map, class Stencil, class It, class Out, class P>
__host__ __device__ Out gather_if(Map, Map, Stencil, It, Out, P) PORTER_STUB_BODY
template <class Policy, class Map, class Stencil, class It, class Out, class P>
__host__ __device__ Out gather_if(const execution_policy_base<Policy> &, Map, Map, Stencil, It, Out, P) PORTER_STUB_BODY
template <class It, class Map, class Out> __host__ __device__ void scatter(It, It, Map, Out) PORTER_STUB_BODY
template <class Policy, class It, class Map, class Out>
__host__ __device__ void scatter(const execution_policy_base<Policy> &, It, It, Map, Out) PORTER_STUB_BODY
template <class It, class Map, class Stencil, class Out>
__host__ __device__ void scatter_if(It, It, Map, Stencil, Out) PORTER_STUB_BODY
template <class Policy, class It, class Map, class Stencil, class Out>
__host__ __device__ void scatter_if(const execution_policy_base<Policy> &, It, It, Map, Stencil, Out) PORTER_STUB_BODY
template <class It, class Map, class Stencil, class Out, class P>
__host__ __device__ void scatter_if(It, It, Map, Stencil, Out, P) PORTER_STUB_BODY
template <class Policy, class It, class Map, class Stencil, class Out, class P>
__host__ __device__ void scatter_if(const execution_policy_base<Policy> &, It, It, Map, Stencil, Out,
    P) PORTER_STUB_BODY
template <class It, class G> __host__ __device__ void shuffle(It, It, G &&) PORTER_STUB_BODY
template <class Policy, class It, class G>
__host__ __device__ void shuffle(const execution_policy_base<Policy> &, It, It, G &&) PORTER_STUB_BODY
template <class It, class Out, class G> __host__ __device__ void shuffle_copy(It, It, Out, G &&) PORTER_STUB_BODY
template <class Policy, class It, class Out, class G>
__host__ __device__ void shuffle_copy(const execution_policy_base<Policy> &, It, It, Out, G &&) PORTER_STUB_BODY
}  // namespace thrust
