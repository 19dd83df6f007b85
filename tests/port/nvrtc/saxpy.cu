// A program in a constant of joined literals, compiled by NVRTC and launched by the driver's API.
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <vector>

#define CHECK(call)                                        \
  if (call) {                                              \
    printf("FAIL %s:%d: %s\n", __FILE__, __LINE__, #call); \
    return 1;                                              \
  }

static const char *const source =
    "extern \"C\" __global__ void saxpy(float a, const float *x, float *y, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) y[i] = a * __ldg(x + i) + y[i] /* \"quoted\", a tab:\t*/;\n"
    "}\n";

int main() {
  nvrtcProgram program;
  CHECK(nvrtcCreateProgram(&program, source, "saxpy.cu", 0, nullptr, nullptr));
  const char *options[] = {"--gpu-architecture=compute_90", "--std=c++17", "--use_fast_math", "-lineinfo"};
  CHECK(nvrtcCompileProgram(program, 4, options));
  size_t size = 0;
  CHECK(nvrtcGetPTXSize(program, &size));
  std::vector<char> code(size);
  CHECK(nvrtcGetPTX(program, code.data()));
  CHECK(nvrtcDestroyProgram(&program));

  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction kernel;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoadData(&module, code.data()));
  CHECK(cuModuleGetFunction(&kernel, module, "saxpy"));
  int n = 1000;
  float a = 3.0f;
  std::vector<float> x(n), y(n, 1.0f);
  for (int i = 0; i < n; i++) x[i] = (float)i;
  CUdeviceptr dx, dy;
  CHECK(cuMemAlloc(&dx, n * sizeof(float)));
  CHECK(cuMemAlloc(&dy, n * sizeof(float)));
  CHECK(cuMemcpyHtoD(dx, x.data(), n * sizeof(float)));
  CHECK(cuMemcpyHtoD(dy, y.data(), n * sizeof(float)));
  void *arguments[] = {&a, &dx, &dy, &n};
  CHECK(cuLaunchKernel(kernel, (n + 127) / 128, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(cuMemcpyDtoH(y.data(), dy, n * sizeof(float)));
  for (int i = 0; i < n; i++) CHECK(y[i] != a * x[i] + 1.0f);
  puts("PASS");
}
