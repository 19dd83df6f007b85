// The check of values that nobody wrote.
//
// Undefined lanes travel with the values, through scalars and private memory as well; only where they decide something
// (an address, a comparison, a branch, EXEC, what is stored, a matrix product) is it a finding: copying, spilling or
// selecting them away is what compilers do all the time. A vector register has a bit for each lane. A scalar has one
// for each of its bits, because masks of lanes are put together from parts that are defined for some lanes only.
#include "shadow.h"
#include "ops.h"

static void define_row(Shadow *s, u32 row, u64 lanes) {
  s->defined[row] = lanes;
  set_row(&s->undefined, row, lanes != ALL_LANES);
}

// ---- scalars --------------------------------------------------------------------------------------------------------

static void define_scalar(Shadow *s, u32 at, u32 bits) {
  if (at >= S_COUNT || at == S_EXEC || at == S_EXEC + 1) return;  // EXEC is reported where it is written
  s->scalar_defined[at] = bits;
  const u64 one = 1ull << (at & 63);
  s->scalar_undefined[at >> 6] = bits == ~0u ? s->scalar_undefined[at >> 6] & ~one : s->scalar_undefined[at >> 6] | one;
}

static void define_scalars(Shadow *s, u32 first, u32 count, u64 bits) {
  for (u32 i = 0; i < count; i++) define_scalar(s, first + i, count > 2 ? -(u32)(bits == ~0ull) : (u32)(bits >> 32 * i));
}

// The bits of source j that are defined; of more than two registers all or none.
static u64 bits_defined(const Shadow *s, const Regs *r, int j) {
  u64 bits = ~0ull;
  for (u32 i = 0; i < r->s_count[j] && r->s[j] + i < S_COUNT; i++) {
    const u64 of_one = s->scalar_defined[r->s[j] + i];
    if (r->s_count[j] > 2) bits = of_one == ~0u ? bits : 0;
    else bits &= of_one << 32 * i | ~(0xffffffffull << 32 * i);
  }
  return bits;
}

static u64 bits_of_source(Wave *w, const Ins *I, const Regs *r, int j) {
  if (r->s_count[j]) return w->s[r->s[j]] | (r->s_count[j] > 1 ? (u64)w->s[r->s[j] + 1] << 32 : 0);
  if (I->s[j] >= 0 || I->s[j] == NO_OPERAND) return (u64)(i64)I->imm;
  return r->s_out_count[0] > 1 ? scalar64(w, I->s[j]) : scalar32(w, I->s[j]);
}

static void report_scalar(Wave *w, const Ins *I, Shadow *s, const Regs *r, int j) {
  note(w, I, FAULT_UNINITIALISED, -1, 0x1000 + r->s[j], 0, -1);
  define_scalars(s, r->s[j], r->s_count[j], ~0ull);
}

// A branch on VCC is decided by any lane of it that is defined and set.
static bool decided(Wave *w, const Regs *r, int j, u64 defined) {
  return r->role & ROLE_BRANCH && r->s[j] == S_VCC && VCC & defined;
}

static u64 shifted(u32 kind, u64 defined, u32 by, bool wide) {
  if (!wide) {
    const u32 low = (u32)defined;
    by &= 31;
    const u32 moved = kind == FLOW_SHL ? ~(~low << by) : kind == FLOW_SHR ? ~(~low >> by) : (u32)((i32)low >> by);
    return moved | 0xffffffffull << 32;
  }
  by &= 63;
  return kind == FLOW_SHL ? ~(~defined << by) : kind == FLOW_SHR ? ~(~defined >> by) : (u64)((i64)defined >> by);
}

// The bits of the result that are defined, where some bit of the sources is not. `set`: bits known to be 1.
static u64 combined(Wave *w, const Ins *I, const Regs *r, const u64 *d, u64 *set) {
  const u32 kind = r->flow & 15;
  u64 a = bits_of_source(w, I, r, 0), b = bits_of_source(w, I, r, 1);
  if (r->flow & FLOW_FIRST_INVERTED) a = ~a;
  if (r->flow & FLOW_SECOND_INVERTED) b = ~b;
  u64 result = 0;
  switch (kind) {
    case FLOW_AND: result = (d[0] & d[1]) | (d[0] & ~a) | (d[1] & ~b), *set = result & a & b; break;
    case FLOW_OR: result = (d[0] & d[1]) | (d[0] & a) | (d[1] & b), *set = result & (a | b); break;
    case FLOW_XOR: result = d[0] & d[1], *set = result & (a ^ b); break;
    case FLOW_SHL: case FLOW_SHR: case FLOW_ASHR:
      if (d[1] == ~0ull) result = shifted(kind, d[0], (u32)b, r->s_out_count[0] > 1);
      break;
    case FLOW_SELECT: {  // SCC stands between or after the two
      const int at = r->s[1] == S_SCC ? 1 : 2, other = 3 - at;
      if (d[at] == ~0ull) result = SCC ? d[0] : d[other];
      break;
    }
  }
  if (r->flow & FLOW_INVERTED) *set = 0;
  if (r->s_out_count[0] == 1) *set &= 0xffffffff;
  return result;
}

