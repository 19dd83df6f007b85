// porter kittens: tiles and vectors of other types and layouts.
#ifndef PORTER_KITTENS_LAYOUTS_H
#define PORTER_KITTENS_LAYOUTS_H

#include "ops.h"

namespace kittens::detail {

// What the lanes of other rows hold of this lane's column: the quads of a 16 x 16 transposed. Lane (line L, part P) gets
// element L % 4 of lane (4 P + q, L / 4) for its q.
template <class T>
__device__ inline elements<T, 4> transposed(const elements<T, 4>& quad) {
  constexpr int words = sizeof(T), in_word = 4 / sizeof(T);
  const int lane = laneid(), line = lane % 16, part = lane / 16;
  int word[words];
  __builtin_memcpy(word, &quad, sizeof word);
  elements<T, 4> result;
#pragma unroll
  for (int q = 0; q < 4; ++q) {
    const int from = (4 * part + q + 16 * (line / 4)) * 4;
    int found = __builtin_amdgcn_ds_bpermute(from, word[0]);
#pragma unroll
    for (int w = 1; w < words; ++w) {
      const int other = __builtin_amdgcn_ds_bpermute(from, word[w]);
      found = line % 4 / in_word == w ? other : found;
    }
    found = unsigned(found) >> line % in_word * 8 * int(sizeof(T));
    __builtin_memcpy(&result.values[q], &found, sizeof(T));
  }
  return result;
}

template <ducks::rt::all To, ducks::rt::all From>
__device__ inline void swap_layout(To& to, const From& from) {
  static_assert(To::rows == From::rows && To::cols == From::cols && To::is_row != From::is_row && std::is_same_v<typename To::T, typename From::T>);
  each_quad<From>([&](int i, int g) { put_quad(to, i, g, transposed(quad_of(from, i, g))); });
}
template <ducks::rt::all To, ducks::rt::all From>
__device__ inline void transpose(To& to, const From& from) {
  static_assert(To::rows == From::cols && To::cols == From::rows && To::is_row == From::is_row && std::is_same_v<typename To::T, typename From::T>);
  each_quad<From>([&](int i, int g) { put_quad(to, g, i, transposed(quad_of(from, i, g))); });
}
template <ducks::rt::all To, ducks::rt::all From>
__device__ inline void convert(To& to, const From& from) {
  static_assert(To::rows == From::rows && To::cols == From::cols && To::is_row == From::is_row, "tiles must have one size and layout");
  using T = typename To::T;
  using U = typename From::T;
  if constexpr (std::is_same_v<T, U>) To::each_pack([&](int i, int j, int k) { to.tiles[i][j].packs[k] = from.tiles[i][j].packs[k]; });
  else each_quad<From>([&](int i, int g) { put_quad(to, i, g, quad_of(from, i, g).template as<T>()); });
}

// A vector of another layout and type. Every lane has one element in each 16 of an ortho vector; others go by it.
template <class T>
__device__ inline T of_lane(T x, int lane) {
  int word = 0;
  __builtin_memcpy(&word, &x, sizeof x);
  word = __builtin_amdgcn_ds_bpermute(lane * 4, word);
  __builtin_memcpy(&x, &word, sizeof x);
  return x;
}
template <ducks::rv::ortho_layout To, ducks::rv::all From>
__device__ inline void same_type(To& to, const From& from) {
  const int line = laneid() % 16;
#pragma unroll
  for (int i = 0; i < To::outer_dim; ++i) {
    if constexpr (From::is_naive) {
      to.at(i, 0) = of_lane(from.at(i / 4, 0), i % 4 * 16 + line);
    } else {
      typename To::T found = of_lane(from.at(i, 0), line / 4 * 16 + line);
#pragma unroll
      for (int q = 1; q < 4; ++q) {
        const auto other = of_lane(from.at(i, q), line / 4 * 16 + line);
        found = line % 4 == q ? other : found;
      }
      to.at(i, 0) = found;
    }
  }
}
template <ducks::rv::all To, ducks::rv::ortho_layout From>
__device__ inline void same_type(To& to, const From& from) {
  const int lane = laneid(), part = lane / 16;
  if constexpr (To::is_naive) {
#pragma unroll
    for (int i = 0; i < From::outer_dim; ++i) to.at(i / 4, 0) = i % 4 == 0 || part == i % 4 ? from.at(i, 0) : to.at(i / 4, 0);
  } else {
#pragma unroll
    for (int i = 0; i < To::outer_dim; ++i)
#pragma unroll
      for (int q = 0; q < 4; ++q) to.at(i, q) = of_lane(from.at(i, 0), part * 16 + 4 * part + q);
  }
}
template <ducks::rv::all To, ducks::rv::all From>
__device__ inline void convert(To& to, const From& from) {
  static_assert(To::length == From::length, "vectors must have one length");
  if constexpr (std::is_same_v<typename To::layout, typename From::layout>) {
    to = from;
  } else {
    rv<typename To::T, To::length, typename From::layout> converted;
    converted = from;
    if constexpr (ducks::rv::ortho_layout<To> || ducks::rv::ortho_layout<From>) {
      same_type(to, converted);
    } else {
      rv<typename To::T, To::length, ortho_l> between;
      same_type(between, converted);
      same_type(to, between);
    }
  }
}
template <int Warps, shared_thing To, shared_thing From>
__device__ inline void convert_shared(To& to, const From& from) {
  static_assert(count_of<To>() == count_of<From>(), "both must have one size");
  if constexpr (ducks::st::all<To>) static_assert(To::rows == From::rows && To::cols == From::cols, "tiles must have one size");
  constexpr int each = each_of<To, Warps>() < each_of<From, Warps>() ? each_of<To, Warps>() : each_of<From, Warps>();
  constexpr int threads = Warps * WARP_THREADS;
  wave_order();
  for (int i = int(threadIdx.x) % threads * each; i < count_of<To>(); i += threads * each)
    put_chunk<each>(to, i, chunk_at<each>(from, i).template as<typename To::T>());
  wave_order();
}

}  // namespace kittens::detail

#endif  // PORTER_KITTENS_LAYOUTS_H
