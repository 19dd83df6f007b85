// porter runtime: attention forward on gfx942, O = softmax(scale Q K^T) V, in the place of kernels written for NVIDIA's
// chips.
//
// What is a port's own is in a structure that it gives to Schedule; run is given the sizes, and functions of the source's
// blockIdx.y and blockIdx.z:
//
//   struct problem : porter::attention::Problem {
//     using Element = porter::attention::bf16;  // of Q, K, V and O
//     static constexpr int kHead = 128;         // columns of Q and K, and of V where kHeadV says no other
//     static constexpr bool kMasked = true;     // causal
//   };
//   using causal = porter::attention::Schedule<problem>;
//
//   // Two waves a SIMD: 256 registers each.
//   __global__ void __launch_bounds__(causal::kThreads, 2)
//       attention(const __hip_bfloat16* q, ..., float* lse, int length, float scale) {
//     causal::run({.queries = length, .keys = length, .scale = scale},
//                 [&](unsigned y, unsigned z) {  // one head of one sequence; pitches of rows in elements
//                   return porter::attention::head(q + ..., 128, k + ..., 128, v + ..., 128, out + ..., 128);
//                 },
//                 [&](int row, unsigned y, unsigned z, float log2_sum) { lse[...] = log2_sum * 0.6931f; });
//   }
//   attention<<<causal::grid(length, dim3(tiles, heads, batch)), causal::kThreads>>>(q, ..., lse, length, scale);
//
// A wave has 32 queries, a workgroup eight waves. Both products are taken the other way round, S^T = K Q^T and O^T = V^T
// P^T: then a lane has scores of one query alone, of four keys in every eight, and those are what the second product
// wants from it. So weights stay where they are, and a row's maximum costs one exchange.
//
// Waves are two groups of four, one of each on every SIMD, that take turns: while one multiplies, the other works out its
// weights and moves tiles. The tiles of the next turn come from memory into registers meanwhile. Half b % 2 of LDS has V of
// block b of keys, and K of the next block.
#ifndef PORTER_ATTENTION_H
#define PORTER_ATTENTION_H

#include <hip/hip_runtime.h>

#include <cstdint>
#include <type_traits>

#include "attention_elements.h"
#include "attention_loader.h"

