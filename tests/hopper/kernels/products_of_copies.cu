// Threads copy the operands of a warpgroup's products by cp.async and wait for their own copies alone: the product, one
// operation of four warps, begins when all of them have come.
#include <cstdint>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int kTurns = 3;

__device__ uint64_t descriptor(uint32_t place) { return uint64_t(place >> 4) | uint64_t(8) << 16 | uint64_t(16) << 32; }

__device__ void copy(uint32_t to, const __half *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

__global__ void __launch_bounds__(128) k(const __half *a, const __half *b, float *out) {
  extern __shared__ unsigned char memory[];
  const uint32_t at_a = uint32_t(__cvta_generic_to_shared(memory)), at_b = at_a + 2048;
  const int t = threadIdx.x;
  float d[4] = {};
  for (int turn = 0; turn < kTurns; ++turn) {
    copy(at_a + t * 16, a + (turn * 128 + t) * 8);
    if (t % 8 == 0) copy(at_b + t * 2, b + (turn * 16 + t / 8) * 8);
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "l"(descriptor(at_a)), "l"(descriptor(at_b)));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  for (int i = 0; i < 4; ++i) out[t * 4 + i] = d[i];
}

int main() {
  static __half ones[kTurns * 1024], numbers[kTurns * 128];
  float wanted = 0;
  for (auto &one : ones) one = __float2half(1.0f);
  for (int turn = 0; turn < kTurns; ++turn) {
    wanted += 16.0f * (turn + 1);
    for (int i = 0; i < 128; ++i) numbers[turn * 128 + i] = __float2half(turn + 1.0f);
  }
  __half *a, *b;
  float *out, found[512];
  cudaMalloc(&a, sizeof ones);
  cudaMalloc(&b, sizeof numbers);
  cudaMalloc(&out, sizeof found);
  cudaMemcpy(a, ones, sizeof ones, cudaMemcpyHostToDevice);
  cudaMemcpy(b, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  k<<<1, 128, 2048 + 256>>>(a, b, out);
  cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
  for (float one : found)
    if (one != wanted) return printf("%g instead of %g\n", one, wanted), 1;
  return 0;
}
