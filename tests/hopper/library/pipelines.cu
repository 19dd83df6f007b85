// cuda::pipeline of one thread, of a block, and of a block whose warps produce or consume; the older primitives.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <cstdio>

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;

constexpr int kStages = 3, kTile = 128;

__global__ void of_a_thread(const int *in, int *out, int tiles) {
  __shared__ int ring[kStages][kTile];
  auto pipe = cuda::make_pipeline();
  auto fetch = [&](int tile) {
    pipe.producer_acquire();
    if (tile < tiles)
      cuda::memcpy_async(&ring[tile % kStages][threadIdx.x], in + tile * kTile + threadIdx.x, sizeof(int), pipe);
    pipe.producer_commit();
  };
  for (int t = 0; t < kStages - 1; ++t) fetch(t);
  for (int t = 0; t < tiles; ++t) {
    fetch(t + kStages - 1);
    cuda::pipeline_consumer_wait_prior<kStages - 1>(pipe);
    __syncthreads();
    out[t * kTile + threadIdx.x] = ring[t % kStages][(threadIdx.x + 1) % kTile] * 2;
    pipe.consumer_release();
    __syncthreads();
  }
}

__global__ void of_a_block(const int *in, int *out, int tiles) {
  __shared__ int ring[kStages][kTile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int t = 0, fetched = 0; t < tiles; ++t) {
    for (; fetched < tiles && fetched < t + kStages; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, ring[fetched % kStages], in + fetched * kTile, cuda::aligned_size_t<16>(4 * kTile), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    out[t * kTile + threadIdx.x] = ring[t % kStages][kTile - 1 - threadIdx.x] * 3;
    pipe.consumer_release();
  }
}

__global__ void of_a_thread_by_primitives(const int *in, int *out) {
  __shared__ int4 tile[32];
  __pipeline_memcpy_async(&tile[threadIdx.x], in + 4 * threadIdx.x, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  int4 v = tile[31 - threadIdx.x];
  __syncthreads();
  __pipeline_memcpy_async(&tile[threadIdx.x], in, 16, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = v.x + v.w + tile[threadIdx.x].z + tile[threadIdx.x].w;
}

__global__ void of_a_group(const int *in, int *out) {
  __shared__ int parts[2][64];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, parts[0], in, sizeof(parts[0]));
  cg::memcpy_async(block, parts[1], in + 64, sizeof(parts[1]));
  cg::wait_prior<1>(block);
  out[threadIdx.x] = parts[0][63 - threadIdx.x];
  cg::wait(block);
  out[64 + threadIdx.x] = parts[1][63 - threadIdx.x];
}

int main() {
  const int tiles = 7, n = tiles * kTile;
  int host[n], got[n], *in, *out, wrong[4] = {};
  for (int i = 0; i < n; ++i) host[i] = i * i + 5;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  of_a_thread<<<1, kTile>>>(in, out, tiles);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong[0] += got[i] != 2 * host[i / kTile * kTile + (i + 1) % kTile];
  of_a_block<<<1, kTile>>>(in, out, tiles);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong[1] += got[i] != 3 * host[i / kTile * kTile + kTile - 1 - i % kTile];
  of_a_thread_by_primitives<<<1, 32>>>(in, out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) wrong[2] += got[i] != host[4 * (31 - i)] + host[4 * (31 - i) + 3] + host[2];
  of_a_group<<<1, 64>>>(in, out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; ++i) wrong[3] += got[i] != host[i / 64 * 64 + 63 - i % 64];
  printf("of_a_thread: %d wrong\nof_a_block: %d wrong\n", wrong[0], wrong[1]);
  printf("of_a_thread_by_primitives: %d wrong\nof_a_group: %d wrong\n", wrong[2], wrong[3]);
  return wrong[0] + wrong[1] + wrong[2] + wrong[3] != 0;
}
