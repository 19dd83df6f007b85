// A toolbox of warp-level primitives, each with a test: reductions, ballots, aggregated atomics, matches,
// elections, broadcasts of structs, partial masks.
#include <hip/hip_runtime.h>
#include "porter/warp.h"
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cstdlib>

#define FULL_MASK 0xffffffffu
#define WARP_SIZE 32
#define LANE (threadIdx.x & (WARP_SIZE - 1))

static_assert(WARP_SIZE == 32, "masks are 32 bits wide");

struct Best { float value; int index; };

template <typename T>
__device__ __forceinline__ T warpSum(T v)
{
    for (int offset = 32 / 2; offset > 0; offset /= 2)
        v += __shfl_down(v, offset, 32);
    return v;
}

template <typename T, int Width = 32>
__device__ __forceinline__ T subWarpMax(T v)
{
    #pragma unroll
    for (int m = Width / 2; m; m >>= 1) {
        T other = __shfl_xor(v, m, Width);
        v = other > v ? other : v;
    }
    return v;
}

__device__ Best warpArgMax(Best b)
{
    for (int delta = 16; delta; delta >>= 1) {
        float v = __shfl_xor(b.value, delta, 32);
        int   i = __shfl_xor(b.index, delta, 32);
        if (v > b.value || (v == b.value && i < b.index)) { b.value = v; b.index = i; }
    }
    return b;
}

// One atomic for all lanes that arrive together.
__device__ int aggregatedInc(int *counter)
{
    unsigned active = porter::activemask();
    int lane = threadIdx.x % 32;
    int leader = __ffs(active) - 1;
    int base = 0;
    if (lane == leader)
        base = atomicAdd(counter, __popc(active));
    base = __shfl(base, leader, 32);
    return base + __popc(active & ((1u << lane) - 1));
}

__device__ void histogramAdd(unsigned *bins, int key)
{
    unsigned peers = porter::match_any_sync(porter::activemask(), key);
    if (LANE == (unsigned)__ffs(peers) - 1)
        atomicAdd(&bins[key], (unsigned)__popc(peers));
}

__global__ void reduceKernel(const float *in, float *sums, float *maxima, Best *best, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int warp = i / 32;
    float v = i < n ? in[i] : 0.0f;
    float s = warpSum(v);
    float m = subWarpMax<float, 8>(v);
    Best b = warpArgMax({v, i});
    if (LANE == 0) { sums[warp] = s; best[warp] = b; }
    if (threadIdx.x % 8 == 0) maxima[i / 8] = m;
}

__global__ void compactKernel(const int *in, int *out, int *count, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (in[i] % 3 == 0)
        out[aggregatedInc(count)] = in[i];
    histogramAdd(bins, in[i] & 7);
}

__global__ void voteKernel(const int *in, unsigned *ballots, int *flags, double *totals)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, warp = i >> 5, lane = i & 31;
    const unsigned evens = porter::ballot_sync(FULL_MASK, in[i] % 2 == 0);
    const int any = porter::any_sync(FULL_MASK, in[i] == 77), all = porter::all_sync(FULL_MASK, in[i] >= 0);
    int same;
    const unsigned all_equal = porter::match_all_sync(FULL_MASK, in[i] >> 10, &same);
    const long long rotated = __shfl((long long)in[i] << 32, lane + 1, 32);
    const double up = __shfl_up((double)in[i], 1, 32);
    double total = (double)(rotated >> 32) + (lane ? up : 0.0);
#if __HIP_DEVICE_COMPILE__ // CUDA: __CUDA_ARCH__ >= 800
    const int sum = porter::reduce_add_sync(FULL_MASK, in[i]);
#else
    const int sum = __shfl(warpSum(in[i]), 0, 32);
#endif
    if (lane < 16) {                       // half of the warp only
        unsigned low = porter::ballot_sync(0x0000ffffu, in[i] & 1);
        total += __popc(low) - __popc(~evens & 0xffff);
        porter::syncwarp(0xffff);
    }
    porter::syncwarp();
    totals[i] = total;
    if (lane == 0) {
        ballots[warp] = evens;
        flags[warp] = any | all << 1 | same << 2 | (all_equal == FULL_MASK) << 3 | (sum < 0) << 4;
    }
}

static void die(hipError_t err, int line)
{
    fprintf(stderr, "line %d: %s\n", line, hipGetErrorString(err));
    exit(2);
}
#define OK(e) do { hipError_t err = (e); if (err) die(err, __LINE__); } while (0)

template <typename T> static T *managed(size_t n)
{
    T *p;
    OK(hipMallocManaged(&p, n * sizeof(T)));
    memset(p, 0, n * sizeof(T));
    return p;
}

int main()
{
    const int n = 1024, warps = n / 32;
    hipDeviceProp_t props;
    OK(hipGetDeviceProperties(&props, 0));
    printf("warp size of %s: %d\n", props.name, 32);
    if (n % 32) return 3;

    float *x = managed<float>(n), *sums = managed<float>(warps), *maxima = managed<float>(n / 8);
    Best *best = managed<Best>(warps);
    int *ints = managed<int>(n), *packed = managed<int>(n), *count = managed<int>(1), *flags = managed<int>(warps);
    unsigned *bins = managed<unsigned>(8), *ballots = managed<unsigned>(warps);
    double *totals = managed<double>(n);
    for (int i = 0; i < n; i++) { x[i] = (float)((i * 37) % 101); ints[i] = (i * 29) % 97; }

    reduceKernel<<<n / 128, 128>>>(x, sums, maxima, best, n);
    compactKernel<<<(n + 95) / 96, 96>>>(ints, packed, count, bins, n);
    voteKernel<<<n / 256, 256>>>(ints, ballots, flags, totals);
    OK(hipDeviceSynchronize());

    int bad = 0, multiples = 0;
    unsigned expected_bins[8] = {};
    for (int w = 0; w < warps; w++) {
        float sum = 0;
        Best b = {-1, 0};
        unsigned evens = 0;
        bool any = false;
        for (int l = 0; l < 32; l++) {
            int i = w * 32 + l;
            sum += x[i];
            if (x[i] > b.value) b = {x[i], i};
            evens |= (unsigned)(ints[i] % 2 == 0) << l;
            any |= ints[i] == 77;
            multiples += ints[i] % 3 == 0;
            expected_bins[ints[i] & 7]++;
            int odd_low = 0, not_even_low = 0;
            for (int k = 0; k < 16; k++) {
                odd_low += ints[w * 32 + k] & 1;
                not_even_low += ints[w * 32 + k] % 2 != 0;
            }
            double t = ints[w * 32 + (l + 1) % 32] + (l ? ints[i - 1] : 0) + (l < 16 ? odd_low - not_even_low : 0);
            bad += totals[i] != t;
        }
        bad += sums[w] != sum || best[w].index != b.index || ballots[w] != evens;
        bad += flags[w] != ((int)any | 2 | 4 | 8);
    }
    for (int g = 0; g < n / 8; g++) {
        float m = 0;
        for (int l = 0; l < 8; l++) m = x[g * 8 + l] > m ? x[g * 8 + l] : m;
        bad += maxima[g] != m;
    }
    bad += *count != multiples || memcmp(bins, expected_bins, sizeof expected_bins) != 0;
    printf("%s: %d differences, __ballot_sync and friends\n", bad ? "FAIL" : "PASS", bad);
    return bad != 0;
}
