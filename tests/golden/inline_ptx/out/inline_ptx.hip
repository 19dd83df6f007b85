// Inline PTX as it is met in real kernels: special registers, bit tricks, cache hints, votes, approximations,
// predicates, several instructions in one statement, macros around asm.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <hip/hip_runtime.h>
#include "porter/ptx.h"

#define DEVICE static __device__ __forceinline__

DEVICE uint32_t lane_id()
{
    uint32_t r;
    r = porter::lane_id();
    return r;
}

DEVICE unsigned lanemask_lt()
{
    unsigned m;
    m = porter::lanemask_lt();
    return m;
}

// (a & b) | (~a & c)
DEVICE uint32_t select_bits(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t d;
    d = porter::lop3<0xCA>(a, b, c);
    return d;
}

DEVICE uint32_t permute(uint32_t a, uint32_t b, uint32_t s)
{
    uint32_t d;
    d = porter::prmt(a, b, s);
    return d;
}

template <int Start, int Bits>
DEVICE uint32_t field(uint32_t x)
{
    uint32_t d;
    d = porter::bfe_u32(x, Start, Bits);
    return d;
}

DEVICE uint32_t insert(uint32_t x, uint32_t into, uint32_t start, uint32_t bits)
{
    uint32_t d;
    d = porter::bfi_b32(x, into, start, bits);
    return d;
}

DEVICE uint64_t multiply_add_wide(uint32_t a, uint32_t b, uint64_t c)
{
    uint64_t d;
    d = uint64_t(uint32_t(a)) * uint32_t(b) + uint64_t(c);
    return d;
}

// 64-bit sum out of 32-bit halves, the carry in the flag: one statement, two instructions.
DEVICE uint2 add_carry(uint2 a, uint2 b)
{
    uint2 d;
    {
        const uint32_t in3 = a.y;
        const uint32_t in5 = b.y;
        uint32_t carry;
        d.x = porter::add_cc_u32(a.x, b.x, carry);
        d.y = in3 + in5 + carry;
    }
    return d;
}

DEVICE float4 load_streaming(const float4 *p)
{
    float4 v;
    {
        const float4 v_2 = porter::ld_stream<float4>(porter::global(p));
        v.x = v_2.x;
        v.y = v_2.y;
        v.z = v_2.z;
        v.w = v_2.w;
    }
    return v;
}

DEVICE void store_streaming(float4 *p, float4 v)
{
    porter::st_stream<float4>(porter::global(p), make_float4(v.x, v.y, v.z, v.w));
}

DEVICE void reduce_add(unsigned *p, unsigned v) { porter::atom_add<uint32_t>(porter::global(p), v); }

DEVICE unsigned warp_ballot(bool p)
{
    unsigned m;
    {
        const bool q = ((unsigned)p) != 0u;
        m = porter::ballot_sync(0xffffffff, q);
    }
    return m;
}

DEVICE float fast_exp2(float x)
{
    float y;
    y = porter::ex2_approx_ftz(x);
    return y;
}

DEVICE int clamp_if(int x, int limit, int replacement)
{
    int y;
    {
        const bool p = int32_t(x) > int32_t(limit);
        y = p ? int32_t(replacement) : int32_t(x);
    }
    return y;
}

#define FENCE() __threadfence()
#define BREV(out, in) out = __brev(in)

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

#define CUDA(x) if (hipError_t e = (x)) { std::printf("%s\n", hipGetErrorString(e)); return 2; }

int main()
{
    const int n = 512;
    uint32_t h[n], *in;
    uint64_t got[n], *out;
    float floats[n], powers[n], *fin, *fout;
    unsigned *counter, odd = 0, counted;
    for (int i = 0; i < n; i++) h[i] = i * 2654435761u, odd += h[i] & 1, floats[i] = i * 0.03125f - 8;
    CUDA(hipMalloc(&in, sizeof h)) CUDA(hipMalloc(&out, sizeof got)) CUDA(hipMalloc(&counter, sizeof(unsigned)))
    CUDA(hipMalloc(&fin, sizeof floats)) CUDA(hipMalloc(&fout, sizeof powers))
    CUDA(hipMemcpy(in, h, sizeof h, hipMemcpyHostToDevice))
    CUDA(hipMemcpy(fin, floats, sizeof floats, hipMemcpyHostToDevice))
    CUDA(hipMemset(counter, 0, sizeof(unsigned)))
    exercise<<<n / 128, 128>>>(in, out, counter);
    exponentials<<<1, n / 4>>>((const float4 *)fin, (float4 *)fout, n / 4);
    CUDA(hipMemcpy(got, out, sizeof got, hipMemcpyDeviceToHost))
    CUDA(hipMemcpy(powers, fout, sizeof powers, hipMemcpyDeviceToHost))
    CUDA(hipMemcpy(&counted, counter, sizeof counted, hipMemcpyDeviceToHost))
    int bad = counted != odd;
    for (int i = 0; i < n; i++) bad += got[i] != expected(h, i);
    for (int i = 0; i < n; i++) bad += std::fabs(powers[i] - std::exp2(floats[i])) > 1e-6f * std::exp2(floats[i]);
    std::printf("%s: %d wrong\n", bad ? "FAIL" : "PASS", bad);
    return bad != 0;
}
