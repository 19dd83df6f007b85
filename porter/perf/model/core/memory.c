// What lies behind the compute units of a die: their L1s, the L2 that they share, the last cache and memory. Lines are
// looked up at the time that they are asked for, and who asks for a line that is under way gets it when it comes.
#include "model.h"

#include <math.h>

// ---- bandwidth ------------------------------------------------------------------------------------------------------
// What a server moves, by spans of time. Requests come nearly in their order: a later one may be asked for first.
enum { SPANS = 4096 };
typedef struct {
  double span, room;           // cycles, and what it can move in them
  i64 of[SPANS];               // which span of time an entry has
  double taken[SPANS];
  i64 full_from, full_to;      // spans in between have no room
  double moved;                // in all
} Server;

static void set_server(Server *s, double span, double a_cycle) {
  s->span = span, s->room = span * a_cycle, s->full_from = s->full_to = -1;
  for (int i = 0; i < SPANS; i++) s->of[i] = -1;
}

static double *taken_in(Server *s, i64 span) {
  if (s->of[span % SPANS] != span) s->of[span % SPANS] = span, s->taken[span % SPANS] = 0;
  return &s->taken[span % SPANS];
}

// When `amount` that is asked for at `t` has been moved.
static i64 serve(Server *s, i64 t, double amount) {
  s->moved += amount;
  i64 at = (i64)((double)t / s->span);
  if (at >= s->full_from && at < s->full_to) at = s->full_to;
  const i64 begin = at;
  for (; *taken_in(s, at) >= s->room; at++) {}
  if (at > begin) {
    if (begin > s->full_to || begin < s->full_from) s->full_from = begin;
    s->full_to = at;
  }
  double *taken = taken_in(s, at);
  *taken += amount;            // the rest of what does not fit goes into the next spans
  for (i64 next = at; *taken > s->room; taken = taken_in(s, ++next)) {
    const double over = *taken - s->room;
    *taken = s->room;
    *taken_in(s, next + 1) += over;
  }
  const double share = *taken_in(s, at) / s->room;
  const i64 done = (i64)((double)at * s->span + share * s->span);
  return done > t ? done : t;
}

// ---- caches ---------------------------------------------------------------------------------------------------------
typedef struct {
  i64 arrives;
  u8 halves;                   // which of its two are there
  u8 dirty;                    // which of them are to be written back
  bool far;                    // whether it came from memory
} Line;
typedef struct { u64 *tags; u32 *used; Line *lines; u32 sets, ways, now; } Cache;  // tags: line + 1; 0: empty

static Cache new_cache(u32 lines, u32 ways) {
  return (Cache){.tags = calloc(lines, sizeof(u64)), .used = calloc(lines, sizeof(u32)), .lines = calloc(lines, sizeof(Line)), .sets = lines / ways, .ways = ways};
}

static void free_cache(Cache *c) { free(c->tags), free(c->used), free(c->lines); }

// The place of a line: its own, or the one that was not used for longest, emptied. Whether it was there.
static bool look_up(Cache *c, u64 line, Line **out) {
  const u64 mixed = line ^ line >> 7 ^ line >> 13;
  const u32 first = (u32)(mixed % c->sets) * c->ways;
  const u64 *tags = &c->tags[first];
  u32 *used = &c->used[first], found = c->ways;
  c->now++;
  for (u32 i = 0; i < c->ways; i++) found = tags[i] == line + 1 ? i : found;
  if (found < c->ways) return used[found] = c->now, *out = &c->lines[first + found], true;
  u32 least = used[0];
  for (u32 i = 0; i < c->ways; i++) least = used[i] < least ? used[i] : least;
  for (u32 i = 0; i < c->ways; i++) found = used[i] == least ? i : found;
  c->tags[first + found] = line + 1, used[found] = c->now;
  c->lines[first + found] = (Line){0};
  *out = &c->lines[first + found];
  return false;
}

// ---- the die --------------------------------------------------------------------------------------------------------
enum { CHANNELS = 16 };
struct Die {
  const Machine *m;
  const Parameters *p;
  Cache *l1, l2;
  Seen seen, stored;  // lines that this die asked for before, hence in the cache behind it; and that it stored to
  Seen updated;       // halves of lines that an atomic operation asked for
  Server channels[CHANNELS], link, memory, dispatcher;  // link: between L2 and what is behind it, both ways
  bool together;               // all dies are in their first workgroups: what they share is under way for all of them
  i64 written;                 // when the last one is in memory
  i64 lines[5];                // by where they were found
  u64 random;
};

typedef void Visit(void *to, u64 line);

