// porter's stand-in for hipCUB: collectives of a warp of 64 lanes, or of as many lanes as the width says.
#ifndef PORTER_HIPCUB_WARP
#define PORTER_HIPCUB_WARP
#pragma clang system_header

#include "types.hpp"
#include "porter/parallel.h"

namespace hipcub {

enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };
enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };
enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };

namespace detail {
template <class T>
PORTER_D T from_lane(T value, int lane) {
  return by_words(value, [=](unsigned word) { return unsigned(__builtin_amdgcn_ds_bpermute(lane << 2, int(word))); });
}
template <int Width>
PORTER_D unsigned lane_of() { return rank() % Width; }
template <int Width>
PORTER_D int first_lane() { return int(__lane_id() - __lane_id() % Width); }
// The lanes of a wave advance together; what one has written another reads.
PORTER_D void meet() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
}  // namespace detail

template <class T, int Width = HIPCUB_DEVICE_WARP_THREADS, int Arch = HIPCUB_ARCH>
class WarpReduce {
  static_assert(Width > 0 && Width <= 64);

 public:
  struct TempStorage {
    char nothing;
  };
  PORTER_D WarpReduce(TempStorage &) {}
  template <class Op>
  PORTER_D T Reduce(T value, Op op, int valid) {
    unsigned lane = __lane_id(), at = lane % Width;
    for (unsigned step = 1; step < Width; step *= 2) {
      T other = detail::from_lane(value, int(at + step < unsigned(Width) ? lane + step : lane));
      if (at + step < unsigned(valid) && at % (2 * step) == 0) value = op(value, other);
    }
    return value;
  }
  template <class Op>
  PORTER_D T Reduce(T value, Op op) { return Reduce(value, op, Width); }
  PORTER_D T Sum(T value) { return Reduce(value, hipcub::Sum()); }
  PORTER_D T Sum(T value, int valid) { return Reduce(value, hipcub::Sum(), valid); }
  template <class Op, class Flag>
  PORTER_D T HeadSegmentedReduce(T value, Flag head, Op op) { return segmented(value, bool(head), false, op); }
  template <class Op, class Flag>
  PORTER_D T TailSegmentedReduce(T value, Flag tail, Op op) { return segmented(value, false, bool(tail), op); }
  template <class Flag>
  PORTER_D T HeadSegmentedSum(T value, Flag head) { return HeadSegmentedReduce(value, head, hipcub::Sum()); }
  template <class Flag>
  PORTER_D T TailSegmentedSum(T value, Flag tail) { return TailSegmentedReduce(value, tail, hipcub::Sum()); }

 private:
  // The first lane of each segment has its result.
  template <class Op>
  PORTER_D T segmented(T value, bool head, bool tail, Op op) {
    unsigned at = __lane_id() % Width;
    int first = detail::first_lane<Width>();
    int heads = head || at == 0, last = 0;
    for (unsigned lane = 1; lane < Width; ++lane) {
      T other = detail::from_lane(value, first + int(lane));
      int stop = detail::from_lane(int(head), first + int(lane)) | detail::from_lane(int(tail), first + int(lane) - 1);
      if (lane <= at) continue;
      last |= stop;
      if (!last) value = op(value, other);
    }
    (void)heads;
    return value;
  }
};

template <class T, int Width = HIPCUB_DEVICE_WARP_THREADS, int Arch = HIPCUB_ARCH>
class WarpScan {
  static_assert(Width > 0 && Width <= 64);

 public:
  struct TempStorage {
    char nothing;
  };
  PORTER_D WarpScan(TempStorage &) {}
  template <class Op>
  PORTER_D void InclusiveScan(T in, T &out, Op op) {
    unsigned lane = __lane_id(), at = lane % Width;
    for (unsigned step = 1; step < Width; step *= 2) {
      T other = detail::from_lane(in, int(at >= step ? lane - step : lane));
      if (at >= step) in = op(other, in);
    }
    out = in;
  }
  template <class Op>
  PORTER_D void InclusiveScan(T in, T &out, Op op, T &all) {
    InclusiveScan(in, out, op);
    all = Broadcast(out, Width - 1);
  }
  // Lane 0 gets nothing that means anything without an initial value.
  template <class Op>
  PORTER_D void ExclusiveScan(T in, T &out, Op op) {
    T sum;
    InclusiveScan(in, sum, op);
    out = before(sum);
  }
  template <class Op>
  PORTER_D void ExclusiveScan(T in, T &out, T init, Op op) {
    T sum;
    InclusiveScan(in, sum, op);
    T earlier = before(sum);
    out = __lane_id() % Width ? T(op(init, earlier)) : init;
  }
  template <class Op>
  PORTER_D void ExclusiveScan(T in, T &out, Op op, T &all) {
    T sum;
    InclusiveScan(in, sum, op, all);
    out = before(sum);
  }
  template <class Op>
  PORTER_D void ExclusiveScan(T in, T &out, T init, Op op, T &all) {
    T sum;
    InclusiveScan(in, sum, op, all);
    T earlier = before(sum);
    out = __lane_id() % Width ? T(op(init, earlier)) : init;
  }
  template <class Op>
  PORTER_D void Scan(T in, T &inclusive, T &exclusive, Op op) {
    InclusiveScan(in, inclusive, op);
    exclusive = before(inclusive);
  }
  template <class Op>
  PORTER_D void Scan(T in, T &inclusive, T &exclusive, T init, Op op) {
    ExclusiveScan(in, exclusive, init, op);
    inclusive = op(exclusive, in);
  }
  PORTER_D void InclusiveSum(T in, T &out) { InclusiveScan(in, out, Sum()); }
  PORTER_D void InclusiveSum(T in, T &out, T &all) { InclusiveScan(in, out, Sum(), all); }
  PORTER_D void ExclusiveSum(T in, T &out) { ExclusiveScan(in, out, T(0), Sum()); }
  PORTER_D void ExclusiveSum(T in, T &out, T &all) { ExclusiveScan(in, out, T(0), Sum(), all); }
  PORTER_D T Broadcast(T value, unsigned from) { return detail::from_lane(value, detail::first_lane<Width>() + int(from)); }

