// porter's stand-in for the parts of hipCUB that kernels commonly use; hipCUB's own is taken where it is found.
//
// Here: BlockReduce, BlockScan, BlockLoad, BlockStore, BlockAdjacentDifference, WarpReduce, WarpScan,
// DeviceReduce, DeviceScan, DeviceRadixSort, DeviceSelect (Flagged, If), the operators and a few iterators.
// Not here, and an error by name where used: the rest.
#ifndef PORTER_HIPCUB
#pragma clang system_header

#if __has_include_next(<hipcub/hipcub.hpp>)
#include_next <hipcub/hipcub.hpp>
#else
#define PORTER_HIPCUB

#include <hip/hip_runtime.h>

// Programs rely on these two: hipCUB's own headers bring them.
#include <cassert>
#include <chrono>
#include <iterator>
#include <limits>
#include <type_traits>

#include "porter/parallel.h"

#define PORTER_D __device__ inline
#define PORTER_HD __host__ __device__ inline

#ifndef HIPCUB_WARP_THREADS
#define HIPCUB_WARP_THREADS 64
#endif
#define HIPCUB_DEVICE __device__
#define HIPCUB_HOST __host__
#define HIPCUB_HOST_DEVICE __host__ __device__

namespace hipcub {

// Operators.
struct Sum {
  template <class A, class B>
  PORTER_HD auto operator()(const A &a, const B &b) const { return a + b; }
};
struct Difference {
  template <class A, class B>
  PORTER_HD auto operator()(const A &a, const B &b) const { return a - b; }
};
struct Max {
  template <class T>
  PORTER_HD T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
struct Min {
  template <class T>
  PORTER_HD T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
struct Equality {
  template <class T>
  PORTER_HD bool operator()(const T &a, const T &b) const { return a == b; }
};
struct Inequality {
  template <class T>
  PORTER_HD bool operator()(const T &a, const T &b) const { return a != b; }
};
template <class K, class V>
struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  K key;
  V value;
  KeyValuePair() = default;
  PORTER_HD KeyValuePair(K k, V v) : key(k), value(v) {}
  PORTER_HD bool operator!=(const KeyValuePair &b) const { return value != b.value || key != b.key; }
};
// Of equal values the lower key.
struct ArgMax {
  template <class K, class V>
  PORTER_HD KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
    return a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class K, class V>
  PORTER_HD KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a, const KeyValuePair<K, V> &b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

// Iterators.
template <class T, class Offset = ptrdiff_t>
struct CountingInputIterator {
  using value_type = T;
  using reference = T;
  using pointer = T *;
  using difference_type = Offset;
  using iterator_category = std::random_access_iterator_tag;
  T first;
  PORTER_HD CountingInputIterator(T a) : first(a) {}
  template <class I>
  PORTER_HD T operator[](I i) const { return first + T(i); }
  PORTER_HD T operator*() const { return first; }
  template <class I>
  PORTER_HD CountingInputIterator operator+(I i) const { return CountingInputIterator(first + T(i)); }
};
template <class T, class F, class In, class Offset = ptrdiff_t>
struct TransformInputIterator {
  using value_type = T;
  using reference = T;
  using pointer = T *;
  using difference_type = Offset;
  using iterator_category = std::random_access_iterator_tag;
  In in;
  F f;
  PORTER_HD TransformInputIterator(In a, F b) : in(a), f(b) {}
  template <class I>
  PORTER_HD T operator[](I i) const { return f(in[i]); }
  PORTER_HD T operator*() const { return f(*in); }
  template <class I>
  PORTER_HD TransformInputIterator operator+(I i) const { return TransformInputIterator(in + i, f); }
};

namespace detail {

PORTER_D unsigned rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
template <class T>
PORTER_D T from_lane(T value, int lane) {
  unsigned words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (unsigned &word : words) word = unsigned(__builtin_amdgcn_ds_bpermute(lane << 2, int(word)));
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}
template <class In>
using value_of = std::decay_t<decltype(std::declval<In>()[0])>;

}  // namespace detail

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
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

// Neighbours are joined first, so that the order stays. The result is thread 0's.
template <class T, int X, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int Arch = 0>
class BlockReduce {
  static constexpr unsigned size = X * Y * Z;