static void define_of_scalars(Wave *w, const Ins *I, Shadow *s, const Regs *regs) {
  const u32 kind = regs->flow & 15;
  Regs moved = *regs;
  const Regs *r = &moved;
  if (kind == FLOW_FROM_INDEXED) moved.s[0] += M0;
  if (kind == FLOW_TO_INDEXED) moved.s_out[0] += M0;
  u64 d[4], result = ~0ull, set = 0;
  bool all = true;
  for (int j = 0; j < 4; j++) {
    d[j] = bits_defined(s, r, j);
    if (likely(d[j] == ~0ull)) continue;
    if (kind == FLOW_SINK) {
      if (!decided(w, r, j, d[j])) report_scalar(w, I, s, r, j);
    } else {
      all = false;
    }
  }
  if (!all) result = combined(w, I, r, d, &set);
  const bool scc = all || set;
  const bool masks = r->flow & FLOW_EXEC || (r->s_out_count[0] && r->s_out[0] >= S_EXEC);
  if (unlikely(masks && result != ~0ull)) {
    note(w, I, FAULT_UNINITIALISED, __builtin_ctzll(~result), 0x1000 + S_EXEC, 0, -1);
    result = ~0ull;
  }
  for (int o = 0; o < 2; o++)
    define_scalars(s, r->s_out[o], r->s_out_count[o], r->s_out[o] == S_SCC ? -(u64)scc : result);
}

// ---- lanes ----------------------------------------------------------------------------------------------------------

// Shuffles through LDS touch no memory: of their data only the lanes that are taken count, and they travel.
static bool shuffles(const Ins *I) {
  return I->real == op_ds_bpermute_b32 || I->real == op_ds_permute_b32 || I->real == op_ds_swizzle_b32;
}

// Lanes whose flat address is in private memory: what is stored there is only kept.
static u64 private_lanes(Wave *w, const Regs *r) {
  u64 lanes = 0;
  const u32 *high = w->R + (r->v[0] + 1) * LANE_COUNT;
  for (int l = 0; l < LANE_COUNT; l++) lanes |= (u64)(high[l] >> 16 == PRIVATE_APERTURE >> 48) << l;
  return lanes;
}

// The lanes of source j that the instruction looks at.
static u64 lanes_read(Wave *w, const Ins *I, const Regs *r, int j) {
  const u64 exec = EXEC;
  if (r->role & ROLE_MFMA) return ALL_LANES;
  if (r->role & ROLE_PRIVATE && j == 1) return 0;
  if (r->role & ROLE_FLAT && j == 1) return exec & ~private_lanes(w, r);
  return shuffles(I) && j == (I->real == op_ds_swizzle_b32 ? 0 : 1) ? 0 : exec;
}

// The low half of a 64-bit product or sum needs the low halves alone; compilers leave a high one undefined where only
// the low half of the result is used.
static bool low_apart(const Ins *I) {
  return I->real == op_v_mad_u64_u32 || I->real == op_v_mad_i64_i32 || I->real == op_v_lshl_add_u64 ||
         I->real == op_v_lshlrev_b64;
}

static bool in_pairs(const Ins *I) {
  return I->real == op_v_pk_add_f32 || I->real == op_v_pk_mul_f32 || I->real == op_v_pk_fma_f32;
}

