// Tensor maps and bulk copies through <cuda/barrier>: one thread copies, all wait, the block changes a tile in place.
#include <cuda.h>
#include <cuda/barrier>
#include <cstdio>
#include <utility>

#pragma nv_diag_suppress static_var_with_dynamic_init

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

constexpr int kRows = 8, kCols = 32;

__global__ void add_one(const __grid_constant__ CUtensorMap map, int x, int y) {
  __shared__ alignas(128) int tile[kRows][kCols];
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_global_to_shared(&tile, &map, x + blockIdx.x * kCols, y, bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(tile));
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  for (int i = threadIdx.x; i < kRows * kCols; i += blockDim.x) tile[i / kCols][i % kCols] += 1;
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  if (threadIdx.x == 0) {
    cde::cp_async_bulk_tensor_2d_shared_to_global(&map, x + blockIdx.x * kCols, y, &tile);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
    (&bar)->~barrier();
  }
}

__global__ void scaled(const int *in, int *out, int n) {
  __shared__ alignas(16) int part[256];
  __shared__ barrier bar;
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  for (int first = blockIdx.x * 256; first < n; first += gridDim.x * 256) {
    if (threadIdx.x == 0) {
      cuda::device::memcpy_async_tx(part, in + first, cuda::aligned_size_t<16>(sizeof(part)), bar);
      cuda::device::barrier_expect_tx(bar, sizeof(part));
    }
    bar.arrive_and_wait();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) part[i] *= 3;
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_shared_to_global(out + first, part, sizeof(part));
      cde::cp_async_bulk_commit_group();
      cde::cp_async_bulk_wait_group_read<0>();
    }
    __syncthreads();
  }
}

int main() {
  const int width = 96, height = 20, n = width * height;
  static int host[n], got[n];
  for (int i = 0; i < n; ++i) host[i] = i * 7;
  int *matrix;
  cudaMalloc(&matrix, sizeof host);
  cudaMemcpy(matrix, host, sizeof host, cudaMemcpyHostToDevice);
  CUtensorMap map;
  cuuint64_t sizes[] = {width, height}, strides[] = {width * sizeof(int)};
  cuuint32_t box[] = {kCols, kRows}, steps[] = {1, 1};
  cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, matrix, sizes, strides, box, steps,
                         CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                         CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  add_one<<<2, 128>>>(map, 32, 16);
  cudaMemcpy(got, matrix, sizeof host, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += got[i] != host[i] + (i / width >= 16 && i % width >= 32);
  printf("add_one: %d wrong\n", wrong);

  int *out;
  cudaMalloc(&out, 4 * 1536);
  scaled<<<2, 64>>>(matrix, out, 1536);
  static int tripled[1536];
  cudaMemcpy(tripled, out, sizeof tripled, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < 1536; ++i) bad += tripled[i] != 3 * got[i];
  printf("scaled: %d wrong\n", bad);
  return wrong + bad != 0;
}
