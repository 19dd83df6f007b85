// Rows are normalised by their root mean square, scaled and stored as OCP fp8; the sum of two inputs is kept.
#include <hip/hip_fp16.h>
#include <porter/fp8_types.h>
#include <hip/hip_runtime.h>

constexpr int THREADS = 256;

__device__ float block_sum(float value) {
  __shared__ float parts[THREADS / 64];
  for (int offset = 32; offset > 0; offset /= 2) value += __shfl_xor(value, offset);
  if (threadIdx.x % 64 == 0) parts[threadIdx.x / 64] = value;
  __syncthreads();
  value = 0.0f;
  for (int i = 0; i < THREADS / 64; i++) value += parts[i];
  return value;
}

__global__ __launch_bounds__(THREADS) void quantize_kernel(const __half *__restrict__ x, __half *__restrict__ residual,
                                                           const __half *__restrict__ weight,
                                                           porter::fp8_e4m3 *__restrict__ out, int columns, float scale,
                                                           float eps) {
  const size_t start = (size_t)blockIdx.x * columns;
  float squares = 0.0f;
  for (int c = threadIdx.x; c < columns; c += THREADS) {
    const float value = __half2float(x[start + c]) + __half2float(residual[start + c]);
    squares += value * value;
  }
  const float factor = rsqrtf(block_sum(squares) / columns + eps) * scale;
  for (int c = threadIdx.x; c < columns; c += THREADS) {
    const float value = __half2float(x[start + c]) + __half2float(residual[start + c]);
    residual[start + c] = __float2half(value);
    out[start + c] = porter::fp8_e4m3(value * factor * __half2float(weight[c]));
  }
}

extern "C" hipError_t quantize(const __half *x, __half *residual, const __half *weight, porter::fp8_e4m3 *out, int rows,
                               int columns, float scale, float eps, hipStream_t stream) {
  quantize_kernel<<<rows, THREADS, 0, stream>>>(x, residual, weight, out, columns, scale, eps);
  return hipGetLastError();
}
