// How a wave begins: its registers, what the hardware puts into them, its mode.
#include "wave.h"

#include "hooks.h"
#include "image.h"
#include "record.h"

// MODE bits 0-1: rounding of f32 (0 nearest, 1 up, 2 down, 3 to zero); 4-5: denormals of f32 (3 keep).
u32 mxcsr_of_mode(u32 mode) {
  static const u32 rounding[4] = {0, 2, 1, 3};
  u32 csr = 0x1f80 | rounding[mode & 3] << 13;
  if (!(mode & 0x10)) csr |= 0x40;    // inputs: denormals are zero
  if (!(mode & 0x20)) csr |= 0x8000;  // results: flush to zero
  return csr;
}

void fill_with_poison(u32 *words, u64 count) {
  for (u64 i = 0; i < count; i++) words[i] = POISON;
}

void start_wave(Group *g, u32 number, Worker *worker) {
  Launch *launch = worker->launch;
  const Image *image = launch->image;
  const Kernel *k = launch->kernel;
  const LaunchOptions *o = &launch->options;
  Wave *w = &g->waves[number];
  memset(w->s, 0, sizeof w->s);
  for (int i = 0; i < S_FLAT_SCRATCH; i++) w->s[i] = POISON;
  w->pool = image->pool;
  w->scc = 0;
  w->mode = k->mode;
  w->mxcsr = mxcsr_of_mode(k->mode);
  w->lds = g->lds;
  w->lds_size = launch->lds_bytes;
  w->checks = o->checks;
  w->code = launch->code;
  w->pc = w->block = launch->code + k->entry;
  w->count = 0;
  w->clock = (WaveClock){.ahead = launch->clock};
  memset(w->recent, 0, sizeof w->recent);
  w->id = number;
  w->state = RUN;
  w->under_way = 0;
  w->group = g;
  w->worker = worker;
  w->launch = launch;
  w->R = g->registers + (u64)number * launch->rows * LANE_COUNT;
  w->scratch_size = k->scratch;
  w->scratch = g->scratch + (u64)number * LANE_COUNT * k->scratch;
  w->record = record_wave(launch->recording, g->number, number);
  if (o->checks & CHECK_WITH_SHADOW || w->record) hooks.start_wave(w);
  fill_with_poison(w->R, (u64)k->vgprs * LANE_COUNT);
  if (k->agprs) fill_with_poison(w->R + (u64)k->agpr_base * LANE_COUNT, (u64)k->agprs * LANE_COUNT);

  const u32 threads = o->block[0] * o->block[1] * o->block[2];
  const u32 left = threads - number * LANE_COUNT;
  EXEC = left >= LANE_COUNT ? ALL_LANES : (1ull << left) - 1;
  for (u32 l = 0; l < LANE_COUNT; l++) {
    const u32 t = number * LANE_COUNT + l;
    w->R[l] = t % o->block[0] | (t / o->block[0] % o->block[1]) << 10 | (t / o->block[0] / o->block[1]) << 20;
  }
  u32 at = 0;
  const u64 kernarg = (u64)(uintptr_t)launch->kernarg, packet = (u64)(uintptr_t)launch->packet;
  if (k->user & USER_PRIVATE_BUFFER) at += 4;
  if (k->user & USER_DISPATCH_PTR) memcpy(&w->s[at], &packet, 8), at += 2;
  if (k->user & USER_QUEUE_PTR) at += 2;
  if (k->user & USER_KERNARG_PTR) memcpy(&w->s[at], &kernarg, 8), at += 2;
  if (k->user & USER_DISPATCH_ID) at += 2;
  if (k->user & USER_FLAT_SCRATCH) at += 2;
  if (k->user & USER_PRIVATE_SIZE) w->s[at++] = k->scratch;
  if (k->preload) memcpy(&w->s[at], (const u8 *)launch->kernarg + 4 * k->preload_at, 4 * k->preload);
  at = k->user_count;
  if (k->user & SYS_GROUP_X) w->s[at++] = g->id[0];
  if (k->user & SYS_GROUP_Y) w->s[at++] = g->id[1];
  if (k->user & SYS_GROUP_Z) w->s[at++] = g->id[2];
}