 public:
  using TempStorage = porter::parallel::room<T, size>;
  PORTER_D BlockReduce() : temp_(own()) {}
  PORTER_D BlockReduce(TempStorage &temp) : temp_(temp) {}
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
  PORTER_D T Reduce(T value, Op op) { return Reduce(value, op, int(size)); }
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

 private:
  PORTER_D static TempStorage &own() {
    __shared__ TempStorage temp;
    return temp;
  }
  TempStorage &temp_;
};

template <class T, int X, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int Arch = 0>
class BlockScan {
  static constexpr unsigned size = X * Y * Z;

 public:
  using TempStorage = porter::parallel::room<T, size>;
  PORTER_D BlockScan() : temp_(own()) {}
  PORTER_D BlockScan(TempStorage &temp) : temp_(temp) {}

  template <class Op>
  PORTER_D void InclusiveScan(T in, T &out, Op op, T &all) {
    unsigned at = detail::rank();
    T sum = in;
    temp_[at] = sum;
    __syncthreads();
    for (unsigned step = 1; step < size; step *= 2) {
      if (at >= step) sum = op(temp_[at - step], sum);
      __syncthreads();
      temp_[at] = sum;
      __syncthreads();
    }
    out = sum;
    all = temp_[size - 1];
  }
  template <class Op>
  PORTER_D void InclusiveScan(T in, T &out, Op op) {
    T all;
    InclusiveScan(in, out, op, all);
  }
  // Thread 0 gets `init`, which has no part in `all`.
  template <class Op>
  PORTER_D void ExclusiveScan(T in, T &out, T init, Op op, T &all) {
    T sum;
    InclusiveScan(in, sum, op, all);
    unsigned at = detail::rank();
    out = at == 0 ? init : op(init, temp_[at - 1]);
  }
  template <class Op>
  PORTER_D void ExclusiveScan(T in, T &out, T init, Op op) {
    T all;
    ExclusiveScan(in, out, init, op, all);
  }
  PORTER_D void InclusiveSum(T in, T &out) { InclusiveScan(in, out, Sum()); }
  PORTER_D void InclusiveSum(T in, T &out, T &all) { InclusiveScan(in, out, Sum(), all); }
  PORTER_D void ExclusiveSum(T in, T &out) { ExclusiveScan(in, out, T(0), Sum()); }
  PORTER_D void ExclusiveSum(T in, T &out, T &all) { ExclusiveScan(in, out, T(0), Sum(), all); }
  template <int N, class Op>
  PORTER_D void ExclusiveScan(T (&in)[N], T (&out)[N], T init, Op op, T &all) {
    T sum = in[0];
    for (int i = 1; i < N; ++i) sum = op(sum, in[i]);
    T before;
    ExclusiveScan(sum, before, init, op, all);
    for (int i = 0; i < N; ++i) {
      T value = in[i];
      out[i] = before;
      before = op(before, value);
    }
  }
  template <int N>
  PORTER_D void ExclusiveSum(T (&in)[N], T (&out)[N]) {
    T all;
    ExclusiveScan(in, out, T(0), Sum(), all);
  }
  template <int N>
  PORTER_D void ExclusiveSum(T (&in)[N], T (&out)[N], T &all) { ExclusiveScan(in, out, T(0), Sum(), all); }
  template <int N, class Op>
  PORTER_D void InclusiveScan(T (&in)[N], T (&out)[N], Op op) {
    T sum = in[0], all, mine;
    for (int i = 1; i < N; ++i) sum = op(sum, in[i]);
    InclusiveScan(sum, mine, op, all);
    unsigned at = detail::rank();
    T before = at == 0 ? T() : temp_[at - 1];
    for (int i = 0; i < N; ++i) {
      before = at == 0 && i == 0 ? in[0] : op(before, in[i]);
      out[i] = before;
    }
  }
  // `prefix`, which the first warp calls with the sum of all, says what comes before them: its answer to thread 0 counts.
  template <int N, class Op, class Prefix>
  PORTER_D void InclusiveScan(T (&in)[N], T (&out)[N], Op op, Prefix &prefix) {
    T sum = in[0], all, mine;
    for (int i = 1; i < N; ++i) sum = op(sum, in[i]);
    InclusiveScan(sum, mine, op, all);
    unsigned at = detail::rank();
    T before = at == 0 ? T() : temp_[at - 1];
    __syncthreads();
    if (at < 32) {
      T start = prefix(all);
      if (at == 0) temp_[0] = start;
    }
    __syncthreads();
    before = at == 0 ? temp_[0] : op(temp_[0], before);
    for (int i = 0; i < N; ++i) out[i] = before = op(before, in[i]);
  }
  template <int N>
  PORTER_D void InclusiveSum(T (&in)[N], T (&out)[N]) { InclusiveScan(in, out, Sum()); }

