// hipRAND's host interface: distributions by their moments, sequences that go on, errors.
#include <hiprand/hiprand.h>

#include <cmath>
#include <cstdio>
#include <vector>

int failed = 0;
#define CHECK(c) do { if (!(c)) { std::printf("FAIL line %d: %s\n", __LINE__, #c); ++failed; } } while (0)
#define OK(call) CHECK((call) == HIPRAND_STATUS_SUCCESS)

constexpr int n = 20000;
template <class T> T *device() {
  T *p;
  if (hipMalloc(&p, n * sizeof(T)) != hipSuccess) std::abort();
  return p;
}
template <class T> std::vector<T> read(const T *p, int count = n) {
  std::vector<T> all(count);
  if (hipMemcpy(all.data(), p, count * sizeof(T), hipMemcpyDeviceToHost) != hipSuccess) std::abort();
  return all;
}
template <class T> void moments(const std::vector<T> &all, double mean, double variance) {
  double sum = 0, square = 0;
  for (T x : all) sum += double(x), square += double(x) * double(x);
  sum /= all.size();
  square = square / all.size() - sum * sum;
  // Six standard errors.
  if (std::fabs(sum - mean) > 6 * std::sqrt(variance / all.size()) || std::fabs(square / variance - 1) > 0.15)
    std::printf("FAIL: mean %g of %g, variance %g of %g\n", sum, mean, square, variance), ++failed;
}

int main() {
  hiprandGenerator_t g, h, q;
  auto *f = device<float>();
  auto *d = device<double>();
  auto *u = device<unsigned>();
  auto *b = device<unsigned char>();
  auto *halves = device<half>();
  for (auto type : {HIPRAND_RNG_PSEUDO_DEFAULT, HIPRAND_RNG_PSEUDO_MRG32K3A, HIPRAND_RNG_PSEUDO_MT19937}) {
    OK(hiprandCreateGenerator(&g, type));
    OK(hiprandDestroyGenerator(g));
  }
  hipStream_t stream;
  (void)hipStreamCreate(&stream);
  OK(hiprandCreateGenerator(&g, HIPRAND_RNG_PSEUDO_PHILOX4_32_10));
  OK(hiprandSetPseudoRandomGeneratorSeed(g, 42));
  OK(hiprandGenerateUniform(g, f, n));
  const auto first = read(f);
  moments(first, 0.5, 1 / 12.0);
  for (float x : first) CHECK(x > 0 && x <= 1);
  OK(hiprandGenerateUniform(g, f, n));
  const auto second = read(f);
  CHECK(first != second);
  OK(hiprandSetPseudoRandomGeneratorSeed(g, 42));
  OK(hiprandSetStream(g, stream));
  OK(hiprandGenerateUniform(g, f, n / 2));
  OK(hiprandGenerateUniform(g, f + n / 2, n / 2));
  (void)hipStreamSynchronize(stream);
  CHECK(read(f) == first);
  OK(hiprandSetGeneratorOffset(g, n));
  OK(hiprandGenerateUniform(g, f, n));
  (void)hipStreamSynchronize(stream);
  CHECK(read(f) == second);
  OK(hiprandSetStream(g, nullptr));
  OK(hiprandGenerateUniformDouble(g, d, n));
  moments(read(d), 0.5, 1 / 12.0);
  OK(hiprandGenerate(g, u, n));
  moments(read(u), 2147483647.5, std::pow(2.0, 64) / 12);
  OK(hiprandGenerateChar(g, b, n));
  moments(read(b), 127.5, 65535 / 12.0);
  OK(hiprandGenerateNormal(g, f, n, 3, 2));
  moments(read(f), 3, 4);
  OK(hiprandGenerateNormalDouble(g, d, n, -1, 0.5));
  moments(read(d), -1, 0.25);
  OK(hiprandGenerateNormalHalf(g, halves, n, __float2half(1), __float2half(0.5)));
  std::vector<float> wide;
  for (half x : read(halves)) wide.push_back(__half2float(x));
  moments(wide, 1, 0.25);
  OK(hiprandGenerateLogNormalDouble(g, d, n, 0, 0.25));
  const double s2 = 0.0625;
  moments(read(d), std::exp(s2 / 2), (std::exp(s2) - 1) * std::exp(s2));
  OK(hiprandGeneratePoisson(g, u, n, 30));
  moments(read(u), 30, 30);
  CHECK(hiprandGeneratePoisson(g, u, n, 0) == HIPRAND_STATUS_OUT_OF_RANGE);
  CHECK(hiprandSetQuasiRandomGeneratorDimensions(g, 2) == HIPRAND_STATUS_TYPE_ERROR);

  OK(hiprandCreateGeneratorHost(&h, HIPRAND_RNG_PSEUDO_XORWOW));
  OK(hiprandSetPseudoRandomGeneratorSeed(h, 42));
  std::vector<float> here(n);
  OK(hiprandGenerateUniform(h, here.data(), n));
  CHECK(here == first);

  OK(hiprandCreateGenerator(&q, HIPRAND_RNG_QUASI_DEFAULT));
  OK(hiprandSetQuasiRandomGeneratorDimensions(q, 3));
  OK(hiprandGenerate(q, u, 24));
  const unsigned known[3][8] = {{0, 4, 6, 2, 3, 7, 5, 1}, {0, 4, 2, 6, 3, 7, 1, 5}, {0, 4, 2, 6, 5, 1, 7, 3}};  // of 8
  const auto points = read(u, 24);
  for (int i = 0; i < 24; i++) CHECK(points[i] == known[i / 8][i % 8] << 29);
  OK(hiprandGenerateUniform(q, f, n / 6 * 6));
  moments(read(f, n / 6 * 6), 0.5, 1 / 12.0);
  OK(hiprandSetQuasiRandomGeneratorDimensions(q, 10));
  OK(hiprandGenerateNormal(q, f, n, 0, 1));
  moments(read(f), 0, 1);
  OK(hiprandGeneratePoisson(q, u, n, 4));
  moments(read(u), 4, 4);
  CHECK(hiprandGenerateUniform(q, f, 11) == HIPRAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK(hiprandSetPseudoRandomGeneratorSeed(q, 1) == HIPRAND_STATUS_TYPE_ERROR);
  CHECK(hiprandCreateGenerator(&h, HIPRAND_RNG_QUASI_SOBOL64) == HIPRAND_STATUS_NOT_IMPLEMENTED);
  CHECK(hiprandGenerateUniform(nullptr, f, 1) == HIPRAND_STATUS_NOT_INITIALIZED);
  OK(hiprandDestroyGenerator(g));
  OK(hiprandDestroyGenerator(q));
  std::puts(failed ? "wrong" : "all good");
  return failed != 0;
}
