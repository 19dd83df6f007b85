// Races in LDS, in a program that has no signals.
#include <hip/hip_runtime.h>

#define KERNEL extern "C" __global__ void __launch_bounds__(256)

// Each wave has its own part for long, then looks at another's
KERNEL long_alone(int *x, int ordered) {
  __shared__ int words[256];
  const int t = threadIdx.x;
  words[t] = t;
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < 200; k++) {
    sum += words[(t & ~63) + (t + k) % 64];
    words[t] = sum;
  }
  if (ordered) __syncthreads();
  x[blockIdx.x * 256 + t] = words[t ^ 64];
}

// Words of the waves in turn
KERNEL in_turn(int *x, int ordered) {
  __shared__ int words[256];
  const int t = threadIdx.x, place = t % 64 * 4 + t / 64;
  words[place] = t;
  if (ordered) __syncthreads();
  x[blockIdx.x * 256 + t] = words[place ^ 1];
}

// Two words at a time; the waves' parts meet in the middle of what the checks look at together
KERNEL pairs(int *x, int ordered) {
  __shared__ long words[260];
  const int t = threadIdx.x;
  words[t + 1] = t;
  if (ordered) __syncthreads();
  const long next = words[t + 2 > 256 ? 256 : t + 2];
  x[blockIdx.x * 256 + t] = (int)next;
  if (ordered) __syncthreads();
  words[t + 2] = next;
}

// One load with another pattern each time
KERNEL growing_stride(int *x, int) {
  __shared__ int words[4096];
  for (int i = threadIdx.x; i < 4096; i += 64) words[i] = i;
  __syncthreads();
  int sum = 0;
#pragma unroll 1
  for (int stride = 1; stride <= 32; stride *= 2) sum += words[threadIdx.x * stride % 4096];
  x[threadIdx.x] = sum;
}
