// What calls say where HIP_VISIBLE_DEVICES leaves no GPU.
#include "check.h"

__device__ int variable;
__global__ void kernel() {}

int main() {
  int count, one = 1;
  void *memory = nullptr;
  hipStream_t stream = nullptr;
  puts(hipGetErrorName(hipGetDeviceCount(&count)));
  puts(hipGetErrorName(hipMalloc(&memory, 64)));
  puts(hipGetErrorName(hipMemcpyToSymbol(HIP_SYMBOL(variable), &one, sizeof one)));
  kernel<<<1, 64>>>();
  puts(hipGetErrorName(hipGetLastError()));
  puts(hipGetErrorName(hipDeviceSynchronize()));
  puts(hipGetErrorName(hipDeviceReset()));
}
