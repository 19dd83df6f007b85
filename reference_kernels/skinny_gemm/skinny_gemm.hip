// A GEMM with few rows, as in decoding: out = (a b^T) * scale_a * scale_b, a and b fp8 (e4m3), sums in float.
//
//   a: m x k activations, a scale a row     b: n x k weights, a scale a row (a column of out)     out: m x n, bf16 or fp16
//
// All the time goes into reading b once, so there are no tensor cores here: a warp takes four rows of b, each lane 16
// bytes of each at a time, and multiplies them with up to eight rows of a. To have enough loads in flight where n is
// small, k is cut into slices; each slice leaves its sums in a workspace and a second kernel adds them up in a fixed
// order, so that results do not change from run to run. More than eight rows are several blocks that read the same
// rows of b at the same time, out of L2.
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include "porter/fp8_types.h"
#include <hip/hip_runtime.h>
#include "porter/memory.h"
#include "porter/ptx.h"

#include <cstdint>

namespace {

constexpr unsigned kFullMask = 0xffffffffu;
constexpr int kWarps = 4;
constexpr int kThreads = 32 * kWarps;
constexpr int kColumns = 4;               // rows of b that a warp has, columns of out
constexpr int kBytes = 16;                // of a lane's load: as many elements of k
constexpr int kStep = 32 * kBytes;        // of k that a warp has in one turn
constexpr int kLeastSlice = 2 * kStep;    // below that a slice costs more than it brings
constexpr int kBlocksPerSm = 8;

__device__ __forceinline__ uint4 load_weights(const uint8_t* address) {
  uint4 value;
  {
    const uint4 v = porter::ld_stream<uint4>(porter::global(address));
    value.x = v.x;
    value.y = v.y;
    value.z = v.z;
    value.w = v.w;
  }
  return value;
}

// 16 elements of k from `at` on, zeros from `end` on. kVector: k is a multiple of 16 and the rows are aligned.
template <bool kVector, bool kWeights>
__device__ __forceinline__ uint4 load(const uint8_t* __restrict__ row, int at, int end) {
  uint4 value = make_uint4(0, 0, 0, 0);
  if constexpr (kVector) {
    if (at < end) value = kWeights ? load_weights(row + at) : __ldg(reinterpret_cast<const uint4*>(row + at));
  } else {
    alignas(16) uint8_t byte[kBytes];
#pragma unroll
    for (int i = 0; i < kBytes; ++i) byte[i] = at + i < end ? __ldg(row + at + i) : 0;
    value = *reinterpret_cast<const uint4*>(byte);
  }
  return value;
}

// e4m3 widens to fp16 exactly, two at a time.
__device__ __forceinline__ float2 widen(uint16_t pair) {
  uint32_t halves;
  halves = porter::cvt_rn_f16x2_e4m3x2(pair);
  return __half22float2(reinterpret_cast<const __half2&>(halves));
}

__device__ __forceinline__ float4 widen4(uint32_t word) {
  const float2 low = widen(static_cast<uint16_t>(word));
  const float2 high = widen(static_cast<uint16_t>(word >> 16));
  return make_float4(low.x, low.y, high.x, high.y);
}

// Sums kCount values over the warp: at each step a lane gives away half of the values that it still has and adds up the
// other half, so 32 values take 31 shuffles and not 160. Lane l ends with the total of value l * kCount / 32.
template <int kCount, int kOffset = 16>
__device__ __forceinline__ float warp_sum_scatter(float* value) {
  if constexpr (kOffset == 0) {
    return value[0];
  } else if constexpr (kCount == 1) {
    value[0] += __shfl_xor(value[0], kOffset, 32);
    return warp_sum_scatter<1, kOffset / 2>(value);
  } else {
    const bool upper = (threadIdx.x & kOffset) != 0;
#pragma unroll
    for (int i = 0; i < kCount / 2; ++i) {
      const float keep = upper ? value[i + kCount / 2] : value[i];
      const float send = upper ? value[i] : value[i + kCount / 2];
      value[i] = keep + __shfl_xor(send, kOffset, 32);
    }
    return warp_sum_scatter<kCount / 2, kOffset / 2>(value);
  }
}

__device__ __forceinline__ void store(__half* out, float value) { *out = __float2half_rn(value); }
__device__ __forceinline__ void store(__hip_bfloat16* out, float value) { *out = __float2bfloat16(value); }

// Blocks: x rows of a by kRows (neighbours in time, so that they share b in L2), y columns, z slices of k.
template <typename T, int kRows, bool kVector>
__global__ void __launch_bounds__(kThreads, (kThreads * (kRows == 8 ? 3 : 4) + 255) / 256)
    skinny_gemm_slice(const uint8_t* __restrict__ a, const uint8_t* __restrict__ b, const float* __restrict__ scale_a,
                      const float* __restrict__ scale_b, T* __restrict__ out, float* __restrict__ partial, int m,
                      int n, int k, int slice) {
  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;
  const int first_row = blockIdx.x * kRows;
  const int first_column = (blockIdx.y * kWarps + warp) * kColumns;
  if (first_column >= n) return;
  const int begin = blockIdx.z * slice;
  const int end = min(begin + slice, k);

  // Rows beyond the last are the last once more, and their results are dropped: no branches in the loop.
  const uint8_t* weights[kColumns];
  const uint8_t* activations[kRows];
#pragma unroll
  for (int c = 0; c < kColumns; ++c) weights[c] = b + static_cast<size_t>(min(first_column + c, n - 1)) * k;
#pragma unroll
  for (int r = 0; r < kRows; ++r) activations[r] = a + static_cast<size_t>(min(first_row + r, m - 1)) * k;

  float sum[kRows * kColumns] = {};
  uint4 next[kColumns];
#pragma unroll
  for (int c = 0; c < kColumns; ++c) next[c] = load<kVector, true>(weights[c], begin + lane * kBytes, end);

  for (int at = begin + lane * kBytes; at < end; at += kStep) {
    uint4 weight[kColumns], activation[kRows];
#pragma unroll
    for (int r = 0; r < kRows; ++r) activation[r] = load<kVector, false>(activations[r], at, end);
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {  // the next turn's weights are under way while these are used
      weight[c] = next[c];
      next[c] = load<kVector, true>(weights[c], at + kStep, end);
    }
#pragma unroll
    for (int word = 0; word < 4; ++word) {
      float4 w[kColumns];
#pragma unroll
      for (int c = 0; c < kColumns; ++c) w[c] = widen4((&weight[c].x)[word]);
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        const float4 x = widen4((&activation[r].x)[word]);
#pragma unroll
        for (int c = 0; c < kColumns; ++c) {
          float& s = sum[r * kColumns + c];
          s = fmaf(x.x, w[c].x, s);
          s = fmaf(x.y, w[c].y, s);
          s = fmaf(x.z, w[c].z, s);
          s = fmaf(x.w, w[c].w, s);
        }
      }
    }
  }

