// The stand-in for hipBLASLt against loops on the host: layouts, batches, what comes behind the product, and what is refused.
#include <hipblaslt/hipblaslt.h>

#include <cmath>
#include <cstdio>
#include <vector>

#define CHECK(call)                                                           \
  do {                                                                        \
    if (auto s = (call); s != 0) return printf("%s: %d\n", #call, (int)s), 1; \
  } while (0)

double value(__half x) { return __half2float(x); }
double value(__hip_bfloat16 x) { return __bfloat162float(x); }
template <class T> double value(T x) { return (double)x; }
void set(__half &to, double x) { to = __float2half((float)x); }
void set(__hip_bfloat16 &to, double x) { to = __float2bfloat16((float)x); }
template <class T> void set(T &to, double x) { to = (T)x; }

template <class T> struct Array {
  std::vector<T> here;
  T *there = nullptr;
  Array(size_t n, int seed, double unit = 1) : here(n) {
    for (size_t i = 0; i < n; i++) set(here[i], (int((i * 7 + seed) % 11) - 5) * unit);
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

double gelu(double x) { return 0.5 * x * (1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); }
double slope(double x) { return (gelu(x + 1e-4) - gelu(x - 1e-4)) / 2e-4; }

struct Multiply {
  hipblasLtMatmulDesc_t desc;
  hipblasLtMatrixLayout_t a, b, d;
  int made = 1;
  Multiply(hipblasComputeType_t compute, hipDataType scale, hipDataType in, hipDataType out, int m, int n, int k, bool at, bool bt,
           int lda, int ldb, int ldd) {
    made = hipblasLtMatmulDescCreate(&desc, compute, scale) || hipblasLtMatrixLayoutCreate(&a, in, at ? k : m, at ? m : k, lda) ||
           hipblasLtMatrixLayoutCreate(&b, in, bt ? n : k, bt ? k : n, ldb) || hipblasLtMatrixLayoutCreate(&d, out, m, n, ldd);
    const hipblasOperation_t first = at ? HIPBLAS_OP_T : HIPBLAS_OP_N, second = bt ? HIPBLAS_OP_T : HIPBLAS_OP_N;
    made |= hipblasLtMatmulDescSetAttribute(desc, HIPBLASLT_MATMUL_DESC_TRANSA, &first, sizeof first) ||
            hipblasLtMatmulDescSetAttribute(desc, HIPBLASLT_MATMUL_DESC_TRANSB, &second, sizeof second);
  }
  ~Multiply() {
    (void)hipblasLtMatmulDescDestroy(desc);
    for (auto layout : {a, b, d}) (void)hipblasLtMatrixLayoutDestroy(layout);
  }
};

template <class In, class Out>
int product(hipblasLtHandle_t blas, hipDataType in, hipDataType out, hipblasComputeType_t compute) {
  const int m = 5, n = 4, k = 6, lda = 9, ldb = 8, ldd = 7;
  const int kinds[] = {HIPBLASLT_EPILOGUE_DEFAULT, HIPBLASLT_EPILOGUE_RELU_BIAS, HIPBLASLT_EPILOGUE_GELU_AUX_BIAS,
                       HIPBLASLT_EPILOGUE_DGELU, HIPBLASLT_EPILOGUE_DGELU_BGRAD, HIPBLASLT_EPILOGUE_BGRADA,
                       HIPBLASLT_EPILOGUE_BGRADB, HIPBLASLT_EPILOGUE_GELU};
  for (int transposed = 0; transposed < 4; transposed++)
    for (const int kind : kinds) {
      const bool at = transposed & 1, bt = transposed & 2;
      const int batches = kind <= HIPBLASLT_EPILOGUE_RELU_BIAS ? 2 : 1;
      const int64_t a_size = lda * (at ? m : k), b_size = ldb * (bt ? k : n), d_size = ldd * n;
      Array<In> a(batches * a_size, 1, 0.25), b(batches * b_size, 2, 0.25);
      Array<Out> d(batches * d_size, 3, 0.25), c(batches * d_size, 4, 0.25), bias(8, 5, 0.25), aux(d_size, 6, 0.25);
      Multiply one(compute, HIP_R_32F, in, out, m, n, k, at, bt, lda, ldb, ldd);
      CHECK(one.made);
      const uint32_t epilogue = kind;
      const int64_t aux_ld = ldd;
      CHECK(hipblasLtMatmulDescSetAttribute(one.desc, HIPBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue));
      CHECK(hipblasLtMatmulDescSetAttribute(one.desc, HIPBLASLT_MATMUL_DESC_BIAS_POINTER, &bias.there, sizeof(void *)));
      CHECK(hipblasLtMatmulDescSetAttribute(one.desc, HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &aux.there, sizeof(void *)));
      CHECK(hipblasLtMatmulDescSetAttribute(one.desc, HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &aux_ld, sizeof aux_ld));
      const int64_t sizes[] = {a_size, b_size, d_size};
      const hipblasLtMatrixLayout_t layouts[] = {one.a, one.b, one.d};
      for (int i = 0; i < 3; i++) {
        CHECK(hipblasLtMatrixLayoutSetAttribute(layouts[i], HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batches, 4));
        CHECK(hipblasLtMatrixLayoutSetAttribute(layouts[i], HIPBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &sizes[i], 8));
      }
      hipblasLtMatmulPreference_t preference;
      hipblasLtMatmulHeuristicResult_t found;
      int count = 0;
      CHECK(hipblasLtMatmulPreferenceCreate(&preference));
      CHECK(hipblasLtMatmulAlgoGetHeuristic(blas, one.desc, one.a, one.b, one.d, one.d, preference, 1, &found, &count));
      CHECK(hipblasLtMatmulPreferenceDestroy(preference));
      const float alpha = 2, beta = kind == HIPBLASLT_EPILOGUE_DEFAULT ? 0.5f : 0;
      CHECK(count != 1);
      CHECK(hipblasLtMatmul(blas, one.desc, &alpha, a.there, one.a, b.there, one.b, &beta, c.there, one.d, d.there, one.d,
                            &found.algo, nullptr, 0, nullptr));
      const std::vector<Out> got = d.back(), kept = aux.back(), sums = bias.back();
      auto A = [&](int batch, int row, int i) { return value(a.here[batch * a_size + (at ? i + row * lda : row + i * lda)]); };
      auto B = [&](int batch, int i, int column) {
        return value(b.here[batch * b_size + (bt ? column + i * ldb : i + column * ldb)]);
      };
      double by_row[8] = {}, of_a[8] = {}, of_b[8] = {};
      auto wrong = [](double got, double want) { return !(std::abs(got - want) <= 0.02 * std::abs(want) + 0.01); };
      for (int batch = 0; batch < batches; batch++)
        for (int column = 0; column < n; column++)
          for (int row = 0; row < ldd; row++) {
            const int place = batch * d_size + row + column * ldd;
            double want = value(d.here[place]), before = value(aux.here[row + column * ldd]);
            if (row < m) {
              want = beta * value(c.here[place]);
              for (int i = 0; i < k; i++) want += alpha * A(batch, row, i) * B(batch, i, column);
              if (kind & 4) want += value(bias.here[row]);
              if (kind == HIPBLASLT_EPILOGUE_GELU_AUX_BIAS) before = want;
              if (kind & 64) want *= slope(before);
              else if (kind & 32) want = gelu(want);
              if (kind & 2) want = want > 0 ? want : 0;
              by_row[row] += want;
            }
            if (wrong(value(got[place]), want)) return printf("%d %d: %g, not %g\n", kind, place, value(got[place]), want), 1;
            if (wrong(value(kept[row + column * ldd]), before)) return printf("%d: aux\n", kind), 1;
          }
      for (int i = 0; i < k; i++) {
        for (int row = 0; row < m; row++) of_a[row] += A(0, row, i);
        for (int column = 0; column < n; column++) of_b[column] += B(0, i, column);
      }
      const double *expected = kind & 16 ? by_row : kind & 256 ? of_a : kind & 512 ? of_b : nullptr;
      for (int i = 0; i < (kind & 512 ? n : m); i++)
        if (wrong(value(sums[i]), expected ? expected[i] : value(bias.here[i]))) return printf("%d: bias %d\n", kind, i), 1;
    }
  return 0;
}

int bytes(hipblasLtHandle_t blas) {
  const int m = 3, n = 2, k = 8;
  Array<int8_t> a(m * k, 1, 9), b(k * n, 2, 9);
  Array<int> d(m * n, 3);
  Multiply one(HIPBLAS_COMPUTE_32I, HIP_R_32I, HIP_R_8I, HIP_R_32I, m, n, k, true, false, k, k, m);
  const int alpha = 3, beta = 0;
  CHECK(hipblasLtMatmul(blas, one.desc, &alpha, a.there, one.a, b.there, one.b, &beta, d.there, one.d, d.there, one.d, nullptr,
                        nullptr, 0, nullptr));
  const std::vector<int> got = d.back();
  for (int i = 0; i < m * n; i++) {
    int want = 0;
    for (int x = 0; x < k; x++) want += a.here[i % m * k + x] * b.here[i / m * k + x];
    if (got[i] != 3 * want) return printf("bytes %d: %d, not %d\n", i, got[i], 3 * want), 1;
  }
  return 0;
}

int refused(hipblasLtHandle_t blas) {
  Array<__half> x(64, 1);
  const float one = 1;
  auto status = [&](Multiply &call) {
    return hipblasLtMatmul(blas, call.desc, &one, x.there, call.a, x.there, call.b, &one, x.there, call.d, x.there, call.d,
                           nullptr, nullptr, 0, nullptr);
  };
  Multiply halves(HIPBLAS_COMPUTE_16F, HIP_R_16F, HIP_R_16F, HIP_R_16F, 4, 4, 4, false, false, 4, 4, 4);
  Multiply doubles(HIPBLAS_COMPUTE_64F, HIP_R_64F, HIP_R_64F, HIP_R_64F, 4, 4, 4, false, false, 4, 4, 4);
  Multiply narrow(HIPBLAS_COMPUTE_32F, HIP_R_32F, HIP_R_16F, HIP_R_16F, 4, 4, 4, false, false, 3, 4, 4);
  Multiply by_rows(HIPBLAS_COMPUTE_32F, HIP_R_32F, HIP_R_16F, HIP_R_16F, 4, 4, 4, false, false, 4, 4, 4);
  const int32_t order = HIPBLASLT_ORDER_ROW;
  CHECK(hipblasLtMatrixLayoutSetAttribute(by_rows.a, HIPBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
  int32_t read = -1;
  size_t size = 0;
  CHECK(hipblasLtMatrixLayoutGetAttribute(by_rows.a, HIPBLASLT_MATRIX_LAYOUT_ORDER, &read, sizeof read, &size));
  CHECK(read != order || size != 4);
  CHECK(hipblasLtMatrixLayoutSetAttribute(by_rows.a, HIPBLASLT_MATRIX_LAYOUT_ROWS, &order, 4) != HIPBLAS_STATUS_INVALID_VALUE);
  CHECK(status(halves) != HIPBLAS_STATUS_NOT_SUPPORTED);
  CHECK(status(doubles) != HIPBLAS_STATUS_NOT_SUPPORTED);
  CHECK(status(narrow) != HIPBLAS_STATUS_INVALID_VALUE);
  CHECK(status(by_rows) != HIPBLAS_STATUS_NOT_SUPPORTED);
  return 0;
}

int main() {
  hipblasLtHandle_t blas;
  CHECK(hipblasLtCreate(&blas));
  CHECK((product<__half, __half>(blas, HIP_R_16F, HIP_R_16F, HIPBLAS_COMPUTE_32F)));
  CHECK((product<__hip_bfloat16, float>(blas, HIP_R_16BF, HIP_R_32F, HIPBLAS_COMPUTE_32F)));
  CHECK((product<float, float>(blas, HIP_R_32F, HIP_R_32F, HIPBLAS_COMPUTE_32F_FAST_TF32)));
  CHECK(bytes(blas));
  CHECK(refused(blas));
  CHECK(hipblasLtDestroy(blas));
  puts("all good");
}
