// Operands that are not plain rows, and results that are not plainly stored: scalars spread over the lanes, negation
// and absolute value, halves (op_sel), parts (SDWA) and other lanes' values (DPP).
#include "image.h"
#include "ops.h"

static bool wide(Kind kind) { return kind == T_B64 || kind == T_F64 || kind == T_PKF32; }
static bool half(Kind kind) { return kind == T_B16 || kind == T_I16 || kind == T_F16; }

static void spread(u32 *row, u32 value) {
  for (int l = 0; l < LANE_COUNT; l++) row[l] = value;
}

// ---- DPP ----------------------------------------------------------------------------------------------------------
enum {
  DPP_ROW_SHL = 0x100, DPP_ROW_SHR = 0x110, DPP_ROW_ROR = 0x120, DPP_WAVE_SHL = 0x130, DPP_WAVE_ROL = 0x134,
  DPP_WAVE_SHR = 0x138, DPP_WAVE_ROR = 0x13c, DPP_ROW_MIRROR = 0x140, DPP_ROW_HALF_MIRROR = 0x141,
  DPP_BCAST15 = 0x142, DPP_BCAST31 = 0x143, DPP_ROW_NEWBCAST = 0x150,
};

// The lane that lane l reads, or -1 where it is outside of the row or the wave
static int dpp_lane(u32 control, int l) {
  const int row = l & ~15, at = l & 15, n = control & 15;
  int from;
  if (control < DPP_ROW_SHL) return (l & ~3) | (control >> 2 * (l & 3) & 3);
  switch (control & 0x1f0) {
    case DPP_ROW_SHL: return at + n < 16 ? l + n : -1;
    case DPP_ROW_SHR: return at - n >= 0 ? l - n : -1;
    case DPP_ROW_ROR: return row | ((at - n) & 15);
    case DPP_ROW_NEWBCAST: return row | n;
  }
  switch (control) {
    case DPP_WAVE_SHL: return l < 63 ? l + 1 : -1;
    case DPP_WAVE_ROL: return (l + 1) & 63;
    case DPP_WAVE_SHR: return l - 1;
    case DPP_WAVE_ROR: return (l - 1) & 63;
    case DPP_ROW_MIRROR: return row | (15 - at);
    case DPP_ROW_HALF_MIRROR: return (l & ~7) | (7 - (l & 7));
    case DPP_BCAST15: from = row - 1; return from;      // the last lane of the row before; the first row has none
    case DPP_BCAST31: return l < 32 ? -1 : 31;
    default: return -1;
  }
}

// For every control: the lanes read, and which of them exist; made when the library is loaded
#define DPP_CONTROLS 0x160
static u8 dpp_from[DPP_CONTROLS][LANE_COUNT];
static u64 dpp_inside[DPP_CONTROLS];

__attribute__((constructor)) static void tabulate_dpp(void) {
  for (u32 control = 0; control < DPP_CONTROLS; control++)
    for (int l = 0; l < LANE_COUNT; l++) {
      const int from = dpp_lane(control, l);
      dpp_from[control][l] = from < 0 ? 0 : (u8)from;
      dpp_inside[control] |= (u64)(from >= 0) << l;
    }
}

static void gather(const u8 *from, u64 valid, u32 *row) {
  u32 M[LANE_COUNT], out[LANE_COUNT];
  expand(valid, M);
  for (int l = 0; l < LANE_COUNT; l++) out[l] = row[from[l]] & M[l];
  memcpy(row, out, sizeof out);
}

// Lanes whose source is outside, or switched off, read 0 with bound_ctrl; without it they are not written.
static void dpp(Wave *w, const Ext *x, Kind kind, u32 *row) {
  const u32 control = x->dpp_ctrl < DPP_CONTROLS ? x->dpp_ctrl : 0;
  const u8 *from = dpp_from[control];
  const u64 active = EXEC;
  u64 valid = dpp_inside[control];
  if (active != ALL_LANES)
    for (int l = 0; l < LANE_COUNT; l++)
      if (!(active >> from[l] & 1)) valid &= ~(1ull << l);
  gather(from, valid, row);
  if (wide(kind)) gather(from, valid, row + LANE_COUNT);
  u64 chosen = 0;
  for (u32 bank = 0; bank < 4; bank++)
    if (x->bank_mask >> bank & 1) chosen |= 0xfull << 4 * bank;
  chosen *= (x->row_mask & 1) | (x->row_mask & 2ull) << 15 | (x->row_mask & 4ull) << 30 | (x->row_mask & 8ull) << 45;
  w->dpp_mask = chosen & (x->bound_ctrl ? ALL_LANES : valid);
}

