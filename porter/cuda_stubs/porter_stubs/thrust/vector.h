// porter stub headers: Thrust, vectors on the host and on the device.
#pragma once
#include "all.h"
#include <initializer_list>
#include <memory>
#include <vector>

namespace thrust {
// A vector whose elements are reached through the given iterator and reference.
template <class T, class Allocator, class Pointer, class ConstPointer, class Reference, class ConstReference>
class basic_vector {
 public:
  typedef T value_type;
  typedef Allocator allocator_type;
  typedef Pointer pointer;
  typedef ConstPointer const_pointer;
  typedef Pointer iterator;
  typedef ConstPointer const_iterator;
  typedef std::reverse_iterator<iterator> reverse_iterator;
  typedef std::reverse_iterator<const_iterator> const_reverse_iterator;
  typedef Reference reference;
  typedef ConstReference const_reference;
  typedef size_t size_type;
  typedef ptrdiff_t difference_type;
  basic_vector() {}
  explicit basic_vector(const Allocator &) {}
  explicit basic_vector(size_type) {}
  basic_vector(size_type, const T &) {}
  basic_vector(size_type, const T &, const Allocator &) {}
  basic_vector(const basic_vector &) {}
  basic_vector(basic_vector &&) {}
  template <class U, class A>
  basic_vector(const std::vector<U, A> &) {}
  template <class U, class A, class P, class CP, class R, class CR>
  basic_vector(const basic_vector<U, A, P, CP, R, CR> &) {}
  basic_vector(std::initializer_list<T>) {}
  template <class It, class = typename std::enable_if<!std::is_integral<It>::value>::type>
  basic_vector(It, It) {}
  basic_vector &operator=(const basic_vector &) PORTER_STUB_BODY
  basic_vector &operator=(basic_vector &&) PORTER_STUB_BODY
  template <class U, class A>
  basic_vector &operator=(const std::vector<U, A> &) PORTER_STUB_BODY
  template <class U, class A, class P, class CP, class R, class CR>
  basic_vector &operator=(const basic_vector<U, A, P, CP, R, CR> &) PORTER_STUB_BODY
  basic_vector &operator=(std::initializer_list<T>) PORTER_STUB_BODY
  size_type size() const PORTER_STUB_BODY
  size_type max_size() const PORTER_STUB_BODY
  size_type capacity() const PORTER_STUB_BODY
  bool empty() const PORTER_STUB_BODY
  void resize(size_type, const T & = T()) PORTER_STUB_BODY
  void reserve(size_type) PORTER_STUB_BODY
  void shrink_to_fit() PORTER_STUB_BODY
  void clear() PORTER_STUB_BODY
  void push_back(const T &) PORTER_STUB_BODY
  template <class... A>
  reference emplace_back(A &&...) PORTER_STUB_BODY
  void pop_back() PORTER_STUB_BODY
  void swap(basic_vector &) PORTER_STUB_BODY
  void assign(size_type, const T &) PORTER_STUB_BODY
  template <class It, class = typename std::enable_if<!std::is_integral<It>::value>::type>
  void assign(It, It) PORTER_STUB_BODY
  iterator erase(iterator) PORTER_STUB_BODY
  iterator erase(iterator, iterator) PORTER_STUB_BODY
  iterator insert(iterator, const T &) PORTER_STUB_BODY
  void insert(iterator, size_type, const T &) PORTER_STUB_BODY
  template <class It, class = typename std::enable_if<!std::is_integral<It>::value>::type>
  void insert(iterator, It, It) PORTER_STUB_BODY
  reference operator[](size_type) PORTER_STUB_BODY
  const_reference operator[](size_type) const PORTER_STUB_BODY
  iterator begin() PORTER_STUB_BODY
  const_iterator begin() const PORTER_STUB_BODY
  const_iterator cbegin() const PORTER_STUB_BODY
  iterator end() PORTER_STUB_BODY
  const_iterator end() const PORTER_STUB_BODY
  const_iterator cend() const PORTER_STUB_BODY
  reverse_iterator rbegin() PORTER_STUB_BODY
  const_reverse_iterator rbegin() const PORTER_STUB_BODY
  reverse_iterator rend() PORTER_STUB_BODY
  const_reverse_iterator rend() const PORTER_STUB_BODY
  reference front() PORTER_STUB_BODY
  const_reference front() const PORTER_STUB_BODY
  reference back() PORTER_STUB_BODY
  const_reference back() const PORTER_STUB_BODY
  pointer data() PORTER_STUB_BODY
  const_pointer data() const PORTER_STUB_BODY
  allocator_type get_allocator() const PORTER_STUB_BODY
  template <class V>
  friend bool operator==(const basic_vector &, const V &) PORTER_STUB_BODY
  template <class V>
  friend bool operator!=(const basic_vector &, const V &) PORTER_STUB_BODY
};

template <class T, class Allocator = device_allocator<T>>
class device_vector : public basic_vector<T, Allocator, device_ptr<T>, device_ptr<const T>, device_reference<T>,
                                          device_reference<const T>> {
 public:
  typedef basic_vector<T, Allocator, device_ptr<T>, device_ptr<const T>, device_reference<T>,
                       device_reference<const T>> base;
  using base::base;
  using base::operator=;
  device_vector() {}
  device_vector(const device_vector &) = default;
  device_vector(device_vector &&) = default;
  device_vector &operator=(const device_vector &) = default;
  device_vector &operator=(device_vector &&) = default;
  template <class V>
  device_vector(const V &, typename V::allocator_type * = nullptr) {}
};

template <class T, class Allocator = std::allocator<T>>
class host_vector : public basic_vector<T, Allocator, T *, const T *, T &, const T &> {
 public:
  typedef basic_vector<T, Allocator, T *, const T *, T &, const T &> base;
  using base::base;
  using base::operator=;
  host_vector() {}
  host_vector(const host_vector &) = default;
  host_vector(host_vector &&) = default;
  host_vector &operator=(const host_vector &) = default;
  host_vector &operator=(host_vector &&) = default;
  template <class V>
  host_vector(const V &, typename V::allocator_type * = nullptr) {}
};

template <class T, class Allocator = std::allocator<T>> using universal_vector = host_vector<T, Allocator>;
template <class T> using universal_ptr = T *;

namespace cuda {
template <class T, class Allocator = device_allocator<T>> using vector = device_vector<T, Allocator>;
template <class T>
struct universal_host_pinned_memory_resource {};
}  // namespace cuda
namespace mr {
template <class T, class Resource>
struct stateless_resource_allocator : public std::allocator<T> {
  template <class U>
  struct rebind {
    typedef stateless_resource_allocator<U, Resource> other;
  };
};
}  // namespace mr
namespace system {
namespace cuda {
struct universal_host_pinned_memory_resource {};
namespace experimental {
template <class T>
struct pinned_allocator : public std::allocator<T> {
  template <class U>
  struct rebind {
    typedef pinned_allocator<U> other;
  };
};
}  // namespace experimental
}  // namespace cuda
}  // namespace system
namespace cuda {
namespace experimental {
using thrust::system::cuda::experimental::pinned_allocator;
}  // namespace experimental
}  // namespace cuda
}  // namespace thrust
