// The stand-in for hipBLAS against loops on the host.
#include <hipblas/hipblas.h>
#include <porter/hipblas.h>

#include <cmath>
#include <cstdio>
#include <vector>

#define CHECK(call)                                                          \
  do {                                                                       \
    if (auto s = (call); s != 0) return printf("%s: %d\n", #call, (int)s), 1; \
  } while (0)

float value(__half x) { return __half2float(x); }
float value(__hip_bfloat16 x) { return __bfloat162float(x); }
template <class T> double value(T x) { return (double)x; }
void set(__half &to, int x) { to = __float2half((float)x); }
void set(__hip_bfloat16 &to, int x) { to = __float2bfloat16((float)x); }
template <class T> void set(T &to, int x) { to = (T)x; }

template <class T> struct Array {
  std::vector<T> here;
  T *there = nullptr;
  Array(size_t n, int seed) : here(n) {
    for (size_t i = 0; i < n; i++) set(here[i], int((i * 7 + seed) % 11) - 5);
    (void)hipMalloc(reinterpret_cast<void **>(&there), n * sizeof(T));
    (void)hipMemcpy(there, here.data(), n * sizeof(T), hipMemcpyHostToDevice);
  }
  std::vector<T> back() const {
    std::vector<T> result(here.size());
    (void)hipMemcpy(result.data(), there, here.size() * sizeof(T), hipMemcpyDeviceToHost);
    return result;
  }
  ~Array() { (void)hipFree(there); }
};

template <class In, class Out, class Scale>
int product(hipblasHandle_t blas, hipDataType in, hipDataType out, hipblasComputeType_t compute) {
  const int m = 5, n = 4, k = 6, batches = 2, lda = 9, ldb = 8, ldc = 7;
  for (int at = 0; at < 2; at++)
    for (int bt = 0; bt < 2; bt++)
      for (int keep = 0; keep < 2; keep++) {
        const int a_size = lda * (at ? m : k), b_size = ldb * (bt ? k : n), c_size = ldc * n;
        Array<In> a(batches * a_size, 1), b(batches * b_size, 2);
        Array<Out> c(batches * c_size, 3);
        Scale alpha, beta;
        set(alpha, 2), set(beta, keep);
        CHECK(hipblasGemmStridedBatchedEx(blas, at ? HIPBLAS_OP_T : HIPBLAS_OP_N, bt ? HIPBLAS_OP_T : HIPBLAS_OP_N, m, n,
                                          k, &alpha, a.there, in, lda, a_size, b.there, in, ldb, b_size, &beta, c.there,
                                          out, ldc, c_size, batches, compute, HIPBLAS_GEMM_DEFAULT));
        const std::vector<Out> got = c.back();
        for (int batch = 0; batch < batches; batch++)
          for (int column = 0; column < n; column++)
            for (int row = 0; row < ldc; row++) {
              double want = value(c.here[batch * c_size + row + column * ldc]);
              if (row < m) {
                want *= keep;
                for (int i = 0; i < k; i++)
                  want += 2 * value(a.here[batch * a_size + (at ? i + row * lda : row + i * lda)]) *
                          value(b.here[batch * b_size + (bt ? column + i * ldb : i + column * ldb)]);
              }
              const double is = value(got[batch * c_size + row + column * ldc]);
              if (std::fabs(is - want) > std::fabs(want) / 128) return printf("gemm: %g, not %g\n", is, want), 1;
            }
      }
  return 0;
}

int main() {
  hipblasHandle_t blas;
  CHECK(hipblasCreate(&blas));
  CHECK((product<float, float, float>(blas, HIP_R_32F, HIP_R_32F, HIPBLAS_COMPUTE_32F)));
  CHECK((product<double, double, double>(blas, HIP_R_64F, HIP_R_64F, HIPBLAS_COMPUTE_64F)));
  CHECK((product<__half, __half, __half>(blas, HIP_R_16F, HIP_R_16F, HIPBLAS_COMPUTE_16F)));
  CHECK((product<__half, float, float>(blas, HIP_R_16F, HIP_R_32F, HIPBLAS_COMPUTE_32F)));
  CHECK((product<__hip_bfloat16, __hip_bfloat16, float>(blas, HIP_R_16BF, HIP_R_16BF, HIPBLAS_COMPUTE_32F)));
  CHECK((product<signed char, int, int>(blas, HIP_R_8I, HIP_R_32I, HIPBLAS_COMPUTE_32I)));

  Array<__half> a(12, 1), b(12, 2), c(9, 3);
  __half two = __float2half(2), one = __float2half(1);
  CHECK(hipblasHgemm(blas, HIPBLAS_OP_T, HIPBLAS_OP_N, 3, 3, 4, &two, a.there, 4, b.there, 4, &one, c.there, 3));
  const std::vector<__half> half = c.back();
  for (int i = 0; i < 9; i++) {
    double want = value(c.here[i]);
    for (int k = 0; k < 4; k++) want += 2 * value(a.here[4 * (i % 3) + k]) * value(b.here[4 * (i / 3) + k]);
    if (value(half[i]) != want) return printf("half: %g, not %g\n", value(half[i]), want), 1;
  }

  Array<__half> first(9, 3), second(9, 3);
  const __half *as[2] = {a.there, a.there}, *bs[2] = {b.there, b.there};
  __half *cs[2] = {first.there, second.there};
  const __half **a_list, **b_list;
  __half **c_list;
  CHECK(hipMalloc(&a_list, sizeof(as)) || hipMalloc(&b_list, sizeof(bs)) || hipMalloc(&c_list, sizeof(cs)));
  CHECK(hipMemcpy(a_list, as, sizeof(as), hipMemcpyDefault) || hipMemcpy(b_list, bs, sizeof(bs), hipMemcpyDefault));
  CHECK(hipMemcpy(c_list, cs, sizeof(cs), hipMemcpyDefault));
  CHECK(hipblasHgemmBatched(blas, HIPBLAS_OP_T, HIPBLAS_OP_N, 3, 3, 4, &two, a_list, 4, b_list, 4, &one, c_list, 3,
                            2));
  for (Array<__half> *batch : {&first, &second}) {
    const std::vector<__half> got = batch->back();
    for (int i = 0; i < 9; i++)
      if (value(got[i]) != value(half[i])) return printf("batch: %g, not %g\n", value(got[i]), value(half[i])), 1;
  }

  Array<float> x(40, 1), y(40, 4);
  float dot, norm, sum, scale = 3, want_dot = 0, want_norm = 0, want_sum = 0;
  int largest;
  for (int i = 0; i < 20; i++) {
    want_dot += x.here[2 * i] * y.here[19 - i];
    want_norm += x.here[2 * i] * x.here[2 * i];
    want_sum += std::fabs(x.here[2 * i]);
  }
  CHECK(hipblasSdot(blas, 20, x.there, 2, y.there, -1, &dot));
  CHECK(hipblasSnrm2(blas, 20, x.there, 2, &norm));
  CHECK(hipblasSasum(blas, 20, x.there, 2, &sum));
  CHECK(hipblasIsamax(blas, 40, x.there, 1, &largest));
  int most = 0;
  for (int i = 0; i < 40; i++)
    if (std::fabs(x.here[i]) > std::fabs(x.here[most])) most = i;
  if (dot != want_dot || std::fabs(norm - std::sqrt(want_norm)) > 1e-5f || sum != want_sum || largest != most + 1)
    return printf("sums: %g %g %g %d\n", dot, norm, sum, largest), 1;

  float *on_device;  // a scale that lies on the device
  CHECK(hipMalloc(reinterpret_cast<void **>(&on_device), sizeof(float)));
  CHECK(hipblasSetVector(1, sizeof(float), &scale, 1, on_device, 1));
  CHECK(hipblasSetPointerMode(blas, HIPBLAS_POINTER_MODE_DEVICE));
  CHECK(hipblasSaxpy(blas, 20, on_device, x.there, 2, y.there, 1));
  CHECK(hipblasSetPointerMode(blas, HIPBLAS_POINTER_MODE_HOST));
  CHECK(hipblasSscal(blas, 10, &scale, y.there, 1));
  CHECK(hipblasSswap(blas, 5, x.there, 1, y.there, 1));
  CHECK(hipblasScopy(blas, 1, x.there, 1, y.there + 39, 1));
  std::vector<float> now(40);
  CHECK(hipblasGetMatrix(20, 2, sizeof(float), y.there, 20, now.data(), 20));
  for (int i = 0; i < 40; i++) {
    float want = y.here[i] + (i < 20 ? 3 * x.here[2 * i] : 0);
    if (i < 10) want *= 3;
    if (i == 39) want = 3 * (y.here[0] + 3 * x.here[0]);
    if (i < 5) want = x.here[i];
    if (now[i] != want) return printf("y[%d]: %g, not %g\n", i, now[i], want), 1;
  }
  if (hipblasSgemm(blas, HIPBLAS_OP_N, HIPBLAS_OP_N, 4, 4, 4, &scale, x.there, 3, y.there, 4, &scale, y.there, 4) !=
      HIPBLAS_STATUS_INVALID_VALUE)
    return puts("a leading dimension that is too small"), 1;
  CHECK(hipFree(on_device));
  CHECK(hipblasDestroy(blas));
  puts("all good");
}
