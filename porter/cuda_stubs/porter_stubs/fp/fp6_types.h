// porter stub headers: 6-bit floats, types
#pragma once
#include "../../driver_types.h"
#include "bf16_types.h"
#include "fp16_types.h"
#include "fp8_types.h"

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
enum __nv_fp6_interpretation_t { __NV_E2M3 = 0, __NV_E3M2 };
struct __nv_fp6_e3m2;
struct __nv_fp6x2_e3m2;
struct __nv_fp6x4_e3m2;
struct __nv_fp6_e2m3;
struct __nv_fp6x2_e2m3;
struct __nv_fp6x4_e2m3;
struct __align__(1) __nv_fp6_e3m2 {
  __nv_fp6_storage_t __x;
  __nv_fp6_e3m2() = default;
  __host__ __device__ explicit __nv_fp6_e3m2(__half);
  __host__ __device__ explicit __nv_fp6_e3m2(__nv_bfloat16);
  __host__ __device__ explicit __nv_fp6_e3m2(float);
  __host__ __device__ explicit __nv_fp6_e3m2(double);
  __host__ __device__ explicit __nv_fp6_e3m2(unsigned short);
  __host__ __device__ explicit __nv_fp6_e3m2(unsigned int);
  __host__ __device__ explicit __nv_fp6_e3m2(unsigned long);
  __host__ __device__ explicit __nv_fp6_e3m2(unsigned long long);
  __host__ __device__ explicit __nv_fp6_e3m2(short);
  __host__ __device__ explicit __nv_fp6_e3m2(int);
  __host__ __device__ explicit __nv_fp6_e3m2(long);
  __host__ __device__ explicit __nv_fp6_e3m2(long long);
  __host__ __device__ explicit operator __half() const;
  __host__ __device__ explicit operator float() const;
  __host__ __device__ explicit operator __nv_bfloat16() const;
  __host__ __device__ explicit operator double() const;
  __host__ __device__ explicit operator unsigned char() const;
  __host__ __device__ explicit operator unsigned short() const;
  __host__ __device__ explicit operator unsigned int() const;
  __host__ __device__ explicit operator unsigned long() const;
  __host__ __device__ explicit operator unsigned long long() const;
  __host__ __device__ explicit operator signed char() const;
  __host__ __device__ explicit operator char() const;
  __host__ __device__ explicit operator short() const;
  __host__ __device__ explicit operator int() const;
  __host__ __device__ explicit operator long() const;
  __host__ __device__ explicit operator long long() const;
  __host__ __device__ explicit operator bool() const;
};
struct __align__(2) __nv_fp6x2_e3m2 {
  __nv_fp6x2_storage_t __x;
  __nv_fp6x2_e3m2() = default;
  __host__ __device__ explicit __nv_fp6x2_e3m2(__half2);
  __host__ __device__ explicit __nv_fp6x2_e3m2(__nv_bfloat162);
  __host__ __device__ explicit __nv_fp6x2_e3m2(float2);
  __host__ __device__ explicit __nv_fp6x2_e3m2(double2);
  __host__ __device__ explicit operator __half2() const;
  __host__ __device__ explicit operator float2() const;
};
struct __align__(4) __nv_fp6x4_e3m2 {
  __nv_fp6x4_storage_t __x;
  __nv_fp6x4_e3m2() = default;
  __host__ __device__ explicit __nv_fp6x4_e3m2(__half2, __half2);
  __host__ __device__ explicit __nv_fp6x4_e3m2(__nv_bfloat162, __nv_bfloat162);
  __host__ __device__ explicit __nv_fp6x4_e3m2(float4);
  __host__ __device__ explicit __nv_fp6x4_e3m2(double4);
  __host__ __device__ explicit __nv_fp6x4_e3m2(double4_16a);
  __host__ __device__ explicit __nv_fp6x4_e3m2(double4_32a);
  __host__ __device__ explicit operator float4() const;
};
struct __align__(1) __nv_fp6_e2m3 {
  __nv_fp6_storage_t __x;
  __nv_fp6_e2m3() = default;
  __host__ __device__ explicit __nv_fp6_e2m3(__half);
  __host__ __device__ explicit __nv_fp6_e2m3(__nv_bfloat16);
  __host__ __device__ explicit __nv_fp6_e2m3(float);
  __host__ __device__ explicit __nv_fp6_e2m3(double);
  __host__ __device__ explicit __nv_fp6_e2m3(unsigned short);
  __host__ __device__ explicit __nv_fp6_e2m3(unsigned int);
  __host__ __device__ explicit __nv_fp6_e2m3(unsigned long);
  __host__ __device__ explicit __nv_fp6_e2m3(unsigned long long);
  __host__ __device__ explicit __nv_fp6_e2m3(short);
  __host__ __device__ explicit __nv_fp6_e2m3(int);
  __host__ __device__ explicit __nv_fp6_e2m3(long);
  __host__ __device__ explicit __nv_fp6_e2m3(long long);
  __host__ __device__ explicit operator __half() const;
  __host__ __device__ explicit operator float() const;
  __host__ __device__ explicit operator __nv_bfloat16() const;
  __host__ __device__ explicit operator double() const;
  __host__ __device__ explicit operator unsigned char() const;
  __host__ __device__ explicit operator unsigned short() const;
  __host__ __device__ explicit operator unsigned int() const;
  __host__ __device__ explicit operator unsigned long() const;
  __host__ __device__ explicit operator unsigned long long() const;
  __host__ __device__ explicit operator signed char() const;
  __host__ __device__ explicit operator char() const;
  __host__ __device__ explicit operator short() const;
  __host__ __device__ explicit operator int() const;
  __host__ __device__ explicit operator long() const;
  __host__ __device__ explicit operator long long() const;
  __host__ __device__ explicit operator bool() const;
};
struct __align__(2) __nv_fp6x2_e2m3 {
  __nv_fp6x2_storage_t __x;
  __nv_fp6x2_e2m3() = default;
  __host__ __device__ explicit __nv_fp6x2_e2m3(__half2);
  __host__ __device__ explicit __nv_fp6x2_e2m3(__nv_bfloat162);
  __host__ __device__ explicit __nv_fp6x2_e2m3(float2);
  __host__ __device__ explicit __nv_fp6x2_e2m3(double2);
  __host__ __device__ explicit operator __half2() const;
  __host__ __device__ explicit operator float2() const;
};
struct __align__(4) __nv_fp6x4_e2m3 {
  __nv_fp6x4_storage_t __x;
  __nv_fp6x4_e2m3() = default;
  __host__ __device__ explicit __nv_fp6x4_e2m3(__half2, __half2);
  __host__ __device__ explicit __nv_fp6x4_e2m3(__nv_bfloat162, __nv_bfloat162);
  __host__ __device__ explicit __nv_fp6x4_e2m3(float4);
  __host__ __device__ explicit __nv_fp6x4_e2m3(double4);
  __host__ __device__ explicit __nv_fp6x4_e2m3(double4_16a);
  __host__ __device__ explicit __nv_fp6x4_e2m3(double4_32a);
  __host__ __device__ explicit operator float4() const;
};
