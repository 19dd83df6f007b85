// porter's stand-in for hipCUB: scans of a block.
#ifndef PORTER_HIPCUB_BLOCK_SCAN
#define PORTER_HIPCUB_BLOCK_SCAN
#pragma clang system_header

#include "block.hpp"

namespace hipcub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int X, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int Arch = HIPCUB_ARCH>
class BlockScan : detail::stored<porter::parallel::room<T, X * Y * Z + 1>> {
  static constexpr unsigned size = X * Y * Z;
  using base = detail::stored<porter::parallel::room<T, X * Y * Z + 1>>;
  using base::temp_;

 public:
  using TempStorage = porter::parallel::room<T, X * Y * Z + 1>;
  PORTER_D BlockScan() {}
  PORTER_D BlockScan(TempStorage &temp) : base(temp) {}

  // One item a thread.
  template <class Op>
  PORTER_D void InclusiveScan(T in, T &out, Op op) { out = sums(in, op); }
  template <class Op>
  PORTER_D void InclusiveScan(T in, T &out, Op op, T &all) {
    out = sums(in, op);
    all = temp_[size - 1];
  }
  // `prefix`, which the first warp calls with the sum of all, says what comes before them: its answer to thread 0 counts.
  template <class Op, class Prefix, class = std::enable_if_t<!std::is_same<Prefix, T>::value>>
  PORTER_D void InclusiveScan(T in, T &out, Op op, Prefix &prefix) {
    T sum = sums(in, op);
    out = op(start(prefix), sum);
  }
  // Thread 0 gets `init`, which has no part in `all`.
  template <class Op>
  PORTER_D void ExclusiveScan(T in, T &out, T init, Op op) {
    sums(in, op);
    unsigned at = detail::rank();
    out = at == 0 ? init : T(op(init, temp_[at - 1]));
  }
  template <class Op>
  PORTER_D void ExclusiveScan(T in, T &out, T init, Op op, T &all) {
    ExclusiveScan(in, out, init, op);
    all = temp_[size - 1];
  }
  template <class Op, class Prefix, class = std::enable_if_t<!std::is_convertible<Op, T>::value>>
  PORTER_D void ExclusiveScan(T in, T &out, Op op, Prefix &prefix) {
    sums(in, op);
    unsigned at = detail::rank();
    T init = start(prefix);
    out = at == 0 ? init : T(op(init, temp_[at - 1]));
  }
  PORTER_D void InclusiveSum(T in, T &out) { InclusiveScan(in, out, Sum()); }
  PORTER_D void InclusiveSum(T in, T &out, T &all) { InclusiveScan(in, out, Sum(), all); }
  template <class Prefix, class = std::enable_if_t<!std::is_same<Prefix, T>::value>>
  PORTER_D void InclusiveSum(T in, T &out, Prefix &prefix) { InclusiveScan(in, out, Sum(), prefix); }
  PORTER_D void ExclusiveSum(T in, T &out) { ExclusiveScan(in, out, T(0), Sum()); }
  PORTER_D void ExclusiveSum(T in, T &out, T &all) { ExclusiveScan(in, out, T(0), Sum(), all); }
  template <class Prefix, class = std::enable_if_t<!std::is_same<Prefix, T>::value>>
  PORTER_D void ExclusiveSum(T in, T &out, Prefix &prefix) { ExclusiveScan(in, out, Sum(), prefix); }

