// porter's stand-in for hipCUB: sorts on the device.
#ifndef PORTER_HIPCUB_DEVICE_SORT
#define PORTER_HIPCUB_DEVICE_SORT
#pragma clang system_header

#include "device_reduce.hpp"
#include "porter/parallel_sort.h"

namespace hipcub {

namespace detail {
template <class K>
constexpr bool radix_key = std::is_arithmetic<K>::value || sizeof(K) == 2;  // of the classes, halves alone
template <class K, class V>
hipError_t radix_sort(void *temp, size_t &size, const K *keys, K *keys_out, const V *values, V *values_out, size_t n, int begin, int end,
                      bool down, hipStream_t stream) {
  static_assert(radix_key<K>, "hipCUB sorts keys of other types with a decomposer, which is not here");
  PORTER_ROOM((porter::parallel::radix_room<K, V>(n)))
  return porter::parallel::radix_sort(temp, keys, keys_out, values, values_out, n, porter::parallel::RadixLess<K>{begin, end, down}, stream);
}
// One thread a segment sorts it by insertion, of what is long by merging.
template <class K, class V, class Begin, class End, class Less>
hipError_t segmented_sort(void *temp, size_t &size, const K *keys, K *keys_out, const V *values, V *values_out, size_t n, int segments, Begin begin,
                          End end, Less less, hipStream_t stream) {
  size_t key_room = (n * sizeof(K) + 255) / 256 * 256;
  PORTER_ROOM(key_room + n * sizeof(V))
  K *more = static_cast<K *>(temp);
  V *more_values = reinterpret_cast<V *>(static_cast<char *>(temp) + key_room);
  return porter::parallel::each(
      size_t(segments),
      [=] __device__(size_t s) {
        size_t first = size_t(begin[s]), last = size_t(end[s]);
        if (first >= last) return;
        K *from = keys_out, *to = more;
        V *values_from = values_out, *values_to = more_values;
        for (size_t i = first; i < last; ++i) {
          from[i] = keys[i];
          if constexpr (!__is_empty(V)) values_from[i] = values[i];
        }
        for (size_t width = 1; width < last - first; width *= 2) {
          for (size_t i = 0; i < last - first; ++i) {
            size_t place = porter::parallel::merged_place(from + first, i, last - first, width, less);
            to[first + place] = from[first + i];
            if constexpr (!__is_empty(V)) values_to[first + place] = values_from[first + i];
          }
          K *k = from;
          from = to;
          to = k;
          V *v = values_from;
          values_from = values_to;
          values_to = v;
        }
        if (from == keys_out) return;
        for (size_t i = first; i < last; ++i) {
          keys_out[i] = from[i];
          if constexpr (!__is_empty(V)) values_out[i] = values_from[i];
        }
      },
      stream);
}
// The buffers change their parts once the sorted keys are in the other one.
template <class... T>
void turn(void *temp, DoubleBuffer<T> &...buffers) {
  if (temp) ((buffers.selector ^= 1), ...);
}
}  // namespace detail

#define PORTER_KEYS const K *in, K *out
#define PORTER_PAIRS const K *in, K *out, const V *values, V *values_out
#define PORTER_BITS int begin = 0, int end = sizeof(K) * 8, hipStream_t stream = 0
struct DeviceRadixSort {
#define PORTER_SORT(suffix, down)                                                                                       \
  template <class K, class N>                                                                                           \
  static hipError_t SortKeys##suffix(void *temp, size_t &size, PORTER_KEYS, N n, PORTER_BITS) {                         \
    porter::parallel::nothing *none = nullptr;                                                                          \
    return detail::radix_sort(temp, size, in, out, none, none, size_t(n), begin, end, down, stream);                    \
  }                                                                                                                     \
  template <class K, class N>                                                                                           \
  static hipError_t SortKeys##suffix(void *temp, size_t &size, DoubleBuffer<K> &keys, N n, PORTER_BITS) {               \
    hipError_t error = SortKeys##suffix(temp, size, keys.Current(), keys.Alternate(), n, begin, end, stream);           \
    detail::turn(temp, keys);                                                                                           \
    return error;                                                                                                       \
  }                                                                                                                     \
  template <class K, class V, class N>                                                                                  \
  static hipError_t SortPairs##suffix(void *temp, size_t &size, PORTER_PAIRS, N n, PORTER_BITS) {                       \
    return detail::radix_sort(temp, size, in, out, values, values_out, size_t(n), begin, end, down, stream);            \
  }                                                                                                                     \
  template <class K, class V, class N>                                                                                  \
  static hipError_t SortPairs##suffix(void *temp, size_t &size, DoubleBuffer<K> &keys, DoubleBuffer<V> &values, N n, PORTER_BITS) { \
    hipError_t error = SortPairs##suffix(temp, size, keys.Current(), keys.Alternate(), values.Current(), values.Alternate(), n, begin, end, stream); \
    detail::turn(temp, keys, values);                                                                                   \
    return error;                                                                                                       \
  }
  PORTER_SORT(, false)
  PORTER_SORT(Descending, true)
