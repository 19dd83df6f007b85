// Addresses of memory instructions, whether they may be touched, and how lanes' words move.
//
// Two ways lead through every handler. The fast one is for a full EXEC without checks: the lanes' addresses are
// `base + row[l]`, and the words of all lanes move at once. The other one makes a list of host addresses (Places),
// whatever the memory is, and moves lane after lane.
#pragma once
#include "allocations.h"
#include "hooks.h"
#include "image.h"

// What vmcnt counts: it goes up by one for each instruction that moves anything.
#define NEXT_OF_MEMORY        \
  do {                        \
    w->under_way += EXEC != 0; \
    NEXT;                     \
  } while (0)

// ---- places: any memory, any EXEC -----------------------------------------------------------------------------------
typedef struct {
  u64 lanes;           // that move something
  u64 at[LANE_COUNT];  // host addresses
} Places;

// Each returns false after a fault. `vaddr`, `saddr`: which of I->s.
bool global_places(Wave *w, const Ins *I, int vaddr, int saddr, u32 size, u32 access, Places *p);
bool flat_places(Wave *w, const Ins *I, int vaddr, u32 size, u32 access, Places *p);
bool scratch_places(Wave *w, const Ins *I, int vaddr, int saddr, u32 size, u32 access, Places *p);
// `offset` is what is added to the lanes' addresses.
bool lds_places(Wave *w, const Ins *I, int vaddr, u32 offset, u32 size, u32 access, Places *p);

// Buffers: lanes out of the descriptor's range read zeros and write nothing, dword by dword.
typedef struct {
  Places p;            // lanes that are partly outside have their place in `spill`
  u64 outside, partial;
  u8 inside[LANE_COUNT];  // of partial lanes: bit i for dword i
  u64 real[LANE_COUNT];
  u8 spill[LANE_COUNT][16];
} BufferPlaces;
// The operands I->s[first]: vaddr, rsrc, soffset. `whole`: all or nothing of a lane's bytes (formats, atomics).
bool buffer_places(Wave *w, const Ins *I, int first, u32 size, u32 access, bool whole, BufferPlaces *b);
void buffer_written(BufferPlaces *b);

// The M0 base and per-lane words of loads that go to LDS; false after a fault.
bool lds_landing(Wave *w, const Ins *I, u64 lanes, u32 *base);

// ---- scalar ---------------------------------------------------------------------------------------------------------
// `at`: which of I->s is the base, the offset register after it. The low two bits of the sum are ignored.
static inline u64 scalar_address(Wave *w, const Ins *I, int at) {
  const u64 offset = I->s[at + 1] == NO_OPERAND ? 0 : scalar32(w, I->s[at + 1]);
  return (scalar64(w, I->s[at]) + offset + (u64)(i64)I->imm) & ~3ull;
}

bool scalar_good(Wave *w, const Ins *I, u64 address, u32 size, u32 access);
// How many of the n dwords of a scalar buffer access are in range; its address. I->s[at]: rsrc, soffset.
u32 scalar_buffer(Wave *w, const Ins *I, int at, u32 n, u64 *address);

// ---- rows: full EXEC ------------------------------------------------------------------------------------------------
typedef u32 v16 __attribute__((vector_size(64), aligned(4), may_alias));
typedef u32 v4 __attribute__((vector_size(16), aligned(1), may_alias));
typedef u64 w64 __attribute__((aligned(1), may_alias));
typedef u32 w32 __attribute__((aligned(1), may_alias));
typedef u16 w16 __attribute__((aligned(1), may_alias));
#define ROW(p, i) (*(v16 *)((p) + 16 * (i)))
#define CROW(p, i) (*(const v16 *)((p) + 16 * (i)))

// No lane's word, counted from `low`, is above `span`.
static inline bool within(const u32 *row, u32 low, u32 span) {
  v16 bad = {0};
  for (int i = 0; i < 4; i++) bad |= (v16)((CROW(row, i) - low) > span);
  return !__builtin_reduce_or(bad);
}

static inline bool consecutive(const u32 *row, u32 step) {
  static const v16 iota = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const v16 want = iota * step + row[0];
  v16 bad = {0};
  for (int i = 0; i < 4; i++) bad |= CROW(row, i) ^ (want + 16 * i * step);
  return !__builtin_reduce_or(bad);
}