  constexpr int kLanesPerSum = 32 / (kRows * kColumns);
  const float total = warp_sum_scatter<kRows * kColumns>(sum);
  const int row = first_row + lane / kLanesPerSum / kColumns;
  const int column = first_column + lane / kLanesPerSum % kColumns;
  if (lane % kLanesPerSum != 0 || row >= m || column >= n) return;
  const size_t at = static_cast<size_t>(row) * n + column;
  if (partial == nullptr) {
    store(out + at, total * __ldg(scale_a + row) * __ldg(scale_b + column));
  } else {
    porter::store(partial + static_cast<size_t>(blockIdx.z) * m * n + at, total);
  }
}

// Adds up the slices, always in the same order.
template <typename T>
__global__ void __launch_bounds__(256)
    skinny_gemm_reduce(const float* __restrict__ partial, const float* __restrict__ scale_a,
                       const float* __restrict__ scale_b, T* __restrict__ out, int m, int n, int slices) {
  const int elements = m * n;
  for (int at = blockIdx.x * 256 + threadIdx.x; at < elements; at += gridDim.x * 256) {
    float sum = 0.0f;
#pragma unroll 4
    for (int s = 0; s < slices; ++s) sum += porter::load_bypassing_l1(partial + static_cast<size_t>(s) * elements + at);
    store(out + at, sum * __ldg(scale_a + at / n) * __ldg(scale_b + at % n));
  }
}

constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }

template <typename T, int kRows, bool kVector>
void launch_slices(dim3 grid, hipStream_t stream, const uint8_t* a, const uint8_t* b, const float* scale_a,
                   const float* scale_b, T* out, float* partial, int m, int n, int k, int slice) {
  skinny_gemm_slice<T, kRows, kVector>
      <<<grid, kThreads, 0, stream>>>(a, b, scale_a, scale_b, out, partial, m, n, k, slice);
}

template <typename T>
hipError_t launch(const porter::fp8_e4m3* a_fp8, const porter::fp8_e4m3* b_fp8, const float* scale_a, const float* scale_b,
                   T* out, int m, int n, int k, hipStream_t stream) {
  if (m <= 0 || n <= 0) return hipSuccess;
  const uint8_t* a = reinterpret_cast<const uint8_t*>(a_fp8);
  const uint8_t* b = reinterpret_cast<const uint8_t*>(b_fp8);
  const bool vector =
      k % kBytes == 0 && (reinterpret_cast<uintptr_t>(a) | reinterpret_cast<uintptr_t>(b)) % kBytes == 0;

  int device = 0, multiprocessors = 0;
  hipGetDevice(&device);
  hipDeviceGetAttribute(&multiprocessors, hipDeviceAttributeMultiprocessorCount, device);
  const int rows = !vector ? 1 : m >= 5 ? 8 : m >= 3 ? 4 : m;
  const int row_blocks = ceil_div(m, rows);
  const int column_blocks = ceil_div(n, kWarps * kColumns);
  const int wanted = ceil_div(kBlocksPerSm * multiprocessors, row_blocks * column_blocks);
  const int possible = k / kLeastSlice > 1 ? k / kLeastSlice : 1;
  const int slice = ceil_div(ceil_div(k, wanted < possible ? wanted : possible), kStep) * kStep;
  const int slices = k > 0 ? ceil_div(k, slice) : 1;

  float* partial = nullptr;
  if (slices > 1) {
    const size_t bytes = sizeof(float) * slices * m * n;
    const hipError_t error = hipMallocAsync(reinterpret_cast<void**>(&partial), bytes, stream);
    if (error != hipSuccess) return error;
  }
  const dim3 grid(row_blocks, column_blocks, slices);
  auto* run = !vector     ? launch_slices<T, 1, false>
              : rows == 8 ? launch_slices<T, 8, true>
              : rows == 4 ? launch_slices<T, 4, true>
              : rows == 2 ? launch_slices<T, 2, true>
                          : launch_slices<T, 1, true>;
  run(grid, stream, a, b, scale_a, scale_b, out, partial, m, n, k, slice);
  if (partial != nullptr) {
    const int blocks = ceil_div(m * n, 256);
    skinny_gemm_reduce<T><<<blocks, 256, 0, stream>>>(partial, scale_a, scale_b, out, m, n, slices);
    const hipError_t error = hipFreeAsync(partial, stream);
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
