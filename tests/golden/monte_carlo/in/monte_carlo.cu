// Estimates pi with cuRAND's device generators and checks its host generator's mean.
#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CUDA_CALL(x) do { if ((x) != cudaSuccess) { printf("Error at %s:%d\n", __FILE__, __LINE__); return EXIT_FAILURE; } } while (0)
#define CURAND_CALL(x) do { if ((x) != CURAND_STATUS_SUCCESS) { printf("Error at %s:%d\n", __FILE__, __LINE__); return EXIT_FAILURE; } } while (0)

__global__ void setup_kernel(curandState *state, unsigned long long seed)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    curand_init(seed, id, 0, &state[id]);
}

__global__ void setup_philox(curandStatePhilox4_32_10_t *state)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    curand_init(1234ULL, id, 0, &state[id]);
}

__global__ void count_inside(curandState *states, unsigned long long *inside, int samples)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    curandState local = states[id];
    unsigned int hits = 0;
    for (int i = 0; i < samples; i++) {
        float x = curand_uniform(&local);
        float y = curand_uniform(&local);
        hits += x * x + y * y <= 1.0f;
    }
    states[id] = local;
    for (int offset = warpSize / 2; offset > 0; offset >>= 1)
        hits += __shfl_down_sync(0xffffffff, hits, offset);
    if ((threadIdx.x & (warpSize - 1)) == 0)
        atomicAdd(inside, (unsigned long long)hits);
}

__global__ void moments(curandStatePhilox4_32_10_t *states, double *sum, double *squares, int samples)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    curandStatePhilox4_32_10_t *local = &states[id];
    for (int i = 0; i < samples; i += 4) {
        float4 v = curand_normal4(local);
        double2 d = curand_normal2_double(local);
        atomicAdd(sum, (double)v.x + v.y + v.z + v.w);
        atomicAdd(squares, (double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z + (double)v.w * v.w);
        (void)d;
    }
}

int main()
{
    const int blocks = 64, threads = 128, samples = 1000, n = 100000;
    curandState *states;
    curandStatePhilox4_32_10_t *philox;
    unsigned long long *inside, hits = 0;
    double *sums, totals[2];
    float *numbers, *host = (float *)calloc(n, sizeof(float));
    CUDA_CALL(cudaMalloc((void **)&states, blocks * threads * sizeof(curandState)));
    CUDA_CALL(cudaMalloc((void **)&philox, blocks * threads * sizeof(curandStatePhilox4_32_10_t)));
    CUDA_CALL(cudaMalloc((void **)&inside, sizeof(*inside)));
    CUDA_CALL(cudaMalloc((void **)&sums, sizeof(totals)));
    CUDA_CALL(cudaMalloc((void **)&numbers, n * sizeof(float)));
    CUDA_CALL(cudaMemset(inside, 0, sizeof(*inside)));
    CUDA_CALL(cudaMemset(sums, 0, sizeof(totals)));

    setup_kernel<<<blocks, threads>>>(states, 20260101ULL);
    setup_philox<<<blocks, threads>>>(philox);
    count_inside<<<blocks, threads>>>(states, inside, samples);
    moments<<<blocks, threads>>>(philox, &sums[0], &sums[1], 100);
    CUDA_CALL(cudaMemcpy(&hits, inside, sizeof(hits), cudaMemcpyDeviceToHost));
    CUDA_CALL(cudaMemcpy(totals, sums, sizeof(totals), cudaMemcpyDeviceToHost));
    double pi = 4.0 * (double)hits / ((double)blocks * threads * samples);
    double mean = totals[0] / (blocks * threads * 100.0), variance = totals[1] / (blocks * threads * 100.0);

    curandGenerator_t gen;
    CURAND_CALL(curandCreateGenerator(&gen, CURAND_RNG_PSEUDO_XORWOW));
    CURAND_CALL(curandSetPseudoRandomGeneratorSeed(gen, 99ULL));
    CURAND_CALL(curandGenerateUniform(gen, numbers, n));
    CUDA_CALL(cudaMemcpy(host, numbers, n * sizeof(float), cudaMemcpyDeviceToHost));
    CURAND_CALL(curandGenerateNormal(gen, numbers, n, 0.0f, 1.0f));
    CURAND_CALL(curandDestroyGenerator(gen));
    double average = 0;
    for (int i = 0; i < n; i++) average += host[i] / n;

    CUDA_CALL(cudaFree(states)); CUDA_CALL(cudaFree(philox)); CUDA_CALL(cudaFree(inside));
    CUDA_CALL(cudaFree(sums)); CUDA_CALL(cudaFree(numbers));
    free(host);
    int good = fabs(pi - 3.14159265) < 0.01 && fabs(mean) < 0.02 && fabs(variance - 1) < 0.02 && fabs(average - 0.5) < 0.01;
    printf("pi = %f, mean = %f, variance = %f, average = %f: %s\n", pi, mean, variance, average, good ? "PASS" : "FAIL");
    return !good;
}
