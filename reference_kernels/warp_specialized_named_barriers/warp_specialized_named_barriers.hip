// A filter of nine taps along each row of a matrix, and the sum of squares of each filtered row, in f32.
//
//   y[r][i] = sum over t of taps[t] * x[r][i + t - 4], with zeros outside of the row;  energy[r] = sum of y[r][i]^2
//
// Warps have roles: two load tiles with their margins into one of two buffers, four filter what is in the other. They
// meet at named barriers, each with a full and an empty one a buffer: who has done his part arrives and goes on, who
// needs it waits. A barrier of the filtering warps alone serves their sum.
#define PORTER_MIRRORED 1
#include <hip/hip_runtime.h>
#include "porter/mirror.h"
#include "porter/named_barrier.h"
#include "porter/ptx.h"

#include <cstdint>

namespace {

constexpr int kRadius = 4;
constexpr int kTaps = 2 * kRadius + 1;
constexpr int kVector = 4;
constexpr int kTile = 1024;
constexpr int kBuffers = 2;
constexpr int kBuffer = kTile + 2 * kRadius;
constexpr int kLoaders = 64;   // threads that load
constexpr int kFilters = 128;  // threads that filter
constexpr int kThreads = kLoaders + kFilters;
constexpr int kAhead = 4;  // loads of a thread before its first store
constexpr unsigned kAll = 0xffffffffu;
static_assert(kRadius == kVector && kTile % (kFilters * kVector) == 0, "what the vectors are made for");

// Named barriers; 0 is __syncthreads.
constexpr int kFull = 1;                   // + buffer
constexpr int kEmpty = kFull + kBuffers;   // + buffer
constexpr int kSum = kEmpty + kBuffers;

__device__ __forceinline__ void named_barrier_sync(int id, int threads) {
  porter::named_barrier_sync(id, threads);
}

__device__ __forceinline__ void named_barrier_arrive(int id, int threads) {
  porter::named_barrier_arrive(id, threads);
}

// Elements [first, first + 4) of a row, zeros outside.
__device__ __forceinline__ float4 load4(const float* __restrict__ row, int first, int width, bool aligned) {
  if (aligned && first >= 0 && first + kVector <= width) return __ldg(reinterpret_cast<const float4*>(row + first));
  float v[kVector];
#pragma unroll
  for (int i = 0; i < kVector; ++i) v[i] = first + i >= 0 && first + i < width ? __ldg(row + first + i) : 0.0f;
  return make_float4(v[0], v[1], v[2], v[3]);
}

struct Work {
  int rows, width, tiles;  // tiles of a row

