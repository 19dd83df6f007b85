// As much as the device allows, or less; a loop over what is there.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
__global__ void scan(const int *in, int *out, int n, int chunk) {
  extern __shared__ int buffer[];
  int carry = 0;
  for (int first = 0; first < n; first += chunk) {
    const int len = min(chunk, n - first);
    for (int i = threadIdx.x; i < len; i += blockDim.x) buffer[i] = in[first + i];
    __syncthreads();
    if (threadIdx.x == 0)
      for (int i = 1; i < len; ++i) buffer[i] += buffer[i - 1];
    __syncthreads();
    for (int i = threadIdx.x; i < len; i += blockDim.x) out[first + i] = buffer[i] + carry;
    carry += buffer[len - 1];
    __syncthreads();
  }
}
int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 5000;
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  int most = 0;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
  if ((size_t)most != prop.sharedMemPerBlockOptin) return printf("two answers\n"), 1;
  int wrong = 0;
  for (size_t bytes : {prop.sharedMemPerBlockOptin, prop.sharedMemPerBlockOptin / 2, size_t(100000)}) {
    const int chunk = int(bytes / sizeof(int));
    std::vector<int> host(n), back(n);
    for (int i = 0; i < n; ++i) host[i] = i % 7 - 2;
    int *in, *out;
    cudaMalloc(&in, n * 4), cudaMalloc(&out, n * 4);
    cudaMemcpy(in, host.data(), n * 4, cudaMemcpyHostToDevice);
    if (cudaFuncSetAttribute(scan, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) != cudaSuccess) return printf("no\n"), 1;
    scan<<<1, 128, bytes>>>(in, out, n, chunk);
    if (cudaDeviceSynchronize() != cudaSuccess) return printf("failed\n"), 1;
    cudaMemcpy(back.data(), out, n * 4, cudaMemcpyDeviceToHost);
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += host[i], wrong += back[i] != sum;
  }
  printf("PASSED: %d wrong\n", wrong);
  return wrong != 0;
}
