// More clusters than the GPU holds at once, with blocks that are far apart in the grid; and the same out of a graph.
// Prints "right" or what was wrong.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

constexpr int kColumns = 801;
constexpr int kBlocks = 2 * kColumns;

// Blocks of 1024 threads: gfx942 holds 608 of them. Neighbours in a cluster are kColumns blocks apart.
__global__ void __cluster_dims__(1, 2, 1) swap(int* out, int round) {
  __shared__ int number;
  cg::cluster_group cluster = cg::this_cluster();
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  if (threadIdx.x == 0) number = block + round;
  cluster.sync();
  if (threadIdx.x == 0) out[block] += *cluster.map_shared_rank(&number, cluster.block_rank() ^ 1);
  cluster.sync();
}

int main() {
  int* out;
  cudaMalloc(&out, kBlocks * sizeof(int));
  cudaMemset(out, 0, kBlocks * sizeof(int));
  swap<<<dim3(kColumns, 2), 1024>>>(out, 0);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  swap<<<dim3(kColumns, 2), 64, 0, stream>>>(out, 5);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaDeviceSynchronize();
  for (int i = 0; i < 2; ++i) cudaGraphLaunch(ready, stream);
  const cudaError_t error = cudaDeviceSynchronize();
  std::vector<int> host(kBlocks);
  cudaMemcpy(host.data(), out, kBlocks * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < kBlocks; ++i) wrong += host[i] != 3 * ((i + kColumns) % kBlocks) + 10;
  if (error == cudaSuccess && wrong == 0) std::printf("right\n");
  else std::printf("%s, %d wrong\n", cudaGetErrorString(error), wrong);
  return error != cudaSuccess || wrong != 0;
}
