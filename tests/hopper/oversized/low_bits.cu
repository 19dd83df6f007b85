// Descriptors of matrices are made of the low 18 bits of generic addresses, too: they are those of the shared address.
#include <cstdint>
#include <cstdio>

__global__ void count(int *wrong) {
  extern __shared__ __align__(1024) unsigned char memory[];
  for (int at = threadIdx.x * 16; at < 100000; at += blockDim.x * 16) {
    uint32_t shared = uint32_t(__cvta_generic_to_shared(memory + at));
    if (((reinterpret_cast<uint64_t>(memory + at) ^ shared) & 0x3FFFF) != 0) atomicAdd(wrong, 1);
  }
}

int main() {
  int *wrong, found = -1;
  cudaMalloc(&wrong, sizeof(int));
  cudaMemset(wrong, 0, sizeof(int));
  cudaFuncSetAttribute(count, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
  count<<<5, 128, 100000>>>(wrong);
  cudaMemcpy(&found, wrong, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%s: %d wrong\n", found == 0 ? "PASSED" : "FAILED", found);
  return found != 0;
}
