// Rotary position embedding of queries and keys, bf16, in place.
//
// q is [tokens, q_heads, head_size], k is [tokens, k_heads, head_size] with fewer heads (grouped queries). The first
// rotary_dim elements of a head are turned pair by pair; a pair is (i, i + rotary_dim / 2) in the half-split layout
// (GPT-NeoX, Llama) and (2 i, 2 i + 1) in the interleaved one (GPT-J). cos_sin is the table of a serving engine:
// [positions, rotary_dim] in f32, the cosines first.
//
// Every item is kPack pairs, 16 bytes or two times 16 bytes where the sizes allow it. The heads of q and k are
// numbered through, so that one launch turns both.
#include <hip/hip_bf16.h>
#include <hip/hip_runtime.h>
#include "porter/ptx.h"

#include <cstddef>
#include <cstdint>

namespace {

constexpr int kThreads = 256;

enum class Layout { kHalfSplit, kInterleaved };

struct Shape {
  int q_heads, k_heads, head_size, rotary_dim;
};

// Two floats to the two halves of a word; in PTX the first operand is the upper half.
__device__ __forceinline__ uint32_t to_bf16x2(float low, float high) {
  uint32_t word;
  word = porter::cvt_rn_bf16x2(high, low);
  return word;
}

// A bf16 is the upper half of a float.
__device__ __forceinline__ float low_half(uint32_t word) { return __uint_as_float(word << 16); }
__device__ __forceinline__ float high_half(uint32_t word) { return __uint_as_float(word & 0xffff0000u); }

__device__ __forceinline__ void turn(float& a, float& b, float cosine, float sine) {
  const float turned = fmaf(a, cosine, -b * sine);
  b = fmaf(b, cosine, a * sine);
  a = turned;
}

template <int kCount>
__device__ __forceinline__ void load_table(const float* __restrict__ from, float (&values)[kCount]) {
  static_assert(kCount % 4 == 0);
#pragma unroll
  for (int i = 0; i < kCount; i += 4) {
    const float4 v = __ldg(reinterpret_cast<const float4*>(from + i));
    values[i] = v.x;
    values[i + 1] = v.y;
    values[i + 2] = v.z;
    values[i + 3] = v.w;
  }
}

// Eight pairs of the half-split layout: 16 bytes of the first half, 16 of the second.
__device__ __forceinline__ void turn_halves(__hip_bfloat16* head, int half, int pair, const float* __restrict__ table) {
  auto* first = reinterpret_cast<uint4*>(head + pair);
  auto* second = reinterpret_cast<uint4*>(head + half + pair);
  uint4 x = *first, y = *second;
  float cosines[8], sines[8];
  load_table(table + pair, cosines);
  load_table(table + half + pair, sines);
  auto* xs = reinterpret_cast<uint32_t*>(&x);
  auto* ys = reinterpret_cast<uint32_t*>(&y);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    float a0 = low_half(xs[i]), a1 = high_half(xs[i]);
    float b0 = low_half(ys[i]), b1 = high_half(ys[i]);
    turn(a0, b0, cosines[2 * i], sines[2 * i]);
    turn(a1, b1, cosines[2 * i + 1], sines[2 * i + 1]);
    xs[i] = to_bf16x2(a0, a1);
    ys[i] = to_bf16x2(b0, b1);
  }
  *first = x;
  *second = y;
}

// Four pairs of the interleaved layout: 16 bytes.
__device__ __forceinline__ void turn_neighbours(__hip_bfloat16* head, int half, int pair,
                                                const float* __restrict__ table) {
  auto* where = reinterpret_cast<uint4*>(head + 2 * pair);
  uint4 x = *where;
  float cosines[4], sines[4];
  load_table(table + pair, cosines);
  load_table(table + half + pair, sines);
  auto* xs = reinterpret_cast<uint32_t*>(&x);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    float a = low_half(xs[i]), b = high_half(xs[i]);
    turn(a, b, cosines[i], sines[i]);
    xs[i] = to_bf16x2(a, b);
  }
  *where = x;
}

