// porter stub headers: scans over a group.
#pragma once
#include "../cooperative_groups.h"
#ifdef __CUDACC__
#include "../porter_stubs/cooperative_groups/operators.h"

namespace cooperative_groups {
template <class Group, class T> __device__ T inclusive_scan(const Group &, T) PORTER_STUB_BODY
template <class Group, class T, class Op> __device__ T inclusive_scan(const Group &, T, Op &&) PORTER_STUB_BODY
template <class Group, class T> __device__ T exclusive_scan(const Group &, T) PORTER_STUB_BODY
template <class Group, class T, class Op> __device__ T exclusive_scan(const Group &, T, Op &&) PORTER_STUB_BODY
template <class Group, class Atomic, class T, class Op>
__device__ T inclusive_scan_update(const Group &, Atomic &, T &&, Op &&) PORTER_STUB_BODY
template <class Group, class Atomic, class T, class Op>
__device__ T exclusive_scan_update(const Group &, Atomic &, T &&, Op &&) PORTER_STUB_BODY
}  // namespace cooperative_groups
#endif