namespace porter::attention {

// What differs between kernels, besides Element and kHead. A port's own structure says what is not as here.
struct Problem {
  static constexpr bool kMasked = false;  // a query sees keys up to its own number plus offset
  static constexpr bool kWindow = false;  // and no more than `window` of them, the last ones
  static constexpr bool kCapped = false;  // scale q k becomes cap * tanh(scale q k / cap)
  static constexpr int kXcds = 8;         // of the board
};

struct Sizes {
  int queries = 0, keys = 0;
  float scale = 1.0f;
  int offset = 0, window = 0;
  float cap = 0.0f;
};

struct Head {
  Rows q, k, v, out;
};

// Pitches of rows are in elements. Rows begin at multiples of 4 bytes.
template <class Q, class K, class V, class O>
__device__ inline Head head(const Q* q, int64_t pitch_q, const K* k, int64_t pitch_k, const V* v, int64_t pitch_v, O* out,
                            int64_t pitch_out) {
  static_assert(sizeof(Q) == 2 && sizeof(K) == 2 && sizeof(V) == 2 && sizeof(O) == 2, "elements of 16 bits");
  return {{reinterpret_cast<uint64_t>(q), uint64_t(pitch_q) * 2}, {reinterpret_cast<uint64_t>(k), uint64_t(pitch_k) * 2},
          {reinterpret_cast<uint64_t>(v), uint64_t(pitch_v) * 2}, {reinterpret_cast<uint64_t>(out), uint64_t(pitch_out) * 2}};
}

constexpr float kLog2E = 1.44269504f;
constexpr float kLowest = -0x1p126f;  // below every score, and finite: differences are no NaN
constexpr float kHuge = 0x1p24f;      // scaled scores above round by more than a weight may be off: they are compared first
constexpr float kRise = 8.0f;         // by which the maximum may rise before sums are scaled anew: weights up to 256

constexpr int kProduct = 0x8, kRead = 0x100;  // of the scheduler's groups

// What follows from it is worked out there, and takes no registers before.
__device__ inline int lane_anew() {
  int lane = __builtin_amdgcn_workitem_id_x() % kWave;
  asm volatile("" : "+v"(lane));
  return lane;
}

// Only LDS is waited for: global loads stay under way.
__device__ inline void end_turn() {
  __builtin_amdgcn_sched_barrier(0);
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
  __builtin_amdgcn_sched_barrier(0);
}

// Which head, and which of its tiles, a workgroup has. Workgroups go to the dies in turn: each gets neighbouring heads, so
// that its L2 serves keys to several workgroups. Under a mask the last tiles have the most to do, and come first.
struct Place {
  unsigned y, z;
  int tile;
};
template <class P>
__device__ inline Place place() {
  const uint32_t tiles = gridDim.x, heads = gridDim.y * gridDim.z;
  const uint32_t block = blockIdx.x + tiles * (blockIdx.y + gridDim.y * blockIdx.z);
  const bool shared = heads % P::kXcds == 0;
  uint32_t tile, number;
  if (P::kMasked || !shared) {
    const uint32_t nth = block % heads;
    tile = block / heads, number = shared ? nth % P::kXcds * (heads / P::kXcds) + nth / P::kXcds : nth;
  } else {
    const uint32_t nth = block / P::kXcds;
    tile = nth % tiles, number = block % P::kXcds * (heads / P::kXcds) + nth / tiles;
  }
  if (P::kMasked) tile = tiles - 1 - tile;
  return {number % gridDim.y, number / gridDim.y, int(tile)};
}

// Keys from `low` to before `high` are seen.
struct Seen {
  int low, high;
};
template <class P>
__device__ inline Seen seen(const Sizes& sizes, int query) {
  const int after = query + sizes.offset + 1;
  return {P::kWindow ? max(after - sizes.window, 0) : 0, P::kMasked || P::kWindow ? min(sizes.keys, after) : sizes.keys};
}

// A query's weights: exp2 of scaled scores less a maximum that is not far below theirs.
template <class P>
struct Softmax {
  using E = Element<typename P::Element>;
  using Operand = typename E::Operand;
  float factor, cap, of_cap;  // of scores in powers of two
  float largest = kLowest, top = kLowest;  // of scores, and of scaled ones
  floats totals[Layout<P>::kKeys / kBlock] = {};

