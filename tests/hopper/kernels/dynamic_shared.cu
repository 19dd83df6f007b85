// Dynamic shared memory begins on a multiple of 1,024 whatever porter keeps there itself; kernels that a function launches
// by their address, with bounds that hold braces, clear their barriers.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

#define TILE(type, name) extern __shared__ type name[]

template <int N>
struct Threads {};
template <int N>
__host__ __device__ constexpr Threads<N> threads_of(Threads<N>) { return {}; }
template <int N>
struct Count { static constexpr int value = N; };
template <int N>
__host__ __device__ constexpr Count<N> size(Threads<N>) { return {}; }

struct Tiles {
  alignas(128) float rows[2][256];
};

__device__ uint32_t place(const void *at) { return uint32_t(__cvta_generic_to_shared(at)); }

__device__ __noinline__ uint32_t in_a_function() {
  extern __shared__ __align__(16) unsigned char bytes[];
  return place(bytes);
}

// Each thread gets what its neighbour of the other warp wrote, by a swizzle of offsets one way and of addresses the other.
template <class T>
__global__ static __launch_bounds__(decltype(size(T{}))::value) void k(uint32_t *places, float *out) {
  TILE(float, tile);
  extern __shared__ Tiles tiles;
  const int t = threadIdx.x, other = t ^ 32;
  const uint32_t written = uint32_t(t) * 16, read = place(tile) + uint32_t(other) * 16;
  *reinterpret_cast<float *>(reinterpret_cast<char *>(tile) + (written ^ (written >> 7 & 7) << 4)) = float(t);
  asm volatile("bar.sync 1, 64;" ::: "memory");
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(out[t]) : "r"(read ^ (read >> 7 & 7) << 4));
  if (t == 0) places[0] = place(tile), places[1] = place(&tiles), places[2] = in_a_function();
}

struct Params {
  dim3 grid, block;
  int bytes;
};
template <class... Args>
cudaError_t launch(const Params &params, void const *kernel, Args... args) {
  void *list[] = {&args...};
  return cudaLaunchKernel(kernel, params.grid, params.block, list, params.bytes, 0);
}

int main() {
  uint32_t *places, found[3];
  float *out, values[64];
  cudaMalloc(&places, sizeof found);
  cudaMalloc(&out, sizeof values);
  auto *kernel = &k<Threads<64>>;
  launch(Params{dim3(1), dim3(64), int(sizeof(Tiles))}, (void const *)kernel, places, out);
  cudaMemcpy(found, places, sizeof found, cudaMemcpyDeviceToHost);
  cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
  for (uint32_t one : found)
    if (one % 1024 != 0 || one != found[0]) return printf("dynamic shared memory begins at %u\n", one), 1;
  for (int t = 0; t < 64; ++t)
    if (values[t] != float(t ^ 32)) return printf("thread %d got %g\n", t, values[t]), 1;
  return 0;
}
