// SwiGLU and quantisation to fp8 (e4m3), between the two GEMMs of an MLP.
//
//   out[r][c] = silu(in[r][c]) * in[r][width + c] / scale,    silu(g) = g / (1 + exp(-g)),    in is rows x 2*width
//
// The first GEMM writes gate and up side by side, so a row of `in` is twice as wide as a row of `out`. Each thread takes
// 16 columns at a time: two 128-bit loads of each half, one 128-bit store. Widths that are no multiple of 16 take the
// loop at the end. fp16 and bf16.
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include "porter/fp8_types.h"
#include <hip/hip_runtime.h>
#include "porter/math.h"
#include "porter/ptx.h"

#include <cstdint>

namespace {

constexpr int kThreads = 256;
constexpr int kColumns = 16;  // a thread's columns: 128 bits of fp8

__device__ __forceinline__ float2 widen(__half2 pair) { return __half22float2(pair); }
__device__ __forceinline__ float2 widen(__hip_bfloat162 pair) { return __bfloat1622float2(pair); }

template <typename T>
struct PairOf;
template <>
struct PairOf<__half> {
  using type = __half2;
};
template <>
struct PairOf<__hip_bfloat16> {
  using type = __hip_bfloat162;
};

// 16 bytes that are read once: the streaming hint lets L2 drop them first.
__device__ __forceinline__ uint4 load_streaming(const void* address) {
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

// exp and the division by their fast forms: far below a step of fp8. A gate under -88 divides by infinity and gives 0.
__device__ __forceinline__ float swiglu(float gate, float up) {
  return porter::fdividef(gate, 1.0f + __expf(-gate)) * up;
}

// Two columns of gate and up in one register each.
template <typename T>
__device__ __forceinline__ float2 swiglu_pair(uint32_t gate_bits, uint32_t up_bits, float inverse_scale) {
  using Pair = typename PairOf<T>::type;
  const float2 gate = widen(*reinterpret_cast<const Pair*>(&gate_bits));
  const float2 up = widen(*reinterpret_cast<const Pair*>(&up_bits));
  return make_float2(swiglu(gate.x, up.x) * inverse_scale, swiglu(gate.y, up.y) * inverse_scale);
}

// Eight columns to 64 bits of fp8.
template <typename T>
__device__ __forceinline__ uint2 swiglu_pack(uint4 gate, uint4 up, float inverse_scale) {
  const float2 a = swiglu_pair<T>(gate.x, up.x, inverse_scale);
  const float2 b = swiglu_pair<T>(gate.y, up.y, inverse_scale);
  const float2 c = swiglu_pair<T>(gate.z, up.z, inverse_scale);
  const float2 d = swiglu_pair<T>(gate.w, up.w, inverse_scale);
  const porter::fp8x4_e4m3 low(make_float4(a.x, a.y, b.x, b.y));
  const porter::fp8x4_e4m3 high(make_float4(c.x, c.y, d.x, d.y));
  return make_uint2(low.__x, high.__x);
}

template <typename T>
__global__ void __launch_bounds__(kThreads)
    swiglu_vectors(const T* __restrict__ in, const float* __restrict__ scale, porter::fp8_e4m3* __restrict__ out,
                   int width) {
  const int column = (blockIdx.x * kThreads + threadIdx.x) * kColumns;
  if (column >= width) return;
  const size_t row = blockIdx.y;
  const T* gate = in + row * 2 * width + column;
  const T* up = gate + width;

  const uint4 gate_low = load_streaming(gate);
  const uint4 gate_high = load_streaming(gate + 8);
  const uint4 up_low = load_streaming(up);
  const uint4 up_high = load_streaming(up + 8);
  const float inverse_scale = porter::fdividef(1.0f, __ldg(scale));

  const uint2 low = swiglu_pack<T>(gate_low, up_low, inverse_scale);
  const uint2 high = swiglu_pack<T>(gate_high, up_high, inverse_scale);
  *reinterpret_cast<uint4*>(out + row * width + column) = make_uint4(low.x, low.y, high.x, high.y);
}

// Any width and alignment, an element at a time.
template <typename T>
__global__ void __launch_bounds__(kThreads)
    swiglu_elements(const T* __restrict__ in, const float* __restrict__ scale, porter::fp8_e4m3* __restrict__ out,
                    int width) {
  const size_t row = blockIdx.y;
  const float inverse_scale = porter::fdividef(1.0f, __ldg(scale));
  for (int column = blockIdx.x * kThreads + threadIdx.x; column < width; column += gridDim.x * kThreads) {
    const float gate = static_cast<float>(in[row * 2 * width + column]);
    const float up = static_cast<float>(in[(row * 2 + 1) * width + column]);
    const __hip_fp8_storage_t bits =
        porter::cvt_float_to_fp8(swiglu(gate, up) * inverse_scale, __HIP_SATFINITE, __HIP_E4M3);
    reinterpret_cast<__hip_fp8_storage_t*>(out)[row * width + column] = bits;
  }
}

template <typename T>
hipError_t launch(const T* in, const float* scale, porter::fp8_e4m3* out, int rows, int width, hipStream_t stream) {
  if (rows <= 0 || width <= 0) return hipSuccess;
  const bool vectors = width % kColumns == 0 && reinterpret_cast<uintptr_t>(in) % 16 == 0 &&
                       reinterpret_cast<uintptr_t>(out) % 16 == 0;
  // Rows go to the y dimension, 65535 at most of them in one launch.
  for (int first = 0; first < rows; first += 65535) {
    const unsigned count = rows - first < 65535 ? rows - first : 65535;
    const T* from = in + static_cast<size_t>(first) * 2 * width;
    porter::fp8_e4m3* to = out + static_cast<size_t>(first) * width;
    if (vectors) {
      const unsigned blocks = (width / kColumns + kThreads - 1) / kThreads;
      swiglu_vectors<T><<<dim3(blocks, count), kThreads, 0, stream>>>(from, scale, to, width);
    } else {
      const unsigned blocks = (width + 4 * kThreads - 1) / (4 * kThreads);
      swiglu_elements<T><<<dim3(blocks, count), kThreads, 0, stream>>>(from, scale, to, width);
    }
  }
  return hipGetLastError();
}

}  // namespace

extern "C" hipError_t swiglu_fp8_f16(const __half* gate_up, const float* scale, porter::fp8_e4m3* out, int rows, int width,
                                      hipStream_t stream) {
  return launch(gate_up, scale, out, rows, width, stream);
}

extern "C" hipError_t swiglu_fp8_bf16(const __hip_bfloat16* gate_up, const float* scale, porter::fp8_e4m3* out, int rows,
                                       int width, hipStream_t stream) {
  return launch(gate_up, scale, out, rows, width, stream);
}
