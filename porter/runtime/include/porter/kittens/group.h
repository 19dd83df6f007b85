// porter kittens: the operations of a group of warps, under ThunderKittens' names.
#ifndef PORTER_KITTENS_GROUP_H
#define PORTER_KITTENS_GROUP_H

#include "copies.h"
#include "products.h"

namespace kittens {

template <int Warps>
struct group {
  static constexpr int GROUP_WARPS = Warps, GROUP_THREADS = Warps * WARP_THREADS;
  __device__ static int laneid() { return threadIdx.x % GROUP_THREADS; }
  __device__ static int warpid() { return kittens::warpid() % Warps; }
  __device__ static int groupid() { return kittens::warpid() / Warps; }

  // ---- waiting for each other ----

  __device__ static void sync(int id) { porter::named_barrier_sync(id, GROUP_THREADS); }
  __device__ static void arrive(int id) { porter::named_barrier_arrive(id, GROUP_THREADS); }
  template <uint32_t Mask = 0xffffffffu>
  __device__ static void sync() {
    static_assert(Warps == 1, "without a barrier's number only one warp meets itself");
    detail::wave_order();
  }
  __device__ static void init_semaphore(semaphore& s, int threads, int transactions = 0) {
    if (laneid() == 0) kittens::init_semaphore(s, threads, transactions);
  }
  __device__ static void invalidate_semaphore(semaphore&) {}
  __device__ static void arrive(semaphore& s) { arrive(s, 1); }
  __device__ static void arrive(semaphore& s, uint32_t count) {
    if (laneid() == 0) kittens::arrive(s, count);
  }
  template <int Of>
  __device__ static void arrive(barrier<Of> b) { kittens::arrive(b); }
  __device__ static void arrive_and_wait(barrier<Warps> b) { kittens::arrive_and_wait(b); }
  __device__ static void wait(semaphore& s, int phase) { kittens::wait(s, phase); }
  __device__ static bool try_wait(semaphore& s, int phase) { return kittens::try_wait(s, phase); }
  __device__ static int test_wait(semaphore& s, int phase) { return kittens::test_wait(s, phase); }
  template <int Pending = 0>
  __device__ static void load_async_wait() { detail::wave_order(); }
  template <int Pending = 0>
  __device__ static void load_async_wait(int id) { sync(id); }
  __device__ static bool elect_leader() { return laneid() == 0; }
  __device__ static bool elect_leader_from_active() { return warpid() == 0 && porter::detail::first_active_lane(); }
  struct pdl {
    __device__ static void arrive() {}
    __device__ static void wait() {}
  };
  // A wavefront's registers are its kernel's.
  template <int>
  __device__ static void increase_registers() {}
  template <int>
  __device__ static void decrease_registers() {}
  __device__ static void producer_registers() {}
  template <int>
  __device__ static void consumer_registers() {}

