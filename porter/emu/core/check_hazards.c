// How many wait states gfx942 needs between dependent instructions, as LLVM's GCNHazardRecognizer and rocRoller have
// them. P is the number of passes of the first instruction.
//
//   first                     second                                   wait states
//   XDL writes                reads as A, B; vector or memory reads;   P + 3    (f32: P + 2; f64 4x4x4: 6, 16x16x4: 11)
//                             is overwritten
//   f64 writes                memory reads                             4x4x4: 9, 16x16x4: 18
//   XDL writes                reads as C, other registers than those   P + 1
//   f32 writes                the same, f32 or f64                     P        (XDL: 0)
//   f64 writes                the same, f32 or f64                     4x4x4: 4, 16x16x4: 9  (XDL: 0)
//   any writes                reads as C, just those registers         2 where P is 2; f64 4x4x4 after itself: 4; else 0
//   XDL reads as C            is overwritten                           P - 1
//   vector writes             matrix reads                             2        (dot products: 0)
//   dot product writes        vector or memory reads, is overwritten   3        (the same operation: A and B alone)
//   v_cmpx                    matrix                                   4
//   f64 matrix                v_fma_f64, v_fmac_f64                    2
//
// What matrix instructions overwrite is no hazard. Loads overwrite like vector instructions: LLVM has it so.
#include "shadow.h"

#define MATRIX (UNIT_XDL | UNIT_F32 | UNIT_F64)
#define MOST 16  // pairs that one instruction reports at once

typedef struct { u32 number, row, missing; } Lack;
typedef struct { Lack lacks[MOST]; u32 count; } Lacks;
typedef enum { AS_AB, AS_C, AS_DATA, OVERWRITTEN } Use;

static u32 passes(const Regs *r) { return r->unit & 255; }
static u32 c_operand(const Regs *r) { return r->v_count[3] ? 3 : 2; }  // the old value, where it is C

static bool same_rows(const Regs *first, const Regs *second) {
  const u32 c = c_operand(second);
  return first->v_out == second->v[c] && first->v_out_count == second->v_count[c];
}

static u32 after_f64(const Regs *first, const Regs *second, Use use) {
  const bool small = passes(first) == 4;
  if (use == AS_C) return second->unit & UNIT_XDL ? 0 : small ? 4 : 9;
  if (use == AS_DATA && !(second->unit & UNIT_VALU)) return small ? 9 : 18;
  return small ? 6 : 11;
}

// Between an instruction that writes a row and one that uses it
static u32 after_write(const Regs *first, const Regs *second, Use use, bool same_operation, u32 j) {
  if (first->unit & UNIT_DOT) {
    if (second->unit & MATRIX || (same_operation && (use == OVERWRITTEN || j == c_operand(first)))) return 0;
    return 3;
  }
  if (first->unit & UNIT_VALU) return second->unit & MATRIX ? 2 : 0;
  const u32 p = passes(first);
  if (use == AS_C && same_rows(first, second))
    return p == 2 ? 2 : first->unit & second->unit & UNIT_F64 && p == 4 && passes(second) == 4 ? 4 : 0;
  if (first->unit & UNIT_F64) return after_f64(first, second, use);
  if (first->unit & UNIT_XDL) return use == AS_C ? p + 1 : p + 3;
  return use != AS_C ? p + 2 : second->unit & UNIT_XDL ? 0 : p;
}

static void say(Wave *w, const Ins *I, Lacks *found) {
  for (u32 i = 0; i < found->count; i++) {
    const Lack *l = &found->lacks[i];
    note(w, I, FAULT_MFMA_HAZARD, -1, l->row, l->missing, (i64)l->number - 1);
  }
  found->count = 0;
}

// Every pair of instructions once, with the most that it lacks.
static void need(Wave *w, const Ins *I, Lacks *found, Issued first, u32 states, u32 row) {
  const u32 passed = w->shadow->hazards.clock - first.after;
  if (likely(passed >= states)) return;
  for (u32 i = 0; i < found->count; i++) {
    Lack *l = &found->lacks[i];
    if (l->number != first.number) continue;
    if (l->missing < states - passed) l->missing = states - passed, l->row = row;
    return;
  }
  if (found->count == MOST) say(w, I, found);
  found->lacks[found->count++] = (Lack){first.number, row, states - passed};
}

