// C = (A B^T) * scale_a * scale_b: A and B fp8 (e4m3) with a scale a tensor, C bf16.
//
//   A: m x k     B: n x k     C: m x n, all row-major; k a multiple of 16, as tensor maps want rows of whole 16 bytes
//
// Two warpgroups share a tile of C, 64 rows each; one more warp loads for both by a ring of stages. Hopper adds fp8
// products with fewer digits than f32 has, so sums over kBlockK are added up outside of the tensor cores, in f32.
#define PORTER_MIRRORED 1
#include <hip/hip_runtime.h>
#include "porter/bf16.h"
#include "porter/mbarrier.h"
#include "porter/mirror.h"
#include "porter/ptx.h"
#include "porter/ptx_memory.h"
#include "porter/tensor_map.h"
#include "porter/wgmma.h"
#include <hip/hip_bf16.h>
#include "porter/fp8_types.h"

#include <cstdint>

namespace {

constexpr int kBlockM = 128;
constexpr int kBlockN = 128;
constexpr int kBlockK = 64;  // bytes too
constexpr int kMmaM = 64;
constexpr int kMmaK = 32;
constexpr int kStages = 3;
constexpr int kConsumerWarps = kBlockM / kMmaM * 4;
constexpr int kThreads = 32 * (kConsumerWarps + 1);

// A row of a tile is one row of its swizzle: 128, 64 or 32 bytes.
constexpr CUtensorMapSwizzle kSwizzle = kBlockK == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                                        : kBlockK == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                                        : CU_TENSOR_MAP_SWIZZLE_32B;
constexpr uint64_t kSwizzleBits = kBlockK == 128 ? 1 : kBlockK == 64 ? 2 : 3;  // of a descriptor

static_assert(kBlockK == 128 || kBlockK == 64 || kBlockK == 32);
static_assert(kBlockM % kMmaM == 0 && kBlockM <= 256 && kBlockN == 128, "one wgmma is 64 x 128");

struct alignas(1024) Shared {
  uint8_t a[kStages][kBlockM * kBlockK];
  uint8_t b[kStages][kBlockN * kBlockK];
  uint64_t full[kStages];
  uint64_t empty[kStages];
};

constexpr uint32_t kStageBytes = (kBlockM + kBlockN) * kBlockK;

namespace ptx {

__device__ __forceinline__ uint32_t shared_address(const void* pointer) {
  return static_cast<uint32_t>(porter::cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ void mbarrier_init(uint32_t barrier, uint32_t count) {
  porter::mbarrier_init(barrier, count);
}

__device__ __forceinline__ void mbarrier_expect_tx(uint32_t barrier, uint32_t bytes) {
  porter::mbarrier_arrive_expect_tx(barrier, bytes);
}

__device__ __forceinline__ void mbarrier_arrive(uint32_t barrier) {
  {
    const uint64_t state = porter::mbarrier_arrive(barrier);
  }
}

__device__ __forceinline__ bool mbarrier_try_wait(uint32_t barrier, uint32_t parity) {
  uint32_t done;
  {
    const bool p = porter::mbarrier_try_wait_parity(barrier, parity);
    done = p ? 1u : 0u;
  }
  return done != 0;
}

__device__ __forceinline__ void mbarrier_wait(uint32_t barrier, uint32_t parity) {
  while (!mbarrier_try_wait(barrier, parity)) {
  }
}

// `policy` tells L2 what will be read again: the values of createpolicy.
__device__ __forceinline__ uint64_t evict_last() {
  uint64_t policy;
  policy = 0;
  return policy;
}

__device__ __forceinline__ void tma_load_2d(uint32_t to, const CUtensorMap* map, uint32_t barrier, int x, int y,
                                            uint64_t policy) {
  porter::tensor_load(to, map, barrier, x, y);
}

__device__ __forceinline__ void wgmma_fence() { porter::wgmma_fence(); }
__device__ __forceinline__ void wgmma_commit_group() {
  porter::wgmma_commit_group();
}
__device__ __forceinline__ void wgmma_wait_all() { porter::wgmma_wait_group<0>(); }

// d = a b + (kAdd ? d : 0)
template <int kAdd>
__device__ __forceinline__ void wgmma_m64n128k32_e4m3(float (&d)[64], uint64_t a, uint64_t b) {
  {
    const uint64_t in64 = uint64_t(a);
    const uint64_t in65 = uint64_t(b);
    const bool p = uint32_t(kAdd) != 0u;
    porter::wgmma_kept<porter::wgmma_f32_fp8<porter::mma::e4m3, porter::mma::e4m3>, 128, 1, 1>(in64, in65, p, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8], d[9], d[10], d[11], d[12], d[13], d[14], d[15], d[16], d[17], d[18], d[19], d[20], d[21], d[22], d[23], d[24], d[25], d[26], d[27], d[28], d[29], d[30], d[31], d[32], d[33], d[34], d[35], d[36], d[37], d[38], d[39], d[40], d[41], d[42], d[43], d[44], d[45], d[46], d[47], d[48], d[49], d[50], d[51], d[52], d[53], d[54], d[55], d[56], d[57], d[58], d[59], d[60], d[61], d[62], d[63]);
  }
}

}  // namespace ptx

// Fields of a shared-memory matrix descriptor, for tiles whose rows follow each other without gaps.
union Descriptor {
  uint64_t bits;
  struct {
    uint64_t start : 14, : 2, leading : 14, : 2, stride : 14, : 3, base : 3, : 10, swizzle : 2;  // offsets in 16 bytes
  };

