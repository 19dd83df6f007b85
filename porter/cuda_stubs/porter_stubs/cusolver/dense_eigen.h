// porter stub headers: cuSOLVER, dense eigenvalues and singular values
// Declarations only: enough to parse CUDA sources where no CUDA toolkit is installed.
#pragma once

#include "types.h"

extern "C" {
cusolverStatus_t cusolverDnCgebrd(cusolverDnHandle_t, int, int, cuComplex *, int, float *, float *,
    cuComplex *, cuComplex *, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCgebrd_bufferSize(cusolverDnHandle_t, int, int, int *);
cusolverStatus_t cusolverDnCgesvd(cusolverDnHandle_t, signed char, signed char, int, int, cuComplex *, int,
    float *, cuComplex *, int, cuComplex *, int, cuComplex *, int, float *, int *);
cusolverStatus_t cusolverDnCgesvd_bufferSize(cusolverDnHandle_t, int, int, int *);
cusolverStatus_t cusolverDnCgesvdaStridedBatched(cusolverDnHandle_t, cusolverEigMode_t, int, int, int,
    const cuComplex *, int, long long, float *, long long, cuComplex *, int, long long, cuComplex *, int,
    long long, cuComplex *, int, int *, double *, int);
cusolverStatus_t cusolverDnCgesvdaStridedBatched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, int, int,
    int, const cuComplex *, int, long long, const float *, long long, const cuComplex *, int, long long,
    const cuComplex *, int, long long, int *, int);
cusolverStatus_t cusolverDnCgesvdj(cusolverDnHandle_t, cusolverEigMode_t, int, int, int, cuComplex *, int,
    float *, cuComplex *, int, cuComplex *, int, cuComplex *, int, int *, gesvdjInfo_t);
cusolverStatus_t cusolverDnCgesvdjBatched(cusolverDnHandle_t, cusolverEigMode_t, int, int, cuComplex *, int,
    float *, cuComplex *, int, cuComplex *, int, cuComplex *, int, int *, gesvdjInfo_t, int);
cusolverStatus_t cusolverDnCgesvdjBatched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, int, int,
    const cuComplex *, int, const float *, const cuComplex *, int, const cuComplex *, int, int *,
    gesvdjInfo_t, int);
cusolverStatus_t cusolverDnCgesvdj_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, int, int, int,
    const cuComplex *, int, const float *, const cuComplex *, int, const cuComplex *, int, int *,
    gesvdjInfo_t);
cusolverStatus_t cusolverDnCheevd(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int, cuComplex *,
    int, float *, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCheevd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,
    const cuComplex *, int, const float *, int *);
cusolverStatus_t cusolverDnCheevdx(cusolverDnHandle_t, cusolverEigMode_t, cusolverEigRange_t,
    cublasFillMode_t, int, cuComplex *, int, float, float, int, int, int *, float *, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCheevdx_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cusolverEigRange_t,
    cublasFillMode_t, int, const cuComplex *, int, float, float, int, int, int *, const float *, int *);
cusolverStatus_t cusolverDnCheevj(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int, cuComplex *,
    int, float *, cuComplex *, int, int *, syevjInfo_t);
cusolverStatus_t cusolverDnCheevjBatched(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,
    cuComplex *, int, float *, cuComplex *, int, int *, syevjInfo_t, int);
cusolverStatus_t cusolverDnCheevjBatched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t,
    int, const cuComplex *, int, const float *, int *, syevjInfo_t, int);
cusolverStatus_t cusolverDnCheevj_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,
    const cuComplex *, int, const float *, int *, syevjInfo_t);
cusolverStatus_t cusolverDnChegvd(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t,
    int, cuComplex *, int, cuComplex *, int, float *, cuComplex *, int, int *);
cusolverStatus_t cusolverDnChegvd_bufferSize(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t,
    cublasFillMode_t, int, const cuComplex *, int, const cuComplex *, int, const float *, int *);
cusolverStatus_t cusolverDnChegvdx(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t,
    cusolverEigRange_t, cublasFillMode_t, int, cuComplex *, int, cuComplex *, int, float, float, int, int,
    int *, float *, cuComplex *, int, int *);
cusolverStatus_t cusolverDnChegvdx_bufferSize(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t,
    cusolverEigRange_t, cublasFillMode_t, int, const cuComplex *, int, const cuComplex *, int, float, float,
    int, int, int *, const float *, int *);
cusolverStatus_t cusolverDnChegvj(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t,
    int, cuComplex *, int, cuComplex *, int, float *, cuComplex *, int, int *, syevjInfo_t);
