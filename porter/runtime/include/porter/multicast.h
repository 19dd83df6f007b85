// porter runtime: CUDA's multicast objects. They need NVLink SHARP; AMD GPUs have none, and whoever asks for one is told.
#ifndef PORTER_MULTICAST_H
#define PORTER_MULTICAST_H

#include <hip/hip_runtime.h>

namespace porter {

enum multicast_granularity : unsigned { multicast_granularity_minimum = 0, multicast_granularity_recommended = 1 };
struct multicast_properties {
  unsigned int numDevices;
  size_t size;
  unsigned long long handleTypes, flags;
};
constexpr hipDeviceAttribute_t multicast_attribute = hipDeviceAttribute_t(32767);  // which HIP does not have

inline hipError_t multicast_create(hipMemGenericAllocationHandle_t*, const multicast_properties*) { return hipErrorNotSupported; }
inline hipError_t multicast_add_device(hipMemGenericAllocationHandle_t, hipDevice_t) { return hipErrorNotSupported; }
inline hipError_t multicast_bind_addr(hipMemGenericAllocationHandle_t, size_t, hipDeviceptr_t, size_t, unsigned long long) {
  return hipErrorNotSupported;
}
inline hipError_t multicast_bind_mem(hipMemGenericAllocationHandle_t, size_t, hipMemGenericAllocationHandle_t, size_t, size_t,
                                     unsigned long long) {
  return hipErrorNotSupported;
}
inline hipError_t multicast_get_granularity(size_t*, const multicast_properties*, unsigned) { return hipErrorNotSupported; }
inline hipError_t multicast_unbind(hipMemGenericAllocationHandle_t, hipDevice_t, size_t, size_t) { return hipErrorNotSupported; }

}  // namespace porter

#endif  // PORTER_MULTICAST_H