template <Layout kLayout>
__device__ __forceinline__ void turn_one(__hip_bfloat16* head, int half, int pair, const float* __restrict__ table) {
  __hip_bfloat16* first = head + (kLayout == Layout::kHalfSplit ? pair : 2 * pair);
  __hip_bfloat16* second = kLayout == Layout::kHalfSplit ? first + half : first + 1;
  float a = __bfloat162float(*first), b = __bfloat162float(*second);
  turn(a, b, __ldg(table + pair), __ldg(table + half + pair));
  *first = __float2bfloat16(a);
  *second = __float2bfloat16(b);
}

// Pairs an item has: those of 16 bytes, or one.
template <Layout kLayout, bool kVector>
constexpr int kPairs = !kVector ? 1 : kLayout == Layout::kHalfSplit ? 8 : 4;

template <Layout kLayout, bool kVector, typename Position>
__global__ void __launch_bounds__(kThreads)
    rotary_kernel(__hip_bfloat16* __restrict__ q, __hip_bfloat16* __restrict__ k, const float* __restrict__ cos_sin,
                  const Position* __restrict__ positions, const Shape shape) {
  const int half = shape.rotary_dim / 2;
  const int items_a_head = half / kPairs<kLayout, kVector>;
  const int items = (shape.q_heads + shape.k_heads) * items_a_head;
  const size_t token = blockIdx.x;
  const float* table = cos_sin + static_cast<size_t>(__ldg(positions + token)) * shape.rotary_dim;

  for (int item = blockIdx.y * kThreads + threadIdx.x; item < items; item += gridDim.y * kThreads) {
    const int head = item / items_a_head;
    const int pair = (item - head * items_a_head) * kPairs<kLayout, kVector>;
    __hip_bfloat16* where = head < shape.q_heads
                               ? q + (token * shape.q_heads + head) * shape.head_size
                               : k + (token * shape.k_heads + head - shape.q_heads) * shape.head_size;
    if constexpr (!kVector) {
      turn_one<kLayout>(where, half, pair, table);
    } else if constexpr (kLayout == Layout::kHalfSplit) {
      turn_halves(where, half, pair, table);
    } else {
      turn_neighbours(where, half, pair, table);
    }
  }
}

template <Layout kLayout, typename Position>
hipError_t rotary(__hip_bfloat16* q, __hip_bfloat16* k, const float* cos_sin, const Position* positions, int tokens,
                   const Shape& shape, hipStream_t stream) {
  if (tokens == 0 || shape.rotary_dim < 2) return hipSuccess;
  const int half = shape.rotary_dim / 2;
  const uintptr_t pointers =
      reinterpret_cast<uintptr_t>(q) | reinterpret_cast<uintptr_t>(k) | reinterpret_cast<uintptr_t>(cos_sin);
  const bool vector = pointers % 16 == 0 && shape.head_size % 8 == 0 && half % kPairs<kLayout, true> == 0;
  const int pairs = vector ? kPairs<kLayout, true> : kPairs<kLayout, false>;
  const int items = (shape.q_heads + shape.k_heads) * (half / pairs);
  const dim3 grid(tokens, (items + kThreads - 1) / kThreads);
  if (vector) {
    rotary_kernel<kLayout, true><<<grid, kThreads, 0, stream>>>(q, k, cos_sin, positions, shape);
  } else {
    rotary_kernel<kLayout, false><<<grid, kThreads, 0, stream>>>(q, k, cos_sin, positions, shape);
  }
  return hipGetLastError();
}

}  // namespace

extern "C" hipError_t rotary_half_split(__hip_bfloat16* q, __hip_bfloat16* k, const float* cos_sin,
                                         const int64_t* positions, int tokens, int q_heads, int k_heads, int head_size,
                                         int rotary_dim, hipStream_t stream) {
  const Shape shape{q_heads, k_heads, head_size, rotary_dim};
  return rotary<Layout::kHalfSplit>(q, k, cos_sin, positions, tokens, shape, stream);
}

extern "C" hipError_t rotary_interleaved(__hip_bfloat16* q, __hip_bfloat16* k, const float* cos_sin,
                                          const int* positions, int tokens, int q_heads, int k_heads, int head_size,
                                          int rotary_dim, hipStream_t stream) {
  const Shape shape{q_heads, k_heads, head_size, rotary_dim};
  return rotary<Layout::kInterleaved>(q, k, cos_sin, positions, tokens, shape, stream);
}
