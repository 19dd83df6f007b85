// Handlers of what moves the program counter, stops the wave, waits, or reads and writes the wave's state; blocks are
// counted here.
#include "hooks.h"
#include "ops.h"
#include "record.h"

// A block ends: its instructions are counted once for all of them.
static inline void leave_block(Wave *w, const Ins *I) {
  const i32 length = (i32)(I - w->block) + 1;
  w->count += length;
  w->budget -= length;
  if (w->worker->hits) w->worker->hits[w->block->index]++;
  if (unlikely(w->record)) record_block(w->record, w->block->index, (u32)length);
}

// Goes to `target`, or lets the others run first when the time slice is over.
#define GO(TARGET)                                        \
  do {                                                    \
    const Ins *target_ = (TARGET);                        \
    w->block = target_;                                   \
    if (unlikely(w->budget <= 0)) {                       \
      w->state = YIELD;                                   \
      w->pc = target_;                                    \
      return 0;                                           \
    }                                                     \
    __attribute__((musttail)) return target_->fn(w, target_); \
  } while (0)

#define NATIVE_branch(NAME, TAKEN)               \
  const Ins *NAME(Wave *w, const Ins *I) {       \
    leave_block(w, I);                           \
    GO((TAKEN) ? w->code + I->imm : I + 1);      \
  }

#define NATIVE_nothing(NAME) \
  const Ins *NAME(Wave *w, const Ins *I) { NEXT; }

// What no program of a user runs, and nothing here could do right
#define NATIVE_refused(NAME) \
  const Ins *NAME(Wave *w, const Ins *I) { return fault(w, I, FAULT_UNKNOWN_INSTRUCTION, -1, 0, 0, -1); }

#define NATIVE_end(NAME)                         \
  const Ins *NAME(Wave *w, const Ins *I) {       \
    leave_block(w, I);                           \
    STOP(ENDED);                                 \
  }

// ---- indirect control flow --------------------------------------------------------------------------------------
static inline u64 address_of(const Wave *w, const Ins *I) { return CODE_APERTURE | (u64)(I - w->code) * INS_BYTES; }

// The instruction at an address, or NULL
static inline const Ins *at_address(const Wave *w, u64 address) {
  const u64 offset = address ^ CODE_APERTURE, index = offset / INS_BYTES;
  return offset % INS_BYTES || index >= w->launch->image->ins_count ? NULL : w->code + index;
}

#define GO_TO_ADDRESS(ADDRESS)                                                          \
  do {                                                                                  \
    const u64 to_ = (ADDRESS);                                                          \
    const Ins *there_ = at_address(w, to_);                                             \
    if (unlikely(!there_)) return fault(w, I, FAULT_BAD_PC, -1, to_, 0, -1);            \
    leave_block(w, I);                                                                  \
    GO(there_);                                                                         \
  } while (0)

const Ins *op_s_getpc_b64(Wave *w, const Ins *I) {
  set_scalar64(w, I->d, address_of(w, I + 1));
  NEXT;
}

const Ins *op_s_setpc_b64(Wave *w, const Ins *I) { GO_TO_ADDRESS(scalar64(w, I->s[0])); }

const Ins *op_s_swappc_b64(Wave *w, const Ins *I) {
  const u64 target = scalar64(w, I->s[0]);
  set_scalar64(w, I->d, address_of(w, I + 1));
  GO_TO_ADDRESS(target);
}

const Ins *op_s_call_b64(Wave *w, const Ins *I) {
  set_scalar64(w, I->d, address_of(w, I + 1));
  leave_block(w, I);
  GO(w->code + I->imm);
}

// Structured divergence of older hardware: where lanes disagree, the smaller part goes first, and the other part's
// place and lanes are kept in four scalars of a stack whose depth is in MODE.
#define MODE_CSP 29
static const Ins *fork(Wave *w, const Ins *I, u64 condition, const Ins *target) {
  const u64 pass = condition & EXEC, fail = ~condition & EXEC;
  if (pass == EXEC) return target;
  if (fail == EXEC) return I + 1;
  const bool fail_first = __builtin_popcountll(fail) < __builtin_popcountll(pass);
  const u64 saved[2] = {address_of(w, fail_first ? target : I + 1), fail_first ? pass : fail};
  memcpy(&w->s[4 * (w->mode >> MODE_CSP & 7)], saved, sizeof saved);
  w->mode += 1u << MODE_CSP;
  EXEC = fail_first ? fail : pass;
  return fail_first ? I + 1 : target;
}

const Ins *op_s_cbranch_i_fork(Wave *w, const Ins *I) {
  leave_block(w, I);
  GO(fork(w, I, scalar64(w, I->s[0]), w->code + I->imm));
}

