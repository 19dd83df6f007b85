// Running a kernel: workgroups over threads, the waves of a workgroup in turns.
//
// A worker runs one workgroup at a time as long as that advances, because the waves' registers are in its cache. Where
// the waves of a workgroup only spin (their time slices end without a barrier or an end of a wave), the worker takes in
// more workgroups, as many as the hardware would hold, and goes round: one of them may set the flag that they wait for.
// Where the model of time follows a launch whose workgroups are all there at once and may hear of one another, they go round
// from the begin on: those that take work from a counter share it out as they do on the chip.
#include "clock.h"
#include "hooks.h"
#include "image.h"
#include "ops.h"
#include "record.h"
#include "stall.h"
#include "wave.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>
#include <xmmintrin.h>

#define SLICE 4096           // instructions a wave runs before the next one has its turn
#define PATIENCE 4           // rounds without progress before another workgroup is taken in
#define LONG 256             // rounds without progress, for each workgroup, before others are let in

const Ins *op_s_endpgm(Wave *w, const Ins *I);
const Ins *op_s_swappc_b64(Wave *w, const Ins *I);
const Ins *op_s_setpc_b64(Wave *w, const Ins *I);
const Ins *op_s_call_b64(Wave *w, const Ins *I);

#define LASTS_NS 10000000000ull  // from when on it is told how far a launch is: then, and each time after twice as long
#define TURNS_A_LOOK 256         // turns from one look at the time to the next

int (*launch_waits)(int progressed);
void (*launch_lasts)(u64 begun, u64 all, u64 ns);

static u64 shuffle(u64 *state) {  // xorshift64*
  u64 x = *state;
  x ^= x >> 12, x ^= x << 25, x ^= x >> 27;
  *state = x;
  return x * 0x2545f4914f6cdd1dull;
}

static u32 waves_of(const u32 block[3]) { return (block[0] * block[1] * block[2] + LANE_COUNT - 1) / LANE_COUNT; }

static Group *new_group(Launch *launch) {
  const Kernel *k = launch->kernel;
  Group *g = calloc(1, sizeof *g);
  g->wave_count = waves_of(launch->options.block);
  g->waves = aligned_alloc(64, (sizeof(Wave) * g->wave_count + 63) & ~63ull);
  for (u32 i = 0; i < g->wave_count; i++) g->waves[i].shadow = NULL, g->waves[i].record = NULL;
  g->registers = aligned_alloc(4096, ((u64)g->wave_count * launch->rows * LANE_COUNT * 4 + 4095) & ~4095ull);
  g->lds = aligned_alloc(4096, (launch->lds_bytes + 4096 + 4095) & ~4095u);
  g->scratch = calloc((u64)g->wave_count * LANE_COUNT, k->scratch + 1);
  return g;
}

static void free_group(Group *g) {
  hooks.free_group(g);
  free(g->waves);
  free(g->registers);
  free(g->lds);
  free(g->scratch);
  free(g);
}

// The next one of those in front of the last recorded one: a cluster is begun whole or not at all.
static u64 next_of_clusters(Launch *launch, Recording *r) {
  pthread_mutex_lock(&launch->lock);
  const u64 number = launch->next_group;
  if (number % CLUSTER == 0 && number < r->runs && record_full(r)) r->runs = number;
  if (number < r->runs) launch->next_group++;
  pthread_mutex_unlock(&launch->lock);
  return number < r->runs ? number : ~0ull;
}

static u64 next_number(Launch *launch) {
  Recording *r = launch->recording;
  if (recorded_alone(r) && r->clusters) return next_of_clusters(launch, r);
  const u64 turn = __atomic_fetch_add(&launch->next_group, 1, __ATOMIC_RELAXED);
  return recorded_alone(r) ? record_number(r, turn) : turn;
}

static bool next_group(Worker *worker, Group *g) {
  Launch *launch = worker->launch;
  const u64 number = next_number(launch);
  if (number >= launch->group_count) return false;
  const u32 *grid = launch->options.grid;
  g->number = number;
  g->id[0] = (u32)(number % grid[0]);
  g->id[1] = (u32)(number / grid[0] % grid[1]);
  g->id[2] = (u32)(number / grid[0] / grid[1]);
  g->live = g->wave_count;
  g->waiting = 0;
  fill_with_poison((u32 *)g->lds, launch->lds_bytes / 4);
  if (launch->options.checks & CHECK_WITH_SHADOW || launch->recording) hooks.start_group(g, launch);
  for (u32 i = 0; i < g->wave_count; i++) start_wave(g, i, worker);
  return true;
}

