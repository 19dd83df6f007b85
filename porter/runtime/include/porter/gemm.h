// porter runtime: products of matrices on gfx942, C = f(A B^T), in the place of kernels written for NVIDIA's chips.
//
// What is a port's own is in a structure that it gives to Schedule, and f is a function that it gives to run:
//
//   struct problem : porter::gemm::Problem {
//     using A = porter::gemm::bf16;
//     using B = porter::gemm::bf16;
//     using C = porter::gemm::f32;
//   };
//   using product = porter::gemm::Schedule<problem>;
//
//   // Two waves a SIMD: 256 registers each, half of them sums.
//   __global__ void __launch_bounds__(product::kThreads, 2)
//       scaled(const CUtensorMap a, const CUtensorMap b, float* c, int n, float by) {
//     product::run(porter::view(a), porter::view(b), porter::view<product::Result>(c, n),
//                  [&](float sum, int row, int column) -> float { return by * sum; });
//   }
//   scaled<<<product::grid(a, b), product::kThreads>>>(a, b, c, n, by);
//
// If elements of C lie in columns, A and B change places, as do f's row and column: C^T = B A^T.
//
// A workgroup of eight waves makes a square tile of C from tiles of A and B in LDS. All waves load and multiply: a wave
// has its share of the registers whether it multiplies or not, so none is spent on loading alone. They are two groups
// of four, a wave of each on every SIMD, and the second group is one stage behind the first: while one multiplies, the
// other moves data. Tiles of the next step come from memory into registers meanwhile; LDS holds one step, since two of
// the large tile would be 128 KiB.
#ifndef PORTER_GEMM_H
#define PORTER_GEMM_H

#include <hip/hip_runtime.h>

#include <cstdint>
#include <type_traits>

#include "gemm_elements.h"
#include "gemm_loader.h"
#include "tensor_view.h"

