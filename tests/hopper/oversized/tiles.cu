#include <cstdio>
#include <vector>
#include "kittens.cuh"
using namespace kittens;

// c = (a b^T) times a factor of each row: 72 KiB of operands, and 64 KiB for the result.
using part = st_bf<64, 64>;
using whole = st_fl<128, 128>;
struct globals {
  gl<bf16, 1, 1, 128, -1, part> a, b;
  gl<float, 1, 1, 1, 128> factors;
  gl<float, 1, 1, 128, 128, whole> c;
};
constexpr int kShared = 8 * sizeof(part) + sizeof(whole) + sizeof(sv_fl<128>) + 4096;

__global__ __launch_bounds__(2 * WARPGROUP_THREADS) void product(const __grid_constant__ globals g) {
  extern __shared__ int memory[];
  tma_swizzle_allocator allocator(&memory[0]);
  part(&a)[2][2] = allocator.allocate<part, 2, 2>();  // stage, half
  part(&b)[2][2] = allocator.allocate<part, 2, 2>();
  whole &c = allocator.allocate<whole>();
  sv_fl<128> &factors = allocator.allocate<sv_fl<128>>();
  __shared__ semaphore arrived[2];
  if (threadIdx.x == 0) init_semaphore(arrived[0], 0, 1), init_semaphore(arrived[1], 0, 1);
  group<8>::load(factors, g.factors, {0});
  __syncthreads();
  rt_fl<16, 64> sums[2];
  warp::zero(sums[0]), warp::zero(sums[1]);
  for (int step = 0; step < g.a.cols() / 64; ++step) {
    const int stage = step % 2;
    if (warpid() == 0) {
      warp::tma::expect_bytes(arrived[stage], 4 * sizeof(part));
      warp::tma::load_async(a[stage][0], g.a, {0, step}, arrived[stage]);
      warp::tma::load_async(a[stage][1], g.a, {1, step}, arrived[stage]);
      if (laneid() == 0)
        for (int half = 0; half < 2; ++half) tma::load_async(b[stage][half], g.b, {half, step}, arrived[stage]);
    }
    wait(arrived[stage], step / 2 % 2);
    for (int half = 0; half < 2; ++half) warpgroup::mma_ABt(sums[half], a[stage][warpgroup::groupid()], b[stage][half]);
    warpgroup::mma_async_wait();
    __syncthreads();
  }
  for (int half = 0; half < 2; ++half) {
    auto mine = c.subtile<64, 64>({warpgroup::groupid(), half});
    warpgroup::store(mine, sums[half]);
  }
  __syncthreads();
  group<8>::mul_row(c, c, factors);
  __syncthreads();
  if (warpid() == 0) warp::tma::store_async(g.c, c, {0, 0});
}

int main() {
  constexpr int k = 192;
  std::vector<bf16> a(128 * k), b(128 * k);
  std::vector<float> factors(128), c(128 * 128);
  for (int i = 0; i < 128 * k; ++i) a[i] = __float2bfloat16(float(i * 7 % 15 - 7)), b[i] = __float2bfloat16(float(i * 5 % 13 - 6));
  for (int i = 0; i < 128; ++i) factors[i] = i % 5 - 2;
  bf16 *da, *db;
  float *df, *dc;
  cudaMalloc(&da, a.size() * 2), cudaMalloc(&db, b.size() * 2), cudaMalloc(&df, 512), cudaMalloc(&dc, c.size() * 4);
  cudaMemcpy(da, a.data(), a.size() * 2, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), b.size() * 2, cudaMemcpyHostToDevice);
  cudaMemcpy(df, factors.data(), 512, cudaMemcpyHostToDevice);
  const globals g{{da, nullptr, nullptr, nullptr, k}, {db, nullptr, nullptr, nullptr, k}, {df, nullptr, nullptr, nullptr, nullptr},
                  {dc, nullptr, nullptr, nullptr, nullptr}};
  cudaFuncSetAttribute(product, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
  product<<<1, 2 * WARPGROUP_THREADS, kShared>>>(g);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return printf("FAILED\n"), 1;
  cudaMemcpy(c.data(), dc, c.size() * 4, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < 128; ++i)
    for (int j = 0; j < 128; ++j) {
      float sum = 0;
      for (int n = 0; n < k; ++n) sum += __bfloat162float(a[i * k + n]) * __bfloat162float(b[j * k + n]);
      wrong += c[i * 128 + j] != sum * factors[i];
    }
  printf("%s: %d wrong\n", wrong ? "FAILED" : "PASSED", wrong);
  return wrong != 0;
}
