// A compute unit: its waves, queues and slots, and what the files that follow it do for one another:
//   unit.c      a wave's next instruction: registers, code, issue, turns
//   requests.c  what it asks of LDS and of memory
//   groups.c    workgroups: where their waves go, barriers, ends
//   die.c       the units of a die side by side, and one of them by itself
#pragma once
#include "model.h"

#include <math.h>

// MOVE: LDS cycles of an exchange between lanes. QUANTUM: cycles for which a unit goes on before the others catch up,
// far less than any answer of L2 takes. IDLE: of an access that no lane takes part in. FLAT: of a flat one of LDS.
enum { TURN = 4, WIDE = 8, SLOTS = 40, RING = 256, FLYING = 4096, PAIRS = 8, MOVE = 2, QUANTUM = 16, ASKED = 1024,
       SCALAR_PLACES = 1024, ENTRIES = 64, IDLE = 16, FLAT = 64 };
static const i64 NEVER = INT64_MAX / 2;

typedef struct { i64 time; i32 kind, passes; } Written;   // when a register was, and by what
typedef struct { i64 at[64]; int count; } Queue;          // when its entries leave

typedef struct {
  const RecordedWave *words;
  u64 at;
  u32 pc, left;                // of the block
} Cursor;

typedef struct {
  Cursor path;
  WaveTime *out, own;          // own: of units whose waves nobody asks for
  Answers *answers;            // what memory answered, or NULL
  i64 ready, end;              // when it may issue; when its last instruction ended
  i64 due;                     // when code and registers of the next instruction are there; -1: not looked at yet
  i32 due_stall;
  i64 order;                   // age
  i32 priority, group;
  bool live, waiting;
  i32 reason;                  // why it did not issue
  i64 memory[RING], lds[RING]; // when each operation is done, in their order
  u64 memory_count, lds_count;
  u64 memory_known;            // of how many memory operations the end is known
  bool parked;                 // waits for one whose end is not, since
  i64 parked_at;
  i64 memory_last, lds_last;
  i32 line;                    // the last line of code that is there, at
  i64 line_time;
  Written written[REGISTERS];
} Wave;

typedef struct { i32 live, arrived; bool taken; i64 free_at, reserved; } Slot;  // reserved: a workgroup, or -1

// An access that went out to vector memory and has not begun.
typedef struct {
  Cursor path;                 // where its lines are
  Wave *wave;
  i64 order, entered;          // whose it is; since when
  const Row *row;
  Access asks;
  i32 lines;
  bool anything;               // whether it asks for anything
} Entry;

// The workgroups that have not begun: which is the n-th, where not all are in their order.
typedef struct {
  const RecordedWave *waves;
  const u32 *order;
  u32 next, groups;
} Dispatch;

typedef struct Unit {
  const Row *rows;
  const Parameters *p;
  const Machine *m;
  Die *die;                    // NULL where the answers are known
  Dispatch *dispatch;
  u32 number;                  // of the die's units
  i64 now;
  Timing *out;
  Kept *kept;                  // NULL: nothing is
  Wave *waves;                 // [simd][slot][wave of the workgroup on that SIMD]
  u32 per_simd, resident;
  Slot slots[SLOTS];
  i64 matrix_free[8], vector_free[8], wake[8];  // of each SIMD; wake: nothing issues before
  Queue lds_queue[PAIRS];
  Entry entries[ENTRIES];      // of the queue of vector memory: those from entry_first on
  u64 entry_first, entry_last;
  i64 entry_begins;            // when the first one begins; NEVER: there is none
  i64 lds_path[PAIRS];         // when data no longer comes back to a pair of SIMDs
  i64 lds_bus[PAIRS], lds_free, address_bus, address_free, returned;
  i64 store_free;              // when L2 has room for stores
  u64 asked[ASKED];            // lines of the access that is under way
  const Wave *last_memory;     // whose access went out last
  int last_simd[PAIRS];        // of a pair: which one used LDS last
  struct { i64 time; i32 lines; } flying[FLYING];
  u64 loads, oldest;
  i32 lines_flying;
  bool scalar_there[SCALAR_PLACES];  // of scalar loads, by their place in the code: what they load is in the scalar cache
} Unit;

static inline i64 whole(double cycles) { return (i64)(cycles + 0.5); }

// The wave's next block; false at its end.
static inline bool open_block(Cursor *c) {
  const RecordedWave *w = c->words;
  while (!c->left) {
    if (c->at >= w->length || !w->words[c->at]) return false;
    c->pc = (u32)w->words[c->at];
    c->left = (u32)(w->words[c->at++] >> 32);
  }
  return true;
}

static inline void skip_accesses(Cursor *c) {
  const RecordedWave *w = c->words;
  while (c->at < w->length && is_access(w->words[c->at]) && (u32)w->words[c->at] == c->pc)
    c->at += 1 + (access_kind(w->words[c->at]) == ACCESS_GLOBAL ? access_lines(w->words[c->at]) : 0);
}

// When an operation that a counter counts is done: not before those in front of it.
static inline void remember(i64 *ring, u64 *count, i64 *last, i64 done) {
  *last = later(*last, done);
  ring[(*count)++ % RING] = *last;
}

// Whether the end of an operation is not known yet that has to be done when the counter is down to `left`.
static inline bool is_open(const Wave *w, i32 left) { return left >= 0 && w->memory_count > w->memory_known + (u64)left; }

// When the counter is down to `left`
static inline i64 counted_down(const i64 *ring, u64 count, i32 left) {
  if (left < 0 || count <= (u64)left) return 0;
  return ring[(count - (u64)left - 1) % RING];
}

#pragma GCC visibility push(hidden)

// requests.c
bool issue_lds(Unit *u, Wave *w, const Row *r, u32 simd, i64 t, i64 *end);
bool issue_memory(Unit *u, Wave *w, const Row *r, i64 t);
void serve_memory(Unit *u, i64 t);      // begins the accesses that can until `t`

// groups.c
void release(Unit *u, i32 slot, i64 t);  // all have come to the barrier
void leave(Unit *u, Wave *w, i64 end);
void reserve_slots(Unit *u, u32 units, u32 groups);
void fill_slots(Unit *u, i64 t);

// unit.c
void set_unit(Unit *u, const Row *rows, const Machine *m, const Parameters *p, u32 number);
bool go_on(Unit *u, i64 end);           // until `end`; whether the unit has work then

#pragma GCC visibility pop
