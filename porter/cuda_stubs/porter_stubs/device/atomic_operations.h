// porter stub headers: device code, atomics with a memory order and a scope.
#pragma once
#include "../../builtin_types.h"
#ifdef __CUDACC__
enum {
  __NV_ATOMIC_RELAXED = 0, __NV_ATOMIC_CONSUME, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST = 5,
};
enum {
  __NV_THREAD_SCOPE_THREAD = 0, __NV_THREAD_SCOPE_BLOCK, __NV_THREAD_SCOPE_CLUSTER, __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM = 4,
};
template <class T>
__device__ void __nv_atomic_load(const T *, T *, int, int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
template <class T> __device__ T __nv_atomic_load_n(const T *, int, int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
template <class T> __device__ void __nv_atomic_store(T *, T *, int, int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
template <class T> __device__ void __nv_atomic_store_n(T *, T, int, int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
template <class T>
__device__ void __nv_atomic_exchange(T *, T *, T *, int, int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
template <class T> __device__ T __nv_atomic_exchange_n(T *, T, int, int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
template <class T>
__device__ bool __nv_atomic_compare_exchange(T *, T *, T *, bool, int, int,
    int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
template <class T>
__device__ bool __nv_atomic_compare_exchange_n(T *, T *, T, bool, int, int,
    int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
template <class T> __device__ T __nv_atomic_fetch_add(T *, T, int, int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
template <class T> __device__ T __nv_atomic_fetch_sub(T *, T, int, int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
template <class T> __device__ T __nv_atomic_fetch_and(T *, T, int, int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
template <class T> __device__ T __nv_atomic_fetch_or(T *, T, int, int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
template <class T> __device__ T __nv_atomic_fetch_xor(T *, T, int, int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
template <class T> __device__ T __nv_atomic_fetch_min(T *, T, int, int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
template <class T> __device__ T __nv_atomic_fetch_max(T *, T, int, int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
template <class T> __device__ void __nv_atomic_add(T *, T, int, int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
template <class T> __device__ void __nv_atomic_sub(T *, T, int, int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
template <class T> __device__ void __nv_atomic_and(T *, T, int, int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
template <class T> __device__ void __nv_atomic_or(T *, T, int, int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
template <class T> __device__ void __nv_atomic_xor(T *, T, int, int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
template <class T> __device__ void __nv_atomic_min(T *, T, int, int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
template <class T> __device__ void __nv_atomic_max(T *, T, int, int = __NV_THREAD_SCOPE_SYSTEM) PORTER_STUB_BODY
__device__ void __nv_atomic_thread_fence(int, int = __NV_THREAD_SCOPE_SYSTEM);

// Compare-and-swap and exchange on any 16-byte type.
template <class T> __device__ T atomicCAS(T *, T, T) PORTER_STUB_BODY
template <class T> __device__ T atomicCAS_block(T *, T, T) PORTER_STUB_BODY
template <class T> __device__ T atomicCAS_system(T *, T, T) PORTER_STUB_BODY
template <class T> __device__ T atomicExch(T *, T) PORTER_STUB_BODY
template <class T> __device__ T atomicExch_block(T *, T) PORTER_STUB_BODY
template <class T> __device__ T atomicExch_system(T *, T) PORTER_STUB_BODY
#endif
