// porter stub headers: 4-bit floats, types
#pragma once
#include "../../driver_types.h"
#include "bf16_types.h"
#include "fp16_types.h"
#include "fp8_types.h"

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;
enum __nv_fp4_interpretation_t { __NV_E2M1 = 0 };
struct __nv_fp4_e2m1;
struct __nv_fp4x2_e2m1;
struct __nv_fp4x4_e2m1;
struct __align__(1) __nv_fp4_e2m1 {
  __nv_fp4_storage_t __x;
  __nv_fp4_e2m1() = default;
  __host__ __device__ explicit __nv_fp4_e2m1(__half);
  __host__ __device__ explicit __nv_fp4_e2m1(__nv_bfloat16);
  __host__ __device__ explicit __nv_fp4_e2m1(float);
  __host__ __device__ explicit __nv_fp4_e2m1(double);
  __host__ __device__ explicit __nv_fp4_e2m1(unsigned short);
  __host__ __device__ explicit __nv_fp4_e2m1(unsigned int);
  __host__ __device__ explicit __nv_fp4_e2m1(unsigned long);
  __host__ __device__ explicit __nv_fp4_e2m1(unsigned long long);
  __host__ __device__ explicit __nv_fp4_e2m1(short);
  __host__ __device__ explicit __nv_fp4_e2m1(int);
  __host__ __device__ explicit __nv_fp4_e2m1(long);
  __host__ __device__ explicit __nv_fp4_e2m1(long long);
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
struct __align__(1) __nv_fp4x2_e2m1 {
  __nv_fp4x2_storage_t __x;
  __nv_fp4x2_e2m1() = default;
  __host__ __device__ explicit __nv_fp4x2_e2m1(__half2);
  __host__ __device__ explicit __nv_fp4x2_e2m1(__nv_bfloat162);
  __host__ __device__ explicit __nv_fp4x2_e2m1(float2);
  __host__ __device__ explicit __nv_fp4x2_e2m1(double2);
  __host__ __device__ explicit operator __half2() const;
  __host__ __device__ explicit operator float2() const;
};
struct __align__(2) __nv_fp4x4_e2m1 {
  __nv_fp4x4_storage_t __x;
  __nv_fp4x4_e2m1() = default;
  __host__ __device__ explicit __nv_fp4x4_e2m1(__half2, __half2);
  __host__ __device__ explicit __nv_fp4x4_e2m1(__nv_bfloat162, __nv_bfloat162);
  __host__ __device__ explicit __nv_fp4x4_e2m1(float4);
  __host__ __device__ explicit __nv_fp4x4_e2m1(double4);
  __host__ __device__ explicit __nv_fp4x4_e2m1(double4_16a);
  __host__ __device__ explicit __nv_fp4x4_e2m1(double4_32a);
  __host__ __device__ explicit operator float4() const;
};
