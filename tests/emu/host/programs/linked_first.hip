// Calls a device function of another file, writes its variable, launches its kernel.
#include "check.h"
#include "linked.h"

static __device__ int hidden = 7;  // the other file has one of this name

__global__ void sum(int *out) {
  atomicAdd(&total, scaled(threadIdx.x) + hidden);
  if (threadIdx.x == 0) out[0] = factors[3];
}

int main() {
  int *out, got = 0;
  HIP(hipMalloc(&out, sizeof(int)));
  sum<<<1, 64>>>(out);
  add<<<1, 1>>>(5);
  HIP(hipMemcpy(&got, out, sizeof(int), hipMemcpyDeviceToHost));
  EXPECT(got == 40);
  const int wanted = 100 + 3 * 63 * 64 / 2 + 64 * 7 + 5 + 9;
  EXPECT(read_total() == wanted);
  HIP(hipMemcpyFromSymbol(&got, HIP_SYMBOL(total), sizeof got));
  EXPECT(got == wanted);
  puts("end");
}
