// Layer normalisation of bf16 rows, with weight and bias; mean and 1 / standard deviation go out in f32 for training.
//
// Two kernels. Rows whose width is a multiple of eight, up to 8192, are read once, 16 bytes a lane, and stay in
// registers: mean, then the sum of squared deviations, then the result. All others (odd widths, whose rows do not
// start on 16 bytes, and wide ones) are read twice: first for mean and squared deviations of what is aligned in a row
// and of the ends that are not, merged by Chan's form of Welford's algorithm across vectors, lanes and warps.
#include "porter/groups.h"
#include <hip/hip_bf16.h>
#include <hip/hip_runtime.h>
#include "porter/bf16.h"
#include "porter/math.h"
#include "porter/memory.h"
#include "porter/ptx.h"

#include <cstddef>
#include <cstdint>

namespace cg = porter::cg;

namespace {

constexpr int kWarp = 32;
constexpr unsigned kAll = 0xffffffffu;
constexpr int kPack = 8;  // bf16 values in 16 bytes

// 16 bytes that the row's one reader keeps in registers: no place in L1.
__device__ __forceinline__ uint4 load_once(const void* address) {
  uint4 v;
  {
    const uint4 v_2 = porter::ld_stream<uint4>(porter::global(address));
    v.x = v_2.x;
    v.y = v_2.y;
    v.z = v_2.z;
    v.w = v_2.w;
  }
  return v;
}

__device__ __forceinline__ void unpack(const uint4& bits, float (&values)[kPack]) {
  const auto* pairs = reinterpret_cast<const __hip_bfloat162*>(&bits);
#pragma unroll
  for (int i = 0; i < kPack / 2; ++i) {
    const float2 pair = __bfloat1622float2(pairs[i]);
    values[2 * i] = pair.x;
    values[2 * i + 1] = pair.y;
  }
}

__device__ __forceinline__ uint4 pack(const float (&values)[kPack]) {
  uint4 bits;
  auto* pairs = reinterpret_cast<__hip_bfloat162*>(&bits);
#pragma unroll
  for (int i = 0; i < kPack / 2; ++i) pairs[i] = porter::floats2bfloat162_rn(values[2 * i], values[2 * i + 1]);
  return bits;
}

// Sum over the block, for every thread. Each warp adds the partial sums itself: one barrier, no broadcast. `partial`
// is not used again before the next barrier.
template <int kThreads>
__device__ __forceinline__ float block_sum(float value, float* partial) {
  constexpr int kWarps = kThreads / kWarp;
#pragma unroll
  for (int offset = kWarp / 2; offset > 0; offset /= 2) value += __shfl_xor(value, offset, 32);
  if constexpr (kWarps == 1) return value;
  const int lane = threadIdx.x % kWarp;
  if (lane == 0) partial[threadIdx.x / kWarp] = value;
  __syncthreads();
  value = lane < kWarps ? partial[lane] : 0.0f;
#pragma unroll
  for (int offset = kWarps / 2; offset > 0; offset /= 2) value += __shfl_xor(value, offset, 32);
  return __shfl(value, 0, 32);
}

template <int kThreads, int kPacks>
__global__ void __launch_bounds__(kThreads)
    layernorm_registers(const __hip_bfloat16* __restrict__ x, const __hip_bfloat16* __restrict__ weight,
                        const __hip_bfloat16* __restrict__ bias, __hip_bfloat16* __restrict__ out,
                        float* __restrict__ mean, float* __restrict__ rstd, int width, float epsilon) {
  __shared__ float partial[2][kThreads / kWarp];
  const size_t start = static_cast<size_t>(blockIdx.x) * width;
  const float inverse = 1.0f / width;

  uint4 row[kPacks];  // all loads of the row are in flight before the first value is needed
#pragma unroll
  for (int p = 0; p < kPacks; ++p) {
    const int column = (p * kThreads + threadIdx.x) * kPack;
    row[p] = column < width ? load_once(x + start + column) : make_uint4(0, 0, 0, 0);
  }

  float sum = 0.0f;
#pragma unroll
  for (int p = 0; p < kPacks; ++p) {
    float v[kPack];
    unpack(row[p], v);
#pragma unroll
    for (int i = 0; i < kPack; ++i) sum += v[i];
  }
  const float centre = block_sum<kThreads>(sum, partial[0]) * inverse;

  float squares = 0.0f;
#pragma unroll
  for (int p = 0; p < kPacks; ++p) {
    if ((p * kThreads + threadIdx.x) * kPack < width) {
      float v[kPack];
      unpack(row[p], v);
#pragma unroll
      for (int i = 0; i < kPack; ++i) squares = fmaf(v[i] - centre, v[i] - centre, squares);
    }
  }
  const float scale = rsqrtf(block_sum<kThreads>(squares, partial[1]) * inverse + epsilon);

#pragma unroll
  for (int p = 0; p < kPacks; ++p) {
    const int column = (p * kThreads + threadIdx.x) * kPack;
    if (column < width) {
      float v[kPack], w[kPack], b[kPack];
      unpack(row[p], v);
      unpack(__ldg(reinterpret_cast<const uint4*>(weight + column)), w);
      unpack(__ldg(reinterpret_cast<const uint4*>(bias + column)), b);
#pragma unroll
      for (int i = 0; i < kPack; ++i) v[i] = fmaf((v[i] - centre) * scale, w[i], b[i]);
      porter::store_streaming(reinterpret_cast<uint4*>(out + start + column), pack(v));
    }
  }
  if (threadIdx.x == 0) {
    mean[blockIdx.x] = centre;
    rstd[blockIdx.x] = scale;
  }
}

// Count, mean and sum of squared deviations of some values.
struct Moments {
  float count, mean, squares;

