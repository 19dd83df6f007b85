// porter's stand-in for hipBLASLt: its matrix product with layouts, batches, bias, GELU, ReLU and their gradients; ROCm's own is
// taken where it is found.
//
// One thread an element: right, not fast. It takes what hipBLASLt documents for gfx942: half, bfloat16 and float with
// float scales, and bytes with int ones, in column-major order. Others are HIPBLAS_STATUS_NOT_SUPPORTED: FP8, double,
// HIPBLAS_COMPUTE_16F, row-major order, scale pointers. Not here, and an error by name where used: matrix transforms,
// the extension interface.
#ifndef PORTER_HIPBLASLT
#pragma clang system_header

#if __has_include_next(<hipblaslt/hipblaslt.h>)
#include_next <hipblaslt/hipblaslt.h>
#else
#define PORTER_HIPBLASLT

#include <porter/standin_said.h>

#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <hipblas-common/hipblas-common.h>

#include <cstdint>
#include <cstring>

enum hipblasLtEpilogue_t {
  HIPBLASLT_EPILOGUE_DEFAULT = 1, HIPBLASLT_EPILOGUE_RELU = 2, HIPBLASLT_EPILOGUE_BIAS = 4, HIPBLASLT_EPILOGUE_RELU_BIAS = 6,
  HIPBLASLT_EPILOGUE_GELU = 32, HIPBLASLT_EPILOGUE_GELU_BIAS = 36, HIPBLASLT_EPILOGUE_GELU_AUX = 160,
  HIPBLASLT_EPILOGUE_GELU_AUX_BIAS = 164, HIPBLASLT_EPILOGUE_DGELU = 192, HIPBLASLT_EPILOGUE_DGELU_BGRAD = 208,
  HIPBLASLT_EPILOGUE_BGRADA = 256, HIPBLASLT_EPILOGUE_BGRADB = 512,
};
enum hipblasLtMatrixLayoutAttribute_t {
  HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT, HIPBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, HIPBLASLT_MATRIX_LAYOUT_TYPE,
  HIPBLASLT_MATRIX_LAYOUT_ORDER, HIPBLASLT_MATRIX_LAYOUT_ROWS, HIPBLASLT_MATRIX_LAYOUT_COLS, HIPBLASLT_MATRIX_LAYOUT_LD,
};
enum hipblasLtOrder_t { HIPBLASLT_ORDER_COL, HIPBLASLT_ORDER_ROW };
enum hipblasLtPointerMode_t {
  HIPBLASLT_POINTER_MODE_HOST, HIPBLASLT_POINTER_MODE_DEVICE, HIPBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST = 4,
};
enum hipblasLtMatmulDescAttributes_t {
  HIPBLASLT_MATMUL_DESC_TRANSA, HIPBLASLT_MATMUL_DESC_TRANSB, HIPBLASLT_MATMUL_DESC_EPILOGUE,
  HIPBLASLT_MATMUL_DESC_BIAS_POINTER, HIPBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER,
  HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER, HIPBLASLT_MATMUL_DESC_C_SCALE_POINTER, HIPBLASLT_MATMUL_DESC_D_SCALE_POINTER,
  HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER,
  HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE,
  HIPBLASLT_MATMUL_DESC_POINTER_MODE, HIPBLASLT_MATMUL_DESC_AMAX_D_POINTER,
  HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE = 22,
};
enum hipblasLtMatmulPreferenceAttributes_t {
  HIPBLASLT_MATMUL_PREF_SEARCH_MODE, HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, HIPBLASLT_MATMUL_PREF_MAX,
};

struct hipblasLtMatrixLayoutOpaque_t {
  uint32_t type;
  uint64_t rows, columns;
  int64_t leading, stride;
  int32_t batches, order;
};
struct hipblasLtMatmulDescOpaque_t {
  hipblasComputeType_t compute;
  hipDataType scale;
  int32_t first, second;  // hipblasOperation_t of A and of B
  uint32_t epilogue;
  void *bias;
  int32_t bias_type, pointers;
  void *aux;
  int64_t aux_leading, aux_stride;
  int32_t aux_type;
  void *scales[5], *largest;
};
struct hipblasLtMatmulPreferenceOpaque_t {
  uint32_t mode;
  uint64_t workspace;
};
typedef void *hipblasLtHandle_t;
typedef hipblasLtMatrixLayoutOpaque_t *hipblasLtMatrixLayout_t;
typedef hipblasLtMatmulDescOpaque_t *hipblasLtMatmulDesc_t;
typedef hipblasLtMatmulPreferenceOpaque_t *hipblasLtMatmulPreference_t;
struct hipblasLtMatmulAlgo_t {
  uint8_t data[16] = {0};
  size_t max_workspace_bytes = 0;
};
struct hipblasLtMatmulHeuristicResult_t {
  hipblasLtMatmulAlgo_t algo;
  size_t workspaceSize = 0;
  hipblasStatus_t state = HIPBLAS_STATUS_SUCCESS;
  float wavesCount = 1.0;
  int reserved[4];
};

