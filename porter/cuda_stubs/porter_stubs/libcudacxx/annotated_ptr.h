// porter stub headers: libcu++, access properties.
#pragma once
#include "barrier.h"

namespace cuda {
class access_property {
 public:
  struct shared {};
  struct global {};
  struct normal {
    cudaAccessProperty value;
  };
  struct persisting {
    cudaAccessProperty value;
  };
  struct streaming {
    cudaAccessProperty value;
  };
  access_property() = default;
  template <class P>
  __host__ __device__ constexpr access_property(P) {}
  template <class P>
  __host__ __device__ constexpr access_property(P, float) {}
};

template <class T, class Property>
class annotated_ptr {
 public:
  __host__ __device__ explicit annotated_ptr(T *) PORTER_STUB_BODY
  template <class P>
  __host__ __device__ annotated_ptr(T *, P) PORTER_STUB_BODY
  __host__ __device__ T *operator->() const PORTER_STUB_BODY
  __host__ __device__ T &operator*() const PORTER_STUB_BODY
  __host__ __device__ T &operator[](ptrdiff_t) const PORTER_STUB_BODY
  __host__ __device__ T *get() const PORTER_STUB_BODY
};

template <class T, class Property> __host__ __device__ T *associate_access_property(T *, Property) PORTER_STUB_BODY
template <class Shape>
__host__ __device__ void apply_access_property(const volatile void *, Shape,
    access_property::persisting) PORTER_STUB_BODY
template <class Shape>
__host__ __device__ void apply_access_property(const volatile void *, Shape, access_property::normal) PORTER_STUB_BODY
__host__ __device__ void discard_memory(volatile void *, size_t);
}  // namespace cuda
