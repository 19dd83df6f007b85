// Decoding with a latent cache (64 heads share 512 latent values and 64 rotated ones of each token), as DeepSeek's attention
// has it. The cache lies in pages. The tokens of a sequence are split over blocks, and a second kernel joins the parts.
//
//   mla_decode [sequences longest parts repeats]
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace mla {

using bf16 = __nv_bfloat16;

template <int Heads_, int Latent_, int Rope_, int Keys_, int Page_, int Stages_>
struct Geometry {
    static constexpr int Heads = Heads_, Latent = Latent_, Rope = Rope_, Keys = Keys_, Page = Page_, Stages = Stages_;
    static constexpr int Width = Latent + Rope;       // of a token in the cache
    static constexpr int Panels = Width / 64;         // of 64 columns, rows of 128 bytes
    static constexpr int HalfPanels = Latent / 64 / 2;
    static constexpr int Workers = 256, Threads = Workers + 128;
    static_assert(Heads == 64 && Width % 64 == 0 && Keys % Page == 0);

    struct Layout {
        alignas(1024) bf16 q[Panels][Heads * 64];
        alignas(1024) bf16 kv[Stages][Panels][Keys * 64];
        alignas(1024) bf16 p[2][Heads * Keys];
        float rescale[2][Heads];
        float total[Heads];
        uint64_t landed[Stages];
        uint64_t consumed[Stages];
    };
};

using Model = Geometry<64, 512, 64, 32, 16, 3>;

struct Inputs {
    const bf16 *q;          // [sequence][head][width]
    const bf16 *cache;      // [page][token][width]
    const int *pages;       // [sequence][pages_of_sequence]
    const int *lengths;     // [sequence]
    int pages_of_sequence, parts;
    float scale_log2;
    float *part_out;        // [sequence][part][head][latent]
    float *part_lse;        // [sequence][part][head], of base 2
    bf16 *out;              // [sequence][head][latent]
};

// ------------------------------------------------------------------------------------------------ primitives

struct SharedAddress {
    uint32_t value;
    __device__ __forceinline__ explicit SharedAddress(const void *p)
        : value(static_cast<uint32_t>(__cvta_generic_to_shared(p))) {}
    __device__ __forceinline__ operator uint32_t() const { return value; }
};

// The names of barriers; 0 is __syncthreads.
enum Name : int { Written = 1, Read = 3, FirstGroup = 5, BothGroups = 6 };

template <int Count>
__device__ __forceinline__ void barrier_sync(int name) {
    asm volatile("barrier.sync %0, %1;" ::"r"(name), "n"(Count) : "memory");
}

template <int Count>
__device__ __forceinline__ void barrier_arrive(int name) {
    asm volatile("barrier.arrive %0, %1;" ::"r"(name), "n"(Count) : "memory");
}

__device__ __forceinline__ void arrive(uint64_t &barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(SharedAddress(&barrier).value) : "memory");
}

__device__ __forceinline__ void wait(uint64_t &barrier, uint32_t parity) {
    asm volatile(R"({
        .reg .pred reached;
    WAIT_LOOP:
        mbarrier.try_wait.parity.shared::cta.b64 reached, [%0], %1;
        @!reached bra.uni WAIT_LOOP;
    })" ::"r"(SharedAddress(&barrier).value), "r"(parity) : "memory");
}

// 16 bytes, or zeros where there is no token.
__device__ __forceinline__ void copy_or_zero(uint32_t to, const void *from, bool there) {
    const uint32_t bytes = there ? 16 : 0;
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}

template <int Row>  // the bytes of a row, over which it is swizzled
__device__ __forceinline__ uint32_t swizzled(int row, int chunk) {
    if constexpr (Row == 128) return row * 128 + ((chunk ^ (row & 7)) << 4);
    else return row * 64 + ((chunk ^ (row >> 1 & 3)) << 4);
}

enum : uint64_t { Swizzle128 = 1ull << 62, Swizzle64 = 2ull << 62 };

__device__ __forceinline__ constexpr uint64_t offsets(uint64_t leading, uint64_t stride) {
    return leading >> 4 << 16 | stride >> 4 << 32;
}

__device__ __forceinline__ uint64_t descriptor(uint64_t kind, SharedAddress address) {
    return kind | (address.value & 0x3FFFFu) >> 4;
}

