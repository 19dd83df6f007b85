// The skinny GEMM by hand for gfx942: matrix instructions for sparse A, fed with a dense A of half as many rows.
//
// v_smfmac_f32_16x16x64_fp8_fp8 multiplies a 16 x 64 A, of which in every four neighbours along k two are zero and not
// stored, with a dense 64 x 16 B, in the time of a dense 16 x 16 x 32. A dense row is two such rows: one has elements 0
// and 1 of every four, the other 2 and 3. So eight dense rows fill the sixteen of the instruction without waste, where
// the dense instruction would spend half of its work on padding; the sum of each pair of rows of D is the dense row's.
// (Hugging Face describe the trick in their article on kernels for the MI300.) Nine to sixteen rows take two of these
// for each load of b, and so on; the dense instruction would do as well there.
//
// gfx942's fp8 is FNUZ: the bits of an OCP e4m3 number mean half of it, denormals too. So a product comes out as a
// quarter, and a factor of 4 in the scale puts that right, exactly. Three codes differ beside: 0x80 is -0 in OCP and NaN
// in FNUZ, 0x7f and 0xff are NaN in OCP and 240 and -240 in FNUZ. They are replaced in registers, four at a time.
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include "porter/fp8_types.h"
#include <hip/hip_runtime.h>

#include <cstdint>
#include <type_traits>

