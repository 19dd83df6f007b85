// Inline PTX as it is met in real kernels: special registers, bit tricks, cache hints, votes, approximations,
// predicates, several instructions in one statement, macros around asm.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <cuda_runtime.h>

#define DEVICE static __device__ __forceinline__

DEVICE uint32_t lane_id()
{
    uint32_t r;
    asm("mov.u32 %0, %%laneid;" : "=r"(r));
    return r;
}

DEVICE unsigned lanemask_lt()
{
    unsigned m;
    asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(m));
    return m;
}

// (a & b) | (~a & c)
DEVICE uint32_t select_bits(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t d;
    asm("lop3.b32 %0, %1, %2, %3, 0xCA;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

DEVICE uint32_t permute(uint32_t a, uint32_t b, uint32_t s)
{
    uint32_t d;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(s));
    return d;
}

template <int Start, int Bits>
DEVICE uint32_t field(uint32_t x)
{
    uint32_t d;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(x), "n"(Start), "n"(Bits));
    return d;
}

DEVICE uint32_t insert(uint32_t x, uint32_t into, uint32_t start, uint32_t bits)
{
    uint32_t d;
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(x), "r"(into), "r"(start), "r"(bits));
    return d;
}

DEVICE uint64_t multiply_add_wide(uint32_t a, uint32_t b, uint64_t c)
{
    uint64_t d;
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(d) : "r"(a), "r"(b), "l"(c));
    return d;
}

// 64-bit sum out of 32-bit halves, the carry in the flag: one statement, two instructions.
DEVICE uint2 add_carry(uint2 a, uint2 b)
{
    uint2 d;
    asm("add.cc.u32 %0, %2, %4;\n\t"
        "addc.u32   %1, %3, %5;"
        : "=r"(d.x), "=r"(d.y)
        : "r"(a.x), "r"(a.y), "r"(b.x), "r"(b.y));
    return d;
}

DEVICE float4 load_streaming(const float4 *p)
{
    float4 v;
    asm volatile("ld.global.cs.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(p));
    return v;
}

DEVICE void store_streaming(float4 *p, float4 v)
{
    asm volatile("st.global.cs.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(p), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
}

DEVICE void reduce_add(unsigned *p, unsigned v) { asm volatile("red.global.add.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }

DEVICE unsigned warp_ballot(bool p)
{
    unsigned m;
    asm volatile("{\n\t"
                 ".reg .pred q;\n\t"
                 "setp.ne.u32 q, %1, 0;\n\t"
                 "vote.sync.ballot.b32 %0, q, 0xffffffff;\n\t"
                 "}"
                 : "=r"(m) : "r"((unsigned)p));
    return m;
}

DEVICE float fast_exp2(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

DEVICE int clamp_if(int x, int limit, int replacement)
{
    int y;
    asm("{ .reg .pred p; setp.gt.s32 p, %1, %2; selp.s32 %0, %3, %1, p; }" : "=r"(y) : "r"(x), "r"(limit), "r"(replacement));
    return y;
}

#define FENCE() asm volatile("membar.gl;" ::: "memory")
#define BREV(out, in) asm("brev.b32 %0, %1;" : "=r"(out) : "r"(in))

__global__ void exercise(const uint32_t *in, uint64_t *out, unsigned *counter)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t x = in[i], lane = lane_id();
    uint64_t h = multiply_add_wide(x, 0x9e3779b9u, select_bits(0xff00ff00u, x, ~x));
    h += permute(x, 0x01020304u, 0x7531u) + field<5, 7>(x) + insert(x, 0u, 3, 9);
    uint2 sum = add_carry(make_uint2(x, 1u), make_uint2(0xffffff00u, 2u));
    h ^= (uint64_t)sum.y << 32 | sum.x;
    uint32_t reversed;
    BREV(reversed, x);
    h += reversed + (uint32_t)clamp_if((int)(x & 1023), 500, -7);
    const unsigned odd = warp_ballot(x & 1);
    h += __popc(odd & lanemask_lt()) + lane;
    out[i] = h;
    FENCE();
    if (x & 1) reduce_add(counter, 1);
}

__global__ void exponentials(const float4 *in, float4 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 v = load_streaming(in + i);
        store_streaming(out + i, make_float4(fast_exp2(v.x), fast_exp2(v.y), fast_exp2(v.z), fast_exp2(v.w)));
    }
}

static uint64_t expected(const uint32_t *in, int i)
{
    uint32_t x = in[i], s = (x & 0xff00ff00u) | (~x & ~0xff00ff00u);
    uint64_t h = (uint64_t)x * 0x9e3779b9u + s;
    // prmt 0x7531: bytes 1, 3, 5 and 7 of the pair {x, 0x01020304}
    uint32_t p = (x >> 8 & 255) | (x >> 24) << 8 | 0x03u << 16 | 0x01u << 24;
    h += p + (x >> 5 & 127) + ((x & 511) << 3);
    uint64_t wide = (uint64_t)x + 0xffffff00u + ((uint64_t)3 << 32);
    h ^= wide;
    uint32_t r = 0;
    for (int b = 0; b < 32; b++) r |= (x >> b & 1) << (31 - b);
    int c = x & 1023;
    h += r + (uint32_t)(c > 500 ? -7 : c);
    int before = 0;
    for (int l = i / 32 * 32; l < i; l++) before += in[l] & 1;
    return h + before + i % 32;
}

#define CUDA(x) if (cudaError_t e = (x)) { std::printf("%s\n", cudaGetErrorString(e)); return 2; }

int main()
{
    const int n = 512;
    uint32_t h[n], *in;
    uint64_t got[n], *out;
    float floats[n], powers[n], *fin, *fout;
    unsigned *counter, odd = 0, counted;
    for (int i = 0; i < n; i++) h[i] = i * 2654435761u, odd += h[i] & 1, floats[i] = i * 0.03125f - 8;
    CUDA(cudaMalloc(&in, sizeof h)) CUDA(cudaMalloc(&out, sizeof got)) CUDA(cudaMalloc(&counter, sizeof(unsigned)))
    CUDA(cudaMalloc(&fin, sizeof floats)) CUDA(cudaMalloc(&fout, sizeof powers))
    CUDA(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice))
    CUDA(cudaMemcpy(fin, floats, sizeof floats, cudaMemcpyHostToDevice))
    CUDA(cudaMemset(counter, 0, sizeof(unsigned)))
    exercise<<<n / 128, 128>>>(in, out, counter);
    exponentials<<<1, n / 4>>>((const float4 *)fin, (float4 *)fout, n / 4);
    CUDA(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost))
    CUDA(cudaMemcpy(powers, fout, sizeof powers, cudaMemcpyDeviceToHost))
    CUDA(cudaMemcpy(&counted, counter, sizeof counted, cudaMemcpyDeviceToHost))
    int bad = counted != odd;
    for (int i = 0; i < n; i++) bad += got[i] != expected(h, i);
    for (int i = 0; i < n; i++) bad += std::fabs(powers[i] - std::exp2(floats[i])) > 1e-6f * std::exp2(floats[i]);
    std::printf("%s: %d wrong\n", bad ? "FAIL" : "PASS", bad);
    return bad != 0;
}
