// What nobody can have here: arrays, as gfx942 has no image instructions, and semaphores of other libraries. The calls refuse
// wrong arguments as AMD's runtime does.
#include "host.h"

using namespace host;

namespace {

hipError_t unless(bool wrong, hipError_t error, const char *name) { return wrong ? done(error) : not_supported(name); }

bool channels(unsigned count) { return count == 1 || count == 2 || count == 4; }

// No array was ever made, so what is not null is none.
hipError_t destroyed(hipArray_t array) { return done(array ? hipErrorContextIsDestroyed : hipErrorInvalidValue); }
hipError_t no_array(const void *array, const char *name) { return unless(!array, hipErrorInvalidValue, name); }

}  // namespace

extern "C" {

hipError_t hipMallocArray(hipArray_t *out, const hipChannelFormatDesc *format, size_t, size_t, unsigned) {
  return unless(!out || !format, hipErrorInvalidValue, "hipMallocArray");
}
hipError_t hipMalloc3DArray(hipArray_t *out, const hipChannelFormatDesc *format, hipExtent, unsigned) {
  return unless(!out || !format, hipErrorInvalidValue, "hipMalloc3DArray");
}
hipError_t hipArrayCreate(hipArray_t *out, const HIP_ARRAY_DESCRIPTOR *format) {
  return unless(!out || !format || !channels(format->NumChannels), hipErrorInvalidValue, "hipArrayCreate");
}
hipError_t hipArray3DCreate(hipArray_t *out, const HIP_ARRAY3D_DESCRIPTOR *format) {
  return unless(!out || !format || !channels(format->NumChannels), hipErrorInvalidValue, "hipArray3DCreate");
}
hipError_t hipFreeArray(hipArray_t array) { return destroyed(array); }
hipError_t hipArrayDestroy(hipArray_t array) { return destroyed(array); }
hipError_t hipArrayGetInfo(hipChannelFormatDesc *format, hipExtent *extent, unsigned *flags, hipArray_t array) {
  return done(array && !format && !extent && !flags ? hipSuccess : hipErrorInvalidHandle);
}
hipError_t hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR *out, hipArray_t array) {
  return done(array && !out ? hipErrorInvalidValue : hipErrorInvalidHandle);
}
hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR *out, hipArray_t array) {
  return done(array && !out ? hipErrorInvalidValue : hipErrorInvalidHandle);
}

hipError_t hipMemcpyToArray(hipArray_t to, size_t, size_t, const void *, size_t, hipMemcpyKind) {
  return no_array(to, "hipMemcpyToArray");
}
hipError_t hipMemcpyFromArray(void *, hipArray_const_t from, size_t, size_t, size_t, hipMemcpyKind) {
  return no_array(from, "hipMemcpyFromArray");
}
hipError_t hipMemcpyAtoA(hipArray_t to, size_t, hipArray_t from, size_t, size_t) {
  return unless(!to || !from, hipErrorInvalidValue, "hipMemcpyAtoA");
}
hipError_t hipMemcpyAtoD(hipDeviceptr_t to, hipArray_t from, size_t, size_t) {
  return unless(!to || !from, hipErrorInvalidValue, "hipMemcpyAtoD");
}
hipError_t hipMemcpyDtoA(hipArray_t to, size_t, hipDeviceptr_t from, size_t) {
  return unless(!to || !from, hipErrorInvalidValue, "hipMemcpyDtoA");
}
hipError_t hipMemcpyAtoH(void *to, hipArray_t from, size_t, size_t) {
  return unless(!to || !from, hipErrorInvalidValue, "hipMemcpyAtoH");
}
hipError_t hipMemcpyAtoHAsync(void *to, hipArray_t from, size_t, size_t, hipStream_t) {
  return unless(!to || !from, hipErrorInvalidValue, "hipMemcpyAtoHAsync");
}
hipError_t hipMemcpyHtoA(hipArray_t to, size_t, const void *from, size_t) {
  return unless(!to || !from, hipErrorInvalidValue, "hipMemcpyHtoA");
}
hipError_t hipMemcpyHtoAAsync(hipArray_t to, size_t, const void *from, size_t, hipStream_t) {
  return unless(!to || !from, hipErrorInvalidValue, "hipMemcpyHtoAAsync");
}
hipError_t hipMemcpy2DToArray(hipArray_t to, size_t, size_t, const void *, size_t, size_t, size_t, hipMemcpyKind) {
  return unless(!to, hipErrorInvalidHandle, "hipMemcpy2DToArray");
}
hipError_t hipMemcpy2DFromArray(void *, size_t, hipArray_const_t from, size_t, size_t, size_t, size_t, hipMemcpyKind) {
  return unless(!from, hipErrorInvalidHandle, "hipMemcpy2DFromArray");
}
hipError_t hipMemcpy2DArrayToArray(hipArray_t to, size_t, size_t, hipArray_const_t from, size_t, size_t, size_t, size_t,
                                   hipMemcpyKind) {
  return unless(!to || !from, hipErrorInvalidHandle, "hipMemcpy2DArrayToArray");
}

