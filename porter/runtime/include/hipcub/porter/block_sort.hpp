// porter's stand-in for hipCUB: sorts of a block and of a warp. Each item's place is counted: quick enough for a tile.
#ifndef PORTER_HIPCUB_BLOCK_SORT
#define PORTER_HIPCUB_BLOCK_SORT
#pragma clang system_header

#include "block_scan.hpp"
#include "warp.hpp"
#include "porter/parallel_sort.h"

namespace hipcub {

namespace detail {

template <class K, int Items>
struct sort_room {
  porter::parallel::room<K, Items> keys, other_keys;
  unsigned short from[Items], other_from[Items];
};

// Sorts `size` times N keys by merging runs, stable. `from` gets the place that each had. `meet` waits for all that sort.
template <int N, int Size, class K, class Less, class Meet>
PORTER_D void sort_tile(sort_room<K, N * Size> &room, unsigned at, K (&keys)[N], unsigned (&from)[N], Less less, Meet meet) {
  constexpr unsigned items = N * Size;
  auto *a = &room.keys, *b = &room.other_keys;
  auto *f = room.from, *g = room.other_from;
  for (unsigned i = 0; i < N; ++i) {
    (*a)[at * N + i] = keys[i];
    f[at * N + i] = static_cast<unsigned short>(at * N + i);
  }
  meet();
  for (unsigned width = 1; width < items; width *= 2) {
    for (unsigned i = at * N; i < at * N + N; ++i) {
      unsigned place = porter::parallel::merged_place(&(*a)[0], i, items, width, less);
      (*b)[place] = (*a)[i];
      g[place] = f[i];
    }
    meet();
    auto *c = a;
    a = b;
    b = c;
    auto *h = f;
    f = g;
    g = h;
  }
  for (unsigned i = 0; i < N; ++i) {
    keys[i] = (*a)[at * N + i];
    from[i] = f[at * N + i];
  }
  meet();
}

// What goes along with the keys.
template <int N, class V, class Room, class Meet>
PORTER_D void follow(Room &room, unsigned at, V (&values)[N], const unsigned (&from)[N], Meet meet) {
  for (unsigned i = 0; i < N; ++i) room[at * N + i] = values[i];
  meet();
  for (unsigned i = 0; i < N; ++i) values[i] = room[from[i]];
  meet();
}

template <class K, class V, int N, int Size>
union sort_storage {
  sort_room<K, N * Size> keys;
  porter::parallel::room<V, N * Size> values;
};

}  // namespace detail

template <class K, int X, int N, class V = NullType, int Bits = 4, bool Memoize = true, BlockScanAlgorithm Scan = BLOCK_SCAN_WARP_SCANS,
          hipSharedMemConfig Config = hipSharedMemBankSizeFourByte, int Y = 1, int Z = 1, int Arch = HIPCUB_ARCH>
class BlockRadixSort : detail::stored<detail::sort_storage<K, V, N, X * Y * Z>> {
  static constexpr int size = X * Y * Z;
  using base = detail::stored<detail::sort_storage<K, V, N, size>>;
  using base::temp_;
  static constexpr int bits = sizeof(K) * 8;

 public:
  using TempStorage = detail::sort_storage<K, V, N, X * Y * Z>;
  PORTER_D BlockRadixSort() {}
  PORTER_D BlockRadixSort(TempStorage &temp) : base(temp) {}
#define PORTER_SORT(name, down)                                                                 \
  PORTER_D void name(K (&keys)[N], int begin = 0, int end = bits) {                             \
    unsigned from[N];                                                                           \
    sort(keys, from, {begin, end, down});                                                       \
  }                                                                                             \
  template <class U>                                                                            \
  PORTER_D void name(K (&keys)[N], U (&values)[N], int begin = 0, int end = bits) {             \
    unsigned from[N];                                                                           \
    sort(keys, from, {begin, end, down});                                                       \
    detail::follow(temp_.values, detail::rank(), values, from, [] { __syncthreads(); });        \
  }                                                                                             \
  PORTER_D void name##BlockedToStriped(K (&keys)[N], int begin = 0, int end = bits) {           \
    name(keys, begin, end);                                                                     \
    striped(temp_.keys.keys, keys);                                                             \
  }                                                                                             \
  template <class U>                                                                            \
  PORTER_D void name##BlockedToStriped(K (&keys)[N], U (&values)[N], int begin = 0, int end = bits) { \
    name(keys, values, begin, end);                                                             \
    striped(temp_.keys.keys, keys);                                                             \
    striped(temp_.values, values);                                                              \
  }
  PORTER_SORT(Sort, false)
  PORTER_SORT(SortDescending, true)