  __device__ explicit Softmax(const Sizes& sizes) {
    const float scale = fmaxf(fabsf(sizes.scale), 0x1p-126f);  // the sign is in Q
    const auto scalar = [](float x) {  // of all lanes: no vector register
      return __builtin_bit_cast(float, __builtin_amdgcn_readfirstlane(__builtin_bit_cast(int, x)));
    };
    factor = scalar(P::kCapped ? kLog2E : scale * kLog2E);
    cap = sizes.cap, of_cap = P::kCapped ? scalar(2.0f * kLog2E * scale / cap) : 0.0f;
  }
  template <int kBlocks>
  __device__ void capped(Sums (&scores)[kBlocks]) const {
#pragma unroll
    for (int b = 0; b < kBlocks; ++b)
#pragma unroll
      for (int i = 0; i < 16; ++i) {
        const float power = __builtin_amdgcn_exp2f(scores[b][i] * of_cap);
        scores[b][i] = cap - 2.0f * cap * __builtin_amdgcn_rcpf(power + 1.0f);
      }
  }
  // first: the key that the lane's first score is of.
  template <int kBlocks>
  __device__ static void mask(Sums (&scores)[kBlocks], int first, Seen keys) {
#pragma unroll
    for (int b = 0; b < kBlocks; ++b)
#pragma unroll
      for (int i = 0; i < 16; ++i) {
        const int key = kBlock * b + 8 * (i / 4) + i % 4;
        if (key >= keys.high - first || (P::kWindow && key < keys.low - first)) scores[b][i] = -INFINITY;
      }
  }
  template <int kBlocks>
  __device__ static float highest(const Sums (&scores)[kBlocks]) {
    // The compiler waits here until the products are done, and only here: it does not know what an asm reads.
    const float of_last = fmaxf(scores[0][0], scores[kBlocks - 1][1]);
    float most[2] = {of_last, of_last};
#pragma unroll
    for (int i = 0; i < 16; i += 2)
#pragma unroll
      for (int b = 0; b < kBlocks; ++b)
        asm("v_max3_f32 %0, %0, %1, %2" : "+v"(most[(i / 2 + b) % 2]) : "v"(scores[b][i]), "v"(scores[b][i + 1]));
    return fmaxf(most[0], most[1]);
  }
  // Both lanes of a query have one maximum. It is raised, and the sums scaled, only where weights would become large.
  template <int kTiles>
  __device__ void raise(float most, Sums (&sums)[kTiles]) {
    if (__builtin_amdgcn_ballot_w64(fmaf(most, factor, -top) > kRise) == 0) return;
    most = fmaxf(most, __shfl_xor(most, kBlock, kWave));
    const float now = fmaxf(largest, most), shrink = __builtin_amdgcn_exp2f((largest - now) * factor);
    largest = now, top = now * factor;
    for (floats& total : totals) total *= shrink;
#pragma unroll
    for (int t = 0; t < kTiles; ++t) sums[t] *= shrink;
  }
  template <int kBlocks>
  __device__ void weights(Sums (&scores)[kBlocks], Operand (&to)[4 * kBlocks]) {
    const bool huge = __builtin_amdgcn_ballot_w64(fabsf(top) > kHuge) != 0;
    if (huge) {
#pragma unroll
      for (int b = 0; b < kBlocks; ++b) scores[b] -= largest;
    }
    const float minus = huge ? 0.0f : -top;
    const floats by = {factor, factor}, less = {minus, minus};
#pragma unroll
    for (int b = 0; b < kBlocks; ++b)
#pragma unroll
      for (int i = 0; i < 16; i += 4) {
        pair words;
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const floats of = {scores[b][i + 2 * half], scores[b][i + 2 * half + 1]};
          const floats power = __builtin_elementwise_fma(of, by, less);
          const floats weight = {__builtin_amdgcn_exp2f(power.x), __builtin_amdgcn_exp2f(power.y)};
          totals[half % kBlocks] += weight;
          words[half] = E::weights(weight.x, weight.y);
        }
        to[4 * b + i / 4] = __builtin_bit_cast(Operand, words);
      }
    for (floats& total : totals) asm volatile("" : "+v"(total));  // else clang adds while the matrix unit waits
  }
};

