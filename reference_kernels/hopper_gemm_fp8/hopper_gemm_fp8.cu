// C = (A B^T) * scale_a * scale_b: A and B fp8 (e4m3) with a scale a tensor, C bf16.
//
//   A: m x k     B: n x k     C: m x n, all row-major; k a multiple of 16, as tensor maps want rows of whole 16 bytes
//
// Two warpgroups share a tile of C, 64 rows each; one more warp loads for both by a ring of stages. Hopper adds fp8
// products with fewer digits than f32 has, so sums over kBlockK are added up outside of the tensor cores, in f32.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace {

constexpr int kBlockM = 128;
constexpr int kBlockN = 128;
constexpr int kBlockK = 128;  // bytes too
constexpr int kMmaM = 64;
constexpr int kMmaK = 32;
constexpr int kStages = 4;
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
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ void mbarrier_init(uint32_t barrier, uint32_t count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(count));
}

__device__ __forceinline__ void mbarrier_expect_tx(uint32_t barrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

__device__ __forceinline__ void mbarrier_arrive(uint32_t barrier) {
  asm volatile("{\n.reg .b64 state;\nmbarrier.arrive.shared.b64 state, [%0];\n}\n" ::"r"(barrier) : "memory");
}

__device__ __forceinline__ bool mbarrier_try_wait(uint32_t barrier, uint32_t parity) {
  uint32_t done;
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "mbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n"
      "selp.u32 %0, 1, 0, p;\n"
      "}\n"
      : "=r"(done)
      : "r"(barrier), "r"(parity)
      : "memory");
  return done != 0;
}

__device__ __forceinline__ void mbarrier_wait(uint32_t barrier, uint32_t parity) {
  while (!mbarrier_try_wait(barrier, parity)) {
  }
}

// `policy` tells L2 what will be read again: the values of createpolicy.
__device__ __forceinline__ uint64_t evict_last() {
  uint64_t policy;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}

__device__ __forceinline__ void tma_load_2d(uint32_t to, const CUtensorMap* map, uint32_t barrier, int x, int y,
                                            uint64_t policy) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint"
      " [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(to),
      "l"(map), "r"(barrier), "r"(x), "r"(y), "l"(policy)
      : "memory");
}

__device__ __forceinline__ void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory"); }
__device__ __forceinline__ void wgmma_commit_group() {
  asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
}
__device__ __forceinline__ void wgmma_wait_all() { asm volatile("wgmma.wait_group.sync.aligned 0;\n" ::: "memory"); }

// d = a b + (kAdd ? d : 0)
template <int kAdd>
__device__ __forceinline__ void wgmma_m64n128k32_e4m3(float (&d)[64], uint64_t a, uint64_t b) {
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      "setp.ne.b32 p, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
      "%64, %65, p, 1, 1;\n"
      "}\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]),
        "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]),
        "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]),
        "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]),
        "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]),
        "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]),
        "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]),
        "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
      : "l"(a), "l"(b), "n"(kAdd));
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

__global__ void __launch_bounds__(kThreads, 1)
    gemm_e4m3(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
              const float* __restrict__ scale_a, const float* __restrict__ scale_b, __nv_bfloat16* __restrict__ c,
              int m, int n, int k) {
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
    asm volatile("fence.proxy.async;" ::: "memory");
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

  const float scale = __ldg(scale_a) * __ldg(scale_b);
  const int row = row0 + group * kMmaM + 16 * (warp % 4) + lane / 4;
#pragma unroll
  for (int j = 0; j < kBlockN / 8; ++j) {
    const int column = column0 + 8 * j + 2 * (lane % 4);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      if (row + 8 * half >= m || column >= n) continue;
      __nv_bfloat16* const to = c + static_cast<size_t>(row + 8 * half) * n + column;
      const __nv_bfloat162 pair =
          __floats2bfloat162_rn(sum[4 * j + 2 * half] * scale, sum[4 * j + 2 * half + 1] * scale);
      if (n % 2 == 0) {
        *reinterpret_cast<__nv_bfloat162*>(to) = pair;
      } else {
        to[0] = pair.x;
        if (column + 1 < n) to[1] = pair.y;
      }
    }
  }
}

using EncodeTiled = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                 const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                                 CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

// Rows of k bytes, in boxes of kBlockK by box_rows. fp8 has no type of its own in a tensor map: bytes will do.
cudaError_t encode(CUtensorMap* map, const void* matrix, int rows, int k, int box_rows) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
  const cudaError_t error =
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found);
  if (error != cudaSuccess) return error;
  if (found != cudaDriverEntryPointSuccess) return cudaErrorNotSupported;
  const cuuint64_t sizes[] = {static_cast<cuuint64_t>(k), static_cast<cuuint64_t>(rows)};
  const cuuint64_t strides[] = {static_cast<cuuint64_t>(k)};
  const cuuint32_t box[] = {kBlockK, static_cast<cuuint32_t>(box_rows)};
  const cuuint32_t steps[] = {1, 1};
  const CUresult result = reinterpret_cast<EncodeTiled>(function)(
      map, CU_TENSOR_MAP_DATA_TYPE_UINT8, 2, const_cast<void*>(matrix), sizes, strides, box, steps,
      CU_TENSOR_MAP_INTERLEAVE_NONE, kSwizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace

extern "C" cudaError_t hopper_gemm_fp8(const __nv_fp8_e4m3* A, const __nv_fp8_e4m3* B, const float* scale_a,
                                       const float* scale_b, __nv_bfloat16* C, int m, int n, int k,
                                       cudaStream_t stream) {
  if (m == 0 || n == 0) return cudaSuccess;
  CUtensorMap map_a, map_b;
  cudaError_t error = encode(&map_a, A, m, k, kBlockM);
  if (error == cudaSuccess) error = encode(&map_b, B, n, k, kBlockN);
  if (error == cudaSuccess) {
    error = cudaFuncSetAttribute(gemm_e4m3, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared));
  }
  if (error != cudaSuccess) return error;
  const dim3 grid((n + kBlockN - 1) / kBlockN, (m + kBlockM - 1) / kBlockM);
  gemm_e4m3<<<grid, kThreads, sizeof(Shared), stream>>>(map_a, map_b, scale_a, scale_b, C, m, n, k);
  return cudaGetLastError();
}
