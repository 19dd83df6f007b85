// porter stub headers: cuRAND, states and generators for device code.
#pragma once
#include "../../curand.h"

typedef struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
} curandStateXORWOW_t;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandState;
typedef struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
} curandStateMRG32k3a_t;
typedef struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
} curandStatePhilox4_32_10_t;
typedef struct curandStateSobol32 { unsigned int i, x, c, direction_vectors[32]; } curandStateSobol32_t;
typedef struct curandStateScrambledSobol32 {
  unsigned int i, x, c, direction_vectors[32];
} curandStateScrambledSobol32_t;
typedef struct curandStateSobol64 { unsigned long long i, x, c, direction_vectors[64]; } curandStateSobol64_t;
typedef struct curandStateScrambledSobol64 {
  unsigned long long i, x, c, direction_vectors[64];
} curandStateScrambledSobol64_t;
struct mtgp32_kernel_params;
typedef mtgp32_kernel_params mtgp32_kernel_params_t;
typedef struct curandStateMtgp32 {
  unsigned int s[1024];
  int offset, pIdx;
  mtgp32_kernel_params_t *k;
} curandStateMtgp32_t;

#ifdef __CUDACC__
__host__ __device__ void curand_init(unsigned long long, unsigned long long, unsigned long long, curandStateXORWOW_t *);
__host__ __device__ void curand_init(unsigned long long, unsigned long long, unsigned long long,
    curandStateMRG32k3a_t *);
__host__ __device__ void curand_init(unsigned long long, unsigned long long, unsigned long long,
    curandStatePhilox4_32_10_t *);
__host__ __device__ void curand_init(unsigned int *, unsigned int, curandStateSobol32_t *);
__host__ __device__ void curand_init(unsigned int *, unsigned int, unsigned int, curandStateScrambledSobol32_t *);
__host__ __device__ void curand_init(unsigned long long *, unsigned long long, curandStateSobol64_t *);
__host__ __device__ void curand_init(unsigned long long *, unsigned long long, unsigned long long,
    curandStateScrambledSobol64_t *);

__host__ __device__ unsigned int curand(curandStateXORWOW_t *);
__host__ __device__ unsigned int curand(curandStateMRG32k3a_t *);
__host__ __device__ unsigned int curand(curandStatePhilox4_32_10_t *);
__host__ __device__ unsigned int curand(curandStateSobol32_t *);
__host__ __device__ unsigned int curand(curandStateScrambledSobol32_t *);
__host__ __device__ unsigned int curand(curandStateMtgp32_t *);
__host__ __device__ unsigned long long curand(curandStateSobol64_t *);
__host__ __device__ unsigned long long curand(curandStateScrambledSobol64_t *);
__host__ __device__ uint4 curand4(curandStatePhilox4_32_10_t *);
__host__ __device__ void skipahead(unsigned long long, curandStateXORWOW_t *);
__host__ __device__ void skipahead_sequence(unsigned long long, curandStateXORWOW_t *);
__host__ __device__ void skipahead(unsigned long long, curandStateMRG32k3a_t *);
__host__ __device__ void skipahead_sequence(unsigned long long, curandStateMRG32k3a_t *);
__host__ __device__ void skipahead(unsigned long long, curandStatePhilox4_32_10_t *);
__host__ __device__ void skipahead_sequence(unsigned long long, curandStatePhilox4_32_10_t *);
__host__ __device__ void skipahead_subsequence(unsigned long long, curandStateMRG32k3a_t *);
__host__ __device__ void skipahead(unsigned int, curandStateSobol32_t *);
__host__ __device__ void skipahead(unsigned int, curandStateScrambledSobol32_t *);
__host__ __device__ void skipahead(unsigned long long, curandStateSobol64_t *);
__host__ __device__ void skipahead(unsigned long long, curandStateScrambledSobol64_t *);

// The distributions take any generator.
template <class State> __host__ __device__ float curand_uniform(State *) PORTER_STUB_BODY
template <class State> __host__ __device__ float curand_normal(State *) PORTER_STUB_BODY
template <class State> __host__ __device__ double curand_uniform_double(State *) PORTER_STUB_BODY
template <class State> __host__ __device__ double curand_normal_double(State *) PORTER_STUB_BODY
template <class State> __host__ __device__ float2 curand_normal2(State *) PORTER_STUB_BODY
template <class State> __host__ __device__ float4 curand_normal4(State *) PORTER_STUB_BODY
template <class State> __host__ __device__ double2 curand_normal2_double(State *) PORTER_STUB_BODY
template <class State> __host__ __device__ double4 curand_normal4_double(State *) PORTER_STUB_BODY
template <class State> __host__ __device__ float4 curand_uniform4(State *) PORTER_STUB_BODY
template <class State> __host__ __device__ double2 curand_uniform2_double(State *) PORTER_STUB_BODY
template <class State> __host__ __device__ double4 curand_uniform4_double(State *) PORTER_STUB_BODY
template <class State> __host__ __device__ float curand_log_normal(State *, float, float) PORTER_STUB_BODY
template <class State> __host__ __device__ double curand_log_normal_double(State *, double, double) PORTER_STUB_BODY
template <class State> __host__ __device__ float2 curand_log_normal2(State *, float, float) PORTER_STUB_BODY
template <class State> __host__ __device__ float4 curand_log_normal4(State *, float, float) PORTER_STUB_BODY
template <class State> __host__ __device__ double2 curand_log_normal2_double(State *, double, double) PORTER_STUB_BODY
template <class State> __host__ __device__ double4 curand_log_normal4_double(State *, double, double) PORTER_STUB_BODY
template <class State> __host__ __device__ unsigned int curand_poisson(State *, double) PORTER_STUB_BODY
template <class State> __host__ __device__ uint4 curand_poisson4(State *, double) PORTER_STUB_BODY
template <class State>
__host__ __device__ unsigned int curand_discrete(State *, curandDiscreteDistribution_t) PORTER_STUB_BODY
template <class State>
__host__ __device__ uint4 curand_discrete4(State *, curandDiscreteDistribution_t) PORTER_STUB_BODY
__device__ float curand_mtgp32_single(curandStateMtgp32_t *);
__device__ unsigned int curand_mtgp32_specific(curandStateMtgp32_t *, unsigned char, unsigned char);
#endif
