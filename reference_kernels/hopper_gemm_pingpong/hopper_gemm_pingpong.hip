// C = A B^T in bf16 with f32 sums: warp-specialised, persistent, two consumer warpgroups that take turns.
//
//   A: m x k     B: n x k     C: m x n, all row-major; k and n multiples of 8: tensor maps want rows of whole 16 bytes
//
// A block walks over tiles of C. One thread of the producer's warpgroup fills a ring of stages with tiles of A and B;
// the consumers take whole tiles of C in turn, so that one multiplies while the other converts and stores its result.
// The turn is passed by named barriers: a group begins when all data of the tile before its own has arrived, which also
// keeps its first wait for a stage from taking an older phase for its own.
#define PORTER_MIRRORED 1
#include <hip/hip_runtime.h>
#include "porter/bf16.h"
#include "porter/ldmatrix.h"
#include "porter/mbarrier.h"
#include "porter/mirror.h"
#include "porter/named_barrier.h"
#include "porter/ptx.h"
#include "porter/ptx_memory.h"
#include "porter/tensor_map.h"
#include "porter/wgmma.h"
#include <hip/hip_bf16.h>

#include <algorithm>
#include <cstdint>

namespace {

constexpr int kBlockM = 64;
constexpr int kBlockN = 128;
constexpr int kBlockK = 32;
constexpr int kMmaM = 64;
constexpr int kMmaK = 16;
constexpr int kStages = 2;
constexpr int kGroup = 128;  // threads of a warpgroup
constexpr int kConsumers = 2;
constexpr int kThreads = kGroup * (1 + kConsumers);
constexpr int kProducerRegisters = 40;
constexpr int kConsumerRegisters = 232;
constexpr int kStoreN = 64;    // columns of one store: 128 bytes, as wide as the swizzle
constexpr int kRasterRows = 8;  // tiles of C in a column before the next column begins, for the sake of L2

// A row of a tile of A or B is one row of its swizzle: 128, 64 or 32 bytes.
constexpr int kRowBytes = kBlockK * static_cast<int>(sizeof(__hip_bfloat16));
constexpr CUtensorMapSwizzle kSwizzle = kRowBytes == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                                        : kRowBytes == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                                          : CU_TENSOR_MAP_SWIZZLE_32B;
constexpr uint64_t kSwizzleBits = kRowBytes == 128 ? 1 : kRowBytes == 64 ? 2 : 3;  // of a descriptor

static_assert(kRowBytes == 128 || kRowBytes == 64 || kRowBytes == 32);
static_assert(kBlockM % kMmaM == 0 && kBlockM <= 256 && kBlockN == 128, "one wgmma is 64 x 128");
static_assert(kStages >= 2, "a stage is given back while the next one is being multiplied");

// Named barriers; 0 is __syncthreads.
constexpr int kTurn = 1;      // + consumer: it may begin its tile
constexpr int kEpilogue = 3;  // + consumer: among its own threads

struct alignas(1024) Shared {
  __hip_bfloat16 a[kStages][kBlockM * kBlockK];
  __hip_bfloat16 b[kStages][kBlockN * kBlockK];
  __hip_bfloat16 c[kConsumers][kBlockN / kStoreN][kBlockM * kStoreN];
  uint64_t full[kStages];
  uint64_t empty[kStages];
};

constexpr uint32_t kStageBytes = (kBlockM + kBlockN) * kBlockK * sizeof(__hip_bfloat16);

__device__ __forceinline__ uint32_t shared_address(const void* pointer) {
  return static_cast<uint32_t>(porter::cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ bool elect_one() {
  uint32_t elected;
  {
    bool p;
    porter::elect_sync(0xffffffff, p);
    elected = p ? 1u : 0u;
  }
  return elected != 0;
}

template <int kRegisters>
__device__ __forceinline__ void give_registers() {
  /* setmaxnreg.dec.sync.aligned.u32: nothing to do on AMD */;
}
template <int kRegisters>
__device__ __forceinline__ void take_registers() {
  /* setmaxnreg.inc.sync.aligned.u32: nothing to do on AMD */;
}

__device__ __forceinline__ void named_sync(int id, int threads) {
  porter::named_barrier_sync(id, threads);
}
__device__ __forceinline__ void named_arrive(int id, int threads) {
  porter::named_barrier_arrive(id, threads);
}

__device__ __forceinline__ void barrier_init(uint64_t* barrier, uint32_t count) {
  porter::mbarrier_init(shared_address(barrier), count);
}
__device__ __forceinline__ void barrier_init_fence() {
  __threadfence_block();
}
__device__ __forceinline__ void barrier_expect(uint64_t* barrier, uint32_t bytes) {
  porter::mbarrier_arrive_expect_tx(shared_address(barrier), bytes);
}
__device__ __forceinline__ void barrier_arrive(uint64_t* barrier) {
  porter::mbarrier_arrive(shared_address(barrier));
}
__device__ __forceinline__ void barrier_wait(uint64_t* barrier, uint32_t parity) {
  {
    bool done;
    do {
      done = porter::mbarrier_try_wait_parity(shared_address(barrier), parity);
      if (done) break;
    } while (true);
  }
}

__device__ __forceinline__ void prefetch_map(const CUtensorMap* map) {
  /* prefetch.tensormap: nothing to do on AMD */;
}
__device__ __forceinline__ void tma_load(void* to, const CUtensorMap* map, uint64_t* barrier, int column, int row) {
  porter::tensor_load(shared_address(to), map, shared_address(barrier), column, row);
}
__device__ __forceinline__ void tma_store(const CUtensorMap* map, const void* from, int column, int row) {
  porter::tensor_store(map, shared_address(from), column, row);
}
__device__ __forceinline__ void store_commit() { /* cp.async.bulk.commit_group: nothing to do on AMD */; }
// Shared memory may be written again; the stores themselves may still be on their way.
__device__ __forceinline__ void store_wait_read() { /* cp.async.bulk.wait_group.read: nothing to do on AMD */; }
// What threads wrote to shared memory, made visible to the copy engine.
__device__ __forceinline__ void store_fence() { __threadfence_block(); }

// A tile of A or B, whose rows follow each other without gaps: groups of eight rows are this far apart.
__device__ __forceinline__ uint64_t tile_descriptor(const void* tile) {
  uint64_t descriptor = (shared_address(tile) & 0x3ffff) >> 4;
  descriptor |= static_cast<uint64_t>(1) << 16;
  descriptor |= static_cast<uint64_t>(8 * kRowBytes >> 4) << 32;
  descriptor |= kSwizzleBits << 62;
  return descriptor;
}

__device__ __forceinline__ void wgmma_fence() { porter::wgmma_fence(); }
__device__ __forceinline__ void wgmma_commit() { porter::wgmma_commit_group(); }
template <int kPending>
__device__ __forceinline__ void wgmma_wait() {
  porter::wgmma_wait_group<kPending>();
}

// d = a b + (add ? d : 0)
__device__ __forceinline__ void wgmma_m64n128k16(float (&d)[64], uint64_t a, uint64_t b, int add) {
  {
    const uint64_t in64 = uint64_t(a);
    const uint64_t in65 = uint64_t(b);
    const bool p = uint32_t(add) != 0u;
    porter::wgmma_kept<porter::wgmma_f32_bf16, 128, 1, 1, 0, 0>(in64, in65, p, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8], d[9], d[10], d[11], d[12], d[13], d[14], d[15], d[16], d[17], d[18], d[19], d[20], d[21], d[22], d[23], d[24], d[25], d[26], d[27], d[28], d[29], d[30], d[31], d[32], d[33], d[34], d[35], d[36], d[37], d[38], d[39], d[40], d[41], d[42], d[43], d[44], d[45], d[46], d[47], d[48], d[49], d[50], d[51], d[52], d[53], d[54], d[55], d[56], d[57], d[58], d[59], d[60], d[61], d[62], d[63]);
  }
}

// Four 8x8 matrices of 16-bit values; lanes 8i to 8i+7 give the addresses of the rows of matrix i.
__device__ __forceinline__ void store_matrices(uint32_t address, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  porter::stmatrix<false>(address, a, b, c, d);
}

__device__ __forceinline__ uint32_t pack(float low, float high) {
  const __hip_bfloat162 pair = porter::floats2bfloat162_rn(low, high);
  return reinterpret_cast<const uint32_t&>(pair);
}

struct Tiles {
  int rows, columns;  // of tiles

  __device__ __forceinline__ int count() const { return rows * columns; }

  // First row and column of C: down kRasterRows tiles, then to the right, so that neighbours share B.
  __device__ __forceinline__ int2 origin(int tile) const {
    const int band = tile / (kRasterRows * columns);
    const int within = tile % (kRasterRows * columns);
    const int height = min(kRasterRows, rows - band * kRasterRows);
    return {(band * kRasterRows + within % height) * kBlockM, within / height * kBlockN};
  }
};

__device__ __forceinline__ void produce(Shared& shared, const CUtensorMap* map_a, const CUtensorMap* map_b,
                                        const Tiles& tiles, int steps) {
  uint32_t position = 0;  // in the endless sequence of stages
  for (int tile = blockIdx.x; tile < tiles.count(); tile += gridDim.x) {
    const int2 origin = tiles.origin(tile);
    for (int step = 0; step < steps; ++step, ++position) {
      const int stage = position % kStages;
      barrier_wait(&shared.empty[stage], ((position / kStages) & 1) ^ 1);  // the first time round they are empty
      barrier_expect(&shared.full[stage], kStageBytes);
      tma_load(shared.a[stage], map_a, &shared.full[stage], step * kBlockK, origin.x);
      tma_load(shared.b[stage], map_b, &shared.full[stage], step * kBlockK, origin.y);
    }
  }
}

// The tile of C in registers, to shared memory in the layout that the store's tensor map expects.
__device__ __forceinline__ void stage_result(Shared& shared, int consumer, const float (&sum)[kBlockM / kMmaM][64]) {
  const int warp = threadIdx.x % kGroup / 32, lane = threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < kBlockM / kMmaM; ++i) {
    const int row = kMmaM * i + 16 * warp + lane % 16;
#pragma unroll
    for (int j = 0; j < kBlockN / 8; j += 2) {  // eight columns each: 16 bytes, the unit of the swizzle
      const int part = j / (kStoreN / 8);
      const int chunk = (j % (kStoreN / 8) + lane / 16) ^ (row % 8);
      const float* d = &sum[i][4 * j];
      store_matrices(shared_address(&shared.c[consumer][part][row * kStoreN + chunk * 8]), pack(d[0], d[1]),
                     pack(d[2], d[3]), pack(d[4], d[5]), pack(d[6], d[7]));
    }
  }
}

__device__ __forceinline__ void consume(Shared& shared, const CUtensorMap* map_c, const Tiles& tiles, int n, int steps,
                                        int consumer) {
  const int lane = threadIdx.x % 32;
  const bool leader = threadIdx.x % kGroup == 0;
  uint32_t position = consumer * steps;
  for (int tile = blockIdx.x + consumer * gridDim.x; tile < tiles.count(); tile += kConsumers * gridDim.x) {
    const bool first = tile == static_cast<int>(blockIdx.x);
    if (!first) named_sync(kTurn + consumer, kConsumers * kGroup);

    float sum[kBlockM / kMmaM][64];
    porter::keep(sum);
    for (int step = 0; step < steps; ++step, ++position) {
      const int stage = position % kStages;
      barrier_wait(&shared.full[stage], (position / kStages) & 1);
      const uint64_t a = tile_descriptor(shared.a[stage]);
      const uint64_t b = tile_descriptor(shared.b[stage]);
      wgmma_fence();
#pragma unroll
      for (int k = 0; k < kBlockK / kMmaK; ++k) {
#pragma unroll
        for (int i = 0; i < kBlockM / kMmaM; ++i) {
          constexpr int kRows = kMmaM * kRowBytes / 16;
          wgmma_m64n128k16(sum[i], a + i * kRows + 2 * k, b + 2 * k, step != 0 || k != 0);
        }
      }
      wgmma_commit();
      if (step > 0) {  // one step's products are under way while the stage before is given back
        wgmma_wait<1>();
        if (lane == 0) barrier_arrive(&shared.empty[(position - 1) % kStages]);
      }
    }
    porter::present(sum);
    if (tile + static_cast<int>(gridDim.x) < tiles.count()) {
      named_arrive(kTurn + (consumer ^ 1), kConsumers * kGroup);
    }
    wgmma_wait<0>();
    if (lane == 0) barrier_arrive(&shared.empty[(position - 1) % kStages]);
    position += steps;  // the other group's tile

    if (leader) store_wait_read();  // of this group's last tile
    named_sync(kEpilogue + consumer, kGroup);
    stage_result(shared, consumer, sum);
    store_fence();
    named_sync(kEpilogue + consumer, kGroup);
    if (leader) {
      const int2 origin = tiles.origin(tile);
#pragma unroll
      for (int part = 0; part < kBlockN / kStoreN; ++part) {
        const int column = origin.y + part * kStoreN;
        if (column < n) tma_store(map_c, shared.c[consumer][part], column, origin.x);
      }
      store_commit();
    }
  }
  if (leader) store_wait_read();
}

__global__ void __launch_bounds__(kThreads)
    gemm(const CUtensorMap map_a, const CUtensorMap map_b,
         const CUtensorMap map_c, int m, int n, int k) {
  porter::begin_block();
  porter::begin_warpgroups();
  porter::threads_at_most(kThreads);
  extern __shared__ __align__(1024) uint8_t memory[];
  Shared& shared = *reinterpret_cast<Shared*>(memory);
  const Tiles tiles = {(m + kBlockM - 1) / kBlockM, (n + kBlockN - 1) / kBlockN};
  const int steps = (k + kBlockK - 1) / kBlockK;

  if (threadIdx.x == 0) {
    prefetch_map(&map_a);
    prefetch_map(&map_b);
    prefetch_map(&map_c);
    for (int s = 0; s < kStages; ++s) {
      barrier_init(&shared.full[s], 1);
      barrier_init(&shared.empty[s], kGroup / 32);  // a lane of each warp of the group that has read it
    }
    barrier_init_fence();
  }
  __syncthreads();

  const int group = threadIdx.x / kGroup;
  if (group == 0) {
    give_registers<kProducerRegisters>();
    if (threadIdx.x / 32 == 0 && elect_one()) produce(shared, &map_a, &map_b, tiles, steps);
  } else {
    take_registers<kConsumerRegisters>();
    consume(shared, &map_c, tiles, n, steps, group - 1);
  }
}

// A row-major matrix of bf16 in boxes.
bool encode(CUtensorMap* map, const __hip_bfloat16* matrix, int rows, int columns, int box_rows, int box_columns,
            CUtensorMapSwizzle swizzle) {
  const uint64_t sizes[2] = {static_cast<uint64_t>(columns), static_cast<uint64_t>(rows)};
  const uint64_t strides[1] = {columns * sizeof(__hip_bfloat16)};
  const uint32_t box[2] = {static_cast<uint32_t>(box_columns), static_cast<uint32_t>(box_rows)};
  const uint32_t steps[2] = {1, 1};
  return cuTensorMapEncodeTiled(map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, const_cast<__hip_bfloat16*>(matrix), sizes,
                                strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                                CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == hipSuccess;
}

}  // namespace

// blocks: how many at most, 0 for one a multiprocessor.
extern "C" hipError_t hopper_gemm_pingpong(const __hip_bfloat16* A, const __hip_bfloat16* B, __hip_bfloat16* C, int m,
                                            int n, int k, int blocks, hipStream_t stream) {
  if (m == 0 || n == 0) return hipSuccess;
  CUtensorMap map_a, map_b, map_c;
  if (!encode(&map_a, A, m, k, kBlockM, kBlockK, kSwizzle) || !encode(&map_b, B, n, k, kBlockN, kBlockK, kSwizzle) ||
      !encode(&map_c, C, m, n, kBlockM, kStoreN, CU_TENSOR_MAP_SWIZZLE_128B)) {
    return hipErrorInvalidValue;
  }
  int device = 0, multiprocessors = 0;
  hipError_t error = hipGetDevice(&device);
  if (error == hipSuccess) {
    error = hipDeviceGetAttribute(&multiprocessors, hipDeviceAttributeMultiprocessorCount, device);
  }
  if (error == hipSuccess) {
    error = hipFuncSetAttribute(reinterpret_cast<const void*>(gemm), hipFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared));
  }
  if (error != hipSuccess) return error;
  const int tiles = ((m + kBlockM - 1) / kBlockM) * ((n + kBlockN - 1) / kBlockN);
  const int grid = std::min(tiles, blocks > 0 ? blocks : multiprocessors);
  gemm<<<grid, porter::mirrored(kThreads), sizeof(Shared), stream>>>(map_a, map_b, map_c, m, n, k);
  return hipGetLastError();
}
