// out = silu(norm(x) Wg^T) * (norm(x) Wu^T) in bf16: LayerNorm in front of the two products of a SwiGLU, in one kernel. A
// block keeps 128 rows of x in shared memory and normalises them there. Two blocks of a cluster have other rows and the same
// columns: one fetches the tiles of Wg for both, the other those of Wu.
//
//   layernorm_swiglu [rows columns repeats]
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda/ptx>
#include <cuda/std/array>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

using bf16 = __nv_bfloat16;
using bf16x2 = __nv_bfloat162;

#define GPU(...)                                                                                                         \
    if (cudaError_t e = (__VA_ARGS__); e != cudaSuccess) {                                                               \
        std::fprintf(stderr, "%s: %s\n", #__VA_ARGS__, cudaGetErrorString(e));                                           \
        std::exit(EXIT_FAILURE);                                                                                         \
    }

struct Tiles {
    int rows = 128, columns = 64, depth = 64, features = 512, slots = 4, pair = 2;

    __host__ __device__ constexpr int panels() const { return features / depth; }
    __host__ __device__ constexpr unsigned weight_bytes() const { return columns * depth * sizeof(bf16); }
    __host__ __device__ constexpr unsigned panel_bytes() const { return rows * depth * sizeof(bf16); }
    __host__ __device__ constexpr int row_groups() const { return rows / 64; }
    __host__ __device__ constexpr int threads() const { return 128 * (row_groups() + 1); }
    __host__ __device__ constexpr size_t shared_bytes() const {
        return panels() * panel_bytes() + slots * 2 * weight_bytes() + 1024;
    }
};

inline constexpr Tiles tiles;

enum Role { rows_low, rows_high, loader };

// ---- the 64 x 64 accumulators of a warpgroup

struct Accumulators {
    float4 v[8];

    // this (+)= A B^T, 16 deep
    __device__ void add(uint64_t a, uint64_t b, bool keep) {
        asm volatile("{\n\t.reg .pred keep;\n\tsetp.ne.u32 keep, %34, 0;\n\t"
                     "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16\n\t"
                     "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15,\n\t"
                     " %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31},\n\t"
                     "%32, %33, keep, 1, 1, 0, 0;\n\t}\n"
                     : "+f"(v[0].x), "+f"(v[0].y), "+f"(v[0].z), "+f"(v[0].w), "+f"(v[1].x), "+f"(v[1].y), "+f"(v[1].z), "+f"(v[1].w),
                       "+f"(v[2].x), "+f"(v[2].y), "+f"(v[2].z), "+f"(v[2].w), "+f"(v[3].x), "+f"(v[3].y), "+f"(v[3].z), "+f"(v[3].w),
                       "+f"(v[4].x), "+f"(v[4].y), "+f"(v[4].z), "+f"(v[4].w), "+f"(v[5].x), "+f"(v[5].y), "+f"(v[5].z), "+f"(v[5].w),
                       "+f"(v[6].x), "+f"(v[6].y), "+f"(v[6].z), "+f"(v[6].w), "+f"(v[7].x), "+f"(v[7].y), "+f"(v[7].z), "+f"(v[7].w)
                     : "l"(a), "l"(b), "r"(static_cast<unsigned>(keep)));
    }
};

__device__ uint64_t operand(const std::byte *at) {
    const uint64_t address = __cvta_generic_to_shared(at);
    return 0x4000'0040'0001'0000ull + (address >> 4);  // 128-byte swizzle, 1,024 bytes from 8 rows to the next
}

// ---- a ring of slots for the tiles of both matrices

struct Ring {
    uint64_t *filled, *drained;
    int slot = 0, lap = 0;

    __device__ void advance() {
        slot = slot + 1;
        if (slot == tiles.slots) slot = 0, lap ^= 1;
    }
    __device__ void wait_filled() const { wait(filled + slot, lap); }
    __device__ void wait_drained() const { wait(drained + slot, lap ^ 1); }

    static __device__ void wait(uint64_t *barrier, uint32_t parity) {
        while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, barrier, parity)) {}
    }
};

__shared__ alignas(8) uint64_t x_there, filled_barriers[tiles.slots], drained_barriers[tiles.slots];

