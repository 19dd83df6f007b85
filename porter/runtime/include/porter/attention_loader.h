// porter runtime: how attention.h brings tiles of K and V from memory to LDS, and where they lie there.
#ifndef PORTER_ATTENTION_LOADER_H
#define PORTER_ATTENTION_LOADER_H

#include <hip/hip_runtime.h>

#include <cstdint>

#include "attention_elements.h"

namespace porter::attention {

constexpr int kWave = 64, kWaves = 8, kGroup = 4 * kWave;  // lanes of a wave, and of a group of waves; two groups
constexpr int kBlock = 32;                                 // rows and columns of one product
constexpr int kRowsOfTile = kWaves * kBlock;               // queries of a workgroup
constexpr uint64_t kLongestRow = 1 << 24;                  // bytes: what a load reaches over must be less than 2 GiB
constexpr uint32_t kNowhere = 1u << 31;                    // out of every range, whatever is added
constexpr int kBufferFlags = 0x00020000;                   // plain 32-bit data

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
  static constexpr int kLoads = kKeys * kChunks / kGroup;                           // of 16 bytes by a lane for a tile
  static constexpr int kParts = kColumns == 256 ? 2 : 1;                            // in which a lane brings its loads
  static constexpr int kHeld = kLoads / kParts;                                     // loads that registers hold
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
  // From there to a column up to 3 on, where column is a multiple of 4, and to a chunk that differs in bit 1 at most. Tiles
  // begin at multiples of 128 bytes.
  __device__ static uint32_t next_column(uint32_t at, int on, int chunk) {
    if constexpr (kKeyChunks == 8) return (at ^ (on ^ chunk) * 16) + on * 128;
    else return (at ^ (on / 2 | on % 2 * 4) * 16) + on / 2 * 128;
  }
};

// How a group of waves brings tiles of K or of V, one after the other. A lane's part is kLoads chunks, of keys those of
// one column of chunks. Of values two chunks are four keys by four columns, which are transposed on their way.
template <class P>
struct Loader {
  using L = Layout<P>;
  static constexpr int kStep = kGroup / L::kChunks;  // keys of one load
  static constexpr int kUnits = L::kHeld / 2;        // of a part. The second one: 32 keys on, which are two chunks, or 128 columns
  static constexpr int kNextKey = L::kKeys == 64 ? 32 : 0, kNextColumn = L::kKeys == 64 ? 0 : 128;
  bool of_keys;
  int left, column;
  uint32_t pitch, place, to;
  uint64_t base;

  __device__ Loader(Rows rows, int first, int end, bool keys, int thread)
      : of_keys(keys), left(end - first), pitch(rows.pitch), base(rows.base + first * rows.pitch) {
    if (of_keys) {
      const int chunk = thread % L::kChunks, key = thread / L::kChunks;
      place = chunk * 8 < P::kHead ? key * pitch + chunk * 16 : kNowhere;
      to = L::key_chunk(key, chunk);
    } else {  // sixteen lanes that the banks serve at once write eight columns of one chunk
      const int lane = thread % kWave, wave = thread / kWave % 4, half = lane / 8 % 2;
      const int others = L::kColumns == 64 ? wave * 2 + lane / 32 : wave;  // fours of keys but for `half`
      const int four = (others & 1) | half << 1 | others >> 1 << 2;
      column = 4 * (lane % 8 | (L::kColumns == 64 ? lane / 16 % 2 : lane / 16) << 3);
      place = column < kHeadV<P> ? 4 * four * pitch + column * 2 : kNowhere;
      to = L::value_chunk(column, (four & 1) * (L::kKeyChunks / 2) + (four >> 2)) + half * 8;
    }
  }
  // Parts of a tile in turn, then those of the next one.
  __device__ void fetch(quad (&next)[L::kHeld], int part) {
    const uint32_t bytes = left > 0 ? (min(left, L::kKeys) - 1) * pitch + (of_keys ? P::kHead : kHeadV<P>) * 2 : 0;
    const auto tile = __builtin_amdgcn_make_buffer_rsrc(reinterpret_cast<void*>(base), 0, bytes, kBufferFlags);
    if (part + 1 == L::kParts) base += uint64_t(pitch) * L::kKeys, left -= L::kKeys;
    uint32_t place = this->place;
    asm volatile("" : "+v"(place));  // else clang keeps all places in registers
    if (of_keys) {
#pragma unroll
      for (int i = 0; i < L::kHeld; ++i) {
        const uint32_t at = place + (part * L::kHeld + i) * kStep * pitch;
        next[i] = __builtin_amdgcn_raw_buffer_load_b128(tile, at, 0, 0);
      }
      return;
    }
#pragma unroll
    for (int i = 0; i < 4 * kUnits; ++i) {
      const int unit = part * kUnits + i / 4, key = unit * kNextKey + i % 4, from = unit * kNextColumn;
      const uint32_t at = place + key * pitch + from * 2;
      const pair both = __builtin_amdgcn_raw_buffer_load_b64(tile, is_there(from) ? at : kNowhere, 0, 0);
      next[i / 2][i % 2 * 2] = both.x, next[i / 2][i % 2 * 2 + 1] = both.y;
    }
  }
  __device__ void put(const quad (&next)[L::kHeld], int part, lds_char* keys, lds_char* values) const {
    if (of_keys) {
#pragma unroll
      for (int i = 0; i < L::kHeld; ++i)
        *(PORTER_LDS quad*)(keys + to + (part * L::kHeld + i) * kStep * L::kChunks * 16) = next[i];
      return;
    }
#pragma unroll
    for (int i = 0; i < kUnits; ++i) {
      const int unit = part * kUnits + i;
      if (!is_there(unit * kNextColumn)) continue;
#pragma unroll
      for (int c = 0; c < 4; ++c) {
        const uint32_t low_or_high = c % 2 ? 0x07060302u : 0x05040100u;
        const auto word = [&](int j) { return next[2 * i + j / 2][j % 2 * 2 + c / 2]; };
        const uint32_t at = L::next_column(uint32_t(uintptr_t(values)) + to, c, unit * kNextKey / 16);
        *(PORTER_LDS pair*)(at + unit * kNextColumn * L::kKeyChunks * 16) = {
            __builtin_amdgcn_perm(word(1), word(0), low_or_high), __builtin_amdgcn_perm(word(3), word(2), low_or_high)};
      }
    }
  }

 private:
  __device__ bool is_there(int from) const { return kHeadV<P> == L::kColumns || column + from < kHeadV<P>; }
};

}  // namespace porter::attention

#endif  // PORTER_ATTENTION_LOADER_H
