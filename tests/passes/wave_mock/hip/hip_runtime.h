// A mock, for tests alone: runs the blocks of a kernel on the CPU, one fiber a thread, in waves of WAVE lanes.
//
// WAVE is 32 for CUDA sources and 64 for ports. A shuffle waits until no lane of its wave can go on without
// it. What it reads from a lane that did not take part is whatever that lane exchanged last.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <ucontext.h>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __restrict__
#define __shared__ thread_local
#define __launch_bounds__(...)

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
static dim3 threadIdx, blockIdx, blockDim, gridDim;
static const int warpSize = WAVE;
using std::max;
using std::min;
inline float rsqrtf(float x) { return 1.0f / std::sqrt(x); }

namespace mock {

enum State { running, at_wave, at_block, gone };
struct Fiber {
  ucontext_t context;
  std::vector<char> stack = std::vector<char>(64 << 10);
  State state = running;
  double slot[2] = {};
  int turn = 0;
};
static std::vector<Fiber> fibers;
static ucontext_t scheduler;
static unsigned current;
static std::function<void()> body;

inline void wait(State state) {
  fibers[current].state = state;
  unsigned self = current;
  swapcontext(&fibers[self].context, &scheduler);
  current = self;
  threadIdx = dim3(self, 0, 0);
}

inline void entry() {
  body();
  fibers[current].state = gone;
  swapcontext(&fibers[current].context, &scheduler);
}

// Lets those of the threads [first, last) go on that wait in `state`, once none of them runs.
inline bool release(unsigned first, unsigned last, State state) {
  bool any = false;
  for (unsigned t = first; t < last; ++t) {
    if (fibers[t].state == running || (state == at_block && fibers[t].state == at_wave)) return false;
    any = any || fibers[t].state == state;
  }
  for (unsigned t = first; any && t < last; ++t)
    if (fibers[t].state == state) fibers[t].state = running;
  return any;
}

inline void block(unsigned threads) {
  fibers = std::vector<Fiber>(threads);
  for (Fiber& fiber : fibers) {
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.data();
    fiber.context.uc_stack.ss_size = fiber.stack.size();
    fiber.context.uc_link = &scheduler;
    makecontext(&fiber.context, entry, 0);
  }
  for (bool progress = true; progress;) {
    progress = false;
    for (unsigned t = 0; t < threads; ++t) {
      if (fibers[t].state != running) continue;
      current = t;
      threadIdx = dim3(t, 0, 0);
      swapcontext(&scheduler, &fibers[t].context);
      progress = true;
    }
    for (unsigned first = 0; first < threads; first += WAVE)
      progress = release(first, std::min<unsigned>(first + WAVE, threads), at_wave) || progress;
    progress = release(0, threads, at_block) || progress;
  }
  for (Fiber& fiber : fibers)
    if (fiber.state != gone) {
      std::printf("the block hangs\n");
      std::exit(1);
    }
}

template <class Kernel>
void launch(dim3 grid, dim3 threads, Kernel kernel) {
  gridDim = grid;
  blockDim = threads;
  body = kernel;
  for (unsigned b = 0; b < grid.x; ++b) {
    blockIdx = dim3(b, 0, 0);
    block(threads.x);
  }
}

template <class T>
T exchange(T value, int source) {
  static_assert(sizeof(T) <= sizeof(double));
  Fiber& self = fibers[current];
  int turn = self.turn ^= 1;
  std::memcpy(&self.slot[turn], &value, sizeof(T));
  unsigned wave = current / WAVE * WAVE;
  wait(at_wave);
  T result;
  std::memcpy(&result, &fibers[wave + source].slot[turn], sizeof(T));
  return result;
}

inline int lane() { return current % WAVE; }

}  // namespace mock

template <class T>
T __shfl(T v, int source, int width = WAVE) {
  return mock::exchange(v, mock::lane() / width * width + source % width);
}
template <class T>
T __shfl_up(T v, unsigned delta, int width = WAVE) {
  int lane = mock::lane(), at = lane - int(delta);
  return mock::exchange(v, at < lane / width * width ? lane : at);
}
template <class T>
T __shfl_down(T v, unsigned delta, int width = WAVE) {
  int lane = mock::lane(), at = lane + int(delta);
  return mock::exchange(v, at >= (lane / width + 1) * width ? lane : at);
}
template <class T>
T __shfl_xor(T v, int mask, int width = WAVE) {
  int lane = mock::lane(), at = lane ^ mask;
  return mock::exchange(v, at >= (lane / width + 1) * width ? lane : at);
}
template <class T>
T __shfl_sync(unsigned, T v, int source, int width = WAVE) { return __shfl(v, source, width); }
template <class T>
T __shfl_up_sync(unsigned, T v, unsigned delta, int width = WAVE) { return __shfl_up(v, delta, width); }
template <class T>
T __shfl_down_sync(unsigned, T v, unsigned delta, int width = WAVE) { return __shfl_down(v, delta, width); }
template <class T>
T __shfl_xor_sync(unsigned, T v, int mask, int width = WAVE) { return __shfl_xor(v, mask, width); }

inline void __syncthreads() { mock::wait(mock::at_block); }
template <class T>
T atomicAdd(T* address, T value) {
  T old = *address;
  *address += value;
  return old;
}
