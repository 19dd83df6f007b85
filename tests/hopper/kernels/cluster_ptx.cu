// A hand-over between blocks by cuda::ptx; prints "right" or what was wrong.
#include <cooperative_groups.h>
#include <cuda/ptx>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

// Each thread of rank 0 sends a word to the same thread of rank 1 and gets one back.
__global__ void __cluster_dims__(2, 1, 1) ping_pong(uint32_t* out) {
  __shared__ uint64_t arrived;
  __shared__ uint64_t ready;
  __shared__ uint32_t box[64];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), other = rank ^ 1;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&arrived, 1);
    ptx::mbarrier_init(&ready, 64);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &arrived, sizeof box);
  }
  cluster.sync();
  uint32_t* const there = cluster.map_shared_rank(box, other);
  uint64_t* const barrier = cluster.map_shared_rank(&arrived, other);
  uint64_t* const others_ready = cluster.map_shared_rank(&ready, other);
  if (rank == 1) {
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &arrived, 0)) {
    }
  }
  const uint32_t value = rank == 0 ? 100 + threadIdx.x : box[threadIdx.x] * 2;
  ptx::st_async(there + threadIdx.x, value, barrier);
  ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, others_ready);
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &arrived, 0)) {
  }
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &ready, 0)) {
  }
  out[blockIdx.x * 64 + threadIdx.x] = box[threadIdx.x];
  cluster.sync();
}

int main() {
  constexpr int kBlocks = 6;
  uint32_t* out;
  cudaMalloc(&out, kBlocks * 64 * 4);
  ping_pong<<<kBlocks, 64>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  uint32_t host[kBlocks * 64];
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < kBlocks * 64; ++i) wrong += host[i] != (100 + i % 64) * (i / 64 % 2 == 0 ? 2 : 1);
  if (error == cudaSuccess && wrong == 0) std::printf("right\n");
  else std::printf("%s, %d wrong\n", cudaGetErrorString(error), wrong);
  return error != cudaSuccess || wrong != 0;
}
