// Arrays with mipmaps: gfx942 has no image instructions, so none can be made, and what is none is refused.
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

}
