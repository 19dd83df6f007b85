// A block of two mirrored warps: indices, shuffles, ballots and atomics are those of CUDA's 64 threads.
#define PORTER_MIRRORED 1
#include <hip/hip_runtime.h>
#include <cstdio>
#include "porter/mirror.h"
#include "porter/ptx.h"
__global__ void __launch_bounds__(64) k(int *out, int *total, unsigned *masks) {
  const int t = threadIdx.x;
  out += blockIdx.x * 512, masks += blockIdx.x * 64;
  out[t] = t, out[64 + t] = porter::block_dim().x;
  atomicAdd(total, t + 1);
  int before = porter::atom_add<int>(total + 1, 2);
  int s = t; for (int o = 16; o; o /= 2) s += __shfl_xor(s, o, 32);
  int up = __shfl_up(t, 3, 32), dn = __shfl_down(t, 5, 16), id = __shfl(t, 7, 8);
  masks[t] = porter::ballot_sync(~0u, (t % 32) % 3 == 0);
  out[128 + t] = s; out[192 + t] = up; out[256 + t] = dn; out[320 + t] = id; out[384 + t] = porter::lane_id(); out[448 + t] = before;
}
int main() {
  int *o, *tot; unsigned *m; hipMalloc(&o, 4096); hipMalloc(&tot, 8); hipMalloc(&m, 512); hipMemset(tot, 0, 8);
  k<<<2, porter::mirrored(64)>>>(o, tot, m);
  int h[1024], ht[2]; unsigned hm[128]; hipMemcpy(h, o, 4096, hipMemcpyDeviceToHost); hipMemcpy(ht, tot, 8, hipMemcpyDeviceToHost); hipMemcpy(hm, m, 512, hipMemcpyDeviceToHost);
  unsigned want = 0; for (int i = 0; i < 32; i += 3) want |= 1u << i;
  int bad = 0;
  for (int block = 0; block < 2; block++) {
    const int *got = h + 512 * block;
    for (int t = 0; t < 64; t++) {
      const int l = t & 31, before = got[448 + t];
      bad += got[t] != t || got[64 + t] != 64 || got[384 + t] != l || hm[64 * block + t] != want;
      bad += got[128 + t] != 31 * 16 + (t & 32) * 32 || got[192 + t] != (l < 3 ? t : t - 3);
      bad += got[256 + t] != ((l & 15) + 5 >= 16 ? t : t + 5) || got[320 + t] != (t & ~7) + 7;
      bad += before < 0 || before > 254 || before % 2;
    }
  }
  bad += ht[0] != 2 * 64 * 65 / 2; bad += ht[1] != 256;
  printf("%d wrong\n", bad);
  return bad != 0;
}
