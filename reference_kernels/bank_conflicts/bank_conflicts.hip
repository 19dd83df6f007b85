// Three transposes of a float matrix that differ in how a tile lies in shared memory.
//
// A tile is read by rows and written by columns, both coalesced, so it has to turn in shared memory. There the 32
// banks are 4 bytes wide: a column of a 32-wide tile is one bank (naive), a column of a 33-wide tile is all of them
// (padded), and with an exclusive-or of row and column neither space nor alignment is lost (swizzled), so that
// global memory can be read and written 16 bytes at a time.
#include <hip/hip_runtime.h>
#include "porter/memory.h"

#include <cstddef>
#include <cstdint>

namespace {

constexpr int kTile = 32;
constexpr int kRows = 8;  // rows of threads: each thread moves kTile / kRows elements

template <int kPitch>
__global__ void __launch_bounds__(kTile * kRows)
    transpose_tile(const float* __restrict__ in, float* __restrict__ out, int rows, int columns) {
  __shared__ float tile[kTile][kPitch];
  const int column = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
#pragma unroll
  for (int j = 0; j < kTile; j += kRows) {
    if (row + j < rows && column < columns) {
      tile[threadIdx.y + j][threadIdx.x] = porter::load_streaming(in + static_cast<size_t>(row + j) * columns + column);
    }
  }
  __syncthreads();

  const int out_column = blockIdx.y * kTile + threadIdx.x;
  const int out_row = blockIdx.x * kTile + threadIdx.y;
#pragma unroll
  for (int j = 0; j < kTile; j += kRows) {
    if (out_row + j < columns && out_column < rows) {
      porter::store_streaming(out + static_cast<size_t>(out_row + j) * rows + out_column, tile[threadIdx.x][threadIdx.y + j]);
    }
  }
}

// The swizzled tile: 64 x 64 floats, in 16-byte chunks. Chunk c of row r lies at c ^ (r / 4).
//   Fill: eight lanes write eight chunks of one row, whatever the exclusive-or: 32 banks.
//   Drain: eight lanes read one column from rows 4 q, q = 0..7: eight different chunks; the four columns of a chunk
//   are the other two bits of the lane: 32 banks again. Four such reads, of rows 4 q to 4 q + 3, make a float4.
constexpr int kWide = 64;
constexpr int kThreads = 256;
constexpr int kChunks = kWide / 4;

__device__ __forceinline__ int swizzled(int row, int column) {
  return row * kWide + (((column >> 2) ^ (row >> 2)) << 2) + (column & 3);
}

template <bool kVector>  // rows of both matrices start on 16 bytes
__global__ void __launch_bounds__(kThreads)
    transpose_swizzled_tile(const float* __restrict__ in, float* __restrict__ out, int rows, int columns) {
  __shared__ __align__(16) float tile[kWide * kWide];
  const int first_row = blockIdx.y * kWide;
  const int first_column = blockIdx.x * kWide;

  const int chunk = threadIdx.x % kChunks;
#pragma unroll
  for (int row = threadIdx.x / kChunks; row < kWide; row += kThreads / kChunks) {
    const int column = first_column + 4 * chunk;
    const float* from = in + static_cast<size_t>(first_row + row) * columns + column;
    float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (first_row + row < rows) {
      if constexpr (kVector) {
        if (column < columns) v = porter::load_streaming(reinterpret_cast<const float4*>(from));
      } else {
        if (column + 0 < columns) v.x = porter::load_streaming(from + 0);
        if (column + 1 < columns) v.y = porter::load_streaming(from + 1);
        if (column + 2 < columns) v.z = porter::load_streaming(from + 2);
        if (column + 3 < columns) v.w = porter::load_streaming(from + 3);
      }
    }
    *reinterpret_cast<float4*>(tile + swizzled(row, 4 * chunk)) = v;
  }
  __syncthreads();

  // Of a warp's lanes eight follow each other in a row of the result: 128 bytes, a full cache line.
  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;
#pragma unroll
  for (int step = 0; step < kWide * kChunks; step += kThreads) {
    const int patch = step / 32 + warp;  // 4 columns x 8 quarters of the tile
    const int column = 4 * (patch / 2) + (lane >> 3);
    const int row = 4 * (8 * (patch & 1) + (lane & 7));
    const int out_row = first_column + column;
    const int out_column = first_row + row;
    const float4 v = make_float4(tile[swizzled(row, column)], tile[swizzled(row + 1, column)],
                                 tile[swizzled(row + 2, column)], tile[swizzled(row + 3, column)]);
    float* to = out + static_cast<size_t>(out_row) * rows + out_column;
    if (out_row < columns) {
      if constexpr (kVector) {
        if (out_column < rows) porter::store_streaming(reinterpret_cast<float4*>(to), v);
      } else {
        if (out_column + 0 < rows) porter::store_streaming(to + 0, v.x);
        if (out_column + 1 < rows) porter::store_streaming(to + 1, v.y);
        if (out_column + 2 < rows) porter::store_streaming(to + 2, v.z);
        if (out_column + 3 < rows) porter::store_streaming(to + 3, v.w);
      }
    }
  }
}

constexpr unsigned tiles(int n, int tile) { return (n + tile - 1) / tile; }

template <int kPitch>
hipError_t transpose(const float* matrix, float* out, int rows, int columns, hipStream_t stream) {
  if (rows == 0 || columns == 0) return hipSuccess;
  const dim3 grid(tiles(columns, kTile), tiles(rows, kTile));
  transpose_tile<kPitch><<<grid, dim3(kTile, kRows), 0, stream>>>(matrix, out, rows, columns);
  return hipGetLastError();
}

}  // namespace

extern "C" hipError_t transpose_naive(const float* matrix, float* out, int rows, int columns, hipStream_t stream) {
  return transpose<kTile>(matrix, out, rows, columns, stream);
}

extern "C" hipError_t transpose_padded(const float* matrix, float* out, int rows, int columns, hipStream_t stream) {
  return transpose<kTile + 1>(matrix, out, rows, columns, stream);
}

extern "C" hipError_t transpose_swizzled(const float* matrix, float* out, int rows, int columns, hipStream_t stream) {
  if (rows == 0 || columns == 0) return hipSuccess;
  const dim3 grid(tiles(columns, kWide), tiles(rows, kWide));
  const uintptr_t pointers = reinterpret_cast<uintptr_t>(matrix) | reinterpret_cast<uintptr_t>(out);
  if (rows % 4 == 0 && columns % 4 == 0 && pointers % 16 == 0) {
    transpose_swizzled_tile<true><<<grid, kThreads, 0, stream>>>(matrix, out, rows, columns);
  } else {
    transpose_swizzled_tile<false><<<grid, kThreads, 0, stream>>>(matrix, out, rows, columns);
  }
  return hipGetLastError();
}
