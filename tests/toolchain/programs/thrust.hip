// Prints what rocThrust's algorithms make of known numbers. thrust.txt has what rocThrust of ROCm 6.3 prints.
#include <hip/hip_runtime.h>
#include <chrono>
#include <iostream>
#include <vector>
#include <thrust/adjacent_difference.h>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/swap.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
#include <cstdio>

template <class It> void show(const char *name, It first, It last) {
  double hash = 0;
  std::printf("%s:", name);
  int i = 0;
  for (; first != last; ++first, ++i) { double v = double(*first); hash += v * (i % 97 + 1); if (i < 12) std::printf(" %g", v); }
  std::printf(" ... %d %g\n", i, hash);
}
template <class V> void show(const char *name, const V &v) { show(name, v.begin(), v.end()); }
struct Odd { __host__ __device__ bool operator()(int a) const { return a & 1; } };
struct Over { int limit; __host__ __device__ bool operator()(int a) const { return a > limit; } };
struct Twice { __host__ __device__ int operator()(int a) const { return 2 * a; } };
struct Third { __host__ __device__ bool operator()(int a, int b) const { return a / 3 == b / 3; } };
struct Draw {
  __host__ __device__ float operator()(unsigned i) const {
    thrust::default_random_engine engine(7);
    engine.discard(i);
    thrust::uniform_real_distribution<float> real(-1, 3);
    thrust::uniform_int_distribution<int> whole(0, 99);
    float x = real(engine);
    return x + whole(engine);
  }
};
__global__ void pairs(int *out) {
  int a = 0, b = 0;
  thrust::tie(a, b) = thrust::make_pair(3, 4);
  out[0] = a, out[1] = b;
  thrust::tie(a, b) = thrust::make_tuple(5, 6);
  out[2] = a, out[3] = b;
  thrust::pair<int, int> p = thrust::make_pair(1, 2);
  thrust::tie(b, a) = p;
  out[4] = a, out[5] = b;
  out[6] = thrust::get<2>(thrust::make_tuple(7, 8, 9)), out[7] = thrust::make_pair(1, 2) < thrust::make_pair(1, 3);
}

