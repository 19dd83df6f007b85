// What a code object of clang is read back from: constants, variables, calls, jumps, LDS, a table of functions, atomics.
#include <hip/hip_runtime.h>

__constant__ float table[4] = {1, 2, 3, 4};
__device__ int counted = 5;
__device__ float kept[64];
__device__ int *const pointed = &counted;

__device__ __noinline__ float scaled(float x, int i) { return x * table[i & 3] + i; }
__device__ __noinline__ float other(float x, int i) { return x - i; }
__device__ float (*const functions[2])(float, int) = {scaled, other};

extern "C" __global__ void sums(const float *x, float *y, int n, int which) {
  __shared__ float s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (int step = 128; step; step /= 2) {
    if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];
    __syncthreads();
  }
  if (i < n) y[i] = functions[which & 1](s[0], i) + scaled(y[i], i);
  if (i < 64) kept[i] = s[i];
  if (i < n) atomicAdd(pointed, 1);
}

extern "C" __global__ void halves(const _Float16 *a, _Float16 *b) { b[threadIdx.x] = a[threadIdx.x] * (_Float16)2; }