cusolverStatus_t cusolverDnChegvj_bufferSize(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t,
    cublasFillMode_t, int, const cuComplex *, int, const cuComplex *, int, const float *, int *, syevjInfo_t);
cusolverStatus_t cusolverDnChetrd(cusolverDnHandle_t, cublasFillMode_t, int, cuComplex *, int, float *,
    float *, cuComplex *, cuComplex *, int, int *);
cusolverStatus_t cusolverDnChetrd_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, const cuComplex *,
    int, const float *, const float *, const cuComplex *, int *);
cusolverStatus_t cusolverDnCungbr(cusolverDnHandle_t, cublasSideMode_t, int, int, int, cuComplex *, int,
    const cuComplex *, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCungbr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, int, int, int,
    const cuComplex *, int, const cuComplex *, int *);
cusolverStatus_t cusolverDnCungtr(cusolverDnHandle_t, cublasFillMode_t, int, cuComplex *, int,
    const cuComplex *, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCungtr_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, const cuComplex *,
    int, const cuComplex *, int *);
cusolverStatus_t cusolverDnCunmtr(cusolverDnHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    int, int, cuComplex *, int, cuComplex *, cuComplex *, int, cuComplex *, int, int *);
cusolverStatus_t cusolverDnCunmtr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasFillMode_t,
    cublasOperation_t, int, int, const cuComplex *, int, const cuComplex *, const cuComplex *, int, int *);
cusolverStatus_t cusolverDnDgebrd(cusolverDnHandle_t, int, int, double *, int, double *, double *, double *,
    double *, double *, int, int *);
cusolverStatus_t cusolverDnDgebrd_bufferSize(cusolverDnHandle_t, int, int, int *);
cusolverStatus_t cusolverDnDgesvd(cusolverDnHandle_t, signed char, signed char, int, int, double *, int,
    double *, double *, int, double *, int, double *, int, double *, int *);
cusolverStatus_t cusolverDnDgesvd_bufferSize(cusolverDnHandle_t, int, int, int *);
cusolverStatus_t cusolverDnDgesvdaStridedBatched(cusolverDnHandle_t, cusolverEigMode_t, int, int, int,
    const double *, int, long long, double *, long long, double *, int, long long, double *, int, long long,
    double *, int, int *, double *, int);
cusolverStatus_t cusolverDnDgesvdaStridedBatched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, int, int,
    int, const double *, int, long long, const double *, long long, const double *, int, long long,
    const double *, int, long long, int *, int);
cusolverStatus_t cusolverDnDgesvdj(cusolverDnHandle_t, cusolverEigMode_t, int, int, int, double *, int,
    double *, double *, int, double *, int, double *, int, int *, gesvdjInfo_t);
cusolverStatus_t cusolverDnDgesvdjBatched(cusolverDnHandle_t, cusolverEigMode_t, int, int, double *, int,
    double *, double *, int, double *, int, double *, int, int *, gesvdjInfo_t, int);
cusolverStatus_t cusolverDnDgesvdjBatched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, int, int,
    const double *, int, const double *, const double *, int, const double *, int, int *, gesvdjInfo_t, int);
cusolverStatus_t cusolverDnDgesvdj_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, int, int, int,
    const double *, int, const double *, const double *, int, const double *, int, int *, gesvdjInfo_t);
cusolverStatus_t cusolverDnDorgbr(cusolverDnHandle_t, cublasSideMode_t, int, int, int, double *, int,
    const double *, double *, int, int *);
cusolverStatus_t cusolverDnDorgbr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, int, int, int,
    const double *, int, const double *, int *);
cusolverStatus_t cusolverDnDorgtr(cusolverDnHandle_t, cublasFillMode_t, int, double *, int, const double *,
    double *, int, int *);
cusolverStatus_t cusolverDnDorgtr_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, const double *, int,
    const double *, int *);
cusolverStatus_t cusolverDnDormtr(cusolverDnHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    int, int, double *, int, double *, double *, int, double *, int, int *);
cusolverStatus_t cusolverDnDormtr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasFillMode_t,
    cublasOperation_t, int, int, const double *, int, const double *, const double *, int, int *);
cusolverStatus_t cusolverDnDsyevd(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int, double *, int,
    double *, double *, int, int *);
cusolverStatus_t cusolverDnDsyevd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,
    const double *, int, const double *, int *);
cusolverStatus_t cusolverDnDsyevdx(cusolverDnHandle_t, cusolverEigMode_t, cusolverEigRange_t,
    cublasFillMode_t, int, double *, int, double, double, int, int, int *, double *, double *, int, int *);
