#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

// Sums of each column over chunks of rows that bulk copies bring into a ring of four: 160 KB, one structure, which a
// static_assert keeps at four. The attribute is set where the size is known, the launch is in a helper.
__device__ uint32_t shared(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ void wait(uint64_t *bar, uint32_t parity) {
  uint32_t done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(shared(bar)), "r"(parity) : "memory");
}

template <class T, int Slots, int Rows, int Width>
struct Ring {
  static_assert(Slots == 4 && Rows % 10 == 0 && Width == 128, "the loop below is written for it");
  alignas(128) T chunk[Slots][Rows][Width];
  uint64_t full[Slots];
  uint64_t empty[Slots];
};

template <class R, int Rows>
__global__ void __launch_bounds__(160) sums(const float *x, float *out, int chunks) {
  extern __shared__ __align__(128) uint8_t memory[];
  R &ring = *reinterpret_cast<R *>(memory);
  const float *own = x + size_t(blockIdx.x) * chunks * Rows * 128;
  const int warp = threadIdx.x / 32;
  if (threadIdx.x == 0)
    for (int i = 0; i < 4; ++i) {
      asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared(&ring.full[i])));
      asm volatile("mbarrier.init.shared.b64 [%0], 4;" ::"r"(shared(&ring.empty[i])));
    }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (warp == 4) {
    if (threadIdx.x % 32 == 0)
      for (int i = 0; i < chunks; ++i) {
        const int slot = i & 3;
        if (i >= 4) wait(&ring.empty[slot], (i / 4 - 1) & 1);
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared(&ring.full[slot])), "r"(Rows * 512) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                     ::"r"(shared(ring.chunk[slot])), "l"(own + i * Rows * 128), "r"(Rows * 512), "r"(shared(&ring.full[slot])) : "memory");
      }
  } else {
    float sum = 0;
    for (int i = 0; i < chunks; ++i) {
      const int slot = i & 3;
      wait(&ring.full[slot], i / 4 & 1);
      for (int row = 0; row < Rows; ++row) sum += ring.chunk[slot][row][threadIdx.x];
      __syncwarp();
      if (threadIdx.x % 32 == 0) asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared(&ring.empty[slot])) : "memory");
    }
    out[blockIdx.x * 128 + threadIdx.x] = sum;
  }
}

template <class Kernel, class... Arguments>
cudaError_t start(Kernel kernel, dim3 grid, dim3 block, size_t bytes, Arguments... arguments) {
  kernel<<<grid, block, bytes>>>(arguments...);
  return cudaGetLastError();
}

template <int Rows>
cudaError_t run(const float *x, float *out, int blocks, int chunks) {
  using R = Ring<float, 4, Rows, 128>;
  constexpr size_t bytes = sizeof(R);
  auto kernel = sums<R, Rows>;
  if (auto error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)) return error;
  return start(kernel, dim3(blocks), dim3(160), bytes, x, out, chunks);
}

int main() {
  constexpr int blocks = 3, chunks = 9, rows = 80;
  const int count = blocks * chunks * rows * 128;
  float *x = new float[count], *dx, *out, sums[blocks * 128];
  for (int i = 0; i < count; ++i) x[i] = float(i * 7 % 31 - 15);
  cudaMalloc(&dx, count * sizeof(float)), cudaMalloc(&out, sizeof sums);
  cudaMemcpy(dx, x, count * sizeof(float), cudaMemcpyHostToDevice);
  const cudaError_t error = run<rows>(dx, out, blocks, chunks);
  if (error != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return printf("FAILED: %d\n", int(error)), 1;
  cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < blocks * 128; ++i) {
    float sum = 0;
    for (int row = 0; row < chunks * rows; ++row) sum += x[(i / 128 * chunks * rows + row) * 128 + i % 128];
    wrong += sum != sums[i];
  }
  printf("%s: %d wrong\n", wrong ? "FAILED" : "PASSED", wrong);
  return wrong != 0;
}
