// porter stub headers: bfloat16, types
#pragma once
#include "fp16_types.h"

struct __nv_bfloat16_raw;
struct __nv_bfloat162_raw;
struct __nv_bfloat16;
struct __nv_bfloat162;
struct __align__(2) __nv_bfloat16_raw { unsigned short x; };
struct __align__(4) __nv_bfloat162_raw { unsigned short x, y; };
struct __align__(2) __nv_bfloat16 {
  unsigned short __x;
  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(const __nv_bfloat16_raw &);
  __host__ __device__ __nv_bfloat16 &operator=(const __nv_bfloat16_raw &);
  __host__ __device__ volatile __nv_bfloat16 &operator=(const __nv_bfloat16_raw &) volatile;
  __host__ __device__ volatile __nv_bfloat16 &operator=(const volatile __nv_bfloat16_raw &) volatile;
  __host__ __device__ operator __nv_bfloat16_raw() const;
  __host__ __device__ operator __nv_bfloat16_raw() const volatile;
#if !defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
  __host__ __device__ explicit __nv_bfloat16(__half) PORTER_SAID("half-from-bf16");
  __host__ __device__ __nv_bfloat16(float);
  __host__ __device__ __nv_bfloat16(double);
  __host__ __device__ operator float() const;
  __host__ __device__ __nv_bfloat16 &operator=(float);
  __host__ __device__ __nv_bfloat16 &operator=(double);
  __host__ __device__ __nv_bfloat16(short);
  __host__ __device__ __nv_bfloat16(unsigned short);
  __host__ __device__ __nv_bfloat16(int);
  __host__ __device__ __nv_bfloat16(unsigned int);
  __host__ __device__ __nv_bfloat16(long) PORTER_SAID("bf16-from-long");
  __host__ __device__ __nv_bfloat16(unsigned long) PORTER_SAID("bf16-from-long");
  __host__ __device__ __nv_bfloat16(long long) PORTER_SAID("bf16-from-long");
  __host__ __device__ __nv_bfloat16(unsigned long long) PORTER_SAID("bf16-from-long");
  __host__ __device__ operator signed char() const;
  __host__ __device__ operator unsigned char() const;
  __host__ __device__ operator char() const;
  __host__ __device__ operator short() const;
  __host__ __device__ operator unsigned short() const;
  __host__ __device__ operator int() const;
  __host__ __device__ operator unsigned int() const;
  __host__ __device__ operator long() const;
  __host__ __device__ operator unsigned long() const;
  __host__ __device__ operator long long() const;
  __host__ __device__ operator unsigned long long() const;
  __host__ __device__ __nv_bfloat16 &operator=(short);
  __host__ __device__ __nv_bfloat16 &operator=(unsigned short);
  __host__ __device__ __nv_bfloat16 &operator=(int);
  __host__ __device__ __nv_bfloat16 &operator=(unsigned int);
  __host__ __device__ __nv_bfloat16 &operator=(long long) PORTER_SAID("bf16-from-long");
  __host__ __device__ __nv_bfloat16 &operator=(unsigned long long) PORTER_SAID("bf16-from-long");
  __host__ __device__ operator bool() const;
#endif
};
struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x;
  __nv_bfloat16 y;
  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(__nv_bfloat162 &&);
  __host__ __device__ __nv_bfloat162 &operator=(__nv_bfloat162 &&);
  __host__ __device__ __nv_bfloat162(const __nv_bfloat16 &, const __nv_bfloat16 &);
  __host__ __device__ __nv_bfloat162(const __nv_bfloat162 &);
  __host__ __device__ __nv_bfloat162 &operator=(const __nv_bfloat162 &);
  __host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw &);
  // The assignment of a raw pair goes by way of the constructor: with one of its own `x = {}` is ambiguous to clang.
  __host__ __device__ operator __nv_bfloat162_raw() const;
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
