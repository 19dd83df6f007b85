// The stand-in headers on the device against the same functions on the host, where tests compare them with torch.
#include <hip/hip_bf16.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hip/hip_fp8.h>
#include <porter/bf16.h>
#include <porter/half_conversions.h>

#include <cstdio>
#include <cstring>
#include <vector>

namespace cg = cooperative_groups;

constexpr __hip_fp8_interpretation_t kFnuz[2] = {__HIP_E4M3_FNUZ, __HIP_E5M2_FNUZ};  // what gfx942 has; OCP's are in eights.hip

struct result {
  unsigned short half[4], bf16[4], sum, product;
  unsigned char nosat[2], sat[2];
  int integer;
};

__host__ __device__ result work(float a) {
  result r;
  r.half[0] = __half_as_ushort(__float2half_rn(a));
  r.half[1] = __half_as_ushort(porter::float2half_rz(a));
  r.half[2] = __half_as_ushort(porter::float2half_rd(a));
  r.half[3] = __half_as_ushort(porter::float2half_ru(a));
  r.bf16[0] = __bfloat16_as_ushort(__float2bfloat16(a));
  r.bf16[1] = __bfloat16_as_ushort(porter::float2bfloat16_rz(a));
  r.bf16[2] = __bfloat16_as_ushort(porter::float2bfloat16_rd(a));
  r.bf16[3] = __bfloat16_as_ushort(porter::float2bfloat16_ru(a));
  r.sum = __half_as_ushort(__float2half(a) + __half(1.5f));
  r.product = __bfloat16_as_ushort(__hip_bfloat16(a) * __hip_bfloat16(3.0f));
  for (int k = 0; k < 2; ++k) {
    r.nosat[k] = __hip_cvt_float_to_fp8(a, __HIP_NOSAT, kFnuz[k]);
    r.sat[k] = __hip_cvt_float_to_fp8(a, __HIP_SATFINITE, kFnuz[k]);
  }
  r.integer = porter::half2int_rn(__float2half(a));
  return r;
}
__global__ void numbers(const float *in, result *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = work(in[i]);
}
__global__ void eights(float *out) {
  for (int k = 0; k < 2; ++k) out[k * 256 + threadIdx.x] = porter_fp8::to_float(threadIdx.x, kFnuz[k]);
}
__global__ void groups(unsigned *out) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  unsigned v = block.thread_rank();
  for (unsigned i = tile.size() / 2; i; i /= 2) v += tile.shfl_xor(v, i);
  if (block.thread_rank() == 20) {
    out[0] = v;
    out[1] = tile.meta_group_rank();
  }
  if (threadIdx.x % 3 == 0) {
    auto active = cg::coalesced_threads();
    unsigned last = active.shfl(threadIdx.x, int(active.size()) - 1);
    unsigned long long above = active.ballot(threadIdx.x > 9);
    if (threadIdx.x == 9) {
      out[2] = active.thread_rank();
      out[3] = last;
      out[4] = unsigned(above == 0x3ffff0);
    }
  }
  if (threadIdx.x == 5) out[5] = unsigned(__popcll(__activemask()));
}
__global__ void pairs(__half2 *h, __hip_bfloat162 *b) {
  atomicAdd(h, __half2(__half(1), __half(2)));
  atomicAdd(b, __hip_bfloat162(__hip_bfloat16(1), __hip_bfloat16(0.5f)));
}

// HIP's own functions truncate, whatever their name says; from float they round as it says.
__global__ void hips(float x, int *out) {
  __half h = __float2half(x);
  out[0] = __half2int_rd(h) * 100 + __half2int_rn(h) * 10 + __half2int_ru(h);
  out[1] = porter::half2int_rd(h) * 100 + porter::half2int_rn(h) * 10 + porter::half2int_ru(h);
  out[2] = __half_as_ushort(__int2half_rz(int(x * 2047) + 1)) - __half_as_ushort(porter::int2half_rz(int(x * 2047) + 1));
  out[3] = __half_as_ushort(__float2half_rd(x * 0.1f)) == __half_as_ushort(porter::float2half_rd(x * 0.1f));
}

