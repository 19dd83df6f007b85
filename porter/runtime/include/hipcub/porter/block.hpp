// porter's stand-in for hipCUB: what a block loads, stores, exchanges and reduces.
#ifndef PORTER_HIPCUB_BLOCK
#define PORTER_HIPCUB_BLOCK
#pragma clang system_header

#include "types.hpp"
#include "porter/parallel.h"

namespace hipcub {

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

namespace detail {
// A collective's storage: the caller's, or its own.
template <class Storage>
struct stored {
  Storage &temp_;
  PORTER_D stored() : temp_(own()) {}
  PORTER_D stored(Storage &temp) : temp_(temp) {}

 private:
  PORTER_D static Storage &own() {
    __shared__ Storage temp;
    return temp;
  }
};
struct no_storage {
  char nothing;
};
}  // namespace detail

// Neighbours are joined first, so that the order stays. The result is thread 0's.
template <class T, int X, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int Arch = HIPCUB_ARCH>
class BlockReduce : detail::stored<porter::parallel::room<T, X * Y * Z>> {
  static constexpr int size = X * Y * Z;
  using base = detail::stored<porter::parallel::room<T, X * Y * Z>>;
  using base::temp_;

 public:
  using TempStorage = porter::parallel::room<T, X * Y * Z>;
  PORTER_D BlockReduce() {}
  PORTER_D BlockReduce(TempStorage &temp) : base(temp) {}
  template <class Op>
  PORTER_D T Reduce(T value, Op op, int valid) {
    unsigned at = detail::rank(), count = unsigned(valid);
    temp_[at] = value;
    __syncthreads();
    for (unsigned step = 1; step < count; step *= 2) {
      if (at % (2 * step) == 0 && at + step < count) temp_[at] = op(temp_[at], temp_[at + step]);
      __syncthreads();
    }
    return at == 0 ? temp_[0] : value;
  }
  template <class Op>
  PORTER_D T Reduce(T value, Op op) { return Reduce(value, op, size); }
  template <int N, class Op>
  PORTER_D T Reduce(T (&values)[N], Op op) {
    T sum = values[0];
    for (int i = 1; i < N; ++i) sum = op(sum, values[i]);
    return Reduce(sum, op);
  }
  PORTER_D T Sum(T value) { return Reduce(value, hipcub::Sum()); }
  PORTER_D T Sum(T value, int valid) { return Reduce(value, hipcub::Sum(), valid); }
  template <int N>
  PORTER_D T Sum(T (&values)[N]) { return Reduce(values, hipcub::Sum()); }
};

// Blocked arrangement: thread t holds items t * N to t * N + N - 1. Striped: every X-th. Striped over warps, of 64 lanes.
template <class T, int N, class In>
PORTER_D void LoadDirectBlocked(int thread, In in, T (&items)[N]) {
  for (int i = 0; i < N; ++i) items[i] = in[thread * N + i];
}
template <class T, int N, class In>
PORTER_D void LoadDirectBlocked(int thread, In in, T (&items)[N], int valid) {
  for (int i = 0; i < N; ++i)
    if (thread * N + i < valid) items[i] = in[thread * N + i];
}
template <class T, class Default, int N, class In>
PORTER_D void LoadDirectBlocked(int thread, In in, T (&items)[N], int valid, Default other) {
  for (int i = 0; i < N; ++i) items[i] = thread * N + i < valid ? T(in[thread * N + i]) : T(other);
}
template <class T, int N>
PORTER_D void LoadDirectBlockedVectorized(int thread, T *in, T (&items)[N]) { LoadDirectBlocked(thread, in, items); }
template <int Threads, class T, int N, class In>
PORTER_D void LoadDirectStriped(int thread, In in, T (&items)[N]) {
  for (int i = 0; i < N; ++i) items[i] = in[thread + i * Threads];
}
template <int Threads, class T, int N, class In>
PORTER_D void LoadDirectStriped(int thread, In in, T (&items)[N], int valid) {
  for (int i = 0; i < N; ++i)
    if (thread + i * Threads < valid) items[i] = in[thread + i * Threads];
}
template <int Threads, class T, class Default, int N, class In>
PORTER_D void LoadDirectStriped(int thread, In in, T (&items)[N], int valid, Default other) {
  for (int i = 0; i < N; ++i) items[i] = thread + i * Threads < valid ? T(in[thread + i * Threads]) : T(other);
}
template <class T, int N, class Out>
PORTER_D void StoreDirectBlocked(int thread, Out out, T (&items)[N]) {
  for (int i = 0; i < N; ++i) out[thread * N + i] = items[i];
}
template <class T, int N, class Out>
PORTER_D void StoreDirectBlocked(int thread, Out out, T (&items)[N], int valid) {
  for (int i = 0; i < N; ++i)
    if (thread * N + i < valid) out[thread * N + i] = items[i];
}
template <class T, int N>
PORTER_D void StoreDirectBlockedVectorized(int thread, T *out, T (&items)[N]) { StoreDirectBlocked(thread, out, items); }
template <int Threads, class T, int N, class Out>
PORTER_D void StoreDirectStriped(int thread, Out out, T (&items)[N]) {
  for (int i = 0; i < N; ++i) out[thread + i * Threads] = items[i];
}
template <int Threads, class T, int N, class Out>
PORTER_D void StoreDirectStriped(int thread, Out out, T (&items)[N], int valid) {
  for (int i = 0; i < N; ++i)
    if (thread + i * Threads < valid) out[thread + i * Threads] = items[i];
}
template <class T, int N, class In>
PORTER_D void LoadDirectWarpStriped(int thread, In in, T (&items)[N]) {
  for (int i = 0; i < N; ++i) items[i] = in[thread / 64 * 64 * N + thread % 64 + i * 64];
}
template <class T, int N, class Out>
PORTER_D void StoreDirectWarpStriped(int thread, Out out, T (&items)[N]) {
  for (int i = 0; i < N; ++i) out[thread / 64 * 64 * N + thread % 64 + i * 64] = items[i];
}

template <class T, int X, int N, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int Arch = HIPCUB_ARCH>
class BlockLoad {
#ifdef __HIP_DEVICE_COMPILE__
  static_assert((Algorithm != BLOCK_LOAD_WARP_TRANSPOSE && Algorithm != BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED) || X * Y * Z % 64 == 0,
                "hipCUB's BLOCK_LOAD_WARP_TRANSPOSE needs blocks of whole waves");
#endif
  static constexpr bool striped = Algorithm == BLOCK_LOAD_STRIPED;