// The hardware counts arrivals and does not ask at which s_barrier; CUDA and HIP do. Copies of one barrier of the source
// count as one, by line and column: schedules that keep groups of waves a stage apart write their barrier in a function of its own and call that.
static bool one_barrier(const Image *image, const Wave *w, const Wave *v) {
  if (w->pc == v->pc) return true;
  const Place *a = &image->places[w->pc->index - 1], *b = &image->places[v->pc->index - 1];
  return a->line && a->file == b->file && a->line == b->line && a->column == b->column;
}
// Whether it is that of __syncthreads(), by HIP's header: one that a schedule writes itself may differ on purpose.
static bool of_syncthreads(const Image *image, const Wave *w) {
  const Place *p = &image->places[w->pc->index - 1];
  return p->inner_line && strstr(image->strings + p->inner_file, "amd_device_functions.h");
}
static void same_barrier(Group *g, const Image *image, bool every) {
  const Wave *first = NULL;
  for (u32 i = 0; i < g->wave_count; i++) {
    Wave *w = &g->waves[i];
    if (w->state != AT_BARRIER) continue;
    if (!first) first = w;
    else if (!one_barrier(image, w, first) && (every || (of_syncthreads(image, w) && of_syncthreads(image, first)))) {
      note(w, w->pc - 1, FAULT_BARRIER_DIVERGENCE, -1, 0, 0, (i64)first->pc->index - 1);
      return;
    }
  }
}

// Lets a wave that has stopped be counted; false when the launch is to stop.
static bool stopped(Worker *worker, Group *g, Wave *w, bool *progress) {
  Launch *launch = worker->launch;
  if (w->state == ENDED) {
    if (w->record) record_end(launch->recording, w->record);
    const u64 clock = wave_clock(w);
    if (clock > worker->clock) worker->clock = clock;
    g->live--;
    *progress = true;
  } else if (w->state == AT_BARRIER) {
    g->waiting++;
    *progress = true;
    if (w->shadow) hooks.arrive(w);
  } else if (w->state == FAULTED) {
    return false;
  } else if (w->count > launch->options.max_instructions && wave_work(w) > launch->options.max_instructions) {
    fault(w, w->pc, FAULT_TOO_MANY_INSTRUCTIONS, -1, 0, 0, -1);
    return false;
  } else if (w->state != AT_WAIT && worker->watching && !wave_repeats(w)) {
    worker->repeated = false;
  }
  return true;
}

static void release_barrier(Group *g, const Launch *launch) {
  same_barrier(g, launch->image, launch->options.checks & CHECK_BARRIER);
  if (g->shadow) hooks.release(g);
  for (u32 i = 0; i < g->wave_count; i++)
    if (g->waves[i].state == AT_BARRIER) g->waves[i].state = RUN;
  g->waiting = 0;
}

static bool may_run(const Wave *w) { return w->state != ENDED && w->state != AT_BARRIER; }

// Gives every wave its share of the turn; which one is the first. A seed shuffles that, how many instructions it is, and
// who goes on where it would wait for memory.
static u32 begin_turn(Worker *worker, Group *g) {
  const bool shuffled = worker->launch->options.seed;
  const u32 first = shuffled ? (u32)(shuffle(&worker->random) % g->wave_count) : 0;
  for (u32 i = 0; i < g->wave_count; i++) {
    Wave *w = &g->waves[i];
    w->had_turn = false;
    w->budget = shuffled ? (i32)(shuffle(&worker->random) % SLICE) + 1 : SLICE;
    w->lets_others = g->wave_count > 1 && !(shuffled && shuffle(&worker->random) & 1);
  }
  return first;
}

// One turn for every wave of the workgroup; true when something happened that the others may have waited for. Where a
// wave waits for memory its turn is broken off, and goes on when the others have had theirs, or wait too.
static bool turn(Worker *worker, Group *g) {
  Launch *launch = worker->launch;
  bool progress = false;
  worker->repeated = worker->watching;
  const u32 first = begin_turn(worker, g);
  for (bool again = true; again;) {
    again = false;
    for (u32 n = 0; n < g->wave_count; n++) {
      Wave *w = &g->waves[(first + n) % g->wave_count];
      if (w->had_turn || !may_run(w)) continue;
      if (__atomic_load_n(&launch->stop, __ATOMIC_RELAXED)) return true;
      w->state = RUN;
      const u64 before = w->count;
      _mm_setcsr(w->mxcsr);
      w->pc->fn(w, w->pc);
      worker->instructions += w->count - before;
      if (!stopped(worker, g, w, &progress)) {
        __atomic_store_n(&launch->stop, 1, __ATOMIC_RELAXED);
        return true;
      }
      w->had_turn = w->state != AT_WAIT;
      again |= !w->had_turn;
      if (g->live && g->waiting == g->live) release_barrier(g, launch);
    }
  }
  return progress;
}

