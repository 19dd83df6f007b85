// porter's stand-in for rocThrust, a part of porter_thrust.h: reductions, scans, selections, runs of equal keys, sorting.
#ifndef PORTER_THRUST_SUMS
#define PORTER_THRUST_SUMS
#pragma clang system_header

namespace thrust {

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

}  // namespace thrust

#endif  // PORTER_THRUST_SUMS
