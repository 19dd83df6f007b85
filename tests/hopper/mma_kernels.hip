// Every form of mma.sync, ldmatrix, stmatrix and movmatrix: one warp, registers from memory. Operands are arrays
// [register][lane of the warp]; results [register][lane of the wave], so that both mirrors can be compared.
#define PORTER_MIRRORED 1
#include <hip/hip_runtime.h>

#include "porter/ldmatrix.h"
#include "porter/mirror.h"
#include "porter/mma_sync.h"

using namespace porter::mma;

#define A(i) a[(i) * 32 + porter::lane_id()]
#define B(i) b[(i) * 32 + porter::lane_id()]
#define C(i) c[(i) * 32 + porter::lane_id()]
#define F(i) __builtin_bit_cast(float, C(i))
#define KERNEL(name, registers, ...)                                                                               \
  extern "C" __global__ void name(const uint32_t* a, const uint32_t* b, const uint32_t* c, uint32_t* out) {       \
    uint32_t d[registers];                                                                                        \
    __VA_ARGS__;                                                                                                  \
    for (int i = 0; i < registers; ++i) out[i * 64 + porter::wave_lane()] = d[i];                                 \
  }

#define D4 d[0], d[1], d[2], d[3]
#define FULL A(0), A(1), A(2), A(3), B(0), B(1)
#define HALF A(0), A(1), B(0)
#define FLOATS F(0), F(1), F(2), F(3)
#define INTS int(C(0)), int(C(1)), int(C(2)), int(C(3))
#define FLOAT_KERNELS(ta, tb)                                                                    \
  KERNEL(f32_##ta##_##tb##_full, 4, (porter::mma_f32<ta, tb>(D4, FULL, FLOATS)))                 \
  KERNEL(f32_##ta##_##tb##_half, 4, (porter::mma_f32<ta, tb>(D4, HALF, FLOATS)))
#define HALF_KERNELS(ta, tb)                                                                     \
  KERNEL(f16_##ta##_##tb##_full, 2, (porter::mma_f16<ta, tb>(d[0], d[1], FULL, C(0), C(1))))     \
  KERNEL(f16_##ta##_##tb##_half, 2, (porter::mma_f16<ta, tb>(d[0], d[1], HALF, C(0), C(1))))
#define INT_KERNELS(ta, tb)                                                                                     \
  KERNEL(s32_##ta##_##tb##_full, 4, (porter::mma_s32<ta, tb>(D4, FULL, INTS)))                                  \
  KERNEL(s32_##ta##_##tb##_half, 4, (porter::mma_s32<ta, tb>(D4, HALF, INTS)))                                  \
  KERNEL(sat_##ta##_##tb##_full, 4, (porter::mma_s32<ta, tb, true>(D4, FULL, INTS)))                            \
  KERNEL(sat_##ta##_##tb##_half, 4, (porter::mma_s32<ta, tb, true>(D4, HALF, INTS)))                            \
  KERNEL(s32_##ta##_##tb##_m8, 2, (porter::mma_s32<ta, tb>(d[0], d[1], A(0), B(0), int(C(0)), int(C(1)))))       \
  KERNEL(sat_##ta##_##tb##_m8, 2, (porter::mma_s32<ta, tb, true>(d[0], d[1], A(0), B(0), int(C(0)), int(C(1)))))

FLOAT_KERNELS(f16, f16)
FLOAT_KERNELS(bf16, bf16)
FLOAT_KERNELS(tf32, tf32)
FLOAT_KERNELS(e4m3, e4m3)
FLOAT_KERNELS(e4m3, e5m2)
FLOAT_KERNELS(e5m2, e4m3)
FLOAT_KERNELS(e5m2, e5m2)
HALF_KERNELS(f16, f16)
HALF_KERNELS(e4m3, e4m3)
HALF_KERNELS(e4m3, e5m2)
HALF_KERNELS(e5m2, e4m3)
HALF_KERNELS(e5m2, e5m2)
INT_KERNELS(s8, s8)
INT_KERNELS(s8, u8)
INT_KERNELS(u8, s8)
INT_KERNELS(u8, u8)
INT_KERNELS(s4, s4)
INT_KERNELS(s4, u4)
INT_KERNELS(u4, s4)
INT_KERNELS(u4, u4)
INT_KERNELS(b1_and, b1_and)
INT_KERNELS(b1_xor, b1_xor)

// Two products one after the other, as a loop over k has them.
KERNEL(chain, 4, {
  float x0 = F(0), x1 = F(1), x2 = F(2), x3 = F(3);
  porter::mma_f32<bf16, bf16>(x0, x1, x2, x3, FULL, x0, x1, x2, x3);
  porter::mma_f32<bf16, bf16>(x0, x1, x2, x3, FULL, x0, x1, x2, x3);
  put(d[0], bits(x0)), put(d[1], bits(x1)), put(d[2], bits(x2)), put(d[3], bits(x3));
})

// Three tiles between keep() and present(): two with one A, one left over, the same tile twice, another A; and again, in
// a loop that is not unrolled.
#define TILE(call, ta, tb, t, at) \
  porter::call<ta, tb>(pairs, d[4 * t], d[4 * t + 1], d[4 * t + 2], d[4 * t + 3], A(at), A(at + 1), A(at + 2), A(at + 3), \
                       B(2 * t), B(2 * t + 1), 0, 0, 0, 0)
#define PAIRS(name, call, ta, tb)                                                                  \
  KERNEL(pairs_##name, 12, {                                                                       \
    _Pragma("unroll") for (int i = 0; i < 12; ++i) d[i] = C(i);                                    \
    porter::keep(d);                                                                               \
    {                                                                                              \
      porter::MmaPairs pairs;                                                                      \
      _Pragma("unroll 1") for (int r = 0; r < 2; ++r) {                                            \
        TILE(call, ta, tb, 0, 0), TILE(call, ta, tb, 1, 0), TILE(call, ta, tb, 2, 0);              \
        TILE(call, ta, tb, 0, 4), TILE(call, ta, tb, 2, 4), TILE(call, ta, tb, 1, 4);              \
        TILE(call, ta, tb, 1, 0), TILE(call, ta, tb, 1, 0), TILE(call, ta, tb, 0, 4);              \
      }                                                                                            \
    }                                                                                              \
    porter::present(d);                                                                            \
  })
PAIRS(f16, mma_f32_kept, f16, f16)
PAIRS(bf16, mma_f32_kept, bf16, bf16)
PAIRS(tf32, mma_f32_kept, tf32, tf32)
PAIRS(e4m3, mma_f32_kept, e4m3, e4m3)
PAIRS(e5m2, mma_f32_kept, e5m2, e5m2)
PAIRS(s8, mma_s32_kept, s8, s8)
PAIRS(u8, mma_s32_kept, u8, u8)

#define DOUBLES(name, registers, call)                                                                      \
  extern "C" __global__ void name(const double* a, const double* b, const double* c, double* out) {        \
    double d[registers];                                                                                   \
    call;                                                                                                  \
    for (int i = 0; i < registers; ++i) out[i * 64 + porter::wave_lane()] = d[i];                          \
  }
DOUBLES(f64_m8n8k4, 2, porter::mma_f64(d[0], d[1], A(0), B(0), C(0), C(1)))
DOUBLES(f64_m16n8k4, 4, porter::mma_f64(D4, A(0), A(1), B(0), C(0), C(1), C(2), C(3)))
DOUBLES(f64_m16n8k8, 4, porter::mma_f64(D4, A(0), A(1), A(2), A(3), B(0), B(1), C(0), C(1), C(2), C(3)))
DOUBLES(f64_m16n8k16, 4,
        porter::mma_f64(D4, A(0), A(1), A(2), A(3), A(4), A(5), A(6), A(7), B(0), B(1), B(2), B(3), C(0), C(1), C(2),
                        C(3)))

// a: the bytes of shared memory; b: the shared address that each lane brings; c: a register a matrix to store.
__shared__ uint32_t memory[2048];
__device__ void fill(const uint32_t* from) {
  for (unsigned i = porter::wave_lane(); i < 2048; i += 64) memory[i] = from[i];
  __syncthreads();
}
__device__ uint32_t row_address(const uint32_t* b) {
  return porter::cvta_generic_to_shared(memory) + b[porter::lane_id()];
}
#define LOADS(suffix, transposed)                                                                     \
  KERNEL(load1##suffix, 1, (fill(a), porter::ldmatrix<transposed>(row_address(b), d[0])))             \
  KERNEL(load2##suffix, 2, (fill(a), porter::ldmatrix<transposed>(row_address(b), d[0], d[1])))       \
  KERNEL(load4##suffix, 4, (fill(a), porter::ldmatrix<transposed>(row_address(b), D4)))
LOADS(, false)
LOADS(_trans, true)
#define STORE(name, call)                                                                                     \
  extern "C" __global__ void name(const uint32_t* a, const uint32_t* b, const uint32_t* c, uint32_t* out) {  \
    fill(a);                                                                                                 \
    call;                                                                                                    \
    __syncthreads();                                                                                         \
    for (unsigned i = porter::wave_lane(); i < 2048; i += 64) out[i] = memory[i];                            \
  }
#define STORES(suffix, transposed)                                                                    \
  STORE(store1##suffix, (porter::stmatrix<transposed>(row_address(b), C(0))))                         \
  STORE(store2##suffix, (porter::stmatrix<transposed>(row_address(b), C(0), C(1))))                   \
  STORE(store4##suffix, (porter::stmatrix<transposed>(row_address(b), C(0), C(1), C(2), C(3))))
STORES(, false)
STORES(_trans, true)
KERNEL(move_trans, 1, d[0] = porter::movmatrix(A(0)))
