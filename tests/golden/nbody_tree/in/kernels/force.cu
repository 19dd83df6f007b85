// The all-pairs force kernel, tiled through shared memory. Included by ../src/simulation.cu.
#include "nbody/device.cuh"

__constant__ float c_eps2;

namespace nbody {

template <int Block>
__global__ void __launch_bounds__(Block, 2048 / Block) step_velocities(const float4 *__restrict__ posm, float4 *vel, int n, float dt)
{
    __shared__ float4 tile[Block];
    const int i = blockIdx.x * Block + threadIdx.x;
    const float4 me = i < n ? posm[i] : make_float4(0, 0, 0, 0);
    float3 a = {0.f, 0.f, 0.f};
    for (int base = 0; base < n; base += Block) {
        tile[threadIdx.x] = base + threadIdx.x < n ? __ldg(posm + base + threadIdx.x) : make_float4(0, 0, 0, 0);
        __syncthreads();
        #pragma unroll 8
        for (int j = 0; j < Block; ++j) {
            const float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            const float s = tile[j].w * inv_cube(norm2(dx, dy, dz), c_eps2);
            a = a + make_float3(dx * s, dy * s, dz * s);
        }
        __syncthreads();
    }
    if (i < n) {
        vel[i].x += a.x * dt;
        vel[i].y += a.y * dt;
        vel[i].z += a.z * dt;
    }
}

}  // namespace nbody
