// porter runtime: libcu++'s access properties (<cuda/annotated_ptr>). They say which lines L2 should keep; gfx942's takes no
// such word, so pointers stay pointers.
#ifndef PORTER_ACCESS_PROPERTY_H
#define PORTER_ACCESS_PROPERTY_H

#include <hip/hip_runtime.h>

#include <cstddef>
#include <type_traits>

namespace porter {

class access_property {
 public:
  struct shared {};
  struct global {};
  struct normal {};
  struct persisting {};
  struct streaming {};
  constexpr access_property() = default;
  template <class P>
  __host__ __device__ constexpr access_property(P) {}
  template <class P>
  __host__ __device__ constexpr access_property(P, float) {}
  template <class P, class Q>
  __host__ __device__ constexpr access_property(P, float, Q) {}
  template <class P>
  __host__ __device__ constexpr access_property(void*, size_t, size_t, P) {}
  template <class P, class Q>
  __host__ __device__ constexpr access_property(void*, size_t, size_t, P, Q) {}
};

template <class T, class Property>
class annotated_ptr {
 public:
  using value_type = T;
  using pointer = T*;
  using reference = T&;
  using difference_type = ptrdiff_t;

  constexpr annotated_ptr() = default;
  __host__ __device__ constexpr explicit annotated_ptr(T* p) : p_(p) {}
  template <class P>
  __host__ __device__ constexpr annotated_ptr(T* p, P) : p_(p) {}
  template <class U, class P, class = std::enable_if_t<std::is_convertible_v<U*, T*>>>
  __host__ __device__ constexpr annotated_ptr(const annotated_ptr<U, P>& other) : p_(other.get()) {}

  __host__ __device__ constexpr T* operator->() const { return p_; }
  __host__ __device__ constexpr T& operator*() const { return *p_; }
  __host__ __device__ constexpr T& operator[](ptrdiff_t i) const { return p_[i]; }
  __host__ __device__ constexpr ptrdiff_t operator-(const annotated_ptr& other) const { return p_ - other.p_; }
  __host__ __device__ constexpr explicit operator bool() const { return p_ != nullptr; }
  __host__ __device__ constexpr T* get() const { return p_; }

 private:
  T* p_ = nullptr;
};

template <class T, class Property>
__host__ __device__ constexpr T* associate_access_property(T* p, Property) {
  return p;
}
template <class Shape, class Property>
__host__ __device__ constexpr void apply_access_property(const volatile void*, Shape, Property) {}
// Nobody may read what is discarded before it is written again.
__host__ __device__ inline void discard_memory(volatile void*, size_t) {}

}  // namespace porter

#endif  // PORTER_ACCESS_PROPERTY_H
