/******************************************************************************
 *  histogram.cu -- atomics of every kind: privatised shared histograms, CAS
 *  loops for float min/max, a ticket lock, block-wide votes, bit tricks.
 ******************************************************************************/
#include <hip/hip_runtime.h>
#include "porter/atomic.h"
#include "porter/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <float.h>
#include <string.h>
#include <hip/hip_runtime_api.h>

#define NBINS   256
#define THREADS 256

#define CUDA_CALL(x) do { if((x)!=hipSuccess) { \
    printf("Error %d at %s:%d\n",(int)hipGetLastError(),__FILE__,__LINE__);\
    exit(EXIT_FAILURE);}} while(0)

typedef unsigned int  uint32;
typedef unsigned char byte;

__device__ float atomicMinFloat(float* addr, float value)
{
  int* as_int = (int*)addr;
  int  old = *as_int, assumed;
  while (value < __int_as_float(old)) {
    assumed = old;
    old = atomicCAS(as_int, assumed, __float_as_int(value));
    if (old == assumed) break;
  }
  return __int_as_float(old);
}

__device__ __forceinline__ float atomicMaxFloat(float* addr, float value)
{
  return value >= 0 ? __int_as_float(atomicMax((int*)addr, __float_as_int(value)))
                    : __uint_as_float(atomicMin((unsigned int*)addr, __float_as_uint(value)));
}

__global__ void histogram_kernel(const uchar4* __restrict__ pixels, uint32* bins, int n4)
{
  __shared__ uint32 local[NBINS];
  for (int b = threadIdx.x; b < NBINS; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += gridDim.x * blockDim.x) {
    uchar4 p = porter::load_streaming(pixels + i);
    atomicAdd(local + p.x, 1u);
    atomicAdd(local + p.y, 1u);
    atomicAdd(local + p.z, 1u);
    porter::atomicAdd_block(&local[p.w], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < NBINS; b += blockDim.x)
    if (local[b]) atomicAdd(&bins[b], local[b]);
}

struct Stats {
  float lo, hi;
  uint32 odd, bits;
  unsigned long long sum;
  int lock, locked_count, blocks_with_zero;
};

__global__ void stats_kernel(const uint32* words, Stats* st, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32 w = i < n ? words[i] : 1u;
  if (i < n) {
    float f = (float)(int)w / 1024.0f;
    atomicMinFloat(&st->lo, f);
    atomicMaxFloat(&st->hi, f);
    atomicAdd(&st->sum, (unsigned long long)w);
    atomicOr(&st->bits, 1u << (31 - __clz(w | 1)));
    atomicXor(&st->bits, 0u);
    if (__popc(__brev(w)) & 1) atomicInc(&st->odd, 0xffffffffu);
  }
  int zeros = __syncthreads_count(w == 0);
  int any   = __syncthreads_or(w == 0);
  int none  = __syncthreads_and(w != 0);
  if (threadIdx.x == 0) {
    if (any != !none || (zeros > 0) != (any != 0)) abort();
    if (any) atomicAdd_system(&st->blocks_with_zero, 1);
    /* a spin lock, one thread of a block only */
    while (atomicCAS(&st->lock, 0, 1) != 0) porter::nanosleep(64);
    __threadfence();
    volatile int* count = &st->locked_count;
    *count = *count + 1;
    __threadfence();
    atomicExch(&st->lock, 0);
  }
}

static int parity(uint32 w) { int p = 0; for (; w; w >>= 1) p ^= w & 1; return p; }

int main(int argc, char* argv[])
{
  const int n = (argc > 1 ? atoi(argv[1]) : 1 << 18) & ~3, blocks = (n / 4 + THREADS - 1) / THREADS;
  byte* h = (byte*)malloc(n);
  uint32 seed = 42;
  for (int i = 0; i < n; ++i) h[i] = (byte)((seed = seed * 1664525u + 1013904223u) >> 24);
  memset(h + n / 2 / 4 * 4, 0, 4);

  byte* d; uint32* bins; Stats* st;
  Stats init = {FLT_MAX, -FLT_MAX, 0, 0, 0, 0, 0, 0}, out;
  uint32 got[NBINS], expected[NBINS] = {0};
  CUDA_CALL(hipMalloc((void**)&d, n));
  CUDA_CALL(hipMalloc((void**)&bins, sizeof(got)));
  CUDA_CALL(hipMalloc((void**)&st, sizeof(Stats)));
  CUDA_CALL(hipMemcpy(d, h, n, hipMemcpyHostToDevice));
  CUDA_CALL(hipMemset(bins, 0, sizeof(got)));
  CUDA_CALL(hipMemcpy(st, &init, sizeof(init), hipMemcpyHostToDevice));

  histogram_kernel<<<blocks < 64 ? blocks : 64, THREADS>>>((const uchar4*)d, bins, n / 4);
  stats_kernel<<<blocks, THREADS>>>((const uint32*)d, st, n / 4);
  CUDA_CALL(hipGetLastError());
  CUDA_CALL(hipMemcpy(got, bins, sizeof(got), hipMemcpyDeviceToHost));
  CUDA_CALL(hipMemcpy(&out, st, sizeof(out), hipMemcpyDeviceToHost));

  Stats ref = init;
  for (int i = 0; i < n; ++i) expected[h[i]]++;
  for (int i = 0; i < n / 4; ++i) {
    uint32 w; memcpy(&w, h + 4 * i, 4);
    float f = (float)(int)w / 1024.0f;
    if (f < ref.lo) ref.lo = f;
    if (f > ref.hi) ref.hi = f;
    ref.sum += w; ref.odd += parity(w);
    int top = 31; while (top && !((w | 1) >> top)) --top;
    ref.bits |= 1u << top;
  }
  int ok = !memcmp(got, expected, sizeof(got)) && out.lo == ref.lo && out.hi == ref.hi && out.sum == ref.sum
        && out.odd == ref.odd && out.bits == ref.bits && out.locked_count == blocks && out.blocks_with_zero >= 1;
  CUDA_CALL(hipFree(d)); CUDA_CALL(hipFree(bins)); CUDA_CALL(hipFree(st));
  printf("%s\n", ok ? "PASS" : "FAIL");
  return !ok;
}
