// A library's kernels beside one whose warps have roles: theirs have no mirrors.
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/scan.h>

#include <cstdio>

__global__ void fill(int *x) {
  asm volatile("wgmma.fence.sync.aligned;");
  x[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
}

int main() {
  thrust::device_vector<int> numbers(1024), sums(1024), all(1);
  int *x = thrust::raw_pointer_cast(numbers.data()), *y = thrust::raw_pointer_cast(all.data());
  fill<<<8, 128>>>(x);
  void *room = nullptr;
  size_t size = 0;
  cub::DeviceReduce::Sum(room, size, x, y, 1024);
  cudaMalloc(&room, size);
  cub::DeviceReduce::Sum(room, size, x, y, 1024);
  thrust::inclusive_scan(numbers.begin(), numbers.end(), sums.begin());
  std::printf("%d %d %d\n", int(all[0]), int(sums[1]), int(sums[1023]));
}
