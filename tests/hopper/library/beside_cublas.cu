// A kernel whose threads have mirrors, and a product of a library in the same unit, whose threads have none.
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cublas_v2.h>

#include <cstdio>
#include <vector>

constexpr int M = 64, N = 8, K = 8;

__global__ void product(const half *a, const half *b, float *c) {  // all by rows
  const int g = threadIdx.x / 4, row = blockIdx.x * 16 + g, column = threadIdx.x % 4 * 2;
  const unsigned upper = *(const unsigned *)&a[row * K + column], lower = *(const unsigned *)&a[(row + 8) * K + column];
  const half2 pair = __halves2half2(b[column * N + g], b[(column + 1) * N + g]);
  float d[4];
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %7, %7, %7};"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
               : "r"(upper), "r"(lower), "r"(*(const unsigned *)&pair), "f"(0.f));
  for (int i = 0; i < 4; ++i) c[(row + i / 2 * 8) * N + column + i % 2] = d[i];
}

template <class T> T *on_device(const std::vector<T> &values) {
  T *there;
  cudaMalloc(&there, values.size() * sizeof(T));
  cudaMemcpy(there, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return there;
}

int main() {
  std::vector<half> a(M * K), b(K * N);
  std::vector<float> wide_a(M * K), wide_b(K * N), c(M * N), expected(M * N, -1.f);
  for (int i = 0; i < M * K; ++i) a[i] = __float2half(wide_a[i] = i % 7 - 3.f);
  for (int i = 0; i < K * N; ++i) b[i] = __float2half(wide_b[i] = i % 5 - 2.f);
  float *result = on_device(c), *reference = on_device(expected);
  product<<<M / 16, 32>>>(on_device(a), on_device(b), result);
  cublasHandle_t handle;
  cublasCreate(&handle);
  const float one = 1, zero = 0;
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, M, K, &one, on_device(wide_b), N, on_device(wide_a), K, &zero, reference, N);
  cudaMemcpy(c.data(), result, M * N * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(expected.data(), reference, M * N * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < M * N; ++i) wrong += c[i] != expected[i];
  printf("product: %d wrong\n", wrong);
  return wrong != 0;
}
