// Kernels that wait: some for good, some for somebody who comes.
#include <hip/hip_runtime.h>

// Wave 0 waits in LDS for wave 1, wave 1 for wave 0 or, where `fair`, for nobody.
extern "C" __global__ void cross_wait(int *out, int fair) {
  __shared__ int flags[2];
  if (threadIdx.x < 2) flags[threadIdx.x] = 0;
  __syncthreads();
  const int wave = threadIdx.x / 64;
  if (wave == 0 || !fair)
    while (__hip_atomic_load(&flags[1 - wave], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP) == 0) __builtin_amdgcn_s_sleep(1);
  __hip_atomic_store(&flags[wave], 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP);
  out[threadIdx.x] = 1;
}

// Workgroup i waits for workgroup i + 1: later ones must run while earlier ones wait.
extern "C" __global__ void chain(int *flags, int *out) {
  if (blockIdx.x + 1 < gridDim.x)
    while (__hip_atomic_load(&flags[blockIdx.x + 1], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) {}
  if (threadIdx.x == 0) __hip_atomic_store(&flags[blockIdx.x], 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  out[blockIdx.x * 64 + threadIdx.x] = 1;
}

// Busy for long without touching memory: no deadlock.
extern "C" __global__ void counts(int *out, int times) {
  int x = threadIdx.x;
  for (int i = 0; i < times; i++) asm volatile("v_xor_b32 %0, 1, %0" : "+v"(x));
  out[threadIdx.x] = x;
}

extern "C" __global__ void two_barriers(int *out) {
  if (threadIdx.x < 64) __builtin_amdgcn_s_barrier();
  else __builtin_amdgcn_s_barrier(), out[0] = 1;
}

extern "C" __global__ void two_barriers_on_a_line(int *out) {
  if (threadIdx.x < 64) __builtin_amdgcn_s_barrier(); else __builtin_amdgcn_s_barrier(), out[0] = 1;
}

__device__ void barrier() { __builtin_amdgcn_s_barrier(); }

// The second wave is a stage behind the first.
extern "C" __global__ void one_barrier_apart(int *out) {
  if (threadIdx.x >= 64) barrier();
  barrier();
  out[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 64) barrier();
}

// Both waves write one place in LDS: wave 0 what it loads, wave 1 at once, and only where `early` without a load of its own.
extern "C" __global__ void late_and_early(const int *in, int *out, int early) {
  __shared__ int place[64];
  const int lane = threadIdx.x % 64;
  int value = -1;
  if (threadIdx.x < 64 || !early) value = in[threadIdx.x];
  place[lane] = value;
  __syncthreads();
  if (threadIdx.x < 64) out[lane] = place[lane];
}

// Counts in memory of one kind, by a function that leaves nothing of it in registers.
__device__ __attribute__((noinline, optnone)) bool another(volatile int *left) { return --*left > 0; }

extern "C" __global__ void counts_in_private(int *out, int times) {
  volatile int left = times;
  while (another(&left)) {}
  out[threadIdx.x] = 7;
}

extern "C" __global__ void counts_in_lds(int *out, int times) {
  __shared__ int left;  // less than a word of the hash: all lanes count it down together
  left = times;
  while (another(&left)) {}
  out[threadIdx.x] = 7;
}

extern "C" __global__ void counts_in_global(int *out, int times) {
  out[64 + threadIdx.x] = times;
  while (another(&out[64 + threadIdx.x])) {}
  out[threadIdx.x] = 7;
}

// Looks at the clock until so many cycles have passed; what it saw at last.
extern "C" __global__ void waits_by_the_clock(unsigned long long *out, unsigned long long cycles, unsigned unit) {
  const unsigned long long start = clock64();
  unsigned long long passed;
  do passed = clock64() - start;
  while (passed / unit < cycles / unit);
  out[blockIdx.x * blockDim.x + threadIdx.x] = passed;
}

// The same by the timer.
extern "C" __global__ void waits_by_the_timer(unsigned long long *out, unsigned long long ticks) {
  const unsigned long long start = wall_clock64();
  while (wall_clock64() - start < ticks) {}
  out[threadIdx.x] = wall_clock64() - start;
}

// The clock before and after a hundred instructions and what they need.
extern "C" __global__ void measures(unsigned long long *out) {
  int x = threadIdx.x;
  for (int i = 0; i < 4; i++) {
    out[2 * i] = clock64();
#pragma unroll
    for (int j = 0; j < 100; j++) asm volatile("v_xor_b32 %0, 1, %0" : "+v"(x));
    out[2 * i + 1] = clock64();
  }
  out[8] = x;
}