struct Scores {
    float s[4][4];  // of 8 keys each
    __device__ __forceinline__ void multiply(uint64_t a, uint64_t b, int add) {
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %18, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 "
                     "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, p, 1, 1, 0, 0;\n}"
                     : "+f"(s[0][0]), "+f"(s[0][1]), "+f"(s[0][2]), "+f"(s[0][3]), "+f"(s[1][0]), "+f"(s[1][1]),
                       "+f"(s[1][2]), "+f"(s[1][3]), "+f"(s[2][0]), "+f"(s[2][1]), "+f"(s[2][2]), "+f"(s[2][3]),
                       "+f"(s[3][0]), "+f"(s[3][1]), "+f"(s[3][2]), "+f"(s[3][3])
                     : "l"(a), "l"(b), "r"(add));
    }
};

struct Output {
    float o[128];  // 256 latent columns
#define O4(i) "+f"(o[i]), "+f"(o[i + 1]), "+f"(o[i + 2]), "+f"(o[i + 3])
#define O16(i) O4(i), O4(i + 4), O4(i + 8), O4(i + 12)
    // B has its rows along k.
    __device__ __forceinline__ void multiply(uint64_t a, uint64_t b) {
        asm volatile(
            "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "
            "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
            "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
            "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
            "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
            "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
            "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
            "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
            "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
            "%128, %129, 1, 1, 1, 0, 1;"
            : O16(0), O16(16), O16(32), O16(48), O16(64), O16(80), O16(96), O16(112)
            : "l"(a), "l"(b));
    }
#undef O16
#undef O4
    __device__ __forceinline__ void scale(float low, float high) {
#pragma unroll
        for (int i = 0; i < 128; i += 4) o[i] *= low, o[i + 1] *= low, o[i + 2] *= high, o[i + 3] *= high;
    }
    // The registers are what they are here: nothing of them moves over a fence.
    __device__ __forceinline__ void pin() {
#pragma unroll
        for (int i = 0; i < 128; ++i) asm volatile("" : "+f"(o[i])::"memory");
    }
};

__device__ __forceinline__ float over_row(float value, float (*join)(float, float)) {
    value = join(value, __shfl_xor_sync(0xffffffffu, value, 1));
    return join(value, __shfl_xor_sync(0xffffffffu, value, 2));
}

// ------------------------------------------------------------------------------------------------ roles

template <class G>
struct Part {
    int sequence, first, end, length;  // tiles of G::Keys tokens
    __device__ explicit Part(const Inputs &in) : sequence(blockIdx.y), length(in.lengths[blockIdx.y]) {
        const int tiles = (length + G::Keys - 1) / G::Keys, share = (tiles + in.parts - 1) / in.parts;
        first = min(int(blockIdx.x) * share, tiles);
        end = min(first + share, tiles);
    }
};

template <class G>
__device__ void load(typename G::Layout &m, const Inputs &in, const Part<G> &part) {
    constexpr int chunks = G::Width / 8;
    const int thread = threadIdx.x - G::Workers;
    int tile = part.first, behind = part.first;
    const auto hand_over = [&](int which) {
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        arrive(m.landed[(which - part.first) % G::Stages]);
    };
    for (; tile < part.end; ++tile) {
        const int turn = tile - part.first, stage = turn % G::Stages;
        wait(m.consumed[stage], (turn / G::Stages + 1) & 1);
        for (int i = thread; i < G::Keys * chunks; i += 128) {
            const int key = i / chunks, chunk = i % chunks, token = tile * G::Keys + key;
            const bool there = token < part.length;
            const int page = there ? in.pages[part.sequence * in.pages_of_sequence + token / G::Page] : 0;
            const bf16 *from = in.cache + (size_t(page) * G::Page + token % G::Page) * G::Width + chunk * 8;
            copy_or_zero(SharedAddress(m.kv[stage][chunk / 8]) + swizzled<128>(key, chunk % 8), from, there);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        if (tile > part.first) {
            asm volatile("cp.async.wait_group 1;" ::: "memory");
            hand_over(behind++);
        }
    }
    if (behind < part.end) {
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        hand_over(behind);
    }
}

// The products of a tile's probabilities with one half of the latent columns.
template <class G>
__device__ __forceinline__ void accumulate(Output &out, typename G::Layout &m, int stage, int buffer, int half) {
    constexpr uint64_t p_kind = Swizzle64 | offsets(16, 512);
    constexpr uint64_t v_kind = Swizzle128 | offsets(G::Keys * 128, 1024);
    out.pin();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int k = 0; k < G::Keys / 16; ++k)
        out.multiply(descriptor(p_kind, SharedAddress(m.p[buffer] + k * 16)),
                     descriptor(v_kind, SharedAddress(m.kv[stage][half * G::HalfPanels] + k * 16 * 64)));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <class G>
__device__ __forceinline__ void softmax_tile(Output &out, typename G::Layout &m, const Inputs &in, const Part<G> &part, int tile,
                                             float (&most)[2], float (&total)[2]) {
    const int turn = tile - part.first, stage = turn % G::Stages, buffer = turn % 2;
    const int thread = threadIdx.x % 128, row = thread / 32 * 16 + thread % 32 / 4;
    constexpr uint64_t kind = Swizzle128 | offsets(16, 1024);
    wait(m.landed[stage], turn / G::Stages & 1);
    Scores scores;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int k = 0; k < G::Width / 16; ++k)
        scores.multiply(descriptor(kind, SharedAddress(m.q[k / 4] + k % 4 * 16)),
                        descriptor(kind, SharedAddress(m.kv[stage][k / 4] + k % 4 * 16)), k != 0);
    asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;" ::: "memory");

    float largest[2] = {most[0], most[1]};
#pragma unroll
    for (int j = 0; j < 4; ++j)
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int token = tile * G::Keys + 8 * j + thread % 4 * 2 + i % 2;
            scores.s[j][i] = token < part.length ? scores.s[j][i] * in.scale_log2 : -INFINITY;
            largest[i / 2] = fmaxf(largest[i / 2], scores.s[j][i]);
        }
    float rescale[2];
