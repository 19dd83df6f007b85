#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
#include <thrust/scan.h>
#include <thrust/iterator/zip_iterator.h>
#include <hipcub/hipcub.hpp>
#include <hiprand/hiprand_kernel.h>
#include <cstdio>
#include <cstring>
#include <numeric>
struct Twice { __host__ __device__ int operator()(int a) const { return 2 * a; } };
struct Odd { __device__ bool operator()(int a) const { return a & 1; } };
struct Add { template <class T> __device__ void operator()(T t) { thrust::get<0>(t) += thrust::get<1>(t); } };
int failed = 0;
#define CHECK(c) do { if (!(c)) { std::printf("FAIL line %d: %s\n", __LINE__, #c); ++failed; } } while (0)
__global__ void blocks(const int *in, int *out) {
  using R = hipcub::BlockReduce<int, 128>; using S = hipcub::BlockScan<int, 128>; using W = hipcub::WarpReduce<int, 32>; using X = hipcub::WarpScan<int>;
  __shared__ R::TempStorage r; __shared__ S::TempStorage s; __shared__ W::TempStorage w; __shared__ X::TempStorage ws;
  int v = in[threadIdx.x], a = R(r).Sum(v), b, all, c = W(w).Reduce(v, hipcub::Max()), d; S(s).ExclusiveSum(v, b, all); X(ws).InclusiveSum(v, d);
  if (threadIdx.x == 0) out[0] = a; if (threadIdx.x == 100) out[1] = b; if (threadIdx.x == 7) out[2] = all; if (threadIdx.x == 96) out[3] = c; if (threadIdx.x == 66) out[4] = d;
  using KV = hipcub::KeyValuePair<int, int>; using K = hipcub::BlockReduce<KV, 128>; __shared__ K::TempStorage k; KV best = K(k).Reduce(KV(threadIdx.x, v % 50), hipcub::ArgMax()); if (threadIdx.x == 0) out[5] = best.key;
  int q[4], o[4]; using L = hipcub::BlockLoad<int, 128, 4>; __shared__ L::TempStorage l; L(l).Load(in, q); __syncthreads(); S(s).InclusiveSum(q, o); if (threadIdx.x == 127) out[6] = o[3]; if (threadIdx.x == 1) out[7] = o[1];
}
struct Minus { __device__ int operator()(int a, int b) const { return a - b; } };
__global__ void differences(const int *in, int *left, int *right) {
  using D = hipcub::BlockAdjacentDifference<int, 128>;
  __shared__ D::TempStorage room;
  int items[2] = {in[2 * threadIdx.x], in[2 * threadIdx.x + 1]}, made[2];
  D(room).SubtractLeft(items, made, Minus());
  for (int i = 0; i < 2; ++i) left[2 * threadIdx.x + i] = made[i];
  __syncthreads();
  D(room).SubtractRight(items, made, Minus());
  for (int i = 0; i < 2; ++i) right[2 * threadIdx.x + i] = made[i];
}
__global__ void draw(float *sum) { hiprandState a; hiprandStatePhilox4_32_10_t p; hiprandStateMRG32k3a m; hiprand_init(1, threadIdx.x, 0, &a); hiprand_init(1, threadIdx.x, 0, &p); hiprand_init(1, threadIdx.x, 0, &m);
  float u = 0, n = 0, q = 0, g = 0; for (int i = 0; i < 100; ++i) { u += hiprand_uniform(&a); n += hiprand_normal(&p); q += hiprand_uniform(&m); float z = hiprand_normal(&a); g += z * z; }
  atomicAdd(sum, u); atomicAdd(sum + 1, n); atomicAdd(sum + 2, q); atomicAdd(sum + 3, g); if (!threadIdx.x) { hiprandStatePhilox4_32_10_t z; hiprand_init(0, 0, 0, &z); ((unsigned*)sum)[4] = hiprand(&z); ((unsigned*)sum)[5] = hiprand(&z); } }