 private:
  PORTER_D T before(T sum) { return detail::from_lane(sum, int(__lane_id() % Width ? __lane_id() - 1 : __lane_id())); }
};

// Blocked: lane t holds items t * N to t * N + N - 1. Striped: every Width-th.
template <class T, int N, WarpLoadAlgorithm Algorithm = WARP_LOAD_DIRECT, int Width = HIPCUB_DEVICE_WARP_THREADS, int Arch = HIPCUB_ARCH>
class WarpLoad {
  PORTER_D static unsigned place(int i) {
    unsigned at = detail::lane_of<Width>();
    return Algorithm == WARP_LOAD_STRIPED ? at + unsigned(i) * Width : at * N + unsigned(i);
  }

 public:
  struct TempStorage {
    char nothing;
  };
  PORTER_D WarpLoad() {}
  PORTER_D WarpLoad(TempStorage &) {}
  template <class In>
  PORTER_D void Load(In in, T (&items)[N]) {
    for (int i = 0; i < N; ++i) items[i] = in[place(i)];
  }
  template <class In>
  PORTER_D void Load(In in, T (&items)[N], int valid) {
    for (int i = 0; i < N; ++i)
      if (int(place(i)) < valid) items[i] = in[place(i)];
  }
  template <class In, class Default>
  PORTER_D void Load(In in, T (&items)[N], int valid, Default other) {
    for (int i = 0; i < N; ++i) items[i] = int(place(i)) < valid ? T(in[place(i)]) : T(other);
  }
};
template <class T, int N, WarpStoreAlgorithm Algorithm = WARP_STORE_DIRECT, int Width = HIPCUB_DEVICE_WARP_THREADS, int Arch = HIPCUB_ARCH>
class WarpStore {
  PORTER_D static unsigned place(int i) {
    unsigned at = detail::lane_of<Width>();
    return Algorithm == WARP_STORE_STRIPED ? at + unsigned(i) * Width : at * N + unsigned(i);
  }

 public:
  struct TempStorage {
    char nothing;
  };
  PORTER_D WarpStore() {}
  PORTER_D WarpStore(TempStorage &) {}
  template <class Out>
  PORTER_D void Store(Out out, T (&items)[N]) {
    for (int i = 0; i < N; ++i) out[place(i)] = items[i];
  }
  template <class Out>
  PORTER_D void Store(Out out, T (&items)[N], int valid) {
    for (int i = 0; i < N; ++i)
      if (int(place(i)) < valid) out[place(i)] = items[i];
  }
};

template <class T, int N, int Width = HIPCUB_DEVICE_WARP_THREADS, int Arch = HIPCUB_ARCH, WarpExchangeAlgorithm Algorithm = WARP_EXCHANGE_SMEM>
class WarpExchange {
 public:
  using TempStorage = porter::parallel::room<T, Width * N>;
  PORTER_D WarpExchange(TempStorage &temp) : temp_(temp) {}
  template <class Out>
  PORTER_D void BlockedToStriped(const T (&in)[N], Out (&out)[N]) {
    unsigned at = detail::lane_of<Width>();
    move(in, out, [=](int i) { return at * N + unsigned(i); }, [=](int i) { return at + unsigned(i) * Width; });
  }
  template <class Out>
  PORTER_D void StripedToBlocked(const T (&in)[N], Out (&out)[N]) {
    unsigned at = detail::lane_of<Width>();
    move(in, out, [=](int i) { return at + unsigned(i) * Width; }, [=](int i) { return at * N + unsigned(i); });
  }
  template <class Out, class Offset>
  PORTER_D void ScatterToStriped(const T (&in)[N], Out (&out)[N], Offset (&ranks)[N]) {
    unsigned at = detail::lane_of<Width>();
    move(in, out, [&](int i) { return unsigned(ranks[i]); }, [=](int i) { return at + unsigned(i) * Width; });
  }
  template <class Offset>
  PORTER_D void ScatterToStriped(T (&items)[N], Offset (&ranks)[N]) { ScatterToStriped(items, items, ranks); }

 private:
  template <class Out, class To, class From>
  PORTER_D void move(const T (&in)[N], Out (&out)[N], To to, From from) {
    for (int i = 0; i < N; ++i) temp_[to(i)] = in[i];
    detail::meet();
    for (int i = 0; i < N; ++i) out[i] = temp_[from(i)];
    detail::meet();
  }
  TempStorage &temp_;
};

}  // namespace hipcub

#endif
