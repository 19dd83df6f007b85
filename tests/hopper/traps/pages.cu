#include <cuda_runtime.h>
#include <sys/mman.h>
__global__ void write(int *p) { p[threadIdx.x] = 1; }
int main() {
  void *page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  cudaHostRegister(page, 4096, cudaHostRegisterMapped | cudaHostRegisterReadOnly);
  void *device; cudaHostGetDevicePointer(&device, page, 0);
  write<<<1, 32>>>((int *)device);
  return cudaDeviceSynchronize();
}
