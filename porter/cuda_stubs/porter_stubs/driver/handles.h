// porter stub headers: CUDA driver, handle types
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "../attributes.h"
#include "../uuid.h"

struct CUarray_st;
struct CUasyncCallbackEntry_st;
struct CUctx_st;
struct CUdevResourceDesc_st;
struct CUevent_st;
struct CUextMemory_st;
struct CUextSemaphore_st;
struct CUfunc_st;
struct CUgraphDeviceUpdatableNode_st;
struct CUgraphExec_st;
struct CUgraphNode_st;
struct CUgraph_st;
struct CUgraphicsResource_st;
struct CUgreenCtx_st;
struct CUkern_st;
struct CUlib_st;
struct CUlinkState_st;
struct CUlogsCallbackEntry_st;
struct CUmemPoolHandle_st;
struct CUmipmappedArray_st;
struct CUmod_st;
struct CUstream_st;
struct CUsurfref_st;
struct CUtexref_st;
struct CUuserObject_st;
typedef CUarray_st *CUarray;
typedef CUasyncCallbackEntry_st *CUasyncCallbackHandle;
typedef CUctx_st *CUcontext;
typedef CUdevResourceDesc_st *CUdevResourceDesc;
typedef int CUdevice_v1;
typedef CUdevice_v1 CUdevice;
typedef unsigned long long CUdeviceptr_v2;
typedef CUdeviceptr_v2 CUdeviceptr;
typedef CUevent_st *CUevent;
typedef CUextMemory_st *CUexternalMemory;
typedef CUextSemaphore_st *CUexternalSemaphore;
typedef CUfunc_st *CUfunction;
typedef CUgraph_st *CUgraph;
typedef uint64_t cuuint64_t;
typedef cuuint64_t CUgraphConditionalHandle;
typedef CUgraphDeviceUpdatableNode_st *CUgraphDeviceNode;
typedef CUgraphExec_st *CUgraphExec;
typedef CUgraphNode_st *CUgraphNode;
typedef CUgraphicsResource_st *CUgraphicsResource;
typedef CUgreenCtx_st *CUgreenCtx;
typedef CUkern_st *CUkernel;
typedef CUlib_st *CUlibrary;
typedef CUlinkState_st *CUlinkState;
typedef CUlogsCallbackEntry_st *CUlogsCallbackHandle;
typedef CUmemPoolHandle_st *CUmemoryPool;
typedef CUmipmappedArray_st *CUmipmappedArray;
typedef CUmod_st *CUmodule;
typedef CUstream_st *CUstream;
typedef unsigned long long CUsurfObject_v1;
typedef CUsurfObject_v1 CUsurfObject;
typedef CUsurfref_st *CUsurfref;
typedef unsigned long long CUtexObject_v1;
typedef CUtexObject_v1 CUtexObject;
typedef CUtexref_st *CUtexref;
typedef CUuserObject_st *CUuserObject;
typedef CUuuid_st CUuuid;
typedef uint32_t cuuint32_t;
