// porter's stand-in for hipCUB: reductions and scans on the device.
#ifndef PORTER_HIPCUB_DEVICE_REDUCE
#define PORTER_HIPCUB_DEVICE_REDUCE
#pragma clang system_header

#include "iterators.hpp"
#include "porter/parallel.h"

// A first call without room says how much is wanted.
#define PORTER_ROOM(bytes)                    \
  if (temp == nullptr) {                      \
    size = (bytes) ? (bytes) : 1;             \
    return hipSuccess;                        \
  }

namespace hipcub {

namespace detail {
template <class T>
T highest() { return T(Traits<T>::Max()); }
template <class T>
T lowest() { return T(Traits<T>::Lowest()); }
template <class T>
T highest_or_infinity() { return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : highest<T>(); }
template <class T>
T lowest_or_infinity() { return std::numeric_limits<T>::has_infinity ? T(-std::numeric_limits<T>::infinity()) : lowest<T>(); }
}  // namespace detail

// Sums are made in the type of the operator's result for the initial value and an item, as CUB makes them.
struct DeviceReduce {
  template <class In, class Out, class Op, class T, class N>
  static hipError_t Reduce(void *temp, size_t &size, In in, Out out, N n, Op op, T init, hipStream_t stream = 0) {
    PORTER_ROOM(1)
    using Sum = detail::accumulator<Op, T, detail::value_of<In>>;
    return porter::parallel::reduce([=] __device__(size_t i) { return Sum(in[i]); }, size_t(n), Sum(init), op,
                                    [=] __device__(Sum sum) { *out = sum; }, stream);
  }
  template <class In, class Out, class N>
  static hipError_t Sum(void *temp, size_t &size, In in, Out out, N n, hipStream_t stream = 0) {
    return Reduce(temp, size, in, out, n, hipcub::Sum(), detail::output_of<Out, In>(0), stream);
  }
  template <class In, class Out, class N>
  static hipError_t Min(void *temp, size_t &size, In in, Out out, N n, hipStream_t stream = 0) {
    return Reduce(temp, size, in, out, n, hipcub::Min(), detail::highest<detail::value_of<In>>(), stream);
  }
  template <class In, class Out, class N>
  static hipError_t Max(void *temp, size_t &size, In in, Out out, N n, hipStream_t stream = 0) {
    return Reduce(temp, size, in, out, n, hipcub::Max(), detail::lowest<detail::value_of<In>>(), stream);
  }
  template <class In, class Out, class N>
  static hipError_t ArgMin(void *temp, size_t &size, In in, Out out, N n, hipStream_t stream = 0) {
    using T = detail::value_of<In>;
    using Pair = std::conditional_t<std::is_void<detail::value_of<Out>>::value, KeyValuePair<N, T>, detail::value_of<Out>>;
    Pair init(1, n > 0 ? detail::highest_or_infinity<T>() : detail::highest<T>());
    return Reduce(temp, size, ArgIndexInputIterator<In, N, typename Pair::Value>(in), out, n, hipcub::ArgMin(), init, stream);
  }
  template <class In, class Out, class N>
  static hipError_t ArgMax(void *temp, size_t &size, In in, Out out, N n, hipStream_t stream = 0) {
    using T = detail::value_of<In>;
    using Pair = std::conditional_t<std::is_void<detail::value_of<Out>>::value, KeyValuePair<N, T>, detail::value_of<Out>>;
    Pair init(1, n > 0 ? detail::lowest_or_infinity<T>() : detail::lowest<T>());
    return Reduce(temp, size, ArgIndexInputIterator<In, N, typename Pair::Value>(in), out, n, hipcub::ArgMax(), init, stream);
  }
  // One lane a run of equal keys.
  template <class Keys, class Unique, class Values, class Sums, class Count, class Op>
  static hipError_t ReduceByKey(void *temp, size_t &size, Keys keys, Unique unique, Values values, Sums sums, Count count, Op op, int n,
                                hipStream_t stream = 0) {
    PORTER_ROOM(1)
    using T = detail::accumulator<Op, detail::value_of<Values>, detail::value_of<Values>>;
    if (n == 0) return porter::parallel::each(1, [=] __device__(size_t) { *count = 0; }, stream);
    return porter::parallel::scan(
        [=] __device__(size_t i) { return size_t(i == 0 || !(keys[i - 1] == keys[i])); }, size_t(n), true, false, size_t(0), hipcub::Sum(),
        [=] __device__(size_t i, size_t runs) {
          if (i == 0 || !(keys[i - 1] == keys[i])) {
            T sum = values[i];
            for (size_t j = i + 1; j < size_t(n) && keys[j - 1] == keys[j]; ++j) sum = op(sum, T(values[j]));
            unique[runs - 1] = keys[i];
            sums[runs - 1] = sum;
          }
          if (i + 1 == size_t(n)) *count = runs;
        },
        stream);
  }
};

// The sums of segments are made in the output's type: hipCUB's are, CUB's are in that of the operator's result.
struct DeviceSegmentedReduce {
  template <class In, class Out, class Begin, class End, class Op, class T>
  static hipError_t Reduce(void *temp, size_t &size, In in, Out out, int segments, Begin begin, End end, Op op, T init, hipStream_t stream = 0) {
    PORTER_ROOM(1)
    using Sum = detail::output_of<Out, In>;
    return porter::parallel::each(
        size_t(segments),
        [=] __device__(size_t s) {
          Sum sum = Sum(init);
          for (size_t i = size_t(begin[s]); i < size_t(end[s]); ++i) sum = Sum(op(sum, Sum(in[i])));
          out[s] = sum;
        },
        stream);
  }
  template <class In, class Out, class Begin, class End>
  static hipError_t Sum(void *temp, size_t &size, In in, Out out, int segments, Begin begin, End end, hipStream_t stream = 0) {
    return Reduce(temp, size, in, out, segments, begin, end, hipcub::Sum(), detail::value_of<In>(0), stream);
  }
  template <class In, class Out, class Begin, class End>
  static hipError_t Min(void *temp, size_t &size, In in, Out out, int segments, Begin begin, End end, hipStream_t stream = 0) {
    return Reduce(temp, size, in, out, segments, begin, end, hipcub::Min(), detail::highest<detail::value_of<In>>(), stream);
  }
  template <class In, class Out, class Begin, class End>
  static hipError_t Max(void *temp, size_t &size, In in, Out out, int segments, Begin begin, End end, hipStream_t stream = 0) {
    return Reduce(temp, size, in, out, segments, begin, end, hipcub::Max(), detail::lowest<detail::value_of<In>>(), stream);
  }
  // Places count from the segment's beginning.
  template <class In, class Out, class Begin, class End>
  static hipError_t ArgMin(void *temp, size_t &size, In in, Out out, int segments, Begin begin, End end, hipStream_t stream = 0) {
    using T = detail::value_of<In>;
    return arg(temp, size, in, out, segments, begin, end, hipcub::ArgMin(), detail::highest<T>(), detail::highest_or_infinity<T>(), stream);
  }
  template <class In, class Out, class Begin, class End>
  static hipError_t ArgMax(void *temp, size_t &size, In in, Out out, int segments, Begin begin, End end, hipStream_t stream = 0) {
    using T = detail::value_of<In>;
    return arg(temp, size, in, out, segments, begin, end, hipcub::ArgMax(), detail::lowest<T>(), detail::lowest_or_infinity<T>(), stream);
  }

