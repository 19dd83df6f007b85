// Kernels that do what no kernel may, each by its name: every one is stopped, or refused, with a reason.
#include "check.h"

__constant__ int constants[64];
__device__ __attribute__((noinline)) int thrice(int n) { return 3 * n; }
__device__ __attribute__((noinline)) int deeper(volatile int *x, int n) {
  volatile int kept[16];
  kept[n & 15] = n;
  return x[1] == 7 ? n : deeper(x, n + 1) + kept[n & 15];
}

// The compiler does not know where it points: it leaves out stores to what it knows to be constant.
template <class T>
__device__ int *hidden(T *pointer) {
  int *p = (int *)pointer;
  asm volatile("" : "+v"(p));
  return p;
}

__global__ void constant() { *hidden(constants) = 1; }
__global__ void argument(int) { *hidden(__builtin_amdgcn_kernarg_segment_ptr()) = 1; }
__global__ void code() { *hidden(thrice) = 1; }
__global__ void recursion(int *x) { *x = deeper(x, 0); }
__global__ void endless(volatile int *x) { while (x[1] != 7) x[0] = 1; }
__global__ void store(int *x) { *x = 1; }
__global__ void odd(int *x) { atomicAdd((int *)((char *)x + 1), 1); }
__global__ void meet(int *x) { if (threadIdx.x < 64) { __syncthreads(); x[0] = 1; } else { __syncthreads(); x[1] = 2; } }
__global__ void hungry(int *x) {
  for (int i = 0; i < 1000; i++) ((int *)malloc(100000))[threadIdx.x] = *x;
}
__global__ void again() {
  void *p = malloc(40);
  free(p);
  free(p);
}

int main(int, char **argv) {
  const std::string what = argv[1];
  int *x = device<int>(64), on_stack[64];
  HIP(hipMemset(x, 0, 256));
  if (what == "constant") constant<<<1, 64>>>();
  if (what == "argument") argument<<<1, 64>>>(3);
  if (what == "code") code<<<1, 64>>>();
  if (what == "recursion") recursion<<<1, 64>>>(x);
  if (what == "endless") endless<<<1, 64>>>(x);
  if (what == "wild") store<<<1, 64>>>((int *)0x123456789abcull);
  if (what == "misaligned") odd<<<1, 64>>>(x);
  if (what == "barriers") meet<<<1, 128>>>(x);
  if (what == "hungry") hungry<<<1, 1>>>(x);
  if (what == "again") again<<<1, 1>>>();
  if (what == "host") store<<<1, 64>>>(on_stack);
  if (what == "freed") {
    HIP(hipFree(x));
    store<<<1, 64>>>(x);
  }
  if (what == "twice") {
    HIP(hipFree(x));
    EXPECT(hipFree(x) == hipErrorInvalidValue);
  }
  return hipDeviceSynchronize() != hipSuccess;
}