const Ins *op_s_cbranch_g_fork(Wave *w, const Ins *I) {
  const u64 address = scalar64(w, I->s[1]);
  const Ins *target = at_address(w, address);
  if (!target) return fault(w, I, FAULT_BAD_PC, -1, address, 0, -1);
  leave_block(w, I);
  GO(fork(w, I, scalar64(w, I->s[0]), target));
}

const Ins *op_s_cbranch_join(Wave *w, const Ins *I) {
  const Ins *target = I + 1;
  if ((w->mode >> MODE_CSP & 7) != scalar32(w, I->s[0])) {
    w->mode -= 1u << MODE_CSP;
    u64 saved[2];
    memcpy(saved, &w->s[4 * (w->mode >> MODE_CSP & 7)], sizeof saved);
    target = at_address(w, saved[0]);
    if (!target) return fault(w, I, FAULT_BAD_PC, -1, saved[0], 0, -1);
    EXEC = saved[1];
  }
  leave_block(w, I);
  GO(target);
}

// ---- the end, waiting -------------------------------------------------------------------------------------------
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

// Operations on memory complete at once here. What is true of the chip all the same: a wave that waits for them waits
// long, and the others run meanwhile. Its block goes on afterwards, so it is not counted here. The check of waits looks at
// a wait before it comes here.
const Ins *op_s_waitcnt(Wave *w, const Ins *I) {
  const u32 left = I->imm & 255;  // vmcnt; 255: it does not wait for that
  if (likely(w->under_way <= left)) NEXT;
  w->under_way = 0;  // what else was issued has come too when the first of them has
  if (!w->lets_others) NEXT;
  w->state = AT_WAIT;
  w->pc = I + 1;
  return 0;
}

// 2 is __builtin_trap, 3 is __builtin_debugtrap, which nobody listens to
const Ins *op_s_trap(Wave *w, const Ins *I) {
  if (I->imm == 3) {
    leave_block(w, I);
    GO(I + 1);
  }
  return fault(w, I, FAULT_TRAP, -1, 0, 0, -1);
}

const Ins *op_s_sethalt(Wave *w, const Ins *I) {
  if (I->imm & 1) return fault(w, I, FAULT_TRAP, -1, 0, 0, -1);
  NEXT;
}

const Ins *op_s_sendmsghalt(Wave *w, const Ins *I) { return fault(w, I, FAULT_TRAP, -1, 0, 0, -1); }

// ---- hardware registers -----------------------------------------------------------------------------------------
enum {
  HW_MODE = 1, HW_STATUS, HW_TRAPSTS, HW_ID, HW_GPR_ALLOC, HW_LDS_ALLOC, HW_IB_STS, HW_SH_MEM_BASES = 15,
  HW_XCC_ID = 20,
};

static u32 hardware_register(const Wave *w, u32 number) {
  const u32 group = (u32)w->group->number;
  switch (number) {
    case HW_MODE: return w->mode;
    case HW_STATUS:  // SCC, EXECZ, VCCZ, in a workgroup, at a barrier never while running
      return w->scc | (u32)(EXEC == 0) << 9 | (u32)(VCC == 0) << 10 | 1u << 11 | 1u << 16;
    case HW_ID: return (w->id & 7) | (w->id & 3) << 4 | (group / CHIP_XCDS % (CHIP_COMPUTE_UNITS / CHIP_XCDS)) << 8;  // wave, SIMD, compute unit
    case HW_LDS_ALLOC: return (w->lds_size + CHIP_LDS_GRANULE - 1) / CHIP_LDS_GRANULE << 12;
    case HW_SH_MEM_BASES: return (u32)(PRIVATE_APERTURE >> 48) | (u32)(SHARED_APERTURE >> 48) << 16;
    case HW_XCC_ID: return group % CHIP_XCDS;
    default: return 0;
  }
}

const Ins *op_s_getreg_b32(Wave *w, const Ins *I) {
  const u32 field = (u32)I->imm, width = (field >> 11 & 31) + 1;
  const u32 value = hardware_register(w, field & 63) >> (field >> 6 & 31);
  set_scalar32(w, I->d, width == 32 ? value : value & ((1u << width) - 1));
  NEXT;
}

// Only MODE has an effect on what a program computes; the others take what is written and forget it.
#define NATIVE_setreg(NAME)                                                             \
  const Ins *NAME(Wave *w, const Ins *I) {                                              \
    const u32 field = (u32)I->imm, width = (field >> 11 & 31) + 1, first = field >> 6 & 31; \
    if ((field & 63) == HW_MODE) {                                                      \
      const u32 bits = (u32)(((1ull << width) - 1) << first);                           \
      w->mode = (w->mode & ~bits) | (scalar32(w, I->s[1]) << first & bits);             \
      w->mxcsr = mxcsr_of_mode(w->mode);                                                \
      _mm_setcsr(w->mxcsr);                                                             \
    }                                                                                   \
    NEXT;                                                                               \
  }