namespace {

constexpr int kWave = 64;
constexpr int kWaves = 4;               // of a block: each takes a quarter of its slice of k
constexpr int kThreads = kWave * kWaves;
constexpr int kRows = 8;                // dense rows of one instruction
constexpr int kColumns = 16;            // of a block
constexpr int kDepth = 64;              // of k in one instruction: 16 elements a lane
constexpr int kAhead = 4;               // instructions' worth of b in flight
constexpr int kTurn = kDepth * kAhead;
constexpr int kLeastSlice = kTurn * kWaves;
constexpr int kBlocksPerUnit = 4;

using Quad = float __attribute__((ext_vector_type(4)));
using Words2 = int __attribute__((ext_vector_type(2)));
using Words4 = int __attribute__((ext_vector_type(4)));

// Four OCP e4m3 codes to FNUZ codes of half the value.
__device__ __forceinline__ uint32_t fnuz_of_ocp(uint32_t ocp) {
  const uint32_t low = ocp & 0x7f7f7f7fu;
  const uint32_t not_zero = low + 0x7f7f7f7fu;                // bit 7 of each byte
  const uint32_t nan = (low + 0x01010101u) & 0x80808080u;     // 0x7f overflows into it
  const uint32_t number = ocp & (not_zero | 0x7f7f7f7fu);     // -0 loses its sign
  return (number & ~(nan - (nan >> 7))) | nan;                // NaN keeps nothing but bit 7
}

__device__ __forceinline__ uint4 fnuz_of_ocp(uint4 ocp) {
  return make_uint4(fnuz_of_ocp(ocp.x), fnuz_of_ocp(ocp.y), fnuz_of_ocp(ocp.z), fnuz_of_ocp(ocp.w));
}

// 16 elements of a row, zeros from `end` on. kVector: k is a multiple of 16 and the rows are aligned. kWhole: none of
// them is beyond `end`.
template <bool kVector, bool kWhole, bool kOnce>
__device__ __forceinline__ uint4 load(const uint8_t* __restrict__ row, int at, int end) {
  uint4 value = make_uint4(0, 0, 0, 0);
  if constexpr (kVector) {
    if (kWhole || at < end) {
      const auto* from = reinterpret_cast<const Words4*>(row + at);
      const Words4 words = kOnce ? __builtin_nontemporal_load(from) : *from;
      value = make_uint4(words.x, words.y, words.z, words.w);
    }
  } else {
    alignas(16) uint8_t byte[16];
#pragma unroll
    for (int i = 0; i < 16; ++i) byte[i] = kWhole || at + i < end ? row[at + i] : 0;
    value = *reinterpret_cast<const uint4*>(byte);
  }
  return value;
}

__device__ __forceinline__ void store(__half* out, float value) { *out = __float2half(value); }
__device__ __forceinline__ void store(__hip_bfloat16* out, float value) { *out = __float2bfloat16(value); }

// Blocks: x columns by 16, y slices of k. kTiles: eights of rows.
//
// Lane l has of B column l % 16 and k 16 * (l / 16) on, of A row l % 16 and the same k. Its A is the stored half of 16
// elements: of the dense row's four words the low halves in even lanes, the high halves in odd ones. Two bits of the
// index a stored element say which of the four it is.
template <typename T, int kTiles, bool kVector>
__global__ void __launch_bounds__(kThreads)
    skinny_gemm_sparse(const uint8_t* __restrict__ a, const uint8_t* __restrict__ b, const float* __restrict__ scale_a,
                       const float* __restrict__ scale_b, T* __restrict__ out, float* __restrict__ partial, int m,
                       int n, int k, int slice) {
  __shared__ float sums[kWaves][kTiles * kRows][kColumns];
  const int lane = threadIdx.x % kWave;
  const int wave = threadIdx.x / kWave;
  const bool odd = lane % 2 != 0;
  const int index = odd ? 0xeeee : 0x4444;                          // elements 3 and 2, or 1 and 0, eight times
  const uint32_t halves = odd ? 0x07060302u : 0x05040100u;          // for v_perm_b32
  const int first_column = blockIdx.x * kColumns;
  const uint8_t* weights = b + static_cast<size_t>(min(first_column + lane % 16, n - 1)) * k;
  const uint8_t* activations[kTiles];
#pragma unroll
  for (int tile = 0; tile < kTiles; ++tile)
    activations[tile] = a + static_cast<size_t>(min(tile * kRows + lane % 16 / 2, m - 1)) * k;

  Quad sum[kTiles] = {};
  const int end = min(static_cast<int>(blockIdx.y + 1) * slice, k);
  const auto turn = [&](auto whole, int base) {
    constexpr bool kWhole = decltype(whole)::value;
    const int at = base + lane / 16 * 16;
    uint4 row[kAhead][kTiles], weight[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
#pragma unroll
      for (int tile = 0; tile < kTiles; ++tile)
        row[i][tile] = load<kVector, kWhole, false>(activations[tile], at + i * kDepth, end);
    }
#pragma unroll
    for (int i = 0; i < kAhead; ++i) weight[i] = load<kVector, kWhole, true>(weights, at + i * kDepth, end);
    // Loads stay above, or the compiler moves each to its use and waits there.
    __builtin_amdgcn_sched_barrier(0);
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const uint4 column = fnuz_of_ocp(weight[i]);
      const Words4 words_b = {int(column.x), int(column.y), int(column.z), int(column.w)};
#pragma unroll
      for (int tile = 0; tile < kTiles; ++tile) {
        const uint4 dense = row[i][tile];
        const uint32_t low = fnuz_of_ocp(__builtin_amdgcn_perm(dense.y, dense.x, halves));
        const uint32_t high = fnuz_of_ocp(__builtin_amdgcn_perm(dense.w, dense.z, halves));
        const Words2 words_a = {int(low), int(high)};
        sum[tile] = __builtin_amdgcn_smfmac_f32_16x16x64_fp8_fp8(words_a, words_b, sum[tile], index, 0, 0);
      }
    }
  };
  int base = blockIdx.y * slice + wave * kTurn;
  for (; base + kTurn <= end; base += kWaves * kTurn) turn(std::true_type{}, base);
  if (base < end) turn(std::false_type{}, base);

  // Lane l has rows 4 * (l / 16) to + 3 of column l % 16: two dense rows.
#pragma unroll
  for (int tile = 0; tile < kTiles; ++tile) {
    sums[wave][tile * kRows + lane / 16 * 2][lane % 16] = sum[tile].x + sum[tile].y;
    sums[wave][tile * kRows + lane / 16 * 2 + 1][lane % 16] = sum[tile].z + sum[tile].w;
  }
  __syncthreads();
  for (int at = threadIdx.x; at < kTiles * kRows * kColumns; at += kThreads) {
    const int row = at / kColumns, column = at % kColumns;
    float total = 0.0f;
#pragma unroll
    for (int w = 0; w < kWaves; ++w) total += sums[w][row][column];
    if (row >= m || first_column + column >= n) continue;
    const size_t to = static_cast<size_t>(row) * n + first_column + column;
    if (partial == nullptr) {
      store(out + to, 4.0f * total * scale_a[row] * scale_b[first_column + column]);
    } else {
      partial[static_cast<size_t>(blockIdx.y) * m * n + to] = total;
    }
  }
}