  // ---- maps ----

#define PORTER_KITTENS_SET(name)                                                    \
  template <detail::thing T>                                                        \
  __device__ static void name(T& to) { detail::map<base_ops::copy, Warps>(to, base_types::constants<typename T::T>::name()); } \
  template <detail::complex T>                                                      \
  __device__ static void name(T& to) { name(to.real), name(to.imag); }
  PORTER_KITTENS_SET(zero)
  PORTER_KITTENS_SET(one)
  PORTER_KITTENS_SET(pos_infty)
  PORTER_KITTENS_SET(neg_infty)
#undef PORTER_KITTENS_SET

#define PORTER_KITTENS_UNARY(name)                                                  \
  template <detail::thing T>                                                        \
  __device__ static void name(T& to, const T& from) { detail::map<base_ops::name, Warps>(to, from); } \
  template <detail::thing T>                                                        \
  __device__ static T name(const T& from) {                                         \
    T to;                                                                           \
    name(to, from);                                                                 \
    return to;                                                                      \
  }
  PORTER_KITTENS_UNARY(exp)
  PORTER_KITTENS_UNARY(exp2)
  PORTER_KITTENS_UNARY(log)
  PORTER_KITTENS_UNARY(log2)
  PORTER_KITTENS_UNARY(abs)
  PORTER_KITTENS_UNARY(relu)
#undef PORTER_KITTENS_UNARY

#define PORTER_KITTENS_BINARY(name, op)                                             \
  template <detail::thing T, class U>                                               \
  __device__ static void name(T& to, const T& left, const U& right) { detail::map<base_ops::op, Warps>(to, left, right); } \
  template <int Axis, detail::thing T, class V>                                     \
  __device__ static void name(T& to, const T& from, const V& v) { detail::map_beside<base_ops::op, Warps, Axis>(to, v, from); }
  PORTER_KITTENS_BINARY(add, sum)
  PORTER_KITTENS_BINARY(sub, sub)
  PORTER_KITTENS_BINARY(mul, mul)
  PORTER_KITTENS_BINARY(div, div)
#undef PORTER_KITTENS_BINARY
#define PORTER_KITTENS_BINARY(name)                                                 \
  template <detail::thing T, class U>                                               \
  __device__ static void name(T& to, const T& left, const U& right) { detail::map<base_ops::name, Warps>(to, left, right); } \
  template <detail::thing T, class U>                                               \
    requires(detail::thing<U> || ducks::rt::all<T>)                                 \
  __device__ static T name(const T& left, const U& right) {                         \
    T to;                                                                           \
    name(to, left, right);                                                          \
    return to;                                                                      \
  }
  PORTER_KITTENS_BINARY(max)
  PORTER_KITTENS_BINARY(min)
#undef PORTER_KITTENS_BINARY

  // Complex numbers.
  template <detail::complex T>
  __device__ static void add(T& to, const T& a, const T& b) { add(to.real, a.real, b.real), add(to.imag, a.imag, b.imag); }
  template <detail::complex T>
  __device__ static void sub(T& to, const T& a, const T& b) { sub(to.real, a.real, b.real), sub(to.imag, a.imag, b.imag); }
  template <ducks::crt::all T>
  __device__ static void mul(T& to, const T& a, const T& b) {
    typename T::component real, imag, part;
    mul(real, a.real, b.real), mul(part, a.imag, b.imag), sub(real, real, part);
    mul(imag, a.imag, b.real), mul(part, a.real, b.imag), add(imag, imag, part);
    to.real = real, to.imag = imag;
  }
  template <ducks::crt::all T>
  __device__ static void div(T& to, const T& a, const T& b) {
    typename T::component square, part;
    T other{b.real, b.imag};
    mul(square, b.real, b.real), mul(part, b.imag, b.imag), add(square, square, part);
    mul(other.imag, b.imag, -1.0f), mul(to, a, other);
    div(to.real, to.real, square), div(to.imag, to.imag, square);
  }

#define PORTER_KITTENS_BESIDE(name, op)                                                                     \
  template <detail::thing T, class V>                                                                       \
  __device__ static void name##_row(T& to, const T& from, const V& v) { detail::map_beside<base_ops::op, Warps, 0>(to, v, from); } \
  template <detail::thing T, class V>                                                                       \
  __device__ static void name##_col(T& to, const T& from, const V& v) { detail::map_beside<base_ops::op, Warps, 1>(to, v, from); }
  PORTER_KITTENS_BESIDE(add, sum)
  PORTER_KITTENS_BESIDE(sub, sub)
  PORTER_KITTENS_BESIDE(mul, mul)
  PORTER_KITTENS_BESIDE(div, div)
#undef PORTER_KITTENS_BESIDE
#define PORTER_KITTENS_BROADCAST(name, axis)                                                                \
  template <detail::thing T, class V>                                                                       \
  __device__ static void name(T& to, const V& v) { detail::map_beside<base_ops::copy, Warps, axis>(to, v); } \
  template <ducks::rt::all T, class V>                                                                      \
  __device__ static T name(const V& v) {                                                                    \
    T to;                                                                                                   \
    name(to, v);                                                                                            \
    return to;                                                                                              \
  }
  PORTER_KITTENS_BROADCAST(broadcast_row, 0)
  PORTER_KITTENS_BROADCAST(broadcast_col, 1)
#undef PORTER_KITTENS_BROADCAST
  template <int Axis, detail::thing T, class V>
  __device__ static void broadcast(T& to, const V& v) { detail::map_beside<base_ops::copy, Warps, Axis>(to, v); }

