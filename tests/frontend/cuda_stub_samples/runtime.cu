// Runtime calls, launches, symbols, graphs, textures.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>

__constant__ float table[4];
__constant__ struct { int a, b; } settings;
__device__ int counter;
__managed__ int shared_with_host;
texture<float, 2> legacy;
texture<uchar4, 2, cudaReadModeNormalizedFloat> legacy_normalized;

__host__ __device__ float both(float x) {
  return sqrtf(x) + fabs(x) + std::max(x, 1.f) + powf(x, 2) + sinf(x) + sin(x) + pow(x, 2) + abs(x);
}

struct Pair {
  int a, b;
  __device__ Pair(int x) : a(x), b(x) {}
};

__global__ void __launch_bounds__(256, 2) kernel(float *p, int n, cudaTextureObject_t t) {
  extern __shared__ float s[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = p[i];
  __syncthreads();
  atomicAdd(&p[0], 1.f);
  atomicAdd(&counter, 1);
  float v = __shfl_down_sync(0xffffffff, p[i], 16);
  v += sqrt(v) + rsqrtf(v) + __expf(v) + fmaxf(v, 1.f) + max(i, 3) + min(v, 2.f) + abs(i) + std::abs(i);
  v += std::sqrt(v) + isnan(v) + exp(v) + floor(v) + std::floor(v) + round(v) + both(v);
  double sn, cs;
  sincos(double(v), &sn, &cs);
  v += tex2D(legacy, 1.f, 2.f) + tex2D(legacy_normalized, 1.f, 2.f).x + tex2D<float>(t, 1, 2);
  printf("%f\n", v);
  void *q = malloc(3);
  free(q);
  Pair *pair = new Pair(3);
  delete pair;
  new (s) Pair(4);
  memcpy(p, p + 1, 4);
  memset(p, 0, 3);
  long long t0 = clock64();
  unsigned m = __ballot_sync(~0u, i);
  p[1] = __popc(m) + __ffs(m) + __clz(i) + __ldg(p) + t0 + warpSize + make_float4(1, 2, 3, 4).x;
  p[2] = __dp4a(1, 2, 3);
}

template <class T>
__global__ void fill(T *p) {
  *p = T(1);
}

void host(cudaArray_t array) {
  float *d, h = 0;
  cudaMalloc(&d, 4);
  cudaMalloc((void **)&d, 4);
  cudaMallocManaged(&d, 4);
  dim3 grid(3), block(4, 5);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  kernel<<<grid, block, 0, stream>>>(d, 3, 0);
  fill<float><<<1, 2>>>(d);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  printf("%s %d %d %zu\n", prop.name, prop.clockRate, prop.multiProcessorCount, prop.sharedMemPerBlock);
  cudaMemcpyToSymbol(table, &h, 4);
  cudaMemcpyToSymbol(settings, &h, 4);
  cudaMemcpyAsync(d, &h, 4, cudaMemcpyHostToDevice, stream);
  cudaMemPrefetchAsync(d, 4, 0, stream);
  cudaMemPrefetchAsync(d, 4, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, stream);
  printf("%s", cudaGetErrorString(cudaGetLastError()));
  cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
  channel = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaBindTextureToArray(legacy, array, channel);
  legacy.filterMode = cudaFilterModeLinear;
  int blocks;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 128, 0);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 3);
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = 2;
  cudaLaunchConfig_t config = {};
  config.attrs = attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, kernel, d, 3, (cudaTextureObject_t)0);
  void *args[] = {&d};
  cudaLaunchKernel((void *)kernel, grid, block, args, 0, 0);
  cudaLaunchCooperativeKernel((void *)kernel, grid, block, args);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, NULL, NULL, 0);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaKernelNodeParams node = {};
  node.gridDim = grid;
  auto copy = [=] __device__(int i) { return i + d[0]; };
  (void)copy;
}
