// porter runtime: what functions do that use what HIP does not have, and that nobody calls.
#ifndef PORTER_NOT_PORTED_H
#define PORTER_NOT_PORTED_H

#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace porter {

[[noreturn]] __host__ __device__ inline void not_ported([[maybe_unused]] const char* what) {
#ifdef __HIP_DEVICE_COMPILE__
  __builtin_trap();
#else
  std::fprintf(stderr, "porter: called, but not ported: %s\n", what);
  std::abort();
#endif
}

}  // namespace porter

#endif  // PORTER_NOT_PORTED_H