// Adds up the slices, always in the same order.
template <typename T>
__global__ void __launch_bounds__(256)
    skinny_gemm_reduce(const float* __restrict__ partial, const float* __restrict__ scale_a,
                       const float* __restrict__ scale_b, T* __restrict__ out, int m, int n, int slices) {
  const int elements = m * n;
  const int at = blockIdx.x * 256 + threadIdx.x;
  if (at >= elements) return;
  float sum = 0.0f;
#pragma unroll 4
  for (int s = 0; s < slices; ++s) sum += partial[static_cast<size_t>(s) * elements + at];
  store(out + at, 4.0f * sum * scale_a[at / n] * scale_b[at % n]);
}

constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }

template <typename T, int kTiles>
void launch_tiles(dim3 grid, bool vector, hipStream_t stream, const uint8_t* a, const uint8_t* b, const float* scale_a,
                  const float* scale_b, T* out, float* partial, int m, int n, int k, int slice) {
  auto* kernel = vector ? skinny_gemm_sparse<T, kTiles, true> : skinny_gemm_sparse<T, kTiles, false>;
  kernel<<<grid, kThreads, 0, stream>>>(a, b, scale_a, scale_b, out, partial, m, n, k, slice);
}

template <typename T>
hipError_t launch(const porter::fp8_e4m3* a_fp8, const porter::fp8_e4m3* b_fp8, const float* scale_a, const float* scale_b,
                  T* out, int m, int n, int k, hipStream_t stream) {
  if (m <= 0 || n <= 0) return hipSuccess;
  if (m > 4 * kRows) {  // 32 rows at a time
    const hipError_t error = launch(a_fp8, b_fp8, scale_a, scale_b, out, 4 * kRows, n, k, stream);
    if (error != hipSuccess) return error;
    return launch(a_fp8 + static_cast<size_t>(4 * kRows) * k, b_fp8, scale_a + 4 * kRows, scale_b,
                  out + static_cast<size_t>(4 * kRows) * n, m - 4 * kRows, n, k, stream);
  }
  const uint8_t* a = reinterpret_cast<const uint8_t*>(a_fp8);
  const uint8_t* b = reinterpret_cast<const uint8_t*>(b_fp8);
  const bool vector = k % 16 == 0 && (reinterpret_cast<uintptr_t>(a) | reinterpret_cast<uintptr_t>(b)) % 16 == 0;

  int device = 0, units = 0;
  hipError_t error = hipGetDevice(&device);
  if (error == hipSuccess) error = hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, device);
  if (error != hipSuccess) return error;
  const int column_blocks = ceil_div(n, kColumns);
  const int wanted = ceil_div(kBlocksPerUnit * units, column_blocks);
  const int possible = k / kLeastSlice > 1 ? k / kLeastSlice : 1;
  const int slice = ceil_div(ceil_div(k, wanted < possible ? wanted : possible), kLeastSlice) * kLeastSlice;
  const int slices = k > 0 ? ceil_div(k, slice) : 1;

  float* partial = nullptr;
  if (slices > 1) {
    error = hipMallocAsync(reinterpret_cast<void**>(&partial), sizeof(float) * slices * m * n, stream);
    if (error != hipSuccess) return error;
  }
  const int tiles = ceil_div(m, kRows);
  auto* run = tiles == 1 ? launch_tiles<T, 1> : tiles == 2 ? launch_tiles<T, 2> : launch_tiles<T, 4>;
  run(dim3(column_blocks, slices), vector, stream, a, b, scale_a, scale_b, out, partial, m, n, k, slice);
  if (partial != nullptr) {
    skinny_gemm_reduce<T>
        <<<ceil_div(m * n, 256), 256, 0, stream>>>(partial, scale_a, scale_b, out, m, n, slices);
    error = hipFreeAsync(partial, stream);
    if (error != hipSuccess) return error;
  }
  return hipGetLastError();
}

}  // namespace

extern "C" hipError_t skinny_gemm_bf16(const porter::fp8_e4m3* a, const porter::fp8_e4m3* b, const float* scale_a,
                                       const float* scale_b, __hip_bfloat16* out, int m, int n, int k,
                                       hipStream_t stream) {
  return launch(a, b, scale_a, scale_b, out, m, n, k, stream);
}

extern "C" hipError_t skinny_gemm_f16(const porter::fp8_e4m3* a, const porter::fp8_e4m3* b, const float* scale_a,
                                      const float* scale_b, __half* out, int m, int n, int k, hipStream_t stream) {
  return launch(a, b, scale_a, scale_b, out, m, n, k, stream);
}
