// Lanes that exchange values through shared memory and wait for those of a mask, with warps of their own and two in a wave.
#include <cstdio>
#include <cuda_runtime.h>
MIRRORING

__global__ void k(int *out, const int *keys) {
  __shared__ int s[96];
  const int t = threadIdx.x, lane = t % 32, first = t - lane;
  s[t] = -1;
  __syncthreads();

  // Some lanes, the others go on
  int a = 0;
  if (lane < 16) {
    s[t] = t + 1;
    __syncwarp(0xffff);
    a = s[first + 15 - lane];
  }
  __syncwarp();

  // Both halves, each with its own mask
  int b;
  if (lane < 16) {
    s[t] = 10 * t;
    __syncwarp(0x0000ffff);
    b = s[first + (lane ^ 1)];
  } else {
    s[t] = 20 * t;
    __syncwarp(0xffff0000);
    b = s[first + (lane ^ 3)];
  }
  __syncwarp();

  // Masks that are known at run time
  int c = 0, d = 0, e = 0;
  const unsigned odd = __ballot_sync(0xffffffffu, keys[t] & 1);
  if (keys[t] & 1) {
    s[t] = 7 * t;
    __syncwarp(odd);
    c = s[first + __ffs(odd) - 1];
  } else {
    const unsigned even = __activemask();
    s[t] = 9 * t;
    __syncwarp(even);
    c = s[first + 31 - __clz(even)];
  }
  __syncwarp();
  const unsigned equal = __match_any_sync(0xffffffffu, keys[t]);
  s[t] = t * t;
  __syncwarp(equal);
  d = s[first + __ffs(equal) - 1];
  __syncwarp();

  // Inside of a loop that lanes leave one after the other
  s[t] = t;
  __syncwarp();
  for (int i = 0; i < lane % 4; i++) {
    const unsigned here = __activemask();
    __syncwarp(here);
    e += s[first + 31 - __clz(here)];
    __syncwarp(here);
  }
  out[5 * t] = a, out[5 * t + 1] = b, out[5 * t + 2] = c, out[5 * t + 3] = d, out[5 * t + 4] = e;
}

int main() {
  const int count = 96;
  int keys[count], h[5 * count], *out, *given, bad = 0;
  for (int t = 0; t < count; t++) keys[t] = t * t % 5;
  cudaMalloc(&out, sizeof h), cudaMalloc(&given, sizeof keys);
  cudaMemcpy(given, keys, sizeof keys, cudaMemcpyHostToDevice);
  k<<<1, count>>>(out, given);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
  for (int t = 0; t < count; t++) {
    const int lane = t % 32, first = t - lane;
    int odd = -1, even = -1, same = -1, e = 0;
    for (int l = 31; l >= 0; l--) {
      if (keys[first + l] & 1) odd = l;
      if (!(keys[first + l] & 1) && even < 0) even = l;
      if (keys[first + l] == keys[t]) same = l;
    }
    // Of the lanes that are still in the loop, the last is 31 in every round.
    for (int i = 0; i < lane % 4; i++) e += first + 31;
    bad += h[5 * t] != (lane < 16 ? first + 16 - lane : 0);
    bad += h[5 * t + 1] != (lane < 16 ? 10 * (first + (lane ^ 1)) : 20 * (first + (lane ^ 3)));
    bad += h[5 * t + 2] != (keys[t] & 1 ? 7 * (first + odd) : 9 * (first + even));
    bad += h[5 * t + 3] != (first + same) * (first + same);
    bad += h[5 * t + 4] != e;
  }
  printf("%d wrong\n", bad);
  return bad != 0;
}
