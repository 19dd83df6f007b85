// C = A B^T in bf16 with f32 sums: clusters of two blocks that load what they share once, by multicast.
//
//   A: m x k     B: n x k     C: m x n, all row-major; k a multiple of 8, as tensor maps want rows of whole 16 bytes
//
// The blocks of a cluster have tiles of C below each other: A is their own, B the same. Each loads half of the rows of
// B's tile into the shared memory of both. A stage may be filled again when the consumers of both blocks have read it,
// so their arrivals go to the `empty` barriers of both. Where the number of rows of tiles is odd, the last block has
// nothing to store; it loads its half of B all the same.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace {

constexpr int kCluster = 2;
constexpr int kBlockM = 64;
constexpr int kBlockN = 128;
constexpr int kBlockK = 64;  // 128 bytes: one row of the swizzle
constexpr int kMmaK = 16;
constexpr int kStages = 4;
constexpr int kConsumers = 128;  // threads: one warpgroup
constexpr int kThreads = kConsumers + 32;
constexpr int kHalfN = kBlockN / kCluster;  // rows of B that a block loads
static_assert(kBlockM == 64 && kBlockN == 128 && kBlockK == 64, "one warpgroup, one wgmma, one row of the swizzle");

struct alignas(1024) Shared {  // the swizzle repeats every 1024 bytes, and tiles begin where it does
  __nv_bfloat16 a[kStages][kBlockM * kBlockK];
  __nv_bfloat16 b[kStages][kBlockN * kBlockK];
  uint64_t full[kStages];
  uint64_t empty[kStages];
};

constexpr uint32_t kStageBytes = (kBlockM + kBlockN) * kBlockK * sizeof(__nv_bfloat16);

__device__ __forceinline__ uint32_t shared_address(const void* pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ uint32_t cluster_rank() {
  uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
__device__ __forceinline__ void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ __forceinline__ void barrier_init(uint64_t* barrier, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(count));
}
__device__ __forceinline__ void barrier_init_fence() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ __forceinline__ void barrier_expect(uint64_t* barrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
               : "memory");
}
// At the barrier in the same place of another block's shared memory, or of this one's.
__device__ __forceinline__ void barrier_arrive(uint64_t* barrier, uint32_t rank) {
  asm volatile(
      "{\n"
      ".reg .b32 remote;\n"
      "mapa.shared::cluster.u32 remote, %0, %1;\n"
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote];\n"
      "}\n" ::"r"(shared_address(barrier)),
      "r"(rank)
      : "memory");
}
__device__ __forceinline__ void barrier_wait(uint64_t* barrier, uint32_t parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n"
      "@done bra ready;\n"
      "bra again;\n"
      "ready:\n"
      "}\n" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}

__device__ __forceinline__ void tma_load(void* to, const CUtensorMap* map, uint64_t* barrier, int column, int row) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(
          shared_address(to)),
      "l"(map), "r"(shared_address(barrier)), "r"(column), "r"(row)
      : "memory");
}
// Into the shared memory of every block whose bit is set, each time in the same place; each one's barrier counts it.
__device__ __forceinline__ void tma_multicast(void* to, const CUtensorMap* map, uint64_t* barrier, int column, int row,
                                              uint16_t blocks) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
      " [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(shared_address(to)),
      "l"(map), "r"(shared_address(barrier)), "r"(column), "r"(row), "h"(blocks)
      : "memory");
}

// A tile of rows of 128 bytes under the 128-byte swizzle: groups of eight rows are 1024 bytes apart.
__device__ __forceinline__ uint64_t tile_descriptor(const void* tile) {
  uint64_t descriptor = (shared_address(tile) & 0x3ffff) >> 4;
  descriptor |= static_cast<uint64_t>(1) << 16;            // leading offset: of no meaning for this layout
  descriptor |= static_cast<uint64_t>(1024 >> 4) << 32;    // stride offset
  descriptor |= static_cast<uint64_t>(1) << 62;            // 128-byte swizzle
  return descriptor;
}

