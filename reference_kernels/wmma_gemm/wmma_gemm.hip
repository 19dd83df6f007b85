// D = alpha A B + beta D: A and B f16, sums and D f32, with nvcuda::wmma.
//
//   A: m x k     B: k x n     D: m x n, all row-major, any sizes
//
// Four warps have 32 x 32 each of a tile of 64 x 64. The next step's tiles are on their way from memory to registers
// while the present ones are multiplied. wmma does not say which thread has which element, so results go through
// shared memory before what is outside of D is left out.
#define PORTER_MIRRORED 1
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include "porter/memory.h"
#include "porter/mirror.h"
#include "porter/wmma.h"

#include <cstdint>

namespace wmma = nvcuda::wmma;

namespace {

constexpr int kBlockM = 64;
constexpr int kBlockN = 64;
constexpr int kBlockK = 32;
constexpr int kWmma = 16;  // m, n and k of one operation
constexpr int kWarpM = 32;
constexpr int kWarpN = 32;
constexpr int kThreads = 32 * (kBlockM / kWarpM) * (kBlockN / kWarpN);
constexpr int kChunk = 8;  // elements in 16 bytes
constexpr int kPad = 8;    // elements a row, against bank conflicts
constexpr int kRowA = kBlockK + kPad;
constexpr int kRowB = kBlockN + kPad;
constexpr int kRowD = kBlockN + 4;
constexpr int kChunksA = kBlockM * kBlockK / kChunk / kThreads;  // of a thread
constexpr int kChunksB = kBlockK * kBlockN / kChunk / kThreads;

struct Shared {
  alignas(32) __half a[kBlockM * kRowA];
  alignas(32) __half b[kBlockK * kRowB];
  alignas(32) float d[kBlockM * kRowD];
};

// Eight elements of a row of a matrix; zeros outside. kVector: rows are whole 16 bytes.
template <bool kVector>
__device__ __forceinline__ uint4 load_chunk(const __half* __restrict__ matrix, int row, int column, int rows,
                                            int columns) {
  uint4 chunk = make_uint4(0, 0, 0, 0);
  if (row >= rows) return chunk;
  const __half* from = matrix + static_cast<size_t>(row) * columns + column;
  if constexpr (kVector) {
    if (column < columns) chunk = __ldg(reinterpret_cast<const uint4*>(from));
  } else {
    __half* elements = reinterpret_cast<__half*>(&chunk);
#pragma unroll
    for (int i = 0; i < kChunk; ++i) {
      if (column + i < columns) elements[i] = porter::load(from + i);
    }
  }
  return chunk;
}

template <bool kVector>
__global__ void __launch_bounds__(kThreads)
    gemm(const __half* __restrict__ a, const __half* __restrict__ b, float* __restrict__ d, int m, int n, int k,
         float alpha, float beta) {
  porter::threads_at_most(kThreads);
  __shared__ Shared shared;
  const int row0 = blockIdx.y * kBlockM, column0 = blockIdx.x * kBlockN;
  const int warp = threadIdx.x / 32;
  const int warp_row = warp / (kBlockN / kWarpN) * kWarpM, warp_column = warp % (kBlockN / kWarpN) * kWarpN;

  wmma::fragment<wmma::accumulator, kWmma, kWmma, kWmma, float> sum[kWarpM / kWmma][kWarpN / kWmma];
#pragma unroll
  for (int i = 0; i < kWarpM / kWmma; ++i) {
#pragma unroll
    for (int j = 0; j < kWarpN / kWmma; ++j) wmma::fill_fragment(sum[i][j], 0.0f);
  }

  uint4 next_a[kChunksA], next_b[kChunksB];
  const auto load = [&](int k0) {
#pragma unroll
    for (int i = 0; i < kChunksA; ++i) {
      const int index = threadIdx.x + i * kThreads;
      next_a[i] = load_chunk<kVector>(a, row0 + index / (kBlockK / kChunk),
                                      k0 + index % (kBlockK / kChunk) * kChunk, m, k);
    }
#pragma unroll
    for (int i = 0; i < kChunksB; ++i) {
      const int index = threadIdx.x + i * kThreads;
      next_b[i] = load_chunk<kVector>(b, k0 + index / (kBlockN / kChunk),
                                      column0 + index % (kBlockN / kChunk) * kChunk, k, n);
    }
  };
  const auto store = [&] {
#pragma unroll
    for (int i = 0; i < kChunksA; ++i) {
      const int index = threadIdx.x + i * kThreads;
      const int row = index / (kBlockK / kChunk), column = index % (kBlockK / kChunk) * kChunk;
      *reinterpret_cast<uint4*>(&shared.a[row * kRowA + column]) = next_a[i];
    }
#pragma unroll
    for (int i = 0; i < kChunksB; ++i) {
      const int index = threadIdx.x + i * kThreads;
      const int row = index / (kBlockN / kChunk), column = index % (kBlockN / kChunk) * kChunk;
      *reinterpret_cast<uint4*>(&shared.b[row * kRowB + column]) = next_b[i];
    }
  };

  if (k > 0) load(0);
  for (int k0 = 0; k0 < k; k0 += kBlockK) {
    __syncthreads();  // nobody reads the last step's tiles any more
    store();
    __syncthreads();
    if (k0 + kBlockK < k) load(k0 + kBlockK);
#pragma unroll
    for (int kk = 0; kk < kBlockK; kk += kWmma) {
      wmma::fragment<wmma::matrix_a, kWmma, kWmma, kWmma, __half, wmma::row_major> left[kWarpM / kWmma];
      wmma::fragment<wmma::matrix_b, kWmma, kWmma, kWmma, __half, wmma::row_major> right[kWarpN / kWmma];
#pragma unroll
      for (int i = 0; i < kWarpM / kWmma; ++i) {
        wmma::load_matrix_sync(left[i], &shared.a[(warp_row + i * kWmma) * kRowA + kk], kRowA);
      }
#pragma unroll
      for (int j = 0; j < kWarpN / kWmma; ++j) {
        wmma::load_matrix_sync(right[j], &shared.b[kk * kRowB + warp_column + j * kWmma], kRowB);
      }
#pragma unroll
      for (int i = 0; i < kWarpM / kWmma; ++i) {
#pragma unroll
        for (int j = 0; j < kWarpN / kWmma; ++j) wmma::mma_sync(sum[i][j], left[i], right[j], sum[i][j]);
      }
    }
  }

#pragma unroll
  for (int i = 0; i < kWarpM / kWmma; ++i) {
#pragma unroll
    for (int j = 0; j < kWarpN / kWmma; ++j) {
#pragma unroll
      for (int x = 0; x < sum[i][j].num_elements; ++x) sum[i][j].x[x] *= alpha;  // every element, wherever it is
      wmma::store_matrix_sync(&shared.d[(warp_row + i * kWmma) * kRowD + warp_column + j * kWmma], sum[i][j], kRowD,
                              wmma::mem_row_major);
    }
  }
  __syncthreads();
  for (int index = threadIdx.x; index < kBlockM * kBlockN; index += kThreads) {
    const int row = index / kBlockN, column = index % kBlockN;
    if (row0 + row >= m || column0 + column >= n) continue;
    float* to = d + static_cast<size_t>(row0 + row) * n + column0 + column;
    const float value = shared.d[row * kRowD + column];
    *to = beta == 0.0f ? value : fmaf(beta, *to, value);  // with 0, D may hold anything
  }
}

}  // namespace

extern "C" hipError_t wmma_gemm(const __half* A, const __half* B, float* D, int m, int n, int k, float alpha,
                                 float beta, hipStream_t stream) {
  if (m == 0 || n == 0) return hipSuccess;
  const dim3 grid((n + kBlockN - 1) / kBlockN, (m + kBlockM - 1) / kBlockM);
  if (k % kChunk == 0 && n % kChunk == 0) {
    gemm<true><<<grid, porter::mirrored(kThreads), 0, stream>>>(A, B, D, m, n, k, alpha, beta);
  } else {
    gemm<false><<<grid, porter::mirrored(kThreads), 0, stream>>>(A, B, D, m, n, k, alpha, beta);
  }
  return hipGetLastError();
}
