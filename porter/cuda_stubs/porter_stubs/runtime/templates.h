// porter stub headers: CUDA runtime, the C++ forms of functions that take pointers, symbols and kernels.
#pragma once
#include "../../cuda_runtime_api.h"
#ifdef __CUDACC__
// Kernel<<<grid, block, shared memory, stream>>>(...) is compiled into a call of one of these.
extern "C" {
unsigned int __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = 0);
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
cudaError_t cudaSetupArgument(const void *, size_t, size_t);
cudaError_t cudaLaunch(const void *);
}
#endif

// Memory.
cudaError_t cudaEventCreate(cudaEvent_t *, unsigned int);
cudaError_t cudaMallocHost(void **, size_t, unsigned int);
template <class T> cudaError_t cudaMalloc(T **, size_t) PORTER_STUB_BODY
template <class T> cudaError_t cudaMallocHost(T **, size_t, unsigned int = 0) PORTER_STUB_BODY
template <class T> cudaError_t cudaMallocManaged(T **, size_t, unsigned int = cudaMemAttachGlobal) PORTER_STUB_BODY
template <class T> cudaError_t cudaMallocPitch(T **, size_t *, size_t, size_t) PORTER_STUB_BODY
template <class T> cudaError_t cudaMallocAsync(T **, size_t, cudaStream_t) PORTER_STUB_BODY
template <class T> cudaError_t cudaMallocAsync(T **, size_t, cudaMemPool_t, cudaStream_t) PORTER_STUB_BODY
cudaError_t cudaMallocAsync(void **, size_t, cudaMemPool_t, cudaStream_t);
template <class T> cudaError_t cudaMallocFromPoolAsync(T **, size_t, cudaMemPool_t, cudaStream_t) PORTER_STUB_BODY
template <class T> cudaError_t cudaHostAlloc(T **, size_t, unsigned int) PORTER_STUB_BODY
template <class T> cudaError_t cudaHostGetDevicePointer(T **, void *, unsigned int) PORTER_STUB_BODY
template <class T>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, T *, size_t = 0, unsigned int = cudaMemAttachSingle) PORTER_STUB_BODY
template <class T>
cudaError_t cudaMemPrefetchBatchAsync(T **, size_t *, size_t, cudaMemLocation, unsigned long long,
    cudaStream_t) PORTER_STUB_BODY

// Symbols.
template <class T> cudaError_t cudaGetSymbolAddress(void **, const T &) PORTER_STUB_BODY
template <class T> cudaError_t cudaGetSymbolSize(size_t *, const T &) PORTER_STUB_BODY
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &, const void *, size_t, size_t = 0,
    cudaMemcpyKind = cudaMemcpyHostToDevice) PORTER_STUB_BODY
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &, const void *, size_t, size_t = 0,
    cudaMemcpyKind = cudaMemcpyHostToDevice, cudaStream_t = 0) PORTER_STUB_BODY
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *, const T &, size_t, size_t = 0,
    cudaMemcpyKind = cudaMemcpyDeviceToHost) PORTER_STUB_BODY
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *, const T &, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost,
    cudaStream_t = 0) PORTER_STUB_BODY
template <class T>
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, const T &,
    const void *, size_t, size_t, cudaMemcpyKind) PORTER_STUB_BODY
template <class T>
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, void *,
    const T &, size_t, size_t, cudaMemcpyKind) PORTER_STUB_BODY
template <class T>
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t, const T &, const void *, size_t, size_t,
    cudaMemcpyKind) PORTER_STUB_BODY
template <class T>
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t, void *, const T &, size_t, size_t,
    cudaMemcpyKind) PORTER_STUB_BODY
template <class T>
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t, cudaGraphNode_t, const T &, const void *, size_t,
    size_t, cudaMemcpyKind) PORTER_STUB_BODY
template <class T>
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t, cudaGraphNode_t, void *, const T &, size_t,
    size_t, cudaMemcpyKind) PORTER_STUB_BODY
template <class T>
cudaError_t cudaUserObjectCreate(cudaUserObject_t *, T *, unsigned int, unsigned int) PORTER_STUB_BODY
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, cudaGraphNode_t *, char *, size_t);

