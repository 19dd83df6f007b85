// porter stub headers: cuSOLVER, the low-level sparse interface
// Older toolkits declared these; the parameters are not checked.
#pragma once

#include "types.h"

struct csrluInfoHost;
typedef csrluInfoHost *csrluInfoHost_t;
struct csrqrInfoHost;
typedef csrqrInfoHost *csrqrInfoHost_t;
struct csrcholInfoHost;
typedef csrcholInfoHost *csrcholInfoHost_t;
struct csrcholInfo;
typedef csrcholInfo *csrcholInfo_t;

template <class... A>
cusolverStatus_t cusolverSpCcsrcholBufferInfo(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrcholBufferInfoHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrcholDiag(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrcholFactor(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrcholFactorHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrcholSolve(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrcholSolveHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrcholZeroPivot(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrcholZeroPivotHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrluBufferInfoHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrluExtractHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrluFactorHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrluSolveHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrluZeroPivotHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrqrBufferInfo(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrqrBufferInfoHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrqrFactor(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrqrFactorHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrqrSetup(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrqrSetupHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrqrSolve(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrqrSolveHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrqrZeroPivot(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCcsrqrZeroPivotHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCreateCsrcholInfo(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCreateCsrcholInfoHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCreateCsrluInfoHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpCreateCsrqrInfoHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrcholBufferInfo(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrcholBufferInfoHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrcholDiag(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrcholFactor(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrcholFactorHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrcholSolve(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrcholSolveHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrcholZeroPivot(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrcholZeroPivotHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrluBufferInfoHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrluExtractHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrluFactorHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrluSolveHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrluZeroPivotHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrqrBufferInfo(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrqrBufferInfoHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrqrFactor(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrqrFactorHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrqrSetup(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrqrSetupHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrqrSolve(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrqrSolveHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrqrZeroPivot(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDcsrqrZeroPivotHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDestroyCsrcholInfo(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDestroyCsrcholInfoHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDestroyCsrluInfoHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpDestroyCsrqrInfoHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrcholBufferInfo(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrcholBufferInfoHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrcholDiag(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrcholFactor(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrcholFactorHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrcholSolve(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrcholSolveHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrcholZeroPivot(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrcholZeroPivotHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrluBufferInfoHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrluExtractHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrluFactorHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrluSolveHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrluZeroPivotHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrqrBufferInfo(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrqrBufferInfoHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrqrFactor(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrqrFactorHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrqrSetup(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrqrSetupHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrqrSolve(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrqrSolveHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrqrZeroPivot(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpScsrqrZeroPivotHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpXcsrcholAnalysis(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpXcsrcholAnalysisHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpXcsrluAnalysisHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpXcsrluNnzHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpXcsrqrAnalysis(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpXcsrqrAnalysisHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrcholBufferInfo(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrcholBufferInfoHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrcholDiag(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrcholFactor(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrcholFactorHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrcholSolve(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrcholSolveHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrcholZeroPivot(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrcholZeroPivotHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrluBufferInfoHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrluExtractHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrluFactorHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrluSolveHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrluZeroPivotHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrqrBufferInfo(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrqrBufferInfoHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrqrFactor(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrqrFactorHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrqrSetup(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrqrSetupHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrqrSolve(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrqrSolveHost(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrqrZeroPivot(A &&...) PORTER_STUB_BODY
template <class... A>
cusolverStatus_t cusolverSpZcsrqrZeroPivotHost(A &&...) PORTER_STUB_BODY