// No rule asks for more states than this: what was issued longer ago cannot matter.
#define LONGEST 20

// Rows of one operand. Neighbours were mostly written by one instruction, which is looked at once.
static void used(Wave *w, const Ins *I, const Regs *r, Lacks *found, u32 row, u32 count, Use use, u32 j) {
  const Hazards *h = &w->shadow->hazards;
  u32 known = 0;
  for (u32 end = row + count; row < end; row++) {
    const Issued first = h->writes[row];
    if (likely(h->clock - first.after >= LONGEST) || first.number == known || !first.number) continue;
    known = first.number;
    const bool same_operation = w->code[known - 1].op == I->op;
    need(w, I, found, first, after_write(&w->launch->image->regs[known - 1], r, use, same_operation, j), row);
  }
}

static void look(Wave *w, const Ins *I, const Regs *r, Lacks *found) {
  const Hazards *h = &w->shadow->hazards;
  const bool matrix = r->unit & MATRIX;
  for (u32 j = 0; j < 4; j++)
    if (r->v_count[j]) used(w, I, r, found, r->v[j], r->v_count[j], !matrix ? AS_DATA : j == c_operand(r) ? AS_C : AS_AB, j);
  if (matrix && h->writes_exec.number) need(w, I, found, h->writes_exec, 4, 0);
  if (r->unit & UNIT_FMA64 && h->f64.number) need(w, I, found, h->f64, 2, 0);
  if (matrix) return;
  if (r->v_out_count) used(w, I, r, found, r->v_out, r->v_out_count, OVERWRITTEN, 0);
  for (u32 row = r->v_out; row < (u32)r->v_out + r->v_out_count; row++) {
    const Issued reader = h->reads[row];
    // A reader from before the row was written last has been seen to.
    if (h->clock - reader.after < LONGEST && reader.number && reader.after >= h->writes[row].after) need(w, I, found, reader, passes(&w->launch->image->regs[reader.number - 1]) - 1, row);
  }
}

static void remember(Hazards *h, const Ins *I, const Regs *r) {
  const Issued now = {h->clock, I->index + 1};
  const Issued write = {h->clock, r->unit ? now.number : 0};
  for (u32 row = r->v_out; row < (u32)r->v_out + r->v_out_count; row++) h->writes[row] = write;
  const u32 c = c_operand(r);
  if (r->unit & UNIT_XDL)
    for (u32 row = r->v[c]; row < (u32)r->v[c] + r->v_count[c]; row++) h->reads[row] = now;
  if (r->unit & UNIT_F64) h->f64 = now;
  if (r->unit & UNIT_EXEC) h->writes_exec = now;
}

void check_hazards(Wave *w, const Ins *I, const Regs *r) {
  Hazards *h = &w->shadow->hazards;
  if (r->unit || r->role & (ROLE_VMEM | ROLE_LDS)) {
    Lacks found = {.count = 0};
    look(w, I, r, &found);
    say(w, I, &found);
    h->clock++;
    remember(h, I, r);
  } else {
    h->clock += r->role & ROLE_NOP ? ((u32)I->imm & 15) + 1 : 1;
  }
}

// ---- ahead of a run -------------------------------------------------------------------------------------------------

// What compilers make has no hazards on any way through it, and then a run need not look for them. This looks at every
// two instructions that some way brings together in fewer than LONGEST wait states, as look() does but for rows that
// others overwrite in between: it may take for possible what never happens, and then the run looks itself.

extern const Ins *op_s_branch(Wave *, const Ins *), *op_s_endpgm(Wave *, const Ins *),
    *op_s_setpc_b64(Wave *, const Ins *), *op_s_swappc_b64(Wave *, const Ins *), *op_s_call_b64(Wave *, const Ins *);

static bool meets(u32 row, u32 count, u32 other, u32 other_count) {
  return count && other_count && row < other + other_count && other < row + count;
}

