// porter runtime: ldmatrix, stmatrix and movmatrix of mirrored warps: 8x8 matrices of 16-bit elements.
//
// Lane 8 i + R of the warp brings the shared address of row R of matrix i. Lane 4 R + p holds two elements of each
// matrix: columns 2 p and 2 p + 1 of row R; transposed, of column R, rows 2 p and 2 p + 1. Both mirrors do the same.
#pragma once  // the unit must define PORTER_MIRRORED: mma.h insists

#include "mma.h"

namespace porter {

namespace mma {

// The value that a lane of the warp holds.
__device__ inline uint32_t from_lane(uint32_t value, unsigned lane) {
  return uint32_t(__builtin_amdgcn_ds_bpermute(int(wave_lane_of(lane)) * 4, int(value)));
}

// The addresses of this lane's two elements of matrix i.
struct Pair {
  uint32_t first, second;
};
template <bool Transposed>
__device__ inline Pair elements(uint32_t row_address, unsigned i) {
  const unsigned lane = lane_id(), p = lane & 3u, row = lane >> 2;
  if constexpr (Transposed)
    return {from_lane(row_address, 8 * i + 2 * p) + 2 * row, from_lane(row_address, 8 * i + 2 * p + 1) + 2 * row};
  const uint32_t first = from_lane(row_address, 8 * i + row) + 4 * p;
  return {first, first + 2};
}
template <bool Transposed>
__device__ inline uint32_t load_matrix(uint32_t row_address, unsigned i) {
  const Pair at = elements<Transposed>(row_address, i);
  if constexpr (Transposed)
    return uint32_t(*shared_word<uint16_t>(at.first)) | uint32_t(*shared_word<uint16_t>(at.second)) << 16;
  else
    return *shared_word<uint32_t>(at.first);
}
template <bool Transposed>
__device__ inline void store_matrix(uint32_t row_address, unsigned i, uint32_t word) {
  const Pair at = elements<Transposed>(row_address, i);
  if constexpr (Transposed) {
    *shared_word<uint16_t>(at.first) = uint16_t(word);
    *shared_word<uint16_t>(at.second) = uint16_t(word >> 16);
  } else {
    *shared_word<uint32_t>(at.first) = word;
  }
}

}  // namespace mma

// One, two or four matrices; `row` is a shared address or a pointer.
template <bool Transposed, class P, class... D>
__device__ inline void ldmatrix(P row, D&... d) {
  const uint32_t address = cvta_generic_to_shared(row);
  unsigned i = 0;
  (mma::put(d, mma::load_matrix<Transposed>(address, i++)), ...);
}
template <bool Transposed, class P, class... S>
__device__ inline void stmatrix(P row, S... s) {
  const uint32_t address = cvta_generic_to_shared(row);
  unsigned i = 0;
  (mma::store_matrix<Transposed>(address, i++, mma::bits(s)), ...);
}

// The transpose of a matrix in registers.
__device__ inline uint32_t movmatrix(uint32_t a) {
  const unsigned lane = lane_id(), p = lane & 3u, row = lane >> 2;
  const uint32_t first = mma::from_lane(a, 8 * p + row / 2), second = mma::from_lane(a, 8 * p + 4 + row / 2);
  return __builtin_amdgcn_perm(second, first, row & 1u ? 0x07060302u : 0x05040100u);
}

}  // namespace porter
