// A pipeline of one thread waits for its own copies alone: warps keep sharing waves.
#include <cuda/pipeline>
#include <cstdio>

struct Pair {
  int first, second;
};

__device__ void fetch(cuda::pipeline<cuda::thread_scope_thread> &pipe, Pair *to, const Pair *from) {
  pipe.producer_acquire();
  cuda::memcpy_async(to, from, sizeof(Pair), pipe);
  pipe.producer_commit();
}

__global__ void sums(const Pair *in, int *out, int rounds) {
  __shared__ Pair ring[2][64];
  auto pipe = cuda::make_pipeline();
  fetch(pipe, &ring[0][threadIdx.x], in + threadIdx.x);
  int sum = 0;
  for (int r = 0; r < rounds; ++r) {
    if (r + 1 < rounds) fetch(pipe, &ring[(r + 1) % 2][threadIdx.x], in + (r + 1) * 64 + threadIdx.x);
    if (r + 1 < rounds)
      cuda::pipeline_consumer_wait_prior<1>(pipe);
    else
      pipe.consumer_wait();
    sum += ring[r % 2][threadIdx.x].first * ring[r % 2][threadIdx.x].second;
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

int main() {
  const int rounds = 4;
  Pair host[64 * rounds], *in;
  int got[64], *out, wrong = 0;
  for (int i = 0; i < 64 * rounds; ++i) host[i] = {i, i % 7};
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof got);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  sums<<<1, 64>>>(in, out, rounds);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int t = 0; t < 64; ++t) {
    int sum = 0;
    for (int r = 0; r < rounds; ++r) sum += (r * 64 + t) * ((r * 64 + t) % 7);
    wrong += got[t] != sum;
  }
  printf("sums: %d wrong\n", wrong);
  return wrong != 0;
}