  // Of this block: all tiles of rows blockIdx.x, blockIdx.x + gridDim.x, ...
  __device__ __forceinline__ int count() const {
    const int mine = (rows - static_cast<int>(blockIdx.x) + static_cast<int>(gridDim.x) - 1) / gridDim.x;
    return mine * tiles;
  }
  __device__ __forceinline__ int row(int item) const { return blockIdx.x + item / tiles * gridDim.x; }
  __device__ __forceinline__ int first(int item) const { return item % tiles * kTile; }
};

__device__ __forceinline__ void load_tiles(float (*buffers)[kBuffer], const float* __restrict__ x, const Work& work,
                                           int thread) {
  const bool aligned = work.width % kVector == 0;
  const int count = work.count();
  for (int item = 0; item < count; ++item) {
    const int buffer = item % kBuffers;
    if (item >= kBuffers) named_barrier_sync(kEmpty + buffer, kThreads);
    const float* row = x + static_cast<size_t>(work.row(item)) * work.width;
    const int first = work.first(item) - kRadius;
    for (int i = thread; i < kBuffer / kVector; i += kAhead * kLoaders) {
      float4 v[kAhead];
#pragma unroll
      for (int j = 0; j < kAhead; ++j) {
        const int at = i + j * kLoaders;
        if (at < kBuffer / kVector) v[j] = load4(row, first + at * kVector, work.width, aligned);
      }
#pragma unroll
      for (int j = 0; j < kAhead; ++j) {
        const int at = i + j * kLoaders;
        if (at < kBuffer / kVector) reinterpret_cast<float4*>(buffers[buffer])[at] = v[j];
      }
    }
    named_barrier_arrive(kFull + buffer, kThreads);
  }
}

__device__ __forceinline__ void filter_tiles(const float (*buffers)[kBuffer], float* partial,
                                             const float* __restrict__ taps, float* __restrict__ y,
                                             float* __restrict__ energy, const Work& work, int thread) {
  float tap[kTaps];
#pragma unroll
  for (int t = 0; t < kTaps; ++t) tap[t] = __ldg(taps + t);
  const bool aligned = work.width % kVector == 0;
  const int count = work.count();
  float squares = 0.0f;
  for (int item = 0; item < count; ++item) {
    const int buffer = item % kBuffers;
    const int row = work.row(item), first = work.first(item);
    float* to = y + static_cast<size_t>(row) * work.width + first;

    named_barrier_sync(kFull + buffer, kThreads);
#pragma unroll
    for (int i = thread * kVector; i < kTile; i += kFilters * kVector) {
      alignas(16) float window[3 * kVector];  // elements i - 4 to i + 7 of the tile
#pragma unroll
      for (int j = 0; j < 3; ++j) {
        reinterpret_cast<float4*>(window)[j] = reinterpret_cast<const float4*>(buffers[buffer] + i)[j];
      }
      float result[kVector] = {};
#pragma unroll
      for (int t = 0; t < kTaps; ++t) {
#pragma unroll
        for (int j = 0; j < kVector; ++j) result[j] = fmaf(tap[t], window[j + t], result[j]);
      }
      if (aligned && first + i < work.width) {
        *reinterpret_cast<float4*>(to + i) = make_float4(result[0], result[1], result[2], result[3]);
      }
#pragma unroll
      for (int j = 0; j < kVector; ++j) {
        if (first + i + j >= work.width) continue;
        if (!aligned) to[i + j] = result[j];
        squares = fmaf(result[j], result[j], squares);
      }
    }
    // Nobody waits for a buffer that will not be filled again.
    if (item + kBuffers < count) named_barrier_arrive(kEmpty + buffer, kThreads);

    if (item % work.tiles == work.tiles - 1) {
#pragma unroll
      for (int offset = 16; offset > 0; offset /= 2) squares += __shfl_xor(squares, offset, 32);
      if (thread % 32 == 0) partial[thread / 32] = squares;
      named_barrier_sync(kSum, kFilters);
      if (thread == 0) {
        float sum = 0.0f;
#pragma unroll
        for (int w = 0; w < kFilters / 32; ++w) sum += partial[w];
        energy[row] = sum;
      }
      named_barrier_sync(kSum, kFilters);  // before the next row's sums come to the same place
      squares = 0.0f;
    }
  }
}

__global__ void __launch_bounds__(kThreads)
    filter_rows_kernel(const float* __restrict__ x, const float* __restrict__ taps, float* __restrict__ y,
                       float* __restrict__ energy, int rows, int width) {
  porter::begin_block();
  porter::threads_at_most(kThreads);
  __shared__ alignas(16) float buffers[kBuffers][kBuffer];
  __shared__ float partial[kFilters / 32];
  const Work work = {rows, width, (width + kTile - 1) / kTile};
  if (threadIdx.x < kLoaders) {
    load_tiles(buffers, x, work, threadIdx.x);
  } else {
    filter_tiles(buffers, partial, taps, y, energy, work, threadIdx.x - kLoaders);
  }
}

}  // namespace

// blocks: how many at most, 0 for one a row.
extern "C" hipError_t filter_rows(const float* x, const float* taps, float* y, float* energy, int rows, int width,
                                   int blocks, hipStream_t stream) {
  if (rows == 0 || width == 0) return hipSuccess;
  const int grid = blocks > 0 && blocks < rows ? blocks : rows;
  filter_rows_kernel<<<grid, porter::mirrored(kThreads), 0, stream>>>(x, taps, y, energy, rows, width);
  return hipGetLastError();
}
