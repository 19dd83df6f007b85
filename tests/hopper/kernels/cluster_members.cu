// Members of structures that other blocks of a cluster reach by pointers, beside tiles and mbarriers that stay where they
// are; prints "right" or what was wrong.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

namespace cg = cooperative_groups;

template <int kThreads>
struct Kernel {
  struct alignas(16) Partial {
    float sum, biggest;
  };
  struct Storage {
    alignas(16) float tile[kThreads];
    union {
      Partial partial[4];
      float sums[4][2];
    };
    struct {
      int counts[8], first;
    } stats;
    alignas(8) uint64_t full;
    int visits;
    __device__ void visit(int by) { atomicAdd(&visits, by); }
  };
};

template <class Storage>
__device__ void fetch(Storage& s, const float* from) {
  const auto to = static_cast<uint32_t>(__cvta_generic_to_shared(&s.tile[threadIdx.x]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from));
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(uint32_t(__cvta_generic_to_shared(&s.full))));
}

template <int kThreads>
__global__ void __cluster_dims__(4, 1, 1) reduce(const float* x, float* out, int* counts) {
  extern __shared__ __align__(128) uint8_t smem[];
  using Storage = typename Kernel<kThreads>::Storage;
  auto& s = *reinterpret_cast<Storage*>(smem);
  auto cluster = cg::this_cluster();
  const int t = threadIdx.x, rank = cluster.block_rank();
  const uint32_t full = uint32_t(__cvta_generic_to_shared(&s.full));
  if (t == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(full), "r"(kThreads));
    s.visits = 0;
    (&s)->stats.first = 100 + rank;
  }
  if (t < 8) s.stats.counts[t] = 0;
  __syncthreads();
  cluster.sync();
  fetch(s, x + blockIdx.x * kThreads + t);
  uint32_t done = 0;
  while (!done)
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.b32 %0, 1, 0, p;}" : "=r"(done) : "r"(full) : "memory");
  // to all: a count, by a pointer to the whole structure
  for (int r = 0; r < 4; ++r) {
    Storage* const peer = cluster.map_shared_rank(&s, r);
    atomicAdd(&peer->stats.counts[int(s.tile[t]) & 7], 1);
    if (t == 0) peer->visit(rank + 1);
  }
  float sum = s.tile[t], biggest = sum;
  for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o), biggest = fmaxf(biggest, __shfl_xor_sync(~0u, biggest, o));
  auto send = [&](int to, int warp) { *cluster.map_shared_rank(&s.partial[warp], to) = {sum, biggest}; };
  if (t % 32 == 0 && rank == 0) send(3, t / 32);
  cluster.sync();
  if (rank == 3 && t == 0) {
    const auto at = blockIdx.x / 4 * 4;
    out[at] = s.partial[0].sum + s.partial[1].sum, out[at + 1] = fmaxf(s.partial[0].biggest, s.partial[1].biggest);
    out[at + 2] = float(s.visits), out[at + 3] = float(*cluster.map_shared_rank(&s.stats.first, 1));
  }
  if (t < 8) counts[blockIdx.x * 8 + t] = s.stats.counts[t];
  cluster.sync();
}

int main() {
  constexpr int kBlocks = 8, kThreads = 64;
  float x[kBlocks * kThreads], out[kBlocks], *dx, *dout;
  int counts[kBlocks * 8], *dcounts, wrong = 0;
  for (int i = 0; i < kBlocks * kThreads; ++i) x[i] = float(i * 7 % 23);
  cudaMalloc(&dx, sizeof x), cudaMalloc(&dout, sizeof out), cudaMalloc(&dcounts, sizeof counts);
  cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
  reduce<kThreads><<<kBlocks, kThreads, sizeof(Kernel<kThreads>::Storage)>>>(dx, dout, dcounts);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
  cudaMemcpy(counts, dcounts, sizeof counts, cudaMemcpyDeviceToHost);
  for (int c = 0; c < kBlocks / 4; ++c) {
    float sum = 0, biggest = 0;
    int expected[8] = {};
    for (int i = 0; i < 4 * kThreads; ++i) {
      const float v = x[c * 4 * kThreads + i];
      if (i < kThreads) sum += v, biggest = v > biggest ? v : biggest;
      ++expected[int(v) & 7];
    }
    wrong += out[4 * c] != sum || out[4 * c + 1] != biggest || out[4 * c + 2] != 10 || out[4 * c + 3] != 101;
    for (int i = 0; i < 32; ++i) wrong += counts[c * 32 + i] != expected[i % 8];
  }
  if (error == cudaSuccess && wrong == 0) std::printf("right\n");
  else std::printf("%s, %d wrong\n", cudaGetErrorString(error), wrong);
  return error != cudaSuccess || wrong != 0;
}
