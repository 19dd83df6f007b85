// A mock, for tests alone: the names of ROCm's hip/hip_bf16.h that porter's headers use.
#pragma once

struct __hip_bfloat16_raw { unsigned short x; };
struct __hip_bfloat162_raw { unsigned short x, y; };
struct __attribute__((aligned(2))) __hip_bfloat16 {
  __hip_bfloat16() = default;
  __host__ __device__ operator float() const { return 0; }
 protected:
  unsigned short __x;
};
struct __attribute__((aligned(4))) __hip_bfloat162 {
  __hip_bfloat162() = default;
  __host__ __device__ __hip_bfloat162(const __hip_bfloat162& other) : x(other.x), y(other.y) {}
  __host__ __device__ __hip_bfloat162& operator=(const __hip_bfloat162& other) { x = other.x; y = other.y; return *this; }
  __hip_bfloat16 x, y;
};
__host__ __device__ static inline float __bfloat162float(__hip_bfloat16 a) {
  unsigned short half;
  __builtin_memcpy(&half, &a, 2);
  unsigned bits = unsigned(half) << 16;
  float value;
  __builtin_memcpy(&value, &bits, 4);
  return value;
}
__host__ __device__ static inline __hip_bfloat16 __float2bfloat16(float) { return {}; }
