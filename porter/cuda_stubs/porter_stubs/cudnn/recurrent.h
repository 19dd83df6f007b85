// porter stub headers: cuDNN, recurrent networks, attention, CTC
#pragma once
#include "types.h"

extern "C" {
cudnnStatus_t cudnnBuildRNNDynamic(cudnnHandle_t, cudnnRNNDescriptor_t, int);
cudnnStatus_t cudnnCTCLoss(cudnnHandle_t, cudnnTensorDescriptor_t, const void *, const int *, const int *, const int *,
    void *, cudnnTensorDescriptor_t, void *, cudnnCTCLossAlgo_t, cudnnCTCLossDescriptor_t, void *, size_t);
cudnnStatus_t cudnnCTCLoss_v8(cudnnHandle_t, cudnnCTCLossAlgo_t, cudnnCTCLossDescriptor_t, cudnnTensorDescriptor_t,
    const void *, const int *, const int *, const int *, void *, cudnnTensorDescriptor_t, void *, size_t, void *);
cudnnStatus_t cudnnCreateAttnDescriptor(cudnnAttnDescriptor_t *);
cudnnStatus_t cudnnCreateCTCLossDescriptor(cudnnCTCLossDescriptor_t *);
cudnnStatus_t cudnnCreateRNNDataDescriptor(cudnnRNNDataDescriptor_t *);
cudnnStatus_t cudnnCreateRNNDescriptor(cudnnRNNDescriptor_t *);
cudnnStatus_t cudnnCreateSeqDataDescriptor(cudnnSeqDataDescriptor_t *);
cudnnStatus_t cudnnDestroyAttnDescriptor(cudnnAttnDescriptor_t);
cudnnStatus_t cudnnDestroyCTCLossDescriptor(cudnnCTCLossDescriptor_t);
cudnnStatus_t cudnnDestroyRNNDataDescriptor(cudnnRNNDataDescriptor_t);
cudnnStatus_t cudnnDestroyRNNDescriptor(cudnnRNNDescriptor_t);
cudnnStatus_t cudnnDestroySeqDataDescriptor(cudnnSeqDataDescriptor_t);
cudnnStatus_t cudnnGetAttnDescriptor(cudnnAttnDescriptor_t, unsigned int *, int *, double *, cudnnDataType_t *,
    cudnnDataType_t *, cudnnMathType_t *, cudnnDropoutDescriptor_t *, cudnnDropoutDescriptor_t *, int *, int *, int *,
    int *, int *, int *, int *, int *, int *, int *, int *);
cudnnStatus_t cudnnGetCTCLossDescriptor(cudnnCTCLossDescriptor_t, cudnnDataType_t *);
cudnnStatus_t cudnnGetCTCLossDescriptorEx(cudnnCTCLossDescriptor_t, cudnnDataType_t *, cudnnLossNormalizationMode_t *,
    cudnnNanPropagation_t *);
cudnnStatus_t cudnnGetCTCLossDescriptor_v8(cudnnCTCLossDescriptor_t, cudnnDataType_t *, cudnnLossNormalizationMode_t *,
    cudnnNanPropagation_t *, int *);
cudnnStatus_t cudnnGetCTCLossDescriptor_v9(cudnnCTCLossDescriptor_t, cudnnDataType_t *, cudnnLossNormalizationMode_t *,
    cudnnCTCGradMode_t *, int *);
cudnnStatus_t cudnnGetCTCLossWorkspaceSize(cudnnHandle_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, const int *,
    const int *, const int *, cudnnCTCLossAlgo_t, cudnnCTCLossDescriptor_t, size_t *);
cudnnStatus_t cudnnGetCTCLossWorkspaceSize_v8(cudnnHandle_t, cudnnCTCLossAlgo_t, cudnnCTCLossDescriptor_t,
    cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, size_t *);
cudnnStatus_t cudnnGetMultiHeadAttnBuffers(cudnnHandle_t, cudnnAttnDescriptor_t, size_t *, size_t *, size_t *);
cudnnStatus_t cudnnGetMultiHeadAttnWeights(cudnnHandle_t, cudnnAttnDescriptor_t, cudnnMultiHeadAttnWeightKind_t, size_t,
    const void *, cudnnTensorDescriptor_t, void **);
cudnnStatus_t cudnnGetRNNDataDescriptor(cudnnRNNDataDescriptor_t, cudnnDataType_t *, cudnnRNNDataLayout_t *, int *,
    int *, int *, int, int *, void *);
cudnnStatus_t cudnnGetRNNDescriptor(cudnnRNNDescriptor_t, cudnnRNNAlgo_t *, cudnnRNNMode_t *, cudnnRNNBiasMode_t *,
    cudnnDirectionMode_t *, cudnnRNNInputMode_t *, cudnnDataType_t *, cudnnDataType_t *, cudnnMathType_t *, int32_t *,
    int32_t *, int32_t *, int32_t *, cudnnDropoutDescriptor_t *, uint32_t *);
cudnnStatus_t cudnnGetRNNDescriptor_v8(cudnnRNNDescriptor_t, cudnnRNNAlgo_t *, cudnnRNNMode_t *, cudnnRNNBiasMode_t *,
    cudnnDirectionMode_t *, cudnnRNNInputMode_t *, cudnnDataType_t *, cudnnDataType_t *, cudnnMathType_t *, int32_t *,
    int32_t *, int32_t *, int32_t *, cudnnDropoutDescriptor_t *, uint32_t *);
cudnnStatus_t cudnnGetRNNTempSpaceSizes(cudnnHandle_t, cudnnRNNDescriptor_t, cudnnForwardMode_t,
    cudnnRNNDataDescriptor_t, size_t *, size_t *);
cudnnStatus_t cudnnGetRNNWeightParams(cudnnHandle_t, cudnnRNNDescriptor_t, int32_t, size_t, const void *, int32_t,
    cudnnTensorDescriptor_t, void **, cudnnTensorDescriptor_t, void **);
cudnnStatus_t cudnnGetRNNWeightSpaceSize(cudnnHandle_t, cudnnRNNDescriptor_t, size_t *);
cudnnStatus_t cudnnGetSeqDataDescriptor(cudnnSeqDataDescriptor_t, cudnnDataType_t *, int *, int, int *,
    cudnnSeqDataAxis_t *, size_t *, size_t, int *, void *);
cudnnStatus_t cudnnMultiHeadAttnBackwardData(cudnnHandle_t, cudnnAttnDescriptor_t, const int *, const int *,
    const int *, const int *, cudnnSeqDataDescriptor_t, const void *, cudnnSeqDataDescriptor_t, void *, const void *,
    cudnnSeqDataDescriptor_t, void *, const void *, cudnnSeqDataDescriptor_t, void *, const void *, size_t,
    const void *, size_t, void *, size_t, void *);
cudnnStatus_t cudnnMultiHeadAttnBackwardWeights(cudnnHandle_t, cudnnAttnDescriptor_t, cudnnWgradMode_t,
    cudnnSeqDataDescriptor_t, const void *, cudnnSeqDataDescriptor_t, const void *, cudnnSeqDataDescriptor_t,
    const void *, cudnnSeqDataDescriptor_t, const void *, size_t, const void *, void *, size_t, void *, size_t, void *);
cudnnStatus_t cudnnMultiHeadAttnForward(cudnnHandle_t, cudnnAttnDescriptor_t, int, const int *, const int *,
    const int *, const int *, cudnnSeqDataDescriptor_t, const void *, const void *, cudnnSeqDataDescriptor_t,
    const void *, cudnnSeqDataDescriptor_t, const void *, cudnnSeqDataDescriptor_t, void *, size_t, const void *,
    size_t, void *, size_t, void *);
cudnnStatus_t cudnnRNNBackwardData(cudnnHandle_t, cudnnRNNDescriptor_t, const int32_t *, cudnnRNNDataDescriptor_t,
    const void *, const void *, cudnnRNNDataDescriptor_t, void *, cudnnTensorDescriptor_t, const void *, const void *,
    void *, cudnnTensorDescriptor_t, const void *, const void *, void *, size_t, const void *, size_t, void *, size_t,
    void *);
cudnnStatus_t cudnnRNNBackwardData_v8(cudnnHandle_t, cudnnRNNDescriptor_t, const int32_t *, cudnnRNNDataDescriptor_t,
    const void *, const void *, cudnnRNNDataDescriptor_t, void *, cudnnTensorDescriptor_t, const void *, const void *,
    void *, cudnnTensorDescriptor_t, const void *, const void *, void *, size_t, const void *, size_t, void *, size_t,
    void *);
cudnnStatus_t cudnnRNNBackwardWeights(cudnnHandle_t, cudnnRNNDescriptor_t, cudnnWgradMode_t, const int32_t *,
    cudnnRNNDataDescriptor_t, const void *, cudnnTensorDescriptor_t, const void *, cudnnRNNDataDescriptor_t,
    const void *, size_t, void *, size_t, void *, size_t, void *);
cudnnStatus_t cudnnRNNBackwardWeights_v8(cudnnHandle_t, cudnnRNNDescriptor_t, cudnnWgradMode_t, const int32_t *,
    cudnnRNNDataDescriptor_t, const void *, cudnnTensorDescriptor_t, const void *, cudnnRNNDataDescriptor_t,
    const void *, size_t, void *, size_t, void *, size_t, void *);
cudnnStatus_t cudnnRNNForward(cudnnHandle_t, cudnnRNNDescriptor_t, cudnnForwardMode_t, const int32_t *,
    cudnnRNNDataDescriptor_t, const void *, cudnnRNNDataDescriptor_t, void *, cudnnTensorDescriptor_t, const void *,
    void *, cudnnTensorDescriptor_t, const void *, void *, size_t, const void *, size_t, void *, size_t, void *);
cudnnStatus_t cudnnRNNGetClip(cudnnRNNDescriptor_t, cudnnRNNClipMode_t *, double *, double *);
cudnnStatus_t cudnnRNNGetClip_v8(cudnnRNNDescriptor_t, cudnnRNNClipMode_t *, cudnnNanPropagation_t *, double *,
    double *);
cudnnStatus_t cudnnRNNGetClip_v9(cudnnRNNDescriptor_t, cudnnRNNClipMode_t *, double *, double *);
cudnnStatus_t cudnnRNNSetClip(cudnnRNNDescriptor_t, cudnnRNNClipMode_t, double, double);
cudnnStatus_t cudnnRNNSetClip_v8(cudnnRNNDescriptor_t, cudnnRNNClipMode_t, cudnnNanPropagation_t, double, double);
cudnnStatus_t cudnnRNNSetClip_v9(cudnnRNNDescriptor_t, cudnnRNNClipMode_t, double, double);
cudnnStatus_t cudnnSetAttnDescriptor(cudnnAttnDescriptor_t, unsigned int, int, double, cudnnDataType_t, cudnnDataType_t,
    cudnnMathType_t, cudnnDropoutDescriptor_t, cudnnDropoutDescriptor_t, int, int, int, int, int, int, int, int, int,
    int, int);
cudnnStatus_t cudnnSetCTCLossDescriptor(cudnnCTCLossDescriptor_t, cudnnDataType_t);
cudnnStatus_t cudnnSetCTCLossDescriptorEx(cudnnCTCLossDescriptor_t, cudnnDataType_t, cudnnLossNormalizationMode_t,
    cudnnNanPropagation_t);
cudnnStatus_t cudnnSetCTCLossDescriptor_v8(cudnnCTCLossDescriptor_t, cudnnDataType_t, cudnnLossNormalizationMode_t,
    cudnnNanPropagation_t, int);
cudnnStatus_t cudnnSetCTCLossDescriptor_v9(cudnnCTCLossDescriptor_t, cudnnDataType_t, cudnnLossNormalizationMode_t,
    cudnnCTCGradMode_t, int);
cudnnStatus_t cudnnSetRNNDataDescriptor(cudnnRNNDataDescriptor_t, cudnnDataType_t, cudnnRNNDataLayout_t, int, int, int,
    const int *, void *);
cudnnStatus_t cudnnSetRNNDescriptor(cudnnRNNDescriptor_t, cudnnRNNAlgo_t, cudnnRNNMode_t, cudnnRNNBiasMode_t,
    cudnnDirectionMode_t, cudnnRNNInputMode_t, cudnnDataType_t, cudnnDataType_t, cudnnMathType_t, int32_t, int32_t,
    int32_t, int32_t, cudnnDropoutDescriptor_t, uint32_t);
cudnnStatus_t cudnnSetRNNDescriptor_v8(cudnnRNNDescriptor_t, cudnnRNNAlgo_t, cudnnRNNMode_t, cudnnRNNBiasMode_t,
    cudnnDirectionMode_t, cudnnRNNInputMode_t, cudnnDataType_t, cudnnDataType_t, cudnnMathType_t, int32_t, int32_t,
    int32_t, int32_t, cudnnDropoutDescriptor_t, uint32_t);
cudnnStatus_t cudnnSetSeqDataDescriptor(cudnnSeqDataDescriptor_t, cudnnDataType_t, int, const int *,
    const cudnnSeqDataAxis_t *, size_t, const int *, void *);
}

// Signatures of other toolkit releases.
cudnnStatus_t cudnnRNNGetClip(cudnnRNNDescriptor_t, cudnnRNNClipMode_t *, cudnnNanPropagation_t *, double *, double *);
cudnnStatus_t cudnnRNNSetClip(cudnnRNNDescriptor_t, cudnnRNNClipMode_t, cudnnNanPropagation_t, double, double);