 private:
  PORTER_D static TempStorage &own() {
    __shared__ TempStorage temp;
    return temp;
  }
  TempStorage &temp_;
};

// Blocked arrangement, whatever the algorithm: thread t holds items t * N to t * N + N - 1. Striped, every X-th.
template <class T, int X, int N, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int Arch = 0>
class BlockLoad {
  PORTER_D static unsigned place(int i) {
    return Algorithm == BLOCK_LOAD_STRIPED ? detail::rank() + unsigned(i) * (X * Y * Z) : detail::rank() * N + unsigned(i);
  }

 public:
  struct TempStorage {};
  PORTER_D BlockLoad() {}
  PORTER_D BlockLoad(TempStorage &) {}
  template <class In>
  PORTER_D void Load(In in, T (&items)[N]) {
    for (int i = 0; i < N; ++i) items[i] = in[place(i)];
  }
  template <class In>
  PORTER_D void Load(In in, T (&items)[N], int valid) {
    for (int i = 0; i < N; ++i)
      if (place(i) < unsigned(valid)) items[i] = in[place(i)];
  }
  template <class In, class Default>
  PORTER_D void Load(In in, T (&items)[N], int valid, Default other) {
    for (int i = 0; i < N; ++i) items[i] = place(i) < unsigned(valid) ? T(in[place(i)]) : T(other);
  }
};
template <class T, int X, int N, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int Arch = 0>
class BlockStore {
  PORTER_D static unsigned place(int i) {
    return Algorithm == BLOCK_STORE_STRIPED ? detail::rank() + unsigned(i) * (X * Y * Z) : detail::rank() * N + unsigned(i);
  }

 public:
  struct TempStorage {};
  PORTER_D BlockStore() {}
  PORTER_D BlockStore(TempStorage &) {}
  template <class Out>
  PORTER_D void Store(Out out, T (&items)[N]) {
    for (int i = 0; i < N; ++i) out[place(i)] = items[i];
  }
  template <class Out>
  PORTER_D void Store(Out out, T (&items)[N], int valid) {
    for (int i = 0; i < N; ++i)
      if (place(i) < unsigned(valid)) out[place(i)] = items[i];
  }
};

template <class T, int X, int Y = 1, int Z = 1, int Arch = 0>
class BlockAdjacentDifference {
 public:
  using TempStorage = porter::parallel::room<T, X * Y * Z>;
  PORTER_D BlockAdjacentDifference(TempStorage &temp) : temp_(temp) {}
  template <int N, class Out, class Op>
  PORTER_D void SubtractLeft(T (&in)[N], Out (&out)[N], Op op) {
    unsigned at = detail::rank();
    temp_[at] = in[N - 1];
    __syncthreads();
    for (int i = N - 1; i > 0; --i) out[i] = op(in[i], in[i - 1]);
    out[0] = at == 0 ? Out(in[0]) : Out(op(in[0], temp_[at - 1]));
  }
  template <int N, class Out, class Op>
  PORTER_D void SubtractRight(T (&in)[N], Out (&out)[N], Op op) {
    unsigned at = detail::rank();
    temp_[at] = in[0];
    __syncthreads();
    for (int i = 0; i + 1 < N; ++i) out[i] = op(in[i], in[i + 1]);
    out[N - 1] = at + 1 == X * Y * Z ? Out(in[N - 1]) : Out(op(in[N - 1], temp_[at + 1]));
  }