int failed = 0;
#define CHECK(c)                                          \
  do {                                                    \
    if (!(c)) {                                           \
      std::printf("FAIL line %d: %s\n", __LINE__, #c);    \
      ++failed;                                           \
    }                                                     \
  } while (0)

int main() {
  std::vector<float> in;
  unsigned bits = 1;
  for (int i = 0; i < 20000; ++i) {
    float f;
    bits = bits * 1664525u + 1013904223u;
    unsigned b = i % 2 ? bits : (bits & 0x83ffffffu) | 0x3a000000u;  // every second one near 1
    std::memcpy(&f, &b, 4);
    in.push_back(f);
  }
  for (float f : {0.0f, -0.0f, 240.0f, 248.0f, 448.0f, 464.0f, 57344.0f, 61440.0f, 65504.0f, 65520.0f, 1e-8f, 0x1p-10f, 0x1.8p-18f}) in.push_back(f);
  int n = int(in.size());
  float *x;
  result *y;
  (void)hipMalloc((void **)&x, n * 4);
  (void)hipMalloc((void **)&y, n * sizeof(result));
  (void)hipMemcpy(x, in.data(), n * 4, hipMemcpyHostToDevice);
  numbers<<<(n + 255) / 256, 256>>>(x, y, n);
  std::vector<result> got(n);
  (void)hipMemcpy(got.data(), y, n * sizeof(result), hipMemcpyDeviceToHost);
  for (int i = 0; i < n && failed < 20; ++i) {
    if (in[i] != in[i]) continue;  // the bits of a NaN are each machine's own
    result want = work(in[i]);
#define SAME(field)                                                                                 \
  if (std::memcmp(&want.field, &got[i].field, sizeof want.field)) {                                 \
    std::printf("FAIL %s of %a\n", #field, in[i]);                                                  \
    ++failed;                                                                                       \
  }
    SAME(half) SAME(bf16) SAME(sum) SAME(product) SAME(nosat) SAME(sat) SAME(integer)
  }
  float *e;
  (void)hipMalloc((void **)&e, 2048);
  eights<<<1, 256>>>(e);
  std::vector<float> wide(512);
  (void)hipMemcpy(wide.data(), e, 2048, hipMemcpyDeviceToHost);
  for (int i = 0; i < 512; ++i) {
    float want = porter_fp8::decode(static_cast<unsigned char>(i), kFnuz[i / 256]);
    CHECK(want == wide[i] || (want != want && wide[i] != wide[i]));
  }
  unsigned *g, of_groups[6];
  (void)hipMalloc((void **)&g, 24);
  groups<<<1, 64>>>(g);
  (void)hipMemcpy(of_groups, g, 24, hipMemcpyDeviceToHost);
  CHECK(of_groups[0] == 16 * 16 + 120 && of_groups[1] == 1);
  CHECK(of_groups[2] == 3 && of_groups[3] == 63 && of_groups[4] == 1 && of_groups[5] == 1);
  (void)hipMemset(g, 0, 24);
  pairs<<<1, 64>>>((__half2 *)g, (__hip_bfloat162 *)(g + 1));
  __half2 h;
  __hip_bfloat162 b;
  (void)hipMemcpy(&h, g, 4, hipMemcpyDeviceToHost);
  (void)hipMemcpy(&b, g + 1, 4, hipMemcpyDeviceToHost);
  CHECK(__low2float(h) == 64 && __high2float(h) == 128 && __low2float(b) == 64 && __high2float(b) == 32);
  int *i, roundings[4];
  (void)hipMalloc((void **)&i, 16);
  hips<<<1, 1>>>(1.75f, i);
  (void)hipMemcpy(roundings, i, 16, hipMemcpyDeviceToHost);
  CHECK(roundings[0] == 111 && roundings[1] == 122 && roundings[2] == 1 && roundings[3] == 1);
  std::printf(failed ? "%d failed\n" : "all good\n", failed);
  return failed;
}
