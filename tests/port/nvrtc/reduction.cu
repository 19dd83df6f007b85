// A reduction by warp shuffles and votes, its text in an array, beside a launch of the runtime's.
#include <cuda.h>
#include <cuda_runtime.h>
#include <nvrtc.h>

#include <cstdio>
#include <vector>

#define CHECK(call)                                        \
  if (call) {                                              \
    printf("FAIL %s:%d: %s\n", __FILE__, __LINE__, #call); \
    return 1;                                              \
  }

static constexpr char SOURCE[] = R"cuda(
#include <cuda_fp16.h>
extern "C" __global__ void sums(const float *x, float *totals, unsigned *leaders) {
  float v = x[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned big = __ballot_sync(0xffffffffu, v > 50.0f);
  for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  __shared__ float part[32];
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  int warp = threadIdx.x >> 5;
  if (lane == 0) {
    part[warp] = v;
    leaders[blockIdx.x * (blockDim.x >> 5) + warp] = big;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int w = 0; w < blockDim.x / 32; w++) sum += part[w];
    totals[blockIdx.x] = __half2float(__float2half(sum)) + (sum - __half2float(__float2half(sum)));
  }
}
)cuda";

__global__ void twice(float *x) { x[threadIdx.x] *= 2; }

int main() {
  nvrtcProgram program;
  CHECK(nvrtcCreateProgram(&program, SOURCE, nullptr, 0, NULL, NULL));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  char arch[64];
  snprintf(arch, sizeof arch, "-arch=sm_%d%d", properties.major, properties.minor);
  const char *options[] = {arch, "-I/usr/local/cuda/include"};
  if (nvrtcCompileProgram(program, 2, options)) {
    size_t size;
    nvrtcGetProgramLogSize(program, &size);
    std::vector<char> log(size + 1);
    nvrtcGetProgramLog(program, log.data());
    printf("FAIL %s\n", log.data());
    return 1;
  }
  size_t size = 0;
  CHECK(nvrtcGetCUBINSize(program, &size));
  std::vector<char> code(size);
  CHECK(nvrtcGetCUBIN(program, code.data()));
  CUmodule module;
  CUfunction sums;
  CHECK(cudaFree(0));
  CHECK(cuModuleLoadData(&module, code.data()));
  CHECK(cuModuleGetFunction(&sums, module, "sums"));
  const int blocks = 3, threads = 96;
  std::vector<float> x(blocks * threads), totals(blocks);
  std::vector<unsigned> leaders(blocks * threads / 32);
  for (size_t i = 0; i < x.size(); i++) x[i] = (float)(i * 7 % 100);
  float *dx, *dtotals;
  unsigned *dleaders;
  CHECK(cudaMalloc(&dx, x.size() * 4));
  CHECK(cudaMalloc(&dtotals, blocks * 4));
  CHECK(cudaMalloc(&dleaders, leaders.size() * 4));
  CHECK(cudaMemcpy(dx, x.data(), x.size() * 4, cudaMemcpyHostToDevice));
  void *arguments[] = {&dx, &dtotals, &dleaders};
  CHECK(cuLaunchKernel(sums, blocks, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr));
  twice<<<1, blocks>>>(dtotals);
  CHECK(cudaMemcpy(totals.data(), dtotals, blocks * 4, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(leaders.data(), dleaders, leaders.size() * 4, cudaMemcpyDeviceToHost));
  for (int b = 0; b < blocks; b++) {
    float sum = 0;
    for (int i = 0; i < threads; i++) sum += x[b * threads + i];
    CHECK(totals[b] != 2 * sum);
  }
  for (size_t w = 0; w < leaders.size(); w++)
    for (int i = 0; i < 32; i++) CHECK((leaders[w] >> i & 1) != (x[w * 32 + i] > 50.0f));
  puts("PASS");
}