 private:
  template <class In, class Out, class Begin, class End, class Op, class T>
  static hipError_t arg(void *temp, size_t &size, In in, Out out, int segments, Begin begin, End end, Op op, T empty, T start, hipStream_t stream) {
    PORTER_ROOM(1)
    using Pair = std::conditional_t<std::is_void<detail::value_of<Out>>::value, KeyValuePair<int, T>, detail::value_of<Out>>;
    return porter::parallel::each(
        size_t(segments),
        [=] __device__(size_t s) {
          size_t first = size_t(begin[s]), last = size_t(end[s]);
          Pair best(1, first < last ? start : empty);
          for (size_t i = first; i < last; ++i) best = op(best, Pair(typename Pair::Key(i - first), in[i]));
          out[s] = best;
        },
        stream);
  }
};

struct DeviceScan {
  template <class In, class Out, class Op>
  static hipError_t InclusiveScan(void *temp, size_t &size, In in, Out out, Op op, size_t n, hipStream_t stream = 0) {
    PORTER_ROOM(1)
    using T = detail::accumulator<Op, detail::value_of<In>, detail::value_of<In>>;
    return porter::parallel::scan([=] __device__(size_t i) { return T(in[i]); }, n, true, false, T(), op,
                                  [=] __device__(size_t i, T sum) { out[i] = sum; }, stream);
  }
  template <class In, class Out, class Op, class T>
  static hipError_t InclusiveScanInit(void *temp, size_t &size, In in, Out out, Op op, T init, size_t n, hipStream_t stream = 0) {
    PORTER_ROOM(1)
    using Sum = detail::accumulator<Op, T, detail::value_of<In>>;
    return porter::parallel::scan([=] __device__(size_t i) { return Sum(in[i]); }, n, true, true, Sum(init), op,
                                  [=] __device__(size_t i, Sum sum) { out[i] = sum; }, stream);
  }
  template <class In, class Out, class Op, class T>
  static hipError_t ExclusiveScan(void *temp, size_t &size, In in, Out out, Op op, T init, size_t n, hipStream_t stream = 0) {
    PORTER_ROOM(1)
    using Sum = detail::accumulator<Op, T, detail::value_of<In>>;
    return porter::parallel::scan([=] __device__(size_t i) { return Sum(in[i]); }, n, false, true, Sum(init), op,
                                  [=] __device__(size_t i, Sum sum) { out[i] = sum; }, stream);
  }
  template <class In, class Out>
  static hipError_t InclusiveSum(void *temp, size_t &size, In in, Out out, size_t n, hipStream_t stream = 0) {
    return InclusiveScan(temp, size, in, out, hipcub::Sum(), n, stream);
  }
  template <class In, class Out>
  static hipError_t ExclusiveSum(void *temp, size_t &size, In in, Out out, size_t n, hipStream_t stream = 0) {
    return ExclusiveScan(temp, size, in, out, hipcub::Sum(), detail::value_of<In>(0), n, stream);
  }
  // The sums begin anew at each key that differs from the one before.
  template <class Keys, class In, class Out, class Op, class Same = Equality>
  static hipError_t InclusiveScanByKey(void *temp, size_t &size, Keys keys, In in, Out out, Op op, int n, Same same = Same(), hipStream_t stream = 0) {
    PORTER_ROOM(1)
    using T = detail::accumulator<Op, detail::value_of<In>, detail::value_of<In>>;
    return by_key<T>(keys, in, n, op, same, T(), true, [=] __device__(size_t i, T sum) { out[i] = sum; }, stream);
  }
  template <class Keys, class In, class Out, class Op, class T, class Same = Equality>
  static hipError_t ExclusiveScanByKey(void *temp, size_t &size, Keys keys, In in, Out out, Op op, T init, int n, Same same = Same(),
                                       hipStream_t stream = 0) {
    PORTER_ROOM(1)
    using Sum = detail::accumulator<Op, T, detail::value_of<In>>;
    return by_key<Sum>(keys, in, n, op, same, Sum(init), false, [=] __device__(size_t i, Sum sum) { out[i] = sum; }, stream);
  }
  template <class Keys, class In, class Out, class Same = Equality>
  static hipError_t InclusiveSumByKey(void *temp, size_t &size, Keys keys, In in, Out out, int n, Same same = Same(), hipStream_t stream = 0) {
    return InclusiveScanByKey(temp, size, keys, in, out, hipcub::Sum(), n, same, stream);
  }
  template <class Keys, class In, class Out, class Same = Equality>
  static hipError_t ExclusiveSumByKey(void *temp, size_t &size, Keys keys, In in, Out out, int n, Same same = Same(), hipStream_t stream = 0) {
    return ExclusiveScanByKey(temp, size, keys, in, out, hipcub::Sum(), detail::value_of<In>(0), n, same, stream);
  }

 private:
  template <class T>
  struct run {
    T sum;
    bool head;  // begins, or holds the beginning of, a run of its own
  };
  template <class T, class Keys, class In, class Op, class Same, class Put>
  static hipError_t by_key(Keys keys, In in, int n, Op op, Same same, T init, bool inclusive, Put put, hipStream_t stream) {
    auto head = [=] __device__(size_t i) { return i == 0 || !Same(same)(keys[i - 1], keys[i]); };
    return porter::parallel::scan(
        [=] __device__(size_t i) { return run<T>{T(in[i]), head(i)}; }, size_t(n), true, false, run<T>{},
        [=] __device__(const run<T> &a, const run<T> &b) { return b.head ? b : run<T>{T(Op(op)(a.sum, b.sum)), a.head}; },
        [=] __device__(size_t i, run<T> up_to) {
          if (inclusive) return put(i, up_to.sum);
          if (head(i)) put(i, init);
          if (i + 1 < size_t(n) && !head(i + 1)) put(i + 1, T(Op(op)(init, up_to.sum)));
        },
        stream);
  }
};

}  // namespace hipcub

#endif