// One warp normalises a row: its 64 pieces of 16 bytes lie in 8 panels, swizzled.
__device__ void normalise(std::byte *x, int row, int lane, const float *gamma, const float *beta, float epsilon) {
    constexpr int pieces = tiles.features / 8 / 32;
    cuda::std::array<uint4 *, pieces> place;
    float values[pieces][8], sum = 0;
    for (int p = 0; p < pieces; ++p) {
        const int piece = lane + 32 * p;
        place[p] = reinterpret_cast<uint4 *>(x + piece / 8 * tiles.panel_bytes() + row * 128 + ((piece % 8 ^ row % 8) * 16));
        const uint4 raw = *place[p];
        const auto *pairs = reinterpret_cast<const bf16x2 *>(&raw);
        for (int i = 0; i < 4; ++i) {
            const float2 two = __bfloat1622float2(pairs[i]);
            values[p][2 * i] = two.x;
            values[p][2 * i + 1] = two.y;
            sum += two.x + two.y;
        }
    }
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const auto over_warp = [&](float value) {
        for (int step = warp.size() / 2; step > 0; step >>= 1) value += warp.shfl_xor(value, step);
        return value;
    };
    const float mean = over_warp(sum) / tiles.features;
    float squares = 0;
    for (auto &eight : values)
        for (float &value : eight) value -= mean, squares += value * value;
    const float factor = rsqrtf(over_warp(squares) / tiles.features + epsilon);
    for (int p = 0; p < pieces; ++p) {
        const float4 *g = reinterpret_cast<const float4 *>(gamma) + (lane + 32 * p) * 2;
        const float4 *b = reinterpret_cast<const float4 *>(beta) + (lane + 32 * p) * 2;
        const float4 g0 = __ldg(g), g1 = __ldg(g + 1), b0 = __ldg(b), b1 = __ldg(b + 1);
        bf16x2 pairs[4] = {
            __floats2bfloat162_rn(values[p][0] * factor * g0.x + b0.x, values[p][1] * factor * g0.y + b0.y),
            __floats2bfloat162_rn(values[p][2] * factor * g0.z + b0.z, values[p][3] * factor * g0.w + b0.w),
            __floats2bfloat162_rn(values[p][4] * factor * g1.x + b1.x, values[p][5] * factor * g1.y + b1.y),
            __floats2bfloat162_rn(values[p][6] * factor * g1.z + b1.z, values[p][7] * factor * g1.w + b1.w)};
        *place[p] = *reinterpret_cast<uint4 *>(pairs);
    }
}

__device__ float silu(float x) { return __fdividef(x, 1.f + __expf(-x)); }

