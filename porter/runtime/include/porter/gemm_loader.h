// porter runtime: how gemm.h brings tiles of A and B from memory to LDS, and where they lie there.
#ifndef PORTER_GEMM_LOADER_H
#define PORTER_GEMM_LOADER_H

#include <hip/hip_runtime.h>

#include <cstdint>

#include "gemm_elements.h"
#include "tensor_view.h"

namespace porter::gemm {

constexpr int kWave = 64, kGroup = 4 * kWave;  // lanes of a wave, and of a group of waves
constexpr int kChunks = 8;                     // of 16 bytes in a row of LDS: 128 bytes, once through all banks

constexpr uint64_t kLongestRow = 1 << 26;  // bytes: what a load reaches over must be less than 4 GiB,
constexpr int kReach = 64;                 // which is as many rows
constexpr uint32_t kNowhere = ~0u;         // out of every range
constexpr int kBufferFlags = 0x00020000;   // plain 32-bit data

// Where a chunk of a row is in LDS. Of the eight lanes that the banks serve at once, those with the same chunk have
// rows that differ in their last three bits, and those with the same row have different chunks: no conflicts.
__device__ inline int slot(int row, int chunk) { return row * kChunks + (chunk ^ row % kChunks); }

// The rows of B lie in LDS such that the four neighbours in C that a lane gets of one matrix instruction and those of
// the next make up one run of 16 bytes, or of 8 where they are bytes.
template <class Result>
__device__ inline int in_runs(int row) {
  if constexpr (sizeof(Result) == 4) return row;
  return (row & ~31) | (row & 4) << 2 | (row & 24) >> 1 | (row & 3);
}

template <int kBytes, class Buffer>
__device__ inline auto buffer_load(Buffer buffer, uint32_t at) {
  if constexpr (kBytes == 16) return __builtin_amdgcn_raw_buffer_load_b128(buffer, at, 0, 0);
  else if constexpr (kBytes == 8) return __builtin_amdgcn_raw_buffer_load_b64(buffer, at, 0, 0);
  else if constexpr (kBytes == 4) return __builtin_amdgcn_raw_buffer_load_b32(buffer, at, 0, 0);
  else if constexpr (kBytes == 2) return __builtin_amdgcn_raw_buffer_load_b16(buffer, at, 0, 0);
  else return __builtin_amdgcn_raw_buffer_load_b8(buffer, at, 0, 0);
}

// Loads the tiles of one operand. What would be outside of the matrix comes as 0: buffer loads check their range, so
// that there is nothing to branch on and one register has the places of all loads. Places are 32 bits: rows may be
// kLongestRow bytes apart.
//
// Where k are neighbours in memory, eight lanes read a row's part. Where they are a pitch apart, a lane reads 8 x 8
// elements, eight lanes 64 of k, and transposes them in registers.
//
// A's tile may have fewer rows: loads beyond them bring nothing, and LDS has room for what they bring.
template <class Problem, bool kWhole, int kTile, int kRowsOfA = kTile>
struct Loader {
  using F = Factors<typename Problem::A, typename Problem::B>;
  using Loaded = typename F::Loaded;
  using Result = typename Stored<typename Problem::C>::Result;
  static constexpr bool kKMajor = Problem::kAIsKMajor && Problem::kBIsKMajor;
  static constexpr bool kMixed = Problem::kAIsKMajor != Problem::kBIsKMajor;
  static constexpr int kElementBytes = F::kElementBytes;
  static constexpr int kLoadBytes = sizeof(Loaded), kStepBytes = kChunks * kLoadBytes;
  static constexpr int kStep = kStepBytes / kElementBytes;
  static constexpr int kLoads = kKMajor ? kTile * kChunks / kGroup : 8;  // a lane's for one step
  static constexpr int kRows = kTile / kLoads;                           // of one load, where k are neighbours
  static_assert(kKMajor || (kElementBytes == 2 && kLoadBytes == 16), "elements of 16 bits are transposed");

  bool of_a, transposes;
  int chunk, part, rows;
  uint32_t place, row_bytes, pitch;
  uint64_t base;
  quad* tile;

  __device__ Loader(porter::matrix_view matrix, int first, quad* shared_tile, bool is_a)
      : of_a(is_a), transposes(is_a != Problem::kAIsKMajor), pitch(matrix.pitch), tile(shared_tile) {
    row_bytes = matrix.columns * kElementBytes;
    if constexpr (Problem::kInChunks) row_bytes = (row_bytes + 15) & ~15u;
    const int thread = __builtin_amdgcn_workitem_id_x() % kGroup;
    chunk = thread % kChunks, part = thread / kChunks;
    if (is_k_major()) {
      rows = min(matrix.rows - first, uint32_t(of_a ? kRowsOfA : kTile)), base = matrix.base + first * matrix.pitch;
      place = part * pitch + chunk * kLoadBytes;
    } else {
      rows = matrix.rows, base = matrix.base;
      place = chunk * kLoads * pitch + (first + part * kLoads) * kElementBytes;
    }
  }
  __device__ bool is_k_major() const { return of_a ? Problem::kAIsKMajor : Problem::kBIsKMajor; }
  __device__ bool transposed() const { return kMixed ? transposes : !kKMajor; }
  // Half of the waves, where a lane has eight loads and the tile is the small one.
  __device__ bool is_idle() const { return !kKMajor && part >= kTile / kLoads; }

