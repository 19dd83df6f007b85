// C = A * B^T in bf16 with f32 accumulation: A and B go through LDS, 64 x 64 of C a workgroup of four waves.
#include <hip/hip_runtime.h>

typedef short bf16x4 __attribute__((ext_vector_type(4)));
typedef float f32x16 __attribute__((ext_vector_type(16)));

constexpr int TILE = 64, DEPTH = 32, PAD = 4;

extern "C" __global__ void __launch_bounds__(256) staged_gemm(const short *a, const short *b, float *c, int n, int k) {
  __shared__ short tile_a[TILE][DEPTH + PAD], tile_b[TILE][DEPTH + PAD];
  const int lane = threadIdx.x % 64, wave = threadIdx.x / 64;
  const int row = threadIdx.x / 4, column = threadIdx.x % 4 * 8;
  const short *from_a = a + (blockIdx.y * TILE + row) * k + column;
  const short *from_b = b + (blockIdx.x * TILE + row) * k + column;
  f32x16 sum = {};
  for (int at = 0; at < k; at += DEPTH) {
    const bf16x4 a0 = *(const bf16x4 *)(from_a + at), a1 = *(const bf16x4 *)(from_a + at + 4);
    const bf16x4 b0 = *(const bf16x4 *)(from_b + at), b1 = *(const bf16x4 *)(from_b + at + 4);
    *(bf16x4 *)&tile_a[row][column] = a0;
    *(bf16x4 *)&tile_a[row][column + 4] = a1;
    *(bf16x4 *)&tile_b[row][column] = b0;
    *(bf16x4 *)&tile_b[row][column + 4] = b1;
    __syncthreads();
    for (int step = 0; step < DEPTH; step += 8) {
      const bf16x4 x = *(const bf16x4 *)&tile_a[wave / 2 * 32 + lane % 32][step + lane / 32 * 4];
      const bf16x4 y = *(const bf16x4 *)&tile_b[wave % 2 * 32 + lane % 32][step + lane / 32 * 4];
      sum = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(x, y, sum, 0, 0, 0);
    }
    __syncthreads();
  }
  float *to = c + (blockIdx.y * TILE + wave / 2 * 32) * n + blockIdx.x * TILE + wave % 2 * 32 + lane % 32;
  for (int i = 0; i < 16; i++) to[(i / 4 * 8 + lane / 32 * 4 + i % 4) * n] = sum[i];
}
