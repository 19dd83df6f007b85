// The compute unit. Time steps by a turn of four cycles, in which each SIMD may issue one instruction of a kind, from
// different waves. Queues are closed form: when an access enters, its end is known, so waits become known times and
// nothing is polled.
#include "model.h"

#include <math.h>

enum { TURN = 4, SLOTS = 40, RING = 256, FLYING = 4096, PAIRS = 8, MOVE = 2, ENGINES = 4 };  // MOVE: LDS cycles of an exchange between lanes
static const i64 NEVER = INT64_MAX / 2;

typedef struct { i64 time; i32 kind, passes; } Written;   // when a register was, and by what
typedef struct { i64 at[64]; int count; } Queue;          // when its entries leave

typedef struct {
  const RecordedWave *words;
  const Access *accesses;
  u64 at;
  u32 pc, left;                // of the block
  u64 access;                  // number of the next access
} Cursor;

typedef struct {
  Cursor path;
  WaveTime *out;
  i64 ready, end;              // when it may issue; when its last instruction ended
  i64 order;                   // age
  i32 priority, group;
  bool live, waiting;
  i32 reason;                  // why it did not issue
  i64 memory[RING], lds[RING]; // when each operation is done, in their order
  u64 memory_count, lds_count;
  i64 memory_last, lds_last;
  i64 scalar_ready;            // after a vector instruction that writes scalars
  i32 line;                    // the last line of code that is there, at
  i64 line_time;
  Written written[REGISTERS];
} Wave;

typedef struct { i32 live, arrived; bool taken; i64 free_at; } Slot;

