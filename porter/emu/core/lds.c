// LDS: loads, stores, atomics, and what moves words between lanes. The waves of a workgroup take turns on one thread,
// so an atomic needs no lock.
#include "atomic.h"

#include <xmmintrin.h>

#include "hooks.h"
#include "memory.h"

#define BY_LANES(NAME)                           \
  const Ins *NAME(Wave *w, const Ins *I) {       \
    if (unlikely(!NAME##_lanes(w, I))) return 0; \
    NEXT;                                        \
  }
#define FAST(w) (likely(EXEC == ALL_LANES))

// All lanes' row + offset .. + size lie in LDS. A sum that wraps takes the other way.
static inline bool inside(Wave *w, const u32 *row, u32 offset, u32 size) {
  return offset + size <= w->lds_size && within(row, 0, w->lds_size - offset - size);
}

// ---- one place a lane -----------------------------------------------------------------------------------------------

#define NATIVE_lds_read(NAME, TYPE)                                                                 \
  static __attribute__((noinline)) bool NAME##_lanes(Wave *w, const Ins *I) {                       \
    const u32 *row = w->R + I->s[0];                                                                \
    u32 *d = w->R + I->d;                                                                           \
    if (FAST(w) && inside(w, row, (u32)I->imm, SIZE_##TYPE)) {                                      \
      const u8 *base = w->lds + (u32)I->imm;                                                        \
      CHECK_ROWS(SPACE_LDS, (u32)I->imm, row, SIZE_##TYPE, ACCESS_READ);                            \
      for (int l = 0; l < LANE_COUNT; l++) LOAD_##TYPE(d, base + row[l]);                           \
      return true;                                                                                  \
    }                                                                                               \
    Places p;                                                                                       \
    if (!lds_places(w, I, 0, (u32)I->imm, SIZE_##TYPE, ACCESS_READ, &p)) return false;              \
    EACH_LANE(p.lanes) { LOAD_##TYPE(d, p.at[l]); }                                                 \
    return true;                                                                                    \
  }                                                                                                 \
  BY_LANES(NAME)

#define NATIVE_lds_write(NAME, TYPE)                                                                \
  static __attribute__((noinline)) bool NAME##_lanes(Wave *w, const Ins *I) {                       \
    const u32 *row = w->R + I->s[0], *d = w->R + I->s[1];                                           \
    if (FAST(w) && inside(w, row, (u32)I->imm, SIZE_##TYPE)) {                                      \
      u8 *base = w->lds + (u32)I->imm;                                                              \
      CHECK_ROWS(SPACE_LDS, (u32)I->imm, row, SIZE_##TYPE, ACCESS_WRITE);                           \
      for (int l = 0; l < LANE_COUNT; l++) STORE_##TYPE(d, base + row[l]);                          \
      return true;                                                                                  \
    }                                                                                               \
    Places p;                                                                                       \
    if (!lds_places(w, I, 0, (u32)I->imm, SIZE_##TYPE, ACCESS_WRITE, &p)) return false;             \
    EACH_LANE(p.lanes) { STORE_##TYPE(d, p.at[l]); }                                                \
    return true;                                                                                    \
  }                                                                                                 \
  BY_LANES(NAME)

#define NATIVE_lds_read_words(NAME, N, TYPE)                                                        \
  static __attribute__((noinline)) bool NAME##_lanes(Wave *w, const Ins *I) {                       \
    const u32 *row = w->R + I->s[0];                                                                \
    if (FAST(w) && inside(w, row, (u32)I->imm, 4 * N)) {                                            \
      CHECK_ROWS(SPACE_LDS, (u32)I->imm, row, 4 * N, ACCESS_READ);                                  \
      load_rows(w->R + I->d, (u64)(uintptr_t)w->lds + (u32)I->imm, row, N);                         \
      CHECK_LOADED(w->R + I->d, N);                                                                 \
      return true;                                                                                  \
    }                                                                                               \
    Places p;                                                                                       \
    if (!lds_places(w, I, 0, (u32)I->imm, 4 * N, ACCESS_READ, &p)) return false;                    \
    u32 *d = w->R + I->d;                                                                           \
    EACH_LANE(p.lanes) { LOAD_##TYPE(d, p.at[l]); }                                                 \
    return true;                                                                                    \
  }                                                                                                 \
  BY_LANES(NAME)

#define NATIVE_lds_write_words(NAME, N, TYPE)                                                       \
  static __attribute__((noinline)) bool NAME##_lanes(Wave *w, const Ins *I) {                       \
    const u32 *row = w->R + I->s[0], *d = w->R + I->s[1];                                           \
    if (FAST(w) && inside(w, row, (u32)I->imm, 4 * N)) {                                            \
      CHECK_ROWS(SPACE_LDS, (u32)I->imm, row, 4 * N, ACCESS_WRITE);                                 \
      store_rows(d, (u64)(uintptr_t)w->lds + (u32)I->imm, row, N);                                  \
      return true;                                                                                  \
    }                                                                                               \
    Places p;                                                                                       \
    if (!lds_places(w, I, 0, (u32)I->imm, 4 * N, ACCESS_WRITE, &p)) return false;                   \
    EACH_LANE(p.lanes) { STORE_##TYPE(d, p.at[l]); }                                                \
    return true;                                                                                    \
  }                                                                                                 \
  BY_LANES(NAME)

// ---- two places a lane: offsets count units of N dwords, or of 64 times that ----------------------------------------

static bool both_places(Wave *w, const Ins *I, u32 unit, u32 size, u32 access, Places *p, Places *q) {
  return lds_places(w, I, 0, (u32)I->imm * unit, size, access, p) &&
         lds_places(w, I, 0, (u32)I->imm2 * unit, size, access | ACCESS_SECOND, q);
}

#define NATIVE_lds_read2(NAME, N, SCALE)                                                            \
  static __attribute__((noinline)) bool NAME##_lanes(Wave *w, const Ins *I) {                       \
    const u32 *row = w->R + I->s[0];                                                                \
    u32 *d = w->R + I->d;                                                                           \
    const u32 first = (u32)I->imm * 4 * N * SCALE, second = (u32)I->imm2 * 4 * N * SCALE;           \
    if (FAST(w) && inside(w, row, first > second ? first : second, 4 * N)) {                        \
      CHECK_ROWS(SPACE_LDS, first, row, 4 * N, ACCESS_READ);                                        \
      CHECK_ROWS(SPACE_LDS, second, row, 4 * N, ACCESS_READ);                                       \
      load_rows_twice(d, (u64)(uintptr_t)w->lds + first, row, (i64)second - first, N);              \
      CHECK_LOADED(d, 2 * N);                                                                       \
      return true;                                                                                  \
    }                                                                                               \
    Places p, q;                                                                                    \
    if (!both_places(w, I, 4 * N * SCALE, 4 * N, ACCESS_READ, &p, &q)) return false;                \
    EACH_LANE(p.lanes) {                                                                            \
      LOAD_WORDS(d, p.at[l], N);                                                                    \
      LOAD_WORDS(d + N * LANE_COUNT, q.at[l], N);                                                   \
    }                                                                                               \
    return true;                                                                                    \
  }                                                                                                 \
  BY_LANES(NAME)

#define NATIVE_lds_write2(NAME, N, SCALE)                                                           \
  static __attribute__((noinline)) bool NAME##_lanes(Wave *w, const Ins *I) {                       \
    const u32 *row = w->R + I->s[0], *a = w->R + I->s[1], *b = w->R + I->s[2];                      \
    const u32 first = (u32)I->imm * 4 * N * SCALE, second = (u32)I->imm2 * 4 * N * SCALE;           \
    if (FAST(w) && inside(w, row, first > second ? first : second, 4 * N)) {                        \
      const u64 base = (u64)(uintptr_t)w->lds;                                                      \
      CHECK_ROWS(SPACE_LDS, first, row, 4 * N, ACCESS_WRITE);                                       \
      CHECK_ROWS(SPACE_LDS, second, row, 4 * N, ACCESS_WRITE | ACCESS_SECOND);                      \
      store_rows(a, base + first, row, N);                                                          \
      store_rows(b, base + second, row, N);                                                         \
      return true;                                                                                  \
    }                                                                                               \
    Places p, q;                                                                                    \
    if (!both_places(w, I, 4 * N * SCALE, 4 * N, ACCESS_WRITE, &p, &q)) return false;               \
    EACH_LANE(p.lanes) {                                                                            \
      STORE_WORDS(a, p.at[l], N);                                                                   \
      STORE_WORDS(b, q.at[l], N);                                                                   \
    }                                                                                               \
    return true;                                                                                    \
  }                                                                                                 \
  BY_LANES(NAME)

// ---- atomics --------------------------------------------------------------------------------------------------------

#define WORD_32(p, l) ((p)[l])
#define WORD_64(p, l) GET64(p, l)
#define WRITE_32(p, l, x) ((p)[l] = (x))
#define WRITE_64(p, l, x) PUT64(p, l, x)
#define ATOMIC (ACCESS_ATOMIC | ACCESS_READ | ACCESS_WRITE)

// Doubles and halves have their own rounding and denormals in MODE; mxcsr holds those of f32.
static inline bool other_mode(Wave *w, bool f32) {
  if (f32 || likely(!MIXED_MODE(w))) return false;
  _mm_setcsr(mxcsr_of_mode(w->mode >> 2));
  return true;
}

#define IS_F32(OP, BITS) (#OP[0] == 'f' && BITS == 32)

#define CHANGE(OP, BITS, RTN, AT)                                          \
  {                                                                        \
    const u##BITS a = WORD_##BITS(first, l), b = WORD_##BITS(second, l);   \
    u##BITS *at = (u##BITS *)(AT), old = *at;                              \
    *at = do_##OP##_##BITS(old, a, b);                                     \
    if (RTN) WRITE_##BITS(d, l, old);                                      \
  }

#define LDS_ATOMIC(NAME, OP, BITS, COUNT, RTN)                                               \
  static __attribute__((noinline)) bool NAME##_lanes(Wave *w, const Ins *I) {                \
    const u32 *first = w->R + I->s[1], *second = COUNT == 2 ? w->R + I->s[2] : first;        \
    const u32 *row = w->R + I->s[0];                                                         \
    u32 *d = w->R + I->d;                                                                    \
    const bool other = other_mode(w, IS_F32(OP, BITS));                                      \
    if (FAST(w) && inside(w, row, (u32)I->imm, BITS / 8) && without(row, BITS / 8 - 1) &&    \
        !(I->imm & (BITS / 8 - 1))) {                                                        \
      u8 *base = w->lds + (u32)I->imm;                                                       \
      CHECK_ROWS(SPACE_LDS, (u32)I->imm, row, BITS / 8, ATOMIC);                             \
      for (int l = 0; l < LANE_COUNT; l++) CHANGE(OP, BITS, RTN, base + row[l])              \
    } else {                                                                                 \
      Places p;                                                                              \
      if (!lds_places(w, I, 0, (u32)I->imm, BITS / 8, ATOMIC, &p)) return false;             \
      EACH_LANE(p.lanes) CHANGE(OP, BITS, RTN, p.at[l])                                      \
    }                                                                                        \
    if (other) _mm_setcsr(w->mxcsr);                                                         \
    return true;                                                                             \
  }                                                                                          \
  BY_LANES(NAME)

#define NATIVE_lds_atomic(...) LDS_ATOMIC(__VA_ARGS__, false)
#define NATIVE_lds_atomic_rtn(...) LDS_ATOMIC(__VA_ARGS__, true)

// Exchanges two places a lane
#define NATIVE_lds_exchange2(NAME, BITS, SCALE)                                              \
  static __attribute__((noinline)) bool NAME##_lanes(Wave *w, const Ins *I) {                \
    Places p, q;                                                                             \
    if (!both_places(w, I, BITS / 8 * SCALE, BITS / 8, ATOMIC, &p, &q)) return false;        \
    const u32 *first = w->R + I->s[1], *second = w->R + I->s[2];                             \
    u32 *d = w->R + I->d;                                                                    \
    EACH_LANE(p.lanes) {                                                                     \
      const u##BITS a = WORD_##BITS(first, l), b = WORD_##BITS(second, l);                   \
      u##BITS *at = (u##BITS *)p.at[l], *next = (u##BITS *)q.at[l];                          \
      const u##BITS old = *at, older = *next;                                                \
      *at = a;                                                                               \
      *next = b;                                                                             \
      WRITE_##BITS(d, l, old);                                                               \
      WRITE_##BITS(d + LANE_COUNT * BITS / 32, l, older);                                    \
    }                                                                                        \
    return true;                                                                             \
  }                                                                                          \
  BY_LANES(NAME)

// ---- one place for the wave, at M0 ----------------------------------------------------------------------------------

// A counter that the active lanes add themselves to (SIGN 1) or take themselves from (-1); all see its old value.
static bool count_lanes(Wave *w, const Ins *I, i32 sign) {
  const u64 lanes = EXEC, address = (M0 & 0xffff) + (u32)I->imm;
  if (!lanes) return true;
  const int lane = __builtin_ctzll(lanes);
  u64 offsets[LANE_COUNT];
  offsets[lane] = address;
  if (address + 4 > w->lds_size) return fault(w, I, FAULT_LDS_BOUNDS, lane, address, 4, -1), false;
  if (address & 3) return fault(w, I, FAULT_MISALIGNED, lane, address, 4, -1), false;
  if (unlikely(w->shadow)) hooks.access(w, I, SPACE_LDS, offsets, 1ull << lane, 4, ATOMIC);
  u32 *at = (u32 *)(w->lds + address), *d = w->R + I->d;
  const u32 old = *at;
  *at = old + (u32)(sign * __builtin_popcountll(lanes));
  EACH_LANE(lanes) d[l] = old;
  return true;
}

#define NATIVE_lds_count(NAME, SIGN)                          \
  const Ins *NAME(Wave *w, const Ins *I) {                    \
    if (unlikely(!count_lanes(w, I, SIGN))) return 0;         \
    NEXT;                                                     \
  }

// Dword `lane` after M0
static bool by_lane_number(Wave *w, const Ins *I, u32 access, u32 *d) {
  const u32 base = (M0 & 0xffff) + (u32)I->imm;
  const u64 lanes = EXEC;
  u64 offsets[LANE_COUNT];
  EACH_LANE(lanes) {
    offsets[l] = base + 4 * l;
    if (offsets[l] + 4 > w->lds_size) return fault(w, I, FAULT_LDS_BOUNDS, (int)l, offsets[l], 4, -1), false;
  }
  if (unlikely(w->shadow) && lanes) hooks.access(w, I, SPACE_LDS, offsets, lanes, 4, access);
  EACH_LANE(lanes) {
    if (access == ACCESS_READ) d[l] = *(w32 *)(w->lds + offsets[l]);
    else *(w32 *)(w->lds + offsets[l]) = d[l];
  }
  return true;
}

const Ins *op_ds_read_addtid_b32(Wave *w, const Ins *I) {
  if (unlikely(!by_lane_number(w, I, ACCESS_READ, w->R + I->d))) return 0;
  NEXT;
}

const Ins *op_ds_write_addtid_b32(Wave *w, const Ins *I) {
  if (unlikely(!by_lane_number(w, I, ACCESS_WRITE, w->R + I->s[0]))) return 0;
  NEXT;
}

// ---- between lanes; no memory is involved ---------------------------------------------------------------------------

// d = what lane from[l] has, 0 where that lane is not active
static void take(Wave *w, u32 *d, const u32 *data, const u8 *from) {
  const u64 lanes = EXEC;
  u32 out[LANE_COUNT];
  for (int l = 0; l < LANE_COUNT; l++) out[l] = data[from[l]];
  if (likely(lanes == ALL_LANES)) {
    memcpy(d, out, sizeof out);
    return;
  }
  EACH_LANE(lanes) d[l] = lanes >> from[l] & 1 ? out[l] : 0;
}

static void bpermute_lanes(const Wave *w, const Ins *I, u8 *from) {
  const u32 *row = w->R + I->s[0];
  for (int l = 0; l < LANE_COUNT; l++) from[l] = (row[l] + (u32)I->imm) >> 2 & 63;
}

static __attribute__((noinline)) void bpermute(Wave *w, const Ins *I) {
  u8 from[LANE_COUNT];
  bpermute_lanes(w, I, from);
  take(w, w->R + I->d, w->R + I->s[1], from);
}

const Ins *op_ds_bpermute_b32(Wave *w, const Ins *I) {
  bpermute(w, I);
  NEXT;
}

static __attribute__((noinline)) void permute(Wave *w, const Ins *I) {
  const u32 *row = w->R + I->s[0], *data = w->R + I->s[1];
  u32 out[LANE_COUNT] = {0}, *d = w->R + I->d;
  EACH_LANE(EXEC) out[(row[l] + (u32)I->imm) >> 2 & 63] = data[l];
  EACH_LANE(EXEC) d[l] = out[l];
}

const Ins *op_ds_permute_b32(Wave *w, const Ins *I) {
  permute(w, I);
  NEXT;
}

static u32 reversed5(u32 x) { return (x & 1) << 4 | (x & 2) << 2 | (x & 4) | (x & 8) >> 2 | (x & 16) >> 4; }

// Which lane of its 32 (of its four with bit 15 set alone) lane l takes from: CDNA3 ISA, DS_SWIZZLE_B32
static u32 swizzled(u32 l, u32 offset) {
  const u32 five = l & 31, mask = offset & 31;
  if (offset >= 0xe000) return (l & 32) | reversed5(five) >> __builtin_popcount(mask) | (five & mask);
  if (offset >= 0xc000) {
    const u32 by = offset >> 5 & 31, turned = offset >> 10 & 1 ? five - by : five + by;
    return (l & 32) | (five & mask) | (turned & ~mask & 31);
  }
  if (offset & 0x8000) return (l & ~3u) | (offset >> 2 * (l & 3) & 3);
  return (l & 32) | (((five & mask) | (offset >> 5 & 31)) ^ (offset >> 10 & 31));
}

static void swizzle_lanes(const Ins *I, u8 *from) {
  const u32 offset = (u16)I->imm;
  if (offset & 0x8000) {
    for (u32 l = 0; l < LANE_COUNT; l++) from[l] = (u8)swizzled(l, offset);
  } else {
    for (u32 l = 0; l < LANE_COUNT; l++) from[l] = (u8)swizzled(l, offset & 0x7fff);
  }
}

static __attribute__((noinline)) void swizzle(Wave *w, const Ins *I) {
  u8 from[LANE_COUNT];
  swizzle_lanes(I, from);
  take(w, w->R + I->d, w->R + I->s[0], from);
}

const Ins *op_ds_swizzle_b32(Wave *w, const Ins *I) {
  swizzle(w, I);
  NEXT;
}

u64 lds_moved(Wave *w, const Ins *I, u64 defined) {
  const u64 active = EXEC;
  u64 moved = 0;
  u8 from[LANE_COUNT];
  if (I->real == op_ds_permute_b32) {  // the highest lane wins; lanes that nobody sends to get 0
    bpermute_lanes(w, I, from);
    moved = ALL_LANES;
    EACH_LANE(active) moved = (moved & ~(1ull << from[l])) | (defined >> l & 1) << from[l];
    return moved;
  }
  if (I->real == op_ds_bpermute_b32) bpermute_lanes(w, I, from);
  else swizzle_lanes(I, from);
  for (int l = 0; l < LANE_COUNT; l++) moved |= ((defined | ~active) >> from[l] & 1) << l;
  return moved;
}

#include "natives.h"