#undef PORTER_SORT
};

#define PORTER_SEGMENTS int n, int segments, Offsets begins, Ends ends
#define PORTER_SEGMENTED(name, suffix, down, parameters, bits)                                                          \
  template <class K, class Offsets, class Ends>                                                                         \
  static hipError_t name##Keys##suffix(void *temp, size_t &size, PORTER_KEYS, PORTER_SEGMENTS, parameters) {            \
    porter::parallel::nothing *none = nullptr;                                                                          \
    porter::parallel::RadixLess<K> less{bits, down};                                                                    \
    return detail::segmented_sort(temp, size, in, out, none, none, size_t(n), segments, begins, ends, less, stream);    \
  }                                                                                                                     \
  template <class K, class Offsets, class Ends>                                                                         \
  static hipError_t name##Keys##suffix(void *temp, size_t &size, DoubleBuffer<K> &keys, PORTER_SEGMENTS, parameters) {  \
    porter::parallel::nothing *none = nullptr;                                                                          \
    porter::parallel::RadixLess<K> less{bits, down};                                                                    \
    hipError_t error = detail::segmented_sort(temp, size, keys.Current(), keys.Alternate(), none, none, size_t(n), segments, begins, ends, less, stream); \
    detail::turn(temp, keys);                                                                                           \
    return error;                                                                                                       \
  }                                                                                                                     \
  template <class K, class V, class Offsets, class Ends>                                                                \
  static hipError_t name##Pairs##suffix(void *temp, size_t &size, PORTER_PAIRS, PORTER_SEGMENTS, parameters) {          \
    porter::parallel::RadixLess<K> less{bits, down};                                                                    \
    return detail::segmented_sort(temp, size, in, out, values, values_out, size_t(n), segments, begins, ends, less, stream); \
  }                                                                                                                     \
  template <class K, class V, class Offsets, class Ends>                                                                \
  static hipError_t name##Pairs##suffix(void *temp, size_t &size, DoubleBuffer<K> &keys, DoubleBuffer<V> &values, PORTER_SEGMENTS, parameters) { \
    porter::parallel::RadixLess<K> less{bits, down};                                                                    \
    hipError_t error = detail::segmented_sort(temp, size, keys.Current(), keys.Alternate(), values.Current(), values.Alternate(), size_t(n), segments, begins, ends, less, stream); \
    detail::turn(temp, keys, values);                                                                                   \
    return error;                                                                                                       \
  }
