// D = alpha A B + beta D: A and B f16, sums and D f32, with nvcuda::wmma.
//
//   A: m x k     B: k x n     D: m x n, all row-major, any sizes
//
// Four warps have 32 x 32 each of a tile of 64 x 64. The next step's tiles are on their way from memory to registers
// while the present ones are multiplied. wmma does not say which thread has which element, so results go through
// shared memory before what is outside of D is left out.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include "porter/tensor_map.h"
#include "porter/tensor_view.h"

#include <cstdint>

namespace {

constexpr int kChunk = 8;  // elements in 16 bytes

// porter[native-schedule]: gemm multiplies a and b (f16 x f16) and stores beta == 0.0f ? sum * alpha : (beta * before) + (sum * alpha) as f32 to d: it was executed on small problems to find that out, and is written anew for CDNA. Its roles, stages and barriers are gone; grid, block and shared memory of its launches follow
// C = A B^T on gfx942, in the place of a kernel written for NVIDIA's chips.
//
// A workgroup of eight waves makes a square tile of C from tiles of A and B in LDS. All waves load and multiply: a wave
// has its share of the registers whether it multiplies or not, so none is spent on loading alone. They are two groups of
// four, a wave of each on every SIMD, and the second group is one stage behind the first: while one multiplies, the
// other moves data. Tiles of the next step come from memory into registers meanwhile; LDS holds one step, since two of
// the large tile would be 128 KiB.
namespace gemm_native {

typedef uint32_t quad __attribute__((ext_vector_type(4)));

// f16: 64 of k in a row of LDS.
constexpr int kElementBytes = 2;
using Loaded = quad;  // a lane's part of a row
typedef _Float16 Operand __attribute__((ext_vector_type(4)));
typedef float Sums __attribute__((ext_vector_type(4)));
__device__ inline Sums mma(Operand a, Operand b, Sums c) {
  return __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);
}

using Result = uint32_t;
__device__ inline Result result(float value) { return __builtin_bit_cast(Result, value); }
__device__ inline float before(Result bits) { return __builtin_bit_cast(float, bits); }

constexpr int kWave = 64, kGroup = 4 * kWave, kThreads = 2 * kGroup;
constexpr int kLarge = 256, kSmall = 128;  // tiles; the small one moves twice the LDS data for a product
constexpr int kMma = 16;                   // rows and columns of one matrix instruction
constexpr int kChunks = 8;                 // of 16 bytes in a row of LDS: 128 bytes, once through all banks
constexpr int kSlices = 2;                 // of a step: what a wave reads at once, and multiplies
constexpr int kRun = 16 / sizeof(Result);  // neighbours in a row of C that a lane stores at once
constexpr int kLoadBytes = sizeof(Loaded), kStepBytes = kChunks * kLoadBytes, kStep = kStepBytes / kElementBytes;

constexpr uint64_t kLongestRow = 1 << 26;  // bytes: what a load reaches over must be less than 4 GiB,
constexpr int kReach = 64;                 // which is as many rows
constexpr uint32_t kNowhere = ~0u;         // out of every range
constexpr int kBufferFlags = 0x00020000;   // plain 32-bit data

constexpr int kComputeUnits = 304, kXcds = 8;
constexpr int kWindow = 8, kTilesOfXcd = 32;  // rows of tiles that share columns; tiles that share an XCD's L2

__host__ __device__ inline int parts(int size, int part) { return (size + part - 1) / part; }

// The chip makes as many tiles at once as it has compute units, in rounds. A large tile is as much work as four small ones;
// these take about a quarter longer, since they are short of LDS bandwidth. So small tiles are for where large ones leave
// compute units idle.
__host__ __device__ inline bool large(int m, int n) {
  const auto rounds = [&](int tile) { return parts(parts(m, tile) * parts(n, tile), kComputeUnits); };
  return 4 * rounds(kLarge) <= rounds(kSmall) * 5 / 4;
}

// The host goes by the sizes that the kernel is given.
inline dim3 grid(int m, int n) {
  const int tile = large(m, n) ? kLarge : kSmall;
  return dim3(parts(m, tile) * parts(n, tile));
}

// Which tile a workgroup makes. Workgroups go to the XCDs in turn; each XCD gets tiles that are neighbours, in windows
// of eight rows, so that its L2 serves a tile of A or B to several of its workgroups.
struct Place {
  int row, column;
};
__device__ inline Place place(int block, int rows, int columns) {
  constexpr int kSpan = kXcds * kTilesOfXcd;
  const int first = block / kSpan * kSpan, count = min(kSpan, rows * columns - first), xcd = block % kXcds;
  const int tile = first + xcd * (count / kXcds) + min(xcd, count % kXcds) + (block - first) / kXcds;
  const int window = tile / (kWindow * columns), within = tile % (kWindow * columns);
  const int height = min(kWindow, rows - window * kWindow);
  return {window * kWindow + within % height, within / height};
}

// Only LDS is waited for: global loads stay under way.
__device__ inline void end_stage() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
  __builtin_amdgcn_sched_barrier(0);
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_sched_barrier(0);
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
}

