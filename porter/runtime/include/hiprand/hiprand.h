// porter's stand-in for hipRAND's host interface; hipRAND's own is taken where it is found.
//
// All pseudo-random generators give the numbers of Philox 4x32-10 here, each element with a sequence of its own: right in
// their distribution, and other numbers than rocRAND's. Sobol32 is the published sequence (Joe and Kuo 2008) of up to
// ten dimensions. Not here: scrambled and 64-bit Sobol, direction vectors, distributions that are kept.
#ifndef PORTER_HIPRAND
#pragma clang system_header

#if __has_include_next(<hiprand/hiprand.h>)
#include_next <hiprand/hiprand.h>
#else
#define PORTER_HIPRAND

#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <hiprand/hiprand_kernel.h>
#include <porter/standin_said.h>

#include <new>

#define HIPRAND_VERSION 300000

typedef __half half;

typedef enum hiprandStatus {
  HIPRAND_STATUS_SUCCESS = 0,
  HIPRAND_STATUS_VERSION_MISMATCH = 100,
  HIPRAND_STATUS_NOT_INITIALIZED = 101,
  HIPRAND_STATUS_ALLOCATION_FAILED = 102,
  HIPRAND_STATUS_TYPE_ERROR = 103,
  HIPRAND_STATUS_OUT_OF_RANGE = 104,
  HIPRAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  HIPRAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  HIPRAND_STATUS_LAUNCH_FAILURE = 201,
  HIPRAND_STATUS_PREEXISTING_FAILURE = 202,
  HIPRAND_STATUS_INITIALIZATION_FAILED = 203,
  HIPRAND_STATUS_ARCH_MISMATCH = 204,
  HIPRAND_STATUS_INTERNAL_ERROR = 999,
  HIPRAND_STATUS_NOT_IMPLEMENTED = 1000,
} hiprandStatus_t;
typedef enum hiprandRngType {
  HIPRAND_RNG_TEST = 0,
  HIPRAND_RNG_PSEUDO_DEFAULT = 400,
  HIPRAND_RNG_PSEUDO_XORWOW = 401,
  HIPRAND_RNG_PSEUDO_MRG32K3A = 402,
  HIPRAND_RNG_PSEUDO_MTGP32 = 403,
  HIPRAND_RNG_PSEUDO_MT19937 = 404,
  HIPRAND_RNG_PSEUDO_PHILOX4_32_10 = 405,
  HIPRAND_RNG_QUASI_DEFAULT = 500,
  HIPRAND_RNG_QUASI_SOBOL32 = 501,
  HIPRAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 502,
  HIPRAND_RNG_QUASI_SOBOL64 = 503,
  HIPRAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 504,
} hiprandRngType_t;

struct hiprandGenerator_st {
  bool quasi, host;
  bool fixed;  // no offset may be set
  unsigned long long seed = 0, offset = 0, used = 0;
  unsigned dimensions = 1;
  hipStream_t stream = nullptr;
};
typedef hiprandGenerator_st *hiprandGenerator_t;

