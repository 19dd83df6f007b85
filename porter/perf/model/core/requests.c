// What the waves of a unit ask of LDS and of memory. Queues are closed form: when an access begins, its end is known.
// Memory is asked at the time that an access begins.
#include "unit.h"

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
      out->cycles += (u16)access_cycles(head);
      for (u32 i = 0; i < access_lines(head); i++) {
        const u64 word = w->words[c->at + i];
        out->halves += (u16)((word & 1) + (word >> 1 & 1));
        if (count < ASKED) lines[count++] = word;
      }
      c->at += access_lines(head);
    }
  }
  return count;
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

// ---- memory ---------------------------------------------------------------------------------------------------------
bool issue_lds(Unit *u, Wave *w, const Row *r, u32 simd, i64 t, i64 *end) {
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
  const i64 goes_back = later(begins, u->lds_path[pair]);
  u->lds_path[pair] = goes_back + (r->kind == LDS_READ && any ? r->bytes : 0);  // 64 bytes a cycle: a byte of each lane
  enter(&u->lds_queue[pair], goes_back);
  remember(w->lds, &w->lds_count, &w->lds_last, later(u->lds_free, u->lds_path[pair]) + whole(u->p->lds_latency));
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
static i64 room_for(Unit *u, i32 lines, double most, i64 begins) {
  for (; u->oldest < u->loads && u->lines_flying + lines > (i32)most; u->oldest++) {
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
  else if (e->row->kind == LOAD) u->entry_begins = room_for(u, e->lines, u->p->lines_in_flight, later(e->entered, u->address_free));
  else {
    u->entry_begins = later(later(e->entered, u->address_free), u->store_free);
    if (e->row->number) u->entry_begins = room_for(u, e->lines, u->p->updates_in_flight, u->entry_begins);
  }
}

// Sends the requests of an access out from `begins` on. When it is done.
static i64 begin_access(Unit *u, const Entry *e, i64 begins) {
  Access a = e->asks;
  if (!e->anything) return begins + (a.in_lds ? FLAT : IDLE);
  const Row *r = e->row;
  i64 cost = later(whole(e->lines * u->p->address_line), a.halves);
  if (r->kind == LOAD) cost = later(cost, later(r->bytes, a.cycles));
  u->address_free = begins + whole(cost * u->p->address_scale);
  answer(u, e, begins, &a);
  i64 done = u->address_free + a.latency + a.queued;
  if (r->kind == LOAD) {
    const double part = e->lines ? a.halves / (2.0 * e->lines) : 1;  // L1 asks for the halves that it needs
    const i64 turns = whole((e->lines - a.l1) * u->p->return_line * part + a.l1 * u->p->hit_line);
    u->returned = later(u->returned, u->address_free) + later(turns, r->bytes);
    done = later(done, u->returned);
  } else {
    u->store_free = later(u->store_free, u->address_free + a.held);
  }
  if (r->kind == LOAD || r->number) {  // lines that are under way to it
    u->flying[u->loads % FLYING].time = done;
    u->flying[u->loads++ % FLYING].lines = e->lines;
    u->lines_flying += e->lines;
  }
  const u32 found[5] = {a.l1, a.l2, a.pending, a.cache, a.memory};
  for (int i = 0; i < 5; i++) u->out->lines[i] += found[i];
  return done;
}

// Begins what can until `t`. Waves that waited to know when it is done go on.
void serve_memory(Unit *u, i64 t) {
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

bool issue_memory(Unit *u, Wave *w, const Row *r, i64 t) {
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

