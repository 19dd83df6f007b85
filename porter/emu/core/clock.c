// The chip's two clocks as waves read them.
//
// s_memtime counts instructions, four cycles each, from where the launches before have left it: the same in every run.
// A loop that does nothing but look at it waits for time to pass, and programs that wait so think of the chip's seconds.
// There the clock goes on with the machine's time too, at the chip's rate: half a second of the chip takes no longer.
#include "clock.h"

#include <time.h>

#define CYCLES_AN_INSTRUCTION 4
#define LONGEST_LOOP 500     // instructions
#define SPIN_PAUSE 4096      // instructions between two looks of one wait, at most
#define IDLE_SHARE 64        // so many instructions of waits count as one towards the limit

const Ins *op_s_memtime(Wave *w, const Ins *I);
const Ins *op_s_memrealtime(Wave *w, const Ins *I);
const Ins *op_s_swappc_b64(Wave *w, const Ins *I);
const Ins *op_s_setpc_b64(Wave *w, const Ins *I);
const Ins *op_s_call_b64(Wave *w, const Ins *I);

static u64 device_clock;  // where the last launch that ended has left it

u64 clock_now(void) { return __atomic_load_n(&device_clock, __ATOMIC_RELAXED); }

void clock_reached(u64 cycles) {
  u64 known = clock_now();
  while (known < cycles && !__atomic_compare_exchange_n(&device_clock, &known, cycles, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

static u64 clock_after(const Wave *w, u64 count) { return w->clock.ahead + CYCLES_AN_INSTRUCTION * count; }

u64 wave_clock(const Wave *w) { return clock_after(w, w->count); }

// ---- loops that wait ----------------------------------------------------------------------------------------------
static bool leaves(const Ins *I) {
  return I->real == op_s_swappc_b64 || I->real == op_s_setpc_b64 || I->real == op_s_call_b64;
}

// Whether the loop from `start` to `end` looks at a clock once a turn and at nothing else that may change.
static bool only_waits(const Image *image, u32 start, u32 end) {
  u32 looks = 0;
  for (u32 i = start; i <= end; i++) {
    const u32 role = image->regs[i].role;
    if (role & (ROLE_VMEM | ROLE_LDS | ROLE_FLAT | ROLE_STORE | ROLE_ATOMIC | ROLE_MFMA | ROLE_BARRIER)) return false;
    if (leaves(&image->ins[i])) return false;
    looks += image->ins[i].real == op_s_memtime || image->ins[i].real == op_s_memrealtime;
  }
  return looks == 1;
}

void clock_find_waits(Image *image) {
  for (u32 at = 0; at < image->ins_count; at++) {
    if (image->ins[at].real != op_s_memtime && image->ins[at].real != op_s_memrealtime) continue;
    u32 start = 0, end = 0;  // of the shortest loop around it
    for (u32 i = at; i < image->ins_count && i - at <= LONGEST_LOOP; i++) {
      const u32 target = (u32)image->ins[i].imm;
      if (!(image->regs[i].role & ROLE_BRANCH) || target > at || i - target > LONGEST_LOOP) continue;
      if (!end || i - target < end - start) start = target, end = i;
    }
    image->ins[at].imm = end && only_waits(image, start, end);
  }
}

// ---- reading ------------------------------------------------------------------------------------------------------
static u64 nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (u64)now.tv_sec * 1000000000ull + (u64)now.tv_nsec;
}

// A look in a loop that waits, the last one after `last` instructions: whether it goes on with a wait.
static bool waits_on(Wave *w, u64 *last, u64 count) {
  const bool goes_on = *last && count - *last <= SPIN_PAUSE;
  if (goes_on) w->clock.idle += count - *last;
  *last = count;
  return goes_on;
}

// How many instructions these are depends on the machine. A wait that never ends shall end at last.
u64 wave_work(const Wave *w) { return w->count - w->clock.idle + w->clock.idle / IDLE_SHARE; }

// The clock of a wave that waits: as far on as the machine's time since its wait began, if that is more.
static u64 waited(Wave *w, u64 count, u64 clock) {
  const u64 now = nanoseconds();
  if (!waits_on(w, &w->clock.count, count)) {
    w->clock.begin = now, w->clock.begin_clock = clock;
    return clock;
  }
  const u64 passed = w->clock.begin_clock + (now - w->clock.begin) * CHIP_CLOCK_MHZ / 1000;
  if (passed > clock) w->clock.ahead += passed - clock;
  return passed > clock ? passed : clock;
}

const Ins *op_s_memtime(Wave *w, const Ins *I) {
  const u64 count = w->count + (u64)(I - w->block), clock = clock_after(w, count);
  w->clock.looks++;
  set_scalar64(w, I->d, unlikely(I->imm) ? waited(w, count, clock) : clock);
  NEXT;
}

// CHIP_TIMER_KHZ, of the machine that runs this
const Ins *op_s_memrealtime(Wave *w, const Ins *I) {
  w->clock.looks++;
  if (unlikely(I->imm)) waits_on(w, &w->clock.timer_count, w->count + (u64)(I - w->block));
  set_scalar64(w, I->d, nanoseconds() * CHIP_TIMER_KHZ / 1000000);
  NEXT;
}
