#include <cuda_runtime.h>
#include <cstdio>
template <int Rows> struct tile { static_assert(Rows % 64 == 0, "a tile has a multiple of 64 rows"); float data[Rows * 16]; };
template <int Rows> __global__ void fill(float *out) {
  __shared__ tile<Rows> t;
  for (int i = threadIdx.x; i < Rows * 16; i += blockDim.x) t.data[i] = i;
  __syncthreads();
  for (int i = threadIdx.x; i < Rows * 16; i += blockDim.x) out[i] = t.data[i];
}
int main() { float *out; cudaMalloc(&out, 1 << 20); fill<96><<<1, 128>>>(out); return cudaDeviceSynchronize(); }
