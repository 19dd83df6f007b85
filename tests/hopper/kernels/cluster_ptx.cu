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
  const uint32_t next = __shfl_down_sync(~0u, value, 1);
  const uint32_t values[2] = {value, next};
  if (threadIdx.x < 32) ptx::st_async(there + threadIdx.x, value, barrier);
  else if (threadIdx.x % 2 == 0) ptx::st_async(there + threadIdx.x, values, barrier);  // two words at once
  ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, others_ready);
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &arrived, 0)) {
  }
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &ready, 0)) {
  }
  out[blockIdx.x * 64 + threadIdx.x] = box[threadIdx.x];
  cluster.sync();
}

// Every thread of every block of three adds to one block's words and to its own; two mbarriers count the bytes.
__global__ void __cluster_dims__(3, 1, 1) reductions(uint32_t* out) {
  __shared__ uint64_t done[2];
  __shared__ uint32_t words[5];
  __shared__ unsigned long long wide;
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  if (threadIdx.x < 5) words[threadIdx.x] = threadIdx.x == 1 ? ~0u : 0;
  if (threadIdx.x == 0) {
    wide = 1ull << 40;
    ptx::mbarrier_init(&done[0], 1), ptx::mbarrier_init(&done[1], 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &done[0], 3 * 64 * 4);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &done[1], 3 * 64 * (8 + 3 * 4));
  }
  cluster.sync();
  const uint32_t lane = threadIdx.x + 64 * rank, all[2] = {uint32_t(__cvta_generic_to_shared(words)), uint32_t(__cvta_generic_to_shared(done))};
  for (unsigned to = 0; to < 3; ++to) {
    uint32_t there, bar;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(all[0]), "r"(to));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(bar) : "r"(all[1]), "r"(to));
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(there), "r"(lane), "r"(bar) : "memory");
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.min.u32 [%0+4], %1, [%2+8];" ::"r"(there), "r"(lane + 7), "r"(bar) : "memory");
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.xor.b32 [%0+8], %1, [%2+8];" ::"r"(there), "r"(1u << lane % 32), "r"(bar) : "memory");
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [%0+12], %1, [%2+8];" ::"r"(there), "r"(99u), "r"(bar) : "memory");
    asm volatile("{.reg .b32 a; cvt.u32.u64 a, %3; mapa.shared::cluster.u32 a, a, %2; red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [a], %0, [%1+8];}"
                 ::"l"((unsigned long long)lane), "r"(bar), "r"(to), "l"(__cvta_generic_to_shared(&wide)) : "memory");
  }
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &done[0], 0)) {
  }
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &done[1], 0)) {
  }
  if (threadIdx.x < 4) out[blockIdx.x * 6 + threadIdx.x] = words[threadIdx.x];
  if (threadIdx.x == 4) out[blockIdx.x * 6 + 4] = uint32_t(wide);
  if (threadIdx.x == 5) out[blockIdx.x * 6 + 5] = uint32_t(wide >> 32);
  cluster.sync();
}

// The same by cuda::ptx, to the next block.
__global__ void __cluster_dims__(2, 1, 1) called(uint32_t* out) {
  __shared__ uint64_t done;
  __shared__ uint32_t most;
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned other = cluster.block_rank() ^ 1;
  if (threadIdx.x == 0) {
    most = 5;
    ptx::mbarrier_init(&done, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &done, 64 * 4);
  }
  cluster.sync();
  ptx::red_async(ptx::op_max, cluster.map_shared_rank(&most, other), threadIdx.x + 10 * other, cluster.map_shared_rank(&done, other));
  while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &done, 0)) {
  }
  if (threadIdx.x == 0) out[blockIdx.x] = most;
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
  reductions<<<kBlocks, 64>>>(out);
  called<<<2, 64>>>(out + kBlocks * 6);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < kBlocks; ++i) {
    const uint32_t expected[6] = {192 * 191 / 2, 7, 0, 192 % 100, 192 * 191 / 2, 1 << 8};
    for (int w = 0; w < 6; ++w) wrong += host[i * 6 + w] != expected[w];
  }
  wrong += host[kBlocks * 6] != 63 || host[kBlocks * 6 + 1] != 73;
  if (error == cudaSuccess && wrong == 0) std::printf("right\n");
  else std::printf("%s, %d wrong\n", cudaGetErrorString(error), wrong);
  return error != cudaSuccess || wrong != 0;
}
