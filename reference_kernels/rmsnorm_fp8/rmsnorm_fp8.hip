// Residual add, RMSNorm and quantisation to fp8 (e4m3) in one pass over memory.
//
//   residual <- residual + x                                  (rounded to the element type, kept for the next layer)
//   out      <- residual * rsqrt(mean(residual^2) + epsilon) * weight / scale      (saturated to fp8's range)
//
// One block a row. Rows up to 16384 wide whose width is a multiple of 8 stay in registers between the sum and the
// scaling, so each element crosses the memory bus once each way; all others take the loop at the end, an element at a
// time. fp16 and bf16.
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include "porter/fp8_types.h"
#include <hip/hip_runtime.h>
#include "porter/memory.h"
#include "porter/ptx.h"

#include <cstdint>

namespace {

constexpr unsigned kFullMask = 0xffffffffu;
constexpr int kPack = 8;  // 16-bit elements of a 128-bit access

// What the two element types have in common, in pairs.
template <typename T>
struct Element;

template <>
struct Element<__half> {
  using Pair = __half2;
  static __device__ __forceinline__ Pair add(Pair a, Pair b) { return __hadd2(a, b); }
  static __device__ __forceinline__ float2 widen(Pair a) { return __half22float2(a); }
};

template <>
struct Element<__hip_bfloat16> {
  using Pair = __hip_bfloat162;
  static __device__ __forceinline__ Pair add(Pair a, Pair b) { return __hadd2(a, b); }
  static __device__ __forceinline__ float2 widen(Pair a) { return __bfloat1622float2(a); }
};

// Eight elements, as one register quad or as four pairs.
template <typename T>
union Pack {
  uint4 bits;
  typename Element<T>::Pair pair[kPack / 2];
  __device__ Pack() : bits() {}
};

// x is read once by one block: past L1, and with L2 told to fetch the neighbouring lines too.
__device__ __forceinline__ uint4 load_once(const void* address) {
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

// The second operand of cvt goes to the low byte.
__device__ __forceinline__ uint16_t to_fp8x2(float low, float high) {
  uint16_t packed;
  packed = porter::cvt_rn_satfinite_e4m3x2(high, low);
  return packed;
}

__device__ __forceinline__ float warp_sum(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) value += __shfl_xor(value, offset, 32);
  return value;
}

// The sum over the block, in every thread. Every warp adds up the partials: one barrier, no broadcast.
template <int kThreads>
__device__ __forceinline__ float block_sum(float value) {
  constexpr int kWarps = kThreads / 32;
  __shared__ float partial[kWarps];
  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;
  value = warp_sum(value);
  if (lane == 0) partial[warp] = value;
  __syncthreads();
  return warp_sum(lane < kWarps ? partial[lane] : 0.0f);
}

template <typename T, int kThreads, int kPacks>
__global__ void __launch_bounds__(kThreads)
    rmsnorm_registers(const T* __restrict__ x, T* __restrict__ residual, const T* __restrict__ weight,
                      const float* __restrict__ scale, porter::fp8_e4m3* __restrict__ out, int width, float epsilon) {
  using E = Element<T>;
  const int packs = width / kPack;
  const size_t row = static_cast<size_t>(blockIdx.x) * packs;
  const uint4* x_row = reinterpret_cast<const uint4*>(x) + row;
  uint4* residual_row = reinterpret_cast<uint4*>(residual) + row;

  // All loads first: the sum must not wait for them one by one.
  Pack<T> added[kPacks], kept[kPacks];
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    const int at = threadIdx.x + i * kThreads;
    if (at < packs) {
      added[i].bits = load_once(x_row + at);
      kept[i].bits = porter::load_streaming(residual_row + at);
    }
  }

  float squares = 0.0f;
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    const int at = threadIdx.x + i * kThreads;
#pragma unroll
    for (int j = 0; j < kPack / 2; ++j) {
      kept[i].pair[j] = E::add(kept[i].pair[j], added[i].pair[j]);
      const float2 value = E::widen(kept[i].pair[j]);
      squares = fmaf(value.x, value.x, squares);
      squares = fmaf(value.y, value.y, squares);
    }
    if (at < packs) porter::store_streaming(residual_row + at, kept[i].bits);
  }

  const float mean = block_sum<kThreads>(squares) / static_cast<float>(width);
  const float factor = rsqrtf(mean + epsilon) * __frcp_rn(__ldg(scale));

  uint2* out_row = reinterpret_cast<uint2*>(out) + row;
