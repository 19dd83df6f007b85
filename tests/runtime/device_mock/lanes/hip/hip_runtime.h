// A mock, for tests alone: device code as 64 threads of the CPU, one for each lane of a wave.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#define __host__
#define __device__

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};

namespace mock {

inline thread_local dim3 thread(0, 0, 0);
inline thread_local uint64_t active = ~uint64_t(0);  // the lanes that run this code with the caller

struct Meeting {
  unsigned arrived = 0, round = 0;
  std::vector<uint64_t> coming = std::vector<uint64_t>(64), seen = std::vector<uint64_t>(64);
  std::condition_variable changed;
};
inline std::mutex door;
inline std::map<uint64_t, Meeting> meetings;

// Every lane of `among` gives a value and gets those of all; another lane's is left over from before.
inline std::vector<uint64_t> exchange(uint64_t value, uint64_t among) {
  std::unique_lock<std::mutex> lock(door);
  Meeting& here = meetings[among];
  here.coming[thread.x] = value;
  unsigned round = here.round;
  if (++here.arrived == unsigned(__builtin_popcountll(among))) {
    here.seen = here.coming;
    here.arrived = 0;
    ++here.round;
    here.changed.notify_all();
  } else {
    here.changed.wait(lock, [&] { return here.round != round; });
  }
  return here.seen;
}
// The active lanes that are in the caller's warp and in `mask`.
inline uint64_t partners(uint32_t mask = ~0u) { return active & uint64_t(mask) << (thread.x & 32); }
inline uint64_t ballot(bool yes, uint64_t among) {
  auto votes = exchange(yes, among);
  uint64_t mask = 0;
  for (int lane = 0; lane < 64; ++lane) mask |= (among >> lane & 1 & votes[lane]) << lane;
  return mask;
}

// `if (Branch b{condition})`: the lanes part, and meet again where b ends.
struct Branch {
  uint64_t before = active;
  bool taken;
  explicit Branch(bool condition) : taken(condition) {
    uint64_t yes = ballot(condition, before);
    active = condition ? yes : before & ~yes;
  }
  ~Branch() { active = before; }
  explicit operator bool() const { return taken; }
};

}  // namespace mock

#define threadIdx mock::thread
inline const dim3 blockDim(64), gridDim(1), blockIdx(0, 0, 0);

inline int __popc(unsigned v) { return __builtin_popcount(v); }
inline int __ffs(int v) { return __builtin_ffs(v); }
inline void __syncthreads() { mock::exchange(0, mock::active); }
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __ockl_grid_sync() { mock::exchange(0, mock::active); }
inline int __ockl_grid_is_valid() { return 1; }
inline void __ockl_multi_grid_sync() {}
inline int __ockl_multi_grid_is_valid() { return 0; }
inline unsigned __ockl_multi_grid_grid_rank() { return 0; }
inline unsigned __ockl_multi_grid_num_grids() { return 1; }
inline unsigned __ockl_multi_grid_size() { return 64; }
inline unsigned __ockl_multi_grid_thread_rank() { return 0; }
