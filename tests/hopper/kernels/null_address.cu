// Shared addresses made of a null pointer, and a size that an initialiser takes from a constant of device code.
#include <cuda_runtime.h>

#include <cstdio>

__device__ constexpr unsigned bytes = 4096;

static unsigned ask() {
  unsigned size = 0;
  cudaMemcpyFromSymbol(&size, bytes, sizeof(size));
  return size;
}
static unsigned const size = ask();

__device__ unsigned address(const void *base, const void *data) {
  return unsigned(__cvta_generic_to_shared(base)) + unsigned(__cvta_generic_to_shared(data));
}

__global__ void reverse(int *out, const void *nothing) {
  extern __shared__ int words[];
  words[threadIdx.x] = int(threadIdx.x);
  __syncthreads();
  int value;
  asm volatile("ld.shared.b32 %0, [%1];" : "=r"(value) : "r"(address(nullptr, &words[31 - threadIdx.x])));
  out[threadIdx.x] = value + int(address(nothing, words) - address(words, nullptr));
}

int main() {
  int *device, out[32];
  cudaMalloc(&device, sizeof(out));
  reverse<<<1, 32, size>>>(device, nullptr);
  cudaMemcpy(out, device, sizeof(out), cudaMemcpyDeviceToHost);
  int wrong = size != bytes;
  for (int i = 0; i < 32; ++i) wrong += out[i] != 31 - i;
  std::puts(wrong == 0 && cudaGetLastError() == cudaSuccess ? "right" : "wrong");
  return wrong != 0;
}
