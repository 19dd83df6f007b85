// A local variable that may be unwritten, and what comes of it. It is an element of an array, so that the optimiser
// cannot see that nobody writes it: a[n - 1] holds something for n up to 8.
#include <hip/hip_runtime.h>

#define KERNEL extern "C" __global__ void
#define ARRAY int a[128]; for (int k = 0; k < 8; k++) a[(in[k] + k) & 7] = k;
KERNEL stored(int *out, const int *in, int n) {
  ARRAY
  out[threadIdx.x] = a[n - 1];
}
KERNEL branched(int *out, const int *in, int n) {
  ARRAY
  if (a[n - 1] > 3) out[threadIdx.x] = 1;
}
KERNEL uniform_branch(int *out, const int *in, int n) {
  ARRAY
  if (__builtin_amdgcn_readfirstlane(a[n - 1]) > 3) out[threadIdx.x] = 1;
}
KERNEL uniform_loop(int *out, const int *in, int n) {
  ARRAY
  const int times = __builtin_amdgcn_readfirstlane(a[n - 1]) & 3;
  for (int k = 0; k < times; k++) out[threadIdx.x + k] = k;
}
KERNEL scalar_address(int *out, const int *in, int n) {
  ARRAY
  out[threadIdx.x] = in[__builtin_amdgcn_readfirstlane(a[n - 1]) & 3];
}
KERNEL scalar_sum(int *out, const int *in, int n) {
  ARRAY
  out[threadIdx.x] = 3 * __builtin_amdgcn_readfirstlane(a[n - 1]) + 1;
}
KERNEL flag(int *out, const int *in, int n) {
  ARRAY
  const bool big = a[n - 1] > 3;
  if (big && in[0] < 100) out[threadIdx.x] = 1;
}
KERNEL chosen(int *out, const int *in, int n) {
  ARRAY
  const int v = a[n - 1];
  out[threadIdx.x] = in[threadIdx.x & 7] > 2 ? v : 5;
}
KERNEL not_chosen(int *out, const int *in, int n) {
  ARRAY
  const int v = a[n - 1];
  out[threadIdx.x] = in[threadIdx.x & 7] > 99 ? v : 5;
}
KERNEL masked(int *out, const int *in, int n) {
  ARRAY
  out[threadIdx.x] = (__builtin_amdgcn_readfirstlane(a[n - 1]) & (n - 1 < 8 ? -1 : 0)) + 5;
}
__device__ __attribute__((noinline)) int parameter(int x, int *out) { return x > 2 ? out[0] : 1; }
KERNEL passed(int *out, const int *in, int n) {
  ARRAY
  out[threadIdx.x] = parameter(a[n - 1], out);
}
KERNEL spilled(int *out, const int *in, int n) {
  ARRAY
  const int kept = __builtin_amdgcn_readfirstlane(a[n - 1]);
#define TEN(N) "s" #N "0", "s" #N "1", "s" #N "2", "s" #N "3", "s" #N "4", "s" #N "5", "s" #N "6", "s" #N "7", "s" #N "8", "s" #N "9"
  asm volatile("" ::: "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", TEN(1), TEN(2), "s30", "s31", "s33",
               "s34", "s35", "s36", "s37", "s38", "s39", TEN(4), TEN(5), TEN(6), TEN(7), TEN(8), TEN(9), "s100", "s101");
  out[threadIdx.x] = kept;
}
