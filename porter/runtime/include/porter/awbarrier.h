// porter runtime: the primitives of <cuda_awbarrier_primitives.h>, which are PTX's mbarrier.
#ifndef PORTER_AWBARRIER_H
#define PORTER_AWBARRIER_H

#include <hip/hip_runtime.h>

#include <cstdint>

#include "mbarrier.h"

using __mbarrier_t = uint64_t;
using __mbarrier_token_t = uint64_t;

__device__ inline uint32_t __mbarrier_maximum_count() { return uint32_t(porter::detail::bar_count); }
__device__ inline void __mbarrier_init(__mbarrier_t* bar, uint32_t expected) { porter::mbarrier_init(bar, expected); }
__device__ inline void __mbarrier_inval(__mbarrier_t*) {}
__device__ inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* bar) { return porter::mbarrier_arrive(bar); }
__device__ inline __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* bar) { return porter::mbarrier_arrive_drop(bar); }
__device__ inline bool __mbarrier_test_wait(__mbarrier_t* bar, __mbarrier_token_t token) {
  return porter::mbarrier_test_wait(bar, token);
}
__device__ inline bool __mbarrier_test_wait_parity(__mbarrier_t* bar, bool parity) {
  return porter::mbarrier_test_wait_parity(bar, parity);
}
// The time that it may sleep is a hint.
__device__ inline bool __mbarrier_try_wait(__mbarrier_t* bar, __mbarrier_token_t token, uint32_t) {
  return porter::mbarrier_try_wait(bar, token);
}
__device__ inline bool __mbarrier_try_wait_parity(__mbarrier_t* bar, bool parity, uint32_t) {
  return porter::mbarrier_try_wait_parity(bar, parity);
}
__device__ inline uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) { return porter::mbarrier_pending_count(token); }

#endif  // PORTER_AWBARRIER_H
