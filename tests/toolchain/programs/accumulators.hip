// Prints the sums that hipCUB and rocThrust make of narrow numbers. accumulators.txt has what those of ROCm 6.3 print.
#include <chrono>
#include <vector>
#include <iostream>
#include <hip/hip_runtime.h>
#include <hipcub/hipcub.hpp>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>
#include <thrust/inner_product.h>
#include <cstdio>
constexpr int N = 1000;
template <class F> void twice(F f) { void *t = nullptr; size_t n = 0; f(t, n); hipMalloc(&t, n); f(t, n); hipFree(t); hipDeviceSynchronize(); }
template <class T> double get(const T *p, int i) { T v; hipMemcpy(&v, p + i, sizeof v, hipMemcpyDeviceToHost); return double(v); }
template <class I, class O> void cubs(const char *name, const I *in, O *out, int *offs) {
  twice([&](void *t, size_t &n) { hipcub::DeviceReduce::Sum(t, n, in, out, N); }); double a = get(out, 0);
  twice([&](void *t, size_t &n) { hipcub::DeviceReduce::Max(t, n, in, out, N); }); double b = get(out, 0);
  twice([&](void *t, size_t &n) { hipcub::DeviceReduce::Reduce(t, n, in, out, N, hipcub::Sum(), 0.25); }); double c = get(out, 0);
  twice([&](void *t, size_t &n) { hipcub::DeviceReduce::Reduce(t, n, in, out, N, hipcub::Sum(), I(0)); }); double c2 = get(out, 0);
  twice([&](void *t, size_t &n) { hipcub::DeviceScan::InclusiveSum(t, n, in, out, N); }); double d = get(out, N - 1);
  twice([&](void *t, size_t &n) { hipcub::DeviceScan::ExclusiveSum(t, n, in, out, N); }); double e = get(out, N - 1);
  twice([&](void *t, size_t &n) { hipcub::DeviceScan::ExclusiveScan(t, n, in, out, hipcub::Sum(), 0.25, N); }); double f = get(out, N - 1);
  twice([&](void *t, size_t &n) { hipcub::DeviceSegmentedReduce::Sum(t, n, in, out, 1, offs, offs + 1); }); double g = get(out, 0);
  std::printf("%s: sum %g max %g init.25 %g initI %g incl %g excl %g excl.25 %g seg %g\n", name, a, b, c, c2, d, e, f, g);
}
template <class I, class O> void thrusts(const char *name, thrust::device_vector<I> &in, thrust::device_vector<O> &out) {
  double a = thrust::reduce(in.begin(), in.end()), b = thrust::reduce(in.begin(), in.end(), 0.25), c = thrust::reduce(in.begin(), in.end(), O(0)), c2 = thrust::reduce(in.begin(), in.end(), O(0), thrust::plus<O>());
  thrust::inclusive_scan(in.begin(), in.end(), out.begin()); double d = out[N - 1];
  thrust::inclusive_scan(in.begin(), in.end(), out.begin(), thrust::plus<O>()); double d2 = out[N - 1];
  thrust::exclusive_scan(in.begin(), in.end(), out.begin()); double e = out[N - 1];
  thrust::exclusive_scan(in.begin(), in.end(), out.begin(), 0.25); double f = out[N - 1];
  thrust::exclusive_scan(in.begin(), in.end(), out.begin(), O(0)); double g = out[N - 1];
  double h = thrust::inner_product(in.begin(), in.end(), in.begin(), O(0));
  thrust::device_vector<int> keys(N, 1), ko(N); thrust::device_vector<O> vo(N); thrust::reduce_by_key(keys.begin(), keys.end(), in.begin(), ko.begin(), vo.begin()); double k = vo[0];
  std::printf("%s: reduce %g .25 %g O %g Oplus %g incl %g inclO %g excl %g excl.25 %g exclO %g inner %g bykey %g\n", name, a, b, c, c2, d, d2, e, f, g, h, k);
}
template <class I, class O> void both(const char *name, double value) {
  thrust::device_vector<I> in(N, I(value)); thrust::device_vector<O> out(N); thrust::device_vector<int> offs(2); offs[0] = 0; offs[1] = N;
  cubs(name, thrust::raw_pointer_cast(in.data()), thrust::raw_pointer_cast(out.data()), thrust::raw_pointer_cast(offs.data()));
  thrusts(name, in, out);
}
int main() {
  both<bool, int>("bool int", 1);
  both<unsigned char, int>("uchar int", 200);
  both<unsigned char, unsigned char>("uchar uchar", 200);
  both<short, long>("short long", 30000);
  both<int, long>("int long", 2000000000);
  both<float, double>("float double", 0.5);
  both<double, float>("double float", 0.5);
  both<float, int>("float int", 0.75);
  both<int, float>("int float", 16777217);
}
