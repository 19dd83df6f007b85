// porter stub headers: asynchronous copies by a group.
#pragma once
#include "../cooperative_groups.h"
#ifdef __CUDACC__
#include "../cuda/barrier"

namespace cooperative_groups {
template <class Group, class T, class U, class Shape>
__device__ void memcpy_async(const Group &, T *, const U *, const Shape &) PORTER_STUB_BODY
template <class Group, class T, class DstLayout, class U, class SrcLayout>
__device__ void memcpy_async(const Group &, T *, const DstLayout &, const U *, const SrcLayout &) PORTER_STUB_BODY
template <class Group> __device__ void wait(const Group &) PORTER_STUB_BODY
template <unsigned int Stages, class Group> __device__ void wait_prior(const Group &) PORTER_STUB_BODY
}  // namespace cooperative_groups
#endif
