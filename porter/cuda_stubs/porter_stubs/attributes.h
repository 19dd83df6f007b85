// porter stub headers: the CUDA keywords as compiler attributes, and the macros that nvcc predefines.
#pragma once
#ifdef __CUDA__
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __NVCC__
#define __NVCC__ 1
#endif
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 9
#define __CUDACC_VER_BUILD__ 41
#endif
#ifndef __CUDA_ARCH_LIST__
#define __CUDA_ARCH_LIST__ 900
#endif
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// The compiler knows no managed variables outside HIP: to it they are device variables with a mark.
#define __managed__ __attribute__((device, annotate("__managed__")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__ __attribute__((annotate("__grid_constant__")))
#define __cluster_dims__(...) __attribute__((annotate("__cluster_dims__", __VA_ARGS__)))
#define __block_size__(...) __attribute__((annotate("__block_size__")))
#define __maxnreg__(n) __attribute__((annotate("__maxnreg__", n)))
#define __nv_pure__ __attribute__((pure))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(n)
#define __nv_pure__
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__ __attribute__((annotate("__inline_hint__")))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __no_return__ __attribute__((noreturn))
#define __thread__ __thread
#define __annotate__(a) __attribute__((a))
#define __location__(a) __annotate__(a)
#define __device_builtin__
#define __cudart_builtin__
#define __specialization_static
#define __no_sc__
#define __cdecl
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDART_DEVICE __device__
#define CUDA_CB
#define CUDAAPI

// The body of a template: with a declaration alone, a call with a lambda or a local type is an error.
#define PORTER_STUB_BODY \
  { __builtin_unreachable(); }

// Uses that HIP takes in another way: the parser says where they are, in instances of templates too.
#ifdef __clang__
#define PORTER_SAID(what) PORTER_SAID_IF(true, what)
#define PORTER_SAID_IF(condition, what) __attribute__((diagnose_if(condition, what, "warning")))
#else
#define PORTER_SAID(what)
#define PORTER_SAID_IF(condition, what)
#endif