// Where a chunk of a row is in LDS. Of the eight lanes that the banks serve at once, those with the same chunk have rows
// that differ in their last three bits, and those with the same row have different chunks: no conflicts.
__device__ inline int slot(int row, int chunk) { return row * kChunks + (chunk ^ row % kChunks); }

// The rows of B lie in LDS such that the four neighbours in C that a lane gets of one matrix instruction and those of
// the next make up one run.
__device__ inline int in_runs(int row) {
  if constexpr (kRun == 4) return row;
  return (row & ~31) | (row & 4) << 2 | (row & 24) >> 1 | (row & 3);
}

// Loads the tiles of one operand. A's k are neighbours in memory: eight lanes read a row's part.
// B's k are a pitch apart: a lane reads 8 x 8 elements, eight lanes 64 of k, and
// transposes them in registers.
// What would be outside of the matrix comes as 0: buffer loads check their range, so that there is nothing to branch on
// and one register has the places of all loads. Places are 32 bits: rows may be kLongestRow bytes apart.
template <bool kWhole, int kTile>
struct Loader {
  static constexpr int kLoads = 8;  // a lane's for one step
  static constexpr int kRows = kTile / kLoads;  // of one load, where k are neighbours
  bool of_a, transposes;
  int chunk, part, rows;
  uint32_t place, row_bytes, pitch;
  uint64_t base;
  quad* tile;

  __device__ Loader(porter::matrix_view matrix, int first, quad* shared_tile, bool is_a)
      : of_a(is_a), transposes(!is_a), pitch(matrix.pitch), tile(shared_tile) {
    row_bytes = matrix.columns * kElementBytes;
    const int thread = __builtin_amdgcn_workitem_id_x() % kGroup;
    chunk = thread % kChunks, part = thread / kChunks;
    if (of_a) {
      rows = matrix.rows - first, base = matrix.base + first * matrix.pitch;
      place = part * pitch + chunk * kLoadBytes;
    } else {
      rows = matrix.rows, base = matrix.base;
      place = chunk * kLoads * pitch + (first + part * kLoads) * kElementBytes;
    }
  }
  // From a row on, and from a byte of it on.
  __device__ Loaded load(int row, int64_t byte, uint32_t at) const {
    const uint32_t bytes = row < rows ? (min(rows - row, kReach) - 1) * pitch + row_bytes - uint32_t(byte) : 0;
    void* const from = reinterpret_cast<void*>(base + uint64_t(row) * pitch + byte);
    const auto part_of_matrix = __builtin_amdgcn_make_buffer_rsrc(from, 0, bytes, kBufferFlags);
    if constexpr (!kWhole) {  // rows begin and end anywhere
      constexpr int kCount = kLoadBytes / kElementBytes;
      struct alignas(Loaded) {
        uint16_t at[kCount];
      } elements;
#pragma unroll
      for (int i = 0; i < kCount; ++i) {
        const uint32_t place_of = at == kNowhere ? at : at + i * kElementBytes;
        elements.at[i] = __builtin_amdgcn_raw_buffer_load_b16(part_of_matrix, place_of, 0, 0);
      }
      return __builtin_bit_cast(Loaded, elements);
    }
    return __builtin_amdgcn_raw_buffer_load_b128(part_of_matrix, at, 0, 0);
  }
  __device__ void fetch(Loaded (&next)[kLoads], int step) const {
    if (part >= kTile / kLoads) return;  // half of the waves, where the tile is the small one
#pragma unroll
    for (int i = 0; i < kLoads; ++i)
      next[i] = load(transposes ? step * kStep + i : i * kRows, transposes ? 0 : int64_t(step) * kStepBytes, place);
  }
  // The step that k ends in.
  __device__ void fetch_last(Loaded (&next)[kLoads], int step, int k) const {
    if (part >= kTile / kLoads) return;  // half of the waves, where the tile is the small one
    if (of_a) {
      const int left = (k - step * kStep) * kElementBytes - chunk * kLoadBytes;
#pragma unroll
      for (int i = 0; i < kLoads; ++i)
        next[i] = porter::first_bytes(load(i * kRows, int64_t(step) * kStepBytes, left > 0 ? place : kNowhere), left);
    } else {
      fetch(next, step);
    }
  }
  __device__ void put(const Loaded (&next)[kLoads]) const {
    if (part >= kTile / kLoads) return;  // half of the waves, where the tile is the small one
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const uint32_t low_or_high = i % 2 ? 0x07060302u : 0x05040100u;
      quad column;
#pragma unroll
      for (int w = 0; w < 4; ++w)
        column[w] = __builtin_amdgcn_perm(next[2 * w + 1][i / 2], next[2 * w][i / 2], low_or_high);
      const int row = transposes ? part * kLoads + i : i * kRows + part;
      tile[slot(of_a ? row : in_runs(row), chunk)] = transposes ? column : next[i];
    }
  }
};

