// A templated kernel by its name expressions, a header that is given to the program, and the source in a std::string.
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <string>
#include <vector>

#define CHECK(call)                                        \
  do {                                                     \
    if (call) {                                            \
      printf("FAIL %s:%d: %s\n", __FILE__, __LINE__, #call); \
      return 1;                                            \
    }                                                      \
  } while (0)

const std::string kernels = R"(
#include "scaled.h"

template <class T, int N>
__global__ void fill(T *out) {
  unsigned even = __ballot_sync(0xffffffffu, threadIdx.x % 2 == 0);
  out[threadIdx.x] = scaled<T>(threadIdx.x) + (T)N + (T)__popc(even);
}
)";

static int compile(const std::string &text, const std::vector<std::string> &names, std::vector<std::string> &lowered,
                   std::vector<char> &code) {
  const char *headers[] = {R"(template <class T> __device__ T scaled(int i) { return (T)(i * FACTOR); })"};
  const char *called[] = {"scaled.h"};
  nvrtcProgram program;
  CHECK(nvrtcCreateProgram(&program, text.c_str(), "fill.cu", 1, headers, called));
  for (const auto &name : names) CHECK(nvrtcAddNameExpression(program, name.c_str()));
  std::string arch = "--gpu-architecture=compute_" + std::to_string(90);
  std::vector<const char *> options = {arch.c_str(), "-DFACTOR=2", "-default-device"};
  nvrtcResult result = nvrtcCompileProgram(program, (int)options.size(), options.data());
  if (result != NVRTC_SUCCESS) {
    size_t size = 0;
    nvrtcGetProgramLogSize(program, &size);
    std::string log(size, ' ');
    nvrtcGetProgramLog(program, &log[0]);
    printf("FAIL %s\n%s\n", nvrtcGetErrorString(result), log.c_str());
    return 1;
  }
  for (const auto &name : names) {
    const char *text_of = nullptr;
    CHECK(nvrtcGetLoweredName(program, name.c_str(), &text_of));
    lowered.push_back(text_of);
  }
  size_t size = 0;
  CHECK(nvrtcGetPTXSize(program, &size));
  code.resize(size);
  CHECK(nvrtcGetPTX(program, code.data()));
  CHECK(nvrtcDestroyProgram(&program));
  return 0;
}

template <class T>
static int run(CUmodule module, const std::string &name, T n) {
  CUfunction kernel;
  CUdeviceptr out;
  CHECK(cuModuleGetFunction(&kernel, module, name.c_str()));
  CHECK(cuMemAlloc(&out, 64 * sizeof(T)));
  void *arguments[] = {&out};
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  T got[64];
  CHECK(cuMemcpyDtoH(got, out, sizeof got));
  for (int i = 0; i < 64; i++) CHECK(got[i] != (T)(2 * i) + n + (T)16);
  return 0;
}

int main() {
  std::vector<std::string> lowered;
  std::vector<char> code;
  if (compile(kernels, {"fill<int, 3>", "&fill<double, 5>"}, lowered, code)) return 1;
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoadDataEx(&module, code.data(), 0, nullptr, nullptr));
  if (run<int>(module, lowered[0], 3) || run<double>(module, lowered[1], 5.0)) return 1;
  puts("PASS");
}
