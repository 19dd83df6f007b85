// porter runtime: device attributes of CUDA that HIP has no number for. All AMD GPUs answer them alike: 1, or 0 and none.
#ifndef PORTER_DEVICE_ATTRIBUTE_H
#define PORTER_DEVICE_ATTRIBUTE_H

#include <hip/hip_runtime_api.h>

namespace porter {

constexpr hipDeviceAttribute_t device_lacks = hipDeviceAttribute_t(32766), device_has = hipDeviceAttribute_t(32767);

inline hipError_t device_get_attribute(int* value, hipDeviceAttribute_t which, int device) {
  if (which != device_lacks && which != device_has) return hipDeviceGetAttribute(value, which, device);
  if (!value) return hipErrorInvalidValue;
  *value = which == device_has;
  return hipSuccess;
}

}  // namespace porter

#define hipDeviceGetAttribute(...) porter::device_get_attribute(__VA_ARGS__)

#endif  // PORTER_DEVICE_ATTRIBUTE_H