typedef struct {
  const Row *rows;
  const Parameters *p;
  const Machine *m;
  double first_share;
  Timing *out;
  Wave *waves;                 // [simd][slot][wave of the workgroup on that SIMD]
  u32 per_simd, resident;
  Slot slots[SLOTS];
  i64 matrix_free[8];
  Queue lds_queue[PAIRS], address_queue;
  i64 lds_bus[PAIRS], lds_free, address_bus, address_free, returned;
  i64 l2_free, cache_free, memory_free;
  double dirty;                // bytes in L2 that are to be written back
  const Wave *last_memory;     // whose access went out last
  int last_simd[PAIRS];        // of a pair: which one used LDS last
  struct { i64 time; i32 lines; } flying[FLYING];
  u64 loads, oldest;
  i32 lines_flying;
  u64 random;
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

// The accesses of the instruction that the cursor is at, added up; false where it made none.
static bool take_access(Cursor *c, Access *out, bool *in_lds) {
  const RecordedWave *w = c->words;
  bool found = false;
  *out = (Access){0};
  while (c->at < w->length && is_access(w->words[c->at]) && (u32)w->words[c->at] == c->pc) {
    const u64 head = w->words[c->at];
    const Access *a = &c->accesses[c->access++];
    out->halves += a->halves, out->lds += a->lds, out->l1 += a->l1, out->l2 += a->l2;
    out->pending += a->pending, out->cache += a->cache, out->memory += a->memory, out->far |= a->far;
    *in_lds = access_kind(head) == ACCESS_LDS;
    c->at += 1 + (access_kind(head) == ACCESS_GLOBAL ? access_number(head) : 0);
    found = true;
  }
  return found;
}

static void skip_accesses(Cursor *c) {
  Access ignored;
  bool in_lds;
  take_access(c, &ignored, &in_lds);
}

// ---- queues ---------------------------------------------------------------------------------------------------------
static int waiting_in(Queue *q, i64 t) {
  int kept = 0;
  for (int i = 0; i < q->count; i++)
    if (q->at[i] > t) q->at[kept++] = q->at[i];
  return q->count = kept;
}

static void enter(Queue *q, i64 leaves) {
  if (q->count < 64) q->at[q->count++] = leaves;
}

static double uniform(u64 *state) {
  u64 x = *state;
  x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  *state = x;
  return ((double)(x >> 11) + 0.5) / 9007199254740992.0;
}

static i64 later(i64 a, i64 b) { return a > b ? a : b; }
static i64 whole(double cycles) { return (i64)(cycles + 0.5); }

// A server that takes `bytes` at a time: when the transfer that is asked for at `t` ends.
static i64 serve(i64 *free_at, i64 t, double bytes, double bytes_a_cycle) {
  *free_at = later(*free_at, t) + whole(bytes / bytes_a_cycle);
  return *free_at;
}

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
  if (u->lds_bus[pair] > t || waiting_in(&u->lds_queue[pair], t) >= (int)u->p->lds_queue) return false;
  Access a;
  bool in_lds = true;
  const bool any = take_access(&w->path, &a, &in_lds);
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

// When the data of an access is there, that the address unit passed on at `t`.
static i64 fetched(Unit *u, const Access *a, i64 t) {
  const Parameters *p = u->p;
  const u32 beyond = a->cache + a->memory, from_l2 = a->l2 + a->pending + beyond;
  double wait = p->l1_latency;
  i64 done = t;
  if (from_l2) {
    done = later(done, serve(&u->l2_free, t, 128.0 * from_l2, p->l2_bytes));
    wait = p->l2_latency;
  }
  if (beyond) {
    done = later(done, serve(&u->cache_free, t, 128.0 * beyond, p->cache_bytes));
    wait = p->cache_latency;
  }
  if (a->pending) wait = a->far ? p->memory_latency : p->cache_latency;
  if (a->memory) {
    serve(&u->memory_free, t, 128.0 * a->memory * u->first_share, p->memory_bytes);
    done = later(done, u->memory_free - whole(u->dirty / p->memory_bytes));
    wait = p->memory_latency;
  }
  if (wait > p->l1_latency) wait += p->crowding * u->lines_flying - p->latency_tail * log(uniform(&u->random));
  return done + whole(wait);
}

// Stores end in L2, which writes its lines back later: up to its share of L2 a unit is ahead of memory.
static i64 stored(Unit *u, const Access *a, i64 t) {
  const Parameters *p = u->p;
  const double bytes = 128.0 * (a->cache + a->memory);  // of lines that L2 does not have
  serve(&u->memory_free, t, bytes, p->memory_bytes);
  u->dirty = fmin(p->l2_share, u->dirty + bytes);
  return serve(&u->l2_free, t, 64.0 * a->halves, p->l2_bytes) + whole(p->store_latency);
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

static bool issue_memory(Unit *u, Wave *w, const Row *r, i64 t) {
  if (u->address_bus > t || waiting_in(&u->address_queue, t) >= (int)u->p->address_queue || bus_is_kept(u, w, t))
    return false;
  Access a;
  bool in_lds = false;
  const bool any = take_access(&w->path, &a, &in_lds);
  u->last_memory = w;
  u->address_bus = t + TURN * r->send;
  if (!any || in_lds) {  // no lane takes part, or a flat access of LDS
    remember(w->memory, &w->memory_count, &w->memory_last, t + (any ? 64 : 16));
    return true;
  }
  const i32 lines = a.l1 + a.l2 + a.pending + a.cache + a.memory;
  i64 cost = later(whole(lines * u->p->address_line), a.halves);
  if (r->kind == LOAD) cost = later(cost, r->bytes);
  i64 begins = later(t + TURN, u->address_free);
  if (r->kind == LOAD) begins = room_for(u, lines, begins);
  else begins = later(begins, u->memory_free - whole(u->p->l2_share / u->p->memory_bytes));
  u->address_free = begins + cost;
  enter(&u->address_queue, begins);
  i64 done;
  if (r->kind == LOAD) {
    done = later(fetched(u, &a, u->address_free), u->returned + later(whole(lines * u->p->return_line), r->bytes));
    u->returned = done;
    u->flying[u->loads % FLYING].time = done;
    u->flying[u->loads++ % FLYING].lines = lines;
    u->lines_flying += lines;
  } else {
    done = stored(u, &a, u->address_free);
  }
  const u32 found[5] = {a.l1, a.l2, a.pending, a.cache, a.memory};
  for (int i = 0; i < 5; i++) u->out->lines[i] += found[i];
  remember(w->memory, &w->memory_count, &w->memory_last, done);
  return true;
}

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
    w->path.pc++;
    if (--w->path.left == 0 && !open_block(&w->path)) w->live = false, w->out->end = end;
  }
  u->slots[slot].arrived = 0;
}

