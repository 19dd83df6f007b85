// porter stub headers: device code, the part of the CUDA runtime that kernels may call.
#pragma once
#include "../../cuda_runtime_api.h"
#ifdef __CUDACC__
// Launches that overlap, and graphs that run from the device.
__device__ void cudaGridDependencySynchronize();
__device__ void cudaTriggerProgrammaticLaunchCompletion();
__device__ cudaGraphExec_t cudaGetCurrentGraphExec();
__device__ cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
__device__ void cudaGraphSetConditional(cudaGraphConditionalHandle, unsigned int);
__device__ cudaError_t cudaGraphKernelNodeSetEnabled(cudaGraphDeviceNode_t, bool);
__device__ cudaError_t cudaGraphKernelNodeSetGridDim(cudaGraphDeviceNode_t, dim3);
__device__ cudaError_t cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t, size_t, const void *, size_t);
template <class T>
__device__ cudaError_t cudaGraphKernelNodeSetParam(cudaGraphDeviceNode_t, size_t, const T &) PORTER_STUB_BODY
__device__ cudaError_t cudaGraphKernelNodeUpdatesApply(const cudaGraphKernelNodeUpdate *, size_t);

// Kernels that start kernels.
__device__ cudaError_t cudaDeviceSynchronize();
__device__ cudaError_t cudaDeviceGetAttribute(int *, cudaDeviceAttr, int);
__device__ cudaError_t cudaDeviceGetLimit(size_t *, cudaLimit);
__device__ cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *);
__device__ cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *);
__device__ cudaError_t cudaGetLastError();
__device__ cudaError_t cudaPeekAtLastError();
__device__ const char *cudaGetErrorString(cudaError_t);
__device__ const char *cudaGetErrorName(cudaError_t);
__device__ cudaError_t cudaGetDeviceCount(int *);
__device__ cudaError_t cudaGetDevice(int *);
__device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned int);
__device__ cudaError_t cudaStreamDestroy(cudaStream_t);
__device__ cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned int = 0);
__device__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned int);
__device__ cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
__device__ cudaError_t cudaEventRecordWithFlags(cudaEvent_t, cudaStream_t = 0, unsigned int = 0);
__device__ cudaError_t cudaEventDestroy(cudaEvent_t);
__device__ cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *, const void *);
__device__ cudaError_t cudaFree(void *);
__device__ cudaError_t cudaMalloc(void **, size_t);
__device__ cudaError_t cudaMemcpyAsync(void *, const void *, size_t, cudaMemcpyKind, cudaStream_t = 0);
__device__ cudaError_t cudaMemcpy2DAsync(void *, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind,
    cudaStream_t = 0);
__device__ cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *, cudaStream_t = 0);
__device__ cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t = 0);
__device__ cudaError_t cudaMemset2DAsync(void *, size_t, int, size_t, size_t, cudaStream_t = 0);
__device__ cudaError_t cudaMemset3DAsync(cudaPitchedPtr, int, cudaExtent, cudaStream_t = 0);
__device__ cudaError_t cudaRuntimeGetVersion(int *);
__device__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *, int, size_t);
__device__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *, const void *, int, size_t,
    unsigned int);
__device__ void *cudaGetParameterBuffer(size_t, size_t);
__device__ void *cudaGetParameterBufferV2(void *, dim3, dim3, unsigned int);
__device__ cudaError_t cudaLaunchDevice(void *, void *, dim3, dim3, unsigned int, cudaStream_t);
__device__ cudaError_t cudaLaunchDeviceV2(void *, cudaStream_t);

#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
#define cudaStreamGraphTailLaunch ((cudaStream_t)0x0100000000000000)
#define cudaStreamGraphFireAndForget ((cudaStream_t)0x0200000000000000)
#define cudaStreamGraphFireAndForgetAsSibling ((cudaStream_t)0x0300000000000000)
#endif