  template <class Op, detail::thing T>
  __device__ static void unary_map(T& to, const T& from) { detail::map<Op, Warps>(to, from); }
  template <class Op, detail::thing T>
  __device__ static void unary_op(T& to, const T& from) { detail::map<Op, Warps>(to, from); }
  template <class Op, detail::thing T, class U>
  __device__ static void bin_map(T& to, const T& left, const U& right) { detail::map<Op, Warps>(to, left, right); }
  template <class Op, detail::thing T, class U>
  __device__ static void bin_op(T& to, const T& left, const U& right) { detail::map<Op, Warps>(to, left, right); }
  template <class Op, detail::thing T, class V>
  __device__ static void row_map(T& to, const T& from, const V& v) { detail::map_beside<Op, Warps, 0>(to, v, from); }
  template <class Op, detail::thing T, class V>
  __device__ static void col_map(T& to, const T& from, const V& v) { detail::map_beside<Op, Warps, 1>(to, v, from); }
  template <class Op, ducks::rt::all T, class V>
  __device__ static void row_map(T& to, const T& a, const T& b, const V& v) { detail::map_beside<Op, Warps, 0>(to, v, a, b); }
  template <class Op, ducks::rt::all T, class V>
  __device__ static void col_map(T& to, const T& a, const T& b, const V& v) { detail::map_beside<Op, Warps, 1>(to, v, a, b); }
  template <detail::thing T, class F>
  __device__ static void apply(T& to, const T& from, F&& f) { detail::apply<Warps>(to, from, f); }
  template <detail::thing T, class F>
  __device__ static T apply(const T& from, F&& f) {
    T to;
    detail::apply<Warps>(to, from, f);
    return to;
  }

  // Parts of a warp's tile get one value.
  template <ducks::rt::all T, class F>
  __device__ static void fill(T& to, const T& from, const typename T::T& value, F outside) {
    T::each([&](int i, int g, int q) { to.at(i, g, q) = outside(T::row(i, q), T::col(g, q)) ? value : from.at(i, g, q); });
  }
#define PORTER_KITTENS_FILL(name, parameters, condition)                                                    \
  template <ducks::rt::all T>                                                                               \
  __device__ static void name parameters {                                                                  \
    fill(to, from, value, [=](int r, int c) { return condition; });                                         \
  }
#define PORTER_KITTENS_VALUE const typename T::T& value = base_types::constants<typename T::T>::zero()
  PORTER_KITTENS_FILL(make_causal, (T& to, const T& from, PORTER_KITTENS_VALUE), c > r)
  PORTER_KITTENS_FILL(make_causal_t, (T& to, const T& from, PORTER_KITTENS_VALUE), c < r)
  PORTER_KITTENS_FILL(tril, (T& to, const T& from, int diagonal = 0, PORTER_KITTENS_VALUE), c > r + diagonal)
  PORTER_KITTENS_FILL(triu, (T& to, const T& from, int diagonal = 0, PORTER_KITTENS_VALUE), c < r + diagonal)
  PORTER_KITTENS_FILL(right_fill, (T& to, const T& from, int first, PORTER_KITTENS_VALUE), c >= first)
  PORTER_KITTENS_FILL(left_fill, (T& to, const T& from, int first, PORTER_KITTENS_VALUE), c < first)
  PORTER_KITTENS_FILL(upper_fill, (T& to, const T& from, int first, PORTER_KITTENS_VALUE), r < first)
  PORTER_KITTENS_FILL(lower_fill, (T& to, const T& from, int first, PORTER_KITTENS_VALUE), r >= first)
  PORTER_KITTENS_FILL(upper_right_fill, (T& to, const T& from, int row, int col, PORTER_KITTENS_VALUE), r < row && c >= col)
#undef PORTER_KITTENS_VALUE
#undef PORTER_KITTENS_FILL

  // ---- types and layouts ----

