// C = A B in bf16 with f32 sums, written with ThunderKittens: a producer warpgroup fills a ring of stages by TMA, two
// consumer warpgroups multiply them with wgmma. A block owns 2 x 4 tiles of 64 x 64.

#include "kittens.cuh"

using namespace kittens;

constexpr int kTile = 64;
constexpr int kMBlock = 2;  // consumer warpgroups, each with one row of tiles
constexpr int kNBlock = 4;
constexpr int kStages = 3;
constexpr int kSuperM = 8;  // rows of blocks in a group, so that neighbours share columns of B in L2

constexpr int kThreads = (kMBlock + 1) * WARPGROUP_THREADS;

using tile = st_bf<kTile, kTile>;
using wide_tile = st_bf<kTile, kTile * kNBlock>;  // a row of tiles, as wgmma sees it

struct globals {
  using layout = gl<bf16, 1, 1, -1, -1, tile>;
  layout A, B, C;
};

// Columns of kSuperM blocks: down a column, then the next; what is left of the rows is the last group.
__device__ int2 supergrouped(int block, int rows, int columns) {
  const int whole = rows / kSuperM * kSuperM;
  if (block < whole * columns) {
    const int group = block / (kSuperM * columns);
    return {kSuperM * group + block % kSuperM, block % (kSuperM * columns) / kSuperM};
  }
  const int left = block - whole * columns;
  return {whole + left % (rows - whole), left / (rows - whole)};
}

__global__ __launch_bounds__(kThreads, 1) void matmul_kernel(const __grid_constant__ globals g) {
  extern __shared__ int shared[];
  tma_swizzle_allocator allocator(&shared[0]);
  tile(&a)[kStages][kMBlock] = allocator.allocate<tile, kStages, kMBlock>();
  tile(&b)[kStages][kNBlock] = allocator.allocate<tile, kStages, kNBlock>();
  tile(&c)[kMBlock][kNBlock] = allocator.allocate<tile, kMBlock, kNBlock>();
  __shared__ semaphore arrived[kStages], finished[kStages];

  const int2 place = supergrouped(blockIdx.x, cdiv<int>(g.C.rows(), kMBlock * kTile), cdiv<int>(g.C.cols(), kNBlock * kTile));
  const int row = place.x * kMBlock, column = place.y * kNBlock;
  const int steps = g.A.cols() / kTile;

  if (threadIdx.x == 0) {
    for (int stage = 0; stage < kStages; ++stage) {
      init_semaphore(arrived[stage], 0, 1);
      init_semaphore(finished[stage], kMBlock, 0);
    }
  }
  __syncthreads();

  if (warpgroup::groupid() == kMBlock) {
    warpgroup::decrease_registers<40>();
    if (warpgroup::laneid() == 0) {
      for (int step = 0; step < steps; ++step) {
        const int stage = step % kStages;
        wait(finished[stage], (step / kStages + 1) % 2);  // the first wait of each stage passes
        tma::expect_bytes(arrived[stage], sizeof(a[0]) + sizeof(b[0]));
        for (int m = 0; m < kMBlock; ++m) tma::load_async(a[stage][m], g.A, {0, 0, row + m, step}, arrived[stage]);
        for (int n = 0; n < kNBlock; ++n) tma::load_async(b[stage][n], g.B, {0, 0, step, column + n}, arrived[stage]);
      }
    }
  } else {
    warpgroup::increase_registers<232>();
    const int consumer = warpgroup::groupid();
    rt_fl<16, kTile * kNBlock> sums;
    warp::zero(sums);
    for (int step = 0; step < steps; ++step) {
      const int stage = step % kStages;
      wait(arrived[stage], step / kStages % 2);
      warpgroup::mma_AB(sums, a[stage][consumer], reinterpret_cast<wide_tile &>(b[stage]));
      warpgroup::mma_async_wait();
      if (warpgroup::laneid() == 0) arrive(finished[stage]);
    }
    warpgroup::store(reinterpret_cast<wide_tile &>(c[consumer]), sums);
    warpgroup::sync(consumer + 4);
    if (warpgroup::laneid() == 0) {
      for (int n = 0; n < kNBlock; ++n) tma::store_async(g.C, c[consumer][n], {0, 0, row + consumer, column + n});
      tma::store_async_read_wait();
    }
  }
}

#include "launch.cu"
