#pragma once
// Device helpers shared by the kernels.
#include <hip/hip_runtime.h>
#include "nbody/body.h"

namespace nbody {

constexpr int kWarp = 32;

template <typename T>
__device__ __forceinline__ T warp_sum(T v) {
#pragma unroll
    for (int d = kWarp / 2; d; d >>= 1) v += __shfl_xor(v, d, 32);
    return v;
}

__device__ __forceinline__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }

// 1 / sqrt(r^2 + eps^2), cubed
__device__ __forceinline__ float inv_cube(float r2, float eps2) {
    float inv = rsqrtf(r2 + eps2);
    return inv * inv * inv;
}

}  // namespace nbody
