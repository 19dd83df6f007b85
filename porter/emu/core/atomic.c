// Atomics on global and flat memory, on buffers, and by the scalar unit. Workgroups run on several threads, so each is
// one compare-and-swap; the lanes of a wave follow one another.
#include "atomic.h"

#include <xmmintrin.h>

#include "memory.h"

#define MXCSR_NEAREST 0x1f80u  // memory rounds to nearest and keeps denormals, whatever MODE says

#define EXCHANGE(BITS)                                                                                     \
  static inline bool replace##BITS(u64 at, u##BITS *old, u##BITS new) {                                   \
    return __atomic_compare_exchange_n((u##BITS *)at, old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }
EXCHANGE(32)
EXCHANGE(64)

#define WORD_32(p, l, at) ((p)[64 * (at) + (l)])
#define WORD_64(p, l, at) GET64((p) + 128 * (at), l)
#define WRITE_32(p, l, x) ((p)[l] = (x))
#define WRITE_64(p, l, x) PUT64(p, l, x)
#define SECOND_1(BITS) 0
#define SECOND_2(BITS) WORD_##BITS(data, l, 1)

// COUNT: values of data. RTN: whether the old value is returned, which sits in front of the operands of a buffer.
#define EXCHANGE_LANES(OP, BITS, COUNT, RTN)                                \
  const bool other = unlikely(w->mxcsr != MXCSR_NEAREST);                   \
  if (other) _mm_setcsr(MXCSR_NEAREST);                                     \
  EACH_LANE(lanes) {                                                        \
    const u##BITS a = WORD_##BITS(data, l, 0), b = SECOND_##COUNT(BITS);    \
    u##BITS old = __atomic_load_n((u##BITS *)at[l], __ATOMIC_RELAXED);      \
    while (!replace##BITS(at[l], &old, do_##OP##_##BITS(old, a, b))) {}     \
    if (RTN) WRITE_##BITS(d, l, old);                                       \
  }                                                                         \
  if (other) _mm_setcsr(w->mxcsr);

#define PLACES_global(w, I, size, p) global_places(w, I, 0, 2, size, ACCESS_ATOMIC | ACCESS_READ | ACCESS_WRITE, p)
#define PLACES_flat(w, I, size, p) flat_places(w, I, 0, size, ACCESS_ATOMIC | ACCESS_READ | ACCESS_WRITE, p)

#define ATOMIC(NAME, SPACE, OP, BITS, COUNT, RTN)                                   \
  static __attribute__((noinline)) bool NAME##_lanes(Wave *w, const Ins *I) {       \
    Places p;                                                                       \
    if (!PLACES_##SPACE(w, I, BITS / 8, &p)) return false;                          \
    const u32 *data = w->R + I->s[1];                                               \
    u32 *d = w->R + I->d;                                                           \
    const u64 lanes = p.lanes, *at = p.at;                                          \
    EXCHANGE_LANES(OP, BITS, COUNT, RTN)                                            \
    return true;                                                                    \
  }                                                                                 \
  const Ins *NAME(Wave *w, const Ins *I) {                                          \
    if (unlikely(!NAME##_lanes(w, I))) return 0;                                    \
    NEXT_OF_MEMORY;                                                                 \
  }

#define BUFFER_ATOMIC(NAME, OP, BITS, COUNT, RTN)                                   \
  static __attribute__((noinline)) bool NAME##_lanes(Wave *w, const Ins *I) {       \
    BufferPlaces b;                                                                 \
    if (!buffer_places(w, I, 1, BITS / 8, ACCESS_ATOMIC | ACCESS_READ | ACCESS_WRITE, true, &b)) return false; \
    const u32 *data = w->R + (RTN ? I->d : I->s[0]);                                \
    u32 *d = w->R + I->d;                                                           \
    const u64 lanes = b.p.lanes, *at = b.p.at;                                      \
    EXCHANGE_LANES(OP, BITS, COUNT, RTN)                                            \
    if (RTN) EACH_LANE(b.outside) WRITE_##BITS(d, l, 0);                            \
    return true;                                                                    \
  }                                                                                 \
  const Ins *NAME(Wave *w, const Ins *I) {                                          \
    if (unlikely(!NAME##_lanes(w, I))) return 0;                                    \
    NEXT_OF_MEMORY;                                                                 \
  }

#define NATIVE_atomic(...) ATOMIC(__VA_ARGS__, false)
#define NATIVE_atomic_rtn(...) ATOMIC(__VA_ARGS__, true)
#define NATIVE_buffer_atomic(...) BUFFER_ATOMIC(__VA_ARGS__, false)
#define NATIVE_buffer_atomic_rtn(...) BUFFER_ATOMIC(__VA_ARGS__, true)

// ---- scalar ---------------------------------------------------------------------------------------------------------

#define SCALAR_32(p, i) ((p)[i])
#define SCALAR_64(p, i) ((p)[2 * (i)] | (u64)(p)[2 * (i) + 1] << 32)
#define SCALAR_ACCESS (ACCESS_ATOMIC | ACCESS_READ | ACCESS_WRITE)

#define SCALAR_EXCHANGE(OP, BITS, RTN)                                                                    \
  u32 *data = &w->s[REF_INDEX(~(u32)(RTN ? I->d : I->s[0]))];                                             \
  u##BITS old = 0;                                                                                        \
  if (inside) {                                                                                           \
    if (unlikely(!scalar_good(w, I, address, BITS / 8, SCALAR_ACCESS))) return 0;                         \
    old = __atomic_load_n((u##BITS *)address, __ATOMIC_RELAXED);                                          \
    while (!replace##BITS(address, &old, do_##OP##_##BITS(old, SCALAR_##BITS(data, 0), SCALAR_##BITS(data, 1)))) {} \
  }                                                                                                       \
  if (RTN) memcpy(data, &old, sizeof old);                                                                \
  NEXT;

#define SCALAR_ATOMIC(NAME, OP, BITS, RTN)                \
  const Ins *NAME(Wave *w, const Ins *I) {                \
    const u64 address = scalar_address(w, I, 1);          \
    const bool inside = true;                             \
    SCALAR_EXCHANGE(OP, BITS, RTN)                        \
  }

#define SCALAR_BUFFER_ATOMIC(NAME, OP, BITS, RTN)                               \
  const Ins *NAME(Wave *w, const Ins *I) {                                      \
    u64 address;                                                                \
    const bool inside = scalar_buffer(w, I, 1, BITS / 32, &address) == BITS / 32; \
    SCALAR_EXCHANGE(OP, BITS, RTN)                                              \
  }

#define NATIVE_s_atomic(...) SCALAR_ATOMIC(__VA_ARGS__, false)
#define NATIVE_s_atomic_rtn(...) SCALAR_ATOMIC(__VA_ARGS__, true)
#define NATIVE_s_buffer_atomic(...) SCALAR_BUFFER_ATOMIC(__VA_ARGS__, false)
#define NATIVE_s_buffer_atomic_rtn(...) SCALAR_BUFFER_ATOMIC(__VA_ARGS__, true)

#include "natives.h"