  __device__ __forceinline__ explicit Descriptor(uint32_t tile) : bits(0) {
    start = tile >> 4;
    stride = 8 * kBlockK >> 4;  // from one group of eight rows to the next
    swizzle = kSwizzleBits;
  }
};

__global__ void __launch_bounds__(kThreads)
    gemm_e4m3(const CUtensorMap map_a, const CUtensorMap map_b,
              const float* __restrict__ scale_a, const float* __restrict__ scale_b, __hip_bfloat16* __restrict__ c,
              int m, int n, int k) {
  porter::begin_warpgroups();
  porter::threads_at_most(kThreads);
  extern __shared__ __align__(1024) uint8_t memory[];
  Shared& shared = *reinterpret_cast<Shared*>(memory);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row0 = blockIdx.y * kBlockM, column0 = blockIdx.x * kBlockN;
  const int steps = (k + kBlockK - 1) / kBlockK;

  if (threadIdx.x == 0) {
    for (int s = 0; s < kStages; ++s) {
      ptx::mbarrier_init(ptx::shared_address(&shared.full[s]), 1);
      ptx::mbarrier_init(ptx::shared_address(&shared.empty[s]), kConsumerWarps);
    }
    __threadfence_block();
  }
  __syncthreads();

  if (warp == kConsumerWarps) {
    if (lane == 0) {
      const uint64_t policy = ptx::evict_last();
      int stage = 0;
      uint32_t phase = 0;
      for (int step = 0; step < steps; ++step) {
        const uint32_t full = ptx::shared_address(&shared.full[stage]);
        ptx::mbarrier_wait(ptx::shared_address(&shared.empty[stage]), phase ^ 1);
        ptx::mbarrier_expect_tx(full, kStageBytes);
        ptx::tma_load_2d(ptx::shared_address(shared.a[stage]), &map_a, full, step * kBlockK, row0, policy);
        ptx::tma_load_2d(ptx::shared_address(shared.b[stage]), &map_b, full, step * kBlockK, column0, policy);
        if (++stage == kStages) {
          stage = 0;
          phase ^= 1;
        }
      }
    }
    return;
  }

  const int group = warp / 4;
  float sum[64] = {};
  int stage = 0;
  uint32_t phase = 0;
  porter::keep(sum);
  for (int step = 0; step < steps; ++step) {
    ptx::mbarrier_wait(ptx::shared_address(&shared.full[stage]), phase);
    const Descriptor a(ptx::shared_address(shared.a[stage] + group * kMmaM * kBlockK));
    const Descriptor b(ptx::shared_address(shared.b[stage]));
    float part[64];
    ptx::wgmma_fence();
    ptx::wgmma_m64n128k32_e4m3<0>(part, a.bits, b.bits);
#pragma unroll
    for (int i = 1; i < kBlockK / kMmaK; ++i) {
      ptx::wgmma_m64n128k32_e4m3<1>(part, a.bits + i * (kMmaK >> 4), b.bits + i * (kMmaK >> 4));
    }
    ptx::wgmma_commit_group();
    ptx::wgmma_wait_all();
    if (lane == 0) ptx::mbarrier_arrive(ptx::shared_address(&shared.empty[stage]));
#pragma unroll
    for (int i = 0; i < 64; ++i) sum[i] += part[i];
    if (++stage == kStages) {
      stage = 0;
      phase ^= 1;
    }
  }
  porter::present(sum);

  const float scale = __ldg(scale_a) * __ldg(scale_b);
  const int row = row0 + group * kMmaM + 16 * (warp % 4) + lane / 4;
#pragma unroll
  for (int j = 0; j < kBlockN / 8; ++j) {
    const int column = column0 + 8 * j + 2 * (lane % 4);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      if (row + 8 * half >= m || column >= n) continue;
      __hip_bfloat16* const to = c + static_cast<size_t>(row + 8 * half) * n + column;
      const __hip_bfloat162 pair =
          porter::floats2bfloat162_rn(sum[4 * j + 2 * half] * scale, sum[4 * j + 2 * half + 1] * scale);
      if (n % 2 == 0) {
        *reinterpret_cast<__hip_bfloat162*>(to) = pair;
      } else {
        to[0] = pair.x;
        if (column + 1 < n) to[1] = pair.y;
      }
    }
  }
}

using EncodeTiled = hipError_t (*)(CUtensorMap*, CUtensorMapDataType, uint32_t, void*, const uint64_t*,
                                 const uint64_t*, const uint32_t*, const uint32_t*, CUtensorMapInterleave,
                                 CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

// Rows of k bytes, in boxes of kBlockK by box_rows. fp8 has no type of its own in a tensor map: bytes will do.
hipError_t encode(CUtensorMap* map, const void* matrix, int rows, int k, int box_rows) {
  void* function = nullptr;
  hipDriverProcAddressQueryResult found;
  const hipError_t error =
      porter::get_driver_entry_point_by_version("cuTensorMapEncodeTiled", &function, 12000, hipEnableDefault, &found);
  if (error != hipSuccess) return error;
  if (found != HIP_GET_PROC_ADDRESS_SUCCESS) return hipErrorNotSupported;
  const uint64_t sizes[] = {static_cast<uint64_t>(k), static_cast<uint64_t>(rows)};
  const uint64_t strides[] = {static_cast<uint64_t>(k)};
  const uint32_t box[] = {kBlockK, static_cast<uint32_t>(box_rows)};
  const uint32_t steps[] = {1, 1};
  const hipError_t result = reinterpret_cast<EncodeTiled>(function)(
      map, CU_TENSOR_MAP_DATA_TYPE_UINT8, 2, const_cast<void*>(matrix), sizes, strides, box, steps,
      CU_TENSOR_MAP_INTERLEAVE_NONE, kSwizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return result == hipSuccess ? hipSuccess : hipErrorInvalidValue;
}

}  // namespace

extern "C" hipError_t hopper_gemm_fp8(const porter::fp8_e4m3* A, const porter::fp8_e4m3* B, const float* scale_a,
                                       const float* scale_b, __hip_bfloat16* C, int m, int n, int k,
                                       hipStream_t stream) {
  if (m == 0 || n == 0) return hipSuccess;
  CUtensorMap map_a, map_b;
  hipError_t error = encode(&map_a, A, m, k, kBlockM);
  if (error == hipSuccess) error = encode(&map_b, B, n, k, kBlockN);
  if (error == hipSuccess) {
    error = hipFuncSetAttribute(reinterpret_cast<const void*>(gemm_e4m3), hipFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared));
  }
  if (error != hipSuccess) return error;
  const dim3 grid((n + kBlockN - 1) / kBlockN, (m + kBlockM - 1) / kBlockM);
  gemm_e4m3<<<grid, porter::mirrored(kThreads), sizeof(Shared), stream>>>(map_a, map_b, scale_a, scale_b, C, m, n, k);
  return hipGetLastError();
}
