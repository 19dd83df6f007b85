// porter stub headers: cuDNN, tensors, normalisation, pooling, activation
#pragma once
#include "types.h"

extern "C" {
cudnnStatus_t cudnnActivationBackward(cudnnHandle_t, cudnnActivationDescriptor_t, const void *, cudnnTensorDescriptor_t,
    const void *, cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, const void *, const void *,
    cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnActivationForward(cudnnHandle_t, cudnnActivationDescriptor_t, const void *, cudnnTensorDescriptor_t,
    const void *, const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnAddTensor(cudnnHandle_t, const void *, cudnnTensorDescriptor_t, const void *, const void *,
    cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnBatchNormalizationBackward(cudnnHandle_t, cudnnBatchNormMode_t, const void *, const void *,
    const void *, const void *, cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, const void *,
    cudnnTensorDescriptor_t, void *, cudnnTensorDescriptor_t, const void *, void *, void *, double, const void *,
    const void *);
cudnnStatus_t cudnnBatchNormalizationBackwardEx(cudnnHandle_t, cudnnBatchNormMode_t, cudnnBatchNormOps_t, const void *,
    const void *, const void *, const void *, cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t,
    const void *, cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, void *, cudnnTensorDescriptor_t,
    void *, cudnnTensorDescriptor_t, const void *, const void *, void *, void *, double, const void *, const void *,
    cudnnActivationDescriptor_t, void *, size_t, void *, size_t);
cudnnStatus_t cudnnBatchNormalizationForwardInference(cudnnHandle_t, cudnnBatchNormMode_t, const void *, const void *,
    cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, void *, cudnnTensorDescriptor_t, const void *,
    const void *, const void *, const void *, double);
cudnnStatus_t cudnnBatchNormalizationForwardTraining(cudnnHandle_t, cudnnBatchNormMode_t, const void *, const void *,
    cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, void *, cudnnTensorDescriptor_t, const void *,
    const void *, double, void *, void *, double, void *, void *);
cudnnStatus_t cudnnBatchNormalizationForwardTrainingEx(cudnnHandle_t, cudnnBatchNormMode_t, cudnnBatchNormOps_t,
    const void *, const void *, cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, const void *,
    cudnnTensorDescriptor_t, void *, cudnnTensorDescriptor_t, const void *, const void *, double, void *, void *,
    double, void *, void *, cudnnActivationDescriptor_t, void *, size_t, void *, size_t);
cudnnStatus_t cudnnCreateActivationDescriptor(cudnnActivationDescriptor_t *);
cudnnStatus_t cudnnCreateDropoutDescriptor(cudnnDropoutDescriptor_t *);
cudnnStatus_t cudnnCreateLRNDescriptor(cudnnLRNDescriptor_t *);
cudnnStatus_t cudnnCreateOpTensorDescriptor(cudnnOpTensorDescriptor_t *);
cudnnStatus_t cudnnCreatePoolingDescriptor(cudnnPoolingDescriptor_t *);
cudnnStatus_t cudnnCreateReduceTensorDescriptor(cudnnReduceTensorDescriptor_t *);
cudnnStatus_t cudnnCreateSpatialTransformerDescriptor(cudnnSpatialTransformerDescriptor_t *);
cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t *);
cudnnStatus_t cudnnCreateTensorTransformDescriptor(cudnnTensorTransformDescriptor_t *);
cudnnStatus_t cudnnDeriveBNTensorDescriptor(cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnBatchNormMode_t);
cudnnStatus_t cudnnDeriveNormTensorDescriptor(cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t,
    cudnnNormMode_t, int);
cudnnStatus_t cudnnDestroyActivationDescriptor(cudnnActivationDescriptor_t);
cudnnStatus_t cudnnDestroyDropoutDescriptor(cudnnDropoutDescriptor_t);
cudnnStatus_t cudnnDestroyLRNDescriptor(cudnnLRNDescriptor_t);
cudnnStatus_t cudnnDestroyOpTensorDescriptor(cudnnOpTensorDescriptor_t);
cudnnStatus_t cudnnDestroyPoolingDescriptor(cudnnPoolingDescriptor_t);
cudnnStatus_t cudnnDestroyReduceTensorDescriptor(cudnnReduceTensorDescriptor_t);
cudnnStatus_t cudnnDestroySpatialTransformerDescriptor(cudnnSpatialTransformerDescriptor_t);
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t);
cudnnStatus_t cudnnDestroyTensorTransformDescriptor(cudnnTensorTransformDescriptor_t);
cudnnStatus_t cudnnDivisiveNormalizationBackward(cudnnHandle_t, cudnnLRNDescriptor_t, cudnnDivNormMode_t, const void *,
    cudnnTensorDescriptor_t, const void *, const void *, const void *, void *, void *, const void *,
    cudnnTensorDescriptor_t, void *, void *);
cudnnStatus_t cudnnDivisiveNormalizationForward(cudnnHandle_t, cudnnLRNDescriptor_t, cudnnDivNormMode_t, const void *,
    cudnnTensorDescriptor_t, const void *, const void *, void *, void *, const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnDropoutBackward(cudnnHandle_t, cudnnDropoutDescriptor_t, cudnnTensorDescriptor_t, const void *,
    cudnnTensorDescriptor_t, void *, void *, size_t);
cudnnStatus_t cudnnDropoutForward(cudnnHandle_t, cudnnDropoutDescriptor_t, cudnnTensorDescriptor_t, const void *,
    cudnnTensorDescriptor_t, void *, void *, size_t);
cudnnStatus_t cudnnDropoutGetReserveSpaceSize(cudnnTensorDescriptor_t, size_t *);
cudnnStatus_t cudnnDropoutGetStatesSize(cudnnHandle_t, size_t *);
cudnnStatus_t cudnnGetActivationDescriptor(cudnnActivationDescriptor_t, cudnnActivationMode_t *,
    cudnnNanPropagation_t *, double *);
cudnnStatus_t cudnnGetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t, double *);
cudnnStatus_t cudnnGetBatchNormalizationBackwardExWorkspaceSize(cudnnHandle_t, cudnnBatchNormMode_t,
    cudnnBatchNormOps_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t,
    cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnActivationDescriptor_t, size_t *);
cudnnStatus_t cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(cudnnHandle_t, cudnnBatchNormMode_t,
    cudnnBatchNormOps_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t,
    cudnnTensorDescriptor_t, cudnnActivationDescriptor_t, size_t *);
cudnnStatus_t cudnnGetBatchNormalizationTrainingExReserveSpaceSize(cudnnHandle_t, cudnnBatchNormMode_t,
    cudnnBatchNormOps_t, cudnnActivationDescriptor_t, cudnnTensorDescriptor_t, size_t *);
cudnnStatus_t cudnnGetDropoutDescriptor(cudnnDropoutDescriptor_t, cudnnHandle_t, float *, void **,
    unsigned long long *);
cudnnStatus_t cudnnGetFoldedConvBackwardDataDescriptors(cudnnHandle_t, cudnnFilterDescriptor_t, cudnnTensorDescriptor_t,
    cudnnConvolutionDescriptor_t, cudnnTensorDescriptor_t, cudnnTensorFormat_t, cudnnFilterDescriptor_t,
    cudnnTensorDescriptor_t, cudnnConvolutionDescriptor_t, cudnnTensorDescriptor_t, cudnnTensorTransformDescriptor_t,
    cudnnTensorTransformDescriptor_t, cudnnTensorTransformDescriptor_t, cudnnTensorTransformDescriptor_t);
cudnnStatus_t cudnnGetLRNDescriptor(cudnnLRNDescriptor_t, unsigned int *, double *, double *, double *);
cudnnStatus_t cudnnGetNormalizationBackwardWorkspaceSize(cudnnHandle_t, cudnnNormMode_t, cudnnNormOps_t,
    cudnnNormAlgo_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t,
    cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnActivationDescriptor_t, cudnnTensorDescriptor_t, size_t *,
    int);
cudnnStatus_t cudnnGetNormalizationForwardTrainingWorkspaceSize(cudnnHandle_t, cudnnNormMode_t, cudnnNormOps_t,
    cudnnNormAlgo_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t,
    cudnnActivationDescriptor_t, cudnnTensorDescriptor_t, size_t *, int);
cudnnStatus_t cudnnGetNormalizationTrainingReserveSpaceSize(cudnnHandle_t, cudnnNormMode_t, cudnnNormOps_t,
    cudnnNormAlgo_t, cudnnActivationDescriptor_t, cudnnTensorDescriptor_t, size_t *, int);
cudnnStatus_t cudnnGetOpTensorDescriptor(cudnnOpTensorDescriptor_t, cudnnOpTensorOp_t *, cudnnDataType_t *,
    cudnnNanPropagation_t *);
cudnnStatus_t cudnnGetPooling2dDescriptor(cudnnPoolingDescriptor_t, cudnnPoolingMode_t *, cudnnNanPropagation_t *,
    int *, int *, int *, int *, int *, int *);
cudnnStatus_t cudnnGetPooling2dForwardOutputDim(cudnnPoolingDescriptor_t, cudnnTensorDescriptor_t, int *, int *, int *,
    int *);
cudnnStatus_t cudnnGetPoolingNdDescriptor(cudnnPoolingDescriptor_t, int, cudnnPoolingMode_t *, cudnnNanPropagation_t *,
    int *, int *, int *, int *);
cudnnStatus_t cudnnGetPoolingNdForwardOutputDim(cudnnPoolingDescriptor_t, cudnnTensorDescriptor_t, int, int *);
cudnnStatus_t cudnnGetReduceTensorDescriptor(cudnnReduceTensorDescriptor_t, cudnnReduceTensorOp_t *, cudnnDataType_t *,
    cudnnNanPropagation_t *, cudnnReduceTensorIndices_t *, cudnnIndicesType_t *);
cudnnStatus_t cudnnGetReductionIndicesSize(cudnnHandle_t, cudnnReduceTensorDescriptor_t, cudnnTensorDescriptor_t,
    cudnnTensorDescriptor_t, size_t *);
cudnnStatus_t cudnnGetReductionWorkspaceSize(cudnnHandle_t, cudnnReduceTensorDescriptor_t, cudnnTensorDescriptor_t,
    cudnnTensorDescriptor_t, size_t *);
cudnnStatus_t cudnnGetTensor4dDescriptor(cudnnTensorDescriptor_t, cudnnDataType_t *, int *, int *, int *, int *, int *,
    int *, int *, int *);
cudnnStatus_t cudnnGetTensorNdDescriptor(cudnnTensorDescriptor_t, int, cudnnDataType_t *, int *, int *, int *);
cudnnStatus_t cudnnGetTensorSizeInBytes(cudnnTensorDescriptor_t, size_t *);
cudnnStatus_t cudnnGetTensorTransformDescriptor(cudnnTensorTransformDescriptor_t, uint32_t, cudnnTensorFormat_t *,
    int32_t *, int32_t *, uint32_t *, cudnnFoldingDirection_t *);
cudnnStatus_t cudnnInitTransformDest(cudnnTensorTransformDescriptor_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t,
    size_t *);
cudnnStatus_t cudnnLRNCrossChannelBackward(cudnnHandle_t, cudnnLRNDescriptor_t, cudnnLRNMode_t, const void *,
    cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, const void *,
    const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnLRNCrossChannelForward(cudnnHandle_t, cudnnLRNDescriptor_t, cudnnLRNMode_t, const void *,
    cudnnTensorDescriptor_t, const void *, const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnNormalizationBackward(cudnnHandle_t, cudnnNormMode_t, cudnnNormOps_t, cudnnNormAlgo_t, const void *,
    const void *, const void *, const void *, cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t,
    const void *, cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, void *, cudnnTensorDescriptor_t,
    void *, cudnnTensorDescriptor_t, const void *, const void *, void *, void *, double, cudnnTensorDescriptor_t,
    const void *, const void *, cudnnActivationDescriptor_t, void *, size_t, void *, size_t, int);
cudnnStatus_t cudnnNormalizationForwardInference(cudnnHandle_t, cudnnNormMode_t, cudnnNormOps_t, cudnnNormAlgo_t,
    const void *, const void *, cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, const void *,
    const void *, cudnnTensorDescriptor_t, const void *, const void *, cudnnTensorDescriptor_t, const void *,
    cudnnActivationDescriptor_t, cudnnTensorDescriptor_t, void *, double, int);
cudnnStatus_t cudnnNormalizationForwardTraining(cudnnHandle_t, cudnnNormMode_t, cudnnNormOps_t, cudnnNormAlgo_t,
    const void *, const void *, cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, const void *,
    const void *, double, cudnnTensorDescriptor_t, void *, void *, double, void *, void *, cudnnActivationDescriptor_t,
    cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, void *, void *, size_t, void *, size_t, int);
cudnnStatus_t cudnnOpTensor(cudnnHandle_t, cudnnOpTensorDescriptor_t, const void *, cudnnTensorDescriptor_t,
    const void *, const void *, cudnnTensorDescriptor_t, const void *, const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnPoolingBackward(cudnnHandle_t, cudnnPoolingDescriptor_t, const void *, cudnnTensorDescriptor_t,
    const void *, cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, const void *, const void *,
    cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnPoolingForward(cudnnHandle_t, cudnnPoolingDescriptor_t, const void *, cudnnTensorDescriptor_t,
    const void *, const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnReduceTensor(cudnnHandle_t, cudnnReduceTensorDescriptor_t, void *, size_t, void *, size_t,
    const void *, cudnnTensorDescriptor_t, const void *, const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnRestoreDropoutDescriptor(cudnnDropoutDescriptor_t, cudnnHandle_t, float, void *, size_t,
    unsigned long long);
cudnnStatus_t cudnnScaleTensor(cudnnHandle_t, cudnnTensorDescriptor_t, void *, const void *);
cudnnStatus_t cudnnSetActivationDescriptor(cudnnActivationDescriptor_t, cudnnActivationMode_t, cudnnNanPropagation_t,
    double);
cudnnStatus_t cudnnSetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t, double);
cudnnStatus_t cudnnSetDropoutDescriptor(cudnnDropoutDescriptor_t, cudnnHandle_t, float, void *, size_t,
    unsigned long long);
cudnnStatus_t cudnnSetLRNDescriptor(cudnnLRNDescriptor_t, unsigned int, double, double, double);
cudnnStatus_t cudnnSetOpTensorDescriptor(cudnnOpTensorDescriptor_t, cudnnOpTensorOp_t, cudnnDataType_t,
    cudnnNanPropagation_t);
cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t, cudnnPoolingMode_t, cudnnNanPropagation_t, int, int,
    int, int, int, int);
cudnnStatus_t cudnnSetPoolingNdDescriptor(cudnnPoolingDescriptor_t, cudnnPoolingMode_t, cudnnNanPropagation_t, int,
    const int *, const int *, const int *);
cudnnStatus_t cudnnSetReduceTensorDescriptor(cudnnReduceTensorDescriptor_t, cudnnReduceTensorOp_t, cudnnDataType_t,
    cudnnNanPropagation_t, cudnnReduceTensorIndices_t, cudnnIndicesType_t);
cudnnStatus_t cudnnSetSpatialTransformerNdDescriptor(cudnnSpatialTransformerDescriptor_t, cudnnSamplerType_t,
    cudnnDataType_t, int, const int *);
cudnnStatus_t cudnnSetTensor(cudnnHandle_t, cudnnTensorDescriptor_t, void *, const void *);
cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t, cudnnTensorFormat_t, cudnnDataType_t, int, int, int,
    int);
cudnnStatus_t cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t, cudnnDataType_t, int, int, int, int, int, int, int,
    int);
cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t, cudnnDataType_t, int, const int *, const int *);
cudnnStatus_t cudnnSetTensorNdDescriptorEx(cudnnTensorDescriptor_t, cudnnTensorFormat_t, cudnnDataType_t, int,
    const int *);
cudnnStatus_t cudnnSetTensorTransformDescriptor(cudnnTensorTransformDescriptor_t, uint32_t, cudnnTensorFormat_t,
    const int32_t *, const int32_t *, const uint32_t *, cudnnFoldingDirection_t);
cudnnStatus_t cudnnSoftmaxBackward(cudnnHandle_t, cudnnSoftmaxAlgorithm_t, cudnnSoftmaxMode_t, const void *,
    cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, const void *, const void *, cudnnTensorDescriptor_t,
    void *);
cudnnStatus_t cudnnSoftmaxForward(cudnnHandle_t, cudnnSoftmaxAlgorithm_t, cudnnSoftmaxMode_t, const void *,
    cudnnTensorDescriptor_t, const void *, const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnSpatialTfGridGeneratorBackward(cudnnHandle_t, cudnnSpatialTransformerDescriptor_t, const void *,
    void *);
cudnnStatus_t cudnnSpatialTfGridGeneratorForward(cudnnHandle_t, cudnnSpatialTransformerDescriptor_t, const void *,
    void *);
cudnnStatus_t cudnnSpatialTfSamplerBackward(cudnnHandle_t, cudnnSpatialTransformerDescriptor_t, const void *,
    cudnnTensorDescriptor_t, const void *, const void *, cudnnTensorDescriptor_t, void *, const void *,
    cudnnTensorDescriptor_t, const void *, const void *, const void *, void *);
cudnnStatus_t cudnnSpatialTfSamplerForward(cudnnHandle_t, cudnnSpatialTransformerDescriptor_t, const void *,
    cudnnTensorDescriptor_t, const void *, const void *, const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnTransformTensor(cudnnHandle_t, const void *, cudnnTensorDescriptor_t, const void *, const void *,
    cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnTransformTensorEx(cudnnHandle_t, cudnnTensorTransformDescriptor_t, const void *,
    cudnnTensorDescriptor_t, const void *, const void *, cudnnTensorDescriptor_t, void *);
}