__device__ __forceinline__ void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int kPending>
__device__ __forceinline__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kPending) : "memory");
}

__device__ __forceinline__ void wgmma_m64n128k16(float (&d)[64], uint64_t a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
      "%64, %65, 1, 1, 1, 0, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]),
        "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]),
        "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]),
        "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]),
        "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]),
        "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]),
        "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]),
        "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
      : "l"(a), "l"(b));
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

__device__ __forceinline__ void consume(Shared& shared, __nv_bfloat16* __restrict__ c, int row0, int column0, int m,
                                        int n, int steps) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float sum[64] = {};
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

  // Of each eight columns a thread has two, in two rows that are eight apart.
  const bool pairs = n % 2 == 0;  // else every second row begins in the middle of four bytes
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int row = row0 + 16 * warp + 8 * half + lane / 4;
    if (row >= m) continue;
    __nv_bfloat16* const to = c + static_cast<size_t>(row) * n;
#pragma unroll
    for (int j = 0; j < kBlockN / 8; ++j) {
      const int column = column0 + 8 * j + 2 * (lane % 4);
      const float left = sum[4 * j + 2 * half], right = sum[4 * j + 2 * half + 1];
      if (pairs && column < n) {
        *reinterpret_cast<__nv_bfloat162*>(to + column) = __floats2bfloat162_rn(left, right);
      } else if (!pairs) {
        if (column < n) to[column] = __float2bfloat16_rn(left);
        if (column + 1 < n) to[column + 1] = __float2bfloat16_rn(right);
      }
    }
  }
}

__global__ void __cluster_dims__(kCluster, 1, 1) __launch_bounds__(kThreads)
    gemm(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
         __nv_bfloat16* __restrict__ c, int m, int n, int k) {
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
  __syncwarp();
  cluster_sync();  // the other block may still write here, or arrive
}

// The driver's function, without linking the driver's library.
using EncodeTiled = decltype(&cuTensorMapEncodeTiled);

EncodeTiled encode_tiled() {
  static const EncodeTiled function = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result;
    const cudaError_t error =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &result);
    return error == cudaSuccess && result == cudaDriverEntryPointSuccess ? reinterpret_cast<EncodeTiled>(found)
                                                                         : nullptr;
  }();
  return function;
}

// A row-major matrix of bf16, read in boxes of box_rows by kBlockK.
bool encode(CUtensorMap* map, const __nv_bfloat16* matrix, int rows, int columns, int box_rows) {
  const EncodeTiled encoder = encode_tiled();
  if (encoder == nullptr) return false;
  const cuuint64_t sizes[2] = {static_cast<cuuint64_t>(columns), static_cast<cuuint64_t>(rows)};
  const cuuint64_t strides[1] = {columns * sizeof(__nv_bfloat16)};
  const cuuint32_t box[2] = {kBlockK, static_cast<cuuint32_t>(box_rows)};
  const cuuint32_t steps[2] = {1, 1};
  return encoder(map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, const_cast<__nv_bfloat16*>(matrix), sizes, strides, box,
                 steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

}  // namespace

extern "C" cudaError_t hopper_gemm_cluster(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int m,
                                           int n, int k, cudaStream_t stream) {
  if (m == 0 || n == 0) return cudaSuccess;
  CUtensorMap map_a, map_b;
  if (!encode(&map_a, A, m, k, kBlockM) || !encode(&map_b, B, n, k, kHalfN)) return cudaErrorInvalidValue;
  const cudaError_t error = cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared));
  if (error != cudaSuccess) return error;
  const int rows = (m + kBlockM - 1) / kBlockM;
  const dim3 grid((rows + kCluster - 1) / kCluster * kCluster, (n + kBlockN - 1) / kBlockN);
  gemm<<<grid, kThreads, sizeof(Shared), stream>>>(map_a, map_b, C, m, n, k);
  return cudaGetLastError();
}