// ---- scalar registers by number ---------------------------------------------------------------------------------
#define NATIVE_movrels(NAME, N)                                                         \
  const Ins *NAME(Wave *w, const Ins *I) {                                              \
    const u32 from = REF_INDEX(~(u32)I->s[0]) + M0;                                     \
    if (unlikely(from > S_FLAT_SCRATCH - N)) return fault(w, I, FAULT_UNKNOWN_INSTRUCTION, -1, from, 0, -1); \
    memmove(&w->s[REF_INDEX(~(u32)I->d)], &w->s[from], 4 * N);                          \
    NEXT;                                                                               \
  }
#define NATIVE_movreld(NAME, N)                                                         \
  const Ins *NAME(Wave *w, const Ins *I) {                                              \
    const u32 to = REF_INDEX(~(u32)I->d) + M0;                                          \
    if (unlikely(to > S_FLAT_SCRATCH - N)) return fault(w, I, FAULT_UNKNOWN_INSTRUCTION, -1, to, 0, -1); \
    const u64 value = N == 2 ? scalar64(w, I->s[0]) : scalar32(w, I->s[0]);             \
    memcpy(&w->s[to], &value, 4 * N);                                                   \
    NEXT;                                                                               \
  }

// ---- vector registers by number ---------------------------------------------------------------------------------
// Between s_set_gpr_idx_on and _off the vector operands that M0's bits 12 to 15 name are moved by its low byte. The
// instructions of the region are run one by one as copies with moved operands.
const Ins *op_s_set_gpr_idx_off(Wave *w, const Ins *I);

static const Ins *one_instruction(Wave *w, const Ins *I) { return I; }

static bool moved(Wave *w, const Ins *from, Ins *copy) {
  const i32 by = (i32)(M0 & 0xff) * LANE_COUNT, what = (i32)(M0 >> 12 & 15);
  const Regs *r = &w->launch->image->regs[from->index];
  const i32 end = (i32)w->launch->kernel->rows * LANE_COUNT;
  *copy = *from;
  copy->fn = from->real;
  for (int j = 0; j < 3; j++)
    if (what >> j & 1 && copy->s[j] >= 0 && (copy->s[j] += by) + r->v_count[j] * LANE_COUNT > end) return false;
  for (int j = 0; j < 3; j++)
    if (what >> j & 1 && copy->s[j] < 0 && ~(u32)copy->s[j] & REF_EXTENDED) return false;
  return !(what & 8 && copy->d >= 0 && (copy->d += by) + r->v_out_count * LANE_COUNT > end);
}

// The s_set_gpr_idx_off that ends the region, or the instruction that cannot be run so; *good says which.
static __attribute__((noinline)) const Ins *indexed_region(Wave *w, const Ins *I, bool *good) {
  Ins two[2];
  memset(two, 0, sizeof two);
  two[1].fn = two[1].real = one_instruction;
  const Ins *end = w->code + w->launch->image->ins_count;
  *good = false;
  for (; I < end; I++) {
    if (I->real == op_s_set_gpr_idx_off) {
      *good = true;
      return I;
    }
    if (!moved(w, I, &two[0])) return I;
    if (unlikely(w->checks & CHECK_UNINIT)) hooks.moved(w, I, M0 & 0xff, M0 >> 12 & 15);
    if (two[0].fn(w, two) != &two[1]) return I;
  }
  return I - 1;
}

const Ins *op_s_set_gpr_idx_on(Wave *w, const Ins *I) {
  M0 = (M0 & ~0xf0ffu) | (scalar32(w, I->s[0]) & 0xff) | ((u32)I->imm & 15) << 12;
  bool good;
  const Ins *last = indexed_region(w, I + 1, &good);
  if (unlikely(w->state == FAULTED)) return 0;
  if (unlikely(!good)) return fault(w, last, FAULT_UNKNOWN_INSTRUCTION, -1, 0, 0, -1);
  __attribute__((musttail)) return last->fn(w, last);
}

const Ins *op_s_set_gpr_idx_mode(Wave *w, const Ins *I) {
  M0 = (M0 & ~0xf000u) | ((u32)I->imm & 15) << 12;
  NEXT;
}

const Ins *op_s_set_gpr_idx_idx(Wave *w, const Ins *I) {
  M0 = (M0 & ~0xffu) | (scalar32(w, I->s[0]) & 0xff);
  NEXT;
}

#include "natives.h"