template <bool kWhole, int kTile, class Value>
__device__ inline void multiply(porter::matrix_view a, porter::matrix_view b, porter::matrix_view c, quad* shared,
                                Value value) {
  constexpr int kWaveRows = kTile / 2, kWaveColumns = kTile / 4;  // of a wave's part: groups share the rows
  constexpr int kTilesM = kWaveRows / kMma, kTilesN = kWaveColumns / kMma;
  const int m = a.rows, n = b.columns, k = min(a.columns, b.rows);
  const int thread = __builtin_amdgcn_workitem_id_x(), lane = thread % kWave;
  const int wave = __builtin_amdgcn_readfirstlane(thread / kWave), group = wave / 4;
  const Place tile = place(__builtin_amdgcn_workgroup_id_x(), parts(m, kTile), parts(n, kTile));
  const int wave_row = group * kWaveRows, wave_column = wave % 4 * kWaveColumns;
  quad* const shared_b = shared + kTile * kChunks;

  // The first group loads A, the second one B.
  const Loader<kWhole, kTile> loader(group == 0 ? a : b, (group == 0 ? tile.row : tile.column) * kTile,
                             group == 0 ? shared : shared_b, group == 0);
  Loaded next[Loader<kWhole, kTile>::kLoads];

  // A lane reads a row's chunk and gives half of it to each of two matrix instructions. Which k these are does not matter
  // as long as A and B agree.
  quad from_a[kTilesM], from_b[kTilesN];
  const auto read = [&](int slice) {
    const int chunk = slice * (kChunks / kSlices) + lane / kMma;
    const quad* const at_a = shared + slot(wave_row + lane % kMma, chunk);
    const quad* const at_b = shared_b + slot(wave_column + lane % kMma, chunk);
#pragma unroll
    for (int j = 0; j < kTilesN; ++j) from_b[j] = at_b[j * kMma * kChunks];
#pragma unroll
    for (int i = 0; i < kTilesM; ++i) from_a[i] = at_a[i * kMma * kChunks];
  };

  // Rows of B take the place of A's in the instruction, so that a lane's four results are neighbours in a row of C.
  Sums sums[kTilesM][kTilesN] = {};
  const auto multiply_halves = [&](int first, int end) {
    __builtin_amdgcn_s_setprio(1);  // before the other group's wave on this SIMD
#pragma unroll
    for (int half = first; half < end; ++half) {
      const auto operand = [&](quad chunk) { return __builtin_bit_cast(Operand, half ? chunk.hi : chunk.lo); };
#pragma unroll
      for (int i = 0; i < kTilesM; ++i)
#pragma unroll
        for (int j = 0; j < kTilesN; ++j) sums[i][j] = mma(operand(from_b[j]), operand(from_a[i]), sums[i][j]);
    }
    __builtin_amdgcn_s_setprio(0);
  };

  // Six stages: moving data and multiplying in turn. When one group puts its tile into LDS, both have read what was there;
  // when it reads, both have put.
  const auto multiply_step = [&](auto another, int step) {
    if constexpr (another) loader.fetch(next, step);
    read(0);
    end_stage();
    multiply_halves(0, 2);
    end_stage();
    read(1);
    end_stage();
    multiply_halves(0, 1);
    end_stage();
    if constexpr (another) loader.put(next);
    end_stage();
    multiply_halves(1, 2);
    end_stage();
  };

  // The step that k may end in comes first: the others need not look at k.
  const int last = max(parts(k, kStep) - 1, 0);
  loader.fetch_last(next, last, k);
  loader.put(next);
  end_stage();
  if (group == 1) end_stage();
  for (int step = 0; step < last; ++step) multiply_step(std::true_type(), step);
  multiply_step(std::false_type(), 0);
  if (group == 0) end_stage();

  // 16 bytes a store where runs are whole and C is aligned; four lanes have neighbouring runs. Again the range check keeps
  // out what is outside.
  struct alignas(16) Run {
    Result at[kRun];
  };
  const int rows = min(uint32_t(m), c.rows), columns = min(uint32_t(n), c.columns);
  const uint32_t pitch = c.pitch, size = sizeof(Result);
  const bool whole = (c.base | pitch) % 16 == 0 && columns % kRun == 0;
#pragma unroll
  for (int i = 0; i < kTilesM; ++i) {
    const int first = tile.row * kTile + wave_row + i * kMma, height = min(rows - first, kMma);
    if (height <= 0) break;
    void* const base = reinterpret_cast<void*>(c.base + first * c.pitch);
    const auto part = __builtin_amdgcn_make_buffer_rsrc(base, 0, (height - 1) * pitch + columns * size, kBufferFlags);
    const int row = min(lane % kMma, height - 1);
#pragma unroll
    for (int j = 0; j < kTilesN; j += kRun / 4) {
      const int column = tile.column * kTile + wave_column + j * kMma + lane / kMma * kRun;
      const uint32_t at = lane % kMma * pitch + column * size;
      Run run;
#pragma unroll
      for (int e = 0; e < kRun; ++e) {
        const auto sum = sums[i][j + e / 4][e % 4];
        run.at[e] = result(value(sum, first + row, min(column + e, columns - 1), before(__builtin_amdgcn_raw_buffer_load_b32(part, column + e < columns ? at + e * size : kNowhere, 0, 0))));
      }
      if (whole) {
        const uint32_t to = column < columns ? at : kNowhere;
        __builtin_amdgcn_raw_buffer_store_b128(__builtin_bit_cast(quad, run), part, to, 0, 0);
        continue;
      }
#pragma unroll
      for (int e = 0; e < kRun; ++e) {
        const uint32_t to = column + e < columns ? at + e * size : kNowhere;
        __builtin_amdgcn_raw_buffer_store_b32(run.at[e], part, to, 0, 0);
      }
    }
  }
}

