// Thrust: vectors, pointers, algorithms with and without a policy, iterators, lambdas.
#include <iostream>
#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <vector>

struct square {
  __host__ __device__ float operator()(float x) const { return x * x; }
};
struct add_both {
  __host__ __device__ float operator()(thrust::tuple<float, int> t) const {
    return thrust::get<0>(t) + thrust::get<1>(t);
  }
};

__global__ void kernel(thrust::complex<float> *c, float *p, int n) {
  c[0] = c[0] * c[1] + thrust::complex<float>(1, 2) * 2.0f;
  thrust::sort(thrust::seq, p, p + n);
  thrust::default_random_engine engine(3);
  thrust::uniform_real_distribution<float> uniform(0, 1);
  thrust::minimum<float> smaller;
  p[0] = smaller(uniform(engine), thrust::reduce(thrust::device, p, p + n)) + thrust::abs(c[0]) + c[0].real();
  thrust::tuple<int, float> t = thrust::make_tuple(1, 2.f);
  p[1] = thrust::get<0>(t) + thrust::make_pair(1, 2).first;
}

int main() {
  thrust::host_vector<int> h(10);
  thrust::device_vector<int> d = h, e(d.begin(), d.end()), q = {1, 2, 3};
  d[0] = 3;
  int x = d[1];
  std::cout << d[2] << std::endl;
  h = d;
  thrust::sort(d.begin(), d.end(), thrust::greater<int>());
  x += thrust::reduce(d.begin(), d.end()) + thrust::reduce(d.begin(), d.end(), 0, thrust::plus<int>());
  x += thrust::reduce(thrust::device, d.begin(), d.end(), 0, thrust::maximum<int>());
  float *raw;
  cudaMalloc(&raw, 4);
  thrust::device_ptr<float> p(raw), p2 = thrust::device_pointer_cast(raw);
  thrust::fill(p, p2 + 3, 1.f);
  float r = thrust::transform_reduce(p, p + 3, square(), 0.f, thrust::plus<float>());
  r += *p;
  p[2] = r;
  thrust::transform(d.begin(), d.end(), d.begin(), e.begin(), thrust::plus<int>());
  thrust::transform(d.begin(), d.end(), e.begin(), [] __device__(int a) { return a + 1; });
  thrust::exclusive_scan(thrust::device, raw, raw + 3, raw);
  auto zip = thrust::make_zip_iterator(thrust::make_tuple(p, d.begin()));
  thrust::transform(zip, zip + 3, p, add_both());
  int *pointer = thrust::raw_pointer_cast(d.data());
  pointer = thrust::raw_pointer_cast(&d[0]);
  thrust::counting_iterator<int> first(0);
  thrust::for_each(first, first + 10, [=] __device__(int i) { raw[i] = pointer[i]; });
  thrust::for_each(thrust::device, thrust::make_counting_iterator(0), thrust::make_counting_iterator(10),
                   [=] __device__(int i) { raw[i] = i; });
  auto end = thrust::remove_if(d.begin(), d.end(), [] __device__(int v) { return v > 3; });
  x += end - d.begin();
  thrust::sort_by_key(thrust::cuda::par.on(0), d.begin(), d.end(), e.begin());
  thrust::copy(d.begin(), d.end(), h.begin());
  thrust::copy(h.begin(), h.end(), std::ostream_iterator<int>(std::cout, " "));
  x += *thrust::max_element(d.begin(), d.end());
  using namespace thrust::placeholders;
  thrust::transform(d.begin(), d.end(), d.begin(), _1 * 2 + 1);
  thrust::sequence(thrust::device, d.begin(), d.end(), 1, 2);
  double dot = thrust::inner_product(d.begin(), d.end(), e.begin(), 0.0);
  auto squares = thrust::make_transform_iterator(d.begin(), square());
  dot += thrust::reduce(squares, squares + 3) + thrust::count_if(d.begin(), d.end(), _1 > 3);
  std::vector<int> plain(3);
  thrust::device_vector<int> from_std(plain);
  from_std = plain;
  if (d[0] == 3) d.push_back(int(dot) + x + q[0]);
}
