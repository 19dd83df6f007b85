#include <cstdint>
#include <cuda_runtime.h>

__device__ inline uint32_t at(uint64_t *barrier) { return uint32_t(__cvta_generic_to_shared(barrier)); }

// The third group produces what the others wait for.
__global__ void roles(int *out) {
  __shared__ uint64_t full;
  __shared__ int value;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&full)));
  __syncthreads();
  if (threadIdx.x / 128 == 2) {
    if (threadIdx.x == 256) {
      value = 7;
      asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at(&full)) : "memory");
    }
  } else {
    asm volatile(
        "{\n.reg .pred p;\nwait:\nmbarrier.try_wait.parity.shared.b64 p, [%0], 0;\n@p bra done;\nbra wait;\ndone:\n}" ::"r"(
            at(&full))
        : "memory");
    out[threadIdx.x] = value;
  }
}

int main() {
  int *out;
  cudaMalloc(&out, 4096);
  roles<<<1, GROUPS * 128>>>(out);
  return cudaDeviceSynchronize();
}