// Kernels and launches.
template <class T> cudaError_t cudaLaunchKernel(T *, dim3, dim3, void **, size_t = 0, cudaStream_t = 0) PORTER_STUB_BODY
template <class... Expected, class... Actual>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *, void (*)(Expected...), Actual &&...) PORTER_STUB_BODY
template <class... Actual>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *, cudaKernel_t, Actual &&...) PORTER_STUB_BODY
template <class T>
cudaError_t cudaLaunchCooperativeKernel(T *, dim3, dim3, void **, size_t = 0, cudaStream_t = 0) PORTER_STUB_BODY
template <class T> cudaError_t cudaFuncSetCacheConfig(T *, cudaFuncCache) PORTER_STUB_BODY
template <class T> cudaError_t cudaFuncSetSharedMemConfig(T *, cudaSharedMemConfig) PORTER_STUB_BODY
template <class T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *, T *) PORTER_STUB_BODY
template <class T> cudaError_t cudaFuncSetAttribute(T *, cudaFuncAttribute, int) PORTER_STUB_BODY
template <class T> cudaError_t cudaFuncGetName(const char **, T *) PORTER_STUB_BODY
template <class T> cudaError_t cudaGetKernel(cudaKernel_t *, T *) PORTER_STUB_BODY
template <class T> cudaError_t cudaGetFuncBySymbol(cudaFunction_t *, T *) PORTER_STUB_BODY
template <class T> cudaError_t cudaLibraryGetGlobal(T **, size_t *, cudaLibrary_t, const char *) PORTER_STUB_BODY
template <class T> cudaError_t cudaLibraryGetManaged(T **, size_t *, cudaLibrary_t, const char *) PORTER_STUB_BODY
template <class T> cudaError_t cudaLibraryGetUnifiedFunction(T **, cudaLibrary_t, const char *) PORTER_STUB_BODY

// Occupancy.
template <class T> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, T, int, size_t) PORTER_STUB_BODY
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *, T, int, size_t, unsigned int) PORTER_STUB_BODY
template <class T> cudaError_t cudaOccupancyMaxPotentialBlockSize(int *, int *, T, size_t = 0, int = 0) PORTER_STUB_BODY
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *, int *, T, size_t = 0, int = 0,
    unsigned int = 0) PORTER_STUB_BODY
template <class UnaryFunction, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *, int *, T, UnaryFunction, int = 0) PORTER_STUB_BODY
template <class UnaryFunction, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *, int *, T, UnaryFunction, int = 0,
    unsigned int = 0) PORTER_STUB_BODY
template <class T> cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *, T *, int, int) PORTER_STUB_BODY
template <class T>
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *, T *, const cudaLaunchConfig_t *) PORTER_STUB_BODY
template <class T> cudaError_t cudaOccupancyMaxActiveClusters(int *, T *, const cudaLaunchConfig_t *) PORTER_STUB_BODY

#ifdef __CUDACC__
// Legacy texture and surface references.
template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t *, const texture<T, dim, mode> &, const void *, const cudaChannelFormatDesc &,
    size_t = UINT_MAX) PORTER_STUB_BODY
template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t *, const texture<T, dim, mode> &, const void *, size_t = UINT_MAX) PORTER_STUB_BODY
template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(size_t *, const texture<T, dim, mode> &, const void *, const cudaChannelFormatDesc &,
    size_t, size_t, size_t) PORTER_STUB_BODY
template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(size_t *, const texture<T, dim, mode> &, const void *, size_t, size_t,
    size_t) PORTER_STUB_BODY
template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, dim, mode> &, cudaArray_const_t,
    const cudaChannelFormatDesc &) PORTER_STUB_BODY
template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, dim, mode> &, cudaArray_const_t) PORTER_STUB_BODY
template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToMipmappedArray(const texture<T, dim, mode> &, cudaMipmappedArray_const_t,
    const cudaChannelFormatDesc &) PORTER_STUB_BODY
template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToMipmappedArray(const texture<T, dim, mode> &, cudaMipmappedArray_const_t) PORTER_STUB_BODY
template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaUnbindTexture(const texture<T, dim, mode> &) PORTER_STUB_BODY
template <class T, int dim, cudaTextureReadMode mode>
cudaError_t cudaGetTextureAlignmentOffset(size_t *, const texture<T, dim, mode> &) PORTER_STUB_BODY
template <class T, int dim>
cudaError_t cudaBindSurfaceToArray(const surface<T, dim> &, cudaArray_const_t,
    const cudaChannelFormatDesc &) PORTER_STUB_BODY
template <class T, int dim>
cudaError_t cudaBindSurfaceToArray(const surface<T, dim> &, cudaArray_const_t) PORTER_STUB_BODY
#endif
