// Every way to launch: <<< >>>, cudaLaunchKernel, function pointers, extended lambdas, occupancy-chosen sizes.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <tuple>
#include <utility>
#include <vector>

#define CHECK(...) do { hipError_t e = (__VA_ARGS__); if (e != hipSuccess) { std::fprintf(stderr, "%d: %s\n", __LINE__, hipGetErrorString(e)); std::abort(); } } while (0)

using UnaryKernel = void (*)(const float *, float *, int);
typedef float (*DeviceOp)(float);

__device__ float twice(float x) { return 2.0f * x; }
__device__ float negate(float x) { return -x; }
__device__ DeviceOp deviceOps[] = {twice, negate};
__device__ DeviceOp chosen = negate;

template <int K> __global__ void addK(const float *in, float *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i] + K;
}

__global__ void apply(const float *in, float *out, int n, DeviceOp op)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = op(in[i]);
}

__global__ void apply_nth(const float *in, float *out, int n, unsigned which)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) out[i] = deviceOps[which](in[i]);
}

template <typename F> __global__ void for_each_index(int n, F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(i);
}

template <typename F> void parallel_for(int n, F &&f, hipStream_t stream = 0)
{
    if (n <= 0) return;
    int block = 0, minGrid = 0;
    CHECK(hipOccupancyMaxPotentialBlockSize(&minGrid, &block, for_each_index<std::decay_t<F>>, 0, 0));
    for_each_index<<<(n + block - 1) / block, block, 0, stream>>>(n, std::forward<F>(f));
    CHECK(hipGetLastError());
}

// Launches any kernel with arguments of the caller's types, in the manner of cudaLaunchKernel.
template <typename... Params, typename... Args>
void launch(void (*kernel)(Params...), dim3 grid, dim3 block, size_t shared, hipStream_t stream, Args &&...args)
{
    std::tuple<Params...> values(std::forward<Args>(args)...);
    void *pointers[sizeof...(Params)];
    int at = 0;
    std::apply([&](auto &...v) { ((pointers[at++] = (void *)&v), ...); }, values);
    CHECK(hipLaunchKernel((const void *)kernel, grid, block, pointers, shared, stream));
}

static bool equal(const float *d, int n, float (*expected)(int))
{
    std::vector<float> h(n);
    CHECK(hipMemcpy(h.data(), d, n * sizeof(float), hipMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i)
        if (h[i] != expected(i)) { std::printf("[%d] = %f, not %f\n", i, h[i], expected(i)); return false; }
    return true;
}

int main()
{
    int n = 3000;
    float *in, *out;
    CHECK(hipMalloc(&in, n * sizeof(float)));
    CHECK(hipMalloc(&out, n * sizeof(float)));
    bool ok = true;

    // an extended lambda, captures by value
    const float scale = 0.5f;
    parallel_for(n, [=] __device__(int i) { in[i] = i * scale; });

    // kernels in a table
    const std::vector<std::pair<const char *, UnaryKernel>> table = {{"addK<1>", addK<1>}, {"addK<-7>", &addK<-7>}};
    for (auto &[name, kernel] : table) {
        hipFuncAttributes attributes;
        CHECK(hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)));
        int blocks = 0;
        CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0));
        std::printf("%s: %d registers, %zu bytes of shared memory, %d blocks\n", name, attributes.numRegs,
                    attributes.sharedSizeBytes, blocks);
        ok = ok && attributes.maxThreadsPerBlock >= 256 && blocks > 0;
    }
    table[0].second<<<8, 256>>>(in, out, n);
    ok = ok && equal(out, n, [](int i) { return i * 0.5f + 1; });
    (*table[1].second)<<<dim3(8), dim3(256), 0, hipStreamLegacy>>>(in, out, n);
    ok = ok && equal(out, n, [](int i) { return i * 0.5f - 7; });

    // cudaLaunchKernel, plain and through a template
    void *args[] = {&in, &out, &n};
    CHECK(hipLaunchKernel((void *)addK<3>, dim3(8), dim3(128), args, 0, NULL));
    ok = ok && equal(out, n, [](int i) { return i * 0.5f + 3; });
    CHECK(hipLaunchKernel(reinterpret_cast<const void*>(addK<4>), dim3(8), dim3(128), args, 0, nullptr));
    ok = ok && equal(out, n, [](int i) { return i * 0.5f + 4; });
    launch(apply_nth, dim3((n + 127) / 128), dim3(128), 0, nullptr, in, out, n, 0u);
    ok = ok && equal(out, n, [](int i) { return i * 1.0f; });

    // a device function pointer, fetched from the device
    DeviceOp op;
    CHECK(hipMemcpyFromSymbol(&op, HIP_SYMBOL(chosen), sizeof(DeviceOp)));
    apply<<<(n + 255) / 256, 256>>>(in, out, n, op);
    ok = ok && equal(out, n, [](int i) { return -(i * 0.5f); });

    // a __host__ __device__ lambda, used on both sides
    auto cube = [] __host__ __device__(float x) { return x * x * x; };
    parallel_for(n, [=] __device__(int i) { out[i] = cube(i % 10); });
    ok = ok && equal(out, n, [](int i) { float x = i % 10; return x * x * x; }) && cube(2.0f) == 8.0f;

    CHECK(hipFree(in));
    CHECK(hipFree(out));
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