namespace porter_blaslt {

enum : uint32_t { RELU = 2, BIAS = 4, BIAS_GRADIENT = 16, GELU = 32, GRADIENT = 64, AUX = 128, OF_A = 256, OF_B = 512 };

struct Place {  // one element of a matrix whose type is known when it runs
  void *at;
  int type;

  __device__ float get(int64_t i) const {
    switch (type) {
      case HIP_R_16F: return __half2float(static_cast<const __half *>(at)[i]);
      case HIP_R_16BF: return __bfloat162float(static_cast<const __hip_bfloat16 *>(at)[i]);
      default: return static_cast<const float *>(at)[i];
    }
  }
  __device__ void put(int64_t i, float x) const {
    switch (type) {
      case HIP_R_16F: static_cast<__half *>(at)[i] = __float2half(x); break;
      case HIP_R_16BF: static_cast<__hip_bfloat16 *>(at)[i] = __float2bfloat16(x); break;
      default: static_cast<float *>(at)[i] = x;
    }
  }
  __device__ Place moved(int64_t elements) const {
    return {static_cast<char *>(at) + elements * (type == HIP_R_32F ? 4 : 2), type};
  }
};

__device__ inline float number(__half x) { return __half2float(x); }
__device__ inline float number(__hip_bfloat16 x) { return __bfloat162float(x); }
__device__ inline float number(float x) { return x; }
__device__ inline int number(int8_t x) { return x; }

template <class In> struct Operand {
  const In *at;
  int64_t leading, stride;
  bool transposed;
  __device__ auto operator()(int64_t row, int64_t column) const {
    return number(transposed ? at[column + row * leading] : at[row + column * leading]);
  }
};

template <class S> struct Scale {  // on the host, on the device, or one for each row
  const S *at;
  S value;
  int step;
  __device__ S operator()(int64_t row) const { return at ? at[row * step] : value; }
};

__device__ inline float gelu(float x) { return 0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x))); }
__device__ inline float gelu_slope(float x) {
  const float t = tanhf(0.7978845608f * (x + 0.044715f * x * x * x));
  return 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * 0.7978845608f * (1 + 3 * 0.044715f * x * x);
}

struct Behind {  // what comes after the product
  uint32_t what;
  Place bias, aux;
  int64_t aux_leading, aux_stride;
};

template <class In>
__global__ void product(int64_t m, int64_t n, int64_t k, Scale<float> alpha, Operand<In> a, Operand<In> b, Scale<float> beta,
                        Place c, int64_t c_leading, int64_t c_stride, Place d, int64_t d_leading, int64_t d_stride,
                        Behind behind) {
  const int64_t element = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, batch = blockIdx.y;
  if (element >= m * n) return;
  const int64_t row = element % m, column = element / m;
  a.at += batch * a.stride, b.at += batch * b.stride;
  float sum = 0;
  for (int64_t i = 0; i < k; i++) sum += a(row, i) * b(i, column);
  sum *= alpha(row);
  const float keep = beta(0);
  if (keep != 0) sum += keep * c.moved(batch * c_stride).get(row + column * c_leading);  // C is not read where beta is 0
  if (behind.what & BIAS) sum += behind.bias.get(row);
  if (behind.what & AUX) {
    const Place aux = behind.aux.moved(batch * behind.aux_stride);
    if (behind.what & GRADIENT) sum *= gelu_slope(aux.get(row + column * behind.aux_leading));
    else aux.put(row + column * behind.aux_leading, sum);
  }
  if ((behind.what & GELU) || ((behind.what & AUX) && !(behind.what & GRADIENT))) sum = gelu(sum);
  if (behind.what & RELU) sum = fmaxf(sum, 0);
  d.moved(batch * d_stride).put(row + column * d_leading, sum);
}

