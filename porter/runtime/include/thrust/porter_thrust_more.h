// porter's stand-in for rocThrust, continued (porter_thrust.h includes it): searches, merges, sets, partitions, scans by
// key, random numbers. Each element finds its own place by halving, or by a scan of what is kept.
#ifndef PORTER_THRUST_MORE
#define PORTER_THRUST_MORE
#pragma clang system_header

namespace thrust {

// Searches.
template <class F>
struct first_of {
  F f;
  ptrdiff_t n;
  template <class T>
  PORTER_HD ptrdiff_t operator()(const T &t) const { return f(thrust::get<0>(t)) ? ptrdiff_t(thrust::get<1>(t)) : n; }
};
template <PORTER_POLICY, class It, class F>
It find_if(const P &policy, It first, It last, F f) {
  ptrdiff_t n = last - first;
  auto numbered = make_zip_iterator(first, counting_iterator<ptrdiff_t>(0));
  return first + transform_reduce(policy, numbered, numbered + n, first_of<F>{f, n}, n, minimum<ptrdiff_t>());
}
PORTER_EITHER(find_if)
template <class F>
struct inverse {
  F f;
  template <class... T>
  PORTER_HD bool operator()(const T &...t) const { return !f(t...); }
};
template <class F>
PORTER_HD inverse<F> not_fn(F f) { return {f}; }
template <class F>
PORTER_HD inverse<F> not1(F f) { return {f}; }
template <PORTER_POLICY, class It, class F>
It find_if_not(const P &policy, It first, It last, F f) { return find_if(policy, first, last, inverse<F>{f}); }
PORTER_EITHER(find_if_not)
template <PORTER_POLICY, class It, class T>
It find(const P &policy, It first, It last, T value) { return find_if(policy, first, last, equals<T>{value}); }
PORTER_EITHER(find)
template <PORTER_POLICY, class It, class F>
bool any_of(const P &policy, It first, It last, F f) { return count_if(policy, first, last, f) != 0; }
PORTER_EITHER(any_of)
template <PORTER_POLICY, class It, class F>
bool none_of(const P &policy, It first, It last, F f) { return count_if(policy, first, last, f) == 0; }
PORTER_EITHER(none_of)
template <PORTER_POLICY, class It, class F>
bool all_of(const P &policy, It first, It last, F f) { return count_if(policy, first, last, f) == last - first; }
PORTER_EITHER(all_of)
template <PORTER_POLICY, class It, class Less = less<value_of<It>>>
pair<It, It> minmax_element(const P &policy, It first, It last, Less less = Less()) {
  return {min_element(policy, first, last, less), max_element(policy, first, last, less)};
}
PORTER_EITHER(minmax_element)

// The first place in order whose element is not before the value, or that is after it.
template <class It, class T, class Less>
PORTER_HD ptrdiff_t lower_place(It a, ptrdiff_t n, const T &value, Less less) {
  ptrdiff_t low = 0, high = n;
  while (low < high) {
    ptrdiff_t middle = low + (high - low) / 2;
    if (less(a[middle], value)) low = middle + 1;
    else high = middle;
  }
  return low;
}
template <class It, class T, class Less>
PORTER_HD ptrdiff_t upper_place(It a, ptrdiff_t n, const T &value, Less less) {
  ptrdiff_t low = 0, high = n;
  while (low < high) {
    ptrdiff_t middle = low + (high - low) / 2;
    if (less(value, a[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}
namespace detail {
// One answer, worked out where the policy says.
template <class P, class F>
ptrdiff_t ask(const P &policy, F f) {
  if PORTER_ON_DEVICE (P) {
    answer<ptrdiff_t> result;
    ptrdiff_t *place = result.p.p;
    each(policy.stream, 1, [=] __device__(size_t) { *place = f(); });
    return result.take(policy.stream);
  } else {
    return f();
  }
}
}  // namespace detail
// Of one value: an iterator; of a range of values: a place for each.
#define PORTER_SEARCH(name, place)                                                                                         \
  template <PORTER_POLICY, class It, class T, class Less = less<value_of<It>>, std::enable_if_t<!is_policy<It>::value, int> = 0> \
  It name(const P &policy, It first, It last, const T &value, Less less = Less()) {                                        \
    auto a = raw(first);                                                                                                   \
    ptrdiff_t n = last - first;                                                                                            \
    T wanted = value;                                                                                                      \
    return first + detail::ask(policy, [=] __host__ __device__() { return place(a, n, wanted, less); });                   \
  }                                                                                                                        \
  template <PORTER_POLICY, class It, class In, class Out, class Less = less<value_of<It>>, class = value_of<In>>           \
  Out name(const P &policy, It first, It last, In values, In values_end, Out out, Less less = Less()) {                    \
    auto a = raw(first);                                                                                                   \
    auto v = raw(values);                                                                                                  \
    auto o = raw(out);                                                                                                     \
    ptrdiff_t n = last - first;                                                                                            \
    PORTER_LOOP(values_end - values, o[i] = place(a, n, v[i], less))                                                       \
    return out + (values_end - values);                                                                                    \
  }                                                                                                                        \
  PORTER_EITHER(name)
PORTER_SEARCH(lower_bound, lower_place)
PORTER_SEARCH(upper_bound, upper_place)
#undef PORTER_SEARCH
template <PORTER_POLICY, class It, class T, class Less = less<value_of<It>>>
bool binary_search(const P &policy, It first, It last, const T &value, Less less = Less()) {
  auto a = raw(first);
  ptrdiff_t n = last - first;
  T wanted = value;
  return detail::ask(policy, [=] __host__ __device__() {
    ptrdiff_t at = lower_place(a, n, wanted, less);
    return ptrdiff_t(at < n && !less(wanted, a[at]));
  });
}
template <PORTER_POLICY, class It, class In, class Out, class Less = less<value_of<It>>, class = value_of<In>>
Out binary_search(const P &policy, It first, It last, In values, In values_end, Out out, Less less = Less()) {
  auto a = raw(first);
  auto v = raw(values);
  auto o = raw(out);
  ptrdiff_t n = last - first;
  auto there = [=] __host__ __device__(size_t i) {
    ptrdiff_t at = lower_place(a, n, v[i], less);
    return at < n && !less(v[i], a[at]);
  };
  PORTER_LOOP(values_end - values, o[i] = there(i))
  return out + (values_end - values);
}
PORTER_EITHER(binary_search)
template <PORTER_POLICY, class It, class T, class Less = less<value_of<It>>>
pair<It, It> equal_range(const P &policy, It first, It last, const T &value, Less less = Less()) {
  return {lower_bound(policy, first, last, value, less), upper_bound(policy, first, last, value, less)};
}
PORTER_EITHER(equal_range)

// Sorted ranges. Equal elements come from the first range first.
template <PORTER_POLICY, class In, class In2, class Out, class Less = less<value_of<In>>>
Out merge(const P &policy, In first, In last, In2 first2, In2 last2, Out out, Less less = Less()) {
  auto a = raw(first);
  auto b = raw(first2);
  auto o = raw(out);
  ptrdiff_t n = last - first, m = last2 - first2;
  PORTER_LOOP(n, o[ptrdiff_t(i) + lower_place(b, m, a[i], less)] = a[i])
  PORTER_LOOP(m, o[ptrdiff_t(i) + upper_place(a, n, b[i], less)] = b[i])
  return out + (n + m);
}
PORTER_EITHER(merge)
template <PORTER_POLICY, class K, class K2, class V, class V2, class KO, class VO, class Less = less<value_of<K>>>
pair<KO, VO> merge_by_key(const P &policy, K first, K last, K2 first2, K2 last2, V values, V2 values2, KO keys_out, VO values_out, Less less = Less()) {
  auto sources = make_zip_iterator(first, values);
  auto others = make_zip_iterator(first2, values2);
  auto less_key = [=] __host__ __device__(const auto &a, const auto &b) { return less(get<0>(a), get<0>(b)); };
  ptrdiff_t n = (last - first) + (last2 - first2);
  merge(policy, sources, sources + (last - first), others, others + (last2 - first2), make_zip_iterator(keys_out, values_out), less_key);
  return {keys_out + n, values_out + n};
}
PORTER_EITHER(merge_by_key)
// Which elements of a sorted range have an equal one in the other, the k-th of equal ones a k-th.
template <class A, class B, class Less>
struct paired {
  A a;
  B b;
  ptrdiff_t n, m;
  Less less;
  PORTER_HD bool operator()(size_t i) const {
    ptrdiff_t number = ptrdiff_t(i) - lower_place(a, n, a[i], less);
    return number < upper_place(b, m, a[i], less) - lower_place(b, m, a[i], less);
  }
};
template <PORTER_POLICY, class In, class In2, class Out, class Less = less<value_of<In>>>
Out set_intersection(const P &policy, In first, In last, In2 first2, In2 last2, Out out, Less less = Less()) {
  paired<decltype(raw(first)), decltype(raw(first2)), Less> both{raw(first), raw(first2), last - first, last2 - first2, less};
  return compact(policy, first, size_t(last - first), out, both);
}
PORTER_EITHER(set_intersection)
template <PORTER_POLICY, class In, class In2, class Out, class Less = less<value_of<In>>>
Out set_difference(const P &policy, In first, In last, In2 first2, In2 last2, Out out, Less less = Less()) {
  paired<decltype(raw(first)), decltype(raw(first2)), Less> both{raw(first), raw(first2), last - first, last2 - first2, less};
  return compact(policy, first, size_t(last - first), out, [=] __host__ __device__(size_t i) { return !both(i); });
}
PORTER_EITHER(set_difference)
namespace detail {
template <class T, class P>
struct scratch {  // room where the policy says
  T *p;
  std::vector<T> host;
  explicit scratch(size_t n) {
    if PORTER_ON_DEVICE (P) p = device_malloc<T>(n).p;
    else host.resize(n), p = host.data();
  }
  ~scratch() {
    if PORTER_ON_DEVICE (P) device_free(device_ptr<T>(p));
  }
};
template <class P, class T>
auto begin_of(T *p) {
  if PORTER_ON_DEVICE (P) return device_ptr<T>(p);
  else return p;
}
}  // namespace detail
template <PORTER_POLICY, class In, class In2, class Out, class Less = less<value_of<In>>>
Out set_union(const P &policy, In first, In last, In2 first2, In2 last2, Out out, Less less = Less()) {
  detail::scratch<value_of<In>, P> rest(size_t(last2 - first2));
  auto begin = detail::begin_of<P>(rest.p);
  auto end = set_difference(policy, first2, last2, first, last, begin, less);
  return merge(policy, first, last, begin, end, out, less);
}
PORTER_EITHER(set_union)
template <PORTER_POLICY, class In, class In2, class Out, class Less = less<value_of<In>>>
Out set_symmetric_difference(const P &policy, In first, In last, In2 first2, In2 last2, Out out, Less less = Less()) {
  detail::scratch<value_of<In>, P> one(size_t(last - first)), other(size_t(last2 - first2));
  auto a = detail::begin_of<P>(one.p), b = detail::begin_of<P>(other.p);
  auto a_end = set_difference(policy, first, last, first2, last2, a, less);
  auto b_end = set_difference(policy, first2, last2, first, last, b, less);
  return merge(policy, a, a_end, b, b_end, out, less);
}
PORTER_EITHER(set_symmetric_difference)

// Selections.
template <PORTER_POLICY, class In, class Out, class F>
Out remove_copy_if(const P &policy, In first, In last, Out out, F f) { return copy_if(policy, first, last, out, inverse<F>{f}); }
PORTER_EITHER(remove_copy_if)
template <PORTER_POLICY, class In, class Out, class T>
Out remove_copy(const P &policy, In first, In last, Out out, T value) { return remove_copy_if(policy, first, last, out, equals<T>{value}); }
PORTER_EITHER(remove_copy)
template <PORTER_POLICY, class In, class Out, class Same = equal_to<value_of<In>>>
Out unique_copy(const P &policy, In first, In last, Out out, Same same = Same()) {
  auto a = raw(first);
  return compact(policy, first, size_t(last - first), out, [=] __host__ __device__(size_t i) { return i == 0 || !same(a[i - 1], a[i]); });
}
PORTER_EITHER(unique_copy)
template <PORTER_POLICY, class K, class V, class KO, class VO, class Same = equal_to<value_of<K>>>
pair<KO, VO> unique_by_key_copy(const P &policy, K first, K last, V values, KO keys_out, VO values_out, Same same = Same()) {
  auto a = raw(first);
  auto keep = [=] __host__ __device__(size_t i) { return i == 0 || !same(a[i - 1], a[i]); };
  VO values_end = compact(policy, values, size_t(last - first), values_out, keep);
  return {compact(policy, first, size_t(last - first), keys_out, keep), values_end};
}
PORTER_EITHER(unique_by_key_copy)
template <PORTER_POLICY, class In, class Out, class Out2, class F>
pair<Out, Out2> stable_partition_copy(const P &policy, In first, In last, Out yes, Out2 no, F f) {
  return {copy_if(policy, first, last, yes, f), remove_copy_if(policy, first, last, no, f)};
}
PORTER_EITHER(stable_partition_copy)
template <PORTER_POLICY, class In, class Out, class Out2, class F>
pair<Out, Out2> partition_copy(const P &policy, In first, In last, Out yes, Out2 no, F f) { return stable_partition_copy(policy, first, last, yes, no, f); }
PORTER_EITHER(partition_copy)
template <PORTER_POLICY, class It, class F>
It stable_partition(const P &policy, It first, It last, F f) {
  size_t n = size_t(last - first);
  detail::scratch<value_of<It>, P> rest(n);
  auto begin = detail::begin_of<P>(rest.p);
  auto end = remove_copy_if(policy, first, last, begin, f);
  It middle = copy_if(policy, first, last, first, f);
  thrust::copy(policy, begin, end, middle);
  return middle;
}
PORTER_EITHER(stable_partition)
template <PORTER_POLICY, class It, class F>
It partition(const P &policy, It first, It last, F f) { return stable_partition(policy, first, last, f); }
PORTER_EITHER(partition)
template <PORTER_POLICY, class It, class F>
It partition_point(const P &policy, It first, It last, F f) { return find_if_not(policy, first, last, f); }
PORTER_EITHER(partition_point)

// Changes in place, and copies of that.
template <PORTER_POLICY, class It>
void reverse(const P &policy, It first, It last) {
  auto a = raw(first);
  ptrdiff_t n = last - first;
  auto turn = [=] __host__ __device__(size_t i) {
    value_of<It> old = a[i];
    a[i] = a[n - 1 - ptrdiff_t(i)];
    a[n - 1 - ptrdiff_t(i)] = old;
  };
  PORTER_LOOP(n / 2, turn(i))
}
PORTER_EITHER(reverse)
template <PORTER_POLICY, class In, class Out>
Out reverse_copy(const P &policy, In first, In last, Out out) {
  auto a = raw(first);
  auto o = raw(out);
  ptrdiff_t n = last - first;
  PORTER_LOOP(n, o[i] = a[n - 1 - ptrdiff_t(i)])
  return out + n;
}
PORTER_EITHER(reverse_copy)
template <PORTER_POLICY, class A, class B>
B swap_ranges(const P &policy, A first, A last, B second) {
  auto a = raw(first);
  auto b = raw(second);
  auto turn = [=] __host__ __device__(size_t i) {
    value_of<A> old = a[i];
    a[i] = b[i];
    b[i] = old;
  };
  PORTER_LOOP(last - first, turn(i))
  return second + (last - first);
}
PORTER_EITHER(swap_ranges)
template <PORTER_POLICY, class In, class Out, class F, class T>
Out replace_copy_if(const P &policy, In first, In last, Out out, F f, T value) {
  auto a = raw(first);
  auto o = raw(out);
  PORTER_LOOP(last - first, if (f(a[i])) o[i] = value; else o[i] = a[i])
  return out + (last - first);
}
PORTER_EITHER(replace_copy_if)
template <PORTER_POLICY, class In, class Stencil, class Out, class F, class Test>
Out transform_if(const P &policy, In first, In last, Stencil stencil, Out out, F f, Test test) {
  auto a = raw(first);
  auto s = raw(stencil);
  auto o = raw(out);
  PORTER_LOOP(last - first, if (test(s[i])) o[i] = f(a[i]))
  return out + (last - first);
}
PORTER_EITHER(transform_if)
template <PORTER_POLICY, class In, class Map, class Stencil, class Out>
void scatter_if(const P &policy, In first, In last, Map map, Stencil stencil, Out out) {
  auto a = raw(first);
  auto m = raw(map);
  auto s = raw(stencil);
  auto o = raw(out);
  PORTER_LOOP(last - first, if (s[i]) o[m[i]] = a[i])
}
PORTER_EITHER(scatter_if)
// The first element stays as it is. In place too: what is read is set aside first.
template <PORTER_POLICY, class In, class Out, class Op = minus<value_of<In>>>
Out adjacent_difference(const P &policy, In first, In last, Out out, Op op = Op()) {
  auto a = raw(first);
  auto o = raw(out);
  detail::scratch<value_of<In>, P> aside(size_t(last - first));
  value_of<In> *v = aside.p;
  PORTER_LOOP(last - first, v[i] = a[i])
  PORTER_LOOP(last - first, if (i) o[i] = op(v[i], v[i - 1]); else o[i] = v[i])
  return out + (last - first);
}
PORTER_EITHER(adjacent_difference)
template <PORTER_POLICY, class In, class In2>
pair<In, In2> mismatch(const P &policy, In first, In last, In2 second) {
  auto both = make_zip_iterator(first, second);
  ptrdiff_t at = find_if(policy, both, both + (last - first), [] __host__ __device__(const auto &t) { return !(get<0>(t) == get<1>(t)); }) - both;
  return {first + at, second + at};
}
PORTER_EITHER(mismatch)

// Scans of what a function makes, and within runs of equal keys.
template <PORTER_POLICY, class In, class Out, class F, class Op>
Out transform_inclusive_scan(const P &policy, In first, In last, Out out, F f, Op op) {
  return inclusive_scan(policy, make_transform_iterator(raw(first), f), make_transform_iterator(raw(first), f) + (last - first), out, op);
}
PORTER_EITHER(transform_inclusive_scan)
template <PORTER_POLICY, class In, class Out, class F, class T, class Op>
Out transform_exclusive_scan(const P &policy, In first, In last, Out out, F f, T init, Op op) {
  return exclusive_scan(policy, make_transform_iterator(raw(first), f), make_transform_iterator(raw(first), f) + (last - first), out, init, op);
}
PORTER_EITHER(transform_exclusive_scan)
template <class T>
struct run {
  T sum;
  bool head;  // begins, or holds the beginning of, a run
};
template <class Op>
struct join_runs {
  Op op;
  template <class T>
  PORTER_HD run<T> operator()(const run<T> &a, const run<T> &b) const { return b.head ? b : run<T>{T(op(a.sum, b.sum)), a.head}; }
};
template <class T, class P, class K, class V, class Out, class Same, class Op>
Out scan_runs(const P &policy, K first, K last, V values, Out out, Same same, Op op, bool inclusive, T init) {
  auto k = raw(first);
  auto v = raw(values);
  auto o = raw(out);
  size_t n = size_t(last - first);
  detail::scratch<run<T>, P> runs(n);
  run<T> *r = runs.p;
  PORTER_LOOP(n, (r[i] = run<T>{T(v[i]), i == 0 || !same(k[i - 1], k[i])}))
  detail::scratch<bool, P> heads(n);
  bool *h = heads.p;
  PORTER_LOOP(n, h[i] = r[i].head)
  scan(policy, r, r + n, r, true, false, run<T>{}, join_runs<Op>{op});
  PORTER_LOOP(n, if (inclusive) o[i] = r[i].sum; else if (h[i]) o[i] = init; else o[i] = op(init, r[i - 1].sum))
  return out + ptrdiff_t(n);
}
template <PORTER_POLICY, class K, class V, class Out, class Same = equal_to<value_of<K>>, class Op = plus<value_of<V>>>
Out inclusive_scan_by_key(const P &policy, K first, K last, V values, Out out, Same same = Same(), Op op = Op()) {
  return scan_runs<value_of<V>>(policy, first, last, values, out, same, op, true, value_of<V>());
}
PORTER_EITHER(inclusive_scan_by_key)
template <PORTER_POLICY, class K, class V, class Out, class T = value_of<V>, class Same = equal_to<value_of<K>>, class Op = plus<T>>
Out exclusive_scan_by_key(const P &policy, K first, K last, V values, Out out, T init = T(), Same same = Same(), Op op = Op()) {
  return scan_runs<T>(policy, first, last, values, out, same, op, false, init);
}
PORTER_EITHER(exclusive_scan_by_key)

// Random numbers: the engines of C++, and distributions that are rocThrust's to the bit.
template <class T, T A, T C, T M>
struct linear_congruential_engine {
  typedef T result_type;
  static const result_type multiplier = A, increment = C, modulus = M, min = C == 0 ? 1 : 0, max = M - 1, default_seed = 1;
  T x;
  PORTER_HD explicit linear_congruential_engine(T s = 1) { seed(s); }
  PORTER_HD void seed(T s = 1) { x = C % M == 0 && s % M == 0 ? 1 : s % M; }
  PORTER_HD T operator()() { return x = step(x); }
  // As many steps at once, by powers of the multiplier.
  PORTER_HD void discard(unsigned long long z) {
    unsigned long long a = A, c = C, factor = 1, sum = 0;
    for (; z; z /= 2) {
      if (z % 2) {
        factor = factor * a % M;
        sum = (sum * a + c) % M;
      }
      c = (a + 1) * c % M;
      a = a * a % M;
    }
    x = T((x * factor + sum) % M);
  }

 private:
  PORTER_HD static T step(T x) { return T(((unsigned long long)A * x + C) % M); }
};
typedef linear_congruential_engine<unsigned, 16807, 0, 2147483647> minstd_rand0;
typedef linear_congruential_engine<unsigned, 48271, 0, 2147483647> minstd_rand;
typedef minstd_rand default_random_engine;
template <class T = double>
struct uniform_real_distribution {
  typedef T result_type;
  T low, high;
  PORTER_HD explicit uniform_real_distribution(T a = 0, T b = 1) : low(a), high(b) {}
  template <class G>
  PORTER_HD T operator()(G &engine) const {
    T result = static_cast<T>(engine() - G::min);
    result /= T(1) + static_cast<T>(G::max - G::min);
    return result * (high - low) + low;
  }
  PORTER_HD void reset() {}
  PORTER_HD T a() const { return low; }
  PORTER_HD T b() const { return high; }
};
template <class T = int>
struct uniform_int_distribution {
  typedef T result_type;
  T low, high;
  PORTER_HD explicit uniform_int_distribution(T a = 0, T b = std::numeric_limits<T>::max()) : low(a), high(b) {}
  template <class G>
  PORTER_HD T operator()(G &engine) const {
    uniform_real_distribution<double> real(double(low), double(high) + 1);
    return static_cast<T>(real(engine));
  }
  PORTER_HD void reset() {}
  PORTER_HD T a() const { return low; }
  PORTER_HD T b() const { return high; }
};
namespace random {
using thrust::default_random_engine;
using thrust::linear_congruential_engine;
using thrust::minstd_rand;
using thrust::minstd_rand0;
using thrust::uniform_int_distribution;
using thrust::uniform_real_distribution;
}  // namespace random

}  // namespace thrust

#endif
