// Does anything still change? A wave whose registers, private memory and LDS come back to what they were, turn after turn,
// waits for somebody else. When that holds for every wave that can run, on every worker, no further workgroup may be taken
// in, and global memory stays as it is too, nothing will ever change again: the kernel is deadlocked. Time does change,
// for waves that look at a clock.
//
// A worker counts its quiet turns since the launch's `changes` last moved; any wave that reaches a new state moves it.
// So a worker that was off its processor when another raised a flag has to look again before anybody gives up.
#include "stall.h"

#include "allocations.h"
#include "hash.h"

#define WATCH_AFTER 64   // rounds without progress, for each workgroup, before states are compared at all
#define QUIET_TURNS 16   // turns that must repeat, for each workgroup

static u64 state_of(const Wave *w) {
  const Kernel *k = w->launch->kernel;
  u64 hash = 0xcbf29ce484222325ull ^ (u64)w->pc->index ^ (u64)w->scc << 32;
  hash = hash_bytes(hash ^ w->clock.looks * HASH_PRIME, w->s, sizeof w->s);
  hash = hash_bytes(hash, w->R, (u64)k->vgprs * LANE_COUNT * 4);
  hash = hash_bytes(hash, w->R + (u64)k->agpr_base * LANE_COUNT, (u64)k->agprs * LANE_COUNT * 4);
  hash = hash_bytes(hash, w->scratch, (u64)w->scratch_size * LANE_COUNT);
  return hash_bytes(hash, w->lds, w->lds_size);
}

bool wave_repeats(Wave *w) {
  const u64 state = state_of(w);
  bool known = false;
  for (u32 i = 0; i < RECENT_STATES; i++) known |= w->recent[i] == state;
  if (!known) w->recent[w->recent_at++ % RECENT_STATES] = state;
  return known;
}

// Waves may count in global memory and have nothing of it in registers where their turns end. Looking at all of it takes
// long: this is asked last.
bool memory_rests(Launch *launch) {
  pthread_mutex_lock(&launch->lock);
  const u64 state = memory_state();
  const bool rests = launch->memory_state == state;
  launch->memory_state = state;
  if (!rests) __atomic_add_fetch(&launch->changes, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_unlock(&launch->lock);
  return rests;
}

bool worker_watches(const Worker *worker, u32 active) { return worker->idle > WATCH_AFTER * active; }

bool worker_gives_up(Worker *worker, u32 active, bool repeated, bool full) {
  Launch *launch = worker->launch;
  if (!repeated) {
    __atomic_add_fetch(&launch->changes, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&worker->quiet_since, NEVER_QUIET, __ATOMIC_SEQ_CST);
    worker->quiet = 0;
    return false;
  }
  const u64 changes = __atomic_load_n(&launch->changes, __ATOMIC_SEQ_CST);
  if (changes != worker->seen_changes) {
    worker->seen_changes = changes;
    worker->quiet = 0;
  }
  if (++worker->quiet < QUIET_TURNS * active || !full) return false;
  __atomic_store_n(&worker->quiet_since, changes, __ATOMIC_SEQ_CST);
  for (u32 i = 0; i < launch->worker_count; i++) {
    const Worker *other = &launch->workers[i];
    if (__atomic_load_n(&other->done, __ATOMIC_SEQ_CST)) continue;
    if (__atomic_load_n(&other->quiet_since, __ATOMIC_SEQ_CST) != changes) return false;
  }
  return __atomic_load_n(&launch->changes, __ATOMIC_SEQ_CST) == changes;
}
