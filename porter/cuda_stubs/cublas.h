// porter stub headers: cuBLAS, the interface without a handle.
#pragma once
#include "cuComplex.h"
#include "cuda_runtime.h"
#include "porter_stubs/cublas/types.h"
#include "porter_stubs/cublas/transfers.h"

typedef cublasStatus_t cublasStatus;

extern "C" {
cublasStatus_t cublasInit();
cublasStatus_t cublasShutdown();
cublasStatus_t cublasGetError();
cublasStatus_t cublasAlloc(int, int, void **);
cublasStatus_t cublasFree(void *);
cublasStatus_t cublasSetKernelStream(cudaStream_t);
}

// Every routine takes its parameters as in Fortran: characters for modes, scalars by value.
#define PORTER_ONE(name) template <class... A> void cublas##name(A...) PORTER_STUB_BODY
#define PORTER_EACH(name) PORTER_ONE(S##name) PORTER_ONE(D##name) PORTER_ONE(C##name) PORTER_ONE(Z##name)
PORTER_EACH(axpy) PORTER_EACH(copy) PORTER_EACH(gbmv) PORTER_EACH(gemm) PORTER_EACH(gemv) PORTER_EACH(rot)
PORTER_EACH(rotg) PORTER_EACH(scal) PORTER_EACH(swap) PORTER_EACH(symm) PORTER_EACH(symv) PORTER_EACH(syr)
PORTER_EACH(syr2) PORTER_EACH(syr2k) PORTER_EACH(syrk) PORTER_EACH(tbmv) PORTER_EACH(tbsv) PORTER_EACH(tpmv)
PORTER_EACH(tpsv) PORTER_EACH(trmm) PORTER_EACH(trmv) PORTER_EACH(trsm) PORTER_EACH(trsv)
PORTER_ONE(Cgerc) PORTER_ONE(Cgeru) PORTER_ONE(Chbmv) PORTER_ONE(Chemm) PORTER_ONE(Chemv) PORTER_ONE(Cher)
PORTER_ONE(Cher2) PORTER_ONE(Cher2k) PORTER_ONE(Cherk) PORTER_ONE(Chpmv) PORTER_ONE(Chpr) PORTER_ONE(Chpr2)
PORTER_ONE(Csrot) PORTER_ONE(Csscal) PORTER_ONE(Dger) PORTER_ONE(Drotm) PORTER_ONE(Drotmg) PORTER_ONE(Dsbmv)
PORTER_ONE(Dspmv) PORTER_ONE(Dspr) PORTER_ONE(Dspr2) PORTER_ONE(Icamax) PORTER_ONE(Icamin) PORTER_ONE(Idamax)
PORTER_ONE(Idamin) PORTER_ONE(Isamax) PORTER_ONE(Isamin) PORTER_ONE(Izamax) PORTER_ONE(Izamin) PORTER_ONE(Sger)
PORTER_ONE(Srotm) PORTER_ONE(Srotmg) PORTER_ONE(Ssbmv) PORTER_ONE(Sspmv) PORTER_ONE(Sspr) PORTER_ONE(Sspr2)
PORTER_ONE(Zdrot) PORTER_ONE(Zdscal) PORTER_ONE(Zgerc) PORTER_ONE(Zgeru) PORTER_ONE(Zhbmv) PORTER_ONE(Zhemm)
PORTER_ONE(Zhemv) PORTER_ONE(Zher) PORTER_ONE(Zher2) PORTER_ONE(Zher2k) PORTER_ONE(Zherk) PORTER_ONE(Zhpmv)
PORTER_ONE(Zhpr) PORTER_ONE(Zhpr2)
#undef PORTER_EACH
#undef PORTER_ONE
#define PORTER_ONE(name) template <class... A> cuComplex cublas##name(A...) PORTER_STUB_BODY
PORTER_ONE(Cdotc) PORTER_ONE(Cdotu)
#undef PORTER_ONE
#define PORTER_ONE(name) template <class... A> double cublas##name(A...) PORTER_STUB_BODY
PORTER_ONE(Dasum) PORTER_ONE(Ddot) PORTER_ONE(Dnrm2) PORTER_ONE(Dzasum) PORTER_ONE(Dznrm2)
#undef PORTER_ONE
#define PORTER_ONE(name) template <class... A> float cublas##name(A...) PORTER_STUB_BODY
PORTER_ONE(Sasum) PORTER_ONE(Scasum) PORTER_ONE(Scnrm2) PORTER_ONE(Sdot) PORTER_ONE(Snrm2)
#undef PORTER_ONE
#define PORTER_ONE(name) template <class... A> cuDoubleComplex cublas##name(A...) PORTER_STUB_BODY
PORTER_ONE(Zdotc) PORTER_ONE(Zdotu)
#undef PORTER_ONE
