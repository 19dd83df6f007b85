// A size from variables of the device; a captured launch; questions about occupancy, one with a function that gives the size.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
__constant__ int limit_c;
__device__ int size_d;
__global__ void hist(const int *in, int *out, int n, int bins) {
  extern __shared__ int h[];
  for (int i = threadIdx.x; i < bins; i += blockDim.x) h[i] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&h[in[i] % bins], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < bins; i += blockDim.x) out[i] = h[i];
}
int main() {
  int bad = 0;
  for (int bins : {100, 30000}) {
    int v = bins; cudaMemcpyToSymbol(limit_c, &v, 4); cudaMemcpyToSymbol(size_d, &v, 4);
    int from_symbol = 0, from_const = 0; cudaMemcpyFromSymbol(&from_symbol, size_d, 4); cudaMemcpyFromSymbol(&from_const, limit_c, 4);
    size_t bytes = sizeof(int) * (from_symbol > from_const ? from_symbol : from_const);
    const int n = 5000; std::vector<int> a(n), o(bins); for (int i = 0; i < n; ++i) a[i] = i * 7;
    int *d, *e; cudaMalloc(&d, n * 4); cudaMalloc(&e, bins * 4); cudaMemcpy(d, a.data(), n * 4, cudaMemcpyHostToDevice);
    cudaFuncSetAttribute(hist, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    cudaFuncAttributes at; cudaFuncGetAttributes(&at, hist);
    cudaStream_t s; cudaStreamCreate(&s); hist<<<1, 256, bytes, s>>>(d, e, n, bins); cudaStreamSynchronize(s);
    cudaGraph_t g; cudaGraphExec_t x; cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal); hist<<<1, 256, bytes, s>>>(d, e, n, bins); cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&x, g, 0);
    cudaGraphLaunch(x, s); if (cudaStreamSynchronize(s) != cudaSuccess) return printf("failed\n"), 1;
    cudaMemcpy(o.data(), e, bins * 4, cudaMemcpyDeviceToHost);
    std::vector<int> w(bins); for (int i = 0; i < n; ++i) ++w[a[i] % bins]; for (int i = 0; i < bins; ++i) bad += w[i] != o[i];
    int grid = 0, block = 0; cudaOccupancyMaxPotentialBlockSize(&grid, &block, hist, bytes, 0); bad += grid < 1;
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, hist, [=](int b) { return bytes; }); bad += grid < 1;
  }
  printf("PASSED: %d wrong\n", bad);
  return bad;
}
