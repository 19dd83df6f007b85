// A ring of two tiles by the primitives of <cuda_pipeline.h>, in a kernel whose warps have no roles.
#include <cstdio>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

constexpr int kThreads = 96, kSteps = 9;

__device__ void load(float4 *tile, const float4 *in, int step, int end) {
  const int at = step * kThreads + threadIdx.x;
  __pipeline_memcpy_async(tile + threadIdx.x, at < end ? in + at : in, sizeof(float4), at < end ? 0 : sizeof(float4));
  __pipeline_memcpy_async(reinterpret_cast<float *>(tile + kThreads) + threadIdx.x, in, sizeof(float));
  __pipeline_commit();
}

__global__ void k(const float4 *in, float4 *out, int end) {
  __shared__ float4 tiles[2][2 * kThreads];
  load(tiles[0], in, 0, end);
  for (int step = 0; step < kSteps; ++step) {
    if (step + 1 < kSteps) load(tiles[(step + 1) % 2], in, step + 1, end);
    __pipeline_wait_prior(step + 1 < kSteps ? 1 : 0);
    __syncthreads();
    const float4 *tile = tiles[step % 2];
    float4 value = tile[kThreads - 1 - threadIdx.x];
    value.w += reinterpret_cast<const float *>(tile + kThreads)[kThreads - 1 - threadIdx.x];
    out[step * kThreads + threadIdx.x] = value;
    __syncthreads();
  }
}

int main() {
  constexpr int all = kSteps * kThreads, end = all - 50;
  static float4 numbers[all], found[all];
  for (int i = 0; i < all; ++i) numbers[i] = make_float4(7 + i, i + 0.25f, i + 0.5f, i + 0.75f);
  float4 *in, *out;
  cudaMalloc(&in, sizeof numbers);
  cudaMalloc(&out, sizeof found);
  cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  k<<<1, kThreads>>>(in, out, end);
  cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
  for (int i = 0; i < all; ++i) {
    const int from = i / kThreads * kThreads + kThreads - 1 - i % kThreads;
    const float4 wanted = from < end ? numbers[from] : make_float4(0, 0, 0, 0);
    if (found[i].x != wanted.x || found[i].z != wanted.z || found[i].w != wanted.w + 7) return printf("%d: %g\n", i, found[i].x), 1;
  }
  return 0;
}
