// The compute unit. Time steps by a turn of four cycles, in which each SIMD may issue one instruction of a kind, from
// different waves. Queues are closed form: when an access begins, its end is known, so waits become known times and
// nothing is polled. Memory is asked at the time that an access begins: units go on side by side, a few turns at a time.
#include "model.h"

#include <math.h>

// MOVE: LDS cycles of an exchange between lanes. QUANTUM: cycles for which a unit goes on before the others catch up,
// far less than any answer of L2 takes. IDLE: of an access that no lane takes part in. FLAT: of a flat one of LDS.
enum { TURN = 4, SLOTS = 40, RING = 256, FLYING = 4096, PAIRS = 8, MOVE = 2, QUANTUM = 16, ASKED = 1024,
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

typedef struct {
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
  i64 matrix_free[8], wake[8]; // of each SIMD; wake: nothing issues before
  Queue lds_queue[PAIRS];
  Entry entries[ENTRIES];      // of the queue of vector memory: those from entry_first on
  u64 entry_first, entry_last;
  i64 entry_begins;            // when the first one begins; NEVER: there is none
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

// ---- what a wave does next ------------------------------------------------------------------------------------------
static bool open_block(Cursor *c) {
  const RecordedWave *w = c->words;
  while (!c->left) {
    if (c->at >= w->length || !w->words[c->at]) return false;
    c->pc = (u32)w->words[c->at];
    c->left = (u32)(w->words[c->at++] >> 32);
  }
  return true;
}

// What the instruction that the cursor is at asks of memory, added up, and the lines; how many of those, or -1 where
// it asks for nothing.
static i32 next_access(Cursor *c, Access *out, u64 *lines) {
  const RecordedWave *w = c->words;
  i32 count = -1;
  *out = (Access){0};
  while (c->at < w->length && is_access(w->words[c->at]) && (u32)w->words[c->at] == c->pc) {
    const u64 head = w->words[c->at++];
    const u32 number = access_number(head);
    if (count < 0) count = 0;
    switch (access_kind(head)) {
    case ACCESS_LDS: out->lds += (u16)number, out->in_lds = true; break;
    case ACCESS_PRIVATE: out->halves += (u16)(2 * number), out->l2 += (u16)number; break;
    default:
      for (u32 i = 0; i < number; i++) {
        const u64 word = w->words[c->at + i];
        out->halves += (u16)((word & 1) + (word >> 1 & 1));
        if (count < ASKED) lines[count++] = word;
      }
      c->at += number;
    }
  }
  return count;
}

static void skip_accesses(Cursor *c) {
  const RecordedWave *w = c->words;
  while (c->at < w->length && is_access(w->words[c->at]) && (u32)w->words[c->at] == c->pc)
    c->at += 1 + (access_kind(w->words[c->at]) == ACCESS_GLOBAL ? access_number(w->words[c->at]) : 0);
}

// ---- queues ---------------------------------------------------------------------------------------------------------
static int waiting_in(Queue *q, i64 t) {
  int kept = 0;
  for (int i = 0; i < q->count; i++)
    if (q->at[i] > t) q->at[kept++] = q->at[i];
  return q->count = kept;
}

// When a queue whose entries leave in their order has room, 0 where it has now.
static i64 room_in(Queue *q, i64 t, double room) {
  const int over = waiting_in(q, t) - (int)room;
  return over < 0 ? 0 : q->at[over];
}

static void enter(Queue *q, i64 leaves) {
  if (q->count < 64) q->at[q->count++] = leaves;
}

static i64 later(i64 a, i64 b) { return a > b ? a : b; }
static i64 whole(double cycles) { return (i64)(cycles + 0.5); }

// ---- registers ------------------------------------------------------------------------------------------------------
// Cycles from the issue of a producer to the first issue of its consumer
static i64 latency(const Unit *u, const Written *by, const Row *r, bool added_to) {
  if (by->kind == MFMA) {
    if (r->kind == MFMA && added_to) return 4 * by->passes;
    return 4 * by->passes + whole(u->p->matrix_out);
  }
  if (by->kind == VALU) {
    if (r->kind == SALU || r->kind == BRANCH || r->kind == SMEM) return whole(u->p->valu_to_scalar);
    return r->kind >= LDS_READ && r->kind <= STORE ? 12 : 4;
  }
  return r->kind == SALU || r->kind == SMEM ? 4 : 8;
}

static i64 registers_ready(const Unit *u, const Wave *w, const Row *r) {
  i64 when = 0;
  for (int i = 0; i < SOURCES; i++) {
    const Range *range = &r->source[i];
    for (i32 n = range->first; n < range->first + range->count; n++) {
      const Written *by = &w->written[n];
      if (by->time) when = later(when, by->time + latency(u, by, r, i == r->accumulator));
    }
  }
  return when;
}

// Results of memory are guarded by waits, not by interlocks.
static void write_registers(Wave *w, const Row *r, i64 t) {
  const bool interlocked = r->kind == SALU || r->kind == VALU || r->kind == MFMA;
  for (int i = 0; i < TARGETS; i++)
    for (i32 n = r->target[i].first; n < r->target[i].first + r->target[i].count; n++)
      w->written[n] = (Written){interlocked ? t + r->cycles - TURN : 0, r->kind, r->passes};
}

// ---- memory ---------------------------------------------------------------------------------------------------------
static void remember(i64 *ring, u64 *count, i64 *last, i64 done) {
  *last = later(*last, done);
  ring[(*count)++ % RING] = *last;
}

static bool issue_lds(Unit *u, Wave *w, const Row *r, u32 simd, i64 t, i64 *end) {
  const u32 pair = simd / 2;
  const i64 free_at = later(u->lds_bus[pair], room_in(&u->lds_queue[pair], t, u->p->lds_queue));
  if (free_at > t) return w->ready = free_at, false;
  Access a;
  const bool any = next_access(&w->path, &a, u->asked) >= 0;
  const i64 cost = any ? whole(a.lds * u->p->lds_cost) : MOVE;
  *end = t + TURN * r->send;
  u->lds_bus[pair] = *end;
  u->last_simd[pair] = simd & 1;
  const i64 begins = later(*end + whole(u->p->lds_pipe), u->lds_free);
  u->lds_free = begins + cost;
  u->out->lds_busy += cost;
  enter(&u->lds_queue[pair], begins);
  remember(w->lds, &w->lds_count, &w->lds_last, u->lds_free + whole(u->p->lds_latency));
  return true;
}

// The wave that was served last keeps the bus while it has more.
static bool bus_is_kept(const Unit *u, const Wave *w, i64 t) {
  const Wave *last = u->last_memory;
  if (!last || last == w || !last->live || last->waiting || last->ready > t || !last->path.left) return false;
  const i32 kind = u->rows[last->path.pc].kind;
  return kind == LOAD || kind == STORE;
}

// Begins when the lines that are under way leave room for more.
static i64 room_for(Unit *u, i32 lines, i64 begins) {
  for (; u->oldest < u->loads && u->lines_flying + lines > (i32)u->p->lines_in_flight; u->oldest++) {
    u->lines_flying -= u->flying[u->oldest % FLYING].lines;
    begins = later(begins, u->flying[u->oldest % FLYING].time);
  }
  return begins;
}

// What memory says to an access whose requests go out from `begins` on.
static void answer(Unit *u, const Entry *e, i64 begins, Access *a) {
  Answers *known = e->wave->order == e->order ? e->wave->answers : NULL;
  if (!u->die) {
    if (known) *a = known->all[known->at++];
    a->latency = (i32)whole(a->latency * u->p->latency_scale);
    a->queued = (i32)whole(a->queued * u->p->queued_scale), a->held = (i32)whole(a->held * u->p->queued_scale);
    return;
  }
  a->latency = a->l2 ? whole(u->p->l2_latency) : 0;
  const bool store = e->row->kind == STORE;
  const Asks what = {.loads = !store, .writes = store, .atomic = e->row->number, .parts = store && a->halves >= 2 * e->row->bytes};
  Cursor path = e->path;
  Access again;
  const i32 asked = next_access(&path, &again, u->asked);
  if (asked > 0) ask(u->die, u->number, u->asked, (u32)asked, what, begins, u->address_free, a);
  if (!known) return;
  if (known->count == known->room) {
    known->room = known->room ? 2 * known->room : 64;
    known->all = realloc(known->all, known->room * sizeof *known->all);
  }
  known->all[known->count++] = *a;
}

// Finds when the first access of the queue begins: those before it are known.
static void look_at_entry(Unit *u) {
  u->entry_begins = NEVER;
  if (u->entry_first == u->entry_last) return;
  const Entry *e = &u->entries[u->entry_first % ENTRIES];
  if (!e->anything) u->entry_begins = e->entered;
  else if (e->row->kind == LOAD) u->entry_begins = room_for(u, e->lines, later(e->entered, u->address_free));
  else u->entry_begins = later(later(e->entered, u->address_free), u->store_free);
}

// Sends the requests of an access out from `begins` on. When it is done.
static i64 begin_access(Unit *u, const Entry *e, i64 begins) {
  Access a = e->asks;
  if (!e->anything) return begins + (a.in_lds ? FLAT : IDLE);
  const Row *r = e->row;
  i64 cost = later(whole(e->lines * u->p->address_line), a.halves);
  if (r->kind == LOAD) cost = later(cost, r->bytes);
  u->address_free = begins + cost;
  answer(u, e, begins, &a);
  i64 done = u->address_free + a.latency + a.queued;
  if (r->kind == LOAD) {
    u->returned = later(u->returned, u->address_free) + later(whole((e->lines - a.l1) * u->p->return_line + a.l1 * u->p->hit_line), r->bytes);
    done = later(done, u->returned);
    u->flying[u->loads % FLYING].time = done;
    u->flying[u->loads++ % FLYING].lines = e->lines;
    u->lines_flying += e->lines;
  } else {
    u->store_free = later(u->store_free, u->address_free + a.held);
  }
  const u32 found[5] = {a.l1, a.l2, a.pending, a.cache, a.memory};
  for (int i = 0; i < 5; i++) u->out->lines[i] += found[i];
  return done;
}

// Begins what can until `t`. Waves that waited to know when it is done go on.
static void serve_memory(Unit *u, i64 t) {
  while (u->entry_begins <= t) {
    const Entry *e = &u->entries[u->entry_first % ENTRIES];
    const i64 done = begin_access(u, e, u->entry_begins);
    Wave *w = e->wave;
    if (w->order == e->order) {
      remember(w->memory, &w->memory_known, &w->memory_last, done);
      if (w->parked) w->parked = false, w->ready = t, u->wake[w->out->simd] = 0;
    }
    u->entry_first++;
    look_at_entry(u);
  }
}

static bool issue_memory(Unit *u, Wave *w, const Row *r, i64 t) {
  const u64 waiting = u->entry_last - u->entry_first;
  const bool full = waiting >= (u64)u->p->address_queue || waiting >= ENTRIES;
  const i64 free_at = later(u->address_bus, full ? u->entry_begins : 0);
  if (free_at > t) return w->ready = free_at, false;
  if (bus_is_kept(u, w, t)) return false;
  Entry *e = &u->entries[u->entry_last % ENTRIES];
  *e = (Entry){.path = w->path, .wave = w, .order = w->order, .entered = t + TURN, .row = r};
  const i32 asked = next_access(&w->path, &e->asks, u->asked);
  e->anything = asked >= 0 && !e->asks.in_lds;  // or no lane takes part, or a flat access is one of LDS
  e->lines = asked + e->asks.l2;
  u->last_memory = w;
  u->address_bus = t + TURN * r->send;
  w->memory_count++;
  if (u->entry_last++ == u->entry_first) look_at_entry(u);
  return true;
}

// Whether the end of an operation is not known yet that has to be done when the counter is down to `left`.
static bool is_open(const Wave *w, i32 left) { return left >= 0 && w->memory_count > w->memory_known + (u64)left; }

// When the counter is down to `left`
static i64 counted_down(const i64 *ring, u64 count, i32 left) {
  if (left < 0 || count <= (u64)left) return 0;
  return ring[(count - (u64)left - 1) % RING];
}

// ---- workgroups -----------------------------------------------------------------------------------------------------
static void release(Unit *u, i32 slot, i64 t) {
  for (u32 i = 0; i < u->m->simds * u->per_simd * u->resident; i++) {
    Wave *w = &u->waves[i];
    if (!w->live || w->group != slot || !w->waiting) continue;
    const i64 end = t + whole(u->p->barrier), spent = end - w->end;
    w->waiting = false;
    w->out->by_kind[BARRIER] += spent;
    w->out->by_stall[STALL_BARRIER] += spent;
    if (w->out->event_room)
      w->out->events[w->out->event_count++] =
          (Event){w->end, BARRIER, 0, (i32)spent, (i32)w->path.pc, STALL_BARRIER, 0};
    w->ready = w->end = end;
    w->due = -1;
    u->wake[w->out->simd] = 0;
    w->path.pc++;
    if (--w->path.left == 0 && !open_block(&w->path)) w->live = false, w->out->end = end;
  }
  u->slots[slot].arrived = 0;
}

static i64 instructions_of(const RecordedWave *w) {
  i64 count = 0;
  for (u64 k = 0; k < w->length; k++) {
    if (!is_access(w->words[k])) count += (i64)(w->words[k] >> 32);
    else if (access_kind(w->words[k]) == ACCESS_GLOBAL) k += access_number(w->words[k]);
  }
  return count;
}

// Where the times and answers of the next wave go.
static void place_wave(Unit *u, Wave *w) {
  const u64 number = (u64)u->out->wave_count++;
  w->out = u->out->waves ? &u->out->waves[number] : &w->own;
  w->answers = u->kept ? &u->kept->answers[number] : NULL;
}

// The SIMD with the fewest waves: a workgroup's first wave goes there, the others to the next ones in turn.
static u32 emptiest_simd(const Unit *u) {
  const u32 room = u->resident * u->per_simd;
  u32 best = 0, least = ~0u;
  for (u32 simd = 0; simd < u->m->simds; simd++) {
    u32 live = 0;
    for (u32 i = 0; i < room; i++) live += u->waves[simd * room + i].live;
    if (live < least) best = simd, least = live;
  }
  return best;
}

static void enter_group(Unit *u, u32 slot, u32 number, i64 t) {
  const Machine *m = u->m;
  const u32 first_simd = emptiest_simd(u);
  const i64 wait = whole(u->slots[slot].reserved < 0 ? u->p->start : u->p->first_start);
  if (u->kept && u->die) u->kept->groups[u->kept->count++] = number;
  for (u32 i = 0; i < m->waves_a_group; i++) {
    const u32 simd = (first_simd + i) % m->simds, at = i / m->simds;
    Wave *w = &u->waves[(simd * u->resident + slot) * u->per_simd + at];
    const RecordedWave *words = &u->dispatch->waves[(u64)number * m->waves_a_group + i];
    memset(w, 0, sizeof *w);
    place_wave(u, w);
    w->path.words = words;
    w->live = true;
    w->due = -1;
    w->group = (i32)slot;
    w->order = (i64)number * u->per_simd + at;
    w->line = 1 << 30;
    const i64 first = t + (i64)(TURN * m->simds) * at;
    *w->out = (WaveTime){.begin = first + TURN * simd, .group = (i64)words->group, .number = i, .simd = simd,
                         .slot = slot * u->per_simd + at};
    if (m->keep && u->out->waves)
      w->out->event_room = 1, w->out->events = malloc((size_t)(instructions_of(words) + 1) * sizeof(Event));
    w->ready = w->end = first + wait;
    if (!open_block(&w->path)) w->live = false;
  }
  u->slots[slot] = (Slot){.live = (i32)m->waves_a_group, .taken = true, .reserved = -1};
}

static void leave(Unit *u, Wave *w, i64 end) {
  Slot *slot = &u->slots[w->group];
  w->live = false;
  w->out->end = end;
  u->out->cycles = later(u->out->cycles, end);
  slot->free_at = later(slot->free_at, end + whole(u->p->dispatch));
  if (--slot->live == 0) slot->taken = false;
  else if (slot->arrived && slot->arrived == slot->live) release(u, w->group, end);  // who ends counts as arrived
}

// ---- issue ----------------------------------------------------------------------------------------------------------
static i32 port_of(i32 kind) {
  switch (kind) {
  case MFMA: return VALU;
  case LDS_WRITE: return LDS_READ;
  case STORE: return LOAD;
  case SMEM: return SALU;
  default: return kind;
  }
}

static i64 fetch_ready(const Unit *u, const Wave *w, const Row *r) {
  const i32 last = (r->address + r->size - 1) >> 5;
  return last <= w->line ? 0 : w->line_time + (i64)whole(u->p->fetch_line) * (last - w->line);
}

static void branch(Unit *u, Wave *w, const Row *r, i64 t, i64 *end) {
  const Cursor *c = &w->path;
  const u64 next = c->left > 1 ? c->pc + 1 : c->at < c->words->length ? (u32)c->words->words[c->at] : c->pc;
  if (next != c->pc + 1) {
    *end = t + whole(u->p->branch);
    w->line = u->rows[next].address >> 5;
    w->line_time = *end;
  } else {
    w->line = (r->address + r->size - 1) >> 5;
    w->line_time = t + TURN;
  }
}

static bool stalled(Wave *w, Stall why) {
  w->reason = (i32)why;
  return false;
}

// Finds when the code and the registers of the next instruction are there.
static void look_at(const Unit *u, Wave *w, const Row *r) {
  const i64 fetch = fetch_ready(u, w, r);
  i64 when = registers_ready(u, w, r);
  w->due = later(fetch, when);
  w->due_stall = fetch > when ? STALL_FETCH : STALL_REGISTER;
}

// A scalar load brings a line that other waves and turns of a loop find.
static i64 scalar_latency(Unit *u, u32 pc) {
  bool *there = &u->scalar_there[pc % SCALAR_PLACES];
  const double cycles = *there ? u->p->scalar_hit : u->p->scalar_latency;
  *there = true;
  return whole(cycles);
}

// Tries to issue the wave's next instruction at t; false where it has to wait, with w->ready moved where that is known.
static bool issue(Unit *u, Wave *w, u32 simd, i64 t, u32 *used) {
  const Row *r = &u->rows[w->path.pc];
  const i32 kind = r->kind, port = port_of(kind);
  if (port < PORT_KINDS && *used >> port & 1) return stalled(w, STALL_PORT);
  if (w->due < 0) look_at(u, w, r);
  if (w->due > t) return w->ready = w->due, stalled(w, w->due_stall);
  i64 end = t + r->cycles, next = 0;
  switch (kind) {
  case MFMA:
    if (u->matrix_free[simd] > t) return w->ready = u->matrix_free[simd], stalled(w, STALL_MATRIX);
    u->matrix_free[simd] = t + 4 * r->passes;
    u->out->matrix_busy += 4 * r->passes;
    break;
  case SMEM:
    remember(w->lds, &w->lds_count, &w->lds_last, t + scalar_latency(u, w->path.pc));
    break;
  case LDS_READ: case LDS_WRITE:
    if (!issue_lds(u, w, r, simd, t, &end)) return stalled(w, STALL_LDS);
    break;
  case LOAD: case STORE:
    if (!issue_memory(u, w, r, t)) return stalled(w, STALL_MEMORY);
    break;
  case BRANCH:
    next = end;
    branch(u, w, r, t, &next);
    break;
  case WAIT: case END: {  // a wave ends, and leaves its place to another, when what it stored is done
    const i32 left = kind == END ? 0 : r->vm;
    if (is_open(w, left)) {
      if (!w->parked_at) w->parked_at = t;
      return w->parked = true, w->ready = NEVER, stalled(w, STALL_WAIT_MEMORY);
    }
    if (w->parked_at) t = w->parked_at, w->parked_at = 0;
    const i64 memory = counted_down(w->memory, w->memory_count, left);
    const i64 lds = counted_down(w->lds, w->lds_count, kind == END ? -1 : r->lgkm);
    w->reason = memory > lds ? STALL_WAIT_MEMORY : STALL_WAIT_LDS;
    end = ((later(t, later(memory, lds)) + TURN - 1) & ~(i64)(TURN - 1)) + TURN;
    if (end > t + TURN) w->out->by_stall[w->reason] += end - t - TURN;
    break;
  }
  case NOP: end = t + TURN * (r->number + 1); break;
  case SLEEP: end = t + 64 * (i64)r->number; break;
  case PRIORITY: w->priority = r->number; break;
  case BARRIER:
    skip_accesses(&w->path);
    w->waiting = true;
    w->reason = STALL_NONE;
    Slot *slot = &u->slots[w->group];
    if (++slot->arrived == slot->live) release(u, w->group, t);
    return true;
  default: break;
  }
  if (port < PORT_KINDS) *used |= 1u << port, u->out->issue_busy += TURN;
  if (kind != LDS_READ && kind != LDS_WRITE && kind != LOAD && kind != STORE) skip_accesses(&w->path);
  write_registers(w, r, t);
  const i64 stall = t - w->end;
  WaveTime *o = w->out;
  o->by_kind[kind] += end - w->end;
  if (stall > 0) o->by_stall[w->reason == STALL_NONE ? STALL_PORT : w->reason] += stall;
  if (o->event_room)
    o->events[o->event_count++] =
        (Event){w->end, kind, (i32)stall, (i32)(end - w->end), (i32)w->path.pc, w->reason, 0};
  w->reason = STALL_NONE;
  w->due = -1;
  w->end = end;
  w->ready = next ? next : end;
  w->path.pc++;
  if (--w->path.left == 0 && !open_block(&w->path)) leave(u, w, end);
  else if (kind == END) leave(u, w, end);
  return true;
}

static Wave *next_wave(Unit *u, u32 simd, i64 t, const bool *tried, u32 *at) {
  Wave *best = NULL;
  i64 best_key = NEVER;
  const u32 count = u->resident * u->per_simd;
  for (u32 i = 0; i < count; i++) {
    Wave *w = &u->waves[simd * count + i];
    if (!w->live || tried[i] || w->waiting || w->ready > t) continue;
    const i64 key = (i64)(3 - w->priority) << 40 | w->order;
    if (key < best_key) best = w, best_key = key, *at = i;
  }
  return best;
}

static void turn_of(Unit *u, u32 simd, i64 t) {
  bool tried[SLOTS] = {false};
  u32 used = 0, at = 0;
  for (Wave *w; (w = next_wave(u, simd, t, tried, &at));) {
    tried[at] = true;
    issue(u, w, simd, t, &used);
  }
  const u32 count = u->resident * u->per_simd;
  u->wake[simd] = NEVER;
  for (u32 i = 0; i < count; i++) {
    const Wave *w = &u->waves[simd * count + i];
    if (w->live && !w->waiting && w->ready < u->wake[simd]) u->wake[simd] = w->ready;
  }
}

// The next time at which a wave may issue, or a workgroup begin: turns in which all wait are passed over.
static i64 next_turn(const Unit *u, i64 t) {
  i64 first = u->entry_begins;
  for (u32 i = 0; i < u->m->simds; i++)
    if (u->wake[i] < first) first = u->wake[i];
  for (u32 s = 0; s < u->resident; s++) {
    const Slot *slot = &u->slots[s];
    if (!slot->taken && (slot->reserved >= 0 || u->dispatch->next < u->dispatch->groups) && slot->free_at < first)
      first = slot->free_at;
  }
  if (first == NEVER) return NEVER;
  return later(t + TURN, (first + TURN - 1) & ~(i64)(TURN - 1));
}

// ---- compute units and their die ------------------------------------------------------------------------------------
static void set_unit(Unit *u, const Row *rows, const Machine *m, const Parameters *p, u32 number) {
  *u = (Unit){.rows = rows, .p = p, .m = m, .number = number, .entry_begins = NEVER};
  u->resident = m->resident > SLOTS ? SLOTS : m->resident;
  u->per_simd = (m->waves_a_group + m->simds - 1) / m->simds;
  if (u->resident * u->per_simd > SLOTS) u->resident = SLOTS / u->per_simd;
  u->waves = calloc((size_t)m->simds * u->resident * u->per_simd, sizeof *u->waves);
  u->out = calloc(1, sizeof *u->out);
  for (u32 i = 0; i < PAIRS; i++) u->last_simd[i] = 1;
}

// What a workgroup takes of the dispatcher that a die's units share.
static double dispatcher_cycles(const Unit *u) {
  return fmax(u->p->group_rate, u->m->waves_a_group * u->p->wave_rate);
}

// The first workgroups go round the compute units of the die: each unit's second one comes a round later.
static void reserve_slots(Unit *u, u32 units, u32 groups) {
  for (u32 s = 0; s < u->resident; s++) {
    const i64 number = (i64)s * units + u->number;
    u->slots[s].reserved = number < groups ? number : -1;
    u->slots[s].free_at = (i64)(s * units * dispatcher_cycles(u));
  }
}

static void fill_slots(Unit *u, i64 t) {
  Dispatch *d = u->dispatch;
  for (u32 s = 0; s < u->resident; s++) {
    Slot *slot = &u->slots[s];
    if (slot->taken || t < slot->free_at) continue;
    if (slot->reserved < 0 && d->next >= d->groups) continue;
    memset(u->wake, 0, sizeof u->wake);
    const i64 begin = u->die ? dispatched(u->die, t, dispatcher_cycles(u)) : t;
    if (slot->reserved >= 0) enter_group(u, s, d->order ? d->order[slot->reserved] : (u32)slot->reserved, t);
    else {
      enter_group(u, s, d->order ? d->order[d->next] : d->next, later(t, begin)), d->next++;
      if (u->die) end_together(u->die);
    }
  }
}

// Goes on until `end`; whether the unit has work then.
static bool go_on(Unit *u, i64 end) {
  for (; u->now < end; u->now = next_turn(u, u->now)) {
    fill_slots(u, u->now);
    serve_memory(u, u->now);
    for (u32 i = 0; i < u->m->simds; i++) {  // within a pair, the SIMD that used LDS last comes second
      const u32 pair = i / 2, simd = pair * 2 + ((i & 1) ^ (u32)!u->last_simd[pair]);
      if (u->wake[simd] <= u->now) turn_of(u, simd, u->now);
    }
  }
  return u->now < NEVER;
}

static void finish(Unit *u, Timing *out) {
  *out = *u->out;
  for (i64 i = 0; i < out->wave_count; i++) out->unfinished += !out->waves[i].end;
}

// Runs the workgroups of a die on all of its compute units. Gives the waves of one, and keeps what memory answered it.
void follow_die(const Row *rows, const RecordedWave *waves, const Machine *m, const Parameters *p, Kept *kept, Timing *out) {
  Unit *units = calloc(m->compute_units, sizeof *units);
  Dispatch dispatch = {.waves = waves, .groups = m->groups};
  Die *die = new_die(m, p);
  if (m->again) remember_launch(die, waves);
  const size_t most = (size_t)m->groups * m->waves_a_group + 1;
  *kept = (Kept){.groups = calloc(m->groups + 1, sizeof(u32)), .answers = calloc(most, sizeof(Answers)), .all = most};
  for (u32 i = 0; i < m->compute_units; i++) {
    Unit *u = &units[i];
    set_unit(u, rows, m, p, i);
    reserve_slots(u, m->compute_units, m->groups);
    u->die = die, u->dispatch = &dispatch;
    if (i == m->unit) u->kept = kept, u->out->waves = calloc(most, sizeof *u->out->waves);
    dispatch.next = m->compute_units * u->resident;
  }
  i64 cycles = 0, count = 0;
  u32 leader = 0;  // goes first; by turns, or one unit would bring in the lines for all
  for (i64 t = QUANTUM, first = 0; first < NEVER && t < m->limit; t = later(t, first) / QUANTUM * QUANTUM + QUANTUM) {
    first = NEVER;
    for (u32 i = 0; i < m->compute_units; i++) {
      Unit *u = &units[(leader + i) % m->compute_units];
      if (go_on(u, t) && u->now < first) first = u->now;
    }
    leader = (leader + 1) % m->compute_units;
  }
  for (u32 i = 0; i < m->compute_units; i++) {
    cycles = later(cycles, units[i].out->cycles), count += units[i].out->wave_count;
    if (i == m->unit) finish(&units[i], out);
    free(units[i].waves), free(units[i].out);
  }
  memcpy(out->die_lines, lines_of(die), sizeof out->die_lines);
  out->die_cycles = later(cycles, all_written(die));  // a kernel ends when what it wrote is there
  out->unfinished += (i64)m->groups * m->waves_a_group - count;
  free_die(die);
  free(units);
}

// Runs the workgroups of the unit that was kept once more, by itself: memory answers as it did.
void follow_again(const Row *rows, const RecordedWave *waves, const Machine *m, const Parameters *p, Kept *kept, Timing *out) {
  Unit u;
  Dispatch dispatch = {.waves = waves, .order = kept->groups, .groups = kept->count};
  set_unit(&u, rows, m, p, 0);
  reserve_slots(&u, 1, kept->count);
  dispatch.next = u.resident;
  u.dispatch = &dispatch, u.kept = kept;
  u.out->waves = calloc((size_t)kept->count * m->waves_a_group + 1, sizeof *u.out->waves);
  for (u64 i = 0; i < kept->all; i++) kept->answers[i].at = 0;
  go_on(&u, m->limit);
  finish(&u, out);
  out->die_cycles = out->cycles;
  out->unfinished += (i64)kept->count * m->waves_a_group - out->wave_count;
  free(u.waves), free(u.out);
}

void free_kept(Kept *kept) {
  for (u64 i = 0; i < kept->all; i++) free(kept->answers[i].all);
  free(kept->answers), free(kept->groups);
  *kept = (Kept){0};
}

void free_timing(Timing *t) {
  for (i64 i = 0; t->waves && i < t->wave_count; i++) free(t->waves[i].events);
  free(t->waves);
  t->waves = NULL;
}
