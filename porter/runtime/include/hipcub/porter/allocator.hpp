// porter's stand-in for hipCUB: the allocator that keeps what is freed. It keeps nothing here.
#ifndef PORTER_HIPCUB_ALLOCATOR
#define PORTER_HIPCUB_ALLOCATOR
#pragma clang system_header

#include "types.hpp"

#define _HipcubLog(format, ...) printf(format, __VA_ARGS__);

namespace hipcub {

struct CachingDeviceAllocator {
  static const unsigned INVALID_BIN = unsigned(-1);
  static const size_t INVALID_SIZE = size_t(-1);
  static const int INVALID_DEVICE_ORDINAL = -1;
  CachingDeviceAllocator(unsigned, unsigned = 1, unsigned = INVALID_BIN, size_t = INVALID_SIZE, bool = false, bool = false) {}
  CachingDeviceAllocator(bool = false, bool = false) {}
  hipError_t SetMaxCachedBytes(size_t) { return hipSuccess; }
  hipError_t DeviceAllocate(int device, void **p, size_t bytes, hipStream_t = 0) {
    int before = 0;
    hipError_t error = hipGetDevice(&before);
    if (error == hipSuccess && device != INVALID_DEVICE_ORDINAL) error = hipSetDevice(device);
    if (error == hipSuccess) error = hipMalloc(p, bytes ? bytes : 1);
    (void)hipSetDevice(before);
    return error;
  }
  hipError_t DeviceAllocate(void **p, size_t bytes, hipStream_t stream = 0) {
    return DeviceAllocate(INVALID_DEVICE_ORDINAL, p, bytes, stream);
  }
  hipError_t DeviceFree(int, void *p) { return hipFree(p); }
  hipError_t DeviceFree(void *p) { return hipFree(p); }
  hipError_t FreeAllCached() { return hipSuccess; }
};

}  // namespace hipcub

#endif
