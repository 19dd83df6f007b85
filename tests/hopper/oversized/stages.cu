// A ring of bulk copies whose depth is an argument of the program; warps have roles.
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("line %d: %s\n", __LINE__, cudaGetErrorString(e)); return 1; } } while (0)
constexpr int STAGE = 8192;
__device__ __forceinline__ uint32_t smem(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void wait(uint32_t bar, uint32_t phase) {
  asm volatile("{\n.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra D;\nbra W;\nD:\n}" ::"r"(bar), "r"(phase) : "memory");
}
__global__ void __launch_bounds__(160) ring(const float *in, float *out, int steps, int stages) {
  extern __shared__ __align__(1024) uint8_t memory[];
  uint64_t *full = reinterpret_cast<uint64_t *>(memory + size_t(stages) * STAGE), *empty = full + stages;
  const int warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(smem(full + s)));
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 4;" ::"r"(smem(empty + s)));
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (warp == 4) {
    if (threadIdx.x % 32 == 0)
      for (int i = 0; i < steps; ++i) {
        const int s = i % stages;
        if (i >= stages) wait(smem(empty + s), (i / stages - 1) & 1);
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(full + s)), "r"(STAGE) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(smem(memory + s * STAGE)),
                     "l"(in + size_t(blockIdx.x * steps + i) * (STAGE / 4)), "r"(STAGE), "r"(smem(full + s))
                     : "memory");
      }
  } else {
    float sum = 0;
    for (int i = 0; i < steps; ++i) {
      const int s = i % stages;
      wait(smem(full + s), (i / stages) & 1);
      const float *part = reinterpret_cast<const float *>(memory + s * STAGE);
      for (int k = threadIdx.x; k < STAGE / 4; k += 128) sum += part[k];
      __syncwarp();
      if (threadIdx.x % 32 == 0) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(smem(empty + s)) : "memory");
    }
    out[blockIdx.x * 128 + threadIdx.x] = sum;
  }
}
int main(int argc, char **argv) {
  for (int stages : {argc > 1 ? atoi(argv[1]) : 3, argc > 2 ? atoi(argv[2]) : 12}) {
    const int steps = 15, blocks = 3;
    const size_t smem_bytes = (size_t)stages * (STAGE + 2 * sizeof(uint64_t));
    std::vector<float> host(blocks * steps * (STAGE / 4)), back(blocks * 128);
    for (size_t i = 0; i < host.size(); ++i) host[i] = float(i % 19);
    float *in, *out;
    CHECK(cudaMalloc(&in, host.size() * 4));
    CHECK(cudaMalloc(&out, back.size() * 4));
    CHECK(cudaMemcpy(in, host.data(), host.size() * 4, cudaMemcpyHostToDevice));
    CHECK(cudaFuncSetAttribute(ring, cudaFuncAttributeMaxDynamicSharedMemorySize, smem_bytes));
    ring<<<blocks, 160, smem_bytes>>>(in, out, steps, stages);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(back.data(), out, back.size() * 4, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int b = 0; b < blocks; ++b)
      for (int t = 0; t < 128; ++t) {
        float sum = 0;
        for (int i = 0; i < steps; ++i)
          for (int k = t; k < STAGE / 4; k += 128) sum += host[size_t(b * steps + i) * (STAGE / 4) + k];
        wrong += back[b * 128 + t] != sum;
      }
    printf("%d stages: %d wrong\n", stages, wrong);
    if (wrong) return 1;
  }
  printf("PASSED: 0 wrong\n");
}
