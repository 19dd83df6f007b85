// porter stub headers: cuBLAS, level 1
// Declarations only: enough to parse CUDA sources where no CUDA toolkit is installed.
#pragma once

#include "types.h"

extern "C" {
cublasStatus_t cublasCaxpy(cublasHandle_t, int, const cuComplex *, const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCaxpy_64(cublasHandle_t, int64_t, const cuComplex *, const cuComplex *, int64_t,
    cuComplex *, int64_t);
cublasStatus_t cublasCaxpy_v2(cublasHandle_t, int, const cuComplex *, const cuComplex *, int, cuComplex *,
    int);
cublasStatus_t cublasCaxpy_v2_64(cublasHandle_t, int64_t, const cuComplex *, const cuComplex *, int64_t,
    cuComplex *, int64_t);
cublasStatus_t cublasCcopy(cublasHandle_t, int, const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCcopy_64(cublasHandle_t, int64_t, const cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCcopy_v2(cublasHandle_t, int, const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCcopy_v2_64(cublasHandle_t, int64_t, const cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCdotc(cublasHandle_t, int, const cuComplex *, int, const cuComplex *, int, cuComplex *);
cublasStatus_t cublasCdotc_64(cublasHandle_t, int64_t, const cuComplex *, int64_t, const cuComplex *, int64_t,
    cuComplex *);
cublasStatus_t cublasCdotc_v2(cublasHandle_t, int, const cuComplex *, int, const cuComplex *, int,
    cuComplex *);
cublasStatus_t cublasCdotc_v2_64(cublasHandle_t, int64_t, const cuComplex *, int64_t, const cuComplex *,
    int64_t, cuComplex *);
cublasStatus_t cublasCdotu(cublasHandle_t, int, const cuComplex *, int, const cuComplex *, int, cuComplex *);
cublasStatus_t cublasCdotu_64(cublasHandle_t, int64_t, const cuComplex *, int64_t, const cuComplex *, int64_t,
    cuComplex *);
cublasStatus_t cublasCdotu_v2(cublasHandle_t, int, const cuComplex *, int, const cuComplex *, int,
    cuComplex *);
cublasStatus_t cublasCdotu_v2_64(cublasHandle_t, int64_t, const cuComplex *, int64_t, const cuComplex *,
    int64_t, cuComplex *);
cublasStatus_t cublasCrot(cublasHandle_t, int, cuComplex *, int, cuComplex *, int, const float *,
    const cuComplex *);
cublasStatus_t cublasCrot_64(cublasHandle_t, int64_t, cuComplex *, int64_t, cuComplex *, int64_t,
    const float *, const cuComplex *);
cublasStatus_t cublasCrot_v2(cublasHandle_t, int, cuComplex *, int, cuComplex *, int, const float *,
    const cuComplex *);
cublasStatus_t cublasCrot_v2_64(cublasHandle_t, int64_t, cuComplex *, int64_t, cuComplex *, int64_t,
    const float *, const cuComplex *);
cublasStatus_t cublasCrotg(cublasHandle_t, cuComplex *, cuComplex *, float *, cuComplex *);
cublasStatus_t cublasCrotg_v2(cublasHandle_t, cuComplex *, cuComplex *, float *, cuComplex *);
cublasStatus_t cublasCscal(cublasHandle_t, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCscal_64(cublasHandle_t, int64_t, const cuComplex *, cuComplex *, int64_t);
cublasStatus_t cublasCscal_v2(cublasHandle_t, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasCscal_v2_64(cublasHandle_t, int64_t, const cuComplex *, cuComplex *, int64_t);
cublasStatus_t cublasCsrot(cublasHandle_t, int, cuComplex *, int, cuComplex *, int, const float *,
    const float *);
cublasStatus_t cublasCsrot_64(cublasHandle_t, int64_t, cuComplex *, int64_t, cuComplex *, int64_t,
    const float *, const float *);
cublasStatus_t cublasCsrot_v2(cublasHandle_t, int, cuComplex *, int, cuComplex *, int, const float *,
    const float *);
cublasStatus_t cublasCsrot_v2_64(cublasHandle_t, int64_t, cuComplex *, int64_t, cuComplex *, int64_t,
    const float *, const float *);
cublasStatus_t cublasCsscal(cublasHandle_t, int, const float *, cuComplex *, int);
cublasStatus_t cublasCsscal_64(cublasHandle_t, int64_t, const float *, cuComplex *, int64_t);
cublasStatus_t cublasCsscal_v2(cublasHandle_t, int, const float *, cuComplex *, int);
cublasStatus_t cublasCsscal_v2_64(cublasHandle_t, int64_t, const float *, cuComplex *, int64_t);
cublasStatus_t cublasCswap(cublasHandle_t, int, cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCswap_64(cublasHandle_t, int64_t, cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasCswap_v2(cublasHandle_t, int, cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasCswap_v2_64(cublasHandle_t, int64_t, cuComplex *, int64_t, cuComplex *, int64_t);
cublasStatus_t cublasDasum(cublasHandle_t, int, const double *, int, double *);
cublasStatus_t cublasDasum_64(cublasHandle_t, int64_t, const double *, int64_t, double *);
cublasStatus_t cublasDasum_v2(cublasHandle_t, int, const double *, int, double *);
cublasStatus_t cublasDasum_v2_64(cublasHandle_t, int64_t, const double *, int64_t, double *);
cublasStatus_t cublasDaxpy(cublasHandle_t, int, const double *, const double *, int, double *, int);
cublasStatus_t cublasDaxpy_64(cublasHandle_t, int64_t, const double *, const double *, int64_t, double *,
    int64_t);
cublasStatus_t cublasDaxpy_v2(cublasHandle_t, int, const double *, const double *, int, double *, int);
cublasStatus_t cublasDaxpy_v2_64(cublasHandle_t, int64_t, const double *, const double *, int64_t, double *,
    int64_t);
cublasStatus_t cublasDcopy(cublasHandle_t, int, const double *, int, double *, int);
cublasStatus_t cublasDcopy_64(cublasHandle_t, int64_t, const double *, int64_t, double *, int64_t);
cublasStatus_t cublasDcopy_v2(cublasHandle_t, int, const double *, int, double *, int);
cublasStatus_t cublasDcopy_v2_64(cublasHandle_t, int64_t, const double *, int64_t, double *, int64_t);
cublasStatus_t cublasDdot(cublasHandle_t, int, const double *, int, const double *, int, double *);
cublasStatus_t cublasDdot_64(cublasHandle_t, int64_t, const double *, int64_t, const double *, int64_t,
    double *);
cublasStatus_t cublasDdot_v2(cublasHandle_t, int, const double *, int, const double *, int, double *);
cublasStatus_t cublasDdot_v2_64(cublasHandle_t, int64_t, const double *, int64_t, const double *, int64_t,
    double *);
cublasStatus_t cublasDnrm2(cublasHandle_t, int, const double *, int, double *);
cublasStatus_t cublasDnrm2_64(cublasHandle_t, int64_t, const double *, int64_t, double *);
cublasStatus_t cublasDnrm2_v2(cublasHandle_t, int, const double *, int, double *);
cublasStatus_t cublasDnrm2_v2_64(cublasHandle_t, int64_t, const double *, int64_t, double *);
cublasStatus_t cublasDrot(cublasHandle_t, int, double *, int, double *, int, const double *, const double *);
cublasStatus_t cublasDrot_64(cublasHandle_t, int64_t, double *, int64_t, double *, int64_t, const double *,
    const double *);
cublasStatus_t cublasDrot_v2(cublasHandle_t, int, double *, int, double *, int, const double *,
    const double *);
cublasStatus_t cublasDrot_v2_64(cublasHandle_t, int64_t, double *, int64_t, double *, int64_t, const double *,
    const double *);
cublasStatus_t cublasDrotg(cublasHandle_t, double *, double *, double *, double *);
cublasStatus_t cublasDrotg_v2(cublasHandle_t, double *, double *, double *, double *);
cublasStatus_t cublasDrotm(cublasHandle_t, int, double *, int, double *, int, const double *);
cublasStatus_t cublasDrotm_64(cublasHandle_t, int64_t, double *, int64_t, double *, int64_t, const double *);
cublasStatus_t cublasDrotm_v2(cublasHandle_t, int, double *, int, double *, int, const double *);
cublasStatus_t cublasDrotm_v2_64(cublasHandle_t, int64_t, double *, int64_t, double *, int64_t,
    const double *);
cublasStatus_t cublasDrotmg(cublasHandle_t, double *, double *, double *, const double *, double *);
cublasStatus_t cublasDrotmg_v2(cublasHandle_t, double *, double *, double *, const double *, double *);
cublasStatus_t cublasDscal(cublasHandle_t, int, const double *, double *, int);
cublasStatus_t cublasDscal_64(cublasHandle_t, int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDscal_v2(cublasHandle_t, int, const double *, double *, int);
cublasStatus_t cublasDscal_v2_64(cublasHandle_t, int64_t, const double *, double *, int64_t);
cublasStatus_t cublasDswap(cublasHandle_t, int, double *, int, double *, int);
cublasStatus_t cublasDswap_64(cublasHandle_t, int64_t, double *, int64_t, double *, int64_t);
cublasStatus_t cublasDswap_v2(cublasHandle_t, int, double *, int, double *, int);
cublasStatus_t cublasDswap_v2_64(cublasHandle_t, int64_t, double *, int64_t, double *, int64_t);
cublasStatus_t cublasDzasum(cublasHandle_t, int, const cuDoubleComplex *, int, double *);
cublasStatus_t cublasDzasum_64(cublasHandle_t, int64_t, const cuDoubleComplex *, int64_t, double *);
cublasStatus_t cublasDzasum_v2(cublasHandle_t, int, const cuDoubleComplex *, int, double *);
cublasStatus_t cublasDzasum_v2_64(cublasHandle_t, int64_t, const cuDoubleComplex *, int64_t, double *);
cublasStatus_t cublasDznrm2(cublasHandle_t, int, const cuDoubleComplex *, int, double *);
cublasStatus_t cublasDznrm2_64(cublasHandle_t, int64_t, const cuDoubleComplex *, int64_t, double *);
cublasStatus_t cublasDznrm2_v2(cublasHandle_t, int, const cuDoubleComplex *, int, double *);
cublasStatus_t cublasDznrm2_v2_64(cublasHandle_t, int64_t, const cuDoubleComplex *, int64_t, double *);
cublasStatus_t cublasIcamax(cublasHandle_t, int, const cuComplex *, int, int *);
cublasStatus_t cublasIcamax_64(cublasHandle_t, int64_t, const cuComplex *, int64_t, int64_t *);
cublasStatus_t cublasIcamax_v2(cublasHandle_t, int, const cuComplex *, int, int *);
cublasStatus_t cublasIcamax_v2_64(cublasHandle_t, int64_t, const cuComplex *, int64_t, int64_t *);
cublasStatus_t cublasIcamin(cublasHandle_t, int, const cuComplex *, int, int *);
cublasStatus_t cublasIcamin_64(cublasHandle_t, int64_t, const cuComplex *, int64_t, int64_t *);
cublasStatus_t cublasIcamin_v2(cublasHandle_t, int, const cuComplex *, int, int *);
cublasStatus_t cublasIcamin_v2_64(cublasHandle_t, int64_t, const cuComplex *, int64_t, int64_t *);
cublasStatus_t cublasIdamax(cublasHandle_t, int, const double *, int, int *);
cublasStatus_t cublasIdamax_64(cublasHandle_t, int64_t, const double *, int64_t, int64_t *);
cublasStatus_t cublasIdamax_v2(cublasHandle_t, int, const double *, int, int *);
cublasStatus_t cublasIdamax_v2_64(cublasHandle_t, int64_t, const double *, int64_t, int64_t *);
cublasStatus_t cublasIdamin(cublasHandle_t, int, const double *, int, int *);
cublasStatus_t cublasIdamin_64(cublasHandle_t, int64_t, const double *, int64_t, int64_t *);
cublasStatus_t cublasIdamin_v2(cublasHandle_t, int, const double *, int, int *);
cublasStatus_t cublasIdamin_v2_64(cublasHandle_t, int64_t, const double *, int64_t, int64_t *);
cublasStatus_t cublasIsamax(cublasHandle_t, int, const float *, int, int *);
cublasStatus_t cublasIsamax_64(cublasHandle_t, int64_t, const float *, int64_t, int64_t *);
cublasStatus_t cublasIsamax_v2(cublasHandle_t, int, const float *, int, int *);
cublasStatus_t cublasIsamax_v2_64(cublasHandle_t, int64_t, const float *, int64_t, int64_t *);
cublasStatus_t cublasIsamin(cublasHandle_t, int, const float *, int, int *);
cublasStatus_t cublasIsamin_64(cublasHandle_t, int64_t, const float *, int64_t, int64_t *);
cublasStatus_t cublasIsamin_v2(cublasHandle_t, int, const float *, int, int *);
cublasStatus_t cublasIsamin_v2_64(cublasHandle_t, int64_t, const float *, int64_t, int64_t *);
cublasStatus_t cublasIzamax(cublasHandle_t, int, const cuDoubleComplex *, int, int *);
cublasStatus_t cublasIzamax_64(cublasHandle_t, int64_t, const cuDoubleComplex *, int64_t, int64_t *);
cublasStatus_t cublasIzamax_v2(cublasHandle_t, int, const cuDoubleComplex *, int, int *);
cublasStatus_t cublasIzamax_v2_64(cublasHandle_t, int64_t, const cuDoubleComplex *, int64_t, int64_t *);
cublasStatus_t cublasIzamin(cublasHandle_t, int, const cuDoubleComplex *, int, int *);
cublasStatus_t cublasIzamin_64(cublasHandle_t, int64_t, const cuDoubleComplex *, int64_t, int64_t *);
cublasStatus_t cublasIzamin_v2(cublasHandle_t, int, const cuDoubleComplex *, int, int *);
cublasStatus_t cublasIzamin_v2_64(cublasHandle_t, int64_t, const cuDoubleComplex *, int64_t, int64_t *);
cublasStatus_t cublasSasum(cublasHandle_t, int, const float *, int, float *);
cublasStatus_t cublasSasum_64(cublasHandle_t, int64_t, const float *, int64_t, float *);
cublasStatus_t cublasSasum_v2(cublasHandle_t, int, const float *, int, float *);
cublasStatus_t cublasSasum_v2_64(cublasHandle_t, int64_t, const float *, int64_t, float *);
cublasStatus_t cublasSaxpy(cublasHandle_t, int, const float *, const float *, int, float *, int);
cublasStatus_t cublasSaxpy_64(cublasHandle_t, int64_t, const float *, const float *, int64_t, float *,
    int64_t);
cublasStatus_t cublasSaxpy_v2(cublasHandle_t, int, const float *, const float *, int, float *, int);
cublasStatus_t cublasSaxpy_v2_64(cublasHandle_t, int64_t, const float *, const float *, int64_t, float *,
    int64_t);
cublasStatus_t cublasScasum(cublasHandle_t, int, const cuComplex *, int, float *);
cublasStatus_t cublasScasum_64(cublasHandle_t, int64_t, const cuComplex *, int64_t, float *);
cublasStatus_t cublasScasum_v2(cublasHandle_t, int, const cuComplex *, int, float *);
cublasStatus_t cublasScasum_v2_64(cublasHandle_t, int64_t, const cuComplex *, int64_t, float *);
cublasStatus_t cublasScnrm2(cublasHandle_t, int, const cuComplex *, int, float *);
cublasStatus_t cublasScnrm2_64(cublasHandle_t, int64_t, const cuComplex *, int64_t, float *);
cublasStatus_t cublasScnrm2_v2(cublasHandle_t, int, const cuComplex *, int, float *);
cublasStatus_t cublasScnrm2_v2_64(cublasHandle_t, int64_t, const cuComplex *, int64_t, float *);
cublasStatus_t cublasScopy(cublasHandle_t, int, const float *, int, float *, int);
cublasStatus_t cublasScopy_64(cublasHandle_t, int64_t, const float *, int64_t, float *, int64_t);
cublasStatus_t cublasScopy_v2(cublasHandle_t, int, const float *, int, float *, int);
cublasStatus_t cublasScopy_v2_64(cublasHandle_t, int64_t, const float *, int64_t, float *, int64_t);
cublasStatus_t cublasSdot(cublasHandle_t, int, const float *, int, const float *, int, float *);
cublasStatus_t cublasSdot_64(cublasHandle_t, int64_t, const float *, int64_t, const float *, int64_t,
    float *);
cublasStatus_t cublasSdot_v2(cublasHandle_t, int, const float *, int, const float *, int, float *);
cublasStatus_t cublasSdot_v2_64(cublasHandle_t, int64_t, const float *, int64_t, const float *, int64_t,
    float *);
cublasStatus_t cublasSnrm2(cublasHandle_t, int, const float *, int, float *);
cublasStatus_t cublasSnrm2_64(cublasHandle_t, int64_t, const float *, int64_t, float *);
cublasStatus_t cublasSnrm2_v2(cublasHandle_t, int, const float *, int, float *);
cublasStatus_t cublasSnrm2_v2_64(cublasHandle_t, int64_t, const float *, int64_t, float *);
cublasStatus_t cublasSrot(cublasHandle_t, int, float *, int, float *, int, const float *, const float *);
cublasStatus_t cublasSrot_64(cublasHandle_t, int64_t, float *, int64_t, float *, int64_t, const float *,
    const float *);
cublasStatus_t cublasSrot_v2(cublasHandle_t, int, float *, int, float *, int, const float *, const float *);
cublasStatus_t cublasSrot_v2_64(cublasHandle_t, int64_t, float *, int64_t, float *, int64_t, const float *,
    const float *);
cublasStatus_t cublasSrotg(cublasHandle_t, float *, float *, float *, float *);
cublasStatus_t cublasSrotg_v2(cublasHandle_t, float *, float *, float *, float *);
cublasStatus_t cublasSrotm(cublasHandle_t, int, float *, int, float *, int, const float *);
cublasStatus_t cublasSrotm_64(cublasHandle_t, int64_t, float *, int64_t, float *, int64_t, const float *);
cublasStatus_t cublasSrotm_v2(cublasHandle_t, int, float *, int, float *, int, const float *);
cublasStatus_t cublasSrotm_v2_64(cublasHandle_t, int64_t, float *, int64_t, float *, int64_t, const float *);
cublasStatus_t cublasSrotmg(cublasHandle_t, float *, float *, float *, const float *, float *);
cublasStatus_t cublasSrotmg_v2(cublasHandle_t, float *, float *, float *, const float *, float *);
cublasStatus_t cublasSscal(cublasHandle_t, int, const float *, float *, int);
cublasStatus_t cublasSscal_64(cublasHandle_t, int64_t, const float *, float *, int64_t);
cublasStatus_t cublasSscal_v2(cublasHandle_t, int, const float *, float *, int);
cublasStatus_t cublasSscal_v2_64(cublasHandle_t, int64_t, const float *, float *, int64_t);
cublasStatus_t cublasSswap(cublasHandle_t, int, float *, int, float *, int);
cublasStatus_t cublasSswap_64(cublasHandle_t, int64_t, float *, int64_t, float *, int64_t);
cublasStatus_t cublasSswap_v2(cublasHandle_t, int, float *, int, float *, int);
cublasStatus_t cublasSswap_v2_64(cublasHandle_t, int64_t, float *, int64_t, float *, int64_t);
cublasStatus_t cublasUint8gemmBias(cublasHandle_t, cublasOperation_t, cublasOperation_t, cublasOperation_t,
    int, int, int, const unsigned char *, int, int, const unsigned char *, int, int, unsigned char *, int,
    int, int, int);
cublasStatus_t cublasZaxpy(cublasHandle_t, int, const cuDoubleComplex *, const cuDoubleComplex *, int,
    cuDoubleComplex *, int);
cublasStatus_t cublasZaxpy_64(cublasHandle_t, int64_t, const cuDoubleComplex *, const cuDoubleComplex *,
    int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZaxpy_v2(cublasHandle_t, int, const cuDoubleComplex *, const cuDoubleComplex *, int,
    cuDoubleComplex *, int);
cublasStatus_t cublasZaxpy_v2_64(cublasHandle_t, int64_t, const cuDoubleComplex *, const cuDoubleComplex *,
    int64_t, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZcopy(cublasHandle_t, int, const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZcopy_64(cublasHandle_t, int64_t, const cuDoubleComplex *, int64_t, cuDoubleComplex *,
    int64_t);
cublasStatus_t cublasZcopy_v2(cublasHandle_t, int, const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZcopy_v2_64(cublasHandle_t, int64_t, const cuDoubleComplex *, int64_t, cuDoubleComplex *,
    int64_t);
cublasStatus_t cublasZdotc(cublasHandle_t, int, const cuDoubleComplex *, int, const cuDoubleComplex *, int,
    cuDoubleComplex *);
cublasStatus_t cublasZdotc_64(cublasHandle_t, int64_t, const cuDoubleComplex *, int64_t,
    const cuDoubleComplex *, int64_t, cuDoubleComplex *);
cublasStatus_t cublasZdotc_v2(cublasHandle_t, int, const cuDoubleComplex *, int, const cuDoubleComplex *, int,
    cuDoubleComplex *);
cublasStatus_t cublasZdotc_v2_64(cublasHandle_t, int64_t, const cuDoubleComplex *, int64_t,
    const cuDoubleComplex *, int64_t, cuDoubleComplex *);
cublasStatus_t cublasZdotu(cublasHandle_t, int, const cuDoubleComplex *, int, const cuDoubleComplex *, int,
    cuDoubleComplex *);
cublasStatus_t cublasZdotu_64(cublasHandle_t, int64_t, const cuDoubleComplex *, int64_t,
    const cuDoubleComplex *, int64_t, cuDoubleComplex *);
cublasStatus_t cublasZdotu_v2(cublasHandle_t, int, const cuDoubleComplex *, int, const cuDoubleComplex *, int,
    cuDoubleComplex *);
cublasStatus_t cublasZdotu_v2_64(cublasHandle_t, int64_t, const cuDoubleComplex *, int64_t,
    const cuDoubleComplex *, int64_t, cuDoubleComplex *);
cublasStatus_t cublasZdrot(cublasHandle_t, int, cuDoubleComplex *, int, cuDoubleComplex *, int,
    const double *, const double *);
cublasStatus_t cublasZdrot_64(cublasHandle_t, int64_t, cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t,
    const double *, const double *);
cublasStatus_t cublasZdrot_v2(cublasHandle_t, int, cuDoubleComplex *, int, cuDoubleComplex *, int,
    const double *, const double *);
cublasStatus_t cublasZdrot_v2_64(cublasHandle_t, int64_t, cuDoubleComplex *, int64_t, cuDoubleComplex *,
    int64_t, const double *, const double *);
cublasStatus_t cublasZdscal(cublasHandle_t, int, const double *, cuDoubleComplex *, int);
cublasStatus_t cublasZdscal_64(cublasHandle_t, int64_t, const double *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZdscal_v2(cublasHandle_t, int, const double *, cuDoubleComplex *, int);
cublasStatus_t cublasZdscal_v2_64(cublasHandle_t, int64_t, const double *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZrot(cublasHandle_t, int, cuDoubleComplex *, int, cuDoubleComplex *, int, const double *,
    const cuDoubleComplex *);
cublasStatus_t cublasZrot_64(cublasHandle_t, int64_t, cuDoubleComplex *, int64_t, cuDoubleComplex *, int64_t,
    const double *, const cuDoubleComplex *);
cublasStatus_t cublasZrot_v2(cublasHandle_t, int, cuDoubleComplex *, int, cuDoubleComplex *, int,
    const double *, const cuDoubleComplex *);
cublasStatus_t cublasZrot_v2_64(cublasHandle_t, int64_t, cuDoubleComplex *, int64_t, cuDoubleComplex *,
    int64_t, const double *, const cuDoubleComplex *);
cublasStatus_t cublasZrotg(cublasHandle_t, cuDoubleComplex *, cuDoubleComplex *, double *, cuDoubleComplex *);
cublasStatus_t cublasZrotg_v2(cublasHandle_t, cuDoubleComplex *, cuDoubleComplex *, double *,
    cuDoubleComplex *);
cublasStatus_t cublasZscal(cublasHandle_t, int, const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZscal_64(cublasHandle_t, int64_t, const cuDoubleComplex *, cuDoubleComplex *, int64_t);
cublasStatus_t cublasZscal_v2(cublasHandle_t, int, const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasZscal_v2_64(cublasHandle_t, int64_t, const cuDoubleComplex *, cuDoubleComplex *,
    int64_t);
cublasStatus_t cublasZswap(cublasHandle_t, int, cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZswap_64(cublasHandle_t, int64_t, cuDoubleComplex *, int64_t, cuDoubleComplex *,
    int64_t);
cublasStatus_t cublasZswap_v2(cublasHandle_t, int, cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasZswap_v2_64(cublasHandle_t, int64_t, cuDoubleComplex *, int64_t, cuDoubleComplex *,
    int64_t);
}
