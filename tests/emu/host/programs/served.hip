// A code object whose kernels ask for memory, print and assert by AMD's device library.
#include "check.h"

#ifdef MODULE
#include <cassert>
extern "C" {
__global__ void take(int **blocks) {
  int *block = new int[10 + threadIdx.x % 2];
  block[9] = threadIdx.x;
  blocks[blockIdx.x * blockDim.x + threadIdx.x] = block;
}
__global__ void give(int **blocks) {
  int **mine = blocks + blockIdx.x * blockDim.x + threadIdx.x;
  *mine[0] = 0;
  free(*mine);
}
__global__ void past(int **blocks) {
  char *block = (char *)malloc(40);
  block[(size_t)blocks[0]] = 1;
  blocks[0] = (int *)block;
}
__global__ void say(int n) {
  const char *name = n == 1 ? "one" : "a name that is longer than a packet of eight words takes";
  if (threadIdx.x % 16 == 0)
    printf("%s %d %5.2f %-4u|%*d %%\n", name, (int)(blockIdx.x * 64 + threadIdx.x), n * 1.25, threadIdx.x, 4, n);
}
__global__ void demand(int n) { assert((int)threadIdx.x < n); }
}
#else
#include <string>

int main(int, char **argv) {
  hipModule_t module;
  HIP(hipModuleLoad(&module, argv[1]));
  const auto launch = [&](const char *name, unsigned grid, void *argument) {
    hipFunction_t kernel;
    HIP(hipModuleGetFunction(&kernel, module, name));
    HIP(hipModuleLaunchKernel(kernel, grid, 1, 1, 64, 1, 1, 0, nullptr, &argument, nullptr));
    return hipDeviceSynchronize();
  };
  const std::string what = argv[2];
  int **blocks = device<int *>(1024), *got[1024], n = 1, many = 64;
  if (what == "all") {
    HIP(launch("take", 16, &blocks));
    HIP(hipMemcpy(got, blocks, sizeof got, hipMemcpyDeviceToHost));
    bool right = true;
    for (int i = 0; i < 1024; i++) right &= got[i] && got[i][9] == i % 64;
    EXPECT(right);
    HIP(launch("give", 16, &blocks));
    HIP(launch("say", 40, &n));
    HIP(launch("say", 1, &many));
    HIP(launch("demand", 1, &many));
  } else if (what == "past") {
    size_t index = 40;
    HIP(hipMemcpy(blocks, &index, 8, hipMemcpyHostToDevice));
    GIVES(launch("past", 1, &blocks), hipErrorIllegalAddress);
  } else if (what == "twice") {
    HIP(launch("take", 1, &blocks));
    HIP(launch("give", 1, &blocks));
    GIVES(launch("give", 1, &blocks), hipErrorIllegalAddress);
  } else {
    GIVES(launch("demand", 1, &n), hipErrorLaunchFailure);
  }
  puts("end");
}
#endif
