// Layer normalisation of bf16 rows with weight and bias, written with ThunderKittens: a warp owns a row, cp.async brings
// the next row into a shared vector while this one is worked on in a register vector in f32.

#include "kittens.cuh"

using namespace kittens;

constexpr int kWarps = 4;
constexpr int kThreads = kWarps * WARP_THREADS;

template <int kWidth> struct globals {
  using row = sv_bf<kWidth>;
  using rows = gl<bf16, 1, 1, -1, kWidth>;
  rows x, weight, bias, out;
  float epsilon;
};

template <int kWidth>
__global__ __launch_bounds__(kThreads) void layernorm_kernel(const __grid_constant__ globals<kWidth> g) {
  using row = typename globals<kWidth>::row;
  extern __shared__ alignment_dummy shared[];
  shared_allocator allocator(reinterpret_cast<int *>(&shared[0]));
  row(&x)[kWarps][2] = allocator.template allocate<row, kWarps, 2>();
  row &weight = allocator.template allocate<row>();
  row &bias = allocator.template allocate<row>();

  const int warp_id = kittens::warpid(), first = blockIdx.x * kWarps + warp_id, stride = gridDim.x * kWarps;
  const int rows = g.x.rows();
  if (first < rows) warp::load_async(x[warp_id][0], g.x, {0, 0, first, 0});
  if (warp_id == 0) {
    warp::load(weight, g.weight, {0, 0, 0, 0});
    warp::load(bias, g.bias, {0, 0, 0, 0});
  }
  __syncthreads();

  int now = 0;
  for (int at = first; at < rows; at += stride, now ^= 1) {
    if (at + stride < rows) {
      warp::load_async(x[warp_id][now ^ 1], g.x, {0, 0, at + stride, 0});
      load_async_wait<1>();
    } else {
      load_async_wait<0>();
    }
    __syncwarp();
    rv_fl<kWidth> values, squares, factors;
    warp::load(values, x[warp_id][now]);
    warp::sub(values, values, warp::sum(values) * (1.0f / kWidth));
    warp::mul(squares, values, values);
    warp::mul(values, values, rsqrtf(warp::sum(squares) * (1.0f / kWidth) + g.epsilon));
    warp::load(factors, weight);
    warp::mul(values, values, factors);
    warp::load(factors, bias);
    warp::add(values, values, factors);
    warp::store(g.out, values, {0, 0, at, 0});
    __syncwarp();  // every lane has read the row before the next copy into it
  }
}

template <int kWidth>
cudaError_t launch(const bf16 *x, const bf16 *weight, const bf16 *bias, bf16 *out, int rows, int blocks, float epsilon,
                   cudaStream_t stream) {
  using layout = typename globals<kWidth>::rows;
  const size_t count = rows, one = 1;
  const globals<kWidth> g{
      layout(const_cast<bf16 *>(x), nullptr, nullptr, count, nullptr),
      layout(const_cast<bf16 *>(weight), nullptr, nullptr, one, nullptr),
      layout(const_cast<bf16 *>(bias), nullptr, nullptr, one, nullptr),
      layout(out, nullptr, nullptr, count, nullptr),
      epsilon,
  };
  constexpr int kShared = sizeof(typename globals<kWidth>::row) * (2 * kWarps + 2) + 1024;
  const cudaError_t error =
      cudaFuncSetAttribute(layernorm_kernel<kWidth>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
  if (error != cudaSuccess) return error;
  layernorm_kernel<kWidth><<<blocks, kThreads, kShared, stream>>>(g);
  return cudaGetLastError();
}

// Rows of 512, 1024 or 2048 elements. `blocks` bounds the grid; 0: as many as the rows need.
extern "C" cudaError_t tk_layernorm(const bf16 *x, const bf16 *weight, const bf16 *bias, bf16 *out, int rows, int width,
                                    int blocks, float epsilon, cudaStream_t stream) {
  if (rows <= 0) return cudaErrorInvalidValue;
  const int needed = cdiv(rows, kWarps);
  if (blocks <= 0 || blocks > needed) blocks = needed;
  switch (width) {
    case 512: return launch<512>(x, weight, bias, out, rows, blocks, epsilon, stream);
    case 1024: return launch<1024>(x, weight, bias, out, rows, blocks, epsilon, stream);
    case 2048: return launch<2048>(x, weight, bias, out, rows, blocks, epsilon, stream);
    default: return cudaErrorInvalidValue;
  }
}
