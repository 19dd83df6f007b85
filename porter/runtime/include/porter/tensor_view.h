// porter runtime: matrices where they lie in memory, as tensor maps or kernels' parameters say, for kernels that load
// and store their tiles without a tensor map.
#ifndef PORTER_TENSOR_VIEW_H
#define PORTER_TENSOR_VIEW_H

#include <hip/hip_runtime.h>

#include <cstdint>

#include "tensor_map.h"

namespace porter {

// Element (row, column) lies at base + row * pitch + column * (bytes of an element).
struct matrix_view {
  uint64_t base;
  uint32_t rows, columns;
  uint64_t pitch;  // bytes
};

// Of a map, base and pitch are multiples of 16. A third dimension whose elements follow where a row of the first one ends
// is more of its columns: maps are cut like that because a box is no wider than its swizzle.
__host__ __device__ inline matrix_view view(const CUtensorMap& map) {
  const auto word = [&](int i) { return uint32_t(map.opaque[i / 2] >> 32 * (i % 2)); };
  const auto stride = [&](int i) { return word(12 + i) | uint64_t(word(16) >> 8 * i & 0xffu) << 32; };
  const uint32_t rank = word(21) & 7u, element = 1u << (word(21) >> 4 & 7u);
  const bool cut = rank > 2 && stride(1) == uint64_t(word(2)) * element;
  return {map.opaque[0], rank == 1 ? 1 : word(3), cut ? word(2) * word(4) : word(2), stride(0)};
}
__host__ __device__ inline matrix_view view(const CUtensorMap* map) { return view(*map); }

// Of a map whose third dimension has to count such chunks of columns; a trap for another.
__device__ inline matrix_view chunked(const CUtensorMap& map) {
  const auto word = [&](int i) { return uint32_t(map.opaque[i / 2] >> 32 * (i % 2)); };
  const uint64_t stride = word(13) | uint64_t(word(16) >> 8 & 0xffu) << 32;
  if (word(4) > 1 && stride != uint64_t(word(2)) << (word(21) >> 4 & 7u)) __builtin_trap();
  return view(map);
}
__device__ inline matrix_view chunked(const CUtensorMap* map) { return chunked(*map); }

// One of several matrices, which the map's third dimension counts. Where there are fewer it has no columns, or no rows.
__host__ __device__ inline matrix_view view(const CUtensorMap& map, uint32_t number, bool no_columns) {
  const auto word = [&](int i) { return uint32_t(map.opaque[i / 2] >> 32 * (i % 2)); };
  const auto stride = [&](int i) { return word(12 + i) | uint64_t(word(16) >> 8 * i & 0xffu) << 32; };
  const bool there = number < word(4);
  return {map.opaque[0] + number * stride(1), there || no_columns ? word(3) : 0, there || !no_columns ? word(2) : 0,
          stride(0)};
}
__host__ __device__ inline matrix_view view(const CUtensorMap* map, uint32_t number, bool no_columns) {
  return view(*map, number, no_columns);
}

// One of several matrices that lie below each other, each of so many rows.
__host__ __device__ inline matrix_view below(matrix_view all, uint32_t number, uint64_t rows) {
  const uint64_t first = number * rows, left = all.rows > first ? all.rows - first : 0;
  return {all.base + first * all.pitch, uint32_t(left < rows ? left : rows), all.columns, all.pitch};
}

// One of several matrices that lie so many elements of E apart.
template <class E>
__host__ __device__ inline matrix_view behind(matrix_view first, uint32_t number, int64_t elements) {
  first.base += number * elements * sizeof(E);
  return first;
}

// Of a pointer to elements of E: as many rows and columns as whoever uses it knows of.
template <class E, class P>
__host__ __device__ inline matrix_view view(P* base, uint64_t pitch, uint32_t rows = ~0u,
                                                uint32_t columns = ~0u) {
  return {reinterpret_cast<uint64_t>(base), rows, columns, pitch * sizeof(E)};
}

// The part of a matrix before a row and a column.
__host__ __device__ inline matrix_view within(matrix_view whole, uint32_t rows, uint32_t columns) {
  return {whole.base, whole.rows < rows ? whole.rows : rows, whole.columns < columns ? whole.columns : columns, whole.pitch};
}

// A vector of words of which only the first bytes are wanted: the others become 0.
template <class V>
__device__ inline V first_bytes(V value, int bytes) {
#pragma unroll
  for (int i = 0; i < int(sizeof(V) / 4); ++i) {
    const int left = bytes - 4 * i;
    value[i] = left >= 4 ? value[i] : left <= 0 ? 0 : value[i] & ((1u << 8 * left) - 1);
  }
  return value;
}

}  // namespace porter

#endif  // PORTER_TENSOR_VIEW_H
