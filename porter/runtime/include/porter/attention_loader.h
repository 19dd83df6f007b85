// porter runtime: how attention.h brings tiles of K and V from memory to LDS, and where they lie there.
#ifndef PORTER_ATTENTION_LOADER_H
#define PORTER_ATTENTION_LOADER_H

#include <hip/hip_runtime.h>

#include <cstdint>

#include "attention_elements.h"

namespace porter::attention {

constexpr int kWave = 64, kWaves = 8, kBlock = 32;  // lanes; waves of a workgroup; rows and columns of one product
constexpr int kRowsOfTile = kWaves * kBlock;        // queries of a workgroup
constexpr uint64_t kLongestRow = 1 << 24;           // bytes: what a load reaches over must be less than 4 GiB
constexpr uint32_t kNowhere = ~0u;                  // out of every range
constexpr int kBufferFlags = 0x00020000;            // plain 32-bit data

#define PORTER_LDS __attribute__((address_space(3)))
typedef PORTER_LDS char lds_char;

// Rows of a matrix: base and the bytes from one to the next.
struct Rows {
  uint64_t base, pitch;
};

// Buffer loads and stores check their range: rows from `end` on are read as 0, and not stored.
__device__ inline auto rows_from(Rows rows, int first, int end, int at_most, int bytes) {
  const int count = min(end - first, at_most);
  void* const base = reinterpret_cast<void*>(rows.base + int64_t(first) * int64_t(rows.pitch));
  return __builtin_amdgcn_make_buffer_rsrc(base, 0, count > 0 ? (count - 1) * uint32_t(rows.pitch) + bytes : 0, kBufferFlags);
}

template <class P, class = void>
constexpr int kHeadV = P::kHead;
template <class P>
constexpr int kHeadV<P, decltype(void(P::kHeadV))> = P::kHeadV;

// How tiles of K and V lie in LDS. Tiles of wide heads have fewer keys, as two of each have to fit.
template <class P>
struct Layout {
  static constexpr int kWidest = P::kHead > kHeadV<P> ? P::kHead : kHeadV<P>;
  static constexpr int kColumns = kWidest <= 64 ? 64 : kWidest <= 128 ? 128 : 256;  // that a row has room for
  static constexpr int kKeys = kColumns == 256 ? 32 : 64;                           // of a tile
  static constexpr int kBytes = kKeys * kColumns * 2;                               // of a tile
  static constexpr int kChunks = kColumns / 8;                                      // of 16 bytes in a row of K
  static constexpr int kKeyChunks = kKeys / 8;                                      // of 16 bytes in a column of V
  static_assert(kWidest <= 256 && P::kHead % 32 == 0 && kHeadV<P> % 32 == 0, "whole products, and what LDS holds");

  // Where a chunk of a key is. Lanes that the banks serve at once have keys that differ in their last three bits.
  __device__ static int key_chunk(int key, int chunk) { return (key * kChunks + (chunk ^ key % 8)) * 16; }

  // Where a chunk of a column of V is: keys 16 c + 4 h + 0 to 3 and those 8 behind, for chunk h * kKeyChunks / 2 + c. Lanes
  // that the banks serve at once have columns that differ in bits 0 to 2 when they read, and in 2 to 4 when they write.
  __device__ static int value_chunk(int column, int chunk) {
    if constexpr (kKeyChunks == 8) {
      return column * 128 + (chunk ^ ((column ^ column >> 3) & 3) ^ (column & 4)) * 16;
    } else {  // two columns in 128 bytes
      const int turned = ((column >> 1 ^ column >> 3) & 1) | (column >> 1 & 2) | (column >> 2 & 4);
      return column / 2 * 128 + ((chunk | column % 2 * 4) ^ turned) * 16;
    }
  }
};

// A lane's part of a tile of K, on its way through registers.
template <class P>
struct KeyLoader {
  using L = Layout<P>;
  static constexpr int kLoads = L::kKeys * L::kChunks / (kWaves * kWave), kStep = kWaves * kWave / L::kChunks;
  Rows rows;
  int keys;
  uint32_t place;
  int to;
  quad next[kLoads];

  __device__ KeyLoader(Rows k, int count, int thread) : rows(k), keys(count) {
    const int chunk = thread % L::kChunks, key = thread / L::kChunks;
    place = chunk * 8 < P::kHead ? key * uint32_t(k.pitch) + chunk * 16 : kNowhere;
    to = L::key_chunk(key, chunk);
  }
  __device__ void fetch(int first) {
#pragma unroll
    for (int i = 0; i < kLoads; ++i)
      next[i] = __builtin_amdgcn_raw_buffer_load_b128(rows_from(rows, first + i * kStep, keys, kStep, P::kHead * 2), place, 0, 0);
  }
  __device__ void put(lds_char* tile) const {
#pragma unroll
    for (int i = 0; i < kLoads; ++i) *(PORTER_LDS quad*)(tile + to + i * kStep * L::kChunks * 16) = next[i];
  }
};

// A lane's part of a tile of V: four keys by some columns, transposed on their way.
template <class P>
struct ValueLoader {
  using L = Layout<P>;
  static constexpr int kWidth = L::kColumns == 64 ? 2 : 4;  // columns
  Rows rows;
  int keys, group, column;
  uint32_t place;
  bool idle;
  uint32_t next[4][kWidth / 2];

  // Sixteen lanes that the banks serve at once write eight columns of one chunk.
  __device__ ValueLoader(Rows v, int count, int thread) : rows(v), keys(count) {
    const int lane = thread % kWave, wave = thread / kWave, half = lane / 8 % 2;
    const int other = L::kKeys == 64 ? wave : wave % 4;  // bit 0: the half of the wave that multiplies; others: step
    group = (other & 1) | half << 1 | other >> 1 << 2;
    column = kWidth * ((lane % 8 | lane / 16 << 3) + (L::kKeys == 64 ? 0 : wave / 4 * 32));
    idle = column >= kHeadV<P>;
    place = idle ? kNowhere : 4 * group * uint32_t(v.pitch) + column * 2;
  }
  __device__ void fetch(int first) {
    const auto part = rows_from(rows, first, keys, L::kKeys, kHeadV<P> * 2);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const uint32_t at = place == kNowhere ? place : place + j * uint32_t(rows.pitch);
      if constexpr (kWidth == 4) {
        const pair both = __builtin_amdgcn_raw_buffer_load_b64(part, at, 0, 0);
        next[j][0] = both.x, next[j][1] = both.y;
      } else {
        next[j][0] = __builtin_amdgcn_raw_buffer_load_b32(part, at, 0, 0);
      }
    }
  }
  __device__ void put(lds_char* tile) const {
    if (kHeadV<P> < L::kColumns && idle) return;
    const int chunk = (group & 1) * (L::kKeyChunks / 2) + (group >> 2), half = group >> 1 & 1;
#pragma unroll
    for (int c = 0; c < kWidth; ++c) {
      const uint32_t low_or_high = c % 2 ? 0x07060302u : 0x05040100u;
      *(PORTER_LDS pair*)(tile + L::value_chunk(column + c, chunk) + half * 8) = {
          __builtin_amdgcn_perm(next[1][c / 2], next[0][c / 2], low_or_high),
          __builtin_amdgcn_perm(next[3][c / 2], next[2][c / 2], low_or_high)};
    }
  }
};

}  // namespace porter::attention

#endif  // PORTER_ATTENTION_LOADER_H
