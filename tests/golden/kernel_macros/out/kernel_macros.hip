/* Kernels stamped out by macros, API calls in macro bodies, branches that this compiler never takes. */
#include "porter/warp.h"
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#ifdef __HIPCC__
#include <hip/hip_runtime.h>
#endif
#if defined(USE_DRIVER_API)
#include <hip/hip_runtime.h>
#endif

#ifndef BLOCK
#define BLOCK 128
#endif
#define MIN_BLOCKS 6
#define DIV_UP(a, b) (((a) + (b) - 1) / (b))

#define SAFE(call) { hipError_t e_ = call; if (e_ != hipSuccess) { \
    printf("cudaError_t %d (%s) in %s\n", (int)e_, hipGetErrorString(e_), #call); exit(1); } }

#define ALLOC_AND_COPY(type, dst, src, n) \
    type *dst = NULL; \
    SAFE(hipMalloc((void **)&dst, (n) * sizeof(type))) /* cudaMalloc, then cudaMemcpy */ \
    SAFE(hipMemcpy(dst, src, (n) * sizeof(type), hipMemcpyHostToDevice)) // the caller frees

#define DEFINE_MAP_KERNEL(NAME, EXPR)                                             \
    __global__ void __launch_bounds__(BLOCK, (BLOCK * MIN_BLOCKS + 255) / 256)                          \
    map_##NAME(const double *in, double *out, int n)                              \
    {                                                                             \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                            \
        if (i < n) { double x = in[i]; out[i] = (EXPR); }                         \
    }                                                                             \
    static void run_##NAME(const double *in, double *out, int n, hipStream_t s)  \
    {                                                                             \
        map_##NAME<<<DIV_UP(n, BLOCK), BLOCK, 0, s>>>(in, out, n);                \
        SAFE(hipGetLastError());                                                 \
    }

#define SHFL_DOWN(v, d) __shfl_down(v, d, 32)
#define WARP_REDUCE(v)                     \
    do {                                   \
        v += SHFL_DOWN(v, 16);             \
        v += SHFL_DOWN(v, 8);              \
        v += SHFL_DOWN(v, 4);              \
        v += SHFL_DOWN(v, 2);              \
        v += SHFL_DOWN(v, 1);              \
    } while (0)
#define ANY_LANE(p) porter::any_sync(porter::activemask(), (p))

DEFINE_MAP_KERNEL(square, x * x)
DEFINE_MAP_KERNEL(gauss, exp(-x * x) * 0.5)

#if 1 // CUDA: !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
/* the hardware adds doubles */
#else
__device__ double atomicAdd(double *address, double val)
{
    unsigned long long int *address_as_ull = (unsigned long long int *)address;
    unsigned long long int old = *address_as_ull, assumed;
    do {
        assumed = old;
        old = atomicCAS(address_as_ull, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
#endif

__device__ static double atomicMaxDouble(double *address, double val)
{
    unsigned long long *bits = (unsigned long long *)address, old = *bits, seen;
    do {
        seen = old;
        if (__longlong_as_double(seen) >= val) break;
        old = atomicCAS(bits, seen, (unsigned long long)__double_as_longlong(val));
    } while (seen != old);
    return __longlong_as_double(old);
}

__global__ void total(const double *in, double *sum, double *biggest, int *negative, int n)
{
    double s = 0, m = -INFINITY;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
        s += in[i];
        m = fmax(m, in[i]);
    }
    if (ANY_LANE(m < 0)) *negative = 1;
    WARP_REDUCE(s);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, s);
    atomicMaxDouble(biggest, m);
}

#ifdef LEGACY_FERMI /* kept for the old cluster: cudaThreadSynchronize and unsynchronised shuffles */
static void wait(void) { hipDeviceSynchronize(); }
__device__ int old_vote(int p) { return porter::ballot(p) != 0 && porter::any(p); }
#elif 0 // CUDA: CUDART_VERSION < 5000
#error "cudaDeviceSynchronize needs CUDA 5"
#else
static void wait(void) { SAFE(hipDeviceSynchronize()); }
#endif

#if 0
    hipMemcpyToArray(array, 0, 0, host, bytes, hipMemcpyHostToDevice);   /* dead code */
#endif

int main(void)
{
    const int n = 10000;
    double *host = (double *)malloc(n * sizeof(double)), *back = (double *)malloc(n * sizeof(double));
    double expected = 0, top = -INFINITY;
    for (int i = 0; i < n; i++) host[i] = (i - 5000) * 1e-3;

    ALLOC_AND_COPY(double, in, host, n)
    double *out, *results; int *negative;
    SAFE(hipMalloc(&out, n * sizeof(double)))
    SAFE(hipMalloc(&results, 2 * sizeof(double)))
    SAFE(hipMalloc(&negative, sizeof(int)))
    hipStream_t stream;
    SAFE(hipStreamCreate(&stream))

    int failures = 0;
    for (int pass = 0; pass < 2; pass++) {
        double start[2] = {0, -1e300}, end[2];
        int flag = 0;
        SAFE(hipMemcpyAsync(results, start, sizeof start, hipMemcpyHostToDevice, stream))
        SAFE(hipMemsetAsync(negative, 0, sizeof(int), stream))
        (pass ? run_gauss : run_square)(in, out, n, stream);
        total<<<16, BLOCK, 0, stream>>>(out, results, results + 1, negative, n);
        SAFE(hipMemcpyAsync(end, results, sizeof end, hipMemcpyDeviceToHost, stream))
        SAFE(hipMemcpyAsync(&flag, negative, sizeof flag, hipMemcpyDeviceToHost, stream))
        wait();
        SAFE(hipMemcpy(back, out, n * sizeof(double), hipMemcpyDeviceToHost))
        expected = 0; top = -INFINITY;
        for (int i = 0; i < n; i++) {
            double v = pass ? exp(-host[i] * host[i]) * 0.5 : host[i] * host[i];
            expected += v;
            top = fmax(top, v);
            failures += fabs(back[i] - v) > 1e-12;
        }
        failures += fabs(end[0] - expected) > 1e-6 * expected || fabs(end[1] - top) > 1e-12 || flag != 0;
    }
    SAFE(hipStreamDestroy(stream)) SAFE(hipFree(in)) SAFE(hipFree(out)) SAFE(hipFree(results)) SAFE(hipFree(negative))
    free(host); free(back);
    printf("%s\n", failures ? "FAIL" : "PASS");
    return failures != 0;
}
