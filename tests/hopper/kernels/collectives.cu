// CUB's reductions and scans in a unit whose warps have roles.
#include <cstdio>
#include <cub/cub.cuh>
#include <cuda_runtime.h>
#include <mma.h>

__global__ void roles(float *out) {
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> c;
  nvcuda::wmma::fill_fragment(c, 0.0f);
  nvcuda::wmma::store_matrix_sync(out, c, 16, nvcuda::wmma::mem_row_major);
}

constexpr int N = 128;

struct First {  // does not commute: the order shows
  __device__ int operator()(int a, int b) const { return a < 0 ? b : a; }
};
struct Running {
  int total;
  __device__ int operator()(int all) {
    const int old = total;
    total += all;
    return old;
  }
};

__global__ void blocks(const int *in, int *out) {
  using Reduce = cub::BlockReduce<int, N>;
  using Rows = cub::BlockReduce<float, N, cub::BLOCK_REDUCE_RAKING>;
  using Scan = cub::BlockScan<int, N>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Rows::TempStorage rows;
    typename Scan::TempStorage scan;
  } room;
  const int t = threadIdx.x;
  int *to = out + t;

  const int sum = Reduce(room.reduce).Sum(in[t]);
  if (t == 0) out[10 * N] = sum;
  __syncthreads();
  const int most = Reduce(room.reduce).Reduce(in[t], cub::Max());
  if (t == 0) out[10 * N + 1] = most;
  __syncthreads();
  const int some = Reduce(room.reduce).Sum(in[t], 45);
  if (t == 0) out[10 * N + 2] = some;
  __syncthreads();
  const int front = Reduce(room.reduce).Reduce(t < 70 ? -1 : t, First());
  if (t == 0) out[10 * N + 3] = front;
  __syncthreads();
  const float pair[2] = {float(t), 0.5f};
  const float both = Rows(room.rows).Sum(pair);
  if (t == 0) out[10 * N + 4] = int(both);
  __syncthreads();

  int total;
  Scan(room.scan).ExclusiveSum(in[t], to[0]);
  __syncthreads();
  Scan(room.scan).InclusiveSum(in[t], to[N], total);
  if (t == 77) out[10 * N + 5] = total;
  __syncthreads();
  int two[2] = {in[t], 1};
  Scan(room.scan).ExclusiveSum(two, two, total);
  to[2 * N] = two[0], to[3 * N] = two[1];
  if (t == 127) out[10 * N + 6] = total;
  __syncthreads();
  Scan(room.scan).ExclusiveScan(in[t], to[4 * N], -5, cub::Max());
  __syncthreads();
  Scan(room.scan).InclusiveScan(in[t], to[5 * N], cub::Max());
  __syncthreads();
  Running running{1000};
  for (int round = 0; round < 2; round++) {
    Scan(room.scan).ExclusiveSum(in[t], to[(6 + round) * N], running);
    __syncthreads();
  }
}

__global__ void warps(const int *in, int *out) {
  using Reduce = cub::WarpReduce<int>;
  using Eight = cub::WarpReduce<int, 8>;
  using Scan = cub::WarpScan<int>;
  __shared__ Reduce::TempStorage reduce[N / 32];
  __shared__ Eight::TempStorage eight[N / 8];
  __shared__ Scan::TempStorage scan[N / 32];
  const int t = threadIdx.x;
  const int sum = Reduce(reduce[t / 32]).Sum(in[t]);
  if (t % 32 == 0) out[t / 32] = sum;
  const int most = Eight(eight[t / 8]).Reduce(in[t], cub::Max());
  if (t % 8 == 0) out[N + t / 8] = most;
  int before, upto, total;
  Scan(scan[t / 32]).ExclusiveSum(in[t], before, total);
  Scan(scan[t / 32]).InclusiveScan(in[t], upto, cub::Max());
  out[2 * N + t] = before, out[3 * N + t] = upto, out[4 * N + t] = total;
}

int wrong = 0;
void expect(int got, int want, const char *what, int at) {
  if (got != want && wrong++ < 10) printf("%s[%d]: %d, not %d\n", what, at, got, want);
}

int main() {
  int *in, *out, host[N], got[11 * N];
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof got);
  for (int i = 0; i < N; i++) host[i] = (i * 37 + 11) % 101;
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  blocks<<<1, N>>>(in, out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  int sum = 0, some = 0, most = -5;
  for (int i = 0; i < N; i++) {
    expect(got[i], sum, "ExclusiveSum", i);
    expect(got[N + i], sum + host[i], "InclusiveSum", i);
    expect(got[2 * N + i], sum + i, "ExclusiveSum of the first of two", i);
    expect(got[3 * N + i], sum + i + host[i], "ExclusiveSum of the second of two", i);
    expect(got[4 * N + i], most, "ExclusiveScan", i);
    expect(got[6 * N + i], 1000 + sum, "ExclusiveSum after a prefix", i);
    sum += host[i], some += i < 45 ? host[i] : 0, most = most < host[i] ? host[i] : most;
    expect(got[5 * N + i], most, "InclusiveScan", i);
  }
  for (int i = 0, before = 1000 + sum; i < N; before += host[i++]) expect(got[7 * N + i], before, "after the next prefix", i);
  const int single[] = {sum, most, some, 70, N * (N - 1) / 2 + N / 2, sum, sum + N};
  for (int i = 0; i < 7; i++) expect(got[10 * N + i], single[i], "of the block", i);

  warps<<<1, N>>>(in, out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  for (int w = 0; w < N / 32; w++) {
    int before = 0, upto = 0;
    for (int i = 32 * w; i < 32 * w + 32; i++) {
      upto = upto < host[i] ? host[i] : upto;
      expect(got[2 * N + i], before, "warp's ExclusiveSum", i);
      expect(got[3 * N + i], upto, "warp's InclusiveScan", i);
      before += host[i];
    }
    expect(got[w], before, "warp's Sum", w);
    for (int i = 32 * w; i < 32 * w + 32; i++) expect(got[4 * N + i], before, "warp's aggregate", i);
    for (int e = 4 * w; e < 4 * w + 4; e++) {
      int high = 0;
      for (int i = 8 * e; i < 8 * e + 8; i++) high = high < host[i] ? host[i] : high;
      expect(got[N + e], high, "Reduce of eight", e);
    }
  }
  printf(wrong ? "FAIL\n" : "PASS\n");
  return wrong != 0;
}
