// What the random kernels are made of, with one meaning on the GPU and on the CPU.
//
// NaN has no sign and no payload here: whatever turns a float into bits, or asks for its sign, goes through a function
// that makes all NaN equal. Zero has no sign where IEEE 754 leaves it open (min and max): they end with + 0.
#pragma once

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef _Float16 f16;
typedef float f32;
typedef double f64;
typedef __int128 i128;
typedef unsigned __int128 u128;
#define VECTOR(NAME, T, N) typedef T NAME __attribute__((ext_vector_type(N)))
VECTOR(v2f, f32, 2);
VECTOR(v4f, f32, 4);
VECTOR(v2d, f64, 2);
VECTOR(v2h, f16, 2);
VECTOR(v4h, f16, 4);
VECTOR(v2s, i16, 2);
VECTOR(v4s, i16, 4);
VECTOR(v2t, u16, 2);
VECTOR(v2u, u32, 2);
VECTOR(v4u, u32, 4);
VECTOR(v2i, i32, 2);
VECTOR(v4b, u8, 4);

#if defined(__AMDGCN__)
#define ON_GPU 1
#define DEVICE __attribute__((device))
#else
#define ON_GPU 0
#define DEVICE
#endif
#define FN static DEVICE inline __attribute__((unused))
#define CALL static DEVICE __attribute__((noinline, unused))

// The arguments of every kernel
struct In {
  const i8 *b;
  const i16 *w;
  const i32 *i;
  const i64 *q;
  const f16 *h;
  const f32 *f;
  const f64 *d;
  u64 *out;
  u32 *acc;
  u64 *wide;
  i32 n;
  i64 m;
  f32 x;
  f64 y;
  u8 c;
  i16 e;
};

struct Pair {
  i16 a;
  f32 b;
  u64 c;
  u8 d[3];
};

// What a thread knows of itself
struct Ctx {
  In in;
  u32 tid, gid, bid;
  u64 *out;    // this thread's own slots
  u32 *sh;     // LDS: 16 bytes a thread
  u32 *atoms;  // LDS: 64 words for atomics
};
#define SLOTS 128

// ---- floats and bits ----------------------------------------------------------------------------------------------
FN u32 bits(f32 x) { return x != x ? 0x7fc00000u : __builtin_bit_cast(u32, x); }
FN u64 bits(f64 x) { return x != x ? 0x7ff8000000000000ull : __builtin_bit_cast(u64, x); }
FN u16 bits(f16 x) { return x != x ? (u16)0x7e00 : __builtin_bit_cast(u16, x); }
template <class T> FN u64 bits(T x) { return (u64)x; }
FN f32 from_bits(u32 x) { return (x & 0x7fffffff) > 0x7f800000 ? __builtin_nanf("") : __builtin_bit_cast(f32, x); }
FN f64 from_bits(u64 x) {
  return (x << 1) > 0xffe0000000000000ull ? __builtin_nan("") : __builtin_bit_cast(f64, x);
}
FN f16 from_bits(u16 x) { return __builtin_bit_cast(f16, (x & 0x7fff) > 0x7c00 ? (u16)0x7e00 : x); }
FN f32 canon(f32 x) { return from_bits(bits(x)); }
FN v4f canon(v4f x) { return (v4f){canon(x.x), canon(x.y), canon(x.z), canon(x.w)}; }
FN v2f canon(v2f x) { return (v2f){canon(x.x), canon(x.y)}; }

#define TO_INT(NAME, T, F, LOW, HIGH) \
  FN T NAME(F x) { return x > (F)LOW && x < (F)HIGH ? (T)x : (T)17; }
#define TO_INTS(F, BIG)                                                                                     \
  TO_INT(to_i8, i8, F, -128, 127) TO_INT(to_u8, u8, F, 0, 255) TO_INT(to_i16, i16, F, -32000, 32000)        \
  TO_INT(to_u16, u16, F, 0, 65000) TO_INT(to_i32, i32, F, -BIG(2e9), BIG(2e9)) TO_INT(to_u32, u32, F, 0, BIG(4e9)) \
  TO_INT(to_i64, i64, F, -BIG(9e18), BIG(9e18)) TO_INT(to_u64, u64, F, 0, BIG(1.8e19))
