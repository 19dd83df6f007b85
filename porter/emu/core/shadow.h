// The state of the checks. A wave has a Shadow, a workgroup one for its LDS, a launch one for global memory.
#pragma once
#include "image.h"

#define MAX_WAVES CHIP_MAX_GROUP_WAVES
#define ROWS (CHIP_VGPRS + CHIP_AGPRS)
#define S_SCC 125  // no register: where SCC is among the scalars' records

// Who touched a word of LDS last. A tag is the epoch (the workgroup's count of barriers) and the wave, so that the
// common case, nobody else in this epoch, is one comparison; the rest is looked at where a tag says so. Clocks are a
// wave's own time since the last barrier: it moves on with every write that another wave could take as a signal.
#define TAG(epoch, wave) ((epoch) << 5 | (wave))
#define TAG_EPOCH(tag) ((tag) >> 5)
#define TAG_WAVE(tag) ((tag) & 31)
#define SEVERAL 31
typedef struct LdsRecord LdsRecord;
// By word or by byte. Sequences are of that wave's LDS operations, to tell whether they were waited for.
typedef struct {
  u32 *write_tags, *write_ins, *write_sequence, *write_atomic;
  u32 *read_tags, *read_ins, *read_sequence;
  // By wave, where the code has signals: what the writer knew, its own clock among it; and when each read (0: has not
  // since the barrier).
  u32 (*write_known)[MAX_WAVES], (*read_clocks)[MAX_WAVES];
} LdsUsers;
// What a wave had heard of others at an atomic in global memory, its own clock among it
typedef struct { u32 epoch, wave, known[MAX_WAVES]; } Signal;
#define SIGNALS 64
typedef struct GroupShadow {
  const Image *image;
  LdsUsers words, bytes;              // bytes: of words whose bytes are used apart; made on first need
  u32 word_count;
  bool signals;
  LdsRecord *records;                 // accesses since the barrier that no other wave's can meet, not entered by word
  u32 record_count, block_shift;
  bool by_word, full;                 // whether accesses are entered at once; whether the list was full
  u64 blocks_read[MAX_WAVES], blocks_written[MAX_WAVES];  // by wave: 64ths of LDS that the list has, or had
  u32 epoch;
  u32 outside;                        // time of the last signal by another workgroup that it heard
  bool heard;                         // its last global access was one that may have seen a signal
  bool unfinished, arrived_unfinished;  // some wave arrived at the last barrier with LDS operations under way
  u32 known[MAX_WAVES][MAX_WAVES];    // [a][b]: the clock of b up to which a is ordered after b
  Signal sent[SIGNALS];               // by 4 bytes of the address
  u32 lds_complete[MAX_WAVES][2];     // LDS operations complete at a wave's last barriers, by parity of the epoch
} GroupShadow;

typedef struct { u64 bits[ROWS / 64 + 1]; } RowSet;

// Matrix instructions write and read registers long after they were issued, and nothing makes the next instruction
// wait: software has to put enough others, or s_nop, between two that depend on each other.
//
// An issued instruction: the wait states that had passed after it, and its place in the image plus 1 (0: none)
typedef struct { u32 after, number; } Issued;

typedef struct {
  u32 clock;                               // wait states since the wave began: one an instruction, s_nop N counts N + 1
  Issued writes[CHIP_VGPRS + CHIP_AGPRS];  // the vector instruction that wrote a row last
  Issued reads[CHIP_VGPRS + CHIP_AGPRS];   // the matrix instruction that last took the row as its C
  Issued writes_exec, f64;                 // the last v_cmpx, the last f64 matrix instruction
} Hazards;

struct Shadow {
  u64 defined[ROWS];        // lanes of a vector register that hold something
  RowSet undefined;         // rows with a lane that does not
  RowSet flying;            // rows that a load may still write
  u64 *kept;                // the same of each dword of private memory
  u32 scalar_defined[S_COUNT];  // bits of a scalar register, or of SCC, that hold something
  u64 scalar_undefined[2];      // scalars with a bit that does not
  u32 vm_pending[ROWS];     // number of the vector memory operation that will write the register; 0 none
  u32 lds_pending[ROWS];
  u8 smem_pending[S_COUNT];
  bool smem_flying;
  u32 vm_issued, vm_done;   // vector memory operations: issued, known to be complete
  u32 lds_issued, lds_done;
  GroupShadow *group;
  Hazards hazards;
};

