// printf of every conversion, and assert.
#include "check.h"

#include <cassert>

__global__ void print(int n) {
  const int i = threadIdx.x;
  if (i < 2)
    printf("%d|%5i|%-5d|%05d|%+d|%u|%o|%#x|%X|%lld|%hhd|%hu|%*d|%c|%s|%.3s|%8s|%p|%%\n", i - 1, 42, 42, 42, 42, 4000000000u,
           8, 255, 255, -5000000000ll, (signed char)-3, (unsigned short)65535, 6, n, 'a' + i, "text", "abcdef", "right",
           (void *)0x1234);
  if (i == 2) printf("%f|%.2f|%10.3e|%g|%a|%-8.1f|\n", 1.5f, 2.0 / 3, 12345.678, 1e-5, 1.0, 9.96);
  if (i == 3) printf("no arguments\n");
  if (i == 4) {
    const int written = printf("12345\n");
    printf("%d written\n", written);
  }
}
__global__ void check(int n) { assert((int)threadIdx.x < n); }

int main() {
  printf("before\n");
  print<<<1, 64>>>(7);
  HIP(hipDeviceSynchronize());
  printf("after\n");
  check<<<1, 64>>>(64);
  HIP(hipDeviceSynchronize());
  check<<<1, 64>>>(63);
  EXPECT(hipDeviceSynchronize() == hipErrorLaunchFailure);
}
