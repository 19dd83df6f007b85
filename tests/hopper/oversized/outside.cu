#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

// The array is declared outside of functions: a kernel of 120 KB has it, a function that the kernel calls, and a kernel
// that fits.
extern __shared__ __align__(16) float memory[];

__device__ float backwards(int count) { return memory[(count - 1 - threadIdx.x) * 200]; }

__device__ float own(const float *memory) { return memory[threadIdx.x]; }

template <class T>
__global__ void large(T *x) {
  __shared__ float scale;
  if (threadIdx.x == 0) scale = 2;
  memory[threadIdx.x * 200] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  x[blockIdx.x * blockDim.x + threadIdx.x] = backwards(blockDim.x) * scale;
}

__global__ void small(float *x) {
  memory[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  x[blockIdx.x * blockDim.x + threadIdx.x] = memory[threadIdx.x ^ 1] + own(x + blockIdx.x * blockDim.x) * 0;
}

int main() {
  constexpr int blocks = 5, threads = 128;
  float x[blocks * threads], *dx;
  for (int i = 0; i < blocks * threads; ++i) x[i] = float(i);
  cudaMalloc(&dx, sizeof x);
  cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
  const int bytes = threads * 200 * sizeof(float) + 18400;
  cudaFuncSetAttribute(large<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  large<<<blocks, threads, bytes>>>(dx);
  small<<<blocks, threads, threads * sizeof(float)>>>(dx);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return printf("FAILED\n"), 1;
  float y[blocks * threads];
  cudaMemcpy(y, dx, sizeof y, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < blocks * threads; ++i) {
    const int block = i / threads, thread = (i % threads) ^ 1;
    wrong += y[i] != 2 * x[block * threads + threads - 1 - thread];
  }
  printf("%s: %d wrong\n", wrong ? "FAILED" : "PASSED", wrong);
  return wrong != 0;
}