  // From a row on, and from a byte of it on.
  __device__ Loaded load(int row, int64_t byte, uint32_t at) const {
    const uint32_t before = Problem::kInChunks ? 0 : uint32_t(byte);
    const uint32_t bytes = row < rows ? (min(rows - row, kReach) - 1) * pitch + row_bytes - before : 0;
    void* const from = reinterpret_cast<void*>(base + uint64_t(row) * pitch + byte);
    const auto part_of_matrix = __builtin_amdgcn_make_buffer_rsrc(from, 0, bytes, kBufferFlags);
    if constexpr (!kWhole) {  // rows begin and end anywhere
      constexpr int kCount = kLoadBytes / kElementBytes;
      struct alignas(Loaded) {
        decltype(buffer_load<kElementBytes>(part_of_matrix, at)) at[kCount];
      } elements;
#pragma unroll
      for (int i = 0; i < kCount; ++i) {
        const uint32_t place_of = at == kNowhere ? at : at + i * kElementBytes;
        elements.at[i] = buffer_load<kElementBytes>(part_of_matrix, place_of);
      }
      return __builtin_bit_cast(Loaded, elements);
    } else {
      return buffer_load<kLoadBytes>(part_of_matrix, at);
    }
  }

  // Loads kFirst to kEnd of a step. What is not wanted is read from nowhere, without a branch.
  template <int kFirst = 0, int kEnd = kLoads>
  __device__ void fetch(Loaded (&next)[kLoads], int step, bool wanted = true) const {
    if (is_idle()) return;
    const uint32_t at = wanted ? place : kNowhere;
#pragma unroll
    for (int i = kFirst; i < kEnd; ++i)
      next[i] = load(transposed() ? step * kStep + i : i * kRows, transposed() ? 0 : int64_t(step) * kStepBytes, at);
  }
  // The step that k ends in.
  __device__ void fetch_last(Loaded (&next)[kLoads], int step, int k) const {
    if (is_idle()) return;
    if (!is_k_major()) return fetch(next, step);
    const int left = (k - step * kStep) * kElementBytes - chunk * kLoadBytes;
#pragma unroll
    for (int i = 0; i < kLoads; ++i)
      next[i] = porter::first_bytes(load(i * kRows, int64_t(step) * kStepBytes, left > 0 ? place : kNowhere), left);
  }
  // Words of 4 bytes as LDS has them; those beyond the last one are none.
  static constexpr int kWords = kLoadBytes / 4;  // of a load
  __device__ static void convert(Loaded (&next)[kLoads], int first, int end) {
    if constexpr (F::kConverts) {
#pragma unroll
      for (int i = first; i < min(end, kLoads * kWords); ++i)
        next[i / kWords][i % kWords] = F::converted(next[i / kWords][i % kWords]);
    }
  }
  // between: what is done after each store but those of transposed tiles.
  template <class Between>
  __device__ void put(Loaded (&next)[kLoads], Between between) const {
    if (is_idle()) return;
    if constexpr (kKMajor) {
      quad* const to = tile + slot(of_a ? part : in_runs<Result>(part), chunk);
#pragma unroll
      for (int i = 0; i < kLoads; ++i) {
        to[i * kRows * kChunks] = F::stored(next[i], of_a);
        between(i);
      }
    } else {
#pragma unroll
      for (int i = 0; i < kLoads; ++i) {
        const uint32_t low_or_high = i % 2 ? 0x07060302u : 0x05040100u;
        quad column;
#pragma unroll
        for (int w = 0; w < 4; ++w)
          column[w] = __builtin_amdgcn_perm(next[2 * w + 1][i / 2], next[2 * w][i / 2], low_or_high);
        if constexpr (kMixed) {  // without a branch: the compiler spills sums where there is one in the loop
          const int row = transposes ? part * kLoads + i : i * kRows + part;
          tile[slot(of_a ? row : in_runs<Result>(row), chunk)] = transposes ? column : next[i];
        } else {
          tile[slot(of_a ? part * kLoads + i : in_runs<Result>(part * kLoads + i), chunk)] = column;
        }
      }
    }
  }
};

}  // namespace porter::gemm

#endif  // PORTER_GEMM_LOADER_H