// Bytes: sums, scales and results are int, or bytes that are cut off at their range.
inline __device__ void put(int8_t &place, int x) { place = (int8_t)(x < -128 ? -128 : x > 127 ? 127 : x); }
inline __device__ void put(int32_t &place, int x) { place = x; }
template <class Out>
__global__ void bytes(int64_t m, int64_t n, int64_t k, Scale<int> alpha, Operand<int8_t> a, Operand<int8_t> b, Scale<int> beta,
                      const Out *c, int64_t c_leading, int64_t c_stride, Out *d, int64_t d_leading, int64_t d_stride) {
  const int64_t element = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, batch = blockIdx.y;
  if (element >= m * n) return;
  const int64_t row = element % m, column = element / m;
  a.at += batch * a.stride, b.at += batch * b.stride;
  int sum = 0;
  for (int64_t i = 0; i < k; i++) sum += a(row, i) * b(i, column);
  const int keep = beta(0), old = keep ? keep * (int)c[batch * c_stride + row + column * c_leading] : 0;
  put(d[batch * d_stride + row + column * d_leading], alpha(row) * sum + old);
}

// The sum over k of op(A)'s rows or of op(B)'s columns.
template <class In> __global__ void sums(int64_t count, int64_t k, Operand<In> of, bool columns, Place out) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float sum = 0;
  for (int64_t at = 0; at < k; at++) sum += columns ? of(at, i) : of(i, at);
  out.put(i, sum);
}
template <class In> __global__ void row_sums(int64_t m, int64_t n, Place d, int64_t leading, Place out) {
  const int64_t row = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  float sum = 0;
  for (int64_t column = 0; column < n; column++) sum += d.get(row + column * leading);
  out.put(row, sum);
}

struct Call {
  const hipblasLtMatmulDescOpaque_t *desc;
  const hipblasLtMatrixLayoutOpaque_t *a, *b, *c, *d;
  uint64_t m, n, k;
};

// Whether hipBLASLt has this product, and its sizes.
inline hipblasStatus_t check(Call &call) {
  const auto *desc = call.desc;
  if (!desc || !call.a || !call.b || !call.d) return HIPBLAS_STATUS_INVALID_VALUE;
  if (!call.c) call.c = call.d;
  const bool at = desc->first != HIPBLAS_OP_N, bt = desc->second != HIPBLAS_OP_N;
  call.m = at ? call.a->columns : call.a->rows, call.k = at ? call.a->rows : call.a->columns;
  call.n = bt ? call.b->rows : call.b->columns;
  const auto other = bt ? call.b->columns : call.b->rows;
  for (const auto *one : {call.a, call.b, call.c, call.d}) {
    if (one->leading < (int64_t)one->rows && one != call.c) return HIPBLAS_STATUS_INVALID_VALUE;
    if (one->batches != call.d->batches) return HIPBLAS_STATUS_INVALID_VALUE;
    if (one->order != HIPBLASLT_ORDER_COL) return HIPBLAS_STATUS_NOT_SUPPORTED;
  }
  if (other != call.k || call.d->rows != call.m || call.d->columns != call.n || call.c->rows != call.m ||
      call.c->columns != call.n)
    return HIPBLAS_STATUS_INVALID_VALUE;
  for (const void *scale : desc->scales)
    if (scale) return HIPBLAS_STATUS_NOT_SUPPORTED;
  if (desc->largest || call.a->type != call.b->type || call.c->type != call.d->type) return HIPBLAS_STATUS_NOT_SUPPORTED;
  const uint32_t in = call.a->type, out = call.d->type;
  if (in == HIP_R_8I)
    return (desc->compute == HIPBLAS_COMPUTE_32I && desc->scale == HIP_R_32I && (out == HIP_R_8I || out == HIP_R_32I) &&
            desc->epilogue == HIPBLASLT_EPILOGUE_DEFAULT)
               ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_NOT_SUPPORTED;
  if (desc->compute < HIPBLAS_COMPUTE_32F || desc->compute > HIPBLAS_COMPUTE_32F_FAST_TF32 || desc->scale != HIP_R_32F)
    return HIPBLAS_STATUS_NOT_SUPPORTED;
  if ((in != HIP_R_16F && in != HIP_R_16BF && in != HIP_R_32F) || (out != in && out != HIP_R_32F))
    return HIPBLAS_STATUS_NOT_SUPPORTED;
  const bool takes_bias = desc->epilogue & (BIAS | BIAS_GRADIENT | OF_A | OF_B);
  if ((takes_bias && !desc->bias) || ((desc->epilogue & AUX) && (!desc->aux || desc->aux_leading < (int64_t)call.m)))
    return HIPBLAS_STATUS_INVALID_VALUE;
  return HIPBLAS_STATUS_SUCCESS;
}

