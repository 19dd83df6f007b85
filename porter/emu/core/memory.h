// Addresses of memory instructions, whether they may be touched, and how lanes' words move.
//
// Two ways lead through every handler. The fast one is for a full EXEC without checks: the lanes' addresses are
// `base + row[l]`, and the words of all lanes move at once. The other one makes a list of host addresses (Places),
// whatever the memory is, and moves lane after lane.
#pragma once
#include "image.h"

#define EACH_LANE(mask) for (u64 m_ = (mask), l; m_ && (l = __builtin_ctzll(m_), true); m_ &= m_ - 1)

// ---- allocations ----------------------------------------------------------------------------------------------------
enum { MEMORY_READ_ONLY = 1 };  // flags of memory_add
enum { MEMORY_NONE, MEMORY_LIVE, MEMORY_FREED };

// The first lane whose access is not inside one live allocation (or writes to a read-only one), or -1.
int out_of_bounds(const u64 *addresses, u64 lanes, u32 size, bool write);
// Why out_of_bounds() refused that access.
FaultKind memory_fault(u64 address, u32 size);

// What lies at or next to an address, for the report. `distance` is 0 inside `start, size`, n for the n-th byte past
// its end, -n for n bytes in front of it; state FREED means that the address was inside a range that is freed.
typedef struct { u32 state, flags; u64 start, size; i64 distance; } MemoryNear;
int memory_near(u64 address, MemoryNear *out);

extern u64 memory_generation __attribute__((visibility("hidden")));
void memory_refill(Near *near, u64 address);

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
    memory_refill(near, first);
  if (unlikely(near->end - near->start < size || (write && near->flags & MEMORY_READ_ONLY))) return false;
  i64 low = (i64)(near->start - base), high = (i64)(near->end - size - base);
  low = low < 0 ? 0 : low;
  high = high > 0xffffffffll ? 0xffffffffll : high;
  return low <= high && within(row, (u32)low, (u32)(high - low));
}

// Lanes' words from one block of memory, `n` dwords a lane, to n rows
static inline void load_block(u32 *d, const void *from, int n) {
  const u32 *p = from;
  if (n == 1) {
    memcpy(d, p, 256);
  } else if (n == 2) {
    for (int i = 0; i < 4; i++) {
      const v16 a = CROW(p, 2 * i), b = CROW(p, 2 * i + 1);
      ROW(d, i) = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
      ROW(d + 64, i) = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    }
  } else if (n == 4) {
    for (int i = 0; i < 4; i++) {
      const v16 a = CROW(p, 4 * i), b = CROW(p, 4 * i + 1), c = CROW(p, 4 * i + 2), e = CROW(p, 4 * i + 3);
      const v16 ab = __builtin_shufflevector(a, b, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
      const v16 AB = __builtin_shufflevector(a, b, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31);
      const v16 ce = __builtin_shufflevector(c, e, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
      const v16 CE = __builtin_shufflevector(c, e, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31);
#define HALVES(x, y, at) \
  __builtin_shufflevector(x, y, at, at + 1, at + 2, at + 3, at + 4, at + 5, at + 6, at + 7, at + 16, at + 17, at + 18, \
                          at + 19, at + 20, at + 21, at + 22, at + 23)
      ROW(d, i) = HALVES(ab, ce, 0);
      ROW(d + 64, i) = HALVES(ab, ce, 8);
      ROW(d + 128, i) = HALVES(AB, CE, 0);
      ROW(d + 192, i) = HALVES(AB, CE, 8);
#undef HALVES
    }
  } else {
    for (int l = 0; l < LANE_COUNT; l++)
      for (int i = 0; i < n; i++) d[64 * i + l] = p[n * l + i];
  }
}

static inline void store_block(const u32 *d, void *to, int n) {
  u32 *p = to;
  if (n == 1) {
    memcpy(p, d, 256);
  } else if (n == 2) {
    for (int i = 0; i < 4; i++) {
      const v16 a = CROW(d, i), b = CROW(d + 64, i);
      ROW(p, 2 * i) = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      ROW(p, 2 * i + 1) = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    }
  } else if (n == 4) {
    for (int i = 0; i < 4; i++) {
      const v16 a = CROW(d, i), b = CROW(d + 64, i), c = CROW(d + 128, i), e = CROW(d + 192, i);
      const v16 ab = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      const v16 AB = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
      const v16 ce = __builtin_shufflevector(c, e, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      const v16 CE = __builtin_shufflevector(c, e, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
      ROW(p, 4 * i) = __builtin_shufflevector(ab, ce, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23);
      ROW(p, 4 * i + 1) = __builtin_shufflevector(ab, ce, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31);
      ROW(p, 4 * i + 2) = __builtin_shufflevector(AB, CE, 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23);
      ROW(p, 4 * i + 3) = __builtin_shufflevector(AB, CE, 8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31);
    }
  } else {
    for (int l = 0; l < LANE_COUNT; l++)
      for (int i = 0; i < n; i++) p[n * l + i] = d[64 * i + l];
  }
}

// One lane's words
static inline void copy_words(void *to, const void *from, int n) {
  if (n == 1) *(w32 *)to = *(const w32 *)from;
  else if (n == 2) *(w64 *)to = *(const w64 *)from;
  else if (n == 4) *(v4 *)to = *(const v4 *)from;
  else memcpy(to, from, 4 * n);
}

static inline void load_rows(u32 *d, u64 base, const u32 *row, int n) {
  if (consecutive(row, 4 * n)) {
    load_block(d, (const void *)(base + row[0]), n);
    return;
  }
  u32 words[4 * LANE_COUNT] __attribute__((aligned(64)));
  for (int l = 0; l < LANE_COUNT; l++) copy_words(words + n * l, (const void *)(base + row[l]), n);
  load_block(d, words, n);
}

static inline void store_rows(const u32 *d, u64 base, const u32 *row, int n) {
  if (consecutive(row, 4 * n)) {
    store_block(d, (void *)(base + row[0]), n);
    return;
  }
  u32 words[4 * LANE_COUNT] __attribute__((aligned(64)));
  store_block(d, words, n);
  for (int l = 0; l < LANE_COUNT; l++) copy_words((void *)(base + row[l]), words + n * l, n);
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