#pragma unroll
    for (int h = 0; h < 2; ++h) {
        largest[h] = over_row(largest[h], fmaxf);
        rescale[h] = exp2f(most[h] - largest[h]);
        most[h] = largest[h];
        total[h] *= rescale[h];
    }
    // The other group has read what the buffer held two tiles ago.
    barrier_sync<256>(Read + buffer);
#pragma unroll
    for (int j = 0; j < 4; ++j)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const float x = exp2f(scores.s[j][2 * h] - most[h]), y = exp2f(scores.s[j][2 * h + 1] - most[h]);
            total[h] += x + y;
            auto *to = reinterpret_cast<char *>(m.p[buffer]) + swizzled<64>(row + 8 * h, j) + thread % 4 * 4;
            *reinterpret_cast<__nv_bfloat162 *>(to) = __floats2bfloat162_rn(x, y);
        }
    if (thread % 4 == 0) m.rescale[buffer][row] = rescale[0], m.rescale[buffer][row + 8] = rescale[1];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    barrier_sync<128>(FirstGroup);
    barrier_arrive<256>(Written + buffer);

    out.scale(rescale[0], rescale[1]);
    accumulate<G>(out, m, stage, buffer, 0);
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    if (thread == 0) arrive(m.consumed[stage]);
}

template <class G>
__device__ __forceinline__ void follow_tile(Output &out, typename G::Layout &m, const Part<G> &part, int tile) {
    const int turn = tile - part.first, stage = turn % G::Stages, buffer = turn % 2;
    const int thread = threadIdx.x % 128, row = thread / 32 * 16 + thread % 32 / 4;
    barrier_sync<256>(Written + buffer);
    wait(m.landed[stage], turn / G::Stages & 1);
    out.scale(m.rescale[buffer][row], m.rescale[buffer][row + 8]);
    accumulate<G>(out, m, stage, buffer, 1);
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    if (thread == 0) arrive(m.consumed[stage]);
    barrier_arrive<256>(Read + buffer);
}

// The half of the latent columns that a group has, divided by the sums of the probabilities.
template <class G>
__device__ __forceinline__ void store(Output &out, typename G::Layout &m, const Inputs &in, const Part<G> &part, int group) {
    barrier_sync<256>(BothGroups);
    const int thread = threadIdx.x % 128, row = thread / 32 * 16 + thread % 32 / 4;
    float *to = in.part_out + ((size_t(part.sequence) * in.parts + blockIdx.x) * G::Heads) * G::Latent + group * (G::Latent / 2);
    out.scale(1.f / fmaxf(m.total[row], 1e-30f), 1.f / fmaxf(m.total[row + 8], 1e-30f));
#pragma unroll
    for (int j = 0; j < 32; ++j) {
        float *first = to + row * G::Latent + 8 * j + thread % 4 * 2;
        *reinterpret_cast<float2 *>(first) = make_float2(out.o[4 * j], out.o[4 * j + 1]);
        *reinterpret_cast<float2 *>(first + 8 * G::Latent) = make_float2(out.o[4 * j + 2], out.o[4 * j + 3]);
    }
}

