// porter kittens: TMA's copies. They take a tensor's sizes from its gl; no tensor map is needed.
//
// A whole wave copies at once, with all its lanes. So do copies to shared memory that one thread asks for
// (../async_copy.h); other copies of one thread are its own.
#ifndef PORTER_KITTENS_COPIES_H
#define PORTER_KITTENS_COPIES_H

#include "../async_copy.h"
#include "memory.h"

namespace kittens::detail {

__device__ inline bool whole_wave() { return porter::detail::active_lanes() == ~uint64_t(0); }

// f(row, column) for the chunks of a box, by the lanes that are active.
template <class ST, class F>
__device__ inline void each_chunk_of_box(F f) {
  constexpr int each = 16 / sizeof(typename ST::T), in_row = ST::cols / each;
  const uint64_t active = porter::detail::active_lanes();
  const int lanes = __popcll(active);
#pragma unroll 1
  for (int k = porter::detail::lanes_before(active); k < ST::rows * in_row; k += lanes) f(k / in_row, k % in_row * each);
}
// A box as another lane has it.
template <class Box>
__device__ inline Box of_lane(const Box& box, unsigned lane) {
  Box result = box;
  result.start = reinterpret_cast<decltype(box.start)>(porter::detail::of_lane64(reinterpret_cast<uint64_t>(box.start), lane));
  result.rows = int(porter::detail::of_lane(uint32_t(box.rows), lane)), result.cols = int(porter::detail::of_lane(uint32_t(box.cols), lane));
  result.above = int(porter::detail::of_lane(uint32_t(box.above), lane));
  return result;
}

template <int Axis, class ST, class GL>
__device__ inline void tma_load(ST& to, const GL& from, const coord<ducks::default_type>& at, semaphore& s) {
  constexpr uint32_t bytes = ST::num_elements * sizeof(typename ST::T);
  const tensor_box<Axis, GL> mine(from, at);
  const uint32_t place = shared_offset(&s), start = shared_offset(to.data);
  wave_order();
  if (whole_wave()) {
    if (mine.template holds<ST>()) load_box<false, WARP_THREADS>(to, mine, laneid());
    else load_box<true, WARP_THREADS>(to, mine, laneid());
    return porter::detail::bytes_arrived(place, bytes);
  }
  porter::detail::each_issuer([&](unsigned lane) {
    const auto box = of_lane(mine, lane);
    const uint32_t b = porter::detail::of_lane(place, lane), d = porter::detail::of_lane(start, lane);
    constexpr int row_bytes = ST::swizzle ? ST::swizzle_bytes : ST::cols * sizeof(typename ST::T);
    constexpr int blocks = ST::cols * sizeof(typename ST::T) / row_bytes;
    constexpr bool rows_are_powers = (row_bytes & (row_bytes - 1)) == 0;
    const uint64_t pitch = box.stride * sizeof(typename ST::T);
    if (rows_are_powers && (row_bytes <= 1024 || ST::rows == 1) && box.template holds<ST>() &&
        pitch < 1u << 24 && pitch * ST::rows < 1ull << 31) {
      for (int block = 0; block < blocks; ++block)
        porter::detail::copy_rows(
            b, d + block * ST::rows * row_bytes,
            {reinterpret_cast<uint64_t>(box.start) + block * row_bytes, uint32_t(pitch),
             uint32_t(__builtin_ctz(row_bytes / 16)), ST::swizzle ? uint32_t(__builtin_ctz(ST::swizzle_bytes / 16)) : 0u},
            ST::rows * row_bytes / 16);
    } else {
      each_chunk_of_box<ST>([&](int r, int c) {
        *shared_at<quad>(to.idx(d, {r, c})) = box.has(r, c) ? *(PORTER_GLOBAL const quad*)(box.at(r, c)) : quad{};
      });
      porter::detail::bytes_arrived(b, bytes);
    }
  });
}
template <int Axis, class ST, class GL>
__device__ inline void tma_store(const GL& to, const ST& from, const coord<ducks::default_type>& at) {
  const tensor_box<Axis, GL> mine(to, at);
  wave_order();
  if (whole_wave() && mine.template holds<ST>()) return store_box<false, WARP_THREADS>(mine, from, laneid());
  if (whole_wave()) return store_box<true, WARP_THREADS>(mine, from, laneid());
  porter::detail::each_issuer([&](unsigned lane) {
    const auto box = of_lane(mine, lane);
    const auto* const tile = reinterpret_cast<const ST*>(porter::detail::of_lane64(reinterpret_cast<uint64_t>(&from), lane));
    const uint64_t active = porter::detail::active_lanes();
    const int first = porter::detail::lanes_before(active), lanes = __popcll(active);
    if (box.template holds<ST>()) store_box<false, 0>(box, *tile, first, lanes);
    else store_box<true, 0>(box, *tile, first, lanes);
  });
}

// Atomically, what Op makes of an element of global memory and another.
template <class Op, class T>
__device__ inline void reduce_element(T* place, T value) {
  if constexpr (std::is_same_v<Op, base_ops::sum> && std::is_same_v<T, float>) {
    unsafeAtomicAdd(place, value);
  } else {
    auto* const word = reinterpret_cast<unsigned*>(reinterpret_cast<uintptr_t>(place) & ~uintptr_t(3));
    const int shift = reinterpret_cast<uintptr_t>(place) % 4 * 8;
    constexpr unsigned mask = sizeof(T) == 4 ? ~0u : (1u << sizeof(T) % 4 * 8) - 1u;
    unsigned old = __hip_atomic_load(word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT), now;
    do {
      T element;
      const unsigned bits = old >> shift;
      __builtin_memcpy(&element, &bits, sizeof(T));
      element = Op::template op<T>(element, value);
      unsigned result = 0;
      __builtin_memcpy(&result, &element, sizeof(T));
      now = (old & ~(mask << shift)) | result << shift;
    } while (!__hip_atomic_compare_exchange_weak(word, &old, now, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT));
  }
}
template <class Op, int Axis, class ST, class GL>
__device__ inline void tma_reduce(const GL& to, const ST& from, const coord<ducks::default_type>& at) {
  using T = typename ST::T;
  constexpr int each = 16 / sizeof(T);
  const tensor_box<Axis, GL> mine(to, at);
  const uint32_t start = shared_offset(from.data);
  wave_order();
  const auto reduce = [&](const tensor_box<Axis, GL>& box, uint32_t s) {
    each_chunk_of_box<ST>([&](int r, int c) {
      if (!box.has(r, c)) return;
      const auto chunk = elements<T, each>::from_shared(from.idx(s, {r, c}));
#pragma unroll
      for (int e = 0; e < each; ++e) reduce_element<Op>(box.at(r, c + e), chunk.values[e]);
    });
  };
  if (whole_wave()) return reduce(mine, start);
  porter::detail::each_issuer([&](unsigned lane) { reduce(of_lane(mine, lane), porter::detail::of_lane(start, lane)); });
}

// A vector is a tile of one row. (`data` is where tile and vector begin.)
template <class SV>
struct vector_tile {
  using T = typename SV::T;
  static constexpr bool swizzle = false;
  static constexpr int rows = 1, cols = SV::length, num_elements = SV::length, swizzle_bytes = 0;
  T data[cols];
  __device__ static uint32_t idx(uint32_t start, int2 at) { return start + at.y * sizeof(T); }
};
template <ducks::sv::all SV>
__device__ inline auto& as_tile(SV& vector) { return reinterpret_cast<vector_tile<SV>&>(vector); }
template <ducks::sv::all SV>
__device__ inline const auto& as_tile(const SV& vector) { return reinterpret_cast<const vector_tile<SV>&>(vector); }
template <ducks::st::all ST>
__device__ inline ST& as_tile(ST& tile) { return tile; }
template <ducks::st::all ST>
__device__ inline const ST& as_tile(const ST& tile) { return tile; }
template <class S, int Axis, class Coord>
__device__ inline coord<ducks::default_type> unit(const Coord& at) {
  if constexpr (ducks::sv::all<S>) return at.template unit_coord<-1, 3>();
  else return at.template unit_coord<Axis, 3>();
}

}  // namespace kittens::detail