  __device__ __forceinline__ void merge(const Moments& other) {
    const float both = count + other.count;
    const float share = both > 0.0f ? porter::fdividef(other.count, both) : 0.0f;
    const float delta = other.mean - mean;
    mean = fmaf(delta, share, mean);
    squares += other.squares + delta * delta * count * share;
    count = both;
  }
};

__device__ __forceinline__ Moments of_one(__hip_bfloat16 value) { return {1.0f, __bfloat162float(value), 0.0f}; }

// A pack is summed twice in registers, and costs one merge and its division instead of eight.
__device__ __forceinline__ Moments of_pack(const float (&v)[kPack]) {
  Moments m = {kPack, 0.0f, 0.0f};
#pragma unroll
  for (int i = 0; i < kPack; ++i) m.mean += v[i];
  m.mean *= 1.0f / kPack;
#pragma unroll
  for (int i = 0; i < kPack; ++i) m.squares = fmaf(v[i] - m.mean, v[i] - m.mean, m.squares);
  return m;
}

template <typename Group>
__device__ __forceinline__ Moments merged(const Group& lanes, Moments m) {
#pragma unroll
  for (int offset = lanes.num_threads() / 2; offset > 0; offset /= 2) {
    Moments other;
    other.count = lanes.shfl_down(m.count, offset);
    other.mean = lanes.shfl_down(m.mean, offset);
    other.squares = lanes.shfl_down(m.squares, offset);
    m.merge(other);
  }
  return m;
}

template <int kThreads>
__global__ void __launch_bounds__(kThreads, (kThreads * (1024 / kThreads) + 255) / 256)
    layernorm_welford(const __hip_bfloat16* __restrict__ x, const __hip_bfloat16* __restrict__ weight,
                      const __hip_bfloat16* __restrict__ bias, __hip_bfloat16* __restrict__ out,
                      float* __restrict__ mean, float* __restrict__ rstd, int width, float epsilon) {
  constexpr int kWarps = kThreads / kWarp;
  static_assert(kWarps <= kWarp);
  __shared__ Moments partial[kWarps];
  __shared__ float centre, scale;
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<kWarp>(block);

  const __hip_bfloat16* row = x + static_cast<size_t>(blockIdx.x) * width;
  __hip_bfloat16* to = out + static_cast<size_t>(blockIdx.x) * width;

  // [0, head) comes before the first 16-byte boundary, [tail, width) after the last whole vector.
  const int ahead = static_cast<int>((16 - (reinterpret_cast<uintptr_t>(row) & 15)) & 15) / sizeof(__hip_bfloat16);
  const int head = min(ahead, width);
  const int vectors = (width - head) / kPack;
  const int tail = head + vectors * kPack;

  Moments m = {};
  if (threadIdx.x < head) m.merge(of_one(row[threadIdx.x]));
  for (int i = threadIdx.x; i < vectors; i += kThreads) {
    float v[kPack];
    unpack(__ldg(reinterpret_cast<const uint4*>(row + head) + i), v);
    m.merge(of_pack(v));
  }
  if (tail + threadIdx.x < width) m.merge(of_one(row[tail + threadIdx.x]));

  m = merged(warp, m);
  if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = m;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    m = warp.thread_rank() < kWarps ? partial[warp.thread_rank()] : Moments{};
    m = merged(warp, m);
    if (warp.thread_rank() == 0) {
      mean[blockIdx.x] = centre = m.mean;
      rstd[blockIdx.x] = scale = rsqrtf(m.squares / width + epsilon);
    }
  }
  block.sync();