inline unsigned blocks(uint64_t threads) { return (unsigned)((threads + 255) / 256); }
inline hipblasStatus_t done() {
  return hipGetLastError() == hipSuccess ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_EXECUTION_FAILED;
}
template <class In> Operand<In> operand(const void *at, const hipblasLtMatrixLayoutOpaque_t *layout, int32_t operation) {
  return {static_cast<const In *>(at), layout->leading, layout->stride, operation != HIPBLAS_OP_N};
}
template <class S> Scale<S> scale(const void *at, bool on_host, int step = 0) {
  const S *value = static_cast<const S *>(at);
  return {on_host ? nullptr : value, on_host ? *value : S(0), step};
}

template <class In>
hipblasStatus_t floats(const Call &call, const void *alpha, const void *a, const void *b, const void *beta, const void *c,
                       void *d, hipStream_t stream) {
  const auto &desc = *call.desc;
  const auto first = operand<In>(a, call.a, desc.first), second = operand<In>(b, call.b, desc.second);
  const int out = (int)call.d->type;
  const Place result{d, out}, bias{desc.bias, desc.bias_type < 0 ? out : desc.bias_type};
  const bool by_row = desc.pointers == HIPBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST;
  const bool on_host = desc.pointers == HIPBLASLT_POINTER_MODE_HOST;
  product<In><<<dim3(blocks(call.m * call.n), call.d->batches), 256, 0, stream>>>(
      call.m, call.n, call.k, scale<float>(alpha, on_host, by_row), first, second, scale<float>(beta, on_host || by_row),
      Place{const_cast<void *>(c), out}, call.c->leading, call.c->stride, result, call.d->leading, call.d->stride,
      Behind{desc.epilogue, bias, Place{desc.aux, desc.aux_type < 0 ? out : desc.aux_type}, desc.aux_leading, desc.aux_stride});
  if (desc.epilogue & OF_A) sums<In><<<blocks(call.m), 256, 0, stream>>>(call.m, call.k, first, false, bias);
  if (desc.epilogue & OF_B) sums<In><<<blocks(call.n), 256, 0, stream>>>(call.n, call.k, second, true, bias);
  if (desc.epilogue & BIAS_GRADIENT)
    row_sums<In><<<blocks(call.m), 256, 0, stream>>>(call.m, call.n, result, call.d->leading, bias);
  return done();
}

template <class Out>
hipblasStatus_t whole(const Call &call, const void *alpha, const void *a, const void *b, const void *beta, const void *c,
                      void *d, hipStream_t stream) {
  const bool by_row = call.desc->pointers == HIPBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST;
  const bool on_host = call.desc->pointers == HIPBLASLT_POINTER_MODE_HOST;
  bytes<Out><<<dim3(blocks(call.m * call.n), call.d->batches), 256, 0, stream>>>(
      call.m, call.n, call.k, scale<int>(alpha, on_host, by_row), operand<int8_t>(a, call.a, call.desc->first),
      operand<int8_t>(b, call.b, call.desc->second), scale<int>(beta, on_host || by_row), static_cast<const Out *>(c),
      call.c->leading, call.c->stride, static_cast<Out *>(d), call.d->leading, call.d->stride);
  return done();
}

struct Field {
  void *at;
  size_t size;
};
template <class T> Field field(T &member) { return {&member, sizeof member}; }

