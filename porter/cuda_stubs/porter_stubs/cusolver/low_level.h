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

#define PORTER_ONE(name) template <class... A> cusolverStatus_t cusolverSp##name(A &&...) PORTER_STUB_BODY
#define PORTER_EACH(name) PORTER_ONE(S##name) PORTER_ONE(D##name) PORTER_ONE(C##name) PORTER_ONE(Z##name)
PORTER_EACH(csrcholBufferInfo) PORTER_EACH(csrcholBufferInfoHost) PORTER_EACH(csrcholDiag) PORTER_EACH(csrcholFactor)
PORTER_EACH(csrcholFactorHost) PORTER_EACH(csrcholSolve) PORTER_EACH(csrcholSolveHost) PORTER_EACH(csrcholZeroPivot)
PORTER_EACH(csrcholZeroPivotHost) PORTER_EACH(csrluBufferInfoHost) PORTER_EACH(csrluExtractHost)
PORTER_EACH(csrluFactorHost) PORTER_EACH(csrluSolveHost) PORTER_EACH(csrluZeroPivotHost) PORTER_EACH(csrqrBufferInfo)
PORTER_EACH(csrqrBufferInfoHost) PORTER_EACH(csrqrFactor) PORTER_EACH(csrqrFactorHost) PORTER_EACH(csrqrSetup)
PORTER_EACH(csrqrSetupHost) PORTER_EACH(csrqrSolve) PORTER_EACH(csrqrSolveHost) PORTER_EACH(csrqrZeroPivot)
PORTER_EACH(csrqrZeroPivotHost)
PORTER_ONE(CreateCsrcholInfo) PORTER_ONE(CreateCsrcholInfoHost) PORTER_ONE(CreateCsrluInfoHost)
PORTER_ONE(CreateCsrqrInfoHost) PORTER_ONE(DestroyCsrcholInfo) PORTER_ONE(DestroyCsrcholInfoHost)
PORTER_ONE(DestroyCsrluInfoHost) PORTER_ONE(DestroyCsrqrInfoHost) PORTER_ONE(XcsrcholAnalysis)
PORTER_ONE(XcsrcholAnalysisHost) PORTER_ONE(XcsrluAnalysisHost) PORTER_ONE(XcsrluNnzHost) PORTER_ONE(XcsrqrAnalysis)
PORTER_ONE(XcsrqrAnalysisHost)
#undef PORTER_EACH
#undef PORTER_ONE
