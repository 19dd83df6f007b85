// What AMD's hiprtc has included before a program. HIP's runtime leaves the device's functions out where __HIPCC_RTC__ is
// defined, and their headers do not include each other there: in the order in which one needs the other.
#ifndef PORTER_HIP_HIPRTC_BUILTINS_H
#define PORTER_HIP_HIPRTC_BUILTINS_H

#include <hip/hip_runtime.h>

#include <hip/amd_detail/device_library_decls.h>

#include <hip/amd_detail/amd_hip_unsafe_atomics.h>

#include <hip/amd_detail/amd_hip_atomic.h>

#include <hip/amd_detail/amd_warp_functions.h>

#include <hip/amd_detail/amd_device_functions.h>

#include <hip/amd_detail/amd_warp_sync_functions.h>

#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>

#include <hip/driver_types.h>

#include <hip/texture_types.h>
#include <hip/hip_math_constants.h>

#endif
