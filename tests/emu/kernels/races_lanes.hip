#include <hip/hip_runtime.h>

// What lanes of one wave store at once. `spread` sets their places apart, `same` their values alike.

extern "C" __global__ void to_lds(int *out, int spread, int same) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  s[spread ? 63 - t : t / 2] = same ? 5 : t;
  __syncthreads();
  out[t] = s[t];
}

extern "C" __global__ void to_memory(int *out, int spread, int same) {
  const int t = threadIdx.x;
  out[spread ? 63 - t : t / 2] = same ? 5 : t;
}

// Bytes of one word are apart.
extern "C" __global__ void bytes(int *out, int spread, int same) {
  const int t = threadIdx.x;
  ((char *)out)[spread ? (t & ~3) + 3 - (t & 3) : t & ~1] = same ? 5 : t;
}

// Places of eight bytes, four of which two lanes share
extern "C" __global__ void overlapping(int *out, int spread, int same) {
  const int t = 63 - threadIdx.x;
  const int value = same ? 5 : t;
  asm volatile("global_store_dwordx2 %0, %1, off\n s_waitcnt vmcnt(0)" ::"v"(out + (spread ? 2 * t : t)),
               "v"((long)value << 32 | value) : "memory");
}

// A wave in part, with places that come back
extern "C" __global__ void some(int *out, int spread, int same) {
  const int t = threadIdx.x;
  if (t % 3 == 1) out[spread ? t ^ 32 : t % 16] = same ? 5 : t;
}

// An atomic orders its lanes.
extern "C" __global__ void counted(int *out, int spread, int same) { atomicExch(out + threadIdx.x / 8, threadIdx.x); }

extern "C" __global__ void two_places(int *out, int spread, int same) {
  __shared__ int s[192];
  const int t = 63 - threadIdx.x;
  int *place = s + (spread ? t : t % 32);
  asm volatile("ds_write2_b32 %0, %1, %2 offset0:0 offset1:96\n s_waitcnt lgkmcnt(0)" ::
               "v"((unsigned)(unsigned long long)(__attribute__((address_space(3))) int *)place), "v"(7), "v"(same ? 5 : t)
               : "memory");
  out[t] = s[t] + s[t + 96];
}