static void enter_group(Unit *u, u32 slot, u32 number, const RecordedWave *waves, const WaveAccesses *accesses, i64 t) {
  const Machine *m = u->m;
  for (u32 i = 0; i < m->waves_a_group; i++) {
    const u32 simd = i % m->simds, at = i / m->simds;
    Wave *w = &u->waves[(simd * u->resident + slot) * u->per_simd + at];
    const u64 index = (u64)number * m->waves_a_group + i;
    memset(w, 0, sizeof *w);
    w->path.words = &waves[index];
    w->path.accesses = accesses[index].accesses;
    w->out = &u->out->waves[u->out->wave_count++];
    w->live = true;
    w->group = (i32)slot;
    w->order = (i64)number * u->per_simd + at;
    w->line = 1 << 30;
    const i64 first = t + (i64)(TURN * m->simds) * at;
    *w->out = (WaveTime){.begin = first + TURN * simd, .group = (i64)waves[index].group, .number = i, .simd = simd,
                         .slot = slot * u->per_simd + at};
    if (m->keep) {
      w->out->event_room = 1;
      i64 instructions = 0;
      for (u64 k = 0; k < waves[index].length; k++) {
        const u64 word = waves[index].words[k];
        if (!is_access(word)) instructions += (i64)(word >> 32);
        else if (access_kind(word) == ACCESS_GLOBAL) k += access_number(word);
      }
      w->out->events = malloc((size_t)(instructions + 1) * sizeof(Event));
    }
    w->ready = w->end = first + whole(number >= m->compute_units * m->resident ? u->p->start : u->p->first_start);
    if (!open_block(&w->path)) w->live = false;
  }
  u->slots[slot] = (Slot){.live = (i32)m->waves_a_group, .taken = true};
}

