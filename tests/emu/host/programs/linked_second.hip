// What linked_first.hip uses.
#include "check.h"
#include "linked.h"

static __device__ int hidden = 9;

__device__ int total = 100;
__constant__ int factors[4] = {10, 20, 30, 40};
__device__ int scaled(int value) { return 3 * value; }
__global__ void add(int by) { total += by + hidden; }

int read_total() {
  int got = 0;
  HIP(hipMemcpyFromSymbol(&got, HIP_SYMBOL(total), sizeof got));
  return got;
}
