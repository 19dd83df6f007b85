// porter stub headers: CUDA runtime, handle types
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "../uuid.h"

struct CUevent_st;
struct CUexternalMemory_st;
struct CUexternalSemaphore_st;
struct CUfunc_st;
struct CUgraphDeviceUpdatableNode_st;
struct CUgraphExec_st;
struct CUgraphNode_st;
struct CUgraph_st;
struct CUkern_st;
struct CUlib_st;
struct CUlogsCallbackEntry_st;
struct CUmemPoolHandle_st;
struct CUstream_st;
struct CUuserObject_st;
struct cudaArray;
struct cudaAsyncCallbackEntry;
struct cudaGraphicsResource;
struct cudaMipmappedArray;
typedef const cudaArray *cudaArray_const_t;
typedef cudaArray *cudaArray_t;
typedef cudaAsyncCallbackEntry *cudaAsyncCallbackHandle_t;
typedef CUevent_st *cudaEvent_t;
typedef CUexternalMemory_st *cudaExternalMemory_t;
typedef CUexternalSemaphore_st *cudaExternalSemaphore_t;
typedef CUfunc_st *cudaFunction_t;
typedef unsigned long long cudaGraphConditionalHandle;
typedef CUgraphDeviceUpdatableNode_st *cudaGraphDeviceNode_t;
typedef CUgraphExec_st *cudaGraphExec_t;
typedef CUgraphNode_st *cudaGraphNode_t;
typedef CUgraph_st *cudaGraph_t;
typedef cudaGraphicsResource *cudaGraphicsResource_t;
typedef CUkern_st *cudaKernel_t;
typedef CUlib_st *cudaLibrary_t;
typedef CUlogsCallbackEntry_st *cudaLogsCallbackHandle;
typedef CUmemPoolHandle_st *cudaMemPool_t;
typedef const cudaMipmappedArray *cudaMipmappedArray_const_t;
typedef cudaMipmappedArray *cudaMipmappedArray_t;
typedef CUstream_st *cudaStream_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef unsigned long long cudaTextureObject_t;
typedef CUuuid_st cudaUUID_t;
typedef CUuserObject_st *cudaUserObject_t;
