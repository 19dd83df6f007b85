// porter stub headers: Thrust, pointers and references into device memory.
#pragma once
#include "execution.h"
#include <iostream>
#include <sstream>

namespace thrust {
// What an iterator with random access offers, given the type that derives from it.
template <class Derived, class Value, class Reference, class Difference = ptrdiff_t>
struct random_access {
  typedef Value value_type;
  typedef Reference reference;
  typedef Difference difference_type;
  typedef Value *pointer;
  typedef std::random_access_iterator_tag iterator_category;
  __host__ __device__ Reference operator*() const PORTER_STUB_BODY
  __host__ __device__ Value *operator->() const PORTER_STUB_BODY
  __host__ __device__ Reference operator[](Difference) const PORTER_STUB_BODY
  __host__ __device__ Derived &operator++() PORTER_STUB_BODY
  __host__ __device__ Derived operator++(int) PORTER_STUB_BODY
  __host__ __device__ Derived &operator--() PORTER_STUB_BODY
  __host__ __device__ Derived operator--(int) PORTER_STUB_BODY
  __host__ __device__ Derived &operator+=(Difference) PORTER_STUB_BODY
  __host__ __device__ Derived &operator-=(Difference) PORTER_STUB_BODY
  __host__ __device__ Derived operator+(Difference) const PORTER_STUB_BODY
  __host__ __device__ Derived operator-(Difference) const PORTER_STUB_BODY
  friend __host__ __device__ Derived operator+(Difference, const Derived &) PORTER_STUB_BODY
  friend __host__ __device__ Difference operator-(const Derived &, const Derived &) PORTER_STUB_BODY
  friend __host__ __device__ bool operator==(const Derived &, const Derived &) PORTER_STUB_BODY
  friend __host__ __device__ bool operator!=(const Derived &, const Derived &) PORTER_STUB_BODY
  friend __host__ __device__ bool operator<(const Derived &, const Derived &) PORTER_STUB_BODY
  friend __host__ __device__ bool operator>(const Derived &, const Derived &) PORTER_STUB_BODY
  friend __host__ __device__ bool operator<=(const Derived &, const Derived &) PORTER_STUB_BODY
  friend __host__ __device__ bool operator>=(const Derived &, const Derived &) PORTER_STUB_BODY
};

template <class T> class device_ptr;

// Reads and writes of one element from the host.
template <class T>
class device_reference {
 public:
  typedef typename std::remove_cv<T>::type value_type;
  __host__ __device__ explicit device_reference(const device_ptr<T> &) {}
  template <class U>
  __host__ __device__ device_reference(const device_reference<U> &) {}
  __host__ __device__ operator value_type() const PORTER_STUB_BODY
  __host__ __device__ device_reference &operator=(const T &) PORTER_STUB_BODY
  __host__ __device__ device_reference &operator=(const device_reference &) PORTER_STUB_BODY
  template <class U>
  __host__ __device__ device_reference &operator=(const device_reference<U> &) PORTER_STUB_BODY
  __host__ __device__ device_ptr<T> operator&() const PORTER_STUB_BODY
  __host__ __device__ void swap(device_reference) PORTER_STUB_BODY
  template <class U>
  __host__ __device__ device_reference &operator+=(const U &) PORTER_STUB_BODY
  template <class U>
  __host__ __device__ device_reference &operator-=(const U &) PORTER_STUB_BODY
  template <class U>
  __host__ __device__ device_reference &operator*=(const U &) PORTER_STUB_BODY
  template <class U>
  __host__ __device__ device_reference &operator/=(const U &) PORTER_STUB_BODY
  __host__ __device__ device_reference &operator++() PORTER_STUB_BODY
  __host__ __device__ value_type operator++(int) PORTER_STUB_BODY
  __host__ __device__ device_reference &operator--() PORTER_STUB_BODY
  __host__ __device__ value_type operator--(int) PORTER_STUB_BODY
};

template <class T>
class device_ptr : public random_access<device_ptr<T>, typename std::remove_cv<T>::type, device_reference<T>> {
 public:
  typedef T element_type;
  __host__ __device__ device_ptr() {}
  __host__ __device__ device_ptr(std::nullptr_t) {}
  template <class U>
  __host__ __device__ explicit device_ptr(U *) {}
  template <class U>
  __host__ __device__ device_ptr(const device_ptr<U> &) {}
  __host__ __device__ T *get() const PORTER_STUB_BODY
  __host__ __device__ explicit operator bool() const PORTER_STUB_BODY
};
template <>
class device_ptr<void> {
 public:
  device_ptr() = default;
  explicit device_ptr(void *);
  template <class U>
  device_ptr(const device_ptr<U> &) {}
  void *get() const;
};

template <class T> __host__ __device__ device_ptr<T> device_pointer_cast(T *) PORTER_STUB_BODY
template <class T> __host__ __device__ device_ptr<T> device_pointer_cast(const device_ptr<T> &) PORTER_STUB_BODY
template <class T>
__host__ __device__ T *raw_pointer_cast(T *p) {
  return p;
}
template <class T> __host__ __device__ T *raw_pointer_cast(const device_ptr<T> &) PORTER_STUB_BODY
template <class T> __host__ __device__ T &raw_reference_cast(T &) PORTER_STUB_BODY
template <class T> __host__ __device__ T &raw_reference_cast(const device_reference<T> &) PORTER_STUB_BODY

template <class T> device_ptr<T> device_malloc(size_t) PORTER_STUB_BODY
device_ptr<void> device_malloc(size_t);
template <class T> void device_free(device_ptr<T>) PORTER_STUB_BODY
template <class T> device_ptr<T> device_new(size_t) PORTER_STUB_BODY
template <class T> void device_delete(device_ptr<T>, size_t = 0) PORTER_STUB_BODY
template <class T, class System> device_ptr<T> malloc(const execution_policy_base<System> &, size_t) PORTER_STUB_BODY
template <class System, class Pointer> void free(const execution_policy_base<System> &, Pointer) PORTER_STUB_BODY

template <class T>
struct device_allocator {
  typedef T value_type;
  typedef device_ptr<T> pointer;
  typedef device_ptr<const T> const_pointer;
  typedef device_reference<T> reference;
  typedef device_reference<const T> const_reference;
  typedef size_t size_type;
  typedef ptrdiff_t difference_type;
  template <class U>
  struct rebind {
    typedef device_allocator<U> other;
  };
  pointer allocate(size_type) PORTER_STUB_BODY
  void deallocate(pointer, size_type) PORTER_STUB_BODY
};
template <class T> using device_malloc_allocator = device_allocator<T>;
template <class T> using device_new_allocator = device_allocator<T>;
namespace cuda {
template <class T> using pointer = device_ptr<T>;
template <class T> using reference = device_reference<T>;
template <class T> using allocator = device_allocator<T>;
}  // namespace cuda
namespace system {
namespace cuda {
template <class T> using pointer = device_ptr<T>;
}  // namespace cuda
}  // namespace system
}  // namespace thrust
