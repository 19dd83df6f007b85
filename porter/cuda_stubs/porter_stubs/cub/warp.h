// porter stub headers: CUB, cooperation of a warp.
#pragma once
#include "config.h"

namespace cub {
enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };
enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };
enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };

template <class T, int Threads = 32, int Arch = 0>
class WarpReduce {
 public:
  struct TempStorage {
    unsigned char bytes[16];
  };
  __device__ WarpReduce() {}
  __device__ explicit WarpReduce(TempStorage &) {}
  __device__ WarpReduce(TempStorage &, int) {}
  template <class Op>
  __device__ T Reduce(T, Op) PORTER_STUB_BODY
  template <class Op>
  __device__ T Reduce(T, Op, int) PORTER_STUB_BODY
  __device__ T Sum(T) PORTER_STUB_BODY
  __device__ T Sum(T, int) PORTER_STUB_BODY
  __device__ T Max(T) PORTER_STUB_BODY
  __device__ T Min(T) PORTER_STUB_BODY
  template <class Flag>
  __device__ T HeadSegmentedSum(T, Flag) PORTER_STUB_BODY
  template <class Flag>
  __device__ T TailSegmentedSum(T, Flag) PORTER_STUB_BODY
  template <class Op, class Flag>
  __device__ T HeadSegmentedReduce(T, Flag, Op) PORTER_STUB_BODY
  template <class Op, class Flag>
  __device__ T TailSegmentedReduce(T, Flag, Op) PORTER_STUB_BODY
};

template <class T, int Threads = 32, int Arch = 0>
class WarpScan {
 public:
  struct TempStorage {
    unsigned char bytes[16];
  };
  __device__ WarpScan() {}
  __device__ explicit WarpScan(TempStorage &) {}
  __device__ WarpScan(TempStorage &, int) {}
  template <class... A>
  __device__ void InclusiveSum(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void ExclusiveSum(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void InclusiveScan(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void ExclusiveScan(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void Scan(A &&...) PORTER_STUB_BODY
  __device__ T Broadcast(T, unsigned int) PORTER_STUB_BODY
};

template <class T, int Items, WarpLoadAlgorithm Algorithm = WARP_LOAD_DIRECT, int Threads = 32>
class WarpLoad {
 public:
  struct TempStorage {
    unsigned char bytes[16];
  };
  __device__ WarpLoad() {}
  __device__ explicit WarpLoad(TempStorage &) {}
  __device__ WarpLoad(TempStorage &, int) {}
  template <class... A>
  __device__ void Load(A &&...) PORTER_STUB_BODY
};

template <class T, int Items, WarpStoreAlgorithm Algorithm = WARP_STORE_DIRECT, int Threads = 32>
class WarpStore {
 public:
  struct TempStorage {
    unsigned char bytes[16];
  };
  __device__ WarpStore() {}
  __device__ explicit WarpStore(TempStorage &) {}
  __device__ WarpStore(TempStorage &, int) {}
  template <class... A>
  __device__ void Store(A &&...) PORTER_STUB_BODY
};

template <class T, int Items, int Threads = 32, int Arch = 0, WarpExchangeAlgorithm Algorithm = WARP_EXCHANGE_SMEM>
class WarpExchange {
 public:
  struct TempStorage {
    unsigned char bytes[16];
  };
  __device__ WarpExchange() {}
  __device__ explicit WarpExchange(TempStorage &) {}
  __device__ WarpExchange(TempStorage &, int) {}
  template <class... A>
  __device__ void BlockedToStriped(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void StripedToBlocked(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void ScatterToStriped(A &&...) PORTER_STUB_BODY
};

template <class Key, int Items, int Threads = 32, class Value = NullType>
class WarpMergeSort {
 public:
  struct TempStorage {
    unsigned char bytes[16];
  };
  __device__ WarpMergeSort() {}
  __device__ explicit WarpMergeSort(TempStorage &) {}
  __device__ WarpMergeSort(TempStorage &, int) {}
  template <class... A>
  __device__ void Sort(A &&...) PORTER_STUB_BODY
  template <class... A>
  __device__ void StableSort(A &&...) PORTER_STUB_BODY
};
}  // namespace cub