#define PORTER_COMMA ,
struct DeviceSegmentedRadixSort {
  PORTER_SEGMENTED(Sort, , false, int begin = 0 PORTER_COMMA int end = sizeof(K) * 8 PORTER_COMMA hipStream_t stream = 0, begin PORTER_COMMA end)
  PORTER_SEGMENTED(Sort, Descending, true, int begin = 0 PORTER_COMMA int end = sizeof(K) * 8 PORTER_COMMA hipStream_t stream = 0, begin PORTER_COMMA end)
};
struct DeviceSegmentedSort {
  PORTER_SEGMENTED(Sort, , false, hipStream_t stream = 0, 0 PORTER_COMMA int(sizeof(K) * 8))
  PORTER_SEGMENTED(Sort, Descending, true, hipStream_t stream = 0, 0 PORTER_COMMA int(sizeof(K) * 8))
  PORTER_SEGMENTED(StableSort, , false, hipStream_t stream = 0, 0 PORTER_COMMA int(sizeof(K) * 8))
  PORTER_SEGMENTED(StableSort, Descending, true, hipStream_t stream = 0, 0 PORTER_COMMA int(sizeof(K) * 8))
};
#undef PORTER_COMMA
#undef PORTER_SEGMENTED
#undef PORTER_SEGMENTS
#undef PORTER_BITS
#undef PORTER_PAIRS
#undef PORTER_KEYS

struct DeviceMergeSort {
  template <class Keys, class Values, class N, class Less>
  static hipError_t SortPairs(void *temp, size_t &size, Keys keys, Values values, N n, Less less, hipStream_t stream = 0) {
    return SortPairsCopy(temp, size, keys, values, keys, values, n, less, stream);
  }
  template <class In, class ValuesIn, class Keys, class Values, class N, class Less>
  static hipError_t SortPairsCopy(void *temp, size_t &size, In in, ValuesIn values_in, Keys keys, Values values, N n, Less less, hipStream_t stream = 0) {
    return sort<detail::value_of<Values>>(
        temp, size, in, keys, size_t(n), less, [=] __device__(auto *to, size_t i) { to[i] = values_in[i]; },
        [=] __device__(const auto *from, size_t i) { values[i] = from[i]; }, stream);
  }
  template <class Keys, class N, class Less>
  static hipError_t SortKeys(void *temp, size_t &size, Keys keys, N n, Less less, hipStream_t stream = 0) {
    return SortKeysCopy(temp, size, keys, keys, n, less, stream);
  }
  template <class In, class Keys, class N, class Less>
  static hipError_t SortKeysCopy(void *temp, size_t &size, In in, Keys keys, N n, Less less, hipStream_t stream = 0) {
    return sort<porter::parallel::nothing>(
        temp, size, in, keys, size_t(n), less, [] __device__(auto *, size_t) {}, [] __device__(const auto *, size_t) {}, stream);
  }
  template <class Keys, class Values, class N, class Less>
  static hipError_t StableSortPairs(void *temp, size_t &size, Keys keys, Values values, N n, Less less, hipStream_t stream = 0) {
    return SortPairs(temp, size, keys, values, n, less, stream);
  }
  template <class Keys, class N, class Less>
  static hipError_t StableSortKeys(void *temp, size_t &size, Keys keys, N n, Less less, hipStream_t stream = 0) {
    return SortKeys(temp, size, keys, n, less, stream);
  }
  template <class In, class Keys, class N, class Less>
  static hipError_t StableSortKeysCopy(void *temp, size_t &size, In in, Keys keys, N n, Less less, hipStream_t stream = 0) {
    return SortKeysCopy(temp, size, in, keys, n, less, stream);
  }

 private:
  template <class V, class In, class Keys, class Less, class Get, class Put>
  static hipError_t sort(void *temp, size_t &size, In in, Keys keys, size_t n, Less less, Get get, Put put, hipStream_t stream) {
    using K = detail::value_of<Keys>;
    size_t key_room = (2 * n * sizeof(K) + 255) / 256 * 256;
    PORTER_ROOM(key_room + 2 * n * sizeof(V))
    K *a = static_cast<K *>(temp);
    V *v = reinterpret_cast<V *>(static_cast<char *>(temp) + key_room);
    hipError_t error = porter::parallel::each(n, [=] __device__(size_t i) { a[i] = in[i]; get(v, i); }, stream);
    if (error == hipSuccess) error = porter::parallel::merge_sort(a, a + n, v, v + n, n, less, stream);
    if (error != hipSuccess) return error;
    return porter::parallel::each(n, [=] __device__(size_t i) { keys[i] = a[i]; put(v, i); }, stream);
  }
};

}  // namespace hipcub

#endif