cusolverStatus_t cusolverDnDsyevdx_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cusolverEigRange_t,
    cublasFillMode_t, int, const double *, int, double, double, int, int, int *, const double *, int *);
cusolverStatus_t cusolverDnDsyevj(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int, double *, int,
    double *, double *, int, int *, syevjInfo_t);
cusolverStatus_t cusolverDnDsyevjBatched(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,
    double *, int, double *, double *, int, int *, syevjInfo_t, int);
cusolverStatus_t cusolverDnDsyevjBatched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t,
    int, const double *, int, const double *, int *, syevjInfo_t, int);
cusolverStatus_t cusolverDnDsyevj_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,
    const double *, int, const double *, int *, syevjInfo_t);
cusolverStatus_t cusolverDnDsygvd(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t,
    int, double *, int, double *, int, double *, double *, int, int *);
cusolverStatus_t cusolverDnDsygvd_bufferSize(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t,
    cublasFillMode_t, int, const double *, int, const double *, int, const double *, int *);
cusolverStatus_t cusolverDnDsygvdx(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t,
    cusolverEigRange_t, cublasFillMode_t, int, double *, int, double *, int, double, double, int, int, int *,
    double *, double *, int, int *);
cusolverStatus_t cusolverDnDsygvdx_bufferSize(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t,
    cusolverEigRange_t, cublasFillMode_t, int, const double *, int, const double *, int, double, double, int,
    int, int *, const double *, int *);
cusolverStatus_t cusolverDnDsygvj(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t,
    int, double *, int, double *, int, double *, double *, int, int *, syevjInfo_t);
cusolverStatus_t cusolverDnDsygvj_bufferSize(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t,
    cublasFillMode_t, int, const double *, int, const double *, int, const double *, int *, syevjInfo_t);
cusolverStatus_t cusolverDnDsytrd(cusolverDnHandle_t, cublasFillMode_t, int, double *, int, double *,
    double *, double *, double *, int, int *);
cusolverStatus_t cusolverDnDsytrd_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, const double *, int,
    const double *, const double *, const double *, int *);
cusolverStatus_t cusolverDnSgebrd(cusolverDnHandle_t, int, int, float *, int, float *, float *, float *,
    float *, float *, int, int *);
cusolverStatus_t cusolverDnSgebrd_bufferSize(cusolverDnHandle_t, int, int, int *);
cusolverStatus_t cusolverDnSgesvd(cusolverDnHandle_t, signed char, signed char, int, int, float *, int,
    float *, float *, int, float *, int, float *, int, float *, int *);
cusolverStatus_t cusolverDnSgesvd_bufferSize(cusolverDnHandle_t, int, int, int *);
cusolverStatus_t cusolverDnSgesvdaStridedBatched(cusolverDnHandle_t, cusolverEigMode_t, int, int, int,
    const float *, int, long long, float *, long long, float *, int, long long, float *, int, long long,
    float *, int, int *, double *, int);
cusolverStatus_t cusolverDnSgesvdaStridedBatched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, int, int,
    int, const float *, int, long long, const float *, long long, const float *, int, long long,
    const float *, int, long long, int *, int);
cusolverStatus_t cusolverDnSgesvdj(cusolverDnHandle_t, cusolverEigMode_t, int, int, int, float *, int,
    float *, float *, int, float *, int, float *, int, int *, gesvdjInfo_t);
cusolverStatus_t cusolverDnSgesvdjBatched(cusolverDnHandle_t, cusolverEigMode_t, int, int, float *, int,
    float *, float *, int, float *, int, float *, int, int *, gesvdjInfo_t, int);
cusolverStatus_t cusolverDnSgesvdjBatched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, int, int,
    const float *, int, const float *, const float *, int, const float *, int, int *, gesvdjInfo_t, int);
cusolverStatus_t cusolverDnSgesvdj_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, int, int, int,
    const float *, int, const float *, const float *, int, const float *, int, int *, gesvdjInfo_t);
cusolverStatus_t cusolverDnSorgbr(cusolverDnHandle_t, cublasSideMode_t, int, int, int, float *, int,
    const float *, float *, int, int *);
cusolverStatus_t cusolverDnSorgbr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, int, int, int,
    const float *, int, const float *, int *);
cusolverStatus_t cusolverDnSorgtr(cusolverDnHandle_t, cublasFillMode_t, int, float *, int, const float *,
    float *, int, int *);
cusolverStatus_t cusolverDnSorgtr_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, const float *, int,
    const float *, int *);