  template <class T, class U>
  __device__ static void copy(T& to, const U& from) {
    if constexpr (detail::complex<T>) copy(to.real, from.real), copy(to.imag, from.imag);
    else if constexpr (!detail::thing<U>) detail::map<base_ops::copy, Warps>(to, from);
    else if constexpr (detail::shared_thing<T>) detail::convert_shared<Warps>(to, from);
    else detail::convert(to, from);
  }
  template <class T, class U>
  __device__ static void swap_layout(T& to, const U& from) {
    if constexpr (detail::complex<T>) swap_layout(to.real, from.real), swap_layout(to.imag, from.imag);
    else detail::swap_layout(to, from);
  }
  template <class T, int Rows, int Cols, ducks::rt_layout::all L>
  __device__ static auto& swap_layout_inplace(rt<T, Rows, Cols, L>& tile) {
    auto& other = reinterpret_cast<rt<T, Rows, Cols, typename ducks::rt_layout::transpose<L>::type>&>(tile);
    detail::swap_layout(other, rt<T, Rows, Cols, L>(tile));
    return other;
  }
  template <class T, int Rows, int Cols, ducks::rt_layout::all L>
  __device__ static auto& swap_layout_inplace(crt<T, Rows, Cols, L>& tile) {
    swap_layout_inplace(tile.real), swap_layout_inplace(tile.imag);
    return reinterpret_cast<crt<T, Rows, Cols, typename ducks::rt_layout::transpose<L>::type>&>(tile);
  }
  template <class T, class U>
  __device__ static void transpose_sep(T& to, const U& from) {
    if constexpr (detail::complex<T>) transpose_sep(to.real, from.real), transpose_sep(to.imag, from.imag);
    else detail::transpose(to, from);
  }
  template <class T>
  __device__ static T& transpose_inplace(T& tile) {
    transpose_sep(tile, T(tile));
    return tile;
  }
  template <int Rows, ducks::rt::all T>
  __device__ static rt<typename T::T, Rows, T::cols, typename T::layout>& subtile_inplace(T& tile, int i) {
    static_assert(T::rows % Rows == 0 && Rows % T::tile_size_row == 0, "parts must divide the tile");
    return reinterpret_cast<rt<typename T::T, Rows, T::cols, typename T::layout>&>(tile.tiles[i * (Rows / T::tile_size_row)]);
  }

  // ---- reductions ----

  template <class Op, int Axis, bool Accumulates, class V, class T>
  __device__ static void reduce_lines(V& to, const T& from, const V& before) {
    if constexpr (ducks::st::all<T>) detail::reduce_tile<Op, Axis, Accumulates, Warps>(to, from, before);
    else detail::reduce_tile<Op, Axis, Accumulates>(to, from, before);
  }
  template <int Axis, class T>
  using line_of = std::conditional_t<Axis == axis::COL, typename T::col_vec, typename T::row_vec>;
#define PORTER_KITTENS_REDUCE(name, operation)                                                                     \
  template <detail::vec V, detail::tile T>                                                                  \
  __device__ static void row_##name(V& to, const T& from) { reduce_lines<base_ops::operation, 0, false>(to, from, to); } \
  template <detail::vec V, detail::tile T>                                                                  \
  __device__ static void row_##name(V& to, const T& from, const V& before) { reduce_lines<base_ops::operation, 0, true>(to, from, before); } \
  template <detail::vec V, detail::tile T>                                                                  \
  __device__ static void col_##name(V& to, const T& from) { reduce_lines<base_ops::operation, 1, false>(to, from, to); } \
  template <detail::vec V, detail::tile T>                                                                  \
  __device__ static void col_##name(V& to, const T& from, const V& before) { reduce_lines<base_ops::operation, 1, true>(to, from, before); } \
  template <int Axis, detail::vec V, detail::tile T>                                                        \
  __device__ static void name(V& to, const T& from) { reduce_lines<base_ops::operation, Axis == axis::COL ? 0 : 1, false>(to, from, to); } \
  template <int Axis, detail::vec V, detail::tile T>                                                        \
  __device__ static void name(V& to, const T& from, const V& before) {                                      \
    reduce_lines<base_ops::operation, Axis == axis::COL ? 0 : 1, true>(to, from, before);                          \
  }                                                                                                         \
  template <int Axis, detail::tile T>                                                                       \
  __device__ static auto name(const T& from) {                                                              \
    line_of<Axis, T> to;                                                                                    \
    name<Axis>(to, from);                                                                                   \
    return to;                                                                                              \
  }                                                                                                         \
  template <int Axis, detail::vec V, detail::tile T>                                                        \
  __device__ static auto name(const T& from, const V& before) {                                             \
    line_of<Axis, T> to;                                                                                    \
    name<Axis>(to, from, before);                                                                           \
    return to;                                                                                              \
  }                                                                                                         \
  template <detail::vec V>                                                                                  \
  __device__ static typename V::T name(const V& from) {                                                     \
    return detail::from_float<typename V::T>(detail::reduce_vector<base_ops::operation>(from));                    \
  }                                                                                                         \
  template <detail::vec V>                                                                                  \
  __device__ static typename V::T name(const V& from, const typename V::T& before) {                        \
    return detail::from_float<typename V::T>(                                                               \
        base_ops::operation::template op<float>(detail::to_float(before), detail::reduce_vector<base_ops::operation>(from)));      \
  }                                                                                                         \
  template <detail::vec V>                                                                                  \
  __device__ static void name(typename V::T& to, const V& from) { to = name(from); }                        \
  template <detail::vec V>                                                                                  \
  __device__ static void name(typename V::T& to, const V& from, const typename V::T& before) { to = name(from, before); }
  PORTER_KITTENS_REDUCE(max, max)
  PORTER_KITTENS_REDUCE(min, min)
  PORTER_KITTENS_REDUCE(sum, sum)
  PORTER_KITTENS_REDUCE(prod, mul)
#undef PORTER_KITTENS_REDUCE
  template <detail::thing T>
  __device__ static bool hasnan(const T& from) { return detail::any_nan(from); }