// Where the waves of a deadlocked workgroup are, each place once.
static void say_where(Group *g) {
  for (u32 i = 0; i < g->wave_count; i++) {
    Wave *w = &g->waves[i];
    if (w->state != ENDED) note(w, w->state == AT_BARRIER ? w->pc - 1 : w->pc, FAULT_DEADLOCK, -1, 0, 0, -1);
  }
}

// Lets others in: kernels of other streams, and the host. False: nobody is left who could make this launch go on.
static bool let_others(Launch *launch, bool progressed) {
  if (!launch_waits) return progressed;
  if (__atomic_exchange_n(&launch->paused, 1, __ATOMIC_ACQ_REL)) return true;  // another worker asks
  const u64 changes = __atomic_load_n(&launch->changes, __ATOMIC_SEQ_CST);
  const bool on = launch_waits(progressed || changes != launch->changes_at_pause);
  launch->changes_at_pause = __atomic_add_fetch(&launch->changes, 1, __ATOMIC_SEQ_CST);  // everybody looks anew
  __atomic_store_n(&launch->paused, 0, __ATOMIC_RELEASE);
  return on;
}

static void wait_while_paused(const Launch *launch) {
  const struct timespec moment = {0, 50000};
  while (__atomic_load_n(&launch->paused, __ATOMIC_ACQUIRE) && !__atomic_load_n(&launch->stop, __ATOMIC_RELAXED))
    nanosleep(&moment, NULL);
}

static u64 nanoseconds_since(const struct timespec *begin) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (u64)(now.tv_sec - begin->tv_sec) * 1000000000ull + (u64)now.tv_nsec - (u64)begin->tv_nsec;
}

static void tell_if_it_lasts(Launch *launch) {
  const u64 ns = nanoseconds_since(&launch->begin);
  if (ns < launch->tell_at) return;
  launch->tell_at = 2 * ns;
  const u64 begun = __atomic_load_n(&launch->next_group, __ATOMIC_RELAXED);
  launch_lasts(begun < launch->group_count ? begun : launch->group_count, launch->group_count, ns);
}

static void *work(void *argument) {
  Worker *worker = argument;
  Launch *launch = worker->launch;
  if (worker->number) prctl(PR_SET_NAME, WORKER_NAME);
  const u32 csr = _mm_getcsr();
  const u32 limit = launch->resident_limit;
  Group **groups = calloc(limit, sizeof *groups);  // the first `active` are running, the rest are kept for reuse
  u32 active = 0, at = 0, rounds = 0, turns = 0;
  bool more = true;
  while (!__atomic_load_n(&launch->stop, __ATOMIC_RELAXED)) {
    if (more && (!active || ((launch->together || rounds >= PATIENCE) && active < limit))) {
      if (!groups[active]) groups[active] = new_group(launch);
      if ((more = next_group(worker, groups[active]))) at = active++;
      rounds = 0;
      if (launch->together && more && active < limit) continue;
    }
    if (!active) break;
    if (launch_lasts && !worker->number && !recorded_alone(launch->recording) && ++turns % TURNS_A_LOOK == 0) tell_if_it_lasts(launch);
    wait_while_paused(launch);
    worker->watching = worker_watches(worker, active);
    if (turn(worker, groups[at])) {
      rounds = worker->idle = worker->quiet = 0;
      if (worker->watching) worker_gives_up(worker, active, false, false);
    } else {
      rounds++;
      worker->idle++;
      if (worker->watching && worker_gives_up(worker, active, worker->repeated, !more || active == limit)) {
        if (!let_others(launch, false) && memory_rests(launch)) launch->deadlock = launch->stop = 1;
      } else if (worker->idle % (LONG * active) == 0) {
        let_others(launch, true);
      }
    }
    if (!groups[at]->live) {
      Group *done = groups[at];
      groups[at] = groups[--active];
      groups[active] = done;
      at = 0;
    } else if (launch->together || rounds >= PATIENCE) {
      at = (at + 1) % active;
    }
  }
  __atomic_add_fetch(&launch->changes, 1, __ATOMIC_SEQ_CST);  // its last writes, for those that were quiet before
  __atomic_store_n(&worker->done, 1, __ATOMIC_SEQ_CST);
  for (u32 i = 0; launch->deadlock && i < active; i++) say_where(groups[i]);
  for (u32 i = 0; i < limit && groups[i]; i++) free_group(groups[i]);
  free(groups);
  _mm_setcsr(csr);
  return NULL;
}