#pragma unroll
  for (int i = 0; i < kPacks; ++i) {
    const int at = threadIdx.x + i * kThreads;
    if (at >= packs) break;
    Pack<T> by;
    by.bits = __ldg(reinterpret_cast<const uint4*>(weight) + at);
    uint32_t half_word[kPack / 2];
#pragma unroll
    for (int j = 0; j < kPack / 2; ++j) {
      const float2 value = E::widen(kept[i].pair[j]);
      const float2 gain = E::widen(by.pair[j]);
      half_word[j] = to_fp8x2(value.x * factor * gain.x, value.y * factor * gain.y);
    }
    out_row[at] = make_uint2(half_word[0] | half_word[1] << 16, half_word[2] | half_word[3] << 16);
  }
}

// Any width and alignment. The second loop reads what this same thread wrote in the first.
template <typename T, int kThreads>
__global__ void __launch_bounds__(kThreads)
    rmsnorm_elements(const T* __restrict__ x, T* __restrict__ residual, const T* __restrict__ weight,
                     const float* __restrict__ scale, porter::fp8_e4m3* __restrict__ out, int width, float epsilon) {
  const size_t row = static_cast<size_t>(blockIdx.x) * width;

  float squares = 0.0f;
  for (int column = threadIdx.x; column < width; column += kThreads) {
    const T sum = residual[row + column] + x[row + column];
    const float value = static_cast<float>(sum);
    squares = fmaf(value, value, squares);
    residual[row + column] = sum;
  }

  const float mean = block_sum<kThreads>(squares) / static_cast<float>(width);
  const float factor = rsqrtf(mean + epsilon) * __frcp_rn(__ldg(scale));

  for (int column = threadIdx.x; column < width; column += kThreads) {
    const float value = static_cast<float>(residual[row + column]);
    out[row + column] = porter::fp8_e4m3(value * factor * static_cast<float>(weight[column]));
  }
}

template <typename... Pointers>
bool aligned(size_t bytes, Pointers... pointers) {
  return ((reinterpret_cast<uintptr_t>(pointers) % bytes == 0) && ...);
}

template <typename T>
hipError_t launch(const T* x, T* residual, const T* weight, const float* scale, porter::fp8_e4m3* out, int rows,
                   int width, float epsilon, hipStream_t stream) {
  if (rows <= 0 || width <= 0) return hipSuccess;
  const bool vectors = width % kPack == 0 && aligned(16, x, residual, weight) && aligned(8, out);
  const int packs = width / kPack;
  if (vectors && packs <= 256) {
    rmsnorm_registers<T, 256, 1><<<rows, 256, 0, stream>>>(x, residual, weight, scale, out, width, epsilon);
  } else if (vectors && packs <= 1024) {
    rmsnorm_registers<T, 512, 2><<<rows, 512, 0, stream>>>(x, residual, weight, scale, out, width, epsilon);
  } else if (vectors && packs <= 2048) {
    rmsnorm_registers<T, 512, 4><<<rows, 512, 0, stream>>>(x, residual, weight, scale, out, width, epsilon);
  } else {
    rmsnorm_elements<T, 512><<<rows, 512, 0, stream>>>(x, residual, weight, scale, out, width, epsilon);
  }
  return hipGetLastError();
}

}  // namespace

extern "C" hipError_t rmsnorm_fp8_f16(const __half* x, __half* residual, const __half* weight, const float* scale,
                                       porter::fp8_e4m3* out, int rows, int width, float epsilon, hipStream_t stream) {
  return launch(x, residual, weight, scale, out, rows, width, epsilon, stream);
}

extern "C" hipError_t rmsnorm_fp8_bf16(const __hip_bfloat16* x, __hip_bfloat16* residual, const __hip_bfloat16* weight,
                                        const float* scale, porter::fp8_e4m3* out, int rows, int width, float epsilon,
                                        hipStream_t stream) {
  return launch(x, residual, weight, scale, out, rows, width, epsilon, stream);
}
