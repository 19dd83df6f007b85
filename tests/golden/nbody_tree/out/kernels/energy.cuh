#pragma once
#include <nbody/device.cuh>

namespace nbody {

// The kinetic energy, summed in double precision.
__global__ void kinetic(const float4 *posm, const float4 *vel, double *sum, int n)
{
    double e = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        e += 0.5 * posm[i].w * norm2(vel[i].x, vel[i].y, vel[i].z);
    e = warp_sum(e);
    if (threadIdx.x % kWarp == 0) atomicAdd(sum, e);
}

}  // namespace nbody
