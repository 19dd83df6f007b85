// The state of the emulated machine, and what every instruction handler may use.
//
// A handler is one C function per instruction of the table (porter/emu/isa). It ends by calling the next one, so a
// wave runs from handler to handler and comes back to the scheduler only where something stops it (barrier, end, fault,
// end of its time slice).
#pragma once
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Generated: porter/emu/headers.py
#include "chip.h"
#include "findings.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;
typedef float f32;
typedef double f64;
typedef _Float16 f16;

#define LANE_COUNT CHIP_WAVE
#define POISON 0x7fa5a5a5u  // a signalling NaN: what registers, LDS and new memory hold before they are written
extern u32 poison_of_outputs;  // a second such word, of a caller that fills memory with its own; else POISON
#define ALL_LANES (~0ull)
#if CHIP_WAVE != 64
#error masks of lanes are u64, a bit a lane
#endif
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

typedef struct Wave Wave;
typedef struct Ins Ins;
typedef const Ins *(*Handler)(Wave *w, const Ins *I);

// ---- scalar registers: where the ISA's operand encoding puts them -------------------------------------------------
enum {
  S_FLAT_SCRATCH = CHIP_SGPRS,
  S_XNACK = 104,
  S_VCC = 106,
  S_TTMP = 108,
  S_M0 = 124,
  S_EXEC = 126,
  S_COUNT = 128,
};

// ---- operands ---------------------------------------------------------------------------------------------------
// A vector operand that needs no preparation is the offset of its row in Wave.R, in words: >= 0. Any other is ~ref:
// a scalar register or a constant of the image's pool (its index), or REF_EXTENDED: described by Ins.ext.
#define REF_POOL (1 << 24)
#define REF_EXTENDED (1 << 25)
#define REF_INDEX(ref) ((ref) & 0xffffff)
#define NO_OPERAND INT32_MIN

typedef enum { T_B32, T_F32, T_B64, T_F64, T_B16, T_I16, T_F16, T_PK16, T_PKF16, T_PKF32, T_MIX, T_B8 } Kind;

enum { MOD_NEG = 1, MOD_ABS = 2, MOD_SEXT = 4 };
enum { SEL_BYTE0, SEL_BYTE1, SEL_BYTE2, SEL_BYTE3, SEL_WORD0, SEL_WORD1, SEL_DWORD };
enum { UNUSED_PAD, UNUSED_SEXT, UNUSED_PRESERVE };

// What an instruction has beyond plain operands: modifiers, SDWA, DPP, op_sel. Layout shared with image.py.
typedef struct Ext {
  i32 code[4];      // the operands, encoded without REF_EXTENDED
  u8 mod[4];        // MOD_*
  u8 sel[4];        // SDWA selection of each source
  u8 dst_sel, dst_unused;
  u8 clamp, omod;   // omod: 0 none, 1 *2, 2 *4, 3 /2
  u8 op_sel, op_sel_hi, neg_lo, neg_hi;  // bit j: source j; op_sel bit 3: the destination's high half
  u8 sdwa, dpp, row_mask, bank_mask;
  u16 dpp_ctrl;
  u8 bound_ctrl, pad;
} Ext;

enum {
  F_POST = 1,       // the result goes through finish(): output modifiers, SDWA, DPP
  F_SC0 = 2, F_SC1 = 4, F_NT = 8, F_LDS = 16, F_IDXEN = 32, F_OFFEN = 64,
  F_DPP = 1 << 15,  // the result goes to the lanes of Wave.dpp_mask alone
};

struct Ins {
  Handler fn;       // what the previous instruction calls: the operation, or a check in front of it
  Handler real;     // the operation
  i32 d, d2;        // destination row or scalar ref; second destination (carry, mask)
  i32 s[4];
  i32 imm, imm2;    // offsets, branch target (index), immediate
  u16 op, flags;
  u32 ext;          // index into Image.ext when an operand is REF_EXTENDED or F_POST is set
  u32 n;            // dwords moved, where the operation does not fix it
  u32 index;        // its place in the image
};

// ---- the machine ----------------------------------------------------------------------------------------------------
#define RECENT_STATES 16

// How a wave's clock goes (clock.c).
typedef struct {
  u64 ahead;               // cycles beyond those of its instructions
  u64 looks;               // at either clock
  u64 count, timer_count;  // its instructions when it last looked in a loop that does nothing else, at each; 0: never
  u64 idle;                // instructions of such loops
  u64 begin, begin_clock;  // when that wait began, in nanoseconds of the machine and in cycles
} WaveClock;

typedef enum { RUN, AT_BARRIER, AT_WAIT, YIELD, SLEEP, ENDED, FAULTED } State;

typedef struct Group Group;
typedef struct Worker Worker;
typedef struct Launch Launch;
typedef struct Image Image;
typedef struct Shadow Shadow;

