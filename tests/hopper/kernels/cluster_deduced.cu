// Launches of templates' kernels in clusters, whose arguments say which kernels they are; prints "right" or what was wrong.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

template <class T>
__global__ void __cluster_dims__(4, 1, 1) sum_of_cluster(const T* x, T* out, int scale) {
  __shared__ T mine;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) mine = x[blockIdx.x] * T(scale);
  cluster.sync();
  T sum = 0;
  for (unsigned rank = 0; rank < 4; ++rank) sum += *cluster.map_shared_rank(&mine, rank);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
  cluster.sync();
}

template <class T>
int wrong(cudaStream_t stream, int scale) {
  constexpr int blocks = 16;
  T host[blocks], *x, *out;
  for (int i = 0; i < blocks; ++i) host[i] = T(i);
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  sum_of_cluster<<<blocks, 64, 0, stream>>>(x, out, scale);
  sum_of_cluster<<<blocks, 64>>>(x, out, scale);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  int found = 0;
  for (int i = 0; i < blocks; ++i) found += host[i] != T(scale * (i / 4 * 16 + 6));
  return found;
}

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  const int found = wrong<int>(stream, 3) + wrong<float>(stream, 2);
  if (found) std::printf("%d blocks are wrong\n", found);
  else std::printf("right\n");
}
