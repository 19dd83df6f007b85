// porter's stand-in for hipFFT; hipFFT's own is taken where it is found. All plans of one, two and three dimensions, batches
// and strides, six types. Not here, and an error by name: hipfftXt.h (several GPUs, callbacks, half precision), hipfftw.h.
#ifndef PORTER_HIPFFT
#pragma clang system_header

#if __has_include_next(<hipfft/hipfft.h>)
#include_next <hipfft/hipfft.h>
#else
#define PORTER_HIPFFT

#include <hip/hip_complex.h>
#include <hip/hip_runtime.h>
#include <hipfft/porter/transform.h>
#include <porter/standin_said.h>

#include <new>

#define hipfftVersionMajor 1
#define hipfftVersionMinor 0
#define hipfftVersionPatch 20

typedef enum hipfftResult_t {
  HIPFFT_SUCCESS = 0,
  HIPFFT_INVALID_PLAN = 1,
  HIPFFT_ALLOC_FAILED = 2,
  HIPFFT_INVALID_TYPE = 3,
  HIPFFT_INVALID_VALUE = 4,
  HIPFFT_INTERNAL_ERROR = 5,
  HIPFFT_EXEC_FAILED = 6,
  HIPFFT_SETUP_FAILED = 7,
  HIPFFT_INVALID_SIZE = 8,
  HIPFFT_UNALIGNED_DATA = 9,
  HIPFFT_INCOMPLETE_PARAMETER_LIST = 10,
  HIPFFT_INVALID_DEVICE = 11,
  HIPFFT_PARSE_ERROR = 12,
  HIPFFT_NO_WORKSPACE = 13,
  HIPFFT_NOT_IMPLEMENTED = 14,
  HIPFFT_NOT_SUPPORTED = 16,
} hipfftResult;
typedef enum hipfftType_t {
  HIPFFT_R2C = 0x2a,
  HIPFFT_C2R = 0x2c,
  HIPFFT_C2C = 0x29,
  HIPFFT_D2Z = 0x6a,
  HIPFFT_Z2D = 0x6c,
  HIPFFT_Z2Z = 0x69,
} hipfftType;
typedef enum hipfftLibraryPropertyType_t { HIPFFT_MAJOR_VERSION, HIPFFT_MINOR_VERSION, HIPFFT_PATCH_LEVEL } hipfftLibraryPropertyType;

#define HIPFFT_FORWARD -1
#define HIPFFT_BACKWARD 1

typedef hipComplex hipfftComplex;
typedef hipDoubleComplex hipfftDoubleComplex;
typedef float hipfftReal;
typedef double hipfftDoubleReal;

struct hipfftHandle_t {
  bool made = false, allocates = true, plain = true;  // plain: rows without gaps, in place as well
  hipfftType type = HIPFFT_C2C;
  porter_fft::problem p{};
  void *roots = nullptr, *own_work = nullptr, *work = nullptr;
  size_t work_bytes = 0;
  hipStream_t stream = nullptr;
};
typedef hipfftHandle_t *hipfftHandle;

