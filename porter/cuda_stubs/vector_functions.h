// porter stub headers: make_<type> for the built-in vector types.
#pragma once
#include "vector_types.h"

__host__ __device__ char1 make_char1(signed char);
__host__ __device__ char2 make_char2(signed char, signed char);
__host__ __device__ char3 make_char3(signed char, signed char, signed char);
__host__ __device__ char4 make_char4(signed char, signed char, signed char, signed char);
__host__ __device__ uchar1 make_uchar1(unsigned char);
__host__ __device__ uchar2 make_uchar2(unsigned char, unsigned char);
__host__ __device__ uchar3 make_uchar3(unsigned char, unsigned char, unsigned char);
__host__ __device__ uchar4 make_uchar4(unsigned char, unsigned char, unsigned char, unsigned char);
__host__ __device__ short1 make_short1(short);
__host__ __device__ short2 make_short2(short, short);
__host__ __device__ short3 make_short3(short, short, short);
__host__ __device__ short4 make_short4(short, short, short, short);
__host__ __device__ ushort1 make_ushort1(unsigned short);
__host__ __device__ ushort2 make_ushort2(unsigned short, unsigned short);
__host__ __device__ ushort3 make_ushort3(unsigned short, unsigned short, unsigned short);
__host__ __device__ ushort4 make_ushort4(unsigned short, unsigned short, unsigned short, unsigned short);
__host__ __device__ int1 make_int1(int);
__host__ __device__ int2 make_int2(int, int);
__host__ __device__ int3 make_int3(int, int, int);
__host__ __device__ int4 make_int4(int, int, int, int);
__host__ __device__ uint1 make_uint1(unsigned int);
__host__ __device__ uint2 make_uint2(unsigned int, unsigned int);
__host__ __device__ uint3 make_uint3(unsigned int, unsigned int, unsigned int);
__host__ __device__ uint4 make_uint4(unsigned int, unsigned int, unsigned int, unsigned int);
__host__ __device__ long1 make_long1(long);
__host__ __device__ long2 make_long2(long, long);
__host__ __device__ long3 make_long3(long, long, long);
__host__ __device__ long4 make_long4(long, long, long, long);
__host__ __device__ ulong1 make_ulong1(unsigned long);
__host__ __device__ ulong2 make_ulong2(unsigned long, unsigned long);
__host__ __device__ ulong3 make_ulong3(unsigned long, unsigned long, unsigned long);
__host__ __device__ ulong4 make_ulong4(unsigned long, unsigned long, unsigned long, unsigned long);
__host__ __device__ float1 make_float1(float);
__host__ __device__ float2 make_float2(float, float);
__host__ __device__ float3 make_float3(float, float, float);
__host__ __device__ float4 make_float4(float, float, float, float);
__host__ __device__ longlong1 make_longlong1(long long);
__host__ __device__ longlong2 make_longlong2(long long, long long);
__host__ __device__ longlong3 make_longlong3(long long, long long, long long);
__host__ __device__ longlong4 make_longlong4(long long, long long, long long, long long);
__host__ __device__ ulonglong1 make_ulonglong1(unsigned long long);
__host__ __device__ ulonglong2 make_ulonglong2(unsigned long long, unsigned long long);
__host__ __device__ ulonglong3 make_ulonglong3(unsigned long long, unsigned long long, unsigned long long);
__host__ __device__ ulonglong4 make_ulonglong4(unsigned long long, unsigned long long, unsigned long long,
    unsigned long long);
__host__ __device__ double1 make_double1(double);
__host__ __device__ double2 make_double2(double, double);
__host__ __device__ double3 make_double3(double, double, double);
__host__ __device__ double4 make_double4(double, double, double, double);
__host__ __device__ long4_16a make_long4_16a(long, long, long, long);
__host__ __device__ long4_32a make_long4_32a(long, long, long, long);
__host__ __device__ ulong4_16a make_ulong4_16a(unsigned long, unsigned long, unsigned long, unsigned long);
__host__ __device__ ulong4_32a make_ulong4_32a(unsigned long, unsigned long, unsigned long, unsigned long);
__host__ __device__ longlong4_16a make_longlong4_16a(long long, long long, long long, long long);
__host__ __device__ longlong4_32a make_longlong4_32a(long long, long long, long long, long long);
__host__ __device__ ulonglong4_16a make_ulonglong4_16a(unsigned long long, unsigned long long, unsigned long long,
    unsigned long long);
__host__ __device__ ulonglong4_32a make_ulonglong4_32a(unsigned long long, unsigned long long, unsigned long long,
    unsigned long long);
__host__ __device__ double4_16a make_double4_16a(double, double, double, double);
__host__ __device__ double4_32a make_double4_32a(double, double, double, double);
