// <cuda/ptx>: a warp fills a ring by bulk copies, the others empty it; registers, an elected lane, fences, reductions.
#include <cuda/barrier>
#include <cuda/ptx>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cstdint>
#include <cstdio>

namespace ptx = cuda::ptx;
namespace cg = cooperative_groups;

constexpr int kStages = 3, kWords = 256;

__global__ void ring(const int *in, int *out, int tiles) {
  __shared__ alignas(128) int stage[kStages][kWords];
  __shared__ uint64_t full[kStages], empty[kStages];
  if (threadIdx.x == 0) {
    for (int i = 0; i < kStages; ++i) {
      ptx::mbarrier_init(&full[i], 1);
      ptx::mbarrier_init(&empty[i], blockDim.x - 32);
    }
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    if (ptx::get_sreg_laneid() == 0) {
      for (int t = 0; t < tiles; ++t) {
        const int s = t % kStages;
        while (!ptx::mbarrier_try_wait_parity(&empty[s], t / kStages % 2 ^ 1)) {
        }
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[s], sizeof(stage[s]));
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage[s], in + t * kWords, sizeof(stage[s]), &full[s]);
      }
    }
  } else {
    int sum = 0;
    for (int t = 0; t < tiles; ++t) {
      const int s = t % kStages;
      while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cta, &full[s], t / kStages % 2)) {
      }
      for (int i = threadIdx.x - 32; i < kWords; i += blockDim.x - 32) sum += stage[s][i] * (t + 1);
      ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &empty[s]);
    }
    out[threadIdx.x - 32] = sum;
  }
}

// What a block stores and adds up through bulk copies.
__global__ void stored(int *out, int *total) {
  __shared__ alignas(128) int tile[64];
  tile[threadIdx.x] = threadIdx.x * 5;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof(tile));
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, total, tile, sizeof(tile));
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

// Groups of lanes beside barriers: what each thread sees of itself, and what happens once.
struct Seen {
  unsigned rank, index, size, tile_rank, meta, lane, ballot, quad_sum, up, sum, odd_rank, odd_size, odd_sum, first, prefix;
};
__global__ void groups(Seen *seen, int *counts) {
  __shared__ uint64_t bar;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) ptx::mbarrier_init(&bar, blockDim.x * blockDim.y * blockDim.z);
  block.sync();
  auto warp = cg::tiled_partition<32>(block);
  auto quad = cg::tiled_partition<4>(warp);
  Seen s = {};
  s.index = threadIdx.x | threadIdx.y << 8 | threadIdx.z << 16;
  s.rank = block.thread_rank(), s.size = block.size(), s.tile_rank = warp.thread_rank(), s.meta = warp.meta_group_rank();
  s.lane = ptx::get_sreg_laneid();
  s.ballot = warp.ballot(s.rank % 3 == 0);
  s.quad_sum = cg::reduce(quad, s.rank, cg::plus<unsigned>());
  s.up = warp.shfl_up(s.rank, 2);
  s.sum = cg::reduce(warp, s.rank, cg::plus<unsigned>());
  if (s.rank % 2 == 1) {
    auto odd = cg::coalesced_threads();
    s.odd_rank = odd.thread_rank(), s.odd_size = odd.size();
    s.odd_sum = cg::reduce(odd, s.rank, cg::plus<unsigned>());
    if (odd.thread_rank() == 0) atomicAdd(&counts[0], 1);
  }
  s.first = warp.shfl(s.rank, 0);
  for (unsigned i = 0; i < 32; ++i) {
    const unsigned other = warp.shfl(s.rank, i);
    s.prefix += i < warp.thread_rank() ? other : 0;
  }
  cg::invoke_one(warp, [&] { atomicAdd(&counts[1], 1); });
  cuda::atomic_ref<int, cuda::thread_scope_device> all(counts[2]);
  all.fetch_add(1, cuda::memory_order_relaxed);
  int expected = 0;
  if (all.compare_exchange_strong(expected, -1)) counts[4] = 1;  // never: it counts already
  ptx::mbarrier_arrive(&bar);
  while (!ptx::mbarrier_test_wait_parity(&bar, 0)) {
  }
  atomicMax(&counts[3], int(s.rank));
  seen[s.rank] = s;
  if (s.rank % 32 == 5) printf("thread %u of %u\n", s.rank, s.size);
}

// Is anything wrong with what thread t saw?
int differs(const Seen &s, unsigned t, dim3 shape) {
  const unsigned threads = shape.x * shape.y * shape.z;
  int off = s.index != (t % shape.x | t / shape.x % shape.y << 8 | t / (shape.x * shape.y) << 16);
  const unsigned base = t / 32 * 32, lane = t % 32;
  unsigned ballot = 0, odd_sum = 0, prefix = 0;
  for (unsigned i = 0; i < 32; ++i) {
    ballot |= unsigned((base + i) % 3 == 0) << i;
    odd_sum += i % 2 ? base + i : 0;
    prefix += i < lane ? base + i : 0;
  }
  off += s.rank != t || s.size != threads || s.tile_rank != lane || s.meta != t / 32 || s.lane != lane;
  off += s.ballot != ballot || s.quad_sum != 4 * (t & ~3u) + 6 || s.up != (lane < 2 ? t : t - 2);
  off += s.sum != 32 * base + 496 || s.first != base || s.prefix != prefix;
  if (t % 2) off += s.odd_rank != lane / 2 || s.odd_size != 16 || s.odd_sum != odd_sum;
  return off;
}

int main() {
  const int tiles = 8, n = tiles * kWords;
  int host[n], got[64], *in, *out;
  for (int i = 0; i < n; ++i) host[i] = i % 1000;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, 4 * 1024);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  ring<<<1, 96>>>(in, out, tiles);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int k = 0; k < 64; ++k) {
    int sum = 0;
    for (int i = k; i < n; i += 64) sum += host[i] * (i / kWords + 1);
    wrong += got[k] != sum;
  }
  printf("ring: %d wrong\n", wrong);

  int zeros[64] = {}, bad = 0, twice[64];
  cudaMemcpy(out + 512, zeros, sizeof zeros, cudaMemcpyHostToDevice);
  stored<<<2, 64>>>(out + 256, out + 512);
  cudaMemcpy(got, out + 256, sizeof got, cudaMemcpyDeviceToHost);
  cudaMemcpy(twice, out + 512, sizeof twice, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i) bad += got[i] != 5 * i || twice[i] != 10 * i;
  printf("stored: %d wrong\n", bad);

  const unsigned threads = 128;
  Seen *seen, all[threads];
  int off = 0, blocks = 0, most = 0, active = 0;
  cudaOccupancyMaxPotentialBlockSize(&blocks, &most, groups, 0, 256);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, groups, most, 0);
  off += blocks < 1 || most < 32 || most > 256 || active < 1;
  cudaMalloc(&seen, sizeof all);
  for (dim3 shape : {dim3(64, 2), dim3(16, 8), dim3(8, 4, 4)}) {
    int counts[5] = {};
    cudaMemcpy(out, counts, sizeof counts, cudaMemcpyHostToDevice);
    groups<<<1, shape>>>(seen, out);
    cudaMemcpy(all, seen, sizeof all, cudaMemcpyDeviceToHost);
    cudaMemcpy(counts, out, sizeof counts, cudaMemcpyDeviceToHost);
    for (unsigned t = 0; t < threads; ++t) off += differs(all[t], t, shape);
    off += counts[0] != 4 || counts[1] != 4 || counts[2] != 128 || counts[3] != 127 || counts[4] != 0;
  }
  printf("groups: %d wrong\n", off);
  return wrong + bad + off != 0;
}