template <class G>
__global__ void __launch_bounds__(G::Threads, 1) decode(const Inputs in) {
    extern __shared__ uint4 arena[];
    void *base = arena;
    {
        const auto address = reinterpret_cast<uintptr_t>(base);
        base = reinterpret_cast<void *>((address + 1023) & ~static_cast<uintptr_t>(1023));
    }
    auto &m = *static_cast<typename G::Layout *>(base);
    const Part<G> part(in);
    const int group = threadIdx.x / 128, thread = threadIdx.x % 128;

    if (threadIdx.x < G::Stages) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(SharedAddress(&m.landed[threadIdx.x]).value), "r"(128));
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(SharedAddress(&m.consumed[threadIdx.x]).value), "r"(2));
    }
    for (int i = threadIdx.x; i < G::Heads * G::Width / 8; i += G::Threads) {
        const int head = i / (G::Width / 8), chunk = i % (G::Width / 8);
        const auto *from = reinterpret_cast<const uint4 *>(in.q + (size_t(part.sequence) * G::Heads + head) * G::Width) + chunk;
        auto *to = reinterpret_cast<char *>(m.q[chunk / 8]) + swizzled<128>(head, chunk % 8);
        *reinterpret_cast<uint4 *>(to) = __ldg(from);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();

    if (group == 2) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 72;");
        load<G>(m, in, part);
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 216;");
    if (group == 0) {
        Output out = {};
        float most[2] = {-1e30f, -1e30f}, total[2] = {0.f, 0.f};
        for (int tile = part.first; tile < part.end; ++tile) softmax_tile<G>(out, m, in, part, tile, most, total);
        const int row = thread / 32 * 16 + thread % 32 / 4;
        for (int h = 0; h < 2; ++h) {
            total[h] = over_row(total[h], [](float x, float y) { return x + y; });
            if (thread % 4 == 0) {
                m.total[row + 8 * h] = total[h];
                in.part_lse[(size_t(part.sequence) * in.parts + blockIdx.x) * G::Heads + row + 8 * h] =
                    total[h] > 0.f ? most[h] + log2f(total[h]) : -INFINITY;
            }
        }
        // What the other group still says about its buffers.
        barrier_sync<256>(Read);
        barrier_sync<256>(Read + 1);
        store<G>(out, m, in, part, 0);
    } else {
        Output out = {};
        barrier_arrive<256>(Read);
        barrier_arrive<256>(Read + 1);
        for (int tile = part.first; tile < part.end; ++tile) follow_tile<G>(out, m, part, tile);
        store<G>(out, m, in, part, 1);
    }
}

template <class G>
__global__ void join(const Inputs in) {
    const int sequence = blockIdx.y, head = blockIdx.x;
    const float *lse = in.part_lse + size_t(sequence) * in.parts * G::Heads + head;
    float most = -INFINITY, total = 0.f;
    for (int i = 0; i < in.parts; ++i) most = fmaxf(most, lse[i * G::Heads]);
    for (int i = 0; i < in.parts; ++i) total += exp2f(lse[i * G::Heads] - most);
    for (int column = threadIdx.x; column < G::Latent; column += blockDim.x) {
        float sum = 0.f;
        for (int i = 0; i < in.parts; ++i)
            sum += exp2f(lse[i * G::Heads] - most) *
                   in.part_out[((size_t(sequence) * in.parts + i) * G::Heads + head) * G::Latent + column];
        in.out[(size_t(sequence) * G::Heads + head) * G::Latent + column] = __float2bfloat16_rn(sum / total);
    }
}

// ------------------------------------------------------------------------------------------------ host

void must(cudaError_t status, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(status));
    std::exit(2);
}
#define MUST(x) must((x), __LINE__)

struct CudaFree {
    void operator()(void *p) const { cudaFree(p); }
};
template <class T> using Device = std::unique_ptr<T[], CudaFree>;

template <class T>
Device<T> allocate(size_t count, const T *from = nullptr) {
    T *p;
    MUST(cudaMalloc(&p, count * sizeof(T)));
    if (from) MUST(cudaMemcpy(p, from, count * sizeof(T), cudaMemcpyHostToDevice));
    return Device<T>(p);
}