hipError_t hipDestroyTextureObject(hipTextureObject_t object) {
  return object ? not_supported("hipDestroyTextureObject") : done(hipSuccess);
}
hipError_t hipTexObjectDestroy(hipTextureObject_t object) {
  return object ? not_supported("hipTexObjectDestroy") : done(hipSuccess);
}
hipError_t hipDestroySurfaceObject(hipSurfaceObject_t object) {
  return object ? not_supported("hipDestroySurfaceObject") : done(hipSuccess);
}
hipError_t hipGetTextureObjectResourceDesc(hipResourceDesc *out, hipTextureObject_t object) {
  return unless(!out || !object, hipErrorInvalidValue, "hipGetTextureObjectResourceDesc");
}
hipError_t hipGetTextureObjectResourceViewDesc(hipResourceViewDesc *out, hipTextureObject_t object) {
  return unless(!out || !object, hipErrorInvalidValue, "hipGetTextureObjectResourceViewDesc");
}
hipError_t hipGetTextureObjectTextureDesc(hipTextureDesc *out, hipTextureObject_t object) {
  return unless(!out || !object, hipErrorInvalidValue, "hipGetTextureObjectTextureDesc");
}

hipError_t hipMallocMipmappedArray(hipMipmappedArray_t *out, const hipChannelFormatDesc *format, hipExtent, unsigned, unsigned) {
  return out && format ? not_supported("hipMallocMipmappedArray") : done(hipErrorInvalidValue);
}
hipError_t hipMipmappedArrayCreate(hipMipmappedArray_t *out, HIP_ARRAY3D_DESCRIPTOR *format, unsigned) {
  return out && format ? not_supported("hipMipmappedArrayCreate") : done(hipErrorInvalidValue);
}
hipError_t hipFreeMipmappedArray(hipMipmappedArray_t) { return done(hipErrorInvalidValue); }
hipError_t hipMipmappedArrayDestroy(hipMipmappedArray_t) { return done(hipErrorInvalidValue); }
hipError_t hipGetMipmappedArrayLevel(hipArray_t *, hipMipmappedArray_const_t, unsigned) { return done(hipErrorInvalidValue); }
hipError_t hipMipmappedArrayGetLevel(hipArray_t *, hipMipmappedArray_t, unsigned) { return done(hipErrorInvalidValue); }

hipError_t hipMemcpy2DToArrayAsync(hipArray_t to, size_t, size_t, const void *, size_t, size_t, size_t, hipMemcpyKind, hipStream_t) {
  return to ? not_supported("hipMemcpy2DToArrayAsync") : done(hipErrorInvalidHandle);
}
hipError_t hipMemcpy2DFromArrayAsync(void *, size_t, hipArray_const_t from, size_t, size_t, size_t, size_t, hipMemcpyKind,
                                     hipStream_t) {
  return from ? not_supported("hipMemcpy2DFromArrayAsync") : done(hipErrorInvalidHandle);
}

hipError_t hipSignalExternalSemaphoresAsync(const hipExternalSemaphore_t *list, const hipExternalSemaphoreSignalParams *parameters,
                                            unsigned, hipStream_t) {
  return list && parameters ? not_supported("hipSignalExternalSemaphoresAsync") : done(hipErrorInvalidValue);
}
hipError_t hipWaitExternalSemaphoresAsync(const hipExternalSemaphore_t *list, const hipExternalSemaphoreWaitParams *parameters,
                                          unsigned, hipStream_t) {
  return list && parameters ? not_supported("hipWaitExternalSemaphoresAsync") : done(hipErrorInvalidValue);
}

}
