// The stand-ins for hipCUB and rocThrust with functors that are of the device alone, as CUDA's programs have them.
#include <hipcub/hipcub.hpp>
#include <thrust/device_vector.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include <cstdio>

struct Larger {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Half {
  __device__ float operator()(int a) const { return 0.5f * a; }
};
struct After {
  __device__ bool operator()(int a, int b) const { return a > b; }
};
struct Even {
  __device__ bool operator()(int a) const { return a % 2 == 0; }
};

#define CHECK(that) \
  if (!(that)) return printf("line %d: %s\n", __LINE__, #that), 1

int main() {
  const int n = 300;
  thrust::device_vector<int> v(n);
  for (int i = 0; i < n; i++) v[i] = (i * 7) % n;
  thrust::device_vector<float> f(n), g(n);
  thrust::transform(v.begin(), v.end(), f.begin(), Half());
  CHECK(f[1] == 3.5f);
  CHECK(thrust::reduce(f.begin(), f.end(), 0.0f, Larger()) == 149.5f);
  CHECK(thrust::transform_reduce(v.begin(), v.end(), Half(), 0.0f, Larger()) == 149.5f);
  auto halves = thrust::make_transform_iterator(v.begin(), Half());
  CHECK(thrust::reduce(halves, halves + n, 0.0f, Larger()) == 149.5f);
  thrust::inclusive_scan(f.begin(), f.end(), g.begin(), Larger());
  CHECK(g[n - 1] == 149.5f && g[0] == 0);
  thrust::sort(v.begin(), v.end(), After());
  CHECK(v[0] == n - 1 && v[n - 1] == 0);
  CHECK(thrust::count_if(v.begin(), v.end(), Even()) == n / 2);

  float *in = thrust::raw_pointer_cast(f.data()), *out = thrust::raw_pointer_cast(g.data());
  void *scratch = nullptr;
  size_t bytes = 0;
  (void)hipcub::DeviceReduce::Reduce(scratch, bytes, in, out, n, Larger(), 0.0f);
  (void)hipMalloc(&scratch, bytes);
  (void)hipcub::DeviceReduce::Reduce(scratch, bytes, in, out, n, Larger(), 0.0f);
  CHECK(g[0] == 149.5f);
  (void)hipFree(scratch);
  scratch = nullptr;
  (void)hipcub::DeviceScan::InclusiveScan(scratch, bytes, in, out, Larger(), n);
  (void)hipMalloc(&scratch, bytes);
  (void)hipcub::DeviceScan::InclusiveScan(scratch, bytes, in, out, Larger(), n);
  CHECK(g[n - 1] == 149.5f && g[0] == 0);
  (void)hipFree(scratch);
  int *count;
  (void)hipMalloc(reinterpret_cast<void **>(&count), sizeof(int));
  int *numbers = thrust::raw_pointer_cast(v.data());
  thrust::device_vector<int> kept(n);
  scratch = nullptr;
  (void)hipcub::DeviceSelect::If(scratch, bytes, numbers, thrust::raw_pointer_cast(kept.data()), count, n, Even());
  (void)hipMalloc(&scratch, bytes);
  (void)hipcub::DeviceSelect::If(scratch, bytes, numbers, thrust::raw_pointer_cast(kept.data()), count, n, Even());
  int found = 0;
  (void)hipMemcpy(&found, count, sizeof(int), hipMemcpyDeviceToHost);
  CHECK(found == n / 2 && kept[0] == n - 2);
  (void)hipFree(scratch);
  (void)hipFree(count);
  puts("all good");
}
