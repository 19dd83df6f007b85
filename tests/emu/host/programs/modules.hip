// A module from a file, launched in the three ways that modules are. Also its own device code.
#include "check.h"

#ifdef MODULE
extern "C" {
__device__ int bias = 5;
__global__ void add(int *x, int a, long long b, char c) { x[threadIdx.x] = a + (int)b + c + bias; }
}
#else
#include <fstream>
#include <iterator>
#include <vector>

int main(int, char **argv) {
  hipModule_t module, copy;
  hipFunction_t add;
  GIVES(hipModuleLoad(&module, "/nowhere"), hipErrorFileNotFound);
  HIP(hipModuleLoad(&module, argv[1]));
  GIVES(hipModuleGetFunction(&add, module, "subtract"), hipErrorNotFound);
  HIP(hipModuleGetFunction(&add, module, "add"));
  int *x = device<int>(64), got[64], a = 1000;
  long long b = 200;
  char c = 3;
  void *arguments[] = {&x, &a, &b, &c};
  HIP(hipModuleLaunchKernel(add, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  HIP(hipMemcpy(got, x, sizeof got, hipMemcpyDeviceToHost));
  EXPECT(got[0] == 1208 && got[63] == 1208);

  hipDeviceptr_t bias;
  size_t size;
  HIP(hipModuleGetGlobal(&bias, &size, module, "bias"));
  EXPECT(size == 4);
  HIP(hipMemsetD32(bias, 6, 1));
  struct { int *x; int a; long long b; char c; } packed{x, 1, 2, 3};
  size = sizeof packed;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
  HIP(hipModuleLaunchKernel(add, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra));
  HIP(hipMemcpy(got, x, sizeof got, hipMemcpyDeviceToHost));
  EXPECT(got[0] == 12);

  std::ifstream file(argv[1], std::ios::binary);
  std::vector<char> bytes(std::istreambuf_iterator<char>(file), {});
  HIP(hipModuleLoadData(&copy, bytes.data()));
  bytes.assign(bytes.size(), 0);
  HIP(hipModuleGetFunction(&add, copy, "add"));
  HIP(hipModuleLaunchKernel(add, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  HIP(hipMemcpy(got, x, sizeof got, hipMemcpyDeviceToHost));
  EXPECT(got[0] == 1208);  // a module has variables of its own
  HIP(hipModuleUnload(module));
  HIP(hipModuleUnload(copy));
  puts("end");
}
#endif
