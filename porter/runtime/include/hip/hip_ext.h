// AMD's extensions of HIP: launches between two events.
#pragma once
#include <hip/hip_runtime.h>

extern "C" hipError_t hipExtModuleLaunchKernel(hipFunction_t function, uint32_t threads_x, uint32_t threads_y,
                                               uint32_t threads_z, uint32_t block_x, uint32_t block_y, uint32_t block_z,
                                               size_t dynamic_lds, hipStream_t stream, void **arguments, void **extra,
                                               hipEvent_t start = nullptr, hipEvent_t stop = nullptr, uint32_t flags = 0);
extern "C" hipError_t hipHccModuleLaunchKernel(hipFunction_t function, uint32_t threads_x, uint32_t threads_y,
                                               uint32_t threads_z, uint32_t block_x, uint32_t block_y, uint32_t block_z,
                                               size_t dynamic_lds, hipStream_t stream, void **arguments, void **extra,
                                               hipEvent_t start = nullptr, hipEvent_t stop = nullptr);

#if !defined(__HIPCC_RTC__) && defined(__HIP__)
namespace porter_hip_ext {
template <class... Parameters>
hipError_t launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, uint32_t lds, hipStream_t stream, hipEvent_t start,
                  hipEvent_t stop, uint32_t flags, Parameters... values) {
  void *arguments[sizeof...(values) + 1] = {(void *)&values...};
  return hipExtLaunchKernel((const void *)kernel, grid, block, arguments, lds, stream, start, stop, (int)flags);
}
}  // namespace porter_hip_ext

// The arguments become the kernel's parameter types, as in a call.
template <class... Parameters, class... Values>
inline void hipExtLaunchKernelGGL(void (*kernel)(Parameters...), const dim3 &grid, const dim3 &block, uint32_t lds,
                                  hipStream_t stream, hipEvent_t start, hipEvent_t stop, uint32_t flags, Values... values) {
  static_assert(sizeof...(Parameters) == sizeof...(Values), "as many arguments as the kernel has parameters");
  (void)porter_hip_ext::launch<Parameters...>(kernel, grid, block, lds, stream, start, stop, flags, values...);
}
#endif
