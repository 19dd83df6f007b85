// porter runtime: <cuda/barrier>'s bulk and tensor copies, and the bytes for which a barrier waits.
#ifndef PORTER_BARRIER_TX_H
#define PORTER_BARRIER_TX_H

#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstdint>

#include "barrier.h"
#include "tensor_map.h"

namespace porter {
namespace device {

__device__ inline void barrier_expect_tx(barrier<thread_scope_block>& bar, ptrdiff_t bytes) {
  mbarrier_expect_tx(barrier_native_handle(bar), uint32_t(bytes));
}
[[nodiscard]] __device__ inline barrier<thread_scope_block>::arrival_token barrier_arrive_tx(
    barrier<thread_scope_block>& bar, ptrdiff_t arrivals, ptrdiff_t bytes) {
  if (arrivals == 1) return mbarrier_arrive_expect_tx(barrier_native_handle(bar), uint32_t(bytes));
  barrier_expect_tx(bar, bytes);
  return bar.arrive(arrivals);
}
template <class T, size_t Alignment>
__device__ inline async_contract_fulfillment memcpy_async_tx(T* to, const T* from, aligned_size_t<Alignment> bytes,
                                                             barrier<thread_scope_block>& bar) {
  static_assert(Alignment >= 16, "bulk copies have whole chunks of 16 bytes");
  bulk_load(to, from, uint32_t(bytes), barrier_native_handle(bar));
  return async_contract_fulfillment::async;
}

namespace experimental {

__device__ inline void cp_async_bulk_global_to_shared(void* to, const void* from, uint32_t bytes,
                                                      barrier<thread_scope_block>& bar) {
  bulk_load(to, from, bytes, barrier_native_handle(bar));
}
__device__ inline void cp_async_bulk_shared_to_global(void* to, const void* from, uint32_t bytes) {
  bulk_store(to, from, bytes);
}

#define PORTER_TENSOR_COPY(dimensions, parameters, ...)                                                                  \
  __device__ inline void cp_async_bulk_tensor_##dimensions##_global_to_shared(                                           \
      void* to, const CUtensorMap* map, PORTER_PARAMETERS parameters, barrier<thread_scope_block>& bar) {                \
    tensor_load(to, map, barrier_native_handle(bar), __VA_ARGS__);                                                       \
  }                                                                                                                      \
  __device__ inline void cp_async_bulk_tensor_##dimensions##_shared_to_global(const CUtensorMap* map,                    \
                                                                              PORTER_PARAMETERS parameters,              \
                                                                              const void* from) {                        \
    tensor_store(map, from, __VA_ARGS__);                                                                                \
  }
#define PORTER_PARAMETERS(...) __VA_ARGS__
PORTER_TENSOR_COPY(1d, (int a), a)
PORTER_TENSOR_COPY(2d, (int a, int b), a, b)
PORTER_TENSOR_COPY(3d, (int a, int b, int c), a, b, c)
PORTER_TENSOR_COPY(4d, (int a, int b, int c, int d), a, b, c, d)
PORTER_TENSOR_COPY(5d, (int a, int b, int c, int d, int e), a, b, c, d, e)
#undef PORTER_TENSOR_COPY
#undef PORTER_PARAMETERS

// Copies are memory accesses like others, and those to global memory are done when they are issued.
__device__ inline void fence_proxy_async_shared_cta() { __threadfence_block(); }
__device__ inline void cp_async_bulk_commit_group() {}
template <int>
__device__ inline void cp_async_bulk_wait_group_read() {}

}  // namespace experimental
}  // namespace device
}  // namespace porter

#endif  // PORTER_BARRIER_TX_H
