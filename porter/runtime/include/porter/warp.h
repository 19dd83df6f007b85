// porter runtime: CUDA's 32-lane warps on gfx942's 64-lane waves.
//
// A wave holds two logical warps, lanes 0-31 and 32-63. Every function here acts within the calling
// lane's own half and takes and returns 32-bit masks, with the meaning that CUDA gives them.
// Inactive lanes contribute nothing, and neither do lanes that `mask` leaves out.
// In units that define PORTER_MIRRORED a wave holds one logical warp, twice (mirror.h).
#ifndef PORTER_WARP_H
#define PORTER_WARP_H

#include <hip/hip_runtime.h>

#include "mirror_lanes.h"

namespace porter {

constexpr int warp_size = 32;

// 0 to 63: the lane within the wave.
__device__ inline unsigned wave_lane() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
}

#ifdef PORTER_MIRRORED

// 0 to 31: the lane within the logical warp.
__device__ inline unsigned lane_id() { return logical_lane(wave_lane()); }

// This logical warp's lanes of a 64-lane mask.
__device__ inline unsigned own_half(unsigned long long wave_mask) { return logical_mask(wave_mask); }

#else

// 0 to 31: the lane within the logical warp.
__device__ inline unsigned lane_id() { return wave_lane() & 31u; }

// The wave lane of this logical warp's lane 0: 0 or 32.
__device__ inline unsigned warp_base() { return wave_lane() & 32u; }

// This logical warp's half of a 64-lane mask.
__device__ inline unsigned own_half(unsigned long long wave_mask) {
  return warp_base() ? unsigned(wave_mask >> 32) : unsigned(wave_mask);
}

#endif

__device__ inline unsigned activemask() { return own_half(__builtin_amdgcn_ballot_w64(true)); }

__device__ inline unsigned ballot(bool predicate) { return own_half(__builtin_amdgcn_ballot_w64(predicate)); }
__device__ inline unsigned ballot_sync(unsigned mask, bool predicate) { return ballot(predicate) & mask; }
__device__ inline int any(bool predicate) { return ballot(predicate) != 0; }
__device__ inline int any_sync(unsigned mask, bool predicate) { return ballot_sync(mask, predicate) != 0; }
__device__ inline int all(bool predicate) { return ballot(!predicate) == 0; }
__device__ inline int all_sync(unsigned mask, bool predicate) { return ballot_sync(mask, !predicate) == 0; }
__device__ inline int uni_sync(unsigned mask, bool predicate) {
  unsigned yes = ballot_sync(mask, predicate), no = ballot_sync(mask, !predicate);
  return yes == 0 || no == 0;
}

__device__ inline unsigned lanemask_eq() { return 1u << lane_id(); }
__device__ inline unsigned lanemask_lt() { return (1u << lane_id()) - 1u; }
__device__ inline unsigned lanemask_le() { return lanemask_lt() | lanemask_eq(); }
__device__ inline unsigned lanemask_gt() { return ~lanemask_le(); }
__device__ inline unsigned lanemask_ge() { return ~lanemask_lt(); }

// The lanes of one of the logical warps that a CUDA warp has; all from the first on where such a warp is no power of two.
template <int Threads>
__host__ __device__ inline unsigned warp_mask(unsigned warp) {
  static_assert(Threads > 0 && Threads <= 32, "a CUDA warp has 32 lanes");
  return (~0u >> (32 - Threads)) << ((Threads & (Threads - 1)) == 0 && Threads < 32 ? warp * Threads : 0);
}

// Orders memory among the lanes of the wave that are here, as __syncwarp does among those of its mask. The lanes of
// a wave advance together: these need not wait, and a lane in another branch cannot come while they are here.
__device__ inline void syncwarp(unsigned = 0xffffffffu) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

namespace detail {

// Moves any trivially copyable value, one 32-bit register at a time.
template <class T, class Move>
__device__ inline T by_words(T value, Move move) {
  constexpr int words = (sizeof(T) + 3) / 4;
  unsigned word[words] = {};
  __builtin_memcpy(word, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < words; ++i) word[i] = unsigned(move(int(word[i])));
  __builtin_memcpy(&value, word, sizeof(T));
  return value;
}

// HIP's shuffles, in mirrored units with the lanes of a mirrored warp. A lane that has nothing to get keeps its own value.
#ifdef PORTER_MIRRORED
template <class T>
__device__ inline T from_lane(T value, unsigned lane) {
  const int place = int(wave_lane_of(lane)) * 4;
  return by_words(value, [=](int word) { return __builtin_amdgcn_ds_bpermute(place, word); });
}
template <class T>
__device__ inline T shuffle(T value, int lane, int width = 32) {
  return from_lane(value, (lane_id() & ~unsigned(width - 1)) | (unsigned(lane) & unsigned(width - 1)));
}
template <class T>
__device__ inline T shuffle_up(T value, unsigned delta, int width = 32) {
  const unsigned lane = lane_id();
  return from_lane(value, (lane & unsigned(width - 1)) < delta ? lane : lane - delta);
}
template <class T>
__device__ inline T shuffle_down(T value, unsigned delta, int width = 32) {
  const unsigned lane = lane_id();
  return from_lane(value, (lane & unsigned(width - 1)) + delta >= unsigned(width) ? lane : lane + delta);
}
template <class T>
__device__ inline T shuffle_xor(T value, int lane_mask, int width = 32) {
  const unsigned lane = lane_id(), other = lane ^ unsigned(lane_mask);
  return from_lane(value, other >= (lane & ~unsigned(width - 1)) + unsigned(width) ? lane : other);
}
#else
template <class T>
__device__ inline T shuffle(T value, int lane, int width = 32) {
  return by_words(value, [=](int word) { return __shfl(word, lane, width); });
}
template <class T>
__device__ inline T shuffle_up(T value, unsigned delta, int width = 32) {
  return by_words(value, [=](int word) { return __shfl_up(word, delta, width); });
}
template <class T>
__device__ inline T shuffle_down(T value, unsigned delta, int width = 32) {
  return by_words(value, [=](int word) { return __shfl_down(word, delta, width); });
}
template <class T>
__device__ inline T shuffle_xor(T value, int lane_mask, int width = 32) {
  return by_words(value, [=](int word) { return __shfl_xor(word, lane_mask, width); });
}
#endif

template <class T>
__device__ inline bool same_bits(T a, T b) {
  constexpr int words = (sizeof(T) + 3) / 4;  // memcmp may stay a call, and there is nothing to call
  unsigned left[words] = {}, right[words] = {};
  __builtin_memcpy(left, &a, sizeof(T));
  __builtin_memcpy(right, &b, sizeof(T));
  unsigned differ = 0;
#pragma unroll
  for (int i = 0; i < words; ++i) differ |= left[i] ^ right[i];
  return differ == 0;
}

template <class T, class Op>
__device__ inline T reduce(unsigned mask, T value, Op op) {
  if (mask == 0xffffffffu) {
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) value = op(value, shuffle_xor(value, offset));
    return value;
  }
  // Lanes that the mask leaves out may be inactive and hold nothing to combine: visit the others.
  T result = shuffle(value, __ffs(int(mask)) - 1);
  for (unsigned rest = mask & (mask - 1); rest != 0; rest &= rest - 1)
    result = op(result, shuffle(value, __ffs(int(rest)) - 1));
  return result;
}

}  // namespace detail