static void leave(Unit *u, Wave *w, i64 end) {
  Slot *slot = &u->slots[w->group];
  w->live = false;
  w->out->end = end;
  u->out->cycles = later(u->out->cycles, end);
  if (--slot->live == 0) slot->taken = false, slot->free_at = end + whole(u->p->dispatch);
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

// Tries to issue the wave's next instruction at t; false where it has to wait, with w->ready moved where that is known.
static bool issue(Unit *u, Wave *w, u32 simd, i64 t, u32 *used) {
  const Row *r = &u->rows[w->path.pc];
  const i32 kind = r->kind, port = port_of(kind);
  if (port < PORT_KINDS && *used >> port & 1) return stalled(w, STALL_PORT);
  const i64 fetch = fetch_ready(u, w, r);
  if (fetch > t) return w->ready = fetch, stalled(w, STALL_FETCH);
  i64 when = registers_ready(u, w, r);
  if (kind == SALU || kind == BRANCH || kind == SMEM) when = later(when, w->scalar_ready);
  if (when > t) return w->ready = when, stalled(w, STALL_REGISTER);
  i64 end = t + r->cycles, next = 0;
  switch (kind) {
  case VALU:
    if (r->writes_scalar) w->scalar_ready = t + whole(u->p->valu_to_scalar);
    break;
  case MFMA:
    if (u->matrix_free[simd] > t) return stalled(w, STALL_MATRIX);
    u->matrix_free[simd] = t + 4 * r->passes;
    u->out->matrix_busy += 4 * r->passes;
    break;
  case SMEM:
    remember(w->lds, &w->lds_count, &w->lds_last, t + whole(u->p->scalar_latency));
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
  case WAIT: {
    const i64 memory = counted_down(w->memory, w->memory_count, r->vm), lds = counted_down(w->lds, w->lds_count, r->lgkm);
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
}

// The next time at which a wave may issue: turns in which all wait are passed over.
static i64 next_turn(const Unit *u, i64 t) {
  i64 first = NEVER;
  for (u32 i = 0; i < u->m->simds * u->resident * u->per_simd; i++) {
    const Wave *w = &u->waves[i];
    if (w->live && !w->waiting && w->ready < first) first = w->ready;
  }
  for (u32 s = 0; s < u->resident; s++)
    if (!u->slots[s].taken && u->slots[s].free_at > t && u->slots[s].free_at < first) first = u->slots[s].free_at;
  if (first <= t || first == NEVER) return t + TURN;
  return later(t + TURN, (first + TURN - 1) & ~(i64)(TURN - 1));
}

static i64 groups_here(const Machine *m) {
  i64 count = 0;
  for (u32 n = m->unit; n < m->groups; n += m->compute_units) count++;
  return count;
}

// Runs the workgroups that the followed compute unit gets, at most `resident` at once.
void follow_unit(const Row *rows, const RecordedWave *waves, const Levels *levels, const Machine *m,
                 const Parameters *p, Timing *out) {
  Unit *u = calloc(1, sizeof *u);
  *u = (Unit){.rows = rows, .p = p, .m = m, .first_share = levels->first_share, .out = out, .resident = m->resident > SLOTS ? SLOTS : m->resident};
  u->per_simd = (m->waves_a_group + m->simds - 1) / m->simds;
  if (u->resident * u->per_simd > SLOTS) u->resident = SLOTS / u->per_simd;
  u->random = 88172645463325252ull + (u64)p->seed * 7919;
  for (u32 i = 0; i < PAIRS; i++) u->last_simd[i] = 1;
  u->waves = calloc((size_t)m->simds * u->resident * u->per_simd, sizeof *u->waves);
  const i64 total = groups_here(m);
  memset(out, 0, sizeof *out);
  out->waves = calloc((size_t)(total * m->waves_a_group) + 1, sizeof *out->waves);
  // The first workgroups go round the compute units of the die: each unit's second one comes a round later.
  for (u32 s = 0; s < u->resident; s++)
    u->slots[s].free_at = (i64)s * TURN * m->waves_a_group * m->compute_units / ENGINES;
  u32 next = m->unit;
  i64 entered = 0;
  for (i64 t = 0; t < m->limit; t = next_turn(u, t)) {
    u32 busy = 0;
    for (u32 s = 0; s < u->resident; s++) {
      if (!u->slots[s].taken && next < m->groups && t >= u->slots[s].free_at) {
        enter_group(u, s, next, waves, levels->waves, t);
        next += m->compute_units;
        entered++;
      }
      busy += u->slots[s].taken;
    }
    if (!busy && next >= m->groups) break;
    for (u32 i = 0; i < m->simds; i++) {  // within a pair, the SIMD that used LDS last comes second
      const u32 pair = i / 2, simd = pair * 2 + ((i & 1) ^ (u32)!u->last_simd[pair]);
      turn_of(u, simd, t);
    }
  }
  out->cycles = later(out->cycles, u->memory_free);  // a kernel ends when what it wrote is there
  for (i64 i = 0; i < out->wave_count; i++) out->unfinished += !out->waves[i].end;
  out->unfinished += (total - entered) * m->waves_a_group;
  free(u->waves);
  free(u);
}

void free_timing(Timing *t) {
  for (i64 i = 0; t->waves && i < t->wave_count; i++) free(t->waves[i].events);
  free(t->waves);
  t->waves = NULL;
}
