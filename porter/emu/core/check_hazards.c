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
#include "checks.h"

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
