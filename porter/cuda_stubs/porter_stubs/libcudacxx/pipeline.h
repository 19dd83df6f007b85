// porter stub headers: libcu++, pipelines of asynchronous copies.
#pragma once
#include "barrier.h"

namespace cuda {
enum class pipeline_role { producer, consumer };

template <thread_scope Scope, unsigned char Stages>
class pipeline_shared_state {
 public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state &) = delete;

 private:
  uint64_t state[Stages * 2 + 1];
};

template <thread_scope Scope>
class pipeline {
 public:
  pipeline(pipeline &&) = default;
  pipeline(const pipeline &) = delete;
  __host__ __device__ bool quit() PORTER_STUB_BODY
  __host__ __device__ void producer_acquire() PORTER_STUB_BODY
  __host__ __device__ void producer_commit() PORTER_STUB_BODY
  __host__ __device__ void consumer_wait() PORTER_STUB_BODY
  template <class Rep, class Period>
  __host__ __device__ bool consumer_wait_for(const ::std::chrono::duration<Rep, Period> &) PORTER_STUB_BODY
  __host__ __device__ void consumer_release() PORTER_STUB_BODY
};

template <thread_scope Scope = thread_scope_thread> __host__ __device__ pipeline<Scope> make_pipeline() PORTER_STUB_BODY
template <class Group, thread_scope Scope, unsigned char Stages>
__host__ __device__ pipeline<Scope> make_pipeline(const Group &, pipeline_shared_state<Scope,
    Stages> *) PORTER_STUB_BODY
template <class Group, thread_scope Scope, unsigned char Stages>
__host__ __device__ pipeline<Scope> make_pipeline(const Group &, pipeline_shared_state<Scope, Stages> *,
    size_t) PORTER_STUB_BODY
template <class Group, thread_scope Scope, unsigned char Stages>
__host__ __device__ pipeline<Scope> make_pipeline(const Group &, pipeline_shared_state<Scope, Stages> *,
    pipeline_role) PORTER_STUB_BODY

template <unsigned char Prior>
__host__ __device__ void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &) PORTER_STUB_BODY
template <thread_scope Scope>
__host__ __device__ void pipeline_producer_commit(pipeline<thread_scope_thread> &, barrier<Scope> &) PORTER_STUB_BODY

template <class T, class Size, thread_scope Scope>
__host__ __device__ void memcpy_async(T *, const T *, Size, pipeline<Scope> &) PORTER_STUB_BODY
template <class Size, thread_scope Scope>
__host__ __device__ void memcpy_async(void *, const void *, Size, pipeline<Scope> &) PORTER_STUB_BODY
template <class Group, class T, class Size, thread_scope Scope>
__host__ __device__ void memcpy_async(const Group &, T *, const T *, Size, pipeline<Scope> &) PORTER_STUB_BODY
template <class Group, class Size, thread_scope Scope>
__host__ __device__ void memcpy_async(const Group &, void *, const void *, Size, pipeline<Scope> &) PORTER_STUB_BODY
}  // namespace cuda
