// porter runtime: cuda::pipeline (<cuda/pipeline>) and the primitives of <cuda_pipeline.h>.
//
// Copies are made at once by the threads that ask for them. So a pipeline of one thread has nothing to wait for; one that
// threads share has two barriers a stage: the stage is full, the stage is free.
#ifndef PORTER_PIPELINE_H
#define PORTER_PIPELINE_H

#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstdint>

#include "awbarrier.h"
#include "barrier.h"

namespace porter {

enum class pipeline_role { producer, consumer };

namespace detail {
template <thread_scope Scope>
struct pipeline_stage {
  barrier<Scope> full, free;
};
}  // namespace detail

template <thread_scope Scope, uint8_t Stages>
class pipeline_shared_state {
 public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state&) = delete;
  pipeline_shared_state& operator=(const pipeline_shared_state&) = delete;

  // By one thread, before any other uses it.
  __device__ void begin(uint32_t threads, uint32_t producers, uint32_t consumers) {
    for (int i = 0; i < Stages; ++i) {
      init(&stages_[i].full, producers);
      init(&stages_[i].free, consumers);
    }
    threads_ = threads;
  }

  detail::pipeline_stage<Scope> stages_[Stages];
  uint32_t threads_;  // that have not left; while the roles are counted, the producers
};

template <thread_scope Scope>
class pipeline {
 public:
  template <uint8_t Stages>
  __device__ explicit pipeline(pipeline_shared_state<Scope, Stages>* shared)
      : stages_(shared->stages_), threads_(&shared->threads_), count_(Stages) {}
  pipeline(pipeline&&) = default;
  pipeline(const pipeline&) = delete;
  pipeline& operator=(pipeline&&) = delete;

  __device__ void producer_acquire() { stages_[head_].free.wait_parity(!head_phase_); }
  __device__ void producer_commit() {
    (void)stages_[head_].full.arrive();
    if (++head_ == count_) head_ = 0, head_phase_ = !head_phase_;
  }
  __device__ void consumer_wait() { stages_[tail_].full.wait_parity(tail_phase_); }
  __device__ void consumer_release() {
    (void)stages_[tail_].free.arrive();
    if (++tail_ == count_) tail_ = 0, tail_phase_ = !tail_phase_;
  }
  template <class Time>
  [[nodiscard]] __device__ bool consumer_wait_for(const Time& time) {
    return stages_[tail_].full.try_wait_parity_for(tail_phase_, time);
  }
  // Whether this was the last of the threads that leave by quit().
  __device__ bool quit() { return PORTER_ONCE(__hip_atomic_fetch_add(threads_, ~0u, __ATOMIC_ACQ_REL, Scope)) == 1; }

 private:
  detail::pipeline_stage<Scope>* stages_;
  uint32_t* threads_;
  uint32_t count_, head_ = 0, tail_ = 0;
  bool head_phase_ = false, tail_phase_ = false;
};

template <>
class pipeline<thread_scope_thread> {
 public:
  pipeline() = default;
  pipeline(pipeline&&) = default;
  pipeline(const pipeline&) = delete;
  pipeline& operator=(pipeline&&) = delete;
  __device__ void producer_acquire() {}
  __device__ void producer_commit() {}
  __device__ void consumer_wait() {}
  __device__ void consumer_release() {}
  template <class Time>
  __device__ bool consumer_wait_for(const Time&) {
    return true;
  }
  __device__ bool quit() { return true; }
};

__device__ inline pipeline<thread_scope_thread> make_pipeline() { return {}; }

// Every thread of the group produces and consumes.
template <class Group, thread_scope Scope, uint8_t Stages>
__device__ inline pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* shared) {
  const uint32_t threads = uint32_t(group.size());
  if (group.thread_rank() == 0) shared->begin(threads, threads, threads);
  group.sync();
  return pipeline<Scope>(shared);
}
// Each thread does one of the two: so many produce, or those that say so.
template <class Group, thread_scope Scope, uint8_t Stages>
__device__ inline pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* shared,
                                                size_t producers) {
  const uint32_t threads = uint32_t(group.size());
  if (group.thread_rank() == 0) shared->begin(threads, uint32_t(producers), threads - uint32_t(producers));
  group.sync();
  return pipeline<Scope>(shared);
}
template <class Group, thread_scope Scope, uint8_t Stages>
__device__ inline pipeline<Scope> make_pipeline(const Group& group, pipeline_shared_state<Scope, Stages>* shared,
                                                pipeline_role role) {
  const uint32_t threads = uint32_t(group.size());
  if (group.thread_rank() == 0) shared->threads_ = 0;
  group.sync();
  if (role == pipeline_role::producer) PORTER_ONCE(__hip_atomic_fetch_add(&shared->threads_, 1u, __ATOMIC_RELAXED, Scope));
  group.sync();
  if (group.thread_rank() == 0) {
    const uint32_t producers = shared->threads_;
    shared->begin(threads, producers, threads - producers);
  }
  group.sync();
  return pipeline<Scope>(shared);
}

template <uint8_t>
__device__ inline void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>&) {}
// The barrier's phase waits for the thread's copies; they are done.
template <thread_scope Scope>
__device__ inline void pipeline_producer_commit(pipeline<thread_scope_thread>&, barrier<Scope>&) {}

template <class Group, class T, class U, class Size, thread_scope Scope>
__device__ inline async_contract_fulfillment memcpy_async(const Group& group, T* to, const U* from, const Size& bytes,
                                                          pipeline<Scope>&) {
  detail::group_copy(group, to, from, size_t(bytes));
  return async_contract_fulfillment::none;
}
template <class T, class U, class Size, thread_scope Scope>
__device__ inline async_contract_fulfillment memcpy_async(T* to, const U* from, const Size& bytes, pipeline<Scope>&) {
  detail::thread_copy(to, from, size_t(bytes));
  return async_contract_fulfillment::none;
}

}  // namespace porter

// The last `zeros` of the bytes are not read but set to 0.
__device__ inline void __pipeline_memcpy_async(void* __restrict__ to, const void* __restrict__ from, size_t bytes,
                                               size_t zeros = 0) {
  if (bytes == 4) porter::cp_async<4>(to, from, uint32_t(4 - zeros));
  else if (bytes == 8) porter::cp_async<8>(to, from, uint32_t(8 - zeros));
  else porter::cp_async<16>(to, from, uint32_t(16 - zeros));
}
__device__ inline void __pipeline_commit() {}
__device__ inline void __pipeline_wait_prior(size_t) {}
__device__ inline void __pipeline_arrive_on(__mbarrier_t*) {}  // expects one more and arrives: nothing is left

#endif  // PORTER_PIPELINE_H
