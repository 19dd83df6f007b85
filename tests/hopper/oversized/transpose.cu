#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

// A tile of 160 x 160 floats, transposed, and a histogram of 256 bins behind it: 103,424 bytes.
constexpr int N = 160;

__global__ void transpose(const float *in, float *out, int *bins, int columns) {
  extern __shared__ float tile[];
  int *counts = reinterpret_cast<int *>(tile + N * N);
  for (int i = threadIdx.x; i < 256; i += blockDim.x) counts[i] = 0;
  in += blockIdx.x * N * N, out += blockIdx.x * N * N;
  for (int i = threadIdx.x; i < N * N; i += blockDim.x) tile[i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < N * N; i += blockDim.x) {
    out[i] = tile[i % N * N + i / N];
    atomicAdd(&counts[int(tile[i]) & 255], 1);
  }
  __syncthreads();
  if (threadIdx.x >= 256) return;
  atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

int main() {
  const int blocks = 12, count = blocks * N * N;
  const int bytes = N * N * sizeof(float) + 256 * sizeof(int);
  float *in, *out;
  int *bins, wanted[256] = {}, found[256], wrong = 0;
  float *host = new float[count], *back = new float[count];
  for (int i = 0; i < count; ++i) host[i] = float(i * 7 % 1021), ++wanted[int(host[i]) & 255];
  cudaMalloc(&in, count * sizeof(float));
  cudaMalloc(&out, count * sizeof(float));
  cudaMalloc(&bins, sizeof found);
  cudaMemset(bins, 0, sizeof found);
  cudaMemcpy(in, host, count * sizeof(float), cudaMemcpyHostToDevice);
  cudaFuncSetAttribute(transpose, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  int resident = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, transpose, 512, bytes);
  transpose<<<blocks, 512, bytes>>>(in, out, bins, N);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return printf("FAILED\n"), 1;
  cudaMemcpy(back, out, count * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(found, bins, sizeof found, cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; ++i)
    wrong += back[i] != host[i / (N * N) * N * N + i % N * N + i / N % N];
  for (int i = 0; i < 256; ++i) wrong += found[i] != wanted[i];
  printf("%s: %d wrong\n", wrong || resident < 1 ? "FAILED" : "PASSED", wrong);
  return wrong != 0;
}
