// porter stub headers: device code, double precision intrinsics
// Declarations only: enough to parse CUDA sources where no CUDA toolkit is installed.
#pragma once

#include "../../builtin_types.h"

#ifdef __CUDACC__
__device__ double __dadd_rd(double, double);
__device__ double __dadd_rn(double, double);
__device__ double __dadd_ru(double, double);
__device__ double __dadd_rz(double, double);
__device__ double __dmul_rd(double, double);
__device__ double __dmul_rn(double, double);
__device__ double __dmul_ru(double, double);
__device__ double __dmul_rz(double, double);
__device__ float __double2float_rd(double);
__device__ float __double2float_rn(double);
__device__ float __double2float_ru(double);
__device__ float __double2float_rz(double);
__device__ int __double2hiint(double);
__device__ int __double2int_rd(double);
__device__ int __double2int_rn(double);
__device__ int __double2int_ru(double);
__device__ long long __double2ll_rd(double);
__device__ long long __double2ll_rn(double);
__device__ long long __double2ll_ru(double);
__device__ int __double2loint(double);
__device__ unsigned int __double2uint_rd(double);
__device__ unsigned int __double2uint_rn(double);
__device__ unsigned int __double2uint_ru(double);
__device__ unsigned long long __double2ull_rd(double);
__device__ unsigned long long __double2ull_rn(double);
__device__ unsigned long long __double2ull_ru(double);
__device__ long long __double_as_longlong(double);
__device__ double __dsub_rd(double, double);
__device__ double __dsub_rn(double, double);
__device__ double __dsub_ru(double, double);
__device__ double __dsub_rz(double, double);
__device__ double __fma_rd(double, double, double);
__device__ double __fma_rn(double, double, double);
__device__ double __fma_ru(double, double, double);
__device__ double __fma_rz(double, double, double);
__device__ double __hiloint2double(int, int);
__device__ double __int2double_rn(int);
__device__ double __ll2double_rd(long long);
__device__ double __ll2double_rn(long long);
__device__ double __ll2double_ru(long long);
__device__ double __ll2double_rz(long long);
__device__ double __longlong_as_double(long long);
__device__ double __uint2double_rn(unsigned int);
__device__ double __ull2double_rd(unsigned long long);
__device__ double __ull2double_rn(unsigned long long);
__device__ double __ull2double_ru(unsigned long long);
__device__ double __ull2double_rz(unsigned long long);
__device__ double dadd(double, double, cudaRoundMode = cudaRoundNearest);
__device__ double dmul(double, double, cudaRoundMode = cudaRoundNearest);
__device__ int double2int(double, cudaRoundMode = cudaRoundZero);
__device__ long long double2ll(double, cudaRoundMode = cudaRoundZero);
__device__ unsigned int double2uint(double, cudaRoundMode = cudaRoundZero);
__device__ unsigned long long double2ull(double, cudaRoundMode = cudaRoundZero);
__device__ double dsub(double, double, cudaRoundMode = cudaRoundNearest);
__device__ double float2double(float, cudaRoundMode = cudaRoundNearest);
__device__ double fma(double, double, double, cudaRoundMode);
__device__ double int2double(int, cudaRoundMode = cudaRoundNearest);
__device__ double ll2double(long long, cudaRoundMode = cudaRoundNearest);
__device__ double uint2double(unsigned int, cudaRoundMode = cudaRoundNearest);
__device__ double ull2double(unsigned long long, cudaRoundMode = cudaRoundNearest);
#endif
