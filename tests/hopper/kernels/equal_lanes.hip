// Lanes that look for their equals, and counts over a block, with warps that have waves of their own and with two in a wave.
#include <hip/hip_runtime.h>
#include <cstdio>
#ifdef PORTER_MIRRORED
#include "porter/mirror.h"
#else
namespace porter { inline unsigned mirrored(unsigned threads) { return threads; } }
#endif
#include "porter/warp.h"
struct Three { short a, b, c; };
__global__ void k(unsigned *out, const int *keys) {
  const int t = threadIdx.x, key = keys[t];
  int all = 2;
  out[t] = porter::match_any_sync(~0u, key);
  out[96 + t] = porter::match_any_sync(~0u, (long long)key << 32);
  out[192 + t] = porter::match_any_sync(~0u, 0.5f * float(key));
  out[288 + t] = porter::match_all_sync(~0u, t / 32, &all) + all;
  out[384 + t] = porter::match_all_sync(~0u, Three{1, short(key), 3}, &all) + all;
  out[480 + t] = t % 32 % 3 == 0 ? porter::match_any_sync(0x49249249u, key) : 0;
  out[576 + t] = __syncthreads_count(key == 1);
  out[672 + t] = __syncthreads_or(key > 3) + 2 * __syncthreads_or(key > 4) + 4 * __syncthreads_and(key < 5) + 8 * __syncthreads_and(key < 4);
}
int main() {
  unsigned *out, h[768]; int *keys, hk[96];
  for (int t = 0; t < 96; t++) hk[t] = t * t % 5;
  hipMalloc(&out, sizeof h), hipMalloc(&keys, sizeof hk), hipMemcpy(keys, hk, sizeof hk, hipMemcpyHostToDevice);
  k<<<1, porter::mirrored(96)>>>(out, keys);
  if (hipDeviceSynchronize() != hipSuccess) return 1;
  hipMemcpy(h, out, sizeof h, hipMemcpyDeviceToHost);
  int bad = 0, ones = 0;
  for (int t = 0; t < 96; t++) ones += hk[t] == 1;
  for (int t = 0; t < 96; t++) {
    unsigned same = 0, third = 0;
    for (int l = 0; l < 32; l++) {
      const bool equal = hk[t / 32 * 32 + l] == hk[t];
      same |= unsigned(equal) << l;
      third |= unsigned(equal && l % 3 == 0) << l;
    }
    bad += h[t] != same || h[96 + t] != same || h[192 + t] != same || h[288 + t] != 0u || h[384 + t] != 0;  // all lanes and 1; none and 0
    bad += h[576 + t] != unsigned(ones) || h[672 + t] != 1 + 4;
    bad += h[480 + t] != (t % 32 % 3 == 0 ? third : 0);
  }
  printf("%d wrong\n", bad);
  return bad != 0;
}
