// Copies in an unrolled loop, with zeros past the end of the source or from a size on; stored behind the loop.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

constexpr int kThreads = 128, kRows = 5;  // the last round has threads without a row

__device__ void wait();
constexpr auto kWait = wait;  // so that the kernel does not hold its copies until then
__device__ void wait() { asm volatile("cp.async.wait_all;" ::: "memory"); }

template <int Rounds>
__device__ void load(uint32_t to, const float4 *from, int count, int odd) {
#pragma unroll
  for (int i = 0; i < Rounds; i++) {
    int at = i * kThreads + threadIdx.x;
    if (at < count) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + at * 16), "l"(from + at) : "memory");
    } else if (at < Rounds * kThreads) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to + at * 16), "l"(from + at % count), "r"(odd)
                   : "memory");
    }
  }
  asm volatile("cp.async.commit_group;" ::: "memory");
}

__global__ void k(const float4 *from, float4 *out, int count, int odd) {
  __shared__ float4 memory[kRows * kThreads];
  load<kRows>(uint32_t(__cvta_generic_to_shared(memory)), from, count, odd);
  wait();
  __syncthreads();
  for (int i = threadIdx.x; i < kRows * kThreads; i += kThreads) out[i] = memory[kRows * kThreads - 1 - i];
}

int main() {
  constexpr int all = kRows * kThreads, count = all - 50;
  static float4 numbers[all], found[all];
  for (int i = 0; i < all; ++i) numbers[i] = make_float4(i, i + 0.25f, i + 0.5f, i + 0.75f);
  float4 *from, *out;
  cudaMalloc(&from, sizeof numbers);
  cudaMalloc(&out, sizeof found);
  cudaMemcpy(from, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  for (int odd = 0; odd <= 16; odd += 4) {
    k<<<1, kThreads>>>(from, out, count, odd);
    cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
    for (int i = 0; i < all; ++i) {
      const float4 f = found[all - 1 - i];
      const float got[4] = {f.x, f.y, f.z, f.w};
      for (int c = 0; c < 4; ++c) {
        const float wanted = i < count ? i + c * 0.25f : c * 4 < odd ? (i % count) + c * 0.25f : 0.0f;
        if (got[c] != wanted) return printf("%d.%d: %g instead of %g (%d bytes)\n", i, c, got[c], wanted, odd), 1;
      }
    }
  }
  return 0;
}