static inline bool uniform(const u32 *row) {
  v16 bad = {0};
  for (int i = 0; i < 4; i++) bad |= CROW(row, i) ^ row[0];
  return !__builtin_reduce_or(bad);
}

// All of base + row[l] lie in one live allocation.
static inline bool reachable(Wave *w, const Ins *I, u64 base, const u32 *row, u32 size, bool write) {
  Near *near = &w->worker->near[I->index % NEAR_COUNT];
  const u64 first = base + row[0];
  if (unlikely(near->generation != __atomic_load_n(&memory_generation, __ATOMIC_RELAXED) ||
               first - near->start >= near->end - near->start))
    memory_refill(near, first, w->launch->options.device);
  if (unlikely(near->end - near->start < size || (write && near->flags & MEMORY_READ_ONLY))) return false;
  i64 low = (i64)(near->start - base), high = (i64)(near->end - size - base);
  low = low < 0 ? 0 : low;
  high = high > 0xffffffffll ? 0xffffffffll : high;
  return low <= high && within(row, (u32)low, (u32)(high - low));
}

// No lane's word has any of these bits.
static inline bool without(const u32 *row, u32 bits) {
  v16 bad = {0};
  for (int i = 0; i < 4; i++) bad |= CROW(row, i) & bits;
  return !__builtin_reduce_or(bad);
}

// Sixteen lanes from 16 * i on, as memory has them (all dwords of a lane together), and as rows have them
static inline void to_rows2(u32 *d, int i, v16 a, v16 b) {
  ROW(d, i) = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  ROW(d + 64, i) = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}

