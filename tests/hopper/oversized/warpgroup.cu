#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// A warpgroup multiplies 64 x 64 by 64 x 64 that tensor maps bring, of 150 KB: B lies past the first 128 KiB.
__device__ uint32_t shared(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }
__device__ uint64_t descriptor(const void *p) {
  return uint64_t(shared(p) >> 4 & 0x3fff) | uint64_t(1) << 16 | uint64_t(1024 >> 4) << 32 | uint64_t(1) << 62;
}
__device__ void load(void *to, const CUtensorMap *map, uint64_t *bar, int row) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
               ::"r"(shared(to)), "l"(map), "r"(0), "r"(row), "r"(shared(bar)) : "memory");
}

__global__ void __launch_bounds__(128) product(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float *c) {
  extern __shared__ __align__(1024) unsigned char memory[];
  unsigned char *as = memory + 4096, *bs = memory + 139264;
  __shared__ uint64_t word;
  uint64_t *bar = &word;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared(bar)));
    asm volatile("fence.proxy.async;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared(bar)), "r"(16384) : "memory");
    load(as, &a, bar, blockIdx.x * 64);
    load(bs, &b, bar, blockIdx.x * 64);
  }
  uint32_t done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(shared(bar)) : "memory");
  float d[4] = {};
  for (int part = 0; part < 8; ++part) {  // eight columns at a time
    for (int i = 0; i < 4; ++i) d[i] = 0;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int k = 0; k < 4; ++k)
      asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                   : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                   : "l"(descriptor(as + 32 * k)), "l"(descriptor(bs + part * 1024 + 32 * k)));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    const int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, column = part * 8 + threadIdx.x % 4 * 2;
    for (int i = 0; i < 4; ++i) c[blockIdx.x * 4096 + (row + i / 2 * 8) * 64 + column + i % 2] = d[i];
  }
}

int main() {
  const int blocks = 3, count = blocks * 4096, bytes = 150000;
  static __nv_bfloat16 ha[count], hb[count];
  static float hc[count];
  __nv_bfloat16 *a, *b;
  float *c;
  for (int i = 0; i < count; ++i) ha[i] = __float2bfloat16(float(i * 7 % 13 - 6)), hb[i] = __float2bfloat16(float(i * 5 % 11 - 5));
  cudaMalloc(&a, sizeof ha), cudaMalloc(&b, sizeof hb), cudaMalloc(&c, sizeof hc);
  cudaMemcpy(a, ha, sizeof ha, cudaMemcpyHostToDevice), cudaMemcpy(b, hb, sizeof hb, cudaMemcpyHostToDevice);
  CUtensorMap maps[2];
  const cuuint64_t sizes[] = {64, cuuint64_t(64 * blocks)}, strides[] = {128};
  const cuuint32_t box[] = {64, 64}, steps[] = {1, 1};
  for (int i = 0; i < 2; ++i)
    if (cuTensorMapEncodeTiled(&maps[i], CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, i == 0 ? a : b, sizes, strides, box, steps,
                               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
      return printf("FAILED\n"), 1;
  cudaFuncSetAttribute(product, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  product<<<blocks, 128, bytes>>>(maps[0], maps[1], c);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return printf("FAILED\n"), 1;
  cudaMemcpy(hc, c, sizeof hc, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int g = 0; g < blocks; ++g)
    for (int i = 0; i < 64; ++i)
      for (int j = 0; j < 64; ++j) {
        float sum = 0;
        for (int k = 0; k < 64; ++k) sum += __bfloat162float(ha[g * 4096 + i * 64 + k]) * __bfloat162float(hb[g * 4096 + j * 64 + k]);
        wrong += sum != hc[g * 4096 + i * 64 + j];
      }
  printf("%s: %d wrong\n", wrong ? "FAILED" : "PASSED", wrong);
  return wrong != 0;
}
