// Compiles a kernel at run time with NVRTC and runs it through the driver API, twice: from the PTX and from
// a cubin on disk if one is given.
#include <hip/hip_runtime.h>
#include "porter/rtc.h"
#include <hip/hiprtc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#define NVRTC_SAFE_CALL(x)                                                     \
  do {                                                                         \
    hiprtcResult result = x;                                                    \
    if (result != HIPRTC_SUCCESS) {                                             \
      std::cerr << "\nerror: " #x " failed with error "                        \
                << hiprtcGetErrorString(result) << '\n';                        \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)
#define CUDA_SAFE_CALL(x)                                                      \
  do {                                                                         \
    hipError_t result = x;                                                       \
    if (result != hipSuccess) {                                              \
      const char *msg;                                                         \
      hipDrvGetErrorName(result, &msg);                                            \
      std::cerr << "\nerror: " #x " failed with error " << msg << '\n';        \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

static const char *const kSource = R"cuda(
extern "C" __global__ void scale(float a, const float *x, float *out, size_t n)
{
  size_t tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < n) out[tid] = a * x[tid] + OFFSET;
}

template <typename T> __global__ void warp_totals(const T *x, T *out)
{
  T v = x[blockIdx.x * blockDim.x + threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down(v, d, 32);
  if (threadIdx.x % 32 == 0) out[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = v;
}
)cuda";

static std::vector<char> compile(std::string &lowered) {
  hiprtcProgram prog;
  NVRTC_SAFE_CALL(hiprtcCreateProgram(&prog, kSource, "scale.cu", 0, NULL, NULL));
  NVRTC_SAFE_CALL(hiprtcAddNameExpression(prog, "warp_totals<float>"));
  const char *opts[] = {"--offload-arch=gfx942", "-ffp-contract=off", "-DOFFSET=1.5f"};
  hiprtcResult compiled = porter::compile_program(prog, 3, opts);
  size_t logSize;
  NVRTC_SAFE_CALL(hiprtcGetProgramLogSize(prog, &logSize));
  std::string log(logSize, '\0');
  NVRTC_SAFE_CALL(hiprtcGetProgramLog(prog, &log[0]));
  if (compiled != HIPRTC_SUCCESS) {
    std::cerr << log;
    exit(1);
  }
  const char *name;
  NVRTC_SAFE_CALL(hiprtcGetLoweredName(prog, "warp_totals<float>", &name));
  lowered = name;
  size_t ptxSize;
  NVRTC_SAFE_CALL(hiprtcGetCodeSize(prog, &ptxSize));
  std::vector<char> ptx(ptxSize);
  NVRTC_SAFE_CALL(hiprtcGetCode(prog, ptx.data()));
  NVRTC_SAFE_CALL(hiprtcDestroyProgram(&prog));
  return ptx;
}

int main(int argc, char **argv) {
  std::string lowered;
  std::vector<char> image = compile(lowered);
  if (argc > 1) {
    std::ifstream file(argv[1], std::ios::binary);
    image.assign(std::istreambuf_iterator<char>(file), {});
  }

  CUDA_SAFE_CALL(hipInit(0));
  hipDevice_t cuDevice;
  hipCtx_t context;
  hipModule_t module;
  hipFunction_t scale, totals;
  CUDA_SAFE_CALL(hipDeviceGet(&cuDevice, 0));
  CUDA_SAFE_CALL(hipDevicePrimaryCtxRetain(&context, cuDevice));
  CUDA_SAFE_CALL(hipCtxSetCurrent(context));
  char log[1024] = "";
  hipJitOption options[] = {hipJitOptionInfoLogBuffer, hipJitOptionInfoLogBufferSizeBytes, hipJitOptionOptimizationLevel};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log), reinterpret_cast<void *>(3)};
  // porter[name-driver]: cuModuleLoadDataEx becomes hipModuleLoadDataEx: loads AMD code objects; PTX and cubin images cannot be loaded, and the JIT options are ignored
  CUDA_SAFE_CALL(hipModuleLoadDataEx(&module, image.data(), 3, options, values));
  CUDA_SAFE_CALL(hipModuleGetFunction(&scale, module, "scale"));
  CUDA_SAFE_CALL(hipModuleGetFunction(&totals, module, lowered.c_str()));

  int major = 0, threads = 0;
  CUDA_SAFE_CALL(hipDeviceGetAttribute(&major, hipDeviceAttributeComputeCapabilityMajor, cuDevice));
  CUDA_SAFE_CALL(hipFuncGetAttribute(&threads, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, scale));

  size_t n = 128 * 32;
  float a = 2.0f;
  std::vector<float> x(n), y(n), sums(n / 32);
  for (size_t i = 0; i < n; ++i) x[i] = static_cast<float>(i % 100);
  hipDeviceptr_t dX, dOut, dSums;
  CUDA_SAFE_CALL(hipMalloc(&dX, n * sizeof(float)));
  CUDA_SAFE_CALL(hipMalloc(&dOut, n * sizeof(float)));
  CUDA_SAFE_CALL(hipMalloc(&dSums, n / 32 * sizeof(float)));
  CUDA_SAFE_CALL(hipMemcpyHtoD(dX, x.data(), n * sizeof(float)));
  CUDA_SAFE_CALL(hipMemsetD32(dOut, 0, n));

  hipStream_t stream;
  hipEvent_t done;
  CUDA_SAFE_CALL(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  CUDA_SAFE_CALL(hipEventCreateWithFlags(&done, hipEventDisableTiming));
  void *args[] = {&a, &dX, &dOut, &n};
  CUDA_SAFE_CALL(hipModuleLaunchKernel(scale, 32, 1, 1, 128, 1, 1, 0, stream, args, 0));
  void *more[] = {&dOut, &dSums};
  CUDA_SAFE_CALL(hipModuleLaunchKernel(totals, 32, 1, 1, 128, 1, 1, 0, stream, more, nullptr));
  CUDA_SAFE_CALL(hipEventRecord(done, stream));
  CUDA_SAFE_CALL(hipEventSynchronize(done));
  CUDA_SAFE_CALL(hipMemcpyDtoH(y.data(), dOut, n * sizeof(float)));
  CUDA_SAFE_CALL(hipMemcpyDtoHAsync(sums.data(), dSums, n / 32 * sizeof(float), stream));
  CUDA_SAFE_CALL(hipStreamSynchronize(stream));

  bool ok = major > 0 && threads >= 128;
  for (size_t w = 0; w < n / 32; ++w) {
    float sum = 0;
    for (size_t i = w * 32; i < w * 32 + 32; ++i) {
      ok = ok && y[i] == a * x[i] + 1.5f;
      sum += y[i];
    }
    ok = ok && sums[w] == sum;
  }
  CUDA_SAFE_CALL(hipEventDestroy(done));
  CUDA_SAFE_CALL(hipStreamDestroy(stream));
  CUDA_SAFE_CALL(hipFree(dX));
  CUDA_SAFE_CALL(hipFree(dOut));
  CUDA_SAFE_CALL(hipFree(dSums));
  CUDA_SAFE_CALL(hipModuleUnload(module));
  CUDA_SAFE_CALL(hipDevicePrimaryCtxRelease(cuDevice));
  std::cout << (ok ? "PASS" : "FAIL") << std::endl;
  return !ok;
}
