// Blocks of one thread, which have no mirror, beside blocks that have: what a small kernel sees of itself.
#ifndef PORTER_MIRRORED
#define PORTER_MIRRORED 1
#endif
#include <hip/hip_runtime.h>
#include <cstdio>
#include "porter/mirror.h"
#include "porter/ptx.h"
__global__ void alone(unsigned *out, unsigned *total) {
  out += 5 * blockIdx.x;
  out[0] = threadIdx.x + threadIdx.y + threadIdx.z, out[1] = porter::block_dim().x;
  out[2] = atomicAdd(total, 2u);
  out[3] = porter::ballot_sync(1u, true), out[4] = porter::lane_id();
  __syncthreads();
}
int main() {
  unsigned *out, *total, h[10], sum;
  hipMalloc(&out, sizeof h), hipMalloc(&total, 4), hipMemset(total, 0, 4);
  alone<<<2, porter::mirrored(1)>>>(out, total);
  if (hipDeviceSynchronize() != hipSuccess) return 1;
  hipMemcpy(h, out, sizeof h, hipMemcpyDeviceToHost), hipMemcpy(&sum, total, 4, hipMemcpyDeviceToHost);
  int bad = sum != 4 || h[2] + h[7] != 2;
  for (int b = 0; b < 10; b += 5) bad += h[b] != 0 || h[b + 1] != 1 || h[b + 3] != 1 || h[b + 4] != 0;
  alone<<<1, porter::mirrored(dim3(1, 3))>>>(out, total);  // part of a warp is refused
  bad += hipGetLastError() == hipSuccess;
  printf("%d wrong\n", bad);
  return bad != 0;
}
