// porter stub headers: cooperative groups, partitions and calls by one lane.
#pragma once
#include "tiles.h"

namespace cooperative_groups {
template <unsigned int Size, class Parent>
__device__ thread_block_tile<Size, Parent> tiled_partition(const Parent &) PORTER_SAID_IF(Size > 32, "large-tile") PORTER_STUB_BODY
__device__ thread_group tiled_partition(const thread_group &, unsigned int);
__device__ thread_group tiled_partition(const thread_block &, unsigned int);
__device__ coalesced_group tiled_partition(const coalesced_group &, unsigned int);

template <class Label, class Group> __device__ coalesced_group labeled_partition(const Group &, Label) PORTER_STUB_BODY
template <class Group> __device__ coalesced_group binary_partition(const Group &, bool) PORTER_STUB_BODY

template <class Group, class F, class... A>
__device__ auto invoke_one(const Group &, F &&f, A &&...a) -> decltype(f(a...)) PORTER_STUB_BODY
template <class Group, class F, class... A>
__device__ auto invoke_one_broadcast(const Group &, F &&f, A &&...a) -> decltype(f(a...)) PORTER_STUB_BODY

namespace experimental {
template <unsigned int Size, class Parent>
__device__ thread_block_tile<Size, Parent> tiled_partition(const Parent &) PORTER_SAID_IF(Size > 32, "large-tile") PORTER_STUB_BODY
}  // namespace experimental
}  // namespace cooperative_groups
