// What nobody can have here: arrays, as gfx942 has no image instructions, and semaphores of other libraries. The calls refuse
// wrong arguments as AMD's runtime does.
#include "host.h"

using namespace host;

extern "C" {

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
