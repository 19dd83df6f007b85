// Barriers of libcu++ between threads that have no roles, with copies that they wait for.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/cmath>
#include <cuda/std/utility>
#include <cstdio>

#pragma nv_diag_suppress static_var_with_dynamic_init

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cg = cooperative_groups;

__global__ void sum_of_neighbours(const int *in, int *out, int n) {
  __shared__ barrier bar;
  alignas(16) __shared__ int tile[256];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  for (int first = blockIdx.x * 256; first < n; first += gridDim.x * 256) {
    cuda::memcpy_async(block, tile, in + first, cuda::aligned_size_t<16>(sizeof(int) * 256), bar);
    bar.arrive_and_wait();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) out[first + i] = tile[i] + tile[(i + 1) % 256];
    barrier::arrival_token token = bar.arrive();
    bar.wait(cuda::std::move(token));
  }
}

__global__ void each_its_own(const float4 *in, float4 *out) {
  __shared__ float4 tile[128];
  __shared__ barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(float4), bar);
  auto token = bar.arrive();
  out[128 + threadIdx.x] = in[threadIdx.x];
  bar.wait(std::move(token));
  out[threadIdx.x] = tile[127 - threadIdx.x];
}

// Blocks meet at a barrier in global memory.
__global__ void over_blocks(cuda::barrier<cuda::thread_scope_device> *bar, int *slots, int *out) {
  slots[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x * 1000 + threadIdx.x;
  bar->arrive_and_wait();
  out[blockIdx.x * blockDim.x + threadIdx.x] = slots[(blockIdx.x + 1) % gridDim.x * blockDim.x + threadIdx.x];
}
__global__ void prepare(cuda::barrier<cuda::thread_scope_device> *bar, int n) { init(bar, n); }

int main() {
  const int n = 2048;
  int *in, *out;
  cudaMalloc(&in, 4 * n);
  cudaMalloc(&out, 4 * n);
  int host[n], got[n];
  for (int i = 0; i < n; ++i) host[i] = i * i;
  cudaMemcpy(in, host, 4 * n, cudaMemcpyHostToDevice);
  static_assert(cuda::ceil_div(n + 1, 256u) == 9 && cuda::round_up(n - 1, 256) == n && cuda::round_down(n + 5, 256) == n);
  sum_of_neighbours<<<cuda::ceil_div(n, 1024), 96>>>(in, out, n);
  cudaMemcpy(got, out, 4 * n, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += got[i] != host[i] + host[i / 256 * 256 + (i + 1) % 256];
  printf("sum_of_neighbours: %d wrong\n", wrong);
  each_its_own<<<1, 128>>>((float4 *)in, (float4 *)out);
  cudaMemcpy(got, out, 4 * n, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < 512; ++i) bad += got[i] != host[(127 - i / 4) * 4 + i % 4];
  for (int i = 0; i < 512; ++i) bad += got[512 + i] != host[i];
  printf("each_its_own: %d wrong\n", bad);
  cuda::barrier<cuda::thread_scope_device> *bar;
  cudaMalloc(&bar, sizeof *bar);
  prepare<<<1, 1>>>(bar, 4 * 64);
  over_blocks<<<4, 64>>>(bar, in, out);
  cudaMemcpy(got, out, 4 * 256, cudaMemcpyDeviceToHost);
  int off = 0;
  for (int i = 0; i < 256; ++i) off += got[i] != (i / 64 + 1) % 4 * 1000 + i % 64;
  printf("over_blocks: %d wrong\n", off);
  return wrong + bad + off != 0;
}
