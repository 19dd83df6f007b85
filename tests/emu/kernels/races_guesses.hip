#include <hip/hip_runtime.h>

// Loops of compare-and-swap that begin with a plain read. Many waves, one address.

extern "C" __global__ void product(int *x, int *out) {
  int old = *x, assumed;
  do {
    assumed = old;
    old = atomicCAS(x, assumed, assumed * 3 + 1);
  } while (old != assumed);
}

extern "C" __global__ void add_doubles(unsigned long long *x, int *out) {
  unsigned long long old = *x, assumed;
  do {
    assumed = old;
    old = atomicCAS(x, assumed, (unsigned long long)__double_as_longlong(1.0 + __longlong_as_double(assumed)));
  } while (assumed != old);
}

extern "C" __global__ void largest(int *x, int *out) {
  int old = x[threadIdx.x % 7], assumed;
  do {
    assumed = old;
    const float most = fmaxf(__int_as_float(assumed), (float)threadIdx.x);
    old = atomicCAS(x + threadIdx.x % 7, assumed, __float_as_int(most));
  } while (old != assumed);
}

extern "C" __global__ void in_lds(int *x, int *out) {
  __shared__ int s[8];
  if (threadIdx.x < 8) s[threadIdx.x] = 0;
  __syncthreads();
  int *at = s + threadIdx.x % 8;
  int old = *at, assumed;
  do {
    assumed = old;
    old = atomicCAS(at, assumed, assumed * 3 + 1);
  } while (old != assumed);
  __syncthreads();
  if (threadIdx.x < 8) out[blockIdx.x * 8 + threadIdx.x] = s[threadIdx.x];
}

// Halves of a word: the other half is kept
extern "C" __global__ void halves(unsigned *x, int *out) {
  unsigned old = *x, assumed;
  do {
    assumed = old;
    const unsigned sum = (assumed & 0xffff) + 3;
    old = atomicCAS(x, assumed, threadIdx.x & 1 ? (assumed & 0xffff0000u) | (sum & 0xffff) : assumed + 0x10000);
  } while (old != assumed);
}

// What is read decides whether anything happens at all.
extern "C" __global__ void gives_up(int *x, int *out) {
  int old = *x, assumed;
  if (old > (int)threadIdx.x) return;
  do {
    assumed = old;
    old = atomicCAS(x, assumed, threadIdx.x);
  } while (old != assumed);
}

// What is read is kept.
extern "C" __global__ void tells(int *x, int *out) {
  const int first = *x;
  int old = first, assumed;
  do {
    assumed = old;
    old = atomicCAS(x, assumed, assumed + 1);
  } while (old != assumed);
  out[blockIdx.x * blockDim.x + threadIdx.x] = first;
}

// What is read is the place of something else.
extern "C" __global__ void follows(int *x, int *out) {
  const int first = *x;
  int old = first, assumed;
  do {
    assumed = old;
    old = atomicCAS(x, assumed, assumed + 1);
  } while (old != assumed);
  atomicAdd(out + (first & 7), 1);
}

// One guess for all tries: what was read decides for how long.
extern "C" __global__ void stubborn(int *x, int *out) {
  const int first = *x;
  for (int i = 0; i < 20; i++)
    if (atomicCAS(x, first, first + 1) == first) break;
}

// The same, and other atomics there besides
extern "C" __global__ void counts_besides(int *x, int *out) {
  int old = *x, assumed;
  do {
    assumed = old;
    old = atomicCAS(x, assumed, assumed * 3 + 1);
  } while (old != assumed);
  atomicAdd(x, 1);
}

// Once, and whoever was late is left out
extern "C" __global__ void once(int *x, int *out) {
  const int first = *x;
  if (atomicCAS(x, first, first + 1) == first) atomicAdd(out, 1);
}

// Another wave stores without an atomic.
extern "C" __global__ void stores(int *x, int *out) {
  if (threadIdx.x >= 128) {
    if (threadIdx.x == 128) *x = 7;
    return;
  }
  int old = *x, assumed;
  do {
    assumed = old;
    old = atomicCAS(x, assumed, assumed * 3 + 1);
  } while (old != assumed);
}

// The read is an atomic one of the whole GPU: it races with no atomic, whatever becomes of its value.
extern "C" __global__ void reads_atomically(int *x, int *out) {
  const int first = __hip_atomic_load(x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  int old = first;
  while (!__hip_atomic_compare_exchange_weak(x, &old, old + 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)) {
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = first;
}

// But with a plain store it does.
extern "C" __global__ void stores_plainly(int *x, int *out) {
  if (threadIdx.x == 64) *x = blockIdx.x + 1;
  out[blockIdx.x * blockDim.x + threadIdx.x] = __hip_atomic_load(x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
