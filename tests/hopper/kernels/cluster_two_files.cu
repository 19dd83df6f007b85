// Two units with clusters in one program: each launches kernels of its own, and both must find their memory. Prints "right" or
// what was wrong.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

#ifdef SECOND
#define KERNEL second_kernel
#define LAUNCH launch_second
constexpr int kFactor = 3;
#else
#define KERNEL first_kernel
#define LAUNCH launch_first
constexpr int kFactor = 2;
#endif

// Each block adds what it has to its neighbour's sum.
__global__ void __cluster_dims__(2, 1, 1) KERNEL(int* out) {
  __shared__ int sum;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = 1000;
  cluster.sync();
  if (threadIdx.x == 0) *cluster.map_shared_rank(&sum, cluster.block_rank() ^ 1) += kFactor * int(blockIdx.x);
  cluster.sync();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

void LAUNCH(int* out) { KERNEL<<<4, 32>>>(out); }

#ifndef SECOND
void launch_second(int* out);

int main() {
  int *out, host[8];
  cudaMalloc(&out, sizeof host);
  launch_first(out);
  launch_second(out + 4);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < 8; ++i) wrong += host[i] != 1000 + (i < 4 ? 2 : 3) * (i % 4 ^ 1);
  if (error == cudaSuccess && wrong == 0) std::printf("right\n");
  else std::printf("%s, %d wrong\n", cudaGetErrorString(error), wrong);
  return error != cudaSuccess || wrong != 0;
}
#endif