static inline u64 rows_in(const RowSet *set, u32 first, u32 count) {  // count: at most 32
  const u32 word = first >> 6, shift = first & 63;
  u64 bits = set->bits[word] >> shift;
  if (shift > 32) bits |= set->bits[word + 1] << (64 - shift);
  return bits & ((1ull << count) - 1);
}
static inline void set_row(RowSet *set, u32 row, bool on) {
  const u64 bit = 1ull << (row & 63);
  set->bits[row >> 6] = on ? set->bits[row >> 6] | bit : set->bits[row >> 6] & ~bit;
}

extern const Ins *op_ds_bpermute_b32(Wave *, const Ins *), *op_ds_permute_b32(Wave *, const Ins *),
    *op_ds_swizzle_b32(Wave *, const Ins *), *op_v_readfirstlane_b32(Wave *, const Ins *),
    *op_v_readlane_b32(Wave *, const Ins *), *op_v_writelane_b32(Wave *, const Ins *),
    *op_v_mad_u64_u32(Wave *, const Ins *), *op_v_mad_i64_i32(Wave *, const Ins *),
    *op_v_lshl_add_u64(Wave *, const Ins *), *op_v_lshlrev_b64(Wave *, const Ins *), *op_v_mov_b64(Wave *, const Ins *),
    *op_v_pk_add_f32(Wave *, const Ins *), *op_v_pk_mul_f32(Wave *, const Ins *), *op_v_pk_fma_f32(Wave *, const Ins *),
    *op_v_swap_b32(Wave *, const Ins *);

// check_uninit.c
void uninit_prepare(Image *image);
void uninit_start(Wave *w);
void uninit_instruction(Wave *w, const Ins *I, Shadow *s, const Regs *r);
void uninit_moved(Wave *w, const Ins *I, u32 by, u32 which);
void uninit_private(Wave *w, const Ins *I, const u64 *addresses, u64 lanes, u32 size, u32 access);
void uninit_read(Wave *w, const Ins *I, const u8 *base, const u64 *addresses, u64 lanes, u32 size);
void uninit_loaded(Wave *w, const Ins *I, const u32 *rows, u32 count);
// Whether any register that the instruction reads or writes is undefined in some lane or bit.
static inline bool meets_undefined(const Shadow *s, const Regs *r, const u64 *scalars) {
  if (scalars[0] & s->scalar_undefined[0] || scalars[1] & s->scalar_undefined[1]) return true;
  for (int j = 0; j < 4; j++)
    if (r->v_count[j] && rows_in(&s->undefined, r->v[j], r->v_count[j])) return true;
  return r->v_out_count && rows_in(&s->undefined, r->v_out, r->v_out_count);
}

// check_hazards.c
void check_hazards(Wave *w, const Ins *I, const Regs *r);
// Whether any way through the program brings two instructions too near to each other.
bool hazards_possible(const Image *image);
// check_guesses.c
void find_guesses(Image *image);
// A race with an atomic harms nobody where the other of the two is a load that only guesses.
static inline bool guesses(const Image *image, u32 load, u32 atomic) {
  return image->guesses[load] && image->regs[atomic].role & ROLE_ATOMIC;
}
// Two atomics race with nobody: a load that passes L1 by, and is not volatile, is an atomic one of the whole GPU.
static inline bool both_atomic(const Image *image, u32 load, u32 atomic) {
  const bool loads = image->regs[load].role & ROLE_LOAD && (image->ins[load].flags & (F_SC0 | F_SC1)) == F_SC1;
  return loads && image->regs[atomic].role & ROLE_ATOMIC;
}
// check_races_lds.c
void race_new_group(GroupShadow *s, u32 lds_bytes, bool signals);
void race_free_group(GroupShadow *s);
void race_barrier(GroupShadow *s, bool unfinished);  // before the epoch moves on
void race_lds(Wave *w, const Ins *I, u32 base, const u32 *row, u64 lanes, u32 size, u32 access);
// check_races_global.c
void race_global(Wave *w, const Ins *I, const u64 *addresses, u64 lanes, u32 size, u32 access);
void *race_new_launch(u64 groups);
void race_free_launch(void *state);
// check_races_lanes.c
void race_lanes(Wave *w, const Ins *I, Space space, const u64 *addresses, u64 lanes, u32 size, u32 access);
// The same for all lanes at base + row[l].
void race_lane_rows(Wave *w, const Ins *I, Space space, u64 base, const u32 *row, u32 size, u32 access);
// check_streams.c
void stream_access(Wave *w, const Ins *I, const u64 *addresses, u64 lanes, u32 size, u32 access);
