// Small accesses: what two waves do to one word is a race only where they meet in a byte.
#include <hip/hip_runtime.h>

#define KERNEL extern "C" __global__ void __launch_bounds__(512)

typedef int int4_ __attribute__((ext_vector_type(4)));
struct Step { int group, wave, write, size, start, stride, lanes; };  // wave -1: a barrier for everybody

#define GLOBAL __attribute__((address_space(1)))
#define LDS __attribute__((address_space(3)))

// The address is made where it is used: a loop that loads from where it did before would be taken for one that polls.
#define TOUCH(SPACE, TYPE)                                      \
  if (s.size == sizeof(TYPE)) {                                 \
    asm volatile("v_add_u32 %0, 0, %0" : "+v"(at));             \
    volatile SPACE TYPE *place = (volatile SPACE TYPE *)(x + at); \
    if (s.write) *place = (TYPE)value;                          \
    else (void)*place;                                          \
  }

// What the plan says, one step after the other; every step writes bytes of its own.
#define FOLLOW(SPACE)                                                                             \
  const int wave = threadIdx.x / 64, lane = threadIdx.x % 64;                                     \
  for (int i = 0; i < count; i++) {                                                               \
    const Step s = plan[i];                                                                       \
    if (s.wave < 0) __syncthreads();                                                              \
    if (s.wave != wave || s.group != (int)blockIdx.x || lane >= s.lanes) continue;                \
    int at = s.start + lane * s.stride, value = (i + 1) * 0x01010101;                             \
    TOUCH(SPACE, unsigned char) TOUCH(SPACE, unsigned short) TOUCH(SPACE, int) TOUCH(SPACE, int4_) \
  }

KERNEL steps_in_global(GLOBAL char *x, const Step *plan, int count) { FOLLOW(GLOBAL) }
KERNEL steps_in_lds(char *, const Step *plan, int count) {
  __shared__ __attribute__((aligned(16))) char here[256];
  LDS char *x = (LDS char *)here;
  FOLLOW(LDS)
}

// An odd number of halves for each workgroup, so that two share a word
KERNEL bump(short *x, int) {
  if (threadIdx.x < 333) x[blockIdx.x * 333 + threadIdx.x] += 1;
}

// Flags that everybody raises
KERNEL raise_byte(unsigned char *x, int) { x[1] = 1; }
KERNEL raise_half(short *x, int) { x[1] = 1; }
KERNEL raise_high_half(short *x, int bits) { 
  unsigned high = bits << 16 | threadIdx.x;
  asm volatile("" : "+v"(high));
  x[1] = (short)(high >> 16);
}
KERNEL number_bytes(unsigned char *x, int) { x[1] = threadIdx.x / 64; }

// Workgroups side by side: each writes a word of its own in every 16 bytes, then one that they share.
KERNEL side_by_side(int *x, int pieces) {
  for (int i = 0; i < pieces; i++) {
    volatile int *piece = x + 4 * i;
    piece[blockIdx.x % 2] = blockIdx.x + 1;
    piece[2] = blockIdx.x + 1;
  }
}
