// porter stub headers: CUB, cooperation of a block.
#pragma once
#include "config.h"

namespace cub {
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT = 0, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED = 5,
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT = 0, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE = 4, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED,
};
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <class T, int DimX, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int DimY = 1,
          int DimZ = 1, int Arch = 0>
class BlockReduce {
 public:
  struct TempStorage {
    unsigned char bytes[16];
  };
  __device__ BlockReduce() {}
  __device__ explicit BlockReduce(TempStorage &) {}
  __device__ BlockReduce(TempStorage &, int) {}
  template <class Op>
  __device__ T Reduce(T, Op) PORTER_STUB_BODY
  template <int Items, class Op>
  __device__ T Reduce(T (&)[Items], Op) PORTER_STUB_BODY
  template <class Op>
  __device__ T Reduce(T, Op, int) PORTER_STUB_BODY
  __device__ T Sum(T) PORTER_STUB_BODY
  template <int Items>
  __device__ T Sum(T (&)[Items]) PORTER_STUB_BODY
  __device__ T Sum(T, int) PORTER_STUB_BODY
};

template <class T, int DimX, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int DimY = 1, int DimZ = 1,
          int Arch = 0>
class BlockScan {
 public:
  struct TempStorage {
    unsigned char bytes[16];
  };
  __device__ BlockScan() {}
  __device__ explicit BlockScan(TempStorage &) {}
  __device__ BlockScan(TempStorage &, int) {}
  template <class... A>
  __device__ void InclusiveSum(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void ExclusiveSum(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void InclusiveScan(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void ExclusiveScan(A &&...) PORTER_STUB_BODY
};

template <class T, int DimX, int Items, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int DimY = 1,
          int DimZ = 1, int Arch = 0>
class BlockLoad {
 public:
  struct TempStorage {
    unsigned char bytes[16];
  };
  __device__ BlockLoad() {}
  __device__ explicit BlockLoad(TempStorage &) {}
  __device__ BlockLoad(TempStorage &, int) {}
  template <class... A>
  __device__ void Load(A &&...)
      PORTER_SAID_IF((Algorithm == BLOCK_LOAD_WARP_TRANSPOSE || Algorithm == BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED) &&
                         DimX * DimY * DimZ % 64 != 0,
                     "partial-wave-transpose") PORTER_STUB_BODY
};

template <class T, int DimX, int Items, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int DimY = 1,
          int DimZ = 1, int Arch = 0>
class BlockStore {
 public:
  struct TempStorage {
    unsigned char bytes[16];
  };
  __device__ BlockStore() {}
  __device__ explicit BlockStore(TempStorage &) {}
  __device__ BlockStore(TempStorage &, int) {}
  template <class... A>
  __device__ void Store(A &&...)
      PORTER_SAID_IF((Algorithm == BLOCK_STORE_WARP_TRANSPOSE || Algorithm == BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED) &&
                         DimX * DimY * DimZ % 64 != 0,
                     "partial-wave-transpose") PORTER_STUB_BODY
};

template <class T, int DimX, int Items, bool TimeSlicing = false, int DimY = 1, int DimZ = 1, int Arch = 0>
class BlockExchange {
 public:
  struct TempStorage {
    unsigned char bytes[16];
  };
  __device__ BlockExchange() {}
  __device__ explicit BlockExchange(TempStorage &) {}
  __device__ BlockExchange(TempStorage &, int) {}
  template <class... A>
  __device__ void StripedToBlocked(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void BlockedToStriped(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void WarpStripedToBlocked(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void BlockedToWarpStriped(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void ScatterToBlocked(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void ScatterToStriped(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void ScatterToStripedGuarded(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void ScatterToStripedFlagged(A &&...) PORTER_STUB_BODY
};

template <class Key, int DimX, int Items, class Value = NullType, int Bits = 4, bool Memoize = true,
          BlockScanAlgorithm Scan = BLOCK_SCAN_WARP_SCANS, cudaSharedMemConfig Config = cudaSharedMemBankSizeFourByte,
          int DimY = 1, int DimZ = 1, int Arch = 0>
class BlockRadixSort {
 public:
  struct TempStorage {
    unsigned char bytes[16];
  };
  __device__ BlockRadixSort() {}
  __device__ explicit BlockRadixSort(TempStorage &) {}
  __device__ BlockRadixSort(TempStorage &, int) {}
  template <class... A>
  __device__ void Sort(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void SortDescending(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void SortBlockedToStriped(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void SortDescendingBlockedToStriped(A &&...) PORTER_STUB_BODY
};

template <class Key, int DimX, int Items, class Value = NullType, int DimY = 1, int DimZ = 1>
class BlockMergeSort {
 public:
  struct TempStorage {
    unsigned char bytes[16];
  };
  __device__ BlockMergeSort() {}
  __device__ explicit BlockMergeSort(TempStorage &) {}
  __device__ BlockMergeSort(TempStorage &, int) {}
  template <class... A>
  __device__ void Sort(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void StableSort(A &&...) PORTER_STUB_BODY
};

template <class T, int DimX, int Items, int Bins, BlockHistogramAlgorithm Algorithm = BLOCK_HISTO_SORT,
          int DimY = 1, int DimZ = 1, int Arch = 0>
class BlockHistogram {
 public:
  struct TempStorage {
    unsigned char bytes[16];
  };
  __device__ BlockHistogram() {}
  __device__ explicit BlockHistogram(TempStorage &) {}
  __device__ BlockHistogram(TempStorage &, int) {}
  template <class... A>
  __device__ void InitHistogram(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void Histogram(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void Composite(A &&...) PORTER_STUB_BODY
};

template <class T, int DimX, int DimY = 1, int DimZ = 1, int Arch = 0>
class BlockDiscontinuity {
 public:
  struct TempStorage {
    unsigned char bytes[16];
  };
  __device__ BlockDiscontinuity() {}
  __device__ explicit BlockDiscontinuity(TempStorage &) {}
  __device__ BlockDiscontinuity(TempStorage &, int) {}
  template <class... A>
  __device__ void FlagHeads(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void FlagTails(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void FlagHeadsAndTails(A &&...) PORTER_STUB_BODY
};

template <class T, int DimX, int DimY = 1, int DimZ = 1, int Arch = 0>
class BlockAdjacentDifference {
 public:
  struct TempStorage {
    unsigned char bytes[16];
  };
  __device__ BlockAdjacentDifference() {}
  __device__ explicit BlockAdjacentDifference(TempStorage &) {}
  __device__ BlockAdjacentDifference(TempStorage &, int) {}
  template <class... A>
  __device__ void SubtractLeft(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void SubtractLeftPartialTile(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void SubtractRight(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void SubtractRightPartialTile(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void FlagHeads(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void FlagTails(A &&...) PORTER_STUB_BODY
};

template <class T, int DimX, int DimY = 1, int DimZ = 1, int Arch = 0>
class BlockShuffle {
 public:
  struct TempStorage {
    unsigned char bytes[16];
  };
  __device__ BlockShuffle() {}
  __device__ explicit BlockShuffle(TempStorage &) {}
  __device__ BlockShuffle(TempStorage &, int) {}
  template <class... A>
  __device__ void Offset(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void Rotate(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void Up(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void Down(A &&...) PORTER_STUB_BODY
};

template <class T, int Threads>
struct BlockRakingLayout {
  enum {
    SHARED_ELEMENTS = Threads,
    MAX_RAKING_THREADS = Threads < 32 ? Threads : 32,
    SEGMENT_LENGTH = (SHARED_ELEMENTS + MAX_RAKING_THREADS - 1) / MAX_RAKING_THREADS,
    RAKING_THREADS = (SHARED_ELEMENTS + SEGMENT_LENGTH - 1) / SEGMENT_LENGTH,
    USE_SEGMENT_PADDING = SEGMENT_LENGTH > 2 && SEGMENT_LENGTH % 2 == 0,
    GRID_ELEMENTS = RAKING_THREADS * (SEGMENT_LENGTH + USE_SEGMENT_PADDING),
    UNGUARDED = SHARED_ELEMENTS % RAKING_THREADS == 0
  };
  struct alignas(16) TempStorage {
    T bytes[GRID_ELEMENTS];
  };
  static __device__ T *PlacementPtr(TempStorage &, unsigned int) PORTER_STUB_BODY
  static __device__ T *RakingPtr(TempStorage &, unsigned int) PORTER_STUB_BODY
};

template <class T, int DimX, int Runs, int Items, class Offset = unsigned int, int DimY = 1, int DimZ = 1>
class BlockRunLengthDecode {
 public:
  struct TempStorage {
    unsigned char bytes[16];
  };
  __device__ BlockRunLengthDecode() {}
  __device__ explicit BlockRunLengthDecode(TempStorage &) {}
  __device__ BlockRunLengthDecode(TempStorage &, int) {}
  template <class... A>
  __device__ void RunLengthDecode(A &&...) PORTER_STUB_BODY
};

template <class Key, int DimX, int Bits>
class BlockRadixRank {
 public:
  struct TempStorage {
    unsigned char bytes[16];
  };
  __device__ BlockRadixRank() {}
  __device__ explicit BlockRadixRank(TempStorage &) {}
  __device__ BlockRadixRank(TempStorage &, int) {}
  template <class... A>
  __device__ void RankKeys(A &&...) PORTER_STUB_BODY
};

// Loads and stores without shared memory.
template <class... A> __device__ void LoadDirectBlocked(A &&...) PORTER_STUB_BODY
template <class... A> __device__ void LoadDirectBlockedVectorized(A &&...) PORTER_STUB_BODY
template <int BlockThreads, class... A> __device__ void LoadDirectStriped(A &&...) PORTER_STUB_BODY
template <class... A> __device__ void LoadDirectWarpStriped(A &&...) PORTER_STUB_BODY
template <class... A> __device__ void StoreDirectBlocked(A &&...) PORTER_STUB_BODY
template <class... A> __device__ void StoreDirectBlockedVectorized(A &&...) PORTER_STUB_BODY
template <int BlockThreads, class... A> __device__ void StoreDirectStriped(A &&...) PORTER_STUB_BODY
template <class... A> __device__ void StoreDirectWarpStriped(A &&...) PORTER_STUB_BODY
}  // namespace cub
