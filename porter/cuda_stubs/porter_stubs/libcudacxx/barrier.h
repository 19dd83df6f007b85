// porter stub headers: libcu++, barriers and asynchronous copies that arrive on them.
#pragma once
#include "thread_scope.h"
#include <stdint.h>

namespace cuda {
namespace std {
struct __empty_completion {
  __host__ __device__ void operator()() const;
};
}  // namespace std

template <thread_scope Scope, class Completion = std::__empty_completion>
class barrier {
 public:
  typedef uint64_t arrival_token;
  barrier() = default;
  __host__ __device__ barrier(ptrdiff_t, Completion = Completion()) PORTER_STUB_BODY
  barrier(const barrier &) = delete;
  barrier &operator=(const barrier &) = delete;
  __host__ __device__ static constexpr ptrdiff_t max() { return (1 << 20) - 1; }
  __host__ __device__ arrival_token arrive(ptrdiff_t = 1) PORTER_STUB_BODY
  __host__ __device__ void wait(arrival_token &&) const PORTER_STUB_BODY
  __host__ __device__ void wait_parity(bool) const PORTER_STUB_BODY
  __host__ __device__ bool try_wait(arrival_token &&) const PORTER_STUB_BODY
  __host__ __device__ bool try_wait_parity(bool) const PORTER_STUB_BODY
  template <class Rep, class Period>
  __host__ __device__ bool try_wait_for(arrival_token &&, const ::std::chrono::duration<Rep,
      Period> &) const PORTER_STUB_BODY
  template <class Rep, class Period>
  __host__ __device__ bool try_wait_parity_for(bool, const ::std::chrono::duration<Rep,
      Period> &) const PORTER_STUB_BODY
  __host__ __device__ void arrive_and_wait() PORTER_STUB_BODY
  __host__ __device__ void arrive_and_drop() PORTER_STUB_BODY

 private:
  uint64_t state;
};

template <thread_scope Scope, class Completion>
__host__ __device__ void init(barrier<Scope, Completion> *, ptrdiff_t) PORTER_STUB_BODY
template <thread_scope Scope, class Completion>
__host__ __device__ void init(barrier<Scope, Completion> *, ptrdiff_t, Completion) PORTER_STUB_BODY

namespace device {
template <class Barrier> __device__ uint64_t *barrier_native_handle(Barrier &) PORTER_STUB_BODY
template <class Barrier>
__device__ typename Barrier::arrival_token barrier_arrive_tx(Barrier &, ptrdiff_t, ptrdiff_t) PORTER_STUB_BODY
template <class Barrier> __device__ void barrier_expect_tx(Barrier &, ptrdiff_t) PORTER_STUB_BODY
template <class T, class Size, class Barrier>
__device__ void memcpy_async_tx(T *, const T *, Size, Barrier &) PORTER_STUB_BODY

namespace experimental {
__device__ void cp_async_bulk_global_to_shared(void *, const void *, uint32_t, barrier<thread_scope_block> &);
__device__ void cp_async_bulk_shared_to_global(void *, const void *, uint32_t);
__device__ void cp_async_bulk_tensor_1d_global_to_shared(void *, const void *, int, barrier<thread_scope_block> &);
__device__ void cp_async_bulk_tensor_2d_global_to_shared(void *, const void *, int, int, barrier<thread_scope_block> &);
__device__ void cp_async_bulk_tensor_3d_global_to_shared(void *, const void *, int, int, int,
    barrier<thread_scope_block> &);
__device__ void cp_async_bulk_tensor_4d_global_to_shared(void *, const void *, int, int, int, int,
    barrier<thread_scope_block> &);
__device__ void cp_async_bulk_tensor_5d_global_to_shared(void *, const void *, int, int, int, int, int,
    barrier<thread_scope_block> &);
__device__ void cp_async_bulk_tensor_1d_shared_to_global(const void *, int, const void *);
__device__ void cp_async_bulk_tensor_2d_shared_to_global(const void *, int, int, const void *);
__device__ void cp_async_bulk_tensor_3d_shared_to_global(const void *, int, int, int, const void *);
__device__ void cp_async_bulk_tensor_4d_shared_to_global(const void *, int, int, int, int, const void *);
__device__ void cp_async_bulk_tensor_5d_shared_to_global(const void *, int, int, int, int, int, const void *);
__device__ void cp_async_bulk_commit_group();
template <int N> __device__ void cp_async_bulk_wait_group_read() PORTER_STUB_BODY
__device__ void fence_proxy_async_shared_cta();
}  // namespace experimental
}  // namespace device

// Copies that complete on a barrier; the overloads on a pipeline are in pipeline.h.
template <class T, class Size, thread_scope Scope, class Completion>
__host__ __device__ void memcpy_async(T *, const T *, Size, barrier<Scope, Completion> &) PORTER_STUB_BODY
template <class Size, thread_scope Scope, class Completion>
__host__ __device__ void memcpy_async(void *, const void *, Size, barrier<Scope, Completion> &) PORTER_STUB_BODY
template <class Group, class T, class Size, thread_scope Scope, class Completion>
__host__ __device__ void memcpy_async(const Group &, T *, const T *, Size, barrier<Scope,
    Completion> &) PORTER_STUB_BODY
template <class Group, class Size, thread_scope Scope, class Completion>
__host__ __device__ void memcpy_async(const Group &, void *, const void *, Size, barrier<Scope,
    Completion> &) PORTER_STUB_BODY

namespace std {
template <class Completion = __empty_completion> using barrier = ::cuda::barrier<thread_scope_system, Completion>;
}  // namespace std
}  // namespace cuda
