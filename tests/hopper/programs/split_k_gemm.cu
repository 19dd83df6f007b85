// C = A * B^T + bias in bf16 for products with a long k: the blocks of a tile each sum a part of k, and the block that
// comes last adds the parts in a fixed order. Two neighbouring blocks form a cluster and share the tile of A.
//
//   split_k_gemm [M N K splits repeats]
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <cudaTypedefs.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

using bf16 = __nv_bfloat16;

#define CHECK_CUDA(expression)                                                                              \
    do {                                                                                                    \
        cudaError_t status_ = (expression);                                                                 \
        if (status_ != cudaSuccess) {                                                                       \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_));           \
            std::exit(2);                                                                                   \
        }                                                                                                   \
    } while (0)

namespace ptx {

__device__ __forceinline__ uint32_t smem(const void *pointer) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ uint32_t cluster_rank() {
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;\n" : "=r"(rank));
    return rank;
}

__device__ __forceinline__ void cluster_arrive_and_wait() {
    asm volatile("barrier.cluster.arrive.release.aligned;\n" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;\n" ::: "memory");
}

__device__ __forceinline__ void init(uint64_t *bar, uint32_t count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n" ::"r"(smem(bar)), "r"(count) : "memory");
}

__device__ __forceinline__ void expect(uint64_t *bar, uint32_t bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n" ::"r"(smem(bar)), "r"(bytes) : "memory");
}

// Arrives at the barrier that lies at the same place in the block `rank` of the cluster.
__device__ __forceinline__ void arrive_at(uint64_t *bar, uint32_t rank) {
    asm volatile(
        "{\n"
        ".reg .b32 remote;\n"
        "mapa.shared::cluster.u32 remote, %0, %1;\n"
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote];\n"
        "}\n" ::"r"(smem(bar)),
        "r"(rank)
        : "memory");
}

__device__ __forceinline__ void wait(uint64_t *bar, uint32_t parity) {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "AGAIN:\n"
        "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n"
        "@done bra FINISHED;\n"
        "bra AGAIN;\n"
        "FINISHED:\n"
        "}\n" ::"r"(smem(bar)),
        "r"(parity)
        : "memory");
}

__device__ __forceinline__ void load(void *to, const CUtensorMap *map, uint64_t *bar, int k, int row) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                 " [%0], [%1, {%3, %4}], [%2];\n" ::"r"(smem(to)),
                 "l"(map), "r"(smem(bar)), "r"(k), "r"(row)
                 : "memory");
}

__device__ __forceinline__ void load_to_all(void *to, const CUtensorMap *map, uint64_t *bar, int k, int row,
                                            uint16_t blocks) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster"
                 " [%0], [%1, {%3, %4}], [%2], %5;\n" ::"r"(smem(to)),
                 "l"(map), "r"(smem(bar)), "r"(k), "r"(row), "h"(blocks)
                 : "memory");
}

template <int Registers>
__device__ __forceinline__ void take_registers() {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;\n" ::"n"(Registers));
}

template <int Registers>
__device__ __forceinline__ void give_registers() {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;\n" ::"n"(Registers));
}

// A tile whose rows are 128 bytes of k, swizzled over 128 bytes.
__device__ __forceinline__ uint64_t k_major_128(const void *tile) {
    constexpr uint64_t swizzle_128 = uint64_t(1) << 62, stride = uint64_t(1024 >> 4) << 32, leading = uint64_t(1) << 16;
    return swizzle_128 | stride | leading | ((smem(tile) & 0x3FFFF) >> 4);
}

#define ROW4(i) "+f"(c[i][0]), "+f"(c[i][1]), "+f"(c[i][2]), "+f"(c[i][3])
__device__ __forceinline__ void mma_64x128x16(float (&c)[16][4], uint64_t a, uint64_t b, int accumulate) {
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "setp.ne.b32 p, %66, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
        "%64, %65, p, 1, 1, 0, 0;\n"
        "}\n"
        : ROW4(0), ROW4(1), ROW4(2), ROW4(3), ROW4(4), ROW4(5), ROW4(6), ROW4(7), ROW4(8), ROW4(9), ROW4(10), ROW4(11),
          ROW4(12), ROW4(13), ROW4(14), ROW4(15)
        : "l"(a), "l"(b), "r"(accumulate));
}
#undef ROW4

}  // namespace ptx