// The same for the check of undefined values: the lanes of the result that are defined, and which lanes are written.
u64 dpp_moved(Wave *w, const Ins *I, u64 defined, u64 *written) {
  const Ext *x = &w->launch->image->ext[I->ext];
  const u64 active = EXEC;
  u64 moved = 0, kept = 0;
  for (int l = 0; l < LANE_COUNT; l++) {
    const int from = dpp_lane(x->dpp_ctrl, l);
    const bool valid = from >= 0 && (active >> from & 1);
    const bool masked = (x->row_mask >> (l >> 4) & 1) && (x->bank_mask >> (l >> 2 & 3) & 1);
    if (!masked || !(valid || x->bound_ctrl)) kept |= 1ull << l;
    else if (!valid || (defined >> from & 1)) moved |= 1ull << l;
  }
  *written &= ~kept;
  return moved;
}

// ---- sources ------------------------------------------------------------------------------------------------------
static void select_part(u32 *row, u32 sel, bool extend) {
  const u32 width = sel < SEL_WORD0 ? 8 : 16;
  const u32 up = sel < SEL_WORD0 ? 24 - 8 * sel : sel == SEL_WORD0 ? 16 : 0;
  for (int l = 0; l < LANE_COUNT; l++) {
    const u32 top = row[l] << up;
    row[l] = extend ? (u32)((i32)top >> (32 - width)) : top >> (32 - width);
  }
}

static void change_sign(u32 *row, u32 keep, u32 flip) {
  for (int l = 0; l < LANE_COUNT; l++) row[l] = (row[l] & keep) ^ flip;
}

static u32 sign_of(Kind kind) { return kind == T_F16 || kind == T_B16 || kind == T_I16 ? 0x8000u : 0x80000000u; }

static void packed(const Ext *x, int j, Kind kind, u32 *row) {
  const u32 low_half = x->op_sel >> j & 1, high_half = x->op_sel_hi >> j & 1;
  const u32 flip_low = x->neg_lo >> j & 1, flip_high = x->neg_hi >> j & 1;
  if (kind == T_PKF32) {
    const u32 *low = row + LANE_COUNT * low_half, *high = row + LANE_COUNT * high_half;
    for (int l = 0; l < LANE_COUNT; l++) {
      const u32 a = low[l], b = high[l];
      row[l] = a ^ flip_low << 31;
      row[LANE_COUNT + l] = b ^ flip_high << 31;
    }
    return;
  }
  const u32 flip = kind == T_PKF16 ? flip_low << 15 | flip_high << 31 : 0;
  for (int l = 0; l < LANE_COUNT; l++) row[l] = pack16(row[l] >> 16 * low_half, row[l] >> 16 * high_half) ^ flip;
}

static void mixed(const Ext *x, int j, u32 *row) {  // an f32, or one half of the register as an f32
  if (x->op_sel_hi >> j & 1) {
    const u32 shift = x->op_sel >> j & 1 ? 16 : 0;
    for (int l = 0; l < LANE_COUNT; l++) row[l] = of_f32((f32)as_f16(row[l] >> shift));
  }
}

