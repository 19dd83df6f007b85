// Generic addresses of another block's shared memory in asm statements, and the size of shared memory that nothing names.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

__global__ void __cluster_dims__(2, 1, 1) exchange(uint32_t *out) {
  __shared__ uint32_t box[64], answer[64];
  uint32_t rank, size, value;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(size));
  box[threadIdx.x] = rank * 100 + threadIdx.x;
  asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  uint64_t from, to;
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(from) : "l"(&box[63 - threadIdx.x]), "r"(rank ^ 1));
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(to) : "l"(&answer[threadIdx.x]), "r"(rank ^ 1));
  asm volatile("ld.relaxed.cluster.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
  asm volatile("st.u32 [%0], %1;" ::"l"(to), "r"(value + 1) : "memory");
  asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  out[blockIdx.x * 64 + threadIdx.x] = answer[threadIdx.x] + size;
}

int main() {
  uint32_t *device, out[128];
  cudaMalloc(&device, sizeof(out));
  exchange<<<2, 64, 768>>>(device);
  cudaMemcpy(out, device, sizeof(out), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < 128; ++i) wrong += out[i] != i / 64 * 100 + 63 - i % 64 + 1 + 768;
  std::puts(wrong == 0 && cudaGetLastError() == cudaSuccess ? "right" : "wrong");
  return wrong != 0;
}