 public:
  using TempStorage = detail::no_storage;
  PORTER_D BlockLoad() {}
  PORTER_D BlockLoad(TempStorage &) {}
  template <class In>
  PORTER_D void Load(In in, T (&items)[N]) {
    if constexpr (striped) LoadDirectStriped<X * Y * Z>(int(detail::rank()), in, items);
    else LoadDirectBlocked(int(detail::rank()), in, items);
  }
  template <class In>
  PORTER_D void Load(In in, T (&items)[N], int valid) {
    if constexpr (striped) LoadDirectStriped<X * Y * Z>(int(detail::rank()), in, items, valid);
    else LoadDirectBlocked(int(detail::rank()), in, items, valid);
  }
  template <class In, class Default>
  PORTER_D void Load(In in, T (&items)[N], int valid, Default other) {
    if constexpr (striped) LoadDirectStriped<X * Y * Z>(int(detail::rank()), in, items, valid, other);
    else LoadDirectBlocked(int(detail::rank()), in, items, valid, other);
  }
};
template <class T, int X, int N, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int Arch = HIPCUB_ARCH>
class BlockStore {
#ifdef __HIP_DEVICE_COMPILE__
  static_assert((Algorithm != BLOCK_STORE_WARP_TRANSPOSE && Algorithm != BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED) || X * Y * Z % 64 == 0,
                "hipCUB's BLOCK_STORE_WARP_TRANSPOSE needs blocks of whole waves");
#endif
  static constexpr bool striped = Algorithm == BLOCK_STORE_STRIPED;

