// C = A B^T in bf16 with f32 sums: warp-specialised, persistent, two consumer warpgroups that take turns.
//
//   A: m x k     B: n x k     C: m x n, all row-major; k and n multiples of 8: tensor maps want rows of whole 16 bytes
//
// A block walks over tiles of C. One thread of the producer's warpgroup fills a ring of stages with tiles of A and B;
// the consumers take whole tiles of C in turn, so that one multiplies while the other converts and stores its result.
// The turn is passed by named barriers: a group begins when all data of the tile before its own has arrived, which also
// keeps its first wait for a stage from taking an older phase for its own.
#include <hip/hip_runtime.h>
#include "porter/gemm.h"
#include "porter/tensor_map.h"
#include <hip/hip_bf16.h>

#include <algorithm>
#include <cstdint>

namespace {

constexpr int kBlockM = 128;
constexpr int kBlockN = 128;
constexpr int kBlockK = 64;
constexpr int kStoreN = 64;    // columns of one store: 128 bytes, as wide as the swizzle

// A row of a tile of A or B is one row of its swizzle: 128, 64 or 32 bytes.
constexpr int kRowBytes = kBlockK * static_cast<int>(sizeof(__hip_bfloat16));
constexpr CUtensorMapSwizzle kSwizzle = kRowBytes == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                                        : kRowBytes == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                                          : CU_TENSOR_MAP_SWIZZLE_32B;

static_assert(kRowBytes == 128 || kRowBytes == 64 || kRowBytes == 32);

// porter[native-schedule]: gemm multiplies map_a and map_b (bf16 x bf16) and stores the sum as bf16 to map_c: it was executed on small problems to find that out, and is written anew for CDNA. Its roles, stages and barriers are gone; grid, block and shared memory of its launches follow
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
         const CUtensorMap map_c, int m, int n, int k) {
  gemm_native::run(
      porter::view(map_a), porter::view(map_b), porter::view(map_c),
      [&](float sum, int row, int column) -> float { return sum; });
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
    error = hipFuncSetAttribute(reinterpret_cast<const void*>(gemm), hipFuncAttributeMaxDynamicSharedMemorySize, 0);
  }
  if (error != hipSuccess) return error;
  gemm<<<gemm_native::grid(map_a, map_b), gemm_native::kThreads, 0, stream>>>(map_a, map_b, map_c, m, n, k);
  return hipGetLastError();
}