static inline void to_rows4(u32 *d, int i, v16 a, v16 b, v16 c, v16 e) {
  const v16 ab = __builtin_shufflevector(a, b, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
  const v16 AB = __builtin_shufflevector(a, b, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31);
  const v16 ce = __builtin_shufflevector(c, e, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
  const v16 CE = __builtin_shufflevector(c, e, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31);
  ROW(d, i) = __builtin_shufflevector(ab, ce, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
  ROW(d + 64, i) = __builtin_shufflevector(ab, ce, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
  ROW(d + 128, i) = __builtin_shufflevector(AB, CE, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
  ROW(d + 192, i) = __builtin_shufflevector(AB, CE, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
}

// Four lanes of 16 bytes, eight of 8
static inline v16 four(v4 a, v4 b, v4 c, v4 d) {
  typedef u32 v8 __attribute__((vector_size(32)));
  const v8 low = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
  const v8 high = __builtin_shufflevector(c, d, 0, 1, 2, 3, 4, 5, 6, 7);
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
typedef u64 v2w __attribute__((vector_size(16)));
static inline v4 two(u64 low, u64 high) { return (v4)(v2w){*(const w64 *)low, *(const w64 *)high}; }
static inline v4 whole(u64 at) { return *(const v4 *)at; }
#define FOUR_OF(AT, l) four(AT(l), AT((l) + 1), AT((l) + 2), AT((l) + 3))

// n dwords a lane from base + row[l] to n rows. A row may be its own destination.
static inline void load_rows(u32 *d, u64 base, const u32 *row, int n) {
  const u32 *p = (const u32 *)(base + row[0]);
  if (consecutive(row, 4 * n)) {
    if (n == 1) memmove(d, p, 256);
    for (int i = 0; i < 4; i++) {
      if (n == 2) to_rows2(d, i, CROW(p, 2 * i), CROW(p, 2 * i + 1));
      if (n == 4) to_rows4(d, i, CROW(p, 4 * i), CROW(p, 4 * i + 1), CROW(p, 4 * i + 2), CROW(p, 4 * i + 3));
    }
    if (n != 3) return;
  }
  if (n == 1) {
    for (int l = 0; l < LANE_COUNT; l++) d[l] = *(const w32 *)(base + row[l]);
  } else if (n == 2) {
    for (int i = 0; i < 4; i++) {
      const u32 *r = row + 16 * i;
#define PAIR(l) two(base + r[2 * (l)], base + r[2 * (l) + 1])
      to_rows2(d, i, FOUR_OF(PAIR, 0), FOUR_OF(PAIR, 4));
#undef PAIR
    }
  } else if (n == 3) {
    for (int l = 0; l < LANE_COUNT; l++) {
      u32 words[3];
      memcpy(words, (const void *)(base + row[l]), sizeof words);
      for (int i = 0; i < 3; i++) d[64 * i + l] = words[i];
    }
  } else {
    for (int i = 0; i < 4; i++) {
      const u32 *r = row + 16 * i;
#define WHOLE(l) whole(base + r[l])
      to_rows4(d, i, FOUR_OF(WHOLE, 0), FOUR_OF(WHOLE, 4), FOUR_OF(WHOLE, 8), FOUR_OF(WHOLE, 12));
#undef WHOLE
    }
  }
}

// Two times n dwords a lane, the second `apart` bytes from the first
static inline void load_rows_twice(u32 *d, u64 base, const u32 *row, i64 apart, int n) {
  if (n == 1) {
    for (int l = 0; l < LANE_COUNT; l++) {
      const u64 at = base + row[l];
      const u32 low = *(const w32 *)at, high = *(const w32 *)(at + apart);
      d[l] = low;
      d[64 + l] = high;
    }
    return;
  }
  for (int i = 0; i < 4; i++) {
    const u32 *r = row + 16 * i;
#define BOTH(l) two(base + r[l], base + r[l] + apart)
    to_rows4(d, i, FOUR_OF(BOTH, 0), FOUR_OF(BOTH, 4), FOUR_OF(BOTH, 8), FOUR_OF(BOTH, 12));
#undef BOTH
  }
}

// Sixteen bytes of x to each of four lanes' addresses, eight to each of eight
static inline void scatter4(v16 x, u64 base, const u32 *row) {
  *(v4 *)(base + row[0]) = __builtin_shufflevector(x, x, 0, 1, 2, 3);
  *(v4 *)(base + row[1]) = __builtin_shufflevector(x, x, 4, 5, 6, 7);
  *(v4 *)(base + row[2]) = __builtin_shufflevector(x, x, 8, 9, 10, 11);
  *(v4 *)(base + row[3]) = __builtin_shufflevector(x, x, 12, 13, 14, 15);
}

static inline void scatter2(v16 x, u64 base, const u32 *row) {
  typedef u64 v8w __attribute__((vector_size(64)));
  const v8w words = (v8w)x;
  for (int l = 0; l < 8; l++) *(w64 *)(base + row[l]) = words[l];
}

static inline void store_rows(const u32 *d, u64 base, const u32 *row, int n) {
  const bool block = consecutive(row, 4 * n);
  u32 *p = (u32 *)(base + row[0]);
  if (n == 1) {
    if (block) memmove(p, d, 256);
    else
      for (int l = 0; l < LANE_COUNT; l++) *(w32 *)(base + row[l]) = d[l];
  } else if (n == 2) {
    for (int i = 0; i < 4; i++) {
      const v16 a = CROW(d, i), b = CROW(d + 64, i);
      const v16 x = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      const v16 y = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
      if (block) {
        ROW(p, 2 * i) = x;
        ROW(p, 2 * i + 1) = y;
      } else {
        scatter2(x, base, row + 16 * i);
        scatter2(y, base, row + 16 * i + 8);
      }
    }
  } else if (n == 3) {
    for (int l = 0; l < LANE_COUNT; l++) {
      const u32 words[3] = {d[l], d[64 + l], d[128 + l]};
      memcpy((void *)(base + row[l]), words, sizeof words);
    }
  } else {
    for (int i = 0; i < 4; i++) {
      const v16 a = CROW(d, i), b = CROW(d + 64, i), c = CROW(d + 128, i), e = CROW(d + 192, i);
      const v16 ab = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      const v16 AB = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
      const v16 ce = __builtin_shufflevector(c, e, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      const v16 CE = __builtin_shufflevector(c, e, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
      const v16 x = __builtin_shufflevector(ab, ce, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23);
      const v16 y = __builtin_shufflevector(ab, ce, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31);
      const v16 X = __builtin_shufflevector(AB, CE, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23);
      const v16 Y = __builtin_shufflevector(AB, CE, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31);
      if (block) {
        ROW(p, 4 * i) = x;
        ROW(p, 4 * i + 1) = y;
        ROW(p, 4 * i + 2) = X;
        ROW(p, 4 * i + 3) = Y;
      } else {
        scatter4(x, base, row + 16 * i);
        scatter4(y, base, row + 16 * i + 4);
        scatter4(X, base, row + 16 * i + 8);
        scatter4(Y, base, row + 16 * i + 12);
      }
    }
  }
}

// ---- what moves -----------------------------------------------------------------------------------------------------
// LOAD_x(d, p): lane l of the rows at d from the host address p; STORE_x the other way. SIZE_x: bytes.
#define SIZE_ubyte 1
#define SIZE_sbyte 1
#define SIZE_ushort 2
#define SIZE_sshort 2
#define SIZE_ubyte_d16 1
#define SIZE_ubyte_d16_hi 1
#define SIZE_sbyte_d16 1
#define SIZE_sbyte_d16_hi 1
#define SIZE_short_d16 2
#define SIZE_short_d16_hi 2
#define SIZE_byte 1
#define SIZE_short 2
#define SIZE_byte_d16_hi 1
#define SIZE_b32 4
#define SIZE_b64 8
#define SIZE_b96 12
#define SIZE_b128 16
#define LOW_HALF(d, x) ((d)[l] = ((d)[l] & 0xffff0000u) | (u16)(x))
#define HIGH_HALF(d, x) ((d)[l] = ((d)[l] & 0xffffu) | (u32)(u16)(x) << 16)
#define LOAD_ubyte(d, p) ((d)[l] = *(const u8 *)(p))
#define LOAD_sbyte(d, p) ((d)[l] = (u32)(i32) * (const i8 *)(p))
#define LOAD_ushort(d, p) ((d)[l] = *(const w16 *)(p))
#define LOAD_sshort(d, p) ((d)[l] = (u32)(i32)(i16) * (const w16 *)(p))
#define LOAD_ubyte_d16(d, p) LOW_HALF(d, *(const u8 *)(p))
#define LOAD_ubyte_d16_hi(d, p) HIGH_HALF(d, *(const u8 *)(p))
#define LOAD_sbyte_d16(d, p) LOW_HALF(d, (i16) * (const i8 *)(p))
#define LOAD_sbyte_d16_hi(d, p) HIGH_HALF(d, (i16) * (const i8 *)(p))
#define LOAD_short_d16(d, p) LOW_HALF(d, *(const w16 *)(p))
#define LOAD_short_d16_hi(d, p) HIGH_HALF(d, *(const w16 *)(p))
#define LOAD_WORDS(d, p, n) \
  for (int i_ = 0; i_ < n; i_++) (d)[LANE_COUNT * i_ + l] = ((const w32 *)(p))[i_]
#define LOAD_b32(d, p) LOAD_WORDS(d, p, 1)
#define LOAD_b64(d, p) LOAD_WORDS(d, p, 2)
#define LOAD_b96(d, p) LOAD_WORDS(d, p, 3)
#define LOAD_b128(d, p) LOAD_WORDS(d, p, 4)
#define STORE_byte(d, p) (*(u8 *)(p) = (u8)(d)[l])
#define STORE_short(d, p) (*(w16 *)(p) = (u16)(d)[l])
#define STORE_byte_d16_hi(d, p) (*(u8 *)(p) = (u8)((d)[l] >> 16))
#define STORE_short_d16_hi(d, p) (*(w16 *)(p) = (u16)((d)[l] >> 16))
#define STORE_WORDS(d, p, n) \
  for (int i_ = 0; i_ < n; i_++) ((w32 *)(p))[i_] = (d)[LANE_COUNT * i_ + l]
#define STORE_b32(d, p) STORE_WORDS(d, p, 1)
#define STORE_b64(d, p) STORE_WORDS(d, p, 2)
#define STORE_b96(d, p) STORE_WORDS(d, p, 3)
#define STORE_b128(d, p) STORE_WORDS(d, p, 4)
