/*
 * saxpy_streams: y = a * x + y over chunks of pinned memory, each chunk on a stream of its own, so that
 * copies and kernels overlap. Times itself with cudaEvent_t and checks every element on the host.
 *
 * Usage: saxpy_streams [elements] [streams]
 */
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_CHECK(call)                                                          \
    do {                                                                          \
        hipError_t status_ = (call);                                             \
        if (status_ != hipSuccess) {                                             \
            fprintf(stderr, "%s:%d: %s failed: %s (%s)\n", __FILE__, __LINE__,    \
                    #call, hipGetErrorName(status_), hipGetErrorString(status_)); \
            hipDeviceReset();                                                    \
            exit(EXIT_FAILURE);                                                   \
        }                                                                         \
    } while (0)

/* Kernel launches report their errors late: see cudaPeekAtLastError. */
#define CHECK_LAUNCH() CUDA_CHECK(hipPeekAtLastError())

__global__ void saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        y[i] = __fmaf_rn(a, __ldg(&x[i]), y[i]);
}

static void print_device(int device)
{
    hipDeviceProp_t prop;
    CUDA_CHECK(hipGetDeviceProperties(&prop, device));
    int runtime = 0, driver = 0, clock_khz = 0;
    CUDA_CHECK(hipRuntimeGetVersion(&runtime));
    CUDA_CHECK(hipDriverGetVersion(&driver));
    CUDA_CHECK(hipDeviceGetAttribute(&clock_khz, hipDeviceAttributeClockRate, device));
    printf("device %d: %s, compute capability %d.%d, %d SMs, %.1f GiB, %d kHz\n", device, prop.name, prop.major,
           prop.minor, prop.multiProcessorCount, prop.totalGlobalMem / 1073741824.0, clock_khz);
    printf("runtime %d, driver %d, asyncEngineCount %d\n", runtime, driver, prop.asyncEngineCount);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 1 << 22;
    const int num_streams = argc > 2 ? atoi(argv[2]) : 4;
    const float a = 2.5f;

    int count = 0;
    CUDA_CHECK(hipGetDeviceCount(&count));
    if (count == 0) {
        printf("no CUDA device: nothing to do\n");
        return 0;
    }
    CUDA_CHECK(hipSetDevice(0));
    print_device(0);

    float *h_x, *h_y;
    CUDA_CHECK(hipHostMalloc(&h_x, n * sizeof(float)));
    CUDA_CHECK(hipHostAlloc((void **)&h_y, n * sizeof(float), hipHostMallocDefault));
    for (int i = 0; i < n; i++) {
        h_x[i] = (float)(i % 1000) * 0.001f;
        h_y[i] = 1.0f;
    }

    float *d_x, *d_y;
    CUDA_CHECK(hipMalloc((void **)&d_x, n * sizeof(float)));
    CUDA_CHECK(hipMalloc(&d_y, n * sizeof *d_y));

    std::vector<hipStream_t> streams(num_streams);
    for (hipStream_t &s : streams)
        CUDA_CHECK(hipStreamCreateWithFlags(&s, hipStreamNonBlocking));

    hipEvent_t start, stop;
    CUDA_CHECK(hipEventCreate(&start));
    CUDA_CHECK(hipEventCreateWithFlags(&stop, hipEventBlockingSync));

    const int chunk = (n + num_streams - 1) / num_streams;
    CUDA_CHECK(hipEventRecord(start, 0));
    for (int s = 0; s < num_streams; s++) {
        const int offset = s * chunk;
        const int size = offset + chunk < n ? chunk : n - offset;
        if (size <= 0)
            break;
        const size_t bytes = size * sizeof(float);
        CUDA_CHECK(hipStreamWaitEvent(streams[s], start, 0));
        CUDA_CHECK(hipMemcpyAsync(d_x + offset, h_x + offset, bytes, hipMemcpyHostToDevice, streams[s]));
        CUDA_CHECK(hipMemcpyAsync(d_y + offset, h_y + offset, bytes, hipMemcpyHostToDevice, streams[s]));
        saxpy<<<(size + 255) / 256, 256, 0, streams[s]>>>(size, a, d_x + offset, d_y + offset);
        CHECK_LAUNCH();
        CUDA_CHECK(hipMemcpyAsync(h_y + offset, d_y + offset, bytes, hipMemcpyDeviceToHost, streams[s]));
    }
    for (auto &s : streams)
        CUDA_CHECK(hipStreamSynchronize(s));
    CUDA_CHECK(hipEventRecord(stop));
    CUDA_CHECK(hipEventSynchronize(stop));

    float ms = 0.0f;
    CUDA_CHECK(hipEventElapsedTime(&ms, start, stop));
    printf("%d elements on %d streams: %.3f ms, %.2f GB/s over the bus\n", n, num_streams, ms,
           3.0 * n * sizeof(float) / ms / 1e6);

    int errors = 0;
    for (int i = 0; i < n; i++) {
        float expected = fmaf(a, h_x[i], 1.0f);
        if (fabsf(h_y[i] - expected) > 1e-5f && errors++ < 10)
            printf("y[%d] = %f, expected %f\n", i, h_y[i], expected);
    }

    for (auto &s : streams)
        CUDA_CHECK(hipStreamDestroy(s));
    CUDA_CHECK(hipEventDestroy(start));
    CUDA_CHECK(hipEventDestroy(stop));
    CUDA_CHECK(hipFree(d_x));
    CUDA_CHECK(hipFree(d_y));
    CUDA_CHECK(hipHostFree(h_x));
    CUDA_CHECK(hipHostFree(h_y));
    puts(errors ? "FAIL" : "PASS");
    return errors != 0;
}