#undef PORTER_SORT

 private:
  PORTER_D void sort(K (&keys)[N], unsigned (&from)[N], porter::parallel::RadixLess<K> less) {
    detail::sort_tile<N, size>(temp_.keys, detail::rank(), keys, from, less, [] { __syncthreads(); });
  }
  template <class Room, class T>
  PORTER_D static void striped(Room &room, T (&items)[N]) {
    unsigned from[N];
    for (unsigned i = 0; i < N; ++i) from[i] = detail::rank() + i * size;
    detail::follow(room, detail::rank(), items, from, [] { __syncthreads(); });
  }
};

namespace detail {
template <class K, int Size, int N, class V, bool Warp>
class merge_sort : stored<sort_storage<K, V, N, Size>> {
  using base = stored<sort_storage<K, V, N, Size>>;
  using base::temp_;

 public:
  using TempStorage = sort_storage<K, V, N, Size>;
  PORTER_D merge_sort() {}
  PORTER_D merge_sort(TempStorage &temp) : base(temp) {}
  template <class Less>
  PORTER_D void Sort(K (&keys)[N], Less less) {
    unsigned from[N];
    sort_tile<N, Size>(temp_.keys, at(), keys, from, less, meet);
  }
  template <class Less>
  PORTER_D void Sort(K (&keys)[N], V (&values)[N], Less less) {
    unsigned from[N];
    sort_tile<N, Size>(temp_.keys, at(), keys, from, less, meet);
    follow(temp_.values, at(), values, from, meet);
  }
  // Items past the valid ones count as `other`.
  template <class Less>
  PORTER_D void Sort(K (&keys)[N], Less less, int valid, K other) {
    fill(keys, valid, other);
    Sort(keys, less);
  }
  template <class Less>
  PORTER_D void Sort(K (&keys)[N], V (&values)[N], Less less, int valid, K other) {
    fill(keys, valid, other);
    Sort(keys, values, less);
  }
  template <class... A>
  PORTER_D void StableSort(A &&...arguments) { Sort(arguments...); }

 private:
  PORTER_D static unsigned at() { return Warp ? rank() % Size : rank(); }
  PORTER_D static void meet() {
    if constexpr (Warp) detail::meet();
    else __syncthreads();
  }
  PORTER_D static void fill(K (&keys)[N], int valid, K other) {
    for (int i = 0; i < N; ++i)
      if (int(at()) * N + i >= valid) keys[i] = other;
  }
};
}  // namespace detail

template <class K, int X, int N, class V = NullType, int Y = 1, int Z = 1>
class BlockMergeSort : public detail::merge_sort<K, X * Y * Z, N, V, false> {
  static_assert(PowerOfTwo<X * Y * Z>::VALUE, "hipCUB's BlockMergeSort needs a power of two of threads");
  using base = detail::merge_sort<K, X * Y * Z, N, V, false>;

 public:
  PORTER_D BlockMergeSort() {}
  PORTER_D explicit BlockMergeSort(typename base::TempStorage &temp) : base(temp) {}
};
template <class K, int N, int Width = HIPCUB_DEVICE_WARP_THREADS, class V = NullType, int Arch = HIPCUB_ARCH>
class WarpMergeSort : public detail::merge_sort<K, Width, N, V, true> {
  static_assert(PowerOfTwo<Width>::VALUE);
  using base = detail::merge_sort<K, Width, N, V, true>;

 public:
  PORTER_D WarpMergeSort(typename base::TempStorage &temp) : base(temp) {}
  PORTER_D unsigned get_linear_tid() { return detail::rank() % Width; }
};

}  // namespace hipcub

#endif
