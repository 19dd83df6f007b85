// The mathematical libraries, communication and tools.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cudnn.h>
#include <cufft.h>
#include <curand_kernel.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <nccl.h>
#include <nvToolsExt.h>
#include <nvml.h>
#include <nvrtc.h>

__global__ void noise(float *p, curandState *states, unsigned long long seed) {
  curandState state;
  curand_init(seed, threadIdx.x, 0, &state);
  p[0] = curand_uniform(&state) + curand_normal(&state) + curand(&state);
  curandStatePhilox4_32_10_t philox;
  curand_init(seed, 1, 0, &philox);
  float4 four = curand_normal4(&philox);
  p[1] = four.w;
  states[0] = state;
}

void host(float *p, half *h) {
  const float one = 1, zero = 0;
  cublasHandle_t blas;
  cublasCreate(&blas);
  cublasSetMathMode(blas, CUBLAS_TENSOR_OP_MATH);
  cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_T, 1, 2, 3, &one, p, 1, p, 1, &zero, p, 1);
  half half_one = __float2half(1.f);
  cublasHgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 2, 3, &half_one, h, 1, h, 1, &half_one, h, 1);
  cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 2, 3, &one, h, CUDA_R_16F, 1, h, CUDA_R_16F, 1, &zero, p,
               CUDA_R_32F, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  cublasLtMatmulDesc_t operation;
  cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  curandGenerateUniform(generator, p, 10);
  cufftHandle plan;
  cufftPlan1d(&plan, 3, CUFFT_C2C, 1);
  cudnnHandle_t dnn;
  cudnnCreate(&dnn);
  cusparseHandle_t sparse;
  cusparseCreate(&sparse);
  cusparseSpMatDescr_t matrix;
  cusparseCreateCsr(&matrix, 1, 1, 1, p, p, p, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                    CUDA_R_32F);
  cusolverDnHandle_t solver;
  cusolverDnCreate(&solver);
  ncclComm_t comm;
  ncclUniqueId id;
  ncclCommInitRank(&comm, 1, id, 0);
  ncclAllReduce(p, p, 10, ncclFloat, ncclSum, comm, 0);
  nvrtcProgram program;
  nvrtcCreateProgram(&program, "", "k.cu", 0, nullptr, nullptr);
  nvtxRangePush("range");
  nvmlInit();
  cudaProfilerStart();
  CUdeviceptr pointer;
  CUcontext context;
  CUfunction function;
  cuInit(0);
  cuCtxCreate(&context, 0, 0);
  cuMemAlloc(&pointer, 4);
  cuMemcpyHtoD(pointer, p, 4);
  void *parameters[] = {&pointer};
  cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, parameters, 0);
}