namespace porter_fft {

inline bool double_precision(hipfftType type) { return type & 0x40; }
inline elements input_of(hipfftType type) {
  return type == HIPFFT_R2C || type == HIPFFT_D2Z ? elements::real : type == HIPFFT_C2R || type == HIPFFT_Z2D ? elements::half : elements::complex;
}
inline elements output_of(hipfftType type) {
  const elements in = input_of(type);
  return in == elements::real ? elements::half : in == elements::half ? elements::real : elements::complex;
}
inline bool known(hipfftType type) {
  return type == HIPFFT_R2C || type == HIPFFT_C2R || type == HIPFFT_C2C || type == HIPFFT_D2Z || type == HIPFFT_Z2D || type == HIPFFT_Z2Z;
}
inline size_t complex_bytes(hipfftType type) { return double_precision(type) ? sizeof(hipDoubleComplex) : sizeof(hipComplex); }

// Rows that follow each other. Real rows of a transform in place have room for the spectrum's.
inline layout plain(const shape &s, elements kind, bool in_place) {
  layout all;
  const unsigned half = s.n[2] / 2 + 1;
  all.rows[0] = s.n[0], all.rows[1] = s.n[1];
  all.rows[2] = kind == elements::half ? half : kind == elements::real && in_place ? 2 * half : s.n[2];
  all.distance = (long long)all.rows[0] * all.rows[1] * all.rows[2];
  return all;
}
template <class I>
layout embedded(int rank, const I *rows, I stride, I distance) {
  layout all;
  for (int d = 0; d < rank; ++d) all.rows[most_dimensions - rank + d] = (unsigned)rows[d];
  all.stride = stride, all.distance = distance;
  return all;
}
template <class I>
hipfftResult sized(int rank, const I *n, hipfftType type, I batch, shape *s, size_t *bytes) {
  if (!known(type)) return HIPFFT_INVALID_TYPE;
  if (rank < 1 || rank > most_dimensions || !n) return HIPFFT_INVALID_VALUE;
  if (batch < 1) return HIPFFT_INVALID_SIZE;
  double total = (double)batch;
  for (int d = 0; d < rank; ++d) {
    if (n[d] < 1) return HIPFFT_INVALID_SIZE;
    total *= (double)n[d];
  }
  if (total >= 2147483648.0) return HIPFFT_NOT_IMPLEMENTED;
  for (int d = 0; d < rank; ++d) s->n[most_dimensions - rank + d] = (unsigned)n[d];
  s->batch = (unsigned)batch;
  *bytes = 2 * (size_t)s->elements() * complex_bytes(type);
  return HIPFFT_SUCCESS;
}
template <class C>
hipfftResult place_roots(hipfftHandle plan) {
  std::vector<C> all;
  size_t first[most_dimensions];
  for (int d = 0; d < most_dimensions; ++d) {
    const std::vector<C> some = roots_of_one<C>(plan->p.s.n[d]);
    first[d] = all.size();
    all.insert(all.end(), some.begin(), some.end());
  }
  if (hipMalloc(&plan->roots, all.size() * sizeof(C)) != hipSuccess) return HIPFFT_ALLOC_FAILED;
  if (hipMemcpy(plan->roots, all.data(), all.size() * sizeof(C), hipMemcpyHostToDevice) != hipSuccess) return HIPFFT_SETUP_FAILED;
  for (int d = 0; d < most_dimensions; ++d) plan->p.roots[d] = (const C *)plan->roots + first[d];
  return HIPFFT_SUCCESS;
}
template <class I>
hipfftResult make(hipfftHandle plan, int rank, const I *n, const I *inembed, I istride, I idist, const I *onembed, I ostride,
                  I odist, hipfftType type, I batch, size_t *bytes) {
  [[maybe_unused]] static const bool said = porter::say_standin("hipFFT", "right, and its speed says nothing of rocFFT's");
  if (!plan || plan->made) return HIPFFT_INVALID_PLAN;
  shape s;
  size_t size = 0;
  if (const hipfftResult wrong = sized(rank, n, type, batch, &s, &size)) return wrong;
  plan->type = type;
  plan->p.s = s;
  plan->p.in_kind = input_of(type), plan->p.out_kind = output_of(type);
  // Strides and distances count only with rows of one's own; and either both sides have them or none.
  plan->plain = !inembed || !onembed;
  if (!plan->plain) plan->p.in = embedded(rank, inembed, istride, idist), plan->p.out = embedded(rank, onembed, ostride, odist);
  const hipfftResult error = double_precision(type) ? place_roots<hipDoubleComplex>(plan) : place_roots<hipComplex>(plan);
  if (error) return error;
  plan->work_bytes = size;
  if (plan->allocates) {
    if (hipMalloc(&plan->own_work, size) != hipSuccess) return HIPFFT_ALLOC_FAILED;
    plan->work = plan->own_work;
  }
  if (bytes) *bytes = size;
  plan->made = true;
  return HIPFFT_SUCCESS;
}
inline hipfftResult execute(hipfftHandle plan, hipfftType type, const void *in, void *out, bool inverse) {
  if (!plan || !plan->made) return HIPFFT_INVALID_PLAN;
  if (plan->type != type) return HIPFFT_INVALID_TYPE;
  if (!in || !out) return HIPFFT_INVALID_VALUE;
  if (!plan->work) return HIPFFT_NO_WORKSPACE;
  problem p = plan->p;
  p.inverse = inverse;
  if (plan->plain) p.in = plain(p.s, p.in_kind, in == out);
  if (plan->plain) p.out = plain(p.s, p.out_kind, in == out);
  if (double_precision(type)) transform<double>(p, in, out, plan->work, plan->stream);
  else transform<float>(p, in, out, plan->work, plan->stream);
  return hipGetLastError() == hipSuccess ? HIPFFT_SUCCESS : HIPFFT_EXEC_FAILED;
}
template <class I>
hipfftResult size_of(int rank, const I *n, hipfftType type, I batch, size_t *bytes) {
  shape s;
  size_t size = 0;
  const hipfftResult result = sized(rank, n, type, batch, &s, &size);
  if (!bytes) return HIPFFT_INVALID_VALUE;
  if (!result) *bytes = size;
  return result;
}

}  // namespace porter_fft