// Each half of a pair has its own half of each operand, which op_sel chooses.
static void define_pair(Wave *w, const Ins *I, Shadow *s, const Regs *r) {
  const bool moves = I->real == op_v_mov_b64;
  const Ext *x = &w->launch->image->ext[I->ext];
  const u64 exec = EXEC;
  u64 half[2] = {ALL_LANES, ALL_LANES};
  for (int j = 0; j < 3; j++) {
    const bool chosen = !moves && I->s[j] == ~REF_EXTENDED;
    const u32 at[2] = {chosen ? x->op_sel >> j & 1 : 0, chosen ? x->op_sel_hi >> j & 1 : 1};
    for (int i = 0; i < 2; i++) {
      if (r->v_count[j] == 2) half[i] &= s->defined[r->v[j] + at[i]];
      if (r->s_count[j] == 2) half[i] &= -(u64)(s->scalar_defined[r->s[j] + at[i]] == ~0u);
    }
  }
  for (int i = 0; i < 2; i++) define_row(s, r->v_out + i, (s->defined[r->v_out + i] & ~exec) | (half[i] & exec));
}

static void define_swapped(Wave *w, Shadow *s, const Regs *r) {
  const u64 change = (s->defined[r->v[0]] ^ s->defined[r->v_out]) & EXEC;
  define_row(s, r->v[0], s->defined[r->v[0]] ^ change);
  define_row(s, r->v_out, s->defined[r->v_out] ^ change);
}

// A structure is stored whole, with the gaps that alignment leaves in it: in 16 bytes, or in their halves, what is
// missing lies behind what is there. Such gaps are no finding; they stay undefined in memory.
static u64 all_but_gaps(const Shadow *s, u32 row, u32 count) {
  u64 good = ALL_LANES, gap_to_end = ALL_LANES;
  for (u32 i = count; i-- > 0;) {
    const u64 here = s->defined[row + i];
    const u64 forgiven = (i & 1 ? s->defined[row + i - 1] : 0) | (i ? gap_to_end & ~here & s->defined[row] : 0);
    good &= here | forgiven;
    gap_to_end &= ~here;
  }
  return good;
}

static bool is_data(const Regs *r, int j) { return r->s_count[2] == 4 ? j == 0 : j > 0; }  // buffers have it in front

// The lanes of source j that are defined.
static u64 lanes_defined(const Shadow *s, const Regs *r, int j) {
  u64 lanes = ALL_LANES;
  if (r->role & ROLE_STORE && r->v_count[j] > 1 && r->v_count[j] <= 4 && is_data(r, j)) {
    lanes = all_but_gaps(s, r->v[j], r->v_count[j]);
  } else {
    for (u32 row = r->v[j]; row < (u32)r->v[j] + r->v_count[j]; row++) lanes &= s->defined[row];
  }
  if (!r->s_count[j]) return lanes;
  const u64 bits = bits_defined(s, r, j);
  return lanes & (j > 1 && r->flow & (FLOW_MASK_2 << (j - 2)) ? bits : -(u64)(bits == ~0ull));
}

// What v_readlane, v_readfirstlane and v_writelane leave: they spill scalars, so that nothing is a finding here.
static bool define_one_lane(Wave *w, const Ins *I, Shadow *s, const Regs *r) {
  const u64 exec = EXEC;
  if (I->real == op_v_writelane_b32) {
    const u64 lane = 1ull << (scalar32(w, I->s[1]) & 63);
    // Of a mask of lanes a part may be defined, and there is one bit to say so: it counts as the whole.
    const bool good = bits_defined(s, r, 0) & 0xffffffff;
    define_row(s, r->v_out, good ? s->defined[r->v_out] | lane : s->defined[r->v_out] & ~lane);
    return true;
  }
  if (I->real != op_v_readlane_b32 && I->real != op_v_readfirstlane_b32) return false;
  const u64 lane = I->real == op_v_readlane_b32 ? 1ull << (scalar32(w, I->s[1]) & 63) : exec ? exec & -exec : 1;
  const bool good = r->v_count[0] ? (s->defined[r->v[0]] & lane) != 0 : bits_defined(s, r, 0) == ~0ull;
  define_scalars(s, r->s_out[0], r->s_out_count[0], -(u64)good);
  return true;
}

static bool selects(const Ins *I, const Regs *r) {
  return r->role & ROLE_SELECT && !(I->flags & (F_POST | F_DPP));
}

