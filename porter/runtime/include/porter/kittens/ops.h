// porter kittens: maps and reductions of tiles and vectors.
#ifndef PORTER_KITTENS_OPS_H
#define PORTER_KITTENS_OPS_H

#include "memory.h"

namespace kittens::detail {

// ---- maps: element by element ----

template <class E, class A>
__device__ inline E scalar(const A& a) {
  if constexpr (std::is_same_v<A, E>) return a;
  else if constexpr (ducks::base_types::T1<A> && ducks::base_types::T1<E>) return from_float<E>(to_float(a));
  else if constexpr (ducks::base_types::T1<E>) return from_float<E>(float(a));
  else return E(a);
}
// A tile or vector as it is; a number as what each place of a T has.
template <class T, class A>
__device__ inline decltype(auto) operand(const A& a) {
  if constexpr (thing<A>) return (a);
  else if constexpr (std::is_same_v<A, typename T::dtype>) return A(a);
  else if constexpr (is_pack<typename T::dtype>) return base_types::packing<typename T::T>::pack(scalar<typename T::T>(a));
  else return scalar<typename T::T>(a);
}
template <class A, class... At>
__device__ inline decltype(auto) pick(const A& a, At... at) {
  if constexpr (ducks::rt::all<A>) return [&](int i, int j, int k) { return a.tiles[i][j].packs[k]; }(at...);
  else if constexpr (ducks::rv::all<A>) return [&](int i, int j) { return a.data[i][j]; }(at...);
  else return A(a);
}

template <class Op, int Warps, ducks::rt::all T, class... A>
__device__ inline void map_operands(T& to, const A&... from) {
  T::each_pack([&](int i, int j, int k) { to.tiles[i][j].packs[k] = Op::template op<typename T::dtype>(pick(from, i, j, k)...); });
}
template <class Op, int Warps, ducks::rv::all T, class... A>
__device__ inline void map_operands(T& to, const A&... from) {
#pragma unroll
  for (int i = 0; i < T::outer_dim; ++i)
#pragma unroll
    for (int j = 0; j < T::inner_dim; ++j) to.data[i][j] = Op::template op<typename T::dtype>(pick(from, i, j)...);
}

// Of shared tiles and vectors each thread has chunks of its own.
template <int Each, class A>
__device__ inline auto chunk_at(const A& a, int i) {
  if constexpr (ducks::st::all<A>) {
    return elements<typename A::T, Each>::from_shared(a.idx(shared_offset(a.data), {i / A::cols, i % A::cols}));
  } else if constexpr (ducks::sv::all<A>) {
    return elements<typename A::T, Each>::from_shared(shared_offset(a.data + i));
  } else {
    elements<A, Each> all;
    for (auto& e : all.values) e = a;
    return all;
  }
}
template <int Each, class T>
__device__ inline void put_chunk(T& to, int i, const elements<typename T::T, Each>& chunk) {
  if constexpr (ducks::st::all<T>) chunk.to_shared(to.idx(shared_offset(to.data), {i / T::cols, i % T::cols}));
  else chunk.to_shared(shared_offset(to.data + i));
}
template <class T>
constexpr int count_of() {
  if constexpr (ducks::st::all<T>) return T::num_elements;
  else return T::length;
}
// Elements of a chunk that this operation's threads each have: the same for all tiles or vectors of a size.
template <class T, int Warps>
constexpr int each_of() {
  if constexpr (ducks::st::all<T>) return 8 / sizeof(typename T::T);
  else return vector_chunk<typename T::T, T::length, Warps * WARP_THREADS>();
}
template <int Warps, class T, class F>
__device__ inline void each_own_chunk(F f) {
  constexpr int threads = Warps * WARP_THREADS, each = each_of<T, Warps>(), step = threads * each, count = count_of<T>();
  wave_order();
#pragma unroll
  for (int k = 0; k < (count + step - 1) / step; ++k) {
    const int i = k * step + int(threadIdx.x) % threads * each;
    if (count % step == 0 || i < count) f(i);
  }
  wave_order();
}
template <class Op, int Warps, shared_thing T, class... A>
__device__ inline void map_operands(T& to, const A&... from) {
  constexpr int each = each_of<T, Warps>();
  each_own_chunk<Warps, T>([&](int i) {
    elements<typename T::T, each> result;
    const auto apply = [&](const auto&... chunks) {
#pragma unroll
      for (int e = 0; e < each; ++e) result.values[e] = Op::template op<typename T::T>(chunks.values[e]...);
    };
    apply(chunk_at<each>(from, i)...);
    put_chunk<each>(to, i, result);
  });
}
template <class Op, int Warps, class T, class... A>
__device__ inline void map(T& to, const A&... from) {
  map_operands<Op, Warps>(to, operand<T>(from)...);
}

// With a vector: the same element of it for a whole row (Axis 0), or column.
template <int Axis, class V>
__device__ inline typename V::T beside(const V& v, int i, int g, int q) { return v.at(Axis == 0 ? i : g, V::own == 1 ? 0 : q); }
template <class Op, int Warps, int Axis, ducks::rt::all T, ducks::rv::all V, class... A>
__device__ inline void map_beside(T& to, const V& v, const A&... from) {
  static_assert(std::is_same_v<typename V::layout, std::conditional_t<T::is_row == (Axis == 0), ortho_l, align_l>>,
                "the vector must have the layout of the tile's");
  static_assert((Axis == 0 ? T::rows : T::cols) == V::length, "the vector must be as long as the tile");
  constexpr int count = base_types::packing<typename T::dtype>::num();
  T::each_pack([&](int i, int j, int k) {
    typename T::T values[count];
#pragma unroll
    for (int e = 0; e < count; ++e) {
      const int place = k * count + e;
      values[e] = base_types::convertor<typename T::T, typename V::T>::convert(
          beside<Axis>(v, i, j * (T::tile_size_col / 16) + place / 4, place % 4));
    }
    to.tiles[i][j].packs[k] = Op::template op<typename T::dtype>(from.tiles[i][j].packs[k]..., kittens::detail::bits_as<typename T::dtype>(values));
  });
}
template <class Op, int Warps, int Axis, ducks::st::all T, ducks::sv::all V, class... A>
__device__ inline void map_beside(T& to, const V& v, const A&... from) {
  static_assert((Axis == 0 ? T::rows : T::cols) == V::length, "the vector must be as long as the tile");
  constexpr int each = each_of<T, Warps>();
  each_own_chunk<Warps, T>([&](int i) {
    elements<typename T::T, each> result;
    const auto apply = [&](const auto&... chunks) {
#pragma unroll
      for (int e = 0; e < each; ++e) {
        const auto value = v[Axis == 0 ? i / T::cols : i % T::cols + e];
        result.values[e] = Op::template op<typename T::T>(chunks.values[e]..., base_types::convertor<typename T::T, typename V::T>::convert(value));
      }
    };
    apply(chunk_at<each>(from, i)...);
    put_chunk<each>(to, i, result);
  });
}

// What f makes of each element and its place in the warp's tile. (A group's rows: as ThunderKittens numbers them.)
template <int Warps, ducks::rt::all T, class F>
__device__ inline void apply(T& to, const T& from, F&& f) {
  const int first = Warps > 1 ? warpid() % Warps * T::height : 0;
  T::each([&](int i, int g, int q) { to.at(i, g, q) = f(first + T::row(i, q), T::col(g, q), from.at(i, g, q)); });
}
template <int Warps, ducks::rv::all T, class F>
__device__ inline void apply(T& to, const T& from, F&& f) {
  const int first = Warps > 1 ? warpid() % Warps * T::length : 0;
#pragma unroll
  for (int i = 0; i < T::outer_dim; ++i)
#pragma unroll
    for (int q = 0; q < T::own; ++q)
      if (T::has(i)) to.at(i, q) = f(first + T::index(i, q), from.at(i, q));
}

// ---- between lanes ----

template <int Control>
__device__ inline float by_dpp(float x) {
  return std::bit_cast<float>(__builtin_amdgcn_update_dpp(0, std::bit_cast<int>(x), Control, 0xf, 0xf, true));
}
__device__ inline float of_lane(float x, int lane) {
  return std::bit_cast<float>(__builtin_amdgcn_ds_bpermute(lane * 4, std::bit_cast<int>(x)));
}
// Over the 16 lanes that differ in l % 16, over the 4 that differ in l / 16, over all.
template <class Op>
__device__ inline float over_lines(float x) {
  x = Op::template op<float>(x, by_dpp<1 | 0 << 2 | 3 << 4 | 2 << 6>(x));  // quad_perm: 1 0 3 2
  x = Op::template op<float>(x, by_dpp<2 | 3 << 2 | 0 << 4 | 1 << 6>(x));  // quad_perm: 2 3 0 1
  x = Op::template op<float>(x, by_dpp<0x141>(x));                         // row_half_mirror
  return Op::template op<float>(x, by_dpp<0x140>(x));                      // row_mirror
}
template <class Op>
__device__ inline float over_parts(float x) {
  x = Op::template op<float>(x, of_lane(x, laneid() ^ 16));
  return Op::template op<float>(x, of_lane(x, laneid() ^ 32));
}
template <class Op>
constexpr float neutral = 0.0f;
template <>
constexpr float neutral<base_ops::mul> = 1.0f;
template <>
constexpr float neutral<base_ops::max> = -__builtin_inff();
template <>
constexpr float neutral<base_ops::min> = __builtin_inff();

// ---- reductions: of registers, and of shared vectors, in f32 ----

// Of each row (Axis 0) or column of a tile.
template <class Op, int Axis, bool Accumulates, ducks::rv::all V, ducks::rt::all T>
__device__ inline void reduce_tile(V& to, const T& from, const V& before) {
  static_assert(std::is_same_v<typename V::layout, std::conditional_t<T::is_row == (Axis == 0), ortho_l, align_l>>,
                "the vector must have the layout of the tile's");
  static_assert((Axis == 0 ? T::rows : T::cols) == V::length, "the vector must be as long as the tile");
  constexpr int lines = Axis == 0 ? T::height : T::groups, across = Axis == 0 ? T::groups : T::height;
#pragma unroll
  for (int line = 0; line < lines; ++line) {
    float2 sums[2];
#pragma unroll
    for (int k = 0; k < across; ++k)
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const int i = Axis == 0 ? line : k, g = Axis == 0 ? k : line;
        const float2 two{to_float(from.at(i, g, 2 * h)), to_float(from.at(i, g, 2 * h + 1))};
        sums[h] = k == 0 ? two : Op::template op<float2>(sums[h], two);
      }
    const auto put = [&](int q, float x) {
      if constexpr (Accumulates) x = Op::template op<float>(to_float(before.at(line, q)), x);
      to.at(line, q) = from_float<typename V::T>(x);
    };
    if constexpr (V::own == 1) {
      const float2 sum = Op::template op<float2>(sums[0], sums[1]);
      put(0, over_parts<Op>(Op::template op<float>(sum.x, sum.y)));
    } else {
#pragma unroll
      for (int h = 0; h < 2; ++h) put(2 * h, over_lines<Op>(sums[h].x)), put(2 * h + 1, over_lines<Op>(sums[h].y));
    }
  }
}
// Of shared tiles one thread has a line, and rounds after each element: as ThunderKittens does.
template <class Op, int Axis, bool Accumulates, int Warps, ducks::sv::all V, ducks::st::all T>
__device__ inline void reduce_tile(V& to, const T& from, const V& before) {
  static_assert((Axis == 0 ? T::rows : T::cols) == V::length, "the vector must be as long as the tile");
  constexpr int across = Axis == 0 ? T::cols : T::rows;
  wave_order();
  for (int line = threadIdx.x % (Warps * WARP_THREADS); line < V::length; line += Warps * WARP_THREADS) {
    const auto at = [&](int k) { return from[Axis == 0 ? int2{line, k} : int2{k, line}]; };
    typename T::T sum = at(0);
    for (int k = 1; k < across; ++k) sum = Op::template op<typename T::T>(sum, at(k));
    if constexpr (Accumulates) sum = Op::template op<typename T::T>(before[line], sum);
    to[line] = sum;
  }
  wave_order();
}