  // ---- memory ----

  template <ducks::rt::all T, ducks::st::all S>
  __device__ static void load(T& to, const S& from) { detail::load_tile<Warps>(to, from); }
  template <ducks::st::all S, ducks::rt::all T>
  __device__ static void store(S& to, const T& from) { detail::store_tile<Warps>(to, from); }
  template <ducks::rv::all T, ducks::sv::all S>
  __device__ static void load(T& to, const S& from) { detail::load_vector<Warps>(to, from); }
  template <ducks::sv::all S, ducks::rv::all T>
  __device__ static void store(S& to, const T& from) { detail::store_vector<Warps>(to, from); }
  template <detail::complex T, detail::complex S>
  __device__ static void load(T& to, const S& from) { load(to.real, from.real), load(to.imag, from.imag); }
  template <detail::complex S, detail::complex T>
  __device__ static void store(S& to, const T& from) { store(to.real, from.real), store(to.imag, from.imag); }
  template <ducks::rv::naive_layout T, ducks::st::all S>
  __device__ static void load(T& to, const S& from, int2 at) {
    detail::wave_order();
    for (int i = 0; i < T::outer_dim; ++i)
      if (T::has(i)) to.at(i, 0) = base_types::convertor<typename T::T, typename S::T>::convert(from[{at.x, at.y + T::index(i, 0)}]);
  }
  template <ducks::rv::naive_layout T, ducks::st::all S>
  __device__ static void store(S& to, const T& from, int2 at) {
    for (int i = 0; i < T::outer_dim; ++i)
      if (T::has(i)) to[{at.x, at.y + T::index(i, 0)}] = base_types::convertor<typename S::T, typename T::T>::convert(from.at(i, 0));
    detail::wave_order();
  }

