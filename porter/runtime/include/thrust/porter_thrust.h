// porter's stand-in for the parts of rocThrust that programs commonly use, as plain kernels (porter/parallel.h).
// rocThrust's own headers are taken where they are found: each thrust/*.h here looks for the next one first.
//
// An iterator is taken to be on the device if it is a device_ptr or made from one, or if the policy says so. Every
// call on the device has ended when it returns. What is missing is missing by name: no such header, no such member.
#ifndef PORTER_THRUST
#define PORTER_THRUST
#pragma clang system_header

#include <hip/hip_runtime.h>

#include <algorithm>
#include <cassert>  // programs count on it coming with rocThrust
#include <cstddef>
#include <functional>
#include <iostream>
#include <iterator>
#include <limits>
#include <new>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "porter/invoked.h"
#include "porter/parallel_sort.h"

#define PORTER_HD __host__ __device__ inline
#define THRUST_VERSION 200805
#define THRUST_MAJOR_VERSION (THRUST_VERSION / 100000)
#define THRUST_MINOR_VERSION (THRUST_VERSION / 100 % 1000)
#define THRUST_SUBMINOR_VERSION (THRUST_VERSION % 100)
#define THRUST_PATCH_NUMBER 0
#define THRUST_CPP_DIALECT (__cplusplus < 201703L ? 2014 : __cplusplus < 202002L ? 2017 : 2020)

#define THRUST_UNUSED_VAR(variable) ((void)(variable))