namespace porter::gemm {

// What differs between products, besides the elements A, B and C. A port's own structure says what is not as here.
struct Problem {
  static constexpr bool kAIsKMajor = true, kBIsKMajor = true;  // elements of k are neighbours in memory
  static constexpr bool kInChunks = true;                // rows of A and B begin at multiples of 16 bytes
  static constexpr bool kManyA = false, kManyB = false;  // the third dimension of its tensor map counts matrices
  static constexpr bool kMayBeEmpty = false;             // what run is given as C may have no rows or columns
  static constexpr int kLarge = 256, kSmall = 128;       // columns of tiles; large ones may have fewer rows
  static constexpr int kComputeUnits = 304, kXcds = 8;   // of the board; `porter convert --board` writes another's
};

constexpr int kMma = 16;    // rows and columns of one matrix instruction
constexpr int kSlices = 2;  // of a step: what a wave reads at once, and multiplies
constexpr int kWindow = 8, kTilesOfXcd = 32;  // rows of tiles that share columns; tiles that share an XCD's L2

__host__ __device__ inline int parts(int size, int part) { return (uint32_t(size) + part - 1) / part; }

constexpr int kFewer = 32;  // rows by which large tiles differ

struct Tile {
  int rows, columns;
};

// The chip makes as many tiles at once as it has compute units, in rounds; the last round costs as much as the others,
// however few tiles it has. So the tile is the one whose rounds are the least work. What a step costs besides the rows
// of its tile (reads of B's part, turns) is as much as some more rows; half of a small tile's columns save a quarter; six
// stages are a sixteenth longer than four.
template <class P>
__host__ __device__ inline Tile tile_for(int m, int n) {
#ifdef PORTER_GEMM_ROWS  // for a sweep: tiles of so many rows and 256 columns, 128 to 256 in steps of 32
  return {PORTER_GEMM_ROWS, P::kLarge};
#endif
  const auto work = [&](Tile tile) {
    const uint32_t tiles = parts(m, tile.rows) * parts(n, tile.columns), units = P::kComputeUnits;
    const uint32_t share = tile.columns == P::kSmall ? 12 : tile.rows == P::kLarge ? 17 : 16;
    return (tiles + units - 1) / units * (tile.rows + Factors<typename P::A, typename P::B>::kBesides) * share;
  };
  Tile best = {P::kSmall, P::kSmall};
  uint32_t least = work(best);
#pragma unroll  // a loop would cost a kernel some microseconds before its first load
  for (int rows = P::kLarge / 2; rows <= P::kLarge; rows += kFewer) {
    const Tile tile = {rows, P::kLarge};
    const uint32_t its = work(tile);
    best = its <= least ? tile : best, least = min(its, least);
  }
  return best;
}

// Which tile a workgroup makes. Workgroups go to the XCDs in turn; each XCD gets tiles that are neighbours, in windows
// of eight rows, so that its L2 serves a tile of A or B to several of its workgroups.
struct Place {
  int row, column;
};
template <class P>
__device__ inline Place place(int block, int rows, int columns) {
  constexpr int kXcds = P::kXcds, kSpan = kXcds * kTilesOfXcd;
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

template <class P, bool kWhole, int kRows, int kTile, class Value>
__device__ inline void multiply(porter::matrix_view a, porter::matrix_view b, porter::matrix_view c, quad* shared,
                                Value value) {
  using F = Factors<typename P::A, typename P::B>;
  using S = Stored<typename P::C>;
  using Load = Loader<P, kWhole, kTile, kRows>;
  using Result = typename S::Result;
  constexpr int kWaveRows = kRows / 2, kWaveColumns = kTile / 4;  // of a wave's part: groups share the rows
  constexpr int kTilesM = kWaveRows / kMma, kTilesN = kWaveColumns / kMma;
  constexpr int kStep = Load::kStep;
  // Loads of a step that are issued as soon as their registers are free. What is transposed needs the registers.
  constexpr int kEarly = Load::kKMajor ? Load::kLoads / 2 : 0;
  constexpr int kRun = sizeof(Result) == 4 ? 4 : 8;  // neighbours in a row of C that a lane stores at once
  // Slices of a step that registers hold: both, where there are enough beside what is converted when it is stored.
  constexpr int kForSums = kTilesM * kTilesN * 4, kForSlice = (kTilesM + kTilesN) * 4;
  constexpr int kHeld = Load::kKMajor && kForSums + 2 * kForSlice <= (Load::kLoadBytes == 16 ? 200 : 168) ? 2 : 1;
  static_assert(kTile % 128 == 0 && kTile <= 256, "what eight waves share, and LDS holds");
  static_assert(kRows % (2 * kMma) == 0 && kRows <= kTile, "what two groups share, and is loaded as columns are");
  const int m = P::kAIsKMajor ? a.rows : a.columns, n = P::kBIsKMajor ? b.rows : b.columns;
  const int k = min(P::kAIsKMajor ? a.columns : a.rows, P::kBIsKMajor ? b.columns : b.rows);
  const int thread = __builtin_amdgcn_workitem_id_x(), lane = thread % kWave;
  const int wave = __builtin_amdgcn_readfirstlane(thread / kWave), group = wave / 4;
  const Place tile = place<P>(__builtin_amdgcn_workgroup_id_x(), parts(m, kRows), parts(n, kTile));
  const int wave_row = group * kWaveRows, wave_column = wave % 4 * kWaveColumns;
  quad* const shared_b = shared + kTile * kChunks;

  // The first group loads A, the second one B.
  const Load loader(group == 0 ? a : b, group == 0 ? tile.row * kRows : tile.column * kTile, group == 0 ? shared : shared_b,
                    group == 0);
  typename F::Loaded next[Load::kLoads];

  // A lane reads a row's chunk and gives half of it to each of two matrix instructions. Which k these are does not
  // matter as long as A and B agree.
  quad from_a[kHeld][kTilesM], from_b[kHeld][kTilesN];
  const auto read = [&](int slice, auto between) {
    const int held = slice % kHeld;
    const int chunk = slice * (kChunks / kSlices) + lane / kMma;
    const quad* const at_a = shared + slot(wave_row + lane % kMma, chunk);
    const quad* const at_b = shared_b + slot(wave_column + lane % kMma, chunk);
#pragma unroll
    for (int j = 0; j < kTilesN; ++j) {
      from_b[held][j] = at_b[j * kMma * kChunks];
      between(j);
    }
#pragma unroll
    for (int i = 0; i < kTilesM; ++i) {
      from_a[held][i] = at_a[i * kMma * kChunks];
      between(kTilesN + i);
    }
  };

  // Rows of B take the place of A's in the instruction, so that a lane's four results are neighbours in a row of C.
  typename F::Sums sums[kTilesM][kTilesN] = {};
  const auto multiply_halves = [&](int slice, int first, int end) {
    const int held = slice % kHeld;
    __builtin_amdgcn_s_setprio(1);  // before the other group's wave on this SIMD
#pragma unroll
    for (int half = first; half < end; ++half) {
      const auto operand = [&](quad chunk) {
        return __builtin_bit_cast(typename F::Operand, half ? chunk.hi : chunk.lo);
      };
#pragma unroll
      for (int i = 0; i < kTilesM; ++i)
#pragma unroll
        for (int j = 0; j < kTilesN; ++j) {
          sums[i][j] = F::mma(operand(from_b[held][j]), operand(from_a[held][i]), sums[i][j]);
        }
    }
    __builtin_amdgcn_s_setprio(0);
  };

  const int last = max(parts(k, kStep) - 1, 0);  // steps but for the one that k may end in

  // Moving data and multiplying in turn. When one group puts its tile into LDS, both have read what was there; when it
  // reads, both have put. Each change of turns costs: four stages, where the registers hold all that a wave reads of a
  // step, else six.
  constexpr int kReads = kTilesM + kTilesN, kEarlyWords = kHeld == 2 ? kEarly * Load::kWords : 0;
  // Between accesses to LDS, which take long to issue, some words of what was loaded first are converted.
  const auto convert_some = [&](int access, int accesses, int first, int end) {
    if constexpr (F::kConverts) {
      const int each = parts(end - first, accesses);
      Load::convert(next, first + access * each, min(first + (access + 1) * each, end));
      __builtin_amdgcn_sched_barrier(0);
    }
  };
  const auto no_more = [](int) {};
  // clang moves reads behind a barrier, to where their values are used, if a branch lies between.
  const auto keep_read = [&](int held) {
#pragma unroll
    for (int j = 0; j < kTilesN; ++j) asm volatile("" : "+v"(from_b[held][j]));
#pragma unroll
    for (int i = 0; i < kTilesM; ++i) asm volatile("" : "+v"(from_a[held][i]));
  };
  const auto multiply_step = [&](auto another, int step) {
    if constexpr (another) loader.template fetch<kEarly, Load::kLoads>(next, step);
    read(0, [&](int i) { if constexpr (another && kHeld == 2) convert_some(i, 2 * kReads, 0, kEarlyWords); });
    if constexpr (kHeld == 2)
      read(1, [&](int i) { if constexpr (another) convert_some(kReads + i, 2 * kReads, 0, kEarlyWords); });
    end_stage();
    if constexpr (kHeld == 2) keep_read(1);
    multiply_halves(0, 0, 2);
    end_stage();
    if constexpr (kHeld == 1) {
      read(1, no_more);
      if constexpr (another) Load::convert(next, 0, Load::kLoads * Load::kWords);
      end_stage();
      multiply_halves(1, 0, 1);
      end_stage();
    }
    if constexpr (another) {
      loader.put(next, [&](int i) {
        if constexpr (kHeld == 2)
          if (i < kEarly) convert_some(i, kEarly, kEarlyWords, Load::kLoads * Load::kWords);
      });
      loader.template fetch<0, kEarly>(next, step + 1, step + 1 < last);
    }
    end_stage();
    multiply_halves(1, kHeld == 1, 2);
    end_stage();
  };

  // The step that k may end in comes first: the others need not look at k.
  loader.fetch_last(next, last, k);
  Load::convert(next, 0, Load::kLoads * Load::kWords);
  loader.put(next, no_more);
  loader.template fetch<0, kEarly>(next, 0, last > 0);
  end_stage();
  if (group == 1) end_stage();
  for (int step = 0; step < last; ++step) multiply_step(std::true_type(), step);
  multiply_step(std::false_type(), 0);
  if (group == 0) end_stage();

  // A run a store, 16 bytes or 8, where runs are whole and C is aligned; four lanes have neighbouring runs. Again the
  // range check keeps out what is outside.
  struct alignas(kRun * sizeof(Result)) Run {
    Result at[kRun];
  };
  const int rows = min(uint32_t(m), c.rows), columns = min(uint32_t(n), c.columns);
  const uint32_t pitch = c.pitch, size = sizeof(Result);
  const bool whole = (c.base | pitch) % sizeof(Run) == 0 && columns % kRun == 0;
#pragma unroll
  for (int i = 0; i < kTilesM; ++i) {
    const int first = tile.row * kRows + wave_row + i * kMma, height = min(rows - first, kMma);
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
        const typename F::Sum sum = sums[i][j + e / 4][e % 4] * F::kScale;
        const int of_row = first + row, of_column = min(column + e, columns - 1);
        if constexpr (std::is_invocable_v<Value, typename F::Sum, int, int, typename F::Sum>) {
          const Result old = buffer_load<sizeof(Result)>(part, column + e < columns ? at + e * size : kNowhere);
          run.at[e] = S::result(value(sum, of_row, of_column, S::before(old)));
        } else {
          run.at[e] = S::result(value(sum, of_row, of_column));
        }
      }
      if (whole) {
        const uint32_t to = column < columns ? at : kNowhere;
        if constexpr (sizeof run == 16) __builtin_amdgcn_raw_buffer_store_b128(__builtin_bit_cast(quad, run), part, to, 0, 0);
        else __builtin_amdgcn_raw_buffer_store_b64(__builtin_bit_cast(pair, run), part, to, 0, 0);
        continue;
      }
#pragma unroll
      for (int e = 0; e < kRun; ++e) {
        const uint32_t to = column + e < columns ? at + e * size : kNowhere;
        if constexpr (sizeof(Result) == 1) __builtin_amdgcn_raw_buffer_store_b8(run.at[e], part, to, 0, 0);
        else if constexpr (sizeof(Result) == 2) __builtin_amdgcn_raw_buffer_store_b16(run.at[e], part, to, 0, 0);
        else __builtin_amdgcn_raw_buffer_store_b32(run.at[e], part, to, 0, 0);
      }
    }
  }
}

