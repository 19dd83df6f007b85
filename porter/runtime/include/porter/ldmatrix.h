// porter runtime: ldmatrix, stmatrix and movmatrix of mirrored warps: 8x8 matrices of 16-bit elements.
//
// Lane 8 i + R of the warp brings the shared address of row R of matrix i. Lane 4 R + p holds two elements of each
// matrix: columns 2 p and 2 p + 1 of row R; transposed, of column R, rows 2 p and 2 p + 1. Both mirrors do the same.
// For mirrored warps alone (mma.h).
#ifndef PORTER_LDMATRIX_H
#define PORTER_LDMATRIX_H

#include "mma.h"

namespace porter {

namespace mma {

// The value that a lane of the warp holds.
__device__ inline uint32_t from_lane(uint32_t value, unsigned lane) {
  return uint32_t(__builtin_amdgcn_ds_bpermute(int(wave_lane_of(lane)) * 4, int(value)));
}

// Are all addresses of LDS below 64 KiB? That of the next matrix (four lanes further in the wave, where the matrix's
// number is even) then fits in beside a row's, so that one exchange brings two.
#if defined(__gfx942__) && !defined(PORTER_DEVICE_SHARED)
constexpr bool short_addresses = true;
#else
constexpr bool short_addresses = false;
#endif
__device__ inline uint32_t with_next(uint32_t row_address) {
  const int next = __builtin_amdgcn_update_dpp(0, int(row_address), 0x100 | 4, 0xf, 0xf, true);  // row_shl: 4
  return __builtin_amdgcn_perm(uint32_t(next), row_address, 0x05040100u);
}

// Which row of a matrix this lane looks at: R; transposed, 2 p or 2 p + 1, as R is even or odd.
template <bool Transposed>
__device__ inline unsigned row_of_lane() {
  return Transposed ? 2 * (lane_id() & 3u) + (lane_id() >> 2 & 1u) : lane_id() >> 2;
}
// Where its word lies in that row: columns 2 p and 2 p + 1; transposed, the two columns that R and its neighbour want.
template <bool Transposed>
__device__ inline unsigned byte_of_lane() {
  return Transposed ? lane_id() >> 1 & 0xcu : 4 * (lane_id() & 3u);
}
// Neighbours in R have one row's elements of two columns, and want one column's of two rows, or the other way round: each
// gives the other a half.
__device__ inline uint32_t transposed(uint32_t word) {
  const int other = __builtin_amdgcn_update_dpp(0, int(word), 1 | 0 << 2 | 3 << 4 | 2 << 6, 0xf, 0xf, true);  // lane ^ 1
  return __builtin_amdgcn_perm(uint32_t(other), word, lane_id() >> 2 & 1u ? 0x03020706u : 0x05040100u);
}

// Of four matrices each mirror moves two: 0 and 1, 2 and 3. Products most often want them so (MmaPairs in mma_sync.h), and
// then nothing is exchanged.
template <unsigned Count>
constexpr unsigned moved = Count == 4 ? 2 : Count;

// Calls f with the place of this lane's word in each of the matrices that it moves.
template <bool Transposed, unsigned Count, class F>
__device__ inline void each_matrix(uint32_t row_address, F f) {
  const unsigned byte = byte_of_lane<Transposed>();
  const unsigned row = row_of_lane<Transposed>() + (Count == 4 ? 16 * mirror() : 0);
  if constexpr (!short_addresses || Count == 1) {
#pragma unroll
    for (unsigned i = 0; i < moved<Count>; ++i) f(i, from_lane(row_address, 8 * i + row) + byte);
  } else {
    const uint32_t at = from_lane(with_next(row_address), row);
    f(0, (at & 0xffffu) + byte);
    f(1, (at >> 16) + byte);
  }
}

}  // namespace mma

// One, two or four matrices; `row` is a shared address or a pointer.
template <bool Transposed, class P, class... D>
__device__ inline void ldmatrix(P row, D&... d) {
  constexpr unsigned count = sizeof...(D);
  uint32_t mine[mma::moved<count>], words[count];
  mma::each_matrix<Transposed, count>(cvta_generic_to_shared(row), [&](unsigned i, uint32_t at) {
    mine[i] = *mma::shared_word<uint32_t>(at);
  });
#pragma unroll
  for (unsigned i = 0; i < mma::moved<count>; ++i) {
    const uint32_t word = Transposed ? mma::transposed(mine[i]) : mine[i];
    if constexpr (count == 4) mma::share(word, words[i], words[2 + i]);
    else words[i] = word;
  }
  unsigned i = 0;
  (mma::put(d, words[i++]), ...);
}
template <bool Transposed, class P, class... S>
__device__ inline void stmatrix(P row, S... s) {
  const uint32_t words[] = {mma::bits(s)...};
  mma::each_matrix<Transposed, sizeof...(S)>(cvta_generic_to_shared(row), [&](unsigned i, uint32_t at) {
    const uint32_t word = sizeof...(S) == 4 ? mma::own(words[i], words[2 + i]) : words[i];
    *mma::shared_word<uint32_t>(at) = Transposed ? mma::transposed(word) : word;
  });
}

// The transpose of a matrix in registers.
__device__ inline uint32_t movmatrix(uint32_t a) {
  const unsigned lane = lane_id(), p = lane & 3u, row = lane >> 2;
  const uint32_t first = mma::from_lane(a, 8 * p + row / 2), second = mma::from_lane(a, 8 * p + 4 + row / 2);
  return __builtin_amdgcn_perm(second, first, row & 1u ? 0x07060302u : 0x05040100u);
}

}  // namespace porter

#endif  // PORTER_LDMATRIX_H
