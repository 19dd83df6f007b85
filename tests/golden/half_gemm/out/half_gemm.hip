// Tiled GEMM on __half and __nv_bfloat16 with a vectorised epilogue: C = relu(A * B + bias).
#include <hip/hip_fp16.h>
#include <hip/hip_bf16.h>
#include <hip/hip_runtime.h>
#include "porter/bf16.h"
#include "porter/half.h"
#include "porter/memory.h"
#include "porter/warp.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <vector>

#define TILE 16

template <typename T> struct Convert;
template <> struct Convert<__half> {
    static __host__ __device__ float up(__half v) { return __half2float(v); }
    static __host__ __device__ __half down(float v) { return __float2half_rn(v); }
};
template <> struct Convert<__hip_bfloat16> {
    static __host__ __device__ float up(__hip_bfloat16 v) { return __bfloat162float(v); }
    static __host__ __device__ __hip_bfloat16 down(float v) { return __float2bfloat16(v); }
};

template <typename T>
__global__ void gemm(const T *__restrict__ a, const T *__restrict__ b, float *__restrict__ c, int m, int n, int k)
{
    __shared__ T as[TILE][TILE + 1], bs[TILE][TILE + 1];
    const int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < k; t += TILE) {
        as[threadIdx.y][threadIdx.x] = row < m && t + threadIdx.x < k ? a[row * k + t + threadIdx.x] : Convert<T>::down(0.0f);
        bs[threadIdx.y][threadIdx.x] = col < n && t + threadIdx.y < k ? b[(t + threadIdx.y) * n + col] : Convert<T>::down(0.0f);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; ++i) sum = fmaf(Convert<T>::up(as[threadIdx.y][i]), Convert<T>::up(bs[i][threadIdx.x]), sum);
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

__global__ void epilogue(const float2 *in, const __half2 *bias, __half2 *out, int rows, int cols2)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows * cols2) return;
    const __half2 zero = __float2half2_rn(0.f), one = __halves2half2(__ushort_as_half(0x3c00), __float2half(1.0f));
    __half2 v = __float22half2_rn(in[i]);
    v = __hfma2(v, one, bias[i % cols2]);
    out[i] = porter::hmax2(v, zero);
}

__global__ void dot2(const half2 *x, const half2 *y, float *result, int n)
{
    half2 acc = __float2half2_rn(0.0f);
    for (int i = threadIdx.x; i < n; i += blockDim.x) acc = __hadd2(acc, __hmul2(x[i], y[i]));
    for (int d = 16; d > 0; d >>= 1) acc = __hadd2(acc, porter::shfl_xor_sync(0xffffffff, acc, d));
    if (threadIdx.x % 32 == 0) atomicAdd(result, __low2float(acc) + __high2float(acc));
}

__global__ void round_trip(const float *in, __hip_bfloat162 *out, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n2) {
        __hip_bfloat162 v = porter::floats2bfloat162_rn(in[2 * i], in[2 * i + 1]);
        out[i] = __hmul2(v, __bfloat162bfloat162(__float2bfloat16(2.0f)));
    }
}

__global__ void gather(const ushort4 *__restrict__ indices, const __hip_bfloat16 *__restrict__ x, __hip_bfloat16 *out)
{
    const ushort4 at = porter::load(indices + threadIdx.x);
    const __hip_bfloat16 next = porter::shfl_down_sync(0xffffffff, porter::load(x + at.y), 1);
    if (threadIdx.x < 31) out[threadIdx.x] = next;
}

static void ok(hipError_t e) { if (e != hipSuccess) { fprintf(stderr, "%s\n", hipGetErrorString(e)); abort(); } }
template <class T> T *upload(const std::vector<T> &v)
{
    void *p = nullptr;
    ok(hipMalloc(&p, v.size() * sizeof(T)));
    ok(hipMemcpy(p, v.data(), v.size() * sizeof(T), hipMemcpyDefault));
    return reinterpret_cast<T *>(p);
}

template <typename T> bool test_gemm(double tolerance)
{
    const int m = 70, n = 50, k = 90;
    std::vector<T> a(m * k), b(k * n);
    for (int i = 0; i < m * k; ++i) a[i] = Convert<T>::down((i % 13 - 6) / 8.0f);
    for (int i = 0; i < k * n; ++i) b[i] = Convert<T>::down((i % 11 - 5) / 8.0f);
    std::vector<float> c(m * n, -1.0f);
    T *da = upload(a), *db = upload(b);
    float *dc = upload(c);
    gemm<T><<<dim3((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), dim3(TILE, TILE)>>>(da, db, dc, m, n, k);
    ok(hipMemcpy(c.data(), dc, c.size() * sizeof(float), hipMemcpyDeviceToHost));
    bool good = true;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            double s = 0;
            for (int t = 0; t < k; ++t) s += double(Convert<T>::up(a[i * k + t])) * Convert<T>::up(b[t * n + j]);
            good = good && std::fabs(c[i * n + j] - s) < tolerance;
        }
    std::vector<__half2> bias(n / 2), out(m * n / 2);
    for (auto &v : bias) v = __floats2half2_rn(0.25f, -0.25f);
    __half2 *dbias = upload(bias), *dout = upload(out);
    epilogue<<<(m * n / 2 + 127) / 128, 128>>>((const float2 *)dc, dbias, dout, m, n / 2);
    ok(hipMemcpy(out.data(), dout, out.size() * sizeof(__half2), hipMemcpyDeviceToHost));
    for (int i = 0; i < m * n / 2; ++i) {
        float want = std::fmax(c[2 * i] + 0.25f, 0.0f);
        good = good && std::fabs(__low2float(out[i]) - want) < 0.02f * (1 + want);
    }
    hipFree(da), hipFree(db), hipFree(dc), hipFree(dbias), hipFree(dout);
    return good;
}

int main()
{
    static_assert(sizeof(__half) == 2 && std::is_same<half, __half>::value, "half is __half");
    bool good = test_gemm<__half>(1e-3) && test_gemm<__hip_bfloat16>(1e-3);
    std::vector<half2> x(64, __floats2half2_rn(0.5f, 0.25f)), y(64, __floats2half2_rn(1.0f, 2.0f));
    std::vector<float> in(64), zero(1, 0.0f);
    half2 *dx = upload(x), *dy = upload(y);
    float *dr = upload(zero);
    dot2<<<1, 64>>>(dx, dy, dr, 64);
    ok(hipMemcpy(zero.data(), dr, sizeof(float), hipMemcpyDeviceToHost));
    good = good && zero[0] == 64.0f;
    for (int i = 0; i < 64; ++i) in[i] = i * 0.5f;
    std::vector<__hip_bfloat162> pairs(32);
    float *di = upload(in);
    __hip_bfloat162 *dp = upload(pairs);
    round_trip<<<1, 32>>>(di, dp, 32);
    ok(hipMemcpy(pairs.data(), dp, 32 * sizeof(__hip_bfloat162), hipMemcpyDeviceToHost));
    for (int i = 0; i < 32; ++i) good = good && __low2float(pairs[i]) == in[2 * i] * 2;
    puts(good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