 public:
  using TempStorage = detail::no_storage;
  PORTER_D BlockStore() {}
  PORTER_D BlockStore(TempStorage &) {}
  template <class Out>
  PORTER_D void Store(Out out, T (&items)[N]) {
    if constexpr (striped) StoreDirectStriped<X * Y * Z>(int(detail::rank()), out, items);
    else StoreDirectBlocked(int(detail::rank()), out, items);
  }
  template <class Out>
  PORTER_D void Store(Out out, T (&items)[N], int valid) {
    if constexpr (striped) StoreDirectStriped<X * Y * Z>(int(detail::rank()), out, items, valid);
    else StoreDirectBlocked(int(detail::rank()), out, items, valid);
  }
};

template <class T, int X, int N, bool TimeSlicing = false, int Y = 1, int Z = 1, int Arch = HIPCUB_ARCH>
class BlockExchange : detail::stored<porter::parallel::room<T, X * Y * Z * N>> {
  static constexpr unsigned size = X * Y * Z;
  using base = detail::stored<porter::parallel::room<T, X * Y * Z * N>>;
  using base::temp_;

 public:
  using TempStorage = porter::parallel::room<T, X * Y * Z * N>;
  PORTER_D BlockExchange() {}
  PORTER_D BlockExchange(TempStorage &temp) : base(temp) {}
#define PORTER_EXCHANGE(name, to, from)                                                                                \
  template <class Out>                                                                                                 \
  PORTER_D void name(T (&in)[N], Out (&out)[N]) {                                                                      \
    move(in, out, [](unsigned i) { return to; }, [](unsigned i) { return from; });                                     \
  }                                                                                                                    \
  PORTER_D void name(T (&items)[N]) { name(items, items); }
  PORTER_EXCHANGE(StripedToBlocked, striped(i), blocked(i))
  PORTER_EXCHANGE(BlockedToStriped, blocked(i), striped(i))
  PORTER_EXCHANGE(WarpStripedToBlocked, warp_striped(i), blocked(i))
  PORTER_EXCHANGE(BlockedToWarpStriped, blocked(i), warp_striped(i))
#undef PORTER_EXCHANGE
  template <class Out, class Offset>
  PORTER_D void ScatterToBlocked(T (&in)[N], Out (&out)[N], Offset (&ranks)[N]) {
    move(in, out, [&](unsigned i) { return unsigned(ranks[i]); }, [](unsigned i) { return blocked(i); });
  }
  template <class Out, class Offset>
  PORTER_D void ScatterToStriped(T (&in)[N], Out (&out)[N], Offset (&ranks)[N]) {
    move(in, out, [&](unsigned i) { return unsigned(ranks[i]); }, [](unsigned i) { return striped(i); });
  }
  // What has a rank below 0 stays out.
  template <class Out, class Offset>
  PORTER_D void ScatterToStripedGuarded(T (&in)[N], Out (&out)[N], Offset (&ranks)[N]) {
    move(in, out, [&](unsigned i) { return ranks[i] >= 0 ? unsigned(ranks[i]) : ~0u; }, [](unsigned i) { return striped(i); });
  }
  template <class Out, class Offset, class Flag>
  PORTER_D void ScatterToStripedFlagged(T (&in)[N], Out (&out)[N], Offset (&ranks)[N], Flag (&valid)[N]) {
    move(in, out, [&](unsigned i) { return valid[i] ? unsigned(ranks[i]) : ~0u; }, [](unsigned i) { return striped(i); });
  }
  template <class Offset>
  PORTER_D void ScatterToBlocked(T (&items)[N], Offset (&ranks)[N]) { ScatterToBlocked(items, items, ranks); }
  template <class Offset>
  PORTER_D void ScatterToStriped(T (&items)[N], Offset (&ranks)[N]) { ScatterToStriped(items, items, ranks); }
  template <class Offset>
  PORTER_D void ScatterToStripedGuarded(T (&items)[N], Offset (&ranks)[N]) { ScatterToStripedGuarded(items, items, ranks); }
  template <class Offset, class Flag>
  PORTER_D void ScatterToStripedFlagged(T (&items)[N], Offset (&ranks)[N], Flag (&valid)[N]) {
    ScatterToStripedFlagged(items, items, ranks, valid);
  }