__global__ void __cluster_dims__(1, tiles.pair, 1) __launch_bounds__(tiles.threads(), 1)
    norm_swiglu(const __grid_constant__ CUtensorMap x_map, const __grid_constant__ CUtensorMap w_map, const float *gamma,
                const float *beta, float epsilon, bf16 *out, int columns) {
    extern __shared__ std::byte memory[];
    std::byte *const x = memory + (1024 - __cvta_generic_to_shared(memory) % 1024) % 1024;
    std::byte *const weights = x + tiles.panels() * tiles.panel_bytes();
    const auto cluster = cg::this_cluster();
    const unsigned rank = cluster.block_rank();
    const int thread = threadIdx.x % 128, row0 = blockIdx.y * tiles.rows;

    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&x_there, 1);
        for (int i = 0; i < tiles.slots; ++i) {
            ptx::mbarrier_init(&filled_barriers[i], 1);
            ptx::mbarrier_init(&drained_barriers[i], tiles.pair * tiles.row_groups());
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster.sync();

    Ring ring{filled_barriers, drained_barriers};
    const auto role = static_cast<Role>(threadIdx.x / 128);
    if (role == loader) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (thread == 0) {
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &x_there,
                                           tiles.panels() * tiles.panel_bytes());
            for (int panel = 0; panel < tiles.panels(); ++panel)
                ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, x + panel * tiles.panel_bytes(), &x_map,
                                          {panel * tiles.depth, row0}, &x_there);
            for (int column = blockIdx.x * tiles.columns; column < columns; column += gridDim.x * tiles.columns)
                for (int panel = 0; panel < tiles.panels(); ++panel, ring.advance()) {
                    ring.wait_drained();
                    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                                   ring.filled + ring.slot, 2 * tiles.weight_bytes());
                    // Each block of the pair fetches the tile of one matrix, for both.
                    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global,
                                              weights + (ring.slot * 2 + rank) * tiles.weight_bytes(), &w_map,
                                              {panel * tiles.depth, static_cast<int>(rank) * columns + column},
                                              ring.filled + ring.slot, static_cast<uint16_t>((1 << tiles.pair) - 1));
                }
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        Ring::wait(&x_there, 0);
        for (int row = warp; row < tiles.rows; row += tiles.row_groups() * 4)
            normalise(x, row, lane, gamma, beta, epsilon);
        ptx::fence_proxy_async(ptx::space_shared);
        asm volatile("bar.sync 1, %0;" ::"n"(128 * tiles.row_groups()) : "memory");

        for (int column = blockIdx.x * tiles.columns; column < columns; column += gridDim.x * tiles.columns) {
            Accumulators gate, up;
            for (int panel = 0; panel < tiles.panels(); ++panel, ring.advance()) {
                const std::byte *rows = x + panel * tiles.panel_bytes() + role * 64 * 128;
                const std::byte *tile = weights + ring.slot * 2 * tiles.weight_bytes();
                ring.wait_filled();
                asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
                for (int k = 0; k < tiles.depth / 16; ++k) {
                    gate.add(operand(rows + 32 * k), operand(tile + 32 * k), panel + k > 0);
                    up.add(operand(rows + 32 * k), operand(tile + tiles.weight_bytes() + 32 * k), panel + k > 0);
                }
                asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
                asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
                if (thread < tiles.pair)
                    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                                         cluster.map_shared_rank(ring.drained + ring.slot, thread));
            }

            bf16 *to = out + static_cast<size_t>(row0 + role * 64 + warp % 4 * 16 + lane / 4) * columns + column + lane % 4 * 2;
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                const float4 g = gate.v[i], u = up.v[i];
                *reinterpret_cast<bf16x2 *>(to + 8 * i) = __floats2bfloat162_rn(silu(g.x) * u.x, silu(g.y) * u.y);
                *reinterpret_cast<bf16x2 *>(to + 8 * i + 8 * columns) = __floats2bfloat162_rn(silu(g.z) * u.z, silu(g.w) * u.w);
            }
        }
    }
    cluster.sync();
}

// ---- host

class TensorMaps {
    decltype(cuTensorMapEncodeTiled) *encode_;

public:
    TensorMaps() {
        cudaDriverEntryPointQueryResult result;
        void *function = nullptr;
        GPU(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &result));
        encode_ = reinterpret_cast<decltype(encode_)>(function);
    }
    CUtensorMap rows_of(bf16 *matrix, cuuint64_t rows, cuuint32_t box_rows) const {
        CUtensorMap map;
        const cuda::std::array<cuuint64_t, 2> size{cuuint64_t(tiles.features), rows};
        const cuda::std::array<cuuint64_t, 1> pitch{tiles.features * sizeof(bf16)};
        const cuda::std::array<cuuint32_t, 2> box{cuuint32_t(tiles.depth), box_rows}, one{1, 1};
        if (auto status = encode_(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, matrix, size.data(), pitch.data(), box.data(),
                                  one.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                  CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
            status != CUDA_SUCCESS) {
            std::fprintf(stderr, "no tensor map: %d\n", status);
            std::exit(EXIT_FAILURE);
        }
        return map;
    }
};

