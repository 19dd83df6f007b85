// For hipcc -include porter/kept_waits.h, or in front of all other headers: no wait for LDS is lost in front of a barrier.
//
// clang may drop the wait that __syncthreads() stands for in a loop that begins with nothing under way (docs/guides/running.md,
// "Waits that clang loses"). A wait that is written as one is kept. Where the fence's own wait stays the two become one
// instruction.
#ifndef PORTER_KEPT_WAITS_H
#define PORTER_KEPT_WAITS_H

#include <hip/hip_runtime.h>

__device__ inline void porter_syncthreads() {
#ifdef __HIP_DEVICE_COMPILE__
  __builtin_amdgcn_s_waitcnt(0xc07f);  // lgkmcnt(0), and no other counter
#endif
  __syncthreads();
}
#define __syncthreads() porter_syncthreads()

#endif  // PORTER_KEPT_WAITS_H
