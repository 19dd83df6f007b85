// Half, bfloat16, 8-bit floats, complex numbers.
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <math_constants.h>

__global__ void kernel(half *a, half2 *b, __nv_bfloat16 *c, __nv_fp8_e4m3 *f, cuFloatComplex *z) {
  __shared__ half s[3];
  half x = a[0] + a[1] * __float2half(1.f);
  b[0] = __hfma2(b[0], b[1], b[2]);
  float y = __half2float(x) + __bfloat162float(c[0]);
  x = x + (half)1.0f;
  if (x > a[1]) c[0] = __float2bfloat16(y);
  atomicAdd(a, x);
  atomicAdd(b, b[0]);
  f[0] = __nv_fp8_e4m3(y);
  y = float(f[0]);
  half w = 2.0f;
  w += x;
  w = -w;
  x = hexp(__hmax(w, x));
  b[0] = __halves2half2(x, w);
  b[0].x = s[0];
  b[1] = make_half2(x, __shfl_down_sync(~0u, x, 3));
  b[1] = __ldg(b) + __floats2half2_rn(1.f, 2.f);
  c[0] *= c[1];
  __nv_bfloat162 pair = __halves2bfloat162(c[0], c[1]);
  c[1] = pair.y;
  z[0] = cuCmulf(z[0], make_cuComplex(CUDART_PI_F, CUDART_INF_F));
}

float host() {
  half h = __float2half(3.f);
  h = 2.f;
  return __half2float(h) + (float)h + cuCabsf(make_cuFloatComplex(1, 2));
}