struct Config {
    static constexpr int BM = 128, BN = 128, BK = 64;
    static constexpr int stages = 5;
    static constexpr int cluster = 2;
    static constexpr int consumers = 2;
    static constexpr int threads = 128 * (1 + consumers);
    static constexpr uint32_t stage_bytes = (BM + BN) * BK * sizeof(bf16);
};

template <class C>
struct Shared {
    alignas(1024) bf16 a[C::stages][C::BM * C::BK];
    alignas(1024) bf16 b[C::stages][C::BN * C::BK];
    uint64_t full[C::stages];
    uint64_t empty[C::stages];
    int last;
};

// A position in the ring of stages, and the parity of its round.
template <int Stages>
struct Ring {
    int stage = 0;
    uint32_t parity = 0;
    __device__ void next() {
        if (++stage == Stages) {
            stage = 0;
            parity ^= 1;
        }
    }
};

struct Problem {
    int m, n, k, splits;
    float *parts;   // splits x m x n
    int *tickets;   // one of each tile, all 0
    const float *bias;
    bf16 *c;
};

template <class C>
__global__ void __launch_bounds__(C::threads, 1)
    split_k_kernel(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, const Problem p) {
    extern __shared__ uint8_t raw[];
    auto &s = *reinterpret_cast<Shared<C> *>((reinterpret_cast<uintptr_t>(raw) + 1023) & ~uintptr_t(1023));

    const int group = threadIdx.x / 128;
    const uint32_t rank = ptx::cluster_rank();
    const int row = blockIdx.y * C::BM, column = blockIdx.x * C::BN;
    const int steps = p.k / C::BK;
    const int first = steps * blockIdx.z / p.splits, end = steps * (blockIdx.z + 1) / p.splits;

    if (threadIdx.x == 0) {
        for (int i = 0; i < C::stages; ++i) {
            ptx::init(&s.full[i], 1);
            ptx::init(&s.empty[i], C::consumers * C::cluster);
        }
        asm volatile("fence.mbarrier_init.release.cluster;\n" ::: "memory");
    }
    ptx::cluster_arrive_and_wait();

    Ring<C::stages> ring;
    if (group == 0) {
        ptx::give_registers<40>();
        if (threadIdx.x == 0) {
            constexpr int half = C::BM / C::cluster;
            for (int step = first; step < end; ++step, ring.next()) {
                ptx::wait(&s.empty[ring.stage], ring.parity ^ 1);
                ptx::expect(&s.full[ring.stage], C::stage_bytes);
                ptx::load_to_all(s.a[ring.stage] + rank * half * C::BK, &map_a, &s.full[ring.stage], step * C::BK,
                                 row + rank * half, (1 << C::cluster) - 1);
                ptx::load(s.b[ring.stage], &map_b, &s.full[ring.stage], step * C::BK, column);
            }
        }
    } else {
        ptx::take_registers<232>();
        const int consumer = group - 1, thread = threadIdx.x % 128;
        float c[16][4];
#pragma unroll
        for (auto &four : c) four[0] = four[1] = four[2] = four[3] = 0.f;

        for (int step = first; step < end; ++step, ring.next()) {
            ptx::wait(&s.full[ring.stage], ring.parity);
            asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
            const uint64_t a = ptx::k_major_128(s.a[ring.stage] + consumer * 64 * C::BK);
            const uint64_t b = ptx::k_major_128(s.b[ring.stage]);
#pragma unroll
            for (int k = 0; k < C::BK / 16; ++k) ptx::mma_64x128x16(c, a + 2 * k, b + 2 * k, 1);
            asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
            asm volatile("wgmma.wait_group.sync.aligned 0;\n" ::: "memory");
            if (thread < C::cluster) ptx::arrive_at(&s.empty[ring.stage], thread);
        }

        const int r = row + consumer * 64 + thread / 32 * 16 + thread % 32 / 4;
        const int col = column + thread % 4 * 2;
        float *mine = p.parts + size_t(blockIdx.z) * p.m * p.n;
#pragma unroll
        for (int j = 0; j < 16; ++j) {
            *reinterpret_cast<float2 *>(mine + size_t(r) * p.n + col + 8 * j) = make_float2(c[j][0], c[j][1]);
            *reinterpret_cast<float2 *>(mine + size_t(r + 8) * p.n + col + 8 * j) = make_float2(c[j][2], c[j][3]);
        }

        // The last block of the tile adds the parts.
        __threadfence();
        asm volatile("bar.sync 1, 256;\n" ::: "memory");
        if (thread == 0 && consumer == 0) {
            const int ticket = atomicAdd(&p.tickets[blockIdx.y * gridDim.x + blockIdx.x], 1);
            s.last = ticket == p.splits - 1;
        }
        asm volatile("bar.sync 1, 256;\n" ::: "memory");
        if (s.last) {
            __threadfence();
            for (int i = threadIdx.x - 128; i < C::BM * C::BN / 4; i += 128 * C::consumers) {
                const int y = row + i / (C::BN / 4), x = column + i % (C::BN / 4) * 4;
                float4 sum = *reinterpret_cast<const float4 *>(p.bias + x);
                for (int z = 0; z < p.splits; ++z) {
                    const float4 part =
                        __ldcg(reinterpret_cast<const float4 *>(p.parts + (size_t(z) * p.m + y) * p.n + x));
                    sum.x += part.x, sum.y += part.y, sum.z += part.z, sum.w += part.w;
                }
                __nv_bfloat162 two[2] = {__floats2bfloat162_rn(sum.x, sum.y), __floats2bfloat162_rn(sum.z, sum.w)};
                *reinterpret_cast<uint2 *>(p.c + size_t(y) * p.n + x) = *reinterpret_cast<uint2 *>(two);
            }
        }
    }
    // No block leaves while its neighbour may still arrive at its barriers.
    ptx::cluster_arrive_and_wait();
}