static const u32 *prepare_extended(Wave *w, const Ins *I, int j, Kind kind, u32 *tmp) {
  const Ext *x = &w->launch->image->ext[I->ext];
  const i32 code = x->code[j];
  const u32 mod = x->mod[j];
  if (code >= 0) {
    const u32 *row = w->R + code;
    if (likely(mod == MOD_NEG && kind == T_F32 && !x->sdwa && !x->dpp)) {
      for (int l = 0; l < LANE_COUNT; l++) tmp[l] = row[l] ^ 0x80000000u;
      return tmp;
    }
    if (likely(kind == T_PKF32 && !mod && !x->dpp)) {
      const u32 *restrict low = row + LANE_COUNT * (x->op_sel >> j & 1);
      const u32 *restrict high = row + LANE_COUNT * (x->op_sel_hi >> j & 1);
      const u32 flip_low = (u32)(x->neg_lo >> j & 1) << 31, flip_high = (u32)(x->neg_hi >> j & 1) << 31;
      for (int l = 0; l < LANE_COUNT; l++) tmp[l] = low[l] ^ flip_low;
      for (int l = 0; l < LANE_COUNT; l++) tmp[LANE_COUNT + l] = high[l] ^ flip_high;
      return tmp;
    }
    memcpy(tmp, row, wide(kind) ? 512 : 256);
  } else {
    const u32 *p = (~(u32)code & REF_POOL ? w->pool : w->s) + REF_INDEX(~(u32)code);
    spread(tmp, p[0]);
    if (wide(kind)) spread(tmp + LANE_COUNT, p[1]);
  }
  if (x->dpp && j == 0) dpp(w, x, kind, tmp);
  if (x->sel[j] != SEL_DWORD) select_part(tmp, x->sel[j], mod & MOD_SEXT);
  if (kind == T_PK16 || kind == T_PKF16 || kind == T_PKF32) packed(x, j, kind, tmp);
  if (kind == T_MIX) mixed(x, j, tmp);
  if (half(kind) && x->op_sel >> j & 1)
    for (int l = 0; l < LANE_COUNT; l++) tmp[l] >>= 16;
  const bool flip = (mod & MOD_NEG) || (kind == T_F32 && x->neg_lo >> j & 1);
  if (flip || mod & MOD_ABS) {
    const u32 sign = sign_of(kind);
    change_sign(wide(kind) ? tmp + LANE_COUNT : tmp, mod & MOD_ABS ? ~sign : ~0u, flip ? sign : 0);
  }
  return tmp;
}

const u32 *prepare(Wave *w, const Ins *I, int j, Kind kind, u32 *tmp) {
  const u32 ref = ~(u32)I->s[j];
  if (unlikely(ref & REF_EXTENDED)) return prepare_extended(w, I, j, kind, tmp);
  const u32 *p = (ref & REF_POOL ? w->pool : w->s) + REF_INDEX(ref);
  spread(tmp, p[0]);
  if (wide(kind)) spread(tmp + LANE_COUNT, p[1]);
  return tmp;
}

// ---- denormals of f16 -------------------------------------------------------------------------------------------------
static u32 without_tiny(u32 x, bool upper) {
  if (!(x & 0x7c00)) x &= ~0x3ffu;
  if (upper && !(x & 0x7c000000)) x &= ~0x3ff0000u;
  return x;
}
const u32 *half_inputs(const Wave *w, const u32 *row, u32 *out) {
  if (w->mode & 0x40) return row;
  for (int l = 0; l < LANE_COUNT; l++) out[l] = without_tiny(row[l], true);
  return out;
}
void half_results(const Wave *w, u32 *row, u64 lanes, bool upper) {
  if (w->mode & 0x80) return;
  for (int l = 0; l < LANE_COUNT; l++)
    if (lanes >> l & 1) row[l] = without_tiny(row[l], upper);
}

// ---- results ------------------------------------------------------------------------------------------------------
static f32 clamped32(f32 v, bool nan_to_zero) {
  return v != v && !nan_to_zero ? v : v > 0.0f ? v < 1.0f ? v : 1.0f : 0.0f;
}
static f64 clamped64(f64 v, bool nan_to_zero) { return v != v && !nan_to_zero ? v : v > 0.0 ? v < 1.0 ? v : 1.0 : 0.0; }
static u32 clamped16(u32 v, bool nan_to_zero) { return of_f16((f16)clamped32((f32)as_f16(v), nan_to_zero)); }

