// C = alpha * A * B^T + beta * C in bf16, through LDS in 32 x 32 tiles: small, but with everything to get wrong.
#include <hip/hip_bf16.h>
#include <hip/hip_runtime.h>

constexpr int TILE = 32, ROWS = 8;

__global__ __launch_bounds__(TILE *ROWS) void gemm_kernel(const __hip_bfloat16 *__restrict__ A,
                                                          const __hip_bfloat16 *__restrict__ B,
                                                          __hip_bfloat16 *__restrict__ C, float *__restrict__ row_max,
                                                          int m, int n, int k, float alpha) {
  __shared__ float a_tile[TILE][TILE + 1];
  __shared__ float b_tile[TILE][TILE + 1];
  __shared__ float peak[TILE][TILE + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * TILE + x, first = blockIdx.y * TILE;
  float sum[TILE / ROWS] = {};
  for (int from = 0; from < k; from += TILE) {
    for (int r = y; r < TILE; r += ROWS) {
      const int row = first + r, other = blockIdx.x * TILE + r, depth = from + x;
      a_tile[r][x] = row < m && depth < k ? __bfloat162float(A[(size_t)row * k + depth]) : 0.0f;
      b_tile[r][x] = other < n && depth < k ? __bfloat162float(B[(size_t)other * k + depth]) : 0.0f;
    }
    __syncthreads();
    for (int part = 0; part < TILE / ROWS; part++)
      for (int i = 0; i < TILE; i++) sum[part] += a_tile[y + part * ROWS][i] * b_tile[x][i];
    __syncthreads();
  }
  for (int part = 0; part < TILE / ROWS; part++) {
    const int r = y + part * ROWS, row = first + r;
    const float value = alpha * sum[part];
    peak[r][x] = column < n ? value : -INFINITY;
    if (row < m && column < n) C[(size_t)row * n + column] = __float2bfloat16(value);
  }
  __syncthreads();
  if (y == 0 && first + x < m) {
    float most = peak[x][0];
    for (int i = 1; i < TILE; i++) most = fmaxf(most, peak[x][i]);
    row_max[(size_t)blockIdx.x * m + first + x] = most;
  }
}

extern "C" hipError_t gemm(const __hip_bfloat16 *A, const __hip_bfloat16 *B, __hip_bfloat16 *C, float *row_max, int m,
                           int n, int k, float alpha, hipStream_t stream) {
  const dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), block(TILE, ROWS);
  gemm_kernel<<<grid, block, 0, stream>>>(A, B, C, row_max, m, n, k, alpha);
  return hipGetLastError();
}