inline hipfftResult hipfftCreate(hipfftHandle *plan) {
  if (!plan) return HIPFFT_INVALID_VALUE;
  *plan = new (std::nothrow) hipfftHandle_t;
  return *plan ? HIPFFT_SUCCESS : HIPFFT_ALLOC_FAILED;
}
inline hipfftResult hipfftDestroy(hipfftHandle plan) {
  if (!plan) return HIPFFT_INVALID_PLAN;
  if (plan->roots) (void)hipFree(plan->roots);
  if (plan->own_work) (void)hipFree(plan->own_work);
  delete plan;
  return HIPFFT_SUCCESS;
}
inline hipfftResult hipfftSetStream(hipfftHandle plan, hipStream_t stream) {
  if (!plan) return HIPFFT_INVALID_PLAN;
  plan->stream = stream;
  return HIPFFT_SUCCESS;
}
inline hipfftResult hipfftSetAutoAllocation(hipfftHandle plan, int allocates) {
  if (!plan) return HIPFFT_INVALID_PLAN;
  plan->allocates = allocates != 0;
  return HIPFFT_SUCCESS;
}
inline hipfftResult hipfftSetWorkArea(hipfftHandle plan, void *work) {
  if (!plan) return HIPFFT_INVALID_PLAN;
  plan->work = work;
  return HIPFFT_SUCCESS;
}
inline hipfftResult hipfftGetSize(hipfftHandle plan, size_t *bytes) {
  if (!plan || !plan->made) return HIPFFT_INVALID_PLAN;
  if (!bytes) return HIPFFT_INVALID_VALUE;
  *bytes = plan->work_bytes;
  return HIPFFT_SUCCESS;
}

inline hipfftResult hipfftMakePlanMany(hipfftHandle plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                                       int ostride, int odist, hipfftType type, int batch, size_t *bytes) {
  return porter_fft::make<int>(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, bytes);
}
inline hipfftResult hipfftMakePlanMany64(hipfftHandle plan, int rank, long long *n, long long *inembed, long long istride,
                                         long long idist, long long *onembed, long long ostride, long long odist,
                                         hipfftType type, long long batch, size_t *bytes) {
  return porter_fft::make<long long>(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, bytes);
}
inline hipfftResult hipfftMakePlan1d(hipfftHandle plan, int nx, hipfftType type, int batch, size_t *bytes) {
  return hipfftMakePlanMany(plan, 1, &nx, nullptr, 1, 0, nullptr, 1, 0, type, batch, bytes);
}
inline hipfftResult hipfftMakePlan2d(hipfftHandle plan, int nx, int ny, hipfftType type, size_t *bytes) {
  int n[] = {nx, ny};
  return hipfftMakePlanMany(plan, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, bytes);
}
inline hipfftResult hipfftMakePlan3d(hipfftHandle plan, int nx, int ny, int nz, hipfftType type, size_t *bytes) {
  int n[] = {nx, ny, nz};
  return hipfftMakePlanMany(plan, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1, bytes);
}
inline hipfftResult hipfftPlanMany(hipfftHandle *plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                                   int ostride, int odist, hipfftType type, int batch) {
  if (const hipfftResult error = hipfftCreate(plan)) return error;
  const hipfftResult error = hipfftMakePlanMany(*plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, nullptr);
  if (error) hipfftDestroy(*plan), *plan = nullptr;
  return error;
}
inline hipfftResult hipfftPlan1d(hipfftHandle *plan, int nx, hipfftType type, int batch) {
  return hipfftPlanMany(plan, 1, &nx, nullptr, 1, 0, nullptr, 1, 0, type, batch);
}
inline hipfftResult hipfftPlan2d(hipfftHandle *plan, int nx, int ny, hipfftType type) {
  int n[] = {nx, ny};
  return hipfftPlanMany(plan, 2, n, nullptr, 1, 0, nullptr, 1, 0, type, 1);
}
inline hipfftResult hipfftPlan3d(hipfftHandle *plan, int nx, int ny, int nz, hipfftType type) {
  int n[] = {nx, ny, nz};
  return hipfftPlanMany(plan, 3, n, nullptr, 1, 0, nullptr, 1, 0, type, 1);
}