// The output modifiers are not IEEE 754's: they do nothing in IEEE mode or where denormals are kept, and make -0 +0.
static f64 scaled(f64 v, u32 omod) { return v * (omod == 1 ? 2.0 : omod == 2 ? 4.0 : 0.5) + 0.0; }

static void modify(Wave *w, const Ext *x, Kind kind, u32 *row) {
  const bool nan = DX10_CLAMP;
  const bool omod = x->omod && !IEEE && !(kind == T_F32 || kind == T_MIX ? KEEPS_DENORM32 : KEEPS_DENORM64);
  for (int l = 0; l < LANE_COUNT; l++) {
    switch (kind) {
      case T_F32: {
        f32 v = as_f32(row[l]);
        if (omod) v = flushed32((f32)scaled((f64)flushed32(v), x->omod));
        if (x->clamp) v = clamped32(v, nan);
        row[l] = of_f32(v);
        break;
      }
      case T_F64: {
        f64 v = as_f64(GET64(row, l));
        if (omod) v = scaled(as_f64(flush_unless64(of_f64(v), 0)), x->omod);
        if (x->clamp) v = clamped64(v, nan);
        const u64 bits = omod ? flush_unless64(of_f64(v), 0) : of_f64(v);
        PUT64(row, l, bits);
        break;
      }
      case T_F16:
        if (omod) row[l] = (row[l] & 0xffff0000) | of_f16((f16)scaled((f64)(f32)as_f16(row[l]), x->omod));
        if (x->clamp) row[l] = (row[l] & 0xffff0000) | clamped16(row[l], nan);
        break;
      case T_PKF16:
        if (x->clamp) row[l] = pack16(clamped16(row[l], nan), clamped16(row[l] >> 16, nan));
        break;
      case T_PKF32:
        if (!x->clamp) break;
        row[l] = of_f32(clamped32(as_f32(row[l]), nan));
        row[LANE_COUNT + l] = of_f32(clamped32(as_f32(row[LANE_COUNT + l]), nan));
        break;
      default: break;
    }
  }
}

// SDWA: the result in one part of the destination, the rest of it 0, the sign, or as it was
static u32 placed(u32 value, u32 old, u32 sel, u32 unused) {
  const u32 at = sel < SEL_WORD0 ? 8 * sel : sel == SEL_WORD1 ? 16 : 0, width = sel < SEL_WORD0 ? 8 : 16;
  const u32 part = ((1u << width) - 1) << at, moved = value << at & part;
  if (unused == UNUSED_PRESERVE) return (old & ~part) | moved;
  if (unused == UNUSED_SEXT) return (u32)((i32)(value << (32 - width)) >> (32 - width - at)) & ~((1u << at) - 1);
  return moved;
}

void finish(Wave *w, const Ins *I, Kind kind, const u32 *result) {
  const Ext *x = &w->launch->image->ext[I->ext];
  u64 mask = EXEC;
  if (x->dpp) mask &= w->dpp_mask;
  u32 *row = (u32 *)result, *out = w->R + I->d;
  if (x->clamp || x->omod) modify(w, x, kind, row);
  if (x->dst_sel != SEL_DWORD) {
    for (int l = 0; l < LANE_COUNT; l++) row[l] = placed(row[l], out[l], x->dst_sel, x->dst_unused);
  } else if (half(kind) && x->op_sel & 8) {
    for (int l = 0; l < LANE_COUNT; l++) row[l] = row[l] << 16 | (out[l] & 0xffff);
  } else if (kind == T_B8) {
    const u32 at = 8 * (x->op_sel >> 2 & 3), part = 0xffu << at;
    for (int l = 0; l < LANE_COUNT; l++) row[l] = (out[l] & ~part) | (row[l] << at & part);
  }
  u32 M[LANE_COUNT];
  expand(mask, M);
  for (int l = 0; l < LANE_COUNT; l++) out[l] = (M[l] & row[l]) | (~M[l] & out[l]);
  if (wide(kind))
    for (int l = 0; l < LANE_COUNT; l++)
      out[LANE_COUNT + l] = (M[l] & row[LANE_COUNT + l]) | (~M[l] & out[LANE_COUNT + l]);
}
