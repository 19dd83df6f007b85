// A mock, for tests alone: porter/warp.h on the lanes of hip/hip_runtime.h beside it.
#pragma once

#include <hip/hip_runtime.h>

#include <cstring>

namespace porter {

inline unsigned lane_id() { return mock::thread.x & 31u; }
inline unsigned warp_base() { return mock::thread.x & 32u; }
inline unsigned activemask() { return unsigned(mock::active >> warp_base()); }
inline unsigned ballot_sync(unsigned mask, bool yes) {
  return unsigned(mock::ballot(yes, mock::partners(mask)) >> warp_base());
}
inline unsigned ballot(bool yes) { return ballot_sync(~0u, yes); }
inline int any_sync(unsigned mask, bool yes) { return ballot_sync(mask, yes) != 0; }
inline int all_sync(unsigned mask, bool yes) { return ballot_sync(mask, !yes) == 0; }
inline unsigned lanemask_eq() { return 1u << lane_id(); }
inline unsigned lanemask_lt() { return lanemask_eq() - 1u; }
inline void syncwarp(unsigned = ~0u) { mock::exchange(0, mock::partners()); }

template <class T>
T moved(unsigned mask, T value, int lane) {
  static_assert(sizeof(T) <= 8, "enough for the tests");
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  bits = mock::exchange(bits, mock::partners(mask))[warp_base() + unsigned(lane)];
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}
inline int section(int width) { return int(lane_id()) & ~(width - 1); }
template <class T>
T shfl_sync(unsigned mask, T value, int lane, int width = 32) {
  return moved(mask, value, section(width) + (lane & (width - 1)));
}
template <class T>
T shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  int from = int(lane_id()) - int(delta);
  return moved(mask, value, from < section(width) ? int(lane_id()) : from);
}
template <class T>
T shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  int from = int(lane_id() + delta);
  return moved(mask, value, from >= section(width) + width ? int(lane_id()) : from);
}
template <class T>
T shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32) {
  int from = int(lane_id()) ^ lanes;
  return moved(mask, value, from >= section(width) + width ? int(lane_id()) : from);
}
template <class T>
unsigned match_any_sync(unsigned mask, T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  auto all = mock::exchange(bits, mock::partners(mask));
  unsigned same = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    same |= unsigned((mask & activemask()) >> lane & 1u & unsigned(all[warp_base() + lane] == bits)) << lane;
  return same;
}
template <class T>
unsigned match_all_sync(unsigned mask, T value, int* predicate) {
  unsigned same = match_any_sync(mask, value);
  *predicate = same == (mask & activemask());
  return *predicate ? mask : 0u;
}

}  // namespace porter
