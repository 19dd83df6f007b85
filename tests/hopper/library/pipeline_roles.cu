// Pipelines whose warps have roles, given to each thread or by their number; the barriers of <cuda_awbarrier_primitives.h>
// between warps that produce and warps that consume.
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_awbarrier_primitives.h>
#include <cstdio>

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;

constexpr int kStages = 2, kTile = 96, kProducers = 32;

__device__ void produce(cuda::pipeline<cuda::thread_scope_block> &pipe, int (*ring)[kTile], const int *in, int tiles) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  for (int t = 0; t < tiles; ++t) {
    pipe.producer_acquire();
    cuda::memcpy_async(warp, ring[t % kStages], in + t * kTile, sizeof(int) * kTile, pipe);
    pipe.producer_commit();
  }
}
__device__ void consume(cuda::pipeline<cuda::thread_scope_block> &pipe, int (*ring)[kTile], int *out, int tiles, int rank) {
  for (int t = 0; t < tiles; ++t) {
    pipe.consumer_wait();
    out[t * kTile + rank] = ring[t % kStages][(rank + 7) % kTile] - t;
    pipe.consumer_release();
  }
}

__global__ void by_thread(const int *in, int *out, int tiles) {
  __shared__ int ring[kStages][kTile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  auto block = cg::this_thread_block();
  const bool last = block.thread_rank() >= kTile;  // the last warp produces
  const auto role = last ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(block, &state, role);
  if (last)
    produce(pipe, ring, in, tiles);
  else
    consume(pipe, ring, out, tiles, block.thread_rank());
}

__global__ void by_number(const int *in, int *out, int tiles) {
  __shared__ int ring[kStages][kTile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state, kProducers);
  if (block.thread_rank() < kProducers)
    produce(pipe, ring, in, tiles);
  else
    consume(pipe, ring, out, tiles, block.thread_rank() - kProducers);
}

__global__ void by_primitives(const int *in, int *out, int rounds) {
  __shared__ __mbarrier_t full, empty;
  __shared__ int value[32];
  if (threadIdx.x == 0) {
    __mbarrier_init(&full, 32);
    __mbarrier_init(&empty, 64);
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int r = 0; r < rounds; ++r) {
      value[threadIdx.x] = in[r * 32 + threadIdx.x];
      __mbarrier_arrive(&full);
      __mbarrier_token_t token = __mbarrier_arrive(&empty);
      while (!__mbarrier_test_wait(&empty, token)) {
      }
    }
  } else {
    for (int r = 0; r < rounds; ++r) {
      while (!__mbarrier_try_wait_parity(&full, r & 1, 1000)) {
      }
      out[r * 32 + threadIdx.x - 32] = value[63 - threadIdx.x];
      __mbarrier_arrive(&empty);
    }
  }
}

int main() {
  const int tiles = 6, n = tiles * kTile;
  int host[n], got[n], *in, *out, wrong[3] = {};
  for (int i = 0; i < n; ++i) host[i] = i * 11;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  auto check = [&] {
    int count = 0;
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) count += got[i] != host[i / kTile * kTile + (i % kTile + 7) % kTile] - i / kTile;
    return count;
  };
  by_thread<<<1, kTile + kProducers>>>(in, out, tiles);
  wrong[0] = check();
  cudaMemset(out, 0, sizeof host);
  by_number<<<1, kTile + kProducers>>>(in, out, tiles);
  wrong[1] = check();
  by_primitives<<<1, 64>>>(in, out, 5);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 160; ++i) wrong[2] += got[i] != host[i / 32 * 32 + 31 - i % 32];
  printf("by_thread: %d wrong\nby_number: %d wrong\nby_primitives: %d wrong\n", wrong[0], wrong[1], wrong[2]);
  return wrong[0] + wrong[1] + wrong[2] != 0;
}
