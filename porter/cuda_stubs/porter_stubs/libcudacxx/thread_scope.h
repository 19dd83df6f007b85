// porter stub headers: libcu++, scopes and shapes.
#pragma once
#include "../../cuda_runtime.h"
#include <stddef.h>
#include <chrono>

namespace cuda {
enum thread_scope {
  thread_scope_system = 0, thread_scope_device, thread_scope_block, thread_scope_cluster, thread_scope_thread = 10,
};

template <size_t Alignment>
struct aligned_size_t {
  static constexpr size_t align = Alignment;
  size_t value;
  __host__ __device__ explicit constexpr aligned_size_t(size_t s) : value(s) {}
  __host__ __device__ constexpr operator size_t() const { return value; }
};
}  // namespace cuda
