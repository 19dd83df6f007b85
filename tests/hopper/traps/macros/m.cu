#define place 5
#include "config.cuh"
#include <cstdio>
#include <cuda_pipeline.h>
#include "load.cuh"
__global__ void k(const int *p, int *o) {
  __shared__ int m[64];
  load(m + threadIdx.x, p + threadIdx.x);
  __pipeline_memcpy_async(m + 32 + threadIdx.x, p + threadIdx.x, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  o[threadIdx.x] = m[threadIdx.x ^ 1] + m[threadIdx.x ^ 33] + lds + at + place;
}
int main() {
  int *p, *o, host[32];
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaMalloc(&p, sizeof host), cudaMalloc(&o, sizeof host);
  cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice);
  k<<<1, 32>>>(p, o);
  cudaMemcpy(host, o, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i)
    if (host[i] != 2 * (i ^ 1) + 25) return printf("%d: %d\n", i, host[i]), 1;
  return 0;
}
