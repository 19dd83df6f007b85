// C = (A B^T) * scale_a * scale_b: A and B fp8 (e4m3) with a scale a tensor, C bf16.
//
//   A: m x k     B: n x k     C: m x n, all row-major; k a multiple of 16, as tensor maps want rows of whole 16 bytes
//
// Two warpgroups share a tile of C, 64 rows each; one more warp loads for both by a ring of stages. Hopper adds fp8
// products with fewer digits than f32 has, so sums over kBlockK are added up outside of the tensor cores, in f32.
#include <hip/hip_runtime.h>
#include "porter/gemm.h"
#include "porter/gemm_fp8.h"
#include "porter/tensor_map.h"
#include <hip/hip_bf16.h>
#include "porter/fp8_types.h"

#include <cstdint>

namespace {

constexpr int kBlockM = 128;
constexpr int kBlockN = 128;
constexpr int kBlockK = 128;  // bytes too

// A row of a tile is one row of its swizzle: 128, 64 or 32 bytes.
constexpr CUtensorMapSwizzle kSwizzle = kBlockK == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                                        : kBlockK == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                                        : CU_TENSOR_MAP_SWIZZLE_32B;

static_assert(kBlockK == 128 || kBlockK == 64 || kBlockK == 32);

// porter[native-schedule]: gemm_e4m3 multiplies map_a and map_b (e4m3 x e4m3) and stores sum * (scale_a[0] * scale_b[0]) as bf16 to c: it was executed on small problems to find that out, and is written anew for CDNA. Its roles, stages and barriers are gone; grid, block and shared memory of its launches follow
// C = A B^T on gfx942, in the place of a kernel written for NVIDIA's chips; porter/gemm.h has the schedule.
struct gemm_e4m3_native_problem : porter::gemm::Problem {
  using A = porter::gemm::e4m3;
  using B = porter::gemm::e4m3;
  using C = porter::gemm::bf16;
  static constexpr bool kAIsKMajor = true, kBIsKMajor = true;
};
using gemm_e4m3_native = porter::gemm::Schedule<gemm_e4m3_native_problem>;

// Two waves a SIMD: 256 registers each, half of them sums.
__global__ void __launch_bounds__(gemm_e4m3_native::kThreads, 2)
    gemm_e4m3(const CUtensorMap map_a, const CUtensorMap map_b,
              const float* __restrict__ scale_a, const float* __restrict__ scale_b, __hip_bfloat16* __restrict__ c,
              int m, int n, int k) {
  gemm_e4m3_native::run(
      porter::view(map_a), porter::view(map_b), porter::view<gemm_e4m3_native::Result>(c, n, m, n),
      [&](float sum, int row, int column) -> float { return sum * (scale_a[0] * scale_b[0]); });
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
    error = hipFuncSetAttribute(reinterpret_cast<const void*>(gemm_e4m3), hipFuncAttributeMaxDynamicSharedMemorySize, 0);
  }
  if (error != hipSuccess) return error;
  gemm_e4m3<<<gemm_e4m3_native::grid(map_a, map_b), gemm_e4m3_native::kThreads, 0, stream>>>(map_a, map_b, scale_a, scale_b, C, m, n, k);
  return hipGetLastError();
}
