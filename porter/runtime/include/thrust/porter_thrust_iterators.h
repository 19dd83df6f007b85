// porter's stand-in for rocThrust, a part of porter_thrust.h: pointers to the device and iterators.
#ifndef PORTER_THRUST_ITERATORS
#define PORTER_THRUST_ITERATORS
#pragma clang system_header

namespace thrust {

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
#ifdef _LIBCPP_VERSION
template <class T>
T *raw(std::__wrap_iter<T *> it) { return std::addressof(*it); }
#else
template <class T, class C>
T *raw(__gnu_cxx::__normal_iterator<T *, C> it) { return std::addressof(*it); }
#endif
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

}  // namespace thrust

#endif  // PORTER_THRUST_ITERATORS
