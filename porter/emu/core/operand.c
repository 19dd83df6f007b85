// Operands that are not plain rows, and results that are not plainly stored: scalars spread over the lanes, negation
// and absolute value, halves (op_sel), parts (SDWA) and other lanes' values (DPP).
#include "image.h"
#include "ops.h"

static bool wide(Kind kind) { return kind == T_B64 || kind == T_F64 || kind == T_PKF32; }

const u32 *prepare(Wave *w, const Ins *I, int j, Kind kind, u32 *tmp) {
  const u32 ref = ~(u32)I->s[j];
  if (likely(!(ref & REF_EXTENDED))) {
    const u32 *p = (ref & REF_POOL ? w->pool : w->s) + REF_INDEX(ref);
    const u32 low = p[0];
    for (int l = 0; l < LANE_COUNT; l++) tmp[l] = low;
    if (wide(kind)) {
      const u32 high = p[1];
      for (int l = 0; l < LANE_COUNT; l++) tmp[LANE_COUNT + l] = high;
    }
    return tmp;
  }
  const Ext *x = &w->launch->image->ext[I->ext];
  const i32 code = x->code[j];
  if (code >= 0) {
    memcpy(tmp, w->R + code, wide(kind) ? 512 : 256);
  } else {
    const u32 *p = (~(u32)code & REF_POOL ? w->pool : w->s) + REF_INDEX(~(u32)code);
    for (int l = 0; l < LANE_COUNT; l++) tmp[l] = p[0];
    if (wide(kind))
      for (int l = 0; l < LANE_COUNT; l++) tmp[LANE_COUNT + l] = p[1];
  }
  u32 *top = wide(kind) ? tmp + LANE_COUNT : tmp;
  u32 sign = kind == T_F16 ? 0x8000u : kind == T_PKF16 ? 0x80008000u : 0x80000000u;
  if (x->mod[j] & MOD_ABS)
    for (int l = 0; l < LANE_COUNT; l++) top[l] &= ~sign;
  if (x->mod[j] & MOD_NEG)
    for (int l = 0; l < LANE_COUNT; l++) top[l] ^= sign;
  return tmp;
}

void finish(Wave *w, const Ins *I, Kind kind, const u32 *result) {
  const Ext *x = &w->launch->image->ext[I->ext];
  u64 mask = EXEC;
  u32 *out = w->R + I->d;
  for (int l = 0; l < LANE_COUNT; l++) {
    if (!(mask >> l & 1)) continue;
    if (kind == T_F32) {
      f32 v = as_f32(result[l]);
      if (x->omod) v *= x->omod == 1 ? 2.0f : x->omod == 2 ? 4.0f : 0.5f;
      if (x->clamp) v = v > 0.0f ? (v < 1.0f ? v : 1.0f) : 0.0f;
      out[l] = of_f32(v);
    } else {
      out[l] = result[l];
      if (wide(kind)) out[LANE_COUNT + l] = result[LANE_COUNT + l];
    }
  }
}