static void visit_lines(const RecordedWave *w, Visit *visit, void *to) {
  for (u64 at = 0; at < w->length; at++) {
    const u64 head = w->words[at];
    if (!is_access(head) || access_kind(head) != ACCESS_GLOBAL) continue;
    const u32 number = access_lines(head);
    for (u32 i = 1; i <= number; i++) visit(to, w->words[at + i] >> 2);
    at += number;
  }
}

static void enter_line(void *to, u64 line) { seen_before(to, line); }

typedef struct { const Seen *all; Seen own; u64 common; } Common;
static void look_for_line(void *to, u64 line) {
  Common *c = to;
  if (!seen_before(&c->own, line)) c->common += is_there(c->all, line);
}

// The share of the lines of a die that it brings in from memory itself: dies that use the same ones share that.
double first_share(const RecordedWave *waves, const Machine *m) {
  const u64 count = (u64)m->groups * m->waves_a_group, beside = (u64)m->beside * m->waves_a_group;
  Seen all = {0};
  Common c = {.all = &all};
  if (!beside) return 1;
  for (u64 i = 0; i < count; i++) visit_lines(&waves[i], enter_line, &all);
  for (u64 i = count; i < count + beside; i++) visit_lines(&waves[i], look_for_line, &c);
  const double common = c.own.count ? (double)c.common / (double)c.own.count : 0;
  free(all.all), free(c.own.all);
  return 1 - common * (m->dies - 1) / m->dies;
}

u64 own_lines(const RecordedWave *waves, const Machine *m) {
  Seen all = {0};
  for (u64 i = 0; i < (u64)m->groups * m->waves_a_group; i++) visit_lines(&waves[i], enter_line, &all);
  free(all.all);
  return all.count;
}

Die *new_die(const Machine *m, const Parameters *p) {
  Die *d = calloc(1, sizeof *d);
  d->m = m, d->p = p, d->together = true;
  d->random = 88172645463325252ull + (u64)p->seed * 7919;
  d->l1 = calloc(m->compute_units, sizeof *d->l1);
  for (u32 i = 0; i < m->compute_units; i++) d->l1[i] = new_cache(m->l1_lines, m->l1_ways);
  d->l2 = new_cache(m->l2_lines, m->l2_ways);
  for (u32 i = 0; i < CHANNELS; i++) set_server(&d->channels[i], 32, 1);
  set_server(&d->link, 32, p->link_bytes * m->compute_units);
  set_server(&d->memory, 64, p->memory_bytes * m->compute_units);
  set_server(&d->dispatcher, 64, 1);
  return d;
}

void free_die(Die *d) {
  for (u32 i = 0; i < d->m->compute_units; i++) free_cache(&d->l1[i]);
  free(d->l1);
  free_cache(&d->l2);
  free(d->seen.all), free(d->stored.all), free(d->updated.all);
  free(d);
}

static void leave_in_l2(void *to, u64 line) {
  Line *there;
  look_up(to, line, &there);
  there->halves = 3;
}

void remember_launch(Die *d, const RecordedWave *waves) {
  for (u64 i = 0; i < (u64)d->m->groups * d->m->waves_a_group; i++) visit_lines(&waves[i], leave_in_l2, &d->l2);
}

static double uniform(u64 *state) {
  u64 x = *state;
  x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  *state = x;
  return ((double)(x >> 11) + 0.5) / 9007199254740992.0;
}

// Whether this die is the one that moves a line which several use.
static bool is_own(const Die *d, u64 line) { return (double)(hash(line) >> 11) * 0x1p-53 < d->m->first_share; }

// Whether a line that nobody touched yet is in the last cache.
static bool is_cached(const Die *d, u64 line) { return (double)(hash(line ^ 0x5bd1e995) >> 11) * 0x1p-53 < d->m->cached; }

// When `bytes` of a line that are not in L2 come, asked for at `t`; `queued` grows by what others cost.
static i64 from_there(Die *d, u64 line, bool known, double bytes, i64 t, Line *in_l2, i64 *queued) {
  const Parameters *p = d->p;
  const bool first = is_own(d, line);
  in_l2->far = !known && !is_cached(d, line) && (first || d->together);
  i64 moved = serve(&d->link, t, bytes);
  if (in_l2->far && first) moved = later(moved, serve(&d->memory, t, bytes));
  *queued = moved - t;
  const double latency = in_l2->far ? p->memory_latency : p->cache_latency;
  return moved + (i64)(latency + p->latency_spread * pow(uniform(&d->random), p->latency_skew));
}

static i64 from_beyond(Die *d, u64 line, i64 t, Line *in_l2, i64 *queued) {
  return from_there(d, line, seen_before(&d->seen, line), 128, t, in_l2, queued);
}

