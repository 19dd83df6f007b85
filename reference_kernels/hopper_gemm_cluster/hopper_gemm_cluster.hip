// C = A B^T in bf16 with f32 sums: clusters of two blocks that load what they share once, by multicast.
//
//   A: m x k     B: n x k     C: m x n, all row-major; k a multiple of 8, as tensor maps want rows of whole 16 bytes
//
// The blocks of a cluster have tiles of C below each other: A is their own, B the same. Each loads half of the rows of
// B's tile into the shared memory of both. A stage may be filled again when the consumers of both blocks have read it,
// so their arrivals go to the `empty` barriers of both. Where the number of rows of tiles is odd, the last block has
// nothing to store; it loads its half of B all the same.
#define PORTER_MIRRORED 1
#define PORTER_CLUSTERS 1
#include <hip/hip_runtime.h>
#include "porter/bf16.h"
#include "porter/cluster.h"
#include "porter/cluster_copy.h"
#include "porter/cluster_launch.h"
#include "porter/mbarrier.h"
#include "porter/mirror.h"
#include "porter/ptx.h"
#include "porter/ptx_memory.h"
#include "porter/tensor_map.h"
#include "porter/warp.h"
#include "porter/wgmma.h"
#include <hip/hip_bf16.h>

#include <cstdint>

