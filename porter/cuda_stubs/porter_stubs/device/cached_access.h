// porter stub headers: device code, loads and stores with cache hints, funnel shifts
#pragma once
#include "../../builtin_types.h"
#ifdef __CUDACC__
__device__ unsigned int __funnelshift_l(unsigned int, unsigned int, unsigned int);
__device__ unsigned int __funnelshift_lc(unsigned int, unsigned int, unsigned int);
__device__ unsigned int __funnelshift_r(unsigned int, unsigned int, unsigned int);
__device__ unsigned int __funnelshift_rc(unsigned int, unsigned int, unsigned int);
#define PORTER_CACHED(T) \
  __device__ T __ldca(const T *); __device__ T __ldcg(const T *); __device__ T __ldcs(const T *); \
  __device__ T __ldcv(const T *); __device__ T __ldg(const T *); __device__ T __ldlu(const T *); \
  __device__ void __stcg(T *, T); __device__ void __stcs(T *, T); __device__ void __stwb(T *, T); \
  __device__ void __stwt(T *, T);
PORTER_CACHED(char) PORTER_CACHED(char2) PORTER_CACHED(char4) PORTER_CACHED(double) PORTER_CACHED(double2)
PORTER_CACHED(float) PORTER_CACHED(float2) PORTER_CACHED(float4) PORTER_CACHED(int) PORTER_CACHED(int2)
PORTER_CACHED(int4) PORTER_CACHED(long) PORTER_CACHED(long long) PORTER_CACHED(longlong2) PORTER_CACHED(short)
PORTER_CACHED(short2) PORTER_CACHED(short4) PORTER_CACHED(signed char) PORTER_CACHED(uchar2) PORTER_CACHED(uchar4)
PORTER_CACHED(uint2) PORTER_CACHED(uint4) PORTER_CACHED(ulonglong2) PORTER_CACHED(unsigned char)
PORTER_CACHED(unsigned int) PORTER_CACHED(unsigned long) PORTER_CACHED(unsigned long long) PORTER_CACHED(unsigned short)
PORTER_CACHED(ushort2) PORTER_CACHED(ushort4)
#undef PORTER_CACHED
#endif