static u32 states_between(const Image *image, u32 first, u32 second) {
  const Regs *f = &image->regs[first], *s = &image->regs[second];
  const bool matrix = s->unit & MATRIX, same = image->ins[first].op == image->ins[second].op;
  u32 most = 0;
  for (u32 j = 0; j < 4; j++) {
    if (!meets(f->v_out, f->v_out_count, s->v[j], s->v_count[j])) continue;
    const u32 states = after_write(f, s, !matrix ? AS_DATA : j == c_operand(s) ? AS_C : AS_AB, same, j);
    if (states > most) most = states;
  }
  if (matrix) return f->unit & UNIT_EXEC && most < 4 ? 4 : most;
  if (f->unit & UNIT_F64 && s->unit & UNIT_FMA64 && most < 2) most = 2;
  if (meets(f->v_out, f->v_out_count, s->v_out, s->v_out_count)) {
    const u32 states = after_write(f, s, OVERWRITTEN, same, 0);
    if (states > most) most = states;
  }
  const u32 c = c_operand(f);
  const bool reads_c = f->unit & UNIT_XDL && meets(f->v[c], f->v_count[c], s->v_out, s->v_out_count);
  return reads_c && most < passes(f) - 1 ? passes(f) - 1 : most;
}

static u32 states_of(const Image *image, u32 i) {
  return image->regs[i].role & ROLE_NOP ? ((u32)image->ins[i].imm & 15) + 1 : 1;
}

// The instructions from which a branch leads to each: those of i are from[start[i]] .. from[start[i + 1]].
typedef struct { u32 *start, *from; } Branches;

static Branches branches_of(const Image *image) {
  const u32 n = image->ins_count;
  Branches b = {calloc(n + 2, 4), calloc(n + 1, 4)};
  for (u32 i = 0; i < n; i++)
    if (image->regs[i].role & ROLE_BRANCH && (u32)image->ins[i].imm < n) b.start[(u32)image->ins[i].imm + 2]++;
  for (u32 i = 2; i <= n + 1; i++) b.start[i] += b.start[i - 1];
  for (u32 i = 0; i < n; i++) {
    const u32 target = (u32)image->ins[i].imm;
    if (image->regs[i].role & ROLE_BRANCH && target < n) b.from[b.start[target + 1]++] = i;
  }
  return b;
}

#define MOST_STEPS 400  // looked at in front of one instruction; code that needs more is looked at while it runs
typedef struct { u32 at, passed; } Step;

static bool lacks_states(const Image *image, const Branches *b, u32 second) {
  Step steps[MOST_STEPS];
  steps[0] = (Step){second, 0};
  for (u32 done = 0, count = 1; done < count; done++) {
    const Step step = steps[done];
    const u32 ways = b->start[step.at + 1] - b->start[step.at];
    for (u32 way = 0; way <= ways; way++) {
      const bool straight = way == ways;
      if (straight && !step.at) continue;
      const u32 first = straight ? step.at - 1 : b->from[b->start[step.at] + way];
      if (straight && (image->ins[first].real == op_s_branch || image->ins[first].real == op_s_endpgm)) continue;
      const Regs *f = &image->regs[first];
      if (f->unit && states_between(image, first, second) > step.passed) return true;
      const Step next = {first, step.passed + states_of(image, first)};
      if (next.passed >= LONGEST) continue;
      bool known = false;
      for (u32 i = 0; i < count && ways; i++) known |= steps[i].at == next.at && steps[i].passed <= next.passed;
      if (known) continue;
      if (count == MOST_STEPS) return true;
      steps[count++] = next;
    }
  }
  return false;
}

bool hazards_possible(const Image *image) {
  bool slow = false, jumps = false;
  for (u32 i = 0; i < image->ins_count; i++) {
    const Handler real = image->ins[i].real;
    slow |= image->regs[i].unit & (MATRIX | UNIT_DOT);
    jumps |= real == op_s_setpc_b64 || real == op_s_swappc_b64 || real == op_s_call_b64;
  }
  if (!slow || jumps) return slow;
  const Branches b = branches_of(image);
  bool possible = false;
  for (u32 i = 0; i < image->ins_count && !possible; i++)
    if (image->regs[i].unit || image->regs[i].role & (ROLE_VMEM | ROLE_LDS)) possible = lacks_states(image, &b, i);
  free(b.start);
  free(b.from);
  return possible;
}