 private:
  TempStorage &temp_;
};

template <class T, int Width = HIPCUB_WARP_THREADS, int Arch = 0>
class WarpReduce {
 public:
  struct TempStorage {};
  PORTER_D WarpReduce(TempStorage &) {}
  template <class Op>
  PORTER_D T Reduce(T value, Op op, int valid = Width) {
    unsigned lane = __lane_id(), at = lane % Width;
    for (unsigned step = 1; step < Width; step *= 2) {
      T other = detail::from_lane(value, int(lane + step));
      if (at + step < unsigned(valid)) value = op(value, other);
    }
    return value;
  }
  PORTER_D T Sum(T value) { return Reduce(value, hipcub::Sum()); }
  PORTER_D T Sum(T value, int valid) { return Reduce(value, hipcub::Sum(), valid); }
};
template <class T, int Width = HIPCUB_WARP_THREADS, int Arch = 0>
class WarpScan {
 public:
  struct TempStorage {};
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
  PORTER_D void ExclusiveScan(T in, T &out, T init, Op op) {
    T sum;
    InclusiveScan(in, sum, op);
    unsigned lane = __lane_id(), at = lane % Width;
    T before = detail::from_lane(sum, int(at ? lane - 1 : lane));
    out = at ? op(init, before) : init;
  }
  PORTER_D void InclusiveSum(T in, T &out) { InclusiveScan(in, out, Sum()); }
  PORTER_D void InclusiveSum(T in, T &out, T &all) {
    InclusiveScan(in, out, Sum());
    all = Broadcast(out, Width - 1);
  }
  PORTER_D void ExclusiveSum(T in, T &out) { ExclusiveScan(in, out, T(0), Sum()); }
  PORTER_D T Broadcast(T value, unsigned from) { return detail::from_lane(value, int(__lane_id() / Width * Width + from)); }
};

// A first call without room says how much is wanted.
#define PORTER_ROOM(bytes)                    \
  if (temp == nullptr) {                      \
    size = (bytes) ? (bytes) : 1;             \
    return hipSuccess;                        \
  }

struct DeviceReduce {
  template <class In, class Out, class Op, class T>
  static hipError_t Reduce(void *temp, size_t &size, In in, Out out, size_t n, Op op, T init, hipStream_t stream = nullptr, bool = false) {
    PORTER_ROOM(1)
    return porter::parallel::reduce([=] __device__(size_t i) { return T(in[i]); }, n, init, op, [=] __device__(T a) { *out = a; }, stream);
  }
  template <class In, class Out>
  static hipError_t Sum(void *temp, size_t &size, In in, Out out, size_t n, hipStream_t stream = nullptr, bool = false) {
    return Reduce(temp, size, in, out, n, hipcub::Sum(), detail::value_of<In>(0), stream);
  }
  template <class In, class Out>
  static hipError_t Max(void *temp, size_t &size, In in, Out out, size_t n, hipStream_t stream = nullptr, bool = false) {
    return Reduce(temp, size, in, out, n, hipcub::Max(), std::numeric_limits<detail::value_of<In>>::lowest(), stream);
  }
  template <class In, class Out>
  static hipError_t Min(void *temp, size_t &size, In in, Out out, size_t n, hipStream_t stream = nullptr, bool = false) {
    return Reduce(temp, size, in, out, n, hipcub::Min(), std::numeric_limits<detail::value_of<In>>::max(), stream);
  }
};

struct DeviceScan {
  template <class In, class Out, class Op>
  static hipError_t InclusiveScan(void *temp, size_t &size, In in, Out out, Op op, size_t n, hipStream_t stream = nullptr, bool = false) {
    PORTER_ROOM(1)
    using T = detail::value_of<In>;
    return porter::parallel::scan([=] __device__(size_t i) { return T(in[i]); }, n, true, false, T(), op, [=] __device__(size_t i, T a) { out[i] = a; }, stream);
  }
  template <class In, class Out, class Op, class T>
  static hipError_t ExclusiveScan(void *temp, size_t &size, In in, Out out, Op op, T init, size_t n, hipStream_t stream = nullptr, bool = false) {
    PORTER_ROOM(1)
    return porter::parallel::scan([=] __device__(size_t i) { return T(in[i]); }, n, false, true, init, op, [=] __device__(size_t i, T a) { out[i] = a; }, stream);
  }
  template <class In, class Out>
  static hipError_t InclusiveSum(void *temp, size_t &size, In in, Out out, size_t n, hipStream_t stream = nullptr, bool = false) {
    return InclusiveScan(temp, size, in, out, Sum(), n, stream);
  }
  template <class In, class Out>
  static hipError_t ExclusiveSum(void *temp, size_t &size, In in, Out out, size_t n, hipStream_t stream = nullptr, bool = false) {
    return ExclusiveScan(temp, size, in, out, Sum(), detail::value_of<In>(0), n, stream);
  }
};

struct DeviceSelect {
  template <class In, class Keep, class Out, class Count>
  static hipError_t compact(In in, Keep keep, Out out, Count count, size_t n, hipStream_t stream) {
    if (n == 0) return porter::parallel::each(1, [=] __device__(size_t) { *count = 0; }, stream);
    return porter::parallel::scan(
        [=] __device__(size_t i) { return size_t(keep(i) ? 1 : 0); }, n, true, false, size_t(0), Sum(),
        [=] __device__(size_t i, size_t place) {
          if (keep(i)) out[place - 1] = in[i];
          if (i == n - 1) *count = place;
        },
        stream);
  }
  template <class In, class Flags, class Out, class Count>
  static hipError_t Flagged(void *temp, size_t &size, In in, Flags flags, Out out, Count count, size_t n, hipStream_t stream = nullptr, bool = false) {
    PORTER_ROOM(1)
    return compact(in, [=] __device__(size_t i) { return bool(flags[i]); }, out, count, n, stream);
  }
  template <class In, class Out, class Count, class Op>
  static hipError_t If(void *temp, size_t &size, In in, Out out, Count count, size_t n, Op op, hipStream_t stream = nullptr, bool = false) {
    PORTER_ROOM(1)
    return compact(in, [=] __device__(size_t i) { return bool(op(in[i])); }, out, count, n, stream);
  }
};

template <class T>
struct DoubleBuffer {
  T *d_buffers[2];
  int selector = 0;
  DoubleBuffer() : d_buffers{nullptr, nullptr} {}
  DoubleBuffer(T *current, T *other) : d_buffers{current, other} {}
  T *Current() { return d_buffers[selector]; }
  T *Alternate() { return d_buffers[selector ^ 1]; }
};

// The order of the bits from begin to end, the sign bit turned so that all numbers come in order.
struct DeviceRadixSort {
  template <class K>
  struct Less {
    int begin, end;
    bool down;
    PORTER_D unsigned long long bits(K k) const {
      unsigned long long b = 0, top = 1ull << (sizeof(K) * 8 - 1);
      __builtin_memcpy(&b, &k, sizeof(K));
      if (std::is_floating_point<K>::value || !std::is_arithmetic<K>::value)
        b = b & top ? ~b : b | top;
      else if (std::is_signed<K>::value)
        b ^= top;
      b >>= begin;
      return end - begin >= 64 ? b : b & ((1ull << (end - begin)) - 1);
    }
    PORTER_D bool operator()(K a, K b) const { return down ? bits(b) < bits(a) : bits(a) < bits(b); }
  };
  template <class K, class V>
  static hipError_t sort(void *temp, size_t &size, const K *keys, K *keys_out, const V *values, V *values_out, size_t n, Less<K> less, hipStream_t stream) {
    size_t key_room = (n * sizeof(K) + 255) / 256 * 256;
    PORTER_ROOM(key_room + n * sizeof(V))
    V *more = reinterpret_cast<V *>(static_cast<char *>(temp) + key_room);
    hipError_t error = porter::parallel::each(
        n,
        [=] __device__(size_t i) {
          keys_out[i] = keys[i];
          if constexpr (!__is_empty(V)) values_out[i] = values[i];
        },
        stream);
    if (error != hipSuccess) return error;
    return porter::parallel::merge_sort(keys_out, static_cast<K *>(temp), values_out, more, n, less, stream);
  }
#define PORTER_SORT(suffix, down)                                                                                        \
  template <class K>                                                                                                     \
  static hipError_t SortKeys##suffix(void *temp, size_t &size, const K *in, K *out, size_t n, int begin = 0,             \
                                     int end = sizeof(K) * 8, hipStream_t stream = nullptr, bool = false) {              \
    porter::parallel::nothing *none = nullptr;                                                                           \
    return sort(temp, size, in, out, none, none, n, Less<K>{begin, end, down}, stream);                                  \
  }                                                                                                                      \
  template <class K>                                                                                                     \
  static hipError_t SortKeys##suffix(void *temp, size_t &size, DoubleBuffer<K> &keys, size_t n, int begin = 0,           \
                                     int end = sizeof(K) * 8, hipStream_t stream = nullptr, bool = false) {              \
    hipError_t error = SortKeys##suffix(temp, size, keys.Current(), keys.Alternate(), n, begin, end, stream);            \
    if (temp) keys.selector ^= 1;                                                                                        \
    return error;                                                                                                        \
  }                                                                                                                      \
  template <class K, class V>                                                                                            \
  static hipError_t SortPairs##suffix(void *temp, size_t &size, const K *in, K *out, const V *values, V *values_out,     \
                                      size_t n, int begin = 0, int end = sizeof(K) * 8, hipStream_t stream = nullptr,    \
                                      bool = false) {                                                                    \
    return sort(temp, size, in, out, values, values_out, n, Less<K>{begin, end, down}, stream);                          \
  }                                                                                                                      \
  template <class K, class V>                                                                                            \
  static hipError_t SortPairs##suffix(void *temp, size_t &size, DoubleBuffer<K> &keys, DoubleBuffer<V> &values,          \
                                      size_t n, int begin = 0, int end = sizeof(K) * 8, hipStream_t stream = nullptr,    \
                                      bool = false) {                                                                    \
    hipError_t error = SortPairs##suffix(temp, size, keys.Current(), keys.Alternate(), values.Current(),                 \
                                         values.Alternate(), n, begin, end, stream);                                     \
    if (temp) {                                                                                                          \
      keys.selector ^= 1;                                                                                                \
      values.selector ^= 1;                                                                                              \
    }                                                                                                                    \
    return error;                                                                                                        \
  }
  PORTER_SORT(, false)
  PORTER_SORT(Descending, true)
#undef PORTER_SORT
};
#undef PORTER_ROOM

}  // namespace hipcub

#undef PORTER_D
#undef PORTER_HD
#endif
#endif
