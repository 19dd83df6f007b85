// Separable convolution with the taps in constant memory and the tile, halo included, in dynamic shared
// memory. The stencil reads no textures. Boundary: clamped.
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <vector>
#include "hip/hip_runtime.h"

namespace {

constexpr int kMaxRadius = 32;
constexpr int kTileX = 64;
constexpr int kTileY = 8;

struct Params {
  int width, height, pitch;
  float scale;
};

__constant__ float c_taps[2 * kMaxRadius + 1];
__constant__ Params c_params;
__device__ unsigned int d_clamped;  // how many reads fell outside of the image

inline void check(hipError_t e, const char* what, int line) {
  if (hipSuccess != e) {
    std::fprintf(stderr, "line %d: %s: %s\n", line, what, hipGetErrorString(e));
    std::exit(1);
  }
}
#define CHECK(x) check((x), #x, __LINE__)

template <int kRadius, bool kRows>
__global__ void __launch_bounds__(kTileX * kTileY)
convolve(const float* __restrict__ in, float* __restrict__ out) {
  extern __shared__ float tile[];
  constexpr int kLoadX = kRows ? kTileX + 2 * kRadius : kTileX;
  constexpr int kLoadY = kRows ? kTileY : kTileY + 2 * kRadius;
  const int originX = blockIdx.x * kTileX - (kRows ? kRadius : 0);
  const int originY = blockIdx.y * kTileY - (kRows ? 0 : kRadius);

  unsigned clamped = 0;
  for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < kLoadX * kLoadY; i += blockDim.x * blockDim.y) {
    const int x = originX + i % kLoadX, y = originY + i / kLoadX;
    const int cx = min(max(x, 0), c_params.width - 1);
    const int cy = min(max(y, 0), c_params.height - 1);
    clamped += x != cx || y != cy;
    tile[i] = in[cy * c_params.pitch + cx];
  }
  if (clamped) atomicAdd(&d_clamped, clamped);
  __syncthreads();

  const int x = blockIdx.x * kTileX + threadIdx.x, y = blockIdx.y * kTileY + threadIdx.y;
  if (x >= c_params.width || y >= c_params.height) return;
  float sum = 0.f;
#pragma unroll
  for (int k = -kRadius; k <= kRadius; ++k) {
    const int tx = threadIdx.x + (kRows ? k + kRadius : 0);
    const int ty = threadIdx.y + (kRows ? 0 : k + kRadius);
    sum = fmaf(c_taps[k + kRadius], tile[ty * kLoadX + tx], sum);
  }
  out[y * c_params.pitch + x] = sum * c_params.scale;
}

template <int kRadius, bool kRows>
void launch(const float* in, float* out, const Params& p, hipStream_t stream) {
  const size_t shared = sizeof(float) * (kRows ? (kTileX + 2 * kRadius) * kTileY : kTileX * (kTileY + 2 * kRadius));
  CHECK(hipFuncSetAttribute(reinterpret_cast<const void*>(convolve<kRadius, kRows>), hipFuncAttributeMaxDynamicSharedMemorySize, (int)shared));
  CHECK(hipFuncSetCacheConfig(reinterpret_cast<const void*>(convolve<kRadius, kRows>), hipFuncCachePreferShared));
  const dim3 block(kTileX, kTileY);
  const dim3 grid((p.width + kTileX - 1) / kTileX, (p.height + kTileY - 1) / kTileY);
  convolve<kRadius, kRows><<<grid, block, shared, stream>>>(in, out);
  CHECK(hipGetLastError());
}

void reference(const std::vector<float>& in, std::vector<float>& out, const float* taps, int radius, const Params& p,
               bool rows) {
  for (int y = 0; y < p.height; ++y)
    for (int x = 0; x < p.width; ++x) {
      float sum = 0.f;
      for (int k = -radius; k <= radius; ++k) {
        int sx = std::clamp(x + (rows ? k : 0), 0, p.width - 1);
        int sy = std::clamp(y + (rows ? 0 : k), 0, p.height - 1);
        sum += taps[k + radius] * in[sy * p.pitch + sx];
      }
      out[y * p.pitch + x] = sum * p.scale;
    }
}

}  // namespace

int main() {
  constexpr int kRadius = 6;
  Params p{643, 367, 0, 0.5f};
  float* d_in = nullptr;
  float *d_tmp = nullptr, *d_out = nullptr;
  size_t pitch = 0;
  CHECK(hipMallocPitch(&d_in, &pitch, p.width * sizeof(float), p.height));
  CHECK(hipMallocPitch((void**)&d_tmp, &pitch, p.width * sizeof(float), p.height));
  CHECK(hipMallocPitch((void**)&d_out, &pitch, p.width * sizeof(float), p.height));
  p.pitch = static_cast<int>(pitch / sizeof(float));

  float taps[2 * kRadius + 1];
  for (int i = 0; i <= 2 * kRadius; ++i) taps[i] = 1.f / (1 + std::abs(i - kRadius));
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL(c_taps), taps, sizeof(taps)));
  CHECK(hipMemcpyToSymbol(HIP_SYMBOL(c_params), &p, sizeof(p), 0, hipMemcpyHostToDevice));
  const unsigned zero = 0;
  CHECK(hipMemcpyToSymbolAsync(HIP_SYMBOL(d_clamped), &zero, sizeof zero, 0, hipMemcpyHostToDevice, 0));

  std::vector<float> image(p.pitch * p.height), tmp(image.size()), expected(image.size()), got(image.size());
  for (size_t i = 0; i < image.size(); ++i) image[i] = float((i * 7919) % 1000) / 1000;
  CHECK(hipMemcpy2D(d_in, pitch, image.data(), pitch, p.width * sizeof(float), p.height, hipMemcpyHostToDevice));
  CHECK(hipMemset2D(d_out, pitch, 0, p.width * sizeof(float), p.height));

  launch<kRadius, true>(d_in, d_tmp, p, hipStreamPerThread);
  launch<kRadius, false>(d_tmp, d_out, p, hipStreamPerThread);
  CHECK(hipStreamSynchronize(hipStreamPerThread));
  CHECK(hipMemcpy2D(got.data(), pitch, d_out, pitch, p.width * sizeof(float), p.height, hipMemcpyDeviceToHost));

  unsigned clamped = 0;
  void* where = nullptr;
  size_t bytes = 0;
  CHECK(hipMemcpyFromSymbol(&clamped, HIP_SYMBOL(d_clamped), sizeof(clamped)));
  CHECK(hipGetSymbolAddress(&where, HIP_SYMBOL(c_taps)));
  CHECK(hipGetSymbolSize(&bytes, HIP_SYMBOL(c_taps)));
  std::printf("%u clamped reads, %zu bytes of taps at %p\n", clamped, bytes, where);

  reference(image, tmp, taps, kRadius, p, true);
  reference(tmp, expected, taps, kRadius, p, false);
  int bad = bytes != sizeof(c_taps) || clamped == 0;
  for (int y = 0; y < p.height; ++y)
    for (int x = 0; x < p.width; ++x)
      bad += std::abs(got[y * p.pitch + x] - expected[y * p.pitch + x]) > 1e-4f;
  for (float* d : {d_in, d_tmp, d_out}) CHECK(hipFree(d));
  std::puts(bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
