// What each atomic writes: `old` is in memory, `a` and `b` are the lane's first and second data.
#pragma once
#include "ops.h"

#define OPERATION32(name, expression) \
  static inline u32 do_##name(u32 old, u32 a, u32 b) { return (expression); }
#define OPERATION64(name, expression) \
  static inline u64 do_##name(u64 old, u64 a, u64 b) { return (expression); }
#define OPERATION(name, expression) OPERATION32(name##_32, expression) OPERATION64(name##_64, expression)

OPERATION(add, old + a)
OPERATION(sub, old - a)
OPERATION(rsub, a - old)
OPERATION(and, old &a)
OPERATION(or, old | a)
OPERATION(xor, old ^ a)
OPERATION(mskor, (old & ~a) | b)
OPERATION(swap, a)
OPERATION(umin, a < old ? a : old)
OPERATION(umax, a > old ? a : old)
OPERATION(inc, old >= a ? 0 : old + 1)
OPERATION(dec, old == 0 || old > a ? a : old - 1)
OPERATION(cmpswap, old == b ? a : old)  // memory: the value, then what it is compared with
OPERATION(cmpst, old == a ? b : old)    // LDS: the other way round
OPERATION32(smin_32, (i32)a < (i32)old ? a : old)
OPERATION32(smax_32, (i32)a > (i32)old ? a : old)
OPERATION64(smin_64, (i64)a < (i64)old ? a : old)
OPERATION64(smax_64, (i64)a > (i64)old ? a : old)
OPERATION32(wrap_32, old >= a ? old - a : old + b)
OPERATION32(fadd_32, of_f32(as_f32(old) + as_f32(a)))
OPERATION64(fadd_64, of_f64(as_f64(old) + as_f64(a)))
OPERATION32(fmin_32, as_f32(a) < as_f32(old) ? a : old)
OPERATION32(fmax_32, as_f32(a) > as_f32(old) ? a : old)
OPERATION64(fmin_64, as_f64(a) < as_f64(old) ? a : old)
OPERATION64(fmax_64, as_f64(a) > as_f64(old) ? a : old)
OPERATION32(fcmpst_32, as_f32(old) == as_f32(a) ? b : old)
OPERATION64(fcmpst_64, as_f64(old) == as_f64(a) ? b : old)

// Halves are added as f32: a sum of two halves, rounded twice, is the sum rounded once.
static inline u32 half_sum(u32 a, u32 b) { return of_f16((f16)((f32)as_f16(a) + (f32)as_f16(b))); }
OPERATION32(pk_f16_32, half_sum(old, a) | half_sum(old >> 16, a >> 16) << 16)

static inline u32 bf16_sum(u32 a, u32 b) {
  const u32 x = of_f32(as_f32(a << 16) + as_f32(b << 16));
  if ((x & 0x7fffffffu) > 0x7f800000u) return x >> 16 | 0x40;
  return (x + 0x7fff + (x >> 16 & 1)) >> 16;
}
OPERATION32(pk_bf16_32, bf16_sum(old, a) | bf16_sum(old >> 16, a >> 16) << 16)

// Both dwords on their own: the one whose data has its highest bit set is exchanged for the other bits of the data.
OPERATION64(condxchg_64, (a >> 31 & 1 ? a & 0x7fffffffu : old & 0xffffffffu) |
                             (a >> 63 ? a & 0x7fffffff00000000u : old & 0xffffffff00000000u))