// Queries and results go through LDS, each wave's through its own part, so that lanes load and store whole rows, or halves
// of long ones. Of every 16 elements of its query a lane has 8: chunk 2 c + half, as of keys.
template <class P, class Operand>
__device__ inline void load_queries(Operand (&to)[P::kHead / 8], lds_char* own, Rows q, int first, int queries, bool negated) {
  constexpr int kOnce = P::kHead > 128 ? P::kHead / 16 : P::kHead / 8, kParts = P::kHead / 8 / kOnce;  // chunks of a row
  constexpr int kChunks = kOnce > 8 ? 16 : 8, kRowsOfLoad = kWave / kChunks, kLoads = kBlock / kRowsOfLoad;
  const int lane = __builtin_amdgcn_workitem_id_x() % kWave, half = lane / kBlock, row = lane % kBlock;
  const int chunk = lane % kChunks, from = lane / kChunks;
  const auto rows = rows_from(q, first, queries, kBlock, P::kHead * 2);
  quad loaded[kParts][kLoads];
#pragma unroll
  for (int part = 0; part < kParts; ++part)
#pragma unroll
    for (int j = 0; j < kLoads; ++j) {
      const uint32_t at = (from + j * kRowsOfLoad) * uint32_t(q.pitch) + (part * kOnce + chunk) * 16;
      loaded[part][j] = __builtin_amdgcn_raw_buffer_load_b128(rows, chunk < kOnce ? at : kNowhere, 0, 0);
    }
#pragma unroll
  for (int part = 0; part < kParts; ++part) {
#pragma unroll
    for (int j = 0; j < kLoads; ++j) {
      const int r = from + j * kRowsOfLoad;
      *(PORTER_LDS quad*)(own + (r * kChunks + (chunk ^ r % 8)) * 16) = loaded[part][j] ^ (negated ? 0x80008000u : 0);
    }
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup", "local");
#pragma unroll
    for (int c = 0; c < kOnce / 2; ++c) {
      const quad both = *(PORTER_LDS quad*)(own + (row * kChunks + ((2 * c + half) ^ row % 8)) * 16);
      const pair low = both.lo, high = both.hi;
      to[part * kOnce + 2 * c] = __builtin_bit_cast(Operand, low);
      to[part * kOnce + 2 * c + 1] = __builtin_bit_cast(Operand, high);
    }
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup", "local");
  }
}
template <class P, int kTiles>
__device__ inline void store(const Sums (&sums)[kTiles], float by, lds_char* own, Rows out, int first, int queries) {
  using E = Element<typename P::Element>;
  constexpr int kOnce = kTiles > 4 ? kTiles / 2 : kTiles;  // products at once
  constexpr int kChunks = kOnce > 2 ? 16 : 8, kRowsOfStore = kWave / kChunks;
  const int lane = lane_anew(), half = lane / kBlock, row = lane % kBlock;
  const auto to = rows_from(out, first, queries, kBlock, kHeadV<P> * 2);
#pragma unroll
  for (int part = 0; part < kTiles; part += kOnce) {
#pragma unroll
    for (int t = 0; t < kOnce; ++t)
#pragma unroll
      for (int i = 0; i < 16; i += 4) {
        const Sums& of = sums[part + t];
        const pair words = {E::results(of[i] * by, of[i + 1] * by), E::results(of[i + 2] * by, of[i + 3] * by)};
        *(PORTER_LDS pair*)(own + (row * kChunks + ((4 * t + i / 4) ^ row % 8)) * 16 + half * 8) = words;
      }
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup", "local");
    const int chunk = lane % kChunks;
#pragma unroll
    for (int j = 0; j < kBlock; j += kRowsOfStore) {
      const int from = j + lane / kChunks;
      const quad words = *(PORTER_LDS quad*)(own + (from * kChunks + (min(chunk, kOnce * 4 - 1) ^ from % 8)) * 16);
      const uint32_t at = chunk < kOnce * 4 ? from * uint32_t(out.pitch) + (part * 4 + chunk) * 16 : kNowhere;
      __builtin_amdgcn_raw_buffer_store_b128(words, to, at, 0, 0);
    }
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup", "local");
  }
}

