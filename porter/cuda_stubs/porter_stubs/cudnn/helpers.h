// porter stub headers: cuDNN, the library and the backend interface
#pragma once
#include "types.h"

extern "C" {
cudnnStatus_t cudnnAdvVersionCheck();
cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t, cudnnBackendDescriptor_t *);
cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t);
cudnnStatus_t cudnnBackendExecute(cudnnHandle_t, cudnnBackendDescriptor_t, cudnnBackendDescriptor_t);
cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t);
cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t, cudnnBackendAttributeName_t,
    cudnnBackendAttributeType_t, int64_t, int64_t *, void *);
cudnnStatus_t cudnnBackendInitialize(cudnnBackendDescriptor_t);
cudnnStatus_t cudnnBackendPopulateCudaGraph(cudnnHandle_t, cudnnBackendDescriptor_t, cudnnBackendDescriptor_t,
    cudaGraph_t);
cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t, cudnnBackendAttributeName_t,
    cudnnBackendAttributeType_t, int64_t, const void *);
cudnnStatus_t cudnnBackendUpdateCudaGraph(cudnnHandle_t, cudnnBackendDescriptor_t, cudnnBackendDescriptor_t,
    cudaGraph_t);
cudnnStatus_t cudnnCnnVersionCheck();
cudnnStatus_t cudnnCreate(cudnnHandle_t *);
cudnnStatus_t cudnnDestroy(cudnnHandle_t);
cudnnStatus_t cudnnGetCallback(unsigned int *, void **, cudnnCallback_t *);
size_t cudnnGetCudartVersion();
const char *cudnnGetErrorString(cudnnStatus_t);
void cudnnGetLastErrorString(char *, size_t);
size_t cudnnGetMaxDeviceVersion();
cudnnStatus_t cudnnGetProperty(libraryPropertyType, int *);
cudnnStatus_t cudnnGetStream(cudnnHandle_t, cudaStream_t *);
size_t cudnnGetVersion();
cudnnStatus_t cudnnGraphVersionCheck();
cudnnStatus_t cudnnOpsVersionCheck();
cudnnStatus_t cudnnQueryRuntimeError(cudnnHandle_t, cudnnStatus_t *, cudnnErrQueryMode_t, cudnnRuntimeTag_t *);
cudnnStatus_t cudnnSetCallback(unsigned int, void *, cudnnCallback_t);
cudnnStatus_t cudnnSetStream(cudnnHandle_t, cudaStream_t);
}
