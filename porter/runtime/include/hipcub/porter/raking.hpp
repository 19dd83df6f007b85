// porter's stand-in for hipCUB: storage without a constructor, and the layout by which few threads go over a block's values.
#ifndef PORTER_HIPCUB_RAKING
#define PORTER_HIPCUB_RAKING
#pragma clang system_header

#include "types.hpp"

namespace hipcub {

template <class T>
struct Uninitialized {
  alignas(T) unsigned char storage[sizeof(T)];
  PORTER_HD T &Alias() { return reinterpret_cast<T &>(*this); }
};

namespace detail {

// hipCUB rakes with the threads of a 64-lane wave, or of the power of two that holds a smaller block.
constexpr int raking_lanes(int threads, int lanes = 1) {
  return lanes >= threads || lanes == HIPCUB_DEVICE_WARP_THREADS ? lanes : raking_lanes(threads, lanes * 2);
}

}  // namespace detail

template <class T, int Threads, int Arch = HIPCUB_ARCH>
struct BlockRakingLayout {
  enum {
    SHARED_ELEMENTS = Threads,
    MAX_RAKING_THREADS = detail::raking_lanes(Threads),
    SEGMENT_LENGTH = (SHARED_ELEMENTS + MAX_RAKING_THREADS - 1) / MAX_RAKING_THREADS,
    RAKING_THREADS = (SHARED_ELEMENTS + SEGMENT_LENGTH - 1) / SEGMENT_LENGTH,
    USE_SEGMENT_PADDING = SEGMENT_LENGTH > 2 && SEGMENT_LENGTH % 2 == 0,
    GRID_ELEMENTS = RAKING_THREADS * (SEGMENT_LENGTH + USE_SEGMENT_PADDING),
    UNGUARDED = SHARED_ELEMENTS % RAKING_THREADS == 0
  };
  struct alignas(16) _TempStorage {
    T buff[GRID_ELEMENTS];
  };
  struct TempStorage : Uninitialized<_TempStorage> {};

  static PORTER_D T *PlacementPtr(TempStorage &storage, unsigned thread) {
    return storage.Alias().buff + thread + (USE_SEGMENT_PADDING ? thread / SEGMENT_LENGTH : 0);
  }
  static PORTER_D T *RakingPtr(TempStorage &storage, unsigned thread) {
    return storage.Alias().buff + thread * (SEGMENT_LENGTH + USE_SEGMENT_PADDING);
  }
};

}  // namespace hipcub

#endif