template <class Op, ducks::rv::all V>
__device__ inline float reduce_vector(const V& from) {
  float sum = neutral<Op>;
#pragma unroll
  for (int i = 0; i < V::outer_dim; ++i)
#pragma unroll
    for (int q = 0; q < V::own; ++q) sum = V::has(i) ? Op::template op<float>(sum, to_float(from.at(i, q))) : sum;
  if constexpr (V::own > 1) return over_parts<Op>(sum);
  else return V::is_naive ? over_parts<Op>(over_lines<Op>(sum)) : over_lines<Op>(sum);
}
// Each warp of a group reduces all of a shared vector.
template <class Op, ducks::sv::all V>
__device__ inline float reduce_vector(const V& from) {
  constexpr int each = each_of<V, 1>();
  float sum = neutral<Op>;
  constexpr int step = WARP_THREADS * each;
  wave_order();
#pragma unroll
  for (int k = 0; k < (V::length + step - 1) / step; ++k) {
    const int i = k * step + laneid() * each;
    if (V::length % step != 0 && i >= V::length) continue;
    const auto chunk = chunk_at<each>(from, i);
#pragma unroll
    for (int e = 0; e < each; ++e) sum = Op::template op<float>(sum, to_float(chunk.values[e]));
  }
  return over_parts<Op>(over_lines<Op>(sum));
}

template <ducks::rv::all V>
__device__ inline bool any_nan(const V& from) {
  bool nan = false;
  for (int i = 0; i < V::outer_dim; ++i)
    for (int q = 0; q < V::own; ++q) nan |= V::has(i) && __builtin_isnan(to_float(from.at(i, q)));
  return __builtin_amdgcn_ballot_w64(nan) != 0;
}
template <ducks::rt::all T>
__device__ inline bool any_nan(const T& from) {
  bool nan = false;
  T::each([&](int i, int g, int q) { nan |= __builtin_isnan(to_float(from.at(i, g, q))); });
  return __builtin_amdgcn_ballot_w64(nan) != 0;
}
template <shared_thing T>
__device__ inline bool any_nan(const T& from) {
  bool nan = false;
  each_own_chunk<1, T>([&](int i) {
    for (auto e : chunk_at<each_of<T, 1>()>(from, i).values) nan |= __builtin_isnan(to_float(e));
  });
  return __builtin_amdgcn_ballot_w64(nan) != 0;
}

}  // namespace kittens::detail

#endif  // PORTER_KITTENS_OPS_H