static CUtensorMap tensor_map(const bf16 *data, int rows, int k, int box_rows, int box_k) {
    static const auto encode = [] {
        void *entry = nullptr;
        cudaDriverEntryPointQueryResult found;
        CHECK_CUDA(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found));
        if (found != cudaDriverEntryPointSuccess) std::exit(2);
        return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(entry);
    }();
    CUtensorMap map;
    const cuuint64_t dims[2] = {cuuint64_t(k), cuuint64_t(rows)}, strides[1] = {k * sizeof(bf16)};
    const cuuint32_t box[2] = {cuuint32_t(box_k), cuuint32_t(box_rows)}, steps[2] = {1, 1};
    const CUresult result =
        encode(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, const_cast<bf16 *>(data), dims, strides, box, steps,
               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
               CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS) {
        std::fprintf(stderr, "no tensor map: %d\n", int(result));
        std::exit(2);
    }
    return map;
}

struct Launch {
    dim3 grid, block;
    size_t shared;
    unsigned cluster;

    template <class... Parameters, class... Arguments>
    void operator()(void (*kernel)(Parameters...), Arguments &&...arguments) const {
        CHECK_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared)));
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim = {cluster, 1, 1};
        cudaLaunchConfig_t config{};
        config.gridDim = grid;
        config.blockDim = block;
        config.dynamicSmemBytes = shared;
        config.attrs = &attribute;
        config.numAttrs = 1;
        CHECK_CUDA(cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...));
    }
};

template <class C>
static void split_k_gemm(const bf16 *a, const bf16 *b, const Problem &p) {
    const CUtensorMap map_a = tensor_map(a, p.m, p.k, C::BM / C::cluster, C::BK);
    const CUtensorMap map_b = tensor_map(b, p.n, p.k, C::BN, C::BK);
    const Launch launch{dim3(p.n / C::BN, p.m / C::BM, p.splits), dim3(C::threads), sizeof(Shared<C>) + 1024, C::cluster};
    launch(split_k_kernel<C>, map_a, map_b, p);
}

