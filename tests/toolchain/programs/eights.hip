// fp8 on the device, where gfx942's own conversion is used, against the integer arithmetic of the host: every code,
// and floats of every sign, exponent and upper mantissa, on and beside the middles between two codes.
#include <hip/hip_runtime.h>

#include "porter/fp8_types.h"
#include "porter/ptx.h"

#include <cstdio>
#include <cstring>
#include <vector>

constexpr unsigned kFloats = 1u << 18;  // the upper 17 bits, and with the last one set what lies just above

__host__ __device__ float number(unsigned i) {
  unsigned bits = (i >> 1) << 15 | (i & 1 ? 1 + i % 0x7fff : 0);
  return __builtin_bit_cast(float, bits);
}
struct encoded {
  unsigned short ptx[2], satfinite[2], nosat[2];
  unsigned char one[2];
};
struct decoded {
  unsigned ptx[2];
  __half2_raw halves[2];
  float2 floats[2];
};
__host__ __device__ encoded encode(unsigned i) {
  float low = number(i), high = number(i * 40503u % kFloats);
  encoded r;
  r.ptx[0] = porter::cvt_rn_satfinite_e4m3x2(high, low);
  r.ptx[1] = porter::cvt_rn_satfinite_e5m2x2(high, low);
  float2 both = make_float2(low, high);
  r.satfinite[0] = porter::fp8x2_e4m3(both).__x;
  r.satfinite[1] = porter::fp8x2_e5m2(both).__x;
  r.nosat[0] = porter::cvt_float2_to_fp8x2(both, __HIP_NOSAT, __HIP_E4M3);
  r.nosat[1] = porter::cvt_float2_to_fp8x2(both, __HIP_NOSAT, __HIP_E5M2);
  r.one[0] = porter::fp8_e4m3(low).__x;
  r.one[1] = porter::cvt_float_to_fp8(low, __HIP_NOSAT, __HIP_E5M2);
  return r;
}
__host__ __device__ decoded decode(unsigned short code) {
  decoded r;
  r.ptx[0] = porter::cvt_rn_f16x2_e4m3x2(code);
  r.ptx[1] = porter::cvt_rn_f16x2_e5m2x2(code);
  porter::fp8x2_e4m3 a;
  porter::fp8x2_e5m2 b;
  a.__x = b.__x = code;
  r.halves[0] = porter::cvt_fp8x2_to_halfraw2(code, __HIP_E4M3);
  r.halves[1] = porter::cvt_fp8x2_to_halfraw2(code, __HIP_E5M2);
  r.floats[0] = float2(a);
  r.floats[1] = float2(b);
  return r;
}
__global__ void encode_all(encoded *out) {
  unsigned i = blockIdx.x * 256 + threadIdx.x;
  out[i] = encode(i);
}
__global__ void decode_all(decoded *out, float *single) {
  unsigned i = blockIdx.x * 256 + threadIdx.x;
  out[i] = decode(static_cast<unsigned short>(i));
  if (i >= 512) return;
  unsigned char code = static_cast<unsigned char>(i);
  single[i] = porter::fp8::float_of(code, i < 256 ? __HIP_E4M3 : __HIP_E5M2);
}

int failed = 0;
template <class T>
void same(const char *what, unsigned i, const T &want, const T &got) {
  if (std::memcmp(&want, &got, sizeof(T)) == 0 || ++failed > 20) return;
  unsigned w = 0, g = 0;
  std::memcpy(&w, &want, sizeof(T) < 4 ? sizeof(T) : 4);
  std::memcpy(&g, &got, sizeof(T) < 4 ? sizeof(T) : 4);
  std::printf("FAIL %s of %x: %x instead of %x\n", what, i, g, w);
}
#define SAME(field, i) same(#field, i, want.field, got.field)

int main() {
  encoded *e;
  decoded *d;
  float *s;
  (void)hipMalloc((void **)&e, kFloats * sizeof(encoded));
  (void)hipMalloc((void **)&d, 65536 * sizeof(decoded));
  (void)hipMalloc((void **)&s, 512 * sizeof(float));
  encode_all<<<kFloats / 256, 256>>>(e);
  decode_all<<<256, 256>>>(d, s);
  std::vector<encoded> codes(kFloats);
  std::vector<decoded> numbers(65536);
  std::vector<float> singles(512);
  (void)hipMemcpy(codes.data(), e, kFloats * sizeof(encoded), hipMemcpyDeviceToHost);
  (void)hipMemcpy(numbers.data(), d, 65536 * sizeof(decoded), hipMemcpyDeviceToHost);
  (void)hipMemcpy(singles.data(), s, 512 * sizeof(float), hipMemcpyDeviceToHost);
  for (unsigned i = 0; i < kFloats; ++i) {
    encoded want = encode(i), got = codes[i];
    unsigned low = __builtin_bit_cast(unsigned, number(i));
    SAME(ptx, low);
    SAME(satfinite, low);
    SAME(nosat, low);
    SAME(one, low);
  }
  for (unsigned i = 0; i < 65536; ++i) {
    decoded want = decode(static_cast<unsigned short>(i)), got = numbers[i];
    SAME(ptx, i);
    SAME(halves, i);
    SAME(floats, i);
  }
  for (unsigned i = 0; i < 512; ++i) {
    same("single", i, porter::fp8::float_of(static_cast<unsigned char>(i), i < 256 ? __HIP_E4M3 : __HIP_E5M2), singles[i]);
  }
  std::printf(failed ? "%d failed\n" : "all good\n", failed);
  return failed;
}