template <class P, class Ended>
__device__ __forceinline__ void attend(const Sizes& sizes, const Head& head, int tile, lds_char* lds, Ended ended) {
  using L = Layout<P>;
  using E = Element<typename P::Element>;
  using Operand = typename E::Operand;
  constexpr int kTiles = kHeadV<P> / kBlock, kBlocks = L::kKeys / kBlock;  // products that O and S of a wave are made of
  constexpr int kScoreReads = kBlocks * P::kHead / 16, kSumReads = kTiles * L::kKeys / 16, kReads = L::kColumns == 256 ? 2 : 4;
  static_assert(kScoreReads % kReads == 0 && kSumReads % kReads == 0, "whole reads");
  const int thread = __builtin_amdgcn_workitem_id_x(), lane = thread % kWave, half = lane / kBlock, l = lane % kBlock;
  const int wave = __builtin_amdgcn_readfirstlane(thread / kWave), group = wave / 4;
  const int first_query = tile * kRowsOfTile + wave * kBlock;

  // Blocks of keys that the tile goes through, and those of which this wave sees something.
  const int last_query = min(tile * kRowsOfTile + kRowsOfTile, sizes.queries) - 1;
  const int first_block = seen<P>(sizes, tile * kRowsOfTile).low / L::kKeys;
  const auto blocks_to = [&](int of) { return max((seen<P>(sizes, of).high + L::kKeys - 1) / L::kKeys - first_block, 0); };
  const int blocks = blocks_to(last_query), own_blocks = blocks_to(min(first_query + kBlock - 1, last_query));
  const int all_see = seen<P>(sizes, first_query).high, some_see = seen<P>(sizes, first_query + kBlock - 1).low;

  const bool brings_keys = group == 0;
  const int first_key = first_block * L::kKeys;
  Loader<P> loader(brings_keys ? head.k : head.v, first_key, sizes.keys, brings_keys, thread % kGroup);
  quad next[L::kHeld];  // on the way
  lds_char* const own = lds + wave * (4 * L::kBytes / kWaves);  // before tiles are there, and after
  Operand of_query[P::kHead / 8];
  const auto operand = [](quad chunk, int of) { return __builtin_bit_cast(Operand, of ? chunk.hi : chunk.lo); };
  const auto key_tile = [&](int block) { return lds + (block + 1) % 2 * 2 * L::kBytes; };
  const auto value_tile = [&](int block) { return lds + block % 2 * 2 * L::kBytes + L::kBytes; };
  // Of the next block. One part is on its way while products are taken, two are not: sums have the registers.
  const auto fetch_first = [&] { if (L::kParts == 2) loader.fetch(next, 0); };
  const auto put_first = [&](int block) {
    loader.put(next, 0, key_tile(block + 1), value_tile(block + 1));
    loader.fetch(next, L::kParts - 1);
  };
  const auto put_second = [&](int block) {
    if (L::kParts == 2) loader.put(next, 1, key_tile(block + 1), value_tile(block + 1));
  };

  // What a lane reads at once are some chunks; the next ones are on their way while these multiply.
  const uint32_t key_at = L::key_chunk(l, half), value_at = L::value_chunk(l, half * (L::kKeyChunks / 2));
  const auto read = [](lds_char* from, uint32_t at, int other, int on) {
    return *(PORTER_LDS quad*)(((uint32_t(uintptr_t(from)) + at) ^ other * 16) + on);
  };
  quad chunks[2][kReads];
  constexpr int kOdd = kSumReads / kReads % 2;  // what keys are read to first: what values do not use then
  const auto read_keys = [&](lds_char* from, int part) {
#pragma unroll
    for (int i = 0; i < kReads; ++i) {
      const int n = part * kReads + i, c = n / kBlocks, b = n % kBlocks;
      chunks[(part + kOdd) % 2][i] = read(from, key_at, c % 4 * 2, (c / 4 * 8 + b * kBlock * L::kChunks) * 16);
    }
  };
  const auto read_values = [&](lds_char* from, int part) {
#pragma unroll
    for (int i = 0; i < kReads; ++i) {
      const int n = part * kReads + i, c = n / kTiles, t = n % kTiles;
      chunks[part % 2][i] = read(from, value_at, c, t * kBlock * L::kKeyChunks * 16);
    }
  };
  Softmax<P> softmax(sizes);
  Sums sums[kTiles] = {}, scores[kBlocks];
  Operand weights[4 * kBlocks];
  // Reads go between the first products of a part: clang would put them behind most.
  const auto in_turn = [] {
#pragma unroll
    for (int i = 0; i < kReads; ++i) {
      __builtin_amdgcn_sched_group_barrier(kProduct, 1, 0);
      __builtin_amdgcn_sched_group_barrier(kRead, 1, 0);
    }
    __builtin_amdgcn_sched_group_barrier(kProduct, kReads, 0);
    __builtin_amdgcn_sched_barrier(0);
  };
  const auto multiply_keys = [&](lds_char* from) {  // the first chunks have been read
#pragma unroll
    for (int b = 0; b < kBlocks; ++b) scores[b] = Sums{};
#pragma unroll
    for (int part = 0; part < kScoreReads / kReads; ++part) {
      if (part + 1 < kScoreReads / kReads) read_keys(from, part + 1);
#pragma unroll
      for (int of = 0; of < 2; ++of)
#pragma unroll
        for (int i = 0; i < kReads; ++i) {
          const int n = part * kReads + i, c = n / kBlocks, b = n % kBlocks;
          scores[b] = E::mma(operand(chunks[(part + kOdd) % 2][i], of), of_query[2 * c + of], scores[b]);
        }
      in_turn();
    }
  };
  const auto multiply_values = [&](lds_char* from, auto last) {
#pragma unroll
    for (int part = 0; part < kSumReads / kReads; ++part) {
      if (part + 1 < kSumReads / kReads) read_values(from, part + 1);
      else last();
#pragma unroll
      for (int of = 0; of < 2; ++of)
#pragma unroll
        for (int i = 0; i < kReads; ++i) {
          const int n = part * kReads + i, c = n / kTiles, t = n % kTiles;
          sums[t] = E::mma(operand(chunks[part % 2][i], of), weights[2 * c + of], sums[t]);
        }
      in_turn();
    }
  };

  // The first block's keys and values. The second group, which is a turn behind, puts values in time for the first group to
  // read some before its next turn.
  loader.fetch(next, 0);
  load_queries<P>(of_query, own, head.q, first_query, sizes.queries, sizes.scale < 0.0f);
  end_turn();
  put_first(-1), put_second(-1);
  end_turn();
  read_keys(key_tile(0), 0);
  multiply_keys(key_tile(0));
  if (group == 1) end_turn();

  int block = 0;
  for (; block < own_blocks; ++block) {
    fetch_first();
    if (L::kParts == 1) put_first(block);  // wide heads: when less of a block is in registers
    if constexpr (P::kCapped) softmax.capped(scores);
    const int first = first_key + block * L::kKeys;
    if (first + L::kKeys > all_see || (P::kWindow && first < some_see)) {
      const int at = lane_anew();
      softmax.mask(scores, first + at / kBlock * 4, seen<P>(sizes, first_query + at % kBlock));
    }
    softmax.raise(softmax.highest(scores), sums);
    if (L::kParts == 2) put_first(block);
    if (L::kParts == 1) read_values(value_tile(block), 0);
    __builtin_amdgcn_sched_barrier(0);
    softmax.weights(scores, weights);
    put_second(block);
    if (L::kParts == 2) read_values(value_tile(block), 0);
    end_turn();
    __builtin_amdgcn_s_setprio(1);  // before the other group's wave on this SIMD
    multiply_values(value_tile(block), [&] { read_keys(key_tile(block + 1), 0); });
    if (block + 1 < own_blocks) multiply_keys(key_tile(block + 1));
    __builtin_amdgcn_s_setprio(0);
    end_turn();
  }
  for (; block < blocks; ++block) {  // that other waves alone see
    fetch_first(), put_first(block), put_second(block);
    end_turn();
    end_turn();
  }
  if (group == 0) end_turn();

  float total = 0.0f;
  for (const floats part : softmax.totals) total += part.x + part.y;
  total += __shfl_xor(total, kBlock, kWave);
  store<P>(sums, total == 0.0f ? 0.0f : __builtin_amdgcn_rcpf(total), own, head.out, first_query, sizes.queries);
  const int query = first_query + lane_anew();
  if (query < min(first_query + kBlock, sizes.queries)) ended(query, softmax.top + __builtin_amdgcn_logf(total));
}

