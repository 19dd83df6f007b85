// Attention forward in bf16: out = softmax(scale q k^T) v, with a causal mask or without, and the logarithm of each
// row's sum of exponentials for a backward pass.
//
//   q, out: batch x heads x seq x dim     k, v: batch x kv_heads x seq x dim     lse: batch x heads x seq, in f32
//
// dim is 64 or 128. Four warps have 16 rows of q each and walk over blocks of keys; scores never leave the registers:
// mma.sync's result layout is its left operand's, so probabilities go straight into the second product. Keys and values
// come by cp.async, a block ahead.
#define PORTER_MIRRORED 1
#include <hip/hip_bf16.h>
#include <hip/hip_runtime.h>
#include "porter/held_copies.h"
#include "porter/ldmatrix.h"
#include "porter/mirror.h"
#include "porter/mma_sync.h"
#include "porter/ptx.h"
#include "porter/ptx_memory.h"

#include <cmath>
#include <cstdint>

namespace {

constexpr int kBlockQ = 64;
constexpr int kBlockKv = 32;
constexpr int kStages = 2;
constexpr int kWarps = kBlockQ / 16;
constexpr int kThreads = 32 * kWarps;
constexpr int kChunk = 8;  // elements in 16 bytes
constexpr unsigned kAll = 0xffffffffu;
static_assert(kStages >= 2, "one is read while another is filled");
static_assert(kBlockQ % 16 == 0 && kBlockKv % 16 == 0, "mma.sync is 16 rows, and takes 16 keys at a time");

template <int kDim>
constexpr int kSharedBytes = (kBlockQ + kStages * 2 * kBlockKv) * kDim * static_cast<int>(sizeof(__hip_bfloat16));

// Of 16 bytes in a tile with rows of kDim elements: eight rows of one column lie in different banks.
template <int kDim>
__device__ __forceinline__ uint32_t offset(int row, int chunk) {
  return (row * (kDim / kChunk) + (chunk ^ (row % 8))) * 16;
}

__device__ __forceinline__ void copy_async(porter::HeldCopies<16>& porter_copies, uint32_t to, const void* from, bool there) {
  {
    const uint32_t bytes = there ? 16 : 0;
    porter::cp_async<16>(porter_copies, to, from, bytes);
  }
}
__device__ __forceinline__ void copy_commit(porter::HeldCopies<16>& porter_copies) { porter::cp_async_commit(porter_copies); }
template <int kPending>
__device__ __forceinline__ void copy_wait(porter::HeldCopies<16>& porter_copies) {
  porter::cp_async_wait<kPending>(porter_copies);
}

__device__ __forceinline__ void ldmatrix(uint32_t (&r)[4], uint32_t address) {
  {
    const uint32_t in4 = address;
    porter::ldmatrix<false>(in4, r[0], r[1], r[2], r[3]);
  }
}
__device__ __forceinline__ void ldmatrix_trans(uint32_t (&r)[4], uint32_t address) {
  {
    const uint32_t in4 = address;
    porter::ldmatrix<true>(in4, r[0], r[1], r[2], r[3]);
  }
}

__device__ __forceinline__ void mma(porter::MmaPairs& porter_pairs, float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
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

__device__ __forceinline__ uint32_t pack(float low, float high) {
  uint32_t pair;
  pair = porter::cvt_rn_bf16x2(high, low);
  return pair;
}

// Over the four lanes that share a row.
__device__ __forceinline__ float row_max(float x) {
  x = fmaxf(x, __shfl_xor(x, 1, 32));
  return fmaxf(x, __shfl_xor(x, 2, 32));
}
__device__ __forceinline__ float row_sum(float x) {
  x += __shfl_xor(x, 1, 32);
  return x + __shfl_xor(x, 2, 32);
}

// Rows [first, first + kRows) of a matrix with `rows` rows, zeros after the last.
template <int kRows, int kDim>
__device__ __forceinline__ void load_tile(porter::HeldCopies<16>& porter_copies, uint32_t to, const __hip_bfloat16* __restrict__ matrix, int first, int rows) {
#pragma unroll
  for (int i = threadIdx.x; i < kRows * kDim / kChunk; i += kThreads) {
    const int row = i / (kDim / kChunk), chunk = i % (kDim / kChunk);
    const bool there = first + row < rows;
    const __hip_bfloat16* from = matrix + (there ? static_cast<size_t>(first + row) * kDim + chunk * kChunk : 0);
    copy_async(porter_copies, to + offset<kDim>(row, chunk), from, there);
  }
}

template <int kDim, bool kCausal>
__global__ void __launch_bounds__(kThreads)
    attention(const __hip_bfloat16* __restrict__ q, const __hip_bfloat16* __restrict__ k,
              const __hip_bfloat16* __restrict__ v, __hip_bfloat16* __restrict__ out, float* __restrict__ lse, int heads,
              int kv_heads, int seq, float scale) {
  porter::HeldCopies<16> porter_copies(porter::copying::by_turns);
  porter::threads_at_most(kThreads);
  extern __shared__ __align__(128) uint8_t memory[];
  constexpr uint32_t kTileBytes = kBlockKv * kDim * sizeof(__hip_bfloat16);
  const uint32_t tile_q = static_cast<uint32_t>(porter::cvta_generic_to_shared(memory));
  const uint32_t tiles = tile_q + kBlockQ * kDim * sizeof(__hip_bfloat16);  // k and v of each stage
  const auto tile_k = [&](int block) { return tiles + block % kStages * 2 * kTileBytes; };
  const auto tile_v = [&](int block) { return tile_k(block) + kTileBytes; };

  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int q0 = (gridDim.x - 1 - blockIdx.x) * kBlockQ;  // under a causal mask the last rows have the most to do
  const size_t head = static_cast<size_t>(blockIdx.z) * heads + blockIdx.y;
  const size_t kv_head = static_cast<size_t>(blockIdx.z) * kv_heads + blockIdx.y / (heads / kv_heads);
  q += head * seq * kDim;
  out += head * seq * kDim;
  lse += head * seq;
  k += kv_head * seq * kDim;
  v += kv_head * seq * kDim;
  const int end = kCausal ? min(seq, q0 + kBlockQ) : seq;
  const int blocks = (end + kBlockKv - 1) / kBlockKv;

  const auto load = [&] __attribute__((always_inline))(int block) {
    load_tile<kBlockKv, kDim>(porter_copies, tile_k(block), k, block * kBlockKv, seq);
    load_tile<kBlockKv, kDim>(porter_copies, tile_v(block), v, block * kBlockKv, seq);
  };
  load_tile<kBlockQ, kDim>(porter_copies, tile_q, q, q0, seq);
#pragma unroll
  for (int block = 0; block < kStages - 1; ++block) {
    if (block < blocks) load(block);
    copy_commit(porter_copies);
  }

  uint32_t left[kDim / 16][4];  // this warp's rows of q
  float sum[kDim / 8][4] = {};  // and of the result, not yet divided by `total`
  float top[2] = {-INFINITY, -INFINITY}, total[2] = {0.0f, 0.0f};  // of rows lane / 4 and 8 after it
  const float log2_scale = scale * 1.44269504f;

  for (int block = 0; block < blocks; ++block) {
    copy_wait<kStages - 2>(porter_copies);
    __syncthreads();
    if (block + kStages - 1 < blocks) load(block + kStages - 1);
    copy_commit(porter_copies);
    if (block == 0) {
#pragma unroll
      for (int d = 0; d < kDim / 16; ++d) {
        ldmatrix(left[d], tile_q + offset<kDim>(16 * warp + lane % 16, 2 * d + lane / 16));
      }
    }

    float score[kBlockKv / 8][4] = {};
    porter::keep(score);
#pragma unroll
    for (int d = 0; d < kDim / 16; ++d) {
#pragma unroll
      for (int j = 0; j < kBlockKv / 16; ++j) {
        uint32_t keys[4];
        ldmatrix(keys, tile_k(block) + offset<kDim>(16 * j + lane / 16 * 8 + lane % 8, 2 * d + lane / 8 % 2));
        { porter::MmaPairs porter_pairs;
        mma(porter_pairs, score[2 * j], left[d], keys[0], keys[1]);
        mma(porter_pairs, score[2 * j + 1], left[d], keys[2], keys[3]);
        }
      }
    }
    porter::present(score);

    const int first = block * kBlockKv;
    if (first + kBlockKv > seq || (kCausal && first + kBlockKv - 1 > q0)) {
#pragma unroll
      for (int j = 0; j < kBlockKv / 8; ++j) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const int column = first + 8 * j + 2 * (lane % 4) + i % 2;
          const int row = q0 + 16 * warp + lane / 4 + i / 2 * 8;
          if (column >= seq || (kCausal && column > row)) score[j][i] = -INFINITY;
        }
      }
    }

    // The first block has a score in every row, so `top` is finite from there on. Subtracting before scaling keeps
    // the largest exponent at exactly 0, however large the scores are.
    float shrink[2];
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float highest = top[half];
#pragma unroll
      for (int j = 0; j < kBlockKv / 8; ++j) {
        highest = fmaxf(highest, fmaxf(score[j][2 * half], score[j][2 * half + 1]));
      }
      highest = row_max(highest);
      shrink[half] = exp2f((top[half] - highest) * log2_scale);
      top[half] = highest;
      total[half] *= shrink[half];
#pragma unroll
      for (int j = 0; j < kBlockKv / 8; ++j) {
#pragma unroll
        for (int i = 2 * half; i < 2 * half + 2; ++i) {
          score[j][i] = exp2f((score[j][i] - highest) * log2_scale);
          total[half] += score[j][i];
        }
      }
    }
#pragma unroll
    for (int d = 0; d < kDim / 8; ++d) {
#pragma unroll
      for (int i = 0; i < 4; ++i) sum[d][i] *= shrink[i / 2];
    }

