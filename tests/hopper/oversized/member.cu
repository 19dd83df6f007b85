// The size is a member that a constructor works out; the array is outside of functions, a device function uses it.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
extern __shared__ __align__(16) unsigned char arena[];
struct Plan {
  int rows, columns;
  size_t shared;
  Plan(int r, int c) : rows(r), columns(c), shared(size_t(c) * 2 * sizeof(float)) {}
  int launch(const float *in, float *out, cudaStream_t stream) const;
};
__device__ float neighbour(int i, int n) { return reinterpret_cast<const float *>(arena)[(i + 1) % n]; }
template <int THREADS>
__global__ void __launch_bounds__(THREADS) smooth(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float first;
  float *a = reinterpret_cast<float *>(arena), *b = a + n;
  if (n <= 0) return;
  for (int i = threadIdx.x; i < n; i += THREADS) a[i] = in[size_t(blockIdx.x) * n + i];
  if (threadIdx.x == 0) first = in[size_t(blockIdx.x) * n];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += THREADS) b[n - 1 - i] = a[i] + neighbour(i, n) * first;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += THREADS) out[size_t(blockIdx.x) * n + i] = b[i];
}
int Plan::launch(const float *in, float *out, cudaStream_t stream) const {
  auto kernel = smooth<128>;
  if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)) != cudaSuccess) return 1;
  kernel<<<rows, 128, this->shared, stream>>>(in, out, columns);
  return cudaGetLastError() != cudaSuccess;
}
int main() {
  int wrong = 0;
  for (int n : {100, 9000, 8064}) {
    const Plan plan(3, n);
    std::vector<float> host(3 * n), back(3 * n);
    for (int i = 0; i < 3 * n; ++i) host[i] = float(i % 61 + 1);
    float *in, *out;
    cudaMalloc(&in, host.size() * 4), cudaMalloc(&out, host.size() * 4);
    cudaMemcpy(in, host.data(), host.size() * 4, cudaMemcpyHostToDevice);
    if (plan.launch(in, out, 0)) return printf("launch failed\n"), 1;
    if (cudaMemcpy(back.data(), out, back.size() * 4, cudaMemcpyDeviceToHost) != cudaSuccess) return printf("failed\n"), 1;
    for (int r = 0; r < 3; ++r)
      for (int i = 0; i < n; ++i) wrong += back[r * n + n - 1 - i] != host[r * n + i] + host[r * n + (i + 1) % n] * host[r * n];
    cudaFree(in), cudaFree(out);
  }
  printf("PASSED: %d wrong\n", wrong);
  return wrong != 0;
}