// The halves of a line that an atomic operation changes: L2 asks for 64 bytes.
static i64 half_from_beyond(Die *d, u64 line, u8 halves, i64 t, Line *in_l2, i64 *queued) {
  const bool known = is_there(&d->seen, line) | seen_before(&d->updated, line << 2 | halves);
  return from_there(d, line, known, halves == 3 ? 128 : 64, t, in_l2, queued);
}

static i64 read_line(Die *d, u32 unit, u64 word, bool atomic, i64 t, Access *a, i64 *queued) {
  const u64 line = word >> 2;
  const u8 halves = word & 3;
  Line *near = NULL, *l2;
  *queued = 0;
  if (!atomic && look_up(&d->l1[unit], line, &near) && !(halves & ~near->halves)) {
    a->l1++;
    return later(t + (i64)d->p->l1_latency, near->arrives);
  }
  const i64 passed = serve(&d->channels[hash(line) >> 60], t, atomic ? d->p->atomic : 1);
  i64 done = passed + (i64)d->p->l2_latency;
  *queued = passed - t;
  if (!look_up(&d->l2, line, &l2) || (halves & ~l2->halves)) {
    l2->arrives = from_beyond(d, line, passed, l2, queued);
    l2->halves |= halves;
    if (l2->far) a->memory++;
    else a->cache++;
  } else if (l2->arrives > done) {
    a->pending++;
  } else {
    a->l2++;
  }
  done = later(done, l2->arrives);
  if (near) near->arrives = done, near->halves |= halves;
  return done;
}

// Stores end in L2, which writes its lines back later: up to its share of L2 a unit is ahead of them. What was written
// before is in the last cache. Halves of lines are written that were stored to. Atomic operations read their line. L2 takes no more when its channels are behind.
static i64 write_line(Die *d, u64 word, Asks what, i64 t, Access *a, i64 *held) {
  const u64 line = word >> 2;
  Line *l2;
  const double cost = what.atomic ? d->p->atomic : what.parts ? d->p->part : 1;
  i64 passed = serve(&d->channels[hash(line) >> 60], t, cost), queued;
  *held = later(*held, passed - (i64)d->p->store_latency);
  look_up(&d->l2, line, &l2);
  const u8 missing = word & 3 & ~l2->halves;
  if (what.atomic && missing) l2->arrives = half_from_beyond(d, line, missing, passed, l2, &queued), passed += queued;
  l2->halves |= word & 3;
  const u8 fresh = word & 3 & ~l2->dirty;
  if (l2->dirty) a->l2++;
  else a->memory++;
  if (fresh) {
    const bool first = !seen_before(&d->stored, line << 2 | fresh) && is_own(d, line);
    const double bytes = fresh == 3 ? 128 : 64;
    l2->dirty |= fresh;
    i64 moved = serve(&d->link, passed, bytes * d->p->link_bytes / d->p->write_bytes);
    if (first) moved = later(moved, serve(&d->memory, passed, bytes * d->p->memory_write));
    d->written = later(d->written, moved);
    *held = later(*held, d->written - (i64)(d->p->l2_share / d->p->write_bytes));
  }
  d->written = later(d->written, passed);
  const i64 done = passed + (i64)(fresh ? d->p->first_store : d->p->store_latency);
  return what.atomic ? later(done, l2->arrives) : done;  // it changes what has come
}

void ask(Die *d, u32 unit, const u64 *lines, u32 number, Asks what, i64 first, i64 last, Access *a) {
  i64 done = last, least = last, held = 0;
  for (u32 i = 0; i < number; i++) {
    const i64 t = first + (last - first) * (i + 1) / number;
    i64 queued = 0, there;
    if (what.writes && !what.loads) there = write_line(d, lines[i], what, t, a, &held);
    else there = read_line(d, unit, lines[i], what.atomic, t, a, &queued);
    done = later(done, there);
    least = later(least, there - queued);
  }
  const u16 found[5] = {a->l1, a->l2, a->pending, a->cache, a->memory};
  for (int i = 0; i < 5; i++) d->lines[i] += found[i];
  a->latency = (i32)(least - last);
  a->queued = (i32)(done - least);
  a->held = (i32)later(0, held - last);
}

i64 dispatched(Die *d, i64 t, double cycles) { return serve(&d->dispatcher, t, cycles) - (i64)cycles; }
void end_together(Die *d) { d->together = false; }
i64 all_written(const Die *d) { return d->written; }
const i64 *lines_of(const Die *d) { return d->lines; }

static double busy(const Server *s) { return s->moved * s->span / s->room; }

void busy_of(const Die *d, i64 cycles[3]) {
  double most = 0;
  for (u32 i = 0; i < CHANNELS; i++) most = fmax(most, busy(&d->channels[i]));
  cycles[0] = (i64)most, cycles[1] = (i64)busy(&d->link), cycles[2] = (i64)busy(&d->memory);
}
