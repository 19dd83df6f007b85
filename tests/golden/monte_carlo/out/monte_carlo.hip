// Estimates pi with cuRAND's device generators and checks its host generator's mean.
#include <hip/hip_runtime.h>
#include <hiprand/hiprand.h>
#include <hiprand/hiprand_kernel.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CUDA_CALL(x) do { if ((x) != hipSuccess) { printf("Error at %s:%d\n", __FILE__, __LINE__); return EXIT_FAILURE; } } while (0)
#define CURAND_CALL(x) do { if ((x) != HIPRAND_STATUS_SUCCESS) { printf("Error at %s:%d\n", __FILE__, __LINE__); return EXIT_FAILURE; } } while (0)

__global__ void setup_kernel(hiprandState *state, unsigned long long seed)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    // porter[name-curand]: curand_init becomes hiprand_init: the sequences of hipRAND are not those of cuRAND for the same seed (and 1 more below)
    hiprand_init(seed, id, 0, &state[id]);
}

__global__ void setup_philox(hiprandStatePhilox4_32_10_t *state)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    hiprand_init(1234ULL, id, 0, &state[id]);
}

__global__ void count_inside(hiprandState *states, unsigned long long *inside, int samples)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    hiprandState local = states[id];
    unsigned int hits = 0;
    for (int i = 0; i < samples; i++) {
        float x = hiprand_uniform(&local);
        float y = hiprand_uniform(&local);
        hits += x * x + y * y <= 1.0f;
    }
    states[id] = local;
    for (int offset = 32 / 2; offset > 0; offset >>= 1)
        hits += __shfl_down(hits, offset, 32);
    if ((threadIdx.x & (32 - 1)) == 0)
        atomicAdd(inside, (unsigned long long)hits);
}

__global__ void moments(hiprandStatePhilox4_32_10_t *states, double *sum, double *squares, int samples)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    hiprandStatePhilox4_32_10_t *local = &states[id];
    for (int i = 0; i < samples; i += 4) {
        float4 v = hiprand_normal4(local);
        double2 d = hiprand_normal2_double(local);
        atomicAdd(sum, (double)v.x + v.y + v.z + v.w);
        atomicAdd(squares, (double)v.x * v.x + (double)v.y * v.y + (double)v.z * v.z + (double)v.w * v.w);
        (void)d;
    }
}

int main()
{
    const int blocks = 64, threads = 128, samples = 1000, n = 100000;
    hiprandState *states;
    hiprandStatePhilox4_32_10_t *philox;
    unsigned long long *inside, hits = 0;
    double *sums, totals[2];
    float *numbers, *host = (float *)calloc(n, sizeof(float));
    CUDA_CALL(hipMalloc((void **)&states, blocks * threads * sizeof(hiprandState)));
    CUDA_CALL(hipMalloc((void **)&philox, blocks * threads * sizeof(hiprandStatePhilox4_32_10_t)));
    CUDA_CALL(hipMalloc((void **)&inside, sizeof(*inside)));
    CUDA_CALL(hipMalloc((void **)&sums, sizeof(totals)));
    CUDA_CALL(hipMalloc((void **)&numbers, n * sizeof(float)));
    CUDA_CALL(hipMemset(inside, 0, sizeof(*inside)));
    CUDA_CALL(hipMemset(sums, 0, sizeof(totals)));

    setup_kernel<<<blocks, threads>>>(states, 20260101ULL);
    setup_philox<<<blocks, threads>>>(philox);
    count_inside<<<blocks, threads>>>(states, inside, samples);
    moments<<<blocks, threads>>>(philox, &sums[0], &sums[1], 100);
    CUDA_CALL(hipMemcpy(&hits, inside, sizeof(hits), hipMemcpyDeviceToHost));
    CUDA_CALL(hipMemcpy(totals, sums, sizeof(totals), hipMemcpyDeviceToHost));
    double pi = 4.0 * (double)hits / ((double)blocks * threads * samples);
    double mean = totals[0] / (blocks * threads * 100.0), variance = totals[1] / (blocks * threads * 100.0);

    hiprandGenerator_t gen;
    CURAND_CALL(hiprandCreateGenerator(&gen, HIPRAND_RNG_PSEUDO_XORWOW));
    // porter[name-curand]: curandSetPseudoRandomGeneratorSeed becomes hiprandSetPseudoRandomGeneratorSeed: the sequences of hipRAND are not those of cuRAND for the same seed
    CURAND_CALL(hiprandSetPseudoRandomGeneratorSeed(gen, 99ULL));
    CURAND_CALL(hiprandGenerateUniform(gen, numbers, n));
    CUDA_CALL(hipMemcpy(host, numbers, n * sizeof(float), hipMemcpyDeviceToHost));
    CURAND_CALL(hiprandGenerateNormal(gen, numbers, n, 0.0f, 1.0f));
    CURAND_CALL(hiprandDestroyGenerator(gen));
    double average = 0;
    for (int i = 0; i < n; i++) average += host[i] / n;

    CUDA_CALL(hipFree(states)); CUDA_CALL(hipFree(philox)); CUDA_CALL(hipFree(inside));
    CUDA_CALL(hipFree(sums)); CUDA_CALL(hipFree(numbers));
    free(host);
    int good = fabs(pi - 3.14159265) < 0.01 && fabs(mean) < 0.02 && fabs(variance - 1) < 0.02 && fabs(average - 0.5) < 0.01;
    printf("pi = %f, mean = %f, variance = %f, average = %f: %s\n", pi, mean, variance, average, good ? "PASS" : "FAIL");
    return !good;
}
