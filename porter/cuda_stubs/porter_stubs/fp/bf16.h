// porter stub headers: bfloat16, functions
#pragma once
#include "bf16_types.h"

__host__ __device__ float2 __bfloat1622float2(__nv_bfloat162);
__host__ __device__ __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16);
__host__ __device__ signed char __bfloat162char_rz(__nv_bfloat16);
__host__ __device__ float __bfloat162float(__nv_bfloat16);
__host__ __device__ int __bfloat162int_rz(__nv_bfloat16);
__host__ __device__ long long __bfloat162ll_rz(__nv_bfloat16);
__host__ __device__ short __bfloat162short_rz(__nv_bfloat16);
__host__ __device__ unsigned char __bfloat162uchar_rz(__nv_bfloat16);
__host__ __device__ unsigned int __bfloat162uint_rz(__nv_bfloat16);
__host__ __device__ unsigned long long __bfloat162ull_rz(__nv_bfloat16);
__host__ __device__ unsigned short __bfloat162ushort_rz(__nv_bfloat16);
__host__ __device__ short __bfloat16_as_short(__nv_bfloat16);
__host__ __device__ unsigned short __bfloat16_as_ushort(__nv_bfloat16);
__host__ __device__ __nv_bfloat16 __double2bfloat16(double);
__host__ __device__ __nv_bfloat162 __float22bfloat162_rn(float2);
__host__ __device__ __nv_bfloat162 __float2bfloat162_rn(float);
__host__ __device__ __nv_bfloat162 __floats2bfloat162_rn(float, float);
__host__ __device__ __nv_bfloat16 __habs(__nv_bfloat16);
__host__ __device__ __nv_bfloat162 __halves2bfloat162(__nv_bfloat16, __nv_bfloat16);
__host__ __device__ __nv_bfloat16 __high2bfloat16(__nv_bfloat162);
__host__ __device__ float __high2float(__nv_bfloat162);
__host__ __device__ int __hisinf(__nv_bfloat16);
__host__ __device__ bool __hisnan(__nv_bfloat16);
__host__ __device__ __nv_bfloat16 __hneg(__nv_bfloat16);
__host__ __device__ __nv_bfloat16 __int2bfloat16_rn(int);
__host__ __device__ __nv_bfloat16 __ll2bfloat16_rn(long long);
__host__ __device__ __nv_bfloat16 __low2bfloat16(__nv_bfloat162);
__host__ __device__ float __low2float(__nv_bfloat162);
__host__ __device__ __nv_bfloat16 __short2bfloat16_rn(short);
__host__ __device__ __nv_bfloat16 __short_as_bfloat16(short);
__host__ __device__ __nv_bfloat16 __uint2bfloat16_rn(unsigned int);
__host__ __device__ __nv_bfloat16 __ull2bfloat16_rn(unsigned long long);
__host__ __device__ __nv_bfloat16 __ushort2bfloat16_rn(unsigned short);
__host__ __device__ __nv_bfloat16 __ushort_as_bfloat16(unsigned short);
__host__ __device__ __nv_bfloat162 make_bfloat162(__nv_bfloat16, __nv_bfloat16);
#define PORTER_ONE(name) __host__ __device__ __nv_bfloat16 name(float);
PORTER_ONE(__float2bfloat16) PORTER_ONE(__float2bfloat16_rd) PORTER_ONE(__float2bfloat16_rn)
PORTER_ONE(__float2bfloat16_ru) PORTER_ONE(__float2bfloat16_rz)
#undef PORTER_ONE
#define PORTER_ONE(name) __host__ __device__ __nv_bfloat162 name(__nv_bfloat162, __nv_bfloat162);
PORTER_ONE(__h2div) PORTER_ONE(__hadd2) PORTER_ONE(__hadd2_rn) PORTER_ONE(__hadd2_sat) PORTER_ONE(__heq2)
PORTER_ONE(__hequ2) PORTER_ONE(__hge2) PORTER_ONE(__hgeu2) PORTER_ONE(__hgt2) PORTER_ONE(__hgtu2)
PORTER_ONE(__highs2bfloat162) PORTER_ONE(__hle2) PORTER_ONE(__hleu2) PORTER_ONE(__hlt2) PORTER_ONE(__hltu2)
PORTER_ONE(__hmax2) PORTER_ONE(__hmax2_nan) PORTER_ONE(__hmin2) PORTER_ONE(__hmin2_nan) PORTER_ONE(__hmul2)
PORTER_ONE(__hmul2_rn) PORTER_ONE(__hmul2_sat) PORTER_ONE(__hne2) PORTER_ONE(__hneu2) PORTER_ONE(__hsub2)
PORTER_ONE(__hsub2_rn) PORTER_ONE(__hsub2_sat) PORTER_ONE(__lows2bfloat162)
#undef PORTER_ONE
#define PORTER_ONE(name) __host__ __device__ __nv_bfloat162 name(__nv_bfloat162);
PORTER_ONE(__habs2) PORTER_ONE(__high2bfloat162) PORTER_ONE(__hisnan2) PORTER_ONE(__hneg2) PORTER_ONE(__low2bfloat162)
PORTER_ONE(__lowhigh2highlow)
#undef PORTER_ONE
#define PORTER_ONE(name) __host__ __device__ __nv_bfloat16 name(__nv_bfloat16, __nv_bfloat16);
PORTER_ONE(__hadd) PORTER_ONE(__hadd_rn) PORTER_ONE(__hadd_sat) PORTER_ONE(__hdiv) PORTER_ONE(__hmax)
PORTER_ONE(__hmax_nan) PORTER_ONE(__hmin) PORTER_ONE(__hmin_nan) PORTER_ONE(__hmul) PORTER_ONE(__hmul_rn)
PORTER_ONE(__hmul_sat) PORTER_ONE(__hsub) PORTER_ONE(__hsub_rn) PORTER_ONE(__hsub_sat)
#undef PORTER_ONE
#define PORTER_ONE(name) __host__ __device__ bool name(__nv_bfloat162, __nv_bfloat162);
PORTER_ONE(__hbeq2) PORTER_ONE(__hbequ2) PORTER_ONE(__hbge2) PORTER_ONE(__hbgeu2) PORTER_ONE(__hbgt2)
PORTER_ONE(__hbgtu2) PORTER_ONE(__hble2) PORTER_ONE(__hbleu2) PORTER_ONE(__hblt2) PORTER_ONE(__hbltu2)
PORTER_ONE(__hbne2) PORTER_ONE(__hbneu2)
#undef PORTER_ONE
#define PORTER_ONE(name) __host__ __device__ bool name(__nv_bfloat16, __nv_bfloat16);
PORTER_ONE(__heq) PORTER_ONE(__hequ) PORTER_ONE(__hge) PORTER_ONE(__hgeu) PORTER_ONE(__hgt) PORTER_ONE(__hgtu)
PORTER_ONE(__hle) PORTER_ONE(__hleu) PORTER_ONE(__hlt) PORTER_ONE(__hltu) PORTER_ONE(__hne) PORTER_ONE(__hneu)
#undef PORTER_ONE
#define PORTER_ONE(name) __host__ __device__ unsigned int name(__nv_bfloat162, __nv_bfloat162);
PORTER_ONE(__heq2_mask) PORTER_ONE(__hequ2_mask) PORTER_ONE(__hge2_mask) PORTER_ONE(__hgeu2_mask)
PORTER_ONE(__hgt2_mask) PORTER_ONE(__hgtu2_mask) PORTER_ONE(__hle2_mask) PORTER_ONE(__hleu2_mask)
PORTER_ONE(__hlt2_mask) PORTER_ONE(__hltu2_mask) PORTER_ONE(__hne2_mask) PORTER_ONE(__hneu2_mask)
#undef PORTER_ONE
#if !defined(__CUDA_NO_BFLOAT16_OPERATORS__)
__host__ __device__ bool operator!=(const __nv_bfloat16 &, const __nv_bfloat16 &);
__host__ __device__ __nv_bfloat16 operator*(const __nv_bfloat16 &, const __nv_bfloat16 &);
__host__ __device__ __nv_bfloat16 & operator*=(__nv_bfloat16 &, const __nv_bfloat16 &);
__host__ __device__ __nv_bfloat16 operator+(const __nv_bfloat16 &);
__host__ __device__ __nv_bfloat16 operator+(const __nv_bfloat16 &, const __nv_bfloat16 &);
__host__ __device__ __nv_bfloat16 & operator++(__nv_bfloat16 &);
__host__ __device__ __nv_bfloat16 operator++(__nv_bfloat16 &, int);
__host__ __device__ __nv_bfloat16 & operator+=(__nv_bfloat16 &, const __nv_bfloat16 &);
__host__ __device__ __nv_bfloat16 operator-(const __nv_bfloat16 &);
__host__ __device__ __nv_bfloat16 operator-(const __nv_bfloat16 &, const __nv_bfloat16 &);
__host__ __device__ __nv_bfloat16 & operator--(__nv_bfloat16 &);
__host__ __device__ __nv_bfloat16 operator--(__nv_bfloat16 &, int);
__host__ __device__ __nv_bfloat16 & operator-=(__nv_bfloat16 &, const __nv_bfloat16 &);
__host__ __device__ __nv_bfloat16 operator/(const __nv_bfloat16 &, const __nv_bfloat16 &);
__host__ __device__ __nv_bfloat16 & operator/=(__nv_bfloat16 &, const __nv_bfloat16 &);
__host__ __device__ bool operator<(const __nv_bfloat16 &, const __nv_bfloat16 &);
__host__ __device__ bool operator<=(const __nv_bfloat16 &, const __nv_bfloat16 &);
__host__ __device__ bool operator==(const __nv_bfloat16 &, const __nv_bfloat16 &);
__host__ __device__ bool operator>(const __nv_bfloat16 &, const __nv_bfloat16 &);
__host__ __device__ bool operator>=(const __nv_bfloat16 &, const __nv_bfloat16 &);
#endif
#if !defined(__CUDA_NO_BFLOAT162_OPERATORS__)
__host__ __device__ bool operator!=(const __nv_bfloat162 &, const __nv_bfloat162 &);
__host__ __device__ __nv_bfloat162 operator*(const __nv_bfloat162 &, const __nv_bfloat162 &);
__host__ __device__ __nv_bfloat162 & operator*=(__nv_bfloat162 &, const __nv_bfloat162 &);
__host__ __device__ __nv_bfloat162 operator+(const __nv_bfloat162 &);
__host__ __device__ __nv_bfloat162 operator+(const __nv_bfloat162 &, const __nv_bfloat162 &);
__host__ __device__ __nv_bfloat162 & operator++(__nv_bfloat162 &);
__host__ __device__ __nv_bfloat162 operator++(__nv_bfloat162 &, int);
__host__ __device__ __nv_bfloat162 & operator+=(__nv_bfloat162 &, const __nv_bfloat162 &);
__host__ __device__ __nv_bfloat162 operator-(const __nv_bfloat162 &);
__host__ __device__ __nv_bfloat162 operator-(const __nv_bfloat162 &, const __nv_bfloat162 &);
__host__ __device__ __nv_bfloat162 & operator--(__nv_bfloat162 &);
__host__ __device__ __nv_bfloat162 operator--(__nv_bfloat162 &, int);
__host__ __device__ __nv_bfloat162 & operator-=(__nv_bfloat162 &, const __nv_bfloat162 &);
__host__ __device__ __nv_bfloat162 operator/(const __nv_bfloat162 &, const __nv_bfloat162 &);
__host__ __device__ __nv_bfloat162 & operator/=(__nv_bfloat162 &, const __nv_bfloat162 &);
__host__ __device__ bool operator<(const __nv_bfloat162 &, const __nv_bfloat162 &);
__host__ __device__ bool operator<=(const __nv_bfloat162 &, const __nv_bfloat162 &);
__host__ __device__ bool operator==(const __nv_bfloat162 &, const __nv_bfloat162 &);
__host__ __device__ bool operator>(const __nv_bfloat162 &, const __nv_bfloat162 &);
__host__ __device__ bool operator>=(const __nv_bfloat162 &, const __nv_bfloat162 &);
#endif
#ifdef __CUDACC__
__device__ int __bfloat162int_rd(__nv_bfloat16);
__device__ int __bfloat162int_rn(__nv_bfloat16);
__device__ int __bfloat162int_ru(__nv_bfloat16);
__device__ long long __bfloat162ll_rd(__nv_bfloat16);
__device__ long long __bfloat162ll_rn(__nv_bfloat16);
__device__ long long __bfloat162ll_ru(__nv_bfloat16);
__device__ short __bfloat162short_rd(__nv_bfloat16);
__device__ short __bfloat162short_rn(__nv_bfloat16);
__device__ short __bfloat162short_ru(__nv_bfloat16);
__device__ unsigned int __bfloat162uint_rd(__nv_bfloat16);
__device__ unsigned int __bfloat162uint_rn(__nv_bfloat16);
__device__ unsigned int __bfloat162uint_ru(__nv_bfloat16);
__device__ unsigned long long __bfloat162ull_rd(__nv_bfloat16);
__device__ unsigned long long __bfloat162ull_rn(__nv_bfloat16);
__device__ unsigned long long __bfloat162ull_ru(__nv_bfloat16);
__device__ unsigned short __bfloat162ushort_rd(__nv_bfloat16);
__device__ unsigned short __bfloat162ushort_rn(__nv_bfloat16);
__device__ unsigned short __bfloat162ushort_ru(__nv_bfloat16);
__device__ __nv_bfloat162 __hcmadd(__nv_bfloat162, __nv_bfloat162, __nv_bfloat162);
__device__ __nv_bfloat16 __hfma(__nv_bfloat16, __nv_bfloat16, __nv_bfloat16);
__device__ __nv_bfloat162 __hfma2(__nv_bfloat162, __nv_bfloat162, __nv_bfloat162);
__device__ __nv_bfloat162 __hfma2_relu(__nv_bfloat162, __nv_bfloat162, __nv_bfloat162);
__device__ __nv_bfloat162 __hfma2_sat(__nv_bfloat162, __nv_bfloat162, __nv_bfloat162);
__device__ __nv_bfloat16 __hfma_relu(__nv_bfloat16, __nv_bfloat16, __nv_bfloat16);
__device__ __nv_bfloat16 __hfma_sat(__nv_bfloat16, __nv_bfloat16, __nv_bfloat16);
__device__ __nv_bfloat16 __int2bfloat16_rd(int);
__device__ __nv_bfloat16 __int2bfloat16_ru(int);
__device__ __nv_bfloat16 __int2bfloat16_rz(int);
__device__ __nv_bfloat16 __ll2bfloat16_rd(long long);
__device__ __nv_bfloat16 __ll2bfloat16_ru(long long);
__device__ __nv_bfloat16 __ll2bfloat16_rz(long long);
__device__ __nv_bfloat16 __shfl_down_sync(unsigned int, __nv_bfloat16, unsigned int, int = 32);
__device__ __nv_bfloat162 __shfl_down_sync(unsigned int, __nv_bfloat162, unsigned int, int = 32);
__device__ __nv_bfloat16 __shfl_sync(unsigned int, __nv_bfloat16, int, int = 32);
__device__ __nv_bfloat162 __shfl_sync(unsigned int, __nv_bfloat162, int, int = 32);
__device__ __nv_bfloat16 __shfl_up_sync(unsigned int, __nv_bfloat16, unsigned int, int = 32);
__device__ __nv_bfloat162 __shfl_up_sync(unsigned int, __nv_bfloat162, unsigned int, int = 32);
__device__ __nv_bfloat16 __shfl_xor_sync(unsigned int, __nv_bfloat16, int, int = 32);
__device__ __nv_bfloat162 __shfl_xor_sync(unsigned int, __nv_bfloat162, int, int = 32);
__device__ __nv_bfloat16 __short2bfloat16_rd(short);
__device__ __nv_bfloat16 __short2bfloat16_ru(short);
__device__ __nv_bfloat16 __short2bfloat16_rz(short);
__device__ void __stcg(__nv_bfloat16 *const, __nv_bfloat16);
__device__ void __stcg(__nv_bfloat162 *const, __nv_bfloat162);
__device__ void __stcs(__nv_bfloat16 *const, __nv_bfloat16);
__device__ void __stcs(__nv_bfloat162 *const, __nv_bfloat162);
__device__ void __stwb(__nv_bfloat16 *const, __nv_bfloat16);
__device__ void __stwb(__nv_bfloat162 *const, __nv_bfloat162);
__device__ void __stwt(__nv_bfloat16 *const, __nv_bfloat16);
__device__ void __stwt(__nv_bfloat162 *const, __nv_bfloat162);
__device__ __nv_bfloat16 __uint2bfloat16_rd(unsigned int);
__device__ __nv_bfloat16 __uint2bfloat16_ru(unsigned int);
__device__ __nv_bfloat16 __uint2bfloat16_rz(unsigned int);
__device__ __nv_bfloat16 __ull2bfloat16_rd(unsigned long long);
__device__ __nv_bfloat16 __ull2bfloat16_ru(unsigned long long);
__device__ __nv_bfloat16 __ull2bfloat16_rz(unsigned long long);
__device__ __nv_bfloat16 __ushort2bfloat16_rd(unsigned short);
__device__ __nv_bfloat16 __ushort2bfloat16_ru(unsigned short);
__device__ __nv_bfloat16 __ushort2bfloat16_rz(unsigned short);
__device__ __nv_bfloat16 atomicAdd(__nv_bfloat16 *const, __nv_bfloat16);
__device__ __nv_bfloat162 atomicAdd(__nv_bfloat162 *const, __nv_bfloat162);
#define PORTER_ONE(name) __device__ __nv_bfloat16 name(__nv_bfloat16);
PORTER_ONE(__hcos_internal) PORTER_ONE(__hsin_internal) PORTER_ONE(hceil) PORTER_ONE(hcos) PORTER_ONE(hexp)
PORTER_ONE(hexp10) PORTER_ONE(hexp2) PORTER_ONE(hfloor) PORTER_ONE(hlog) PORTER_ONE(hlog10) PORTER_ONE(hlog2)
PORTER_ONE(hrcp) PORTER_ONE(hrint) PORTER_ONE(hrsqrt) PORTER_ONE(hsin) PORTER_ONE(hsqrt) PORTER_ONE(htanh)
PORTER_ONE(htanh_approx) PORTER_ONE(htrunc)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ __nv_bfloat16 name(const __nv_bfloat16 *const);
PORTER_ONE(__ldca) PORTER_ONE(__ldcg) PORTER_ONE(__ldcs) PORTER_ONE(__ldcv) PORTER_ONE(__ldg) PORTER_ONE(__ldlu)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ __nv_bfloat162 name(const __nv_bfloat162 *const);
PORTER_ONE(__ldca) PORTER_ONE(__ldcg) PORTER_ONE(__ldcs) PORTER_ONE(__ldcv) PORTER_ONE(__ldg) PORTER_ONE(__ldlu)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ __nv_bfloat162 name(__nv_bfloat162);
PORTER_ONE(h2ceil) PORTER_ONE(h2cos) PORTER_ONE(h2exp) PORTER_ONE(h2exp10) PORTER_ONE(h2exp2) PORTER_ONE(h2floor)
PORTER_ONE(h2log) PORTER_ONE(h2log10) PORTER_ONE(h2log2) PORTER_ONE(h2rcp) PORTER_ONE(h2rint) PORTER_ONE(h2rsqrt)
PORTER_ONE(h2sin) PORTER_ONE(h2sqrt) PORTER_ONE(h2tanh) PORTER_ONE(h2tanh_approx) PORTER_ONE(h2trunc)
#undef PORTER_ONE
#endif