cusolverStatus_t cusolverDnSormtr(cusolverDnHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    int, int, float *, int, float *, float *, int, float *, int, int *);
cusolverStatus_t cusolverDnSormtr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasFillMode_t,
    cublasOperation_t, int, int, const float *, int, const float *, const float *, int, int *);
cusolverStatus_t cusolverDnSsyevd(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int, float *, int,
    float *, float *, int, int *);
cusolverStatus_t cusolverDnSsyevd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,
    const float *, int, const float *, int *);
cusolverStatus_t cusolverDnSsyevdx(cusolverDnHandle_t, cusolverEigMode_t, cusolverEigRange_t,
    cublasFillMode_t, int, float *, int, float, float, int, int, int *, float *, float *, int, int *);
cusolverStatus_t cusolverDnSsyevdx_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cusolverEigRange_t,
    cublasFillMode_t, int, const float *, int, float, float, int, int, int *, const float *, int *);
cusolverStatus_t cusolverDnSsyevj(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int, float *, int,
    float *, float *, int, int *, syevjInfo_t);
cusolverStatus_t cusolverDnSsyevjBatched(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,
    float *, int, float *, float *, int, int *, syevjInfo_t, int);
cusolverStatus_t cusolverDnSsyevjBatched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t,
    int, const float *, int, const float *, int *, syevjInfo_t, int);
cusolverStatus_t cusolverDnSsyevj_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,
    const float *, int, const float *, int *, syevjInfo_t);
cusolverStatus_t cusolverDnSsygvd(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t,
    int, float *, int, float *, int, float *, float *, int, int *);
cusolverStatus_t cusolverDnSsygvd_bufferSize(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t,
    cublasFillMode_t, int, const float *, int, const float *, int, const float *, int *);
cusolverStatus_t cusolverDnSsygvdx(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t,
    cusolverEigRange_t, cublasFillMode_t, int, float *, int, float *, int, float, float, int, int, int *,
    float *, float *, int, int *);
cusolverStatus_t cusolverDnSsygvdx_bufferSize(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t,
    cusolverEigRange_t, cublasFillMode_t, int, const float *, int, const float *, int, float, float, int, int,
    int *, const float *, int *);
cusolverStatus_t cusolverDnSsygvj(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t,
    int, float *, int, float *, int, float *, float *, int, int *, syevjInfo_t);
cusolverStatus_t cusolverDnSsygvj_bufferSize(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t,
    cublasFillMode_t, int, const float *, int, const float *, int, const float *, int *, syevjInfo_t);
cusolverStatus_t cusolverDnSsytrd(cusolverDnHandle_t, cublasFillMode_t, int, float *, int, float *, float *,
    float *, float *, int, int *);
cusolverStatus_t cusolverDnSsytrd_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, const float *, int,
    const float *, const float *, const float *, int *);
cusolverStatus_t cusolverDnZgebrd(cusolverDnHandle_t, int, int, cuDoubleComplex *, int, double *, double *,
    cuDoubleComplex *, cuDoubleComplex *, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZgebrd_bufferSize(cusolverDnHandle_t, int, int, int *);
cusolverStatus_t cusolverDnZgesvd(cusolverDnHandle_t, signed char, signed char, int, int, cuDoubleComplex *,
    int, double *, cuDoubleComplex *, int, cuDoubleComplex *, int, cuDoubleComplex *, int, double *, int *);
cusolverStatus_t cusolverDnZgesvd_bufferSize(cusolverDnHandle_t, int, int, int *);
cusolverStatus_t cusolverDnZgesvdaStridedBatched(cusolverDnHandle_t, cusolverEigMode_t, int, int, int,
    const cuDoubleComplex *, int, long long, double *, long long, cuDoubleComplex *, int, long long,
    cuDoubleComplex *, int, long long, cuDoubleComplex *, int, int *, double *, int);
cusolverStatus_t cusolverDnZgesvdaStridedBatched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, int, int,
    int, const cuDoubleComplex *, int, long long, const double *, long long, const cuDoubleComplex *, int,
    long long, const cuDoubleComplex *, int, long long, int *, int);
cusolverStatus_t cusolverDnZgesvdj(cusolverDnHandle_t, cusolverEigMode_t, int, int, int, cuDoubleComplex *,
    int, double *, cuDoubleComplex *, int, cuDoubleComplex *, int, cuDoubleComplex *, int, int *,
    gesvdjInfo_t);
