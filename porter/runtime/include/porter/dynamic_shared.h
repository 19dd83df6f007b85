// porter runtime: kernels that a launch may give more dynamic shared memory than they use.
//
// A template's launch asks for what its largest instance takes. clang keeps arrays of registers that are indexed at run
// time in LDS where a kernel has no dynamic shared memory; the launch would then ask for more than there is.
#ifndef PORTER_DYNAMIC_SHARED_H
#define PORTER_DYNAMIC_SHARED_H

#include <hip/hip_runtime.h>

#include <cstdint>

namespace porter {
namespace detail {

// The kernel has dynamic shared memory, for all that clang knows. No instruction but the address.
__device__ inline void keep_dynamic_shared() {
  extern __shared__ __align__(1024) unsigned char dynamic_shared[];
  asm volatile("" ::"s"(uint32_t(reinterpret_cast<uintptr_t>((__attribute__((address_space(3))) unsigned char*)dynamic_shared))));
}

}  // namespace detail
}  // namespace porter

#endif  // PORTER_DYNAMIC_SHARED_H
