// C = A B in f16 or bf16 with f32 sums, Ampere's way: cp.async into a ring of stages, ldmatrix, mma.sync.m16n8k16.
//
//   A: m x k     B: k x n     C: m x n, all row-major; k and n multiples of 8, so that rows are whole 16 bytes
//
// B is stored along n and multiplied along k: ldmatrix transposes it on the way to the registers. Chunks of 16 bytes
// are swizzled so that the eight rows that ldmatrix reads at a time lie in different banks.
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include "porter/gemm.h"

#include <cstdint>
#include <type_traits>

namespace {

constexpr int kChunk = 8;  // elements in 16 bytes

// porter[native-schedule]: gemm multiplies a and b (f16 or bf16) and stores the sum as f16 or bf16 to c: it was executed on small problems to find that out, and is written anew for CDNA. Its roles, stages and barriers are gone; grid, block and shared memory of its launches follow
// C = A B^T on gfx942, in the place of a kernel written for NVIDIA's chips; porter/gemm.h has the schedule.
template <class E>
struct gemm_native_problem : porter::gemm::Problem {
  using A = E;
  using B = E;
  using C = E;
  static constexpr bool kAIsKMajor = true, kBIsKMajor = false;
};
// Its grid and its block are those of all elements.
using gemm_native = porter::gemm::Schedule<gemm_native_problem<porter::gemm::f16>>;

// Two waves a SIMD: 256 registers each, half of them sums.
template <typename T>
__global__ void __launch_bounds__(gemm_native::kThreads, 2)
    gemm(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c, int m, int n, int k) {
  using E = std::conditional_t<std::is_same_v<T, __half>, porter::gemm::f16, porter::gemm::bf16>;
  porter::gemm::Schedule<gemm_native_problem<E>>::run(
      porter::view<uint16_t>(a, k, m, k), porter::view<uint16_t>(b, n, k, n), porter::view<gemm_native::Result>(c, n, m, ~0u),
      [&](float sum, int row, int column) -> float { return sum; });
}

template <typename T>
hipError_t launch(const T* a, const T* b, T* c, int m, int n, int k, hipStream_t stream) {
  if (m == 0 || n == 0) return hipSuccess;
  if (k % kChunk != 0 || n % kChunk != 0) return hipErrorInvalidValue;
  const hipError_t error =
      hipFuncSetAttribute(reinterpret_cast<const void*>(gemm<T>), hipFuncAttributeMaxDynamicSharedMemorySize, 0);
  if (error != hipSuccess) return error;
  gemm<T><<<gemm_native::grid(m, n), gemm_native::kThreads, 0, stream>>>(a, b, c, m, n, k);
  return hipGetLastError();
}

}  // namespace

extern "C" hipError_t ampere_gemm_f16(const __half* A, const __half* B, __half* C, int m, int n, int k,
                                       hipStream_t stream) {
  return launch(A, B, C, m, n, k, stream);
}

extern "C" hipError_t ampere_gemm_bf16(const __hip_bfloat16* A, const __hip_bfloat16* B, __hip_bfloat16* C, int m, int n,
                                        int k, hipStream_t stream) {
  return launch(A, B, C, m, n, k, stream);
}
