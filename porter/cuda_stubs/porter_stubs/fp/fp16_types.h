// porter stub headers: half precision, types
#pragma once
#include "../../vector_functions.h"
#include "../../vector_types.h"

struct __nv_bfloat16;
struct __half_raw;
struct __half2_raw;
struct __half;
struct __half2;
struct __align__(2) __half_raw { unsigned short x; };
struct __align__(4) __half2_raw { unsigned short x, y; };
struct __align__(2) __half {
  unsigned short __x;
  __half() = default;
  __host__ __device__ __half(const __half_raw &);
  __host__ __device__ __half &operator=(const __half_raw &);
  __host__ __device__ volatile __half &operator=(const __half_raw &) volatile;
  __host__ __device__ volatile __half &operator=(const volatile __half_raw &) volatile;
  __host__ __device__ operator __half_raw() const;
  __host__ __device__ operator __half_raw() const volatile;
#if !defined(__CUDA_NO_HALF_CONVERSIONS__)
  __host__ __device__ explicit __half(__nv_bfloat16) PORTER_SAID("half-from-bf16");
  __host__ __device__ __half(float);
  __host__ __device__ __half(double);
  __host__ __device__ operator float() const;
  __host__ __device__ __half &operator=(float);
  __host__ __device__ __half &operator=(double);
  __host__ __device__ __half(short);
  __host__ __device__ __half(unsigned short);
  __host__ __device__ __half(int);
  __host__ __device__ __half(unsigned int);
  __host__ __device__ __half(long);
  __host__ __device__ __half(unsigned long);
  __host__ __device__ __half(long long);
  __host__ __device__ __half(unsigned long long);
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
  __host__ __device__ __half &operator=(short);
  __host__ __device__ __half &operator=(unsigned short);
  __host__ __device__ __half &operator=(int);
  __host__ __device__ __half &operator=(unsigned int);
  __host__ __device__ __half &operator=(long long);
  __host__ __device__ __half &operator=(unsigned long long);
  __host__ __device__ operator bool() const;
#endif
};
struct __align__(4) __half2 {
  __half x;
  __half y;
  __half2() = default;
  __host__ __device__ __half2(const __half2 &&);
  __host__ __device__ __half2 &operator=(const __half2 &&);
  __host__ __device__ __half2(const __half &, const __half &);
  __host__ __device__ __half2(const __half2 &);
  __host__ __device__ __half2 &operator=(const __half2 &);
  __host__ __device__ __half2(const __half2_raw &);
  // The assignment of a raw pair goes by way of the constructor: with one of its own `x = {}` is ambiguous to clang.
  __host__ __device__ operator __half2_raw() const;
};
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;
