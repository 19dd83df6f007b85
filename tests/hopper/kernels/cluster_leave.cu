// Threads and blocks of a cluster that end early are not waited for; prints "right" or what was wrong.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr int kStay = 64;  // threads

__global__ void __cluster_dims__(4, 1, 1) leave(int* out) {
  __shared__ int value;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) value = blockIdx.x;
  cluster.sync();
  const unsigned rank = cluster.block_rank();
  if (rank == 3) return;  // a whole block, in whose memory nobody reads
  if (threadIdx.x >= kStay) {
    cluster.barrier_arrive();  // and nobody of these waits
    return;
  }
  int sum = *cluster.map_shared_rank(&value, (rank + 1) % 3);
  cluster.sync();
  if (threadIdx.x == 0) value = -1;
  cluster.sync();
  sum += *cluster.map_shared_rank(&value, (rank + 1) % 3);
  cluster.sync();
  out[blockIdx.x * kStay + threadIdx.x] = sum;
}

int main() {
  constexpr int kBlocks = 12;
  int* out;
  cudaMalloc(&out, kBlocks * kStay * sizeof(int));
  cudaMemset(out, 0, kBlocks * kStay * sizeof(int));
  leave<<<kBlocks, kStay + 96>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  int host[kBlocks * kStay];
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  int wrong = 0, most = 0;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(kBlocks), config.blockDim = dim3(kStay + 96);
  if (cudaOccupancyMaxPotentialClusterSize(&most, leave, &config) != cudaSuccess || most != 8) std::printf("%d blocks\n", most), wrong++;
  for (int b = 0; b < kBlocks; ++b)
    for (int t = 0; t < kStay; ++t) wrong += host[b * kStay + t] != (b % 4 == 3 ? 0 : b / 4 * 4 + (b % 4 + 1) % 3 - 1);
  if (error == cudaSuccess && wrong == 0) std::printf("right\n");
  else std::printf("%s, %d wrong\n", cudaGetErrorString(error), wrong);
  return error != cudaSuccess || wrong != 0;
}
