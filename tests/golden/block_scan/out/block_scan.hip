// Copyright (c) the authors of block_scan. Inclusive scan and block reductions in three launches.
#include <hip/hip_runtime.h>
#include <iostream>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

template <typename T> struct Sum  { __host__ __device__ T operator()(T a, T b) const { return a + b; } static constexpr __host__ __device__ T id() { return T(0); } };
template <typename T> struct Max  { __host__ __device__ T operator()(T a, T b) const { return a > b ? a : b; } static constexpr __host__ __device__ T id() { return T(-1) << 30; } };

inline void throw_on_error(hipError_t code, const std::string &where)
{
    if (code != hipError_t::hipSuccess)
        throw std::runtime_error(where + ": " + hipGetErrorString(code));
}

template <typename T>
class DeviceBuffer {
public:
    explicit DeviceBuffer(size_t n) : size_(n) { throw_on_error(hipMalloc(&data_, n * sizeof(T)), "cudaMalloc"); }
    explicit DeviceBuffer(const std::vector<T> &v) : DeviceBuffer(v.size())
    {
        throw_on_error(hipMemcpy(data_, v.data(), v.size() * sizeof(T), hipMemcpyHostToDevice), "cudaMemcpy");
    }
    ~DeviceBuffer() { hipFree(data_); }
    DeviceBuffer(const DeviceBuffer &) = delete;
    T *get() { return data_; }
    std::vector<T> download() const
    {
        std::vector<T> v(size_);
        throw_on_error(hipMemcpy(v.data(), data_, size_ * sizeof(T), ::hipMemcpyDeviceToHost), "cudaMemcpy");
        return v;
    }
private:
    T *data_ = nullptr;
    size_t size_;
};

template <class T, class Op>
__device__ T warp_inclusive_scan(T value, Op op)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
        const T up = __shfl_up(value, d, 32);
        if (lane >= d) value = op(up, value);
    }
    return value;
}

template <int Threads, class T, class Op>
__global__ __launch_bounds__(Threads, (Threads * 4 + 255) / 256)
void scan_blocks(const T *in, T *out, T *totals, int n, Op op)
{
    constexpr int kWarps = Threads / 32;
    __shared__ T partial[32];
    const int i = blockIdx.x * Threads + threadIdx.x;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;

    T value = warp_inclusive_scan(i < n ? in[i] : Op::id(), op);
    if (lane == 32 - 1) partial[warp] = value;
    __syncthreads();
    if (warp == 0) {
        T p = lane < kWarps ? partial[lane] : Op::id();
        partial[lane] = warp_inclusive_scan(p, op);
    }
    __syncthreads();
    if (warp > 0) value = op(partial[warp - 1], value);
    if (i < n) out[i] = value;
    if (threadIdx.x == Threads - 1 && totals) totals[blockIdx.x] = value;
}

template <class T, class Op>
__global__ void __launch_bounds__(512, 4) add_totals(T *out, const T *totals, int n, Op op)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n) out[i] = op(totals[blockIdx.x - 1], out[i]);
}

// The sum of one block, by the textbook: warps first, then the first warp over the warps' sums.
template <typename T>
__device__ T block_reduce(T v)
{
    static __shared__ T shared[32];
    int lane = threadIdx.x % 32;
    int wid = threadIdx.x / 32;
    for (int o = 32 >> 1; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
    if (lane == 0) shared[wid] = v;
    __syncthreads();
    v = (threadIdx.x < blockDim.x / 32) ? shared[lane] : T(0);
    if (wid == 0)
        for (int o = 32 >> 1; o > 0; o >>= 1) v += __shfl_down(v, o, 32);
    return v;
}

__device__ unsigned int blocks_done = 0;

// Sums everything in one launch: the block that finishes last adds up the blocks' sums.
__global__ void reduce_single_pass(const int *in, volatile int *partial, int *result, int n)
{
    __shared__ bool last;
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    sum = block_reduce(sum);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(&blocks_done, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    sum = 0;
    for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) sum += partial[i];
    sum = block_reduce(sum);
    if (threadIdx.x == 0) {
        *result = sum;
        blocks_done = 0;
    }
}

template <class Op>
std::vector<int> scan(const std::vector<int> &host, Op op)
{
    constexpr int kThreads = 512;
    const int n = (int)host.size(), blocks = (n + kThreads - 1) / kThreads;
    if (blocks > kThreads) throw std::invalid_argument("too long for three launches");
    DeviceBuffer<int> in(host), out(n), totals(blocks);
    scan_blocks<kThreads, int, Op><<<blocks, kThreads>>>(in.get(), out.get(), totals.get(), n, op);
    scan_blocks<kThreads><<<1, kThreads>>>(totals.get(), totals.get(), (int *)nullptr, blocks, op);
    add_totals<<<dim3((n + 511) / 512), dim3(512)>>>(out.get(), totals.get(), n, op);
    throw_on_error(hipGetLastError(), "scan");
    return out.download();
}

int main() try {
    std::mt19937 gen(1234);
    std::uniform_int_distribution<int> dist(-50, 100);
    std::vector<int> host(100'003);
    for (int &v : host) v = dist(gen);

    std::vector<int> expected(host.size());
    std::partial_sum(host.begin(), host.end(), expected.begin());
    bool ok = scan(host, Sum<int>{}) == expected;
    std::partial_sum(host.begin(), host.end(), expected.begin(), Max<int>{});
    ok = ok && scan(host, Max<int>{}) == expected;

    DeviceBuffer<int> in(host), partial(64), result(1);
    for (int repeat = 0; repeat < 2; ++repeat) {
        reduce_single_pass<<<64, 256>>>(in.get(), partial.get(), result.get(), (int)host.size());
        throw_on_error(hipDeviceSynchronize(), "reduce_single_pass");
        ok = ok && result.download()[0] == std::accumulate(host.begin(), host.end(), 0);
    }
    std::cout << (ok ? "PASS" : "FAIL") << std::endl;
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception &e) {
    std::cerr << e.what() << '\n';
    return 2;
}
