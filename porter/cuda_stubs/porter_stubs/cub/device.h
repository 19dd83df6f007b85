// porter stub headers: CUB, operations of a whole device.
#pragma once
#include "config.h"

namespace cub {
// Each takes temporary storage, its size, the arguments of the operation and a stream.
struct DeviceReduce {
  template <class... A>
  __host__ __device__ static cudaError_t Reduce(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t Sum(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t Min(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t Max(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t ArgMin(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t ArgMax(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t TransformReduce(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t ReduceByKey(A &&...) PORTER_STUB_BODY
};
struct DeviceSegmentedReduce {
  template <class... A>
  __host__ __device__ static cudaError_t Reduce(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t Sum(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t Min(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t Max(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t ArgMin(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t ArgMax(A &&...) PORTER_STUB_BODY
};
struct DeviceScan {
  template <class... A>
  __host__ __device__ static cudaError_t ExclusiveSum(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t InclusiveSum(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t ExclusiveScan(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t InclusiveScan(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t InclusiveScanInit(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t ExclusiveSumByKey(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t InclusiveSumByKey(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t ExclusiveScanByKey(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t InclusiveScanByKey(A &&...) PORTER_STUB_BODY
};
struct DeviceRadixSort {
  template <class... A>
  __host__ __device__ static cudaError_t SortPairs(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t SortPairsDescending(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t SortKeys(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t SortKeysDescending(A &&...) PORTER_STUB_BODY
};
struct DeviceSegmentedRadixSort {
  template <class... A>
  __host__ __device__ static cudaError_t SortPairs(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t SortPairsDescending(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t SortKeys(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t SortKeysDescending(A &&...) PORTER_STUB_BODY
};
struct DeviceSegmentedSort {
  template <class... A>
  __host__ __device__ static cudaError_t SortPairs(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t SortPairsDescending(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t SortKeys(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t SortKeysDescending(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t StableSortPairs(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t StableSortPairsDescending(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t StableSortKeys(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t StableSortKeysDescending(A &&...) PORTER_STUB_BODY
};
struct DeviceMergeSort {
  template <class... A>
  __host__ __device__ static cudaError_t SortPairs(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t SortPairsCopy(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t SortKeys(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t SortKeysCopy(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t StableSortPairs(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t StableSortKeys(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t StableSortKeysCopy(A &&...) PORTER_STUB_BODY
};
struct DeviceSelect {
  template <class... A>
  __host__ __device__ static cudaError_t Flagged(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t FlaggedIf(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t If(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t Unique(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t UniqueByKey(A &&...) PORTER_STUB_BODY
};
struct DevicePartition {
  template <class... A>
  __host__ __device__ static cudaError_t Flagged(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t If(A &&...) PORTER_STUB_BODY
};
struct DeviceRunLengthEncode {
  template <class... A>
  __host__ __device__ static cudaError_t Encode(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t NonTrivialRuns(A &&...) PORTER_STUB_BODY
};
struct DeviceAdjacentDifference {
  template <class... A>
  __host__ __device__ static cudaError_t SubtractLeftCopy(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t SubtractLeft(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t SubtractRightCopy(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t SubtractRight(A &&...) PORTER_STUB_BODY
};
struct DeviceSpmv {
  template <class... A>
  __host__ __device__ static cudaError_t CsrMV(A &&...) PORTER_STUB_BODY
};
struct DeviceCopy {
  template <class... A>
  __host__ __device__ static cudaError_t Batched(A &&...) PORTER_STUB_BODY
};
struct DeviceMemcpy {
  template <class... A>
  __host__ __device__ static cudaError_t Batched(A &&...) PORTER_STUB_BODY
};
struct DeviceFor {
  template <class... A>
  __host__ __device__ static cudaError_t ForEach(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t ForEachN(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t ForEachCopy(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t ForEachCopyN(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t Bulk(A &&...) PORTER_STUB_BODY
};
struct DeviceMerge {
  template <class... A>
  __host__ __device__ static cudaError_t MergeKeys(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t MergePairs(A &&...) PORTER_STUB_BODY
};
struct DeviceTransform {
  template <class... A>
  __host__ __device__ static cudaError_t Transform(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t TransformIf(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t Fill(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t Generate(A &&...) PORTER_STUB_BODY
};
struct DeviceHistogram {
  template <class... A>
  __host__ __device__ static cudaError_t HistogramEven(A &&...) PORTER_STUB_BODY
  template <class... A>
  __host__ __device__ static cudaError_t HistogramRange(A &&...) PORTER_STUB_BODY
  template <int Channels, int Active, class... A>
  __host__ __device__ static cudaError_t MultiHistogramEven(A &&...) PORTER_STUB_BODY
  template <int Channels, int Active, class... A>
  __host__ __device__ static cudaError_t MultiHistogramRange(A &&...) PORTER_STUB_BODY
};
}  // namespace cub
