// Host code only: cuBLAS, row-major by the usual trick, with streams, batches and mixed precision.
#include <hipblas/hipblas.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime_api.h>
#include "porter/hipblas.h"
#include <hip/library_types.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <vector>

namespace linalg {

const char *to_string(hipblasStatus_t status)
{
    switch (status) {
    case HIPBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
    case HIPBLAS_STATUS_NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
    case HIPBLAS_STATUS_ALLOC_FAILED: return "CUBLAS_STATUS_ALLOC_FAILED";
    case HIPBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
    case HIPBLAS_STATUS_ARCH_MISMATCH: return "CUBLAS_STATUS_ARCH_MISMATCH";
    case HIPBLAS_STATUS_EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
    default: return "another cublasStatus_t";
    }
}

#define BLAS(call)                                                                             \
    do {                                                                                       \
        const hipblasStatus_t s_ = (call);                                                      \
        if (s_ != HIPBLAS_STATUS_SUCCESS) throw std::runtime_error(std::string(#call) + ": " + linalg::to_string(s_)); \
    } while (false)
#define RT(call)                                                                               \
    do {                                                                                       \
        if (const hipError_t e_ = (call)) throw std::runtime_error(hipGetErrorString(e_));   \
    } while (false)

struct CudaDeleter { void operator()(void *p) const noexcept { hipFree(p); } };
template <class T> using DevicePtr = std::unique_ptr<T[], CudaDeleter>;

template <class T> DevicePtr<T> to_device(const std::vector<T> &v)
{
    T *p = nullptr;
    RT(hipMalloc(reinterpret_cast<void **>(&p), v.size() * sizeof(T)));
    DevicePtr<T> owner(p);
    BLAS(hipblasSetVector(static_cast<int>(v.size()), sizeof(T), v.data(), 1, p, 1));
    return owner;
}

class Handle {
public:
    explicit Handle(hipStream_t stream)
    {
        BLAS(hipblasCreate(&h_));
        BLAS(hipblasSetStream(h_, stream));
        BLAS(hipblasSetPointerMode(h_, HIPBLAS_POINTER_MODE_HOST));
        BLAS(hipblasSetMathMode(h_, HIPBLAS_DEFAULT_MATH));
    }
    ~Handle() { hipblasDestroy(h_); }
    operator hipblasHandle_t() const { return h_; }
private:
    hipblasHandle_t h_ = nullptr;
};

}  // namespace linalg

int main()
try {
    using namespace linalg;
    const int m = 24, n = 40, k = 56, batch = 3;
    hipStream_t stream;
    RT(hipStreamCreate(&stream));
    bool good = true;
    {
        Handle blas(stream);
        std::vector<float> a(batch * m * k), b(batch * k * n), c(batch * m * n, 0.0f);
        for (size_t i = 0; i < a.size(); ++i) a[i] = float(i % 7) - 3;
        for (size_t i = 0; i < b.size(); ++i) b[i] = float(i % 5) - 2;
        auto da = to_device(a), db = to_device(b), dc = to_device(c);
        const float alpha = 1.0f, beta = 0.0f;
        // row-major C = A B is column-major C' = B' A'
        BLAS(hipblasSgemm(blas, HIPBLAS_OP_N, HIPBLAS_OP_N, n, m, k, &alpha, db.get(), n, da.get(), k, &beta, dc.get(), n));
        BLAS(hipblasSgemmStridedBatched(blas, HIPBLAS_OP_N, HIPBLAS_OP_N, n, m, k, &alpha, db.get(), n, 1LL * k * n, da.get(),
                                       k, 1LL * m * k, &beta, dc.get(), n, 1LL * m * n, batch));
        RT(hipMemcpyAsync(c.data(), dc.get(), c.size() * sizeof(float), hipMemcpyDeviceToHost, stream));
        RT(hipStreamSynchronize(stream));
        for (int p = 0; p < batch; ++p)
            for (int i = 0; i < m; ++i)
                for (int j = 0; j < n; ++j) {
                    float s = 0;
                    for (int t = 0; t < k; ++t) s += a[(p * m + i) * k + t] * b[(p * k + t) * n + j];
                    good = good && s == c[(p * m + i) * n + j];
                }

        std::vector<__half> ha(m * k), hb(k * n);
        for (int i = 0; i < m * k; ++i) ha[i] = __float2half(a[i]);
        for (int i = 0; i < k * n; ++i) hb[i] = __float2half(b[i]);
        auto dha = to_device(ha), dhb = to_device(hb);
        BLAS(hipblasGemmEx_v2(blas, HIPBLAS_OP_N, HIPBLAS_OP_N, n, m, k, &alpha, dhb.get(), HIP_R_16F, n, dha.get(), HIP_R_16F, k,
                          &beta, dc.get(), HIP_R_32F, n, HIPBLAS_COMPUTE_32F, HIPBLAS_GEMM_DEFAULT));
        std::vector<float> mixed(m * n);
        RT(hipStreamSynchronize(stream));
        BLAS(hipblasGetMatrix(n, m, sizeof(float), dc.get(), n, mixed.data(), n));
        for (int i = 0; i < m * n; ++i) good = good && std::fabs(mixed[i] - c[i]) < 1e-3f;

        float norm = 0, dot = 0;
        int largest = 0;
        BLAS(hipblasSnrm2(blas, m * k, da.get(), 1, &norm));
        BLAS(hipblasSdot(blas, m * k, da.get(), 1, da.get(), 1, &dot));
        BLAS(hipblasIsamax(blas, m * k, da.get(), 1, &largest));
        BLAS(hipblasSscal(blas, m * k, &norm, da.get(), 1));
        good = good && std::fabs(norm * norm - dot) < 1e-2f * dot && largest == 1;

        std::vector<hipComplex> z(4, make_hipComplex(1.0f, 2.0f));
        auto dz = to_device(z);
        hipComplex result{};
        BLAS(hipblasCdotc_v2(blas, 4, dz.get(), 1, dz.get(), 1, &result));
        good = good && hipCrealf(result) == 20.0f && hipCimagf(result) == 0.0f;
    }
    RT(hipStreamDestroy(stream));
    std::puts(good ? "PASS" : "FAIL");
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
}
