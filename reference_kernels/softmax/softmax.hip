// Softmax over the rows of a matrix, for float, fp16 and bf16, summed in float.
//
// Rows of up to 1024 columns: one warp a row, the whole row in registers; the columns beyond the end count as -inf, which
// exp turns into 0. Longer rows: one block a row, a running (maximum, sum) in each thread, joined over lanes and warps
// (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018), then a second look at the row, which L2
// still holds.
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include "porter/math.h"
#include "porter/memory.h"
#include <hip/hip_math_constants.h>

#include <cstdint>

namespace {

constexpr unsigned kFullMask = 0xffffffffu;
constexpr int kWarpsPerBlock = 4;
constexpr int kBlockThreads = 512;

// 16 bytes of T.
template <typename T>
struct alignas(16) Vector {
  static constexpr int kSize = 16 / sizeof(T);
  T element[kSize];
};

__device__ __forceinline__ float warp_max(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) value = fmaxf(value, __shfl_xor(value, offset, 32));
  return value;
}

__device__ __forceinline__ float warp_sum(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) value += __shfl_xor(value, offset, 32);
  return value;
}

// A warp's row in registers: kColumns columns, a power of two. kVector: 16-byte accesses, or one element each.
template <typename T, int kColumns, bool kVector>
__global__ void __launch_bounds__(32 * kWarpsPerBlock)
    softmax_warp(const T* __restrict__ in, T* __restrict__ out, int rows, int columns) {
  constexpr int kSize = kVector ? Vector<T>::kSize : 1;
  constexpr int kSteps = kColumns / (32 * kSize) > 0 ? kColumns / (32 * kSize) : 1;
  const int row = blockIdx.x * kWarpsPerBlock + threadIdx.y;
  if (row >= rows) return;  // a whole warp: the shuffles below still have all their lanes
  in += static_cast<size_t>(row) * columns;
  out += static_cast<size_t>(row) * columns;

  float value[kSteps][kSize];
  float largest = -HIP_INF_F;
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
    const int column = (step * 32 + threadIdx.x) * kSize;
    if constexpr (kVector) {
      if (column < columns) {
        const uint4 bits = porter::load_streaming(reinterpret_cast<const uint4*>(in + column));
        const Vector<T>& vector = reinterpret_cast<const Vector<T>&>(bits);
#pragma unroll
        for (int i = 0; i < kSize; ++i) value[step][i] = static_cast<float>(vector.element[i]);
      } else {
#pragma unroll
        for (int i = 0; i < kSize; ++i) value[step][i] = -HIP_INF_F;
      }
    } else {
      value[step][0] = column < columns ? static_cast<float>(in[column]) : -HIP_INF_F;
    }
#pragma unroll
    for (int i = 0; i < kSize; ++i) largest = fmaxf(largest, value[step][i]);
  }
  largest = warp_max(largest);

  float sum = 0.0f;
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
#pragma unroll
    for (int i = 0; i < kSize; ++i) {
      value[step][i] = __expf(value[step][i] - largest);
      sum += value[step][i];
    }
  }
  const float inverse = porter::fdividef(1.0f, warp_sum(sum));

#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
    const int column = (step * 32 + threadIdx.x) * kSize;
    if (column >= columns) break;
    if constexpr (kVector) {
      Vector<T> vector;
#pragma unroll
      for (int i = 0; i < kSize; ++i) vector.element[i] = static_cast<T>(value[step][i] * inverse);
      *reinterpret_cast<Vector<T>*>(out + column) = vector;
    } else {
      out[column] = static_cast<T>(value[step][0] * inverse);
    }
  }
}

// What a part of a row has come to: its maximum, and the sum of exp(x - maximum).
struct Running {
  float maximum, sum;
};

// exp(x - maximum) where both may be -inf: a part without numbers weighs nothing, and -inf - -inf must not reach exp.
__device__ __forceinline__ float weight(float x, float maximum) {
  return x == -HIP_INF_F ? 0.0f : __expf(x - maximum);
}

__device__ __forceinline__ Running join(Running a, Running b) {
  const float maximum = fmaxf(a.maximum, b.maximum);
  return {maximum, a.sum * weight(a.maximum, maximum) + b.sum * weight(b.maximum, maximum)};
}

__device__ __forceinline__ Running warp_join(Running running) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) {
    const Running other = {__shfl_xor(running.maximum, offset, 32),
                           __shfl_xor(running.sum, offset, 32)};
    running = join(running, other);
  }
  return running;
}

