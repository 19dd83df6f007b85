// The stand-in for hipBLAS against loops on the host: complex numbers, a matrix and a vector, triangular systems.
#include <hipblas/hipblas.h>
#include <porter/hipblas.h>

#include <complex>
#include <cstdio>
#include <vector>

#define CHECK(call)                                                          \
  do {                                                                       \
    if (auto s = (call); s != 0) return printf("%s: %d\n", #call, (int)s), 1; \
  } while (0)

using Z = std::complex<double>;

float narrow(Z x, float) { return (float)x.real(); }
double narrow(Z x, double) { return x.real(); }
hipComplex narrow(Z x, hipComplex) { return make_hipComplex((float)x.real(), (float)x.imag()); }
hipDoubleComplex narrow(Z x, hipDoubleComplex) { return make_hipDoubleComplex(x.real(), x.imag()); }
Z wide(float x) { return x; }
Z wide(double x) { return x; }
Z wide(hipComplex x) { return {x.x, x.y}; }
Z wide(hipDoubleComplex x) { return {x.x, x.y}; }

template <class T> struct Array {
  std::vector<Z> here;
  T *there = nullptr;
  Array(size_t n, int seed) {
    std::vector<T> own;
    for (size_t i = 0; i < n; i++) {
      own.push_back(narrow(Z(int((i * 7 + seed) % 11) - 5, int((i * 5 + seed) % 7) - 3), T()));
      here.push_back(wide(own.back()));
    }
    (void)hipMalloc(reinterpret_cast<void **>(&there), n * sizeof(T));
    (void)hipMemcpy(there, own.data(), n * sizeof(T), hipMemcpyHostToDevice);
  }
  bool is(const std::vector<Z> &wanted, const char *what) const {
    std::vector<T> got(here.size());
    (void)hipMemcpy(got.data(), there, here.size() * sizeof(T), hipMemcpyDeviceToHost);
    for (size_t i = 0; i < got.size(); i++)
      if (std::abs(wide(got[i]) - wanted[i]) > 1e-4 * (1 + std::abs(wanted[i])))
        return printf("%s[%zu]: %g%+gi, not %g%+gi\n", what, i, wide(got[i]).real(), wide(got[i]).imag(),
                      wanted[i].real(), wanted[i].imag()), false;
    return true;
  }
  ~Array() { (void)hipFree(there); }
};

// op(A)(row, column), of columns that lie `rows` apart.
Z at(const std::vector<Z> &a, int rows, hipblasOperation_t operation, int row, int column) {
  if (operation == HIPBLAS_OP_N) return a[row + column * rows];
  const Z one = a[column + row * rows];
  return operation == HIPBLAS_OP_C ? std::conj(one) : one;
}

const hipblasOperation_t OPERATIONS[] = {HIPBLAS_OP_N, HIPBLAS_OP_T, HIPBLAS_OP_C};

#define FUNCTIONS(letter, T)                                                                                        \
  int matrices_##letter(hipblasHandle_t blas) {                                                                     \
    const Z two(2, 1), three(3, -1);                                                                                \
    const T alpha = narrow(two, T()), beta = narrow(three, T()), none = narrow(0, T());                             \
    const Z scale = wide(alpha), keep = wide(beta);                                                                 \
    const int m = 5, n = 4, k = 3, ld = 6;                                                                          \
    for (auto op_a : OPERATIONS)                                                                                    \
      for (auto op_b : OPERATIONS) {                                                                                \
        Array<T> a(2 * ld * ld, 1), b(2 * ld * ld, 2), c(2 * ld * n, 3), d(ld * n, 4);                              \
        std::vector<Z> want = c.here, sum = d.here;                                                                 \
        for (int batch = 0; batch < 2; batch++)                                                                     \
          for (int column = 0; column < n; column++)                                                                \
            for (int row = 0; row < m; row++) {                                                                     \
              const std::vector<Z> one(a.here.begin() + batch * ld * ld, a.here.end());                             \
              const std::vector<Z> other(b.here.begin() + batch * ld * ld, b.here.end());                           \
              Z &to = want[batch * ld * n + row + column * ld];                                                     \
              to *= keep;                                                                                           \
              for (int i = 0; i < k; i++) to += scale * at(one, ld, op_a, row, i) * at(other, ld, op_b, i, column); \
              if (!batch)                                                                                           \
                sum[row + column * ld] =                                                                            \
                    scale * at(one, ld, op_a, row, column) + keep * at(other, ld, op_b, row, column);               \
            }                                                                                                       \
        CHECK(hipblas##letter##gemmStridedBatched(blas, op_a, op_b, m, n, k, &alpha, a.there, ld, ld * ld, b.there, \
                                                  ld, ld * ld, &beta, c.there, ld, ld * n, 2));                     \
        CHECK(!c.is(want, #letter "gemm"));                                                                         \
        CHECK(hipblas##letter##geam(blas, op_a, op_b, m, n, &alpha, a.there, ld, &beta, b.there, ld, d.there, ld)); \
        CHECK(!d.is(sum, #letter "geam"));                                                                          \
      }                                                                                                             \
    for (auto operation : OPERATIONS) {                                                                             \
      const int rows = operation == HIPBLAS_OP_N ? m : n, columns = m + n - rows;                                   \
      Array<T> a(ld * n, 1), x(2 * columns, 2), y(rows, 3), z(rows, 4);                                             \
      std::vector<Z> want = y.here, plain = y.here;                                                                 \
      for (int row = 0; row < rows; row++) {                                                                        \
        Z dot = 0;                                                                                                  \
        for (int i = 0; i < columns; i++) dot += at(a.here, ld, operation, row, i) * x.here[2 * i];                 \
        Z &to = want[rows - 1 - row];                                                                               \
        to = scale * dot + keep * to;                                                                               \
        plain[row] = scale * dot;                                                                                   \
      }                                                                                                             \
      CHECK(hipblas##letter##gemv(blas, operation, m, n, &alpha, a.there, ld, x.there, 2, &beta, y.there, -1));     \
      CHECK(!y.is(want, #letter "gemv"));                                                                           \
      CHECK(hipMemset(z.there, 0xff, rows * sizeof(T)));                                                            \
      CHECK(hipblas##letter##gemv(blas, operation, m, n, &alpha, a.there, ld, x.there, 2, &none, z.there, 1));      \
      CHECK(!z.is(plain, #letter "gemv over NaN"));                                                                 \
      for (auto side : {HIPBLAS_SIDE_LEFT, HIPBLAS_SIDE_RIGHT})                                                     \
        for (auto half : {HIPBLAS_FILL_MODE_LOWER, HIPBLAS_FILL_MODE_UPPER})                                        \
          for (auto diagonal : {HIPBLAS_DIAG_UNIT, HIPBLAS_DIAG_NON_UNIT}) {                                        \
            const bool left = side == HIPBLAS_SIDE_LEFT;                                                            \
            const int order = left ? m : n;                                                                         \
            Array<T> triangle(ld * ld, 9), b(ld * n, 6);                                                            \
            std::vector<Z> mine(ld * ld), product = b.here, before = b.here;                                        \
            for (int row = 0; row < order; row++)                                                                   \
              for (int column = 0; column < order; column++) {                                                      \
                Z &one = mine[row + column * ld];                                                                   \
                const bool other = half == HIPBLAS_FILL_MODE_LOWER ? row < column : row > column;                   \
                one = other ? 0 : triangle.here[row + column * ld];                                                 \
                if (row == column && (diagonal == HIPBLAS_DIAG_UNIT)) one = 1;                                      \
                if (row == column && one == 0.0) return puts("a zero on the diagonal"), 1;                          \
              }                                                                                                     \
            for (int row = 0; row < m; row++)                                                                       \
              for (int column = 0; column < n; column++) {                                                          \
                Z sum = 0;                                                                                          \
                for (int i = 0; i < order; i++)                                                                     \
                  sum += left ? at(mine, ld, operation, row, i) * before[i + column * ld]                           \
                              : before[row + i * ld] * at(mine, ld, operation, i, column);                          \
                product[row + column * ld] = sum;                                                                   \
              }                                                                                                     \
            std::vector<T> given;                                                                                   \
            for (Z one : product) given.push_back(narrow(one, T()));                                                \
            CHECK(hipMemcpy(b.there, given.data(), given.size() * sizeof(T), hipMemcpyHostToDevice));               \
            CHECK(hipblas##letter##trsm(blas, side, half, operation, diagonal, m, n, &alpha, triangle.there, ld,    \
                                        b.there, ld));                                                              \
            for (int i = 0; i < ld * n; i++)                                                                        \
              if (i % ld < m) before[i] *= scale;                                                                   \
            CHECK(!b.is(before, #letter "trsm"));                                                                   \
          }                                                                                                         \
    }                                                                                                               \
    Array<T> a(ld * n, 1), x(m, 2), c(ld * n, 3), e(ld * n, 3);                                                     \
    std::vector<Z> rows = c.here, columns = e.here;                                                                 \
    for (int column = 0; column < n; column++)                                                                      \
      for (int row = 0; row < m; row++) {                                                                           \
        rows[row + column * ld] = a.here[row + column * ld] * x.here[row];                                          \
        columns[row + column * ld] = a.here[row + column * ld] * x.here[column];                                    \
      }                                                                                                             \
    CHECK(hipblas##letter##dgmm(blas, HIPBLAS_SIDE_LEFT, m, n, a.there, ld, x.there, 1, c.there, ld));              \
    CHECK(hipblas##letter##dgmm(blas, HIPBLAS_SIDE_RIGHT, m, n, a.there, ld, x.there, 1, e.there, ld));             \
    CHECK(!c.is(rows, #letter "dgmm left") || !e.is(columns, #letter "dgmm right"));                                \
    return 0;                                                                                                       \
  }
FUNCTIONS(S, float)
FUNCTIONS(Z, hipDoubleComplex)

int vectors(hipblasHandle_t blas) {
  const hipComplex alpha = make_hipComplex(2, -1);
  Array<hipComplex> x(12, 1), y(12, 2), c(12, 3), a(30, 4);
  Z dotu = 0, dotc = 0;
  double squares = 0, sizes = 0;
  std::vector<Z> sum = y.here, outer = a.here;
  int most = 0;
  auto size = [&](int i) { return std::abs(x.here[i].real()) + std::abs(x.here[i].imag()); };
  for (int i = 0; i < 12; i++) {
    dotu += x.here[i] * y.here[i], dotc += std::conj(x.here[i]) * y.here[i];
    squares += std::norm(x.here[i]), sizes += size(i);
    sum[i] += wide(alpha) * x.here[i];
    if (size(i) > size(most)) most = i;
  }
  for (int i = 0; i < 30; i++)
    if (i % 6 < 5) outer[i] += wide(alpha) * x.here[i % 6] * std::conj(y.here[2 * (i / 6)]);
  hipComplex got[2];
  float real[2];
  int largest;
  CHECK(hipblasCdotu(blas, 12, x.there, 1, y.there, 1, &got[0]));
  CHECK(hipblasCdotc(blas, 12, x.there, 1, y.there, 1, &got[1]));
  CHECK(hipblasScnrm2(blas, 12, x.there, 1, &real[0]));
  CHECK(hipblasScasum(blas, 12, x.there, 1, &real[1]));
  CHECK(hipblasIcamax(blas, 12, x.there, 1, &largest));
  if (wide(got[0]) != dotu || wide(got[1]) != dotc || std::abs(real[0] - std::sqrt(squares)) > 1e-4 ||
      real[1] != sizes || largest != most + 1)
    return puts("sums of complex numbers"), 1;
  CHECK(hipblasCgerc(blas, 5, 5, &alpha, x.there, 1, y.there, 2, a.there, 6));
  CHECK(hipblasCaxpy(blas, 12, &alpha, x.there, 1, y.there, 1));
  CHECK(!y.is(sum, "Caxpy") || !a.is(outer, "Cgerc"));
  const float three = 3;
  CHECK(hipblasCcopy(blas, 12, x.there, 1, c.there, 1));
  CHECK(hipblasCscal(blas, 6, &alpha, c.there, 1));
  CHECK(hipblasCsscal(blas, 6, &three, c.there + 6, 1));
  std::vector<Z> scaled = x.here;
  for (int i = 0; i < 12; i++) scaled[i] *= i < 6 ? wide(alpha) : Z(3);
  CHECK(!c.is(scaled, "Cscal"));
  Array<float> one(20, 1), other(20, 2);
  float dot, want = 0;
  for (int i = 0; i < 20; i++) want += (float)(one.here[i] * other.here[i]).real();
  CHECK(hipblasDotEx(blas, 20, one.there, HIP_R_32F, 1, other.there, HIP_R_32F, 1, &dot, HIP_R_32F, HIP_R_32F));
  return dot != want ? printf("DotEx: %g, not %g\n", dot, want), 1 : 0;
}

int main() {
  hipblasHandle_t blas;
  CHECK(hipblasCreate(&blas));
  CHECK(matrices_S(blas) || matrices_Z(blas) || vectors(blas));
  float x = 0;
  const float *none = nullptr;
  if (hipblasSgemv(blas, HIPBLAS_OP_N, 4, 4, &x, &x, 3, &x, 1, &x, &x, 1) != HIPBLAS_STATUS_INVALID_VALUE ||
      hipblasSger(blas, 1, 1, none, &x, 1, &x, 1, &x, 1) != HIPBLAS_STATUS_INVALID_VALUE)
    return puts("arguments that are refused"), 1;
  CHECK(hipblasDestroy(blas));
  puts("all good");
}
