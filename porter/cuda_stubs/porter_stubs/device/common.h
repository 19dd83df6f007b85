// porter stub headers: device code, the C library functions that kernels may call.
#pragma once
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <new>
#include "../attributes.h"
#ifdef __CUDACC__
extern "C" __device__ int printf(const char *, ...);
__device__ void *malloc(size_t);
__device__ void free(void *);
__device__ void *memcpy(void *, const void *, size_t);
__device__ void *memset(void *, int, size_t);
__device__ void *memmove(void *, const void *, size_t);
__device__ clock_t clock();
__device__ long long clock64();
__device__ void *__nv_aligned_device_malloc(size_t, size_t);
extern "C" __device__ void __assert_fail(const char *, const char *, unsigned int, const char *) noexcept
    __attribute__((noreturn));

// clang's own <new> for CUDA, where it is in use, defines these.
#ifndef __CLANG_CUDA_WRAPPERS_NEW
__device__ void *operator new(size_t);
__device__ void *operator new[](size_t);
__device__ void operator delete(void *) noexcept;
__device__ void operator delete[](void *) noexcept;
__device__ void operator delete(void *, size_t) noexcept;
__device__ void operator delete[](void *, size_t) noexcept;
__device__ inline void *operator new(size_t, void *p) noexcept { return p; }
__device__ inline void *operator new[](size_t, void *p) noexcept { return p; }
__device__ inline void operator delete(void *, void *) noexcept {}
__device__ inline void operator delete[](void *, void *) noexcept {}
#endif
#endif
