// Clusters by the compiler's own functions: where a block is, barriers in two halves, neighbours' shared memory.
// Prints "right" or what was wrong.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kThreads = 64, kBlocks = 12;

struct Seen {
  unsigned rank, blocks, x, dims, index, grid, specified, owner;
};

__device__ void meet() {
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
}

// Each block adds up what the others of its cluster have, then leaves a mark in its neighbour.
__global__ void __cluster_dims__(4, 1, 1) around(const int* in, int* sums, int* marks, Seen* seen) {
  __shared__ int mine[kThreads];
  __shared__ int mark;
  const unsigned rank = __clusterRelativeBlockRank(), blocks = __clusterSizeInBlocks();
  mine[threadIdx.x] = in[blockIdx.x * kThreads + threadIdx.x];
  if (threadIdx.x == 0) mark = -1;
  meet();
  int sum = 0;
  for (unsigned i = 0; i < blocks; ++i) sum += static_cast<const int*>(__cluster_map_shared_rank(mine, i))[threadIdx.x];
  sums[blockIdx.x * kThreads + threadIdx.x] = sum;
  int* const theirs = static_cast<int*>(__cluster_map_shared_rank(&mark, (rank + 1) % blocks));
  if (threadIdx.x == 0) {
    *theirs = 100 * blockIdx.x;
    seen[blockIdx.x] = {rank, blocks, __clusterRelativeBlockIdx().x, __clusterDim().x, __clusterIdx().x,
                        __clusterGridDimInClusters().x, __clusterDimIsSpecified(), __cluster_query_shared_rank(theirs)};
  }
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  if (threadIdx.x == 0) marks[blockIdx.x] = mark;
  __cluster_barrier_arrive_relaxed();
  __cluster_barrier_wait();
}

int main() {
  std::vector<int> in(kBlocks * kThreads), sums(in.size()), marks(kBlocks);
  std::vector<Seen> seen(kBlocks);
  for (size_t i = 0; i < in.size(); ++i) in[i] = int(i * i % 1009);
  int *from, *to, *left;
  Seen* told;
  cudaMalloc(&from, in.size() * sizeof(int));
  cudaMalloc(&to, in.size() * sizeof(int));
  cudaMalloc(&left, kBlocks * sizeof(int));
  cudaMalloc(&told, kBlocks * sizeof(Seen));
  cudaMemcpy(from, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice);
  around<<<kBlocks, kThreads>>>(from, to, left, told);
  cudaMemcpy(sums.data(), to, in.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(marks.data(), left, kBlocks * sizeof(int), cudaMemcpyDeviceToHost);
  const cudaError_t error = cudaMemcpy(seen.data(), told, kBlocks * sizeof(Seen), cudaMemcpyDeviceToHost);
  int wrong = error != cudaSuccess;
  for (int b = 0; b < kBlocks; ++b) {
    const int first = b / 4 * 4;
    for (int t = 0; t < kThreads; ++t) {
      int sum = 0;
      for (int i = 0; i < 4; ++i) sum += in[(first + i) * kThreads + t];
      wrong += sums[b * kThreads + t] != sum;
    }
    wrong += marks[b] != 100 * (first + (b + 3) % 4);
    const Seen& s = seen[b];
    const unsigned rank = b % 4;
    wrong += s.rank != rank || s.blocks != 4 || s.x != rank || s.dims != 4 || s.index != unsigned(b / 4) || s.grid != 3;
    wrong += s.specified != 1 || s.owner != (rank + 1) % 4;
  }
  if (wrong == 0) std::printf("right\n");
  else std::printf("%s, %d wrong\n", cudaGetErrorString(error), wrong);
  return wrong != 0;
}