namespace porter_rand {

constexpr unsigned most_dimensions = 10;
// The first direction numbers of a dimension, and its polynomial's degree and coefficients.
struct direction {
  unsigned degree, coefficients, first[5];
};
// Number `position` of a dimension, in the order of Gray's code.
__device__ inline unsigned sobol(unsigned dimension, unsigned position) {
  constexpr direction table[most_dimensions - 1] = {
      {1, 0, {1}},          {2, 1, {1, 3}},          {3, 1, {1, 3, 1}},       {3, 2, {1, 1, 1}},       {4, 1, {1, 1, 3, 3}},
      {4, 4, {1, 3, 5, 13}}, {5, 2, {1, 1, 5, 5, 17}}, {5, 4, {1, 1, 5, 5, 5}}, {5, 7, {1, 1, 7, 11, 19}},
  };
  const unsigned gray = position ^ position >> 1;
  unsigned v[32], x = 0;
  for (unsigned i = 0; i < 32; ++i) {
    if (dimension == 0) {
      v[i] = 1u << (31 - i);
    } else if (i < table[dimension - 1].degree) {
      v[i] = table[dimension - 1].first[i] << (31 - i);
    } else {
      const unsigned s = table[dimension - 1].degree, a = table[dimension - 1].coefficients;
      v[i] = v[i - s] ^ v[i - s] >> s;
      for (unsigned k = 1; k < s; ++k)
        if (a >> (s - 1 - k) & 1) v[i] ^= v[i - k];
    }
    if (gray >> i & 1) x ^= v[i];
  }
  return x;
}
// Draws of one element: of its own Philox sequence, or the one number of a quasi-random sequence.
struct draws {
  bool quasi;
  unsigned number;
  hiprandStatePhilox4_32_10 state;
  __device__ unsigned next() { return quasi ? number : state.next(); }
  __device__ float uniform() { return open_uniform(next()); }
  __device__ double uniform_double() { return quasi ? open_uniform_double(number, 0) : hiprand_uniform_double(&state); }
  __device__ float normal() { return quasi ? normcdfinvf(uniform()) : hiprand_normal(&state); }
  __device__ double normal_double() { return quasi ? normcdfinv(uniform_double()) : hiprand_normal_double(&state); }
  __device__ unsigned poisson(double lambda) {
    if (!quasi) return hiprand_poisson(&state, lambda);
    double part = exp(-lambda), sum = part, u = uniform_double();
    unsigned count = 0;
    for (; sum < u && part > 0; sum += part) part *= lambda / ++count;
    return count;
  }
};
template <class T, class F>
__global__ void fill(hiprandGenerator_st g, T *out, size_t n, F f) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned long long first = g.offset + g.used;
  draws d{g.quasi, 0, {}};
  if (g.quasi) {
    const size_t each = n / g.dimensions;
    d.number = sobol((unsigned)(i / each), (unsigned)(first + i % each));
  } else {
    d.state.seed(g.seed, first + i, 0);
  }
  out[i] = f(d);
}
template <class T, class F>
hiprandStatus_t generate(hiprandGenerator_t g, T *out, size_t n, F f) {
  if (!g) return HIPRAND_STATUS_NOT_INITIALIZED;
  if (g->quasi && n % g->dimensions) return HIPRAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (n == 0) return HIPRAND_STATUS_SUCCESS;
  T *there = out;
  if (g->host && hipMalloc(reinterpret_cast<void **>(&there), n * sizeof(T)) != hipSuccess) return HIPRAND_STATUS_ALLOCATION_FAILED;
  fill<<<dim3((unsigned)((n + 255) / 256)), dim3(256), 0, g->stream>>>(*g, there, n, f);
  hipError_t error = hipGetLastError();
  if (g->host) {
    if (error == hipSuccess) error = hipStreamSynchronize(g->stream);
    if (error == hipSuccess) error = hipMemcpy(out, there, n * sizeof(T), hipMemcpyDeviceToHost);
    (void)hipFree(there);
  }
  g->used += g->quasi ? n / g->dimensions : n;
  return error == hipSuccess ? HIPRAND_STATUS_SUCCESS : HIPRAND_STATUS_LAUNCH_FAILURE;
}
inline hiprandStatus_t create(hiprandGenerator_t *generator, hiprandRngType_t type, bool host) {
  [[maybe_unused]] static const bool said = porter::say_standin("hipRAND", "its numbers are others than rocRAND's");
  const bool quasi = type >= HIPRAND_RNG_QUASI_DEFAULT;
  if (type < HIPRAND_RNG_PSEUDO_DEFAULT || (type > HIPRAND_RNG_PSEUDO_PHILOX4_32_10 && !quasi) || type > HIPRAND_RNG_QUASI_SCRAMBLED_SOBOL64)
    return HIPRAND_STATUS_TYPE_ERROR;
  if (type > HIPRAND_RNG_QUASI_SOBOL32) return HIPRAND_STATUS_NOT_IMPLEMENTED;
  const bool fixed = type == HIPRAND_RNG_PSEUDO_MTGP32 || type == HIPRAND_RNG_PSEUDO_MT19937;
  *generator = new (std::nothrow) hiprandGenerator_st{quasi, host, fixed};
  return *generator ? HIPRAND_STATUS_SUCCESS : HIPRAND_STATUS_ALLOCATION_FAILED;
}

// Extensions of torch are compiled without half's own conversions.
inline float wide(half value) { return __half2float(value); }
template <class T> T wide(T value) { return value; }

}  // namespace porter_rand

