// hiprtc: a program with a header and name expressions, one that does not compile, and two that are linked.
#include "check.h"
#include <hip/hip_ext.h>
#include <hip/hiprtc.h>

#include <string>
#include <vector>

#define RTC(call) EXPECT((call) == HIPRTC_SUCCESS)

static const char *SOURCE = R"(
#include "parts/twice.h"
static_assert(sizeof(__half) == 2 && hipFilterModeLinear == 1);
namespace n {
template <class T> __global__ void fill(T *x, int k) { x[threadIdx.x] = twice((T)threadIdx.x) + k + PLUS + factor; }
}
)";
static const char *TWICE = "__constant__ int factor = 5;\ntemplate <class T> __device__ T twice(T x) { return x + x; }";

static std::string log_of(hiprtcProgram program) {
  size_t size;
  RTC(hiprtcGetProgramLogSize(program, &size));
  std::string log(size, 0);
  RTC(hiprtcGetProgramLog(program, log.data()));
  return log;
}

static void compiled() {
  hiprtcProgram program;
  const char *name = "parts/twice.h", *lowered = nullptr, *variable = nullptr;
  RTC(hiprtcCreateProgram(&program, SOURCE, "fill.cu", 1, &TWICE, &name));
  RTC(hiprtcAddNameExpression(program, "n::fill<int>"));
  RTC(hiprtcAddNameExpression(program, "&factor"));
  EXPECT(hiprtcGetLoweredName(program, "factor", &variable) == HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  const char *options[] = {"--gpu-architecture=gfx942:sramecc+", "-DPLUS=3"};
  RTC(hiprtcCompileProgram(program, 2, options));
  EXPECT(log_of(program).empty());
  RTC(hiprtcGetLoweredName(program, "n::fill<int>", &lowered));
  RTC(hiprtcGetLoweredName(program, "(&factor)", &variable));
  EXPECT(hiprtcGetLoweredName(program, "n::fill<float>", &lowered) == HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
  size_t size;
  RTC(hiprtcGetCodeSize(program, &size));
  std::vector<char> code(size);
  RTC(hiprtcGetCode(program, code.data()));
  EXPECT(hiprtcGetBitcodeSize(program, &size) == HIPRTC_ERROR_INVALID_PROGRAM);

  hipModule_t module;
  hipFunction_t fill;
  hipDeviceptr_t factor;
  HIP(hipModuleLoadData(&module, code.data()));
  HIP(hipModuleGetFunction(&fill, module, lowered));
  HIP(hipModuleGetGlobal(&factor, &size, module, variable));
  const int six = 6;
  HIP(hipMemcpyHtoD(factor, (void *)&six, sizeof six));
  int *x = device<int>(64), got[64], k = 100;
  void *arguments[] = {&x, &k};
  HIP(hipModuleLaunchKernel(fill, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  HIP(hipMemcpy(got, x, sizeof got, hipMemcpyDeviceToHost));
  EXPECT(got[0] == 109 && got[63] == 235);
  struct { int *x; int k; } packed = {x, 200};
  size = sizeof packed;
  void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &packed, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size, HIP_LAUNCH_PARAM_END};
  HIP(hipExtModuleLaunchKernel(fill, 64, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra, nullptr, nullptr, 0));
  HIP(hipMemcpy(got, x, sizeof got, hipMemcpyDeviceToHost));
  EXPECT(got[0] == 209 && got[63] == 335);
  HIP(hipModuleUnload(module));
  RTC(hiprtcDestroyProgram(&program));
}

static void refused() {
  hiprtcProgram program;
  EXPECT(hiprtcCreateProgram(nullptr, SOURCE, "x", 0, nullptr, nullptr) == HIPRTC_ERROR_INVALID_PROGRAM);
  EXPECT(hiprtcCreateProgram(&program, SOURCE, "x", 1, nullptr, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  RTC(hiprtcCreateProgram(&program, "__global__ void broken() { nowhere(); }", "broken.hip", 0, nullptr, nullptr));
  EXPECT(hiprtcCompileProgram(program, 0, nullptr) == HIPRTC_ERROR_COMPILATION);
  EXPECT(log_of(program).find("broken.hip:1:28: error: use of undeclared identifier 'nowhere'") != std::string::npos);
  const char *other = "--offload-arch=gfx90a";
  EXPECT(hiprtcCompileProgram(program, 1, &other) == HIPRTC_ERROR_COMPILATION);
  RTC(hiprtcDestroyProgram(&program));
  EXPECT(!strcmp(hiprtcGetErrorString(HIPRTC_ERROR_LINKING), "HIPRTC_ERROR_LINKING"));
}

static std::vector<char> bitcode(const char *source) {
  hiprtcProgram program;
  RTC(hiprtcCreateProgram(&program, source, nullptr, 0, nullptr, nullptr));
  const char *option = "-fgpu-rdc";
  RTC(hiprtcCompileProgram(program, 1, &option));
  size_t size = 0;
  RTC(hiprtcGetBitcodeSize(program, &size));
  std::vector<char> code(size);
  RTC(hiprtcGetBitcode(program, code.data()));
  RTC(hiprtcDestroyProgram(&program));
  return code;
}

static void linked() {
  std::vector<char> a = bitcode("__device__ int halved(int x); extern \"C\" __global__ void halve(int *x) { *x = halved(*x); }");
  std::vector<char> b = bitcode("__device__ int halved(int x) { return x / 2; }");
  hiprtcLinkState link;
  RTC(hiprtcLinkCreate(0, nullptr, nullptr, &link));
  RTC(hiprtcLinkAddData(link, HIPRTC_JIT_INPUT_LLVM_BITCODE, a.data(), a.size(), "a", 0, nullptr, nullptr));
  RTC(hiprtcLinkAddData(link, HIPRTC_JIT_INPUT_LLVM_BITCODE, b.data(), b.size(), "b", 0, nullptr, nullptr));
  EXPECT(hiprtcLinkAddData(link, HIPRTC_JIT_INPUT_PTX, b.data(), b.size(), "b", 0, nullptr, nullptr) == HIPRTC_ERROR_INVALID_INPUT);
  void *code;
  size_t size;
  RTC(hiprtcLinkComplete(link, &code, &size));
  hipModule_t module;
  hipFunction_t halve;
  HIP(hipModuleLoadData(&module, code));
  RTC(hiprtcLinkDestroy(link));
  EXPECT(hiprtcLinkDestroy(link) == HIPRTC_ERROR_INVALID_INPUT);
  HIP(hipModuleGetFunction(&halve, module, "halve"));
  int *x = device<int>(1), value = 42;
  HIP(hipMemcpy(x, &value, sizeof value, hipMemcpyHostToDevice));
  void *arguments[] = {&x};
  HIP(hipModuleLaunchKernel(halve, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  HIP(hipMemcpy(&value, x, sizeof value, hipMemcpyDeviceToHost));
  EXPECT(value == 21);
}

int main() {
  compiled();
  refused();
  linked();
  puts("end");
}
