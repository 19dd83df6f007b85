// Kernels beside one whose warps have roles: blocks of 1024 threads, and blocks that end within a warp.
#include <cuda_runtime.h>
#include <cstdio>

constexpr int kSide = 64;

__device__ int place(int row, int column) { return row * kSide + column; }

// Two warps that hand a value over by a numbered barrier.
__global__ void roles(int *out) {
  __shared__ int value;
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) value = 7;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x - 32] = value;
  }
}

template <typename T>
__global__ void __launch_bounds__(1024) transpose(const T *in, T *out, int *tiles) {
  __shared__ T tile[32][33];
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = in[place(row, column)];
  __syncthreads();
  out[place(blockIdx.x * 32 + threadIdx.y, blockIdx.y * 32 + threadIdx.x)] = tile[threadIdx.x][threadIdx.y];
  atomicAdd(tiles, 1);
}

__global__ void parts(int *out) {
  __shared__ int turned[48];
  turned[threadIdx.x] = threadIdx.x * blockDim.x;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = turned[blockDim.x - 1 - threadIdx.x];
  if (threadIdx.x == 47) printf("the last of %d\n", int(blockDim.x));
}

int main() {
  int *in, *out, *tiles, wrong = 0;
  cudaMallocManaged(&in, kSide * kSide * sizeof(int));
  cudaMallocManaged(&out, kSide * kSide * sizeof(int));
  cudaMallocManaged(&tiles, sizeof(int));
  for (int i = 0; i < kSide * kSide; ++i) in[i] = i * 31;
  *tiles = 0;

  roles<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i) wrong += out[i] != 7;
  printf("roles: %d wrong\n", wrong);

  const dim3 block(32, 32);
  transpose<int><<<dim3(2, 2), block>>>(in, out, tiles);
  cudaDeviceSynchronize();
  wrong = *tiles != kSide * kSide;
  for (int i = 0; i < kSide * kSide; ++i) wrong += out[i] != in[i % kSide * kSide + i / kSide];
  printf("transpose: %d wrong\n", wrong);

  parts<<<1, 48>>>(out);
  cudaDeviceSynchronize();
  wrong = 0;
  for (int i = 0; i < 48; ++i) wrong += out[i] != (47 - i) * 48;
  printf("parts: %d wrong\n", wrong);
}