inline hiprandStatus_t hiprandCreateGenerator(hiprandGenerator_t *generator, hiprandRngType_t type) { return porter_rand::create(generator, type, false); }
inline hiprandStatus_t hiprandCreateGeneratorHost(hiprandGenerator_t *generator, hiprandRngType_t type) { return porter_rand::create(generator, type, true); }
inline hiprandStatus_t hiprandDestroyGenerator(hiprandGenerator_t g) {
  delete g;
  return g ? HIPRAND_STATUS_SUCCESS : HIPRAND_STATUS_NOT_INITIALIZED;
}
inline hiprandStatus_t hiprandGenerateSeeds(hiprandGenerator_t g) { return g ? HIPRAND_STATUS_SUCCESS : HIPRAND_STATUS_NOT_INITIALIZED; }
inline hiprandStatus_t hiprandSetStream(hiprandGenerator_t g, hipStream_t stream) {
  if (!g) return HIPRAND_STATUS_NOT_INITIALIZED;
  g->stream = stream;
  return HIPRAND_STATUS_SUCCESS;
}
inline hiprandStatus_t hiprandSetPseudoRandomGeneratorSeed(hiprandGenerator_t g, unsigned long long seed) {
  if (!g) return HIPRAND_STATUS_NOT_INITIALIZED;
  if (g->quasi) return HIPRAND_STATUS_TYPE_ERROR;
  g->seed = seed, g->used = 0;
  return HIPRAND_STATUS_SUCCESS;
}
inline hiprandStatus_t hiprandSetGeneratorOffset(hiprandGenerator_t g, unsigned long long offset) {
  if (!g) return HIPRAND_STATUS_NOT_INITIALIZED;
  if (g->fixed) return HIPRAND_STATUS_TYPE_ERROR;
  g->offset = offset, g->used = 0;
  return HIPRAND_STATUS_SUCCESS;
}
inline hiprandStatus_t hiprandSetQuasiRandomGeneratorDimensions(hiprandGenerator_t g, unsigned dimensions) {
  if (!g) return HIPRAND_STATUS_NOT_INITIALIZED;
  if (!g->quasi) return HIPRAND_STATUS_TYPE_ERROR;
  if (dimensions < 1 || dimensions > 20000) return HIPRAND_STATUS_OUT_OF_RANGE;
  if (dimensions > porter_rand::most_dimensions) return HIPRAND_STATUS_NOT_IMPLEMENTED;
  g->dimensions = dimensions, g->used = 0;
  return HIPRAND_STATUS_SUCCESS;
}
inline hiprandStatus_t hiprandGetVersion(int *version) {
  if (!version) return HIPRAND_STATUS_OUT_OF_RANGE;
  *version = HIPRAND_VERSION;
  return HIPRAND_STATUS_SUCCESS;
}

#define PORTER_RAND(Name, T, expression)                                                                          \
  inline hiprandStatus_t hiprandGenerate##Name(hiprandGenerator_t g, T *out, size_t n) {                          \
    return porter_rand::generate(g, out, n, [] __device__(porter_rand::draws & d) -> T { return expression; });   \
  }
PORTER_RAND(, unsigned, d.next())
PORTER_RAND(Char, unsigned char, (unsigned char)(d.next() >> 24))
PORTER_RAND(Short, unsigned short, (unsigned short)(d.next() >> 16))
PORTER_RAND(Uniform, float, d.uniform())
PORTER_RAND(UniformDouble, double, d.uniform_double())
PORTER_RAND(UniformHalf, half, __float2half(d.uniform()))
#undef PORTER_RAND
#define PORTER_RAND(Name, T, S, expression)                                                                                  \
  inline hiprandStatus_t hiprandGenerate##Name(hiprandGenerator_t g, T *out, size_t n, T mean, T deviation) {                \
    const S m = porter_rand::wide(mean), s = porter_rand::wide(deviation);                                                   \
    return porter_rand::generate(g, out, n, [=] __device__(porter_rand::draws & d) -> T { return expression; });             \
  }
PORTER_RAND(Normal, float, float, m + s * d.normal())
PORTER_RAND(NormalDouble, double, double, m + s * d.normal_double())
PORTER_RAND(NormalHalf, half, float, __float2half(m + s * d.normal()))
PORTER_RAND(LogNormal, float, float, expf(m + s * d.normal()))
PORTER_RAND(LogNormalDouble, double, double, exp(m + s * d.normal_double()))
PORTER_RAND(LogNormalHalf, half, float, __float2half(expf(m + s * d.normal())))
#undef PORTER_RAND
// 64 bits come of the 64-bit Sobol generators alone, which are not here.
inline hiprandStatus_t hiprandGenerateLongLong(hiprandGenerator_t g, unsigned long long *, size_t) {
  return g ? HIPRAND_STATUS_TYPE_ERROR : HIPRAND_STATUS_NOT_INITIALIZED;
}
inline hiprandStatus_t hiprandGeneratePoisson(hiprandGenerator_t g, unsigned *out, size_t n, double lambda) {
  if (!(lambda > 0)) return HIPRAND_STATUS_OUT_OF_RANGE;
  return porter_rand::generate(g, out, n, [=] __device__(porter_rand::draws & d) -> unsigned { return d.poisson(lambda); });
}

#endif
#endif