namespace thrust {

// Policies.
struct host_policy {
  template <class... A>
  host_policy operator()(A &&...) const { return {}; }
};
struct device_policy {
  hipStream_t stream = nullptr;
  device_policy on(hipStream_t s) const { return {s}; }
  template <class... A>
  device_policy operator()(A &&...) const { return *this; }
};
static const host_policy host, seq;
static const device_policy device;
typedef host_policy host_system_tag;
typedef device_policy device_system_tag;
namespace hip {
static const device_policy par, par_nosync;
}
namespace hip_rocprim {
static const device_policy par, par_nosync;
}

// Function objects.
#define PORTER_BINARY(name, result, expression)                                                  \
  template <class T = void>                                                                      \
  struct name {                                                                                  \
    typedef T first_argument_type;                                                               \
    typedef T second_argument_type;                                                              \
    typedef result result_type;                                                                  \
    PORTER_HD constexpr result operator()(const T &a, const T &b) const { return expression; }   \
  };                                                                                             \
  template <>                                                                                    \
  struct name<void> {                                                                            \
    template <class T, class U>                                                                  \
    PORTER_HD constexpr auto operator()(const T &a, const U &b) const { return expression; }     \
  };
PORTER_BINARY(plus, T, a + b)
PORTER_BINARY(minus, T, a - b)
PORTER_BINARY(multiplies, T, a *b)
PORTER_BINARY(divides, T, a / b)
PORTER_BINARY(modulus, T, a % b)
PORTER_BINARY(bit_and, T, a &b)
PORTER_BINARY(bit_or, T, a | b)
PORTER_BINARY(bit_xor, T, a ^ b)
PORTER_BINARY(maximum, T, a < b ? b : a)
PORTER_BINARY(minimum, T, b < a ? b : a)
PORTER_BINARY(less, bool, a < b)
PORTER_BINARY(less_equal, bool, a <= b)
PORTER_BINARY(greater, bool, a > b)
PORTER_BINARY(greater_equal, bool, a >= b)
PORTER_BINARY(equal_to, bool, a == b)
PORTER_BINARY(not_equal_to, bool, a != b)

template <class T>
PORTER_HD constexpr T min(const T &a, const T &b) { return b < a ? b : a; }
template <class T, class Less>
PORTER_HD constexpr T min(const T &a, const T &b, Less less) { return less(b, a) ? b : a; }
template <class T>
PORTER_HD constexpr T max(const T &a, const T &b) { return a < b ? b : a; }
template <class T, class Less>
PORTER_HD constexpr T max(const T &a, const T &b, Less less) { return less(a, b) ? b : a; }
PORTER_BINARY(logical_and, bool, a && b)
PORTER_BINARY(logical_or, bool, a || b)
#undef PORTER_BINARY
template <class T = void>
struct negate {
  PORTER_HD T operator()(const T &a) const { return -a; }
};
template <class T = void>
struct square {
  PORTER_HD T operator()(const T &a) const { return a * a; }
};
template <class T = void>
struct logical_not {
  PORTER_HD bool operator()(const T &a) const { return !a; }
};
template <class T = void>
struct identity {
  PORTER_HD T operator()(const T &a) const { return a; }
};
template <class A, class R>
struct unary_function {
  typedef A argument_type;
  typedef R result_type;
};
template <class A, class B, class R>
struct binary_function {
  typedef A first_argument_type;
  typedef B second_argument_type;
  typedef R result_type;
};

// pair and tuple: std's own, whose members are constexpr, cannot be assigned to on the device before C++20.
template <class A, class B>
struct pair {
  typedef A first_type;
  typedef B second_type;
  A first;
  B second;
  pair() = default;
  PORTER_HD pair(const A &a, const B &b) : first(a), second(b) {}
  template <class C, class D>
  PORTER_HD pair(const pair<C, D> &o) : first(o.first), second(o.second) {}
  PORTER_HD bool operator==(const pair &o) const { return first == o.first && second == o.second; }
  PORTER_HD bool operator<(const pair &o) const { return first < o.first || (!(o.first < first) && second < o.second); }
};
template <class A, class B>
PORTER_HD pair<A, B> make_pair(A a, B b) { return {a, b}; }

template <class A, class B>
PORTER_HD void swap(pair<A, B> &a, pair<A, B> &b) {
  pair<A, B> old = a;
  a = b;
  b = old;
}

template <class... T>
struct tuple;
template <>
struct tuple<> {
  PORTER_HD bool operator==(const tuple &) const { return true; }
  PORTER_HD bool operator<(const tuple &) const { return false; }
};
template <class H, class... T>
struct tuple<H, T...> {
  H head;
  tuple<T...> tail;
  tuple() = default;
  tuple(const tuple &) = default;
  PORTER_HD tuple(H h, T... t) : head(static_cast<H &&>(h)), tail(static_cast<T &&>(t)...) {}
  template <class G, class... U, class = std::enable_if_t<sizeof...(U) == sizeof...(T) && !std::is_same<tuple<G, U...>, tuple>::value>>
  PORTER_HD tuple(const tuple<G, U...> &o) : head(o.head), tail(o.tail) {}
  PORTER_HD tuple &operator=(const tuple &o) {
    head = o.head;
    tail = o.tail;
    return *this;
  }
  template <class G, class... U>
  PORTER_HD tuple &operator=(const tuple<G, U...> &o) {
    head = o.head;
    tail = o.tail;
    return *this;
  }
  template <class A, class B>
  PORTER_HD tuple &operator=(const pair<A, B> &o) {
    static_assert(sizeof...(T) == 1);
    head = o.first;
    tail.head = o.second;
    return *this;
  }
  template <class G, class... U>
  PORTER_HD bool operator==(const tuple<G, U...> &o) const { return head == o.head && tail == o.tail; }
  template <class G, class... U>
  PORTER_HD bool operator!=(const tuple<G, U...> &o) const { return !(*this == o); }
  template <class G, class... U>
  PORTER_HD bool operator<(const tuple<G, U...> &o) const { return head < o.head || (!(o.head < head) && tail < o.tail); }
  // By index; const of a tuple does not reach through a reference.
  template <int I>
  PORTER_HD auto &at() {
    if constexpr (I == 0) return head;
    else return tail.template at<I - 1>();
  }
  template <int I>
  PORTER_HD decltype(auto) at() const {
    if constexpr (I == 0) return (head);
    else return tail.template at<I - 1>();
  }
};
template <class... T>
PORTER_HD tuple<T...> make_tuple(T... t) { return tuple<T...>(t...); }
template <class... T>
PORTER_HD tuple<T &...> tie(T &...t) { return tuple<T &...>(t...); }
template <int I, class... T>
PORTER_HD auto &get(tuple<T...> &t) { return t.template at<I>(); }
template <int I, class... T>
PORTER_HD decltype(auto) get(const tuple<T...> &t) { return t.template at<I>(); }
template <size_t I, class T>
struct tuple_element;
template <size_t I, class H, class... T>
struct tuple_element<I, tuple<H, T...>> : tuple_element<I - 1, tuple<T...>> {};
template <class H, class... T>
struct tuple_element<0, tuple<H, T...>> {
  typedef H type;
};
template <class T>
struct tuple_size;
template <class... T>
struct tuple_size<tuple<T...>> : std::integral_constant<size_t, sizeof...(T)> {};

// Pointers to the device. What one points to is read and written by copies on the host.
template <class T>
struct device_ptr;
template <class T>
struct device_reference {
  T *p;
  PORTER_HD operator std::remove_cv_t<T>() const {
#if defined(__HIP_DEVICE_COMPILE__)
    return *p;
#else
    std::remove_cv_t<T> value;
    (void)hipMemcpy((void *)&value, (const void *)p, sizeof(T), hipMemcpyDeviceToHost);
    return value;
#endif
  }
  PORTER_HD const device_reference &operator=(const T &value) const {
#if defined(__HIP_DEVICE_COMPILE__)
    *p = value;
#else
    (void)hipMemcpy((void *)p, (const void *)&value, sizeof(T), hipMemcpyHostToDevice);
#endif
    return *this;
  }
  PORTER_HD const device_reference &operator=(const device_reference &o) const { return *this = T(o); }
  device_reference(const device_reference &) = default;
  PORTER_HD explicit device_reference(T *a) : p(a) {}
  PORTER_HD device_ptr<T> operator&() const;
#define PORTER_UPDATE(op) \
  PORTER_HD const device_reference &operator op##=(const T &b) const { return *this = T(T(*this) op b); }
  PORTER_UPDATE(+)
  PORTER_UPDATE(-)
  PORTER_UPDATE(*)
  PORTER_UPDATE(/)
#undef PORTER_UPDATE
};

// What all iterators have, given `at(n)` and `moved(n)`.
template <class Self, class Value, class Reference>
struct iterator_base {
  using value_type = std::remove_cv_t<Value>;
  using reference = Reference;
  using difference_type = ptrdiff_t;
  using pointer = Value *;
  using iterator_category = std::random_access_iterator_tag;
  PORTER_HD const Self &self() const { return *static_cast<const Self *>(this); }
  PORTER_HD Self &self() { return *static_cast<Self *>(this); }
  PORTER_HD reference operator*() const { return self().at(0); }
  PORTER_HD reference operator[](ptrdiff_t n) const { return self().at(n); }
  PORTER_HD Self operator+(ptrdiff_t n) const { return self().moved(n); }
  PORTER_HD Self operator-(ptrdiff_t n) const { return self().moved(-n); }
  friend PORTER_HD Self operator+(ptrdiff_t n, const Self &a) { return a.moved(n); }
  PORTER_HD Self &operator+=(ptrdiff_t n) { return self() = self().moved(n); }
  PORTER_HD Self &operator-=(ptrdiff_t n) { return self() = self().moved(-n); }
  PORTER_HD Self &operator++() { return self() = self().moved(1); }
  PORTER_HD Self &operator--() { return self() = self().moved(-1); }
  PORTER_HD Self operator++(int) {
    Self before = self();
    ++*this;
    return before;
  }
  PORTER_HD ptrdiff_t operator-(const Self &o) const { return self().from(o); }
  PORTER_HD bool operator==(const Self &o) const { return self().from(o) == 0; }
  PORTER_HD bool operator!=(const Self &o) const { return self().from(o) != 0; }
  PORTER_HD bool operator<(const Self &o) const { return self().from(o) < 0; }
};

template <class T>
struct device_ptr : iterator_base<device_ptr<T>, T, device_reference<T>> {
  T *p = nullptr;
  device_ptr() = default;
  PORTER_HD explicit device_ptr(T *a) : p(a) {}
  template <class U, class = std::enable_if_t<std::is_convertible<U *, T *>::value>>
  PORTER_HD device_ptr(const device_ptr<U> &o) : p(o.p) {}
  PORTER_HD T *get() const { return p; }
  PORTER_HD explicit operator bool() const { return p != nullptr; }
  PORTER_HD device_reference<T> at(ptrdiff_t n) const { return device_reference<T>(p + n); }
  PORTER_HD device_ptr moved(ptrdiff_t n) const { return device_ptr(p + n); }
  PORTER_HD ptrdiff_t from(const device_ptr &o) const { return p - o.p; }
};
template <class T>
PORTER_HD device_ptr<T> device_reference<T>::operator&() const { return device_ptr<T>(p); }
template <class T>
PORTER_HD T *raw_pointer_cast(T *p) { return p; }
template <class T>
PORTER_HD T *raw_pointer_cast(const device_ptr<T> &p) { return p.p; }
template <class T>
PORTER_HD device_ptr<T> device_pointer_cast(T *p) { return device_ptr<T>(p); }
template <class T>
device_ptr<T> device_pointer_cast(device_ptr<T> p) { return p; }
template <class T>
PORTER_HD T &raw_reference_cast(const device_reference<T> &r) { return *r.p; }
template <class T>
PORTER_HD T &raw_reference_cast(T &r) { return r; }

template <class T>
device_ptr<T> device_malloc(size_t n) {
  void *p = nullptr;
  if (n && hipMalloc(&p, n * sizeof(T)) != hipSuccess) throw std::bad_alloc();
  return device_ptr<T>(static_cast<T *>(p));
}
template <class T>
void device_free(device_ptr<T> p) { (void)hipFree((void *)p.p); }
template <class T>
struct device_allocator {
  using value_type = T;
  using pointer = device_ptr<T>;
  using const_pointer = device_ptr<const T>;
  using reference = device_reference<T>;
  using const_reference = device_reference<const T>;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  template <class U>
  struct rebind {
    typedef device_allocator<U> other;
  };
  pointer allocate(size_t n) { return device_malloc<T>(n); }
  void deallocate(pointer p, size_t) { device_free(p); }
};
template <class T>
using device_malloc_allocator = device_allocator<T>;

// What kernels work with: pointers and iterators over pointers.
template <class It>
PORTER_HD It raw(It it) { return it; }
template <class T>
PORTER_HD T *raw(device_ptr<T> it) { return it.p; }
template <class T, class C>
T *raw(__gnu_cxx::__normal_iterator<T *, C> it) { return std::addressof(*it); }
template <class It>
struct on_device : std::false_type {};
template <class T>
struct on_device<device_ptr<T>> : std::true_type {};

template <class T, class System = void, class Traversal = void, class Difference = void>
struct counting_iterator : iterator_base<counting_iterator<T, System, Traversal, Difference>, T, T> {
  T first = T();
  counting_iterator() = default;
  PORTER_HD counting_iterator(T a) : first(a) {}
  PORTER_HD T at(ptrdiff_t n) const { return T(first + n); }
  PORTER_HD counting_iterator moved(ptrdiff_t n) const { return counting_iterator(T(first + n)); }
  PORTER_HD ptrdiff_t from(const counting_iterator &o) const { return ptrdiff_t(first) - ptrdiff_t(o.first); }
};
template <class T>
PORTER_HD counting_iterator<T> make_counting_iterator(T a) { return a; }
template <class T, class... Rest>
struct on_device<counting_iterator<T, device_system_tag, Rest...>> : std::true_type {};
template <class T>
struct constant_iterator : iterator_base<constant_iterator<T>, T, T> {
  T value;
  ptrdiff_t place;
  PORTER_HD constant_iterator(T a, ptrdiff_t n = 0) : value(a), place(n) {}
  PORTER_HD T at(ptrdiff_t) const { return value; }
  PORTER_HD constant_iterator moved(ptrdiff_t n) const { return constant_iterator(value, place + n); }
  PORTER_HD ptrdiff_t from(const constant_iterator &o) const { return place - o.place; }
};
template <class T>
PORTER_HD constant_iterator<T> make_constant_iterator(T a) { return constant_iterator<T>(a); }
template <class F, class It, class Result>
using transformed = std::conditional_t<std::is_void<Result>::value, std::decay_t<porter::invoked_t<F, typename std::iterator_traits<It>::value_type>>, Result>;
template <class F, class It, class Result = void, class Value = void>
struct transform_iterator
    : iterator_base<transform_iterator<F, It, Result, Value>, transformed<F, It, std::conditional_t<std::is_void<Value>::value, std::decay_t<Result>, Value>>, transformed<F, It, Result>> {
  It it;
  mutable F f;  // its operator may be no const one
  PORTER_HD transform_iterator(It a, F b) : it(a), f(b) {}
  PORTER_HD transformed<F, It, Result> at(ptrdiff_t n) const { return f(it[n]); }
  PORTER_HD transform_iterator moved(ptrdiff_t n) const { return transform_iterator(it + n, f); }
  PORTER_HD ptrdiff_t from(const transform_iterator &o) const { return it - o.it; }
};
template <class F, class It>
transform_iterator<F, It> make_transform_iterator(It it, F f) { return transform_iterator<F, It>(it, f); }
template <class F, class It, class... R>
auto raw(transform_iterator<F, It, R...> t) { return transform_iterator<F, decltype(raw(t.it)), R...>(raw(t.it), t.f); }
template <class F, class It, class... R>
struct on_device<transform_iterator<F, It, R...>> : on_device<It> {};
template <class It, class Map>
struct permutation_iterator : iterator_base<permutation_iterator<It, Map>, typename std::iterator_traits<It>::value_type, decltype(std::declval<It>()[0])> {
  It it;
  Map map;
  PORTER_HD permutation_iterator(It a, Map b) : it(a), map(b) {}
  PORTER_HD decltype(auto) at(ptrdiff_t n) const { return it[ptrdiff_t(map[n])]; }
  PORTER_HD permutation_iterator moved(ptrdiff_t n) const { return permutation_iterator(it, map + n); }
  PORTER_HD ptrdiff_t from(const permutation_iterator &o) const { return map - o.map; }
};
template <class It, class Map>
permutation_iterator<It, Map> make_permutation_iterator(It it, Map map) { return {it, map}; }
template <class It, class Map>
auto raw(permutation_iterator<It, Map> p) { return permutation_iterator<decltype(raw(p.it)), decltype(raw(p.map))>(raw(p.it), raw(p.map)); }
template <class It, class Map>
struct on_device<permutation_iterator<It, Map>> : std::bool_constant<on_device<It>::value || on_device<Map>::value> {};
template <class Tuple>
struct zip_iterator;
template <class... It>
struct zip_iterator<tuple<It...>>
    : iterator_base<zip_iterator<tuple<It...>>, tuple<typename std::iterator_traits<It>::value_type...>, tuple<decltype(std::declval<It>()[0])...>> {
  using all = std::index_sequence_for<It...>;
  tuple<It...> its;
  PORTER_HD zip_iterator(tuple<It...> t) : its(t) {}
  template <size_t... I>
  PORTER_HD auto at(ptrdiff_t n, std::index_sequence<I...>) const {
    return tuple<decltype(std::declval<It>()[0])...>(its.template at<int(I)>()[n]...);
  }
  template <size_t... I>
  PORTER_HD zip_iterator moved(ptrdiff_t n, std::index_sequence<I...>) const { return tuple<It...>(its.template at<int(I)>() + n...); }
  PORTER_HD auto at(ptrdiff_t n) const { return at(n, all()); }
  PORTER_HD zip_iterator moved(ptrdiff_t n) const { return moved(n, all()); }
  PORTER_HD ptrdiff_t from(const zip_iterator &o) const { return its.head - o.its.head; }
  const tuple<It...> &get_iterator_tuple() const { return its; }
};
template <class... It>
zip_iterator<tuple<It...>> make_zip_iterator(tuple<It...> t) { return t; }
template <class A, class... It, class = typename std::iterator_traits<A>::value_type>
zip_iterator<tuple<A, It...>> make_zip_iterator(A a, It... it) { return tuple<A, It...>(a, it...); }
template <class... It, size_t... I>
auto raw_zip(const tuple<It...> &t, std::index_sequence<I...>) {
  return zip_iterator<tuple<decltype(raw(std::declval<It>()))...>>(tuple<decltype(raw(std::declval<It>()))...>(raw(t.template at<int(I)>())...));
}
template <class... It>
auto raw(zip_iterator<tuple<It...>> z) { return raw_zip(z.its, std::index_sequence_for<It...>()); }
template <class... It>
struct on_device<zip_iterator<tuple<It...>>> : std::bool_constant<(on_device<It>::value || ...)> {};
// Takes everything and keeps nothing.
template <class System = void>
struct discard_iterator {
  struct nothing {
    template <class T>
    PORTER_HD const nothing &operator=(const T &) const { return *this; }
  };
  using value_type = void;
  using reference = nothing;
  using pointer = void;
  using difference_type = ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;
  ptrdiff_t place;
  PORTER_HD discard_iterator(ptrdiff_t n = 0) : place(n) {}
  PORTER_HD nothing operator*() const { return {}; }
  PORTER_HD nothing operator[](ptrdiff_t) const { return {}; }
  PORTER_HD discard_iterator operator+(ptrdiff_t n) const { return place + n; }
  PORTER_HD ptrdiff_t operator-(const discard_iterator &o) const { return place - o.place; }
  PORTER_HD bool operator==(const discard_iterator &o) const { return place == o.place; }
};
PORTER_HD discard_iterator<> make_discard_iterator(ptrdiff_t n = 0) { return n; }
template <class It>
struct reverse_iterator : iterator_base<reverse_iterator<It>, typename std::iterator_traits<It>::value_type, decltype(std::declval<It>()[0])> {
  It it;
  PORTER_HD explicit reverse_iterator(It a) : it(a) {}
  PORTER_HD decltype(auto) at(ptrdiff_t n) const { return it[-1 - n]; }
  PORTER_HD reverse_iterator moved(ptrdiff_t n) const { return reverse_iterator(it + -n); }
  PORTER_HD ptrdiff_t from(const reverse_iterator &o) const { return o.it - it; }
  PORTER_HD It base() const { return it; }
};
template <class It>
reverse_iterator<It> make_reverse_iterator(It it) { return reverse_iterator<It>(it); }
template <class It>
auto raw(reverse_iterator<It> r) { return reverse_iterator<decltype(raw(r.it))>(raw(r.it)); }
template <class It>
struct on_device<reverse_iterator<It>> : on_device<It> {};

template <class It>
using value_of = typename std::iterator_traits<It>::value_type;
template <class It>
struct iterator_difference {
  typedef ptrdiff_t type;
};
template <class It>
struct iterator_value {
  typedef value_of<It> type;
};
template <class It>
ptrdiff_t distance(It a, It b) { return b - a; }
template <class It>
void advance(It &a, ptrdiff_t n) { a = a + n; }

namespace detail {

// The iterators of std::vector are pointers in a dress.
template <class It, class T = std::remove_cv_t<value_of<It>>>
auto flat(It it) {
  using vector = std::vector<T>;
  if constexpr (!std::is_same<T, bool>::value && (std::is_same<It, typename vector::iterator>::value || std::is_same<It, typename vector::const_iterator>::value))
    return std::addressof(*it);
  else
    return it;
}
template <class F>
void each(hipStream_t stream, size_t n, F f) {
  (void)porter::parallel::each(n, f, stream);
  (void)hipStreamSynchronize(stream);
}
// A place on the device for one result, read back at the end.
template <class T>
struct answer {
  device_ptr<T> p = device_malloc<T>(1);
  ~answer() { device_free(p); }
  T take(hipStream_t stream) {
    (void)hipStreamSynchronize(stream);
    return *p;
  }
};
template <class T>
struct buffer {
  device_ptr<T> p;
  explicit buffer(size_t n) : p(device_malloc<T>(n)) {}
  ~buffer() { device_free(p); }
};

}  // namespace detail

// Each algorithm comes with and without a policy. Without, the iterators say where.
template <class P>
struct is_policy : std::bool_constant<std::is_same<P, host_policy>::value || std::is_same<P, device_policy>::value> {};
#define PORTER_POLICY class P, std::enable_if_t<is_policy<P>::value, int> = 0
template <class It>
auto policy_of(It) {
  return std::conditional_t<on_device<It>::value, device_policy, host_policy>();
}
template <class It, class Jt>
auto policy_of(It, Jt) {
  return std::conditional_t<on_device<It>::value || on_device<Jt>::value, device_policy, host_policy>();
}
#define PORTER_EITHER(name, ...)                                                                           \
  template <class A, class... B, std::enable_if_t<!is_policy<A>::value, int> = 0>                          \
  auto name(A a, B... b) {                                                                                 \
    return name(policy_for(a, b...), a, b...);                                                             \
  }
template <class... A>
auto policy_for(const A &...) {
  return std::conditional_t<(on_device<A>::value || ...), device_policy, host_policy>();
}
#define PORTER_ON_DEVICE(P) constexpr (std::is_same<P, device_policy>::value)

template <PORTER_POLICY, class In, class F>
In for_each_n(const P &policy, In in, size_t n, F f) {
  auto a = raw(in);
  if PORTER_ON_DEVICE (P) detail::each(policy.stream, n, [=] __device__(size_t i) mutable { f(a[i]); });
  else for (size_t i = 0; i < n; ++i) f(a[i]);
  return in + n;
}
PORTER_EITHER(for_each_n)
template <PORTER_POLICY, class In, class F>
In for_each(const P &policy, In first, In last, F f) { return for_each_n(policy, first, size_t(last - first), f); }
PORTER_EITHER(for_each)

#define PORTER_LOOP(n, statement)                                                                     \
  if PORTER_ON_DEVICE (P) detail::each(policy.stream, n, [=] __device__(size_t i) mutable { statement; }); \
  else for (size_t i = 0; i < size_t(n); ++i) { statement; }

template <PORTER_POLICY, class In, class Out, class F, std::enable_if_t<porter::is_invocable<F, value_of<In>>::value, int> = 0>
Out transform(const P &policy, In first, In last, Out out, F f) {
  size_t n = last - first;
  auto a = raw(first);
  auto o = raw(out);
  PORTER_LOOP(n, o[i] = f(a[i]))
  return out + n;
}
template <PORTER_POLICY, class In, class In2, class Out, class F, std::enable_if_t<porter::is_invocable<F, value_of<In>, value_of<In2>>::value, int> = 0>
Out transform(const P &policy, In first, In last, In2 second, Out out, F f) {
  size_t n = last - first;
  auto a = raw(first);
  auto b = raw(second);
  auto o = raw(out);
  PORTER_LOOP(n, o[i] = f(a[i], b[i]))
  return out + n;
}
PORTER_EITHER(transform)
template <PORTER_POLICY, class It, class T>
void fill(const P &policy, It first, It last, T value) {
  auto o = raw(first);
  PORTER_LOOP(last - first, o[i] = value)
}
PORTER_EITHER(fill)
template <PORTER_POLICY, class It, class T>
It fill_n(const P &policy, It first, size_t n, T value) {
  fill(policy, first, first + n, value);
  return first + n;
}
PORTER_EITHER(fill_n)
template <PORTER_POLICY, class It, class T = value_of<It>>
void sequence(const P &policy, It first, It last, T start = T(0), T step = T(1)) {
  auto o = raw(first);
  PORTER_LOOP(last - first, o[i] = value_of<It>(start + T(i) * step))
}
PORTER_EITHER(sequence)
template <PORTER_POLICY, class It, class F>
void tabulate(const P &policy, It first, It last, F f) {
  auto o = raw(first);
  PORTER_LOOP(last - first, o[i] = f(i))
}
PORTER_EITHER(tabulate)
template <PORTER_POLICY, class It, class F>
void generate(const P &policy, It first, It last, F f) {
  auto o = raw(first);
  PORTER_LOOP(last - first, o[i] = f())
}
PORTER_EITHER(generate)
template <PORTER_POLICY, class Map, class In, class Out>
Out gather(const P &policy, Map first, Map last, In in, Out out) {
  auto m = raw(first);
  auto a = raw(in);
  auto o = raw(out);
  PORTER_LOOP(last - first, o[i] = a[m[i]])
  return out + (last - first);
}
PORTER_EITHER(gather)
template <PORTER_POLICY, class In, class Map, class Out>
void scatter(const P &policy, In first, In last, Map map, Out out) {
  auto m = raw(map);
  auto a = raw(first);
  auto o = raw(out);
  PORTER_LOOP(last - first, o[m[i]] = a[i])
}
PORTER_EITHER(scatter)
template <PORTER_POLICY, class It, class F, class T>
void replace_if(const P &policy, It first, It last, F f, T value) {
  auto o = raw(first);
  PORTER_LOOP(last - first, if (f(o[i])) o[i] = value)
}
PORTER_EITHER(replace_if)
template <PORTER_POLICY, class It, class T>
void replace(const P &policy, It first, It last, T old, T value) {
  auto o = raw(first);
  PORTER_LOOP(last - first, if (o[i] == old) o[i] = value)
}
PORTER_EITHER(replace)

namespace detail {

// Iterators that take one value after the other and have no places: those of streams, inserters.
template <class It, class = void>
struct takes_in_turn : std::false_type {};
template <class It>
struct takes_in_turn<It, std::enable_if_t<std::is_same<typename std::iterator_traits<It>::iterator_category, std::output_iterator_tag>::value && std::is_void<typename std::iterator_traits<It>::value_type>::value>>
    : std::true_type {};

}  // namespace detail

// Between host and device by hipMemcpy, if both are plain memory.
template <class In, class Out, std::enable_if_t<detail::takes_in_turn<Out>::value, int> = 0>
Out copy(In first, In last, Out out) {
  (void)hipDeviceSynchronize();
  for (; first != last; ++first, ++out) *out = value_of<In>(*first);
  return out;
}
template <class In, class Out, std::enable_if_t<!detail::takes_in_turn<Out>::value, int> = 0>
Out copy(In first, In last, Out out) {
  size_t n = last - first;
  if (n == 0) return out;
  auto a = detail::flat(raw(first));
  auto o = detail::flat(raw(out));
  using A = decltype(a);
  using O = decltype(o);
  if constexpr (std::is_pointer<A>::value && std::is_pointer<O>::value && std::is_same<value_of<A>, value_of<O>>::value && std::is_trivially_copyable<value_of<A>>::value) {
    (void)hipMemcpy((void *)o, (const void *)a, n * sizeof(*a), hipMemcpyDefault);
  } else if constexpr (on_device<In>::value == on_device<Out>::value) {
    auto policy = policy_of(first);
    using P = decltype(policy);
    PORTER_LOOP(n, o[i] = a[i])
  } else {
    for (size_t i = 0; i < n; ++i) out[i] = value_of<In>(first[i]);
  }
  return out + n;
}
template <PORTER_POLICY, class In, class Out>
Out copy(const P &policy, In first, In last, Out out) {
  auto a = raw(first);
  auto o = raw(out);
  PORTER_LOOP(last - first, o[i] = a[i])
  return out + (last - first);
}
template <class In, class Out>
Out copy_n(In first, size_t n, Out out) { return copy(first, first + n, out); }

// Reductions.
template <PORTER_POLICY, class In, class F, class T, class Op>
T transform_reduce(const P &policy, In first, In last, F f, T init, Op op) {
  auto a = raw(first);
  size_t n = last - first;
  if PORTER_ON_DEVICE (P) {
    detail::answer<T> result;
    T *place = result.p.p;
    (void)porter::parallel::reduce([=] __device__(size_t i) { return T(f(a[i])); }, n, init, op, [=] __device__(T sum) { *place = sum; }, policy.stream);
    return result.take(policy.stream);
  } else {
    for (size_t i = 0; i < n; ++i) init = op(init, f(a[i]));
    return init;
  }
}
PORTER_EITHER(transform_reduce)
template <PORTER_POLICY, class In, class T = value_of<In>, class Op = plus<T>>
T reduce(const P &policy, In first, In last, T init = T(), Op op = Op()) { return transform_reduce(policy, first, last, identity<value_of<In>>(), init, op); }
PORTER_EITHER(reduce)
// A function of the program, whose operator may be no const one
template <class F>
struct called {
  mutable F f;
  template <class... A>
  PORTER_HD decltype(auto) operator()(A &&...a) const { return f(std::forward<A>(a)...); }
};
template <class F>
struct counted {
  mutable F f;
  template <class T>
  PORTER_HD ptrdiff_t operator()(const T &a) const { return f(a) ? 1 : 0; }
};
template <class T>
struct equals {
  T value;
  template <class U>
  PORTER_HD bool operator()(const U &a) const { return a == value; }
};
template <PORTER_POLICY, class In, class F>
ptrdiff_t count_if(const P &policy, In first, In last, F f) { return transform_reduce(policy, first, last, counted<F>{f}, ptrdiff_t(0), plus<ptrdiff_t>()); }
PORTER_EITHER(count_if)
template <PORTER_POLICY, class In, class T>
ptrdiff_t count(const P &policy, In first, In last, T value) { return count_if(policy, first, last, equals<T>{value}); }
PORTER_EITHER(count)
template <PORTER_POLICY, class In, class In2, class T, class Op = plus<T>, class Op2 = multiplies<T>>
T inner_product(const P &policy, In first, In last, In2 second, T init, Op op = Op(), Op2 by = Op2()) {
  auto a = raw(first);
  auto b = raw(second);
  auto product = [=, by = called<Op2>{by}] __host__ __device__(size_t i) { return T(by(a[i], b[i])); };
  return transform_reduce(policy, counting_iterator<size_t>(0), counting_iterator<size_t>(size_t(last - first)), product, init, op);
}
PORTER_EITHER(inner_product)
// The first of equal ones, by index.
template <class It, class Less>
struct better {
  It a;
  Less less;
  PORTER_HD ptrdiff_t operator()(ptrdiff_t i, ptrdiff_t j) const {
    if (less(a[j], a[i])) return j;
    if (less(a[i], a[j])) return i;
    return i < j ? i : j;
  }
};
template <PORTER_POLICY, class It, class Less = less<value_of<It>>>
It min_element(const P &policy, It first, It last, Less less = Less()) {
  if (first == last) return last;
  auto a = raw(first);
  return first + reduce(policy, counting_iterator<ptrdiff_t>(0), counting_iterator<ptrdiff_t>(last - first), ptrdiff_t(0), better<decltype(a), Less>{a, less});
}
PORTER_EITHER(min_element)
template <class Less>
struct turned {
  Less less;
  template <class T, class U>
  PORTER_HD bool operator()(const T &a, const U &b) const { return less(b, a); }
};
template <PORTER_POLICY, class It, class Less = less<value_of<It>>>
It max_element(const P &policy, It first, It last, Less less = Less()) { return min_element(policy, first, last, turned<Less>{less}); }
PORTER_EITHER(max_element)
template <PORTER_POLICY, class It, class It2>
bool equal(const P &policy, It first, It last, It2 second) {
  return inner_product(policy, first, last, second, true, logical_and<bool>(), equal_to<value_of<It>>());
}
PORTER_EITHER(equal)

// Scans.
template <PORTER_POLICY, class In, class Out, class T, class Op>
Out scan(const P &policy, In first, In last, Out out, bool inclusive, bool with_init, T init, Op op) {
  auto a = raw(first);
  auto o = raw(out);
  size_t n = last - first;
  if PORTER_ON_DEVICE (P) {
    (void)porter::parallel::scan([=] __device__(size_t i) { return T(a[i]); }, n, inclusive, with_init, init, op, [=] __device__(size_t i, T sum) { o[i] = sum; }, policy.stream);
    (void)hipStreamSynchronize(policy.stream);
  } else {
    for (size_t i = 0; i < n; ++i) {
      T value = a[i], next = with_init || i ? T(op(init, value)) : value;
      o[i] = inclusive ? next : init;
      init = next;
    }
  }
  return out + n;
}
template <PORTER_POLICY, class In, class Out, class Op = plus<value_of<In>>>
Out inclusive_scan(const P &policy, In first, In last, Out out, Op op = Op()) { return scan(policy, first, last, out, true, false, value_of<In>(), op); }
PORTER_EITHER(inclusive_scan)
template <PORTER_POLICY, class In, class Out, class T = value_of<In>, class Op = plus<T>>
Out exclusive_scan(const P &policy, In first, In last, Out out, T init = T(), Op op = Op()) { return scan(policy, first, last, out, false, true, init, op); }
PORTER_EITHER(exclusive_scan)

// Selections. The source is copied first, so that the result may lie over it.
template <PORTER_POLICY, class In, class Out, class Keep>
Out compact(const P &policy, In first, size_t n, Out out, Keep keep) {
  if (n == 0) return out;
  using T = value_of<In>;
  auto a = raw(first);
  auto o = raw(out);
  if PORTER_ON_DEVICE (P) {
    detail::buffer<T> values(n);
    detail::buffer<size_t> places(n);
    T *v = values.p.p;
    size_t *p = places.p.p;
    detail::each(policy.stream, n, [=] __device__(size_t i) { v[i] = a[i]; p[i] = keep(i) ? 1 : 0; });
    (void)porter::parallel::scan([=] __device__(size_t i) { return p[i]; }, n, true, false, size_t(0), plus<size_t>(), [=] __device__(size_t i, size_t sum) { p[i] = sum; }, policy.stream);
    detail::each(policy.stream, n, [=] __device__(size_t i) { if (p[i] != (i ? p[i - 1] : 0)) o[p[i] - 1] = v[i]; });
    return out + ptrdiff_t(size_t(places.p[ptrdiff_t(n - 1)]));
  } else {
    std::vector<bool> kept(n);
    for (size_t i = 0; i < n; ++i) kept[i] = keep(i);
    size_t count = 0;
    for (size_t i = 0; i < n; ++i)
      if (kept[i]) o[count++] = a[i];
    return out + count;
  }
}
template <PORTER_POLICY, class In, class Out, class F>
Out copy_if(const P &policy, In first, In last, Out out, F f) {
  auto a = raw(first);
  return compact(policy, first, size_t(last - first), out, [=, f = called<F>{f}] __host__ __device__(size_t i) { return bool(f(a[i])); });
}
template <PORTER_POLICY, class In, class Stencil, class Out, class F>
Out copy_if(const P &policy, In first, In last, Stencil stencil, Out out, F f) {
  auto a = raw(stencil);
  return compact(policy, first, size_t(last - first), out, [=, f = called<F>{f}] __host__ __device__(size_t i) { return bool(f(a[i])); });
}
PORTER_EITHER(copy_if)
template <PORTER_POLICY, class It, class F>
It remove_if(const P &policy, It first, It last, F f) {
  auto a = raw(first);
  return compact(policy, first, size_t(last - first), first, [=, f = called<F>{f}] __host__ __device__(size_t i) { return !f(a[i]); });
}
template <PORTER_POLICY, class It, class Stencil, class F>
It remove_if(const P &policy, It first, It last, Stencil stencil, F f) {
  auto a = raw(stencil);
  return compact(policy, first, size_t(last - first), first, [=, f = called<F>{f}] __host__ __device__(size_t i) { return !f(a[i]); });
}
PORTER_EITHER(remove_if)
template <PORTER_POLICY, class It, class T>
It remove(const P &policy, It first, It last, T value) { return remove_if(policy, first, last, equals<T>{value}); }
PORTER_EITHER(remove)
template <PORTER_POLICY, class It, class Same = equal_to<value_of<It>>>
It unique(const P &policy, It first, It last, Same same = Same()) {
  auto a = raw(first);
  return compact(policy, first, size_t(last - first), first, [=] __host__ __device__(size_t i) { return i == 0 || !same(a[i - 1], a[i]); });
}
PORTER_EITHER(unique)
template <PORTER_POLICY, class K, class V, class Same = equal_to<value_of<K>>>
pair<K, V> unique_by_key(const P &policy, K first, K last, V values, Same same = Same()) {
  auto a = raw(first);
  auto keep = [=] __host__ __device__(size_t i) { return i == 0 || !same(a[i - 1], a[i]); };
  V values_end = compact(policy, values, size_t(last - first), values, keep);  // first: it reads the keys
  return {compact(policy, first, size_t(last - first), first, keep), values_end};
}
PORTER_EITHER(unique_by_key)
// One lane a run of equal keys.
template <class Out, class In>
using output_of = std::conditional_t<std::is_void<value_of<Out>>::value, value_of<In>, value_of<Out>>;
template <PORTER_POLICY, class K, class V, class KO, class VO, class Same = equal_to<value_of<K>>, class Op = plus<output_of<VO, V>>>
pair<KO, VO> reduce_by_key(const P &policy, K first, K last, V values, KO keys_out, VO values_out, Same same = Same(), Op op = Op()) {
  auto a = raw(first);
  auto v = raw(values);
  size_t n = last - first;
  auto heads = [=] __host__ __device__(size_t i) { return i == 0 || !same(a[i - 1], a[i]); };
  // In the output's type, as rocThrust makes sums by key; CUDA's Thrust makes them in the input's.
  auto sums = [=] __host__ __device__(size_t i) {
    output_of<VO, V> sum = v[i];
    if (heads(i))
      for (size_t j = i + 1; j < n && same(a[j - 1], a[j]); ++j) sum = op(sum, v[j]);
    return sum;
  };
  VO end = compact(policy, make_transform_iterator(counting_iterator<size_t>(0), sums), n, values_out, heads);
  return {compact(policy, first, n, keys_out, heads), end};
}
PORTER_EITHER(reduce_by_key)

// Sorting, always stable.
template <PORTER_POLICY, class K, class V, class Less = less<value_of<K>>>
void stable_sort_by_key(const P &policy, K first, K last, V values, Less less = Less()) {
  using T = value_of<K>;
  using U = value_of<V>;
  size_t n = last - first;
  auto k = raw(first);
  auto v = raw(values);
  if PORTER_ON_DEVICE (P) {
    detail::buffer<T> keys(2 * n);
    detail::buffer<U> others(2 * n);
    T *x = keys.p.p;
    U *y = others.p.p;
    detail::each(policy.stream, n, [=] __device__(size_t i) { x[i] = k[i]; y[i] = v[i]; });
    (void)porter::parallel::merge_sort(x, x + n, y, y + n, n, less, policy.stream);
    detail::each(policy.stream, n, [=] __device__(size_t i) { k[i] = x[i]; v[i] = y[i]; });
  } else {
    std::vector<std::pair<T, U>> both(n);
    for (size_t i = 0; i < n; ++i) both[i] = {k[i], v[i]};
    std::stable_sort(both.begin(), both.end(), [=](const auto &a, const auto &b) { return less(a.first, b.first); });
    for (size_t i = 0; i < n; ++i) {
      k[i] = both[i].first;
      v[i] = both[i].second;
    }
  }
}
PORTER_EITHER(stable_sort_by_key)
template <PORTER_POLICY, class K, class V, class Less = less<value_of<K>>>
void sort_by_key(const P &policy, K first, K last, V values, Less less = Less()) { stable_sort_by_key(policy, first, last, values, less); }
PORTER_EITHER(sort_by_key)
template <PORTER_POLICY, class It, class Less = less<value_of<It>>>
void stable_sort(const P &policy, It first, It last, Less less = Less()) {
  size_t n = last - first;
  auto a = raw(first);
  using T = value_of<It>;
  if PORTER_ON_DEVICE (P) {
    detail::buffer<T> keys(2 * n);
    T *x = keys.p.p;
    porter::parallel::nothing *none = nullptr;
    detail::each(policy.stream, n, [=] __device__(size_t i) { x[i] = a[i]; });
    (void)porter::parallel::merge_sort(x, x + n, none, none, n, less, policy.stream);
    detail::each(policy.stream, n, [=] __device__(size_t i) { a[i] = x[i]; });
  } else {
    std::stable_sort(first, last, less);
  }
}
PORTER_EITHER(stable_sort)
template <PORTER_POLICY, class It, class Less = less<value_of<It>>>
void sort(const P &policy, It first, It last, Less less = Less()) { stable_sort(policy, first, last, less); }
PORTER_EITHER(sort)
template <PORTER_POLICY, class It, class Less = less<value_of<It>>>
bool is_sorted(const P &policy, It first, It last, Less less = Less()) {
  if (last - first < 2) return true;
  return inner_product(policy, first + 1, last, first, true, logical_and<bool>(), [=] __host__ __device__(const auto &b, const auto &a) { return !less(b, a); });
}
PORTER_EITHER(is_sorted)

// Vectors.
namespace detail {
template <class A, class T, class = void>
struct constructs : std::false_type {};
template <class A, class T>
struct constructs<A, T, std::void_t<decltype(std::declval<A &>().construct(std::declval<T *>()))>> : std::true_type {};
}  // namespace detail
template <class T, class A = std::allocator<T>>
class host_vector;
template <class T, class A = device_allocator<T>>
class device_vector {
 public:
  using value_type = T;
  using allocator_type = A;
  using iterator = device_ptr<T>;
  using const_iterator = device_ptr<const T>;
  using reference = device_reference<T>;
  using size_type = size_t;
  using pointer = device_ptr<T>;
  device_vector() = default;
  explicit device_vector(const A &a) : allocator_(a) {}
  explicit device_vector(size_t n, const A &a = A()) : allocator_(a) { resize(n); }
  device_vector(size_t n, const T &value, const A &a = A()) : allocator_(a) { resize(n, value); }
  device_vector(const device_vector &o) : allocator_(o.allocator_) { assign(o.begin(), o.end()); }
  template <class U, class B>
  device_vector(const device_vector<U, B> &o) { assign(o.begin(), o.end()); }
  device_vector(device_vector &&o) noexcept { swap(o); }
  template <class B>
  device_vector(const host_vector<T, B> &o) { assign(o.begin(), o.end()); }
  template <class B>
  device_vector(const std::vector<T, B> &o) { assign(o.begin(), o.end()); }
  device_vector(std::initializer_list<T> o) { assign(o.begin(), o.end()); }
  template <class It, class = value_of<It>, class = std::enable_if_t<!std::is_integral<It>::value>>
  device_vector(It first, It last) { assign(first, last); }
  ~device_vector() { release(); }
  device_vector &operator=(const device_vector &o) {
    if (this != &o) assign(o.begin(), o.end());
    return *this;
  }
  device_vector &operator=(device_vector &&o) noexcept {
    swap(o);
    return *this;
  }
  template <class B>
  device_vector &operator=(const std::vector<T, B> &o) {
    assign(o.begin(), o.end());
    return *this;
  }
  template <class It, class = std::enable_if_t<!std::is_integral<It>::value>>
  void assign(It first, It last) {
    size_ = 0;
    reserve(size_t(last - first));
    size_ = size_t(last - first);
    thrust::copy(first, last, begin());
  }
  void assign(size_t n, const T &value) {
    size_ = 0;
    resize(n, value);
  }
  void reserve(size_t n) {
    if (n <= room_) return;
    device_ptr<T> more = allocator_.allocate(n);
    if (size_) (void)hipMemcpy((void *)more.p, (const void *)p_.p, size_ * sizeof(T), hipMemcpyDeviceToDevice);
    release();
    p_ = more;
    room_ = n;
  }
  void resize(size_t n, const T &value) {
    reserve(n);
    if (n > size_) thrust::fill(begin() + size_, begin() + n, value);
    size_ = n;
  }
  // What new elements are is the allocator's affair where it has a function for it.
  void resize(size_t n) {
    if constexpr (detail::constructs<A, T>::value) {
      reserve(n);
      if (n > size_) detail::each(nullptr, n - size_, [a = allocator_, p = p_.p + size_] __device__(size_t i) mutable { a.construct(p + i); });
      size_ = n;
    } else {
      resize(n, T());
    }
  }
  A get_allocator() const { return allocator_; }
  void push_back(const T &value) {
    if (size_ == room_) reserve(room_ ? 2 * room_ : 8);
    p_[ptrdiff_t(size_++)] = value;
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  void shrink_to_fit() {}
  void swap(device_vector &o) {
    std::swap(allocator_, o.allocator_);
    std::swap(p_, o.p_);
    std::swap(size_, o.size_);
    std::swap(room_, o.room_);
  }
  iterator erase(iterator first, iterator last) {
    std::vector<T> rest(size_t(end() - last));
    thrust::copy(last, end(), rest.begin());
    thrust::copy(rest.begin(), rest.end(), first);
    size_ -= size_t(last - first);
    return first;
  }
  size_t size() const { return size_; }
  size_t capacity() const { return room_; }
  bool empty() const { return size_ == 0; }
  iterator begin() { return p_; }
  iterator end() { return p_ + ptrdiff_t(size_); }
  const_iterator begin() const { return const_iterator(p_.p); }
  const_iterator end() const { return const_iterator(p_.p + size_); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  reference operator[](size_t i) { return p_[ptrdiff_t(i)]; }
  T operator[](size_t i) const { return device_reference<const T>(p_.p + i); }
  reference front() const { return p_[0]; }
  reference back() const { return p_[ptrdiff_t(size_ - 1)]; }
  pointer data() { return p_; }
  device_ptr<const T> data() const { return begin(); }

 private:
  void release() {
    if (p_) allocator_.deallocate(p_, room_);
  }
  A allocator_;
  device_ptr<T> p_;
  size_t size_ = 0, room_ = 0;
};
template <class T, class A>
class host_vector : public std::vector<T, A> {
 public:
  using std::vector<T, A>::vector;
  host_vector() = default;
  host_vector(const std::vector<T, A> &o) : std::vector<T, A>(o) {}
  template <class B>
  host_vector(const device_vector<T, B> &o) { *this = o; }
  template <class B>
  host_vector &operator=(const device_vector<T, B> &o) {
    this->resize(o.size());
    thrust::copy(o.begin(), o.end(), this->begin());
    return *this;
  }
};
template <class T, class A>
bool operator==(const device_vector<T, A> &a, const device_vector<T, A> &b) {
  return a.size() == b.size() && thrust::equal(a.begin(), a.end(), b.begin());
}

}  // namespace thrust

#include "porter_thrust_more.h"
#include "porter_thrust_functions.h"

#undef PORTER_HD
#undef PORTER_EITHER
#undef PORTER_POLICY
#undef PORTER_LOOP
#undef PORTER_ON_DEVICE
#endif
