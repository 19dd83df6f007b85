// porter stub headers: Thrust, iterators that compute what they return.
#pragma once
#include "pointer.h"
#include "tuple.h"

namespace thrust {
template <class T, class System = use_default, class Traversal = use_default, class Difference = ptrdiff_t>
class counting_iterator
    : public random_access<counting_iterator<T, System, Traversal, Difference>, T, T, ptrdiff_t> {
 public:
  __host__ __device__ counting_iterator() {}
  __host__ __device__ explicit counting_iterator(T) {}
  __host__ __device__ T base() const PORTER_STUB_BODY
};
template <class T> __host__ __device__ counting_iterator<T> make_counting_iterator(T) PORTER_STUB_BODY

template <class T, class Index = use_default, class System = use_default>
class constant_iterator : public random_access<constant_iterator<T, Index, System>, T, T> {
 public:
  __host__ __device__ constant_iterator() {}
  __host__ __device__ constant_iterator(const T &) {}
  template <class I>
  __host__ __device__ constant_iterator(const T &, const I &) {}
};
template <class T> __host__ __device__ constant_iterator<T> make_constant_iterator(T) PORTER_STUB_BODY
template <class T, class I> __host__ __device__ constant_iterator<T, I> make_constant_iterator(T, I) PORTER_STUB_BODY

template <class System = use_default>
class discard_iterator_base : public random_access<discard_iterator_base<System>, int, discard_iterator_base<System> &> {
 public:
  __host__ __device__ discard_iterator_base(ptrdiff_t = 0) {}
  template <class T>
  __host__ __device__ discard_iterator_base &operator=(const T &) PORTER_STUB_BODY
};
template <class System = use_default> using discard_iterator = discard_iterator_base<System>;
__host__ __device__ inline discard_iterator<> make_discard_iterator(ptrdiff_t = 0) PORTER_STUB_BODY

template <class F, class It, class Reference = use_default, class Value = use_default>
struct transform_result {
  typedef typename std::decay<decltype(std::declval<F>()(*std::declval<It>()))>::type type;
};
template <class F, class It, class Reference = use_default, class Value = use_default>
class transform_iterator
    : public random_access<transform_iterator<F, It, Reference, Value>, typename transform_result<F, It>::type,
                           typename transform_result<F, It>::type> {
 public:
  __host__ __device__ transform_iterator() {}
  __host__ __device__ transform_iterator(const It &, F) {}
  __host__ __device__ explicit transform_iterator(const It &) {}
  __host__ __device__ It base() const PORTER_STUB_BODY
  __host__ __device__ F functor() const PORTER_STUB_BODY
};
template <class F, class It>
__host__ __device__ transform_iterator<F, It> make_transform_iterator(It, F) PORTER_STUB_BODY

template <class F, class It>
class transform_output_reference {
 public:
  template <class T>
  __host__ __device__ transform_output_reference &operator=(const T &) PORTER_STUB_BODY
};
template <class F, class It>
class transform_output_iterator
    : public random_access<transform_output_iterator<F, It>, typename std::iterator_traits<It>::value_type,
                           transform_output_reference<F, It>> {
 public:
  __host__ __device__ transform_output_iterator(const It &, F) {}
};
template <class F, class It>
__host__ __device__ transform_output_iterator<F, It> make_transform_output_iterator(It, F) PORTER_STUB_BODY

template <class Element, class Index>
class permutation_iterator
    : public random_access<permutation_iterator<Element, Index>,
                           typename std::iterator_traits<Element>::value_type,
                           typename std::iterator_traits<Element>::reference> {
 public:
  __host__ __device__ permutation_iterator() {}
  __host__ __device__ explicit permutation_iterator(Element, Index) {}
};
template <class Element, class Index>
__host__ __device__ permutation_iterator<Element, Index> make_permutation_iterator(Element, Index) PORTER_STUB_BODY

template <class It>
class reverse_iterator
    : public random_access<reverse_iterator<It>, typename std::iterator_traits<It>::value_type,
                           typename std::iterator_traits<It>::reference> {
 public:
  __host__ __device__ explicit reverse_iterator(It) {}
  __host__ __device__ It base() const PORTER_STUB_BODY
};
template <class It> __host__ __device__ reverse_iterator<It> make_reverse_iterator(It) PORTER_STUB_BODY

template <class Tuple> class zip_iterator;
template <class... It>
class zip_iterator<std::tuple<It...>>
    : public random_access<zip_iterator<std::tuple<It...>>,
                           std::tuple<typename std::iterator_traits<It>::value_type...>,
                           std::tuple<typename std::iterator_traits<It>::reference...>> {
 public:
  __host__ __device__ zip_iterator() {}
  __host__ __device__ zip_iterator(std::tuple<It...>) {}
  __host__ __device__ const std::tuple<It...> &get_iterator_tuple() const PORTER_STUB_BODY
};
template <class First, class Second>
class zip_iterator<std::pair<First, Second>> : public zip_iterator<std::tuple<First, Second>> {
 public:
  using zip_iterator<std::tuple<First, Second>>::zip_iterator;
};
template <class... It>
__host__ __device__ zip_iterator<std::tuple<It...>> make_zip_iterator(std::tuple<It...>) PORTER_STUB_BODY
template <class... It> __host__ __device__ zip_iterator<std::tuple<It...>> make_zip_iterator(It...) PORTER_STUB_BODY

template <class Derived, class Base, class Value = use_default, class System = use_default,
          class Traversal = use_default, class Reference = use_default, class Difference = use_default>
class iterator_adaptor
    : public random_access<Derived, typename std::iterator_traits<Base>::value_type,
                           typename std::iterator_traits<Base>::reference> {
 public:
  typedef iterator_adaptor super_t;
  __host__ __device__ iterator_adaptor() {}
  __host__ __device__ explicit iterator_adaptor(const Base &) {}
  __host__ __device__ const Base &base() const PORTER_STUB_BODY
  __host__ __device__ Base &base_reference() PORTER_STUB_BODY
};
class iterator_core_access {};

template <class It> __host__ __device__ void advance(It &, ptrdiff_t) PORTER_STUB_BODY
template <class It> __host__ __device__ It next(It, ptrdiff_t = 1) PORTER_STUB_BODY
template <class It> __host__ __device__ It prev(It, ptrdiff_t = 1) PORTER_STUB_BODY
}  // namespace thrust
