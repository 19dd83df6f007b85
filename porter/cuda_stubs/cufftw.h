// porter stub headers: cuFFT behind the FFTW interface.
#pragma once
#include <stdio.h>
#include "cufft.h"
#define FFTW_FORWARD -1
#define FFTW_BACKWARD 1
#define FFTW_MEASURE 0x00
#define FFTW_ESTIMATE 0x40
#define FFTW_PATIENT 0x20
#define FFTW_EXHAUSTIVE 0x08

typedef double fftw_complex[2];
typedef float fftwf_complex[2];
typedef void *fftw_plan;
typedef void *fftwf_plan;

extern "C" {
fftw_plan fftw_plan_dft_1d(int, fftw_complex *, fftw_complex *, int, unsigned);
fftw_plan fftw_plan_dft_2d(int, int, fftw_complex *, fftw_complex *, int, unsigned);
fftw_plan fftw_plan_dft_3d(int, int, int, fftw_complex *, fftw_complex *, int, unsigned);
fftw_plan fftw_plan_dft_r2c_1d(int, double *, fftw_complex *, unsigned);
fftw_plan fftw_plan_dft_c2r_1d(int, fftw_complex *, double *, unsigned);
fftwf_plan fftwf_plan_dft_1d(int, fftwf_complex *, fftwf_complex *, int, unsigned);
fftwf_plan fftwf_plan_dft_2d(int, int, fftwf_complex *, fftwf_complex *, int, unsigned);
fftwf_plan fftwf_plan_dft_3d(int, int, int, fftwf_complex *, fftwf_complex *, int, unsigned);
fftwf_plan fftwf_plan_dft_r2c_1d(int, float *, fftwf_complex *, unsigned);
fftwf_plan fftwf_plan_dft_c2r_1d(int, fftwf_complex *, float *, unsigned);
void fftw_execute(const fftw_plan);
void fftwf_execute(const fftwf_plan);
void fftw_destroy_plan(fftw_plan);
void fftwf_destroy_plan(fftwf_plan);
void *fftw_malloc(size_t);
void *fftwf_malloc(size_t);
void fftw_free(void *);
void fftwf_free(void *);
}
