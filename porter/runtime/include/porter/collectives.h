// porter runtime: CUB's reductions and scans of a block or a warp, for units of mirrored warps (mirror_lanes.h), whose
// lanes hipCUB would take for threads.
#ifndef PORTER_COLLECTIVES_H
#define PORTER_COLLECTIVES_H

#include <hip/hip_runtime.h>

#include <type_traits>

#include "mirror_lanes.h"
#include "warp.h"

namespace porter {
namespace collectives {
namespace detail {

using porter::detail::shuffle;
using porter::detail::shuffle_down;
using porter::detail::shuffle_up;

struct Plus {
  template <class T>
  __device__ T operator()(const T& a, const T& b) const {
    return T(a + b);
  }
};

// Values in shared memory, where nothing constructs them.
template <class T, int N>
struct Room {
  alignas(T) unsigned char bytes[N * sizeof(T)];
  __device__ T& operator[](int i) { return reinterpret_cast<T*>(bytes)[i]; }
};

// The lane within its logical warp. One whose width is no power of two begins at the warp's first lane.
template <int Width>
__device__ inline int lane_of() {
  return int((Width & (Width - 1)) == 0 ? lane_id() & unsigned(Width - 1) : lane_id());
}

// In the first lane of a logical warp: its first `valid` values, combined in their order.
template <int Width, class T, class Op>
__device__ inline T reduced(T value, Op op, int valid = Width) {
  const int lane = lane_of<Width>();
#pragma unroll
  for (int step = 1; step < Width; step *= 2) {
    const T other = shuffle_down(value, unsigned(step));
    if (lane + step < valid) value = op(value, other);
  }
  return value;
}

// The values of a logical warp up to the caller's, combined in their order.
template <int Width, class T, class Op>
__device__ inline T scanned(T value, Op op) {
  const int lane = lane_of<Width>();
#pragma unroll
  for (int step = 1; step < Width; step *= 2) {
    const T other = shuffle_up(value, unsigned(step));
    if (lane >= step) value = op(other, value);
  }
  return value;
}

// A thread's values: one, or an array of them.
template <class T, class In>
struct Items {
  static constexpr int count = 1;
  static __device__ T get(const In& in, int) { return T(in); }
  template <class Out>
  static __device__ void set(Out& out, int, const T& value) {
    out = value;
  }
};
template <class T, class Of, int N>
struct Items<T, Of[N]> {
  static constexpr int count = N;
  static __device__ T get(const Of (&in)[N], int i) { return T(in[i]); }
  template <class Out>
  static __device__ void set(Out& out, int i, const T& value) {
    out[i] = value;
  }
};

template <class T, class In, class Op>
__device__ inline T combined(const In& in, Op op) {
  T value = Items<T, In>::get(in, 0);
#pragma unroll
  for (int i = 1; i < Items<T, In>::count; ++i) value = op(value, Items<T, In>::get(in, i));
  return value;
}

template <int X, int Y>
__device__ inline int thread_number() {
  const auto at = thread_index();
  return int((at.z * unsigned(Y) + at.y) * unsigned(X) + at.x);
}

}  // namespace detail

// The algorithms are CUB's names for ways to the same result.
template <class T, int X, auto Algorithm = 0, int Y = 1, int Z = 1, int Arch = 0>
class BlockReduce {
  static constexpr int warps = (X * Y * Z + 31) / 32;

 public:
  struct TempStorage {
    detail::Room<T, warps> of_warps;
  };
  __device__ BlockReduce() : room(own()) {}
  __device__ explicit BlockReduce(TempStorage& storage) : room(storage) {}

  template <class In, class Op>
  __device__ T Reduce(const In& in, Op op) {
    return reduce(detail::combined<T>(in, op), op, X * Y * Z);
  }
  template <class Op>
  __device__ T Reduce(T in, Op op, int valid) {
    return reduce(in, op, valid);
  }
  template <class In>
  __device__ T Sum(const In& in) {
    return Reduce(in, detail::Plus());
  }
  __device__ T Sum(T in, int valid) { return reduce(in, detail::Plus(), valid); }

