// Compiles a kernel at run time with NVRTC and runs it through the driver API, twice: from the PTX and from
// a cubin on disk if one is given.
#include <cuda.h>
#include <nvrtc.h>

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
    nvrtcResult result = x;                                                    \
    if (result != NVRTC_SUCCESS) {                                             \
      std::cerr << "\nerror: " #x " failed with error "                        \
                << nvrtcGetErrorString(result) << '\n';                        \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)
#define CUDA_SAFE_CALL(x)                                                      \
  do {                                                                         \
    CUresult result = x;                                                       \
    if (result != CUDA_SUCCESS) {                                              \
      const char *msg;                                                         \
      cuGetErrorName(result, &msg);                                            \
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
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x % warpSize == 0) out[(blockIdx.x * blockDim.x + threadIdx.x) / warpSize] = v;
}
)cuda";

static std::vector<char> compile(std::string &lowered) {
  nvrtcProgram prog;
  NVRTC_SAFE_CALL(nvrtcCreateProgram(&prog, kSource, "scale.cu", 0, NULL, NULL));
  NVRTC_SAFE_CALL(nvrtcAddNameExpression(prog, "warp_totals<float>"));
  const char *opts[] = {"--gpu-architecture=compute_75", "--fmad=false", "-DOFFSET=1.5f"};
  nvrtcResult compiled = nvrtcCompileProgram(prog, 3, opts);
  size_t logSize;
  NVRTC_SAFE_CALL(nvrtcGetProgramLogSize(prog, &logSize));
  std::string log(logSize, '\0');
  NVRTC_SAFE_CALL(nvrtcGetProgramLog(prog, &log[0]));
  if (compiled != NVRTC_SUCCESS) {
    std::cerr << log;
    exit(1);
  }
  const char *name;
  NVRTC_SAFE_CALL(nvrtcGetLoweredName(prog, "warp_totals<float>", &name));
  lowered = name;
  size_t ptxSize;
  NVRTC_SAFE_CALL(nvrtcGetPTXSize(prog, &ptxSize));
  std::vector<char> ptx(ptxSize);
  NVRTC_SAFE_CALL(nvrtcGetPTX(prog, ptx.data()));
  NVRTC_SAFE_CALL(nvrtcDestroyProgram(&prog));
  return ptx;
}

int main(int argc, char **argv) {
  std::string lowered;
  std::vector<char> image = compile(lowered);
  if (argc > 1) {
    std::ifstream file(argv[1], std::ios::binary);
    image.assign(std::istreambuf_iterator<char>(file), {});
  }

  CUDA_SAFE_CALL(cuInit(0));
  CUdevice cuDevice;
  CUcontext context;
  CUmodule module;
  CUfunction scale, totals;
  CUDA_SAFE_CALL(cuDeviceGet(&cuDevice, 0));
  CUDA_SAFE_CALL(cuDevicePrimaryCtxRetain(&context, cuDevice));
  CUDA_SAFE_CALL(cuCtxSetCurrent(context));
  char log[1024] = "";
  CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_OPTIMIZATION_LEVEL};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log), reinterpret_cast<void *>(3)};
  CUDA_SAFE_CALL(cuModuleLoadDataEx(&module, image.data(), 3, options, values));
  CUDA_SAFE_CALL(cuModuleGetFunction(&scale, module, "scale"));
  CUDA_SAFE_CALL(cuModuleGetFunction(&totals, module, lowered.c_str()));

  int major = 0, threads = 0;
  CUDA_SAFE_CALL(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, cuDevice));
  CUDA_SAFE_CALL(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, scale));

  size_t n = 128 * 32;
  float a = 2.0f;
  std::vector<float> x(n), y(n), sums(n / 32);
  for (size_t i = 0; i < n; ++i) x[i] = static_cast<float>(i % 100);
  CUdeviceptr dX, dOut, dSums;
  CUDA_SAFE_CALL(cuMemAlloc(&dX, n * sizeof(float)));
  CUDA_SAFE_CALL(cuMemAlloc(&dOut, n * sizeof(float)));
  CUDA_SAFE_CALL(cuMemAlloc(&dSums, n / 32 * sizeof(float)));
  CUDA_SAFE_CALL(cuMemcpyHtoD(dX, x.data(), n * sizeof(float)));
  CUDA_SAFE_CALL(cuMemsetD32(dOut, 0, n));

  CUstream stream;
  CUevent done;
  CUDA_SAFE_CALL(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CUDA_SAFE_CALL(cuEventCreate(&done, CU_EVENT_DISABLE_TIMING));
  void *args[] = {&a, &dX, &dOut, &n};
  CUDA_SAFE_CALL(cuLaunchKernel(scale, 32, 1, 1, 128, 1, 1, 0, stream, args, 0));
  void *more[] = {&dOut, &dSums};
  CUDA_SAFE_CALL(cuLaunchKernel(totals, 32, 1, 1, 128, 1, 1, 0, stream, more, nullptr));
  CUDA_SAFE_CALL(cuEventRecord(done, stream));
  CUDA_SAFE_CALL(cuEventSynchronize(done));
  CUDA_SAFE_CALL(cuMemcpyDtoH(y.data(), dOut, n * sizeof(float)));
  CUDA_SAFE_CALL(cuMemcpyDtoHAsync(sums.data(), dSums, n / 32 * sizeof(float), stream));
  CUDA_SAFE_CALL(cuStreamSynchronize(stream));

  bool ok = major > 0 && threads >= 128;
  for (size_t w = 0; w < n / 32; ++w) {
    float sum = 0;
    for (size_t i = w * 32; i < w * 32 + 32; ++i) {
      ok = ok && y[i] == a * x[i] + 1.5f;
      sum += y[i];
    }
    ok = ok && sums[w] == sum;
  }
  CUDA_SAFE_CALL(cuEventDestroy(done));
  CUDA_SAFE_CALL(cuStreamDestroy(stream));
  CUDA_SAFE_CALL(cuMemFree(dX));
  CUDA_SAFE_CALL(cuMemFree(dOut));
  CUDA_SAFE_CALL(cuMemFree(dSums));
  CUDA_SAFE_CALL(cuModuleUnload(module));
  CUDA_SAFE_CALL(cuDevicePrimaryCtxRelease(cuDevice));
  std::cout << (ok ? "PASS" : "FAIL") << std::endl;
  return !ok;
}