static u32 round_up(u32 value, u32 to) { return (value + to - 1) / to * to; }

// Workgroups that a compute unit holds at once, by its registers and LDS.
static u32 occupancy(const Launch *launch) {
  const Kernel *k = launch->kernel;
  const u32 waves = waves_of(launch->options.block);
  const u32 registers =
      round_up(k->agprs ? round_up(k->vgprs, CHIP_ACCUMULATOR_ALIGNMENT) + k->agprs : k->vgprs, CHIP_REGISTER_GRANULE);
  u32 per_simd = registers ? CHIP_REGISTERS / registers : CHIP_MAX_WAVES;
  per_simd = per_simd > CHIP_MAX_WAVES ? CHIP_MAX_WAVES : per_simd ? per_simd : 1;
  u32 groups = CHIP_SIMDS * per_simd / waves;
  if (launch->lds_bytes && CHIP_LDS_BYTES / launch->lds_bytes < groups) groups = CHIP_LDS_BYTES / launch->lds_bytes;
  return groups ? groups : 1;
}

static bool calls(const Ins *I) {
  return I->real == op_s_setpc_b64 || I->real == op_s_swappc_b64 || I->real == op_s_call_b64;
}

// Whether workgroups of the kernel can hear of one another while they run: by atomics, or by loads that ask beyond a cache.
// The code between its entry and the next kernel's counts, and all code where it calls.
static bool may_hear(const Launch *launch) {
  const Image *image = launch->image;
  u32 begin = launch->kernel->entry, end = image->ins_count;
  for (u32 i = 0; i < image->kernel_count; i++)
    if (image->kernels[i].entry > begin && image->kernels[i].entry < end) end = image->kernels[i].entry;
  for (u32 i = begin; i < end; i++)
    if (calls(&image->ins[i])) begin = 0, end = image->ins_count;
  for (u32 i = begin; i < end; i++) {
    const u32 role = image->regs[i].role;
    if (role & ROLE_ATOMIC && role & (ROLE_VMEM | ROLE_FLAT)) return true;
    if (role & ROLE_LOAD && role & (ROLE_VMEM | ROLE_FLAT) && strstr(image->strings + image->places[i].text, " sc")) return true;
  }
  return false;
}

// Runs are counted from where they began; here every instruction of a run gets its count.
static void spread(const Image *image, const u64 *hits, u64 *executed) {
  for (u32 i = 0; i < image->ins_count; i++) {
    if (!hits[i]) continue;
    for (u32 j = i; j < image->ins_count; j++) {
      executed[j] += hits[i];
      if (image->regs[j].role & ROLE_ENDS_BLOCK) break;
    }
  }
}

static void start_worker(Worker *worker, Launch *launch, u32 number, const Counts *counts) {
  const u64 seed = launch->options.seed * 0x9e3779b97f4a7c15ull + number + 1;
  *worker = (Worker){.launch = launch, .number = number, .random = seed, .quiet_since = NEVER_QUIET};
  if (!counts || !counts->executed) return;
  worker->hits = calloc(launch->image->ins_count, sizeof(u64));
  if (counts->accesses) worker->accesses = calloc(launch->image->ins_count, sizeof(AccessCount));
}

static void end_worker(Worker *worker, const Image *image, Result *result, const Counts *counts) {
  result->instructions += worker->instructions;
  clock_reached(worker->clock);
  if (worker->hits) spread(image, worker->hits, counts->executed);
  for (u32 i = 0; worker->accesses && i < image->ins_count; i++) {
    const AccessCount *from = &worker->accesses[i];
    AccessCount *to = &counts->accesses[i];
    to->times += from->times, to->lanes += from->lanes, to->bytes += from->bytes;
    to->lds_cycles += from->lds_cycles, to->lds_ideal += from->lds_ideal;
    to->lines += from->lines, to->lines_ideal += from->lines_ideal;
  }
  free(worker->hits);
  free(worker->accesses);
  free(worker->patterns);
  free(worker->apart);
}

// The HSA kernel dispatch packet, as far as kernels read it (blockDim comes from here in some code).
static void fill_packet(Launch *launch) {
  const LaunchOptions *o = &launch->options;
  u16 *halves = (u16 *)launch->packet;
  halves[1] = 3;  // dimensions
  const u64 kernarg = (u64)(uintptr_t)launch->kernarg;
  for (int axis = 0; axis < 3; axis++) {
    halves[2 + axis] = (u16)o->block[axis];
    launch->packet[3 + axis] = o->grid[axis] * o->block[axis];
  }
  launch->packet[6] = launch->kernel->scratch;
  launch->packet[7] = launch->lds_bytes;
  memcpy(&launch->packet[10], &kernarg, 8);
}