template <class P>
struct Schedule {
  using Result = typename Stored<typename P::C>::Result;  // the bits of an element of C
  static constexpr int kThreads = 2 * kGroup;

  // The host goes by the sizes that the kernel is given, or by the tensor maps'. products: of one launch, counted by
  // blockIdx.z.
  static dim3 grid(int m, int n, uint32_t products = 1) {
    const Tile tile = tile_for<P>(m, n);
    return dim3(parts(m, tile.rows) * parts(n, tile.columns), 1, products);
  }
  static dim3 grid(const CUtensorMap& map_a, const CUtensorMap& map_b, uint32_t products = 1) {
    const porter::matrix_view a = P::kManyA ? porter::view(map_a, 0, false) : porter::view(map_a);
    const porter::matrix_view b = P::kManyB ? porter::view(map_b, 0, false) : porter::view(map_b);
    return grid(P::kAIsKMajor ? a.rows : a.columns, P::kBIsKMajor ? b.rows : b.columns, products);
  }

  // value: f of the sum, its row and its column, and of what the element of C was if it takes that, too.
  // Always a part of the kernel: as a function of its own it would have other registers, and spill sums.
  template <class Value>
  __device__ __forceinline__ static void run(porter::matrix_view a, porter::matrix_view b, porter::matrix_view c,
                                             Value value) {
    __shared__ quad shared[2 * P::kLarge * kChunks];
    if (max(max(a.pitch, b.pitch), c.pitch) >= kLongestRow) __builtin_trap();
    if (P::kMayBeEmpty && (c.rows == 0 || c.columns == 0)) return;
    const int m = P::kAIsKMajor ? a.rows : a.columns, n = P::kBIsKMajor ? b.rows : b.columns;
    const Tile tile = tile_for<P>(m, n);
    if constexpr (P::kInChunks) {
      multiply_tile<true>(tile, a, b, c, shared, value);
    } else {
      const auto whole_chunks = [](porter::matrix_view of) {
        return (of.base | of.pitch | uint64_t(of.columns) * Loader<P, true, P::kSmall>::kElementBytes) % 16 == 0;
      };
      if (whole_chunks(a) && whole_chunks(b)) multiply_tile<true>(tile, a, b, c, shared, value);
      else multiply_tile<false>(tile, a, b, c, shared, value);
    }
  }

 private:
  template <bool kWhole, int kRows, class Value>
  __device__ __forceinline__ static void multiply_rows(Tile tile, porter::matrix_view a, porter::matrix_view b,
                                                       porter::matrix_view c, quad* shared, Value value) {
    if constexpr (kRows - kFewer >= P::kLarge / 2)
      if (tile.rows < kRows) return multiply_rows<kWhole, kRows - kFewer>(tile, a, b, c, shared, value);
    multiply<P, kWhole, kRows, P::kLarge>(a, b, c, shared, value);
  }
  template <bool kWhole, class Value>
  __device__ __forceinline__ static void multiply_tile(Tile tile, porter::matrix_view a, porter::matrix_view b,
                                                       porter::matrix_view c, quad* shared, Value value) {
    if (tile.columns == P::kSmall) multiply<P, kWhole, P::kSmall, P::kSmall>(a, b, c, shared, value);
    else multiply_rows<kWhole, P::kLarge>(tile, a, b, c, shared, value);
  }
};

}  // namespace porter::gemm

#endif  // PORTER_GEMM_H
