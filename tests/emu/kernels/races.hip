// Pairs of kernels: one that orders its accesses, one that does not.
#include <hip/hip_runtime.h>

#define KERNEL extern "C" __global__ void __launch_bounds__(256)

// Global memory, within a workgroup
KERNEL swap_waves(int *x, int ordered) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  x[i] = i;
  if (ordered) __syncthreads();
  x[i + 65536] = x[i ^ 64];
}

// Between workgroups: the last element of each reads what the next one writes
KERNEL shift_left(int *x, int apart) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int next = x[i + 1];
  __syncthreads();
  x[apart ? i + 65536 : i] = next;
}

KERNEL add_up(int *x, int atomic) {
  if (atomic) atomicAdd(x, 1);
  else x[0] += blockIdx.x + 1;
}

KERNEL raise_flag(int *x, int) { x[0] = 1; }

// Bytes of one word that belong to different waves
KERNEL own_bytes(unsigned char *x, int) { x[threadIdx.x % 64 * 4 + threadIdx.x / 64] = (unsigned char)threadIdx.x; }

// The last workgroup to arrive adds up what the others left
KERNEL last_block(int *x, int counted) {
  __shared__ int last;
  int *partial = x + 1024;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = blockIdx.x;
    __threadfence();
    last = counted ? atomicAdd(x, 1) == (int)gridDim.x - 1 : blockIdx.x == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) atomicAdd(x + 1, partial[threadIdx.x]);
}

// Each workgroup waits for the one before it and uses its result
KERNEL relay(int *x, int waits) {
  volatile int *flags = x;
  int *values = x + 1024;
  if (threadIdx.x == 0) {
    if (waits && blockIdx.x)
      while (flags[blockIdx.x - 1] == 0) {}
    __threadfence();
    values[blockIdx.x] = (blockIdx.x ? values[blockIdx.x - 1] : 0) + 1;
    __threadfence();
    flags[blockIdx.x] = 1;
  }
}

// LDS: an atomic counter, read by everybody
KERNEL count_in_lds(int *x, int ordered) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  if (ordered) __syncthreads();
  x[blockIdx.x * 256 + threadIdx.x] = count;
}

// LDS: wave 0 writes, the others wait for its flag
KERNEL flag_in_lds(int *x, int waits) {
  __shared__ int flag, value[64];
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x < 64) {
    value[threadIdx.x] = threadIdx.x;
    __threadfence_block();
    if (threadIdx.x == 0) __hip_atomic_store(&flag, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_WORKGROUP);
  } else if (waits) {
    while (__hip_atomic_load(&flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_WORKGROUP) == 0) {}
  }
  x[blockIdx.x * 256 + threadIdx.x] = value[threadIdx.x % 64];
}

// Counts: every lane reads `width` bytes of LDS or global memory, `stride` words from its neighbour's
KERNEL lds_stride(int *x, int stride) {
  __shared__ int words[4096];
  for (int i = threadIdx.x; i < 4096; i += 64) words[i] = i;
  __syncthreads();
  x[threadIdx.x] = words[threadIdx.x * stride % 4096];
}
KERNEL lds_wide(int4 *x, int stride) {
  __shared__ int4 words[1024];
  for (int i = threadIdx.x; i < 1024; i += 64) words[i] = int4{i, i, i, i};
  __syncthreads();
  x[threadIdx.x] = words[threadIdx.x * stride % 1024];
}
KERNEL global_stride(int *x, int stride) { x[65536 + threadIdx.x] = x[threadIdx.x * stride]; }

// Halves of one word, written by two lanes of another wave
KERNEL low_halves(short *x, int ordered) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  x[i] = i;
  if (ordered) __syncthreads();
  x[i + 65536] = x[(i ^ 64) & ~1];
}

// Four words at a time and one of them
KERNEL wide_and_narrow(int *x, int ordered) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  ((int4 *)x)[i] = {i, i + 1, i + 2, i + 3};
  if (ordered) __syncthreads();
  x[i + 65536] = x[(i ^ 64) * 4 + 1];
  if (ordered) __syncthreads();
  ((int4 *)x)[i ^ 64] = {i, i, i, i};
}

// The scalar unit looks at the flag: once, or until it is there
#define LOOK(FLAG) \
  asm volatile("s_load_dword %0, %1, 0x0 glc\n\ts_waitcnt lgkmcnt(0)" : "=s"(seen) : "s"(FLAG) : "memory")
#define RAISE(FLAG) asm volatile("s_store_dword %0, %1, 0x0 glc\n\ts_waitcnt lgkmcnt(0)" : : "s"(1), "s"(FLAG) : "memory")
KERNEL relay_scalar(int *x, int waits) {
  const int *flags = x + blockIdx.x;
  int *values = x + 1024 + blockIdx.x, seen = 1;
  if (threadIdx.x == 0) {
    if (blockIdx.x && waits) do LOOK(flags - 1); while (seen == 0);
    if (blockIdx.x && !waits) LOOK(flags - 1);
    values[0] = (blockIdx.x ? values[-1] : 0) + seen;
    __threadfence();
    RAISE(flags);
  }
}

// The same with the first look in front of the loop, as hand-written assembly has it
KERNEL relay_peeled(int *x, int waits) {
  const int *flags = x + blockIdx.x, *before = flags - 1;
  int *values = x + 1024 + blockIdx.x, seen = 1;
  if (threadIdx.x == 0) {
    asm("" : "+s"(before));
    if (blockIdx.x) LOOK(before);
    if (blockIdx.x && waits)
      while (seen == 0) LOOK(before);
    values[0] = (blockIdx.x ? values[-1] : 0) + 1;
    __threadfence();
    RAISE(flags);
  }
}