 private:
  PORTER_D static unsigned blocked(unsigned i) { return detail::rank() * N + i; }
  PORTER_D static unsigned striped(unsigned i) { return detail::rank() + i * size; }
  PORTER_D static unsigned warp_striped(unsigned i) {
    unsigned at = detail::rank(), first = at / 64 * 64, lanes = size - first < 64 ? size - first : 64;
    return first * N + at % 64 + i * lanes;
  }
  template <class Out, class To, class From>
  PORTER_D void move(T (&in)[N], Out (&out)[N], To to, From from) {
    for (unsigned i = 0; i < N; ++i)
      if (to(i) != ~0u) temp_[to(i)] = in[i];
    __syncthreads();
    for (unsigned i = 0; i < N; ++i) out[i] = temp_[from(i)];
  }
};

template <class T, int X, int Y = 1, int Z = 1, int Arch = HIPCUB_ARCH>
class BlockShuffle : detail::stored<porter::parallel::room<T, X * Y * Z>> {
  static constexpr unsigned size = X * Y * Z;
  using base = detail::stored<porter::parallel::room<T, X * Y * Z>>;
  using base::temp_;

 public:
  using TempStorage = porter::parallel::room<T, X * Y * Z>;
  PORTER_D BlockShuffle() {}
  PORTER_D BlockShuffle(TempStorage &temp) : base(temp) {}
  PORTER_D void Offset(T in, T &out, int distance = 1) {
    int at = int(detail::rank()), from = at + distance;
    put(in);
    if (from >= 0 && from < int(size)) out = temp_[unsigned(from)];
  }
  PORTER_D void Rotate(T in, T &out, unsigned distance = 1) {
    put(in);
    out = temp_[(detail::rank() + distance) % size];
  }
  template <int N>
  PORTER_D void Up(T (&in)[N], T (&previous)[N]) {
    unsigned at = detail::rank();
    put(in[N - 1]);
    for (int i = N - 1; i > 0; --i) previous[i] = in[i - 1];
    if (at > 0) previous[0] = temp_[at - 1];
  }
  template <int N>
  PORTER_D void Up(T (&in)[N], T (&previous)[N], T &last) {
    Up(in, previous);
    last = temp_[size - 1];
  }
  template <int N>
  PORTER_D void Down(T (&in)[N], T (&next)[N]) {
    unsigned at = detail::rank();
    put(in[0]);
    for (int i = 0; i + 1 < N; ++i) next[i] = in[i + 1];
    if (at + 1 < size) next[N - 1] = temp_[at + 1];
  }
  template <int N>
  PORTER_D void Down(T (&in)[N], T (&next)[N], T &first) {
    Down(in, next);
    first = temp_[0];
  }

 private:
  PORTER_D void put(T value) {
    temp_[detail::rank()] = value;
    __syncthreads();
  }
};

template <class T, int X, int Y = 1, int Z = 1, int Arch = HIPCUB_ARCH>
class BlockAdjacentDifference : detail::stored<porter::parallel::room<T, X * Y * Z>> {
  using base = detail::stored<porter::parallel::room<T, X * Y * Z>>;
  using base::temp_;

