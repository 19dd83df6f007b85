// D = A * B^T of each group of rows, in e4m3 with a scale for 128 values of a row of A and for 128 x 128 values of B, as a
// mixture of experts needs it. Persistent blocks take the tiles in turn; the sums of 128 products are scaled in registers.
//
//   grouped_fp8_gemm [groups rows_of_a_group N K repeats]
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hopper {

using fp8 = __nv_fp8_e4m3;
using bf16 = __nv_bfloat16;

inline void check(cudaError_t status, const char *what) {
    if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

// ---------------------------------------------------------------------------------------------------- barriers

class TransactionBarrier {
public:
    __device__ void init(uint32_t arrivals) {
        asm volatile("mbarrier.init.shared::cta.b64 [%1], %0;" ::"r"(arrivals), "r"(address()));
    }
    __device__ void arrive_and_expect_tx(uint32_t bytes) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%1], %0;" ::"r"(bytes), "r"(address()));
    }
    __device__ void arrive() {
        asm volatile(
            "{\n\t"
            ".reg .b64 state; \n\t"
            "mbarrier.arrive.shared::cta.b64 state, [%0];\n\t"
            "}" ::"r"(address()));
    }
    [[nodiscard]] __device__ bool test(uint32_t phase) const {
        uint32_t complete;
        asm volatile(
            "{\n\t"
            ".reg .pred P1; \n\t"
            "mbarrier.try_wait.parity.shared::cta.b64 P1, [%1], %2; \n\t"
            "selp.b32 %0, 1, 0, P1; \n\t"
            "}"
            : "=r"(complete)
            : "r"(address()), "r"(phase)
            : "memory");
        return complete != 0;
    }
    __device__ void wait(uint32_t phase) const {
        while (!test(phase)) {
        }
    }
    __device__ uint32_t address() const { return static_cast<uint32_t>(__cvta_generic_to_shared(&word_)); }

private:
    uint64_t word_;
};

template <int Stages>
struct PipelineState {
    int index = 0;
    uint32_t phase;
    __device__ explicit PipelineState(uint32_t first) : phase(first) {}
    __device__ PipelineState &operator++() {
        index = index + 1 == Stages ? 0 : index + 1;
        phase ^= index == 0;
        return *this;
    }
};

// ---------------------------------------------------------------------------------------------------- copies

struct TmaLoad2D {
    __device__ static void copy(const CUtensorMap &map, TransactionBarrier &bar, void *smem, int32_t x, int32_t y) {
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"
            " [%0], [%1, {%3, %4}], [%2], %5;"
            :
            : "r"(static_cast<uint32_t>(__cvta_generic_to_shared(smem))), "l"(reinterpret_cast<uint64_t>(&map)),
              "r"(bar.address()), "r"(x), "r"(y), "l"(0x14F0000000000000ull)  // evict last
            : "memory");
    }
};

struct BulkLoad {
    __device__ static void copy(const void *global, TransactionBarrier &bar, void *smem, uint32_t bytes) {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                     :
                     : "r"(static_cast<uint32_t>(__cvta_generic_to_shared(smem))), "l"(global), "r"(bytes),
                       "r"(bar.address())
                     : "memory");
    }
};

struct TmaStore2D {
    __device__ static void copy(const CUtensorMap &map, const void *smem, int32_t x, int32_t y) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];"
                     :
                     : "l"(reinterpret_cast<uint64_t>(&map)),
                       "r"(static_cast<uint32_t>(__cvta_generic_to_shared(smem))), "r"(x), "r"(y)
                     : "memory");
    }
};

// ---------------------------------------------------------------------------------------------------- products

union GmmaDescriptor {
    uint64_t bits;
    struct {
        uint16_t start_address : 14, : 2;
        uint16_t leading_byte_offset : 14, : 2;
        uint16_t stride_byte_offset : 14, : 2;
        uint8_t : 1, base_offset : 3, : 4;
        uint8_t : 6, layout_type : 2;
    } fields;
};

__device__ inline GmmaDescriptor make_descriptor(const void *smem) {
    GmmaDescriptor d;
    d.bits = 0;
    d.fields.start_address = static_cast<uint32_t>(__cvta_generic_to_shared(smem)) >> 4;
    d.fields.leading_byte_offset = 0;
    d.fields.stride_byte_offset = 1024 >> 4;
    d.fields.base_offset = 0;
    d.fields.layout_type = 1;  // swizzled over 128 bytes
    return d;
}

enum class ScaleOut { Zero = 0, One = 1 };

