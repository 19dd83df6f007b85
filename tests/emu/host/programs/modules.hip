// A module from a file, launched in the three ways that modules are. Also its own device code.
#include "check.h"

#ifdef MODULE
extern "C" {
__device__ int bias = 5;
__managed__ int counted = 40;
__global__ void count() { counted += 2; }
__global__ void nothing() {}
__global__ void add(int *x, int a, long long b, char c) { x[threadIdx.x] = a + (int)b + c + bias; }
}
#else
#include <hip/hip_ext.h>

#include <array>
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

  // a managed variable of the module
  hipFunction_t count, nothing;
  hipDeviceptr_t counted;
  HIP(hipModuleGetFunction(&count, module, "count"));
  HIP(hipModuleLaunchKernel(count, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  HIP(hipDeviceSynchronize());
  HIP(hipModuleGetGlobal(&counted, &size, module, "counted"));
  EXPECT(size == 4 && *(int *)counted == 42);

  // the largest grid, of a kernel that does nothing; sizes that count threads
  HIP(hipModuleGetFunction(&nothing, module, "nothing"));
  HIP(hipModuleLaunchKernel(nothing, 0x7fffffff, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  HIP(hipDeviceSynchronize());
  HIP(hipExtModuleLaunchKernel(nothing, 1, 1, 1, 1024, 1, 1, 0, nullptr, nullptr, nullptr));
  GIVES(hipExtModuleLaunchKernel(nothing, 1000, 1, 1, 512, 1, 1, 0, nullptr, nullptr, nullptr), hipErrorInvalidValue);
  for (const auto &[x, y, z] : {std::array{1025u, 1u, 1u}, {1u, 1025u, 1u}, {33u, 32u, 1u}, {65536u, 65536u, 1u}, {~0u, ~0u, ~0u}})
    GIVES(hipExtModuleLaunchKernel(nothing, 1, 1, 1, x, y, z, 0, nullptr, nullptr, nullptr), hipErrorInvalidValue);
  GIVES(hipExtModuleLaunchKernel(nothing, 1, 1, 1, 1, 0, 1, 0, nullptr, nullptr, nullptr), hipErrorInvalidConfiguration);
  GIVES(hipExtModuleLaunchKernel(nothing, 1, 1, 0, 1, 0, 1, 0, nullptr, nullptr, nullptr), hipErrorInvalidValue);
  GIVES(hipExtModuleLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), hipErrorInvalidResourceHandle);

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