inline Field of(hipblasLtMatrixLayoutOpaque_t &layout, hipblasLtMatrixLayoutAttribute_t attribute) {
  switch (attribute) {
    case HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT: return field(layout.batches);
    case HIPBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET: return field(layout.stride);
    case HIPBLASLT_MATRIX_LAYOUT_TYPE: return field(layout.type);
    case HIPBLASLT_MATRIX_LAYOUT_ORDER: return field(layout.order);
    case HIPBLASLT_MATRIX_LAYOUT_ROWS: return field(layout.rows);
    case HIPBLASLT_MATRIX_LAYOUT_COLS: return field(layout.columns);
    case HIPBLASLT_MATRIX_LAYOUT_LD: return field(layout.leading);
  }
  return {nullptr, 0};
}
inline Field of(hipblasLtMatmulDescOpaque_t &desc, hipblasLtMatmulDescAttributes_t attribute) {
  switch (attribute) {
    case HIPBLASLT_MATMUL_DESC_TRANSA: return field(desc.first);
    case HIPBLASLT_MATMUL_DESC_TRANSB: return field(desc.second);
    case HIPBLASLT_MATMUL_DESC_EPILOGUE: return field(desc.epilogue);
    case HIPBLASLT_MATMUL_DESC_BIAS_POINTER: return field(desc.bias);
    case HIPBLASLT_MATMUL_DESC_BIAS_DATA_TYPE: return field(desc.bias_type);
    case HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER: return field(desc.aux);
    case HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD: return field(desc.aux_leading);
    case HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE: return field(desc.aux_stride);
    case HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE: return field(desc.aux_type);
    case HIPBLASLT_MATMUL_DESC_POINTER_MODE: return field(desc.pointers);
    case HIPBLASLT_MATMUL_DESC_AMAX_D_POINTER: return field(desc.largest);
    default: break;
  }
  const int scale = attribute - HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER;
  return scale >= 0 && scale < 5 ? field(desc.scales[scale]) : Field{nullptr, 0};
}
inline Field of(hipblasLtMatmulPreferenceOpaque_t &preference, hipblasLtMatmulPreferenceAttributes_t attribute) {
  if (attribute == HIPBLASLT_MATMUL_PREF_SEARCH_MODE) return field(preference.mode);
  return attribute == HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES ? field(preference.workspace) : Field{nullptr, 0};
}

template <class T, class A> hipblasStatus_t set(T *object, A attribute, const void *from, size_t size) {
  const Field to = object ? of(*object, attribute) : Field{nullptr, 0};
  if (!to.at || !from || size < to.size) return HIPBLAS_STATUS_INVALID_VALUE;
  memcpy(to.at, from, to.size);
  return HIPBLAS_STATUS_SUCCESS;
}
template <class T, class A> hipblasStatus_t get(T *object, A attribute, void *to, size_t size, size_t *written) {
  const Field from = object ? of(*object, attribute) : Field{nullptr, 0};
  if (!from.at || (size ? !to || size < from.size : !written)) return HIPBLAS_STATUS_INVALID_VALUE;
  if (size) memcpy(to, from.at, from.size);
  if (written) *written = from.size;
  return HIPBLAS_STATUS_SUCCESS;
}
template <class T> hipblasStatus_t create(T **object, const T &value) {
  if (!object) return HIPBLAS_STATUS_INVALID_VALUE;
  *object = new T(value);
  return HIPBLAS_STATUS_SUCCESS;
}
template <class T> hipblasStatus_t destroy(T *object) {
  delete object;
  return object ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_INVALID_VALUE;
}

}  // namespace porter_blaslt

#define PORTER_BLASLT_OBJECT(Name, Attribute)                                                                         \
  inline hipblasStatus_t hipblasLt##Name##Destroy(const hipblasLt##Name##_t object) {                                 \
    return porter_blaslt::destroy(object);                                                                            \
  }                                                                                                                   \
  inline hipblasStatus_t hipblasLt##Name##SetAttribute(hipblasLt##Name##_t object, Attribute attribute,               \
                                                       const void *buf, size_t size) {                                \
    return porter_blaslt::set(object, attribute, buf, size);                                                          \
  }                                                                                                                   \
  inline hipblasStatus_t hipblasLt##Name##GetAttribute(hipblasLt##Name##_t object, Attribute attribute, void *buf,    \
                                                       size_t size, size_t *written) {                                \
    return porter_blaslt::get(object, attribute, buf, size, written);                                                 \
  }
PORTER_BLASLT_OBJECT(MatrixLayout, hipblasLtMatrixLayoutAttribute_t)
PORTER_BLASLT_OBJECT(MatmulDesc, hipblasLtMatmulDescAttributes_t)
PORTER_BLASLT_OBJECT(MatmulPreference, hipblasLtMatmulPreferenceAttributes_t)
#undef PORTER_BLASLT_OBJECT

