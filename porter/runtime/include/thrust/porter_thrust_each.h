// porter's stand-in for rocThrust, a part of porter_thrust.h: how algorithms run on the host or the device, and those that touch each element by itself.
#ifndef PORTER_THRUST_EACH
#define PORTER_THRUST_EACH
#pragma clang system_header

namespace thrust {

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

}  // namespace thrust

#endif  // PORTER_THRUST_EACH