static void define_of_lanes(Wave *w, const Ins *I, Shadow *s, const Regs *r) {
  u64 low = ALL_LANES, each[4];
  u64 defined = ALL_LANES, written = r->role & ROLE_MFMA ? ALL_LANES : EXEC;
  const bool matters = r->role & (ROLE_VMEM | ROLE_LDS | ROLE_COMPARE | ROLE_MFMA), moves = shuffles(I);
  const bool dpp = I->flags & F_DPP;
  for (int j = 0; j < 4; j++) {
    each[j] = ALL_LANES;
    if (!r->v_count[j] && !r->s_count[j]) continue;
    u64 of_source = lanes_defined(s, r, j);
    if (dpp && j == 0) of_source = dpp_moved(w, I, of_source, &written);
    const u64 lacking = lanes_read(w, I, r, j) & ~of_source & (dpp ? written : ALL_LANES);
    if (unlikely(lacking && matters)) {
      if (r->s_count[j]) {
        report_scalar(w, I, s, r, j);
      } else {
        note(w, I, FAULT_UNINITIALISED, __builtin_ctzll(lacking), r->v[j], 0, -1);
        for (u32 row = r->v[j]; row < (u32)r->v[j] + r->v_count[j]; row++)
          define_row(s, row, s->defined[row] | (dpp ? ALL_LANES : lacking));
      }
    }
    each[j] = of_source;
    defined &= r->role & ROLE_SELECT ? ALL_LANES : of_source;
    low &= r->v_count[j] ? s->defined[r->v[j]] : -(u64)(s->scalar_defined[r->s[j]] == ~0u);
    if (moves) defined = lds_moved(w, I, of_source);  // the last source is the data
  }
  if (selects(I, r)) {
    const u64 mask = r->s_count[2] ? bits_of_source(w, I, r, 2) : scalar64(w, I->s[2]);
    defined = each[2] & ((each[1] & mask) | (each[0] & ~mask));
  }
  if (r->role & (ROLE_VMEM | ROLE_LDS | ROLE_MFMA) && !moves) defined = ALL_LANES;
  for (u32 row = r->v_out; row < (u32)r->v_out + r->v_out_count; row++)
    define_row(s, row, (s->defined[row] & ~written) | (defined & written));
  if (r->v_out_count == 2 && low_apart(I)) define_row(s, r->v_out, s->defined[r->v_out] | (low & written));
  const u64 bits = r->role & ROLE_COMPARE ? ~0ull : defined | ~written;
  for (int o = 0; o < 2; o++) define_scalars(s, r->s_out[o], r->s_out_count[o], bits);
}

void uninit_instruction(Wave *w, const Ins *I, Shadow *s, const Regs *r) {
  if ((r->flow & 15) >= FLOW_ALL) define_of_scalars(w, I, s, r);
  else if (in_pairs(I) || I->real == op_v_mov_b64) define_pair(w, I, s, r);
  else if (I->real == op_v_swap_b32) define_swapped(w, s, r);
  else if (!define_one_lane(w, I, s, r)) define_of_lanes(w, I, s, r);
}

