// Blocks of 1024 threads that all wait for their copies: mbarriers, bulk and tensor copies in PTX, and no roles.
#include <cuda.h>
#include <cuda_runtime.h>
#include <cmath>
#include <cstdint>
#include <cstdio>

constexpr int kThreads = 1024, kRows = 7, kColumns = 2000, kTile = 32;

__device__ uint32_t place(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ void wait(uint64_t *bar, uint32_t phase) {
  asm volatile(
      "{\n.reg .pred over;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n@!over bra again;\n}"
      ::"r"(place(bar)), "r"(phase) : "memory");
}

__device__ void expect(uint64_t *bar, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(place(bar)), "r"(bytes) : "memory");
}

__device__ float sum_of_block(float value, float *parts) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = parts[threadIdx.x % 32];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

// Rows scaled to a mean square of one, each brought and taken away by one bulk copy.
__global__ void __launch_bounds__(kThreads) rms_norm(const float *in, float *out) {
  __shared__ __align__(128) float row[kColumns];
  __shared__ float parts[32];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(&bar)));
  __syncthreads();
  uint32_t phase = 0;
  for (int r = blockIdx.x; r < kRows; r += gridDim.x, phase ^= 1) {
    if (threadIdx.x == 0) {
      expect(&bar, sizeof(row));
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(place(row)),
                   "l"(in + r * kColumns), "r"(int(sizeof(row))), "r"(place(&bar)) : "memory");
    }
    wait(&bar, phase);
    float squares = 0;
    for (int i = threadIdx.x; i < kColumns; i += kThreads) squares += row[i] * row[i];
    const float scale = rsqrtf(sum_of_block(squares, parts) / kColumns);
    for (int i = threadIdx.x; i < kColumns; i += kThreads) row[i] *= scale;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + r * kColumns), "r"(place(row)),
                   "r"(int(sizeof(row))) : "memory");
      asm volatile("cp.async.bulk.commit_group;");
      asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
    __syncthreads();
  }
}

// A tile a block, one element a thread; beyond the edges there are zeros.
__global__ void __launch_bounds__(kThreads) transpose(const __grid_constant__ CUtensorMap map, float *out, int rows) {
  __shared__ __align__(128) float tile[kTile][kTile];
  __shared__ uint64_t bar;
  const int row0 = blockIdx.y * kTile, column0 = blockIdx.x * kTile;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(&bar)));
    asm volatile("fence.mbarrier_init.release.cluster;");
    expect(&bar, sizeof(tile));
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 ::"r"(place(tile)), "l"(&map), "r"(column0), "r"(row0), "r"(place(&bar)) : "memory");
  }
  __syncthreads();
  wait(&bar, 0);
  out[(column0 + threadIdx.x / kTile) * rows + row0 + threadIdx.x % kTile] = tile[threadIdx.x % kTile][threadIdx.x / kTile];
}

int main() {
  float *in, *out;
  const int tall = (kRows + kTile - 1) / kTile * kTile, wide = (kColumns + kTile - 1) / kTile * kTile;
  cudaMallocManaged(&in, kRows * kColumns * sizeof(float));
  cudaMallocManaged(&out, tall * wide * sizeof(float));
  for (int i = 0; i < kRows * kColumns; ++i) in[i] = i * 37 % 101 / 50.0f - 1;

  rms_norm<<<3, kThreads>>>(in, out);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int r = 0; r < kRows; ++r) {
    double squares = 0;
    for (int i = 0; i < kColumns; ++i) squares += double(in[r * kColumns + i]) * in[r * kColumns + i];
    for (int i = 0; i < kColumns; ++i)
      wrong += !(fabs(out[r * kColumns + i] - in[r * kColumns + i] / sqrt(squares / kColumns)) < 1e-5);
  }
  printf("rms_norm: %d wrong\n", wrong);

  CUtensorMap map;
  const cuuint64_t sizes[2] = {kColumns, kRows}, strides[1] = {kColumns * sizeof(float)};
  const cuuint32_t box[2] = {kTile, kTile}, steps[2] = {1, 1};
  cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, in, sizes, strides, box, steps,
                         CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                         CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  transpose<<<dim3(wide / kTile, tall / kTile), kThreads>>>(map, out, tall);
  cudaDeviceSynchronize();
  wrong = 0;
  for (int c = 0; c < wide; ++c)
    for (int r = 0; r < tall; ++r)
      wrong += out[c * tall + r] != (r < kRows && c < kColumns ? in[r * kColumns + c] : 0);
  printf("transpose: %d wrong\n", wrong);
}