  // The second reading comes from L2. Where out lies as the row does, it is written 16 bytes at a time; weight and
  // bias do not, and are read value by value.
  const float c = centre, s = scale;
  const auto normal = [&](float value, int column) {
    return fmaf((value - c) * s, __bfloat162float(porter::load(weight + column)), __bfloat162float(porter::load(bias + column)));
  };
  const bool together = ((reinterpret_cast<uintptr_t>(row) ^ reinterpret_cast<uintptr_t>(to)) & 15) == 0;
  const int from = together ? head : width;
  const int until = together ? tail : width;
  for (int i = threadIdx.x; i < from; i += kThreads) to[i] = __float2bfloat16(normal(__bfloat162float(row[i]), i));
  for (int i = from + threadIdx.x * kPack; i < until; i += kThreads * kPack) {
    float v[kPack];
    unpack(porter::load_streaming(reinterpret_cast<const uint4*>(row + i)), v);
#pragma unroll
    for (int j = 0; j < kPack; ++j) v[j] = normal(v[j], i + j);
    porter::store_streaming(reinterpret_cast<uint4*>(to + i), pack(v));
  }
  for (int i = until + threadIdx.x; i < width; i += kThreads) {
    to[i] = __float2bfloat16(normal(__bfloat162float(row[i]), i));
  }
}

}  // namespace

extern "C" hipError_t layernorm(const __hip_bfloat16* x, const __hip_bfloat16* weight, const __hip_bfloat16* bias,
                                 __hip_bfloat16* out, float* mean, float* rstd, int rows, int width, float epsilon,
                                 hipStream_t stream) {
  if (rows == 0 || width == 0) return hipSuccess;
  const uintptr_t pointers = reinterpret_cast<uintptr_t>(x) | reinterpret_cast<uintptr_t>(weight) |
                             reinterpret_cast<uintptr_t>(bias) | reinterpret_cast<uintptr_t>(out);
  const auto launch = [&](auto kernel, int threads) {
    kernel<<<rows, threads, 0, stream>>>(x, weight, bias, out, mean, rstd, width, epsilon);
    return hipGetLastError();
  };
  if (width % kPack != 0 || pointers % 16 != 0 || width > 8192) return launch(layernorm_welford<256>, 256);
  if (width <= 256) return launch(layernorm_registers<32, 1>, 32);
  if (width <= 1024) return launch(layernorm_registers<128, 1>, 128);
  if (width <= 2048) return launch(layernorm_registers<256, 1>, 256);
  if (width <= 4096) return launch(layernorm_registers<256, 2>, 256);
  return launch(layernorm_registers<256, 4>, 256);
}