 public:
  using TempStorage = porter::parallel::room<T, X * Y * Z>;
  PORTER_D BlockAdjacentDifference() {}
  PORTER_D BlockAdjacentDifference(TempStorage &temp) : base(temp) {}
  template <int N, class Out, class Op>
  PORTER_D void SubtractLeft(T (&in)[N], Out (&out)[N], Op op) { left(in, out, op, X * Y * Z * N, nullptr); }
  template <int N, class Out, class Op>
  PORTER_D void SubtractLeft(T (&in)[N], Out (&out)[N], Op op, T before) { left(in, out, op, X * Y * Z * N, &before); }
  template <int N, class Out, class Op>
  PORTER_D void SubtractLeftPartialTile(T (&in)[N], Out (&out)[N], Op op, int valid) { left(in, out, op, valid, nullptr); }
  template <int N, class Out, class Op>
  PORTER_D void SubtractLeftPartialTile(T (&in)[N], Out (&out)[N], Op op, int valid, T before) { left(in, out, op, valid, &before); }
  template <int N, class Out, class Op>
  PORTER_D void SubtractRight(T (&in)[N], Out (&out)[N], Op op) { right(in, out, op, X * Y * Z * N, nullptr); }
  template <int N, class Out, class Op>
  PORTER_D void SubtractRight(T (&in)[N], Out (&out)[N], Op op, T after) { right(in, out, op, X * Y * Z * N, &after); }
  template <int N, class Out, class Op>
  PORTER_D void SubtractRightPartialTile(T (&in)[N], Out (&out)[N], Op op, int valid) { right(in, out, op, valid, nullptr); }

 private:
  template <int N, class Out, class Op>
  PORTER_D void left(T (&in)[N], Out (&out)[N], Op op, int valid, T *before) {
    int at = int(detail::rank());
    temp_[unsigned(at)] = in[N - 1];
    __syncthreads();
    for (int i = N - 1; i > 0; --i) out[i] = at * N + i < valid ? Out(op(in[i], in[i - 1])) : Out(in[i]);
    if (at > 0) out[0] = at * N < valid ? Out(op(in[0], temp_[unsigned(at - 1)])) : Out(in[0]);
    else out[0] = before && valid > 0 ? Out(op(in[0], *before)) : Out(in[0]);
  }
  template <int N, class Out, class Op>
  PORTER_D void right(T (&in)[N], Out (&out)[N], Op op, int valid, T *after) {
    int at = int(detail::rank());
    bool last = at + 1 == X * Y * Z;
    temp_[unsigned(at)] = in[0];
    __syncthreads();
    for (int i = 0; i + 1 < N; ++i) out[i] = at * N + i + 1 < valid ? Out(op(in[i], in[i + 1])) : Out(in[i]);
    if (!last) out[N - 1] = at * N + N < valid ? Out(op(in[N - 1], temp_[unsigned(at + 1)])) : Out(in[N - 1]);
    else out[N - 1] = after ? Out(op(in[N - 1], *after)) : Out(in[N - 1]);
  }
};

// Flags where an item differs from its neighbour, as the operator (a, b) or (a, b, index of b) says.
template <class T, int X, int Y = 1, int Z = 1, int Arch = HIPCUB_ARCH>
class BlockDiscontinuity : detail::stored<porter::parallel::room<T, 2 * X * Y * Z>> {
  static constexpr int size = X * Y * Z;
  using base = detail::stored<porter::parallel::room<T, 2 * X * Y * Z>>;
  using base::temp_;

