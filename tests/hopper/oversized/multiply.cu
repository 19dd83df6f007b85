#include <cstdint>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

// Each warp multiplies its own 16 x 16 by 16 x 8, from 80 KB: A by cp.async, B by a bulk copy that an mbarrier counts.
__device__ uint32_t shared(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__global__ void multiply(const __half *a, const __half *b, float *c) {
  extern __shared__ __align__(128) unsigned char memory[];
  __shared__ int ready;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, block = blockIdx.x * 2 + warp;
  __half *as = reinterpret_cast<__half *>(memory + warp * 1024);
  __half *bs = reinterpret_cast<__half *>(memory + 73728 + warp * 1024);
  uint64_t *bar = reinterpret_cast<uint64_t *>(memory + 79872) + warp;
  if (threadIdx.x == 0) ready = 1;
  if (lane == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared(bar)));
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared(bar)), "r"(256) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 ::"r"(shared(bs)), "l"(b + block * 128), "r"(256), "r"(shared(bar)) : "memory");
  }
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared(as + lane * 8)), "l"(a + block * 256 + lane * 8));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  uint32_t done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(shared(bar)) : "memory");
  uint32_t x[4], y[2];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(shared(as + lane % 16 * 16 + lane / 16 * 8)));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(y[0]), "=r"(y[1]) : "r"(shared(bs + lane % 8 * 16 + lane / 8 % 2 * 8)));
  float d[4] = {};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
  for (int i = 0; i < 4; ++i) c[block * 128 + (lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i] * ready;
}

int main() {
  const int blocks = 9, warps = 2 * blocks, bytes = 80 * 1024;
  __half *a, *b, ha[256 * warps], hb[128 * warps];
  float *c, hc[128 * warps];
  for (int i = 0; i < 256 * warps; ++i) ha[i] = __float2half(float(i * 7 % 13 - 6));
  for (int i = 0; i < 128 * warps; ++i) hb[i] = __float2half(float(i * 5 % 11 - 5));
  cudaMalloc(&a, sizeof ha), cudaMalloc(&b, sizeof hb), cudaMalloc(&c, sizeof hc);
  cudaMemcpy(a, ha, sizeof ha, cudaMemcpyHostToDevice), cudaMemcpy(b, hb, sizeof hb, cudaMemcpyHostToDevice);
  cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  multiply<<<blocks, 64, bytes>>>(a, b, c);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return printf("FAILED\n"), 1;
  cudaMemcpy(hc, c, sizeof hc, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int w = 0; w < warps; ++w)
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 8; ++j) {
        float sum = 0;
        for (int k = 0; k < 16; ++k) sum += __half2float(ha[w * 256 + i * 16 + k]) * __half2float(hb[w * 128 + j * 16 + k]);
        wrong += sum != hc[w * 128 + i * 8 + j];
      }
  printf("%s: %d wrong\n", wrong ? "FAILED" : "PASSED", wrong);
  return wrong != 0;
}
