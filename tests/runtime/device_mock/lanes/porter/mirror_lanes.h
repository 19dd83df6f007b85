// A mock, for tests alone: porter/mirror_lanes.h on the lanes of hip/hip_runtime.h beside it.
#pragma once

#include <hip/hip_runtime.h>

namespace porter {
inline dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
inline dim3 block_dim() { return blockDim; }
}  // namespace porter
