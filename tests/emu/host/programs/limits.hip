// What a launch is refused for, what fits on the chip, and which error is remembered how long.
#include "check.h"

__global__ void nothing() {}
__global__ void __launch_bounds__(64) small(int *x) { x[threadIdx.x] = 1; }
__global__ void local(int *x) {
  __shared__ int buffer[8192];
  buffer[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = buffer[63 - threadIdx.x];
}
__global__ void meet(unsigned *count, unsigned *seen) {
  if (threadIdx.x == 0) {
    __hip_atomic_fetch_add(count, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    while (__hip_atomic_load(count, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) < gridDim.x) __builtin_amdgcn_s_sleep(1);
    seen[blockIdx.x] = __hip_atomic_load(count, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  }
}

static hipError_t launched() {
  const hipError_t error = hipGetLastError();
  return error;
}

int main() {
  int *x = device<int>(64);
  HIP(hipMemset(x, 0, 256));
  EXPECT(launched() == hipSuccess);
  nothing<<<1, 1025>>>();
  EXPECT(hipPeekAtLastError() == hipErrorInvalidConfiguration);
  HIP(hipMemset(x, 0, 256));
  EXPECT(launched() == hipErrorInvalidConfiguration);  // a success in between does not clear it
  EXPECT(launched() == hipSuccess);                    // being asked for does
  nothing<<<0, 64>>>();
  EXPECT(launched() == hipErrorInvalidConfiguration);
  nothing<<<dim3(1 << 23, 1, 1), 1024>>>();
  EXPECT(launched() == hipErrorInvalidConfiguration);
  nothing<<<1, 64, 65537>>>();
  EXPECT(launched() == hipErrorInvalidValue);
  local<<<1, 64, 32769>>>(x);
  EXPECT(launched() == hipErrorInvalidValue);
  local<<<1, 64, 32768>>>(x);
  EXPECT(launched() == hipSuccess);
  small<<<1, 65>>>(x);
  EXPECT(launched() == hipErrorLaunchFailure);
  nothing<<<1, 1024, 65536>>>();
  HIP(hipDeviceSynchronize());
  GIVES(hipLaunchKernel((void *)&x, dim3(1), dim3(64), nullptr, 0, nullptr), hipErrorInvalidDeviceFunction);
  GIVES(hipMalloc((void **)&x, 1ull << 50), hipErrorOutOfMemory);
  GIVES(hipSetDevice(1), hipErrorInvalidDevice);

  int can = 0;  // what the emulator's runtime does, it says that it can
  for (const auto what : {hipDeviceAttributeCanUseStreamWaitValue, hipDeviceAttributeCooperativeMultiDeviceUnmatchedGridDim,
                          hipDeviceAttributeMemoryPoolSupportedHandleTypes, hipDeviceAttributeManagedMemory}) {
    HIP(hipDeviceGetAttribute(&can, what, 0));
    EXPECT(can == 1);
  }

  int blocks = 0, grid = 0, block = 0;
  HIP(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 256, 0));
  EXPECT(blocks == 8);
  HIP(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 64, 20000));
  EXPECT(blocks == 3);
  HIP(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, local, 64, 0));
  EXPECT(blocks == 2);
  HIP(hipOccupancyMaxPotentialBlockSize(&grid, &block, nothing, 0, 0));
  EXPECT(block == 1024 && grid == 2 * 304);
  hipFuncAttributes about;
  HIP(hipFuncGetAttributes(&about, (const void *)local));
  EXPECT(about.sharedSizeBytes == 32768 && about.maxThreadsPerBlock == 1024 && about.numRegs > 0);
  HIP(hipFuncGetAttributes(&about, (const void *)small));
  EXPECT(about.maxThreadsPerBlock == 64);

  unsigned *count = device<unsigned>(1), *seen = device<unsigned>(4096), got[40];
  HIP(hipMemset(count, 0, 4));
  void *arguments[] = {&count, &seen};
  HIP(hipLaunchCooperativeKernel((void *)meet, dim3(40), dim3(64), arguments, 0, nullptr));
  HIP(hipMemcpy(got, seen, sizeof got, hipMemcpyDeviceToHost));
  EXPECT(got[0] == 40 && got[39] == 40);
  GIVES(hipLaunchCooperativeKernel((void *)meet, dim3(304 * 2 + 1), dim3(1024), arguments, 0, nullptr),
        hipErrorCooperativeLaunchTooLarge);
  puts("end");
}