// A kernel that is over with its first instruction: nobody can tell whether its workgroups, 2^32 of them perhaps, ran.
static bool ends_at_once(const Launch *launch) {
  return !launch->recording && launch->image->ins[launch->kernel->entry].real == op_s_endpgm;
}

static void count_at_once(Launch *launch, Result *result, const Counts *counts) {
  const u64 waves = launch->group_count * waves_of(launch->options.block);
  result->instructions = waves;
  if (counts && counts->executed) counts->executed[launch->kernel->entry] += waves;
  launch->group_count = 0;
}

// A kernel with more registers than its descriptor asks for does not run: on the chip they are no registers of its waves.
static void refuse_registers(Launch *launch, u32 kernel) {
  const u32 at = launch->image->beyond[kernel];
  if (at == NONE_BEYOND) return;
  launch->result->findings[0] = (Finding){.kind = FAULT_REGISTERS, .ins = at, .lane = (u32)-1, .other = -1, .count = 1};
  launch->result->finding_count = 1;
  launch->stop = 1;
}

int launch_kernel(Image *image, u32 kernel, const LaunchOptions *options, const void *kernarg, Result *result,
                  const Counts *counts) {
  const Kernel *k = &image->kernels[kernel];
  Launch launch = {.image = image, .kernel = k, .options = *options, .kernarg = kernarg, .result = result, .clock = clock_now()};
  if (!launch.options.max_instructions) launch.options.max_instructions = 1000000000ull;
  launch.lds_bytes = k->lds + options->dynamic_lds;
  launch.group_count = (u64)options->grid[0] * options->grid[1] * options->grid[2];
  launch.code = image->ins;
  launch.rows = image->rows;
  launch.recording = counts ? counts->recording : NULL;
  launch.touched = counts ? counts->touched : NULL;
  if (launch.recording) recording_begin(launch.recording, launch.group_count, waves_of(options->block));
  fill_packet(&launch);
  memory_add((u64)(uintptr_t)launch.packet, sizeof launch.packet, MEMORY_READ_ONLY | MEMORY_ELSEWHERE);
  memset(result, 0, sizeof *result);
  pthread_mutex_init(&launch.lock, NULL);
  if (options->checks & CHECK_WITH_SHADOW) {
    image_prepare_checks(image);
    launch.polls = image->polls;
    if (!image->hazards) launch.options.checks &= ~CHECK_HAZARD;
    if (launch.options.checks & (CHECK_WAIT | CHECK_UNINIT | CHECK_HAZARD)) launch.code = image->checked;
    hooks.start_launch(&launch);
  }
  u64 threads = options->threads ? options->threads : 1;
  if (threads > launch.group_count) threads = launch.group_count;
  if (threads > 256) threads = 256;
  // Each worker stands for its share of the chip's compute units.
  u64 resident = (u64)occupancy(&launch) * CHIP_COMPUTE_UNITS / threads;
  launch.together = launch.recording && !recorded_alone(launch.recording) && resident * threads >= launch.group_count &&
                    may_hear(&launch);
  if (resident * threads > launch.group_count) resident = (launch.group_count + threads - 1) / threads;
  launch.resident_limit = (u32)(resident ? resident : 1);
  clock_gettime(CLOCK_MONOTONIC, &launch.begin);
  launch.tell_at = LASTS_NS;
  Worker *workers = calloc(threads, sizeof *workers);
  pthread_t *ids = calloc(threads, sizeof *ids);
  launch.workers = workers;
  launch.worker_count = (u32)threads;
  refuse_registers(&launch, kernel);
  if (ends_at_once(&launch)) count_at_once(&launch, result, counts);
  for (u64 i = 0; i < threads; i++) start_worker(&workers[i], &launch, (u32)i, counts);
  for (u64 i = 1; i < threads; i++) pthread_create(&ids[i], NULL, work, &workers[i]);
  work(&workers[0]);
  for (u64 i = 1; i < threads; i++) pthread_join(ids[i], NULL);
  for (u64 i = 0; i < threads; i++) end_worker(&workers[i], image, result, counts);
  if (launch.recording) recording_end(launch.recording);
  free(ids);
  free(workers);
  result->seconds_ns = nanoseconds_since(&launch.begin);
  result->faulted = launch.stop;
  memory_remove((u64)(uintptr_t)launch.packet);
  if (options->checks & CHECK_WITH_SHADOW) hooks.end_launch(&launch);
  pthread_mutex_destroy(&launch.lock);
  return launch.stop ? -1 : 0;
}