template <class Value>
__device__ inline void run(porter::matrix_view a, porter::matrix_view b, porter::matrix_view c, Value value) {
  __shared__ quad shared[2 * kLarge * kChunks];
  if (max(max(a.pitch, b.pitch), c.pitch) >= kLongestRow) __builtin_trap();
  const auto whole_chunks = [](porter::matrix_view of) {
    return (of.base | of.pitch | uint64_t(of.columns) * kElementBytes) % 16 == 0;
  };
  const bool whole = whole_chunks(a) && whole_chunks(b), tall = large(a.rows, b.columns);
  if (whole && tall) multiply<true, kLarge>(a, b, c, shared, value);
  else if (whole) multiply<true, kSmall>(a, b, c, shared, value);
  else if (tall) multiply<false, kLarge>(a, b, c, shared, value);
  else multiply<false, kSmall>(a, b, c, shared, value);
}

}  // namespace gemm_native

// Two waves a SIMD: 256 registers each, half of them sums.
template <bool kVector>
__global__ void __launch_bounds__(gemm_native::kThreads, 2)
    gemm(const __half* __restrict__ a, const __half* __restrict__ b, float* __restrict__ d, int m, int n, int k,
         float alpha, float beta) {
  gemm_native::run(
      porter::view<uint16_t>(a, k, m, k), porter::view<uint16_t>(b, n, k, n), porter::view<gemm_native::Result>(d, n, m, n),
      [&](float sum, int row, int column, float before) -> float { return beta == 0.0f ? sum * alpha : (beta * before) + (sum * alpha); });
}

}  // namespace

extern "C" hipError_t wmma_gemm(const __half* A, const __half* B, float* D, int m, int n, int k, float alpha,
                                 float beta, hipStream_t stream) {
  if (m == 0 || n == 0) return hipSuccess;
  if (k % kChunk == 0 && n % kChunk == 0) {
    gemm<true><<<gemm_native::grid(m, n), gemm_native::kThreads, 0, stream>>>(A, B, D, m, n, k, alpha, beta);
  } else {
    gemm<false><<<gemm_native::grid(m, n), gemm_native::kThreads, 0, stream>>>(A, B, D, m, n, k, alpha, beta);
  }
  return hipGetLastError();
}