  template <class T>
  using whole = rt<typename T::T, Warps * T::rows, T::cols, typename T::layout>;
  template <int Axis, ducks::rt::all T, ducks::gl::all G, ducks::coord::tile C = coord<whole<T>>>
  __device__ static void load(T& to, const G& from, const C& at) { detail::load_tile<Warps, Axis>(to, from, at); }
  template <ducks::rt::all T, ducks::gl::all G, ducks::coord::tile C = coord<whole<T>>>
  __device__ static void load(T& to, const G& from, const C& at) { detail::load_tile<Warps, 2>(to, from, at); }
  template <int Axis, ducks::rt::all T, ducks::gl::all G, ducks::coord::tile C = coord<whole<T>>>
  __device__ static void store(const G& to, const T& from, const C& at) { detail::store_tile<Warps, Axis>(to, from, at); }
  template <ducks::rt::all T, ducks::gl::all G, ducks::coord::tile C = coord<whole<T>>>
  __device__ static void store(const G& to, const T& from, const C& at) { detail::store_tile<Warps, 2>(to, from, at); }
  template <class T>
  using whole_vector = rv<typename T::T, Warps * T::length, typename T::layout>;
  template <ducks::rv::all T, ducks::gl::all G>
  __device__ static void load(T& to, const G& from, const coord<whole_vector<T>>& at) { detail::load_vector<Warps>(to, from, at); }
  template <ducks::rv::all T, ducks::gl::all G>
  __device__ static void store(G& to, const T& from, const coord<whole_vector<T>>& at) { detail::store_vector<Warps>(to, from, at); }

#define PORTER_KITTENS_SHARED(name, parameters, function, to, from)                                         \
  template <int Axis, bool Aligned, ducks::st::all S, ducks::gl::all G, ducks::coord::tile C = coord<S>>    \
  __device__ static void name parameters { detail::function<Warps, Axis, Aligned>(to, from, at); }          \
  template <ducks::st::all S, ducks::gl::all G, ducks::coord::tile C = coord<S>>                            \
  __device__ static void name parameters { detail::function<Warps, 2, false>(to, from, at); }               \
  template <ducks::sv::all S, ducks::gl::all G, ducks::coord::vec C = coord<S>>                             \
  __device__ static void name parameters { detail::function<Warps>(to, from, at); }
  PORTER_KITTENS_SHARED(load, (S& s, const G& g, const C& at), load_shared, s, g)
  PORTER_KITTENS_SHARED(load_async, (S& s, const G& g, const C& at), load_shared, s, g)
  PORTER_KITTENS_SHARED(load_async_small, (S& s, const G& g, const C& at), load_shared, s, g)
  PORTER_KITTENS_SHARED(store, (const G& g, const S& s, const C& at), store_shared, g, s)
#undef PORTER_KITTENS_SHARED
  template <detail::complex T, ducks::cgl::all G, class C = coord<typename T::component>>
  __device__ static void load(T& to, const G& from, const C& at) { load(to.real, from.real, at), load(to.imag, from.imag, at); }
  template <detail::complex T, ducks::cgl::all G, class C = coord<typename T::component>>
  __device__ static void load_async(T& to, const G& from, const C& at) { load(to, from, at); }
  template <detail::complex T, ducks::cgl::all G, class C = coord<typename T::component>>
  __device__ static void store(G& to, const T& from, const C& at) { store(to.real, from.real, at), store(to.imag, from.imag, at); }

  // ---- products ----

  // A warp's own tiles: d = a b + c.
#define PORTER_KITTENS_PRODUCT(suffix, trans_a, trans_b)                                                    \
  template <class D, class A, class B, class C>                                                             \
  __device__ static void mma_##suffix(D& d, const A& a, const B& b, const C& c) { multiply<trans_a, trans_b, true>(d, a, b, c); } \
  template <class D, class A, class B>                                                                      \
  __device__ static void mma_##suffix(D& d, const A& a, const B& b) { multiply<trans_a, trans_b, true>(d, a, b, d); } \
  template <class D, class A, class B>                                                                      \
  __device__ static void mm_##suffix(D& d, const A& a, const B& b) { multiply<trans_a, trans_b, false>(d, a, b, d); }
  PORTER_KITTENS_PRODUCT(AB, false, false)
  PORTER_KITTENS_PRODUCT(ABt, false, true)
  PORTER_KITTENS_PRODUCT(AtB, true, false)
  PORTER_KITTENS_PRODUCT(AtBt, true, true)
#undef PORTER_KITTENS_PRODUCT
  template <int TransA, int TransB, class D, class A, class B, class C>
  __device__ static void mma(D& d, const A& a, const B& b, const C& c) { multiply<TransA, TransB, true>(d, a, b, c); }
  template <int TransA, int TransB, class A, class B, ducks::rt::all C>
  __device__ static C mma(const A& a, const B& b, const C& c)
    requires(Warps == 1)
  {
    C d;
    multiply<TransA, TransB, true>(d, a, b, c);
    return d;
  }
  template <int TransA, int TransB, class D, class A, class B>
  __device__ static void mma(D& d, const A& a, const B& b)
    requires(Warps == 4)
  { multiply<TransA, TransB, true>(d, a, b, d); }
  template <int TransA, int TransB, class D, class A, class B>
  __device__ static void mm(D& d, const A& a, const B& b) { multiply<TransA, TransB, false>(d, a, b, d); }

