// What blocks of a cluster do in each other's shared memory; prints "right" or what was wrong.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__device__ uint32_t shared_address(const void* pointer) { return static_cast<uint32_t>(__cvta_generic_to_shared(pointer)); }
__device__ uint32_t map_to(const void* pointer, uint32_t rank) {
  uint32_t address;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(shared_address(pointer)), "r"(rank));
  return address;
}
__device__ uint32_t rank() {
  uint32_t r;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
  return r;
}
__device__ void cluster_sync() {
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
__device__ void barrier_init(uint64_t* barrier, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(count));
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ void barrier_expect(uint64_t* barrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes) : "memory");
}
__device__ void barrier_wait(uint64_t* barrier, uint32_t parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again;\n"
      "}\n" ::"r"(shared_address(barrier)), "r"(parity) : "memory");
}

constexpr int kThreads = 96;
constexpr int kRanks = 4;

// Loads, stores, atomics: each thread at its own block and all others.
__global__ void __cluster_dims__(kRanks, 1, 1) reach(uint32_t* out) {
  __shared__ alignas(16) uint32_t values[kThreads][4];
  __shared__ uint32_t sum, least, last, raised;
  __shared__ float total;
  __shared__ unsigned long long wide;
  const uint32_t me = rank(), t = threadIdx.x;
  for (int i = 0; i < 4; ++i) values[t][i] = 1000 * me + 10 * t + i;
  if (t == 0) sum = 0, least = ~0u, last = 77, total = 0, wide = 5, raised = 0;
  cluster_sync();

  uint32_t checked = 0;
  const uint32_t to = (me + t) % kRanks;  // differs between neighbours
  uint32_t a, b, c, d, e;
  asm volatile("ld.shared::cluster.u32 %0, [%1+4];" : "=r"(e) : "r"(map_to(values[t], to)));
  asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(map_to(values[kThreads - 1 - t], to)));
  const uint32_t base = 1000 * to + 10 * (kThreads - 1 - t);
  checked |= (e != 1000 * to + 10 * t + 1) | (a != base || b != base + 1 || c != base + 2 || d != base + 3) << 1;
  uint32_t old;
  asm volatile("atom.shared::cluster.add.u32 %0, [%1], 1;" : "=r"(old) : "r"(map_to(&sum, to)) : "memory");
  checked |= (old >= kThreads) << 2;
  asm volatile("red.relaxed.cluster.shared::cluster.min.u32 [%0], %1;" ::"r"(map_to(&least, to)), "r"(100 * me + t) : "memory");
  asm volatile("red.shared::cluster.add.f32 [%0], %1;" ::"r"(map_to(&total, to)), "f"(0.5f) : "memory");
  asm volatile("red.shared::cluster.add.u64 [%0], %1;" ::"r"(map_to(&wide, to)), "l"(0x100000000ull) : "memory");
  if (t == 0) {
    asm volatile("atom.shared::cluster.cas.b32 %0, [%1], 77, %2;" : "=r"(old) : "r"(map_to(&last, (me + 1) % kRanks)), "r"(me) : "memory");
    checked |= (old != 77) << 3;
    for (uint32_t i = 1; i <= 100; ++i)  // the last of one thread's stores stays
      asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(map_to(&raised, (me + 3) % kRanks)), "r"(i) : "memory");
  }
  cluster_sync();

  checked |= (sum != kThreads) << 4 | (total != 0.5f * kThreads) << 5 | (wide != 5 + (uint64_t(kThreads) << 32)) << 6;
  checked |= (last != (me + kRanks - 1) % kRanks) << 7 | (raised != 100) << 8;
  uint32_t expected = ~0u;
  for (uint32_t from = 0; from < kRanks; ++from) expected = min(expected, 100 * from + (me + kRanks - from) % kRanks);
  checked |= (least != expected) << 9;
  out[blockIdx.x * kThreads + t] = checked;
}