  // N items a thread, in the order of the threads.
  template <int N, class Op>
  PORTER_D void InclusiveScan(T (&in)[N], T (&out)[N], Op op) {
    sums(total(in, op), op);
    inclusive(in, out, op, nullptr);
  }
  template <int N, class Op>
  PORTER_D void InclusiveScan(T (&in)[N], T (&out)[N], Op op, T &all) {
    InclusiveScan(in, out, op);
    all = temp_[size - 1];
  }
  template <int N, class Op, class Prefix, class = std::enable_if_t<!std::is_same<Prefix, T>::value>>
  PORTER_D void InclusiveScan(T (&in)[N], T (&out)[N], Op op, Prefix &prefix) {
    sums(total(in, op), op);
    T init = start(prefix);
    inclusive(in, out, op, &init);
  }
  template <int N, class Op>
  PORTER_D void ExclusiveScan(T (&in)[N], T (&out)[N], T init, Op op) {
    sums(total(in, op), op);
    exclusive(in, out, init, op);
  }
  template <int N, class Op>
  PORTER_D void ExclusiveScan(T (&in)[N], T (&out)[N], T init, Op op, T &all) {
    ExclusiveScan(in, out, init, op);
    all = temp_[size - 1];
  }
  template <int N, class Op, class Prefix, class = std::enable_if_t<!std::is_convertible<Op, T>::value>>
  PORTER_D void ExclusiveScan(T (&in)[N], T (&out)[N], Op op, Prefix &prefix) {
    sums(total(in, op), op);
    exclusive(in, out, start(prefix), op);
  }
  template <int N>
  PORTER_D void InclusiveSum(T (&in)[N], T (&out)[N]) { InclusiveScan(in, out, Sum()); }
  template <int N>
  PORTER_D void InclusiveSum(T (&in)[N], T (&out)[N], T &all) { InclusiveScan(in, out, Sum(), all); }
  template <int N, class Prefix, class = std::enable_if_t<!std::is_same<Prefix, T>::value>>
  PORTER_D void InclusiveSum(T (&in)[N], T (&out)[N], Prefix &prefix) { InclusiveScan(in, out, Sum(), prefix); }
  template <int N>
  PORTER_D void ExclusiveSum(T (&in)[N], T (&out)[N]) { ExclusiveScan(in, out, T(0), Sum()); }
  template <int N>
  PORTER_D void ExclusiveSum(T (&in)[N], T (&out)[N], T &all) { ExclusiveScan(in, out, T(0), Sum(), all); }
  template <int N, class Prefix, class = std::enable_if_t<!std::is_same<Prefix, T>::value>>
  PORTER_D void ExclusiveSum(T (&in)[N], T (&out)[N], Prefix &prefix) { ExclusiveScan(in, out, Sum(), prefix); }

 private:
  // The sum up to this thread; temp_ has those of all.
  template <class Op>
  PORTER_D T sums(T sum, Op op) {
    unsigned at = detail::rank();
    temp_[at] = sum;
    __syncthreads();
    for (unsigned step = 1; step < size; step *= 2) {
      if (at >= step) sum = op(temp_[at - step], sum);
      __syncthreads();
      temp_[at] = sum;
      __syncthreads();
    }
    return sum;
  }
  template <class Prefix>
  PORTER_D T start(Prefix &prefix) {
    if (detail::rank() < 64) {
      T before = prefix(T(temp_[size - 1]));
      if (detail::rank() == 0) temp_[size] = before;
    }
    __syncthreads();
    return temp_[size];
  }
  template <int N, class Op>
  PORTER_D static T total(T (&in)[N], Op op) {
    T sum = in[0];
    for (int i = 1; i < N; ++i) sum = op(sum, in[i]);
    return sum;
  }
  template <int N, class Op>
  PORTER_D void inclusive(T (&in)[N], T (&out)[N], Op op, const T *init) {
    unsigned at = detail::rank();
    T sum = in[0];
    if (at > 0) sum = op(temp_[at - 1], sum);
    if (init) sum = op(*init, sum);
    out[0] = sum;
    for (int i = 1; i < N; ++i) out[i] = sum = op(sum, in[i]);
  }
  template <int N, class Op>
  PORTER_D void exclusive(T (&in)[N], T (&out)[N], T init, Op op) {
    unsigned at = detail::rank();
    T before = at == 0 ? init : T(op(init, temp_[at - 1]));
    for (int i = 0; i < N; ++i) {
      T value = in[i];
      out[i] = before;
      before = op(before, value);
    }
  }
};

}  // namespace hipcub

#endif
