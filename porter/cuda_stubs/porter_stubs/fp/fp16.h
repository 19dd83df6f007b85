// porter stub headers: half precision, functions
#pragma once
#include "fp16_types.h"

__host__ __device__ __half __double2half(double);
__host__ __device__ __half2 __float22half2_rn(float2);
__host__ __device__ __half2 __float2half2_rn(float);
__host__ __device__ __half2 __floats2half2_rn(float, float);
__host__ __device__ __half __habs(__half);
__host__ __device__ float2 __half22float2(__half2);
__host__ __device__ signed char __half2char_rz(__half);
__host__ __device__ float __half2float(__half);
__host__ __device__ __half2 __half2half2(__half);
__host__ __device__ int __half2int_rz(__half);
__host__ __device__ long long __half2ll_rz(__half);
__host__ __device__ short __half2short_rz(__half);
__host__ __device__ unsigned char __half2uchar_rz(__half);
__host__ __device__ unsigned int __half2uint_rz(__half);
__host__ __device__ unsigned long long __half2ull_rz(__half);
__host__ __device__ unsigned short __half2ushort_rz(__half);
__host__ __device__ short __half_as_short(__half);
__host__ __device__ unsigned short __half_as_ushort(__half);
__host__ __device__ __half2 __halves2half2(__half, __half);
__host__ __device__ float __high2float(__half2);
__host__ __device__ __half __high2half(__half2);
__host__ __device__ int __hisinf(__half);
__host__ __device__ bool __hisnan(__half);
__host__ __device__ __half __hneg(__half);
__host__ __device__ __half __int2half_rd(int);
__host__ __device__ __half __int2half_rn(int);
__host__ __device__ __half __int2half_ru(int);
__host__ __device__ __half __int2half_rz(int);
__host__ __device__ __half __ll2half_rd(long long);
__host__ __device__ __half __ll2half_rn(long long);
__host__ __device__ __half __ll2half_ru(long long);
__host__ __device__ __half __ll2half_rz(long long);
__host__ __device__ float __low2float(__half2);
__host__ __device__ __half __low2half(__half2);
__host__ __device__ __half __uint2half_rd(unsigned int);
__host__ __device__ __half __uint2half_rn(unsigned int);
__host__ __device__ __half __uint2half_ru(unsigned int);
__host__ __device__ __half __uint2half_rz(unsigned int);
__host__ __device__ __half __ull2half_rd(unsigned long long);
__host__ __device__ __half __ull2half_rn(unsigned long long);
__host__ __device__ __half __ull2half_ru(unsigned long long);
__host__ __device__ __half __ull2half_rz(unsigned long long);
__host__ __device__ __half2 make_half2(__half, __half);
#define PORTER_ONE(name) __host__ __device__ __half name(float);
PORTER_ONE(__float2half) PORTER_ONE(__float2half_rd) PORTER_ONE(__float2half_rn) PORTER_ONE(__float2half_ru)
PORTER_ONE(__float2half_rz)
#undef PORTER_ONE
#define PORTER_ONE(name) __host__ __device__ __half2 name(__half2, __half2);
PORTER_ONE(__h2div) PORTER_ONE(__hadd2) PORTER_ONE(__hadd2_rn) PORTER_ONE(__hadd2_sat) PORTER_ONE(__heq2)
PORTER_ONE(__hequ2) PORTER_ONE(__hge2) PORTER_ONE(__hgeu2) PORTER_ONE(__hgt2) PORTER_ONE(__hgtu2)
PORTER_ONE(__highs2half2) PORTER_ONE(__hle2) PORTER_ONE(__hleu2) PORTER_ONE(__hlt2) PORTER_ONE(__hltu2)
PORTER_ONE(__hmax2) PORTER_ONE(__hmax2_nan) PORTER_ONE(__hmin2) PORTER_ONE(__hmin2_nan) PORTER_ONE(__hmul2)
PORTER_ONE(__hmul2_rn) PORTER_ONE(__hmul2_sat) PORTER_ONE(__hne2) PORTER_ONE(__hneu2) PORTER_ONE(__hsub2)
PORTER_ONE(__hsub2_rn) PORTER_ONE(__hsub2_sat) PORTER_ONE(__lows2half2)
#undef PORTER_ONE
#define PORTER_ONE(name) __host__ __device__ __half2 name(__half2);
PORTER_ONE(__habs2) PORTER_ONE(__high2half2) PORTER_ONE(__hisnan2) PORTER_ONE(__hneg2) PORTER_ONE(__low2half2)
PORTER_ONE(__lowhigh2highlow)
#undef PORTER_ONE
#define PORTER_ONE(name) __host__ __device__ __half name(__half, __half);
PORTER_ONE(__hadd) PORTER_ONE(__hadd_rn) PORTER_ONE(__hadd_sat) PORTER_ONE(__hdiv) PORTER_ONE(__hmax)
PORTER_ONE(__hmax_nan) PORTER_ONE(__hmin) PORTER_ONE(__hmin_nan) PORTER_ONE(__hmul) PORTER_ONE(__hmul_rn)
PORTER_ONE(__hmul_sat) PORTER_ONE(__hsub) PORTER_ONE(__hsub_rn) PORTER_ONE(__hsub_sat)
#undef PORTER_ONE
#define PORTER_ONE(name) __host__ __device__ bool name(__half2, __half2);
PORTER_ONE(__hbeq2) PORTER_ONE(__hbequ2) PORTER_ONE(__hbge2) PORTER_ONE(__hbgeu2) PORTER_ONE(__hbgt2)
PORTER_ONE(__hbgtu2) PORTER_ONE(__hble2) PORTER_ONE(__hbleu2) PORTER_ONE(__hblt2) PORTER_ONE(__hbltu2)
PORTER_ONE(__hbne2) PORTER_ONE(__hbneu2)
#undef PORTER_ONE
#define PORTER_ONE(name) __host__ __device__ bool name(__half, __half);
PORTER_ONE(__heq) PORTER_ONE(__hequ) PORTER_ONE(__hge) PORTER_ONE(__hgeu) PORTER_ONE(__hgt) PORTER_ONE(__hgtu)
PORTER_ONE(__hle) PORTER_ONE(__hleu) PORTER_ONE(__hlt) PORTER_ONE(__hltu) PORTER_ONE(__hne) PORTER_ONE(__hneu)
#undef PORTER_ONE
#define PORTER_ONE(name) __host__ __device__ unsigned int name(__half2, __half2);
PORTER_ONE(__heq2_mask) PORTER_ONE(__hequ2_mask) PORTER_ONE(__hge2_mask) PORTER_ONE(__hgeu2_mask)
PORTER_ONE(__hgt2_mask) PORTER_ONE(__hgtu2_mask) PORTER_ONE(__hle2_mask) PORTER_ONE(__hleu2_mask)
PORTER_ONE(__hlt2_mask) PORTER_ONE(__hltu2_mask) PORTER_ONE(__hne2_mask) PORTER_ONE(__hneu2_mask)
#undef PORTER_ONE
#define PORTER_ONE(name) __host__ __device__ __half name(short);
PORTER_ONE(__short2half_rd) PORTER_ONE(__short2half_rn) PORTER_ONE(__short2half_ru) PORTER_ONE(__short2half_rz)
PORTER_ONE(__short_as_half)
#undef PORTER_ONE
#define PORTER_ONE(name) __host__ __device__ __half name(unsigned short);
PORTER_ONE(__ushort2half_rd) PORTER_ONE(__ushort2half_rn) PORTER_ONE(__ushort2half_ru) PORTER_ONE(__ushort2half_rz)
PORTER_ONE(__ushort_as_half)
#undef PORTER_ONE
#if !defined(__CUDA_NO_HALF_OPERATORS__)
__host__ __device__ bool operator!=(const __half &, const __half &);
__host__ __device__ __half operator*(const __half &, const __half &);
__host__ __device__ __half & operator*=(__half &, const __half &);
__host__ __device__ __half operator+(const __half &);
__host__ __device__ __half operator+(const __half &, const __half &);
__host__ __device__ __half & operator++(__half &);
__host__ __device__ __half operator++(__half &, int);
__host__ __device__ __half & operator+=(__half &, const __half &);
__host__ __device__ __half operator-(const __half &);
__host__ __device__ __half operator-(const __half &, const __half &);
__host__ __device__ __half & operator--(__half &);
__host__ __device__ __half operator--(__half &, int);
__host__ __device__ __half & operator-=(__half &, const __half &);
__host__ __device__ __half operator/(const __half &, const __half &);
__host__ __device__ __half & operator/=(__half &, const __half &);
__host__ __device__ bool operator<(const __half &, const __half &);
__host__ __device__ bool operator<=(const __half &, const __half &);
__host__ __device__ bool operator==(const __half &, const __half &);
__host__ __device__ bool operator>(const __half &, const __half &);
__host__ __device__ bool operator>=(const __half &, const __half &);
#endif
#if !defined(__CUDA_NO_HALF2_OPERATORS__)
__host__ __device__ bool operator!=(const __half2 &, const __half2 &);
__host__ __device__ __half2 operator*(const __half2 &, const __half2 &);
__host__ __device__ __half2 & operator*=(__half2 &, const __half2 &);
__host__ __device__ __half2 operator+(const __half2 &);
__host__ __device__ __half2 operator+(const __half2 &, const __half2 &);
__host__ __device__ __half2 & operator++(__half2 &);
__host__ __device__ __half2 operator++(__half2 &, int);
__host__ __device__ __half2 & operator+=(__half2 &, const __half2 &);
__host__ __device__ __half2 operator-(const __half2 &);
__host__ __device__ __half2 operator-(const __half2 &, const __half2 &);
__host__ __device__ __half2 & operator--(__half2 &);
__host__ __device__ __half2 operator--(__half2 &, int);
__host__ __device__ __half2 & operator-=(__half2 &, const __half2 &);
__host__ __device__ __half2 operator/(const __half2 &, const __half2 &);
__host__ __device__ __half2 & operator/=(__half2 &, const __half2 &);
__host__ __device__ bool operator<(const __half2 &, const __half2 &);
__host__ __device__ bool operator<=(const __half2 &, const __half2 &);
__host__ __device__ bool operator==(const __half2 &, const __half2 &);
__host__ __device__ bool operator>(const __half2 &, const __half2 &);
__host__ __device__ bool operator>=(const __half2 &, const __half2 &);
#endif
#ifdef __CUDACC__
__device__ int __half2int_rd(__half);
__device__ int __half2int_rn(__half);
__device__ int __half2int_ru(__half);
__device__ long long __half2ll_rd(__half);
__device__ long long __half2ll_rn(__half);
__device__ long long __half2ll_ru(__half);
__device__ short __half2short_rd(__half);
__device__ short __half2short_rn(__half);
__device__ short __half2short_ru(__half);
__device__ unsigned int __half2uint_rd(__half);
__device__ unsigned int __half2uint_rn(__half);
__device__ unsigned int __half2uint_ru(__half);
__device__ unsigned long long __half2ull_rd(__half);
__device__ unsigned long long __half2ull_rn(__half);
__device__ unsigned long long __half2ull_ru(__half);
__device__ unsigned short __half2ushort_rd(__half);
__device__ unsigned short __half2ushort_rn(__half);
__device__ unsigned short __half2ushort_ru(__half);
__device__ __half2 __hcmadd(__half2, __half2, __half2);
__device__ __half __hfma(__half, __half, __half);
__device__ __half2 __hfma2(__half2, __half2, __half2);
__device__ __half2 __hfma2_relu(__half2, __half2, __half2);
__device__ __half2 __hfma2_sat(__half2, __half2, __half2);
__device__ __half __hfma_relu(__half, __half, __half);
__device__ __half __hfma_sat(__half, __half, __half);
__device__ __half __shfl_down_sync(unsigned int, __half, unsigned int, int = 32);
__device__ __half2 __shfl_down_sync(unsigned int, __half2, unsigned int, int = 32);
__device__ __half __shfl_sync(unsigned int, __half, int, int = 32);
__device__ __half2 __shfl_sync(unsigned int, __half2, int, int = 32);
__device__ __half __shfl_up_sync(unsigned int, __half, unsigned int, int = 32);
__device__ __half2 __shfl_up_sync(unsigned int, __half2, unsigned int, int = 32);
__device__ __half __shfl_xor_sync(unsigned int, __half, int, int = 32);
__device__ __half2 __shfl_xor_sync(unsigned int, __half2, int, int = 32);
__device__ void __stcg(__half *const, __half);
__device__ void __stcg(__half2 *const, __half2);
__device__ void __stcs(__half *const, __half);
__device__ void __stcs(__half2 *const, __half2);
__device__ void __stwb(__half *const, __half);
__device__ void __stwb(__half2 *const, __half2);
__device__ void __stwt(__half *const, __half);
__device__ void __stwt(__half2 *const, __half2);
__device__ __half atomicAdd(__half *const, __half);
__device__ __half2 atomicAdd(__half2 *const, __half2);
#define PORTER_ONE(name) __device__ __half name(const __half *const);
PORTER_ONE(__ldca) PORTER_ONE(__ldcg) PORTER_ONE(__ldcs) PORTER_ONE(__ldcv) PORTER_ONE(__ldg) PORTER_ONE(__ldlu)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ __half2 name(const __half2 *const);
PORTER_ONE(__ldca) PORTER_ONE(__ldcg) PORTER_ONE(__ldcs) PORTER_ONE(__ldcv) PORTER_ONE(__ldg) PORTER_ONE(__ldlu)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ __half2 name(__half2);
PORTER_ONE(h2ceil) PORTER_ONE(h2cos) PORTER_ONE(h2exp) PORTER_ONE(h2exp10) PORTER_ONE(h2exp2) PORTER_ONE(h2floor)
PORTER_ONE(h2log) PORTER_ONE(h2log10) PORTER_ONE(h2log2) PORTER_ONE(h2rcp) PORTER_ONE(h2rint) PORTER_ONE(h2rsqrt)
PORTER_ONE(h2sin) PORTER_ONE(h2sqrt) PORTER_ONE(h2tanh) PORTER_ONE(h2tanh_approx) PORTER_ONE(h2trunc)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ __half name(__half);
PORTER_ONE(hceil) PORTER_ONE(hcos) PORTER_ONE(hexp) PORTER_ONE(hexp10) PORTER_ONE(hexp2) PORTER_ONE(hfloor)
PORTER_ONE(hlog) PORTER_ONE(hlog10) PORTER_ONE(hlog2) PORTER_ONE(hrcp) PORTER_ONE(hrint) PORTER_ONE(hrsqrt)
PORTER_ONE(hsin) PORTER_ONE(hsqrt) PORTER_ONE(htanh) PORTER_ONE(htanh_approx) PORTER_ONE(htrunc)
#undef PORTER_ONE
#endif