template <class T>
__device__ inline T shfl_sync(unsigned, T value, int lane, int width = 32) {
  return detail::shuffle(value, lane, width);
}
template <class T>
__device__ inline T shfl_up_sync(unsigned, T value, unsigned delta, int width = 32) {
  return detail::shuffle_up(value, delta, width);
}
template <class T>
__device__ inline T shfl_down_sync(unsigned, T value, unsigned delta, int width = 32) {
  return detail::shuffle_down(value, delta, width);
}
template <class T>
__device__ inline T shfl_xor_sync(unsigned, T value, int lane_mask, int width = 32) {
  return detail::shuffle_xor(value, lane_mask, width);
}

// The lanes of `mask` whose value has the same bits as the caller's.
template <class T>
__device__ inline unsigned match_any_sync(unsigned mask, T value) {
  unsigned matches = 0;
  // One turn for each distinct value in the wave. All lanes stay in the loop: what a lane that has left would need to know
  // must not depend on where the compiler lets it leave.
  for (unsigned long long rest = __builtin_amdgcn_ballot_w64(true); rest != 0;) {
    const int holder = int(__builtin_ctzll(rest));
    const T other = detail::by_words(value, [=](int word) { return __builtin_amdgcn_readlane(word, holder); });
    const bool same = detail::same_bits(other, value);
    const unsigned long long holders = __builtin_amdgcn_ballot_w64(same);
    if (same) matches = own_half(holders);
    rest &= ~holders;
  }
  return matches & mask;
}

// `mask` if all its lanes hold the same bits, else 0.
template <class T>
__device__ inline unsigned match_all_sync(unsigned mask, T value, int* predicate) {
  const T first = detail::shuffle(value, __ffs(int(mask)) - 1);
  bool same = all_sync(mask, detail::same_bits(first, value));
  *predicate = same;
  return same ? mask : 0u;
}

template <class T>
__device__ inline T reduce_add_sync(unsigned mask, T value) {
  return detail::reduce(mask, value, [](T a, T b) { return T(a + b); });
}
template <class T>
__device__ inline T reduce_min_sync(unsigned mask, T value) {
  return detail::reduce(mask, value, [](T a, T b) { return b < a ? b : a; });
}
template <class T>
__device__ inline T reduce_max_sync(unsigned mask, T value) {
  return detail::reduce(mask, value, [](T a, T b) { return a < b ? b : a; });
}
// redux of floats: a NaN loses against a number, with .NaN it wins.
__device__ inline float redux_min_f32(unsigned mask, float value) {
  return detail::reduce(mask, value, [](float a, float b) { return __builtin_fminf(a, b); });
}
__device__ inline float redux_max_f32(unsigned mask, float value) {
  return detail::reduce(mask, value, [](float a, float b) { return __builtin_fmaxf(a, b); });
}
__device__ inline float redux_min_nan_f32(unsigned mask, float value) {
  return any_sync(mask, value != value) ? __builtin_nanf("") : redux_min_f32(mask, value);
}
__device__ inline float redux_max_nan_f32(unsigned mask, float value) {
  return any_sync(mask, value != value) ? __builtin_nanf("") : redux_max_f32(mask, value);
}
__device__ inline unsigned reduce_and_sync(unsigned mask, unsigned value) {
  return detail::reduce(mask, value, [](unsigned a, unsigned b) { return a & b; });
}
__device__ inline unsigned reduce_or_sync(unsigned mask, unsigned value) {
  return detail::reduce(mask, value, [](unsigned a, unsigned b) { return a | b; });
}
__device__ inline unsigned reduce_xor_sync(unsigned mask, unsigned value) {
  return detail::reduce(mask, value, [](unsigned a, unsigned b) { return a ^ b; });
}

}  // namespace porter

#endif  // PORTER_WARP_H