template <class G>
class Decoder {
public:
    Decoder() {
        MUST(cudaFuncSetAttribute(decode<G>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
        MUST(cudaFuncSetAttribute(decode<G>, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared));
    }
    void operator()(const Inputs &in, int sequences, cudaStream_t stream) const {
        decode<G><<<dim3(in.parts, sequences), G::Threads, shared, stream>>>(in);
        join<G><<<dim3(G::Heads, sequences), 128, 0, stream>>>(in);
        MUST(cudaPeekAtLastError());
    }

private:
    static constexpr int shared = sizeof(typename G::Layout) + 1024;
};

template <class G>
int run(int sequences, int longest, int parts, int repeats) {
    std::vector<int> lengths(sequences);
    for (int i = 0; i < sequences; ++i) lengths[i] = repeats ? longest : longest - i * 37 % longest;
    const int pages_of_sequence = (longest + G::Page - 1) / G::Page, pages = pages_of_sequence * sequences;
    std::vector<int> table(pages);
    for (int i = 0; i < pages; ++i) table[i] = int(i * 7ll % pages);  // shuffled where 7 does not divide it
    if (pages % 7 == 0)
        for (int i = 0; i < pages; ++i) table[i] = pages - 1 - i;

    uint32_t bits = 99;
    const auto noise = [&bits] {
        bits ^= bits << 13, bits ^= bits >> 17, bits ^= bits << 5;
        return __float2bfloat16(float(bits % 65536) / 32768.f - 1.f);
    };
    std::vector<bf16> q(size_t(sequences) * G::Heads * G::Width), cache(size_t(pages) * G::Page * G::Width);
    std::vector<bf16> out(size_t(sequences) * G::Heads * G::Latent);
    for (auto &x : q) x = noise();
    for (auto &x : cache) x = noise();

    const auto d_q = allocate(q.size(), q.data()), d_cache = allocate(cache.size(), cache.data());
    const auto d_table = allocate(table.size(), table.data()), d_lengths = allocate(lengths.size(), lengths.data());
    const auto d_out = allocate<bf16>(out.size());
    const auto d_part_out = allocate<float>(out.size() * parts);
    const auto d_part_lse = allocate<float>(size_t(sequences) * parts * G::Heads);
    const float scale = 1.f / std::sqrt(float(G::Width));
    const Inputs in{d_q.get(),         d_cache.get(),    d_table.get(),    d_lengths.get(), pages_of_sequence, parts,
                    scale * 1.4426950f, d_part_out.get(), d_part_lse.get(), d_out.get()};

    const Decoder<G> decoder;
    decoder(in, sequences, nullptr);
    MUST(cudaDeviceSynchronize());
    MUST(cudaMemcpy(out.data(), d_out.get(), out.size() * sizeof(bf16), cudaMemcpyDeviceToHost));

    int wrong = 0;
    double worst = 0;
    std::vector<double> p(longest);
    for (int b = 0; b < (repeats ? 1 : sequences); ++b)
        for (int h = 0; h < G::Heads; h += repeats ? 13 : 3) {
            const auto token = [&](int t) {
                return &cache[(size_t(table[b * pages_of_sequence + t / G::Page]) * G::Page + t % G::Page) * G::Width];
            };
            double most = -1e300, total = 0;
            for (int t = 0; t < lengths[b]; ++t) {
                p[t] = 0;
                for (int c = 0; c < G::Width; ++c)
                    p[t] += double(__bfloat162float(q[(size_t(b) * G::Heads + h) * G::Width + c])) * __bfloat162float(token(t)[c]);
                most = std::max(most, p[t] *= scale);
            }
            for (int t = 0; t < lengths[b]; ++t) total += p[t] = std::exp(p[t] - most);
            for (int c = 0; c < G::Latent; ++c) {
                double sum = 0;
                for (int t = 0; t < lengths[b]; ++t) sum += p[t] * __bfloat162float(token(t)[c]);
                const double off = std::abs(sum / total - __bfloat162float(out[(size_t(b) * G::Heads + h) * G::Latent + c]));
                worst = std::max(worst, off);
                wrong += !(off < 0.01);
            }
        }

    if (repeats) {
        cudaEvent_t from, to;
        MUST(cudaEventCreate(&from));
        MUST(cudaEventCreate(&to));
        MUST(cudaEventRecord(from));
        for (int i = 0; i < repeats; ++i) decoder(in, sequences, nullptr);
        MUST(cudaEventRecord(to));
        MUST(cudaEventSynchronize(to));
        float ms;
        MUST(cudaEventElapsedTime(&ms, from, to));
        const double flop = 2. * sequences * longest * G::Heads * (G::Width + G::Latent);
        std::printf("%.1f TFLOP/s, %.0f GB/s\n", flop * repeats / ms * 1e-9, 2e-6 * sequences * longest * G::Width * repeats / ms);
    }
    std::printf("mla decode, %d sequences of at most %d tokens, %d parts, worst %.4f: %s\n", sequences, longest, parts, worst,
                wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}

}  // namespace mla

int main(int argc, char **argv) {
    int numbers[] = {2, 150, 2, 0};
    for (int i = 1; i < argc && i < 5; ++i) numbers[i - 1] = std::atoi(argv[i]);
    return mla::run<mla::Model>(numbers[0], numbers[1], numbers[2], numbers[3]);
}
