// porter stub headers: cuDNN, functions that releases up to 8 had
// Older toolkits declared these; the parameters are not checked.
#pragma once
#include "types.h"

enum cudnnConvolutionFwdPreference_t {
  CUDNN_CONVOLUTION_FWD_NO_WORKSPACE = 0, CUDNN_CONVOLUTION_FWD_PREFER_FASTEST,
  CUDNN_CONVOLUTION_FWD_SPECIFY_WORKSPACE_LIMIT = 2,
};
enum cudnnConvolutionBwdFilterPreference_t {
  CUDNN_CONVOLUTION_BWD_FILTER_NO_WORKSPACE = 0, CUDNN_CONVOLUTION_BWD_FILTER_PREFER_FASTEST,
  CUDNN_CONVOLUTION_BWD_FILTER_SPECIFY_WORKSPACE_LIMIT = 2,
};
enum cudnnConvolutionBwdDataPreference_t {
  CUDNN_CONVOLUTION_BWD_DATA_NO_WORKSPACE = 0, CUDNN_CONVOLUTION_BWD_DATA_PREFER_FASTEST,
  CUDNN_CONVOLUTION_BWD_DATA_SPECIFY_WORKSPACE_LIMIT = 2,
};
enum cudnnRNNPaddingMode_t { CUDNN_RNN_PADDED_IO_DISABLED = 0, CUDNN_RNN_PADDED_IO_ENABLED };

#define CUDNN_ATTN_QUERYMAP_ALL_TO_ONE 0
#define CUDNN_ATTN_QUERYMAP_ONE_TO_ONE 1
#define CUDNN_ATTN_DISABLE_PROJ_BIASES 0
#define CUDNN_ATTN_ENABLE_PROJ_BIASES 2
#define CUDNN_ATTN_WKIND_COUNT 8

typedef unsigned int cudnnAttnQueryMap_t;
struct cudnnAlgorithmStruct;
typedef cudnnAlgorithmStruct *cudnnAlgorithmDescriptor_t;
struct cudnnAlgorithmPerformanceStruct;
typedef cudnnAlgorithmPerformanceStruct *cudnnAlgorithmPerformance_t;
struct cudnnPersistentRNNPlan;
typedef cudnnPersistentRNNPlan *cudnnPersistentRNNPlan_t;

template <class... A> cudnnStatus_t cudnnAdvInferVersionCheck(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnAdvTrainVersionCheck(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnCnnInferVersionCheck(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnCnnTrainVersionCheck(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnCopyAlgorithmDescriptor(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnCreateAlgorithmDescriptor(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnCreateAlgorithmPerformance(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnCreatePersistentRNNPlan(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnDestroyAlgorithmDescriptor(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnDestroyAlgorithmPerformance(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnDestroyPersistentRNNPlan(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnFindRNNBackwardDataAlgorithmEx(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnFindRNNBackwardWeightsAlgorithmEx(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnFindRNNForwardInferenceAlgorithmEx(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnFindRNNForwardTrainingAlgorithmEx(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnGetAlgorithmDescriptor(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnGetAlgorithmPerformance(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnGetAlgorithmSpaceSize(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnGetRNNBackwardDataAlgorithmMaxCount(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnGetRNNBackwardWeightsAlgorithmMaxCount(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnGetRNNBiasMode(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnGetRNNDescriptor_v6(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnGetRNNForwardInferenceAlgorithmMaxCount(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnGetRNNForwardTrainingAlgorithmMaxCount(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnGetRNNLinLayerBiasParams(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnGetRNNLinLayerMatrixParams(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnGetRNNMatrixMathType(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnGetRNNPaddingMode(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnGetRNNParamsSize(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnGetRNNProjectionLayers(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnGetRNNTrainingReserveSize(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnGetRNNWorkspaceSize(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnOpsInferVersionCheck(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnOpsTrainVersionCheck(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnRNNBackwardDataEx(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnRNNBackwardWeightsEx(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnRNNForwardInference(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnRNNForwardInferenceEx(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnRNNForwardTraining(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnRNNForwardTrainingEx(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnRestoreAlgorithm(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnSaveAlgorithm(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnSetAlgorithmDescriptor(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnSetAlgorithmPerformance(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnSetPersistentRNNPlan(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnSetRNNAlgorithmDescriptor(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnSetRNNBiasMode(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnSetRNNDescriptor_v5(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnSetRNNDescriptor_v6(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnSetRNNMatrixMathType(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnSetRNNPaddingMode(A &&...) PORTER_STUB_BODY
template <class... A> cudnnStatus_t cudnnSetRNNProjectionLayers(A &&...) PORTER_STUB_BODY