// By one thread.
namespace kittens::tma {

__device__ inline void expect_bytes(semaphore& s, uint32_t bytes) { porter::mbarrier_arrive_expect_tx(&s, bytes); }
template <class T, class... Ts>
__device__ inline void expect(semaphore& s, const T&, const Ts&...) { expect_bytes(s, size_bytes<T, Ts...>); }
__device__ inline void store_commit_group() {}
// Stores were made in order.
template <int Pending = 0>
__device__ inline void store_async_wait() { detail::wave_order(); }
template <int Pending = 0>
__device__ inline void store_async_read_wait() { detail::wave_order(); }

__device__ inline void load_async(void* to, void* from, uint32_t bytes, semaphore& s) { porter::bulk_load(to, from, bytes, &s); }
__device__ inline void store_async(void* to, void* from, uint32_t bytes) { porter::bulk_store(to, from, bytes); }

// Forms of a copy: <axis, policy>, <policy> of vectors, and neither. `Lead`: who of those that call it copies.
#define PORTER_KITTENS_COPY(lead, name, parameters, call)                                                     \
  template <int Axis, cache_policy Policy, detail::shared_thing S, ducks::gl::all G, ducks::coord::all C = coord<S>> \
  __device__ static inline void name parameters {                                                                    \
    if (lead) call;                                                                                                  \
  }                                                                                                                  \
  template <cache_policy Policy, ducks::sv::all S, ducks::gl::all G, ducks::coord::all C = coord<S>>                 \
  __device__ static inline void name parameters {                                                                    \
    constexpr int Axis = 2;                                                                                          \
    if (lead) call;                                                                                                  \
  }                                                                                                                  \
  template <detail::shared_thing S, ducks::gl::all G, ducks::coord::all C = coord<S>>                                \
  __device__ static inline void name parameters {                                                                    \
    constexpr int Axis = 2;                                                                                          \
    if (lead) call;                                                                                                  \
  }
#define PORTER_KITTENS_ATOMIC(lead, name, op)                      \
  PORTER_KITTENS_COPY(lead, name, (const G& to, const S& from, const C& at), \
                      (detail::tma_reduce<op, Axis>(to, detail::as_tile(from), detail::unit<S, Axis>(at))))
#define PORTER_KITTENS_COPIES(lead)                                                                                  \
  PORTER_KITTENS_COPY(lead, prefetch, (S&, const G&, const C&), ((void)0))                                         \
  PORTER_KITTENS_COPY(lead, load_async, (S& to, const G& from, const C& at, semaphore& s), \
                      (detail::tma_load<Axis>(detail::as_tile(to), from, detail::unit<S, Axis>(at), s)))             \
  PORTER_KITTENS_COPY(lead, store_async, (const G& to, const S& from, const C& at), \
                      (detail::tma_store<Axis>(to, detail::as_tile(from), detail::unit<S, Axis>(at))))               \
  PORTER_KITTENS_ATOMIC(lead, store_add_async, base_ops::sum)                                                        \
  PORTER_KITTENS_ATOMIC(lead, store_min_async, base_ops::min)                                                        \
  PORTER_KITTENS_ATOMIC(lead, store_max_async, base_ops::max)
PORTER_KITTENS_COPIES(true)

}  // namespace kittens::tma

#endif  // PORTER_KITTENS_COPIES_H
