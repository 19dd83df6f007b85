// porter's stand-in for hipCUB: selections, partitions and runs on the device.
#ifndef PORTER_HIPCUB_DEVICE_SELECT
#define PORTER_HIPCUB_DEVICE_SELECT
#pragma clang system_header

#include "device_reduce.hpp"

namespace hipcub {

namespace detail {
// put(i, kept before i) for every i that is kept; rest(i, kept before i) for every other; the count at the end.
template <class Keep, class Put, class Rest, class Count>
hipError_t select(size_t n, Keep keep, Put put, Rest rest, Count count, hipStream_t stream) {
  if (n == 0) return porter::parallel::each(1, [=] __device__(size_t) { *count = 0; }, stream);
  return porter::parallel::scan(
      [=] __device__(size_t i) { return size_t(keep(i) ? 1 : 0); }, n, true, false, size_t(0), hipcub::Sum(),
      [=] __device__(size_t i, size_t kept) {
        if (keep(i)) put(i, kept - 1);
        else rest(i, kept);
        if (i + 1 == n) *count = kept;
      },
      stream);
}
// What stays in place is read before it is written: selected values are set aside.
template <class In, class Keep, class Out, class Count>
hipError_t compact(void *temp, In in, Keep keep, Out out, Count count, size_t n, hipStream_t stream) {
  using T = value_of<In>;
  T *aside = static_cast<T *>(temp);
  size_t *total = reinterpret_cast<size_t *>(static_cast<char *>(temp) + (n * sizeof(T) + 15) / 16 * 16);
  hipError_t error = select(
      n, keep, [=] __device__(size_t i, size_t place) { aside[place] = in[i]; }, [=] __device__(size_t, size_t) {}, total, stream);
  if (error != hipSuccess) return error;
  error = porter::parallel::each(n, [=] __device__(size_t i) { if (i < *total) out[i] = aside[i]; }, stream);
  if (error != hipSuccess) return error;
  return porter::parallel::each(1, [=] __device__(size_t) { *count = *total; }, stream);
}
template <class In>
size_t compact_room(size_t n) { return (n * sizeof(value_of<In>) + 15) / 16 * 16 + sizeof(size_t); }
}  // namespace detail

struct DeviceSelect {
  template <class In, class Flags, class Out, class Count>
  static hipError_t Flagged(void *temp, size_t &size, In in, Flags flags, Out out, Count count, int n, hipStream_t stream = 0) {
    PORTER_ROOM(detail::compact_room<In>(size_t(n)))
    return detail::compact(temp, in, [=] __device__(size_t i) { return bool(flags[i]); }, out, count, size_t(n), stream);
  }
  template <class In, class Out, class Count, class Op>
  static hipError_t If(void *temp, size_t &size, In in, Out out, Count count, int n, Op op, hipStream_t stream = 0) {
    PORTER_ROOM(detail::compact_room<In>(size_t(n)))
    return detail::compact(temp, in, [=] __device__(size_t i) { return bool(Op(op)(in[i])); }, out, count, size_t(n), stream);
  }
  template <class In, class Out, class Count>
  static hipError_t Unique(void *temp, size_t &size, In in, Out out, Count count, int n, hipStream_t stream = 0) {
    PORTER_ROOM(detail::compact_room<In>(size_t(n)))
    return detail::compact(temp, in, [=] __device__(size_t i) { return i == 0 || !(in[i - 1] == in[i]); }, out, count, size_t(n), stream);
  }
  template <class Keys, class Values, class KeysOut, class ValuesOut, class Count>
  static hipError_t UniqueByKey(void *temp, size_t &size, Keys keys, Values values, KeysOut keys_out, ValuesOut values_out, Count count, int n,
                                hipStream_t stream = 0) {
    PORTER_ROOM(1)
    return detail::select(
        size_t(n), [=] __device__(size_t i) { return i == 0 || !(keys[i - 1] == keys[i]); },
        [=] __device__(size_t i, size_t place) {
          keys_out[place] = keys[i];
          values_out[place] = values[i];
        },
        [=] __device__(size_t, size_t) {}, count, stream);
  }
};

// The rejected lie behind the selected, the last one first.
struct DevicePartition {
  template <class In, class Flags, class Out, class Count>
  static hipError_t Flagged(void *temp, size_t &size, In in, Flags flags, Out out, Count count, int n, hipStream_t stream = 0) {
    PORTER_ROOM(1)
    return split(in, [=] __device__(size_t i) { return bool(flags[i]); }, out, count, size_t(n), stream);
  }
  template <class In, class Out, class Count, class Op>
  static hipError_t If(void *temp, size_t &size, In in, Out out, Count count, int n, Op op, hipStream_t stream = 0) {
    PORTER_ROOM(1)
    return split(in, [=] __device__(size_t i) { return bool(Op(op)(in[i])); }, out, count, size_t(n), stream);
  }
  // Three parts, each in its order.
  template <class In, class First, class Second, class Rest, class Counts, class Op, class Op2>
  static hipError_t If(void *temp, size_t &size, In in, First first, Second second, Rest rest, Counts counts, int n, Op op, Op2 op2,
                       hipStream_t stream = 0) {
    PORTER_ROOM(1)
    hipError_t error = detail::select(
        size_t(n), [=] __device__(size_t i) { return bool(Op(op)(in[i])); }, [=] __device__(size_t i, size_t place) { first[place] = in[i]; },
        [=] __device__(size_t, size_t) {}, counts, stream);
    if (error != hipSuccess) return error;
    error = detail::select(
        size_t(n), [=] __device__(size_t i) { return !bool(Op(op)(in[i])) && bool(Op2(op2)(in[i])); },
        [=] __device__(size_t i, size_t place) { second[place] = in[i]; }, [=] __device__(size_t, size_t) {}, counts + 1, stream);
    if (error != hipSuccess) return error;
    return porter::parallel::scan(
        [=] __device__(size_t i) { return size_t(!bool(Op(op)(in[i])) && !bool(Op2(op2)(in[i]))); }, size_t(n), true, false, size_t(0),
        hipcub::Sum(),
        [=] __device__(size_t i, size_t kept) { if (!bool(Op(op)(in[i])) && !bool(Op2(op2)(in[i]))) rest[kept - 1] = in[i]; }, stream);
  }

