// Products whose type of sums is given as a type of data, as cuBLAS 10 asked for it.
#include <cublas_v2.h>
#include <cuda_fp16.h>

#include <cstdio>
#include <vector>

constexpr int n = 16, batches = 3, all = n * n * batches;

int main() {
  std::vector<float> a(all), b(all), c(all);
  for (int i = 0; i < all; i++) a[i] = float(i % 7) - 3, b[i] = float(i % 5) - 2;
  std::vector<half> half_a(all), half_b(all);
  for (int i = 0; i < all; i++) half_a[i] = __float2half(a[i]), half_b[i] = __float2half(b[i]);
  half *in_a, *in_b;
  float* out;
  void** pointers;
  cudaMalloc(&in_a, all * sizeof(half));
  cudaMalloc(&in_b, all * sizeof(half));
  cudaMalloc(&out, all * sizeof(float));
  cudaMalloc(&pointers, 3 * batches * sizeof(void*));
  cudaMemcpy(in_a, half_a.data(), all * sizeof(half), cudaMemcpyHostToDevice);
  cudaMemcpy(in_b, half_b.data(), all * sizeof(half), cudaMemcpyHostToDevice);
  void* each[3 * batches];
  for (int i = 0; i < batches; i++) {
    each[i] = in_a + i * n * n, each[batches + i] = in_b + i * n * n, each[2 * batches + i] = out + i * n * n;
  }
  cudaMemcpy(pointers, each, sizeof each, cudaMemcpyHostToDevice);

  cublasHandle_t handle;
  cublasCreate(&handle);
  const float one = 1, zero = 0;
  int wrong = 0;
  for (int way = 0; way < 3; way++) {
    cudaMemset(out, 0, all * sizeof(float));
    cublasStatus_t status;
    if (way == 0) {
      status = cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, in_a, CUDA_R_16F, n, in_b, CUDA_R_16F, n,
                            &zero, out, CUDA_R_32F, n, CUDA_R_32F, CUBLAS_GEMM_DEFAULT);
    } else if (way == 1) {
      status = cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, in_a, CUDA_R_16F, n, n * n,
                                          in_b, CUDA_R_16F, n, n * n, &zero, out, CUDA_R_32F, n, n * n, batches,
                                          CUDA_R_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP);
    } else {
      status = cublasGemmBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, pointers, CUDA_R_16F, n,
                                   pointers + batches, CUDA_R_16F, n, &zero, pointers + 2 * batches, CUDA_R_32F, n,
                                   batches, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    }
    wrong += status != CUBLAS_STATUS_SUCCESS;
    cudaMemcpy(c.data(), out, all * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < (way ? all : n * n); i++) {
      const int batch = i / (n * n), row = i % n, column = i / n % n;
      float sum = 0;
      for (int k = 0; k < n; k++) sum += a[batch * n * n + k * n + row] * b[batch * n * n + column * n + k];
      wrong += sum != c[i];
    }
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