#define AS_IS(x) x
#define HALF_MAX(x) 65504.0
TO_INTS(f32, AS_IS)
TO_INTS(f64, AS_IS)
TO_INTS(f16, HALF_MAX)

#if ON_GPU
FN f16 fma_(f16 a, f16 b, f16 c) { return __builtin_fmaf16(a, b, c); }
#else  // x86 would round the product to f32 first; a double holds what matters of the sum
FN f16 fma_(f16 a, f16 b, f16 c) { return (f16)__builtin_fma((f64)a, (f64)b, (f64)c); }
#endif
FN f32 fma_(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
FN f64 fma_(f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }
#if ON_GPU
template <class V> FN V fmav(V a, V b, V c) { return __builtin_elementwise_fma(a, b, c); }
#else
template <class V> FN V fmav(V a, V b, V c) {
  V r;
  for (unsigned n = 0; n < sizeof(V) / sizeof(a[0]); n++) r[n] = fma_(a[n], b[n], c[n]);
  return r;
}
#endif
#define UNARY(NAME, BUILTIN)                                  \
  FN f32 NAME(f32 x) { return __builtin_elementwise_##BUILTIN(x); } \
  FN f64 NAME(f64 x) { return __builtin_elementwise_##BUILTIN(x); } \
  FN f16 NAME(f16 x) { return __builtin_elementwise_##BUILTIN(x); }
UNARY(sqrt_, sqrt) UNARY(floor_, floor) UNARY(ceil_, ceil) UNARY(trunc_, trunc) UNARY(rint_, rint)
UNARY(fabs_, abs)
template <class F> FN F fmin_(F a, F b) { return __builtin_elementwise_minnum(a, b) + (F)0; }
template <class F> FN F fmax_(F a, F b) { return __builtin_elementwise_maxnum(a, b) + (F)0; }
template <class F> FN F clamp01(F x) { return __builtin_elementwise_minnum(__builtin_elementwise_maxnum(x, (F)0), (F)1) + (F)0; }
template <class F> FN F copysign_(F a, F b) { return __builtin_elementwise_copysign(a, b != b ? (F)1 : b); }
FN f32 ldexp_(f32 x, i32 n) { return __builtin_ldexpf(x, n); }
FN f64 ldexp_(f64 x, i32 n) { return __builtin_ldexp(x, n); }
FN f16 ldexp_(f16 x, i32 n) { return (f16)__builtin_ldexpf((f32)x, n); }

// ---- integers -----------------------------------------------------------------------------------------------------
template <class T> FN T div_(T a, T b) { return b == 0 ? a : b == (T)-1 ? (T)(0 - a) : (T)(a / b); }
template <class T> FN T mod_(T a, T b) { return b == 0 || b == (T)-1 ? a : (T)(a % b); }
// At -O0 a call keeps the compiler from seeing a numerator like (u32)(i8)-128, whose quotient it gets wrong there.
template <class T> FN T quotient(T a, T b) { return (T)(a / b); }
template <class T> FN T remainder(T a, T b) { return (T)(a % b); }
template <class T> FN T min_(T a, T b) { return a < b ? a : b; }
template <class T> FN T max_(T a, T b) { return a > b ? a : b; }
template <class T> FN T abs_(T a) { return a < 0 ? (T)(0 - a) : a; }
template <class T> FN T med3_(T a, T b, T c) { return max_(min_(a, b), min_(max_(a, b), c)); }
FN u32 clz_(u32 x) { return x ? __builtin_clz(x) : 32; }
FN u32 ctz_(u32 x) { return x ? __builtin_ctz(x) : 32; }
FN u32 clz_(u64 x) { return x ? __builtin_clzll(x) : 64; }
FN u32 ctz_(u64 x) { return x ? __builtin_ctzll(x) : 64; }
FN u32 ffs_(u32 x) { return __builtin_ffs((i32)x); }
FN u32 ffs_(u64 x) { return __builtin_ffsll((i64)x); }
FN u32 popc_(u32 x) { return __builtin_popcount(x); }
FN u32 popc_(u64 x) { return __builtin_popcountll(x); }
FN u32 mulhi(u32 a, u32 b) { return (u32)((u64)a * b >> 32); }
FN i32 mulhi(i32 a, i32 b) { return (i32)((i64)a * b >> 32); }
FN u64 mulhi(u64 a, u64 b) { return (u64)((u128)a * b >> 64); }
FN i64 mulhi(i64 a, i64 b) { return (i64)((i128)a * b >> 64); }
FN u32 mul24(u32 a, u32 b) { return (a & 0xffffff) * (b & 0xffffff); }
FN i32 mul24(i32 a, i32 b) { return (a << 8 >> 8) * (b << 8 >> 8); }
FN u32 bfe(u32 x, u32 at, u32 width) { return x >> (at & 31) & ((1u << (width & 31)) - 1); }
FN i32 sext(u32 x, u32 width) { return (i32)(x << (31 - (width & 31))) >> (31 - (width & 31)); }
FN u32 bfi(u32 mask, u32 a, u32 b) { return (mask & a) | (~mask & b); }
FN u32 sad(u32 a, u32 b, u32 c) { return (a > b ? a - b : b - a) + c; }
template <class T> FN T carry(T a, T b) {
  T sum;
  bool over = __builtin_add_overflow(a, b, &sum);
  return over ? (T)(sum ^ 5) : sum;
}
template <class T> FN T over(T a, T b) {
  T product;
  bool over = __builtin_mul_overflow(a, b, &product);
  return over ? (T)(a - b) : product;
}
template <class T> FN T load(const void *p) {
  T x;
  __builtin_memcpy(&x, p, sizeof x);
  return x;
}

// ---- instructions by name, and what the ISA document says that they do ---------------------------------------------
#if ON_GPU
FN u32 perm(u32 a, u32 b, u32 sel) { return __builtin_amdgcn_perm(a, b, sel); }
FN u32 alignbit(u32 a, u32 b, u32 n) { return __builtin_amdgcn_alignbit(a, b, n); }
FN u32 alignbyte(u32 a, u32 b, u32 n) { return __builtin_amdgcn_alignbyte(a, b, n); }
FN u32 sad_u8(u32 a, u32 b, u32 c) { return __builtin_amdgcn_sad_u8(a, b, c); }
FN u32 sad_u16(u32 a, u32 b, u32 c) { return __builtin_amdgcn_sad_u16(a, b, c); }
FN u32 lerp_u8(u32 a, u32 b, u32 c) { return __builtin_amdgcn_lerp(a, b, c); }
FN u32 ubfe(u32 a, u32 b, u32 c) { return __builtin_amdgcn_ubfe(a, b, c); }
FN i32 sbfe(i32 a, u32 b, u32 c) { return __builtin_amdgcn_sbfe(a, b, c); }
FN i32 dot4(u32 a, u32 b, i32 c) { return __builtin_amdgcn_sdot4((i32)a, (i32)b, c, false); }
FN u32 udot4(u32 a, u32 b, u32 c) { return __builtin_amdgcn_udot4(a, b, c, false); }
FN i32 dot8(u32 a, u32 b, i32 c) { return __builtin_amdgcn_sdot8((i32)a, (i32)b, c, false); }
FN i32 frexp_exp(f32 x) { return __builtin_amdgcn_frexp_expf(x); }
FN i32 frexp_exp(f64 x) { return __builtin_amdgcn_frexp_exp(x); }
FN f32 frexp_mant(f32 x) { return __builtin_amdgcn_frexp_mantf(x); }
FN f64 frexp_mant(f64 x) { return __builtin_amdgcn_frexp_mant(x); }
FN u32 pkrtz(f32 a, f32 b) { return __builtin_bit_cast(u32, __builtin_amdgcn_cvt_pkrtz(a, b)); }
#else
FN u32 perm(u32 a, u32 b, u32 sel) {
  u64 all = (u64)a << 32 | b;
  u32 r = 0;
  for (int n = 0; n < 4; n++) {
    u32 k = sel >> 8 * n & 255, byte;
    if (k >= 13) byte = 255;
    else if (k == 12) byte = 0;
    else if (k >= 8) byte = all >> (16 * (k - 8) + 15) & 1 ? 255 : 0;
    else byte = all >> 8 * k & 255;
    r |= byte << 8 * n;
  }
  return r;
}
FN u32 alignbit(u32 a, u32 b, u32 n) { return (u32)(((u64)a << 32 | b) >> (n & 31)); }
FN u32 alignbyte(u32 a, u32 b, u32 n) { return (u32)(((u64)a << 32 | b) >> 8 * (n & 3)); }
FN u32 sad_u8(u32 a, u32 b, u32 c) {
  for (int n = 0; n < 32; n += 8) {
    u32 x = a >> n & 255, y = b >> n & 255;
    c += x > y ? x - y : y - x;
  }
  return c;
}
FN u32 sad_u16(u32 a, u32 b, u32 c) {
  for (int n = 0; n < 32; n += 16) {
    u32 x = a >> n & 65535, y = b >> n & 65535;
    c += x > y ? x - y : y - x;
  }
  return c;
}
FN u32 lerp_u8(u32 a, u32 b, u32 c) {
  u32 r = 0;
  for (int n = 0; n < 32; n += 8) r |= (((a >> n & 255) + (b >> n & 255) + (c >> n & 1)) >> 1 & 255) << n;
  return r;
}
FN u32 ubfe(u32 a, u32 b, u32 c) { return bfe(a, b, c); }
FN i32 sbfe(i32 a, u32 b, u32 c) {
  u32 at = b & 31, width = c & 31, x = (u32)(a >> at) & ((1u << width) - 1);
  return width == 0 ? 0 : at + width < 32 ? (i32)(x << (32 - width)) >> (32 - width) : a >> at;
}
FN i32 dot4(u32 a, u32 b, i32 c) {
  for (int n = 0; n < 32; n += 8) c += (i8)(a >> n) * (i8)(b >> n);
  return c;
}
FN u32 udot4(u32 a, u32 b, u32 c) {
  for (int n = 0; n < 32; n += 8) c += (a >> n & 255) * (b >> n & 255);
  return c;
}
FN i32 dot8(u32 a, u32 b, i32 c) {
  for (int n = 0; n < 32; n += 4) c += ((i32)(a << (28 - n)) >> 28) * ((i32)(b << (28 - n)) >> 28);
  return c;
}
template <class F> FN bool finite(F x) { return x - x == (F)0; }
FN i32 frexp_exp(f32 x) { i32 e = 0; if (finite(x)) __builtin_frexpf(x, &e); return e; }
FN i32 frexp_exp(f64 x) { i32 e = 0; if (finite(x)) __builtin_frexp(x, &e); return e; }
FN f32 frexp_mant(f32 x) { i32 e; return finite(x) ? __builtin_frexpf(x, &e) : x; }
FN f64 frexp_mant(f64 x) { i32 e; return finite(x) ? __builtin_frexp(x, &e) : x; }
FN u32 half_rtz(f32 x) {
  const u32 u = __builtin_bit_cast(u32, x), sign = u >> 16 & 0x8000, m = u & 0x7fffffff;
  if (m > 0x7f800000) return 0x7e00;
  if (m == 0x7f800000) return sign | 0x7c00;
  if (m >= 0x47800000) return sign | 0x7bff;
  if (m >= 0x38800000) return sign | ((m - 0x38000000) >> 13);
  const u32 shift = 126 - (m >> 23);
  return sign | (shift > 24 ? 0 : ((m & 0x7fffff) | 0x800000) >> shift);
}
FN u32 pkrtz(f32 a, f32 b) { return half_rtz(a) | half_rtz(b) << 16; }
#endif

// ---- atomics: relaxed, in global memory and in LDS -----------------------------------------------------------------
#if ON_GPU
#define ATOMIC(NAME, OP)                                                                                       \
  template <class T> FN T atomic_##NAME(T *p, T v) {                                                           \
    return __hip_atomic_fetch_##OP(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);                          \
  }
ATOMIC(add, add) ATOMIC(and, and) ATOMIC(or, or) ATOMIC(xor, xor) ATOMIC(min, min) ATOMIC(max, max)
template <class T> FN T atomic_exchange(T *p, T v) {
  return __hip_atomic_exchange(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T> FN T atomic_cas(T *p, T old, T v) {
  __hip_atomic_compare_exchange_strong(p, &old, v, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  return old;
}
#else
#define ATOMIC(NAME, EXPRESSION)                 \
  template <class T> FN T atomic_##NAME(T *p, T v) { \
    T old = *p;                                  \
    *p = EXPRESSION;                             \
    return old;                                  \
  }
ATOMIC(add, old + v) ATOMIC(and, old & v) ATOMIC(or, old | v) ATOMIC(xor, old ^ v)
ATOMIC(min, min_(old, v)) ATOMIC(max, max_(old, v)) ATOMIC(exchange, v)
template <class T> FN T atomic_cas(T *p, T expected, T v) {
  T old = *p;
  if (old == expected) *p = v;
  return old;
}
#endif

// ---- between lanes -------------------------------------------------------------------------------------------------
#if ON_GPU
FN u32 shuffle(u32 x, u32 lane) { return (u32)__builtin_amdgcn_ds_bpermute((i32)(lane << 2), (i32)x); }
FN u32 push(u32 x, u32 lane) { return (u32)__builtin_amdgcn_ds_permute((i32)(lane << 2), (i32)x); }
#else
// The lane that `lane` reads with this DPP control, or -1
static int dpp_source(int lane, int control) {
  const int row = lane & ~15, at = lane & 15, n = control & 15;
  if (control < 0x100) return (lane & ~3) | (control >> 2 * (lane & 3) & 3);
  if (control < 0x110) return at + n < 16 ? lane + n : -1;   // row_shl
  if (control < 0x120) return at - n >= 0 ? lane - n : -1;   // row_shr
  if (control < 0x130) return row | ((at - n) & 15);         // row_ror
  if (control == 0x130) return lane < 63 ? lane + 1 : -1;    // wave_shl:1
  if (control == 0x134) return (lane + 1) & 63;              // wave_rol:1
  if (control == 0x138) return lane - 1;                     // wave_shr:1
  if (control == 0x13c) return (lane - 1) & 63;              // wave_ror:1
  if (control == 0x140) return row | (15 - at);              // row_mirror
  if (control == 0x141) return (lane & ~7) | (7 - (lane & 7));
  if (control == 0x142) return row ? row - 1 : -1;           // row_bcast:15
  if (control == 0x143) return lane >= 32 ? 31 : -1;         // row_bcast:31
  return row | n;                                            // row_newbcast
}
static u32 dpp(const u32 *old, const u32 *x, u32 lane, int control, u32 rows, u32 banks, bool bound) {
  const int from = dpp_source((int)lane, control);
  if (!(rows >> (lane >> 4) & 1) || !(banks >> (lane >> 2 & 3) & 1)) return old[lane];
  // Lanes without a source keep the old value, unless bound_ctrl gives them 0
  return from < 0 ? bound ? 0 : old[lane] : x[from];
}
static u32 swizzle(const u32 *x, u32 lane, u32 pattern) {
  const u32 base = lane & ~31, at = lane & 31;
  if (pattern & 0x8000) return x[(lane & ~3) | (pattern >> 2 * (lane & 3) & 3)];
  return x[base | ((((at & pattern) | pattern >> 5) ^ pattern >> 10) & 31)];
}
#endif

// ---- kernels: phases over all threads ------------------------------------------------------------------------------
// On the GPU a phase is a call; on the CPU it is a loop over the threads of the workgroup, so that a barrier, or an
// exchange between lanes, is what lies between two loops.
#if ON_GPU
#define KERNEL(NAME, STATE, THREADS, ...)                                                                    \
  extern "C" __attribute__((global)) __VA_ARGS__ void NAME(In in) {                                          \
    static __attribute__((shared)) v4u sh[THREADS];                                                          \
    static __attribute__((shared)) u32 atoms[64];                                                            \
    const u32 tid = __builtin_amdgcn_workitem_id_x() +                                                       \
                    __builtin_amdgcn_workgroup_size_x() *                                                    \
                        (__builtin_amdgcn_workitem_id_y() +                                                  \
                         __builtin_amdgcn_workgroup_size_y() * __builtin_amdgcn_workitem_id_z());            \
    const u32 bid = __builtin_amdgcn_workgroup_id_x() + 2 * __builtin_amdgcn_workgroup_id_y();               \
    const u32 gid = bid * THREADS + tid;                                                                     \
    Ctx c = {in, tid, gid, bid, in.out + (u64)gid * SLOTS, (u32 *)sh, atoms};                                \
    STATE s;
#define END_KERNEL }
#define PHASE(F) F(c, s);
#define SYNC                                               \
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");   \
  __builtin_amdgcn_s_barrier();                            \
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
#define SHUFFLE(D, X, LANE) D = shuffle(X, LANE);
#define PUSH(D, X, ODD, ADD) D = push(X, c.tid * ODD + ADD);
#define BALLOT(D, IF, X) \
  if (IF) D = __builtin_amdgcn_ballot_w64(X);
#define FIRST(D, IF, X) \
  if (IF) D = __builtin_amdgcn_readfirstlane(X);
#define READLANE(D, X, N) D = __builtin_amdgcn_readlane(X, N);
#define DPP(D, OLD, X, CONTROL, ROWS, BANKS, BOUND) D = __builtin_amdgcn_update_dpp(OLD, X, CONTROL, ROWS, BANKS, BOUND);
#define SWIZZLE(D, X, PATTERN) D = __builtin_amdgcn_ds_swizzle(X, PATTERN);
#define COUNT_BELOW(D, M, ADD) D = __builtin_amdgcn_mbcnt_hi((u32)((M) >> 32), __builtin_amdgcn_mbcnt_lo((u32)(M), ADD));
#else
#define EACH                                \
  for (u32 t = 0; t < count; t++)           \
    if (auto &c = contexts[t]; true)        \
      if (auto &s = states[t]; true)
#define KERNEL(NAME, STATE, THREADS, ...)                                                                    \
  extern "C" void NAME(const In *in, u32 groups) {                                                           \
    constexpr u32 count = THREADS;                                                                           \
    static v4u sh[count];                                                                                    \
    static u32 atoms[64];                                                                                    \
    static Ctx contexts[count];                                                                              \
    static STATE states[count];                                                                              \
    for (u32 bid = 0; bid < groups; bid++) {                                                                 \
      for (u32 t = 0; t < count; t++)                                                                        \
        contexts[t] = {*in, t, bid * count + t, bid, in->out + (u64)(bid * count + t) * SLOTS, (u32 *)sh, atoms};
#define END_KERNEL \
  }                \
  }
#define PHASE(F) EACH F(c, s);
#define SYNC
#define VALUES(T, NAME, X) \
  T NAME[count];           \
  EACH NAME[t] = X;
#define SHUFFLE(D, X, LANE)                                  \
  {                                                          \
    VALUES(u32, x, X) EACH D = x[(t & ~63u) | ((LANE) & 63)]; \
  }
#define PUSH(D, X, ODD, ADD)                                                    \
  {                                                                             \
    VALUES(u32, x, X)                                                           \
    u32 y[count];                                                               \
    EACH y[(t & ~63u) | ((c.tid * ODD + ADD) & 63)] = x[t];                     \
    EACH D = y[t];                                                              \
  }
#define BALLOT(D, IF, X)                                                        \
  {                                                                             \
    VALUES(bool, in_if, IF) VALUES(bool, x, X)                                  \
    EACH if (in_if[t]) {                                                        \
      u64 mask = 0;                                                             \
      for (u32 l = 0; l < 64; l++) mask |= (u64)(in_if[(t & ~63u) + l] && x[(t & ~63u) + l]) << l; \
      D = mask;                                                                 \
    }                                                                           \
  }
#define FIRST(D, IF, X)                                                         \
  {                                                                             \
    VALUES(bool, in_if, IF) VALUES(u32, x, X)                                   \
    EACH if (in_if[t]) {                                                        \
      u32 l = t & ~63u;                                                         \
      while (!in_if[l]) l++;                                                    \
      D = x[l];                                                                 \
    }                                                                           \
  }
#define READLANE(D, X, N)                          \
  {                                                \
    VALUES(u32, x, X) EACH D = x[(t & ~63u) + N];  \
  }
#define DPP(D, OLD, X, CONTROL, ROWS, BANKS, BOUND)                                                    \
  {                                                                                                    \
    VALUES(u32, x, X) VALUES(u32, old, OLD)                                                            \
    EACH D = dpp(old + (t & ~63u), x + (t & ~63u), t & 63, CONTROL, ROWS, BANKS, BOUND);               \
  }
#define SWIZZLE(D, X, PATTERN)                                            \
  {                                                                       \
    VALUES(u32, x, X) EACH D = swizzle(x + (t & ~63u), t & 63, PATTERN);  \
  }
#define COUNT_BELOW(D, M, ADD) EACH D = popc_((M) & ((1ull << (t & 63)) - 1)) + ADD;
#endif