  // Of a warpgroup: each warp has its rows of the result; operands in shared memory may be written again when all four
  // have waited.
  template <class... D>
  __device__ static void mma_fence(D&...) { detail::wave_order(); }
  __device__ static void mma_commit_group() { detail::commit_products(); }
  template <int Pending = 0>
  __device__ static void mma_async_wait() { detail::await_products<Pending>(); }

  // ---- TMA ----

  struct tma {
    __device__ static bool first_warp() { return group::warpid() == 0; }
    __device__ static void expect_bytes(semaphore& s, uint32_t bytes) {
      if (group::laneid() == 0) kittens::tma::expect_bytes(s, bytes);
    }
    template <class T, class... Ts>
    __device__ static void expect(semaphore& s, const T&, const Ts&...) { expect_bytes(s, size_bytes<T, Ts...>); }
    __device__ static void store_commit_group() {}
    template <int Pending = 0>
    __device__ static void store_async_wait() { detail::wave_order(); }
    template <int Pending = 0>
    __device__ static void store_async_read_wait() { detail::wave_order(); }
    __device__ static void load_async(void* to, void* from, uint32_t bytes, semaphore& s) {
      if (group::laneid() == 0) kittens::tma::load_async(to, from, bytes, s);
    }
    __device__ static void store_async(void* to, void* from, uint32_t bytes) {
      if (group::laneid() == 0) kittens::tma::store_async(to, from, bytes);
    }
    // All lanes of the first warp, or what is there of its first.
    __device__ static bool copies() { return first_warp() && (detail::whole_wave() || group::laneid() == 0); }
    PORTER_KITTENS_COPIES(copies())
  };

 private:
  template <bool TransA, bool TransB, bool Accumulates, class D, class A, class B, class C>
  __device__ static void multiply(D& d, const A& a, const B& b, const C& c) {
    static_assert(Warps == 1 || Warps == 4, "products are of a warp or of a warpgroup");
    detail::wave_order();
    const int first = Warps == 4 ? warpid() * D::rows : 0;
    if constexpr (detail::complex<D>) detail::complex_product<TransA, TransB, Accumulates>(d, a, b, c, first);
    else detail::product<TransA, TransB, Accumulates>(d, a, b, c, first);
    if constexpr (Warps == 4) detail::commit_products();
  }
};
using warp = group<1>;
using warpgroup = group<4>;

namespace everyone {
__device__ inline void sync(int id) { porter::named_barrier_sync(id); }
}  // namespace everyone

// Operators are a warp's.
#define PORTER_KITTENS_OPERATOR(sign, name)                                              \
  template <class T, class U>                                                            \
    requires(ducks::rt::all<T> || ducks::rv::all<T>)                                     \
  __device__ inline T operator sign(const T& left, const U& right) {                     \
    T to;                                                                                \
    if constexpr (ducks::rt::all<T> && ducks::rv::all<U>) {                              \
      if constexpr (std::is_same_v<typename U::layout, typename T::col_vec::layout>) warp::name##_row(to, left, right); \
      else warp::name##_col(to, left, right);                                            \
    } else {                                                                             \
      warp::name(to, left, right);                                                       \
    }                                                                                    \
    return to;                                                                           \
  }                                                                                      \
  template <class T, class U>                                                            \
    requires(ducks::rt::all<T> || ducks::rv::all<T>)                                     \
  __device__ inline void operator sign##=(T& left, const U& right) { left = left sign right; }
PORTER_KITTENS_OPERATOR(+, add)
PORTER_KITTENS_OPERATOR(-, sub)
PORTER_KITTENS_OPERATOR(*, mul)
PORTER_KITTENS_OPERATOR(/, div)
#undef PORTER_KITTENS_OPERATOR

}  // namespace kittens

#endif  // PORTER_KITTENS_GROUP_H