inline hipfftResult hipfftEstimateMany(int rank, int *n, int *, int, int, int *, int, int, hipfftType type, int batch, size_t *bytes) {
  return porter_fft::size_of<int>(rank, n, type, batch, bytes);
}
inline hipfftResult hipfftEstimate1d(int nx, hipfftType type, int batch, size_t *bytes) {
  return porter_fft::size_of<int>(1, &nx, type, batch, bytes);
}
inline hipfftResult hipfftEstimate2d(int nx, int ny, hipfftType type, size_t *bytes) {
  const int n[] = {nx, ny};
  return porter_fft::size_of<int>(2, n, type, 1, bytes);
}
inline hipfftResult hipfftEstimate3d(int nx, int ny, int nz, hipfftType type, size_t *bytes) {
  const int n[] = {nx, ny, nz};
  return porter_fft::size_of<int>(3, n, type, 1, bytes);
}
inline hipfftResult hipfftGetSizeMany(hipfftHandle plan, int rank, int *n, int *, int, int, int *, int, int, hipfftType type,
                                      int batch, size_t *bytes) {
  return plan ? porter_fft::size_of<int>(rank, n, type, batch, bytes) : HIPFFT_INVALID_PLAN;
}
inline hipfftResult hipfftGetSizeMany64(hipfftHandle plan, int rank, long long *n, long long *, long long, long long, long long *,
                                        long long, long long, hipfftType type, long long batch, size_t *bytes) {
  return plan ? porter_fft::size_of<long long>(rank, n, type, batch, bytes) : HIPFFT_INVALID_PLAN;
}
inline hipfftResult hipfftGetSize1d(hipfftHandle plan, int nx, hipfftType type, int batch, size_t *bytes) {
  return plan ? hipfftEstimate1d(nx, type, batch, bytes) : HIPFFT_INVALID_PLAN;
}
inline hipfftResult hipfftGetSize2d(hipfftHandle plan, int nx, int ny, hipfftType type, size_t *bytes) {
  return plan ? hipfftEstimate2d(nx, ny, type, bytes) : HIPFFT_INVALID_PLAN;
}
inline hipfftResult hipfftGetSize3d(hipfftHandle plan, int nx, int ny, int nz, hipfftType type, size_t *bytes) {
  return plan ? hipfftEstimate3d(nx, ny, nz, type, bytes) : HIPFFT_INVALID_PLAN;
}

inline hipfftResult hipfftExecC2C(hipfftHandle plan, hipfftComplex *in, hipfftComplex *out, int direction) {
  if (direction != HIPFFT_FORWARD && direction != HIPFFT_BACKWARD) return HIPFFT_INVALID_VALUE;
  return porter_fft::execute(plan, HIPFFT_C2C, in, out, direction == HIPFFT_BACKWARD);
}
inline hipfftResult hipfftExecZ2Z(hipfftHandle plan, hipfftDoubleComplex *in, hipfftDoubleComplex *out, int direction) {
  if (direction != HIPFFT_FORWARD && direction != HIPFFT_BACKWARD) return HIPFFT_INVALID_VALUE;
  return porter_fft::execute(plan, HIPFFT_Z2Z, in, out, direction == HIPFFT_BACKWARD);
}
inline hipfftResult hipfftExecR2C(hipfftHandle plan, hipfftReal *in, hipfftComplex *out) {
  return porter_fft::execute(plan, HIPFFT_R2C, in, out, false);
}
inline hipfftResult hipfftExecC2R(hipfftHandle plan, hipfftComplex *in, hipfftReal *out) {
  return porter_fft::execute(plan, HIPFFT_C2R, in, out, true);
}
inline hipfftResult hipfftExecD2Z(hipfftHandle plan, hipfftDoubleReal *in, hipfftDoubleComplex *out) {
  return porter_fft::execute(plan, HIPFFT_D2Z, in, out, false);
}
inline hipfftResult hipfftExecZ2D(hipfftHandle plan, hipfftDoubleComplex *in, hipfftDoubleReal *out) {
  return porter_fft::execute(plan, HIPFFT_Z2D, in, out, true);
}

inline hipfftResult hipfftGetVersion(int *version) {
  if (!version) return HIPFFT_INVALID_VALUE;
  *version = hipfftVersionMajor * 10000 + hipfftVersionMinor * 100 + hipfftVersionPatch;
  return HIPFFT_SUCCESS;
}
inline hipfftResult hipfftGetProperty(hipfftLibraryPropertyType which, int *value) {
  if (!value || which > HIPFFT_PATCH_LEVEL) return HIPFFT_INVALID_VALUE;
  *value = which == HIPFFT_MAJOR_VERSION ? hipfftVersionMajor : which == HIPFFT_MINOR_VERSION ? hipfftVersionMinor : hipfftVersionPatch;
  return HIPFFT_SUCCESS;
}

#endif
#endif
