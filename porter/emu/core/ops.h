// What the generated handlers of lane-wise and scalar operations are made of, and the arithmetic that C lacks.
#pragma once
#include "emu.h"

#define GET64(p, l) ((p)[l] | (u64)(p)[64 + (l)] << 32)
#define PUT64(p, l, x) ((p)[l] = (u32)(x), (p)[64 + (l)] = (u32)((u64)(x) >> 32))

static inline f32 as_f32(u32 x) { return __builtin_bit_cast(f32, x); }
static inline u32 of_f32(f32 x) { return __builtin_bit_cast(u32, x); }
static inline f64 as_f64(u64 x) { return __builtin_bit_cast(f64, x); }
static inline u64 of_f64(f64 x) { return __builtin_bit_cast(u64, x); }
static inline f16 as_f16(u32 x) { return __builtin_bit_cast(f16, (u16)x); }
static inline u32 of_f16(f16 x) { return __builtin_bit_cast(u16, x); }
