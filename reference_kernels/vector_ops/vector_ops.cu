// Elementwise kernels that a memory-bound model is full of: add, scale, saxpy, bias + GELU.
//
// All of them are limited by memory: 16 bytes a lane and access, several loads in flight before the first use, and no
// cache kept for what is used once. A grid of a few blocks a multiprocessor strides over the vectors; what does not
// fill a vector, or all of it where a pointer is not on 16 bytes, goes element by element.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace {

constexpr int kThreads = 256;
constexpr int kUnroll = 4;  // vectors a lane at least: a block's start is paid once, and their loads overlap

template <typename... Pointers>
__host__ __device__ __forceinline__ bool on_16_bytes(const Pointers*... pointers) {
  return ((reinterpret_cast<uintptr_t>(pointers) | ...) & 15) == 0;
}

__device__ __forceinline__ uint4 load_once(const uint4* address) {
  uint4 v;
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(address));
  return v;
}

__device__ __forceinline__ void store_once(uint4* address, const uint4& v) {
  asm volatile("st.global.L1::no_allocate.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(address), "r"(v.x), "r"(v.y), "r"(v.z),
               "r"(v.w)
               : "memory");
}

__device__ __forceinline__ float4 operator+(const float4& a, const float4& b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void __launch_bounds__(kThreads)
    add_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ out, size_t n) {
  const size_t thread = static_cast<size_t>(blockIdx.x) * kThreads + threadIdx.x;
  const size_t threads = static_cast<size_t>(gridDim.x) * kThreads;
  const size_t vectors = on_16_bytes(a, b, out) ? n / 4 : 0;
  const auto* a4 = reinterpret_cast<const float4*>(a);
  const auto* b4 = reinterpret_cast<const float4*>(b);
  auto* out4 = reinterpret_cast<float4*>(out);

  size_t i = thread;
  for (; i + (kUnroll - 1) * threads < vectors; i += kUnroll * threads) {
    float4 x[kUnroll], y[kUnroll];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      x[u] = __ldcs(a4 + i + u * threads);
      y[u] = __ldcs(b4 + i + u * threads);
    }
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) __stcs(out4 + i + u * threads, x[u] + y[u]);
  }
  for (; i < vectors; i += threads) __stcs(out4 + i, __ldcs(a4 + i) + __ldcs(b4 + i));
  for (i = vectors * 4 + thread; i < n; i += threads) out[i] = a[i] + b[i];
}

// y stays in the cache: the next kernel of a solver reads it. x does not.
__global__ void __launch_bounds__(kThreads, 4)
    saxpy_kernel(float alpha, const float* __restrict__ x, float* __restrict__ y, size_t n) {
  const size_t thread = static_cast<size_t>(blockIdx.x) * kThreads + threadIdx.x;
  const size_t threads = static_cast<size_t>(gridDim.x) * kThreads;
  const size_t vectors = on_16_bytes(x, y) ? n / 4 : 0;
  const auto* x4 = reinterpret_cast<const float4*>(x);
  auto* y4 = reinterpret_cast<float4*>(y);

  for (size_t i = thread; i < vectors; i += threads) {
    const float4 xs = __ldcs(x4 + i);
    float4 ys = __ldcg(y4 + i);
    ys.x = fmaf(alpha, xs.x, ys.x);
    ys.y = fmaf(alpha, xs.y, ys.y);
    ys.z = fmaf(alpha, xs.z, ys.z);
    ys.w = fmaf(alpha, xs.w, ys.w);
    __stcg(y4 + i, ys);
  }
  for (size_t i = vectors * 4 + thread; i < n; i += threads) y[i] = fmaf(alpha, __ldg(x + i), y[i]);
}

// Eight halves in the four words of a 16-byte vector.
__device__ __forceinline__ __half2 as_half2(const uint32_t& word) { return *reinterpret_cast<const __half2*>(&word); }
__device__ __forceinline__ uint32_t as_word(const __half2& pair) { return *reinterpret_cast<const uint32_t*>(&pair); }

__global__ void __launch_bounds__(kThreads)
    scale_kernel(const __half* __restrict__ in, __half* __restrict__ out, float factor, size_t n) {
  const size_t thread = static_cast<size_t>(blockIdx.x) * kThreads + threadIdx.x;
  const size_t threads = static_cast<size_t>(gridDim.x) * kThreads;
  const size_t vectors = on_16_bytes(in, out) ? n / 8 : 0;
  const auto scaled = [factor](uint32_t word) {  // rounded once: the factor itself need not be a half
    const float2 v = __half22float2(as_half2(word));
    return as_word(__floats2half2_rn(v.x * factor, v.y * factor));
  };

  for (size_t i = thread; i < vectors; i += threads) {
    uint4 v = load_once(reinterpret_cast<const uint4*>(in) + i);
    v.x = scaled(v.x);
    v.y = scaled(v.y);
    v.z = scaled(v.z);
    v.w = scaled(v.w);
    store_once(reinterpret_cast<uint4*>(out) + i, v);
  }
  for (size_t i = vectors * 8 + thread; i < n; i += threads) {
    out[i] = __float2half_rn(__half2float(__ldg(in + i)) * factor);
  }
}

