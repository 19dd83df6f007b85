// porter stub headers: device code, intrinsics
#pragma once
#include "../../builtin_types.h"
#ifdef __CUDACC__
__device__ unsigned int __ballot(int);
__device__ unsigned long long __brevll(unsigned long long);
__device__ int __clzll(long long);
__device__ float __double2float_rd(double);
__device__ float __double2float_rn(double);
__device__ float __double2float_ru(double);
__device__ float __double2float_rz(double);
__device__ unsigned int __double2uint_rd(double);
__device__ unsigned int __double2uint_rn(double);
__device__ unsigned int __double2uint_ru(double);
__device__ unsigned int __double2uint_rz(double);
__device__ unsigned long long __double2ull_rd(double);
__device__ unsigned long long __double2ull_rn(double);
__device__ unsigned long long __double2ull_ru(double);
__device__ unsigned long long __double2ull_rz(double);
__device__ int __dp2a_hi(int, int, int);
__device__ int __dp2a_hi(short2, char4, int);
__device__ unsigned int __dp2a_hi(ushort2, uchar4, unsigned int);
__device__ int __dp2a_lo(int, int, int);
__device__ int __dp2a_lo(short2, char4, int);
__device__ unsigned int __dp2a_lo(ushort2, uchar4, unsigned int);
__device__ int __dp4a(char4, char4, int);
__device__ int __dp4a(int, int, int);
__device__ unsigned int __dp4a(uchar4, uchar4, unsigned int);
__device__ int __ffsll(long long);
__device__ long long __float2ll_rd(float);
__device__ long long __float2ll_rn(float);
__device__ long long __float2ll_ru(float);
__device__ long long __float2ll_rz(float);
__device__ unsigned long long __float2ull_rd(float);
__device__ unsigned long long __float2ull_rn(float);
__device__ unsigned long long __float2ull_ru(float);
__device__ unsigned long long __float2ull_rz(float);
__device__ double __fma_rd(double, double, double);
__device__ double __fma_rn(double, double, double);
__device__ double __fma_ru(double, double, double);
__device__ double __fma_rz(double, double, double);
__device__ int __hadd(int, int);
__device__ double __hiloint2double(int, int);
__device__ double __int2double_rn(int);
__device__ float __ll2float_rd(long long);
__device__ float __ll2float_rn(long long);
__device__ float __ll2float_ru(long long);
__device__ float __ll2float_rz(long long);
__device__ int __mul24(int, int);
__device__ long long __mul64hi(long long, long long);
__device__ int __mulhi(int, int);
__device__ unsigned int __pm0();
__device__ unsigned int __pm1();
__device__ unsigned int __pm2();
__device__ unsigned int __pm3();
__device__ int __popc(unsigned int);
__device__ int __popcll(unsigned long long);
__device__ void __prof_trigger(int);
__device__ int __rhadd(int, int);
__device__ unsigned int __sad(int, int, unsigned int);
__device__ void __sincosf(float, float *, float *);
__device__ double __uint2double_rn(unsigned int);
__device__ double __ull2double_rd(unsigned long long);
__device__ double __ull2double_rn(unsigned long long);
__device__ double __ull2double_ru(unsigned long long);
__device__ double __ull2double_rz(unsigned long long);
__device__ float __ull2float_rd(unsigned long long);
__device__ float __ull2float_rn(unsigned long long);
__device__ float __ull2float_ru(unsigned long long);
__device__ float __ull2float_rz(unsigned long long);
__device__ unsigned long long __umul64hi(unsigned long long, unsigned long long);
__host__ __device__ unsigned int __vibmax_s16x2(unsigned int, unsigned int, bool *const, bool *const);
__host__ __device__ int __vibmax_s32(int, int, bool *const);
__host__ __device__ unsigned int __vibmax_u16x2(unsigned int, unsigned int, bool *const, bool *const);
__host__ __device__ unsigned int __vibmax_u32(unsigned int, unsigned int, bool *const);
__host__ __device__ unsigned int __vibmin_s16x2(unsigned int, unsigned int, bool *const, bool *const);
__host__ __device__ int __vibmin_s32(int, int, bool *const);
__host__ __device__ unsigned int __vibmin_u16x2(unsigned int, unsigned int, bool *const, bool *const);
__host__ __device__ unsigned int __vibmin_u32(unsigned int, unsigned int, bool *const);
__host__ __device__ unsigned int __vimax_s16x2_relu(unsigned int, unsigned int);
__host__ __device__ int __vimax_s32_relu(int, int);
__host__ __device__ unsigned int __vimin_s16x2_relu(unsigned int, unsigned int);
__host__ __device__ int __vimin_s32_relu(int, int);
__device__ unsigned int ballot(bool);
__device__ long long clock64();
__device__ bool syncthreads_and(bool);
__device__ int syncthreads_count(bool);
__device__ bool syncthreads_or(bool);
#define PORTER_ONE(name) __device__ unsigned int name(unsigned int);
PORTER_ONE(__brev) PORTER_ONE(__vabs2) PORTER_ONE(__vabs4) PORTER_ONE(__vabsss2) PORTER_ONE(__vabsss4)
PORTER_ONE(__vneg2) PORTER_ONE(__vneg4) PORTER_ONE(__vnegss2) PORTER_ONE(__vnegss4)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ void name();
PORTER_ONE(__brkpt) PORTER_ONE(__syncthreads) PORTER_ONE(__threadfence) PORTER_ONE(__threadfence_block)
PORTER_ONE(__threadfence_system) PORTER_ONE(__trap)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ unsigned int name(unsigned int, unsigned int, unsigned int);
PORTER_ONE(__byte_perm) PORTER_ONE(__dp2a_hi) PORTER_ONE(__dp2a_lo) PORTER_ONE(__dp4a) PORTER_ONE(__usad)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ int name(int);
PORTER_ONE(__clz) PORTER_ONE(__ffs) PORTER_ONE(__syncthreads_and) PORTER_ONE(__syncthreads_count)
PORTER_ONE(__syncthreads_or)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ float name(float);
PORTER_ONE(__cosf) PORTER_ONE(__exp10f) PORTER_ONE(__expf) PORTER_ONE(__frcp_rd) PORTER_ONE(__frcp_rn)
PORTER_ONE(__frcp_ru) PORTER_ONE(__frcp_rz) PORTER_ONE(__frsqrt_rn) PORTER_ONE(__fsqrt_rd) PORTER_ONE(__fsqrt_rn)
PORTER_ONE(__fsqrt_ru) PORTER_ONE(__fsqrt_rz) PORTER_ONE(__log10f) PORTER_ONE(__log2f) PORTER_ONE(__logf)
PORTER_ONE(__saturatef) PORTER_ONE(__sinf) PORTER_ONE(__tanf) PORTER_ONE(__tanhf)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ void *name(size_t);
PORTER_ONE(__cvta_constant_to_generic) PORTER_ONE(__cvta_global_to_generic) PORTER_ONE(__cvta_grid_constant_to_generic)
PORTER_ONE(__cvta_local_to_generic) PORTER_ONE(__cvta_shared_to_generic)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ size_t name(const void *);
PORTER_ONE(__cvta_generic_to_constant) PORTER_ONE(__cvta_generic_to_global) PORTER_ONE(__cvta_generic_to_grid_constant)
PORTER_ONE(__cvta_generic_to_local) PORTER_ONE(__cvta_generic_to_shared)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ double name(double, double);
PORTER_ONE(__dadd_rd) PORTER_ONE(__dadd_rn) PORTER_ONE(__dadd_ru) PORTER_ONE(__dadd_rz) PORTER_ONE(__ddiv_rd)
PORTER_ONE(__ddiv_rn) PORTER_ONE(__ddiv_ru) PORTER_ONE(__ddiv_rz) PORTER_ONE(__dmul_rd) PORTER_ONE(__dmul_rn)
PORTER_ONE(__dmul_ru) PORTER_ONE(__dmul_rz) PORTER_ONE(__dsub_rd) PORTER_ONE(__dsub_rn) PORTER_ONE(__dsub_ru)
PORTER_ONE(__dsub_rz) PORTER_ONE(fdivide)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ int name(double);
PORTER_ONE(__double2hiint) PORTER_ONE(__double2int_rd) PORTER_ONE(__double2int_rn) PORTER_ONE(__double2int_ru)
PORTER_ONE(__double2int_rz) PORTER_ONE(__double2loint)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ long long name(double);
PORTER_ONE(__double2ll_rd) PORTER_ONE(__double2ll_rn) PORTER_ONE(__double2ll_ru) PORTER_ONE(__double2ll_rz)
PORTER_ONE(__double_as_longlong)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ double name(double);
PORTER_ONE(__drcp_rd) PORTER_ONE(__drcp_rn) PORTER_ONE(__drcp_ru) PORTER_ONE(__drcp_rz) PORTER_ONE(__dsqrt_rd)
PORTER_ONE(__dsqrt_rn) PORTER_ONE(__dsqrt_ru) PORTER_ONE(__dsqrt_rz)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ float name(float, float);
PORTER_ONE(__fadd_rd) PORTER_ONE(__fadd_rn) PORTER_ONE(__fadd_ru) PORTER_ONE(__fadd_rz) PORTER_ONE(__fdiv_rd)
PORTER_ONE(__fdiv_rn) PORTER_ONE(__fdiv_ru) PORTER_ONE(__fdiv_rz) PORTER_ONE(__fdividef) PORTER_ONE(__fmul_rd)
PORTER_ONE(__fmul_rn) PORTER_ONE(__fmul_ru) PORTER_ONE(__fmul_rz) PORTER_ONE(__fsub_rd) PORTER_ONE(__fsub_rn)
PORTER_ONE(__fsub_ru) PORTER_ONE(__fsub_rz) PORTER_ONE(__powf) PORTER_ONE(fdividef)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ float2 name(float2, float2);
PORTER_ONE(__fadd2_rd) PORTER_ONE(__fadd2_rn) PORTER_ONE(__fadd2_ru) PORTER_ONE(__fadd2_rz) PORTER_ONE(__fmul2_rd)
PORTER_ONE(__fmul2_rn) PORTER_ONE(__fmul2_ru) PORTER_ONE(__fmul2_rz)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ float2 name(float2, float2, float2);
PORTER_ONE(__ffma2_rd) PORTER_ONE(__ffma2_rn) PORTER_ONE(__ffma2_ru) PORTER_ONE(__ffma2_rz)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ int name(float);
PORTER_ONE(__float2int_rd) PORTER_ONE(__float2int_rn) PORTER_ONE(__float2int_ru) PORTER_ONE(__float2int_rz)
PORTER_ONE(__float_as_int)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ unsigned int name(float);
PORTER_ONE(__float2uint_rd) PORTER_ONE(__float2uint_rn) PORTER_ONE(__float2uint_ru) PORTER_ONE(__float2uint_rz)
PORTER_ONE(__float_as_uint)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ float name(float, float, float);
PORTER_ONE(__fmaf_ieee_rd) PORTER_ONE(__fmaf_ieee_rn) PORTER_ONE(__fmaf_ieee_ru) PORTER_ONE(__fmaf_ieee_rz)
PORTER_ONE(__fmaf_rd) PORTER_ONE(__fmaf_rn) PORTER_ONE(__fmaf_ru) PORTER_ONE(__fmaf_rz)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ float name(int);
PORTER_ONE(__int2float_rd) PORTER_ONE(__int2float_rn) PORTER_ONE(__int2float_ru) PORTER_ONE(__int2float_rz)
PORTER_ONE(__int_as_float)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ unsigned int name(const void *);
PORTER_ONE(__isConstant) PORTER_ONE(__isGlobal) PORTER_ONE(__isGridConstant) PORTER_ONE(__isLocal)
PORTER_ONE(__isShared)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ double name(long long);
PORTER_ONE(__ll2double_rd) PORTER_ONE(__ll2double_rn) PORTER_ONE(__ll2double_ru) PORTER_ONE(__ll2double_rz)
PORTER_ONE(__longlong_as_double)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ unsigned int name(unsigned int, unsigned int);
PORTER_ONE(__uhadd) PORTER_ONE(__umul24) PORTER_ONE(__umulhi) PORTER_ONE(__urhadd) PORTER_ONE(__vabsdiffs2)
PORTER_ONE(__vabsdiffs4) PORTER_ONE(__vabsdiffu2) PORTER_ONE(__vabsdiffu4) PORTER_ONE(__vadd2) PORTER_ONE(__vadd4)
PORTER_ONE(__vaddss2) PORTER_ONE(__vaddss4) PORTER_ONE(__vaddus2) PORTER_ONE(__vaddus4) PORTER_ONE(__vavgs2)
PORTER_ONE(__vavgs4) PORTER_ONE(__vavgu2) PORTER_ONE(__vavgu4) PORTER_ONE(__vcmpeq2) PORTER_ONE(__vcmpeq4)
PORTER_ONE(__vcmpges2) PORTER_ONE(__vcmpges4) PORTER_ONE(__vcmpgeu2) PORTER_ONE(__vcmpgeu4) PORTER_ONE(__vcmpgts2)
PORTER_ONE(__vcmpgts4) PORTER_ONE(__vcmpgtu2) PORTER_ONE(__vcmpgtu4) PORTER_ONE(__vcmples2) PORTER_ONE(__vcmples4)
PORTER_ONE(__vcmpleu2) PORTER_ONE(__vcmpleu4) PORTER_ONE(__vcmplts2) PORTER_ONE(__vcmplts4) PORTER_ONE(__vcmpltu2)
PORTER_ONE(__vcmpltu4) PORTER_ONE(__vcmpne2) PORTER_ONE(__vcmpne4) PORTER_ONE(__vhaddu2) PORTER_ONE(__vhaddu4)
PORTER_ONE(__vmaxs2) PORTER_ONE(__vmaxs4) PORTER_ONE(__vmaxu2) PORTER_ONE(__vmaxu4) PORTER_ONE(__vmins2)
PORTER_ONE(__vmins4) PORTER_ONE(__vminu2) PORTER_ONE(__vminu4) PORTER_ONE(__vsads2) PORTER_ONE(__vsads4)
PORTER_ONE(__vsadu2) PORTER_ONE(__vsadu4) PORTER_ONE(__vseteq2) PORTER_ONE(__vseteq4) PORTER_ONE(__vsetges2)
PORTER_ONE(__vsetges4) PORTER_ONE(__vsetgeu2) PORTER_ONE(__vsetgeu4) PORTER_ONE(__vsetgts2) PORTER_ONE(__vsetgts4)
PORTER_ONE(__vsetgtu2) PORTER_ONE(__vsetgtu4) PORTER_ONE(__vsetles2) PORTER_ONE(__vsetles4) PORTER_ONE(__vsetleu2)
PORTER_ONE(__vsetleu4) PORTER_ONE(__vsetlts2) PORTER_ONE(__vsetlts4) PORTER_ONE(__vsetltu2) PORTER_ONE(__vsetltu4)
PORTER_ONE(__vsetne2) PORTER_ONE(__vsetne4) PORTER_ONE(__vsub2) PORTER_ONE(__vsub4) PORTER_ONE(__vsubss2)
PORTER_ONE(__vsubss4) PORTER_ONE(__vsubus2) PORTER_ONE(__vsubus4)
#undef PORTER_ONE
#define PORTER_ONE(name) __device__ float name(unsigned int);
PORTER_ONE(__uint2float_rd) PORTER_ONE(__uint2float_rn) PORTER_ONE(__uint2float_ru) PORTER_ONE(__uint2float_rz)
PORTER_ONE(__uint_as_float)
#undef PORTER_ONE
#define PORTER_ONE(name) __host__ __device__ unsigned int name(unsigned int, unsigned int, unsigned int);
PORTER_ONE(__viaddmax_s16x2) PORTER_ONE(__viaddmax_s16x2_relu) PORTER_ONE(__viaddmax_u16x2) PORTER_ONE(__viaddmax_u32)
PORTER_ONE(__viaddmin_s16x2) PORTER_ONE(__viaddmin_s16x2_relu) PORTER_ONE(__viaddmin_u16x2) PORTER_ONE(__viaddmin_u32)
PORTER_ONE(__vimax3_s16x2) PORTER_ONE(__vimax3_s16x2_relu) PORTER_ONE(__vimax3_u16x2) PORTER_ONE(__vimax3_u32)
PORTER_ONE(__vimin3_s16x2) PORTER_ONE(__vimin3_s16x2_relu) PORTER_ONE(__vimin3_u16x2) PORTER_ONE(__vimin3_u32)
#undef PORTER_ONE
#define PORTER_ONE(name) __host__ __device__ int name(int, int, int);
PORTER_ONE(__viaddmax_s32) PORTER_ONE(__viaddmax_s32_relu) PORTER_ONE(__viaddmin_s32) PORTER_ONE(__viaddmin_s32_relu)
PORTER_ONE(__vimax3_s32) PORTER_ONE(__vimax3_s32_relu) PORTER_ONE(__vimin3_s32) PORTER_ONE(__vimin3_s32_relu)
#undef PORTER_ONE
#endif
