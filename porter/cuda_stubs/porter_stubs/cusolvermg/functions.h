// porter stub headers: cuSOLVER multi-GPU, functions
#pragma once
#include "types.h"

extern "C" {
cusolverStatus_t cusolverMgCreate(cusolverMgHandle_t *);
cusolverStatus_t cusolverMgCreateDeviceGrid(cudaLibMgGrid_t *, int32_t, int32_t, const int32_t *,
    cusolverMgGridMapping_t);
cusolverStatus_t cusolverMgCreateMatrixDesc(cudaLibMgMatrixDesc_t *, int64_t, int64_t, int64_t, int64_t, cudaDataType,
    cudaLibMgGrid_t);
cusolverStatus_t cusolverMgDestroy(cusolverMgHandle_t);
cusolverStatus_t cusolverMgDestroyGrid(cudaLibMgGrid_t);
cusolverStatus_t cusolverMgDestroyMatrixDesc(cudaLibMgMatrixDesc_t);
cusolverStatus_t cusolverMgDeviceSelect(cusolverMgHandle_t, int, int *);
cusolverStatus_t cusolverMgGetrf(cusolverMgHandle_t, int, int, void **, int, int, cudaLibMgMatrixDesc_t, int **,
    cudaDataType, void **, int64_t, int *);
cusolverStatus_t cusolverMgGetrf_bufferSize(cusolverMgHandle_t, int, int, void **, int, int, cudaLibMgMatrixDesc_t,
    int **, cudaDataType, int64_t *);
cusolverStatus_t cusolverMgGetrs(cusolverMgHandle_t, cublasOperation_t, int, int, void **, int, int,
    cudaLibMgMatrixDesc_t, int **, void **, int, int, cudaLibMgMatrixDesc_t, cudaDataType, void **, int64_t, int *);
cusolverStatus_t cusolverMgGetrs_bufferSize(cusolverMgHandle_t, cublasOperation_t, int, int, void **, int, int,
    cudaLibMgMatrixDesc_t, int **, void **, int, int, cudaLibMgMatrixDesc_t, cudaDataType, int64_t *);
cusolverStatus_t cusolverMgPotrf(cusolverMgHandle_t, cublasFillMode_t, int, void **, int, int, cudaLibMgMatrixDesc_t,
    cudaDataType, void **, int64_t, int *);
cusolverStatus_t cusolverMgPotrf_bufferSize(cusolverMgHandle_t, cublasFillMode_t, int, void **, int, int,
    cudaLibMgMatrixDesc_t, cudaDataType, int64_t *);
cusolverStatus_t cusolverMgPotri(cusolverMgHandle_t, cublasFillMode_t, int, void **, int, int, cudaLibMgMatrixDesc_t,
    cudaDataType, void **, int64_t, int *);
cusolverStatus_t cusolverMgPotri_bufferSize(cusolverMgHandle_t, cublasFillMode_t, int, void **, int, int,
    cudaLibMgMatrixDesc_t, cudaDataType, int64_t *);
cusolverStatus_t cusolverMgPotrs(cusolverMgHandle_t, cublasFillMode_t, int, int, void **, int, int,
    cudaLibMgMatrixDesc_t, void **, int, int, cudaLibMgMatrixDesc_t, cudaDataType, void **, int64_t, int *);
cusolverStatus_t cusolverMgPotrs_bufferSize(cusolverMgHandle_t, cublasFillMode_t, int, int, void **, int, int,
    cudaLibMgMatrixDesc_t, void **, int, int, cudaLibMgMatrixDesc_t, cudaDataType, int64_t *);
cusolverStatus_t cusolverMgSyevd(cusolverMgHandle_t, cusolverEigMode_t, cublasFillMode_t, int, void **, int, int,
    cudaLibMgMatrixDesc_t, void *, cudaDataType, cudaDataType, void **, int64_t, int *);
cusolverStatus_t cusolverMgSyevd_bufferSize(cusolverMgHandle_t, cusolverEigMode_t, cublasFillMode_t, int, void **, int,
    int, cudaLibMgMatrixDesc_t, void *, cudaDataType, cudaDataType, int64_t *);
}
