// porter stub headers: reductions over a group.
#pragma once
#include "../cooperative_groups.h"
#ifdef __CUDACC__
#include "../porter_stubs/cooperative_groups/operators.h"

namespace cooperative_groups {
template <class Group, class T, class Op> __device__ T reduce(const Group &, T, Op &&) PORTER_STUB_BODY
template <class Group, class Atomic, class T, class Op>
__device__ void reduce_update_async(const Group &, Atomic &, T &&, Op &&) PORTER_STUB_BODY
template <class Group, class Atomic, class T, class Op>
__device__ T reduce_store_async(const Group &, Atomic &, T &&, Op &&) PORTER_STUB_BODY
}  // namespace cooperative_groups
#endif