 private:
  TempStorage& room;
  static __device__ TempStorage& own() {
    __shared__ TempStorage storage;
    return storage;
  }
  template <class Op>
  __device__ T reduce(T value, Op op, int valid) {
    const int thread = detail::thread_number<X, Y>(), warp = thread / 32;
    value = detail::reduced<32>(value, op, valid - 32 * warp);
    if (thread % 32 == 0) room.of_warps[warp] = value;
    __syncthreads();
    if (thread == 0)
      for (int w = 1; w < warps && 32 * w < valid; ++w) value = op(value, room.of_warps[w]);
    return value;
  }
};

template <class T, int X, auto Algorithm = 0, int Y = 1, int Z = 1, int Arch = 0>
class BlockScan {
  static constexpr int warps = (X * Y * Z + 31) / 32;

 public:
  struct TempStorage {
    detail::Room<T, warps> of_warps;
    detail::Room<T, 1> ahead;
  };
  __device__ BlockScan() : room(own()) {}
  __device__ explicit BlockScan(TempStorage& storage) : room(storage) {}

  // `last` is the aggregate, which the call sets, or a functor that gives what stands in front of the block.
  template <class In, class Out, class... Last>
  __device__ void ExclusiveSum(const In& in, Out& out, Last&... last) {
    seeded<false>(in, out, T(), detail::Plus(), last...);
  }
  template <class In, class Out, class... Last>
  __device__ void InclusiveSum(const In& in, Out& out, Last&... last) {
    plain<true>(in, out, detail::Plus(), last...);
  }
  template <class In, class Out, class First, class... Rest>
  __device__ void ExclusiveScan(const In& in, Out& out, First first, Rest&&... rest) {
    scan<false>(in, out, first, rest...);
  }
  template <class In, class Out, class First, class... Rest>
  __device__ void InclusiveScan(const In& in, Out& out, First first, Rest&&... rest) {
    scan<true>(in, out, first, rest...);
  }

 private:
  TempStorage& room;
  static __device__ TempStorage& own() {
    __shared__ TempStorage storage;
    return storage;
  }

  // With an operator, or an initial value and an operator.
  template <bool Inclusive, class In, class Out, class First, class... Rest>
  __device__ void scan(const In& in, Out& out, First first, Rest&... rest) {
    if constexpr (std::is_invocable_v<First, T, T>)
      plain<Inclusive>(in, out, first, rest...);
    else
      seeded<Inclusive>(in, out, T(first), rest...);
  }
  template <bool Inclusive, class In, class Out, class Op>
  __device__ void plain(const In& in, Out& out, Op op) {
    T total;
    run<Inclusive>(in, out, op, total, [](const T&) { return T(); }, false);
  }
  template <bool Inclusive, class In, class Out, class Op, class Last>
  __device__ void plain(const In& in, Out& out, Op op, Last& last) {
    T total;
    if constexpr (std::is_same_v<Last, T>) {
      run<Inclusive>(in, out, op, last, [](const T&) { return T(); }, false);
    } else {
      run<Inclusive>(in, out, op, total, [&](const T& all) { return ahead(all, last); }, true);
    }
  }
  template <bool Inclusive, class In, class Out, class Op>
  __device__ void seeded(const In& in, Out& out, T seed, Op op) {
    T total;
    run<Inclusive>(in, out, op, total, [&](const T&) { return seed; }, true);
  }
  template <bool Inclusive, class In, class Out, class Op, class Last>
  __device__ void seeded(const In& in, Out& out, T seed, Op op, Last& last) {
    if constexpr (std::is_same_v<Last, T>)
      run<Inclusive>(in, out, op, last, [&](const T&) { return seed; }, true);
    else
      plain<Inclusive>(in, out, op, last);
  }

  // The first warp calls the functor; what its first lane gets is for all.
  template <class Callback>
  __device__ T ahead(const T& all, Callback& callback) {
    const int thread = detail::thread_number<X, Y>();
    if (thread < 32) {
      const T value = callback(all);
      if (thread == 0) room.ahead[0] = value;
    }
    __syncthreads();
    return room.ahead[0];
  }

