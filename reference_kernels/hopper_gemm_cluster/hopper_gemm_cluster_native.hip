// C = A B^T in bf16 with f32 sums: clusters of two blocks that load what they share once, by multicast.
//
//   A: m x k     B: n x k     C: m x n, all row-major; k a multiple of 8, as tensor maps want rows of whole 16 bytes
//
// The blocks of a cluster have tiles of C below each other: A is their own, B the same. Each loads half of the rows of
// B's tile into the shared memory of both. A stage may be filled again when the consumers of both blocks have read it,
// so their arrivals go to the `empty` barriers of both. Where the number of rows of tiles is odd, the last block has
// nothing to store; it loads its half of B all the same.
#include <hip/hip_runtime.h>
#include "porter/gemm.h"
#include "porter/tensor_map.h"
#include <hip/hip_bf16.h>

#include <cstdint>

namespace {

constexpr int kCluster = 2;
constexpr int kBlockM = 64;
constexpr int kBlockN = 128;
constexpr int kBlockK = 64;  // 128 bytes: one row of the swizzle
constexpr int kHalfN = kBlockN / kCluster;  // rows of B that a block loads
static_assert(kBlockM == 64 && kBlockN == 128 && kBlockK == 64, "one warpgroup, one wgmma, one row of the swizzle");

// porter[native-schedule]: gemm multiplies map_a and map_b (bf16 x bf16) and stores the sum as bf16 to c: it was executed on small problems to find that out, and is written anew for CDNA. Its roles, stages and barriers are gone; grid, block and shared memory of its launches follow
// C = A B^T on gfx942, in the place of a kernel written for NVIDIA's chips; porter/gemm.h has the schedule.
struct gemm_native_problem : porter::gemm::Problem {
  using A = porter::gemm::bf16;
  using B = porter::gemm::bf16;
  using C = porter::gemm::bf16;
  static constexpr bool kAIsKMajor = true, kBIsKMajor = true;
};
using gemm_native = porter::gemm::Schedule<gemm_native_problem>;

// Two waves a SIMD: 256 registers each, half of them sums.
__global__ void __launch_bounds__(gemm_native::kThreads, 2)
    gemm(const CUtensorMap map_a, const CUtensorMap map_b,
         __hip_bfloat16* __restrict__ c, int m, int n, int k) {
  gemm_native::run(
      porter::view(map_a), porter::view(map_b), porter::view<gemm_native::Result>(c, n, m, n),
      [&](float sum, int row, int column) -> float { return sum; });
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
  const hipError_t error = hipFuncSetAttribute(reinterpret_cast<const void*>(gemm), hipFuncAttributeMaxDynamicSharedMemorySize, 0);
  if (error != hipSuccess) return error;
  gemm<<<gemm_native::grid(map_a, map_b), gemm_native::kThreads, 0, stream>>>(map_a, map_b, C, m, n, k);
  return hipGetLastError();
}