__device__ __forceinline__ float exp2_approx(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

__device__ __forceinline__ float reciprocal_approx(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// The tanh form of GELU as x * sigmoid(2u): one exp2 and one reciprocal, and no cancellation for negative x.
__device__ __forceinline__ float gelu(float x) {
  constexpr float kMinusTwoLog2e = -2.885390081777927f;
  const float u = 0.7978845608028654f * x * fmaf(0.044715f * x, x, 1.0f);
  return x * reciprocal_approx(1.0f + exp2_approx(kMinusTwoLog2e * u));
}

__device__ __forceinline__ uint32_t bias_gelu_pair(uint32_t x, uint32_t bias) {
  const float2 v = __half22float2(as_half2(x));
  const float2 b = __half22float2(as_half2(bias));
  return as_word(__floats2half2_rn(gelu(v.x + b.x), gelu(v.y + b.y)));
}

// One row of blocks a matrix row; the bias is read by all of them and stays in L1.
__global__ void __launch_bounds__(kThreads)
    bias_gelu_kernel(const __half* __restrict__ in, const __half* __restrict__ bias, __half* __restrict__ out, int rows,
                     int columns) {
  const int thread = blockIdx.x * kThreads + threadIdx.x;
  const int threads = gridDim.x * kThreads;
  const bool vector = columns % 8 == 0 && on_16_bytes(in, bias, out);

  for (int row = blockIdx.y; row < rows; row += gridDim.y) {
    const __half* from = in + static_cast<size_t>(row) * columns;
    __half* to = out + static_cast<size_t>(row) * columns;
    if (vector) {
      for (int i = thread; i < columns / 8; i += threads) {
        uint4 v = load_once(reinterpret_cast<const uint4*>(from) + i);
        const uint4 b = __ldg(reinterpret_cast<const uint4*>(bias) + i);
        v.x = bias_gelu_pair(v.x, b.x);
        v.y = bias_gelu_pair(v.y, b.y);
        v.z = bias_gelu_pair(v.z, b.z);
        v.w = bias_gelu_pair(v.w, b.w);
        store_once(reinterpret_cast<uint4*>(to) + i, v);
      }
    } else {
      for (int i = thread; i < columns; i += threads) {
        to[i] = __float2half_rn(gelu(__half2float(from[i]) + __half2float(__ldg(bias + i))));
      }
    }
  }
}

// As many blocks as the machine holds at once, or fewer where each lane would get less than kUnroll vectors.
template <typename Kernel>
cudaError_t blocks_for(Kernel kernel, int64_t bytes, unsigned* blocks) {
  int device = 0, processors = 0, resident = 0;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess) error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, kThreads, 0);
  const int64_t wanted = (bytes + 16 * kUnroll * kThreads - 1) / (16 * kUnroll * kThreads);
  const int64_t most = static_cast<int64_t>(processors) * resident;
  *blocks = static_cast<unsigned>(wanted < 1 ? 1 : wanted < most ? wanted : most);
  return error;
}

}  // namespace

extern "C" cudaError_t vector_add(const float* a, const float* b, float* out, int64_t n, cudaStream_t stream) {
  unsigned blocks = 0;
  if (cudaError_t error = blocks_for(add_kernel, n * sizeof(float), &blocks)) return error;
  add_kernel<<<blocks, kThreads, 0, stream>>>(a, b, out, n);
  return cudaGetLastError();
}

extern "C" cudaError_t vector_saxpy(float alpha, const float* x, float* y, int64_t n, cudaStream_t stream) {
  unsigned blocks = 0;
  if (cudaError_t error = blocks_for(saxpy_kernel, n * sizeof(float), &blocks)) return error;
  saxpy_kernel<<<blocks, kThreads, 0, stream>>>(alpha, x, y, n);
  return cudaGetLastError();
}

extern "C" cudaError_t vector_scale(const __half* x, __half* out, float factor, int64_t n, cudaStream_t stream) {
  unsigned blocks = 0;
  if (cudaError_t error = blocks_for(scale_kernel, n * sizeof(__half), &blocks)) return error;
  scale_kernel<<<blocks, kThreads, 0, stream>>>(x, out, factor, n);
  return cudaGetLastError();
}

extern "C" cudaError_t bias_gelu(const __half* x, const __half* bias, __half* out, int rows, int columns,
                                 cudaStream_t stream) {
  if (rows == 0 || columns == 0) return cudaSuccess;
  const unsigned across = (columns + 8 * kThreads - 1) / (8 * kThreads);
  const dim3 grid(across, rows < 65535 ? rows : 65535);
  bias_gelu_kernel<<<grid, kThreads, 0, stream>>>(x, bias, out, rows, columns);
  return cudaGetLastError();
}
