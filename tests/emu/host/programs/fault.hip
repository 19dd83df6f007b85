// A kernel that leaves its memory: what HIP says afterwards.
#include "check.h"

__global__ void store(int *x, int n) { x[blockIdx.x * blockDim.x + threadIdx.x + n] = 1; }

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "past";
  int *x = device<int>(100), *y = device<int>(64), on_stack[64];
  if (!strcmp(what, "freed")) HIP(hipFree(y));
  int *target = !strcmp(what, "host") ? on_stack : !strcmp(what, "null") ? nullptr : !strcmp(what, "freed") ? y : x;
  const int n = !strcmp(what, "past") ? 40 : 0;
  store<<<1, 64>>>(target, n);
  EXPECT(hipDeviceSynchronize() == hipErrorIllegalAddress);
  EXPECT(hipGetLastError() == hipErrorIllegalAddress);
  EXPECT(hipGetLastError() == hipErrorIllegalAddress);
  store<<<1, 64>>>(x, 0);
  EXPECT(hipMemcpy(on_stack, x, 4, hipMemcpyDeviceToHost) == hipErrorIllegalAddress);
  HIP(hipDeviceReset());
  store<<<1, 64>>>(x, 0);
  HIP(hipMemcpy(on_stack, x, 4, hipMemcpyDeviceToHost));
  EXPECT(on_stack[0] == 1);
  return 3;
}
