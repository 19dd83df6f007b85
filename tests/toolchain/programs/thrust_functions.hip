// Prints what placeholders, zip functions, iterators with functions and allocators of rocThrust make of known numbers.
// thrust_functions.txt has what rocThrust of ROCm 6.3 prints.
#include <hip/hip_runtime.h>
#include <chrono>
#include <iostream>
#include <iterator>
#include <thrust/count.h>
#include <thrust/detail/raw_reference_cast.h>
#include <thrust/device_allocator.h>
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_input_output_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/zip_function.h>

using namespace thrust::placeholders;
static_assert(THRUST_CPP_DIALECT == 2017);

template <class It> void show(const char *name, It first, It last) {
  std::cout << name << ":";
  for (; first != last; ++first) std::cout << " " << typename std::iterator_traits<It>::value_type(*first);
  std::cout << "\n";
}
template <class V> void show(const char *name, const V &v) { show(name, v.begin(), v.end()); }

struct Weigh {
  __host__ __device__ void operator()(int a, float b, float &sum) { sum = float(a) + 10 * b; }
};
struct Half {
  __host__ __device__ float operator()(int a) const { return a / 2.0f; }
};
struct Doubled {
  __host__ __device__ int operator()(float a) const { return int(2 * a); }
};
struct Clamp {
  int low, high;
  __host__ __device__ int operator()(int a) { return a < low ? low : a > high ? high : a; }
};
template <class It>
struct CopyOne {
  It from, to;
  __host__ __device__ void operator()(int i) { thrust::raw_reference_cast(*(to + i)) = thrust::raw_reference_cast(*(from + i)) + 1; }
};
template <class T>
struct Seven : thrust::device_allocator<T> {
  template <class U>
  struct rebind { typedef Seven<U> other; };
  __host__ __device__ void construct(T *p) { *p = T(7); }
};

int main() {
  int numbers[8] = {5, 1, 4, 1, 5, 9, 2, 6};
  thrust::device_vector<int> x(numbers, numbers + 8), y(8), k(8);
  thrust::host_vector<int> h(numbers, numbers + 8);

  thrust::transform(x.begin(), x.end(), y.begin(), 3 * _1 - 1);
  show("3x-1", y);
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), (_1 + _2) / 2 % 5);
  show("mean", y);
  thrust::transform(x.begin(), x.end(), y.begin(), -_1 ^ (_1 << 2 | 1));
  show("bits", y);
  thrust::for_each(y.begin(), y.end(), _1 = _1 & 15);
  thrust::for_each(y.begin(), y.end(), _1 += 100);
  show("changed", y);
  thrust::for_each(h.begin(), h.end(), _1 *= 2);
  show("host", h);
  std::cout << "counts: " << thrust::count_if(x.begin(), x.end(), _1 > 1 && _1 != 9) << " " << thrust::count_if(h.begin(), h.end(), !(_1 <= 4))
            << " " << thrust::any_of(x.begin(), x.end(), _1 == 9) << " " << thrust::all_of(x.begin(), x.end(), _1 == 9 || _1 < 3) << "\n";
  std::cout << "most: " << thrust::reduce(x.begin(), x.end(), 0, thrust::maximum<int>()) << "\n";

  thrust::device_vector<float> w(8, 0.5f), sums(8);
  auto parts = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), w.begin(), sums.begin()));
  thrust::for_each(parts, parts + 8, thrust::make_zip_function(Weigh()));
  show("weighed", sums);
  auto two = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), k.begin()));
  thrust::sequence(k.begin(), k.end(), 10);
  thrust::transform(two, two + 8, y.begin(), thrust::make_zip_function(_2 - _1));
  show("zipped", y);

  thrust::transform(x.begin(), x.end(), thrust::make_transform_output_iterator(sums.begin(), Half()), _1 + 1);
  show("halves", sums);
  thrust::transform_output_iterator<Half, thrust::device_vector<float>::iterator> halves(sums.begin(), Half());
  thrust::gather(x.begin(), x.begin() + 4, k.begin() - 1, halves + 1);
  show("gathered", sums);
  auto as_floats = thrust::make_transform_input_output_iterator(k.begin(), Half(), Doubled());
  thrust::transform(as_floats, as_floats + 4, as_floats, _1 * 3);
  show("in place", k);
  std::cout << "sum of halves: " << thrust::reduce(as_floats, as_floats + 8) << "\n";
  thrust::transform_iterator<Clamp, thrust::device_vector<int>::iterator, int> clamped(x.begin(), Clamp{2, 5});
  show("clamped", clamped, clamped + 8);
  thrust::transform_iterator<Half, thrust::counting_iterator<int>, double> precise(thrust::counting_iterator<int>(1), Half());
  std::cout << "precise: " << thrust::reduce(precise, precise + 9) << " " << sizeof(*precise) << "\n";

  thrust::counting_iterator<int, thrust::device_system_tag> count(0);
  typedef thrust::device_vector<int>::iterator It;
  thrust::for_each(count, count + 8, CopyOne<It>{x.begin(), y.begin()});
  show("references", y);

  int left[4] = {1, 3, 3, 8}, right[5] = {2, 3, 4, 8, 9};
  thrust::device_vector<int> a(left, left + 4), b(right, right + 5), values(4), others(5), keys(9), all(9);
  thrust::sequence(values.begin(), values.end(), 100);
  thrust::sequence(others.begin(), others.end(), 200);
  auto ends = thrust::merge_by_key(a.begin(), a.end(), b.begin(), b.end(), values.begin(), others.begin(), keys.begin(), all.begin());
  show("merged keys", keys.begin(), ends.first);
  show("merged values", all.begin(), ends.second);
  thrust::sort(a.begin(), a.end(), thrust::greater<int>());
  thrust::sort(b.begin(), b.end(), thrust::greater<int>());
  thrust::merge_by_key(thrust::device, a.begin(), a.end(), b.begin(), b.end(), values.begin(), others.begin(), keys.begin(), all.begin(), thrust::greater<int>());
  show("down", keys);
  show("down, values", all);

  thrust::device_vector<float, Seven<float>> sevens(3);
  sevens.resize(5);
  sevens.resize(6, 1.5f);
  thrust::device_vector<float, Seven<float>> copied = sevens;
  copied.push_back(2);
  show("sevens", sevens);
  show("copied", copied);
  thrust::device_vector<double> wide(x);
  show("wide", wide);
  return 0;
}