template <class T>
T *copy_of(const std::vector<T> &host) {
    void *device;
    GPU(cudaMalloc(&device, host.size() * sizeof(T)));
    GPU(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return static_cast<T *>(device);
}

int main(int argc, char **argv) {
    const int rows = argc > 1 ? std::atoi(argv[1]) : 256, columns = argc > 2 ? std::atoi(argv[2]) : 192;
    const int repeats = argc > 3 ? std::atoi(argv[3]) : 0;
    if (rows % (tiles.rows * tiles.pair) != 0 || columns % tiles.columns != 0) {
        std::fprintf(stderr, "rows by %d, columns by %d\n", tiles.rows * tiles.pair, tiles.columns);
        return EXIT_FAILURE;
    }
    constexpr int features = tiles.features;
    constexpr float epsilon = 1e-5f;
    std::mt19937 engine(7);
    const auto fill = [&](auto &values, float low, float high) {
        for (auto &value : values) value = low + (high - low) * (engine() / 4294967296.f);
    };
    std::vector<bf16> x(size_t(rows) * features), w(size_t(2) * columns * features), out(size_t(rows) * columns);
    std::vector<float> gamma(features), beta(features);
    fill(x, -1.f, 3.f);
    fill(w, -0.1f, 0.1f);
    fill(gamma, 0.5f, 1.5f);
    fill(beta, -0.5f, 0.5f);

    bf16 *const device_x = copy_of(x), *const device_w = copy_of(w), *const device_out = copy_of(out);
    const float *const device_gamma = copy_of(gamma), *const device_beta = copy_of(beta);
    const TensorMaps maps;
    const CUtensorMap x_map = maps.rows_of(device_x, rows, tiles.rows);
    const CUtensorMap w_map = maps.rows_of(device_w, 2 * columns, tiles.columns);

    int device, multiprocessors;
    GPU(cudaGetDevice(&device));
    GPU(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    GPU(cudaFuncSetAttribute((const void *)norm_swiglu, cudaFuncAttributeMaxDynamicSharedMemorySize, tiles.shared_bytes()));
    const int row_blocks = rows / tiles.rows;
    const dim3 grid(std::max(1, std::min(columns / tiles.columns, repeats ? multiprocessors / row_blocks : 2)), row_blocks);
    const auto launch = [&](cudaStream_t stream) {
        norm_swiglu<<<grid, tiles.threads(), tiles.shared_bytes(), stream>>>(x_map, w_map, device_gamma, device_beta, epsilon,
                                                                             device_out, columns);
        GPU(cudaGetLastError());
    };
    launch(0);
    GPU(cudaMemcpy(out.data(), device_out, out.size() * sizeof(bf16), cudaMemcpyDeviceToHost));

    size_t wrong = 0;
    const int every = rows > 512 ? 97 : 1, every_column = columns > 512 ? 31 : 1;
    std::vector<float> line(features);
    for (int r = 0; r < rows; r += every) {
        double mean = 0, variance = 0;
        for (int f = 0; f < features; ++f) mean += __bfloat162float(x[size_t(r) * features + f]);
        mean /= features;
        for (int f = 0; f < features; ++f) variance += std::pow(__bfloat162float(x[size_t(r) * features + f]) - mean, 2);
        variance /= features;
        for (int f = 0; f < features; ++f) {
            const double value = (__bfloat162float(x[size_t(r) * features + f]) - mean) / std::sqrt(variance + epsilon);
            line[f] = __bfloat162float(__float2bfloat16(float(value) * gamma[f] + beta[f]));
        }
        for (int c = 0; c < columns; c += every_column) {
            double gate = 0, up = 0;
            for (int f = 0; f < features; ++f) {
                gate += double(line[f]) * __bfloat162float(w[size_t(c) * features + f]);
                up += double(line[f]) * __bfloat162float(w[size_t(columns + c) * features + f]);
            }
            const double want = gate / (1 + std::exp(-gate)) * up, is = __bfloat162float(out[size_t(r) * columns + c]);
            if (!(std::fabs(is - want) <= 0.02 + 0.02 * std::fabs(want)) && wrong++ < 5)
                std::printf("row %d, column %d: %f instead of %f\n", r, c, is, want);
        }
    }

    if (repeats > 0) {
        cudaStream_t stream;
        cudaEvent_t events[2];
        GPU(cudaStreamCreate(&stream));
        for (auto &event : events) GPU(cudaEventCreate(&event));
        GPU(cudaEventRecord(events[0], stream));
        for (int i = 0; i < repeats; ++i) launch(stream);
        GPU(cudaEventRecord(events[1], stream));
        GPU(cudaStreamSynchronize(stream));
        float ms = 0;
        GPU(cudaEventElapsedTime(&ms, events[0], events[1]));
        std::printf("%.1f TFLOP/s\n", 4e-9 * rows * columns * features * repeats / ms);
    }
    std::printf("layernorm + swiglu, %d rows, %d to %d: %s\n", rows, features, columns, wrong ? "FAIL" : "PASS");
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
