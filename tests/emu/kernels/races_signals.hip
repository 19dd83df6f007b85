// Races between waves of a workgroup that signal to each other by atomics, in LDS and in global memory.
#include <hip/hip_runtime.h>

#define KERNEL extern "C" __global__ void __launch_bounds__(256)

__device__ int add(int *counter) {
  return __hip_atomic_fetch_add(counter, 1, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_WORKGROUP);
}

// An atomic load would be a plain ds_read.
__device__ int look(int *counter) {
  int nothing = 0;
  asm volatile("" : "+v"(nothing));
  return __hip_atomic_fetch_or(counter, nothing, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP);
}

__device__ void wait_for(int *counter, int count) {
  while (look(counter) < count) __builtin_amdgcn_s_sleep(1);
}

__device__ void dawdle(int turns) {
#pragma unroll 1
  for (int i = 0; i < turns; i++) asm volatile("s_nop 0");
}

#define COUNTERS                                                            \
  __shared__ int value[64], counters[8], own[4];                            \
  const int wave = __builtin_amdgcn_readfirstlane(threadIdx.x / 64);        \
  const int lane = threadIdx.x % 64;                                        \
  if (threadIdx.x < 8) counters[threadIdx.x] = 0;                           \
  if (threadIdx.x < 64) value[lane] = lane;                                 \
  __syncthreads();

// Three waves read and add to one counter, each after the other; the fourth writes when it has seen all of them. It has
// heard before, on another counter, of what the second did after its part.
KERNEL last_of_many(int *x, int ordered) {
  COUNTERS
  int *const count = counters, *const early = counters + 1, *const late = counters + 2;
  int seen = 0;
  if (wave == 0) {
    if (lane == 0) add(early);
    seen = value[lane];
    if (lane == 0) {
      add(count);
      wait_for(late, 1);
    }
  } else if (wave == 1) {
    if (lane == 0) {
      wait_for(count, 1);
      add(count);
      for (int i = 0; i < 8; i++) add(own + 1);
      add(late);
    }
  } else if (wave == 2) {
    seen = value[lane];
    if (lane == 0) add(count);
  } else {
    dawdle(30000);
    if (lane == 0) {
      look(early);
      if (ordered) wait_for(count, 3);
    }
    value[lane] = 1;
  }
  x[blockIdx.x * 256 + threadIdx.x] = seen;
}

// Wave 0 signals, and then hears that wave 1 has written: who takes the signal later has not heard of that.
KERNEL signal_before(int *x, int ordered) {
  COUNTERS
  int *const signal = counters, *const written = counters + 1;
  if (wave == 0 && lane == 0) {
    if (!ordered) add(signal);
    wait_for(written, 1);
    if (ordered) add(signal);
  } else if (wave == 1) {
    value[lane] = 1;
    if (lane == 0) add(written);
  } else if (wave == 2) {
    dawdle(30000);
    if (lane == 0) wait_for(signal, 1);
    x[blockIdx.x * 64 + lane] = value[lane];
  }
}

// Wave 0 has written often when wave 1 hears from it, and writes once more.
KERNEL often(int *x, int ordered) {
  COUNTERS
  volatile int *const mine = own;
  if (wave == 0) {
#pragma unroll 1
    for (int i = 0; i < 70000; i++) *mine = i;
    if (lane == 0) add(counters);
    value[lane] = 1;
    if (lane == 0) add(counters + 1);
  } else if (wave == 1) {
    if (lane == 0) wait_for(counters, 1);
    if (lane == 0 && ordered) wait_for(counters + 1, 1);
    dawdle(30000);
    x[blockIdx.x * 64 + lane] = value[lane];
  }
}

// Global memory that all waves read: the fourth writes it when it has heard from those that count.
KERNEL all_read(int *x, int ordered) {
  COUNTERS
  const int seen = x[lane];
  if (wave == 3) {
    if (lane == 0) wait_for(counters, ordered ? 3 : 2);
    x[lane] = seen + 1;
  } else if (lane == 0 && (ordered || wave != 1)) {
    add(counters);
  }
  x[(blockIdx.x + 1) * 256 + threadIdx.x] = seen;
}

// The same in global memory, where signals are as well.
KERNEL last_of_many_global(int *x, int ordered) {
  const int wave = __builtin_amdgcn_readfirstlane(threadIdx.x / 64), lane = threadIdx.x % 64;
  int *const count = x + 512, *const early = count + 1, *const late = count + 2;
  int seen = 0;
  if (wave == 0) {
    if (lane == 0) add(early);
    seen = x[lane];
    if (lane == 0) {
      add(count);
      wait_for(late, 1);
    }
  } else if (wave == 1) {
    if (lane == 0) {
      wait_for(count, 1);
      add(count);
      add(late);
    }
  } else if (wave == 2) {
    seen = x[lane];
    if (lane == 0) add(count);
  } else {
    dawdle(30000);
    if (lane == 0 && ordered) wait_for(count, 3);
    x[lane] = 1;
  }
  x[256 + threadIdx.x] = seen;
}

KERNEL signal_before_global(int *x, int ordered) {
  const int wave = __builtin_amdgcn_readfirstlane(threadIdx.x / 64), lane = threadIdx.x % 64;
  int *const signal = x + 512, *const written = signal + 1;
  if (wave == 0 && lane == 0) {
    if (!ordered) add(signal);
    wait_for(written, 1);
    if (ordered) add(signal);
  } else if (wave == 1) {
    x[lane] = 1;
    if (lane == 0) add(written);
  } else if (wave == 2) {
    dawdle(30000);
    if (lane == 0) wait_for(signal, 1);
    x[256 + lane] = x[lane];
  }
}

// Wave 1 waits by loads for what wave 0 stores; unordered, wave 0 writes after that.
KERNEL flag_global(int *x, int ordered) {
  const int wave = __builtin_amdgcn_readfirstlane(threadIdx.x / 64), lane = threadIdx.x % 64;
  int *const flag = x + 512;
  if (wave == 0) {
    x[64 + lane] = 1;
    if (ordered) x[lane] = 1;
    if (lane == 0) __hip_atomic_store(flag, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP);
    if (!ordered) x[lane] = 1;
  } else if (wave == 1) {
    while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP) == 0) {}
    dawdle(30000);
    x[256 + lane] = x[lane] + x[64 + lane];
  }
}