struct Wave {
  u32 s[S_COUNT] __attribute__((aligned(64)));
  u32 *R;           // rows of 64 lanes: VGPRs, then AGPRs
  const u32 *pool;  // constants of the image
  u32 scc;
  u32 mode;         // MODE register: round, denorm, dx10_clamp, ieee
  u32 mxcsr;
  i32 budget;       // instructions left in this time slice, counted at branches
  u8 *lds;
  u32 lds_size;
  u32 checks;       // CHECK_* of findings.h
  const Ins *code;  // base of the image's instructions
  const Ins *pc;
  const Ins *block; // where the running basic block began, for counting
  u64 count;        // instructions executed
  WaveClock clock;
  u64 dpp_mask;     // lanes that the last DPP source allows to be written
  u8 *scratch;      // private memory: lane after lane
  u32 scratch_size; // bytes a lane
  u32 id;           // in its workgroup
  State state;
  bool had_turn;    // in this round of the workgroup
  bool lets_others; // whether it stops where it waits for memory
  u32 under_way;    // operations on memory that it has not waited for
  Group *group;
  Worker *worker;
  Launch *launch;
  Shadow *shadow;   // state of the checks, NULL when none is on
  struct RecordedWave *record;  // where its instructions and accesses are written down, or NULL
  u64 recent[RECENT_STATES];  // hashes of its state at its last turns (stall.c)
  u32 recent_at;
  u32 tmp[6][2 * LANE_COUNT] __attribute__((aligned(64)));
};

#define EXEC (*(u64 *)&w->s[S_EXEC])
#define VCC (*(u64 *)&w->s[S_VCC])
#define SCC (w->scc)
#define M0 (w->s[S_M0])

// The last handler of the chain; musttail keeps the stack flat however long the kernel runs.
#define NEXT __attribute__((musttail)) return (I + 1)->fn(w, I + 1)
#define STOP(what) return (w->state = (what), w->pc = I, (const Ins *)0)

static inline u32 scalar32(const Wave *w, i32 code) {
  u32 ref = ~(u32)code;
  return (ref & REF_POOL ? w->pool : w->s)[REF_INDEX(ref)];
}
static inline u64 scalar64(const Wave *w, i32 code) {
  u32 ref = ~(u32)code;
  const u32 *p = (ref & REF_POOL ? w->pool : w->s) + REF_INDEX(ref);
  return p[0] | (u64)p[1] << 32;
}
static inline void set_scalar32(Wave *w, i32 code, u32 x) { w->s[REF_INDEX(~(u32)code)] = x; }
static inline void set_scalar64(Wave *w, i32 code, u64 x) { memcpy(&w->s[REF_INDEX(~(u32)code)], &x, 8); }

// operand.c: everything that is not a plain row
const u32 *prepare(Wave *w, const Ins *I, int j, Kind kind, u32 *tmp);
void finish(Wave *w, const Ins *I, Kind kind, const u32 *result);

static inline const u32 *source(Wave *w, const Ins *I, int j, Kind kind) {
  return likely(I->s[j] >= 0) ? w->R + I->s[j] : prepare(w, I, j, kind, w->tmp[j]);
}

// A mask of lanes as 64 words of all ones or zeros
static inline void expand(u64 mask, u32 *out) {
  for (int l = 0; l < LANE_COUNT; l++) out[l] = -(u32)(mask >> l & 1);
}

#define LANES _Pragma("clang loop vectorize(assume_safety) interleave(disable)") for (int l = 0; l < LANE_COUNT; l++)

// ---- faults -------------------------------------------------------------------------------------------------------
// What a run can be stopped for, or report and go on: FaultKind of findings.h.

// Records a finding of kind `kind` at instruction I; returns NULL after setting the wave's state, so that a handler
// writes `return fault(...)`. `size` is what was accessed, `other` a second place (index of an instruction) or -1.
const Ins *fault(Wave *w, const Ins *I, FaultKind kind, int lane, u64 address, u32 size, i64 other);
// The same for findings after which the kernel goes on.
void note(Wave *w, const Ins *I, FaultKind kind, int lane, u64 address, u32 size, i64 other);

// ---- memory -----------------------------------------------------------------------------------------------------
// Flat addresses of LDS and private memory carry these in their upper word.
#define SHARED_APERTURE 0x0001000000000000ull
#define PRIVATE_APERTURE 0x0002000000000000ull
#define APERTURE_MASK 0xffff000000000000ull
// Instructions have addresses too (s_getpc, function pointers): 8 bytes each from here on.
#define CODE_APERTURE 0x0004000000000000ull
#define INS_BYTES 8

// ---- checks -------------------------------------------------------------------------------------------------------
typedef enum { SPACE_GLOBAL, SPACE_LDS, SPACE_SCRATCH } Space;
enum { ACCESS_READ = 1, ACCESS_WRITE = 2, ACCESS_ATOMIC = 4, ACCESS_SECOND = 8 };  // SECOND: of two places a lane
