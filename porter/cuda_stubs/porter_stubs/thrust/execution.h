// porter stub headers: Thrust, execution policies.
#pragma once
#include "config.h"

namespace thrust {
template <class Derived>
struct execution_policy_base {};
struct seq_policy : public execution_policy_base<seq_policy> {};
struct host_policy : public execution_policy_base<host_policy> {
  template <class Allocator>
  __host__ __device__ host_policy operator()(Allocator &&) const PORTER_STUB_BODY
};
struct device_policy : public execution_policy_base<device_policy> {
  template <class Allocator>
  __host__ __device__ device_policy operator()(Allocator &&) const PORTER_STUB_BODY
  __host__ __device__ device_policy on(cudaStream_t) const;
};

static constexpr seq_policy seq{};
static constexpr host_policy host{};
static constexpr device_policy device{};

template <class Derived>
struct host_execution_policy : public execution_policy_base<Derived> {};
template <class Derived>
struct device_execution_policy : public execution_policy_base<Derived> {};

namespace cuda {
template <class Derived>
struct execution_policy : public execution_policy_base<Derived> {};
struct tag : public execution_policy<tag> {};
struct par_t : public execution_policy<par_t> {
  template <class Allocator>
  __host__ __device__ par_t operator()(Allocator &&) const PORTER_STUB_BODY
  __host__ __device__ par_t on(cudaStream_t) const;
};
static constexpr par_t par{};
static constexpr par_t par_nosync{};
}  // namespace cuda
namespace cuda_cub {
using thrust::cuda::execution_policy;
using thrust::cuda::par;
using thrust::cuda::par_nosync;
using thrust::cuda::par_t;
using thrust::cuda::tag;
}  // namespace cuda_cub
namespace system {
namespace cuda {
using thrust::cuda::execution_policy;
using thrust::cuda::par;
using thrust::cuda::par_nosync;
using thrust::cuda::tag;
}  // namespace cuda
}  // namespace system
namespace omp {
static constexpr host_policy par{};
}  // namespace omp
namespace cpp {
static constexpr host_policy par{};
}  // namespace cpp
}  // namespace thrust