int main() {
  const int n = 1000;
  thrust::host_vector<int> h(n), k(n);
  for (int i = 0; i < n; ++i) h[i] = (i * 7919 + 13) % 101, k[i] = (i / 7) % 5;
  thrust::device_vector<int> d = h, keys = k, sorted = h, other(n / 2), out(2 * n), places(n);
  thrust::sort(sorted.begin(), sorted.end());
  thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n / 2), other.begin(), [] __host__ __device__(int i) { return i / 4 - 10; });
  std::printf("find %d %d %d %d\n", int(thrust::find(d.begin(), d.end(), 95) - d.begin()), int(thrust::find_if(d.begin(), d.end(), Over{99}) - d.begin()),
              int(thrust::find(d.begin(), d.end(), 1000) - d.begin()), int(thrust::find_if_not(thrust::device, d.begin(), d.end(), Odd()) - d.begin()));
  std::printf("logic %d %d %d\n", thrust::all_of(d.begin(), d.end(), Odd()), thrust::any_of(d.begin(), d.end(), Over{99}), thrust::none_of(d.begin(), d.end(), Over{100}));
  auto ends = thrust::minmax_element(d.begin(), d.end());
  std::printf("minmax %d %d %d %d\n", int(ends.first - d.begin()), int(*ends.first), int(ends.second - d.begin()), int(*ends.second));
  auto host_ends = thrust::minmax_element(h.begin(), h.end());
  std::printf("minmax on the host %d %d\n", int(host_ends.first - h.begin()), int(host_ends.second - h.begin()));
  std::printf("bounds %d %d %d %d\n", int(thrust::lower_bound(sorted.begin(), sorted.end(), 50) - sorted.begin()), int(thrust::upper_bound(sorted.begin(), sorted.end(), 50) - sorted.begin()),
              thrust::binary_search(sorted.begin(), sorted.end(), 50), thrust::binary_search(sorted.begin(), sorted.end(), 500));
  thrust::lower_bound(sorted.begin(), sorted.end(), other.begin(), other.end(), places.begin()), show("lower bounds", places.begin(), places.begin() + n / 2);
  thrust::upper_bound(thrust::device, sorted.begin(), sorted.end(), other.begin(), other.end(), places.begin()), show("upper bounds", places.begin(), places.begin() + n / 2);
  thrust::binary_search(sorted.begin(), sorted.end(), other.begin(), other.end(), places.begin()), show("there", places.begin(), places.begin() + n / 2);
  show("merge", out.begin(), thrust::merge(sorted.begin(), sorted.end(), other.begin(), other.end(), out.begin()));
  show("union", out.begin(), thrust::set_union(sorted.begin(), sorted.end(), other.begin(), other.end(), out.begin()));
  show("intersection", out.begin(), thrust::set_intersection(sorted.begin(), sorted.end(), other.begin(), other.end(), out.begin()));
  show("difference", out.begin(), thrust::set_difference(sorted.begin(), sorted.end(), other.begin(), other.end(), out.begin()));
  show("symmetric difference", out.begin(), thrust::set_symmetric_difference(sorted.begin(), sorted.end(), other.begin(), other.end(), out.begin()));
  show("unique copy", out.begin(), thrust::unique_copy(sorted.begin(), sorted.end(), out.begin()));
  auto unique = thrust::unique_by_key_copy(keys.begin(), keys.end(), d.begin(), thrust::make_discard_iterator(), out.begin());
  show("unique by key copy", out.begin(), unique.second);
  thrust::device_vector<int> e = d;
  std::printf("partition %d\n", int(thrust::stable_partition(e.begin(), e.end(), Odd()) - e.begin())), show("partition", e);
  auto parts = thrust::partition_copy(d.begin(), d.end(), out.begin(), places.begin(), Over{40});
  show("partition copy", out.begin(), parts.first), show("the others", places.begin(), parts.second);
  show("remove copy", out.begin(), thrust::remove_copy_if(d.begin(), d.end(), out.begin(), Odd()));
  e = d, thrust::reverse(e.begin(), e.end()), show("reverse", e);
  thrust::copy(thrust::make_reverse_iterator(d.end()), thrust::make_reverse_iterator(d.begin()), e.begin()), show("backwards", e);
  thrust::swap_ranges(d.begin(), d.begin() + 100, e.begin()), show("swapped", e), thrust::swap_ranges(d.begin(), d.begin() + 100, e.begin());
  thrust::adjacent_difference(d.begin(), d.end(), e.begin()), show("adjacent", e);
  thrust::replace_copy_if(d.begin(), d.end(), e.begin(), Odd(), -1), show("replaced", e);
  thrust::transform_if(d.begin(), d.end(), keys.begin(), e.begin(), Twice(), Odd()), show("transform if", e);
  thrust::transform_inclusive_scan(d.begin(), d.end(), e.begin(), Twice(), thrust::plus<int>()), show("transform scan", e);
  thrust::transform_exclusive_scan(d.begin(), d.end(), e.begin(), Twice(), 5, thrust::maximum<int>()), show("transform exclusive", e);
  thrust::inclusive_scan_by_key(keys.begin(), keys.end(), d.begin(), e.begin()), show("scan by key", e);
  thrust::exclusive_scan_by_key(keys.begin(), keys.end(), d.begin(), e.begin(), 10), show("exclusive by key", e);
  thrust::inclusive_scan_by_key(keys.begin(), keys.end(), d.begin(), e.begin(), Third(), thrust::maximum<int>()), show("max by key", e);
  auto differ = thrust::mismatch(d.begin(), d.end(), sorted.begin());
  std::printf("mismatch %d\n", int(differ.first - d.begin()));
  auto sums = thrust::reduce_by_key(keys.begin(), keys.end(), thrust::make_constant_iterator(1), thrust::make_discard_iterator(), out.begin());
  show("counts", out.begin(), sums.second);
  thrust::device_vector<float> f(n);
  thrust::transform(thrust::counting_iterator<unsigned>(0), thrust::counting_iterator<unsigned>(n), f.begin(), Draw()), show("random", f);
  thrust::minstd_rand engine;
  thrust::random::uniform_real_distribution<double> real(0, 1);
  double sum = 0;
  for (int i = 0; i < 100; ++i) sum += real(engine);
  std::printf("host random %.12g %u\n", sum, unsigned(engine()));
  thrust::device_vector<int> eight(8);
  pairs<<<1, 1>>>(thrust::raw_pointer_cast(eight.data())), show("pairs", eight);
  thrust::scatter_if(d.begin(), d.begin() + 8, thrust::counting_iterator<int>(0), keys.begin() + 3, eight.begin()), show("scatter if", eight);
  thrust::gather(keys.begin(), keys.begin() + 8, d.begin(), eight.begin()), show("gather", eight);
  std::vector<int> pushed;
  thrust::copy(eight.begin(), eight.end(), std::back_inserter(pushed));
  std::cout << "stream";
  thrust::copy(pushed.begin(), pushed.end(), std::ostream_iterator<int>(std::cout << ": ", ","));
  std::cout << " " << thrust::min(3, 5) << thrust::max(3, 5) << thrust::max(3, 5, thrust::greater<int>()) << std::endl;
}