struct Gmma64x128x32E4M3 {
    static constexpr int M = 64, N = 128, K = 32, registers = 64;

    __device__ static void fma(const uint64_t &desc_a, const uint64_t &desc_b,
        float &d00, float &d01, float &d02, float &d03, float &d04, float &d05, float &d06, float &d07,
        float &d08, float &d09, float &d10, float &d11, float &d12, float &d13, float &d14, float &d15,
        float &d16, float &d17, float &d18, float &d19, float &d20, float &d21, float &d22, float &d23,
        float &d24, float &d25, float &d26, float &d27, float &d28, float &d29, float &d30, float &d31,
        float &d32, float &d33, float &d34, float &d35, float &d36, float &d37, float &d38, float &d39,
        float &d40, float &d41, float &d42, float &d43, float &d44, float &d45, float &d46, float &d47,
        float &d48, float &d49, float &d50, float &d51, float &d52, float &d53, float &d54, float &d55,
        float &d56, float &d57, float &d58, float &d59, float &d60, float &d61, float &d62, float &d63,
        ScaleOut scale_d) {
        asm volatile(
            "{\n"
            ".reg .pred p;\n"
            "setp.ne.b32 p, %66, 0;\n"
            "wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3 "
            "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
            "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
            "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
            "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
            "%64, %65, p, 1, 1;\n"
            "}\n"
            : "+f"(d00), "+f"(d01), "+f"(d02), "+f"(d03), "+f"(d04), "+f"(d05), "+f"(d06), "+f"(d07),
              "+f"(d08), "+f"(d09), "+f"(d10), "+f"(d11), "+f"(d12), "+f"(d13), "+f"(d14), "+f"(d15),
              "+f"(d16), "+f"(d17), "+f"(d18), "+f"(d19), "+f"(d20), "+f"(d21), "+f"(d22), "+f"(d23),
              "+f"(d24), "+f"(d25), "+f"(d26), "+f"(d27), "+f"(d28), "+f"(d29), "+f"(d30), "+f"(d31),
              "+f"(d32), "+f"(d33), "+f"(d34), "+f"(d35), "+f"(d36), "+f"(d37), "+f"(d38), "+f"(d39),
              "+f"(d40), "+f"(d41), "+f"(d42), "+f"(d43), "+f"(d44), "+f"(d45), "+f"(d46), "+f"(d47),
              "+f"(d48), "+f"(d49), "+f"(d50), "+f"(d51), "+f"(d52), "+f"(d53), "+f"(d54), "+f"(d55),
              "+f"(d56), "+f"(d57), "+f"(d58), "+f"(d59), "+f"(d60), "+f"(d61), "+f"(d62), "+f"(d63)
            : "l"(desc_a), "l"(desc_b), "r"(int32_t(scale_d)));
    }

    template <size_t... I>
    __device__ static void call(const GmmaDescriptor &a, const GmmaDescriptor &b, float (&d)[registers], ScaleOut scale,
                                std::index_sequence<I...>) {
        fma(a.bits, b.bits, d[I]..., scale);
    }
    __device__ static void call(const GmmaDescriptor &a, const GmmaDescriptor &b, float (&d)[registers], ScaleOut scale) {
        call(a, b, d, scale, std::make_index_sequence<registers>{});
    }
};

__device__ inline void warpgroup_arrive() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void warpgroup_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int N>
__device__ inline void warpgroup_wait() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}
template <int Size>
__device__ inline void fence_registers(float (&d)[Size]) {
#pragma unroll
    for (int i = 0; i < Size; ++i) asm volatile("" : "+f"(d[i])::"memory");
}

// ---------------------------------------------------------------------------------------------------- the kernel

template <int BlockM, int BlockN, int BlockK, int NumStages, int NumMathGroups>
struct KernelTraits {
    static constexpr int kBlockM = BlockM, kBlockN = BlockN, kBlockK = BlockK;
    static constexpr int kNumStages = NumStages;
    static constexpr int kNumThreads = 128 + 128 * NumMathGroups;
    using Mma = Gmma64x128x32E4M3;
    static_assert(BlockM == NumMathGroups * Mma::M && BlockN == Mma::N && BlockK == 128);

    struct alignas(1024) SharedStorage {
        fp8 a[NumStages][BlockM * BlockK];
        fp8 b[NumStages][BlockN * BlockK];
        bf16 d[2][BlockM * 64];
        float scale_a[NumStages][BlockM];
        TransactionBarrier full[NumStages], empty[NumStages];
    };
    static constexpr size_t kSharedBytes = sizeof(SharedStorage);
    static constexpr uint32_t kStageBytes = BlockM * BlockK + BlockN * BlockK + BlockM * sizeof(float);
};

