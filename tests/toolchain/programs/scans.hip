// A scan in chunks whose operator does not commute, with a prefix that is carried from one to the next.
#include <hip/hip_runtime.h>
#include <hipcub/hipcub.hpp>

#include <cstdio>
struct Then { __device__ uint2 operator()(const uint2 &a, const uint2 &b) const { return make_uint2(b.x * a.x, b.x * a.y + b.y); } };
struct Carry {
  uint2 before;
  __device__ uint2 operator()(uint2 all) {
    const uint2 old = before;
    before = Then()(before, all);
    return old;
  }
};
__global__ void steps(const uint2 *in, uint2 *out, int chunks) {
  using Scan = hipcub::BlockScan<uint2, 64>;
  __shared__ Scan::TempStorage room;
  Carry carry{make_uint2(1, 0)};
  for (int c = 0; c < chunks; ++c) {
    uint2 v[3];
    for (int i = 0; i < 3; ++i) v[i] = in[c * 192 + 3 * threadIdx.x + i];
    __syncthreads();
    Scan(room).InclusiveScan(v, v, Then(), carry);
    for (int i = 0; i < 3; ++i) out[c * 192 + 3 * threadIdx.x + i] = v[i];
  }
}
int main() {
  uint2 h[576], *in, *out, sum = {1, 0};
  for (unsigned i = 0; i < 576; ++i) h[i] = {2 * i + 1, 7 * i};
  (void)hipMalloc(&in, sizeof h), (void)hipMalloc(&out, sizeof h), (void)hipMemcpy(in, h, sizeof h, hipMemcpyHostToDevice);
  steps<<<1, 64>>>(in, out, 3);
  uint2 got[576];
  (void)hipMemcpy(got, out, sizeof got, hipMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < 576; ++i) {
    sum = {h[i].x * sum.x, h[i].x * sum.y + h[i].y};
    wrong += got[i].x != sum.x || got[i].y != sum.y;
  }
  std::printf(wrong ? "%d wrong\n" : "all good\n", wrong);
  return wrong != 0;
}