    porter::keep(sum);
#pragma unroll
    for (int j = 0; j < kBlockKv / 16; ++j) {
      const uint32_t weights[4] = {pack(score[2 * j][0], score[2 * j][1]), pack(score[2 * j][2], score[2 * j][3]),
                                   pack(score[2 * j + 1][0], score[2 * j + 1][1]),
                                   pack(score[2 * j + 1][2], score[2 * j + 1][3])};
#pragma unroll
      for (int d = 0; d < kDim / 16; ++d) {
        uint32_t values[4];
        ldmatrix_trans(values, tile_v(block) + offset<kDim>(16 * j + lane % 16, 2 * d + lane / 16));
        { porter::MmaPairs porter_pairs;
        mma(porter_pairs, sum[2 * d], weights, values[0], values[1]);
        mma(porter_pairs, sum[2 * d + 1], weights, values[2], values[3]);
        }
      }
    }
    porter::present(sum);
  }

#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const float whole = row_sum(total[half]);
    const int row = q0 + 16 * warp + lane / 4 + 8 * half;
    if (row >= seq) continue;
    const float inverse = 1.0f / whole;
#pragma unroll
    for (int d = 0; d < kDim / 8; ++d) {
      *reinterpret_cast<uint32_t*>(out + static_cast<size_t>(row) * kDim + 8 * d + 2 * (lane % 4)) =
          pack(sum[d][2 * half] * inverse, sum[d][2 * half + 1] * inverse);
    }
    if (lane % 4 == 0) lse[row] = top[half] * scale + logf(whole);
  }
}

