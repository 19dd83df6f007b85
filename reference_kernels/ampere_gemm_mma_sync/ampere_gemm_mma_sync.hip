// C = A B in f16 or bf16 with f32 sums, Ampere's way: cp.async into a ring of stages, ldmatrix, mma.sync.m16n8k16.
//
//   A: m x k     B: k x n     C: m x n, all row-major; k and n multiples of 8, so that rows are whole 16 bytes
//
// B is stored along n and multiplied along k: ldmatrix transposes it on the way to the registers. Chunks of 16 bytes
// are swizzled so that the eight rows that ldmatrix reads at a time lie in different banks.
#define PORTER_MIRRORED 1
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include "porter/bf16.h"
#include "porter/held_copies.h"
#include "porter/ldmatrix.h"
#include "porter/mirror.h"
#include "porter/mma_sync.h"
#include "porter/ptx.h"
#include "porter/ptx_memory.h"

#include <cstdint>
#include <type_traits>

namespace {

constexpr int kBlockM = 128;
constexpr int kBlockN = 128;
constexpr int kBlockK = 32;
constexpr int kStages = 4;
constexpr int kWarpsM = 2;
constexpr int kWarpsN = 2;
constexpr int kWarpM = kBlockM / kWarpsM;
constexpr int kWarpN = kBlockN / kWarpsN;
constexpr int kThreads = 32 * kWarpsM * kWarpsN;
constexpr int kMmaM = 16, kMmaN = 8, kMmaK = 16;
constexpr int kTilesM = kWarpM / kMmaM;
constexpr int kTilesN = kWarpN / kMmaN;

constexpr int kChunk = 8;  // elements in 16 bytes
constexpr int kChunksA = kBlockK / kChunk;
constexpr int kChunksB = kBlockN / kChunk;
constexpr int kBytesA = kBlockM * kBlockK * 2;
constexpr int kBytesB = kBlockK * kBlockN * 2;
constexpr int kSharedBytes = kStages * (kBytesA + kBytesB);
static_assert(kChunksA == 4 && kChunksB % 8 == 0, "what the swizzles are made for");
static_assert(kStages >= 2, "one is read while another is filled");
static_assert(kTilesN % 2 == 0, "ldmatrix brings two tiles of B");

// Offsets in bytes within a stage. Two rows of A fill the 32 banks, so the swizzle changes every second row.
__device__ __forceinline__ int offset_a(int row, int chunk) { return (row * kChunksA + (chunk ^ (row / 2 % 4))) * 16; }
__device__ __forceinline__ int offset_b(int row, int chunk) { return (row * kChunksB + (chunk ^ (row % 8))) * 16; }

// 16 bytes, or zeros.
__device__ __forceinline__ void copy_async(porter::HeldCopies<16>& porter_copies, uint32_t to, const void* from, bool there) {
  const int bytes = there ? 16 : 0;
  porter::cp_async<16>(porter_copies, to, from, bytes);
}
__device__ __forceinline__ void copy_commit(porter::HeldCopies<16>& porter_copies) { porter::cp_async_commit(porter_copies); }
template <int kPending>
__device__ __forceinline__ void copy_wait(porter::HeldCopies<16>& porter_copies) {
  porter::cp_async_wait<kPending>(porter_copies);
}

__device__ __forceinline__ void load_matrices(uint32_t (&r)[4], uint32_t address) {
  {
    const uint32_t in4 = address;
    porter::ldmatrix<false>(in4, r[0], r[1], r[2], r[3]);
  }
}
__device__ __forceinline__ void load_matrices_transposed(uint32_t (&r)[4], uint32_t address) {
  {
    const uint32_t in4 = address;
    porter::ldmatrix<true>(in4, r[0], r[1], r[2], r[3]);
  }
}

template <typename T>
__device__ __forceinline__ void mma(porter::MmaPairs& porter_pairs, float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  if constexpr (std::is_same_v<T, __half>) {
    {
        const uint32_t in4 = a[0];
        const uint32_t in5 = a[1];
        const uint32_t in6 = a[2];
        const uint32_t in7 = a[3];
        const uint32_t in8 = b0;
        const uint32_t in9 = b1;
        porter::mma_f32_kept<porter::mma::f16, porter::mma::f16>(porter_pairs, d[0], d[1], d[2], d[3], in4, in5, in6, in7, in8, in9, d[0], d[1], d[2], d[3]);
    }
  } else {
    {
        const uint32_t in4 = a[0];
        const uint32_t in5 = a[1];
        const uint32_t in6 = a[2];
        const uint32_t in7 = a[3];
        const uint32_t in8 = b0;
        const uint32_t in9 = b1;
        porter::mma_f32_kept<porter::mma::bf16, porter::mma::bf16>(porter_pairs, d[0], d[1], d[2], d[3], in4, in5, in6, in7, in8, in9, d[0], d[1], d[2], d[3]);
    }
  }
}

__device__ __forceinline__ void store_pair(__half* to, float left, float right) {
  *reinterpret_cast<__half2*>(to) = __floats2half2_rn(left, right);
}
__device__ __forceinline__ void store_pair(__hip_bfloat16* to, float left, float right) {
  *reinterpret_cast<__hip_bfloat162*>(to) = porter::floats2bfloat162_rn(left, right);
}

template <typename T>
__global__ void __launch_bounds__(kThreads)
    gemm(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c, int m, int n, int k) {
  porter::HeldCopies<16> porter_copies(porter::copying::by_turns);
  porter::threads_at_most(kThreads);
  extern __shared__ __align__(128) uint8_t memory[];
  const uint32_t base = static_cast<uint32_t>(porter::cvta_generic_to_shared(memory));
  const int row0 = blockIdx.y * kBlockM, column0 = blockIdx.x * kBlockN;
  const int steps = (k + kBlockK - 1) / kBlockK;

  const auto stage_a = [&](int stage) { return base + stage * (kBytesA + kBytesB); };
  const auto stage_b = [&](int stage) { return stage_a(stage) + kBytesA; };

  const auto load = [&] __attribute__((always_inline))(int step) {
    const int stage = step % kStages, k0 = step * kBlockK;
#pragma unroll
    for (int i = threadIdx.x; i < kBlockM * kChunksA; i += kThreads) {
      const int row = i / kChunksA, chunk = i % kChunksA;
      const bool there = row0 + row < m && k0 + chunk * kChunk < k;
      const T* from = there ? a + static_cast<size_t>(row0 + row) * k + k0 + chunk * kChunk : a;
      copy_async(porter_copies, stage_a(stage) + offset_a(row, chunk), from, there);
    }
#pragma unroll
    for (int i = threadIdx.x; i < kBlockK * kChunksB; i += kThreads) {
      const int row = i / kChunksB, chunk = i % kChunksB;
      const bool there = k0 + row < k && column0 + chunk * kChunk < n;
      const T* from = there ? b + static_cast<size_t>(k0 + row) * n + column0 + chunk * kChunk : b;
      copy_async(porter_copies, stage_b(stage) + offset_b(row, chunk), from, there);
    }
  };

  for (int step = 0; step < kStages - 1; ++step) {
    if (step < steps) load(step);
    copy_commit(porter_copies);  // a group a step, even an empty one: waiting counts groups
  }

  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int warp_row = warp / kWarpsN * kWarpM, warp_column = warp % kWarpsN * kWarpN;
  float sum[kTilesM][kTilesN][4] = {};

  porter::keep(sum);
  for (int step = 0; step < steps; ++step) {
    copy_wait<kStages - 2>(porter_copies);
    __syncthreads();  // the step's data are there, and nobody reads the stage that is filled next
    if (step + kStages - 1 < steps) load(step + kStages - 1);
    copy_commit(porter_copies);

    const uint32_t tile_a = stage_a(step % kStages), tile_b = stage_b(step % kStages);
#pragma unroll
    for (int k0 = 0; k0 < kBlockK; k0 += kMmaK) {
      uint32_t fragments_a[kTilesM][4], fragments_b[kTilesN / 2][4];
#pragma unroll
      for (int i = 0; i < kTilesM; ++i) {
        load_matrices(fragments_a[i],
                      tile_a + offset_a(warp_row + i * kMmaM + lane % 16, k0 / kChunk + lane / 16));
      }
#pragma unroll
      for (int j = 0; j < kTilesN / 2; ++j) {  // two tiles of eight columns at a time
        load_matrices_transposed(fragments_b[j],
                                 tile_b + offset_b(k0 + lane % 16, warp_column / kChunk + 2 * j + lane / 16));
      }
      { porter::MmaPairs porter_pairs;
#pragma unroll
      for (int i = 0; i < kTilesM; ++i) {
#pragma unroll
        for (int j = 0; j < kTilesN; ++j) {
          mma<T>(porter_pairs, sum[i][j], fragments_a[i], fragments_b[j / 2][j % 2 * 2], fragments_b[j / 2][j % 2 * 2 + 1]);
        }
      }
      }
    }
  }
  porter::present(sum);

#pragma unroll
  for (int i = 0; i < kTilesM; ++i) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int row = row0 + warp_row + i * kMmaM + lane / 4 + 8 * half;
      if (row >= m) continue;
#pragma unroll
      for (int j = 0; j < kTilesN; ++j) {
        const int column = column0 + warp_column + j * kMmaN + 2 * (lane % 4);
        if (column < n) {
          store_pair(c + static_cast<size_t>(row) * n + column, sum[i][j][2 * half], sum[i][j][2 * half + 1]);
        }
      }
    }
  }
}

template <typename T>
hipError_t launch(const T* a, const T* b, T* c, int m, int n, int k, hipStream_t stream) {
  if (m == 0 || n == 0) return hipSuccess;
  if (k % kChunk != 0 || n % kChunk != 0) return hipErrorInvalidValue;
  const hipError_t error =
      hipFuncSetAttribute(reinterpret_cast<const void*>(gemm<T>), hipFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes);
  if (error != hipSuccess) return error;
  const dim3 grid((n + kBlockN - 1) / kBlockN, (m + kBlockM - 1) / kBlockM);
  gemm<T><<<grid, porter::mirrored(kThreads), kSharedBytes, stream>>>(a, b, c, m, n, k);
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