 public:
  using TempStorage = porter::parallel::room<T, 2 * X * Y * Z>;
  PORTER_D BlockDiscontinuity() {}
  PORTER_D BlockDiscontinuity(TempStorage &temp) : base(temp) {}
  template <int N, class Flag, class Op>
  PORTER_D void FlagHeads(Flag (&heads)[N], T (&in)[N], Op op) { find<N, Flag>(heads, nullptr, in, op, nullptr, nullptr); }
  template <int N, class Flag, class Op>
  PORTER_D void FlagHeads(Flag (&heads)[N], T (&in)[N], Op op, T before) { find<N, Flag>(heads, nullptr, in, op, &before, nullptr); }
  template <int N, class Flag, class Op>
  PORTER_D void FlagTails(Flag (&tails)[N], T (&in)[N], Op op) { find<N, Flag>(nullptr, tails, in, op, nullptr, nullptr); }
  template <int N, class Flag, class Op>
  PORTER_D void FlagTails(Flag (&tails)[N], T (&in)[N], Op op, T after) { find<N, Flag>(nullptr, tails, in, op, nullptr, &after); }
  template <int N, class Flag, class Op>
  PORTER_D void FlagHeadsAndTails(Flag (&heads)[N], Flag (&tails)[N], T (&in)[N], Op op) {
    find<N, Flag>(heads, tails, in, op, nullptr, nullptr);
  }
  template <int N, class Flag, class Op>
  PORTER_D void FlagHeadsAndTails(Flag (&heads)[N], Flag (&tails)[N], T after, T (&in)[N], Op op) {
    find<N, Flag>(heads, tails, in, op, nullptr, &after);
  }
  template <int N, class Flag, class Op>
  PORTER_D void FlagHeadsAndTails(Flag (&heads)[N], T before, Flag (&tails)[N], T (&in)[N], Op op) {
    find<N, Flag>(heads, tails, in, op, &before, nullptr);
  }
  template <int N, class Flag, class Op>
  PORTER_D void FlagHeadsAndTails(Flag (&heads)[N], T before, Flag (&tails)[N], T after, T (&in)[N], Op op) {
    find<N, Flag>(heads, tails, in, op, &before, &after);
  }

 private:
  template <class Op>
  PORTER_D static bool differ(Op op, T &a, T &b, unsigned index) {
    if constexpr (porter::is_invocable<Op, T &, T &, unsigned>::value) return bool(op(a, b, index));
    else return bool(op(a, b));
  }
  template <int N, class Flag, class Op>
  PORTER_D void find(Flag *heads, Flag *tails, T (&in)[N], Op op, T *before, T *after) {
    int at = int(detail::rank());
    temp_[unsigned(at)] = in[0];
    temp_[unsigned(size + at)] = in[N - 1];
    __syncthreads();
    for (int i = 0; i < N; ++i) {
      unsigned place = unsigned(at * N + i);
      if (heads) {
        if (i > 0) heads[i] = Flag(differ(op, in[i - 1], in[i], place));
        else if (at > 0) heads[i] = Flag(differ(op, temp_[unsigned(size + at - 1)], in[i], place));
        else heads[i] = Flag(before ? differ(op, *before, in[i], place) : true);
      }
      if (tails) {
        if (i + 1 < N) tails[i] = Flag(differ(op, in[i], in[i + 1], place + 1));
        else if (at + 1 < size) tails[i] = Flag(differ(op, in[i], temp_[unsigned(at + 1)], place + 1));
        else tails[i] = Flag(after ? differ(op, in[i], *after, place + 1) : true);
      }
    }
  }
};

enum BlockHistogramAlgorithm { BLOCK_HISTO_ATOMIC, BLOCK_HISTO_SORT };
template <class T, int X, int N, int Bins, BlockHistogramAlgorithm Algorithm = BLOCK_HISTO_SORT, int Y = 1, int Z = 1, int Arch = HIPCUB_ARCH>
class BlockHistogram {
 public:
  using TempStorage = detail::no_storage;
  PORTER_D BlockHistogram() {}
  PORTER_D BlockHistogram(TempStorage &) {}
  template <class Counter>
  PORTER_D void InitHistogram(Counter histogram[Bins]) {
    for (unsigned i = detail::rank(); i < unsigned(Bins); i += X * Y * Z) histogram[i] = 0;
  }
  template <class Counter>
  PORTER_D void Composite(T (&items)[N], Counter histogram[Bins]) {
    for (int i = 0; i < N; ++i) atomicAdd(histogram + items[i], Counter(1));
  }
  template <class Counter>
  PORTER_D void Histogram(T (&items)[N], Counter histogram[Bins]) {
    InitHistogram(histogram);
    __syncthreads();
    Composite(items, histogram);
  }
};

}  // namespace hipcub

#endif
