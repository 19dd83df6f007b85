// porter kittens: tiles and vectors between registers, shared and global memory.
#ifndef PORTER_KITTENS_MEMORY_H
#define PORTER_KITTENS_MEMORY_H

#include "sync.h"

namespace kittens::detail {

// Where this lane's part of each 16 x 16 of a shared tile lies, from one row and column on. Steps from one to the next are
// what an instruction's own offset holds, or one xor: the swizzle repeats every 16 rows, and 16 columns are a power of two
// of bytes inside of a row of it.
template <class ST>
struct lane_place {
  static constexpr int size = sizeof(typename ST::T), group_bytes = 16 * size;
  const ST& tile;
  uint32_t start, row, swizzled;
  int r, c;

  __device__ lane_place(const ST& tile, int r, int c) : tile(tile), start(shared_offset(tile.data)), r(r), c(c) {
    if constexpr (simple()) {
      row = start + r * ST::swizzle_bytes;
      swizzled = c * size ^ (row >> 7 & (ST::swizzle_bytes / 16 - 1)) << 4;
#ifdef __HIP_DEVICE_COMPILE__
      asm("" : "+v"(row), "+v"(swizzled));  // what else is known of them makes clang write `or` where an offset would do
#endif
    }
  }
  static constexpr bool simple() { return ST::swizzle && requires { requires ST::col_offset == 0; }; }
  __device__ uint32_t at(int i, int g) const {
    if constexpr (simple()) {
      const int bytes = g * group_bytes, block = bytes / ST::swizzle_bytes;
      return row + (swizzled ^ bytes % ST::swizzle_bytes) + (block * ST::underlying_rows + i * 16) * ST::swizzle_bytes;
    } else {
      return tile.idx(start, {r + 16 * i, c + 16 * g});
    }
  }
};

// Four elements in a row of a shared tile: the quad of a lane of the row layout.
template <class ST>
struct row_quads {
  lane_place<ST> place;
  __device__ row_quads(const ST& tile, int r, int c) : place(tile, r + laneid() % 16, c + laneid() / 16 * 4) {}
  __device__ elements<typename ST::T, 4> load(int i, int g) const { return elements<typename ST::T, 4>::from_shared(place.at(i, g)); }
  __device__ void store(int i, int g, const elements<typename ST::T, 4>& quad) const { quad.to_shared(place.at(i, g)); }
};
// Four elements in a column.
template <class ST>
struct col_quads {
  lane_place<ST> places[4];
  __device__ col_quads(const ST& tile, int r, int c) : places{of(tile, r, c, 0), of(tile, r, c, 1), of(tile, r, c, 2), of(tile, r, c, 3)} {}
  __device__ static lane_place<ST> of(const ST& tile, int r, int c, int q) { return {tile, r + laneid() / 16 * 4 + q, c + laneid() % 16}; }
  __device__ elements<typename ST::T, 4> load(int i, int g) const {
    elements<typename ST::T, 4> quad;
#pragma unroll
    for (int q = 0; q < 4; ++q) quad.values[q] = elements<typename ST::T, 1>::from_shared(places[q].at(i, g)).values[0];
    return quad;
  }
  __device__ void store(int i, int g, const elements<typename ST::T, 4>& quad) const {
#pragma unroll
    for (int q = 0; q < 4; ++q) elements<typename ST::T, 1>{quad.values[q]}.to_shared(places[q].at(i, g));
  }
};
template <class RT, class ST>
using quads_like = std::conditional_t<RT::is_row, row_quads<ST>, col_quads<ST>>;

// f(i, g) for each 16 x 16 of a register tile.
template <class RT, class F>
__device__ inline void each_quad(F f) {
#pragma unroll
  for (int i = 0; i < RT::height; ++i)
#pragma unroll
    for (int g = 0; g < RT::groups; ++g) f(i, g);
}
template <class RT>
__device__ inline void put_quad(RT& tile, int i, int g, const elements<typename RT::T, 4>& quad) {
#pragma unroll
  for (int q = 0; q < 4; ++q) tile.at(i, g, q) = quad.values[q];
}
template <class RT>
__device__ inline elements<typename RT::T, 4> quad_of(const RT& tile, int i, int g) {
  elements<typename RT::T, 4> quad;
#pragma unroll
  for (int q = 0; q < 4; ++q) quad.values[q] = tile.at(i, g, q);
  return quad;
}

// Which part of a group's tile is a warp's. Groups of warpgroups: the warps of one place in their warpgroup follow each other.
template <int Warps>
__device__ inline int part_of_warp() {
  const int warp = warpid() % Warps;
  if constexpr (Warps % 4 == 0) return warp / 4 + warp % 4 * (Warps / 4);
  else return warp;
}

template <int Warps, ducks::rt::all RT, ducks::st::all ST>
__device__ inline void load_tile(RT& to, const ST& from) {
  static_assert(ST::rows == Warps * RT::rows && ST::cols == RT::cols, "the warps' tiles must make up the shared tile");
  wave_order();
  const quads_like<RT, ST> quads(from, part_of_warp<Warps>() * RT::rows, 0);
  each_quad<RT>([&](int i, int g) { put_quad(to, i, g, quads.load(i, g).template as<typename RT::T>()); });
}
template <int Warps, ducks::st::all ST, ducks::rt::all RT>
__device__ inline void store_tile(ST& to, const RT& from) {
  static_assert(ST::rows == Warps * RT::rows && ST::cols == RT::cols, "the warps' tiles must make up the shared tile");
  wave_order();
  const quads_like<RT, ST> quads(to, part_of_warp<Warps>() * RT::rows, 0);
  each_quad<RT>([&](int i, int g) { quads.store(i, g, quad_of(from, i, g).template as<typename ST::T>()); });
  wave_order();
}

// f(i, q) for each element of a register vector that this lane has to write: copies in other lanes are left out.
template <class RV, class F>
__device__ inline void each_first(F f) {
  const bool first = RV::is_naive || (RV::own == 1 ? laneid() < 16 : laneid() % 16 == 0);
#pragma unroll
  for (int i = 0; i < RV::outer_dim; ++i)
    if (first && RV::has(i)) f(i);
}
// Vectors: a lane's elements of one place of outer_dim lie together in memory.
template <int Warps, ducks::rv::all RV, ducks::sv::all SV>
__device__ inline void load_vector(RV& to, const SV& from) {
  static_assert(SV::length == Warps * RV::length, "the warps' vectors must make up the shared vector");
  using U = typename SV::T;
  wave_order();
  const uint32_t start = shared_offset(from.data) + warpid() % Warps * RV::length * sizeof(U);
#pragma unroll
  for (int i = 0; i < RV::outer_dim; ++i) {
    if (!RV::has(i)) continue;
    const auto part = elements<U, RV::own>::from_shared(start + RV::index(i, 0) * sizeof(U)).template as<typename RV::T>();
#pragma unroll
    for (int q = 0; q < RV::own; ++q) to.at(i, q) = part.values[q];
  }
}
template <class U, class RV>
__device__ inline elements<U, RV::own> part_of(const RV& from, int i) {
  elements<typename RV::T, RV::own> part;
#pragma unroll
  for (int q = 0; q < RV::own; ++q) part.values[q] = from.at(i, q);
  return part.template as<U>();
}
template <int Warps, ducks::sv::all SV, ducks::rv::all RV>
__device__ inline void store_vector(SV& to, const RV& from) {
  static_assert(SV::length == Warps * RV::length, "the warps' vectors must make up the shared vector");
  using U = typename SV::T;
  wave_order();
  const uint32_t start = shared_offset(to.data) + warpid() % Warps * RV::length * sizeof(U);
  each_first<RV>([&](int i) { part_of<U>(from, i).to_shared(start + RV::index(i, 0) * sizeof(U)); });
  wave_order();
}

// ---- global memory ----

template <int Warps, int Axis, class RT, class GL, class Coord>
__device__ inline auto* tile_in(const GL& tensor, const Coord& at, size_t& stride) {
  stride = tensor.template stride<Axis>();
  return &tensor[at.template unit_coord<Axis, 3>()] + size_t(part_of_warp<Warps>() * RT::rows) * stride;
}
template <int Warps, int Axis, ducks::rt::all RT, ducks::gl::all GL, class Coord>
__device__ inline void load_tile(RT& to, const GL& from, const Coord& at) {
  using U = typename GL::T;
  size_t stride;
  const U* const start = tile_in<Warps, Axis, RT>(from, at, stride);
  each_quad<RT>([&](int i, int g) {
    const U* const place = start + RT::row(i, 0) * stride + RT::col(g, 0);
    elements<U, 4> quad;
    if constexpr (RT::is_row) quad = elements<U, 4>::from_global(place);
    else
#pragma unroll
      for (int q = 0; q < 4; ++q) quad.values[q] = place[q * stride];
    put_quad(to, i, g, quad.template as<typename RT::T>());
  });
}
template <int Warps, int Axis, ducks::gl::all GL, ducks::rt::all RT, class Coord>
__device__ inline void store_tile(const GL& to, const RT& from, const Coord& at) {
  using U = typename GL::T;
  size_t stride;
  U* const start = tile_in<Warps, Axis, RT>(to, at, stride);
  each_quad<RT>([&](int i, int g) {
    U* const place = start + RT::row(i, 0) * stride + RT::col(g, 0);
    const elements<U, 4> quad = quad_of(from, i, g).template as<U>();
    if constexpr (RT::is_row) quad.to_global(place);
    else
#pragma unroll
      for (int q = 0; q < 4; ++q) place[q * stride] = quad.values[q];
  });
}
template <int Warps, ducks::rv::all RV, ducks::gl::all GL, class Coord>
__device__ inline void load_vector(RV& to, const GL& from, const Coord& at) {
  using U = typename GL::T;
  const U* const start = &from[at.template unit_coord<-1, 3>()] + warpid() % Warps * RV::length;
#pragma unroll
  for (int i = 0; i < RV::outer_dim; ++i) {
    if (!RV::has(i)) continue;
    const auto part = elements<U, RV::own>::from_global(start + RV::index(i, 0)).template as<typename RV::T>();
#pragma unroll
    for (int q = 0; q < RV::own; ++q) to.at(i, q) = part.values[q];
  }
}
template <int Warps, ducks::gl::all GL, ducks::rv::all RV, class Coord>
__device__ inline void store_vector(GL& to, const RV& from, const Coord& at) {
  using U = typename GL::T;
  U* const start = &to[at.template unit_coord<-1, 3>()] + warpid() % Warps * RV::length;
  each_first<RV>([&](int i) { part_of<U>(from, i).to_global(start + RV::index(i, 0)); });
}

// ---- between shared and global memory, in chunks of 16 bytes ----

using quad = typename chunk_of<16>::type;

// f(row, column) for the chunks of a tile, `Threads` at a time (0: `threads`), eight of them together: first all loads.
template <int Threads, int Rows, int Cols, int Each, class Load, class Store>
__device__ inline void move_chunks(int thread, int threads, Load load, Store store) {
  constexpr int in_row = Cols / Each, count = Rows * in_row, turns = Threads != 0 ? (count + Threads - 1) / Threads : 8;
  constexpr int together = turns < 8 ? turns : 8;
  constexpr bool whole = Threads != 0 && count % (together * Threads) == 0;
  const int step = Threads != 0 ? Threads : threads;
#pragma unroll 1
  for (int first = 0; first < count; first += together * step) {
    quad chunks[together];
    const auto each = [&](auto f) {
#pragma unroll
      for (int u = 0; u < together; ++u) {
        const int k = first + u * step + thread;
        if (whole || k < count) f(k / in_row, k % in_row * Each, chunks[u]);
      }
    };
    each([&](int r, int c, quad& chunk) { chunk = load(r, c); });
    each(store);
  }
}

// A tile's place in a tensor: rows and columns beyond it are read as 0 and not written.
template <int Axis, class GL>
struct tensor_box {
  using T = typename GL::T;
  T* start;
  size_t stride;
  int rows, cols, above;  // what is left of the tensor from there on; rows before its first
  __device__ tensor_box(const GL& tensor, const coord<ducks::default_type>& at)
      : start(&tensor[at]), stride(tensor.template stride<Axis>()), rows(int(tensor.template shape<Axis>()) - at.template dim<Axis>()),
        cols(int(tensor.template shape<3>()) - at.c), above(-at.template dim<Axis>()) {}
  __device__ T* at(int r, int c) const { return start + r * stride + c; }
  __device__ bool has(int r, int c) const { return r < rows && r >= above && c < cols; }
  template <class ST>
  __device__ bool holds() const { return rows >= ST::rows && above <= 0 && cols >= ST::cols; }
};

template <bool Checked, int Threads, class ST, class Box>
__device__ inline void load_box(ST& to, const Box& box, int thread, int threads = Threads) {
  constexpr int each = 16 / sizeof(typename ST::T);
  const uint32_t start = shared_offset(to.data);
  move_chunks<Threads, ST::rows, ST::cols, each>(
      thread, threads, [&](int r, int c) { return !Checked || box.has(r, c) ? *(PORTER_GLOBAL const quad*)(box.at(r, c)) : quad{}; },
      [&](int r, int c, quad value) { *shared_at<quad>(to.idx(start, {r, c})) = value; });
}
template <bool Checked, int Threads, class ST, class Box>
__device__ inline void store_box(const Box& box, const ST& from, int thread, int threads = Threads) {
  constexpr int each = 16 / sizeof(typename ST::T);
  const uint32_t start = shared_offset(from.data);
  move_chunks<Threads, ST::rows, ST::cols, each>(
      thread, threads, [&](int r, int c) { return *shared_at<const quad>(from.idx(start, {r, c})); },
      [&](int r, int c, quad value) {
        if (!Checked || box.has(r, c)) *(PORTER_GLOBAL quad*)(box.at(r, c)) = value;
      });
}
template <int Warps, int Axis, bool Aligned, ducks::st::all ST, ducks::gl::all GL, class Coord>
__device__ inline void load_shared(ST& to, const GL& from, const Coord& at) {
  wave_order();
  load_box<!Aligned, Warps * WARP_THREADS>(to, tensor_box<Axis, GL>(from, at.template unit_coord<Axis, 3>()), threadIdx.x % (Warps * WARP_THREADS));
  wave_order();
}
template <int Warps, int Axis, bool Aligned, ducks::gl::all GL, ducks::st::all ST, class Coord>
__device__ inline void store_shared(const GL& to, const ST& from, const Coord& at) {
  wave_order();
  store_box<!Aligned, Warps * WARP_THREADS>(tensor_box<Axis, GL>(to, at.template unit_coord<Axis, 3>()), from, threadIdx.x % (Warps * WARP_THREADS));
}

// Elements of a vector that a lane moves at once: as many as lie in 16 bytes and leave no lane without.
template <class T, int Length, int Threads>
constexpr int vector_chunk() {
  int count = 16 / sizeof(T);
  while (count > 1 && (Length % count != 0 || Length < count * Threads)) count /= 2;
  return count;
}
// f(first element, chunk) for each chunk of this thread.
template <class T, int Length, int Threads, class F>
__device__ inline void each_chunk(int thread, F f) {
  constexpr int each = vector_chunk<T, Length, Threads>(), step = each * Threads;
#pragma unroll
  for (int k = 0; k < (Length + step - 1) / step; ++k) {
    const int i = k * step + thread * each;
    if (Length % step == 0 || i < Length) f(i);
  }
}
template <int Warps, ducks::sv::all SV, ducks::gl::all GL, class Coord>
__device__ inline void load_shared(SV& to, const GL& from, const Coord& at) {
  using T = typename SV::T;
  constexpr int threads = Warps * WARP_THREADS, each = vector_chunk<T, SV::length, threads>();
  wave_order();
  const T* const start = &from[at.template unit_coord<-1, 3>()];
  each_chunk<T, SV::length, threads>(threadIdx.x % threads, [&](int i) {
    elements<T, each>::from_global(start + i).to_shared(shared_offset(to.data + i));
  });
  wave_order();
}
template <int Warps, ducks::gl::all GL, ducks::sv::all SV, class Coord>
__device__ inline void store_shared(const GL& to, const SV& from, const Coord& at) {
  using T = typename SV::T;
  constexpr int threads = Warps * WARP_THREADS, each = vector_chunk<T, SV::length, threads>();
  wave_order();
  T* const start = &to[at.template unit_coord<-1, 3>()];
  each_chunk<T, SV::length, threads>(threadIdx.x % threads, [&](int i) {
    elements<T, each>::from_shared(shared_offset(from.data + i)).to_global(start + i);
  });
}

}  // namespace kittens::detail

#endif  // PORTER_KITTENS_MEMORY_H
