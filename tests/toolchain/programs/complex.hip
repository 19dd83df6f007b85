// thrust::complex on the device, beside std::complex on the host: both halves of the plane, and the axes.
#include <hip/hip_runtime.h>
#include <thrust/complex.h>

#include <complex>
#include <cstdio>
#include <vector>

template <typename C> __host__ __device__ C value(int f, C z, C w) {
  using namespace std;
  using namespace thrust;
  switch (f) {
  case 0: return z * w;
  case 1: return z / w;
  case 2: return exp(z);
  case 3: return log(z);
  case 4: return sqrt(z);
  case 5: return pow(z, w);
  case 6: return sinh(z);
  case 7: return tanh(z);
  case 8: return sin(z);
  case 9: return cos(z);
  case 10: return tan(z);
  case 11: return asinh(z);
  case 12: return acosh(z);
  case 13: return atanh(z);
  case 14: return asin(z);
  case 15: return acos(z);
  case 16: return atan(z);
  case 17: return conj(z) + C(abs(z), arg(z)) - norm(w);
  case 18: return log10(z);
  default: return C(2.0) * z - w / 3.0 + C(0.5);
  }
}

constexpr int FUNCTIONS = 20;

__global__ void all(const thrust::complex<double> *z, thrust::complex<double> *out, int count) {
  int i = threadIdx.x;
  for (int f = 0; i < count && f < FUNCTIONS; f++) out[f * count + i] = value(f, z[i], z[(i + 1) % count]);
}

int main() {
  std::vector<std::complex<double>> z;
  for (double re : {-1.75, -0.5, 0.25, 2.0})
    for (double im : {-1.5, -0.375, 0.625, 1.25}) z.push_back({re, im});
  int count = static_cast<int>(z.size()), bad = 0;
  thrust::complex<double> *in, *out;
  hipMalloc(&in, count * sizeof *in);
  hipMalloc(&out, FUNCTIONS * count * sizeof *out);
  hipMemcpy(in, z.data(), count * sizeof *in, hipMemcpyHostToDevice);
  all<<<1, 64>>>(in, out, count);
  std::vector<std::complex<double>> got(FUNCTIONS * count);
  hipMemcpy(got.data(), out, got.size() * sizeof *out, hipMemcpyDeviceToHost);
  for (int f = 0; f < FUNCTIONS; f++)
    for (int i = 0; i < count; i++) {
      std::complex<double> want = value(f, z[i], z[(i + 1) % count]), have = got[f * count + i];
      if (std::abs(want - have) > 1e-12 * (1 + std::abs(want))) {
        std::printf("function %d of %g%+gi: %g%+gi, not %g%+gi\n", f, z[i].real(), z[i].imag(), have.real(), have.imag(),
                    want.real(), want.imag());
        bad++;
      }
    }
  std::printf("%d of %d differ\n", bad, FUNCTIONS * count);
  return bad != 0;
}
