// Handlers of what moves the program counter, stops the wave or waits; blocks are counted here.
#include "image.h"
#include "ops.h"

// A block ends: its instructions are counted once for all of them.
static inline void leave_block(Wave *w, const Ins *I) {
  const i32 length = (i32)(I - w->block) + 1;
  w->count += length;
  w->budget -= length;
  if (w->worker->hits) w->worker->hits[w->block->index]++;
}

#define NATIVE_branch(NAME, TAKEN)               \
  const Ins *NAME(Wave *w, const Ins *I) {       \
    leave_block(w, I);                           \
    const Ins *target = (TAKEN) ? w->code + I->imm : I + 1; \
    w->block = target;                           \
    if (unlikely(w->budget <= 0)) {              \
      w->state = YIELD;                          \
      w->pc = target;                            \
      return 0;                                  \
    }                                            \
    __attribute__((musttail)) return target->fn(w, target); \
  }

#define NATIVE_nothing(NAME) \
  const Ins *NAME(Wave *w, const Ins *I) { NEXT; }

#include "natives.h"

const Ins *op_s_endpgm(Wave *w, const Ins *I) {
  leave_block(w, I);
  STOP(ENDED);
}

const Ins *op_s_barrier(Wave *w, const Ins *I) {
  leave_block(w, I);
  w->block = I + 1;
  w->state = AT_BARRIER;
  w->pc = I + 1;
  return 0;
}

const Ins *op_s_sleep(Wave *w, const Ins *I) {
  leave_block(w, I);
  w->block = I + 1;
  w->state = SLEEP;
  w->pc = I + 1;
  return 0;
}

// Loads complete at once here; a wait matters to the check of waits alone, which looks at it before it comes here.
const Ins *op_s_waitcnt(Wave *w, const Ins *I) { NEXT; }
