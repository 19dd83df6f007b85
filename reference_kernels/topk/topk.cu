// The k largest numbers of each row and where they stand, largest first, k up to 32: the choice of experts in a router
// (64 to 256 columns) or of tokens in sampling (100,000 and more). Of equal numbers the one further left comes first;
// NaN counts as the largest, as in torch.
//
// A number and its column make one 64-bit key, so that every comparison is of integers and no two keys are equal. A warp
// keeps its best 32 keys sorted, one a lane. Keys that beat the k-th best wait in a queue in shared memory; 32 of them
// are sorted and merged into the list at once, by bitonic networks over shuffles. Short rows take one warp, long rows
// one block, whose warps' lists are merged at the end.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace {

constexpr unsigned kFullMask = 0xffffffffu;
constexpr int kWarp = 32;
constexpr int kRowsPerBlock = 4;      // of short rows: a warp each
constexpr int kLongRowWarps = 16;
constexpr int kShortRow = 2048;

using Key = unsigned long long;  // larger is better; 0 is less than the key of any number

// Maps floats to integers in the same order: negative ones have all their bits turned, others their sign.
__device__ __forceinline__ Key make_key(float value, int column) {
  uint32_t bits = __float_as_uint(value + 0.0f);  // -0 becomes 0: they are equal
  bits ^= static_cast<uint32_t>(static_cast<int32_t>(bits) >> 31) | 0x80000000u;
  if (isnan(value)) bits = 0xffffffffu;
  return static_cast<Key>(bits) << 32 | static_cast<uint32_t>(~column);
}

__device__ __forceinline__ int column_of(Key key) { return ~static_cast<int>(static_cast<uint32_t>(key)); }

