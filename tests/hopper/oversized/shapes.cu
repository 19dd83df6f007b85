// Kernels with parameter packs, early returns, lambdas that name the array, arrays of a template's type, a goto.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
#define FOR(i, n) for (int i = threadIdx.x; i < (n); i += blockDim.x)
namespace kern {
template <class F, class... P>
__global__ void apply(int n, float *out, F f, const P *...p) {
  extern __shared__ float acc[];
  if (blockIdx.x > 1) return;
  FOR(i, n) { acc[i] = 0; ((acc[i] += p[i]), ...); }
  __syncthreads();
  auto get = [=](int i) { return f(acc[n - 1 - i]); };
  auto last = [n] { return [] { return acc[0]; }() + acc[n - 1] * 0; };
  auto same = [&, n](int i) { return get(i) + 0 * last(); };
  FOR(i, n) out[blockIdx.x * n + i] = same(i);
}
template <class T>
__global__ void typed(T *x, int n) {
  extern __shared__ __align__(16) T shared_t[];
  __shared__ T first[2];
  int i = threadIdx.x;
  if (i < 2) first[i] = x[i];
again:
  if (i < n) { shared_t[i] = x[i]; i += blockDim.x; goto again; }
  __syncthreads();
  FOR(j, n) x[j] = shared_t[n - 1 - j] + first[j & 1];
}
}  // namespace kern
struct Scale { float by; __device__ float operator()(float v) const { return v * by; } };
template <class K> static void allow(K k, size_t b) { cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(b)); }
int main() {
  int bad = 0;
  for (int n : {100, 20000}) {
    std::vector<float> a(n), o(2 * n); for (int i = 0; i < n; ++i) a[i] = i % 50;
    float *d, *e; cudaMalloc(&d, n * 4); cudaMalloc(&e, n * 8); cudaMemcpy(d, a.data(), n * 4, cudaMemcpyHostToDevice);
    auto k = kern::apply<Scale, float, float>; allow(k, n * sizeof(float));
    k<<<3, 128, n * sizeof(float)>>>(n, e, Scale{2.f}, d, d);
    cudaMemcpy(o.data(), e, n * 8, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 2 * n; ++i) bad += o[i] != 4 * a[n - 1 - i % n];
    allow(kern::typed<float>, n * 4);
    kern::typed<float><<<1, 96, n * 4>>>(d, n);
    cudaMemcpy(o.data(), d, n * 4, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) bad += o[i] != a[n - 1 - i] + a[i & 1];
    bad += cudaGetLastError() != cudaSuccess;
  }
  printf("PASSED: %d wrong\n", bad);
  return bad != 0;
}