 private:
  template <class In, class Keep, class Out, class Count>
  static hipError_t split(In in, Keep keep, Out out, Count count, size_t n, hipStream_t stream) {
    return detail::select(
        n, keep, [=] __device__(size_t i, size_t place) { out[place] = in[i]; },
        [=] __device__(size_t i, size_t kept) { out[n - 1 - (i - kept)] = in[i]; }, count, stream);
  }
};

struct DeviceRunLengthEncode {
  template <class In, class Unique, class Lengths, class Count>
  static hipError_t Encode(void *temp, size_t &size, In in, Unique unique, Lengths lengths, Count count, int n, hipStream_t stream = 0) {
    PORTER_ROOM(1)
    return detail::select(
        size_t(n), [=] __device__(size_t i) { return i == 0 || !(in[i - 1] == in[i]); },
        [=] __device__(size_t i, size_t run) {
          unique[run] = in[i];
          lengths[run] = length(in, i, size_t(n));
        },
        [=] __device__(size_t, size_t) {}, count, stream);
  }
  template <class In, class Offsets, class Lengths, class Count>
  static hipError_t NonTrivialRuns(void *temp, size_t &size, In in, Offsets offsets, Lengths lengths, Count count, int n, hipStream_t stream = 0) {
    PORTER_ROOM(1)
    return detail::select(
        size_t(n), [=] __device__(size_t i) { return (i == 0 || !(in[i - 1] == in[i])) && i + 1 < size_t(n) && in[i] == in[i + 1]; },
        [=] __device__(size_t i, size_t run) {
          offsets[run] = i;
          lengths[run] = length(in, i, size_t(n));
        },
        [=] __device__(size_t, size_t) {}, count, stream);
  }

 private:
  template <class In>
  PORTER_D static size_t length(In in, size_t i, size_t n) {
    size_t end = i + 1;
    while (end < n && in[end] == in[i]) ++end;
    return end - i;
  }
};

struct DeviceAdjacentDifference {
  template <class In, class Out, class Op = Difference, class N = unsigned>
  static hipError_t SubtractLeftCopy(void *temp, size_t &size, In in, Out out, N n, Op op = {}, hipStream_t stream = 0) {
    PORTER_ROOM(1)
    return porter::parallel::each(size_t(n), [=] __device__(size_t i) { if (i) out[i] = Op(op)(in[i], in[i - 1]); else out[i] = in[i]; }, stream);
  }
  template <class In, class Out, class Op = Difference, class N = unsigned>
  static hipError_t SubtractRightCopy(void *temp, size_t &size, In in, Out out, N n, Op op = {}, hipStream_t stream = 0) {
    PORTER_ROOM(1)
    return porter::parallel::each(
        size_t(n), [=] __device__(size_t i) { if (i + 1 < size_t(n)) out[i] = Op(op)(in[i], in[i + 1]); else out[i] = in[i]; }, stream);
  }
};

}  // namespace hipcub

#endif