inline hipblasStatus_t hipblasLtCreate(hipblasLtHandle_t *handle) {
  [[maybe_unused]] static const bool said = porter::say_standin("hipBLASLt", "a thread for each element, right and not fast");
  if (!handle) return HIPBLAS_STATUS_INVALID_VALUE;
  *handle = new int(0);
  return HIPBLAS_STATUS_SUCCESS;
}
inline hipblasStatus_t hipblasLtDestroy(const hipblasLtHandle_t handle) {
  return porter_blaslt::destroy(static_cast<int *>(handle));
}
inline hipblasStatus_t hipblasLtMatrixLayoutCreate(hipblasLtMatrixLayout_t *layout, hipDataType type, uint64_t rows,
                                                   uint64_t columns, int64_t leading) {
  return porter_blaslt::create(layout, {(uint32_t)type, rows, columns, leading, 0, 1, HIPBLASLT_ORDER_COL});
}
inline hipblasStatus_t hipblasLtMatmulDescCreate(hipblasLtMatmulDesc_t *desc, hipblasComputeType_t compute, hipDataType scale) {
  hipblasLtMatmulDescOpaque_t made = {compute, scale, HIPBLAS_OP_N, HIPBLAS_OP_N, HIPBLASLT_EPILOGUE_DEFAULT};
  made.bias_type = made.aux_type = -1;  // D's
  return porter_blaslt::create(desc, made);
}
inline hipblasStatus_t hipblasLtMatmulPreferenceCreate(hipblasLtMatmulPreference_t *preference) {
  return porter_blaslt::create(preference, {});
}

inline hipblasStatus_t hipblasLtMatmulAlgoGetHeuristic(
    hipblasLtHandle_t handle, hipblasLtMatmulDesc_t desc, hipblasLtMatrixLayout_t a, hipblasLtMatrixLayout_t b,
    hipblasLtMatrixLayout_t c, hipblasLtMatrixLayout_t d, hipblasLtMatmulPreference_t preference, int requested,
    hipblasLtMatmulHeuristicResult_t results[], int *returned) {
  if (!handle || !preference || !results || !returned || requested < 1) return HIPBLAS_STATUS_INVALID_VALUE;
  porter_blaslt::Call call{desc, a, b, c, d};
  const hipblasStatus_t status = porter_blaslt::check(call);
  *returned = status == HIPBLAS_STATUS_SUCCESS;
  if (*returned) results[0] = hipblasLtMatmulHeuristicResult_t();
  return status;
}

inline hipblasStatus_t hipblasLtMatmul(hipblasLtHandle_t handle, hipblasLtMatmulDesc_t desc, const void *alpha, const void *a,
                                       hipblasLtMatrixLayout_t a_layout, const void *b, hipblasLtMatrixLayout_t b_layout,
                                       const void *beta, const void *c, hipblasLtMatrixLayout_t c_layout, void *d,
                                       hipblasLtMatrixLayout_t d_layout, const hipblasLtMatmulAlgo_t *, void *, size_t,
                                       hipStream_t stream) {
  if (!handle) return HIPBLAS_STATUS_NOT_INITIALIZED;
  if (!alpha || !beta || !a || !b || !d) return HIPBLAS_STATUS_INVALID_VALUE;
  porter_blaslt::Call call{desc, a_layout, b_layout, c_layout, d_layout};
  const hipblasStatus_t status = porter_blaslt::check(call);
  if (status != HIPBLAS_STATUS_SUCCESS || !call.m || !call.n || !call.d->batches) return status;
  switch (call.a->type) {
    case HIP_R_16F: return porter_blaslt::floats<__half>(call, alpha, a, b, beta, c, d, stream);
    case HIP_R_16BF: return porter_blaslt::floats<__hip_bfloat16>(call, alpha, a, b, beta, c, d, stream);
    case HIP_R_32F: return porter_blaslt::floats<float>(call, alpha, a, b, beta, c, d, stream);
    default: break;
  }
  if (call.d->type == HIP_R_8I) return porter_blaslt::whole<int8_t>(call, alpha, a, b, beta, c, d, stream);
  return porter_blaslt::whole<int32_t>(call, alpha, a, b, beta, c, d, stream);
}

#endif
#endif
