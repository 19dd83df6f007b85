#include "check.h"

static __device__ int value = 20;
static __global__ void read(int *out) { *out = value; }

int second(int *out) {
  int got;
  read<<<1, 1>>>(out);
  HIP(hipMemcpy(&got, out, 4, hipMemcpyDeviceToHost));
  return got;
}
