// Row sums of a matrix: one block a row, partial sums by warp shuffles, one partial a warp in shared memory.
//
// The usual two-stage reduction of CUDA code, with everything in it that depends on 32 lanes: the shuffle
// offsets, the lane and warp numbers, the size of the array of partials, and a ballot.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                              \
  do {                                                                                           \
    cudaError_t error = (call);                                                                  \
    if (error != cudaSuccess) {                                                                  \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));       \
      std::exit(1);                                                                              \
    }                                                                                            \
  } while (0)

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr unsigned kFullMask = 0xffffffffu;

__device__ __forceinline__ float warp_sum(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) value += __shfl_down_sync(kFullMask, value, offset);
  return value;
}

__global__ void __launch_bounds__(kThreads, 8)
    row_sums(const float* __restrict__ in, float* __restrict__ out, int* __restrict__ negatives, int columns) {
  __shared__ float partial[kWarps];
  __shared__ int below_zero;
  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;
  const float* row = in + static_cast<size_t>(blockIdx.x) * columns;

  if (threadIdx.x == 0) below_zero = 0;
  __syncthreads();

  float sum = 0.0f;
  for (int base = 0; base < columns; base += kThreads) {
    const int column = base + threadIdx.x;
    const float value = column < columns ? row[column] : 0.0f;
    sum += value;
    const unsigned votes = __ballot_sync(kFullMask, value < 0.0f);
    if (lane == 0 && votes != 0) atomicAdd(&below_zero, __popc(votes));
  }

  sum = warp_sum(sum);
  if (lane == 0) partial[warp] = sum;
  __syncthreads();

  if (warp == 0) {
    sum = lane < kWarps ? partial[lane] : 0.0f;
    sum = warp_sum(sum);
    if (lane == 0) {
      out[blockIdx.x] = sum;
      negatives[blockIdx.x] = below_zero;
    }
  }
}

extern "C" cudaError_t warp_reduce_rows(const float* matrix, float* out, int* negatives, int rows, int columns,
                                        cudaStream_t stream) {
  if (rows == 0) return cudaSuccess;
  row_sums<<<rows, kThreads, 0, stream>>>(matrix, out, negatives, columns);
  return cudaGetLastError();
}

int main() {
  const int rows = 37, columns = 1000;
  std::vector<float> in(rows * columns);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(static_cast<int>(i * 7919 % 17) - 8);

  float *d_in, *d_out;
  int* d_negatives;
  CHECK(cudaMalloc(&d_in, in.size() * sizeof(float)));
  CHECK(cudaMalloc(&d_out, rows * sizeof(float)));
  CHECK(cudaMalloc(&d_negatives, rows * sizeof(int)));
  CHECK(cudaMemcpy(d_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(warp_reduce_rows(d_in, d_out, d_negatives, rows, columns, nullptr));

  std::vector<float> out(rows);
  std::vector<int> negatives(rows);
  CHECK(cudaMemcpy(out.data(), d_out, rows * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(negatives.data(), d_negatives, rows * sizeof(int), cudaMemcpyDeviceToHost));

  int wrong = 0;
  for (int r = 0; r < rows; ++r) {
    float sum = 0.0f;
    int below = 0;
    for (int c = 0; c < columns; ++c) {
      sum += in[r * columns + c];
      below += in[r * columns + c] < 0.0f;
    }
    wrong += sum != out[r] || below != negatives[r];  // small whole numbers: float sums are exact
  }
  std::printf("%s\n", wrong == 0 ? "PASS" : "FAIL");
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  CHECK(cudaFree(d_negatives));
  return wrong != 0;
}