  // `seed(total)` is what stands in front of the block, if anything does.
  template <bool Inclusive, class In, class Out, class Op, class Seed>
  __device__ void run(const In& in, Out& out, Op op, T& total, Seed seed, bool has_seed) {
    using Items = detail::Items<T, In>;
    const int thread = detail::thread_number<X, Y>(), warp = thread / 32, lane = thread % 32;
    const T sum = detail::combined<T>(in, op), upto = detail::scanned<32>(sum, op);
    if (lane == 31 || thread == X * Y * Z - 1) room.of_warps[warp] = upto;
    T before = detail::shuffle_up(upto, 1u);
    __syncthreads();
    T all = room.of_warps[0];
    for (int w = 1; w < warps; ++w) {
      if (w == warp) before = lane == 0 ? all : op(all, before);
      all = op(all, room.of_warps[w]);
    }
    if (has_seed) {
      const T first = seed(all);
      before = thread == 0 ? first : op(first, before);
    }
    total = all;
    bool has = has_seed || thread > 0;
#pragma unroll
    for (int i = 0; i < Items::count; ++i) {
      const T value = Items::get(in, i), next = has ? op(before, value) : value;
      if (Inclusive)
        Items::set(out, i, next);
      else if (has)
        Items::set(out, i, before);
      before = next, has = true;
    }
  }
};

template <class T, int Width = 32, int... Arch>
class WarpReduce {
 public:
  struct TempStorage {};
  __device__ explicit WarpReduce(TempStorage&) {}

  template <class In, class Op>
  __device__ T Reduce(const In& in, Op op) {
    return detail::reduced<Width>(detail::combined<T>(in, op), op);
  }
  template <class Op>
  __device__ T Reduce(T in, Op op, int valid) {
    return detail::reduced<Width>(in, op, valid);
  }
  template <class In>
  __device__ T Sum(const In& in) {
    return Reduce(in, detail::Plus());
  }
  __device__ T Sum(T in, int valid) { return detail::reduced<Width>(in, detail::Plus(), valid); }
};

template <class T, int Width = 32, int... Arch>
class WarpScan {
 public:
  struct TempStorage {};
  __device__ explicit WarpScan(TempStorage&) {}

  template <class... Total>
  __device__ void InclusiveSum(T in, T& out, Total&... total) {
    InclusiveScan(in, out, detail::Plus(), total...);
  }
  template <class... Total>
  __device__ void ExclusiveSum(T in, T& out, Total&... total) {
    ExclusiveScan(in, out, T(), detail::Plus(), total...);
  }
  template <class Op, class... Total>
  __device__ void InclusiveScan(T in, T& out, Op op, Total&... total) {
    out = detail::scanned<Width>(in, op);
    ((total = last(out)), ...);
  }
  template <class First, class... Rest>
  __device__ void ExclusiveScan(T in, T& out, First first, Rest&&... rest) {
    if constexpr (std::is_invocable_v<First, T, T>)
      exclusive(in, out, first, rest...);
    else
      exclusive_after(in, out, T(first), rest...);
  }
  __device__ T Broadcast(T in, unsigned lane) { return detail::shuffle(in, begin() + int(lane)); }

 private:
  static __device__ int begin() { return int(lane_id()) - detail::lane_of<Width>(); }
  static __device__ T last(T value) { return detail::shuffle(value, begin() + Width - 1); }
  template <class Op, class... Total>
  __device__ void exclusive(T in, T& out, Op op, Total&... total) {
    const T upto = detail::scanned<Width>(in, op);
    out = detail::shuffle_up(upto, 1u);
    ((total = last(upto)), ...);
  }
  template <class Op, class... Total>
  __device__ void exclusive_after(T in, T& out, T first, Op op, Total&... total) {
    exclusive(in, out, op, total...);
    out = detail::lane_of<Width>() == 0 ? first : op(first, out);
  }
};

}  // namespace collectives
}  // namespace porter

#endif  // PORTER_COLLECTIVES_H