// What whoever launches a kernel has to know: the same for all problems.
struct Launch {
  static constexpr int kThreads = kWaves * kWave;

  // source: the grid that the kernel in whose place this is was launched with.
  static dim3 grid(int queries, dim3 source) {
    return dim3((uint32_t(queries) + kRowsOfTile - 1) / kRowsOfTile, source.y, source.z);
  }
};

template <class P>
struct Schedule : Launch {
  // heads: of the source's blockIdx.y and blockIdx.z. ended: what is done with log2 of the sum of a row's exp2(log2(e) *
  // score), where rows without a key have minus infinity.
  // Always a part of the kernel: as a function of its own it would have other registers, and spill sums.
  template <class Heads, class Ended>
  __device__ __forceinline__ static void run(const Sizes& sizes, Heads heads, Ended ended) {
    static_assert(P::kMasked || !P::kWindow, "a window ends where a mask begins");
    __shared__ __align__(128) char shared[4 * Layout<P>::kBytes];
    const Place at = place<P>();
    const Head of = heads(at.y, at.z);
    const uint64_t pitches = of.q.pitch | of.k.pitch | of.v.pitch | of.out.pitch;
    const uint64_t bases = of.q.base | of.k.base | of.v.base | of.out.base;
    if (pitches >= kLongestRow || (pitches | bases) % 4 != 0) __builtin_trap();  // what buffer loads take
    attend<P>(sizes, of, at.tile, (lds_char*)shared, [&](int row, float log2_sum) { ended(row, at.y, at.z, log2_sum); });
  }
  template <class Heads>
  __device__ __forceinline__ static void run(const Sizes& sizes, Heads heads) {
    run(sizes, heads, [](int, unsigned, unsigned, float) {});
  }
};

}  // namespace porter::attention

#endif  // PORTER_ATTENTION_H