struct Params {
    int m, n, k;
    const int *group_of_block;  // of each kBlockM rows
    const float *scale_a;       // [k / 128][m]
    const float *scale_b;       // [group][n / 128][k / 128]
};

// The tiles of all groups, one column of tiles after the other.
struct Scheduler {
    int blocks_m, tiles, tile;
    __device__ Scheduler(int m, int n) : blocks_m(m), tiles(m * n), tile(static_cast<int>(blockIdx.x)) {}
    __device__ bool next(int &block_m, int &block_n) {
        if (tile >= tiles) return false;
        block_m = tile % blocks_m;
        block_n = tile / blocks_m;
        tile += gridDim.x;
        return true;
    }
};

template <class Traits>
__global__ void __launch_bounds__(Traits::kNumThreads, 1)
grouped_gemm(__grid_constant__ const CUtensorMap map_a, __grid_constant__ const CUtensorMap map_b,
             __grid_constant__ const CUtensorMap map_d, Params const params) {
    using Storage = typename Traits::SharedStorage;
    using Mma = typename Traits::Mma;
    extern __shared__ __align__(1024) char shared_memory[];
    Storage &storage = *reinterpret_cast<Storage *>(shared_memory);

    int const warp_group = __shfl_sync(0xffffffff, threadIdx.x / 128, 0);
    int const k_blocks = params.k / Traits::kBlockK;
    Scheduler scheduler(params.m / Traits::kBlockM, params.n / Traits::kBlockN);
    int block_m, block_n;

    if (threadIdx.x == 128) {
#pragma unroll
        for (int i = 0; i < Traits::kNumStages; ++i) {
            storage.full[i].init(1);
            storage.empty[i].init((Traits::kNumThreads - 128) / 32);
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();

    if (warp_group == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" : : "n"(40));
        PipelineState<Traits::kNumStages> state(1);
        if (threadIdx.x == 0) {
            asm volatile("prefetch.tensormap [%0];" ::"l"(&map_a) : "memory");
            asm volatile("prefetch.tensormap [%0];" ::"l"(&map_b) : "memory");
            while (scheduler.next(block_m, block_n)) {
                int const row_b = __ldg(params.group_of_block + block_m) * params.n + block_n * Traits::kBlockN;
                for (int k = 0; k < k_blocks; ++k, ++state) {
                    auto &full = storage.full[state.index];
                    storage.empty[state.index].wait(state.phase);
                    full.arrive_and_expect_tx(Traits::kStageBytes);
                    TmaLoad2D::copy(map_a, full, storage.a[state.index], k * Traits::kBlockK, block_m * Traits::kBlockM);
                    TmaLoad2D::copy(map_b, full, storage.b[state.index], k * Traits::kBlockK, row_b);
                    BulkLoad::copy(params.scale_a + size_t(k) * params.m + block_m * Traits::kBlockM, full,
                                   storage.scale_a[state.index], Traits::kBlockM * sizeof(float));
                }
            }
        }
        return;
    }

    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" : : "n"(232));
    int const math_group = warp_group - 1, thread = threadIdx.x % 128;
    int const row = math_group * Mma::M + thread / 32 * 16 + thread % 32 / 4;
    PipelineState<Traits::kNumStages> state(0);

    while (scheduler.next(block_m, block_n)) {
        int const group = __ldg(params.group_of_block + block_m);
        float const *scales_b = params.scale_b + (size_t(group) * (params.n / 128) + block_n) * k_blocks;
        float sums[Mma::registers] = {}, part[Mma::registers];

        for (int k = 0; k < k_blocks; ++k, ++state) {
            float const scale_b = __ldg(scales_b + k);
            storage.full[state.index].wait(state.phase);
            float const scale_0 = storage.scale_a[state.index][row] * scale_b;
            float const scale_1 = storage.scale_a[state.index][row + 8] * scale_b;

            fence_registers(part);
            warpgroup_arrive();
            auto desc_a = make_descriptor(storage.a[state.index] + math_group * Mma::M * Traits::kBlockK);
            auto desc_b = make_descriptor(storage.b[state.index]);
#pragma unroll
            for (int i = 0; i < Traits::kBlockK / Mma::K; ++i) {
                Mma::call(desc_a, desc_b, part, i == 0 ? ScaleOut::Zero : ScaleOut::One);
                desc_a.fields.start_address += Mma::K >> 4;
                desc_b.fields.start_address += Mma::K >> 4;
            }
            warpgroup_commit();
            fence_registers(part);
            warpgroup_wait<0>();
            __syncwarp();
            if (thread % 32 == 0) storage.empty[state.index].arrive();

#pragma unroll
            for (int i = 0; i < Mma::registers / 4; ++i) {
                sums[4 * i + 0] += scale_0 * part[4 * i + 0];
                sums[4 * i + 1] += scale_0 * part[4 * i + 1];
                sums[4 * i + 2] += scale_1 * part[4 * i + 2];
                sums[4 * i + 3] += scale_1 * part[4 * i + 3];
            }
        }

        // Registers to shared memory, as the tensor map swizzles it, and from there by two copies of 64 columns.
        if (threadIdx.x == 128) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        asm volatile("bar.sync %0, %1;" ::"r"(1), "n"(Traits::kNumThreads - 128) : "memory");
#pragma unroll
        for (int i = 0; i < Mma::registers / 8; ++i) {
            int const half = i / 4, chunk = i % 4 * 2 + thread % 32 / 16;
            int const r = math_group * Mma::M + thread / 32 * 16 + thread % 16;
            auto *to = reinterpret_cast<char *>(storage.d[half]) + r * 128 + ((chunk ^ (r % 8)) << 4);
            __nv_bfloat162 const v0 = __floats2bfloat162_rn(sums[8 * i + 0], sums[8 * i + 1]);
            __nv_bfloat162 const v1 = __floats2bfloat162_rn(sums[8 * i + 2], sums[8 * i + 3]);
            __nv_bfloat162 const v2 = __floats2bfloat162_rn(sums[8 * i + 4], sums[8 * i + 5]);
            __nv_bfloat162 const v3 = __floats2bfloat162_rn(sums[8 * i + 6], sums[8 * i + 7]);
            asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                             static_cast<uint32_t>(__cvta_generic_to_shared(to))),
                         "r"(reinterpret_cast<uint32_t const &>(v0)), "r"(reinterpret_cast<uint32_t const &>(v1)),
                         "r"(reinterpret_cast<uint32_t const &>(v2)), "r"(reinterpret_cast<uint32_t const &>(v3))
                         : "memory");
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("bar.sync %0, %1;" ::"r"(1), "n"(Traits::kNumThreads - 128) : "memory");
        if (threadIdx.x == 128) {
            for (int half = 0; half < 2; ++half)
                TmaStore2D::copy(map_d, storage.d[half], block_n * Traits::kBlockN + half * 64, block_m * Traits::kBlockM);
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        }
    }
    if (threadIdx.x == 128) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// ---------------------------------------------------------------------------------------------------- the host

template <class T>
constexpr CUtensorMapDataType map_type() {
    return std::is_same_v<T, bf16> ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_UINT8;
}

template <class T>
CUtensorMap make_map(T const *data, uint64_t rows, uint64_t columns, uint32_t box_rows, uint32_t box_columns) {
    using Encode = decltype(&cuTensorMapEncodeTiled);
    static Encode encode = nullptr;
    if (!encode) {
        cudaDriverEntryPointQueryResult result;
        check(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", reinterpret_cast<void **>(&encode), cudaEnableDefault,
                                      &result),
              "cuTensorMapEncodeTiled");
    }
    CUtensorMap map{};
    uint64_t const dims[] = {columns, rows}, strides[] = {columns * sizeof(T)};
    uint32_t const box[] = {box_columns, box_rows}, ones[] = {1, 1};
    CUresult const result = encode(&map, map_type<T>(), 2, (void *)data, dims, strides, box, ones,
                                   CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                   CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS) throw std::runtime_error("the tensor map is refused");
    return map;
}

template <class T>
class DeviceVector {
public:
    explicit DeviceVector(size_t size) : size_(size) { check(cudaMalloc(&data_, size * sizeof(T)), "cudaMalloc"); }
    explicit DeviceVector(std::vector<T> const &host) : DeviceVector(host.size()) {
        check(cudaMemcpy(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    DeviceVector(DeviceVector const &) = delete;
    ~DeviceVector() { cudaFree(data_); }
    T *get() const { return data_; }
    std::vector<T> host() const {
        std::vector<T> values(size_);
        check(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
        return values;
    }

private:
    T *data_ = nullptr;
    size_t size_;
};

template <class Traits>
void run_grouped_gemm(DeviceVector<fp8> const &a, DeviceVector<fp8> const &b, DeviceVector<bf16> const &d, int groups,
                      Params const &params, int multiprocessors) {
    auto const kernel = &grouped_gemm<Traits>;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Traits::kSharedBytes),
          "shared memory");
    auto const map_a = make_map(a.get(), params.m, params.k, Traits::kBlockM, Traits::kBlockK);
    auto const map_b = make_map(b.get(), size_t(groups) * params.n, params.k, Traits::kBlockN, Traits::kBlockK);
    auto const map_d = make_map(d.get(), params.m, params.n, Traits::kBlockM, 64);
    int const tiles = params.m / Traits::kBlockM * (params.n / Traits::kBlockN);
    kernel<<<std::min(tiles, multiprocessors), Traits::kNumThreads, Traits::kSharedBytes>>>(map_a, map_b, map_d, params);
    check(cudaGetLastError(), "launch");
}

int main(int argc, char **argv) {
    auto const argument = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
    int const groups = argument(1, 2), rows = argument(2, 128), n = argument(3, 256), k = argument(4, 768);
    int const repeats = argument(5, 0);
    int const m = groups * rows, k_blocks = k / 128;
    if (rows % 128 || n % 128 || k % 128) throw std::invalid_argument("rows, N and K must be multiples of 128");

    std::vector<fp8> a(size_t(m) * k), b(size_t(groups) * n * k);
    std::vector<float> scale_a(size_t(k_blocks) * m), scale_b(size_t(groups) * (n / 128) * k_blocks);
    std::vector<int> group_of_block(m / 128);
    uint64_t state = 42;
    auto const uniform = [&] {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        return float(state >> 40) / float(1 << 24);
    };
    for (auto &x : a) x = fp8(uniform() * 4 - 2);
    for (auto &x : b) x = fp8(uniform() * 4 - 2);
    for (auto &x : scale_a) x = 0.5f + uniform();
    for (auto &x : scale_b) x = 0.5f + uniform();
    for (size_t i = 0; i < group_of_block.size(); ++i) group_of_block[i] = int(i * 128 / rows);

    DeviceVector<fp8> const device_a(a), device_b(b);
    DeviceVector<float> const device_scale_a(scale_a), device_scale_b(scale_b);
    DeviceVector<int> const device_groups(group_of_block);
    DeviceVector<bf16> const device_d(size_t(m) * n);
    Params const params{m, n, k, device_groups.get(), device_scale_a.get(), device_scale_b.get()};

    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0), "properties");
    using Traits = KernelTraits<128, 128, 128, 4, 2>;
    auto const launch = [&] {
        run_grouped_gemm<Traits>(device_a, device_b, device_d, groups, params, properties.multiProcessorCount);
    };
    launch();
    std::vector<bf16> const d = device_d.host();

    size_t wrong = 0, step = d.size() > 100000 ? 10007 : 1;
    for (size_t i = 0; i < d.size(); i += step) {
        size_t const y = i / n, x = i % n, group = y / rows;
        double sum = 0, size = 0;
        for (int block = 0; block < k_blocks; ++block) {
            double part = 0;
            for (int j = block * 128; j < block * 128 + 128; ++j)
                part += double(float(a[y * k + j])) * double(float(b[(group * n + x) * k + j]));
            part *= double(scale_a[size_t(block) * m + y]) * scale_b[(group * (n / 128) + x / 128) * k_blocks + block];
            sum += part;
            size += std::abs(part);
        }
        double const off = std::abs(sum - double(__bfloat162float(d[i])));
        if (!(off <= 1e-2 * std::abs(sum) + 2e-3 * size + 1e-2) && wrong++ < 5)
            std::printf("D[%zu][%zu] is %f, should be %f\n", y, x, double(__bfloat162float(d[i])), sum);
    }

    if (repeats) {
        cudaEvent_t start, stop;
        cudaEventCreate(&start);
        cudaEventCreate(&stop);
        cudaEventRecord(start);
        for (int i = 0; i < repeats; ++i) launch();
        cudaEventRecord(stop);
        check(cudaEventSynchronize(stop), "timing");
        float milliseconds;
        cudaEventElapsedTime(&milliseconds, start, stop);
        std::printf("%.1f TFLOP/s\n", 2e-9 * m * n * k * repeats / milliseconds);
    }
    std::printf("grouped fp8 gemm, %d groups of %d x %d x %d: %s\n", groups, rows, n, k, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}

}  // namespace hopper

int main(int argc, char **argv) {
    try {
        return hopper::main(argc, argv);
    } catch (std::exception const &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