int main() {
  thrust::host_vector<int> h(1000); for (int i = 0; i < 1000; ++i) h[i] = (i * 7919) % 1000;
  thrust::device_vector<int> d = h, e(1000); thrust::sort(d.begin(), d.end()); for (int i = 0; i < 1000; i += 37) CHECK(d[i] == i);
  thrust::sort(d.begin(), d.end(), thrust::greater<int>()); CHECK(d[0] == 999 && d[999] == 0); CHECK(!thrust::is_sorted(d.begin(), d.end()));
  thrust::sequence(e.begin(), e.end()); thrust::sort_by_key(d.begin(), d.end(), e.begin()); CHECK(e[0] == 999 && d[1] == 1);
  CHECK(thrust::reduce(d.begin(), d.end()) == 499500); CHECK(thrust::reduce(thrust::device, d.begin(), d.end(), 5, thrust::maximum<int>()) == 999);
  thrust::inclusive_scan(d.begin(), d.end(), e.begin()); CHECK(e[999] == 499500 && e[3] == 6); thrust::exclusive_scan(thrust::device, thrust::raw_pointer_cast(d.data()), thrust::raw_pointer_cast(&d[0]) + 5, thrust::raw_pointer_cast(e.data()), 7); CHECK(e[0] == 7 && e[4] == 13);
  auto end = thrust::copy_if(d.begin(), d.end(), e.begin(), Odd()); CHECK(end - e.begin() == 500 && e[499] == 999); e = d; e.erase(thrust::remove_if(e.begin(), e.end(), Odd()), e.end()); CHECK(e.size() == 500 && e[499] == 998);
  thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(d.begin(), e.begin())), thrust::make_zip_iterator(thrust::make_tuple(d.begin() + 500, e.end())), Add()); CHECK(d[10] == 30);
  CHECK(thrust::transform_reduce(thrust::device, thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(10), Twice(), 0, thrust::plus<int>()) == 90);
  d = h; CHECK(thrust::max_element(d.begin(), d.end()) - d.begin() == 321 || *thrust::max_element(d.begin(), d.end()) == 999); CHECK(thrust::count(d.begin(), d.end(), 3) == 1); CHECK(thrust::inner_product(d.begin(), d.end(), d.begin(), 0) == 332833500);
  thrust::fill(d.begin(), d.begin() + 10, 4); d[3] = 5; d[4] += 1; d.resize(10); thrust::device_vector<int> k(10), v(10); auto ends = thrust::reduce_by_key(d.begin(), d.end(), thrust::make_constant_iterator(1), k.begin(), v.begin()); CHECK(ends.first - k.begin() == 3 && v[0] == 3 && v[1] == 2 && v[2] == 5 && k[1] == 5);
  CHECK(thrust::unique(d.begin(), d.end()) - d.begin() == 3);
  std::vector<int> in(512); for (int i = 0; i < 512; ++i) in[i] = (i * 37) % 101; thrust::device_vector<int> x(in.begin(), in.end()), y(512); blocks<<<1, 128>>>(thrust::raw_pointer_cast(x.data()), thrust::raw_pointer_cast(y.data())); thrust::host_vector<int> r = y;
  thrust::device_vector<int> left(256), right(256);
  differences<<<1, 128>>>(thrust::raw_pointer_cast(x.data()), thrust::raw_pointer_cast(left.data()), thrust::raw_pointer_cast(right.data()));
  for (int i = 0; i < 256; ++i) {
    CHECK(left[i] == (i ? in[i] - in[i - 1] : in[0]));
    CHECK(right[i] == (i < 255 ? in[i] - in[i + 1] : in[255]));
  }
  int s128 = std::accumulate(in.begin(), in.begin() + 128, 0), s100 = std::accumulate(in.begin(), in.begin() + 100, 0); CHECK(r[0] == s128 && r[1] == s100 && r[2] == s128); CHECK(r[3] == *std::max_element(in.begin() + 96, in.begin() + 128)); CHECK(r[4] == in[64] + in[65] + in[66]);
  int best = 0; for (int i = 0; i < 128; ++i) if (in[i] % 50 > in[best] % 50) best = i; CHECK(r[5] == best); CHECK(r[6] == std::accumulate(in.begin(), in.end(), 0)); CHECK(r[7] == std::accumulate(in.begin(), in.begin() + 6, 0));
  void *t = nullptr; size_t room = 0; int *p = thrust::raw_pointer_cast(x.data()), *q = thrust::raw_pointer_cast(y.data());
  hipcub::DeviceRadixSort::SortKeys(t, room, p, q, 512); hipMalloc(&t, room); hipcub::DeviceRadixSort::SortKeys(t, room, p, q, 512); r = y; CHECK(std::is_sorted(r.begin(), r.end()));
  thrust::device_vector<float> fl(512), fo(512); thrust::transform(x.begin(), x.end(), fl.begin(), [] __device__ (int a) { return (a - 50) * 0.5f; }); hipcub::DeviceRadixSort::SortKeysDescending(t, room, thrust::raw_pointer_cast(fl.data()), thrust::raw_pointer_cast(fo.data()), 512); CHECK(fo[0] == 25.0f && fo[511] == -25.0f);
  hipcub::DeviceReduce::Sum(t, room, p, q, 512); CHECK(y[0] == std::accumulate(in.begin(), in.end(), 0)); hipcub::DeviceReduce::Min(t, room, p, q, 512); CHECK(y[0] == 0); hipcub::DeviceScan::ExclusiveSum(t, room, p, q, 512); CHECK(y[2] == in[0] + in[1]);
  thrust::device_vector<float> sum(6); draw<<<1, 256>>>(thrust::raw_pointer_cast(sum.data())); thrust::host_vector<float> m = sum; float n = 25600; CHECK(m[0] / n > 0.49 && m[0] / n < 0.51); CHECK(m[1] / n < 0.02 && m[1] / n > -0.02); CHECK(m[2] / n > 0.49 && m[2] / n < 0.51); CHECK(m[3] / n > 0.97 && m[3] / n < 1.03);
  unsigned first[2]; std::memcpy(first, &m[4], 8); CHECK(first[0] == 0x6627e8d5u && first[1] == 0xe169c58du);
  std::printf(failed ? "%d failed\n" : "all good\n", failed); return failed;
}