__device__ __forceinline__ int lane_id() {
  int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

__device__ __forceinline__ unsigned lanes_below() {
  unsigned mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}

__device__ __forceinline__ Key exchange(Key key, int distance, bool keep_larger) {
  const Key other = __shfl_xor_sync(kFullMask, key, distance);
  return (key > other) == keep_larger ? key : other;
}

// A bitonic sequence, one key a lane, becomes descending.
__device__ __forceinline__ Key merge_bitonic(Key key) {
  const int lane = lane_id();
#pragma unroll
  for (int distance = kWarp / 2; distance > 0; distance >>= 1) key = exchange(key, distance, (lane & distance) == 0);
  return key;
}

__device__ __forceinline__ Key sort_descending(Key key) {
  const int lane = lane_id();
#pragma unroll
  for (int size = 2; size <= kWarp; size <<= 1) {
#pragma unroll
    for (int distance = size >> 1; distance > 0; distance >>= 1)
      key = exchange(key, distance, ((lane & distance) == 0) == ((lane & size) == 0 || size == kWarp));
  }
  return key;
}

// The best 32 of two descending lists: one of them turned round makes a bitonic sequence of 64, and the larger of each
// pair are its upper half.
__device__ __forceinline__ Key merge_lists(Key best, Key candidates) {
  const Key reversed = __shfl_sync(kFullMask, candidates, kWarp - 1 - lane_id());
  return merge_bitonic(best > reversed ? best : reversed);
}

// A warp's best keys, and the queue of those that may join them.
struct WarpBest {
  Key best = 0;       // of this lane's place
  Key threshold = 0;  // the k-th best
  int queued = 0;
  int k;
  Key* queue;  // 32 keys in shared memory

  __device__ __forceinline__ WarpBest(int k, Key* queue) : k(k), queue(queue) {}

  __device__ __forceinline__ void merge(Key candidate) {
    best = merge_lists(best, sort_descending(candidate));
    threshold = __shfl_sync(kFullMask, best, k - 1);
  }

  // All lanes of the warp together; 0 where a lane has none.
  __device__ __forceinline__ void offer(Key key) {
    const bool good = key > threshold;
    const unsigned votes = __ballot_sync(kFullMask, good);
    if (votes == 0) return;
    const int place = queued + __popc(votes & lanes_below());
    if (good && place < kWarp) queue[place] = key;
    queued += __popc(votes);
    if (queued >= kWarp) {
      __syncwarp();
      merge(queue[lane_id()]);
      __syncwarp();
      queued -= kWarp;
      if (good && place >= kWarp) queue[place - kWarp] = key;
    }
  }

  __device__ __forceinline__ void finish() {
    if (queued == 0) return;
    __syncwarp();
    merge(lane_id() < queued ? queue[lane_id()] : 0);
  }
};

// Offers the columns of one warp among `warps` of them. 16 bytes a lane and turn where the row is aligned.
template <typename T, bool kVector>
__device__ __forceinline__ void scan_row(WarpBest& warp_best, const T* __restrict__ row, int columns, int warp,
                                         int warps) {
  constexpr int kSize = kVector ? 16 / sizeof(T) : 1;
  const int stride = warps * kWarp * kSize;
  for (int base = warp * kWarp * kSize; base < columns; base += stride) {  // the same for all lanes
    const int column = base + lane_id() * kSize;
    const bool inside = column < columns;
    if constexpr (kVector) {
      uint4 bits = make_uint4(0, 0, 0, 0);
      if (inside) bits = __ldcs(reinterpret_cast<const uint4*>(row + column));
      const T* element = reinterpret_cast<const T*>(&bits);
#pragma unroll
      for (int i = 0; i < kSize; ++i)
        warp_best.offer(inside ? make_key(static_cast<float>(element[i]), column + i) : 0);
    } else {
      warp_best.offer(inside ? make_key(static_cast<float>(row[column]), column) : 0);
    }
  }
  warp_best.finish();
}

template <typename T>
__device__ __forceinline__ void write_best(Key best, const T* __restrict__ row, float* __restrict__ values,
                                           int* __restrict__ indices, int k) {
  const int lane = lane_id();
  if (lane >= k) return;
  const int column = column_of(best);
  values[lane] = static_cast<float>(row[column]);  // not the key's: that one has lost the sign of -0 and NaN's bits
  indices[lane] = column;
}

template <typename T, bool kVector>
__global__ void __launch_bounds__(kRowsPerBlock * kWarp)
    topk_warp(const T* __restrict__ in, float* __restrict__ values, int* __restrict__ indices, int rows, int columns,
              int k) {
  __shared__ Key queue[kRowsPerBlock][kWarp];
  const int warp = threadIdx.x / kWarp;
  const int row = blockIdx.x * kRowsPerBlock + warp;
  if (row >= rows) return;
  const T* from = in + static_cast<size_t>(row) * columns;
  WarpBest warp_best(k, queue[warp]);
  scan_row<T, kVector>(warp_best, from, columns, 0, 1);
  write_best(warp_best.best, from, values + static_cast<size_t>(row) * k, indices + static_cast<size_t>(row) * k, k);
}

template <typename T, bool kVector>
__global__ void __launch_bounds__(kLongRowWarps * kWarp)
    topk_block(const T* __restrict__ in, float* __restrict__ values, int* __restrict__ indices, int columns, int k) {
  __shared__ Key lists[kLongRowWarps][kWarp];  // the queues at first
  const int lane = lane_id();
  const int warp = threadIdx.x / kWarp;
  const size_t row = blockIdx.x;
  const T* from = in + row * columns;
  WarpBest warp_best(k, lists[warp]);
  scan_row<T, kVector>(warp_best, from, columns, warp, kLongRowWarps);
  Key best = warp_best.best;

  __syncwarp();
  lists[warp][lane] = best;
#pragma unroll
  for (int half = kLongRowWarps / 2; half > 0; half >>= 1) {
    __syncthreads();
    if (warp < half) {
      best = merge_lists(best, lists[warp + half][lane]);
      lists[warp][lane] = best;
    }
  }
  if (warp == 0) write_best(best, from, values + row * k, indices + row * k, k);
}

template <typename T, bool kVector>
void launch_rows(const T* in, float* values, int* indices, int rows, int columns, int k, cudaStream_t stream) {
  if (columns <= kShortRow) {
    const int blocks = (rows + kRowsPerBlock - 1) / kRowsPerBlock;
    topk_warp<T, kVector>
        <<<blocks, kRowsPerBlock * kWarp, 0, stream>>>(in, values, indices, rows, columns, k);
  } else {
    topk_block<T, kVector><<<rows, kLongRowWarps * kWarp, 0, stream>>>(in, values, indices, columns, k);
  }
}

template <typename T>
cudaError_t launch(const T* in, float* values, int* indices, int rows, int columns, int k, cudaStream_t stream) {
  if (k < 1 || k > kWarp || k > columns) return cudaErrorInvalidValue;
  if (rows <= 0) return cudaSuccess;
  if (columns % (16 / sizeof(T)) == 0 && reinterpret_cast<uintptr_t>(in) % 16 == 0) {
    launch_rows<T, true>(in, values, indices, rows, columns, k, stream);
  } else {
    launch_rows<T, false>(in, values, indices, rows, columns, k, stream);
  }
  return cudaGetLastError();
}

}  // namespace

extern "C" cudaError_t topk_f32(const float* logits, float* values, int* indices, int rows, int columns, int k,
                                cudaStream_t stream) {
  return launch(logits, values, indices, rows, columns, k, stream);
}

extern "C" cudaError_t topk_f16(const __half* logits, float* values, int* indices, int rows, int columns, int k,
                                cudaStream_t stream) {
  return launch(logits, values, indices, rows, columns, k, stream);
}

extern "C" cudaError_t topk_bf16(const __nv_bfloat16* logits, float* values, int* indices, int rows, int columns, int k,
                                 cudaStream_t stream) {
  return launch(logits, values, indices, rows, columns, k, stream);
}
