// Matrix products whose results are used at once: by vector instructions, by stores, as operands of other products.
#include <hip/hip_runtime.h>

typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x8 __attribute__((ext_vector_type(8)));
typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef float f32x32 __attribute__((ext_vector_type(32)));
typedef double f64x4 __attribute__((ext_vector_type(4)));

#define KERNEL(NAME) extern "C" __global__ void __launch_bounds__(64) NAME(float *out, const float *in)
#define LANE (threadIdx.x)

template <class T> __device__ T get(const float *in, int at) { return ((const T *)in)[at * 64 + LANE]; }
template <class T> __device__ void put(float *out, int at, T x) { ((T *)out)[at * 64 + LANE] = x; }

KERNEL(halves) {
  const f16x4 a = get<f16x4>(in, 0), b = get<f16x4>(in, 1);
  f32x4 d = __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, f32x4{}, 0, 0, 0);
  for (int i = 0; i < 4; i++) d[i] = d[i] * d[i] + 1.0f;
  put(out, 0, d);
}

KERNEL(small) {
  const f16x4 a = get<f16x4>(in, 0), b = get<f16x4>(in, 1);
  f32x4 d = __builtin_amdgcn_mfma_f32_4x4x4f16(a, b, f32x4{}, 0, 0, 0);
  d = __builtin_amdgcn_mfma_f32_4x4x4f16(b, a, d, 0, 0, 0);
  put(out, 0, d);
}

KERNEL(bytes) {
  const long a = get<long>(in, 0), b = get<long>(in, 1);
  f32x16 d = __builtin_amdgcn_mfma_f32_32x32x16_fp8_bf8(a, b, f32x16{}, 0, 0, 0);
  put(out, 0, d * 0.5f);
}

// The product is an operand of the next one.
KERNEL(chained) {
  const f16x4 a = get<f16x4>(in, 0), b = get<f16x4>(in, 1);
  const f32x4 d = __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, f32x4{}, 0, 0, 0);
  put<f32x4>(out, 0, __builtin_amdgcn_mfma_f32_16x16x4f32(d[0], d[1], f32x4{}, 0, 0, 0));
}

KERNEL(doubles) {
  const double a = get<double>(in, 0), b = get<double>(in, 1);
  const f64x4 d = __builtin_amdgcn_mfma_f64_16x16x4f64(a, b, f64x4{}, 0, 0, 0);
  put(out, 0, d);
  put(out, 16, __builtin_fma(d[0], d[1], a));
}

KERNEL(small_doubles) {
  const double a = get<double>(in, 0), b = get<double>(in, 1);
  double d = __builtin_amdgcn_mfma_f64_4x4x4f64(a, b, 0.0, 0, 0, 0);
  d = __builtin_amdgcn_mfma_f64_4x4x4f64(a, d, d, 0, 0, 0);
  put(out, 0, d);
}

KERNEL(sparse) {
  const f16x4 a = get<f16x4>(in, 0);
  const f16x8 b = get<f16x8>(in, 1);
  const f32x4 d = __builtin_amdgcn_smfmac_f32_16x16x32_f16(a, b, f32x4{}, 0x4444, 0, 0);
  put(out, 0, d + 1.0f);
}

// Too much for the vector registers alone.
KERNEL(many) {
  f32x32 d[14] = {};
  for (int n = 0; n < 4; n++) {
    const f16x4 a = get<f16x4>(in, n);
    for (int i = 0; i < 14; i++) d[i] = __builtin_amdgcn_mfma_f32_32x32x4f16(a, get<f16x4>(in, 4 + i), d[i], 0, 0, 0);
    d[n] = d[n] * 2.0f;
  }
  for (int i = 0; i < 14; i++) put(out, i, d[i]);
}
