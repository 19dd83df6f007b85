// Two sources with variables and kernels of the same names.
#include "check.h"

static __device__ int value = 1;
static __global__ void read(int *out) { *out = value; }
int second(int *out);

int main() {
  int *out = device<int>(1), got;
  read<<<1, 1>>>(out);
  HIP(hipMemcpy(&got, out, 4, hipMemcpyDeviceToHost));
  EXPECT(got == 1);
  EXPECT(second(out) == 20);
  const int three = 3;
  HIP(hipMemcpyToSymbol(HIP_SYMBOL(value), &three, 4));
  read<<<1, 1>>>(out);
  HIP(hipMemcpy(&got, out, 4, hipMemcpyDeviceToHost));
  EXPECT(got == 3);
  EXPECT(second(out) == 20);
  puts("end");
}
