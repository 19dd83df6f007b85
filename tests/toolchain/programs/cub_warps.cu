// CUB's warp-wide classes without a width, in every spelling, on blocks of 64 threads: two warps of 32.
#include <cub/cub.cuh>

#include <cstdio>
#include <utility>
#include <vector>

using cub::WarpScan;
template <class T>
using Sums = cub::WarpReduce<T>;
template <template <class, int> class Reduce>
struct Chosen {
  typedef Reduce<int, 32> type;
};
#define REDUCE cub::WarpReduce
#define SCAN(T) cub::WarpScan<T>

template <class T>
__device__ T warp_sum(T value) {
  __shared__ typename cub::WarpReduce<T>::TempStorage room[2];
  return cub::WarpReduce<T>(room[threadIdx.x / 32]).Sum(value);
}

template <class Reduce>
__device__ int reduced(int value) {
  __shared__ typename Reduce::TempStorage room[2];
  return Reduce(room[threadIdx.x / 32]).Sum(value);
}

__global__ void sums(int *out) {
  const int t = threadIdx.x, value = t + 1;
  int all = 0, inclusive = 0, o = 0;
  auto put = [&](int x) { out[64 * o++ + t] = x; };
  put(warp_sum(value));
  put(reduced<Sums<int>>(value));
  put(reduced<REDUCE<int>>(value));
  put(reduced<Chosen<cub::WarpReduce>::type>(value));
  put(reduced<std::pair<int, cub::WarpReduce<int>>::second_type>(value));
  typedef WarpScan<int> Scan;
  __shared__ Scan::TempStorage scan[2];
  Scan(scan[t / 32]).InclusiveSum(value, inclusive, all);
  put(inclusive), put(all);
  __shared__ SCAN(int)::TempStorage other[2];
  SCAN(int)(other[t / 32]).ExclusiveSum(value, inclusive);
  put(inclusive);
  put(int(cub::LaneId())), put(int(cub::WarpId())), put(CUB_PTX_WARP_THREADS), put(CUB_WARP_THREADS(0));
}

__global__ void items(const int *in, int *out) {
  using Load = cub::WarpLoad<int, 2>;
  using Exchange = cub::WarpExchange<int, 2>;
  using Sort = cub::WarpMergeSort<int, 2>;
  using Store = cub::WarpStore<int, 2, cub::WARP_STORE_STRIPED>;
  __shared__ Load::TempStorage load[2];
  __shared__ Exchange::TempStorage exchange[2];
  __shared__ Sort::TempStorage sort[2];
  __shared__ Store::TempStorage store[2];
  const int w = threadIdx.x / 32;
  int item[2];
  Load(load[w]).Load(in + 64 * w, item);
  Exchange(exchange[w]).BlockedToStriped(item, item);
  Store(store[w]).Store(out + 64 * w, item);  // as they were
  Sort(sort[w]).Sort(item, [](int a, int b) { return a > b; });
  Store(store[w]).Store(out + 128 + 64 * w, item);
}

int main() {
  int *out, *in, *moved;
  CubDebugExit(cudaMalloc(&out, 12 * 64 * sizeof(int)));
  CubDebugExit(cudaMalloc(&in, 128 * sizeof(int)));
  CubDebugExit(cudaMalloc(&moved, 256 * sizeof(int)));
  std::vector<int> h(12 * 64), numbers(128), m(256);
  for (int i = 0; i < 128; ++i) numbers[i] = i * 37 % 128;
  cudaMemcpy(in, numbers.data(), 512, cudaMemcpyHostToDevice);
  sums<<<1, 64>>>(out);
  items<<<CUB_QUOTIENT_CEILING(1, 64), CUB_ROUND_UP_NEAREST(33, 32)>>>(in, moved);
  cudaMemcpy(h.data(), out, h.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(m.data(), moved, m.size() * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 12; ++i) std::printf("%d: %d %d\n", i, h[64 * i], h[64 * i + (i < 5 ? 32 : 63)]);
  bool same = true, sorted = true;
  for (int i = 0; i < 128; ++i) same = same && m[i] == numbers[i];
  for (int w = 0; w < 2; ++w)
    for (int t = 0; t < 32; ++t) {  // striped: item 0 of lane t, then item 1
      sorted = sorted && m[128 + 64 * w + t] > m[128 + 64 * w + 32 + t];
      sorted = sorted && (t == 31 || m[128 + 64 * w + 32 + t] > m[128 + 64 * w + t + 1]);
    }
  std::printf("same %d sorted %d\n", same, sorted);
}