template <int kDim, bool kCausal>
hipError_t launch(const __hip_bfloat16* q, const __hip_bfloat16* k, const __hip_bfloat16* v, __hip_bfloat16* out,
                   float* lse, int batch, int heads, int kv_heads, int seq, float scale, hipStream_t stream) {
  const hipError_t error = hipFuncSetAttribute(reinterpret_cast<const void*>(attention<kDim, kCausal>), hipFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes<kDim>);
  if (error != hipSuccess) return error;
  const dim3 grid((seq + kBlockQ - 1) / kBlockQ, heads, batch);
  attention<kDim, kCausal>
      <<<grid, porter::mirrored(kThreads), kSharedBytes<kDim>, stream>>>(q, k, v, out, lse, heads, kv_heads, seq, scale);
  return hipGetLastError();
}

}  // namespace

extern "C" hipError_t flash_attention_fwd(const __hip_bfloat16* q, const __hip_bfloat16* k, const __hip_bfloat16* v,
                                           __hip_bfloat16* out, float* lse, int batch, int heads, int kv_heads, int seq,
                                           int dim, int causal, float scale, hipStream_t stream) {
  if (batch == 0 || heads == 0 || seq == 0) return hipSuccess;
  if (kv_heads == 0 || heads % kv_heads != 0 || (dim != 64 && dim != 128)) return hipErrorInvalidValue;
  const auto function = dim == 64 ? (causal ? launch<64, true> : launch<64, false>)
                                  : (causal ? launch<128, true> : launch<128, false>);
  return function(q, k, v, out, lse, batch, heads, kv_heads, seq, scale, stream);
}