// st.async, and more messages than wait anywhere; copies from shared memory to another block's; arrivals from afar.
__global__ void __cluster_dims__(2, 1, 1) hand_over(uint32_t* out) {
  constexpr int kRounds = 3;
  __shared__ alignas(128) uint32_t given[kThreads][4];
  __shared__ alignas(128) uint32_t copied[kThreads];
  __shared__ alignas(128) uint32_t own[kThreads];
  __shared__ uint64_t stored, moved, free;
  const uint32_t me = rank(), other = me ^ 1, t = threadIdx.x;
  if (t == 0) {
    barrier_init(&stored, 1);
    barrier_init(&moved, 1);
    barrier_init(&free, kThreads);
  }
  cluster_sync();
  uint32_t checked = 0;
  for (uint32_t round = 0; round < kRounds; ++round) {
    if (t == 0) {
      barrier_expect(&stored, sizeof given);
      barrier_expect(&moved, sizeof copied);
    }
    if (round > 0) barrier_wait(&free, (round - 1) & 1);  // the other block has read the last ones
    const uint32_t value = 10000 * round + 1000 * me + t;
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(map_to(given[t], other)),
                 "r"(value), "r"(value + 1), "r"(value + 2), "r"(value + 3), "r"(map_to(&stored, other)) : "memory");
    own[t] = value * 7;
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (t == 0)
      asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(map_to(copied, other)),
                   "r"(shared_address(own)), "r"(uint32_t(sizeof own)), "r"(map_to(&moved, other)) : "memory");
    barrier_wait(&stored, round & 1);
    barrier_wait(&moved, round & 1);
    const uint32_t from = 10000 * round + 1000 * other + t;
    for (uint32_t i = 0; i < 4; ++i) checked |= (given[t][i] != from + i) << round;
    checked |= (copied[t] != from * 7) << (round + 4);
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(map_to(&free, other)) : "memory");
  }
  barrier_wait(&free, (kRounds - 1) & 1);
  cluster_sync();
  out[blockIdx.x * kThreads + t] = checked;
}

// Clusters whose blocks are not neighbours in x.
__global__ void __cluster_dims__(1, 2, 2) corners(uint32_t* out) {
  __shared__ uint32_t mine;
  cg::cluster_group cluster = cg::this_cluster();
  const uint32_t block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  if (threadIdx.x == 0) mine = block;
  cluster.sync();
  const dim3 at = cluster.block_index(), size = cluster.dim_blocks();
  uint32_t checked = at.x != blockIdx.x % size.x || at.y != blockIdx.y % size.y || at.z != blockIdx.z % size.z;
  checked |= (cluster.block_rank() != (at.z * size.y + at.y) * size.x + at.x) << 1 | (cluster.num_blocks() != 4) << 2;
  for (uint32_t r = 0; r < 4; ++r) {
    const uint32_t y = blockIdx.y - at.y + r % 2, z = blockIdx.z - at.z + r / 2;
    const uint32_t* theirs = cluster.map_shared_rank(&mine, r);
    checked |= (*theirs != (z * gridDim.y + y) * gridDim.x + blockIdx.x) << 3;
    checked |= (cluster.query_shared_rank(theirs) != r) << 4;
  }
  cluster.sync();
  out[block * kThreads + threadIdx.x] = checked;
}

static int wrong(const char* name, uint32_t* out, int blocks) {
  std::vector<uint32_t> host(blocks * kThreads);
  cudaMemcpy(host.data(), out, host.size() * 4, cudaMemcpyDeviceToHost);
  for (size_t i = 0; i < host.size(); ++i)
    if (host[i] != 0) {
      std::printf("%s: block %zu thread %zu: %x\n", name, i / kThreads, i % kThreads, host[i]);
      return 1;
    }
  return 0;
}

int main() {
  uint32_t* out[3];
  cudaStream_t streams[3];
  for (int i = 0; i < 3; ++i) {
    cudaMalloc(&out[i], 64 * kThreads * 4);
    cudaMemset(out[i], 255, 64 * kThreads * 4);
    cudaStreamCreate(&streams[i]);
  }
  for (int times = 0; times < 2; ++times) {
    reach<<<4 * 3, kThreads, 0, streams[0]>>>(out[0]);
    hand_over<<<2 * 5, kThreads, 0, streams[1]>>>(out[1]);
    corners<<<dim3(3, 2, 6), kThreads, 0, streams[2]>>>(out[2]);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  const int failed = (error != cudaSuccess) + wrong("reach", out[0], 12) + wrong("hand_over", out[1], 10) + wrong("corners", out[2], 36);
  if (failed == 0) std::printf("right\n");
  return failed;
}
