// porter stub headers: 8-bit floats, types
// Declarations only: enough to parse CUDA sources where no CUDA toolkit is installed.
#pragma once

#include "../../driver_types.h"
#include "bf16_types.h"
#include "fp16_types.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

enum __nv_saturation_t {
  __NV_NOSAT = 0,
  __NV_SATFINITE = 1,
};

enum __nv_fp8_interpretation_t {
  __NV_E4M3 = 0,
  __NV_E5M2 = 1,
};

struct __nv_fp8_e5m2;
struct __nv_fp8x2_e5m2;
struct __nv_fp8x4_e5m2;
struct __nv_fp8_e4m3;
struct __nv_fp8x2_e4m3;
struct __nv_fp8x4_e4m3;
struct __nv_fp8_e8m0;
struct __nv_fp8x2_e8m0;
struct __nv_fp8x4_e8m0;

struct __align__(1) __nv_fp8_e5m2 {
  __nv_fp8_storage_t __x;
  __nv_fp8_e5m2() = default;
  __host__ __device__ explicit __nv_fp8_e5m2(__half);
  __host__ __device__ explicit __nv_fp8_e5m2(__nv_bfloat16);
  __host__ __device__ explicit __nv_fp8_e5m2(float);
  __host__ __device__ explicit __nv_fp8_e5m2(double);
  __host__ __device__ explicit __nv_fp8_e5m2(unsigned short);
  __host__ __device__ explicit __nv_fp8_e5m2(unsigned int);
  __host__ __device__ explicit __nv_fp8_e5m2(unsigned long);
  __host__ __device__ explicit __nv_fp8_e5m2(unsigned long long);
  __host__ __device__ explicit __nv_fp8_e5m2(short);
  __host__ __device__ explicit __nv_fp8_e5m2(int);
  __host__ __device__ explicit __nv_fp8_e5m2(long);
  __host__ __device__ explicit __nv_fp8_e5m2(long long);
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

struct __align__(2) __nv_fp8x2_e5m2 {
  __nv_fp8x2_storage_t __x;
  __nv_fp8x2_e5m2() = default;
  __host__ __device__ explicit __nv_fp8x2_e5m2(__half2);
  __host__ __device__ explicit __nv_fp8x2_e5m2(__nv_bfloat162);
  __host__ __device__ explicit __nv_fp8x2_e5m2(float2);
  __host__ __device__ explicit __nv_fp8x2_e5m2(double2);
  __host__ __device__ explicit operator __half2() const;
  __host__ __device__ explicit operator float2() const;
};

struct __align__(4) __nv_fp8x4_e5m2 {
  __nv_fp8x4_storage_t __x;
  __nv_fp8x4_e5m2() = default;
  __host__ __device__ explicit __nv_fp8x4_e5m2(__half2, __half2);
  __host__ __device__ explicit __nv_fp8x4_e5m2(__nv_bfloat162, __nv_bfloat162);
  __host__ __device__ explicit __nv_fp8x4_e5m2(float4);
  __host__ __device__ explicit __nv_fp8x4_e5m2(double4);
  __host__ __device__ explicit __nv_fp8x4_e5m2(double4_16a);
  __host__ __device__ explicit __nv_fp8x4_e5m2(double4_32a);
  __host__ __device__ explicit operator float4() const;
};

struct __align__(1) __nv_fp8_e4m3 {
  __nv_fp8_storage_t __x;
  __nv_fp8_e4m3() = default;
  __host__ __device__ explicit __nv_fp8_e4m3(__half);
  __host__ __device__ explicit __nv_fp8_e4m3(__nv_bfloat16);
  __host__ __device__ explicit __nv_fp8_e4m3(float);
  __host__ __device__ explicit __nv_fp8_e4m3(double);
  __host__ __device__ explicit __nv_fp8_e4m3(unsigned short);
  __host__ __device__ explicit __nv_fp8_e4m3(unsigned int);
  __host__ __device__ explicit __nv_fp8_e4m3(unsigned long);
  __host__ __device__ explicit __nv_fp8_e4m3(unsigned long long);
  __host__ __device__ explicit __nv_fp8_e4m3(short);
  __host__ __device__ explicit __nv_fp8_e4m3(int);
  __host__ __device__ explicit __nv_fp8_e4m3(long);
  __host__ __device__ explicit __nv_fp8_e4m3(long long);
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

struct __align__(2) __nv_fp8x2_e4m3 {
  __nv_fp8x2_storage_t __x;
  __nv_fp8x2_e4m3() = default;
  __host__ __device__ explicit __nv_fp8x2_e4m3(__half2);
  __host__ __device__ explicit __nv_fp8x2_e4m3(__nv_bfloat162);
  __host__ __device__ explicit __nv_fp8x2_e4m3(float2);
  __host__ __device__ explicit __nv_fp8x2_e4m3(double2);
  __host__ __device__ explicit operator __half2() const;
  __host__ __device__ explicit operator float2() const;
};

struct __align__(4) __nv_fp8x4_e4m3 {
  __nv_fp8x4_storage_t __x;
  __nv_fp8x4_e4m3() = default;
  __host__ __device__ explicit __nv_fp8x4_e4m3(__half2, __half2);
  __host__ __device__ explicit __nv_fp8x4_e4m3(__nv_bfloat162, __nv_bfloat162);
  __host__ __device__ explicit __nv_fp8x4_e4m3(float4);
  __host__ __device__ explicit __nv_fp8x4_e4m3(double4);
  __host__ __device__ explicit __nv_fp8x4_e4m3(double4_16a);
  __host__ __device__ explicit __nv_fp8x4_e4m3(double4_32a);
  __host__ __device__ explicit operator float4() const;
};

struct __align__(1) __nv_fp8_e8m0 {
  __nv_fp8_storage_t __x;
  __nv_fp8_e8m0() = default;
  __host__ __device__ explicit __nv_fp8_e8m0(__half);
  __host__ __device__ explicit __nv_fp8_e8m0(__nv_bfloat16);
  __host__ __device__ explicit __nv_fp8_e8m0(float);
  __host__ __device__ explicit __nv_fp8_e8m0(double);
  __host__ __device__ explicit __nv_fp8_e8m0(unsigned short);
  __host__ __device__ explicit __nv_fp8_e8m0(unsigned int);
  __host__ __device__ explicit __nv_fp8_e8m0(unsigned long long);
  __host__ __device__ explicit __nv_fp8_e8m0(unsigned long);
  __host__ __device__ explicit __nv_fp8_e8m0(short);
  __host__ __device__ explicit __nv_fp8_e8m0(int);
  __host__ __device__ explicit __nv_fp8_e8m0(long long);
  __host__ __device__ explicit __nv_fp8_e8m0(long);
  __host__ __device__ explicit operator float() const;
  __host__ __device__ explicit operator __nv_bfloat16() const;
  __host__ __device__ explicit operator double() const;
  __host__ __device__ explicit operator __half() const;
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

struct __align__(2) __nv_fp8x2_e8m0 {
  __nv_fp8x2_storage_t __x;
  __nv_fp8x2_e8m0() = default;
  __host__ __device__ explicit __nv_fp8x2_e8m0(__half2);
  __host__ __device__ explicit __nv_fp8x2_e8m0(__nv_bfloat162);
  __host__ __device__ explicit __nv_fp8x2_e8m0(float2);
  __host__ __device__ explicit __nv_fp8x2_e8m0(double2);
  __host__ __device__ explicit operator __nv_bfloat162() const;
  __host__ __device__ explicit operator float2() const;
  __host__ __device__ explicit operator __half2() const;
};

struct __align__(4) __nv_fp8x4_e8m0 {
  __nv_fp8x4_storage_t __x;
  __nv_fp8x4_e8m0() = default;
  __host__ __device__ explicit __nv_fp8x4_e8m0(__half2, __half2);
  __host__ __device__ explicit __nv_fp8x4_e8m0(__nv_bfloat162, __nv_bfloat162);
  __host__ __device__ explicit __nv_fp8x4_e8m0(float4);
  __host__ __device__ explicit __nv_fp8x4_e8m0(double4);
  __host__ __device__ explicit __nv_fp8x4_e8m0(double4_16a);
  __host__ __device__ explicit __nv_fp8x4_e8m0(double4_32a);
  __host__ __device__ explicit operator float4() const;
};
