// porter stub headers: libcu++, semaphores and latches.
#pragma once
#include "thread_scope.h"

namespace cuda {
template <thread_scope Scope, ptrdiff_t Max = (ptrdiff_t(1) << 30)>
class counting_semaphore {
 public:
  __host__ __device__ constexpr explicit counting_semaphore(ptrdiff_t n) : count(n) {}
  __host__ __device__ void release(ptrdiff_t = 1) PORTER_STUB_BODY
  __host__ __device__ void acquire() PORTER_STUB_BODY
  __host__ __device__ bool try_acquire() PORTER_STUB_BODY
  template <class Rep, class Period>
  __host__ __device__ bool try_acquire_for(const ::std::chrono::duration<Rep, Period> &) PORTER_STUB_BODY

 private:
  ptrdiff_t count;
};
template <thread_scope Scope> using binary_semaphore = counting_semaphore<Scope, 1>;

template <thread_scope Scope>
class latch {
 public:
  __host__ __device__ constexpr explicit latch(ptrdiff_t n) : count(n) {}
  __host__ __device__ void count_down(ptrdiff_t = 1) PORTER_STUB_BODY
  __host__ __device__ bool try_wait() const PORTER_STUB_BODY
  __host__ __device__ void wait() const PORTER_STUB_BODY
  __host__ __device__ void arrive_and_wait(ptrdiff_t = 1) PORTER_STUB_BODY

 private:
  ptrdiff_t count;
};

namespace std {
template <ptrdiff_t Max = (ptrdiff_t(1) << 30)> using counting_semaphore = ::cuda::counting_semaphore<thread_scope_system, Max>;

using binary_semaphore = ::cuda::counting_semaphore<thread_scope_system, 1>;
using latch = ::cuda::latch<thread_scope_system>;
}  // namespace std
}  // namespace cuda