namespace {

constexpr int kCluster = 2;
constexpr int kBlockM = 64;
constexpr int kBlockN = 128;
constexpr int kBlockK = 64;  // 128 bytes: one row of the swizzle
constexpr int kMmaK = 16;
constexpr int kStages = 2;
constexpr int kConsumers = 128;  // threads: one warpgroup
constexpr int kThreads = kConsumers + 32;
constexpr int kHalfN = kBlockN / kCluster;  // rows of B that a block loads
static_assert(kBlockM == 64 && kBlockN == 128 && kBlockK == 64, "one warpgroup, one wgmma, one row of the swizzle");

struct alignas(1024) Shared {  // the swizzle repeats every 1024 bytes, and tiles begin where it does
  __hip_bfloat16 a[kStages][kBlockM * kBlockK];
  __hip_bfloat16 b[kStages][kBlockN * kBlockK];
  uint64_t full[kStages];
  uint64_t empty[kStages];
};

constexpr uint32_t kStageBytes = (kBlockM + kBlockN) * kBlockK * sizeof(__hip_bfloat16);

__device__ __forceinline__ uint32_t shared_address(const void* pointer) {
  return static_cast<uint32_t>(porter::cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ uint32_t cluster_rank() {
  uint32_t rank;
  rank = porter::cluster_rank();
  return rank;
}
__device__ __forceinline__ void cluster_sync() {
  porter::cluster_arrive();
  porter::cluster_wait();
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
// At the barrier in the same place of another block's shared memory, or of this one's.
__device__ __forceinline__ void barrier_arrive(uint64_t* barrier, uint32_t rank) {
  {
    const uint32_t remote = porter::mapa(shared_address(barrier), rank);
    porter::cluster_mbarrier_arrive(remote);
  }
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

__device__ __forceinline__ void tma_load(void* to, const CUtensorMap* map, uint64_t* barrier, int column, int row) {
  porter::tensor_load(shared_address(to), map, shared_address(barrier), column, row);
}
// Into the shared memory of every block whose bit is set, each time in the same place; each one's barrier counts it.
__device__ __forceinline__ void tma_multicast(void* to, const CUtensorMap* map, uint64_t* barrier, int column, int row,
                                              uint16_t blocks) {
  porter::tensor_multicast(shared_address(to), map, shared_address(barrier), blocks, column, row);
}

// A tile of rows of 128 bytes under the 128-byte swizzle: groups of eight rows are 1024 bytes apart.
__device__ __forceinline__ uint64_t tile_descriptor(const void* tile) {
  uint64_t descriptor = (shared_address(tile) & 0x3ffff) >> 4;
  descriptor |= static_cast<uint64_t>(1) << 16;            // leading offset: of no meaning for this layout
  descriptor |= static_cast<uint64_t>(1024 >> 4) << 32;    // stride offset
  descriptor |= static_cast<uint64_t>(1) << 62;            // 128-byte swizzle
  return descriptor;
}

__device__ __forceinline__ void wgmma_fence() { porter::wgmma_fence(); }
__device__ __forceinline__ void wgmma_commit() { porter::wgmma_commit_group(); }
template <int kPending>
__device__ __forceinline__ void wgmma_wait() {
  porter::wgmma_wait_group<kPending>();
}

__device__ __forceinline__ void wgmma_m64n128k16(float (&d)[64], uint64_t a, uint64_t b) {
  {
    const uint64_t in64 = uint64_t(a);
    const uint64_t in65 = uint64_t(b);
    porter::wgmma_kept<porter::wgmma_f32_bf16, 128, 1, 1, 0, 0>(in64, in65, 1 != 0, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8], d[9], d[10], d[11], d[12], d[13], d[14], d[15], d[16], d[17], d[18], d[19], d[20], d[21], d[22], d[23], d[24], d[25], d[26], d[27], d[28], d[29], d[30], d[31], d[32], d[33], d[34], d[35], d[36], d[37], d[38], d[39], d[40], d[41], d[42], d[43], d[44], d[45], d[46], d[47], d[48], d[49], d[50], d[51], d[52], d[53], d[54], d[55], d[56], d[57], d[58], d[59], d[60], d[61], d[62], d[63]);
  }
}

__device__ __forceinline__ void produce(Shared& shared, const CUtensorMap* map_a, const CUtensorMap* map_b, int row0,
                                        int column0, int steps) {
  constexpr uint16_t kAll = (1 << kCluster) - 1;
  const int rank = cluster_rank();
  for (int step = 0; step < steps; ++step) {
    const int stage = step % kStages;
    barrier_wait(&shared.empty[stage], ((step / kStages) & 1) ^ 1);  // the first time round they are empty
    barrier_expect(&shared.full[stage], kStageBytes);
    tma_load(shared.a[stage], map_a, &shared.full[stage], step * kBlockK, row0);
    tma_multicast(shared.b[stage] + rank * kHalfN * kBlockK, map_b, &shared.full[stage], step * kBlockK,
                  column0 + rank * kHalfN, kAll);
  }
}

__device__ __forceinline__ void consume(Shared& shared, __hip_bfloat16* __restrict__ c, int row0, int column0, int m,
                                        int n, int steps) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float sum[64] = {};
  porter::keep(sum);
  for (int step = 0; step < steps; ++step) {
    const int stage = step % kStages;
    barrier_wait(&shared.full[stage], (step / kStages) & 1);
    const uint64_t a = tile_descriptor(shared.a[stage]);
    const uint64_t b = tile_descriptor(shared.b[stage]);
    wgmma_fence();
#pragma unroll
    for (int i = 0; i < kBlockK / kMmaK; ++i) {  // 32 bytes further along k, in units of 16
      wgmma_m64n128k16(sum, a + 2 * i, b + 2 * i);
    }
    wgmma_commit();
    wgmma_wait<0>();
    if (lane < kCluster) barrier_arrive(&shared.empty[stage], lane);
  }
  porter::present(sum);

  // Of each eight columns a thread has two, in two rows that are eight apart.
  const bool pairs = n % 2 == 0;  // else every second row begins in the middle of four bytes
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int row = row0 + 16 * warp + 8 * half + lane / 4;
    if (row >= m) continue;
    __hip_bfloat16* const to = c + static_cast<size_t>(row) * n;
#pragma unroll
    for (int j = 0; j < kBlockN / 8; ++j) {
      const int column = column0 + 8 * j + 2 * (lane % 4);
      const float left = sum[4 * j + 2 * half], right = sum[4 * j + 2 * half + 1];
      if (pairs && column < n) {
        *reinterpret_cast<__hip_bfloat162*>(to + column) = porter::floats2bfloat162_rn(left, right);
      } else if (!pairs) {
        if (column < n) to[column] = __float2bfloat16(left);
        if (column + 1 < n) to[column + 1] = __float2bfloat16(right);
      }
    }
  }
}

__global__ void __launch_bounds__(kThreads)
    gemm(const CUtensorMap map_a, const CUtensorMap map_b,
         __hip_bfloat16* __restrict__ c, int m, int n, int k) {
  const porter::cluster_member cluster_member(kCluster, 1, 1);
  porter::begin_warpgroups();
  porter::threads_at_most(kThreads);
  extern __shared__ __align__(1024) uint8_t memory[];
  Shared& shared = *reinterpret_cast<Shared*>(memory);
  const int row0 = blockIdx.x * kBlockM;
  const int column0 = blockIdx.y * kBlockN;
  const int steps = (k + kBlockK - 1) / kBlockK;

  if (threadIdx.x == 0) {
    for (int s = 0; s < kStages; ++s) {
      barrier_init(&shared.full[s], 1);
      barrier_init(&shared.empty[s], kCluster * kConsumers / 32);  // a lane of each warp of both blocks
    }
    barrier_init_fence();
  }
  cluster_sync();

  if (threadIdx.x < kConsumers) {
    consume(shared, c, row0, column0, m, n, steps);
  } else if (threadIdx.x == kConsumers) {
    produce(shared, &map_a, &map_b, row0, column0, steps);
  }
  porter::syncwarp();
  cluster_sync();  // the other block may still write here, or arrive
}

// The driver's function, without linking the driver's library.
using EncodeTiled = decltype(&cuTensorMapEncodeTiled);

EncodeTiled encode_tiled() {
  static const EncodeTiled function = [] {
    void* found = nullptr;
    hipDriverProcAddressQueryResult result;
    const hipError_t error =
        porter::get_driver_entry_point_by_version("cuTensorMapEncodeTiled", &found, 12000, hipEnableDefault, &result);
    return error == hipSuccess && result == HIP_GET_PROC_ADDRESS_SUCCESS ? reinterpret_cast<EncodeTiled>(found)
                                                                         : nullptr;
  }();
  return function;
}

// A row-major matrix of bf16, read in boxes of box_rows by kBlockK.
bool encode(CUtensorMap* map, const __hip_bfloat16* matrix, int rows, int columns, int box_rows) {
  const EncodeTiled encoder = encode_tiled();
  if (encoder == nullptr) return false;
  const uint64_t sizes[2] = {static_cast<uint64_t>(columns), static_cast<uint64_t>(rows)};
  const uint64_t strides[1] = {columns * sizeof(__hip_bfloat16)};
  const uint32_t box[2] = {kBlockK, static_cast<uint32_t>(box_rows)};
  const uint32_t steps[2] = {1, 1};
  return encoder(map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, const_cast<__hip_bfloat16*>(matrix), sizes, strides, box,
                 steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == hipSuccess;
}

}  // namespace

extern "C" hipError_t hopper_gemm_cluster(const __hip_bfloat16* A, const __hip_bfloat16* B, __hip_bfloat16* C, int m,
                                           int n, int k, hipStream_t stream) {
  if (m == 0 || n == 0) return hipSuccess;
  CUtensorMap map_a, map_b;
  if (!encode(&map_a, A, m, k, kBlockM) || !encode(&map_b, B, n, k, kHalfN)) return hipErrorInvalidValue;
  const hipError_t error = hipFuncSetAttribute(reinterpret_cast<const void*>(gemm), hipFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared));
  if (error != hipSuccess) return error;
  const int rows = (m + kBlockM - 1) / kBlockM;
  const dim3 grid((rows + kCluster - 1) / kCluster * kCluster, (n + kBlockN - 1) / kBlockN);
  porter::launch_clusters(gemm, grid, porter::mirrored(kThreads), sizeof(Shared), stream, map_a, map_b, C, m, n, k);
  return hipGetLastError();
}
