// A mock, for tests alone: the names of ROCm's hip/hip_fp16.h that porter's headers use.
#pragma once

struct __half_raw { unsigned short x; };
struct __half2_raw { unsigned short x, y; };
struct __half {
  __half() = default;
  __host__ __device__ __half(const __half_raw& raw) : bits(raw.x) {}
  __host__ __device__ operator float() const { return 0; }
 protected:
  unsigned short bits;
};
__host__ __device__ inline float __half2float(__half h) { return h; }
__host__ __device__ inline __half __float2half(float) { return __half_raw{0}; }
struct __half2 {
  __half2() = default;
  __host__ __device__ __half2(const __half2& other) : x(other.x), y(other.y) {}  // ROCm's is not trivial either
  __host__ __device__ __half2& operator=(const __half2& other) { x = other.x; y = other.y; return *this; }
  __half x, y;
};