cusolverStatus_t cusolverDnZgesvdjBatched(cusolverDnHandle_t, cusolverEigMode_t, int, int, cuDoubleComplex *,
    int, double *, cuDoubleComplex *, int, cuDoubleComplex *, int, cuDoubleComplex *, int, int *,
    gesvdjInfo_t, int);
cusolverStatus_t cusolverDnZgesvdjBatched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, int, int,
    const cuDoubleComplex *, int, const double *, const cuDoubleComplex *, int, const cuDoubleComplex *, int,
    int *, gesvdjInfo_t, int);
cusolverStatus_t cusolverDnZgesvdj_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, int, int, int,
    const cuDoubleComplex *, int, const double *, const cuDoubleComplex *, int, const cuDoubleComplex *, int,
    int *, gesvdjInfo_t);
cusolverStatus_t cusolverDnZheevd(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,
    cuDoubleComplex *, int, double *, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZheevd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,
    const cuDoubleComplex *, int, const double *, int *);
cusolverStatus_t cusolverDnZheevdx(cusolverDnHandle_t, cusolverEigMode_t, cusolverEigRange_t,
    cublasFillMode_t, int, cuDoubleComplex *, int, double, double, int, int, int *, double *,
    cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZheevdx_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cusolverEigRange_t,
    cublasFillMode_t, int, const cuDoubleComplex *, int, double, double, int, int, int *, const double *,
    int *);
cusolverStatus_t cusolverDnZheevj(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,
    cuDoubleComplex *, int, double *, cuDoubleComplex *, int, int *, syevjInfo_t);
cusolverStatus_t cusolverDnZheevjBatched(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,
    cuDoubleComplex *, int, double *, cuDoubleComplex *, int, int *, syevjInfo_t, int);
cusolverStatus_t cusolverDnZheevjBatched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t,
    int, const cuDoubleComplex *, int, const double *, int *, syevjInfo_t, int);
cusolverStatus_t cusolverDnZheevj_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,
    const cuDoubleComplex *, int, const double *, int *, syevjInfo_t);
cusolverStatus_t cusolverDnZhegvd(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t,
    int, cuDoubleComplex *, int, cuDoubleComplex *, int, double *, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZhegvd_bufferSize(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t,
    cublasFillMode_t, int, const cuDoubleComplex *, int, const cuDoubleComplex *, int, const double *, int *);
cusolverStatus_t cusolverDnZhegvdx(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t,
    cusolverEigRange_t, cublasFillMode_t, int, cuDoubleComplex *, int, cuDoubleComplex *, int, double, double,
    int, int, int *, double *, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZhegvdx_bufferSize(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t,
    cusolverEigRange_t, cublasFillMode_t, int, const cuDoubleComplex *, int, const cuDoubleComplex *, int,
    double, double, int, int, int *, const double *, int *);
cusolverStatus_t cusolverDnZhegvj(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t,
    int, cuDoubleComplex *, int, cuDoubleComplex *, int, double *, cuDoubleComplex *, int, int *,
    syevjInfo_t);
cusolverStatus_t cusolverDnZhegvj_bufferSize(cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t,
    cublasFillMode_t, int, const cuDoubleComplex *, int, const cuDoubleComplex *, int, const double *, int *,
    syevjInfo_t);
cusolverStatus_t cusolverDnZhetrd(cusolverDnHandle_t, cublasFillMode_t, int, cuDoubleComplex *, int, double *,
    double *, cuDoubleComplex *, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZhetrd_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int,
    const cuDoubleComplex *, int, const double *, const double *, const cuDoubleComplex *, int *);
cusolverStatus_t cusolverDnZungbr(cusolverDnHandle_t, cublasSideMode_t, int, int, int, cuDoubleComplex *, int,
    const cuDoubleComplex *, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZungbr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, int, int, int,
    const cuDoubleComplex *, int, const cuDoubleComplex *, int *);
cusolverStatus_t cusolverDnZungtr(cusolverDnHandle_t, cublasFillMode_t, int, cuDoubleComplex *, int,
    const cuDoubleComplex *, cuDoubleComplex *, int, int *);
cusolverStatus_t cusolverDnZungtr_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int,
    const cuDoubleComplex *, int, const cuDoubleComplex *, int *);
cusolverStatus_t cusolverDnZunmtr(cusolverDnHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    int, int, cuDoubleComplex *, int, cuDoubleComplex *, cuDoubleComplex *, int, cuDoubleComplex *, int,
    int *);
cusolverStatus_t cusolverDnZunmtr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasFillMode_t,
    cublasOperation_t, int, int, const cuDoubleComplex *, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, int *);
}
