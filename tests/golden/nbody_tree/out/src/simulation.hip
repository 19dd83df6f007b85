#include <hip/hip_runtime.h>
#include "simulation.h"
#include "nbody/check.h"
#include "../kernels/force.hip"
#include "../kernels/energy.cuh"

namespace nbody {

__global__ static void drift(float4 *posm, const float4 *vel, int n, float dt)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    posm[i].x += vel[i].x * dt;
    posm[i].y += vel[i].y * dt;
    posm[i].z += vel[i].z * dt;
}

Simulation::Simulation(const std::vector<float4> &posm, float eps) : n_(static_cast<int>(posm.size()))
{
    const float eps2 = eps * eps;
    NBODY_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(c_eps2), &eps2, sizeof eps2));
    NBODY_CHECK(hipMalloc(&bodies_.posm, n_ * sizeof(float4)));
    NBODY_CHECK(hipMalloc(&bodies_.vel, n_ * sizeof(float4)));
    NBODY_CHECK(hipMemcpy(bodies_.posm, posm.data(), n_ * sizeof(float4), hipMemcpyHostToDevice));
    NBODY_CHECK(hipMemset(bodies_.vel, 0, n_ * sizeof(float4)));
    NBODY_CHECK(hipStreamCreate(&stream_));
}

Simulation::~Simulation()
{
    hipStreamDestroy(stream_);
    hipFree(bodies_.posm);
    hipFree(bodies_.vel);
}

void Simulation::step(float dt)
{
    constexpr int kBlock = 128;
    const int grid = (n_ + kBlock - 1) / kBlock;
    step_velocities<kBlock><<<grid, kBlock, 0, stream_>>>(bodies_.posm, bodies_.vel, n_, dt);
    drift<<<grid, kBlock, 0, stream_>>>(bodies_.posm, bodies_.vel, n_, dt);
    NBODY_CHECK(hipGetLastError());
}

double Simulation::kineticEnergy()
{
    double *sum, result = 0;
    NBODY_CHECK(hipMallocAsync(&sum, sizeof(double), stream_));
    NBODY_CHECK(hipMemsetAsync(sum, 0, sizeof(double), stream_));
    kinetic<<<32, 256, 0, stream_>>>(bodies_.posm, bodies_.vel, sum, n_);
    NBODY_CHECK(hipMemcpyAsync(&result, sum, sizeof(double), hipMemcpyDeviceToHost, stream_));
    NBODY_CHECK(hipFreeAsync(sum, stream_));
    NBODY_CHECK(hipStreamSynchronize(stream_));
    return result;
}

std::vector<float4> Simulation::velocities() const
{
    std::vector<float4> v(n_);
    NBODY_CHECK(hipMemcpy(v.data(), bodies_.vel, n_ * sizeof(float4), hipMemcpyDeviceToHost));
    return v;
}

}  // namespace nbody
