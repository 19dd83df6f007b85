// Findings of a run: one for each kind and source line, with a count.
#include <pthread.h>

#include "image.h"
#include "ops.h"

// One source line: what a compiler makes several instructions of, or several copies, is one thing to fix.
static bool same_line(const Image *image, i64 a, i64 b) {
  if (a == b || a < 0 || b < 0) return a == b;
  const Place *p = &image->places[a], *q = &image->places[b];
  return p->line && p->line == q->line && p->file == q->file;
}

static void record(Wave *w, const Ins *I, FaultKind kind, int lane, u64 address, u32 size, i64 other) {
  Launch *launch = w->launch;
  Result *r = launch->result;
  pthread_mutex_lock(&launch->lock);
  for (u32 i = 0; i < r->finding_count; i++)
    if (r->findings[i].kind == kind && same_line(launch->image, r->findings[i].ins, I->index) &&
        same_line(launch->image, r->findings[i].other, other)) {
      r->findings[i].count++;
      pthread_mutex_unlock(&launch->lock);
      return;
    }
  if (r->finding_count < MAX_FINDINGS) {
    Finding *f = &r->findings[r->finding_count++];
    *f = (Finding){.kind = kind, .ins = I->index, .lane = (u32)lane, .wave = w->id, .size = size,
                   .address = address, .other = other, .count = 1};
    memcpy(f->group, w->group->id, sizeof f->group);
  }
  pthread_mutex_unlock(&launch->lock);
}

const Ins *fault(Wave *w, const Ins *I, FaultKind kind, int lane, u64 address, u32 size, i64 other) {
  record(w, I, kind, lane, address, size, other);
  STOP(FAULTED);
}

void note(Wave *w, const Ins *I, FaultKind kind, int lane, u64 address, u32 size, i64 other) {
  record(w, I, kind, lane, address, size, other);
}
