// porter stub headers: asynchronous copies.
#pragma once
#include "cuda_pipeline_primitives.h"
#ifdef __CUDACC__
namespace nvcuda {
namespace experimental {
class pipeline {
 public:
  __device__ pipeline();
  __device__ size_t commit();
  __device__ void commit_and_wait();
  __device__ void wait(size_t);
  template <unsigned int N>
  __device__ void wait_prior() PORTER_STUB_BODY
};
template <class T> __device__ void memcpy_async(T &, const T &, pipeline &) PORTER_STUB_BODY
}  // namespace experimental
}  // namespace nvcuda
#endif
