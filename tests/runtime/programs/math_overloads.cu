// What CUDA's overloads of mathematical functions give, in device code, in host code and in templates of both.
// With an argument only host code runs: a machine with nvcc and no GPU can check that half of it.
#include <cmath>
#include <cstdio>
#include <type_traits>

enum Plain { three = 3, nine = 9 };
struct Number {
  unsigned value;
  __host__ __device__ operator unsigned() const { return value; }
};

template <class T, class U>
__host__ __device__ double smaller(T a, U b) {
  return min(a, b);
}
template <class T, class U>
__host__ __device__ double larger(T a, U b) {
  return max(a, b);
}

__host__ __device__ int whole(double* out) {
  int n = 0;
  out[n++] = min(-1, 5u);                      // as unsigned: 5
  out[n++] = max(-1, 5u);                      // 4294967295
  out[n++] = min(7u, -2);                      // 7
  out[n++] = max(-1ll, 5ull) == ~0ull;
  out[n++] = min(-1l, 5ul);                    // 5
  out[n++] = 10 / min(4, 3u);                  // a division of integers: 3
  out[n++] = umin(-3, 2);                      // 2
  out[n++] = llmax(-3, 2);                     // 2
  out[n++] = ullmax(-1, 2) == ~0ull;
  out[n++] = smaller(-1, 5u);                  // 5
  out[n++] = smaller(short(-1), 5u);           // 5
  out[n++] = larger(1.5f, 2.25);               // 2.25
  out[n++] = max(three, 5u);                   // 5
  out[n++] = min(nine, -4);                    // -4
  out[n++] = min(Number{7}, -1);               // 7
  out[n++] = 7 / max('\2', short(1));          // 3
  out[n++] = min(2.5, 1.5);                    // 1.5
  out[n++] = max(0x1.000002p+0f, 1.0f) > 1;    // 1
  out[n++] = min(6000000000ll, 7000000000ll) / 1e9;  // 6
  out[n++] = std::is_same<decltype(min(short(1), short(2))), int>::value;
  return n;
}
constexpr double WHOLE[] = {5, 4294967295.0, 7, 1, 5, 3, 2, 2, 1, 5, 5, 2.25, 5, -4, 7, 3, 1.5, 1, 6, 1};

// Rounded to float or not, which a difference shows.
__host__ __device__ int real(double* out, float third, double wide) {
  int n = 0;
  out[n++] = rsqrt(third) == float(rsqrt(third));
  out[n++] = rsqrt(wide) == float(rsqrt(wide));
  out[n++] = pow(third, 3) == float(pow(third, 3));
  out[n++] = pow(third, 3.0f) == float(pow(third, 3.0f));
  out[n++] = std::pow(third, 2) == double(third) * third;
  out[n++] = sinpi(third) == float(sinpi(third));
  out[n++] = cospi(third * 1.5f) != 0;
  out[n++] = exp10(third) == float(exp10(third));
  out[n++] = fabs(exp10(third) - 2.1544347) < 1e-6;
  out[n++] = fabs(normcdf(wide) - 0.6305586598182364) < 1e-14;
  out[n++] = fabs(normcdfinv(0.975) - 1.959963984540054) < 1e-13;
  out[n++] = fabs(erfinv(wide) - 0.3046 ) < 1e-3;
  out[n++] = fabs(erf(erfinv(-0.999)) + 0.999) < 1e-13;
  out[n++] = fabs(erfcinv(1e-9) / 4.320005384913445 - 1) < 1e-12;
  out[n++] = fabs(erfcx(30.0) / 0.018795888861416751 - 1) < 1e-13;
  out[n++] = fabs(erfcx(3.0) / 0.17900115118138995 - 1) < 1e-13;
  out[n++] = fabs(rcbrt(8.0) - 0.5) < 1e-15;
  float s, c;
  sincos(third, &s, &c);
  out[n++] = fabsf(s - 0.3271947f) < 1e-6f && fabsf(c - 0.9449569f) < 1e-6f;
  sincospi(1.5f, &s, &c);
  out[n++] = s == -1 && c == 0;
  out[n++] = fabs(sinpi(1e15 + 0.5)) == 1;
  out[n++] = sqrt(third) == float(sqrt(third));
  return n;
}
constexpr double REAL[] = {1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

__global__ void all(double* out, int* counts, float third, double wide) {
  counts[0] = whole(out);
  counts[1] = real(out + 64, third, wide);
}

int differing(const char* side, const double* got, const double* wanted, int number, int count) {
  int wrong = number != count;
  for (int i = 0; i < count; ++i)
    if (got[i] != wanted[i]) printf("%s %d: %.17g, not %.17g\n", side, i, got[i], wanted[i]), ++wrong;
  return wrong;
}

int main(int count, char**) {
  const int wholes = sizeof WHOLE / sizeof *WHOLE, reals = sizeof REAL / sizeof *REAL;
  const float third = 1 / 3.0f;
  const double wide = 1 / 3.0;
  double out[128];
  int numbers[2] = {whole(out), real(out + 64, third, wide)};
  int wrong = differing("host, whole", out, WHOLE, numbers[0], wholes);
  wrong += differing("host, real", out + 64, REAL, numbers[1], reals);
  if (count > 1) return wrong;

  double* there;
  int* how_many;
  cudaMalloc(&there, sizeof out);
  cudaMalloc(&how_many, sizeof numbers);
  all<<<1, 1>>>(there, how_many, third, wide);
  cudaMemcpy(out, there, sizeof out, cudaMemcpyDeviceToHost);
  cudaMemcpy(numbers, how_many, sizeof numbers, cudaMemcpyDeviceToHost);
  wrong += differing("device, whole", out, WHOLE, numbers[0], wholes);
  wrong += differing("device, real", out + 64, REAL, numbers[1], reals);
  return wrong;
}
