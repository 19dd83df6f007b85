#include "simulation.h"
#include "nbody/check.h"
#include "../kernels/force.cu"
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
    NBODY_CHECK(cudaMemcpyToSymbol(c_eps2, &eps2, sizeof eps2));
    NBODY_CHECK(cudaMalloc(&bodies_.posm, n_ * sizeof(float4)));
    NBODY_CHECK(cudaMalloc(&bodies_.vel, n_ * sizeof(float4)));
    NBODY_CHECK(cudaMemcpy(bodies_.posm, posm.data(), n_ * sizeof(float4), cudaMemcpyHostToDevice));
    NBODY_CHECK(cudaMemset(bodies_.vel, 0, n_ * sizeof(float4)));
    NBODY_CHECK(cudaStreamCreate(&stream_));
}

Simulation::~Simulation()
{
    cudaStreamDestroy(stream_);
    cudaFree(bodies_.posm);
    cudaFree(bodies_.vel);
}

void Simulation::step(float dt)
{
    constexpr int kBlock = 128;
    const int grid = (n_ + kBlock - 1) / kBlock;
    step_velocities<kBlock><<<grid, kBlock, 0, stream_>>>(bodies_.posm, bodies_.vel, n_, dt);
    drift<<<grid, kBlock, 0, stream_>>>(bodies_.posm, bodies_.vel, n_, dt);
    NBODY_CHECK(cudaGetLastError());
}

double Simulation::kineticEnergy()
{
    double *sum, result = 0;
    NBODY_CHECK(cudaMallocAsync(&sum, sizeof(double), stream_));
    NBODY_CHECK(cudaMemsetAsync(sum, 0, sizeof(double), stream_));
    kinetic<<<32, 256, 0, stream_>>>(bodies_.posm, bodies_.vel, sum, n_);
    NBODY_CHECK(cudaMemcpyAsync(&result, sum, sizeof(double), cudaMemcpyDeviceToHost, stream_));
    NBODY_CHECK(cudaFreeAsync(sum, stream_));
    NBODY_CHECK(cudaStreamSynchronize(stream_));
    return result;
}

std::vector<float4> Simulation::velocities() const
{
    std::vector<float4> v(n_);
    NBODY_CHECK(cudaMemcpy(v.data(), bodies_.vel, n_ * sizeof(float4), cudaMemcpyDeviceToHost));
    return v;
}

}  // namespace nbody
