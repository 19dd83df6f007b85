// Names of the program's own that look like CUDA's: none of them may be ported, their CUDA namesakes must be.
#include <hip/hip_runtime.h>
#include "porter/cuda_math.h"
#include <cstdio>
#include <cstdlib>

// A macro with the name of a function that used to exist, and one that wraps one that does.
#define cudaSafeCall(expr)  checkError((expr), #expr)
#define CUDA_GRID_STRIDE(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)

static void checkError(hipError_t error, const char *text) {
    if (error) { std::printf("%s: %s\n", text, hipGetErrorString(error)); std::exit(1); }
}

namespace sim {

struct Machine {
    int warpSize;
    int maxThreadsPerBlock;
    const char *name;
    int cudaMalloc(int bytes) const { return bytes * 2; }          // a method of ours
    static int cudaFree(int bytes) { return bytes / 2; }
};

enum class Vendor { cudaSuccess, CUDA_VERSION_UNKNOWN, other };

// Not the device function of that name: takes three arguments.
__host__ __device__ inline unsigned umin(unsigned a, unsigned b, unsigned c) { return a < b ? (a < c ? a : c) : (b < c ? b : c); }

// An overload beside CUDA's own for a type of ours.
struct Counter { unsigned hits, misses; };
__device__ inline void atomicAdd(Counter *c, Counter v) {
    ::atomicAdd(&c->hits, v.hits);
    ::atomicAdd(&c->misses, v.misses);
}

template <class T> __device__ T __ldg_checked(const T *p, bool ok) { return ok ? __ldg(p) : T(); }

class Timer {
public:
    Timer() { cudaSafeCall(hipEventCreate(&cudaEventStart)); cudaSafeCall(hipEventCreate(&cudaEventStop_)); }
    ~Timer() { hipEventDestroy(cudaEventStart); hipEventDestroy(this->cudaEventStop_); }
    void start(hipStream_t cudaStream = nullptr) { cudaSafeCall(hipEventRecord(cudaEventStart, cudaStream)); }
    float stop(hipStream_t cudaStream = nullptr) {
        float ms = 0;
        cudaSafeCall(hipEventRecord(cudaEventStop_, cudaStream));
        cudaSafeCall(hipEventSynchronize(cudaEventStop_));
        cudaSafeCall(hipEventElapsedTime(&ms, cudaEventStart, cudaEventStop_));
        return ms;
    }
private:
    hipEvent_t cudaEventStart, cudaEventStop_;
};

}  // namespace sim

// warpSize as a parameter and as a local: the program's own numbers, which stay.
__host__ __device__ static int lanesUsed(int threads, int warpSize) { return threads % warpSize ? threads % warpSize : warpSize; }

__global__ void clash(const unsigned *in, sim::Counter *counter, unsigned *out, int n) {
    struct { int x, y; } threads = {(int)threadIdx.x, (int)threadIdx.y};
    CUDA_GRID_STRIDE(i, n) {
        const unsigned all = umin(in[i], 100u);                                  // CUDA's umin
        const unsigned three = sim::umin(all, 50u, in[(i + 1) % n]);             // ours
        const float half = 0.5f;                                                 // no __half here
        const int lane = threads.x & 31;
        out[i] = three + (unsigned)(half * 2) + sim::__ldg_checked(in, lane < 32);
        sim::atomicAdd(counter, sim::Counter{three == 50u, three != 50u});
    }
}

int main() {
    const int n = 1000;
    const char *cudaMemcpyHostToDevice_text = "cudaMemcpyHostToDevice";   // a string and a name: neither is the enum
    sim::Machine machine = {48, 512, "cudaMalloc"};
    int sum = machine.cudaMalloc(machine.warpSize) + sim::Machine::cudaFree(10) + (int)sim::Vendor::cudaSuccess;
    if (sum != 101 || lanesUsed(100, machine.warpSize) != 4) return 2;

    unsigned host[n], back[n], *in, *out;
    sim::Counter *counter, result;
    for (int i = 0; i < n; i++) host[i] = (i * 17u) % 120u + 1u;
    cudaSafeCall(hipMalloc(&in, sizeof host));
    cudaSafeCall(hipMalloc(&out, sizeof host));
    cudaSafeCall(hipMalloc(&counter, sizeof *counter));
    cudaSafeCall(hipMemset(counter, 0, sizeof *counter));
    cudaSafeCall(hipMemcpy(in, host, sizeof host, hipMemcpyHostToDevice));
    sim::Timer timer;
    timer.start();
    clash<<<4, 128>>>(in, counter, out, n);
    float ms = timer.stop();
    cudaSafeCall(hipMemcpy(back, out, sizeof back, hipMemcpyDeviceToHost));
    cudaSafeCall(hipMemcpy(&result, counter, sizeof result, hipMemcpyDeviceToHost));

    unsigned hits = 0;
    int bad = 0;
    for (int i = 0; i < n; i++) {
        unsigned three = sim::umin(host[i] < 100u ? host[i] : 100u, 50u, host[(i + 1) % n]);
        hits += three == 50u;
        bad += back[i] != three + 1u + host[0];
    }
    bad += result.hits != hits || result.hits + result.misses != (unsigned)n;
    std::printf("%s (%s, %.3f ms)\n", bad ? "FAIL" : "PASS", cudaMemcpyHostToDevice_text, ms);
    hipFree(in), hipFree(out), hipFree(counter);
    return bad != 0;
}