template <class T>
static T *on_device(const std::vector<T> &from) {
    T *to = nullptr;
    CHECK_CUDA(cudaMalloc(&to, from.size() * sizeof(T)));
    CHECK_CUDA(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
    return to;
}

int main(int argc, char **argv) {
    Problem p{128, 256, 512, 2, nullptr, nullptr, nullptr, nullptr};
    int repeats = 0;
    if (argc > 3) p.m = std::atoi(argv[1]), p.n = std::atoi(argv[2]), p.k = std::atoi(argv[3]);
    if (argc > 4) p.splits = std::atoi(argv[4]);
    if (argc > 5) repeats = std::atoi(argv[5]);
    if (p.m % Config::BM || p.n % (Config::BN * Config::cluster) || p.k % Config::BK || p.splits > p.k / Config::BK) {
        std::fprintf(stderr, "M must be a multiple of 128, N of 256, K of 64\n");
        return 2;
    }

    std::vector<bf16> a(size_t(p.m) * p.k), b(size_t(p.n) * p.k), c(size_t(p.m) * p.n);
    std::vector<float> bias(p.n);
    uint32_t state = 12345;
    const auto random = [&] {
        state = state * 1664525u + 1013904223u;
        return float(state >> 8) / float(1 << 24) - 0.5f;
    };
    for (auto &x : a) x = __float2bfloat16(random());
    for (auto &x : b) x = __float2bfloat16(random());
    for (auto &x : bias) x = random();

    bf16 *device_a = on_device(a), *device_b = on_device(b);
    p.bias = on_device(bias);
    p.c = on_device(c);
    const std::vector<int> tickets(size_t(p.m / Config::BM) * (p.n / Config::BN));
    p.tickets = on_device(tickets);
    CHECK_CUDA(cudaMalloc(&p.parts, size_t(p.splits) * p.m * p.n * sizeof(float)));

    split_k_gemm<Config>(device_a, device_b, p);
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_CUDA(cudaMemcpy(c.data(), p.c, c.size() * sizeof(bf16), cudaMemcpyDeviceToHost));

    int wrong = 0;
    const size_t elements = c.size(), step = elements > 65536 ? 9973 : 1;
    for (size_t i = 0; i < elements; i += step) {
        const size_t y = i / p.n, x = i % p.n;
        double sum = bias[x];
        for (int k = 0; k < p.k; ++k)
            sum += double(__bfloat162float(a[y * p.k + k])) * __bfloat162float(b[x * p.k + k]);
        const double off = sum - __bfloat162float(c[i]);
        if (!(off * off <= 1e-4 * (1 + sum * sum)) && wrong++ < 5)
            std::printf("C[%zu, %zu] = %f, expected %f\n", y, x, __bfloat162float(c[i]), sum);
    }

    if (repeats > 0) {
        cudaEvent_t begin, end;
        CHECK_CUDA(cudaEventCreate(&begin));
        CHECK_CUDA(cudaEventCreate(&end));
        CHECK_CUDA(cudaEventRecord(begin));
        for (int i = 0; i < repeats; ++i) {
            CHECK_CUDA(cudaMemsetAsync(p.tickets, 0, tickets.size() * sizeof(int)));
            split_k_gemm<Config>(device_a, device_b, p);
        }
        CHECK_CUDA(cudaEventRecord(end));
        CHECK_CUDA(cudaEventSynchronize(end));
        float ms = 0;
        CHECK_CUDA(cudaEventElapsedTime(&ms, begin, end));
        std::printf("%.1f TFLOP/s\n", 2.0 * p.m * p.n * p.k * repeats / ms * 1e-9);
    }
    std::printf("split-k gemm %d x %d x %d, %d parts: %s\n", p.m, p.n, p.k, p.splits, wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
