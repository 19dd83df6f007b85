// A grid that meets at a barrier, from a cooperative launch: a plain one may not.
#include <hip/hip_cooperative_groups.h>

#include "check.h"

__global__ void rotate(int *x, int rounds) {
  const auto grid = cooperative_groups::this_grid();
  const unsigned count = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < rounds; r++) {
    const int next = x[(i + 1) % count];
    grid.sync();
    x[i] = next;
    grid.sync();
  }
}
__global__ void valid(int *x) { x[0] = cooperative_groups::this_grid().is_valid(); }

int main() {
  const int n = 40 * 64;
  int *x = device<int>(n), rounds = 3;
  static int got[n];
  for (int i = 0; i < n; i++) got[i] = i;
  HIP(hipMemcpy(x, got, sizeof got, hipMemcpyHostToDevice));
  void *arguments[] = {&x, &rounds};
  HIP(hipLaunchCooperativeKernel((void *)rotate, dim3(40), dim3(64), arguments, 0, nullptr));
  HIP(hipMemcpy(got, x, sizeof got, hipMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += got[i] != (i + 3) % n;
  EXPECT(wrong == 0);
  valid<<<1, 64>>>(x);
  HIP(hipMemcpy(got, x, 4, hipMemcpyDeviceToHost));
  EXPECT(got[0] == 0);
  void *one[] = {&x};
  HIP(hipLaunchCooperativeKernel((void *)valid, dim3(1), dim3(64), one, 0, nullptr));
  HIP(hipMemcpy(got, x, 4, hipMemcpyDeviceToHost));
  EXPECT(got[0] == 1);
  puts("end");
}
