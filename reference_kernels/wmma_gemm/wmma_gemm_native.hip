// D = alpha A B + beta D: A and B f16, sums and D f32, with nvcuda::wmma.
//
//   A: m x k     B: k x n     D: m x n, all row-major, any sizes
//
// Four warps have 32 x 32 each of a tile of 64 x 64. The next step's tiles are on their way from memory to registers
// while the present ones are multiplied. wmma does not say which thread has which element, so results go through
// shared memory before what is outside of D is left out.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include "porter/gemm.h"

#include <cstdint>

namespace {

constexpr int kChunk = 8;  // elements in 16 bytes

// porter[native-schedule]: gemm multiplies a and b (f16 x f16) and stores beta == 0.0f ? sum * alpha : (beta * before) + (sum * alpha) as f32 to d: it was executed on small problems to find that out, and is written anew for CDNA. Its roles, stages and barriers are gone; grid, block and shared memory of its launches follow
// C = A B^T on gfx942, in the place of a kernel written for NVIDIA's chips; porter/gemm.h has the schedule.
struct gemm_native_problem : porter::gemm::Problem {
  using A = porter::gemm::f16;
  using B = porter::gemm::f16;
  using C = porter::gemm::f32;
  static constexpr bool kAIsKMajor = true, kBIsKMajor = false;
  static constexpr bool kInChunks = false;
};
using gemm_native = porter::gemm::Schedule<gemm_native_problem>;

// Two waves a SIMD: 256 registers each, half of them sums.
template <bool kVector>
__global__ void __launch_bounds__(gemm_native::kThreads, 2)
    gemm(const __half* __restrict__ a, const __half* __restrict__ b, float* __restrict__ d, int m, int n, int k,
         float alpha, float beta) {
  gemm_native::run(
      porter::view<uint16_t>(a, k, m, k), porter::view<uint16_t>(b, n, k, n), porter::view<gemm_native::Result>(d, n, m, n),
      [&](float sum, int row, int column, float before) -> float { return beta == 0.0f ? sum * alpha : (beta * before) + (sum * alpha); });
}

}  // namespace

extern "C" hipError_t wmma_gemm(const __half* A, const __half* B, float* D, int m, int n, int k, float alpha,
                                 float beta, hipStream_t stream) {
  if (m == 0 || n == 0) return hipSuccess;
  if (k % kChunk == 0 && n % kChunk == 0) {
    gemm<true><<<gemm_native::grid(m, n), gemm_native::kThreads, 0, stream>>>(A, B, D, m, n, k, alpha, beta);
  } else {
    gemm<false><<<gemm_native::grid(m, n), gemm_native::kThreads, 0, stream>>>(A, B, D, m, n, k, alpha, beta);
  }
  return hipGetLastError();
}
