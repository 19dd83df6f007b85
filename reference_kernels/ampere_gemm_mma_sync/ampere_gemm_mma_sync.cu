// C = A B in f16 or bf16 with f32 sums, Ampere's way: cp.async into a ring of stages, ldmatrix, mma.sync.m16n8k16.
//
//   A: m x k     B: k x n     C: m x n, all row-major; k and n multiples of 8, so that rows are whole 16 bytes
//
// B is stored along n and multiplied along k: ldmatrix transposes it on the way to the registers. Chunks of 16 bytes
// are swizzled so that the eight rows that ldmatrix reads at a time lie in different banks.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

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
__device__ __forceinline__ void copy_async(uint32_t to, const void* from, bool there) {
  const int bytes = there ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}
__device__ __forceinline__ void copy_commit() { asm volatile("cp.async.commit_group;\n" ::: "memory"); }
template <int kPending>
__device__ __forceinline__ void copy_wait() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(kPending) : "memory");
}

__device__ __forceinline__ void load_matrices(uint32_t (&r)[4], uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address)
               : "memory");
}
__device__ __forceinline__ void load_matrices_transposed(uint32_t (&r)[4], uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];\n"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address)
               : "memory");
}

template <typename T>
__device__ __forceinline__ void mma(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  if constexpr (std::is_same_v<T, __half>) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  } else {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  }
}

__device__ __forceinline__ void store_pair(__half* to, float left, float right) {
  *reinterpret_cast<__half2*>(to) = __floats2half2_rn(left, right);
}
__device__ __forceinline__ void store_pair(__nv_bfloat16* to, float left, float right) {
  *reinterpret_cast<__nv_bfloat162*>(to) = __floats2bfloat162_rn(left, right);
}

template <typename T>
__global__ void __launch_bounds__(kThreads)
    gemm(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c, int m, int n, int k) {
  extern __shared__ __align__(128) uint8_t memory[];
  const uint32_t base = static_cast<uint32_t>(__cvta_generic_to_shared(memory));
  const int row0 = blockIdx.y * kBlockM, column0 = blockIdx.x * kBlockN;
  const int steps = (k + kBlockK - 1) / kBlockK;

  const auto stage_a = [&](int stage) { return base + stage * (kBytesA + kBytesB); };
  const auto stage_b = [&](int stage) { return stage_a(stage) + kBytesA; };

  const auto load = [&](int step) {
    const int stage = step % kStages, k0 = step * kBlockK;
#pragma unroll
    for (int i = threadIdx.x; i < kBlockM * kChunksA; i += kThreads) {
      const int row = i / kChunksA, chunk = i % kChunksA;
      const bool there = row0 + row < m && k0 + chunk * kChunk < k;
      const T* from = there ? a + static_cast<size_t>(row0 + row) * k + k0 + chunk * kChunk : a;
      copy_async(stage_a(stage) + offset_a(row, chunk), from, there);
    }
#pragma unroll
    for (int i = threadIdx.x; i < kBlockK * kChunksB; i += kThreads) {
      const int row = i / kChunksB, chunk = i % kChunksB;
      const bool there = k0 + row < k && column0 + chunk * kChunk < n;
      const T* from = there ? b + static_cast<size_t>(k0 + row) * n + column0 + chunk * kChunk : b;
      copy_async(stage_b(stage) + offset_b(row, chunk), from, there);
    }
  };

  for (int step = 0; step < kStages - 1; ++step) {
    if (step < steps) load(step);
    copy_commit();  // a group a step, even an empty one: waiting counts groups
  }

  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int warp_row = warp / kWarpsN * kWarpM, warp_column = warp % kWarpsN * kWarpN;
  float sum[kTilesM][kTilesN][4] = {};

  for (int step = 0; step < steps; ++step) {
    copy_wait<kStages - 2>();
    __syncthreads();  // the step's data are there, and nobody reads the stage that is filled next
    if (step + kStages - 1 < steps) load(step + kStages - 1);
    copy_commit();

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
#pragma unroll
      for (int i = 0; i < kTilesM; ++i) {
#pragma unroll
        for (int j = 0; j < kTilesN; ++j) {
          mma<T>(sum[i][j], fragments_a[i], fragments_b[j / 2][j % 2 * 2], fragments_b[j / 2][j % 2 * 2 + 1]);
        }
      }
    }
  }

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
cudaError_t launch(const T* a, const T* b, T* c, int m, int n, int k, cudaStream_t stream) {
  if (m == 0 || n == 0) return cudaSuccess;
  if (k % kChunk != 0 || n % kChunk != 0) return cudaErrorInvalidValue;
  const cudaError_t error =
      cudaFuncSetAttribute(gemm<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes);
  if (error != cudaSuccess) return error;
  const dim3 grid((n + kBlockN - 1) / kBlockN, (m + kBlockM - 1) / kBlockM);
  gemm<T><<<grid, kThreads, kSharedBytes, stream>>>(a, b, c, m, n, k);
  return cudaGetLastError();
}

}  // namespace

extern "C" cudaError_t ampere_gemm_f16(const __half* A, const __half* B, __half* C, int m, int n, int k,
                                       cudaStream_t stream) {
  return launch(A, B, C, m, n, k, stream);
}

extern "C" cudaError_t ampere_gemm_bf16(const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, int m, int n,
                                        int k, cudaStream_t stream) {
  return launch(A, B, C, m, n, k, stream);
}