void uninit_moved(Wave *w, const Ins *I, u32 by, u32 which) {
  Regs r = w->launch->image->regs[I->index];
  for (int j = 0; j < 3; j++)
    if (which >> j & 1 && r.v_count[j]) r.v[j] += (u16)by;
  if (which & 8 && r.v_out_count) r.v_out += (u16)by;
  uninit_instruction(w, I, w->shadow, &r);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

// The lane's dword `at` came from memory that nobody wrote.
static void arrives_undefined(Wave *w, const Regs *r, u32 at, u64 lane) {
  Shadow *s = w->shadow;
  if (r->role & ROLE_SMEM) define_scalar(s, r->s_out[0] + at, 0);
  else define_row(s, r->v_out + at, s->defined[r->v_out + at] & ~lane);
}

u32 poison_of_outputs = POISON;

static bool never_written(u32 word) { return word == POISON || word == poison_of_outputs; }

// Loads of nothing but unwritten words are a finding; words beside written ones, as gaps in structures are, stay
// undefined.
void uninit_loaded(Wave *w, const Ins *I, const u32 *rows, u32 count) {
  for (u32 i = 0; i < count; i++) {
    u32 found = 0;
    for (int l = 0; l < LANE_COUNT; l++) found |= never_written(rows[i * LANE_COUNT + l]);
    if (likely(!found)) continue;
    const Regs *r = &w->launch->image->regs[I->index];
    bool reported = false;
    for (int l = 0; l < LANE_COUNT; l++) {
      u32 unwritten = 0;
      for (u32 n = 0; n < count; n++) unwritten |= (u32)never_written(rows[n * LANE_COUNT + l]) << n;
      if (!unwritten) continue;
      if (unwritten == (1u << count) - 1) {
        if (!reported) note(w, I, FAULT_UNINITIALISED, l, 0, 4 * count, -2);
        reported = true;
        continue;
      }
      for (u32 n = 0; n < count; n++)
        if (unwritten >> n & 1) arrives_undefined(w, r, n, 1ull << l);
    }
    return;
  }
}

void uninit_read(Wave *w, const Ins *I, const u8 *base, const u64 *addresses, u64 lanes, u32 size) {
  const Regs *r = &w->launch->image->regs[I->index];
  const u32 words = size / 4, out = r->role & ROLE_SMEM ? r->s_out_count[0] : r->v_out_count;
  for (u64 m = lanes; m; m &= m - 1) {
    const int l = __builtin_ctzll(m);
    const u8 *p = (const u8 *)((u64)(uintptr_t)base + addresses[l]);  // base: NULL for addresses of the host
    u32 unwritten = 0, first = 0;
    for (u32 n = words; n-- > 0;) {
      u32 word;
      memcpy(&word, p + 4 * n, 4);
      if (unlikely(never_written(word))) unwritten |= 1u << n, first = n;
    }
    if (likely(!unwritten)) continue;
    if (unwritten == (1u << words) - 1 || out != words) {
      note(w, I, FAULT_UNINITIALISED, l, addresses[l] + 4 * first, 4, -2);
      return;
    }
    for (u32 n = 0; n < words; n++)
      if (unwritten >> n & 1) arrives_undefined(w, r, n, 1ull << l);
  }
}

static u64 lanes_at(const u64 *addresses, u64 address) {
  u8 same[LANE_COUNT];
  for (int l = 0; l < LANE_COUNT; l++) same[l] = addresses[l] == address;
  return bits_of(same);
}

// Private memory is where compilers keep values that found no register: undefined ones come back undefined. Most often
// all lanes are at the same offset.
void uninit_private(Wave *w, const Ins *I, const u64 *addresses, u64 lanes, u32 size, u32 access) {
  Shadow *s = w->shadow;
  const Regs *r = &w->launch->image->regs[I->index];
  for (u64 left = lanes; left;) {
    const u64 first = addresses[__builtin_ctzll(left)], here = left & lanes_at(addresses, first);
    left &= ~here;
    for (u32 at = 0; at < size; at += 4) {
      u64 *kept = &s->kept[(first + at) >> 2];
      const u32 in = r->v[1] + at / 4, out = r->v_out + at / 4;
      if (access & ACCESS_ATOMIC) *kept |= here;
      else if (access & ACCESS_READ && r->v_out_count) define_row(s, out, s->defined[out] & (*kept | ~here));
      else if (access & ACCESS_WRITE) *kept = (size < 4 ? *kept : *kept & ~here) | (s->defined[in] & here);
    }
  }
}

// ---- life of the state ----------------------------------------------------------------------------------------------

void uninit_start(Wave *w) {
  Shadow *s = w->shadow;
  const Kernel *k = w->launch->kernel;
  memset(&s->undefined, 255, sizeof s->undefined);
  memset(s->scalar_defined, 255, sizeof s->scalar_defined);
  define_row(s, 0, ALL_LANES);  // the work item's number
  const u32 given = k->user_count + (u32)__builtin_popcount(k->user & (SYS_GROUP_X | SYS_GROUP_Y | SYS_GROUP_Z | SYS_GROUP_INFO));
  for (u32 i = 0; i < S_COUNT; i++) define_scalar(s, i, i < given || (i >= S_FLAT_SCRATCH && i < S_VCC) || i >= S_TTMP ? ~0u : 0);
  define_scalar(s, S_SCC, 0);
  define_scalar(s, S_M0, 0);
}

// Which scalars each instruction touches, as a bit each.
void uninit_prepare(Image *image) {
  image->scalars = calloc(image->ins_count + 1, sizeof *image->scalars);
  for (u32 i = 0; i < image->ins_count; i++) {
    const Regs *r = &image->regs[i];
    u64 *touched = image->scalars[i];
    for (int j = 0; j < 6; j++) {
      const u32 first = j < 4 ? r->s[j] : r->s_out[j - 4], count = j < 4 ? r->s_count[j] : r->s_out_count[j - 4];
      for (u32 at = first; at < first + count && at < S_COUNT; at++) touched[at >> 6] |= 1ull << (at & 63);
    }
    if ((r->flow & 15) == FLOW_FROM_INDEXED || (r->flow & 15) == FLOW_TO_INDEXED) touched[0] = touched[1] = ~0ull;
  }
}
