// Products of complex matrices, in batches and conjugated, and hermitian updates, against sums of whole numbers.
#include <hipblas/hipblas.h>

#include <complex>
#include <cstdio>
#include <vector>

#define CHECK(call) do { if ((int)(call) != 0) return std::printf("%s: line %d\n", #call, __LINE__), 1; } while (0)

template <class T, class C> struct Both {
  std::vector<std::complex<T>> here;
  C *there;
  Both(int n, int step) : here(n) {
    for (int i = 0; i < n; i++) here[i] = {T(i * step % 7 - 3), T(i * step % 5 - 2)};
    if (hipMalloc(reinterpret_cast<void **>(&there), n * sizeof(C)) != hipSuccess) std::abort();
    if (hipMemcpy(there, here.data(), n * sizeof(C), hipMemcpyHostToDevice) != hipSuccess) std::abort();
  }
  std::vector<std::complex<T>> back() const {
    std::vector<std::complex<T>> all(here.size());
    if (hipMemcpy(all.data(), there, all.size() * sizeof(C), hipMemcpyDeviceToHost) != hipSuccess) std::abort();
    return all;
  }
};
template <class N> N taken(const N *a, int rows, hipblasOperation_t how, int row, int column) {
  const N value = how == HIPBLAS_OP_N ? a[row + column * rows] : a[column + row * rows];
  return how == HIPBLAS_OP_C ? std::conj(value) : value;
}

template <class T, class C, class Gemm, class Her> int tried(hipblasHandle_t blas, Gemm gemm, Her her) {
  typedef std::complex<T> N;
  constexpr int m = 5, n = 4, k = 6, batches = 3;
  constexpr hipblasStride step_a = m * k + 1, step_b = k * n + 2, step_c = m * n + 3;
  for (auto left : {HIPBLAS_OP_N, HIPBLAS_OP_T, HIPBLAS_OP_C})
    for (auto right : {HIPBLAS_OP_N, HIPBLAS_OP_T, HIPBLAS_OP_C}) {
      Both<T, C> a(step_a * batches, 3), b(step_b * batches, 4), c(step_c * batches, 2);
      const int lda = left == HIPBLAS_OP_N ? m : k, ldb = right == HIPBLAS_OP_N ? k : n;
      const N alpha(2, -1), beta(1, 3);
      CHECK(gemm(blas, left, right, m, n, k, reinterpret_cast<const C *>(&alpha), a.there, lda, step_a, b.there, ldb, step_b,
                 reinterpret_cast<const C *>(&beta), c.there, m, step_c, batches));
      std::vector<N> want = c.here;
      for (int batch = 0; batch < batches; batch++)
        for (int i = 0; i < m * n; i++) {
          N sum = 0;
          for (int j = 0; j < k; j++)
            sum += taken(&a.here[batch * step_a], lda, left, i % m, j) * taken(&b.here[batch * step_b], ldb, right, j, i / m);
          N &value = want[batch * step_c + i];
          value = alpha * sum + beta * value;
        }
      if (c.back() != want) return std::printf("gemm %d %d is wrong\n", left, right), 1;
    }
  for (auto fill : {HIPBLAS_FILL_MODE_UPPER, HIPBLAS_FILL_MODE_LOWER}) {
    Both<T, C> x(2 * n, 3), a(n * (n + 1), 2);
    const T alpha = 2;
    CHECK(her(blas, fill, n, &alpha, x.there, 2, a.there, n + 1));
    std::vector<N> want = a.here;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        if (fill == HIPBLAS_FILL_MODE_UPPER ? i > j : i < j) continue;
        N &value = want[i + j * (n + 1)];
        value += alpha * x.here[2 * i] * std::conj(x.here[2 * j]);
        if (i == j) value = value.real();
      }
    if (a.back() != want) return std::printf("her %d is wrong\n", fill), 1;
  }
  return 0;
}

int main() {
  hipblasHandle_t blas;
  CHECK(hipblasCreate(&blas));
  CHECK((tried<float, hipComplex>(blas, hipblasCgemmStridedBatched, hipblasCher)));
  CHECK((tried<double, hipDoubleComplex>(blas, hipblasZgemmStridedBatched, hipblasZher)));
  Both<float, hipComplex> a(4, 1), b(4, 2), c(4, 3);
  const hipComplex one = make_hipComplex(1, 0), none = make_hipComplex(0, 0);
  CHECK(hipblasCgemm(blas, HIPBLAS_OP_C, HIPBLAS_OP_N, 1, 1, 4, &one, a.there, 4, b.there, 4, &none, c.there, 1));
  hipComplex dot;
  CHECK(hipblasCdotc(blas, 4, a.there, 1, b.there, 1, &dot));
  if (c.back()[0] != std::complex<float>(dot.x, dot.y)) return std::puts("dot and product differ"), 1;
  CHECK(hipblasDestroy(blas));
  std::puts("all good");
}