// kSize numbers at once: one rescaling of the sum instead of kSize.
template <int kSize>
__device__ __forceinline__ Running extend(Running running, const float (&value)[kSize]) {
  float largest = running.maximum;
#pragma unroll
  for (int i = 0; i < kSize; ++i) largest = fmaxf(largest, value[i]);
  float sum = running.sum * weight(running.maximum, largest);
#pragma unroll
  for (int i = 0; i < kSize; ++i) sum += weight(value[i], largest);
  return {largest, sum};
}

template <typename T, bool kVector>
__global__ void __launch_bounds__(kBlockThreads)
    softmax_block(const T* __restrict__ in, T* __restrict__ out, int columns) {
  constexpr int kSize = kVector ? Vector<T>::kSize : 1;
  constexpr int kWarps = kBlockThreads / 32;
  __shared__ Running partial[kWarps];
  in += static_cast<size_t>(blockIdx.x) * columns;
  out += static_cast<size_t>(blockIdx.x) * columns;

  Running running = {-HIP_INF_F, 0.0f};
  for (int column = threadIdx.x * kSize; column < columns; column += kBlockThreads * kSize) {
    float value[kSize];
    if constexpr (kVector) {
      const Vector<T> vector = *reinterpret_cast<const Vector<T>*>(in + column);
#pragma unroll
      for (int i = 0; i < kSize; ++i) value[i] = static_cast<float>(vector.element[i]);
    } else {
      value[0] = static_cast<float>(in[column]);
    }
    running = extend(running, value);
  }

  running = warp_join(running);
  const int lane = threadIdx.x & 31;
  if (lane == 0) partial[threadIdx.x >> 5] = running;
  __syncthreads();
  running = warp_join(lane < kWarps ? partial[lane] : Running{-HIP_INF_F, 0.0f});
  const float inverse = 1.0f / running.sum;

  for (int column = threadIdx.x * kSize; column < columns; column += kBlockThreads * kSize) {
    if constexpr (kVector) {
      Vector<T> vector = *reinterpret_cast<const Vector<T>*>(in + column);
#pragma unroll
      for (int i = 0; i < kSize; ++i)
        vector.element[i] = static_cast<T>(__expf(static_cast<float>(vector.element[i]) - running.maximum) * inverse);
      porter::store_streaming(reinterpret_cast<uint4*>(out + column), reinterpret_cast<const uint4&>(vector));
    } else {
      out[column] = static_cast<T>(__expf(static_cast<float>(in[column]) - running.maximum) * inverse);
    }
  }
}

template <typename T, int kColumns>
void launch_warp(const T* in, T* out, int rows, int columns, bool vectors, hipStream_t stream) {
  const dim3 block(32, kWarpsPerBlock);
  const int blocks = (rows + kWarpsPerBlock - 1) / kWarpsPerBlock;
  if (vectors) {
    softmax_warp<T, kColumns, true><<<blocks, block, 0, stream>>>(in, out, rows, columns);
  } else {
    softmax_warp<T, kColumns, false><<<blocks, block, 0, stream>>>(in, out, rows, columns);
  }
}

template <typename T>
hipError_t launch(const T* in, T* out, int rows, int columns, hipStream_t stream) {
  if (rows <= 0 || columns <= 0) return hipSuccess;
  const bool vectors = columns % Vector<T>::kSize == 0 &&
                       (reinterpret_cast<uintptr_t>(in) | reinterpret_cast<uintptr_t>(out)) % 16 == 0;
  if (columns <= 32) {
    launch_warp<T, 32>(in, out, rows, columns, vectors, stream);
  } else if (columns <= 128) {
    launch_warp<T, 128>(in, out, rows, columns, vectors, stream);
  } else if (columns <= 512) {
    launch_warp<T, 512>(in, out, rows, columns, vectors, stream);
  } else if (columns <= 1024) {
    launch_warp<T, 1024>(in, out, rows, columns, vectors, stream);
  } else if (vectors) {
    softmax_block<T, true><<<rows, kBlockThreads, 0, stream>>>(in, out, columns);
  } else {
    softmax_block<T, false><<<rows, kBlockThreads, 0, stream>>>(in, out, columns);
  }
  return hipGetLastError();
}

}  // namespace

extern "C" hipError_t softmax_f32(const float* x, float* out, int rows, int columns, hipStream_t stream) {
  return launch(x, out, rows, columns, stream);
}

extern "C" hipError_t softmax_f16(const __half* x, __half* out, int rows, int columns, hipStream_t stream) {
  return launch(x, out, rows, columns, stream);
}

extern "C" hipError_t softmax_bf16(const __hip_bfloat16* x, __hip_bfloat16* out, int rows, int columns,
                                    hipStream_t stream) {
  return launch(x, out, rows, columns, stream);
}
